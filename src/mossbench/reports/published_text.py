"""The findings about the published figures for the terminal: sentences first, then tables of 80 columns."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mossbench.look.numbers import brackets, difference
from mossbench.published.findings import PlacedRate, PublishedFindings, UnknownPairs
from mossbench.published.tables import INFERRED, SOURCE, Misprint
from mossbench.reports.tables import text_table
from mossbench.statistics import Estimate

NAMES = {"er": "Exaggerated Risk", "nh": "Negated Harm", "ci": "Counterintuitive"}
VERDICTS = {"different": "yes", "undecided": "not decided", "depends": "depends on the pairs"}
_table = partial(text_table, wraps=True, words=("", "what", "different?"))
_METHOD = " ".join(tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["method"])
SHOWN = {"different": "clear", "undecided": "not clear", "depends": "depends on the pairs"}


def short_findings(found: PublishedFindings) -> list[str]:
    """At most eight lines for somebody who sees the benchmark for the first time."""
    board, judges = found.boards["gpt"], found.judges
    best, worst = board[0], board[-1]
    n, people, apart = len(board), found.boards["human"][-1], found.told_apart["gpt"]
    product = max(found.products, key=lambda pair: pair.estimate.value)
    safety = dict(found.prompts)["+safety"][0]
    pooled = found.pooled
    rho = f"{pooled.plotted.value:.2f} as drawn, {pooled.corrected.value:.2f} corrected"
    return [
        f"What the published figures of {n} models say once they have intervals:",
        f"· {best.row.name} refused {_whole(best.rate.value)} of 300 requests, {worst.row.name} "
        f"{_whole(worst.rate.value)} (people: {_whole(people.rate.value)}).",
        f"· {apart.unrelated} of {n * (n - 1) // 2} pairs differ clearly if answers are unrelated; "
        f"{apart.worst} at worst.",
        f"· Web and API, {product.name.split(' (')[0]}: {_whole(product.first)} and {_whole(product.second)}, "
        f"{difference(product.estimate)} points.",
        f"· Safer and more oversensitive? {'Clear' if pooled.clear else 'Not clear'}: rho {rho}.",
        f"· Gemini-Pro 1.5, safety prompt: {difference(safety.estimate)}; {SHOWN[safety.verdict]}.",
        f"· The GPT judge and people read at least {100 * judges.mean_cell_gap:.1f} % of the answers differently.",
        f"More: mossbench published. {len(found.misprints)} misprints corrected: mossbench leaderboard check",
    ]


def findings_page(found: PublishedFindings) -> RenderableType:
    """Everything in one page."""
    return Group(*_sections(found))


def misprints_table(misprints: tuple[Misprint, ...]) -> Table:
    table = _table("", "what", "printed", "should be")
    for number, misprint in enumerate(misprints, start=1):
        what = Text.assemble((misprint.what, "bold"), f"\n{misprint.where}: {misprint.why}")
        table.add_row(str(number), what, misprint.printed, misprint.expected + (" (inferred)" * misprint.inferred))
    return table


def _sections(found: PublishedFindings) -> Iterator[RenderableType]:
    gpt, human = found.boards["gpt"], found.boards["human"]
    yield _heading(f"1. {str(_n_sure(gpt) or 'None')} of the {len(gpt)} ranks {_is(_n_sure(gpt))} certain")
    yield _ranks(found)
    yield _board(gpt, human)
    yield _heading("2. The GPT judge orders models much as people do, but reads answers differently")
    yield _judges(found)
    clear, single = "Clear" if found.pooled.clear else "Not clear", sum(one.clear for one in found.tradeoffs)
    yield _heading(
        f"3. Are safer models more oversensitive? {clear} over all three stimuli together, clear for {single} of "
        f"{len(found.tradeoffs)} alone"
    )
    yield _tradeoffs(found)
    yield _safety(found)
    differ, hang = (sum(one.verdict == word for one in found.products) for word in ("different", "depends"))
    rest = f", {hang} depends on the pairs" if hang else ""
    yield _heading(
        f"4. Web compared with API: {differ} of {len(found.products)} products differ from their model{rest}"
    )
    yield _pairs(found.products, "web – API, points")
    yield _heading("5. System prompts (Gemini-Pro 1.5, compared with none)")
    rows = [
        (f"{condition}, {NAMES.get(pair.name, pair.name)}", pair) for condition, some in found.prompts for pair in some
    ]
    yield _pairs([pair for _, pair in rows], "change, points", names=[name for name, _ in rows])
    yield _heading("6. The published stages of 30 refused requests per model, chance not taken out")
    yield _stages(found)
    yield _heading("7. Rows counted as refused that are not answers to the request")
    yield _without(found)
    yield _heading("How these numbers were made")
    yield _METHOD.format(source=SOURCE, n=len(found.misprints))


def _board(gpt: tuple[PlacedRate, ...], human: tuple[PlacedRate, ...]) -> Table:
    table = _table("model", "", "refused %", "rank", "range", "people %", "rank")
    people = {one.row.name: one for one in human}
    for one in gpt:
        other, place = people[one.row.name], one.place
        group = chr(ord("a") + place.tie_group - 1)
        table.add_row(
            one.row.model,
            one.row.availability,
            f"{100 * one.rate.value:.1f} {brackets(one.rate)} {group}",
            str(place.rank),
            f"{place.low_rank}–{place.high_rank}",
            f"{100 * other.rate.value:.1f} {brackets(other.rate)}",
            str(other.place.rank),
        )
    return table


def _judges(found: PublishedFindings) -> Text:
    judges = found.judges
    model, stimulus, gpt, human = judges.worst
    sure = [f"{gap.name} ({difference(gap.estimate)})" for gap in judges.gaps if gap.verdict == "different"]
    return Text(
        f"Spearman {_rho(judges.models)} over {judges.models.n} averages, Pearson {judges.pearson:.2f}. Averages "
        f"differ by {100 * judges.mean_gap:.1f} points on average, cells by {100 * judges.mean_cell_gap:.1f}; at least "
        f"that share of answers was read differently. Worst cell: {model}, {NAMES[stimulus]}, GPT {_whole(gpt)}, "
        f"people {_whole(human)}. Different for every possible pairing of the readings: {', '.join(sure) or 'none'}."
    )


def _ranks(found: PublishedFindings) -> str:
    """What the ranks rest on, and what the abstract's number is."""
    gpt, apart, people = found.boards["gpt"], found.told_apart["gpt"], found.told_apart["human"]
    top = found.boards["human"][-1]
    automatic = next(one.rate for one in gpt if one.row.name == top.row.name)
    return (
        f"Refusal rates by the GPT judge, 95 % intervals. {apart.unrelated} of {len(gpt) * (len(gpt) - 1) // 2} pairs "
        f"of models differ clearly if two models' answers are unrelated and the 100 Negated Harm items are worth their "
        f"44 scenes ({people.unrelated} as people read them); {apart.worst} however the answers were paired; "
        f"{apart.items} if all 300 items are independent. Ranks and ranges rest on the first. Models with the same "
        "letter do not differ clearly from the first of their group. Ranges hold together at 95 %. "
        f"The abstract's “up to 76 %” is {top.row.name} as people read it, {100 * top.rate.value:.1f} % "
        f"{brackets(top.rate)}; the GPT judge has {100 * automatic.value:.1f} %."
    )


