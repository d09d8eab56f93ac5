"""The published figures: facts, misprints, and what follows from them."""

import io
import json
import re
import time
from dataclasses import replace

import pytest
from click.testing import CliRunner
from rich.console import Console

import mossbench as mb
from mossbench.cli import cli
from mossbench.published.printed_findings import unknown_pairs
from mossbench.published.tables import published_points
from mossbench.reports.board_page import board_page
from mossbench.reports.board_tables import boards_csv, boards_markdown
from mossbench.reports.published_tables import findings_page
from mossbench.samples import Stimulus
from mossbench.statistics import holm, spearman
from published.misprints import check_averages, compare_plot, compare_prints, found_again, template_counts


@pytest.fixture(scope="module")
def found():
    return mb.published_findings()


def test_the_table_has_twenty_models_in_three_sections_and_its_means():
    gpt, human = mb.published_rates("gpt"), mb.published_rates("human")
    assert [sum(row.availability == kind for row in gpt) for kind in ("web", "API", "open")] == [3, 8, 9]
    means = [100 * sum(row.shares[k] for row in gpt) / 20 for k in range(3)]
    assert means == pytest.approx([18.0, 24.8, 27.15], abs=0.051)
    assert round(100 * sum(row.mean for row in human) / 20, 1) == 22.0
    web = [row.mean for row in gpt if row.availability == "web"]
    assert round(100 * sum(web) / 3, 1) == 45.2
    assert len({row.name for row in gpt}) == 20


@pytest.mark.parametrize(
    ("where", "what", "printed", "expected"),
    [
        ("README board", "Claude 3 opus, CI", "55", "50"),
        ("README board", "GPT-4V is missing", "19 rows", "20 rows"),
        ("main results figure, human", "Gemini Advanced (web), average", "63.67", "62.67"),
        ("main results figure, GPT judge", "MiniCPM-V 2.0, average", "12.34", "12.33"),
        ("system-prompt figure", "+helpfulness, average", "28.7", "24.7"),
        ("compliance chart", "Gemini-Pro Vision, label", "23.67", "88.67"),
        ("compliance chart", "Gemini Advanced (web), label", "36.33", "37.33"),
        ("plot against safety", "LLaVA-1.5-13b, harmless ER / NH / CI", "32 / 48 / 13", "9 / 9 / 11"),
        ("plot against safety", "Claude 3 sonnet, harmful CI", "66", "93"),
        ("perception figure", "Gemini-Pro 1.5, share right, average", "about 69", "about 73"),
        ("perception figure", "Gemini-Pro 1.5, share refused, average", "about 7.4", "about 4"),
    ],
)
def test_each_misprint_is_found(where, what, printed, expected):
    (one,) = [m for m in mb.check_published() if (m.where, m.what) == (where, what)]
    assert (one.printed, one.expected) == (printed, expected)


def test_nothing_else_is_called_a_misprint():
    assert len(mb.check_published()) == 11 and mb.check_published() == found_again()
    assert [m.what for m in mb.check_published() if m.inferred] == ["Claude 3 sonnet, harmful CI"]


def test_planted_misprints_are_found_and_their_absence_too():
    rows = mb.published_rates("gpt", table="corrected")
    assert not [*check_averages(rows, "here"), *compare_prints(rows, rows)]
    bent = (replace(rows[0], shares=(0.07, 0.02, 0.04)), *rows[1:])
    assert [m.what for m in check_averages(bent, "here")] == ["GPT-4o (web), average"]
    assert [m.what for m in compare_prints(rows, bent)] == ["GPT-4o (web), ER"]
    assert not list(compare_plot(published_points(), rows))


def test_the_template_is_226_of_244():
    counts = template_counts().values()
    assert (sum(refused for refused, _ in counts), sum(n for _, n in counts)) == (226, 244)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"tabled": False, "swapped": False}, (0.19, 0.41, 0.47)),
        ({"swapped": False}, (0.32, 0.56, 0.47)),
        ({}, (0.32, 0.56, 0.46)),
    ],
)
def test_the_correlations_of_safety_and_oversensitivity(options, expected):
    points = published_points(**options)
    rhos = [
        spearman([p.harmless_refused[k] for p in points], [p.harmful_refused[k] for p in points]).value
        for k in range(3)
    ]
    assert tuple(round(rho, 2) for rho in rhos) == expected


def test_the_judges_agree_as_computed_by_hand(found):
    judges = found.judges
    assert round(judges.models.value, 2) == 0.96 and round(judges.pearson, 2) == 0.99
    assert round(judges.cells.value, 2) == 0.89
    assert round(100 * judges.mean_gap, 1) == 4.4 and round(100 * judges.mean_cell_gap, 1) == 4.9
    assert judges.worst == ("Reka", "ci", 0.18, 0.0)
    gaps = {gap.name: round(100 * gap.estimate.value, 1) for gap in judges.gaps}
    assert (gaps["Claude 3 sonnet"], gaps["Claude 3 haiku"], gaps["Gemini-Pro 1.5"]) == (-10.3, -6.0, -5.3)


