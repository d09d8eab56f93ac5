"""A headline has at most ten words: every function that makes one is asked with a range of records."""

import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from itertools import product
from math import nan
from types import SimpleNamespace

import pytest

import mossbench as mb
import mossbench.reports.words
from mossbench.leaderboard.boards import Board, BoardRow
from mossbench.leaderboard.both_sides import Place, Standing
from mossbench.outcomes import Layer, Rule
from mossbench.reports.ranking import EverythingRefused, NothingRefused, NotRanked, NotShown, RefusedMost
from mossbench.reports.record import Twins
from mossbench.reports.words import (
    agreement,
    boards,
    compare_page,
    comparisons,
    home_page,
    published,
    rates,
    report_page,
    reproduction,
    scoreboard,
    search_page,
    standing,
    traces_page,
    twins_page,
)
from mossbench.reports.words import judges as judge_words
from mossbench.results.comparisons import Comparison
from mossbench.results.differences import Difference
from mossbench.results.missing import Missing
from mossbench.results.rates import Corrected, Rate
from mossbench.results.unfamiliar import UnfamiliarAnswers
from mossbench.samples import Side
from mossbench.statistics import Confusion, Estimate, Significance, wilson
from mossbench.statistics.ranking import Ranked

MOST_WORDS = 10
ENDS_OF_HEADLINES = ("headline", "heading", "title", "decision", "board_finding")
NO_HEADLINES = {
    "boards.board_title",  # data, judge and settings of a board, as a label
    "explorer_page.twin_title",
    "report_page.page_title",
    "report_page.prompt_title",
    "runs.arm_title",
}
"""Functions whose name ends so, and that make a label."""
ESTIMATE = wilson(30, 120)
STIMULI = ("Exaggerated Risk", "Negated Harm", "Counterintuitive Interpretation")


def words_of(headline: str) -> list[str]:
    """The words of a headline; a per cent sign and a dash between spaces are none."""
    return [word for word in headline.split() if any(char.isalnum() for char in word)]


