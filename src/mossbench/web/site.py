"""The read-only pages as files: a site that works from a folder or any static host, every page self-contained."""

from __future__ import annotations

import base64
import shutil
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from mossbench.arms import ARMS, PLAIN, Arm
from mossbench.errors import MossbenchError, UsageError
from mossbench.images import thumbnail
from mossbench.outcomes import Rule
from mossbench.reports.board_page import board_page
from mossbench.reports.build import make_report
from mossbench.reports.cards import pictures_of
from mossbench.reports.html import report_page
from mossbench.reports.page import Frame, render_page
from mossbench.runfolder import slug
from mossbench.samples import Harm, Sample, Side, Stimulus
from mossbench.storage import storage_errors
from mossbench.web.explorer import View, explorer_values
from mossbench.web.leaderboard import own_boards, published
from mossbench.web.pages import FLAGS
from mossbench.web.runs import run_line
from mossbench.web.samples import HOW_MANY, card
from mossbench.web.settings import Settings
from mossbench.web.shelf import Data, LoadedRun, Shelf, patiently

MARK = ".mossbench-site"
"""Stands in a folder that is all ours and may be written again."""


def write_site(settings: Settings, out: Path) -> Path:
    """The folder with the site: leaderboard, runs with their reports, samples, and every sample with all answers."""
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / MARK).is_file())):
        raise UsageError(f"{str(out)!r} holds something that is no site of ours; name a new or an empty folder")
    shelf = Shelf(settings)
    try:
        shelf.settle()
        pages = dict(_pages(shelf))
    finally:
        shelf.close()
    new = out.with_name(f".{out.name}.new")
    with storage_errors(out):
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        for name, content in {**pages, MARK: ""}.items():
            (new / name).write_text(content, encoding="utf-8")
        shutil.rmtree(out, ignore_errors=True)  # only now: an old site is there until the new one is whole
        new.rename(out)
    return out


def _pages(shelf: Shelf) -> Iterator[tuple[str, str]]:
    data = [one for one in shelf.data() if one.runs] or list(shelf.data())
    names = {one.key: f"samples{'' if i == 0 else f'-{i + 1}'}" for i, one in enumerate(data)}
    samples = [(f"Samples{'' if len(data) == 1 else f' of {one.name}'}", f"{names[one.key]}.html") for one in data]
    links = (("Leaderboard", "index.html"), ("Runs", "runs.html"), *samples)

    def frame(here: str) -> Frame:
        return Frame(links=links, here=here, home="index.html")

    boards, left_out = patiently(lambda: own_boards(shelf, Rule.SYSTEM, None))
    boards = [*boards, *patiently(lambda: published(shelf, None))]
    yield "index.html", board_page(boards, frame=frame("Leaderboard"), left_out=left_out)
    runs = shelf.runs()
    files = {run.name: f"run-{i}-{slug(run.name)}.html" for i, run in enumerate(runs, start=1) if run.results}
    lines = [{**run_line(run), "link": files.get(run.name, "")} for run in runs]
    yield "runs.html", render_page("runs.html", frame=frame("Runs"), rows=lines, folder=str(shelf.settings.runs))
    for run in runs:
        if run.results is not None:
            report = make_report(run.results)
            yield (
                files[run.name],
                report_page([report], [pictures_of(run.results, report.cards)], frame=frame("Runs")),
            )
    for (label, file), one in zip(samples, data, strict=True):
        yield from _data_pages(one, names[one.key], file, frame(label))


def _data_pages(data: Data, prefix: str, file: str, frame: Frame) -> Iterator[tuple[str, str]]:
    pages = {sample.key: f"{prefix}-{sample.side}-{i}.html" for i, sample in enumerate(data.samples, start=1)}
    cards = [
        {
            **card(data, sample),
            "open": pages[sample.key],
            "picture": _picture(data, sample, 320),
            "bare": _picture(data, sample, 320, ARMS["counterfactual"]),
            "twin_picture": _picture(data, data.twin_of(sample), 160),
        }
        for sample in data.samples
    ]
    choices: dict[str, Any] = {"stimulus": [(one.value, one.title) for one in Stimulus], "flags": FLAGS}
    choices |= {"harm": [(int(one), one.title) for one in Harm], "how_many": HOW_MANY}
    none = dict.fromkeys(("before", "after", "shuffled", "in_order"), "")
    yield (
        file,
        render_page(
            "samples.html",
            frame=frame,
            data=data,
            cards=cards,
            n_found=len(cards),
            start=0,
            choices=choices,
            all_data=[],
            query={},
            **none,
        ),
    )
    by_side = {side: [s for s in data.samples if s.side is side] for side in Side}
    for sample in data.samples:
        yield pages[sample.key], _sample_page(data, sample, by_side[sample.side], pages, frame)


def _sample_page(data: Data, sample: Sample, beside: list[Sample], pages: dict[Any, str], frame: Frame) -> str:
    runs: tuple[LoadedRun, ...] = data.runs
    values = explorer_values(View(data, runs, sample.side, None, "all", None, None), sample.id)
    at, twin = beside.index(sample), data.twin_of(sample)
    values["previous"] = pages[beside[at - 1].key] if at else ""
    values["next"] = pages[beside[at + 1].key] if at + 1 < len(beside) else ""
    values["scene"] |= {
        "picture": _picture(data, sample, 640),
        "twin_picture": _picture(data, twin, 160),
        "twin_link": pages[twin.key] if twin else "",
    }
    for column in values["columns"]:
        if column.get("bare"):
            column["bare"] = _picture(data, sample, 320, column["arm"])
    return render_page("explorer.html", frame=frame, all_data=[], **values)


def _picture(data: Data, sample: Sample | None, size: int, arm: Arm = PLAIN) -> str:
    """The picture as a data address, which works from a file and from a host alike; empty where it is not here."""
    if sample is None or data.dataset is None or not arm.shows_picture(sample) or not arm.fits(sample):
        return ""
    try:
        shown = arm.shown(sample, data.dataset)
        return _encoded(shown.read(shown.path(sample, data.dataset)), size)
    except MossbenchError:
        return ""


@lru_cache(maxsize=1200)
def _encoded(content: bytes, size: int) -> str:
    return "data:image/webp;base64," + base64.b64encode(thumbnail(content, size)).decode()
