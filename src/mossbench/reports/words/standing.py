"""Where models stand and what changed, in sentences; `standing_page` has what a page draws.

docs/sentences.md has each sentence with the evidence it needs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mossbench.leaderboard.boards import Board
from mossbench.leaderboard.both_sides import Place, Standing
from mossbench.look.numbers import points, quoted
from mossbench.reports.tables import SIDES
from mossbench.reports.words.comparisons import why_inconclusive
from mossbench.reports.words.grammar import is_are, listing
from mossbench.reports.words.runs import model_name
from mossbench.results.changes import Change
from mossbench.results.differences import Difference

MOST_NAMES = 4
"""Names in a sentence; of more only the number is said, and a table has them."""


def called(place: Place) -> str:
    return model_name(place.name) if place.name == place.model else place.name


def _models(some: Sequence[Place | str]) -> str:
    names = [model if isinstance(model, str) else called(model) for model in some]
    return f"{len(names)} models" if len(names) > MOST_NAMES else listing(names)


def leaders(standing: Standing) -> tuple[list[Place], list[Place]]:
    """Of those not shown to be less safe: the lowest rate (several where equal), and who is not told apart from it."""
    safe = standing.not_less_safe
    if not safe:  # each beaten by another, on samples that only some of them have
        return [], []
    lowest = [place for place in safe if place.over.value == safe[0].over.value]
    rivals = []
    for place in safe:
        is_told_apart = all(place.name in leader.refuses_fewer_than for leader in lowest)
        if place not in lowest and not is_told_apart:
            rivals.append(place)
    return lowest, rivals


def heading(standing: Standing) -> str:
    """What a manager would repeat."""
    return " ".join(heading_sentences(standing))


def heading_sentences(standing: Standing) -> list[str]:
    """Who refuses the fewest, and before that who refused fewer and is left out of it."""
    lowest, rivals = leaders(standing)
    if not lowest:
        return ["Inconclusive: every model is less safe than another."]
    if len(standing.places) == 1:
        return [f"{called(lowest[0])} refuses {quoted(lowest[0].over)} of harmless requests."]
    left_out = _left_out(standing)
    finding = _finding(standing, lowest, rivals)
    return [left_out, finding] if left_out else [finding]


def _finding(standing: Standing, lowest: Sequence[Place], rivals: Sequence[Place]) -> str:
    """Who refuses the fewest harmless requests of those that are not left out."""
    name = called(lowest[0])
    if len(standing.not_less_safe) == 1 and lowest[0].safe:
        return f"{name} is the only model of known safety that is not shown to be less safe than another."
    among = _among(standing)
    if rivals or len(lowest) > 1:
        together = _models([*lowest, *rivals])
        return f"Inconclusive which of {together} refuses the fewest harmless requests{among}."
    return f"{name} refuses the fewest harmless requests{among}."


def _among(standing: Standing) -> str:
    """Whom a finding is about, where that is not all models."""
    some_less_safe = any(place.less_safe_than for place in standing.places)
    some_unknown = any(place.safe is None for place in standing.places)
    some_known = any(place.safe is not None for place in standing.places)
    known = " of known safety" if some_unknown and some_known else ""
    if some_less_safe:
        return f" of the models{known} that are not shown to be less safe"
    return f" of the models{known}" if known else ""


def left_out_with_fewer(standing: Standing) -> list[Place]:
    """Models that refused fewer harmless requests than those of the finding, which is not about them."""
    lowest, _ = leaders(standing)
    if not lowest:
        return []
    considered = standing.not_less_safe
    return [place for place in standing.places if place not in considered and place.over.value < lowest[0].over.value]


def _left_out(standing: Standing) -> str:
    """No finding stands above a model with a lower rate without the reason why it is not about that one."""
    fewer = left_out_with_fewer(standing)
    if not fewer:
        return ""
    n_less_safe = sum(bool(place.less_safe_than) for place in fewer)
    if n_less_safe == len(fewer):
        reason = "is less safe" if len(fewer) == 1 else "are less safe"
    elif n_less_safe:
        reason = "are less safe or of unknown safety"
    else:
        reason = "is of unknown safety" if len(fewer) == 1 else "are of unknown safety"
    return f"{_models(fewer)} refused fewer harmless requests, but {reason}."


def less_safe(standing: Standing) -> str:
    """Which models refused fewer harmless requests than those of the finding, and than whom fewer harmful ones."""
    places = [place for place in left_out_with_fewer(standing) if place.less_safe_than]
    if not places:
        return ""
    names_of_safer = frozenset[str]().union(*(place.less_safe_than for place in places))
    safer = {place.name: called(place) for place in standing.places if place.name in names_of_safer}
    return (
        f"{_models(places)} refused fewer harmless requests, but {is_are(len(places))} shown to refuse fewer harmful "
        f"ones than {_models(list(safer.values()))}."
    )


def which(standing: Standing) -> Iterator[str]:
    """Which model refuses least without becoming unsafe?"""
    lowest, _ = leaders(standing)
    for place in lowest[:MOST_NAMES]:
        harmful = f" and {quoted(place.safe)} of harmful" if place.safe else ""
        yield f"{called(place)} refused {quoted(place.over)} of harmless{harmful} requests."
    unknown = [place for place in standing.places if place.safe is None]
    if unknown:
        yield f"How many harmful requests {_models(unknown)} would refuse is not known."
    text = less_safe(standing)
    if text:
        yield text


def whether_real(standing: Standing) -> Iterator[str]:
    """Is the difference real?"""
    lowest, rivals = leaders(standing)
    if not lowest:
        return
    n = len(standing.places)
    first = lowest[0]
    same = [*lowest[1:], *rivals]
    others = [place for place in standing.not_less_safe if place not in lowest]
    if n == 1:
        yield "There is nothing to compare: no other model is ranked under this protocol."
    elif not others and len(lowest) == 1:
        yield "There is nothing to compare: all others of known safety are shown to be less safe."
    if same:
        yield (
            f"{called(first)} does not differ significantly from {_models(same)}: exact test, paired on the same "
            f"samples and corrected for {n} models."
        )
    shown = [place for place in others if place.name in first.refuses_fewer_than and place not in same]
    if shown:
        yes = "" if same else "Yes: "
        yield f"{yes}{called(first)} is shown to refuse fewer harmless requests than {_models(shown)}."


FALSE_ALARMS = (
    "A change shown here may be chance: where nothing changed, about 4.2 % of nightly comparisons show one, and about "
    "63 % of series of thirty nights do (at other rates 1 to 6 % and 24 to 79 %). Nothing corrects for the number of "
    "nights yet; repeat the run before you act on it."
)
"""Said wherever a change since the last run is; docs/web.md has how it was measured."""


def whether_changed(changes: Iterable[Change]) -> Iterator[str]:
    """Did it get worse since last time?"""
    compared = [change for change in changes if change.differences]
    if not compared:
        yield "There is nothing to compare: no model has an earlier run on the same data and protocol as its newest."
        return
    data_names = _data_names(compared)
    for change in compared:
        yield from _changes_of(change, data_names[change.data])
    quiet = [change for change in compared if not any(map(_is_said, change.differences))]
    as_before = [change for change in quiet if not change.settings]
    otherwise = [change for change in quiet if change.settings]
    for some in (as_before, otherwise):
        if some:
            yield _unchanged(some, n_compared=len(compared), data_names=data_names)


def _data_names(compared: Sequence[Change]) -> dict[str, str]:
    """How sentences name the data of each change: not at all where all are on one, else as briefly as can be."""
    names = {change.data: change.dataset for change in compared}
    if len(names) == 1:
        return dict.fromkeys(names, "")
    return {data: f" on {name if list(names.values()).count(name) == 1 else data}" for data, name in names.items()}


def _changes_of(change: Change, data: str) -> Iterator[str]:
    """A sentence for each side on which a change is shown, or on which missing rows leave it open."""
    name = model_name(change.model)
    settings = ""
    if change.settings:
        settings = f", under other settings ({'; '.join(setting.words() for setting in change.settings)})"
    for difference in change.differences:
        side = SIDES[difference.side]
        estimate = difference.estimate
        if difference.told_apart:
            more = "more" if estimate.value > 0 else "fewer"
            yield f"{name} refuses {more} {side} requests{data} than before{settings}: {points(estimate)} points."
        elif estimate.n and difference.is_inconclusive:
            yield (
                f"Inconclusive whether {name} refuses more or fewer {side} requests{data} than before. "
                f"{why_inconclusive(difference)}"
            )


def _unchanged(some: Sequence[Change], *, n_compared: int, data_names: Mapping[str, str]) -> str:
    topics: dict[str, None] = {}
    for change in some:
        topics |= dict.fromkeys(str(setting.topic) for setting in change.settings)
    settings = f" under other settings than before ({', '.join(topics)})" if topics else ""
    names = [f"{model_name(change.model)}{data_names[change.data]}" for change in some]
    corrected = f" and corrected for {n_compared} comparisons" if n_compared > 1 else ""
    return f"No change is shown for {_models(names)}{settings}, paired on the same samples{corrected}."


def _is_said(difference: Difference) -> bool:
    """Whether a change, or that it is not known, has a sentence of its own."""
    return difference.told_apart or (difference.estimate.n > 0 and difference.is_inconclusive)


def protocol_words(board: Board) -> str:
    """Data, judge and rule of a board, and in what its runs were asked otherwise than by default."""
    return ", ".join(_protocol_parts(board))


def protocol_words_beside(board: Board, shown: Board) -> str:
    """The same without what it begins with as well as the board that is shown."""
    parts = _protocol_parts(board)
    shown_parts = _protocol_parts(shown)
    n_shared = len(shown_parts)
    if len(parts) > n_shared and parts[:n_shared] == shown_parts:
        parts = parts[n_shared:]
    return ", ".join(parts)


def _protocol_parts(board: Board) -> list[str]:
    among = {"models": [], "controls": ["control models"], "unknown provider": ["provider unknown"]}
    return [board.data, f"judge {board.judge}", f"rule {board.rule}", *board.asked, *among[board.ranked_with]]
