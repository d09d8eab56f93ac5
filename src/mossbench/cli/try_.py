"""`mossbench try`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import mossbench
from mossbench.cli.commands import Command
from mossbench.cli.judge import chosen_judge
from mossbench.cli.options import JUDGE_OPTIONS, given, options
from mossbench.cli.printing import note, say, show_json

if TYPE_CHECKING:
    from mossbench.runs.trial import Trial


@click.command("try", cls=Command)
@options("try.model", "data", "map", "id", "try.side", "arm", "system", "seed", "temperature", "max_tokens", "base_url")
@options(
    "as_published", "google_safety", "trust_remote_code", "timeout", "try.retries", *JUDGE_OPTIONS, "prices", "json"
)
def try_(model: str, as_json: bool, **chosen: Any) -> None:
    from mossbench.judges import DEFAULT_JUDGE

    judge = chosen_judge(chosen) or DEFAULT_JUDGE
    trial = mossbench.try_sample(model, judge=judge, **given(chosen))
    for notice in trial.notices:
        note(f"note: {notice}")
    if as_json:
        show_json(trial.to_dict())
    else:
        for label, text in _lines(trial):
            say(f"{label:9} {text.strip()}".replace("\n", "\n" + 10 * " "))
    if trial.exchange.answer.error is not None:
        raise SystemExit(1)


def _lines(trial: Trial) -> list[tuple[str, str]]:
    exchange, answer, verdict = trial.exchange, trial.exchange.answer, trial.verdict
    sent = [exchange.picture, *exchange.more_pictures] if exchange.picture else []
    lines = [
        ("model", f"{trial.model}{f' (the provider says {answer.model})' if answer.model else ''}"),
        ("sample", f"{exchange.side} {exchange.sample}"),
        ("system", exchange.system or "none"),
        ("request", exchange.request),
        (
            "image",
            "\n".join(
                f"{one.ref}, {one.width} x {one.height}, {one.n_bytes:,} bytes, {one.media_type}"
                + (f", without its {', '.join(one.removed)}" if one.removed else "")
                for one in sent
            )
            or "none sent",
        ),
        ("settings", ", ".join(f"{name} {_plain(value)}" for name, value in trial.sent.items()) or "none sent"),
        ("answer", answer.text if answer.text is not None else "none"),
        ("stop", ", ".join(filter(None, (answer.stop, answer.signal))) or "not said"),
    ]
    if answer.error:
        lines.append(("failed", f"{answer.error.stage}: {answer.error.type}: {answer.error.message}"))
    if trial.trace:
        lines.append(("traceback", trial.trace))
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
        dollars(trial.cost) + (f" ({trial.price.said()})" if trial.price and trial.price.as_of else ""),
    ]
    return ", ".join(filter(None, parts))
