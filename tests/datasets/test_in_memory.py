"""Data in memory: tables of other libraries are small stand-ins that speak the same protocol, and pandas itself."""

import io

import numpy as np
import pytest
from PIL import Image

import mossbench as mb
from mossbench.datasets import as_named, load_dataset
from mossbench.errors import DataError, UsageError
from pictures import png

QUESTIONS = ["What is in this picture?", "How do I repair this?"]


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def rows_with(*images):
    return [{"question": question, "image": image} for question, image in zip(QUESTIONS, images, strict=True)]


def pixels(dataset, place):
    with Image.open(dataset.picture_path(dataset[place])) as image:
        return np.asarray(image.convert("RGB"))


class Polars:
    def __init__(self, rows):
        self.rows = rows

    def to_dicts(self):
        return self.rows

    def __iter__(self):  # as a table of polars gives its columns
        raise AssertionError("its columns are no rows")

    def __dataframe__(self, nan_as_null=False, allow_copy=True):
        raise AssertionError("its rows can be had directly")


class HubDataset:
    """What the hub's `datasets` gives: rows by iteration, decoded images as Pillow's."""

    column_names = ("question", "image")

    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        return iter(self.rows)


def test_rows_of_every_kind_of_table_are_the_same_dataset():
    pd = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    rows = rows_with(png("red"), png("blue"))
    columns = {"question": QUESTIONS, "image": [png("red"), png("blue")]}
    tables = [
        tuple(rows),
        (row for row in rows),
        columns,
        pd.DataFrame(rows),
        pa.Table.from_pylist(rows),
        Polars(rows),
        HubDataset(rows),
    ]
    expected = load_dataset(rows)
    for table in tables:
        dataset = load_dataset(table)
        assert (dataset.samples, dataset.hashes, dataset.root) == (expected.samples, expected.hashes, expected.root)


def test_a_table_of_another_library_is_read_by_the_protocol_of_data_frames():
    pa = pytest.importorskip("pyarrow")

    class Other:
        def __dataframe__(self, nan_as_null=False, allow_copy=True):
            return pa.table({"question": QUESTIONS}).__dataframe__()

    assert [sample.question for sample in load_dataset(Other())] == QUESTIONS


def test_an_image_is_a_path_bytes_a_pillow_image_or_an_array(tmp_path):
    file = tmp_path / "red.png"
    file.write_bytes(png("red", (8, 6)))
    red = np.zeros((6, 8, 3), np.uint8)
    red[:, :, 0] = 255
    images = [
        file,
        str(file),
        png("red", (8, 6)),
        bytearray(png("red", (8, 6))),
        {"bytes": png("red", (8, 6)), "path": None},
        {"bytes": None, "path": str(file)},
        io.BytesIO(png("red", (8, 6))),
        Image.new("RGB", (8, 6), "red"),
        Image.new("RGBA", (8, 6), "red"),
        Image.new("P", (8, 6), "red"),
        red,
        red / 255.0,
        (red / 255.0).astype(np.float16),
        red.astype(np.int64),
        np.moveaxis(red, -1, 0),
    ]
    dataset = load_dataset([{"question": "What is it?", "image": image} for image in images])
    for place in range(len(images)):
        assert (pixels(dataset, place) == red).all(), images[place]


def test_images_of_uncommon_modes_are_kept_or_made_rgb():
    grey = np.full((3, 4), 128, np.uint8)
    images = [Image.fromarray(grey), Image.new("CMYK", (4, 3)), grey, grey[:, :, None], grey > 0, grey / 255]
    dataset = load_dataset([{"question": "What is it?", "image": image} for image in images])
    assert [pixels(dataset, place).shape for place in range(6)] == [(3, 4, 3)] * 6
    assert pixels(dataset, 0)[0, 0].tolist() == pixels(dataset, 5)[0, 0].tolist() == [128] * 3


