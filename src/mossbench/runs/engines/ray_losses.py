"""Why a Ray cluster has no worker for a run: a lost worker or node is told from a cluster that never had room.

Imports nothing of Ray, so that what is said can be tested without it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mossbench.messages import Message
from mossbench.ways_out import SetOption, WayToResume

LONGEST_REASON = 300
"""Characters of what Ray says of a loss; its messages are pages long."""


def lost_nodes(nodes: Iterable[Mapping[str, Any]]) -> list[str]:
    """Names of the nodes that `ray.nodes()` has as dead; one that was taken out of service on purpose is none."""
    dead = [node for node in nodes if not node.get("Alive", True)]
    unexpected = [node for node in dead if "EXPECTED_TERMINATION" != _death_reason(node)]
    return list(dict.fromkeys(_node_name(node) for node in unexpected))


def _death_reason(node: Mapping[str, Any]) -> str:
    """Ray's name for why a node is gone, where its version says one."""
    reason = node.get("DeathReason")
    return {1: "EXPECTED_TERMINATION"}.get(reason, "") if isinstance(reason, int) else str(reason or "")


def _node_name(node: Mapping[str, Any]) -> str:
    for field in ("NodeManagerHostname", "NodeManagerAddress", "NodeID"):
        if node.get(field):
            return str(node[field])
    return "a node without a name"


def reason_of(error: BaseException) -> str:
    """What Ray says of a loss, in one line."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]} …"


def not_placed(seconds: float, last_loss: str, nodes: Sequence[str]) -> str:
    """Why no worker came within so many seconds. One was lost before (`last_loss`), or nodes were, or neither."""
    if last_loss:
        return f"a worker was lost ({last_loss}), and no other could be started in its place within {seconds:g} s"
    if nodes:
        return f"{_named(nodes)}, and no worker could be started elsewhere within {seconds:g} s"
    return f"the cluster had no room for one within {seconds:g} s"


def no_worker_left(why: str, nodes: Sequence[str], again: WayToResume) -> Message:
    """The message of a run that has lost all its workers."""
    also = f"; {_named(nodes)}" if nodes and _named(nodes) not in why else ""
    way_out = replace(again, to="start the node again or add another, then resume it") if nodes else again
    return Message(f"no worker is left: {why}{also}", (way_out,))


def no_room(needed: str, nodes: Sequence[str], again: WayToResume) -> Message:
    """The message of a run for which the cluster, as it is now, has no room."""
    if not nodes:
        fewer = (SetOption("num_cpus"), SetOption("num_gpus"))
        return Message(f"the Ray cluster has no room for a worker, which takes {needed}", fewer)
    text = f"{_named(nodes)}, and what is left of the Ray cluster has no room for a worker, which takes {needed}"
    return Message(text, (replace(again, to="start the node again or add another, then resume it"),))


def _named(nodes: Sequence[str]) -> str:
    if len(nodes) == 1:
        return f"node {nodes[0]} of the Ray cluster was lost"
    return f"nodes {', '.join(nodes)} of the Ray cluster were lost"
