"""Every format of logs gives the same three traces; blocks are told by flags, failed calls are no refusals."""

import csv
import gzip
import json

import pytest
from logs import ANSWER, LOGS, REQUESTS, assistant, data_uri, lines, png, user, write_log

import mossbench as mb
from mossbench.outcomes import Layer, layer_without_verdict
from mossbench.reports.words.traces import imported_lines as imported_lines_text
from mossbench.traces.folder import TracesFolder
from mossbench.traces.formats import FORMATS, NAMES
from mossbench.traces.raw import iso_time

MAP = {"answer": "reply"}


def imported(path, out="traces", **options):
    mb.import_traces(path, out, **options)
    return list(TracesFolder.open(out).traces())


def imported_lines(records, **options):
    with open("log.jsonl", "w") as file:
        file.write(lines(records))
    return imported("log.jsonl", **options)


def test_there_is_a_log_of_every_format():
    assert set(LOGS) == set(NAMES)


@pytest.mark.parametrize("format", LOGS)
def test_a_log_gives_an_answer_a_block_and_a_failure(tmp_path, format):
    options = {"columns": MAP} if format == "table" else {}
    answered, blocked, failed = imported(write_log(tmp_path, format), **options)
    assert [answered.format] == [format]
    assert (answered.request, answered.answer.text, answered.system) == (REQUESTS[0], ANSWER, "Be brief.")
    assert [(turn.role, turn.text) for turn in answered.history] == [("user", "Hello"), ("assistant", "Hello!")]
    assert answered.at == "2026-01-01T10:00:00+00:00"
    assert answered.model == "model-x"
    assert answered.columns["language"] == "en"
    assert answered.user and "ada" not in answered.model_dump_json()
    assert answered.conversation
    assert (TracesFolder.open("traces").path / answered.images[0].file).is_file()
    assert blocked.request == REQUESTS[1]
    assert layer_without_verdict(blocked.answer) is Layer.BLOCKED
    assert failed.request == REQUESTS[2]
    assert layer_without_verdict(failed.answer) is Layer.FAILED


def test_all_formats_give_the_same_request_the_same_digest(tmp_path):
    digests = set()
    for format in LOGS:
        options = {"columns": MAP} if format == "table" else {}
        digests.add(imported(write_log(tmp_path, format), format, **options)[0].asked)
    assert len(digests) == 1


@pytest.mark.parametrize("format", FORMATS)
def test_no_log_looks_like_a_format_that_is_asked_first(tmp_path, format):
    for line in write_log(tmp_path, format).read_text().splitlines():
        record = json.loads(line)
        first = next(name for name, candidate in FORMATS.items() if candidate.looks_like(record))
        assert first == format


def test_records_of_different_formats_in_one_file_are_each_told():
    content = LOGS["langfuse"][1]() + LOGS["messages"][1]() + LOGS["otlp"][1]()
    with open("mixed.jsonl", "w") as file:
        file.write(content)
    (file,) = mb.import_traces("mixed.jsonl", "traces").files
    assert file.formats == {"langfuse": 3, "messages": 3, "otlp": 3}


def test_a_format_can_be_forced():
    record = {"prompt": "How?", "response": "So."}
    assert imported_lines([record])[0].format == "calls"
    assert imported_lines([record], out="again", format="table")[0].format == "table"
    with pytest.raises(mb.UsageError, match=r"no format of logs named 'langfuze'; did you mean 'langfuse'"):
        mb.import_traces("log.jsonl", "third", format="langfuze")


