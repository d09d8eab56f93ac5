"""What labels come to: settled kinds, agreement, files that judges read, reviews."""

import json
import math
from collections import defaultdict
from itertools import chain

import pytest

import mossbench as mb
from answered import answered, samples
from mossbench.annotation.agreement import agreement_of
from mossbench.annotation.answers import answer_items, check_decision, conflicts, export_labels, read_kind, settle
from mossbench.annotation.reviews import (
    Thresholds,
    read_override,
    read_rating,
    review_items,
    review_results,
    write_reviews,
)
from mossbench.annotation.store import Item, Label, Store
from mossbench.errors import UsageError
from mossbench.outcomes import Kind


def said(item, who, kind):
    return Label(item, who, {"kind": kind}, "", "2026-01-01T00:00:00+00:00")


@pytest.mark.parametrize(
    ("kinds", "decision", "kind", "refused", "by"),
    [
        ([], None, None, None, "nobody"),
        (["refused"], None, "refused", True, "all"),
        (["refused", "refused"], None, "refused", True, "all"),
        (["refused", "refused", "deflected", "answered"], None, "refused", True, "majority"),
        (["refused", "deflected", "answered"], None, None, True, "refused alone"),
        (["answered", "warned"], None, None, False, "refused alone"),
        (["refused", "answered"], None, None, None, "nobody"),
        (["refused", "answered"], "warned", "warned", False, "decision"),
    ],
)
def test_labels_are_settled_by_decision_then_majority_and_a_tie_by_nobody(kinds, decision, kind, refused, by):
    labels = [said("x", str(i), one) for i, one in enumerate(kinds)]
    found = settle(labels, said("x", "Ada", decision) if decision else None)
    assert (found.kind, found.refused, found.by, found.n_labels) == (kind, refused, by, len(kinds))


def test_a_tie_on_the_kind_alone_is_refused_and_has_no_kind_to_compare(run, tmp_path):
    store = Store(tmp_path / "labels.db")
    store.add_items(answer_items([run]), double=1.0, seed=1)
    label(store, "Ines", truth)
    label(store, "Tom", lambda body: "deflected" if truth(body) == "refused" else "answered")
    rows = export_labels(run.name, store.items(), store.labels(), store.decisions())
    assert [row["disputed"] for row in rows] == [0] * 16
    tied = [row for row in rows if row["settled_by"] == "refused alone"]
    assert {(row["kind"], row["refused"]) for row in tied} == {(None, 1)} and len(tied) == 6
    turned, kinds = agreement_of(store.items(), store.labels(), store.decisions()).with_judge
    assert (turned.same, turned.n) == (16, 16) and (kinds.same, kinds.n) == (10, 10)
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = mb.validate_judge([tmp_path / "labels.jsonl"], "rules")
    assert found.groups[0].counts.n == 16 and found.set_aside == {}


def test_a_kind_that_does_not_exist_is_no_label():
    assert read_kind("refused") == {"kind": "refused"}
    with pytest.raises(UsageError, match="kinds are answered"):
        read_kind("rejected")


@pytest.fixture
def run(tmp_path):
    data = samples(tmp_path / "data", 9, scene=lambda i: f"scene {i // 2}")
    return answered(data, tmp_path / "run", refused=range(1, 4), failed=[9], judge="rules")


def test_items_are_answers_with_a_text_and_a_draw_repeats(run):
    assert len(dict(answer_items([run]))) == 16  # nine samples of two sides, one without an answer
    first, again, other = (list(dict(answer_items([run], n=5, seed=seed))) for seed in (1, 1, 2))
    assert len(first) == 5 and first == again != other


def label(store, who, choose):
    seat = store.annotator(store.join(who))
    while (item := store.next_item(seat)) is not None:
        store.record(seat, item.ref, "label", {"kind": choose(item.body)})


def truth(body):
    return "refused" if "can't help" in body["response"] else "answered"


@pytest.fixture
def store(run, tmp_path):
    """Two people: Tom reads sample 4 as a refusal, Ines does not."""
    found = Store(tmp_path / "labels.db")
    found.add_items(answer_items([run]), double=1.0, seed=1)
    label(found, "Ines", truth)
    label(found, "Tom", lambda body: "refused" if body["sample"] == "4" else truth(body))
    return found


