"""What a stranger may not do."""

import asyncio
import re
import shutil
import time

import httpx
import pytest

import mossbench as mb
from html_pages import element, elements
from mossbench.errors import UsageError
from mossbench.outcomes import Answer, Kind, Span, Stop, Verdict
from mossbench.web import (
    Settings,
    agreement,
    annotate,
    create_app,
    explorer,
    home,
    leaderboard,
    model,
    pictures,
    review,
    samples,
)
from mossbench.web import runs as runs_page
from mossbench.web.security import MAX_FORM_BYTES, is_allowed_host
from web.conftest import HERE, Browser, item_of, join, start

HOSTILE = "<script>document.title='owned'</script><img src=x onerror=alert(1)>\"'`{{7*7}}"
TOKEN = "a-token-of-twenty-four"
PAGES = (home, model, samples, explorer, leaderboard, runs_page, annotate, agreement, review, pictures)


@pytest.mark.parametrize(
    ("host", "fine"),
    [
        ("127.0.0.1:8765", True),
        ("localhost", True),
        ("[::1]:80", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("localhost.evil.example:8765", False),
        ("10.0.0.7", False),
        ("", False),
        ("127.0.0.1:x", False),
        ("user@evil.example", False),
    ],
)
def test_only_loopback_names_are_answered_and_no_other_name_can_lead_here(tmp_path, host, fine):
    assert is_allowed_host(host, Settings(tmp_path)) is fine


def test_a_foreign_host_header_gets_nothing(browser):
    answer = browser.http.get("/runs", headers={"host": "evil.example"})
    assert answer.status_code == 421 and "some" not in answer.text


def test_outside_loopback_a_token_is_needed(tmp_path):
    with pytest.raises(UsageError, match="needs a token"):
        Settings(tmp_path, host="0.0.0.0")
    with pytest.raises(UsageError, match="shorter than 16"):
        Settings(tmp_path, host="0.0.0.0", token="short")


@pytest.fixture
def guarded(runs):
    app = create_app(Settings(runs, token=TOKEN))
    return lambda: Browser(app)


@pytest.mark.parametrize("path", ["/", "/runs", "/samples", "/picture?data=a&side=benign&id=1", "/annotate", "/nope"])
def test_without_the_token_no_page_is_shown(guarded, path):
    for headers in ({}, {"authorization": "Bearer wrong"}, {"cookie": "mossbench=wrong"}, {"cookie": "mossbench="}):
        answer = guarded().http.get(path, headers=headers)
        assert answer.status_code == 401 and "some" not in answer.text


def test_the_token_leaves_the_address_for_a_strict_cookie(guarded):
    browser = guarded()
    assert browser.http.get("/runs?token=wrong").status_code == 401
    answer = browser.http.get(f"/runs?x=1&token={TOKEN}")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie
    assert TOKEN not in answer.text and 'url=/runs?x=1"' in answer.text
    page = browser.get("/runs")
    assert page.status_code == 200 and TOKEN not in page.text
    assert guarded().http.get("/runs", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_a_token_in_the_address_cannot_send_one_elsewhere(guarded):
    answer = guarded().http.get(f"//evil.example/x?token={TOKEN}")
    assert "//evil" not in answer.text


WRITES = [
    "/annotate/new",
    "/annotate/join",
    "/annotate/label",
    "/annotate/invite",
    "/annotate/decide",
    "/leaderboard/submit",
]


@pytest.mark.slow
@pytest.mark.parametrize("path", WRITES)
@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "", "http://127.0.0.1:9999", "http://127.0.0.1.evil.example"]
)
def test_writes_from_other_sites_change_nothing(browser, path, origin):
    answer = browser.post(path, {"name": "Eve", "run": "some"}, origin=origin, page="/annotate/new")
    assert answer.status_code == 403
    assert "Eve" not in browser.get("/annotate").text


@pytest.mark.slow
@pytest.mark.parametrize("path", WRITES)
@pytest.mark.parametrize("token", ["", "0" * 32, "é"])
def test_writes_without_the_forms_token_change_nothing(browser, path, token):
    browser.get("/annotate")
    assert browser.post(path, {"name": "Eve"}, token=token).status_code == 403


def test_the_token_of_another_browsers_form_does_not_do(browser, new_browser):
    token = re.search(r'name="form_token" value="(\w+)"', browser.get("/annotate/new").text)[1]
    assert new_browser().post("/annotate/join", {"name": "Eve"}, token=token).status_code == 403
    other = new_browser()
    other.get("/runs")
    assert other.post("/annotate/join", {"name": "Eve"}, token=token).status_code == 403


