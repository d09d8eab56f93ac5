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
from mossbench.web.samples import SAMPLES_PER_PAGE, PictureSize, facts, picture_size
from mossbench.web.shelf import Shelf
from mossbench.web.strips import SINGLE, Strip, kinds_in, make_strip, refused_kinds_in

router = APIRouter()
_SHUFFLE = random.random()
"""The seed of the random order, another one at each start of the app."""
MAX_FIRST_RUNS = 6
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
    """Filters of the data, with their values."""
    show: ShowName
    a: LoadedRun | None
    """With `show` only: the run that refused."""
    b: LoadedRun | None
    """With `show` only: the run that did not refuse; None: all others."""

    def query(self) -> Query:
        shows_refused_by_a = self.show == "only"
        return {
            "data": self.data.key if not self.runs else None,  # runs say on which data they are
            "side": self.side.value if self.side is not Side.BENIGN else None,
            **self.chosen,
            "show": self.show if self.show != "all" else None,
            "a": run_code(self.a.name) if self.a and shows_refused_by_a else None,
            "b": run_code(self.b.name) if self.b and shows_refused_by_a else None,
            "m": "-".join(run_code(run.name) for run in self.runs),  # always: the default changes with every new run
        }


@dataclass(frozen=True)
class Scene:
    """The sample as it is shown beside the answers."""

    picture: str
    large: str
    in_list: str
    """The page of all samples, at this one."""
    size: PictureSize | None
    facts: Sequence[str]
    twin: Sample | None
    twin_picture: str
    twin_link: str
    twin_title: str
    twin_refused: str
    """How many of the runs refused the twin, in words."""


@dataclass(frozen=True)
class ExplorerPage:
    """What explorer.html shows of one sample."""

    view: View
    query: Query
    counts: Mapping[str, int]
    """How many samples each choice of `show` leaves."""
    strips: Sequence[Strip]
    n_all: int
    """Samples that have a stripe: those on this side that match the filters."""
    kinds: Sequence[str]
    refused_kinds: Collection[str]
    stripes: str
    """The address of a stripe, to which its number is added."""
    ids: str
    """Of all samples, with blanks between them, where each has a stripe of its own."""
    stripe: int | None
    """Index of the sample's stripe."""
    place: int | None
    """Index of the sample among those that are listed."""
    sample: Sample | None
    fault: str
    caption: str
    """Of the strips."""
    place_words: str
    no_samples: str
    """Why no sample is shown."""
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
    """On a site, the pages of all samples, with blanks between them."""


@dataclass(frozen=True)
class ExplorerControls:
    """What only the page of the app has."""

    own: str
    """Its address, with all that was chosen."""
    all_data: Sequence[tuple[str, str]]
    """Keys and titles."""
    data_option: str
    """The data as the option --data of a command names them."""


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
    run_names = list(dict.fromkeys(_run_name(shelf, names, code) for code in codes))
    chosen_data = _chosen_data(shelf, data, run_names[0] if run_names else "")
    runs_by_name = {run.name: run for run in chosen_data.runs}
    # Runs on other data may have been chosen before the data were.
    runs = tuple(runs_by_name[name] for name in run_names if name in runs_by_name) or first_runs(chosen_data)
    view = View(
        data=chosen_data,
        runs=runs,
        side=side,
        chosen=chosen_of(request.query_params),
        show=show,
        a=runs_by_name.get(_run_name(shelf, names, a)) or (runs[0] if runs else None),
        b=runs_by_name.get(_run_name(shelf, names, b)),
    )
    explorer = make_explorer(view, id, seed, at)
    if at is not None and explorer.sample:
        id = explorer.sample.id
    controls = ExplorerControls(
        own=address("/explorer", **explorer.query, id=id, seed=seed if id is None else None),
        all_data=[(choice.key, choice.title) for choice in shelf.data()],
        data_option=shelf.option_for(chosen_data),
    )
    return page(request, "explorer.html", "Explorer", explorer, controls, status=404 if explorer.fault else 200)


def _names_by_code(shelf: Shelf) -> dict[str, str]:
    """Names of runs by what addresses call them: their codes, or the names themselves."""
    names = {}
    for run in shelf.runs():
        names[run.name] = run.name
        names[run_code(run.name)] = run.name
    return names


