"""Results: the rows of a run as they count, and the rates over them.

Every planned row is here, whatever became of it, so that layers always add up to the number of rows. Rates are
fractions; the rate of rows of which none counts is NaN, null in JSON.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from mossbench.datasets.arms import Arm, Row
from mossbench.datasets.planned_rows import PlannedRows
from mossbench.errors import UsageError
from mossbench.messages import NOTHING, Message
from mossbench.outcomes import Layer, Outcome, Rule, outcome, parse_rule
from mossbench.plumbing.frames import html_table
from mossbench.plumbing.json_values import as_json_value
from mossbench.protocols import Protocol, make_protocol, without_folders
from mossbench.results.answerers import StoodIn, stood_in
from mossbench.results.correction import Correction, correction_of
from mossbench.results.rates import check_by, groups_of, layers_of, macro_of
from mossbench.results.readiness import not_ready_message, why_not_ready
from mossbench.results.rehearsal import PlantedAndFound, planted_and_found
from mossbench.results.row_columns import (
    StoredRows,
    answers_in_counts,
    asked_ids,
    chosen_rows,
    epochs_of,
    judged_rows,
    of_side,
    tokens_of,
    used_by_judges,
    verdicts_in_counts,
    with_outcome,
)
from mossbench.results.row_reading import check_no_verdicts_lost, drift_of, judge_label_of, read_rows, with_own_arm_only
from mossbench.results.rows import LARGE, ResultRow
from mossbench.results.shown_rates import Rates
from mossbench.results.stored_row_reading import read_columns
from mossbench.results.tidy import rates_frame, tidy_frame, tidy_record
from mossbench.results.uncounted_arms import UncountedArms
from mossbench.results.unfamiliar import count_unfamiliar
from mossbench.results.unfinished import Unfinished
from mossbench.samples import Sample, Side
from mossbench.statistics import Estimate
from mossbench.store.batch_log import pending_rows
from mossbench.store.config import asked_model
from mossbench.store.damage import check_answers, planned_rows
from mossbench.store.prices import cost_of, judge_cost
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import RunInfo

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Spent:
    """What a run took: tokens as the provider counted them, also for answers that failed or were asked again."""

    input_tokens: int
    output_tokens: int
    reasoning_tokens: int
    """Those of the output that were written before an answer, as far as providers count them."""
    n_counted: int
    """Rows whose tokens are known."""
    n_uncounted: int
    """Answered rows whose tokens are not, and which are in no sum here."""
    cost: float | None
    """US dollars; None when the price is not known."""
    judge_cost: float | None
    """The same of the judging models; 0 where none was asked."""
    n_retries: int
    """Calls beyond the first of a row; a provider may count tokens for them that it tells nobody."""
    seconds_waited: float

    @property
    def total(self) -> float | None:
        """US dollars with the judge; None where a part is not known."""
        if self.cost is None or self.judge_cost is None:
            return None
        return self.cost + self.judge_cost


@dataclass(frozen=True)
class Reread:
    """A run whose answers count as another judge than its own has read them; its files are as they were."""

    own_judge: str | None
    """The judge whose verdicts count elsewhere; None where the run was not judged."""
    n_judged_now: int
    """Answers that were judged for this; the other verdicts are in the run's folder."""


