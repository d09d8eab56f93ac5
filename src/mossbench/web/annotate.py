"""Annotate: a queue of answers, one key a label, blind to model and judge."""

import json
from typing import Any

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from mossbench.annotation.answers import answer_items, export_labels, read_kind
from mossbench.annotation.store import Item
from mossbench.datasets import Dataset
from mossbench.datasets.arms import Arm
from mossbench.datasets.dataset import as_side
from mossbench.errors import Code, UsageError
from mossbench.plumbing.storage import slug
from mossbench.samples import Side
from mossbench.web import desks
from mossbench.web.desks import Desk, desk_page
from mossbench.web.pages import ChosenText, download, shelf_of
from mossbench.web.pictures import Size, picture_response
from mossbench.web.security import redirect
from mossbench.web.shelf import Shelf, patiently

router = APIRouter(prefix="/annotate")


def desk_of(request: Request) -> Desk:
    desk: Desk = request.app.state.desks.annotate
    return desk


desks.seat_routes(router, desk_of, lambda form: read_kind(str(form.get("kind", ""))))


@router.get("")
def annotate_page(request: Request, item: ChosenText = None) -> Response:
    """The next answer, or one that they labelled before; or what stands in the way: no answers, no name, all done."""
    desk = desk_of(request)
    if desk.annotator(request) is None and not desk.store.items():
        return new_page(request)

    def about(shown: Item) -> dict[str, Any]:
        return {"n_pictures": n_pictures(shelf_of(request), shown), "alone": shown.body.get("shown") == "none"}

    return desks.work_page(request, desk, "annotate.html", item, about, lambda value: str(value["kind"]).capitalize())


@router.get("/new")
def choose_page(request: Request) -> Response:
    return new_page(request)


def new_page(request: Request, *, given: FormData | None = None, fault: str = "") -> Response:
    """Chooses the answers to label; after a fault with what was chosen."""
    runs = [run for run in shelf_of(request).runs() if run.n_texts]
    n = len(desk_of(request).store.items())
    rows = [(run.name, run.label, run.info.dataset.name, run.n_texts) for run in runs if run.info]
    numbers = {"n": "20", "double": "50", "seed": "1", "side": ""}
    values = {name: str(given[name]) if given and name in given else number for name, number in numbers.items()}
    chosen = given.getlist("run") if given is not None else [run.name for run in runs]
    shown = {"runs": rows, "n_items": n, "values": values, "chosen": chosen, "fault": fault}
    return desk_page(request, desk_of(request), "annotate_new.html", status=400 if fault else 200, **shown)


def _add_answers(request: Request, desk: Desk, form: FormData) -> Response:
    if fault := _add(request, form):
        return patiently(lambda: new_page(request, given=form, fault=fault))
    return redirect("/annotate")


desks.takes_forms(router, "/new", desk_of, _add_answers)


def _add(request: Request, form: FormData) -> str:
    """Puts what was chosen into the queue; why it cannot be, or empty."""
    shelf, names = shelf_of(request), [str(name) for name in form.getlist("run")]
    try:
        n, double, seed = (int(str(form.get(name, ""))) for name in ("n", "double", "seed"))
    except ValueError:
        return "Answers per run, share and seed must be whole numbers, such as 20."
    if n < 1 or not 0 <= double <= 100:
        return f"Answers per run is {n}, labelled twice is {double} %: give at least 1 answer, and 0 to 100 %."
    if not names:
        return "No run is chosen. Choose at least one."
    side = as_side(str(form["side"])) if form.get("side") else None
    found = patiently(lambda: [shelf.run(name) for name in names])
    items = list(answer_items([run.results for run in found if run.results is not None], n=n, seed=seed, side=side))
    if not items:
        return "Nothing was added: the chosen runs have no answer with a text on this side. Choose another run or side."
    if desk_of(request).store.add_items(items, double=double / 100, seed=seed):
        return ""
    return "Nothing was added: all of these answers are in the queue already. Choose more answers or another seed."


@router.get("/picture/{ref}")
def picture(request: Request, ref: str, at: int = 0, size: Size = 1024) -> Response:
    """A picture of an item, by an address that tells nothing about it."""
    desks.check_may_see(request, desk_of(request), ref)
    item = desk_of(request).store.item(ref)
    # An image that only has to be waited for must not look like one that cannot be shown.
    dataset = patiently(lambda: dataset_of(shelf_of(request), item))
    if dataset is None:
        raise UsageError("no image: the dataset is not installed or has changed since the run", code=Code.NOT_FOUND)
    sample = dataset.sample(item.body["side"], item.body["sample"])
    choice, cache = item.body["shown"], "private, max-age=3600"
    return picture_response(request, dataset, sample, size, choice=choice, at=at, cache=cache)


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
    """The dataset that the item was asked from, where it is here unchanged."""
    hashes = item.body["hashes"]
    known = (data.dataset for data in shelf.data() if data.dataset is not None)
    fits = (d for d in known if hashes and all(d.hashes.get(Side(s)) == h for s, h in hashes.items()))
    return next(fits, None)


def n_pictures(shelf: Shelf, item: Item) -> int:
    dataset, choice = dataset_of(shelf, item), item.body.get("shown", "none")
    if dataset is None:
        return 0
    return Arm(name=choice, picture=choice).n_pictures(dataset.sample(item.body["side"], item.body["sample"]))
