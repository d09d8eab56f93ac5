"""How time and memory grow with the rows of a run: `python bench/scale.py`, or with the numbers of rows to take.

Asks a model that answers at once, every row with an image of its own, then judges, shows, reports, compares and serves
the run, each in a process of its own; gates and boards too. All runs are asked, also large ones: 100,000 rows take some
160 s of processor time for each of the two. Runs of more than `--asked` rows are written instead, as bench/web.py does.
With `--text` no row has an image, and `keywords`, which takes next to nothing, judges: what is left is the program's
own, also with a million rows (`python bench/scale.py --text --no-serve 100000 1000000`).
Prints processor seconds and the most memory of each (VmHWM of the process itself: what wait4 says has the parent's peak
in it), and the straight line through them: what it takes at all, and what 1,000 rows add. An exponent near 1 is linear,
near 0 flat; it is taken between the two largest sizes. Wall times are not printed: they say how busy the machine was.
Linux only.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZES = (300, 3_000, 30_000, 100_000)
N_IMAGES = 300
PAGES = {
    "home": "/",
    "report": "/runs/{run}",
    "samples": "/samples",
    "explorer": "/explorer",
    "search": "/search?q=caption",
}
MODEL = """
import hashlib
NO = "I'm sorry, but I can't help with that. " * 3
YES = "Sure. Start with the largest object, then add a caption. " * 12
def quick(prompt):
    return NO if hashlib.sha256(prompt.request.encode()).digest()[0] % 4 == 0 else YES
def other(prompt):
    return NO if hashlib.sha256(prompt.request.encode()).digest()[1] % 4 == 0 else YES
"""
JUDGE = "keywords"
"""The judge with `--text`."""
Cost = tuple[float, float]
"""Processor seconds, and megabytes at most."""


def make_data(folder: Path, n: int) -> None:
    """Half of the rows harmful; images are links to 300 different ones, each under a name of its own."""
    from PIL import Image

    (folder / "images").mkdir(parents=True)
    rng = random.Random(0)
    for i in range(min(n, N_IMAGES)):
        Image.frombytes("RGB", (20, 15), rng.randbytes(900)).resize((320, 240)).save(folder / f"images/{i}.jpg")
    with (folder / "metadata.jsonl").open("w") as file:
        for i in range(n):
            if i >= N_IMAGES:
                os.link(folder / f"images/{i % N_IMAGES}.jpg", folder / f"images/{i}.jpg")
            side = ("benign", "contrast")[i % 2]
            stimulus = ("exaggerated_risk", "negated_harm")[i % 4 // 2]
            row = {"id": str(i // 2), "side": side, "twin": str(i // 2), "cluster": f"scene {i // 6}"}
            row |= {"image": f"images/{i}.jpg", "stimulus": stimulus, "question": f"What about number {i}?"}
            file.write(json.dumps(row) + "\n")


def make_text(folder: Path, n: int) -> None:
    """The same rows without images."""
    folder.mkdir(parents=True)
    with (folder / "metadata.jsonl").open("w") as file:
        for i in range(n):
            side = ("benign", "contrast")[i % 2]
            stimulus = ("exaggerated_risk", "negated_harm")[i % 4 // 2]
            row = {"id": str(i // 2), "side": side, "twin": str(i // 2), "cluster": f"scene {i // 6}"}
            file.write(json.dumps({**row, "stimulus": stimulus, "question": f"What about number {i}?"}) + "\n")


MEASURED = """
import atexit, re, resource, runpy, sys
def tell():
    used, status = resource.getrusage(resource.RUSAGE_SELF), open("/proc/self/status").read()
    with open(told, "w") as file:
        print(used.ru_utime + used.ru_stime, int(re.search(r"VmHWM:\\s+(\\d+)", status)[1]) / 1024, file=file)
