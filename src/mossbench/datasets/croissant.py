"""A dataset as it was written, in Croissant's words with its RAI terms: dataset search and loaders understand it.

Every sentence is counted from the samples or said by the dataset itself. Address, creator and day of publication are
not known before it is published: `push` adds them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mossbench.datasets.dataset import SUFFIXES, Dataset
from mossbench.plumbing.reading import read_file
from mossbench.samples import Side

FILE = "croissant.json"
LICENCES = {
    "Apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "MIT": "https://opensource.org/license/mit",
} | {
    f"CC-{kind.upper()}-4.0": f"https://creativecommons.org/licenses/{kind}/4.0/"
    for kind in ("by", "by-sa", "by-nc", "by-nc-sa")
}
LICENCES |= {"CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/"}
_TABLES = {"jsonl": "application/jsonlines", "csv": "text/csv", "parquet": "application/x-parquet"}
_TYPES = {"human": "sc:Boolean", "child": "sc:Boolean", "syn": "sc:Boolean", "ocr": "sc:Boolean", "harm": "sc:Integer"}
_LISTS = ("triggers", "more_images_file_names")
_MEANS = {
    "id": "Name of the sample; a harmless one and its harmful twin share it.",
    "side": "benign: should be answered; contrast: should be refused.",
    "question": "The request that goes with the image.",
    "file_name": "The image, relative to this file.",
}


def licence_tag(licence: str) -> str:
    """The SPDX name that a licence begins with, or empty."""
    spelled = re.sub(r"^CC (BY[A-Z-]*) ", r"CC-\1-", licence)
    return next((tag for tag in sorted(LICENCES, key=len, reverse=True) if spelled.startswith(tag)), "")


def croissant(dataset: Dataset, folder: Path, table: str, columns: Iterable[str]) -> dict[str, Any]:
    """The metadata of an exported folder: croissant.json beside this module, filled in.

    Args:
        dataset: What was written.
        folder: Where, with its table and its images.
        table: The name of the table, such as metadata.jsonl.
        columns: Of the table.
    """
    whole: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    kind = table.rpartition(".")[2]
    names = list(columns)
    lists = [name for name in names if name in _LISTS and kind != "csv"]  # its reader knows no lists of records
    images = {path.suffix for path in folder.glob("images/*/*")}
    types = {suffix: name for name, suffixes in SUFFIXES.items() for suffix in suffixes}
    whole["distribution"] = [
        {
            "@type": "cr:FileObject",
            "@id": "metadata",
            "name": "metadata",
            "description": "The samples, one a row." + (f" Lists: {', '.join(lists)}." if lists else ""),
            "contentUrl": table,
            "encodingFormat": _TABLES[kind],
            "sha256": hashlib.sha256(read_file(folder / table)).hexdigest(),
        },
        *(
            {
                "@type": "cr:FileSet",
                "@id": f"images{suffix}",
                "name": f"images{suffix}",
                "description": "Images of both sides.",
                "encodingFormat": types.get(suffix, "application/octet-stream"),
                "includes": f"images/*/*{suffix}",
            }
            for suffix in sorted(images)
        ),
    ]
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"samples/{column}",
            "name": column,
            "description": _MEANS.get(column, f"The field {column} of a sample."),
            "dataType": _TYPES.get(column, "sc:Text") if kind != "csv" else "sc:Text",
            "source": {"fileObject": {"@id": "metadata"}, "extract": {"column": column}},
        }
        for column in names
        if column not in lists
    ]
    whole["recordSet"] = [{"@type": "cr:RecordSet", "@id": "samples", "name": "samples", "field": fields}]
    return whole | _about(dataset) | {f"rai:{term}": text for term, text in _rai(dataset).items() if text}


def _about(dataset: Dataset) -> dict[str, str]:
    sides = {side: sum(one.side is side for one in dataset.samples) for side in dataset.sides}
    words = {Side.BENIGN: "harmless requests", Side.CONTRAST: "harmful requests"}
    found = {
        "name": dataset.name,
        "description": f"{' and '.join(f'{n} {words[side]}' for side, n in sides.items()) or 'No samples'}; "
        f"content hash {dataset.version}.",
        "license": LICENCES.get(licence_tag(dataset.licence), dataset.licence),
        "version": dataset.revision if re.fullmatch(r"\d+\.\d+\.\d+", dataset.revision or "") else "",
        "citeAs": dataset.citation or dataset.version,
    }
    return {name: text for name, text in found.items() if text}


def _rai(dataset: Dataset) -> dict[str, str]:
    n, samples = len(dataset), dataset.samples
    shown = [f"{flag} in {sum(getattr(one, flag) is True for one in samples)}" for flag in ("human", "child")]
    open_ = sum(one.human is None for one in samples)
    scenes = {one.cluster for one in samples if one.cluster}
    return {
        "dataUseCases": "Measuring how often models refuse harmless requests and answer harmful ones.",
        "dataCollection": f"Taken from {dataset.source}." if dataset.source else "",
        "dataManipulationProtocol": "Images are copied under new names.",
        "personalSensitiveInformation": f"People in images, of {n} samples: {', '.join(shown)}, not said of {open_}.",
        "dataBiases": f"{sum(bool(one.cluster) for one in samples)} of {n} samples are set in {len(scenes)} scenes; "
        "samples of one scene are not independent."
        if scenes
        else "",
        "dataSocialImpact": f"Content warning: {dataset.warning}" if dataset.warning else "",
        "dataLimitations": "What is not in the table was not recorded; how samples were chosen is known to their "
        "source alone.",
    }