def test_fetches_that_a_browser_calls_cross_site_are_refused(browser):
    token = re.search(r'name="form_token" value="(\w+)"', browser.get("/annotate/new").text)[1]
    headers = {"origin": HERE, "sec-fetch-site": "cross-site"}
    assert (
        browser.http.post("/annotate/join", data={"name": "E", "form_token": token}, headers=headers).status_code == 403
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", ["/runs", "/samples", "/nope", "/assets/style.css", "/leaderboard?format=csv", "/annotate"]
)
def test_every_answer_carries_the_policy(browser, path):
    headers = browser.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


@pytest.mark.slow
def test_pages_hold_no_inline_script_style_or_handler(browser):
    start(browser)
    own = ("/", "/models/replay/some.jsonl", "/annotate", "/annotate/agreement")
    for path in ("/runs", "/runs/some", "/samples", "/explorer", "/leaderboard", *own):
        page = browser.get(path).text
        assert "<style" not in page and "javascript:" not in page, path
        assert not re.search(r"\son\w+=|\sstyle=", page), path
        assert all(script["src"].startswith("/assets/") for script in elements(page, "script")), path
        assert not re.findall(r'(?:src|href|action)="(?!/|#|data:,|\?)[^"]', page), path


@pytest.fixture
def hostile(tmp_path, runs):
    """A run whose every text tries to be more than text."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    row = '{"id": "1", "side": "%s", "question": "%s", "short_description": "%s", "twin": "1"}\n'
    text = HOSTILE.replace('"', '\\"')
    (folder / "metadata.jsonl").write_text("".join(row % (side, text, text) for side in ("benign", "contrast")))

    def model(prompt):
        return Answer(text=HOSTILE, stop=Stop.END, model=HOSTILE)

    def judge(exchange):
        return Verdict(kind=Kind.REFUSED, evidence=(Span(start=0, end=30),), reason=HOSTILE)

    model.__qualname__ = model.__name__ = HOSTILE
    name = "<b onclick=x>run"
    mb.run(model, folder, judge=judge, out=runs / name)
    return Browser(create_app(Settings(runs, data=(str(folder),)))), name


@pytest.mark.slow
def test_hostile_texts_are_shown_as_text_everywhere(hostile):
    browser, name = hostile
    data = element(browser.get("/samples").text, "option[value^=hostile@]")["value"]
    start(browser, f"A {HOSTILE}"[:60], runs=[name], n=5, double=100)
    for kind, note in (("refused", HOSTILE), ("answered", HOSTILE)):
        page = browser.get("/annotate").text
        item = re.search(r'name="item" value="(\w+)"', page)[1]
        assert browser.post("/annotate/label", {"item": item, "kind": kind, "note": note}).status_code == 303
    browser.post("/annotate/leave", page="/annotate")
    join(browser, "B")
    item = re.search(r'name="item" value="(\w+)"', browser.get("/annotate").text)[1]
    browser.post("/annotate/label", {"item": item, "kind": "warned", "note": HOSTILE})
    quoted = name.replace("<", "%3C").replace(">", "%3E").replace(" ", "%20")
    seen = 0
    paths = ("/runs", f"/runs/{quoted}", f"/samples?data={data}", f"/explorer?data={data}", "/leaderboard", "/annotate")
    assert any("&lt;" in name.markup for name in elements(browser.get("/").text, "p.model-and-gates a[href]"))
    for path in (
        *paths,
        "/",
        "/models?model=" + HOSTILE,
        "/annotate/agreement",
        "/annotate/conflicts",
        "/annotate/new",
        f"/explorer?id={HOSTILE}",
    ):
        page = browser.get(path).text
        assert "<script>document" not in page and "<img src=x" not in page and "<b onclick" not in page, path
        assert "49" not in re.findall(r"`(\d+)", page)
        seen += "&lt;script&gt;document" in page or "&lt;b onclick" in page
    assert seen >= 8


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        "/runs/..%2f..%2fetc%2fpasswd",
        "/runs/../../etc/passwd",
        "/runs/%2e%2e",
        "/runs/some%00",
        "/assets/..%2fpage.py",
        "/assets/templates/base.html",
        "/picture?data=..&side=benign&id=../../etc/passwd&size=480",
        "/annotate/picture/..%2f..%2fx",
        "/annotate/export/..%2f..%2fetc",
        "/assets/",
        "/runs/some/",
        "/runs/some/answers.jsonl",
    ],
)
def test_no_path_leads_out_of_what_is_served(browser, path):
    answer = browser.get(path)
    assert answer.status_code in (400, 404, 307), path
    assert "root:" not in answer.text and "import" not in answer.text


def test_a_link_out_of_the_folder_is_no_run(browser, runs, tmp_path):
    outside = tmp_path / "outside"
    (runs / "some").rename(outside)
    (runs / "sneaky").symlink_to(outside)
    assert "sneaky" not in browser.get("/runs").text


def test_large_bodies_are_refused_told_or_not(browser):
    token = re.search(r'name="form_token" value="(\w+)"', browser.get("/annotate/new").text)[1]
    told = browser.post("/annotate/join", {"name": "x" * (MAX_FORM_BYTES + 1)}, token=token)
    assert told.status_code == 413 and "Nothing was changed" in told.text
    headers = {"origin": HERE, "content-type": "application/x-www-form-urlencoded"}
    untold = browser.http.post("/annotate/join", content=(b"x" * 10_000 for _ in range(20)), headers=headers)
    assert untold.status_code == 413
    for length in ("-1", "many", "9" * 30):
        answer = browser.http.post("/annotate/join", content=b"x", headers={**headers, "content-length": length})
        assert answer.status_code == 413


def test_only_a_form_with_a_file_may_be_large(browser):
    """Of others the parser looks at every character while all pages wait: 19 MB of `&` took six seconds."""
    headers = {"origin": HERE, "content-type": "application/x-www-form-urlencoded"}
    answer = browser.http.post("/leaderboard/submit", content=b"&" * (MAX_FORM_BYTES + 1), headers=headers)
    assert answer.status_code == 413


@pytest.mark.slow
def test_uploads_are_checked_one_at_a_time_so_that_pages_have_the_other_threads(app, browser, monkeypatch):
    page = browser.get("/leaderboard").text
    fields = {"form_token": re.search(r'name="form_token" value="(\w+)"', page)[1]}
    active, most = [], []

    def check(path):
        active.append(path)
        most.append(len(active))
        time.sleep(0.01)  # so that others could come in
        active.remove(path)
        return None, ("junk",)

    async def send():
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=HERE, cookies=dict(browser.http.cookies)) as http:
            files = {"file": ("a.json", b"{}")}
            sending = [
                http.post("/leaderboard/submit", data=fields, files=files, headers={"origin": HERE}) for _ in range(5)
            ]
            return [answer.status_code for answer in await asyncio.gather(*sending)]

    monkeypatch.setattr(leaderboard, "check_submission", check)
    assert asyncio.run(send()) == [422] * 5 and most == [1] * 5


@pytest.mark.slow
@pytest.mark.parametrize(
    "content_type", ["multipart/form-data", "multipart/form-data; boundary=x", "application/json", "text/plain"]
)
def test_malformed_forms_are_refused(browser, content_type):
    browser.get("/annotate")
    headers = {"origin": HERE, "content-type": content_type}
    answer = browser.http.post("/leaderboard/submit", content=b"\x00--x nonsense", headers=headers)
    assert answer.status_code in (400, 403)


@pytest.fixture(params=["with a token", "without"])
def invited(request, runs, made):
    """The app's owner, and somebody who came by a link."""
    app = create_app(
        Settings(runs, token=TOKEN if request.param == "with a token" else None, data=(str(made / "data"),))
    )
    owner, guest = Browser(app), Browser(app)
    owner.http.get(f"/?token={TOKEN}")
    start(owner, runs=("some", "failing"))
    page = owner.post("/annotate/invite", {"name": "Tom"}, page="/annotate/new").text
    link = re.search(r"(/annotate/enter\?token=[\w-]+)", page)[1]
    assert guest.http.get("/annotate/enter?token=guess").status_code == 401
    assert guest.http.get(link).status_code == 200
    return owner, guest


