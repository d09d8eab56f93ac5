"""`vllm/<checkpoint>` with a program named vllm on the PATH that speaks its protocol."""

import json
import os
import sys
from email.message import Message
from io import BytesIO
from pathlib import Path
from urllib.error import HTTPError

import pytest

import mossbench as mb
from mossbench.errors import ModelError, UsageError
from mossbench.models import load_model
from mossbench.models.openai import OpenAIModel
from mossbench.models.vllm import is_ready
from mossbench.outcomes import Layer
from waiting import until

PROGRAM = """#!{python}
import json, os, sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

args = sys.argv[1:]
Path("seen.json").write_text(json.dumps({{"args": args, "pid": os.getpid()}}))
if "broken" in args[1]:
    sys.exit("ValueError: no such architecture")
ready = time.monotonic() + (600 if args[1] == "org/slow" else 0.5)
asked = 0


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.reply(200 if self.path == "/health" and time.monotonic() > ready else 503, {{}})

    def do_POST(self):
        global asked
        asked += 1
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "fragile" in args[1] and asked > 3:
            print("CUDA error: device lost", flush=True)
            os._exit(7)
        said = body["messages"][-1]["content"][0]["text"] + " A fine question for " + body["model"]
        choice = {{"index": 0, "finish_reason": "stop", "message": {{"role": "assistant", "content": said}}}}
        self.reply(200, {{"choices": [choice], "usage": {{"prompt_tokens": 5, "completion_tokens": 7}}}})

    def reply(self, status, content):
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass


ThreadingHTTPServer(("127.0.0.1", int(args[args.index("--port") + 1])), Handler).serve_forever()
"""


@pytest.fixture
def vllm(monkeypatch, tmp_path):
    program = tmp_path / "bin" / "vllm"
    program.parent.mkdir()
    program.write_text(PROGRAM.format(python=sys.executable))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


def seen():
    return json.loads(Path("seen.json").read_text())


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
def test_a_server_is_started_asked_and_stopped(vllm, monkeypatch, small):
    monkeypatch.setenv("MOSSBENCH_VLLM_ARGS", "--tensor-parallel-size 2 --dtype 'bfloat16'")
    made = []
    monkeypatch.setattr("mossbench.models.vllm.OpenAIModel", lambda *args: made.append(OpenAIModel(*args)) or made[-1])
    results = mb.run("vllm/org/model", small, trust_remote_code=True, out="run")
    assert results.layers()[Layer.FAILED] == 0
    assert all("A fine question for org/model" in row.exchange.answer.text for row in results.rows)
    args = seen()["args"]
    assert args[:2] == ["serve", "org/model"]
    assert args[-5:] == ["--tensor-parallel-size", "2", "--dtype", "bfloat16", "--trust-remote-code"]
    assert results.info.sent["vllm_args"] == args[-5:] and results.info.sent["temperature"] == 0
    assert not is_running(seen()["pid"])
    assert made and all(client.is_closed() for model in made for client in model._clients)


def test_looking_whether_a_server_is_ready_leaves_no_connection_open(monkeypatch):
    not_yet = HTTPError("http://127.0.0.1/health", 503, "not yet", Message(), BytesIO())

    def look(url, timeout):
        raise not_yet

    monkeypatch.setattr("urllib.request.urlopen", look)
    assert not is_ready("http://127.0.0.1/health")
    assert not_yet.closed


def test_a_server_that_does_not_start_is_one_message_with_its_last_words(vllm, small):
    with pytest.raises(ModelError, match="vllm/broken cannot be started: it exited with code 1.*no such architecture"):
        mb.run("vllm/broken", small)


@pytest.mark.slow
def test_answers_before_a_server_broke_are_kept(vllm, small):
    with pytest.raises(mb.MossbenchError, match="CUDA error: device lost") as caught:
        mb.run("vllm/fragile", small, max_connections=1, out="run")
    assert "3 of 12 answers are saved" in caught.value.__notes__[0]
    assert sum(row.exchange is not None for row in mb.load_results("run").rows) == 3


def test_a_server_that_is_not_ready_in_time_is_stopped(vllm, monkeypatch, small):
    monkeypatch.setattr("mossbench.models.vllm.START_LIMIT", 0.01)

    def look(url):
        until(lambda: Path("seen.json").exists() and Path("seen.json").read_text())  # it has begun to start
        return is_ready(url)

    monkeypatch.setattr("mossbench.models.vllm.is_ready", look)
    with pytest.raises(ModelError, match="was not ready within 0.01 s: it is still running"):
        mb.run("vllm/org/slow", small)
    assert not is_running(seen()["pid"])


def test_a_dry_run_starts_nothing(vllm, small):
    assert mb.forecast_run("vllm/org/model", small).n_requests == 12
    assert not Path("seen.json").exists()


def test_without_the_program_the_message_says_both_ways_out(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UsageError, match="vllm on the PATH.*model='openai/org/model', base_url="):
        load_model("vllm/org/model")
