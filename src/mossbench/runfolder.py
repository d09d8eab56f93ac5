"""A run folder on disk.

    run.json                 config, versions, dataset and hashes, arms, start and end; never a key
    samples.jsonl            the samples that were asked, without their pictures
    answers.jsonl            append-only, one Exchange a line
    verdicts.<judge>.jsonl   append-only, one Judgement a line
    .lock                    there while a process writes in the folder

Lines are written whole and at once, so that a killed process or a full disk leaves at most one torn last line; it
is dropped before anything is written after it. Of several lines with one key the last one holds: a failed
row that was asked again.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

from pydantic import Field, ValidationError, model_validator

from mossbench.arms import Arm, ArmName, Row, plan
from mossbench.connections import RETRIES, Traffic
from mossbench.errors import RunError, StorageError, UsageError
from mossbench.outcomes import Exchange, Judgement, Key
from mossbench.prices import Price
from mossbench.protocols import OWN_ADDRESS, Subject, preset_endpoint
from mossbench.samples import Record, Sample, Side
from mossbench.storage import locked, storage_errors, to_json, write_atomically

Line = TypeVar("Line", bound=Record)
NOT_HERE = "the others are not in this run"
"""How the notice ends of a run that was imported with fewer rows than were planned."""


class RunConfig(Record):
    """What was asked for. The defaults of a run stand here and nowhere else."""

    model: str
    data: str = "sketches"
    side: Literal["benign", "contrast", "both"] = "both"
    ids: tuple[str, ...] = ()
    """Only these samples; empty: all."""
    offset: int = Field(default=0, ge=0)
    limit: int | None = Field(default=None, ge=1)
    epochs: int = Field(default=1, ge=1, le=1000)
    """How often each sample is asked."""
    arm: ArmName = "plain"
    """How the samples are put; a run may have further arms, which stand in run.json."""
    system: str | None = None
    seed: int = 42
    temperature: float | None = Field(default=0.0, ge=0, allow_inf_nan=False)
    max_tokens: int = Field(default=1024, ge=1)
    base_url: str | None = None
    as_published: bool = False
    """The published settings of the model's family instead of temperature and max_tokens."""
    google_safety: str | None = None
    """Threshold of Google's own filters."""
    trust_remote_code: bool = False
    """Local models: run the Python code that a checkpoint brings along."""

    # How the work is done, which moves no answer: may differ on resume.
    judge: str | None = None
    """The judge to show results of; verdicts of any judge can be added later."""
    max_connections: int = Field(default=16, ge=1)
    """Most questions in flight at once; how many there are follows what the provider bears."""
    start_connections: int = Field(default=4, ge=1)
    timeout: float = Field(default=120.0, gt=0, allow_inf_nan=False)
    """Seconds for one try."""
    retries: int = Field(default=RETRIES, ge=0)
    batch_size: int | None = Field(default=None, ge=1)
    """Local models: how many questions are answered together; it replaces the connections."""


ANSWERS_COME_FROM = "answers come from "
"""How a run's notices name an endpoint that is not the provider's own."""
OPERATIONAL = {"judge", "max_connections", "start_connections", "timeout", "retries", "batch_size"}


def subject_of(config: RunConfig, version: str | None) -> Subject:
    """Who is asked, by a config whose model has been resolved."""
    return Subject(
        model=config.model,
        version=version,
        endpoint=config.base_url.rstrip("/") if config.base_url else None,
        as_published=config.as_published,
        google_safety=config.google_safety,
        trust_remote_code=config.trust_remote_code,
    )


class DatasetInfo(Record):
    """Which samples were asked: name, content hash by side, where they came from and on what terms."""

    name: str
    hashes: dict[Side, str]
    revision: str | None = None
    source: str = ""
    licence: str = ""
    warning: str = ""

    @property
    def label(self) -> str:
        """`name@hash` for a line: 12 hex digits of the harmless side, or of the harmful one where it is alone."""
        digest = self.hashes.get(Side.BENIGN) or self.hashes.get(Side.CONTRAST)
        return f"{self.name}@{digest[:12]}" if digest else f"{self.name} (no hash)"


