"""Over-refusal in a log: the share of harmless requests that were refused, with what it rests on.

A rate needs sorting: a log has no sides. It is of the traffic, identical requests included; its interval is for further
traffic of this kind. It knows how the sample was drawn, whose requests belong together, what labels say of the judge's
readings, and what second readers say of the sorting (`statistics.two_phase`).
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mossbench.errors import DataError, UsageError
from mossbench.judges import DEFAULT_JUDGE, Judge, load_judge
from mossbench.judges.judge import AnyJudge
from mossbench.outcomes import MAX_FAILED, MAX_UNFAMILIAR, REFUSED_KINDS, Kind, Layer
from mossbench.plumbing.json_values import as_json_value
from mossbench.plumbing.spreadsheets import cell, csv_text
from mossbench.plumbing.storage import check_may_write
from mossbench.results.labelled_rates import FEWEST_LABELS
from mossbench.statistics import Estimate
from mossbench.statistics.estimates import as_codes
from mossbench.statistics.two_phase import TwoPhaseRows, two_phase_share
from mossbench.traces.folder import TracesFolder
from mossbench.traces.judging import OnTrace, Reading, asks_model, read_traces
from mossbench.traces.population import Population, PopulationRow, Stratum, drawn_rows, in_turns, population_of
from mossbench.traces.sorting import readings_of
from mossbench.traces.sorting_records import Harmfulness
from mossbench.transcripts import stream_records
from mossbench.ways_out import Command

FEWEST_CHECKS = FEWEST_LABELS
"""Second readings, or labels, under which they correct nothing: one alone would only widen the interval."""
_PERSON = "person "


@dataclass(frozen=True)
class SortingBasis:
    """What the sorting rests on."""

    by: tuple[str, ...]
    """Who sorted first: columns, models, people."""
    n_drawn: int
    """Traces whose requests are sorted."""
    harmless: int
    harmful: int
    unsure: int
    n_checked: int
    """Traces of those whose requests a second reader has read."""
    n_differ: int
    """Of these, the ones that the second reader sorts differently."""

    @property
    def is_corrected(self) -> bool:
        """Whether there are enough second readings to correct the rate."""
        return self.n_checked >= min(FEWEST_CHECKS, self.n_drawn)


@dataclass(frozen=True)
class GroupRate:
    """The rate of one value of a column."""

    group: str
    rate: Estimate
    """`n`: harmless traces with a verdict, of which the rate is; `n_left_out`: those without."""
    n_traces: int
    """All traces with an answer, harmful and unsure ones included."""
    is_known: bool
    """False: too many have no verdict, or are unfamiliar to the judge; the interval holds what they may have been."""


@dataclass(frozen=True)
class TracesRate:
    """The rate of over-refusal of a log."""

    rate: Estimate
    """`n`: harmless traces with a verdict, of which the rate is; `n_left_out`: those without."""
    is_known: bool
    """False: too many have no verdict, or are unfamiliar to the judge; the interval holds what they may have been."""
    if_unsure_harmless: float
    """The same if every request that is unsure were harmless; NaN where nothing counts."""
    sorting: SortingBasis
    judge: str
    n_traces: int
    """Traces with an answer."""
    n_failed: int
    n_blocked: int
    """Drawn harmless traces whose answer was blocked: they count as refused."""
    n_empty: int
    """The same of empty answers."""
    n_unjudged: int
    """Drawn harmless traces without a verdict: left out; the interval holds what they may have been."""
    share_unjudged: float
    """Of harmless traces, estimated where some were drawn."""
    unjudged_reason: str
    """The most common one; empty where every trace has a verdict."""
    n_unfamiliar: int
    """Drawn harmless traces whose answer is in a manner that is unfamiliar to the judge."""
    share_unfamiliar: float
    """Of harmless traces with a verdict on a text, estimated where some were drawn."""
    n_labels_given: int
    """Labels in the files, of whatever trace."""
    n_labels: int
    """Drawn harmless traces whose answer was labelled."""
    n_labels_differ: int
    is_label_corrected: bool
    """Whether there are enough labels to correct the rate."""
    n_users: int
    """Users or conversations; 0 where the log does not say them."""
    n_without_user: int
    """Traces of which the log says neither: each counts as one of its own."""
    n_requests: int
    """Different requests."""
    by: str
    groups: tuple[GroupRate, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; NaN becomes None."""
        values: dict[str, Any] = as_json_value(self)
        return values


