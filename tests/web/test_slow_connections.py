"""Who connects and then takes their time does not hold the server's connections for ever."""

import socket
import threading
from contextlib import closing, contextmanager, suppress

import pytest

from mossbench.web import Settings, serving
from waiting import LONG, until

FORM = b"POST /annotate/join HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: http://127.0.0.1\r\ncontent-length: 50\r\n"
UNFINISHED = {
    "nothing": b"",
    "half a line": b"GET /ru",
    "half the headers": b"GET /runs HTTP/1.1\r\nhost: 127.0.0.1\r\n",
    "half a form": FORM + b"content-type: application/x-www-form-urlencoded\r\n\r\nname=I",
    "half an upload": FORM.replace(b"annotate/join", b"leaderboard/submit")
    + b"content-type: multipart/form-data; boundary=x\r\n\r\n--x\r\n",
}


@contextmanager
def serving_at(folder):
    listening = serving.listen("127.0.0.1", 0)
    server = serving.make_server(Settings(folder))
    thread = threading.Thread(target=lambda: serving.asyncio.run(server.serve(sockets=[listening])))
    thread.start()
    until(lambda: server.started)
    try:
        yield listening.getsockname()
    finally:
        server.should_exit = True
        thread.join()


def closed(connection):
    """Waits until the server has closed it."""
    with suppress(ConnectionError):
        while connection.recv(100_000):
            pass
    connection.close()


@pytest.mark.slow
def test_a_request_that_never_ends_is_closed_and_one_that_is_whole_is_answered(tmp_path, monkeypatch, caplog):
    with serving_at(tmp_path) as place:
        used = socket.create_connection(place, timeout=LONG)
        used.sendall(b"GET /assets/ui.js HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        assert used.recv(15) == b"HTTP/1.1 200 OK"
        monkeypatch.setattr(serving, "LONGEST", 0.5)
        used.sendall(b"GET /runs HTTP/1.1\r\n")
        waiting = [used]
        for sent in UNFINISHED.values():
            waiting.append(socket.create_connection(place, timeout=LONG))
            with suppress(ConnectionError):  # closed already
                waiting[-1].sendall(sent)
        for connection in waiting:
            closed(connection)
    assert caplog.records == []  # nobody is told of it in the terminal


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux ends connections that do not read")
def test_an_answer_that_nobody_reads_is_given_up(tmp_path):
    with closing(serving.listen("127.0.0.1", 0)) as listening:
        with closing(socket.create_connection(listening.getsockname())), closing(listening.accept()[0]) as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 60_000