class RunInfo(Record):
    """run.json."""

    config: RunConfig
    subject: Subject | None = None
    """Who was asked; None in a run folder of version 0.1.0, whose config may not have the endpoint."""
    arms: tuple[Arm, ...]
    model_version: str | None = None
    dataset: DatasetInfo
    n_rows: int
    """Samples by arms and epochs, as far as the arms fit them."""
    notices: tuple[str, ...] = ()
    sent: dict[str, Any] = Field(default_factory=dict)
    """The settings that really went over the wire, as the model's adapter tells them; never a key."""
    price: Price | None = None
    """What the model cost when it was asked; None: not known."""
    traffic: Traffic = Traffic()
    mossbench: str
    python: str
    started: str
    ended: str | None = None
    verdicts: dict[str, int] = Field(default_factory=dict)
    """How many rows a judge had read when it was done, by its label; none for runs of version 0.1."""

    @model_validator(mode="before")
    @classmethod
    def _endpoint_from_notices(cls, content: Any) -> Any:
        """Version 0.1.0 named some endpoints only in its notices."""
        if not isinstance(content, dict) or content.get("subject") or not isinstance(content.get("config"), dict):
            return content
        told = {text.removeprefix(ANSWERS_COME_FROM) for text in content.get("notices") or () if _names_endpoint(text)}
        if content["config"].get("base_url") is not None or len(told) != 1:
            return content
        return {**content, "config": {**content["config"], "base_url": told.pop()}}

    @property
    def endpoint_unknown(self) -> bool:
        """Whether nobody can say where the answers came from: version 0.1.0 lost the addresses of presets."""
        several = len([text for text in self.notices if _names_endpoint(text)]) > 1
        lost = several or preset_endpoint(self.config.model) is not None
        return self.subject is None and self.config.base_url is None and lost

    def differences(self, other: RunInfo) -> list[str]:
        """What makes `other` another run than this one, a line each."""
        pairs = {
            **{
                name: (getattr(self.config, name), getattr(other.config, name))
                for name in RunConfig.model_fields
                if name not in OPERATIONAL and name != "base_url"
            },
            "endpoint (--base-url)": (self.config.base_url or OWN_ADDRESS, other.config.base_url or OWN_ADDRESS),
            "model version": (self.model_version, other.model_version),
            **{
                f"dataset hash ({side})": (self.dataset.hashes.get(side), other.dataset.hashes.get(side))
                for side in Side
            },
        }
        if self.endpoint_unknown:  # whoever resumes it has said which
            del pairs["endpoint (--base-url)"]
        return [f"{name}: {there!r} there, {asked!r} asked" for name, (there, asked) in pairs.items() if there != asked]


def _names_endpoint(notice: Any) -> bool:
    return isinstance(notice, str) and notice.startswith(ANSWERS_COME_FROM)


