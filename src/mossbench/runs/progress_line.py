"""One line that says how far a run is: the rates so far, the time left, and which rows wait."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mossbench.models.connections import Waits
    from mossbench.outcomes import Counted
    from mossbench.runs.progress import Progress
    from mossbench.samples import Side

LONGEST_REASON = 60
"""Characters of why rows wait."""


def waits_text(waits: Waits) -> str:
    """Which rows wait for what, and until when."""
    n = len(waits.rows)
    subject = f"{waits.rows[0]} waits" if n == 1 else f"{n} rows wait, {waits.rows[-1]} longest,"
    reason = " ".join(waits.reason.split())
    if len(reason) > LONGEST_REASON:
        reason = f"{reason[:LONGEST_REASON]} …"
    return f"{subject} until {waits.until:%H:%M:%S} ({reason})"


class RatesSoFar:
    """The refusal rate so far, under the default rule, and who waits."""

    def __init__(self) -> None:
        self._counts: dict[Side, Counter[Counted]] = defaultdict(Counter)
        self._n_failed = 0
        self._n = 0
        self.text = ""
        self.last_waits: Waits | None = None

    def waits(self, waits: Waits) -> None:
        self.last_waits = waits

    def waiting(self) -> str:
        """What is said of rows that wait, as long as they do."""
        from datetime import datetime

        if self.last_waits is None or datetime.now().astimezone() >= self.last_waits.until:
            return ""
        return waits_text(self.last_waits)

    def add(self, event: Progress) -> str:
        from mossbench.outcomes import Counted, Layer, Rule, counted

        self._counts[event.key.side][counted(event.outcome, Rule.SYSTEM)] += 1
        self._n_failed += event.outcome.layer is Layer.FAILED
        self._n += 1
        parts = []
        for side, counts in sorted(self._counts.items()):
            n_refused = counts[Counted.REFUSED]
            n = n_refused + counts[Counted.COMPLIED]  # this rule leaves nothing unknown
            parts.append(f"{side.adjective} refused {n_refused / n:.0%}" if n else f"{side.adjective} refused –")
        if self._n_failed:
            parts.append(f"{self._n_failed} failed")
        resumed = f"of {self._n} new rows: " if self._n < event.done else ""  # nobody told of the others
        self.text = resumed + ", ".join(parts)
        return self.text


BAR = 16


def bar_line(
    name: str, n_done: int, total: int | None, seconds_left: float | None, facts: Sequence[str], width: int
) -> str:
    """One line that fits: the time left stays whatever the width, the name is shortened last; the least is left out."""
    parts = [f"{n_done}/{total}" if total else "starting"]
    is_finished = total and n_done >= total
    if seconds_left is not None and not is_finished:
        parts.append(f"{clock(seconds_left)} left")
    n_full = round(BAR * n_done / total) if total else 0
    bar = "━" * n_full + "┄" * (BAR - n_full)
    for part in (*facts, bar):
        if part and len("  ".join((name, *parts, part))) <= width:
            parts.append(part)
    name_width = max(width - len("  ".join(("", *parts))), 8)
    shown_name = name if len(name) <= name_width else f"…{name[-(name_width - 1) :]}"
    return "  ".join((shown_name, *parts))[:width]


def clock(seconds: float) -> str:
    minutes, seconds_left = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes}:{seconds_left:02}"
    return f"{minutes // 60}:{minutes % 60:02}:{seconds_left:02}"
