"""Charts in Vega-Lite, drawn without a browser. Numbers come in as records; nothing is computed here.

How they look: bars and numbers in ink on no ground, the number beside its bar, no legend, zero on every axis. Colour is
kept for outcomes, so that groups stand in columns of their own.
"""

import json
import tomllib
from html import escape
from pathlib import Path
from typing import Any, Literal

from mossbench.errors import needing
from mossbench.look.page import LOOK, visible
from mossbench.plumbing.templates import rendered

Chart = dict[str, Any]
COLOURS: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def vega_lite(name: str, **values: Any) -> Chart:
    """The template of `look/templates/charts` with these values in it, and the colours by their names."""
    chart: Chart = json.loads(rendered(LOOK / f"templates/charts/{name}.json", **COLOURS, **values))
    return chart


def themed(chart: Chart, says: str | None = None, *, labels: int = 0, limit: int = 250) -> Chart:
    """The chart in the look of all charts, with what it says for those who do not see it.

    `labels`: how many pixels the names of rows have at least, so that blocks align; `limit`: how many at most.
    """
    said = {} if says is None else {"description": visible(says)}
    return {**chart, **said, "config": vega_lite("theme", labels=labels, limit=limit)}


def chart_bytes(chart: Chart, format: Literal["svg", "png", "pdf"]) -> bytes:
    """The chart drawn: an SVG with a text alternative, a PNG of double size on white, a PDF with its fonts in it."""
    with needing("a chart", "charts"):
        import vl_convert
    if format == "png":
        png: bytes = vl_convert.vegalite_to_png({**chart, "background": "white", "padding": 24}, scale=2)
        return png
    if format == "pdf":
        pdf: bytes = vl_convert.vegalite_to_pdf(chart)
        return pdf
    spoken = escape(chart["description"])
    return vl_convert.vegalite_to_svg(chart).replace("<svg ", f'<svg role="img" aria-label="{spoken}" ', 1).encode()
