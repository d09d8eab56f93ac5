"""A report as a page: where every mark stands, and the pictures that go with it."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import quote

from mossbench.look.page import ALONE, Frame, render_page
from mossbench.outcomes import Counted, Layer, Rule
from mossbench.reports.build import FLAGS
from mossbench.reports.ranking import compare_runs
from mossbench.reports.record import Card, Group, Report, Share
from mossbench.reports.words import report_page as report_page_words
from mossbench.reports.words.grammar import listing
from mossbench.reports.words.rates import REQUESTS, sentence_case, twins_note
from mossbench.reports.words.runs import comparison_words, run_names
from mossbench.results.rates import GROUPS, Rate
from mossbench.samples import Side
from mossbench.statistics import Estimate

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


@dataclass(frozen=True)
class Segment:
    """The rows of one outcome as a stretch of the bar; positions are in per cent of it."""

    kind: str
    n: int
    share: float
    x: float
    w: float


@dataclass(frozen=True)
class LayerGroup:
    """The segments of the bar that count the same way."""

    name: str
    counted: Counted
    n: int
    segments: tuple[Segment, ...]
    x: float
    end: float
    anchor: str
    """At which end its label stands; empty: it has none."""


@dataclass(frozen=True)
class RuleLine:
    """The rate under one counting rule."""

    rule: Rule
    says: str
    rate: Rate


@dataclass(frozen=True)
class CardChoices:
    """What the cards can be filtered by: value and label of each choice."""

    side: tuple[tuple[str, str], ...]
    stimulus: tuple[tuple[str, str], ...]
    kind: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class CardsView:
    """What the page says around the cards."""

    title: str
    short: str
    """For the table of contents."""
    anchors: dict[int, str]
    """Place of a sample's first card -> its anchor."""
    choices: CardChoices
    note: str
    """That the cards are a part of the rows; empty where they are all."""
    facts: tuple[list[str], ...]
    """What stands beside the id of each card."""


@dataclass(frozen=True)
class ReportWords:
    """What the page says around the numbers."""

    cautions_title: str
    rate_spoken: str
    layers_spoken: str
    layer_marks: str
    stimuli_spoken: str
    why_failed: str
    why_unjudged: str
    rules_note: str
    twins_intro: str
    group_links: dict[str, str]
    """Grouping -> its name in the table of contents."""
    to_label: str
    judge_range_name: str
    judge_range_note: str


@dataclass(frozen=True)
class ReportView:
    """A report, and what only its page needs."""

    report: Report
    name: str
    """Of the run, among those on the page."""
    requests: str
    layers: tuple[LayerGroup, ...]
    words: ReportWords
    rules: tuple[RuleLine, ...]
    axis: Axis
    stimuli: Group | None
    twins_note: str
    tables: tuple[Group, ...]
    columns: dict[str, str]
    """Grouping -> the head of the first column of its table."""
    corrected_rates: tuple[tuple[str, Rate], ...]
    cards: CardsView
    prompts: tuple[tuple[str, str], ...]
    """Title and text of each system prompt."""
    pictures: Pictures
    pictures_note: str
    """Why images are missing, where they are."""
    ways: Ways

    @property
    def has_stimulus_rates(self) -> bool:
        """Whether a row of any stimulus counts."""
        return self.stimuli is not None and any(rate.estimate.n for rate in self.stimuli.rates)


@dataclass(frozen=True)
class TogetherView:
    """Several runs on one axis."""

    title: str
    text: str
    axis: Axis
    twins: bool
    """Whether harmful requests are on it."""
    marks: str
    """What the marks stand for."""
    spoken: str
    """The chart, for those who do not see it."""


def report_page(
    reports: Sequence[Report],
    pictures: Sequence[tuple[Pictures, str]],
    *,
    frame: Frame = ALONE,
    ways: Ways = NOWHERE,
) -> str:
    """One page about one run, or about several with their headline rates on one axis first.

    `pictures` are those of each report's cards, with why they are missing where they are.
    """
    names = run_names(reports)
    views = []
    for report, name, (pictures_of_cards, note) in zip(reports, names, pictures, strict=True):
        views.append(_view(report, name, pictures_of_cards, note, ways))
    together = _together(reports, names) if len(reports) > 1 else None
    return render_page(
        "report.html",
        frame=frame,
        title=report_page_words.page_title(reports),
        views=views,
        compared=together,
    )


