"""A run folder on disk: where its files are, reading them and writing them.

    run.json                 config, versions, dataset and hashes, arms, start and end; never a key (`store.run_info`)
    samples.jsonl            the samples that were asked, without their images
    answers.jsonl            append-only, one Exchange a line
    verdicts.<judge>.jsonl   append-only, one Judgement a line
    batches.jsonl            append-only, rows that are pending in batches, or were (`store.batch_log`)
    drift.<judge>.txt        a line about how a judge has drifted; empty if it was checked and has not
    errors.log               tracebacks of a user's own model or judge, where it raised (`store.error_log`)
    .lock                    exists while a process writes in the folder (`store.lock`)

Lines are written whole and at once, so that a killed process or a full disk leaves at most one torn last line; it
is dropped before anything is written after it. If several lines have the same key, the last one counts: a failed row
was asked again. Whether a file has lost lines is checked in `store.damage`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from mossbench.datasets.arms import Arm
from mossbench.datasets.stored_samples import StoredSamples
from mossbench.errors import RunError, UsageError
from mossbench.outcomes import Exchange, Judgement, Key
from mossbench.plumbing.file_names import label_slug
from mossbench.plumbing.json_values import to_json
from mossbench.plumbing.key_places import key_digest
from mossbench.plumbing.lines import lines_of, read_lines
from mossbench.plumbing.places import check_held, is_held
from mossbench.plumbing.storage import write_atomically
from mossbench.plumbing.untrusted_files import parse_json, read_file, record_fault
from mossbench.samples import Sample
from mossbench.store.lock import is_locked, lock_folder
from mossbench.store.run_info import RunInfo
from mossbench.store.shared_samples import SampleList, read_samples
from mossbench.ways_out import ImportResults, Resume, SetOption, WayOut

ANOTHER_FOLDER = SetOption("out", to="choose another folder")
_WRITTEN_BEFORE_INFO = re.compile(r"(samples|answers|verdicts\..+)\.jsonl|drift\..+\.txt|errors\.log")
"""Names of the files that `write` makes before run.json, which comes last."""
_VERDICTS_NAME = re.compile(r"verdicts\.(?P<name>[A-Za-z0-9_]+)-(?P<version>[A-Za-z0-9._]+)\.jsonl")


@dataclass(frozen=True)
class RunFolder:
    """A folder that has a run, or in which one is about to be written."""

    path: Path

    # Where its files are

    @property
    def info_path(self) -> Path:
        return self.path / "run.json"

    @property
    def samples_path(self) -> Path:
        return self.path / "samples.jsonl"

    @property
    def answers_path(self) -> Path:
        return self.path / "answers.jsonl"

    @property
    def batches_path(self) -> Path:
        return self.path / "batches.jsonl"

    @property
    def errors_path(self) -> Path:
        return self.path / "errors.log"

    def verdicts_path(self, judge_label: str) -> Path:
        return self.path / f"verdicts.{label_slug(judge_label)}.jsonl"

    def drift_path(self, judge_label: str) -> Path:
        """A file with a line about how the judge has drifted; empty if it was checked and has not."""
        return self.path / f"drift.{label_slug(judge_label)}.txt"

    @property
    def way_to_resume(self) -> Resume:
        return Resume(self.path)

    # The lock, and whether the folder may be written to

    @contextmanager
    def held(self) -> Iterator[None]:
        """Locks the folder, so that no other process writes here between a check and the write that relies on it."""
        self._check_no_file()
        with lock_folder(self.path):
            yield

    def is_being_written(self) -> bool:
        """Whether a process has locked the folder."""
        return is_locked(self.path)

    def check_place(self) -> None:
        """Raises PlaceLost if the folder, which this process has locked, was deleted, moved or replaced."""
        check_held(self.path)

    def is_free(self) -> bool:
        """Whether a new run may start here: there is no folder yet, or it has only hidden files."""
        self._check_no_file()
        return not self._entries()

    def check_is_free(self, *, or_begun: bool = False) -> None:
        """Raises UsageError if no new run may start here.

        With `or_begun`, files of an earlier `write` that was stopped may be here.
        """
        if self.is_free() or (or_begun and self._has_only_files_of_stopped_write()):
            return
        raise UsageError(f"folder {str(self.path)!r} is not empty", way_out=ANOTHER_FOLDER)

    def _check_no_file(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise UsageError(f"{str(self.path)!r} is a file, expected a folder", way_out=ANOTHER_FOLDER)

    def _has_only_files_of_stopped_write(self) -> bool:
        """Whether there are only files here of a `write` that was stopped."""
        return all(_WRITTEN_BEFORE_INFO.fullmatch(entry.name) for entry in self._entries())

    def _entries(self) -> list[Path]:
        """The visible entries of the folder; empty if there is no folder.

        Hidden files are left out: the lock, temporary files of a stopped write, and files of the system.
        """
        if not self.path.exists():
            return []
        return [entry for entry in self.path.iterdir() if not entry.name.startswith(".")]

    # Reading

    def info(self) -> RunInfo:
        """Reads run.json.

        Raises:
            UsageError: There is no run here.
            RunError: run.json cannot be read or is damaged.
        """
        try:
            return RunInfo.model_validate_json(read_file(self.info_path))
        except (FileNotFoundError, NotADirectoryError) as error:
            if self.path.is_file():
                message = f"{str(self.path)!r} is a file, expected a run folder"
                raise UsageError(message, way_out=_way_to_import(self.path)) from error
            raise UsageError(f"no run in {str(self.path)!r}: it has no run.json; name a run folder") from error
        except OSError as error:
            raise RunError(f"{self.info_path} cannot be read: {error.strerror}") from error
        except ValidationError as error:
            raise RunError(
                f"{self.info_path} is damaged or of another version: {record_fault(error)}; "
                "restore it from a copy, or start a new run"
            ) from error

    def arms(self) -> tuple[Arm, ...]:
        """The arms of the run in the folder; empty if there is no run."""
        if not self.info_path.exists():
            return ()
        return self.info().arms

    def samples(self, *, stored: bool | None = None) -> SampleList | StoredSamples:
        """The samples; an equal file that is in use is not read a second time.

        With `stored` they stay in the file, and are read from it when they are asked for; by default if they are many.
        """
        return read_samples(self.samples_path, stored=stored)

    def exchanges(self) -> dict[Key, Exchange]:
        """The exchanges on record, the last one of each key."""
        return {exchange.key: exchange for exchange in read_lines(self.answers_path, Exchange)}

    def failure_by_key(self) -> dict[Key, Exchange | None]:
        """For each row on record its last exchange if that failed, and None if it was answered.

        Texts of answers may be many: none of them is kept in memory.
        """
        failures: dict[Key, Exchange | None] = {}
        for exchange in read_lines(self.answers_path, Exchange):
            failures[exchange.key] = exchange if exchange.answer.error else None
        return failures

    def count_failed(self) -> int:
        """How many rows on record have no answer: their last call failed."""
        failed: set[int] = set()  # a row failed rarely: the others are not kept
        for exchange in read_lines(self.answers_path, Exchange):
            key = int.from_bytes(key_digest(*map(str, exchange.key)), "big")
            if exchange.answer.error is None:
                failed.discard(key)
            else:
                failed.add(key)
        return len(failed)

    def read_judgements(self, judge_label: str) -> Iterator[Judgement]:
        """The lines of a judge's verdicts one after the other, also those that a later one replaces."""
        for judgement in read_lines(self.verdicts_path(judge_label), Judgement):
            if judgement.judge == judge_label:
                yield judgement

    def judgements(self, judge_label: str) -> dict[Key, Judgement]:
        """A judge's verdicts, the last one of each key."""
        return {judgement.key: judgement for judgement in self.read_judgements(judge_label)}

    def judges(self) -> list[str]:
        """Labels of the judges that have verdicts here, the one that judged last at the end."""
        paths = sorted(self.path.glob("verdicts.*.jsonl"), key=lambda path: path.stat().st_mtime)
        labels = [_judge_label_in(path) for path in paths]
        return [label for label in labels if label is not None]

    # Writing

    def write_info(self, info: RunInfo) -> None:
        self.check_place()
        write_atomically(self.info_path, to_json(info), make_folder=not is_held(self.path))

    def write(
        self,
        info: RunInfo,
        samples: Iterable[Sample],
        exchanges: Iterable[Exchange],
        judgements: Mapping[str, Iterable[Judgement]],
        texts: Mapping[Path, str] | None = None,
    ) -> bool:
        """Writes a whole run, with its verdicts by judge and other `texts`; run.json last: without it there is no run.

        It can be stopped at any moment and repeated.

        Returns:
            False if exactly this run is in the folder already; then nothing is changed.

        Raises:
            UsageError: Something else is in the folder.
        """
        contents = {path: text.encode() for path, text in (texts or {}).items()}
        contents[self.samples_path] = lines_of(samples)
        contents[self.answers_path] = lines_of(exchanges)
        for label, judgements_of_judge in judgements.items():
            contents[self.verdicts_path(label)] = lines_of(judgements_of_judge)
        contents[self.info_path] = to_json(info).encode()
        missing = [path for path, content in contents.items() if not _has_content(path, content)]
        if not missing:
            return False
        self._check_nothing_else(contents, missing)
        for path in missing:
            write_atomically(path, contents[path])
        return True

    def _check_nothing_else(self, contents: Mapping[Path, bytes], missing: Sequence[Path]) -> None:
        """Raises UsageError if the folder has an entry that is not one of these contents."""
        foreign = [entry for entry in self._entries() if entry not in contents or entry in missing]
        if not foreign:
            return
        fault = "contains another run" if self.info_path in foreign else f"contains another {foreign[0].name!r}"
        raise UsageError(f"folder {str(self.path)!r} is not empty: it {fault}", way_out=ANOTHER_FOLDER)

    def restore_samples(self, samples: Iterable[Sample], n_bytes: int) -> str:
        """Writes samples.jsonl again where somebody has deleted or cut it since it had `n_bytes`.

        Only if these samples give the same file; a file that was changed in another way is left alone.

        Returns:
            What happened, for a notice; empty if nothing was written.
        """
        try:
            if self.samples_path.stat().st_size >= n_bytes:
                return ""
            remaining = read_file(self.samples_path)
            what_happened = "cut"
        except FileNotFoundError:
            remaining = b""
            what_happened = "deleted"
        content = lines_of(samples)
        if len(content) != n_bytes or not content.startswith(remaining):
            return ""
        self.check_place()
        write_atomically(self.samples_path, content, make_folder=False)
        return f"the file samples.jsonl was {what_happened} while the run was being written; it was written again"


def _has_content(path: Path, content: bytes) -> bool:
    """Whether a file is there, with exactly this content."""
    if not path.is_file() or path.stat().st_size != len(content):
        return False
    return read_file(path) == content


def _judge_label_in(path: Path) -> str | None:
    """The label of the judge whose verdicts are in a file; None if it is not known.

    An empty file is of a judge that had nothing to judge: then the label is guessed from the name of the file.
    """
    first = next(read_lines(path, Judgement), None)
    if first is not None:
        return first.judge
    match = _VERDICTS_NAME.fullmatch(path.name)
    if match is None:
        return None
    return f"{match['name']}/{match['version']}"


def _way_to_import(path: Path) -> tuple[WayOut, ...]:
    """How to import a file with results as a run; empty if it has no results."""
    if path.suffix.lower() != ".eval" and not _is_in_published_layout(path):
        return ()
    return (ImportResults(str(path), "runs/NAME", to="import these results"),)


def _is_in_published_layout(path: Path) -> bool:
    """Whether a file is a results.json as the published code writes it."""
    if path.suffix.lower() != ".json":
        return False
    try:
        content = parse_json(read_file(path))
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and isinstance(content.get("responses"), dict)