@pytest.mark.parametrize(
    "reply",
    [
        {"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]},
        {"candidates": [{"finishReason": "SAFETY"}]},
        {"candidates": [{"finish_reason": "PROHIBITED_CONTENT"}]},
        {"prompt_feedback": {"block_reason": "SAFETY"}},
        {"type": "message", "content": [], "stop_reason": "refusal", "stop_details": {"category": "cyber"}},
        {"status": "incomplete", "output": [], "incomplete_details": {"reason": "content_filter"}},
        {"error": {"code": "content_filter", "message": "The response was filtered"}},
    ],
)
def test_a_provider_s_flag_is_a_block(reply):
    (trace,) = imported_lines([{"request": {"messages": [user("How?")]}, "response": reply}])
    assert layer_without_verdict(trace.answer) is Layer.BLOCKED


@pytest.mark.parametrize("text", ["Your request was blocked by our content_filter.", "I refuse. stop_reason: refusal"])
def test_wording_alone_is_no_block(text):
    (trace,) = imported_lines([{"messages": [user("How?"), assistant(text)]}])
    assert layer_without_verdict(trace.answer) is None


@pytest.mark.parametrize(
    "reply",
    [
        {"choices": [{"message": {"content": "It is blue."}, "finish_reason": "stop"}]},
        {"output": [{"type": "message", "content": [{"type": "output_text", "text": "It is blue."}]}]},
        {"type": "message", "content": [{"type": "text", "text": "It is blue."}], "stop_reason": "end_turn"},
        {"candidates": [{"content": {"parts": [{"text": "It is blue."}]}, "finishReason": "STOP"}]},
        {"role": "assistant", "content": "It is blue."},
        "It is blue.",
        json.dumps({"choices": [{"message": {"content": "It is blue."}}]}),
    ],
)
def test_the_text_of_any_provider_s_reply_is_found(reply):
    (trace,) = imported_lines([{"request": {"messages": [user("Which colour?")]}, "response": reply}])
    assert (trace.answer.text, trace.answer.error) == ("It is blue.", None)


def test_the_last_answer_counts_and_what_went_before_it_is_history():
    conversation = [user("A"), assistant("1"), user("B"), assistant("2")]
    (trace,) = imported_lines([{"messages": conversation}])
    assert (trace.request, trace.answer.text) == ("B", "2")
    assert [turn.text for turn in trace.history] == ["A", "1"]


def test_a_request_without_an_answer_is_a_failure_not_a_refusal():
    (trace,) = imported_lines([{"messages": [user("A"), assistant("1"), user("B")]}])
    assert trace.request == "B"
    assert layer_without_verdict(trace.answer) is Layer.FAILED


def test_a_call_of_a_tool_is_skipped_and_counted():
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}
    with open("log.jsonl", "w") as file:
        file.write(lines([{"messages": [user("A"), call]}]))
    (file,) = mb.import_traces("log.jsonl", "traces").files
    assert (file.n_traces, sum(file.skipped.values())) == (0, 1)


def test_what_a_tool_gave_is_no_request():
    result = {"role": "user", "content": [{"type": "tool_result", "content": "42"}]}
    (trace,) = imported_lines([{"messages": [user("How many?"), result, assistant("42.")]}])
    assert trace.request == "How many?"
    assert [turn.role for turn in trace.history] == ["tool"]


def test_images_inline_by_path_and_absent(tmp_path):
    (tmp_path / "cup.png").write_bytes(png("blue"))
    urls = [data_uri(), "cup.png", "https://example.org/cup.png", "missing.png", "data:image/png;base64,AAAA"]
    content = [{"type": "text", "text": "What?"}, *({"type": "image_url", "image_url": {"url": url}} for url in urls)]
    path = tmp_path / "log.jsonl"
    path.write_text(lines([{"messages": [{"role": "user", "content": content}, assistant("Cups.")]}]))
    (trace,) = imported(path)
    assert [bool(image.file) for image in trace.images] == [True, True, False, False, False]
    assert [image.named for image in trace.images] == ["", "cup.png", "https://example.org/cup.png", "missing.png", ""]
    assert trace.images[4].fault == "no image that can be read"


def test_a_log_cannot_read_files_outside_its_folder(tmp_path):
    (tmp_path / "secret.png").write_bytes(png())
    (tmp_path / "logs").mkdir()
    path = tmp_path / "logs" / "log.jsonl"
    addresses = ["../secret.png", str(tmp_path / "secret.png"), f"file://{tmp_path}/secret.png"]
    content = [{"type": "image_url", "image_url": address} for address in addresses]
    path.write_text(lines([{"messages": [user("What?", *content), assistant("A cup.")]}]))
    (trace,) = imported(path)
    assert [image.file for image in trace.images] == ["", "", ""]


def test_langfuse_s_media_become_images_that_are_only_named():
    text = "What? @@@langfuseMedia:type=image/png|id=abc|source=base64_data_uri@@@"
    record = {"type": "GENERATION", "trace_id": "t", "id": "o", "input": text, "output": "A cup."}
    (trace,) = imported_lines([record])
    assert trace.request.strip() == "What?"
    assert trace.images[0].named == "langfuse-media:abc"


# Files


def test_a_json_list_and_a_spread_object_are_read(tmp_path):
    records = [json.loads(line) for line in LOGS["messages"][1]().splitlines()]
    as_list = tmp_path / "list.json"
    as_list.write_text(json.dumps(records, indent=2))
    assert [trace.request for trace in imported(as_list)] == list(REQUESTS)
    spread = tmp_path / "spread.json"
    spread.write_text(json.dumps(json.loads(LOGS["otlp"][1]()), indent=2))
    assert [trace.request for trace in imported(spread, "spread")] == list(REQUESTS)