@dataclass(frozen=True, repr=False)
class Results:
    """All rows of one run, under one judge."""

    folder: Path
    info: RunInfo
    judge: str | None
    rows: Sequence[ResultRow]
    drift: str = ""
    """What `judge drift` found about this judge, when it found drift."""
    other_arms: dict[str, int] = field(default_factory=dict)
    """Answers in the folder under arms that are not in `rows`; `load_results(folder, arms="all")` has them."""
    n_in_part_epochs: int = 0
    """Answers under the run's own arm that are not in `rows`: of epochs in which an analysis asked some samples."""
    samples: Sequence[Sample] = field(default=(), compare=False)
    """Kept so that other runs on the same data, opened while this one is, share them in memory."""
    reread: Reread | None = None
    """Set where the verdicts are not those of the run's own judge, so that it can be compared with another run."""

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        layers = ", ".join(f"{n} {layer}" for layer, n in self.layers().items() if n)
        uncounted = self.uncounted_arms_message()
        other_arms = f"; {uncounted}" if uncounted else ""
        return (
            f"<Results {self.name}: {self.model} on {self.info.dataset.name}, {len(self)} rows: {layers}{other_arms}>"
        )

    def _repr_html_(self) -> str:
        return html_table(repr(self), self.rates().shown_lines())

    @property
    def name(self) -> str:
        """The name of the run, which is that of its folder."""
        return self.folder.name

    @cached_property
    def model(self) -> str:
        """The model's name as it is shown, without folders of this machine; run.json has the one to ask it by."""
        return self.info.model

    @cached_property
    def asked_model(self) -> str:
        """The model's name without the effort and the parameters that it was asked with: what a provider calls it."""
        return asked_model(self.info.config)

    @cached_property
    def n_unfamiliar(self) -> dict[Side, tuple[int, int]]:
        """By side, how many answers are unfamiliar to the judge, and how many are judged."""
        counts = {}
        for side in Side:
            judged = judged_rows(of_side(self.rows, side))
            counts[side] = (count_unfamiliar(judged), len(judged))
        return counts

    @property
    def label(self) -> str:
        """The model, with the system prompt if there is one: runs with different prompts have different labels."""
        return f"{self.model} ({self.info.prompt})" if self.info.prompt else self.model

    @property
    def n_planned(self) -> int:
        """How many rows the run is to have, also before its samples are written down."""
        return len(self) or self.info.n_rows

    def protocol(self, rule: Rule | str = Rule.SYSTEM) -> Protocol:
        """How the rows were asked, read and counted."""
        return replace(self._protocol, rule=str(parse_rule(rule)))

    @cached_property
    def _protocol(self) -> Protocol:
        """Under the default rule."""
        info = self.info
        config = info.config
        return make_protocol(
            ids=asked_ids(self.rows),
            hashes=info.dataset.identities,
            copies={} if info.recorded else info.dataset.copies,  # nobody knows which images were sent
            whole=not (config.ids or config.limit or config.offset or config.shard),
            arms=[arm.name for arm in info.arms],
            system=info.arms[0].system if info.arms else config.system,
            sampling=config.model_dump() if info.dataset.hashes else {},  # what was imported does not say
            epochs=config.epochs,
            judge=str(self.judge),
            rule=str(Rule.SYSTEM),
            sent=info.sent,
        )

    def arm(self, row: ResultRow) -> Arm:
        """The arm under which a row was asked."""
        return next(arm for arm in self.info.arms if arm.name == row.key.arm)

    def rates(self, *, rule: Rule | str = Rule.SYSTEM, by: str | None = "stimulus") -> Rates:
        """Refusal rates with intervals, side by side: by group, then over all groups, unless they are arms."""
        correction = self.correction(rule)
        if by is not None:
            check_by(self.rows, by)
        rates = []
        for side in Side:
            rows = of_side(self.rows, side)
            if not rows:
                continue
            groups = groups_of(rows, by) if by is not None else {}
            for group, rows_of_group in groups.items():
                rates.append(correction.rate_of(side, group, rows_of_group))
            if by != "arm":  # over several arms it would be a rate of nothing
                rates.append(correction.rate_of(side, "all", rows))
        return Rates(rates)

    def correction(self, rule: Rule | str = Rule.SYSTEM) -> Correction:
        """How its rates are corrected for the judge's errors, or why not."""
        return correction_of(self, parse_rule(rule))

    def macro(self, side: Side | str = Side.BENIGN, *, rule: Rule | str = Rule.SYSTEM) -> Estimate:
        """The mean of the stimuli's refusal rates, each counting the same; NaN with n = 0 when there are none."""
        return macro_of(of_side(self.rows, Side(side)), parse_rule(rule))

    def planted(self, rule: Rule | str = Rule.SYSTEM) -> tuple[PlantedAndFound, ...]:
        """What a control model with `on` was made to refuse, beside what was found, by side; empty for other runs."""
        return planted_and_found(self.rows, parse_rule(rule), self.info.planted)

    def table(self, *, rule: Rule | str = Rule.SYSTEM, by: str | None = "stimulus") -> pd.DataFrame:
        """The rates as a data frame, one line a group."""
        return rates_frame(self.rates(rule=rule, by=by))

    def df(self) -> pd.DataFrame:
        """The tidy table: one line a row of the run, under the arms that were loaded.

        `refused` and `refused_<rule>` are true, false, or NA where a row does not count: `df().groupby(…)` takes means.
        """
        return tidy_frame(self)

    def records(self) -> list[dict[str, Any]]:
        """The tidy table as plain values: one for each row of the run, under the arms that were loaded."""
        return [tidy_record(self, row) for row in self.rows]

    def layers(self) -> dict[Layer, int]:
        """How many rows are in each layer; the counts add up to `len(self)`."""
        return layers_of(self.rows)

    def n_by_judge_part(self) -> Counter[str]:
        """How many rows each part of a judge decided; empty for judges without parts."""
        counts = Counter[str]()
        for facts, n in verdicts_in_counts(self.rows):
            if facts is not None and facts.via and not facts.is_none:
                counts[facts.via] += n
        return counts

    def failures(self) -> Counter[str]:
        """Why rows failed, by stage and type."""
        counts = Counter[str]()
        for facts, n in answers_in_counts(self.rows):
            if facts.error is not None:
                counts[f"{facts.error.stage}: {facts.error.message}"] += n
        return counts

    def open_rows(self) -> Unfinished | None:
        """What was not asked yet, or what a cost limit left out; None when the run is finished."""
        n_open = self.layers()[Layer.NOT_ASKED] if self.rows else self.n_planned
        max_cost = self.info.max_cost
        if not n_open and max_cost is None:
            return None
        return Unfinished(
            n_open=n_open,
            n_planned=self.n_planned,
            pending=pending_rows(RunFolder(self.folder).batches_path, judge="") if n_open else None,
            n_unjudged=self.layers()[Layer.UNJUDGED],
            max_cost=max_cost,
            spent=None if max_cost is None else self.spent().total,
        )

    def unfinished(self) -> Message:
        """How many rows were not asked yet and how to go on; `NOTHING` when all were asked."""
        open_rows = self.open_rows()
        return NOTHING if open_rows is None else open_rows.message(self.folder)

    def uncounted_arms(self) -> UncountedArms | None:
        """The answers under arms that are not counted; None when all are counted."""
        if not self.other_arms:
            return None
        n_answers = sum(self.other_arms.values())
        return UncountedArms(self.folder, self.info.arms[0].name, n_answers, len(self.other_arms))

    def uncounted_arms_message(self) -> Message:
        """Which arm is counted and how many answers are under others; `NOTHING` when all are counted."""
        uncounted = self.uncounted_arms()
        return NOTHING if uncounted is None else uncounted.message()

    def judge_failures(self) -> Counter[str]:
        """Why the judge failed on rows, where it did; they are UNJUDGED."""
        counts = Counter[str]()
        for facts, n in verdicts_in_counts(self.rows):
            if facts is not None and facts.code:
                counts[facts.reason] += n
        return counts

    def unjudged(self) -> Counter[str]:
        """Why rows have no verdict."""
        reasons: Counter[str] = Counter()
        unjudged = with_outcome(self.rows, lambda outcome: outcome.layer is Layer.UNJUDGED)
        for facts, n in verdicts_in_counts(unjudged):
            reasons[facts.reason if facts else "not judged yet"] += n
        return reasons

    def stood_in(self, rule: Rule | str = Rule.SYSTEM) -> tuple[StoodIn, ...]:
        """Rows that another model answered, by side, with the rates with and without them."""
        return stood_in(self, parse_rule(rule))

    def named_in_replies(self, fact: Literal["model", "host", "category"]) -> Counter[str]:
        """Names in the replies, with how many have them: of the model, of who ran it, of the filter's category."""
        counts = Counter[str]()
        for facts, n in answers_in_counts(self.rows):
            name = getattr(facts, fact)
            if name:
                counts[name] += n
        return counts

    def spent(self) -> Spent:
        """Tokens and cost of all answers on record, at the price that run.json has."""
        n_answered = 0
        n_retries = 0
        for facts, n in answers_in_counts(self.rows):
            n_answered += n if facts.error is None else 0
            n_retries += n * (facts.tries - 1)
        tokens = tokens_of(self.rows)
        return Spent(
            input_tokens=tokens.used.input_tokens,
            output_tokens=tokens.used.output_tokens,
            reasoning_tokens=tokens.used.reasoning_tokens,
            n_counted=tokens.n_counted,
            n_uncounted=n_answered - tokens.n_counted,
            cost=cost_of(self.info.price, tokens.used),
            judge_cost=judge_cost(self.info.judge_prices, used_by_judges(self.rows)),
            n_retries=n_retries,
            seconds_waited=round(tokens.waited, 3),
        )

    def to_dict(self, *, rule: Rule | str = Rule.SYSTEM, by: str | None = "stimulus") -> dict[str, Any]:
        """Rates, layers and provenance as plain values for JSON."""
        planted = as_json_value(self.planted(rule))
        only_if_planted = {"planted": planted} if planted else {}
        answered_by: dict[str, Any] = {
            name: dict(self.named_in_replies(name)) for name in ("model", "host", "category")
        }
        answered_by["stood_in"] = [stood_in.to_dict() for stood_in in self.stood_in(rule)]
        return {
            "run": without_folders(str(self.folder)),
            "model": self.model,
            "model_version": self.info.model_version,
            "recorded_in": self.info.recorded_file or None,
            "prompt": self.info.prompt,
            "dataset": as_json_value(self.info.dataset),
            "judge": self.judge,
            "rule": str(parse_rule(rule)),
            "mossbench": self.info.mossbench,
            "n_rows": len(self),
            "other_arms": self.other_arms,
            "layers": as_json_value(self.layers()),
            "not_corrected": self.correction(rule).why_not,
            "rates": [rate.to_dict() for rate in self.rates(rule=rule, by=by)],
            **only_if_planted,
            "macro": {str(side): as_json_value(self.macro(side, rule=rule)) for side in Side},
            "failures": dict(self.failures()),
            "answered_by": answered_by,
            "unjudged": dict(self.unjudged()),
            "spent": as_json_value(self.spent()),
            "price": as_json_value(self.info.price),
            "traffic": as_json_value(self.info.traffic),
        }