def test_few_ranks_are_distinguishable(found):
    board = found.boards["gpt"]
    assert sum(len(board) - one.place.high_rank for one in board) == found.significant_pairs["gpt"].unrelated == 106
    assert max(one.place.tie_group for one in board) == 5
    assert all(one.place.low_rank <= one.place.rank <= one.place.high_rank for one in board)
    assert not any(one.place.low_rank == one.place.high_rank for one in board)
    assert all(one.rate.low < one.rate.value < one.rate.high and one.rate.n == 300 for one in board)


@pytest.mark.slow
def test_pairs_told_apart_say_what_they_rest_on(found):
    """The answers were not published, so the count depends on what is assumed of pairs and scenes."""
    counts = found.significant_pairs["gpt"]
    assert (counts.worst, counts.unrelated, counts.items) == (94, 106, 120)
    people = found.significant_pairs["human"]
    assert people.worst < people.unrelated < people.items
    page = shown()
    assert "106 of 190 pairs of models differ significantly if two models' answers are unrelated" in page
    assert "94 however" in page and "120 if" in page and "which is cautious" not in page


@pytest.mark.slow
def test_the_pooled_correlation_stands_with_the_single_ones_and_all_are_corrected(found):
    pooled, single = found.pooled, found.tradeoffs
    assert [round(x, 2) for x in (pooled.corrected.value, pooled.corrected.low, pooled.corrected.high)] == [
        0.64,
        0.15,
        0.87,
    ]
    assert pooled.printed is None and 0.006 < pooled.p < 0.011  # t and Fisher's z approximate it by 0.008 and 0.007
    by_hand = holm([pooled.p, *(one.p for one in single)])
    assert [pooled.p_adjusted, *(one.p_adjusted for one in single)] == pytest.approx(by_hand.tolist())
    assert pooled.p_adjusted < 0.05 < min(one.p_adjusted for one in single)
    page = shown()
    assert "Are safer models more oversensitive? Not clear over all stimuli" in page
    assert "Not clear: rho 0.50 as drawn, 0.64 corrected" in shown("--short")


def test_a_correlation_is_clear_only_if_so_with_and_without_our_corrections(found):
    pooled = found.pooled
    drawn = [round(x, 2) for x in (pooled.plotted.value, pooled.plotted.low, pooled.plotted.high)]
    assert drawn == [0.5, -0.03, 0.81] and pooled.p_plotted_adjusted > 0.05 and not pooled.clear
    assert replace(pooled, p_plotted_adjusted=0.04).clear and not replace(pooled, p_adjusted=0.06).clear


@pytest.mark.slow
def test_differences_are_corrected_for_the_number_of_rows_of_their_table(found):
    """One of 20 judges' gaps and none of 12 changes by a prompt is left; one by one it would be more."""
    prompts = [pair for _, some in found.prompts for pair in some]
    for pairs, n, left in ((found.judges.gaps, 20, 1), (prompts, 12, 0), (found.products, 3, 2)):
        alone = [pair.estimate.low > 0 or pair.estimate.high < 0 for pair in pairs]
        assert len(pairs) == n and sum(pair.verdict == "different" for pair in pairs) == left <= sum(alone)
    assert "pairing of the readings: mPLUG-Owl2 (+9.3" in shown()


@pytest.mark.slow
def test_safety_by_items_and_by_categories_are_significant_pairs(found):
    point = next(point for point in published_points() if point.model == "GPT-4V")
    assert (round(100 * point.safety_by_items, 1), round(100 * point.safety_by_stimulus, 1)) == (48.4, 41.9)
    line = next(line for line in shown().splitlines() if line.startswith(" GPT-4V") and "48.4" in line)
    assert "41.9" in line
    board = CliRunner().invoke(cli, ["leaderboard", "show", "--published"]).stdout
    assert "over all 244 harmful items" in board


def test_inferred_values_are_marked_on_boards():
    (board, _) = mb.published_boards()
    marked = {row.name for row in board.rows if row.inferred}
    assert marked == {"Claude 3 sonnet", "Claude 3 haiku"}
    (negated, _) = mb.published_boards(stimulus=Stimulus.NEGATED_HARM)
    assert not any(row.inferred for row in negated.rows)  # only their CI cells are inferred
    text = boards_markdown([board])
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert all(("†" in line) is any(name in line for name in marked) for line in rows)
    assert "† inferred" in text and "inferred" in boards_csv([board]) and "†" in board_page([board])
    (readme,) = mb.published_boards(table="readme")
    assert any("not copied cell by cell" in note for note in readme.notes)


