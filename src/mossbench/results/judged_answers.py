"""Answers that are no run, judged and counted: those of files, of a DataFrame, or of rows in memory."""

from __future__ import annotations

import hashlib
import inspect
import json
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mossbench.datasets.dataset import SupportsDataFrame
from mossbench.datasets.in_memory import cells_of, with_image_files
from mossbench.errors import DataError, UsageError, n_of, needing
from mossbench.judges import DEFAULT_JUDGE, load_judge
from mossbench.judges.answer_columns import N_LOOKED_AT, answer_files, check_has_answers
from mossbench.judges.application import JudgedRow, OnRow
from mossbench.judges.files import Applied, apply_judge
from mossbench.judges.judge import AnyJudge
from mossbench.judges.measured import measured
from mossbench.outcomes import Key, Rule, Verdict, parse_rule
from mossbench.plumbing.cache_folders import cache_folder
from mossbench.plumbing.file_names import label_slug
from mossbench.plumbing.frames import html_table
from mossbench.plumbing.json_values import as_json_value
from mossbench.plumbing.tables import read_rows
from mossbench.results.correction import Correction
from mossbench.results.rows import ResultRow
from mossbench.results.shown_rates import Rates
from mossbench.samples import Sample, Side
from mossbench.transcripts.columns import TEXT_FIELDS, known_fields, with_columns
from mossbench.ways_out import SetOption

if TYPE_CHECKING:
    import pandas as pd

Answers = str | Path | Mapping[str, Any] | Iterable[Any] | SupportsDataFrame
"""Files of answers, or rows in memory."""
_FOLDER = "judged-answers"


@dataclass(frozen=True, repr=False)
class JudgedAnswers:
    """What became of answers that were judged: the rows with their verdicts in a file, and the rates."""

    applied: Applied
    judge: str
    rule: Rule
    rates: Rates
    """By side and group; a group is a model or file where there are several, else `all`."""
    out: Path
    """The rows with their verdicts, in JSONL."""
    has_sides: bool
    """Whether a row says which side it is of; others count as harmless."""
    why_not_corrected: str

    def __len__(self) -> int:
        return self.applied.n

    def __repr__(self) -> str:
        layers = ", ".join(f"{n} {layer}" for layer, n in self.applied.layers.items() if n)
        return f"<JudgedAnswers by {self.judge}, {n_of(len(self), 'row')}: {layers}>"

    def _repr_html_(self) -> str:
        return html_table(repr(self), self.rates.shown_lines())

    def records(self) -> list[dict[str, Any]]:
        """The rows with their verdicts, as plain values."""
        return [row.values for row in read_rows(self.out, infinite=True)]

    def df(self) -> pd.DataFrame:
        """The rows with their verdicts as a data frame."""
        with needing("a data frame", "pandas"):
            import pandas as pd
        return pd.DataFrame(self.records())

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "out": str(self.out),
            "n": self.applied.n,
            "judge": self.judge,
            "rule": str(self.rule),
            "layers": {str(layer): n for layer, n in self.applied.layers.items()},
            "unjudged": dict(self.applied.unjudged),
            "rates": [rate.to_dict() for rate in self.rates],
            "why_not_corrected": self.why_not_corrected,
        }


def judge_answers(
    answers: Answers,
    judge: AnyJudge = DEFAULT_JUDGE,
    *,
    columns: Mapping[str, str] | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    rule: Rule | str = Rule.SYSTEM,
    max_connections: int = 8,
    on_row: OnRow | None = None,
) -> JudgedAnswers:
    """Judges answers and gives their rates with intervals.

    The intervals know which rows are alike: several answers to one request with the same image. Where several models
    (`model`), or else several files, are among the rows, each has a rate of its own.

    Args:
        answers: One or several files with a `response` on each row, a DataFrame, or rows as dicts.
        judge: Name of a judge, Judge, or function of an Exchange.
        columns: Field -> column, where columns have other names, as in `{"response": "output", "question": "prompt"}`.
        out: The rows with their verdicts, a new JSONL file; by default a file in the cache, but for a judge that asks
            a model.
        overwrite: Whether `out` may be replaced.
        rule: What counts as a refusal.
        max_connections: As for `apply_judge`.
        on_row: Called for each row when it is judged.
    """
    rule = parse_rule(rule)
    reader = load_judge(judge)
    if out is None and inspect.iscoroutinefunction(reader.verdict):
        way_out = SetOption("out", "judged.jsonl", to="keep its verdicts in a file")
        raise UsageError(f"each verdict of {reader.label} may cost a call", way_out=way_out)
    paths = _files_of(answers, columns or {})
    target = Path(out) if out is not None else _file_in_cache(paths, reader.label)
    rows = _CountedRows(also=on_row)
    applied = apply_judge(
        paths,
        judge,
        out=target,
        overwrite=overwrite or out is None,
        max_connections=max_connections,
        on_row=rows.add,
    )
    why_not_corrected = _why_not_corrected(reader.label, rule)
    return JudgedAnswers(
        applied=applied,
        judge=reader.label,
        rule=rule,
        rates=rows.rates(Correction(rule, judge=reader.label, why_not=why_not_corrected)),
        out=target,
        has_sides=rows.has_sides,
        why_not_corrected=why_not_corrected,
    )


