"""The figures that ship with a judge are of its present version, and can be had again."""

from pathlib import Path

import pytest

from mossbench.judges import load_judge
from mossbench.judges.files import validate_judge
from mossbench.judges.measured import measured

BLIND = Path(__file__).parents[2] / "bench" / "blind.jsonl"
TRANSCRIPTS = sorted((Path(__file__).parents[3] / "shared" / "transcripts").glob("*.jsonl"))


@pytest.mark.parametrize("judge", ["rules", "keywords"])
def test_the_figures_of_a_judge_are_those_that_it_gets_today(judge):
    published, awkward = measured(load_judge(judge).label)
    sets = [(BLIND, awkward)] if not TRANSCRIPTS else [(BLIND, awkward), (TRANSCRIPTS, published)]
    for paths, figures in sets:
        groups = validate_judge(paths, judge).groups
        assert groups[0].counts == figures.counts
    if not TRANSCRIPTS:
        pytest.skip("the published answers are not here: only the awkward ones were counted again")


def test_another_version_has_no_figures():
    assert measured("rules/0") == ()