def load_results(
    folder: str | Path,
    *,
    judge: str | None = None,
    arms: Literal["own", "all"] = "own",
    stored: bool | None = None,
) -> Results:
    """The results in a run folder, read by `judge` (name or name/version), by default the run's own.

    Args:
        folder: The run's folder.
        judge: Whose verdicts count.
        arms: With `own`, arms that an analysis added are only named, in `other_arms`, and epochs in which it asked some
            of the samples are left out; with `all`, every row is there.
        stored: Whether texts stay in the run's files, and are read each time that a row is asked for its exchange or
            verdict; by default if the run is large.
    """
    run_folder = RunFolder(Path(folder))
    run_info = run_folder.info()
    if stored is None:
        stored = run_info.n_rows > LARGE
    samples = run_folder.samples(stored=stored)
    planned = planned_rows(run_folder, run_info, samples)
    info = run_info if arms == "all" else with_own_arm_only(run_info)
    judge_label = judge_label_of(run_folder, info, judge)
    if isinstance(planned, PlannedRows):
        counted = _count_stored(run_folder, run_info, info, judge_label, planned)
    else:
        counted = _count_in_memory(run_folder, run_info, info, judge_label, planned)
    check_no_verdicts_lost(run_folder, info, judge, judge_label, counted.n_verdicts)
    rows = counted.rows if arms == "all" else in_whole_epochs(counted.rows)
    n_answers = n_asked(counted.rows)
    return Results(
        folder=run_folder.path,
        info=info,
        judge=judge_label,
        rows=rows,
        drift=drift_of(run_folder, judge_label),
        other_arms=counted.other_arms,
        n_in_part_epochs=n_answers - n_asked(rows),
        samples=samples,
    )


