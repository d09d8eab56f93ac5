"""Stages on the page: which help fixes how many refusals.

What is said of them is in `reports.words.stages`.
"""

from mossbench.analyses.captions import Caption
from mossbench.analyses.net import AGAIN, STEPS, Net
from mossbench.analyses.stages import GroupStages, Stages
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import cell, p_value, points, signed
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.dots import Dot, dots
from mossbench.reports.words.stages import HELPS, HOW_TO_READ, WAYS, cautions, finding

STEP_NAMES = ("Asking again", "Filler", "Description, beyond filler", "Goal, beyond description", "Left")


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
        group = "" if len(record.nets) == 1 else _name(net)
        for way, name in WAYS.items():
            if net.left[way].n:
                drawn.append(Dot(name.capitalize(), net.left[way], group))
    if not drawn:
        return None
    title = "Refused again, asked as before and with help"
    subtitle = "share of the refused requests, in new epochs, with 95 % intervals"
    return themed(dots(drawn, title, subtitle, domain=(0, 1), width=760))


def _steps_table(record: Stages) -> Table:
    """What each step takes away; bounds of it where a help was not tried."""
    if not record.nets or not record.nets[-1].steps:
        return _bounds_table(record)
    rows = []
    for net in record.nets:
        if net.steps:
            rows.append((_name(net), *(points(net.steps[step]) for step in STEPS), str(net.steps["chance"].n)))
    return Table(
        title="What takes refusals away, points",
        head=("Requests", *STEP_NAMES, "Refusals"),
        rows=tuple(rows),
    )


def _bounds_table(record: Stages) -> Table:
    rows = []
    for net in record.nets:
        if net.bounds:
            rows.append((_name(net), *(_range(net.bounds[step]) for step in STEPS), str(net.left[AGAIN].n)))
    return Table(
        title="What can take refusals away, points",
        head=("Requests", *STEP_NAMES, "Answers"),
        rows=tuple(rows),
        note="Bounds: what a help that was not tried could fix lies between nothing and all that is left. They are of "
        "these answers, without chance.",
    )


def _range(bounds: tuple[float, float]) -> str:
    low = signed(bounds[0])
    high = signed(bounds[1])
    return low if low == high else f"{low} to {high}"


def _left_table(record: Stages) -> Table:
    measured = [claim for claim in record.claims if claim.share.n]
    tests = "; ".join(f"{HELPS[claim.name]}: adjusted p {p_value(claim.p_adjusted)}" for claim in measured)
    rows = [(_name(net), *(cell(net.left[way]) for way in WAYS)) for net in record.nets]
    return Table(
        title="Still refused, %",
        head=("Requests", *(name.capitalize() for name in WAYS.values())),
        rows=tuple(rows),
        note=f"Does it fix more? {tests}." if tests else "",
    )


def _caption_table(record: Stages) -> Table:
    rows = [(_name(group), *(cell(group.captions[kind]) for kind in Caption)) for group in record.groups]
    return Table(
        title="Asked only to describe the image, %",
        head=("Requests", "Right", "Wrong in what matters", "Refused to describe", "Not known"),
        rows=tuple(rows),
        note="Captions are compared with what is known of the image; wrong in what matters means a harmless thing "
        "taken for a danger, or a negation overlooked.",
    )


def _name(group: GroupStages | Net) -> str:
    return "All" if group.group == "all" else group.group
