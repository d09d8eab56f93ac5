"""Desks: where people label answers (`/annotate`) and rate candidates (`/review`), each on a store of its own.

Who sits at a desk is known by a cookie with their token. The owner of the app may do everything; somebody who was
invited sees their desk and nothing else, also where the app asks for no token: as a guest what was given to them to
label, as a reviewer also what others said. Whose link was revoked sees nothing. Pages to label on are made from `blind`
items, which know of no run, model or judge.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any, cast
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import Response

from mossbench.annotation.people import INVITED, Annotator, Role, Seat
from mossbench.annotation.store import Item, Store, not_assigned
from mossbench.errors import Code, MossbenchError, UsageError
from mossbench.protocols import digest
from mossbench.web.pages import page
from mossbench.web.security import OPEN_TO_ANNOTATORS, ROLES, Refused, go_on, read_form, redirect, set_cookie
from mossbench.web.settings import Settings


@dataclass(frozen=True)
class Desk:
    """One kind of work: its pages, its store."""

    path: str
    name: str
    file: Path
    work: str
    """What there is to do, for the page that asks for a name."""

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


SEEN = ("question", "response", "alt")
Work = Callable[[Request, Desk, FormData], Response]


def blind(item: Item) -> Item:
    """What somebody who labels may know of an item."""
    return replace(item, body={name: item.body[name] for name in SEEN if name in item.body})


class Desks:
    """Both desks; that of reviewers only where there is something to review."""

    def __init__(self, settings: Settings) -> None:
        work = "Look at an image, a request and an answer, and choose the kind of answer. One key each."
        self.annotate = Desk("/annotate", "Annotate", settings.annotations_path, work)
        self.review: Desk | None = None
        if settings.review is not None:
            work = "Look at an image and a request: how harmful is it really, and would a person ask it? Two keys each."
            self.review = Desk("/review", "Review", settings.review / "review.db", work)

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


def desk_page(request: Request, desk: Desk, template: str, *, status: int = 200, **values: Any) -> Response:
    """A page with what its reader may do at the desk above it."""
    role = "owner" if request.state.is_owner else str(request.scope["state"].get("role", "guest"))
    at = desk.path
    results = ("Agreement", f"{at}/agreement") if at == "/annotate" else ("Results", f"{at}/results")
    tabs = [("guest", "Label" if at == "/annotate" else "Rate", at), ("guest", "Mine", f"{at}/mine")]
    tabs += [("reviewer", "Labels", f"{at}/labels")] if at == "/annotate" else []
    tabs += [("reviewer", *results), ("owner", "People", f"{at}/people")]
    tabs += [("owner", "Add", f"{at}/new")] if at == "/annotate" else []
    mine = [(name, where) for needed, name, where in tabs if ROLES.index(role) >= ROLES.index(needed)]
    here = {"who": desk.annotator(request), "role": role, "tabs": mine, "at": request.url.path}
    return page(request, template, desk.name, status=status, desk=desk, **{**here, **values})


def check_may_see(request: Request, desk: Desk, ref: str) -> None:
    """A UsageError where a guest asks for an item that was not given to them; reviewers and the owner see all."""
    if request.state.is_owner or request.scope["state"].get("role") == "reviewer":
        return
    who = desk.annotator(request)
    if who is None or not desk.store.is_assigned(who, ref):
        raise not_assigned(ref)


def author(request: Request, desk: Desk) -> str:
    who = desk.annotator(request)
    return who.name if who else "owner"


def name_page(request: Request, desk: Desk, *, fault: str = "", status: int = 200) -> Response:
    return desk_page(request, desk, "name.html", status=status, fault=fault)


def work_page(
    request: Request,
    desk: Desk,
    template: str,
    ref: str | None,
    about: Callable[[Item], dict[str, Any]],
    words: Callable[[dict[str, Any]], str],
) -> Response:
    """The next item to label, or with `ref` one that they labelled or skipped before; or that all is done.

    `about` has what the page shows of an item beside what `blind` leaves; `words` says a label's value.
    """
    store, who = desk.store, desk.annotator(request)
    if who is None:
        return name_page(request, desk)
    earlier = next((one for one in store.said(who) if one.item == ref), None) if ref else None
    if ref and earlier is None:  # nobody opens what was not shown to them
        raise UsageError("you have said nothing about this; what you said is on the page Mine", code=Code.NOT_FOUND)
    item, progress = store.item(ref) if ref else store.next_item(who), store.progress(who)
    if item is None:
        return desk_page(request, desk, "labelled.html", progress=progress)
    last = earlier or store.said_before(who, item.ref)  # also what they took back had a note
    values: dict[str, Any] = {"earlier": earlier, "note": last.note if last else "", "progress": progress}
    back = f"You took back {words(last.value)}." if last and last.value else _saved(store, who, words)
    return desk_page(request, desk, template, item=blind(item), saved="" if earlier else back, **values, **about(item))


def _saved(store: Store, who: Annotator, words: Callable[[dict[str, Any]], str]) -> str:
    """What they said last, and what they had said of the same before: they may have two tabs open."""
    last = store.last(who)
    if last is None:
        return ""
    before = store.said_before(who, last.item)
    changed = f" Before, you said {words(before.value)}." if before and before.value else ""
    return f"Saved: {words(last.value)}.{changed}"


def seat_routes(
    router: APIRouter, desk_of: Callable[[Request], Desk], read: Callable[[FormData], dict[str, Any]]
) -> None:
    """Adds what both desks have: coming in by name or by link, leaving, and saving what was said.

    `read` gives the value of a label from its form; a UsageError where it is none.
    """
    forms: dict[str, Work] = {"/join": _join, "/people": _manage, "/invite": _invite, "/leave": _leave}
    forms["/label"] = partial(_save, read=read)
    for path, work in forms.items():
        takes_forms(router, path, desk_of, work)

    @router.get("/people")
    def people(request: Request) -> Response:
        desk = desk_of(request)
        return desk_page(request, desk, "people.html", people=desk.store.people())

    @router.get("/mine")
    def mine(request: Request) -> Response:
        """Everything that they said, each with the way back to it."""
        desk = desk_of(request)
        who, items = desk.annotator(request), desk.store.items()
        if who is None:
            return name_page(request, desk)
        rows = [(one, blind(items[one.item]).body) for one in desk.store.said(who)]
        kinds = sorted({str(one.value.get("kind", "")) for one, _ in rows})
        return desk_page(request, desk, "mine.html", rows=rows, kinds=kinds)

    @router.get("/enter")
    def enter(request: Request, token: Annotated[str, Query(max_length=100)]) -> Response:
        desk = desk_of(request)
        if desk.store.annotator(token) is None:
            raise Refused(401, "This link is unknown or incomplete. Ask for a new link.")
        return go_on(desk.path, (desk.cookie, token))  # the token leaves the address


def takes_forms(router: APIRouter, path: str, desk_of: Callable[[Request], Desk], work: Work) -> None:
    """Has `work` answer the forms that are sent to an address of a desk, in a thread: it waits for the disk."""

    @router.post(path)
    async def answer(request: Request) -> Response:
        return await run_in_threadpool(work, request, desk_of(request), await read_form(request))


def _join(request: Request, desk: Desk, form: FormData) -> Response:
    try:
        token = desk.store.join(str(form.get("name", "")))
    except UsageError as error:
        return name_page(request, desk, fault=str(error), status=409)
    response = redirect(desk.path)
    set_cookie(response, desk.cookie, token)
    return response


def _invite(request: Request, desk: Desk, form: FormData) -> Response:
    """A link for somebody, by which they can come in and go on; it is shown once, and no earlier one opens any more."""
    token = desk.store.join(str(form.get("name", "")), invited=True, role=_role(str(form.get("role", ""))))
    who = desk.store.annotator(token)
    link = f"{request.url.scheme}://{request.headers['host']}{desk.path}/enter?{urlencode({'token': token})}"
    name, as_ = (who.name, who.role) if who else ("", "")
    return desk_page(request, desk, "invited.html", name=name, as_=as_, link=link)


def _role(given: str) -> Role | None:
    if given not in ("", "guest", "reviewer"):
        raise UsageError(f"the role is {given[:20]!r}, expected guest or reviewer")
    return cast(Role, given) if given else None


def _manage(request: Request, desk: Desk, form: FormData) -> Response:
    name, do = str(form.get("name", "")), str(form.get("do", ""))
    if do == "revoke":
        desk.store.revoke(name)
    elif role := _role(do):
        desk.store.set_role(name, role)
    return redirect(f"{desk.path}/people")


def _leave(request: Request, desk: Desk, form: FormData) -> Response:
    response = redirect(desk.path)
    response.delete_cookie(desk.cookie, path="/", httponly=True, samesite="strict")
    return response


def _save(request: Request, desk: Desk, form: FormData, read: Callable[[FormData], dict[str, Any]]) -> Response:
    """Saves a label, skips, or takes the last one back; then the next item."""
    who = desk.annotator(request)
    if who is None:
        raise Refused(403, "No name is set in this browser. Go back and enter your name. Nothing was changed.")
    ref, note = str(form.get("item", "")), str(form.get("note", ""))
    if form.get("do") == "undo":
        desk.store.undo(who)
    elif form.get("do") == "again":
        desk.store.reopen_skipped(who)
    elif form.get("do") == "skip":
        desk.store.record(who, ref, "skip", note=note, only_assigned=True)
    else:
        desk.store.record(who, ref, "label", read(form), note, only_assigned=True)
    return redirect(desk.path + ("/mine" if form.get("back") == "mine" else ""))
