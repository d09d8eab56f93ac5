"""Results: the rows of a run as they count, and the rates over them.

Every planned row is here, whatever became of it, so that layers always add up to the number of
rows. Rates are fractions; a rate that nothing counts for is NaN and becomes null in JSON.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mossbench.datasets.arms import Arm, arm_of
from mossbench.errors import UsageError, needing
from mossbench.outcomes import Counted, Layer, Outcome, Rule, Usage, counted, outcome, parse_rule
from mossbench.plumbing.storage import plain
from mossbench.protocols import Protocol, make_protocol, without_folders
from mossbench.results.answerers import StoodIn, by_another, stood_in
from mossbench.results.correction import Correction, correction_of
from mossbench.results.rates import Rate, check_by, groups_of, layers_of, macro_of
from mossbench.results.readiness import not_ready_words, why_not_ready
from mossbench.results.rehearsal import PlantedAndFound, planted_and_found, planted_refusal
from mossbench.results.rows import LARGE, ResultRow, errors_of, read_rows
from mossbench.results.uncounted_arms import UncountedArms
from mossbench.results.unfinished import Unfinished
from mossbench.runs.batches import said_out
from mossbench.runs.budget import cost_of, judge_cost
from mossbench.runs.config import RunInfo
from mossbench.runs.folder import RunFolder
from mossbench.samples import Sample, Side, own_columns
from mossbench.statistics import Estimate

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Spent:
    """What a run took: tokens as the provider counted them, also for answers that failed or were asked again."""

    input_tokens: int
    output_tokens: int
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
        return None if self.cost is None or self.judge_cost is None else self.cost + self.judge_cost


@dataclass(frozen=True, repr=False)
class Results:
    """All rows of one run, under one judge."""

    folder: Path
    info: RunInfo
    judge: str | None
    rows: tuple[ResultRow, ...]
    drift: str = ""
    """What `judge drift` found about this judge, when it found drift."""
    other_arms: dict[str, int] = field(default_factory=dict)
    """Answers in the folder under arms that are not in `rows`; `load_results(folder, arms="all")` has them."""
    samples: Sequence[Sample] = field(default=(), compare=False)  # held: runs on the same data share them

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        layers = ", ".join(f"{n} {layer}" for layer, n in self.layers().items() if n)
        others = f"; {text}" if (text := self.elsewhere()) else ""
        return f"<Results {self.name}: {self.model} on {self.info.dataset.name}, {len(self)} rows: {layers}{others}>"

    def _repr_html_(self) -> str:
        rates = [(rate.side, rate.group, rate.refused, *vars(rate.estimate).values()) for rate in self.rates()]
        lines = [("side", "group", "refused", *(field.name for field in fields(Estimate))), *rates]
        shown = [[f"{one:.3f}" if isinstance(one, float) else escape(str(one)) for one in line] for line in lines]
        rows = "".join(f"<tr><td>{'</td><td>'.join(line)}</td></tr>" for line in shown)
        return f"<p>{escape(repr(self))}</p><table>{rows}</table>"

    @property
    def name(self) -> str:
        return self.folder.name

    @cached_property
    def model(self) -> str:
        """Its name as it is shown, without folders of this machine; run.json has the one to ask it by."""
        return self.info.model

    @property
    def label(self) -> str:
        """Its model, and its system prompt where it has one: two prompts never have one label."""
        return f"{self.model} ({self.info.prompt})" if self.info.prompt else self.model

    @property
    def n_planned(self) -> int:
        """How many rows the run is to have, also before its samples are written down."""
        return len(self) or self.info.n_rows

    def protocol(self, rule: Rule | str = Rule.SYSTEM) -> Protocol:
        """How the rows were asked, read and counted."""
        info, config = self.info, self.info.config
        return make_protocol(
            keys=[(row.key.side, row.key.sample) for row in self.rows],
            hashes=info.dataset.identities,
            copies={} if info.recorded else info.dataset.copies,  # nobody knows which images were sent
            whole=not (config.ids or config.limit or config.offset or config.shard),
            arms=[arm.name for arm in info.arms],
            system=info.arms[0].system if info.arms else config.system,
            sampling=config.model_dump() if info.dataset.hashes else {},  # what was imported does not say
            epochs=config.epochs,
            judge=str(self.judge),
            rule=str(parse_rule(rule)),
            sent=info.sent,
        )

    def arm(self, row: ResultRow) -> Arm:
        return next(arm for arm in self.info.arms if arm.name == row.key.arm)

    def rates(self, *, rule: Rule | str = Rule.SYSTEM, by: str | None = "stimulus") -> tuple[Rate, ...]:
        """Refusal rates with intervals, side by side: by group, then over all groups, unless they are arms."""
        correction = self.correction(rule)
        if by is not None:
            check_by(self.rows, by)
        found = []
        for side in Side:
            rows = [row for row in self.rows if row.key.side is side]
            if not rows:
                continue
            groups = groups_of(rows, by) if by is not None else {}
            found += [correction.rate_of(side, group, members) for group, members in groups.items()]
            if by != "arm":  # over several arms it would be a rate of nothing
                found.append(correction.rate_of(side, "all", rows))
        return tuple(found)

    def correction(self, rule: Rule | str = Rule.SYSTEM) -> Correction:
        """How its rates are corrected for the judge's errors, or why not."""
        return correction_of(self, parse_rule(rule))

    def macro(self, side: Side | str = Side.BENIGN, *, rule: Rule | str = Rule.SYSTEM) -> Estimate:
        """The mean of the stimuli's refusal rates, each counting the same; NaN with n = 0 when there are none."""
        return macro_of([row for row in self.rows if row.key.side == side], parse_rule(rule))

    def planted(self, rule: Rule | str = Rule.SYSTEM) -> tuple[PlantedAndFound, ...]:
        """What a control model with `on` was made to refuse, beside what was found, by side; empty for other runs."""
        return planted_and_found(self.rows, parse_rule(rule), self.info.planted)

    def table(self, *, rule: Rule | str = Rule.SYSTEM, by: str | None = "stimulus") -> pd.DataFrame:
        """The rates as a data frame, one line a group."""
        with needing("a data frame", "pandas"):
            import pandas as pd
        return pd.DataFrame([_flat(rate.to_dict()) for rate in self.rates(rule=rule, by=by)])

    def df(self) -> pd.DataFrame:
        """The tidy table: one line a row of the run, under the arms that were loaded.

        `refused` and `refused_<rule>` are true, false, or NA where a row does not count: `df().groupby(…)` takes means.
        """
        with needing("a data frame", "pandas"):
            import pandas as pd
        found = pd.DataFrame(self.records())
        found = found.astype({name: kind for name, kind in _DTYPES.items() if name in found})
        columns = {name for row in self.rows for name in row.sample.metadata}
        for name in (columns - {*_DTYPES, "sample", "cluster", "twin"}) & {*found}:
            texts = found[name].dropna().astype(str).str.strip()  # a CSV knows only text; 007 is a name
            if texts.str.fullmatch(r"-?(0|[1-9]\d{0,14})(\.\d+)?").all():
                found[name] = pd.to_numeric(found[name])
        return found

    def records(self) -> list[dict[str, Any]]:
        """The tidy table as plain values: one for each row of the run, under the arms that were loaded."""
        return [self._record(row) for row in self.rows]

    def layers(self) -> dict[Layer, int]:
        """How many rows are in each layer; the counts add up to `len(self)`."""
        return layers_of(self.rows)

    def n_via(self) -> Counter[str]:
        """How many rows each part of a judge decided; empty for judges without parts."""
        decided = (row.judged for row in self.rows)
        return Counter(facts.via for facts in decided if facts and facts.via and not facts.is_none)

    def failures(self) -> Counter[str]:
        """Why rows failed, by stage and type."""
        return Counter(f"{error.stage}: {error.message}" for error in errors_of(self.rows))

    def open_rows(self) -> Unfinished | None:
        """What was not asked yet, or what a cost limit left out; None when the run is finished."""
        n_open = self.layers()[Layer.NOT_ASKED] if self.rows else self.n_planned
        max_cost = self.info.max_cost
        if not n_open and max_cost is None:
            return None
        return Unfinished(
            n_open=n_open,
            n_planned=self.n_planned,
            pending=said_out(RunFolder(self.folder).batches_path, judge="") if n_open else "",
            n_unjudged=self.layers()[Layer.UNJUDGED],
            max_cost=max_cost,
            spent=None if max_cost is None else self.spent().total,
        )

    def unfinished(self) -> str:
        """How many rows were not asked yet and how to go on, for a message; empty when all were asked."""
        open_rows = self.open_rows()
        return "" if open_rows is None else open_rows.message(self.again)

    @property
    def again(self) -> str:
        """The call that goes on with the run, for a message."""
        return RunFolder(self.folder).again

    def uncounted_arms(self) -> UncountedArms | None:
        """The answers under arms that are not counted; None when all are counted."""
        if not self.other_arms:
            return None
        n_answers = sum(self.other_arms.values())
        return UncountedArms(self.folder, self.info.arms[0].name, n_answers, len(self.other_arms))

    def elsewhere(self) -> str:
        """Which arm is counted and how many answers are under others, for a message; empty when all are counted."""
        uncounted = self.uncounted_arms()
        return "" if uncounted is None else uncounted.message()

    def judge_failures(self) -> Counter[str]:
        """Why the judge broke down on rows, where it did; they are UNJUDGED."""
        return Counter(facts.reason for row in self.rows if (facts := row.judged) and facts.code)

    def unjudged(self) -> Counter[str]:
        """Why rows have no verdict."""
        rows = [row for row in self.rows if row.outcome.layer is Layer.UNJUDGED]
        return Counter(facts.reason if (facts := row.judged) else "not judged yet" for row in rows)

    def stood_in(self, rule: Rule | str = Rule.SYSTEM) -> tuple[StoodIn, ...]:
        """Rows that another model answered, by side, with the rates with and without them."""
        return stood_in(self, parse_rule(rule))

    def told(self, what: Literal["model", "host", "category"]) -> Counter[str]:
        """What replies name: the model that answered, who ran it, what the provider's filter is about."""
        said = (getattr(facts, what) for row in self.rows if (facts := row.answered))
        return Counter(filter(None, said))

    def spent(self) -> Spent:
        """Tokens and cost of all answers on record, at the price that run.json has."""
        exchanges = [facts for row in self.rows if (facts := row.answered)]
        answered = [facts for facts in exchanges if facts.error is None]
        counted = [facts.usage for facts in answered if facts.usage]
        total = sum(filter(None, (facts.used for facts in exchanges)), Usage())
        return Spent(
            input_tokens=total.input_tokens,
            output_tokens=total.output_tokens,
            n_counted=len(counted),
            n_uncounted=len(answered) - len(counted),
            cost=cost_of(self.info.price, total),
            judge_cost=judge_cost(self.info.judge_prices, (read.used for row in self.rows if (read := row.judged))),
            n_retries=sum(facts.tries - 1 for facts in exchanges),
            seconds_waited=round(sum(facts.waited for facts in exchanges), 3),
        )

    def to_dict(self, *, rule: Rule | str = Rule.SYSTEM, by: str | None = "stimulus") -> dict[str, Any]:
        """Rates, layers and provenance as plain values for JSON."""
        planted = self.planted(rule)
        return {
            "run": without_folders(str(self.folder)),
            "model": self.model,
            "model_version": self.info.model_version,
            "recorded_in": self.info.recorded_file or None,
            "prompt": self.info.prompt,
            "dataset": plain(self.info.dataset),
            "judge": self.judge,
            "rule": str(parse_rule(rule)),
            "mossbench": self.info.mossbench,
            "n_rows": len(self),
            "other_arms": self.other_arms,
            "layers": plain(self.layers()),
            "not_corrected": self.correction(rule).why_not,
            "rates": [rate.to_dict() for rate in self.rates(rule=rule, by=by)],
            **({"planted": plain(planted)} if planted else {}),
            "macro": {str(side): plain(self.macro(side, rule=rule)) for side in Side},
            "failures": dict(self.failures()),
            "answered_by": {
                **{name: dict(self.told(name)) for name in ("model", "host", "category")},
                "stood_in": [one.to_dict() for one in self.stood_in(rule)],
            },
            "unjudged": dict(self.unjudged()),
            "spent": plain(self.spent()),
            "price": plain(self.info.price),
            "traffic": plain(self.info.traffic),
        }

    def _record(self, row: ResultRow) -> dict[str, Any]:
        sample, answer = row.sample, row.exchange.answer if row.exchange else None
        error = answer.error if answer else None
        record = {
            "run": self.name,
            "model": self.model,
            "prompt": self.info.prompt,
            "dataset": self.info.dataset.name,
            "judge": self.judge,
            "side": str(row.key.side),
            "sample": row.key.sample,
            "arm": row.key.arm,
            "epoch": row.key.epoch,
            "stimulus": str(sample.stimulus) if sample.stimulus else sample.label("stimulus") or None,
            "harm": sample.label("harm") or None,
            **{flag: getattr(sample, flag) for flag in ("human", "child", "syn", "ocr")},
            "cluster": sample.cluster,
            "twin": sample.twin,
            "question": sample.question,
            "response": answer.text if answer else None,
            "layer": str(row.outcome.layer),
            "kind": str(row.outcome.kind) if row.outcome.kind else None,
            "outcome": row.outcome.label,
            "refused": _REFUSED.get(counted(row.outcome, Rule.SYSTEM)),
            **{f"refused_{rule}": _REFUSED.get(counted(row.outcome, rule)) for rule in Rule},
            **{f"counts_{rule}": str(counted(row.outcome, rule)) for rule in Rule},
            "confidence": row.verdict.confidence if row.verdict else None,
            "reason": row.verdict.reason if row.verdict else None,
            "error": f"{error.stage}: {error.type}: {error.message}" if error else None,
            "seconds": answer.seconds if answer else None,
            "input_tokens": answer.usage.input_tokens if answer and answer.usage else None,
            "output_tokens": answer.usage.output_tokens if answer and answer.usage else None,
            "answered_by": answer.model if answer else None,
            "served_by": answer.host if answer else None,
            "other_model": by_another(self.model, answer),
            "filter_category": answer.category if answer else None,
            "tries": row.exchange.tries if row.exchange else None,
            "waited": row.exchange.waited if row.exchange else None,
        }
        if self.info.planted:
            planted = answer.planted if answer else None
            record["planted"] = str(planted) if planted else None
            record["planted_refused"] = planted_refusal(planted, Rule.SYSTEM) if planted else None
        own = own_columns(sample, record)  # an own taxonomy is in its column already
        return record | {name: value for name, value in own.items() if name not in ("data_stimulus", "data_harm")}


