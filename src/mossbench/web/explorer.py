"""Explorer: any number of models side by side on one sample."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BeforeValidator
from starlette.responses import Response

from mossbench.look.commands import as_commands
from mossbench.outcomes import Counted, Layer, Rule, counted
from mossbench.protocols import without_folders
from mossbench.reports.cards import pieces, silence, why
from mossbench.reports.wording import arm_title
from mossbench.results import ResultRow
from mossbench.samples import Sample, Side
from mossbench.web.filters import FLAGS, chosen_of, with_chosen
from mossbench.web.filters import fits as matches
from mossbench.web.pages import (
    SIDES,
    ChosenNumber,
    ChosenText,
    address,
    page,
    picture_address,
    shelf_of,
)
from mossbench.web.samples import facts, picture_size
from mossbench.web.shelf import Data, LoadedRun, SampleKey

router = APIRouter()
_SHUFFLE = random.random()
"""Another order each time that the app is started."""
MOST_AT_ONCE = 6
"""Columns when no models were chosen."""
Show = Annotated[Literal["all", "differ", "only"], BeforeValidator(lambda value: value or "all")]
AnySide = Annotated[Side, BeforeValidator(lambda value: value or Side.BENIGN)]


@dataclass(frozen=True)
class View:
    """What the address asks for."""

    data: Data
    runs: tuple[LoadedRun, ...]
    side: Side
    chosen: Mapping[str, str]
    """By the filters of the data."""
    show: str
    a: LoadedRun | None
    b: LoadedRun | None

    def query(self) -> dict[str, Any]:
        return {
            "data": self.data.key,
            "side": self.side.value if self.side is not Side.BENIGN else None,
            **self.chosen,
            "show": self.show if self.show != "all" else None,
            "a": self.a.name if self.a and self.show == "only" else None,
            "b": self.b.name if self.b and self.show == "only" else None,
            "models": [run.name for run in self.runs],  # always: the default changes with every new run
        }


@router.get("/explorer")
def explorer_page(
    request: Request,
    data: ChosenText = None,
    id: ChosenText = None,
    side: AnySide = Side.BENIGN,
    show: Show = "all",
    models: Annotated[list[str] | None, Query(max_length=100)] = None,
    a: ChosenText = None,
    b: ChosenText = None,
    seed: ChosenNumber = None,
) -> Response:
    shelf = shelf_of(request)
    chosen = shelf.choose(data)
    here = {run.name: run for run in chosen.runs}
    for name in (*(models or ()), a, b):
        if name and name not in here:
            shelf.run(name)  # a UsageError where there is none; one on other data was chosen before the data were
    runs = tuple(here[name] for name in dict.fromkeys(models or ()) if name in here) or chosen.runs[:MOST_AT_ONCE]
    one, other = here.get(a or "") or (runs[0] if runs else None), here.get(b or "")
    view = View(chosen, runs, side, chosen_of(request.query_params), show, one, other)
    values = explorer_values(view, id, seed)
    own = address("/explorer", **values["query"], id=id, seed=seed if id is None else None)
    all_data = [(one.key, one.name) for one in shelf.data()]
    status = 404 if values["fault"] else 200
    given = shelf.given(chosen)
    return page(request, "explorer.html", "Explorer", status=status, all_data=all_data, own=own, given=given, **values)


def explorer_values(view: View, id: str | None, seed: int | None = None) -> dict[str, Any]:
    """All that the page shows of one sample; `id` may be any sample of the side, also one that the filter hides."""
    everything = [s for s in view.data.samples if s.side is view.side and matches(s, view.chosen)]
    lists = {show: [s for s in everything if fits(view, s.key, show)] for show in ("all", "differ", "only")}
    listed = lists[view.show]
    here = _here(view, listed, id, seed)
    place = next((i for i, s in enumerate(listed) if here and s.key == here.key), None)
    query = view.query()

    def link(sample: Sample) -> str:
        return address("/explorer", **query, id=sample.id)

    at = place if place is not None else -1
    return {
        "view": view,
        "query": query,
        "counts": {show: len(found) for show, found in lists.items()},
        "strips": [_strip(view.data.labels[run.name], run, everything) for run in view.runs],
        "n_all": len(everything),
        "at": next((i for i, s in enumerate(everything) if here and s.key == here.key), None),
        "place": place,
        "sample": here,
        "fault": _not_found(view, id) if id is not None and here is None else "",
        "side": SIDES[view.side],
        "previous": link(listed[at - 1]) if at > 0 else "",
        "next": link(listed[at + 1]) if at + 1 < len(listed) else "",
        "random": link(_at_random(listed, here)) if len(listed) > 1 else "",
        "scene": _scene(view, here) if here else None,
        "columns": [_column(view.data, run, here.key) for run in view.runs] if here else [],
        "filters": [f for f in with_chosen(view.data.filters, view.chosen) if f.name not in FLAGS or f.chosen],
    }


def fits(view: View, key: SampleKey, show: str) -> bool:
    """Whether a sample is among those asked for: all, those where models differ, or those A alone refused."""
    if show == "all":
        return True
    if show == "only":
        others = [view.b] if view.b else [run for run in view.runs if run is not view.a]
        return refused(view.a, key) is True and bool(others) and all(refused(run, key) is False for run in others)
    return len({refused(run, key) for run in view.runs} - {None}) > 1


def refused(run: LoadedRun | None, key: SampleKey) -> bool | None:
    return run.turned_down.get(key) if run else None


def _here(view: View, listed: Sequence[Sample], id: str | None, seed: int | None) -> Sample | None:
    if id is not None:
        return view.data.by_key.get((view.side, id.strip()))
    if seed is not None and listed:
        return random.Random(seed).choice(listed)
    return listed[0] if listed else None


def _at_random(listed: Sequence[Sample], here: Sample | None) -> Sample:
    """Another sample: pressed again and again, it leads through all of them before one comes back."""
    order = random.Random(_SHUFFLE).sample(listed, len(listed))
    at = next((i for i, sample in enumerate(order) if here and sample.key == here.key), -1)
    return order[(at + 1) % len(order)]


def _not_found(view: View, id: str) -> str:
    example = next((s.id for s in view.data.samples if s.side is view.side), "")
    return f"{view.data.name} has no {SIDES[view.side]} sample {id!r}. An example of an id is {example!r}."


def _strip(name: str, run: LoadedRun, samples: Sequence[Sample]) -> dict[str, Any]:
    """One stripe a sample, drawn as one path for each kind; quiet where it was not refused."""
    paths: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for i, sample in enumerate(samples):
        rows = run.by_sample.get(sample.key)
        if rows:
            paths[rows[0].outcome.label, run.turned_down[sample.key] is not True].append(f"M{i} 0h.82v1h-.82z")
    down = [refused(run, sample.key) for sample in samples]
    drawn = [(kind, quiet, "".join(found)) for (kind, quiet), found in paths.items()]
    return {"name": name, "paths": drawn, "n_down": down.count(True), "n": len(down) - down.count(None)}


def _scene(view: View, sample: Sample) -> dict[str, Any]:
    data, twin = view.data, view.data.twin_of(sample)
    down = [data.labels[run.name] for run in view.runs if twin and refused(run, twin.key)]
    return {
        "picture": picture_address(data, sample, 1024),
        "alt": sample.alt,
        "size": picture_size(data, sample),
        "facts": facts(sample),
        "twin": twin,
        "twin_picture": picture_address(data, twin, 240),
        "twin_alt": twin.alt if twin else "",
        "twin_link": address("/explorer", **{**view.query(), "side": twin.side.value}, id=twin.id) if twin else "",
        "twin_down": down,
    }


def _column(data: Data, run: LoadedRun, key: SampleKey) -> dict[str, Any]:
    """What one run made of the sample: its first answer in full, and the outcomes of its others."""
    rows = run.by_sample.get(key, ())
    if not rows or run.results is None:
        return {"name": data.labels[run.name], "kind": ""}
    row, others = rows[0], rows[1:]
    arm = run.results.arm(row)
    return {
        "name": data.labels[run.name],
        "arm": arm,
        "bare": picture_address(data, row.sample, 480, arm) if arm.picture != "own" else "",
        "asked_with": arm.alt(row.sample) if arm.picture != "own" else "",
        **answer_of(row, run.results.judge or ""),
        "raw": _raw(row),
        "others": [(f"{arm_title(one.key.arm)}, epoch {one.key.epoch}", one.outcome.label) for one in others],
    }


def answer_of(row: ResultRow, judge: str) -> dict[str, Any]:
    """What is shown of one answer: its outcome, its text with the evidence marked, and why it was judged so."""
    answer = row.exchange.answer if row.exchange else None
    first, rest = pieces((answer.text or "") if answer else "", row.verdict.evidence if row.verdict else ())
    return {
        "kind": row.outcome.label,
        "helped": counted(row.outcome, Rule.SYSTEM) is Counted.COMPLIED,
        "answer": first if row.outcome.layer not in (Layer.BLOCKED, Layer.EMPTY) else (),
        "rest": rest,
        "silence": _no_answer(row),
        "why": why(row, judge),
    }


def _no_answer(row: ResultRow) -> str:
    error = row.exchange.answer.error if row.exchange else None
    if error is not None:
        return f"No answer, so this row does not count. {error.type} in {error.stage}: {as_commands(error.message)}"
    return silence(row)


def _raw(row: ResultRow) -> list[tuple[str, str]]:
    if row.exchange is None:
        return []
    answer = row.exchange.answer
    usage = f"{answer.usage.input_tokens} in, {answer.usage.output_tokens} out" if answer.usage else ""
    pairs = {
        "request": row.exchange.request,
        "system prompt": row.exchange.system or "",
        "stop reason": str(answer.stop or ""),
        "provider signal": answer.signal or "",
        "tokens": usage,
        "seconds": f"{answer.seconds:.2f}" if answer.seconds is not None else "",
        "attempts": str(row.exchange.tries),
        "model": without_folders(answer.model or ""),
        "run by": answer.host or "",
        "filter category": answer.category or "",
        "answer": answer.text or "",
    }
    return [(name, value) for name, value in pairs.items() if value]
