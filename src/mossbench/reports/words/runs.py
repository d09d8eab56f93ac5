"""What runs, models, arms and days are called in sentences, and what is said of several runs on one axis."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath

from mossbench.look.numbers import number_word
from mossbench.reports.ranking import RunsCompared
from mossbench.reports.record import Report
from mossbench.reports.words.grammar import capital, listing

_LONGEST_NAME = 60


def model_name(model: str) -> str:
    """A model's name for a sentence: a transcript or an own file goes by its file's name; cut when very long."""
    provider, _, name = model.partition("/")
    short = PurePath(name).stem if provider == "replay" else model
    if ".py:" in short:
        short = short.rpartition("/")[2]
    if len(short) <= _LONGEST_NAME:
        return short
    return f"{short[: _LONGEST_NAME - 1]}…"


def arm_title(name: str) -> str:
    """An arm's name where it is shown: `system` is also the name of a counting rule."""
    return "system prompt" if name == "system" else name


def day(moment: str) -> str:
    """`14 November 2025` from a time stamp; as it is when it cannot be read."""
    try:
        at = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    return f"{at.day} {at:%B %Y}"


def run_names(reports: Sequence[Report]) -> list[str]:
    """A name for each run: its model, and for runs of one model the arms, prompt, judge or folder that differ.

    Runs that even their folders do not tell apart are numbered.
    """
    names = [_name_among(report, reports) for report in reports]
    numbered = []
    for place, name in enumerate(names):
        if names.count(name) > 1:
            numbered.append(f"{name} ({names[:place].count(name) + 1})")
        else:
            numbered.append(name)
    return numbered


def _name_among(report: Report, reports: Sequence[Report]) -> str:
    model = model_name(report.model)
    same_model = [other for other in reports if model_name(other.model) == model]
    if len(same_model) == 1:
        return model
    details_of_all = [_details(other) for other in same_model]
    for place, detail in enumerate(_details(report)):
        distinct = {details[place] for details in details_of_all}
        if len(distinct) == len(same_model):
            return f"{model}, {detail}"
    return f"{model}, {report.run}"


def _details(report: Report) -> tuple[str, ...]:
    """What may differ between runs of one model; the first that does is named."""
    arms = ", ".join(report.arms)
    return f"arm {arms}", report.prompt or "no system prompt", f"judge {report.judge or 'none'}", report.run


@dataclass(frozen=True)
class Compared:
    """What is said of several runs on one axis."""

    title: str
    text: str


def compared(runs: RunsCompared) -> Compared:
    """Who of several runs refuses most, whether clearly, or why they do not compare."""
    plain_title = f"{capital(number_word(runs.n_runs))} runs on one axis."
    if runs.differences:
        return Compared(
            plain_title, f"The runs differ in {listing(runs.differences)}, so their rates cannot be compared."
        )
    text = "All runs have the same requests and the same judge. Where intervals overlap, the difference may be chance."
    if runs.n_with_rate < 2:
        return Compared(plain_title, text)
    if runs.refuses_most is None:
        return Compared("No run clearly refuses the most.", text)
    return Compared(f"{runs.refuses_most} refuses the most.", text)
