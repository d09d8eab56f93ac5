"""Who may use the app, and what a page may do.

Every request passes `Gate` before any page sees it:
  0. It gives its length in one way: a request that gives two could be two requests to a proxy and one here.
  1. The Host header is a loopback name, an address in numbers, or a name in the settings: another name that leads here
     (DNS rebinding) is rejected.
  2. Where the app has a token, it comes in a cookie (SameSite=Strict, HttpOnly) or an Authorization header; in an
     address only once, to be put into the cookie. An annotator's own cookie opens the pages of their desk that
     DESK_ROLES gives to their role; everything else is for the owner alone. Where the app has no token, the owner is
     whoever connects from this machine, not through a proxy, in a browser without a guest's cookie, whether the link
     of that guest works, was revoked, or is for a desk of another app or file on this host.
  3. A write has an Origin that is this host, and its body is no larger than its page allows; `read_form` then compares
     the form's token with the one that is computed from the cookie.
Every answer has a content security policy that lets nothing run or load but the app's own files.
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
"""Each may also do what the roles before it may."""
DESK_ROLES = {
    **dict.fromkeys(("", "label", "leave", "mine", "picture"), "guest"),
    **dict.fromkeys(("agreement", "conflicts", "decide", "export", "item", "labels", "results"), "reviewer"),
}
"""The part of an address after the name of a desk -> the lowest role that may open it."""
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
"""Digits of a Content-Length; a longer one is rejected."""
UPLOADS = ("/leaderboard/submit",)
FORWARDING = ("forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "true-client-ip", "client-ip")
"""Headers that proxies add to what they pass on."""
FORWARDING_STARTS = ("x-forwarded", "x-original", "x-envoy", "cf-", "fastly-")
"""Beginnings of other such headers."""
IN_PROCESS = "testclient"
"""The client address of Starlette's TestClient, which calls within the process: no socket can have it."""


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
    """ASGI middleware: rejects requests that are not allowed, and adds the security headers to every answer."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        settings: Settings,
        error_response: Callable[[Request, Exception], Response],
        role_at: Callable[[str, Request], str | None],
        is_guests: Callable[[Request], bool],
        may_leave: Callable[[Request], bool],
    ) -> None:
        self.app = app
        self.settings = settings
        self.error_response = error_response
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
        request = Request(scope)
        sender = _Sender(send, scope, headers_only=headers_only)
        try:
            answer = self._check_request(request)
            if answer is None:
                await self.app(scope, _limited(request, receive), sender)
                return
        except ClientDisconnect:
            return  # nobody is there to read an answer
        except Refused as error:
            answer = self.error_response(request, error)
            if isinstance(error, UnclearLength):
                answer.headers["connection"] = "close"
        except Exception as error:
            _LOG.exception("%s %s", request.method, request.url.path)
            if sender.started:
                return
            answer = self.error_response(request, error)
        await answer(scope, receive, sender)

    def _check_request(self, request: Request) -> Response | None:
        """None when the request is allowed; the answer that takes a token from the address; otherwise a Refused."""
        check_framing(request)
        host = request.headers.get("host", "")
        if not allowed_host(host, self.settings):
            raise Refused(
                421, f"This app does not accept the host name {host!r}. To accept it, start the app with --allow-host."
            )
        state = {**request.scope.get("state", {}), "is_owner": self._is_owner(request)}
        request.scope["state"] = state
        if request.method != "GET":
            check_origin(request)
        if self.settings.token is not None:
            answer = self._answer_to_token(request, self.settings.token)
            if answer is not None:
                return answer
        elif not request.cookies.get(own_cookie(request)):  # the tokens of its forms are computed from it
            state["new_cookie"] = secrets.token_urlsafe(24)
        path = request.url.path
        if state["is_owner"] or path.startswith(OPEN_TO_ALL) or self._may_use_desk(request):
            return None
        if self.may_leave(request):
            return None
        if self.settings.token is None:
            raise Refused(403, self._why_not_owner(request))
        raise Refused(401, "This page needs the server's token. Open the address that the server printed at its start.")

    def _answer_to_token(self, request: Request, token: str) -> Response | None:
        """What answers a request whose address has the server's token; None where it has none."""
        given_token = request.query_params.get("token", "")
        is_invitation = request.url.path.endswith("/enter")  # its token is that of a guest
        if request.method != "GET" or not given_token or is_invitation:
            return None
        if not is_same_secret(given_token, token):
            raise Refused(401, "The token in the address is wrong. Open the address that the server printed.")
        return _take_token(request, given_token)

    def _may_use_desk(self, request: Request) -> bool:
        """Whether this is an address of a desk that its reader has a seat at; a Refused where their role is too low."""
        path = request.url.path
        role = self.role_at(path, request) if path.startswith(OPEN_TO_ANNOTATORS) else None
        if not role:
            return False
        request.scope["state"]["role"] = role
        page_of_desk = f"{path}/".split("/")[2]
        needed_role = DESK_ROLES.get(page_of_desk, "owner")
        if ROLES.index(role) < ROLES.index(needed_role):
            allowed = "reviewers and the owner" if needed_role == "reviewer" else "the owner"
            raise Refused(403, f"Only {allowed} of this app may do that.")
        return True

    def _is_owner(self, request: Request) -> bool:
        token = self.settings.token
        if token is None:
            return is_from_this_machine(request) and not self.is_guests(request)
        cookie = request.cookies.get(own_cookie(request), "")
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        return is_same_secret(cookie, token) or is_same_secret(bearer, token)

    def _why_not_owner(self, request: Request) -> str:
        """Why somebody is not the owner of an app without a token."""
        if not is_from_this_machine(request):
            return (
                "This app has no token, so only a browser on the same machine may open it, and not through a proxy. "
                "To open it from elsewhere, start it with --token."
            )
        if any(self.role_at(path, request) for path in OPEN_TO_ANNOTATORS):
            return (
                "You signed in with a link for labelling, which opens only the pages for labelling. "
                "To see the rest of the app, leave."
            )
        return (
            "The link or name that this browser signed in with no longer works, or belongs to another app or file of "
            "labels on this host. Ask for a new link. If this app is yours, open it in another browser or in a "
            "private window, or delete the cookies of this host."
        )