_REFUSED = {Counted.REFUSED: True, Counted.COMPLIED: False}
_DTYPES = {
    **dict.fromkeys(("refused", *(f"refused_{rule}" for rule in Rule), "human", "child", "syn", "ocr"), "boolean"),
    "planted_refused": "boolean",
    **dict.fromkeys(("epoch", "input_tokens", "output_tokens", "tries"), "Int64"),
    **dict.fromkeys(("confidence", "seconds", "waited"), "float64"),
}
"""Columns whose values may be missing: as objects they could not be averaged."""


def _flat(rate: dict[str, Any]) -> dict[str, Any]:
    """A rate for a data frame: the corrected one as columns of its own."""
    found = rate.pop("corrected") or {}
    return {**rate, "corrected": found.get("value"), **{f"corrected_{end}": found.get(end) for end in ("low", "high")}}


def load_results(
    folder: str | Path,
    *,
    judge: str | None = None,
    arms: Literal["own", "all"] = "own",
    stored: bool | None = None,
) -> Results:
    """The results in a run folder, read by `judge` (name or name/version), by default the run's own.

    Arms that an analysis added are not mixed with the run's own but named in `other_arms`; `arms="all"` gives them too,
    and what an analysis repeated of some samples only. With `stored`, by default where the run is large, texts stay in
    the run's files and are read each time that a row is asked for its exchange or verdict.
    """
    the_folder = RunFolder(Path(folder))
    info, samples = the_folder.info(), the_folder.samples()
    everything = the_folder.rows(info)
    own = arm_of(info.config.arm, info.config.system)
    asked = [arm for arm in info.arms if arm.name == own.name]
    whole = info
    if arms == "all" or not asked:
        asked = list(info.arms)
    else:
        # The picture is the one that was shown: what an arm of this name shows has changed between versions.
        own = own.model_copy(update={"picture": asked[0].picture})
        info = info.model_copy(update={"arms": (own,)})
    label = _judge_label(the_folder, info, judge)
    counted_arms = {arm.name for arm in asked}
    planned = {row.key: row for row in everything if row.key.arm in counted_arms}
    stored = info.n_rows > LARGE if stored is None else stored
    found, failed, n_verdicts = read_rows(the_folder, label, planned, stored=stored)
    the_folder.check_answers(whole, everything, failed)
    for known in info.verdicts:  # a file that is gone must not have another judge's read in its place
        if known == label or (judge is None and not the_folder.verdicts_path(known).exists()):
            the_folder.check_verdicts(info, known, n_verdicts if known == label else 0)
    none = outcome(None, None)
    rows = [found.get(key) or ResultRow(key, row.sample, None, None, none) for key, row in planned.items()]
    drift_path = the_folder.drift_path(label) if label else None
    drift = drift_path.read_text(encoding="utf-8").strip() if drift_path and drift_path.exists() else ""
    rows = rows if arms == "all" else in_whole_epochs(rows)
    others = Counter(key.arm for key in failed if key.arm not in counted_arms)
    return Results(the_folder.path, info, label, tuple(rows), drift, dict(others), samples)


