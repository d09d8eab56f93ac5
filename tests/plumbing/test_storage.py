"""Writing files: whole or not at all, whoever else writes them."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor

from mossbench.plumbing.storage import write_atomically


def test_of_two_threads_that_write_one_file_at_once_neither_fails_and_one_content_holds(tmp_path, monkeypatch):
    both_wrote, replace = threading.Barrier(2), os.replace

    def together(*paths):
        both_wrote.wait()
        replace(*paths)

    monkeypatch.setattr(os, "replace", together)
    contents = ["a" * 1000, "b" * 1000]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda content: write_atomically(tmp_path / "file", content), contents))
    assert [path.name for path in tmp_path.glob("*file*")] == ["file"]
    assert (tmp_path / "file").read_text() in contents
