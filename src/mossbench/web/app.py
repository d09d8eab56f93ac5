"""The app: pages put together behind the access control, and what is shown when something goes wrong."""

import gc
import warnings
from collections.abc import AsyncIterator, Callable
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib import import_module
from itertools import chain
from threading import Event, Thread

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from mossbench.errors import Code, MossbenchError, StorageError
from mossbench.look import assets
from mossbench.plumbing.untrusted_files import fault_words
from mossbench.web.desks import Desks
from mossbench.web.pages import error_page, message_page, waiting_page
from mossbench.web.security import AccessControl, RequestRejected
from mossbench.web.settings import Settings
from mossbench.web.shelf import Shelf, StillReading, wait_until_read

PAGES = {
    "samples": ["samples"],
    "explorer": ["explorer"],
    "search": ["search"],
    "leaderboard": ["leaderboard"],
    "compare": ["compare"],
    "review": ["review", "twins"],
    "sort": ["sorting"],
    "traces": ["traces"],
    "build": ["build"],
    "": ["home"],
    "models": ["model"],
    "runs": ["runs", "analyses"],
    "annotate": ["annotate", "agreement"],
    "picture": ["pictures"],
}
"""The first part of an address -> the modules with its pages, which are imported at the first such request."""
MAX_FAULTS = 10
LONGEST_REST = 1.0
"""Seconds after the start in which nothing is read unless a page is asked for."""
ASSETS: dict[str, tuple[str, Callable[[], str]]] = {
    "style.css": ("text/css", assets.style_sheet),
    "ui.js": ("text/javascript", assets.page_script),
    "app.js": ("text/javascript", assets.app_script),
}
"""Name in addresses -> media type, and the function that returns the text."""
TITLES = {
    400: "This address is not valid",
    401: "Sign-in needed",
    403: "Not allowed",
    404: "Not found",
    413: "Too large",
    421: "Unknown host name",
}


def create_app(settings: Settings, *, is_demo_running: Callable[[], bool] = lambda: False) -> FastAPI:
    """The app for these settings; it reads runs in the background once its first page is made.

    `is_demo_running` says whether runs of control models are still being made.
    """
    shelf = Shelf(settings)
    desks = Desks(settings)
    # FastAPI silences this while it adds a page, and another thread that changes the filters may undo that.
    warnings.filterwarnings("ignore", "The 'alias' attribute")

    closing = Event()
    is_first_page_made = Event()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        reader = Thread(target=read_after_first_page, args=(shelf, is_first_page_made, closing), daemon=True)
        reader.start()
        yield
        closing.set()
        is_first_page_made.set()
        shelf.close()
        reader.join(timeout=3.0)  # for a page that is being imported; what is being read ends with the process

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    app.state.settings = settings
    app.state.shelf = shelf
    app.state.desks = desks
    app.state.is_demo_running = is_demo_running
    app.add_api_route("/assets/{name}", _asset, methods=["GET"])
    for error_type in (MossbenchError, RequestValidationError, HTTPException, StillReading):
        app.add_exception_handler(error_type, _error_response)
    app.add_middleware(_Pages, pages=app, is_first_page_made=is_first_page_made)
    app.add_middleware(
        AccessControl,
        settings=settings,
        error_response=_access_error_response,
        role_at=desks.role_at,
        is_guests=desks.is_guests,
        may_leave=desks.may_leave,
    )
    return app


class _Pages:
    """Imports pages and adds them to the app at the first request for one of their addresses."""

    def __init__(self, app: ASGIApp, pages: FastAPI, is_first_page_made: Event) -> None:
        self._app = app
        self._pages = pages
        self._is_first_page_made = is_first_page_made
        self._missing = dict(PAGES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            first_part = scope["path"].split("/")[1]
            if first_part in self._missing:
                modules = [import_module(f"mossbench.web.{name}") for name in self._missing[first_part]]
                for module in modules:
                    self._pages.include_router(module.router)
                del self._missing[first_part]  # only now: an import that failed is tried again
        await self._app(scope, receive, send)
        if scope["type"] == "http":
            self._is_first_page_made.set()


def read_after_first_page(shelf: Shelf, is_first_page_made: Event, closing: Event) -> None:
    """Reads everything once the first page is made, whose imports it would slow down, or when none is asked for."""
    is_first_page_made.wait(LONGEST_REST)
    if not closing.is_set():
        read_everything(shelf, closing)


def read_everything(shelf: Shelf, closing: Event) -> None:
    """Reads all runs and datasets, imports all pages and ranks the models, until `closing` is set.

    In the end all of it is kept out of garbage collections, each of which would stop all pages for 0.3 s.
    """
    from mossbench.web import home, leaderboard, pictures

    pictures.warm_up()
    shelf.read_everything()
    for make in (home.make_home, leaderboard.make_first_boards):
        # The page will say what is wrong; or the shelf was closed.
        with suppress(MossbenchError, RuntimeError, CancelledError):
            wait_until_read(partial(make, shelf))
    for name in chain.from_iterable(PAGES.values()):
        if closing.is_set():
            return
        import_module(f"mossbench.web.{name}")
    gc.freeze()


def _asset(name: str) -> Response:
    if name not in ASSETS:
        raise HTTPException(404)
    headers = {"cache-control": "public, max-age=31536000, immutable"}  # addresses carry a hash of the content
    media_type, make_text = ASSETS[name]
    return Response(make_text(), media_type=media_type, headers=headers)


def _access_error_response(request: Request, error: Exception) -> Response:
    """The page for a rejected request, or for an error in the app itself, which the page does not describe."""
    request.scope["state"] = {"is_owner": False, **request.scope.get("state", {})}
    if isinstance(error, RequestRejected):
        title = "Request failed" if error.status == 400 else TITLES.get(error.status, "Not allowed")
        return message_page(request, error.status, title, str(error))
    text = "This is an error in the app. Your saved work is kept. The terminal shows the details."
    return message_page(request, 500, "Internal error", text)


async def _error_response(request: Request, error: Exception) -> Response:
    """The page for what a user can fix or wait for: the message, and every fault where there are several."""
    if isinstance(error, StillReading):
        return waiting_page(request, str(error), n_done=error.n_done, n_all=error.n_all)
    if isinstance(error, RequestValidationError):
        faults = tuple(_fault_message(fault) for fault in error.errors()[:MAX_FAULTS])
        return message_page(request, 400, TITLES[400], "A value in it is not valid for this page.", faults=faults)
    if isinstance(error, HTTPException):
        text = "There is no page at this address." if error.status_code == 404 else str(error.detail)
        return message_page(request, error.status_code, TITLES.get(error.status_code, "Request failed"), text)
    status = _status_of(error)
    title = "Request failed" if status == 400 else TITLES.get(status, "Request failed")
    if isinstance(error, MossbenchError):
        return error_page(request, status, title, error)
    text = str(error)
    return message_page(request, status, title, f"{text[:1].upper()}{text[1:]}{'.' if text[-1:].isalnum() else ''}")


def _fault_message(fault: ErrorDetails) -> str:
    """The name of a field in the address, and what is wrong with it."""
    field = ".".join(str(part) for part in fault["loc"][1:])
    return f"{field} {fault_words(fault)}"


def _status_of(error: Exception) -> int:
    if isinstance(error, MossbenchError) and error.code is Code.NOT_FOUND:
        return 404
    if isinstance(error, RequestRejected):
        return error.status
    if isinstance(error, StorageError):
        return 507
    return 400
