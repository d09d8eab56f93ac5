"""The bundled sample set: our own questions with pictures drawn by our own code. Needs no network and no download."""

from __future__ import annotations

from pathlib import Path

from mossbench.datasets.dataset import Dataset
from mossbench.datasets.files import load_file
from mossbench.errors import DataError

FOLDER = Path(__file__).parent / "sketches_data"


def load_sketches(folder: Path = FOLDER) -> Dataset:
    """The bundled set from the package's own data folder."""
    metadata = folder / "metadata.jsonl"
    if not metadata.is_file():
        raise DataError(f"the bundled set is not in this installation ({metadata} is missing); install mossbench again")
    loaded = load_file(metadata)
    return Dataset(
        name="sketches",
        samples=loaded.samples,
        root=folder,
        source="bundled with mossbench",
        licence="Apache-2.0, as mossbench itself",
    )
