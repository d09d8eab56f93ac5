"""Who owns an app without a token, and what a guest may not do there: live, revoked, or by another's item."""

import re
import shutil
import socket
from contextlib import closing

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from mossbench.annotation.store import Store
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.web import Settings, create_app
from mossbench.web.security import is_allowed_host
from mossbench.web.settings import is_local_name, token_reason
from waiting import LONG
from web.conftest import HERE, Browser, item_of, start
from web.test_people import invite

TOKEN = "a-token-of-twenty-four"
OWNERS_PAGES = ("/", "/runs", "/samples", "/explorer", "/leaderboard", "/annotate/people", "/annotate/new")


@pytest.fixture
def desk(app):
    return app.state.desks.annotate


def revoke(owner, name):
    done = owner.post("/annotate/people", {"name": name, "do": "revoke"}, page="/annotate/people")
    assert done.status_code == 303


def assert_not_owner(http, headers=None):
    for path in OWNERS_PAGES:
        answer = http.get(path, headers=headers)
        assert answer.status_code in (401, 403), (path, headers, answer.status_code)
        assert "some" not in re.findall(r"/runs/(\w+)", answer.text), path


def test_a_guest_whose_link_was_revoked_is_nobody(browser, new_browser, app, desk):
    start(browser)
    guest = new_browser()
    invite(browser, guest, "Tom")
    revoke(browser, "Tom")
    assert_not_owner(guest.http)
    page = guest.http.get("/annotate")
    assert page.status_code == 403 and "no longer works" in page.text and "Ask for a new link" in page.text
    assert 'action="/annotate/leave"' not in page.text, "leaving would make them the owner"
    token = guest.http.cookies.get(desk.cookie)
    for path in ("join", "invite", "people", "new", "label", "leave", "decide"):
        sent = guest.http.post(f"/annotate/{path}", data={"name": "Eve", "do": "revoke"}, headers={"origin": HERE})
        assert sent.status_code == 403, path
    assert guest.http.cookies.get(desk.cookie) == token, "the server takes no revoked cookie away"
    assert [person.name for person in desk.store.people()] == ["Ines", "Tom"]
    assert browser.get("/runs").status_code == 200


def test_a_revoked_guest_who_guesses_the_tokens_of_forms_still_cannot_leave(browser, new_browser, desk):
    start(browser)
    guest = new_browser()
    invite(browser, guest, "Tom")
    form_token = re.search(r'name="form_token" value="(\w+)"', guest.get("/annotate").text)[1]
    revoke(browser, "Tom")
    assert guest.post("/annotate/leave", token=form_token).status_code == 403
    assert guest.post("/annotate/join", {"name": "Eve"}, token=form_token).status_code == 403
    assert_not_owner(guest.http)


def test_a_guest_who_is_invited_again_is_a_guest_again(browser, new_browser):
    start(browser)
    guest = new_browser()
    invite(browser, guest, "Tom")
    revoke(browser, "Tom")
    invite(browser, guest, "Tom")
    assert "as Tom" in guest.get("/annotate").text
    page = guest.get("/runs")
    assert page.status_code == 403 and "To see the rest of the app, leave." in page.text


def test_no_form_of_a_guests_cookie_is_taken_for_none(browser, new_browser, app, desk):
    start(browser)
    guest = new_browser()
    invite(browser, guest, "Tom")
    live, name = guest.http.cookies.get(desk.cookie), desk.cookie
    invite(browser, new_browser(), "Tom")  # which revokes the one before
    other = desk.store.join("Rhea", invited=True)
    own = browser.http.cookies.get(desk.cookie)
    forms = [
        f"{name}={live}",
        f"{name}=",
        f"{name}",
        f"{name}=by-link-",
        f"{name}=by-link-guess",
        f"{name}=guess",
        f"{name}={live[:-1]}",
        f"{name}={live.removeprefix('by-link-')}",
        f"{name}={live.upper()}",
        f'{name}="{live}"',
        f" {name} = {live} ",
        f"{name}={live}; {name}=",
        f"{name}=; {name}={live}",
        f"{name}={live}; {name}={own}",
        f"{name}={own}; {name}={live}",
        f"{name}={other}; {name}={own}",
        f"mossbench=x; {name}={live}",
        f";;={name}; {name}={live};;",
        f"{name}={live}%00",
        f"{name}={live}\xff",
    ]
    for form in forms:
        assert_not_owner(TestClient(app, base_url=HERE), {"cookie": form.encode("latin-1")})
    several = [("cookie", f"{name}={live}"), ("cookie", f"{name}={own}")]
    assert_not_owner(TestClient(app, base_url=HERE), several)


