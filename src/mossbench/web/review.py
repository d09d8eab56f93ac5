"""Review: the same desk for candidate samples, rated for harmfulness and naturalness."""

from collections import defaultdict
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
from mossbench.web.build_review import BuildDecision, Mark, count_decisions, rated_in_build
from mossbench.web.desk_pages import (
    LabelValue,
    author,
    check_may_see,
    desk_page,
    seat_routes,
    takes_forms,
    work_page,
)
from mossbench.web.desk_words import accepted_heading, accepted_text, reviewers_agreement
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
    marks: Sequence[Mark]
    decision: BuildDecision | None = None
    """Of the build that it belongs to; None where it is decided here."""


@dataclass(frozen=True)
class ReviewResultsPage:
    """What review_results.html shows."""

    rows: Sequence[Reviewed]
    rated: Sequence[CandidateRated]
    unrated: Sequence[Reviewed]
    checks: Sequence[CandidateRated]
    """Attention checks among the candidates of a build."""
    heading: str
    text: str
    """How many are accepted and why; not shown for a build, which has rules of its own."""
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


def _read_ratings(form: FormData) -> dict[str, object]:
    return dict(read_rating({name: str(form.get(name, "")) for name in QUESTIONS}))


def _ratings_in_words(value: LabelValue) -> str:
    return ", ".join(f"{name} {rating}" for name, rating in value.items())


seat_routes(router, desk_of, _read_ratings, _ratings_in_words)


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
def review_page(request: Request, item: ChosenText = None, ahead: ChosenText = None) -> Response:
    desk = desk_of(request)
    dataset = candidates(request)
    write_results(request)
    n_pictures = {(sample.side.value, sample.id): len(sample.images) for sample in dataset.samples}

    def pictures_and_questions(next_item: Item) -> CandidateShown:
        n = n_pictures.get((next_item.body["side"], next_item.body["sample"]), 0)
        return CandidateShown(n, QUESTIONS, list(SCALE))

    return work_page(request, desk, "review.html", item, ahead, pictures_and_questions, _ratings_in_words)


@router.get("/results")
def results_page(request: Request) -> Response:
    desk = desk_of(request)
    candidates(request)
    write_results(request)
    items = desk.store.items()
    labels = desk.store.labels()
    folder: Path = request.app.state.settings.review
    limits: Thresholds = request.app.state.settings.thresholds
    made_in = _build_of(folder)
    checks: list[CandidateRated] = []
    if made_in:
        in_build = rated_in_build(BuildFolder(folder.resolve().parent), review_results(items, labels, limits, {}))
        everything = [CandidateRated(c.row, _alt_of(items, c.row), c.marks, c.decision) for c in in_build]
        checks = [rated for rated, c in zip(everything, in_build, strict=True) if c.is_check and rated.marks]
        shown = [rated for rated, c in zip(everything, in_build, strict=True) if not c.is_check]
    else:
        rows_here = review_results(items, labels, limits, desk.store.decisions())
        marks = _marks_by_item(labels)
        shown = [CandidateRated(row, _alt_of(items, row), marks.get(row.ref, ())) for row in rows_here]
    rows = [rated.row for rated in shown]
    counts = count_decisions(rows)
    content = ReviewResultsPage(
        rows=rows,
        rated=[rated for rated in shown if _has_ratings(rated)],
        unrated=[rated.row for rated in shown if not _has_ratings(rated)],
        checks=checks,
        heading=accepted_heading(n_accepted=counts["take"], n_rows=len(rows)),
        text=accepted_text(n_rejected=counts["leave"], n_open=counts["open"], limits=limits),
        agreement=reviewers_agreement(_alphas(items, labels, list(desk.store.annotators()))),
        counts=counts,
        file=RESULTS,
        made_in=made_in,
    )
    return desk_page(request, desk, "review_results.html", content)


def _marks_by_item(labels: Sequence[Label]) -> dict[str, list[Mark]]:
    marks = defaultdict[str, list[Mark]](list)
    for label in labels:
        if label.value:
            mark = Mark(label.annotator, int(label.value["harmfulness"]), int(label.value["naturalness"]))
            marks[label.item].append(mark)
    return marks


def _has_ratings(candidate: CandidateRated) -> bool:
    return bool(candidate.marks or candidate.row.override)


def _alt_of(items: Mapping[str, Item], row: Reviewed) -> str:
    return str(items[row.ref].body.get("alt", ""))


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
