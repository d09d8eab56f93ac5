"""What models cost (list prices, the batch discount, a user's own), and how many tokens a request will have.

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
from types import MappingProxyType
from typing import Any, Self

from pydantic import Field, ValidationError

from mossbench.errors import DataError
from mossbench.models.dated import dated
from mossbench.models.parameters import has_list_price
from mossbench.outcomes import Answer, Usage
from mossbench.plumbing.untrusted_files import parse_json, read_file, record_fault
from mossbench.samples import Record

_TABLE = tomllib.loads(Path(__file__).with_name("prices.toml").read_text("utf-8"))
AS_OF: str = _TABLE["as_of"]
SOURCE: str = _TABLE["source"]
BATCH: Mapping[str, float] = _TABLE["batch"]["factors"]
"""Provider -> what of the list price its batch API costs."""
_TILES: Mapping[str, tuple[int, int]] = _TABLE["images"]["tiles"]
"""Model of OpenAI's -> tokens of any picture, and tokens for each tile of it."""
_PATCHES: Mapping[str, float] = _TABLE["images"]["patches"]
"""Model of OpenAI's -> tokens for each patch of a picture."""

ANSWER_TOKENS = 300
"""Of a usual answer: the published answers of three models have about 190, 320 and 480 on average."""
CHARACTERS_PER_TOKEN = 4
"""Of English text, by every vendor's rule of thumb."""
USUAL_ANSWER = Answer(text=ANSWER_TOKENS * CHARACTERS_PER_TOKEN * "x")


class Price(Record):
    """US dollars for a million tokens."""

    input: float = Field(ge=0, allow_inf_nan=False, strict=True)
    output: float = Field(ge=0, allow_inf_nan=False, strict=True)
    as_of: str = ""
    source: str = ""
    image_tokens: int | None = Field(default=None, ge=0, strict=True, exclude_if=lambda tokens: tokens is None)
    """What an image counts as, where the user says so; only then written."""
    batch: float | None = Field(default=None, ge=0, le=1, strict=True, exclude_if=lambda factor: factor is None)
    """What of it the batch API costs; None: not known, and taken to cost as much. Only written where it is known."""

    def month_text(self, on: str = "") -> str:
        """`prices of 2026-11`, and whether they were stale at a time (ISO; now by default); empty without a month."""
        if not self.as_of:
            return ""
        day = date.fromisoformat(on[:10]) if on else None
        return f"prices of {dated(self.as_of, day)}"

    def in_batch(self) -> Self:
        """The price for whoever asks through the batch API."""
        factor = 1.0 if self.batch is None else self.batch
        return self.model_copy(update={"input": self.input * factor, "output": self.output * factor})

    def cost(self, usage: Usage | None) -> float | None:
        """US dollars for that many tokens: (input x price + output x price) / 1e6; None without a count."""
        if usage is None:
            is_free = self.input == 0 and self.output == 0
            return 0.0 if is_free else None
        discount = 0.0 if self.batch is None else 1.0 - self.batch
        n_input = usage.input_tokens - discount * usage.batch_input_tokens
        n_output = usage.output_tokens - discount * usage.batch_output_tokens
        return (n_input * self.input + n_output * self.output) / 1e6


Prices = Mapping[str, Price]
"""By the names of models."""
AnyPrices = str | Path | Prices
"""Prices as users name them: a file of them, or the prices themselves."""


def _batch_factor(model: str) -> float | None:
    """What of the list price the batch API of the model's provider costs; None: it has none, or it is not known."""
    provider = model.partition("/")[0]
    return BATCH.get(provider)


def _list_price(model: str, dollars: tuple[float, float]) -> Price:
    """A line of the table: dollars for input and for output."""
    input_dollars, output_dollars = dollars
    return Price(input=input_dollars, output=output_dollars, as_of=AS_OF, source=SOURCE, batch=_batch_factor(model))


PRICES: Prices = {model: _list_price(model, dollars) for model, dollars in _TABLE["prices"].items()}

_SNAPSHOT = re.compile(r"-(?:20\d\d-?\d\d-?\d\d|latest|0\d\d)$")
"""-2024-08-06, -20240307, -latest, -001: the same model, frozen or followed."""
_FREE = ("control/", "replay/")
"""Models that send nothing to anybody."""
_SENDS_NOTHING = "sends nothing"


def price_of(
    model: str,
    *,
    base_url: str | None = None,
    prices: Prices | None = None,
    params: Mapping[str, Any] = MappingProxyType({}),
) -> Price | None:
    """The price of a model; None when it is not known, as for any endpoint that is not the vendor's own, and for
    parameters that have prices of their own.

    Prices of the user's come first; models that send nothing cost nothing.
    """
    own = _find_price(model, prices or {})
    if own is not None:
        if own.batch is not None or base_url:
            return own
        return own.model_copy(update={"batch": _batch_factor(model)})
    if model.startswith(_FREE):
        return Price(input=0, output=0, source=_SENDS_NOTHING)
    if base_url or not has_list_price(params):
        return None
    return _find_price(model, PRICES)


