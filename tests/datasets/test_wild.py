"""Whatever a file holds: a dataset or a DataError, and `check` reports what `load` refuses."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mossbench.datasets import Severity, check_dataset, load_dataset
from mossbench.errors import DataError
from mossbench.samples import Sample

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["type 1", "../x", "7"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)
columns = st.sampled_from([*Sample.model_fields, "pid", "file_name", "metadata", "short description"])
rows = st.dictionaries(columns | st.text(max_size=5), values, max_size=5)
lines = (
    st.lists(rows.map(json.dumps) | st.text(max_size=10), max_size=4)
    .map("\n".join)
    .map(lambda t: t.encode("utf-8", "ignore"))
)
records = st.dictionaries(st.sampled_from(["1", "2", ""]), rows | values, max_size=3).map(
    lambda r: json.dumps(r).encode()
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["m.jsonl", "m.csv", "m.parquet", "information.json", "information.csv", "metadata.csv"]
)
@settings(max_examples=60)
@given(data=st.binary(max_size=60) | lines | records)
def test_any_bytes_load_or_are_refused_with_a_message(name, data):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.write_bytes(data)
        try:
            loaded = load_dataset(file)
        except DataError as error:
            assert str(error)
            loaded = None
        try:
            findings = check_dataset(file)
        except DataError:
            assert loaded is None
        else:
            assert loaded is not None or any(finding.severity is Severity.ERROR for finding in findings)
