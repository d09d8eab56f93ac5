"""The same pages as files."""

import csv
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import answered, samples
from html_pages import element, elements, texts
from mossbench.cli import cli
from mossbench.cli import serve as serve_command
from mossbench.errors import UsageError
from mossbench.protocols import digest
from mossbench.reports.build import make_report
from mossbench.web.settings import Settings
from mossbench.web.site import write_site
from mossbench.web.site_addresses import file_stem


@pytest.mark.slow
def test_the_site_holds_together_and_needs_nothing_else(runs, made, tmp_path):
    done = CliRunner().invoke(cli, ["site", str(tmp_path / "site"), str(runs), "--data", str(made / "data")])
    assert done.exit_code == 0, done.output
    files = {str(path.relative_to(tmp_path / "site")): path for path in (tmp_path / "site").rglob("*.*")}
    pages = {name: path.read_text() for name, path in files.items() if name.endswith(".html")}
    assert len(pages) == 5 + 4 + 4 + 2 + 1 + 60  # fixed pages, reports, models, comparisons, samples
    led_to = {".mossbench-site", "index.html", "404.html"}
    for name, page in pages.items():
        addresses = [link["href"] for link in elements(page, "a[href]")]
        addresses += [image["src"] for image in elements(page, "img[src]")]
        links = [address.partition("#")[0] for address in addresses if not address.startswith("#")]
        assert all(link in files for link in links), (name, links)
        assert not re.search(r'(?:src|action)="(?!images/\w+\.webp")', page), name
        assert "Content-Security-Policy" in page and "form_token" not in page
        assert len(page) < 500_000, name
        led_to |= set(links)
    assert set(files) == led_to  # nothing lies there that no page leads to
    assert (
        "Refused in 2 of 4 runs" in pages["samples-data.html"]
        and "Refused in 2 of 3 runs" in pages["samples-data.html"]
    )
    sample = pages[
        "samples-data-benign-3.html"
    ]  # leads back to its place in the list, to its reports, and by its stripes
    assert (
        'href="samples-data.html#samples-data-benign-3"' in sample
        and 'id="samples-data-benign-3"' in pages["samples-data.html"]
    )
    places = {}
    for link in elements(sample, "h2[id^=m] a"):
        places[link.inside("h2")["id"]] = link["href"].partition("#")[0]
    assert {name for name in files if name.startswith("run-") and name.endswith(".html")} == set(places.values())
    stripes = element(sample, "[data-pages]")["data-pages"].split()
    assert len(stripes) == 30 and all(name in files for name in stripes) and stripes[2] == "samples-data-benign-3.html"
    assert "<mark>" in pages["samples-data-benign-3.html"]
    for place, report in places.items():  # and each report leads to the answers of its own run
        assert {link["href"].partition("#")[2] for link in elements(pages[report], "a.id[href^=samples-]")} <= {place}
    (some,) = (place for place, report in places.items() if report.endswith("-some.html"))
    assert f'class="id" href="samples-data-benign-3.html#{some}">3<' in pages[places[some]]


def test_a_sample_of_a_site_begins_with_six_runs_of_different_models_and_offers_all(tmp_path):
    data, runs = samples(tmp_path / "data", 1), tmp_path / "runs"
    (data / "metadata.jsonl").write_text((data / "metadata.jsonl").read_text().replace("{", '{"twin": "1", '))
    runs.mkdir()
    for name in "abcdef":
        answered(data, runs / name, refused=[1] if name == "a" else ())
    mb.run(f"replay/{runs / 'b.jsonl'}", data, out=runs / "b-again")
    page = (write_site(Settings(runs), tmp_path / "site") / "samples-data-benign-1.html").read_text()
    boxes = elements(page, "input[type=checkbox][value]")
    assert len(boxes) == 7 and [box["value"] for box in boxes if "checked" not in box.attributes] == ["b (b)"]
    assert page.count('class="column"') == 7  # the others are there for whoever has no script
    assert "Refused in 1 of 7 runs." in page  # of the twin: true whichever runs are shown


