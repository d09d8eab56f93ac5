"""What the harness itself costs: CPU per sample, and wall time over the ideal (samples x latency / connections).

    python bench/harness.py                     3,000 samples, 64 connections, 1 s
    python bench/harness.py --samples 300 --latency 0.2
    python bench/harness.py --virtual           on a busy machine: waits of other work do not count (`virtual.py`)

Four ways of doing the same work against a loopback server in a separate process: one call at a time (computed), the
openai SDK in a plain loop that keeps the answers in memory, `mossbench.run` from data folder to judged table, and
Inspect's evaluation loop with a scorer, where it is installed. CPU is this process's own, threads included; each way
runs in a fresh process, so that none warms up another, and what it imports is not counted. Other work on the machine
moves wall times and, less, CPU times: compare the ratios of one run.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import importlib.util
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

N_PICTURES = 300
VIRTUAL = "MOSSBENCH_BENCH_VIRTUAL_LATENCY"
MAX_OF_LOOP, MIN_BELOW_INSPECT, MAX_OVER_IDEAL = 1.15, 4.0, 1.05
"""CPU per sample without a judge over the SDK loop's; Inspect's over it; wall time with a judge over the ideal."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--samples", type=int, default=3000)
    options.add_argument("--connections", type=int, default=64)
    options.add_argument("--latency", type=float, default=1.0)
    options.add_argument("--adaptive", action="store_true", help="start with few connections, as a run does by default")
    options.add_argument("--most-inspect", type=int, default=1000, help="samples for Inspect; 0 leaves it out")
    options.add_argument("--virtual", action="store_true", help="count CPU time and the server's seconds only")
    args = options.parse_args()
    if importlib.util.find_spec("inspect_ai") is None or args.virtual:
        args.most_inspect = 0
    ideal = args.samples * args.latency / args.connections
    print(f"{args.samples} samples, {args.connections} connections, {args.latency:g} s an answer: ideal {ideal:.1f} s")
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before; other work on the machine lengthens wall times"
    )
    print(f"{'one call at a time (computed)':34} {args.samples * args.latency:8.1f} s")
    server = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("server.py"), str(0.0 if args.virtual else args.latency)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        url = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        with tempfile.TemporaryDirectory() as folder:
            data = make_data(Path(folder) / "data", args.samples)
            start = 4 if args.adaptive else args.connections
            run = {"connections": args.connections, "start": start}
            if args.virtual:
                os.environ[VIRTUAL] = str(args.latency)  # for the process of each way
            loop, _ = show("openai SDK in a plain loop", ideal, args.samples, sdk_loop, url, data, args.connections)
            ours, _ = show("mossbench.run, judge none", ideal, args.samples, harness, url, data, {**run, "judge": None})
            _, over = show("mossbench.run, judge rules", ideal, args.samples, harness, url, data, run)
            n = min(args.samples, args.most_inspect)
            inspect = n and show("Inspect's loop", ideal * n / args.samples, n, inspect_loop, url, data, run, n)[0]
    finally:
        server.terminate()
        server.wait()
    print(f"CPU without a judge over the SDK loop: {ours / loop:.2f} (at most {MAX_OF_LOOP:g})")
    print(
        f"Inspect's CPU over that: {inspect / ours:.1f} (at least {MIN_BELOW_INSPECT:g})" if inspect else "no Inspect"
    )
    print(f"wall time with a judge over the ideal: {over:.2f} (at most {MAX_OVER_IDEAL:g})")
    sys.exit(ours > MAX_OF_LOOP * loop or 0 < inspect < MIN_BELOW_INSPECT * ours or over > MAX_OVER_IDEAL)


