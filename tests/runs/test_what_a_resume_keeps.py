"""A run that is resumed keeps what only its earlier sessions know, and takes over what this one knows better."""

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.datasets.arms import arm_of
from mossbench.errors import RunError, UsageError
from mossbench.judges import Judge
from mossbench.judges.judge import Bill
from mossbench.models.connections import Traffic
from mossbench.models.model import Model
from mossbench.models.notices import NoticeFact, NoticeTopic, endpoint_notice
from mossbench.outcomes import Answer, Layer, Usage, Verdict
from mossbench.runs.inputs import let_models_read, resolved_options
from mossbench.runs.planning import plan_run
from mossbench.runs.request import RunRequest
from mossbench.runs.resuming import check_endpoint_is_known
from mossbench.runs.selection import notice_of_samples_left_out
from mossbench.store.config import RunConfig
from mossbench.store.prices import Price
from mossbench.store.run_folder import RunFolder

MODEL = "control/candid"


class Dear(Judge):
    """A judge that asks a model which has a price."""

    name = "dear"
    version = "1"

    def verdict(self, exchange, picture=None):
        return Verdict(kind="answered", used={"openai/j": Usage(input_tokens=1_000_000, output_tokens=0)})

    def bills(self):
        return (Bill(model="openai/j", base_url=None, usage=None),)


class Local(Model):
    name = "local"

    async def answer(self, prompt):
        return Answer(text="fine", usage=Usage(input_tokens=1_000_000, output_tokens=0))


def price(dollars):
    return Price(input=dollars, output=dollars)


def change_record(folder, **fields):
    """Makes run.json say what an earlier session might have written."""
    run_folder = RunFolder(Path(folder))
    run_folder.write_info(run_folder.info().model_copy(update=fields))


def drop_last_answer(folder):
    path = Path(folder, "answers.jsonl")
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))


def test_what_only_an_earlier_session_knows_stays_on_record(small):
    mb.run(MODEL, small, out="r")
    earlier = {
        "started": "2026-01-02T03:04:05+00:00",
        "traffic": Traffic(retries=7),
        "engines": ("ray",),
        "notices": ("something was seen",),
        "one_format": True,
        "judge_prices": {"openai/j": price(3)},
    }
    verdicts = {**RunFolder(Path("r")).info().verdicts, "another/1": 12}
    change_record("r", **earlier, verdicts=verdicts)
    mb.resume_run("r")
    info = RunFolder(Path("r")).info()
    assert {name: getattr(info, name) for name in earlier} == earlier
    assert info.verdicts == verdicts


def test_an_import_of_a_part_stays_one_by_its_field(small):
    mb.run(MODEL, small, out="r", judge=None)
    change_record("r", is_partial_import=True)  # with no notice that says so
    mb.resume_run("r", no_judge=True)
    assert RunFolder(Path("r")).info().is_partial_import


