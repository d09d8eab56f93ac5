"""Finding: one thing that is wrong or odd in a dataset, which samples have it, and what to do about it.

Loaders and `check` share it. A loader without a list of findings stops at the first error; with a list it adds every
finding and reads on, so that `check` can show all faults of a broken set at once.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from mossbench.errors import DataError, short_message
from mossbench.messages import Message, step_in_python
from mossbench.ways_out import WayOut


class Severity(StrEnum):
    """An error spoils numbers or stops a run; a warning is worth knowing."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Finding:
    """One kind of fault and all that have it."""

    code: str
    """Stable name, for scripts: `missing-image`, `child-without-human` ..."""
    severity: Severity
    message: str
    way_out: str | WayOut
    samples: tuple[str, ...] = ()
    """`side/id` of the samples (or file names, for pictures without a record, or lines, for rows that are no samples);
    empty when it is about the whole."""
    like: str = ""
    """Findings with the same code and the same text here are one kind of fault; `grouped` joins them."""

    def __post_init__(self) -> None:
        # The message may hold long values from the user's files.
        object.__setattr__(self, "message", short_message(self.message))

    @property
    def n(self) -> int:
        return len(self.samples)

    def as_dict(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "severity": self.severity.value,
            "n": self.n,
            "message": self.message,
            "way_out": step_in_python(self.way_out),
            "samples": list(self.samples),
        }


def finding_message(message: str, way_out: str | WayOut) -> Message:
    """The message of a finding together with what to do about it."""
    return Message(f"{message}; {way_out}") if isinstance(way_out, str) else Message(message, (way_out,))


def grouped(findings: Iterable[Finding]) -> list[Finding]:
    """Each kind of fault once, with all samples that have it and the message of the first."""
    kinds: dict[tuple[str, str], list[Finding]] = {}
    for number, finding in enumerate(findings):
        kinds.setdefault((finding.code, finding.like or str(number)), []).append(finding)
    return [_joined(group) for group in kinds.values()]


def _joined(group: list[Finding]) -> Finding:
    first = group[0]
    if len(group) == 1:
        return first
    samples: dict[str, None] = {}  # a set in order
    for finding in group:
        samples |= dict.fromkeys(finding.samples)
    return replace(first, message=f"{first.message} (the first of {len(group)})", samples=tuple(samples))


def note(
    findings: list[Finding] | None,
    code: str,
    message: str,
    way_out: str | WayOut,
    samples: Iterable[str] = (),
    like: str = "",
    *,
    severity: Severity = Severity.ERROR,
) -> None:
    """Adds a finding to the list; without a list, an error is raised and a warning is ignored."""
    if findings is not None:
        findings.append(Finding(code, severity, message, way_out, tuple(samples), like))
    elif severity is Severity.ERROR:
        raise DataError(finding_message(message, way_out))


def note_row(findings: list[Finding] | None, message: str, way_out: str | WayOut, line: int, like: str) -> None:
    """Notes a row that cannot be read."""
    note(findings, "malformed-row", message, way_out, [f"line {line}"], like)
