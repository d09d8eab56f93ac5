"""Charts in Vega-Lite, drawn without a browser: the look of all charts, and the chart of a dataset.

All charts look alike: bars and numbers in ink on a transparent background, each number beside its bar, no legend, zero
on every axis. Colour is only for outcomes, so each group has a column of its own.
"""

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, Literal

from mossbench.datasets import Description
from mossbench.datasets.describe import Counts, SideDescription
from mossbench.errors import UsageError, needing
from mossbench.look.page import LOOK, visible
from mossbench.plumbing.storage import write_atomically
from mossbench.plumbing.templates import rendered
from mossbench.samples import Harm, Side, Stimulus

Chart = dict[str, Any]
"""A Vega-Lite specification."""
BLOCK_SPACING = 40
"""Pixels between the blocks of a dataset's chart."""
ROW_NAMES_WIDTH = 256
"""Pixels for the names of rows in a dataset's chart: the longest harm class fits."""
N_TITLE_CLASSES = 2
"""How many of the most frequent harm classes a title names."""
COLOURS = {
    "ink": "#17201a",
    "soft": "#55615a",
    "grid": "#e6eae6",
    "bar": "#87938a",
    "band": "#a9b8ac",
    "twin": "#2f5f95",
    "twin_band": "#a8bfd9",
    "strong": "#c8452a",
}
"""By their names in the chart templates: `soft` is for secondary text, `twin` for harmful requests."""
_COLUMN_TITLES = {"all": "all", **{stimulus.value: stimulus.title for stimulus in Stimulus}, "none": "no stimulus"}
"""The columns of a dataset's chart, from left to right, and their titles."""
_FLAG_TITLES = {"human": "person", "child": "child", "syn": "drawn or generated", "ocr": "text that matters"}


def vega_lite(name: str, **values: Any) -> Chart:
    """The chart template `name` of `look/templates/charts`, filled with `values` and `COLOURS`."""
    chart: Chart = json.loads(rendered(LOOK / f"templates/charts/{name}.json", **COLOURS, **values))
    return chart


def themed(chart: Chart, text_alternative: str | None = None, *, labels: int = 0, limit: int = 250) -> Chart:
    """The chart in the look of all charts, with a text alternative for readers who do not see it.

    `text_alternative`: None if the chart brings its own, or needs none.
    `labels`: the least width of the row names in pixels, so that blocks align; `limit`: their greatest width.
    """
    described = chart if text_alternative is None else {**chart, "description": visible(text_alternative)}
    return {**described, "config": vega_lite("theme", labels=labels, limit=limit)}


def dataset_chart(description: Description) -> Chart:
    """The numbers of samples, flags and harm classes of a dataset, each as a total and by stimulus."""
    blocks = list(_blocks(description))
    titles = ". ".join(block["title"]["text"] for block in blocks)
    return themed({"vconcat": blocks, "spacing": BLOCK_SPACING}, titles, labels=ROW_NAMES_WIDTH)


def _blocks(description: Description) -> Iterator[Chart]:
    yield _samples_block(description)
    for side in description.sides:
        if side.flags:
            yield _flags_block(side)
        if side.harm:
            yield _harm_block(side)


def _requests_name(side: SideDescription) -> str:
    if side.side is Side.BENIGN:
        return "harmless requests"
    return "harmful twins" if side.n_twins else "harmful requests"


def _samples_block(description: Description) -> Chart:
    """How many samples each side has, as a total and by stimulus."""
    rows = {_requests_name(side): Counts(total=side.n, by_stimulus=side.stimulus) for side in description.sides}
    title = " and ".join(f"{counts.total} {name}" for name, counts in rows.items()) or "No samples"
    subtitle = f"{description.name}: number of samples"
    if description.licence:
        subtitle += f" ({description.licence})"
    largest = max((counts.total for counts in rows.values()), default=1)
    return _bars(rows, dict.fromkeys(_columns(description.sides), largest), title, subtitle)