def test_a_revoked_link_opens_nothing_by_any_method(browser, new_browser):
    start(browser)
    guest = new_browser()
    invite(browser, guest, "Tom")
    revoke(browser, "Tom")
    for method in ("HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "POST"):
        answer = guest.http.request(method, "/runs", headers={"origin": HERE})
        assert answer.status_code in (403, 405), method


def test_a_guest_of_one_desk_is_no_owner_and_no_guest_of_the_other(runs, small, made):
    app = create_app(Settings(runs, review=small, data=(str(made / "data"),)))
    owner, guest = Browser(app), Browser(app)
    start(owner)
    page = owner.post("/review/invite", {"name": "Tom"}, page="/review/people").text
    guest.http.get(re.search(r"(/review/enter\?token=[\w-]+)", page)[1])
    assert guest.get("/review").status_code == 200
    assert guest.http.get("/annotate").status_code == 403
    assert_not_owner(guest.http)
    owner.post("/review/people", {"name": "Tom", "do": "revoke"}, page="/review/people")
    assert guest.http.get("/review").status_code == 403
    assert_not_owner(guest.http)
    # A name that the owner gives at one desk does not make up for a link of the other.
    guest.http.cookies.set(app.state.desks.annotate.cookie, owner.http.cookies.get(app.state.desks.annotate.cookie))
    assert_not_owner(guest.http)


def with_cookies_of(app, earlier):
    """Another server on the same host: a browser sends it the cookies of the one before."""
    later = Browser(app)
    later.http.cookies = earlier.http.cookies
    return later


@pytest.mark.parametrize("is_revoked", [False, True])
def test_a_guest_is_not_the_owner_of_an_app_with_another_file_of_labels(browser, new_browser, runs, is_revoked):
    start(browser)
    guest = new_browser()
    invite(browser, guest, "Tom")
    if is_revoked:
        revoke(browser, "Tom")
    copied = shutil.copytree(runs, runs.with_name("copied"))
    for settings in (Settings(runs, annotations=runs / "other.db"), Settings(copied)):
        app = create_app(settings)
        later = with_cookies_of(app, guest)
        assert_not_owner(later.http)
        cookies = dict(later.http.cookies)
        for path in ("join", "invite", "people", "new", "leave"):
            sent = later.http.post(f"/annotate/{path}", data={"name": "Eve"}, headers={"origin": HERE})
            assert sent.status_code == 403, path
        page = later.http.get("/runs")
        assert "/leave" not in page.text, "leaving would make them the owner"
        assert "another app or file of labels" in page.text and "private window" in page.text
        assert dict(later.http.cookies).items() >= cookies.items(), "the server takes no guest's cookie away"
        assert with_cookies_of(app, browser).get("/annotate/people").status_code == 200, "a name is no link"
        assert Browser(app).get("/annotate/people").status_code == 200


def test_a_guest_of_candidates_is_not_the_owner_where_there_are_none_to_review(runs, small):
    app = create_app(Settings(runs, review=small))
    owner = Browser(app)
    guest = Browser(app)
    page = owner.post("/review/invite", {"name": "Tom"}, page="/review/people").text
    guest.http.get(re.search(r"(/review/enter\?token=[\w-]+)", page)[1])
    assert_not_owner(with_cookies_of(create_app(Settings(runs)), guest).http)
    owner.post("/review/people", {"name": "Tom", "do": "revoke"}, page="/review/people")
    assert_not_owner(with_cookies_of(create_app(Settings(runs)), guest).http)


def test_a_guest_of_two_apps_who_leaves_one_is_still_the_guest_of_the_other(browser, new_browser, runs):
    start(browser)
    guest = new_browser()
    invite(browser, guest, "Tom")
    revoke(browser, "Tom")
    app = create_app(Settings(runs, annotations=runs / "other.db"))
    owner = Browser(app)
    start(owner)
    later = with_cookies_of(app, guest)
    invite(owner, later, "Tom")
    assert later.get("/annotate").status_code == 200
    assert later.post("/annotate/leave").status_code == 303
    assert_not_owner(later.http)


def test_no_form_of_another_apps_link_is_taken_for_none(app, desk):
    for name in (
        "mossbench_annotate_0123abcd",
        "mossbench_review_0123abcd",
        "mossbench_annotate_",
        "mossbench_review_8",
    ):
        live = "by-link-Zm9v"
        forms = [
            f"{name}={live}",
            f"{name}=by-link-",
            f'{name}="{live}"',
            f" {name} = {live} ",
            f"{name}=; {name}={live}",
            f"{name}={live}; {name}=own",
            f"mossbench=x;{name}={live}",
            f"{name}={live}\xff",
        ]
        for form in forms:
            assert_not_owner(TestClient(app, base_url=HERE), {"cookie": form.encode("latin-1")})
        assert_not_owner(TestClient(app, base_url=HERE), [("cookie", "a=b"), ("cookie", f"{name}={live}")])
        for harmless in (f"{name}=own", f"other={live}", f"{name}=own; other={live}"):
            assert (
                TestClient(app, base_url=HERE).get("/annotate/people", headers={"cookie": harmless}).status_code == 200
            )


def test_who_has_the_token_is_the_owner_whatever_links_were_opened_elsewhere(runs):
    app = create_app(Settings(runs, token=TOKEN))
    headers = {"authorization": f"Bearer {TOKEN}", "cookie": "mossbench_annotate_0123abcd=by-link-Zm9v"}
    assert TestClient(app, base_url=HERE).get("/annotate/people", headers=headers).status_code == 200


def test_the_owner_who_tries_a_link_in_their_own_browser_can_leave(browser):
    start(browser)
    invite(browser, browser, "Tom")
    assert browser.get("/runs").status_code == 403
    assert browser.post("/annotate/leave").status_code == 303
    assert browser.get("/runs").status_code == 200


def test_the_owner_whose_file_of_labels_is_gone_leaves_and_goes_on(browser, runs, made):
    start(browser)
    for path in runs.glob("annotations.db*"):
        path.unlink()
    app = create_app(Settings(runs, data=(str(made / "data"),)))
    again = Browser(app)
    again.http.cookies = browser.http.cookies
    page = again.http.get("/runs")
    assert page.status_code == 403 and 'action="/annotate/leave"' in page.text
    form_token = re.search(r'name="form_token" value="(\w+)"', page.text)[1]
    assert again.post("/annotate/leave", token=form_token).status_code == 303
    assert again.get("/runs").status_code == 200


def test_a_file_of_labels_that_cannot_be_read_makes_nobody_the_owner(browser, new_browser, runs, desk):
    start(browser)
    guest = new_browser()
    invite(browser, guest, "Tom")
    for path in runs.glob("annotations.db*"):
        path.unlink()
    (runs / "annotations.db").write_text("no database" * 100)
    assert guest.http.get("/runs").status_code in (403, 500)
    assert new_browser().get("/runs").status_code == 200


def connected_from(app, address):
    return TestClient(app, base_url=HERE, client=(address, 50000), follow_redirects=False)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
def test_the_owner_connects_from_this_machine(app, address):
    assert connected_from(app, address).get("/assets/ui.js").status_code == 200
    assert connected_from(app, address).get("/annotate/people").status_code == 200


@pytest.mark.parametrize(
    "address",
    ["10.0.0.7", "203.0.113.9", "::ffff:10.0.0.7", "fe80::1", "2001:db8::1", "0.0.0.0", "::", "localhost", ""],
)
def test_nobody_who_connects_from_elsewhere_is_the_owner_whatever_host_they_name(app, address):
    for host in ("127.0.0.1", "localhost", "[::1]"):
        assert_not_owner(connected_from(app, address), {"host": host})
    text = connected_from(app, address).get("/runs").text
    assert "only a browser on the same machine" in text and "--token" in text


@pytest.mark.parametrize(
    "header",
    [
        "X-Forwarded-For: 203.0.113.9",
        "X-Forwarded-For: 127.0.0.1",
        "X-Forwarded-For: ",
        "x-forwarded-host: moss.example",
        "X-Forwarded-Proto: https",
        "Forwarded: for=127.0.0.1",
        "X-Real-IP: 127.0.0.1",
        "Via: 1.1 proxy",
        "CF-Connecting-IP: 203.0.113.9",
    ],
)
def test_a_proxy_on_this_machine_does_not_make_its_visitors_the_owner(app, header):
    name, _, value = header.partition(": ")
    assert_not_owner(connected_from(app, "127.0.0.1"), {name: value})


def test_somebody_who_was_invited_labels_through_a_proxy_too(browser, new_browser):
    start(browser)
    guest = new_browser()
    guest.http.headers["x-forwarded-for"] = "203.0.113.9"
    invite(browser, guest, "Tom")
    item = item_of(guest.get("/annotate").text)
    assert guest.post("/annotate/label", {"item": item, "kind": "refused"}).status_code == 303


@pytest.mark.parametrize(
    ("name", "local"),
    [
        ("localhost", True),
        ("LocalHost.", True),
        ("moss.localhost", True),
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("::1", True),
        ("[::1]", True),
        ("moss.example.org", False),
        ("localhost.example.org", False),
        ("notlocalhost", False),
        ("127.0.0.1.example.org", False),
        ("127.1", False),
        ("10.0.0.7", False),
        ("0.0.0.0", False),
        ("my-laptop", False),
        ("moss.local", False),
        ("*", False),
        ("", False),
    ],
)
def test_a_host_name_that_is_not_of_this_machine_needs_a_token(tmp_path, name, local):
    assert is_local_name(name) is local
    assert bool(token_reason("127.0.0.1", [name])) is not local
    if local:
        assert Settings(tmp_path, hosts=(name,)).token is None
        return
    with pytest.raises(UsageError, match="needs a token|expected a name"):
        Settings(tmp_path, hosts=("localhost", name))


NO_HOST_NAMES = ("", " ", "moss.example.org:8443", "http://moss.example.org", "https://moss.example.org/", "moss/runs")
NO_HOST_NAMES += (
    "127.0.0.1:8765",
    "[::1]:8765",
    "localhost:80",
    "*",
    "*.example.org",
    "a b",
    " moss",
    "moss..org",
    "ü.org",
)


@pytest.mark.parametrize("name", NO_HOST_NAMES)
def test_a_host_name_that_no_request_can_have_is_refused(tmp_path, runs, name):
    message = (
        f"a host name to accept is {name!r}, expected a name such as moss.example.org, without http://, port or path"
    )
    with pytest.raises(UsageError) as raised:
        Settings(tmp_path, token=TOKEN, hosts=(name,))
    assert str(raised.value) == message
    done = CliRunner().invoke(cli, ["serve", str(runs), "--port", "0", "--allow-host", name])
    told = " ".join(done.output.split())
    assert done.exit_code == 2 and " ".join(message.split()) in told
    assert "token" not in told, "no token is announced for an app that does not start"


@pytest.mark.parametrize(
    "name", ["my_host", "a-b.example", "XN--bcher-kva.example", "10.0.0.7", "2001:db8::1", "[::1]"]
)
def test_a_host_name_that_a_request_can_have_is_taken(tmp_path, name):
    settings = Settings(tmp_path, token=TOKEN, hosts=(name,))
    host = f"[{name}]" if name.startswith("2001") else name
    assert is_allowed_host(f"{host}:8443", settings)


def test_a_host_name_is_known_in_capitals_and_with_its_last_dot(tmp_path):
    settings = Settings(tmp_path, token=TOKEN, hosts=("Moss.Example.org.",))
    for host in ("moss.example.org", "MOSS.example.org:443", "moss.example.org."):
        assert is_allowed_host(host, settings), host
    for host in ("xmoss.example.org", "moss.example.org.evil.example", "example.org", ""):
        assert not is_allowed_host(host, settings), host


# The real server


def raw_answer(server, head, body=b""):
    """What comes back until the server closes."""
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=LONG)) as connection:
        connection.sendall("\r\n".join([*head, "", ""]).encode("latin-1") + body)
        received = b""
        while part := connection.recv(65536):
            received += part
        return received.decode("utf-8", "replace")


