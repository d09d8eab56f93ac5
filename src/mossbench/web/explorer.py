"""Explorer: any number of models side by side on one sample."""

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Request
from fastapi import Query as QueryParameter
from pydantic import BeforeValidator
from starlette.responses import Response

from mossbench.reports.html import card_anchor
from mossbench.reports.words import explorer_page as words
from mossbench.samples import Sample, Side
from mossbench.web.columns import Column, column_of
from mossbench.web.data import Data
from mossbench.web.filters import FLAGS, Filter, chosen_of, with_chosen
from mossbench.web.filters import fits as matches
from mossbench.web.loaded_run import LoadedRun, SampleKey
from mossbench.web.pages import (
    FULL_SIZE,
    SIDES,
    ChosenNumber,
    ChosenText,
    Query,
    address,
    page,
    picture_address,
    run_code,
    shelf_of,
)
from mossbench.web.samples import HOW_MANY, PictureSize, facts, picture_size
from mossbench.web.shelf import Shelf
from mossbench.web.strips import SINGLE, Strip, kinds_in, make_strip, refused_kinds_in

router = APIRouter()
_SHUFFLE = random.random()
"""Another order each time that the app is started."""
MOST_AT_ONCE = 6
"""Columns when no models were chosen."""
ShowName = Literal["all", "differ", "only"]
SHOWS: tuple[ShowName, ...] = ("all", "differ", "only")
Show = Annotated[ShowName, BeforeValidator(lambda value: value or "all")]
AnySide = Annotated[Side, BeforeValidator(lambda value: value or Side.BENIGN)]


@dataclass(frozen=True)
class View:
    """What the address asks for."""

    data: Data
    runs: tuple[LoadedRun, ...]
    side: Side
    chosen: Mapping[str, str]
    """By the filters of the data."""
    show: ShowName
    a: LoadedRun | None
    b: LoadedRun | None

    def query(self) -> Query:
        is_of_one = self.show == "only"
        return {
            "data": self.data.key if not self.runs else None,  # runs say on which data they are
            "side": self.side.value if self.side is not Side.BENIGN else None,
            **self.chosen,
            "show": self.show if self.show != "all" else None,
            "a": run_code(self.a.name) if self.a and is_of_one else None,
            "b": run_code(self.b.name) if self.b and is_of_one else None,
            "m": "-".join(run_code(run.name) for run in self.runs),  # always: the default changes with every new run
        }


@dataclass(frozen=True)
class Scene:
    """The sample as it is shown beside the answers."""

    picture: str
    large: str
    listed: str
    """Its place among all samples."""
    size: PictureSize | None
    facts: Sequence[str]
    twin: Sample | None
    twin_picture: str
    twin_link: str
    twin_down: Sequence[str]
    """Runs that refused the twin."""
    twin_n: int
    """Runs whose answer to the twin counts."""
    twin_title: str
    twin_refused: str
    """How many of them refused it, in words."""


@dataclass(frozen=True)
class ExplorerPage:
    """What explorer.html shows of one sample."""

    view: View
    query: Query
    counts: Mapping[str, int]
    """How many samples each choice of `show` leaves."""
    strips: Sequence[Strip]
    n_all: int
    kinds: Sequence[str]
    refused_kinds: Collection[str]
    stripes: str
    """The address of a stripe, to which its number is added."""
    ids: str
    """Of all stripes, where each has one of its own."""
    at: int | None
    """The stripe of the sample."""
    place: int | None
    """Where it stands among those that are listed."""
    sample: Sample | None
    fault: str
    caption: str
    """Of the stripes."""
    place_words: str
    no_samples: str
    """Why no sample is shown, where none is."""
    side: str
    previous: str
    next: str
    random: str
    scene: Scene | None
    columns: Sequence[Column]
    filters: Sequence[Filter]
    code: Callable[[str], str] = run_code
    """How addresses name a run."""
    pages: str = ""
    """On a site, the pages of all stripes."""