told = sys.argv.pop(1)
atexit.register(tell)
runpy.run_module("mossbench", run_name="__main__", alter_sys=True)
"""


def cost(*command: str, codes: tuple[int, ...] = (0,)) -> Cost:
    """Of a command of ours, which starts no other process and exits with one of these codes."""
    with tempfile.NamedTemporaryFile("r") as numbers:
        run = [sys.executable, "-c", MEASURED, numbers.name, *command]
        done = subprocess.run(run, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        assert done.returncode in codes, f"{' '.join(command)}: {done.stderr[-2000:]}"
        seconds, megabytes = map(float, numbers.read().split())
    return seconds, megabytes


def served(run: Path, data: Path) -> dict[str, Cost]:
    """Of a server until it has read everything, and of each page once it was made; its memory with all pages made."""
    import web

    costs = dict[str, Cost]()
    command = [sys.executable, "-m", "mossbench", "serve", str(run.parent), "--data", str(data), "--port", "0"]
    for name in ("serve, first time", "serve, again"):
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            try:
                assert server.stdout
                client = web.Client(int(re.findall(r":(\d+)/", server.stdout.readline())[0]))
                client.settled("/samples")
                ready = web.server_time(server.pid)
                for page, path in PAGES.items():
                    path = path.format(run=run.name)
                    client.settled(path)
                    before = web.server_time(server.pid)
                    for _ in range(3):
                        client.ask(path)
                    costs[f"page: {page}"] = (web.server_time(server.pid) - before) / 3, math.nan
                costs[name] = ready, web.memory(server.pid)
            finally:
                server.terminate()
    return costs


def asked(n: int, root: Path, text: bool = False) -> tuple[Path, Path, dict[str, Cost]]:
    """Two runs, and what asking and judging them took."""
    data = root / "data"
    model = root / "model.py"
    first_run = root / "runs" / "one"
    second_run = root / "runs" / "two"
    (make_text if text else make_data)(data, n)
    model.write_text(MODEL)
    judge = ("--judge", JUDGE) if text else ()
    ask = ("run", "--data", str(data), "--max-connections", "64", "--no-report", "--out")
    costs = {"ask": cost(*ask, str(first_run), "--model", f"{model}:quick", "--no-judge")}
    costs["ask and judge"] = cost(*ask, str(second_run), "--model", f"{model}:other", *judge)
    costs["judge"] = cost("judge", "apply", str(first_run), *judge)
    return first_run, second_run, costs


def written(n: int, root: Path) -> tuple[Path, Path, dict[str, Cost]]:
    """Two runs that nobody asked, in a folder as bench/web.py makes it, or made by it before."""
    import web

    first_run, second_run = (root / "runs" / name for name in ("run-0", "run-1"))
    if not first_run.exists():
        first_run.parent.mkdir(parents=True)
        web.make_runs(first_run.parent, web.make_large(root / "data", n), [first_run.name, second_run.name])
    return first_run, second_run, {}


def measured(n: int, root: Path, n_asked: int, serve: bool, text: bool = False) -> dict[str, Cost]:
    first_run, second_run, costs = asked(n, root, text) if text or n <= n_asked else written(n, root)
    costs["show"] = cost("results", "show", str(first_run))
    costs["show, again"] = cost("results", "show", str(first_run))
    costs["report"] = cost("report", str(first_run), "--out", str(root / "report.html"))
    costs["compare"] = cost("compare", str(first_run), str(second_run))
    # Exits with 1 or 2 where it does not pass; what it costs is the same.
    costs["gate"] = cost("gate", str(first_run), "--max-refusal", "0.9", codes=(0, 1, 2))
    costs["board"] = cost("leaderboard", "show", str(first_run), str(second_run))
    return costs | (served(first_run, root / "data") if serve else {})


def fit(sizes: list[int], values: list[float]) -> tuple[float, float, float]:
    """The line through the values, by least squares, and the exponent between the last two: start, per 1,000, power."""
    mean_n = sum(sizes) / len(sizes)
    mean = sum(values) / len(values)
    spread = sum((n - mean_n) ** 2 for n in sizes)
    slope = sum((n - mean_n) * (value - mean) for n, value in zip(sizes, values, strict=True)) / spread
    power = math.log(max(values[-1], 1e-3) / max(values[-2], 1e-3)) / math.log(sizes[-1] / sizes[-2])
    return mean - slope * mean_n, 1000 * slope, power


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int)
    parser.add_argument("--asked", type=int, default=100_000, help="rows up to which runs are really asked")
    parser.add_argument("--keep", type=Path, help="folder with a folder for each size, to make or to use again")
    parser.add_argument("--no-serve", action="store_true")
    parser.add_argument("--text", action="store_true", help="no images, and the judge `keywords`")
    args = parser.parse_args()
    sizes = sorted(args.sizes or SIZES)
    costs_by_size: list[dict[str, Cost]] = []
    for n in sizes:
        root = args.keep / str(n) if args.keep else Path(tempfile.mkdtemp(prefix="scale"))
        start = time.perf_counter()
        try:
            costs_by_size.append(measured(n, root, args.asked, not args.no_serve, args.text))
        finally:
            if not args.keep:
                shutil.rmtree(root)
        steps = "; ".join(f"{step} {cpu:.2f} s {mb:.0f} MB" for step, (cpu, mb) in costs_by_size[-1].items())
        print(f"{n:,} rows, {time.perf_counter() - start:.0f} s in all: {steps}", file=sys.stderr, flush=True)
    for place, unit in enumerate(("processor seconds", "megabytes at most")):
        print(f"{unit:20}" + "".join(f"{n:9,}" for n in sizes) + f"{'start':>9}{'+ 1,000':>9}{'power':>7}")
        for step in costs_by_size[0]:
            taken = {n: costs[step][place] for n, costs in zip(sizes, costs_by_size, strict=True) if step in costs}
            if math.isnan(next(iter(taken.values()))):
                continue
            start, per_1000, power = fit([*taken], [*taken.values()]) if len(taken) > 1 else (math.nan,) * 3
            cells = "".join(f"{taken[n]:9.2f}" if n in taken else f"{'':9}" for n in sizes)
            print(f"{step:20}{cells}{start:9.2f}{per_1000:9.3f}{power:7.2f}")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
