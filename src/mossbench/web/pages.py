"""What all pages share: the frame, errors, messages, and the addresses of pages and pictures."""

import hashlib
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote, urlencode

from fastapi import Request
from pydantic import BeforeValidator
from starlette.responses import HTMLResponse, JSONResponse, Response

from mossbench.datasets.arms import PLAIN, Arm
from mossbench.errors import MossbenchError
from mossbench.look.page import Frame, render_page
from mossbench.messages import Message, on_command_line, text_on_command_line
from mossbench.samples import Sample, Side, Stimulus
from mossbench.ways_out import WayOut, as_command, lead
from mossbench.web.data import Data
from mossbench.web.loaded_run import SampleKey
from mossbench.web.security import form_token
from mossbench.web.shelf import Shelf

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from mossbench.web.desks import Desk, Desks

Link = tuple[str, str]
"""The text of a link, and its address."""
QueryValue = str | int | Sequence[str] | None
"""A value in the query of an address: None and empty values are left out, a list repeats its name."""
Query = dict[str, QueryValue]
"""Names and values of a query. Some names are columns of the data, so this cannot be a record."""

LINKS: tuple[Link, ...] = (
    ("Home", "/"),
    ("Samples", "/samples"),
    ("Explorer", "/explorer"),
    ("Search", "/search"),
    ("Leaderboard", "/leaderboard"),
    ("Runs", "/runs"),
    ("Annotate", "/annotate"),
)
FULL_SIZE = 2048
"""Pixels of the longer side of an image that was opened large."""
_LETTERS = string.digits + string.ascii_lowercase
SIDES = {Side.BENIGN: "harmless", Side.CONTRAST: "harmful"}

# A form sends every field; one that nobody filled in as empty text.
Chosen = BeforeValidator(lambda value: None if value in ("", None) else value)
ChosenStimulus = Annotated[Stimulus | None, Chosen]
ChosenSide = Annotated[Side | None, Chosen]
ChosenText = Annotated[str | None, Chosen]
ChosenNumber = Annotated[int | None, Chosen]


def shelf_of(request: Request) -> Shelf:
    shelf: Shelf = request.app.state.shelf
    return shelf


def frame_of(request: Request, current_page: str) -> Frame:
    links = LINKS
    if request.app.state.settings.review is not None:
        links = (*links, ("Review", "/review"))
    if request.app.state.settings.build is not None:
        links = (*links, ("Build", "/build"))
    if request.app.state.settings.traces is not None:
        links = (*links, ("Traces", "/traces"), ("Sort", "/sort"))
    if not request.state.is_owner:  # an annotator who was invited sees nothing else
        links = tuple(link for link in links if link[0] == current_page)
    return Frame(links=links, here=current_page, live=True, form_token=form_token(request))


def template_values(*records: "DataclassInstance") -> dict[str, object]:
    """The fields of records by their names, as a template knows them; what is in a field stays as it is."""
    values: dict[str, object] = {}
    for record in records:
        for field in fields(record):
            values[field.name] = getattr(record, field.name)
    return values


def page(
    request: Request, template: str, current_page: str, *records: "DataclassInstance", status: int = 200
) -> Response:
    """The page that the template makes of the records: it can use their fields, and nothing else of the app."""
    frame = frame_of(request, current_page)
    return HTMLResponse(render_page(template, frame=frame, **template_values(*records)), status)


@dataclass(frozen=True)
class ShownWayOut:
    """A command that a page offers to copy, with the words before it."""

    lead: str
    command: str


@dataclass(frozen=True)
class MessagePage:
    """What message.html shows."""

    heading: str
    text: str
    faults: tuple[str, ...] = ()
    ways_out: tuple["ShownWayOut", ...] = ()
    is_waiting: bool = False
    n_done: int | None = None
    n_all: int | None = None
    """How much of the work is done; None: unknown."""
    back: Link | None = None
    """The link back for the owner."""
    desk_of_guest: "Desk | None" = None
    """The desk at which a guest sits, for their link back."""
    desk_to_leave: "Desk | None" = None
    """The desk whose cookie opens nothing any more: a button deletes it."""


