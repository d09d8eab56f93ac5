"""Stages on the page: which help fixes how many refusals."""

import math
from collections.abc import Iterator

from mossbench.analyses.captions import Caption
from mossbench.analyses.claims import LEAST, WORTH, Claim
from mossbench.analyses.net import AGAIN, STEPS, Net
from mossbench.analyses.stages import GroupStages, Stages
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import cell, one, p_value, percent, points, quoted, signed
from mossbench.reports.analyses.reading_rivals import inconclusive_sentences
from mossbench.reports.analyses.section import PAGES, Section, Table, table
from mossbench.reports.dots import Dot, dots

WORDS = PAGES["stages"]
LEFT: dict[str, str] = WORDS["left"]


def section(record: Stages) -> Section:
    tables = (_steps(record), _left_table(record), _caption_table(record)) if record.groups else ()
    return Section(
        WORDS["title"],
        _finding(record),
        tuple(WORDS["text"]),
        tuple(one for one in tables if one.rows),
        tuple(_cautions(record)),
    )


def chart(record: Stages) -> Chart | None:
    drawn = [
        Dot(LEFT[way].capitalize(), net.left[way], "" if len(record.nets) == 1 else _name(net))
        for net in record.nets
        for way in LEFT
        if net.left[way].n
    ]
    return themed(dots(drawn, *WORDS["chart"], domain=(0, 1), width=760)) if drawn else None


def _finding(record: Stages) -> str:
    if not record.n_asked:
        return "No answer counts, so there is nothing to explain."
    if not record.n_refused:
        return f"None of the {record.n_asked} harmless requests was refused, so there is nothing to explain."
    refusals = f"{record.n_refused} refusals"
    if not record.groups:
        return f"{refusals} of harmless requests; none was asked again."
    net = record.nets[-1] if record.nets else None
    if net is None or not net.steps or not record.claims:
        missing = [WORDS["needed"][way] for way in LEFT if net is None or not net.left[way].n] or [
            "answers to all of them"
        ]
        found = f"What fixes the {refusals} cannot be told: that needs {', '.join(missing)}, in epochs after the first."
        return f"{found} The table has bounds." if net and net.bounds else found
    left = ", ".join(f"{percent(net.left[way].value)} {name}" for way, name in LEFT.items())
    start = f"Of {net.steps['chance'].n} refusals, when asked in new epochs, these are refused again: {left}."
    shown = [_shown(claim) for claim in record.claims if claim.named]
    if not shown and any(claim.is_lost_to_reading for claim in record.claims):
        return f"{start} Whether a help fixes more than asking again and what is like it is inconclusive."
    return f"{start} {' '.join(shown) or 'No help is shown to fix more than asking again and what is like it.'}"


def _shown(claim: Claim) -> str:
    more = " and ".join(f"{points(part.share)} points more {WORDS['beyond'][part.name]}" for part in claim.comparisons)
    return f"Shown: {WORDS['helps'][claim.name]} fixes {more}."


def _steps(record: Stages) -> Table:
    nets = record.nets
    if nets and nets[-1].steps:
        rows = [(_name(n), *(points(n.steps[s]) for s in STEPS), str(n.steps["chance"].n)) for n in nets if n.steps]
        return table(WORDS["steps"], rows)
    rows = [(_name(n), *(_range(n.bounds[s]) for s in STEPS), str(n.left[AGAIN].n)) for n in nets if n.bounds]
    return table(WORDS["bounds"], rows)


def _range(bounds: tuple[float, float]) -> str:
    low, high = (signed(end) for end in bounds)
    return low if low == high else f"{low} to {high}"


def _left_table(record: Stages) -> Table:
    told = [claim for claim in record.claims if claim.share.n]
    tests = "; ".join(f"{WORDS['helps'][one.name]}: adjusted p {p_value(one.p_adjusted)}" for one in told)
    rows = [(_name(net), *(cell(net.left[way]) for way in LEFT)) for net in record.nets]
    return table(WORDS["still"], rows, tests=f"Does it fix more? {tests}." if tests else "")


def _caption_table(record: Stages) -> Table:
    rows = [(_name(group), *(cell(group.captions[kind]) for kind in Caption)) for group in record.groups]
    return table(WORDS["captions"], rows)


def _cautions(record: Stages) -> Iterator[str]:
    says: dict[str, str] = WORDS["cautions"]
    sizes = {"worth": 100 * WORTH, "least": 100 * LEAST}
    helps = {name: text.capitalize() for name, text in WORDS["helps"].items()}
    yield from inconclusive_sentences(record.claims, helps)
    for claim in record.claims:
        if claim.is_lost_to_reading:
            continue
        if not (claim.named or claim.excluded or math.isnan(claim.p)):
            possible = says["possible"].format(help=WORDS["helps"][claim.name], most=one(claim.ceiling))
            n = claim.n_requests_needed
            needed = says["unknown"] if n is None else says["needed"].format(n=n, there=claim.share.n, **sizes)
            yield f"{possible} {needed}"
    if any(claim.named for claim in record.claims):
        yield says["judge"]
    asked = record.nets[-1] if record.nets else None
    if asked and asked.left[AGAIN].n and asked.left[AGAIN].value < 0.5:
        yield says["again"].format(again=quoted(asked.left[AGAIN]))
    n_asked = len(record.refusals)
    if record.groups and n_asked < record.n_refused:
        yield says["not_asked"].format(n=record.n_refused - n_asked, of=record.n_refused)
    if asked and not asked.steps:
        yield says["no_goals"]


def _name(group: GroupStages | Net) -> str:
    return "All" if group.group == "all" else group.group
