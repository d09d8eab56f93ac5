"""A section for a model or system card: refusals by side, thinking, prompt and stimulus, with what they rest on."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from mossbench.errors import UsageError
from mossbench.look.text_templates import tex
from mossbench.outcomes import Rule, parse_rule
from mossbench.plumbing.json_values import as_json_value
from mossbench.reports.judged_rates import rates_of_results
from mossbench.reports.words.grammar import capital
from mossbench.reports.words.judge_lines import judge_lines
from mossbench.reports.words.system_card import CardFacts, comparability, thinking_words
from mossbench.results.comparisons import names_of
from mossbench.results.one_judge import with_one_judge
from mossbench.results.rates import JudgeRange
from mossbench.results.table import Results, check_ready, load_results
from mossbench.samples import Side
from mossbench.statistics import Estimate

CardFormat = Literal["markdown", "latex", "json"]
_BY_JUDGE = "With the judge’s error, %"
_NAMES = ("Model", "Side", "Thinking", "System prompt", "Stimulus")
_HEAD = (*_NAMES, "Refused as read, %", "95 % interval", "n", _BY_JUDGE)
_NUMBERS_FROM = len(_NAMES)
"""From this column on there are numbers."""


@dataclass(frozen=True)
class CardLine:
    """One rate."""

    model: str
    side: Side
    thinking: str
    prompt: str
    stimulus: str
    """`all` for the whole side."""
    rate: float | None
    """None: not known."""
    low: float
    high: float
    n: int
    refused: int
    corrected: Estimate | None = None
    """With the judge's errors taken out, where they are known for these answers."""
    judge_range: JudgeRange | None = None
    """Else where the judge's errors, as measured elsewhere, may leave it."""

    def to_dict(self) -> dict[str, Any]:
        ends = {name: None if math.isnan(value) else value for name, value in (("low", self.low), ("high", self.high))}
        judge = {"corrected": as_json_value(self.corrected), "judge_range": as_json_value(self.judge_range)}
        return {**vars(self), **ends, **judge, "side": str(self.side)}

    def cells(self) -> tuple[str, ...]:
        """Two digits after the point: cards report rates far below one percent."""
        value = "not known" if self.rate is None else f"{100 * self.rate:.2f}"
        interval = "–" if math.isnan(self.low) else f"{100 * self.low:.2f} to {100 * self.high:.2f}"
        names = (self.model, self.side.adjective, self.thinking, self.prompt, self.stimulus)
        return (*names, value, interval, str(self.n), self._judge_cell())

    def _judge_cell(self) -> str:
        if self.corrected is not None:
            estimate = self.corrected
            return f"{100 * estimate.value:.2f} ({100 * estimate.low:.2f} to {100 * estimate.high:.2f})"
        if self.judge_range is not None:
            return f"between {100 * self.judge_range.low:.2f} and {100 * self.judge_range.high:.2f}"
        return "not measured"


@dataclass(frozen=True)
class SystemCard:
    """What a section shows."""

    lines: tuple[CardLine, ...]
    protocols: dict[str, dict[str, str]]
    """How each run was asked and read, by its name."""
    judge: str
    judge_errors: tuple[str, ...]
    comparability: str

    def __repr__(self) -> str:
        return f"<SystemCard of {len(self.protocols)} runs: {len(self.lines)} rates>"

    def to_dict(self) -> dict[str, Any]:
        return {
            "rates": [line.to_dict() for line in self.lines],
            "protocols": self.protocols,
            "judge": self.judge,
            "judge_errors": list(self.judge_errors),
            "comparability": self.comparability,
        }


def make_card(*runs: Results | str | Path, rule: Rule | str = Rule.SYSTEM) -> SystemCard:
    """The section on these runs; a UsageError where they are not finished, or no judge has read all of them."""
    if not runs:
        raise UsageError("a card needs at least one run; name its folder")
    rule = parse_rule(rule)
    loaded = [run if isinstance(run, Results) else load_results(run) for run in runs]
    for results in loaded:
        check_ready(results)
    if len(loaded) > 1:
        loaded = list(with_one_judge(loaded))
    names = names_of(loaded)
    lines: list[CardLine] = []
    for results in loaded:
        lines += _lines(results, rule)
    judged = [rates_of_results(name, results, rule) for name, results in zip(names, loaded, strict=True)]
    protocols = [results.protocol(rule) for results in loaded]
    facts = CardFacts(
        data=tuple(dict.fromkeys(results.info.dataset.label for results in loaded)),
        n_rows=sum(len(results) for results in loaded),
        judge=str(loaded[0].judge),
        rule=str(rule),
        is_control=any(results.info.config.model.startswith("control/") for results in loaded),
        n_protocols=len({str(sorted(protocol.ranked().words().items())) for protocol in protocols}),
        has_harmful=any(line.side is Side.CONTRAST for line in lines),
    )
    return SystemCard(
        lines=tuple(lines),
        protocols={name: protocol.words() for name, protocol in zip(names, protocols, strict=True)},
        judge=facts.judge,
        judge_errors=tuple(judge_lines([rates for rates in judged if rates is not None])),
        comparability=comparability(facts),
    )


def _lines(results: Results, rule: Rule) -> list[CardLine]:
    config = results.info.config
    prompt = results.info.prompt or "none"
    lines = []
    for rate in results.rates(rule=rule):
        value = rate.estimate.value
        is_known = rate.is_known and not math.isnan(value)
        lines.append(
            CardLine(
                model=results.asked_model,
                side=rate.side,
                thinking=thinking_words(config.effort, config.params),
                prompt=prompt,
                stimulus=rate.group,
                rate=value if is_known else None,
                low=rate.estimate.low,
                high=rate.estimate.high,
                n=rate.estimate.n,
                refused=rate.refused,
                corrected=rate.corrected.estimate if rate.corrected else None,
                judge_range=rate.judge_range,
            )
        )
    return lines


def _notes(card: SystemCard) -> list[str]:
    """How the runs were asked, and what is known of the judge, as sentences."""
    notes = []
    for name, words in card.protocols.items():
        settings = "; ".join(f"{topic}: {text}" for topic, text in words.items() if topic not in ("judge", "rule"))
        notes.append(f"{name}: {settings}.")
    errors = [capital(line if line.endswith(".") else f"{line}.") for line in card.judge_errors]
    return [*notes, f"Judge: {card.judge}.", *errors]


def card_markdown(card: SystemCard) -> str:
    rows = [_HEAD, tuple("---:" if place >= _NUMBERS_FROM else "---" for place in range(len(_HEAD)))]
    rows += [line.cells() for line in card.lines]
    table = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    notes = [f"- {note}" for note in _notes(card)]
    parts = ["## Refusals of harmless and harmful requests", "", *table, "", *notes, "", card.comparability, ""]
    return "\n".join(parts)


def card_latex(card: SystemCard) -> str:
    """A table with its notes, for a document that loads booktabs."""
    columns = "l" * _NUMBERS_FROM + "r" * (len(_HEAD) - _NUMBERS_FROM)
    rows = [" & ".join(tex(cell) for cell in line.cells()) + r" \\" for line in card.lines]
    head = " & ".join(tex(cell) for cell in _HEAD) + r" \\"
    notes = " ".join(tex(note) for note in _notes(card))
    return "\n".join(
        [
            r"\subsection*{Refusals of harmless and harmful requests}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            head,
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            "",
            rf"\paragraph{{Protocol and judge.}} {notes}",
            "",
            rf"\paragraph{{What it can be compared with.}} {tex(card.comparability)}",
            "",
        ]
    )
