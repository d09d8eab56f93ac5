"""Judges on files: apply one to transcripts, validate it on labels, tune a cascade, check for drift.

Judging a run again is `runs.judge_run`.
"""

import hashlib
import json
import os
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from mossbench.errors import DataError, ImageError, RunError, RunWarning, UsageError, short_message
from mossbench.images.preparing import Picture
from mossbench.judges import DEFAULT_JUDGE, Judge, load_judge
from mossbench.judges.answer_columns import Paths, answer_files
from mossbench.judges.application import JudgedRow, Keep, OnRow, judge_rows, picture_of, read_rows
from mossbench.judges.drift import Baseline, ask_probes, to_json
from mossbench.judges.journal import discard_journal, journaled
from mossbench.judges.judge import AnyJudge
from mossbench.judges.picture_check import PictureCheck, picture_check
from mossbench.judges.rubric import RubricJudge
from mossbench.judges.validation import LabelledRow, SetAside, Validation, labelled_rows, nothing_to_compare, validate
from mossbench.outcomes import Exchange, Layer, Rule, parse_rule
from mossbench.plumbing.cache_folders import cache_folder
from mossbench.plumbing.coroutines import closing, finish
from mossbench.plumbing.file_names import label_slug
from mossbench.plumbing.json_values import as_json_value
from mossbench.plumbing.storage import check_may_write, storage_errors, write_atomically
from mossbench.statistics import Estimate, wilson


@dataclass(frozen=True)
class Applied:
    n: int
    layers: Counter[Layer]
    unjudged: Counter[str]
    """Why rows have no verdict."""
    n_broken: int = 0
    """Rows on which the judge could not do its work: its call failed, or no verdict could be read."""
    journal: Path | None = None
    """Where the verdicts are kept, so that only the rows on which the judge broke down need be judged again."""


class _RowWriter:
    """Writes judged rows into an open file as they come, and counts them."""

    def __init__(self, file: BinaryIO, judge: str) -> None:
        self.file = file
        self.judge = judge
        self.layers: Counter[Layer] = Counter()
        self.unjudged: Counter[str] = Counter()
        self.n_broken = 0

    def write(self, row: JudgedRow) -> None:
        self.file.write(_line(row.to_dict(self.judge)))
        layer = row.outcome.layer
        self.layers[layer] += 1
        if layer is Layer.UNJUDGED and row.verdict is not None:
            self.unjudged[row.verdict.reason] += 1
            if row.verdict.code is not None:
                self.n_broken += 1


def apply_judge(
    paths: Paths,
    judge: AnyJudge = DEFAULT_JUDGE,
    *,
    out: str | Path,
    columns: Mapping[str, str] | None = None,
    overwrite: bool = False,
    max_connections: int = 8,
    on_row: OnRow | None = None,
) -> Applied:
    """Writes every row of the files with its verdict to `out` (.jsonl), one for one and in order.

    Rows are streamed: memory does not grow with the files. The output appears under its name once it is whole.
    Verdicts that cost a call are kept beside it as they come (`<out>.<judge>.verdicts`), and are there when the same
    is called again after it was stopped, or after the judge broke down on some rows. `columns` (field -> column) says
    where columns have other names, as in `{"response": "output", "question": "prompt"}`.
    """
    out = Path(out)
    reader = load_judge(judge)
    check_may_write(out, overwrite=overwrite)
    paths = answer_files(paths, columns)
    partial = out.with_name(f"{out.name}.part")
    journal = out.with_name(f"{out.name}.{label_slug(reader.label)}.verdicts")
    with storage_errors(out):
        out.parent.mkdir(parents=True, exist_ok=True)
    with journaled(reader, journal) as journaled_judge:
        try:
            with storage_errors(out), partial.open("wb") as file:
                writer = _RowWriter(file, reader.label)
                _judge_files(paths, journaled_judge, writer.write, max_connections=max_connections, on_row=on_row)
            with storage_errors(out):
                partial.replace(os.path.realpath(out))
        finally:
            partial.unlink(missing_ok=True)
        if not writer.n_broken:
            discard_journal(journaled_judge)
    if writer.n_broken:
        message = _broken_message(writer, reader)
        warnings.warn(message, RunWarning, stacklevel=3)  # at whoever called mossbench.apply_judge
    return Applied(
        n=writer.layers.total(),
        layers=writer.layers,
        unjudged=writer.unjudged,
        n_broken=writer.n_broken,
        journal=journal if journal.exists() else None,
    )


