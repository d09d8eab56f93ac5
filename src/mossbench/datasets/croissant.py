"""The description of an exported dataset in Croissant with its RAI terms, for dataset search and loaders.

Every sentence is counted from the samples or comes from the dataset. Address, creator and date of publication are not
known before it is published: `push` adds them.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mossbench.datasets.dataset import SUFFIXES, Dataset
from mossbench.plumbing.untrusted_files import read_file
from mossbench.samples import Side

FILE = "croissant.json"
_WORDS: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("croissant_words.json").read_text("utf-8"))
_DATA_TYPES: dict[frozenset[type], str] = {
    frozenset(): "sc:Text",
    frozenset({str}): "sc:Text",
    frozenset({bool}): "sc:Boolean",
    frozenset({int}): "sc:Integer",
    frozenset({float}): "sc:Float",
    frozenset({int, float}): "sc:Float",
}
"""Types of the values of a column -> Croissant's data type."""


def licence_tag(licence: str) -> str:
    """The SPDX name that a licence begins with; empty if there is none."""
    spdx_spelling = re.sub(r"^CC (BY[A-Z-]*) ", r"CC-\1-", licence)
    return next((tag for tag in sorted(_WORDS["licences"], reverse=True) if spdx_spelling.startswith(tag)), "")


def croissant(dataset: Dataset, folder: Path, table: str, columns: Mapping[str, Iterable[Any]]) -> dict[str, Any]:
    """The metadata of an exported folder, which has a table with these columns: croissant.json, filled in."""
    metadata: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    table_format = table.rpartition(".")[2]
    if table_format == "csv":
        data_types = dict.fromkeys(columns, "sc:Text")
    else:
        data_types = {name: _data_type(values) for name, values in columns.items()}
    undescribed = [name for name, data_type in data_types.items() if not data_type]
    metadata["distribution"] = [_table_file(folder, table, undescribed), *_image_files(folder)]
    fields = [_field(name, data_type) for name, data_type in data_types.items() if data_type]
    metadata["recordSet"] = [{"@type": "cr:RecordSet", "@id": "samples", "name": "samples", "field": fields}]
    rai_terms = {f"rai:{term}": text for term, text in _rai_texts(dataset).items() if text}
    return metadata | _about(dataset) | rai_terms


def _table_file(folder: Path, table: str, undescribed: list[str]) -> dict[str, Any]:
    note = f" Not described, as lists or mixed: {', '.join(undescribed)}." if undescribed else ""
    return {
        "@type": "cr:FileObject",
        "@id": "metadata",
        "name": "metadata",
        "contentUrl": table,
        "sha256": hashlib.sha256(read_file(folder / table)).hexdigest(),
        "description": f"The samples, one a row.{note}",
        "encodingFormat": _WORDS["tables"][table.rpartition(".")[2]],
    }


def _image_files(folder: Path) -> list[dict[str, Any]]:
    """The images of an exported folder, one entry for each suffix."""
    media_types: dict[str, str] = {}
    for media_type, suffixes in SUFFIXES.items():
        media_types |= dict.fromkeys(suffixes, media_type)
    return [
        {
            "@type": "cr:FileSet",
            "@id": f"images{suffix}",
            "name": f"images{suffix}",
            "description": "Images of both sides.",
            "includes": f"images/*/*{suffix}",
            "encodingFormat": media_types.get(suffix, "application/octet-stream"),
        }
        for suffix in sorted({path.suffix for path in folder.glob("images/*/*")})
    ]


def _field(column: str, data_type: str) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"samples/{column}",
        "name": column,
        "dataType": data_type,
        "source": {"fileObject": {"@id": "metadata"}, "extract": {"column": column}},
        "description": _WORDS["means"].get(column, f"The field {column} of a sample."),
    }


def _data_type(values: Iterable[Any]) -> str:
    """Croissant's type of a column's values; empty for lists and for values of several types.

    Croissant's readers do not know lists of records.
    """
    types = frozenset(type(value) for value in values if value is not None)
    return _DATA_TYPES.get(types, "")


def _about(dataset: Dataset) -> dict[str, str]:
    words = {Side.BENIGN: "harmless requests", Side.CONTRAST: "harmful requests"}
    counts = Counter(sample.side for sample in dataset.samples)
    sizes = " and ".join(f"{counts[side]} {words[side]}" for side in dataset.sides)
    about = {
        "name": dataset.name,
        "description": f"{sizes or 'No samples'}; content hash {dataset.version}.",
        "license": _WORDS["licences"].get(licence_tag(dataset.licence), dataset.licence),
        "version": dataset.revision if re.fullmatch(r"\d+\.\d+\.\d+", dataset.revision or "") else "",
        "citeAs": dataset.citation or dataset.version,
    }
    return {name: text for name, text in about.items() if text}


def _rai_texts(dataset: Dataset) -> dict[str, str]:
    n = len(dataset)
    samples = dataset.samples
    n_human = sum(sample.human is True for sample in samples)
    n_child = sum(sample.child is True for sample in samples)
    n_unknown = sum(sample.human is None for sample in samples)
    scenes = {sample.cluster for sample in samples if sample.cluster}
    n_with_scene = sum(bool(sample.cluster) for sample in samples)
    people = f"human in {n_human}, child in {n_child}, unknown for {n_unknown}"
    shared_scenes = f"{n_with_scene} of {n} samples are set in {len(scenes)} scenes"
    return {
        "dataUseCases": "Measuring how often models refuse harmless requests and answer harmful ones.",
        "dataCollection": f"Taken from {dataset.source}." if dataset.source else "",
        "dataManipulationProtocol": "Images are copied under new names.",
        "personalSensitiveInformation": f"People in images, of {n} samples: {people}.",
        "dataBiases": f"{shared_scenes}; samples of one scene are not independent." if scenes else "",
        "dataSocialImpact": f"Content warning: {dataset.warning}" if dataset.warning else "",
        "dataLimitations": _WORDS["limits"]["dataLimitations"],
    }
