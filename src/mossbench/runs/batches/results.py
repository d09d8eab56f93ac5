"""What the result files of a batch hold, what is missing in them, and what that means for a row without a result."""

from dataclasses import dataclass, field
from pathlib import Path

from mossbench.errors import n_of
from mossbench.models.batch_api import EndedBatch, ResultFile
from mossbench.models.faults import Fault
from mossbench.store.batch_log import Chunk

LOOKS_FOR_FILE = 60
"""At a batch that has results and names no file of them: an hour, at one look a minute."""
_LOOKS_FOR_REST = 10  # at a file that has fewer results than the provider counts
_PAID = "it may be paid for already; the next resume or judging asks for it, and pays for it, again"


@dataclass
class Delivered:
    """What the result files of a batch that has ended had when they were last looked at."""

    chunk: Chunk
    ended: EndedBatch
    ids: set[str] = field(default_factory=set)
    """Of the chunk's items that have a line that can be read."""
    n_of_others: int = 0
    """Lines that can be read, and are of no item of the chunk."""
    n_failures: int = 0
    """How many of the items with a line have an error of the provider's in it."""
    damaged: dict[str, str] = field(default_factory=dict)
    """Ids that stand in lines that cannot be read, with the reason."""
    n_nameless: int = 0
    """Lines that cannot be read, and have no id that can be made out."""
    is_cut: bool = False
    """A file ends in the middle of a line."""

    def add(self, file: ResultFile) -> None:
        ids_of_chunk = self.chunk.ids()
        for id, result in file.results:
            if id not in ids_of_chunk:
                self.n_of_others += 1
                continue
            is_error = isinstance(result, Fault) and result.status != 200
            if id not in self.ids and is_error:
                self.n_failures += 1
            self.ids.add(id)
        for line in file.damaged:
            for id in line.ids:
                self.damaged[id] = line.message
            if not line.ids:
                self.n_nameless += 1
        self.is_cut = self.is_cut or file.is_cut

    @property
    def n_lines(self) -> int:
        """For how many results there is a line, readable or not."""
        return len(self.ids | self.damaged.keys()) + self.n_nameless

    @property
    def has_damage(self) -> bool:
        return bool(self.damaged) or self.n_nameless > 0

    @property
    def is_whole(self) -> bool:
        """Whether there is a line for every result."""
        counts = self.ended.counts
        n_results = len(self.chunk.rows) if counts is None else counts.total
        return self.n_lines >= n_results

    @property
    def n_missing(self) -> int:
        """How many results the provider counts and has not delivered; none where its counts contradict the files."""
        counts = self.ended.counts
        if counts is None or self.n_failures > counts.failed:
            return 0
        return max(0, counts.total - self.n_lines)


@dataclass(frozen=True)
class Gap:
    """Results that must be there, and are not."""

    reason: str
    most_looks: int
    """After these it is taken as it is."""
    stays_pending: bool
    """The batch stays pending then: what is missing may be all of it, and is paid for."""

    def explain(self, looks: int, path: Path, poll: float) -> str:
        """Why the batch stays pending after so many looks, and what a user can do about it; `path`: batches.jsonl."""
        after = f" after {looks} checks" if looks > 1 else ""
        wait_for_them = "" if poll else "; to wait for them, resume with poll above 0"
        give_up = f"if they are gone for good, delete {path}: its rows are sent, and paid for, again"
        return f"{self.reason}{after}; nothing is sent again{wait_for_them}; {give_up}"


def find_gap(delivered: Delivered) -> Gap | None:
    """What is missing in the results of a batch, by its provider's own word; None: nothing that is known of."""
    ended = delivered.ended
    end = f"batch {delivered.chunk.batch or ''} ended as {ended.state!r}"
    if ended.is_gone:
        return None
    if delivered.n_lines == 0 and ended.has_answers:
        counted = f" with {ended.counts.answered:,} answers" if ended.counts else ""
        return Gap(f"no results yet: {end}{counted}", LOOKS_FOR_FILE, stays_pending=True)
    if delivered.is_cut:
        # Where there are as many lines as results, the last one is damaged, as any other may be.
        return Gap(f"results are cut off: {end}", _LOOKS_FOR_REST, stays_pending=not delivered.is_whole)
    n_missing = delivered.n_missing
    if ended.succeeded:  # then it has a result for every request, whatever is counted
        n_missing = max(n_missing, len(delivered.chunk.rows) - delivered.n_lines)
    if n_missing:
        most_looks = _LOOKS_FOR_REST if delivered.n_lines else LOOKS_FOR_FILE
        return Gap(f"{n_of(n_missing, 'result')} missing: {end}", most_looks, stays_pending=False)
    if delivered.n_lines == 0 and ended.counts is None and ended.fault_without_result.lost:
        return Gap(f"results are not counted: {end}", _LOOKS_FOR_REST, stays_pending=False)
    return None


def damaged_result(reason: str) -> Fault:
    """What became of an item whose line cannot be read."""
    return Fault("DamagedResult", f"its line in the results of the batch cannot be read: {reason}; {_PAID}")


def why_no_result(delivered: Delivered) -> Fault:
    """What became of an item that has no line. Only what is surely not paid for may be asked again."""
    ended = delivered.ended
    if ended.is_gone:
        return Fault("ResultLost", f"the provider has deleted the results of the batch ({ended.state}); {_PAID}")
    n_unknown = delivered.n_nameless + delivered.n_of_others
    if n_unknown:
        message = f"it has no result in its batch, which has {n_of(n_unknown, 'line')} that cannot be read"
        return Fault("DamagedResult", f"{message}; {_PAID}")
    n_missing = delivered.n_missing
    if n_missing:
        message = f"it has no result in its batch, of which the provider counts {n_missing:,} more than it gives"
        return Fault("ResultLost", f"{message}; {_PAID}")
    return ended.fault_without_result
