"""What it takes to begin: processor seconds and memory of commands that do little, each in a process of its own.

    python bench/startup.py            `--runs 5` takes each so often and shows the least

Processor time is shown, because wall time says how busy the machine was; on an idle one they are about the same. Python
alone and the imports stand beside ours. Linux and macOS only.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

COMMANDS = {
    "python alone": ["-c", "pass"],
    "import pydantic, numpy": ["-c", "import pydantic, numpy"],
    "import mossbench": ["-c", "import mossbench"],
    "mossbench --help": ["-m", "mossbench", "--help"],
    "mossbench models": ["-m", "mossbench", "models"],
    "mossbench data describe": ["-m", "mossbench", "data", "describe", "sketches"],
    "the web app, imported": ["-c", "import mossbench.web.app"],
    "run of 4 rows, no report": "-m mossbench run --model control/candid --limit 2 --no-report --out OUT".split(),
    "make run, images composed": ["-m", "mossbench", "run", "--out", "OUT"],
}


def taken(command: list[str], home: str) -> tuple[float, float]:
    """Processor seconds of the process and all that it started, and megabytes of the largest of them."""
    with tempfile.TemporaryDirectory() as folder:
        filled = [str(Path(folder) / "run") if word == "OUT" else word for word in command]
        environment = {**os.environ, "HOME": home, "XDG_CACHE_HOME": f"{home}/cache"}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen([sys.executable, *filled], env=environment, cwd=folder, **quiet)
        _, status, used = os.wait4(process.pid, 0)
    assert status == 0, command
    return used.ru_utime + used.ru_stime, used.ru_maxrss / (1024 if sys.platform == "linux" else 1024**2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    print(f"{'least of ' + str(args.runs):28} {'first':>8} {'CPU s':>8} {'MB':>6}")
    with tempfile.TemporaryDirectory() as home:
        for name, command in COMMANDS.items():
            first = taken(command, home)
            costs = [first, *(taken(command, home) for _ in range(args.runs - 1))]
            cpu = min(seconds for seconds, _ in costs)
            memory = max(megabytes for _, megabytes in costs)
            print(f"{name:28} {first[0]:8.2f} {cpu:8.2f} {memory:6.0f}", flush=True)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
