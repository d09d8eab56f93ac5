"""The page of a report: positions in its charts, texts around its numbers, and what its cards of answers link to.

`report_page` makes a `ReportView` of each report: the record, and what only the page needs. The template places them.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal
from urllib.parse import quote

from mossbench.look.page import ALONE, Frame, render_page
from mossbench.outcomes import Counted, Layer, Rule
from mossbench.reports.build import FLAGS
from mossbench.reports.caution_figures import SharedScenes
from mossbench.reports.judged_rates import headline_rates
from mossbench.reports.ranking import compare_runs
from mossbench.reports.record import Card, Caution, Group, Report, Share
from mossbench.reports.words import report_page as report_page_words
from mossbench.reports.words.grammar import listing
from mossbench.reports.words.judge_lines import judge_sentences
from mossbench.reports.words.judges import AS_READ, source_rows
from mossbench.reports.words.languages import language_errors
from mossbench.reports.words.rates import REQUESTS, sentence_case, twins_note
from mossbench.reports.words.runs import comparison_words, run_names
from mossbench.results.rates import GROUPS, Rate
from mossbench.samples import Side
from mossbench.statistics import Estimate

Pictures = dict[tuple[Side, str], str]
"""Side and id of a sample -> an address: of its image, or of its page."""
RULES = {
    Rule.SYSTEM: "what a user sees",
    Rule.MODEL: "the model’s own words",
    Rule.STRICT: "partial answers count as refused",
    Rule.PAPER: "failures count as refused",
}
"""Counting rules, and what each is for."""
_GROUP_NAMES = {
    Counted.COMPLIED: "Helped",
    Counted.REFUSED: "Refusals",
    Counted.UNKNOWN: "Not known",
    Counted.LEFT_OUT: "Not counted",
}
"""The groups of the bar of outcomes, from left to right."""
_GRID_STEPS = {10: 2, 20: 5, 30: 10, 40: 10, 50: 10, 60: 20, 80: 20, 100: 25}
"""Ends that an axis may have, in per cent -> per cent between its grid lines."""
_COLUMN_HEADS = {
    "arm": "Arm",
    "harm": "Harm class",
    "flags": "Image",
    "epoch": "Epoch",
    "answered_by": "Rows",
    "answer_language": "Language of the answer",
    "request_language": "Language of the request",
}
"""Groupings of ours that have a table, in the order of the page -> the head of its first column."""
_GAP = 0.12
"""Per cent of the bar that stay free on either side of a segment."""
_MIN_SEGMENT_WIDTH = 0.1
"""Per cent of the bar: a segment of a single row among thousands can still be seen."""
_MIN_END_OF_REFUSALS = 45
"""Per cent of the bar: a group of refusals that ends further left has no room for its label."""


@dataclass(frozen=True)
class Axis:
    """From 0 to `top` per cent, with a grid line at each `step`."""

    top: int
    step: int


@dataclass(frozen=True)
class ReportLinks:
    """Where a report links to if it is one page among others."""

    samples: Pictures = field(default_factory=dict)
    """The page of each sample on the cards."""
    full_size_images: Pictures = field(default_factory=dict)
    pages: tuple[tuple[str, str], ...] = ()
    """Pages beside the report: name and address."""


NO_LINKS = ReportLinks()


@dataclass(frozen=True)
class Segment:
    """The rows of one outcome as a stretch of the bar of outcomes."""

    outcome: str
    n: int
    share: float
    left: float
    """Per cent of the bar."""
    width: float
    """Per cent of the bar."""


@dataclass(frozen=True)
class OutcomeGroup:
    """Segments of the bar of outcomes that count the same way."""

    name: str
    counted: Counted
    n: int
    segments: tuple[Segment, ...]
    left: float
    """Per cent of the bar."""
    right: float
    """Per cent of the bar."""
    label_at: Literal["start", "end", ""]
    """The end of the group at which its label stands; empty if it has none."""


@dataclass(frozen=True)
class RuleLine:
    """The rate under one counting rule."""

    rule: Rule
    description: str
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
    anchors: dict[int, str]
    """Index of a sample's first card -> the anchor of the sample."""
    choices: CardChoices
    note: str
    """That the cards are a part of the rows; empty if they are all."""
    facts: tuple[list[str], ...]
    """What stands beside the id of each card."""


@dataclass(frozen=True)
class ReportWords:
    """What the page says around the numbers; `…_spoken` is a chart in words, for those who do not see it."""

    cautions_title: str
    rate_spoken: str
    outcomes_spoken: str
    outcome_marks: str
    """What the marks of the outcomes mean."""
    stimuli_spoken: str
    why_failed: str
    why_unjudged: str
    rules_note: str
    twins_intro: str
    to_label: str
    judge_sources: list[tuple[str, ...]]
    """The table of the answers that the judge was measured on; empty where it was measured on this model."""
    as_read: str
    """What a rate as read is."""
    judge_range_name: str
    judge_range_note: str


