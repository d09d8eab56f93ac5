"""The read-only pages as files: a site that works from a folder, from any static host and below any path of it.

Pages hold their style and script; images and downloads lie beside them, and every address is relative.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mossbench.analyses.listing import AnalysisPage, list_analyses
from mossbench.datasets.arms import ARMS, PLAIN, Arm
from mossbench.errors import UsageError
from mossbench.leaderboard.boards import Board
from mossbench.leaderboard.names import public_name
from mossbench.look.page import Frame, render_page
from mossbench.outcomes import Rule
from mossbench.plumbing.file_names import slug
from mossbench.plumbing.json_values import to_json
from mossbench.plumbing.storage import replacing_folder
from mossbench.published.results_json import records_csv
from mossbench.reports.board_page import board_page
from mossbench.reports.board_tables import boards_csv
from mossbench.reports.build import make_report
from mossbench.reports.html import ReportLinks, report_page
from mossbench.samples import Sample, Side
from mossbench.web.analyses import address_of, analysis_lines, make_analysis
from mossbench.web.columns import Column
from mossbench.web.compare import make_comparison
from mossbench.web.data import Data
from mossbench.web.explorer import Scene, View, first_runs, make_explorer
from mossbench.web.filters import Filter
from mossbench.web.home import changes_of, make_home, standings_of
from mossbench.web.leaderboard import boards_of_published, boards_of_runs, rankable, superseded_of
from mossbench.web.loaded_run import LoadedRun, SampleKey
from mossbench.web.model import ModelName, ModelStanding, make_model
from mossbench.web.pages import Link, run_code, template_values
from mossbench.web.runs import RunsPage, grouped, pictures_in, run_line, runs_words
from mossbench.web.samples import Card, make_card
from mossbench.web.settings import Settings
from mossbench.web.shelf import Shelf, wait_until_read
from mossbench.web.site_addresses import SiteAddresses, file_stem
from mossbench.web.site_pictures import IMAGES, OnStep, SitePictures
from mossbench.web.site_plan import data_shown, plan_of
from mossbench.web.site_privacy import public_rows, without_addresses

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MARK = ".mossbench-site"
"""A file that marks a folder as a site of ours, which may be replaced."""
OnPlan = Callable[[Sequence[str]], None]
"""Called with what the site will hold, a line for each run, board and dataset, before anything is written."""
N_CHANGED = 100
"""Changed samples that the page of a comparison shows."""
N_COMPARED = 10
"""Models that are compared with the first one of their standing."""
PICTURE_SIZES = (160, 320, 640)


def write_site(
    settings: Settings, out: Path, *, on_step: OnStep = lambda *_: None, on_plan: OnPlan = lambda _: None
) -> Path:
    """Writes home, leaderboard, runs with their reports, samples with all answers, and downloads; returns the folder.

    The site has the runs in `settings.runs`, the submissions in `settings.board` and the datasets in `settings.data`.
    Without `settings.board` no submission is published, not even from a board in the folder of runs.
    """
    if not _may_be_replaced(out):
        raise UsageError(f"{str(out)!r} holds something that is not a mossbench site; name a new or an empty folder")
    if settings.board is not None and not settings.board.is_dir():
        raise UsageError(f"no folder {str(settings.board)!r} with submissions; name the folder of a board")
    with TemporaryDirectory(ignore_cleanup_errors=True) as empty_board:
        if settings.board is None:
            settings = replace(settings, board=Path(empty_board))
        files = _make_files(Shelf(settings), on_step, on_plan)
    with replacing_folder(out) as folder:
        (folder / IMAGES).mkdir()
        for name, content in {**files, MARK: b""}.items():
            (folder / name).write_bytes(content)
    return out


def _may_be_replaced(out: Path) -> bool:
    """Whether it is missing, an empty folder, or a site."""
    if not out.exists():
        return True
    return out.is_dir() and (not any(out.iterdir()) or (out / MARK).is_file())


def _make_files(shelf: Shelf, on_step: OnStep, on_plan: OnPlan) -> dict[str, bytes]:
    """Names and contents of all files of the site; the shelf is closed in the end."""
    try:
        shelf.read_everything()
        on_plan(wait_until_read(lambda: plan_of(shelf)))
        n_pages = wait_until_read(lambda: _n_pages(shelf))
        n_done = 0
        files: dict[str, bytes] = {}
        for name, content in _Site(shelf, on_step).files():
            if isinstance(content, str):
                content = without_addresses(content, shelf.runs()).encode("utf-8", "replace")
            n_done += name.endswith(".html") and name not in files
            files[name] = content
            if name.endswith(".html"):
                on_step("pages", n_done, n_pages)
        return files
    finally:
        shelf.close()


def _n_pages(shelf: Shelf) -> int:
    """Home, leaderboard and downloads, the list of runs, a report for each, and the samples of all data."""
    runs = shelf.runs()
    n_pages = 3
    if runs:
        n_pages += 1
    readable = [run.results for run in runs if run.results is not None]
    n_pages += len(readable) + len({results.model for results in readable})
    n_pages += len(_pairs(shelf)) + len(list_analyses(shelf.settings.runs))
    n_pages += sum(1 + len(data.samples) for data in data_shown(shelf))
    return n_pages


def _pairs(shelf: Shelf) -> list[tuple[str, str]]:
    """The runs that are compared: a model's newest with the one before, and others with the first of their standing."""
    candidates = rankable(shelf, shelf.runs())
    pairs = [(change.before, change.run) for change in changes_of(shelf, candidates, waits=True).changes]
    for standing in standings_of(shelf, candidates):
        first, *others = [place.run for place in standing.not_less_safe if place.model] or [""]
        less_safe = [place.run for place in standing.places if place.model and place not in standing.not_less_safe]
        pairs += [(first, other) for other in [*others, *less_safe][:N_COMPARED] if first]
    return list(dict.fromkeys(pairs))


