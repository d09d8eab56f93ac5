"""A hub on loopback: as much of its HTTP interface as the real client calls for a dataset snapshot."""

from __future__ import annotations

import hashlib
import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

REPOSITORY = "AIcell/MOSSBench"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@dataclass
class Hub:
    """What the server serves, what it was asked, and how it misbehaves."""

    files: dict[str, bytes]
    revisions: tuple[str, ...] = ("main", COMMIT)
    requests: list[str] = field(default_factory=list)
    cut: set[str] = field(default_factory=set)
    """Files whose connection breaks in the middle."""
    gone: set[str] = field(default_factory=set)
    """Files that are listed but not there."""
    private: bool = False
    """Deny that the repository exists."""
    status: int | None = None
    """Answer everything with this status."""
    endpoint: str = ""
    repository: str = REPOSITORY
    commit: str = COMMIT
    gated: bool = False
    """Say which files there are, and give none."""
    older: dict[str, dict[str, bytes]] = field(default_factory=dict)
    """Files of commits that are no longer the newest."""

    def at(self, revision: str) -> tuple[str, dict[str, bytes]]:
        """The commit that a revision is, and its files."""
        if revision in self.older:
            return revision, self.older[revision]
        return self.commit, self.files

    def fetched(self) -> list[str]:
        return [
            request.partition(f"/resolve/{self.commit}/")[2]
            for request in self.requests
            if request.startswith("GET /data")
        ]


def read_files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@contextmanager
def serve(hub: Hub):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args):
            pass

        def do_HEAD(self):
            self.answer()

        def do_GET(self):
            self.answer()

        def answer(self):
            path = unquote(urlsplit(self.path).path)
            hub.requests.append(f"{self.command} {path}")
            api, resolve = f"/api/datasets/{hub.repository}", f"/datasets/{hub.repository}/resolve/"
            if hub.status is not None:
                self.send(b"{}", status=hub.status)
            elif hub.private:
                self.fail("RepoNotFound")
            elif path.startswith(f"{api}/revision/"):
                revision = path.removeprefix(f"{api}/revision/")
                if revision not in hub.revisions:
                    self.fail("RevisionNotFound")
                else:
                    commit, files = hub.at(revision)
                    self.send_json({"id": hub.repository, "sha": commit, "siblings": [{"rfilename": f} for f in files]})
            elif path.startswith(f"{api}/tree/"):
                _, files = hub.at(path.removeprefix(f"{api}/tree/").partition("/")[0])
                self.send_json([self.entry(name, data) for name, data in files.items()])
            elif path.startswith(resolve):
                revision, _, name = path.removeprefix(resolve).partition("/")
                self.send_file(revision, name)
            else:
                self.fail("RepoNotFound")

        def entry(self, name, data):
            return {"type": "file", "path": name, "size": len(data), "oid": hashlib.sha1(data).hexdigest()}

        def send_file(self, revision, name):
            commit, files = hub.at(revision)
            if hub.gated:
                self.send(b"", {"X-Error-Code": "GatedRepo", "X-Error-Message": "gated"}, status=403)
                return
            if name not in files or name in hub.gone:
                self.fail("EntryNotFound")
                return
            data = files[name]
            headers = {"ETag": f'"{hashlib.sha1(data).hexdigest()}"', "X-Repo-Commit": commit}
            if name in hub.cut and self.command == "GET":
                self.send(data[: len(data) // 2], headers | {"Content-Length": str(len(data))})
                self.close_connection = True
            else:
                self.send(data, headers)

        def send_json(self, content):
            self.send(json.dumps(content).encode(), {"Content-Type": "application/json"})

        def fail(self, code):
            self.send(b"", {"X-Error-Code": code, "X-Error-Message": code}, status=404)

        def send(self, body, headers=(), status=200):
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(body))} | dict(headers)).items():
                self.send_header(name, value)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    hub.endpoint = f"http://127.0.0.1:{server.server_port}"
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
