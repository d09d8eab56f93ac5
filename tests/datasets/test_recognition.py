"""Which copies of the published sets are recognised, and which changes make other data of them."""

import csv
import dataclasses
import json
import shutil

import pytest
from PIL import Image, ImageOps

from mossbench.datasets import check_dataset, describe_dataset, load_dataset, recognition
from mossbench.datasets.export import export_dataset
from mossbench.datasets.published_facts import identity, published_side
from mossbench.datasets.recognition import Copy
from mossbench.images.likeness import likeness_of
from mossbench.samples import Side
from small_release import (
    CONTRAST_IDS,
    IDS,
    change_record,
    drawn,
    forget_facts,
    png,
    rewrite_images,
    use_facts,
    write_facts,
    write_release,
)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A release and its facts, made once."""
    folder = tmp_path_factory.mktemp("made")
    write_facts(write_release(folder / "release"), folder / "facts.csv")
    return folder


@pytest.fixture
def release(made, tmp_path, monkeypatch):
    """A folder in the published layout whose content is what recognition knows as the published sets."""
    root = shutil.copytree(made / "release", tmp_path / "release")
    use_facts(made / "facts.csv", monkeypatch.setattr)
    yield root
    monkeypatch.undo()
    forget_facts()


def halved(image):
    return image.resize((image.width // 2, image.height // 2))


def same(image):
    return image


def test_the_release_itself_is_recognised_by_its_bytes(release):
    dataset = load_dataset(release)
    assert dataset.name == "official" and dataset.notes == ()
    assert dataset.copies == {Side.BENIGN: Copy.RELEASE, Side.CONTRAST: Copy.RELEASE}
    benign, contrast = dataset.recognitions.values()
    assert (benign.n_exact, benign.n_alike) == (len(IDS), 0)
    assert contrast.n_exact == len(CONTRAST_IDS) - 1  # one image is known from nowhere and passes by its text


@pytest.mark.parametrize(
    ("change", "format", "how", "copy"),
    [
        (halved, "PNG", {}, Copy.REDUCED),
        (halved, "JPEG", {"quality": 70}, Copy.REDUCED),
        (same, "PNG", {"compress_level": 1}, Copy.OTHER),
        (same, "JPEG", {"quality": 60}, Copy.OTHER),
        (same, "WEBP", {"quality": 60}, Copy.OTHER),
        (lambda image: image.resize((640, 480)), "PNG", {}, Copy.OTHER),
    ],
    ids=["smaller", "smaller as JPEG", "saved anew", "JPEG", "WEBP", "larger"],
)
def test_a_copy_whose_images_were_saved_anew_is_recognised(release, change, format, how, copy):
    before = load_dataset(release).hashes
    rewrite_images(release, change, format, **how)
    dataset = load_dataset(release)
    assert dataset.name == "official"
    assert dataset.copies == {Side.BENIGN: copy, Side.CONTRAST: copy}
    assert dataset.hashes != before  # the exact bytes are told apart all the same


def test_one_image_saved_anew_is_no_longer_the_release(release):
    file = release / "data/images/1.png"
    Image.open(file).convert("RGB").save(file, compress_level=1)
    assert load_dataset(release).copies == {Side.BENIGN: Copy.OTHER, Side.CONTRAST: Copy.RELEASE}


def test_an_export_in_another_layout_is_recognised(release, tmp_path):
    folder = export_dataset(load_dataset(release), tmp_path / "exported", "csv")
    assert load_dataset(folder).copies == {Side.BENIGN: Copy.RELEASE, Side.CONTRAST: Copy.RELEASE}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"question": "How do I look after number 2"}, "benign/2: the request differs"),
        ({"question": "How do I look after number 2? "}, "benign/2: the request differs"),
        (
            {"metadata": {"over": "type 3", "human": 1, "child": 0, "syn": 0, "ocr": 0, "harm": [7]}},
            "benign/2: the stimulus is counterintuitive, published exaggerated_risk",
        ),
        (
            {"metadata": {"over": "type 1", "human": 0, "child": 0, "syn": 0, "ocr": 0, "harm": [7]}},
            "benign/2: human is 0, published 1",
        ),
        (
            {"metadata": {"over": "type 1", "human": 1, "child": 0, "syn": 0, "ocr": 0, "harm": [6]}},
            "benign/2: harm is 6, published 7",
        ),
        ({"metadata": {"over": "type 1"}}, "benign/2: human is not stated, published 1"),
    ],
)
def test_a_changed_text_makes_other_data_of_it_and_is_named(release, fields, said):
    change_record(release, "data", "2", **fields)
    dataset = load_dataset(release)
    assert dataset.name == "release"  # the folder's
    assert dataset.copies == {Side.CONTRAST: Copy.RELEASE}
    assert said in dataset.recognitions[Side.BENIGN].differences
    (note,) = dataset.notes
    assert said in note
    assert said in str([finding.message for finding in check_dataset(release)])
    assert describe_dataset(dataset).notes == dataset.notes


def test_data_of_ones_own_in_the_published_layout_keep_their_name_and_need_no_note(release):
    for folder, ids in (("data", IDS), ("data_contrast", CONTRAST_IDS)):
        for id in ids:
            change_record(release, folder, id, question=f"Quite another request {folder} {id}")
    dataset = load_dataset(release)
    assert (dataset.name, dataset.notes, dataset.copies) == ("release", (), {})


def test_large_data_of_ones_own_are_told_apart_by_their_number(release):
    dataset = load_dataset(release)
    many = [dataset.samples[0].model_copy(update={"id": str(number)}) for number in range(1000, 1100)]
    found = dataclasses.replace(dataset, samples=tuple(many)).recognitions[Side.BENIGN]
    assert found.differences == ("benign: 100 samples, published 6",)


def test_a_part_of_the_published_samples_is_not_the_published_set(release):
    file = release / "data/images_information/information.json"
    records = json.loads(file.read_text())
    del records["102"], records["202"]
    file.write_text(json.dumps(records))
    dataset = load_dataset(release)
    assert dataset.name == "official" and Side.BENIGN not in dataset.copies
    assert dataset.recognitions[Side.BENIGN].why_not == "benign: 2 ids missing (102, 202)"
    (finding,) = [one for one in check_dataset(release) if one.code == "not-as-published"]
    assert "2 ids missing" in finding.message
    assert (finding.samples, finding.n) == (("benign/102", "benign/202"), 2)
    assert "add the samples that are missing" in finding.way_out.to and "images" not in finding.way_out.to


def test_images_that_are_not_the_published_ones_are_named_with_their_way_out(release):
    (release / "data/images/1.png").write_bytes((release / "data/images/202.png").read_bytes())
    (release / "data/images/102.png").unlink()
    (finding,) = [one for one in check_dataset(release) if one.code == "not-as-published"]
    assert (finding.samples, finding.n) == (("benign/1", "benign/102"), 2)
    assert "use the published images of these samples" in finding.way_out.to


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (ImageOps.mirror, "a different image"),
        (ImageOps.invert, "a different image"),
        (lambda image: image.transpose(Image.Transpose.ROTATE_90), "a different image"),
        (lambda image: image.crop((60, 45, 260, 195)), "a different image"),
        (lambda image: image.convert("L").convert("RGB"), "recoloured"),
        (lambda image: image.point(lambda value: min(255, int(value * 0.7))), "recoloured"),
        (lambda image: drawn("77"), "a different image"),
    ],
    ids=["mirrored", "inverted", "turned", "cropped", "grey", "darker", "exchanged"],
)
def test_one_changed_image_is_found_and_named(release, change, said):
    file = release / "data/images/1.png"
    file.write_bytes(png(change(Image.open(file).convert("RGB"))))
    found = load_dataset(release).recognitions[Side.BENIGN]
    assert found.copy is None
    (difference,) = found.differences
    assert difference.startswith(f"benign/1: {said}")


def test_an_image_without_its_mark_is_the_image_of_its_twin(release):
    """The published benign images of one kind have a cross over them, and their harmful twins have not."""
    shutil.copy(release / "data_contrast/images/101.png", release / "data/images/101.png")
    assert load_dataset(release).recognitions[Side.BENIGN].copy is None


def test_the_file_of_another_published_sample_is_found_however_alike_it_looks(release, monkeypatch):
    monkeypatch.setattr(recognition, "MAX_BITS", 64)
    monkeypatch.setattr(recognition, "NEARER_BITS", 128)
    monkeypatch.setattr(recognition, "MAX_COLOUR", 255)
    shutil.copy(release / "data_contrast/images/101.png", release / "data/images/102.png")
    (difference,) = load_dataset(release).recognitions[Side.BENIGN].differences
    assert difference == "benign/102: a different image: the file of contrast/101"


def test_two_images_exchanged_for_each_other_are_found(release):
    one, other = release / "data/images/1.png", release / "data/images/2.png"
    bytes_of_one = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(bytes_of_one)
    differences = load_dataset(release).recognitions[Side.BENIGN].differences
    assert [text[:8] for text in differences] == ["benign/1", "benign/2"]


@pytest.mark.parametrize("content", [None, b"", b"no image at all"])
def test_an_image_that_is_missing_or_damaged_is_not_recognised(release, content):
    file = release / "data/images/1.png"
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)
    found = load_dataset(release).recognitions[Side.BENIGN]
    assert found.copy is None and found.differences[0].startswith("benign/1: ")


def test_the_image_that_nobody_knows_passes_whatever_it_is(release):
    (release / "data_contrast/images/201.png").unlink()
    assert load_dataset(release).copies[Side.CONTRAST] is Copy.RELEASE


def test_what_is_shipped_about_the_published_sets_is_whole():
    forget_facts()
    benign, contrast = published_side(Side.BENIGN), published_side(Side.CONTRAST)
    assert (len(benign), len(contrast)) == (300, 244)
    assert [id for id, sample in contrast.items() if sample.likeness is None] == ["191"]
    assert all(sample.likeness for sample in benign.values())
    assert sum(bool(sample.sha256) for sample in (*benign.values(), *contrast.values())) == 524
    assert len({identity(side) for side in Side}) == 2


def test_the_hashes_are_those_that_the_release_was_measured_with(shared):
    """Five of the released files are at hand, in every mode that the release has."""
    rows = csv.DictReader((shared / "official-images.csv").read_text().splitlines())
    facts = {row["id"]: row for row in rows if row["side"] == "benign"}
    files = sorted((shared / "mossbench-data/quirks").iterdir())
    assert len(files) == 5
    for file in files:
        row = facts[file.stem.rpartition("-")[2]]
        likeness = likeness_of(file.read_bytes())
        assert f"{likeness.perceptual:016x}" == row["phash"], file.name
        assert f"{likeness.gradient:016x}" == row["dhash"], file.name
        assert (str(likeness.width), str(likeness.height)) == (row["width"], row["height"])


@pytest.mark.slow
def test_the_reduced_copy_is_recognised_by_its_images(shared, monkeypatch):
    """Not by the hash of its bytes, which is remembered for the sake of older runs."""
    forget_facts()
    monkeypatch.setattr(recognition, "REDUCED_HASHES", dict.fromkeys(Side, ""))
    found = load_dataset(shared / "mossbench-data").recognitions
    assert {side: one.copy for side, one in found.items()} == dict.fromkeys(Side, Copy.REDUCED)
    assert [(one.n_exact, one.n_alike) for one in found.values()] == [(0, 300), (0, 243)]
    assert max(one.most_bits for one in found.values()) <= 2
