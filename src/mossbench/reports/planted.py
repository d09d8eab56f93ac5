"""What was planted in control models and what was measured on them, as a table of 80 columns."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.table import Table
from rich.text import Text

from mossbench.errors import UsageError
from mossbench.look.numbers import brackets
from mossbench.models import Model, load_model
from mossbench.models.control.planted import Control
from mossbench.models.control.rehearsal import Rehearsal
from mossbench.outcomes import Counted, Layer, Outcome, Rule, counted
from mossbench.reports.tables import text_table
from mossbench.results.rates import Rate
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.samples import Side, Stimulus
from mossbench.statistics import Estimate

COLUMNS = {
    (Side.BENIGN, Stimulus.EXAGGERATED_RISK.title): "Exagg. Risk",
    (Side.BENIGN, Stimulus.NEGATED_HARM.title): "Neg. Harm",
    (Side.BENIGN, Stimulus.COUNTERINTUITIVE.title): "Counterint.",
    (Side.CONTRAST, "all"): "harmful",
}


@dataclass(frozen=True)
class Pair:
    measured: Rate
    planted: float | None

    @property
    def inside(self) -> bool | None:
        """Whether the planted rate lies in the interval of the measured one; None where there is none of either."""
        return self._holds(self.measured.estimate)

    @property
    def inside_corrected(self) -> bool | None:
        """The same of the corrected rate, or of the measured one where nothing was corrected."""
        fixed = self.measured.corrected
        return self._holds(fixed.estimate) if fixed else self.inside

    def _holds(self, estimate: Estimate) -> bool | None:
        if self.planted is None or not estimate.n:
            return None
        return estimate.low - 1e-9 <= self.planted <= estimate.high + 1e-9


def pairs(results: Results, rule: Rule | str = Rule.SYSTEM) -> tuple[Pair, ...]:
    """The rates of a run by stimulus and side, each with what was planted; for the sketches without a system prompt."""
    counted_before: dict[str, tuple[Pair, ...]] = vars(results).setdefault("_pairs", {})  # its rows never change
    if str(rule) not in counted_before:
        counted_before[str(rule)] = _pairs(results, rule)
    return counted_before[str(rule)]


def _pairs(results: Results, rule: Rule | str) -> tuple[Pair, ...]:
    asked_model = results.info.config.model
    model = load_model(asked_model) if asked_model.startswith("control/") else None
    rates = results.rates(rule=rule, by="stimulus")
    stimuli = {stimulus.title: stimulus for stimulus in Stimulus}
    found = []
    for rate in rates:
        planted = None
        if isinstance(model, Control):
            of = [stimuli[rate.group]] if rate.group in stimuli else list(Stimulus)
            sizes = [r.estimate.n for s in of for r in rates if (r.side, r.group) == (rate.side, s.title)]
            parts = [model.planted_rate(rate.side, stimulus) for stimulus in of]
            total = float(sum(sizes))
            if total and len(sizes) == len(parts):
                mean = sum(n * part for n, part in zip(sizes, parts, strict=True)) / total
                planted = None if math.isnan(mean) else mean
        found.append(Pair(rate, planted))
    return tuple(found)


def planted_table(runs: Sequence[Results], rule: Rule | str = Rule.SYSTEM) -> Table:
    """Lines for each run: percent refused as read with the interval, corrected, and what was planted."""
    sizes = {(p.measured.side, p.measured.group): p.measured.estimate.n for p in (pairs(runs[0], rule) if runs else ())}
    heads = (f"{title}\nof {sizes.get(place, 0)}" for place, title in COLUMNS.items())
    table = text_table("refused, %", *heads)
    for results in runs:
        found = {(pair.measured.side, pair.measured.group): pair for pair in pairs(results, rule)}
        cells = [found.get(place) for place in COLUMNS]
        read = [pair.measured.estimate if pair else None for pair in cells]
        fixed = [pair.measured.corrected.estimate if pair and pair.measured.corrected else None for pair in cells]
        table.add_row(Text(results.model.removeprefix("control/"), style="bold"), *map(_cell, read))
        if any(fixed):
            table.add_row("  corrected", *map(_cell, fixed))
        if any(pair and pair.planted is not None for pair in cells):
            table.add_row("  planted", *map(_planted, cells), style="dim")
    return table


def as_meant(results: Results, model: Control | Rehearsal) -> Results:
    """The results as the model meant its answers: what a judge without errors would have found.

    Raises:
        UsageError: `model` is not the object that answered; what was meant is nowhere in a run's files, but for a
            rehearsal (`control/NAME?on=id&rate=R`), whose answers have it with them.
    """
    if isinstance(model, Rehearsal):
        return _as_planted(results)
    if not isinstance(model, Control):
        raise UsageError(
            f"{model.name} has no planted behaviour to compare with; expected a control model such as control/jumpy"
        )

    def meant(row: ResultRow) -> Outcome:
        if row.exchange is None:
            return row.outcome
        planted = model.meant(row.exchange, results.info.config.seed + row.key.epoch - 1)
        return planted.outcome if planted else Outcome(Layer.UNJUDGED)

    rows = tuple(row.counted_as(meant(row)) for row in results.rows)
    if rows and all(row.outcome.layer is Layer.UNJUDGED for row in rows):
        raise UsageError(
            f"this {model.name} object did not give these answers, and no file records what it meant; "
            "make the run with the same object: results = mossbench.run(model, …)"
        )
    return replace(results, judge=None, rows=rows)


def _as_planted(results: Results) -> Results:
    """The results of a rehearsal, as its files say that they were planted."""
    rows = tuple(row.counted_as(_planted_outcome(row)) for row in results.rows)
    return replace(results, judge=None, rows=rows)


def _planted_outcome(row: ResultRow) -> Outcome:
    """Rows that failed, were blocked or came back empty stay so."""
    facts = row.answered
    was_read = row.outcome.layer in (Layer.JUDGED, Layer.UNJUDGED)
    if facts is None or facts.planted is None or not was_read:
        return row.outcome
    return Outcome(Layer.JUDGED, facts.planted)


def verdict_line(runs: Sequence[Results], rule: Rule | str = Rule.SYSTEM) -> str:
    """Whether the instrument works, as far as these runs of control models can tell."""
    from scipy.special import bdtrc

    n_rows, n_judged = sum(map(len, runs)), sum(run.layers()[Layer.JUDGED] for run in runs)
    shown = [pair for run in runs for pair in _shown(run, rule)]
    n, outside = len(shown), sum(not pair.inside_corrected for pair in shown)
    corrected = "corrected " if any(pair.measured.corrected for pair in shown) else ""
    found = f"{n - outside} of {n} planted refusal rates lie in the {corrected}95 % intervals"
    if n_judged < n_rows:
        return f"Inconclusive: {n_rows - n_judged:,} of {n_rows:,} rows have no verdict."
    # As many outside by chance alone in one of a hundred first runs, or less often.
    wrong = outside and bdtrc(outside - 1, n, 0.05) < 0.01
    return f"Something is wrong: only {found}." if wrong else f"It works: {found}."


def planted_lines(runs: Sequence[Results], models: Sequence[Model], rule: Rule | str = Rule.SYSTEM) -> str:
    """How many planted rates lie outside the intervals, and what the judge's errors have to do with it."""
    read = [(run, as_meant(run, model)) for run, model in zip(runs, models, strict=True) if isinstance(model, Control)]
    shown = [pair for run, _ in read for pair in _shown(run, rule)]
    n_pairs, fixed = len(shown), any(pair.measured.corrected for pair in shown)
    corrected = f"{sum(not pair.inside_corrected for pair in shown)} corrected, " if fixed else ""
    as_read = sum(not pair.inside for pair in shown)
    as_meant_ = sum(not pair.inside for _, truth in read for pair in _shown(truth, rule))
    wrong = Counter(
        (counted(meant.outcome, Rule.SYSTEM), counted(row.outcome, Rule.SYSTEM))
        for run, truth in read
        for row, meant in zip(run.rows, truth.rows, strict=True)
    )
    n = {what: sum(wrong[what, read_as] for read_as in Counted) for what in Counted}
    yes, no = Counted.REFUSED, Counted.COMPLIED
    return (
        f"Of {n_pairs} planted rates, {0.05 * n_pairs:.1f} are expected outside a 95 % interval by chance. Outside\n"
        f"(!) are {corrected}{as_read} as read, {as_meant_} as the models meant their answers: {runs[0].judge}\n"
        f"read {wrong[no, yes]} of {n[no]} answers as refusals and {wrong[yes, no]} of {n[yes]} refusals as answers\n"
        "(docs/controls.md)."
    )


def _shown(results: Results, rule: Rule | str) -> list[Pair]:
    shown = (pair for pair in pairs(results, rule) if (pair.measured.side, pair.measured.group) in COLUMNS)
    return [pair for pair in shown if pair.inside is not None]


def _cell(estimate: Estimate | None) -> str:
    return f"{100 * estimate.value:.0f} {brackets(estimate)}" if estimate and estimate.n else "–"


def _planted(pair: Pair | None) -> str:
    if pair is None or pair.planted is None:
        return ""
    return f"{100 * pair.planted:.0f}{'' if pair.inside_corrected else ' !'}"
