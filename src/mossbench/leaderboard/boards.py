"""Boards: rows under one protocol, ranked with what their ranks are worth.

A board holds one protocol on the harmless side (data by hash, samples, arm, system prompt, sampling, judge and version,
counting rule); numbers of different making never share one. Runs and submissions are compared sample by sample; the
published figures, of which no answers are known, have boards of their own. So have control models, which are there to
try the instrument on. Rank sets and tie groups are those of the whole board, whatever is shown of it.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from mossbench.datasets.recognition import NAME as OFFICIAL
from mossbench.datasets.recognition import REDUCED_HASHES, identity
from mossbench.errors import UsageError
from mossbench.leaderboard.board_notes import (
    BoardNote,
    copy_in_words,
    notes_on_claims,
    notes_on_copies,
    notes_on_recorded,
    notes_on_rows_not_ranked,
    notes_on_settings_not_taken,
    notes_on_superseded,
)
from mossbench.leaderboard.names import (
    CONTROL_PROVIDER,
    named_as_control,
    provider_of,
    public_judge,
    same_name,
)
from mossbench.leaderboard.rejudging import private_judge
from mossbench.leaderboard.submissions import (
    Submission,
    check_rankable,
    guess_availability,
    submitted_protocol,
    submitted_results,
    submitted_subject,
)
from mossbench.leaderboard.submitted_answers import Claimed, VerdictBasis, are_control_answers, verdicts_checked
from mossbench.outcomes import MAX_FAILED, Rule, parse_rule
from mossbench.plumbing.look_alikes import appearance
from mossbench.protocols import (
    Asked,
    Protocol,
    Setting,
    Subject,
    Topic,
    not_taken,
    setting_words,
    without_folders,
)
from mossbench.results.comparison_notes import unfamiliar_answers
from mossbench.results.comparison_words import note_message
from mossbench.results.current import choose_current, sides_with_missing_rows, who
from mossbench.results.missing import is_missing
from mossbench.results.rates import Corrected, yes
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.samples import Side, Stimulus
from mossbench.statistics import Estimate, Ranked, rank
from mossbench.statistics.estimates import as_codes
from mossbench.statistics.ranking import told_apart
from mossbench.store.config import RunConfig

NO_HASH = "unknown, in "
"""Data that are not known by their hash are like no others: such a run has a board of its own."""
MOST_READ = 300
"""Rows of a run whose answers are looked at to find out whether a control model gave them."""
Sort = Literal["rate", "name", "date", "availability", "safety"]
RankedWith = Literal["models", "controls", "unknown provider"]


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
    provider: str = ""
    """Who was asked: `openai`, `control` and so on; empty where nobody said."""
    verdicts: str = ""
    """What the verdicts of a submission rest on: judged again here, or as claimed; empty for runs that are here."""
    claimed: Claimed = "none"
    """Which of these verdicts nobody could check."""
    superseded_by: str = ""
    """The newer run of the same model under the same protocol; empty: none."""
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
    ranked_with: RankedWith = "models"
    """Whom its rows are ranked among: models, the instrument's own control models, or those of unknown provider."""
    n_samples: int = 0
    """Harmless samples that its protocol asks; 0: not known."""
    remarks: tuple[BoardNote, ...] = ()
    """What `notes` say, with their kinds and the rows that they name."""

    def __repr__(self) -> str:
        return f"<Board {self.dataset}, judge {self.judge}, rule {self.rule}: {len(self.rows)} rows>"

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


class BoardKey(NamedTuple):
    """What the rows of a board have in common."""

    protocol: Protocol
    ranked_with: RankedWith


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
    provider: str = ""
    ranked_with: RankedWith = "models"
    verdicts: VerdictBasis | None = None
    """What the verdicts of a submission rest on; None for runs that are here."""
    submitted_as: str = ""
    """The model that a submission names."""
    conflict: str = ""
    """Why it may be taken for another entry; empty: it may not."""

    @property
    def key(self) -> BoardKey:
        protocol = replace(self.protocol.ranked(), judge=public_judge(self.protocol.judge))
        if protocol.benign is not None and not protocol.benign.hash:
            benign = replace(protocol.benign, hash=f"{NO_HASH}{self.results.folder}")
            protocol = replace(protocol, benign=benign)
        return BoardKey(protocol, self.ranked_with)

    @property
    def is_submission(self) -> bool:
        return self.verdicts is not None

    def not_ranked(self, max_failed: float) -> str:
        """Why its rate cannot be compared with others; empty when it can."""
        reason = private_judge(public_judge(self.protocol.judge)) or self.conflict
        if reason:
            return reason
        return sides_with_missing_rows(self.results, max_failed)


