"""Images on their way to the model of a run: made ready once, kept while there is room."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Lock
from typing import ClassVar

from mossbench.datasets import Dataset
from mossbench.datasets.arms import PLAIN, Arm, Shown
from mossbench.images import Limits, Picture, prepare
from mossbench.outcomes import SentPicture
from mossbench.samples import Sample, Side


def sent_picture(ref: str | None, picture: Picture) -> SentPicture:
    """The record of a picture that goes out; drawn ones have no `ref`."""
    return SentPicture(
        ref=ref or "",
        sha256=picture.sha256,
        n_bytes=len(picture.data),
        width=picture.width,
        height=picture.height,
        media_type=picture.media_type,
    )


class PictureShelf:
    """Pictures made ready within limits; twins, arms, epochs and runs that share a file share the work."""

    ROOM = 128 * 2**20  # bytes of pictures kept; the text of each, once it was sent, takes four thirds more
    _kept: ClassVar[
        dict[tuple[Path | None, int, Shown, Limits], Picture]
    ] = {}  # the number: when the file last changed
    _lock: ClassVar[Lock] = Lock()

    def __init__(self, dataset: Dataset, limits: Limits | None) -> None:
        self._limits, self._dataset = limits, dataset
        self._found: dict[tuple[tuple[Side, str], str], Shown] = {}

    def shown(self, sample: Sample, arm: Arm) -> Shown:
        """What the arm shows for the sample; found once."""
        key = (sample.key, arm.picture)
        if key not in self._found:
            self._found[key] = arm.shown(sample, self._dataset)
        return self._found[key]

    async def fetch(self, sample: Sample, arm: Arm = PLAIN) -> Picture | None:
        """The picture to send; None when there is none under this arm, or none is taken (no limits)."""
        limits = self._limits
        if limits is None or (shown := self.shown(sample, arm)) == Shown(None):
            return None
        path = await asyncio.to_thread(shown.path, sample, self._dataset)  # some are composed from patches first
        key = (path, path.stat().st_mtime_ns if path and path.exists() else 0, shown, limits)
        picture = self._kept.get(key)
        if picture is None:
            picture = await asyncio.to_thread(lambda: prepare(shown.read(path), limits))
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = picture  # at the end: the one used last goes last
            while sum(len(one.data) for one in self._kept.values()) > self.ROOM:
                del self._kept[next(iter(self._kept))]
        return picture
