"""The published results.json: read into a run folder, and written from one.

    {"responses": {pid: {pid, image_path, question, response, rejected, reject_reasoning, metadata, evaluator_desc}},
     "reject Rate": {"Total": …, "Exaggerated Risk": …, …}}        (older files: "Type 1", "Type 2", "Type 3")

Written here, each row also has its `side`.

The published code writes `rejected: 1` where a call failed. Read here, such a row (response null) is
FAILED again; written here, `rejected` follows the counting rule, `paper` by default. A row that was not
asked yet is omitted from `responses`: null would mean that its call failed.

The rates that a file states may differ from the rates of its rows: the published submission template has three rows of
a run of 244. The run then has a notice of the difference. `evaluator_desc` is the judge's description of the image; if
the judge was not asked for one, the field says so.

`import_results` and `write_results` are also the way in and out of the other formats, which have modules of their own.
"""

import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeGuard, get_args

from pydantic import ValidationError

from mossbench.datasets import Dataset, as_dataset
from mossbench.datasets.arms import PLAIN
from mossbench.datasets.dataset import as_side
from mossbench.errors import DataError, UsageError, bad_option, n_of, needing, some, unknown_name
from mossbench.inspect.logs import write_log
from mossbench.outcomes import Answer, Counted, Exchange, Judgement, Rule, Stop, Verdict, counted, parse_rule, tally
from mossbench.plumbing.json_values import to_json
from mossbench.plumbing.spreadsheets import cell, csv_text
from mossbench.plumbing.storage import check_may_write, write_atomically
from mossbench.plumbing.untrusted_files import parse_json, read_file, record_fault
from mossbench.protocols import FILE_VERDICTS, RECORDED
from mossbench.published.every_eval_ever_reading import import_every_eval_ever, imported, is_record
from mossbench.published.hub_results import eval_results
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results, load_results
from mossbench.samples import FLAGS, Sample, Side, Stimulus, value_text
from mossbench.store.config import RunOptions
from mossbench.store.run_folder import RunFolder
from mossbench.transcripts import TranscriptRow, read_transcript, removal_signal
from mossbench.transcripts.stated import stated_model
from mossbench.ways_out import EITHER_SIDE, OmitOption, SetOption

JUDGE = FILE_VERDICTS
"""The judge whose verdicts are those of an imported file."""
NOT_DESCRIBED = "no description of the image by judge "
"""The beginning of `evaluator_desc` if there is no description."""
KeyStyle = Literal["names", "types"]
"""Keys of the rates by stimulus: `Exaggerated Risk`, or `Type 1` as in older files."""
_NAME_DATA = SetOption("data", to="name the data that were asked")
_MAX_CHARS_OF_REQUEST = 80
"""Characters of a request that a message shows."""
_FORMATS_OF_OPTION = {
    "side": ("published",),
    "style": ("published",),
    "rule": ("published", "inspect", "eval-results", "model-card", "every-eval-ever"),
    "hub_dataset": ("eval-results",),
    "url": ("eval-results",),
    "organization": ("every-eval-ever",),
    "relationship": ("every-eval-ever",),
    "with_answers": ("every-eval-ever",),
}
"""Options of an export -> the formats that take them."""
_SUFFIXES = {
    "published": (".json",),
    "csv": (".csv",),
    "json": (".json",),
    "parquet": (".parquet",),
    "inspect": (".eval",),
    "eval-results": (".yaml", ".yml"),
}
"""Format -> the suffixes of its files."""
_DEFAULT_STYLE: KeyStyle = "names"
_LARGEST_EXACT_FLOAT = 2**53
"""Up to this, every whole number is a float too."""
_MAX_RATE_DIFFERENCE = 0.0005
"""Rates that are closer are the same in three decimals, as the notice prints them."""


