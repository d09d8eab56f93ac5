"""What changed since the last run of the same model: its newest run that can be compared with one before it.

That one is the last under the same protocol where there is one, else the last that can be compared at all; what was
asked differently is named. p-values are corrected for the number of models, each side on its own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mossbench.errors import UsageError
from mossbench.outcomes import Rule
from mossbench.protocols import OWN_ADDRESS, digest
from mossbench.results.comparisons import (
    Difference,
    adjusted,
    asked_differently,
    check_comparable,
    difference,
    pair_rows,
)
from mossbench.results.table import Results, check_ready
from mossbench.runs.config import subject_of
from mossbench.samples import Side


@dataclass(frozen=True)
class Change:
    """A run of a model beside one before it."""

    model: str
    run: str
    before: str
    settings: tuple[str, ...]
    """In what the two were asked differently."""
    differences: tuple[Difference, ...]
    """Over all samples of a side, newest less before; none where the two cannot be compared."""
    why_not: str = ""


def by_model(runs: Iterable[Results]) -> dict[str, list[Results]]:
    """Runs that are finished and judged by the name of their model, the newest first."""
    found: dict[str, list[Results]] = {}
    for run in sorted(runs, key=lambda run: (run.info.started, run.name), reverse=True):
        try:
            check_ready(run)
        except UsageError:
            continue
        found.setdefault(run.model, []).append(run)
    return found


def changes(runs: Iterable[Results], *, rule: Rule = Rule.SYSTEM) -> dict[str, Change]:
    """What changed, by model, for every model that has a run before its newest, from the same folder."""
    same = {
        model: [one for one in some if one.info.config.model == some[0].info.config.model]
        for model, some in by_model(runs).items()
    }
    found = {model: _change(some, rule) for model, some in same.items() if len(some) > 1}
    all_of_them = adjusted([one for change in found.values() for one in change.differences])
    return {
        model: replace(change, differences=tuple(one for one in all_of_them if one.second == change.run))
        for model, change in found.items()
    }


def settings_that_differ(before: Results, after: Results) -> tuple[str, ...]:
    """In words: how the two were asked, and the version, the address and the folder of the model."""
    one, other = (subject_of(run.info.config, run.info.model_version).public() for run in (before, after))
    who = {
        "version": (one.version or "not told", other.version or "not told"),
        "endpoint": (one.endpoint or OWN_ADDRESS, other.endpoint or OWN_ADDRESS),
        "folder": (digest(before.info.config.model), digest(after.info.config.model)),
    }
    told = [f"{topic}: {a} and {b}" for topic, (a, b) in who.items() if a != b]
    return (*asked_differently(before, after).values(), *told)


def _change(runs: Sequence[Results], rule: Rule) -> Change:
    """The newest of these runs that can be compared with one before it, and that one."""
    why_not = ""
    for place, run in enumerate(runs):
        earlier = runs[place + 1 :]
        same = [one for one in earlier if one.protocol().ranked() == run.protocol().ranked()]
        for before in (*same, *earlier):
            try:
                check_comparable(before, run)
            except UsageError as error:
                why_not = why_not or str(error)
                continue
            if pairs := pair_rows(before, run):
                sides = {side: [pair for pair in pairs if pair[0].key.side is side] for side in Side}
                found = [difference(before.name, run.name, s, "all", some, rule) for s, some in sides.items() if some]
                return Change(run.model, run.name, before.name, settings_that_differ(before, run), tuple(found))
    return Change(runs[0].model, runs[0].name, runs[1].name, (), (), why_not or "they have no sample in common")
