"""Runs in a list: what each is of, how far it is and what came out, read quickly.

What takes long, counting the rows, is kept in the run's folder (`.summary.json`) until one of its files changes.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import ValidationError, field_serializer

import mossbench
from mossbench.errors import MossbenchError, message_of, n_of
from mossbench.messages import NOTHING, Message
from mossbench.plumbing.frames import Framed
from mossbench.plumbing.json_values import as_json_value, to_json
from mossbench.plumbing.storage import write_atomically
from mossbench.plumbing.untrusted_files import read_file
from mossbench.results.rates import Rate
from mossbench.results.table import Results, load_results
from mossbench.samples import Record, Side
from mossbench.store.batch_log import pending_rows, pending_rows_text
from mossbench.store.keeping import run_folders
from mossbench.store.run_folder import RunFolder

Signature = tuple[tuple[str, int, int], ...]
"""Of each file its name, its size in bytes and when it was changed, in nanoseconds."""


class SideRate(Record):
    """A side's refusal rate as the judge read it; None where nothing counts, or where it is not known."""

    is_known: bool
    """False: too many answers are unfamiliar to the judge."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    refused: int


class Summary(Record):
    judge: str | None
    n_answers: int
    n_failed: int
    cost: float | None
    """US dollars, as far as tokens and prices are known."""
    rates: dict[Side, SideRate]


class RunLine(Record):
    """A run in a list."""

    name: str
    model: str = ""
    recorded: bool = False
    """Whether its answers were recorded before and read from a file."""
    data: str = ""
    started: str = ""
    state: str
    """finished, in progress, not finished, or cannot be read."""
    n_rows: int = 0
    out: str = ""
    """`12 rows are pending in 2 batches`; empty where none are."""
    summary: Summary | None = None
    error: Message = NOTHING
    """Why it cannot be read."""

    @field_serializer("error")
    def _error_as_text(self, error: Message) -> str:
        return str(error)

    def __repr__(self) -> str:
        return f"<RunLine {self.name}: {self.model or self.error}, {self.n_rows} rows, {self.state}>"


class _SavedSummary(Record):
    mossbench: str
    signature: Signature
    summary: Summary


class RunLines(Framed, list[RunLine]):
    """Runs in a list, the newest first."""

    def lines(self) -> list[dict[str, Any]]:
        return [_plain_line(line) for line in self]

    def shown_lines(self) -> list[dict[str, Any]]:
        names = ("name", "model", "data", "state", "n_rows")
        return [{name: getattr(line, name) for name in names} | _shown_rates(line.summary) for line in self]

    def title(self) -> str:
        return n_of(len(self), "run")

    def __repr__(self) -> str:
        return list.__repr__(self)


def _plain_line(line: RunLine) -> dict[str, Any]:
    """A run as one flat line: the rate of each side has columns of its own."""
    values = line.model_dump(mode="json")
    summary = values.pop("summary") or {}
    rates = summary.pop("rates", {})
    flat: dict[str, Any] = {}
    for side, rate in rates.items():
        flat |= {f"{side}_{name}": value for name, value in rate.items()}
    return {**values, **summary, **flat}


def _shown_rates(summary: Summary | None) -> dict[str, str]:
    if summary is None:
        return {}
    rates = {}
    for side, rate in summary.rates.items():
        share = "not known" if rate.value is None else f"{100 * rate.value:.1f} %"
        rates[f"{side.adjective}: refused"] = share
    return rates


def list_runs(runs: str | Path = "runs") -> RunLines:
    """The runs in a folder, the newest first; one that cannot be read is listed with the reason."""
    dated: list[tuple[RunLine, int]] = []
    for path in run_folders(Path(runs)):
        dated.append((line_of(path), made_at(signature_of(path))))
    dated.sort(key=lambda line_and_time: line_and_time[0].name)
    dated.sort(key=lambda line_and_time: (line_and_time[0].started, line_and_time[1]), reverse=True)
    return RunLines(line for line, _ in dated)


def line_of(path: Path) -> RunLine:
    folder = RunFolder(path)
    try:
        info = folder.info()
        summary = summary_of(path)
        pending = pending_rows(folder.batches_path)
    except (MossbenchError, OSError, ValueError) as error:
        return RunLine(name=path.name, state="cannot be read", error=message_of(error))
    is_whole = info.ended is not None and summary.n_answers >= info.n_rows
    state = "finished" if is_whole else "not finished"
    if folder.is_being_written():
        state = "in progress"
    return RunLine(
        name=path.name,
        model=info.model,
        recorded=info.recorded,
        data=info.dataset.name,
        started=info.started,
        state=state,
        n_rows=info.n_rows,
        out=pending_rows_text(pending),
        summary=summary,
    )


def summary_of(path: Path) -> Summary:
    """A run's summary, from its folder where none of its files has changed since it was written there."""
    summary_path = path / ".summary.json"
    signature = signature_of(path)
    with suppress(OSError, ValidationError):
        saved = _SavedSummary.model_validate_json(read_file(summary_path))
        if saved.mossbench == mossbench.__version__ and saved.signature == signature:
            return saved.summary
    summary = _summarize(load_results(path))
    with suppress(MossbenchError, OSError):  # a folder that may not be written is counted each time
        content = _SavedSummary(mossbench=mossbench.__version__, signature=signature, summary=summary)
        write_atomically(summary_path, to_json(content), durable=False, make_folder=False)
    return summary


def _summarize(results: Results) -> Summary:
    n_answers = sum(results.other_arms.values()) + results.n_in_part_epochs
    n_failed = 0
    for row in results.rows:
        facts = row.answered
        if facts is not None:
            n_answers += 1
            n_failed += facts.error is not None
    return Summary(
        judge=results.judge,
        n_answers=n_answers,
        n_failed=n_failed,
        cost=results.spent().cost,
        rates={rate.side: _side_rate(rate) for rate in results.rates(by=None)},
    )


def signature_of(folder: Path) -> Signature:
    """Sizes and times of the files that results are made of."""
    paths = [folder / "run.json", folder / "samples.jsonl", folder / "answers.jsonl"]
    paths += sorted(folder.glob("verdicts.*.jsonl"))
    paths += sorted(folder.glob("drift.*.txt"))
    paths += sorted(folder.glob("label-plan.*.json"))
    return signature_of_files(paths)


def signature_of_files(paths: Iterable[Path]) -> Signature:
    """Of those of the files that exist."""
    signature = []
    for path in paths:
        with suppress(OSError):
            stat = path.stat()
            signature.append((path.name, stat.st_size, stat.st_mtime_ns))
    return tuple(signature)


def made_at(signature: Signature) -> int:
    """When a run's samples were written, once and at its start: it tells runs apart that began in one second."""
    return next((changed for name, _, changed in signature if name == "samples.jsonl"), 0)


def _side_rate(rate: Rate) -> SideRate:
    estimate = rate.estimate
    return SideRate(
        is_known=rate.is_known,
        value=as_json_value(estimate.value) if rate.is_known else None,
        low=as_json_value(estimate.low) if rate.is_known else None,
        high=as_json_value(estimate.high) if rate.is_known else None,
        n=estimate.n,
        refused=rate.refused,
    )
