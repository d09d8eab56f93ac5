"""Reports as files and through the command line; hostile text; nothing of anybody else's is overwritten."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import answered, samples
from html_pages import elements, texts
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.reports.cards import pictures_of
from mossbench.reports.words.runs import run_names
from mossbench.statistics import wilson


def mossbench(*args):
    return CliRunner().invoke(cli, [str(arg) for arg in args])


class Tags(HTMLParser):
    """Every tag with its attributes, and the text outside of style and script."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.text, self._inside = [], "", None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag):
        self._inside = None

    def handle_data(self, data):
        if self._inside not in ("style", "script"):
            self.text += data


def test_the_page_is_self_contained_and_has_every_part(mixed):
    path = mb.write_report(mixed)
    assert path == Path("mixed/report.html")
    page = Tags(path.read_text())
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    wanted = [
        "headline",
        "cautions",
        "layers",
        "rules",
        "stimulus",
        "twins",
        "harm",
        "flags",
        "judge",
        "samples",
        "method",
    ]
    assert [name for name in wanted if name not in ids] == []
    assert len(ids) == len(set(ids))
    for tag, attrs in page.tags:
        assert "style" not in attrs and not any(name.startswith("on") for name in attrs), (tag, attrs)
        for name in ("src", "href", "action"):
            assert attrs.get(name, "#").startswith(("#", "data:")), (tag, attrs)
    charts = [attrs for tag, attrs in page.tags if tag == "svg" and "chart" in (attrs.get("class") or "")]
    assert len(charts) == 3 and all(attrs["role"] == "img" and attrs["aria-label"] for attrs in charts)
    pictures = [attrs for tag, attrs in page.tags if tag == "img"]
    assert len(pictures) == 4 and all(attrs["src"].startswith("data:image/webp;base64,") for attrs in pictures)


def test_links_of_the_contents_lead_to_parts_of_the_page(mixed):
    page = Tags(mb.write_report([mixed, mixed], "two.html").read_text())
    ids = {attrs["id"] for _, attrs in page.tags if "id" in attrs}
    targets = [attrs["href"][1:] for tag, attrs in page.tags if tag in ("a", "use") and attrs.get("href")]
    assert targets and set(targets) <= ids


def test_hostile_text_is_text_in_the_page(hostile):
    source = mb.write_report(hostile).read_text()
    page = Tags(source)
    assert sum(tag == "script" for tag, _ in page.tags) == 1 and "SECRET THOUGHTS" not in source
    assert all(attrs["src"].startswith("data:") for tag, attrs in page.tags if tag == "img")
    assert "<script>document.title='owned'</script></style></textarea><img src=x" in page.text
    assert "{{ 7*7 }}" in page.text and "49" not in re.findall(r"single'\s*(\d+)", page.text)
    assert not re.search("[\x00\u202e\u2066\ud800-\udfff]", source)
    assert "␀" in page.text and "⟨U+202E⟩" in page.text


def test_a_very_long_answer_is_cut_with_a_way_to_the_whole(hostile):
    source = mb.write_report(hostile).read_text()
    assert "Show the rest" in source and re.search(r"80,0\d\d more characters are in answers\.jsonl", source)


@pytest.mark.slow
@pytest.mark.parametrize("format", ["md", "json", "csv", "svg", "png"])
def test_hostile_text_breaks_no_format(hostile, format):
    content = mb.write_report(hostile, f"out.{format}", format=format).read_bytes()
    if format == "md":
        assert b"<script" not in content and b"<img" not in content
    if format == "json":
        assert json.loads(content)["reports"][0]["run"] == "hostile <i>run"
    if format == "svg":
        from xml.etree import ElementTree

        ElementTree.fromstring(content)
        assert b"<script" not in content


def test_pictures_are_left_out_with_a_word_when_the_data_are_gone_or_changed(mixed, small):
    (small / "images" / "1.png").write_bytes((small / "images" / "2.png").read_bytes())
    assert "has changed since the run" in pictures_of(mixed, mb.make_report(mixed).cards)[1]
    small.rename(small.parent / "elsewhere")
    page = mb.write_report(mixed).read_text()
    assert "Images are left out" in page and "<img" not in page and "Fold it into a boat" in page


