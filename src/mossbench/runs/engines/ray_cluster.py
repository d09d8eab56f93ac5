"""The Ray cluster that a run is asked on: joining it, and how many workers it has room for."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from mossbench.errors import RunError, needing
from mossbench.runs.engines.ray_losses import lost_nodes

with needing("engine 'ray'", "ray"):
    import ray


@dataclass(frozen=True)
class JoinedCluster:
    """The cluster that this process has joined or started."""

    address: str | None
    """None: it was started here, or is that of RAY_ADDRESS."""
    variables: dict[str, str]
    """The environment at that time, which workers have; a key that is set later is not among them."""


_joined: JoinedCluster | None = None


def join_cluster(address: str | None) -> None:
    """Joins the cluster at the address, or starts one here; one that is joined already is kept while it is the same.

    A cluster that the user has joined outside of the program is kept in any case.
    """
    global _joined
    cluster_to_join = JoinedCluster(address, dict(os.environ))
    if ray.is_initialized() and _joined is not None and _joined != cluster_to_join:
        ray.shutdown()
    if ray.is_initialized():
        return
    try:
        if address:
            ray.init(address, log_to_driver=False, logging_level="error")
        else:
            ray.init(address, log_to_driver=False, logging_level="error", include_dashboard=False)
    except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
        place = address or os.environ.get("RAY_ADDRESS", "this machine")
        raise RunError(f"no Ray cluster at {place}: {error}") from error
    # The environment once more: starting a cluster may have set variables of its own.
    _joined = JoinedCluster(address, dict(os.environ))


def names_of_lost_nodes() -> list[str]:
    """Names of the cluster's nodes that are gone; none where the cluster itself no longer answers."""
    try:
        return lost_nodes(ray.nodes())
    except Exception:  # whatever Ray raises: the worker's own loss is told all the same
        return []


@dataclass(frozen=True)
class WorkerNeeds:
    """What one worker takes of a cluster."""

    num_cpus: float
    num_gpus: float

    def n_workers_in(self, resources: Mapping[str, float]) -> int:
        """How many workers there is room for; one for each CPU where a worker takes nothing."""
        needed = self._needed()
        if not needed:
            return int(resources.get("CPU", 1))
        return min(int(resources.get(kind, 0) // amount) for kind, amount in needed.items())

    def describe(self, resources: Mapping[str, float]) -> str:
        """What it takes of what there is, for messages."""
        return ", ".join(f"{amount:g} {kind} of {resources.get(kind, 0):g}" for kind, amount in self._needed().items())

    def _needed(self) -> dict[str, float]:
        """What it takes any of, by Ray's names."""
        amounts = {"CPU": self.num_cpus, "GPU": self.num_gpus}
        return {kind: amount for kind, amount in amounts.items() if amount}
