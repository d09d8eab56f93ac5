"""Names of runs, models, arms and days in sentences, and how several runs on one axis compare."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath

from mossbench.look.numbers import number_word
from mossbench.plumbing.own_code import without_its_folders
from mossbench.reports.ranking import RunsCompared
from mossbench.reports.record import Report
from mossbench.reports.words.grammar import capital, listing

_LONGEST_NAME = 60


def model_name(model: str) -> str:
    """A model's name for a sentence: of a transcript or a user's own file the file name; a very long one is cut."""
    name = whole_model_name(model)
    if len(name) <= _LONGEST_NAME:
        return name
    # Names of variants of one model differ at their ends.
    return f"{name[: _LONGEST_NAME // 2]}…{name[1 - _LONGEST_NAME // 2 :]}"


def whole_model_name(model: str) -> str:
    """The same, however long it is."""
    provider, _, name = model.partition("/")
    short = PurePath(name).stem if provider == "replay" else model
    return without_its_folders(short)


def arm_title(name: str) -> str:
    """An arm's name for readers: `system` is also the name of a counting rule."""
    return "system prompt" if name == "system" else name


def day(moment: str) -> str:
    """`14 November 2025` from a time stamp, which is returned unchanged if it cannot be parsed."""
    try:
        parsed = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    return f"{parsed.day} {parsed:%B %Y}"


def day_and_month(moment: str) -> str:
    """`14 Nov` from a time stamp, which is returned unchanged if it cannot be parsed."""
    try:
        parsed = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    return f"{parsed.day} {parsed:%b}"


def from_to(before: str, after: str) -> str:
    """Two moments as short as they differ: days, or times of one day (`19 Nov 15:17 → 15:18`)."""
    first = day_and_month(before)
    second = day_and_month(after)
    if before[:10] != after[:10]:
        return f"{first} → {second}"
    return f"{first} {before[11:16]} → {after[11:16]}"


def run_names(reports: Sequence[Report]) -> list[str]:
    """A name for each run: its model, and for runs of one model the arms, prompt, judge or folder that differ.

    Runs with the same name in all of these are numbered.
    """
    names = [_name_among(report, reports) for report in reports]
    numbered_names = []
    for place, name in enumerate(names):
        if names.count(name) > 1:
            n_before = names[:place].count(name)
            numbered_names.append(f"{name} ({n_before + 1})")
        else:
            numbered_names.append(name)
    return numbered_names


def _name_among(report: Report, reports: Sequence[Report]) -> str:
    """The model, with the first detail that is different in each run of that model."""
    model = model_name(report.model)
    runs_of_model = [run for run in reports if model_name(run.model) == model]
    if len(runs_of_model) == 1:
        return model
    details_of_runs = [_details(run) for run in runs_of_model]
    for place, detail in enumerate(_details(report)):
        distinct = {details[place] for details in details_of_runs}
        if len(distinct) == len(runs_of_model):
            return f"{model}, {detail}"
    return f"{model}, {report.run}"


def _details(report: Report) -> tuple[str, ...]:
    """What may differ between runs of one model, in the order in which it is tried as a name."""
    arms = f"arm {', '.join(report.arms)}"
    prompt = report.prompt or "no system prompt"
    judge = f"judge {report.judge or 'none'}"
    return arms, prompt, judge, report.run


@dataclass(frozen=True)
class ComparisonWords:
    """How several runs on one axis compare."""

    title: str
    text: str


def comparison_words(runs: RunsCompared) -> ComparisonWords:
    """Which of several runs refuses most, if one clearly does, or why they cannot be compared."""
    plain_title = f"{capital(number_word(runs.n_runs))} runs on one axis."
    if runs.differences:
        return ComparisonWords(
            plain_title, f"The runs differ in {listing(runs.differences)}, so their rates cannot be compared."
        )
    text = "All runs have the same requests and the same judge. Where intervals overlap, the difference may be chance."
    if runs.n_with_rate < 2:
        return ComparisonWords(plain_title, text)
    if runs.refuses_most is None:
        return ComparisonWords("No run clearly refuses the most.", text)
    if runs.n_with_rate < runs.n_runs:
        return ComparisonWords(f"Of runs with a known rate, {runs.refuses_most} refuses the most.", text)
    return ComparisonWords(f"{runs.refuses_most} refuses the most.", text)
