"""How a dataset is shown in a notebook: counts, licence, warning and a few samples, by notebook.html."""

from __future__ import annotations

import base64
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from mossbench.errors import DataError, ImageError
from mossbench.plumbing.templates import rendered
from mossbench.samples import Sample

if TYPE_CHECKING:
    from mossbench.datasets.dataset import Dataset

N_CARDS = 6
_THUMBNAIL_SIDE = 160  # pixels; six of them are some 40 KB in the saved notebook


def dataset_html(dataset: Dataset) -> str:
    """HTML for a notebook's output cell; needs no script and loads nothing."""
    notes = []
    for side in dataset.sides:
        samples = dataset.select(side).samples
        counts = Counter(sample.stimulus.title if sample.stimulus else "no stimulus" for sample in samples)
        stimuli = ", ".join(f"{title} {n}" for title, n in counts.items())
        notes.append(f"{side}: {len(samples)} ({stimuli})")
    revision = f"revision {dataset.revision}" if dataset.revision else ""
    origin = ", ".join(filter(None, [dataset.source, revision]))
    notes += [f"Source: {origin}" if origin else "", f"Licence: {dataset.licence}" if dataset.licence else ""]
    step = max(1, len(dataset) / N_CARDS)
    samples_shown = [dataset.samples[int(i * step)] for i in range(min(N_CARDS, len(dataset)))]
    cards = [(sample, *_thumbnail(dataset, sample)) for sample in samples_shown]
    return rendered(Path(__file__).with_suffix(".html"), dataset=dataset, notes=notes, cards=cards)


def _thumbnail(dataset: Dataset, sample: Sample) -> tuple[str, str]:
    """The image in base64, or why there is none; both empty for a sample without one."""
    from mossbench.images.preparing import thumbnail

    if sample.image is None:
        return "", ""
    try:
        return base64.b64encode(thumbnail(dataset.picture(sample), _THUMBNAIL_SIDE)).decode("ascii"), ""
    except (DataError, ImageError) as error:
        return "", str(error)
