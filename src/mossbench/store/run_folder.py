"""A run folder on disk.

    run.json                 config, versions, dataset and hashes, arms, start and end; never a key
    samples.jsonl            the samples that were asked, without their images
    answers.jsonl            append-only, one Exchange a line
    verdicts.<judge>.jsonl   append-only, one Judgement a line
    batches.jsonl            append-only, what is out in batches and what was (`store.batches`)
    errors.log               tracebacks of a user's own model or judge, where it raised
    .lock                    there while a process writes in the folder

Lines are written whole and at once, so that a killed process or a full disk leaves at most one torn last line; it
is dropped before anything is written after it. Of several lines with one key the last one holds: a failed
row that was asked again.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakValueDictionary

from pydantic import ValidationError

from mossbench.datasets.arms import Arm, Row, plan
from mossbench.errors import RunError, StorageError, UsageError
from mossbench.outcomes import Exchange, Judgement, Key
from mossbench.plumbing.lines import lines_of, read_lines
from mossbench.plumbing.places import check_held, holding, is_held
from mossbench.plumbing.reading import digest_of, parse_json, read_file, record_fault
from mossbench.plumbing.storage import label_slug, locked, to_json, write_atomically
from mossbench.samples import Sample
from mossbench.store.config import RunInfo

NOT_HERE = "the others are not in this run"
"""How the notice ends of a run that was imported with fewer rows than were planned."""


class Samples(list[Sample]):
    """A list that may be held weakly. Runs on the same data share it: samples are two thirds of what a run takes."""


_held = WeakValueDictionary[str, Samples]()  # by the digest of their file


_WRITTEN_WHOLE = re.compile(r"(samples|answers|verdicts\..+)\.jsonl|drift\..+\.txt|errors\.log")
"""Names of the files that a run has when it is written as a whole, but for run.json, which comes last."""


class _File(str):
    def __get__(self, folder: "RunFolder", _: object = None) -> Path:
        return folder.path / self


@dataclass(frozen=True)
class RunFolder:
    path: Path
    info_path, samples_path, answers_path = _File("run.json"), _File("samples.jsonl"), _File("answers.jsonl")
    batches_path, errors_path = _File("batches.jsonl"), _File("errors.log")

    def verdicts_path(self, judge_label: str) -> Path:
        return self.path / f"verdicts.{label_slug(judge_label)}.jsonl"

    def drift_path(self, judge_label: str) -> Path:
        """A line about a judge that has drifted; empty when it was checked and had not."""
        return self.path / f"drift.{label_slug(judge_label)}.txt"

    def info(self) -> RunInfo:
        """run.json, or a UsageError that says that there is no run here."""
        try:
            return RunInfo.model_validate_json(read_file(self.info_path))
        except (FileNotFoundError, NotADirectoryError) as error:
            if self.path.is_file():
                message = f"{str(self.path)!r} is a file, expected the folder of a run{self._way_in()}"
                raise UsageError(message) from error
            raise UsageError(f"no run in {str(self.path)!r}: it has no run.json; give the folder of a run") from error
        except OSError as error:
            raise RunError(f"{self.info_path} cannot be read: {error.strerror}") from error
        except ValidationError as error:
            raise RunError(
                f"{self.info_path} is damaged or of another version: {record_fault(error)}; "
                "restore it from a copy, or start a new run"
            ) from error

    def _way_in(self) -> str:
        """How a file that holds results of others becomes a run; empty where it holds none."""
        if self.path.suffix.lower() != ".eval" and not _is_in_published_layout(self.path):
            return ""
        return f"; results that others wrote become one with: `import_results({str(self.path)!r}, 'runs/NAME')`"

    def arms(self) -> tuple[Arm, ...]:
        """The arms of the run that is here; none when there is none."""
        return self.info().arms if self.info_path.exists() else ()

    def write_info(self, info: RunInfo) -> None:
        self.check_place()
        write_atomically(self.info_path, to_json(info), make_folder=not is_held(self.path))

    def check_place(self) -> None:
        """A PlaceLost where the folder, which this process holds, was deleted, moved or replaced meanwhile."""
        check_held(self.path)

    def is_free(self) -> bool:
        """Whether a new run may start here: no folder yet, or nothing in it but left-over temporary files."""
        if self.path.exists() and not self.path.is_dir():
            raise UsageError(f"{str(self.path)!r} is a file, expected a folder; choose another `out`")
        return not self.path.exists() or not any(not entry.name.startswith(".") for entry in self.path.iterdir())

    def check_free(self, *, or_begun: bool = False) -> None:
        """A UsageError where no new run may start here.

        With `or_begun`, one may that is written as a whole (`write`), after an earlier try to do so was stopped.
        """
        if self.is_free() or (or_begun and self._is_begun()):
            return
        raise UsageError(f"folder {str(self.path)!r} is not empty; choose another `out`")

    def _is_begun(self) -> bool:
        """Whether there are only files here that `write` has made before it was stopped."""
        return all(_WRITTEN_WHOLE.fullmatch(entry.name) for entry in self._entries())

    def _entries(self) -> list[Path]:
        """What is in the folder, but for left-over temporary files; nothing where there is no folder."""
        found = self.path.iterdir() if self.path.exists() else ()
        return [entry for entry in found if not entry.name.startswith(".")]

    def write(
        self,
        info: RunInfo,
        samples: Iterable[Sample],
        exchanges: Iterable[Exchange],
        judgements: Mapping[str, Iterable[Judgement]],
        texts: Mapping[Path, str] | None = None,
    ) -> bool:
        """Writes a whole run, with its verdicts by judge and other `texts`; run.json last: without it there is no run.

        It can be stopped at any moment and repeated. False: the run is there already, exactly so, and nothing was
        changed.

        Raises:
            UsageError: There is something else in the folder.
        """
        contents = {path: text.encode() for path, text in (texts or {}).items()}
        contents[self.samples_path] = lines_of(samples)
        contents[self.answers_path] = lines_of(exchanges)
        for label, some in judgements.items():
            contents[self.verdicts_path(label)] = lines_of(some)
        contents[self.info_path] = to_json(info).encode()
        missing = [path for path, content in contents.items() if not _has_content(path, content)]
        if not missing:
            return False
        self._check_only(contents, missing)
        for path in missing:
            write_atomically(path, contents[path])
        return True

    def _check_only(self, contents: Mapping[Path, bytes], missing: Sequence[Path]) -> None:
        """A UsageError where something is here that is none of these contents."""
        others = [entry for entry in self._entries() if entry not in contents or entry in missing]
        if others:
            what = "holds another run" if self.info_path in others else f"has another {others[0].name!r} in it"
            raise UsageError(f"folder {str(self.path)!r} is not empty: it {what}; choose another `out`")

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keeps other processes from writing here: whoever compares and then writes does both while it is held."""
        self.is_free()  # a file of that name is refused with a message of its own
        busy = f"run folder {str(self.path)!r} is being written by another process; wait for it or stop it first"
        with locked(self.path / ".lock", busy), holding(self.path):
            yield

    def busy(self) -> bool:
        lock = self.path / ".lock"
        if not lock.exists():
            return False
        try:
            with locked(lock, "busy", patience=0):  # pages wait for it
                return False
        except RunError:
            return True
        except StorageError:  # it may not be written by us, so nobody can say
            return False

    def samples(self) -> Samples:
        """The samples; those that somebody has read from such a file before and still holds."""
        read = read_lines(self.samples_path, Sample)
        try:
            digest = digest_of(self.samples_path)
        except OSError:  # reading says what is wrong, or that there are none yet
            return Samples(read)
        return _held.get(digest) or _held.setdefault(digest, Samples(read))

    def restore_samples(self, samples: Iterable[Sample], n_bytes: int) -> str:
        """Writes samples.jsonl again where somebody has deleted or cut it since it had `n_bytes`.

        Only where these samples make the same file again; one that was changed in another way is left as it is.

        Returns:
            What happened, for a notice; empty where nothing was written.
        """
        try:
            left = read_file(self.samples_path) if self.samples_path.stat().st_size < n_bytes else None
            what_happened = "cut"
        except FileNotFoundError:
            left = b""
            what_happened = "deleted"
        if left is None:
            return ""
        content = lines_of(samples)
        if len(content) != n_bytes or not content.startswith(left):
            return ""
        self.check_place()
        write_atomically(self.samples_path, content, make_folder=False)
        return f"the file samples.jsonl was {what_happened} while the run was being written; it was written again"

    def rows(self, info: RunInfo) -> list[Row]:
        """All planned rows; a RunError where samples.jsonl has lost some of them."""
        rows = plan(self.samples(), info.arms, info.config.epochs)
        if len(rows) < info.n_rows and (rows or info.ended or self.answers_path.exists()):  # else it is about to start
            is_there = self.samples_path.exists()
            why = "" if is_there else ", since it is gone"
            way_out = "delete it and write it again" if is_there else "write it again"
            raise RunError(
                f"{self.samples_path} is damaged: it has samples for {len(rows):,} of the {info.n_rows:,} rows of the "
                f"run{why}; restore it, or {way_out} with: {self.again}"
            )
        return rows

    def whole(self, info: RunInfo) -> tuple[list[Row], dict[Key, Exchange]]:
        """All planned rows and the exchanges on record; a RunError where a file has lost some of them.

        A run that has not ended may lack answers: it is going on, or was stopped.
        """
        rows, exchanges = self.rows(info), self.exchanges()
        self.check_answers(info, rows, {key: one.answer.error for key, one in exchanges.items()})
        return rows, exchanges

    def check_answers(self, info: RunInfo, rows: Sequence[Row], failed: Mapping[Key, object]) -> None:
        """A RunError where answers.jsonl, in which these rows are, has lost some of those that it had."""
        lost = [row.key for row in rows if row.key not in failed]
        if lost and info.ended and not any(notice.endswith(NOT_HERE) for notice in info.notices):
            few = ", ".join(f"{key.side} {key.sample}" for key in lost[:3]) + (", …" if len(lost) > 3 else "")
            raise RunError(
                f"{self.answers_path} is damaged: the run ended, but {len(lost):,} of its {len(rows):,} answers are "
                f"missing ({few}); restore it, or ask those again with: {self.again}"
            )
        n_failed = sum(map(bool, failed.values()))
        if info.ended and info.failed is not None and n_failed > info.failed:
            raise RunError(
                f"{self.answers_path} is damaged: {n_failed:,} rows in it failed, {info.failed:,} when the run ended: "
                f"later answers are missing; restore it, or ask those rows again with: {self.again}"
            )

    def check_verdicts(self, info: RunInfo, judge_label: str, n: int) -> None:
        """A RunError where a verdicts file, in which there are `n` rows, has lost some of those that it had."""
        if n < (had := info.verdicts.get(judge_label, 0)):
            raise RunError(
                f"{self.verdicts_path(judge_label)} is damaged: {n:,} of {had:,} verdicts are there; restore it, or "
                f"judge the others again: `judge_run({str(self.path)!r}, {judge_label.rpartition('/')[0]!r})`"
            )

    @property
    def again(self) -> str:
        return f"`resume_run({str(self.path)!r})`"

    def exchanges(self) -> dict[Key, Exchange]:
        """The exchanges on record, the last one of each key."""
        return {exchange.key: exchange for exchange in read_lines(self.answers_path, Exchange)}

    def failures(self) -> dict[Key, Exchange | None]:
        """The same of rows that failed; of the others, whose texts may be many, None."""
        return {one.key: one if one.answer.error else None for one in read_lines(self.answers_path, Exchange)}

    def read_judgements(self, judge_label: str) -> Iterator[Judgement]:
        return (row for row in read_lines(self.verdicts_path(judge_label), Judgement) if row.judge == judge_label)

    def judgements(self, judge_label: str) -> dict[Key, Judgement]:
        return {row.key: row for row in self.read_judgements(judge_label)}

    def judges(self) -> list[str]:
        """Labels of the judges that have verdicts here, the one that judged last at the end."""
        paths = sorted(self.path.glob("verdicts.*.jsonl"), key=lambda path: path.stat().st_mtime)
        return [label for path in paths if (label := _label_in(path)) is not None]


def _has_content(path: Path, content: bytes) -> bool:
    """Whether a file is there, with exactly this content."""
    if not path.is_file() or path.stat().st_size != len(content):
        return False
    return read_file(path) == content


def _label_in(path: Path) -> str | None:
    """Whose verdicts a file holds. A judge that found nothing to judge left it empty: then its name tells, mostly."""
    row = next(read_lines(path, Judgement), None)
    named = re.fullmatch(r"verdicts\.([A-Za-z0-9_]+)-([A-Za-z0-9._]+)\.jsonl", path.name)
    return row.judge if row else f"{named[1]}/{named[2]}" if named else None


def _is_in_published_layout(path: Path) -> bool:
    """Whether a file is a results.json as the published code writes it."""
    if path.suffix.lower() != ".json":
        return False
    try:
        content = parse_json(read_file(path))
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and isinstance(content.get("responses"), dict)
