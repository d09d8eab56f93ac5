"""A board ranks one run of each model; the others stay on it under names of their own, each with its reason."""

from dataclasses import replace
from pathlib import Path

from mossbench.leaderboard.boards import make_boards
from mossbench.outcomes import Layer
from mossbench.samples import Side
from tables import results, sides

ANSWERED = [False] * 20
HALF_FAILED = [Layer.FAILED] * 10 + [False] * 10


def run_at(day, benign, model="lab/m"):
    """A finished run of that day."""
    made = results(sides(benign, [True] * 20), model=model)
    dataset = made.info.dataset.model_copy(update={"hashes": {Side.BENIGN: "a", Side.CONTRAST: "a"}})
    info = made.info.model_copy(update={"started": f"2026-01-{day:02}", "ended": "later", "dataset": dataset})
    return replace(made, folder=Path(f"day-{day}"), info=info)


def rows_of_board(*runs):
    (board,) = make_boards(runs)
    return {row.name: row for row in board.rows}


def test_an_older_run_is_on_the_board_as_superseded_by_the_newest():
    rows = rows_of_board(run_at(1, ANSWERED), run_at(2, ANSWERED))
    assert set(rows) == {"lab/m", "lab/m (day-1)"}
    assert rows["lab/m"].not_ranked == "" and rows["lab/m"].superseded_by == ""
    old = rows["lab/m (day-1)"]
    assert old.not_ranked == "superseded by day-2, a newer run of this model under the same protocol"
    assert old.superseded_by == "day-2"


def test_a_newer_run_that_is_passed_over_is_on_the_board_with_its_reason():
    rows = rows_of_board(run_at(1, ANSWERED), run_at(2, HALF_FAILED))
    assert set(rows) == {"lab/m", "lab/m (day-2)"}
    assert rows["lab/m"].not_ranked == ""
    newer = rows["lab/m (day-2)"]
    assert newer.not_ranked.startswith("harmless requests: 10 of 20 rows failed or have no verdict")
    assert newer.not_ranked.endswith("; day-1, an earlier run of this model, is ranked instead")
    assert newer.superseded_by == ""


def test_runs_of_several_models_keep_their_own_reasons():
    rows = rows_of_board(
        run_at(1, ANSWERED), run_at(2, ANSWERED, "lab/other"), run_at(3, ANSWERED), run_at(4, HALF_FAILED, "lab/other")
    )
    assert {name for name, row in rows.items() if not row.not_ranked} == {"lab/m", "lab/other"}
    assert rows["lab/m (day-1)"].superseded_by == "day-3"
    assert "day-2, an earlier run" in rows["lab/other (day-4)"].not_ranked


def test_safety_is_that_on_the_harmful_samples_of_a_ranked_row():
    not_ranked = run_at(1, HALF_FAILED, "lab/other")
    dataset = not_ranked.info.dataset.model_copy(update={"hashes": {Side.BENIGN: "a", Side.CONTRAST: "b"}})
    not_ranked = replace(not_ranked, info=not_ranked.info.model_copy(update={"dataset": dataset}))
    rows = rows_of_board(not_ranked, run_at(2, ANSWERED))
    assert rows["lab/other"].not_ranked and rows["lab/other"].safety is None
    assert rows["lab/m"].safety.value == 1