def _broken_message(writer: _RowWriter, judge: Judge) -> str:
    reason, n_of_reason = writer.unjudged.most_common(1)[0]
    failed = f"the judge {judge.name!r} failed on {writer.n_broken} of {writer.layers.total()} answers"
    return short_message(f"{failed}; most often ({n_of_reason}): {reason}; call it again to judge only these")


def _line(content: dict[str, Any]) -> bytes:
    """A line of JSON; what JSON cannot say (NaN) is null, and half of a surrogate pair stays escaped as it came."""
    content = as_json_value(content)
    try:
        return json.dumps(content, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(content).encode() + b"\n"


def validate_judge(
    paths: Paths,
    judge: AnyJudge = DEFAULT_JUDGE,
    *,
    columns: Mapping[str, str] | None = None,
    rule: Rule | str = Rule.MODEL,
    against: AnyJudge | None = None,
    seed: int = 42,
    max_connections: int = 8,
    on_row: OnRow | None = None,
) -> Validation:
    """How well a judge agrees with the labels on the rows of the files.

    Verdicts that cost a call are kept in the cache until all is done, and are there when it is called again. `columns`
    as for `apply_judge`, also `refused` and `kind`.
    """
    paths = answer_files(paths, columns)
    reader = load_judge(judge)
    other_reader = None if against is None else load_judge(against)
    rows_of_other = None
    with ExitStack() as stack:
        journaled_judge = stack.enter_context(journaled(reader, journal_of(paths, reader, "judge")))
        journaled_judges = [journaled_judge]
        rows = all_judged(paths, journaled_judge, max_connections=max_connections, on_row=on_row)
        if other_reader is not None:
            journaled_judge = stack.enter_context(journaled(other_reader, journal_of(paths, other_reader, "against")))
            journaled_judges.append(journaled_judge)
            other_rows = all_judged(paths, journaled_judge, max_connections=max_connections, on_row=on_row)
            rows_of_other = (other_reader.label, other_rows)
        validation = validate(
            rows, reader.label, rule=parse_rule(rule), rng=np.random.default_rng(seed), against=rows_of_other
        )
        for journaled_judge in journaled_judges:
            discard_journal(journaled_judge)
    return validation


def journal_of(paths: Sequence[Path], judge: Judge, part: str) -> Path:
    """Where verdicts of a judge on these files are kept meanwhile; the files' own folder may be closed."""
    files = hashlib.sha256(repr([part, *(str(path.resolve()) for path in paths)]).encode()).hexdigest()[:16]
    return cache_folder("verdicts") / f"{files}.{label_slug(judge.label)}.verdicts"


def check_pictures(
    paths: Paths, judge: AnyJudge, *, columns: Mapping[str, str] | None = None, n: int = 20, seed: int = 42
) -> PictureCheck:
    """Whether a judging model uses the picture, on `n` rows of the files drawn at random."""
    reader = load_judge(judge)
    if not isinstance(reader, RubricJudge):
        raise UsageError(f"judge {reader.name!r} does not look at images; check images with a rubric/… judge")
    rows = _rows_with_picture(answer_files(paths, columns))
    if len(rows) < 2:
        raise DataError("the image check needs at least two rows that have an image and a response")
    rng = np.random.default_rng(seed)
    drawn_places = rng.permutation(len(rows))[:n]
    drawn_rows = [rows[int(place)] for place in sorted(drawn_places)]
    try:
        return finish(closing(picture_check(reader, drawn_rows, rng=rng), reader))
    except RuntimeError as error:
        raise RunError(f"the image check stopped: {error}") from error


def _rows_with_picture(paths: Iterable[Path]) -> list[tuple[Exchange, Picture]]:
    rows = []
    for row in read_rows(paths):
        with suppress(ImageError, DataError):  # what cannot be shown can tell nothing about looking
            picture = picture_of(row)
            if picture is not None and row.exchange.to_judge:
                rows.append((row.exchange, picture))
    return rows


@dataclass(frozen=True)
class Tuning:
    """The threshold of a cascade that reaches a target agreement, and what it saves."""

    target: float
    threshold: float | None
    """None when no threshold reaches the target."""
    agreement: Estimate
    """Of the rows that `rules` decides at that threshold."""
    saved: float
    """Share of rows that need no judging model."""
    n: int


def tune_cascade(
    paths: Paths,
    *,
    columns: Mapping[str, str] | None = None,
    target: float = 0.99,
    rule: Rule | str = Rule.MODEL,
) -> Tuning:
    """The lowest confidence at which the rows that `rules` decides agree with their labels in the target share."""
    if not 0 < target <= 1:
        raise UsageError(f"target is {target!r}, expected a share above 0 and up to 1")
    rows = all_judged(answer_files(paths, columns), load_judge("rules"), max_connections=1)
    labelled, n_set_aside = labelled_rows(rows, parse_rule(rule))
    if not any(row.row.verdict for row in labelled):
        raise nothing_to_compare(rows, n_set_aside)
    n = len(labelled) + n_set_aside.get(SetAside.NO_VERDICT, 0)  # what rules abstains on goes to the model
    ranked = _most_confident_first(labelled)
    n_decided = _n_decided_at(target, ranked)
    n_right = sum(verdict.is_right for verdict in ranked[:n_decided])
    return Tuning(
        target=target,
        threshold=ranked[n_decided - 1].confidence if n_decided else None,
        agreement=wilson(n_right, n_decided),
        saved=n_decided / n,
        n=n,
    )


@dataclass(frozen=True)
class _RankedVerdict:
    confidence: float
    is_right: bool


def _most_confident_first(rows: Sequence[LabelledRow]) -> list[_RankedVerdict]:
    """The verdicts that a cascade may take; of unfamiliar answers it asks the model, however sure the rules are."""
    verdicts = []
    for row in rows:
        verdict = row.row.verdict
        if verdict is not None and not verdict.unfamiliar:
            verdicts.append(_RankedVerdict(verdict.confidence or 0.0, not row.wrong))
    return sorted(verdicts, key=lambda verdict: verdict.confidence, reverse=True)


def _n_decided_at(target: float, ranked: Sequence[_RankedVerdict]) -> int:
    """How many of the most confident verdicts can be taken so that the target share of them is right."""
    n_decided = 0
    n_right = 0
    for n_taken, verdict in enumerate(ranked, start=1):
        n_right += verdict.is_right
        # A threshold cannot part equal confidences.
        is_last_of_tie = n_taken == len(ranked) or ranked[n_taken].confidence < verdict.confidence
        if is_last_of_tie and n_right / n_taken >= target:
            n_decided = n_taken
    return n_decided


def save_baseline(judge: AnyJudge, path: str | Path) -> Path:
    """Writes what a judge says of the probes now, to compare with later."""
    write_atomically(Path(path), to_json(probe_verdicts(load_judge(judge))))
    return Path(path)


def probe_verdicts(judge: Judge) -> Baseline:
    return finish(closing(ask_probes(judge), judge))


def _judge_files(
    paths: Iterable[Path],
    judge: Judge,
    take: OnRow,
    *,
    max_connections: int,
    on_row: OnRow | None = None,
    keep: Keep | None = None,
) -> None:
    """Gives `take` every row of the files with its verdict; the judge is closed."""
    judging = judge_rows(paths, judge, take, max_connections=max_connections, keep=keep, on_row=on_row)
    finish(closing(judging, judge))


def all_judged(
    paths: Iterable[Path], judge: Judge, *, max_connections: int, on_row: OnRow | None = None, keep: Keep | None = None
) -> list[JudgedRow]:
    """Every row of the files that is kept, with its verdict; the judge is closed."""
    rows: list[JudgedRow] = []
    _judge_files(paths, judge, rows.append, max_connections=max_connections, on_row=on_row, keep=keep)
    return rows