@pytest.mark.slow
def test_a_host_name_of_a_proxy_makes_a_token_and_nobody_comes_in_without_it(serve, runs):
    server = serve(runs, "--allow-host", "moss.example.org")
    token = re.search(r"\?token=([\w-]{20,})", server.line)[1]
    for host in ("moss.example.org", f"127.0.0.1:{server.port}", "localhost"):
        answer = raw_answer(server, ["GET /runs HTTP/1.1", f"host: {host}", "connection: close"])
        assert answer.startswith("HTTP/1.1 401"), host
    head = ["GET /runs HTTP/1.1", "host: moss.example.org", f"cookie: mossbench={token}", "connection: close"]
    assert raw_answer(server, head).startswith("HTTP/1.1 200")
    server.stop()


@pytest.mark.slow
def test_a_host_name_of_this_machine_makes_no_token(serve, runs):
    server = serve(runs, "--allow-host", "moss.localhost")
    assert "token" not in server.line
    answer = raw_answer(server, ["GET /runs HTTP/1.1", "host: moss.localhost", "connection: close"])
    assert answer.startswith("HTTP/1.1 200")
    forwarded = ["GET /runs HTTP/1.1", "host: localhost", "x-forwarded-for: 127.0.0.1", "connection: close"]
    assert raw_answer(server, forwarded).startswith("HTTP/1.1 403")


