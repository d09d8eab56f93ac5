"""Which of the waiting questions are answered together.

Every prompt of a batch is padded to the longest, so a batch costs its number of prompts times its longest one:
those of like length go together. The one that has waited longest is always among them.
"""

import hashlib
import math
from collections.abc import Sequence

from mossbench.models.model import Prompt

_CHARACTERS_PER_TOKEN = 4
_PIXELS_PER_TOKEN = 28 * 28  # of the Qwen family; others have a fixed number, for which any constant will do


def length(prompt: Prompt) -> float:
    """Roughly the tokens of a prompt; only compared with one another."""
    pixels = sum(picture.width * picture.height for picture in prompt.pictures)
    return len(prompt.request + (prompt.system or "")) / _CHARACTERS_PER_TOKEN + pixels / _PIXELS_PER_TOKEN


def cost(prompts: Sequence[Prompt]) -> float:
    """What a batch takes once it is padded, with room for the longest answers, in tokens."""
    return len(prompts) * (max(map(length, prompts)) + prompts[0].settings.max_tokens)


def seed_of(prompts: Sequence[Prompt]) -> int:
    """The random seed of a batch: another one for every batch and seed of the run, the same one when repeated."""
    text = "\0".join(f"{prompt.settings.seed} {prompt.request}" for prompt in prompts)
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:4])


def next_batch(waiting: Sequence[Prompt], most: int, room: float = math.inf) -> list[int]:
    """Places of the prompts to answer now: at most `most`, of a cost up to `room` where more than one is left.

    All are drawn with the same settings but for the seed, or each epoch would end in a batch that is nearly empty, and
    all have the same number of pictures.
    """

    def kind(prompt: Prompt) -> tuple[object, int]:
        return prompt.settings.model_copy(update={"seed": 0}), len(prompt.pictures)

    similar = [place for place, prompt in enumerate(waiting) if kind(prompt) == kind(waiting[0])]
    similar.sort(key=lambda place: length(waiting[place]))
    start = max(0, min(similar.index(0) - most // 2, len(similar) - most))
    chosen = similar[start : start + most]
    while len(chosen) > 1 and cost([waiting[place] for place in chosen]) > room:
        chosen.pop(-1 if chosen[-1] != 0 else 0)
    return chosen
