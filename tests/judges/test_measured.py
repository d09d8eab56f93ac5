"""The figures that judges ship with are what they do today."""

from pathlib import Path

import pytest

import mossbench as mb
from mossbench.judges.measured import measured

BLIND = Path(__file__).parents[2] / "bench" / "blind.jsonl"


@pytest.mark.parametrize("name", ["rules", "keywords"])
def test_the_shipped_figures_are_what_validation_finds(name):
    judge = mb.load_judge(name)
    published, awkward = measured(judge.label)
    found = mb.validate_judge([BLIND], judge).groups[0].counts
    assert awkward.counts == found and awkward.on.startswith(str(found.n))
    assert published.on.startswith(str(published.counts.n))


def test_another_version_has_no_figures():
    assert measured("rules/0") == ()
