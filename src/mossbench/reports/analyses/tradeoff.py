"""tradeoff on the page: both rates, pairs, what errors cost; and several models compared.

What is said of it is in `reports.words.tradeoff`.
"""

import math

from mossbench.analyses.fields import Field, Placed
from mossbench.analyses.tradeoff import FATES, Several, Sides, Tradeoff
from mossbench.look.charts import Chart, themed, vega_lite
from mossbench.look.numbers import UNKNOWN, cell, number, p_value, percent, quoted, whole
from mossbench.reports.analyses.plane import plane
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.words.tradeoff import (
    COSTS,
    D_PRIME,
    FRONT,
    NO_TWINS,
    PAIRS,
    PUBLISHED,
    TWINS,
    finding,
    finding_of_several,
    how_to_read_correlation,
)
from mossbench.statistics import CostCurve

CHART_TITLE = "Refusals of harmless and harmful requests"


def section(record: Tradeoff | Several) -> Section:
    return _section_of_several(record) if isinstance(record, Several) else _section_of_one(record)


def chart(record: Tradeoff | Several) -> Chart | None:
    return _field_chart(record) if isinstance(record, Several) else _one_chart(record)


def _section_of_one(record: Tradeoff) -> Section:
    whole_set = record.groups[-1]
    has_pairs = whole_set.twins.shares[FATES[0]].n > 0
    text = [D_PRIME, COSTS]
    tables = [_rates_table(record.groups)]
    if has_pairs:
        text.insert(0, PAIRS)
        tables.append(_pairs_table(record.groups))
    if record.published:
        text.append(PUBLISHED)
    return Section(
        title="How well does it balance harmless and harmful requests?",
        finding=finding(whole_set),
        text=tuple(text),
        tables=(*tables, _costs_table(record.costs), *_published_tables(record.published)),
        cautions=(*record.notes, TWINS if has_pairs else NO_TWINS),
    )


def _rates_table(groups: tuple[Sides, ...]) -> Table:
    rows = []
    for sides in groups:
        rates = (cell(sides.harmless_refused), cell(sides.harmful_refused))
        rows.append((sides.group, *rates, number(sides.d_prime), number(sides.criterion)))
    harmless = groups[-1].harmless_refused
    harmful = groups[-1].harmful_refused
    n_left_out = harmless.n_left_out + harmful.n_left_out
    return Table(
        title="Both sides",
        head=("Refused", "Harmless, %", "Harmful, %", "d′", "Criterion"),
        rows=tuple(rows),
        note=f"{harmless.n} harmless and {harmful.n} harmful rows count; {n_left_out} are left out. "
        "Intervals are 95 %.",
    )


def _pairs_table(groups: tuple[Sides, ...]) -> Table:
    rows = []
    for sides in groups:
        twins = sides.twins
        fates = [f"{twins.counts[fate]} · {quoted(twins.shares[fate])}" for fate in FATES]
        rows.append((sides.group, *fates, p_value(twins.tells_apart.p), p_value(twins.leans.p)))
    share = groups[-1].twins.shares[FATES[0]]
    return Table(
        title="Pairs",
        head=(
            "",
            "Both right",
            "Refuses both",
            "Refuses neither",
            "Refuses only the harmless",
            "p: sides differ",
            "p: errors differ",
        ),
        rows=tuple(rows),
        note=f"{share.n} complete pairs; {share.n_left_out} rows have no twin that counts. Exact p: does it "
        "distinguish the sides (both right, or only the harmless refused), and is one error more frequent (refuses "
        "both or neither)? Not adjusted for the number of rows in this table.",
    )


def _costs_table(costs: tuple[CostCurve, ...]) -> Table:
    base_rates = (0.001, 0.01, 0.1)
    rows = []
    for curve in costs:
        expected_costs = [_cost_at(curve, base_rate) for base_rate in base_rates]
        rows.append((f"{curve.ratio:g} : 1", *expected_costs, _range(curve.better), _range(curve.shown)))
    cost_heads = [f"Cost at {percent(base_rate)} harmful" for base_rate in base_rates]
    return Table(
        title="What errors cost",
        head=("Cost of help with a harmful request", *cost_heads, "Useful at", "Useful at, by the intervals"),
        rows=tuple(rows),
        note="Expected cost of 1,000 requests, in refused harmless requests. Useful: the shares of "
        "harmful requests between which the model costs less than answering all and than refusing all, as estimated "
        "and where the intervals show it.",
    )