CHUNKED_FORM = b"3\r\nx=1\r\n0\r\n\r\n"
SECOND = b"GET /runs HTTP/1.1\r\nhost: localhost\r\n\r\n"
UNCLEAR = {
    "both": ["content-length: 3", "transfer-encoding: chunked"],
    "both, the other way round": ["Transfer-Encoding: chunked", "Content-Length: 3"],
    "both, in capitals": ["CONTENT-LENGTH: 3", "TRANSFER-ENCODING: CHUNKED"],
    "both, of no length": ["content-length: 0", "transfer-encoding: chunked"],
    "an encoding on a second line": ["content-length: 3", "transfer-encoding:", " chunked"],
    "an encoding that is none": ["content-length: 3", "transfer-encoding: identity"],
    "an encoding with a sign": ["content-length: 3", "transfer-encoding: xchunked"],
    "an encoding of two": ["content-length: 3", "transfer-encoding: gzip, chunked"],
    "two encodings": ["transfer-encoding: chunked", "transfer-encoding: identity"],
    "a blank before the colon": ["content-length: 3", "transfer-encoding : chunked"],
    "two lengths": ["content-length: 3", "content-length: 5"],
    "two lengths in one": ["content-length: 3, 5"],
    "a length with a sign": ["content-length: +3"],
    "a length below none": ["content-length: -3"],
    "a length in hex": ["content-length: 0x3"],
}


