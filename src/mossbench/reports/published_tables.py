"""The findings about the published figures in tables for the terminal, and the paper's results made again.

`reports.words.published` has their sentences. Those come first, then tables of 80 columns.
"""

from collections.abc import Sequence
from functools import partial

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

import mossbench
from mossbench.look import numbers
from mossbench.look.numbers import bare_percent, brackets, difference
from mossbench.look.page import render_page
from mossbench.published.printed_findings import PlacedRate, PublishedFindings, UnknownPairs
from mossbench.published.reproduction import MODELS_WITH_STAGES, Reproduction
from mossbench.published.tables import STIMULI, Misprint, read, shares_of
from mossbench.reports.tables import text_table
from mossbench.reports.words import published as words
from mossbench.reports.words.reproduction import (
    absent_line,
    reproduction_findings,
    reproduction_texts,
    reproduction_title,
)
from mossbench.results.rates import JudgeRange
from mossbench.statistics import Estimate

VERDICTS = {"different": "yes", "undecided": "not decided", "depends": "depends on the pairs"}
_table = partial(text_table, wraps=True, words=("", "what", "different?"))


def findings_page(findings: PublishedFindings) -> RenderableType:
    gpt = findings.boards["gpt"]
    products = [(pair.name, pair) for pair in findings.products]
    return Group(
        _heading(f"1. {words.ranks_heading(gpt)}"),
        words.ranks_paragraph(findings),
        _board(gpt, findings.boards["human"]),
        _heading(f"2. {words.JUDGES_HEADING}"),
        Text(words.judges_paragraph(findings)),
        _heading(f"3. {words.tradeoff_heading(findings)}"),
        _tradeoffs(findings),
        _safety(findings),
        words.SAFETY_NOTE,
        _heading(f"4. {words.products_heading(findings.products)}"),
        _pairs(products, "web – API, points"),
        _heading(f"5. {words.PROMPTS_HEADING}"),
        _pairs(_named_prompts(findings), "change, points"),
        _heading(f"6. {words.STAGES_HEADING}"),
        _stages(findings),
        _heading(f"7. {words.WITHOUT_HEADING}"),
        _without(findings),
        _heading(words.METHOD_HEADING),
        words.how_findings_were_made(findings),
    )


def _named_prompts(findings: PublishedFindings) -> list[tuple[str, UnknownPairs]]:
    """Each difference with its prompt and stimulus."""
    named = []
    for condition, pairs in findings.prompts:
        named += [(f"{condition}, {words.NAMES.get(pair.name, pair.name)}", pair) for pair in pairs]
    return named


def misprints_table(misprints: tuple[Misprint, ...]) -> Table:
    table = _table("", "what", "printed", "should be")
    for number, misprint in enumerate(misprints, start=1):
        description = Text.assemble((misprint.what, "bold"), f"\n{misprint.where}: {misprint.why}")
        expected = f"{misprint.expected} (inferred)" if misprint.inferred else misprint.expected
        table.add_row(str(number), description, misprint.printed, expected)
    return table


def _board(gpt: tuple[PlacedRate, ...], human: tuple[PlacedRate, ...]) -> Table:
    table = _table("model", "", "refused %", "rank", "range", "people %", "rank", padding=(0, 1, 0, 0))
    by_people = {placed.row.name: placed for placed in human}
    for placed in gpt:
        place = placed.place
        placed_by_people = by_people[placed.row.name]
        tie_group = chr(ord("a") + place.tie_group - 1)
        table.add_row(
            placed.row.model,
            placed.row.availability,
            f"{_rate(placed.rate)} {tie_group}",
            str(place.rank),
            f"{place.low_rank}–{place.high_rank}",
            _rate(placed_by_people.rate),
            str(placed_by_people.place.rank),
        )
    return table


def _tradeoffs(findings: PublishedFindings) -> Table:
    table = _table("rho, 16 models", "printed", "as drawn", "p", "corrected", "p")
    for tradeoff in (findings.pooled, *findings.tradeoffs):
        table.add_row(
            words.NAMES.get(tradeoff.stimulus, "all together"),
            "–" if tradeoff.printed is None else f"{tradeoff.printed:.2f}",
            words.rho(tradeoff.plotted),
            f"{tradeoff.p_plotted_adjusted:.3f}",
            words.rho(tradeoff.corrected),
            f"{tradeoff.p_adjusted:.3f}",
        )
    return table


def _safety(findings: PublishedFindings) -> Table:
    table = _table("safety, %", "by items", "by stimulus")
    for safety in findings.safety:
        model = f"{safety.model} †" if safety.inferred else safety.model
        table.add_row(model, f"{100 * safety.by_items:.1f}", f"{100 * safety.by_stimulus:.1f}")
    return table


