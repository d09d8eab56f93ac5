"""Who may come in, and what a page may do.

Every request passes `Gate` before any page sees it:
  0. Its length is told in one way: a request that names two could be two requests to a proxy and one here.
  1. The Host header is a loopback name, a number, or a name that was told: a stranger's name that leads here
     (DNS rebinding) is rejected.
  2. Where a token is asked for, it comes in a cookie (SameSite=Strict, HttpOnly) or an Authorization header; in an
     address only once, to be put into the cookie. An annotator's own cookie opens the pages of their desk that
     DESK_ROLES gives to their role; everything that is not named there is the owner's. Where no token is asked for,
     the owner is whoever connects from this very machine, not through a proxy, in a browser without a guest's cookie,
     be its link live, revoked, or to a desk of another app or file on this host.
  3. A write has an Origin that is this host, and its body is no larger than its page takes; `check_form` then compares
     the form's token with the one that follows from the cookie.
Every answer carries a policy that lets nothing run or load but the app's own files.
"""

import hashlib
import hmac
import logging
import secrets
from collections.abc import Callable
from html import escape
from urllib.parse import urlencode, urlsplit

from starlette.datastructures import FormData, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mossbench.errors import MossbenchError
from mossbench.web.settings import Settings, is_address, is_loopback, plain_name

_LOG = logging.getLogger("mossbench.web")
OPEN_TO_ANNOTATORS = ("/annotate", "/review")
ROLES = ("guest", "reviewer", "owner")
"""Each may do what those before it may."""
DESK_ROLES = {
    **dict.fromkeys(("", "label", "leave", "mine", "picture"), "guest"),
    **dict.fromkeys(("agreement", "conflicts", "decide", "export", "item", "labels", "results"), "reviewer"),
}
"""Who may open what stands after the name of a desk in an address."""
OPEN_TO_ALL = ("/assets/", "/annotate/enter", "/review/enter")
POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    # With no-referrer a browser would send "Origin: null" with our own forms.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
FORM_BYTES = 64_000
UPLOAD_BYTES = 21_000_000
"""A submission may have 20 MB, and a form wraps it."""
LONGEST_NUMBER = 20
"""Digits of a length that are read at all."""
UPLOADS = ("/leaderboard/submit",)