def _run_name(shelf: Shelf, names: Mapping[str, str], code: str | None) -> str:
    """The run that an address names, by its code or name; empty for no code, a UsageError where there is none."""
    if not code:
        return ""
    return names.get(code) or shelf.run(code).name


def _chosen_data(shelf: Shelf, key: str | None, run_name: str) -> Data:
    """The data of that key; otherwise those that the run asked, or those with the most runs."""
    if key:
        return shelf.choose(key)
    return shelf.data_of(run_name) or shelf.choose(None)


def first_runs(data: Data) -> tuple[LoadedRun, ...]:
    """The newest run of each model, but first those that are judged and answered half of the samples or more."""

    def incompleteness(run: LoadedRun) -> tuple[bool, bool, bool]:
        return not run.n_answers, 2 * run.n_answers < len(data.samples), not run.counted.judge

    fullest_first = sorted(data.runs, key=incompleteness)
    first_of_label = {run.label: run for run in reversed(fullest_first)}
    in_order = sorted(fullest_first, key=lambda run: first_of_label[run.label] is not run)
    return tuple(in_order[:MAX_FIRST_RUNS])


@dataclass(frozen=True)
class SampleLists:
    """The samples on one side that match the filters: all of them, and those that each choice of `show` leaves."""

    every_sample: Sequence[Sample]
    by_show: Mapping[ShowName, Sequence[Sample]]

    def id_of_stripe(self, stripe: int) -> str:
        """The sample at this stripe, counted from 1; at the last or first one, where there are not so many."""
        number = min(max(stripe, 1), len(self.every_sample))
        return self.every_sample[number - 1].id


def make_explorer(
    view: View, id: str | None, seed: int | None = None, stripe: int | None = None, *, is_live: bool = True
) -> ExplorerPage:
    """All that the page shows of one sample: that of the id, also where the filter hides it; or of a stripe.

    On a page that is not live, stripes open a sample only where they have ids.
    """
    lists = _sample_lists(view)
    every_sample = lists.every_sample
    if stripe is not None and every_sample:
        id = lists.id_of_stripe(stripe)
    listed = lists.by_show[view.show]
    sample = _chosen_sample(view, listed, id, seed)
    place = _place_of(sample, listed)
    place_of_stripe = _place_of(sample, every_sample)
    previous, following = _neighbours(listed, place)
    strips = [make_strip(view.data.labels[run.name], run, every_sample) for run in view.runs]
    columns = [column_of(view.data, run, sample.key) for run in view.runs] if sample else []
    ids = " ".join(listed_sample.id for listed_sample in every_sample) if len(every_sample) <= SINGLE else ""
    query = view.query()
    side = SIDES[view.side]
    return ExplorerPage(
        view=view,
        query=query,
        counts={show: len(samples) for show, samples in lists.by_show.items()},
        strips=strips,
        n_all=len(every_sample),
        kinds=kinds_in(strips),
        refused_kinds=refused_kinds_in(strips),
        stripes=address("/explorer", **query, at=0)[:-1],
        ids=ids,
        stripe=place_of_stripe,
        place=place,
        sample=sample,
        fault=_no_such_sample(view, id) if id is not None and sample is None else "",
        caption=_caption(view, columns, len(every_sample), has_frame=place_of_stripe is not None, is_live=is_live),
        place_words=words.place_words(place, len(listed), view.show, side),
        no_samples=_no_samples(view),
        side=side,
        previous=_link(view, previous),
        next=_link(view, following),
        random=_link(view, _at_random(listed, sample)),
        scene=_scene(view, sample, is_live=is_live) if sample else None,
        columns=columns,
        filters=_filters(view),
    )


def _sample_lists(view: View) -> SampleLists:
    every_sample = []
    for sample in view.data.samples:
        if sample.side is view.side and matches(sample, view.chosen):
            every_sample.append(sample)
    by_show: dict[ShowName, Sequence[Sample]] = {}
    for show in SHOWS:
        by_show[show] = [sample for sample in every_sample if fits(view, sample.key, show)]
    return SampleLists(every_sample, by_show)


def _neighbours(listed: Sequence[Sample], place: int | None) -> tuple[Sample | None, Sample | None]:
    """The samples before and after this place; after none, the first one."""
    index = place if place is not None else -1
    previous = listed[index - 1] if index > 0 else None
    following = listed[index + 1] if index + 1 < len(listed) else None
    return previous, following


