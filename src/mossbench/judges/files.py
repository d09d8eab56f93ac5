"""Judges on files: apply one to transcripts, validate it on labels, tune a cascade, check for drift.

Judging a run again is `runs.judge_run`.
"""

import hashlib
import json
import os
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mossbench.errors import DataError, ImageError, RunError, RunWarning, UsageError, short_message
from mossbench.images.preparing import Picture
from mossbench.judges import DEFAULT_JUDGE, Judge, load_judge
from mossbench.judges.application import JudgedRow, Keep, OnRow, judge_rows, picture_of, read_rows
from mossbench.judges.drift import Baseline, ask_probes, to_json
from mossbench.judges.journal import discard_journal, journaled
from mossbench.judges.judge import Reader
from mossbench.judges.picture_check import PictureCheck, picture_check
from mossbench.judges.rubric import RubricJudge
from mossbench.judges.validation import Validation, labelled_rows, nothing_to_compare, validate
from mossbench.outcomes import Exchange, Layer, Rule, parse_rule
from mossbench.plumbing.coroutines import closing, finish
from mossbench.plumbing.storage import cache_folder, check_free, label_slug, plain, storage_errors, write_atomically
from mossbench.statistics import Estimate, wilson

AnyJudge = str | Judge | Reader
Paths = str | Path | Iterable[str | Path]


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


def apply_judge(
    paths: Paths,
    judge: AnyJudge = DEFAULT_JUDGE,
    *,
    out: str | Path,
    overwrite: bool = False,
    max_connections: int = 8,
    on_row: OnRow | None = None,
) -> Applied:
    """Writes every row of the files with its verdict to `out` (.jsonl), one for one and in order.

    Rows are streamed: memory does not grow with the files. The output appears under its name once it is whole.
    Verdicts that cost a call are kept beside it as they come (`<out>.<judge>.verdicts`), and are there when the same
    is called again after it was stopped, or after the judge broke down on some rows.
    """
    out, reader = Path(out), load_judge(judge)
    check_free(out, overwrite=overwrite)
    partial = out.with_name(f"{out.name}.part")
    journal = out.with_name(f"{out.name}.{label_slug(reader.label)}.verdicts")

    layers, unjudged, n_broken = Counter[Layer](), Counter[str](), 0

    def take(row: JudgedRow) -> None:
        nonlocal n_broken
        file.write(_line(row.to_dict(reader.label)))
        layers[row.outcome.layer] += 1
        if row.outcome.layer is Layer.UNJUDGED and row.verdict:
            unjudged[row.verdict.reason] += 1
            n_broken += row.verdict.code is not None

    with storage_errors(out):
        out.parent.mkdir(parents=True, exist_ok=True)
    with journaled(reader, journal) as kept:
        try:
            with storage_errors(out), partial.open("wb") as file:
                _judge(paths, kept, take, max_connections=max_connections, on_row=on_row)
            with storage_errors(out):
                partial.replace(os.path.realpath(out))
        finally:
            partial.unlink(missing_ok=True)
        if not n_broken:
            discard_journal(kept)
    if n_broken:
        reason, n = unjudged.most_common(1)[0]
        message = f"{n_broken} of {layers.total()} answers broke the judge {reader.name!r}; most often ({n}): {reason}"
        warnings.warn(short_message(f"{message}; call it again to judge only these"), RunWarning, stacklevel=3)
    return Applied(layers.total(), layers, unjudged, n_broken, journal if journal.exists() else None)


