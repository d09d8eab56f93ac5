"""One sample sent to a model, with everything there is to see about it, before a whole run is paid for."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from mossbench.datasets import Dataset
from mossbench.datasets.arms import Row, arm_of
from mossbench.errors import UsageError
from mossbench.images.preparing import DEFAULT_LIMITS
from mossbench.judges import DEFAULT_JUDGE, Judge, load_judge
from mossbench.judges.judge import Reader
from mossbench.models import Model
from mossbench.models.model import Answerer
from mossbench.outcomes import Exchange, Key, Outcome, Verdict, outcome
from mossbench.plumbing.coroutines import closing, finish
from mossbench.plumbing.storage import plain
from mossbench.runs.asking import ask, connections_of, settings_of
from mossbench.runs.image_cache import ImageCache, PictureShelf
from mossbench.runs.judging import judge_one
from mossbench.runs.running import fitting, prepare_run, read_prices
from mossbench.runs.tries import remember
from mossbench.samples import Side
from mossbench.store.config import TRIAL_RETRIES, RunConfig, TrialOptions
from mossbench.store.prices import Price, Prices, price_of


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
            "exchange": plain(self.exchange),
            "sent": self.sent,
            "outcome": self.outcome.label,
            "judge": self.judge,
            "verdict": plain(self.verdict),
            "evidence": list(self.evidence),
            "traceback": self.trace,
            "cost_usd": self.cost,
            "price": plain(self.price),
            "notices": list(self.notices),
        }


def try_sample(
    model: str | Model | Answerer,
    data: str | Path | Dataset = RunConfig.model_fields["data"].default,
    *,
    id: str | None = None,
    side: Side | str | None = None,
    judge: str | Judge | Reader | None = DEFAULT_JUDGE,
    prices: str | Path | Prices | None = None,
    **options: Unpack[TrialOptions],
) -> Trial:
    """Sends one sample, by default the first harmless one, and judges the answer; writes no run.

    `id` says which sample, of two that share it the harmless one; `side` where only that one is meant. All else is as
    for `run`. What a hosted model took is kept for `forecast_run`.
    """
    reader = None if judge is None else load_judge(judge)
    named = "both" if side is None else Side(side).value
    config, the_model, whole = prepare_run(model, data, **{"side": named, "retries": TRIAL_RETRIES, **options})
    dataset, arm = whole.select(config.side), arm_of(config.arm, config.system)
    if not len(dataset):
        raise UsageError(f"{dataset.name} has no samples on the {config.side} side")
    dataset = dataset.select(ids=None if id is None else (id,))
    sample = min(fitting(dataset, arm), key=lambda sample: sample.side is Side.CONTRAST)
    row = Row(Key(sample.side, sample.id, arm.name), sample, arm)
    notices = the_model.check([sample])

    async def work() -> tuple[Exchange, Verdict | None]:
        await the_model.open()
        images = ImageCache()
        pictures = PictureShelf(whole, the_model.limits, images)
        exchange = await ask(row, the_model, pictures, config, connections_of(config, the_model))
        if reader is None or not exchange.to_judge:
            return exchange, None
        pictures = PictureShelf(whole, DEFAULT_LIMITS, images)
        return exchange, (await judge_one(reader, exchange, sample, pictures, arm)).verdict

    exchange, verdict = finish(closing(work(), the_model, *([reader] if reader else [])))
    if the_model.sends:
        remember(the_model.name, config.base_url, exchange)
    return Trial(
        model=the_model.name,
        exchange=exchange,
        sent=the_model.settings_sent(settings_of(config)),
        judge=reader.label if reader else None,
        verdict=verdict,
        price=price_of(the_model.name, base_url=config.base_url, prices=read_prices(prices)),
        notices=notices,
    )
