"""Fault: something that is wrong with a submission, and where in its file."""

from collections.abc import Iterable
from dataclasses import dataclass

MOST_FAULTS = 50
MOST_IDS = 8
"""Rows that are named of those that have one fault in common."""
MISSING = "is missing"
"""The text of a field's fault where the file does not have the field."""


@dataclass(frozen=True)
class Fault:
    text: str
    place: tuple[str, ...] = ()
    """The keys from the top of the file, such as sides, benign, responses, 12; empty if the text names the place."""

    @property
    def is_in_row(self) -> bool:
        return len(self.place) > 3 and self.place[0] == "sides" and self.place[2] == "responses"

    @property
    def is_missing_field(self) -> bool:
        return self.text == MISSING and bool(self.place) and not self.is_in_row

    @property
    def rows(self) -> str:
        """The path of the rows that it is among; empty if it is in no row."""
        return ".".join(self.place[:3]) if self.is_in_row else ""

    @property
    def row(self) -> str:
        """The id of its row, with the field where that is known."""
        return ".".join(self.place[3:]) if self.is_in_row else ""

    @property
    def message(self) -> str:
        return f"{'.'.join(self.place)}: {self.text}" if self.place else self.text


def row_fault(side: str, id: str, text: str) -> Fault:
    return Fault(text, ("sides", side, "responses", id))


def fault_messages(faults: Iterable[Fault]) -> tuple[str, ...]:
    """The faults as messages, each once: one that many rows have is said once for all of them, as are fields that
    are missing.
    """
    groups: dict[tuple[str, str], list[Fault]] = {}
    for fault in faults:
        has_joint_message = fault.is_in_row or fault.is_missing_field
        text = fault.text if has_joint_message else fault.message
        groups.setdefault((fault.rows, text), []).append(fault)
    messages = [
        _missing_fields(group) if group[0].is_missing_field else _joint_message(group) for group in groups.values()
    ]
    n_left_out = len(messages) - MOST_FAULTS
    if n_left_out > 0:
        return (*messages[:MOST_FAULTS], f"and {n_left_out} more")
    return tuple(messages)


def _missing_fields(faults: list[Fault]) -> str:
    """The message of all fields that are missing from the file as a whole or from a side."""
    fields = list(dict.fromkeys(".".join(fault.place) for fault in faults))
    listed = " and ".join([", ".join(fields[:-1]), fields[-1]]) if len(fields) > 1 else fields[0]
    are = "are" if len(fields) > 1 else "is"
    return f"{listed} {are} missing; write the file again with mossbench submit"


def _joint_message(faults: list[Fault]) -> str:
    """The message of faults that differ at most in their rows."""
    first = faults[0]
    ids = [fault.row for fault in faults]
    if len(set(ids)) == 1:
        return first.message
    named = ", ".join(dict.fromkeys(ids[:MOST_IDS]))
    ellipsis = " …" if len(ids) > MOST_IDS else ""
    return f"{first.rows}: {len(ids)} rows ({named}{ellipsis}): {first.text}"
