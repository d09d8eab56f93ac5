"""Boards with bundles: a submission is verified from the files of its run, on the machine that reads the board.

A bundle is verified as `mossbench bundle verify` does it, its runs are counted under the submission's judge, and one of
them must have every row of the submission. That takes seconds, so what was found is kept in this user's cache, by the
SHA-256 of bundle and submission; `check_board` always does it again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import mossbench
from mossbench.datasets import Dataset
from mossbench.errors import MossbenchError, StorageError, SubmissionError
from mossbench.judges import offline_judge
from mossbench.leaderboard import board_folder
from mossbench.leaderboard.bundle_evidence import BundleEvidence, differences_from_run
from mossbench.leaderboard.names import public_judge
from mossbench.leaderboard.submission_records import Submission
from mossbench.outcomes import MAX_FAILED
from mossbench.plumbing.cache_folders import cache_folder
from mossbench.plumbing.json_values import to_json
from mossbench.plumbing.storage import write_atomically
from mossbench.plumbing.untrusted_files import parse_json, read_file
from mossbench.results.table import Results, load_results
from mossbench.store.run_folder import RunFolder

FORMAT = "bundle evidence 1"
"""Part of the name in the cache; changes when the check does."""


def add_submission(
    file: str | Path,
    folder: str | Path,
    *,
    data: Dataset | None = None,
    max_failed: float = MAX_FAILED,
    bundle: str | Path | None = None,
) -> Path:
    """Add a submission to the board in a folder; a SubmissionError with every fault leaves the board unchanged.

    Samples must be known: from `data`, from what is shipped (sketches, official), or from the board. With the `bundle`
    of its run everything is counted again, embedded judges read every answer again, and the board keeps the bundle, so
    that whoever reads the board can do the same.
    """
    return board_folder.add_submission(
        file,
        folder,
        data=data,
        max_failed=max_failed,
        bundle=None if bundle is None else Path(bundle),
        check_bundle=check_bundle,
    )


def check_board(
    folder: str | Path, *, data: Dataset | None = None, max_failed: float = MAX_FAILED
) -> dict[Path, tuple[str, ...]]:
    """What is wrong with each file in a board's folder, as if it were added now; nothing: an empty tuple.

    Samples must be those of `data` or of what is shipped: files do not vouch for each other. Bundles are verified
    again.
    """
    return board_folder.check_board(folder, data=data, max_failed=max_failed, check_bundle=check_bundle)


def load_board(folder: str | Path) -> tuple[Submission, ...]:
    """The submissions in a board's folder, checked again, all or none; none when there is no folder yet."""
    return board_folder.load_board(folder, check_bundle=check_bundle_once)


def read_board(folder: str | Path) -> tuple[tuple[Submission, ...], dict[Path, tuple[str, ...]]]:
    """The submissions in a board's folder that are sound, and the faults of the files that are not."""
    return board_folder.read_board(folder, check_bundle=check_bundle_once)


def check_bundle_once(submission: Submission, bundle: Path) -> BundleEvidence:
    """As `check_bundle`; what was found before by this version, for the same files, comes from the cache."""
    key = f"{FORMAT} {mossbench.__version__} {_digest(read_file(bundle))} {_digest(submission.to_json().encode())}"
    path = cache_folder("bundles") / f"{_digest(key.encode())}.json"
    if path.is_file():
        with suppress(ValueError, TypeError):  # a damaged file of the cache is made again
            return BundleEvidence(**parse_json(read_file(path)))
    evidence = check_bundle(submission, bundle)
    with suppress(StorageError):
        write_atomically(path, to_json(asdict(evidence)))
    return evidence


def check_bundle(submission: Submission, bundle: Path) -> BundleEvidence:
    """What a bundle shows of a submission; a SubmissionError with what differs if it does not agree with it."""
    from mossbench.reports.bundle_checking import MAX_BYTES, difference_lines, files_of, verify_bytes
    from mossbench.reports.bundles import laid_out

    try:
        if not bundle.is_file() or bundle.stat().st_size > MAX_BYTES:
            raise SubmissionError(f"{bundle} is no file of at most {MAX_BYTES:,} bytes; name a bundle", ())
        raw = read_file(bundle)
        verification = verify_bytes(raw)
    except OSError as error:
        raise SubmissionError(f"cannot read {bundle}: {error.strerror}; name a bundle", ()) from error
    if verification.differences:
        raise SubmissionError(
            f"the bundle {bundle.name} contradicts itself: {_joined(difference_lines(verification))}", ()
        )
    differences: dict[str, list[str]] = {}
    with laid_out(files_of(raw)) as folder:
        for name, form in verification.runs.items():
            results = _results_of(folder / name, submission.judge)
            if results is None:
                differences[name] = [f"it has no verdicts of {submission.judge}"]
                continue
            differences[name] = list(differences_from_run(submission, results))
            if not differences[name]:
                why_not = _why_not_judged(str(results.judge), form)
                return BundleEvidence(verification.sha256, results.model, why_not)
    raise SubmissionError(f"no run in the bundle {bundle.name} is that of the submission: {_in_words(differences)}", ())


def _results_of(folder: Path, judge: str) -> Results | None:
    """A run of the bundle by the verdicts of a judge, named as submissions name it; None if it has none of them."""
    for label in RunFolder(folder).judges():
        if public_judge(label) == judge:
            with suppress(MossbenchError):
                return load_results(folder, judge=label)
    return None


def _why_not_judged(judge: str, form: str) -> str:
    """Why the bundle's verdicts were counted and not given again; empty if they were."""
    if form == "hashes":
        return "requests in the bundle are hashes"
    return "" if offline_judge(judge) is not None else f"{judge} cannot be run again here"


def _in_words(differences: Mapping[str, list[str]]) -> str:
    return "; ".join(f"{name}: {_joined(texts)}" for name, texts in differences.items())


def _joined(texts: list[str]) -> str:
    return "; ".join(texts)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