def _pairs(pairs: Sequence[tuple[str, UnknownPairs]], measure: str) -> Table:
    table = _table("", "%", "vs. %", measure, "different?")
    for name, pair in pairs:
        rates = (f"{100 * pair.first:.1f}", f"{100 * pair.second:.1f}")
        table.add_row(name, *rates, difference(pair.estimate), VERDICTS[pair.verdict])
    return table


def _stages(findings: PublishedFindings) -> Table:
    table = _table("stage", *dict.fromkeys(stage_share.model for stage_share in findings.stages))
    cells: dict[str, list[str]] = {}
    for stage_share in findings.stages:
        share = stage_share.share
        cells.setdefault(stage_share.stage, []).append(f"{100 * share.value:.0f} % {brackets(share)}")
    for stage, shares in cells.items():
        table.add_row(stage, *shares)
    return table


def _without(findings: PublishedFindings) -> Table:
    table = _table("", "rows", "published %", "without them %")
    for gap in findings.without_gaps:
        table.add_row(f"{gap.name}: {gap.what}", str(gap.n_rows), f"{100 * gap.published:.1f}", _rate(gap.rate))
    return table


def _rate(estimate: Estimate) -> str:
    return f"{100 * estimate.value:.1f} {brackets(estimate)}"


def _heading(text: str) -> Text:
    return Text(f"\n{text}", style="bold")


def reproduction_page(reproduction: Reproduction, published: PublishedFindings) -> str:
    """One page: every published table and figure with numbers, ours beside theirs or why there are none."""
    rows_apart = []
    for model in reproduction.models:
        rows_apart += [(model, apart) for apart in model.apart]
    return render_page(
        "reproduction.html",
        reproduction=reproduction,
        published=published,
        texts=reproduction_texts(
            reproduction,
            judge_range=_judge_range(reproduction),
            staged=[model for model in reproduction.models if model.name in MODELS_WITH_STAGES],
            n_misprints=len(published.misprints),
            version=mossbench.__version__,
        ),
        apart=rows_apart,
        products=[(pair, reproduction.products.get(pair.name)) for pair in published.products],
        prompts=[{**row, "mean": f"{100 * sum(shares_of(row)) / 3:.2f}"} for row in read("prompts")],
        vanilla=next((model for model in reproduction.models if model.name == "Gemini-Pro 1.5"), None),
        read=read,
        labels={(line["availability"], line["model"]): line["compliance"] for line in read("compliance")},
        stimuli=STIMULI,
        names=words.NAMES,
        verdicts=VERDICTS,
        numbers=numbers,
        version=mossbench.__version__,
    )


def _judge_range(reproduction: Reproduction) -> JudgeRange | None:
    """The range that the judge's errors leave: they are the same for all models and rules that have one."""
    for model in reproduction.models:
        for rate in model.by_rule.values():
            if rate.judge_range is not None:
                return rate.judge_range
    return None


def reproduction_text(reproduction: Reproduction) -> RenderableType:
    """The main table, rows that may not be answers and missing models; the page has everything else."""
    parts: list[RenderableType] = [
        _heading(reproduction_title(reproduction)),
        *[Text(finding) for finding in reproduction_findings(reproduction)],
        _main_table(reproduction),
        _stimuli_table(reproduction),
    ]
    apart_table = _apart_table(reproduction)
    if apart_table.row_count:
        parts.append(apart_table)
    parts += [Text(absent_line(model)) for model in reproduction.absent]
    return Group(*parts)


def _main_table(reproduction: Reproduction) -> Table:
    table = _table("model", "ours %", "GPT %", "people %", "ours – GPT", "ours – people")
    for model in reproduction.models:
        rate = model.rates["all"].estimate
        ours = f"{bare_percent(rate.value)} {brackets(rate)}"
        gaps = [difference(gap.estimate) for gap in model.gaps] or ["–", "–"]
        table.add_row(model.name, ours, bare_percent(model.gpt.value), bare_percent(model.human.value), *gaps)
    return table


def _stimuli_table(reproduction: Reproduction) -> Table:
    table = _table("ER / NH / CI", "ours %", "GPT %", "people %")
    for model in reproduction.models:
        ours = _by_stimulus(model.shares)
        table.add_row(model.name, ours, _by_stimulus(model.gpt_shares), _by_stimulus(model.human_shares))
    return table


def _by_stimulus(shares: Sequence[float]) -> str:
    return " / ".join(f"{100 * share:.3g}" for share in shares)


def _apart_table(reproduction: Reproduction) -> Table:
    """Rows that may not be answers, with the rate without them."""
    table = _table("rows with", "ER / NH / CI", "ours %", "without them %")
    for model in reproduction.models:
        ours = bare_percent(model.rates["all"].estimate.value)
        for apart in model.apart:
            n_rows = " / ".join(str(n) for n in apart.rows)
            without = f"{bare_percent(apart.without.value)} {brackets(apart.without)}"
            table.add_row(f"{model.name}: {apart.what}", n_rows, ours, without)
    return table
