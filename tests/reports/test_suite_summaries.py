"""Summaries of suites and gates: Markdown, text, Slack blocks, JUnit XML and GitHub annotations of odd names."""

import json
from xml.etree import ElementTree

from mossbench.reports.suite_summaries import Summary, as_annotations, as_junit, as_slack, as_summary
from mossbench.reports.words.suites import Case

ODD = "50 % & <b>, a:b\nnext\x1b[31m"


def summary(n_failed=1, n_undecided=0, text=ODD):
    failed = [Case(f"cell {i}", "release", "fail", text, seconds=1.5) for i in range(n_failed)]
    undecided = [Case("cell", "change", "undecided", "UNDECIDED", missing="3 of 40 rows are missing")] * n_undecided
    passed = [Case("cell", "run", "pass", "PASS")]
    return Summary("odd", "fail", (*passed, *undecided, *failed), notes=("Spent: 0.00 USD.",))


def test_slack_blocks_keep_slacks_limits_and_begin_with_what_failed():
    content = json.loads(as_slack(summary(n_failed=100, text="x" * 4000)))
    assert len(content["blocks"]) <= 50
    header, first = content["blocks"][:2]
    assert header["text"]["text"] == content["text"] == "mossbench odd: FAIL"
    assert first["text"]["text"].startswith("xxx") and len(first["text"]["text"]) == 3000
    assert content["blocks"][-2]["text"]["text"] == "and 54 more"


def test_nothing_in_a_summary_for_slack_is_a_mention_or_moves_a_cursor():
    text = as_slack(summary(text="<!channel> \x1b[31m"))
    block = json.loads(text)["blocks"][1]["text"]
    assert block["type"] == "plain_text"
    assert "\x1b" not in block["text"]


def test_annotations_escape_what_github_reads_as_its_own():
    (line,) = as_annotations(summary())
    assert line.startswith("::error title=mossbench cell 0%3A release::50 %25 & <b>, a:b%0Anext")
    assert "\n" not in line


def test_annotations_are_ten_of_a_kind_and_say_how_many_more():
    lines = as_annotations(summary(n_failed=12, n_undecided=2))
    errors = [line for line in lines if line.startswith("::error")]
    assert len(errors) == 10 and errors[-1].endswith("and 3 more; the summary has all of them")
    assert sum(line.startswith("::warning") for line in lines) == 2


def test_junit_has_seconds_and_why_rows_are_missing():
    root = ElementTree.fromstring(as_junit(summary(n_failed=2, n_undecided=1)))
    suite = root[0]
    assert suite.get("time") == "3.000"
    (error,) = suite.findall("testcase/error")
    assert error.get("message") == "UNDECIDED; 3 of 40 rows are missing"
    (warning,) = [line for line in as_annotations(summary(n_undecided=1)) if line.startswith("::warning")]
    assert warning.endswith("UNDECIDED; 3 of 40 rows are missing")
    for format in ("markdown", "text", "slack"):
        assert "UNDECIDED; 3 of 40 rows are missing" in as_summary(summary(n_undecided=1), format)
    assert suite.find("system-out").text == "Spent: 0.00 USD."


def test_text_is_plain_and_markdown_shows_odd_names_as_they_are():
    assert as_summary(summary(), "text").splitlines()[0] == "mossbench odd: FAIL"
    assert "&#60;b&#62;" in as_summary(summary(), "markdown")