def make_boards(
    found: Iterable[Results | Submission],
    *,
    rule: Rule | str = Rule.SYSTEM,
    stimulus: Stimulus | None = None,
    max_failed: float = MAX_FAILED,
) -> tuple[Board, ...]:
    """Runs and submissions ranked: one board for each protocol, that with the most samples first and controls last.

    Runs are counted under `rule`; a submission has its own. Of the runs of a model the newest is ranked; one with a
    larger share than `max_failed` of a side's rows without answer or verdict is shown and not ranked.
    """
    groups = grouped(found, parse_rule(rule))
    boards = [board_of(key, members, stimulus, max_failed) for key, members in groups.items()]
    return tuple(sorted(boards, key=board_order))


def board_order(board: Board) -> tuple[bool, bool, int, int]:
    """Of several boards a page heads with the one on the most samples; of these, with the one of the most models."""
    n_ranked = sum(not row.not_ranked for row in board.rows)
    return board.ranked_with == "controls", n_ranked == 0, -board.n_samples, -n_ranked


def grouped(competitors: Iterable[Results | Submission], rule: Rule) -> dict[BoardKey, list[Entry]]:
    """Runs and submissions by their protocol and by whom they are ranked among, in the order in which they come."""
    groups: dict[BoardKey, list[Entry]] = {}
    for entry in _with_conflicts(_entries(competitors, rule)):
        groups.setdefault(entry.key, []).append(entry)
    return groups


def _entries(competitors: Iterable[Results | Submission], rule: Rule) -> list[Entry]:
    entries: list[Entry] = []
    folders: set[Path] = set()
    for competitor in competitors:
        if isinstance(competitor, Results):
            check_rankable(competitor)
            if competitor.folder.resolve() in folders:
                raise UsageError(f"the run in {competitor.folder} is given twice; give the folders of different runs")
            folders.add(competitor.folder.resolve())
        entries.append(_entry(competitor, rule))
    return entries


def _with_conflicts(entries: Sequence[Entry]) -> list[Entry]:
    """The entries, with what is to be said of submissions that a reader would take for another entry.

    Which of two submissions is the imitation cannot be told, so neither is ranked. A run that is here is no imitation.
    """
    names_by_look: dict[str, dict[str, str]] = {}
    for entry in entries:
        model = entry.subject.model
        names_by_look.setdefault(appearance(model), {}).setdefault(same_name(model), model)
    n_submitted = Counter(_board_place(entry) for entry in entries if entry.is_submission)
    checked = []
    for entry in entries:
        model = entry.subject.model
        look_alikes = [name for key, name in names_by_look[appearance(model)].items() if key != same_name(model)]
        conflict = ""
        if entry.is_submission and look_alikes:
            conflict = f"its name {ascii(model[:60])} looks like {ascii(look_alikes[0][:60])}, another entry"
        elif entry.is_submission and n_submitted[_board_place(entry)] > 1:
            conflict = "there are several submissions of this name, at one endpoint and under one protocol"
        checked.append(replace(entry, conflict=conflict))
    return checked


def _board_place(entry: Entry) -> tuple[str, str | None, BoardKey]:
    """What no two submissions on a board share."""
    return same_name(entry.subject.model), entry.subject.endpoint, entry.key


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


def _entry(competitor: Results | Submission, rule: Rule) -> Entry:
    if isinstance(competitor, Submission):
        return _entry_of_submission(competitor)
    return _entry_of_run(competitor, rule)


def _entry_of_run(results: Results, rule: Rule) -> Entry:
    subject = results.info.public_subject
    provider = provider_of(results.info.config.model)
    is_control = (
        provider == CONTROL_PROVIDER or named_as_control(subject.model) or are_control_answers(_answers_of(results))
    )
    return Entry(
        results=results,
        rule=rule,
        availability=guess_availability(results) or "",
        date=(results.info.ended or results.info.started)[:10],
        subject=subject,
        protocol=results.protocol(rule),
        not_taken=not_taken(results.info.sent),
        model=results.model,
        provider=provider if results.info.dataset.hashes else "",  # of what was imported nobody knows
        ranked_with="controls" if is_control else "models",
    )