def rate_traces(
    folder: str | Path,
    *,
    by: str = "day",
    judge: AnyJudge = DEFAULT_JUDGE,
    labels: str | Path | Iterable[str | Path] = (),
    on_trace: OnTrace | None = None,
) -> TracesRate:
    """The share of harmless requests that were refused, in all and by a column.

    Args:
        folder: The traces; a UsageError where no request is sorted.
        by: `day`, `model`, `source`, `format` or a column.
        judge: Who reads the answers. One that asks a model reads the drawn harmless ones only; **they are sent to it**.
        labels: Files of labels (`id` with `refused` or `kind`), as `draw_to_label` writes the rows for them.
        on_trace: Called with each verdict.
    """
    traces = TracesFolder.open(folder)
    reader = load_judge(judge)
    drawing_judge = _drawing_judge(traces, reader)
    population = population_of(traces, drawing_judge, by=by, on_trace=on_trace)
    paths = [labels] if isinstance(labels, (str, Path)) else list(labels)
    _check_drawn_for(population.judge, traces, paths)
    sorted_rows = sort_population(traces, population)
    readings = {row.id: row.reading for row in population.rows}
    if asks_model(reader):
        readings |= _read_drawn(traces, reader, sorted_rows, on_trace)
    elif reader is not drawing_judge:
        readings |= _read_all(traces, reader, population, on_trace)
    return _rate(population, sorted_rows, readings, read_labels(map(Path, paths)), reader.label, by)


def _drawing_judge(traces: TracesFolder, reader: Judge) -> Judge:
    """Who says what is suspected of every trace, by which traces are drawn: an offline judge.

    Where requests were drawn to be sorted it is the judge of that draw: by another one's strata, the sorted requests
    would be a sample only up to the first gap.
    """
    drawn_by = traces.info().drawn_by
    if not drawn_by:
        return load_judge(DEFAULT_JUDGE) if asks_model(reader) else reader
    judge = load_judge(drawn_by)
    return reader if reader.label == judge.label else judge


def _check_drawn_for(judge: str, traces: TracesFolder, paths: Iterable[Path | str]) -> None:
    """Raises UsageError for labels of rows that were drawn for another judge: they are no sample for this one."""
    for path in paths:
        drawn_for = {str(record.get("judge") or "") for _, record in stream_records(Path(path))} - {""}
        if drawn_for and drawn_for != {judge}:
            names = ", ".join(sorted(drawn_for))
            name = judge.partition("/")[0]
            raise UsageError(
                f"the rows of {path} were drawn for {names}, and the traces are drawn by {judge}",
                way_out=Command(
                    f"mossbench traces draw {traces.path} --judge {name} --out rows.csv", to="draw rows for this judge"
                ),
            )


@dataclass(frozen=True)
class SortedRows:
    """The rows of a population whose requests are sorted, each stratum from its beginning without a gap."""

    first: Mapping[str, Harmfulness]
    """Trace -> what the first reader says."""
    checked: Mapping[str, Harmfulness]
    """Trace -> what the second reader says, where there is one."""
    by: tuple[str, ...]


def sort_population(traces: TracesFolder, population: Population) -> SortedRows:
    """What is said of the requests; a UsageError where nothing is."""
    readings = readings_of(traces)
    if not readings:
        raise UsageError(
            f"the requests in {traces.path} are not sorted into harmless and harmful, so there is no rate of "
            "over-refusal: what was refused may have been harmful",
            way_out=(
                Command(f"mossbench traces sort {traces.path} --column COLUMN", to="use a column of the log"),
                Command(f"mossbench traces serve {traces.path}", to="sort some of them on a page"),
            ),
        )
    by: Counter[str] = Counter()
    first: dict[str, Harmfulness] = {}
    checked: dict[str, Harmfulness] = {}
    for rows in population.ordered().values():
        has_gap = False
        for row in rows:
            said = readings.get(row.asked)
            if said is None:
                break
            first_reader, harmfulness = next(iter(said.items()))
            first[row.id] = harmfulness
            by[first_reader] += 1
            second = second_reading(said)
            is_chosen_at_random = first_reader.startswith(_PERSON)  # the queue gives some requests to two people
            has_gap = has_gap or (second is None and not is_chosen_at_random)
            if second is not None and not has_gap:
                checked[row.id] = second
    return SortedRows(first, checked, tuple(name for name, _ in by.most_common()))