@dataclass(frozen=True)
class SectionResults:
    """The one-line result of each section, which stands beside its title while the section is folded."""

    outcomes: str
    rules: str
    stimuli: str
    twins: str
    groups: dict[str, str]
    """By grouping."""
    judge: str
    cards: str
    method: str


@dataclass(frozen=True)
class ReportView:
    """A report, and what only its page needs."""

    report: Report
    name: str
    """The name of the run, by which it differs from the others on the page."""
    requests: str
    """What the rate is of: `harmless requests`, or `harmful requests` in a run that asked no others."""
    outcome_groups: tuple[OutcomeGroup, ...]
    """The bar of outcomes, from left to right."""
    words: ReportWords
    results: SectionResults
    rules: tuple[RuleLine, ...]
    axis: Axis
    """Of all charts below the headline's, so that a rate stands at the same place in each of them."""
    stimuli: Group | None
    twins_note: str
    tables: tuple[Group, ...]
    column_heads: dict[str, str]
    """Grouping -> the head of the first column of its table; columns of one's own are not in it."""
    language_errors: tuple[str, ...]
    """What the judge gets wrong in each language of the answers."""
    cautions: tuple[Caution, ...]
    """What weakens the verdict."""
    method_notes: tuple[Caution, ...]
    """What says how the numbers were made, and stands with the method."""
    corrected_rates: tuple[tuple[str, Rate], ...]
    """Rates beside the headline's that have a corrected one, with their names."""
    cards: CardsView
    prompts: tuple[tuple[str, str], ...]
    """Title and text of each system prompt."""
    pictures: Pictures
    pictures_note: str
    """Why images are missing, where they are."""
    links: ReportLinks

    @property
    def has_stimulus_rates(self) -> bool:
        """Whether a row with a stimulus counts."""
        return self.stimuli is not None and any(rate.estimate.n for rate in self.stimuli.rates)


@dataclass(frozen=True)
class ComparedView:
    """The headline rates of several runs on one axis."""

    title: str
    text: str
    judge_notes: tuple[str, ...]
    """What the judge's errors make of the rates: corrected, a range, or not known, each run by name."""
    axis: Axis
    has_harmful: bool
    """Whether a run has a rate of harmful requests too."""
    marks: str
    """What the marks stand for."""
    spoken: str
    """The chart in words, for those who do not see it."""


def report_page(
    reports: Sequence[Report],
    pictures: Sequence[tuple[Pictures, str]],
    *,
    frame: Frame = ALONE,
    links: ReportLinks = NO_LINKS,
) -> str:
    """One page about one run, or about several with their headline rates on one axis first.

    `pictures`: for each report, the images of its cards, and a note on why some are missing (empty if none is).
    """
    names = run_names(reports)
    views = []
    for report, name, (pictures_of_cards, pictures_note) in zip(reports, names, pictures, strict=True):
        views.append(_report_view(report, name, pictures_of_cards, pictures_note, links))
    return render_page(
        "report.html",
        frame=frame,
        title=report_page_words.page_title(reports),
        views=views,
        compared=_compared_view(reports, names) if len(reports) > 1 else None,
    )


def _compared_view(reports: Sequence[Report], names: Sequence[str]) -> ComparedView:
    estimates = [report.rate.estimate for report in reports if report.rate.is_known]
    with_harmful = []
    for report in reports:
        if report.harmful:
            if report.harmful.is_known:
                estimates.append(report.harmful.estimate)
            with_harmful.append(report)
    harmful_name = None
    if with_harmful:
        are_all_twins = all(report.has_twins for report in with_harmful)
        harmful_name = "harmful twins" if are_all_twins else "harmful requests"
    words = comparison_words(compare_runs(reports, names))
    return ComparedView(
        title=words.title,
        text=words.text,
        judge_notes=judge_sentences(headline_rates(reports, names)),
        axis=_shortest_axis(estimates),
        has_harmful=bool(with_harmful),
        marks=report_page_words.compared_marks(harmful_name),
        spoken=report_page_words.compared_spoken(
            [(name, report.rate) for name, report in zip(names, reports, strict=True)]
        ),
    )


