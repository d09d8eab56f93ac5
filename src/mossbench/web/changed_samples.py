"""Samples on which two runs differ, page by page, each with both answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mossbench.datasets.arms import PLAIN
from mossbench.outcomes import Key
from mossbench.reports.cards import pieces
from mossbench.reports.words import compare_page as words
from mossbench.results.comparisons import Comparison
from mossbench.results.flips import Flip, choose_flips
from mossbench.results.rows import ResultRow
from mossbench.samples import Side
from mossbench.web.columns import ShownAnswer, answer_of
from mossbench.web.data import Data
from mossbench.web.loaded_run import LoadedRun
from mossbench.web.pages import FULL_SIZE, SIDES, Query, address, explorer_address, picture_address

SAMPLES_PER_PAGE = 10


@dataclass(frozen=True)
class FlipAnswer:
    """What one of two runs answered to a changed sample."""

    name: str
    asked_with: str
    """The image that it was shown, in words, where that is not the sample's own."""
    answer: ShownAnswer


@dataclass(frozen=True)
class FlipShown:
    """A sample on which two runs differ, with both answers."""

    flip: Flip
    side: str
    harm: str
    picture: str
    large: str
    alt: str
    explorer: str
    """The explorer with both runs; empty where the data are not known."""
    answers: Sequence[FlipAnswer]


@dataclass(frozen=True)
class ChangedSamples:
    """One page of the changed samples that the address asks for."""

    folders: Mapping[str, str]
    """Folders of runs by their names in the comparison."""
    flips: Sequence[FlipShown] = ()
    n_flips: int = 0
    changed_heading: str = ""
    no_changed_sample: str = ""
    """Shown where there is none."""
    start: int = 0
    """Index of the first one on this page."""
    previous_page: str = ""
    next_page: str = ""


@dataclass(frozen=True)
class FlipChoice:
    """Which changed samples to show; None: all."""

    second: str | None
    """The folder of the run that is compared with the first."""
    side: Side | None
    way: str | None
    """`answered` or `refused`: to what they changed."""


def changed_samples(
    comparison: Comparison,
    folders: Mapping[str, str],
    chosen: Mapping[str, LoadedRun],
    data: Data | None,
    choice: FlipChoice,
    query: Query,
    start: int,
    step: int = SAMPLES_PER_PAGE,
) -> ChangedSamples:
    """`folders` has the folders of runs by their names in the comparison, `chosen` the runs by their folders."""
    flips = _chosen_flips(comparison, folders, choice)
    if start >= len(flips):
        start = 0
    end = start + step
    runs = {name: chosen[folder] for name, folder in folders.items()}
    return ChangedSamples(
        folders=folders,
        flips=[_flip_shown(flip, comparison, runs, data) for flip in flips[start:end]],
        n_flips=len(flips),
        changed_heading=words.changed_heading(len(flips)),
        no_changed_sample=words.no_changed_sample(is_filtered=choice != FlipChoice(None, None, None)),
        start=start,
        previous_page=address("/compare", **query, start=max(start - step, 0) or None) if start else "",
        next_page=address("/compare", **query, start=end) if end < len(flips) else "",
    )


def _chosen_flips(comparison: Comparison, folders: Mapping[str, str], choice: FlipChoice) -> Sequence[Flip]:
    names = {folder: name for name, folder in folders.items()}
    second = names.get(choice.second) if choice.second is not None else None
    of_run_and_side = choose_flips(comparison.flips, second=second, side=choice.side)
    was_refused = {"answered": True, "refused": False}.get(choice.way or "")
    if was_refused is None:
        return of_run_and_side
    first = comparison.runs[0]
    return [flip for flip in of_run_and_side if was_refused == (flip.refused_by == first)]


def _flip_shown(flip: Flip, comparison: Comparison, runs: Mapping[str, LoadedRun], data: Data | None) -> FlipShown:
    names = (comparison.runs[0], flip.second)
    rows = []
    answers = []
    for index, name in enumerate(names):
        run = runs[name]
        row = _row_of(run, Key(flip.side, flip.sample, flip.arms[index], flip.epoch))
        answer = _answer(row, flip, index, run.counted.judge, comparison.judge)
        rows.append(row)
        answers.append(FlipAnswer(name, _asked_with(run, row), answer))
    sample = rows[0].sample
    return FlipShown(
        flip=flip,
        side=SIDES[flip.side],
        harm=sample.label("harm"),
        picture=picture_address(data, sample, 480) if data else "",
        large=picture_address(data, sample, FULL_SIZE) if data else "",
        alt=sample.alt,
        explorer=explorer_address([runs[name].name for name in names], sample.key) if data else "",
        answers=answers,
    )


def _row_of(run: LoadedRun, key: Key) -> ResultRow:
    return next(row for row in run.by_sample[key.side, key.sample] if row.key == key)


def _answer(row: ResultRow, flip: Flip, index: int, own_judge: str | None, judge: str) -> ShownAnswer:
    """The answer as the run's own judge read it; of another judge only the outcome is known."""
    answer = answer_of(row, judge)
    if own_judge == judge:
        return answer
    text, more_text = pieces(flip.answers[index] or "", ())
    return replace(answer, kind=flip.outcomes[index], why=judge, answer=text, rest=more_text)


def _asked_with(run: LoadedRun, row: ResultRow) -> str:
    """The image that the model was shown, in words, where that is not the sample's own."""
    arm = run.results.arm(row) if run.results else PLAIN
    return arm.alt(row.sample) if arm.picture != "own" else ""
