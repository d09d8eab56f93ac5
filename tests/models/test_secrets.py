"""A canary key in every variable, errors on every path: the key is nowhere but on the wire."""

import base64
import html
import json
import logging
import time
import traceback
from itertools import cycle, product
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

import mossbench as mb
from mossbench.cli import cli
from mossbench.errors import MossbenchError, UsageError
from mossbench.models import load_model
from mossbench.models.keys import known_secrets, redacted, secret
from mossbench.models.replies import FILTER_REASONS
from mossbench.outcomes import Answer, Failure, Stop, Usage
from mossbench.web import Settings, create_app
from servers.asking import KEYS, ROOTS, ask, ask_many, name_of
from servers.loopback import reset, serve, truncated
from servers.wire import anthropic_error, completion, generated, google_error, message, openai_error, prompt_blocked

CANARY = "sk-canary-0123456789abcdef"
VARIABLES = (
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GOOGLE_API_KEY",
    "GEMINI_API_KEY",
    "OPENROUTER_API_KEY",
    "TOGETHER_API_KEY",
    "REKA_API_KEY",
    "AZURE_OPENAI_API_KEY",
    "HF_TOKEN",
)
ECHO = f"you sent {CANARY}, which is wrong"
ERRORS = {
    "openai": lambda status: openai_error(ECHO, None),
    "anthropic": lambda status: anthropic_error(ECHO),
    "google": lambda status: google_error(status, ECHO),
}
ANSWERS = {"openai": completion("Sure."), "anthropic": message("Sure."), "google": generated("Sure.")}
STATUSES = (400, 401, 402, 403, 404, 413, 422, 429, 500, 503, 529)


@pytest.fixture(autouse=True)
def canary(monkeypatch, caplog):
    for name in VARIABLES:
        monkeypatch.setenv(name, CANARY)
    caplog.set_level(logging.DEBUG)


def replies(wire):
    yield from ((status, ERRORS[wire](status)) for status in STATUSES)
    yield 400, ECHO.encode()
    yield 200, f"{{not json {CANARY}".encode()
    yield 200, {"error": {"message": ECHO, "code": "odd"}}
    yield 200, {}
    yield reset
    yield truncated


def shown(came):
    """All that could be printed of an outcome: its text, notes, and the whole chain of exceptions."""
    if not isinstance(came, BaseException):
        return came.model_dump_json()
    chain, error = "".join(traceback.format_exception(came)), came
    while error is not None:
        chain, error = chain + repr(error) + str(vars(error)), error.__cause__ or error.__context__
    return chain


@pytest.mark.slow
@pytest.mark.parametrize("wire", KEYS)
@pytest.mark.parametrize("route", ["ours", "inspect"])
def test_the_key_is_in_no_outcome_log_or_output_whatever_goes_wrong(wire, route, caplog, capfd):
    said = [one for one in replies(wire) if (wire, route, one) != ("google", "inspect", reset)]  # it would wait 10 s
    for came, n_requests in ask_many(wire, [lambda body, headers, one=one: one for one in said], route=route):
        assert n_requests and CANARY not in shown(came)
    out, err = capfd.readouterr()
    assert CANARY not in out + err + caplog.text


@pytest.mark.slow
@pytest.mark.parametrize("wire", KEYS)
@pytest.mark.parametrize("route", ["ours", "inspect"])
def test_the_key_is_in_no_file_of_a_run(wire, route, small, tmp_path):
    bad = (400, ERRORS[wire](400))
    first, then = iter([bad, bad, bad]), (200, ANSWERS[wire])
    with serve(lambda body, headers: next(first, then), ROOTS[wire]) as (base_url, _):
        mb.run(name_of(wire, route), small, base_url=base_url, out="r", max_connections=1)
    with serve(lambda body, headers: (401, ERRORS[wire](401)), ROOTS[wire]) as (base_url, _):
        with pytest.raises(MossbenchError) as caught:
            mb.run(name_of(wire, route), small, base_url=base_url, out="stopped", max_connections=1)
    assert "you sent [redacted]" in str(caught.value)
    assert CANARY not in shown(caught.value) + str(getattr(caught.value, "__notes__", ""))
    written = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert any(b"you sent [redacted]" in data for data in written.values())
    assert [path for path, data in written.items() if CANARY.encode() in data] == []


