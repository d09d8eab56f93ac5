"""Pages agree on where models stand: one run of a model on one dataset and protocol decides, on every page."""

import csv
import io
import json
import re

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import NO, YES, answered, samples
from html_pages import element, elements, text_of
from mossbench.cli import cli
from mossbench.reports.words.standing import FALSE_ALARMS
from mossbench.web import Settings, create_app
from mossbench.web.site import write_site
from web.conftest import Browser
from web.test_home import rename


def run_both_sides(data, out, model, *, harmless=(), harmful=(), failed=(), started="2026-01-01", **options):
    """A run that refused these ids of each side."""
    refused = {"benign": set(map(str, harmless)), "contrast": set(map(str, harmful))}
    lines = []
    for sample in mb.load_dataset(data):
        response = NO if sample.id in refused[sample.side] else YES
        if sample.id in set(map(str, failed)):
            response = None
        lines.append({"id": sample.id, "side": sample.side, "response": response})
    transcript = out.with_suffix(".jsonl")
    transcript.write_text("".join(json.dumps(line) + "\n" for line in lines))
    mb.run(f"replay/{transcript}", data, out=out, **options)
    rename(out, model, f"{started}T00:00:00+00:00")
    return out


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    """A large dataset and a small one of one's own."""
    root = tmp_path_factory.mktemp("sets")
    return samples(root / "large", 40), samples(root / "own", 12, word="item")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "runs").mkdir()
    return tmp_path / "runs"


@pytest.fixture
def open_pages(folder, sets):
    return lambda: Browser(create_app(Settings(folder, data=tuple(map(str, sets)))))


def heading(page):
    return text_of(element(page, "h1"))


ALL = range(1, 41)


@pytest.fixture
def candid(folder, sets):
    """One that refuses nothing, and two that refuse every harmful request and a few harmless ones."""
    large, _ = sets
    run_both_sides(large, folder / "candid", "lab/candid")
    run_both_sides(large, folder / "ideal", "lab/ideal", harmless=(1,), harmful=ALL)
    run_both_sides(large, folder / "faulty", "lab/faulty", harmless=(1, 2), harmful=ALL)
    return folder


def test_home_says_why_a_model_with_a_lower_rate_is_not_in_its_heading(candid, open_pages):
    home = open_pages().get("/").text
    assert heading(home) == "lab/ideal or lab/faulty refuses least without being less safe"
    said = text_of(home)
    assert "lab/candid refused fewer harmless requests, but also significantly fewer harmful ones than" in said
    assert re.search(r"harmful ones than lab/(ideal and lab/faulty|faulty and lab/ideal)\.", said)


def test_a_board_says_by_the_rank_that_the_first_refuses_fewer_harmful_requests(candid, open_pages):
    page = open_pages().get("/leaderboard").text
    said = text_of(page)
    board = said.split("ranks are certain")[0]
    assert "may be first by harmless requests alone" in board
    assert "May be first, but less safe: lab/candid, with significantly fewer harmful requests refused than" in said
    assert "lab/candid refused no harmful request." in said
    row = next(name for name in elements(page, "tr .name a") if name.text == "lab/candid").inside("tr")
    assert "less safe" in text_of(element(row, ".name"))


def test_the_terminal_csv_and_markdown_say_it_too(candid):
    runs = [str(candid / name) for name in ("candid", "ideal", "faulty")]
    for format_ in ("table", "md"):
        shown = CliRunner().invoke(cli, ["leaderboard", "show", *runs, "--format", format_]).stdout
        words = " ".join(shown.split())
        assert "May be first, but less safe: lab/candid, with" in words, shown
        assert "‡" in words
    table = CliRunner().invoke(cli, ["leaderboard", "show", *runs, "--format", "csv"]).stdout
    rows = {row["model"]: row for row in csv.DictReader(io.StringIO(table))}
    assert rows["lab/candid"]["less_safe_than"] == "lab/faulty; lab/ideal"
    assert rows["lab/ideal"]["less_safe_than"] == ""
    boards = json.loads(CliRunner().invoke(cli, ["leaderboard", "show", *runs, "--json"]).stdout)
    rows = {row["name"]: row for row in boards[0]["rows"]}
    assert rows["lab/candid"]["less_safe_than"] == ["lab/faulty", "lab/ideal"]


def test_a_board_of_models_that_all_refuse_no_harmful_request_says_so(folder, sets, open_pages):
    for name, refused in (("a", (1,)), ("b", (2,))):
        run_both_sides(sets[0], folder / name, f"lab/{name}", harmless=refused)
    said = text_of(open_pages().get("/leaderboard").text)
    assert "lab/a and lab/b refused no harmful request." in said