@pytest.mark.slow
def test_a_request_whose_length_is_unclear_is_refused_and_nothing_after_it_is_read(serve, runs):
    server = serve(runs)
    origin = f"origin: http://localhost:{server.port}"
    form = ["content-type: application/x-www-form-urlencoded", f"host: localhost:{server.port}", origin]
    for name, lengths in UNCLEAR.items():
        for line in ("POST /annotate/join", "GET /runs", "HEAD /runs", "POST /leaderboard/submit", "GET /assets/ui.js"):
            answer = raw_answer(server, [f"{line} HTTP/1.1", *form, *lengths], CHUNKED_FORM + SECOND)
            assert re.match(r"HTTP/1.1 (400|501) ", answer), (name, line, answer[:100])
            assert answer.count("HTTP/1.1 ") == 1, (name, line)
    old = raw_answer(server, ["POST /annotate/join HTTP/1.0", *form, "transfer-encoding: chunked"], CHUNKED_FORM)
    assert re.match(r"HTTP/1.1 (400|501) ", old)
    assert Store(runs / "annotations.db").people() == ()


@pytest.mark.slow
def test_a_request_of_one_length_is_answered_be_it_chunked_or_not(serve, runs):
    server = serve(runs)
    answer, page = server.ask("GET", "/annotate/people")
    cookie = answer.headers["set-cookie"].partition(";")[0]
    form_token = re.search(r'name="form_token" value="(\w+)"', page)[1]
    here = f"127.0.0.1:{server.port}"
    head = ["POST /annotate/join HTTP/1.1", f"host: {here}", f"origin: http://{here}", f"cookie: {cookie}"]
    head += ["content-type: application/x-www-form-urlencoded", "connection: close"]
    for name, length in (("Ines", None), ("Tom", "content-length")):
        body = f"name={name}&form_token={form_token}".encode()
        told = "transfer-encoding: chunked" if length is None else f"content-length: {len(body)}"
        sent = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body) if length is None else body
        assert raw_answer(server, [*head, told], sent).startswith("HTTP/1.1 303"), name
    assert [person.name for person in Store(runs / "annotations.db").people()] == ["Ines", "Tom"]


def test_two_lengths_are_refused_whatever_server_the_app_runs_in(app):
    http = TestClient(app, base_url=HERE)
    for headers in (
        [("content-length", "1"), ("transfer-encoding", "chunked")],
        [("content-length", "1"), ("content-length", "1")],
    ):
        answer = http.post("/annotate/join", content=b"x", headers=[*headers, ("origin", HERE)])
        assert answer.status_code == 400 and "Nothing was changed" in answer.text
        assert answer.headers["connection"] == "close"
    for length in ("²", "1" * 5000):
        headers = [("content-length", length.encode("latin-1")), ("origin", HERE)]
        assert http.post("/annotate/join", content=b"x", headers=headers).status_code in (400, 413)


