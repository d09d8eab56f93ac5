"""As much of GitHub on loopback as fetching asks of it: the list of a commit's files, and the files."""

from __future__ import annotations

import hashlib
import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit


@dataclass
class GitHub:
    repository: str
    commit: str
    files: dict[str, bytes]
    requests: list[str] = field(default_factory=list)
    cut: set[str] = field(default_factory=set)
    """Files whose connection breaks in the middle."""
    changed: dict[str, bytes] = field(default_factory=dict)
    """Files that come with other bytes than listed."""
    status: int | None = None
    truncated: bool = False
    listing: bytes | None = None
    """What is said in place of the list."""
    url: str = ""

    def fetched(self) -> list[str]:
        start = f"/{self.repository}/{self.commit}/"
        return [path.removeprefix(start) for path in self.requests if path.startswith(start)]

    def reply(self, path: str) -> tuple[int, bytes]:
        api = f"/repos/{self.repository}"
        if self.status is not None:
            return self.status, b"{}"
        if path == f"{api}/commits/HEAD" or path == f"{api}/commits/v2":
            return 200, json.dumps({"sha": self.commit}).encode()
        if path == f"{api}/git/trees/{self.commit}":
            return 200, self.listing if self.listing is not None else self.tree()
        name = path.removeprefix(f"/{self.repository}/{self.commit}/")
        return (200, self.changed.get(name, self.files[name])) if name in self.files else (404, b"")

    def tree(self) -> bytes:
        def blob(name: str, data: bytes) -> dict[str, str]:
            return {"path": name, "type": "blob", "sha": hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()}

        entries = [{"path": "data", "type": "tree", "sha": "0"}, *(blob(*one) for one in self.files.items())]
        return json.dumps({"sha": "t", "tree": entries, "truncated": self.truncated}).encode()


@contextmanager
def serve_github(github: GitHub):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, *args):
            pass

        def do_GET(self):
            path = unquote(urlsplit(self.path).path)
            github.requests.append(path)
            status, body = github.reply(path)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Connection", "close")
            self.end_headers()
            cut = any(path.endswith(f"/{name}") for name in github.cut)
            self.wfile.write(body[: len(body) // 2] if cut else body)
            self.close_connection = True

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    github.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield github
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
