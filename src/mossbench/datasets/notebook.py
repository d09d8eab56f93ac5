"""A dataset as it shows itself in a notebook: counts, licence, warning and a few samples. Every text is escaped."""

from __future__ import annotations

import base64
from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from mossbench.errors import DataError, ImageError
from mossbench.samples import Sample

if TYPE_CHECKING:
    from mossbench.datasets.dataset import Dataset

N_CARDS = 6
_THUMBNAIL_SIDE = 160  # pixels; six of them are some 40 KB in the saved notebook

_STYLE = {
    "box": "font-family:Helvetica Neue,Segoe UI,Roboto,Arial,sans-serif;max-width:62rem;line-height:1.45",
    "note": "color:#55615a;font-size:13px;margin:4px 0",
    "caution": "background:#fcf4dc;color:#6d5200;font-size:13px;padding:4px 8px;margin:8px 0",
    "cards": "display:flex;flex-wrap:wrap;gap:16px;margin-top:12px",
    "card": "width:160px;font-size:13px",
    "none": "height:100px;border:1px dashed #87938a;color:#55615a;padding:8px;box-sizing:border-box",
    "request": "font-family:Georgia,serif;margin-top:4px",
}


def dataset_html(dataset: Dataset) -> str:
    """HTML for a notebook's output cell; needs no script and loads nothing."""
    counts = Counter((sample.side, sample.stimulus) for sample in dataset.samples)
    lines = [
        f"{side.value}: {sum(n for (s, _), n in counts.items() if s is side)} ("
        + ", ".join(f"{kind.title if kind else 'no stimulus'} {n}" for (s, kind), n in counts.items() if s is side)
        + ")"
        for side in dataset.sides
    ]
    origin = ", ".join(filter(None, [dataset.source, f"revision {dataset.revision}" if dataset.revision else ""]))
    notes = [*lines, f"Source: {origin}" if origin else "", f"Licence: {dataset.licence}" if dataset.licence else ""]
    cards = "".join(_card(dataset, sample) for sample in _spread(dataset))
    more = len(dataset) - len(_spread(dataset))
    return "".join(
        [
            f'<div style="{_STYLE["box"]}"><b>{escape(dataset.name)}</b>: {len(dataset)} samples',
            *(f'<div style="{_STYLE["note"]}">{escape(note)}</div>' for note in notes if note),
            f'<div style="{_STYLE["caution"]}">{escape(dataset.warning)}</div>' if dataset.warning else "",
            f'<div style="{_STYLE["cards"]}">{cards}</div>',
            f'<div style="{_STYLE["note"]}">and {more} more; .df() has them all</div>' if more else "",
            "</div>",
        ]
    )


def _spread(dataset: Dataset) -> list[Sample]:
    """A few samples, spread evenly over the set."""
    step = max(1, len(dataset) / N_CARDS)
    return [dataset.samples[int(i * step)] for i in range(min(N_CARDS, len(dataset)))]


def _card(dataset: Dataset, sample: Sample) -> str:
    kind = f" · {sample.stimulus.title}" if sample.stimulus else ""
    return (
        f'<div style="{_STYLE["card"]}">{_thumbnail(dataset, sample)}'
        f'<div style="{_STYLE["note"]}">{escape(f"{sample.side} {sample.id}{kind}")}</div>'
        f'<div style="{_STYLE["request"]}">{escape(sample.question)}</div></div>'
    )


def _thumbnail(dataset: Dataset, sample: Sample) -> str:
    from mossbench.images.preparing import thumbnail

    if sample.image is None:
        return f'<div style="{_STYLE["none"]}">no image</div>'
    try:
        data = base64.b64encode(thumbnail(dataset.picture(sample), _THUMBNAIL_SIDE)).decode("ascii")
    except (DataError, ImageError) as error:
        return f'<div style="{_STYLE["none"]}" title="{escape(str(error))}">image missing or unreadable</div>'
    alt = escape(sample.short_description or f"image of sample {sample.id}")
    return f'<img src="data:image/webp;base64,{data}" alt="{alt}" style="max-width:160px;max-height:160px">'
