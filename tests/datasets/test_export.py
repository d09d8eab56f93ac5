import json
import sys
import tempfile
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from layouts import picture

from mossbench.datasets import Dataset, export_dataset, load_dataset
from mossbench.errors import MissingExtra, StorageError, UsageError
from mossbench.samples import Harm, Region, Sample, Side, Stimulus

PICTURES = {
    "red.png": picture("red"),
    "blue.jpg": picture("blue", "JPEG"),
    "webp.png": picture("green", "WEBP"),
    "broken.png": b"no picture",
}
TRAPS = [
    '"',
    "'",
    "a,b",
    "a\nb",
    "a\r\nb",
    "\r",
    "\t",
    " ",
    " a ",
    "001",
    "1.0",
    "=1",
    "None",
    "nan",
    "null",
    "true",
    "[]",
]
TRAPS += ["\\n", "é\u2028", "\ufeff", "\x00", "😀"]
texts = st.sampled_from(TRAPS) | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
flags = st.none() | st.booleans()
images = st.none() | st.sampled_from([*PICTURES, "missing.png"])
integers = st.integers(-(2**31), 2**31)
samples = st.builds(
    Sample,
    id=texts.filter(bool),
    side=st.sampled_from(Side),
    question=texts,
    image=images,
    stimulus=st.none() | st.sampled_from(Stimulus),
    harm=st.none() | st.sampled_from(Harm),
    human=flags,
    child=flags,
    syn=flags,
    ocr=flags,
    cluster=texts,
    twin=texts,
    short_description=texts,
    description=texts,
    oracle_description=texts,
    oracle_intent=texts,
    explicit_request=texts,
    triggers=st.lists(
        st.builds(Region, label=texts, left=integers, top=integers, right=integers, bottom=integers), max_size=2
    ).map(tuple),  # fmt: skip
    counterfactual=images,
)
datasets = st.builds(
    Dataset,
    name=texts.filter(bool),
    samples=st.lists(samples, min_size=1, max_size=4, unique_by=lambda s: s.key).map(tuple),
    root=st.just(Path()),
    source=texts,
    revision=st.none() | texts,
    licence=texts,
    warning=texts,
    citation=texts,
)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictures")
    for name, data in PICTURES.items():
        (folder / name).write_bytes(data)
    return folder


def without_paths(dataset):
    return [s.model_copy(update={"image": None, "counterfactual": None}) for s in dataset]


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(dataset=datasets)
def test_what_is_exported_loads_as_the_same_dataset(root, format, dataset):
    from dataclasses import replace

    dataset = replace(dataset, root=root)
    with tempfile.TemporaryDirectory() as folder:
        loaded = load_dataset(export_dataset(dataset, Path(folder) / "out", format))
        assert loaded == dataset
        assert without_paths(loaded) == without_paths(dataset)
        for field in ("name", "source", "revision", "licence", "warning", "citation"):
            assert getattr(loaded, field) == getattr(dataset, field)
        for old, new in zip(dataset, loaded, strict=True):
            assert (old.image is None) == (new.image is None)
            assert (old.counterfactual is None) == (new.counterfactual is None)
            if old.image in PICTURES:
                assert loaded.picture(new) == PICTURES[old.image]


@pytest.fixture
def place(tmp_path):
    (tmp_path / "place").mkdir()
    return tmp_path / "place"


@pytest.fixture
def dataset(root):
    made = (
        Sample(id="1", question="a?", image="red.png"),
        Sample(id="2", question="b?", image="webp.png", harm=7),
        Sample(id="A", question="c?", image="red.png"),
        Sample(id="a", question="d?", image="red.png"),
        Sample(id="../x", question="e?", image="missing.png"),
        Sample(id="1", side=Side.CONTRAST, question="f?", image="blue.jpg", counterfactual="red.png"),
    )
    return Dataset("toy", made, root, licence="CC BY-SA 4.0; for testing only", warning="Mind the gap.")


