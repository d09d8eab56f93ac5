"""Runs under faults: wall time against a clean run of the same size, and rows lost, doubled, invented or asked in vain.

    python bench/faults.py                                  500, 503, 429, reset, torn, 403 page at 1 % and 3 %
    python bench/faults.py --rows 400 --kinds 500 --rates 0.01 0.03 0.1 --connections 16 64
    python bench/faults.py --curves                         how the number of connections moves, simulated

A faulty server (tests/servers/fates.py) runs in a process of its own. Clean and faulty runs take turns on the same
machine, so that their ratio says something where other work slows both down. Exits 1 when a row is lost, doubled,
invented, in the wrong layer or asked again in vain, when a run does not end, or when sporadic 500s cost more than the
bars.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

BARS = {0.01: 1.3, 0.03: 1.6}
"""Wall over clean that sporadic 500s may cost, by their share."""
KINDS = ("500", "503", "429", "reset", "torn", "403 page")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--rows", type=int, default=1500)
    options.add_argument("--latency", type=float, default=0.6)
    options.add_argument("--connections", type=int, nargs="+", default=[64])
    options.add_argument("--rates", type=float, nargs="+", default=[0.01, 0.03])
    options.add_argument("--kinds", nargs="+", default=KINDS)
    options.add_argument("--wire", default="openai", choices=("openai", "anthropic", "google"))
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--curves", action="store_true", help="only simulate how the number of connections moves")
    args = options.parse_args()
    if args.curves:
        return curves()
    print(f"{args.rows} rows, {args.latency:g} s an answer, {args.wire}; wall in seconds")
    heads = f"{'kind':22} {'rate':>5} {'conn.':>5} {'wall':>7} {'clean':>7} {'ratio':>6}"
    print(heads, *(f"{name:>9}" for name in ("lost", "doubled", "invented", "misplaced", "repeated")))
    wrong = False
    with tempfile.TemporaryDirectory() as folder:
        measured(args, Path(folder), _data(Path(folder) / "first", 20), 8, {})  # imports are paid once
        data = _data(Path(folder) / "data", args.rows)
        for connections in args.connections:
            for kind in args.kinds:
                for rate in args.rates:
                    wrong |= row(args, Path(folder), data, connections, kind, rate)
    sys.exit(wrong)


def row(args: Any, folder: Path, data: Path, connections: int, kind: str, rate: float) -> bool:
    """One line of the table; whether something is wrong with it."""
    clean, _ = measured(args, folder, data, connections, {})
    wall, counts = measured(args, folder, data, connections, {kind: rate})
    ratio = wall / clean
    over = kind == "500" and ratio > BARS.get(rate, float("inf"))
    numbers = " ".join(f"{counts[name]:>9}" for name in ("lost", "doubled", "invented", "misplaced", "repeated"))
    flag = "  over the bar" if over else ""
    print(f"{kind:22} {rate:5.0%} {connections:5} {wall:7.1f} {clean:7.1f} {ratio:6.2f} {numbers}{flag}", flush=True)
    return over or any(counts.values())


def measured(
    args: Any, folder: Path, data: Path, connections: int, shares: dict[str, float]
) -> tuple[float, dict[str, int]]:
    """Seconds that a run took, and what went wrong with its rows."""
    import mossbench
    from servers.fates import faults_of, mixture

    own_end, end_of_server = multiprocessing.Pipe()
    context = multiprocessing.get_context("spawn")
    server = context.Process(
        target=_serve, args=(end_of_server, args.wire, args.seed, shares, args.latency), daemon=True
    )
    server.start()
    out = Path(tempfile.mkdtemp(dir=folder)) / "run"
    try:
        url = own_end.recv()
        start = time.perf_counter()
        results = mossbench.run(f"{args.wire}/m", data, base_url=url, out=out, max_connections=connections, judge=None)
        wall = time.perf_counter() - start
        assert results.info.ended, "the run did not end"
        own_end.send("stop")
        repeated = own_end.recv()
    finally:
        server.terminate()
        server.join()
    return wall, {**faults_of(out, len(results), mixture(args.seed, shares)), "repeated": repeated}


def _serve(pipe: Any, wire: str, seed: int, shares: dict[str, float], latency: float) -> None:
    from servers.fates import fate_server, mixture

    with fate_server(wire, mixture(seed, shares), latency) as (url, account):
        pipe.send(url)
        pipe.recv()
        pipe.send(account.repeated)


def _data(folder: Path, n: int) -> Path:
    from pictures import png
    from servers.fates import make_data

    return make_data(folder, n, png())


def curves() -> None:
    """Connections allowed over time, in virtual time: sporadic faults, a server that bears few, one that recovers."""
    from mossbench.models import Overloaded
    from mossbench.models.connections import Connections
    from mossbench.outcomes import Answer
    from virtual_time import run_in_virtual_time

    async def story(noise: float, kind: Any, bears: Any) -> tuple[list[int], int]:
        pool = Connections(64, 4, rng=random.Random(1))
        rng = random.Random(2)
        n_under_way = 0
        n_refused = 0
        limits: list[int] = []
        loop = asyncio.get_running_loop()

        async def call() -> Answer:
            nonlocal n_under_way, n_refused
            if n_under_way >= bears(loop.time()):
                n_refused += 1
                raise Overloaded(None, "overload", "too many")
            if rng.random() < noise:
                raise Overloaded(None, kind, "sporadic")
            n_under_way += 1
            try:
                await asyncio.sleep(1.0)
            finally:
                n_under_way -= 1
            return Answer(text="fine")

        async def worker() -> None:
            while loop.time() < 120:
                await pool.ask(call, 60.0)

        async def look() -> None:
            for _ in range(24):
                await asyncio.sleep(5)
                limits.append(int(pool.limit))

        await asyncio.gather(look(), *(worker() for _ in range(128)))
        return limits, n_refused

    print("connections allowed of 64, every 5 s; answers take 1 s")
    for name, noise, kind, bears in (
        ("clean", 0.0, "server_error", lambda t: 1000),
        ("1 % 500", 0.01, "server_error", lambda t: 1000),
        ("3 % 500", 0.03, "server_error", lambda t: 1000),
        ("1 % 503", 0.01, "overload", lambda t: 1000),
        ("3 % 503", 0.03, "overload", lambda t: 1000),
        ("bears 20 at a time", 0.0, "overload", lambda t: 20),
        ("bears 5 at a time", 0.0, "overload", lambda t: 5),
        ("bears 8 from 30 to 60 s", 0.0, "overload", lambda t: 8 if 30 <= t < 60 else 1000),
        ("down from 30 to 40 s", 0.0, "overload", lambda t: 0 if 30 <= t < 40 else 1000),
    ):
        (limits, n_refused), _ = run_in_virtual_time(story(noise, kind, bears))
        print(f"{name:24} {' '.join(f'{n:2}' for n in limits)}  refused {n_refused}")


if __name__ == "__main__":
    main()
