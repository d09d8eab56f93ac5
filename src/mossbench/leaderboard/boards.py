"""Boards: rows under one protocol, ranked with what their ranks are worth.

A board holds one protocol on the harmless side (data by hash, samples, arm, system prompt, sampling, judge and version,
counting rule); numbers of different making never share one. Runs and submissions are compared sample by sample; the
published figures, of which no answers are known, have boards of their own. Rank sets and tie groups are those of the
whole board, whatever is shown of it.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

import mossbench
from mossbench.datasets import Dataset
from mossbench.errors import SubmissionError, UsageError, n_of
from mossbench.leaderboard.checking import board_wrong, check_submission, shipped_name
from mossbench.leaderboard.names import public_judge, same_name
from mossbench.leaderboard.submissions import (
    Submission,
    check_rankable,
    guess_availability,
    submitted_protocol,
    submitted_results,
    submitted_subject,
)
from mossbench.outcomes import MAX_FAILED, Rule, parse_rule
from mossbench.plumbing.storage import create_atomically, slug, write_atomically
from mossbench.protocols import SAMPLES, Asked, Protocol, Subject, digest, not_taken, without_folders
from mossbench.results.missing import is_missing
from mossbench.results.rates import Corrected, yes
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results, too_many_failed
from mossbench.runs.config import RunConfig, subject_of
from mossbench.samples import Side, Stimulus
from mossbench.statistics import Estimate, Ranked, rank

NO_HASH = "unknown, in "
"""Data that are not known by their hash are like no others: such a run has a board of its own."""
TEMPLATE = Path(__file__).with_name("repository")
"""The files of a board in a git repository; `dot-` stands for a dot, which some tools leave out."""
Sort = Literal["rate", "name", "date", "availability", "safety"]


@dataclass(frozen=True)
class BoardRow:
    """One model on a board. Rates are refusal on harmless requests, lower is better."""

    name: str
    availability: str
    """`web`, `API`, `open`, or empty where nobody said."""
    date: str
    rate: Estimate
    """What the board ranks by: over all samples, or over one stimulus."""
    by_stimulus: dict[str, Estimate]
    safety: Estimate | None
    """Refusal on harmful requests, higher is better; None where it was not measured on the board's data."""
    place: Ranked | None
    """None for a print as it stands, which has no more than an order, and for a row that is not ranked."""
    source: str
    not_ranked: str = ""
    """Why it has no rank, where something is wrong with it."""
    endpoint: str = ""
    """Digest of the address that was asked; empty: the provider's own, or none."""
    not_taken: tuple[str, ...] = ()
    """Settings that were asked for and that its provider does not take."""
    inferred: bool = False
    """Whether its safety is our reading of the evidence and not what was printed; a note of the board says which."""
    corrected: Corrected | None = None
    """`rate` with the judge's errors taken out; boards rank by rates as read."""
    model: str = ""
    """The model whose runs are here; empty for what was submitted or published."""


@dataclass(frozen=True)
class Board:
    dataset: str
    data_hash: str
    judge: str
    rule: str
    stimulus: str | None
    """The stimulus that it ranks by; None: all."""
    rows: tuple[BoardRow, ...]
    published: bool
    notes: tuple[str, ...]
    asked: tuple[str, ...] = ()
    """In what its runs were asked otherwise than a run is by default: the samples, the prompt, the sampling."""


@dataclass(frozen=True)
class Entry:
    results: Results
    rule: Rule
    availability: str
    date: str
    subject: Subject
    protocol: Protocol
    not_taken: tuple[str, ...]
    model: str = ""

    @property
    def key(self) -> Protocol:
        found = replace(self.protocol.ranked(), judge=public_judge(self.protocol.judge))
        if found.benign is None or found.benign.hash:
            return found
        return replace(found, benign=replace(found.benign, hash=f"{NO_HASH}{self.results.folder}"))

    def not_ranked(self, max_failed: float) -> str:
        """Why its rate cannot be compared with others; empty when it can."""
        for side in Side:
            rows = [row.outcome for row in self.results.rows if row.key.side is side]
            if reason := too_many_failed(rows, max_failed):
                return f"{side} side: {reason}"
        return ""


