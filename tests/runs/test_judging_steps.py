"""A judging in its steps: what is planned, what is spent and written, what is noted, and what is said when it stops."""

import asyncio
import gc
import json
import os
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.errors import UsageError
from mossbench.judges import Judge, load_judge
from mossbench.judges.judge import Bill
from mossbench.outcomes import Exchange, Usage, Verdict
from mossbench.plumbing import line_writer
from mossbench.plumbing.places import PlaceLost
from mossbench.runs import judging
from mossbench.runs.budget import Budget
from mossbench.runs.judging import execute_judging
from mossbench.runs.judging_plan import batched_judge, plan_judging, poll_for
from mossbench.store.batch_log import Chunk
from mossbench.store.prices import Price
from mossbench.store.run_folder import RunFolder
from mossbench.ways_out import JudgeRun, as_call

RUBRIC = "rubric/kinds?model=openai/j&base_url=http://127.0.0.1:1"


class Undecided(Judge):
    """Has no verdict, and says what that took."""

    name = "undecided"
    version = "1"

    def verdict(self, exchange, picture=None):
        return Verdict(reason="not sure", used={"openai/j": Usage(input_tokens=3, output_tokens=2)})


@pytest.fixture
def folder(small):
    mb.run("control/candid", small, out="r", judge=None)
    return RunFolder(Path("r"))


def plan_for(folder, judge="rules", **options):
    reader = load_judge(judge) if isinstance(judge, str) else judge
    return plan_judging(folder, reader, None, max_connections=2, **options)


def test_a_plan_has_every_answer_without_a_verdict_and_what_it_takes_to_judge_it(folder):
    plan = plan_for(folder)
    lines = [json.loads(line) for line in folder.answers_path.read_text().splitlines()]
    assert [(key.side, key.sample) for key in plan.answer_offsets] == [(line["side"], line["sample"]) for line in lines]
    assert plan.rows_asked_directly == tuple(plan.answer_offsets) and plan.n_rows == 12 and plan.batch is None
    for key in plan.answer_offsets:
        assert plan.exchange(key).key == key and plan.sample(key).key == (key.side, key.sample)
        assert plan.arm(key).name == "plain"
    with pytest.raises(FrozenInstanceError):
        plan.max_connections = 3


def test_rows_that_are_skipped_or_judged_are_not_planned(folder):
    skipped = next(iter(plan_for(folder).answer_offsets))
    assert skipped not in plan_for(folder, skip={skipped}).answer_offsets
    mb.judge_run("r", "rules")
    assert plan_for(folder).n_rows == 0 and plan_for(folder, "keywords").n_rows == 12


def test_an_answer_that_replaces_a_judged_one_is_planned_at_its_last_line(folder):
    mb.judge_run("r", "rules")
    lines = folder.answers_path.read_text().splitlines()
    last = json.loads(lines[0])
    last["answer"]["text"] = "Another answer."
    folder.answers_path.write_text("\n".join([*lines, json.dumps(last)]) + "\n")
    plan = plan_for(folder)
    (key,) = plan.answer_offsets
    assert plan.exchange(key).answer.text == "Another answer."


def test_an_answer_without_a_verdict_is_planned_again_with_the_tokens_it_took(folder):
    mb.judge_run("r", Undecided())
    plan = plan_for(folder, Undecided())
    assert plan.n_rows == 12
    assert set(plan.earlier_usage) == set(plan.answer_offsets)
    again = mb.judge_run("r", Undecided())
    assert {row.verdict.used["openai/j"] for row in again.rows} == {Usage(input_tokens=6, output_tokens=4)}


def test_a_plan_holds_no_text(folder):
    gc.collect()
    before = sum(isinstance(value, Exchange) for value in gc.get_objects())
    plan = plan_for(folder)
    gc.collect()
    assert plan.n_rows == 12
    assert sum(isinstance(value, Exchange) for value in gc.get_objects()) <= before


@pytest.fixture
def key_of_openai(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "a-key-of-ours")


@pytest.mark.usefixtures("key_of_openai")
def test_only_what_a_judging_model_must_be_asked_goes_through_a_batch_api(folder):
    assert plan_for(folder, RUBRIC).batch is None
    plan = plan_for(folder, RUBRIC, poll=5.0)
    assert plan.batch.rows == tuple(plan.answer_offsets) and plan.rows_asked_directly == () and plan.batch.poll == 5.0
    sure = plan_for(folder, f"cascade?{RUBRIC.partition('?')[2]}&threshold=0", poll=5.0)
    assert sure.batch.rows == () and sure.rows_asked_directly == tuple(sure.answer_offsets)
    assert plan_for(folder, "rules", poll=5.0).batch is None


