"""`--by`: a column that was asked for is shown, or it is said why not."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import answered, samples
from mossbench.cli import cli


@pytest.fixture
def made(tmp_path):
    answered(samples(tmp_path / "data", 6), tmp_path / "r")
    return tmp_path


def test_a_column_that_was_asked_for_is_in_the_report_also_where_it_is_unknown(made):
    report = mb.make_report(mb.load_results(made / "r"), by=["human", "harm"])
    groups = {group.by: [rate.group for rate in group.rates] for group in report.groups}
    assert groups["human"] == ["unknown"] and "harm" in groups
    without = mb.make_report(mb.load_results(made / "r"))
    assert "human" not in {group.by for group in without.groups}


def test_compare_refuses_by_where_its_format_has_no_groups(made):
    answered(made / "data", Path("s"), refused=(1,))
    compare = ["compare", str(made / "r"), "s", "--by", "harm"]
    done = CliRunner().invoke(cli, [*compare, "--format", "flips"])
    assert (
        done.exit_code == 2 and "--by does not apply to flips, which has a line for each changed sample" in done.stderr
    )
    assert CliRunner().invoke(cli, [*compare, "--format", "json"]).exit_code == 0
