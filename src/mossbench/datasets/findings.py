"""Finding: one thing that is wrong or odd in a dataset, which samples have it, and the way out.

Loaders and `check` share it. A loader that was given no list stops at the first error; one that was given
a list writes every finding there and reads on, so that `check` can show all faults of a broken set at once.
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
    """Stable name, for scripts: `missing-picture`, `child-without-human` ..."""
    severity: Severity
    message: str
    way_out: str | WayOut
    samples: tuple[str, ...] = ()
    """`side/id` of the samples (or file names, for pictures without a record, or lines, for rows that are no samples);
    empty when it is about the whole."""
    like: str = ""
    """Findings of one code that are alike in this are one kind of fault; `grouped` makes one of them."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", short_message(self.message))  # it names values of the user's own files

    @property
    def n(self) -> int:
        return len(self.samples)

    def as_dict(self) -> dict[str, Any]:
        said = {"code": self.code, "severity": self.severity.value, "n": self.n, "message": self.message}
        return {**said, "way_out": step_in_python(self.way_out), "samples": list(self.samples)}


def finding_message(message: str, way_out: str | WayOut) -> Message:
    """What is wrong and what to do about it, as one."""
    return Message(f"{message}; {way_out}") if isinstance(way_out, str) else Message(message, (way_out,))


def grouped(findings: Iterable[Finding]) -> list[Finding]:
    """Each kind of fault once, with all that have it; the message is that of the first."""
    kinds: dict[tuple[str, str], list[Finding]] = {}
    for number, finding in enumerate(findings):
        kinds.setdefault((finding.code, finding.like or str(number)), []).append(finding)
    found = []
    for first, *others in kinds.values():
        samples = tuple(dict.fromkeys(name for one in (first, *others) for name in one.samples))
        message = f"{first.message} (the first of {1 + len(others)})"
        found.append(replace(first, message=message, samples=samples) if others else first)
    return found


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
    """Adds a finding to the list; without a list an error is raised and a warning is let pass."""
    if findings is not None:
        findings.append(Finding(code, severity, message, way_out, tuple(samples), like))
    elif severity is Severity.ERROR:
        raise DataError(finding_message(message, way_out))


def note_row(findings: list[Finding] | None, message: str, way_out: str | WayOut, line: int, like: str) -> None:
    """The same for a row that cannot be read."""
    note(findings, "malformed-row", message, way_out, [f"line {line}"], like)
