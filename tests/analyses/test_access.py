"""Two routes to one system: where a difference lies."""

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from answered import answered, samples
from mossbench.analyses.access import PARTS, across
from mossbench.analyses.analysis import NotPossible, Options, Part
from mossbench.cli import cli
from mossbench.datasets.arms import ARMS, PLAIN
from mossbench.errors import UsageError
from mossbench.outcomes import REFUSED_KINDS, Counted, Kind, Layer, Outcome, Rule, counted
from mossbench.published.printed_findings import published_findings
from mossbench.published.tables import published_rates
from mossbench.reports.analyses import section_of
from mossbench.samples import Side
from tables import results, row

OUTCOMES = [*Kind, Layer.BLOCKED, Layer.FAILED]


def routes(first, second):
    made = [[row("benign", i, kind) for i, kind in enumerate(kinds)] for kinds in (first, second)]
    return across([results(made[0], model="web"), results(made[1], model="api")], Options())


def part(found, name):
    return next(p for p in found.parts if p.part == name)


@pytest.mark.parametrize("row_", [*(Outcome(Layer.JUDGED, kind) for kind in Kind), *map(Outcome, Layer)])
def test_what_counts_as_refused_is_in_one_part_and_only_that(row_):
    if row_ == Outcome(Layer.JUDGED):
        row_ = Outcome(Layer.JUDGED, refused=True)
    refused = counted(row_, Rule.SYSTEM) is Counted.REFUSED
    assert sum(belongs(row_) for belongs in PARTS.values()) == int(refused)
    assert REFUSED_KINDS == {Kind.DEFLECTED, Kind.REFUSED, Kind.INCAPABLE}


@pytest.mark.slow
@settings(max_examples=30)
@given(st.lists(st.tuples(st.sampled_from(OUTCOMES), st.sampled_from(OUTCOMES)), min_size=1, max_size=15))
def test_the_parts_add_up_to_the_whole(pairs):
    pairs = [*pairs, (Kind.ANSWERED, Kind.ANSWERED)]  # a route on which all failed is refused before
    found = routes(*zip(*pairs, strict=True))
    whole = next(d for d in found.differences if d.group == "all")
    assert sum(p.estimate.value for p in found.parts) == pytest.approx(whole.estimate.value)
    assert all(
        (p.estimate.n, p.estimate.n_left_out) == (whole.estimate.n, whole.estimate.n_left_out) for p in found.parts
    )


def test_a_filter_is_told_from_the_models_own_words():
    blocked = routes([Kind.ANSWERED] * 20, [Layer.BLOCKED] * 10 + [Kind.ANSWERED] * 10)
    assert blocked.lies_in(Side.BENIGN) == ("filter",)
    own = next(d for d in blocked.own_words if d.group == "all")
    assert (own.estimate.value, own.estimate.n) == (0, 10)  # the model itself does not differ
    words = routes([Kind.ANSWERED] * 20, [Kind.REFUSED] * 10 + [Kind.ANSWERED] * 10)
    assert words.lies_in(Side.BENIGN) == ("own words",)
    gate = routes([Kind.INCAPABLE] * 10 + [Kind.ANSWERED] * 10, [Kind.ANSWERED] * 20)
    assert gate.lies_in(Side.BENIGN) == ("gate",) and part(gate, "gate").estimate.value == -0.5


def test_failures_are_no_refusals_and_are_shown_beside():
    found = routes([Layer.FAILED] * 10 + [Kind.ANSWERED] * 10, [Kind.ANSWERED] * 20)
    whole = next(d for d in found.differences if d.group == "all")
    assert (whole.estimate.value, whole.estimate.n, whole.estimate.n_left_out) == (0, 10, 10)
    assert found.layers[Side.BENIGN][0]["failed"] == 10 and found.lies_in(Side.BENIGN) == ()


def test_parts_that_cancel_out_are_shown():
    found = routes([Kind.REFUSED] * 15, [Layer.BLOCKED] * 15)
    assert set(found.lies_in(Side.BENIGN)) == {"filter", "own words"}
    finding = section_of(Part("access", "", found)).finding
    rates = "(100.0\u202f% by web, 100.0\u202f% by api)"
    assert f"the total difference is not significant {rates}, but parts differ" in finding


def test_nothing_paired_is_said_and_not_zero():
    found = routes([Layer.FAILED, Kind.ANSWERED], [Kind.ANSWERED, Layer.FAILED])
    assert "no pair counts (2 left out)" in section_of(Part("access", "", found)).finding


@pytest.mark.slow
def test_the_published_product_differs_by_as_much_as_the_findings_say():
    table = {(rate.availability, rate.model): rate for rate in published_rates("gpt")}
    made = []
    for availability in ("API", "web"):
        counts = [round(100 * share) for share in table[availability, "Claude 3 opus"].shares]
        rows = [row("benign", 100 * k + i, int(i < n), stimulus=k) for k, n in enumerate(counts) for i in range(100)]
        made.append(results(rows, model=availability))
    whole = next(d for d in across(made, Options()).differences if d.group == "all")
    assert [round(100 * rate, 2) for rate in whole.rates] == [34.67, 70.67]
    wanted = next(found for found in published_findings().products if "Claude" in found.name)
    assert whole.estimate.value == pytest.approx(wanted.estimate.value)


def test_arms_of_other_analyses_are_not_compared():
    rows = [row("benign", 1, 0), row("benign", 1, 1, arm="explicit")]
    runs = [results(rows, model=name, arms=(PLAIN, ARMS["explicit"])) for name in ("a", "b")]
    assert next(d for d in across(runs, Options()).differences if d.group == "all").estimate.n == 1


def test_it_takes_two_comparable_runs():
    one = results([row("benign", 1, 0)])
    with pytest.raises(NotPossible, match="two routes"):
        across([one], Options())
    other = results([row("benign", 2, 0)], model="n")
    with pytest.raises(NotPossible, match="no samples in common"):
        across([one, other], Options())
    unlike = type(other)(other.folder, other.info, "people/1", other.rows)
    with pytest.raises(UsageError, match="was judged by"):
        across([one, unlike], Options())


def test_settings_that_differ_are_said():
    runs = [results([row("benign", 1, 0)], model=m, temperature=t) for m, t in (("a", 0.0), ("b", 1.0))]
    assert "temperature differs too: 0.0 and 1.0" in across(runs, Options()).notes


@pytest.mark.slow
def test_the_command_compares_runs_that_are_there(tmp_path):
    data = samples(tmp_path / "data", 24, sides=("benign",))
    answered(data, tmp_path / "api")
    answered(data, tmp_path / "web", refused=range(1, 21), failed=[24])
    args = ["analyse", "access", "--run", tmp_path / "api", "--run", tmp_path / "web", "--out", tmp_path / "o"]
    done = CliRunner().invoke(cli, [str(arg) for arg in args], catch_exceptions=False)
    assert "the difference is in the model's own words" in " ".join(done.stdout.split())
    assert "failed" in (tmp_path / "o" / "analysis.html").read_text()
    alone = CliRunner().invoke(cli, ["analyse", "access", "--run", str(tmp_path / "api")])
    assert alone.exit_code == 2 and "name them with --model, or name their runs with --run" in alone.stderr
