"""Stages on the page: which help mends how many refusals."""

from __future__ import annotations

from typing import Any

from mossbench.analyses.captions import Caption
from mossbench.analyses.stages import GroupStages, Stage, Stages
from mossbench.reports.analyses.intervals import Dot, dots
from mossbench.reports.analyses.quotes import cell, quoted
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.page import percent
from mossbench.statistics import Estimate

NAMES = {Stage.PERCEPTION: "seeing", Stage.INTENT: "reading the intent", Stage.JUDGEMENT: "judging what is safe"}
CAPTIONS = {
    Caption.CORRECT: "right",
    Caption.MISPERCEIVED: "wrong in what matters",
    Caption.REFUSED: "refused to describe",
    Caption.UNSORTED: "cannot be told",
}
TEXT = (
    "Each refused request is put again with more and more help: first with a correct description of the picture "
    "before it, then with the description and the user’s goal in plain words. If the description is enough, the model "
    "had not seen what is in the picture; if it takes the goal too, it had misread what is wanted; if it still "
    "refuses, it knows everything and judges the harmless request unsafe.",
    "A refusal may go by chance, too. The column “asked again” says how many are refused when nothing is changed.",
)


def section(record: Stages) -> Section:
    return Section(
        "Where does it go wrong: seeing, intent or judgement?",
        _finding(record),
        TEXT,
        (_blame_table(record), _left_table(record), _caption_table(record)) if record.groups else (),
        tuple(_cautions(record)),
    )


def chart(record: Stages) -> Any:
    drawn = [
        Dot(NAMES[stage].capitalize(), group.shares[stage], "" if len(record.groups) == 1 else _name(group))
        for group in record.groups
        for stage in Stage
    ]
    return dots(
        drawn,
        title="Which stage fails",
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
        return f"{record.n_refused} harmless requests were refused; none was put again."
    shares = record.groups[-1].shares
    known = {stage: share for stage, share in shares.items() if share.n}
    if not known:
        return "No refusal could be explained: the answers that decide it do not count."
    most = max(known, key=lambda stage: known[stage].value)
    share = known[most]
    return f"Of {share.n} refusals {quoted(share)} go wrong in {NAMES[most]}{_others(known, most)}."


def _others(known: dict[Stage, Estimate], most: Stage) -> str:
    parts = [f"{percent(share.value)} in {NAMES[stage]}" for stage, share in known.items() if stage is not most]
    return f", {' and '.join(parts)}" if parts else ""


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
    return Table(head, rows, title="Which stage fails, %")


def _left_table(record: Stages) -> Table:
    head = ("Requests", "Asked again", "With a description", "With description and goal")
    rows = tuple((_name(group), *map(cell, group.left.values())) for group in record.groups)
    mended = [one for one in record.refusals if one.described is False]
    back = sum(bool(one.intended) for one in mended)
    note = (
        f"Refused again with description and goal: {back} of the {len(mended)} requests that the description alone "
        "mended. By the first help that mends they count as seeing above; in the last column here as still refused."
    )
    return Table(head, rows, title="Still refused, %", note=note if back else "")


def _caption_table(record: Stages) -> Table:
    head = ("Requests", *(CAPTIONS[kind].capitalize() for kind in Caption))
    rows = tuple((_name(group), *(cell(group.captions[kind]) for kind in Caption)) for group in record.groups)
    note = "Captions are held against what is known of the picture; wrong in what matters means a harmless thing "
    return Table(
        head,
        rows,
        title="Asked only to describe the picture, %",
        note=note + "taken for a danger, or a negation overlooked.",
    )


def _cautions(record: Stages) -> list[str]:
    if not record.groups:
        return []
    found, everything = [], record.groups[-1]
    again = everything.left["again"]
    if again.n and again.value < 0.9:
        found.append(
            f"Only {quoted(again)} are refused again when nothing is changed: a part of what "
            "help seems to mend is chance, and the share of seeing is too large by as much."
        )
    blame = everything.shares[Stage.PERCEPTION]
    if blame.n < record.n_refused:
        found.append(f"{record.n_refused - blame.n} of {record.n_refused} refusals are not in these shares.")
    return found


def _name(group: GroupStages) -> str:
    return "All" if group.group == "all" else group.group
