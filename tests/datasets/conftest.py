"""Small published layouts, and the real published data where they lie beside the project."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from layouts import BENIGN, CONTRAST, PUBLISHED, write_json, write_pictures

from mossbench.datasets import Dataset, load_dataset


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """The release with `data/` and `data_contrast/`, and what else lies there."""
    root = tmp_path / "release"
    write_json(root / "data", BENIGN)
    write_json(root / "data_contrast", CONTRAST)
    write_pictures(root / "images", BENIGN)  # the release has the pictures twice
    (root / "submission_template.json").write_text('{"responses": {}, "reject Rate": {"Total": 0.5}}')
    return root


@pytest.fixture(scope="session")
def published() -> Dataset:
    if not PUBLISHED.is_dir():
        pytest.skip("the published data do not lie beside the project; small layouts of our own are tested beside it")
    return load_dataset(PUBLISHED)


@pytest.fixture
def own_folder(tmp_path: Path) -> Callable[..., Path]:
    """Writes a folder with metadata.jsonl and pictures, and returns it."""

    def write(*rows: dict, pictures: dict[str, bytes] | None = None) -> Path:
        folder = tmp_path / "own"
        folder.mkdir()
        for name, data in (pictures or {}).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        return folder

    return write
