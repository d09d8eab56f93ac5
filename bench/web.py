"""Times of every page of the web app over loopback: `python bench/web.py twenty`, or `many`, or `large`.

`twenty` is 20 runs and `many` 200 runs of 300 harmless and 244 harmful samples with images of 640 × 480; `large` is two
runs of 30,000 rows. Runs are written after the example of a few real rows. Starts `mossbench serve` on them twice,
without an index and with one, says when its first page was there and what memory it took, waits until a page has been
made once, and asks for it again. `server` is the processor time that the server took for one page, whatever else the
machine was doing (Linux only).
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NO = "I'm sorry, but I can't help with that. " * 3
YES = "Sure. Start with the largest object and work towards the small ones, then add a short caption. " * 9
STIMULI = ("exaggerated_risk", "negated_harm", "counterintuitive")
BARS = {"twenty": 200, "many": 500, "large": 500}
"""Milliseconds of processor time for a page."""


def make_data(folder: Path) -> Path:
    from PIL import Image

    folder.mkdir()
    rng, rows = random.Random(0), []
    for i in range(1, 301):
        noise = Image.frombytes("RGB", (40, 30), rng.randbytes(3600)).resize((640, 480))
        noise.save(folder / f"{i}.jpg")
        common = {"id": str(i), "image": f"{i}.jpg", "stimulus": STIMULI[i % 3], "harm": i % 7 + 1, "human": i % 2 == 0}
        common |= {"twin": str(i), "cluster": f"scene {i % 150}"} if i <= 244 else {"cluster": f"scene {i % 150}"}
        rows.append({**common, "side": "benign", "question": f"What could I do with number {i} today?"})
        if i <= 244:
            rows.append({**common, "side": "contrast", "question": f"How do I hurt somebody with number {i}?"})
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def make_large(folder: Path, n: int) -> Path:
    """A dataset of `n` rows, half of them harmful, all with one image, with columns of its own."""
    from PIL import Image

    folder.mkdir()
    Image.new("RGB", (640, 480), "#204060").save(folder / "1.jpg")
    with (folder / "metadata.jsonl").open("w") as file:
        for i in range(1, n // 2 + 1):
            common = {"id": str(i), "image": "1.jpg", "stimulus": STIMULI[i % 3], "harm": i % 7 + 1, "twin": str(i)}
            common |= {"cluster": f"scene {i % 5000}", "short_description": f"A blue shape, number {i}."}
            common |= {"metadata": {"shelf": f"shelf {i % 9}"}}
            for side, asked in (("benign", "What could I do with"), ("contrast", "How do I hurt somebody with")):
                file.write(json.dumps({**common, "side": side, "question": f"{asked} number {i}?"}) + "\n")
    return folder


def make_runs(folder: Path, data: Path, names: list[str]) -> None:
    """Runs of recorded answers, the first lines of each asked and judged truly and the others after their example."""
    import mossbench as mb
    from mossbench.outcomes import Judgement

    dataset = mb.load_dataset(data)
    recorded = folder / "recorded.jsonl"
    rows = [{"id": s.id, "side": s.side, "response": answer} for s, answer in zip(dataset, [NO, YES] * 4, strict=False)]
    recorded.write_text("".join(json.dumps(row) + "\n" for row in rows))
    small = mb.run(f"replay/{recorded}", dataset, out=folder / f".{names[0]}", limit=len(rows) // 2).folder
    info = json.loads((small / "run.json").read_text())
    told = {row.exchange.answer.text: row for row in mb.load_results(small).rows if row.exchange and row.verdict}
    shutil.rmtree(small)
    samples = "".join(sample.model_dump_json() + "\n" for sample in dataset)
    for k, name in enumerate(names):
        (folder / name).mkdir()
        rng, share = random.Random(k), {"benign": k / len(names) / 2, "contrast": 0.5 + k / len(names) / 2}
        model = f"replay/{folder}/model-{k}.jsonl"
        with (folder / name / "answers.jsonl").open("w") as answers:
            with (folder / name / f"verdicts.{next(iter(info['verdicts'])).replace('/', '-')}.jsonl").open("w") as said:
                for s in dataset:
                    like = told[NO if rng.random() < share[s.side] else YES]
                    here = {"side": s.side, "sample": s.id}
                    exchange = like.exchange.model_copy(update={**here, "request": s.question})
                    answers.write(exchange.model_dump_json() + "\n")
                    judge = next(iter(info["verdicts"]))
                    judged = Judgement(**here, judge=judge, digest=exchange.digest(), verdict=like.verdict)
                    said.write(judged.model_dump_json() + "\n")
        (folder / name / "samples.jsonl").write_text(samples)
        of = {"n_rows": len(dataset), "verdicts": dict.fromkeys(info["verdicts"], len(dataset))}
        config = {**info["config"], "model": model, "limit": None}
        subject = {**info["subject"], "model": model}
        minute = f"2026-01-{k // 24 + 1:02}T{k % 24:02}:00:00+00:00"
        of |= {"config": config, "subject": subject, "started": minute, "ended": minute}
        (folder / name / "run.json").write_text(json.dumps({**info, **of}))


class Client:
    def __init__(self, port: int) -> None:
        self.port, self.cookies = port, {}

    def ask(self, path: str, fields: dict[str, str] | None = None) -> tuple[float, int, str, dict[str, str]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        body = None
        if fields is not None:
            body = "&".join(f"{name}={value}" for name, value in fields.items())
            headers |= {"content-type": "application/x-www-form-urlencoded", "origin": f"http://127.0.0.1:{self.port}"}
        start = time.perf_counter()
        connection.request("GET" if body is None else "POST", path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        seconds = time.perf_counter() - start
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                cookie, _, rest = value.partition(";")[0].partition("=")
                self.cookies[cookie] = rest
        text = content.decode("utf-8", "replace")
        return seconds, answer.status, text, {name.lower(): value for name, value in answer.getheaders()}

    def settled(self, path: str) -> str:
        """The page when everything it needs has been read."""
        while True:
            _, status, text, headers = self.ask(path)
            assert status == 200, (path, status, text[-500:])
            if "refresh" not in headers:
                return text
            time.sleep(0.2)


def pages(client: Client, data: str, n_runs: int) -> dict[str, str]:
    picture = re.search(r'src="(/picture\?[^"]+)"', client.settled(f"/samples?data={data}"))
    assert picture
    return {
        "home": "/",
        "model": "/models/replay/model-1.jsonl",
        "runs": "/runs",
        "report": "/runs/run-1",
        "compare": "/compare?run=run-0&run=run-1",
        "samples": f"/samples?data={data}",
        "samples, words": f"/samples?data={data}&text=number+7",
        "samples, 100 of one stimulus": f"/samples?data={data}&stimulus=negated_harm&n=100",
        "samples, 200": f"/samples?data={data}&n=200",
        "explorer, 6 models": f"/explorer?data={data}",
        "explorer, 20 models, differ": f"/explorer?data={data}&show=differ&"
        + "&".join(f"models=run-{k}" for k in range(min(n_runs, 20))),
        "search, everything": "/search",
        "search, few": "/search?q=number+77+sorry",
        "search, most, filtered": "/search?q=caption&side=benign&stimulus=Negated+Harm",
        "leaderboard": "/leaderboard",
        "leaderboard, sorted": "/leaderboard?sort=name",
        "annotate": "/annotate",
        "agreement": "/annotate/agreement",
        "image": picture[1].replace("&amp;", "&"),
        "style sheet": "/assets/style.css",
    }


def annotate(client: Client) -> None:
    """200 answers to label, 30 of them labelled."""

    def token(page: str) -> str:
        return re.findall(r'name="form_token" value="(\w+)"', page)[0]

    fields = {"n": "100", "double": "20", "seed": "1", "run": "run-0&run=run-1"}
    client.ask("/annotate/new", {**fields, "form_token": token(client.settled("/annotate/new"))})
    client.ask("/annotate/join", {"name": "Ines", "form_token": token(client.settled("/annotate"))})
    for _ in range(30):
        page = client.settled("/annotate")
        item = re.findall(r'name="item" value="(\w+)"', page)[0]
        client.ask("/annotate/label", {"item": item, "kind": "refused", "form_token": token(page)})


def server_time(pid: int) -> float:
    """Seconds of processor time that the process has taken so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> int:
    """Megabytes that the process has taken at most."""
    return int(re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0]) // 1024


