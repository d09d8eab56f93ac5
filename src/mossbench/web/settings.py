"""The settings of a web app: where its files are, and who may use it."""

import ipaddress
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mossbench.annotation.reviews import DEFAULT_THRESHOLDS, Thresholds
from mossbench.errors import UsageError, shortened
from mossbench.results.table import Results
from mossbench.samples import Side

_HOST_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")


@dataclass(frozen=True)
class LabelWork:
    """The run whose answers people label until its rate is known well enough, in place of the usual queue."""

    results: Results
    side: Side
    within: float
    """Half of the width of the interval at which they are done."""
    seed: int
    """For a new plan; one that was begun has its own."""


@dataclass(frozen=True)
class Settings:
    """Where things lie and who may come in. Everything that is served lies inside these folders or in datasets."""

    runs: Path
    host: str = "127.0.0.1"
    token: str | None = None
    """Everybody needs it; required where the app can be reached from other machines: see `token_reason`."""
    hosts: tuple[str, ...] = ()
    """Further names that the app may be called by; one that is not of this machine needs a token."""
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
    label: LabelWork | None = None
    traces: Path | None = None
    """Folder of traces whose requests are sorted and shown."""

    def __post_init__(self) -> None:
        check_host_names(self.hosts)
        reason = token_reason(self.host, self.hosts)
        if reason and not self.token:
            raise UsageError(f"{reason}, which needs a token; set one")
        if self.token is not None and len(self.token) < 16:
            raise UsageError("the token is shorter than 16 characters; give a longer one, or none to have one made")

    @property
    def is_local(self) -> bool:
        return is_local_name(self.host)

    @property
    def host_names(self) -> frozenset[str]:
        """The further names as a Host header is compared with them."""
        return frozenset(plain_name(name) for name in self.hosts)

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


def token_reason(host: str, hosts: Sequence[str] = ()) -> str:
    """Why an app that listens on `host` and is called by `hosts` needs a token; empty where it needs none.

    A name that is not of this machine leads through something that others can reach, such as a proxy: to the app all
    of them come from loopback.
    """
    if not is_local_name(host):
        return f"host {host!r} can be reached from other machines"
    foreign = [name for name in hosts if not is_local_name(name)]
    if foreign:
        return f"host name {foreign[0]!r} can be used from other machines"
    return ""


def check_host_names(names: Sequence[str]) -> None:
    """A UsageError for one that no Host header can match: the port is no part of what is compared."""
    for name in names:
        plain = plain_name(name)
        if is_address(plain) or _HOST_NAME.fullmatch(plain):
            continue
        expected = "expected a name such as moss.example.org, without http://, port or path"
        raise UsageError(f"a host name to accept is {shortened(repr(name), 80)}, {expected}")


def is_local_name(name: str) -> bool:
    """Whether it can only mean this machine: localhost, a name below it, or a loopback address."""
    name = plain_name(name)
    return name == "localhost" or name.endswith(".localhost") or is_loopback(name)


def plain_name(name: str) -> str:
    """A host name without capitals, the brackets of an address and the dot of a full name."""
    name = name.lower().removesuffix(".")
    if name.startswith("[") and name.endswith("]"):
        return name[1:-1]
    return name


def is_loopback(address: str) -> bool:
    """Whether it is an address of this machine alone, also written as IPv6 (::ffff:127.0.0.1)."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        return ip.ipv4_mapped.is_loopback
    return ip.is_loopback


def is_address(host: str) -> bool:
    """Whether it is a number, not a name: no stranger's name server can make it lead elsewhere."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
