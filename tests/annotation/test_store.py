"""The store keeps everything, hands out what is needed, and can be used by many at once."""

import hashlib
import json
import sqlite3
import threading
from collections import Counter
from contextlib import closing

import pytest

from mossbench.annotation.people import MIGRATIONS
from mossbench.annotation.store import Store
from mossbench.errors import DataError, StorageError, UsageError


def items(n, prefix=""):
    return [(f"{prefix}{i}", {"scene": str(i), "n": i}) for i in range(n)]


@pytest.fixture
def store(tmp_path):
    found = Store(tmp_path / "labels.db")
    found.add_items(items(20), double=0.5, seed=1)
    return found


def seat(store, name):
    return store.annotator(store.join(name))


def label_all(store, who, kind="refused"):
    n = 0
    while (item := store.next_item(who)) is not None:
        store.record(who, item.ref, "label", {"kind": kind})
        n += 1
    return n


def test_the_same_item_is_added_once_and_the_order_is_mixed_by_the_seed(tmp_path):
    orders = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        store = Store(tmp_path / f"{name}.db")
        assert store.add_items(items(20), double=0.25, seed=seed) == 20
        assert store.add_items(items(22), double=0.0, seed=seed) == 2
        found = list(store.items().values())
        assert Counter(item.wanted for item in found) == {2: 5, 1: 17}
        orders.append([item.body["n"] for item in found])
    assert orders[0] == orders[1] != orders[2] and orders[0] != sorted(orders[0])


def test_one_person_gets_every_item_once_and_a_second_only_the_double_ones(store):
    assert label_all(store, seat(store, "Ines")) == 20
    assert label_all(store, seat(store, "Tom")) == 10
    assert label_all(store, seat(store, "Una")) == 0
    counts = Counter(label.item for label in store.labels())
    assert all(counts[ref] == item.wanted for ref, item in store.items().items())


def test_what_is_shown_to_one_is_kept_from_another_and_given_again_to_the_one(store):
    ines, tom = seat(store, "Ines"), seat(store, "Tom")
    mine = store.next_item(ines)
    assert store.next_item(ines).ref == mine.ref
    if mine.wanted == 1:
        assert store.next_item(tom).ref != mine.ref


def test_undo_takes_back_one_after_the_other_and_nothing_is_removed(store):
    who = seat(store, "Ines")
    done = []
    for kind in ("refused", "answered"):
        item = store.next_item(who)
        store.record(who, item.ref, "label", {"kind": kind})
        done.append(item.ref)
    store.next_item(who)
    assert [store.undo(who), store.undo(who), store.undo(who)] == [done[1], done[0], None]
    assert store.labels() == () and store.next_item(who).ref == done[0]
    store.record(who, done[0], "label", {"kind": "warned"}, "on second thoughts")
    assert store.next_item(who).ref == done[1]
    assert [(label.item, label.value, label.note) for label in store.labels()] == [
        (done[0], {"kind": "warned"}, "on second thoughts")
    ]
    with closing(sqlite3.connect(store.path)) as db:
        kept = [row[0] for row in db.execute("SELECT value FROM events WHERE action = 'label' ORDER BY id")]
        assert len(kept) == 3


def test_skipped_items_come_back_only_when_asked_for(store):
    who = seat(store, "Ines")
    skipped = store.next_item(who).ref
    store.record(who, skipped, "skip")
    assert label_all(store, who) == 19
    assert (store.progress(who).n_done, store.progress(who).n_skipped, store.progress(who).n_open) == (19, 1, 0)
    assert store.reopen_skipped(who) == 1 and store.next_item(who).ref == skipped


def test_progress_says_what_is_left_for_me_and_what_waits_for_others(store):
    ines, tom = seat(store, "Ines"), seat(store, "Tom")
    assert store.progress(ines).n == 20
    label_all(store, ines)
    assert (store.progress(ines).n_open, store.progress(ines).n_waiting) == (0, 10)
    assert (store.progress(tom).n_open, store.progress(tom).n_waiting) == (10, 0)


@pytest.mark.parametrize("table", ["events", "decisions"])
@pytest.mark.parametrize("change", ["UPDATE {} SET note = 'x'", "DELETE FROM {}"])
def test_the_record_cannot_be_changed(store, table, change):
    who = seat(store, "Ines")
    ref = store.next_item(who).ref
    store.decide(ref, "Ada", {"kind": "refused"})
    with closing(sqlite3.connect(store.path)) as db, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute(change.format(table))


def test_names_are_taken_once_and_tokens_are_not_kept_as_they_are(store):
    token = store.join("  Ines   Maria ")
    assert store.annotator(token).name == "Ines Maria"
    with pytest.raises(UsageError, match="taken"):
        store.join("Ines Maria")
    again = store.join("Ines Maria", invited=True)
    assert store.annotator(again) == store.annotator(token)
    assert store.annotator("") is None and store.annotator(token + "x") is None
    assert not any(token.encode() in path.read_bytes() for path in store.path.parent.glob("labels.db*"))
    for name in ("", "   ", "x" * 61, "a\x00b", "a\u202eb"):
        with pytest.raises(UsageError, match="expected 1 to 60 visible characters"):
            store.join(name)


