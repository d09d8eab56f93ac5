"""What is let in from a connection: bounded replies, through each SDK."""

import asyncio
import gzip
import json
import re
import zlib

import pytest

from mossbench.models import faults, load_model, wire
from mossbench.models.model import Prompt
from servers.asking import ROOTS, ask, outcome_word
from servers.loopback import send, serve
from servers.wire import completion, generated, message

FINE = {"openai": completion("Fine."), "anthropic": message("Fine."), "google": generated("Fine.")}
WIRES = pytest.mark.parametrize("kind", FINE)


def encoded(data, encoding, status=200):
    return lambda handler: send(handler, status, data, {"Content-Encoding": encoding})


@pytest.mark.slow
@WIRES
def test_compressed_replies_are_read(kind):
    body = json.dumps(FINE[kind]).encode()
    for data, encoding in ((gzip.compress(body), "gzip"), (zlib.compress(body), "deflate")):
        came, requests, _ = ask(kind, lambda *_, data=data, encoding=encoding: encoded(data, encoding))
        assert came.text == "Fine."
        assert requests[0][1]["Accept-Encoding"] == "gzip, deflate"


@pytest.mark.slow
@WIRES
@pytest.mark.parametrize("status", [200, 400, 500])
def test_a_reply_that_does_not_end_is_not_read_to_its_end(kind, status, monkeypatch):
    monkeypatch.setattr(wire, "MAX_REPLY_BYTES", 100_000)
    bomb = gzip.compress(b"[" + b" " * 30_000_000)
    for said in (encoded(bomb, "gzip", status), (status, b"[" + b" " * 200_000)):
        came, requests, _ = ask(kind, lambda *_, said=said: said)
        assert outcome_word(came) == ("later: server_error" if status == 500 else "failed") and len(requests) == 1
        message = came.message if status == 500 else came.error.message
        assert "the reply has more than 100,000 bytes" in message and len(message) < 1200


@pytest.mark.slow
@WIRES
def test_a_reply_that_cannot_be_decoded_fails_its_row(kind):
    came, _, _ = ask(kind, lambda *_: encoded(b"no gzip at all", "gzip"))
    assert outcome_word(came) == "failed" and "cannot be decoded" in came.error.message
    came, _, _ = ask(kind, lambda *_: encoded(b"\x1b\x00", "br"))
    assert outcome_word(came) == "failed" and "encoded as 'br'" in came.error.message


def raw_deflate(data):
    compressor = zlib.compressobj(wbits=-15)
    return compressor.compress(data) + compressor.flush()


BODY = b'{"text": "' + bytes(range(97, 123)) * 50 + b'"}'
COMPRESSED = {
    "gzip": gzip.compress(BODY),
    "zlib": zlib.compress(BODY),
    "raw": raw_deflate(BODY),
    "raw, stored": b"\x01" + len(BODY).to_bytes(2, "little") + (65535 - len(BODY)).to_bytes(2, "little") + BODY,
    "two members": gzip.compress(BODY[:9]) + gzip.compress(BODY[9:]),
    "an empty member between": gzip.compress(BODY[:9]) + gzip.compress(b"") + gzip.compress(BODY[9:]),
    "padding between": gzip.compress(BODY[:9]) + bytes(5) + gzip.compress(BODY[9:]) + bytes(3),
    "junk behind": gzip.compress(BODY) + b"junk",
}


@pytest.mark.parametrize("form", COMPRESSED)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 10_000])
def test_compressed_data_are_decoded_in_chunks_of_any_size(form, size):
    data = COMPRESSED[form]
    decompressor = wire._Decompressor()
    chunks = [data[start : start + size] for start in range(0, len(data), size)]
    assert b"".join(decompressor.decode(chunk, 100_000) for chunk in chunks) == BODY


@pytest.mark.parametrize("data", [gzip.compress(b" " * 9_000) * 100, raw_deflate(b" " * 900_000)])
def test_no_more_is_decoded_than_is_asked_for(data):
    assert len(wire._Decompressor().decode(data, 10_000)) == 10_000


def test_members_without_end_are_not_decoded_without_end(monkeypatch):
    monkeypatch.setattr(wire, "_MOST_MEMBERS", 100)
    with pytest.raises(wire.UnreadableReply, match="more than 100 parts"):
        wire._Decompressor().decode(gzip.compress(b"") * 101, 10)


@pytest.mark.slow
def test_only_the_beginning_of_an_error_page_is_searched(monkeypatch):
    seen = []
    monkeypatch.setattr(
        faults.re, "sub", lambda *args, sub=re.sub, **more: seen.append(len(args[2])) or sub(*args, **more)
    )
    for page in ("<html>" + "<" * 150_000, "<html>" + "<script>" * 20_000, "<html>" + "x " * 500_000):
        assert len(faults.fault_of(page, type="x", status=502).message) < 1100
    assert max(seen) <= 20_000


@WIRES
def test_a_second_reply_to_one_request_is_not_taken_for_the_next(kind):
    prompts = [Prompt(f"What is number {i}?") for i in range(4)]
    seen = []

    def whole_reply(text):
        data = json.dumps(FINE[kind]).replace("Fine.", text).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        return head.encode() + data

    def reply(body, headers):
        number = re.search(r"number (\d)", json.dumps(body))[1]

        def twice(handler):
            seen.append(handler.client_address)
            texts = [f"Number {number}.", "Invented."] if number == "1" else [f"Number {number}."]
            # In one write: what comes later, the library notices itself, unless it comes just when it looks.
            handler.wfile.write(b"".join(map(whole_reply, texts)))

        return twice

    async def work(url):
        model = load_model(f"{kind}/m", base_url=url)
        try:
            return [(await model.answer(prompt)).text for prompt in prompts]
        finally:
            await model.close()

    with serve(reply, ROOTS[kind]) as (url, _):
        assert asyncio.run(work(url)) == [f"Number {i}." for i in range(4)]
    assert seen[0] == seen[1] != seen[2] == seen[3], "a connection is kept, unless it says too much"
