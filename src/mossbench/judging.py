"""Judges on files: apply one to transcripts, validate it on labels, tune a cascade, check for drift.

Judging a run again is `runs.judge_run`.
"""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mossbench.coroutines import finish
from mossbench.errors import DataError, ImageError, RunError, UsageError
from mossbench.images import Picture
from mossbench.judges import DEFAULT_JUDGE, Judge, load_judge
from mossbench.judges.application import JudgedRow, judge_rows, picture_of, read_rows
from mossbench.judges.drift import Baseline, Drift, ask_probes, compare, read_baseline, shipped_baseline, to_json
from mossbench.judges.judge import JUDGE_FAILED, Reader
from mossbench.judges.picture_check import PictureCheck, picture_check
from mossbench.judges.rubric import RubricJudge
from mossbench.judges.validation import Validation, labelled_rows, nothing_to_compare, validate
from mossbench.outcomes import Exchange, Layer, Rule
from mossbench.results import parse_rule
from mossbench.runfolder import RunFolder
from mossbench.statistics import Estimate, wilson
from mossbench.storage import check_free, storage_errors, write_atomically

AnyJudge = str | Judge | Reader
Paths = str | Path | Iterable[str | Path]
OnRow = Callable[[JudgedRow], None]


@dataclass(frozen=True)
class Applied:
    """What became of the rows of files that were judged."""

    n: int
    layers: Counter[Layer]
    unjudged: Counter[str]
    """Why rows have no verdict."""

    @property
    def n_broken(self) -> int:
        """Rows on which the judge itself broke down."""
        return sum(n for reason, n in self.unjudged.items() if reason.startswith(JUDGE_FAILED))


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
    """
    out, reader = Path(out), load_judge(judge)
    check_free(out, overwrite=overwrite)
    partial = out.with_name(f"{out.name}.part")

    async def work() -> Applied:
        layers: Counter[Layer] = Counter()
        unjudged: Counter[str] = Counter()
        with storage_errors(out), partial.open("wb") as file:
            async for row in _judged(_listed(paths), reader, max_connections):
                file.write(_line(row.to_dict(reader.label)))
                layers[row.outcome.layer] += 1
                if row.outcome.layer is Layer.UNJUDGED and row.verdict:
                    unjudged[row.verdict.reason] += 1
                if on_row is not None:
                    on_row(row)
        return Applied(layers.total(), layers, unjudged)

    with storage_errors(out):
        out.parent.mkdir(parents=True, exist_ok=True)
    try:
        applied = finish(work())
        with storage_errors(out):
            partial.replace(os.path.realpath(out))
    finally:
        partial.unlink(missing_ok=True)
    return applied


def _line(content: dict[str, Any]) -> bytes:
    """A line of JSON; what JSON cannot say (NaN) is null, and half of a surrogate pair stays escaped as it came."""
    content = {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in content.items()
    }
    try:
        return json.dumps(content, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(content).encode() + b"\n"


def _listed(paths: Paths) -> list[str | Path]:
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
    """How well a judge agrees with the labels on the rows of the files."""
    paths = _listed(paths)
    reader = load_judge(judge)
    rows = _all(paths, reader, max_connections, on_row)
    other = None
    if against is not None:
        second = load_judge(against)
        other = (second.label, _all(paths, second, max_connections, on_row))
    return validate(rows, reader.label, rule=parse_rule(rule), rng=np.random.default_rng(seed), against=other)


def check_pictures(paths: Paths, judge: AnyJudge, *, n: int = 20, seed: int = 42) -> PictureCheck:
    """Whether a judging model uses the picture, on `n` rows of the files drawn at random."""
    reader, rng = load_judge(judge), np.random.default_rng(seed)
    if not isinstance(reader, RubricJudge):
        raise UsageError(f"judge {reader.name!r} looks at no picture; the picture check is for rubric/… judges")

    async def work() -> PictureCheck:
        rows: list[tuple[Exchange, Picture]] = []
        for where, record, exchange in read_rows(map(Path, _listed(paths))):
            try:
                picture = picture_of(record, where)
            except (ImageError, DataError):
                continue  # it cannot be shown, so it can tell nothing about looking
            if picture is not None and exchange.to_judge:
                rows.append((exchange, picture))
        if len(rows) < 2:
            raise DataError("the picture check needs at least two rows with an `image` and a response")
        chosen = [rows[int(i)] for i in sorted(rng.permutation(len(rows))[:n])]
        try:
            return await picture_check(reader, chosen, rng=rng)
        except RuntimeError as error:
            raise RunError(f"the picture check ended: {error}") from error
        finally:
            await reader.close()

    return finish(work())


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
    rows = _all(_listed(paths), load_judge("rules"), 1, None)
    labelled, aside = labelled_rows(rows, parse_rule(rule))
    n = len(labelled) + aside.get("no verdict", 0)  # what rules abstains on goes to the model
    ranked = sorted(
        ((row.row.verdict.confidence or 0.0, not row.wrong) for row in labelled if row.row.verdict), reverse=True
    )
    if not ranked:
        raise nothing_to_compare(rows, aside)
    best, right = 0, 0
    for i, (confidence, is_right) in enumerate(ranked, start=1):
        right += is_right
        last_of_tie = i == len(ranked) or ranked[i][0] < confidence  # a threshold cannot part equal confidences
        if last_of_tie and right / i >= target:
            best = i
    n_right = sum(is_right for _, is_right in ranked[:best])
    return Tuning(target, ranked[best - 1][0] if best else None, wilson(n_right, best), best / n, n)


def check_drift(
    judge: AnyJudge = DEFAULT_JUDGE,
    *,
    baseline: str | Path | None = None,
    save: str | Path | None = None,
    runs: Iterable[str | Path] = (),
) -> Drift:
    """Whether a judge says of the probes what it said before.

    Args:
        judge: The judge.
        baseline: File of `save_baseline` to compare with; by default what ships with the package (offline judges only).
        save: Where to write what it says now.
        runs: Run folders in which to note the finding; their tables then say when the judge has drifted.
    """
    reader = load_judge(judge)
    before = read_baseline(Path(baseline)) if baseline is not None else shipped_baseline(reader.name)
    if before is None:
        raise UsageError(
            f"no verdicts to compare judge {reader.name!r} with; save them with --save FILE, "
            "and give them as --baseline FILE later"
        )
    current = _probe_verdicts(reader)
    if save is not None:
        write_atomically(Path(save), to_json(current))
    drift = compare(current, before, deterministic=not reader.needs_picture)
    for run in runs:
        folder = RunFolder(Path(run))
        folder.info()
        write_atomically(folder.drift_path(reader.label), drift.summary() + "\n" if drift.drifted else "")
    return drift


def save_baseline(judge: AnyJudge, path: str | Path) -> Path:
    """Writes what a judge says of the probes now, to compare with later."""
    write_atomically(Path(path), to_json(_probe_verdicts(load_judge(judge))))
    return Path(path)


def _probe_verdicts(judge: Judge) -> Baseline:
    async def work() -> Baseline:
        try:
            return await ask_probes(judge)
        finally:
            await judge.close()

    return finish(work())


async def _judged(paths: Iterable[str | Path], judge: Judge, max_connections: int) -> AsyncIterator[JudgedRow]:
    try:
        async for row in judge_rows(map(Path, paths), judge, max_connections=max_connections):
            yield row
    finally:
        await judge.close()


def _all(paths: Sequence[str | Path], judge: Judge, max_connections: int, on_row: OnRow | None) -> list[JudgedRow]:
    async def work() -> list[JudgedRow]:
        rows = []
        async for row in _judged(paths, judge, max_connections):
            rows.append(row)
            if on_row is not None:
                on_row(row)
        return rows

    return finish(work())
