"""How much money a run may spend, with its judge: `max_cost`.

A row begins only if what was spent, and what the rows under way may cost, leave room for it. A row is taken to cost
what its text and the longest answer would, or what the dearest row so far did, if that is more; so a run stays within
its limit unless a row costs more than that, by its image or without a limit on tokens. Of an answer whose tokens
nobody counted the same is assumed. What a provider charges for tries that brought nothing is not known, and not in it.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from mossbench.datasets.arms import Row
from mossbench.errors import UsageError
from mossbench.judges import Judge, models_asked
from mossbench.judges.rubric import SETTINGS, message
from mossbench.models import Model
from mossbench.outcomes import Exchange, Usage, Verdict
from mossbench.store.config import RunInfo
from mossbench.store.prices import (
    ANSWER_TOKENS,
    USUAL_ANSWER,
    Price,
    Prices,
    cost_of,
    judge_cost,
    price_of,
    text_tokens,
)


class Budget:
    """US dollars for one run; `limit` None: as much as it takes."""

    def __init__(
        self,
        limit: float | None,
        price: Price | None,
        judge_prices: Mapping[str, Price] | None = None,
        *,
        row: float = 0.0,
        verdict: float = 0.0,
    ) -> None:
        self.limit, self.spent, self.stopped = math.inf if limit is None else limit, 0.0, False
        self.owed = 0.0
        """Kept for the verdicts on answers that are there, until those are asked for."""
        self._price, self._judges = price, judge_prices or {}
        self._worst = {"row": row, "verdict": verdict}
        self._n, self._reserved, self._changed = 0, 0.0, asyncio.Condition()

    @asynccontextmanager
    async def place(self, kind: str) -> AsyncIterator[bool]:
        """Waits until one more may begin; False: none may, and nothing under way can make room."""
        async with self._changed:
            while self._n and self._is_full(kind):
                await self._changed.wait()
            reserved = self.reserve(kind)
        try:
            yield reserved is not None
        finally:
            async with self._changed:
                self.release(reserved)
                self._changed.notify_all()

    def reserve(self, kind: str, *, under_way: bool = False) -> float | None:
        """What one more is taken to cost; None where there is no room for it now. One under way already is let in."""
        if not under_way and self._is_full(kind):
            self.stopped |= not self._n
            return None
        self._n, self._reserved = self._n + 1, self._reserved + self._worst[kind]
        return self._worst[kind]

    def release(self, reserved: float | None) -> None:
        if reserved is not None:
            self._n, self._reserved = self._n - 1, self._reserved - reserved

    def _is_full(self, kind: str) -> bool:
        return self.spent + self.owed + self._reserved + self._worst[kind] > self.limit

    def owe(self) -> None:
        self.owed += self._worst["verdict"]

    def pay(self, exchange: Exchange | None, verdict: Verdict | None) -> None:
        asked = judged = 0.0
        if exchange is not None:
            answer, found = exchange.answer, cost_of(self._price, exchange.used)
            unknown = answer.error is None and answer.usage is None
            asked = (found or 0.0) + (self._worst["row"] - self._worst["verdict"] if unknown else 0.0)
        if verdict is not None and verdict.used:
            found = judge_cost(self._judges, [verdict.used])
            judged = self._worst["verdict"] if found is None else found
        self.spent += asked + judged
        self._worst["verdict"] = max(self._worst["verdict"], judged)
        self._worst["row"] = max(self._worst["row"], asked + judged)


def judge_prices(judge: Judge | None, prices: Prices | None) -> dict[str, Price]:
    bills = judge.bills() if judge else ()
    found = {bill.model: price_of(bill.model, base_url=bill.base_url, prices=prices) for bill in bills}
    return {model: price for model, price in found.items() if price is not None}


def budget_of(
    limit: float | None,
    info: RunInfo,
    judge: Judge | None,
    rows: Sequence[Row],
    longest: int | None,
    *,
    batch: bool,
    judge_batch: bool = False,
) -> Budget:
    """The budget for these rows, with answers of at most `longest` tokens; a UsageError where it cannot be kept.

    With `batch` the answers come at the price of the batch API, with `judge_batch` the verdicts.
    """
    if limit is None:
        return Budget(None, info.price, info.judge_prices)
    names = [*([] if info.price else [info.config.model]), *({bill.model for bill in judge.bills()} if judge else ())]
    _check(limit, [name for name in names if name not in info.judge_prices])
    assert info.price is not None
    texts = [text_tokens(row.arm.request(row.sample) or "", row.arm.system) for row in rows]
    used = Usage(input_tokens=max(texts, default=0), output_tokens=longest or ANSWER_TOKENS)
    worst = info.price.cost(used.in_batch() if batch else used) or 0.0
    verdict = 0.0
    for one, _ in models_asked(judge) if judge else ():
        exchange = Exchange(side=rows[0].key.side, sample="", request="", answer=USUAL_ANSWER)
        read = max(texts, default=0) + text_tokens(message(one.rubric, exchange))
        used = Usage(input_tokens=read, output_tokens=SETTINGS.max_tokens)
        verdict += info.judge_prices[one.model.name].cost(used.in_batch() if judge_batch else used) or 0.0
    return Budget(limit, info.price, info.judge_prices, row=worst + verdict, verdict=verdict)


def questions_budget(limit: float | None, model: Model, prices: Prices | None, each: Usage) -> Budget:
    price = price_of(model.name, base_url=model.base_url, prices=prices)
    if limit is not None:
        _check(limit, [] if price else [model.name])
    return Budget(limit, price, row=cost_of(price, each) or 0.0)


def _check(limit: float, without_price: Sequence[str]) -> None:
    if not (0 < limit < math.inf):
        raise UsageError(f"`max_cost` is {limit!r}, expected US dollars above 0")
    if without_price:
        example = f'{{"{without_price[0]}": {{"input": 2.5, "output": 10}}}}'
        raise UsageError(
            f"`max_cost` cannot be kept: there is no price for {' and '.join(without_price)}; name it in a file, US "
            f"dollars for a million tokens: {example}, and give that with `prices`"
        )
