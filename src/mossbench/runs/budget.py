"""How much money a run may spend, with its judge: `max_cost`.

A row begins only if there is room for it: the money spent, the most that the rows under way may cost, and the most
that this row may cost are together within the limit.

The most that a row may cost is first an estimate: the longest text, the longest answer, and a verdict that is asked for
twice. Once an answer or a verdict costs more than that, its cost is the new estimate, also for the rows under way. An
answer whose tokens nobody counted is taken to cost as much as the estimate.

So a run stays within its limit unless a row costs more than this estimate: by its image, or if answers have no limit
on tokens. What a provider charges for tries that brought nothing is not known, and is not counted.
"""

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Literal

from mossbench.datasets.arms import Row
from mossbench.errors import bad_option
from mossbench.judges import Judge, models_asked
from mossbench.judges.rubric import REMINDER, SETTINGS, message
from mossbench.models import Model
from mossbench.outcomes import Answer, Exchange, Usage, Verdict
from mossbench.store.prices import (
    ANSWER_TOKENS,
    CHARACTERS_PER_TOKEN,
    Price,
    Prices,
    cost_of,
    judge_cost,
    price_of,
    text_tokens,
)
from mossbench.store.run_info import RunInfo
from mossbench.ways_out import SetOption

CostKind = Literal["row", "verdict"]
"""What money is reserved for: a row with its verdict, or a verdict alone."""


class Budget:
    """US dollars for one run; `limit` None: as much as it takes.

    `answer` and `verdict` are the most that one of each is first expected to cost.
    """

    def __init__(
        self,
        limit: float | None,
        price: Price | None,
        judge_prices: Mapping[str, Price] | None = None,
        *,
        answer: float = 0.0,
        verdict: float = 0.0,
    ) -> None:
        self.limit = math.inf if limit is None else limit
        self.spent = 0.0
        self.stopped = False
        """Whether something was left because there was no room for it, and nothing under way could make room."""
        self.n_owed = 0
        """Answers that are there without a verdict: money is kept for these, until they are judged."""
        self._price = price
        self._judge_prices = judge_prices or {}
        self._worst_answer = answer
        self._worst_verdict = verdict
        self._n_under_way = Counter[CostKind]()
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def room_for(self, kind: CostKind) -> AsyncIterator[bool]:
        """Waits until one more may begin; False: none may, and nothing under way can make room."""
        async with self._changed:
            while self._n_under_way.total() and self._is_full(kind):
                await self._changed.wait()
            is_admitted = self.reserve(kind) is not None
        try:
            yield is_admitted
        finally:
            if is_admitted:
                async with self._changed:
                    self.release(kind)
                    self._changed.notify_all()

    def reserve(self, kind: CostKind, *, under_way: bool = False) -> float | None:
        """Reserves money for one more and returns how much; None if there is no room for it now.

        With `under_way` it was sent already, before a resume, and is counted whether there is room or not.
        """
        if not under_way and self._is_full(kind):
            if not self._n_under_way.total():
                self.stopped = True
            return None
        self._n_under_way[kind] += 1
        return self._worst(kind)

    def release(self, kind: CostKind) -> None:
        """Gives back what was reserved for one, once it is paid or will not be."""
        self._n_under_way[kind] -= 1

    def _worst(self, kind: CostKind) -> float:
        """What one more may cost at most, as far as anybody knows."""
        return self._worst_answer + self._worst_verdict if kind == "row" else self._worst_verdict

    def _is_full(self, kind: CostKind) -> bool:
        """Whether one more may exceed the limit, if those under way cost as much as is known now that they may."""
        reserved = sum(n * self._worst(kind_under_way) for kind_under_way, n in self._n_under_way.items())
        owed = self.n_owed * self._worst_verdict
        return self.spent + owed + reserved + self._worst(kind) > self.limit

    def owe(self) -> None:
        """Keeps the money for a verdict that is asked for later."""
        self.n_owed += 1

    def pay(self, exchange: Exchange | None, verdict: Verdict | None) -> None:
        """Counts what an answer or a verdict has cost; the dearest so far is what the next one may cost."""
        if exchange is not None:
            self._pay_for_answer(exchange)
        if verdict is not None:
            cost_of_verdict = self._cost_of_verdict(verdict)
            self.spent += cost_of_verdict
            self._worst_verdict = max(self._worst_verdict, cost_of_verdict)

    def pay_for_former_judge(self, verdict: Verdict) -> None:
        """Counts what a verdict of another judge has cost; it tells nothing of what the next verdict may cost."""
        self.spent += self._cost_of_verdict(verdict)

    def _pay_for_answer(self, exchange: Exchange) -> None:
        cost_of_all_tries = cost_of(self._price, exchange.used) or 0.0
        self.spent += cost_of_all_tries
        has_no_token_count = exchange.answer.error is None and exchange.answer.usage is None
        if has_no_token_count:
            self.spent += self._worst_answer
        cost_of_last_try = cost_of(self._price, exchange.answer.usage) or 0.0
        self._worst_answer = max(self._worst_answer, cost_of_last_try)

    def _cost_of_verdict(self, verdict: Verdict) -> float:
        """What it cost; where that is not known in part, at least what one may cost."""
        costs = [judge_cost(self._judge_prices, [{model: usage}]) for model, usage in verdict.used.items()]
        known_cost = sum(cost for cost in costs if cost is not None)
        return max(known_cost, self._worst_verdict) if None in costs else known_cost


