"""Review: the same desk for candidate samples, rated for harmfulness and naturalness."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from threading import Lock

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from mossbench.annotation.reviews import (
    QUESTIONS,
    SCALE,
    Reviewed,
    Thresholds,
    read_override,
    read_rating,
    review_items,
    review_results,
    write_reviews,
)
from mossbench.annotation.store import Item, Label
from mossbench.building.folder import BuildFolder
from mossbench.datasets import Dataset, load_dataset
from mossbench.datasets.files import metadata_file
from mossbench.errors import Code, UsageError
from mossbench.statistics import Estimate, krippendorff_alpha
from mossbench.web.desk_pages import (
    LabelValue,
    author,
    check_may_see,
    desk_page,
    seat_routes,
    takes_forms,
    work_page,
)
from mossbench.web.desk_words import accepted_heading, accepted_text, ratings_heading, reviewers_agreement
from mossbench.web.desks import Desk
from mossbench.web.pages import ChosenText, shelf_of
from mossbench.web.pictures import picture_response
from mossbench.web.security import redirect
from mossbench.web.shelf import wait_until_read

router = APIRouter(prefix="/review")
RESULTS = "review.json"
_WRITING = Lock()
_WRITTEN: dict[Path, tuple[Label, ...]] = {}
"""The labels and decisions in each file, so that it is written only when there is something new."""


@dataclass(frozen=True)
class CandidateShown:
    """What review.html shows of a candidate besides its item."""

    n_pictures: int
    questions: Mapping[str, tuple[str, str, str]]
    """Each with what its lowest and highest ratings mean."""
    scale: Sequence[int]


@dataclass(frozen=True)
class CandidateRated:
    """A candidate with what each rater said of it."""

    row: Reviewed
    alt: str
    marks: Sequence[tuple[str, LabelValue]]
    """Raters and their ratings."""


@dataclass(frozen=True)
class ReviewResultsPage:
    """What review_results.html shows."""

    rows: Sequence[Reviewed]
    rated: Sequence[CandidateRated]
    checks: Sequence[CandidateRated]
    """Attention checks among the candidates of a build."""
    heading: str
    text: str
    """How many are accepted and why; not shown for a build, where ratings in sheets count too."""
    agreement: str
    """Of the reviewers."""
    counts: Mapping[str, int]
    """Number of candidates by decision."""
    file: str
    made_in: str
    """The build that the candidates belong to, as commands name it; empty where there is none."""


def folder_to_review(folder: Path) -> Path:
    """The folder with the candidates; for a build the one that `build review` writes, or a UsageError."""
    is_build = (folder / "build.toml").is_file() and metadata_file(folder) is None
    if not is_build:
        return folder
    review_folder = folder / "review"
    if metadata_file(review_folder) is None:
        raise UsageError(
            f"{folder} is a build, and nothing in it is ready for review; write its review page with: "
            f"mossbench build review {quote(str(folder))}"
        )
    return review_folder


def desk_of(request: Request) -> Desk:
    desk: Desk | None = request.app.state.desks.review
    if desk is None:
        raise UsageError("no candidates to review; start with: mossbench serve --review FOLDER", code=Code.NOT_FOUND)
    return desk


seat_routes(router, desk_of, lambda form: read_rating({name: str(form.get(name, "")) for name in QUESTIONS}))


def candidates(request: Request) -> Dataset:
    """The candidates to review, read again when their table changes; new candidates are added to the queue."""
    folder: Path = request.app.state.settings.review
    limits: Thresholds = request.app.state.settings.thresholds
    if folder_to_review(folder) != folder:
        raise UsageError(f"{folder} is a build; start with: mossbench serve --review {folder_to_review(folder)}")
    desk = desk_of(request)
    changed = max((path.stat().st_mtime_ns for path in folder.glob("metadata.*")), default=0)

    def read() -> Dataset:
        dataset = load_dataset(folder)
        desk.store.add_items(review_items(dataset), double=1.0, seed=0, raters=limits.reviewers)
        return dataset

    return shelf_of(request).compute_once(("candidates", changed), read, "Reading candidates")


def write_results(request: Request) -> None:
    """Writes all ratings and decisions beside the candidates, if they changed since the last time."""
    desk = desk_of(request)
    path: Path = request.app.state.settings.review / RESULTS
    with _WRITING:
        labels = desk.store.labels()
        decisions = desk.store.decisions()
        everything = (*labels, *decisions.values())
        is_lost = bool(everything) and not path.exists()
        if everything != _WRITTEN.get(path, ()) or is_lost:  # also when the last one was undone
            limits = request.app.state.settings.thresholds
            write_reviews(path, review_results(desk.store.items(), labels, limits, decisions), labels, limits)
            _WRITTEN[path] = everything


@router.get("")
def review_page(request: Request, item: ChosenText = None) -> Response:
    desk = desk_of(request)
    dataset = candidates(request)
    write_results(request)
    n_pictures = {(sample.side.value, sample.id): len(sample.images) for sample in dataset.samples}

    def pictures_and_questions(next_item: Item) -> CandidateShown:
        n = n_pictures.get((next_item.body["side"], next_item.body["sample"]), 0)
        return CandidateShown(n, QUESTIONS, list(SCALE))

    def ratings_in_words(value: LabelValue) -> str:
        return ", ".join(f"{name} {rating}" for name, rating in value.items())

    return work_page(request, desk, "review.html", item, pictures_and_questions, ratings_in_words)


@router.get("/results")
def results_page(request: Request) -> Response:
    desk = desk_of(request)
    candidates(request)
    write_results(request)
    items = desk.store.items()
    labels = desk.store.labels()
    limits: Thresholds = request.app.state.settings.thresholds
    rows = review_results(items, labels, limits, desk.store.decisions())
    made_in = _build_of(request.app.state.settings.review)
    counts = {decision: sum(row.decision == decision for row in rows) for decision in ("take", "leave", "open")}
    check_requests = _check_requests(request.app.state.settings.review) if made_in else set[str]()
    real_rows = [row for row in rows if row.question not in check_requests]
    if made_in:
        n_full = sum(row.n >= limits.reviewers for row in real_rows)
        heading = ratings_heading(n_full=n_full, n_rows=len(real_rows), limits=limits)
    else:
        heading = accepted_heading(n_accepted=counts["take"], n_rows=len(rows))
    candidates_rated = _with_marks(rows, items, labels)
    content = ReviewResultsPage(
        rows=real_rows,
        rated=[rated for rated in candidates_rated if rated.row.question not in check_requests],
        checks=[rated for rated in candidates_rated if rated.row.question in check_requests],
        heading=heading,
        text=accepted_text(n_rejected=counts["leave"], n_open=counts["open"], limits=limits),
        agreement=reviewers_agreement(_alphas(items, labels, list(desk.store.annotators()))),
        counts=counts,
        file=RESULTS,
        made_in=made_in,
    )
    return desk_page(request, desk, "review_results.html", content)


def _with_marks(rows: Sequence[Reviewed], items: Mapping[str, Item], labels: Sequence[Label]) -> list[CandidateRated]:
    """The candidates that somebody rated or decided on, with the ratings of each."""
    marks: dict[str, list[tuple[str, LabelValue]]] = {}
    for label in labels:
        if label.value:
            marks.setdefault(label.item, []).append((label.annotator, label.value))
    candidates_rated = []
    for row in rows:
        if row.n or row.override:
            alt = str(items[row.ref].body.get("alt", ""))
            candidates_rated.append(CandidateRated(row, alt, marks.get(row.ref, ())))
    return candidates_rated


def _check_requests(folder: Path) -> set[str]:
    """The requests of the attention checks of the build that the candidates belong to."""
    return {check.request for check in BuildFolder(folder.resolve().parent).gold().values() if check.request}


def _alphas(items: Collection[str], labels: Sequence[Label], people: Sequence[str]) -> dict[str, Estimate]:
    """How far reviewers agree on each question."""
    alphas = {}
    for question in QUESTIONS:
        ratings = {(label.item, label.annotator): label.value[question] for label in labels}
        table = [[ratings.get((ref, name)) for name in people] for ref in items]
        alphas[question] = krippendorff_alpha(table, level="ordinal", categories=list(SCALE))
    return alphas


def _build_of(folder: Path) -> str:
    """The build that the candidates belong to, as commands name it; empty where there is none."""
    folder = folder.resolve()
    build = folder.parent
    is_of_build = folder.name == "review" and (build / "build.toml").exists()
    return quote(build.name) if is_of_build else ""


def _decide(request: Request, desk: Desk, form: FormData) -> Response:
    """Accepts or rejects a candidate against its ratings, with a reason; or takes such a decision back."""
    ref = str(form.get("item", ""))
    action = str(form.get("do", ""))
    reason = str(form.get("note", ""))
    decision = None
    if action != "withdraw":
        if not reason.strip():
            raise UsageError("no reason is given; write why the ratings are overridden. Nothing was changed")
        decision = read_override(action)
    desk.store.decide(ref, author(request, desk), decision, reason)
    return redirect("/review/results")


takes_forms(router, "/decide", desk_of, _decide)


@router.get("/picture/{ref}")
def picture(request: Request, ref: str, at: int = 0) -> Response:
    check_may_see(request, desk_of(request), ref)
    item = desk_of(request).store.item(ref)
    dataset = wait_until_read(lambda: candidates(request))
    sample = dataset.sample(item.body["side"], item.body["sample"])
    return picture_response(request, dataset, sample, 1024, at=at, cache="private, max-age=3600")
