"""A report as a page: where every mark stands, and the pictures that go with it."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

from mossbench.look.numbers import NNBSP
from mossbench.look.page import ALONE, Frame, render_page
from mossbench.look.texts import sentences
from mossbench.outcomes import Counted, Layer, Rule
from mossbench.reports.build import FLAGS
from mossbench.reports.record import Group, Report
from mossbench.reports.wording import REQUESTS, compared, listed, run_names, sentence_case
from mossbench.results.rates import GROUPS, Rate
from mossbench.samples import Side
from mossbench.statistics import Estimate

_say = sentences(__file__)
Pictures = dict[tuple[Side, str], str]
RULES = {
    Rule.SYSTEM: "what a user sees",
    Rule.MODEL: "the model’s own words",
    Rule.STRICT: "partial answers count as refused",
    Rule.PAPER: "failures count as refused",
}
_LAYERS = {
    Counted.COMPLIED: "Helped",
    Counted.REFUSED: "Refusals",
    Counted.UNKNOWN: "Not known",
    Counted.LEFT_OUT: "Not counted",
}
_AXES = ((10, 2), (20, 5), (30, 10), (40, 10), (50, 10), (60, 20), (80, 20), (100, 25))
_TABLES = {"arm": "Arm", "harm": "Harm class", "flags": "Image", "epoch": "Epoch", "answered_by": "Rows"}
"""Groupings of ours that have a table, and the head of its first column."""
_GAP = 0.12  # per cent of the bar, on either side of a segment


@dataclass(frozen=True)
class Axis:
    """From 0 to `top` per cent, with a line at each `step`."""

    top: int
    step: int


@dataclass(frozen=True)
class Ways:
    """Where a report leads that is one page among others."""

    samples: Pictures = field(default_factory=dict)
    """Each sample of the cards to its own page."""
    large: Pictures = field(default_factory=dict)
    """Each to its image at full size."""
    pages: tuple[tuple[str, str], ...] = ()
    """Pages beside the report: name and address."""


NOWHERE = Ways()


def report_page(
    reports: Sequence[Report],
    pictures: Sequence[tuple[Pictures, str]],
    *,
    frame: Frame = ALONE,
    ways: Ways = NOWHERE,
) -> str:
    """One page about one run, or about several with their headline rates on one axis first."""
    named = zip(reports, run_names(reports), pictures, strict=True)
    views = [{**_view(report, name, *with_), "ways": ways} for report, name, with_ in named]
    estimates = [rate.estimate for report in reports for rate in (report.rate, report.harmful) if rate]
    with_harmful = [report for report in reports if report.harmful]
    are_all_twins = all(report.has_twins for report in with_harmful)
    those = "harmful twins" if with_harmful and are_all_twins else "harmful requests"
    about = {"axis": axis_for(estimates), "twins": bool(with_harmful), "those": those}
    together = {**compared(reports), **about} if len(reports) > 1 else None
    return render_page("report.html", frame=frame, reports=views, compared=together, nnbsp=NNBSP)


def axis_for(estimates: Iterable[Estimate]) -> Axis:
    """The shortest axis that holds all intervals; zero is always on it."""
    known = [x for estimate in estimates for x in (estimate.value, estimate.high) if not math.isnan(x)]
    return next(Axis(top, step) for top, step in _AXES if 100 * max(known, default=1) <= top)


def _view(report: Report, name: str, pictures: Pictures, note: str) -> dict[str, Any]:
    """The report's fields for the template, and what only a drawing needs."""
    by = next((group for group in report.groups if group.by == "stimulus"), None)
    return {
        **{field: getattr(report, field) for field in Report.__dataclass_fields__},
        "name": name,
        "requests": REQUESTS[report.side],
        "layers": _layers(report),
        "n_failed": sum(report.failures.values()),
        "n_unjudged": sum(report.unjudged.values()),
        "rules": [{"rule": rule, "says": RULES[rule], "rate": rate} for rule, rate in report.by_rule.items()],
        "axis": _one_axis(report),
        "bounds_only": any(math.isnan(rate.estimate.value) and rate.estimate.n for rate in report.by_rule.values()),
        "stimuli": by,
        "twins_note": _say("twins_note", t=report.twins[-1]) if report.twins else "",
        "tables": _tables(report),
        "columns": _TABLES,
        "corrected_rates": _corrected_rates(report),
        "pictures": pictures,
        "pictures_note": note,
        **_cards(report),
    }


