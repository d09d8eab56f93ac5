"""Desks: where people label answers (`/annotate`) and rate candidates (`/review`), each on a store of its own.

Who sits at a desk is known by a cookie with their token. The owner of the app may do everything; somebody who was
invited sees their desk and nothing else, also where the app asks for no token: as a guest what was given to them to
label, as a reviewer also what others said. Whose link was revoked sees nothing. Pages to label on are made from `blind`
items, which know of no run, model or judge.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from fastapi import Request

from mossbench.annotation.people import INVITED, Annotator, Seat
from mossbench.annotation.store import Store
from mossbench.errors import MossbenchError
from mossbench.protocols import digest
from mossbench.web.security import OPEN_TO_ANNOTATORS
from mossbench.web.settings import Settings


@dataclass(frozen=True)
class Desk:
    """One kind of work: its pages, its store."""

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

    @cached_property
    def store(self) -> Store:
        return Store(self.file)

    @cached_property
    def cookie(self) -> str:
        """Its name tells apart the desks of several servers on one host, which all get each other's cookies."""
        return f"{_cookie_start(self.path)}{digest(str(self.file.resolve()))}"

    def annotator(self, request: Request) -> Annotator | None:
        token = request.cookies.get(self.cookie, "")
        return self.store.annotator(token) if token else None

    def seats(self, request: Request) -> list[Seat]:
        """What each cookie of this desk is that the browser sent, also where it sent several or a damaged one."""
        seats: list[Seat] = []
        for token in self._tokens(request):
            try:
                seats.append(self.store.seat(token))
            except MossbenchError:  # a file that cannot be read vouches for nobody
                seats.append("unknown")
        return seats

    def can_be_left(self, request: Request) -> bool:
        """Whether somebody whose cookie opens nothing may put it away: not where it is, or was, that of a link.

        So a name remains no obstacle where the file of labels was deleted, and no guest whose link was revoked can
        press a button to be taken for the owner.
        """
        by_link = any(token.startswith(INVITED) for token in self._tokens(request))
        seats = self.seats(request)
        return bool(seats) and not by_link and set(seats) <= {"named", "unknown"}

    def _tokens(self, request: Request) -> list[str]:
        """All values that the browser sent by the name of this desk's cookie; empty ones for what is not readable.

        Not `request.cookies`, which keeps one of several.
        """
        tokens = []
        for pair in _cookie_pairs(request):
            if self.cookie not in pair:
                continue
            name, _, value = pair.partition("=")
            tokens.append(value.strip() if name.strip() == self.cookie else "")
        return tokens


def _cookie_start(path: str) -> str:
    """How the names of cookies begin that are of desks at this path, whatever file they are on."""
    return f"mossbench_{path.strip('/')}_"


def _cookie_pairs(request: Request) -> list[str]:
    """Each `name=value` that the browser sent, as it was sent."""
    pairs = []
    for header in request.headers.getlist("cookie"):
        pairs += header.split(";")
    return pairs


def _has_link_of_any_desk(request: Request) -> bool:
    """Whether the browser came by a link to a desk of this app or of another on this host, now or earlier.

    The file of that desk need not be served here, so nothing can be asked about the link: not whether it works, and
    not whether it was revoked.
    """
    starts = [_cookie_start(path) for path in OPEN_TO_ANNOTATORS]
    by_link = [pair for pair in _cookie_pairs(request) if INVITED in pair]
    return any(start in pair for start in starts for pair in by_link)


class Desks:
    """Both desks; that of reviewers only where there is something to review."""

    def __init__(self, settings: Settings) -> None:
        self.annotate = Desk(
            path="/annotate",
            name="Annotate",
            file=settings.annotations_path,
            work="Look at an image, a request and an answer, and choose the kind of answer. One key each.",
            verb="label",
            noun="label",
            past="labelled",
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
            )

    @property
    def all(self) -> list[Desk]:
        return [desk for desk in (self.annotate, self.review) if desk is not None]

    @property
    def cookies(self) -> list[str]:
        return [desk.cookie for desk in self.all]

    def guest_at(self, request: Request) -> Desk | None:
        """The desk at which somebody sits in this browser who was invited and whose link works."""
        return next((desk for desk in self.all if "invited" in desk.seats(request)), None)

    def left_at(self, request: Request) -> Desk | None:
        """The desk whose cookie opens nothing and that its holder may leave."""
        return next((desk for desk in self.all if "unknown" in desk.seats(request) and desk.can_be_left(request)), None)

    def is_guests(self, request: Request) -> bool:
        """Whether the browser is a guest's: it has a cookie of a desk that is not of a name given by the owner.

        A link that was revoked still tells that a guest sits here; so does a value that nobody was ever given, and a
        link to a desk that is not served here. Else a guest would be the owner as soon as the app is started with
        another file of labels.
        """
        if _has_link_of_any_desk(request):
            return True
        return any(seat != "named" for desk in self.all for seat in desk.seats(request))

    def may_leave(self, request: Request) -> bool:
        """Whether this is the form by which a browser puts away a cookie that opens nothing."""
        return any(request.url.path == f"{desk.path}/leave" and desk.can_be_left(request) for desk in self.all)

    def role_at(self, path: str, request: Request) -> str | None:
        """The role of whoever sits at the desk of this path in this browser; None where nobody does."""
        desk = self.review if path.startswith("/review") else self.annotate
        who = desk.annotator(request) if desk is not None else None
        return who.role if who else None