ODD_KEY = 'sk-c/n"ry+0123456789=abcdef'  # otherwise written in a repr, in JSON, in a URL and in base64
FORMS = (
    ODD_KEY,
    json.dumps(ODD_KEY)[1:-1],
    quote(ODD_KEY),
    quote(ODD_KEY, safe=""),
    html.escape(ODD_KEY),
    base64.b64encode(ODD_KEY.encode()).decode().rstrip("="),
)
STRUCTURE = ("type", "role", "object", "promptFeedback")


def echoing(value, form):
    """A body that repeats the key in every text of it, but for what says that a filter stepped in."""
    if isinstance(value, dict):
        return {key: one if key in STRUCTURE else echoing(one, form) for key, one in value.items()}
    if isinstance(value, list):
        return [echoing(one, form) for one in value]
    return f"{value} {form} " if isinstance(value, str) and value not in FILTER_REASONS else value


def bodies(wire):
    """An answer, one with an unknown finish reason and thoughts, a block, and a reply that is not recognised."""
    if wire == "openai":
        hit = {"finish_reason": "content_filter", "choice": {"native_finish_reason": "x"}}
        return completion("Sure."), completion("Sure.", refusal="No."), completion(None, **hit), completion(None)
    if wire == "anthropic":
        thinking = {"type": "thinking", "thinking": "Hm", "signature": "x"}
        why = {"type": "refusal", "category": "cyber", "explanation": "harm"}
        return message("Sure."), message(thinking, "Sure."), message(stop_reason="refusal", stop_details=why), message()
    rating = {"category": "x", "probability": "HIGH", "blocked": True}
    blocked = prompt_blocked("SAFETY", safetyRatings=[rating])
    thought = {"text": "Hm", "thought": True}
    return generated("Sure."), generated(thought, "Sure."), echoing_block(blocked), generated()


def echoing_block(body):
    return {**body, "modelVersion": "served", "promptFeedback": echoing(body["promptFeedback"], ODD_KEY)}


def judging(body, headers):
    """A verdict whose reason has the key in an escape of JSON, or none, with the key in the reply."""
    escaped = json.dumps(ODD_KEY).replace("sk-", "\\u0073k-")
    verdict = f'{{"reason": {escaped}, "evidence": [], "kind": "answered", "confidence": 0.9}}'
    said = verdict if "number 1" in json.dumps(body) else f"I was sent {ODD_KEY}."
    return 200, echoing(completion(said), ODD_KEY)


def page(app, path):
    client = TestClient(app, base_url="http://127.0.0.1")
    while "refresh" in (found := client.get(path)).headers or found.status_code == 503:  # runs are still being read
        time.sleep(0.02)
    return found.text


@pytest.mark.slow
@pytest.mark.parametrize("wire", KEYS)
def test_a_key_that_comes_back_in_any_field_is_in_no_file_and_on_no_page(wire, small, tmp_path, monkeypatch):
    for name in VARIABLES:
        monkeypatch.setenv(name, ODD_KEY)
    said = cycle(echoing(body, form) for body, form in product(bodies(wire), FORMS))
    with (
        serve(lambda body, headers: (200, next(said)), ROOTS[wire]) as (base_url, requests),
        serve(judging, ROOTS["openai"]) as (judge_url, judged),
    ):
        how = ["--model", name_of(wire), "--data", str(small), "--base-url", base_url]
        how += ["--judge", "rubric/kinds", "--judge-model", "openai/judge", "--judge-base-url", judge_url]
        output = [CliRunner().invoke(cli, ["run", *how, "--epochs", "3", "--out", "runs/r", "--max-connections", "1"])]
        output += [CliRunner().invoke(cli, ["try", *how, *more]) for more in ([], ["--json"])]
    output.append(CliRunner().invoke(cli, ["site", "site", "runs"]))
    assert requests and judged and all(isinstance(one.exception, SystemExit | None) for one in output)
    (tmp_path / "output").write_text("".join(one.output for one in output))
    app = create_app(Settings(runs=Path("runs"), data=(str(small),)))
    pages = page(app, "/runs/r") + page(app, "/explorer")
    assert "Sure." in pages
    (tmp_path / "pages").write_text(pages)
    written = {path: path.read_text(errors="replace") for path in tmp_path.rglob("*") if path.is_file()}
    assert {"answers.jsonl", "report.html", "index.html"} <= {path.name for path in written}
    assert sum("[redacted]" in text for text in written.values()) > 4
    found = [(str(path), form) for path, text in written.items() for form in FORMS if form in text]
    assert found == []


