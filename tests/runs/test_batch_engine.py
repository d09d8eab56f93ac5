"""The engine `batch`, through the real SDKs against loopback servers with the faults that batch APIs have."""

import asyncio
import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.cli.run import run as run_command
from mossbench.errors import Code, Interrupted, RunError, StorageError, UsageError
from mossbench.messages import NOTHING
from mossbench.models import batching
from mossbench.outcomes import Layer, Usage
from mossbench.plumbing.line_writer import LineWriter
from mossbench.plumbing.places import PlaceLost
from mossbench.runs import budget
from mossbench.runs.batches import calls, collecting, lookup, sending
from mossbench.runs.engines import EngineOptions
from mossbench.runs.engines import batch as engine_batch
from mossbench.store.batch_log import chunks_out, pending_rows, pending_rows_text
from mossbench.store.prices import Price
from pictures import png
from servers.asking import KEYS
from servers.batches import batch_server
from servers.fates import make_data, right_text
from servers.loopback import reset, send
from waiting import until

WIRES = ["openai", "anthropic", "google"]
BATCH = EngineOptions(name="batch", poll=0.001)
N = 8


@pytest.fixture
def data(tmp_path, monkeypatch):
    for name in KEYS.values():
        monkeypatch.setenv(name, "a-key-of-ours")
    return make_data(tmp_path / "data", N, png())


@pytest.fixture(autouse=True)
def quick_looks(monkeypatch):
    """A list of batches is looked into as often as ever, without the seconds in between."""
    monkeypatch.setattr(lookup, "_pause_for_list", lambda look, poll: 0.001)
    monkeypatch.setattr(calls, "FIRST_WAIT", 0.001)


@pytest.fixture(params=WIRES)
def there(request, data):
    with batch_server(request.param) as (url, server):
        server.url = url
        yield server


@pytest.fixture
def openai(data):
    with batch_server("openai") as (url, server):
        server.url = url
        yield server


def run(server, data, out="r", engine=BATCH, **options):
    return mb.run(f"{server.wire}/x", data, base_url=server.url, out=out, engine=engine, **options)


def said_out(path):
    return pending_rows_text(pending_rows(path))


def texts(folder="r"):
    rows = [json.loads(line) for line in Path(folder, "answers.jsonl").read_text().splitlines()]
    return {int(row["sample"]): row["answer"]["text"] for row in rows}


RIGHT = {i: right_text(i) for i in range(N)}


@pytest.mark.slow
def test_rows_are_answered_through_a_batch_as_they_are_one_by_one(there, data):
    there.polls = 2
    batched, local = run(there, data), run(there, data, "s", engine="local")
    assert there.sizes == [N] and there.live == N
    assert texts() == texts("s") == RIGHT
    rows = zip(batched.rows, local.rows, strict=True)
    assert all(one.exchange.digest() == other.exchange.digest() and one.outcome == other.outcome for one, other in rows)
    assert batched.info.engines == ("batch",) and batched.info.sent == local.info.sent
    assert (batched.info.config, batched.info.subject) == (local.info.config, local.info.subject)
    assert not said_out(Path("r/batches.jsonl"))


def test_what_is_sent_is_what_a_single_call_sends(there, data):
    """OpenAI's and Anthropic's items hold the same request; Google's has the parts of the REST call."""
    mb.run(f"{there.wire}/x", data, base_url=there.url, out="r", engine=BATCH, limit=1, system="Be kind.", max_tokens=7)
    (item,) = next(iter(there.batches.values()))["items"]
    request = item.get("body") or item.get("params") or item["request"]
    said = json.dumps(request)
    assert "Be kind." in said and "number 0?" in said and '"temperature": 0.0' in said and ": 7" in said
    assert len(re.findall(r"iVBORw0KGgo", said)) == 1  # the image, in base64
    if there.wire == "google":
        assert request["system_instruction"] == {"parts": [{"text": "Be kind."}]}
        assert request["generation_config"] == {"temperature": 0.0, "seed": 42, "max_output_tokens": 7}
    else:
        assert request["model"] == "x" and request["max_tokens"] == 7


FATES = ["fine", "expired", "cancelled", "overloaded", "unsupported", "missing", "twice", "fine"]


@pytest.mark.slow
def test_items_that_a_batch_did_not_answer_go_out_again(there, data):
    there.fate = lambda number, before: "fine" if before else FATES[number]
    results = run(there, data)
    assert texts() == RIGHT and there.sizes == [N, 5] and there.live == 0
    assert {row.sample.id: row.exchange.tries for row in results.rows} == {str(i): 1 + (0 < i < 6) for i in range(N)}
    assert len(Path("r/answers.jsonl").read_text().splitlines()) == N  # of an id that comes twice the first holds
    assert "temperature" in results.info.sent["not_taken"]


@pytest.mark.slow
def test_items_that_are_never_answered_fail_with_the_reason(there, data):
    there.fate = lambda number, before: "expired" if number == 3 else "errored" if number == 5 else "fine"
    results = run(there, data, retries=2)
    assert results.layers()[Layer.FAILED] == 2 and there.sizes == [N, 1, 1]
    failed = {row.sample.id: row.exchange for row in results.rows if row.outcome.layer is Layer.FAILED}
    assert (failed["3"].tries, failed["5"].tries) == (3, 1)  # a bad request is not sent again
    assert "it was errored" in failed["5"].answer.error.message and "expired" in failed["3"].answer.error.message
    there.fate = lambda number, before: "fine"
    assert mb.resume_run("r", engine=BATCH).layers()[Layer.JUDGED] == N and there.sizes[3:] == [2]


@pytest.mark.slow
def test_a_batch_that_ends_badly_as_a_whole_is_sent_again(there, data):
    there.whole.extend(["expired", "cancelled", "failed"])
    run(there, data)
    assert texts() == RIGHT and there.sizes == [N] * 4 and set(there.ran.values()) == {1}


@pytest.mark.slow
def test_results_that_were_cut_off_are_fetched_again_and_not_paid_again(there, data):
    there.cuts = 1
    run(there, data)
    assert texts() == RIGHT and there.sizes == [N]
    there.cuts = 5
    run(there, data, "s")
    assert texts("s") == RIGHT and there.sizes == [N, N]


def test_results_that_are_cut_off_for_ever_stay_pending(there, data):
    content = there.content
    there.content = lambda batch: content(batch)[:-1000]
    with pytest.raises(RunError, match="results are cut off: batch .* after 10 checks; nothing is sent again"):
        run(there, data)
    assert there.paid == N and 0 < len(texts()) < N - 1
    there.content = content
    mb.resume_run("r", engine=BATCH)
    assert there.paid == N and texts() == RIGHT


@pytest.mark.slow
def test_chunks_are_bounded_by_items_and_by_bytes(there, data, monkeypatch):
    monkeypatch.setattr(batching.BatchApi, "most_items", 3)
    run(there, data)
    assert there.sizes == [3, 3, 2] and texts() == RIGHT
    longest = max(len(json.dumps(item)) for batch in there.batches.values() for item in batch["items"])
    monkeypatch.setattr(batching.BatchApi, "most_bytes", 2 * longest + 10)
    run(there, data, "s")
    assert there.sizes[3:] == [2, 2, 2, 2] and texts("s") == RIGHT


