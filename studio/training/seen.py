"""Looks at the bundled sketches, so that nobody who runs a control model on them has to wait until it has.

    python -m studio.training.seen src/mossbench/models/control/seen.npz

Again whenever mossbench.models.control.sight or its weights change: what another code saw is not used.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import numpy as np

from mossbench.datasets import Dataset, load_dataset
from mossbench.images.limits import DEFAULT_LIMITS
from mossbench.images.preparing import prepare
from mossbench.models.control import sight


def pictures(dataset: Dataset) -> set[Path]:
    """The files of all images of a dataset, counterfactuals too."""
    found = {
        path for sample in dataset for path in (*dataset.picture_paths(sample), dataset.counterfactual_path(sample))
    }
    return {path for path in found if path is not None}


def write(out: Path) -> None:
    """Writes down how sure the eyes are of every class in each image, as it is and as analyses send it.

    They write it anew; another version of the encoder may give other bytes, which are then looked at when they come.
    """
    whole = sorted(map(Path.read_bytes, pictures(load_dataset("sketches"))))
    in_one_format = (prepare(data, DEFAULT_LIMITS.with_one_format()).data for data in whole)
    seen = {hashlib.sha256(data).hexdigest(): sight._seen(data) for data in (*whole, *in_one_format)}
    known = {digest: picture.evidence for digest, picture in sorted(seen.items()) if picture.evidence}
    sure = np.array(list(known.values()), np.float32)
    np.savez_compressed(out, by=sight._notes(), digests=np.array(list(known)), sure=sure)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    write(parser.parse_args().out)