@pytest.mark.slow
def test_the_abstracts_76_is_linked_to_the_number_it_stands_for():
    assert "The abstract's “up to 76 %” is Claude 3 opus (web) as people read it, 76.3 %" in shown()
    assert "people: 76 %" in shown("--short")


def shown(*flags: str) -> str:
    text = CliRunner().invoke(cli, ["published", *flags]).stdout
    return text + " ".join(text.split())


def test_two_web_products_differ_from_their_model_and_one_hangs_on_the_pairs(found):
    assert [one.verdict for one in found.products] == ["depends", "different", "different"]


def test_what_cannot_be_told_holds_whatever_the_pairs_and_scenes(found):
    """With every refusal of one column also in the other, and each item alone, the exact tests must not decide."""
    verdicts = {(condition, pair.name): pair for condition, some in found.prompts for pair in some}
    pairs = list(verdicts.values())
    differing = [round(pair.estimate.n * abs(pair.first - pair.second)) for pair in pairs]
    exact = holm([min(1.0, 2.0 ** (1 - n)) for n in differing])
    assert any(pair.verdict == "undecided" for pair in pairs)
    assert all(p > 0.05 for pair, p in zip(pairs, exact, strict=True) if pair.verdict == "undecided")


def test_rates_without_rows_that_are_no_answers(found):
    rates = {one.name: round(100 * one.rate.value, 1) for one in found.without_gaps}
    assert (rates["Claude 3 opus"], rates["Claude 3 sonnet"], rates["Claude 3 haiku"]) == (31.5, 52.8, 46.9)
    assert all(one.rate.n + one.rate.n_left_out == 300 for one in found.without_gaps)


def test_stages_add_up_to_all_refusals(found):
    for model in ("Claude 3 opus", "Gemini-Pro 1.5"):
        shares = [one.share.value for one in found.stages if one.model == model]
        assert sum(shares) == pytest.approx(1) and all(one.share.n == 30 for one in found.stages)


def test_the_worst_pairing_shows_less_than_the_best():
    pair = unknown_pairs("x", (0.3, 0.3, 0.3), (0.2, 0.2, 0.2))
    assert pair.estimate.low < 0.1 < pair.estimate.high and pair.p_best < 0.001 < pair.p_worst
    assert unknown_pairs("x", (0.5,), (0.5,), (100,)).verdict == "undecided"
    nothing = unknown_pairs("x", (0.0,), (0.0,), (100,))
    assert nothing.estimate.value == 0 and nothing.estimate.low < 0 < nothing.estimate.high


@pytest.mark.parametrize(
    "p_worst, p_best, verdict",
    [(0.05, 0.01, "different"), (0.06, 0.05, "depends"), (0.2, 0.06, "undecided"), (1.0, 0.4, "undecided")],
)
def test_a_difference_is_decided_by_its_worst_and_its_best_pairing(p_worst, p_best, verdict):
    pair = unknown_pairs("x", (0.3,), (0.2,), (100,))
    assert replace(pair, p_worst=p_worst, p_best=p_best).verdict == verdict


def test_no_rate_of_the_board_is_folded_at_80_columns(found):
    console = Console(width=80, file=io.StringIO())
    console.print(findings_page(found))
    board = console.file.getvalue().partition("people %")[2].partition("2. The GPT judge")[0]
    assert len(re.findall(r"^ \S.* \[\d+–\d+\] [a-e] .* \[\d+–\d+\] +\d+ *$", board, re.M)) == 20
    assert len(board.strip().splitlines()) == 1 + 1 + 20


@pytest.mark.slow
def test_published_prints_a_page_and_json_and_is_quick():
    start = time.process_time()
    page = CliRunner().invoke(cli, ["published"])
    assert time.process_time() - start < 5
    assert page.exit_code == 0 and "106 of 190 pairs" in page.stdout and "11 misprints corrected" in page.stdout
    content = json.loads(CliRunner().invoke(cli, ["published", "--json"]).stdout)
    assert len(content["boards"]["gpt"]) == 20 and content["tradeoffs"][0]["printed"] == 0.19


@pytest.mark.slow
def test_the_short_form_is_short_and_only_below_the_default_run(small):
    short = CliRunner().invoke(cli, ["published", "--short"]).stdout
    assert len(short.strip().splitlines()) == 8 and max(map(len, short.splitlines())) <= 80
    default = CliRunner().invoke(cli, ["run", "--limit", "2"]).stdout
    assert short.strip() in default
    named = CliRunner().invoke(cli, ["run", "--model", "control/candid", "--data", str(small)]).stdout
    assert "published figures of" not in named
