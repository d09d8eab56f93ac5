"""People's ratings: out as a CSV sheet or as the folder of the review page, and in again; decisions over them.

What reviewers see has opaque names, so that nobody can tell an attention check by its id. Nothing is read in from a
sheet with a wrong line, and nothing that was read in is changed: who rates again adds a line.
"""

import hashlib
import os
import random
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from mossbench.annotation.store import Store
from mossbench.building.candidates import Decision, Gold, Rating, State
from mossbench.building.folder import BuildFolder, list_candidates
from mossbench.building.rating import SCALE, holding, person
from mossbench.building.standing import standings
from mossbench.errors import UsageError
from mossbench.images.retouching import blank
from mossbench.plumbing import sheets
from mossbench.plumbing.reading import read_file
from mossbench.plumbing.storage import write_atomically
from mossbench.samples import Sample
from mossbench.ways_out import Command

COLUMNS = ("item", "request", "image", "harmfulness", "naturalness", "note", "reviewer")
_SCALES = COLUMNS[3:5]
_CHECKS_EACH = 20
"""Candidates for each attention check; there are two at least."""
_OPEN = (State.SCREENED, State.REVIEWED, State.DISPUTED)
_RATED = (*_OPEN, State.ACCEPTED)


@dataclass(frozen=True)
class Shown:
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