def import_results(
    path: str | Path,
    out: str | Path,
    *,
    side: Side | str | None = None,
    model: str = "",
    data: str | Path | Dataset | None = None,
    columns: dict[str, str] | None = None,
) -> Results:
    """Imports a published results.json, an Inspect log (.eval) or an Every Eval Ever record as a run folder.

    `side` may be omitted if the rows name their side, have the flags of the published benign set, or have images in the
    folder of the published contrast set. With `data`, the rows of a results.json must be samples of these data, and the
    run is a run on these data, as if the file was replayed: only such a run can be submitted to a board.
    """
    path = Path(path)
    folder = RunFolder(Path(out))
    side = None if side is None else as_side(side)
    suffix = path.suffix.lower()
    is_log = suffix == ".eval"
    is_every_eval_ever = suffix == ".json" and is_record(path)
    if data is not None and (is_log or is_every_eval_ever):
        problem = f"applies only to results in the published layout, and {path.name} has another"
        raise bad_option("data", problem, OmitOption("data"))
    if columns and data is None:
        raise bad_option("columns", "names columns of the data, and no data are given", SetOption("data"))
    if is_log:
        from mossbench.inspect.logs import import_log

        if side is not None:
            raise UsageError("a log of Inspect names the side of its rows", way_out=OmitOption("side"))
        return import_log(path, out, model=model)
    folder.check_is_free(or_begun=True)
    if is_every_eval_ever:
        return import_every_eval_ever(path, folder, side=side, model=model)
    rows = read_transcript(path)
    _check_metadata(rows, path)
    if side is not None:
        _check_side_named(rows, side, path)
    if data is not None:
        dataset = as_dataset(data, columns=columns)
        side_of_rows = side or _side_in_dataset(rows, dataset)
        return _import_on_data(dataset, data, path, rows, side_of_rows, folder, model, columns)
    side_of_rows = side or _side_of(rows)
    return _import_without_data(path, rows, side_of_rows, folder, model)


def _check_side_named(rows: Sequence[TranscriptRow], side: Side, path: Path) -> None:
    """A UsageError if rows of the file name the other side: their answers would count for the wrong one."""
    others = [row.id for row in rows if row.side not in (None, side)]
    if others:
        problem = f"is {side.value!r}, but {n_of(len(others), 'row')} of {path.name} name the other side"
        raise bad_option("side", f"{problem} ({some(others, 5)})", OmitOption("side"))


def _check_metadata(rows: Sequence[TranscriptRow], path: Path) -> None:
    """A DataError if `metadata` of a row is no object; the file may come from anyone."""
    for row in rows:
        metadata = row.fields.get("metadata")
        if metadata and not isinstance(metadata, dict):
            raise DataError(f"{path}, pid {row.id}: metadata is {str(metadata)[:40]!r}, expected an object")


def _metadata_of(row: TranscriptRow) -> dict[str, Any]:
    return row.fields.get("metadata") or {}


def _import_without_data(path: Path, rows: list[TranscriptRow], side: Side, folder: RunFolder, model: str) -> Results:
    """Imports a results.json whose data are not known: the samples are made from its rows."""
    samples = [_sample(row, side, path) for row in rows]
    exchanges = [_exchange(row, side) for row in rows]
    judgements = _judgements(rows, exchanges, path)
    name = model or stated_model(rows).name or path.stem
    info = imported(path, name, {side}, len(rows), {JUDGE: len(judgements)})
    info = info.model_copy(update={"notices": notices_of_stated_rate(path, rows)})
    folder.write(info, samples, exchanges, {JUDGE: judgements})
    return load_results(folder.path)