FORWARDING = ("forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "true-client-ip", "client-ip")
"""Headers that proxies add to what they pass on."""
FORWARDING_STARTS = ("x-forwarded", "x-original", "x-envoy", "cf-", "fastly-")
"""How others of these begin."""
IN_PROCESS = "testclient"
"""The address that Starlette's TestClient gives: a call within the process, which no socket can be the source of."""


class Refused(MossbenchError):
    """A request that is rejected, with the HTTP status that says so."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class UnclearLength(Refused):
    """A request whose end can be read in two ways: nothing after it may be taken for the next one."""

    def __init__(self, message: str) -> None:
        super().__init__(400, f"{message} Nothing was changed.")


class Gate:
    """ASGI middleware: rejects what may not come in, and puts the policy onto every answer."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        settings: Settings,
        refuse: Callable[[Request, Exception], Response],
        role_at: Callable[[str, Request], str | None],
        is_guests: Callable[[Request], bool],
        may_leave: Callable[[Request], bool],
    ) -> None:
        self.app, self.settings, self.refuse = app, settings, refuse
        self.role_at = role_at
        self.is_guests = is_guests
        self.may_leave = may_leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return  # no web sockets here
        headers_only = scope["method"] == "HEAD"
        scope = {**scope, "method": "GET"} if headers_only else scope
        request, sender = Request(scope), _Sender(send, scope, headers_only=headers_only)
        try:
            answer = self._enter(request)
            if answer is None:
                await self.app(scope, _limited(request, receive), sender)
                return
        except ClientDisconnect:
            return  # nobody is there to be told
        except Refused as refused:
            answer = self.refuse(request, refused)
            if isinstance(refused, UnclearLength):
                answer.headers["connection"] = "close"
        except Exception as error:
            _LOG.exception("%s %s", request.method, request.url.path)
            if sender.started:
                return
            answer = self.refuse(request, error)
        await answer(scope, receive, sender)

    def _enter(self, request: Request) -> Response | None:
        """Nothing when the request may go on; a Refused, or the answer that takes a token from the address."""
        check_framing(request)
        host = request.headers.get("host", "")
        if not allowed_host(host, self.settings):
            raise Refused(
                421, f"This app does not accept the host name {host!r}. To accept it, start the app with --allow-host."
            )
        request.scope["state"] = {**request.scope.get("state", {}), "is_owner": self._is_owner(request)}
        if request.method != "GET":
            check_origin(request)
        given = request.query_params.get("token", "")
        path = request.url.path
        if self.settings.token is None:
            if not request.cookies.get(own_cookie(request)):  # the tokens of its forms are made from it
                request.scope["state"]["new_cookie"] = secrets.token_urlsafe(24)
        elif request.method == "GET" and given and not path.endswith("/enter"):
            if not same(given, self.settings.token):
                raise Refused(401, "The token in the address is wrong. Open the address that the server printed.")
            return _take_token(request, given)
        if request.scope["state"]["is_owner"] or path.startswith(OPEN_TO_ALL):
            return None
        if path.startswith(OPEN_TO_ANNOTATORS) and (role := self.role_at(path, request)):
            request.scope["state"]["role"] = role
            needed = DESK_ROLES.get((path.split("/") + [""])[2], "owner")
            if ROLES.index(role) >= ROLES.index(needed):
                return None
            who = "reviewers and the owner" if needed == "reviewer" else "the owner"
            raise Refused(403, f"Only {who} of this app may do that.")
        if self.may_leave(request):
            return None
        if self.settings.token is None:
            raise Refused(403, self._why_not_owner(request))
        raise Refused(401, "This page needs the server's token. Open the address that the server printed at its start.")

    def _is_owner(self, request: Request) -> bool:
        if self.settings.token is None:
            return is_from_this_machine(request) and not self.is_guests(request)
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        return same(request.cookies.get(own_cookie(request), ""), self.settings.token) or same(
            bearer, self.settings.token
        )

    def _why_not_owner(self, request: Request) -> str:
        """What stands in the way of somebody who is not the owner of an app without a token."""
        if not is_from_this_machine(request):
            return (
                "This app has no token, so only a browser on its own machine, without a proxy between them, may open "
                "it. To open it from elsewhere, start it with --token."
            )
        if any(self.role_at(path, request) for path in OPEN_TO_ANNOTATORS):
            return (
                "You came by a link for labelling, which opens only what there is to label. "
                "To see the rest of the app, leave."
            )
        return (
            "The link or the name that this browser came in with no longer works, or is of another app or file of "
            "labels on this host. Ask for a new link. If this app is yours, open it in another browser or in a "
            "private window, or delete the cookies of this host."
        )


def check_framing(request: Request) -> None:
    """An UnclearLength where the length of the body is told in more than one way.

    Proxies and servers differ in which they believe, so that one could see a second request in what is a body to the
    other.
    """
    lengths = request.headers.getlist("content-length")
    encodings = request.headers.getlist("transfer-encoding")
    if lengths and encodings:
        raise UnclearLength("The request has both Content-Length and Transfer-Encoding; send one of them.")
    if len(lengths) > 1 or len(encodings) > 1:
        name = "Content-Length" if len(lengths) > 1 else "Transfer-Encoding"
        raise UnclearLength(f"The request has several {name} headers; send one.")
    if encodings and request.scope.get("http_version") == "1.0":
        raise UnclearLength("The request is of HTTP/1.0, which has no Transfer-Encoding.")


def is_from_this_machine(request: Request) -> bool:
    """Whether the connection is one of this machine with itself, and no proxy says that it passes on another's.

    The Host header says nothing: whoever connects writes it.
    """
    if any(name in FORWARDING or name.startswith(FORWARDING_STARTS) for name in request.headers):
        return False
    if request.client is None:  # a socket file: what connects to it is a proxy
        return False
    return request.client.host == IN_PROCESS or is_loopback(request.client.host)


def own_cookie(request: Request) -> str:
    """The cookie's name; it has the port, for browsers send a host's cookies to every server on it."""
    port = request.headers.get("host", "").rpartition(":")[2]
    return f"mossbench_{port}" if port.isascii() and port.isdigit() else "mossbench"