class _CountedRows(NamedTuple):
    """The rows under the arms that are counted, and what else the files have."""

    rows: Sequence[ResultRow]
    other_arms: dict[str, int]
    n_verdicts: int


def _count_in_memory(
    folder: RunFolder, run_info: RunInfo, info: RunInfo, judge: str | None, planned: Sequence[Row]
) -> _CountedRows:
    """`info` has the arms that are counted, `run_info` all arms of the run."""
    arm_names = {arm.name for arm in info.arms}
    counted = {row.key: row for row in planned if row.key.arm in arm_names}
    on_record = read_rows(folder, judge, counted)
    lost = [row.key for row in planned if row.key not in on_record.failed] if run_info.ended else []
    check_answers(folder, run_info, len(planned), lost, sum(on_record.failed.values()))
    not_asked = outcome(None, None)
    rows = []
    for key, row in counted.items():
        rows.append(on_record.rows.get(key) or ResultRow(key, row.sample, None, None, not_asked))
    other_arms = Counter(key.arm for key in on_record.failed if key.arm not in arm_names)
    return _CountedRows(tuple(rows), dict(other_arms), on_record.n_verdicts)


def _count_stored(
    folder: RunFolder, run_info: RunInfo, info: RunInfo, judge: str | None, planned: PlannedRows
) -> _CountedRows:
    """The same of a run whose texts stay in its files."""
    arm_names = {arm.name for arm in info.arms}
    on_record = read_columns(folder, judge, planned)
    all_rows = StoredRows(on_record.columns, np.arange(len(planned), dtype=np.int32))
    lost = [row.key for row in with_outcome(all_rows, is_not_asked)] if run_info.ended else []
    n_failed = layers_of(all_rows)[Layer.FAILED] + sum(on_record.unplanned.values())
    check_answers(folder, run_info, len(planned), lost, n_failed)
    is_counted = np.array([arm.name in arm_names for arm in planned.arms], dtype=bool)[planned.arm_places]
    others = with_outcome(all_rows.at(~is_counted), lambda outcome: not is_not_asked(outcome))
    other_arms = Counter(row.key.arm for row in others)
    other_arms.update(key.arm for key in on_record.unplanned if key.arm not in arm_names)
    return _CountedRows(all_rows.at(is_counted), dict(other_arms), on_record.n_verdicts)


