"""The findings about the published figures for the terminal, and the paper's results made again, also as a page.

Sentences come first, then tables of 80 columns.
"""

import tomllib
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

import mossbench
from mossbench.look import numbers
from mossbench.look.numbers import brackets, difference
from mossbench.look.page import render_page
from mossbench.look.texts import sentences
from mossbench.published.printed_findings import PlacedRate, PublishedFindings, UnknownPairs
from mossbench.published.reproduction import STAGED, Reproduction
from mossbench.published.tables import INFERRED, SOURCE, STIMULI, Misprint, read, shares_of
from mossbench.reports.tables import text_table
from mossbench.results.rates import JudgeRange
from mossbench.statistics import Estimate

NAMES = {"er": "Exaggerated Risk", "nh": "Negated Harm", "ci": "Counterintuitive"}
VERDICTS = {"different": "yes", "undecided": "not decided", "depends": "depends on the pairs"}
_table = partial(text_table, wraps=True, words=("", "what", "different?"))
_METHOD = " ".join(tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["method"])
SHOWN = {"different": "clear", "undecided": "not clear", "depends": "depends on the pairs"}
_say = sentences(__file__)


def short_findings(found: PublishedFindings) -> list[str]:
    """At most eight lines for somebody who sees the benchmark for the first time."""
    board = found.boards["gpt"]
    text = _say(
        "short",
        found=found,
        safety=dict(found.prompts)["+safety"][0],
        shown=SHOWN,
        product=max(found.products, key=lambda pair: pair.estimate.value),
        best=board[0],
        worst=board[-1],
        people=found.boards["human"][-1],
        n=len(board),
        pairs=_n_pairs(board),
    )
    return text.splitlines()


def findings_page(found: PublishedFindings) -> RenderableType:
    gpt, human, judges, top = found.boards["gpt"], found.boards["human"], found.judges, found.boards["human"][-1]
    verdicts = [one.verdict for one in found.products]
    n_sure = sum(one.place.low_rank == one.place.high_rank for one in gpt)
    heads = _say("headings", found=found, sure=n_sure, n=len(gpt), verdicts=verdicts).splitlines()
    automatic = next(one.rate for one in gpt if one.row.name == top.row.name)
    ranks = _say("ranks", apart=found.told_apart, pairs=_n_pairs(gpt), top=top, automatic=automatic)
    sure = [f"{gap.name} ({difference(gap.estimate)})" for gap in judges.gaps if gap.verdict == "different"]
    agreement = _say("judges", j=judges, rho=_rho(judges.models), names=NAMES, sure=sure)
    prompts = [
        (f"{condition}, {NAMES.get(pair.name, pair.name)}", pair) for condition, some in found.prompts for pair in some
    ]
    parts: list[list[RenderableType]] = [
        [ranks, _board(gpt, human)],
        [Text(agreement)],
        [_tradeoffs(found), Group(_safety(found), _say("safety", inferred=INFERRED))],
        [_pairs([(pair.name, pair) for pair in found.products], "web – API, points")],
        [_pairs(prompts, "change, points")],
        [_stages(found)],
        [_without(found)],
        [_METHOD.format(source=SOURCE, n=len(found.misprints))],
    ]
    return Group(*(one for head, some in zip(heads, parts, strict=True) for one in (_heading(head), *some)))


def misprints_table(misprints: tuple[Misprint, ...]) -> Table:
    table = _table("", "what", "printed", "should be")
    for number, misprint in enumerate(misprints, start=1):
        what = Text.assemble((misprint.what, "bold"), f"\n{misprint.where}: {misprint.why}")
        table.add_row(str(number), what, misprint.printed, misprint.expected + (" (inferred)" * misprint.inferred))
    return table


def _board(gpt: tuple[PlacedRate, ...], human: tuple[PlacedRate, ...]) -> Table:
    table = _table("model", "", "refused %", "rank", "range", "people %", "rank", padding=(0, 1, 0, 0))
    people = {one.row.name: one for one in human}
    for one in gpt:
        other, place = people[one.row.name], one.place
        ranks = str(place.rank), f"{place.low_rank}–{place.high_rank}"
        rate = f"{_rate(one.rate)} {chr(ord('a') + place.tie_group - 1)}"
        by_people = _rate(other.rate), str(other.place.rank)
        table.add_row(one.row.model, one.row.availability, rate, *ranks, *by_people)
    return table


def _tradeoffs(found: PublishedFindings) -> Table:
    table = _table("rho, 16 models", "printed", "as drawn", "p", "corrected", "p")
    for one in (found.pooled, *found.tradeoffs):
        printed = "–" if one.printed is None else f"{one.printed:.2f}"
        drawn, corrected = f"{one.p_plotted_adjusted:.3f}", f"{one.p_adjusted:.3f}"
        name = NAMES.get(one.stimulus, "all together")
        table.add_row(name, printed, _rho(one.plotted), drawn, _rho(one.corrected), corrected)
    return table


def _safety(found: PublishedFindings) -> Table:
    table = _table("safety, %", "by items", "by stimulus")
    for one in found.safety:
        table.add_row(one.model + " †" * one.inferred, f"{100 * one.by_items:.1f}", f"{100 * one.by_stimulus:.1f}")
    return table


