from dataclasses import replace

import pytest

import mossbench as mb
from mossbench.reports.words.published import (
    how_findings_were_made,
    judges_paragraph,
    products_heading,
    ranks_heading,
    ranks_paragraph,
    short_findings,
    tradeoff_heading,
)


@pytest.fixture(scope="module")
def findings():
    return mb.published_findings()


def test_short_findings_are_eight_lines_that_end_with_the_way_to_more(findings):
    lines = short_findings(findings)
    assert len(lines) == 8 and lines[0] == "What the published figures of 20 models say once they have intervals:"
    n = len(findings.misprints)
    assert lines[-1] == f"More: mossbench published. {n} misprints corrected: mossbench leaderboard check"


def test_a_heading_counts_the_ranks_that_are_certain(findings):
    board = findings.boards["gpt"]
    sure = [replace(one, place=replace(one.place, low_rank=1, high_rank=1)) for one in board]
    unsure = [replace(one, place=replace(one.place, low_rank=1, high_rank=2)) for one in board]
    assert ranks_heading(unsure) == "None of the 20 ranks is certain"
    assert ranks_heading([sure[0], *unsure[1:]]) == "1 of the 20 ranks is certain"
    assert ranks_heading(sure) == "20 of the 20 ranks are certain"


def test_a_heading_says_whether_safer_models_are_more_oversensitive(findings):
    not_clear = replace(findings.pooled, p_adjusted=1.0)
    heading = tradeoff_heading(replace(findings, pooled=not_clear, tradeoffs=(not_clear,) * 3))
    assert heading == "Are safer models more oversensitive? Not clear over all stimuli"


def test_a_heading_counts_the_products_that_differ_from_their_model(findings):
    differs = replace(findings.products[0], p_worst=0.001, p_best=0.001)
    depends = replace(differs, p_worst=0.5)
    undecided = replace(depends, p_best=0.5)
    assert [pair.verdict for pair in (differs, depends, undecided)] == ["different", "depends", "undecided"]
    assert products_heading([differs, undecided]) == "Web and API: 1 of 2 products differ significantly"
    assert products_heading([differs, depends]) == "Web and API: 1 of 2 products differ significantly"


def test_paragraphs_have_the_numbers_of_the_findings(findings):
    gpt = findings.significant_pairs["gpt"]
    assert f"95 % intervals. {gpt.unrelated} of 190 pairs of models differ significantly" in ranks_paragraph(findings)
    assert f"Pearson {findings.judges.pearson:.2f}. Averages differ by" in judges_paragraph(findings)
    assert f"README; {len(findings.misprints)} misprints corrected, listed by" in how_findings_were_made(findings)
