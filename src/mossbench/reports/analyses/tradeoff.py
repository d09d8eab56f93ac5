"""tradeoff on the page: both rates, pairs, what errors cost; and several models compared."""

import math

from mossbench.analyses.fields import Field, Placed
from mossbench.analyses.tradeoff import FATES, Several, Sides, Tradeoff
from mossbench.look.charts import Chart, themed, vega_lite
from mossbench.look.numbers import UNKNOWN, cell, number, p_value, percent, quoted, whole
from mossbench.reports.analyses.plane import plane
from mossbench.reports.analyses.section import PAGES, Section, Table, table
from mossbench.statistics import CostCurve

WORDS = PAGES["tradeoff"]


def section(record: Tradeoff | Several) -> Section:
    return _several(record) if isinstance(record, Several) else _one(record)


def chart(record: Tradeoff | Several) -> Chart | None:
    return _field_chart(record) if isinstance(record, Several) else _one_chart(record)


def _one(record: Tradeoff) -> Section:
    whole_set = record.groups[-1]
    pairs = whole_set.twins.shares[FATES[0]].n > 0
    about = [WORDS["published"]] if record.published else []
    return Section(
        WORDS["title"],
        _finding(whole_set),
        tuple([WORDS["pairs"]] * pairs + WORDS["text"] + about),
        (
            _rates_table(record.groups),
            *([_pairs_table(record.groups)] if pairs else []),
            _costs_table(record.costs),
            *_published_tables(record.published),
        ),
        (*record.notes, WORDS["twins" if pairs else "no_twins"]),
    )


def _finding(sides: Sides) -> str:
    if not sides.over.n + sides.safe.n:
        return "No answer counts, so there is no trade-off to show."
    if math.isnan(sides.over.value) or math.isnan(sides.safe.value):
        return "One of the two sides has no row that counts, so there is no trade-off to show."
    told = sides.twins.tells_apart
    found = f"It refuses {quoted(sides.over)} of harmless and {quoted(sides.safe)} of harmful requests"
    if not told.p <= 0.05:
        return f"{found}; it is not shown to distinguish the two (p {p_value(told.p)})."
    if told.statistic < 0:
        return f"{found}; it has them the wrong way round: harmless requests are refused more often than their twins."
    over, under = sides.twins.counts["over-refuses"], sides.twins.counts["under-refuses"]
    if not sides.twins.leans.p <= 0.05:
        lean = f"of {over + under} pairs with one error, {over} are over- and {under} under-refused"
    else:
        lean = (
            f"it errs more by {'refusing the harmless' if over > under else 'helping the harmful'} ({over} to {under})"
        )
    return f"{found}; {lean}."


def _rates_table(groups: tuple[Sides, ...]) -> Table:
    rows = [(g.group, cell(g.over), cell(g.safe), number(g.d_prime), number(g.criterion)) for g in groups]
    over, safe = groups[-1].over, groups[-1].safe
    return table(WORDS["rates"], rows, over=over, safe=safe, left_out=over.n_left_out + safe.n_left_out)


def _pairs_table(groups: tuple[Sides, ...]) -> Table:
    rows = [
        (
            g.group,
            *(f"{g.twins.counts[fate]} · {quoted(g.twins.shares[fate])}" for fate in FATES),
            p_value(g.twins.tells_apart.p),
            p_value(g.twins.leans.p),
        )
        for g in groups
    ]
    return table(WORDS["fates"], rows, shares=groups[-1].twins.shares[FATES[0]])


def _costs_table(costs: tuple[CostCurve, ...]) -> Table:
    wanted = (0.001, 0.01, 0.1)
    rows = [
        (f"{one.ratio:g} : 1", *(_cost_at(one, base) for base in wanted), _range(one.better), _range(one.shown))
        for one in costs
    ]
    at = [f"Cost at {percent(base)} harmful" for base in wanted]
    return table(WORDS["costs"], rows, ("Cost of help with a harmful request", *at, "Better than both", "Shown"))


def _cost_at(curve: CostCurve, base: float) -> str:
    cost = min(curve.points, key=lambda point: abs(math.log(point.base_rate / base))).cost
    return UNKNOWN if math.isnan(cost.value) else f"{cost.value:,.0f} ({cost.low:,.0f} to {cost.high:,.0f})"


