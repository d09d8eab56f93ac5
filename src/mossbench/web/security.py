"""Who may use the app, and what a page may do.

Every request passes `AccessControl` before any page sees it. The checks, in their order:
  1. Length: the request gives the length of its body in one way. A proxy could take a request that gives it in two
     ways for two requests.
  2. Host: the Host header is a loopback name, an IP address, or a name in the settings. Other names that lead to this
     machine (DNS rebinding) are rejected.
  3. Origin: a write comes from a page of this host.
  4. Token: if the app has a token, the request has it in a cookie (SameSite=Strict, HttpOnly) or in an Authorization
     header. In an address the token is accepted once and moved to the cookie.
  5. Role: the owner may open every page. A guest's cookie opens the pages that DESK_ROLES gives to the guest's role.
     If the app has no token, the owner is whoever connects from this machine, without a proxy, in a browser without a
     guest's cookie. A guest's cookie counts even if its link was revoked or belongs to another app on this host.
  6. Size: the body of a write is no larger than its page allows.
`read_form` then compares the token of a form with the token that is computed from the cookie.
Every response has a content security policy: a page can run and load only the files of the app.
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
COOKIE_SECONDS = 90 * 86400
"""90 days."""
DESKS = ("/annotate", "/review", "/sort")
"""The pages for labelling answers, reviewing candidates and sorting requests, which guests may open."""
ROLES = ("guest", "reviewer", "owner")
"""In rising order: a role may do everything that the roles before it may do."""
DESK_ROLES = {
    **dict.fromkeys(("", "label", "leave", "mine", "picture"), "guest"),
    **dict.fromkeys(("agreement", "conflicts", "decide", "export", "item", "labels", "results", "twins"), "reviewer"),
}
"""The part of an address after the name of a desk -> the lowest role that may open the address."""
OPEN_TO_ALL = ("/assets/", "/annotate/enter", "/review/enter", "/sort/enter")
"""Beginnings of addresses that need no role; a guest signs in at the last three."""
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
MAX_FORM_BYTES = 64_000
"""Bytes of a form without a file."""
MAX_UPLOAD_BYTES = 21_000_000
"""A submission may have 20 MB; the form around it adds up to 1 MB."""
MAX_LENGTH_DIGITS = 20
"""The most digits of a Content-Length; a longer number is rejected before it is converted."""
UPLOAD_PATHS = ("/leaderboard/submit",)
"""The only pages whose forms may have a file."""
PROXY_HEADERS = ("forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "true-client-ip", "client-ip")
"""Headers that proxies add to requests that they forward."""
PROXY_HEADER_STARTS = ("x-forwarded", "x-original", "x-envoy", "cf-", "fastly-")
"""Beginnings of other headers that proxies add."""
TEST_CLIENT = "testclient"
"""The client address of Starlette's TestClient, which calls within the process: no socket can have it."""