def _line(content: dict[str, Any]) -> bytes:
    """A line of JSON; what JSON cannot say (NaN) is null, and half of a surrogate pair stays escaped as it came."""
    content = plain(content)
    try:
        return json.dumps(content, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(content).encode() + b"\n"


def listed(paths: Paths) -> list[str | Path]:
    return [paths] if isinstance(paths, (str, Path)) else list(paths)


def validate_judge(
    paths: Paths,
    judge: AnyJudge = DEFAULT_JUDGE,
    *,
    rule: Rule | str = Rule.MODEL,
    against: AnyJudge | None = None,
    seed: int = 42,
    max_connections: int = 8,
    on_row: OnRow | None = None,
) -> Validation:
    """How well a judge agrees with the labels on the rows of the files.

    Verdicts that cost a call are kept in the cache until all is done, and are there when it is called again.
    """
    paths = listed(paths)
    reader, second = load_judge(judge), None if against is None else load_judge(against)
    other = None
    with ExitStack() as stack:
        kept = stack.enter_context(journaled(reader, journal_of(paths, reader, "judge")))
        journaled_judges = [kept]
        rows = all_judged(paths, kept, max_connections=max_connections, on_row=on_row)
        if second is not None:
            kept = stack.enter_context(journaled(second, journal_of(paths, second, "against")))
            journaled_judges.append(kept)
            other = (second.label, all_judged(paths, kept, max_connections=max_connections, on_row=on_row))
        found = validate(rows, reader.label, rule=parse_rule(rule), rng=np.random.default_rng(seed), against=other)
        for judged in journaled_judges:
            discard_journal(judged)
    return found


def journal_of(paths: Sequence[str | Path], judge: Judge, part: str) -> Path:
    """Where verdicts of a judge on these files are kept meanwhile; the files' own folder may be closed."""
    files = hashlib.sha256(repr([part, *(str(Path(path).resolve()) for path in paths)]).encode()).hexdigest()[:16]
    return cache_folder("verdicts") / f"{files}.{label_slug(judge.label)}.verdicts"


def check_pictures(paths: Paths, judge: AnyJudge, *, n: int = 20, seed: int = 42) -> PictureCheck:
    """Whether a judging model uses the picture, on `n` rows of the files drawn at random."""
    reader, rng, rows = load_judge(judge), np.random.default_rng(seed), list[tuple[Exchange, Picture]]()
    if not isinstance(reader, RubricJudge):
        raise UsageError(f"judge {reader.name!r} does not look at images; check images with a rubric/… judge")

    for where, record, exchange in read_rows(map(Path, listed(paths))):
        with suppress(ImageError, DataError):  # what cannot be shown can tell nothing about looking
            if (picture := picture_of(record, where)) is not None and exchange.to_judge:
                rows.append((exchange, picture))
    if len(rows) < 2:
        raise DataError("the image check needs at least two rows that have an image and a response")
    chosen = [rows[int(i)] for i in sorted(rng.permutation(len(rows))[:n])]
    try:
        return finish(closing(picture_check(reader, chosen, rng=rng), reader))
    except RuntimeError as error:
        raise RunError(f"the image check stopped: {error}") from error


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


def tune_cascade(paths: Paths, *, target: float = 0.99, rule: Rule | str = Rule.MODEL) -> Tuning:
    """The lowest confidence at which the rows that `rules` decides agree with their labels in the target share."""
    if not 0 < target <= 1:
        raise UsageError(f"target is {target!r}, expected a share above 0 and up to 1")
    rows = all_judged(paths, load_judge("rules"), max_connections=1)
    labelled, aside = labelled_rows(rows, parse_rule(rule))
    n = len(labelled) + aside.get("no verdict", 0)  # what rules abstains on goes to the model
    verdicts = [(row.row.verdict, not row.wrong) for row in labelled if row.row.verdict]
    # A cascade asks the model about unfamiliar answers too, however sure the rules are.
    ranked = sorted(
        ((verdict.confidence or 0.0, is_right) for verdict, is_right in verdicts if not verdict.unfamiliar),
        reverse=True,
    )
    if not verdicts:
        raise nothing_to_compare(rows, aside)
    best, right = 0, 0
    for i, (confidence, is_right) in enumerate(ranked, start=1):
        right += is_right
        last_of_tie = i == len(ranked) or ranked[i][0] < confidence  # a threshold cannot part equal confidences
        if last_of_tie and right / i >= target:
            best = i
    n_right = sum(is_right for _, is_right in ranked[:best])
    return Tuning(target, ranked[best - 1][0] if best else None, wilson(n_right, best), best / n, n)


def save_baseline(judge: AnyJudge, path: str | Path) -> Path:
    """Writes what a judge says of the probes now, to compare with later."""
    write_atomically(Path(path), to_json(probe_verdicts(load_judge(judge))))
    return Path(path)


def probe_verdicts(judge: Judge) -> Baseline:
    return finish(closing(ask_probes(judge), judge))


def _judge(paths: Paths, judge: Judge, take: OnRow, **how: Any) -> None:
    """Has `take` told of every row of the files with its verdict; the judge is closed."""
    finish(closing(judge_rows(map(Path, listed(paths)), judge, take, **how), judge))


def all_judged(
    paths: Paths, judge: Judge, *, max_connections: int, on_row: OnRow | None = None, keep: Keep | None = None
) -> list[JudgedRow]:
    """Every row of the files that is kept, with its verdict; the judge is closed."""
    rows: list[JudgedRow] = []
    _judge(paths, judge, rows.append, max_connections=max_connections, on_row=on_row, keep=keep)
    return rows