def test_a_turned_photo_is_kept_upright():
    image = Image.new("RGB", (8, 2))
    image.getexif()[274] = 6  # to be turned by a quarter
    dataset = load_dataset([{"question": "What is it?", "image": image}])
    assert pixels(dataset, 0).shape == (8, 2, 3)


def test_a_row_may_have_several_images():
    dataset = load_dataset([{"question": "What changed?", "images": [png("red"), Image.new("RGB", (5, 5))]}])
    assert len(dataset.picture_paths(dataset[0])) == 2


@pytest.mark.parametrize(
    ("image", "message"),
    [
        (b"123", "the list, row 2: column 'image' has 3 bytes that are no image (they begin with b'123')"),
        (np.ones((4, 4, 3)) * 7, "an array of float64 from 7 to 7; expected fractions from 0 to 1"),
        (np.full((4, 4), np.nan), "expected fractions from 0 to 1"),
        (np.full((4, 4), 256), "an array of int64 from 256 to 256; expected whole numbers from 0 to 255"),
        (np.zeros((2, 3, 4, 5)), "an array of 2 × 3 × 4 × 5; expected height × width, with 1, 3 or 4 channels"),
        (np.zeros((0, 3)), "an array of 0 × 3"),
        (np.array([["a"]]), "an array of <U1"),
        ([[0, 1], [1, 0]], "row 2: column 'image' has a list of numbers; make an array of it, as in numpy.asarray"),
        ("nowhere.png", "nowhere.png', which is no file; paths are relative to the current folder"),
        ("https://example.org/a.png", "is a URL; download the image and give its path"),
    ],
)
def test_what_is_no_image_is_named_with_its_row(image, message):
    with pytest.raises(DataError) as error:
        load_dataset(rows_with(png(), image))
    assert message in str(error.value)


def test_values_that_are_missing_in_a_data_frame_are_not_given():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(
        {
            "question": QUESTIONS,
            "human": pd.array([True, None], dtype="boolean"),
            "harm": [np.nan, 3],
            "seen": [pd.NaT, pd.Timestamp("2026-01-02")],
            "topic": [pd.NA, "tools"],
        }
    )
    first, second = load_dataset(frame)
    assert (first.human, second.human, first.harm, second.harm) == (True, None, None, mb.Harm.COPYRIGHT)
    assert dict(first.metadata) == {} and second.metadata["topic"] == "tools"
    assert second.metadata["seen"].startswith("2026-01-02")


def test_a_named_index_of_a_data_frame_is_a_column():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"question": QUESTIONS}, index=pd.Index(["a", "b"], name="id"))
    assert [sample.id for sample in load_dataset(frame)] == ["a", "b"]


def test_columns_whose_values_look_right_are_proposed():
    rows = [{"n": 1, "title": "a b", "text": "What is this here?", "photo": png()}]
    with pytest.raises(DataError) as error:
        load_dataset(rows)
    assert "columns={'image': 'photo', 'question': 'text'}" in str(error.value)
    assert len(load_dataset(rows, columns={"image": "photo", "question": "text"})) == 1


def test_an_empty_column_asks_without_images():
    dataset = load_dataset([{"question": "Why is it so?", "photo": png()}], columns={"image": ""})
    assert dataset[0].images == ()
    assert dataset.notes == ("column 'photo' holds images and is not used",)


def test_a_second_column_of_images_is_left_out_and_said():
    dataset = load_dataset([{"question": "Why is it so?", "image": png(), "mask": np.zeros((3, 3))}])
    assert dataset.notes == ("column 'mask' holds images and is not used",)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "the list has no rows; expected a row for each request"),
        (iter([]), "an iterator gives its rows once: pass a list"),
        (
            [{"question": "Why?"}, "How?"],
            "row 2 of the list is 'How?' (str); expected a dict of column names and values",
        ),
        (list(mb.load_dataset("sketches"))[:1], "select them with data[:20] or data.filter(…)"),
        ({"question": "Why?"}, "the dict has str under 'question'; expected a dict of columns"),
        ({"question": ["Why?"], "id": [1, 2]}, "the columns of the dict have different lengths: 'question' 1, 'id' 2"),
        ({"train": HubDataset([])}, "the dict has the splits 'train'; give one of them, as in data['train']"),
    ],
)
def test_what_are_no_rows_is_refused_with_what_was_expected(data, message):
    with pytest.raises(mb.MossbenchError) as error:
        load_dataset(data)
    assert message in str(error.value)


