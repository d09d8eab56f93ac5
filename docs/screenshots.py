"""Makes the images that the pages show, so that they are never older than the program: `make screenshots`.

Runs control models, analyses them, serves the runs and opens the pages in the Chromium of the system. All of it is
offline. The labels on the page of agreement are not people's: this script gives them. `--only web report` takes just
those, and `--keep` uses the runs that an earlier call left in build/screenshots.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageOps
from playwright.sync_api import Browser, Locator, Page, sync_playwright

import mossbench as mb
from mossbench.annotation.answers import answer_items
from mossbench.annotation.store import Store

ROOT = Path(__file__).parents[1]
IMAGES, WORK = ROOT / "docs" / "images", ROOT / "build" / "screenshots"
RUNS = ("control/jumpy?rate=0.4", "control/filtering?rate=0.3", "control/learned?safety=3")
REPORTED = "control/jumpy?rate=0.4"
WHY = "control/mixture?filtering=0.3&heed=1&prudish=0.4&safety=0.9"
ROUTES = ("control/ideal", "control/faulty?block=0.2")
"""The models of the analyses; for `access`, two routes to one model."""
CHARTS = ("causes", "counterfactuals", "stages", "tradeoff", "prompts", "distortions", "consistency")


def save(shot: bytes, name: str, margin: int = 0) -> None:
    """`margin`: pixels of ground around it; a chart has none of its own."""
    image = Image.open(BytesIO(shot)).convert("RGB")
    _, ground = max(image.getcolors(image.width * image.height))
    image = ImageOps.expand(image, margin, ground)
    image.save(IMAGES / f"{name}.png", optimize=True)
    print(f"docs/images/{name}.png {image.width} x {image.height}")


def slug(model: str) -> str:
    return re.sub(r"\W+", "-", model)


def make_runs() -> Path:
    folder = WORK / "runs"
    for model in RUNS:
        if not (folder / slug(model)).exists():
            mb.write_report(mb.run(model, out=folder / slug(model)))
    return folder


def label(folder: Path) -> None:
    """Two readers, who differ on every fourteenth answer that both read."""
    (folder / "annotations.db").unlink(missing_ok=True)
    store = Store(folder / "annotations.db")
    runs = [mb.load_results(folder / slug(model)) for model in RUNS]
    store.add_items(answer_items(runs, n=20, seed=1), double=0.5, seed=1)
    for name, every in (("Maria", 0), ("Ben", 14)):
        reader = store.annotator(store.join(name))
        assert reader is not None
        n = 0
        while item := store.next_item(reader):
            kind, n = item.body["judged"], n + 1
            store.record(reader, item.ref, "label", {"kind": "warned" if every and n % every == 0 else kind})
    store.add_items(answer_items(runs, n=40, seed=2), double=0.5, seed=2)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "mossbench", "serve", str(folder), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        found = re.search(r"http://[\d.]+:\d+", process.stdout.readline())
        assert found, "mossbench serve did not start"
        yield found[0]
    finally:
        process.terminate()
        process.wait()


def opened(page: Page, address: str) -> Page:
    """The page when it no longer says that it is still being read."""
    page.goto(address)
    page.locator("body:not(:has(main.message progress))").wait_for(state="attached")
    page.wait_for_load_state("networkidle")
    return page


def take_web(browser: Browser, folder: Path) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    with served(folder) as at:
        for name, path in (
            ("samples", "/samples"),
            ("explorer", "/explorer?show=differ&id=nh-drugs-park"),
            ("home", "/"),
            ("model", "/models/control/jumpy%3Frate%3D0.4"),
            ("leaderboard", "/leaderboard"),
            ("compare", f"/compare?run={slug(RUNS[1])}&run={slug(RUNS[0])}"),
            ("search", "/search?q=knife"),
            ("agreement", "/annotate/agreement"),
        ):
            save(opened(page, at + path).screenshot(), f"web-{name}")
        opened(page, f"{at}/annotate")
        page.get_by_label("Your name").fill("Ines")
        page.keyboard.press("Enter")
        page.locator(".label:enabled").first.wait_for()
        for key in "1126":
            page.keyboard.press(key)
            page.locator("body:not([data-saving]):has(form.desk[data-seen])").wait_for(state="attached")
        page.wait_for_load_state("networkidle")
        save(page.screenshot(), "web-annotate")


def take_report(browser: Browser, folder: Path) -> None:
    page = browser.new_page(viewport={"width": 1100, "height": 1250})
    save(opened(page, (folder / slug(REPORTED) / "report.html").as_uri()).screenshot(), "report")


def analysis(names: list[str], models: list[str], name: str, **options: Any) -> Path:
    """The page of an analysis, made where it is not there."""
    folder = WORK / name
    if not folder.exists():
        mb.write_analysis(mb.analyse(names, models, "sketches", out=folder, **options))
    return next(iter(sorted(folder.rglob("analysis*.html"), key=lambda path: (len(path.parts), path))))


def take_analyses(browser: Browser, _folder: Path) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900}, device_scale_factor=1.5)
    why = opened(page, analysis(["all"], [WHY], "why", temperature=1.0).as_uri())
    for name in CHARTS:
        save(chart(why, name).screenshot(), name, margin=24)
    access = chart(opened(page, analysis(["access"], list(ROUTES), "routes").as_uri()), "access")
    save(access.screenshot(), "access", margin=24)


def chart(page: Page, name: str) -> Locator:
    place = page.locator("nav.toc a", has_text=name.capitalize()).get_attribute("href")
    return page.locator(f"{place} figure.drawn")


PARTS = {"web": take_web, "report": take_report, "analyses": take_analyses}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="take these alone")
    parser.add_argument("--keep", action="store_true", help="use the runs of the last time")
    asked = parser.parse_args()
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        sys.exit("there is no Chromium on the path; install one (Debian, Ubuntu: apt-get install chromium)")
    if not asked.keep:
        shutil.rmtree(WORK, ignore_errors=True)
    folder = make_runs()
    label(folder)
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium refuses root in its sandbox
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=[*sandbox, "--disable-dev-shm-usage"])
        for part in asked.only:
            PARTS[part](browser, folder)
        browser.close()


if __name__ == "__main__":
    main()
