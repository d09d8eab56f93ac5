"""One faulty server for all wire formats: fates by name, what becomes of their rows, and seeded mixtures of them.

A row's request ends in its number ("… number 17?"), and a right answer names it, so that an answer on the wrong row is
found. A request without a number is a probe and is answered.
"""

import gzip
import io
import json
import random
import re
import threading
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field

from mossbench.outcomes import Layer
from servers.asking import ROOTS
from servers.loopback import reset, send, serve
from servers.wire import anthropic_error, completion, generated, google_error, message, openai_error, prompt_blocked

JUDGED, FAILED, BLOCKED, EMPTY = Layer.JUDGED, Layer.FAILED, Layer.BLOCKED, Layer.EMPTY
PAGE = b"<html><head><title>403 Forbidden</title></head><body>The request was blocked.</body></html>"


def answer(wire, text):
    return {"openai": completion, "anthropic": message, "google": generated}[wire](text)


def error(wire, status, text):
    if wire == "google":
        return google_error(status, text, "UNKNOWN")
    return openai_error(text) if wire == "openai" else anthropic_error(text, "api_error")


def blocked(wire):
    if wire == "google":
        return prompt_blocked("PROHIBITED_CONTENT")
    refused = {"openai": lambda: completion(None, finish_reason="content_filter")}
    return refused.get(wire, lambda: message(stop_reason="refusal"))()


def torn(handler):
    """Half a body, and the end."""
    send(handler, 200, b'{"choices": [' + b" " * 200, cut=100)
    handler.close_connection = True


def says(status, text, headers=None):
    return lambda wire, right: (status, error(wire, status, text), headers or {})


def page(status):
    return lambda wire, right: (status, PAGE)


def twice(wire, right):
    def say(handler):
        # In one write: bytes that come a moment later may meet the next request, which no client can tell from a reply.
        wire_file, handler.wfile = handler.wfile, io.BytesIO()
        send(handler, *right)
        send(handler, 200, answer(wire, "Invented: this was never asked."))
        wire_file.write(handler.wfile.getvalue())
        handler.wfile = wire_file

    return say


def bomb(wire, right):
    data = gzip.compress(b"[" + b" " * 20_000_000)
    return lambda handler: send(handler, 200, data, {"Content-Encoding": "gzip"})


@dataclass(frozen=True)
class Fate:
    """What a row meets: `say(wire, right)` gives what `serve` takes; `right` is the answer that it would have got."""

    say: object
    layer: Layer
    """Where the row must end."""
    always: bool = False
    """Each time it is asked, or only the first."""


FATES = {
    "fine": Fate(lambda wire, right: right, JUDGED, True),
    "429": Fate(says(429, "slow down"), JUDGED),
    "429 with Retry-After": Fate(says(429, "slow down", {"Retry-After": "0.01"}), JUDGED),
    "429 for an hour": Fate(says(429, "come back later", {"Retry-After": "3600"}), FAILED),
    "500": Fate(says(500, "oops"), JUDGED),
    "502 page": Fate(page(502), JUDGED),
    "503": Fate(says(503, "busy"), JUDGED),
    "529": Fate(says(529, "overloaded"), JUDGED),
    "500 always": Fate(says(500, "oops"), FAILED, True),
    "403 page": Fate(page(403), FAILED, True),
    "403 terms": Fate(says(403, "against our terms of service"), FAILED, True),
    "404 page": Fate(page(404), FAILED, True),
    "400": Fate(says(400, "the image is too large"), FAILED, True),
    "reset": Fate(lambda wire, right: reset, JUDGED),
    "reset always": Fate(lambda wire, right: reset, FAILED, True),
    "torn": Fate(lambda wire, right: torn, JUDGED),
    "not JSON": Fate(lambda wire, right: (200, b"It works!"), JUDGED),
    "not JSON always": Fate(lambda wire, right: (200, b"It works!"), FAILED, True),
    "bomb": Fate(bomb, FAILED, True),
    "twice": Fate(twice, JUDGED, True),
    "blocked": Fate(lambda wire, right: (200, blocked(wire)), BLOCKED, True),
    "empty": Fate(lambda wire, right: (200, answer(wire, "")), EMPTY, True),
}


def mixture(seed, shares):
    """The fate of each row, by its number: so much of each of these names, the rest fine; the same for a seed."""

    def fate(number):
        at = random.Random(f"{seed} {number}").random()
        for name, share in shares.items():
            at -= share
            if at < 0:
                return name
        return "fine"

    return fate


@dataclass
class Account:
    """What the server saw: how often each row was asked, and asked again after its right answer had been given."""

    asked: Counter = field(default_factory=Counter)
    answered: Counter = field(default_factory=Counter)
    probes: int = 0

    @property
    def repeated(self):
        return sum(n - 1 for n in self.answered.values() if n > 1)


def right_text(number):
    return f"Number {number}: fold it into a boat and float it down the stream."


def fate_reply(wire, fate_of, account, latency=0.0):
    """The `reply` of `serve` for these fates."""
    lock = threading.Lock()

    def reply(body, headers):
        found = re.search(r"number (\d+)\?", json.dumps(body))
        if latency:
            time.sleep(latency)
        if found is None:
            account.probes += 1
            return 200, answer(wire, "Four.")
        number = int(found[1])
        fate, right = FATES[fate_of(number)], (200, answer(wire, right_text(number)))
        with lock:
            account.asked[number] += 1
            met = fate.always or account.asked[number] == 1
            if not met or fate.layer is JUDGED and fate.always:
                account.answered[number] += 1
        return fate.say(wire, right) if met else right

    return reply


@contextmanager
def fate_server(wire, fate_of, latency=0.0):
    """Serves while the block runs and yields (base_url, account)."""
    account = Account()
    with serve(fate_reply(wire, fate_of, account, latency), ROOTS[wire]) as (url, _):
        yield url, account


def make_data(folder, n, picture):
    """A folder of `n` samples about one picture."""
    folder.mkdir(parents=True)
    (folder / "a.png").write_bytes(picture)
    rows = [{"id": str(i), "question": f"What could I do with number {i}?", "image": "a.png"} for i in range(n)]
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def faults_of(folder, n, fate_of):
    """What went wrong with a run's rows: lost, doubled, invented, and in another layer than its fate says."""
    from mossbench.outcomes import Exchange, layer_without_verdict

    lines = [Exchange.model_validate_json(line) for line in (folder / "answers.jsonl").read_bytes().splitlines()]
    rows = {int(one.sample): one.answer for one in lines}
    good = Counter(one.sample for one in lines if one.answer.error is None)
    texts = [(number, said.text) for number, said in rows.items() if said.text]
    return {
        "lost": n - len(rows),
        "doubled": sum(count > 1 for count in good.values()),
        "invented": sum(text != right_text(number) for number, text in texts),
        "misplaced": sum(
            (layer_without_verdict(said) or JUDGED) is not FATES[fate_of(number)].layer for number, said in rows.items()
        ),
    }
