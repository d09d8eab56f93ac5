"""Stages on the page: which help fixes how many refusals."""

import math
from collections.abc import Iterator

from mossbench.analyses.captions import Caption
from mossbench.analyses.claims import LEAST, WORTH, Claim
from mossbench.analyses.net import AGAIN, STEPS, Net
from mossbench.analyses.stages import GroupStages, Stages
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import bare_percent, cell, p_value, percent, points, quoted, signed
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.dots import Dot, dots
from mossbench.reports.words.claims import inconclusive_sentences

WAYS = {
    "plain": "asked again",
    "filler": "with filler",
    "described": "with a description",
    "described-intent": "with description and goal",
}
"""Ways of asking once more, by the names of their arms: how a request was asked."""
NEEDED = {
    "plain": "the refused requests asked again as they are",
    "filler": "the same with filler",
    "described": "the same with correct descriptions of their images (oracle_description)",
    "described-intent": "the same with their goals in plain words (oracle_intent)",
}
"""What lacks where nothing was asked in this way."""
HELPS = {"description": "a correct description", "goal": "the goal in plain words"}
"""By the name of the claim that it fixes refusals."""
BEYOND = {
    "asked again": "than asking again",
    "filler": "than filler of like length",
    "description": "than the description alone",
}
"""By the name of the comparison that shows a claim."""

HOW_TO_READ = (
    "Requests that were refused when first asked are asked again, in new epochs: as they are, with filler before them, "
    "with a correct description of the image before them, and with the description and the user’s goal in plain words "
    "in their place. Each step shows what a way of asking takes away beyond the way before it; below 0 it adds "
    "refusals. The steps and what is left add up to 100 points.",
    "A help is shown when it fixes more than asking again does, and a description also more than filler of like "
    "length, the goal more than the description. That names what was added, not what goes on in the model. Whether it "
    "saw the image rightly is told by its own descriptions, in the last table.",
)
JUDGE_MAY_ERR = (
    "A judge that reads the request too can take a plain refusal for an answer when the request speaks of a harm in a "
    "description or a goal, which looks like help. The rules read all four as answers to the plain request; with "
    "another judge, read some of the answers that help is said to have fixed."
)
NO_GOALS = (
    "Without goals in plain words (oracle_intent) nobody can say which refusals the goal would fix and which stay "
    "whatever is said. Requests without a description are in no step: they widen the bounds."
)


def section(record: Stages) -> Section:
    tables = (_steps_table(record), _left_table(record), _caption_table(record)) if record.groups else ()
    return Section(
        title="Which help fixes its refusals?",
        finding=_finding(record),
        text=HOW_TO_READ,
        tables=tuple(table for table in tables if table.rows),
        cautions=tuple(_cautions(record)),
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
        missing = [NEEDED[way] for way in WAYS if net is None or not net.left[way].n]
        needs = ", ".join(missing or ["answers to all of them"])
        finding = f"What fixes the {refusals} is undecided: that needs {needs}, in epochs after the first."
        return f"{finding} The table has bounds." if net and net.bounds else finding
    left = ", ".join(f"{percent(net.left[way].value)} {name}" for way, name in WAYS.items())
    start = f"Of {net.steps['chance'].n} refusals, when asked in new epochs, these are refused again: {left}."
    shown = [_shown(claim) for claim in record.claims if claim.named]
    if not shown and any(claim.is_lost_to_reading for claim in record.claims):
        return f"{start} Whether a help fixes more than asking again and what is like it is inconclusive."
    if not shown:
        return f"{start} No help is shown to fix more than asking again and what is like it."
    return f"{start} {' '.join(shown)}"


def _shown(claim: Claim) -> str:
    more = " and ".join(f"{points(part.share)} points more {BEYOND[part.name]}" for part in claim.comparisons)
    return f"Shown: {HELPS[claim.name]} fixes {more}."


def _steps_table(record: Stages) -> Table:
    """What each step takes away; bounds of it where a help was not tried."""
    nets = record.nets
    steps = ("Asking again", "Filler", "Description, beyond filler", "Goal, beyond description", "Left")
    if nets and nets[-1].steps:
        rows = [(_name(n), *(points(n.steps[s]) for s in STEPS), str(n.steps["chance"].n)) for n in nets if n.steps]
        return Table(
            title="What takes refusals away, points",
            head=("Requests", *steps, "Refusals"),
            rows=tuple(rows),
        )
    rows = [(_name(n), *(_range(n.bounds[s]) for s in STEPS), str(n.left[AGAIN].n)) for n in nets if n.bounds]
    return Table(
        title="What can take refusals away, points",
        head=("Requests", *steps, "Answers"),
        rows=tuple(rows),
        note="Bounds: what a help that was not tried could fix lies between nothing and all that is left. They are of "
        "these answers, without chance.",
    )


def _range(bounds: tuple[float, float]) -> str:
    low, high = (signed(end) for end in bounds)
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


def _cautions(record: Stages) -> Iterator[str]:
    yield from inconclusive_sentences(record.claims, {name: text.capitalize() for name, text in HELPS.items()})
    for claim in record.claims:
        is_decided = claim.named or claim.excluded or math.isnan(claim.p)
        if not claim.is_lost_to_reading and not is_decided:
            yield _cannot_tell(claim)
    if any(claim.named for claim in record.claims):
        yield JUDGE_MAY_ERR
    asked = record.nets[-1] if record.nets else None
    if asked and asked.left[AGAIN].n and asked.left[AGAIN].value < 0.5:
        yield (
            f"{quoted(asked.left[AGAIN])} are refused again when nothing is changed: the others go away by themselves, "
            "and no help is credited with them."
        )
    n_not_asked = record.n_refused - len(record.refusals)
    if record.groups and n_not_asked > 0:
        yield f"{n_not_asked} of {record.n_refused} refusals were not asked again."
    if asked and not asked.steps:
        yield NO_GOALS


def _cannot_tell(claim: Claim) -> str:
    """How large the effect of a help may be, and how many refused requests would show it."""
    ceiling = bare_percent(claim.ceiling)
    possible = f"Whether {HELPS[claim.name]} fixes refusals is undecided: up to {ceiling} points are possible."
    n_needed = claim.n_requests_needed
    if n_needed is None:
        return f"{possible} How many refused requests would show it is not known."
    return (
        f"{possible} If it is as large as it looks ({100 * WORTH:.0f} points where that is under {100 * LEAST:.0f}), "
        f"about {n_needed:,} refused requests would show it in four of five cases, and there are {claim.share.n:,}. "
        "That takes more samples, not more epochs."
    )


def _name(group: GroupStages | Net) -> str:
    return "All" if group.group == "all" else group.group
