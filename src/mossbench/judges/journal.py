"""Verdicts saved as they are given, so that judging files can be stopped and resumed.

A verdict is used again only for the same request, answer and picture and the same judge in the same version, and only
as often as it was given: judging in two sittings gives the same verdicts as in one.
"""

import asyncio
import inspect
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mossbench.errors import Interrupted, MossbenchError, StorageError
from mossbench.images.preparing import Picture
from mossbench.judges.judge import Judge, judge_exchange
from mossbench.outcomes import Exchange, Judgement, Verdict
from mossbench.plumbing.line_writer import LineWriter
from mossbench.plumbing.lines import read_lines
from mossbench.plumbing.locks import locked
from mossbench.plumbing.places import PlaceLost


class _Journaled(Judge):
    """A judge whose verdicts are saved in a file; a saved verdict is not asked for again."""

    def __init__(self, judge: Judge, file: LineWriter) -> None:
        self.name = judge.name
        self.version = judge.version
        self.needs_picture = judge.needs_picture
        self._judge = judge
        self._file = file
        self._verdicts: defaultdict[str, deque[Verdict]] = defaultdict(deque)
        self.n_given = 0
        for line in read_lines(file.path, Judgement):
            if line.judge == self.label and line.verdict.is_final:  # one without a verdict is asked for again
                self._verdicts[line.digest].append(line.verdict)
                self.n_given += 1

    def early(self, exchange: Exchange) -> Verdict | None:
        return self._judge.early(exchange)

    async def verdict(self, exchange: Exchange, picture: Picture | None = None) -> Verdict:
        pictures = (picture, *picture.more) if picture else ()
        digest = exchange.digest() + "".join(shown.sha256[:16] for shown in pictures)
        if self._verdicts[digest]:
            return self._verdicts[digest].popleft()
        judgement = await judge_exchange(self._judge, exchange, picture)
        self.n_given += judgement.verdict.is_final
        self._file.append(judgement.model_copy(update={"digest": digest}))
        return judgement.verdict

    def delete_journal(self) -> None:
        self._file.delete()

    async def close(self) -> None:
        await self._judge.close()


@contextmanager
def journaled(judge: Judge, path: Path) -> Iterator[Judge]:
    """The judge, with a journal at `path` that is not deleted; an error that stops the work says how much is in it.

    A judge that is not async has no journal: judging again costs nothing.
    """
    if not inspect.iscoroutinefunction(judge.verdict):
        yield judge
        return
    busy = f"{str(path)!r} is being written by another process; wait for it or stop it first"
    with locked(path.with_name(f".{path.name}.lock"), busy), LineWriter(path) as file:
        journaled_judge = _Journaled(judge, file)
        try:
            yield journaled_judge
        except (MossbenchError, KeyboardInterrupt, asyncio.CancelledError) as error:
            with suppress(StorageError):  # the output that filled the disk is gone again
                file.flush()
            if isinstance(error, PlaceLost):
                if error.file.cut is not None:
                    error.add_note("judging was stopped; run the same again: verdicts that are still there count")
                raise  # it says what became of the verdicts
            n_safe = journaled_judge.n_given - file.n_waiting
            hint = f"{n_safe} verdicts are saved in {path}; run the same again to continue from there"
            if not isinstance(error, MossbenchError):
                raise Interrupted(f"stopped. {hint}" if n_safe else "stopped before the first verdict") from None
            if n_safe:
                error.add_note(hint)
            raise
        finally:
            if not journaled_judge.n_given:
                file.delete()


def discard_journal(judge: Judge) -> None:
    """Deletes the journal of a judge from `journaled`, once everything is judged."""
    if isinstance(judge, _Journaled):
        judge.delete_journal()
