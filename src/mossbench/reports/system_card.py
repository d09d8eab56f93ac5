"""A section for a model or system card: refusals by side, thinking, prompt and stimulus, with what they rest on."""

import math
from collections.abc import Sequence
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
from mossbench.reports.words.system_card import CardFacts, comparability, model_words, thinking_words
from mossbench.results.comparisons import names_of
from mossbench.results.one_judge import with_one_judge
from mossbench.results.rates import JudgeRange
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results, check_ready, load_results
from mossbench.samples import Side
from mossbench.statistics import Estimate

CardFormat = Literal["markdown", "latex", "json"]
_BY_JUDGE = "With the judge’s error, %"
_NAMES = ("Model", "Side", "Thinking", "System prompt", "Stimulus")
_DATA = "Data"
_NUMBERS = ("Refused as read, %", "95 % interval", "n", _BY_JUDGE)


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
    data: str = ""

    def to_dict(self) -> dict[str, Any]:
        ends = {name: None if math.isnan(value) else value for name, value in (("low", self.low), ("high", self.high))}
        judge = {"corrected": as_json_value(self.corrected), "judge_range": as_json_value(self.judge_range)}
        return {**vars(self), **ends, **judge, "side": str(self.side)}

    def cells(self) -> tuple[str, ...]:
        """Two digits after the point: cards report rates far below one percent."""
        value = "not known" if self.rate is None else f"{100 * self.rate:.2f}"
        has_interval = self.rate is not None and not math.isnan(self.low)
        interval = f"{100 * self.low:.2f} to {100 * self.high:.2f}" if has_interval else "–"
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

    @property
    def has_several_sets(self) -> bool:
        return len({line.data for line in self.lines}) > 1

    def head(self) -> tuple[str, ...]:
        return (*self.names(), *_NUMBERS)

    def names(self) -> tuple[str, ...]:
        """The columns before the numbers; the data are one where there are several."""
        return (_NAMES[0], _DATA, *_NAMES[1:]) if self.has_several_sets else _NAMES

    def rows(self) -> list[tuple[str, ...]]:
        if not self.has_several_sets:
            return [line.cells() for line in self.lines]
        rows = []
        for line in self.lines:
            model, *others = line.cells()
            rows.append((model, line.data, *others))
        return rows

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
    loaded = _each_once([run if isinstance(run, Results) else load_results(run) for run in runs])
    for results in loaded:
        check_ready(results)
    if len(loaded) > 1:
        loaded = list(with_one_judge(loaded))
    names = names_of(loaded)
    lines: list[CardLine] = []
    for name, results in zip(_models_apart(loaded), loaded, strict=True):
        lines += _lines(name, results, rule)
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
        images=frozenset(_has_images(results, row) for results in loaded for row in results.rows),
    )
    return SystemCard(
        lines=tuple(lines),
        protocols={name: protocol.words() for name, protocol in zip(names, protocols, strict=True)},
        judge=facts.judge,
        judge_errors=tuple(judge_lines([rates for rates in judged if rates is not None])),
        comparability=comparability(facts),
    )


def _each_once(runs: list[Results]) -> list[Results]:
    """Without a run that is named again."""
    return list({run.folder.resolve(): run for run in runs}.values())


def _models_apart(runs: list[Results]) -> list[str]:
    """The models with their parameters; with the run, where the other columns do not tell two runs apart."""
    models = [model_words(run.asked_model, run.info.config.params) for run in runs]
    labels = [(model, *_columns_of(run)) for model, run in zip(models, runs, strict=True)]
    names = []
    for label, model, run in zip(labels, models, runs, strict=True):
        names.append(model if labels.count(label) == 1 else f"{model} ({run.name})")
    return names


def _columns_of(run: Results) -> tuple[str, ...]:
    config = run.info.config
    return thinking_words(config.effort, config.params), run.info.prompt or "none", run.info.dataset.label


def _has_images(results: Results, row: ResultRow) -> bool:
    return results.arm(row).n_pictures(row.sample) > 0


def _lines(model: str, results: Results, rule: Rule) -> list[CardLine]:
    thinking, prompt, data = _columns_of(results)
    lines = []
    for rate in results.rates(rule=rule):
        value = rate.estimate.value
        is_known = rate.is_known and not math.isnan(value)
        lines.append(
            CardLine(
                model=model,
                side=rate.side,
                thinking=thinking,
                prompt=prompt,
                stimulus=rate.group,
                rate=value if is_known else None,
                low=rate.estimate.low,
                high=rate.estimate.high,
                n=rate.estimate.n,
                refused=rate.refused,
                corrected=rate.corrected.estimate if rate.corrected else None,
                judge_range=rate.judge_range,
                data=data,
            )
        )
    return lines


def _notes(card: SystemCard) -> list[str]:
    """How the runs were asked, and what is known of the judge, as sentences."""
    notes = []
    errors = []
    for name, words in card.protocols.items():
        settings = "; ".join(f"{topic}: {text}" for topic, text in words.items() if topic not in ("judge", "rule"))
        notes.append(f"{name}: {settings}.")
    for line in _joined(card.judge_errors):
        text = line if line.endswith(".") else f"{line}."
        begins_with_name = any(line.startswith(name) for name in card.protocols)
        errors.append(text if begins_with_name else capital(text))
    return [*notes, f"Judge: {card.judge}.", *errors]


def _joined(lines: Sequence[str]) -> list[str]:
    """Lines of a terminal as sentences: those of single runs stand behind the line that they belong to."""
    sentences: list[str] = []
    for line in lines:
        if line.startswith(" ") and sentences:
            separator = " " if sentences[-1].endswith(":") else "; "
            sentences[-1] += separator + line.strip()
        else:
            sentences.append(line)
    return sentences


def card_markdown(card: SystemCard) -> str:
    rows = [card.head(), (*("---" for _ in card.names()), *("---:" for _ in _NUMBERS)), *card.rows()]
    table = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    notes = [f"- {note}" for note in _notes(card)]
    parts = ["## Refusals of harmless and harmful requests", "", *table, "", *notes, "", card.comparability, ""]
    return "\n".join(parts)


def card_latex(card: SystemCard) -> str:
    """A table with its notes, for a document that loads booktabs."""
    columns = "l" * len(card.names()) + "r" * len(_NUMBERS)
    rows = [" & ".join(tex(cell) for cell in row) + r" \\" for row in card.rows()]
    head = " & ".join(tex(cell) for cell in card.head()) + r" \\"
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