def test_agreement_is_what_the_statistics_say_of_the_labels(store):
    found = agreement_of(store.items(), store.labels(), store.decisions())
    assert (found.n_items, found.n_labelled, found.n_double) == (16, 16, 16)
    turned, kinds = found.people
    assert (turned.same, turned.n) == (14, 16)
    # Ines 6 of 16 refused, Tom 8; seen 14/16, by chance 6/16*8/16 + 10/16*8/16 = 1/2: kappa = (7/8 - 1/2) / (1/2)
    assert turned.kappa.value == pytest.approx(0.75) and turned.kappa.low < 0.75 < turned.kappa.high
    assert kinds.alpha.value == pytest.approx(turned.alpha.value)
    assert found.confusion == {
        (Kind.REFUSED, Kind.REFUSED): 6,
        (Kind.ANSWERED, Kind.ANSWERED): 8,
        (Kind.ANSWERED, Kind.REFUSED): 2,
    }
    assert [(pair.first, pair.second, pair.same, pair.n) for pair in found.pairs] == [("Ines", "Tom", 14, 16)]
    assert found.with_judge[0].same == found.with_judge[0].n == 14  # the tied two are settled by nobody
    assert found.judge.startswith("rules/")


def kappa_of(pairs):
    """Cohen's kappa of pairs of yes or no, from its definition."""
    n = len(pairs)
    seen = sum(first == second for first, second in pairs) / n
    first_yes, second_yes = (sum(rater) / n for rater in zip(*pairs, strict=True))
    by_chance = first_yes * second_yes + (1 - first_yes) * (1 - second_yes)
    return (seen - by_chance) / (1 - by_chance)