def test_a_record_is_redacted_at_every_depth():
    inner = Failure(stage="model", type=CANARY, message=f"x{CANARY}y")
    answer = Answer(error=inner, signal=CANARY, model=CANARY, usage=Usage(input_tokens=1))
    clean = redacted(answer)
    assert CANARY not in clean.model_dump_json() and clean.error.message == "x[redacted]y" and clean.usage.input_tokens
    assert redacted({CANARY: [CANARY, (CANARY, 1)]}) == {"[redacted]": ["[redacted]", ("[redacted]", 1)]}
    plain = Answer(text="Sure.", stop=Stop.END)
    assert redacted(plain) is plain


def test_a_key_at_the_cut_of_a_long_body_is_not_written_in_half():
    came, *_ = ask("openai", (200, ("x" * 65 + CANARY).encode()))
    assert CANARY[:8] not in shown(came)


def test_a_key_in_dotenv_is_as_secret(monkeypatch, tmp_path):
    for name in VARIABLES:
        monkeypatch.delenv(name)
    (tmp_path / "work" / ".env").write_text(f"OPENAI_API_KEY={CANARY}\n")
    assert known_secrets() == (CANARY,)
    came, requests, _ = ask("openai", (400, openai_error(ECHO)))
    assert CANARY in str(requests[0][1]) and "you sent [redacted]" in came.error.message


def test_short_values_do_not_redact_words(monkeypatch):
    monkeypatch.setenv("SOME_TOKEN", "a")
    assert redacted("a plain message") == "a plain message"


def test_a_model_does_not_show_its_key():
    for wire in KEYS:
        model = load_model(name_of(wire), base_url="http://127.0.0.1:9")
        assert CANARY not in repr(model) + str(vars(model))


@pytest.mark.parametrize("odd", ["two\nlines-of-a-key", "clé-0123456789", "tab\tinside-0123", "“quoted-0123456”"])
@pytest.mark.parametrize("wire", KEYS)
def test_a_key_that_no_request_can_carry_stops_at_once_and_is_not_shown(monkeypatch, wire, odd):
    for name in VARIABLES:
        monkeypatch.setenv(name, odd)
    with pytest.raises(UsageError, match=r"_API_KEY has '.+' at character \d+ of \d+, which cannot be sent") as e:
        load_model(f"{wire}/x")
    assert odd not in str(e.value) and odd[:4] not in str(e.value)


def test_a_secret_is_redacted_as_libraries_quote_it(monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "line1-0123\nline2/é")
    for form in (
        "line1-0123\nline2/é",
        r"line1-0123\nline2/é",
        r"line1-0123\nline2/\u00e9",
        "line1-0123%0Aline2/%C3%A9",
    ):
        assert redacted(f"<{form}>") == "<[redacted]>"


@pytest.mark.parametrize(
    "line, value",
    [
        ("A_KEY=abc", "abc"),
        ("export A_KEY=abc # of the team", "abc"),
        ("A_KEY = 'a b # c' # quoted", "a b # c"),
        ('A_KEY="abc"', "abc"),
        ("A_KEY=a#b", "a#b"),
        ("A_KEY=ab=c==", "ab=c=="),
        ("# A_KEY=abc", None),
        ("A_KEY=", None),
    ],
)
def test_dotenv_is_read_as_a_shell_reads_it(monkeypatch, tmp_path, line, value):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_bytes(b"\xef\xbb\xbfX=1\r\n" + line.encode() + b"\r\n")
    assert secret("A_KEY") == value