def _shortest_axis(estimates: Iterable[Estimate]) -> Axis:
    """The shortest axis from 0 that all rates and intervals fit on."""
    rates = []
    for estimate in estimates:
        rates += [rate for rate in (estimate.value, estimate.high) if not math.isnan(rate)]
    highest = 100 * max(rates, default=1)
    top = next(top for top in _GRID_STEPS if highest <= top)
    return Axis(top, _GRID_STEPS[top])


def _report_view(report: Report, name: str, pictures: Pictures, pictures_note: str, links: ReportLinks) -> ReportView:
    outcome_groups = _outcome_groups(report)
    tables = _tables(report)
    return ReportView(
        report=report,
        name=name,
        requests=REQUESTS[report.side],
        outcome_groups=outcome_groups,
        words=_words(report, outcome_groups),
        results=_results(report, outcome_groups, tables),
        rules=tuple(RuleLine(rule, RULES[rule], rate) for rule, rate in report.by_rule.items()),
        axis=_axis_of_all_charts(report),
        stimuli=_stimuli(report),
        twins_note=twins_note(report.twins[-1]) if report.twins else "",
        tables=tables,
        column_heads=_COLUMN_HEADS,
        language_errors=_language_errors(report),
        cautions=tuple(caution for caution in report.cautions if not _is_about_method(caution)),
        method_notes=tuple(caution for caution in report.cautions if _is_about_method(caution)),
        corrected_rates=_corrected_rates(report),
        cards=_cards_view(report, has_search=bool(links.pages)),
        prompts=tuple((report_page_words.prompt_title(arm), text) for arm, text in report.prompts.items()),
        pictures=pictures,
        pictures_note=pictures_note,
        links=links,
    )


def _is_about_method(caution: Caution) -> bool:
    """Whether it weakens nothing: an interval over scenes is as wide as it has to be, and one scene gives none."""
    return isinstance(caution.figures, SharedScenes) and caution.figures.n > 1


def _language_errors(report: Report) -> tuple[str, ...]:
    """What the judge gets wrong in each language that the answers are in."""
    languages = [rate.group for group in report.groups if group.by == "answer_language" for rate in group.rates]
    return language_errors(report.judge or "", languages)


def _words(report: Report, outcome_groups: Sequence[OutcomeGroup]) -> ReportWords:
    judge_range = report.rate.judge_range
    by_rule = [rate.estimate for rate in report.by_rule.values()]
    some_have_only_bounds = any(math.isnan(estimate.value) and estimate.n for estimate in by_rule)
    return ReportWords(
        cautions_title=report_page_words.cautions_title(report),
        rate_spoken=report_page_words.rate_spoken(report),
        outcomes_spoken=report_page_words.layers_spoken(report, [(group.name, group.n) for group in outcome_groups]),
        outcome_marks=report_page_words.layer_marks([group.counted for group in outcome_groups]),
        stimuli_spoken=report_page_words.rates_spoken(_named_stimulus_rates(report)),
        why_failed=report_page_words.why_failed(sum(report.failures.values())),
        why_unjudged=report_page_words.why_unjudged(sum(report.unjudged.values())),
        rules_note=report_page_words.rules_note(report, bounds_only=some_have_only_bounds),
        twins_intro=report_page_words.twins_intro(report.has_twins),
        to_label=report_page_words.to_label(len(report.judge_error.draw)),
        judge_sources=source_rows(report.judge_error.sources),
        as_read=AS_READ,
        judge_range_name=report_page_words.judge_range_name(judge_range) if judge_range else "",
        judge_range_note=report_page_words.judge_range_note(judge_range) if judge_range else "",
    )


def _results(report: Report, outcome_groups: Sequence[OutcomeGroup], tables: Sequence[Group]) -> SectionResults:
    stimuli = _stimuli(report)
    return SectionResults(
        outcomes=report_page_words.counts_line([(group.name, group.n) for group in outcome_groups]),
        rules=report_page_words.range_line(list(report.by_rule.values())),
        stimuli=report_page_words.highest_and_lowest(stimuli.rates) if stimuli else "",
        twins=report_page_words.sides_line(report.twins[-1].harmless, report.twins[-1].harmful) if report.twins else "",
        groups={table.by: report_page_words.highest_and_lowest(table.rates) for table in tables},
        judge=report_page_words.judge_line(report),
        cards=report_page_words.answers_line(report.n_cards),
        method=report_page_words.method_line(report),
    )


def _stimuli(report: Report) -> Group | None:
    return next((group for group in report.groups if group.by == "stimulus"), None)


def _named_stimulus_rates(report: Report) -> list[tuple[str, Rate]]:
    stimuli = _stimuli(report)
    return [(rate.group, rate) for rate in stimuli.rates] if stimuli else []