@dataclass(frozen=True)
class OnlyOnSites:
    """What explorer.html shows only on a site; what it shows only in the app is empty."""

    first: Collection[str]
    """Runs that are ticked until the reader chooses others."""
    all_data: Sequence[tuple[str, str]] = ()
    data_option: str = ""


@dataclass(frozen=True)
class Download:
    """A file that downloads.html lists."""

    name: str
    description: str
    content: str

    @property
    def n_bytes(self) -> int:
        return len(self.content.encode())


@dataclass(frozen=True)
class MovedPage:
    """What moved.html shows at an address that has no file."""

    reports: Sequence[tuple[str, str, str]]
    """The run of each report, its file, and how its file ended when it began with a number."""


@dataclass(frozen=True)
class DownloadsPage:
    """What downloads.html shows."""

    files: Sequence[tuple[str, str, int]]
    """Names, descriptions and sizes in bytes."""


@dataclass(frozen=True)
class SiteSamplesPage:
    """What site_samples.html shows."""

    data: Data
    heading: str
    tiles: Sequence[Card]
    filters: Sequence[Filter]
    refused_in: Callable[[Card], str]


def samples_heading(n_samples: int, data_title: str) -> str:
    return f"{n_samples:,} {'sample' if n_samples == 1 else 'samples'} of {data_title}"


def refused_in(card: Card) -> str:
    """How many of the runs that count refused the sample."""
    return f"Refused in {card.n_refused} of {card.n_counted} {'run' if card.n_counted == 1 else 'runs'}"


@dataclass(frozen=True)
class _DataFiles:
    """The pages of one dataset, and their label in the bar."""

    data: Data
    label: str
    file: str

    @property
    def pages(self) -> dict[SampleKey, str]:
        """The page of each sample."""
        stem = self.file.removesuffix(".html")
        return {sample.key: f"{stem}-{sample.side}-{file_stem(sample.id)}.html" for sample in self.data.samples}