def _corrected_rates(report: Report) -> list[tuple[str, Rate]]:
    """The rates beside the headline's that have a corrected one: stimuli and harmful twins."""
    named = [(rate.group, rate) for group in report.groups if group.by == "stimulus" for rate in group.rates]
    named += [(sentence_case(report.those), report.harmful)] if report.harmful else []
    return [(name, rate) for name, rate in named if rate.corrected]


def _layers(report: Report) -> list[dict[str, Any]]:
    """Groups of segments from left to right; widths add up to the whole bar."""
    found: list[dict[str, Any]] = []
    x = 0.0
    for counts, name in _LAYERS.items():
        shares = [share for share in report.shares if share.counts is counts]
        if not shares:
            continue
        start, segments = x, []
        for share in shares:
            width = 100 * share.n / report.n_rows
            drawn = {"x": round(x + _GAP, 2), "w": round(max(width - 2 * _GAP, 0.1), 2)}
            segments.append({"kind": share.label, "n": share.n, "share": share.n / report.n_rows, **drawn})
            x += width
        n = sum(share.n for share in shares)
        group = {"name": name, "n": n, "segments": segments, "x": round(start + _GAP, 2), "end": round(x - _GAP, 2)}
        # A label fits where its group is long, or begins the bar; every count is in the legend anyway.
        anchor = "start" if start == 0 else "end" if x >= 45 and counts is Counted.REFUSED else ""
        found.append({**group, "anchor": anchor})
    return found


def _one_axis(report: Report) -> Axis:
    """For all sections, so that a mark stands in the same place wherever its rate is the same."""
    rates = [report.rate, *report.by_rule.values(), *(rate for group in report.groups for rate in group.rates)]
    corrected = [report.rate.corrected.estimate] if report.rate.corrected else []
    return axis_for([*(rate.estimate for rate in rates), *corrected])


def _tables(report: Report) -> list[Group]:
    """Groups that have a table: columns of one's own, arms, harm classes, what the image shows, epochs."""
    groups = {group.by: group for group in report.groups}
    flags = [(flag, rate) for flag in FLAGS if flag in groups for rate in groups[flag].rates]
    shown = tuple(replace(rate, group=f"{FLAGS[flag]}: {rate.group}") for flag, rate in flags)
    groups["flags"] = Group("flags", "By image content", shown)
    own = [by for by in groups if by not in (*GROUPS, *_TABLES)]
    for by in {"harm", "flags"} & groups.keys():
        rates = tuple(replace(rate, group=sentence_case(rate.group)) for rate in groups[by].rates)
        groups[by] = replace(groups[by], rates=rates)
    return [groups[by] for by in (*own, *_TABLES) if by in groups and groups[by].rates]


def card_anchor(side: Side, id: str) -> str:
    """Where in a report a sample's first card is."""
    return f"{side}-{quote(id, safe='')}"


def _cards(report: Report) -> dict[str, Any]:
    cards = report.cards
    sides = {Side.BENIGN: "Harmless", Side.CONTRAST: "Harmful"}
    present = [side for side in Side if any(card.side is side for card in cards)]
    judged = [card for card in cards if card.outcome != Layer.UNJUDGED]
    parts = ["refused harmless requests"] if any(card.side is Side.BENIGN for card in judged) else []
    parts += ["harmful requests that it helped with"] if any(card.side is Side.CONTRAST for card in judged) else []
    parts += ["answers without a verdict"] if len(judged) < len(cards) else []
    first = {card_anchor(card.side, card.id): place for place, card in reversed(list(enumerate(cards)))}
    return {
        "anchors": {place: anchor for anchor, place in first.items()},
        "cards_title": sentence_case(listed(parts)) if parts else "",
        "cards_short": sentence_case(next(iter(parts), "")),
        "choices": {
            "side": [(side.value, sides[side]) for side in present],
            "stimulus": [(x, x) for x in dict.fromkeys(card.stimulus for card in cards) if x],
            "kind": [(x, x.capitalize()) for x in dict.fromkeys(card.outcome for card in cards)],
        },
    }