@pytest.mark.slow
def test_a_lost_reply_to_create_costs_nothing_twice(there, data):
    """The batch is there and its id never came: it is found by its name, or by the ids in its results."""
    there.make([{}] * N, "", other=True)  # somebody else's, of the same size
    there.faults["created"].append(reset)
    run(there, data)
    there.make([{}] * N, "", other=True)
    assert texts() == RIGHT and there.sizes == [N] and set(there.ran.values()) == {1}


@pytest.mark.parametrize("reply", [{}, {"id": None, "name": None}], ids=["missing", "null"])
def test_a_reply_to_create_that_does_not_name_the_batch_costs_nothing_twice(there, data, monkeypatch, reply):
    monkeypatch.setattr(calls, "_PATIENCE", 0)
    there.faults["created"].append((200, reply))
    run(there, data)
    assert texts() == RIGHT and there.sizes == [N]


def test_a_run_that_is_done_does_not_depend_on_what_was_out(openai, data):
    run(openai, data)
    Path("r/batches.jsonl").write_text("{\n")
    assert mb.load_results("r").unfinished() == NOTHING


def test_a_disk_that_is_full_when_a_batch_is_confirmed_costs_nothing_twice(openai, data, monkeypatch):
    """It has room again for the next line."""
    append, full = LineWriter.append, [StorageError("the disk is full")]

    def append_or_not(writer, record):
        if getattr(record, "state", "") == "out" and full:
            raise full.pop()
        append(writer, record)

    monkeypatch.setattr(LineWriter, "append", append_or_not)
    with pytest.raises(StorageError, match="the disk is full"):
        run(openai, data)
    assert said_out(Path("r/batches.jsonl")) == f"{N} rows are pending in 1 batch"
    mb.resume_run("r", engine=BATCH)
    assert texts() == RIGHT and openai.sizes == [N]


def test_an_answer_counts_where_a_fault_has_come_under_its_id_too(there, data):
    lines = there.lines
    there.lines = lambda item, state: [  # they come in the reverse order
        *lines(item, state),
        there.line(item.get("custom_id") or item["key"], None, "overloaded"),
    ]
    run(there, data)
    assert texts() == RIGHT and there.sizes == [N]


def test_an_answer_is_recorded_with_the_image_that_was_sent_even_if_changed_since(openai, data):
    class Change:
        def __call__(self, event):
            pass

        def waits(self, waits):
            (data / "a.png").unlink(missing_ok=True)

    openai.polls = 1
    results = run(openai, data, progress=Change())
    assert {row.exchange.picture.sha256 for row in results.rows} == {sha256(png()).hexdigest()}


def test_a_batch_that_a_killed_process_asked_for_is_given_time_to_appear(openai, data, monkeypatch):
    """The request had arrived when the process was killed, and the provider lists the batch only a little later."""
    openai.faults["upload"].append((401, {"error": {"message": "no such key"}}))
    with pytest.raises(RunError):
        run(openai, data)
    first = Path("r/batches.jsonl").read_text().splitlines()[0]
    Path("r/batches.jsonl").write_text(first + "\n")
    name, late = json.loads(first)["name"], asyncio.sleep

    async def sleep(seconds):
        if not openai.batches:
            bodies = [{"messages": [{"content": f"number {row[1]}?"}]} for row in json.loads(first)["rows"]]
            openai.make([{"custom_id": f"{name}-{i}", "body": body} for i, body in enumerate(bodies)], name)
        await late(0)

    monkeypatch.setattr(calls.asyncio, "sleep", sleep)
    mb.resume_run("r", engine=BATCH)
    assert texts() == RIGHT and openai.sizes == [N] and not openai.files


@pytest.mark.slow
def test_a_create_that_did_not_arrive_is_done_again(there, data):
    there.faults["create"].extend([reset, (500, {"error": {"message": "oops", "type": "api_error", "code": 500}})])
    run(there, data)
    assert texts() == RIGHT and there.sizes == [N]


@pytest.mark.slow
def test_limits_and_faults_on_the_way_are_waited_for(there, data):
    busy = (429, {"error": {"message": "slow down", "type": "x", "code": 429}}, {"Retry-After": "0.01"})
    for step, times in (("create", 1), ("poll", 9), ("results", 9)):  # what is out already is worth more patience
        there.faults[step].extend([busy] * times)
    run(there, data, retries=1)
    assert texts() == RIGHT and there.sizes == [N]


def test_a_limit_that_lasts_stops_the_run_and_blames_neither_key_nor_name(openai, data):
    openai.faults["create"].extend([(429, {"error": {"message": "slow down"}}, {"Retry-After": "0"})] * 2)
    with pytest.raises(RunError, match="openai/x, batch API: slow down; try again later$"):
        run(openai, data, retries=1)
    assert not said_out(Path("r/batches.jsonl"))


@pytest.mark.slow
def test_a_batch_that_is_gone_stops_the_run_and_says_how_to_go_on(openai, data, monkeypatch):
    stopped_at(openai, data, 1, monkeypatch)
    openai.faults["poll"].append((404, {"error": {"message": "No batch with that id"}}))
    with pytest.raises(RunError, match="No batch with that id; .* gone for good, delete r/batches.jsonl: its rows are"):
        mb.resume_run("r", engine=BATCH)
    Path("r/batches.jsonl").unlink()
    n_there = len(texts())
    mb.resume_run("r", engine=BATCH)
    assert texts() == RIGHT and openai.sizes == [N, N - n_there]


def test_a_damaged_file_of_batches_is_named_in_the_list_of_runs(openai, data):
    run(openai, data, out="runs/mine")
    Path("runs/mine/batches.jsonl").write_text('{"name": 3}\n')
    (line,) = mb.list_runs()
    assert line.state == "cannot be read" and "batches.jsonl, line 1" in str(line.error)


@pytest.mark.slow
def test_a_wrong_key_stops_the_run_before_anything_is_out(there, data):
    step = "create" if there.wire == "anthropic" else "upload"
    there.faults[step].append((401, {"error": {"message": "no such key", "type": "authentication_error"}}))
    with pytest.raises(RunError, match="no such key"):
        run(there, data)
    assert not said_out(Path("r/batches.jsonl")) and there.sizes == []
    assert mb.resume_run("r", engine=BATCH).layers()[Layer.JUDGED] == N


def test_a_model_that_is_not_there_stops_the_run_and_fails_no_row(openai, data):
    openai.whole.append("failed")
    openai.why = "model_not_found"
    with pytest.raises(RunError, match="openai/x: it was model_not_found; check OPENAI_API_KEY, the model's name"):
        run(openai, data)
    assert texts() == {} and not said_out(Path("r/batches.jsonl"))
    assert mb.resume_run("r", engine=BATCH).layers()[Layer.JUDGED] == N


def test_an_endpoint_without_a_batch_api_is_named(openai, data):
    openai.faults["upload"].append((404, {"error": {"message": "Not Found"}}))
    with pytest.raises(RunError, match="openai/x, batch API: Not Found; .*whether it has a batch API"):
        run(openai, data)


@pytest.mark.parametrize("model", ["control/candid", "replay/answers.jsonl"])
def test_models_without_a_batch_api_are_refused_before_there_is_a_folder(model, data):
    Path("answers.jsonl").write_text('{"id": "0", "response": "Yes."}\n')
    with pytest.raises(UsageError, match="cannot be asked in batches: only openai/…, anthropic/… and google/…"):
        mb.run(model, data, out="r", engine="batch")
    assert not Path("r/run.json").exists()
    with pytest.raises(UsageError, match=f"{model} cannot be asked in batches"):
        mb.forecast_run(model, data, engine="batch")


