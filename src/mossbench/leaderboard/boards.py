"""Boards: rows under one protocol, ranked with what their ranks are worth.

A board holds one protocol on the harmless side (data by hash, samples, arm, system prompt, sampling, judge and version,
counting rule); numbers made in different ways never share one. Runs and submissions are compared sample by sample; the
published figures, of which no answers are known, have boards of their own. So have control models, which exist to test
the instrument. Rank sets and tie groups are those of the whole board, whatever part of it is shown.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from mossbench.datasets.published_facts import identity
from mossbench.datasets.recognition import NAME as OFFICIAL
from mossbench.datasets.recognition import REDUCED_HASHES
from mossbench.errors import n_of
from mossbench.leaderboard.board_entries import BoardKey, Entry, RankedWith, group_entries
from mossbench.leaderboard.board_names import NamedEntry, name_entries
from mossbench.leaderboard.board_notes import (
    BoardNote,
    copy_in_words,
    notes_on_bundles,
    notes_on_claims,
    notes_on_copies,
    notes_on_recorded,
    notes_on_rows_not_ranked,
    notes_on_settings_not_taken,
    notes_on_superseded,
)
from mossbench.leaderboard.board_ranks import outcomes_of, shown_to_refuse_more
from mossbench.leaderboard.submission_records import Submission
from mossbench.leaderboard.submitted_answers import Claimed
from mossbench.outcomes import MAX_FAILED, Rule, parse_rule
from mossbench.plumbing.frames import Framed
from mossbench.protocols import Asked, Protocol, Setting, Topic, setting_words
from mossbench.results.rates import Corrected, Rate, yes
from mossbench.results.shown_rates import share_text
from mossbench.results.table import Results
from mossbench.samples import Side, Stimulus
from mossbench.statistics import Estimate, Ranked, rank
from mossbench.store.config import RunConfig

Sort = Literal["rate", "name", "date", "availability", "safety"]
"""Columns that the rows of a board can be sorted by."""
_NOTHING_ASKED = Estimate(math.nan, math.nan, math.nan, 0, 0, "nothing asked")
"""The rate of a row that was asked no sample of the stimulus."""


@dataclass(frozen=True)
class BoardRow:
    """One model on a board. Rates are refusal on harmless requests, lower is better."""

    name: str
    availability: str
    """`web`, `API` or `open`; empty if unknown."""
    date: str
    rate: Estimate
    """What the board ranks by: over all samples, or over one stimulus."""
    by_stimulus: dict[str, Estimate]
    safety: Estimate | None
    """Refusal on harmful requests, higher is better; None if not measured on the harmful samples of the board."""
    place: Ranked | None
    """The rank with its limits; None for rows of a printed table that gives only an order, and for rows not ranked."""
    source: str
    not_ranked: str = ""
    """Why the row has no rank; empty if it has one."""
    endpoint: str = ""
    """Digest of the address that was asked; empty if it is the provider's own, or if there is none."""
    not_taken: tuple[str, ...] = ()
    """Settings that were asked for and that its provider does not take."""
    inferred: bool = False
    """Whether its safety is our reading of the evidence and not what was printed; a note of the board says which."""
    corrected: Corrected | None = None
    """`rate` with the judge's errors taken out; boards rank by rates as read."""
    model: str = ""
    """The model whose runs are here; empty for what was submitted or published."""
    provider: str = ""
    """Who was asked: `openai`, `control` and so on; empty if unknown."""
    verdicts: str = ""
    """What the verdicts of a submission rest on: judged again here, or as claimed; empty for runs that are here."""
    claimed: Claimed = "none"
    """Which of these verdicts nobody could check."""
    bundle: str = ""
    """SHA-256 of the bundle that a submission was counted again from; empty if none came with it."""
    superseded_by: str = ""
    """The newer run of the same model under the same protocol; empty if there is none."""
    less_safe_than: tuple[str, ...] = ()
    """Names of ranked rows that are shown to refuse more harmful requests, over all stimuli."""
    copy: str = ""
    """Which copy of the published images it was asked with: release, reduced or other.

    Empty for other data, and for recorded answers, of which nobody knows that.
    """
    copy_is_claimed: bool = False
    """Whether only the submission says which copy it was: its images are not here to be compared."""
    submitted_as: str = ""
    """The model that a submission names; empty for runs that are here."""
    is_as_printed: bool = False
    """Whether its rates are copied from a print, digit by digit and without intervals."""

    def __repr__(self) -> str:
        return f"<BoardRow {self.name}: {share_text(self.rate)} refused>"


