"""Importing loses nothing: what cannot be read is kept with its reason, and nothing is imported twice."""

import gzip
import json
import os
import re
import stat

import pytest
from logs import LOGS, assistant, lines, user, write_log

import mossbench as mb
from mossbench.plumbing.locks import locked
from mossbench.traces import log_files
from mossbench.traces.folder import TracesFolder

GOOD = lines([{"messages": [user("How?"), assistant("So.")]}]).encode()


def write(content, name="log.jsonl"):
    with open(name, "wb") as file:
        file.write(content)
    return name


def import_content(content, name="log.jsonl", **options):
    (file,) = mb.import_traces(write(content, name), "traces", **options).files
    return file


def reasons():
    return [line.reason for line in TracesFolder.open("traces").unread()]


@pytest.mark.parametrize(
    "bad, reason",
    [
        (b"not json", "not JSON"),
        (b'{"messages": [', "not JSON"),
        (b'{"messages": "\xff\xfe"}', "not UTF-8"),
        (b"[" * 100_000, "nested too deeply|not JSON"),
        (b'{"a":' * 100_000, "nested too deeply|not JSON"),
        (b"[1, 2]", "found list"),
        (b"42", "found int"),
        (b'{"messages": []}', "no messages"),
        (b'{"messages": [1, 2]}', "a message is int"),
        (b'{"messages": [{"role": "assistant", "content": "Hi"}]}', "nothing in it is from a user"),
        (b'{"messages": [{"role": "user", "content": "  "}]}', "neither text nor image"),
        (b'{"other": 1}', "of no known format: it has 'other'"),
        (b'{"request": {}, "response": {"x": 1}}', "none of the known fields"),
    ],
)
def test_a_line_that_cannot_be_read_is_kept_with_its_reason(bad, reason):
    file = import_content(GOOD + bad + b"\n" + GOOD)
    assert file.n_traces == 2
    (line,) = TracesFolder.open("traces").unread()
    assert (file.n_unread, line.line) == (1, 2)
    assert re.search(reason, line.reason)


def test_a_line_that_is_too_long_is_not_read_into_memory(monkeypatch):
    monkeypatch.setattr(log_files, "MAX_RECORD", 1000)
    file = import_content(GOOD + b'{"messages": "' + b"x" * 5000 + b'"}\n' + GOOD)
    assert (file.n_traces, file.n_unread) == (2, 1)
    assert reasons()[0].startswith("the record has 5,017 bytes, more than 1,000; ")
    values = b"[" + GOOD.strip() + b', {"messages": "' + b"x" * 5000 + b'"}, ' + GOOD.strip() + b"]"
    assert import_content(values, "list.json").n_unread == 1


@pytest.mark.parametrize(
    "envelope, skipped",
    [
        ({"resourceSpans": [{"scopeSpans": [{"spans": [{"attributes": 7}]}]}]}, "span of something else than a model"),
        ({"resourceSpans": 7}, "record without a call"),
        ({"resourceSpans": []}, "record without a call"),
    ],
)
def test_an_envelope_without_a_call_is_counted(envelope, skipped):
    assert import_content(lines([envelope]).encode()).skipped == {skipped: 1}


def test_a_span_that_cannot_be_read_leaves_the_others_of_its_envelope():
    envelope = json.loads(LOGS["otlp"][1]())
    spans = envelope["resourceSpans"][0]["scopeSpans"][0]["spans"]
    empty = {**spans[0], "spanId": "b7ad6b7169203339", "attributes": spans[0]["attributes"][:2]}
    spans[:0] = [empty, {"attributes": [{"key": "gen_ai.operation.name", "value": {"intValue": "x"}}], "events": 5}]
    file = import_content(lines([envelope]).encode())
    assert (file.n_traces, file.n_unread) == (3, 2)
    assert reasons()[0] == "the span has no messages; switch the recording of content on"


def test_records_that_do_not_look_like_a_forced_format_are_kept_as_unread():
    file = import_content(GOOD, format="otlp")
    assert (file.n_traces, file.n_unread) == (0, 1)
    assert reasons() == ["it does not look like otlp; it has 'messages'"]


def test_a_binary_file_is_refused_and_a_damaged_first_line_is_not():
    with pytest.raises(mb.DataError, match="neither JSON lines nor CSV nor Parquet"):
        import_content(bytes(range(256)) * 100, "bin.jsonl")
    file = import_content(b"torn, by, a crash}\n" + GOOD)
    assert (file.n_traces, file.n_unread) == (1, 1)


def test_a_half_written_last_line_is_kept_as_unread():
    file = import_content(GOOD + GOOD[:20])
    assert (file.n_traces, file.n_unread) == (1, 1)


