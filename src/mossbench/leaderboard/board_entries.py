"""The entries of a board: a run or a submission, the protocol it belongs to, and whom it is ranked among."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from mossbench.errors import UsageError
from mossbench.leaderboard.names import CONTROL_PROVIDER, named_as_control, provider_of, public_judge, same_name
from mossbench.leaderboard.rankable_runs import check_rankable
from mossbench.leaderboard.rejudging import why_judge_is_private
from mossbench.leaderboard.submission_records import (
    Submission,
    submitted_protocol,
    submitted_results,
    submitted_subject,
)
from mossbench.leaderboard.submissions import guess_availability
from mossbench.leaderboard.submitted_answers import VerdictBasis, are_control_answers, verdicts_checked
from mossbench.outcomes import Layer, Rule
from mossbench.plumbing.look_alikes import appearance
from mossbench.protocols import Protocol, Subject, not_taken
from mossbench.results.current import why_rates_unknown
from mossbench.results.table import Results

NO_HASH = "unknown, in "
"""Data that are not known by their hash are like no others: such a run has a board of its own."""
MOST_READ = 300
"""Answers of a run that are looked at to find out whether a control model gave them; rows without a text are none."""
RankedWith = Literal["models", "controls", "unknown provider"]


class BoardKey(NamedTuple):
    """What the rows of a board have in common."""

    protocol: Protocol
    ranked_with: RankedWith


@dataclass(frozen=True)
class Entry:
    """A run or a submission on a board."""

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
    bundle: str = ""
    """SHA-256 of the bundle that a submission was counted again from."""
    submitted_as: str = ""
    """The model that a submission names."""
    conflict: str = ""
    """Why a reader may take it for another entry; empty: none will."""

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
        reason = why_judge_is_private(public_judge(self.protocol.judge)) or self.conflict
        if reason:
            return reason
        return why_rates_unknown(self.results, max_failed, self.rule)


def group_entries(competitors: Iterable[Results | Submission], rule: Rule) -> dict[BoardKey, list[Entry]]:
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
    """The entries, with the conflict of each submission that a reader would take for another entry.

    Of two such submissions it is unknown which is the imitation, so neither is ranked. A local run is no imitation.
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
            conflict = "several submissions have this name, endpoint and protocol"
        checked.append(replace(entry, conflict=conflict))
    return checked


def _board_place(entry: Entry) -> tuple[str, str | None, BoardKey]:
    """What no two submissions on a board share."""
    return same_name(entry.subject.model), entry.subject.endpoint, entry.key


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
        provider=provider if results.info.dataset.hashes else "",  # unknown for imported results
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
        bundle=submission.evidence.sha256 if submission.evidence else "",
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
    answered = (row for row in results.rows if row.outcome.layer not in (Layer.NOT_ASKED, Layer.FAILED))
    for row in islice(answered, MOST_READ):
        exchange = row.exchange
        yield exchange.answer.text if exchange else None
