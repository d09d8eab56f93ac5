"""The stages analysis on the page: which help fixes how many refusals.

A `Net` has what each way of asking takes away beyond the way before it, for one stimulus or all. The sentences are in
`reports.words.stages`.
"""

from mossbench.analyses.captions import Caption
from mossbench.analyses.net import AGAIN, Net
from mossbench.analyses.stages import GroupStages, Stages
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import cell, p_value, points, signed
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.dots import Dot, dots
from mossbench.reports.words.stages import HELP_NAMES, HOW_TO_READ, WAY_NAMES, cautions, finding

STEP_HEADS = {
    "chance": "Asking again",
    "filler": "Filler",
    "description": "Description, beyond filler",
    "goal": "Goal, beyond description",
    "left": "Left",
}
"""Step of the analysis -> its column head, in the order of the columns."""
CAPTION_HEADS = {
    Caption.CORRECT: "Right",
    Caption.MISPERCEIVED: "Wrong in what matters",
    Caption.REFUSED: "Refused to describe",
    Caption.UNSORTED: "Not known",
}


def section(record: Stages) -> Section:
    tables = (_steps_table(record), _left_table(record), _caption_table(record)) if record.groups else ()
    return Section(
        title="Which help fixes its refusals?",
        finding=finding(record),
        text=HOW_TO_READ,
        tables=tuple(table for table in tables if table.rows),
        cautions=tuple(cautions(record)),
    )


def chart(record: Stages) -> Chart | None:
    drawn = []
    for net in record.nets:
        group = "" if len(record.nets) == 1 else _group_name(net)
        for way, name in WAY_NAMES.items():
            if net.left[way].n:
                drawn.append(Dot(name.capitalize(), net.left[way], group))
    if not drawn:
        return None
    title = "Refused again, asked as before and with help"
    subtitle = "share of the refused requests, in new epochs, with 95 % intervals"
    return themed(dots(drawn, title, subtitle, domain=(0, 1), width=760))


def _steps_table(record: Stages) -> Table:
    """How many refusals each step takes away; bounds if not all helps were tried."""
    if not record.nets or not record.nets[-1].steps:
        return _bounds_table(record)
    rows = []
    for net in record.nets:
        if net.steps:
            rows.append(
                (_group_name(net), *(points(net.steps[step]) for step in STEP_HEADS), str(net.steps["chance"].n))
            )
    return Table(
        title="What takes refusals away, points",
        head=("Requests", *STEP_HEADS.values(), "Refusals"),
        rows=tuple(rows),
        note="Each step is what a way of asking takes away beyond the way before it, in points of the refusals; below "
        "0 it adds refusals. The steps and what is left add up to 100 points.",
    )


def _bounds_table(record: Stages) -> Table:
    rows = []
    for net in record.nets:
        if net.bounds:
            rows.append(
                (_group_name(net), *(_bounds_text(net.bounds[step]) for step in STEP_HEADS), str(net.left[AGAIN].n))
            )
    return Table(
        title="What can take refusals away, points",
        head=("Requests", *STEP_HEADS.values(), "Answers"),
        rows=tuple(rows),
        note="A help that was not tried could fix any number of the remaining refusals, from none to all. The bounds "
        "are for these answers; they do not allow for chance.",
    )


def _bounds_text(bounds: tuple[float, float]) -> str:
    low = signed(bounds[0])
    high = signed(bounds[1])
    return low if low == high else f"{low} to {high}"


def _left_table(record: Stages) -> Table:
    measured = [claim for claim in record.claims if claim.share.n]
    tests = "; ".join(f"{HELP_NAMES[claim.name]}: adjusted p {p_value(claim.p_adjusted)}" for claim in measured)
    rows = [(_group_name(net), *(cell(net.left[way]) for way in WAY_NAMES)) for net in record.nets]
    return Table(
        title="Still refused, %",
        head=("Requests", *(name.capitalize() for name in WAY_NAMES.values())),
        rows=tuple(rows),
        note=f"Does it fix more? {tests}." if tests else "",
    )


def _caption_table(record: Stages) -> Table:
    rows = [(_group_name(group), *(cell(group.captions[kind]) for kind in CAPTION_HEADS)) for group in record.groups]
    return Table(
        title="Asked only to describe the image, %",
        head=("Requests", *CAPTION_HEADS.values()),
        rows=tuple(rows),
        note="Captions are compared with what is known of the image; wrong in what matters means a harmless thing "
        "taken for a danger, or a negation overlooked.",
    )


def _group_name(group: GroupStages | Net) -> str:
    return "All" if group.group == "all" else group.group
