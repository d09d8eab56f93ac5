"""The rows that have no answer yet: how often each was sent, and what the budget holds back for it."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from mossbench.models import Denied, Overloaded
from mossbench.models.faults import Fault
from mossbench.models.hosted import HostedModel
from mossbench.models.replies import Reply
from mossbench.outcomes import Answer, Key
from mossbench.runs.budget import Budget, CostKind

TakeAnswer = Callable[[Key, Answer, int], Awaitable[None]]
"""Given each row's answer once, with how often the row was sent. The answer is on record when it returns."""


@dataclass(frozen=True)
class _Settled:
    """What came of a row."""

    answer: Answer
    """Or its failure, for the record once it is not sent again."""
    may_be_sent_again: bool


class UnansweredRows:
    """Rows by their keys, until their answers are on record or they have failed."""

    def __init__(
        self,
        keys: Iterable[Key],
        model: HostedModel,
        budget: Budget,
        take_answer: TakeAnswer,
        *,
        kind: CostKind,
        retries: int,
    ) -> None:
        self._keys = dict.fromkeys(keys)
        self._model = model
        self._budget = budget
        self._take_answer = take_answer
        self._kind = kind
        """What a row costs the budget: a `row` of a run, or a `verdict`."""
        self._retries = retries
        self._n_sent = Counter[Key]()
        self._under_way: set[Key] = set()
        """The rows that were sent, or are about to be: the budget holds money back for them."""

    def __contains__(self, key: Key) -> bool:
        return key in self._keys

    def __len__(self) -> int:
        return len(self._keys)

    def names(self) -> tuple[str, ...]:
        """The rows as a user knows them."""
        return tuple(f"{key.side} {key.sample}" for key in self._keys)

    def not_sent(self) -> list[Key]:
        return [key for key in self._keys if key not in self._under_way]

    def note_sent_before(self, keys: Iterable[Key]) -> None:
        """Has the budget hold back the cost of rows that an earlier session sent; being paid for, they are let in."""
        for key in keys:
            if key in self._keys:
                self._budget.reserve(self._kind, under_way=True)
                self._under_way.add(key)

    def reserve(self, key: Key) -> bool:
        """Whether the budget has room for a row, which is kept for it until its result comes."""
        if self._budget.reserve(self._kind) is None:
            return False
        self._under_way.add(key)
        return True

    def drop(self, key: Key) -> None:
        """Leaves out a row that is not to be sent."""
        del self._keys[key]

    async def take_result(self, key: Key, result: Reply | Fault) -> None:
        """Takes the result that a row has in its batch. A denial concerns this row alone."""
        try:
            settled = self._settle(result)
        except Denied as denied:
            settled = _Settled(denied.answer(), may_be_sent_again=False)
        await self._take(key, settled)

    async def take_missing(self, key: Key, why: Fault) -> None:
        """Takes that a row has no result in its batch. Raises what denies all rows: a wrong model, an empty account."""
        await self._take(key, self._settle(why))

    def _settle(self, result: Reply | Fault) -> _Settled:
        model = self._model
        try:
            answer = model.settled(result, dict.fromkeys(model.optional))
        except Overloaded as overload:
            return _Settled(overload.answer(), may_be_sent_again=True)
        if answer is None:  # the model does not take a parameter, which is left out from now on
            failed = Answer.failed("model", getattr(result, "message", ""))
            return _Settled(failed, may_be_sent_again=True)
        return _Settled(answer, may_be_sent_again=False)

    async def _take(self, key: Key, settled: _Settled) -> None:
        """Ends a row, or has it sent again where that may help."""
        self._n_sent[key] += 1
        if not settled.may_be_sent_again or self._n_sent[key] > self._retries:
            await self._end(key, settled.answer)
        if key in self._under_way:
            self._under_way.remove(key)
            self._budget.release(self._kind)

    async def _end(self, key: Key, answer: Answer) -> None:
        usage = answer.usage.in_batch() if answer.usage else None
        await self._take_answer(key, answer.model_copy(update={"usage": usage}), self._n_sent[key])
        del self._keys[key]