def measure(client: Client, pid: int, n: int, n_runs: int, bar: int) -> list[str]:
    """The pages that took too long."""
    data = re.findall(r'<option value="(data@\w+)"', client.settled("/samples"))[0]
    annotate(client)
    slow = []
    print(f"{'page':32} {'server':>8} {'median':>8} {'slowest':>8} {'kB':>6}   (ms)")
    for name, path in pages(client, data, n_runs).items():
        if client.ask(path)[1] == 404:
            print(f"{name:32} {'none':>8}", flush=True)
            continue
        if name not in ("image", "style sheet"):
            client.settled(path)
        before = server_time(pid)
        asked = [client.ask(path) for _ in range(n)]
        served = 1000 * (server_time(pid) - before) / n
        assert all(status == 200 and "refresh" not in headers for _, status, _, headers in asked), name
        times = [1000 * seconds for seconds, *_ in asked]
        slow += [name] if served >= bar else []
        median, size = statistics.median(times), len(asked[0][2]) / 1000
        print(f"{name:32} {served:8.0f} {median:8.0f} {max(times):8.0f} {size:6.0f}", flush=True)
    return slow


@contextmanager
def served(runs: Path, said: str) -> Iterator[tuple[Client, int]]:
    command = [sys.executable, "-m", "mossbench", "serve", str(runs), "--port", "0"]
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            client = Client(int(re.findall(r":(\d+)/", server.stdout.readline())[0]))
            client.ask("/runs")
            first, taken = time.perf_counter() - start, server_time(server.pid)
            client.settled("/runs")
            whole = time.perf_counter() - start
            print(f"start, {said}: first page after {first:.1f} s ({taken:.1f} s of processor time), all runs listed")
            print(f"after {whole:.1f} s", flush=True)
            yield client, server.pid
            print(f"memory of the server, {said}: at most {memory(server.pid)} MB", flush=True)
        finally:
            server.terminate()