def make_data(folder: Path, n: int) -> Path:
    """A folder of `n` samples with pictures of usual web size, 300 different ones."""
    from PIL import Image

    (folder / "images").mkdir(parents=True)
    pixels = [Image.effect_noise((64, 64), 80).resize((640, 480)) for _ in range(8)]
    for i in range(N_PICTURES):
        picture = Image.merge("RGB", [pixels[(i + k) % 8] for k in range(3)]).rotate(i % 4 * 90)
        picture.save(folder / "images" / f"{i}.jpg", quality=70 + i // 12)
    rows = [{"id": str(i), "question": f"What is at {i}?", "image": f"images/{i % N_PICTURES}.jpg"} for i in range(n)]
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def show(label: str, ideal: float, n: int, work: Callable[..., int], *args: Any) -> tuple[float, float]:
    """Runs the work in a process of its own and prints what it took."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        wall, cpu, n_answers, first = pool.apply(_measured, (work, *args))
    assert n_answers == n, f"{label}: {n_answers} of {n} answers"
    began = f"  first request after {first:.2f} s" if first else ""
    print(f"{label:34} {wall:8.1f} s  {wall / ideal:6.3f} of ideal  {1000 * cpu / n:5.2f} ms CPU per sample{began}")
    sys.stdout.flush()
    return 1000 * cpu / n, wall / ideal


def _measured(work: Callable[..., int], *args: Any) -> tuple[float, float, int, float]:
    import openai.resources.chat  # imports are paid once, not per sample
    import virtual

    import mossbench

    assert openai.AsyncOpenAI and mossbench.run  # both import what they need when they are looked up
    if work is inspect_loop:
        import inspect_ai.model._providers.openai  # noqa: F401

    def cpu() -> float:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return usage.ru_utime + usage.ru_stime

    clock = time.perf_counter
    if VIRTUAL in os.environ:
        virtual.install(float(os.environ[VIRTUAL]))
        clock = virtual.now
    start = clock()
    cpu_start = cpu()
    n_answers = work(*args)
    return clock() - start, cpu() - cpu_start, n_answers, virtual.sent[0] - start if virtual.sent else 0.0


def harness(url: str, data: Path, how: dict[str, Any]) -> int:
    import mossbench

    results = mossbench.run(
        "openai/loopback",
        data,
        judge=how.get("judge", "rules"),
        out=Path(tempfile.mkdtemp(dir=data.parent)) / "run",
        base_url=url,
        max_connections=how["connections"],
        start_connections=how["start"],
    )
    return sum(row.exchange is not None and row.exchange.answer.error is None for row in results.rows)


def sdk_loop(url: str, data: Path, connections: int) -> int:
    import openai

    rows = [json.loads(line) for line in (data / "metadata.jsonl").read_text().splitlines()]

    async def work() -> list[str | None]:
        gate = asyncio.Semaphore(connections)
        client = openai.AsyncOpenAI(api_key="none", base_url=url)

        async def ask(row: dict[str, str]) -> str | None:
            async with gate:
                picture = base64.b64encode((data / row["image"]).read_bytes()).decode()
                content: Any = [
                    {"type": "text", "text": row["question"]},
                    {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{picture}"}},
                ]
                reply = await client.chat.completions.create(
                    model="loopback", messages=[{"role": "user", "content": content}], max_tokens=1024
                )
                return reply.choices[0].message.content

        return await asyncio.gather(*(ask(row) for row in rows))

    return sum(answer is not None for answer in asyncio.run(work()))


def inspect_loop(url: str, data: Path, how: dict[str, Any], n: int) -> int:
    from inspect_ai import Task, eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageUser, ContentImage, ContentText, get_model
    from inspect_ai.scorer import match
    from inspect_ai.solver import generate

    rows = [json.loads(line) for line in (data / "metadata.jsonl").read_text().splitlines()[:n]]
    samples = [
        Sample(
            id=row["id"],
            target="x",
            input=[
                ChatMessageUser(
                    content=[ContentText(text=row["question"]), ContentImage(image=str(data / row["image"]))]
                )
            ],
        )
        for row in rows
    ]
    model = get_model("openai/gpt-4o", base_url=url, api_key="none", responses_api=False)
    (log,) = eval(
        Task(MemoryDataset(samples), solver=generate(max_tokens=1024), scorer=match()),
        model=model,
        max_connections=how["connections"],
        max_samples=2 * how["connections"],
        display="none",
        log_dir=tempfile.mkdtemp(dir=data.parent),
    )
    return sum(sample.output.completion != "" for sample in log.samples or [])


if __name__ == "__main__":
    main()