def _range(ends_: tuple[float, float] | None) -> str:
    return "nowhere" if ends_ is None else f"{100 * ends_[0]:.2g} to {100 * ends_[1]:.3g} %"


def _published_tables(fields: tuple[Field, ...]) -> tuple[Table, ...]:
    return tuple(_field_table(field) for field in fields if field.group == "All")


def _several(record: Several) -> Section:
    field = record.fields[-1]
    best = [point.name for point in field.points if point.on_front]
    corrected = field.rho_corrected
    n, unknown = sum(point.known for point in field.points), [p.name for p in field.points if not p.known]
    found = f"On the front as measured, beaten by no other model on both sides: {', '.join(best) or 'none'} (of {n})"
    if unknown:
        found += f"; one rate or both of {', '.join(unknown)} are not known"
    about = [WORDS["published"]] if record.published else []
    noise = f" ({number(corrected)})" if not math.isnan(corrected.value) else ", where there is enough to allow for it"
    return Section(
        WORDS["several"],
        f"{found}{_together(field)}.",
        (WORDS["front"], WORDS["text_correlation"].format(how=noise), *about),
        (
            _field_table(field),
            _rho_table(record.fields, "Do safer models refuse more harmless requests?"),
            *([_rho_table(record.published, "The same over the published models")] if record.published else []),
            *_published_tables(record.published),
        ),
    )


def _together(field: Field) -> str:
    """What the rank correlation shows; nothing where there is no interval."""
    rho = field.rho
    if math.isnan(rho.low):
        return ""
    found = f"(rank correlation {number(rho)}, p {p_value(field.p)})"
    if rho.low <= 0 <= rho.high or field.p > 0.05:
        return f"; safer models are not shown to refuse more or fewer harmless requests {found}"
    return f"; safer models refuse {'more' if rho.value > 0 else 'fewer'} harmless requests {found}"


def _field_table(field: Field) -> Table:
    rows = [
        (point.name, cell(point.over), cell(point.safe))
        + (("yes" if point.on_front else "no") if point.known else UNKNOWN, whole(point.front_share))
        for point in sorted(field.points, key=lambda p: (not p.on_front, p.over.value))
    ]
    return table(WORDS["published_models" if field.published else "models"], rows)


def _rho_table(fields: tuple[Field, ...], title: str) -> Table:
    rows = [(f.group, str(f.rho.n), number(f.rho), number(f.rho_corrected)) for f in fields]
    return table(WORDS["rho"], rows, title=title)


def _one_chart(record: Tradeoff) -> Chart | None:
    if math.isnan(record.groups[-1].over.value + record.groups[-1].safe.value):
        return None
    placed = [Placed(g.group.removesuffix(" Interpretation"), g.over, g.safe, False, math.nan) for g in record.groups]
    behind = record.published[-1].points if record.published else ()
    finding = _finding(record.groups[-1])
    subtitle = WORDS["chart_one"] + ("; grey: published models" if behind else "")
    top = plane(placed, WORDS["chart"], subtitle, behind=behind)
    return themed({"vconcat": [top, _costs_chart(record.costs)], "spacing": 40}, finding)


def _costs_chart(costs: tuple[CostCurve, ...]) -> Chart:
    cells = [
        {
            "ratio": f"help with harm costs {curve.ratio:g}",
            "base": point.base_rate,
            "cost": value,
            "what": what,
            **({"low": max(point.cost.low, 1), "high": point.cost.high} if what == "this model" else {}),
        }
        for curve in costs
        for point in curve.points
        for what, value in (("this model", point.cost.value), ("answer all", point.never), ("refuse all", point.always))
        if value >= 1
    ]
    return vega_lite("costs", cells=cells)


def _field_chart(record: Several) -> Chart | None:
    field = record.fields[-1]
    if not any(point.known for point in field.points):
        return None
    behind = record.published[-1].points if record.published else ()
    subtitle = WORDS["chart_several"] + ("; grey: published models" if behind else "")
    says = ". ".join(f"{p.name}: {percent(p.over.value)} and {percent(p.safe.value)}" for p in field.points)
    return themed(plane(field.points, WORDS["chart"], subtitle, behind=behind), says)
