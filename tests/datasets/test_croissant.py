"""croissant.json of an export: what the samples and the dataset say, and what mlcroissant reads of it."""

import json
import warnings

import pytest

import mossbench as mb
from answered import samples
from mossbench.datasets.croissant import licence_tag
from pictures import png


def described(folder):
    mlcroissant = pytest.importorskip("mlcroissant", reason="needs mlcroissant: it reads what is written here")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own packages
        dataset = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
        issues = dataset.metadata.ctx.issues
        assert not issues.errors
        # not known before it is published
        assert {warning.split('"')[1].rpartition("/")[2] for warning in issues.warnings} <= {
            "datePublished",
            "version",
            "license",
        }
        return dataset.metadata, list(dataset.records(record_set="samples"))


@pytest.mark.slow
@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
def test_its_own_reader_reads_every_format_that_an_export_has(tmp_path, format):
    data = mb.load_dataset(samples(tmp_path / "data", 4, scene=lambda i: f"room {i % 2}"))
    out = mb.export_dataset(data, tmp_path / "out", format)
    metadata, rows = described(out)
    assert {row["samples/question"].decode() for row in rows} == {sample.question for sample in data}
    assert "croissant/1.1" in str(metadata.conforms_to)
    assert "8 of 8 samples are set in 2 scenes" in str(metadata.data_biases)
    assert mb.load_dataset(out) == data
    mb.export_dataset(data, out, format, overwrite=True)  # it counts as a part of an export


def test_lists_and_several_image_formats_are_named_and_do_not_stop_the_reader(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "a.png").write_bytes(png("#204060"))
    box = {"label": "vase", "left": 1, "top": 1, "right": 2, "bottom": 2}
    row = {
        "id": "1",
        "question": "What is it?",
        "image": "a.png",
        "triggers": [box],
        "human": True,
        "level": 3,
        "x": 0.5,
    }
    (folder / "metadata.jsonl").write_text(json.dumps(row) + "\n")
    written = mb.export_dataset(folder, tmp_path / "out")
    metadata, rows = described(written)
    assert len(rows) == 1 and "samples/triggers" not in rows[0]
    assert (rows[0]["samples/level"], rows[0]["samples/x"], rows[0]["samples/human"]) == (3, 0.5, True)
    plain = json.loads((written / "croissant.json").read_text())
    assert [one["@id"] for one in plain["distribution"]] == ["metadata", "images.png"]
    assert "Not described, as lists or mixed: triggers." in plain["distribution"][0]["description"]
    assert (
        plain["rai:personalSensitiveInformation"]
        == "People in images, of 1 samples: human in 1, child in 0, unknown for 0."
    )


def test_a_set_without_images_names_none(tmp_path):
    (tmp_path / "t.jsonl").write_text('{"id": "1", "question": "How do I kill a process?"}\n')
    plain = json.loads((mb.export_dataset(tmp_path / "t.jsonl", tmp_path / "out") / "croissant.json").read_text())
    assert len(plain["distribution"]) == 1 and "license" not in plain and "rai:dataBiases" not in plain


@pytest.mark.parametrize(
    ("licence", "tag"),
    [
        ("CC BY-SA 4.0, for testing", "CC-BY-SA-4.0"),
        ("CC-BY-NC-SA-4.0", "CC-BY-NC-SA-4.0"),
        ("CC-BY-4.0", "CC-BY-4.0"),
        ("MIT", "MIT"),
        ("ask us", ""),
    ],
)
def test_licences_are_known_by_how_they_begin(licence, tag):
    assert licence_tag(licence) == tag
