"""What a run would take, before it is started: requests, bytes, tokens, money and time. Sends nothing."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from mossbench.datasets import Dataset
from mossbench.datasets.arms import Arm, Row, arm_of, joined, plan
from mossbench.errors import DataError, ImageError
from mossbench.images.preparing import Picture
from mossbench.judges import DEFAULT_JUDGE, Judge, load_judge, models_asked
from mossbench.judges.judge import Reader
from mossbench.judges.rubric import message
from mossbench.models import Model
from mossbench.models.batching import batches_for
from mossbench.models.keys import without_keys
from mossbench.models.model import Answerer
from mossbench.outcomes import Exchange, Key, Usage
from mossbench.plumbing.coroutines import closing, finish
from mossbench.plumbing.storage import plain
from mossbench.runs.asking import settings_of
from mossbench.runs.image_cache import ImageCache, PictureShelf
from mossbench.runs.judging_plan import batched_judge
from mossbench.runs.running import prepare_run, read_prices, select
from mossbench.runs.tries import Measured, measured
from mossbench.samples import Side
from mossbench.store.config import LATENCY, RunConfig, RunOptions
from mossbench.store.prices import ANSWER_TOKENS, USUAL_ANSWER, Price, Prices, picture_tokens, price_of, text_tokens

Keyed = tuple[tuple[Side, str], str]
"""A sample, and which picture of it an arm shows."""
VERDICT_TOKENS = 150  # a verdict with its reason and the words that it rests on


@dataclass(frozen=True)
class JudgeCalls:
    """What a judging model would be asked; once for each answer, a second time where a reply has no verdict."""

    model: str
    n_requests: int
    at_most: bool
    """Whether it is asked only about some answers, and nobody knows yet how many."""
    input_tokens: int | None
    output_tokens: int
    price: Price | None

    @property
    def cost(self) -> float | None:
        """US dollars; None where the price, or how an image counts, is not known."""
        return None if self.input_tokens is None else _cost(self.price, self.input_tokens, self.output_tokens)


@dataclass(frozen=True)
class Forecast:
    """What a run would take. None stands for what is not known."""

    model: str
    data: str
    n_requests: int
    """Rows whose picture cannot be sent are not asked."""
    n_pictures: int
    picture_bytes: int
    """All pictures as they would be sent, before base64."""
    unusable_pictures: tuple[str, ...]
    """Samples whose picture cannot be sent; their rows would fail."""
    input_tokens: int | None
    output_tokens: int
    """As many an answer as in tries, or else `ANSWER_TOKENS`."""
    most_output_tokens: int | None
    """With every answer as long as is allowed; None where no limit is sent."""
    price: Price | None
    connections: int
    latency: float
    """Seconds for one answer: as the user says, as in tries, or assumed."""
    notices: tuple[str, ...] = ()
    judging: tuple[JudgeCalls, ...] = ()
    measured: Measured | None = None
    """What tries measured, where an answer's tokens or seconds, or an image's tokens, are taken from them."""
    sends: bool = True
    batch: bool = False
    """Through the provider's batch API: at its price, within about a day."""

    @property
    def n_sent(self) -> int:
        """Calls to somebody's server, at most: the model's, where it is hosted, and those of judging models."""
        return self.n_requests * self.sends + sum(calls.n_requests for calls in self.judging)

    @property
    def total_cost(self) -> float | None:
        """US dollars with the judging models' calls."""
        costs = [self.cost, *(calls.cost for calls in self.judging)]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    @property
    def cost(self) -> float | None:
        """US dollars with answers of usual length."""
        return _cost(self.price, self.input_tokens, self.output_tokens)

    @property
    def most_cost(self) -> float | None:
        """US dollars with answers as long as is allowed."""
        most = self.most_output_tokens
        return None if most is None else _cost(self.price, self.input_tokens, most)

    @property
    def seconds(self) -> float:
        """Requests x latency / connections, once all of them are in use; judges read beside that."""
        return self.n_requests * self.latency / max(1, min(self.connections, self.n_requests))

    def to_dict(self) -> dict[str, Any]:
        judging = [{**plain(calls), "cost_usd": calls.cost} for calls in self.judging]
        costs = {"cost_usd": self.cost, "most_cost_usd": self.most_cost, "total_cost_usd": self.total_cost}
        return {**plain(self), "judging": judging, **costs, "seconds": self.seconds}


def _cost(price: Price | None, n_in: int | None, n_out: int) -> float | None:
    used = None if n_in is None else Usage(input_tokens=n_in, output_tokens=n_out)
    return None if price is None else price.cost(used)


