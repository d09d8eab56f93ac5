import dataclasses
import os
from pathlib import Path

import pytest
from layouts import picture

from mossbench.datasets import Dataset, load_dataset
from mossbench.errors import DataError, UsageError
from mossbench.samples import Sample, Side, Stimulus


@pytest.fixture
def dataset(tmp_path):
    (tmp_path / "a.png").write_bytes(picture("red"))
    (tmp_path / "b.png").write_bytes(picture("blue"))
    samples = (
        Sample(id="a", question="What is this?", image="a.png", twin="a", cluster="scene", human=True, harm=7),
        Sample(id="b", question="Where is this?", image="b.png", stimulus=Stimulus.NEGATED_HARM, cluster="scene"),
        Sample(id="a", side=Side.CONTRAST, question="How could I dent it?", image="a.png", twin="a"),
    )
    return Dataset("toy", samples, tmp_path, licence="Apache-2.0", warning="<none>")


def moved(dataset, folder, names=("a.png", "b.png")):
    """The same samples with their pictures elsewhere, under other names and in another order."""
    folder.mkdir()
    for name in names:
        (folder / f"x-{name}").write_bytes((dataset.root / name).read_bytes())
    samples = [s.model_copy(update={"image": f"x-{s.image}"}) for s in reversed(dataset.samples)]
    return dataclasses.replace(dataset, samples=tuple(samples), root=folder)


def test_datasets_are_equal_by_content_wherever_the_pictures_lie(dataset, tmp_path):
    other = moved(dataset, tmp_path / "elsewhere")
    assert other == dataset
    assert hash(other) == hash(dataset)
    assert other.version == dataset.version
    assert dataset != "toy"


@pytest.mark.parametrize(
    "change",
    [
        {"question": "What is that?"},
        {"human": False},
        {"harm": None},
        {"twin": None},
        {"image": "b.png"},
        {"image": None},
        {"image": "missing.png"},
        {"cluster": None},
    ],
)
def test_any_change_of_content_makes_datasets_differ(dataset, change):
    changed = Sample.model_validate(dataset.samples[0].model_dump() | change)
    assert dataclasses.replace(dataset, samples=(changed, *dataset.samples[1:])) != dataset


def test_the_hash_of_a_side_does_not_depend_on_the_other_side(dataset):
    benign = dataset.select("benign")
    assert benign.hashes[Side.BENIGN] == dataset.hashes[Side.BENIGN]
    alone = dataclasses.replace(benign, samples=tuple(s.model_copy(update={"twin": None}) for s in benign))
    assert alone.version == benign.version
    assert benign.version != dataset.version


def test_the_hash_is_pinned(tmp_path):
    # Guards published versions: when this number changes, HASH_FORMAT must change with it.
    dataset = Dataset("pinned", (Sample(id="1", question="Why?"),), tmp_path)
    assert dataset.key == "pinned@ed0ee9cf6113"
    assert dataset.version == "pinned benign@ed0ee9cf6113"


def test_select_by_side_ids_offset_and_limit(dataset):
    assert [s.key for s in dataset.select("contrast")] == [(Side.CONTRAST, "a")]
    assert [s.key for s in dataset.select(ids=["a"])] == [(Side.BENIGN, "a"), (Side.CONTRAST, "a")]
    assert [s.id for s in dataset.select(Side.BENIGN, offset=1)] == ["b"]
    assert [s.id for s in dataset.select(limit=2)] == ["a", "b", "a"]  # the twin of a counts with it
    assert [s.id for s in dataset.select(limit=1, offset=1)] == ["b"]
    assert len(dataset.select(limit=0)) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: d.select(ids=["bb", "a"]), r"'toy' has no sample with id 'bb'; the closest to 'bb' is 'b'"),
        (lambda d: d.select("contrast", ids=["zzz"]), r"no sample with id 'zzz' \(ids here are like 'a'\)"),
        (lambda d: d.sample("benign", "c"), "no sample with id 'c'"),
        (lambda d: d.sample("harmless", "a"), "no side named 'harmless'"),
        (lambda d: d.select("harmful"), "no side named 'harmful'"),
        (lambda d: d.select(limit=-1), "cannot be negative"),
        (lambda d: d.select(ids=[str(n) for n in range(12)]), "and 2 more"),
    ],
)
def test_asking_for_what_is_not_there_is_a_usage_error(dataset, call, message):
    with pytest.raises(UsageError, match=message):
        call(dataset)


def test_twins_and_clusters(dataset):
    a, b, harmful = dataset.samples
    assert dataset.twin_of(a) is harmful
    assert dataset.twin_of(harmful) is a
    assert dataset.twin_of(b) is None
    assert dataset.select("benign").twin_of(a) is None
    assert dataset.sample("contrast", "a") is harmful


def test_pictures_come_as_bytes_and_a_missing_one_is_named(dataset, tmp_path):
    a, b, _ = dataset.samples
    assert dataset.picture(a) == picture("red")
    dataset.picture_path(b).unlink()
    with pytest.raises(DataError, match=r"image of sample 'b' \(benign\) of dataset 'toy' is missing: .*b\.png"):
        dataset.picture(b)
    with pytest.raises(DataError, match="has no image"):
        dataset.picture(Sample(id="x", question="?"))


