"""How a model was asked, as a submission states it: written from a run, and read from a file that may hold anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mossbench.leaderboard.display_texts import clean_or_none
from mossbench.protocols import UNKNOWN, Subject, not_taken

if TYPE_CHECKING:
    from mossbench.store.run_info import RunInfo

MOST_CHARACTERS = 40
"""Of a stated value that a page shows."""


@dataclass(frozen=True)
class StatedSettings:
    """What can be read of the `settings` of a submission; what is not of its kind is as good as not stated."""

    system: str | None
    """The system prompt."""
    endpoint: str | None
    """A digest of the address that was asked. None: the provider's own. UNKNOWN in submissions of version 0.1.0."""
    as_published: bool
    google_safety: str | None
    is_recorded: bool
    """Whether the answers were recorded before, so that nobody knows how they were asked for."""
    not_taken: tuple[str, ...]
    """Settings that the provider did not take."""
    sampling: Mapping[str, object]
    """Temperature and the like; of recorded answers those of the replay, which groups them with each other."""


def read_settings(settings: Mapping[str, object]) -> StatedSettings:
    """The settings that a file states, whoever wrote it."""
    system = settings.get("system")
    endpoint = settings.get("endpoint", UNKNOWN)
    google_safety = settings.get("google_safety")
    replayed_with = settings.get("replayed_with")
    return StatedSettings(
        system=system if isinstance(system, str) else None,
        endpoint=None if endpoint is None else str(endpoint)[:MOST_CHARACTERS],
        as_published=settings.get("as_published") is True,
        google_safety=google_safety[:MOST_CHARACTERS] if isinstance(google_safety, str) else None,
        is_recorded=bool(settings.get("recorded")),
        not_taken=not_taken(settings),
        sampling={**replayed_with, **settings} if isinstance(replayed_with, dict) else settings,
    )


def settings_of_run(info: RunInfo, subject: Subject) -> dict[str, object]:
    """The `settings` of a run's submission: what moves answers and names neither a path nor a server.

    Of recorded answers nobody knows how they were asked for: the sampling is that of the replay.
    """
    config = info.config
    sampling: dict[str, object] = {
        "seed": config.seed,
        "temperature": config.temperature,
        "max_tokens": config.max_tokens,
        "as_published": config.as_published,
        "google_safety": clean_or_none(config.google_safety),
    }
    if config.effort is not None:
        sampling["effort"] = clean_or_none(config.effort)
    if config.params:
        sampling["params"] = config.params
    settings: dict[str, object] = {
        "system": clean_or_none(config.system),
        "endpoint": subject.endpoint,
        "not_taken": list(not_taken(info.sent)),
    }
    if info.recorded:
        return {**settings, "recorded": True, "replayed_with": sampling}
    return {**sampling, **settings}