@dataclass(frozen=True)
class RunFolder:
    """Paths and contents of one run's folder."""

    path: Path

    @property
    def info_path(self) -> Path:
        return self.path / "run.json"

    @property
    def answers_path(self) -> Path:
        return self.path / "answers.jsonl"

    @property
    def samples_path(self) -> Path:
        return self.path / "samples.jsonl"

    def verdicts_path(self, judge_label: str) -> Path:
        return self.path / f"verdicts.{label_slug(judge_label)}.jsonl"

    def drift_path(self, judge_label: str) -> Path:
        """A line about a judge that has drifted; empty when it was checked and had not."""
        return self.path / f"drift.{label_slug(judge_label)}.txt"

    def info(self) -> RunInfo:
        """run.json, or a UsageError that says that there is no run here."""
        try:
            return RunInfo.model_validate_json(self.info_path.read_bytes())
        except (FileNotFoundError, NotADirectoryError) as error:
            raise UsageError(f"no run in {str(self.path)!r}: it has no run.json; give the folder of a run") from error
        except OSError as error:
            raise RunError(f"{self.info_path} cannot be read: {error.strerror}") from error
        except ValidationError as error:
            fault = error.errors()[0]
            place = ".".join(map(str, fault["loc"]))
            where = f"{place}: " if place else ""
            raise RunError(f"{self.info_path} is damaged or of another version: {where}{fault['msg']}") from error

    def arms(self) -> tuple[Arm, ...]:
        """The arms of the run that is here; none when there is none."""
        return self.info().arms if self.info_path.exists() else ()

    def write_info(self, info: RunInfo) -> None:
        write_atomically(self.info_path, to_json(info.model_dump(mode="json")))

    def is_free(self) -> bool:
        """Whether a new run may start here: no folder yet, or nothing in it but left-over temporary files."""
        if self.path.exists() and not self.path.is_dir():
            raise UsageError(f"{str(self.path)!r} is a file, expected a folder; choose another --out")
        return not self.path.exists() or not any(not entry.name.startswith(".") for entry in self.path.iterdir())

    def held(self) -> AbstractContextManager[None]:
        """Keeps other processes from writing here: whoever compares and then writes does both while it is held."""
        self.is_free()  # a file of that name is refused with a message of its own
        busy = f"run folder {str(self.path)!r} is being written by another process; wait for it or stop it first"
        return locked(self.path / ".lock", busy)

    def samples(self) -> list[Sample]:
        return list(read_lines(self.samples_path, Sample))

    def rows(self, info: RunInfo) -> list[Row]:
        """All planned rows; a RunError where samples.jsonl has lost some of them."""
        rows = plan(self.samples(), info.arms, info.config.epochs)
        if len(rows) < info.n_rows and (rows or self.answers_path.exists()):  # else it is about to start
            raise RunError(
                f"{self.samples_path} is damaged: its samples make {len(rows):,} of the {info.n_rows:,} rows of the "
                f"run; restore it, or delete it and write it again with: {self.again}"
            )
        return rows

    def whole(self, info: RunInfo) -> tuple[list[Row], dict[Key, Exchange]]:
        """All planned rows and the exchanges on record; a RunError where a file has lost some of them.

        A run that has not ended may lack answers: it is going on, or was stopped.
        """
        rows, exchanges = self.rows(info), self.exchanges()
        lost = [row.key for row in rows if row.key not in exchanges]
        if lost and info.ended and not any(notice.endswith(NOT_HERE) for notice in info.notices):
            few = ", ".join(f"{key.side} {key.sample}" for key in lost[:3]) + (", …" if len(lost) > 3 else "")
            raise RunError(
                f"{self.answers_path} is damaged: the run ended, but {len(lost):,} of its {len(rows):,} answers are "
                f"missing ({few}); restore it, or ask those again with: {self.again}"
            )
        return rows, exchanges

    def check_verdicts(self, info: RunInfo, judge_label: str, n: int) -> None:
        """A RunError where a verdicts file, in which there are `n` rows, has lost some of those that it had."""
        if n < (had := info.verdicts.get(judge_label, 0)):
            raise RunError(
                f"{self.verdicts_path(judge_label)} is damaged: {n:,} of {had:,} verdicts are there; restore it, or "
                f"judge the others again: mossbench judge apply {self.path} --judge {judge_label.rpartition('/')[0]}"
            )

    @property
    def again(self) -> str:
        """The command that goes on with the run."""
        return f"mossbench run --resume {quote(str(self.path))}"

    def exchanges(self) -> dict[Key, Exchange]:
        """The exchanges on record, the last one of each key."""
        return {exchange.key: exchange for exchange in read_lines(self.answers_path, Exchange)}

    def judgements(self, judge_label: str) -> dict[Key, Judgement]:
        rows = read_lines(self.verdicts_path(judge_label), Judgement)
        return {row.key: row for row in rows if row.judge == judge_label}

    def judges(self) -> list[str]:
        """Labels of the judges that have verdicts here, the one that judged last at the end."""
        paths = sorted(self.path.glob("verdicts.*.jsonl"), key=lambda path: path.stat().st_mtime)
        return [label for path in paths if (label := _label_in(path)) is not None]


