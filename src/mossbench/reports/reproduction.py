"""The paper's results made again, as a page and for the terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

import mossbench
from mossbench.look import numbers
from mossbench.look.numbers import brackets, difference, one
from mossbench.look.page import render_page
from mossbench.look.texts import sentences as say_of
from mossbench.published.findings import PublishedFindings
from mossbench.published.reproduction import STAGED, Reproduction
from mossbench.published.tables import SOURCE, STIMULI, read, shares_of
from mossbench.reports.published_text import NAMES, VERDICTS, _heading, _table

_say = say_of(__file__)


def reproduction_page(r: Reproduction, found: PublishedFindings) -> str:
    """One page: every published table and figure with numbers, ours beside theirs or why there are none."""
    prompts = [{**row, "mean": f"{100 * sum(shares_of(row)) / 3:.2f}"} for row in read("prompts")]
    labels = {(line["availability"], line["model"]): line["compliance"] for line in read("compliance")}
    corrected = next((c for m in r.models for rate in m.by_rule.values() if (c := rate.corrected)), None)
    return render_page(
        "reproduction.html",
        r=r,
        found=found,
        headline=headline(r),
        lede=sentences(r),
        apart=[(m, some) for m in r.models for some in m.apart],
        products=[(pair, r.products.get(pair.name)) for pair in found.products],
        prompts=prompts,
        vanilla=next((m for m in r.models if m.name == "Gemini-Pro 1.5"), None),
        read=read,
        staged=[m for m in r.models if m.name in STAGED],
        labels=labels,
        basis=f"rule system, if the judge errs as on {corrected.on}" if corrected else f"not, {r.why_not_corrected}",
        n_samples=r.models[0].n_samples,
        stimuli=STIMULI,
        names=NAMES,
        verdicts=VERDICTS,
        numbers=numbers,
        version=mossbench.__version__,
        source=SOURCE,
    )


def headline(r: Reproduction) -> str:
    n = len(r.models)
    return f"{n} of {n + len(r.absent)} published models judged again from released answers"


def sentences(r: Reproduction) -> list[str]:
    whole = [m for m in r.models if m.gaps]
    n_failed = sum(sum(some.rows) for m in r.models for some in m.apart if some.what == "no answer recorded")
    known: dict[str, Any] = {"whole": whole, "n_failed": n_failed}
    if whole:
        known["gaps"] = [sum(abs(m.gaps[k].estimate.value) for m in whole) / len(whole) for k in (0, 1)]
        known["between"] = sum(abs(m.gpt.value - m.human.value) for m in whole) / len(whole)
        known["apart"] = [sum(m.gaps[k].verdict == "different" for m in whole) for k in (0, 1)]
    return _say("sentences", r=r, **known).splitlines()


def reproduction_text(r: Reproduction) -> RenderableType:
    """The main table, what stands apart and what is missing; the page has all of it."""
    table = _table("model", "ours %", "GPT %", "people %", "ours – GPT", "ours – people")
    for m in r.models:
        ours = m.rates["all"].estimate
        rates = f"{one(ours.value)} {brackets(ours)}", one(m.gpt.value), one(m.human.value)
        table.add_row(m.name, *rates, *([difference(gap.estimate) for gap in m.gaps] or ["–", "–"]))
    types = _table("ER / NH / CI", "ours %", "GPT %", "people %")
    for m in r.models:
        types.add_row(
            m.name,
            *(" / ".join(f"{100 * share:.3g}" for share in some) for some in (m.shares, m.gpt_shares, m.human_shares)),
        )
    parts: list[Any] = [_heading(headline(r)), *map(Text, sentences(r)), table, types]
    apart = _table("rows with", "ER / NH / CI", "ours %", "without them %")
    for m in r.models:
        for some in m.apart:
            cells = one(m.rates["all"].estimate.value), f"{one(some.without.value)} {brackets(some.without)}"
            apart.add_row(f"{m.name}: {some.what}", " / ".join(map(str, some.rows)), *cells)
    parts += [apart] if apart.row_count else []
    parts += [Text(f"Not here: {name.name} ({name.why})") for name in r.absent]
    return Group(*parts)
