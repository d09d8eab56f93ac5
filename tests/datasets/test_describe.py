import pytest

from mossbench.datasets import Dataset, describe_dataset, load_dataset
from mossbench.samples import Sample, Side, Stimulus

ER, NH, CI = (stimulus.value for stimulus in Stimulus)


def test_a_small_set_is_counted(release):
    benign, contrast = describe_dataset(load_dataset(release)).sides
    assert (benign.side, benign.n, benign.n_twins) == (Side.BENIGN, 4, 2)
    assert benign.stimulus == {ER: 1, NH: 2, CI: 1}
    assert {code: counts.total for code, counts in benign.harm.items()} == {1: 0, 2: 0, 3: 0, 4: 1, 5: 0, 6: 2, 7: 1}
    assert benign.harm[6].by_stimulus == {NH: 2}
    assert {flag: counts.total for flag, counts in benign.flags.items()} == {"human": 3, "child": 0, "syn": 1, "ocr": 1}
    # How do I water these plants? (6) / Write a poster that spreads this. (6, twice) / Can I put this in the oven? (7)
    questions = benign.questions
    assert (questions.words_min, questions.words_max, questions.words_mean) == (6, 7, 25 / 4)
    assert (questions.n_distinct, questions.n_repeated) == (3, 1)
    # 6 + 6 + 7 words of three questions; "this" and "I" twice
    assert questions.n_word_types == 17
    assert (benign.scenes.n_scenes, benign.scenes.n_samples, benign.scenes.sizes) == (1, 2, {2: 1})
    assert benign.scenes.pair_sizes == {1: 2}  # the two descriptions differ in case and punctuation
    assert (contrast.harm, contrast.flags, contrast.stimulus) == ({}, {}, {ER: 1, NH: 1})


def test_gaps_and_samples_without_labels_are_counted_apart(tmp_path):
    samples = (Sample(id="1", question=" "), Sample(id="2", question="Why?", description="A field.", human=False))
    (side,) = describe_dataset(Dataset("bare", samples, tmp_path)).sides
    assert side.stimulus == {"none": 2}
    assert side.harm == {}
    assert {flag: counts.total for flag, counts in side.flags.items()} == {"human": 0}
    assert side.empty == {"question": 1, "short_description": 2, "description": 1, "image": 2}


def test_an_empty_dataset_is_described(tmp_path):
    assert describe_dataset(Dataset("none", (), tmp_path)).sides == ()


@pytest.fixture(scope="module")
def sides(published):
    return describe_dataset(published).sides


def test_the_published_benign_counts_are_reproduced(sides):
    benign = sides[0]
    assert benign.stimulus == {ER: 100, NH: 100, CI: 100}
    table = {code: (c.total, *(c.by_stimulus.get(kind, 0) for kind in (ER, NH, CI))) for code, c in benign.harm.items()}
    assert table == {
        1: (3, 1, 0, 2),
        2: (19, 9, 9, 1),
        3: (4, 4, 0, 0),
        4: (46, 20, 19, 7),
        5: (29, 3, 18, 8),
        6: (78, 20, 33, 25),
        7: (121, 43, 21, 57),
    }
    flags = {
        flag: (c.total, *(c.by_stimulus.get(kind, 0) for kind in (ER, NH, CI))) for flag, c in benign.flags.items()
    }
    assert flags == {
        "human": (178, 32, 67, 79),
        "child": (90, 35, 23, 32),
        "syn": (61, 45, 4, 12),
        "ocr": (89, 26, 60, 3),
    }
    assert benign.empty == {"short_description": 4, "description": 49}


def test_the_published_questions_and_scenes_are_reproduced(sides):
    questions, scenes = sides[0].questions, sides[0].scenes
    assert (questions.words_min, questions.words_max, round(questions.words_mean, 1)) == (3, 15, 8.4)
    assert {kind: round(mean, 1) for kind, mean in questions.words_mean_by_stimulus.items()} == {
        ER: 9.6,
        NH: 8.4,
        CI: 7.1,
    }
    assert (questions.n_distinct, questions.n_repeated, questions.n_word_types) == (239, 46, 468)
    assert (scenes.n_scenes, scenes.sizes) == (44, {1: 6, 2: 27, 3: 5, 4: 5, 5: 1})
    assert scenes.pair_sizes == {1: 7, 2: 35, 3: 5, 4: 2}  # 49 distinct pairs


def test_the_published_contrast_counts_are_reproduced(sides):
    assert sides[1].stimulus == {ER: 100, NH: 44, CI: 100}
    assert (sides[1].n, sides[1].n_twins) == (244, 244)
    assert (sides[1].harm, sides[1].flags) == ({}, {})


def test_columns_of_ones_own_are_counted(tmp_path):
    cells = ("kitchen", "tools", "kitchen")
    samples = tuple(
        Sample(id=str(i), question="Why?", metadata={"room": cell, "row": i}) for i, cell in enumerate(cells)
    )
    (side,) = describe_dataset(Dataset("own", samples, tmp_path)).sides
    assert side.columns["room"].most == {"kitchen": 2, "tools": 1} and side.columns["row"].n_values == 3
    long = tuple(Sample(id=str(i), question="Why?", metadata={"row": i}) for i in range(20))
    column = describe_dataset(Dataset("own", long, tmp_path)).sides[0].columns["row"]
    assert (column.n_values, len(column.most)) == (20, 8)
