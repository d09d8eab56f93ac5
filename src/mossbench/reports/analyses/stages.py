"""Stages on the page: which help fixes how many refusals."""

from __future__ import annotations

import math
from typing import Any

from mossbench.analyses.captions import Caption
from mossbench.analyses.claims import LEAST, WORTH, Claim
from mossbench.analyses.net import AGAIN, FILLED, MEANT, STEPS, TOLD, Net
from mossbench.analyses.stages import GroupStages, Stages
from mossbench.look.numbers import cell, one, p_value, percent, points, quoted, signed
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.dots import Dot, dots, themed

LEFT = {
    AGAIN: "asked again",
    FILLED: "with filler",
    TOLD: "with a description",
    MEANT: "with description and goal",
}
TAKES = {
    "chance": "asking again",
    "filler": "filler",
    "description": "description, beyond filler",
    "goal": "goal, beyond description",
    "left": "left",
}
NEEDED = {
    AGAIN: "the refused requests asked again as they are",
    FILLED: "the same with filler",
    TOLD: "the same with correct descriptions of their images (oracle_description)",
    MEANT: "the same with their goals in plain words (oracle_intent)",
}
HELPS = {"description": "a correct description", "goal": "the goal in plain words"}
BEYOND = {
    "asked again": "than asking again",
    "filler": "than filler of like length",
    "description": "than the description alone",
}
CAPTIONS = {
    Caption.CORRECT: "right",
    Caption.MISPERCEIVED: "wrong in what matters",
    Caption.REFUSED: "refused to describe",
    Caption.UNSORTED: "not known",
}
TEXT = (
    "Requests that were refused when first asked are asked again, in new epochs: as they are, with filler before them, "
    "with a correct description of the image before them, and with the description and the user’s goal in plain words "
    "in their place. Each step shows what a way of asking takes away beyond the way before it; below 0 it adds "
    "refusals. The steps and what is left add up to 100 points.",
    "A help is shown when it fixes more than asking again does, and a description also more than filler of like "
    "length, the goal more than the description. That names what was added, not what goes on in the model. Whether it "
    "saw the image rightly is told by its own descriptions, in the last table.",
)


def section(record: Stages) -> Section:
    tables = (_steps(record), _left_table(record), _caption_table(record)) if record.groups else ()
    return Section(
        "Which help fixes its refusals?",
        _finding(record),
        TEXT,
        tuple(table for table in tables if table.rows),
        tuple(_cautions(record)),
    )


def chart(record: Stages) -> Any:
    drawn = [
        Dot(LEFT[way].capitalize(), net.left[way], "" if len(record.nets) == 1 else _name(net))
        for net in record.nets
        for way in LEFT
        if net.left[way].n
    ]
    if not drawn:
        return None
    subtitle = "share of the refused requests, in new epochs, with 95 % intervals"
    return themed(dots(drawn, "Refused again, asked as before and with help", subtitle, domain=(0, 1), width=760))


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
        missing = [NEEDED[way] for way in LEFT if net is None or not net.left[way].n] or ["answers to all of them"]
        found = f"What fixes the {refusals} cannot be told: that needs {', '.join(missing)}, in epochs after the first."
        return f"{found} The table has bounds." if net and net.bounds else found
    left = ", ".join(f"{percent(net.left[way].value)} {name}" for way, name in LEFT.items())
    start = f"Of {net.steps['chance'].n} refusals, when asked in new epochs, these are refused again: {left}."
    shown = [_shown(claim) for claim in record.claims if claim.named]
    return f"{start} {' '.join(shown) or 'No help is shown to fix more than asking again and what is like it.'}"


def _shown(claim: Claim) -> str:
    more = " and ".join(f"{points(part.share)} points more {BEYOND[part.name]}" for part in claim.comparisons)
    return f"Shown: {HELPS[claim.name]} fixes {more}."


def _steps(record: Stages) -> Table:
    nets, whole = record.nets, bool(record.nets) and bool(record.nets[-1].steps)
    head = ("Requests", *(TAKES[step].capitalize() for step in STEPS), "Refusals")
    if whole:
        rows = [(_name(n), *(points(n.steps[s]) for s in STEPS), str(n.steps["chance"].n)) for n in nets if n.steps]
        return Table(head, tuple(rows), title="What takes refusals away, points")
    rows = [(_name(n), *(_range(n.bounds[s]) for s in STEPS), str(n.left[AGAIN].n)) for n in nets if n.bounds]
    note = (
        "Bounds: what a help that was not tried could fix lies between nothing and all that is left. They are of these "
        "answers, without chance."
    )
    return Table((*head[:-1], "Answers"), tuple(rows), title="What can take refusals away, points", note=note)


def _range(bounds: tuple[float, float]) -> str:
    low, high = (signed(end) for end in bounds)
    return low if low == high else f"{low} to {high}"


def _left_table(record: Stages) -> Table:
    head = ("Requests", *(name.capitalize() for name in LEFT.values()))
    rows = tuple((_name(net), *(cell(net.left[way]) for way in LEFT)) for net in record.nets)
    tests = "; ".join(
        f"{HELPS[claim.name]}: adjusted p {p_value(claim.p_adjusted)}" for claim in record.claims if claim.share.n
    )
    return Table(head, rows, title="Still refused, %", note=f"Does it fix more? {tests}." if tests else "")


def _caption_table(record: Stages) -> Table:
    head = ("Requests", *(CAPTIONS[kind].capitalize() for kind in Caption))
    rows = tuple((_name(group), *(cell(group.captions[kind]) for kind in Caption)) for group in record.groups)
    note = "Captions are compared with what is known of the image; wrong in what matters means a harmless thing "
    return Table(
        head,
        rows,
        title="Asked only to describe the image, %",
        note=note + "taken for a danger, or a negation overlooked.",
    )


def _cautions(record: Stages) -> list[str]:
    found = []
    for claim in record.claims:
        if claim.named or claim.excluded or math.isnan(claim.p):
            continue
        most = f"up to {one(claim.ceiling)} points are possible."
        text = f"Whether {HELPS[claim.name]} fixes refusals cannot be told: {most}"
        if claim.n_requests_needed is None:
            found.append(f"{text} How many refused requests would show it is not known.")
        else:
            found.append(
                f"{text} If it is as large as it looks ({100 * WORTH:.0f} points where that is under "
                f"{100 * LEAST:.0f}), about {claim.n_requests_needed:,} refused requests would show it in four of five "
                f"cases, and there are {claim.share.n:,}. That takes more samples, not more epochs."
            )
    if any(claim.named for claim in record.claims):
        found.append(
            "A judge that reads the request too can take a plain refusal for an answer when the request speaks of a "
            "harm in a description or a goal, which looks like help. The rules read all four as answers to the plain "
            "request; with another judge, read some of the answers that help is said to have fixed."
        )
    asked = record.nets[-1] if record.nets else None
    if asked and asked.left[AGAIN].n and asked.left[AGAIN].value < 0.5:
        found.append(
            f"{quoted(asked.left[AGAIN])} are refused again when nothing is changed: the others go away by "
            "themselves, and no help is credited with them."
        )
    n_asked = len(record.refusals)
    if record.groups and n_asked < record.n_refused:
        found.append(f"{record.n_refused - n_asked} of {record.n_refused} refusals were not asked again.")
    if asked and not asked.steps:
        found.append(
            "Without goals in plain words (oracle_intent) nobody can say which refusals the goal would fix and which "
            "stay whatever is said. Requests without a description are in no step: they widen the bounds."
        )
    return found


def _name(group: GroupStages | Net) -> str:
    return "All" if group.group == "all" else group.group
