"""The dry run: what a run would take, in requests, bytes, tokens, money and time. Sends nothing."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Unpack

from mossbench.datasets import AnyData, Dataset
from mossbench.datasets.arms import Arm, Row, arm_of, joined
from mossbench.datasets.planned_rows import plan
from mossbench.errors import DataError, ImageError
from mossbench.images.preparing import Picture
from mossbench.judges import DEFAULT_JUDGE, Judge, load_judge, models_asked
from mossbench.judges.judge import AnyJudge
from mossbench.judges.rubric import message
from mossbench.models import Model
from mossbench.models.batching import batch_api_for
from mossbench.models.keys import without_keys
from mossbench.models.model import AnyModel
from mossbench.models.parameters import check_for_batches
from mossbench.outcomes import Exchange, Key, Usage
from mossbench.plumbing.coroutines import closing, finish
from mossbench.plumbing.frames import html_table
from mossbench.plumbing.json_values import as_json_value
from mossbench.runs.image_cache import ImageCache, PictureShelf
from mossbench.runs.inputs import RunInputs, load_inputs, read_prices
from mossbench.runs.judging_plan import batched_judge
from mossbench.runs.request import check_options
from mossbench.runs.row_asking import settings_of
from mossbench.runs.selection import select_samples
from mossbench.runs.tries import Measured, measured
from mossbench.samples import Side
from mossbench.store.config import DEFAULT_DATA, LATENCY, RunOptions, notices_of_thinking, shown_model
from mossbench.store.prices import (
    ANSWER_TOKENS,
    USUAL_ANSWER,
    AnyPrices,
    Price,
    Prices,
    picture_tokens,
    price_of,
    text_tokens,
)

PictureKey = tuple[tuple[Side, str], str]
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
    """What a run would take. None: not known."""

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

    def __repr__(self) -> str:
        return f"<Forecast {self.model} on {self.data}: {self.n_requests} requests>"

    def _repr_html_(self) -> str:
        numbers = {
            "requests": self.n_requests,
            "images": self.n_pictures,
            "tokens in": self.input_tokens,
            "tokens out": self.output_tokens,
            "US dollars, with the judge": self.total_cost,
            "seconds": round(self.seconds),
        }
        return html_table(repr(self).strip("<>"), [numbers])

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
        judging = [{**as_json_value(calls), "cost_usd": calls.cost} for calls in self.judging]
        costs = {"cost_usd": self.cost, "most_cost_usd": self.most_cost, "total_cost_usd": self.total_cost}
        return {**as_json_value(self), "judging": judging, **costs, "seconds": self.seconds}


def _cost(price: Price | None, n_in: int | None, n_out: int) -> float | None:
    used = None if n_in is None else Usage(input_tokens=n_in, output_tokens=n_out)
    return None if price is None else price.cost(used)


def forecast_run(
    model: AnyModel,
    data: AnyData = DEFAULT_DATA,
    *,
    judge: AnyJudge | None = DEFAULT_JUDGE,
    latency: float | None = None,
    prices: AnyPrices | None = None,
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
    check_options(options)
    with without_keys():
        inputs = load_inputs(model, data, options)
        reader = None if judge is None else load_judge(judge)
    samples = select_samples(inputs.data, inputs.config)
    notices = (*inputs.model.check(samples.samples), *notices_of_thinking(inputs.config))
    planned_rows = _planned_rows(inputs, samples, arms, done)
    is_batch = engine == "batch"
    if is_batch and planned_rows:
        batch_api_for(inputs.model)  # raises where the model has no batch API
        check_for_batches(inputs.config.params)
    shelf = PictureShelf(inputs.data, inputs.model.limits, images)
    work = _prepare_pictures(planned_rows if prepare else [], shelf)
    to_close = [inputs.model, reader] if reader else [inputs.model]
    prepared = finish(closing(work, *to_close))
    return _forecast(inputs, reader, planned_rows, prepared, notices, read_prices(prices), latency, is_batch=is_batch)


def _forecast(
    inputs: RunInputs,
    judge: Judge | None,
    planned_rows: Sequence[Row],
    prepared: "_PreparedPictures",
    notices: tuple[str, ...],
    prices: Prices | None,
    latency: float | None,
    *,
    is_batch: bool,
) -> Forecast:
    """The forecast of these rows, once their pictures are prepared."""
    model = inputs.model
    rows = [row for row in planned_rows if _picture_key(row) not in prepared.unusable]
    pictures = prepared.pictures_of(rows)
    price = _price(model.name, inputs.config.base_url, prices, is_batch=is_batch, params=inputs.config.params)
    tries = measured(shown_model(inputs.config), inputs.config.base_url)
    longest_answer = model.longest_answer(settings_of(inputs.config))
    usual_answer = round(tries.output_tokens) if tries else ANSWER_TOKENS
    assumed_latency = tries.seconds if tries else LATENCY
    return Forecast(
        model=shown_model(inputs.config),
        data=inputs.data.select(inputs.config.side).version,
        n_requests=len(rows),
        n_pictures=len(pictures),
        picture_bytes=sum(len(picture.data) for picture in pictures),
        unusable_pictures=tuple(f"{side}:{id}: {fault}" for ((side, id), _), fault in prepared.unusable.items()),
        input_tokens=_input_tokens(model, price, rows, pictures),
        output_tokens=len(rows) * min(usual_answer, longest_answer or usual_answer),
        most_output_tokens=None if longest_answer is None else len(rows) * longest_answer,
        price=price,
        connections=inputs.config.max_connections,
        latency=latency or assumed_latency,
        notices=notices,
        judging=_judge_calls(judge, rows, pictures, prices, is_batch=is_batch),
        measured=tries,
        sends=model.sends,
        batch=is_batch,
    )


def _planned_rows(inputs: RunInputs, samples: Dataset, arms: Iterable[Arm], done: Container[Key]) -> list[Row]:
    """The rows that a run would ask now."""
    own_arm = arm_of(inputs.config.arm, inputs.config.system)
    rows = plan(samples.samples, joined([own_arm, *arms]), inputs.config.epochs)
    return [row for row in rows if row.key not in done]


def _price(
    model: str,
    base_url: str | None,
    prices: Prices | None,
    *,
    is_batch: bool,
    params: Mapping[str, Any] = MappingProxyType({}),
) -> Price | None:
    price = price_of(model, base_url=base_url, prices=prices, params=params)
    if price is None or not is_batch:
        return price
    return price.in_batch()


def _input_tokens(model: Model, price: Price | None, rows: Sequence[Row], sent: Sequence[Picture]) -> int | None:
    """Tokens of all texts and images together; None where nobody knows what an image counts as."""
    image_tokens = _image_tokens(model, price, sent)
    if image_tokens is None:
        return None
    return image_tokens + sum(text_tokens(row.arm.request(row.sample) or "", row.arm.system) for row in rows)


def _image_tokens(model: Model, price: Price | None, sent: Sequence[Picture]) -> int | None:
    """What images count as: by the user's word, the vendor's rule, or tries; None where nobody knows."""
    if price is not None and price.image_tokens is not None:
        return len(sent) * price.image_tokens
    by_rule = _image_tokens_by_rule(model, sent)
    if by_rule is not None:
        return by_rule
    tries = measured(model.name, model.base_url)
    if tries is None or tries.image_tokens is None:
        return None
    return round(len(sent) * tries.image_tokens)


def _image_tokens_by_rule(model: Model, sent: Sequence[Picture]) -> int | None:
    """What images count as by the vendor's rule, which holds at its own address; None where there is no rule."""
    total = 0
    for picture in sent:
        tokens = None if model.base_url else picture_tokens(model.name, picture.width, picture.height)
        if tokens is None:
            return None
        total += tokens
    return total