def _link(view: View, sample: Sample | None) -> str:
    """The address of this page with another sample; empty for none."""
    return address("/explorer", **view.query(), id=sample.id) if sample else ""


def _caption(view: View, columns: Sequence[Column], n_samples: int, *, has_frame: bool, is_live: bool) -> str:
    """Of the strips."""
    has_ids = n_samples <= SINGLE
    caption = words.stripes_caption(
        n_samples,
        SIDES[view.side],
        is_filtered=bool(view.chosen),
        has_ids=has_ids,
        can_open=is_live or has_ids,
    )
    notes = words.stripes_notes(
        has_frame=has_frame,
        has_several_answers=any(column.other_answers for column in columns),
    )
    return caption + notes


def _no_samples(view: View) -> str:
    return words.no_samples(
        view.show,
        SIDES[view.side],
        is_filtered=bool(view.chosen),
        n_runs=len(view.runs),
        is_against_one=view.b is not None,
    )


def _filters(view: View) -> list[Filter]:
    """Without the flags, unless one is chosen."""
    filters = with_chosen(view.data.filters, view.chosen)
    return [filter for filter in filters if filter.name not in FLAGS or filter.chosen]


def _place_of(sample: Sample | None, samples: Sequence[Sample]) -> int | None:
    keys = [listed.key for listed in samples]
    return keys.index(sample.key) if sample is not None and sample.key in keys else None


def _no_such_sample(view: View, id: str) -> str:
    example = next((sample.id for sample in view.data.samples if sample.side is view.side), "")
    return f"{view.data.title} has no {SIDES[view.side]} sample {id!r}. Example of an id: {example!r}."


def fits(view: View, key: SampleKey, show: str) -> bool:
    """Whether `show` lists a sample: `all`, `differ`: models differ, or `only`: only run A refused it."""
    if show == "all":
        return True
    if show == "only":
        other_runs = [view.b] if view.b else [run for run in view.runs if run is not view.a]
        refused_by_others = {refused(run, key) for run in other_runs}
        return refused(view.a, key) is True and refused_by_others == {False}
    return len({refused(run, key) for run in view.runs} - {None}) > 1


def refused(run: LoadedRun | None, key: SampleKey) -> bool | None:
    return run.refusals.get(key) if run else None


def _chosen_sample(view: View, listed: Sequence[Sample], id: str | None, seed: int | None) -> Sample | None:
    """The sample of this id; or one at random, by the seed; or the first."""
    if id is not None:
        return view.data.by_key.get((view.side, id.strip()))
    if seed is not None and listed:
        return random.Random(seed).choice(listed)
    return listed[0] if listed else None


def _at_random(listed: Sequence[Sample], sample: Sample | None) -> Sample | None:
    """Another sample: pressing the button repeatedly leads through all of them before one comes back."""
    if len(listed) < 2:
        return None
    order = random.Random(_SHUFFLE).sample(listed, len(listed))
    place = _place_of(sample, order)
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
    names_that_refused = [name for name, is_refused in refused_by.items() if is_refused]
    n_counted = sum(is_refused is not None for is_refused in refused_by.values())
    if is_live:
        twin_refused = words.twin_refused_by(names_that_refused, n_counted)
    else:
        twin_refused = words.twin_refused_in(len(names_that_refused), n_counted)
    return Scene(
        picture=picture_address(data, sample, 1024),
        large=picture_address(data, sample, FULL_SIZE),
        in_list=_in_list(data, sample),
        size=picture_size(data, sample),
        facts=facts(sample),
        twin=twin,
        twin_picture=picture_address(data, twin, 240),
        twin_link=twin_link,
        twin_title=words.twin_title(is_harmful=twin is not None and twin.side is Side.CONTRAST),
        twin_refused=twin_refused,
    )


def _in_list(data: Data, sample: Sample) -> str:
    """The page of all samples on this side, at this one."""
    ids = [listed.id for listed in data.samples if listed.side is sample.side]
    place = ids.index(sample.id)
    page = address("/samples", data=data.key, side=sample.side.value, start=place - place % SAMPLES_PER_PAGE[0] or None)
    return f"{page}#{card_anchor(sample.side, sample.id)}"
