"""Samples of runs, each read from its file once.

Runs on the same data have the same `samples.jsonl`, and samples are two thirds of the memory that a run takes: a page
that shows thirty runs on one dataset holds its samples once. They are kept only as long as somebody uses them.
"""

from pathlib import Path
from weakref import WeakValueDictionary

from mossbench.datasets.stored_samples import LARGE, StoredSamples, open_samples
from mossbench.plumbing.lines import read_lines
from mossbench.plumbing.untrusted_files import count_lines, digest_of
from mossbench.samples import Sample


class SampleList(list[Sample]):
    """A list of samples. Python can tell when nobody uses such a list any more, and cannot for a plain `list`."""


_in_use: WeakValueDictionary[tuple[str, bool], SampleList | StoredSamples] = WeakValueDictionary()
"""By the digest of the file that they were read from, and whether they stay in it. An entry goes when its last user
does."""


def read_samples(path: Path, *, stored: bool | None = None) -> SampleList | StoredSamples:
    """The samples in a file; the same list as before where somebody still uses what was read from such a file.

    With `stored` only what they are found by is in memory; by default if the file has more than `LARGE`.
    """
    try:
        digest = digest_of(path)
    except OSError:  # there are none yet, or reading says what is wrong
        return SampleList(read_lines(path, Sample))
    if stored is None:
        stored = count_lines(path) > LARGE
    samples = _in_use.get((digest, stored))
    if samples is not None:
        return samples
    # Another thread may have read them meanwhile: then its list is used by both.
    return _in_use.setdefault((digest, stored), open_samples(path) if stored else SampleList(read_lines(path, Sample)))