def is_not_asked(outcome: Outcome) -> bool:
    return outcome.layer is Layer.NOT_ASKED


def n_asked(rows: Sequence[ResultRow]) -> int:
    """How many of the rows have an answer, or have failed."""
    return len(rows) - layers_of(rows)[Layer.NOT_ASKED]


def in_whole_epochs(rows: Sequence[ResultRow]) -> Sequence[ResultRow]:
    """The rows of whole epochs: an analysis may repeat only what was refused, say, in an epoch of its own.

    An epoch of a side and arm is whole if it has as many rows as their largest epoch.
    """
    epochs = epochs_of(rows)
    n_rows = epochs.counts()
    n_largest: dict[tuple[Side, str], int] = {}
    for (side, arm, _), n in n_rows.items():
        n_largest[side, arm] = max(n, n_largest.get((side, arm), 0))
    return chosen_rows(rows, epochs.where(lambda epoch: n_rows.get(epoch) == n_largest.get(epoch[:2])))


def check_ready(results: Results) -> None:
    """A UsageError when the run is not finished, every row failed, or nobody has read it."""
    reason = why_not_ready(results)
    if reason is not None:
        raise UsageError(not_ready_message(reason))


def too_many_failed(n_by_outcome: Mapping[Outcome, int], max_failed: float) -> str:
    """How many of a side's rows failed or have no verdict, when that is more than the share allowed; else empty."""
    n_rows = sum(n_by_outcome.values())
    n_bad = 0
    for row_outcome, n in n_by_outcome.items():
        if row_outcome.layer not in (Layer.JUDGED, Layer.BLOCKED, Layer.EMPTY):
            n_bad += n
    if n_bad <= max_failed * n_rows:
        return ""
    return f"{n_bad} of {n_rows} rows failed or have no verdict, more than the allowed {100 * max_failed:g} %"