def forecast_run(
    model: str | Model | Answerer,
    data: str | Path | Dataset = RunConfig.model_fields["data"].default,
    *,
    judge: str | Judge | Reader | None = DEFAULT_JUDGE,
    latency: float | None = None,
    prices: str | Path | Prices | None = None,
    images: ImageCache | None = None,
    arms: Iterable[Arm] = (),
    done: Container[Key] = (),
    prepare: bool = True,
    engine: str = "",
    **options: Unpack[RunOptions],
) -> Forecast:
    """What `run` with the same arguments would take; pictures are prepared as they would be sent. Needs no key.

    `done` are rows that have an answer already. Without `prepare` pictures are left alone, and only requests are
    counted. Seconds and tokens that nobody names are as in tries of this model
    (`try_sample`), where there were some.
    """
    with without_keys():
        config, the_model, whole = prepare_run(model, data, **options)
        reader = None if judge is None else load_judge(judge)
    selected, dataset = select(whole, config), whole.select(config.side)
    notices = the_model.check(selected.samples)
    all_arms = joined([arm_of(config.arm, config.system), *arms])
    planned = [row for row in plan(selected, all_arms, config.epochs) if row.key not in done]
    if (batch := engine == "batch") and planned:
        batches_for(the_model)  # it would be refused
    shelf = PictureShelf(whole, the_model.limits, images)
    work = _pictures(planned if prepare else (), shelf)
    pictures, unusable = finish(closing(work, the_model, *([reader] if reader else [])))
    rows = [row for row in planned if _shown(row) not in unusable]
    own, before = read_prices(prices), measured(the_model.name, config.base_url)
    price = price_of(the_model.name, base_url=config.base_url, prices=own)
    price = price.in_batch() if price is not None and batch else price
    sent = [picture for row in rows for picture in pictures.get(_shown(row), ())]
    tokens = _image_tokens(the_model, price, sent)
    texts = sum(text_tokens(row.arm.request(row.sample) or "", row.arm.system) for row in rows)
    longest = the_model.longest_answer(settings_of(config))
    answer = round(before.output_tokens) if before else ANSWER_TOKENS
    return Forecast(
        model=the_model.name,
        data=dataset.version,
        n_requests=len(rows),
        n_pictures=len(sent),
        picture_bytes=sum(len(picture.data) for picture in sent),
        unusable_pictures=tuple(f"{side}:{id}: {fault}" for ((side, id), _), fault in unusable.items()),
        input_tokens=None if tokens is None else texts + tokens,
        output_tokens=len(rows) * min(answer, longest or answer),
        most_output_tokens=None if longest is None else len(rows) * longest,
        price=price,
        connections=config.max_connections,
        latency=latency or (before.seconds if before else LATENCY),
        notices=notices,
        judging=_judging(reader, rows, sent, own, batch and batched_judge(reader) is not None) if reader else (),
        measured=before,
        sends=the_model.sends,
        batch=batch,
    )


def _image_tokens(model: Model, price: Price | None, sent: Sequence[Picture]) -> int | None:
    """What pictures count as: by the user's word, the vendor's rule, or tries; None where nobody knows."""
    if price is not None and price.image_tokens is not None:
        return len(sent) * price.image_tokens
    counts = [None if model.base_url else picture_tokens(model.name, one.width, one.height) for one in sent]
    if None not in counts:
        return sum(n for n in counts if n is not None)
    before = measured(model.name, model.base_url)
    return None if before is None or before.image_tokens is None else round(len(sent) * before.image_tokens)


def _judging(
    judge: Judge, rows: Sequence[Row], sent: Sequence[Picture], prices: Prices | None, batch: bool
) -> tuple[JudgeCalls, ...]:
    """What the judging models would be asked, with answers and verdicts of usual length."""
    found = []
    for one, always in models_asked(judge):
        price = price_of(one.model.name, base_url=one.model.base_url, prices=prices)
        price = price.in_batch() if price is not None and batch else price
        images, texts = _image_tokens(one.model, price, sent), 0
        for row in rows:
            side, sample, *_ = row.key
            asked = Exchange(side=side, sample=sample, request=row.arm.request(row.sample) or "", answer=USUAL_ANSWER)
            texts += text_tokens(message(one.rubric, asked))
        total = None if images is None else texts + images
        found.append(JudgeCalls(one.model.name, len(rows), not always, total, len(rows) * VERDICT_TOKENS, price))
    return tuple(found)


def _shown(row: Row) -> Keyed:
    return row.sample.key, row.arm.picture


async def _pictures(
    rows: Sequence[Row], shelf: PictureShelf
) -> tuple[dict[Keyed, tuple[Picture, ...]], dict[Keyed, str]]:
    """The pictures that would be sent for each sample and arm, and why some cannot."""
    found, unusable = dict[Keyed, tuple[Picture, ...]](), dict[Keyed, str]()
    for key, row in {_shown(row): row for row in rows}.items():
        try:
            found[key] = await shelf.fetch_all(row.sample, row.arm)
        except (ImageError, DataError) as error:
            unusable[key] = str(error)
    return found, unusable
