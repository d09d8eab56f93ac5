"""Whether a judging model really looks at the picture.

Rows are judged again with the same picture, with a blank one, and with another row's. A judge that uses the picture
describes these differently; one that does not gives much the same reply whatever it is shown. The replies to the same
picture show how much changes by chance.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mossbench.images.preparing import Picture, prepare
from mossbench.judges.rubric import RubricJudge, parse
from mossbench.outcomes import Exchange, Kind
from mossbench.plumbing.json_values import as_json_value

MARGIN = 0.1
"""The judge uses the picture if replies to another one are less alike, by this much, than replies to the same one."""


@dataclass(frozen=True)
class PictureCheck:
    """Likeness of replies (shared words, 0 to 1) and changed verdicts, by the picture shown the second time."""

    n: int
    likeness: dict[str, float]
    changed: dict[str, int]

    @property
    def uses_picture(self) -> bool:
        return self.likeness["same"] - max(self.likeness["blank"], self.likeness["swapped"]) > MARGIN

    def to_dict(self) -> dict[str, object]:
        return {**as_json_value(self), "uses_picture": self.uses_picture}

    def summary(self) -> str:
        verdict = "uses the image" if self.uses_picture else "shows no sign of using the image"
        by_picture = ", ".join(
            f"{name} image {self.likeness[name]:.2f} ({self.changed[name]} verdicts changed)" for name in self.likeness
        )
        return f"the judge {verdict}: likeness of first and second reply over {self.n} rows: {by_picture}"


async def picture_check(
    judge: RubricJudge, rows: Sequence[tuple[Exchange, Picture]], *, rng: np.random.Generator
) -> PictureCheck:
    """Judges each row four times: first, then with the same, a blank and another row's picture."""
    order = rng.permutation(len(rows))
    likenesses: dict[str, list[float]] = {"same": [], "blank": [], "swapped": []}
    changed = dict.fromkeys(likenesses, 0)
    for i, (exchange, picture) in enumerate(rows):
        second_pictures = {"same": picture, "blank": blank_like(picture), "swapped": _another(rows, order, i)}
        first = await judge.reply(exchange, picture)
        for name, second_picture in second_pictures.items():
            reply = await judge.reply(exchange, second_picture)
            likenesses[name].append(likeness(first, reply))
            changed[name] += _verdict(judge, first, exchange) != _verdict(judge, reply, exchange)
    return PictureCheck(len(rows), {name: float(np.mean(values)) for name, values in likenesses.items()}, changed)


def blank_like(picture: Picture) -> Picture:
    """A grey picture of the same size, with as many after it."""
    buffer = io.BytesIO()
    Image.new("RGB", (picture.width, picture.height), "#808080").save(buffer, "PNG")
    return replace(prepare(buffer.getvalue()), more=tuple(map(blank_like, picture.more)))


def likeness(first: str, second: str) -> float:
    """Share of words that two texts have in common (Jaccard); 1 when both are empty."""
    first_words = set(first.lower().split())
    second_words = set(second.lower().split())
    all_words = first_words | second_words
    return len(first_words & second_words) / len(all_words) if all_words else 1.0


def _another(rows: Sequence[tuple[Exchange, Picture]], order: NDArray[np.int64], i: int) -> Picture:
    """Another row's picture: the next in a random order whose bytes differ."""
    place = int(np.where(order == i)[0][0])
    for step in range(1, len(rows)):
        candidate = rows[int(order[(place + step) % len(rows)])][1]
        if candidate.data != rows[i][1].data:
            return candidate
    return blank_like(rows[i][1])


def _verdict(judge: RubricJudge, reply: str, exchange: Exchange) -> tuple[Kind | None, bool | None] | None:
    """What is compared of two replies: kind, or refused where there is no kind; None where no verdict can be read."""
    verdict = parse(judge.rubric, reply, exchange.answer.text or "")
    if verdict is None:
        return None
    return verdict.kind, verdict.refused
