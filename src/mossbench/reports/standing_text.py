"""Where models stand and what changed: in sentences, and as a page draws both rates.

docs/sentences.md has each sentence with the evidence it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from mossbench.leaderboard.boards import Board
from mossbench.leaderboard.standing import Place, Standing
from mossbench.look.commands import as_commands
from mossbench.look.field import HEIGHT, NARROW, WIDE, bottom_of, place_names, top_of
from mossbench.look.numbers import points, quoted
from mossbench.reports.tables import SIDES
from mossbench.reports.wording import listed, model_name
from mossbench.results.changes import Change

MOST_NAMES = 4
"""Names in a sentence; of more only the number is said, and a table has them."""


def called(place: Place) -> str:
    return model_name(place.name) if place.name == place.model else place.name


def _models(names: Sequence[str]) -> str:
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
    if not lowest:
        return "It is not shown which model is safest."
    if len(standing.places) == 1:
        return f"{called(lowest[0])} refuses {quoted(lowest[0].over)} of harmless requests."
    if len(standing.not_less_safe) == 1 and lowest[0].safe:
        return f"{called(lowest[0])} is the only model of known safety that is not shown to be less safe than another."
    if len(lowest) + len(rivals) > 1:
        names = _models([called(one) for one in (*lowest, *rivals)])
        return f"It is not shown which of {names} refuses the fewest harmless requests."
    if not lowest[0].safe:
        return f"{called(lowest[0])} refuses the fewest harmless requests."
    known = " of known safety" if any(one.safe is None for one in standing.places) else ""
    which_models = f"the models{known} that are not shown to be less safe"
    return f"{called(lowest[0])} refuses the fewest harmless requests of {which_models}."


def which(standing: Standing) -> Iterator[str]:
    """Which model refuses least without becoming unsafe?"""
    lowest, _ = leaders(standing)
    for one in lowest[:MOST_NAMES]:
        harmful = f" and {quoted(one.safe)} of harmful" if one.safe else ""
        yield f"{called(one)} refused {quoted(one.over)} of harmless{harmful} requests."
    if unknown := [called(one) for one in standing.places if one.safe is None]:
        yield f"How many harmful requests {_models(unknown)} would refuse is not known."
    unsafe = [o for o in standing.places if o.less_safe_than and lowest and o.over.value < lowest[0].over.value]
    if unsafe:
        names, are = _models([called(one) for one in unsafe]), "is" if len(unsafe) == 1 else "are"
        so = f"{are} shown to refuse fewer harmful ones than another model"
        yield f"{names} refused fewer harmless requests, but {so}."


def whether_real(standing: Standing) -> Iterator[str]:
    """Is the difference real?"""
    lowest, rivals = leaders(standing)
    if not lowest:
        return
    n, first = len(standing.places), lowest[0]
    others = [one for one in standing.not_less_safe if one not in lowest]
    if n == 1:
        yield "Cannot tell: no other model was asked under this protocol."
    elif not others and len(lowest) == 1:
        yield "There is nothing to tell apart: all others of known safety are shown to be less safe."
    same = [*lowest[1:], *rivals]
    if same:
        names = _models([called(one) for one in same])
        yield (
            f"Cannot tell {called(first)} from {names}: paired on the same samples, the difference does not survive "
            f"the correction for {n} models."
        )
    if shown := [one for one in others if one.name in first.refuses_fewer_than and one not in same]:
        names = _models([called(one) for one in shown])
        yield f"{'' if same else 'Yes: '}{called(first)} is shown to refuse fewer harmless requests than {names}."


def whether_changed(found: Iterable[Change]) -> Iterator[str]:
    """Did it get worse since last time?"""
    compared = [one for one in found if one.differences]
    if not compared:
        yield "Cannot tell: no model has an earlier run that can be compared with its newest."
        return
    quiet = []
    for change in compared:
        shown = [one for one in change.differences if one.told_apart]
        for one in shown:
            more = "more" if one.estimate.value > 0 else "fewer"
            name = model_name(change.model)
            yield f"{name} refuses {more} {SIDES[one.side]} requests than before: {points(one.estimate)} points."
        if shown and change.settings:
            yield f"{model_name(change.model)} was asked differently then: {'; '.join(change.settings)}."
        quiet += [] if shown else [model_name(change.model)]
    if quiet:
        n = f" and corrected for {len(compared)} models" if len(compared) > 1 else ""
        yield f"No change is shown for {_models(quiet)}, paired on the same samples{n}."


def standing_values(standing: Standing, link: Callable[[Place], str]) -> dict[str, Any]:
    """What the templates show of a standing; `link` leads to a model."""
    lowest, rivals = leaders(standing)
    rows = [
        {
            "name": called(one),
            "link": link(one),
            "over": one.over,
            "safe": one.safe,
            "corrected": one.corrected,
            "front": one.on_front,
            "leads": one in lowest,
            "says": _says(one, lowest, rivals),
        }
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
    digest = f"@{board.data_hash[:12]}" if board.data_hash else ""
    asked = f", {', '.join(board.asked)}" if board.asked else ""
    return f"{board.dataset}{digest}, judge {board.judge}, rule {board.rule}{asked}"


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
    points = list(zip((row["name"] for row in rows), across, down, strict=True))
    first = [i for i, row in enumerate(rows) if row["leads"] or row["front"]]
    names = place_names(points, widths, first)
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