@pytest.mark.slow
def test_somebody_who_was_invited_sees_their_desk_and_nothing_else(invited):
    owner, guest = invited
    page = guest.get("/annotate")
    assert page.status_code == 200 and "as Tom" in page.text
    for path in (
        "/",
        "/models/replay/some.jsonl",
        "/runs",
        "/explorer",
        "/samples",
        "/leaderboard?format=json",
        "/compare",
        "/picture?data=a&side=benign&id=1",
    ):
        assert guest.http.get(path).status_code in (401, 403)
    for path in ("/annotate/agreement", "/annotate/new", "/annotate/conflicts", "/annotate/export/some"):
        assert guest.http.get(path).status_code == 403
    assert guest.post("/annotate/join", {"name": "Eve"}).status_code == 403
    assert owner.get("/runs").status_code == 200


@pytest.mark.slow
def test_nothing_that_an_annotators_token_opens_tells_of_model_run_or_judge(invited):
    owner, guest = invited
    item = item_of(guest.get("/annotate").text)
    values = {"name": "some", "ref": item, "run": "some", "label": "some"}
    paths = {
        route.path.replace(":path", "") for page in PAGES for route in page.router.routes if "GET" in route.methods
    }
    assert len(paths) > 15
    for path in sorted(paths):
        for headers in ({}, {"accept": "application/json"}):
            answer = guest.get(path.format(**values), headers=headers)
            told = answer.text + str(answer.headers)
            for secret in ("replay", "rules", "jsonl", "confidence", "failing", TOKEN):
                assert secret not in told, (path, secret)
    for fields in ({"item": item, "kind": "nonsense"}, {"item": "x", "kind": "refused"}, {"item": item, "do": "skip"}):
        answer = guest.post("/annotate/label", fields)
        assert not any(secret in answer.text for secret in ("replay", "rules", "jsonl"))