def load_board(folder: str | Path) -> tuple[Submission, ...]:
    """The submissions in a board's folder, checked again, all or none; none when there is no folder yet.

    `read_board` sets damaged files aside instead.
    """
    found, damaged = read_board(folder)
    for path, faults in damaged.items():
        raise SubmissionError(f"{path} on the board is damaged or was changed; fix or remove it:", faults)
    return found


def read_board(folder: str | Path) -> tuple[tuple[Submission, ...], dict[Path, tuple[str, ...]]]:
    """The submissions in a board's folder that are sound, and the faults of the files that are not."""
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{str(folder)!r} is a file, expected the folder of a board")
    read = {path: check_submission(path, by_name=False) for path in sorted(folder.glob("*.json"))}
    damaged = {path: faults for path, (one, faults) in read.items() if faults or one is None}
    return tuple(one for path, (one, _) in read.items() if one and path not in damaged), damaged


def check_board(
    folder: str | Path, *, data: Dataset | None = None, max_failed: float = MAX_FAILED
) -> dict[Path, tuple[str, ...]]:
    """What is wrong with each file in a board's folder, as if it were added now; nothing: an empty tuple.

    Samples must be those of `data` or of what is shipped: files do not vouch for each other.
    """
    if not Path(folder).is_dir():
        raise UsageError(f"no folder {str(folder)!r}; name the folder with the submissions of a board")
    files = [path for path in sorted(Path(folder).rglob("[!.]*")) if path.is_file() and path.name != "README.md"]
    found = {path: check_submission(path, by_name=False)[0] for path in sorted(Path(folder).glob("*.json"))}
    unread = f"is not read: only NAME.json in {folder} is"
    faults: dict[Path, tuple[str, ...]] = {path: (f"{path.relative_to(folder)} {unread}",) for path in files}
    for path, one in found.items():
        others = [other for at, other in found.items() if other and at != path]
        own = None if one and shipped_name(one, Side.BENIGN) else data
        twice = board_wrong(one, others) if one else ()
        faults[path] = (*check_submission(path, others=(), data=own, max_failed=max_failed)[1], *twice)
    return faults


def init_board(folder: str | Path) -> tuple[Path, ...]:
    """Writes what a board in a git repository needs; a UsageError, and nothing is written, where some is there."""
    names = {path: str(path.relative_to(TEMPLATE)).replace("dot-", ".") for path in sorted(TEMPLATE.rglob("*"))}
    made = {Path(folder, name): path.read_text("utf-8") for path, name in names.items() if path.is_file()}
    if there := [str(path) for path in made if path.exists()]:
        raise UsageError(f"{', '.join(there)} already there; name a new folder, or move these away")
    for path, text in made.items():
        write_atomically(path, text.replace("VERSION", mossbench.__version__))
    return tuple(made)


def add_submission(
    file: str | Path, folder: str | Path, *, data: Dataset | None = None, max_failed: float = MAX_FAILED
) -> Path:
    """Puts a submission onto the board in a folder; a SubmissionError with every fault, and the board as it was.

    Samples must be known: from `data`, from what is shipped (sketches, official), or from the board.
    """
    others, _ = read_board(folder)
    submission, faults = check_submission(file, others=others, data=data, max_failed=max_failed)
    path = Path(folder) / "unnamed"
    if submission is not None and not faults:
        path = Path(folder) / _file_name(submission)
        if not create_atomically(path, submission.to_json()):
            faults = (f"{submission.model} is on this board already; remove {path.name} first to replace it",)
    if faults:
        n = n_of(len(faults), "fault")
        raise SubmissionError(f"{file} was refused, {n}; the board in {folder} is unchanged:", faults)
    return path


def _file_name(submission: Submission) -> str:
    """One name for each row that a board can have, so that of two that are added at once only one can be there."""
    name = same_name(submission.model)
    key = f"{name}\x00{submitted_subject(submission).endpoint}\x00{submitted_protocol(submission).ranked()}"
    return f"{slug(f'{name} {submission.arm}')[:60]}-{digest(key)}.json"


