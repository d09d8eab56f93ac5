"""Explorer: any number of models side by side on one sample."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from pydantic import BeforeValidator
from starlette.responses import Response

from mossbench.look.commands import as_commands
from mossbench.outcomes import Counted, Kind, Layer, Rule, counted
from mossbench.protocols import without_folders
from mossbench.reports.cards import pieces, silence, why
from mossbench.reports.html import card_anchor
from mossbench.reports.wording import arm_title
from mossbench.results.rows import ResultRow
from mossbench.samples import Sample, Side
from mossbench.web.data import Data
from mossbench.web.filters import FLAGS, chosen_of, with_chosen
from mossbench.web.filters import fits as matches
from mossbench.web.loaded_run import LoadedRun, SampleKey
from mossbench.web.pages import (
    FULL_SIZE,
    SIDES,
    ChosenNumber,
    ChosenText,
    address,
    page,
    picture_address,
    run_code,
    shelf_of,
)
from mossbench.web.samples import HOW_MANY, facts, picture_size

router = APIRouter()
_SHUFFLE = random.random()
"""Another order each time that the app is started."""
SINGLE = 600
"""Samples up to which each has a stripe of its own; more are no wider than a pixel."""
MOST_AT_ONCE = 6
"""Columns when no models were chosen."""
Show = Annotated[Literal["all", "differ", "only"], BeforeValidator(lambda value: value or "all")]
AnySide = Annotated[Side, BeforeValidator(lambda value: value or Side.BENIGN)]


@dataclass(frozen=True)
class View:
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
            "data": self.data.key if not self.runs else None,  # runs say on which data they are
            "side": self.side.value if self.side is not Side.BENIGN else None,
            **self.chosen,
            "show": self.show if self.show != "all" else None,
            "a": run_code(self.a.name) if self.a and self.show == "only" else None,
            "b": run_code(self.b.name) if self.b and self.show == "only" else None,
            "m": "-".join(run_code(run.name) for run in self.runs),  # always: the default changes with every new run
        }


@router.get("/explorer")
def explorer_page(
    request: Request,
    data: ChosenText = None,
    id: ChosenText = None,
    side: AnySide = Side.BENIGN,
    show: Show = "all",
    m: Annotated[list[str] | None, Query(max_length=100)] = None,
    models: Annotated[list[str] | None, Query(max_length=100)] = None,
    a: ChosenText = None,
    b: ChosenText = None,
    seed: ChosenNumber = None,
    at: ChosenNumber = None,
) -> Response:
    shelf = shelf_of(request)
    named = {called: run.name for run in shelf.runs() for called in (run.name, run_code(run.name))}

    def name_of(called: str | None) -> str:
        return named.get(called or "") or (shelf.run(called).name if called else "")  # a UsageError where there is none

    asked = dict.fromkeys(map(name_of, [*(models or ()), *(code for some in m or () for code in some.split("-"))]))
    of_run = (one for one in shelf.data() if any(run.name == next(iter(asked), "") for run in one.runs))
    chosen = shelf.choose(data) if data else next(of_run, None) or shelf.choose(None)
    here = {run.name: run for run in chosen.runs}  # runs on other data were chosen before the data were
    runs = tuple(here[name] for name in asked if name in here) or first_runs(chosen)
    one, other = here.get(name_of(a)) or (runs[0] if runs else None), here.get(name_of(b))
    view = View(chosen, runs, side, chosen_of(request.query_params), show, one, other)
    values = explorer_values(view, id, seed, at)
    id = values["sample"].id if at is not None and values["sample"] else id
    own = address("/explorer", **values["query"], id=id, seed=seed if id is None else None)
    all_data = [(one.key, one.title) for one in shelf.data()]
    status = 404 if values["fault"] else 200
    given = shelf.given(chosen)
    return page(request, "explorer.html", "Explorer", status=status, all_data=all_data, own=own, given=given, **values)


def first_runs(data: Data) -> tuple[LoadedRun, ...]:
    """The newest run of each model, but first those that are judged and answered half of the samples or more."""
    few = {run.name: (not run.n_answers, 2 * run.n_answers < len(data.samples)) for run in data.runs}
    found = sorted(data.runs, key=lambda run: (*few[run.name], not run.counted.judge))
    newest = {run.label: run for run in reversed(found)}
    return tuple(sorted(found, key=lambda run: newest[run.label] is not run)[:MOST_AT_ONCE])


def explorer_values(view: View, id: str | None, seed: int | None = None, stripe: int | None = None) -> dict[str, Any]:
    """All that the page shows of one sample: that of the id, also where the filter hides it; or of a stripe."""
    everything = [s for s in view.data.samples if s.side is view.side and matches(s, view.chosen)]
    if stripe is not None and everything:
        id = everything[min(max(stripe, 1), len(everything)) - 1].id
    lists = {show: [s for s in everything if fits(view, s.key, show)] for show in ("all", "differ", "only")}
    listed = lists[view.show]
    here = _here(view, listed, id, seed)
    place = next((i for i, s in enumerate(listed) if here and s.key == here.key), None)
    query = view.query()

    def link(sample: Sample) -> str:
        return address("/explorer", **query, id=sample.id)

    fault, at = "", place if place is not None else -1
    if id is not None and here is None:
        example = next((s.id for s in view.data.samples if s.side is view.side), "")
        fault = f"{view.data.title} has no {SIDES[view.side]} sample {id!r}. An example of an id is {example!r}."
    strips = [_strip(view.data.labels[run.name], run, everything) for run in view.runs]
    return {
        "view": view,
        "query": query,
        "counts": {show: len(found) for show, found in lists.items()},
        "strips": strips,
        "n_all": len(everything),
        "kinds": _kinds(strips),
        "stripes": address("/explorer", **query, at=0)[:-1],
        "ids": " ".join(s.id for s in everything) if len(everything) <= SINGLE else "",
        "code": run_code,
        "at": next((i for i, s in enumerate(everything) if here and s.key == here.key), None),
        "place": place,
        "sample": here,
        "fault": fault,
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


def _strip(name: str, run: LoadedRun, samples: Sequence[Sample]) -> dict[str, Any]:
    """One stripe a sample, drawn as one path for each kind; quiet where it was not refused."""
    paths: dict[tuple[str, bool], list[str]] = defaultdict(list)
    kinds = [rows[0].outcome.label if (rows := run.by_sample.get(s.key)) else "" for s in samples]
    down = [refused(run, sample.key) for sample in samples]
    looks, gap = list(zip(kinds, down, strict=True)), 0.18 if len(samples) <= SINGLE else 0
    # Neighbours of one kind are one stripe where there are too many to be seen singly.
    starts = [i for i, look in enumerate(looks) if gap or i == 0 or looks[i - 1] != look]
    for i, end in zip(starts, [*starts[1:], len(looks)], strict=False):
        kind, is_down = looks[i]
        if kind:
            paths[kind, is_down is not True].append(f"M{i} 0h{end - i - gap:g}v1h-{end - i - gap:g}z")
    drawn = [(kind, quiet, "".join(found)) for (kind, quiet), found in paths.items()]
    return {"name": name, "paths": drawn, "n_down": down.count(True), "n": len(down) - down.count(None)}


def _kinds(strips: Sequence[Mapping[str, Any]]) -> list[str]:
    """The outcomes that stripes show, in the order of the kinds: the legend."""
    order = [*Kind, *Layer]
    found = {kind for strip in strips for kind, _, _ in strip["paths"]}
    return sorted(found, key=lambda kind: (order.index(kind) if kind in order else -1, kind))


def _scene(view: View, sample: Sample) -> dict[str, Any]:
    data, twin = view.data, view.data.twin_of(sample)
    said = {data.labels[run.name]: refused(run, twin.key) for run in view.runs} if twin else {}
    return {
        "picture": picture_address(data, sample, 1024),
        "large": picture_address(data, sample, FULL_SIZE),
        "listed": _listed(data, sample),
        "size": picture_size(data, sample),
        "facts": facts(sample),
        "twin": twin,
        "twin_picture": picture_address(data, twin, 240),
        "twin_link": address("/explorer", **{**view.query(), "side": twin.side.value}, id=twin.id) if twin else "",
        "twin_down": [name for name, down in said.items() if down],
        "twin_n": sum(down is not None for down in said.values()),
    }


def _listed(data: Data, sample: Sample) -> str:
    """Where the sample stands among all samples of its side."""
    place = [one.id for one in data.samples if one.side is sample.side].index(sample.id)
    page = address("/samples", data=data.key, side=sample.side.value, start=place - place % HOW_MANY[0] or None)
    return f"{page}#{card_anchor(sample.side, sample.id)}"


def _column(data: Data, run: LoadedRun, key: SampleKey) -> dict[str, Any]:
    """What one run made of the sample: its first answer in full, and the outcomes of its others."""
    rows = run.by_sample.get(key, ())
    if not rows or run.results is None:
        return {"name": data.labels[run.name], "kind": "", "report": ""}
    row, others = rows[0], rows[1:]
    arm = run.results.arm(row)
    return {
        "name": data.labels[run.name],
        "report": f"/runs/{quote(run.name, safe='')}#{card_anchor(*key)}",
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
    failed = ""
    if answer and (error := answer.error):
        failed = f"No answer, so this row does not count. {error.type} in {error.stage}: {as_commands(error.message)}"
    return {
        "kind": row.outcome.label,
        "helped": counted(row.outcome, Rule.SYSTEM) is Counted.COMPLIED,
        "answer": first if row.outcome.layer not in (Layer.BLOCKED, Layer.EMPTY) else (),
        "rest": rest,
        "silence": failed or silence(row),
        "why": why(row, judge),
    }


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
        "planted": str(answer.planted or ""),
        "answer": answer.text or "",
    }
    return [(name, value) for name, value in pairs.items() if value]