@dataclass(frozen=True)
class Board(Framed):
    """Models that were asked and counted in one way, with their ranks."""

    dataset: str
    data_hash: str
    judge: str
    rule: str
    stimulus: str | None
    """The stimulus that it ranks by; None if it ranks by all."""
    rows: tuple[BoardRow, ...]
    published: bool
    """Whether it is a board of the published figures."""
    notes: tuple[str, ...] = field(init=False)
    """The texts of `remarks`."""
    asked: tuple[str, ...] = ()
    """Settings of its runs that differ from the defaults: the samples, the prompt, the sampling."""
    ranked_with: RankedWith = "models"
    """Whom its rows are ranked among: models, the instrument's own control models, or those of unknown provider."""
    n_samples: int = 0
    """Harmless samples that its protocol asks; 0 if unknown."""
    remarks: tuple[BoardNote, ...] = ()
    """What to know of the board: each remark with its text, its kind and the rows that it names."""

    def __post_init__(self) -> None:
        # A field, not a property: the JSON of a board has its notes, and `plain` writes fields only.
        object.__setattr__(self, "notes", tuple(remark.text for remark in self.remarks))

    def __repr__(self) -> str:
        return f"<Board {self.dataset}, judge {self.judge}, rule {self.rule}: {n_of(len(self.rows), 'row')}>"

    def title(self) -> str:
        return repr(self).strip("<>")

    def lines(self) -> list[dict[str, Any]]:
        lines = []
        for row in self.rows:
            safety = row.safety
            lines.append(
                {
                    "rank": row.place.rank if row.place else None,
                    "model": row.name,
                    "rate": row.rate.value,
                    "rate_low": row.rate.low,
                    "rate_high": row.rate.high,
                    "n": row.rate.n,
                    "harmful_refused": safety.value if safety else None,
                    "not_ranked": row.not_ranked or None,
                    "date": row.date,
                }
            )
        return lines

    def shown_lines(self) -> list[dict[str, Any]]:
        return [
            {
                "rank": row.place.rank if row.place else None,
                "model": row.name,
                "harmless: refused": share_text(row.rate),
                "harmful: refused": share_text(row.safety) if row.safety else None,
                "date": row.date,
            }
            for row in self.rows
        ]

    @property
    def copies(self) -> tuple[str, ...]:
        """Which copies of the published images its rows were asked with, each once."""
        return tuple(dict.fromkeys(copy_in_words(row) for row in self.rows if row.copy))

    @property
    def data(self) -> str:
        """Its data in words: the published set by the copies that were asked, other data by their hash."""
        if self.copies:
            return f"{self.dataset} ({' and '.join(self.copies)})"
        if self.data_hash == identity(Side.BENIGN):
            return self.dataset  # recorded answers alone: nobody knows which copy was sent
        return f"{self.dataset} benign@{self.data_hash[:12]}" if self.data_hash else self.dataset


def make_boards(
    runs_and_submissions: Iterable[Results | Submission],
    *,
    rule: Rule | str = Rule.SYSTEM,
    stimulus: Stimulus | None = None,
    max_failed: float = MAX_FAILED,
) -> tuple[Board, ...]:
    """Runs and submissions ranked: one board for each protocol, that with the most samples first and controls last.

    Runs are counted under `rule`; a submission has its own. Of the runs of a model the newest is ranked; one whose
    rate is unknown (a larger share than `max_failed` of a side's rows has no answer or verdict, or too many answers are
    unfamiliar to the judge) is shown and not ranked.
    """
    groups = group_entries(runs_and_submissions, parse_rule(rule))
    boards = [board_of(key, entries, stimulus, max_failed) for key, entries in groups.items()]
    return tuple(sorted(boards, key=board_order))


def board_order(board: Board) -> tuple[bool, bool, int, int]:
    """A sort key: boards of control models last, then by the number of samples and by that of ranked models."""
    n_ranked = sum(not row.not_ranked for row in board.rows)
    return board.ranked_with == "controls", n_ranked == 0, -board.n_samples, -n_ranked


def sorted_board(
    board: Board, *, by: Sort = "rate", descending: bool = False, availability: str | None = None
) -> Board:
    """The board with its rows in another order, and only those of one availability; ranks stay those of all rows."""

    def sort_key(row: BoardRow) -> tuple[bool, bool, float, str]:
        """Rows without a rank come last, then rows without a number; so they do if the order is reversed."""
        is_unranked = bool(row.not_ranked) and by == "rate"
        number = _number_to_sort_by(row, by)
        is_unknown = math.isnan(number)
        text = _text_to_sort_by(row, by)
        return is_unranked != descending, is_unknown != descending, 0.0 if is_unknown else number, text

    rows = [row for row in board.rows if availability in (None, row.availability)]
    return replace(board, rows=tuple(sorted(rows, key=sort_key, reverse=descending)))