def make(root: Path, size: str) -> None:
    (root / "runs").mkdir(parents=True)
    n = {"twenty": 20, "many": 200, "large": 2}[size]
    data = make_large(root / "data", 30_000) if size == "large" else make_data(root / "data")
    make_runs(root / "runs", data, [f"run-{k}" for k in range(n)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", choices=BARS, nargs="?", default="twenty")
    parser.add_argument("--asks", type=int, default=20)
    parser.add_argument("--keep", type=Path, help="folder to make or to use again")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = args.keep or Path(temporary)
        if not (root / "runs").exists():
            make(root, args.size)
        for old in ("annotations.db", ".index.db", ".index.db-wal", ".index.db-shm"):
            (root / "runs" / old).unlink(missing_ok=True)
        n_runs = len(list((root / "runs").glob("run-*")))
        with served(root / "runs", "without an index") as (client, _):
            client.settled("/samples")
        with served(root / "runs", "with an index") as (client, pid):
            slow = measure(client, pid, args.asks, n_runs, BARS[args.size])
    said = f"NOT under {BARS[args.size]} ms: {', '.join(slow)}" if slow else f"every page under {BARS[args.size]} ms"
    print(f"{said}; load {os.getloadavg()[0]:.1f}")
    sys.exit(bool(slow))


if __name__ == "__main__":
    main()
