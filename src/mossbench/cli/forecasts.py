"""What a run would take, on the terminal; `mossbench run --dry-run`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mossbench.cli.printing import note, say, show_json

if TYPE_CHECKING:
    from mossbench.runs.forecast import Forecast, JudgeCalls

_IMAGE_TOKENS = '"image_tokens": N'
_NAMED = 10  # images that cannot be sent; more would bury the forecast


def show_forecasts(forecasts: list[Forecast], *, as_json: bool) -> None:
    """Each forecast as a few lines; what was assumed stands beside what follows from it."""
    for text in sorted({notice for forecast in forecasts for notice in forecast.notices}):
        note(f"note: {text}")
    if as_json:
        show_json([forecast.to_dict() for forecast in forecasts])
        return
    for forecast in forecasts:
        for label, text in _lines(forecast):
            say(f"{label:14} {text}")
    say("Nothing was sent. Retries, and a judge's second question where its reply has no verdict, are not counted.")


def _lines(forecast: Forecast) -> list[tuple[str, str]]:
    from mossbench.look.numbers import dollars, duration
    from mossbench.runs.prices import ANSWER_TOKENS

    before = forecast.measured
    by_tries = f"as in {before.n} {'try' if before.n == 1 else 'tries'}, the last on {before.on}" if before else ""
    each = f"{before.output_tokens:.0f} an answer, {by_tries}" if before else f"{ANSWER_TOKENS} an answer"
    seconds = f"if an answer takes {forecast.latency:.3g} s"
    if before and forecast.latency == before.seconds:
        seconds += f", {by_tries}"
    tokens = "unknown" if forecast.input_tokens is None else f"about {forecast.input_tokens:,}"
    most_tokens, price = forecast.most_output_tokens, forecast.price
    longest = "no limit is sent" if most_tokens is None else f"at most {most_tokens:,}"
    if forecast.cost is None:
        cost = "unknown: it is not known how many tokens this model counts for an image; name them in --prices "
        cost += f"({_IMAGE_TOKENS}), or send one with mossbench try"
        if price is None:
            cost = "unknown: there is no price for this model; give one with --prices FILE.json"
    else:
        most = "no limit is sent" if forecast.most_cost is None else f"at most {dollars(forecast.most_cost)}"
        cost = f"about {dollars(forecast.cost)}, {most}{', in batches' if forecast.batch else ''}"
        cost += f" ({price.said()}, {price.source})" if price and price.as_of else ""
    lines = [
        ("model", f"{forecast.model} on {forecast.data}"),
        ("requests", f"{forecast.n_requests:,}"),
        ("images", f"{forecast.n_pictures:,}, {forecast.picture_bytes / 1e6:,.1f} MB before base64"),
        ("input tokens", tokens),
        ("output tokens", f"about {forecast.output_tokens:,} at {each}, {longest}"),
        ("cost", cost),
        (
            "time",
            "within about a day: the provider says when a batch is done"
            if forecast.batch
            else f"about {duration(forecast.seconds)} with {forecast.connections} connections, {seconds}",
        ),
    ]
    lines += [line for calls in forecast.judging for line in _judging(calls)]
    if forecast.judging:
        most = "at most " if any(calls.at_most for calls in forecast.judging) else "about "
        total = forecast.total_cost
        lines.append(("cost in all", "unknown" if total is None else most + dollars(total)))
    unusable = forecast.unusable_pictures
    lines += [("cannot be sent", fault) for fault in unusable[:_NAMED]]
    if len(unusable) > _NAMED:
        lines.append(("", f"and {len(unusable) - _NAMED} more images; --json lists all"))
    return lines


def _judging(calls: JudgeCalls) -> list[tuple[str, str]]:
    from mossbench.look.numbers import dollars

    most = "at most " if calls.at_most else ""
    cost = "cost unknown: there is no price for this model; give one with --prices FILE.json"
    if calls.price is not None:
        cost = dollars(calls.cost)
        if calls.cost is None:
            cost += f": how it counts an image is not known; name it in --prices ({_IMAGE_TOKENS})"
    tokens = "" if calls.input_tokens is None else f"{calls.input_tokens:,} tokens in, {calls.output_tokens:,} out, "
    return [("judge", f"{most}{calls.n_requests:,} requests to {calls.model}, {tokens}{cost}")]
