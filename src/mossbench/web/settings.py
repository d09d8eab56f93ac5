"""What a web app is told when it is made."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mossbench.annotation.reviews import DEFAULT_THRESHOLDS, Thresholds
from mossbench.errors import UsageError


@dataclass(frozen=True)
class Settings:
    """Where things lie and who may come in. Everything that is served lies inside these folders or in datasets."""

    runs: Path
    host: str = "127.0.0.1"
    token: str | None = None
    """Asked of everybody; there has to be one where the app can be reached from other machines."""
    hosts: tuple[str, ...] = ()
    """Further names that the app may be called by."""
    data: tuple[str, ...] = ()
    """Datasets to show beside the bundled one, the published one where it is cached, and those of the runs."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Which columns of those hold what."""
    review: Path | None = None
    """Folder of candidate samples to review."""
    thresholds: Thresholds = DEFAULT_THRESHOLDS
    board: Path | None = None
    annotations: Path | None = None
    build: Path | None = None
    """Folder of a dataset that is being built."""

    def __post_init__(self) -> None:
        if not self.is_local and not self.token:
            raise UsageError(f"host {self.host!r} can be reached from other machines, which needs a token; set one")
        if self.token is not None and len(self.token) < 16:
            raise UsageError("the token is shorter than 16 characters; give a longer one, or none to have one made")

    @property
    def is_local(self) -> bool:
        return self.host == "localhost" or (is_address(self.host) and ipaddress.ip_address(self.host).is_loopback)

    @property
    def folder(self) -> str:
        """The folder of runs as pages call it: as it was typed, and of a whole path only the end."""
        return self.runs.name if self.runs.is_absolute() else str(self.runs)

    @property
    def board_path(self) -> Path:
        return self.board or self.runs / "board"

    @property
    def annotations_path(self) -> Path:
        return self.annotations or self.runs / "annotations.db"


def is_address(host: str) -> bool:
    """Whether it is a number, not a name: no stranger's name server can make it lead elsewhere."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
