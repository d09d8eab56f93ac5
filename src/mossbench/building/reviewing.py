"""People's ratings: out as a CSV sheet or as the folder of the review page, and in again; decisions over them.

What reviewers see has opaque names, so that nobody can tell an attention check by its id. Nothing is read in from a
sheet with a wrong line, and nothing that was read in is changed: who rates again adds a line.
"""

import hashlib
import os
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from mossbench.annotation.store import Store
from mossbench.building.candidate_states import standings
from mossbench.building.candidates import Candidate, Decision, Gold, Rating, State
from mossbench.building.folder import AnyBuild, BuildFolder, BuildSettings, list_candidates, open_build
from mossbench.building.rating import SCALE, latest_ratings, reviewer_key
from mossbench.errors import UsageError
from mossbench.images.retouching import blank
from mossbench.plumbing import spreadsheets
from mossbench.plumbing.storage import write_atomically
from mossbench.plumbing.untrusted_files import read_file
from mossbench.samples import Sample
from mossbench.ways_out import Command

COLUMNS = ("item", "request", "image", "harmfulness", "naturalness", "note", "reviewer")
_SCALES = COLUMNS[3:5]
_CHECKS_EACH = 20
"""Candidates for each attention check; there are two at least."""
_OPEN = (State.SCREENED, State.REVIEWED, State.DISPUTED)
_RATED = (*_OPEN, State.ACCEPTED)
_STATES_TO_DECIDE = {
    "accept": (*_RATED, State.REJECTED, State.RETIRED),
    "reject": (*_RATED, State.IMAGED, State.PROPOSED),
}
"""Decision -> the states in which a candidate can have it; what was released can be retired in any state."""


@dataclass(frozen=True)
class ReviewItem:
    """What a reviewer sees, and which candidate or check it is."""

    item: str
    candidate: str
    request: str
    scene: str
    digest: str


@dataclass(frozen=True)
class ReadIn:
    """What became of a sheet, or of the review page's ratings."""

    new: int = 0
    changed: int = 0
    """Of candidates that the reviewer had rated otherwise before."""
    same: int = 0
    empty: int = 0
    half: tuple[int, ...] = ()
    """Lines with one rating of two; they are not read in."""
    stale: tuple[int, ...] = ()
    """Lines about words or images that were changed since the sheet was written; they are not read in either."""


