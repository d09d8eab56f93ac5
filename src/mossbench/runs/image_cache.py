"""Images on their way to the model of a run: made ready once, kept while there is room."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Hashable

from mossbench.datasets import Dataset
from mossbench.datasets.arms import PLAIN, Arm, Shown
from mossbench.images.preparing import Limits, Picture, prepare, several
from mossbench.outcomes import SentPicture
from mossbench.samples import Sample, Side


def sent_pictures(shown: Shown, pictures: tuple[Picture, ...]) -> tuple[SentPicture, ...]:
    """The records of pictures that go out."""
    return tuple(sent_picture(one.image, picture) for one, picture in zip(shown.each(), pictures, strict=False))


def sent_picture(ref: str | None, picture: Picture) -> SentPicture:
    """The record of a picture that goes out; drawn ones have no `ref`."""
    return SentPicture(
        ref=ref or "",
        sha256=picture.sha256,
        n_bytes=len(picture.data),
        width=picture.width,
        height=picture.height,
        media_type=picture.media_type,
        removed=picture.removed,
    )


class ImageCache:
    """Images made ready, up to `room` bytes, those used last. It belongs to a run, or to whoever makes several runs."""

    def __init__(self, room: int = 128 * 2**20) -> None:
        self._room, self._n_bytes = room, 0  # the text of each, once it was sent, takes four thirds more
        self._kept: dict[Hashable, Picture] = {}

    def get(self, key: Hashable) -> Picture | None:
        return self._kept.get(key)

    def keep(self, key: Hashable, picture: Picture) -> None:
        """Puts it at the end, and drops from the front what there is no room for."""
        before = self._kept.pop(key, None)
        self._kept[key] = picture
        self._n_bytes += len(picture.data) - (len(before.data) if before else 0)
        while self._n_bytes > self._room:
            self._n_bytes -= len(self._kept.pop(next(iter(self._kept))).data)


class PictureShelf:
    """Pictures made ready within limits; twins, arms, epochs and shelves that share a cache share the work.

    With `alike` all are written anew in one format: what is shown is then all that they differ in.
    """

    def __init__(
        self, dataset: Dataset, limits: Limits | None, cache: ImageCache | None = None, *, alike: bool = False
    ) -> None:
        self._limits, self._dataset = limits.alike() if limits and alike else limits, dataset
        self._cache = ImageCache() if cache is None else cache
        self._found: dict[tuple[tuple[Side, str], str], Shown] = {}
        self._making: dict[Shown, asyncio.Future[Picture]] = {}

    def shown(self, sample: Sample, arm: Arm) -> Shown:
        """What the arm shows for the sample; found once."""
        key = (sample.key, arm.picture)
        if key not in self._found:
            self._found[key] = arm.shown(sample, self._dataset)
        return self._found[key]

    async def fetch(self, sample: Sample, arm: Arm = PLAIN) -> Picture | None:
        """The picture to send, with those that come after it; None where there is none."""
        return several(await self.fetch_all(sample, arm))

    async def fetch_all(self, sample: Sample, arm: Arm = PLAIN) -> tuple[Picture, ...]:
        """The pictures to send; none when there are none under this arm, or none is taken (no limits)."""
        if self._limits is None:
            return ()
        return tuple([await self._one(sample, one, self._limits) for one in self.shown(sample, arm).each()])

    async def _one(self, sample: Sample, shown: Shown, limits: Limits) -> Picture:
        path = await asyncio.to_thread(shown.path, sample, self._dataset)  # some are composed from patches first
        key = (path, path.stat().st_mtime_ns if path and os.path.exists(path) else 0, shown, limits)

        async def make() -> Picture:
            try:
                picture = await asyncio.to_thread(lambda: prepare(shown.read(path), limits))
                self._cache.keep(key, picture)  # before anyone looks again
                return picture
            finally:
                del self._making[shown]

        if (picture := self._cache.get(key)) is None:
            if shown not in self._making:  # arms of a sample come together: one makes it for all
                self._making[shown] = asyncio.ensure_future(make())
            return await asyncio.shield(self._making[shown])
        self._cache.keep(key, picture)
        return picture