def test_a_notice_that_asks_who_answered_goes_by_its_topic_once_it_is_answered(small):
    rows = [{"id": str(i), "side": side, "response": "Sure."} for i in range(1, 7) for side in ("benign", "contrast")]
    Path("a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    mb.run("replay/a.jsonl", small, out="r", judge=None)
    question = NoticeFact(text="Who was it?", topic=NoticeTopic.UNKNOWN_MODEL)
    endpoint = endpoint_notice("http://a/v1")
    change_record("r", notices=("Who was it?", endpoint.text), notice_facts=(question, endpoint))
    info = mb.resume_run("r", model_name="GPT-4o", no_judge=True).info
    assert "Who was it?" not in info.notices and endpoint.text in info.notices
    assert info.notice_facts == (endpoint,)


@pytest.mark.parametrize("sent", [{"not_taken": {"seed": "no"}}, {"asked_of_inspect": {"not_taken": {"seed": "no"}}}])
def test_settings_that_a_provider_did_not_take_stay_on_record(small, sent):
    mb.run(MODEL, small, out="r", judge=None)
    change_record("r", sent=sent)
    assert mb.resume_run("r", no_judge=True).info.sent == sent


def test_a_session_that_asks_adds_to_what_earlier_ones_did(small):
    mb.run(MODEL, small, out="r")
    change_record("r", engines=("ray",), traffic=Traffic(retries=7), ended=None)
    drop_last_answer("r")
    mb.resume_run("r")
    info = RunFolder(Path("r")).info()
    assert info.engines == ("ray", "local")
    assert info.traffic.retries == 7 and info.traffic.most_connections > 0


def test_a_price_that_is_named_on_resume_takes_the_place_of_the_old_one(small):
    mb.run(Local(), small, out="r", prices={"local": price(1)})
    mb.run(Local(), small, out="r", resume=True)
    assert RunFolder(Path("r")).info().price == price(1)
    mb.run(Local(), small, out="r", resume=True, prices={"local": price(2)})
    assert RunFolder(Path("r")).info().price == price(2)


def planned(small, **fields):
    request = RunRequest(model=Local(), data=small, options={}, out=Path("r"), **fields)
    with ExitStack() as lock:
        return plan_run(request, lock)


def test_prices_of_a_judge_are_those_of_today(small):
    mb.run(Local(), small, out="r", judge=Dear(), prices={"openai/j": price(1)})
    plan = planned(small, judge=Dear(), resume=True, prices={"openai/j": price(2)})
    assert plan.info.judge_prices["openai/j"].input == 2


def test_a_limit_counts_the_answers_and_the_verdicts_of_earlier_sessions(small):
    prices = {"local": price(1), "openai/j": price(2)}
    mb.run(Local(), small, out="r", judge=Dear(), prices=prices)
    plan = planned(small, judge=Dear(), resume=True, prices=prices, max_cost=100.0)
    assert plan.budget.spent == pytest.approx(12 * (1 + 2))


def test_arms_that_a_run_has_are_kept_when_it_is_resumed_without_naming_them(small):
    mb.run(MODEL, small, out="r", arms=[arm_of("text-only", None)])
    results = mb.run(MODEL, small, out="r", resume=True)
    info = RunFolder(Path("r")).info()
    assert [arm.name for arm in info.arms] == ["plain", "text-only"] and info.n_rows == 24
    assert len(results) == 12  # those of its own arm


def test_all_arms_that_were_asked_for_are_counted(small):
    assert len(mb.run(MODEL, small, out="r", arms=[arm_of("text-only", None)])) == 24


def test_a_run_records_its_judge_and_one_format(small):
    mb.run(MODEL, small, out="r", judge="keywords", one_format=True)
    info = RunFolder(Path("r")).info()
    assert info.config.judge == "keywords" and info.one_format
    assert mb.resume_run("r").judge == mb.load_results("r", judge="keywords").judge


def test_a_run_whose_samples_are_cut_is_not_asked_further(small):
    mb.run(MODEL, small, out="r")
    drop_last_answer("r")
    change_record("r", ended=None)
    path = Path("r/samples.jsonl")
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    with pytest.raises(RunError, match="samples.jsonl"):
        mb.resume_run("r")
    assert len(Path("r/answers.jsonl").read_text().splitlines()) == 11


def test_a_folder_without_an_endpoint_is_resumed_where_the_model_says_one(small):
    mb.run(MODEL, small, out="r")
    folder = RunFolder(Path("r"))
    config = folder.info().config.model_copy(update={"model": "deepseek/vl2"})
    change_record("r", subject=None, config=config, has_several_endpoints=True)
    model = Local()
    with pytest.raises(UsageError, match="does not record the endpoint of .*; resume it with base_url="):
        check_endpoint_is_known(folder, model, {})
    model.base_url = "http://127.0.0.1:1"
    check_endpoint_is_known(folder, model, {})


def test_a_model_loaded_with_an_option_keeps_it_unless_another_value_is_given():
    model = Local()
    model.base_url = "http://127.0.0.1:1/v1"
    model.options = {"as_published": True}
    asked = {"as_published": False, "base_url": "http://127.0.0.1:1/v1/"}
    assert resolved_options(model, asked) == {"as_published": True, "base_url": "http://127.0.0.1:1/v1"}
    with pytest.raises(UsageError, match="was loaded with base_url"):
        resolved_options(model, {"base_url": "http://127.0.0.1:2"})


def test_an_image_that_has_changed_since_the_data_were_loaded_makes_other_data(small):
    data = mb.load_dataset(small)
    first = mb.run(MODEL, data, out="first").info.dataset.hashes
    images = sorted((small / "images").iterdir())
    images[0].write_bytes(images[1].read_bytes())
    second = mb.run(MODEL, data, out="second").info.dataset.hashes
    assert first != second


def test_the_columns_of_loaded_data_are_on_record_so_that_the_run_can_be_resumed():
    rows = [{"id": str(number), "side": "benign", "prompt": f"What about {number}?"} for number in range(3)]
    Path("own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    data = mb.load_dataset("own.jsonl", columns={"question": "prompt"})
    mb.run(MODEL, data, out="r")
    assert RunFolder(Path("r")).info().config.columns == {"question": "prompt"}
    assert len(mb.resume_run("r")) == 3


def test_samples_that_an_arm_does_not_fit_are_counted_of_those_that_were_chosen(small):
    config = RunConfig(model=MODEL, data=str(small), arm="counterfactual", limit=4)
    (notice,) = notice_of_samples_left_out(mb.load_dataset(small), config, 3)
    assert notice.startswith("5 of 8 samples are not asked")


def test_every_model_sees_the_data_before_the_first_is_asked(small):
    class Reads(Local):
        n_read = 0

        def read_data(self, samples, columns):
            self.n_read = len(samples)

    models = [Reads(), Local(), Reads()]
    let_models_read(models, small)
    assert (models[0].n_read, models[2].n_read) == (12, 12)


def test_a_session_that_does_not_judge_leaves_the_run_its_judge(small):
    mb.run(MODEL, small, out="r", judge="keywords")
    mb.judge_run("r", "rules")  # its verdicts would count if the run had no judge of its own
    lines = Path("r/answers.jsonl").read_text().splitlines(keepends=True)
    Path("r/answers.jsonl").write_text("".join(lines[:-1]))
    change_record("r", ended=None)
    resumed = mb.resume_run("r", no_judge=True)
    assert resumed.info.config.judge == "keywords"
    assert resumed.judge.startswith("keywords/")
    judged = mb.resume_run("r")
    assert judged.judge == resumed.judge
    assert judged.layers()[Layer.UNJUDGED] == 0


def test_a_run_without_a_judge_has_none_after_a_session_that_does_not_judge(small):
    mb.run(MODEL, small, out="r", judge=None)
    assert mb.resume_run("r", no_judge=True).info.config.judge is None
    assert mb.resume_run("r", judge="keywords").info.config.judge == "keywords"


def test_a_run_without_a_judge_stays_without_one_unless_one_is_named(small):
    mb.run(MODEL, small, out="r", judge=None)
    assert mb.resume_run("r").judge is None
    assert mb.resume_run("r", judge="keywords").judge == "keywords/2"


def test_a_judge_and_none_is_an_error(small):
    mb.run(MODEL, small, out="r", judge=None)
    with pytest.raises(UsageError, match="judge and no_judge are both given"):
        mb.resume_run("r", judge="keywords", no_judge=True)


def test_a_folder_in_the_way_of_the_last_model_is_an_error_before_any_is_asked(small):
    folder = Path("r/control-stonewall")
    folder.mkdir(parents=True)
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="is not empty"):
        mb.run(["control/candid", "control/stonewall"], small, out="r", judge=None)
    assert [path.name for path in Path("r").iterdir()] == ["control-stonewall"]