def _entry_of_submission(submission: Submission) -> Entry:
    return Entry(
        results=submitted_results(submission, Path(f"submission {submission.date}")),
        rule=submission.rule,
        availability=submission.availability,
        date=submission.date,
        subject=submitted_subject(submission),
        protocol=submitted_protocol(submission),
        not_taken=submission.stated_settings.not_taken,
        provider=submission.provider or "",
        ranked_with=_submission_ranked_with(submission),
        verdicts=verdicts_checked(submission),
        submitted_as=submission.model,
    )


def _submission_ranked_with(submission: Submission) -> RankedWith:
    """Controls are ranked among controls, also under another name; like a setting, a provider may be unknown."""
    texts: list[str | None] = []
    for side in submission.sides.values():
        texts += [row.response for row in side.responses.values()]
    if submission.provider == CONTROL_PROVIDER or named_as_control(submission.model) or are_control_answers(texts):
        return "controls"
    return "models" if submission.provider else "unknown provider"


def _answers_of(results: Results) -> Iterator[str | None]:
    """The texts of a run's answers, read one by one: rows of a large run leave them in its files."""
    for row in results.rows[:MOST_READ]:
        exchange = row.exchange
        yield exchange.answer.text if exchange else None


def board_of(
    key: BoardKey, entries: Sequence[Entry], stimulus: Stimulus | None, max_failed: float, *, rank_rows: bool = True
) -> Board:
    named = named_entries(entries, max_failed)
    ranked = {name: named_entry.entry for name, named_entry in named.items() if not named_entry.not_ranked}
    places = _places(ranked, stimulus) if rank_rows else {}
    contrast = _harmful_samples_shown(named.values())
    same_harmful = {name: entry for name, entry in ranked.items() if _asked_harmful(entry, contrast)}
    safer = shown_to_refuse_more(same_harmful, Side.CONTRAST)
    rows = []
    for name, named_entry in named.items():
        row = replace(
            _row(name, named_entry.entry, places.get(name), stimulus, contrast),
            not_ranked=named_entry.not_ranked,
            superseded_by=named_entry.superseded_by,
            less_safe_than=tuple(sorted(safer.get(name, ()))),
        )
        rows.append(row)
    asked = entries[0].protocol.benign  # the same of all; the key has another hash in place of an empty one
    data_hash = asked.hash if asked else ""
    remarks = _remarks(named, rows, places, is_ranked=rank_rows, contrast=contrast)
    if asked and not asked.hash:
        remarks.append(BoardNote("no_hash", "the data have no hash, so the run is not ranked with any other"))
    protocol = key.protocol
    board = Board(
        dataset=OFFICIAL if data_hash == identity(Side.BENIGN) else entries[0].results.info.dataset.name,
        data_hash=data_hash,
        judge=protocol.judge,
        rule=protocol.rule,
        stimulus=stimulus.title if stimulus else None,
        rows=tuple(rows),
        published=False,
        notes=tuple(remark.text for remark in remarks),
        asked=_asked(protocol, whole=any(entry.protocol.benign and entry.protocol.benign.whole for entry in entries)),
        ranked_with=key.ranked_with,
        n_samples=protocol.benign.n if protocol.benign else 0,
        remarks=tuple(remarks),
    )
    return sorted_board(board)


@dataclass(frozen=True)
class NamedEntry:
    """An entry as a board shows it."""

    entry: Entry
    not_ranked: str
    """Why it has no rank; empty: it has one."""
    superseded_by: str = ""
    """The run that stands for its model in its place."""


def _places(entries: dict[str, Entry], stimulus: Stimulus | None) -> dict[str, Ranked]:
    """Of each entry, by its name, the place among all of them."""
    outcomes = outcomes_of(entries, Side.BENIGN, stimulus)
    ranking = rank(outcomes.systems, outcomes.units, rng=np.random.default_rng(0), missing=outcomes.missing)
    return {place.name: place for place in ranking}


def _harmful_samples_shown(named_entries: Iterable[NamedEntry]) -> Asked | None:
    """The harmful samples whose safety a board shows: what a ranked row was asked comes first."""
    ranked_first = sorted(named_entries, key=lambda named_entry: bool(named_entry.not_ranked))
    for named_entry in ranked_first:
        asked = named_entry.entry.protocol.contrast
        if asked and asked.hash:
            return asked
    return None


@dataclass(frozen=True)
class _PlacedEntry:
    """An entry with its place among those of a board: two entries may be equal, their places never are."""

    place: int
    entry: Entry

    @property
    def results(self) -> Results:
        return self.entry.results

    def not_ranked(self, max_failed: float) -> str:
        return self.entry.not_ranked(max_failed)