@pytest.mark.usefixtures("key_of_openai")
def test_a_judge_can_be_asked_in_batches_if_it_asks_one_model_that_has_an_api():
    assert batched_judge(load_judge(RUBRIC)).rubric.model.name == "openai/j"
    assert batched_judge(load_judge(f"panel/{RUBRIC}+rubric/paper?model=openai/k")) is None
    assert batched_judge(load_judge("rules")) is None
    with pytest.raises(UsageError, match="judge 'rules' cannot use a batch API"):
        mb.run("control/candid", limit=1, side="benign", out="s", judge=None)
        mb.judge_run("s", "rules", batch=True)


def test_batches_that_are_pending_are_collected_also_where_none_were_asked_for(folder):
    judge = load_judge("rules")
    assert poll_for(folder, judge, 7.0, batch=False) is None and poll_for(folder, judge, 7.0, batch=True) == 7.0
    chunk = Chunk(name="a", state="sending", judge=judge.label, rows=tuple(plan_for(folder).answer_offsets))
    folder.batches_path.write_text(chunk.model_dump_json() + "\n")
    assert poll_for(folder, judge, 7.0, batch=False) == 7.0
    assert poll_for(folder, load_judge("keywords"), 7.0, batch=False) is None


def test_the_call_that_resumes_a_judging_is_one_that_python_takes():
    assert as_call(JudgeRun(Path("r"), "rules", batch=False)) == "judge_run('r', 'rules')"
    assert as_call(JudgeRun(Path("it's"), "rules", batch=True)) == "judge_run(\"it's\", 'rules', batch=True)"


def n_verdicts(folder, judge):
    return len(folder.judgements(judge.label))


def test_each_verdict_is_paid_for_and_none_is_begun_that_the_budget_has_no_room_for(folder):
    judge = Undecided()
    prices = {"openai/j": Price(input=1e6, output=0)}  # 3 dollars for a verdict
    budget = Budget(10.0, None, prices, verdict=3.0)
    budget.owe()
    budget.owe()
    asyncio.run(execute_judging(plan_for(folder, judge, budget=budget)))
    assert n_verdicts(folder, judge) == 3 and budget.spent == 9.0 and budget.n_owed == 0 and budget.stopped


def test_whoever_follows_a_judging_hears_of_each_row_once(folder):
    told = []
    asyncio.run(execute_judging(plan_for(folder), told.append))
    assert [event.done for event in told] == list(range(1, 13)) and {event.total for event in told} == {12}
    assert len({event.key for event in told}) == 12


def test_a_judged_run_records_the_number_of_verdicts_and_the_prices_of_the_judge(folder):
    class Priced(Undecided):
        def bills(self):
            return (Bill("openai/gpt-4o", None, Usage()), Bill("openai/gpt-4o-mini", None, Usage()))

    own = Price(input=1, output=1)
    folder.write_info(folder.info().model_copy(update={"judge_prices": {"openai/gpt-4o": own}}))
    mb.judge_run("r", Priced())
    info = folder.info()
    assert info.verdicts == {"undecided/1": 12}
    assert info.judge_prices.keys() == {"openai/gpt-4o", "openai/gpt-4o-mini"}
    assert info.judge_prices["openai/gpt-4o"] == own  # what is on record stays


def test_calls_under_way_when_the_folder_moves_end_and_name_the_new_place(folder, monkeypatch):
    monkeypatch.setattr(line_writer, "SYNC_EVERY", 0.01)
    stopped = asyncio.Event()
    stop = judging._Judging.stop

    def stop_and_say_so(self):
        stopped.set()
        return stop(self)

    monkeypatch.setattr(judging._Judging, "stop", stop_and_say_so)

    async def judge(exchange):
        os.rename("r", "r2")
        await stopped.wait()
        for _ in range(20):  # turns of the loop, in which it would be cancelled
            await asyncio.sleep(0)
        return False

    with pytest.raises(PlaceLost) as caught:
        mb.judge_run("r", judge, max_connections=1)
    (note,) = caught.value.__notes__
    there = str(Path("r2").resolve())
    assert note.startswith(f"judging stopped; 1 verdict saved in {there!r}; resume it with: judge_run({there!r}, ")