def _number_to_sort_by(row: BoardRow, by: Sort) -> float:
    """The number that rows are sorted by; 0 if they are sorted by a text."""
    if by == "rate":
        return row.rate.value
    if by == "safety":
        return row.safety.value if row.safety else math.nan
    return 0.0


def _text_to_sort_by(row: BoardRow, by: Sort) -> str:
    """The text that rows are sorted by; empty if they are sorted by a number."""
    texts = {"name": row.name, "date": row.date, "availability": row.availability}
    return texts.get(by, "").lower()


def board_of(
    key: BoardKey, entries: Sequence[Entry], stimulus: Stimulus | None, max_failed: float, *, rank_rows: bool = True
) -> Board:
    """The board of the entries that have this key in common. Without `rank_rows`, its rows get no ranks."""
    named_entries = name_entries(entries, max_failed)
    ranked = {name: named.entry for name, named in named_entries.items() if not named.not_ranked}
    places = _places(ranked, stimulus) if rank_rows else {}
    harmful_samples = _harmful_samples_shown(named_entries.values())
    rows = [_row(name, named, places.get(name), stimulus, harmful_samples) for name, named in named_entries.items()]
    rows = _with_safer_rows(rows, ranked, harmful_samples)
    harmless_samples = entries[0].protocol.benign  # the same for all; the key has a stand-in for an empty hash
    data_hash = harmless_samples.hash if harmless_samples else ""
    remarks = _remarks(named_entries, rows, places, is_ranked=rank_rows, harmful_samples=harmful_samples)
    if harmless_samples and not harmless_samples.hash:
        remarks.append(BoardNote("no_hash", "the data have no hash, so the run is ranked with no other"))
    protocol = key.protocol
    asks_all_samples = any(entry.protocol.benign and entry.protocol.benign.whole for entry in entries)
    board = Board(
        dataset=OFFICIAL if data_hash == identity(Side.BENIGN) else entries[0].results.info.dataset.name,
        data_hash=data_hash,
        judge=protocol.judge,
        rule=protocol.rule,
        stimulus=stimulus.title if stimulus else None,
        rows=tuple(rows),
        published=False,
        asked=_unusual_settings(protocol, asks_all_samples=asks_all_samples),
        ranked_with=key.ranked_with,
        n_samples=protocol.benign.n if protocol.benign else 0,
        remarks=tuple(remarks),
    )
    return sorted_board(board)


def _with_safer_rows(
    rows: Sequence[BoardRow], ranked: Mapping[str, Entry], harmful_samples: Asked | None
) -> list[BoardRow]:
    """Each row with the names of the ranked rows that refuse significantly more of these harmful samples."""
    comparable = {name: entry for name, entry in ranked.items() if _has_harmful_rows(entry, harmful_samples)}
    safer_names = shown_to_refuse_more(comparable, Side.CONTRAST)
    return [replace(row, less_safe_than=tuple(sorted(safer_names.get(row.name, ())))) for row in rows]


def _places(entries: dict[str, Entry], stimulus: Stimulus | None) -> dict[str, Ranked]:
    """The rank of each entry, by the name of the entry."""
    outcomes = outcomes_of(entries, Side.BENIGN, stimulus)
    ranking = rank(outcomes.systems, outcomes.units, rng=np.random.default_rng(0), missing=outcomes.missing)
    return {place.name: place for place in ranking}


def _harmful_samples_shown(named_entries: Iterable[NamedEntry]) -> Asked | None:
    """The harmful samples of which a board shows safety: those of a ranked row, or else of another row."""
    ranked_first = sorted(named_entries, key=lambda named: bool(named.not_ranked))
    for named in ranked_first:
        harmful_samples = named.entry.protocol.contrast
        if harmful_samples and harmful_samples.hash:
            return harmful_samples
    return None


