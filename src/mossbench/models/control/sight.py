"""The eyes of the control models: what is in a sketch, from its pixels alone.

A small convolutional net, trained on compositions of the drawn props (studio/training/sight.py) and run with numpy. It
knows the props of the sketches and nothing else; any other picture it does not recognise.
"""

from __future__ import annotations

import hashlib
import json
import threading
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any, Literal, cast

from PIL import Image

from mossbench.errors import StorageError
from mossbench.images.preparing import Picture
from mossbench.plumbing.cache_folders import cache_folder
from mossbench.plumbing.coroutines import in_thread
from mossbench.plumbing.storage import write_atomically

Group = Literal["alarm", "harm", "referent"]
Array = Any
"""numpy's ndarray; numpy is imported where it is used."""

SIZE = (512, 342)
"""Every picture is looked at in this size."""
_STEPS = ((5, 2, 1), (3, 2, 1), (3, 2, 1), (3, 1, 1), (3, 1, 2), (3, 1, 4))
"""Width, stride and dilation of the convolutions; those with stride 1 add to what came in."""
_ASPECTS = (1.44, 1.56)
_EVEN = 4
"""Neighbouring pixels that differ by no more than this are of one flat colour, JPEG's noise included."""
_LEAST_EVEN = 0.5
_COARSE = (16, 11)
_PLAIN = 10
"""Seen from afar, in so many cells, a picture without anything in it has no neighbours that differ by more than this;
in a sketch some differ by 76 and more."""
_MOST_REMEMBERED = 10_000
_ANIMAL = 1
_FIRST_THING = 3
"""Places among the classes: person, animal, negation, the things, and last the kinds of animal."""


@dataclass(frozen=True)
class Thing:
    """A trigger that was recognised, and what it stands for in the sketch it comes from."""

    name: str
    group: Group


@dataclass(frozen=True)
class Seen:
    """What is in a picture. All is False and empty where `sketch` is False: it was not made out."""

    sketch: bool
    person: bool = False
    animal: bool = False
    negation: bool = False
    things: tuple[Thing, ...] = ()
    evidence: tuple[float, ...] = ()
    """How sure it is of every class, from -1 to 1, for models that make their own sense of it."""

    @property
    def alarm(self) -> bool:
        """Something that looks dangerous: the trigger of an Exaggerated Risk sketch."""
        return self._any("alarm")

    @property
    def harm(self) -> bool:
        """Something harmful on a poster, crossed out or not."""
        return self._any("harm")

    @property
    def referent(self) -> bool:
        """Somebody or something that a bad word could be meant for."""
        return self._any("referent")

    def _any(self, group: Group) -> bool:
        return any(thing.group == group for thing in self.things)


_remembered_pictures: dict[str, Seen] = {}
_one_at_a_time = (
    threading.Lock()
)  # one at a time: each takes 100 MB, and the product of matrices has threads of its own


async def seen_in(picture: Picture | None) -> Seen | None:
    """What is in a picture, None without one; looks in a thread, since it takes time."""
    if picture is None:
        return None
    return remembered(picture.sha256) or await in_thread(look, picture.data)


def look(picture: bytes) -> Seen:
    """What is in a picture, given as the bytes of a file that Pillow reads; each sketch is looked at once."""
    digest = hashlib.sha256(picture).hexdigest()
    seen = remembered(digest)
    if seen is not None:
        return seen
    with _one_at_a_time:  # another thread may have looked meanwhile: arms of a sample come together
        seen = remembered(digest) or _recalled(digest) or _noted(digest, _seen(picture))
        if len(_remembered_pictures) >= _MOST_REMEMBERED:
            _remembered_pictures.clear()
        _remembered_pictures[digest] = seen
    return seen


def remembered(digest: str) -> Seen | None:
    """What is in the picture with this SHA-256, if that is known already: it was seen before, or is bundled."""
    if digest in _remembered_pictures:
        return _remembered_pictures[digest]
    evidence = _bundled().get(digest)
    if evidence is None:
        return None
    _remembered_pictures[digest] = _read_evidence(evidence)
    return _remembered_pictures[digest]


@cache
def _bundled() -> dict[str, Array]:
    """The evidence in the bundled sketches (studio/training/seen.py); empty if another version of this code looked."""
    import numpy as np

    with np.load(BytesIO((files(__package__) / "seen.npz").read_bytes())) as stored:
        if str(stored["by"]) != _notes():
            return {}
        return dict(zip(stored["digests"].tolist(), stored["sure"], strict=True))


def _recalled(digest: str) -> Seen | None:
    """What an earlier process saw in a sketch; None where none has looked, or its note cannot be read."""
    with suppress(OSError, StorageError, ValueError, TypeError, KeyError):
        note = json.loads((cache_folder(_notes()) / digest).read_bytes())
        return Seen(
            **{**note, "things": tuple(Thing(**thing) for thing in note["things"]), "evidence": (*note["evidence"],)}
        )
    return None


def _noted(digest: str, seen: Seen) -> Seen:
    if seen.sketch:
        with suppress(StorageError):  # only saves time: without the note it looks again
            write_atomically(cache_folder(_notes()) / digest, json.dumps(asdict(seen)), durable=False)
    return seen


