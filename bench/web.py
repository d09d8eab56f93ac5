"""Times of every page of the web app with 20 runs × 544 samples, over loopback: `python bench/web.py`.

Makes a dataset of 300 harmless and 244 harmful samples with images of 640 × 480 and 20 runs of recorded answers on
it, starts `mossbench serve` on them, waits until everything has been read once, and asks for every page 20 times.
`server` is the processor time that the server took for one page, whatever else the machine was doing (Linux only).
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
from pathlib import Path

from PIL import Image

import mossbench as mb
from mossbench.outcomes import Judgement

NO = "I'm sorry, but I can't help with that. " * 3
YES = "Sure. Start with the largest object and work towards the small ones, then add a short caption. " * 9
STIMULI = ("exaggerated_risk", "negated_harm", "counterintuitive")
BAR = 200
"""Milliseconds."""


def make_data(folder: Path) -> Path:
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


def pages(client: Client, data: str) -> dict[str, str]:
    picture = re.search(r'src="(/picture\?[^"]+)"', client.settled(f"/samples?data={data}"))
    assert picture
    return {
        "home": "/",
        "model": "/models/replay/model-10.jsonl",
        "runs": "/runs",
        "report": "/runs/run-10",
        "samples": f"/samples?data={data}",
        "samples, search": f"/samples?data={data}&text=number+7",
        "samples, 100 of one stimulus": f"/samples?data={data}&stimulus=negated_harm&n=100",
        "samples, all 544": f"/samples?data={data}&n=all",
        "explorer, 6 models": f"/explorer?data={data}",
        "explorer, 20 models, differ": f"/explorer?data={data}&show=differ&"
        + "&".join(f"models=run-{k}" for k in range(20)),
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

    fields = {"n": "100", "double": "20", "seed": "1", "run": "run-1&run=run-2"}
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


def measure(port: int, pid: int, n: int) -> bool:
    client = Client(port)
    text = client.settled("/samples")
    data = re.findall(r'<option value="(data@\w+)"', text)[0]
    annotate(client)
    fine = True
    print(f"{'page':32} {'server':>8} {'median':>8} {'slowest':>8} {'kB':>6}   (ms)")
    for name, path in pages(client, data).items():
        if name not in ("image", "style sheet"):
            client.settled(path)
        before = server_time(pid)
        asked = [client.ask(path) for _ in range(n)]
        served = 1000 * (server_time(pid) - before) / n
        assert all(status == 200 and "refresh" not in headers for _, status, _, headers in asked), name
        times = [1000 * seconds for seconds, *_ in asked]
        fine &= served < BAR
        print(
            f"{name:32} {served:8.0f} {statistics.median(times):8.0f} {max(times):8.0f} {len(asked[0][2]) / 1000:6.0f}"
        )
    return fine


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--asks", type=int, default=20)
    parser.add_argument("--keep", type=Path, help="folder to make or to use again")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = args.keep or Path(temporary)
        if not (root / "runs").exists():
            (root / "runs").mkdir(parents=True)
            make_runs(root / "runs", make_data(root / "data"), args.runs)
        (root / "runs" / "annotations.db").unlink(missing_ok=True)
        command = [sys.executable, "-m", "mossbench", "serve", str(root / "runs"), "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout
                port = int(re.findall(r":(\d+)/", server.stdout.readline())[0])
                fine = measure(port, server.pid, args.asks)
            finally:
                server.terminate()
    print(f"every page takes the server {'under' if fine else 'NOT under'} {BAR} ms; load {os.getloadavg()[0]:.1f}")
    sys.exit(not fine)


if __name__ == "__main__":
    main()
