"""A canary key in every variable, errors on every path: the key is nowhere but on the wire."""

import logging
import traceback

import pytest

import mossbench as mb
from mossbench.errors import MossbenchError, UsageError
from mossbench.models import load_model
from mossbench.models.keys import blot, known_secrets, secret
from servers.asking import KEYS, ROOTS, ask, ask_many, name_of
from servers.loopback import reset, serve, truncated
from servers.wire import anthropic_error, completion, generated, google_error, message, openai_error

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
    assert "you sent [key]" in str(caught.value)
    assert CANARY not in shown(caught.value) + str(getattr(caught.value, "__notes__", ""))
    written = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert any(b"you sent [key]" in data for data in written.values())
    assert [path for path, data in written.items() if CANARY.encode() in data] == []


def test_a_key_in_dotenv_is_as_secret(monkeypatch, tmp_path):
    for name in VARIABLES:
        monkeypatch.delenv(name)
    (tmp_path / "work" / ".env").write_text(f"OPENAI_API_KEY={CANARY}\n")
    assert known_secrets() == (CANARY,)
    came, requests, _ = ask("openai", (400, openai_error(ECHO)))
    assert CANARY in str(requests[0][1]) and "you sent [key]" in came.error.message


def test_short_values_do_not_blot_out_words(monkeypatch):
    monkeypatch.setenv("SOME_TOKEN", "a")
    assert blot("a plain message") == "a plain message"


def test_a_model_does_not_show_its_key():
    for wire in KEYS:
        model = load_model(name_of(wire), base_url="http://127.0.0.1:9")
        assert CANARY not in repr(model) + str(vars(model))


@pytest.mark.parametrize("odd", ["two\nlines-of-a-key", "clé-0123456789", "tab\tinside-0123", "“quoted-0123456”"])
@pytest.mark.parametrize("wire", KEYS)
def test_a_key_that_no_request_can_carry_stops_at_once_and_is_not_shown(monkeypatch, wire, odd):
    for name in VARIABLES:
        monkeypatch.setenv(name, odd)
    with pytest.raises(UsageError, match=r"_API_KEY has '.+' at character \d+ of \d+, which no request can carry") as e:
        load_model(f"{wire}/x")
    assert odd not in str(e.value) and odd[:4] not in str(e.value)


def test_a_secret_is_blotted_out_as_libraries_quote_it(monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "line1-0123\nline2/é")
    for form in (
        "line1-0123\nline2/é",
        r"line1-0123\nline2/é",
        r"line1-0123\nline2/\u00e9",
        "line1-0123%0Aline2/%C3%A9",
    ):
        assert blot(f"<{form}>") == "<[key]>"


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


def test_a_dotenv_that_is_not_utf_8_is_one_sentence_and_still_blotted(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("A_KEY=abc\n", encoding="utf-16")
    with pytest.raises(UsageError, match=r"\.env cannot be read .* expected lines NAME=value in UTF-8"):
        secret("A_KEY")
    assert blot("fine") == "fine"
