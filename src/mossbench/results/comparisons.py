"""Compares runs on the same samples, pair by pair.

A pair is one sample in one epoch and one arm, in both runs; if each run has just one arm, the arms may differ, so that
system prompts can be compared. A row counts if the rule reads its outcome as refused or not refused (not if it failed
or has no verdict); a pair counts if both of its rows count. Rows of one scene, and epochs of one sample, are never
taken as independent: intervals are Tango's at the design effect of the differences, p-values come from swapping the
two runs in whole scenes.

Differences are the second run's rate minus the first run's. `statistics.paired` subtracts the other way round, so
`results.differences` gives it the second run first.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mossbench.errors import UsageError
from mossbench.messages import Message
from mossbench.outcomes import Rule, parse_rule
from mossbench.plumbing.frames import Framed
from mossbench.plumbing.json_values import as_json_value
from mossbench.protocols import Topic, setting_words
from mossbench.results.comparability import (
    AskedDifferently,
    pair_rows,
    settings_that_were_asked_differently,
    why_not_comparable,
)
from mossbench.results.comparison_notes import Note, notes_on
from mossbench.results.comparison_words import asked_differently_words, not_comparable_message, note_message
from mossbench.results.differences import Difference, adjust_p_values, differences_of
from mossbench.results.flips import ChangedPairs, Flip, Flips, flips_between
from mossbench.results.missing import missing_of
from mossbench.results.one_judge import load_read_by, with_one_judge
from mossbench.results.pairs import Pairs
from mossbench.results.rates import check_by, clusters_of, yes
from mossbench.results.row_columns import count_rows
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.results.unfamiliar import unfamiliar_sides
from mossbench.samples import Side
from mossbench.statistics import Significance, cochran_q


@dataclass(frozen=True)
class Comparison(Framed):
    """The first run compared with each of the others, or every run with each later one."""

    runs: tuple[str, ...]
    data: str
    """Name and hash."""
    judge: str
    rule: Rule
    differences: tuple[Difference, ...]
    flips: Sequence[Flip]
    overall: dict[Side, Significance]
    """With three or more runs: Cochran's Q over all of them, on the rows that count in each."""
    n_unpaired: dict[str, int]
    """Rows of each run that have no partner in the first run; for the first run, in any other run."""
    settings: tuple[AskedDifferently, ...] = ()
    """The runs that were asked differently from the first, with the settings that differ (prompts, sampling)."""
    remarks: tuple[Note, ...] = ()
    """Cautions about single runs, as records; `messages` has them with ways out, `notes` as texts."""
    every_pair: bool = False
    """Whether every run is compared with each later one, and not only with the first."""

    def __repr__(self) -> str:
        return (
            f"<Comparison of {' with '.join(self.runs)}: {len(self.differences)} differences, {len(self.flips)} flips>"
        )

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The runs that are compared with each other."""
        return tuple(_pairs_of(self.runs, every=self.every_pair))

    @property
    def asked_differently(self) -> tuple[str, ...]:
        """Sentences: how other runs were asked differently from the first; shown before any number."""
        return tuple(asked_differently_words(pair) for pair in self.settings)

    @property
    def messages(self) -> tuple[Message, ...]:
        """The remarks in words, with ways out."""
        return tuple(note_message(note) for note in self.remarks)

    @property
    def notes(self) -> tuple[str, ...]:
        """The remarks as plain texts."""
        return tuple(str(message) for message in self.messages)

    def title(self) -> str:
        first, *others = self.runs
        compared = f"{', '.join(others)} compared with {first}"
        if self.every_pair:
            compared = f"{', '.join(self.runs)} compared with each other"
        return "; ".join((compared, f"data {self.data}", f"judge {self.judge}", *self.asked_differently, *self.notes))

    def lines(self) -> list[dict[str, Any]]:
        return [_line(difference) for difference in self.differences]

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain values for JSON; what was asked differently comes before any number."""
        return {
            "runs": list(self.runs),
            "every_pair": self.every_pair,
            "data": self.data,
            "judge": self.judge,
            "rule": str(self.rule),
            "asked_differently": list(self.asked_differently),
            "settings": [_asked_to_dict(pair) for pair in self.settings],
            "differences": as_json_value(self.differences),
            "flips": as_json_value(tuple(self.flips)),
            "overall": as_json_value(self.overall),
            "n_unpaired": self.n_unpaired,
            "notes": list(self.notes),
            "remarks": as_json_value(self.remarks),
        }


