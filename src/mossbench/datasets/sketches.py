"""The bundled dataset: our own questions with pictures drawn by our own code. Needs no network and no download.

`metadata.jsonl` holds the samples; `manifest.json` says which pictures are patches on another one, and the content
hash of every sample.
"""

import json
from pathlib import Path

from mossbench.datasets.dataset import Dataset
from mossbench.datasets.files import load_file
from mossbench.datasets.patches import Patched
from mossbench.errors import DataError

FOLDER = Path(__file__).parent / "sketches_data"
MANIFEST = "manifest.json"


def load_sketches(folder: Path = FOLDER) -> Dataset:
    metadata = folder / "metadata.jsonl"
    manifest = folder / MANIFEST
    for file in (metadata, manifest):
        if not file.is_file():
            raise DataError(f"the bundled dataset is incomplete ({file} is missing); install mossbench again")
    patches = json.loads(manifest.read_text("utf-8"))["patches"]
    return Dataset(
        name="sketches",
        samples=load_file(metadata).samples,
        root=folder,
        source="bundled with mossbench",
        licence="Apache-2.0, as mossbench itself",
        patches={name: Patched(**patch) for name, patch in patches.items()},
    )
