"""Which differences between two runs forbid a comparison, and which are only named; `protocols` finds them.

Here they are records; `comparison_words` says them. A difference of rates must not be one of data, of judges or of
counting rules; any other setting may differ, and is named before any number.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mossbench.errors import UsageError
from mossbench.messages import Message
from mossbench.outcomes import Key, Rule
from mossbench.protocols import HOW_ASKED, NOT_COMPARED, SAMPLING, Asked, SettingDifference, Topic
from mossbench.results.pairs import Pair, Pairs, as_pairs, stored_pairs
from mossbench.results.readiness import NotReady, why_not_ready
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.samples import Side
from mossbench.store.config import RunConfig

UNKNOWN_SETTING = "unknown (recorded answers)"


@dataclass(frozen=True)
class DifferentSamples:
    """The two were asked different samples of a side."""

    first: str
    second: str
    side: Side
    datasets: tuple[str, str]
    hashes: tuple[str, str]


@dataclass(frozen=True)
class DifferentJudges:
    """No judge has read both that can read them for free (`one_judge`)."""

    first: str
    second: str
    judges: tuple[str | None, str | None]
    folders: tuple[Path, Path]


@dataclass(frozen=True)
class DifferentSettings:
    """Settings differ in which two runs must be the same, such as which samples of a side were chosen."""

    first: str
    second: str
    settings: tuple[SettingDifference, ...]


@dataclass(frozen=True)
class NoCommonSample:
    first: str
    second: str


@dataclass(frozen=True)
class Unreadable:
    """A file of the run cannot be read; what is wrong with it is in the message of the error."""

    message: Message


NotComparable = NotReady | DifferentSamples | DifferentJudges | DifferentSettings | NoCommonSample | Unreadable


@dataclass(frozen=True)
class AskedDifferently:
    """Two runs that are compared, and the settings in which they differ."""

    first: str
    second: str
    settings: tuple[SettingDifference, ...]


def why_not_comparable(first: Results, second: Results) -> NotComparable | None:
    """Why a difference of the two would be one of data or judges, or of what was not asked yet; None: it would not."""
    for run in (first, second):
        not_ready = why_not_ready(run)
        if not_ready is not None:
            return not_ready
    different_samples = _different_samples(first, second)
    if different_samples is not None:
        return different_samples
    if first.judge != second.judge:
        return DifferentJudges(first.name, second.name, (first.judge, second.judge), (first.folder, second.folder))
    differences = first.protocol().differences(second.protocol())
    forbidden = [difference for topic, difference in differences.items() if topic in NOT_COMPARED]
    if _is_across_arms(first, second) and Topic.ARM in differences:
        forbidden = [difference for difference in forbidden if not _lacks_what_an_arm_needs(difference)]
    if forbidden:
        return DifferentSettings(first.name, second.name, tuple(forbidden))
    return None


def _lacks_what_an_arm_needs(difference: SettingDifference) -> bool:
    """Whether both arms were asked all that they could: samples without a history, say, are left out and unpaired."""
    first = difference.first
    second = difference.second
    if not isinstance(first, Asked) or not isinstance(second, Asked):
        return False
    return first.whole and second.whole and bool(first.hash) and first.hash == second.hash


def _different_samples(first: Results, second: Results) -> DifferentSamples | None:
    """The first side of which the two were asked different samples; data without a hash are not told apart here."""
    for side in Side:
        first_data = first.info.dataset
        second_data = second.info.dataset
        first_identity = first_data.identities.get(side)
        second_identity = second_data.identities.get(side)
        if first_identity and second_identity and first_identity != second_identity:
            datasets = (first_data.name, second_data.name)
            hashes = (first_data.hashes[side], second_data.hashes[side])
            return DifferentSamples(first.name, second.name, side, datasets, hashes)
    return None


def set_apart(runs: Sequence[Results]) -> dict[int, NotComparable]:
    """Which of the runs, by their place, cannot be compared with the first that is ready, and why."""
    reasons: dict[int, NotComparable] = {}
    first: Results | None = None
    for place, run in enumerate(runs):
        reason: NotComparable | None
        try:
            reason = why_not_ready(run)
            if reason is None and first is None:
                first = run
            if reason is None and first is not None:
                reason = _why_apart(first, run)
        except UsageError as error:
            reason = Unreadable(error.message)
        if reason is not None:
            reasons[place] = reason
    return reasons


def _why_apart(first: Results, run: Results) -> NotComparable | None:
    reason = why_not_comparable(first, run)
    if reason is None and not pair_rows(first, run):
        return NoCommonSample(first.name, run.name)
    return reason


def settings_that_were_asked_differently(first: Results, second: Results) -> tuple[SettingDifference, ...]:
    """In what the second run was asked differently."""
    differences = first.protocol().differences(second.protocol())
    if first.info.recorded or second.info.recorded:  # how recorded answers were drawn is not known
        differences = {topic: setting for topic, setting in differences.items() if topic not in SAMPLING}
    return tuple(differences.values())


def settings_of(runs: Sequence[Results], rule: Rule) -> dict[str, tuple[str, ...]]:
    """How each run was asked, read and counted, by topic, in words; a side that a run was not asked is a dash."""
    words_of_runs: list[dict[str, str]] = []
    topics: dict[str, None] = {}
    for run in runs:
        words = {"dataset": run.info.dataset.label}
        for topic, text in run.protocol(rule).words().items():
            words[str(topic)] = UNKNOWN_SETTING if topic in unknown_topics(run) else text
        words_of_runs.append(words)
        topics |= dict.fromkeys(words)
    return {topic: tuple(words.get(topic, "–") for words in words_of_runs) for topic in topics}


def unknown_topics(run: Results) -> frozenset[Topic]:
    """How recorded answers were asked, except for what the user stated; empty if the run asked for its answers."""
    if not run.info.recorded:
        return frozenset()
    config = run.info.config
    stated = {Topic.SYSTEM} if config.system is not None else set()
    for topic, name in ((Topic.TEMPERATURE, "temperature"), (Topic.MAX_TOKENS, "max_tokens"), (Topic.SEED, "seed")):
        if getattr(config, name) != RunConfig.model_fields[name].default:
            stated.add(topic)
    if config.effort is not None:
        stated.add(Topic.EFFORT)
    if config.params:
        stated.add(Topic.PARAMS)
    return HOW_ASKED - stated


def pair_rows(first: Results, second: Results) -> Pairs:
    """The rows that both runs have. Where one run's data have no hash, the question must be the same too."""
    is_across_arms = _is_across_arms(first, second)
    hashed_sides = set(first.info.dataset.hashes) & set(second.info.dataset.hashes)
    if hashed_sides == set(Side):
        pairs = stored_pairs(first.rows, second.rows, is_across_arms=is_across_arms)
        if pairs is not None:
            return pairs

    def key_of(row: ResultRow) -> Key:
        return row.key._replace(arm="") if is_across_arms else row.key

    second_rows = {key_of(row): row for row in second.rows}
    pairs_of_rows = []
    for row in first.rows:
        second_row = second_rows.get(key_of(row))
        if second_row is None:
            continue
        if row.key.side in hashed_sides or row.sample.question == second_row.sample.question:
            pairs_of_rows.append((row, second_row))
    return as_pairs(pairs_of_rows)


def pair_rows_of_all_epochs(first: Results, second: Results) -> Pairs:
    """As `pair_rows`, with every epoch of a row in the first run paired with every epoch of it in the second.

    Then one of the two may have asked each sample more often. Pairs of one sample are never independent.
    """
    is_across_arms = _is_across_arms(first, second)

    def key_of(row: ResultRow) -> Key:
        return row.key._replace(arm="" if is_across_arms else row.key.arm, epoch=0)

    matched = {key_of(row) for row, _ in pair_rows(first, second)}
    second_rows: dict[Key, list[ResultRow]] = {}
    for row in second.rows:
        second_rows.setdefault(key_of(row), []).append(row)
    pairs: list[Pair] = []
    for row in first.rows:
        key = key_of(row)
        if key in matched:
            pairs += [(row, second_row) for second_row in second_rows[key]]
    return as_pairs(pairs)


def _is_across_arms(first: Results, second: Results) -> bool:
    """Whether each has one arm: rows of two different arms are pairs then."""
    return len(first.info.arms) == len(second.info.arms) == 1