# Items of others


def unseen(desk, who):
    """Items that were never given to somebody."""
    return [ref for ref in desk.store.items() if not desk.store.is_assigned(who, ref)]


def test_a_guest_labels_skips_and_sees_only_what_was_given_to_them(browser, new_browser, desk):
    start(browser, double=100)
    guest = new_browser()
    invite(browser, guest, "Tom")
    mine = item_of(guest.get("/annotate").text)
    tom = desk.store.annotator(guest.http.cookies.get(desk.cookie))
    others = unseen(desk, tom)
    assert others and mine not in others
    assert guest.get(f"/annotate/picture/{mine}").status_code in (200, 404)
    for ref in (others[0], others[-1], "0" * 16, "", mine.upper(), f" {mine}", f"{mine}'--"):
        for fields in ({"kind": "refused"}, {"do": "skip"}, {"kind": "refused", "back": "mine"}):
            sent = guest.post("/annotate/label", {"item": ref, **fields})
            assert sent.status_code == 404, (ref, fields)
    for ref in others[:3]:
        seen = guest.http.get(f"/annotate/picture/{ref}")
        assert seen.status_code == 404 and "is not assigned to you" in seen.text
        assert guest.http.get(f"/annotate?item={ref}").status_code == 404
    assert desk.store.labels() == () and desk.store.labels_by(tom) == ()
    assert guest.post("/annotate/label", {"item": mine, "kind": "refused"}).status_code == 303
    assert [label.item for label in desk.store.labels()] == [mine]


def test_a_guest_takes_back_only_their_own_label(browser, new_browser, desk):
    start(browser, double=100)
    guest = new_browser()
    invite(browser, guest, "Tom")
    item = item_of(browser.get("/annotate").text)
    browser.post("/annotate/label", {"item": item, "kind": "refused"})
    guest.post("/annotate/label", {"item": item, "do": "undo"})
    guest.post("/annotate/label", {"item": item, "do": "again"})
    assert [(label.item, label.annotator) for label in desk.store.labels()] == [(item, "Ines")]


def test_what_was_given_stays_labelled_after_undo_skip_and_on_the_page_of_ones_own(browser, desk):
    start(browser)
    item = item_of(browser.get("/annotate").text)
    for fields in ({"do": "skip"}, {"kind": "refused"}, {"do": "undo"}, {"kind": "warned"}, {"kind": "partial"}):
        assert browser.post("/annotate/label", {"item": item, **fields}).status_code == 303, fields
    assert [label.value["kind"] for label in desk.store.labels()] == ["partial"]


@pytest.mark.slow
def test_reviewers_and_the_owner_see_the_images_of_all(runs, made):
    app = create_app(Settings(runs, token=TOKEN, data=(str(made / "data"),)))
    owner, reviewer = Browser(app), Browser(app)
    owner.http.get(f"/?token={TOKEN}")
    start(owner)
    invite(owner, reviewer, "Rhea", role="reviewer")
    store = app.state.desks.annotate.store
    for ref in list(store.items())[:4]:
        seen = [person.get(f"/annotate/picture/{ref}") for person in (owner, reviewer)]
        assert seen[0].status_code == seen[1].status_code and "is not assigned" not in seen[1].text


def test_a_guest_rates_and_sees_only_candidates_that_were_given_to_them(runs, small):
    app = create_app(Settings(runs, review=small))
    owner, guest = Browser(app), Browser(app)
    owner.get("/review")
    page = owner.post("/review/invite", {"name": "Tom"}, page="/review/people").text
    guest.http.get(re.search(r"(/review/enter\?token=[\w-]+)", page)[1])
    mine = item_of(guest.get("/review").text)
    desk = app.state.desks.review
    others = unseen(desk, desk.store.annotator(guest.http.cookies.get(desk.cookie)))
    rating = {"do": "rate", "harmfulness": "1", "naturalness": "5"}
    for ref in (*others[:3], "none-such"):
        assert guest.post("/review/label", {"item": ref, **rating}, page="/review").status_code == 404
        assert guest.post("/review/label", {"item": ref, "do": "skip"}, page="/review").status_code == 404
        assert guest.http.get(f"/review/picture/{ref}").status_code == 404
    assert desk.store.labels() == ()
    assert guest.get(f"/review/picture/{mine}").status_code == 200
    assert guest.post("/review/label", {"item": mine, **rating}, page="/review").status_code == 303
    assert len(desk.store.labels()) == 1
