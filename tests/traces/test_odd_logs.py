"""Odd, damaged and hostile logs: every record is a trace, is skipped and counted, or is kept with its reason."""

import csv
import gzip
import json

import pytest
from click.testing import CliRunner
from logs import assistant, lines, user, value

import mossbench as mb
from mossbench.cli import cli
from mossbench.outcomes import Layer, layer_without_verdict
from mossbench.traces.folder import TracesFolder

TWO = [
    {"id": "1", "messages": [user("A?"), assistant("Yes.")]},
    {"id": "2", "messages": [user("B?"), assistant("No.")]},
]
EMPTY = Layer.EMPTY
BLOCKED = Layer.BLOCKED
FAILED = Layer.FAILED


def import_file(content, name="log.jsonl", **options):
    with open(name, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    (imported,) = mb.import_traces(name, "traces", **options).files
    return imported


def traces():
    return list(TracesFolder.open("traces").traces())


def unread():
    return [line.reason for line in TracesFolder.open("traces").unread()]


# Files


@pytest.mark.parametrize(
    "content",
    [
        lines(TWO).encode("utf-16"),
        lines(TWO).encode("utf-16-le"),
        lines(TWO).encode("utf-16-be"),
        json.dumps(TWO, indent=1).encode("utf-16"),
        gzip.compress(lines(TWO).encode("utf-16"), mtime=0),
        b"\xef\xbb\xbf" + lines(TWO).encode(),
        lines(TWO).replace("\n", "\r\n"),
        lines(TWO).replace("\n", "\r"),
        lines(TWO).replace("\n", ",\n"),
        "".join(map(json.dumps, TWO)),
        json.dumps({"data": TWO, "meta": {"next": None}}),
        json.dumps({"data": TWO, "meta": {"next": None}}, indent=2),
        "\n \n" + lines(TWO) + "\n",
        lines([record["messages"] for record in TWO]),
    ],
    ids=lambda content: repr(content[:24]),
)
def test_two_calls_are_read_however_they_are_written(content):
    imported = import_file(content)
    assert (imported.n_traces, imported.n_unread) == (2, 0)
    assert [trace.request for trace in traces()] == ["A?", "B?"]


def test_a_table_in_utf_16_is_read():
    assert import_file("question,answer\nWas?,Grün.\n".encode("utf-16"), "log.csv").n_traces == 1
    assert traces()[0].answer.text == "Grün."


def test_a_short_compressed_file_that_ends_early_gives_what_it_has():
    whole = gzip.compress(
        lines([{"messages": [user(f"{i * 7919 % 1009}?"), assistant("x")]} for i in range(99)]).encode()
    )
    imported = import_file(whole[: len(whole) // 2], "log.jsonl.gz")
    assert imported.n_traces > 10 and imported.n_unread == 1
    with pytest.raises(mb.DataError, match="compressed and damaged at its beginning"):
        import_file(whole[:12], "log.jsonl.gz")


def test_what_is_no_object_in_a_list_is_kept_with_its_reason():
    imported = import_file(json.dumps([TWO[0], 5, "x", None, [1], TWO[1]]), "log.json")
    assert (imported.n_traces, imported.n_unread) == (2, 4)
    assert [reason.rpartition(" ")[2] for reason in unread()] == ["int", "str", "NoneType", "list"]
    imported = import_file(lines(TWO[:1])[:-1] + " oops " + lines(TWO[1:]), "torn.jsonl")
    assert (imported.n_repeated, imported.n_unread) == (2, 1)


def test_every_element_of_one_line_counts():
    """Two identical records without an id in one line are two traces, and two faults of one line are two lines."""
    record = {"messages": [user("A?"), assistant("Yes.")]}
    bad = {"other": 1}
    imported = import_file(json.dumps([record, record, bad, bad]), "log.json")
    assert (imported.n_traces, imported.n_unread, imported.n_unknown) == (2, 2, 2)
    assert (len(traces()), len(unread())) == (2, 2)
    again = mb.import_traces("log.json", "traces").files[0]
    assert (again.n_traces, again.n_repeated, again.n_unread) == (0, 2, 2)
    assert (len(traces()), len(unread())) == (2, 2)


def test_a_quote_that_is_not_closed_is_named():
    rows = "\n".join(f"Q{i}?,A" for i in range(80))
    imported = import_file(f'question,answer\nA?,B\n"C?,D\n{rows}\n', "log.csv")
    assert imported.n_traces == 1 and "the row goes over 81 lines: is a quote not closed?" in imported.unread


def test_two_columns_with_one_name_are_an_error():
    with pytest.raises(mb.UsageError, match="several columns named 'answer'; rename all but one"):
        import_file("question,answer,answer\nA?,B,C\n", "log.csv")
    assert import_file("question,answer,tag,tag\nA?,B,x,y\n", "log.csv").n_traces == 1
    assert traces()[0].columns == {"tag": "x", "tag (2)": "y"}


@pytest.mark.parametrize(
    "facts, columns",
    [('"n": 1e999', {}), ('"n": NaN', {}), ('"n": -Infinity', {}), ('"n": 1.5', {"n": 1.5})],
)
def test_numbers_that_are_none_are_no_columns(facts, columns):
    record = json.dumps({"messages": [user("A?"), assistant("Yes.")]})
    assert import_file(f"{{{facts}, {record[1:]}\n").n_traces == 1
    assert traces()[0].columns == columns


def test_a_file_of_which_nothing_can_be_read_is_a_failure_that_says_what_helps():
    with open("log.jsonl", "w") as file:
        file.write('{"q": "A?", "r": "B"}\n{"q": "C?", "r": "D"}\n')
    done = CliRunner().invoke(cli, ["traces", "import", "log.jsonl", "--out", "traces"])
    assert done.exit_code == 1
    assert "the most common reason: of no known format: it has 'q', 'r'" in done.output
    assert "--map request=FIELD,answer=FIELD" in done.output
    done = CliRunner().invoke(cli, ["traces", "import", "log.jsonl", "--out", "traces", "--map", "request=q,answer=r"])
    assert done.exit_code == 0 and len(traces()) == 2


# Answers


def chunk(text=None, finish=None, **more):
    return {"choices": [{"index": 0, "delta": {"content": text, **more}, "finish_reason": finish}]}


def events(*chunks):
    return "".join(f"data: {json.dumps(piece)}\n\n" for piece in chunks) + "data: [DONE]\n\n"


def said(text):
    return {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}


def ended(reason):
    return {"type": "message_delta", "delta": {"stop_reason": reason}}


def part(text, **more):
    return {"candidates": [{"content": {"parts": [{"text": text}]}, **more}]}


@pytest.mark.parametrize(
    "response, text, layer",
    [
        ([chunk("It is "), chunk("blue."), chunk(finish="stop")], "It is blue.", None),
        (events(chunk("It is "), chunk("blue."), chunk(finish="stop")), "It is blue.", None),
        (events(chunk("It"), chunk(finish="content_filter")), "It", BLOCKED),
        ('data: {"choices": [{"delta": {"content": "a\u2028b"}}]}\r\n\r\ndata: {"choi', "a\u2028b", None),
        ([chunk(refusal="I can"), chunk(refusal="not."), chunk(finish="stop")], "I cannot.", None),
        (
            [{"type": "message_start", "message": {}}, said("It is "), said("blue."), ended("end_turn")],
            "It is blue.",
            None,
        ),
        ([{"type": "message_start", "message": {}}, said("It"), ended("refusal")], "It", BLOCKED),
        ([said("It"), {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}], None, FAILED),
        ([part("It is "), part("blue.", finishReason="STOP")], "It is blue.", None),
        ([part("It"), {"candidates": [{"finishReason": "SAFETY"}]}], "It", BLOCKED),
        (
            [
                {"type": "response.output_text.delta", "delta": "It is "},
                {"type": "response.output_text.delta", "delta": "blue."},
            ],
            "It is blue.",
            None,
        ),
        ([{"type": "response.refusal.delta", "delta": "No."}], "No.", None),
        (
            [{"type": "reasoning", "summary": []}, {"type": "message", "content": [{"text": "It is blue."}]}],
            "It is blue.",
            None,
        ),
        ([user("A?"), assistant("It is blue.")], "It is blue.", None),
        ({"choices": [{"text": "It is blue.", "finish_reason": "stop"}]}, "It is blue.", None),
        ({"choices": [{"message": assistant("one")}, {"message": assistant("two")}]}, "one", None),
        ({"choices": []}, None, FAILED),
        ({}, None, FAILED),
        (None, None, FAILED),
    ],
    ids=lambda argument: repr(argument)[:30],
)
def test_an_answer_in_any_form_is_the_same_answer(response, text, layer):
    assert import_file(lines([{"request": {"messages": [user("A?")]}, "response": response}])).n_traces == 1
    (trace,) = traces()
    assert trace.answer.text == text
    assert layer_without_verdict(trace.answer) is layer


@pytest.mark.parametrize(
    "record, text, layer",
    [
        ({"messages": [user("A?"), {**assistant("x"), "finish_reason": "content_filter"}]}, "x", BLOCKED),
        ({"messages": [user("A?"), {"role": "assistant", "content": None, "refusal": "No."}]}, "No.", None),
        ({"messages": [user("A?"), assistant("")]}, "", EMPTY),
        ({"messages": [user("A?"), assistant("x")], "error": {}}, "x", None),
        ({"messages": [user("A?"), assistant("x")], "choices": None}, "x", None),
        ({"messages": [user("A?"), assistant("x"), user("Thanks")]}, None, FAILED),
        ({"messages": [{"role": "human", "content": "A?"}, {"role": "bot", "content": "x"}]}, "x", None),
        ({"messages": [{"speaker": "customer", "text": "A?"}, {"speaker": "agent", "text": "x"}]}, "x", None),
        ({"conversations": [{"from": "human", "value": "A?"}, {"from": "gpt", "value": "x"}]}, "x", None),
    ],
    ids=lambda argument: repr(argument)[:60],
)
def test_messages_in_any_form(record, text, layer):
    assert import_file(lines([record])).n_traces == 1
    (trace,) = traces()
    assert trace.answer.text == text
    assert layer_without_verdict(trace.answer) is layer


@pytest.mark.parametrize(
    "messages, reason",
    [
        ([{"role": "system", "content": "Be brief."}], "nothing in it is from a user"),
        ([assistant("Hello, what can I do?")], "nothing in it is from a user"),
        ([user([{"type": "input_audio", "input_audio": {"data": "AAAA"}}]), assistant("x")], "neither text nor image"),
    ],
)
def test_a_record_without_a_request_is_kept(messages, reason):
    imported = import_file(lines([{"messages": messages}]))
    assert (imported.n_traces, imported.n_unread) == (0, 1)
    assert reason in imported.unread


# OpenTelemetry's events as log records


def event(name, body, span="b7ad6b7169203331", at="1"):
    fields = [{"key": key, "value": value(content)} for key, content in body.items() if not isinstance(content, dict)]
    for key, content in body.items():
        if isinstance(content, dict):
            inner = [{"key": name, "value": value(text)} for name, text in content.items()]
            fields.append({"key": key, "value": {"kvlistValue": {"values": inner}}})
    return {
        "timeUnixNano": f"176726160000000000{at}",
        "traceId": "0af7651916cd43dd8448eb211c80319c",
        "spanId": span,
        "eventName": name,
        "attributes": [{"key": "gen_ai.system", "value": {"stringValue": "openai"}}],
        "body": {"kvlistValue": {"values": fields}},
    }


def test_log_records_of_a_call_are_joined():
    records = [
        event("gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": {"content": "It is blue."}}, at="2"),
        event("gen_ai.user.message", {"content": "What colour?"}),
        event("gen_ai.user.message", {"content": "B?"}, span="b7ad6b7169203332"),
        event("gen_ai.choice", {"finish_reason": "content_filter", "message": {"content": ""}}, "b7ad6b7169203332"),
        event("gen_ai.user.message", {"content": "Alone?"}, span="b7ad6b7169203333"),
        {"timeUnixNano": "1", "spanId": "x", "body": {"stringValue": "started"}},
    ]
    imported = import_file(lines([{"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}]))
    assert (imported.n_traces, imported.n_unread, sum(imported.skipped.values())) == (2, 1, 1)
    first, second = traces()
    assert (first.request, first.answer.text) == ("What colour?", "It is blue.")
    assert first.at == "2026-01-01T10:00:00+00:00"
    assert layer_without_verdict(second.answer) is BLOCKED
    assert "its answer is not in the same record" in imported.unread


def test_spans_of_another_convention_are_not_said_to_have_no_messages():
    attributes = [{"key": "openinference.span.kind", "value": {"stringValue": "LLM"}}]
    spans = [{"traceId": "t", "spanId": "s", "attributes": [*attributes, {"key": "llm.model_name", "value": {}}]}]
    imported = import_file(lines([{"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}]))
    assert imported.unread.startswith("OpenInference's attributes are not read")


# Tables


def write_csv(rows, name="log.csv"):
    with open(name, "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return name


def import_rows(rows, **options):
    (imported,) = mb.import_traces(write_csv(rows), "traces", **options).files
    return imported


def test_a_provider_s_export_as_a_table_is_read_as_that_provider_s():
    shared = {"trace_id": "t1", "start_time": "2026-01-01T10:00:00Z", "status_message": ""}
    answer = json.dumps(assistant("x"))
    rows = [
        {"id": "o1", "type": "GENERATION", **shared, "input": json.dumps([user("A?")]), "output": answer, "level": ""},
        {"id": "o2", "type": "SPAN", **shared, "input": "a", "output": "b", "level": ""},
        {"id": "o3", "type": "GENERATION", **shared, "input": "B?", "output": "", "level": "ERROR"},
    ]
    imported = import_rows(rows)
    assert (imported.formats, imported.skipped) == ({"langfuse": 2}, {"observation of type SPAN": 1})
    assert [layer_without_verdict(trace.answer) for trace in traces()] == [None, FAILED]


def test_helicone_s_bodies_with_quotes_doubled_twice_are_read():
    body = json.dumps({"choices": [{"message": assistant("x"), "finish_reason": "stop"}]})
    request = json.dumps({"messages": [user("A?")]})
    row = {
        "request_body": request.replace('"', '""'),
        "response_body": body.replace('"', '""'),
        "response_status": "200",
    }
    assert import_rows([row]).formats == {"calls": 1}
    assert traces()[0].answer.text == "x"


def test_a_table_of_plain_texts_is_a_table_whatever_its_columns_are_called():
    assert import_rows([{"prompt": "A?", "response": "x", "history": "User: Hi\nBot: Ho"}]).formats == {"table": 1}
    assert traces()[0].history[0].text == "Hi" and traces()[0].request == "A?"


CHAT = "Kunde: Hallo\nBot: Guten Tag,\nwie kann ich helfen?\nKunde: Ist das Gift: ja?\nBot: Nein."


def test_a_conversation_in_one_cell_has_its_turns():
    imported = import_rows([{"chat": CHAT}, {"chat": "nobody said this"}], columns={"messages": "chat"})
    (trace,) = traces()
    assert (trace.request, trace.answer.text) == ("Ist das Gift: ja?", "Nein.")
    assert [turn.role for turn in trace.history] == ["user", "assistant"]
    assert imported.n_unread == 1 and "says who speaks" in imported.unread


def test_a_conversation_may_have_its_answer_in_another_column():
    import_rows(
        [{"chat": "User: A?", "reply": "x", "why": "content_filter"}],
        columns={"messages": "chat", "answer": "reply", "finish": "why"},
    )
    (trace,) = traces()
    assert (trace.request, trace.answer.text) == ("A?", "x")
    assert layer_without_verdict(trace.answer) is BLOCKED


def test_fields_lie_in_objects_and_lists_and_facts_beside_them_become_columns():
    record = {
        "event": {
            "turns": [{"speaker": "customer", "text": "A?"}],
            "out": {"choices": [{"txt": "x"}, {"txt": "y"}]},
            "context": {"lang": "de", "safety": {"verdict": "ok"}, "customer": {"name": "Eva"}},
        }
    }
    columns = {"request": "event.turns", "answer": "event.out.choices.-1.txt"}
    imported = import_file(lines([record]), columns=columns)
    (trace,) = traces()
    assert (trace.request, trace.answer.text) == ("A?", "y")
    assert trace.columns == {"event.context.lang": "de", "event.context.safety.verdict": "ok"}
    assert list(imported.columns_dropped) == ["event.context.customer.name"]


def test_an_answer_that_is_a_body_is_read_as_one():
    import_file(
        lines([{"q": "A?", "r": {"choices": [{"message": assistant("x")}]}}]), columns={"request": "q", "answer": "r"}
    )
    assert traces()[0].answer.text == "x"


def test_another_encoding_is_named_and_then_read():
    content = "Frage;Antwort\nGrüße?;Schön.\n".encode("cp1252")
    columns = {"request": "Frage", "answer": "Antwort"}
    assert import_file(content, "log.csv", columns=columns).unread.endswith("with --encoding, such as cp1252")
    assert import_file(content, "again.csv", columns=columns, encoding="cp1252").n_traces == 1
    assert traces()[0].request == "Grüße?"
    with pytest.raises(mb.DataError, match=r"the first row of odd.csv is not UTF-8; .*--encoding"):
        import_file("Prüfung;Antwort\nA;B\n".encode("cp1252"), "odd.csv", columns=columns)
    with pytest.raises(mb.UsageError, match="'klingon', expected a name such as cp1252"):
        import_file(content, "log.csv", columns=columns, encoding="klingon")


@pytest.mark.parametrize("columns", [None, {"request": "q.text", "answer": "r"}])
def test_records_deep_in_an_outer_object_are_found(columns):
    records = [{"q": {"text": "A?"}, "r": "x"}, 7] if columns else [TWO[0], 7]
    content = json.dumps({"export": {"rows": records, "tags": ["a"]}, "owners": [{"team": "shop"}]})
    imported = import_file(content, columns=columns)
    assert (imported.n_traces, imported.n_unread) == (1, 1)


def test_a_record_with_a_list_is_no_wrapper():
    record = {"question": "A?", "answer": "x", "data": [{"question": "B?", "answer": "y"}]}
    assert import_file(lines([record]), format="table").n_traces == 1
    assert [trace.request for trace in traces()] == ["A?"]


def test_a_conversation_in_one_cell_may_say_when_each_spoke():
    chat = "[10:01] Customer: Hello\n[10:02:33] Agent: Hi\n2026-09-11 10:03 - Customer: A?\n(10:04) Agent: x"
    import_rows([{"chat": chat}], columns={"messages": "chat"})
    assert (traces()[0].request, traces()[0].answer.text, len(traces()[0].history)) == ("A?", "x", 2)


@pytest.mark.parametrize("messages", [{}, "{}", None, []])
def test_spend_logs_without_messages_have_them_in_the_proxy_s_request_or_say_so(messages):
    shared = {"call_type": "acompletion", "custom_llm_provider": "openai", "messages": messages, "status": "success"}
    reply = {"choices": [{"message": assistant("x"), "finish_reason": "stop"}]}
    asked = {"body": {"messages": [user("A?")]}}
    records = [
        {**shared, "request_id": "1", "response": reply, "proxy_server_request": json.dumps(asked)},
        {**shared, "request_id": "2", "response": "{}", "proxy_server_request": {}},
    ]
    imported = import_file(lines(records))
    assert (imported.n_traces, imported.n_unread) == (1, 1)
    assert (traces()[0].request, traces()[0].answer.text) == ("A?", "x")
    assert imported.unread == "the record has no messages; switch the storing of prompts on"