@pytest.mark.parametrize("path", ["../a.png", "/etc/hostname", "x/../../a.png", "C:\\a.png", "..\\a.png", "a\x00.png"])
@pytest.mark.parametrize("field", ["image", "counterfactual"])
def test_a_picture_path_that_leads_out_of_the_root_is_refused(tmp_path, path, field):
    with pytest.raises(DataError, match="is outside the dataset's folder"):
        Dataset("foreign", (Sample(id="1", question="?", **{field: path}),), tmp_path)


def test_a_link_that_leads_out_of_the_root_is_refused(tmp_path):
    (tmp_path / "secret.png").write_bytes(picture())
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "a.png").symlink_to(tmp_path / "secret.png")
    dataset = Dataset("foreign", (Sample(id="1", question="?", image="a.png"),), tmp_path / "root")
    with pytest.raises(DataError, match="is outside"):
        dataset.picture(dataset.samples[0])
    with pytest.raises(DataError, match="is outside"):
        dataset.version  # noqa: B018


def test_a_folder_that_links_out_of_the_root_is_refused_for_each_of_its_pictures(tmp_path):
    for folder in ("outside", "root/inside"):
        (tmp_path / folder).mkdir(parents=True)
        for name in ("a.png", "b.png"):
            (tmp_path / folder / name).write_bytes(picture())
    (tmp_path / "root" / "out").symlink_to(tmp_path / "outside")
    (tmp_path / "root" / "in").symlink_to(tmp_path / "root" / "inside")
    images = ("inside/a.png", "in/a.png", "in/b.png", "out/a.png", "out/b.png", "out/none.png")
    samples = tuple(Sample(id=image, question="?", image=image) for image in images)
    dataset = Dataset("foreign", samples, tmp_path / "root")
    for sample in samples[:3]:
        assert dataset.picture(sample) == picture()
    for sample in samples[3:]:
        with pytest.raises(DataError, match="is outside"):
            dataset.picture(sample)


def test_links_of_a_hub_snapshot_to_the_blobs_are_followed(tmp_path):
    snapshot = tmp_path / "repository" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    for place in (tmp_path / "repository" / "blobs", tmp_path / "blobs"):
        place.mkdir()
        (place / "blob").write_bytes(picture())
        (snapshot / "a.png").symlink_to(place / "blob")
        dataset = Dataset("hub", (Sample(id="1", question="?", image="a.png"),), snapshot)
        assert dataset.picture(dataset.samples[0]) == picture()
        (snapshot / "a.png").unlink()


def test_the_frame_has_a_row_a_sample(dataset):
    frame = dataset.df()
    assert list(frame.columns) == [name for name in Sample.model_fields if name != "metadata"]
    assert frame["id"].tolist() == ["a", "b", "a"]
    assert frame["human"].isna().tolist() == [False, True, True]
    assert frame["harm"].tolist()[0] == 7
    assert len(dataset.select(limit=0).df()) == 0


def test_a_dataset_shows_itself_in_a_notebook_with_every_text_escaped(dataset):
    hostile = Sample(id="<i>", question="<script>alert(1)</script>", image="gone.png", short_description='"><u>')
    shown = dataclasses.replace(dataset, name="<toy>", samples=(*dataset.samples, hostile))._repr_html_()
    assert shown.count("data:image/webp;base64,") == 3
    assert "image missing or unreadable" in shown
    assert "&lt;none&gt;" in shown and "&lt;toy&gt;" in shown and "&lt;script&gt;" in shown
    assert "<script" not in shown and "<i>" not in shown and '"><u>' not in shown
    assert "http" not in shown  # loads nothing
    assert "benign: 3" in shown and "contrast: 1" in shown
    assert repr(dataset) == "<Dataset toy: 2 benign, 1 contrast; Apache-2.0>"
    assert "0 samples" in dataset.select(limit=0)._repr_html_()


def test_an_unknown_name_gets_the_nearest_one_and_a_plain_folder_what_is_expected(tmp_path):
    with pytest.raises(UsageError, match="no dataset, folder or file named 'offical'; did you mean 'official'"):
        load_dataset("offical")
    with pytest.raises(DataError, match="holds no dataset: expected metadata.jsonl"):
        load_dataset(tmp_path)


def test_a_path_is_never_taken_for_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "official").mkdir()
    (tmp_path / "official" / "metadata.jsonl").write_text('{"question": "Why?"}')
    assert len(load_dataset("./official")) == len(load_dataset(Path("official"))) == 1


@pytest.mark.parametrize("path", ["x" * 300, "~nobody-of-that-name/data"])
def test_a_path_that_cannot_be_looked_at_is_a_data_error(path):
    with pytest.raises(DataError, match="cannot read .*; check the path and its permissions"):
        load_dataset(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_without_permission_is_a_data_error(tmp_path):
    (tmp_path / "closed").mkdir(mode=0)
    with pytest.raises(DataError, match="cannot read .*Permission denied"):
        load_dataset(tmp_path / "closed")