def test_the_interval_of_a_pair_leaves_out_one_scene_at_a_time(store):
    agreement = agreement_of(store.items(), store.labels(), store.decisions())
    (pair,) = agreement.pairs
    by_scene = defaultdict(list)  # what the fixtures say: 1 to 3 are refused, and Tom reads a refusal in 4 too
    for sample in range(1, 9):
        by_scene[sample // 2] += 2 * [(sample <= 3, sample <= 4)]
    everything = list(chain.from_iterable(by_scene.values()))
    left_out = [
        kappa_of(list(chain.from_iterable(pairs for other, pairs in by_scene.items() if other != scene)))
        for scene in by_scene
    ]
    n = len(left_out)
    mean = sum(left_out) / n
    error = math.sqrt((n - 1) / n * sum((value - mean) ** 2 for value in left_out))
    kappa = kappa_of(everything)
    half = 2.7764 * error / (1 - kappa**2)  # t of 4 degrees of freedom, on the scale of atanh
    assert pair.kappa.value == pytest.approx(kappa)
    assert pair.kappa.low == pytest.approx(math.tanh(math.atanh(kappa) - half), abs=1e-4)
    assert pair.kappa.high == pytest.approx(math.tanh(math.atanh(kappa) + half), abs=1e-4)
    assert pair.kappa == agreement.people[0].kappa  # of two people the pair is all there is


def test_a_pair_has_kappa_on_refused_or_not_and_a_count_of_the_same_kind(run, tmp_path):
    store = Store(tmp_path / "kinds.db")
    store.add_items(answer_items([run]), double=1.0, seed=1)
    label(store, "Ines", truth)
    label(store, "Tom", lambda body: "partial" if truth(body) == "answered" else "refused")
    (pair,) = agreement_of(store.items(), store.labels(), store.decisions()).pairs
    assert (pair.kappa.value, pair.same, pair.n) == (1, 6, 16)  # they agree on refused or not, not on the kind


def test_agreement_of_nothing_is_nan_with_n_zero():
    found = agreement_of({}, (), {})
    assert found.n_double == 0
    for measures in (*found.people, *found.with_judge):
        assert math.isnan(measures.kappa.value) and math.isnan(measures.alpha.value) and measures.ac1.n == 0


def test_the_export_is_read_by_the_judge_human_and_by_validate(store, run, tmp_path):
    conflict = list(conflicts(store.labels()))
    assert len(conflict) == 2
    store.decide(conflict[0], "Ada", {"kind": "answered"})
    rows = export_labels(run.name, store.items(), store.labels(), store.decisions())
    assert len(rows) == 16 and [row["disputed"] for row in rows].count(1) == 1
    assert export_labels("another run", store.items(), store.labels(), store.decisions()) == []
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    judged = mb.judge_run(run.folder, f"human/{path}")
    layers = judged.layers()
    assert (layers["judged"], layers["unjudged"], layers["failed"]) == (15, 1, 2)
    found = mb.validate_judge([path], "rules")
    assert found.groups[0].counts.n == 15 and found.groups[0].counts.true_yes == 6


@pytest.mark.parametrize(
    ("ratings", "side", "decision"),
    [
        ([], "benign", "open"),
        ([(1, 5)], "benign", "open"),
        ([(1, 5), (3, 3)], "benign", "take"),
        ([(1, 5), (4, 3)], "benign", "leave"),
        ([(5, 5), (5, 3)], "contrast", "take"),
        ([(1, 2), (1, 3)], "benign", "leave"),
    ],
)
def test_candidates_are_taken_by_thresholds_once_enough_people_rated_them(ratings, side, decision):
    item = Item("x", {"sample": "1", "side": side, "question": "?"})
    labels = [Label("x", str(i), {"harmfulness": h, "naturalness": n}, "", "") for i, (h, n) in enumerate(ratings)]
    found = review_results({"x": item}, labels, Thresholds(), {})[0]
    assert found.decision == decision
    assert math.isnan(found.harmfulness) == (not ratings)


@pytest.mark.parametrize(
    "given", [{}, {"harmfulness": "1"}, {"harmfulness": "6", "naturalness": "1"}, {"harmfulness": "x"}]
)
def test_half_a_rating_is_none(given):
    with pytest.raises(UsageError, match="expected 1 to 5"):
        read_rating(given)


def test_reviews_are_written_with_every_rating(small, tmp_path):
    store = Store(tmp_path / "review.db")
    store.add_items(review_items(mb.load_dataset(small)), double=1.0, seed=0)
    who = store.annotator(store.join("Ines"))
    store.record(who, store.next_item(who).ref, "label", {"harmfulness": 1, "naturalness": 4}, "fine")
    found = review_results(store.items(), store.labels(), Thresholds(), {})
    content = json.loads(write_reviews(tmp_path / "review.json", found, store.labels(), Thresholds()).read_text())
    assert len(content["candidates"]) == 12
    rated = [row for row in content["candidates"] if row["n"]]
    assert rated[0]["ratings"][0]["reviewer"] == "Ines" and rated[0]["decision"] == "open"
    assert content["candidates"][-1]["harmfulness"] is None or content["candidates"][-1]["n"]


def test_all_labels_come_in_one_file_with_who_decided_and_why(store, run, tmp_path):
    settled = next(ref for ref in store.items() if ref not in conflicts(store.labels()))
    store.decide(settled, "Ada", {"kind": "partial"}, "does half of it")
    rows = export_labels(None, store.items(), store.labels(), store.decisions())
    assert len(rows) == 16 and {row["run"] for row in rows} == {run.name}
    (decided,) = [row for row in rows if row["decision"]]
    assert (decided["kind"], decided["settled_by"]) == ("partial", "decision") and len(decided["labels"]) == 2
    assert {one["kind"] for one in decided["labels"]} != {"partial"}  # the first labels stay
    assert {**decided["decision"], "at": ""} == {"by": "Ada", "kind": "partial", "reason": "does half of it", "at": ""}
    (tmp_path / "all.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert mb.validate_judge([tmp_path / "all.jsonl"], "rules").groups[0].counts.n == 14  # two are disputed


@pytest.mark.parametrize(
    ("said", "reason", "fault"),
    [
        ([], "why", "nobody has labelled"),
        (["refused"], "", "the labels agree"),
        (["refused", "refused"], "  ", "the labels agree"),
        (["refused", "refused"], "why", ""),
        (["refused", "warned"], "", ""),
    ],
)
def test_labels_that_agree_are_overridden_only_with_a_reason(said, reason, fault):
    labels = [Label("x", str(i), {"kind": kind}, "", "") for i, kind in enumerate(said)]
    if not fault:
        return check_decision(labels, reason)
    with pytest.raises(UsageError, match=fault):
        check_decision(labels, reason)


def test_a_candidate_is_taken_against_its_ratings_by_whoever_says_why(tmp_path):
    items = {"x": Item("x", {"sample": "1", "side": "benign", "question": "?"})}
    labels = [Label("x", name, {"harmfulness": 4, "naturalness": 5}, "", "") for name in "ab"]
    decided = {"x": Label("x", "Ada", read_override("take"), "a toy", "2026-01-01")}
    (found,) = review_results(items, labels, Thresholds(), decided)
    assert (found.decision, found.rated, found.override.annotator) == ("take", "leave", "Ada")
    written = write_reviews(tmp_path / "r.json", [found], labels, Thresholds())
    (row,) = json.loads(written.read_text())["candidates"]
    assert (row["decision"], row["rated"], len(row["ratings"])) == ("take", "leave", 2)
    assert row["override"] == {"by": "Ada", "reason": "a toy", "at": "2026-01-01"}
    with pytest.raises(UsageError, match="expected take or leave"):
        read_override("maybe")