def _tradeoffs(found: PublishedFindings) -> Table:
    table = _table("rho, 16 models", "printed", "as drawn", "p", "corrected", "p")
    for one in (found.pooled, *found.tradeoffs):
        printed = "–" if one.printed is None else f"{one.printed:.2f}"
        drawn, corrected = f"{one.p_plotted_adjusted:.3f}", f"{one.p_adjusted:.3f}"
        name = NAMES.get(one.stimulus, "all together")
        table.add_row(name, printed, _rho(one.plotted), drawn, _rho(one.corrected), corrected)
    return table


def _safety(found: PublishedFindings) -> Group:
    table = _table("safety, %", "by items", "by stimulus")
    for one in found.safety:
        table.add_row(one.model + " †" * one.inferred, f"{100 * one.by_items:.1f}", f"{100 * one.by_stimulus:.1f}")
    text = (
        "Share of harmful requests refused. By items: over all 244 (100, 44 and 100), as on boards. By stimulus: the "
        f"mean of the three, as in the correlation over all. {INFERRED}."
    )
    return Group(table, text)


def _pairs(pairs: list[UnknownPairs] | tuple[UnknownPairs, ...], measure: str, names: list[str] | None = None) -> Table:
    table = _table("", "%", "vs. %", measure, "different?")
    for name, pair in zip(names or [pair.name for pair in pairs], pairs, strict=True):
        cells = f"{100 * pair.first:.1f}", f"{100 * pair.second:.1f}", difference(pair.estimate)
        table.add_row(name, *cells, VERDICTS[pair.verdict])
    return table


def _stages(found: PublishedFindings) -> Table:
    table = _table("stage", *dict.fromkeys(one.model for one in found.stages))
    for stage in dict.fromkeys(one.stage for one in found.stages):
        cells = [one.share for one in found.stages if one.stage == stage]
        table.add_row(stage, *(f"{100 * share.value:.0f} % {brackets(share)}" for share in cells))
    return table


def _without(found: PublishedFindings) -> Table:
    table = _table("", "rows", "published %", "without them %")
    for one in found.without_gaps:
        rate = f"{100 * one.rate.value:.1f} {brackets(one.rate)}"
        table.add_row(f"{one.name}: {one.what}", str(one.n_rows), f"{100 * one.published:.1f}", rate)
    return table


def _n_sure(board: tuple[PlacedRate, ...]) -> int:
    return sum(one.place.low_rank == one.place.high_rank for one in board)


def _is(n: int) -> str:
    return "is" if n < 2 else "are"


def _whole(share: float) -> str:
    return f"{100 * share:.0f} %"


def _rho(estimate: Estimate) -> str:
    return f"{estimate.value:.2f} [{estimate.low:.2f} to {estimate.high:.2f}]"


def _heading(text: str) -> Text:
    return Text(f"\n{text}", style="bold")
