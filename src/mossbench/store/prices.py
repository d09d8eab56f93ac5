"""What models cost, and how many tokens a request has before it is sent.

List prices in US dollars for a million tokens, without discounts for cached input. They change, and a
vendor's page is what holds: a model or an endpoint that is not in the table has no price, never a guess, and
`--prices FILE` names one's own: {"openai/my-model": {"input": 0.5, "output": 1.5, "image_tokens": 800}}.
"""

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Self

from pydantic import Field, ValidationError

from mossbench.errors import DataError
from mossbench.models.dated import dated
from mossbench.outcomes import Answer, Usage
from mossbench.plumbing.reading import parse_json, read_file, record_fault
from mossbench.samples import Record

_TABLE = tomllib.loads(Path(__file__).with_name("prices.toml").read_text("utf-8"))
AS_OF, SOURCE = _TABLE["as_of"], _TABLE["source"]
BATCH: Mapping[str, float] = _TABLE["batch"]["factors"]
"""Provider -> what of the list price its batch API costs."""
_TILES: dict[str, tuple[int, int]] = _TABLE["images"]["tiles"]
_PATCHES: dict[str, float] = _TABLE["images"]["patches"]
ANSWER_TOKENS = 300  # the published answers of three models have about 190, 320 and 480 on average
CHARACTERS_PER_TOKEN = 4  # of English text, by every vendor's rule of thumb
USUAL_ANSWER = Answer(text=ANSWER_TOKENS * CHARACTERS_PER_TOKEN * "x")


class Price(Record):
    """US dollars for a million tokens."""

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)
    as_of: str = ""
    source: str = ""
    image_tokens: int | None = Field(default=None, ge=0, exclude_if=lambda tokens: tokens is None)
    """What an image counts as, where the user says so; only then written."""
    batch: float | None = Field(default=None, ge=0, le=1, exclude_if=lambda factor: factor is None)
    """What of it the batch API costs; None: not known, and taken to cost as much. Only written where it is known."""

    def said(self, on: str = "") -> str:
        """`prices of 2026-11`, and whether they were stale at a time (ISO; now by default); empty without a month."""
        day = date.fromisoformat(on[:10]) if on else None
        return f"prices of {dated(self.as_of, day)}" if self.as_of else ""

    def in_batch(self) -> Self:
        """The price for whoever asks through the batch API."""
        factor = 1.0 if self.batch is None else self.batch
        return self.model_copy(update={"input": self.input * factor, "output": self.output * factor})

    def cost(self, usage: Usage | None) -> float | None:
        """US dollars for that many tokens: (input x price + output x price) / 1e6; None without a count."""
        if usage is None:
            return 0.0 if self.input == self.output == 0 else None
        less = 0.0 if self.batch is None else 1.0 - self.batch
        n_in = usage.input_tokens - less * usage.batch_input_tokens
        n_out = usage.output_tokens - less * usage.batch_output_tokens
        return (n_in * self.input + n_out * self.output) / 1e6


Prices = Mapping[str, Price]

PRICES: Prices = {
    name: Price(input=input, output=output, as_of=AS_OF, source=SOURCE, batch=BATCH.get(name.partition("/")[0]))
    for name, (input, output) in _TABLE["prices"].items()
}

# -2024-08-06, -20240307, -latest, -001: the same model, frozen or followed
_SNAPSHOT = re.compile(r"-(?:20\d\d-?\d\d-?\d\d|latest|0\d\d)$")
_FREE = ("control/", "replay/")


def price_of(model: str, *, base_url: str | None = None, prices: Prices | None = None) -> Price | None:
    """The price of a model; None when it is not known, as for any endpoint that is not the vendor's own.

    Prices of the user's come first; models that send nothing cost nothing.
    """
    names = (model, _SNAPSHOT.sub("", model))
    own = next((prices[name] for name in names if name in prices), None) if prices else None
    if own is not None:
        known = own.batch is not None or base_url
        return own if known else own.model_copy(update={"batch": BATCH.get(model.partition("/")[0])})
    if model.startswith(_FREE):
        return Price(input=0, output=0, source="sends nothing")
    return None if base_url else next((PRICES[name] for name in names if name in PRICES), None)


def cost_of(price: Price | None, usage: Usage | None) -> float | None:
    """US dollars for that many tokens; None where the price or the number of tokens is not known."""
    if price is None:
        return None
    return price.cost(usage)


def judge_cost(prices: Prices, used: Iterable[Mapping[str, Usage | None]]) -> float | None:
    """US dollars that judging models took, by the tokens of each verdict; None where a price or count is not known."""
    total: float = 0
    for tokens_by_model in used:
        for model, tokens in tokens_by_model.items():
            cost = cost_of(prices.get(model), tokens)
            if cost is None:
                return None
            total += cost
    return total


def load_prices(path: str | Path) -> dict[str, Price]:
    expected = 'expected {"provider/model": {"input": 2.5, "output": 10}}, US dollars per million tokens'
    try:
        content = parse_json(read_file(Path(path)))
        if not isinstance(content, dict):
            raise DataError(f"{path}: found {type(content).__name__}, {expected}")
        for name, fields in content.items():
            if not ("/" in name or ".py:" in name) or not isinstance(fields, dict):
                raise DataError(f"{path}: {name!r}: {fields!r} is not the price of a model; {expected}")
        return {name: Price.model_validate({"source": str(path), **fields}) for name, fields in content.items()}
    except OSError as error:
        raise DataError(f"prices {str(path)!r} cannot be read: {error.strerror}; {expected}") from error
    except (ValueError, TypeError) as error:
        fault = record_fault(error) if isinstance(error, ValidationError) else error
        raise DataError(f"{path}: {fault}; {expected}") from error


def text_tokens(*texts: str | None) -> int:
    return sum(math.ceil(len(text) / CHARACTERS_PER_TOKEN) for text in texts if text)


def picture_tokens(model: str, width: int, height: int) -> int | None:
    """About how many tokens a picture of that size counts as, by the vendors' published rules; None: no rule known."""
    model = _SNAPSHOT.sub("", model)
    provider, _, name = model.partition("/")
    if model not in PRICES:  # newer models count in ways of their own
        return None
    if provider == "openai" and name in _TILES:
        base, tile = _TILES[name]
        scale = min(1.0, 2048 / max(width, height))
        scale *= min(1.0, 768 / (min(width, height) * scale))
        return base + tile * math.ceil(width * scale / 512) * math.ceil(height * scale / 512)
    if provider == "openai" and name in _PATCHES:
        return math.ceil(min(1536, math.ceil(width / 32) * math.ceil(height / 32)) * _PATCHES[name])
    if provider == "anthropic":  # pixels / 750, after fitting the long side to 1568
        scale = min(1.0, 1568 / max(width, height))
        return min(1600, math.ceil(width * scale * height * scale / 750))
    if provider == "google" and name.startswith("gemini-1.5"):
        return 258
    if provider == "google" and name.startswith("gemini-2"):  # 258 a tile of 768 pixels; one when it is small
        small = max(width, height) <= 384
        return 258 if small else 258 * math.ceil(width / 768) * math.ceil(height / 768)
    return None
