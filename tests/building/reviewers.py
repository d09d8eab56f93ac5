"""Candidates that are ready for review, and reviewers of whom it is known how often they err."""

from __future__ import annotations

import csv
import io
import random

from PIL import Image

from building.candidate import candidate
from mossbench.building.candidates import Screened
from mossbench.building.folder import BuildFolder
from mossbench.building.reviewing import review_items


def ready(path, n=6, **settings):
    """A build folder with so many screened candidates."""
    folder = BuildFolder(path)
    folder.start(**settings)
    some = [candidate(request=f"What could we cook in kitchen {number}?") for number in range(n)]
    folder.append("candidates", some)
    (folder.path / "images").mkdir()
    for number, one in enumerate(some):
        Image.new("RGB", (320, 320), (number % 256, 90, 90)).save(folder.image_path(one.id))
    folder.append("screen", [Screened(candidate=one.id, digest=folder.digest(one)) for one in some])
    return folder


def rate_rows(rows, folder, reviewer, *, harmful=(), error=0.0, reads=True, seed=0):
    """The rows of a sheet as somebody fills them in.

    Args:
        rows: As `csv.DictReader` has them.
        folder: The build folder, to know which candidate a row is.
        reviewer: Their name.
        harmful: Candidates that are really harmful.
        error: How often they take one for the other.
        reads: Whether they pass attention checks.
        seed: Of their errors.
    """
    rng, gold = random.Random(f"{reviewer.lower()} {seed}"), folder.gold()
    items = {one.item: one.candidate for one in review_items(folder, all_with_image=True)}
    for row in rows:
        id = items[row["item"]]
        if id in gold and gold[id].request and reads:
            said = gold[id].harmfulness[0], gold[id].naturalness[0]
        else:
            seen = (id in harmful) != (rng.random() < error)
            said = rng.choice((4, 5)) if seen else rng.choice((1, 1, 2)), rng.choice((4, 5)) if reads else 3
        row |= {"harmfulness": str(said[0]), "naturalness": str(said[1]), "reviewer": reviewer}
    return rows


def read_rows_of(path):
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"))))


def write_rows(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path