def test_an_answer_of_a_site_leads_to_its_place_in_the_report(tmp_path):
    (tmp_path / "runs").mkdir()
    answered(samples(tmp_path / "data", 2), tmp_path / "runs" / "a", refused=[1, 2])
    site = write_site(Settings(tmp_path / "runs"), tmp_path / "site")
    page = (site / "samples-data-benign-1.html").read_text()
    report, _, place = element(page, "h2#m1 a")["href"].partition("#")
    assert f'id="{place}"' in (site / report).read_text()


def test_a_site_of_data_alone_has_what_was_named_and_promises_no_answers(tmp_path):
    data = samples(tmp_path / "data", 2)
    site = write_site(Settings(tmp_path / "runs", data=(str(data),)), tmp_path / "site")
    assert "Select one to see its answers" not in (site / "samples-data.html").read_text()
    assert len(list(site.glob("samples-*"))) == 1 + 4  # no bundled set beside it
    one = (site / "samples-data-benign-1.html").read_text()
    assert "No run on these pages has asked these samples." in one and "automatically" not in one
    downloads = (site / "downloads.html").read_text()
    assert "2 files" in downloads and ">Runs</h2>" not in downloads
    (tmp_path / "runs").mkdir(exist_ok=True)
    answered(samples(tmp_path / "asked", 1, word="other"), tmp_path / "runs" / "one")
    write_site(Settings(tmp_path / "runs", data=(str(data),)), site)
    heads = [texts((site / f"{name}.html").read_text(), "h1") for name in ("samples-data", "samples-asked")]
    assert heads == [["4 samples of data"], ["2 samples of asked"]]


@pytest.mark.slow
def test_addresses_stay_when_a_run_is_added(runs, made, tmp_path):
    analysis = mb.write_analysis(mb.analyse_runs("tradeoff", [runs / "some"]))
    site = write_site(Settings(runs, data=(str(made / "data"),)), tmp_path / "site")
    before = {path.name: texts(path.read_text(), "h1") for path in site.glob("*.html")}
    assert any(name.startswith("analysis-some-") for name in before), analysis
    answered(samples(tmp_path / "asked", 2, word="other"), runs / "a-new-one", refused=[1])
    write_site(Settings(runs, data=(str(made / "data"),)), site)
    after = {path.name: texts(path.read_text(), "h1") for path in site.glob("*.html")}
    assert set(before) < set(after) and "run-a-new-one.html" in after
    lasting = [name for name in before if name.startswith(("run-", "samples-", "model-", "analysis-"))]
    assert len(lasting) > 60 and {name: before[name] for name in lasting} == {name: after[name] for name in lasting}


@pytest.mark.slow
def test_pages_of_a_site_lead_to_each_other(runs, made, tmp_path):
    site = write_site(Settings(runs, data=(str(made / "data"),)), tmp_path / "site")
    home = (site / "index.html").read_text()
    mark = element(home, "a[aria-label^=some]")["href"]
    assert mark == "run-some.html#samples"
    (model,) = (path for path in site.glob("model-*.html") if "some, " in path.read_text())
    page = model.read_text()
    assert element(page, ".sample-card")["href"].startswith("samples-data-benign-") and "/runs/" not in page
    assert "images/" in element(page, ".sample-card img")["src"]
    compared = next(site.glob("compare-*.html")).read_text()
    assert "changed sample" in compared and "<form" not in compared and "Swap" not in compared


def test_names_of_files_are_never_the_same():
    names = ["a", "A", "a b", "a-b", "a/b", "x" * 80, "x" * 81, "org/a", "org-a"]
    stems = [file_stem(name) for name in names]
    assert len({stem.lower() for stem in stems}) == len(names) and stems[0] == "a"
    assert all(re.fullmatch(r"[a-z0-9._-]+", stem) for stem in stems)


