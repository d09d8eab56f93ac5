"""Calls to a batch API that cost nothing: they are repeated where that may help."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

from mossbench.errors import MossbenchError, RunError
from mossbench.models import Overloaded
from mossbench.models.batch_api import BatchApi
from mossbench.models.connections import Waits
from mossbench.models.faults import Fault, answer_or_raise, read_fault
from mossbench.models.retry_after import FIRST_WAIT, LONGEST_WAIT
from mossbench.runs.batches.rows import UnansweredRows

OnWait = Callable[[Waits], None]
_PATIENCE = 60  # repeats of a call for what is paid for already: with the waits between them about an hour
_TRIES_TO_APPEAR = 10  # of a call for what the provider has named, and does not know yet
TRY_LATER = "try again later"
Result = TypeVar("Result")


class CallFailed(RunError):
    """A call to a batch API did not go through."""

    def __init__(self, message: str, status: int | None) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status of the last reply."""


class BatchCalls:
    """The calls of one batch queue to its provider, and its waits between them."""

    def __init__(
        self,
        api: BatchApi,
        path: Path,
        rows: UnansweredRows,
        *,
        retries: int,
        poll: float,
        on_wait: OnWait | None,
    ) -> None:
        self.api = api
        self.path = path
        """batches.jsonl, for messages."""
        self.retries = retries
        self.poll = poll
        """Seconds between two looks at a batch; 0: one look, without waiting."""
        self.has_accepted_key = False
        """Whether a call has gone through, so that the key is one that the provider knows."""
        self._rows = rows
        self._on_wait = on_wait

    async def call(
        self,
        send: Callable[[], Awaitable[Result]],
        *,
        is_upload: bool = False,
        may_appear: bool = False,
        unconfirmed: str = "",
    ) -> Result:
        """What a call to the provider gives, repeated where that may help. None of these calls is paid for.

        Args:
            send: The call.
            is_upload: It is the first one, with little to lose: fewer tries.
            may_appear: What is asked for was named by the provider, which may not have it everywhere yet.
            unconfirmed: The name of a chunk of which nobody knows whether the provider has it.

        Raises:
            CallFailed: It was denied, or did not go through in the end; what is pending stays so.
        """
        max_repeats = self.retries if is_upload or not self.poll else _PATIENCE
        way_out = self._way_out(is_upload=is_upload, unconfirmed=unconfirmed)
        tries = 0
        while True:
            try:
                result = await send()
            except (MossbenchError, TypeError):
                raise
            except Exception as error:  # SDKs raise their own, their HTTP library's and Python's errors
                fault = read_fault(error)
            else:
                self.has_accepted_key = self.has_accepted_key or not is_upload
                return result
            tries += 1
            may_appear_yet = may_appear and _may_appear_yet(fault, tries)
            may_succeed_later = may_appear_yet or _has_no_reply(fault)
            overload = self._find_overload_or_fail(fault, way_out, may_succeed_later=may_succeed_later)
            if overload is not None and not fault.unreachable and not unconfirmed:
                way_out = TRY_LATER
            is_worth_repeating = may_succeed_later or overload is not None
            if not is_worth_repeating or tries > max_repeats:
                raise CallFailed(self.failure_message(fault, way_out), fault.status)
            await self.wait(pause_after(tries, overload), fault.message)

    def _find_overload_or_fail(self, fault: Fault, way_out: str, *, may_succeed_later: bool) -> Overloaded | None:
        """The sign that the provider is overloaded; None: there is none.

        Raises:
            CallFailed: The provider denies the call, and repeating it cannot help.
        """
        try:
            return self.find_overload(fault, way_out)
        except MossbenchError as denied:
            if may_succeed_later:
                return None
            raise CallFailed(str(denied), fault.status) from None

    def find_overload(self, fault: Fault, way_out: str) -> Overloaded | None:
        """The sign that the same call may go through later; None: there is none.

        Raises:
            Denied: The provider does not let the call through.
        """
        try:
            answer_or_raise(fault, f"{self.api.model.name}, batch API", way_out=way_out)
        except Overloaded as overload:
            return overload
        return None

    def failure_message(self, fault: Fault, way_out: str) -> str:
        return f"{self.api.model.name}, batch API: {fault.message}; {way_out}"

    async def wait(self, seconds: float, reason: str) -> None:
        """Waits, and says so to whoever shows the progress of the run."""
        if self._on_wait is not None:
            until = datetime.now().astimezone() + timedelta(seconds=seconds)
            self._on_wait(Waits(self._rows.names(), until, reason))
        await asyncio.sleep(seconds)

    @property
    def check_api(self) -> str:
        """What a user does about an API that takes no batches at all."""
        return f"{self.api.model.way_out}, and whether it has a batch API"

    def _way_out(self, *, is_upload: bool, unconfirmed: str) -> str:
        """What a user does about a call that does not go through."""
        if is_upload:
            return self.check_api
        check = self.api.model.way_out
        if unconfirmed:
            return (
                f"it is unknown whether batch {unconfirmed} was created, so nothing is sent again: resume later, "
                f"or, if the provider has no such batch, remove the lines with that name from {self.path}; {check}"
            )
        return f"{check}; if a batch is gone for good, delete {self.path}: its rows are sent, and paid for, again"


def _may_appear_yet(fault: Fault, tries: int) -> bool:
    """Whether something that the provider has just named may not be known everywhere there yet."""
    return fault.status == 404 and tries < _TRIES_TO_APPEAR


def _has_no_reply(fault: Fault) -> bool:
    return fault.status is None and fault.type != "UnreadableReply"


def pause_after(tries: int, overload: Overloaded | None) -> float:
    """Seconds until a call is repeated: as many as the provider asks for, else twice as many after each try."""
    if overload is not None and overload.retry_after:
        return overload.retry_after
    doubled: float = FIRST_WAIT * 2.0 ** (tries - 1.0)
    return min(LONGEST_WAIT, doubled)
