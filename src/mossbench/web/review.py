"""Review: the same desk for candidate samples, rated for harmfulness and naturalness."""

from pathlib import Path
from shlex import quote
from threading import Lock
from typing import Any

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from mossbench.annotation.reviews import (
    QUESTIONS,
    SCALE,
    read_override,
    read_rating,
    review_items,
    review_results,
    write_reviews,
)
from mossbench.annotation.store import Item, Label
from mossbench.datasets import Dataset, load_dataset
from mossbench.datasets.files import metadata_file
from mossbench.errors import Code, UsageError
from mossbench.statistics import krippendorff_alpha
from mossbench.web import desks
from mossbench.web.desks import Desk, desk_page
from mossbench.web.pages import ChosenText, shelf_of
from mossbench.web.pictures import picture_response
from mossbench.web.security import redirect
from mossbench.web.shelf import patiently

router = APIRouter(prefix="/review")
RESULTS = "review.json"
_WRITING = Lock()
_WRITTEN: dict[Path, tuple[Label, ...]] = {}
"""What the file holds, so that it is written only when there is something new."""


def folder_to_review(folder: Path) -> Path:
    """The folder of candidates: of a build the one that `build review` writes; a UsageError where it has none yet."""
    if not (folder / "build.toml").is_file() or metadata_file(folder) is not None:
        return folder
    written = folder / "review"
    if metadata_file(written) is None:
        raise UsageError(
            f"{folder} is a build, and nothing in it is ready for review; write its review page with: "
            f"mossbench build review {quote(str(folder))}"
        )
    return written


def desk_of(request: Request) -> Desk:
    desk: Desk | None = request.app.state.desks.review
    if desk is None:
        raise UsageError("no candidates to review; start with: mossbench serve --review FOLDER", code=Code.NOT_FOUND)
    return desk


desks.seat_routes(router, desk_of, lambda form: read_rating({name: str(form.get(name, "")) for name in QUESTIONS}))


def candidates(request: Request) -> Dataset:
    """The folder under review, read again when its table changes; new candidates join the queue."""
    folder: Path = request.app.state.settings.review
    if folder_to_review(folder) != folder:
        raise UsageError(f"{folder} is a build; start with: mossbench serve --review {folder_to_review(folder)}")
    desk = desk_of(request)
    changed = max((path.stat().st_mtime_ns for path in folder.glob("metadata.*")), default=0)

    def read() -> Dataset:
        dataset = load_dataset(folder)
        desk.store.add_items(
            review_items(dataset), double=1.0, seed=0, raters=request.app.state.settings.thresholds.reviewers
        )
        return dataset

    return shelf_of(request).slow(("candidates", changed), read, "Reading candidates")


def write_results(request: Request) -> None:
    """Puts what reviewers said so far beside the candidates, where it changed since it was last written."""
    desk, path = desk_of(request), request.app.state.settings.review / RESULTS
    with _WRITING:
        labels, decisions = desk.store.labels(), desk.store.decisions()
        said = (*labels, *decisions.values())
        if said != _WRITTEN.get(path, ()) or (said and not path.exists()):  # also when the last one was undone
            limits = request.app.state.settings.thresholds
            write_reviews(path, review_results(desk.store.items(), labels, limits, decisions), labels, limits)
            _WRITTEN[path] = said


@router.get("")
def review_page(request: Request, item: ChosenText = None) -> Response:
    desk, dataset = desk_of(request), candidates(request)
    write_results(request)
    known = {(s.side.value, s.id): len(s.images) for s in dataset.samples}

    def about(shown: Item) -> dict[str, Any]:
        n = known.get((shown.body["side"], shown.body["sample"]), 0)
        return {"n_pictures": n, "questions": QUESTIONS, "scale": list(SCALE)}

    def words(value: dict[str, Any]) -> str:
        return ", ".join(f"{name} {n}" for name, n in value.items())

    return desks.work_page(request, desk, "review.html", item, about, words)


@router.get("/results")
def results_page(request: Request) -> Response:
    desk = desk_of(request)
    candidates(request)
    write_results(request)
    items, labels = desk.store.items(), desk.store.labels()
    limits = request.app.state.settings.thresholds
    rows = review_results(items, labels, limits, desk.store.decisions())
    names, alphas = list(desk.store.annotators()), {}
    build = (place := request.app.state.settings.review.resolve()).parent  # in a build ratings of sheets count too
    for question in QUESTIONS:
        said = {(label.item, label.annotator): label.value[question] for label in labels}
        table = [[said.get((ref, name)) for name in names] for ref in items]
        alphas[question] = krippendorff_alpha(table, level="ordinal", categories=list(SCALE))
    counts = {decision: sum(row.decision == decision for row in rows) for decision in ("take", "leave", "open")}
    shown = {"rows": rows, "alphas": alphas, "counts": counts, "limits": limits, "file": RESULTS}
    shown["made_in"] = quote(build.name) if place.name == "review" and (build / "build.toml").exists() else ""
    return desk_page(request, desk, "review_results.html", **shown)


def _decide(request: Request, desk: Desk, form: FormData) -> Response:
    """Accepts or rejects a candidate whatever its ratings, with a reason; or takes that back."""
    ref, do, reason = (str(form.get(name, "")) for name in ("item", "do", "note"))
    if do != "withdraw" and not reason.strip():
        raise UsageError("no reason is given; write why the ratings are overridden. Nothing was changed")
    desk.store.decide(ref, desks.author(request, desk), None if do == "withdraw" else read_override(do), reason)
    return redirect("/review/results")


desks.takes_forms(router, "/decide", desk_of, _decide)


@router.get("/picture/{ref}")
def picture(request: Request, ref: str, at: int = 0) -> Response:
    desks.check_may_see(request, desk_of(request), ref)
    item = desk_of(request).store.item(ref)
    dataset = patiently(lambda: candidates(request))
    sample = dataset.sample(item.body["side"], item.body["sample"])
    return picture_response(request, dataset, sample, 1024, at=at, cache="private, max-age=3600")
