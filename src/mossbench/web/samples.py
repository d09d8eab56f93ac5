"""Samples: the samples of every installed dataset, with the outcome of each run."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Request
from fastapi import Query as QueryParameter
from pydantic import BeforeValidator
from starlette.responses import Response

from mossbench.datasets.arms import ARMS
from mossbench.errors import Code, UsageError
from mossbench.plumbing.untrusted_files import state_of
from mossbench.reports.html import card_anchor
from mossbench.reports.words.explorer_page import twin_title
from mossbench.reports.words.search_page import samples_heading
from mossbench.samples import Sample, Side, value_text
from mossbench.web.data import Data, OutcomesOfSample
from mossbench.web.filters import FLAGS, Filter, chosen_of, fits, with_chosen
from mossbench.web.loaded_run import LoadedRun, SampleKey
from mossbench.web.pages import (
    FULL_SIZE,
    SIDES,
    ChosenNumber,
    ChosenSide,
    ChosenText,
    Query,
    address,
    page,
    picture_address,
    run_address,
    shelf_of,
)
from mossbench.web.sample_cards import deciding_sentence

router = APIRouter()
PictureSize = tuple[int, int]
"""Width and height, in pixels."""
LONGEST_FACT = 80
"""Characters of a value that are shown."""
SAMPLES_PER_PAGE = (24, 48, 96, 192)
REPLACED_NUMBERS = {"": "24", "20": "24", "50": "48", "100": "96", "200": "192", "all": "192"}
"""Numbers in addresses of earlier versions."""


@dataclass(frozen=True)
class Card:
    """A sample with its picture, request, facts, twin, and the outcome of each run."""

    sample: Sample
    side: str
    facts: Sequence[str]
    anchor: str
    picture: str
    large: str
    counterfactual: str
    """The picture without its trigger; empty where there is none."""
    size: PictureSize | None
    """Of a sample with triggers, whose boxes are measured in it."""
    explorer: str
    twin: Sample | None
    twin_title: str
    twin_picture: str
    outcomes: OutcomesOfSample
    n_counted: int
    """Runs whose answer counts."""
    n_refused: int


@dataclass(frozen=True)
class Chip:
    """A choice that is made."""

    words: str
    without: str
    """The page without it."""


@dataclass(frozen=True)
class SamplesPage:
    """What samples.html shows."""

    data: Data
    all_data: Sequence[tuple[str, str, int]]
    """Keys, titles and numbers of samples."""
    query: Query
    heading: str
    cards: Sequence[Card]
    n_samples: int
    """On all pages."""
    start: int
    """Index of the first one on this page."""
    previous_page: str
    next_page: str
    shuffled: str
    hardest_first: str
    """Empty where they are in this order."""
    in_order: str
    """The dataset's order; empty where they are in it."""
    order_words: str
    chips: Sequence[Chip]
    """The choices that are made, each with the address without it."""
    refused_sentences: Mapping[SampleKey, str]
    """Where only what a run refused is shown: the sentence that refused."""
    filters: Sequence[Filter]
    samples_per_page: Sequence[int]