def test_compressed_files_are_read(tmp_path):
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(gzip.compress(LOGS["messages"][1]().encode()))
    assert len(imported(path)) == 3
    table = tmp_path / "log.csv.gz"
    table.write_bytes(gzip.compress(LOGS["table"][1]().encode()))
    assert len(imported(table, "table", columns=MAP)) == 3


def test_parquet_is_read(tmp_path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    path = tmp_path / "log.parquet"
    with open(write_log(tmp_path, "table"), newline="") as file:
        rows = list(csv.DictReader(file))
    pq.write_table(pa.Table.from_pylist(rows), path)
    assert [trace.request for trace in imported(path, columns=MAP)] == list(REQUESTS)
    records = [json.loads(line) for line in LOGS["langfuse"][1]().splitlines()]
    for record in records:
        record["metadata"] = json.dumps(record.get("metadata", {}))
        record["output"] = record["output"] or ""
    pq.write_table(pa.Table.from_pylist(records), tmp_path / "langfuse.parquet")
    assert [trace.format for trace in imported(tmp_path / "langfuse.parquet", "again")] == ["langfuse"] * 3


def test_records_of_a_shape_of_their_own_are_read_by_map():
    record = {"q": "How?", "out": {"text": "So."}, "who": "ada", "lang": "en"}
    columns = {"request": "q", "answer": "out.text", "user": "who"}
    (trace,) = imported_lines([record], columns=columns)
    assert (trace.request, trace.answer.text, trace.columns) == ("How?", "So.", {"lang": "en"})


@pytest.mark.parametrize(
    "columns, message",
    [
        ({"request": "queston"}, r"no column named 'queston'; did you mean 'question'"),
        ({"question": "question"}, r"no field named 'question'; .*fields of traces are request, answer"),
        ({}, r"has no column for answer; it has 'question', 'text'"),
    ],
)
def test_a_wrong_map_is_an_error_before_anything_is_written(tmp_path, columns, message):
    path = tmp_path / "log.csv"
    path.write_text("question,text\nHow?,So.\n")
    with pytest.raises(mb.UsageError, match=message):
        mb.import_traces(path, "traces", columns=columns)
    assert not (tmp_path / "work" / "traces").exists()


@pytest.mark.parametrize(
    "value, time",
    [
        ("2026-01-01T10:00:00.123456789Z", "2026-01-01T10:00:00+00:00"),
        ("2026-01-01 12:00:00+02:00", "2026-01-01T10:00:00+00:00"),
        (1767261600, "2026-01-01T10:00:00+00:00"),
        (1767261600.5, "2026-01-01T10:00:00+00:00"),
        ("1767261600000", "2026-01-01T10:00:00+00:00"),
        ("1767261600000000000", "2026-01-01T10:00:00+00:00"),
        ("yesterday", ""),
        (None, ""),
        (float("inf"), ""),
        (-5, ""),
    ],
)
def test_times_of_any_kind_are_utc(value, time):
    assert iso_time(value) == time


@pytest.mark.parametrize(
    "written, time",
    [
        ("11.09.2026", "2026-09-11T00:00:00+00:00"),
        ("11.9.2026, 10:30 Uhr", "2026-09-11T10:30:00+00:00"),
        ("2026/09/11 10:30:05", "2026-09-11T10:30:05+00:00"),
        ("2026年9月11日", "2026-09-11T00:00:00+00:00"),
        ("Fri, 11 Sep 2026 10:30:00 +0200", "2026-09-11T08:30:00+00:00"),
        ("09/25/2026", "2026-09-25T00:00:00+00:00"),
        ("25/09/2026", "2026-09-25T00:00:00+00:00"),
        ("09/11/2026", ""),
        ("31.02.2026", ""),
        ("gestern", ""),
    ],
)
def test_times_as_people_write_them(written, time):
    assert iso_time(written) == time


def test_times_that_cannot_be_read_are_counted_and_named(tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("question,answer,Datum\nHow?,So.,11.09.2026\nWhy?,So.,09/11/2026\nWho?,So.,\n")
    done = mb.import_traces(log, "traces", columns={"at": "Datum"})
    (file,) = done.files
    assert (file.n_undated, file.undated) == (1, "09/11/2026")
    assert "  1 time not read, such as '09/11/2026'" in "\n".join(imported_lines_text(done))
    days = [trace.day for trace in TracesFolder.open("traces").traces()]
    assert days == ["2026-09-11", "", ""]
