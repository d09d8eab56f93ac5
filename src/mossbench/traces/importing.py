"""Imports logs: each record is read, redacted and appended to the folder of traces before the next one is read."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from mossbench.datasets.dataset import SUFFIXES, stays_inside
from mossbench.errors import UsageError, bad_option
from mossbench.images.decoding import sniff
from mossbench.images.stripping import stripped
from mossbench.outcomes import Answer
from mossbench.plumbing.locks import locked
from mossbench.plumbing.untrusted_files import read_file
from mossbench.traces.folder import IMAGES, TRACES, UNREAD, KnownDigests, PrivateLines, TracesFolder
from mossbench.traces.formats import TABLE, format_named, format_of
from mossbench.traces.formats.table import check_map, table_format
from mossbench.traces.log_files import Place
from mossbench.traces.personal_columns import names_somebody
from mossbench.traces.raw import Format, RawImage, RawTrace, RawTurn, Skipped, Unreadable, iso_time
from mossbench.traces.reading import Source, has_provider_rows, layout_of, open_source
from mossbench.traces.records import ImportedFile, Trace, TraceImage, Turn, UnreadLine, digest_of_request
from mossbench.traces.redaction import Redactor

SYNC_EVERY = 2000
"""Records between two moments at which everything is on the disk."""
FLUSH_EVERY = 200
"""Records between two moments after which a killed process loses nothing."""
MAX_IMAGE = 25_000_000
"""Bytes of an image that is stored."""
_MOST_LISTED = 100
"""Columns that the record of an import names."""
_NO_FORMAT = "of no known format"


@dataclass(frozen=True)
class Imported:
    """What an import gave."""

    folder: Path
    files: tuple[ImportedFile, ...]

    @property
    def n_traces(self) -> int:
        return sum(file.n_traces for file in self.files)

    @property
    def n_unread(self) -> int:
        return sum(file.n_unread for file in self.files)

    @property
    def is_empty(self) -> bool:
        """Whether nothing in these files could be read: neither a trace, nor one that is there already."""
        n_repeated = sum(file.n_repeated for file in self.files)
        return bool(self.n_unread) and not self.n_traces + n_repeated

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"folder": str(self.folder), "files": [file.model_dump(mode="json") for file in self.files]}


OnLine = Callable[[object], None]
"""Called with each record that was read."""


def import_traces(
    paths: str | Path | Iterable[str | Path],
    out: str | Path,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    redact: Mapping[str, str] | None = None,
    images: str | Path | None = None,
    encoding: str | None = None,
    on_line: OnLine | None = None,
) -> Imported:
    """Imports logs into a folder of traces, redacted; what is there already is not imported again.

    Args:
        paths: Log files: JSON lines, a JSON list, CSV or Parquet; also compressed with gzip.
        out: The folder of traces, which is made, or gets more.
        format: The format of all records; None: told from each record.
        columns: Field -> column, for tables and for records of a shape of one's own.
        redact: Own patterns: name -> regular expression.
        images: Where images lie that the log names by relative paths; None: in the log's folder.
        encoding: Of files that are neither UTF-8 nor UTF-16, such as `cp1252`.
        on_line: Called with each record that was read.
    """
    paths = [paths] if isinstance(paths, (str, Path)) else list(paths)
    if not paths:
        raise UsageError("no log file is given")
    wanted_format = _check_options(format, columns, encoding)
    redactor = Redactor(redact)
    sources = [open_source(Path(path), encoding) for path in paths]
    layouts = [_layout(source, format, columns) for source in sources]
    folder = TracesFolder.create(Path(out), dict(redact or {}))
    busy = f"another process imports into {str(out)!r}; wait for it or stop it first"
    with locked(folder.path / ".lock", busy), ExitStack() as stack:
        writer = _Writer(folder, redactor, stack)
        files = []
        for source, layout in zip(sources, layouts, strict=True):
            image_folder = Path(images) if images is not None else source.path.parent
            own_format = table_format(layout) if layout is not None else wanted_format
            mapped = tuple(layout.values()) if layout is not None else ()
            reader = _FileReader(source, own_format, mapped, image_folder, writer)
            files.append(reader.read(on_line))
            info = folder.info()
            without_texts = files[-1].model_copy(update={"unread": "", "undated": ""})
            folder.write_info(info.model_copy(update={"imports": (*info.imports, without_texts)}))
        writer.end()
    return Imported(folder.path, tuple(files))


def _check_options(format: str | None, columns: Mapping[str, str] | None, encoding: str | None) -> Format | None:
    check_map(columns or {})
    if columns and format not in (None, TABLE):
        raise bad_option("columns", f"is for tables, and --format is {format!r}; omit one of the two")
    if encoding is not None and not _is_text_encoding(encoding):
        raise bad_option("encoding", f"is {encoding[:40]!r}, expected a name such as cp1252, latin-1 or shift_jis")
    return format_named(format) if format is not None else None


def _is_text_encoding(name: str) -> bool:
    try:
        b"a".decode(name)
    except LookupError:
        return False
    except UnicodeError:  # such as UTF-16, of which one byte is no character
        return True
    return True


def _layout(source: Source, format: str | None, columns: Mapping[str, str] | None) -> dict[str, str] | None:
    """The columns of a table, or of records whose columns are named; None where the format is told from records."""
    is_table = format == TABLE or bool(columns)
    if source.kind in ("csv", "parquet") and format is None and not columns:
        is_table = not has_provider_rows(source)
    return layout_of(source, columns or {}) if is_table else None


class _Writer:
    """Writes traces, unread lines and images of one import."""

    def __init__(self, folder: TracesFolder, redactor: Redactor, stack: ExitStack) -> None:
        self.folder = folder
        self.redactor = redactor
        self.salt = folder.info().salt.encode()
        self.day = datetime.now(UTC).date().isoformat()
        self._known = KnownDigests(folder)
        stack.callback(self._known.close)
        if self._known.was_interrupted:
            self._fill_known()
        self._known.begin()
        self._traces = stack.enter_context(PrivateLines(folder.path / TRACES))
        self._unread = stack.enter_context(PrivateLines(folder.path / UNREAD))
        self._n_written = 0

    def _fill_known(self) -> None:
        """Adds what an import that was killed has written: its digests may not be on record."""
        traces = (trace.id for trace in self.folder.traces())
        lines = (_digest_of_line(line) for line in self.folder.unread())
        self._known.fill(chain(traces, lines))

    def add_trace(self, id: str, make_trace: Callable[[], Trace]) -> bool:
        """Writes a trace; whether it is new."""
        if not self._known.add(id):
            return False
        self._traces.append(make_trace())
        self._count()
        return True

    def add_unread(self, line: UnreadLine) -> None:
        if self._known.add(_digest_of_line(line)):
            self._unread.append(line)
            self._count()

    def _count(self) -> None:
        self._n_written += 1
        if self._n_written % SYNC_EVERY == 0:
            self._traces.sync()
            self._unread.sync()
        if self._n_written % FLUSH_EVERY == 0:
            self._traces.flush()  # before the digests: a digest without its trace would be a trace that is lost
            self._unread.flush()
            self._known.commit()

    def end(self) -> None:
        self._traces.sync()
        self._unread.sync()
        self._known.end()

    def pseudonym(self, kind: str, name: str) -> str:
        """A name that says which traces belong together; only who has the folder's salt can test a guess."""
        if not name:
            return ""
        message = f"{kind}\x00{name}".encode("utf-8", "surrogatepass")
        return hmac.new(self.salt, message, hashlib.sha256).hexdigest()[:12]

    def store_image(self, data: bytes) -> TraceImage:
        """Stores an image without its metadata, under the name of its content."""
        media_type = sniff(data)
        if media_type is None or media_type not in SUFFIXES:
            return TraceImage(fault="no image that can be read")
        without_metadata = stripped(data, media_type)
        if without_metadata is None:
            return TraceImage(fault="the image is damaged")
        data = without_metadata[0]
        name = f"{IMAGES}/{hashlib.sha256(data).hexdigest()[:24]}{SUFFIXES[media_type][0]}"
        path = self.folder.path / name
        if not path.exists():
            path.parent.mkdir(mode=0o700, exist_ok=True)
            self.folder.write(path, data)
        return TraceImage(file=name)