class RequestRejected(MossbenchError):
    """A request is rejected; `status` is the HTTP status of the response."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class AmbiguousLength(RequestRejected):
    """A request whose end is ambiguous. The connection is closed, so that no rest of it is read as the next request."""

    def __init__(self, message: str) -> None:
        super().__init__(400, f"{message} Nothing was changed.")


class AccessControl:
    """ASGI middleware: rejects requests that are not allowed, and adds the security headers to every response."""

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
        """What it has to know of the app.

        Args:
            app: The app behind it.
            settings: The settings of the app: its token, its hosts.
            error_response: Makes the response to a rejected request or to an error.
            role_at: The role that the guest of a request has at the desk with this address; None without a role.
            is_guests: Whether a cookie shows that the browser is a guest's, also if its link no longer works.
            may_leave: Whether the request only deletes a cookie that opens nothing.
        """
        self.app = app
        self.settings = settings
        self.error_response = error_response
        self.role_at = role_at
        self.is_guests = is_guests
        self.may_leave = may_leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # the app has no web sockets
        headers_only = scope["method"] == "HEAD"
        scope = {**scope, "method": "GET"} if headers_only else scope
        request = Request(scope)
        sender = _Sender(send, scope, headers_only=headers_only)
        try:
            response = self._check_request(request)
            if response is None:
                await self.app(scope, _limit_body(request, receive), sender)
                return
        except ClientDisconnect:
            return  # nobody can read a response
        except RequestRejected as error:
            response = self.error_response(request, error)
            if isinstance(error, AmbiguousLength):
                response.headers["connection"] = "close"
        except Exception as error:
            _LOG.exception("%s %s", request.method, request.url.path)
            if sender.has_started:
                return
            response = self.error_response(request, error)
        await response(scope, receive, sender)

    def _check_request(self, request: Request) -> Response | None:
        """Raises RequestRejected if the request is not allowed.

        Returns None if it is allowed, or the response that moves a token from the address to the cookie.
        """
        check_length_headers(request)
        check_host(request, self.settings)
        state = {**request.scope.get("state", {}), "is_owner": self._is_owner(request)}
        request.scope["state"] = state
        if request.method != "GET":
            check_origin(request)
        if self.settings.token is not None:
            response = self._respond_to_token(request, self.settings.token)
            if response is not None:
                return response
        elif not request.cookies.get(own_cookie(request)):
            # The tokens of forms are computed from this cookie.
            state["new_cookie"] = secrets.token_urlsafe(24)
        path = request.url.path
        if state["is_owner"] or path.startswith(OPEN_TO_ALL) or self._may_use_desk(request):
            return None
        if self.may_leave(request):
            return None
        if self.settings.token is None:
            raise RequestRejected(403, self._why_not_owner(request))
        raise RequestRejected(
            401, "This page needs the server's token. Open the address that the server printed at its start."
        )

    def _respond_to_token(self, request: Request, token: str) -> Response | None:
        """The response to an address with the server's token; None if the address has no token of the server."""
        given_token = request.query_params.get("token", "")
        is_invitation = request.url.path.endswith("/enter")  # its token is that of a guest
        if request.method != "GET" or not given_token or is_invitation:
            return None
        if not is_same_secret(given_token, token):
            raise RequestRejected(401, "The token in the address is wrong. Open the address that the server printed.")
        return _move_token_to_cookie(request, given_token)

    def _may_use_desk(self, request: Request) -> bool:
        """Whether the request opens a desk of its guest; raises RequestRejected if the guest's role is too low."""
        path = request.url.path
        role = self.role_at(path, request) if path.startswith(DESKS) else None
        if not role:
            return False
        request.scope["state"]["role"] = role
        page_of_desk = f"{path}/".split("/")[2]
        needed_role = DESK_ROLES.get(page_of_desk, "owner")
        if ROLES.index(role) < ROLES.index(needed_role):
            allowed = "reviewers and the owner" if needed_role == "reviewer" else "the owner"
            raise RequestRejected(403, f"Only {allowed} of this app may do that.")
        return True

    def _is_owner(self, request: Request) -> bool:
        """Whether the request has the app's token; if the app has none, whether it comes from this machine."""
        token = self.settings.token
        if token is None:
            return is_from_this_machine(request) and not self.is_guests(request)
        cookie = request.cookies.get(own_cookie(request), "")
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        return is_same_secret(cookie, token) or is_same_secret(bearer, token)

    def _why_not_owner(self, request: Request) -> str:
        """The reason why a request to an app without a token is not from its owner."""
        if not is_from_this_machine(request):
            return (
                "This app has no token, so only a browser on the same machine may open it, and not through a proxy. "
                "To open it from elsewhere, start it with --token."
            )
        if any(self.role_at(path, request) for path in DESKS):
            return (
                "You signed in with a link for labelling, which opens only the pages for labelling. "
                "To see the rest of the app, leave."
            )
        return (
            "The link or name that this browser signed in with no longer works, or belongs to another app or file of "
            "labels on this host. Ask for a new link. If this app is yours, open it in another browser or in a "
            "private window, or delete the cookies of this host."
        )


def check_length_headers(request: Request) -> None:
    """Raises AmbiguousLength if the request gives the length of its body in more than one way.

    A proxy and a server may use different ones: the server could then take a part of the body for a second request.
    """
    lengths = request.headers.getlist("content-length")
    encodings = request.headers.getlist("transfer-encoding")
    if lengths and encodings:
        raise AmbiguousLength("The request has both Content-Length and Transfer-Encoding; send one of them.")
    if len(lengths) > 1 or len(encodings) > 1:
        name = "Content-Length" if len(lengths) > 1 else "Transfer-Encoding"
        raise AmbiguousLength(f"The request has several {name} headers; send one.")
    if encodings and request.scope.get("http_version") == "1.0":
        raise AmbiguousLength("The request is of HTTP/1.0, which has no Transfer-Encoding.")


def is_from_this_machine(request: Request) -> bool:
    """Whether the connection comes from this machine and no header shows that a proxy forwarded it.

    The Host header proves nothing, because the client writes it.
    """
    if any(name in PROXY_HEADERS or name.startswith(PROXY_HEADER_STARTS) for name in request.headers):
        return False
    if request.client is None:  # a socket file, to which only proxies connect
        return False
    return request.client.host == TEST_CLIENT or is_loopback(request.client.host)


def own_cookie(request: Request) -> str:
    """The name of the cookie. It has the port, because browsers send the cookies of a host to all its servers."""
    port = request.headers.get("host", "").rpartition(":")[2]
    return f"mossbench_{port}" if port.isascii() and port.isdigit() else "mossbench"


def check_host(request: Request, settings: Settings) -> None:
    """Raises RequestRejected unless the app accepts the Host header."""
    host = request.headers.get("host", "")
    if not is_allowed_host(host, settings):
        raise RequestRejected(
            421, f"This app does not accept the host name {host!r}. To accept it, start the app with --allow-host."
        )


def is_allowed_host(host: str, settings: Settings) -> bool:
    """Whether the app accepts this Host header."""
    try:
        parts = urlsplit(f"//{host}")
        name = parts.hostname or ""
        _ = parts.port  # reading the port raises ValueError if it is not a number from 0 to 65535
    except ValueError:
        return False
    if name == "localhost" or plain_name(name) in settings.host_names:
        return True
    if settings.is_local:
        return name in ("127.0.0.1", "::1", settings.host)
    return is_address(name) or name == settings.host


