"""Which run stands for a model, and which pairs What changed compares."""

from dataclasses import replace
from pathlib import Path

from mossbench.outcomes import Layer
from mossbench.protocols import SettingDifference, Topic
from mossbench.reports.words.standing import whether_changed
from mossbench.results.changes import ModelDifference, changes
from mossbench.results.current import RunCandidate, choose_current, current_runs
from mossbench.samples import Side
from tables import results, row, sides


def run_at(day, benign, contrast=(True,) * 20, *, model="lab/m", data="a", **config):
    """A finished run of that day on data of this name."""
    made = results(sides(benign, contrast), model=model, **config)
    dataset = made.info.dataset.model_copy(update={"name": data, "hashes": {Side.BENIGN: data, Side.CONTRAST: data}})
    info = made.info.model_copy(update={"started": f"2026-01-{day:02}", "ended": "later", "dataset": dataset})
    return replace(made, folder=Path(f"day-{day}"), info=info)


def lost(n, of=20):
    """Outcomes of a side of which the first rows failed."""
    return [Layer.FAILED] * n + [False] * (of - n)


NONE = [False] * 20


def names(current):
    return (
        current.representative.results.name,
        [one.results.name for one in current.superseded],
        [one.candidate.results.name for one in current.passed_over],
    )


def chosen(*runs):
    return choose_current([RunCandidate(run) for run in runs])


def test_the_newest_stands_and_the_older_are_superseded():
    assert names(chosen(run_at(1, NONE), run_at(3, NONE), run_at(2, NONE))) == ("day-3", ["day-2", "day-1"], [])


def test_a_newer_run_with_over_five_per_cent_missing_is_passed_over_with_its_reason():
    current = chosen(run_at(1, NONE), run_at(2, lost(2)))
    assert names(current) == ("day-1", [], ["day-2"])
    assert current.passed_over[0].reason.startswith("harmless requests: 2 of 20 rows failed")
    assert names(chosen(run_at(1, NONE), run_at(2, lost(1)))) == ("day-2", ["day-1"], [])


def test_missing_harmful_rows_count_as_much_as_harmless_ones():
    assert names(chosen(run_at(1, NONE), run_at(2, NONE, lost(3)))) == ("day-1", [], ["day-2"])


def test_where_rows_of_all_runs_are_missing_the_newest_stands():
    assert names(chosen(run_at(1, lost(5)), run_at(2, lost(9)))) == ("day-2", ["day-1"], [])


def test_a_newer_run_of_one_side_does_not_stand_for_both():
    current = chosen(run_at(1, NONE), run_at(2, NONE, ()))
    assert names(current) == ("day-1", [], ["day-2"])
    assert current.passed_over[0].reason == "it has no harmful samples, as an earlier run of this model has"
    assert names(chosen(run_at(1, NONE, ()), run_at(2, NONE, ()))) == ("day-2", ["day-1"], [])


def test_runs_on_other_data_asked_otherwise_or_of_another_model_supersede_nothing():
    runs = [
        run_at(1, NONE),
        run_at(2, NONE, data="b"),
        run_at(3, NONE, temperature=1.0),
        run_at(4, NONE, model="lab/other"),
        run_at(5, NONE, base_url="http://127.0.0.1:1/v1"),
        run_at(6, [False] * 24),
    ]
    found = current_runs(runs)
    assert len(found) == 6 and not any(one.superseded or one.passed_over for one in found)
    assert found[0].representative.results.name == "day-6"  # the most samples


def test_another_seed_or_version_supersedes():
    assert len(current_runs([run_at(1, NONE, seed=1), run_at(2, NONE, seed=2)])) == 1


def test_what_changed_pairs_runs_on_the_same_data_and_protocol_alone():
    runs = [run_at(1, NONE), run_at(2, NONE, data="b"), run_at(3, NONE, temperature=1.0), run_at(4, NONE)]
    found = changes(runs)
    assert [(one.before, one.run, one.dataset) for one in found] == [("day-1", "day-4", "a")]
    assert changes(runs[:3]) == ()


def test_every_dataset_has_a_change_of_its_own():
    runs = [run_at(1, NONE), run_at(2, NONE, data="b"), run_at(3, [True] * 20), run_at(4, NONE, data="b")]
    found = {one.dataset: one for one in changes(runs)}
    assert {name: (one.before, one.run) for name, one in found.items()} == {
        "a": ("day-1", "day-3"),
        "b": ("day-2", "day-4"),
    }
    assert found["a"].differences[0].is_significant and not found["b"].differences[0].is_significant


def test_other_harmful_samples_are_other_data():
    before = run_at(1, NONE)
    after = run_at(2, NONE)
    other = after.info.dataset.model_copy(update={"hashes": {Side.BENIGN: "a", Side.CONTRAST: "c"}})
    assert changes([before, replace(after, info=after.info.model_copy(update={"dataset": other}))]) == ()


def test_a_run_with_missing_rows_compares_as_inconclusive_and_is_no_baseline():
    whole, holes, after = run_at(1, NONE), run_at(2, lost(8)), run_at(3, NONE)
    (change,) = changes([whole, holes])
    assert (change.before, change.run) == ("day-1", "day-2") and change.differences[0].is_inconclusive
    (change,) = changes([whole, holes, after])
    assert (change.before, change.run) == ("day-1", "day-3") and not change.differences[0].is_inconclusive


def test_equal_ids_of_data_without_a_hash_are_not_taken_for_the_same_data():
    def unhashed(day, word):
        made = run_at(day, NONE, ())
        rows = [row("benign", i, False) for i in range(20)]
        rows = [
            replace(one, sample=one.sample.model_copy(update={"question": f"{word} {one.sample.question}"}))
            for one in rows
        ]
        info = made.info.model_copy(update={"dataset": made.info.dataset.model_copy(update={"hashes": {}})})
        return replace(made, info=info, rows=tuple(rows))

    assert len(current_runs([unhashed(1, "cat"), unhashed(2, "dog")])) == 2
    assert len(current_runs([unhashed(1, "cat"), unhashed(2, "cat")])) == 1
    assert changes([unhashed(1, "cat"), unhashed(2, "dog")]) == ()


def test_what_differs_between_two_runs_of_a_model_is_a_record_with_a_topic():
    before = run_at(1, NONE)
    after = run_at(2, NONE, seed=7)
    after = replace(after, info=after.info.model_copy(update={"model_version": "m-2"}))
    (change,) = changes([before, after])
    seed = before.info.config.seed
    assert change.settings == (SettingDifference(Topic.SEED, seed, 7), ModelDifference("version", "not told", "m-2"))
    assert [setting.words() for setting in change.settings] == [f"seed: {seed} and 7", "version: not told and m-2"]
    (said,) = whether_changed([change])
    assert "under other settings than before (seed, version)" in said
