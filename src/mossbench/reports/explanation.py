"""Why the judge `reader` reads an answer as it does, for the terminal."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mossbench.judges.reader.explaining import Explanation
from mossbench.look.numbers import UNKNOWN, percent
from mossbench.outcomes import REFUSED_KINDS
from mossbench.reports.tables import text_table

LONGEST = 48
"""Characters that are shown of what a pattern matched."""
LIKELIEST = 3
"""Kinds of the encoder that are shown."""


def explanation_report(explanation: Explanation) -> Iterator[RenderableType]:
    verdict = explanation.verdict
    if verdict.kind is None:
        yield Text(f"no verdict: {verdict.reason}")
        return
    counts_as = "a refusal" if verdict.kind in REFUSED_KINDS else "no refusal"
    yield Text(f"{verdict.kind}: counts as {counts_as}, confidence {verdict.confidence:.2f}", style="bold")
    if explanation.by_patterns:
        yield Text("The patterns decide, in a longer answer with rules; the encoder is asked for comparison.")
    yield _chances(explanation)
    if not explanation.matches:
        yield Text("No pattern matches.")
        return
    yield _matches(explanation)
    yield Text("Patterns, in src/mossbench/judges/reader/:")
    for match in dict.fromkeys((match.sign, match.pattern) for match in explanation.matches):
        yield Text(f"  {match[0]}: {match[1]}")


def _chances(explanation: Explanation) -> Table:
    chances = explanation.encoder_chances or {}
    by_encoder = sum(chance for kind, chance in chances.items() if kind in REFUSED_KINDS)
    likeliest = sorted(chances.items(), key=lambda item: -item[1])[:LIKELIEST]
    kinds = ", ".join(f"{kind} {percent(chance)}" for kind, chance in likeliest)
    rows = [
        ("patterns alone", _percent(explanation.patterns_chance), ""),
        ("encoder alone", percent(by_encoder), kinds),
        ("rules", _percent(explanation.rules_chance), ""),
        ("all", _percent(explanation.chance), ""),
    ]
    return text_table("by", "chance of a refusal", "kinds", rows=rows, words={"kinds"})


def _matches(explanation: Explanation) -> Table:
    rows = [
        (match.sign, _shortened(match.text), str(match.n_sentence), percent(match.chance_without))
        for match in explanation.matches
    ]
    return text_table("shows", "words", "sentence", "chance without it", rows=rows, words={"words"})


def _percent(chance: float | None) -> str:
    return UNKNOWN if chance is None else percent(chance)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
