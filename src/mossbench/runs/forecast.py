"""The dry run: what a run would take, in requests, bytes, tokens, money and time. Sends nothing."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from mossbench.datasets import AnyData, Dataset
from mossbench.datasets.arms import Arm, Row, arm_of, joined, plan
from mossbench.errors import DataError, ImageError
from mossbench.images.preparing import Picture
from mossbench.judges import DEFAULT_JUDGE, Judge, load_judge, models_asked
from mossbench.judges.judge import AnyJudge
from mossbench.judges.rubric import message
from mossbench.models import Model
from mossbench.models.batching import batches_for
from mossbench.models.keys import without_keys
from mossbench.models.model import AnyModel
from mossbench.outcomes import Exchange, Key, Usage
from mossbench.plumbing.coroutines import closing, finish
from mossbench.plumbing.storage import plain
from mossbench.runs.image_cache import ImageCache, PictureShelf
from mossbench.runs.inputs import RunInputs, load_inputs, read_prices
from mossbench.runs.judging_plan import batched_judge
from mossbench.runs.request import check_options
from mossbench.runs.row_asking import settings_of
from mossbench.runs.selection import select_samples
from mossbench.runs.tries import Measured, measured
from mossbench.samples import Side
from mossbench.store.config import LATENCY, RunConfig, RunOptions
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

    def __repr__(self) -> str:
        return f"<Forecast {self.model} on {self.data}: {self.n_requests} requests>"

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
    model: AnyModel,
    data: AnyData = RunConfig.model_fields["data"].default,
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
    asked_model = inputs.model
    config = inputs.config
    is_batch = engine == "batch"
    samples = select_samples(inputs.data, config)
    notices = asked_model.check(samples.samples)
    planned_rows = _planned_rows(inputs, samples, arms, done)
    if is_batch and planned_rows:
        batches_for(asked_model)  # it would be refused
    shelf = PictureShelf(inputs.data, asked_model.limits, images)
    work = _prepare_pictures(planned_rows if prepare else [], shelf)
    to_close = [asked_model, reader] if reader else [asked_model]
    prepared = finish(closing(work, *to_close))
    rows = [row for row in planned_rows if _shown(row) not in prepared.unusable]
    sent = [picture for row in rows for picture in prepared.pictures.get(_shown(row), ())]
    own_prices = read_prices(prices)
    price = _price(asked_model.name, config.base_url, own_prices, is_batch=is_batch)
    tries = measured(asked_model.name, config.base_url)
    longest_answer = asked_model.longest_answer(settings_of(config))
    usual_answer = round(tries.output_tokens) if tries else ANSWER_TOKENS
    is_judged_in_batch = reader is not None and is_batch and batched_judge(reader) is not None
    return Forecast(
        model=asked_model.name,
        data=inputs.data.select(config.side).version,
        n_requests=len(rows),
        n_pictures=len(sent),
        picture_bytes=sum(len(picture.data) for picture in sent),
        unusable_pictures=tuple(f"{side}:{id}: {fault}" for ((side, id), _), fault in prepared.unusable.items()),
        input_tokens=_input_tokens(asked_model, price, rows, sent),
        output_tokens=len(rows) * min(usual_answer, longest_answer or usual_answer),
        most_output_tokens=None if longest_answer is None else len(rows) * longest_answer,
        price=price,
        connections=config.max_connections,
        latency=latency or (tries.seconds if tries else LATENCY),
        notices=notices,
        judging=_judging(reader, rows, sent, own_prices, is_batch=is_judged_in_batch) if reader else (),
        measured=tries,
        sends=asked_model.sends,
        batch=is_batch,
    )


def _planned_rows(inputs: RunInputs, samples: Dataset, arms: Iterable[Arm], done: Container[Key]) -> list[Row]:
    """The rows that a run would ask now."""
    own_arm = arm_of(inputs.config.arm, inputs.config.system)
    rows = plan(samples, joined([own_arm, *arms]), inputs.config.epochs)
    return [row for row in rows if row.key not in done]


def _price(model: str, base_url: str | None, prices: Prices | None, *, is_batch: bool) -> Price | None:
    price = price_of(model, base_url=base_url, prices=prices)
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


def _judging(
    judge: Judge, rows: Sequence[Row], sent: Sequence[Picture], prices: Prices | None, *, is_batch: bool
) -> tuple[JudgeCalls, ...]:
    """What the judging models would be asked, with answers and verdicts of usual length."""
    all_calls = []
    for rubric_judge, is_always_asked in models_asked(judge):
        model = rubric_judge.model
        price = _price(model.name, model.base_url, prices, is_batch=is_batch)
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
class _Prepared:
    """The images that would be sent for each sample and arm, and why some cannot."""

    pictures: dict[Keyed, tuple[Picture, ...]]
    unusable: dict[Keyed, str]


async def _prepare_pictures(rows: Sequence[Row], shelf: PictureShelf) -> _Prepared:
    prepared = _Prepared({}, {})
    row_of_each = {_shown(row): row for row in rows}
    for shown, row in row_of_each.items():
        try:
            prepared.pictures[shown] = await shelf.fetch_all(row.sample, row.arm)
        except (ImageError, DataError) as error:
            prepared.unusable[shown] = str(error)
    return prepared


def _shown(row: Row) -> Keyed:
    return row.sample.key, row.arm.picture
