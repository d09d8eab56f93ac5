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
from mossbench.statistics import front
from mossbench.web.columns import Column, column_of
from mossbench.web.data import Data
from mossbench.web.filters import FLAGS, Filter, chosen_of, fits, with_chosen
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
from mossbench.web.strips import MAX_OWN_STRIPES, Strip, kinds_in, make_strip, refused_kinds_in

router = APIRouter()
_RANDOM_ORDER_SEED = random.random()
"""Drawn at each start of the app, so that the button Random leads through the samples in another order."""
MAX_FIRST_RUNS = 6
"""The most columns if no models were chosen: more do not fit side by side."""
PICTURE_SIZE = 1024
"""Pixels of the longer side of the picture, as it is shown in the page."""
TWIN_PICTURE_SIZE = 240
"""The same of the twin's picture."""
ShowName = Literal["all", "differ", "only"]
"""Which samples are listed: all, those that runs differ on, or those that only one run refused."""
SHOWS: tuple[ShowName, ...] = ("all", "differ", "only")
Show = Annotated[ShowName, BeforeValidator(lambda value: value or "all")]
"""In an address, an empty value stands for the default."""
AnySide = Annotated[Side, BeforeValidator(lambda value: value or Side.BENIGN)]


@dataclass(frozen=True)
class View:
    """The data, runs and samples that the address asks for."""

    data: Data
    runs: tuple[LoadedRun, ...]
    side: Side
    chosen_filters: Mapping[str, str]
    """Names of filters -> the chosen values."""
    show: ShowName
    refusing_run: LoadedRun | None
    """If `show` is "only": the run that refused."""
    answering_run: LoadedRun | None
    """If `show` is "only": the run that did not refuse; None if all other runs did not."""

    def query(self) -> Query:
        refusing_run = self.refusing_run if self.show == "only" else None
        answering_run = self.answering_run if self.show == "only" else None
        return {
            "data": self.data.key if not self.runs else None,  # runs say on which data they are
            "side": self.side.value if self.side is not Side.BENIGN else None,
            **self.chosen_filters,
            "show": self.show if self.show != "all" else None,
            "a": run_code(refusing_run.name) if refusing_run else None,
            "b": run_code(answering_run.name) if answering_run else None,
            "m": "-".join(run_code(run.name) for run in self.runs),  # always: the default changes with every new run
        }


@dataclass(frozen=True)
class Scene:
    """The sample, its picture and its twin, which the page shows beside the answers."""

    picture: str
    """The address of the picture; empty if there is none."""
    large_picture: str
    list_link: str
    """The page of all samples, at this sample."""
    size: PictureSize | None
    facts: Sequence[str]
    twin: Sample | None
    twin_picture: str
    twin_link: str
    twin_title: str
    twin_refused: str
    """How many runs refused the twin, in words."""
    refused: str = ""
    """How many of the runs shown refused the sample, in words; empty where the page chooses them itself."""


@dataclass(frozen=True)
class ExplorerPage:
    """What explorer.html shows of one sample."""

    view: View
    query: Query
    counts: Mapping[str, int]
    """How many samples each choice of `show` leaves."""
    strips: Sequence[Strip]
    n_in_strips: int
    """Samples that the strips show: those on this side that match the filters."""
    kinds: Sequence[str]
    """The outcomes that the strips show."""
    refused_kinds: Collection[str]
    """Those of them that count as refused."""
    stripe_link_start: str
    """The address of a stripe without its number, which a script adds."""
    ids: str
    """The ids of the samples in the strips, separated by blanks; empty if several samples share a stripe."""
    stripe_index: int | None
    """Index of the sample among the samples in the strips; None if it is not among them."""
    list_index: int | None
    """Index of the sample among the listed samples; None if it is not among them."""
    sample: Sample | None
    fault: str
    """Why the sample in the address cannot be shown; empty if it is shown."""
    strips_caption: str
    position: str
    """Where the sample is in the list, in words."""
    no_samples: str
    """Why no sample is shown."""
    side: str
    """In words."""
    previous_link: str
    next_link: str
    random_link: str
    scene: Scene | None
    columns: Sequence[Column]
    filters: Sequence[Filter]
    code: Callable[[str], str] = run_code
    """Returns the code of a run in addresses, from its name."""
    pages: str = ""
    """On a site: the pages of all samples, separated by blanks."""


