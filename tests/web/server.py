"""`mossbench serve`, or another command that serves pages, in a process of its own."""

import http.client
import re
import signal
import subprocess
import sys
from contextlib import closing

from waiting import LONG, until


class Server:
    """`mossbench serve` on a free port."""

    command = ("serve",)

    def __init__(self, folder, *options):
        command = [sys.executable, "-m", "mossbench", *self.command, str(folder), "--port", "0", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://[\d.]+:(\d+)/", line)
        if not found:
            self.process.kill()
            raise AssertionError(line + "".join(self.process.communicate()))
        self.line, self.port = line, int(found[1])

    def ready(self, *paths):
        """Its address, once these pages have been read: some take long the first time."""
        for path in paths:
            until(lambda path=path: "refresh" not in self.ask("GET", path)[0].headers, every=0.05)
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method, path, fields=None, cookie=""):
        headers = {"cookie": cookie, "origin": f"http://127.0.0.1:{self.port}"}
        body = None
        if fields is not None:
            body = "&".join(f"{name}={value}" for name, value in fields.items())
            headers["content-type"] = "application/x-www-form-urlencoded"
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)) as connection:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer, answer.read().decode()

    def stop(self, how=signal.SIGTERM):
        """Stops it; what it printed after its first line, and what it noted."""
        self.process.send_signal(how)
        return self.process.communicate(timeout=LONG)


class LabelServer(Server):
    """`mossbench label` on a free port."""

    command = ("label",)


class TracesServer(Server):
    """`mossbench traces serve` on a free port."""

    command = ("traces", "serve")