def test_a_compressed_file_that_ends_early_gives_what_it_has():
    body = b"".join(
        lines([{"messages": [user(f"How {i}?"), assistant(os.urandom(30).hex())]}]).encode() for i in range(3000)
    )
    whole = gzip.compress(body)
    file = import_content(whole[: len(whole) // 2], "log.jsonl.gz")
    assert file.n_traces > 500
    assert "ends early" in reasons()[-1]


def test_invalid_utf8_in_a_table_is_one_row_not_the_file():
    file = import_content(b"request,answer\nA,1\nB,\xff\nC,3\n", "log.csv")
    assert (file.n_traces, file.n_unread) == (2, 1)
    file = import_content(b"request,answer\nA,1\nB\nC,3,4\nD,5\n", "cells.csv")
    assert (file.n_traces, file.n_unread) == (2, 2)


def test_nothing_is_imported_twice_and_identical_requests_are_two_traces():
    first = import_content(GOOD + GOOD)
    assert (first.n_traces, first.n_repeated) == (2, 0)
    again = import_content(GOOD + GOOD + GOOD)
    assert (again.n_traces, again.n_repeated) == (1, 2)
    traces = list(TracesFolder.open("traces").traces())
    assert len({trace.id for trace in traces}) == 3
    assert len({trace.asked for trace in traces}) == 1


def test_an_id_that_names_a_conversation_loses_no_call():
    """Two calls with the same id and another content are two calls."""
    records = [{"id": "c1", "messages": [user(text), assistant("So.")]} for text in ("A", "B", "B")]
    file = import_content(lines(records).encode())
    assert (file.n_traces, file.n_repeated) == (2, 1)


def test_overlapping_exports_count_an_observation_once(tmp_path):
    path = write_log(tmp_path, "langfuse")
    mb.import_traces(path, "traces")
    (tmp_path / "later.jsonl").write_text("\n" + LOGS["langfuse"][1]())
    (file,) = mb.import_traces(tmp_path / "later.jsonl", "traces").files
    assert (file.n_traces, file.n_repeated) == (0, 3)


def test_an_import_that_was_killed_is_finished_by_the_same_command(monkeypatch):
    content = b"".join(lines([{"messages": [user(f"How {i}?"), assistant("So.")]}]).encode() for i in range(50))
    write(content)
    n = 0

    def stop(_line):
        nonlocal n
        n += 1
        if n == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mb.import_traces("log.jsonl", "traces", on_line=stop)
    with open("traces/traces.jsonl", "ab") as file:
        file.write(b'{"id": "torn')
    (file,) = mb.import_traces("log.jsonl", "traces").files
    assert (file.n_traces, file.n_repeated) == (30, 20)
    assert len(list(TracesFolder.open("traces").traces())) == 50


def test_only_the_owner_may_open_what_is_stored(tmp_path):
    mb.import_traces(write_log(tmp_path, "messages"), "traces")
    assert stat.S_IMODE(os.stat("traces").st_mode) == 0o700
    for folder, _, names in os.walk("traces"):
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
        for name in names:
            assert stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode) == 0o600, name
    os.chmod("traces", 0o755)
    TracesFolder.open("traces")
    assert stat.S_IMODE(os.stat("traces").st_mode) == 0o700


def test_a_folder_with_other_files_is_not_used(tmp_path):
    path = write_log(tmp_path, "messages")
    with pytest.raises(mb.UsageError, match="holds other files"):
        mb.import_traces(path, tmp_path)
    with pytest.raises(mb.UsageError, match="is a file"):
        mb.import_traces(path, path)
    with pytest.raises(mb.UsageError, match="is a folder; name its files"):
        mb.import_traces(tmp_path, "traces")
    with pytest.raises(mb.DataError, match="cannot read .*no.jsonl"):
        mb.import_traces("no.jsonl", "traces")
    with pytest.raises(mb.DataError, match="is empty"):
        mb.import_traces(write(b" \n"), "traces")
    with pytest.raises(mb.UsageError, match="not a folder of traces"):
        TracesFolder.open(tmp_path)


def test_two_imports_into_one_folder_wait_for_each_other(tmp_path):
    path = write_log(tmp_path, "messages")
    mb.import_traces(path, "traces")
    with locked(TracesFolder.open("traces").path / ".lock", "busy"):
        with pytest.raises(mb.RunError, match="another process imports"):
            mb.import_traces(path, "traces")


def test_users_have_other_pseudonyms_in_another_folder(tmp_path):
    path = write_log(tmp_path, "messages")
    for out in ("one", "two"):
        mb.import_traces(path, out)
    names = {next(TracesFolder.open(out).traces()).user for out in ("one", "two")}
    assert len(names) == 2


def test_purging_deletes_old_traces_with_all_that_was_kept_of_them(tmp_path):
    path = write_log(tmp_path, "messages")
    mb.import_traces(path, "traces")
    assert list((TracesFolder.open("traces").path / "images").iterdir())
    purged = mb.purge_traces("traces", "30d")
    left = [trace.request for trace in TracesFolder.open("traces").traces()]
    assert (purged.n_traces, purged.n_left, purged.n_images) == (1, 2, 1)  # two have no time: they were imported today
    assert left == ["How do I kill weeds?", "What is in this picture?"]
    assert not list((TracesFolder.open("traces").path / "images").iterdir())
    assert stat.S_IMODE(os.stat("traces/traces.jsonl").st_mode) == 0o600
    assert mb.import_traces(path, "traces").n_traces == 0  # what was deleted does not come back
    with pytest.raises(mb.UsageError, match="the age is '30', expected"):
        mb.purge_traces("traces", "30")


def test_the_fields_of_an_import_are_json(tmp_path):
    imported = mb.import_traces(write_log(tmp_path, "calls"), "traces")
    assert json.dumps(imported.to_dict())
    assert (imported.n_traces, imported.n_unread) == (3, 0)