def _digest_of_line(line: UnreadLine) -> str:
    parts = f"unread\x00{line.source}\x00{line.line}\x00{line.reason}"
    if line.nth:
        parts += f"\x00{line.nth}"
    return hashlib.sha256(parts.encode("utf-8", "replace")).hexdigest()[:16]


class _FileReader:
    """Reads one file into the folder, and counts what became of its records."""

    def __init__(
        self,
        source: Source,
        own_format: Format | None,
        mapped: Collection[str],
        image_folder: Path,
        writer: _Writer,
    ) -> None:
        self.source = source
        self.name = writer.redactor.text(source.path.name)
        self.own_format = own_format
        self.mapped = mapped
        """Columns that are named for fields."""
        self.image_folder = image_folder
        self.writer = writer
        self.formats: Counter[str] = Counter()
        self.skipped: Counter[str] = Counter()
        self.images: Counter[str] = Counter()
        self.n_undated = 0
        self.undated = ""
        self.columns_kept: Counter[str] = Counter()
        self.columns_dropped: Counter[str] = Counter()
        self.n_traces = 0
        self.n_repeated = 0
        self.n_unread = 0
        self.reasons: Counter[str] = Counter()
        """Why records were not read; the first ones."""
        self.n_unknown = 0
        self._likely: Format | None = None
        self._unread_in_line = (0, 0)
        """The line that was set aside last, and how much of it."""

    def read(self, on_line: OnLine | None) -> ImportedFile:
        counts_before = self.writer.redactor.counts.copy()
        for place in self.source.records(self.mapped):
            self._take(place)
            if on_line is not None:
                on_line(place)
        return ImportedFile(
            source=self.name,
            formats=dict(self.formats),
            n_traces=self.n_traces,
            n_repeated=self.n_repeated,
            n_unread=self.n_unread,
            unread=self.reasons.most_common(1)[0][0] if self.reasons else "",
            n_unknown=self.n_unknown,
            skipped=dict(self.skipped),
            redacted=dict(self.writer.redactor.counts - counts_before),
            images=dict(self.images),
            n_undated=self.n_undated,
            undated=self.undated,
            columns_kept=dict(self.columns_kept.most_common(_MOST_LISTED)),
            columns_dropped=dict(self.columns_dropped.most_common(_MOST_LISTED)),
        )

    def _take(self, place: Place) -> None:
        if place.values is None:
            self._set_aside(place, place.fault)
            return
        format = self.own_format or format_of(place.values, self._likely)
        if format is None:
            names = ", ".join(map(repr, list(place.values)[:8]))
            self.n_unknown += 1
            self._set_aside(place, f"{_NO_FORMAT}: it has {names}" if names else f"{_NO_FORMAT}: it is empty")
            return
        self._likely = format
        try:
            self._take_calls(place, place.values, format)
        except Skipped as reason:
            self.skipped[str(reason)] += 1
        except Unreadable as error:
            self._set_aside(place, str(error))
        except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
            # The item boundary: whatever a stranger's record does, it is set aside with the reason.
            self._set_aside(place, f"cannot be read as {format.name}: {type(error).__name__}: {error}")

    def _take_calls(self, place: Place, values: dict[str, Any], format: Format) -> None:
        if not format.looks_like(values):  # it was forced
            raise Unreadable(f"it does not look like {format.name}; it has {', '.join(map(repr, list(values)[:8]))}")
        n_calls = 0
        for number, call in enumerate(format.read(values)):
            n_calls += 1
            if isinstance(call, Skipped):
                self.skipped[str(call)] += 1
            elif isinstance(call, Unreadable):
                self._set_aside(place, str(call))
            else:
                self._add_or_set_aside(place, call, format.name, number)
        if not n_calls:
            self.skipped["record without a call"] += 1

    def _add_or_set_aside(self, place: Place, call: RawTrace, format: str, number: int) -> None:
        """A call that cannot be stored does not take the others of its record with it."""
        try:
            self._add(place, call, format, number)
        except Unreadable as error:
            self._set_aside(place, str(error))

    def _set_aside(self, place: Place, reason: str) -> None:
        redactor = self.writer.redactor
        start = redactor.text(place.raw[:300].decode("utf-8", "replace"))
        reason = redactor.text(reason[:500])
        self.n_unread += 1
        if len(self.reasons) < _MOST_LISTED:
            self.reasons[reason] += 1
        line, nth = self._unread_in_line
        nth = nth + 1 if line == place.line else 0
        self._unread_in_line = (place.line, nth)
        self.writer.add_unread(
            UnreadLine(
                source=self.name,
                line=place.line,
                nth=nth,
                n_bytes=place.n_bytes,
                reason=reason,
                start=start,
                imported=self.writer.day,
            )
        )

    def _add(self, place: Place, raw: RawTrace, format: str, number: int) -> None:
        turns, last = _split(raw.turns)
        id = self._id_of(place, raw, format, number)

        def make_trace() -> Trace:
            return self._trace(place, raw, format, turns, last, id)

        if self.writer.add_trace(id, make_trace):
            self.n_traces += 1
            self.formats[format] += 1
        else:
            self.n_repeated += 1

    def _id_of(self, place: Place, raw: RawTrace, format: str, number: int) -> str:
        """What names the call: its own id, with its content where the id may be that of a conversation.

        Without an id it is the content with its place, so that two identical requests are two traces.
        """
        if raw.id and raw.is_unique:
            parts = f"{format}\x00{raw.id}".encode("utf-8", "replace")
        elif raw.id:
            parts = f"{format}\x00{raw.id}\x00{number}\x00".encode("utf-8", "replace") + place.raw
        else:
            nth = f"{place.nth}\x00" if place.nth else ""
            parts = f"{self.name}\x00{place.line}\x00{number}\x00{nth}".encode() + place.raw
        return hashlib.sha256(parts).hexdigest()[:16]

    def _trace(self, place: Place, raw: RawTrace, format: str, before: list[RawTurn], last: RawTurn, id: str) -> Trace:
        text = self.writer.redactor.text
        history = tuple(self._turn(turn) for turn in before if turn.role != "system")
        request = text(last.text)
        images = self._images(last.images)
        return Trace(
            id=id,
            source=self.name,
            line=place.line,
            format=format,
            at=self._time_of(raw),
            imported=self.writer.day,
            model=text(raw.model),
            model_asked=text(raw.model_asked) if raw.model_asked != raw.model else "",
            user=self.writer.pseudonym("user", raw.user),
            conversation=self.writer.pseudonym("conversation", raw.conversation),
            system=text("\n".join(turn.text for turn in before if turn.role == "system")),
            history=history,
            request=request,
            images=images,
            answer=self._answer(raw.answer),
            asked=digest_of_request(history, request, images),
            columns=self._columns(raw.columns),
        )

    def _time_of(self, raw: RawTrace) -> str:
        """When it was asked; a time that cannot be read is counted."""
        at = iso_time(raw.at)
        if not at and raw.at not in (None, ""):
            self.n_undated += 1
            self.undated = self.undated or self.writer.redactor.text(str(raw.at)[:40])
        return at

    def _columns(self, columns: Mapping[str, Any]) -> dict[str, Any]:
        """Columns for breaking rates down, redacted; none that says who somebody is."""
        redactor = self.writer.redactor
        kept: dict[str, Any] = {}
        for name, value in columns.items():
            shown = redactor.text(str(name))[:60]
            if names_somebody(str(name)):
                self.columns_dropped[shown] += 1
            else:
                self.columns_kept[shown] += 1
                kept[shown] = redactor.value(value)
        return kept

    def _turn(self, turn: RawTurn) -> Turn:
        role: Any = turn.role if turn.role in ("user", "assistant", "tool") else "other"
        return Turn(role=role, text=self.writer.redactor.text(turn.text), images=self._images(turn.images))

    def _answer(self, answer: Answer) -> Answer:
        """The answer, redacted; what it cost and thought is not kept."""
        text = self.writer.redactor.text
        error = answer.error
        if error is not None:
            error = error.model_copy(update={"message": text(error.message)})
        update = {
            "text": None if answer.text is None else text(answer.text),
            "signal": None if answer.signal is None else text(answer.signal),
            "error": error,
            "reasoning": None,
            "usage": None,
            "model": None,
        }
        return answer.model_copy(update=update)

    def _images(self, images: Iterable[RawImage]) -> tuple[TraceImage, ...]:
        stored = tuple(self._image(image) for image in images)
        for image in stored:
            self.images["stored" if image.file else "unreadable" if image.fault else "named only"] += 1
        return stored

    def _image(self, image: RawImage) -> TraceImage:
        if image.data:
            if len(image.data) > MAX_IMAGE * 4 // 3:
                return TraceImage(fault="the image is too large")
            try:
                data = base64.b64decode(image.data.translate(_URL_SAFE))
            except (binascii.Error, ValueError):
                return TraceImage(fault="the image is not base64")
            return self.writer.store_image(data)
        named = self.writer.redactor.text(image.address[:500])
        path = self._path_of(image.address)
        if path is None:
            return TraceImage(named=named)
        try:
            data = read_file(path)
        except OSError:
            return TraceImage(named=named)
        return self.writer.store_image(data).model_copy(update={"named": named})

    def _path_of(self, address: str) -> Path | None:
        """The file that an address names, if it lies in the folder of images: a log may name any file."""
        if "://" in address or not address or len(address) > 500 or "\x00" in address:
            return None
        folder = self.image_folder.resolve()
        path = Path(address)
        if path.is_absolute():
            inside = path.resolve()
        elif stays_inside(address):
            inside = (folder / path).resolve()
        else:
            return None
        if not inside.is_relative_to(folder) or not inside.is_file() or inside.stat().st_size > MAX_IMAGE:
            return None
        return inside


_URL_SAFE = str.maketrans("-_", "+/")


def _split(turns: Iterable[RawTurn]) -> tuple[list[RawTurn], RawTurn]:
    """What went before the request, and the request: the last thing that the user says; an Unreadable without one.

    Several messages of the user in a row are one request; what a tool gave after it belongs to what went before.
    """
    turns = list(turns)
    for place in range(len(turns) - 1, -1, -1):
        if turns[place].role != "user":
            continue
        first = place
        while first and turns[first - 1].role == "user":
            first -= 1
        asked = turns[first : place + 1]
        images = tuple(image for turn in asked for image in turn.images)
        request = RawTurn("user", "\n".join(turn.text for turn in asked), images)
        if not request.text.strip() and not images:
            raise Unreadable("the request has neither text nor image")
        return turns[:first] + turns[place + 1 :], request
    raise Unreadable("nothing in it is from a user")