def test_decisions_hold_until_they_are_taken_back(store):
    refs = list(store.items())[:2]
    for ref in refs:
        store.decide(ref, "Ada", {"kind": "refused"})
    assert store.undo_decision("Ben") is None, "he decided nothing"
    assert store.undo_decision("Ada") == refs[1] and set(store.decisions()) == {refs[0]}
    assert store.undo_decision("Ada") == refs[0] and store.undo_decision("Ada") is None


def test_a_decision_that_somebody_makes_meanwhile_is_not_taken_back(store, monkeypatch):
    ref = next(iter(store.items()))
    store.decide(ref, "Ada", {"kind": "refused"})
    read_decisions = store.decisions

    def decide_meanwhile():
        decisions = read_decisions()
        store.decide(ref, "Ben", {"kind": "answered"})
        return decisions

    monkeypatch.setattr(store, "decisions", decide_meanwhile)
    transactions = []
    write = store._write
    monkeypatch.setattr(store, "_write", lambda: transactions.append("write") or write())
    store.undo_decision("Ada")
    assert transactions == ["write"]
    assert not store.decision_history(ref)[-1].value and read_decisions() == {}


def written_by(steps, path):
    """A file as an earlier version left it: two items, of which Tom, who came by a link, labelled one."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for step in MIGRATIONS[:steps]:
            db.executescript(step)
        db.execute(f"PRAGMA user_version = {steps}")
        db.execute("INSERT INTO annotators (id, name, created) VALUES (1, 'Tom', '2026-01-01')")
        columns = "hash, annotator, created"
        token = hashlib.sha256(b"by-link-old").hexdigest()
        db.execute(f"INSERT INTO tokens ({columns}) VALUES (?, 1, '2026-01-01')", (token,))
        for i in (1, 2):
            db.execute("INSERT INTO items VALUES (?, ?, ?, ?, 1, '{}')", (i, f"r{i}", f"s{i}", i))
        db.execute(
            "INSERT INTO events VALUES (1, 1, 1, 'label', ?, 'hm', '2026-01-01')", (json.dumps({"kind": "refused"}),)
        )
    return Store(path)


@pytest.mark.parametrize("steps", range(1, len(MIGRATIONS)))
def test_an_older_file_is_brought_up_to_date_and_keeps_its_labels(tmp_path, steps):
    new = written_by(steps, tmp_path / "a.db")
    assert [(one.item, one.annotator, one.note) for one in new.labels()] == [("r1", "Tom", "hm")]
    assert new.decisions() == {} and new.next_item(new.annotator("by-link-old")).ref == "r2"


@pytest.mark.parametrize("steps", range(1, 3))
def test_links_of_a_file_that_was_written_before_open_until_a_new_one_is_made(tmp_path, steps):
    store = written_by(steps, tmp_path / "a.db")
    assert (store.annotator("by-link-old").name, store.annotator("by-link-old").role) == ("Tom", "guest")
    assert store.people()[0].link == "open"
    store.join("Tom", invited=True)
    assert store.annotator("by-link-old") is None


def test_a_newer_file_another_file_and_a_bad_place_are_refused_in_a_sentence(tmp_path):
    Store(tmp_path / "a.db")
    with closing(sqlite3.connect(tmp_path / "a.db")) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(DataError, match="newer mossbench"):
        Store(tmp_path / "a.db")
    (tmp_path / "b.db").write_text("this is no database, but long enough to look like one " * 50)
    with pytest.raises(DataError, match="damaged or not a file"):
        Store(tmp_path / "b.db")
    (tmp_path / "c").write_text("")
    with pytest.raises(StorageError):
        Store(tmp_path / "c" / "d.db")


@pytest.mark.slow
def test_a_hundred_annotators_at_once_label_everything_as_often_as_wanted(tmp_path):
    store = Store(tmp_path / "many.db")
    store.add_items(items(200), double=0.5, seed=3)
    people = [seat(store, f"person {i}") for i in range(100)]
    faults, acknowledged = [], []
    ready = threading.Barrier(100)

    def work(who):
        try:
            ready.wait()
            while (item := store.next_item(who)) is not None:
                store.record(who, item.ref, "label", {"kind": "refused"})
                acknowledged.append((item.ref, who.name))
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(who,)) for who in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert sorted((label.item, label.annotator) for label in store.labels()) == sorted(acknowledged)
    counts = Counter(label.item for label in store.labels())
    assert all(counts[ref] == item.wanted for ref, item in store.items().items())


def test_two_processes_that_open_a_new_file_at_once_both_get_it(tmp_path):
    faults = []

    def open_():
        try:
            Store(tmp_path / "new.db")
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=open_) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


def test_what_was_taken_back_or_replaced_is_remembered_with_its_note(store):
    who = seat(store, "Ines")
    ref = store.next_item(who).ref
    store.record(who, ref, "label", {"kind": "refused"}, "hm")
    assert store.earlier_label(who, ref) is None
    store.undo(who)
    assert store.next_item(who).ref == ref
    assert (store.earlier_label(who, ref).value, store.earlier_label(who, ref).note) == ({"kind": "refused"}, "hm")
    store.record(who, ref, "label", {"kind": "warned"})
    assert store.earlier_label(who, ref) is None  # what was taken back is no longer in question
    store.record(who, ref, "label", {"kind": "partial"})
    assert store.earlier_label(who, ref).value == {"kind": "warned"}


def test_the_same_label_twice_is_one_and_what_is_labelled_is_not_skipped(store, tmp_path):
    who = seat(store, "Ines")
    ref = store.next_item(who).ref
    for _ in range(2):
        store.record(who, ref, "label", {"kind": "refused"}, "hm")
    store.record(who, ref, "skip")
    assert [(one.item, one.value["kind"]) for one in store.labels()] == [(ref, "refused")]
    with closing(sqlite3.connect(tmp_path / "labels.db")) as db:
        assert db.execute("SELECT count(*) FROM events WHERE action <> 'shown'").fetchone() == (1,)
    store.record(who, ref, "label", {"kind": "refused"}, "another note")
    assert store.labels()[0].note == "another note"


@pytest.mark.parametrize("name", ["ines", " INES ", "Ines"])
def test_a_name_is_the_same_in_capitals_and_with_blanks_around_it(store, name):
    first = seat(store, "Ines")
    with pytest.raises(UsageError, match="'Ines' is taken"):
        store.join(name)
    assert store.annotator(store.join(name, invited=True)) == first


def test_a_new_link_revokes_the_one_before_and_a_seat_by_name_stays(store):
    by_name, first = store.join("Ines"), store.join("Tom", invited=True)
    second = store.join("tom", invited=True)
    assert store.annotator(first) is None and store.annotator(second).name == "Tom"
    mine = store.join("Ines", invited=True)
    assert store.annotator(by_name) == store.annotator(mine)
    assert store.revoke("Tom") == 1 and store.annotator(second) is None and store.revoke("Tom") == 0
    assert store.annotator(store.join("Tom", invited=True)).name == "Tom"
    with pytest.raises(UsageError, match="no user named 'Una'"):
        store.revoke("Una")


def test_people_have_a_role_that_a_new_link_keeps(store):
    token = store.join("Tom", invited=True, role="reviewer")
    store.join("Ines")
    assert store.annotator(token).role == "reviewer"
    assert store.annotator(store.join("Tom", invited=True)).role == "reviewer"
    store.set_role("Tom", "guest")
    store.revoke("Tom")
    ines, tom = seat(store, "Una"), store.annotator(store.join("Tom", invited=True))
    store.record(tom, store.next_item(tom).ref, "label", {"kind": "refused"})
    assert ines.role == tom.role == "guest"
    found = {person.name: (person.role, person.n_labels, bool(person.last), person.link) for person in store.people()}
    assert found == {
        "Tom": ("guest", 1, True, "open"),
        "Ines": ("guest", 0, False, "none"),
        "Una": ("guest", 0, False, "none"),
    }


def test_everything_that_one_said_can_be_found_again(store):
    who, other = seat(store, "Ines"), seat(store, "Tom")
    refs = []
    for action, value in (("label", {"kind": "refused"}), ("skip", None), ("label", {"kind": "warned"})):
        refs.append(store.next_item(who).ref)
        store.record(who, refs[-1], action, value)
    store.record(who, refs[0], "label", {"kind": "partial"}, "on second thoughts")
    assert [(one.item, one.value, one.note) for one in store.labels_by(who)] == [
        (refs[0], {"kind": "partial"}, "on second thoughts"),
        (refs[2], {"kind": "warned"}, ""),
        (refs[1], {}, ""),
    ]
    assert store.labels_by(other) == ()


def test_a_reason_that_is_too_long_is_an_error_and_never_cut(store):
    ref = next(iter(store.items()))
    with pytest.raises(UsageError, match="the note has 2001 characters, the maximum is 2000"):
        store.decide(ref, "Ada", {"kind": "refused"}, "x" * 2001)
    assert store.decision_history(ref) == ()


def test_every_decision_is_kept_with_who_when_and_why(store):
    ref = next(iter(store.items()))
    store.decide(ref, "Ada", {"kind": "refused"}, "it says no")
    store.decide(ref, "Bea", None)
    store.decide(ref, "Bea", {"kind": "partial"}, "only in part")
    found = store.decision_history(ref)
    assert [(one.annotator, one.value, one.note) for one in found] == [
        ("Ada", {"kind": "refused"}, "it says no"),
        ("Bea", {}, ""),
        ("Bea", {"kind": "partial"}, "only in part"),
    ]
    assert found[0].at < found[2].at and store.decisions()[ref].value == {"kind": "partial"}