@dataclass(frozen=True)
class ExplorerControls:
    """The fields that only the page of the app has."""

    own_address: str
    """The address of this page, with everything that was chosen."""
    all_data: Sequence[tuple[str, str]]
    """Keys and titles of the data."""
    data_option: str
    """The value of the option --data of a command for these data; empty if they are the default of the option."""


@router.get("/explorer")
def explorer_page(
    request: Request,
    data: ChosenText = None,
    id_in_address: Annotated[ChosenText, QueryParameter(alias="id")] = None,
    side: AnySide = Side.BENIGN,
    show: Show = "all",
    joined_codes: Annotated[list[str] | None, QueryParameter(alias="m", max_length=100)] = None,
    models: Annotated[list[str] | None, QueryParameter(max_length=100)] = None,
    refusing_run: Annotated[ChosenText, QueryParameter(alias="a")] = None,
    answering_run: Annotated[ChosenText, QueryParameter(alias="b")] = None,
    seed: ChosenNumber = None,
    stripe: Annotated[ChosenNumber, QueryParameter(alias="at")] = None,
) -> Response:
    """The page of one sample; addresses name runs by their codes or, in older addresses, by their full names."""
    shelf = shelf_of(request)
    names = _run_names_by_code(shelf)
    codes = [*(models or ()), *_split_codes(joined_codes or (), names)]
    # A code is empty if an address has two hyphens in a row, or one at an end.
    run_names = list(dict.fromkeys(_run_name(shelf, names, code) for code in codes if code))
    chosen_data = _chosen_data(shelf, data, run_names)
    runs = _chosen_runs(chosen_data, run_names) or first_runs(chosen_data)
    # Without a choice, "only" is about the first run.
    refusing_runs = _chosen_runs(chosen_data, [_run_name(shelf, names, refusing_run)]) or runs
    answering_runs = _chosen_runs(chosen_data, [_run_name(shelf, names, answering_run)])
    view = View(
        data=chosen_data,
        runs=runs,
        side=side,
        chosen_filters=chosen_of(request.query_params),
        show=show,
        refusing_run=refusing_runs[0] if refusing_runs else None,
        answering_run=answering_runs[0] if answering_runs else None,
    )
    explorer = make_explorer(view, id_in_address, seed, stripe)
    sample_id = id_in_address
    if stripe is not None and explorer.sample:
        sample_id = explorer.sample.id
    controls = ExplorerControls(
        own_address=address("/explorer", **explorer.query, id=sample_id, seed=seed if sample_id is None else None),
        all_data=[(choice.key, choice.title) for choice in shelf.data()],
        data_option=shelf.option_for(chosen_data),
    )
    return page(request, "explorer.html", "Explorer", explorer, controls, status=404 if explorer.fault else 200)


def _run_names_by_code(shelf: Shelf) -> dict[str, str]:
    """Codes and full names of runs, both of which an address may have -> the full names."""
    names = {}
    for run in shelf.runs():
        names[run.name] = run.name
        names[run_code(run.name)] = run.name
    return names


