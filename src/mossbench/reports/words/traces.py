"""Sentences about imported logs: what an import gave, what was deleted."""

from __future__ import annotations

from collections.abc import Mapping

from mossbench.errors import n_of
from mossbench.traces.importing import Imported
from mossbench.traces.purging import Purged
from mossbench.traces.records import ImportedFile

_NOUNS = {
    "email": "e-mail address",
    "phone": "phone number",
    "card": "payment card",
    "ip": "IP address",
    "key": "key or password",
}


def imported_lines(imported: Imported) -> list[str]:
    """What each file gave, and where it is."""
    lines = []
    for file in imported.files:
        lines += _file_lines(file)
    lines.append(f"wrote {imported.folder}, which only you may open")
    return lines


def _file_lines(file: ImportedFile) -> list[str]:
    formats = ", ".join(f"{name} {n:,}" for name, n in file.formats.items())
    lines = [f"{file.source}: {n_of(file.n_traces, 'trace')}{f' ({formats})' if formats else ''}"]
    if file.n_repeated:
        lines.append(f"  {file.n_repeated:,} imported before: not added again")
    if file.n_unread:
        lines.append(f"  {n_of(file.n_unread, 'line')} not read: kept with the reason in unread.jsonl")
    for what, n in file.skipped.items():
        lines.append(f"  {n:,} skipped: {what}")
    lines.append(f"  {redacted_text(file.redacted)}")
    if file.images:
        lines.append(f"  images: {', '.join(f'{n:,} {what}' for what, n in file.images.items())}")
    return lines


def redacted_text(redacted: Mapping[str, int]) -> str:
    """How much was redacted, by kind."""
    if not redacted:
        return "nothing to redact was found"
    return f"redacted: {', '.join(_n_of_kind(kind, n) for kind, n in redacted.items())}"


def _n_of_kind(kind: str, n: int) -> str:
    noun = _NOUNS.get(kind, f"of {kind}")
    plurals = {
        "e-mail address": "e-mail addresses",
        "IP address": "IP addresses",
        "key or password": "keys or passwords",
    }
    if n == 1 or kind not in _NOUNS:
        return f"{n:,} {noun}"
    return f"{n:,} {plurals.get(noun, f'{noun}s')}"


def purged_text(purged: Purged) -> str:
    """What was deleted, and what is left."""
    return (
        f"deleted {n_of(purged.n_traces, 'trace')} from before {purged.before[:16].replace('T', ' ')} UTC, with "
        f"{n_of(purged.n_unread, 'unread line')} and {n_of(purged.n_images, 'image')}; "
        f"{n_of(purged.n_left, 'trace')} left"
    )
