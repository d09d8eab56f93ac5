"""The pages that both desks have: joining by name or by link, leaving, people, and saving labels or ratings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, cast
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import JSONResponse, Response

from mossbench.annotation.label_queue import Standing
from mossbench.annotation.people import Annotator, Person, Role
from mossbench.annotation.store import Item, Label, Progress, Store, not_assigned
from mossbench.errors import Code, UsageError
from mossbench.reports.words.grammar import capital
from mossbench.web.desk_words import (
    done_heading,
    done_text,
    label_panel_text,
    labelled_run_heading,
    labelled_run_text,
    link_text,
    mine_heading,
    people_heading,
    skipped_text,
)
from mossbench.web.desks import Desk
from mossbench.web.pages import Link, page
from mossbench.web.security import ROLES, RequestRejected, page_that_redirects, read_form, redirect, set_cookie

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

VISIBLE_FIELDS = ("question", "response", "alt")
"""Of an item, for those who label."""
FormHandler = Callable[[Request, Desk, FormData], Response]
LabelValue = Mapping[str, object]
"""A label as the store keeps it: a kind, or a number for each question."""
ReadLabel = Callable[[FormData], dict[str, object]]
"""The value of a label from its form; a UsageError where it is none."""
LabelWords = Callable[[LabelValue], str]
"""A label in words."""
MAX_AHEAD = 8
"""Items whose labels need not be saved yet when the page asks for the one that follows them."""


@dataclass(frozen=True)
class AtDesk:
    """What every page of a desk shows: who its reader is and what they may open."""

    desk: Desk
    who: Annotator | None
    role: str
    tabs: Sequence[Link]
    at: str
    """The address of the page, which marks its tab."""


@dataclass(frozen=True)
class NamePage:
    """What name.html shows."""

    fault: str = ""
    """A sentence; empty where there is none."""


@dataclass(frozen=True)
class LabelledPage:
    """What labelled.html shows when all is done."""

    progress: Progress
    heading: str
    text: str
    report: str = ""
    """The address of the run that was labelled; empty where answers of several runs are."""


@dataclass(frozen=True)
class LabelPanel:
    """How far the labelling of a run is, on the page of an answer."""

    n_given: int
    n_expected: int
    """About how many labels it takes in all."""
    text: str
    """What the labels tell so far, and when they will tell more."""


@dataclass(frozen=True)
class WorkPage:
    """What annotate.html and review.html show of an item."""

    item: Item
    progress: Progress
    earlier: Label | None
    """Their label of this item, where they came back to it."""
    note: str
    saved: str
    """What they saved last, in a sentence."""
    can_undo: bool
    """Whether there is a label or a skip before this one to take back."""
    panel: LabelPanel | None = None
    """Where a run is labelled until its rate is known well enough."""


@dataclass(frozen=True)
class Saved:
    """What was saved and how far they are, for a page that shows the next item already."""

    saved: str
    """What they saved last, in a sentence; empty after a skip."""
    skipped: str
    """How many they skipped, in words."""
    n_given: int
    n: int
    """Labels and skips in all, as far as it is known."""
    figures: str = ""
    """What the labels of a run tell so far."""


@dataclass(frozen=True)
class PeoplePage:
    """What people.html shows."""

    people: Sequence[Person]
    heading: str


@dataclass(frozen=True)
class MinePage:
    """What mine.html shows."""

    heading: str
    rows: Sequence[tuple[Label, Mapping[str, str]]]
    """Their labels, the last first, each with what they may know of its item."""
    kinds: Sequence[str]


@dataclass(frozen=True)
class InvitedPage:
    """What invited.html shows, once."""

    name: str
    text: str
    """What the link lets its holder do."""
    link: str


def blind(item: Item, desk: Desk | None = None) -> Item:
    """The item with only what somebody who labels may know of it; some desks keep its text elsewhere."""
    body = {name: item.body[name] for name in VISIBLE_FIELDS if name in item.body}
    if desk is not None and desk.texts is not None:
        body |= desk.texts(item)
    return replace(item, body=body)


def desk_page(
    request: Request, desk: Desk, template: str, *records: "DataclassInstance", status: int = 200
) -> Response:
    """A page of a desk, with the tabs above it that its reader may open."""
    role = "owner" if request.state.is_owner else str(request.scope["state"].get("role", "guest"))
    at_desk = AtDesk(desk, desk.annotator(request), role, _tabs_of(desk, role), request.url.path)
    return page(request, template, desk.name, at_desk, *records, status=status)


def _tabs_of(desk: Desk, role: str) -> list[Link]:
    at = desk.path
    is_annotate = at == "/annotate"
    first = {"/annotate": "Label", "/review": "Rate"}.get(at, "Sort")
    tabs = [("guest", first, at), ("guest", "Mine", f"{at}/mine")]
    if is_annotate:
        tabs.append(("reviewer", "Labels", f"{at}/labels"))
        tabs.append(("reviewer", "Agreement", f"{at}/agreement"))
    elif at == "/review":
        tabs.append(("reviewer", "Results", f"{at}/results"))
        if desk.has_twins:
            tabs.append(("reviewer", "Twins", f"{at}/twins"))
    tabs.append(("owner", "People", f"{at}/people"))
    if is_annotate and desk.label is None:
        tabs.append(("owner", "Add", f"{at}/new"))
    rank = ROLES.index(role)
    return [(name, link) for needed_role, name, link in tabs if rank >= ROLES.index(needed_role)]


def check_may_see(request: Request, desk: Desk, ref: str) -> None:
    """A UsageError where a guest asks for an item that was not given to them; reviewers and the owner see all."""
    if request.state.is_owner or request.scope["state"].get("role") == "reviewer":
        return
    who = desk.annotator(request)
    if who is None or not desk.store.is_assigned(who, ref):
        raise not_assigned(ref)


def author(request: Request, desk: Desk) -> str:
    """The name under which decisions of the reader are saved."""
    who = desk.annotator(request)
    return who.name if who else "owner"


def name_page(request: Request, desk: Desk, *, fault: str = "", status: int = 200) -> Response:
    sentence = f"{capital(fault)}." if fault else ""
    return desk_page(request, desk, "name.html", NamePage(sentence), status=status)


def work_page(
    request: Request,
    desk: Desk,
    template: str,
    ref: str | None,
    ahead: str | None,
    more_of_item: "Callable[[Item], DataclassInstance]",
    label_words: LabelWords,
) -> Response:
    """The next item to label, or with `ref` one that they labelled or skipped before; or that all is done.

    `ahead` has the items, with commas between them, that the browser has already; `more_of_item` returns what the page
    shows of an item besides what `blind` leaves.
    """
    refs_ahead = ahead.split(",") if ahead else []
    if len(refs_ahead) > MAX_AHEAD:
        raise UsageError(f"{len(refs_ahead)} items are given as ahead, expected at most {MAX_AHEAD}")
    store = desk.store
    who = desk.annotator(request)
    if who is None:
        return name_page(request, desk)
    earlier = _label_of(store, who, ref) if ref else None
    if ref and earlier is None:  # nobody opens an item that was not shown to them
        message = f"you have not {desk.past} or skipped this item; your {desk.noun}s are on the page Mine"
        raise UsageError(message, code=Code.NOT_FOUND)
    queue = desk.plan_queue
    item = store.item(ref) if ref else (queue or store).next_item(who, refs_ahead)
    progress = store.progress(who)
    standing = queue.standing() if queue is not None else None
    if item is None and standing is not None:
        return desk_page(request, desk, "labelled.html", _labelled_run(desk, standing, progress))
    if item is None:
        nothing_left = LabelledPage(progress, done_heading(progress, who.name), done_text(progress, desk))
        return desk_page(request, desk, "labelled.html", nothing_left)
    last = earlier or store.earlier_label(who, item.ref)  # a label that they took back had a note too
    if earlier is not None:
        saved = ""
    elif last is not None and last.value:
        saved = f"Undone: {label_words(last.value)}."
    else:
        saved = _saved_words(store, who, label_words)
    panel = _label_panel(standing) if standing is not None else None
    n_before = progress.n_done + progress.n_skipped + len(refs_ahead)
    can_undo = earlier is None and n_before > 0
    content = WorkPage(blind(item, desk), progress, earlier, last.note if last else "", saved, can_undo, panel)
    return desk_page(request, desk, template, content, more_of_item(item))


def _saved_now(desk: Desk, who: Annotator, label_words: LabelWords) -> Saved:
    """What the page writes over the item that it shows already."""
    saved = _saved_words(desk.store, who, label_words)
    progress = desk.store.progress(who)
    queue = desk.plan_queue
    if queue is None:
        return Saved(saved, skipped_text(progress.n_skipped), progress.n_done + progress.n_skipped, progress.n)
    panel = _label_panel(queue.standing())
    return Saved(saved, "", panel.n_given, panel.n_expected, panel.text)


def _label_panel(standing: Standing) -> LabelPanel:
    n_left = standing.n_left_in_block if standing.n_left is None else standing.n_left
    return LabelPanel(standing.n_given, standing.n_given + n_left, label_panel_text(standing))


def _labelled_run(desk: Desk, standing: Standing, progress: Progress) -> LabelledPage:
    """What is shown when a run needs no more labels, or none of this reader now."""
    name = desk.label.results.name if desk.label is not None else ""
    return LabelledPage(
        progress=progress,
        heading=labelled_run_heading(standing),
        text=labelled_run_text(standing),
        report=f"/runs/{quote(name, safe='')}",
    )


def _label_of(store: Store, who: Annotator, ref: str) -> Label | None:
    for label in store.labels_by(who):
        if label.item == ref:
            return label
    return None


def _saved_words(store: Store, who: Annotator, label_words: LabelWords) -> str:
    """What they saved last, and what it replaced: they may have two tabs open."""
    last = store.last_label(who)
    if last is None:
        return ""
    before = store.earlier_label(who, last.item)
    changed = f" It replaces: {label_words(before.value)}." if before and before.value else ""
    return f"Saved: {label_words(last.value)}.{changed}"


def seat_routes(
    router: APIRouter, desk_of: Callable[[Request], Desk], read: ReadLabel, label_words: LabelWords
) -> None:
    """Adds the pages and forms that all desks have."""
    takes_forms(router, "/join", desk_of, _join)
    takes_forms(router, "/people", desk_of, _manage)
    takes_forms(router, "/invite", desk_of, _invite)
    takes_forms(router, "/leave", desk_of, _leave)
    takes_forms(router, "/label", desk_of, partial(_save, read=read, label_words=label_words))

    @router.get("/people")
    def people_page(request: Request) -> Response:
        desk = desk_of(request)
        people = desk.store.people()
        return desk_page(request, desk, "people.html", PeoplePage(people, people_heading(people, desk)))

    @router.get("/mine")
    def mine(request: Request) -> Response:
        """All labels of the reader, each with a link to change it."""
        desk = desk_of(request)
        who = desk.annotator(request)
        if who is None:
            return name_page(request, desk)
        items = desk.store.items()
        labels = desk.store.labels_by(who)
        rows = [(label, blind(items[label.item], desk).body) for label in labels]
        kinds = sorted({str(label.value.get("kind", "")) for label in labels})
        return desk_page(request, desk, "mine.html", MinePage(mine_heading(labels, desk), rows, kinds))

    @router.get("/enter")
    def enter(request: Request, token: Annotated[str, Query(max_length=100)]) -> Response:
        desk = desk_of(request)
        if desk.store.annotator(token) is None:
            raise RequestRejected(401, "This link is unknown or incomplete. Ask for a new link.")
        return page_that_redirects(desk.path, (desk.cookie, token))  # the token leaves the address


def takes_forms(router: APIRouter, path: str, desk_of: Callable[[Request], Desk], handle: FormHandler) -> None:
    """Adds an address of a desk whose forms `handle` answers, in a thread: it waits for the disk."""

    @router.post(path)
    async def answer(request: Request) -> Response:
        form = await read_form(request)
        return await run_in_threadpool(handle, request, desk_of(request), form)


def _join(request: Request, desk: Desk, form: FormData) -> Response:
    try:
        token = desk.store.join(str(form.get("name", "")))
    except UsageError as error:
        return name_page(request, desk, fault=str(error), status=409)
    response = redirect(desk.path)
    set_cookie(response, desk.cookie, token)
    return response


def _invite(request: Request, desk: Desk, form: FormData) -> Response:
    """A link by which somebody can join or continue; it is shown once, and earlier links stop working."""
    token = desk.store.join(str(form.get("name", "")), invited=True, role=_role(str(form.get("role", ""))))
    who = desk.store.annotator(token)
    link = f"{request.url.scheme}://{request.headers['host']}{desk.path}/enter?{urlencode({'token': token})}"
    name = who.name if who else ""
    is_reviewer = who is not None and who.role == "reviewer"
    invited = InvitedPage(name, link_text(name, desk, is_reviewer=is_reviewer), link)
    return desk_page(request, desk, "invited.html", invited)


def _role(text: str) -> Role | None:
    if text not in ("", "guest", "reviewer"):
        raise UsageError(f"the role is {text[:20]!r}, expected guest or reviewer")
    return cast(Role, text) if text else None


def _manage(request: Request, desk: Desk, form: FormData) -> Response:
    name = str(form.get("name", ""))
    action = str(form.get("do", ""))
    if action == "revoke":
        desk.store.revoke(name)
    else:
        role = _role(action)
        if role is not None:
            desk.store.set_role(name, role)
    return redirect(f"{desk.path}/people")


def _leave(request: Request, desk: Desk, form: FormData) -> Response:
    response = redirect(desk.path)
    response.delete_cookie(desk.cookie, path="/", httponly=True, samesite="strict")
    return response


def _save(request: Request, desk: Desk, form: FormData, read: ReadLabel, label_words: LabelWords) -> Response:
    """Saves a label, skips the item, or takes the last label back; then shows the next item.

    A browser that has the next item already asks with the field `stay` for what was saved instead.
    """
    who = desk.annotator(request)
    if who is None:
        raise RequestRejected(403, "No name is set in this browser. Go back and enter your name. Nothing was changed.")
    ref = str(form.get("item", ""))
    note = str(form.get("note", ""))
    action = form.get("do")
    if action == "undo":
        desk.store.undo(who)
    elif action == "again":
        desk.store.reopen_skipped(who)
    elif action == "skip":
        desk.store.record(who, ref, "skip", note=note, only_assigned=True)
    else:
        desk.store.record(who, ref, "label", read(form), note, only_assigned=True)
    if form.get("stay"):
        return JSONResponse(asdict(_saved_now(desk, who, label_words)))
    return redirect(desk.path + ("/mine" if form.get("back") == "mine" else ""))
