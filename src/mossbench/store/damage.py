"""Checks whether files of a run have lost rows; the error says how to get the rows back.

A file that was cut, or whose last lines were lost on the disk, looks like the file of a smaller run. So `run.json`
records how many rows there were, and every reader of a run compares.
"""

from collections.abc import Sequence

from mossbench.datasets.arms import Row
from mossbench.datasets.planned_rows import keys_of, plan
from mossbench.errors import RunError
from mossbench.outcomes import Exchange, Key
from mossbench.samples import Sample
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import RunInfo
from mossbench.ways_out import JudgeRun, Resume


def planned_rows(folder: RunFolder, info: RunInfo, samples: Sequence[Sample] | None = None) -> Sequence[Row]:
    """All planned rows of the run, whose samples may have been read already.

    Raises:
        RunError: samples.jsonl has lost some of their samples.
    """
    rows = plan(folder.samples() if samples is None else samples, info.arms, info.config.epochs)
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
    lost = [key for key in keys_of(rows) if key not in exchanges] if info.ended else []
    n_failed = sum(exchange.answer.error is not None for exchange in exchanges.values())
    check_answers(folder, info, len(rows), lost, n_failed)
    return exchanges


def check_answers(folder: RunFolder, info: RunInfo, n_rows: int, lost: Sequence[Key], n_failed: int) -> None:
    """Raises RunError if answers.jsonl has lost some of its answers.

    Args:
        folder: The folder of the run.
        info: The content of its run.json.
        n_rows: How many rows are planned.
        lost: Those that have no line in the file.
        n_failed: How many rows in the file failed.
    """
    if not info.ended:
        return
    if lost and not info.is_partial_import:
        raise RunError(
            f"{folder.answers_path} is damaged: the run ended, but {len(lost):,} of its {n_rows:,} answers are "
            f"missing ({_first_rows(lost)})",
            way_out=Resume(folder.path, to="restore it, or ask those rows again"),
        )
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
