"""Several labels an answer, assigned to people by name, with the progress of each and their agreement."""

import math
from collections import Counter

import pytest

import mossbench as mb
from answered import answered, samples
from mossbench.annotation import Store, add_answers, agreement_of
from mossbench.annotation.answers import export_labels, settle
from mossbench.errors import UsageError

NAMES = ("Ana", "Ben", "Cho")


def items(n, prefix=""):
    return [(f"{prefix}{i}", {"scene": str(i), "n": i, "judged": None, "judge": ""}) for i in range(n)]


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "labels.db")


def sit(store, name):
    return store.annotator(store.join(name, may_exist=True))


def label_all(store, name, say=lambda body: "refused"):
    who = sit(store, name)
    seen = []
    while (item := store.next_item(who)) is not None:
        store.record(who, item.ref, "label", {"kind": say(item.body)})
        seen.append(item.body["n"])
    return seen


def test_three_people_label_the_same_hundred(store):
    store.add_items(items(100), double=1.0, seed=1, raters=3, people=NAMES)
    assert [sorted(label_all(store, name)) for name in NAMES] == [list(range(100))] * 3
    assert label_all(store, "Dan") == [], "it is assigned to others"
    assert Counter(Counter(label.item for label in store.labels()).values()) == {3: 100}


def test_three_people_who_are_not_named_label_the_same_hundred(store):
    store.add_items(items(100), double=1.0, seed=1, raters=3)
    assert [len(label_all(store, name)) for name in (*NAMES, "Dan")] == [100, 100, 100, 0]


def test_labels_are_dealt_out_evenly(store):
    store.add_items(items(30), double=0.5, seed=1, raters=2, people=NAMES)
    shares = [len(label_all(store, name)) for name in NAMES]
    assert sum(shares) == 15 * 2 + 15 and max(shares) - min(shares) <= 1


def test_an_assigned_item_waits_for_its_person_whoever_else_labelled_it(store):
    store.add_items(items(1), double=1.0, seed=1, raters=1, people=("Ana",))
    (ref,) = store.items()
    store.record(sit(store, "owner"), ref, "label", {"kind": "refused"})
    assert label_all(store, "Ana") == [0]


def test_the_progress_of_each_is_what_they_did_of_what_is_theirs(store):
    store.add_items(items(10), double=1.0, seed=1, raters=2, people=("Ana", "Ben"))
    ana = sit(store, "Ana")
    for kind in ("refused", "answered"):
        store.record(ana, store.next_item(ana).ref, "label", {"kind": kind})
    progress = {person.name: (person.n_labels, person.n_in_all, person.is_assigned) for person in store.people()}
    assert progress == {"Ana": (2, 10, True), "Ben": (0, 10, True)}
    assert (store.progress(ana).n_done, store.progress(ana).n_open) == (2, 8)


def test_answers_of_the_queue_can_be_given_to_more_people_later(store):
    assert store.add_items(items(4), double=0.0, seed=1) == 4
    assert len(label_all(store, "Ana")) == 4
    assert store.add_items(items(4), double=1.0, seed=1, raters=3, people=("Ben", "Cho", "Ana")) == 4
    assert [len(label_all(store, name)) for name in NAMES] == [0, 4, 4]
    assert store.add_items(items(4), double=1.0, seed=1, raters=3) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"raters": 3, "people": ("Ana", "Ben")}, "3 labels, but 2 people are named; name more, or ask for fewer"),
        ({"raters": 2, "people": ("Ana", "Ana")}, "2 labels, but 1 person is named"),
        ({"raters": 0}, "an answer is to have 0 labels, expected at least 1"),
        ({"people": ("x" * 61, "Ana")}, "expected 1 to 60 visible characters"),
        ({"people": ("", "Ana")}, "the name is '', expected 1 to 60 visible characters"),
    ],
)
def test_people_that_do_not_fit_are_refused_and_nothing_is_added(store, options, message):
    with pytest.raises(UsageError) as error:
        store.add_items(items(4), double=1.0, seed=1, **options)
    assert message in str(error.value) and not store.items()


def test_three_people_on_answers_of_a_run_from_queue_to_agreement(store, tmp_path):
    run = answered(samples(tmp_path / "data", 30), tmp_path / "run", refused=range(1, 11))
    assert add_answers(store, [run], labels_each=3, people=NAMES, side=mb.Side.BENIGN) == 30
    n_by_name = {"Ana": 10, "Ben": 10, "Cho": 14}
    for name, n_refused in n_by_name.items():

        def say(body, n_refused=n_refused):
            return "refused" if int(body["sample"]) <= n_refused else "answered"

        who = sit(store, name)
        while (item := store.next_item(who)) is not None:
            store.record(who, item.ref, "label", {"kind": say(item.body)})
    agreement = agreement_of(store.items(), store.labels(), store.decisions())
    refused = agreement.people[0]
    assert (agreement.n_double, refused.kappa_by, refused.n, refused.same) == (30, "Fleiss", 30, 26)
    assert 0.7 < refused.kappa.value < 0.9 and refused.alpha.low < refused.alpha.value < refused.alpha.high
    assert [(pair.first, pair.second) for pair in agreement.pairs] == [("Ana", "Ben"), ("Ana", "Cho"), ("Ben", "Cho")]
    assert agreement.pairs[0].kappa.value == 1 and not math.isnan(agreement.with_judge[0].kappa.value)
    rows = export_labels(None, store.items(), store.labels(), store.decisions())
    assert Counter(row["refused"] for row in rows) == {1: 10, 0: 20} and {row["n_labels"] for row in rows} == {3}


def test_the_majority_of_three_settles_an_answer(store):
    store.add_items(items(1), double=1.0, seed=1, raters=3)
    for name, kind in zip(NAMES, ("refused", "refused", "answered"), strict=True):
        label_all(store, name, lambda body, kind=kind: kind)
    settled = settle(list(store.labels()))
    assert (settled.refused, settled.by, settled.n_labels) == (True, "majority", 3)
