"""How a board calls its entries, and which one stands for its model where there are several runs of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from mossbench.leaderboard.board_entries import Entry
from mossbench.protocols import Subject, without_folders
from mossbench.results.current import choose_current, model_identity
from mossbench.results.table import Results


@dataclass(frozen=True)
class NamedEntry:
    """An entry as a board shows it."""

    entry: Entry
    not_ranked: str
    """Why it has no rank; empty: it has one."""
    superseded_by: str = ""
    """The newer run that is ranked in its place."""


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


def name_entries(entries: Sequence[Entry], max_failed: float) -> dict[str, NamedEntry]:
    """All entries of a board by their names: of each model the current run, and why the others have no rank.

    The current run has the name of the model; the others have that of their run too.
    """
    not_current: dict[int, NamedEntry] = {}
    for group in _by_model(entries):
        not_current |= _not_current(group, max_failed)
    current_places = [place for place in range(len(entries)) if place not in not_current]
    current_names = entry_names([entries[place] for place in current_places])
    names = dict(zip(current_places, current_names, strict=True))
    names_in_use = set(current_names)
    for place, entry in enumerate(entries):
        if place in not_current:
            names[place] = _name_of_run(entry, names_in_use)
            names_in_use.add(names[place])
    named: dict[str, NamedEntry] = {}
    for place, entry in enumerate(entries):
        if place in not_current:
            named[names[place]] = not_current[place]
        else:
            named[names[place]] = NamedEntry(entry, entry.not_ranked(max_failed))
    return named


def _not_current(group: Sequence[_PlacedEntry], max_failed: float) -> dict[int, NamedEntry]:
    """Of the entries of one model those that are not its current run, by their places, each with the reason."""
    current = choose_current(group, max_failed)
    newest = current.representative.results.name
    not_current: dict[int, NamedEntry] = {}
    for superseded in current.superseded:
        reason = f"superseded by {newest}, a newer run of this model under the same protocol"
        not_current[superseded.place] = NamedEntry(superseded.entry, reason, superseded_by=newest)
    for passed in current.passed_over:
        reason = f"{passed.reason}; {newest}, an earlier run of this model, is ranked instead"
        not_current[passed.candidate.place] = NamedEntry(passed.candidate.entry, reason)
    return not_current


def _by_model(entries: Sequence[Entry]) -> list[list[_PlacedEntry]]:
    """The entries of each model; each submission is on its own, as a board has one of a model and protocol."""
    groups: dict[tuple[Subject, str] | str, list[_PlacedEntry]] = {}
    for place, entry in enumerate(entries):
        model = f"submission {place}" if entry.is_submission else model_identity(entry.results, entry.subject)
        groups.setdefault(model, []).append(_PlacedEntry(place, entry))
    return list(groups.values())


def _name_of_run(entry: Entry, names_in_use: set[str]) -> str:
    """The names of the model and of the run, with a number where that name is in use."""
    name = f"{without_folders(entry.subject.model)} ({entry.results.name})"
    numbered = name
    number = 2
    while numbered in names_in_use:
        numbered = f"{name} #{number}"
        number += 1
    return numbered


def entry_names(entries: Sequence[Entry]) -> list[str]:
    """The name of each entry on a board: its model; where needed with its version and endpoint, run, or a number."""
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