def second_reading(said: Mapping[str, Harmfulness]) -> Harmfulness | None:
    """What people settle on who read a request after a first reader; unsure where they differ; None where none did.

    Where only people sorted, the first of them is the first reader, and a majority of all settles it.
    """
    people = [harmfulness for reader, harmfulness in said.items() if reader.startswith(_PERSON)]
    is_person_first = next(iter(said)).startswith(_PERSON)
    if len(people) < (2 if is_person_first else 1):
        return None
    counts = Counter(people).most_common(2)
    is_tie = len(counts) > 1 and counts[0][1] == counts[1][1]
    return Harmfulness.UNSURE if is_tie else counts[0][0]


def _read_all(
    traces: TracesFolder, reader: Judge, population: Population, on_trace: OnTrace | None
) -> dict[str, Reading]:
    """What another offline judge reads in every answer that has a text."""
    readings = read_traces(traces, reader, traces.traces(), on_trace)
    return {
        row.id: readings.get(row.id, Reading(None)) for row in population.rows if row.stratum is not Stratum.NO_TEXT
    }


def _read_drawn(
    traces: TracesFolder, reader: Judge, sorted_rows: SortedRows, on_trace: OnTrace | None
) -> dict[str, Reading]:
    """What a judging model reads in the answers to requests that are sorted as harmless."""
    wanted = {
        id
        for id, harmfulness in sorted_rows.first.items()
        if Harmfulness.HARMLESS in (harmfulness, sorted_rows.checked.get(id))
    }
    drawn = (trace for trace in traces.traces() if trace.id in wanted)
    readings = read_traces(traces, reader, drawn, on_trace)
    return {id: readings[id] for id in wanted if id in readings}


def read_labels(paths: Iterable[Path]) -> dict[str, bool]:
    """Trace -> whether its answer is refused, by `refused` (0 or 1) or `kind` in files of labels."""
    labels: dict[str, bool] = {}
    for path in paths:
        for where, record in stream_records(path):
            value = str(record.get("refused", "")).strip().lower()
            kind = str(record.get("kind", "") or "").strip().lower()
            if kind in set(Kind):
                labels[str(record.get("id", ""))] = Kind(kind) in REFUSED_KINDS
            elif value in ("0", "1", "true", "false"):
                labels[str(record.get("id", ""))] = value in ("1", "true")
            elif value not in ("", "none"):
                raise DataError(f"{where}: refused is {value[:40]!r}, expected 0 or 1, or a kind")
    return labels


def draw_to_label(folder: str | Path, n: int = 60, *, judge: AnyJudge = DEFAULT_JUDGE) -> list[dict[str, Any]]:
    """The answers whose labels tell most of the judge's errors: sorted harmless requests, in the order of the draw.

    Fill in `refused` (0 or 1) from the first row on, and give the file to `rate_traces` with the same judge. For one
    that asks a model, rows are drawn by what the default judge suspects; where requests were drawn to be sorted, by
    what the judge of that draw suspects.
    """
    traces = TracesFolder.open(folder)
    population = population_of(traces, _drawing_judge(traces, load_judge(judge)))
    sorted_rows = sort_population(traces, population)
    candidates = [
        row
        for row in population.rows
        if _best(sorted_rows, row.id) is Harmfulness.HARMLESS and row.stratum is not Stratum.NO_TEXT
    ]
    drawn = in_turns(drawn_rows(Population(tuple(candidates), population.judge, 0), n))
    wanted = {row.id for row in drawn}
    texts = {trace.id: trace for trace in traces.traces() if trace.id in wanted}
    return [
        {
            "id": row.id,
            "question": texts[row.id].request,
            "response": texts[row.id].answer.text,
            "refused": "",
            "judge": population.judge,
        }
        for row in drawn
    ]


def write_rows_to_label(
    folder: str | Path, out: str | Path, *, n: int = 60, judge: AnyJudge = DEFAULT_JUDGE, overwrite: bool = False
) -> Path:
    """Writes the rows of `draw_to_label` to a .csv or .jsonl file, for its owner alone."""
    out = Path(out)
    if out.suffix not in (".csv", ".jsonl"):
        raise UsageError(f"{str(out)!r} is no .csv or .jsonl file; name one")
    check_may_write(out, overwrite=overwrite)
    rows = draw_to_label(folder, n, judge=judge)
    if out.suffix == ".csv":
        columns = ("id", "question", "response", "refused", "judge")
        content = csv_text([columns, *([cell(row[name]) for name in columns] for row in rows)])
    else:
        content = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    traces = TracesFolder.open(folder)
    traces.note_written("rows", out)
    traces.write(out, content)
    return out


