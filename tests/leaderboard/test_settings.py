"""How a model was asked, as a submission states it: a file may hold anything in its place."""

import pytest

import mossbench as mb
from mossbench.datasets.recognition import Copy
from mossbench.leaderboard.settings import read_settings
from mossbench.leaderboard.submission_records import submitted_protocol, submitted_subject
from mossbench.protocols import UNKNOWN
from mossbench.samples import Side


def test_what_is_stated_is_read():
    stated = read_settings(
        {
            "system": "Be kind.",
            "endpoint": "0123456789ab",
            "as_published": True,
            "google_safety": "BLOCK_NONE",
            "not_taken": ["seed"],
            "temperature": 0.5,
        }
    )
    assert (stated.system, stated.endpoint) == ("Be kind.", "0123456789ab")
    assert (stated.as_published, stated.google_safety) == (True, "BLOCK_NONE")
    assert (stated.is_recorded, stated.not_taken) == (False, ("seed",))
    assert stated.sampling["temperature"] == 0.5


def test_nothing_stated_is_an_unknown_endpoint_and_the_providers_own_is_null():
    assert read_settings({}).endpoint == UNKNOWN
    assert read_settings({"endpoint": None}).endpoint is None


@pytest.mark.parametrize("junk", [3, 1.5, True, [], ["x" * 99], {}, {"a": {"b": 1}}, "y" * 99])
def test_junk_is_as_good_as_not_stated(junk):
    names = ("system", "endpoint", "as_published", "google_safety", "recorded", "replayed_with", "not_taken")
    stated = read_settings(dict.fromkeys(names, junk))
    assert stated.system is None or stated.system == junk
    assert len(stated.endpoint) <= 40
    assert stated.as_published is (junk is True)
    assert stated.google_safety is None or len(stated.google_safety) <= 40
    assert stated.is_recorded is bool(junk)
    assert all(len(name) <= 40 for name in stated.not_taken)
    assert stated.sampling["system"] == junk


def test_recorded_answers_state_the_sampling_of_their_replay():
    stated = read_settings({"recorded": True, "replayed_with": {"seed": 7, "temperature": 1.0}, "temperature": 0.0})
    assert stated.is_recorded
    assert (stated.sampling["seed"], stated.sampling["temperature"]) == (7, 0.0)


def test_a_run_states_what_moves_its_answers(small):
    results = mb.run(
        "control/candid", small, system="Be\x07 kind.", temperature=0.25, max_tokens=77, seed=5, as_published=False
    )
    submission = mb.make_submission(results, availability="open")
    assert submission.settings == {
        "seed": 5,
        "temperature": 0.25,
        "max_tokens": 77,
        "as_published": False,
        "google_safety": None,
        "system": "Be  kind.",
        "endpoint": None,
        "not_taken": [],
    }
    protocol = submitted_protocol(submission)
    assert (protocol.system, protocol.temperature, protocol.max_tokens, protocol.seed) == ("Be  kind.", 0.25, 77, 5)
    assert submitted_subject(submission).endpoint is None


def test_of_recorded_answers_nobody_knows_which_copy_was_asked(small):
    submission = mb.make_submission(mb.run("control/candid", small), availability="open")
    submission = submission.model_copy(update={"copies": {Side.BENIGN: Copy.REDUCED}})
    assert submitted_protocol(submission).copies == (Copy.REDUCED,)
    recorded = submission.model_copy(update={"settings": {**submission.settings, "recorded": True}})
    assert submitted_protocol(recorded).copies == ()


def test_who_was_asked_has_what_the_settings_state_of_it(small):
    submission = mb.make_submission(mb.run("control/candid", small), availability="open")
    stated = {"endpoint": "0123456789ab", "as_published": True, "google_safety": "BLOCK_NONE"}
    subject = submitted_subject(submission.model_copy(update={"settings": stated}))
    assert (subject.endpoint, subject.as_published, subject.google_safety) == ("0123456789ab", True, "BLOCK_NONE")
