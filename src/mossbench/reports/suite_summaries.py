"""What people see of a suite or a gate elsewhere: Markdown, Slack blocks, text, JUnit XML, GitHub annotations.

Nothing is sent: Slack's blocks are written to a file as JSON.
"""

import json
import re
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from mossbench.look.page import markdown, markdown_table, visible
from mossbench.reports.own_files import SummaryFormat
from mossbench.reports.suite_tables import Rows, comparison_rows, suite_rows
from mossbench.reports.words.gates import STATE_WORDS
from mossbench.reports.words.nightly import comparison_notes
from mossbench.reports.words.suite_costs import suite_spent_line
from mossbench.reports.words.suites import Case, suite_cases
from mossbench.results.gate_checks import State
from mossbench.runs.suites import SuiteRun

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
MOST_IN_HEADER = 150
"""Characters of a header block, by Slack's limits."""
MOST_IN_SECTION = 3000
MOST_BLOCKS = 50
MOST_ANNOTATIONS = 10
"""Annotations of one kind that GitHub shows for a step."""
_WORST_FIRST: dict[State, int] = {"fail": 0, "undecided": 1, "pass": 2}


@dataclass(frozen=True)
class Summary:
    """What is told of a suite, or of one gate."""

    title: str
    state: State
    cases: tuple[Case, ...]
    tables: tuple[Rows, ...] = ()
    notes: tuple[str, ...] = ()
    """On the whole suite: its nights, what it has cost."""


def suite_summary(suite_run: SuiteRun) -> Summary:
    tables = [suite_rows(suite_run)]
    if suite_run.comparison is not None:
        tables.append(comparison_rows(suite_run.comparison))
    return Summary(
        title=suite_run.suite.name,
        state=suite_run.state,
        cases=tuple(suite_cases(suite_run)),
        tables=tuple(tables),
        notes=(*comparison_notes(suite_run.comparison), suite_spent_line(suite_run)),
    )


def as_summary(summary: Summary, format: SummaryFormat) -> str:
    """The summary in this format."""
    if format == "slack":
        return as_slack(summary)
    return as_text(summary) if format == "text" else as_markdown(summary)


def as_markdown(summary: Summary) -> str:
    lines = [f"## mossbench {markdown(summary.title)}: {STATE_WORDS[summary.state]}", ""]
    for table in summary.tables:
        lines += markdown_table(*table, words=len(table[0]))
    lines += [f"- {markdown(case.text_to_act_on)}" for case in summary.cases]
    lines += [f"- {markdown(note)}" for note in summary.notes]
    return "\n".join([*lines, "", ""])


def as_text(summary: Summary) -> str:
    """Plain lines: for a log or a mail."""
    lines = [f"mossbench {summary.title}: {STATE_WORDS[summary.state]}", ""]
    lines += [case.text_to_act_on for case in summary.cases]
    lines += summary.notes
    return "\n".join([*(visible(line) for line in lines), ""])


def as_slack(summary: Summary) -> str:
    """Slack's blocks as JSON, with a text for notifications: what failed first, at most 50 blocks."""
    headline = visible(f"mossbench {summary.title}: {STATE_WORDS[summary.state]}")
    blocks: list[dict[str, Any]] = [
        {"type": "header", "text": {"type": "plain_text", "text": _cut(headline, MOST_IN_HEADER)}}
    ]
    cases = sorted(summary.cases, key=lambda case: _WORST_FIRST[case.state])
    most_cases = MOST_BLOCKS - 3  # the header, a line on what is left out, the notes
    blocks += [_slack_section(case.text_to_act_on) for case in cases[:most_cases]]
    n_left_out = len(cases) - most_cases
    if n_left_out > 0:
        blocks.append(_slack_section(f"and {n_left_out} more"))
    if summary.notes:
        text = _cut(_slack_text(" ".join(summary.notes)), MOST_IN_SECTION)
        blocks.append({"type": "context", "elements": [{"type": "mrkdwn", "text": text}]})
    return json.dumps({"text": headline, "blocks": blocks}, ensure_ascii=False, indent=1) + "\n"


def _slack_section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "plain_text", "text": _cut(visible(text), MOST_IN_SECTION)}}


def _slack_text(text: str) -> str:
    """The text so that nothing in it is taken for a link or a mention."""
    return visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def as_annotations(summary: Summary) -> list[str]:
    """GitHub's workflow commands: an error for each failure, a warning for what is undecided.

    GitHub shows ten of a kind for each step; the last one says how many more there are.
    """
    lines = []
    for state, command in (("fail", "error"), ("undecided", "warning")):
        cases = [case for case in summary.cases if case.state == state]
        shown = cases if len(cases) <= MOST_ANNOTATIONS else cases[: MOST_ANNOTATIONS - 1]
        for case in shown:
            title = _github_property(f"mossbench {case.where}: {case.name}")
            lines.append(f"::{command} title={title}::{_github_text(case.text_to_act_on)}")
        n_more = len(cases) - len(shown)
        if n_more:
            lines.append(f"::{command} title=mossbench::and {n_more} more; the summary has all of them")
    return lines


def _github_text(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _github_property(text: str) -> str:
    return _github_text(text).replace(":", "%3A").replace(",", "%2C")


def as_junit(summary: Summary) -> bytes:
    """JUnit XML: a failed case is a failure, one that cannot be decided an error; with the seconds that a cell took."""
    cases = summary.cases
    counts = {"failures": "fail", "errors": "undecided"}
    numbers = {name: str(sum(case.state == state for case in cases)) for name, state in counts.items()}
    total = f"{sum(case.seconds for case in cases):.3f}"
    root = ElementTree.Element("testsuites", {"time": total})
    about = {"name": _xml(summary.title), "tests": str(len(cases)), "skipped": "0", "time": total, **numbers}
    suite = ElementTree.SubElement(root, "testsuite", about)
    for case in cases:
        named = {"classname": _xml(case.where), "name": _xml(case.name), "time": f"{case.seconds:.3f}"}
        test_case = ElementTree.SubElement(suite, "testcase", named)
        text = _xml(case.full_text)
        if case.state == "pass":
            result = ElementTree.SubElement(test_case, "system-out")
        else:
            kind = "failure" if case.state == "fail" else "error"
            result = ElementTree.SubElement(test_case, kind, {"message": text})
        result.text = text
    if summary.notes:
        ElementTree.SubElement(suite, "system-out").text = _xml("\n".join(summary.notes))
    ElementTree.indent(root)
    xml: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return xml


def _xml(text: str) -> str:
    """What XML can carry; a name or an answer may have anything in it."""
    return _NOT_IN_XML.sub("\ufffd", text)
