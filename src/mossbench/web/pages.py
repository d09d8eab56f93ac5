"""What every page has: its frame, its address, its errors and its pictures' addresses."""

import hashlib
import string
from collections.abc import Iterable
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import Request
from pydantic import BeforeValidator
from starlette.responses import HTMLResponse, JSONResponse, Response

from mossbench.datasets.arms import PLAIN, Arm
from mossbench.look.page import Frame, render_page
from mossbench.samples import Sample, Side, Stimulus
from mossbench.web.data import Data
from mossbench.web.security import form_token
from mossbench.web.shelf import Shelf

LINKS: tuple[tuple[str, str], ...] = (
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

# A form sends every field, those that were left alone as empty text.
Chosen = BeforeValidator(lambda value: None if value in ("", None) else value)
ChosenStimulus = Annotated[Stimulus | None, Chosen]
ChosenSide = Annotated[Side | None, Chosen]
ChosenText = Annotated[str | None, Chosen]
ChosenNumber = Annotated[int | None, Chosen]


def shelf_of(request: Request) -> Shelf:
    shelf: Shelf = request.app.state.shelf
    return shelf


def frame_of(request: Request, here: str) -> Frame:
    links = LINKS
    if request.app.state.settings.review is not None:
        links = (*links, ("Review", "/review"))
    if request.app.state.settings.build is not None:
        links = (*links, ("Build", "/build"))
    if not request.state.is_owner:  # an annotator who was invited sees nothing else
        links = tuple(link for link in links if link[0] == here)
    return Frame(links=links, here=here, live=True, form_token=form_token(request))


def page(request: Request, template: str, here: str, *, status: int = 200, **values: Any) -> Response:
    return HTMLResponse(render_page(template, frame=frame_of(request, here), **values), status)


def message_page(
    request: Request, status: int, title: str, text: str, *, faults: tuple[str, ...] = (), here: str = ""
) -> Response:
    """What happened, what was kept and what to do; as JSON for programs."""
    if wants_json(request):
        return JSONResponse({"error": {"status": status, "title": title, "text": text, "faults": faults}}, status)
    desks = request.app.state.desks
    seat = desks.guest_at(request) if status < 500 else None
    left = desks.left_at(request) if status < 500 else None
    path = request.url.path.rstrip("/")
    links = [link for link in frame_of(request, "").links if link[1] != "/"]
    if not request.url.query:  # the way back from a page that fails is never that page
        links = [link for link in links if link[1] != path]
    above = [link for link in links if path.startswith(link[1])]
    back = (*above, ("Home", "/"))[0] if request.state.is_owner else None
    values = {"heading": title, "text": text, "faults": faults, "seat": seat, "left": left, "back": back}
    return page(request, "message.html", here, status=status, **values)


def waiting_page(request: Request, text: str) -> Response:
    if wants_json(request):
        return JSONResponse(
            {"error": {"status": 503, "title": text, "text": "", "faults": []}}, 503, {"retry-after": "1"}
        )
    words: dict[str, Any] = {"heading": f"{text} …", "text": "This page reloads automatically."}
    response = page(request, "message.html", "", **words, faults=(), waiting=True)
    # Without the address, a browser that is at one with a fragment would stay there. Two slashes would lead elsewhere.
    path = "/" + quote(request.scope["path"].lstrip("/"))
    response.headers["refresh"] = f"1; url={path}{'?' + request.url.query if request.url.query else ''}"
    return response


def wants_json(request: Request) -> bool:
    return request.url.path.endswith(".json") or request.headers.get("accept", "").startswith("application/json")


def address(path: str, **query: Any) -> str:
    """The path with a query of what is not None; lists are repeated."""
    pairs = [(name, value) for name, value in query.items() if value not in (None, "", [], ())]
    return f"{path}?{urlencode(pairs, doseq=True)}" if pairs else path


def model_address(model: str, protocol: str | None = None) -> str:
    """The page of a model; a name that a browser would take for steps between folders goes into the query."""
    if any(part in ("", ".", "..") for part in model.split("/")):
        return address("/models", model=model, protocol=protocol)
    return address(f"/models/{quote(model)}", protocol=protocol)


def picture_address(data: Data, sample: Sample | None, size: int, arm: Arm = PLAIN) -> str:
    """Where the picture is that the arm shows for the sample; empty where there is none."""
    if data.dataset is None or sample is None or sample.key not in data.by_key or not arm.shows_picture(sample):
        return ""
    if sample.image and arm.picture == "own" and data.dataset.changed(sample, sample.image):
        return ""
    shown = None if arm.picture == "own" else arm.picture
    return address("/picture", data=data.key, side=sample.side.value, id=sample.id, size=size, shown=shown)


def run_code(name: str) -> str:
    """A run in an address, in six letters and digits; its name, which it follows from, may have eighty."""
    number = int.from_bytes(hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:8])
    return "".join(_LETTERS[number // 36**place % 36] for place in range(6))


def explorer_address(runs: Iterable[str], key: tuple[Side, str] | None = None) -> str:
    """The explorer with these runs, at a sample of what they were asked or at the first."""
    side, id = key or (Side.BENIGN, None)
    shown = side.value if side is not Side.BENIGN else None
    return address("/explorer", m="-".join(map(run_code, runs)), side=shown, id=id)


def download(content: str, name: str, media_type: str) -> Response:
    return Response(content, media_type=media_type, headers={"content-disposition": f'attachment; filename="{name}"'})