def _pairs(pairs: Sequence[tuple[str, UnknownPairs]], measure: str) -> Table:
    table = _table("", "%", "vs. %", measure, "different?")
    for name, pair in pairs:
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
        table.add_row(f"{one.name}: {one.what}", str(one.n_rows), f"{100 * one.published:.1f}", _rate(one.rate))
    return table


def _rate(estimate: Estimate) -> str:
    return f"{100 * estimate.value:.1f} {brackets(estimate)}"


def _n_pairs(board: Sequence[PlacedRate]) -> int:
    return len(board) * (len(board) - 1) // 2


def _rho(estimate: Estimate) -> str:
    return f"{estimate.value:.2f} [{estimate.low:.2f} to {estimate.high:.2f}]"


def _heading(text: str) -> Text:
    return Text(f"\n{text}", style="bold")


def _range_basis(judge_range: JudgeRange) -> str:
    return (
        f"rule system, if it misses up to {numbers.whole(judge_range.misses)} of refusals and invents up to "
        f"{numbers.whole(judge_range.invents)}, as where it was measured to err most"
    )


def reproduction_page(r: Reproduction, found: PublishedFindings) -> str:
    """One page: every published table and figure with numbers, ours beside theirs or why there are none."""
    prompts = [{**row, "mean": f"{100 * sum(shares_of(row)) / 3:.2f}"} for row in read("prompts")]
    labels = {(line["availability"], line["model"]): line["compliance"] for line in read("compliance")}
    ranges = [rate.judge_range for model in r.models for rate in model.by_rule.values() if rate.judge_range]
    return render_page(
        "reproduction.html",
        r=r,
        found=found,
        headline=reproduced_title(r),
        lede=reproduced(r),
        apart=[(m, some) for m in r.models for some in m.apart],
        products=[(pair, r.products.get(pair.name)) for pair in found.products],
        prompts=prompts,
        vanilla=next((m for m in r.models if m.name == "Gemini-Pro 1.5"), None),
        read=read,
        staged=[m for m in r.models if m.name in STAGED],
        labels=labels,
        basis=_range_basis(ranges[0]) if ranges else f"not known, {r.why_not_corrected}",
        n_samples=r.models[0].n_samples,
        stimuli=STIMULI,
        names=NAMES,
        verdicts=VERDICTS,
        numbers=numbers,
        version=mossbench.__version__,
        source=SOURCE,
    )


def reproduced_title(r: Reproduction) -> str:
    n = len(r.models)
    return f"{n} of {n + len(r.absent)} published models judged again from released answers"


def reproduced(r: Reproduction) -> list[str]:
    """What came of judging the released answers again, a sentence each."""
    with_gaps = [model for model in r.models if model.gaps]
    n_failed = 0
    for model in r.models:
        n_failed += sum(sum(rows_apart.rows) for rows_apart in model.apart if rows_apart.kind == "no answer")
    if not with_gaps:
        return _say("reproduced", r=r, whole=with_gaps, n_failed=n_failed).splitlines()
    n = len(with_gaps)
    to_gpt = [model.gaps[0] for model in with_gaps]
    to_people = [model.gaps[1] for model in with_gaps]
    text = _say(
        "reproduced",
        r=r,
        whole=with_gaps,
        n_failed=n_failed,
        gaps=[sum(abs(gap.estimate.value) for gap in gaps) / n for gaps in (to_gpt, to_people)],
        between=sum(abs(model.gpt.value - model.human.value) for model in with_gaps) / n,
        apart=[sum(gap.verdict == "different" for gap in gaps) for gaps in (to_gpt, to_people)],
    )
    return text.splitlines()


def reproduction_text(r: Reproduction) -> RenderableType:
    """The main table, what stands apart and what is missing; the page has all of it."""
    table = _table("model", "ours %", "GPT %", "people %", "ours – GPT", "ours – people")
    for m in r.models:
        rate = m.rates["all"].estimate
        rates = f"{numbers.one(rate.value)} {brackets(rate)}", numbers.one(m.gpt.value), numbers.one(m.human.value)
        table.add_row(m.name, *rates, *([difference(gap.estimate) for gap in m.gaps] or ["–", "–"]))
    types = _table("ER / NH / CI", "ours %", "GPT %", "people %")
    for m in r.models:
        shares = (m.shares, m.gpt_shares, m.human_shares)
        types.add_row(m.name, *(" / ".join(f"{100 * share:.3g}" for share in some) for some in shares))
    parts: list[RenderableType] = [_heading(reproduced_title(r)), *map(Text, reproduced(r)), table, types]
    apart = _table("rows with", "ER / NH / CI", "ours %", "without them %")
    for m in r.models:
        ours = numbers.one(m.rates["all"].estimate.value)
        for some in m.apart:
            without = f"{numbers.one(some.without.value)} {brackets(some.without)}"
            apart.add_row(f"{m.name}: {some.what}", " / ".join(map(str, some.rows)), ours, without)
    parts += [apart] if apart.row_count else []
    parts += [Text(f"Not here: {name.name} ({name.why})") for name in r.absent]
    return Group(*parts)
