"""Samples: every installed dataset to look through, with what each model made of it."""

import random
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from pydantic import BeforeValidator
from starlette.responses import Response

from mossbench.datasets.arms import ARMS
from mossbench.plumbing.reading import state_of
from mossbench.reports.html import card_anchor
from mossbench.samples import Sample, Side, value_text
from mossbench.web.data import Data
from mossbench.web.filters import FLAGS, chosen_of, fits, with_chosen
from mossbench.web.pages import (
    FULL_SIZE,
    SIDES,
    ChosenNumber,
    ChosenSide,
    ChosenText,
    address,
    page,
    picture_address,
    shelf_of,
)

router = APIRouter()
HOW_MANY = (20, 50, 100, 200)
OLD = {"": "20", "all": "200"}  # addresses of 0.1 have it; with many runs a page of all took seconds


@router.get("/samples")
def samples_page(
    request: Request,
    data: ChosenText = None,
    side: ChosenSide = None,
    text: Annotated[str, Query(max_length=200)] = "",
    n: Annotated[Literal["20", "50", "100", "200"], BeforeValidator(lambda v: OLD.get(v, v))] = "20",
    order: Annotated[Literal["refused"] | None, BeforeValidator(lambda v: v or None)] = None,
    seed: ChosenNumber = None,
    start: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    shelf = shelf_of(request)
    chosen = shelf.choose(data)
    filters = chosen_of(request.query_params)
    found = matching(chosen, text, side, filters)
    if seed is not None:
        random.Random(seed).shuffle(found)
    if order:
        refused = Counter(key for run in chosen.runs for key, down in run.turned_down.items() if down)
        found.sort(key=lambda sample: -refused[sample.key])
    step = int(n)
    start = min(start, max(len(found) - 1, 0) // step * step)  # at most the last page
    shown = found[start : start + step]
    query = {
        "data": chosen.key if data else None,
        "side": side and side.value,
        **filters,
        "text": text,
        "n": n if n != "20" else None,
        "order": order,
        "seed": seed,
    }
    return page(
        request,
        "samples.html",
        "Samples",
        data=chosen,
        all_data=[(one.key, one.title, len(one.samples)) for one in shelf.data()],
        query=query,
        cards=[card(chosen, sample) for sample in shown],
        n_found=len(found),
        start=start,
        before=address("/samples", **query, start=max(start - step, 0) or None) if start else "",
        after=address("/samples", **query, start=start + step) if start + step < len(found) else "",
        shuffled=address("/samples", **{**query, "order": None, "seed": (seed or 0) + 1}),
        most_refused=address("/samples", **{**query, "side": side or Side.BENIGN, "order": "refused", "seed": None}),
        in_order=address("/samples", **{**query, "order": None, "seed": None}) if order or seed is not None else "",
        filters=with_chosen(chosen.filters, filters),
        how_many=HOW_MANY,
    )


def matching(data: Data, text: str, side: Side | None, chosen: Mapping[str, str]) -> list[Sample]:
    """The samples that fit every choice and hold every word, in the dataset's order."""
    words = text.lower().split()
    return [
        sample
        for sample in data.samples
        if side in (None, sample.side)
        and fits(sample, chosen)
        and all(word in data.texts[sample.key] for word in words)
    ]


def card(data: Data, sample: Sample) -> dict[str, Any]:
    """A sample as it is shown: picture, request, facts, twin, and the outcome of each run."""
    twin, bare = data.twin_of(sample), ARMS["counterfactual"]
    said = data.said.get(sample.key) or data.said.setdefault(sample.key, outcomes(data, sample))
    return {
        "sample": sample,
        "side": SIDES[sample.side],
        "facts": facts(sample),
        "anchor": card_anchor(sample.side, sample.id),
        "picture": picture_address(data, sample, 480),
        "large": picture_address(data, sample, FULL_SIZE),
        "bare": picture_address(data, sample, 480, bare) if bare.fits(sample) else "",
        "size": picture_size(data, sample) if sample.triggers else None,
        "open": address("/explorer", data=data.key, side=sample.side.value, id=sample.id),
        "twin": twin,
        "twin_picture": picture_address(data, twin, 240),
        "outcomes": said,
        "n_counted": sum(run.turned_down.get(sample.key) is not None for run in data.runs),
        "n_down": sum(run.turned_down.get(sample.key) is True for run in data.runs),
    }


def facts(sample: Sample) -> list[str]:
    shown = [word for flag, word in FLAGS.items() if getattr(sample, flag)]
    harm = sample.label("harm")
    found = [sample.label("stimulus"), f"harm: {harm}" if harm else ""]
    own = {name: value_text(value) for name, value in sample.metadata.items() if name not in ("stimulus", "harm")}
    columns = [f"{name}: {text if len(text) <= 80 else text[:80] + '…'}" for name, text in own.items()]
    return [*filter(None, found), *([", ".join(shown)] if shown else []), *columns]


def outcomes(data: Data, sample: Sample) -> dict[str, list[tuple[str, str]]]:
    """Models by the outcome of their first answer, for all runs that asked the sample, with the place in its report."""
    found: dict[str, list[tuple[str, str]]] = {}
    for run in data.runs:
        rows = run.by_sample.get(sample.key)
        if run.results and rows:
            place = f"/runs/{quote(run.name, safe='')}#{card_anchor(sample.side, sample.id)}"
            found.setdefault(rows[0].outcome.label, []).append((data.labels[run.name], place))
    return found


def picture_size(data: Data, sample: Sample) -> tuple[int, int] | None:
    """Width and height, which trigger boxes are measured in; None where the picture cannot be read."""
    if data.dataset is None or sample.image is None:
        return None
    try:
        # A patched picture is as large as what it lies on, and need not be composed for that.
        patched = data.dataset.patches.get(sample.image)
        path = data.dataset.root / patched.base if patched else data.dataset.picture_path(sample)
        return _size(path, state_of(path))
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=5000)
def _size(path: Path, _state: tuple[int, ...]) -> tuple[int, int]:
    from PIL import Image

    with Image.open(path) as image:
        return image.size
