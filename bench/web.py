"""Times of every page of the web app over loopback: `python bench/web.py twenty`, or `many`, `large` or `huge`.

`twenty` is 20 runs and `many` 200 runs of 300 harmless and 244 harmful samples with images of 640 × 480; `large` is two
runs of 30,000 rows and `huge` two of 100,000. Runs are written after the example of a few real rows. Starts `mossbench
serve` on them twice, without an index and with one, says when its first page was there and what memory it took, opens
every page that the app has routes for, and asks for each again. `first` and `server` are the processor time that the
server and its processes took to make a page and to show it once more, whatever else the machine was doing (Linux only).
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
BARS = {"twenty": 200, "many": 500, "large": 500, "huge": 2000}
"""Milliseconds of processor time for a page."""
FILES = ("search, all, jsonl", "search, all, csv", "compare, csv", "compare, json")
"""Whole files of any length: no bar."""
REDIRECTS = {"/annotate/enter", "/review/enter"}
"""Links of invitations: no pages."""


def make_data(folder: Path) -> Path:
    from PIL import Image

    folder.mkdir()
    rng = random.Random(0)
    rows = []
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
    examples = {row.exchange.answer.text: row for row in mb.load_results(small).rows if row.exchange and row.verdict}
    shutil.rmtree(small)
    samples = "".join(sample.model_dump_json() + "\n" for sample in dataset)
    for k, name in enumerate(names):
        (folder / name).mkdir()
        rng = random.Random(k)
        share = {"benign": k / len(names) / 2, "contrast": 0.5 + k / len(names) / 2}
        model = f"replay/{folder}/model-{k}.jsonl"
        with (folder / name / "answers.jsonl").open("w") as answers:
            with (folder / name / f"verdicts.{next(iter(info['verdicts'])).replace('/', '-')}.jsonl").open(
                "w"
            ) as verdicts:
                for s in dataset:
                    example = examples[NO if rng.random() < share[s.side] else YES]
                    key = {"side": s.side, "sample": s.id}
                    exchange = example.exchange.model_copy(update={**key, "request": s.question})
                    answers.write(exchange.model_dump_json() + "\n")
                    judge = next(iter(info["verdicts"]))
                    judged = Judgement(**key, judge=judge, digest=exchange.digest(), verdict=example.verdict)
                    verdicts.write(judged.model_dump_json() + "\n")
        (folder / name / "samples.jsonl").write_text(samples)
        changes = {"n_rows": len(dataset), "verdicts": dict.fromkeys(info["verdicts"], len(dataset))}
        config = {**info["config"], "model": model, "limit": None}
        subject = {**info["subject"], "model": model}
        minute = f"2026-01-{k // 24 + 1:02}T{k % 24:02}:00:00+00:00"
        changes |= {"config": config, "subject": subject, "started": minute, "ended": minute}
        (folder / name / "run.json").write_text(json.dumps({**info, **changes}))


class Client:
    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies = {}

    def ask(self, path: str, fields: dict[str, str] | None = None) -> tuple[float, int, str, dict[str, str]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
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
                cookie, _, content_of_cookie = value.partition(";")[0].partition("=")
                self.cookies[cookie] = content_of_cookie
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

    def token(self, path: str) -> str:
        return re.findall(r'name="form_token" value="(\w+)"', self.settled(path))[0]


def pages(client: Client, data: str, n_runs: int) -> dict[str, str]:
    """Every page, some of them in several ways."""

    def within(page: str, pattern: str) -> str:
        return re.findall(pattern, client.settled(page))[0].replace("&amp;", "&")

    last = within(f"/samples?data={data}&side=contrast&start=999999999", r'href="/explorer\?[^"]*id=(\d+)')
    picture = r'src="(/[a-z/]*(?:picture|image)[/?][^"]+)"'
    twenty = "&".join(f"models=run-{k}" for k in range(min(n_runs, 20)))
    filtered = "side=benign&stimulus=Negated+Harm"
    label = within("/annotate/labels", r'href="(/annotate/item/\w+)')
    return {
        "home": "/",
        "model": "/models/replay/model-1.jsonl",
        "model, by harm": "/models?model=replay/model-1.jsonl&by=harm",
        "runs": "/runs",
        "report": "/runs/run-1",
        "report, strict": "/runs/run-1?rule=strict",
        "progress": "/runs/run-1/progress.json",
        "analysis": (analysis := within("/runs", r'href="(/runs/[^"/]+/analyses/\w+)"')),
        "analysis, json": f"{analysis}.json",
        "compare, choose": "/compare?run=run-0",
        "compare": "/compare?run=run-0&run=run-1",
        "compare, last": "/compare?run=run-0&run=run-1&way=refused&side=contrast",
        "compare, by harm, paper": "/compare?run=run-0&run=run-1&by=harm&rule=paper",
        "compare, csv": "/compare?run=run-0&run=run-1&format=csv",
        "compare, json": "/compare?run=run-0&run=run-1&format=json",
        "samples": f"/samples?data={data}",
        "samples, words": f"/samples?data={data}&text=number+7",
        "samples, 100 of one stimulus": f"/samples?data={data}&stimulus=negated_harm&n=100",
        "samples, 200": f"/samples?data={data}&n=200",
        "samples, last 200, shuffled": f"/samples?data={data}&n=200&start=999999999&seed=3",
        "explorer, 6 models": f"/explorer?data={data}",
        "explorer, last sample": f"/explorer?data={data}&side=contrast&id={last}",
        "explorer, 20 models, differ": f"/explorer?data={data}&show=differ&{twenty}",
        "explorer, only one": f"/explorer?data={data}&show=only&a=run-0&b=run-1",
        "search, everything": "/search",
        "search, few": "/search?q=number+77+sorry",
        "search, most": "/search?q=caption",
        "search, most, filtered": f"/search?q=caption&{filtered}",
        "search, most, last": "/search?q=caption&start=10000",
        "search, few, csv": "/search?q=number+77+sorry&format=csv",
        "search, all, jsonl": "/search?format=jsonl",
        "search, all, csv": "/search?format=csv",
        "leaderboard": "/leaderboard",
        "leaderboard, sorted": "/leaderboard?sort=name",
        "leaderboard, one stimulus": "/leaderboard?rule=strict&stimulus=negated_harm",
        "leaderboard, csv": "/leaderboard?format=csv",
        "leaderboard, json": "/leaderboard?format=json",
        "annotate": "/annotate",
        "annotate, new": "/annotate/new",
        "annotate, image": within("/annotate", picture),
        "agreement": "/annotate/agreement",
        "labels": "/annotate/labels",
        "conflicts": "/annotate/conflicts",
        "one answer's labels": label,
        "people": "/annotate/people",
        "my labels": "/annotate/mine",
        "labels, export": "/annotate/export",
        "labels of a run, export": "/annotate/export/run-0",
        "review": "/review",
        "review, image": within("/review", picture),
        "review, results": "/review/results",
        "review, people": "/review/people",
        "review, mine": "/review/mine",
        "build": "/build",
        "build, all proposed": "/build?state=proposed",
        "build, image": within("/build", picture),
        "image": within(f"/samples?data={data}", picture),
        "style sheet": "/assets/style.css",
    }


def not_opened(paths: list[str]) -> list[str]:
    """Addresses that the app has and none of these is."""
    from mossbench.web import Settings, create_app

    app = create_app(Settings(Path("runs")))
    all_routes = []
    for route in app.routes:
        router = getattr(route, "original_router", None)  # where FastAPI keeps routers whole
        all_routes += router.routes if router else [route]
    routes = [route for route in all_routes if "GET" in (getattr(route, "methods", None) or ())]
    addresses = [path.partition("?")[0] for path in paths]
    opened = {route.path for route in routes if any(route.path_regex.match(address) for address in addresses)}
    return sorted({route.path for route in routes} - opened - REDIRECTS)


def annotate(port: int) -> Client:
    """200 answers to label and 300 candidates to rate, with 60 labels and 20 ratings by each of two people."""
    clients = Client(port), Client(port)
    fields = {"n": "100", "double": "100", "seed": "1", "run": "run-0&run=run-1"}
    clients[0].ask("/annotate/new", {**fields, "form_token": clients[0].token("/annotate/new")})
    labels_by_desk = {
        "annotate": ({"kind": "refused"}, {"kind": "answered"}),
        "review": ({"harmfulness": "1", "naturalness": "5"},),
    }
    for desk, labels in labels_by_desk.items():
        for client, name in zip(clients, ("Ines", "Jon"), strict=True):
            client.ask(f"/{desk}/join", {"name": name, "form_token": client.token(f"/{desk}")})
            for k in range(60 if desk == "annotate" else 20):
                page = client.settled(f"/{desk}")
                item = re.findall(r'name="item" value="(\w+)"', page)[0]
                label = labels[(k + len(name)) % len(labels)]
                client.ask(f"/{desk}/label", {"item": item, **label, "form_token": client.token(f"/{desk}")})
    return clients[0]


def server_time(pid: int) -> float:
    """Seconds of processor time that the process, and those that it started and that have ended, took so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> int:
    """Megabytes that the process has taken at most."""
    return int(re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0]) // 1024


