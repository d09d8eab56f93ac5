"""Why runs cannot be compared, and in what they were asked differently: as records, and what is said of them."""

import json
from dataclasses import replace

import mossbench as mb
from answered import JUDGE, answered, samples
from mossbench.protocols import Asked, Protocol, SettingDifference, Topic
from mossbench.results.comparability import (
    AskedDifferently,
    DifferentJudges,
    DifferentSamples,
    DifferentSettings,
    set_apart,
    why_not_comparable,
)
from mossbench.results.comparison_notes import ArmsNotCounted, JudgeDrifted, RecordedBefore
from mossbench.results.comparison_words import not_comparable_message, note_message
from mossbench.results.readiness import AllRowsFailed, NoRecordedAnswer, NotFinished, NotJudged, why_not_ready
from mossbench.samples import Side

PROTOCOL = Protocol(
    benign=Asked("aa", 6, "x", whole=True),
    contrast=None,
    arm="plain",
    system=None,
    temperature=0.0,
    max_tokens=1024,
    epochs=1,
    seed=42,
    judge="rules/4",
    rule="system",
)


def asked_a_model(results, **config):
    """The same results as if a model had been asked: recorded answers have no settings."""
    update = {"model": "openai/a", **config}
    info = results.info.model_copy(update={"config": results.info.config.model_copy(update=update)})
    return replace(results, info=info)


def test_a_difference_of_settings_has_the_settings_and_makes_its_words_of_them():
    other = replace(PROTOCOL, temperature=0.7, seed=None, not_taken=("top_p",))
    found = PROTOCOL.differences(other)
    assert [*found.values()] == [
        SettingDifference(Topic.TEMPERATURE, 0.0, 0.7),
        SettingDifference(Topic.SEED, 42, None),
        SettingDifference(Topic.NOT_TAKEN, (), ("top_p",)),
    ]
    assert [difference.words() for difference in found.values()] == [
        "temperature: 0 and 0.7",
        "seed: 42 and the provider's default",
        "settings not taken: none and top_p",
    ]


def test_settings_that_read_the_same_are_no_difference():
    assert replace(PROTOCOL, temperature=0.1 + 0.2).differences(replace(PROTOCOL, temperature=0.3)) == {}


def test_a_topic_that_only_one_protocol_has_is_no_difference():
    other = replace(PROTOCOL, contrast=Asked("bb", 3, "y", whole=True), copies=("release",))
    assert PROTOCOL.differences(other) == {} and other.differences(PROTOCOL) == {}


def test_whole_sides_differ_by_their_size_and_chosen_samples_by_their_ids():
    whole = PROTOCOL.benign
    assert not whole.differs_from(Asked("", 6, "z", whole=True))
    assert whole.differs_from(Asked("aa", 5, "x", whole=True))
    assert whole.differs_from(Asked("", 6, "x", whole=False))
    assert not whole.differs_from(Asked("aa", 6, "x", whole=False))
    chosen = Asked("aa", 2, "x", whole=False)
    assert chosen.differs_from(Asked("aa", 2, "y", whole=False))
    assert not chosen.differs_from(Asked("", 2, "x", whole=False))


def test_the_words_of_a_protocol_are_those_of_its_settings():
    protocol = replace(PROTOCOL, system="Be careful.", copies=("release", "reduced"))
    words = protocol.words()
    assert {type(topic) for topic in words} == {str}
    assert words.keys() == protocol.settings().keys()
    assert words[Topic.COPIES] == "release and reduced" and words[Topic.HARMLESS] == "all 6"
    assert words[Topic.SYSTEM].startswith("“Be careful.” (") and Topic.HARMFUL not in words


def test_a_comparison_has_what_was_asked_differently_as_records(tmp_path):
    data = samples(tmp_path / "data", 6, sides=("benign",))
    first = asked_a_model(answered(data, tmp_path / "a"))
    second = asked_a_model(answered(data, tmp_path / "b"), temperature=1.0, seed=7)
    found = mb.compare(first, second)
    settings = (SettingDifference(Topic.TEMPERATURE, 0.0, 1.0), SettingDifference(Topic.SEED, 42, 7))
    assert found.settings == (AskedDifferently(*found.runs, settings),)
    content = json.loads(json.dumps(found.to_dict()))
    assert content["asked_differently"] == list(found.asked_differently)
    assert content["settings"][0]["settings"][1] == {"topic": "seed", "first": 42, "second": 7}