def test_an_image_that_cannot_be_sent_fails_its_row_and_no_other(openai, data):
    (data / "b.png").write_bytes(b"no image")
    lines = (
        (data / "metadata.jsonl").read_text().replace('number 3?", "image": "a.png"', 'number 3?", "image": "b.png"')
    )
    (data / "metadata.jsonl").write_text(lines)
    results = run(openai, data)
    assert results.layers()[Layer.FAILED] == 1 and openai.sizes == [N - 1]


# What may be paid for is not sent again: all of these count what was handed over


BUSY = {"error": {"message": "slow down", "type": "rate_limit_error", "code": 429}}
INVALID = {"error": {"message": "bad request", "type": "invalid_request_error", "code": 400}}
BROKEN = {"error": {"message": "oops", "type": "api_error", "code": 500}}


@pytest.mark.parametrize("counts", ["honest", None, (0, 0), (3, 0)], ids=["honest", "absent", "zero", "too few"])
def test_a_batch_that_has_ended_and_names_no_file_yet_is_looked_at_again(there, data, counts):
    if counts != "honest":
        there.counts = lambda answered, failed: counts
    there.late = 5
    run(there, data)
    assert there.paid == N and texts() == RIGHT


@pytest.mark.parametrize("counts", ["honest", None], ids=["honest", "absent"])
def test_a_batch_that_never_names_its_file_stays_pending_and_says_how_to_go_on(there, data, counts):
    if counts != "honest":
        there.counts = lambda answered, failed: counts
    there.late = 10_000
    told = f"not done yet: {N} rows are pending in 1 batch; no results yet: batch .* after 60 checks; nothing is sent"
    with pytest.raises(RunError, match=told) as stopped:
        run(there, data)
    assert "resume it with" in stopped.value.__notes__[0] and texts() == {}
    with pytest.raises(RunError, match="no results yet"):
        mb.resume_run("r", engine=EngineOptions(name="batch", poll=0))
    for batch in there.batches.values():
        batch["late"] = 0
    mb.resume_run("r", engine=BATCH)
    assert there.paid == N and texts() == RIGHT


@pytest.mark.parametrize("state", ["expired", "cancelled"])
def test_answers_of_a_batch_that_did_not_end_well_are_waited_for_too(openai, data, state):
    """Five of its rows were answered; only the others are sent again."""
    openai.whole.append("done")
    openai.fate = lambda number, before: "fine" if number < 5 or before else "expired"
    told = openai.told
    openai.told = lambda id, url: {**told(id, url), "status": state} if id == "batch_1" else told(id, url)
    openai.late = 4
    run(openai, data)
    assert openai.sizes == [N, N - 5] and texts() == RIGHT and set(openai.ran.values()) == {1}


REPLIES = {
    "429": (429, BUSY, {"Retry-After": "0.01"}),
    "400": (400, INVALID),
    "401": (401, {"error": {"message": "no such key", "type": "authentication_error"}}),
    "403": (403, {"error": {"message": "no", "type": "permission_error"}}),
    "409": (409, {"error": {"message": "conflict"}}),
    "500": (500, BROKEN),
    "503 page": (503, b"<html>busy</html>"),
    "reset": reset,
    "empty": (200, b""),
    "no JSON": (200, b"{"),
    "brackets": (200, b"[" * 100_000),
    "list": (200, b"[1]"),
}


@pytest.mark.slow
@pytest.mark.parametrize("lag", [0, 6], ids=["listed", "listed late"])
@pytest.mark.parametrize("reply", REPLIES)
def test_a_batch_that_was_made_is_found_whatever_was_replied(there, data, reply, lag):
    there.make([{}] * N, "", other=True)
    there.lag = lag
    there.faults["created"].append(REPLIES[reply])
    run(there, data)
    assert there.paid == N and texts() == RIGHT


@pytest.mark.parametrize(
    "order", [list, lambda ids: ids[::-1], lambda ids: ids[3:] + ids[:3]], ids="old new mixed".split()
)
def test_a_batch_is_found_wherever_in_the_list_it_stands(there, data, order):
    for _ in range(4):
        there.make([{}] * N, "", other=True)
    there.list_order = order
    there.faults["created"].append(reset)
    there.faults["list"].extend([(500, BROKEN), (200, b"[]"), (200, b"no list"), (429, BUSY)])
    run(there, data)
    assert there.paid == N and texts() == RIGHT


def test_a_list_that_is_forbidden_leaves_the_batch_unknown_and_says_how_to_go_on(there, data):
    there.faults["created"].append((500, BROKEN))
    there.faults["list"].extend([(403, {"error": {"message": "not your list"}})] * 2)
    told = "making a batch failed .oops.*, and looking for it, too: .*not your list; it is unknown whether batch"
    with pytest.raises(RunError, match=told):
        run(there, data)
    assert said_out(Path("r/batches.jsonl")) == f"{N} rows are pending in 1 batch"
    with pytest.raises(
        RunError, match="so nothing is sent again: resume later, or, .* remove the lines with that name"
    ):
        mb.resume_run("r", engine=BATCH)
    mb.resume_run("r", engine=BATCH)
    assert there.paid == N and texts() == RIGHT


NO_KEY = {"error": {"message": "no such key", "type": "authentication_error"}}
FORBIDDEN = {"error": {"message": "not for you", "type": "permission_error"}}
NO_API = {"error": {"message": "no such address"}}
DENIALS = {
    "403 and 403": ((403, FORBIDDEN), (403, FORBIDDEN)),
    "page and page": ((403, b"<html>firewall</html>"), (403, b"<html>firewall</html>")),
    "401 and 403": ((401, NO_KEY), (403, FORBIDDEN)),
    "403 and 401": ((403, FORBIDDEN), (401, NO_KEY)),
    "403 and 404": ((403, FORBIDDEN), (404, NO_API)),
    "404 and 403": ((404, NO_API), (403, FORBIDDEN)),
    "404 and 401": ((404, NO_API), (401, NO_KEY)),
}


@pytest.mark.parametrize("denial", DENIALS)
def test_a_batch_that_was_made_though_all_is_denied_stays_pending(there, data, denial):
    created, listed = DENIALS[denial]
    there.faults["created"].append(created)
    there.faults["list"].extend([listed] * 2)
    with pytest.raises(RunError, match="it is unknown whether batch .* was created, so nothing is sent again"):
        run(there, data)
    assert said_out(Path("r/batches.jsonl")) == f"{N} rows are pending in 1 batch"
    with pytest.raises(RunError, match="resume later, or, if the provider has no such batch, remove the lines"):
        mb.resume_run("r", engine=BATCH)
    mb.resume_run("r", engine=BATCH)
    assert there.paid == N and texts() == RIGHT


@pytest.mark.parametrize("wire", ["openai", "google"])
def test_a_key_taken_before_the_batch_was_made_does_not_mean_that_there_is_none(data, wire):
    with batch_server(wire) as (url, server):
        server.url = url
        server.faults["created"].append((401, NO_KEY))
        server.faults["list"].append((401, NO_KEY))
        with pytest.raises(RunError, match="it is unknown whether"):
            run(server, data)
        mb.resume_run("r", engine=BATCH)
        assert server.paid == N and texts() == RIGHT


