"""Sort: a queue of requests from a log, one key each; the answer is not shown."""

from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from mossbench.annotation.store import Item
from mossbench.errors import Code, UsageError
from mossbench.images.preparing import thumbnail
from mossbench.plumbing.untrusted_files import read_file
from mossbench.traces.folder import TracesFolder
from mossbench.traces.queue_texts import QueueTexts
from mossbench.traces.sorting import read_harmfulness
from mossbench.web.desk_pages import LabelValue, check_may_see, seat_routes, work_page
from mossbench.web.desks import Desk
from mossbench.web.pages import ChosenText

router = APIRouter(prefix="/sort")
_IMAGE_SIDE = 1024
"""Pixels of the longer side."""


@dataclass(frozen=True)
class RequestShown:
    """What sort.html shows of a request besides its text."""

    n_pictures: int
    is_text_only: bool
    history: Sequence[tuple[str, str]]
    """Who said what before it."""


def desk_of(request: Request) -> Desk:
    desk: Desk | None = request.app.state.desks.sort
    if desk is None:
        raise UsageError("no requests to sort; start with: mossbench traces serve TRACES", code=Code.NOT_FOUND)
    return desk


def _in_words(value: LabelValue) -> str:
    return str(value["harmfulness"]).capitalize()


seat_routes(router, desk_of, lambda form: read_harmfulness(str(form.get("harmfulness", ""))), _in_words)


@router.get("")
def sort_page(request: Request, item: ChosenText = None, ahead: ChosenText = None) -> Response:
    desk = desk_of(request)
    texts = _texts_of(request)

    def shown(next_item: Item) -> RequestShown:
        trace = texts.trace(next_item)
        if trace is None:
            return RequestShown(0, True, ())
        n_pictures = sum(bool(image.file) for image in trace.images)
        history = [(turn.role, turn.text) for turn in trace.history]
        return RequestShown(n_pictures, not trace.images, history)

    return work_page(request, desk, "sort.html", item, ahead, shown, _in_words)


def _texts_of(request: Request) -> QueueTexts:
    texts: QueueTexts = request.app.state.desks.queue_texts
    return texts


@router.get("/picture/{ref}")
def picture(request: Request, ref: str, at: int = 0) -> Response:
    """An image of a request, at an address that says nothing about it."""
    desk = desk_of(request)
    check_may_see(request, desk, ref)
    path = request.app.state.settings.traces
    trace = _texts_of(request).trace(desk.store.item(ref))
    names = [image.file for image in trace.images if image.file] if trace is not None else []
    if not 0 <= at < len(names):
        raise UsageError("no such image", code=Code.NOT_FOUND)
    data = thumbnail(read_file(TracesFolder.open(path).image_path(names[at])), _IMAGE_SIDE)
    return Response(data, media_type="image/webp", headers={"cache-control": "private, max-age=3600"})