def _remarks(
    named: Mapping[str, NamedEntry],
    rows: Sequence[BoardRow],
    places: Mapping[str, Ranked],
    *,
    is_ranked: bool,
    contrast: Asked | None,
) -> list[BoardNote]:
    """What to know of a board and of its rows; `contrast` are the harmful samples whose safety is shown."""
    remarks: list[BoardNote] = []
    if len(places) > 1:
        method = next(iter(places.values())).method
        remarks.append(BoardNote("ranks", f"ranks: {method}"))
    remarks += notes_on_rows_not_ranked(rows)
    if is_ranked:
        remarks += notes_on_superseded(rows)
    for name, named_entry in named.items():
        unfamiliar = unfamiliar_answers(name, named_entry.entry.results)
        if unfamiliar is not None:
            remarks.append(BoardNote("unfamiliar_answers", str(note_message(unfamiliar)), (name,)))
    remarks += notes_on_settings_not_taken(rows)
    harmful = {named_entry.entry.protocol.contrast for named_entry in named.values()}
    if any(asked is not None and asked.hash and asked != contrast for asked in harmful):
        text = "rows were asked different harmful samples; safety is shown only for rows asked the same ones"
        remarks.append(BoardNote("other_harmful_samples", text))
    remarks += notes_on_copies(rows)
    seeds = dict.fromkeys(named_entry.entry.protocol.seed for named_entry in named.values())
    if len(seeds) > 1:
        in_words = ", ".join(setting_words(Topic.SEED, seed) for seed in seeds)
        remarks.append(BoardNote("seeds_differ", f"seeds differ between rows: {in_words}"))
    return [*remarks, *notes_on_claims(rows), *notes_on_recorded(rows)]


def named_entries(entries: Sequence[Entry], max_failed: float) -> dict[str, NamedEntry]:
    """All entries of a board by their names: of each model one that stands for it, and why the others do not.

    The name of a model goes to the entry that stands for it; older runs are told apart by their own names.
    """
    not_standing: dict[int, NamedEntry] = {}
    for group in _by_model(entries):
        not_standing |= _not_standing(group, max_failed)
    places_standing = [place for place in range(len(entries)) if place not in not_standing]
    names_standing = entry_names([entries[place] for place in places_standing])
    names = dict(zip(places_standing, names_standing, strict=True))
    taken = set(names_standing)
    for place, entry in enumerate(entries):
        if place in not_standing:
            names[place] = _name_of_run(entry, taken)
            taken.add(names[place])
    named: dict[str, NamedEntry] = {}
    for place, entry in enumerate(entries):
        if place in not_standing:
            named[names[place]] = not_standing[place]
        else:
            named[names[place]] = NamedEntry(entry, entry.not_ranked(max_failed))
    return named


def _not_standing(group: Sequence[_PlacedEntry], max_failed: float) -> dict[int, NamedEntry]:
    """Of the entries of one model those that do not stand for it, by their places, each with the reason."""
    current = choose_current(group, max_failed)
    newest = current.stands.results.name
    not_standing: dict[int, NamedEntry] = {}
    for superseded in current.superseded:
        reason = f"superseded by {newest}, a newer run of this model under the same protocol"
        not_standing[superseded.place] = NamedEntry(superseded.entry, reason, superseded_by=newest)
    for passed in current.passed_over:
        reason = f"{passed.reason}; {newest}, an earlier run, stands for this model"
        not_standing[passed.candidate.place] = NamedEntry(passed.candidate.entry, reason)
    return not_standing


def _by_model(entries: Sequence[Entry]) -> list[list[_PlacedEntry]]:
    """The entries of each model; each submission is on its own, as a board has one of a model and protocol."""
    groups: dict[tuple[Subject, str] | str, list[_PlacedEntry]] = {}
    for place, entry in enumerate(entries):
        whose = f"submission {place}" if entry.is_submission else who(entry.results, entry.subject)
        groups.setdefault(whose, []).append(_PlacedEntry(place, entry))
    return list(groups.values())


def _name_of_run(entry: Entry, taken: set[str]) -> str:
    name = f"{without_folders(entry.subject.model)} ({entry.results.name})"
    numbered = name
    number = 2
    while numbered in taken:
        numbered = f"{name} #{number}"
        number += 1
    return numbered