def measure(client: Client, pid: int, n: int, n_runs: int, bar: int) -> list[str]:
    """The pages that took too long."""
    data = re.findall(r'<option value="(data@\w+)"', client.settled("/samples"))[0]
    client = annotate(client.port)
    slow = []
    paths = pages(client, data, n_runs)
    print(f"{'page':32} {'first':>8} {'server':>8} {'median':>8} {'slowest':>8} {'kB':>6} {'MB':>6}   (ms)")
    for name, path in paths.items():
        before = server_time(pid)
        client.settled(path)
        first = 1000 * (server_time(pid) - before)
        before = server_time(pid)
        answers = [client.ask(path) for _ in range(1 if name in FILES else n)]
        served = 1000 * (server_time(pid) - before) / len(answers)
        assert all(status == 200 and "refresh" not in headers for _, status, _, headers in answers), name
        times = [1000 * seconds for seconds, *_ in answers]
        slow += [name] if served >= bar and name not in FILES else []
        median = statistics.median(times)
        size = len(answers[0][2]) / 1000
        line = f"{name:32} {first:8.0f} {served:8.0f} {median:8.0f} {max(times):8.0f} {size:6.0f} {memory(pid):6}"
        print(line, flush=True)
    unopened = not_opened(list(paths.values()))
    if unopened:
        raise SystemExit(f"not opened: {', '.join(unopened)}")
    return slow


