"""`mossbench try`: one sample sent to a model, with everything there is to see, before a whole run is paid for."""

from dataclasses import dataclass
from typing import Any, Unpack, cast

from mossbench.datasets import AnyData
from mossbench.datasets.arms import Row, arm_of
from mossbench.datasets.dataset import as_side
from mossbench.errors import UsageError
from mossbench.images.limits import DEFAULT_LIMITS
from mossbench.judges import DEFAULT_JUDGE, Judge, load_judge
from mossbench.judges.judge import AnyJudge
from mossbench.models.model import AnyModel
from mossbench.outcomes import Exchange, Key, Outcome, Verdict, outcome
from mossbench.plumbing.coroutines import closing, finish
from mossbench.plumbing.json_values import as_json_value
from mossbench.runs.image_cache import ImageCache, PictureShelf
from mossbench.runs.inputs import RunInputs, load_inputs, read_prices
from mossbench.runs.judging import judge_one
from mossbench.runs.request import check_options
from mossbench.runs.row_asking import ask, connections_of, settings_of
from mossbench.runs.selection import fitting_samples
from mossbench.runs.tries import remember
from mossbench.samples import Side
from mossbench.store.config import (
    DEFAULT_DATA,
    TRIAL_RETRIES,
    RunOptions,
    RunSide,
    TrialOptions,
    notices_of_thinking,
    shown_model,
)
from mossbench.store.prices import AnyPrices, Price, price_of


@dataclass(frozen=True)
class Trial:
    """What was sent for one sample, what came back, how it was read and what it cost."""

    model: str
    exchange: Exchange
    sent: dict[str, Any]
    """The settings that went over the wire."""
    judge: str | None
    verdict: Verdict | None
    price: Price | None
    notices: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Trial {self.model}, {self.exchange.sample}: {self.outcome.layer.value}>"

    @property
    def outcome(self) -> Outcome:
        return outcome(self.exchange.answer, self.verdict)

    @property
    def evidence(self) -> tuple[str, ...]:
        """The pieces of the answer that the verdict rests on."""
        text = self.exchange.answer.text or ""
        return tuple(text[span.start : span.end] for span in (self.verdict.evidence if self.verdict else ()))

    @property
    def trace(self) -> str | None:
        """The traceback of the user's own model or judge, where it raised."""
        error = self.exchange.answer.error
        return (error.trace if error else None) or (self.verdict.trace if self.verdict else None)

    @property
    def cost(self) -> float | None:
        """US dollars; None when the price or the number of tokens is not known."""
        return self.price.cost(self.exchange.answer.usage) if self.price else None

    def to_dict(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "exchange": as_json_value(self.exchange),
            "sent": self.sent,
            "outcome": self.outcome.label,
            "judge": self.judge,
            "verdict": as_json_value(self.verdict),
            "evidence": list(self.evidence),
            "traceback": self.trace,
            "cost_usd": self.cost,
            "price": as_json_value(self.price),
            "notices": list(self.notices),
        }


def try_sample(
    model: AnyModel,
    data: AnyData = DEFAULT_DATA,
    *,
    id: str | None = None,
    side: Side | str | None = None,
    judge: AnyJudge | None = DEFAULT_JUDGE,
    prices: AnyPrices | None = None,
    **options: Unpack[TrialOptions],
) -> Trial:
    """Sends one sample, by default the first harmless one, and judges the answer; writes no run.

    `id` says which sample, of two that share it the harmless one; `side` where only that one is meant. All else is as
    for `run`. What a hosted model took is kept for `forecast_run`.
    """
    check_options(options)
    reader = None if judge is None else load_judge(judge)
    asked_side: RunSide = "both" if side is None else as_side(side).value
    run_options = RunOptions(side=asked_side, retries=TRIAL_RETRIES)
    run_options.update(cast(RunOptions, options))  # all of them are options of runs
    inputs = load_inputs(model, data, run_options)
    row = _row_to_try(inputs, id)
    notices = (*inputs.model.check([row.sample]), *notices_of_thinking(inputs.config))
    to_close = [inputs.model, reader] if reader else [inputs.model]
    exchange, verdict = finish(closing(_ask_and_judge(row, inputs, reader), *to_close))
    if inputs.model.sends:
        remember(shown_model(inputs.config), inputs.config.base_url, exchange)
    return Trial(
        model=shown_model(inputs.config),
        exchange=exchange,
        sent=inputs.model.settings_sent(settings_of(inputs.config)),
        judge=reader.label if reader else None,
        verdict=verdict,
        price=price_of(
            inputs.model.name,
            base_url=inputs.config.base_url,
            prices=read_prices(prices),
            params=inputs.config.params,
        ),
        notices=notices,
    )


def _row_to_try(inputs: RunInputs, id: str | None) -> Row:
    """The sample with this id, or the first one; of two that share an id the harmless one."""
    config = inputs.config
    dataset = inputs.data.select(config.side)
    if not len(dataset):
        raise UsageError(f"{dataset.name} has no samples on the {config.side} side; choose another side")
    arm = arm_of(config.arm, config.system)
    samples = fitting_samples(dataset.select(ids=None if id is None else (id,)), arm)
    sample = min(samples, key=lambda sample: sample.side is Side.CONTRAST)
    return Row(Key(sample.side, sample.id, arm.name), sample, arm)


async def _ask_and_judge(row: Row, inputs: RunInputs, judge: Judge | None) -> tuple[Exchange, Verdict | None]:
    await inputs.model.open()
    images = ImageCache()
    pictures = PictureShelf(inputs.data, inputs.model.limits, images)
    connections = connections_of(inputs.config, inputs.model)
    exchange = await ask(row, inputs.model, pictures, inputs.config, connections)
    if judge is None or not exchange.to_judge:
        return exchange, None
    judge_pictures = PictureShelf(inputs.data, DEFAULT_LIMITS, images)
    judgement = await judge_one(judge, exchange, row.sample, judge_pictures, row.arm)
    return exchange, judgement.verdict
