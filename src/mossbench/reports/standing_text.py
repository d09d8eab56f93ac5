"""Where models stand and what changed: in sentences, and as a page draws both rates.

docs/sentences.md has each sentence with the evidence it needs.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from mossbench.leaderboard.boards import Board
from mossbench.leaderboard.standing import Place, Standing
from mossbench.look.commands import as_commands
from mossbench.look.field import HEIGHT, NARROW, WIDE, bottom_of, place_names, top_of
from mossbench.look.numbers import points
from mossbench.look.texts import sentences
from mossbench.reports.comparison_text import why_inconclusive
from mossbench.reports.tables import SIDES
from mossbench.reports.wording import listed, model_name
from mossbench.results.changes import Change
from mossbench.results.comparisons import Difference

_say = sentences(__file__)
MOST_NAMES = 4
"""Names in a sentence; of more only the number is said, and a table has them."""


def called(place: Place) -> str:
    return model_name(place.name) if place.name == place.model else place.name


def _models(some: Sequence[Place | str]) -> str:
    names = [one if isinstance(one, str) else called(one) for one in some]
    return f"{len(names)} models" if len(names) > MOST_NAMES else listed(names)


def leaders(standing: Standing) -> tuple[list[Place], list[Place]]:
    """Of those not shown to be less safe: the lowest rate (several where equal), and who is not told apart from it."""
    safe = standing.not_less_safe
    if not safe:  # each beaten by another, on samples that only some of them have
        return [], []
    lowest = [one for one in safe if one.over.value == safe[0].over.value]
    return lowest, [o for o in safe if o not in lowest and any(o.name not in a.refuses_fewer_than for a in lowest)]


def heading(standing: Standing) -> str:
    """What a manager would repeat."""
    lowest, rivals = leaders(standing)
    name, together = (called(lowest[0]), _models([*lowest, *rivals])) if lowest else ("", "")
    return _say("heading", standing=standing, lowest=lowest, rivals=rivals, name=name, together=together)


def which(standing: Standing) -> Iterator[str]:
    """Which model refuses least without becoming unsafe?"""
    lowest, _ = leaders(standing)
    yield from (_say("refused", one=one, name=called(one)) for one in lowest[:MOST_NAMES])
    if unknown := [one for one in standing.places if one.safe is None]:
        yield f"How many harmful requests {_models(unknown)} would refuse is not known."
    if unsafe := [o for o in standing.places if o.less_safe_than and lowest and o.over.value < lowest[0].over.value]:
        yield _say("unsafe", names=_models(unsafe), n=len(unsafe))


def whether_real(standing: Standing) -> Iterator[str]:
    """Is the difference real?"""
    lowest, rivals = leaders(standing)
    if not lowest:
        return
    n, first, same = len(standing.places), lowest[0], [*lowest[1:], *rivals]
    others = [one for one in standing.not_less_safe if one not in lowest]
    if n == 1:
        yield "Cannot tell: no other model is ranked under this protocol."
    elif not others and len(lowest) == 1:
        yield "There is nothing to tell apart: all others of known safety are shown to be less safe."
    if same:
        yield _say("same", first=called(first), names=_models(same), n=n)
    if shown := [one for one in others if one.name in first.refuses_fewer_than and one not in same]:
        yes = "" if same else "Yes: "
        yield f"{yes}{called(first)} is shown to refuse fewer harmless requests than {_models(shown)}."


def whether_changed(found: Iterable[Change]) -> Iterator[str]:
    """Did it get worse since last time?"""
    compared = [one for one in found if one.differences]
    if not compared:
        yield "Cannot tell: no model has an earlier run that can be compared with its newest."
        return
    for change in compared:
        name, settings = model_name(change.model), "; ".join(change.settings)
        for one in (one for one in change.differences if one.told_apart):
            yield _say("changed", name=name, one=one, side=SIDES[one.side], settings=settings, d=points(one.estimate))
        for one in (one for one in change.differences if one.estimate.n and one.is_inconclusive):
            yield (
                f"Inconclusive whether {name} refuses more or fewer {SIDES[one.side]} requests than before. "
                f"{why_inconclusive(one)}"
            )
    quiet = [change for change in compared if not any(_is_said(one) for one in change.differences)]
    for some in filter(None, ([o for o in quiet if not o.settings], [o for o in quiet if o.settings])):
        topics = dict.fromkeys(text.partition(":")[0] for one in some for text in one.settings)
        names = _models([model_name(one.model) for one in some])
        yield _say("quiet", names=names, topics=", ".join(topics), n=len(compared))


def _is_said(difference: Difference) -> bool:
    """Whether a change, or that it is not known, has a sentence of its own."""
    return difference.told_apart or (difference.estimate.n > 0 and difference.is_inconclusive)


def standing_values(standing: Standing, link: Callable[[Place], str]) -> dict[str, Any]:
    """What the templates show of a standing; `link` leads to a model."""
    lowest, rivals = leaders(standing)
    rows = [
        {
            **vars(one),
            "name": called(one),
            "link": link(one),
            "run": one.run if one.model else "",
            "front": one.on_front,
        }
        | {"leads": one in lowest, "says": _says(one, lowest, rivals)}
        for one in standing.places
    ]
    drawn = [row for row in rows if row["safe"]]
    return {
        "key": standing.key,
        "heading": heading(standing),
        "which": tuple(which(standing)),
        "whether_real": tuple(whether_real(standing)),
        "protocol": protocol_words(standing.board),
        "notes": tuple(map(as_commands, standing.board.notes)),
        "rows": rows,
        "drawings": [_drawing(drawn, wide, name) for wide, name in ((WIDE, "wide"), (NARROW, "narrow"))]
        if drawn
        else [],
    }


def protocol_words(board: Board) -> str:
    """Data, judge and rule of a board, and in what its runs were asked otherwise than by default."""
    digest = f" benign@{board.data_hash[:12]}" if board.data_hash else ""
    asked = f", {', '.join(board.asked)}" if board.asked else ""
    among = {"models": "", "controls": ", control models", "unknown provider": ", provider unknown"}[board.ranked_with]
    return f"{board.dataset}{digest}, judge {board.judge}, rule {board.rule}{asked}{among}"


def _says(one: Place, lowest: list[Place], rivals: list[Place]) -> str:
    if one.less_safe_than:
        return "less safe"
    if one.safe is None and any(other.safe for other in lowest):
        return "safety not known"
    if one in lowest:
        return "fewest" if not rivals and len(lowest) == 1 else "not told apart"
    return "not told apart" if one in rivals else "refuses more"


def _drawing(rows: list[dict[str, Any]], widths: tuple[int, int], name: str) -> dict[str, Any]:
    """The marks of one drawing, with a place for every name that has one; the front as steps between its dots."""
    top, step = top_of([row["over"].high for row in rows] + [row["over"].value for row in rows])
    bottom, rise = bottom_of([end for row in rows for end in (row["safe"].low, row["safe"].value)])

    def y_of(share: float) -> float:
        return (100 - 100 * share) / (100 - bottom) * HEIGHT

    across = [100 * row["over"].value / top for row in rows]
    down = [y_of(row["safe"].value) for row in rows]
    whole = list(zip(rows, across, down, strict=True))
    points = [(row["name"], x, y) for row, x, y in whole]
    first = [i for i, row in enumerate(rows) if row["leads"] or row["front"]]
    bands = [(100 * row["over"].low / top, 100 * row["over"].high / top, 0, 0, y - 4, y + 4) for row, _, y in whole]
    bands += [(x, x, -4, 4, y_of(row["safe"].high), y_of(row["safe"].low)) for row, x, _ in whole]
    names = place_names(points, widths, first, bands)
    front = sorted((across[i], down[i]) for i, row in enumerate(rows) if row["front"])
    return {
        "class": name,
        "height": HEIGHT,
        "top": top,
        "bottom": bottom,
        "lines": [(at, y_of(at / 100)) for at in range(bottom, 101, rise)],
        "step": step,
        "marks": [
            {**row, "y": y, "ends": [y_of(end) for end in (row["safe"].low, row["safe"].high)], "label": label}
            for row, y, label in zip(rows, down, names, strict=True)
        ],
        "steps": [(a[0], b[0], a[1], b[1]) for a, b in zip(front, front[1:], strict=False)],
        "n_unnamed": names.count(None),
    }