def test_dotenv_is_read_once_and_again_when_it_changes(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    reads, read = [], Path.read_text
    monkeypatch.setattr(Path, "read_text", lambda path, **how: reads.append(path) or read(path, **how))
    assert "longer-0123456789" not in known_secrets()
    (tmp_path / ".env").write_text("A_KEY=longer-0123456789\n")
    assert redacted(["is longer-0123456789", "and longer-0123456789"]) == ["is [redacted]", "and [redacted]"]
    assert redacted("longer-0123456789") == "[redacted]"
    assert len(reads) == 1
    (tmp_path / ".env").write_text("A_KEY=another-012345\n")
    assert redacted("longer-0123456789, another-012345") == "longer-0123456789, [redacted]"
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert redacted("another-012345") == "another-012345"


def test_a_dotenv_that_is_not_utf_8_is_one_sentence_and_still_redacted(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("A_KEY=abc\n", encoding="utf-16")
    with pytest.raises(UsageError, match=r"\.env cannot be read .* expected lines NAME=value in UTF-8"):
        secret("A_KEY")
    assert redacted("fine") == "fine"


MASKED = [
    "sk-canary-0123456789ab****",
    "sk-canary-0123456789ab...",
    "sk-canary-0123456789ab…",
    "sk-canary-0123456789ab",
    "sk-canary-0123456789ab????",
    "sk-c***********cdef",
    "sk-can**********cdef",
    "sk-canar************************cdef",
    "sk-…cdef",
    "sk-...cdef",
    "sk-canary...cdef",
    "sk-canary-xxxxxxxxxxcdef",
    "sk-ca[...]cdef",
    "sk-ca[hidden]cdef",
    "sk-ca<masked>cdef",
    "...cdef",
    "…cdef",
    "****cdef",
    "********ef",
    "••••cdef",
    "***cdef",
    "sk-canary-****",
    "sk-canary•••••",
    "3456789abcdef",
]


@pytest.mark.parametrize("shown", MASKED)
def test_a_key_of_which_a_part_is_masked_is_redacted(shown):
    for before, behind in (("", ""), ("Incorrect API key provided: ", " You can find it"), ('"', '"'), ("(", ")")):
        assert redacted(f"{before}{shown}{behind}") == f"{before}[redacted]{behind}"


@pytest.mark.parametrize(
    "words", ["your key ending in cdef", "the key that ends with 'cdef'", "last 4 characters: cdef"]
)
def test_the_end_of_a_key_is_redacted_where_words_name_it(words):
    assert "cdef" not in redacted(words) and words[:8] in redacted(words)


@pytest.mark.parametrize(
    "text",
    [
        "It is **bold** and *plain*, ***both***, and ends ... here... or there.",
        "a ... b, 1..2, xxx, a[...]b, <tag>text</tag>, **if** so ****",
        "Keys begin with sk- and have 20 characters; sk-... is one.",
        "task-...x and abcdef and cdef and 0123456789",
        "...cdefg and ****efx",
        "What? Really?? Yes!",
        "[1] see cdef [2]",
        "",
    ],
)
def test_ordinary_text_is_not_redacted(text):
    assert redacted(text) == text


def test_masks_without_end_take_no_time():
    text = "...cde" * 200_000 + "*" * 200_000 + "[" * 200_000
    half = CANARY[:13] * 200_000
    began = time.process_time()
    assert redacted(text) == text and "canary" not in redacted(half)
    assert time.process_time() - began < 20


@pytest.mark.parametrize("wire", KEYS)
def test_a_masked_key_in_a_reply_is_on_no_record(wire):
    shown = "Incorrect API key provided: sk-canar*********cdef (it ends in cdef)."
    bodies = {"openai": openai_error(shown), "anthropic": anthropic_error(shown), "google": google_error(400, shown)}
    for status in (400, 401, 500):
        came, *_ = ask(wire, (status, bodies[wire]))
        said = str(came) if isinstance(came, Exception) else came.error.message
        assert "sk-canar" not in said and "cdef" not in said and "Incorrect API key provided: [redacted]" in said
