"""What is said when a file or the folder of a run is lost: what is gone with it, and how to go on."""

from pathlib import Path

import pytest

from mossbench.plumbing.places import Fate, PlaceLost
from mossbench.runs.losses import describe_loss
from mossbench.runs.stopping import noting_saved_answers
from mossbench.store.run_folder import RunFolder
from mossbench.ways_out import Command

FOLDER = RunFolder(Path("r"))


def lost_file(path, **fate):
    return PlaceLost(path, Fate(path, **fate), None)


def test_with_the_folder_the_answers_and_the_requests_under_way_are_lost():
    gone = Fate(FOLDER.path, is_deleted=True)
    lost = PlaceLost(FOLDER.answers_path, gone, gone)
    assert "lost with it: 3 answers and 2 requests in flight. " in describe_loss(
        lost, FOLDER, 3, "2 requests in flight"
    )
    assert "lost with it: 3 answers. " in describe_loss(lost, FOLDER, 3, "")


def test_a_file_in_the_place_of_the_answers_counts_and_without_one_a_new_one_begins():
    replaced = lost_file(FOLDER.answers_path, is_deleted=True, is_replaced=True)
    assert describe_loss(replaced, FOLDER, 3, "").endswith("the answers in the current file count")
    deleted = lost_file(FOLDER.answers_path, is_deleted=True)
    assert describe_loss(deleted, FOLDER, 3, "").endswith("a new file was started")


@pytest.mark.parametrize(
    ("now", "hint"),
    [
        (Path("r/old.jsonl"), "move it back to 'r/answers.jsonl'; then resume the run with: AGAIN"),
        (None, "the rest of the run is not affected; resume it with: AGAIN"),
    ],
)
def test_a_file_that_was_moved_is_to_be_moved_back_first(now, hint):
    with pytest.raises(PlaceLost) as lost, noting_saved_answers(FOLDER, Command("AGAIN", to="resume it"), 12):
        raise lost_file(FOLDER.answers_path, is_deleted=now is None, now=now)
    assert lost.value.__notes__ == [hint]