def in_whole_epochs(rows: Sequence[ResultRow]) -> list[ResultRow]:
    """The rows of epochs in which all of an arm and side was asked; an analysis may repeat what was refused, say."""
    where = [(row.key.side, row.key.arm) for row in rows]
    asked = Counter((*one, row.key.epoch) for one, row in zip(where, rows, strict=True))
    most = {one: max(n for (*here, _), n in asked.items() if tuple(here) == one) for one in set(where)}
    return [row for one, row in zip(where, rows, strict=True) if asked[*one, row.key.epoch] == most[one]]


def check_ready(results: Results) -> None:
    """A UsageError when the run is not finished, every row failed, or nobody has read it."""
    reason = why_not_ready(results)
    if reason is not None:
        raise UsageError(not_ready_words(reason))


def too_many_failed(outcomes: Sequence[Outcome], max_failed: float) -> str:
    """How many of a side's rows failed or have no verdict, when that is more than the share allowed; else empty."""
    n_bad = sum(outcome.layer not in (Layer.JUDGED, Layer.BLOCKED, Layer.EMPTY) for outcome in outcomes)
    if n_bad <= max_failed * len(outcomes):
        return ""
    return f"{n_bad} of {len(outcomes)} rows failed or have no verdict, more than `max_failed={max_failed:g}`"


def _judge_label(folder: RunFolder, info: RunInfo, judge: str | None) -> str | None:
    if judge is not None and folder.verdicts_path(judge).exists():
        return judge  # it has judged, if only to find nothing to judge
    labels = folder.judges()
    wanted = judge or info.config.judge
    fitting = [label for label in labels if wanted in (label, label.rpartition("/")[0])]
    if fitting:
        return fitting[-1]
    if judge is not None:
        known = f"has verdicts of {', '.join(labels)}" if labels else "has no verdicts"
        raise UsageError(
            f"no verdicts of judge {judge!r} in {folder.path}, which {known}; "
            f"make them with: `judge_run({str(folder.path)!r}, {judge!r})`"
        )
    return labels[-1] if labels else None