def check_framing(request: Request) -> None:
    """An UnclearLength where the request gives the length of its body in more than one way.

    Proxies and servers differ in which one they use, so that one could see a second request in what is a body to the
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
    """Whether the connection comes from this machine, and no proxy says that it forwards another's.

    The Host header proves nothing: whoever connects writes it.
    """
    if any(name in FORWARDING or name.startswith(FORWARDING_STARTS) for name in request.headers):
        return False
    if request.client is None:  # a socket file: what connects to it is a proxy
        return False
    return request.client.host == IN_PROCESS or is_loopback(request.client.host)


def own_cookie(request: Request) -> str:
    """The cookie's name; it has the port, because browsers send a host's cookies to every server on it."""
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
    is_own = parts.scheme in ("http", "https") and parts.netloc == request.headers.get("host")
    if not is_own or request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise Refused(
            403, f"This request came from {origin or 'nowhere'!r} and not from a page of this app. Nothing was changed."
        )


def form_token(request: Request) -> str:
    """The token of a form, computed from the browser's cookies, which no other site can read."""
    cookie = request.cookies.get(own_cookie(request)) or request.scope.get("state", {}).get("new_cookie", "")
    parts = ("form", cookie, *(request.cookies.get(name, "") for name in request.app.state.desks.cookies))
    return hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


async def read_form(request: Request) -> FormData:
    """The form of a write whose token is right; a Refused otherwise."""
    form = await request.form(max_files=1, max_fields=200)
    token = form.get("form_token")
    has_cookie = any(request.cookies.get(name) for name in (own_cookie(request), *request.app.state.desks.cookies))
    if request.url.path not in UPLOADS:
        await form.close()  # fields stay, files that nobody asked for go
    if not has_cookie or not isinstance(token, str) or not is_same_secret(token, form_token(request)):
        await form.close()
        raise Refused(
            403, "The form belongs to another session. Go back, reload the page and send it again. Nothing was changed."
        )
    return form


def is_same_secret(text: str, secret: str) -> bool:
    """Whether they are equal, in a time that does not depend on how much of them is; False for an empty secret."""
    return bool(secret) and hmac.compare_digest(text.encode("utf-8", "replace"), secret.encode())


def set_cookie(response: Response, name: str, value: str) -> None:
    response.set_cookie(name, value, max_age=90 * 86400, httponly=True, samesite="strict", path="/")


def page_that_redirects(to: str, *cookies: tuple[str, str]) -> Response:
    """A page that sets cookies and then loads another address.

    Not an HTTP redirect: after a link on another site, a browser would follow it without the Strict cookies.
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
    """Puts the token into the cookie, and loads the same address without it."""
    query = [(name, value) for name, value in request.query_params.multi_items() if name != "token"]
    # One slash: an address that begins with two would lead to another host.
    path = "/" + request.url.path.lstrip("/")
    to = f"{path}?{urlencode(query)}" if query else path
    return page_that_redirects(to, (own_cookie(request), token))


class _Sender:
    """Sends an answer with the security headers, and with a cookie for a browser that has none."""

    def __init__(self, send: Send, scope: Scope, *, headers_only: bool = False) -> None:
        self.send = send
        self.scope = scope
        self.started = False
        self.headers_only = headers_only

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
            cookie = self.scope.get("state", {}).get("new_cookie")
            if cookie and headers.get("content-type", "").startswith("text/html"):
                with_cookie = Response()
                set_cookie(with_cookie, own_cookie(Request(self.scope)), cookie)
                headers.append("set-cookie", with_cookie.headers["set-cookie"])
        elif self.headers_only:  # HEAD: as GET, without the body
            message = {**message, "body": b""}
        await self.send(message)


def _limited(request: Request, receive: Receive) -> Receive:
    """The body as it comes in; a Refused as soon as it is larger than its page allows."""
    # Fields of other forms are parsed one character at a time, and all pages wait for that.
    has_file = request.headers.get("content-type", "").startswith("multipart/form-data")
    limit = UPLOAD_BYTES if has_file and request.url.path in UPLOADS else FORM_BYTES
    length = request.headers.get("content-length", "0")
    is_number = length.isascii() and length.isdigit() and len(length) <= LONGEST_NUMBER
    if not is_number or int(length) > limit:
        raise Refused(413, f"Too large: {length} bytes, at most {limit} are accepted. Nothing was changed.")
    n = 0

    async def receiver() -> Message:
        nonlocal n
        message = await receive()
        n += len(message.get("body", b""))
        if n > limit:
            raise Refused(413, f"Too large: more than {limit} bytes. Nothing was changed.")
        return message

    return receiver