def _best(sorted_rows: SortedRows, id: str) -> Harmfulness | None:
    return sorted_rows.checked.get(id, sorted_rows.first.get(id))


def _rate(
    population: Population,
    sorted_rows: SortedRows,
    readings: Mapping[str, Reading],
    labels: Mapping[str, bool],
    judge: str,
    by: str,
) -> TracesRate:
    ordered = [row for rows in population.ordered().values() for row in rows]
    basis = _basis(sorted_rows)
    if not basis.is_corrected:
        sorted_rows = replace(sorted_rows, checked={})
    readings = _with_labelled(readings, labels)
    refused = {id: reading.is_refused for id, reading in readings.items()}
    labelled = labelled_from_the_first(population, sorted_rows, refused, labels)
    of_harmless = [row for row in ordered if _best(sorted_rows, row.id) is Harmfulness.HARMLESS]
    harmless = [row.id for row in of_harmless]
    said = [labelled[id] != refused.get(id) for id in harmless if id in labelled and id in labels]
    is_label_corrected = bool(said) and len(said) >= min(FEWEST_CHECKS, len(harmless))
    if not is_label_corrected:
        labelled = {}
    with_unsure = _two_phase_rows(ordered, sorted_rows, refused, labelled, unsure_is_harmless=True)
    counted = _CountedRows(
        rows=_two_phase_rows(ordered, sorted_rows, refused, labelled, unsure_is_harmless=False),
        unjudged=_rows_where(ordered, sorted_rows, {id: refused[id] is None for id in refused}),
        unfamiliar=_rows_where(ordered, sorted_rows, _unfamiliar(ordered, readings)),
        is_label_corrected=is_label_corrected,
    )
    places: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(ordered):
        places[row.group].append(place)
    groups = []
    for group in sorted(places):
        keep = np.zeros(len(ordered), dtype=bool)
        keep[places[group]] = True
        of_group = counted.only(keep)
        groups.append(GroupRate(group, of_group.rate(), len(places[group]), of_group.is_known))
    reasons = Counter(readings[id].reason for id in harmless if refused[id] is None)
    return TracesRate(
        rate=counted.rate(),
        is_known=counted.is_known,
        if_unsure_harmless=two_phase_share(with_unsure).value,
        sorting=basis,
        judge=judge,
        n_traces=len(ordered),
        n_failed=population.n_failed,
        n_blocked=sum(row.layer is Layer.BLOCKED for row in of_harmless),
        n_empty=sum(row.layer is Layer.EMPTY for row in of_harmless),
        n_unjudged=reasons.total(),
        share_unjudged=counted.share_unjudged,
        unjudged_reason=reasons.most_common(1)[0][0] if reasons else "",
        n_unfamiliar=sum(readings[id].is_unfamiliar for id in harmless),
        share_unfamiliar=counted.share_unfamiliar,
        n_labels_given=len(labels),
        n_labels=len(said),
        n_labels_differ=sum(said),
        is_label_corrected=is_label_corrected,
        n_users=population.n_users,
        n_without_user=sum(not row.user for row in ordered),
        n_requests=population.n_requests,
        by=by,
        groups=tuple(groups),
    )


def _with_labelled(readings: Mapping[str, Reading], labels: Mapping[str, bool]) -> dict[str, Reading]:
    """The readings; where the judge gave no verdict, what people say is the reading."""
    return {
        id: Reading(labels[id]) if reading.is_refused is None and id in labels else reading
        for id, reading in readings.items()
    }


def _unfamiliar(ordered: Sequence[PopulationRow], readings: Mapping[str, Reading]) -> dict[str, bool | None]:
    """Whether the answer is unfamiliar to the judge; None where it read none."""
    return {
        row.id: None if row.stratum is Stratum.NO_TEXT or reading.is_refused is None else reading.is_unfamiliar
        for row, reading in ((row, readings[row.id]) for row in ordered)
    }


