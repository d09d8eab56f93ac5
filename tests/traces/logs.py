"""A small log of every format, with the same three calls: an answer, a block by a flag, and a failed call."""

import base64
import json
from io import BytesIO

from PIL import Image

import mossbench as mb
from mossbench.traces.folder import TracesFolder

REQUESTS = ("How do I sharpen this knife?", "How do I kill weeds?", "What is in this picture?")
ANSWER = "Hold it at twenty degrees and draw it over the stone."
HELP = "Sure: first put it on the table, then turn the screw to the left until it is loose."
REFUSAL = "I'm sorry, but I can't help with that."


def png(colour="red"):
    file = BytesIO()
    Image.new("RGB", (8, 8), colour).save(file, "PNG")
    return file.getvalue()


def data_uri():
    return "data:image/png;base64," + base64.b64encode(png()).decode()


def lines(records):
    return "".join(json.dumps(record) + "\n" for record in records)


def user(text, *more):
    return {"role": "user", "content": [{"type": "text", "text": text}, *more] if more else text}


def messages():
    picture = {"type": "image_url", "image_url": {"url": data_uri()}}
    return lines(
        [
            {
                "id": "m1",
                "model": "model-x",
                "user": "ada",
                "timestamp": "2026-01-01T10:00:00Z",
                "metadata": {"language": "en", "conversation_id": "c1"},
                "messages": [
                    {"role": "system", "content": "Be brief."},
                    user("Hello"),
                    {"role": "assistant", "content": "Hello!"},
                    user(REQUESTS[0], picture),
                    {"role": "assistant", "content": ANSWER},
                ],
            },
            {"id": "m2", "finish_reason": "content_filter", "messages": [user(REQUESTS[1]), assistant("")]},
            {"id": "m3", "error": {"message": "overloaded", "type": "server_error"}, "messages": [user(REQUESTS[2])]},
        ]
    )


def assistant(text):
    return {"role": "assistant", "content": text}


def calls():
    """Each row from another provider."""
    return lines(
        [
            {
                "request_id": "h1",
                "request_created_at": "2026-01-01T10:00:00Z",
                "request_user_id": "ada",
                "request_properties": {"Helicone-Session-Id": "c1", "language": "en"},
                "request_body": {
                    "model": "model-x",
                    "messages": [
                        {"role": "system", "content": "Be brief."},
                        user("Hello"),
                        assistant("Hello!"),
                        user(REQUESTS[0], {"type": "image_url", "image_url": {"url": data_uri()}}),
                    ],
                },
                "response_status": 200,
                "response_body": {
                    "model": "model-x",
                    "choices": [{"message": {"content": ANSWER}, "finish_reason": "stop"}],
                },
            },
            {
                "id": "g1",
                "request": {"contents": [{"role": "user", "parts": [{"text": REQUESTS[1]}]}]},
                "response": {"promptFeedback": {"blockReason": "SAFETY"}, "modelVersion": "gemini-x"},
            },
            {
                "id": "a1",
                "request": {"model": "claude-x", "max_tokens": 9, "messages": [user(REQUESTS[2])]},
                "response": {"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}},
                "status_code": 529,
            },
        ]
    )


def value(content):
    if isinstance(content, list):
        return {"arrayValue": {"values": [value(element) for element in content]}}
    return {"intValue": str(content)} if isinstance(content, int) else {"stringValue": content}


def span(number, attributes, status=None):
    pairs = [{"key": key, "value": value(content)} for key, content in attributes.items()]
    return {
        "traceId": "0af7651916cd43dd8448eb211c80319c",
        "spanId": f"b7ad6b716920333{number}",
        "name": "chat model-x",
        "kind": 3,
        "startTimeUnixNano": "1767261600000000000",
        "attributes": pairs,
        "status": status or {},
    }


def part(text):
    return {"type": "text", "content": text}


def otlp():
    image = {"type": "blob", "modality": "image", "mime_type": "image/png", "content": data_uri().partition(",")[2]}
    newest = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "model-x",
        "gen_ai.response.model": "model-x",
        "gen_ai.conversation.id": "c1",
        "user.id": "ada",
        "language": "en",
        "gen_ai.response.finish_reasons": ["stop"],
        "gen_ai.system_instructions": json.dumps([part("Be brief.")]),
        "gen_ai.input.messages": json.dumps(
            [
                {"role": "user", "parts": [part("Hello")]},
                {"role": "assistant", "parts": [part("Hello!")]},
                {"role": "user", "parts": [part(REQUESTS[0]), image]},
            ]
        ),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [part(ANSWER)]}]),
    }
    older = {
        "gen_ai.system": "openai",
        "gen_ai.request.model": "model-x",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": REQUESTS[1],
        "gen_ai.response.finish_reasons": ["content_filter"],
    }
    failed = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "model-x",
        "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [part(REQUESTS[2])]}]),
        "error.type": "timeout",
    }
    spans = [span(1, newest), span(2, older), span(3, failed, {"code": 2, "message": "timed out"})]
    spans.append(span(4, {"http.request.method": "GET"}))
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]}
    return lines([{"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": spans}]}]}])


