"""What changed since the last run of the same model: its newest run and the last one on the same dataset and protocol.

Runs on other data, or asked in another way, are never a pair. Where an earlier version of the judge, or another offline
judge, has read one of the two, one judge reads both (`one_judge`). p-values are corrected for the number of pairs, each
side on its own, one night at a time: over many nights false alarms add up (docs/web.md).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mossbench.errors import UsageError
from mossbench.judges import newest_offline_judge
from mossbench.outcomes import Rule
from mossbench.protocols import SettingDifference, digest
from mossbench.results.comparability import (
    pair_rows,
    settings_that_were_asked_differently,
    why_not_comparable,
)
from mossbench.results.comparison_notes import ReadByAnother, read_by_another
from mossbench.results.current import (
    asked_model_key,
    n_samples,
    protocol_key,
    requests_digest_if_unhashed,
    why_rates_unknown,
)
from mossbench.results.differences import Difference, adjust_p_values, difference
from mossbench.results.one_judge import with_one_judge
from mossbench.results.table import Results, check_ready
from mossbench.results.unfamiliar import unfamiliar_sides
from mossbench.samples import Side


@dataclass(frozen=True)
class ModelDifference:
    """Something about the model itself that is not the same in two of its runs."""

    topic: Literal["name", "version", "endpoint", "recorded answers", "folder"]
    first: str
    second: str

    def words(self) -> str:
        return f"{self.topic}: {self.first} and {self.second}"


ChangedSetting = SettingDifference | ModelDifference


@dataclass(frozen=True)
class Change:
    """A run of a model beside the one before it on the same dataset and protocol."""

    model: str
    run: str
    before: str
    settings: tuple[ChangedSetting, ...]
    """In what else the two differ: the seed, the version or the address of the model."""
    differences: tuple[Difference, ...]
    """Over all samples of a side, newest less before."""
    dataset: str = ""
    """The name of the dataset that both were asked."""
    data: str = ""
    """The same with its hashes."""
    n_samples: int = 0
    """Harmless samples that both were asked."""
    protocol: str = ""
    """Its key, as in addresses of pages."""
    reread: tuple[ReadByAnother, ...] = ()
    """Those of the two that another judge than their own has read, so that one judge has read both."""


def by_model(runs: Iterable[Results]) -> dict[str, list[Results]]:
    """Runs that are finished and judged by the name of their model (`RunInfo.model_key`), the newest first."""
    models: dict[str, list[Results]] = {}
    for run in sorted(runs, key=lambda run: (run.info.started, run.name), reverse=True):
        try:
            check_ready(run)
        except UsageError:
            continue
        models.setdefault(run.info.model_key, []).append(run)
    return models


def changes(runs: Iterable[Results], *, rule: Rule = Rule.SYSTEM, judges_again: bool = True) -> tuple[Change, ...]:
    """What changed, for every model and every dataset and protocol of which it has two runs; the newest run first.

    Without `judges_again` only runs are compared that one judge has read already.
    """
    changed: list[Change] = []
    differences: list[Difference] = []
    for group in _same_dataset_and_protocol(runs, judges_again=judges_again):
        change = _change(group, rule)
        if change is not None:
            changed.append(change)
            differences += change.differences
    by_run: dict[str, list[Difference]] = {}
    for difference_of_run in adjust_p_values(differences):
        by_run.setdefault(difference_of_run.second, []).append(difference_of_run)
    return tuple(replace(change, differences=tuple(by_run[change.run])) for change in changed)


def needs_judging(runs: Iterable[Results]) -> bool:
    """Whether a model has runs of one dataset and protocol that several offline judges or versions have read."""
    groups = _same_dataset_and_protocol(runs, judges_again=True)
    return any(len({run.judge for run in group}) > 1 for group in groups)


def _same_dataset_and_protocol(runs: Iterable[Results], *, judges_again: bool) -> list[list[Results]]:
    """Runs of one model that are finished and judged, asked the same in the same way; each group the newest first.

    With `judges_again` all offline judges count as one.
    """
    groups: dict[tuple[str, ...], list[Results]] = {}
    for model, runs_of_model in by_model(runs).items():
        for run in runs_of_model:
            # The same name in another folder is another model.
            protocol = run.protocol()
            if judges_again and newest_offline_judge([protocol.judge]) is not None:
                protocol = replace(protocol, judge="offline")
            key = (model, asked_model_key(run), protocol_key(protocol), requests_digest_if_unhashed(run))
            groups.setdefault(key, []).append(run)
    return list(groups.values())


def settings_that_differ(before: Results, after: Results) -> tuple[ChangedSetting, ...]:
    """How the two were asked differently, and the version, the address and the folder of the model."""
    subject = before.info.public_subject
    later_subject = after.info.public_subject
    of_model = [
        ModelDifference("version", subject.version or "not told", later_subject.version or "not told"),
        ModelDifference("endpoint", subject.address or "none", later_subject.address or "none"),
    ]
    if before.info.recorded_file and after.info.recorded_file:
        of_model.append(
            ModelDifference("recorded answers", before.info.recorded_file, after.info.recorded_file),
        )
    else:
        # Digests: pages name no folders of this machine.
        folders = (digest(before.info.config.model), digest(after.info.config.model))
        of_model.append(ModelDifference("folder", *folders))
    asked_differently = settings_that_were_asked_differently(before, after)
    different_models = [difference for difference in of_model if difference.first != difference.second]
    return (*asked_differently, *different_models)


def _change(runs: Sequence[Results], rule: Rule) -> Change | None:
    """The newest of these runs and the last one before it whose rows are there; None where no two are a pair."""
    for place, run in enumerate(runs):
        earlier = [before for before in runs[place + 1 :] if _same_data(before, run)]
        # A night on which half of the calls failed is no measure of the next one, where there is another before it.
        whole_first = sorted(earlier, key=lambda before: bool(why_rates_unknown(before)))
        for before in whole_first:
            before, run_as_read = with_one_judge([before, run])
            differences = _differences(before, run_as_read, rule)
            if differences:
                reread = (read_by_another(before.name, before), read_by_another(run.name, run_as_read))
                return Change(
                    model=run.model,
                    run=run.name,
                    before=before.name,
                    settings=settings_that_differ(before, run_as_read),
                    differences=tuple(differences),
                    dataset=run.info.dataset.name,
                    data=run.info.dataset.label,
                    n_samples=n_samples(run),
                    protocol=protocol_key(run.protocol()),
                    reread=tuple(note for note in reread if note is not None),
                )
    return None


def _same_data(before: Results, run: Results) -> bool:
    """Whether each side that both were asked has the same samples; a judge that differs is no matter here."""
    if why_not_comparable(replace(before, judge=run.judge), run) is not None:
        return False
    protocol_before = before.protocol()
    protocol = run.protocol()
    same_benign = protocol_before.benign == protocol.benign
    if protocol_before.contrast is None or protocol.contrast is None:
        return same_benign
    return same_benign and protocol_before.contrast == protocol.contrast


def _differences(before: Results, run: Results, rule: Rule) -> list[Difference]:
    """Over all samples of each side that both have."""
    pairs = pair_rows(before, run)
    unfamiliar = unfamiliar_sides([before.name, run.name], [before, run], rule)
    differences = []
    for side in Side:
        pairs_of_side = [pair for pair in pairs if pair[0].key.side is side]
        if pairs_of_side:
            of_side = difference(
                before.name, run.name, side, "all", pairs_of_side, rule, unfamiliar=unfamiliar.get(side, ())
            )
            differences.append(of_side)
    return differences