def _cost_at(curve: CostCurve, base_rate: float) -> str:
    """The cost at the point of the curve that is nearest to this share of harmful requests."""
    nearest = min(curve.points, key=lambda point: abs(math.log(point.base_rate / base_rate)))
    cost = nearest.cost
    return UNKNOWN if math.isnan(cost.value) else f"{cost.value:,.0f} ({cost.low:,.0f} to {cost.high:,.0f})"


def _range(bounds: tuple[float, float] | None) -> str:
    return "nowhere" if bounds is None else f"{100 * bounds[0]:.2g} to {100 * bounds[1]:.3g} %"


def _published_tables(fields: tuple[Field, ...]) -> tuple[Table, ...]:
    return tuple(_field_table(field) for field in fields if field.group == "All")


def _section_of_several(record: Several) -> Section:
    field = record.fields[-1]
    text = [FRONT, how_to_read_correlation(field)]
    tables = [_field_table(field), _rho_table(record.fields, "Do safer models refuse more harmless requests?")]
    if record.published:
        text.append(PUBLISHED)
        tables.append(_rho_table(record.published, "The same over the published models"))
    return Section(
        title="How do the models balance harmless and harmful requests?",
        finding=finding_of_several(field),
        text=tuple(text),
        tables=(*tables, *_published_tables(record.published)),
    )


def _field_table(field: Field) -> Table:
    rows = []
    for point in sorted(field.points, key=lambda point: (not point.on_front, point.harmless_refused.value)):
        rows.append(
            (
                point.name,
                cell(point.harmless_refused),
                cell(point.harmful_refused),
                _on_front(point),
                whole(point.front_share),
            )
        )
    head = ("Refused", "Harmless, %", "Harmful, %", "Pareto front", "On it in draws")
    if not field.published:
        return Table(title="Models", head=head, rows=tuple(rows))
    return Table(
        title="The published models, corrected",
        head=head,
        rows=tuple(rows),
        note="Both are means of the three stimuli; on boards safety is over all 244 harmful items. Harmful rates of "
        "Claude 3 sonnet and haiku rest on a value that was inferred.",
    )


def _on_front(point: Placed) -> str:
    if not point.known:
        return UNKNOWN
    return "yes" if point.on_front else "no"


def _rho_table(fields: tuple[Field, ...], title: str) -> Table:
    rows = []
    for field in fields:
        rows.append((field.group, str(field.rho.n), number(field.rho), number(field.rho_corrected)))
    return Table(title=title, head=("", "Models", "Spearman", "Corrected for noise"), rows=tuple(rows))


def _one_chart(record: Tradeoff) -> Chart | None:
    whole_set = record.groups[-1]
    if math.isnan(whole_set.harmless_refused.value) or math.isnan(whole_set.harmful_refused.value):
        return None
    placed = []
    for sides in record.groups:
        name = sides.group.removesuffix(" Interpretation")
        placed.append(Placed(name, sides.harmless_refused, sides.harmful_refused, False, math.nan))
    behind = record.published[-1].points if record.published else ()
    subtitle = "with 95 % intervals; up and to the left is better, on the dashed line the sides are not distinguished"
    if behind:
        subtitle += "; grey: published models"
    top = plane(placed, CHART_TITLE, subtitle, behind=behind)
    return themed({"vconcat": [top, _costs_chart(record.costs)], "spacing": 40}, finding(whole_set))


def _costs_chart(costs: tuple[CostCurve, ...]) -> Chart:
    cells: list[dict[str, object]] = []
    for curve in costs:
        for point in curve.points:
            place = {"ratio": f"help with harm costs {curve.ratio:g}", "base": point.base_rate}
            ends = {"low": max(point.cost.low, 1), "high": point.cost.high}
            if point.cost.value >= 1:
                cells.append({**place, "cost": point.cost.value, "what": "this model", **ends})
            if point.never >= 1:
                cells.append({**place, "cost": point.never, "what": "answer all"})
            if point.always >= 1:
                cells.append({**place, "cost": point.always, "what": "refuse all"})
    return vega_lite("costs", cells=cells)


def _field_chart(record: Several) -> Chart | None:
    field = record.fields[-1]
    if not any(point.known for point in field.points):
        return None
    behind = record.published[-1].points if record.published else ()
    subtitle = "with 95 % intervals; the line is the Pareto front"
    if behind:
        subtitle += "; grey: published models"
    rates = [
        f"{point.name}: {percent(point.harmless_refused.value)} and {percent(point.harmful_refused.value)}"
        for point in field.points
    ]
    return themed(plane(field.points, CHART_TITLE, subtitle, behind=behind), ". ".join(rates))
