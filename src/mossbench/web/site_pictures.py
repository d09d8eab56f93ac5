"""The pictures of a site: made small once, and written where a page shows them."""

import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from mossbench.datasets.arms import PLAIN, Arm, PictureChoice
from mossbench.errors import MossbenchError
from mossbench.images.preparing import thumbnails
from mossbench.samples import Sample
from mossbench.web.data import Data
from mossbench.web.loaded_run import SampleKey

IMAGES = "images"
OnStep = Callable[[str, int, int], None]
"""Called with what is being made, how many are done, and how many there are."""
SIZES = (640, 320, 160)
"""Widths of pictures: on a sample's own page, on cards and in reports, and of twins."""


class SitePictures:
    """The pictures of a dataset in small, as files that are named by what they hold."""

    def __init__(self, data: Data, on_step: OnStep) -> None:
        self.used: dict[str, bytes] = {}
        """Contents of the pictures that pages show, by address."""
        self._by_size: dict[tuple[SampleKey, str], dict[int, bytes]] = {}
        arms = _arms_shown(data)
        samples_and_arms: list[tuple[Sample, Arm]] = []
        for sample in data.samples if data.dataset else ():
            samples_and_arms += ((sample, arm) for arm in arms)
        with ThreadPoolExecutor() as pool:  # Pillow releases the interpreter lock while it works
            contents = list(pool.map(lambda pair: _read(data, *pair), samples_and_arms))
            # Each once: twins share pictures.
            different = list(dict.fromkeys(content for content in contents if content))
            small: dict[bytes, dict[int, bytes]] = {}
            for content, thumbnails_of in zip(different, pool.map(_small, different), strict=True):
                small[content] = thumbnails_of
                on_step("images", len(small), len(different))
        for (sample, arm), content in zip(samples_and_arms, contents, strict=True):
            if content:
                self._by_size[sample.key, arm.picture] = small[content]

    def get(self, sample: Sample | None, size: int, arm: Arm = PLAIN) -> str:
        """The address, at one of SIZES; empty where there is no picture."""
        if sample is None:
            return ""
        content = self._by_size.get((sample.key, arm.picture), {}).get(size)
        if content is None:
            return ""
        name = f"{IMAGES}/{hashlib.sha256(content).hexdigest()[:16]}.webp"
        self.used[name] = content
        return name


def _arms_shown(data: Data) -> list[Arm]:
    """An arm for each picture that pages show: the sample's own, the one without its trigger, those that runs used."""
    choices: set[PictureChoice] = {"own", "counterfactual"}
    for run in data.runs:
        if run.results:
            choices.update(arm.picture for arm in run.results.info.arms)
    return [Arm(name=choice, picture=choice) for choice in choices]


def _read(data: Data, sample: Sample, arm: Arm) -> bytes:
    """Empty where there is no picture, or none that can be read."""
    if data.dataset is None or not arm.shows_picture(sample) or not arm.fits(sample):
        return b""
    try:
        picture = arm.shown(sample, data.dataset)
        return picture.read(picture.path(sample, data.dataset))
    except MossbenchError:
        return b""


def _small(content: bytes) -> dict[int, bytes]:
    try:
        return dict(thumbnails(content, SIZES))
    except MossbenchError:
        return {}
