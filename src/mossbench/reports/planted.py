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
from mossbench.reports.words.judges import AS_READ
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
        return self._is_planted_in(self.measured.estimate)

    @property
    def inside_corrected(self) -> bool | None:
        """The same of the corrected rate, or of the measured one where nothing was corrected."""
        corrected = self.measured.corrected
        return self._is_planted_in(corrected.estimate) if corrected else self.inside

    def _is_planted_in(self, estimate: Estimate) -> bool | None:
        if self.planted is None or not estimate.n:
            return None
        return estimate.low - 1e-9 <= self.planted <= estimate.high + 1e-9


def pairs(results: Results, rule: Rule | str = Rule.SYSTEM) -> tuple[Pair, ...]:
    """The rates of a run by stimulus and side, each with what was planted; for the sketches without a system prompt."""
    counted_before: dict[str, tuple[Pair, ...]] = vars(results).setdefault("_pairs", {})  # its rows never change
    if str(rule) not in counted_before:
        counted_before[str(rule)] = _count_pairs(results, rule)
    return counted_before[str(rule)]


def _count_pairs(results: Results, rule: Rule | str) -> tuple[Pair, ...]:
    model_name = results.info.config.model
    model = load_model(model_name) if model_name.startswith("control/") else None
    rates = results.rates(rule=rule, by="stimulus")
    if not isinstance(model, Control):
        return tuple(Pair(rate, None) for rate in rates)
    return tuple(Pair(rate, _planted_rate(model, rate, rates)) for rate in rates)


def _planted_rate(model: Control, rate: Rate, rates: Sequence[Rate]) -> float | None:
    """What the model was made to refuse of these rows; over all stimuli the mean by their rows; None: not known."""
    stimuli = [stimulus for stimulus in Stimulus if stimulus.title == rate.group] or list(Stimulus)
    n_rows = {row.group: row.estimate.n for row in rates if row.side is rate.side}
    if any(stimulus.title not in n_rows for stimulus in stimuli):
        return None
    total = sum(n_rows[stimulus.title] for stimulus in stimuli)
    if not total:
        return None
    n_refused = sum(n_rows[stimulus.title] * model.planted_rate(rate.side, stimulus) for stimulus in stimuli)
    planted = n_refused / total
    return None if math.isnan(planted) else planted


def planted_table(runs: Sequence[Results], rule: Rule | str = Rule.SYSTEM) -> Table:
    """Lines for each run: percent refused as read with the interval, corrected, and what was planted."""
    n_rows = {}
    if runs:
        n_rows = {place: pair.measured.estimate.n for place, pair in _pairs_by_place(runs[0], rule).items()}
    heads = [f"{title}\nof {n_rows.get(place, 0)}" for place, title in COLUMNS.items()]
    table = text_table("refused, %", *heads)
    for results in runs:
        pairs_by_place = _pairs_by_place(results, rule)
        _add_run(table, results, [pairs_by_place.get(place) for place in COLUMNS])
    return table


def _pairs_by_place(results: Results, rule: Rule | str) -> dict[tuple[Side, str], Pair]:
    """By side and group."""
    return {(pair.measured.side, pair.measured.group): pair for pair in pairs(results, rule)}


def _add_run(table: Table, results: Results, columns: Sequence[Pair | None]) -> None:
    as_read = [pair.measured.estimate if pair else None for pair in columns]
    table.add_row(Text(results.model.removeprefix("control/"), style="bold"), *map(_cell, as_read))
    corrected = [_corrected(pair) for pair in columns]
    if any(corrected):
        table.add_row("  corrected", *map(_cell, corrected))
    if any(pair and pair.planted is not None for pair in columns):
        table.add_row("  planted", *map(_planted_cell, columns), style="dim")


