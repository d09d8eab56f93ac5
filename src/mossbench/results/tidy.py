"""The tidy table: a line for each row of a run, as plain values or as a data frame."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from mossbench.errors import needing
from mossbench.outcomes import Counted, Exchange, Outcome, Rule, Verdict, counted
from mossbench.results.answerers import by_another
from mossbench.results.rates import Rate
from mossbench.results.rehearsal import planted_refusal
from mossbench.results.row_languages import ANSWER_LANGUAGE, REQUEST_LANGUAGE, language_of_row
from mossbench.samples import FLAGS, own_columns

if TYPE_CHECKING:
    import pandas as pd

    from mossbench.results.rows import ResultRow
    from mossbench.results.table import Results

_REFUSED = {Counted.REFUSED: True, Counted.COMPLIED: False}
"""Of other rows it is not known, or they do not count."""
_BOOLEANS = ("refused", *(f"refused_{rule}" for rule in Rule), *FLAGS, "planted_refused")
_WHOLE_NUMBERS = ("epoch", "input_tokens", "output_tokens", "tries")
_NUMBERS = ("confidence", "seconds", "waited")
_DTYPES = {
    **dict.fromkeys(_BOOLEANS, "boolean"),
    **dict.fromkeys(_WHOLE_NUMBERS, "Int64"),
    **dict.fromkeys(_NUMBERS, "float64"),
}
"""Columns whose values may be missing: as objects they could not be averaged."""
_PLAIN_NUMBER = r"-?(0|[1-9]\d{0,14})(\.\d+)?"
"""A number in a text file; 007 is a name."""


def tidy_record(results: Results, row: ResultRow) -> dict[str, Any]:
    """A row as plain values, with the columns of its sample's own that no other column has the name of."""
    exchange = row.exchange  # is read from the run's files each time
    record = {
        "run": results.name,
        "model": results.model,
        "prompt": results.info.prompt,
        "dataset": results.info.dataset.name,
        "judge": results.judge,
        **_what_was_asked(row),
        "response": exchange.answer.text if exchange else None,
        **_how_it_counts(row.outcome),
        **_about_verdict(row.verdict),
        **_about_answer(exchange, results.asked_model),
    }
    if results.info.planted:
        planted = exchange.answer.planted if exchange else None
        record["planted"] = str(planted) if planted else None
        record["planted_refused"] = planted_refusal(planted, Rule.SYSTEM) if planted else None
    for name, value in own_columns(row.sample, record).items():
        if name not in ("data_stimulus", "data_harm"):  # an own taxonomy is in its column already
            record[name] = value
    return record


def _what_was_asked(row: ResultRow) -> dict[str, Any]:
    sample = row.sample
    stimulus = str(sample.stimulus) if sample.stimulus else sample.label("stimulus")
    return {
        "side": str(row.key.side),
        "sample": row.key.sample,
        "arm": row.key.arm,
        "epoch": row.key.epoch,
        "stimulus": stimulus or None,
        "harm": sample.label("harm") or None,
        **{flag: getattr(sample, flag) for flag in FLAGS},
        "cluster": sample.cluster,
        "twin": sample.twin,
        "question": sample.question,
        REQUEST_LANGUAGE: language_of_row(row, REQUEST_LANGUAGE),
        ANSWER_LANGUAGE: language_of_row(row, ANSWER_LANGUAGE),
    }


def _how_it_counts(outcome: Outcome) -> dict[str, Any]:
    counts = {rule: counted(outcome, rule) for rule in Rule}
    return {
        "layer": str(outcome.layer),
        "kind": str(outcome.kind) if outcome.kind else None,
        "outcome": outcome.label,
        "refused": _REFUSED.get(counts[Rule.SYSTEM]),
        **{f"refused_{rule}": _REFUSED.get(count) for rule, count in counts.items()},
        **{f"counts_{rule}": str(count) for rule, count in counts.items()},
    }


def _about_verdict(verdict: Verdict | None) -> dict[str, Any]:
    return {
        "confidence": verdict.confidence if verdict else None,
        "reason": verdict.reason if verdict else None,
    }


def _about_answer(exchange: Exchange | None, model: str) -> dict[str, Any]:
    answer = exchange.answer if exchange else None
    error = answer.error if answer else None
    usage = answer.usage if answer else None
    return {
        "error": f"{error.stage}: {error.type}: {error.message}" if error else None,
        "seconds": answer.seconds if answer else None,
        "input_tokens": usage.input_tokens if usage else None,
        "output_tokens": usage.output_tokens if usage else None,
        "answered_by": answer.model if answer else None,
        "served_by": answer.host if answer else None,
        "other_model": by_another(model, answer),
        "filter_category": answer.category if answer else None,
        "tries": exchange.tries if exchange else None,
        "waited": exchange.waited if exchange else None,
    }


def tidy_frame(results: Results) -> pd.DataFrame:
    """All rows as a data frame; own columns of which every value is a number are numbers."""
    with needing("a data frame", "pandas"):
        import pandas as pd
    frame = pd.DataFrame(results.records())
    frame = frame.astype({name: dtype for name, dtype in _DTYPES.items() if name in frame})
    own: set[str] = set()
    for row in results.rows:
        own.update(row.sample.metadata)
    for name in (own - {*_DTYPES, "sample", "cluster", "twin"}) & {*frame}:
        texts = frame[name].dropna().astype(str).str.strip()  # a CSV knows only text
        if texts.str.fullmatch(_PLAIN_NUMBER).all():
            frame[name] = pd.to_numeric(frame[name])
    return frame


def rates_frame(rates: Iterable[Rate]) -> pd.DataFrame:
    """Rates as a data frame, one line a group; corrected rates are columns of their own."""
    with needing("a data frame", "pandas"):
        import pandas as pd
    lines = []
    for rate in rates:
        line = rate.to_dict()
        corrected = line.pop("corrected") or {}
        line["corrected"] = corrected.get("value")
        line["corrected_low"] = corrected.get("low")
        line["corrected_high"] = corrected.get("high")
        lines.append(line)
    return pd.DataFrame(lines)
