"""The read-only pages as files: a site that works from a folder, from any static host and below any path of it.

Pages hold their style and script; images and downloads lie beside them, and every address is relative.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mossbench.datasets.arms import PLAIN, Arm
from mossbench.errors import MossbenchError, UsageError, n_of
from mossbench.images.preparing import thumbnails
from mossbench.leaderboard.names import public_name
from mossbench.leaderboard.standing import Place
from mossbench.look.page import Frame, render_page
from mossbench.outcomes import Rule
from mossbench.plumbing.storage import slug, to_json, whole_folder
from mossbench.protocols import digest
from mossbench.published.results_json import records_csv
from mossbench.reports.board_text import board_page, boards_csv
from mossbench.reports.build import make_report
from mossbench.reports.html import Ways, report_page
from mossbench.results.table import Results
from mossbench.samples import Sample, Side
from mossbench.store.notices import names_endpoint
from mossbench.web.data import Data
from mossbench.web.explorer import View, explorer_values, first_runs
from mossbench.web.home import home_values
from mossbench.web.leaderboard import board_submissions, own_boards, published, rankable, superseded_of
from mossbench.web.loaded_run import LoadedRun, SampleKey
from mossbench.web.runs import pictures_in, run_line
from mossbench.web.samples import card
from mossbench.web.settings import Settings
from mossbench.web.shelf import Shelf, patiently

MARK = ".mossbench-site"
"""Stands in a folder that is all ours and may be written again."""
IMAGES = "images"

OnStep = Callable[[str, int, int], None]
"""Called with what is being made, how many of it are there, and how many there will be."""
SIZES = (640, 320, 160)
"""Of pictures: on a sample's own page, on cards and in reports, and of twins."""


OnPlan = Callable[[Sequence[str]], None]
"""Called with what the site will hold, a line for each run, board and dataset, before anything is written."""


def write_site(
    settings: Settings, out: Path, *, on_step: OnStep = lambda *_: None, on_plan: OnPlan = lambda _: None
) -> Path:
    """The folder with the site: home, leaderboard, runs with their reports, samples with all answers, downloads.

    It holds the runs in `settings.runs`, the submissions in `settings.board` and the datasets in `settings.data`; a
    board that is not named is not published, also where it lies among the runs.
    """
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / MARK).is_file())):
        raise UsageError(f"{str(out)!r} holds something that is not a mossbench site; name a new or an empty folder")
    if settings.board is not None and not settings.board.is_dir():
        raise UsageError(f"no folder {str(settings.board)!r} with submissions; name the folder of a board")
    with TemporaryDirectory(ignore_cleanup_errors=True) as nothing:
        named = settings if settings.board is not None else replace(settings, board=Path(nothing))
        files = _made_files(Shelf(named), on_step, on_plan)
    with whole_folder(out) as folder:
        (folder / IMAGES).mkdir()
        for name, written in {**files, MARK: b""}.items():
            (folder / name).write_bytes(written)
    return out


def _made_files(shelf: Shelf, on_step: OnStep, on_plan: OnPlan) -> dict[str, bytes]:
    """Names and contents of all files of the site; the shelf is closed in the end."""
    try:
        shelf.settle()
        on_plan(_plan(shelf))
        reports = [run for run in shelf.runs() if run.results is not None]
        n = 3 + bool(shelf.runs()) + len(reports) + sum(1 + len(one.samples) for one in _shown(shelf))
        files: dict[str, bytes] = {}
        for name, content in _files(shelf, on_step):
            text = _without_addresses(content, shelf.runs()) if isinstance(content, str) else content
            files[name] = text.encode("utf-8", "replace") if isinstance(text, str) else text
            if name.endswith(".html"):
                on_step("pages", sum(one.endswith(".html") for one in files), n)
        return files
    finally:
        shelf.close()


def _plan(shelf: Shelf) -> list[str]:
    """What the site will hold, for whoever has to decide whether everybody may see it."""
    lines = [_planned_run(run) for run in shelf.runs()]
    folder = shelf.settings.board_path
    submissions, faults = patiently(lambda: board_submissions(shelf))
    for submission in submissions:
        lines.append(f"submission {submission.model} in {folder}: its rates, without answers")
    for fault in faults:
        lines.append(f"the name and the fault of a file in {folder}: {fault}")
    for data in _shown(shelf):
        images = "requests and images" if data.dataset is not None else "requests, without images"
        lines.append(f"dataset {data.title}: {n_of(len(data.samples), 'sample')}, {images}")
    lines.append("the published figures, which come with mossbench")
    return lines


