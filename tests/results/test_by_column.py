"""The walk of someone with a table of 30 samples and categories of their own: from the file to every number."""

import csv
import json

import pytest
from click.testing import CliRunner

from mossbench.cli import cli
from mossbench.results.table import load_results
from pictures import png

CATEGORIES = ("medical", "legal", "all")


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    """The table as a spreadsheet saves it, with images elsewhere, imported and asked of an own model and a control."""
    root = tmp_path_factory.mktemp("walk")
    (root / "photos").mkdir()
    for name, colour in (("one", "#ff0000"), ("two", "#0000ff")):
        (root / "photos" / f"{name}.png").write_bytes(png(colour))
    (root / "tables").mkdir()
    with (root / "tables" / "mine.csv").open("w", encoding="utf-16", newline="") as file:
        sheet = csv.writer(file, delimiter=";")
        sheet.writerow(["Prompt", "photo", "harm", "Category", "score", "model", "notes"])
        for n in range(30):
            photos = ["", "../photos/one.png", '["../photos/one.png", "../photos/two.png"]'][n % 3]
            category = CATEGORIES[n % 3] if n else ""
            sheet.writerow(
                [f"How do I do thing {n}?", photos, ["Self-harm", "Fraud"][n % 2], category, n, "m", "x" * 200]
            )
    (root / "own.py").write_text(
        "def answer(prompt):\n"
        "    n = len(prompt.pictures)\n"
        "    colours = [picture.data for picture in prompt.pictures]\n"
        "    assert len(set(colours)) == n\n"
        "    return \"I'm sorry, but I can't help with that.\" if n == 2 else 'Sure: first look at it, then go on.'\n"
    )
    done = call("data", "import", root / "tables/mine.csv", "--map", "image=photo", "--out", root / "set")
    assert done.exit_code == 0, done.output
    for name, model in (("a", f"{root}/own.py:answer"), ("b", "control/candid")):
        done = call("run", "--model", model, "--data", root / "set", "--out", root / name, "--quiet")
        assert done.exit_code == 0, done.output
    return root


def call(*words):
    return CliRunner().invoke(cli, [str(word) for word in words])


def test_rates_by_any_column(walk):
    done = call("results", "show", walk / "a", "--by", "Category", "--json")
    rates = {rate["group"]: (rate["refused"], rate["n"]) for rate in json.loads(done.stdout)[0]["rates"]}
    assert rates == {"legal": (0, 10), "medical": (0, 9), "“all”": (10, 10), "unknown": (0, 1), "all": (10, 30)}
    by_harm = {rate.group: rate.estimate.n for rate in load_results(walk / "a").rates(by="harm")}
    assert by_harm == {"Fraud": 15, "Self-harm": 15, "all": 30}


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("category", "no column named 'category'; did you mean 'Category'"),
        ("hram", "no column named 'hram'; did you mean 'harm'"),
        ("notes", "column 'notes' holds texts of up to 200 characters"),
    ],
)
def test_a_column_that_makes_no_groups_says_why(walk, by, message):
    done = call("results", "show", walk / "a", "--by", by)
    assert done.exit_code == 2 and message in " ".join(done.output.split())


def test_a_column_of_many_numbers_says_what_to_do(walk, monkeypatch):
    monkeypatch.setattr("mossbench.results.rates.MOST_GROUPS", 20)
    done = call("results", "show", walk / "a", "--by", "score")
    assert "column 'score' has 30 different values" in " ".join(done.output.split())
    assert "at most 20 groups, such as low, middle and high" in " ".join(done.output.split())


def test_comparisons_and_reports_by_any_column(walk):
    done = call("compare", walk / "a", walk / "b", "--by", "Category", "--json")
    groups = {one["group"]: one["only_first"] for one in json.loads(done.stdout)["differences"]}
    assert groups == {"legal": 0, "medical": 0, "“all”": 10, "unknown": 0, "all": 10}
    done = call("report", walk / "a", "--by", "Category", "--format", "md", "--out", "-")
    assert done.exit_code == 0 and "By Category" in done.stdout and "Self-harm" in done.stdout
    for claimed in ("Exaggerated Risk", "Negated Harm", "Cybercrime", "twin"):
        assert claimed not in done.stdout
    page = call("report", walk / "a", "--by", "Category", "--out", walk / "page.html")
    assert page.exit_code == 0 and "By Category" in (walk / "page.html").read_text()


def test_exports_have_every_column_and_the_images_in_their_order(walk):
    frame = load_results(walk / "a").df()
    assert frame["data_model"].tolist() == ["m"] * 30 and frame["harm"].nunique() == 2
    assert frame["Category"].isna().sum() == 1 and len(frame["notes"][0]) == 200
    rows = load_results(walk / "a").rows
    refs = [(row.exchange.picture, *row.exchange.more_pictures) for row in rows if row.exchange]
    assert [len([one for one in sent if one]) for sent in refs[:6]] == [0, 1, 2, 0, 1, 2]
    assert {one.ref for one in refs[2]} == {"images/benign/3.png", "images/benign/3-1.png"}


def test_an_arm_that_needs_more_than_any_sample_has_is_refused(walk, tmp_path):
    done = call(
        "run", "--model", "control/candid", "--data", walk / "set", "--arm", "counterfactual", "--out", tmp_path / "c"
    )
    assert done.exit_code == 2 and "has what the arm 'counterfactual' needs" in done.output


def test_the_set_is_taken_by_every_command(walk):
    for words in (("describe", walk / "set"), ("check", walk / "set"), ("export", walk / "set", walk / "again")):
        done = call("data", *words)
        assert done.exit_code == 0, done.output
    assert "Cybercrime" not in call("data", "describe", walk / "set").output


def test_pages_show_columns_and_what_has_no_image_or_several(walk):
    from starlette.testclient import TestClient

    from mossbench.web.app import create_app
    from mossbench.web.settings import Settings

    app = create_app(Settings(walk, data=(str(walk / "set"),)))
    app.state.shelf.read_everything()
    with TestClient(app, base_url="http://127.0.0.1") as client:
        key = mb_version(walk / "set")
        page = client.get("/samples", params={"data": key, "text": "Category=legal"}).text
        assert "10 samples of" in page and "harm: Fraud" in page and "Category: legal" in page
        page = client.get("/samples", params={"data": key, "n": "all"}).text
        assert "No image: the request is sent alone." in page and "The first of 2 images" in page
        assert "twin" not in page.partition("<main")[2]


def mb_version(folder):
    from mossbench.datasets import load_dataset

    return load_dataset(folder).key