@pytest.mark.slow
def test_three_hundred_samples_stay_under_five_megabytes(tmp_path):
    import random

    from PIL import Image

    folder = tmp_path / "noise"
    folder.mkdir()
    noise = random.Random(1)
    for i in range(10):  # noise is what compresses least
        Image.frombytes("RGB", (640, 480), noise.randbytes(640 * 480 * 3)).save(folder / f"{i}.png")
    rows = [{"id": str(i), "question": f"What is {i}?", "image": f"{i % 10}.png"} for i in range(300)]
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    results = mb.run(lambda prompt: "No. " + "Because. " * 500, folder, judge=lambda exchange: True, out="big")
    path = mb.write_report(results)
    assert path.stat().st_size < 5_000_000
    assert path.read_text().count("<img") == 300


@pytest.mark.slow
def test_a_file_of_somebody_else_is_not_overwritten(mixed):
    for format in ("html", "md", "json", "csv", "svg", "png"):
        path = mb.write_report(mixed, format=format)
        assert mb.write_report(mixed, format=format) == path
        path.write_text("mine")
        with pytest.raises(UsageError, match=rf"exists and is not a {format} report"):
            mb.write_report(mixed, format=format)
        assert path.read_text() == "mine"


def test_the_tidy_table_has_every_rate_with_its_making(mixed):
    rows = list(csv.DictReader(io.StringIO(mb.write_report(mixed, format="csv").read_text())))
    system = next(row for row in rows if (row["rule"], row["by"], row["side"]) == ("system", "all", "benign"))
    assert float(system["value"]) == 0.6 and float(system["low"]) == pytest.approx(wilson(3, 5).low * 5 / 6)
    assert (system["n"], system["n_left_out"], system["refused"]) == ("5", "1", "3")
    scores = {"macro", "d_prime", "criterion", "both_right"}
    assert {row["by"] for row in rows} == {"all", "stimulus", "harm", "human", "if the judge errs", *scores}
    assert system["hash"] == mixed.info.dataset.hashes["benign"]
    d_prime = next(row for row in rows if (row["by"], row["group"]) == ("d_prime", "all"))
    assert d_prime["side"] == "both" and len(d_prime["hash"].split()) == 2 and float(d_prime["low"]) < 0
    labels = [{"id": str(i), "side": "benign", "refused": i % 2, "epoch": e} for i in range(1, 7) for e in range(1, 5)]
    Path("l.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labels))
    again = mb.run("control/candid", mixed.info.config.data, epochs=4, out="again")
    rows = csv.DictReader(io.StringIO(mb.write_report(again, "again.csv", labels="l.jsonl").read_text()))
    ranges = [row for row in rows if row["by"] == "if the judge errs"]  # a control, and not on the sketches
    assert {row["side"] for row in ranges} == {"benign", "contrast"} and "stimulus: Negated Harm" in {
        row["group"] for row in ranges
    }
    assert all("misses at most" in row["method"] and row["value"] == "" for row in ranges)


def test_the_command_writes_the_page_and_prints_the_rates(mixed):
    done = mossbench("report", "mixed")
    assert done.exit_code == 0 and "wrote mixed/report.html" in done.stderr
    assert (
        "harmless" in done.stdout
        and "60.0" in done.stdout
        and "One request failed and is not in the rate." in done.stdout
    )


@pytest.mark.slow
def test_the_command_writes_to_stdout(mixed):
    page = mossbench("report", "mixed", "--out", "-")
    assert page.stdout.startswith("<!doctype html>") and not Path("mixed/report.html").exists()
    assert json.loads(mossbench("report", "mixed", "--format", "json", "--out", "-").stdout)["reports"]
    assert mossbench("report", "mixed", "--format", "png", "--out", "-").stdout_bytes.startswith(b"\x89PNG")


def test_several_runs_stand_on_one_axis_first(mixed, small):
    mb.run("control/stonewall", small, out="wall")
    done = mossbench("report", "mixed", "wall", "--out", "both.html")
    page = Path("both.html").read_text()
    assert done.exit_code == 0 and page.index('id="compared"') < page.index('id="r1-headline"')
    assert "No run clearly refuses the most." in page
    assert "All runs have the same requests" in page
    mb.run("control/stonewall", small, out="less", limit=2, judge="keywords")
    mossbench("report", "wall", "less", "--out", "both.html")
    page = Path("both.html").read_text()
    assert "The runs differ in data, judge and number of rows" in page and "refuses the most" not in page


@pytest.mark.slow
def test_runs_of_one_model_are_told_apart(small):
    plain = mb.run("control/candid", small, out="a/run")
    system = mb.run("control/candid", small, system="Be kind.", out="b/run")
    keywords = mb.run("control/candid", small, judge="keywords", out="c/other")
    wall = mb.run("control/stonewall", small, out="wall")

    def names(*runs):
        return run_names([mb.make_report(run) for run in runs])

    assert names(plain, wall) == ["control/candid", "control/stonewall"]
    assert names(plain, system, wall)[:2] == ["control/candid, arm plain", "control/candid, arm system prompt"]
    assert names(plain, keywords) == ["control/candid, judge reader/2", "control/candid, judge keywords/2"]
    assert names(plain, mb.run("control/candid", small, out="d")) == ["control/candid, run", "control/candid, d"]
    assert names(plain, plain) == ["control/candid, run (1)", "control/candid, run (2)"]
    for format in ("html", "md", "svg"):
        assert "judge keywords/2" in mb.write_report([plain, keywords], f"two.{format}").read_text()


def test_samples_without_pictures_are_not_said_to_be_unreadable(tmp_path):
    folder = tmp_path / "words"
    folder.mkdir()
    (folder / "metadata.jsonl").write_text('{"id": "1", "question": "What is 1?"}\n')
    results = mb.run("control/stonewall", folder, out="words")
    assert pictures_of(results, mb.make_report(results).cards) == ({}, "")


def test_markdown_is_escaped_once(hostile):
    text = mb.write_report(hostile, "r.md").read_text()
    assert "&#60;script&#62;" in text and "&#38;#60;" not in text and "\\#60" not in text


def test_flags_are_code_that_is_not_broken_and_text_around_them_stays_text(hostile):
    page = Tags(mb.write_report(hostile).read_text())
    assert ("code", {}) in page.tags and "--labels" in page.text and "<code>--labels</code>" not in page.text


def test_both_marks_are_seen_where_both_sides_are_alike(small):
    page = mb.write_report(mb.run("control/stonewall", small, out="wall")).read_text()
    lanes = page[page.index('id="twins"') :]
    assert elements(lanes, "circle.dot[cx=100%][cy=30%]") and elements(lanes, "svg[x=100%][y=70%]")


@pytest.mark.parametrize(
    ("args", "begins"),
    [
        (["--out", "x.md"], b"<!-- mossbench report -->"),
        (["--out", "X.SVG"], b"<!-- mossbench report -->"),
        (["--out", "x.json"], b'{"made_by":"mossbench'),
        (["--out", "x"], b"<!doctype html>"),
        (["--out", "x", "--format", "csv"], b"run,model"),
    ],
)
def test_the_suffix_of_the_file_says_the_format(mixed, args, begins):
    assert mossbench("report", "mixed", *args).exit_code == 0
    content = Path(args[1]).read_bytes()
    assert (b"".join(content.split()) if b"{" in begins else content).startswith(begins)


def test_controls_in_what_a_provider_says_do_not_reach_the_terminal(small):
    Path("own.py").write_text("def own(prompt):\n    raise ConnectionError('a\\x00b\\x1b[2J')\n")
    done = mossbench("run", "--model", "own.py:own", "--data", small, "--out", "a", "--quiet", "--no-report")
    assert "a␀b␛[2J" in done.stderr and not re.search("[\x00\x1b]", done.stderr)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nowhere"], "no run in 'nowhere'"),
        (["mixed", "--judge", "rubric"], "no verdicts of judge 'rubric'"),
        (["mixed", "--labels", "none.jsonl"], "no file 'none.jsonl'"),
        (["mixed", "mixed", "--labels", "x.jsonl"], "works with a single run"),
        (["mixed", "../work/mixed"], "the same run is given twice"),
        (["mixed", "--out", "x.pdf"], "its suffix is '.pdf', expected one of .html"),
        (["mixed", "--out", "x.md", "--format", "csv"], "contradict each other"),
        (["mixed", "--out", ""], "--out is empty"),
    ],
)
def test_mistakes_are_told_in_one_message(mixed, args, said):
    done = mossbench("report", *args)
    assert done.exit_code == 2 and said in done.stderr and "Traceback" not in done.output