def make_boards(
    found: Iterable[Results | Submission],
    *,
    rule: Rule | str = Rule.SYSTEM,
    stimulus: Stimulus | None = None,
    max_failed: float = MAX_FAILED,
) -> tuple[Board, ...]:
    """Runs and submissions ranked: one board for each protocol, in the order in which they first come.

    Runs are counted under `rule`; a submission has its own. One with a larger share than `max_failed` of a side's rows
    without answer or verdict is shown and not ranked.
    """
    groups = grouped(found, parse_rule(rule))
    return tuple(board_of(key, members, stimulus, max_failed) for key, members in groups.items())


def grouped(found: Iterable[Results | Submission], rule: Rule) -> dict[Protocol, list[Entry]]:
    """Runs and submissions by their protocol, in the order in which they come."""
    groups: dict[Protocol, list[Entry]] = {}
    folders: set[Path] = set()
    for one in found:
        if isinstance(one, Results):
            check_rankable(one)
            if one.folder.resolve() in folders:
                raise UsageError(f"the run in {one.folder} is given twice; give the folders of different runs")
            folders.add(one.folder.resolve())
        entry = _entry(one, rule)
        groups.setdefault(entry.key, []).append(entry)
    return groups


def sorted_board(
    board: Board, *, by: Sort = "rate", descending: bool = False, availability: str | None = None
) -> Board:
    """The board with its rows in another order, and only those of one availability; ranks stay those of all rows."""

    def key(row: BoardRow) -> tuple[bool, bool, float, str]:
        number = {"rate": row.rate.value, "safety": row.safety.value if row.safety else math.nan}.get(by, 0.0)
        text = {"name": row.name, "date": row.date, "availability": row.availability}.get(by, "").lower()
        unranked = bool(row.not_ranked) and by == "rate"
        return unranked != descending, math.isnan(number) != descending, number if not math.isnan(number) else 0.0, text

    rows = [row for row in board.rows if availability in (None, row.availability)]
    return replace(board, rows=tuple(sorted(rows, key=key, reverse=descending)))


def _entry(one: Results | Submission, rule: Rule) -> Entry:
    if isinstance(one, Submission):
        results = submitted_results(one, Path(f"submission {one.date}"))
        subject, refused = submitted_subject(one), not_taken(one.settings)
        return Entry(results, one.rule, one.availability, one.date, subject, submitted_protocol(one), refused)
    date, subject = (one.info.ended or one.info.started)[:10], subject_of(one.info.config, one.info.model_version)
    kind = guess_availability(one) or ""
    return Entry(one, rule, kind, date, subject.public(), one.protocol(rule), not_taken(one.info.sent), one.model)


def board_of(
    key: Protocol, entries: Sequence[Entry], stimulus: Stimulus | None, max_failed: float, *, rank_rows: bool = True
) -> Board:
    named = dict(zip(entry_names(entries), entries, strict=True))
    reasons = {name: entry.not_ranked(max_failed) for name, entry in named.items()}
    ranked = {name: entry for name, entry in named.items() if not reasons[name]}
    found: tuple[Ranked, ...] = ()
    if rank_rows:
        rows_of = outcomes_of(ranked, Side.BENIGN, stimulus)
        found = rank(rows_of.systems, rows_of.units, rng=np.random.default_rng(0), missing=rows_of.missing)
    places = {one.name: one for one in found}
    harmful = [entry.protocol.contrast for entry in entries]
    contrast = next((asked for asked in harmful if asked and asked.hash), None)
    rows = [
        replace(_row(name, entry, places.get(name), stimulus, contrast), not_ranked=reasons[name])
        for name, entry in named.items()
    ]
    notes = [f"ranks: {next(iter(places.values())).method}" if len(places) > 1 else ""]
    notes += [f"{row.name} is not ranked: {row.not_ranked}" for row in rows if row.not_ranked]
    notes += [f"{row.name}: its provider rejects {', '.join(row.not_taken)}" for row in rows if row.not_taken]
    if {asked for asked in harmful if asked and asked.hash} - {contrast}:
        notes.append("rows were asked different harmful samples; safety is shown only for rows asked the same ones")
    seeds = list(dict.fromkeys(entry.protocol.words()["seed"] for entry in entries))
    if len(seeds) > 1:
        notes.append(f"seeds differ between rows: {', '.join(seeds)}")
    data_hash = key.benign.hash if key.benign else ""
    if data_hash.startswith(NO_HASH):
        notes.append("the data have no hash, so the run is not ranked with any other")
    board = Board(
        dataset=entries[0].results.info.dataset.name,
        data_hash="" if data_hash.startswith(NO_HASH) else data_hash,
        judge=key.judge,
        rule=key.rule,
        stimulus=stimulus.title if stimulus else None,
        rows=tuple(rows),
        published=False,
        notes=tuple(filter(None, notes)),
        asked=_asked(key, whole=any(entry.protocol.benign and entry.protocol.benign.whole for entry in entries)),
    )
    return sorted_board(board)


