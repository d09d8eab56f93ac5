"""run.json: facts are fields, also of runs whose version told them only in notices."""

import json
from pathlib import Path

import pytest

import mossbench as mb
from answered import stop
from mossbench.models.notices import NoticeFact, NoticeTopic
from mossbench.outcomes import Layer
from mossbench.protocols import OWN_ADDRESS
from mossbench.store.config import RunConfig
from mossbench.store.run_info import RunInfo
from store.written import run_info, write_run

PART = "the log has 1 of 3 rows (status cancelled); the others are not in this run"


def read_again(info, **changes):
    """The record as it is read from a file in which some values are others."""
    content = json.loads(info.model_dump_json())
    config = content["config"] | changes.pop("config", {})
    return RunInfo.model_validate_json(json.dumps(content | changes | {"config": config}))


def test_facts_of_few_runs_are_written_only_for_those():
    content = json.loads(run_info().model_dump_json())
    assert not content.keys() & {"is_partial_import", "has_several_endpoints", "not_in_file", "planted", "max_cost"}
    assert json.loads(run_info(is_partial_import=True).model_dump_json())["is_partial_import"] is True


def test_an_import_of_a_part_is_known_by_its_field_and_in_older_runs_by_its_notice():
    assert run_info(is_partial_import=True).is_partial_import
    assert read_again(run_info(), notices=[PART]).is_partial_import
    assert not read_again(run_info(), notices=["the others are not here"]).is_partial_import


def test_an_older_import_of_a_part_opens_and_is_written_with_the_field():
    folder = write_run(Path("r"), texts=("One.",))
    content = json.loads(folder.info_path.read_text()) | {"notices": [PART]}
    folder.info_path.write_text(json.dumps(content))
    results = mb.load_results("r")
    assert results.layers()[Layer.JUDGED] == 1 and results.layers()[Layer.NOT_ASKED] == 2
    folder.write_info(folder.info())
    written = json.loads(folder.info_path.read_text())
    assert written.pop("is_partial_import") is True
    assert written == content


def fail_once():
    """A model that fails on the first request and answers the others."""
    requests = []

    def answer(prompt):
        requests.append(prompt)
        if len(requests) == 1:
            raise ValueError("odd")
        return "Sure. Start with the largest object and work towards the small ones, then add a caption to each."

    return answer


def test_a_run_imported_from_a_record_without_a_row_has_the_field_and_is_undamaged(small):
    mb.run(fail_once(), small, out="r", judge="rules", side="benign", epochs=2, retries=0, max_connections=1)
    record = mb.write_every_eval_ever(mb.load_results("r"), "eee", organization="Example Lab", with_answers=True)
    back = mb.import_results(record, "back")
    assert json.loads(Path("back/run.json").read_text())["is_partial_import"] is True
    assert back.info.notices == ("the record has 1 more rows that did not count; the others are not in this run",)
    assert back.layers()[Layer.JUDGED] == 11 and back.layers()[Layer.NOT_ASKED] == 1


def test_a_run_imported_from_a_stopped_log_has_the_field_and_is_not_damaged(small):
    pytest.importorskip("inspect_ai")
    mb.run("control/candid", small, out="r", judge="rules", side="benign", epochs=2)
    mb.write_results(stop("r", 11), "x.eval", format="inspect")
    back = mb.import_results("x.eval", "back")
    assert json.loads(Path("back/run.json").read_text())["is_partial_import"] is True
    assert back.layers()[Layer.JUDGED] == 11 and back.layers()[Layer.NOT_ASKED] == 1


@pytest.mark.parametrize(
    ("notices", "endpoint", "is_unknown"),
    [
        (["answers come from http://a/v1"], "http://a/v1", False),
        (["answers come from http://a/v1", "answers come from http://a/v1"], "http://a/v1", False),
        (["answers come from http://a/v1", "answers come from http://b/v1"], None, True),
        (["something else"], None, False),
    ],
)
def test_endpoints_that_an_old_run_names_only_in_notices(notices, endpoint, is_unknown):
    info = read_again(run_info(), notices=notices)
    assert (info.config.base_url, info.endpoint_unknown) == (endpoint, is_unknown)


WHO = "the rows name 2 different models; say which model answered with `model_name`"


def test_what_an_older_notice_is_about_is_read_from_its_words():
    info = read_again(run_info(), notices=["answers come from http://a/v1", WHO, "something else"])
    endpoint, who = info.notice_facts
    assert (endpoint.topic, endpoint.endpoint) == (NoticeTopic.ENDPOINT, "http://a/v1")
    assert (who.topic, who.text) == (NoticeTopic.UNKNOWN_MODEL, WHO)


def test_what_a_notice_of_today_is_about_is_a_field():
    fact = NoticeFact(text="asked at http://a/v1", topic=NoticeTopic.ENDPOINT, endpoint="http://a/v1")
    written = run_info(notices=(fact.text, WHO), notice_facts=(fact,))
    assert read_again(written).notice_facts == (fact,)  # the words of the other one are not looked at
    assert read_again(written).endpoints_in_notices == ("http://a/v1",)


def test_an_endpoint_on_record_is_not_read_from_notices():
    info = read_again(run_info(), notices=["answers come from http://b/v1"], config={"base_url": "http://a/v1"})
    assert info.config.base_url == "http://a/v1"


def test_differences_name_each_setting_with_both_values():
    run = run_info()
    other = run_info(config=RunConfig(model="control/candid", data="small", judge="rules", seed=7, max_connections=1))
    assert run.differences(other) == {"seed": "seed: the run has 42, you asked for 7"}
    other = run_info(config=run.config.model_copy(update={"base_url": "http://a/v1/", "system": "Be kind."}))
    assert run.differences(other) == {
        "system": "system: the run has none, you asked for 'Be kind.'",
        "base_url": f"base_url: the run has {OWN_ADDRESS!r}, you asked for 'http://a/v1'",
    }
    assert run.differing(other)["system"] == (None, "Be kind.")


def test_who_resumes_a_run_of_an_unknown_endpoint_may_say_which_it_is():
    run = run_info(has_several_endpoints=True)
    other = run_info(config=run.config.model_copy(update={"base_url": "http://a/v1"}))
    assert run.endpoint_unknown and run.differences(other) == {}


def test_a_judge_may_be_another_one_but_not_the_same_at_another_endpoint():
    judge = "rubric/kinds?model=openai/j&base_url=http://{}/v1"
    one = run_info(config=RunConfig(model="m", judge=judge.format("a")))
    same_name = run_info(config=RunConfig(model="m", judge=judge.format("b")))
    another = run_info(config=RunConfig(model="m", judge="rules"))
    assert list(one.differences(same_name)) == ["base_url of the judging model"]
    assert one.differences(another) == {}


def test_a_shard_is_a_part_of_so_many():
    assert RunConfig(model="m").part == (1, 1)
    assert RunConfig(model="m", shard="2/8").part == (2, 8)
    for wrong, message in (("8", "expected I/N, as in 2/8"), ("9/8", "there are 8 parts, so the last one is 8/8")):
        with pytest.raises(ValueError, match=message):
            RunConfig(model="m", shard=wrong)