def _split_codes(joined_codes: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """Each code in texts such as `k3x9ab-p0q2rs`; a text that is the name of a run, which may have hyphens, is kept."""
    codes = []
    for text in joined_codes:
        codes += [text] if text in names else text.split("-")
    return codes


def _run_name(shelf: Shelf, names: Mapping[str, str], code: str | None) -> str:
    """The full name of the run with this code or name; empty if no code is given, UsageError if no run has it."""
    if not code:
        return ""
    return names.get(code) or shelf.run(code).name


def _chosen_data(shelf: Shelf, key: str | None, run_names: Sequence[str]) -> Data:
    """The data with this key; without a key, the data that the first run asked, or else the data with the most runs."""
    if key:
        return shelf.choose(key)
    first_name = run_names[0] if run_names else ""
    return shelf.data_of(first_name) or shelf.choose(None)


def _chosen_runs(data: Data, names: Sequence[str]) -> tuple[LoadedRun, ...]:
    """The runs with these names on the data; runs on other data may have been chosen before the data were."""
    by_name = {run.name: run for run in data.runs}
    return tuple(by_name[name] for name in names if name in by_name)


def first_runs(data: Data) -> tuple[LoadedRun, ...]:
    """The runs that are shown if none were chosen: the newest of each model, then others, at most MAX_FIRST_RUNS.

    Judged runs with answers to at least half of the samples come before other runs, and of these the models that no
    other one beats on both sides, as measured.
    """

    def incompleteness(run: LoadedRun) -> tuple[bool, bool, bool]:
        has_no_answer = not run.n_answers
        has_few_answers = 2 * run.n_answers < len(data.samples)
        is_unjudged = not run.counted.judge
        return has_no_answer, has_few_answers, is_unjudged

    fullest_first = sorted(data.runs, key=incompleteness)
    first_by_model = {run.label: run for run in reversed(fullest_first)}
    newest = [run for run in fullest_first if first_by_model[run.label] is run]
    on_front = _on_front(newest)

    def place(run: LoadedRun) -> tuple[bool, bool, tuple[bool, bool, bool]]:
        return run not in newest, run.name not in on_front, incompleteness(run)

    return tuple(sorted(fullest_first, key=place)[:MAX_FIRST_RUNS])


def _on_front(runs: Sequence[LoadedRun]) -> set[str]:
    """Names of the runs that no other one beats on both sides, as measured, among those with a known rate on both."""
    with_both = []
    for run in runs:
        rates = [run.counted.rates.get(side) for side in Side]
        if all(rate is not None and rate.is_known and rate.estimate.n for rate in rates):
            with_both.append(run)
    if not with_both:
        return set()
    harmless = [run.counted.rates[Side.BENIGN].estimate.value for run in with_both]
    harmful = [run.counted.rates[Side.CONTRAST].estimate.value for run in with_both]
    is_on_front = front(harmless, harmful)
    return {run.name for run, is_best in zip(with_both, is_on_front, strict=True) if is_best}


@dataclass(frozen=True)
class SampleLists:
    """The samples on one side that match the filters: all of them, and those that each choice of `show` leaves."""

    filtered: Sequence[Sample]
    by_show: Mapping[ShowName, Sequence[Sample]]

    def id_of_stripe(self, stripe: int) -> str:
        """The id of the sample at this stripe, counted from 1; a number out of range means the first or last stripe."""
        number = min(max(stripe, 1), len(self.filtered))
        return self.filtered[number - 1].id


def make_explorer(
    view: View, sample_id: str | None, seed: int | None = None, stripe: int | None = None, *, is_live: bool = True
) -> ExplorerPage:
    """The page of the sample with this id, also if the filters hide it, or of the sample at this stripe.

    Without an id and a stripe the seed chooses a listed sample; without a seed it is the first. On a page that is not
    live, a stripe opens a sample only if each sample has a stripe of its own.
    """
    lists = _sample_lists(view)
    filtered = lists.filtered
    if stripe is not None and filtered:
        sample_id = lists.id_of_stripe(stripe)
    listed = lists.by_show[view.show]
    sample = _chosen_sample(view, listed, sample_id, seed)
    list_index = _index_of(sample, listed)
    stripe_index = _index_of(sample, filtered)
    previous_sample, next_sample = _neighbours(listed, list_index)
    strips = [make_strip(view.data.labels[run.name], run, filtered) for run in view.runs]
    columns = [column_of(view.data, run, sample.key) for run in view.runs] if sample else []
    has_stripe_of_its_own = len(filtered) <= MAX_OWN_STRIPES
    ids = " ".join(listed_sample.id for listed_sample in filtered) if has_stripe_of_its_own else ""
    query = view.query()
    side = SIDES[view.side]
    return ExplorerPage(
        view=view,
        query=query,
        counts={show: len(samples) for show, samples in lists.by_show.items()},
        strips=strips,
        n_in_strips=len(filtered),
        kinds=kinds_in(strips),
        refused_kinds=refused_kinds_in(strips),
        stripe_link_start=_stripe_link_start(query),
        ids=ids,
        stripe_index=stripe_index,
        list_index=list_index,
        sample=sample,
        fault=_no_such_sample(view, sample_id) if sample_id is not None and sample is None else "",
        strips_caption=_caption(view, columns, len(filtered), has_frame=stripe_index is not None, is_live=is_live),
        position=words.place_words(list_index, len(listed), view.show, side),
        no_samples=_no_samples(view),
        side=side,
        previous_link=_link(view, previous_sample),
        next_link=_link(view, next_sample),
        random_link=_link(view, _next_in_random_order(listed, sample)),
        scene=_scene(view, sample, is_live=is_live) if sample else None,
        columns=columns,
        filters=_filters(view),
    )


def _sample_lists(view: View) -> SampleLists:
    """The samples of the chosen side that match the filters, and those of them that each choice of `show` leaves."""
    filtered = []
    for sample in view.data.samples:
        if sample.side is view.side and fits(sample, view.chosen_filters):
            filtered.append(sample)
    by_show: dict[ShowName, Sequence[Sample]] = {}
    for show in SHOWS:
        by_show[show] = [sample for sample in filtered if _is_listed(view, sample.key, show)]
    return SampleLists(filtered, by_show)


def _neighbours(listed: Sequence[Sample], list_index: int | None) -> tuple[Sample | None, Sample | None]:
    """The samples before and after this index; without an index, the next sample is the first."""
    index = list_index if list_index is not None else -1
    previous_sample = listed[index - 1] if index > 0 else None
    next_sample = listed[index + 1] if index + 1 < len(listed) else None
    return previous_sample, next_sample


def _link(view: View, sample: Sample | None) -> str:
    """The address of this page with another sample; empty if there is none."""
    return address("/explorer", **view.query(), id=sample.id) if sample else ""


def _stripe_link_start(query: Query) -> str:
    """The address of a stripe up to its number."""
    page_address = address("/explorer", **query)
    separator = "&" if "?" in page_address else "?"
    return f"{page_address}{separator}at="


def _caption(view: View, columns: Sequence[Column], n_samples: int, *, has_frame: bool, is_live: bool) -> str:
    """The caption of the strips. `has_frame`: the stripe of this sample has a frame."""
    has_ids = n_samples <= MAX_OWN_STRIPES
    caption = words.stripes_caption(
        n_samples,
        SIDES[view.side],
        is_filtered=bool(view.chosen_filters),
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
        is_filtered=bool(view.chosen_filters),
        n_runs=len(view.runs),
        is_against_one=view.answering_run is not None,
    )


def _filters(view: View) -> list[Filter]:
    """The filters of the data; a flag is a filter here only if it is chosen."""
    filters = with_chosen(view.data.filters, view.chosen_filters)
    return [filter for filter in filters if filter.name not in FLAGS or filter.chosen]


def _index_of(sample: Sample | None, samples: Sequence[Sample]) -> int | None:
    """The index of the sample in the sequence; None if it is not there."""
    for index, other_sample in enumerate(samples):
        if sample is not None and other_sample.key == sample.key:
            return index
    return None


def _no_such_sample(view: View, sample_id: str) -> str:
    example = next((sample.id for sample in view.data.samples if sample.side is view.side), "")
    return f"{view.data.title} has no {SIDES[view.side]} sample {sample_id!r}. Example of an id: {example!r}."


def _is_listed(view: View, key: SampleKey, show: ShowName) -> bool:
    """Whether the choice of `show` lists this sample.

    `all` lists every sample, `differ` the samples that one run refused and another did not, `only` the samples that
    `refusing_run` refused and `answering_run`, or else every other run, did not.
    """
    if show == "all":
        return True
    if show == "differ":
        refused_or_not = {_is_refused(run, key) for run in view.runs} - {None}
        return len(refused_or_not) > 1
    other_runs = [run for run in view.runs if run is not view.refusing_run]
    if view.answering_run:
        other_runs = [view.answering_run]
    refused_by_others = {_is_refused(run, key) for run in other_runs}
    # Not {False, None}: a run whose answer does not count is no run that did not refuse.
    return _is_refused(view.refusing_run, key) is True and refused_by_others == {False}


def _is_refused(run: LoadedRun | None, key: SampleKey) -> bool | None:
    """Whether the run refused the sample; None if there is no run or its answer does not count."""
    return run.refusals.get(key) if run else None


def _chosen_sample(view: View, listed: Sequence[Sample], sample_id: str | None, seed: int | None) -> Sample | None:
    """The sample with this id; without an id, the listed sample that the seed chooses, or the first."""
    if sample_id is not None:
        return view.data.by_key.get((view.side, sample_id.strip()))
    if seed is not None and listed:
        return random.Random(seed).choice(listed)
    return listed[0] if listed else None


def _next_in_random_order(listed: Sequence[Sample], sample: Sample | None) -> Sample | None:
    """The sample after this one in a fixed random order, so that Random visits every sample before it repeats one."""
    if len(listed) < 2:
        return None
    order = random.Random(_RANDOM_ORDER_SEED).sample(listed, len(listed))
    index = _index_of(sample, order)
    return order[0] if index is None else order[(index + 1) % len(order)]


def _scene(view: View, sample: Sample, *, is_live: bool) -> Scene:
    """What the page shows of a sample beside the answers; a page that is not live does not name the runs."""
    data = view.data
    twin = data.twin_of(sample)
    twin_link = ""
    names_that_refused: list[str] = []
    n_counted = 0
    if twin is not None:
        query = view.query() | {"side": twin.side.value}
        twin_link = address("/explorer", **query, id=twin.id)
        names_that_refused, n_counted = _names_that_refused(view, twin)
    if is_live:
        twin_refused = words.twin_refused_by(names_that_refused, n_counted)
    else:
        twin_refused = words.twin_refused_in(len(names_that_refused), n_counted)
    return Scene(
        picture=picture_address(data, sample, PICTURE_SIZE),
        large_picture=picture_address(data, sample, FULL_SIZE),
        list_link=_list_link(data, sample),
        size=picture_size(data, sample),
        facts=facts(sample),
        twin=twin,
        twin_picture=picture_address(data, twin, TWIN_PICTURE_SIZE),
        twin_link=twin_link,
        twin_title=words.twin_title(is_harmful=twin is not None and twin.side is Side.CONTRAST),
        twin_refused=twin_refused,
        refused=words.refused_by(*_names_that_refused(view, sample)) if is_live else "",
    )


def _names_that_refused(view: View, sample: Sample) -> tuple[list[str], int]:
    """The models that refused the sample, and how many have an answer to it that counts."""
    refusals = {view.data.labels[run.name]: _is_refused(run, sample.key) for run in view.runs}
    names = [name for name, is_refused in refusals.items() if is_refused]
    return names, sum(is_refused is not None for is_refused in refusals.values())


def _list_link(data: Data, sample: Sample) -> str:
    """The address of this sample on the page of all samples."""
    ids = [listed.id for listed in data.samples if listed.side is sample.side]
    index = ids.index(sample.id)
    start = index - index % SAMPLES_PER_PAGE[0]
    # The first page has no start in its address.
    list_page = address("/samples", data=data.key, side=sample.side.value, start=start or None)
    return f"{list_page}#{card_anchor(sample.side, sample.id)}"
