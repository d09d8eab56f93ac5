import pytest

from mossbench.datasets import load_dataset
from mossbench.errors import UsageError


def test_a_place_is_a_sample_and_a_slice_a_dataset():
    sketches = load_dataset("sketches")
    assert sketches[0] is sketches.samples[0] and sketches[-1] is sketches.samples[-1]
    part = sketches[3:6]
    assert part.samples == sketches.samples[3:6] and part.name == "sketches"
    assert sketches[:] is sketches


def test_filter_keeps_the_samples_for_which_a_function_is_true():
    sketches = load_dataset("sketches")
    with_people = sketches.filter(lambda sample: sample.human)
    assert len(with_people) == sum(bool(sample.human) for sample in sketches)
    assert len(sketches.filter(lambda sample: None)) == 0


def test_a_wrong_place_or_filter_says_what_was_expected():
    sketches = load_dataset("sketches")
    with pytest.raises(IndexError, match="'sketches' has 240 samples, places 0 to 239; got 240"):
        sketches[240]
    with pytest.raises(UsageError, match=r"got 'a'; a sample is found by its id with .sample\('benign', id\)"):
        sketches["a"]
    with pytest.raises(UsageError, match="filter takes a function, got 'human'; give a function of a Sample"):
        sketches.filter("human")


def test_paths_of_images_under_another_name_are_not_silently_left_out(tmp_path):
    (tmp_path / "a.png").write_bytes(b"")
    file = tmp_path / "mine.csv"
    file.write_text("question,photo\nWhat is this?,a.png\nAnd what is this?,a.png\n")
    with pytest.raises(Exception, match="column 'photo' holds paths of images") as error:
        load_dataset(file)
    assert "columns={'image': 'photo'}" in str(error.value)
    assert load_dataset(file, columns={"image": "photo"})[0].image == "a.png"
    assert load_dataset(file, columns={"image": ""})[0].metadata["photo"] == "a.png"
