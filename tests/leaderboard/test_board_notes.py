"""What stands below a board: notes of a kind, with the rows that they name."""

from dataclasses import replace

import mossbench as mb
from answered import answered, samples
from mossbench.leaderboard.printed import published_boards
from mossbench.reports.board_page import board_page
from mossbench.reports.board_tables import cells


def test_notes_have_kinds_and_the_rows_that_they_name(tmp_path):
    data = samples(tmp_path / "data", 12)
    some = answered(data, tmp_path / "some", refused=[1, 2])
    most = answered(data, tmp_path / "most", refused=range(1, 11))
    lost = answered(data, tmp_path / "lost", failed=range(1, 7))
    (board,) = mb.make_boards([some, most, lost])
    by_kind = {note.kind: note for note in board.remarks}
    assert [*by_kind] == ["ranks", "not_ranked", "recorded_answers"]
    (unranked,) = [row for row in board.rows if row.not_ranked]
    assert by_kind["not_ranked"].names == (unranked.name,) and by_kind["ranks"].names == ()
    assert set(by_kind["recorded_answers"].names) == {row.name for row in board.rows}
    assert board.notes == tuple(note.text for note in board.remarks)


def test_the_page_leaves_out_how_ranks_were_made_and_writes_names_as_they_are(tmp_path):
    data = samples(tmp_path / "data", 12)
    runs = [answered(data, tmp_path / name, refused=range(n)) for name, n in (("a", 2), ("b", 11))]
    (board,) = mb.make_boards(runs)
    page = board_page([board])
    assert '<p class="note">Ranks: ' not in page and '<p class="note">recorded answers, replayed' in page
    none_shown = replace(board, rows=())
    assert '<p class="note">Recorded answers, replayed' in board_page([none_shown])


def test_cells_of_numbers_have_the_value_that_they_are_sorted_by(tmp_path):
    data = samples(tmp_path / "data", 12, sides=("benign",))
    (board,) = mb.make_boards([answered(data, tmp_path / "a", refused=range(1, 4))])
    page = board_page([board])
    assert '<td role="cell" class="n rate main" data-label="harmless, %" data-value="0.25">25.0' in page
    assert '<td role="cell" class="n" data-label="harmful, %">–' in page


def test_data_without_a_hash_are_told_by_a_note_and_no_hash(tmp_path):
    data = samples(tmp_path / "data", 6, sides=("benign",))
    run = answered(data, tmp_path / "a")
    (hashed,) = mb.make_boards([run])
    assert hashed.data_hash and "no_hash" not in [note.kind for note in hashed.remarks]
    dataset = run.info.dataset.model_copy(update={"hashes": {}})
    (board,) = mb.make_boards([replace(run, info=run.info.model_copy(update={"dataset": dataset}))])
    assert board.data_hash == "" and board.remarks[-1].kind == "no_hash"


def test_a_print_is_shown_with_its_digits_and_a_corrected_table_with_intervals():
    printed = published_boards(table="figure")[0]
    assert all(row.is_as_printed for row in printed.rows) and "[" not in cells(printed.rows[0], printed)[3]
    corrected = published_boards()[0]
    assert not any(row.is_as_printed for row in corrected.rows) and "[" in cells(corrected.rows[0], corrected)[3]
    assert {note.kind for note in corrected.remarks} == {"published"}


def test_older_runs_of_a_model_have_one_note_and_none_of_their_own(tmp_path):
    data = samples(tmp_path / "data", 12)
    runs = [answered(data, tmp_path / name, refused=[1], model_name="Ours") for name in ("a", "b", "c")]
    runs = [
        replace(run, info=run.info.model_copy(update={"started": f"2026-01-0{day}"})) for day, run in enumerate(runs, 1)
    ]
    (board,) = mb.make_boards(runs)
    assert [row.superseded_by for row in board.rows].count("c") == 2
    (note,) = [note for note in board.remarks if note.kind in ("superseded", "not_ranked")]
    assert note.kind == "superseded" and note.text.startswith("2 runs not ranked: superseded by c")