@dataclass(frozen=True)
class ExplorerControls:
    """What only the page of the app has."""

    own: str
    """Its address, with all that was chosen."""
    all_data: Sequence[tuple[str, str]]
    """Keys and titles."""
    given: str
    """The data as a command names them."""


@router.get("/explorer")
def explorer_page(
    request: Request,
    data: ChosenText = None,
    id: ChosenText = None,
    side: AnySide = Side.BENIGN,
    show: Show = "all",
    m: Annotated[list[str] | None, QueryParameter(max_length=100)] = None,
    models: Annotated[list[str] | None, QueryParameter(max_length=100)] = None,
    a: ChosenText = None,
    b: ChosenText = None,
    seed: ChosenNumber = None,
    at: ChosenNumber = None,
) -> Response:
    shelf = shelf_of(request)
    codes = list(models or ())
    for joined in m or ():
        codes += joined.split("-")
    names = _names_by_code(shelf)
    asked = list(dict.fromkeys(_run_name(shelf, names, code) for code in codes))
    chosen = _data_asked(shelf, data, asked[0] if asked else "")
    runs_by_name = {run.name: run for run in chosen.runs}
    # Runs on other data were chosen before the data were.
    runs = tuple(runs_by_name[name] for name in asked if name in runs_by_name) or first_runs(chosen)
    run_a = runs_by_name.get(_run_name(shelf, names, a)) or (runs[0] if runs else None)
    run_b = runs_by_name.get(_run_name(shelf, names, b))
    view = View(chosen, runs, side, chosen_of(request.query_params), show, run_a, run_b)
    shown = make_explorer(view, id, seed, at)
    if at is not None and shown.sample:
        id = shown.sample.id
    controls = ExplorerControls(
        own=address("/explorer", **shown.query, id=id, seed=seed if id is None else None),
        all_data=[(each.key, each.title) for each in shelf.data()],
        given=shelf.given(chosen),
    )
    return page(request, "explorer.html", "Explorer", shown, controls, status=404 if shown.fault else 200)


def _names_by_code(shelf: Shelf) -> dict[str, str]:
    """Runs by all that addresses call them: their names and their codes."""
    names = {}
    for run in shelf.runs():
        names[run.name] = run.name
        names[run_code(run.name)] = run.name
    return names


def _run_name(shelf: Shelf, names: Mapping[str, str], code: str | None) -> str:
    """The run that an address calls so; empty where it calls none, a UsageError where there is no such run."""
    if not code:
        return ""
    return names.get(code) or shelf.run(code).name


def _data_asked(shelf: Shelf, key: str | None, run_name: str) -> Data:
    """The data of that key; else those that the run was asked, or those with the most runs."""
    if key:
        return shelf.choose(key)
    return shelf.data_of(run_name) or shelf.choose(None)


def first_runs(data: Data) -> tuple[LoadedRun, ...]:
    """The newest run of each model, but first those that are judged and answered half of the samples or more."""

    def how_little(run: LoadedRun) -> tuple[bool, bool, bool]:
        return not run.n_answers, 2 * run.n_answers < len(data.samples), not run.counted.judge

    fullest_first = sorted(data.runs, key=how_little)
    first_of_label = {run.label: run for run in reversed(fullest_first)}
    in_order = sorted(fullest_first, key=lambda run: first_of_label[run.label] is not run)
    return tuple(in_order[:MOST_AT_ONCE])


