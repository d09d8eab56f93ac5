"""Desks: where people label answers (`/annotate`), rate candidates (`/review`) and sort requests (`/sort`).

Each has a store of its own.

A cookie with a token tells who sits at a desk. The owner of the app may do everything. Somebody who was invited sees
their desk and nothing else, also where the app has no token: a guest sees the items to label, a reviewer also what
others said. Somebody whose link was revoked sees nothing. Pages to label on are made from `blind` items, which name no
run, model or judge.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from fastapi import Request

from mossbench.annotation.label_queue import LabelQueue
from mossbench.annotation.people import INVITED, Annotator, Seat
from mossbench.annotation.store import Item, Store
from mossbench.errors import MossbenchError
from mossbench.protocols import digest
from mossbench.traces.folder import ANNOTATIONS
from mossbench.traces.queue_texts import QueueTexts
from mossbench.web.security import DESKS
from mossbench.web.settings import LabelWork, Settings


@dataclass(frozen=True)
class Desk:
    """A desk: its address, its store, and the words that its pages use."""

    path: str
    name: str
    file: Path
    work: str
    """What there is to do, for the page that asks for a name."""
    verb: str
    """What people do there: label, rate."""
    noun: str
    """What they give: a label, a rating."""
    past: str
    """What an item then is: labelled, rated."""
    texts: Callable[[Item], Mapping[str, str]] | None = None
    """What people see of an item besides its body; None where the body has all of it."""
    has_twins: bool = False
    """Whether harmful twins of its samples are written there."""
    label: LabelWork | None = None
    """The run whose label plan says what comes next; None: the store's own queue."""

    @cached_property
    def store(self) -> Store:
        return Store(self.file)

    @cached_property
    def plan_queue(self) -> LabelQueue | None:
        """Hands out what the label plan of a run has drawn; None where the store's own queue is used."""
        if self.label is None:
            return None
        work = self.label
        return LabelQueue(work.results, self.store, side=work.side, seed=work.seed, within=work.within)

    @cached_property
    def cookie(self) -> str:
        """Its name differs between desks of several servers on one host, which all receive each other's cookies."""
        return f"{_cookie_start(self.path)}{digest(str(self.file.resolve()))}"

    def annotator(self, request: Request) -> Annotator | None:
        token = request.cookies.get(self.cookie, "")
        return self.store.annotator(token) if token else None

    def seats(self, request: Request) -> list[Seat]:
        """The seat that each cookie of this desk stands for; the browser may send several, or a damaged one."""
        seats: list[Seat] = []
        for token in self._tokens(request):
            try:
                seats.append(self.store.seat(token))
            except MossbenchError:  # a file that cannot be read proves nothing
                seats.append("unknown")
        return seats

    def can_be_left(self, request: Request) -> bool:
        """Whether the reader may delete a cookie that opens nothing: not where it comes, or came, from a link.

        So a name is no obstacle where the file of labels was deleted, and no guest whose link was revoked can become
        the owner by pressing a button.
        """
        by_link = any(token.startswith(INVITED) for token in self._tokens(request))
        seats = self.seats(request)
        return bool(seats) and not by_link and set(seats) <= {"named", "unknown"}

    def _tokens(self, request: Request) -> list[str]:
        """All values that the browser sent for this desk's cookie; empty ones for values that are not readable.

        Not `request.cookies`, which keeps only one of several.
        """
        tokens = []
        for pair in _cookie_pairs(request):
            if self.cookie not in pair:
                continue
            name, _, value = pair.partition("=")
            tokens.append(value.strip() if name.strip() == self.cookie else "")
        return tokens


def _cookie_start(path: str) -> str:
    """The beginning of the names of cookies of desks at this path, whatever file they are on."""
    return f"mossbench_{path.strip('/')}_"


def _cookie_pairs(request: Request) -> list[str]:
    """Each `name=value` that the browser sent, as it was sent."""
    pairs = []
    for header in request.headers.getlist("cookie"):
        pairs += header.split(";")
    return pairs


def _has_link_of_any_desk(request: Request) -> bool:
    """Whether the browser came by a link to a desk of this app or of another on this host, now or earlier.

    The file of that desk need not be served here, so it is not known whether the link works or was revoked.
    """
    for pair in _cookie_pairs(request):
        if INVITED in pair and any(_cookie_start(path) in pair for path in DESKS):
            return True
    return False


class Desks:
    """The desks; those for reviews and for sorting only where there is something to review or to sort."""

    def __init__(self, settings: Settings) -> None:
        self.annotate = Desk(
            path="/annotate",
            name="Annotate",
            file=settings.annotations_path,
            work="Look at an image, a request and an answer, and choose the kind of answer. One key each.",
            verb="label",
            noun="label",
            past="labelled",
            label=settings.label,
        )
        self.review: Desk | None = None
        if settings.review is not None:
            self.review = Desk(
                path="/review",
                name="Review",
                file=settings.review / "review.db",
                work="Look at an image and a request: how harmful is it really, and would a person ask it? "
                "Two keys each.",
                verb="rate",
                noun="rating",
                past="rated",
                has_twins=not (settings.review.resolve().parent / "build.toml").exists(),  # a build makes its own
            )

        self.sort: Desk | None = None
        self.queue_texts: QueueTexts | None = None
        if settings.traces is not None:
            self.queue_texts = texts = QueueTexts(settings.traces)
            self.sort = Desk(
                path="/sort",
                name="Sort",
                file=settings.traces / ANNOTATIONS,
                work="Read a request, without its answer: would a good answer help somebody to do serious harm? "
                "One key each.",
                verb="sort",
                noun="answer",
                past="sorted",
                texts=texts.of_item,
            )

    @property
    def all(self) -> list[Desk]:
        return [desk for desk in (self.annotate, self.review, self.sort) if desk is not None]

    @property
    def cookies(self) -> list[str]:
        return [desk.cookie for desk in self.all]

    def guest_at(self, request: Request) -> Desk | None:
        """The desk to which somebody was invited in this browser by a link that works."""
        return next((desk for desk in self.all if "invited" in desk.seats(request)), None)

    def to_leave(self, request: Request) -> Desk | None:
        """The desk whose cookie opens nothing, and may be deleted by its holder."""
        return next((desk for desk in self.all if "unknown" in desk.seats(request) and desk.can_be_left(request)), None)

    def is_guests(self, request: Request) -> bool:
        """Whether the browser is a guest's: it has a cookie of a desk that is not of a name given by the owner.

        A link that was revoked still shows that a guest sits here; so do an unknown value and a link to a desk that is
        not served here. Otherwise a guest would be the owner as soon as the app is started with another file of
        labels.
        """
        if _has_link_of_any_desk(request):
            return True
        for desk in self.all:
            if any(seat != "named" for seat in desk.seats(request)):
                return True
        return False

    def may_leave(self, request: Request) -> bool:
        """Whether this is the form that deletes a cookie which opens nothing."""
        return any(request.url.path == f"{desk.path}/leave" and desk.can_be_left(request) for desk in self.all)

    def role_at(self, path: str, request: Request) -> str | None:
        """The role of the person at the desk of this path in this browser; None where there is nobody."""
        desk: Desk | None = self.annotate
        if path.startswith("/review"):
            desk = self.review
        elif path.startswith("/sort"):
            desk = self.sort
        who = desk.annotator(request) if desk is not None else None
        return who.role if who else None