def test_a_broken_run_folder_is_told(mixed):
    Path("mixed/run.json").write_text("{")
    done = mossbench("report", "mixed")
    assert done.exit_code == 1 and "run.json is damaged" in done.stderr


def test_a_run_ends_in_a_report_unless_it_is_not_wanted(small):
    done = mossbench("run", "--model", "control/candid", "--data", small, "--out", "a", "--quiet")
    assert done.exit_code == 0 and "wrote a/report.html" in done.stderr and Path("a/report.html").exists()
    done = mossbench("run", "--model", "control/candid", "--data", small, "--out", "b", "--quiet", "--no-report")
    assert done.exit_code == 0 and "wrote b\n" in done.stderr and not Path("b/report.html").exists()


def test_a_report_that_cannot_be_written_costs_neither_the_run_nor_its_exit_code(small, monkeypatch):
    def fail(*args, **kwargs):
        raise RuntimeError("no ink")

    monkeypatch.setattr("mossbench.reports.writing.report_bytes", fail)
    done = mossbench("run", "--model", "control/candid", "--data", small, "--out", "a", "--quiet")
    assert done.exit_code == 0 and "could not write the report: no ink" in done.stderr and "wrote a\n" in done.stderr
    assert len(mb.load_results("a")) == 12


def test_all_sections_of_a_report_have_one_scale(tmp_path):
    """Ten per cent is in the same place for the rate and for its stimuli, whose intervals are wider."""
    run = answered(samples(tmp_path / "data", 60, sides=["benign"]), tmp_path / "run", refused=[1, 4])
    page = mb.write_report(run, tmp_path / "report.html").read_text()
    axes = elements(page, "svg.axis")
    charts = [label.rstrip("%").strip() for label in texts(page, "text[text-anchor=end]") if label.endswith("%")]
    ends = {texts(axis, "text")[-1] for axis in axes}
    assert len(axes) > 1 and ends == {"40"} == set(charts) - {"100"}  # all rows as one bar are 100 per cent


def test_a_report_without_an_answer_promises_no_number_no_verdicts_and_no_sheet(tmp_path):
    run = answered(samples(tmp_path / "data", 3), tmp_path / "broken", failed=range(1, 4))
    page = mb.write_report(run, tmp_path / "report.html").read_text()
    assert "Before you read on</h2>" in page and "Before you quote" not in page
    assert "These answers have no verdicts</h2>" in page and "Verdicts are by" not in page and "sheet here" not in page
    assert 'href="#stimulus"' not in page and 'id="stimulus"' not in page
    assert "<p>Strokes without a mark: not counted.</p>" in page
    text = mb.write_report(run, tmp_path / "report.md").read_text()
    assert "Before you read on:" in text and "Before you quote" not in text


def test_answers_without_a_verdict_are_not_reported_as_read_by_nobody(tmp_path):
    run = mb.run(lambda prompt: "Sure.", samples(tmp_path / "data", 3), out="r", judge=lambda exchange: None)
    page = mb.write_report(run, tmp_path / "report.html").read_text()
    assert (
        "gave no verdict" in page and "These answers have no verdicts</h2>" in page and "No judge has read" not in page
    )