def error_page(request: Request, status: int, title: str, error: MossbenchError) -> Response:
    """What a user can fix: the message as a sentence, and commands to copy."""
    text = text_on_command_line(error.message)
    sentence = f"{_capital(text)}{'.' if text[-1:].isalnum() else ''}"
    ways_out = (*error.message.ways_out, *error.message.steps)
    return message_page(request, status, title, sentence, ways_out=ways_out)


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def message_page(
    request: Request,
    status: int,
    title: str,
    text: str,
    *,
    faults: tuple[str, ...] = (),
    ways_out: tuple[WayOut, ...] = (),
    current_page: str = "",
) -> Response:
    """What happened, what was kept and what to do; as JSON for programs."""
    if wants_json(request):
        return _json_message(status, title, on_command_line(Message(text, ways_out)), faults)
    desk_of_guest: Desk | None = None
    desk_to_leave: Desk | None = None
    if status < 500:
        desks: Desks = request.app.state.desks
        desk_of_guest = desks.guest_at(request)
        desk_to_leave = desks.to_leave(request)
    content = MessagePage(
        heading=title,
        text=text,
        faults=faults,
        ways_out=tuple(ShownWayOut(_capital(lead(way_out)), as_command(way_out)) for way_out in ways_out),
        back=_link_back(request) if request.state.is_owner else None,
        desk_of_guest=desk_of_guest,
        desk_to_leave=desk_to_leave,
    )
    return page(request, "message.html", current_page, content, status=status)


def _json_message(
    status: int, title: str, text: str, faults: Sequence[str], headers: dict[str, str] | None = None
) -> Response:
    error = {"status": status, "title": title, "text": text, "faults": faults}
    return JSONResponse({"error": error}, status, headers)


def _link_back(request: Request) -> Link:
    """The page in the bar that the address begins with, or Home."""
    path = request.url.path.rstrip("/")
    for name, link in frame_of(request, "").links:
        # The link back from a page that fails is never that page, but may be the page without its query.
        is_this_page = link == path and not request.url.query
        if link != "/" and not is_this_page and path.startswith(link):
            return name, link
    return "Home", "/"


def waiting_page(request: Request, text: str, *, n_done: int | None = None, n_all: int | None = None) -> Response:
    """A page that something is being read, and how far, where that is known; it reloads by itself."""
    if wants_json(request):
        return _json_message(503, text, "", (), {"retry-after": "1"})
    content = MessagePage(f"{text} …", "This page reloads automatically.", is_waiting=True, n_done=n_done, n_all=n_all)
    response = page(request, "message.html", "", content)
    # Without the address, a browser at an address with a fragment would not reload. Two slashes would lead elsewhere.
    path = "/" + quote(request.scope["path"].lstrip("/"))
    query = f"?{request.url.query}" if request.url.query else ""
    response.headers["refresh"] = f"1; url={path}{query}"
    return response


def wants_json(request: Request) -> bool:
    return request.url.path.endswith(".json") or request.headers.get("accept", "").startswith("application/json")


def address(path: str, **query: QueryValue) -> str:
    """The path with a query of all values that are not None or empty."""
    pairs = [(name, value) for name, value in query.items() if value not in (None, "", [], ())]
    return f"{path}?{urlencode(pairs, doseq=True)}" if pairs else path


def model_address(model: str, protocol: str | None = None) -> str:
    """The page of a model; a name with parts such as `..`, which a browser would resolve, goes into the query."""
    if any(part in ("", ".", "..") for part in model.split("/")):
        return address("/models", model=model, protocol=protocol)
    return address(f"/models/{quote(model)}", protocol=protocol)


def picture_address(data: Data, sample: Sample | None, size: int, arm: Arm = PLAIN) -> str:
    """The address of the picture that the arm shows for the sample; empty where there is none."""
    if data.dataset is None or sample is None or sample.key not in data.by_key or not arm.shows_picture(sample):
        return ""
    if sample.image and arm.picture == "own" and data.dataset.changed(sample, sample.image):
        return ""
    choice = None if arm.picture == "own" else arm.picture
    return address("/picture", data=data.key, side=sample.side.value, id=sample.id, size=size, shown=choice)


def run_code(name: str) -> str:
    """Six letters and digits, computed from the name of a run, which may be too long for an address."""
    number = int.from_bytes(hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:8])
    return "".join(_LETTERS[number // 36**place % 36] for place in range(6))


def run_address(name: str) -> str:
    """The page of a run, by the name of its folder."""
    return f"/runs/{quote(name, safe='')}"


def refused_address(run: str, data: str | None, **filters: QueryValue) -> str:
    """The harmless samples that a run refused; `filters` as the page of samples has them."""
    return address("/samples", data=data, side=Side.BENIGN.value, refused=run, **filters)


def explorer_address(runs: Iterable[str], key: SampleKey | None = None) -> str:
    """The explorer with these runs, at this sample or at the first."""
    codes = "-".join(run_code(name) for name in runs)
    if key is None:
        return address("/explorer", m=codes)
    side, id = key
    return address("/explorer", m=codes, side=side.value if side is not Side.BENIGN else None, id=id)


def download(content: str, name: str, media_type: str) -> Response:
    return Response(content, media_type=media_type, headers={"content-disposition": f'attachment; filename="{name}"'})
