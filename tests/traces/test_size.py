"""An import of many lines takes the memory of one of few."""

import json
import subprocess
import sys

import pytest

SCRIPT = """
import resource, sys
import mossbench as mb
imported = mb.import_traces(sys.argv[1], sys.argv[2])
print(imported.n_traces, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak_memory(n, path):
    """Kilobytes that an import of `n` lines takes at most, in a process of its own."""
    with open(path, "w") as file:
        for i in range(n):
            messages = [
                {"role": "user", "content": f"How do I do thing {i}? Mail user{i}@example.org."},
                {"role": "assistant", "content": f"First clean it, then dry it for {i} minutes. " * 10},
            ]
            file.write(json.dumps({"id": f"call-{i}", "user": f"u{i % 900}", "messages": messages}) + "\n")
    command = [sys.executable, "-c", SCRIPT, str(path), str(path.with_suffix(""))]
    n_traces, memory = map(int, subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    assert n_traces == n
    return memory


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="it has no resource module")
def test_ten_times_as_many_lines_take_no_tenth_more_memory(tmp_path):
    assert peak_memory(60_000, tmp_path / "large.jsonl") < 1.1 * peak_memory(6_000, tmp_path / "small.jsonl")