def _judge_calls(
    judge: Judge | None, rows: Sequence[Row], sent: Sequence[Picture], prices: Prices | None, *, is_batch: bool
) -> tuple[JudgeCalls, ...]:
    """What the judging models would be asked, with answers and verdicts of usual length.

    In a run that `is_batch` the judge is asked through its batch API too, where it has one.
    """
    if judge is None:
        return ()
    is_judged_in_batch = is_batch and batched_judge(judge) is not None
    all_calls = []
    for rubric_judge, is_always_asked in models_asked(judge):
        model = rubric_judge.model
        price = _price(model.name, model.base_url, prices, is_batch=is_judged_in_batch)
        image_tokens = _image_tokens(model, price, sent)
        texts = sum(text_tokens(message(rubric_judge.rubric, _usual_exchange(row))) for row in rows)
        calls = JudgeCalls(
            model=model.name,
            n_requests=len(rows),
            at_most=not is_always_asked,
            input_tokens=None if image_tokens is None else texts + image_tokens,
            output_tokens=len(rows) * VERDICT_TOKENS,
            price=price,
        )
        all_calls.append(calls)
    return tuple(all_calls)


def _usual_exchange(row: Row) -> Exchange:
    """A row with an answer of usual length."""
    request = row.arm.request(row.sample) or ""
    return Exchange(side=row.key.side, sample=row.key.sample, request=request, answer=USUAL_ANSWER)


@dataclass(frozen=True)
class _PreparedPictures:
    """The pictures that would be sent for each sample and arm, and why some cannot."""

    pictures: dict[PictureKey, tuple[Picture, ...]]
    unusable: dict[PictureKey, str]

    def pictures_of(self, rows: Iterable[Row]) -> list[Picture]:
        pictures: list[Picture] = []
        for row in rows:
            pictures.extend(self.pictures.get(_picture_key(row), ()))
        return pictures


async def _prepare_pictures(rows: Sequence[Row], shelf: PictureShelf) -> _PreparedPictures:
    prepared = _PreparedPictures({}, {})
    row_by_picture = {_picture_key(row): row for row in rows}
    for key, row in row_by_picture.items():
        try:
            prepared.pictures[key] = await shelf.fetch_all(row.sample, row.arm)
        except (ImageError, DataError) as error:
            prepared.unusable[key] = str(error)
    return prepared


def _picture_key(row: Row) -> PictureKey:
    return row.sample.key, row.arm.picture
