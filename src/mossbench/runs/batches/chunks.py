"""The chunks of rows that a provider has, or may have: on record in batches.jsonl until all of their results are."""

from collections.abc import Iterator
from contextlib import suppress

from mossbench.errors import n_of
from mossbench.plumbing.line_writer import LineWriter
from mossbench.plumbing.places import PlaceLost
from mossbench.store.batch_log import Chunk, chunks_out


class StillPending(Exception):
    """A batch goes on, or its results are not there yet, and nobody is to wait for it any longer."""


class PendingChunks:
    """The chunks of a run, or of one judge of it, that are not closed."""

    def __init__(self, journal: LineWriter, judge: str) -> None:
        """Reads what is pending from earlier sessions; an empty `judge` is the run itself."""
        self._journal = journal
        self._judge = judge
        on_record = chunks_out(journal.path)
        self._by_name = {name: chunk for name, chunk in on_record.out.items() if chunk.judge == judge}
        self.batch_ids = on_record.batch_ids
        """The provider's ids of all batches that this run ever had, its judges' too."""
        self.not_seen_yet: set[str] = set()
        """Batches that this process made or found, and has not asked for since: the provider may not know them yet."""

    def __iter__(self) -> Iterator[Chunk]:
        return iter(list(self._by_name.values()))

    def __len__(self) -> int:
        return len(self._by_name)

    def open(self, chunk: Chunk) -> None:
        """Puts on record, and on the disk, that a chunk is about to be handed over."""
        self._journal.append(chunk)
        self._journal.sync()
        self._by_name[chunk.name] = chunk

    def confirm(self, chunk: Chunk, batch: str) -> Chunk:
        """The chunk, on record as the provider's batch of this id."""
        self.not_seen_yet.add(batch)
        confirmed = chunk.model_copy(update={"state": "out", "batch": batch})
        self._by_name[chunk.name] = confirmed  # first: where the file is lost, the message names the id
        self.batch_ids.add(batch)
        self._journal.append(Chunk(name=chunk.name, state="out", batch=batch))
        return confirmed

    def close(self, chunk: Chunk) -> None:
        """Puts on record that no more comes of a chunk."""
        self._journal.append(Chunk(name=chunk.name, state="ended", batch=chunk.batch))
        del self._by_name[chunk.name]

    def describe(self) -> str:
        """What the provider has, with its ids: who has lost batches.jsonl can cancel them there. Empty: nothing."""
        n_rows = sum(len(chunk.rows) for chunk in self._by_name.values())
        if n_rows == 0:
            return ""
        ids = ", ".join(chunk.batch or f"not confirmed yet, named {chunk.name}" for chunk in self._by_name.values())
        return f"{n_of(n_rows, 'row')} in batches at the provider ({ids}), which are paid for"

    def write_again_if_lost(self) -> None:
        """Writes all of it again where only batches.jsonl was deleted or cut: rows would be paid for twice."""
        lost = self._journal.find_lost()
        if lost is None or lost.folder is not None:
            return
        if not lost.file.is_deleted and lost.file.cut is None:
            return
        for chunk in self._by_name.values():
            with suppress(PlaceLost):  # which it raises each time, once the line is written
                self._journal.append(chunk)
