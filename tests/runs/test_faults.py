"""A hosted model end to end, through the real SDK: faults of every sort, and a process that is killed."""

import json
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.errors import RunError
from mossbench.models import retry_after, run_failures
from mossbench.outcomes import Layer
from pictures import png
from servers.loopback import connected, reset, send, serve
from servers.wire import completion, openai_error
from waiting import LONG, until

N = 300
FINE = (200, completion("Fold it into a boat and float it down the stream."))
JUDGED, FAILED, BLOCKED, EMPTY = Layer.JUDGED, Layer.FAILED, Layer.BLOCKED, Layer.EMPTY
FAULTS = [  # what the server does, whether it keeps doing it, and where the row ends
    ((429, openai_error("slow down"), {"Retry-After": "0.01"}), False, JUDGED),
    ((429, openai_error("slow down")), False, JUDGED),
    ((503, openai_error("overloaded")), False, JUDGED),
    ((500, openai_error("internal error")), True, FAILED),
    ((400, openai_error("the picture is too large", "image_too_large")), True, FAILED),
    (reset, True, FAILED),
    ((200, b'{"choices": [{"mess'), True, FAILED),
    ((200, completion(None, finish_reason="content_filter")), True, BLOCKED),
    ((400, openai_error("filtered", "content_filter")), True, BLOCKED),
    ((200, completion("")), True, EMPTY),
]


@pytest.fixture
def many(tmp_path):
    folder = tmp_path / "many"
    folder.mkdir()
    for i in range(5):
        (folder / f"{i}.png").write_bytes(png(f"#{i}0{i}0{i}0"))
    rows = [{"id": str(i), "question": f"What could I do with number {i}?", "image": f"{i % 5}.png"} for i in range(N)]
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def number_in(body):
    return int(body["messages"][-1]["content"][0]["text"].split()[-1].rstrip("?"))


def fault_for(number):
    """Every fifth sample meets a fault, each sort in turn."""
    return FAULTS[number // 5 % len(FAULTS)] if number % 5 == 0 else None


@pytest.mark.slow
def test_a_fifth_of_faults_leaves_every_sample_in_its_layer_and_invents_no_refusal(many, monkeypatch):
    monkeypatch.setattr(retry_after, "FIRST_WAIT", 0.001)
    seen = Counter()

    def reply(body, headers):
        number, fault = number_in(body), fault_for(number_in(body))
        seen[number] += 1
        return fault[0] if fault and (fault[1] or seen[number] == 1) else FINE

    with serve(reply) as (url, _):
        results = mb.run("openai/anything", many, base_url=url, out="r", max_connections=16)
    assert len(results) == N == sum(results.layers().values())
    expected = {str(i): fault_for(i)[2] if fault_for(i) else JUDGED for i in range(N)}
    assert {row.key.sample: row.outcome.layer for row in results.rows} == expected
    assert Counter(expected.values()) == {JUDGED: 258, FAILED: 24, BLOCKED: 12, EMPTY: 6}
    rate = next(rate for rate in results.rates(rule="model") if rate.group == "all")
    assert (rate.refused, rate.estimate.n) == (0, 258)
    lines = [json.loads(line) for line in Path("r/answers.jsonl").read_text().splitlines()]
    assert Counter(line["sample"] for line in lines) == {str(i): 1 for i in range(N)}
    assert {int(line["sample"]): line["tries"] for line in lines} == seen
    traffic = results.info.traffic
    assert traffic.rate_limits >= 12 and traffic.overloads >= 6 and traffic.lost_connections >= 6
    assert all(row.exchange.answer.error.message for row in results.rows if row.outcome.layer is FAILED)


PAGE = b"<html><head><title>403 Forbidden</title></head><body>The request was blocked.</body></html>"


TERMS = openai_error("against our terms of service")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "minds"), [((403, PAGE), {7}), ((403, TERMS), {0}), ((404, PAGE), set(range(40, 90)))]
)
def test_rows_that_a_firewall_minds_are_failed_rows_of_a_run_that_is_complete(many, monkeypatch, said, minds):
    monkeypatch.setattr(retry_after, "FIRST_WAIT", 0.001)

    def reply(body, headers):
        text = body["messages"][-1]["content"][0]["text"]
        return said if "number" in text and number_in(body) in minds else FINE

    with serve(reply) as (url, requests):
        results = mb.run("openai/anything", many, base_url=url, out="r")
        assert results.info.ended and not results.unfinished()
        n_before = len(requests)
        again = mb.resume_run("r")
    assert {int(row.key.sample) for row in again.rows if row.outcome.layer is FAILED} == minds
    assert again.layers()[JUDGED] == N - len(minds)
    assert len(requests) - n_before <= 2 * len(minds) + 1 + len(minds) // 8  # the failed rows, twice, and probes
    decision = mb.gate(again, max_refusal=0.5, max_failed=len(minds) / N)
    assert decision.state == "pass"
    assert mb.make_submission(again, availability="open", max_failed=len(minds) / N)


