"""Which run represents a model: its newest finished one on one dataset and protocol. The one place that decides it.

A newer run is passed over, and the reason is kept to be shown, where its rate is unknown (too many of its rows are
missing, or too many of its answers unfamiliar to the judge), or where it did not ask a side that an earlier run asked.
Runs before the one that represents the model are superseded by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from mossbench import protocols
from mossbench.outcomes import MAX_FAILED, Rule
from mossbench.protocols import SAMPLES, Subject, digest
from mossbench.results.row_columns import of_side, outcomes_of
from mossbench.results.table import Results, too_many_failed
from mossbench.results.unfamiliar import unfamiliar_answers
from mossbench.samples import Side


class Candidate(Protocol):
    """What may represent a model: a run, or an entry of a board."""

    @property
    def results(self) -> Results: ...

    def not_ranked(self, max_failed: float) -> str:
        """Why its rates cannot be compared with those of others; empty when they can."""
        ...


AnyCandidate = TypeVar("AnyCandidate", bound=Candidate)


@dataclass(frozen=True)
class PassedOver(Generic[AnyCandidate]):
    """A candidate that is newer than the one that represents the model, and why it does not itself."""

    candidate: AnyCandidate
    reason: str


@dataclass(frozen=True)
class Current(Generic[AnyCandidate]):
    """Of the runs of one model on one dataset and protocol, the one that represents it, and the others."""

    representative: AnyCandidate
    superseded: tuple[AnyCandidate, ...]
    """Older than the representative, the newest first."""
    passed_over: tuple[PassedOver[AnyCandidate], ...]
    """Newer than the representative, the newest first."""


@dataclass(frozen=True)
class RunCandidate:
    """A run that may represent its model."""

    results: Results

    def not_ranked(self, max_failed: float) -> str:
        return why_rates_unknown(self.results, max_failed)


def why_rates_unknown(results: Results, max_failed: float = MAX_FAILED, rule: Rule = Rule.SYSTEM) -> str:
    """Why the rates of a run cannot be compared; empty when they can.

    Too many rows of a side are missing, or too many of its answers are unfamiliar to the judge.
    """
    for side in Side:
        n_by_outcome = outcomes_of(of_side(results.rows, side)).counts()
        reason = too_many_failed(n_by_outcome, max_failed)
        if reason:
            return f"{side.adjective} requests: {reason}"
        unfamiliar = unfamiliar_answers(results.name, results, side, rule)
        if unfamiliar is not None:
            return f"{side.adjective} requests: {unfamiliar.message().text}"
    return ""


def choose_current(candidates: Sequence[AnyCandidate], max_failed: float = MAX_FAILED) -> Current[AnyCandidate]:
    """Which of these candidates represents their model.

    They are finished and judged, of one model, on one dataset and under one protocol. Where the rates of none can be
    compared, it is the newest, which is shown with the reason and never ranked.
    """
    newest_first = sorted(candidates, key=_start_and_name, reverse=True)
    comparable = [candidate for candidate in newest_first if not candidate.not_ranked(max_failed)]
    if not comparable:
        return Current(newest_first[0], tuple(newest_first[1:]), ())
    asked_by_any: set[Side] = set()
    for candidate in comparable:
        asked_by_any |= _sides(candidate)
    passed_over: list[PassedOver[AnyCandidate]] = []
    for place, candidate in enumerate(newest_first):
        reason = candidate.not_ranked(max_failed) or _sides_not_asked(candidate, asked_by_any)
        if not reason:
            return Current(candidate, tuple(newest_first[place + 1 :]), tuple(passed_over))
        passed_over.append(PassedOver(candidate, reason))
    # No run has all the sides that are asked: one run has harmless requests alone, say, and another harmful ones.
    newest = comparable[0]
    n_newer = next(place for place, candidate in enumerate(newest_first) if candidate is newest)
    return Current(newest, tuple(newest_first[n_newer + 1 :]), tuple(passed_over[:n_newer]))


def _start_and_name(candidate: Candidate) -> tuple[str, str]:
    return candidate.results.info.started, candidate.results.name


def _sides(candidate: Candidate) -> set[Side]:
    return {side for side in Side if len(of_side(candidate.results.rows, side))}


def _sides_not_asked(candidate: Candidate, asked_by_any: set[Side]) -> str:
    """A reason to pass over a candidate: sides that it did not ask, though another one did; empty if there are none."""
    missing_sides = [SAMPLES[side] for side in Side if side in asked_by_any - _sides(candidate)]
    if not missing_sides:
        return ""
    return f"it has no {' and no '.join(missing_sides)}, as an earlier run of this model has"


def protocol_key(protocol: protocols.Protocol, among: str = "models") -> str:
    """A short text that tells protocols apart in addresses; `among` says with whom its runs are ranked."""
    ranked = protocol.ranked()
    samples = ranked.benign or protocol.contrast
    data = (samples.hash, samples.n, samples.ids) if samples else ()
    # Plain texts: the key is a hash of how Python writes them, and it is in addresses that people kept.
    words = [(str(topic), text) for topic, text in ranked.words().items() if topic not in SAMPLES.values()]
    description = repr((data, sorted(words)))
    return digest(description if among == "models" else f"{description} {among}")


def model_identity(results: Results, subject: Subject | None = None) -> tuple[Subject, str]:
    """Which model a run asked, whatever its version: two runs are of one model where this is the same.

    The same name at another address, or in another folder, is another model. Recorded answers are of one model where
    boards take its name as the same, whatever files they lie in; a file without a name is known by its path.
    """
    subject = subject or results.info.public_subject
    without_version = subject.model_copy(update={"version": None, "model": results.info.model_key})
    return without_version, asked_model_key(results)


def asked_model_key(results: Results) -> str:
    """What a run asks its model by, with all folders; of recorded answers the name of their model."""
    config = results.info.config
    is_recorded_model = config.model_name is not None or not results.info.recorded_file
    if results.info.recorded and is_recorded_model:
        return results.info.model_key
    return config.model


def current_runs(runs: Sequence[Results], max_failed: float = MAX_FAILED) -> list[Current[RunCandidate]]:
    """What represents each model on each dataset and protocol. The runs are finished and judged.

    Those whose rates can be compared come first, among these the ones with the most samples, then the newest.
    """
    groups: dict[tuple[Subject, str, str, str], list[RunCandidate]] = {}
    for run in runs:
        subject, asked_model = model_identity(run)
        key = (subject, asked_model, protocol_key(run.protocol()), requests_digest_if_unhashed(run))
        groups.setdefault(key, []).append(RunCandidate(run))
    currents = [choose_current(group, max_failed) for group in groups.values()]
    newest_first = sorted(currents, key=lambda current: _start_and_name(current.representative), reverse=True)

    def comparable_and_large_first(current: Current[RunCandidate]) -> tuple[bool, int]:
        run = current.representative
        is_not_comparable = bool(run.not_ranked(max_failed))
        return is_not_comparable, -n_samples(run.results)

    return sorted(newest_first, key=comparable_and_large_first)


def requests_digest_if_unhashed(run: Results) -> str:
    """A digest of all requests of a run whose data have no hash: equal ids may be of other data. Empty otherwise."""
    if run.info.dataset.hashes:
        return ""
    requests = {(row.key.side, row.key.sample, row.sample.question) for row in run.rows}
    return digest(repr(sorted(requests)))


def n_samples(run: Results) -> int:
    """How many harmless samples a run asked; where it asked none, how many harmful ones."""
    protocol = run.protocol()
    samples = protocol.benign or protocol.contrast
    return samples.n if samples else 0