@router.get("/samples")
def samples_page(
    request: Request,
    data: ChosenText = None,
    side: ChosenSide = None,
    text: Annotated[str, QueryParameter(max_length=200)] = "",
    n: Annotated[
        Literal["24", "48", "96", "192"], BeforeValidator(lambda value: REPLACED_NUMBERS.get(value, value))
    ] = "24",
    order: Annotated[Literal["refused", "dataset"] | None, BeforeValidator(lambda value: value or None)] = None,
    seed: ChosenNumber = None,
    refused: ChosenText = None,
    start: Annotated[int, QueryParameter(ge=0)] = 0,
) -> Response:
    shelf = shelf_of(request)
    chosen = shelf.choose(data)
    filters = chosen_of(request.query_params)
    refused_by = _run_named(chosen, refused)
    matches = matching(chosen, text, side, filters)
    if refused_by is not None:
        matches = [sample for sample in matches if refused_by.refusals.get(sample.key)]
    samples = _in_order(matches, chosen, seed, order)
    step = int(n)
    start = min(start, max(len(samples) - 1, 0) // step * step)  # at most the last page
    end = start + step
    query: Query = {
        "data": chosen.key if data else None,
        "side": side and side.value,
        **filters,
        "text": text,
        "n": n if n != "24" else None,
        "order": order,
        "seed": seed,
        "refused": refused,
    }
    hardest_first: Query = query | {"order": None, "seed": None}
    content = SamplesPage(
        data=chosen,
        all_data=[(choice.key, choice.title, len(choice.samples)) for choice in shelf.data()],
        query=query,
        cards=[make_card(chosen, sample) for sample in samples[start:end]],
        heading=samples_heading(len(samples), chosen.title),
        n_samples=len(samples),
        start=start,
        previous_page=address("/samples", **query, start=max(start - step, 0) or None) if start else "",
        next_page=address("/samples", **query, start=end) if end < len(samples) else "",
        shuffled=address("/samples", **(hardest_first | {"seed": (seed or 0) + 1})),
        hardest_first=address("/samples", **hardest_first) if order or seed is not None else "",
        in_order=address("/samples", **(hardest_first | {"order": "dataset"})) if order != "dataset" else "",
        order_words=_order_words(order, seed, has_runs=bool(chosen.runs)),
        chips=_chips(query, chosen, with_chosen(chosen.filters, filters), refused_by),
        refused_sentences=_refused_sentences(refused_by, samples[start:end]),
        filters=with_chosen(chosen.filters, filters),
        samples_per_page=SAMPLES_PER_PAGE,
    )
    return page(request, "samples.html", "Samples", content)


def _run_named(data: Data, name: str | None) -> LoadedRun | None:
    """The run of these data with this name; None if no name is given."""
    if name is None:
        return None
    for run in data.runs:
        if run.name == name:
            return run
    raise UsageError(f"no run named {name!r} asked {data.key}", code=Code.NOT_FOUND)


def _in_order(samples: Sequence[Sample], data: Data, seed: int | None, order: str | None) -> list[Sample]:
    """The hardest first, or those that most runs refused, or shuffled; of equal ones the dataset's order."""
    in_order = list(samples)
    if seed is not None:
        random.Random(seed).shuffle(in_order)
    if order == "refused":
        in_order.sort(key=lambda sample: -data.n_refused[sample.key])
    elif order is None and seed is None:
        in_order.sort(key=lambda sample: -data.n_wrong[sample.key])
    return in_order


def _order_words(order: str | None, seed: int | None, *, has_runs: bool) -> str:
    if order == "refused":
        return "most refused first"
    if seed is not None:
        return "shuffled"
    return "hardest first" if has_runs and order is None else "in the order of the dataset"


def _chips(query: Query, data: Data, filters: Sequence[Filter], refused_by: LoadedRun | None) -> list[Chip]:
    """The choices that are made, in words."""
    chips = []
    if refused_by is not None:
        chips.append(_chip(query, "refused", f"refused by {data.labels[refused_by.name]}"))
    if query["side"]:
        chips.append(_chip(query, "side", SIDES[Side(str(query["side"]))]))
    if query["text"]:
        chips.append(_chip(query, "text", f"“{query['text']}”"))
    for filter in filters:
        if filter.chosen:
            words = dict(filter.options).get(filter.chosen, filter.chosen)
            chips.append(_chip(query, filter.name, f"{filter.title.lower()}: {words}"))
    return chips


def _chip(query: Query, name: str, words: str) -> Chip:
    return Chip(words, address("/samples", **(query | {name: None})))


def _refused_sentences(run: LoadedRun | None, samples: Sequence[Sample]) -> dict[SampleKey, str]:
    if run is None:
        return {}
    sentences = {sample.key: deciding_sentence(run.by_sample[sample.key][0]) for sample in samples}
    return {key: sentence for key, sentence in sentences.items() if sentence}


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


def make_card(data: Data, sample: Sample) -> Card:
    twin = data.twin_of(sample)
    without_trigger = ARMS["counterfactual"]
    refused = [run.refusals.get(sample.key) for run in data.runs]
    return Card(
        sample=sample,
        side=SIDES[sample.side],
        facts=facts(sample),
        anchor=card_anchor(sample.side, sample.id),
        picture=picture_address(data, sample, 480),
        large=picture_address(data, sample, FULL_SIZE),
        counterfactual=picture_address(data, sample, 480, without_trigger) if without_trigger.fits(sample) else "",
        size=picture_size(data, sample) if sample.triggers else None,
        explorer=address("/explorer", data=data.key, side=sample.side.value, id=sample.id),
        twin=twin,
        twin_title=twin_title(is_harmful=twin is not None and twin.side is Side.CONTRAST),
        twin_picture=picture_address(data, twin, 240),
        outcomes=outcomes_of(data, sample),
        n_counted=sum(is_refused is not None for is_refused in refused),
        n_refused=sum(is_refused is True for is_refused in refused),
    )


def facts(sample: Sample) -> list[str]:
    """Its labels, what is in its image, and columns of one's own."""
    facts = []
    stimulus = sample.label("stimulus")
    if stimulus:
        facts.append(stimulus)
    harm = sample.label("harm")
    if harm:
        facts.append(f"harm: {harm}")
    flags = [word for flag, word in FLAGS.items() if getattr(sample, flag)]
    if flags:
        facts.append(", ".join(flags))
    for name, value in sample.metadata.items():
        if name not in ("stimulus", "harm"):
            text = value_text(value)
            facts.append(f"{name}: {text}" if len(text) <= LONGEST_FACT else f"{name}: {text[:LONGEST_FACT]}…")
    return facts


def outcomes_of(data: Data, sample: Sample) -> OutcomesOfSample:
    """The runs that asked the sample, by the outcome of their first answer, with links to it in their reports.

    Cached, because it is slow with many runs.
    """
    if not data.outcomes.get(sample.key):
        data.outcomes[sample.key] = _outcomes(data, sample)
    return data.outcomes[sample.key]


def _outcomes(data: Data, sample: Sample) -> OutcomesOfSample:
    outcomes: OutcomesOfSample = {}
    for run in data.runs:
        rows = run.by_sample.get(sample.key)
        if run.results and rows:
            link = f"{run_address(run.name)}#{card_anchor(sample.side, sample.id)}"
            outcomes.setdefault(rows[0].outcome.label, []).append((data.labels[run.name], link))
    return outcomes


def picture_size(data: Data, sample: Sample) -> PictureSize | None:
    """Width and height, which trigger boxes are measured in; None where the picture cannot be read."""
    if data.dataset is None or sample.image is None:
        return None
    try:
        # A patched picture is as large as its base, so it need not be composed.
        patched = data.dataset.patches.get(sample.image)
        path = data.dataset.root / patched.base if patched else data.dataset.picture_path(sample)
        return _size(path, state_of(path))
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=5000)
def _size(path: Path, _state: tuple[int, ...]) -> PictureSize:
    from PIL import Image

    with Image.open(path) as image:
        return image.size
