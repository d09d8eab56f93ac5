"""A release in Croissant's words, version 1.0 with its RAI terms, so that dataset search and loaders understand it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mossbench.plumbing.reading import read_file

FILE = "croissant.json"
_CONTEXT = Path(__file__).with_suffix(".json")
"""The names of Croissant 1.0, as its specification lists them."""
_TYPES = {"human": "sc:Boolean", "child": "sc:Boolean", "syn": "sc:Boolean", "ocr": "sc:Boolean", "harm": "sc:Integer"}
_MEANS = {
    "id": "Name of the sample; a harmless one and its harmful twin share it.",
    "side": "benign: should be answered; contrast: should be refused.",
    "question": "The request that goes with the image.",
    "file_name": "The image, relative to this file.",
}


def croissant(about: Mapping[str, str], rai: Mapping[str, str | list[str]], release: Path) -> dict[str, Any]:
    """The metadata of a release folder.

    Args:
        about: name, description, version, license, citeAs, datePublished.
        rai: RAI terms without their prefix.
        release: The folder, with metadata.jsonl in it.
    """
    table = read_file(release / "metadata.jsonl")
    columns = list(json.loads(table.partition(b"\n")[0]))
    files = [
        {
            "@type": "cr:FileObject",
            "@id": "metadata",
            "name": "metadata",
            "description": "One sample a line.",
            "contentUrl": "metadata.jsonl",
            "encodingFormat": "application/jsonlines",
            "sha256": hashlib.sha256(table).hexdigest(),
        },
        {
            "@type": "cr:FileSet",
            "@id": "images",
            "name": "images",
            "description": "Images of both sides.",
            "encodingFormat": "image/png",
            "includes": "images/*/*.png",
        },
    ]
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"samples/{column}",
            "name": column,
            "description": _MEANS.get(column, f"The field {column} of a sample."),
            "dataType": _TYPES.get(column, "sc:Text"),
            "source": {"fileObject": {"@id": "metadata"}, "extract": {"column": column}},
        }
        for column in columns
        if column not in ("triggers", "more_images_file_names")  # lists, which no sample of a build has
    ]
    return {
        "@context": json.loads(_CONTEXT.read_text("utf-8")),
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"],
        **about,
        **{f"rai:{term}": value for term, value in rai.items()},
        "distribution": files,
        "recordSet": [{"@type": "cr:RecordSet", "@id": "samples", "name": "samples", "field": fields}],
    }
