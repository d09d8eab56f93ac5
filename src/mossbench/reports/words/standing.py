"""How models compare and what changed, in sentences; `standing_view` has the tables and drawings.

A standing has the models of one protocol, each with its newest run: a `Place` for each, with its refusal rates on
harmless and on harmful requests (`harmless_refused`, `harmful_refused`). tests/sentences.md has the evidence that each
sentence needs.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mossbench.leaderboard.boards import Board
from mossbench.leaderboard.both_sides import Place, Standing
from mossbench.look.numbers import points, quoted, whole
from mossbench.messages import text_on_command_line
from mossbench.reports.tables import SIDES
from mossbench.reports.words.comparisons import why_inconclusive
from mossbench.reports.words.grammar import is_are, listing
from mossbench.reports.words.runs import model_name, whole_model_name
from mossbench.results.changes import Change
from mossbench.results.comparison_words import read_by_another_message
from mossbench.results.differences import Difference

MAX_NAMES = 4
"""A sentence names at most this many models. If there are more it gives their number, and a table has the names."""


def place_name(place: Place) -> str:
    """The model's name, or the name that a submission gave it."""
    return model_name(place.name) if place.name == place.model else place.name


def whole_place_name(place: Place) -> str:
    """The same, however long it is."""
    return whole_model_name(place.name) if place.name == place.model else place.name


def _models(places: Sequence[Place]) -> str:
    return _list_models([place_name(place) for place in places])


def _list_models(names: Sequence[str]) -> str:
    if len(names) > MAX_NAMES:
        return f"{len(names)} models"
    return listing(names)


def leaders(standing: Standing) -> tuple[list[Place], list[Place]]:
    """The models with the lowest rate on harmless requests, and the models tied with them.

    Tied models do not differ significantly from the lowest. Only models that are not shown to be less safe are
    considered.
    """
    candidates = standing.not_less_safe
    if not candidates:  # each is less safe than another, on samples that only some models have
        return [], []
    lowest = [place for place in candidates if place.harmless_refused.value == candidates[0].harmless_refused.value]
    tied = []
    for place in candidates:
        refuses_more = all(place.name in leader.refuses_fewer_than for leader in lowest)
        if place not in lowest and not refuses_more:
            tied.append(place)
    return lowest, tied


@dataclass(frozen=True)
class Verdict:
    """The finding in at most ten words, a name being one: the models that it names, and what stands around them."""

    before: str
    places: tuple[Place, ...]
    """The models that it names, which pages show as links."""
    after: str

    @property
    def text(self) -> str:
        return f"{self.before}{_alternatives([place_name(place) for place in self.places])}{self.after}"


MAX_NAMES_IN_VERDICT = 3


def verdict(standing: Standing) -> Verdict:
    """Which model refuses least without being less safe; several where no significant difference is shown."""
    lowest, tied = leaders(standing)
    if not lowest:
        return Verdict("Each model is less safe than another", (), "")
    if len(standing.places) == 1:
        return Verdict("", (lowest[0],), f" refuses {_rate_of_one(lowest[0])}")
    are_known = [place.harmful_refused is not None for place in standing.places]
    if len(standing.not_less_safe) == 1 and lowest[0].harmful_refused:
        before = "All models but " if all(are_known) else "Of known safety, all models but "
        return Verdict(before, (lowest[0],), " are less safe")
    finding = _finding(are_known)
    may_be_first = (*lowest, *tied)
    if len(may_be_first) > MAX_NAMES_IN_VERDICT:
        return Verdict(f"One of {len(may_be_first)}{finding.of_models}", (), finding.predicate)
    return Verdict("", may_be_first, finding.predicate)


class _Finding(NamedTuple):
    """What is said of the models that may be first."""

    predicate: str
    of_models: str
    """After their number, where they are not named."""