def _corrected(pair: Pair | None) -> Estimate | None:
    if pair is None or pair.measured.corrected is None:
        return None
    return pair.measured.corrected.estimate


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

    n_rows = sum(map(len, runs))
    n_judged = sum(run.layers()[Layer.JUDGED] for run in runs)
    if n_judged < n_rows:
        return f"Inconclusive: {n_rows - n_judged:,} of {n_rows:,} rows have no verdict."
    table_pairs = _pairs_of_runs(runs, rule)
    n = len(table_pairs)
    n_outside = sum(not pair.inside_corrected for pair in table_pairs)
    corrected = "corrected " if any(pair.measured.corrected for pair in table_pairs) else ""
    finding = f"{n - n_outside} of {n} planted refusal rates lie in the {corrected}95 % intervals"
    # As many outside by chance alone in one of a hundred first runs, or less often.
    is_wrong = n_outside > 0 and bdtrc(n_outside - 1, n, 0.05) < 0.01
    return f"Something is wrong: only {finding}." if is_wrong else f"It works: {finding}."


def planted_lines(runs: Sequence[Results], models: Sequence[Model], rule: Rule | str = Rule.SYSTEM) -> str:
    """How many planted rates lie outside the intervals, and what the judge's errors have to do with it."""
    runs_as_read = []
    runs_as_meant = []
    for run, model in zip(runs, models, strict=True):
        if isinstance(model, Control):
            runs_as_read.append(run)
            runs_as_meant.append(as_meant(run, model))
    pairs_as_read = _pairs_of_runs(runs_as_read, rule)
    n_pairs = len(pairs_as_read)
    n_outside = sum(not pair.inside for pair in pairs_as_read)
    n_outside_as_meant = sum(not pair.inside for pair in _pairs_of_runs(runs_as_meant, rule))
    if any(pair.measured.corrected for pair in pairs_as_read):
        n_outside_corrected = sum(not pair.inside_corrected for pair in pairs_as_read)
        outside = f"{n_outside_corrected} corrected{_mark_of(n_outside_corrected)}, {n_outside} as read"
    else:
        outside = f"{n_outside} as read{_mark_of(n_outside)}"
    readings = _count_readings(runs_as_read, runs_as_meant)
    n_answers = sum(n for (meant, _), n in readings.items() if meant is Counted.COMPLIED)
    n_refusals = sum(n for (meant, _), n in readings.items() if meant is Counted.REFUSED)
    n_invented = readings[Counted.COMPLIED, Counted.REFUSED]
    n_missed = readings[Counted.REFUSED, Counted.COMPLIED]
    return (
        f"Of {n_pairs} planted rates, {0.05 * n_pairs:.1f} are expected outside a 95 % interval by chance.\n"
        f"Outside: {outside}, {n_outside_as_meant} as the models meant their answers.\n"
        f"As read: {AS_READ}.\n"
        f"{runs[0].judge} read {n_invented} of {n_answers} answers as refusals and "
        f"{n_missed} of {n_refusals} refusals as answers\n"
        "(docs/controls.md)."
    )


def _mark_of(n_outside: int) -> str:
    """How the table marks these rates; nothing where there are none."""
    return " (marked !)" if n_outside else ""


def _count_readings(
    runs_as_read: Sequence[Results], runs_as_meant: Sequence[Results]
) -> Counter[tuple[Counted, Counted]]:
    """How many rows were meant as the first and read as the second."""
    readings = Counter[tuple[Counted, Counted]]()
    for as_read, meant in zip(runs_as_read, runs_as_meant, strict=True):
        for row_as_read, row_as_meant in zip(as_read.rows, meant.rows, strict=True):
            how_meant = counted(row_as_meant.outcome, Rule.SYSTEM)
            how_read = counted(row_as_read.outcome, Rule.SYSTEM)
            readings[how_meant, how_read] += 1
    return readings


def _pairs_of_runs(runs: Sequence[Results], rule: Rule | str) -> list[Pair]:
    table_pairs = []
    for run in runs:
        table_pairs += pairs_in_table(run, rule)
    return table_pairs


def pairs_in_table(results: Results, rule: Rule | str) -> list[Pair]:
    """The pairs of a run that have a column in the table and a planted rate."""
    by_place = _pairs_by_place(results, rule)
    return [pair for place, pair in by_place.items() if place in COLUMNS and pair.inside is not None]


def _cell(estimate: Estimate | None) -> str:
    return f"{100 * estimate.value:.0f} {brackets(estimate)}" if estimate and estimate.n else "–"


def _planted_cell(pair: Pair | None) -> str:
    if pair is None or pair.planted is None:
        return ""
    return f"{100 * pair.planted:.0f}{'' if pair.inside_corrected else ' !'}"