def test_a_board_says_that_the_safety_of_who_is_first_is_not_known(folder, sets, open_pages):
    run_both_sides(sets[0], folder / "a", "lab/a", side="benign")
    run_both_sides(sets[0], folder / "b", "lab/b", harmless=range(1, 30), harmful=ALL)
    said = text_of(open_pages().get("/leaderboard").text)
    assert "It is not known how many harmful requests lab/a would refuse." in said
    home = text_of(open_pages().get("/").text)
    assert "Of known safety, all models but lab/b are less safe" in home
    assert "how many harmful requests lab/a would refuse" in home


@pytest.fixture
def two_sets(folder, sets):
    """A model on the large set, and later on its own small one."""
    large, own = sets
    run_both_sides(large, folder / "on-large", "lab/m", harmless=range(1, 13), harmful=ALL)
    run_both_sides(own, folder / "on-own", "lab/m", harmful=ALL, started="2026-02-01")
    return folder


def test_every_page_is_headed_by_the_data_with_the_most_samples(two_sets, open_pages):
    pages = open_pages()
    model = pages.get("/models/lab/m").text
    assert heading(model) == "On large, lab/m refuses about one in three harmless requests"
    assert "The dataset with the most samples. Newest run on these data: on-large" in text_of(model)
    home = text_of(pages.get("/").text)
    assert "lab/m refuses 30" in home and "large · 40 + 40 samples" in home
    board = text_of(pages.get("/leaderboard").text)
    assert board.index("large, 40 harmless samples") < board.index("own, 12 harmless samples")


def test_a_page_shows_other_data_where_it_is_told_to(two_sets, open_pages):
    pages = open_pages()
    first = pages.get("/models/lab/m").text
    link = re.search(r'href="(/models/lab/m\?protocol=\w+)"', first)[1]
    for path in (link, "/models/lab/m?data=own"):
        page = pages.get(path).text
        assert heading(page) == "On own, lab/m refused none of 12 harmless requests"
        assert "Not the dataset with the most samples" in text_of(page)
    key = link.partition("=")[2]
    for path in (f"/?protocol={key}", "/?data=own"):
        assert "own · 12 + 12 samples" in text_of(pages.get(path).text)
    assert heading(pages.get("/models/lab/m?protocol=none-such").text) == heading(first)


def test_two_datasets_of_one_size_have_addresses_of_their_own(folder, tmp_path, sets):
    other = samples(tmp_path / "other", 40, word="thing")
    run_both_sides(sets[0], folder / "a", "lab/m", harmless=(1,))
    run_both_sides(other, folder / "b", "lab/m", harmless=(1, 2))
    pages = Browser(create_app(Settings(folder, data=(str(sets[0]), str(other)))))
    home = pages.get("/").text
    shown = text_of(home)
    link = re.search(r'href="(/\?protocol=\w+)"', home)[1]
    told = text_of(pages.get(link).text)
    assert ("large · 40" in shown) != ("large · 40" in told)


def test_a_superseded_run_is_neither_first_nor_named_in_a_heading(folder, sets, open_pages):
    large, _ = sets
    run_both_sides(large, folder / "old", "lab/m", harmful=ALL)
    run_both_sides(large, folder / "new", "lab/m", harmless=range(1, 20), harmful=ALL, started="2026-02-01")
    run_both_sides(large, folder / "rival", "lab/rival", harmless=range(1, 15), harmful=ALL)
    pages = open_pages()
    page = pages.get("/leaderboard").text
    headings = " ".join(text_of(heading) for heading in elements(page, "h1"))
    assert "lab/rival" in headings and "(old)" not in headings
    assert "1 run not ranked: superseded by new, the newest of the same model under this protocol." in text_of(page)
    row = next(name for name in elements(page, "tr .name a") if name.text == "lab/m (old)").inside("tr")
    assert "superseded" in text_of(row)
    assert "lab/m (old)" not in text_of(pages.get("/").text)
    assert "superseded by new" in text_of(pages.get("/runs").text)
    assert "superseded" in text_of(pages.get("/models/lab/m").text)
    table = CliRunner().invoke(
        cli, ["leaderboard", "show", *(str(folder / name) for name in ("old", "new", "rival")), "--json"]
    )
    rows = {row["source"]: row for row in json.loads(table.stdout)[0]["rows"]}
    assert rows["old"]["superseded_by"] == "new" and rows["old"]["place"] is None
    assert rows["new"]["place"] and rows["new"]["name"] == "lab/m"