def _why_not_corrected(judge: str, rule: Rule) -> str:
    if judge.startswith("human/"):
        return "verdicts are labels by people, which are taken as right"
    if rule is Rule.STRICT:
        return f"the errors of {judge} were not measured under rule strict"
    where = "answers of this model" if measured(judge) else "any answers"
    return f"the errors of {judge} were not measured on {where}"


class _CountedRows:
    """What is counted of each judged row; texts are not kept."""

    def __init__(self, also: OnRow | None) -> None:
        self.has_sides = False
        self._also = also
        self._rows: list[tuple[str, Path, ResultRow]] = []
        """Model, file and row."""

    def add(self, row: JudgedRow) -> None:
        record = row.record
        self.has_sides = self.has_sides or bool(record.get("side"))
        self._rows.append((str(record.get("model") or ""), row.path, _counted_row(row)))
        if self._also is not None:
            self._also(row)

    def rates(self, correction: Correction) -> Rates:
        """The rate of each group on each side."""
        rates = []
        for group, rows in self._groups().items():
            for side in Side:
                rows_of_side = [row for row in rows if row.key.side is side]
                if rows_of_side:
                    rates.append(correction.rate_of(side, group, rows_of_side))
        return Rates(rates)

    def _groups(self) -> dict[str, list[ResultRow]]:
        """The rows by model; by file where no model is named; all together where there is only one."""
        by_model = _grouped((model, row) for model, _, row in self._rows)
        if len(by_model) > 1:
            return {model or "no model named": rows for model, rows in by_model.items()}
        by_file = _grouped((path.name.partition("?")[0], row) for _, path, row in self._rows)
        if len(by_file) > 1:
            return by_file
        return {"all": [row for _, _, row in self._rows]}


def _grouped(rows: Iterable[tuple[str, ResultRow]]) -> dict[str, list[ResultRow]]:
    groups: dict[str, list[ResultRow]] = {}
    for group, row in rows:
        groups.setdefault(group, []).append(row)
    return dict(sorted(groups.items()))


def _counted_row(row: JudgedRow) -> ResultRow:
    """The row as rates count it: its request only as a hash, its verdict without texts."""
    exchange = row.exchange
    request = " ".join(exchange.request.split())
    image = row.record.get("image") or row.record.get("image_path") or ""
    sample = Sample(
        id=exchange.sample or "row",
        side=exchange.side,
        question=_short_hash(request) if request else "",
        image=_short_hash(str(image)) if image else None,
    )
    verdict = row.verdict
    kept = None if verdict is None else Verdict(unfamiliar=verdict.unfamiliar)
    key = Key(exchange.side, sample.id, exchange.arm, exchange.epoch)
    return ResultRow(key, sample, None, kept, row.outcome)


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _files_of(answers: Answers, columns: Mapping[str, str]) -> list[Path]:
    """The files, with their columns; rows in memory are written into one."""
    columns = known_fields(columns)
    if isinstance(answers, (str, Path)):
        answers = [answers]
    if not isinstance(answers, (list, tuple)) or not answers or not all(isinstance(p, (str, Path)) for p in answers):
        return [with_columns(_written(answers, columns), columns)]
    return answer_files(answers, columns)


def _check_are_texts(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str], label: str) -> None:
    """A DataError for an answer that is neither a text nor missing."""
    for number, row in enumerate(rows, start=1):
        column = columns.get("response") or next((name for name in TEXT_FIELDS if name in row), "response")
        answer = row.get(column)
        if answer is not None and not isinstance(answer, str):
            shown = f"{reprlib.repr(answer)} ({type(answer).__name__})"
            raise DataError(f"{label}, row {number}: column {column!r} has {shown}, expected a text or None")


def _written(answers: Any, columns: Mapping[str, str]) -> Path:
    """A file of these rows in the cache, with the name of its content."""
    label, cells = cells_of(answers)
    if not cells:
        raise DataError(f"{label} has no rows; expected a row for each answer")
    check_has_answers(cells[:N_LOOKED_AT], columns, label)
    _check_are_texts(cells, columns, label)
    folder = cache_folder(_FOLDER)
    rows = with_image_files(cells, folder / "images", label)
    text = "".join(json.dumps(as_json_value(row), ensure_ascii=True, default=str) + "\n" for row in rows)
    path = folder / f"{_short_hash(text)}.jsonl"
    path.write_text(text, encoding="utf-8")
    return path


def _file_in_cache(paths: list[Path], judge: str) -> Path:
    """Where the rows with their verdicts go by default: the same place whenever the same is judged."""
    name = _short_hash("\n".join(str(path.resolve()) for path in paths))
    return cache_folder(_FOLDER) / f"{name}.{label_slug(judge)}.judged.jsonl"
