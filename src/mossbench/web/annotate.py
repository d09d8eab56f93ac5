"""Annotate: a queue of answers, one key a label, blind to model and judge."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from mossbench.annotation.answers import answer_items, export_labels, read_kind
from mossbench.annotation.store import Item
from mossbench.datasets import Dataset
from mossbench.datasets.arms import Arm
from mossbench.datasets.dataset import as_side
from mossbench.errors import Code, UsageError
from mossbench.plumbing.file_names import slug
from mossbench.samples import Side
from mossbench.web.desk_pages import LabelValue, check_may_see, desk_page, seat_routes, takes_forms, work_page
from mossbench.web.desk_words import n_answers, queue_heading
from mossbench.web.desks import Desk
from mossbench.web.pages import ChosenText, download, shelf_of
from mossbench.web.pictures import Size, picture_response
from mossbench.web.security import redirect
from mossbench.web.shelf import Shelf, wait_until_read

router = APIRouter(prefix="/annotate")


def desk_of(request: Request) -> Desk:
    desk: Desk = request.app.state.desks.annotate
    return desk


def _kind_in_words(value: LabelValue) -> str:
    return str(value["kind"]).capitalize()


seat_routes(router, desk_of, lambda form: read_kind(str(form.get("kind", ""))), _kind_in_words)


@dataclass(frozen=True)
class ItemPictures:
    """What pages show of an item's pictures."""

    n_pictures: int
    is_text_only: bool
    """Whether the request was sent without a picture."""


@dataclass(frozen=True)
class NewPage:
    """What annotate_new.html shows."""

    heading: str
    runs: Sequence[tuple[str, str, str, str]]
    """Names, labels, data, and how many answers with a text each has, in words."""
    n_items: int
    """In the queue."""
    values: Mapping[str, str]
    """What the fields of the form hold."""
    chosen: Sequence[str]
    fault: str


@router.get("")
def annotate_page(request: Request, item: ChosenText = None, ahead: ChosenText = None) -> Response:
    """The next answer, or one that they labelled before; else why there is none: no answers, no name, all done."""
    desk = desk_of(request)
    if desk.annotator(request) is None and desk.label is None and not desk.store.items():
        return new_page(request)

    def pictures(next_item: Item) -> ItemPictures:
        return pictures_of(shelf_of(request), next_item)

    return work_page(request, desk, "annotate.html", item, ahead, pictures, _kind_in_words)


@router.get("/new")
def choose_page(request: Request) -> Response:
    return new_page(request)


def new_page(request: Request, *, form: FormData | None = None, fault: str = "") -> Response:
    """The form that chooses the answers to label; after a fault, `form` has what was chosen."""
    desk = desk_of(request)
    runs = [run for run in shelf_of(request).runs() if run.n_texts]
    values = {"n": "20", "double": "50", "raters": "2", "people": "", "seed": "1", "side": ""}
    chosen = [run.name for run in runs]
    if form is not None:
        for name in values.keys() & form.keys():
            values[name] = str(form[name])
        chosen = [str(name) for name in form.getlist("run")]
    n_items = len(desk.store.items())
    content = NewPage(
        heading=queue_heading(n_items),
        runs=[(run.name, run.label, run.info.dataset.name, n_answers(run.n_texts)) for run in runs if run.info],
        n_items=n_items,
        values=values,
        chosen=chosen,
        fault=fault,
    )
    return desk_page(request, desk, "annotate_new.html", content, status=400 if fault else 200)


def _add_answers(request: Request, desk: Desk, form: FormData) -> Response:
    fault = _add_to_queue(request, form)
    if fault:
        return wait_until_read(lambda: new_page(request, form=form, fault=fault))
    return redirect("/annotate")


takes_forms(router, "/new", desk_of, _add_answers)


def _add_to_queue(request: Request, form: FormData) -> str:
    """Adds the chosen answers to the queue; returns why that is not possible, or nothing."""
    shelf = shelf_of(request)
    names = [str(name) for name in form.getlist("run")]
    try:
        n = int(str(form.get("n", "")))
        double = int(str(form.get("double", "")))
        raters = int(str(form.get("raters", "2")))
        seed = int(str(form.get("seed", "")))
    except ValueError:
        return "Answers per run, share, people per answer and seed must be whole numbers, such as 20."
    if n < 1 or not 0 <= double <= 100:
        return f"Answers per run is {n}, labelled by several is {double} %: give at least 1 answer, and 0 to 100 %."
    people = [name.strip() for name in str(form.get("people", "")).split(",") if name.strip()]
    if not names:
        return "No run is chosen. Choose at least one."
    side = as_side(str(form["side"])) if form.get("side") else None
    runs = wait_until_read(lambda: [shelf.run(name) for name in names])
    results = [run.results for run in runs if run.results is not None]
    items = list(answer_items(results, n=n, seed=seed, side=side))
    if not items:
        return "Nothing was added: the chosen runs have no answer with a text on this side. Choose another run or side."
    try:
        n_added = desk_of(request).store.add_items(items, double=double / 100, seed=seed, raters=raters, people=people)
    except UsageError as error:
        return f"{error.message.text}. Nothing was added."
    if n_added:
        return ""
    return "Nothing was added: all of these answers are in the queue already. Choose more answers or another seed."


@router.get("/picture/{ref}")
def picture(request: Request, ref: str, at: int = 0, size: Size = 1024) -> Response:
    """A picture of an item, at an address that says nothing about its model or sample."""
    check_may_see(request, desk_of(request), ref)
    item = desk_of(request).store.item(ref)
    # An image that only has to be waited for must not look like one that cannot be shown.
    dataset = wait_until_read(lambda: dataset_of(shelf_of(request), item))
    if dataset is None:
        raise UsageError("no image: the dataset is not installed or has changed since the run", code=Code.NOT_FOUND)
    sample = dataset.sample(item.body["side"], item.body["sample"])
    return picture_response(
        request, dataset, sample, size, choice=item.body["shown"], at=at, cache="private, max-age=3600"
    )


@router.get("/export")
@router.get("/export/{run}")
def export(request: Request, run: str | None = None) -> Response:
    """The settled labels of one run, or of all, as JSON lines, for `judge validate` and the judge `human`."""
    store = desk_of(request).store
    rows = export_labels(run, store.items(), store.labels(), store.decisions())
    if not rows:
        raise UsageError(f"no labels for a run named {run!r}" if run else "no labels yet", code=Code.NOT_FOUND)
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return download(lines, f"labels.{slug(run or 'all')}.jsonl", "application/jsonl; charset=utf-8")


def dataset_of(shelf: Shelf, item: Item) -> Dataset | None:
    """The dataset that the item was asked from, if it is installed and unchanged."""
    hashes: Mapping[str, str] = item.body["hashes"]
    if not hashes:
        return None
    for data in shelf.data():
        dataset = data.dataset
        if dataset and all(dataset.hashes.get(Side(side)) == digest for side, digest in hashes.items()):
            return dataset
    return None


def pictures_of(shelf: Shelf, item: Item) -> ItemPictures:
    dataset = dataset_of(shelf, item)
    choice = item.body.get("shown", "none")
    n_pictures = 0
    if dataset is not None:
        sample = dataset.sample(item.body["side"], item.body["sample"])
        n_pictures = Arm(name=choice, picture=choice).n_pictures(sample)
    return ItemPictures(n_pictures, is_text_only=choice == "none")
