"""The three batch APIs on loopback, for the real SDKs: what they keep, what they charge for, and faults on request.

A row's request ends in its number ("… number 17?"), and a right answer names it, as in `fates`. A batch is answered,
and charged for, when it is created; its results come in the reverse order.
"""

import json
import re
import threading
from collections import Counter, deque
from contextlib import contextmanager
from datetime import UTC, datetime
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from servers.asking import ROOTS
from servers.fates import answer, right_text
from servers.loopback import send

VERDICT = '{"reason": "It helps.", "evidence": [], "kind": "answered", "confidence": 0.9}'
STATES = {  # ours -> what OpenAI, Anthropic and Google call it
    "going": {"openai": "in_progress", "anthropic": "in_progress", "google": "BATCH_STATE_RUNNING"},
    "done": {"openai": "completed", "anthropic": "ended", "google": "BATCH_STATE_SUCCEEDED"},
    "expired": {"openai": "expired", "anthropic": "ended", "google": "BATCH_STATE_EXPIRED"},
    "cancelled": {"openai": "cancelled", "anthropic": "ended", "google": "BATCH_STATE_CANCELLED"},
    "failed": {"openai": "failed", "anthropic": "ended", "google": "BATCH_STATE_FAILED"},
}


class BatchServer:
    """What one provider has, and how it misbehaves next."""

    def __init__(self, wire):
        self.wire, self.lock = wire, threading.Lock()
        self.files, self.batches = {}, {}
        self.ran, self.live = Counter(), 0
        """How often each row was answered in a batch, by its number; how many requests came outside of batches."""
        self.polls = 0
        """How often a batch is said to be going on before it is over."""
        self.fate = lambda number, before: "fine"
        """What becomes of an item, by its number and how often it was asked before."""
        self.whole = deque()
        """What becomes of the next batches as a whole."""
        self.why = "token_limit_exceeded"
        """The code of OpenAI's for a batch that failed."""
        self.cuts = 0
        """How many downloads of results end in the middle of a line."""
        self.late = 0
        """How often a batch that has ended names no file of its results."""
        self.counts = lambda answered, failed: (answered, failed)
        """What is said to be the number of results, by what it is; None: nothing is said."""
        self.edit = lambda lines: lines
        """What becomes of the lines of a result file, as bytes."""
        self.lag = 0
        """How often the list is shown without a new batch."""
        self.list_order = lambda ids: ids[::-1]
        steps = ("upload", "create", "created", "poll", "results", "list")
        self.faults = {step: deque() for step in steps}
        """What the next requests of a step are told instead; `created`: after the batch was made."""
        self.held = {step: threading.Event() for step in self.faults}
        self.hold = None
        """The step at which the server falls silent, and sets its event in `held`."""
        self.others = []
        """Sizes of batches of somebody else's, which are listed too."""
        self.asked = Counter()

    @property
    def paid(self):
        """How many requests were handed over in batches, whatever came of them."""
        return sum(self.sizes)

    @property
    def sizes(self):
        return [len(batch["items"]) for batch in self.batches.values() if not batch.get("other")]

    def make(self, items, name, other=False):
        with self.lock:
            id = {"openai": "batch_{}", "anthropic": "msgbatch_{}", "google": "batches/{}"}[self.wire].format(
                len(self.batches) + 1
            )
            state = self.whole.popleft() if self.whole and not other else "done"
            lines = [] if other else [line for one in items for line in self.lines(one, state)]
            self.batches[id] = {
                "items": items,
                "name": name,
                "state": state,
                "lines": lines[::-1],
                "polls": self.polls,
                "late": self.late,
                "lag": 0 if other else self.lag,
                "made": datetime.now(UTC),
                "other": other,
            }
            return id

    def lines(self, item, state):
        """The result lines of an item."""
        id = item.get("custom_id") or item["key"]
        request = item.get("body") or item.get("params") or item["request"]
        found = re.search(r"number (\d+)\?", json.dumps(request))
        number = int(found[1]) if found else -1
        fate = {"done": self.fate(number, self.asked[number])}.get(state, state)
        self.asked[number] += 1
        if fate == "unsupported":
            sent = {**request, **request.get("generation_config", {})}
            fate = "unsupported" if "temperature" in sent else "fine"
        if fate in ("fine", "twice", "missing"):
            self.ran[number] += 1
        text = VERDICT if request.get("model") == "j" else right_text(number)
        right = self.line(id, answer(self.wire, text))
        if fate == "twice":
            return [self.line(id, answer(self.wire, "Invented: this is the second line.")), right]
        if fate == "missing" or (state == "failed" and self.wire != "anthropic"):
            return []
        return [right if fate == "fine" else self.line(id, None, fate)]

    def line(self, id, body, fate=None):
        status = {"errored": 400, "overloaded": 500, "unsupported": 400}.get(fate)
        message = "temperature is not supported with this model" if fate == "unsupported" else f"it was {fate}"
        if self.wire == "anthropic":
            kind = "errored" if status or fate == "failed" else {"cancelled": "canceled"}.get(fate, fate)
            type = {400: "invalid_request_error"}.get(status, "api_error")
            error = {"type": "error", "error": {"type": type, "message": message}, "request_id": "q"}
            result = {"type": "succeeded", "message": body} if body else {"type": kind}
            return {"custom_id": id, "result": {**result, **({"error": error} if kind == "errored" else {})}}
        if self.wire == "google":
            code = status or {"expired": 4, "cancelled": 14}.get(fate, 13)
            return {"key": id, **({"response": body} if body else {"error": {"code": code, "message": message}})}
        if body or status:
            said = body or {"error": {"message": message, "type": "invalid_request_error" if status == 400 else "x"}}
            return {"id": "r", "custom_id": id, "error": None, "response": {"status_code": status or 200, "body": said}}
        return {"id": "r", "custom_id": id, "response": None, "error": {"code": f"batch_{fate}", "message": message}}

    def content(self, batch):
        lines = [json.dumps(line).encode() for line in batch["lines"]]
        data = b"".join(line + b"\n" for line in self.edit(lines))
        if self.cuts > 0:
            self.cuts -= 1
            data = data[: len(data) - len(data) // (2 * max(1, len(batch["lines"])))]
        return data

    def counted(self, batch):
        """How many answers and how many errors a batch is said to have."""
        good = {
            "openai": lambda line: (line["response"] or {}).get("status_code") == 200,
            "anthropic": lambda line: line["result"]["type"] == "succeeded",
            "google": lambda line: "response" in line,
        }[self.wire]
        ids = {}
        for line in batch["lines"]:
            id = line.get("custom_id") or line["key"]
            ids[id] = ids.get(id, False) or good(line)
        n_answered = sum(ids.values())
        return self.counts(n_answered, len(ids) - n_answered)

    def told(self, id, url):
        """A batch as its provider tells it."""
        batch = self.batches[id]
        going = batch["polls"] > 0
        named = not going and batch["late"] <= 0
        counts = self.counted(batch)
        state = STATES["going" if going else batch["state"]][self.wire]
        if self.wire == "openai":
            has = lambda ok: bool([1 for line in batch["lines"] if bool(line["response"]) is ok])  # noqa: E731
            said = {"total": len(batch["items"]), "completed": 0, "failed": 0}
            if counts and not going:
                said |= {"completed": counts[0], "failed": counts[1]}
            errors = {"object": "list", "data": [{"code": self.why, "message": f"it was {self.why}"}]}
            return {
                "id": id,
                "object": "batch",
                "endpoint": "/v1/chat/completions",
                "input_file_id": "f",
                "completion_window": "24h",
                "status": state,
                "created_at": int(batch["made"].timestamp()),
                "metadata": {"mossbench": batch["name"]} if batch["name"] else None,
                "request_counts": said if counts else None,
                "output_file_id": f"{id}-output" if named and has(True) else None,
                "error_file_id": f"{id}-error" if named and has(False) else None,
                "errors": errors if not going and batch["state"] == "failed" else None,
            }
        made = batch["made"].isoformat()
        if self.wire == "anthropic":
            said = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
            if going or batch["other"]:
                said["processing"] = len(batch["items"])
            elif counts:
                said |= {"succeeded": counts[0], "errored": counts[1]}
            return {
                "id": id,
                "type": "message_batch",
                "processing_status": state,
                "request_counts": said if counts else None,
                "created_at": made,
                "expires_at": made,
                "results_url": f"{url}/v1/messages/batches/{id}/results" if named else None,
            }
        about = {"@type": "x", "model": "models/x", "displayName": batch["name"], "state": state, "createTime": made}
        if counts and not going:
            about["batchStats"] = {"successfulRequestCount": str(counts[0]), "failedRequestCount": str(counts[1])}
        if named and batch["lines"]:
            about["output"] = {"responsesFile": f"files/{id.partition('/')[2]}"}
        return {"name": id, "metadata": about, "done": not going}


@contextmanager
def batch_server(wire):
    """Serves while the block runs and yields (base_url, BatchServer)."""
    there = BatchServer(wire)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        @property
        def url(self):
            return f"http://127.0.0.1:{self.server.server_address[1]}"

        def meets(self, step):
            """Whether the request was told something else than it asked for."""
            if there.hold == step:
                there.held[step].set()
                there.held["silence"].wait()
                self.close_connection = True
                return True
            if not there.faults[step]:
                return False
            said = there.faults[step].popleft()
            said(self) if callable(said) else send(self, *said)
            return True

        def do_POST(self):
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path = urlsplit(self.path).path
            if path == "/v1/files":
                if self.meets("upload"):
                    return
                whole = b"Content-Type: " + self.headers["Content-Type"].encode() + b"\r\n\r\n" + data
                parts = BytesParser().parsebytes(whole).get_payload()
                content = next(one for one in parts if "filename=" in one["Content-Disposition"])
                there.files[f"file-{len(there.files)}"] = content.get_payload(decode=True)
                about = {"object": "file", "bytes": 1, "created_at": 1, "filename": "f", "purpose": "batch"}
                send(self, 200, {"id": f"file-{len(there.files) - 1}", "status": "processed", **about})
            elif path.startswith("/upload/"):
                if not self.meets("upload"):
                    send(self, 200, {}, {"X-Goog-Upload-URL": f"{self.url}/put/{len(there.files)}"})
            elif path.startswith("/put/"):
                name = f"files/f{path.rpartition('/')[2]}"
                there.files[name] = data
                send(self, 200, {"file": {"name": name}}, {"X-Goog-Upload-Status": "final"})
            elif path in ("/v1/batches", "/v1/messages/batches") or path.endswith(":batchGenerateContent"):
                self.create(json.loads(data))
            else:
                with there.lock:
                    there.live += 1
                request = json.loads(data)
                found = re.search(r"number (\d+)\?", json.dumps(request))
                judge = request.get("model") == "j"
                send(self, 200, answer(wire, VERDICT if judge else right_text(int(found[1]) if found else -1)))

        def create(self, body):
            if self.meets("create"):
                return
            if wire == "anthropic":
                items, name = body["requests"], ""
            elif wire == "openai":
                items, name = there.files[body["input_file_id"]], (body.get("metadata") or {}).get("mossbench", "")
            else:
                batch = body["batch"]
                items, name = there.files[batch["inputConfig"]["fileName"]], batch["displayName"]
            items = items if isinstance(items, list) else [json.loads(line) for line in items.splitlines()]
            id = there.make(items, name)
            if not self.meets("created"):
                send(self, 200, there.told(id, self.url))

        def do_GET(self):
            parts = urlsplit(self.path)
            path, query = parts.path, parse_qs(parts.query)
            if path.endswith("/batches"):
                self.list(query)
            elif path.endswith(("/content", "/results", ":download")):
                if self.meets("results"):
                    return
                id = re.search(r"(batch_\d+|msgbatch_\d+|(?<=files/)\d+)", path)[1]
                batch = there.batches[f"batches/{id}" if wire == "google" else id]
                lines = batch["lines"]
                if wire == "openai":
                    good = "-output" in path
                    lines = [line for line in lines if bool(line["response"]) is good]
                send(self, 200, there.content({**batch, "lines": lines}))
            else:
                if self.meets("poll"):
                    return
                id = path.rpartition("/")[2]
                id = f"batches/{id}" if wire == "google" else id
                told = there.told(id, self.url)
                if there.batches[id]["polls"] <= 0:
                    there.batches[id]["late"] -= 1
                there.batches[id]["polls"] -= 1
                send(self, 200, told)

        def list(self, query):
            """Two to a page, the newest first."""
            if self.meets("list"):
                return None
            ids = there.list_order([id for id, batch in there.batches.items() if batch["lag"] <= 0])
            after = next(iter(query.get("after") or query.get("after_id") or query.get("pageToken") or []), None)
            ids = ids[ids.index(after) + 1 :] if after else ids
            page, more = ids[:2], len(ids) > 2
            if not more:
                for batch in there.batches.values():
                    batch["lag"] -= 1
            told = [there.told(id, self.url) for id in page]
            ends = {"first_id": page[0], "last_id": page[-1]} if page else {"first_id": None, "last_id": None}
            if wire == "google":
                return send(self, 200, {"operations": told, **({"nextPageToken": page[-1]} if more else {})})
            return send(self, 200, {"object": "list", "data": told, "has_more": more, **ends})

        def log_message(self, *args):
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request, client_address):
            pass  # the client hung up, as it may

    there.held["silence"] = threading.Event()
    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}{ROOTS[wire]}", there
    finally:
        there.held["silence"].set()
        server.shutdown()
        server.server_close()
        thread.join()
