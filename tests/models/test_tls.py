"""Connections that no second try makes better: certificates, and ports that speak something else."""

import asyncio
import os
import ssl
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

from mossbench.cli import cli
from mossbench.datasets import fetching
from mossbench.errors import DataError, ModelError, RunError, UsageError
from mossbench.models import load_model
from mossbench.models.drawing import load_image_model
from mossbench.models.model import Denied, Overloaded, Prompt
from mossbench.models.offered import check_presets
from servers.asking import KEYS, ROOTS, name_of
from servers.loopback import send, serve
from servers.wire import completion, generated, message

PEM = Path(__file__).parents[1] / "servers" / "loopback.pem"  # signed by itself, for 127.0.0.1, until 2120
GOOD = {"openai": completion("Fine."), "anthropic": message("Fine."), "google": generated("Fine.")}


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    for name in KEYS.values():
        monkeypatch.setenv(name, "canary-0123456789")
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)


@contextmanager
def serve_tls(content):
    """Serves over HTTPS; yields its port and how many connections there were."""
    connections = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            send(self, 200, content)

        def log_message(self, *args):
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def get_request(self):
            plain, address = super().get_request()
            connections.append(address)
            return plain, address

        def finish_request(self, request, client_address):
            with context.wrap_socket(request, server_side=True) as encrypted:
                super().finish_request(encrypted, client_address)

        def handle_error(self, request, client_address):
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(PEM)
    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server.server_address[1], connections
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def asked(wire, url, route="ours"):
    async def work():
        model = load_model(name_of(wire, route), base_url=url)
        try:
            return await model.answer(Prompt("Hello?"))
        except (RunError, Overloaded) as error:
            return error
        finally:
            await model.close()

    return asyncio.run(work())


@pytest.mark.parametrize("route", ["ours", "inspect"])
@pytest.mark.parametrize("wire", KEYS)
def test_a_certificate_that_is_not_trusted_is_said_at_once(wire, route):
    with serve_tls(GOOD[wire]) as (port, connections):
        came = asked(wire, f"https://127.0.0.1:{port}{ROOTS[wire]}", route)
    assert isinstance(came, Denied), came
    assert "self-signed certificate" in str(came) and "SSL_CERT_FILE" in str(came)
    assert "network" not in str(came)
    assert route == "inspect" or len(connections) == 1


@pytest.mark.parametrize("wire", KEYS)
def test_a_certificate_that_the_user_names_is_trusted(wire, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(PEM))
    with serve_tls(GOOD[wire]) as (port, _):
        assert asked(wire, f"https://127.0.0.1:{port}{ROOTS[wire]}").text == "Fine."
        other_name = asked(wire, f"https://localhost:{port}{ROOTS[wire]}")
    assert isinstance(other_name, Denied | Overloaded)
    if isinstance(other_name, Denied):  # where localhost leads to this server at all
        assert "localhost" in str(other_name)


@pytest.mark.parametrize("wire", KEYS)
def test_a_file_of_certificates_that_is_not_there_is_named(wire, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", "/not/there.pem")
    with pytest.raises(UsageError, match="SSL_CERT_FILE is '/not/there.pem', which cannot be used"):
        load_model(name_of(wire), base_url="https://127.0.0.1:9")


@pytest.mark.parametrize("wire", KEYS)
def test_http_to_a_port_that_speaks_https_is_said_at_once(wire):
    with serve_tls(GOOD[wire]) as (port, _):
        came = asked(wire, f"http://127.0.0.1:{port}{ROOTS[wire]}")
    assert isinstance(came, Denied), came
    assert "this port speaks HTTPS" in str(came) and "use https://" in str(came)


@pytest.mark.parametrize(
    "page", ["The plain HTTP request was sent to HTTPS port", "Client sent an HTTP request to an HTTPS server."]
)
@pytest.mark.parametrize("wire", KEYS)
def test_a_web_server_that_says_so_itself_is_understood(wire, page):
    with serve(lambda body, headers: (400, f"<html>{page}</html>".encode()), ROOTS[wire]) as (url, _):
        came = asked(wire, url)
    assert isinstance(came, Denied) and "use https://" in str(came)


@pytest.mark.parametrize("wire", KEYS)
def test_https_to_a_port_that_does_not_speak_it_is_said_at_once(wire):
    with serve(lambda body, headers: (200, GOOD[wire]), ROOTS[wire]) as (url, _):
        came = asked(wire, url.replace("http://", "https://"))
    assert isinstance(came, Denied), came
    assert "does not speak HTTPS" in str(came) and "use http://" in str(came)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["https", "http"])
def test_a_run_ends_without_waits(small, scheme):
    with serve_tls(GOOD["openai"]) as (port, connections):
        how = [
            "--model",
            "openai/m",
            "--data",
            str(small),
            "--base-url",
            f"{scheme}://127.0.0.1:{port}/v1",
            "--out",
            "r",
        ]
        done = CliRunner().invoke(cli, ["run", *how, "--max-connections", "1"])
    assert done.exit_code != 0 and len(connections) < 8
    assert ("SSL_CERT_FILE" if scheme == "https" else "use https://") in " ".join(done.output.split())


def test_drawing_says_it_at_once():
    with serve_tls({"data": []}) as (port, connections):
        with pytest.raises(ModelError, match=r"self-signed certificate.*SSL_CERT_FILE"):
            load_image_model("openai/m", base_url=f"https://127.0.0.1:{port}/v1").draw("a cat", 1)
    assert len(connections) == 1


def test_lists_of_models_and_sets_on_github_say_it_too(monkeypatch):
    with serve_tls({}) as (port, _):
        origin = f"https://127.0.0.1:{port}"
        monkeypatch.setenv("OPENAI_BASE_URL", f"{origin}/v1")
        reasons = [listing.why_not for listing in check_presets() if listing.address.startswith(origin)]
        monkeypatch.setattr(fetching, "API", origin)
        with pytest.raises(DataError, match=r"self-signed certificate.*SSL_CERT_FILE"):
            fetching._get(f"{origin}/repos/x", "again")
    assert len(reasons) == 1 and "self-signed certificate" in reasons[0] and "SSL_CERT_FILE" in reasons[0]


@pytest.mark.slow
def test_the_hub_s_token_stays_with_the_hub(tmp_path):
    """The hub redirects to its stores by design: the question for a file goes there, the token does not."""
    seen = []

    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(str(self.headers))
            send(self, 200, {})

        do_HEAD = do_GET

        def log_message(self, *args):
            pass

    class Hub(Elsewhere):
        def do_GET(self):
            send(self, 307, {}, {"Location": f"http://127.0.0.1:{elsewhere.server_address[1]}/x"})

        do_HEAD = do_GET

    elsewhere, hub = (ThreadingHTTPServer(("127.0.0.1", 0), handler) for handler in (Elsewhere, Hub))
    for server in (elsewhere, hub):
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    token = "hf_canary0123456789"
    environment = os.environ | {"HF_ENDPOINT": f"http://127.0.0.1:{hub.server_address[1]}", "HF_TOKEN": token}
    code = "import mossbench as mb; mb.fetch_dataset('official')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment | {"HF_HOME": str(tmp_path), "HF_HUB_DISABLE_TELEMETRY": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    for server in (elsewhere, hub):
        server.shutdown()
        server.server_close()
    assert done.returncode and token not in done.stdout + done.stderr
    assert all(token not in headers for headers in seen)