def _together(reports: Sequence[Report], names: Sequence[str]) -> TogetherView:
    estimates = [report.rate.estimate for report in reports]
    with_harmful = []
    for report in reports:
        if report.harmful:
            estimates.append(report.harmful.estimate)
            with_harmful.append(report)
    harmful_name = None
    if with_harmful:
        are_all_twins = all(report.has_twins for report in with_harmful)
        harmful_name = "harmful twins" if are_all_twins else "harmful requests"
    words = comparison_words(compare_runs(reports, names))
    return TogetherView(
        title=words.title,
        text=words.text,
        axis=axis_for(estimates),
        twins=bool(with_harmful),
        marks=report_page_words.compared_marks(harmful_name),
        spoken=report_page_words.rates_spoken(
            [(name, report.rate) for name, report in zip(names, reports, strict=True)]
        ),
    )


def axis_for(estimates: Iterable[Estimate]) -> Axis:
    """The shortest axis that holds all intervals; zero is always on it."""
    ends = []
    for estimate in estimates:
        ends += [end for end in (estimate.value, estimate.high) if not math.isnan(end)]
    highest = 100 * max(ends, default=1)
    return next(Axis(top, step) for top, step in _AXES if highest <= top)


def _view(report: Report, name: str, pictures: Pictures, note: str, ways: Ways) -> ReportView:
    layers = _layers(report)
    tables = _tables(report)
    return ReportView(
        report=report,
        name=name,
        requests=REQUESTS[report.side],
        layers=layers,
        words=_words(report, layers, tables),
        rules=tuple(RuleLine(rule, RULES[rule], rate) for rule, rate in report.by_rule.items()),
        axis=_one_axis(report),
        stimuli=_stimuli(report),
        twins_note=twins_note(report.twins[-1]) if report.twins else "",
        tables=tables,
        columns=_TABLES,
        corrected_rates=_corrected_rates(report),
        cards=_cards(report, has_search=bool(ways.pages)),
        prompts=tuple((report_page_words.prompt_title(arm), text) for arm, text in report.prompts.items()),
        pictures=pictures,
        pictures_note=note,
        ways=ways,
    )


def _words(report: Report, layers: Sequence[LayerGroup], tables: Sequence[Group]) -> ReportWords:
    judge_range = report.rate.judge_range
    stimuli = _stimuli(report)
    stimuli_rates = [(rate.group, rate) for rate in stimuli.rates] if stimuli else []
    estimates = [rate.estimate for rate in report.by_rule.values()]
    return ReportWords(
        cautions_title=report_page_words.cautions_title(report),
        rate_spoken=report_page_words.rate_spoken(report),
        layers_spoken=report_page_words.layers_spoken(report, [(layer.name, layer.n) for layer in layers]),
        layer_marks=report_page_words.layer_marks([layer.counted for layer in layers]),
        stimuli_spoken=report_page_words.rates_spoken(stimuli_rates),
        why_failed=report_page_words.why_failed(sum(report.failures.values())),
        why_unjudged=report_page_words.why_unjudged(sum(report.unjudged.values())),
        rules_note=report_page_words.rules_note(
            report, bounds_only=any(math.isnan(estimate.value) and estimate.n for estimate in estimates)
        ),
        twins_intro=report_page_words.twins_intro(report.has_twins),
        group_links={table.by: report_page_words.group_link(table.by) for table in tables},
        to_label=report_page_words.to_label(len(report.judge_error.draw)),
        judge_range_name=report_page_words.judge_range_name(judge_range) if judge_range else "",
        judge_range_note=report_page_words.judge_range_note(judge_range) if judge_range else "",
    )


def _stimuli(report: Report) -> Group | None:
    return next((group for group in report.groups if group.by == "stimulus"), None)


def _corrected_rates(report: Report) -> tuple[tuple[str, Rate], ...]:
    """The rates beside the headline's that have a corrected one, by name: stimuli and harmful twins."""
    stimuli = _stimuli(report)
    named = [(rate.group, rate) for rate in stimuli.rates] if stimuli else []
    if report.harmful:
        named.append((sentence_case(report.harmful_name), report.harmful))
    return tuple((name, rate) for name, rate in named if rate.corrected)