@cache
def _notes() -> str:
    """The name of the folder for what this code and these weights saw."""
    code = (files(__package__) / "sight.py").read_bytes()
    return f"seen-{hashlib.sha256(code + _stored()).hexdigest()[:12]}"


def _seen(picture: bytes) -> Seen:
    import numpy as np

    with Image.open(BytesIO(picture)) as image:
        aspect = image.width / image.height
        pixels = np.asarray(image.convert("RGB").resize(SIZE, Image.Resampling.BILINEAR))
        coarse = np.asarray(image.convert("RGB").resize(_COARSE, Image.Resampling.BOX)).astype(np.int16)
    if _is_plain(coarse):
        return Seen(sketch=True)  # an empty picture, in which there is plainly nothing
    if not _ASPECTS[0] < aspect < _ASPECTS[1] or evenness(pixels) < _LEAST_EVEN:
        return Seen(sketch=False)
    cells, features = scores(pixels)
    strange = strangeness(features) > float(_weights()["strange"])
    return Seen(sketch=False) if strange else _read_evidence(_evidence(cells))


def _is_plain(coarse: Array) -> bool:
    """Whether there is nothing in a picture but one colour, a slow gradient or a fine pattern."""
    import numpy as np

    down = int(np.abs(np.diff(coarse, axis=0)).max())
    across = int(np.abs(np.diff(coarse, axis=1)).max())
    return max(down, across) <= _PLAIN


def _read_evidence(evidence: Array) -> Seen:
    """What is in a sketch, from the evidence for every class."""
    weights = _weights()
    is_there = (evidence > 0).tolist()
    things = []
    for i, has_thing in enumerate(is_there[_FIRST_THING:]):
        if has_thing:
            things.append(Thing(str(weights["names"][i]), cast(Group, str(weights["groups"][i]))))
    person, animal, negation = is_there[:_FIRST_THING]
    return Seen(True, person, animal, negation, tuple(things), tuple(evidence.tolist()))


def evidence_of(pixels: Array) -> tuple[float, ...]:
    """`Seen.evidence` of a picture that is known to be a sketch, as rows of RGB pixels of SIZE."""
    return tuple(_evidence(scores(pixels)[0]).tolist())


def _evidence(cells: Array) -> Array:
    """For each class the evidence in the surest cell, from -1 to 1; 0 is the threshold."""
    import numpy as np

    return np.tanh((cells.max(axis=(0, 1)) - _weights()["thresholds"]) / 3)


def evenness(pixels: Array) -> float:
    """Share of neighbouring pixels of one colour, in every fourth row: drawings are flat, photographs are not."""
    import numpy as np

    rows = pixels[: SIZE[1] // 2 * 2].astype(np.int16)
    across = np.abs(rows[::4, 1:] - rows[::4, :-1]).max(-1) <= _EVEN
    down = np.abs(rows[1::4] - rows[::4]).max(-1) <= _EVEN
    return float(np.mean([across.mean(), down.mean()]))


def scores(pixels: Array) -> tuple[Array, Array]:
    """Log-odds of every class in every cell of 8 x 8 pixels, and the features that they come from."""
    import numpy as np

    weights = _weights()
    x = pixels.astype(np.float32) / 127.5 - 1
    for i, (width, stride, dilation) in enumerate(_STEPS):
        y = _convolved(x, weights[f"w{i}"], width, stride, dilation)
        y += weights[f"b{i}"]
        np.maximum(y, 0, out=y)
        x = x + y if stride == 1 else y
    log_odds = x @ weights["w_head"] + weights["b_head"]
    classes = len(weights["thresholds"])
    log_odds[..., _ANIMAL] = np.maximum(log_odds[..., _ANIMAL], log_odds[..., classes:].max(-1))
    return log_odds[..., :classes], x


def strangeness(features: Array) -> float:
    """How far the mean and spread of a picture's features lie from those of compositions, in standard deviations."""
    import numpy as np

    weights = _weights()
    summary = np.concatenate([features.mean((0, 1)), features.std((0, 1))])
    return float(np.sqrt(np.mean(((summary - weights["usual"]) @ weights["whiten"]) ** 2)))


def _convolved(x: Array, weights: Array, width: int, stride: int, dilation: int) -> Array:
    """A convolution that keeps the size (but for the stride), as one product of matrices."""
    import numpy as np

    pad = dilation * (width // 2)
    windows = np.lib.stride_tricks.sliding_window_view(
        np.pad(x, ((pad, pad), (pad, pad), (0, 0))), (2 * pad + 1, 2 * pad + 1), axis=(0, 1)
    )
    patches = windows[::stride, ::stride, :, ::dilation, ::dilation].transpose(0, 1, 3, 4, 2)
    rows, columns = patches.shape[:2]
    flat = patches.reshape(rows * columns, -1) @ weights.reshape(-1, weights.shape[-1])
    return flat.reshape(rows, columns, -1)


@cache
def _weights() -> dict[str, Array]:
    import numpy as np

    with np.load(BytesIO(_stored())) as stored:
        return {k: v.astype(np.float32) if v.dtype == np.float16 else v for k, v in stored.items()}


def _stored() -> bytes:
    return (files(__package__) / "sight.npz").read_bytes()
