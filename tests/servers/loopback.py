"""Servers on loopback that say what the test says, or misbehave."""

import json
import socket
import struct
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def serve(reply, root="/v1"):
    """Serves while the block runs and yields (base_url, requests).

    `reply(body, headers)` gives (status, content), (status, content, headers), or one of the misbehaviours below.
    """
    requests = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # else every answer comes 40 ms late

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path.endswith("/count_tokens"):  # Inspect has Anthropic count the tokens of thoughts
                return send(self, 200, {"input_tokens": 3})
            requests.append((self.path, self.headers, body))
            said = reply(body, self.headers)
            if callable(said):
                said(self)
            else:
                send(self, *said)

        def log_message(self, *args):
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 512  # the default of 5 resets connections of its own accord

        def handle_error(self, request, client_address):
            pass  # the client hung up, as it may

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}{root}", requests
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def connected():
    """Whether a server of this process has a connection: each has a thread until the client hangs up."""
    return any("process_request_thread" in thread.name for thread in threading.enumerate())


@contextmanager
def serve_lists(lists):
    """Serves (base_url, requests) where `lists` has for each path its content, or what `send` takes."""
    requests = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append((self.path, self.headers))
            said = lists.get(self.path.partition("?")[0], (404, {}))
            send(self, *(said if isinstance(said, tuple) else (200, said)))

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", requests
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def send(handler, status, content, headers=None, cut=0):
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    handler.send_response(status)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(data)))
    for name, value in (headers or {}).items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(data[: len(data) - cut])


def reset(handler):
    """The connection is torn down without a word."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True


def hang(handler):
    """No word, for as long as the client waits for one."""
    handler.connection.recv(1)  # nothing, once it has hung up
    handler.close_connection = True


def truncated(handler):
    """Half a body, and the end."""
    send(handler, 200, b'{"choices": [' + b" " * 200, cut=100)
    handler.close_connection = True


def slow(seconds, *said):
    """A right answer that takes its time."""

    def late(handler):
        time.sleep(seconds)
        send(handler, *said)

    return late