def test_a_newer_run_with_missing_rows_does_not_stand_and_every_page_says_so(folder, sets, open_pages):
    large, _ = sets
    run_both_sides(large, folder / "whole", "lab/m", harmless=(1, 2), harmful=ALL)
    run_both_sides(large, folder / "holes", "lab/m", harmful=ALL, failed=(1, 2, 3, 4), started="2026-02-01")
    pages = open_pages()
    for path in ("/", "/models/lab/m", "/leaderboard"):
        said = text_of(pages.get(path).text)
        assert "4 of 40 rows failed or have no verdict" in said, path
    assert "lab/m refuses 5" in text_of(pages.get("/").text)
    model = text_of(pages.get("/models/lab/m").text)
    assert "Newer, but not counted: holes" in model and "Newest run on these data that can be ranked: whole" in model


def test_a_newer_run_without_the_harmful_side_keeps_the_safety_of_a_model(folder, sets, open_pages):
    large, _ = sets
    run_both_sides(large, folder / "both", "lab/m", harmless=(1, 2), harmful=ALL)
    run_both_sides(large, folder / "harmless", "lab/m", side="benign", started="2026-02-01")
    pages = open_pages()
    for path in ("/", "/models/lab/m"):
        said = text_of(pages.get(path).text)
        assert "it has no harmful samples, as an earlier run of this model has" in said
    assert "of harmful requests." in text_of(pages.get("/").text)


def test_finished_runs_are_not_called_unfinished(folder, sets, open_pages):
    large, _ = sets
    run_both_sides(large, folder / "holes", "lab/m", failed=range(1, 20))
    said = text_of(open_pages().get("/").text)
    assert "No finished run yet" not in said and "No run can be ranked yet" in said
    assert "19 of 40 rows failed or have no verdict" in said


def test_finished_runs_without_verdicts_are_called_unjudged(folder, sets, open_pages):
    run_both_sides(sets[0], folder / "unread", "lab/m", judge=None)
    said = text_of(open_pages().get("/").text)
    assert "No finished run yet" not in said and "No judged run yet" in said and "not judged yet" in said


def test_what_changed_never_pairs_runs_on_other_data_or_asked_in_another_way(two_sets, sets, open_pages):
    run_both_sides(sets[0], two_sets / "prompted", "lab/m", system="Be brief.", started="2026-03-01")
    pages = open_pages()
    home = text_of(pages.get("/").text)
    assert "What changed since" not in home
    assert "Changed since last time No earlier run to compare with" in home
    assert "it has no earlier run on the same data and protocol" in text_of(pages.get("/models/lab/m").text)


def test_what_changed_is_told_for_each_dataset_with_its_name(two_sets, sets, open_pages):
    large, own = sets
    run_both_sides(large, two_sets / "large-2", "lab/m", harmful=ALL, started="2026-02-15")
    run_both_sides(own, two_sets / "own-2", "lab/m", harmful=ALL, started="2026-03-01")
    pages = open_pages()
    home = pages.get("/").text
    table = text_of(element(home, "table.stack.changes"))
    assert "on-large → large-2 large benign@" in table and "on-own → own-2 own benign@" in table
    assert "on-large → own-2" not in table and "large-2 → own-2" not in table
    assert re.search(r"lab/m refuses fewer harmless requests on large than before", text_of(home))
    assert "No significant change for lab/m on own" in text_of(home)
    assert "on-large" in text_of(pages.get("/models/lab/m").text).split("compared with")[1]


def test_a_change_is_told_together_with_how_often_chance_makes_one(two_sets, sets, open_pages):
    run_both_sides(sets[0], two_sets / "large-2", "lab/m", harmful=ALL, started="2026-02-15")
    pages = open_pages()
    for path in ("/", "/models/lab/m"):
        assert FALSE_ALARMS in text_of(pages.get(path).text)


def test_the_home_of_a_site_says_what_home_says_and_leads_to_the_run_that_stands(two_sets, sets, open_pages, tmp_path):
    home = open_pages().get("/").text
    site = write_site(Settings(two_sets, data=tuple(map(str, sets))), tmp_path / "site")
    page = (site / "index.html").read_text()
    assert heading(page) == heading(home)
    link = next(link for link in elements(page, ".name[role=rowheader] a") if link.text.startswith("lab/m"))
    assert link["href"].startswith("model-lab-m-")


def test_a_run_of_another_folder_does_not_supersede(folder, sets, open_pages):
    large, _ = sets
    answered(large, folder / "a")
    answered(large, folder / "b")
    assert "superseded" not in text_of(open_pages().get("/runs").text)