@dataclass(frozen=True)
class _CountedRows:
    """Traces as they count, with which of them have no verdict and which are unfamiliar to the judge."""

    rows: TwoPhaseRows
    unjudged: TwoPhaseRows
    unfamiliar: TwoPhaseRows
    is_label_corrected: bool

    def only(self, keep: NDArray[np.bool_]) -> _CountedRows:
        return replace(
            self, rows=self.rows.only(keep), unjudged=self.unjudged.only(keep), unfamiliar=self.unfamiliar.only(keep)
        )

    @property
    def share_unjudged(self) -> float:
        """Of harmless traces; 0 where there are none."""
        return _share_or_0(self.unjudged)

    @property
    def share_unfamiliar(self) -> float:
        return _share_or_0(self.unfamiliar)

    @property
    def is_known(self) -> bool:
        """Whether nearly all answers have a verdict, and the judge knows their manner or labels correct it."""
        is_familiar = self.is_label_corrected or self.share_unfamiliar <= MAX_UNFAMILIAR
        return self.share_unjudged <= MAX_FAILED and is_familiar

    def rate(self) -> Estimate:
        """The rate of what has a verdict, with an interval that holds whatever the others may have been."""
        estimate = two_phase_share(self.rows)
        share = self.share_unjudged
        if not share:
            return estimate
        n_left_out = int(np.nansum(self.unjudged.member * self.unjudged.yes))
        return replace(
            estimate,
            low=estimate.low * (1 - share),
            high=estimate.high * (1 - share) + share,
            n_left_out=n_left_out,
            method=f"{estimate.method}, widened for missing verdicts",
        )


def _share_or_0(rows: TwoPhaseRows) -> float:
    share = two_phase_share(rows).value
    return 0.0 if math.isnan(share) else share


def _rows_where(
    ordered: Sequence[PopulationRow], sorted_rows: SortedRows, is_so: Mapping[str, bool | None]
) -> TwoPhaseRows:
    """The harmless traces of which something is so, as `TwoPhaseRows.yes`; without those of which it is None."""
    return _two_phase_rows(ordered, sorted_rows, is_so, {}, unsure_is_harmless=False)


def _basis(sorted_rows: SortedRows) -> SortingBasis:
    counts = Counter(sorted_rows.first.values())
    return SortingBasis(
        by=sorted_rows.by,
        n_drawn=len(sorted_rows.first),
        harmless=counts[Harmfulness.HARMLESS],
        harmful=counts[Harmfulness.HARMFUL],
        unsure=counts[Harmfulness.UNSURE],
        n_checked=len(sorted_rows.checked),
        n_differ=sum(sorted_rows.first[id] is not said for id, said in sorted_rows.checked.items()),
    )


def labelled_from_the_first(
    population: Population,
    sorted_rows: SortedRows,
    refused: Mapping[str, bool | None],
    labels: Mapping[str, bool],
) -> dict[str, bool]:
    """The labels of each stratum from its first row on without a gap; what needs no label counts as labelled.

    That is what is not harmless, what was blocked, and what has no verdict.
    """
    labelled: dict[str, bool] = {}
    if not labels:
        return labelled
    for stratum, rows in population.ordered().items():
        for row in rows:
            if row.id not in sorted_rows.first:
                break
            reading = refused.get(row.id)
            needs_label = _best(sorted_rows, row.id) is Harmfulness.HARMLESS and reading is not None
            if stratum is Stratum.NO_TEXT or not needs_label:
                labelled[row.id] = bool(reading)
            elif row.id in labels:
                labelled[row.id] = labels[row.id]
            else:
                break
    return labelled


def _two_phase_rows(
    ordered: Sequence[PopulationRow],
    sorted_rows: SortedRows,
    refused: Mapping[str, bool | None],
    labelled: Mapping[str, bool],
    *,
    unsure_is_harmless: bool,
) -> TwoPhaseRows:
    members = {Harmfulness.HARMLESS, Harmfulness.UNSURE} if unsure_is_harmless else {Harmfulness.HARMLESS}
    n = len(ordered)
    member, yes, member_checked, yes_checked = (np.full(n, np.nan) for _ in range(4))
    for place, row in enumerate(ordered):
        harmfulness = sorted_rows.first.get(row.id)
        if harmfulness is None:
            continue
        reading = refused.get(row.id)
        is_counted = reading is not None  # without a verdict it is no member: it is left out, and counted as such
        member[place] = is_counted and harmfulness in members
        yes[place] = bool(reading)
        if row.id in sorted_rows.checked:
            member_checked[place] = is_counted and sorted_rows.checked[row.id] in members
        if row.id in labelled:
            yes_checked[place] = labelled[row.id]
    return TwoPhaseRows(
        strata=as_codes([row.stratum.value for row in ordered], n),
        member=member,
        yes=yes,
        member_checked=member_checked,
        yes_checked=yes_checked,
        clusters=(
            as_codes([row.user or None for row in ordered], n),
            as_codes([row.asked for row in ordered], n),
        ),
    )
