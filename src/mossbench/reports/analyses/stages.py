"""Stages on the page: which help fixes how many refusals."""

from __future__ import annotations

from typing import Any

from mossbench.analyses.captions import Caption
from mossbench.analyses.stages import GroupStages, Stage, Stages
from mossbench.look.numbers import cell, points, quoted
from mossbench.reports.analyses.intervals import Dot, dots
from mossbench.reports.analyses.section import Section, Table

NAMES = {Stage.PERCEPTION: "description", Stage.INTENT: "description and goal", Stage.JUDGEMENT: "neither"}
LEFT = {
    "again": "asked again",
    "described": "with a description",
    "described-intent": "with description and goal",
}
NEEDED = {
    "again": "the refused requests asked again as they are",
    "described": "correct descriptions of their images (oracle_description)",
    "described-intent": "their goals in plain words (oracle_intent)",
}
CAPTIONS = {
    Caption.CORRECT: "right",
    Caption.MISPERCEIVED: "wrong in what matters",
    Caption.REFUSED: "refused to describe",
    Caption.UNSORTED: "not known",
}
TEXT = (
    "Each refused request is asked again with more and more help: first with a correct description of the image "
    "before it, then with the description and the user’s goal in plain words. A refusal fixed by the description "
    "points to perception, one that needs the goal to intent, one that stays to judgement. These are hints: a longer "
    "request or other words may fix a refusal too, and a model that avoids any image may refuse in any case.",
    "A refusal may also go away by chance. The column “asked again” shows how many stay when nothing is changed.",
)


def section(record: Stages) -> Section:
    return Section(
        "Which help fixes its refusals?",
        _finding(record),
        TEXT,
        (_left_table(record), _blame_table(record), _caption_table(record)) if record.groups else (),
        tuple(_cautions(record)),
    )


def chart(record: Stages) -> Any:
    drawn = [
        Dot(LEFT[way].capitalize(), group.left[way], "" if len(record.groups) == 1 else _name(group))
        for group in record.groups
        for way in LEFT
    ]
    return dots(
        drawn,
        title="Refused again, asked as before and with help",
        subtitle="share of the refused requests, with 95 % intervals",
        domain=(0, 1),
        width=760,
    )


def _finding(record: Stages) -> str:
    if not record.n_asked:
        return "No answer counts, so there is nothing to explain."
    if not record.n_refused:
        return f"None of the {record.n_asked} harmless requests was refused, so there is nothing to explain."
    if not record.groups:
        return f"{record.n_refused} harmless requests were refused; none was asked again."
    everything = record.groups[-1]
    described, intended = everything.beyond.values()
    if not described.n:
        missing = [NEEDED[way] for way in LEFT if not everything.left[way].n] or ["answers that count to all of them"]
        return f"What fixes the {record.n_refused} refusals is not known: that needs {' and '.join(missing)}."
    again = everything.left["again"]
    named = {"the description": described, "description and goal": intended}
    shown = " and ".join(name for name, more in named.items() if more.low > 0) or "neither"
    return (
        f"Of {again.n} refusals {quoted(again)} stay when only asked again. Compared with that, a description fixes "
        f"{points(described)} points more, description and goal {points(intended)}; clearly more than chance: {shown}."
    )


def _blame_table(record: Stages) -> Table:
    head = ("Requests", *(NAMES[stage].capitalize() for stage in Stage), "Refusals", "Left out")
    rows = tuple(
        (
            _name(group),
            *(cell(group.shares[stage]) for stage in Stage),
            str(group.shares[Stage.PERCEPTION].n),
            str(group.shares[Stage.PERCEPTION].n_left_out),
        )
        for group in record.groups
    )
    return Table(head, rows, title="First fixed by, %")


def _left_table(record: Stages) -> Table:
    head = ("Requests", *(name.capitalize() for name in LEFT.values()))
    rows = tuple((_name(group), *map(cell, group.left.values())) for group in record.groups)
    fixed = [one for one in record.refusals if one.described is False]
    back = sum(bool(one.intended) for one in fixed)
    note = (
        f"Refused again with description and goal: {back} of the {len(fixed)} requests that the description alone "
        "fixed. The table below counts them under “description”, this one as still refused."
    )
    return Table(head, rows, title="Still refused, %", note=note if back else "")


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
    if not record.groups:
        return []
    found, everything = [], record.groups[-1]
    again = everything.left["again"]
    if again.n and again.value < 0.9:
        found.append(
            f"Only {quoted(again)} are refused again when nothing is changed: part of what "
            "help seems to fix is chance, and the share first fixed by a description is too large."
        )
    blame = everything.shares[Stage.PERCEPTION]
    if blame.n < record.n_refused:
        found.append(
            f"{record.n_refused - blame.n} of {record.n_refused} refusals are left out of the table “First fixed by”."
        )
    return found


def _name(group: GroupStages) -> str:
    return "All" if group.group == "all" else group.group