def _asked_to_dict(pair: AskedDifferently) -> dict[str, Any]:
    """Plain values for JSON. System prompts may be private: only their displayed form is included."""
    content: dict[str, Any] = as_json_value(pair)
    for setting, difference in zip(content["settings"], pair.settings, strict=True):
        if difference.topic is Topic.SYSTEM:
            setting["first"] = setting_words(Topic.SYSTEM, difference.first)
            setting["second"] = setting_words(Topic.SYSTEM, difference.second)
    return content


def _line(difference: Difference) -> dict[str, Any]:
    estimate = difference.estimate
    first_rate, second_rate = difference.rates
    first_missing, second_missing = difference.missing
    return {
        "first": difference.first,
        "second": difference.second,
        "side": str(difference.side),
        "group": difference.group,
        "first_rate": first_rate,
        "second_rate": second_rate,
        "difference": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "n": estimate.n,
        "only_first": difference.only_first,
        "only_second": difference.only_second,
        "p": difference.p,
        "p_worst": difference.p_worst,
        "p_adjusted": difference.p_adjusted,
        "is_significant": difference.is_significant,
        "inconclusive": difference.is_inconclusive,
        "first_missing": first_missing.n,
        "second_missing": second_missing.n,
    }


def compare(
    first: Results | str | Path,
    *others: Results | str | Path,
    rule: Rule | str = Rule.SYSTEM,
    judge: str | None = None,
    by: str = "stimulus",
    every_pair: bool = False,
) -> Comparison:
    """Compares each of the other runs with the first, over all samples and by stimulus or another column.

    With `every_pair` each run is compared with every later one, and p-values are adjusted over all these pairs.

    Runs that different judges have read are read by one of them, where that is free (`results.one_judge`); `notes` say
    so. `judge` names the judge, which reads the runs now if it is an offline one.

    Raises:
        UsageError: The runs are not on the same data, or no judge can read all of them for free.
    """
    rule = parse_rule(rule)
    runs = [run if isinstance(run, Results) else load_read_by(run, judge) for run in (first, *others)]
    if len(runs) < 2:
        raise UsageError("a comparison needs at least two runs; name the folders of both")
    if len({run.folder.resolve() for run in runs}) < len(runs):
        raise UsageError("the same run is given twice; name the folders of different runs")
    runs = with_one_judge(runs)
    names = names_of(runs)
    check_by(runs[0].rows, by)
    runs_by_name = dict(zip(names, runs, strict=True))
    paired = _paired_rows(runs_by_name, every=every_pair)
    differences: list[Difference] = []
    changed: list[ChangedPairs] = []
    for (name, other), pairs in paired.items():
        unfamiliar = unfamiliar_sides([name, other], [runs_by_name[name], runs_by_name[other]], rule)
        differences += differences_of(name, other, pairs, rule, n_others=len(paired), by=by, unfamiliar=unfamiliar)
        changed.append(flips_between(name, other, pairs, rule))
    with_first = {other: pairs for (name, other), pairs in paired.items() if name == names[0]}
    return Comparison(
        runs=tuple(names),
        data=runs[0].info.dataset.label,
        judge=str(runs[0].judge),
        rule=rule,
        differences=adjust_p_values(differences),
        flips=Flips(changed),
        overall=_overall(names, runs, with_first, rule) if len(runs) > 2 else {},
        n_unpaired=_n_unpaired(names, runs, with_first),
        settings=_asked_differently(runs_by_name, every=every_pair),
        remarks=notes_on(names, runs, rule),
        every_pair=every_pair,
    )


