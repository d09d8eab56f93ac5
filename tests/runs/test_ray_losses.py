"""What is said of a Ray cluster that has no worker: lost ones are told from a cluster without room. Needs no Ray."""

from pathlib import Path

from mossbench.runs.engines.ray_losses import lost_nodes, no_room, no_worker_left, not_placed, reason_of
from mossbench.ways_out import Resume

AGAIN = Resume(Path("r"))
HERE = {"NodeID": "a1", "Alive": True, "NodeManagerHostname": "one"}
GONE = {"NodeID": "b2", "Alive": False, "NodeManagerHostname": "two", "DeathReason": 2}


def test_nodes_that_are_gone_are_named_and_those_taken_out_on_purpose_are_not():
    retired = {"NodeID": "c3", "Alive": False, "NodeManagerHostname": "three", "DeathReason": 1}
    nameless = {"NodeID": "d4", "Alive": False}
    assert lost_nodes([HERE, GONE, GONE, retired, nameless]) == ["two", "d4"]


def test_a_place_for_a_worker_that_was_lost_is_not_called_no_room():
    said = not_placed(120, "The actor died because its node has died.", [])
    assert "a worker was lost (The actor died because its node has died.)" in said and "room" not in said
    assert "node two of the Ray cluster was lost" in not_placed(120, "", ["two"])
    assert not_placed(120, "", []) == "the cluster had no room for one within 120 s"


def test_whoever_has_no_worker_left_is_told_what_was_lost_and_how_to_resume():
    message = no_worker_left(not_placed(120, "its node has died", ["two"]), ["two"], AGAIN)
    assert str(message) == (
        "no worker is left: a worker was lost (its node has died), and no other could be started in its place within "
        "120 s; node two of the Ray cluster was lost; start the node again or add another, then resume it with: "
        "resume_run('r')"
    )


def test_a_cluster_that_is_too_small_since_a_node_was_lost_is_said_to_have_lost_it():
    assert no_room("1 CPU of 0", ["two", "three"], AGAIN).text.startswith(
        "nodes two, three of the Ray cluster were lost, and"
    )
    assert no_room("9 CPU of 4", [], AGAIN).text.startswith(
        "the Ray cluster has no room for a worker, which takes 9 CPU of 4"
    )


def test_what_ray_says_on_pages_is_one_line():
    assert reason_of(ValueError("The actor\n\tdied" + " unexpectedly" * 99)).startswith("The actor died unexpectedly")
    assert len(reason_of(ValueError("x" * 9999))) < 310 and reason_of(ValueError()) == "ValueError"