def _label_in(path: Path) -> str | None:
    """Whose verdicts a file holds. A judge that found nothing to judge left it empty: then its name tells, mostly."""
    row = next(read_lines(path, Judgement), None)
    named = re.fullmatch(r"verdicts\.([A-Za-z0-9_]+)-([A-Za-z0-9._]+)\.jsonl", path.name)
    return row.judge if row else f"{named[1]}/{named[2]}" if named else None


def label_slug(label: str) -> str:
    """A judge's label as part of a file name; what a file name cannot say is told apart by a hash."""
    if re.fullmatch(r"[A-Za-z0-9_]{1,40}/[A-Za-z0-9._-]{1,40}", label):
        return slug(label)
    return f"{slug(label)[:70]}-{hashlib.sha256(label.encode()).hexdigest()[:8]}"


def slug(text: str) -> str:
    """`text` as part of a file name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")[:100] or "unnamed"


def write_lines(path: Path, records: Iterable[Record]) -> None:
    write_atomically(path, "".join(record.model_dump_json() + "\n" for record in records))


def read_lines(path: Path, record: type[Line]) -> Iterator[Line]:
    """The records in a file of lines; none when there is no file; a torn last line is skipped."""
    if not path.exists():
        return
    try:
        file = path.open("rb")
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}") from error
    with file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return  # torn: its writer was killed
            if not line.strip():
                continue
            try:
                yield record.model_validate_json(line)
            except ValidationError as error:
                if glued := _where_glued(line, record):
                    raise RunError(
                        f"{path}, line {number}: a row was cut off there when the disk was full, and the next one is "
                        f"glued to it; remove the first {glued} characters of that line to keep the second row, or the "
                        "whole line; what is missing then is asked again on resume"
                    ) from error
                fault = error.errors()[0]
                place = ".".join(map(str, fault["loc"]))
                raise RunError(
                    f"{path}, line {number}: {place + ': ' if place else ''}{fault['msg']}; "
                    "the file was changed by hand or by another version: restore it, or remove that line"
                ) from error


def _where_glued(line: bytes, record: type[Line]) -> int | None:
    """Where a whole record begins in a line that is none: its writer went on after a row that a full disk cut off."""
    start = line.rfind(b'{"%s":' % next(iter(record.model_fields)).encode())  # in a text the quotes are escaped
    try:
        record.model_validate_json(line[max(start, 0) :])
    except ValidationError:
        return None
    return len(line[:start].decode(errors="replace"))


class LineWriter:
    """Appends records to a file of lines, one write each; who opens it holds the folder (`RunFolder.held`).

    A record that cannot be written raises and waits in memory: it is written before the next one, or at the end.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._waiting, self._torn = path, list[Record](), True
        with storage_errors(path):
            self._file = path.open("ab", buffering=0)
        self._write_waiting()

    def append(self, record: Record) -> None:
        self._waiting.append(record)
        self._write_waiting()

    def _write_waiting(self) -> None:
        with storage_errors(self.path):
            if self._torn:
                _drop_torn_line(self.path)  # what comes next must not be glued to it
            self._torn = False
            while self._waiting:
                line = self._waiting[0].model_dump_json().encode() + b"\n"
                self._torn = True
                if self._file.write(line) != len(line):  # a full disk may take a part and raise nothing
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                self._torn = False
                del self._waiting[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        try:
            self._write_waiting()
        except StorageError as full:
            names = "; ".join(map(_name_of, self._waiting))
            full.add_note(f"{len(self._waiting)} rows came back that could not be written, and are lost: {names}")
            raise
        finally:
            self._file.close()


def _name_of(record: Record) -> str:
    """Which row a line is about, for a message."""
    fields = ("side", "sample", "arm", "epoch")
    return " ".join(str(getattr(record, field)) for field in fields if hasattr(record, field))


def _drop_torn_line(path: Path) -> None:
    with path.open("rb+") as file:
        end = file.seek(0, os.SEEK_END)
        position = end
        while position > 0:  # backwards, since a torn line may be long
            step = min(65536, position)
            position = file.seek(position - step)
            newline = file.read(step).rfind(b"\n")
            if newline >= 0:
                position += newline + 1
                break
        if position != end:
            file.truncate(position)