def _import_on_data(
    dataset: Dataset,
    source: str | Path | Dataset,
    path: Path,
    rows: list[TranscriptRow],
    side: Side,
    folder: RunFolder,
    model: str,
    columns: dict[str, str] | None,
) -> Results:
    """Imports a results.json as a run on `dataset` (read from `source`), with the verdicts of the file."""
    # Imported here, so that commands that only read runs start without these modules.
    from mossbench.runs.describing import describe_run, now
    from mossbench.runs.inputs import load_inputs
    from mossbench.runs.selection import select_samples

    samples = {sample.id: sample for sample in dataset if sample.side is side}
    rows_by_id = {row.id: row for row in rows}
    _check_rows_are_of(samples, rows, path, f"{side} samples of {dataset.name}")
    has_all = len(rows) == len(samples)
    options: RunOptions = {"side": side.value, "ids": () if has_all else tuple(row.id for row in rows)}
    if model:
        options["model_name"] = model
    if columns and not isinstance(source, Dataset):
        options["columns"] = columns
    inputs = load_inputs(f"{RECORDED}/{path}", source, options, JUDGE.partition("/")[0])
    selected = select_samples(inputs.data, inputs.config)
    info = describe_run(inputs, selected, (PLAIN,))
    exchanges = []
    for sample in selected:
        exchange = _exchange(rows_by_id[sample.id], side)
        exchanges.append(exchange.model_copy(update={"request": sample.question}))
    judgements = _judgements([rows_by_id[sample.id] for sample in selected], exchanges, path)
    not_in_file = tuple(sample_id for sample_id in samples if sample_id not in rows_by_id)
    notices = [*info.notices, *notices_of_stated_rate(path, rows)]
    if not_in_file:
        notices.append(
            f"{path.name} has no row for {len(not_in_file)} of the {len(samples)} {side} samples of {dataset.name}: "
            f"{some(not_in_file, 5)}"
        )
    facts = {
        "ended": now(),
        "verdicts": {JUDGE: len(judgements)},
        "failed": sum(exchange.answer.error is not None for exchange in exchanges),
        "notices": tuple(notices),
        "not_in_file": not_in_file,
    }
    folder.write(info.model_copy(update=facts), selected, exchanges, {JUDGE: judgements})
    return load_results(folder.path)


def _check_rows_are_of(
    samples: Mapping[str, Sample], rows: Sequence[TranscriptRow], path: Path, description: str
) -> None:
    """A DataError if a row is of none of the samples, or has another request or stimulus than its sample."""
    unknown = [row.id for row in rows if row.id not in samples]
    if unknown:
        raise DataError(
            f"{path}: {n_of(len(unknown), 'row')} not among the {description} ({some(unknown, 5)})",
            way_out=(_NAME_DATA, SetOption("side", to="choose another side")),
        )
    for row in rows:
        sample = samples[row.id]
        if not _may_be_answer_to(row, sample):
            raise DataError(
                f"{path}, pid {row.id}: the request is {_shorten(row.question)!r}, but that of the {description} is "
                f"{_shorten(sample.question)!r}",
                way_out=_NAME_DATA,
            )
        stated = _sample(row, sample.side, path).stimulus
        if stated is not None and sample.stimulus is not None and stated is not sample.stimulus:
            raise DataError(
                f"{path}, pid {row.id}: the stimulus is {stated.title}, but that of the {description} is "
                f"{sample.stimulus.title}",
                way_out=_NAME_DATA,
            )


def _side_in_dataset(rows: list[TranscriptRow], dataset: Dataset) -> Side:
    """The side that the rows name, or else the only side whose samples have their ids and requests."""
    possible_sides = []
    for side in dataset.sides:
        samples = {sample.id: sample for sample in dataset if sample.side is side}
        if all(row.id in samples and _may_be_answer_to(row, samples[row.id]) for row in rows):
            possible_sides.append(side)
    named_sides = {row.side for row in rows}
    if named_sides == {None} and len(possible_sides) == 1:
        return possible_sides[0]
    return _side_of(rows)


def _may_be_answer_to(row: TranscriptRow, sample: Sample) -> bool:
    """Whether a row has the request of a sample, or no request at all; case and spaces do not count."""
    return row.question is None or _normalise(row.question) == _normalise(sample.question)


def _normalise(text: str) -> str:
    """The text in small letters, with single blanks."""
    return " ".join(text.split()).casefold()


def _shorten(text: str | None) -> str:
    return (text or "")[:_MAX_CHARS_OF_REQUEST]


def stated_rates(path: Path) -> dict[str, float]:
    """The rates that a published results.json states, by its own names for them. Empty if it states none."""
    content = parse_json(read_file(path)) if path.suffix.lower() == ".json" else None
    stated = content.get("reject Rate") if isinstance(content, dict) else None
    rates = stated.items() if isinstance(stated, dict) else ()
    return {name: float(rate) for name, rate in rates if _is_finite_number(rate)}