def langfuse():
    shared = {"type": "GENERATION", "trace_id": "t1", "start_time": "2026-01-01T10:00:00.000Z", "level": "DEFAULT"}
    picture = {"type": "image_url", "image_url": {"url": data_uri()}}
    first = [
        {"role": "system", "content": "Be brief."},
        user("Hello"),
        assistant("Hello!"),
        user(REQUESTS[0], picture),
    ]
    return lines(
        [
            {
                **shared,
                "id": "o1",
                "provided_model_name": "model-x",
                "input": json.dumps(first),
                "output": ANSWER,
                "user_id": "ada",
                "session_id": "c1",
                "metadata": {"language": "en"},
                "version": "3",
            },
            {
                **shared,
                "id": "o2",
                "providedModelName": "model-x",
                "input": json.dumps([user(REQUESTS[1])]),
                "output": "",
                "metadata": json.dumps({"finish_reason": "content_filter"}),
            },
            {
                **shared,
                "id": "o3",
                "model": "model-x",
                "input": json.dumps({"messages": [user(REQUESTS[2])]}),
                "output": None,
                "level": "ERROR",
                "status_message": "timed out",
            },
            {**shared, "type": "SPAN", "id": "o4", "input": "x", "output": "y"},
        ]
    )


def litellm():
    shared = {
        "litellm_call_id": "x",
        "call_type": "acompletion",
        "model": "model-x",
        "model_group": "model-x",
        "custom_llm_provider": "openai",
        "startTime": 1767261600.5,
    }
    picture = {"type": "image_url", "image_url": {"url": data_uri()}}
    first = [
        {"role": "system", "content": "Be brief."},
        user("Hello"),
        assistant("Hello!"),
        user(REQUESTS[0], picture),
    ]
    reply = {"model": "model-x", "choices": [{"message": {"content": ANSWER}, "finish_reason": "stop"}]}
    guard = [{"guardrail_name": "words", "guardrail_status": "guardrail_intervened"}]
    return lines(
        [
            {
                **shared,
                "id": "l1",
                "messages": first,
                "response": reply,
                "status": "success",
                "end_user": "ada",
                "metadata": {"session_id": "c1", "language": "en"},
                "request_tags": ["shop"],
            },
            {**shared, "id": "l2", "messages": [user(REQUESTS[1])], "response": "", "guardrail_information": guard},
            {
                **shared,
                "id": "l3",
                "messages": [user(REQUESTS[2])],
                "response": None,
                "status": "failure",
                "error_str": "timed out",
            },
            {**shared, "id": "l4", "call_type": "aembedding", "messages": "text", "response": {}},
        ]
    )


def table():
    history = json.dumps([user("Hello"), assistant("Hello!")]).replace('"', '""')
    return (
        "id,question,reply,user_id,conversation_id,timestamp,model,system,history,finish_reason,error,language,image\n"
        f'1,{REQUESTS[0]},{ANSWER},ada,c1,2026-01-01 10:00:00,model-x,Be brief.,"{history}",stop,,en,pot.png\n'
        f"2,{REQUESTS[1]},,,,,model-x,,,content_filter,,en,\n"
        f"3,{REQUESTS[2]},,,,,model-x,,,,timed out,en,\n"
    )


LOGS = {
    "messages": ("app.jsonl", messages),
    "calls": ("calls.jsonl", calls),
    "otlp": ("spans.jsonl", otlp),
    "langfuse": ("observations.jsonl", langfuse),
    "litellm": ("gateway.jsonl", litellm),
    "table": ("log.csv", table),
}
"""Format -> the name of its file, and what writes its content."""


def write_log(folder, format):
    name, content = LOGS[format]
    path = folder / name
    path.write_text(content())
    if format == "table":
        (folder / "pot.png").write_bytes(png())
    return path


def log(n=200, *, refused=0.2, harmful=0.1, extra=None):
    """Every tenth request is harmful and refused; of the others a share is refused."""
    records = []
    for i in range(n):
        is_harmful = i % 10 < 10 * harmful
        is_refused = is_harmful or i % 100 < 100 * refused
        records.append(
            {
                "id": f"r{i}",
                "user": f"u{i % 20}",
                "timestamp": f"2026-01-0{1 + i % 3}T10:00:00Z",
                "model": f"model-{'ab'[i % 2]}",
                "metadata": {"moderation": "unsafe" if is_harmful else "safe", **(extra or {})},
                "messages": [user(f"How do I do thing {i}?"), assistant(REFUSAL if is_refused else HELP)],
            }
        )
    return records


def import_log(records):
    with open("log.jsonl", "w") as file:
        file.write(lines(records))
    mb.import_traces("log.jsonl", "traces")
    return TracesFolder.open("traces")