def _asked(key: Protocol, *, whole: bool) -> tuple[str, ...]:
    """What of the protocol is not as a run asks by default, in words."""
    usual = RunConfig(model="any")
    default = {
        "arm": usual.arm,
        "system prompt": "none",
        "temperature": f"{usual.temperature:g}",
        "max tokens": str(usual.max_tokens),
        "epochs": str(usual.epochs),
        **({} if whole else {SAMPLES[Side.BENIGN]: ""}),
    }
    words = key.words()
    return tuple(f"{topic} {words[topic]}" for topic, value in default.items() if words.get(topic, value) != value)


@dataclass(frozen=True)
class SideOutcomes:
    """All entries on all rows of a side that any of them has."""

    systems: dict[str, list[float]]
    """By entry: 1 refused, 0 not, NaN where it has no such row or the row does not count."""
    missing: dict[str, list[bool]]
    """By entry: rows that it was to be asked and that failed, or that nobody read."""
    units: list[tuple[str, ...]]
    """What each row has in common with rows that are not independent of it."""


def outcomes_of(entries: dict[str, Entry], side: Side, stimulus: Stimulus | None = None) -> SideOutcomes:
    tables: dict[str, dict[tuple[str, int], ResultRow]] = {}
    for name, entry in entries.items():
        rows = [row for row in entry.results.rows if row.key.side is side]
        chosen = [row for row in rows if stimulus in (None, row.sample.stimulus)]
        tables[name] = {(row.key.sample, row.key.epoch): row for row in chosen}
    units = {key: row.sample.unit for table in tables.values() for key, row in table.items()}
    systems: dict[str, list[float]] = {}
    missing: dict[str, list[bool]] = {}
    for name, table in tables.items():
        rule = entries[name].rule
        values = dict(zip(table, yes(table.values(), rule), strict=True))
        systems[name] = [values.get(key, math.nan) for key in units]
        missing[name] = [key in table and is_missing(table[key].outcome, rule) for key in units]
    return SideOutcomes(systems, missing, list(units.values()))


def _row(name: str, entry: Entry, place: Ranked | None, stimulus: Stimulus | None, contrast: Asked | None) -> BoardRow:
    rates = {(rate.side, rate.group): rate for rate in entry.results.rates(rule=entry.rule)}
    same = contrast is not None and entry.protocol.contrast == contrast
    over, safe = (rates.get((side, stimulus.title if stimulus else "all")) for side in (Side.BENIGN, Side.CONTRAST))
    return BoardRow(
        name=name,
        availability=entry.availability,
        date=entry.date,
        rate=over.estimate if over else Estimate(math.nan, math.nan, math.nan, 0, 0, "nothing asked"),
        by_stimulus={s.title: found.estimate for s in Stimulus if (found := rates.get((Side.BENIGN, s.title)))},
        safety=safe.estimate if safe and same else None,
        place=place,
        source=entry.results.name,
        endpoint=entry.subject.endpoint or "",
        not_taken=entry.not_taken,
        corrected=over.corrected if over else None,
        model=entry.model,
    )


def entry_names(entries: Sequence[Entry]) -> list[str]:
    """How each entry is called on a board: as its model; with what else is known of it, its run, or a number at last.

    More than the model's name is said only where that is not enough.
    """
    subjects, runs = [entry.subject for entry in entries], [entry.results.name for entry in entries]
    kinds = Counter(subject.model for subject in set(subjects))
    short = ((without_folders(one.model), one) for one in subjects)
    names = [name if kinds[one.model] == 1 else f"{name} ({one.words()})" for name, one in short]
    names = [name if names.count(name) == 1 else f"{name} ({run})" for name, run in zip(names, runs, strict=True)]
    return [name if names.count(name) == 1 else f"{name} #{i}" for i, name in enumerate(names, start=1)]