class _Site:
    """All files of a site, with the names of the files that pages link to."""

    def __init__(self, shelf: Shelf, on_step: OnStep) -> None:
        self._shelf = shelf
        self._runs = shelf.runs()
        self._data = _data_files(data_shown(shelf))
        self._pictures = {files.data.key: SitePictures(files.data, on_step) for files in self._data}
        self._analyses = list_analyses(shelf.settings.runs)
        self._addresses = self._make_addresses()
        self._reports = self._addresses.runs

    def _make_addresses(self) -> SiteAddresses:
        addresses = SiteAddresses(self._picture_of)
        for run in self._runs:
            if run.results:
                addresses.runs[run.name] = f"run-{file_stem(run.name)}.html"
                addresses.models[run.results.model] = f"model-{file_stem(public_name(run.results.model))}.html"
        for pair in wait_until_read(lambda: _pairs(self._shelf)):
            addresses.comparisons[pair] = f"compare-{file_stem(pair[0])}-with-{file_stem(pair[1])}.html"
        for analysis in self._analyses:
            file = f"analysis-{file_stem(analysis.folder)}-{file_stem(analysis.stem)}.html"
            addresses.analyses[address_of(analysis)] = file
        for files in self._data:
            for number, run in enumerate(files.data.runs, start=1):
                addresses.samples[run_code(run.name)] = files.pages
                addresses.columns[run_code(run.name)] = number
        return addresses

    def _picture_of(self, query: Mapping[str, str]) -> str:
        """The file in place of the app's picture, in the smallest size that is as large, or the largest."""
        pictures = self._pictures.get(query.get("data", ""))
        data = next((files.data for files in self._data if files.data.key == query.get("data")), None)
        if pictures is None or data is None:
            return ""
        sample = data.by_key.get((Side(query["side"]), query["id"]))
        wanted = int(query.get("size", PICTURE_SIZES[-1]))
        size = next((size for size in PICTURE_SIZES if size >= wanted), PICTURE_SIZES[-1])
        shown = query.get("shown")
        return pictures.get(sample, size, PLAIN if shown is None else _arm_that_shows(shown))

    def _frame(self, current_page: str) -> Frame:
        links: list[Link] = [("Home", "index.html"), ("Leaderboard", "leaderboard.html")]
        if self._runs:
            links.append(("Runs", "runs.html"))
        for files in self._data:
            links.append((files.label, files.file))
        links.append(("Downloads", "downloads.html"))
        return Frame(links=tuple(links), here=current_page, home="index.html", has_downloads=True, images=True)

    def files(self) -> Iterator[tuple[str, str | bytes]]:
        """Names and contents: pages, downloads, and then the images that the pages show."""
        yield "index.html", wait_until_read(self._home)
        own_boards, left_out = wait_until_read(lambda: boards_of_runs(self._shelf, Rule.SYSTEM, None))
        boards = [*own_boards, *wait_until_read(lambda: boards_of_published(self._shelf, None))]
        yield "leaderboard.html", self._leaderboard(boards, left_out)
        if self._runs:
            yield "runs.html", self._list_of_runs()
        for model, file in self._addresses.models.items():
            yield file, wait_until_read(partial(self._model, model))
        yield from self._comparisons()
        for analysis in self._analyses:
            yield self._addresses.analyses[address_of(analysis)], self._analysis(analysis)
        downloads = self._downloads(boards)
        for download in downloads:
            yield download.name, download.content
        listed = DownloadsPage([(download.name, download.description, download.n_bytes) for download in downloads])
        yield "downloads.html", self._page("downloads.html", "Downloads", listed)
        yield "404.html", self._page("moved.html", "", self._moved())
        for files in self._data:
            yield from self._pages_of_data(files)
        for pictures in self._pictures.values():
            yield from pictures.used.items()

    def _page(self, template: str, current_page: str, *records: DataclassInstance) -> str:
        page = render_page(template, frame=self._frame(current_page), **template_values(*records))
        return self._addresses.within(page)

    def _moved(self) -> MovedPage:
        reports = []
        for run in self._runs:
            if run.name in self._reports:
                reports.append((f"{run.label} ({run.name})", self._reports[run.name], slug(run.name)))
        return MovedPage(reports)

    def _home(self) -> str:
        home = replace(make_home(self._shelf, is_live=False), folder="runs", is_changing=False)
        return self._page("home.html", "Home", home)

    def _model(self, model: str) -> str:
        """The page of a model, without what changes by itself and the folder of recorded answers."""
        records = []
        for record in make_model(self._shelf, model):
            if isinstance(record, ModelStanding):
                record = replace(record, is_changing=False)
            elif isinstance(record, ModelName):
                record = replace(record, full=public_name(record.full))
            records.append(record)
        return self._page("model.html", "Leaderboard", *records)

    def _comparisons(self) -> Iterator[tuple[str, str]]:
        for pair, file in list(self._addresses.comparisons.items()):
            records = wait_until_read(partial(make_comparison, self._shelf, pair, N_CHANGED))
            if records:
                yield file, self._page("compare.html", "Runs", *records)

    def _analysis(self, analysis: AnalysisPage) -> str:
        return self._page("analysis_shown.html", "Runs", wait_until_read(lambda: make_analysis(self._shelf, analysis)))

    def _leaderboard(self, boards: Sequence[Board], left_out: Sequence[str]) -> str:
        links = dict(self._addresses.models)  # a page of the model for each of its rows
        for run in self._runs:
            if run.results:
                links[run.name] = self._addresses.models[run.results.model]
        frame = self._frame("Leaderboard")
        return board_page(boards, frame=frame, left_out=left_out, models=links)

    def _list_of_runs(self) -> str:
        superseded = wait_until_read(lambda: superseded_of(self._shelf, rankable(self._shelf, self._runs)))
        rows = []
        for run in self._runs:
            line = run_line(run, superseded)
            rows.append(replace(line, link=line.link if run.name in self._reports else ""))
        words = runs_words(rows, can_compare=False)
        content = RunsPage(rows, grouped(rows), words, folder="", analyses=analysis_lines(self._shelf))
        return self._page("runs.html", "Runs", content)

    def _downloads(self, boards: Sequence[Board]) -> list[Download]:
        downloads = [
            Download("leaderboard.csv", "All boards, one row for each model", boards_csv(boards)),
            Download("leaderboard.json", "The same with places, ties and methods", to_json(boards)),
        ]
        for run in self._runs:
            if run.results is not None:
                name = self._reports[run.name].replace(".html", ".csv")
                description = f"Rows of {run.label} ({run.name}), {len(run.results):,} in all"
                downloads.append(Download(name, description, records_csv(public_rows(run.whole()))))
        return downloads

    def _pages_of_data(self, files: _DataFiles) -> Iterator[tuple[str, str]]:
        data = files.data
        pages = files.pages
        for number, run in enumerate(data.runs, start=1):
            links = ReportLinks({key: f"{page}#m{number}" for key, page in pages.items()})
            yield self._reports[run.name], self._report(run, data, links)
        pictures = self._pictures[data.key]
        tiles = []
        for sample in data.samples:
            card = make_card(data, sample)
            tiles.append(replace(card, explorer=pages[sample.key], picture=pictures.get(sample, 320)))
        content = SiteSamplesPage(
            data=data,
            heading=samples_heading(len(tiles), data.title),
            tiles=tiles,
            filters=data.filters,
            refused_in=refused_in,
        )
        yield files.file, self._page("site_samples.html", files.label, content)
        yield from self._pages_of_samples(files, pages)

    def _report(self, run: LoadedRun, data: Data, links: ReportLinks) -> str:
        pictures = self._pictures[data.key]
        report = make_report(run.whole())
        pictures_of_report = pictures_in(run, report, data, lambda sample, arm: pictures.get(sample, 320, arm))
        return report_page([report], [pictures_of_report], frame=self._frame("Runs"), links=links)

    def _pages_of_samples(self, files: _DataFiles, pages: Mapping[SampleKey, str]) -> Iterator[tuple[str, str]]:
        data = files.data
        by_side: dict[Side, list[str]] = {side: [] for side in Side}
        places: dict[SampleKey, int] = {}
        for sample in data.samples:
            places[sample.key] = len(by_side[sample.side])
            by_side[sample.side].append(pages[sample.key])
        only_on_sites = OnlyOnSites(first={data.labels[run.name] for run in first_runs(data)})
        for sample in data.samples:
            pages_of_side = by_side[sample.side]
            place = places[sample.key]
            view = View(
                data=data,
                runs=data.runs,
                side=sample.side,
                chosen_filters={},
                show="all",
                refusing_run=None,
                answering_run=None,
            )
            explorer = make_explorer(view, sample.id, is_live=False)
            explorer = replace(
                explorer,
                previous_link=pages_of_side[place - 1] if place else "",
                next_link=pages_of_side[place + 1] if place + 1 < len(pages_of_side) else "",
                pages=" ".join(pages_of_side) if explorer.ids else "",
                scene=self._scene(explorer.scene, sample, files, pages) if explorer.scene else None,
                columns=[
                    self._column(column, run, sample, self._pictures[data.key])
                    for run, column in zip(data.runs, explorer.columns, strict=True)
                ],
            )
            yield pages[sample.key], self._page("explorer.html", files.label, explorer, only_on_sites)

    def _scene(self, scene: Scene, sample: Sample, files: _DataFiles, pages: Mapping[SampleKey, str]) -> Scene:
        """The scene with pictures and links of this site."""
        pictures = self._pictures[files.data.key]
        return replace(
            scene,
            picture=pictures.get(sample, 640),
            twin_picture=pictures.get(scene.twin, 160),
            list_link=f"{files.file}#{pages[sample.key].removesuffix('.html')}",
            twin_link=pages[scene.twin.key] if scene.twin else "",
        )

    def _column(self, column: Column, run: LoadedRun, sample: Sample, pictures: SitePictures) -> Column:
        """The column with the report and the picture of this site."""
        _, mark, anchor = column.report.partition("#")
        return replace(
            column,
            report=f"{self._reports[run.name]}{mark}{anchor}",
            asked_picture=pictures.get(sample, 320, column.arm) if column.asked_picture else "",
        )


def _data_files(all_data: Sequence[Data]) -> list[_DataFiles]:
    files = []
    titles = [data.title for data in all_data]
    for data in all_data:
        label = "Samples" if len(all_data) == 1 else f"Samples of {data.title}"
        is_first_of_title = all_data[titles.index(data.title)] is data
        stem = file_stem(data.title if is_first_of_title else data.key)
        files.append(_DataFiles(data, label, f"samples-{stem}.html"))
    return files


def _arm_that_shows(choice: str) -> Arm:
    """An arm that shows this picture in place of the sample's own."""
    return next((arm for arm in ARMS.values() if arm.picture == choice), PLAIN)
