"""The main figures in two minutes, as ratios to a peer in the same run: `make bench-quick`, or `python bench/quick.py`.

    python bench/quick.py --write docs/performance.md     puts the table there, with the machine and the day

Hosted samples: processor time of each through the openai SDK against a server on this machine, beside Inspect's loop,
where it is installed, and beside the SDK in a plain loop. Large runs: processor time and most memory of each command on
text-only rows, beside a bare loop that parses the lines of the run's files. Ratios of one run can be compared between
machines and days; seconds cannot.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import multiprocessing
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import harness
import scale

N_SAMPLES = 600
N_OF_INSPECT = 150
CONNECTIONS = 32
LATENCY = 0.2
N_ROWS = 20_000
BEGIN, END = "<!-- bench-quick -->\n", "<!-- end of bench-quick -->\n"
"""Around the table in a document."""


@contextmanager
def loopback_server() -> Iterator[str]:
    """The address of a server on this machine that answers after `LATENCY` seconds."""
    command = [sys.executable, str(Path(__file__).with_name("server.py")), str(LATENCY)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        finally:
            server.terminate()


def milliseconds(n: int, work: Callable[..., int], *args: Any) -> float:
    """Processor time of a sample, start-up included, in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        _, cpu, n_answers, _ = pool.apply(harness._measured, (work, *args))
    assert n_answers == n, f"{work.__name__}: {n_answers} of {n} answers"
    return 1000 * cpu / n


def hosted() -> dict[str, float]:
    """Milliseconds of processor time a sample, by way of asking."""
    with loopback_server() as url, tempfile.TemporaryDirectory() as folder:
        data = harness.make_data(Path(folder) / "data", N_SAMPLES)
        how = {"connections": CONNECTIONS, "start": CONNECTIONS}
        times = {
            "the SDK in a plain loop": milliseconds(N_SAMPLES, harness.sdk_loop, url, data, CONNECTIONS),
            "`mossbench.run`, no judge": milliseconds(N_SAMPLES, harness.harness, url, data, {**how, "judge": None}),
            "`mossbench.run`, judge `reader`": milliseconds(
                N_SAMPLES, harness.harness, url, data, {**how, "judge": "reader"}
            ),
        }
        if importlib.util.find_spec("inspect_ai"):
            times["Inspect's loop"] = milliseconds(N_OF_INSPECT, harness.inspect_loop, url, data, how, N_OF_INSPECT)
    return times


def bare_parse(run: Path) -> float:
    """Processor seconds of a bare loop that parses all lines of a run."""
    start = time.process_time()
    for path in run.glob("*.jsonl"):
        with path.open("rb") as file:
            for line in file:
                json.loads(line)
    return time.process_time() - start


def large() -> tuple[dict[str, scale.Cost], float]:
    """What each command takes on a large run, and the bare loop."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        costs = scale.measured(N_ROWS, root, N_ROWS, False, text=True)
        return costs, bare_parse(root / "runs" / "one")


def table() -> str:
    times = hosted()
    peer = "Inspect's loop" if "Inspect's loop" in times else "the SDK in a plain loop"
    lines = [
        f"Made by `make bench-quick` on {date.today():%d %B %Y}: {cpu_name()}, {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f}, Python {platform.python_version()}.",
        "",
        f"| a hosted sample, of {N_SAMPLES} | CPU, ms | {peer} takes |",
        "|---|--:|--:|",
        *(f"| {way} | {time:.1f} | {times[peer] / time:.2f} × |" for way, time in times.items()),
    ]
    costs, bare = large()
    lines += [
        "",
        f"| {N_ROWS:,} rows, text only, judge `{scale.JUDGE}` | CPU, s | of a bare loop that parses a run | peak, MB |",
        "|---|--:|--:|--:|",
        f"| the bare loop | {bare:.2f} | 1.0 × | |",
        *(f"| {step} | {cpu:.2f} | {cpu / bare:.1f} × | {megabytes:.0f} |" for step, (cpu, megabytes) in costs.items()),
    ]
    return "\n".join(lines) + "\n"


def cpu_name() -> str:
    found = None
    if Path("/proc/cpuinfo").exists():
        found = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
    return found[1].strip() if found else platform.processor() or platform.machine()


def write(document: Path, content: str) -> None:
    """Replaces what stands between the marks."""
    text = document.read_text("utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{document} has no {BEGIN.strip()} with {END.strip()} after it")
    document.write_text(f"{before}{BEGIN}{content}{END}{after}", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, help="a document with the marks around the table")
    args = parser.parse_args()
    content = table()
    print(content, end="")
    if args.write:
        write(args.write, content)


if __name__ == "__main__":
    main()