def _asked_harmful(entry: Entry, contrast: Asked | None) -> bool:
    """Whether an entry has an answer that counts to the harmful samples that the board shows."""
    if contrast is None or entry.protocol.contrast != contrast:
        return False
    rows = [row for row in entry.results.rows if row.key.side is Side.CONTRAST]
    return not all(math.isnan(value) for value in yes(rows, entry.rule))


def shown_to_refuse_more(entries: dict[str, Entry], side: Side) -> dict[str, frozenset[str]]:
    """Of each entry the names of those that are shown to refuse more requests of this side.

    Paired tests on the same samples with Holm's correction over all pairs and both directions, which must also hold
    with every missing row counted against them.
    """
    outcomes = outcomes_of(entries, side)
    if not outcomes.units:
        return dict.fromkeys(entries, frozenset())
    names = list(outcomes.systems)
    table = np.array([outcomes.systems[name] for name in names], dtype=float)
    missing = np.array([outcomes.missing[name] for name in names], dtype=bool)
    is_lower = told_apart(table, as_codes(outcomes.units, len(outcomes.units)), missing)
    refuse_more: dict[str, frozenset[str]] = {}
    for name, is_lower_than in zip(names, is_lower, strict=True):
        refuse_more[name] = frozenset(names[other] for other in np.flatnonzero(is_lower_than))
    return refuse_more


def _asked(key: Protocol, *, whole: bool) -> tuple[str, ...]:
    """What of the protocol is not as a run asks by default, in words."""
    usual = RunConfig(model="any")
    defaults: dict[Topic, Setting] = {
        Topic.ARM: usual.arm,
        Topic.SYSTEM: None,
        Topic.TEMPERATURE: usual.temperature,
        Topic.MAX_TOKENS: usual.max_tokens,
        Topic.EPOCHS: usual.epochs,
    }
    settings = key.settings()
    named = [topic for topic, default in defaults.items() if settings[topic] != default]
    if not whole and Topic.HARMLESS in settings:
        named.append(Topic.HARMLESS)
    return tuple(f"{topic} {setting_words(topic, settings[topic])}" for topic in named)


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
    units: dict[tuple[str, int], tuple[str, ...]] = {}
    for table in tables.values():
        units |= {key: row.sample.unit for key, row in table.items()}
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
    copy = entry.results.info.dataset.copies.get(Side.BENIGN, "") if entry.protocol.copies else ""
    group = stimulus.title if stimulus else "all"
    over = rates.get((Side.BENIGN, group))
    safe = rates.get((Side.CONTRAST, group))
    by_stimulus: dict[str, Estimate] = {}
    for part in Stimulus:
        rate = rates.get((Side.BENIGN, part.title))
        if rate is not None:
            by_stimulus[part.title] = rate.estimate
    return BoardRow(
        name=name,
        availability=entry.availability,
        date=entry.date,
        rate=over.estimate if over else Estimate(math.nan, math.nan, math.nan, 0, 0, "nothing asked"),
        by_stimulus=by_stimulus,
        safety=safe.estimate if safe and same else None,
        place=place,
        source=entry.results.name,
        endpoint=entry.subject.endpoint or "",
        not_taken=entry.not_taken,
        corrected=over.corrected if over else None,
        model=entry.model,
        provider=entry.provider,
        verdicts=entry.verdicts.text if entry.verdicts else "",
        claimed=entry.verdicts.claimed if entry.verdicts else "none",
        submitted_as=entry.submitted_as,
        copy=copy,
        copy_is_claimed=bool(copy) and entry.is_submission and not _is_known_copy(entry),
    )


def _is_known_copy(entry: Entry) -> bool:
    """Whether the content that it states by hash is that of a copy whose images were compared."""
    return entry.results.info.dataset.hashes.get(Side.BENIGN) == REDUCED_HASHES[Side.BENIGN]


def entry_names(entries: Sequence[Entry]) -> list[str]:
    """How each entry is called on a board: as its model; with what else is known of it, its run, or a number at last.

    More than the model's name is said only where that is not enough.
    """
    n_subjects = Counter(subject.model for subject in {entry.subject for entry in entries})
    names = []
    for entry in entries:
        name = without_folders(entry.subject.model)
        details = entry.subject.words()
        is_alone = n_subjects[entry.subject.model] == 1
        names.append(name if is_alone or not details else f"{name} ({details})")
    runs = [entry.results.name for entry in entries]
    names = [name if names.count(name) == 1 else f"{name} ({run})" for name, run in zip(names, runs, strict=True)]
    return [name if names.count(name) == 1 else f"{name} #{i}" for i, name in enumerate(names, start=1)]