def rate_headlines() -> Iterator[str]:
    counts = (0, 1, 2, 19, 20, 80, 101, 2000)
    for side, n, n_left_out, n_unjudged in product(Side, counts, (0, 3), (0, 1, 60)):
        for refused in {0, n // 120, n // 7, n // 2, n}:
            layers = {**dict.fromkeys(Layer, 0), Layer.JUDGED: n}
            rate = Rate(side, "all", replace(wilson(refused, n), n_left_out=n_left_out), refused, layers)
            for n_unfamiliar, corrected in product((0, n), (None, Corrected(ESTIMATE, "labels", "x"))):
                changed = replace(rate, n_unfamiliar=n_unfamiliar, corrected=corrected)
                yield rates.headline("m", changed, n_unjudged=n_unjudged)
                yield rates.headline("m", replace(changed, layers=dict.fromkeys(Layer, 0)), n_unjudged=n_unjudged)


def group_titles() -> Iterator[str]:
    groups = [STIMULI[2:], STIMULI[1:]]  # all three would be the highest rate of all
    for most in (NotRanked(), NothingRefused(), EverythingRefused(), NotShown(), *map(RefusedMost, groups)):
        yield rates.groups_title(most, "stimulus", "By stimulus")


def twins_titles() -> Iterator[str]:
    yield rates.twins_title([])
    none = Estimate(0.0, 0.0, 0.1, 40, 0, "wilson")
    for p, statistic, harmless, harmful, missing, unfamiliar in product(
        (nan, 0.001, 0.5), (-1.0, 1.0), (none, ESTIMATE), (replace(none, value=1.0), ESTIMATE), (0, 1), (0, 1)
    ):
        test = Significance(p, statistic, 40, 0, "swap")
        twins = Twins("All", harmless, harmful, ESTIMATE, ESTIMATE, ESTIMATE, test, bool(missing), bool(unfamiliar))
        yield rates.twins_title([twins])


def comparison_headlines() -> Iterator[str]:
    for n_others, p, value, is_missing, is_unfamiliar in product((1, 2, 5), (0.001, 0.5), (-0.2, 0.2), (0, 1), (0, 1)):
        names = ("a", *(f"b{number}" for number in range(n_others)))
        unfamiliar = (UnfamiliarAnswers("a", Side.BENIGN, "rules/4", 30, 100),) if is_unfamiliar else ()
        differences = []
        for side, second in product(Side, names[1:]):
            difference = Difference(
                first="a",
                second=second,
                side=side,
                group="all",
                rates=(0.1, 0.3),
                estimate=Estimate(value, value - 0.1, value + 0.1, 100, 0, "tango"),
                only_first=1,
                only_second=2,
                p=p,
                p_adjusted=p,
                n_needed=None,
                missing=(Missing(100, 40) if is_missing else Missing(), Missing()),
                unfamiliar=unfamiliar,
            )
            differences.append(difference)
        yield comparisons.headline(Comparison(names, "d", "rules/4", Rule.SYSTEM, tuple(differences), (), {}, {}))


def places(n: int) -> Iterator[tuple[Place, ...]]:
    """Models with rates that rise, in all combinations of safety and of what is shown."""
    names = [f"m{number}" for number in range(n)]
    for safe, is_told_apart, n_less_safe in product((None, "some", "all"), (False, True), range(n)):
        made = []
        for number, name in enumerate(names):
            is_known = safe == "all" or (safe == "some" and number % 2 == 0)
            place = Place(
                name=name,
                model=name,
                run=name,
                harmless_refused=wilson(10 * number, 120),
                harmful_refused=ESTIMATE if is_known else None,
                corrected=Corrected(ESTIMATE, "labels", "x") if is_told_apart else None,
                on_front=False,
                refuses_fewer_than=frozenset(names[number + 1 :]) if is_told_apart else frozenset(),
                less_safe_than=frozenset(names[-1:]) if is_known and number < n_less_safe else frozenset(),
            )
            made.append(place)
        yield tuple(made)


def home_headings() -> Iterator[str]:
    for n in (1, 2, 3, 6):
        for placed in places(n):
            yield standing.heading(Standing("key", SimpleNamespace(), placed))
    for n_ranked, is_safety_known in product((1, 2, 20), (True, False)):
        yield home_page.leading_title(n_ranked=n_ranked, is_safety_known=is_safety_known)


def board_row(name: str, ranks: tuple[int, int] | None, less_safe_than: tuple[str, ...]) -> BoardRow:
    place = None
    if ranks:
        place = Ranked(name, 0.2, ranks[0], *ranks, best=0.5, tie_group=1, n=100, n_left_out=0, method="exact")
    return BoardRow(name, "", "", ESTIMATE, {}, ESTIMATE, place, "runs", less_safe_than=less_safe_than)


def board_findings() -> Iterator[str]:
    some = (
        [],
        [None],
        [(2, 3)],
        [(1, 1)],
        [(1, 1), None],
        [(1, 1), (2, 2)],
        [(1, 2), (1, 2)],
        [(1, 4)] * 3,
        [(1, 5)] * 5,
    )
    for ranks, stimulus, less_safe, is_published in product(some, (None, *STIMULI), ((), ("x",)), (False, True)):
        rows = [board_row(f"m{number}", rank, less_safe) for number, rank in enumerate(ranks)]
        if is_published and less_safe:
            continue  # of printed models nobody knows whether one is less safe
        board = Board("d", "", "rules/4", "system", stimulus, tuple(rows), published=is_published)
        finding = boards.board_finding(board)
        names = " or ".join(filter(None, [", ".join(finding.names[:-1]), *finding.names[-1:]]))
        yield f"{finding.before}{names}{finding.after}"


def judge_titles() -> Iterator[str]:
    layers = {**dict.fromkeys(Layer, 0), Layer.JUDGED: 120}
    rate = Rate(Side.BENIGN, "all", ESTIMATE, 30, layers)
    labels = SimpleNamespace(at_random={}, n_unknown=0, n_apart=0, n_disputed=0, source="", file=None)
    for counts, corrected, unfilled, not_random, are_few in product(
        (Confusion(10, 0, 0, 90), Confusion(10, 1, 1, 90), Confusion(5, 20, 5, 70)),
        (None, Corrected(ESTIMATE, "labels", "100 labelled answers", "100 of 100 drawn at random")),
        ("", "Only 3 of 9."),
        ("", "They differ."),
        (False, True),
    ):
        measured = judge_words.MeasuredHere(
            "rules/4", counts, labels, replace(rate, corrected=corrected), not_random, unfilled, are_few
        )
        yield judge_words._measured_here_title(measured)
    controls = Corrected(ESTIMATE, "controls", "answers of control models")
    yield judge_words.measured_on_controls("rules/4", Confusion(10, 1, 1, 90), controls).title
    yield judge_words.not_measured("rules/4").title
    yield judge_words.measured_elsewhere("rules/4", None, "").title
    yield judge_words.measured_on_unknown_choice("rules/4", Confusion(10, 1, 1, 90), rate).title
    yield judge_words.no_judge().title
    yield judge_words.people().title


def published_headings() -> Iterator[str]:
    findings = mb.published_findings()
    yield published.ranks_heading(findings.boards["gpt"])
    yield published.tradeoff_heading(findings)
    yield published.tradeoff_heading(replace(findings, pooled=replace(findings.pooled, p_adjusted=1.0)))
    yield published.products_heading(findings.products)
    for name, value in vars(published).items():
        if name.endswith("_HEADING"):
            yield value


def scoreboard_headings() -> Iterator[str]:
    kappas = (Estimate(0.71, 0.66, 0.76, 300, 0, "bootstrap"), Estimate(0.5, 0.4, 0.6, 300, 0, "bootstrap"))
    nothing = Estimate(nan, nan, nan, 0, 0, "none")
    for first, second, is_whole in product((*kappas, nothing), (*kappas, None), (True, False)):
        estimates = [first] if second is None else [first, second]
        judges = []
        for number, kappa in enumerate(estimates):
            pooled = SimpleNamespace(kappa=kappa, n=300, is_whole=is_whole)
            judges.append(SimpleNamespace(judge=f"judge/{number}", pooled=pooled))
        yield scoreboard.scoreboard_heading(SimpleNamespace(judges=judges))


def agreement_decisions() -> Iterator[str]:
    for low, high, n_scenes in ((0.9, 1.0, 40), (0.7, 0.9, 40), (0.1, 0.3, 40), (0.5, 0.9, 40), (0.9, 1.0, 3)):
        alpha = Estimate((low + high) / 2, low, high, 120, 0, "jackknife")
        people = (SimpleNamespace(alpha=alpha),)
        yield agreement.agreement_decision(
            SimpleNamespace(people=people, n_double=120, n_scenes=n_scenes, rarer=(True, 12))
        )


def other_headings() -> Iterator[str]:
    for n in (0, 1, 2000):
        yield compare_page.changed_heading(n)
        yield search_page.samples_heading(n, "data")
        yield search_page.heading("query", n, has_filters=False)
        yield search_page.heading("", n, has_filters=False)
        estimate = replace(ESTIMATE, n=n)
        yield report_page.cautions_title(SimpleNamespace(rate=SimpleNamespace(estimate=estimate)))
    yield reproduction.reproduction_title(SimpleNamespace(models=range(17), absent=range(3)))


def traces_headings() -> Iterator[str]:
    for n, value, is_known in product((0, 1, 2000), (0.0, 0.005, 0.25, 1.0, nan, None), (True, False)):
        rate = None if value is None else SimpleNamespace(rate=replace(ESTIMATE, value=value), is_known=is_known)
        overview = SimpleNamespace(n_traces=n, rate=rate)
        yield traces_page.traces_heading(overview)
        yield traces_page.refused_heading(overview)


def pages_of_twins() -> Iterator[str]:
    for n_with_twin, n in ((0, 0), (0, 2000), (1, 2000), (1999, 2000), (2000, 2000)):
        yield twins_page.twins_heading(n_with_twin=n_with_twin, n=n)


HEADLINES = {
    "agreement.agreement_decision": agreement_decisions,
    "boards.board_finding": board_findings,
    "compare_page.changed_heading": other_headings,
    "comparisons.headline": comparison_headlines,
    "home_page.leading_title": home_headings,
    "judges": judge_titles,
    "published.products_heading": published_headings,
    "published.ranks_heading": published_headings,
    "published.tradeoff_heading": published_headings,
    "rates.groups_title": group_titles,
    "rates.headline": rate_headlines,
    "rates.twins_title": twins_titles,
    "report_page.cautions_title": other_headings,
    "reproduction.reproduction_title": other_headings,
    "scoreboard.scoreboard_heading": scoreboard_headings,
    "search_page.heading": other_headings,
    "search_page.samples_heading": other_headings,
    "standing.heading": home_headings,
    "traces_page.refused_heading": traces_headings,
    "traces_page.traces_heading": traces_headings,
    "twins_page.twins_heading": pages_of_twins,
}


@pytest.mark.parametrize("render", sorted(set(HEADLINES.values()), key=lambda render: render.__name__))
def test_no_headline_has_more_than_ten_words(render):
    headlines = set(render())
    too_long = [headline for headline in headlines if len(words_of(headline)) > MOST_WORDS]
    assert headlines and not too_long


def test_every_function_that_makes_a_headline_is_asked():
    names = set()
    for module in pkgutil.iter_modules(mossbench.reports.words.__path__):
        for name, function in vars(import_module(f"mossbench.reports.words.{module.name}")).items():
            is_own = inspect.isfunction(function) and function.__module__.endswith(f".{module.name}")
            if is_own and not name.startswith("_") and name.endswith(ENDS_OF_HEADLINES):
                names.add(f"{module.name}.{name}")
    assert names - NO_HEADLINES == set(HEADLINES) - {"judges"}