def test_the_folder_is_what_the_hub_reads(dataset, place):
    out = export_dataset(dataset, place / "out")
    files = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    assert files == [
        "README.md",
        "croissant.json",
        "dataset.json",
        "images/benign/1.png",
        "images/benign/2.webp",  # by its bytes, though it was named .png
        "images/benign/A.png",
        "images/benign/a_.png",  # where case is not told apart, a.png would be A.png
        "images/contrast/1-without-trigger.png",
        "images/contrast/1.jpg",
        "metadata.jsonl",
    ]
    rows = [json.loads(line) for line in (out / "metadata.jsonl").read_text().splitlines()]
    assert rows[1] == {
        "id": "2",
        "side": "benign",
        "question": "b?",
        "file_name": "images/benign/2.webp",
        "harm": 7,
        "counterfactual_file_name": None,
    }
    card = (out / "README.md").read_text()
    assert card.startswith("---\nlicense: cc-by-sa-4.0\n")
    assert '["metadata.jsonl", "images/**"]' in card
    assert "for testing only" in card and "Mind the gap." in card
    assert json.loads((out / "dataset.json").read_text())["hashes"] == {
        side.value: digest for side, digest in dataset.hashes.items()
    }


def test_a_folder_that_holds_files_is_left_as_it_is(dataset, place):
    (place / "notes.txt").write_text("mine")
    for overwrite in (False, True):
        with pytest.raises(UsageError, match="already holds files"):
            export_dataset(dataset, place, overwrite=overwrite)
    assert [path.name for path in place.iterdir()] == ["notes.txt"]
    with pytest.raises(UsageError, match="is a file; name a folder"):
        export_dataset(dataset, place / "notes.txt")


def test_an_earlier_export_is_replaced_when_asked_even_by_itself(dataset, place):
    out = export_dataset(dataset, place / "out", "csv")
    with pytest.raises(UsageError, match="overwrite=True"):
        export_dataset(dataset, out)
    assert load_dataset(export_dataset(load_dataset(out), out, "jsonl", overwrite=True)) == dataset
    assert not (out / "metadata.csv").exists()
    assert [path.name for path in place.iterdir()] == ["out"]  # nothing half-made is left


def test_an_empty_folder_is_used(dataset, place):
    (place / "out").mkdir()
    assert load_dataset(export_dataset(dataset, place / "out")) == dataset


def test_nothing_is_left_when_writing_fails(dataset, place, monkeypatch):
    def full(self, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(StorageError, match="No space left on device; .*free some space"):
        export_dataset(dataset, place / "out")
    assert list(place.iterdir()) == []


def test_an_earlier_export_stays_when_writing_fails(dataset, place, monkeypatch):
    export_dataset(dataset, place / "out")
    monkeypatch.setattr("mossbench.datasets.export.croissant", Mock(side_effect=OSError(28, "No space left on device")))
    with pytest.raises(StorageError, match="cannot write"):
        export_dataset(dataset, place / "out", overwrite=True)
    assert [path.name for path in place.iterdir()] == ["out"] and load_dataset(place / "out") == dataset


def test_the_folder_in_which_one_is_cannot_be_replaced(dataset, place, monkeypatch):
    monkeypatch.chdir(place)
    with pytest.raises(UsageError, match="'.' is the current folder"):
        export_dataset(dataset, ".")


def test_a_place_that_cannot_be_made_is_a_storage_error(dataset, place):
    (place / "file").write_text("")
    with pytest.raises(StorageError, match="cannot write"):
        export_dataset(dataset, place / "file" / "out")


def test_an_unknown_format_and_a_missing_extra_are_said_before_anything_is_written(dataset, place, monkeypatch):
    with pytest.raises(UsageError, match="no export format named 'cvs'; did you mean 'csv'"):
        export_dataset(dataset, place / "out", "cvs")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"needs the extra \[parquet\]"):
        export_dataset(dataset, place / "out", "parquet")
    assert list(place.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
def test_the_published_data_survive_export(published, place, format):
    loaded = load_dataset(export_dataset(published, place / "out", format))
    assert loaded == published
    assert without_paths(loaded) == without_paths(published)
