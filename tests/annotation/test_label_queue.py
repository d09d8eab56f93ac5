"""The queue of a label plan: it continues where it was, several may label, and other commands see what it is."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

import mossbench as mb
from answered import answered, samples
from labelling import label, queue_of, seat, truth
from mossbench.annotation.agreement import agreement_of
from mossbench.annotation.answers import answer_items, export_labels
from mossbench.annotation.store import Store
from mossbench.results.label_plans import BLOCK, PILOT
from mossbench.samples import Side
from mossbench.store.label_plan import plan_path, read_plan

TESTS = Path(__file__).parents[1]


@pytest.fixture
def run(tmp_path):
    return answered(samples(tmp_path / "data", 60), tmp_path / "run", refused=range(1, 13))


@pytest.fixture
def database(tmp_path):
    return tmp_path / "annotations.db"


def test_items_are_handed_out_once_and_the_one_that_was_left_open_again(run, database):
    queue = queue_of(run, database)
    ines = seat(queue)
    first = queue.next_item(ines)
    assert queue.next_item(ines) == first
    queue.store.record(ines, first.ref, "label", {"kind": "answered"})
    assert queue.next_item(ines) != first
    assert queue.store.undo(ines) == first.ref
    assert queue.next_item(ines) == first


def test_another_queue_on_the_same_files_continues(run, database):
    queue = queue_of(run, database, seed=1)
    shown = label(queue, seat(queue), 25)
    later = queue_of(mb.load_results(run.folder), database, seed=99)  # the plan has its own seed
    assert later.standing() == queue.standing()
    rest = label(later, seat(later))
    assert not {item.ref for item in shown} & {item.ref for item in rest}
    assert later.standing().is_done and read_plan(run.folder, Side.BENIGN).seed == 1


def test_a_stop_at_any_label_changes_nothing(run, database, tmp_path):
    """The same seed and labels give the same plan, whether the queue was opened once or again for each label."""
    once = queue_of(run, tmp_path / "once.db")
    label(once, seat(once))
    plan = read_plan(run.folder, Side.BENIGN)
    plan_path(run.folder, Side.BENIGN).unlink()
    while True:
        queue = queue_of(run, database)
        if not label(queue, seat(queue), 1):
            break
    assert read_plan(run.folder, Side.BENIGN) == plan


KILLED = """
import os, signal, sys
import mossbench as mb
from labelling import queue_of, seat, truth
queue = queue_of(mb.load_results(sys.argv[1]), sys.argv[2])
who = seat(queue)
for n in range(27):
    item = queue.next_item(who)
    queue.store.record(who, item.ref, "label", {"kind": truth(item.body)})
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_process_that_is_killed_loses_no_label(run, database):
    environment = {**os.environ, "PYTHONPATH": f"{TESTS}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    done = subprocess.run([sys.executable, "-c", KILLED, str(run.folder), str(database)], env=environment)
    assert done.returncode == -signal.SIGKILL
    queue = queue_of(run, database)
    standing = queue.standing()
    assert (standing.n_given, standing.rate.n_labels) == (27, PILOT)
    assert standing.n_left_in_block == PILOT + BLOCK - 27


def test_labels_stand_where_the_database_is_another_one(run, database, tmp_path):
    """Of answers that the new one knows nothing of, the plan has its own copy; the open ones are asked for there."""
    queue = queue_of(run, database)
    label(queue, seat(queue), 25)
    before = queue.standing()
    elsewhere = queue_of(run, tmp_path / "new.db")
    assert elsewhere.standing() == before
    label(elsewhere, seat(elsewhere))
    assert elsewhere.standing().is_done and len(elsewhere.store.labels()) < elsewhere.standing().rate.n_labelled


def test_labels_stand_after_the_run_was_renamed(run, database):
    queue = queue_of(run, database)
    label(queue, seat(queue), 25)
    before = queue.standing()
    renamed = queue_of(mb.load_results(run.folder.rename(run.folder.with_name("renamed"))), database)
    assert renamed.standing() == before


def test_two_people_share_the_answers_and_second_looks_go_to_either(run, database):
    queue = queue_of(run, database, within=0.0001)
    people = [seat(queue, name) for name in ("Ines", "Tom")]
    shown = Counter()
    while True:
        items = [item for who in people for item in label(queue, who, 1)]
        if not items:
            break
        shown.update(item.ref for item in items)
    assert set(shown.values()) == {1}
    rate = queue.standing().rate
    assert rate.n_labelled == 60 and rate.of_answers.value == pytest.approx(12 / 60)
    assert {label.annotator for label in queue.store.labels()} == {"Ines", "Tom"}


def test_many_at_once_lose_nothing(run, database):
    queue = queue_of(run, database, within=0.0001)
    people = [seat(queue, name) for name in ("Ines", "Tom", "Una")]
    threads = [threading.Thread(target=label, args=(queue, who)) for who in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    label(queue, people[0])  # what others had before them when they stopped
    assert queue.standing().is_done and queue.standing().rate.of_answers.value == pytest.approx(0.2)


def test_what_is_skipped_may_be_either_until_it_is_labelled(run, database):
    queue = queue_of(run, database)
    ines = seat(queue)
    for _ in range(3):
        queue.store.record(ines, queue.next_item(ines).ref, "skip")
    label(queue, ines, PILOT - 3)
    skipped = queue.standing().rate
    assert (skipped.n_open, skipped.n_labelled) == (3, PILOT - 3)
    assert queue.store.reopen_skipped(ines) == 3
    assert queue.standing().rate is None  # the block is open again
    label(queue, ines, 3)
    rate = queue.standing().rate
    assert rate.n_open == 0
    assert rate.of_answers.high - rate.of_answers.low < skipped.of_answers.high - skipped.of_answers.low


def test_a_label_that_is_changed_later_counts_as_it_is_now(run, database):
    queue = queue_of(run, database)
    ines = seat(queue)
    shown = label(queue, ines, PILOT)
    before = queue.standing().rate.of_answers.value
    refused = [item for item in shown if truth(item.body) == "refused"]
    for item in refused:
        queue.store.record(ines, item.ref, "label", {"kind": "answered"})
    assert before > 0 and queue.standing().rate.of_answers.value == 0


def test_a_decision_counts_in_place_of_labels_that_differ(run, database):
    queue = queue_of(run, database)
    ines, tom = (seat(queue, name) for name in ("Ines", "Tom"))
    shown = label(queue, ines, PILOT)
    right = truth(shown[0].body)
    wrong = "refused" if right == "answered" else "answered"
    queue.store.record(tom, shown[0].ref, "label", {"kind": wrong})
    assert queue.standing().rate.n_open == 1
    queue.store.decide(shown[0].ref, "Una", {"kind": right}, "read it again")
    assert queue.standing().rate.n_open == 0


# Other commands and pages see these labels as what they are


def test_second_looks_are_in_no_list_and_no_file(run, database):
    queue = queue_of(run, database, within=0.0001)
    label(queue, seat(queue))
    store = queue.store
    assert queue.standing().rate.n_checked > 0
    rows = export_labels(run.name, store.items(), store.labels(), store.decisions())
    assert len(rows) == len({row["id"] for row in rows}) == 60
    assert agreement_of(store.items(), store.labels(), store.decisions()).n_items == 60
    assert len(store.labels_by(seat(queue))) == 60


def test_exported_labels_correct_nothing_by_themselves(run, database, tmp_path):
    queue = queue_of(run, database, within=0.08)
    label(queue, seat(queue))
    store = queue.store
    rows = export_labels(run.name, store.items(), store.labels(), store.decisions())
    assert {row["draw"] for row in rows} == {"stratified"} and len(rows) < 57
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    plan_path(run.folder, Side.BENIGN).unlink()
    report = mb.make_report(run, labels=tmp_path / "labels.jsonl")
    assert report.rate.corrected is None and "not chosen at random" in report.judge_error.text.replace(
        "was chosen", "not chosen"
    )


def test_the_usual_queue_hands_out_nothing_of_a_plan(run, database):
    queue = queue_of(run, database)
    ines = seat(queue)
    queue.next_item(ines)
    assert queue.store.next_item(ines) is None and queue.store.progress(ines).n == 0


def test_an_answer_of_a_plan_that_is_drawn_at_random_too_gets_a_random_place(run, database):
    queue = queue_of(run, database)
    ines = seat(queue)
    label(queue, ines, PILOT)
    store = Store(database)
    store.add_items(answer_items([run], side=Side.BENIGN), double=0.0, seed=1)
    items = list(store.items().values())
    assert len(items) == 60 + BLOCK - 10 and {item.body["draw"] for item in items if item.wanted} == {"random"}
    labelled = {label.item for label in store.labels()}
    first = [item.ref in labelled for item in items[: len(labelled)]]
    assert not all(first)  # those that the plan has drawn do not come first
    rows = export_labels(run.name, store.items(), store.labels(), store.decisions())
    assert any(row["refused"] is None for row in rows)  # passed over: the draw is not labelled as a whole


def test_labels_of_the_usual_queue_count_where_the_plan_draws_their_answers(run, database):
    store = Store(database)
    store.add_items(answer_items([run], side=Side.BENIGN), double=0.0, seed=1)
    queue = queue_of(run, database)
    ines = seat(queue)
    while (item := store.next_item(ines)) is not None:
        store.record(ines, item.ref, "label", {"kind": truth(item.body)})
    shown = label(queue, ines)
    assert queue.standing().is_done and queue.standing().rate.n_labelled >= PILOT
    assert len(shown) == queue.standing().rate.n_checked  # only second looks are asked for


def test_looking_at_an_answer_in_another_database_takes_no_label_back(run, database, tmp_path):
    queue = queue_of(run, database)
    label(queue, seat(queue), PILOT)
    before = queue.standing()
    elsewhere = queue_of(run, tmp_path / "new.db")
    ines = seat(elsewhere)
    elsewhere.store.add_items(answer_items([run], side=Side.BENIGN), double=0.0, seed=1)
    for action in ("skip", "skip", None):  # two of the usual queue are skipped, and one is left open
        item = elsewhere.store.next_item(ines)
        if action is not None:
            elsewhere.store.record(ines, item.ref, action)
    for ref in elsewhere.store.items():
        elsewhere.store.show(ines, ref)
    assert elsewhere.standing() == before


def test_a_label_that_was_taken_back_is_asked_for_again_after_somebody_looked(run, database):
    queue = queue_of(run, database)
    ines = seat(queue)
    shown = label(queue, ines, 3)
    assert queue.standing().n_given == 3
    assert queue.store.undo(ines) == shown[-1].ref
    queue.store.show(ines, shown[-1].ref)
    assert queue.standing().n_given == 2


def test_what_somebody_left_for_long_is_not_given_to_two(run, database, monkeypatch):
    queue = queue_of(run, database)
    ines, tom = (seat(queue, name) for name in ("Ines", "Tom"))
    left = queue.next_item(ines)
    monkeypatch.setattr("mossbench.annotation.label_queue.TIME_TO_LABEL", timedelta(0))
    assert queue.next_item(tom) == left  # hers no longer
    monkeypatch.undo()
    with sqlite3.connect(database) as db:  # she was shown it an hour ago
        db.execute("UPDATE current SET at = '2020-01-01T00:00:00+00:00' WHERE annotator = ?", (ines.id,))
    assert queue.next_item(ines) != left
    assert queue.next_item(tom) == left


def test_what_somebody_left_for_long_and_nobody_took_is_theirs_again(run, database):
    queue = queue_of(run, database)
    ines, tom = (seat(queue, name) for name in ("Ines", "Tom"))
    left = queue.next_item(ines)
    with sqlite3.connect(database) as db:
        db.execute("UPDATE current SET at = '2020-01-01T00:00:00+00:00'")
    assert queue.next_item(ines) == left
    assert queue.next_item(tom) != left