def _pairs_of(names: Sequence[str], *, every: bool) -> Iterator[tuple[str, str]]:
    """The names of the runs that are compared with each other: the first with each other, or each with every later."""
    n_first = len(names) - 1 if every else 1
    for place, name in enumerate(names[:n_first]):
        for other in names[place + 1 :]:
            yield name, other


def _paired_rows(runs: Mapping[str, Results], *, every: bool) -> dict[tuple[str, str], Pairs]:
    """The pairs of rows of each two runs that are compared, by their names."""
    paired = {}
    for name, other in _pairs_of(list(runs), every=every):
        check_comparable(runs[name], runs[other])
        pairs = pair_rows(runs[name], runs[other])
        if not pairs:
            raise UsageError(f"{name} and {other} have no sample in common; compare runs on the same samples")
        paired[name, other] = pairs
    return paired


def _n_unpaired(names: Sequence[str], runs: Sequence[Results], paired: Mapping[str, Pairs]) -> dict[str, int]:
    """How many rows of each run have no partner."""
    n_unpaired = {names[0]: len(runs[0]) - count_rows([paired[name].first for name in names[1:]])}
    for name, run in zip(names[1:], runs[1:], strict=True):
        n_unpaired[name] = len(run) - len(paired[name])
    return n_unpaired


def _asked_differently(runs: Mapping[str, Results], *, every: bool) -> tuple[AskedDifferently, ...]:
    differing_pairs = []
    for name, other in _pairs_of(list(runs), every=every):
        settings = settings_that_were_asked_differently(runs[name], runs[other])
        if settings:
            differing_pairs.append(AskedDifferently(name, other, settings))
    return tuple(differing_pairs)


def check_comparable(first: Results, second: Results) -> None:
    """Raises UsageError if the runs have other data or judges, or if one has rows that were not asked yet."""
    reason = why_not_comparable(first, second)
    if reason is not None:
        raise UsageError(not_comparable_message(reason))


def _overall(
    names: Sequence[str], runs: Sequence[Results], paired: Mapping[str, Pairs], rule: Rule
) -> dict[Side, Significance]:
    """By side, the test of whether the runs differ at all, on the rows that all of them have."""
    tests = {}
    unfamiliar = unfamiliar_sides(names, runs, rule)
    for side in Side:
        if side in unfamiliar:
            continue  # a difference may come from the judge
        rows_of_runs = _common_rows(paired, side)
        first_rows = rows_of_runs[0]
        if not first_rows:
            continue
        if any(missing_of(rows, rule).is_too_many for rows in rows_of_runs):
            continue  # the rows that count in all runs would not be a fair selection
        table = np.array([yes(rows, rule) for rows in rows_of_runs]).T
        tests[side] = cochran_q(table, clusters_of(first_rows, rule), rng=np.random.default_rng(0))
    return tests


def _common_rows(paired: Mapping[str, Pairs], side: Side) -> list[list[ResultRow]]:
    """The rows of a side that every run has: the first run's rows, then each other run's."""
    pairs_by_key = [{pair[0].key: pair for pair in pairs} for pairs in paired.values()]
    first_pairs = pairs_by_key[0]
    keys = [key for key in first_pairs if key.side is side and all(key in pairs for pairs in pairs_by_key)]
    first_rows = [first_pairs[key][0] for key in keys]
    second_rows = [[pairs[key][1] for key in keys] for pairs in pairs_by_key]
    return [first_rows, *second_rows]


def names_of(runs: Sequence[Results]) -> list[str]:
    """Names for the runs: by model; if models are the same, with the system prompt; else with the folder."""
    n_of_model = Counter(run.model for run in runs)
    n_of_label = Counter(run.label for run in runs)
    names = []
    for run in runs:
        if n_of_model[run.model] == 1:
            names.append(run.model)
        elif n_of_label[run.label] == 1:
            names.append(run.label)
        else:
            names.append(f"{run.model} ({run.name})")
    return names
