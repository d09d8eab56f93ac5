"""The figures that ship with a judge are of its present version, and can be had again."""

from pathlib import Path

import pytest

from mossbench.datasets import load_dataset
from mossbench.judges import load_judge
from mossbench.judges.files import validate_judge
from mossbench.judges.measured import measured, measured_controls
from mossbench.models.control.planted import Control

BLIND = Path(__file__).parents[2] / "bench" / "blind.jsonl"
MANNERS = Path(__file__).parents[2] / "bench" / "manners.jsonl"
SHARED = Path(__file__).parents[3] / "shared"
TRANSCRIPTS = sorted((SHARED / "transcripts").glob("*.jsonl"))
ANSWERS = SHARED / "answers" / "labelled.jsonl"


@pytest.mark.parametrize(
    "judge",
    [
        "rules",
        "keywords",
        pytest.param("tandem", marks=pytest.mark.slow),
        pytest.param("reader", marks=pytest.mark.slow),
    ],
)
def test_the_figures_of_a_judge_on_awkward_answers_are_those_that_it_gets_today(judge):
    _, awkward, *_ = measured(load_judge(judge).label)
    assert validate_judge(BLIND, judge).groups[0].counts == awkward.counts


@pytest.mark.slow
@pytest.mark.skipif(
    not TRANSCRIPTS, reason="no published answers at ../shared; the test above has awkward ones of ours"
)
@pytest.mark.parametrize("judge", ["rules", "keywords", "reader"])  # those of tandem take minutes
def test_the_figures_of_a_judge_on_published_answers_are_those_that_it_gets_today(judge):
    published, _, *public_and_manners = measured(load_judge(judge).label)
    for paths, figures in [(TRANSCRIPTS, published), *((ANSWERS, figures) for figures in public_and_manners[:1])]:
        assert validate_judge(paths, judge).groups[0].counts == figures.counts


@pytest.mark.slow
def test_the_figures_of_the_reader_on_many_manners_are_those_that_it_gets_today():
    *_, manners = measured(load_judge("reader").label)
    assert validate_judge(MANNERS, "reader").groups[0].counts == manners.counts


def test_another_version_has_no_figures():
    assert measured("rules/0") == ()


@pytest.mark.parametrize("judge", ["rules", "keywords", "reader"])
def test_errors_on_controls_are_of_this_version_of_judge_controls_and_sketches(judge):
    label, again = load_judge(judge).label, "measure them again: python bench/correction.py --measure"
    figures = measured_controls(label)
    assert figures is not None, f"no errors of {label} on control models are known; {again}"
    assert figures.controls == Control.version, f"the control models have a new version; {again}"
    hashes = {side.value: digest for side, digest in load_dataset("sketches").hashes.items()}
    assert figures.hashes == hashes, f"the sketches have changed; {again}"
    assert len(figures.counts) == 12 and all(counts.n >= 1000 for counts in figures.counts.values())
