"""What a run would take, on the terminal; `mossbench run --dry-run`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mossbench.cli.printing import note, say, show_json

if TYPE_CHECKING:
    from mossbench.runs.forecast import Forecast

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
    say("Nothing was sent. The calls of a judging model are not in these numbers.")


def _lines(forecast: Forecast) -> list[tuple[str, str]]:
    from mossbench.look.numbers import dollars, duration
    from mossbench.runs.forecast import ANSWER_TOKENS

    tokens = "unknown" if forecast.input_tokens is None else f"about {forecast.input_tokens:,}"
    most_tokens, price = forecast.most_output_tokens, forecast.price
    longest = "no limit is sent" if most_tokens is None else f"at most {most_tokens:,}"
    if forecast.cost is None:
        cost = "unknown: it is not known how many tokens this model counts for an image"
        if price is None:
            cost = "unknown: there is no price for this model; give one with --prices FILE.json"
    else:
        most = "no limit is sent" if forecast.most_cost is None else f"at most {dollars(forecast.most_cost)}"
        cost = f"about {dollars(forecast.cost)}, {most}"
        cost += f" (prices of {price.as_of}, {price.source})" if price and price.as_of else ""
    lines = [
        ("model", f"{forecast.model} on {forecast.data}"),
        ("requests", f"{forecast.n_requests:,}"),
        ("images", f"{forecast.n_pictures:,}, {forecast.picture_bytes / 1e6:,.1f} MB before base64"),
        ("input tokens", tokens),
        (
            "output tokens",
            f"about {forecast.output_tokens:,} at {ANSWER_TOKENS} an answer, {longest}",
        ),
        ("cost", cost),
        (
            "time",
            f"about {duration(forecast.seconds)} with {forecast.connections} connections, "
            f"if an answer takes {forecast.latency:g} s",
        ),
    ]
    unusable = forecast.unusable_pictures
    lines += [("cannot be sent", fault) for fault in unusable[:_NAMED]]
    if len(unusable) > _NAMED:
        lines.append(("", f"and {len(unusable) - _NAMED} more images; --json lists all"))
    return lines
