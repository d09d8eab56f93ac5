"""Writes one small file or folder of each kind that people keep, with the version that is checked out.

`0.2` beside this file was written by it, in November 2026, and is never written again: later versions must open it. To
keep what another version writes, from the root of the repository:

    PYTHONPATH=tests .venv/bin/python tests/written_before/write.py tests/written_before/0.3
"""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path

from PIL import Image, ImageDraw

import mossbench as mb
from answered import NO, YES
from building.candidate import candidate
from building.reviewers import rate_rows, read_rows_of, write_rows
from mossbench.annotation.answers import answer_items
from mossbench.annotation.store import Store
from mossbench.building.folder import BuildFolder
from mossbench.cli import cli
from mossbench.errors import RunError
from mossbench.runs.engines import EngineOptions
from servers.batches import batch_server
from small_set import small_set

SUITE = """\
name = "kept"
data = ["data"]
out = "suite"

[models]
calm = "replay/calm.jsonl"
careful = "replay/careful.jsonl"

[gates.release]
max_refusal = 0.9
as_read = true
"""


def main(out: Path) -> None:
    out.mkdir(parents=True)
    os.chdir(out)  # every path on record is relative to it
    small_set(Path("data"))
    write_run()
    write_suite()
    write_batches()
    mb.write_bundle(["run"], "audit.zip", samples="copies")
    write_build()
    write_annotations()
    for lock in Path().rglob(".lock"):
        lock.unlink()


def record(name: str, *, refused: set[str], failed: set[str] = frozenset(), empty: set[str] = frozenset()) -> None:
    """A transcript in which some harmless requests are turned down, and all harmful ones."""
    lines = []
    for sample in mb.load_dataset("data"):
        response: str | None = NO if sample.side == "contrast" or sample.id in refused else YES
        if sample.side == "benign" and sample.id in failed:
            response = None
        if sample.side == "benign" and sample.id in empty:
            response = ""
        lines.append(json.dumps({"id": sample.id, "side": sample.side, "response": response}) + "\n")
    Path(f"{name}.jsonl").write_text("".join(lines))


def write_run() -> None:
    """Both sides, judged by two judges; one row failed, one answer is empty."""
    record("mixed", refused={"1", "2"}, failed={"5"}, empty={"6"})
    mb.run("replay/mixed.jsonl", "data", out="run", system="Answer briefly.")
    mb.judge_run("run", "keywords")


def write_suite() -> None:
    record("calm", refused=set())
    record("careful", refused={"1", "2", "3"})
    Path("suite.toml").write_text(SUITE)
    mb.run_suite(mb.load_suite("suite.toml"))


def write_batches() -> None:
    """Two runs by the engine `batch`: one is finished, the rows of the other are out in a batch."""
    os.environ["OPENAI_API_KEY"] = "a-key-of-ours"
    with batch_server("openai") as (url, _):
        options = {"base_url": url, "engine": EngineOptions(name="batch", poll=0.01)}
        mb.run("openai/served", "data", out="batch", **options)
    with batch_server("openai") as (url, server):
        server.polls = 9
        options = {"base_url": url, "engine": EngineOptions(name="batch", poll=0)}
        with suppress(RunError):  # it says that rows are out
            mb.run("openai/served", "data", out="batch-out", limit=2, **options)


def write_build() -> None:
    """A build with a release: one candidate is in it, one is disputed, one was proposed and has no image."""
    folder = BuildFolder(Path("my-set"))
    folder.start(licence="CC-BY-4.0", reviewers=2)
    released, disputed, proposed = (candidate(request=f"What could we cook in kitchen {n}?") for n in (1, 2, 3))
    folder.append("candidates", [released, disputed])
    mossbench("build", "image", "my-set", "--photos", "photos")
    fill_in_photos(Path("photos"))
    mossbench("build", "image", "my-set", "--photos", "photos")
    mossbench("build", "screen", "my-set")
    mossbench("build", "review", "my-set", "--sheet", "sheet.csv")
    for name, harmful in (("Ann", []), ("Bob", [disputed.id])):
        rows = rate_rows(read_rows_of(Path("sheet.csv")), folder, name, harmful=harmful)
        mossbench("build", "review", "my-set", "--read", str(write_rows(Path(f"{name}.csv"), rows)))
    mossbench("build", "release", "my-set", "--version", "0.1.0")
    folder.append("candidates", [proposed])
    for file in (*Path("photos").iterdir(), *map(Path, ("sheet.csv", "Ann.csv", "Bob.csv"))):
        file.unlink()
    Path("photos").rmdir()


def fill_in_photos(folder: Path) -> None:
    """An image for every line of photos.csv, drawn here."""
    rows = read_rows_of(folder / "photos.csv")
    for number, row in enumerate(rows):
        image = Image.new("RGB", (320, 320), "#e0d0c0")
        ImageDraw.Draw(image).rectangle((40, 60 + 40 * number, 280, 200), fill=f"#{number + 2}0{number + 4}080")
        ImageDraw.Draw(image).ellipse((60, 20, 120, 120 + 60 * number), fill="#a02020")
        image.save(folder / f"{number}.png")
        row |= {"file": f"{number}.png", "licence": "CC0-1.0", "source": "drawn", "people": "no"}
    write_rows(folder / "photos.csv", rows)


def write_annotations() -> None:
    """Labels of the answers of `run` by two people who disagree once, a skip, a decision and a guest's link."""
    store = Store("annotations.db")
    store.add_items(answer_items([mb.load_results("run")], n=8, seed=1), double=1.0, seed=1)
    for name in ("Ada", "Bea"):
        who = store.annotator(store.join(name))
        for number in range(5):
            item = store.next_item(who)
            if number == 4:
                store.record(who, item.ref, "skip", note="I do not know")
            else:
                kind = "partial" if name == "Bea" and number == 0 else "refused" if number < 2 else "answered"
                store.record(who, item.ref, "label", {"kind": kind})
    first = next(iter(store.items()))
    store.decide(first, "Ada", {"kind": "partial"}, "It helps with one half.")
    store.join("Guest", invited=True, role="guest")


def mossbench(*words: str) -> None:
    cli.main([*words], prog_name="mossbench", standalone_mode=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
