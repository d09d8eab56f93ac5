"""Images on their way to the model of a run: made ready once, kept while there is room."""

import asyncio
from collections.abc import Hashable
from pathlib import Path
from threading import Lock

from mossbench.datasets import Dataset
from mossbench.datasets.arms import PLAIN, Arm, Shown
from mossbench.images.fine import prepared
from mossbench.images.limits import DEFAULT_LIMITS, Limits
from mossbench.images.neutral import neutral_alone, neutral_like
from mossbench.images.preparing import Picture, joined_pictures
from mossbench.outcomes import SentPicture
from mossbench.plumbing.untrusted_files import state_of
from mossbench.samples import Sample, Side

ROOM = 128 * 2**20
"""Bytes of images that a cache keeps; the text of each, once it was sent, takes four thirds more."""
MAX_PATHS = 10_000
"""Paths of images that are kept by the dataset; there is hardly ever room for more images."""
SEARCHED = ("swapped", "people", "nobody")
"""Pictures of arms that are searched for among all samples, which takes long."""


def sent_pictures(shown: tuple[Shown, ...], pictures: tuple[Picture, ...]) -> tuple[SentPicture, ...]:
    """The records of pictures that go out; drawn ones have no `ref`."""
    return tuple(_sent_picture(place, picture) for place, picture in zip(shown, pictures, strict=False))


def _sent_picture(shown: Shown, picture: Picture) -> SentPicture:
    return SentPicture(
        ref=shown.image or "",
        n_bytes=len(picture.data),
        sha256=picture.sha256,
        width=picture.width,
        height=picture.height,
        media_type=picture.media_type,
        removed=picture.removed,
    )


class ImageCache:
    """Images made ready, up to `room` bytes, those used last. It belongs to a run, or to whoever makes several runs."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._n_bytes = 0
        self._kept: dict[Hashable, Picture] = {}  # those used last come last
        self._lock = Lock()  # runs beside each other (`arun`) are in threads

    def get(self, key: Hashable) -> Picture | None:
        return self._kept.get(key)

    def keep(self, key: Hashable, picture: Picture) -> None:
        """Puts it at the end, and drops from the front what there is no room for."""
        with self._lock:
            before = self._kept.pop(key, None)
            if before is not None:
                self._n_bytes -= len(before.data)
            self._kept[key] = picture
            self._n_bytes += len(picture.data)
            while self._n_bytes > self._room:
                self._drop_oldest()

    def _drop_oldest(self) -> None:
        oldest_key = next(iter(self._kept))
        dropped = self._kept.pop(oldest_key)
        self._n_bytes -= len(dropped.data)


class PictureShelf:
    """Pictures made ready within limits; twins, arms, epochs and shelves that share a cache share the work.

    With `one_format` all of them are written in one format, so that they differ only in what they show.
    """

    def __init__(
        self, dataset: Dataset, limits: Limits | None, cache: ImageCache | None = None, *, one_format: bool = False
    ) -> None:
        self._dataset = dataset
        self._limits = limits.with_one_format() if limits and one_format else limits
        self._cache = ImageCache() if cache is None else cache
        self._found_pictures: dict[tuple[tuple[Side, str], str], tuple[Shown, ...]] = {}
        self._in_preparation: dict[Shown, asyncio.Future[Picture]] = {}

    def shown(self, sample: Sample, arm: Arm) -> tuple[Shown, ...]:
        """What the arm shows for the sample, one for each image; a search among all samples is made once."""
        key = (sample.key, arm.picture)
        shown = self._found_pictures.get(key)
        if not shown:
            shown = arm.shown(sample, self._dataset).each()
            if arm.picture in SEARCHED:
                self._found_pictures[key] = shown
        return shown

    async def fetch(self, sample: Sample, arm: Arm = PLAIN) -> Picture | None:
        """The picture to send, with those that come after it; None where there is none."""
        return joined_pictures(await self.fetch_all(sample, arm))

    async def fetch_all(self, sample: Sample, arm: Arm = PLAIN) -> tuple[Picture, ...]:
        """The pictures to send; none when there are none under this arm, or none is taken (no limits)."""
        if self._limits is None:
            return ()
        pictures = [await self._fetch_shown(sample, shown, self._limits) for shown in self.shown(sample, arm)]
        return tuple(pictures)

    async def fetch_history(self, sample: Sample, arm: Arm = PLAIN) -> tuple[tuple[Picture, ...], ...]:
        """The pictures of each message that is sent before the request; none where none are taken (no limits)."""
        pictures: list[tuple[Picture, ...]] = []
        for message in arm.earlier(sample):
            shown = [] if self._limits is None else [Shown(image) for image in message.images]
            fetched = [await self._fetch_shown(sample, place, self._limits or DEFAULT_LIMITS) for place in shown]
            pictures.append(tuple(fetched))
        return tuple(pictures)

    async def _fetch_shown(self, sample: Sample, shown: Shown, limits: Limits) -> Picture:
        path = self._dataset.paths.get(shown.file)
        key = _cache_key(path, shown, limits)
        picture = self._cache.get(key)  # no thread for what is there already
        if picture is not None:
            self._cache.keep(key, picture)
            return picture
        if shown not in self._in_preparation:  # arms of a sample ask for it at the same time: it is prepared once
            self._in_preparation[shown] = asyncio.ensure_future(self._make(sample, shown, limits))
        return await asyncio.shield(self._in_preparation[shown])

    async def _make(self, sample: Sample, shown: Shown, limits: Limits) -> Picture:
        """Makes a picture ready in a thread, and keeps it."""
        try:
            key, picture = await asyncio.to_thread(self._prepare, sample, shown, limits)
            self._cache.keep(key, picture)  # before anyone looks again
            return picture
        finally:
            del self._in_preparation[shown]

    def _prepare(self, sample: Sample, shown: Shown, limits: Limits) -> tuple[Hashable, Picture]:
        """The picture, with its key in the cache."""
        path = shown.path(sample, self._dataset)  # some are composed from patches first
        if path is not None:
            self._remember_path(shown.file, path)
        key = _cache_key(path, shown, limits)
        picture = self._cache.get(key) or _make_picture(shown, path, limits)
        return key, picture

    def _remember_path(self, file: str, path: Path) -> None:
        paths = self._dataset.paths
        if len(paths) >= MAX_PATHS:
            paths.clear()
        paths[file] = path


def _make_picture(shown: Shown, path: Path | None, limits: Limits) -> Picture:
    """The picture as it is sent. A neutral one is made like the other one as that is sent, and not changed after it."""
    if not shown.drawn_for:
        return prepared(shown.read(path), limits)
    if shown.like is None:
        return neutral_alone(limits, shown.drawn_for)
    like = prepared(Shown(shown.like).read(path), limits)
    return neutral_like(like, shown.drawn_for)


def _cache_key(path: Path | None, shown: Shown, limits: Limits) -> Hashable:
    """By what an image made ready is known: also by the state of its file."""
    return path, _file_state(path), shown, limits


def _file_state(path: Path | None) -> Hashable:
    """Changes with the file; empty where there is none, or nobody can say."""
    if path is None:
        return ()
    try:
        return state_of(path)
    except (OSError, ValueError):
        return ()