def test_a_run_that_cannot_be_read_leads_nowhere_in_a_site(tmp_path):
    (tmp_path / "runs" / "bad").mkdir(parents=True)
    (tmp_path / "runs" / "bad" / "run.json").write_text("{")
    page = (write_site(Settings(tmp_path / "runs"), tmp_path / "site") / "runs.html").read_text()
    assert "Cannot be read" in page and 'href=""' not in page


@pytest.mark.slow
def test_home_of_the_site_says_what_home_of_the_app_says(runs, made, tmp_path, browser):
    out = write_site(Settings(runs, data=(str(made / "data"),)), tmp_path / "site")
    live, still = browser.get("/").text, (out / "index.html").read_text()
    for part in ("h1", ".at"):
        assert element(live, part).text == element(still, part).text
    live_rows, still_rows = ([row.text for row in elements(page, ".finding")] for page in (live, still))
    assert live_rows == still_rows and len(live_rows) == 3
    assert still.count('class="dot"') == live.count('class="dot"') > 4  # the drawing is there
    assert "data-reload" not in still and re.search(r'<a href="model-[\w.-]+.html"', still)


@pytest.mark.slow
def test_what_can_be_downloaded_from_a_site_are_its_numbers(runs, made, tmp_path):
    out = write_site(Settings(runs, data=(str(made / "data"),)), tmp_path / "site")
    rows = {path.name: list(csv.DictReader(path.read_text().splitlines(keepends=True))) for path in out.glob("*.csv")}
    assert len(rows) == 5 and len(rows["leaderboard.csv"]) >= 4
    name = next(name for name in rows if name.endswith("some.csv"))
    assert len(rows[name]) == 60 and [row["refused"] for row in rows[name]].count("True") == 12
    assert {"question", "response", "counts_system"} <= set(rows[name][0]) and "served_by" not in rows[name][0]
    boards = json.loads((out / "leaderboard.json").read_text())
    assert {row["name"] for board in boards for row in board["rows"]} >= {row["model"] for row in rows[name]}


@pytest.mark.slow
def test_a_site_is_written_again_but_nothing_else_is_replaced(runs, made, tmp_path):
    settings = Settings(runs, data=(str(made / "data"),))
    out = write_site(settings, tmp_path / "site")
    (out / "old.html").write_text("")
    write_site(settings, out)
    assert not (out / "old.html").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match="not a mossbench site"):
        write_site(settings, tmp_path / "mine")
    assert (tmp_path / "mine" / "thesis.txt").exists()


@pytest.mark.slow
def test_a_published_site_names_no_endpoint(runs, made, tmp_path):
    inside = next(runs.glob("*/run.json")).parent
    about = json.loads((inside / "run.json").read_text())
    judge = "rubric/kinds?model=openai/j&base_url=http://inside:9/v1"
    about["config"] |= {"base_url": "http://10.1.2.3:8000/v1", "judge": judge}
    about["notices"] = ["answers come from http://10.1.2.3:8000/v1", "answers come from http://10.1.2.3:8000/v2"]
    about["verdicts"] = {"rubric/kinds?model=openai/j&base_url=http://inside:8/v1/77ab": 0}
    (inside / "run.json").write_text(json.dumps(about))
    cautions = [caution.text for caution in make_report(mb.load_results(inside)).cautions]
    assert any("nswers come from http://10.1.2.3:8000/v1" in text for text in cautions)
    out = write_site(Settings(runs, data=(str(made / "data"),)), tmp_path / "site")
    pages = "".join(path.read_text() for path in out.glob("*.*") if path.is_file())
    assert "10.1.2.3" not in pages and "//inside" not in pages
    assert f"nswers come from endpoint-{digest('http://10.1.2.3:8000/v1')}" in pages


SECRET = "a sentence that only the private run has"


