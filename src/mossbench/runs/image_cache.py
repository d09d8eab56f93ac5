"""Images on their way to the model of a run: made ready once, kept while there is room."""

import asyncio
from collections.abc import Hashable
from pathlib import Path
from threading import Lock

from mossbench.datasets import Dataset
from mossbench.datasets.arms import PLAIN, Arm, Shown
from mossbench.images.fine import prepared
from mossbench.images.neutral import neutral_alone, neutral_like
from mossbench.images.preparing import Limits, Picture, several
from mossbench.outcomes import SentPicture
from mossbench.plumbing.reading import state_of
from mossbench.samples import Sample, Side


def sent_pictures(shown: tuple[Shown, ...], pictures: tuple[Picture, ...]) -> tuple[SentPicture, ...]:
    """The records of pictures that go out; drawn ones have no `ref`."""
    told = ("sha256", "width", "height", "media_type", "removed")
    return tuple(
        SentPicture(ref=one.image or "", n_bytes=len(sent.data), **{name: getattr(sent, name) for name in told})
        for one, sent in zip(shown, pictures, strict=False)
    )


class ImageCache:
    """Images made ready, up to `room` bytes, those used last. It belongs to a run, or to whoever makes several runs."""

    def __init__(self, room: int = 128 * 2**20) -> None:
        self._room, self._n_bytes = room, 0  # the text of each, once it was sent, takes four thirds more
        self._kept: dict[Hashable, Picture] = {}
        self._lock = Lock()  # runs beside each other (`arun`) are in threads

    def get(self, key: Hashable) -> Picture | None:
        return self._kept.get(key)

    def keep(self, key: Hashable, picture: Picture) -> None:
        """Puts it at the end, and drops from the front what there is no room for."""
        with self._lock:
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
        self._sought: dict[tuple[tuple[Side, str], str], tuple[Shown, ...]] = {}
        self._making: dict[Shown, asyncio.Future[Picture]] = {}

    def shown(self, sample: Sample, arm: Arm) -> tuple[Shown, ...]:
        """What the arm shows for the sample, one for each image; what is sought among all samples is so once."""
        key = (sample.key, arm.picture)
        found = self._sought.get(key) or arm.shown(sample, self._dataset).each()
        if arm.picture in ("swapped", "people", "nobody"):
            self._sought[key] = found
        return found

    async def fetch(self, sample: Sample, arm: Arm = PLAIN) -> Picture | None:
        """The picture to send, with those that come after it; None where there is none."""
        return several(await self.fetch_all(sample, arm))

    async def fetch_all(self, sample: Sample, arm: Arm = PLAIN) -> tuple[Picture, ...]:
        """The pictures to send; none when there are none under this arm, or none is taken (no limits)."""
        if self._limits is None:
            return ()
        return tuple([await self._one(sample, one, self._limits) for one in self.shown(sample, arm)])

    async def _one(self, sample: Sample, shown: Shown, limits: Limits) -> Picture:
        key = _key(self._dataset.paths.get(shown.file), shown, limits)  # no thread for what is there already
        if (picture := self._cache.get(key)) is not None:
            self._cache.keep(key, picture)
            return picture
        if shown not in self._making:  # arms of a sample come together: one makes it for all
            self._making[shown] = asyncio.ensure_future(self._make(sample, shown, limits))
        return await asyncio.shield(self._making[shown])

    async def _make(self, sample: Sample, shown: Shown, limits: Limits) -> Picture:
        def made_ready() -> tuple[Hashable, Picture]:
            if (path := shown.path(sample, self._dataset)) is not None:  # some are composed from patches first
                if len(self._dataset.paths) >= 10_000:  # there is hardly ever room for more images
                    self._dataset.paths.clear()
                self._dataset.paths[shown.file] = path
            key = _key(path, shown, limits)
            return key, self._cache.get(key) or _made(shown, path, limits)

        try:
            key, picture = await asyncio.to_thread(made_ready)
            self._cache.keep(key, picture)  # before anyone looks again
            return picture
        finally:
            del self._making[shown]


def _made(shown: Shown, path: Path | None, limits: Limits) -> Picture:
    """The picture as it is sent. A neutral one is made like the other one as that is sent, and not changed after it."""
    if shown.drawn_for and shown.like is None:
        return neutral_alone(limits, shown.drawn_for)
    if shown.drawn_for:
        return neutral_like(prepared(Shown(shown.like).read(path), limits), shown.drawn_for)
    return prepared(shown.read(path), limits)


def _key(path: Path | None, shown: Shown, limits: Limits) -> Hashable:
    """By what an image made ready is known: also by the state of its file."""
    try:
        return path, state_of(path) if path else (), shown, limits
    except (OSError, ValueError):
        return path, (), shown, limits