def _corrected_rates(report: Report) -> tuple[tuple[str, Rate], ...]:
    """The rates of stimuli and of harmful requests that have a corrected one, with their names."""
    named = _named_stimulus_rates(report)
    if report.harmful:
        named.append((sentence_case(report.harmful_name), report.harmful))
    return tuple((name, rate) for name, rate in named if rate.corrected)


def _outcome_groups(report: Report) -> tuple[OutcomeGroup, ...]:
    """The bar of outcomes: its groups from left to right, which together are as wide as the bar."""
    groups = []
    left = 0.0
    for counted, name in _GROUP_NAMES.items():
        shares = [share for share in report.shares if share.counts is counted]
        if not shares:
            continue
        right = left
        segments = []
        for share in shares:
            segments.append(_segment(share, report.n_rows, left=right))
            right += 100 * share.n / report.n_rows
        group = OutcomeGroup(
            name=name,
            counted=counted,
            n=sum(share.n for share in shares),
            segments=tuple(segments),
            left=round(left + _GAP, 2),
            right=round(right - _GAP, 2),
            label_at=_label_at(counted, left, right),
        )
        groups.append(group)
        left = right
    return tuple(groups)


def _segment(share: Share, n_rows: int, left: float) -> Segment:
    width = 100 * share.n / n_rows
    return Segment(
        outcome=share.label,
        n=share.n,
        share=share.n / n_rows,
        left=round(left + _GAP, 2),
        width=round(max(width - 2 * _GAP, _MIN_SEGMENT_WIDTH), 2),
    )


def _label_at(counted: Counted, left: float, right: float) -> Literal["start", "end", ""]:
    """Where the label of a group fits without covering another; every count is in the legend anyway."""
    if left == 0:
        return "start"
    if counted is Counted.REFUSED and right >= _MIN_END_OF_REFUSALS:
        return "end"
    return ""


def _axis_of_all_charts(report: Report) -> Axis:
    rates = [report.rate, *report.by_rule.values()]
    for group in report.groups:
        rates += group.rates
    estimates = [rate.estimate for rate in rates]
    if report.rate.corrected:
        estimates.append(report.rate.corrected.estimate)
    return _shortest_axis(estimates)


def _tables(report: Report) -> tuple[Group, ...]:
    """Groups that have a table: columns of one's own, arms, harm classes, what the image shows, epochs."""
    groups = {group.by: group for group in report.groups}
    groups["flags"] = _all_flags(groups)
    if "harm" in groups:
        groups["harm"] = _in_sentence_case(groups["harm"])
    own_columns = [by for by in groups if by not in (*GROUPS, *_COLUMN_HEADS)]
    with_table = [groups[by] for by in (*own_columns, *_COLUMN_HEADS) if by in groups]
    return tuple(group for group in with_table if group.rates)


def _all_flags(groups: Mapping[str, Group]) -> Group:
    """What the image shows: the groups of all flags as one, whose rates name their flag."""
    rates: list[Rate] = []
    for flag, words in FLAGS.items():
        if flag in groups:
            rates += [replace(rate, group=f"{words}: {rate.group}") for rate in groups[flag].rates]
    return _in_sentence_case(Group("flags", "By image content", tuple(rates)))


def _in_sentence_case(group: Group) -> Group:
    rates = [replace(rate, group=sentence_case(rate.group)) for rate in group.rates]
    return replace(group, rates=tuple(rates))


def card_anchor(side: Side, id: str) -> str:
    """Where in a report a sample's first card is."""
    return f"{side}-{quote(id, safe='')}"


def _cards_view(report: Report, *, has_search: bool) -> CardsView:
    parts = _kinds_of_cards(report.cards)
    index_of_first_card: dict[str, int] = {}
    for index, card in enumerate(report.cards):
        index_of_first_card.setdefault(card_anchor(card.side, card.id), index)
    return CardsView(
        title=sentence_case(listing(parts)) if parts else "",
        anchors={index: anchor for anchor, index in index_of_first_card.items()},
        choices=_card_choices(report.cards),
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


def _card_choices(cards: Sequence[Card]) -> CardChoices:
    labels = {Side.BENIGN: "Harmless", Side.CONTRAST: "Harmful"}
    sides = [side for side in Side if any(card.side is side for card in cards)]
    stimuli = dict.fromkeys(card.stimulus for card in cards if card.stimulus)
    outcomes = dict.fromkeys(card.outcome for card in cards)
    return CardChoices(
        side=tuple((side.value, labels[side]) for side in sides),
        stimulus=tuple((stimulus, stimulus) for stimulus in stimuli),
        kind=tuple((outcome, outcome.capitalize()) for outcome in outcomes),
    )