@pytest.fixture
def beside_private_runs(tmp_path, monkeypatch):
    """A folder with private runs in ./runs, a board of somebody's in it, and another board to publish."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("mossbench.web.site.boards_of_published", lambda *_: [])  # their ranks take seconds
    data = samples(tmp_path / "data", 6, word=SECRET)
    (tmp_path / "runs").mkdir()
    answered(data, tmp_path / "runs" / "private", refused=[1])
    other = samples(tmp_path / "other", 6)
    (tmp_path / "elsewhere").mkdir()
    answered(other, tmp_path / "elsewhere" / "open")
    for board, run, model in (("runs/board", "runs/private", "Hidden 9b"), ("board", "elsewhere/open", "Open 7b")):
        submission = mb.make_submission(run, model=model, availability="open")
        (tmp_path / board).mkdir()
        mb.write_submission(submission, tmp_path / board / "mine.json")
    return tmp_path


def everything_in(folder):
    return "".join(path.read_text("utf-8", "replace") for path in sorted(folder.rglob("*")) if path.is_file())


def published_with(*args):
    done = CliRunner().invoke(cli, ["site", "public", *args])
    assert done.exit_code == 0, done.output
    return done


def test_the_site_of_a_board_holds_no_run_that_lies_beside_it(beside_private_runs):
    done = published_with("--board", "board")
    found = everything_in(beside_private_runs / "public")
    assert "Open 7b" in found
    assert SECRET not in found and "private" not in found and "Hidden 9b" not in found
    assert not list(Path("public").glob("run-*")) and not list(Path("public").glob("samples*"))
    assert "submission Open 7b in board" in done.output and "private" not in done.stdout
    assert "the runs in runs are not published; to publish them: mossbench site public runs" in done.stderr


def test_the_site_of_data_holds_no_run_that_lies_beside_it(beside_private_runs):
    published_with("--data", "other")
    found = everything_in(beside_private_runs / "public")
    assert SECRET not in found and "private" not in found and "Hidden 9b" not in found and "Open 7b" not in found


def test_the_site_of_runs_holds_no_board_that_is_not_named(beside_private_runs):
    done = published_with("runs")
    found = everything_in(beside_private_runs / "public")
    assert SECRET in found and "Hidden 9b" not in found and "Open 7b" not in found
    assert "the submissions in runs/board are not published; to publish them: --board runs/board" in done.stderr
    published_with("elsewhere", "--board", "board")
    found = everything_in(beside_private_runs / "public")
    assert SECRET not in found and "Hidden 9b" not in found and "private" not in found


def test_a_site_lists_what_it_is_about_to_publish_before_it_is_written(beside_private_runs, monkeypatch):
    there = []

    def noted(*args, **options):
        there.append(Path("public").exists())
        return say(*args, **options)

    say = serve_command.say
    monkeypatch.setattr(serve_command, "say", noted)
    done = published_with("runs", "--board", "runs/board", "--data", "other")
    assert there and not any(there)
    lines = done.stdout.splitlines()
    assert lines[0] == "public will show to anyone who can open it:"
    assert any(line.startswith("  run private of ") and "12 rows with requests, answers" in line for line in lines)
    assert "  dataset data: 12 samples, requests and images" in lines
    assert "  dataset other: 12 samples, requests and images" in lines
    assert "  submission Hidden 9b in runs/board: its rates, without answers" in lines


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], "nothing to publish"),
        (["nowhere"], "no folder 'nowhere'"),
        (["--board", "nowhere"], "no folder 'nowhere' with submissions"),
        (["runs/private"], "is a single run"),
        (["--data", "nowhere"], "nowhere"),
    ],
)
def test_a_site_of_nothing_is_refused_and_nothing_is_written(beside_private_runs, args, says):
    done = CliRunner().invoke(cli, ["site", "public", *args])
    assert done.exit_code == 2 and says in done.output and not Path("public").exists(), done.output