def allowed_host(host: str, settings: Settings) -> bool:
    """Whether the app may be called by this Host header."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
        _ = urlsplit(f"//{host}").port
    except ValueError:
        return False
    if name == "localhost" or plain_name(name) in settings.host_names:
        return True
    if settings.is_local:
        return name in ("127.0.0.1", "::1", settings.host)
    return is_address(name) or name == settings.host


def check_origin(request: Request) -> None:
    """A Refused unless the write comes from a page of this app."""
    origin = request.headers.get("origin")
    parts = urlsplit(origin or "")
    own = parts.scheme in ("http", "https") and parts.netloc == request.headers.get("host")
    if not own or request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise Refused(
            403, f"This request came from {origin or 'nowhere'!r} and not from a page of this app. Nothing was changed."
        )


def form_token(request: Request) -> str:
    """What a form carries: it follows from the browser's cookie, which no other site can read."""
    cookie = request.cookies.get(own_cookie(request)) or request.scope.get("state", {}).get("new_cookie", "")
    parts = ("form", cookie, *(request.cookies.get(seat, "") for seat in request.app.state.desks.cookies))
    return hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


async def read_form(request: Request) -> FormData:
    """The form of a write whose token is right; a Refused otherwise."""
    form = await request.form(max_files=1, max_fields=200)
    given = form.get("form_token")
    known = any(request.cookies.get(name) for name in (own_cookie(request), *request.app.state.desks.cookies))
    if request.url.path not in UPLOADS:
        await form.close()  # fields stay, files that nobody asked for go
    if not known or not isinstance(given, str) or not same(given, form_token(request)):
        await form.close()
        raise Refused(
            403, "The form belongs to another session. Go back, reload the page and send it again. Nothing was changed."
        )
    return form


def same(given: str, wanted: str) -> bool:
    """Equal, in a time that tells nothing about how nearly."""
    return bool(wanted) and hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


def set_cookie(response: Response, name: str, value: str) -> None:
    response.set_cookie(name, value, max_age=90 * 86400, httponly=True, samesite="strict", path="/")


def go_on(to: str, *cookies: tuple[str, str]) -> Response:
    """A page that sets cookies and goes on by itself.

    Not a redirect: after a link from elsewhere a browser would not send Strict cookies along with that.
    """
    quoted = escape(to)
    response = HTMLResponse(
        '<!doctype html><meta charset="utf-8"><title>mossbench</title>'
        f'<meta http-equiv="refresh" content="0; url={quoted}">'
        f'<p><a href="{quoted}">Continue</a></p>'
    )
    for name, value in cookies:
        set_cookie(response, name, value)
    return response


def redirect(to: str) -> Response:
    return RedirectResponse(to, status_code=303)


def _take_token(request: Request, token: str) -> Response:
    rest = [(name, value) for name, value in request.query_params.multi_items() if name != "token"]
    # One slash: an address that begins with two would lead to another host.
    path = "/" + request.url.path.lstrip("/")
    return go_on(path + (f"?{urlencode(rest)}" if rest else ""), (own_cookie(request), token))


class _Sender:
    """Sends an answer with the policy, and with the cookie of a browser that had none."""

    def __init__(self, send: Send, scope: Scope, *, headers_only: bool = False) -> None:
        self.send, self.scope, self.started, self.headers_only = send, scope, False, headers_only

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
            cookie = self.scope.get("state", {}).get("new_cookie")
            if cookie and headers.get("content-type", "").startswith("text/html"):
                giving = Response()
                set_cookie(giving, own_cookie(Request(self.scope)), cookie)
                headers.append("set-cookie", giving.headers["set-cookie"])
        elif self.headers_only:  # HEAD: as GET, without the body
            message = {**message, "body": b""}
        await self.send(message)


def _limited(request: Request, receive: Receive) -> Receive:
    """The body as it comes in, until it is larger than its page takes."""
    # Fields of other forms are told apart one character at a time, and all pages wait for that.
    has_file = request.headers.get("content-type", "").startswith("multipart/form-data")
    limit = UPLOAD_BYTES if has_file and request.url.path in UPLOADS else FORM_BYTES
    told = request.headers.get("content-length", "0")
    is_number = told.isascii() and told.isdigit() and len(told) <= LONGEST_NUMBER
    if not is_number or int(told) > limit:
        raise Refused(413, f"Too large: {told} bytes, at most {limit} are accepted. Nothing was changed.")
    n = 0

    async def receiver() -> Message:
        nonlocal n
        message = await receive()
        n += len(message.get("body", b""))
        if n > limit:
            raise Refused(413, f"Too large: more than {limit} bytes. Nothing was changed.")
        return message

    return receiver