def review_items(folder: BuildFolder, *, every: bool = False) -> list[Shown]:
    """The candidates to rate, with attention checks among them, mixed by the seed of the build.

    What somebody has rated stays among them, and with `every` all that have an image: sheets come back late.
    """
    settings = folder.settings()
    rated = [
        one.candidate
        for one in standings(folder)
        if one.state in _RATED or one.n_ratings or (every and folder.image_path(one.candidate.id).exists())
    ]
    if rated and not folder.gold():
        n = max(2, len(rated) // _CHECKS_EACH)
        folder.append("gold", (_check(number) for number in range(1, n + 1)))

    def item(id: str, request: str, scene: str, digest: str = "") -> Shown:
        """Under a name that other words or another image would not have: what was said of those is not read in."""
        name = hashlib.sha256(f"{settings.name} {settings.seed} {id} {digest}".encode()).hexdigest()
        return Shown("i" + name[:8], id, request, scene, digest)

    shown = [item(one.id, one.request, one.scene, folder.digest(one)) for one in rated]
    checks = [one for one in folder.gold().values() if one.request]
    shown += [item(one.candidate, one.request, "A grey field.") for one in checks if rated]
    random.Random(settings.seed).shuffle(shown)
    return shown


def _check(number: int) -> Gold:
    harm, natural = ((5, 1), (1, 5), (4, 2), (2, 4))[number % 4]
    wanted = f"please choose {harm} for harmfulness and {natural} for naturalness."
    request = f"This line checks that requests are read: {wanted}"
    return Gold(candidate=f"check-{number}", request=request, harmfulness=(harm, harm), naturalness=(natural, natural))


def write_page(folder: BuildFolder) -> Path:
    """The folder that `mossbench serve --review` shows; what people said there stays."""
    place, lines = folder.path / "review", []
    with folder.held():
        for one in review_items(folder):
            image = f"images/{one.item}.png"
            write_atomically(place / image, read_file(folder.image_path(one.candidate)) if one.digest else blank())
            sample = Sample(id=one.item, question=one.request, image=image, short_description=one.scene)
            lines.append(sample.model_dump_json(exclude_defaults=True) + "\n")
        if not lines:
            screen = Command(f"mossbench build screen {quote(str(folder.path))}", to="screen candidates first")
            raise UsageError(f"{folder.path} has no candidate to review", way_out=screen)
        text = "".join(lines)
        if not (place / "metadata.jsonl").exists() or (place / "metadata.jsonl").read_text("utf-8") != text:
            write_atomically(place / "metadata.jsonl", text)
    return place


def write_sheet(folder: BuildFolder, out: Path, *, image_base: str = "") -> int:
    """How many lines the new sheet has. `image_base` is the address that images were uploaded under."""
    if out.suffix.lower() != ".csv":
        raise UsageError(f"{out.name!r} is no name for a sheet; it ends in .csv")
    place, items = write_page(folder) / "images", review_items(folder)
    base = image_base.rstrip("/") or os.path.relpath(place, out.parent)
    rows = [[one.item, one.request, f"{base}/{one.item}.png", "", "", "", ""] for one in items]
    sheets.write_sheet(out, COLUMNS, rows)
    return len(rows)


def read_sheet(folder: BuildFolder, path: Path, *, reviewer: str = "") -> ReadIn:
    """Reads a filled sheet in: all of its whole lines about what is still the same, or nothing where a line is wrong.

    `reviewer` filled it in, where its lines do not say so.
    """
    items = {one.item: one for one in review_items(folder, every=True)}
    shown_before = {path.stem for path in (folder.path / "review" / "images").glob("*.png")}
    found: dict[tuple[str, str], tuple[Rating, int]] = {}
    faults, half, stale, empty = list[str](), list[int](), list[int](), 0
    for line, said in sheets.read_sheet(path, COLUMNS, ("item", *_SCALES)):
        given = [said[name] for name in _SCALES]
        if not all(given):
            empty, half = empty + (not any(given)), half + ([line] if any(given) else [])
            continue
        if said["item"] in shown_before - items.keys():
            stale.append(line)
            continue
        if fault := _line_fault(said, items, reviewer):
            faults.append(f"line {line}: {fault}")
            continue
        shown = items[said["item"]]
        rating = Rating(
            candidate=shown.candidate,
            reviewer=" ".join((said.get("reviewer") or reviewer).split()),
            harmfulness=int(_number(given[0])),
            naturalness=int(_number(given[1])),
            note=said.get("note", ""),
            source="sheet",
            digest=shown.digest,
        )
        key = rating.candidate, person(rating.reviewer)
        first, earlier = found.setdefault(key, (rating, line))
        if _said(first) != _said(rating):
            faults.append(f"line {line}: {rating.reviewer!r} rated this otherwise on line {earlier}; keep one of them")
    sheets.refuse(path, faults)
    with folder.held():
        done = _append(folder, [rating for rating, _ in found.values()])
    return ReadIn(*done, empty, tuple(half), tuple(stale))


def _number(text: str) -> str:
    return re.sub(r"[.,]0+$", "", text)  # spreadsheets make 4 to 4.0, or to 4,0


def _line_fault(said: dict[str, str], items: dict[str, Shown], reviewer: str) -> str:
    shown = items.get(said["item"])
    if shown is None:
        return f"no item {said['item'][:40]!r} in this build; was the sheet written for another, or the line edited?"
    if "request" in said and said["request"].split() != sheets.uncell(shown.request).split():
        return f"the request is not that of {said['item']}; was the line edited?"
    for name in _SCALES:
        if _number(said[name]) not in map(str, SCALE):
            return f"{name} is {said[name][:40]!r}; expected {SCALE[0]} to {SCALE[-1]}"
    names = {person(name): name for name in (said.get("reviewer", ""), reviewer) if name.strip()}
    if len(names) > 1:
        return f"its reviewer is {said['reviewer']!r}, not {reviewer!r}; correct that column, or leave out --reviewer"
    return "" if names else "nobody is named as its reviewer; fill in that column, or give --reviewer"


def read_page(folder: BuildFolder) -> ReadIn:
    """Reads in what people said on the review page, also what they took back there."""
    file = folder.path / "review" / "review.db"
    if not file.exists():
        return ReadIn()
    store, items = Store(file), {one.item: one for one in review_items(folder, every=True)}
    bodies, ratings = store.items(), []
    for label in store.labels():
        if shown := items.get(bodies[label.item].body["sample"]):  # else it was changed since, and is rated again
            said = {**label.value, "reviewer": label.annotator, "note": label.note, "at": label.at, "source": "web"}
            ratings.append(Rating(candidate=shown.candidate, digest=shown.digest, **said))
    with folder.held():
        there = {(one.candidate, person(one.reviewer)) for one in ratings}
        gone = [
            one.model_copy(update={"withdrawn": True})
            for one in holding(folder.ratings())
            if one.source == "web" and (one.candidate, person(one.reviewer)) not in there
        ]
        folder.append("reviews", gone)
        return ReadIn(*_append(folder, ratings))


def _said(rating: Rating) -> tuple[object, ...]:
    return rating.harmfulness, rating.naturalness, rating.note


def _append(folder: BuildFolder, ratings: Iterable[Rating]) -> tuple[int, int, int]:
    """Adds what is new or other than before: how many are new, changed, the same."""
    before = {(one.candidate, person(one.reviewer)): one for one in holding(folder.ratings())}
    fresh, changed, same = list[Rating](), 0, 0
    for rating in ratings:
        old = before.get((rating.candidate, person(rating.reviewer)))
        if old is not None and (*_said(old), old.digest) == (*_said(rating), rating.digest):
            same += 1
        else:
            changed += old is not None
            fresh.append(rating)
    folder.append("reviews", fresh)
    return len(fresh) - changed, changed, same


def decide(folder: BuildFolder, id: str, decision: str, reason: str, by: str) -> Decision:
    """Settles a candidate over its reviewers, or retires a released one, with a reason that is kept and published."""
    known = {one.candidate.id: one for one in standings(folder)}
    if id not in known:
        raise UsageError(f"no candidate {id!r} in {folder.path}", way_out=list_candidates(folder))
    state = known[id].state
    fits = {"accept": (*_RATED, State.REJECTED, State.RETIRED), "reject": (*_RATED, State.IMAGED, State.PROPOSED)}
    if state not in fits.get(decision, ()) and not (decision == "retire" and known[id].releases):
        raise UsageError(f"cannot {decision} {id}: it is {state}; {known[id].why}")
    if not folder.image_path(id).exists() and decision == "accept":
        raise UsageError(f"cannot accept {id}: it has no image; make one first")
    if not reason.strip() or not by.strip():
        raise UsageError("a decision needs a reason and who made it")
    about = {"candidate": id, "digest": folder.digest(known[id].candidate), "decision": decision}
    made = Decision.model_validate({**about, "reason": reason, "by": by})
    with folder.held():
        folder.append("decisions", [made])
    return made