def price_to_keep(saved: Price | None, now: Price | None) -> Price | None:
    """The price of a model in a run that is resumed: a price of the user's stays until the user names another."""
    if saved is not None and is_own_price(saved) and (now is None or not is_own_price(now)):
        return saved
    return now or saved


def is_own_price(price: Price) -> bool:
    """Whether a user named it, rather than the table or what is known of models that send nothing."""
    return price.source not in (SOURCE, _SENDS_NOTHING)


def _find_price(model: str, prices: Prices) -> Price | None:
    """The price of that very snapshot, or of the model that it is of."""
    for name in (model, _SNAPSHOT.sub("", model)):
        if name in prices:
            return prices[name]
    return None


def cost_of(price: Price | None, usage: Usage | None) -> float | None:
    """US dollars for that many tokens; None where the price or the number of tokens is not known."""
    if price is None:
        return None
    return price.cost(usage)


def judge_cost(prices: Prices, used: Iterable[Mapping[str, Usage | None]]) -> float | None:
    """US dollars that judging models took, by the tokens of each verdict; None where a price or count is not known."""
    costs: list[float] = []
    for tokens_by_model in used:
        for model, tokens in tokens_by_model.items():
            cost = cost_of(prices.get(model), tokens)
            if cost is None:
                return None
            costs.append(cost)
    return sum(costs)  # adds up more exactly than a loop does; a plain 0 in JSON where no model was asked


_EXPECTED = 'expected {"provider/model": {"input": 2.5, "output": 10}}, US dollars per million tokens'


def load_prices(path: str | Path) -> dict[str, Price]:
    """A user's own prices, from a JSON file; a DataError where it holds something else."""
    try:
        content = parse_json(read_file(Path(path)))
    except OSError as error:
        raise DataError(f"prices {str(path)!r} cannot be read: {error.strerror}; {_EXPECTED}") from error
    except ValueError as error:
        raise DataError(f"{path}: {error}; {_EXPECTED}") from error
    if not isinstance(content, dict):
        raise DataError(f"{path}: found {type(content).__name__}, {_EXPECTED}")
    return {model: _own_price(model, fields, str(path)) for model, fields in content.items()}


def prices_given(prices: Mapping[str, object]) -> dict[str, Price]:
    """A user's own prices, from Python, as records or as in a file; a DataError where it is something else."""
    given = {}
    for model, price in prices.items():
        given[model] = price if isinstance(price, Price) else _own_price(model, price, "prices")
    return given


def _own_price(model: str, fields: object, source: str) -> Price:
    """One price of a user's; a DataError where it is not of a model, or is no price."""
    is_model = isinstance(model, str) and ("/" in model or ".py:" in model)
    if not is_model or not isinstance(fields, dict):
        raise DataError(f"{source}: {model!r}: {fields!r} is not the price of a model; {_EXPECTED}")
    try:
        return Price.model_validate({"source": source, **fields})
    except ValidationError as error:
        raise DataError(f"{source}: {model}: {record_fault(error)}; {_EXPECTED}") from error
    except TypeError as error:  # a key that is no text
        raise DataError(f"{source}: {model}: {error}; {_EXPECTED}") from error


def text_tokens(*texts: str | None) -> int:
    """About how many tokens these texts are, together."""
    return sum(math.ceil(len(text) / CHARACTERS_PER_TOKEN) for text in texts if text)


def picture_tokens(model: str, width: int, height: int) -> int | None:
    """About how many tokens a picture of that size counts as, by the vendors' published rules; None: no rule known."""
    model = _SNAPSHOT.sub("", model)
    if model not in PRICES:  # newer models count in ways of their own
        return None
    provider, _, name = model.partition("/")
    if provider == "openai" and name in _TILES:
        return _tile_tokens(name, width, height)
    if provider == "openai" and name in _PATCHES:
        n_patches = math.ceil(width / 32) * math.ceil(height / 32)
        return math.ceil(min(1536, n_patches) * _PATCHES[name])
    if provider == "anthropic":  # pixels / 750, after fitting the long side to 1568
        scale = min(1.0, 1568 / max(width, height))
        return min(1600, math.ceil(width * scale * height * scale / 750))
    if provider == "google" and name.startswith("gemini-1.5"):
        return 258
    if provider == "google" and name.startswith("gemini-2"):  # 258 a tile of 768 pixels; one when it is small
        is_small = max(width, height) <= 384
        n_tiles = 1 if is_small else math.ceil(width / 768) * math.ceil(height / 768)
        return 258 * n_tiles
    return None


def _tile_tokens(name: str, width: int, height: int) -> int:
    """Tiles of 512 pixels, after fitting the picture into 2048 x 2048 and its short side to 768."""
    base_tokens, tokens_per_tile = _TILES[name]
    scale = min(1.0, 2048 / max(width, height))
    scale *= min(1.0, 768 / (min(width, height) * scale))
    n_tiles = math.ceil(width * scale / 512) * math.ceil(height * scale / 512)
    return base_tokens + tokens_per_tile * n_tiles