def test_a_comparison_in_json_has_no_more_of_a_system_prompt_than_people_are_shown(tmp_path):
    data = samples(tmp_path / "data", 6, sides=("benign",))
    prompt = "You are careful. " * 10
    first = mb.run("control/candid", str(data), out=tmp_path / "a")
    second = mb.run("control/candid", str(data), out=tmp_path / "b", system=prompt)
    content = json.dumps(mb.compare(first, second).to_dict())
    assert "You are careful." in content and prompt not in content


def test_the_notes_of_a_comparison_are_records_of_a_kind_with_figures(tmp_path):
    data = samples(tmp_path / "data", 6, sides=("benign",))
    first = replace(answered(data, tmp_path / "a"), other_arms={"caption": 3, "blank": 1})
    second = replace(answered(data, tmp_path / "b"), drift="it reads otherwise")
    found = mb.compare(first, second)
    one, other, drifted, arms = found.remarks
    assert (one, other) == tuple(RecordedBefore(name) for name in found.runs)
    assert drifted == JudgeDrifted(found.runs[1], "it reads otherwise")
    assert isinstance(arms, ArmsNotCounted) and (arms.run, arms.kind) == (found.runs[0], "arms_not_counted")
    assert (arms.arms.n_answers, arms.arms.n_arms, arms.arms.counted_arm) == (4, 2, "plain")
    assert (
        found.messages == tuple(map(note_message, found.remarks))
        and str(first.uncounted_arms_message()) in found.notes[-1]
    )
    assert [note["kind"] for note in found.to_dict()["remarks"]] == [note.kind for note in found.remarks]


def test_why_two_runs_cannot_be_compared_is_a_record(tmp_path):
    data = samples(tmp_path / "data", 6)
    first = answered(data, tmp_path / "a")
    assert why_not_comparable(first, answered(data, tmp_path / "b")) is None
    other_data = why_not_comparable(first, answered(samples(tmp_path / "other", 6, word="item"), tmp_path / "c"))
    assert isinstance(other_data, DifferentSamples) and other_data.side is Side.BENIGN
    assert other_data.hashes[0] == first.info.dataset.hashes[Side.BENIGN] != other_data.hashes[1]
    other_judge = why_not_comparable(first, answered(data, tmp_path / "d", judge="keywords"))
    folders = (tmp_path / "a", tmp_path / "d")
    assert other_judge == DifferentJudges("a", "d", (JUDGE, "keywords/2"), folders)
    other_ids = why_not_comparable(first, answered(data, tmp_path / "e", ids=["1", "2"]))
    assert isinstance(other_ids, DifferentSettings)
    assert [setting.topic for setting in other_ids.settings] == [Topic.HARMLESS, Topic.HARMFUL]


def test_runs_are_set_apart_with_a_reason_each_and_the_first_that_is_ready_stays(tmp_path):
    data = samples(tmp_path / "data", 6)
    unjudged = answered(data, tmp_path / "a", judge=None)
    ready = answered(data, tmp_path / "b")
    failed = answered(data, tmp_path / "c", failed=range(1, 7))
    other = answered(data, tmp_path / "d", judge="keywords")
    reasons = set_apart([unjudged, ready, failed, other])
    assert [*reasons] == [0, 2, 3]
    assert isinstance(reasons[0], NotJudged) and isinstance(reasons[2], NoRecordedAnswer)
    assert reasons[3] == DifferentJudges("b", "d", (JUDGE, "keywords/2"), (tmp_path / "b", tmp_path / "d"))
    assert "has no verdicts" in str(not_comparable_message(reasons[0]))


def test_a_run_that_is_not_ready_says_what_is_missing(tmp_path):
    data = samples(tmp_path / "data", 6, sides=("benign",))
    failed = asked_a_model(answered(data, tmp_path / "failed", failed=range(1, 7)))
    assert why_not_ready(failed) == AllRowsFailed(failed.folder, 6)
    whole = answered(data, tmp_path / "whole")
    assert why_not_ready(whole) is None
    stopped = replace(whole, info=whole.info.model_copy(update={"max_cost": 1.0}))
    reason = why_not_ready(stopped)
    assert isinstance(reason, NotFinished) and reason.open_rows.max_cost == 1.0
