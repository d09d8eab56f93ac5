"""A release in Croissant's words, version 1.0 with its RAI terms, so that dataset search and loaders understand it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mossbench.plumbing.reading import read_file

FILE = "croissant.json"
_TYPES = {"human": "sc:Boolean", "child": "sc:Boolean", "syn": "sc:Boolean", "ocr": "sc:Boolean", "harm": "sc:Integer"}
_MEANS = {
    "id": "Name of the sample; a harmless one and its harmful twin share it.",
    "side": "benign: should be answered; contrast: should be refused.",
    "question": "The request that goes with the image.",
    "file_name": "The image, relative to this file.",
}


def croissant(about: Mapping[str, str], rai: Mapping[str, str | list[str]], release: Path) -> dict[str, Any]:
    """The metadata of a release folder: croissant.json beside this module, filled in.

    Args:
        about: name, description, version, license, citeAs, datePublished.
        rai: RAI terms of this release, without their prefix.
        release: The folder, with metadata.jsonl in it.
    """
    whole: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    table = read_file(release / "metadata.jsonl")
    whole["distribution"][0]["sha256"] = hashlib.sha256(table).hexdigest()
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"samples/{column}",
            "name": column,
            "description": _MEANS.get(column, f"The field {column} of a sample."),
            "dataType": _TYPES.get(column, "sc:Text"),
            "source": {"fileObject": {"@id": "metadata"}, "extract": {"column": column}},
        }
        for column in json.loads(table.partition(b"\n")[0])
    ]
    whole["recordSet"] = [{"@type": "cr:RecordSet", "@id": "samples", "name": "samples", "field": fields}]
    return whole | dict(about) | {f"rai:{term}": value for term, value in rai.items()}
