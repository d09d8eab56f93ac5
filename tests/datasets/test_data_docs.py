import re
from pathlib import Path

import pytest
from test_check import FAULTS

from mossbench.datasets import DATASETS, load_dataset
from mossbench.samples import Sample

PAGE = (Path(__file__).parents[2] / "docs" / "data.md").read_text()


def test_the_example_file_loads(tmp_path):
    (example,) = re.findall(r"```\n(\{.*?)```", PAGE, re.DOTALL)
    (tmp_path / "kites.jsonl").write_text(example)
    benign, contrast = load_dataset(tmp_path / "kites.jsonl")
    assert (benign.id, contrast.twin) == ("kite-1", "kite-1")


@pytest.mark.parametrize("name", sorted({code for code, *_ in FAULTS} | set(Sample.model_fields) | set(DATASETS)))
def test_every_dataset_field_and_finding_is_documented(name):
    assert f"`{name}`" in PAGE