def review_items(folder: BuildFolder, *, all_with_image: bool = False) -> list[ReviewItem]:
    """The candidates to rate, with attention checks among them, mixed by the seed of the build.

    Rated candidates stay among them, and with `all_with_image` all that have an image: sheets come back late.
    """
    settings = folder.settings()
    candidates = _candidates_to_rate(folder, all_with_image=all_with_image)
    if candidates and not folder.gold():
        n_checks = max(2, len(candidates) // _CHECKS_EACH)
        folder.append("gold", (_check(number) for number in range(1, n_checks + 1)))
    items = []
    for candidate in candidates:
        digest = folder.digest(candidate)
        name = _item_name(settings, candidate.id, digest)
        items.append(ReviewItem(name, candidate.id, candidate.request, candidate.scene, digest))
    if candidates:
        for check in folder.gold().values():
            if check.request:
                name = _item_name(settings, check.candidate, "")
                items.append(ReviewItem(name, check.candidate, check.request, "A grey field.", ""))
    random.Random(settings.seed).shuffle(items)
    return items


def _candidates_to_rate(folder: BuildFolder, *, all_with_image: bool) -> list[Candidate]:
    candidates = []
    for standing in standings(folder):
        has_image = folder.image_path(standing.candidate.id).exists()
        if standing.state in _RATED or standing.n_ratings or (all_with_image and has_image):
            candidates.append(standing.candidate)
    return candidates


def _item_name(settings: BuildSettings, id: str, digest: str) -> str:
    """A name that other words or another image would not have: what was said of those is not read in."""
    digest_of_name = hashlib.sha256(f"{settings.name} {settings.seed} {id} {digest}".encode()).hexdigest()
    return f"i{digest_of_name[:8]}"


def _check(number: int) -> Gold:
    harm, natural = ((5, 1), (1, 5), (4, 2), (2, 4))[number % 4]
    request = (
        f"This line checks that requests are read: please choose {harm} for harmfulness and {natural} for naturalness."
    )
    return Gold(candidate=f"check-{number}", request=request, harmfulness=(harm, harm), naturalness=(natural, natural))


def write_review_page(folder: AnyBuild) -> Path:
    """The folder that `mossbench serve --review` shows; what people said there stays."""
    folder = open_build(folder)
    page = folder.path / "review"
    lines = []
    with folder.held():
        for item in review_items(folder):
            image = f"images/{item.item}.png"
            write_atomically(page / image, read_file(folder.image_path(item.candidate)) if item.digest else blank())
            sample = Sample(id=item.item, question=item.request, image=image, short_description=item.scene)
            lines.append(sample.model_dump_json(exclude_defaults=True) + "\n")
        if not lines:
            screen = Command(f"mossbench build screen {quote(str(folder.path))}", to="screen candidates first")
            raise UsageError(f"{folder.path} has no candidate to review", way_out=screen)
        table = page / "metadata.jsonl"
        text = "".join(lines)
        if not table.exists() or table.read_text("utf-8") != text:
            write_atomically(table, text)
    return page


def write_review_sheet(folder: AnyBuild, out: str | Path, *, image_base: str = "") -> int:
    """How many lines the new sheet has. `image_base` is the address that images were uploaded under."""
    folder = open_build(folder)
    out = Path(out)
    if out.suffix.lower() != ".csv":
        raise UsageError(f"{out.name!r} is not a valid sheet name: it must end in .csv")
    images = write_review_page(folder) / "images"
    base = image_base.rstrip("/") or os.path.relpath(images, out.parent)
    rows = [[item.item, item.request, f"{base}/{item.item}.png", "", "", "", ""] for item in review_items(folder)]
    spreadsheets.write_sheet(out, COLUMNS, rows)
    return len(rows)


def read_review_sheet(folder: AnyBuild, path: str | Path, *, reviewer: str = "") -> ReadIn:
    """Reads a filled sheet in: all of its whole lines about what is still the same, or nothing where a line is wrong.

    `reviewer` filled it in, where its lines do not say so.
    """
    folder = open_build(folder)
    path = Path(path)
    reading = _SheetReading(_items_by_name(folder), _items_shown_before(folder), reviewer)
    for number, cells in spreadsheets.read_sheet(path, COLUMNS, ("item", *_SCALES)):
        reading.read_line(number, cells)
    spreadsheets.refuse(path, reading.faults)
    with folder.held():
        added = _append(folder, [line.rating for line in reading.lines.values()])
    return replace(added, empty=reading.n_empty, half=tuple(reading.half), stale=tuple(reading.stale))


def _items_by_name(folder: BuildFolder) -> dict[str, ReviewItem]:
    return {item.item: item for item in review_items(folder, all_with_image=True)}


def _items_shown_before(folder: BuildFolder) -> set[str]:
    """The names of all items that reviewers were ever shown."""
    return {image.stem for image in (folder.path / "review" / "images").glob("*.png")}


class _RatedLine(NamedTuple):
    rating: Rating
    number: int
    """Of the line in its sheet."""


@dataclass
class _SheetReading:
    """What has been read of a sheet so far."""

    items: dict[str, ReviewItem]
    shown_before: set[str]
    reviewer: str
    """Who filled it in, where its lines do not say so."""
    lines: dict[tuple[str, str], _RatedLine] = field(default_factory=dict)
    """(candidate, key of a reviewer) -> the first line about them."""
    faults: list[str] = field(default_factory=list)
    half: list[int] = field(default_factory=list)
    stale: list[int] = field(default_factory=list)
    n_empty: int = 0

    def read_line(self, number: int, cells: dict[str, str]) -> None:
        harmfulness = cells["harmfulness"]
        naturalness = cells["naturalness"]
        if not harmfulness and not naturalness:
            self.n_empty += 1
        elif not harmfulness or not naturalness:
            self.half.append(number)
        elif cells["item"] in self.shown_before and cells["item"] not in self.items:
            self.stale.append(number)
        else:
            self._read_rating(number, cells)

    def _read_rating(self, number: int, cells: dict[str, str]) -> None:
        fault = _line_fault(cells, self.items, self.reviewer)
        if fault:
            self.faults.append(f"line {number}: {fault}")
            return
        item = self.items[cells["item"]]
        rating = Rating(
            candidate=item.candidate,
            reviewer=" ".join((cells.get("reviewer") or self.reviewer).split()),
            harmfulness=int(_number(cells["harmfulness"])),
            naturalness=int(_number(cells["naturalness"])),
            note=cells.get("note", ""),
            source="sheet",
            digest=item.digest,
        )
        first = self.lines.setdefault(_rating_key(rating), _RatedLine(rating, number))
        if _rating_content(first.rating) != _rating_content(rating):
            self.faults.append(
                f"line {number}: {rating.reviewer!r} rated this differently on line {first.number}; keep one of them"
            )


def _number(text: str) -> str:
    return re.sub(r"[.,]0+$", "", text)  # spreadsheets make 4 to 4.0, or to 4,0


def _line_fault(cells: dict[str, str], items: dict[str, ReviewItem], reviewer: str) -> str:
    """What is wrong with a line that has both ratings; empty: nothing."""
    name = cells["item"]
    item = items.get(name)
    if item is None:
        return f"no item {name[:40]!r} in this build; was the sheet written for another, or the line edited?"
    if "request" in cells and cells["request"].split() != spreadsheets.uncell(item.request).split():
        return f"the request is not that of {name}; was the line edited?"
    for scale in _SCALES:
        if _number(cells[scale]) not in map(str, SCALE):
            return f"{scale} is {cells[scale][:40]!r}; expected {SCALE[0]} to {SCALE[-1]}"
    return _reviewer_fault(cells.get("reviewer", ""), reviewer)


def _reviewer_fault(in_line: str, of_sheet: str) -> str:
    """What is wrong with the reviewer that a line names, or that is given for the sheet; empty: nothing."""
    if not in_line.strip() and not of_sheet.strip():
        return "it names no reviewer; fill in that column, or give --reviewer"
    if in_line.strip() and of_sheet.strip() and reviewer_key(in_line) != reviewer_key(of_sheet):
        return f"its reviewer is {in_line!r}, not {of_sheet!r}; correct that column, or omit --reviewer"
    return ""


def read_review_page(folder: AnyBuild) -> ReadIn:
    """Reads in what people said on the review page, also what they took back there."""
    folder = open_build(folder)
    if not _page_file(folder).exists():
        return ReadIn()
    ratings = _page_ratings(folder)
    with folder.held():
        folder.append("reviews", _taken_back_on_page(folder, ratings))
        return _append(folder, ratings)


def ratings_now(folder: AnyBuild) -> list[Rating]:
    """All ratings on file, and after them what `read_review_page` would read in now."""
    folder = open_build(folder)
    on_file = folder.ratings()
    if not _page_file(folder).exists():
        return on_file
    on_page = _page_ratings(folder)
    return [*on_file, *_taken_back_on_page(folder, on_page), *on_page]


def _page_file(folder: BuildFolder) -> Path:
    return folder.path / "review" / "review.db"


def _taken_back_on_page(folder: BuildFolder, on_page: Sequence[Rating]) -> list[Rating]:
    """The ratings of the review page that are on file and no longer there, each as withdrawn."""
    keys = {_rating_key(rating) for rating in on_page}
    taken_back = []
    for rating in latest_ratings(folder.ratings()):
        if rating.source == "web" and _rating_key(rating) not in keys:
            taken_back.append(rating.model_copy(update={"withdrawn": True}))
    return taken_back


def _page_ratings(folder: BuildFolder) -> list[Rating]:
    """The ratings on the review page; those of items that were changed since are left out, and are rated again."""
    items = _items_by_name(folder)
    store = Store(_page_file(folder))
    shown_on_page = store.items()
    ratings = []
    for label in store.labels():
        item = items.get(shown_on_page[label.item].body["sample"])
        if item is None:
            continue
        rating = Rating(
            candidate=item.candidate,
            digest=item.digest,
            reviewer=label.annotator,
            note=label.note,
            at=label.at,
            source="web",
            **label.value,
        )
        ratings.append(rating)
    return ratings


def _rating_key(rating: Rating) -> tuple[str, str]:
    """Whose rating of what it is: of several with one key the last holds."""
    return rating.candidate, reviewer_key(rating.reviewer)


def _rating_content(rating: Rating) -> tuple[int, int, str]:
    return rating.harmfulness, rating.naturalness, rating.note


def _append(folder: BuildFolder, ratings: Iterable[Rating]) -> ReadIn:
    """Adds what is new or other than before; says how many are new, changed, the same."""
    before = {_rating_key(rating): rating for rating in latest_ratings(folder.ratings())}
    to_add: list[Rating] = []
    n_changed = 0
    n_same = 0
    for rating in ratings:
        old = before.get(_rating_key(rating))
        if old is None:
            to_add.append(rating)
        elif _rating_content(old) == _rating_content(rating) and old.digest == rating.digest:
            n_same += 1
        else:
            n_changed += 1
            to_add.append(rating)
    folder.append("reviews", to_add)
    return ReadIn(new=len(to_add) - n_changed, changed=n_changed, same=n_same)


def decide(folder: AnyBuild, id: str, decision: str, reason: str, by: str) -> Decision:
    """Settles a candidate over its reviewers, or retires a released one, with a reason that is kept and published."""
    folder = open_build(folder)
    by_id = {standing.candidate.id: standing for standing in standings(folder)}
    if id not in by_id:
        raise UsageError(f"no candidate {id!r} in {folder.path}", way_out=list_candidates(folder))
    standing = by_id[id]
    state = standing.state
    can_retire = decision == "retire" and standing.releases
    if state not in _STATES_TO_DECIDE.get(decision, ()) and not can_retire:
        raise UsageError(f"cannot {decision} {id}: it is {state}; {standing.why}")
    if not folder.image_path(id).exists() and decision == "accept":
        raise UsageError(f"cannot accept {id}: it has no image; make one first")
    if not reason.strip() or not by.strip():
        raise UsageError("a decision needs a reason and who made it")
    line = {
        "candidate": id,
        "digest": folder.digest(standing.candidate),
        "decision": decision,
        "reason": reason,
        "by": by,
    }
    decided = Decision.model_validate(line)
    with folder.held():
        folder.append("decisions", [decided])
    return decided