def _flags_block(side: SideDescription) -> Chart:
    rows = {_FLAG_TITLES[flag]: counts for flag, counts in side.flags.items()}
    shares = ", ".join(f"{name} in {_percent(counts.total, side.n)}" for name, counts in rows.items())
    subtitle = f"{_requests_name(side)} with each flag; bars are shares of the column"
    return _bars(rows, _column_sizes(side), f"What the images show: {shares}", subtitle)


def _harm_block(side: SideDescription) -> Chart:
    """Harm classes, the most frequent first; the title names the first two."""
    by_frequency = sorted(side.harm.items(), key=lambda item: -item[1].total)
    rows = {Harm(code).title: counts for code, counts in by_frequency}
    top_classes = [name for name, counts in rows.items() if counts.total][:N_TITLE_CLASSES]
    share = _percent(sum(rows[name].total for name in top_classes), side.n)
    are = "are" if len(top_classes) > 1 else "is"
    # A model would wrongly suspect this harm in a harmless request; its harmful twin really asks for it.
    predicate = "could be suspected" if side.side is Side.BENIGN else "is asked for"
    title = f"{' and '.join(top_classes)} {are} what {predicate} in {share}"
    subtitle = f"{_requests_name(side)} by harm class; bars are shares of the column"
    return _bars(rows, _column_sizes(side), title, subtitle)


def _column_sizes(side: SideDescription) -> dict[str, int]:
    """How many samples of the side each column has."""
    return {column: side.stimulus.get(column, side.n) for column in _columns((side,))}


def save_chart(chart: Chart, path: Path | str) -> Path:
    """Draw the chart to a `.svg`, `.png` (double size) or `.html` file (the SVG on a page) and return its path."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in (".svg", ".png", ".html"):
        raise UsageError(f"cannot draw to {path}: the name must end in .svg, .png or .html")
    content = chart_bytes(chart, "png" if suffix == ".png" else "svg")
    if suffix == ".html":
        head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(path.stem)}</title>'
        body = f'<body style="margin:24px;background:#fbfcfa">{content.decode()}</body></html>\n'
        content = (head + body).encode()
    write_atomically(path, content)
    return path


def chart_bytes(chart: Chart, file_format: Literal["svg", "png", "pdf"]) -> bytes:
    """The chart as an SVG with its text alternative, a PNG of double size on white, or a PDF with its fonts."""
    with needing("a chart", "charts"):
        import vl_convert
    if file_format == "png":
        return bytes(vl_convert.vegalite_to_png({**chart, "background": "white", "padding": 24}, scale=2))
    if file_format == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(chart))
    svg = vl_convert.vegalite_to_svg(chart)
    text_alternative = chart.get("description")
    if text_alternative:
        svg = svg.replace("<svg ", f'<svg role="img" aria-label="{escape(text_alternative)}" ', 1)
    return svg.encode()


def _columns(sides: tuple[SideDescription, ...]) -> list[str]:
    """Keys of the columns: all samples, then each stimulus that occurs, if there is more than one."""
    stimuli = [column for column in _COLUMN_TITLES if any(column in side.stimulus for side in sides)]
    return ["all", *stimuli] if len(stimuli) > 1 else ["all"]


def _bars(rows: dict[str, Counts], sizes: dict[str, int], title: str, subtitle: str) -> Chart:
    """Rows of bars in columns; `sizes` has a column's size, of which bars are shares. Numbers are counts."""
    cells = []
    for name, counts in rows.items():
        for column, size in sizes.items():
            n = counts.total if column == "all" else counts.by_stimulus.get(column, 0)
            cells.append({"row": name, "column": _COLUMN_TITLES[column], "n": n, "share": n / size})
    columns = [_COLUMN_TITLES[column] for column in sizes]
    return vega_lite("bars", cells=cells, rows=list(rows), columns=columns, title=title, subtitle=subtitle)


def _percent(n: int, size: int) -> str:
    return f"{100 * n / size:.0f}\u202f%" if size else "–"