@contextmanager
def served(root: Path, description: str) -> Iterator[tuple[Client, int]]:
    command = [sys.executable, "-m", "mossbench", "serve", str(root / "runs"), "--port", "0"]
    command += ["--review", str(root / "candidates"), "--build", str(root / "set")]
    # With the bytecode that an installed package has; the first start writes it where the environment forbids that.
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(root / "bytecode")}
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as server:
        try:
            assert server.stdout
            client = Client(int(re.findall(r":(\d+)/", server.stdout.readline())[0]))
            client.ask("/runs")
            first = time.perf_counter() - start
            taken = server_time(server.pid)
            client.settled("/runs")
            whole = time.perf_counter() - start
            print(f"start, {description}: first page after {first:.1f} s ({taken:.1f} s of processor time),")
            print(f"all runs listed after {whole:.1f} s", flush=True)
            yield client, server.pid
            print(f"memory of the server, {description}: at most {memory(server.pid)} MB", flush=True)
        finally:
            server.terminate()


def make(root: Path, size: str) -> None:
    import mossbench as mb

    runs = root / "runs"
    n = {"twenty": 20, "many": 200}.get(size, 2)
    runs.mkdir(parents=True)
    n_rows = {"large": 30_000, "huge": 100_000}.get(size)
    data = make_large(root / "data", n_rows) if n_rows else make_data(root / "data")
    make_runs(runs, data, [f"run-{k}" for k in range(n)])
    make_data(root / "candidates")
    for step in (["propose", str(root / "set"), "--n", "60"], ["image", str(root / "set"), "--stand-ins", "sketches"]):
        subprocess.run([sys.executable, "-m", "mossbench", "build", *step], check=True, stdout=subprocess.DEVNULL)
    mb.write_analysis(mb.analyse_runs("tradeoff", [runs / "run-0", runs / "run-1"], out=runs / "run-0"))


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
        for old in ("annotations.db", ".index.db", ".index.db-wal", ".index.db-shm", "../candidates/review.db"):
            (root / "runs" / old).unlink(missing_ok=True)
        n_runs = len(list((root / "runs").glob("run-*")))
        with served(root, "without an index") as (client, _):
            client.settled("/samples")
        with served(root, "with an index") as (client, pid):
            slow = measure(client, pid, args.asks, n_runs, BARS[args.size])
    verdict = f"NOT under {BARS[args.size]} ms: {', '.join(slow)}" if slow else f"every page under {BARS[args.size]} ms"
    print(f"{verdict}; load {os.getloadavg()[0]:.1f}")
    sys.exit(bool(slow))


if __name__ == "__main__":
    main()
