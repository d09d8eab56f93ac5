"""Checks whether files of a run have lost rows; the error says how to get the rows back.

A file that was cut, or whose last lines were lost on the disk, looks like the file of a smaller run. So `run.json`
records how many rows there were, and every reader of a run compares.
"""

from collections.abc import Mapping, Sequence

from mossbench.datasets.arms import Row, plan
from mossbench.errors import RunError
from mossbench.outcomes import Exchange, Key
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import RunInfo
from mossbench.ways_out import JudgeRun, Resume


def planned_rows(folder: RunFolder, info: RunInfo) -> list[Row]:
    """All planned rows of the run.

    Raises:
        RunError: samples.jsonl has lost some of their samples.
    """
    rows = plan(folder.samples(), info.arms, info.config.epochs)
    is_about_to_start = not rows and not info.ended and not folder.answers_path.exists()
    if len(rows) >= info.n_rows or is_about_to_start:
        return rows
    if not folder.samples_path.exists():
        raise RunError(
            f"{folder.samples_path} is missing: it had the samples for the {info.n_rows:,} rows of the run",
            way_out=Resume(folder.path, to="restore it, or write it again"),
        )
    raise RunError(
        f"{folder.samples_path} is damaged: it has samples for {len(rows):,} of the {info.n_rows:,} rows of the run",
        way_out=Resume(folder.path, to="restore it, or delete it and write it again"),
    )


def checked_exchanges(folder: RunFolder, info: RunInfo, rows: Sequence[Row]) -> dict[Key, Exchange]:
    """The exchanges on record of a run with these planned rows.

    Raises:
        RunError: answers.jsonl has lost some. Answers may only be missing if the run is being written or was stopped.
    """
    exchanges = folder.exchanges()
    errors = {key: exchange.answer.error for key, exchange in exchanges.items()}
    check_answers(folder, info, rows, errors)
    return exchanges


def check_answers(folder: RunFolder, info: RunInfo, rows: Sequence[Row], failed: Mapping[Key, object]) -> None:
    """Raises RunError if answers.jsonl has lost some of its answers.

    Args:
        folder: The folder of the run.
        info: The content of its run.json.
        rows: All planned rows.
        failed: For each row in the file, a true value if it failed (such as its error), else a false one.
    """
    if not info.ended:
        return
    lost = [row.key for row in rows if row.key not in failed]
    if lost and not info.is_partial_import:
        raise RunError(
            f"{folder.answers_path} is damaged: the run ended, but {len(lost):,} of its {len(rows):,} answers are "
            f"missing ({_first_rows(lost)})",
            way_out=Resume(folder.path, to="restore it, or ask those rows again"),
        )
    n_failed = sum(bool(failure) for failure in failed.values())
    if info.failed is not None and n_failed > info.failed:
        raise RunError(
            f"{folder.answers_path} is damaged: {n_failed:,} rows in it failed, {info.failed:,} when the run ended: "
            "later answers are missing",
            way_out=Resume(folder.path, to="restore it, or ask those rows again"),
        )


def _first_rows(keys: Sequence[Key]) -> str:
    """`benign 1, benign 2, contrast 1, …`."""
    row_names = [f"{key.side} {key.sample}" for key in keys[:3]]
    if len(keys) > 3:
        row_names.append("…")
    return ", ".join(row_names)


def check_verdicts(folder: RunFolder, info: RunInfo, judge_label: str, n_verdicts: int) -> None:
    """Raises RunError if a verdicts file, which now has `n_verdicts` rows, once had more."""
    n_before = info.verdicts.get(judge_label, 0)
    if n_verdicts >= n_before:
        return
    judge_name = judge_label.rpartition("/")[0]
    raise RunError(
        f"{folder.verdicts_path(judge_label)} is damaged: {n_verdicts:,} of {n_before:,} verdicts are there",
        way_out=JudgeRun(folder.path, judge_name, to="restore it, or judge the others again"),
    )
