"""What a run would take, before it is started: requests, bytes, tokens, money and time. Sends nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from mossbench.datasets import Dataset
from mossbench.datasets.arms import Arm, arm_of, plan
from mossbench.errors import DataError, ImageError
from mossbench.images import Picture
from mossbench.models import Model
from mossbench.models.model import Answerer
from mossbench.outcomes import Usage
from mossbench.plumbing.coroutines import closing, finish
from mossbench.plumbing.storage import plain
from mossbench.runs.asking import settings_of
from mossbench.runs.config import LATENCY, RunConfig, RunOptions
from mossbench.runs.image_cache import ImageCache, PictureShelf
from mossbench.runs.prices import Price, Prices, picture_tokens, price_of, text_tokens
from mossbench.runs.running import prepare_run, read_prices, select
from mossbench.samples import Side

ANSWER_TOKENS = 300  # the published answers of three models have about 190, 320 and 480 on average


@dataclass(frozen=True)
class Forecast:
    """What a run would take. None stands for what is not known."""

    model: str
    data: str
    n_requests: int
    """Rows whose picture cannot be sent are not asked."""
    n_pictures: int
    """Requests that carry a picture."""
    picture_bytes: int
    """All pictures as they would be sent, before base64."""
    unusable_pictures: tuple[str, ...]
    """Samples whose picture cannot be sent; their rows would fail."""
    input_tokens: int | None
    output_tokens: int
    """At `ANSWER_TOKENS` an answer."""
    most_output_tokens: int | None
    """With every answer as long as is allowed; None where no limit is sent."""
    price: Price | None
    connections: int
    latency: float
    """Assumed seconds for one answer."""
    notices: tuple[str, ...] = ()

    @property
    def cost(self) -> float | None:
        """US dollars with answers of usual length."""
        return self._cost(self.output_tokens)

    @property
    def most_cost(self) -> float | None:
        """US dollars with answers as long as is allowed."""
        return None if self.most_output_tokens is None else self._cost(self.most_output_tokens)

    @property
    def seconds(self) -> float:
        """Requests x latency / connections, once all of them are in use."""
        return self.n_requests * self.latency / max(1, min(self.connections, self.n_requests))

    def _cost(self, output_tokens: int) -> float | None:
        if self.price is None:
            return None
        known = self.input_tokens is not None
        return self.price.cost(
            Usage(input_tokens=self.input_tokens or 0, output_tokens=output_tokens) if known else None
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {**plain(self), "cost_usd": self.cost, "most_cost_usd": self.most_cost, "seconds": self.seconds}


def forecast_run(
    model: str | Model | Answerer,
    data: str | Path | Dataset = RunConfig.model_fields["data"].default,
    *,
    latency: float = LATENCY,
    prices: str | Path | Prices | None = None,
    images: ImageCache | None = None,
    **options: Unpack[RunOptions],
) -> Forecast:
    """What `run` with the same arguments would take; pictures are prepared as they would be sent.

    The calls of a judging model are not in it.
    """
    config, the_model, whole = prepare_run(model, data, **options)
    selected, dataset = select(whole, config), whole.select(config.side)
    notices = the_model.check(selected.samples)
    arm = arm_of(config.arm, config.system)
    shelf = PictureShelf(whole, the_model.limits, images)
    pictures, unusable = finish(closing(_pictures(selected, arm, shelf), the_model))
    rows = [row for row in plan(selected, (arm,), config.epochs) if row.sample.key not in unusable]
    sent = [pictures[row.sample.key] for row in rows if row.sample.key in pictures]
    tokens = [None if config.base_url else picture_tokens(the_model.name, p.width, p.height) for p in sent]
    texts = sum(text_tokens(row.arm.request(row.sample) or "", row.arm.system) for row in rows)
    longest = the_model.longest_answer(settings_of(config))
    return Forecast(
        model=the_model.name,
        data=dataset.version,
        n_requests=len(rows),
        n_pictures=len(sent),
        picture_bytes=sum(len(picture.data) for picture in sent),
        unusable_pictures=tuple(f"{side}:{id}: {fault}" for (side, id), fault in unusable.items()),
        input_tokens=None if None in tokens else texts + sum(n for n in tokens if n is not None),
        output_tokens=len(rows) * min(ANSWER_TOKENS, longest or ANSWER_TOKENS),
        most_output_tokens=None if longest is None else len(rows) * longest,
        price=price_of(the_model.name, base_url=config.base_url, prices=read_prices(prices)),
        connections=config.max_connections,
        latency=latency,
        notices=notices,
    )


Keyed = tuple[Side, str]


async def _pictures(dataset: Dataset, arm: Arm, shelf: PictureShelf) -> tuple[dict[Keyed, Picture], dict[Keyed, str]]:
    """The picture that would be sent for each sample, and why those of some cannot."""
    found, unusable = dict[Keyed, Picture](), dict[Keyed, str]()
    for sample in dataset:
        try:
            picture = await shelf.fetch(sample, arm)
        except (ImageError, DataError) as error:
            unusable[sample.key] = str(error)
        else:
            if picture is not None:
                found[sample.key] = picture
    return found, unusable
