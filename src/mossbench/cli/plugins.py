"""What lists say of the plug-ins of other packages."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from mossbench.cli.printing import note
from mossbench.errors import UsageError

if TYPE_CHECKING:
    from mossbench.plumbing.plugins import Group


def described_plugins(group: Group, names_taken: Container[str]) -> dict[str, str]:
    """Name and description of each plug-in that can be used; the others are named in a note, with the reason."""
    from mossbench.plumbing.plugins import load_plugins

    descriptions: dict[str, str] = {}
    for plugin, loaded in load_plugins(group, names_taken):
        if isinstance(loaded, UsageError):
            note(f"note: left out: {loaded}")
        else:
            descriptions[plugin.name] = loaded.description
    return descriptions