def test_a_later_chunk_that_is_denied_stays_pending_where_an_earlier_one_was_taken(data, monkeypatch):
    monkeypatch.setattr(batching.BatchApi, "most_items", N // 2)
    with batch_server("anthropic") as (url, server):
        server.url = url
        taken = lambda handler: send(handler, 200, server.told("msgbatch_1", "http://x"))  # noqa: E731
        server.faults["created"].extend([taken, (401, NO_KEY)])
        server.faults["list"].extend([(401, NO_KEY)] * 2)
        with pytest.raises(RunError, match="it is unknown whether"):
            run(server, data)
        assert server.paid == N
        server.faults["list"].clear()
        mb.resume_run("r", engine=BATCH)
        assert server.paid == N and texts() == RIGHT


def test_verdicts_that_may_have_been_handed_over_stay_pending_too(openai, data):
    mb.run("control/candid", limit=4, side="benign", out="r", judge=None)
    openai.faults["created"].append((403, FORBIDDEN))
    openai.faults["list"].append((403, FORBIDDEN))
    with pytest.raises(RunError, match="it is unknown whether"):
        mb.judge_run("r", judge_of(openai), batch=True, poll=0.001)
    results = mb.judge_run("r", judge_of(openai), batch=True, poll=0.001)
    assert openai.paid == 4 and openai.live == 0 and results.layers()[Layer.JUDGED] == 4


@pytest.mark.parametrize(("reply", "told"), [((401, NO_KEY), "no such key"), ((404, NO_API), "no such address")])
def test_a_key_or_an_address_that_is_wrong_from_the_start_leaves_nothing_pending(there, data, reply, told):
    for step in ("upload", "create", "list"):
        there.faults[step].extend([reply] * 20)
    with pytest.raises(RunError, match=f"{told}; check .*whether it has a batch API"):
        run(there, data)
    assert not said_out(Path("r/batches.jsonl")) and there.paid == 0
    for step in ("upload", "create", "list"):
        there.faults[step].clear()
    assert mb.resume_run("r", engine="local").layers()[Layer.JUDGED] == N and there.live == N


def test_an_endpoint_that_takes_files_and_has_no_batches_leaves_nothing_pending(openai, data):
    openai.faults["create"].append((404, NO_API))
    openai.faults["list"].append((405, NO_API))
    with pytest.raises(RunError, match="no such address; .*whether it has a batch API"):
        run(openai, data)
    assert not said_out(Path("r/batches.jsonl")) and openai.paid == 0


def test_a_refusal_that_is_meant_stops_the_run_and_leaves_nothing_pending(there, data):
    there.faults["create"].append((400, INVALID))
    with pytest.raises(RunError, match="bad request"):
        run(there, data)
    assert not said_out(Path("r/batches.jsonl")) and there.paid == 0
    mb.resume_run("r", engine=BATCH)
    assert there.paid == N and texts() == RIGHT


def test_an_upload_that_fails_makes_no_batch_and_is_done_again(openai, data):
    openai.faults["upload"].extend([(500, BROKEN), reset])
    run(openai, data)
    assert openai.paid == N and texts() == RIGHT


@pytest.mark.parametrize("step", ["poll", "results"])
def test_what_the_provider_has_just_named_may_be_unknown_to_it_for_a_while(there, data, step):
    there.faults[step].extend([(404, {"error": {"message": "no such thing"}})] * 3)
    run(there, data)
    assert there.paid == N and texts() == RIGHT


def test_results_that_come_bit_by_bit_are_awaited_while_the_provider_counts_them(there, data):
    looks = []

    def edit(lines):
        looks.append(0)
        return lines[: 3 * (len(looks) - 1)]

    there.edit = edit
    run(there, data)
    assert there.paid == N and texts() == RIGHT and len(looks) == 4


@pytest.mark.parametrize("counts", [None, (0, 0), (3, 0)], ids=["absent", "zero", "too few"])
def test_results_that_come_bit_by_bit_are_looked_for_without_right_counts_too(there, data, counts):
    looks = []

    def edit(lines):
        looks.append(0)
        return lines[: 3 * len(looks)]

    there.edit = edit
    there.counts = lambda answered, failed: counts
    run(there, data)
    assert there.paid == N and texts() == RIGHT


def test_results_that_are_missing_are_not_sent_again_without_waiting_for_them(there, data):
    there.edit = lambda lines: lines[1:]
    there.counts = lambda answered, failed: None
    with pytest.raises(RunError, match="1 result missing: .*to wait for them, resume with poll above 0"):
        run(there, data, engine=EngineOptions(name="batch", poll=0))
    there.edit = lambda lines: lines
    mb.resume_run("r", engine=BATCH)
    assert there.paid == N and texts() == RIGHT


def test_a_connection_that_broke_in_the_middle_of_a_call_may_have_made_a_batch(openai, data, monkeypatch):
    """As where TLS ends without a word: what lies below is an SSLError, as for a certificate that is not trusted."""

    class ReadError(Exception):
        pass

    create = batching.OpenAIBatches.create

    async def create_and_break(api, *more):
        await create(api, *more)
        raise ReadError("EOF in violation of protocol") from ssl.SSLEOFError()

    monkeypatch.setattr(batching.OpenAIBatches, "create", create_and_break)
    run(openai, data)
    assert openai.paid == N and texts() == RIGHT


def test_an_upload_that_is_not_named_is_tried_again(openai, data):
    about = {"object": "file", "bytes": 1, "created_at": 1, "filename": "f", "purpose": "batch"}
    openai.faults["upload"].append((200, {"id": None, "status": "processed", **about}))
    run(openai, data)
    assert openai.paid == N and texts() == RIGHT


def test_a_result_that_the_provider_counts_and_never_gives_fails_its_row_alone(there, data):
    there.edit = lambda lines: lines[1:]
    results = run(there, data)
    assert there.paid == N and results.layers()[Layer.FAILED] == 1
    (failed,) = [row for row in results.rows if row.outcome.layer is Layer.FAILED]
    assert failed.exchange.answer.error.type == "ResultLost"
    assert "the next resume or judging asks for it, and pays for it, again" in failed.exchange.answer.error.message


def test_a_result_that_the_provider_does_not_count_is_asked_for_again(there, data):
    there.fate = lambda number, before: "missing" if number == 3 and not before else "fine"
    run(there, data)
    assert there.sizes == [N, 1] and texts() == RIGHT


def nested(line):
    """The line with what stands in it after its id replaced."""
    return line[: line.index(b",")] + b', "response": ' + b"[" * 100_000


DAMAGES = {
    "brackets": lambda line: b"[" * 100_000,
    "brackets, closed": lambda line: b"[" * 100_000 + b"]" * 100_000,
    "objects": lambda line: b'{"a":' * 100_000,
    "nested": nested,
    "half": lambda line: line[: len(line) // 2],
    "no UTF-8 in its id": lambda line: line.replace(b"-", b"\xff", 1),
    "no JSON": lambda line: b"oops",
    "null": lambda line: b"null",
    "number": lambda line: b"17",
    "NaN": lambda line: b"NaN",
    "list": lambda line: b"[" + line + b"]",
    "huge number": lambda line: b"9" * 100_000,
    "no id": lambda line: b"{}",
    "zeros": lambda line: b"\0" * 50,
    "unknown id": lambda line: line.replace(b"-", b"_", 1),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "counts"), [(0, "honest"), (4, None), (N - 1, "honest")], ids=["first", "middle, not counted", "last"]
)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_line_costs_its_own_row(there, data, damage, place, counts):
    if counts != "honest":
        there.counts = lambda answered, failed: counts
    there.edit = lambda lines: [DAMAGES[damage](line) if i == place else line for i, line in enumerate(lines)]
    results = run(there, data)
    lost = N - 1 - place  # results come in the reverse order
    assert there.paid == N and {row.sample.id for row in results.rows if row.outcome.layer is Layer.FAILED} == {
        str(lost)
    }
    assert {i: text for i, text in texts().items() if i != lost} == {i: t for i, t in RIGHT.items() if i != lost}
    there.edit = lambda lines: lines
    mb.resume_run("r", engine=BATCH)
    assert there.sizes == [N, 1] and texts() == RIGHT


@pytest.mark.parametrize("bad", [b"\xff", b"\xff\xfe", b"\xe2\x80", b"\xed\xa0\x80", b"\xc3"], ids=repr)
def test_a_byte_that_is_no_utf8_costs_its_own_character_as_it_does_live(there, data, bad):
    there.edit = lambda lines: [lines[0].replace(b"umber", bad + b"umber"), *lines[1:-1], b"\xef\xbb\xbf" + lines[-1]]
    run(there, data)
    assert there.paid == N and {i: text.replace("\ufffd", "") for i, text in texts().items()} == RIGHT
    assert "\ufffd" in texts()[N - 1] and sum("\ufffd" in text for text in texts().values()) == 1


@pytest.mark.parametrize("step", ["created", "poll", "list"])
def test_a_byte_that_is_no_utf8_beside_a_batch_harms_nobody(there, data, step):
    def damaged(handler):
        about = json.dumps(
            {**there.told(next(iter(there.batches)), there.url.removesuffix("/v1")), "note": "Zürich"},
            ensure_ascii=False,
        )
        if step == "list":
            about = f'{{"operations": [{about}], "data": [{about}], "has_more": false}}'
        send(handler, 200, about.encode("latin-1"))

    if step == "list":
        there.faults["created"].append(reset)
    there.faults[step].append(damaged)
    run(there, data)
    assert there.paid == N and texts() == RIGHT


def test_a_damaged_last_line_without_a_line_end_costs_its_own_row_too(there, data):
    content = there.content
    there.edit = lambda lines: [*lines[:-1], b"[" * 100_000]
    there.content = lambda batch: content(batch).rstrip(b"\n")
    results = run(there, data)
    assert there.paid == N and results.layers()[Layer.FAILED] == 1


def test_lines_that_come_twice_or_are_of_others_harm_nobody(there, data):
    there.edit = lambda lines: [*lines, *lines, b"", lines[0].replace(b"-", b"_", 1), b"  "]
    run(there, data)
    assert there.paid == N and texts() == RIGHT


@pytest.mark.parametrize("wire", WIRES)
def test_a_line_without_a_result_fails_its_row_and_is_not_sent_again(wire, data):
    with batch_server(wire) as (url, server):
        server.url = url
        key = "key" if wire == "google" else "custom_id"
        server.edit = lambda lines: [json.dumps({key: json.loads(lines[0])[key]}).encode(), *lines[1:]]
        results = run(server, data)
        assert server.paid == N and results.layers()[Layer.FAILED] == 1


@pytest.mark.parametrize("error", [{"code": 0, "message": "success"}, {"code": None, "message": None}, {"message": ""}])
def test_an_error_that_says_nothing_beside_an_answer_costs_no_answer(there, data, error):
    def edit(line):
        item = json.loads(line)
        if "response" in item:  # OpenAI and Google
            item["error"] = error
            item["response"].pop("status_code", None)
        return json.dumps(item).encode()

    there.edit = lambda lines: [edit(line) for line in lines]
    run(there, data)
    assert there.paid == N and texts() == RIGHT


def test_requests_are_uploaded_to_no_other_host_that_google_names(data):
    with batch_server("google") as (url, server), batch_server("google") as (other, stranger):
        server.url = url
        elsewhere = {"X-Goog-Upload-URL": f"{other}/put/0"}
        server.faults["upload"].extend([(200, {}, elsewhere)] * 20)
        with pytest.raises(RunError, match="another origin: nothing was sent there"):
            run(server, data, retries=1)
        assert stranger.files == {} and server.files == {} and server.paid == 0


def test_results_that_were_deleted_by_the_provider_fail_their_rows(data):
    with batch_server("anthropic") as (url, server):
        server.url = url
        server.late = 1000
        told = server.told
        server.told = lambda id, url: {**told(id, url), "archived_at": "2026-01-01T00:00:00Z"}
        results = run(server, data)
        assert server.paid == N and results.layers()[Layer.FAILED] == N
        assert "has deleted the results" in results.rows[0].exchange.answer.error.message


def test_the_key_goes_to_no_other_host_that_a_batch_names(data):
    with batch_server("anthropic") as (url, server), batch_server("anthropic") as (other, stranger):
        server.url = url
        told = server.told
        server.told = lambda id, url: {**told(id, url), "results_url": f"{other}/v1/messages/batches/{id}/results"}
        stranger.edit = lambda lines: pytest.fail("it was asked")
        run(server, data)
        assert server.paid == N and texts() == RIGHT


@pytest.mark.parametrize("fault", ["late", "lost reply", "brackets"])
def test_verdicts_in_batches_are_not_paid_for_twice_either(openai, data, fault):
    mb.run("control/candid", limit=4, side="benign", out="r", judge=None)
    if fault == "late":
        openai.late = 5
    if fault == "lost reply":
        openai.faults["created"].append((429, BUSY))
        openai.lag = 4
    if fault == "brackets":
        openai.edit = lambda lines: [b"[" * 100_000, *lines[1:]]
    results = mb.judge_run("r", judge_of(openai), batch=True, poll=0.001)
    assert openai.paid == 4 and openai.live == 0
    assert results.layers()[Layer.JUDGED] == (3 if fault == "brackets" else 4)


def test_a_command_with_all_of_it_pays_once(there, data):
    """Through the command line, with every file late, the reply lost, the list behind, and one line damaged."""
    there.late = 3
    there.lag = 3
    there.faults["created"].append((429, BUSY))
    there.edit = lambda lines: [*lines[1:], b"[" * 100_000]
    command = ["run", "--model", f"{there.wire}/x", "--base-url", there.url, "--data", str(data), "--out", "r"]
    command += ["--engine", "batch", "--poll", "0.01", "--no-report", "--quiet"]
    shown = CliRunner().invoke(cli, command, catch_exceptions=False)
    assert there.paid == N and len(texts()) == N and "Traceback" not in shown.output
    assert sum(text is None for text in texts().values()) == 1


# Stopped and gone on with


def harm_while_out(openai, data, harm):
    """The error of a run to which something happens while its batch is out, polled for a long time."""
    openai.polls = 10**9
    harmed = []

    def step(_event):
        raise AssertionError("no row is answered")

    def waits(_waits):
        if not harmed:
            harmed.append(harm())

    step.waits = waits
    with pytest.raises(PlaceLost) as caught:
        run(openai, data, engine=EngineOptions(name="batch", poll=0.05), progress=step)
    for batch in openai.batches.values():
        batch["polls"] = 0  # it is done by now
    return str(caught.value) + " " + " ".join(caught.value.__notes__)


def test_a_deleted_journal_of_batches_is_rewritten_and_nothing_is_paid_twice(openai, data):
    said = harm_while_out(openai, data, lambda: Path("r/batches.jsonl").unlink())
    assert "'r/batches.jsonl' was deleted" in said and "recorded again" in said and "resume_run('r')" in said
    assert said_out(Path("r/batches.jsonl")) == f"{N} rows are pending in 1 batch"
    mb.resume_run("r", engine=BATCH)
    assert texts() == RIGHT and openai.sizes == [N]


@pytest.mark.parametrize("left", [0, 20])
def test_a_journal_of_batches_that_was_cut_is_rewritten_and_nothing_is_paid_twice(openai, data, left):
    said = harm_while_out(openai, data, lambda: os.truncate("r/batches.jsonl", left))
    assert "'r/batches.jsonl' was cut from" in said and "recorded again" in said and "resume_run('r')" in said
    assert said_out(Path("r/batches.jsonl")) == f"{N} rows are pending in 1 batch"
    mb.resume_run("r", engine=BATCH)
    assert texts() == RIGHT and openai.sizes == [N]


def test_a_folder_that_is_moved_while_its_batch_is_out_is_resumed_where_it_is(openai, data):
    said = harm_while_out(openai, data, lambda: Path("r").rename("r2"))
    assert f"was moved to '{Path('r2').resolve()}'" in said and not Path("r").exists()
    mb.resume_run("r2", engine=BATCH)
    assert texts("r2") == RIGHT and openai.sizes == [N]


def test_a_folder_that_is_deleted_while_its_batch_is_out_names_the_batch(openai, data):
    said = harm_while_out(openai, data, lambda: shutil.rmtree("r"))
    (name,) = openai.batches
    assert f"{N} rows in batches at the provider ({name})" in said and not Path("r").exists()


class Stop(Exception):
    pass


def stopped_at(server, data, n, monkeypatch, **options):
    """A run that is torn down once `n` answers are on record."""
    count = iter(range(100))
    monkeypatch.setattr(collecting, "_AT_ONCE", 2)

    def progress(event):
        if next(count) + 1 == n:
            raise Stop

    with pytest.raises(Stop):
        run(server, data, progress=progress, **options)


@pytest.mark.slow
def test_a_run_that_stopped_in_the_middle_of_collecting_collects_the_rest(there, data, monkeypatch):
    stopped_at(there, data, 3, monkeypatch)
    assert 3 <= len(texts()) < N and said_out(Path("r/batches.jsonl")) == f"{N} rows are pending in 1 batch"
    results = mb.resume_run("r", engine=EngineOptions(poll=0.001))  # the engine need not be named
    assert texts() == RIGHT and there.sizes == [N] and set(there.ran.values()) == {1}
    assert len(Path("r/answers.jsonl").read_text().splitlines()) == N and results.info.engines == ("batch",)


def test_rows_that_are_out_are_not_asked_on_another_engine(openai, data, monkeypatch):
    stopped_at(openai, data, 1, monkeypatch)
    with pytest.raises(
        UsageError, match=f"{N} rows are pending in 1 batch of the run in 'r', and would be paid for twice"
    ):
        mb.resume_run("r", engine="local")
    assert openai.live == 0


@pytest.mark.slow
def test_a_look_without_waiting_sends_all_and_leaves_out_what_is_not_done(there, data):
    there.polls, once = 1, EngineOptions(name="batch", poll=0)
    with pytest.raises(RunError, match=f"not done yet: {N} rows are pending in 1 batch") as stopped:
        run(there, data, engine=once)
    assert "resume it with" in stopped.value.__notes__[0] and there.sizes == [N] and texts() == {}
    said = str(mb.load_results("r").unfinished())
    assert said.startswith(f"{N} of {N} rows have no answer yet, {N} rows are pending in 1 batch; resume it with")
    mb.resume_run("r", engine=once)
    assert there.sizes == [N] and texts() == RIGHT


def test_a_run_that_is_awaited_is_cancelled_while_its_batch_goes_on(openai, data):
    openai.polls, told = 300, []

    class Told:
        def __call__(self, event):
            pass

        def waits(self, waits):
            told.append(waits.reason)

    async def work():
        going = asyncio.create_task(
            mb.arun("openai/x", data, base_url=openai.url, out="r", engine=BATCH, progress=Told())
        )
        while not (told or going.done()):
            await asyncio.sleep(0.001)
        going.cancel()
        with pytest.raises(asyncio.CancelledError):
            await going

    asyncio.run(work())
    assert texts() == {} and told[0] == said_out(Path("r/batches.jsonl")) == f"{N} rows are pending in 1 batch"
    mb.resume_run("r", engine=BATCH)
    assert texts() == RIGHT and openai.sizes == [N]


@pytest.mark.slow
def test_cells_of_a_suite_are_pending_side_by_side_and_collected_by_one_command(openai, data):
    prompts = '[prompts]\nplain = ""\nkind = "Be kind."'
    suite = f'models = ["openai/x"]\ndata = ["{data}"]\nbase_url = "{openai.url}"\n{prompts}\n'
    Path("suite.toml").write_text(suite)
    openai.polls = 1
    command = ["run", "suite.toml", "--engine", "batch", "--poll", "0", "--no-report", "--quiet"]
    first = CliRunner().invoke(cli, command, catch_exceptions=False)
    assert first.exit_code != 0 and openai.sizes == [N, N], first.output
    second = CliRunner().invoke(cli, command, catch_exceptions=False)
    assert second.exit_code == 0 and openai.sizes == [N, N] and openai.live == 0, second.output


def test_several_models_are_out_side_by_side_and_each_says_how_to_go_on(openai, data):
    openai.polls = 1
    command = ["run", "--base-url", openai.url, "--data", str(data), "--no-report", "--quiet", "--out", "two"]
    command += ["--engine", "batch", "--poll", "0", "--no-judge", "--model", "openai/x", "--model", "openai/y"]
    shown = CliRunner().invoke(cli, command, catch_exceptions=False)
    assert shown.exit_code == 1 and openai.sizes == [N, N]
    for folder in sorted(Path("two").iterdir()):
        assert f"--resume {folder}" in shown.output
        mb.resume_run(folder, no_judge=True, engine=BATCH)
    assert openai.sizes == [N, N] and openai.live == 0


def test_several_models_that_are_not_done_end_in_an_error_with_that_code(openai, data):
    openai.polls = 10**6
    command = ["--base-url", openai.url, "--data", str(data), "--no-report", "--quiet", "--out", "two", "--no-judge"]
    command += ["--engine", "batch", "--poll", "0", "--model", "openai/x", "--model", "openai/y"]
    error = CliRunner().invoke(run_command, command).exception
    assert isinstance(error, RunError) and error.code is Code.NOT_DONE and str(error).count("not done yet") == 2


@pytest.mark.slow
def test_a_run_begun_in_batches_ends_on_the_local_engine_and_the_other_way_round(openai, data):
    openai.fate = lambda number, before: "errored" if number % 2 else "fine"
    run(openai, data)
    results = mb.resume_run("r", engine="local")
    assert texts() == RIGHT and openai.live == N // 2 and results.info.engines == ("batch", "local")
    assert results.spent().input_tokens == 11 * N
    openai.fate = lambda number, before: "fine"

    def progress(event):
        raise Stop

    with pytest.raises(Stop):
        run(openai, data, "s", engine="local", max_connections=1, start_connections=1, progress=progress)
    n_there = len(texts("s"))
    assert 0 < n_there < N
    mb.resume_run("s", engine=BATCH)
    assert texts("s") == RIGHT and openai.sizes[-1] == N - n_there


@pytest.mark.slow
def test_runs_says_what_is_out_and_control_c_does(openai, data, monkeypatch):
    def progress(event):
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(
        Interrupted, match=rf"stopped. \d of {N} answers are saved, {N} rows are pending in 1 batch; resume it"
    ):
        run(openai, data, out="runs/mine", progress=progress)
    shown = CliRunner().invoke(cli, ["runs"], env={"COLUMNS": "160"}, catch_exceptions=False)
    assert f"{N} rows are pending in 1 batch" in shown.output
    (line,) = json.loads(CliRunner().invoke(cli, ["runs", "list", "--json"]).stdout)
    assert line["out"] == f"{N} rows are pending in 1 batch"
    args = ["run", "--resume", "runs/mine", "--poll", "0.001", "--no-report"]
    done = CliRunner().invoke(cli, args, catch_exceptions=False)
    assert done.exit_code == 0 and openai.sizes == [N]
    assert "are out" not in CliRunner().invoke(cli, ["runs"]).output


STEPS = [("openai", "create", 1), ("openai", "created", 1), ("anthropic", "created", 1), ("google", "created", 1)]


@pytest.mark.slow
@pytest.mark.parametrize(("wire", "step", "n_batches"), [*STEPS, ("openai", "results", 1)])
def test_a_process_that_is_killed_at_a_step_pays_for_nothing_twice(wire, step, n_batches, data):
    """The upload is done; the batch is created and its id not written; it has ended and nothing is collected."""
    with batch_server(wire) as (url, server):
        server.hold = step
        server.lag = 5
        command = [sys.executable, "-m", "mossbench", "run", "--model", f"{wire}/x", "--base-url", url, "--quiet"]
        command += ["--data", str(data), "--out", "r", "--engine", "batch", "--poll", "0.01", "--no-report"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        until(lambda: server.held[step].is_set() or process.poll() is not None)
        assert process.poll() is None, process.communicate()[1].decode()  # it ended before the step
        process.kill()
        process.communicate()
        server.hold = None
        results = mb.resume_run("r", engine=BATCH)
        assert texts() == RIGHT and results.layers()[Layer.JUDGED] == N
        assert len(server.sizes) == n_batches and set(server.ran.values()) == {1}


JUDGE = """
import itertools, time
calls = itertools.count()

def slow(exchange):
    if next(calls) == 3:
        time.sleep(1000)
    return "answered"
"""


@pytest.mark.slow
def test_a_process_that_is_killed_half_way_through_its_results_goes_on(openai, data):
    Path("mine.py").write_text(JUDGE)
    command = [sys.executable, "-m", "mossbench", "run", "--model", "openai/x", "--base-url", openai.url, "--quiet"]
    command += ["--data", str(data), "--out", "r", "--engine", "batch", "--poll", "0.01", "--judge", "mine.py:slow"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until(lambda: Path("r/answers.jsonl").exists() and len(Path("r/answers.jsonl").read_text().splitlines()) >= 4)
    process.kill()
    process.communicate()
    mb.resume_run("r", judge="rules", engine=BATCH)
    assert texts() == RIGHT and openai.sizes == [N]
    assert len(Path("r/answers.jsonl").read_text().splitlines()) == N


# Money


PRICES = {"openai/x": Price(input=1000, output=2000, batch=0.5), "openai/j": Price(input=1000, output=2000)}


@pytest.mark.slow
def test_cost_is_counted_at_batch_prices(openai, data):
    results = run(openai, data, prices=PRICES)
    assert results.rows[0].exchange.answer.usage == Usage(input_tokens=11, output_tokens=7).in_batch()
    assert results.spent().cost == pytest.approx(N * (11 * 1000 + 7 * 2000) / 1e6 / 2)
    assert results.info.price.batch == 0.5
    full = run(openai, data, "s", prices={"openai/x": Price(input=1000, output=2000)})
    assert full.spent().cost == pytest.approx(N * (11 * 1000 + 7 * 2000) / 1e6)  # an endpoint that says nothing of it


def test_prices_of_the_vendors_batch_apis_are_dated_data():
    from mossbench.store.prices import _TABLE, PRICES, price_of

    assert all(price.batch == 0.5 for price in PRICES.values()) and _TABLE["batch"].keys() >= {"as_of", "source"}
    own = {"openai/gpt-4o": Price(input=1, output=1)}
    assert price_of("openai/gpt-4o", prices=own).batch == 0.5
    assert price_of("openai/gpt-4o", prices=own, base_url="http://127.0.0.1/v1").batch is None


def test_a_limit_on_cost_sends_what_it_admits_and_the_rest_once_that_is_paid(openai, data):
    row = 0.0125  # at half the price of 11 tokens in and 7 out; the longest answer is assumed before
    results = run(openai, data, prices=PRICES, max_tokens=7, max_cost=4 * row)
    assert sum(openai.sizes) == 4 and results.layers()[Layer.NOT_ASKED] == N - 4
    assert results.spent().cost <= 4 * row and results.info.max_cost == 4 * row
    assert mb.resume_run("r", engine=BATCH, max_cost=1.0).layers()[Layer.NOT_ASKED] == 0


def test_rows_that_a_limit_on_cost_leaves_for_later_are_not_made_ready_each_time(openai, data, monkeypatch):
    made, real = [], engine_batch.prompt_of

    async def prompt_of(row, *more):
        made.append(row.key)
        return await real(row, *more)

    monkeypatch.setattr(engine_batch, "prompt_of", prompt_of)
    monkeypatch.setattr(sending, "_AT_ONCE", 1)
    run(openai, data, prices=PRICES, max_tokens=7, max_cost=2.5 * 0.0125)
    assert sum(openai.sizes) == 2 and len(set(made)) == 3


def test_a_row_that_cannot_be_sent_is_on_record_once_even_past_a_limit_on_cost(openai, data):
    (data / "b.png").write_bytes(b"no image")
    metadata = (data / "metadata.jsonl").read_text()
    changed = metadata.replace('number 7?", "image": "a.png"', 'number 7?", "image": "b.png"')
    (data / "metadata.jsonl").write_text(changed)
    run(openai, data, prices=PRICES, max_tokens=7, max_cost=2.5 * 0.0125)
    rows = [json.loads(line)["sample"] for line in Path("r/answers.jsonl").read_text().splitlines()]
    assert sum(openai.sizes) == 2 and rows.count("7") == 1


@pytest.mark.slow
@pytest.mark.parametrize("limit", [1.65, 3.15])
def test_a_limit_on_cost_takes_verdicts_at_batch_prices_and_leaves_money_for_them(limit, openai, data, monkeypatch):
    """A row costs 0.1 and its verdict 0.5, half of what it costs directly, where it may be asked for a second time."""
    monkeypatch.setattr(budget, "SETTINGS", budget.SETTINGS.model_copy(update={"max_tokens": 7}))
    prices = {
        f"openai/{name}": Price(input=0, output=cost * 1e6 / 7, batch=0.5) for name, cost in (("x", 0.2), ("j", 1))
    }
    results = run(openai, data, judge=judge_of(openai), prices=prices, max_tokens=7, max_cost=limit)
    assert (results.layers()[Layer.JUDGED], results.layers()[Layer.NOT_ASKED]) == (1, N - 1)
    assert results.spent().cost + results.spent().judge_cost == pytest.approx(0.6)


def test_a_dry_run_says_what_batches_cost(data):
    args = ["run", "--model", "openai/gpt-4o", "--data", str(data), "--dry-run", "--no-judge", "--json"]
    local, batch = (json.loads(CliRunner().invoke(cli, [*args, *more]).stdout) for more in ([], ["--engine", "batch"]))
    (local,), (batch,) = local, batch
    assert batch["cost_usd"] == pytest.approx(local["cost_usd"] / 2) and batch["batch"]
    shown = CliRunner().invoke(cli, [*args[:-1], "--engine", "batch"])
    assert "within about a day" in shown.output and "in batches" in shown.output


def test_a_dry_run_of_a_suite_says_what_batches_cost(data):
    Path("suite.toml").write_text(f'models = ["openai/gpt-4o"]\ndata = ["{data}"]\n')
    suite = mb.load_suite("suite.toml")
    (local,), (batch,) = mb.forecast_suite(suite), mb.forecast_suite(suite, engine="batch")
    assert batch.forecast.cost == pytest.approx(local.forecast.cost / 2)
    args = ["run", "suite.toml", "--dry-run", "--engine", "batch", "--json"]
    (shown,) = json.loads(CliRunner().invoke(cli, args).stdout)
    assert shown["cost_usd"] == batch.forecast.cost


def test_a_cell_that_is_finished_needs_no_batch_api_in_a_dry_run(data):
    Path("suite.toml").write_text(f'models = ["control/candid"]\ndata = ["{data}"]\n')
    suite = mb.load_suite("suite.toml")
    with pytest.raises(UsageError, match="control/candid cannot be asked in batches"):
        mb.forecast_suite(suite, engine="batch")
    mb.run_suite(suite)
    (found,) = mb.forecast_suite(suite, engine="batch")
    assert found.state == "skipped" and found.forecast.n_requests == 0


# Judges


def judge_of(server, rubric="rubric/kinds"):
    return f"{rubric}?model=openai/j&base_url={server.url}"


def test_the_rubric_judge_is_asked_in_batches_too(openai, data):
    results = run(openai, data, judge=judge_of(openai), prices={**PRICES, "openai/j": PRICES["openai/x"]})
    assert openai.sizes == [N, N] and openai.live == 0
    assert results.layers()[Layer.JUDGED] == N and {row.verdict.kind.value for row in results.rows} == {"answered"}
    assert results.spent().judge_cost == pytest.approx(results.spent().cost)
    again = mb.judge_run("r", judge_of(openai), batch=True, poll=0.001)
    assert openai.sizes == [N, N] and again.layers()[Layer.JUDGED] == N


@pytest.mark.slow
def test_a_run_is_judged_in_batches_later_and_a_judge_without_an_api_is_refused(openai, data):
    mb.run("control/candid", limit=2, side="benign", out="r", judge=None)
    args = ["judge", "apply", "r", "--judge", judge_of(openai), "--batch", "--poll", "0.001", "--quiet"]
    done = CliRunner().invoke(cli, args, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert openai.sizes == [2] and openai.live == 0
    with pytest.raises(UsageError, match="judge 'rules' cannot use a batch API"):
        mb.judge_run("r", "rules", batch=True)


def test_a_cascade_sends_only_what_its_rules_are_not_sure_of(openai, data):
    judge = judge_of(openai, "cascade") + "&threshold=0"
    results = run(openai, data, judge=judge)
    assert openai.sizes == [N] and results.layers()[Layer.JUDGED] == N


@pytest.mark.slow
def test_verdicts_that_are_out_are_collected_by_the_next_judging(openai, data):
    mb.run("control/candid", limit=3, side="benign", out="r", judge=None)

    def progress(event):
        raise Stop

    with pytest.raises(Stop):
        mb.judge_run("r", judge_of(openai), batch=True, poll=0.001, progress=progress)
    (chunk,) = chunks_out(Path("r/batches.jsonl"))[0].values()
    assert chunk.judge.startswith("rubric/kinds") and len(chunk.rows) == 3
    mb.judge_run("r", judge_of(openai), batch=True, poll=0.001)
    assert openai.sizes == [3] and not said_out(Path("r/batches.jsonl"))


@pytest.mark.slow
@pytest.mark.parametrize("way", ["judge apply", "resume", "resume on local"])
def test_verdicts_that_are_out_are_not_paid_for_again_whoever_judges_next(way, openai, data):
    openai.polls, once = 2, EngineOptions(name="batch", poll=0)
    with pytest.raises(RunError, match="not done yet"):
        run(openai, data, judge=judge_of(openai), engine=once)
    for _ in range(2):
        with pytest.raises(RunError, match=f"not done yet: {N} rows are pending"):
            mb.resume_run("r", engine=once)
    assert openai.sizes == [N, N] and texts() == RIGHT
    if way == "judge apply":
        results = mb.judge_run("r", judge_of(openai), poll=0.001)
    else:
        openai.batches["batch_2"]["polls"] = 0  # `local` has no `poll`
        results = mb.resume_run("r", engine="" if way == "resume" else "local")
    assert results.layers()[Layer.JUDGED] == N and openai.sizes == [N, N] and openai.live == 0
    assert not said_out(Path("r/batches.jsonl"))


def test_pending_verdicts_are_left_alone_by_a_run_resumed_without_a_judge(openai, data):
    run(openai, data, judge=None)
    openai.polls = 10**6
    with pytest.raises(RunError, match=f"not done yet: {N} rows are pending in 1 batch"):
        mb.judge_run("r", judge_of(openai), batch=True, poll=0)
    mb.resume_run("r", no_judge=True, engine=BATCH)
    assert said_out(Path("r/batches.jsonl")) == f"{N} rows are pending in 1 batch" and texts() == RIGHT
    openai.batches["batch_2"]["polls"] = 0
    results = mb.judge_run("r", judge_of(openai), batch=True, poll=0.001)
    assert openai.sizes == [N, N] and results.layers()[Layer.JUDGED] == N


def test_who_waits_for_the_verdicts_of_a_run_is_told(openai, data):
    openai.polls, told = 1, []

    class Told:
        def __call__(self, event):
            told.append(event.outcome.layer)

        def waits(self, waits):
            told.append(waits.reason)

    run(openai, data, judge=judge_of(openai), progress=Told())
    out = f"{N} rows are pending in 1 batch"
    assert told == [out, *[Layer.UNJUDGED] * N, out, *[Layer.JUDGED] * N]


def test_deleting_a_run_says_that_rows_of_it_are_out(openai, data, monkeypatch):
    stopped_at(openai, data, 1, monkeypatch, out="runs/mine")
    asked = CliRunner().invoke(cli, ["runs", "delete", "mine"], input="n\n")
    assert f"answers ({N} rows are pending in 1 batch)" in asked.output and Path("runs/mine").exists()