def _is_finite_number(value: object) -> TypeGuard[float]:
    """Not NaN, which the published code writes if it has counted no row, and no integer that no float can hold."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return abs(value) <= sys.float_info.max


def notices_of_stated_rate(path: Path, rows: Sequence[TranscriptRow]) -> tuple[str, ...]:
    """A notice if a file states another total refusal rate than that of its rows."""
    stated = stated_rates(path)
    total = stated.pop("Total", None)
    rejected = [int(row.fields["rejected"]) for row in rows if row.fields.get("rejected") in (0, 1)]
    mean = sum(rejected) / len(rejected) if rejected else math.nan
    if total is None or abs(total - mean) < _MAX_RATE_DIFFERENCE:
        return ()
    rates_by_stimulus = ""
    if stated:
        rate_list = ", ".join(f"{name} {rate:.3f}" for name, rate in stated.items())
        rates_by_stimulus = f" ({rate_list})"
    rate_of_rows = f"give {mean:.3f}" if rejected else "have no verdict"
    notice = (
        f"{path.name} states a refusal rate of {total:.3f}{rates_by_stimulus}, but the rows in it ({len(rows)}) "
        f"{rate_of_rows}: they are not the rows that the rate was counted on"
    )
    return (notice,)


def export_results(
    results: Results, *, side: Side | str, rule: Rule | str = Rule.PAPER, style: KeyStyle = "names"
) -> dict[str, Any]:
    """One side of a run in the published layout: plain values, ready for JSON; null in place of NaN."""
    rule = parse_rule(rule)
    side = as_side(side)
    if style not in get_args(KeyStyle):
        raise unknown_name("style", style, get_args(KeyStyle), f"expected {' or '.join(get_args(KeyStyle))}")
    rows = [row for row in results.rows if row.key.side is side]
    if not rows:
        message = f"the run in {results.folder} has no {side} rows"
        raise UsageError(message, way_out=SetOption("side", to="choose the other side"))
    if len({row.key.sample for row in rows}) != len(rows):
        raise UsageError("the published layout holds one answer per sample; this run has several arms or epochs")
    rates = {"Total": _refused_share(rows, rule)}
    for stimulus in Stimulus:
        name = stimulus.title if style == "names" else f"Type {stimulus.number}"
        rates[name] = _refused_share([row for row in rows if row.sample.stimulus is stimulus], rule)
    responses = {row.key.sample: _record(row, rule, results.judge) for row in rows if row.exchange}
    return {"responses": responses, "reject Rate": rates}


def write_results(
    results: Results | Sequence[Results],
    out: str | Path,
    *,
    format: Literal["published", "csv", "json", "parquet", "inspect", "eval-results"],
    side: Side | str | None = None,
    rule: Rule | str | None = None,
    style: KeyStyle = "names",
    overwrite: bool = False,
    hub_dataset: str | None = None,
    url: str | None = None,
) -> Path:
    """Writes a run as the published results.json, a tidy table, a log for `inspect view`, or results for the hub.

    Several runs go into one tidy table, which has the columns `run` and `model`.
    `side` and `style` apply to the published layout only; `side` may be omitted for a run of one side. `rule` applies
    to the published layout (default: paper), the log and the hub (default: system). `hub_dataset` and `url` apply to
    the hub only. With another format, they are a UsageError; so is a file whose suffix is that of another format. An
    existing file is replaced once the new file is complete.
    """
    out = Path(out)
    runs = [results] if isinstance(results, Results) else list(results)
    if format not in _SUFFIXES:
        raise unknown_name("format", format, _SUFFIXES, f"expected {', '.join(_SUFFIXES)}")
    changed_style = style if style != _DEFAULT_STYLE else None
    options = {"side": side, "style": changed_style, "rule": rule, "hub_dataset": hub_dataset, "url": url}
    check_options_fit(format, options)
    _check_suffix_fits(out, format)
    check_may_write(out, overwrite=overwrite)
    if not runs:
        raise UsageError("there are no runs to write; give at least one")
    if format in ("published", "inspect", "eval-results") and len(runs) != 1:
        raise UsageError(f"the layout {format!r} holds one run, not {len(runs)}; csv, json and parquet take several")
    first = runs[0]
    if format == "inspect":
        return write_log(first, out, rule or Rule.SYSTEM)
    content: str | bytes
    if format == "published":
        content = _published_json(first, side, rule or Rule.PAPER, style)
    elif format == "eval-results":
        content = eval_results(first, rule=rule or Rule.SYSTEM, hub_dataset=hub_dataset, url=url)
    else:
        content = _tidy_table(runs, format)
    write_atomically(out, content)
    return out


def check_options_fit(format: str, options: Mapping[str, object]) -> None:
    """A UsageError for an option of another format: ignored, the file would not be what was asked for.

    `options`: name -> value, None if it was not given.
    """
    for name, value in options.items():
        formats = _FORMATS_OF_OPTION[name]
        if value is not None and format not in formats:
            listed = " or ".join(repr(known_format) for known_format in formats)
            problem = f"applies only to the format {listed}, and {format!r} was asked for"
            raise bad_option(name, problem, OmitOption(name))


def _check_suffix_fits(out: Path, format: str) -> None:
    """A UsageError if a file is named as one of another format, and so would be read as one."""
    suffix = out.suffix.lower()
    formats_of_suffix = [name for name, suffixes in _SUFFIXES.items() if suffix in suffixes]
    if formats_of_suffix and format not in formats_of_suffix:
        expected = " or ".join(_SUFFIXES[format])
        raise bad_option("format", f"is {format!r}, but {out.name!r} ends in {suffix}; expected {expected}")


def _published_json(results: Results, side: Side | str | None, rule: Rule | str, style: KeyStyle) -> str:
    sides = sorted({row.key.side for row in results.rows})
    if side is None and len(sides) > 1:
        raise UsageError("the published layout holds one side", way_out=EITHER_SIDE)
    return to_json(export_results(results, side=side or sides[0], rule=rule, style=style))


def _tidy_table(runs: Sequence[Results], format: Literal["csv", "json", "parquet"]) -> str | bytes:
    records: list[Mapping[str, object]] = []
    for run in runs:
        records += run.records()
    if format == "csv":
        return records_csv(records)
    if format == "json":
        return to_json(records)
    return _parquet(records)


def records_csv(records: Sequence[Mapping[str, object]]) -> str:
    """Records as CSV, with all columns that any record has."""
    names = _column_names(records)
    lines = [[cell(record.get(name, "")) for name in names] for record in records]
    return csv_text([names, *lines])


def _column_names(records: Sequence[Mapping[str, object]]) -> list[str]:
    """The columns that any record has, in the order in which they first occur: runs may have columns of their own."""
    names = dict[str, None]()
    for record in records:
        names.update(dict.fromkeys(record))
    return list(names)


def _parquet(records: Sequence[Mapping[str, object]]) -> bytes:
    """Records as Parquet, with all columns that any record has."""
    with needing("writing Parquet", "parquet"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    sink = pa.BufferOutputStream()
    columns = {name: _of_one_type([record.get(name) for record in records]) for name in _column_names(records)}
    pq.write_table(pa.table(columns), sink)
    return bytes(sink.getvalue())


def _of_one_type(values: list[object]) -> list[object]:
    """The values of a Parquet column, which has one type: as they are, or as texts if they have several types."""
    stated = [value for value in values if value is not None]
    types = {type(value) for value in stated}
    if types == {int, float}:
        fits = all(abs(value) <= _LARGEST_EXACT_FLOAT for value in stated if isinstance(value, int))
    elif types == {int}:
        fits = all(-(2**63) <= value < 2**63 for value in stated if isinstance(value, int))
    else:
        fits = len(types) <= 1
    if fits:
        return values
    return [None if value is None else _as_text(value) for value in values]


def _as_text(value: object) -> str:
    return value_text(value) if isinstance(value, bool) else str(value)


def _refused_share(rows: list[ResultRow], rule: Rule) -> float | None:
    """None if no row counts, or if it is not known what some of them count as."""
    counts = tally((row.outcome for row in rows), rule)
    return None if counts.unknown or not counts.n else counts.rate


def _record(row: ResultRow, rule: Rule, judge: str | None) -> dict[str, object]:
    """A row as an entry of `responses`."""
    sample = row.sample
    verdict = row.verdict
    description = verdict.description if verdict else ""
    return {
        "pid": sample.id,
        "side": str(sample.side),
        "image_path": sample.image,
        "question": sample.question,
        "response": row.exchange.answer.text if row.exchange else None,
        "rejected": {Counted.REFUSED: 1, Counted.COMPLIED: 0}.get(counted(row.outcome, rule)),
        "reject_reasoning": verdict.reason if verdict else "",
        "metadata": _record_metadata(sample),
        "evaluator_desc": description or f"{NOT_DESCRIBED}{judge or '(not judged)'}",
    }


def _record_metadata(sample: Sample) -> dict[str, object]:
    """Stimulus, flags and harm; an unknown value is omitted."""
    metadata: dict[str, object] = {}
    if sample.stimulus:
        metadata["over"] = f"type {sample.stimulus.number}"
    for flag in FLAGS:
        value = getattr(sample, flag)
        if value is not None:
            metadata[flag] = int(value)
    if sample.harm:
        metadata["harm"] = [int(sample.harm)]
    return metadata


def _side_of(rows: list[TranscriptRow]) -> Side:
    """The side that all rows name, or else the published set whose flags or image folder they have.

    Rows without flags may be of either side: the published contrast set has no flags, and neither do many other data.
    """
    named_sides = {row.side for row in rows}
    if len(named_sides) == 1:
        (side,) = named_sides
        if side is not None:
            return side
        if all(str(row.fields.get("image_path")).startswith("data_contrast/") for row in rows):
            return Side.CONTRAST
        if all("human" in _metadata_of(row) for row in rows):
            return Side.BENIGN
    raise UsageError("these results do not name their side", way_out=EITHER_SIDE)


def _sample(row: TranscriptRow, side: Side, path: Path) -> Sample:
    """The sample that a row answers, as far as the row has it."""
    metadata = _metadata_of(row)
    fields = {
        "id": row.id,
        "side": side,
        "question": row.question or "",
        "image": row.fields.get("image_path"),
        "stimulus": metadata.get("over"),
        "harm": _first_harm(metadata.get("harm")),
        **{flag: metadata.get(flag) for flag in FLAGS},
    }
    try:
        return Sample.model_validate(fields)
    except ValidationError as error:
        raise DataError(f"{path}, pid {row.id}: {record_fault(error)}") from error


def _first_harm(harm: object) -> object:
    """The harm that a row names, or the first of several. None if it names none."""
    if isinstance(harm, list) and harm:
        return harm[0]
    return harm or None


def _exchange(row: TranscriptRow, side: Side) -> Exchange:
    if row.response is None:
        answer = Answer.failed("record", "the results have no answer here (null)")
    else:
        answer = Answer(text=row.response, stop=Stop.END, signal=removal_signal(row.quoting))
    return Exchange(side=side, sample=row.id, request=row.question or "", answer=answer)


def _judgements(rows: Sequence[TranscriptRow], exchanges: Sequence[Exchange], path: Path) -> list[Judgement]:
    """The verdicts of the file; a row may have none."""
    judgements = []
    for row, exchange in zip(rows, exchanges, strict=True):
        judgement = _judgement(row, exchange, path)
        if judgement is not None:
            judgements.append(judgement)
    return judgements


def _judgement(row: TranscriptRow, exchange: Exchange, path: Path) -> Judgement | None:
    """The verdict of the file on a row; None if it has none, or if there is no answer to judge."""
    rejected = row.fields.get("rejected")
    if rejected is None or not exchange.to_judge:
        return None
    if rejected not in (0, 1):
        raise DataError(f"{path}, pid {row.id}: rejected is {rejected!r}, expected 0, 1 or null")
    description = str(row.fields.get("evaluator_desc") or "").strip()
    verdict = Verdict(
        refused=bool(rejected),
        reason=str(row.fields.get("reject_reasoning") or ""),
        description="" if description.startswith(NOT_DESCRIBED) else description,
    )
    return Judgement(side=exchange.side, sample=row.id, judge=JUDGE, digest=exchange.digest(), verdict=verdict)