def judge_prices(judge: Judge | None, prices: Prices | None) -> dict[str, Price]:
    """The prices of the models that a judge asks, as far as they are known: at every endpoint where it asks them."""
    known_prices: dict[str, Price] = {}
    unknown_prices: set[str] = set()
    for bill in judge.bills() if judge else ():
        price = price_of(bill.model, base_url=bill.base_url, prices=prices)
        if price is None:
            unknown_prices.add(bill.model)
        else:
            known_prices[bill.model] = price
    return {model: price for model, price in known_prices.items() if model not in unknown_prices}


def budget_of(
    limit: float | None,
    info: RunInfo,
    judge: Judge | None,
    rows: Sequence[Row],
    longest_answer: int | None,
    *,
    batch: bool,
    judge_batch: bool = False,
) -> Budget:
    """The budget for these rows, with answers of at most so many tokens; a UsageError where it cannot be kept.

    With `batch` the answers come at the price of the batch API, with `judge_batch` the verdicts.
    """
    if limit is None:
        return Budget(None, info.price, info.judge_prices)
    check_limit(limit, _models_without_price(info, judge))
    assert info.price is not None
    longest_text = max((text_tokens(row.arm.request(row.sample) or "", row.arm.system) for row in rows), default=0)
    usage = Usage(input_tokens=longest_text, output_tokens=longest_answer or ANSWER_TOKENS)
    worst_answer = info.price.cost(usage.in_batch() if batch else usage) or 0.0
    worst_verdict = 0.0
    if judge is not None:
        worst_verdict = _estimate_verdict_cost(judge, info.judge_prices, rows, usage, batch=judge_batch)
    return Budget(limit, info.price, info.judge_prices, answer=worst_answer, verdict=worst_verdict)


def _models_without_price(info: RunInfo, judge: Judge | None) -> list[str]:
    """The run's model and the judge's, each by the price of its own endpoint: one model can be both."""
    names = [] if info.price else [info.config.model]
    if judge is not None:
        names.extend(bill.model for bill in judge.bills() if bill.model not in info.judge_prices)
    return list(dict.fromkeys(names))


def _estimate_verdict_cost(judge: Judge, prices: Prices, rows: Sequence[Row], longest: Usage, *, batch: bool) -> float:
    """What one verdict may cost, with all models that the judge asks, each twice if its first reply has no verdict.

    `longest` has the tokens of the longest text and of the longest answer. The second request is never in a batch.
    """
    if not rows:  # then there is no answer to judge
        return 0.0
    longest_answer = Answer(text=longest.output_tokens * CHARACTERS_PER_TOKEN * "x")
    exchange = Exchange(side=rows[0].key.side, sample="", request="", answer=longest_answer)
    total = 0.0
    for rubric_judge, _ in models_asked(judge):
        n_prompt_tokens = longest.input_tokens + text_tokens(message(rubric_judge.rubric, exchange))
        first_request = Usage(input_tokens=n_prompt_tokens, output_tokens=SETTINGS.max_tokens)
        second_request = Usage(input_tokens=n_prompt_tokens + text_tokens(REMINDER), output_tokens=SETTINGS.max_tokens)
        both_requests = (first_request.in_batch() if batch else first_request) + second_request
        total += prices[rubric_judge.model.name].cost(both_requests) or 0.0
    return total


def questions_budget(limit: float | None, model: Model, prices: Prices | None, usage: Usage) -> Budget:
    """The budget for questions to a model that are no rows of a run, each of at most so many tokens."""
    price = price_of(model.name, base_url=model.base_url, prices=prices)
    if limit is not None:
        check_limit(limit, [] if price else [model.name])
    return Budget(limit, price, answer=cost_of(price, usage) or 0.0)


def check_limit(limit: float, models_without_price: Sequence[str]) -> None:
    """A UsageError where a limit is none, or where nobody knows what these models cost."""
    if not (0 < limit < math.inf):
        raise bad_option("max_cost", f"is {limit!r}, expected US dollars above 0")
    if models_without_price:
        example = f'{{"{models_without_price[0]}": {{"input": 2.5, "output": 10}}}}'
        raise bad_option(
            "max_cost",
            f"needs a price for {' and '.join(models_without_price)}, and none is known; write it to a file, in US "
            f"dollars per million tokens: {example}",
            SetOption("prices", to="then name the file"),
        )