def make_explorer(
    view: View, id: str | None, seed: int | None = None, stripe: int | None = None, *, is_live: bool = True
) -> ExplorerPage:
    """All that the page shows of one sample: that of the id, also where the filter hides it; or of a stripe.

    On a page that is not live, stripes open a sample only where they have ids.
    """
    everything = [sample for sample in view.data.samples if sample.side is view.side and matches(sample, view.chosen)]
    if stripe is not None and everything:
        id = everything[min(max(stripe, 1), len(everything)) - 1].id
    lists = {show: [sample for sample in everything if fits(view, sample.key, show)] for show in SHOWS}
    listed = lists[view.show]
    here = _here(view, listed, id, seed)
    place = _place_of(here, listed)
    query = view.query()

    def link(sample: Sample) -> str:
        return address("/explorer", **query, id=sample.id)

    at = place if place is not None else -1
    strips = [make_strip(view.data.labels[run.name], run, everything) for run in view.runs]
    filters = with_chosen(view.data.filters, view.chosen)
    has_ids = len(everything) <= SINGLE
    side = SIDES[view.side]
    shown_place = _place_of(here, everything)
    columns = [column_of(view.data, run, here.key) for run in view.runs] if here else []
    return ExplorerPage(
        view=view,
        query=query,
        counts={show: len(samples) for show, samples in lists.items()},
        strips=strips,
        n_all=len(everything),
        kinds=kinds_in(strips),
        refused_kinds=refused_kinds_in(strips),
        stripes=address("/explorer", **query, at=0)[:-1],
        ids=" ".join(sample.id for sample in everything) if has_ids else "",
        at=shown_place,
        place=place,
        sample=here,
        fault=_no_such_sample(view, id) if id is not None and here is None else "",
        caption=words.stripes_caption(
            len(everything), side, is_filtered=bool(view.chosen), has_ids=has_ids, can_open=is_live or has_ids
        )
        + words.stripes_notes(
            has_frame=shown_place is not None, has_several_answers=any(column.others for column in columns)
        ),
        place_words=words.place_words(place, len(listed), view.show, side),
        no_samples=words.no_samples(
            view.show,
            side,
            is_filtered=bool(view.chosen),
            n_runs=len(view.runs),
            is_against_one=view.b is not None,
        ),
        side=side,
        previous=link(listed[at - 1]) if at > 0 else "",
        next=link(listed[at + 1]) if at + 1 < len(listed) else "",
        random=link(_at_random(listed, here)) if len(listed) > 1 else "",
        scene=_scene(view, here, is_live=is_live) if here else None,
        columns=columns,
        filters=[each for each in filters if each.name not in FLAGS or each.chosen],
    )


def _place_of(sample: Sample | None, samples: Sequence[Sample]) -> int | None:
    if sample is None:
        return None
    for place, other in enumerate(samples):
        if other.key == sample.key:
            return place
    return None


def _no_such_sample(view: View, id: str) -> str:
    example = next((sample.id for sample in view.data.samples if sample.side is view.side), "")
    return f"{view.data.title} has no {SIDES[view.side]} sample {id!r}. An example of an id is {example!r}."


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
    place = _place_of(here, order)
    return order[0] if place is None else order[(place + 1) % len(order)]


def _scene(view: View, sample: Sample, *, is_live: bool) -> Scene:
    data = view.data
    twin = data.twin_of(sample)
    twin_link = ""
    refused_by: dict[str, bool | None] = {}
    if twin is not None:
        query = view.query() | {"side": twin.side.value}
        twin_link = address("/explorer", **query, id=twin.id)
        refused_by = {data.labels[run.name]: refused(run, twin.key) for run in view.runs}
    twin_down = [name for name, is_refused in refused_by.items() if is_refused]
    twin_n = sum(is_refused is not None for is_refused in refused_by.values())
    return Scene(
        picture=picture_address(data, sample, 1024),
        large=picture_address(data, sample, FULL_SIZE),
        listed=_listed(data, sample),
        size=picture_size(data, sample),
        facts=facts(sample),
        twin=twin,
        twin_picture=picture_address(data, twin, 240),
        twin_link=twin_link,
        twin_down=twin_down,
        twin_n=twin_n,
        twin_title=words.twin_title(is_harmful=twin is not None and twin.side is Side.CONTRAST),
        twin_refused=words.twin_refused_by(twin_down, twin_n)
        if is_live
        else words.twin_refused_in(len(twin_down), twin_n),
    )


def _listed(data: Data, sample: Sample) -> str:
    """Where the sample stands among all samples of its side."""
    place = [other.id for other in data.samples if other.side is sample.side].index(sample.id)
    page = address("/samples", data=data.key, side=sample.side.value, start=place - place % HOW_MANY[0] or None)
    return f"{page}#{card_anchor(sample.side, sample.id)}"