def _layers(report: Report) -> tuple[LayerGroup, ...]:
    """Groups of segments from left to right; widths add up to the whole bar."""
    groups = []
    x = 0.0
    for counts, name in _LAYERS.items():
        shares = [share for share in report.shares if share.counts is counts]
        if not shares:
            continue
        start = x
        segments = []
        for share in shares:
            segments.append(_segment(share, report.n_rows, x))
            x += 100 * share.n / report.n_rows
        group = LayerGroup(
            name=name,
            counted=counts,
            n=sum(share.n for share in shares),
            segments=tuple(segments),
            x=round(start + _GAP, 2),
            end=round(x - _GAP, 2),
            anchor=_anchor(counts, start, x),
        )
        groups.append(group)
    return tuple(groups)


def _segment(share: Share, n_rows: int, x: float) -> Segment:
    width = 100 * share.n / n_rows
    return Segment(
        kind=share.label,
        n=share.n,
        share=share.n / n_rows,
        x=round(x + _GAP, 2),
        w=round(max(width - 2 * _GAP, 0.1), 2),
    )


def _anchor(counts: Counted, start: float, end: float) -> str:
    """A label fits where its group is long, or begins the bar; every count is in the legend anyway."""
    if start == 0:
        return "start"
    if end >= 45 and counts is Counted.REFUSED:
        return "end"
    return ""


def _one_axis(report: Report) -> Axis:
    """For all sections, so that a mark stands in the same place wherever its rate is the same."""
    rates = [report.rate, *report.by_rule.values()]
    for group in report.groups:
        rates += group.rates
    estimates = [rate.estimate for rate in rates]
    if report.rate.corrected:
        estimates.append(report.rate.corrected.estimate)
    return axis_for(estimates)


def _tables(report: Report) -> tuple[Group, ...]:
    """Groups that have a table: columns of one's own, arms, harm classes, what the image shows, epochs."""
    groups = {group.by: group for group in report.groups}
    flags: list[Rate] = []
    for flag, words in FLAGS.items():
        if flag in groups:
            flags += [replace(rate, group=f"{words}: {rate.group}") for rate in groups[flag].rates]
    groups["flags"] = Group("flags", "By image content", tuple(flags))
    for by in ("harm", "flags"):
        if by in groups:
            rates = [replace(rate, group=sentence_case(rate.group)) for rate in groups[by].rates]
            groups[by] = replace(groups[by], rates=tuple(rates))
    own = [by for by in groups if by not in (*GROUPS, *_TABLES)]
    return tuple(groups[by] for by in (*own, *_TABLES) if by in groups and groups[by].rates)


def card_anchor(side: Side, id: str) -> str:
    """Where in a report a sample's first card is."""
    return f"{side}-{quote(id, safe='')}"


def _cards(report: Report, *, has_search: bool) -> CardsView:
    parts = _kinds_of_cards(report.cards)
    anchors: dict[str, int] = {}
    for place, card in enumerate(report.cards):
        anchors.setdefault(card_anchor(card.side, card.id), place)
    return CardsView(
        title=sentence_case(listing(parts)) if parts else "",
        short=sentence_case(parts[0]) if parts else "",
        anchors={place: anchor for anchor, place in anchors.items()},
        choices=_choices(report.cards),
        note=report_page_words.cards_note(len(report.cards), report.n_cards, has_search=has_search),
        facts=tuple(report_page_words.card_facts(card, report.harmful_name) for card in report.cards),
    )


def _kinds_of_cards(cards: Sequence[Card]) -> list[str]:
    """What there are cards of, in words."""
    judged = [card for card in cards if card.outcome != Layer.UNJUDGED]
    parts = []
    if any(card.side is Side.BENIGN for card in judged):
        parts.append("refused harmless requests")
    if any(card.side is Side.CONTRAST for card in judged):
        parts.append("harmful requests that it helped with")
    if len(judged) < len(cards):
        parts.append("answers without a verdict")
    return parts


def _choices(cards: Sequence[Card]) -> CardChoices:
    labels = {Side.BENIGN: "Harmless", Side.CONTRAST: "Harmful"}
    sides = [side for side in Side if any(card.side is side for card in cards)]
    stimuli = dict.fromkeys(card.stimulus for card in cards if card.stimulus)
    outcomes = dict.fromkeys(card.outcome for card in cards)
    return CardChoices(
        side=tuple((side.value, labels[side]) for side in sides),
        stimulus=tuple((stimulus, stimulus) for stimulus in stimuli),
        kind=tuple((outcome, outcome.capitalize()) for outcome in outcomes),
    )