def _planned_run(run: LoadedRun) -> str:
    if run.results is None:
        return f"run {run.name}: its name and why it cannot be read"
    model = public_name(run.results.model)
    rows = n_of(run.n_rows, "row")
    return f"run {run.name} of {model}: {rows} with requests, answers and verdicts, and its report"


def _without_addresses(page: str, runs: Sequence[LoadedRun]) -> str:
    """The page with digests in the place of endpoints: whom one asks may be nobody else's business."""
    urls = set[str]()
    for results in (run.results for run in runs if run.results):
        info, labels = results.info, [str(results.judge), *results.info.verdicts]
        texts = [info.config.base_url, info.config.judge, *filter(names_endpoint, info.notices)]
        texts += [label.rpartition("/")[0] for label in labels]
        urls |= {url.rstrip("/") for text in filter(None, texts) for url in re.findall(r"https?://[^\s&]+", text)}
    for url in sorted(urls, key=len, reverse=True):
        page = page.replace(escape(url), f"endpoint-{digest(url)}").replace(url, f"endpoint-{digest(url)}")
    return page


def _shown(shelf: Shelf) -> list[Data]:
    """Data that were asked, and those that were named; what else is installed is nobody's subject here."""
    named = {one.key for one in shelf.datasets()[1 : 1 + len(shelf.settings.data)]}
    return [one for one in shelf.data() if one.runs or one.key in named]


def _files(shelf: Shelf, on_step: OnStep) -> Iterator[tuple[str, str | bytes]]:
    """Names and contents of all files: pages, downloads, and then the images that the pages show."""
    data = _shown(shelf)
    pictures = {one.key: _Pictures(one, on_step) for one in data}
    labels = ["Samples"] if len(data) == 1 else [f"Samples of {one.title}" for one in data]
    samples = [(label, f"samples{f'-{i}' if i > 1 else ''}.html") for i, label in enumerate(labels, start=1)]
    runs = shelf.runs()
    own = (("Runs", "runs.html"),) if runs else ()
    bar = (("Home", "index.html"), ("Leaderboard", "leaderboard.html"), *own, *samples)

    def frame(here: str) -> Frame:
        return Frame(links=(*bar, ("Downloads", "downloads.html")), here=here, home="index.html", images=True)

    files = {run.name: f"run-{i}-{slug(run.name)}.html" for i, run in enumerate(runs, start=1) if run.results}
    newest = {run.results.model: files[run.name] for run in runs[::-1] if run.results}
    yield "index.html", patiently(lambda: _home_page(shelf, files, frame("Home")))
    boards, left_out = patiently(lambda: own_boards(shelf, Rule.SYSTEM, None))
    boards = [*boards, *patiently(lambda: published(shelf, None))]
    yield (
        "leaderboard.html",
        board_page(boards, frame=frame("Leaderboard"), left_out=left_out, models={**newest, **files}),
    )
    superseded = patiently(lambda: superseded_of(shelf, rankable(shelf, runs)))
    lines = [{**run_line(run, superseded), "link": files.get(run.name, "")} for run in runs]
    page = {"rows": lines, "folder": "", "coming": False, "again": False, "analyses": []}
    yield from ((name, render_page(name, frame=frame("Runs"), **page)) for _, name in own)
    downloads = {"leaderboard.csv": ("All boards, one row for each model", boards_csv(boards))}
    downloads["leaderboard.json"] = ("The same with places, ties and methods", to_json(boards))
    for run in runs:
        if run.results is not None:
            rows = f"Rows of {run.label} ({run.name}), {len(run.results):,} in all"
            downloads[files[run.name].replace(".html", ".csv")] = rows, records_csv(_rows(run.whole()))
    yield from ((name, content) for name, (_, content) in downloads.items())
    listed = [(name, what, len(content.encode())) for name, (what, content) in downloads.items()]
    yield "downloads.html", render_page("downloads.html", frame=frame("Downloads"), files=listed)
    for (label, file), one in zip(samples, data, strict=True):
        pages = {sample.key: f"{file[:-5]}-{sample.side}-{i}.html" for i, sample in enumerate(one.samples, start=1)}
        for i, run in enumerate(one.runs, start=1):
            ways = Ways({key: f"{page}#m{i}" for key, page in pages.items()})
            yield files[run.name], _report_page(run, one, pictures[one.key], frame("Runs"), ways)
        yield from _data_pages(one, pictures[one.key], file, pages, files, frame(label))
    for shown in pictures.values():
        yield from shown.used.items()


