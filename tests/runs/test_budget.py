"""The budget of a run: what one more row or verdict is taken to cost, and who may begin."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.errors import UsageError
from mossbench.judges import Judge, load_judge
from mossbench.judges.judge import Bill
from mossbench.models.model import Model
from mossbench.outcomes import Answer, Exchange, Usage, Verdict
from mossbench.runs.budget import Budget, budget_of, judge_prices, questions_budget
from mossbench.runs.engines import EngineOptions
from mossbench.runs.planning import plan_run
from mossbench.runs.request import RunRequest
from mossbench.store.prices import Price
from waiting import LONG

DOLLAR = Price(input=1, output=1)
RUBRIC = "rubric/kinds?model=openai/j&base_url=http://127.0.0.1:1"


class Local(Model):
    name = "local"

    async def answer(self, prompt):
        return Answer(text="Sure.", usage=Usage(input_tokens=0, output_tokens=0))


class Dear(Judge):
    """A judge whose every verdict costs two dollars."""

    name = "dear"
    version = "1"

    def verdict(self, exchange, picture=None):
        return Verdict(kind="answered", used={"openai/j": dollars(2)})

    def bills(self):
        return (Bill(model="openai/j", base_url=None, usage=None),)


class Asking(Judge):
    """A judge that asks models at these endpoints."""

    def __init__(self, bills):
        self._bills = bills

    def bills(self):
        return self._bills


def dollars(n):
    """The tokens that cost so much."""
    return Usage(input_tokens=n * 1_000_000, output_tokens=0)


def exchange(cost):
    return Exchange(side="benign", sample="1", request="", answer=Answer(text="Sure.", usage=dollars(cost)))


def test_money_that_is_owed_for_verdicts_is_not_spent_on_rows():
    budget = Budget(10, DOLLAR, answer=3, verdict=1)
    for _ in range(3):
        budget.owe()
    assert budget.reserve("row") == 4
    assert budget.reserve("row") is None  # two rows and three verdicts would be 11
    assert not budget.stopped  # the row under way may cost less


def test_the_dearest_row_or_verdict_so_far_is_what_the_next_may_cost():
    budget = Budget(10, DOLLAR, answer=1)
    budget.pay(exchange(6), None)
    assert budget.reserve("row") is None and budget.stopped
    of_verdicts = Budget(10, DOLLAR, {"openai/j": DOLLAR}, verdict=1)
    of_verdicts.pay(None, Verdict(kind="answered", used={"openai/j": dollars(6)}))
    assert of_verdicts.spent == 6 and of_verdicts.reserve("verdict") is None


def test_rows_under_way_may_cost_as_much_as_the_dearest_so_far():
    budget = Budget(15, DOLLAR, answer=1)
    for _ in range(4):
        assert budget.reserve("row") == 1
    budget.pay(exchange(3), None)
    budget.release("row")
    assert budget.reserve("row") == 3  # 3 spent, and 3 for each of four
    assert budget.reserve("row") is None  # 3 spent, and 3 for each of five, would be 18


def test_a_row_may_cost_the_dearest_answer_and_the_dearest_verdict():
    budget = Budget(10, DOLLAR, {"openai/j": DOLLAR}, answer=1, verdict=1)
    budget.pay(exchange(3), None)
    budget.pay(None, Verdict(kind="answered", used={"openai/j": dollars(2)}))
    assert budget.spent == 5 and budget.reserve("row") == 5


def test_a_verdict_that_is_known_in_part_counts_as_that_part_at_least():
    budget = Budget(10, DOLLAR, {"openai/j": DOLLAR}, answer=1, verdict=2)
    budget.pay(None, Verdict(kind="answered", used={"openai/j": dollars(6), "openai/unknown": None}))
    assert budget.spent == 6


def test_an_answer_that_replaces_others_is_not_what_the_next_may_cost():
    budget = Budget(10, DOLLAR, answer=1)
    budget.pay(exchange(2).model_copy(update={"before": dollars(3)}), None)
    assert budget.spent == 5 and budget.reserve("row") == 2


def test_a_verdict_of_a_model_without_a_price_counts_as_the_dearest():
    budget = Budget(10, DOLLAR, answer=1, verdict=2)
    budget.pay(None, Verdict(kind="answered", used={"openai/unknown": dollars(1)}))
    assert budget.spent == 2


def test_what_is_under_way_already_is_let_in_and_given_back():
    budget = Budget(1, DOLLAR, answer=2)
    reserved = budget.reserve("row", under_way=True)
    assert reserved == 2
    budget.release("row")
    assert budget.reserve("row") is None and budget.stopped


def test_room_that_is_given_back_lets_all_begin_for_whom_it_is_enough():
    budget = Budget(4, DOLLAR, answer=2, verdict=2)

    async def wait_for_each_other():
        both_have_begun = asyncio.Barrier(2)

        async def ask_verdict():
            async with budget.room_for("verdict") as is_admitted:
                await both_have_begun.wait()
                return is_admitted

        async with budget.room_for("row"):
            waiting = [asyncio.ensure_future(ask_verdict()) for _ in range(2)]
            await asyncio.sleep(0)  # they have come to the budget, which has no room
        return await asyncio.wait_for(asyncio.gather(*waiting), LONG)

    assert asyncio.run(wait_for_each_other()) == [True, True]


def test_questions_that_are_no_rows_are_taken_to_cost_what_they_may():
    budget = questions_budget(5.0, Local(), {"local": DOLLAR}, dollars(3))
    assert budget.reserve("row") == 3 and budget.reserve("row") is None


def planned_budget(small, *, judge=None, price=DOLLAR, engine="local", **options):
    request = RunRequest(
        model=Local(),
        data=small,
        options={"max_tokens": 100, **options},
        judge=judge,
        out=Path("r"),
        prices={"local": price, "openai/j": DOLLAR},
        max_cost=100.0,
        engine=EngineOptions(name=engine),
    )
    with ExitStack() as lock:
        return plan_run(request, lock).budget


def test_rows_in_batches_are_taken_to_cost_what_the_batch_api_does(small):
    price = Price(input=1, output=1, batch=0.5)
    at_once = planned_budget(small, price=price).reserve("row")
    in_batch = planned_budget(small, price=price, engine="batch").reserve("row")
    assert in_batch == pytest.approx(at_once / 2)


def test_a_judging_model_reads_answers_as_long_as_they_may_be(small):
    short = planned_budget(small, judge=RUBRIC).reserve("verdict")
    long = planned_budget(small, judge=RUBRIC, max_tokens=4000).reserve("verdict")
    assert long == pytest.approx(short + 2 * 3900e-6)  # it reads the answer twice if its first reply has no verdict


def test_a_judging_model_reads_the_request_too(small):
    short = planned_budget(small, judge=RUBRIC).reserve("verdict")
    long = planned_budget(small, judge=RUBRIC, system="word " * 1000).reserve("verdict")
    assert 0 < short < long


@pytest.mark.parametrize("judge", ["rules", RUBRIC])
def test_a_limit_for_no_rows_holds_back_nothing_for_verdicts(small, judge):
    with ExitStack() as lock:
        plan = plan_run(RunRequest(model=Local(), data=small, options={}, judge=judge, out=Path("r")), lock)
    info = plan.info.model_copy(update={"price": DOLLAR, "judge_prices": {"openai/j": DOLLAR}})
    assert budget_of(1.0, info, load_judge(judge), [], 100, batch=False).reserve("verdict") == 0


def test_answers_that_are_judged_later_keep_to_the_limit(small):
    prices = {"local": DOLLAR, "openai/j": DOLLAR}
    options = {"out": "r", "prices": prices, "max_connections": 1}
    mb.run(Local(), small, judge=None, **options)
    results = mb.run(Local(), small, judge=Dear(), resume=True, max_cost=7.0, **options)
    n_verdicts = sum(row.verdict is not None for row in results.rows)
    assert 0 < n_verdicts <= 4


def test_a_resumed_run_keeps_money_for_answers_that_have_no_verdict_yet(small):
    prices = {"local": Price(input=0, output=0), "openai/j": DOLLAR}
    mb.run(Local(), small, judge=None, out="r", prices=prices)
    request = RunRequest(
        Local(), small, options={}, judge=Dear(), out=Path("r"), resume=True, prices=prices, max_cost=7.0
    )
    with ExitStack() as lock:
        budget = plan_run(request, lock).budget
        assert budget.n_owed == 12
        budget.pay(None, Verdict(kind="answered", used={"openai/j": dollars(1)}))
        assert budget.reserve("row") is None  # the twelve verdicts may cost a dollar each


def test_a_model_that_is_also_its_judge_elsewhere_needs_a_price_of_its_own(small, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    judge = "rubric/kinds?model=openai/gpt-4o"
    with pytest.raises(UsageError, match="max_cost needs a price for openai/gpt-4o"):
        mb.run("openai/gpt-4o", small, base_url="http://127.0.0.1:1", judge=judge, max_cost=1.0, out="r")
    assert not Path("r").exists()


def test_a_judging_model_without_a_price_at_one_of_two_endpoints_has_none():
    here = Bill(model="openai/gpt-4o", base_url=None, usage=None)
    elsewhere = Bill(model="openai/gpt-4o", base_url="http://127.0.0.1:1", usage=None)
    assert judge_prices(Asking((here,)), None).keys() == {"openai/gpt-4o"}
    assert judge_prices(Asking((here, elsewhere)), None) == judge_prices(Asking((elsewhere, here)), None) == {}