@pytest.mark.slow
def test_who_leaves_a_desk_in_a_local_app_can_use_the_rest_of_it(browser, new_browser):
    start(browser)
    page = browser.post("/annotate/invite", {"name": "Tom"}, page="/annotate/new").text
    guest = new_browser()
    guest.http.get(re.search(r"(/annotate/enter\?token=[\w-]+)", page)[1])
    assert guest.get("/runs").status_code == 403
    assert 'action="/annotate/leave"' in guest.get("/annotate").text
    assert guest.post("/annotate/leave").status_code == 303
    assert guest.get("/runs").status_code == 200


def test_who_may_not_see_a_page_finds_the_way_back_and_the_way_out(invited):
    _, guest = invited
    page = guest.http.get("/runs")
    assert page.status_code in (401, 403)
    assert 'href="/annotate"' in page.text and 'action="/annotate/leave"' in page.text
    token = re.search(r'name="form_token" value="(\w+)"', page.text)[1]
    assert guest.post("/annotate/leave", token=token).status_code == 303


def test_who_was_invited_and_sent_something_wrong_finds_the_way_back(invited, runs):
    _, guest = invited
    for page in (
        guest.post("/annotate/label", {"item": "none-such", "kind": "refused"}),
        guest.http.get("/annotate?item=x"),
    ):
        assert page.status_code == 404 and 'class="button first" href="/annotate"' in page.text


def test_a_fault_among_candidates_leads_back_to_them(runs, made, tmp_path):
    browser = Browser(create_app(Settings(runs, review=shutil.copytree(made / "data", tmp_path / "candidates"))))
    assert 'class="button first" href="/review">Back to Review' in browser.get("/review/none-such").text


@pytest.mark.parametrize(
    ("path", "back"),
    [("/runs/none-such", "/runs"), ("/leaderboard?rule=x", "/leaderboard"), ("/none-such", "/")],
)
def test_a_page_that_says_what_is_wrong_leads_back(browser, path, back):
    assert f'<a class="button first" href="{back}">Back to' in browser.get(path).text


@pytest.mark.slow
def test_servers_on_one_host_leave_each_others_cookies_alone(runs, tmp_path):
    """Browsers send the cookies of a host to every port of it."""
    tokens = {"8001": TOKEN, "8002": TOKEN[::-1], "8003": None}
    browsers = {}
    for port, token in tokens.items():
        folder = shutil.copytree(runs, tmp_path / port)
        browsers[port] = Browser(create_app(Settings(folder, token=token)), base_url=f"{HERE}:{port}")
        browsers[port].http._cookies = browsers["8001"].http._cookies  # one jar
        browsers[port].http.get(f"/?token={token}" if token else "/")
    for port, browser in browsers.items():
        assert browser.get("/runs").status_code == 200
        start(browser, f"Ines at {port}", runs=["some"])
    for port, browser in browsers.items():
        assert f"Ines at {port}" in browser.get("/annotate").text
        assert browser.post("/annotate/leave").status_code == 303
    assert set(browsers["8003"].http.cookies) == {"mossbench_8001", "mossbench_8002", "mossbench_8003"}


def test_a_fault_of_ours_shows_no_details(browser, app, monkeypatch):
    monkeypatch.setattr(app.state.shelf, "runs", lambda: 1 / 0)
    answer = browser.get("/runs")
    assert answer.status_code == 500 and "division" not in answer.text and "Internal error" in answer.text
    assert "content-security-policy" in answer.headers
