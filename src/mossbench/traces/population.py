"""The traces as a population: what each was asked, by whom, and what a judge suspects; and in which order they are
drawn.

The order in a stratum is random and fixed: by a hash of the trace with the folder's salt. A sample of a stratum is
always the beginning of its order, so that every trace of it is as likely as any other, whoever sorts them, and however
often more are drawn or imported.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from mossbench.errors import unknown_name
from mossbench.judges import Judge
from mossbench.outcomes import Layer, layer_without_verdict
from mossbench.samples import at_hand, value_text
from mossbench.traces.folder import TracesFolder
from mossbench.traces.judging import OnTrace, Reading, read_traces

GROUPS = ("day", "model", "source", "format")
"""By which rates can be broken down, besides columns."""


@at_hand
class Stratum(StrEnum):
    """What is suspected of an answer before anybody looks at it."""

    NOT_REFUSED = "not refused"
    REFUSED = "refused"
    NO_TEXT = "blocked or empty"
    NO_VERDICT = "no verdict"


STRATA = tuple(Stratum)
_NO_TEXT = Reading(True)
_NO_READING = Reading(None)


@dataclass(frozen=True, slots=True)
class PopulationRow:
    """A trace that has an answer, as far as counting needs it."""

    id: str
    asked: str
    user: str
    """A pseudonym of the user; else of the conversation; else empty."""
    stratum: Stratum
    layer: Layer | None
    """Blocked or empty; None: there is a text."""
    reading: Reading
    """As the judge reads it; blocked and empty answers are refused."""
    group: str
    """The value by which rates are broken down."""
    place: str
    """Decides the order in which rows of a stratum are drawn."""

    @property
    def is_refused(self) -> bool | None:
        return self.reading.is_refused


@dataclass(frozen=True)
class Population:
    rows: tuple[PopulationRow, ...]
    judge: str
    n_failed: int
    """Traces whose call failed, or whose answer is not in the log: they say nothing of refusals."""
    layers: Counter[str] = field(default_factory=Counter)

    def ordered(self) -> dict[Stratum, list[PopulationRow]]:
        """The rows of each stratum in the order in which they are drawn."""
        strata: dict[Stratum, list[PopulationRow]] = defaultdict(list)
        for row in self.rows:
            strata[row.stratum].append(row)
        return {stratum: sorted(strata[stratum], key=lambda row: row.place) for stratum in STRATA if strata[stratum]}

    @property
    def n_requests(self) -> int:
        """Different requests."""
        return len({row.asked for row in self.rows})

    @property
    def n_users(self) -> int:
        return len({row.user for row in self.rows if row.user})


def population_of(
    folder: TracesFolder, judge: Judge, *, by: str = "day", on_trace: OnTrace | None = None
) -> Population:
    """The traces with an answer, each read by an offline judge; a column by which nothing is grouped is an error."""
    readings = read_traces(folder, judge, folder.traces(), on_trace)
    salt = folder.info().salt
    rows: list[PopulationRow] = []
    columns: dict[str, None] = {}  # a set in order
    layers: Counter[str] = Counter()
    for trace in folder.traces():
        columns |= dict.fromkeys(trace.columns)
        layer = layer_without_verdict(trace.answer)
        layers[(layer or Layer.JUDGED).value] += 1
        if layer is Layer.FAILED:
            continue
        reading = readings.get(trace.id, _NO_READING) if layer is None else _NO_TEXT
        group = {"day": trace.day, "model": trace.model, "source": trace.source, "format": trace.format}.get(by)
        if group is None:
            group = value_text(trace.columns.get(by, ""))
        rows.append(
            PopulationRow(
                id=trace.id,
                asked=trace.asked,
                user=sys.intern(trace.user or trace.conversation),
                stratum=_stratum(layer, reading.is_refused),
                layer=layer,
                reading=reading,
                group=sys.intern(group),
                place=hashlib.sha256(f"{salt} draw {trace.id}".encode()).hexdigest()[:16],
            )
        )
    if by not in GROUPS and by not in columns:
        known = (*GROUPS, *columns)
        raise unknown_name("column of these traces", by, known, f"they have {', '.join(known[:20])}")
    return Population(tuple(rows), judge.label, layers[Layer.FAILED.value], layers)


def _stratum(layer: Layer | None, is_refused: bool | None) -> Stratum:
    if layer is not None:
        return Stratum.NO_TEXT
    if is_refused is None:
        return Stratum.NO_VERDICT
    return Stratum.REFUSED if is_refused else Stratum.NOT_REFUSED


def share_out(sizes: Sequence[int], n: int) -> list[int]:
    """How many of `n` to draw from each stratum: the same number of each, and more of others where one is small."""
    shares = [0] * len(sizes)
    left = min(n, sum(sizes))
    while left:
        open_strata = [i for i, size in enumerate(sizes) if shares[i] < size]
        step = max(1, left // len(open_strata))
        for i in open_strata:
            more = min(step, sizes[i] - shares[i], left)
            shares[i] += more
            left -= more
    return shares


def drawn_rows(population: Population, n: int | None) -> list[PopulationRow]:
    """The first rows of each stratum, `n` in all; None: all rows."""
    ordered = population.ordered()
    if n is None:
        return list(population.rows)
    drawn: list[PopulationRow] = []
    shares = share_out([len(rows) for rows in ordered.values()], n)
    for rows, share in zip(ordered.values(), shares, strict=True):
        drawn += rows[:share]
    return drawn


def in_turns(rows: Sequence[PopulationRow]) -> list[PopulationRow]:
    """The rows so that their strata take turns: whoever stops early has drawn of each."""
    by_stratum: dict[Stratum, list[PopulationRow]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.place):
        by_stratum[row.stratum].append(row)
    turns: list[PopulationRow] = []
    for number in range(max(map(len, by_stratum.values()), default=0)):
        turns += [rows[number] for rows in by_stratum.values() if number < len(rows)]
    return turns
