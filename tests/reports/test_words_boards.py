from dataclasses import replace
from math import nan

import pytest

from mossbench.leaderboard.board_notes import BoardNote
from mossbench.leaderboard.boards import Board, BoardRow
from mossbench.reports.words.boards import (
    board_finding,
    board_method,
    board_title,
    column_notes,
    note_sentences,
    safety_of_first,
    shared_by_all_rows,
)
from mossbench.statistics import Estimate
from mossbench.statistics.ranking import Ranked


def estimate(value, low=nan, high=nan):
    return Estimate(value, low, high, 100, 0, "wilson")


def row(name, ranks=None, *, rate=0.2, safety=0.9, less_safe_than=()):
    """A row whose true rank is between these two; without them it is not ranked."""
    place = None
    if ranks:
        low, high = ranks
        place = Ranked(name, rate, low, low, high, best=0.5, tie_group=1, n=100, n_left_out=0, method="exact")
    return BoardRow(
        name,
        "API",
        "2026-01-31",
        estimate(rate, rate - 0.1, rate + 0.1),
        by_stimulus={},
        safety=None if safety is None else estimate(safety),
        place=place,
        source="runs",
        less_safe_than=less_safe_than,
    )


def board(*rows, **fields):
    given = {"dataset": "sketches", "data_hash": "", "judge": "rules/4", "rule": "system", "stimulus": None}
    return Board(**{**given, "rows": rows, "published": False, **fields})


def heading(board):
    finding = board_finding(board)
    return f"{finding.before}{' or '.join(finding.names)}{finding.after}"


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([], "No models match"),
        ([row("a")], "No model can be ranked"),
        ([row("a", (2, 3))], "None of the models shown can be first"),
        ([row("a", (1, 1))], "One model, a: 20.0\u202f% of harmless requests refused"),
        (
            [row("a", (1, 1), safety=None), row("b")],
            "Only a is ranked: 20.0\u202f% of harmless requests refused",
        ),
        (
            [row("a", (1, 1)), row("b", (2, 2))],
            "a is first: 20.0\u202f% of harmless requests refused",
        ),
        (
            [row("a", (1, 1), less_safe_than=("b",)), row("b", (2, 2))],
            "a is first by harmless requests alone: 20.0\u202f% refused",
        ),
        ([row("a", (1, 2)), row("b", (2, 2))], "a may be first"),
        ([row("a", (1, 2)), row("b", (1, 2))], "a or b may be first"),
        ([row(name, (1, 4)) for name in "abcd"], "4 models may be first"),
        ([row("a", (1, 2), less_safe_than=("b",)), row("b", (2, 2))], "a may be first by harmless requests alone"),
    ],
)
def test_a_heading_names_whoever_may_be_first(rows, text):
    assert heading(board(*rows)) == text


def test_a_published_board_says_so_before_what_it_shows():
    assert heading(board(row("a"), published=True)) == "Published: 1 model as printed"
    ranked = [row(name, (1, 4)) for name in "abcd"]
    assert heading(board(*ranked, published=True)) == "Published: 4 models may be first"
    assert heading(board(published=True)) == "No models match"


def test_the_lines_under_a_heading_say_how_certain_ranks_are_and_what_was_asked():
    one = board(row("a", (1, 1)))
    assert board_method(one) == "Dataset sketches, judge rules/4, counting rule system."
    two = board(row("a", (1, 1)), row("b", (2, 3)), stimulus="Negated Harm", ranked_with="controls", asked=("seed 3",))
    assert board_method(two) == (
        "1 of 2 ranks is certain. Control models, ranked among themselves. Dataset sketches, judge rules/4, counting "
        "rule system, Negated Harm only. Settings other than the default: seed 3."
    )
    none = board(row("a", (1, 2)), row("b", (1, 2)), published=True)
    assert board_method(none) == (
        "None of 2 ranks is certain. Dataset sketches, judge rules/4, counting rule system. Hollow marks are published "
        "figures, never ranked with runs; mossbench computed the intervals."
    )


def test_a_title_has_the_protocol_and_whom_it_ranks():
    assert board_title(board()) == "data sketches · judge rules/4 · rule system"
    assert board_title(board(ranked_with="controls", asked=("seed 3",), stimulus="Negated Harm")) == (
        "Control models: data sketches, Negated Harm · judge rules/4 · rule system · seed 3"
    )


def test_columns_are_explained_only_where_they_are_shown():
    assert column_notes([]) == column_notes([board()]) == ""
    plain = row("a", safety=None)
    assert column_notes([board(plain)]) == (
        "Refused: share of harmless requests refused, lower is better, 95 % intervals."
    )
    printed = replace(plain, rate=estimate(0.2))
    assert column_notes([board(printed)], rate="Rate") == "Rate: share of harmless requests refused, lower is better."
    everything = column_notes([board(row("a", (1, 2), less_safe_than=("b",)), row("b", (1, 2)))], tied="in a bar")
    assert "Rows in a bar do not differ significantly" in everything
    assert "Safety: share of harmful requests refused, higher is better. ‡ or less safe: refuses" in everything


def test_safety_is_said_beside_whoever_may_be_first():
    assert safety_of_first(board(row("a"))) == []
    less_safe = board(row("a", (1, 1), less_safe_than=("b",)), row("b", (2, 2)))
    assert safety_of_first(less_safe) == [
        "May be first, but less safe: a, with significantly fewer harmful requests refused than b.",
        "Harmful requests refused by the first: a 90.0\u202f%.",
    ]
    unknown = board(row("a", (1, 2), safety=None), row("b", (1, 2), safety=0.0))
    assert safety_of_first(unknown) == [
        "b refused no harmful request.",
        "It is not known how many harmful requests a would refuse.",
    ]
    several = board(row("a", (1, 2), safety=0.5), row("b", (1, 2), safety=0.25))
    assert safety_of_first(several) == [
        "Harmful requests refused by those that may be first: b 25.0\u202f%, a 50.0\u202f%."
    ]


def test_what_all_rows_share_is_said_once():
    assert shared_by_all_rows(board(row("a"), row("b"))) == (
        "date 2026-01-31 · provider not recorded · n = 100, 0 left out"
    )


def test_a_note_begins_with_a_capital_unless_it_begins_with_a_name():
    remarks = (BoardNote("no_hash", "data have no hash"), BoardNote("not_ranked", "a is left out.", ("a",)))
    assert list(note_sentences(board(row("a"), remarks=remarks))) == ["Data have no hash.", "a is left out."]
