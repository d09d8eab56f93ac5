"""What a forecast says: `mossbench run --dry-run` and `mossbench analyse --dry-run`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mossbench.cli.printing import note, say, show_json

if TYPE_CHECKING:
    from mossbench.runs.forecast import Forecast, JudgeCalls
    from mossbench.runs.tries import Measured

MAX_FAULTS = 10
"""Images that cannot be sent and are named; --json has all."""
NO_PRICE = "unknown: there is no price for this model; give one with --prices FILE.json"


def show_forecasts(forecasts: Sequence[Forecast], *, as_json: bool) -> None:
    """Each forecast as a few lines; what was assumed stands beside what follows from it."""
    notices: set[str] = set()
    for forecast in forecasts:
        notices.update(forecast.notices)
    for notice in sorted(notices):
        note(f"note: {notice}")
    if as_json:
        show_json([forecast.to_dict() for forecast in forecasts])
        return
    for forecast in forecasts:
        say(forecast_text(forecast))
    say("Nothing was sent. Not counted: retries, and a second request to a judge whose reply has no verdict.")


def forecast_text(forecast: Forecast) -> str:
    """A line for each figure, its name in front."""
    lines = [
        _line("model", f"{forecast.model} on {forecast.data}"),
        _line("requests", f"{forecast.n_requests:,}"),
        _line("images", f"{forecast.n_pictures:,}, {_size(forecast.picture_bytes)} before base64"),
        _line("input tokens", _about(forecast.input_tokens)),
        _line("output tokens", _output_tokens(forecast)),
        _line("cost", _cost(forecast)),
        _line("time", _time(forecast)),
    ]
    lines += [_line("judge", _judge_calls(calls)) for calls in forecast.judging]
    if forecast.judging:
        lines.append(_line("total cost", _total_cost(forecast)))
    lines += [_line("cannot be sent", fault) for fault in forecast.unusable_pictures[:MAX_FAULTS]]
    n_more_faults = len(forecast.unusable_pictures) - MAX_FAULTS
    if n_more_faults > 0:
        lines.append(_line("", f"and {n_more_faults} more images; --json lists all"))
    return "\n".join(lines)


def _line(name: str, text: str) -> str:
    return f"{name:14} {text}"


def _size(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:,.1f} MB" if n_bytes >= 1e5 else f"{n_bytes:,} bytes"


def _about(n: int | None) -> str:
    return "unknown" if n is None else f"about {n:,}"


def _output_tokens(forecast: Forecast) -> str:
    from mossbench.store.prices import ANSWER_TOKENS

    if forecast.measured:
        tokens_per_answer = f"{forecast.measured.output_tokens:.0f} an answer, {_as_in_tries(forecast.measured)}"
    else:
        tokens_per_answer = f"{ANSWER_TOKENS} an answer"
    most = forecast.most_output_tokens
    limit = "no limit is sent" if most is None else f"at most {most:,}"
    return f"about {forecast.output_tokens:,} at {tokens_per_answer}, {limit}"


def _as_in_tries(measured: Measured) -> str:
    tries = "try" if measured.n == 1 else "tries"
    return f"as in {measured.n} {tries}, the last on {measured.on}"


def _cost(forecast: Forecast) -> str:
    from mossbench.look.numbers import dollars

    if forecast.price is None:
        return NO_PRICE
    if forecast.cost is None:
        return (
            "unknown: no token count per image is known for this model; set it in --prices "
            '("image_tokens": N), or measure it with mossbench try'
        )
    limit = "no limit is sent" if forecast.most_cost is None else f"at most {dollars(forecast.most_cost)}"
    in_batches = ", in batches" if forecast.batch else ""
    source = f" ({forecast.price.month_text()}, {forecast.price.source})" if forecast.price.as_of else ""
    return f"about {dollars(forecast.cost)}, {limit}{in_batches}{source}"


def _time(forecast: Forecast) -> str:
    from mossbench.look.numbers import duration

    if forecast.batch:
        return "within about a day; the provider decides when a batch is done"
    connections = "1 connection" if forecast.connections == 1 else f"{forecast.connections} connections"
    text = f"about {duration(forecast.seconds)} with {connections}, if an answer takes {forecast.latency:.3g} s"
    if forecast.measured and forecast.latency == forecast.measured.seconds:
        text += f", {_as_in_tries(forecast.measured)}"
    return text


def _judge_calls(calls: JudgeCalls) -> str:
    from mossbench.look.numbers import dollars

    at_most = "at most " if calls.at_most else ""
    requests = "request" if calls.n_requests == 1 else "requests"
    text = f"{at_most}{calls.n_requests:,} {requests} to {calls.model}, "
    if calls.input_tokens is not None:
        text += f"{calls.input_tokens:,} tokens in, {calls.output_tokens:,} out, "
    if calls.price is None:
        return f"{text}cost {NO_PRICE}"
    text += dollars(calls.cost)
    if calls.cost is None:
        text += ': no token count per image is known; set it in --prices ("image_tokens": N)'
    return text


def _total_cost(forecast: Forecast) -> str:
    from mossbench.look.numbers import dollars

    if forecast.total_cost is None:
        return "unknown"
    is_upper_bound = any(calls.at_most for calls in forecast.judging)
    return f"{'at most' if is_upper_bound else 'about'} {dollars(forecast.total_cost)}"