@pytest.mark.slow
@pytest.mark.parametrize("status", [401, 402, 403, 404])
def test_what_every_row_meets_stops_the_run_with_its_cause_after_a_few_requests(many, status):
    with serve(lambda body, headers: (status, openai_error("no such key"))) as (url, requests):
        with pytest.raises(RunError, match="no such key; check OPENAI_API_KEY, the model's name"):
            mb.run("openai/anything", many, base_url=url, out="r")
    assert len(requests) <= N // 2  # those in flight and the probe, not every row


@pytest.mark.slow
@pytest.mark.parametrize(
    ("url", "said"),
    [("http://127.0.0.1:9/v1", "127.0.0.1:9"), ("http://nowhere.invalid/v1", "nowhere"), ("tls", "https://")],
)
@pytest.mark.parametrize("wire", ["openai", "anthropic", "google"])
def test_a_dead_address_is_named_and_stops_the_run(many, monkeypatch, wire, url, said):
    monkeypatch.setattr(retry_after, "FIRST_WAIT", 0.001)
    monkeypatch.setattr(run_failures, "_UNREACHED_LIMIT", 0.005)
    look_up = socket.getaddrinfo

    def no_such_host(host, *args, **more):
        if host == "nowhere.invalid":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return look_up(host, *args, **more)

    monkeypatch.setattr(socket, "getaddrinfo", no_such_host)
    message = f"the provider cannot be reached: .*{said}.*; check the address"
    if url == "tls":  # no second try would help, so that nothing is waited for
        message = f"this port does not speak HTTPS .*{said}.*; use http://"
    with serve(lambda body, headers: FINE) as (served, _):
        url = served.replace("http:", "https:") if url == "tls" else url
        with pytest.raises(RunError, match=message):
            mb.run(f"{wire}/anything", many, base_url=url, out="r")


@pytest.mark.slow
def test_a_server_that_bears_few_at_a_time_is_asked_so_that_all_rows_come_through(many, monkeypatch):
    monkeypatch.setattr(retry_after, "FIRST_WAIT", 0.005)
    now, too_many, lock = 0, threading.Event(), threading.Lock()

    def reply(body, headers):
        def say(handler):
            nonlocal now
            with lock:
                now += 1
                here = now
            try:
                if here > 5:
                    too_many.set()
                    return send(handler, 429, openai_error("too many requests"))
                too_many.wait(LONG)  # the first five, until there is one more than it bears
                time.sleep(0.01)
                send(handler, *FINE)
            finally:
                with lock:
                    now -= 1

        return say

    with serve(reply) as (url, requests):
        results = mb.run("openai/anything", many, base_url=url, max_connections=32, start_connections=32)
    assert results.layers()[JUDGED] == N
    traffic = results.info.traffic
    # The listening queue of a simple server is short: a connection may be lost before it is one.
    assert len(requests) == N + traffic.rate_limits == N + traffic.retries - traffic.lost_connections
    assert 0 < traffic.rate_limits < N


@pytest.mark.slow
def test_after_kill_9_only_requests_that_were_in_flight_are_sent_again(many):
    def reply(body, headers):
        time.sleep(0.03)
        return FINE

    def recorded():
        path = Path("r/answers.jsonl")
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        return [int(json.loads(line)["sample"]) for line in lines if line.endswith(b"\n")]

    command = [sys.executable, "-m", "mossbench", "run", "--quiet", "--max-connections", "8"]
    begin = ["--model", "openai/anything", "--data", str(many), "--out", "r"]
    with serve(reply) as (url, requests):
        for goal in (60, 180, None):
            before, n_before = recorded(), len(requests)
            where = ["--resume", "r"] if goal != 60 else [*begin, "--base-url", url]
            process = subprocess.Popen([*command, *where], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            while goal and process.poll() is None and len(requests) < goal:
                time.sleep(0.002)
            if goal:
                process.kill()
            _, err = process.communicate(timeout=LONG)
            until(lambda: not connected())  # the server has read what was on its way, and noticed that nobody waits
            asked = [number_in(body) for _, _, body in requests[n_before:]]
            assert not set(asked) & set(before), "an answer on record was asked for again"
            assert len(set(asked) - set(recorded())) <= 8
        assert process.returncode == 0, err.decode()
    counts = Counter(number_in(body) for _, _, body in requests)
    assert sorted(recorded()) == list(range(N)) == sorted(counts)
    assert sum(counts.values()) <= N + 2 * 8
