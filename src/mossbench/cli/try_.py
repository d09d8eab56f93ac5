"""`mossbench try`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mossbench.cli.forecasts import prices_option
from mossbench.cli.judge_options import JUDGE_OPTIONS, chosen_judge, judge_options
from mossbench.cli.printing import json_option, note, show_json
from mossbench.cli.run import text_or_file

if TYPE_CHECKING:
    from mossbench.runs.trial import Trial


@click.command("try")
@click.option("--model", required=True, help="provider/name or file.py:function.")
@click.option("--data", help="Dataset name, folder or file.  [default: sketches]")
@click.option("--id", help="Which sample.  [default: the first]")
@click.option("--side", type=click.Choice(["benign", "contrast"]), help="Its side.  [default: benign]")
@click.option("--arm", type=click.Choice(["plain", "counterfactual"]), help="Which picture is shown.  [default: plain]")
@click.option("--system", callback=text_or_file, help="System prompt; @FILE reads it from a file.")
@click.option("--seed", type=int, help="Seed.  [default: 42]")
@click.option("--temperature", type=click.FloatRange(min=0), help="Randomness of the answer.  [default: 0]")
@click.option("--max-tokens", type=click.IntRange(min=1), help="Longest answer.  [default: 1024]")
@click.option("--base-url", help="Endpoint instead of the provider's own, such as http://127.0.0.1:8000/v1.")
@click.option("--as-published", is_flag=True, default=None, help="Settings of the published table for this model.")
@click.option("--google-safety", metavar="LEVEL", help="Threshold of Google's filters, such as BLOCK_ONLY_HIGH.")
@click.option("--trust-remote-code", is_flag=True, default=None, help="local/…: run code that a checkpoint brings.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds for one try.  [default: 120]")
@click.option("--retries", type=click.IntRange(min=0), help="Further tries of what may go through later.  [default: 1]")
@judge_options
@prices_option
@json_option
def try_(model: str, as_json: bool, **options: Any) -> None:
    """Send one sample and show the request as sent, the answer, the verdict and what it cost."""
    import mossbench
    from mossbench.judges import DEFAULT_JUDGE

    judge = chosen_judge(**{name: options.pop(name) for name in JUDGE_OPTIONS}) or DEFAULT_JUDGE
    given = {name: value for name, value in options.items() if value is not None}
    trial = mossbench.try_sample(model, judge=judge, **given)
    for notice in trial.notices:
        note(f"note: {notice}")
    if as_json:
        show_json(trial.to_dict())
    else:
        for label, text in _lines(trial):
            click.echo(f"{label:9} {text.strip()}".replace("\n", "\n" + 10 * " "))
    if trial.exchange.answer.error is not None:
        raise SystemExit(1)


def _lines(trial: Trial) -> list[tuple[str, str]]:
    exchange, answer, verdict = trial.exchange, trial.exchange.answer, trial.verdict
    picture = exchange.picture
    lines = [
        ("model", f"{trial.model}{f' (the provider says {answer.model})' if answer.model else ''}"),
        ("sample", f"{exchange.side} {exchange.sample}"),
        ("system", exchange.system or "none"),
        ("request", exchange.request),
        (
            "picture",
            f"{picture.ref}, {picture.width} x {picture.height}, {picture.n_bytes:,} bytes, {picture.media_type}"
            if picture
            else "none sent",
        ),
        ("settings", ", ".join(f"{name} {_plain(value)}" for name, value in trial.sent.items()) or "none sent"),
        ("answer", answer.text if answer.text is not None else "none"),
        ("stop", ", ".join(filter(None, (answer.stop, answer.signal))) or "not said"),
    ]
    if answer.error:
        lines.append(("failed", f"{answer.error.stage}: {answer.error.type}: {answer.error.message}"))
    lines.append(("outcome", trial.outcome.label))
    if verdict is not None:
        sure = "" if verdict.confidence is None else f" (confidence {verdict.confidence:.2f})"
        lines.append(("verdict", f"by {trial.judge}{sure}: {verdict.reason or trial.outcome.label}"))
        lines += [("evidence", f"“{piece}”") for piece in trial.evidence]
    return [*lines, ("took", _took(trial))]


def _plain(value: Any) -> str:
    """A setting without the brackets of a list of records."""
    if isinstance(value, list):
        return "; ".join(map(_plain, value))
    return " ".join(map(str, value.values())) if isinstance(value, dict) else str(value)


def _took(trial: Trial) -> str:
    from mossbench.look.numbers import dollars

    exchange, usage = trial.exchange, trial.exchange.answer.usage
    seconds = exchange.answer.seconds
    parts = [
        "" if seconds is None else f"{seconds:.1f} s",
        f"{exchange.tries} tries, {exchange.waited:.1f} s waited" if exchange.tries > 1 else "",
        f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out" if usage else "tokens not said",
        dollars(trial.cost) + (f" (prices of {trial.price.as_of})" if trial.price and trial.price.as_of else ""),
    ]
    return ", ".join(filter(None, parts))