def check_origin(request: Request) -> None:
    """Raises RequestRejected unless the write comes from a page of this app."""
    origin = request.headers.get("origin")
    parts = urlsplit(origin or "")
    is_own = parts.scheme in ("http", "https") and parts.netloc == request.headers.get("host")
    if not is_own or request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise RequestRejected(
            403, f"This request came from {origin or 'nowhere'!r} and not from a page of this app. Nothing was changed."
        )


def form_token(request: Request) -> str:
    """The token of a form, computed from the browser's cookies, which no other site can read."""
    cookie = request.cookies.get(own_cookie(request)) or request.scope.get("state", {}).get("new_cookie", "")
    guest_cookies = [request.cookies.get(name, "") for name in request.app.state.desks.cookies]
    parts = ("form", cookie, *guest_cookies)
    return hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


async def read_form(request: Request) -> FormData:
    """The form of a write; raises RequestRejected if its token is wrong."""
    form = await request.form(max_files=1, max_fields=200)
    token = form.get("form_token")
    has_cookie = any(request.cookies.get(name) for name in (own_cookie(request), *request.app.state.desks.cookies))
    if request.url.path not in UPLOAD_PATHS:
        await form.close()  # deletes files, which this form should not have; its fields stay
    if not has_cookie or not isinstance(token, str) or not is_same_secret(token, form_token(request)):
        await form.close()
        raise RequestRejected(
            403, "The form belongs to another session. Go back, reload the page and send it again. Nothing was changed."
        )
    return form


def is_same_secret(text: str, secret: str) -> bool:
    """Whether the text is the secret, compared in constant time; False if the secret is empty."""
    return bool(secret) and hmac.compare_digest(text.encode("utf-8", "replace"), secret.encode())


def set_cookie(response: Response, name: str, value: str) -> None:
    response.set_cookie(name, value, max_age=COOKIE_SECONDS, httponly=True, samesite="strict", path="/")


def page_that_redirects(to: str, *cookies: tuple[str, str]) -> Response:
    """A page that sets cookies and then loads another address.

    Not an HTTP redirect: after a link on another site, a browser would follow it without the Strict cookies.
    """
    quoted = escape(to)
    response = HTMLResponse(
        '<!doctype html><meta charset="utf-8"><title>mossbench</title><link rel="icon" href="data:,">'
        f'<meta http-equiv="refresh" content="0; url={quoted}">'
        f'<p><a href="{quoted}">Continue</a></p>'
    )
    for name, value in cookies:
        set_cookie(response, name, value)
    return response


def redirect(to: str) -> Response:
    """The response to a form: the browser loads the page `to` next."""
    return RedirectResponse(to, status_code=303)


def _move_token_to_cookie(request: Request, token: str) -> Response:
    """The page that puts the token into the cookie and loads the same address without the token."""
    query = [(name, value) for name, value in request.query_params.multi_items() if name != "token"]
    # One slash: an address that begins with two would lead to another host.
    path = "/" + request.url.path.lstrip("/")
    to = f"{path}?{urlencode(query)}" if query else path
    return page_that_redirects(to, (own_cookie(request), token))


class _Sender:
    """Sends a response with the security headers, and with a cookie if the browser has none."""

    def __init__(self, send: Send, scope: Scope, *, headers_only: bool = False) -> None:
        self.send = send
        self.scope = scope
        self.has_started = False
        self.headers_only = headers_only

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_started = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
            cookie = self.scope.get("state", {}).get("new_cookie")
            if cookie and headers.get("content-type", "").startswith("text/html"):
                with_cookie = Response()
                set_cookie(with_cookie, own_cookie(Request(self.scope)), cookie)
                headers.append("set-cookie", with_cookie.headers["set-cookie"])
        elif self.headers_only:  # the response to HEAD is the response to GET without the body
            message = {**message, "body": b""}
        await self.send(message)


def _limit_body(request: Request, receive: Receive) -> Receive:
    """A `receive` that raises RequestRejected as soon as the body is larger than its page allows."""
    # Forms without files have a low limit: they are parsed one character at a time, and all pages wait meanwhile.
    has_file = request.headers.get("content-type", "").startswith("multipart/form-data")
    limit = MAX_UPLOAD_BYTES if has_file and request.url.path in UPLOAD_PATHS else MAX_FORM_BYTES
    length = request.headers.get("content-length", "0")
    is_number = length.isascii() and length.isdigit() and len(length) <= MAX_LENGTH_DIGITS
    if not is_number or int(length) > limit:
        raise RequestRejected(413, f"Too large: {length} bytes, at most {limit} are accepted. Nothing was changed.")
    n_received = 0

    async def receiver() -> Message:
        nonlocal n_received
        message = await receive()
        n_received += len(message.get("body", b""))
        if n_received > limit:
            raise RequestRejected(413, f"Too large: more than {limit} bytes. Nothing was changed.")
        return message

    return receiver
