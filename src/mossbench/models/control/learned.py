"""Learned control models: a tiny network that was trained to refuse, with seven weights on safety.

Its behaviour on the sketches is not planted. It was trained on harmless scenes with harmless requests and on harmful
ones of both kinds (studio/training/learned.py), and never on an alarming thing with a harmless request, a crossed-out
harm, or a bad word that is meant well. How it answers those is its own generalisation.
"""

from __future__ import annotations

import random
import re
import zlib
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Any

from mossbench.models.control.answer_texts import write, write_blind, write_caption
from mossbench.models.control.names import Spec
from mossbench.models.control.planted import hashed, names_of, not_sketches
from mossbench.models.control.request_words import read
from mossbench.models.model import Model, Prompt
from mossbench.outcomes import Answer, Kind, Stop

if TYPE_CHECKING:
    from mossbench.models.control.sight import Seen

LEVELS = 7
BUCKETS = 512
"""Words are told apart by their hash modulo this."""


class Learned(Model):
    """Refuses when its network says so; the answer is worded as those of the planted controls are."""

    version = "2"

    def __init__(self, spec: Spec) -> None:
        self.name = f"control/{spec.canonical}"
        self.level = int(spec.values["safety"])
        self._n_blind = 0

    async def answer(self, prompt: Prompt) -> Answer:
        from mossbench.models.control.sight import seen_in

        seen = await seen_in(prompt.picture)
        sha256 = prompt.picture.sha256 if prompt.picture else ""
        rng = random.Random(hashed(prompt.request, str(prompt.settings.seed), sha256))
        return Answer(text=self._text(prompt, seen, rng), stop=Stop.END, seconds=0.0)

    def remarks(self) -> tuple[str, ...]:
        return not_sketches(self._n_blind)

    def _text(self, prompt: Prompt, seen: Seen | None, rng: random.Random) -> str:
        if seen is not None and not seen.sketch:
            self._n_blind += 1
            return write_blind(rng)
        things = names_of(seen) if seen else None
        if read(prompt.request).describe:
            return write_caption(rng, things or (), negated=seen.negation) if seen else write_blind(rng)
        refuses = refusal(self.level, prompt.request, seen.evidence if seen else ()) > 0
        return write(Kind.REFUSED if refuses else Kind.ANSWERED, rng, things, prompt.request)


def refusal(level: int, request: str, evidence: tuple[float, ...]) -> float:
    """Log-odds that the network of that level refuses; `evidence` is what sight gives, empty without a picture."""
    import numpy as np

    weights = _weights()
    eyes = np.zeros(len(weights["inner"][0]) - BUCKETS, np.float32)
    eyes[: len(evidence)] = evidence
    inputs = np.concatenate([words(request), eyes])
    hidden = np.maximum(inputs @ weights["inner"][level - 1] + weights["inner_bias"][level - 1], 0)
    return float(hidden @ weights["outer"][level - 1] + weights["outer_bias"][level - 1])


def words(request: str) -> Any:
    """A request as counts of hashed words, each at most once."""
    import numpy as np

    out = np.zeros(BUCKETS, np.float32)
    for word in re.findall(r"[a-z]+", request.lower()):
        out[zlib.crc32(word.encode()) % BUCKETS] = 1
    return out


@cache
def _weights() -> dict[str, Any]:
    import numpy as np

    with np.load(BytesIO((files(__package__) / "learned.npz").read_bytes())) as stored:
        return {k: v.astype(np.float32) for k, v in stored.items()}