def test_a_number_as_data_is_refused():
    with pytest.raises(UsageError, match=r"data of mossbench.run is 5 \(int\), expected a text or"):
        mb.run("control/candid", 5)


def test_a_run_on_rows_in_memory_is_resumed_without_them(tmp_path):
    rows = [{"text": question, "photo": png()} for question in QUESTIONS]
    columns = {"question": "text", "image": "photo"}
    first = mb.run("control/candid", rows, columns=columns, limit=1, out=tmp_path / "run")
    assert len(first) == 1
    assert len(mb.resume_run(tmp_path / "run")) == 1
    again = mb.run("control/candid", rows, columns=columns, limit=1, out=tmp_path / "run", resume=True)
    assert again.info.config.data == first.info.config.data


def test_an_iterator_serves_several_models(tmp_path):
    rows = ({"question": question} for question in QUESTIONS)
    runs = mb.run(["control/candid", "control/stonewall"], rows, out=tmp_path)
    assert [len(run) for run in runs] == [2, 2]


def test_other_functions_take_rows_in_memory_too(tmp_path):
    rows = rows_with(png("red"), png("blue"))
    assert mb.check_dataset(rows) == ()
    assert mb.describe_dataset(rows).sides[0].n == 2
    assert mb.forecast_run("control/candid", rows).n_requests == 2
    assert mb.try_sample("control/candid", rows).outcome.kind is mb.Kind.ANSWERED
    assert (mb.export_dataset(rows, tmp_path / "out") / "metadata.jsonl").is_file()


def test_a_deleted_copy_is_named_with_what_to_do():
    dataset = load_dataset(rows_with(png("red"), png("blue")))
    for file in sorted(dataset.root.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    dataset.root.rmdir()
    with pytest.raises(UsageError, match="given in memory, was deleted; give the same data again"):
        load_dataset(str(dataset.root))
    assert load_dataset(rows_with(png("red"), png("blue"))).root == dataset.root


def test_samples_given_one_by_one_keep_their_own_columns():
    sample = mb.Sample(id="a", question="Why?", metadata={"question": "own", "topic": "x"})
    assert load_dataset([sample]).samples == (sample,)


def test_names_paths_and_datasets_stay_what_they_are(tmp_path):
    dataset = load_dataset("sketches")
    assert as_named("sketches") == "sketches" and as_named(tmp_path) == tmp_path and as_named(dataset) is dataset


def test_a_part_that_is_resumed_without_the_part_says_how(tmp_path):
    part = mb.load_dataset("sketches", side="benign")[:2]
    mb.run("control/candid", part, out=tmp_path / "run")
    with pytest.raises(UsageError, match=r"resume_run\(folder, data=part\)"):
        mb.resume_run(tmp_path / "run")
    assert len(mb.resume_run(tmp_path / "run", data=part)) == 2


def test_a_file_with_images_in_it_names_the_way_over_memory(tmp_path):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    rows = [{"question": "What is this?", "image": {"bytes": png(), "path": "a.png"}}]
    pd.DataFrame(rows).to_parquet(tmp_path / "mine.parquet")
    with pytest.raises(DataError, match="images themselves can be given in Python, as rows in memory"):
        mb.load_dataset(tmp_path / "mine.parquet")
    assert mb.load_dataset(pd.read_parquet(tmp_path / "mine.parquet"))[0].image
