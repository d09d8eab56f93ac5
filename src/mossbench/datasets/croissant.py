"""A dataset as it was written, in Croissant's words with its RAI terms: dataset search and loaders understand it.

Every sentence is counted from the samples or said by the dataset itself. Address, creator and day of publication are
not known before it is published: `push` adds them.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mossbench.datasets.dataset import SUFFIXES, Dataset
from mossbench.plumbing.untrusted_files import read_file
from mossbench.samples import Side

FILE = "croissant.json"
_WORDS: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("croissant_words.json").read_text("utf-8"))
_TYPES = {frozenset({bool}): "sc:Boolean", frozenset({int}): "sc:Integer"} | {
    frozenset(kinds): name for kinds, name in (((float,), "sc:Float"), ((int, float), "sc:Float"), ((), "sc:Text"))
}


def licence_tag(licence: str) -> str:
    """The SPDX name that a licence begins with, or empty."""
    spelled = re.sub(r"^CC (BY[A-Z-]*) ", r"CC-\1-", licence)
    return next((tag for tag in sorted(_WORDS["licences"], reverse=True) if spelled.startswith(tag)), "")


def croissant(dataset: Dataset, folder: Path, table: str, columns: Mapping[str, Iterable[Any]]) -> dict[str, Any]:
    """The metadata of an exported folder, which has a table with these columns: croissant.json here, filled in."""
    whole: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    kind = table.rpartition(".")[2]
    types = {name: "sc:Text" if kind == "csv" else _type(values) for name, values in columns.items()}
    lists = [name for name, found in types.items() if not found]  # its reader knows no lists of records
    images = {path.suffix for path in folder.glob("images/*/*")}
    media = {suffix: name for name, suffixes in SUFFIXES.items() for suffix in suffixes}
    left_out = f" Not described, as lists or mixed: {', '.join(lists)}." if lists else ""
    digest = hashlib.sha256(read_file(folder / table)).hexdigest()
    file = {"@type": "cr:FileObject", "@id": "metadata", "name": "metadata", "contentUrl": table, "sha256": digest}
    file |= {"description": f"The samples, one a row.{left_out}", "encodingFormat": _WORDS["tables"][kind]}
    whole["distribution"] = [file]
    for suffix in sorted(images):
        named = {"@type": "cr:FileSet", "@id": f"images{suffix}", "name": f"images{suffix}"}
        named |= {"description": "Images of both sides.", "includes": f"images/*/*{suffix}"}
        whole["distribution"] += [named | {"encodingFormat": media.get(suffix, "application/octet-stream")}]
    fields = []
    for column, found in types.items():
        source = {"fileObject": {"@id": "metadata"}, "extract": {"column": column}}
        field = {"@type": "cr:Field", "@id": f"samples/{column}", "name": column, "dataType": found, "source": source}
        means = _WORDS["means"].get(column, f"The field {column} of a sample.")
        fields += [field | {"description": means}] if found else []
    whole["recordSet"] = [{"@type": "cr:RecordSet", "@id": "samples", "name": "samples", "field": fields}]
    return whole | _about(dataset) | {f"rai:{term}": text for term, text in _rai(dataset).items() if text}


def _type(values: Iterable[Any]) -> str:
    """What all values are, in Croissant's words; empty where they are lists, or not all of one kind."""
    kinds = frozenset(type(value) for value in values if value is not None)
    return "sc:Text" if kinds == {str} else _TYPES.get(kinds, "")


def _about(dataset: Dataset) -> dict[str, str]:
    sides = {side: sum(one.side is side for one in dataset.samples) for side in dataset.sides}
    words = {Side.BENIGN: "harmless requests", Side.CONTRAST: "harmful requests"}
    found = {
        "name": dataset.name,
        "description": f"{' and '.join(f'{n} {words[side]}' for side, n in sides.items()) or 'No samples'}; "
        f"content hash {dataset.version}.",
        "license": _WORDS["licences"].get(licence_tag(dataset.licence), dataset.licence),
        "version": dataset.revision if re.fullmatch(r"\d+\.\d+\.\d+", dataset.revision or "") else "",
        "citeAs": dataset.citation or dataset.version,
    }
    return {name: text for name, text in found.items() if text}


def _rai(dataset: Dataset) -> dict[str, str]:
    n, samples = len(dataset), dataset.samples
    shown = [f"{flag} in {sum(getattr(one, flag) is True for one in samples)}" for flag in ("human", "child")]
    open_ = sum(one.human is None for one in samples)
    scenes = {one.cluster for one in samples if one.cluster}
    alike = f"{sum(bool(one.cluster) for one in samples)} of {n} samples are set in {len(scenes)} scenes"
    return {
        "dataUseCases": "Measuring how often models refuse harmless requests and answer harmful ones.",
        "dataCollection": f"Taken from {dataset.source}." if dataset.source else "",
        "dataManipulationProtocol": "Images are copied under new names.",
        "personalSensitiveInformation": f"People in images, of {n} samples: {', '.join(shown)}, unknown for {open_}.",
        "dataBiases": f"{alike}; samples of one scene are not independent." if scenes else "",
        "dataSocialImpact": f"Content warning: {dataset.warning}" if dataset.warning else "",
        "dataLimitations": _WORDS["limits"]["dataLimitations"],
    }