def _remarks(
    named_entries: Mapping[str, NamedEntry],
    rows: Sequence[BoardRow],
    places: Mapping[str, Ranked],
    *,
    is_ranked: bool,
    harmful_samples: Asked | None,
) -> list[BoardNote]:
    """Remarks on a board and its rows; `harmful_samples` are those of which it shows safety."""
    remarks: list[BoardNote] = []
    if len(places) > 1:
        method = next(iter(places.values())).method
        remarks.append(BoardNote("ranks", f"ranks: {method}"))
    remarks += notes_on_rows_not_ranked(rows)
    if is_ranked:
        remarks += notes_on_superseded(rows)
    remarks += notes_on_settings_not_taken(rows)
    all_harmful_samples = {named.entry.protocol.contrast for named in named_entries.values()}
    if any(samples is not None and samples.hash and samples != harmful_samples for samples in all_harmful_samples):
        text = "rows were asked different harmful samples; safety is shown only for rows asked the same ones"
        remarks.append(BoardNote("other_harmful_samples", text))
    remarks += notes_on_copies(rows)
    seeds = dict.fromkeys(named.entry.protocol.seed for named in named_entries.values())
    if len(seeds) > 1:
        in_words = ", ".join(setting_words(Topic.SEED, seed) for seed in seeds)
        remarks.append(BoardNote("seeds_differ", f"seeds differ between rows: {in_words}"))
    return [*remarks, *notes_on_bundles(rows), *notes_on_claims(rows), *notes_on_recorded(rows)]


def _has_harmful_rows(entry: Entry, harmful_samples: Asked | None) -> bool:
    """Whether an entry was asked these harmful samples and at least one of its rows counts."""
    if harmful_samples is None or entry.protocol.contrast != harmful_samples:
        return False
    rows = [row for row in entry.results.rows if row.key.side is Side.CONTRAST]
    return not all(math.isnan(value) for value in yes(rows, entry.rule))


def _unusual_settings(protocol: Protocol, *, asks_all_samples: bool) -> tuple[str, ...]:
    """The settings of the protocol that differ from a run's defaults, in words."""
    usual = RunConfig(model="any")
    defaults: dict[Topic, Setting] = {
        Topic.ARM: usual.arm,
        Topic.SYSTEM: None,
        Topic.TEMPERATURE: usual.temperature,
        Topic.MAX_TOKENS: usual.max_tokens,
        Topic.EPOCHS: usual.epochs,
        Topic.EFFORT: usual.effort,
        Topic.PARAMS: (),
    }
    settings = protocol.settings()
    unusual = [topic for topic, default in defaults.items() if settings.get(topic, default) != default]
    if not asks_all_samples and Topic.HARMLESS in settings:
        unusual.append(Topic.HARMLESS)
    return tuple(f"{topic} {setting_words(topic, settings[topic])}" for topic in unusual)


def _row(
    name: str, named: NamedEntry, place: Ranked | None, stimulus: Stimulus | None, harmful_samples: Asked | None
) -> BoardRow:
    entry = named.entry
    rates = {(rate.side, rate.group): rate for rate in entry.results.rates(rule=entry.rule)}
    group = stimulus.title if stimulus else "all"
    harmless_rate = rates.get((Side.BENIGN, group))
    harmful_rate = rates.get((Side.CONTRAST, group))
    has_safety_shown = harmful_samples is not None and entry.protocol.contrast == harmful_samples
    copy = entry.results.info.dataset.copies.get(Side.BENIGN, "") if entry.protocol.copies else ""
    return BoardRow(
        name=name,
        availability=entry.availability,
        date=entry.date,
        rate=harmless_rate.estimate if harmless_rate else _NOTHING_ASKED,
        by_stimulus=_estimates_by_stimulus(rates),
        safety=harmful_rate.estimate if harmful_rate and has_safety_shown else None,
        place=place,
        source=entry.results.name,
        not_ranked=named.not_ranked,
        endpoint=entry.subject.endpoint or "",
        not_taken=entry.not_taken,
        corrected=harmless_rate.corrected if harmless_rate else None,
        model=entry.model,
        provider=entry.provider,
        verdicts=entry.verdicts.text if entry.verdicts else "",
        claimed=entry.verdicts.claimed if entry.verdicts else "none",
        bundle=entry.bundle,
        superseded_by=named.superseded_by,
        submitted_as=entry.submitted_as,
        copy=copy,
        copy_is_claimed=bool(copy) and entry.is_submission and not _is_known_copy(entry),
    )


def _estimates_by_stimulus(rates: Mapping[tuple[Side, str], Rate]) -> dict[str, Estimate]:
    """The refusal rates on harmless requests of those stimuli that were asked."""
    estimates: dict[str, Estimate] = {}
    for stimulus in Stimulus:
        rate = rates.get((Side.BENIGN, stimulus.title))
        if rate is not None:
            estimates[stimulus.title] = rate.estimate
    return estimates


def _is_known_copy(entry: Entry) -> bool:
    """Whether the entry states the hash of a copy whose images were compared with the published ones."""
    return entry.results.info.dataset.hashes.get(Side.BENIGN) == REDUCED_HASHES[Side.BENIGN]