def _home_page(shelf: Shelf, files: dict[str, str], frame: Frame) -> str:
    """Home with the reports of the runs that stand for models in the place of the pages of models."""

    def report_of(place: Place) -> str:
        return files.get(place.run, "leaderboard.html") if place.model else "leaderboard.html"

    values = home_values(shelf, report_of)
    values["others"] = [("leaderboard.html", words, n) for _, words, n in values["others"]]
    values["changes"] = [{**one, "link": files[one["run"]], "compare": ""} for one in values["changes"]]
    values["runs"] = [{**line, "link": files.get(line["name"], "runs.html")} for line in values["runs"]]
    return render_page("home.html", frame=frame, **{**values, "folder": "runs"}, coming=False, again=False)


def _rows(results: Results) -> list[dict[str, Any]]:
    """The rows of a run without what is the business of whoever ran it."""
    own = ("answered_by", "served_by", "seconds", "tries", "waited")
    shown = [{name: value for name, value in row.items() if name not in own} for row in results.records()]
    return [{**row, "model": public_name(results.model)} for row in shown]


def _report_page(run: LoadedRun, data: Data, pictures: _Pictures, frame: Frame, ways: Ways) -> str:
    report = make_report(run.whole())
    shown = pictures_in(run, report, data, lambda sample, arm: pictures.get(sample, 320, arm))
    return report_page([report], [shown], frame=frame, ways=ways)


def _data_pages(
    data: Data, pictures: _Pictures, file: str, pages: dict[SampleKey, str], reports: dict[str, str], frame: Frame
) -> Iterator[tuple[str, str]]:
    tiles = [{**card(data, s), "open": pages[s.key], "picture": pictures.get(s, 320)} for s in data.samples]
    yield file, render_page("site_samples.html", frame=frame, data=data, tiles=tiles, filters=data.filters)
    first = {data.labels[run.name] for run in first_runs(data)}
    by_side = {side: [pages[s.key] for s in data.samples if s.side is side] for side in Side}
    for sample in data.samples:
        values = explorer_values(View(data, data.runs, sample.side, {}, "all", None, None), sample.id)
        twin, beside = data.twin_of(sample), by_side[sample.side]
        at = beside.index(pages[sample.key])
        values |= {"previous": beside[at - 1] if at else "", "next": "".join(beside[at + 1 : at + 2])}
        values["pages"] = " ".join(beside) if values["ids"] else ""
        values["scene"] |= {"picture": pictures.get(sample, 640), "twin_picture": pictures.get(twin, 160)}
        values["scene"] |= {"listed": f"{file}#{pages[sample.key][:-5]}", "twin_link": pages[twin.key] if twin else ""}
        for run, column in zip(data.runs, values["columns"], strict=True):
            column["report"] = reports[run.name] + "".join(column["report"].partition("#")[1:])
            if column.get("bare"):
                column["bare"] = pictures.get(sample, 320, column["arm"])
        yield pages[sample.key], render_page("explorer.html", frame=frame, all_data=[], given="", first=first, **values)


class _Pictures:
    """The pictures of a dataset in small, as files that are named by what they hold."""

    def __init__(self, data: Data, on_step: OnStep) -> None:
        asked = [arm.picture for run in data.runs if run.results for arm in run.results.info.arms]
        arms = [Arm(name=choice, picture=choice) for choice in {"own", "counterfactual", *asked}]
        wanted = [(sample, arm) for sample in data.samples for arm in arms if data.dataset]
        with ThreadPoolExecutor() as pool:  # Pillow lets go of the interpreter while it works
            read = list(pool.map(lambda one: _read(data, *one), wanted))
            # Each once: twins have pictures in common.
            kept: dict[bytes, dict[int, bytes]] = {content: {} for content in read if content}
            for i, (content, small) in enumerate(zip(kept, pool.map(_small, kept), strict=True), start=1):
                kept[content] = small
                on_step("images", i, len(kept))
        keys = [(sample.key, arm.picture) for sample, arm in wanted]
        self._found = {key: kept[content] for key, content in zip(keys, read, strict=True) if content}
        self.used: dict[str, bytes] = {}
        """What pages show, by its address."""

    def get(self, sample: Sample | None, size: int, arm: Arm = PLAIN) -> str:
        """The address, at one of SIZES; empty where there is no picture."""
        content = self._found.get((sample.key, arm.picture), {}).get(size) if sample else None
        if content is None:
            return ""
        name = f"{IMAGES}/{hashlib.sha256(content).hexdigest()[:16]}.webp"
        self.used[name] = content
        return name


def _read(data: Data, sample: Sample, arm: Arm) -> bytes:
    if data.dataset is None or not arm.shows_picture(sample) or not arm.fits(sample):
        return b""
    try:
        shown = arm.shown(sample, data.dataset)
        return shown.read(shown.path(sample, data.dataset))
    except MossbenchError:
        return b""


def _small(content: bytes) -> dict[int, bytes]:
    try:
        return dict(thumbnails(content, SIZES))
    except MossbenchError:
        return {}
