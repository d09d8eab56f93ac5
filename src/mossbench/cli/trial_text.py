"""What `mossbench try` shows of the sample that it sent: a row for each fact, its name in front."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mossbench.plumbing.json_values import value_words

if TYPE_CHECKING:
    from mossbench.outcomes import Answer, Exchange, SentPicture
    from mossbench.runs.trial import Trial

INDENT = " " * 10


def trial_text(trial: Trial) -> str:
    exchange = trial.exchange
    answer = exchange.answer
    settings = [f"{name} {_named(name, value)}" for name, value in trial.sent.items()]
    rows = [
        _row("model", _model(trial)),
        _row("sample", f"{exchange.side} {exchange.sample}"),
        _row("system", exchange.system or "none"),
        _row("request", exchange.request),
        _row("image", _images(exchange) or "none sent"),
        _row("settings", ", ".join(settings) or "none sent"),
        _row("answer", "none" if answer.text is None else answer.text),
        *([_row("thinking", answer.reasoning)] if answer.reasoning else []),
        _row("stop", ", ".join(filter(None, [answer.stop, answer.signal])) or "unknown"),
    ]
    if answer.error:
        rows.append(_row("failed", f"{answer.error.stage}: {answer.error.type}: {answer.error.message}"))
    if trial.trace:
        rows.append(_row("traceback", trial.trace))
    rows.append(_row("outcome", trial.outcome.label))
    rows += _verdict_rows(trial)
    rows.append(_row("took", _took(trial)))
    return "\n".join(rows)


def _row(name: str, text: str) -> str:
    indented = text.strip().replace("\n", f"\n{INDENT}")
    return f"{name:9} {indented}"


def _model(trial: Trial) -> str:
    provider_name = trial.exchange.answer.model
    return f"{trial.model} (the provider says {provider_name})" if provider_name else trial.model


def _images(exchange: Exchange) -> str:
    """A line for each image that was sent."""
    if exchange.picture is None:
        return ""
    return "\n".join(_image(picture) for picture in (exchange.picture, *exchange.more_pictures))


def _image(picture: SentPicture) -> str:
    size = f"{picture.width} x {picture.height}, {picture.n_bytes:,} bytes"
    removed = f", without its {', '.join(picture.removed)}" if picture.removed else ""
    source = picture.ref or "made for this arm"
    return f"{source}, {size}, {picture.media_type}{removed}"


def _named(name: str, value: Any) -> str:
    """A setting of one's own, such as `extra_headers`, with the names that are in it."""
    if name in ("extra_headers", "extra_body", "metadata", "logit_bias") and isinstance(value, dict):
        return " ".join(f"{key}={value_words(part)}" for key, part in value.items())
    return _setting(value)


def _setting(value: Any) -> str:
    """A setting without the brackets of a list of records."""
    if isinstance(value, list):
        return "; ".join(map(_setting, value))
    if isinstance(value, dict):
        return " ".join(map(str, value.values()))
    return str(value)


def _verdict_rows(trial: Trial) -> list[str]:
    verdict = trial.verdict
    if verdict is None:
        return []
    confidence = "" if verdict.confidence is None else f" (confidence {verdict.confidence:.2f})"
    reason = verdict.reason or trial.outcome.label
    rows = [_row("verdict", f"by {trial.judge}{confidence}: {reason}")]
    return rows + [_row("evidence", f"“{piece}”") for piece in trial.evidence]


def _took(trial: Trial) -> str:
    """Seconds, tries, tokens and cost, as far as they are known."""
    from mossbench.look.numbers import dollars

    exchange = trial.exchange
    parts = []
    if exchange.answer.seconds is not None:
        parts.append(f"{exchange.answer.seconds:.1f} s")
    if exchange.tries > 1:
        parts.append(f"{exchange.tries} tries, {exchange.waited:.1f} s waited")
    parts.append(_tokens(exchange.answer))
    price = f" ({trial.price.month_text()})" if trial.price and trial.price.as_of else ""
    parts.append(f"{dollars(trial.cost)}{price}")
    return ", ".join(parts)


def _tokens(answer: Answer) -> str:
    if not answer.usage:
        return "token count unavailable"
    n_thought = answer.usage.reasoning_tokens
    thought = f" ({n_thought:,} of them thinking)" if n_thought else ""
    return f"{answer.usage.input_tokens:,} tokens in, {answer.usage.output_tokens:,} out{thought}"