def _finding(are_known: Sequence[bool]) -> _Finding:
    """By whether the safety of all models is known, of some or of none."""
    if all(are_known):
        return _Finding(" refuses least without being less safe", " models")
    if any(are_known):
        return _Finding(" leads the models of known safety", "")
    return _Finding(" refuses fewest harmless requests", " models")


def _alternatives(names: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`; empty without names."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} or {names[-1]}"


def heading(standing: Standing) -> str:
    """The verdict as a sentence."""
    return f"{verdict(standing).text}."


def _rate_of_one(place: Place) -> str:
    corrected = place.corrected
    if corrected is not None and corrected.basis == "labels":
        return f"{whole(corrected.estimate.value)} of harmless requests, corrected by labels"
    return f"{whole(place.harmless_refused.value)} of harmless requests"


def left_out_with_lower_rate(standing: Standing) -> list[Place]:
    """Models with a lower rate than the finding names, left out because they are less safe or of unknown safety."""
    lowest, _ = leaders(standing)
    if not lowest:
        return []
    left_out = [place for place in standing.places if place not in standing.not_less_safe]
    return [place for place in left_out if place.harmless_refused.value < lowest[0].harmless_refused.value]


def less_safe(standing: Standing) -> str:
    """The left-out models that are less safe, and the models that they are less safe than; empty if there are none."""
    places = [place for place in left_out_with_lower_rate(standing) if place.less_safe_than]
    if not places:
        return ""
    names_of_safer = frozenset[str]().union(*(place.less_safe_than for place in places))
    safer = [place for place in standing.places if place.name in names_of_safer]
    return (
        f"{_models(places)} refused fewer harmless requests, but also significantly fewer harmful ones than "
        f"{_models(safer)}."
    )


def lowest_rate_sentences(standing: Standing) -> Iterator[str]:
    """Answers the question: which model refuses least without becoming unsafe?"""
    lowest, _ = leaders(standing)
    for place in lowest[:MAX_NAMES]:
        harmful = f" and {quoted(place.harmful_refused)} of harmful" if place.harmful_refused else ""
        yield f"{place_name(place)} refused {quoted(place.harmless_refused)} of harmless{harmful} requests."
    unknown = [place for place in standing.places if place.harmful_refused is None]
    lower = [place for place in left_out_with_lower_rate(standing) if place.harmful_refused is None]
    if lower:
        yield f"{_models(lower)} refused fewer harmless requests, but {is_are(len(lower))} of unknown safety."
    if unknown:
        yield f"It is not known how many harmful requests {_models(unknown)} would refuse."
    text = less_safe(standing)
    if text:
        yield text


def significance_sentences(standing: Standing) -> Iterator[str]:
    """Answers the question: is the difference real?"""
    lowest, tied = leaders(standing)
    if not lowest:
        return
    n = len(standing.places)
    first = lowest[0]
    not_different = [*lowest[1:], *tied]
    higher = [place for place in standing.not_less_safe if place not in lowest]
    if n == 1:
        yield "There is nothing to compare: no other model is ranked under this protocol."
    elif not higher and len(lowest) == 1:
        yield "There is nothing to compare: all others of known safety are shown to be less safe."
    if not_different:
        yield (
            f"{place_name(first)} does not differ significantly from {_models(not_different)}: exact test, paired on "
            f"the same samples and corrected for {n} models."
        )
    different = [place for place in higher if place.name in first.refuses_fewer_than and place not in not_different]
    if different:
        answer = "" if not_different else "Yes: "
        yield f"{answer}{place_name(first)} refuses significantly fewer harmless requests than {_models(different)}."


FALSE_ALARMS = (
    "A change shown here may be chance: where nothing changed, about 4.2 % of nightly comparisons show one, and about "
    "63 % of series of thirty nights do (at other rates 1 to 6 % and 24 to 79 %). Nothing corrects for the number of "
    "nights yet; repeat the run before you act on it."
)
"""Shown next to each change since the last run; docs/web.md says how it was measured."""


def read_by_others(change: Change) -> list[str]:
    """That a run of the two is counted as another judge than its own has read it."""
    return [text_on_command_line(read_by_another_message(note)) for note in change.reread]


def whether_changed(changes: Iterable[Change]) -> Iterator[str]:
    """Answers the question: did it get worse since last time?"""
    compared = [change for change in changes if change.differences]
    if not compared:
        yield "There is nothing to compare: no model has an earlier run on the same data and protocol as its newest."
        return
    data_names = _data_names(compared)
    for change in compared:
        yield from _changes_of(change, data_names[change.data])
    unchanged = [change for change in compared if not any(map(_has_own_sentence, change.differences))]
    with_same_settings = [change for change in unchanged if not change.settings]
    with_other_settings = [change for change in unchanged if change.settings]
    for group in (with_same_settings, with_other_settings):
        if group:
            yield _unchanged(group, n_compared=len(compared), data_names=data_names)


def _data_names(compared: Sequence[Change]) -> dict[str, str]:
    """Data of a change -> its name in sentences, as short as possible; empty if all are on the same data."""
    datasets = {change.data: change.dataset for change in compared}
    if len(datasets) == 1:
        return dict.fromkeys(datasets, "")
    n_of_name = Counter(datasets.values())
    names = {}
    for data, dataset in datasets.items():
        is_unique = n_of_name[dataset] == 1
        names[data] = f" on {dataset}" if is_unique else f" on {data}"
    return names


def _changes_of(change: Change, data: str) -> Iterator[str]:
    """A sentence for each side with a significant change, or with a change that missing rows leave open."""
    name = model_name(change.model)
    settings = ""
    if change.settings:
        settings = f", under other settings ({'; '.join(setting.words() for setting in change.settings)})"
    for difference in change.differences:
        side = SIDES[difference.side]
        estimate = difference.estimate
        if difference.is_significant:
            more_or_fewer = "more" if estimate.value > 0 else "fewer"
            yield (
                f"{name} refuses {more_or_fewer} {side} requests{data} than before{settings}: "
                f"{points(estimate)} points."
            )
        elif estimate.n and difference.is_inconclusive:
            yield (
                f"Inconclusive whether {name} refuses more or fewer {side} requests{data} than before. "
                f"{why_inconclusive(difference)}"
            )


def _unchanged(changes: Sequence[Change], *, n_compared: int, data_names: Mapping[str, str]) -> str:
    topics: list[str] = []
    for change in changes:
        topics += [str(setting.topic) for setting in change.settings]
    settings = f" under other settings than before ({', '.join(dict.fromkeys(topics))})" if topics else ""
    names = [f"{model_name(change.model)}{data_names[change.data]}" for change in changes]
    corrected = f" and corrected for {n_compared} comparisons" if n_compared > 1 else ""
    return f"No significant change for {_list_models(names)}{settings}, paired on the same samples{corrected}."


def _has_own_sentence(difference: Difference) -> bool:
    """Whether `_changes_of` has a sentence for the difference: it is significant, or inconclusive."""
    return difference.is_significant or (difference.estimate.n > 0 and difference.is_inconclusive)


def protocol_words(board: Board) -> str:
    """Data, judge and rule of a board, and the settings that are not the default."""
    return ", ".join(_protocol_parts(board))


def protocol_words_beside(board: Board, shown: Board) -> str:
    """The protocol of a board, without a beginning that the board `shown` on the page has too."""
    parts = _protocol_parts(board)
    shown_parts = _protocol_parts(shown)
    n_shared = len(shown_parts)
    if len(parts) > n_shared and parts[:n_shared] == shown_parts:
        parts = parts[n_shared:]
    return ", ".join(parts)


def _protocol_parts(board: Board) -> list[str]:
    parts = [board.data, f"judge {board.judge}", f"rule {board.rule}", *board.asked]
    if board.ranked_with == "controls":
        parts.append("control models")
    if board.ranked_with == "unknown provider":
        parts.append("provider unknown")
    return parts
