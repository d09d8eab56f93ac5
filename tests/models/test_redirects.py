"""A request stays with the origin that it was made for, and stays what it is."""

import asyncio
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from mossbench.cli import cli
from mossbench.errors import ModelError, RunError
from mossbench.models import load_model
from mossbench.models.batching import batch_api_for
from mossbench.models.drawing import load_image_model
from mossbench.models.faults import read_fault
from mossbench.models.model import Overloaded, Prompt
from servers.asking import KEYS, ROOTS, ask, name_of, outcome_word
from servers.loopback import send, serve
from servers.wire import completion, generated, message

KEY = "sk-redirect-0123456789abcdef"
GOOD = {"openai": completion("Stolen."), "anthropic": message("Stolen."), "google": generated("Stolen.")}
STATUSES = (301, 302, 303, 307, 308)


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    for name in KEYS.values():
        monkeypatch.setenv(name, KEY)


@contextmanager
def anybody(content):
    """A server that answers any method at any path with this; yields (origin, what was asked)."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            asked.append((self.command, self.path, dict(self.headers)))
            send(self, 200, content)

        do_POST = do_HEAD = do_PUT = do_GET

        def log_message(self, *args):
            pass

    with running(Handler) as origin:
        yield origin, asked


@contextmanager
def running(handler):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("route", ["ours", "inspect"])
@pytest.mark.parametrize("wire", KEYS)
def test_no_redirect_to_another_origin_is_followed(wire, status, route):
    with anybody(GOOD[wire]) as (elsewhere, asked):
        came, requests, _ = ask(wire, (status, {}, {"Location": f"{elsewhere}/v1/steal?key={KEY}"}), route=route)
    assert asked == [] and len(requests) == 1
    assert outcome_word(came) == "stops the run"
    assert elsewhere in str(came) and "base_url" in str(came) and KEY not in str(came)
    assert came.answer().error is not None  # where other rows are answered, this one is FAILED


@pytest.mark.parametrize(
    "location",
    [
        "//127.0.0.2:{port}/x",
        "http://localhost:{port}/x",
        "https://127.0.0.1:{port}/x",
        "http://user:word@127.0.0.2:{port}/x",
        "http://127.0.0.1.example.test/x",
        "ftp://127.0.0.1:{port}/x",
        "http://[::1]:{port}/x",
        "http://127.0.0.1:{port}@example.test/x",
        "http://127.0.0.1:99999999/x",
    ],
)
@pytest.mark.parametrize("wire", KEYS)
def test_origins_that_only_look_alike_are_others(wire, location):
    places = []
    with serve(lambda body, headers: (307, {}, {"Location": places[0]}), ROOTS[wire]) as (url, asked):
        places.append(location.format(port=url.split(":")[2].split("/")[0]))
        came = asked_at(wire, url)
    assert len(asked) == 1
    assert outcome_word(came) in ("stops the run", "failed"), came


def asked_at(wire, url):
    async def work():
        model = load_model(name_of(wire), base_url=url)
        try:
            return await model.answer(Prompt("Hello?"))
        except (RunError, Overloaded) as error:
            return error
        finally:
            await model.close()

    return asyncio.run(work())


@pytest.mark.parametrize("status", (301, 302, 303))
@pytest.mark.parametrize("wire", KEYS)
def test_no_redirect_drops_the_request(wire, status):
    came, requests, _ = ask(wire, (status, {}, {"Location": "/elsewhere"}))
    assert len(requests) == 1 and outcome_word(came) == "stops the run"
    assert "POST" in str(came) and "GET" in str(came)


@pytest.mark.parametrize("status", (307, 308))
@pytest.mark.parametrize("route", ["ours", "inspect"])
@pytest.mark.parametrize("wire", KEYS)
def test_a_redirect_within_the_origin_keeps_key_and_question(wire, status, route):
    said = iter([(status, {}, {"Location": "/moved/here"})])
    came, requests, _ = ask(wire, lambda body, headers: next(said, (200, GOOD[wire])), route=route)
    assert came.text == "Stolen." and len(requests) == 2
    (_, first, body), (path, second, again) = requests
    assert path == "/moved/here" and body == again and KEY in str(second)


@pytest.mark.parametrize("wire", KEYS)
def test_redirects_in_a_circle_end(wire):
    came, requests, _ = ask(wire, (307, {}, {"Location": "/round/and/round"}))
    assert outcome_word(came) == "stops the run" and len(requests) < 10


@pytest.mark.slow
def test_a_run_behind_a_redirect_ends_at_once_with_both_addresses(small):
    with anybody(GOOD["google"]) as (elsewhere, stolen):
        with serve(lambda body, headers: (302, {}, {"Location": f"{elsewhere}/x"}), "") as (url, asked):
            how = ["--model", "google/m", "--data", str(small), "--base-url", url, "--out", "r"]
            done = CliRunner().invoke(cli, ["run", *how, "--max-connections", "1"])
    assert done.exit_code != 0 and stolen == [] and len(asked) < 5
    shown = " ".join(done.output.split())
    assert url in shown and elsewhere in shown and KEY not in shown


@pytest.mark.parametrize("status", STATUSES)
def test_drawing_follows_no_redirect_elsewhere(status):
    with anybody({"data": [{"b64_json": "eA=="}]}) as (elsewhere, asked):
        with serve(lambda body, headers: (status, {}, {"Location": f"{elsewhere}/x"})) as (url, requests):
            with pytest.raises(ModelError, match="redirects to") as caught:
                load_image_model("openai/m", base_url=url).draw("a cat", 1)
    assert asked == [] and len(requests) == 1
    assert KEY not in str(caught.value) and elsewhere in str(caught.value)


RESULTS = {"openai": "file-1", "anthropic": "/v1/messages/batches/b/results", "google": "files/1"}


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("wire", KEYS)
def test_results_of_a_batch_are_not_fetched_elsewhere(wire, status):
    class Redirecting(BaseHTTPRequestHandler):
        def do_GET(self):
            send(self, status, {}, {"Location": f"{elsewhere}/x"})

        def log_message(self, *args):
            pass

    async def fetch(url):
        model = load_model(name_of(wire), base_url=url)
        try:
            return await batch_api_for(model).fetch_results(
                url + RESULTS[wire] if wire == "anthropic" else RESULTS[wire]
            )
        finally:
            await model.close()

    with anybody(b"{}") as (elsewhere, asked), running(Redirecting) as origin:
        with pytest.raises(Exception) as caught:
            asyncio.run(fetch(origin + ROOTS[wire]))
    fault = read_fault(caught.value)
    assert asked == [] and fault.hopeless and elsewhere in fault.message


UPLOAD_URLS = [
    "{elsewhere}/put/0?key=x",
    "//localhost:{port}/put/0",
    "https://127.0.0.1:{here}/put/0",
    "http://[",
    "ftp://x/y",
]


@pytest.mark.parametrize("address", UPLOAD_URLS)
def test_the_requests_of_a_batch_are_not_uploaded_elsewhere(address):
    posted = []

    class Naming(BaseHTTPRequestHandler):
        def do_POST(self):
            posted.append(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
            port = urlsplit(elsewhere).port
            named = address.format(elsewhere=elsewhere, port=port, here=self.server.server_port)
            send(self, 200, {}, {"X-Goog-Upload-URL": named})

        def log_message(self, *args):
            pass

    async def upload(url):
        model = load_model("google/m", base_url=url)
        try:
            return await batch_api_for(model).upload("chunk", [b'{"key": "a secret question"}'])
        finally:
            await model.close()

    with anybody(b"{}") as (elsewhere, asked), running(Naming) as origin:
        with pytest.raises(Exception) as caught:
            asyncio.run(upload(origin))
    fault = read_fault(caught.value)
    assert asked == []
    assert fault.hopeless and "upload" in fault.message
    assert not any(b"secret" in data for data in posted)
