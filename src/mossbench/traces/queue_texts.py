"""The texts of requests that people sort: found in the traces, since the queue has only their digests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from threading import Lock

from mossbench.annotation.store import Item, Store
from mossbench.plumbing.untrusted_files import state_of
from mossbench.traces.folder import ANNOTATIONS, TracesFolder
from mossbench.traces.records import Trace

DELETED = "(This request was deleted.)"


class QueueTexts:
    """The requests in the queue of one folder; read again when its traces or its queue change."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._state: tuple[object, ...] = ()
        self._traces: dict[str, Trace] = {}

    def trace(self, item: Item) -> Trace | None:
        """A trace with the request of an item; None where it was deleted."""
        folder = TracesFolder.open(self._path)
        with self._lock:
            if item.body["asked"] not in self._traces or self._state != state_of(folder.traces_path):
                self._read(folder)
            return self._traces.get(item.body["asked"])

    def _read(self, folder: TracesFolder) -> None:
        wanted = {item.body["asked"] for item in Store(folder.path / ANNOTATIONS).items().values()}
        self._state = state_of(folder.traces_path)
        self._traces = {trace.asked: trace for trace in folder.traces() if trace.asked in wanted}

    def of_item(self, item: Item) -> Mapping[str, str]:
        """What people see of a request: its text, without the answer."""
        trace = self.trace(item)
        return {"question": DELETED if trace is None else trace.request, "alt": "The image of the request."}
