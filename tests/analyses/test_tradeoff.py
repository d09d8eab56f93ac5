"""What caution buys: twins, costs, several models."""

import json
import math

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from answered import answered, samples
from mossbench.analyses import load_analysis
from mossbench.analyses.analysis import Options, Part
from mossbench.analyses.fields import field_of, measure_field, published_field
from mossbench.analyses.tradeoff import FATES, Several, across, measure
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.outcomes import Layer, Rule
from mossbench.published import published_findings
from mossbench.reports.analyses import chart_of, section_of
from tables import results, row, sides


def whole(rows, **options):
    return measure(results(rows), Options(**options)).groups[-1]


def test_each_pair_has_one_of_four_fates():
    found = whole(sides([0, 1, 0, 1, 0], [1, 1, 0, 0, 1])).twins
    assert found.counts == {"both right": 2, "over-refuses": 1, "under-refuses": 1, "inverted": 1}
    assert sum(share.value for share in found.shares.values()) == pytest.approx(1)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from([0, 1, Layer.FAILED]), st.sampled_from([0, 1, Layer.BLOCKED])), max_size=12))
def test_fates_add_up_to_the_whole_pairs(pairs):
    found = whole(sides(*zip(*pairs, strict=True)) if pairs else []).twins
    n_whole = sum(benign is not Layer.FAILED for benign, _ in pairs)
    assert sum(found.counts.values()) == n_whole == found.shares["both right"].n
    assert all(found.shares[fate].n_left_out == len(pairs) - n_whole for fate in FATES)


def test_only_pairs_are_pairs_and_the_rest_counts_on_its_own_side():
    rows = sides([0, 1, 1], [1, 1])  # the third has no twin
    found = whole(rows)
    assert (found.harmless_refused.n, found.harmful_refused.n) == (
        3,
        2,
    ) and found.harmless_refused.value == pytest.approx(2 / 3)
    assert found.twins.shares["both right"].n == 2 and found.twins.shares["both right"].n_left_out == 1


def test_harmless_requests_asked_more_often_make_no_half_pairs():
    rows = [*sides([0, 1], [1, 1]), *sides([0, 0], [], epoch=2)]
    found = whole(rows)
    assert found.harmless_refused.n == 4 and found.twins.shares["both right"].n == 2
    assert found.twins.shares["both right"].n_left_out == 0
    assert (found.harmless_refused.n_left_out, found.harmful_refused.n_left_out) == (
        0,
        0,
    )  # what was not asked is not left out


def test_rows_that_do_not_count_are_left_out_of_their_side():
    found = whole(sides([0, Layer.FAILED, 1], [1, Layer.FAILED]))
    assert (found.harmless_refused.n_left_out, found.harmful_refused.n_left_out) == (1, 1)


def test_p_values_are_those_of_exact_paired_tests():
    found = whole(sides([0] * 8 + [1], [1] * 8 + [0])).twins  # 8 right, 1 inverted
    assert found.tells_apart.p == pytest.approx(2 * (1 + 9) / 2**9)
    leaning = whole(sides([1] * 7, [1] * 7)).twins  # over-refused, all of them
    assert leaning.leans.p == pytest.approx(2 / 2**7) and leaning.tells_apart.p == 1


def test_samples_of_one_scene_are_one():
    alone = whole(sides([0] * 12, [1] * 12)).twins.tells_apart
    together = whole(sides([0] * 12, [1] * 12, cluster="park")).twins.tells_apart
    assert alone.p < 0.001 and together.p == 1


def test_one_side_alone_gives_no_trade_off_and_no_zero():
    record = measure(results(sides([0, 1], [])), Options())
    assert math.isnan(record.groups[-1].harmful_refused.value) and record.groups[-1].harmful_refused.n == 0
    assert record.notes == ("no harmful samples were asked",)
    part = Part("tradeoff", "m", record)
    assert "no trade-off" in section_of(part).finding and chart_of(part) is None


def test_costs_are_over_all_and_answer_to_the_rates():
    record = measure(results(sides([0] * 9 + [1], [1] * 8 + [0] * 2)), Options())
    (cheap, ten, hundred) = record.costs
    assert cheap.better[0] == pytest.approx(0.125 / 1.125)  # false alarms over hits, 0.1 / 0.8
    assert ten.better[0] < cheap.better[0] and hundred.better[1] < ten.better[1]


def test_models_are_held_against_each_other_on_the_same_scenes():
    best = sides([0] * 20, [1] * 20)
    middle = sides([1] * 5 + [0] * 15, [1] * 15 + [0] * 5)
    fields = field_of({"best": best, "middle": middle}, Rule.SYSTEM)
    assert [field.group for field in fields][-1] == "All" and len(fields) == 4
    one, other = fields[-1].points
    assert (one.on_front, one.front_share) == (True, 1.0) and not other.on_front and other.front_share < 0.05
    assert math.isnan(fields[-1].rho.low)  # two models have no interval


def test_a_model_whose_safety_is_unknown_is_neither_on_nor_off_the_front():
    fields = field_of({"whole": sides([0] * 9, [1] * 9), "half": sides([0] * 9, [Layer.FAILED] * 9)}, Rule.SYSTEM)
    whole, half = fields[-1].points
    assert (whole.front_share, whole.known) == (1.0, True) and math.isnan(half.front_share) and not half.known
    section = section_of(Part("tradeoff", "", Several(fields)))
    assert section.tables[0].rows[-1][-2:] == ("–", "–")
    assert "whole (of 1); one rate or both of half are not known" in section.finding


def test_models_of_another_making_are_refused():
    one, other = results(sides([0], [1])), results(sides([0], [1]), model="n")
    other = type(other)(other.folder, other.info, "people/1", other.rows)
    with pytest.raises(UsageError, match="was judged by"):
        measure_field([one, other])


@pytest.mark.slow
def test_the_published_correlations_are_those_of_the_findings_and_stand_apart():
    fields = {field.group: field for field in published_field()}
    for title, found in zip(fields, published_findings().tradeoffs, strict=False):
        assert fields[title].rho.value == pytest.approx(found.corrected.value)
    assert round(fields["Exaggerated Risk"].rho.value, 2) == 0.32 and len(fields["All"].points) == 16
    assert all(field.published for field in fields.values())
    corrected = fields["Counterintuitive Interpretation"].rho_corrected
    assert corrected.value > fields["Counterintuitive Interpretation"].rho.value
    shares = {point.name: point for point in fields["All"].points}
    assert (
        shares["GPT-4V"].on_front
        and not shares["Claude 3 haiku"].on_front
        and shares["Claude 3 haiku"].front_share < 0.05
    )
    record = across([results(sides([0], [1])), results(sides([1], [1]), model="n")], Options(published=True))
    assert len(record.fields[-1].points) == 2  # nobody published among them


def test_epochs_and_arms_of_other_analyses_do_not_move_the_rates():
    rows = [*sides([0, 1], [1, 1]), row("benign", 0, 1, arm="explicit")]
    info_arms = (load_analysis("distortions").arms(None, Options())[1], *results([]).info.arms)
    assert measure(results(rows, arms=info_arms), Options()).groups[-1].harmless_refused.value == 0.5


@pytest.mark.slow
def test_the_command_shows_pairs_costs_and_the_front(tmp_path):
    data = samples(tmp_path / "data", 12)
    for name, refused in (("a", range(1, 4)), ("b", range(1, 9))):
        answered(data, tmp_path / name, refused=refused)
    args = [
        "analyse",
        "tradeoff",
        "--run",
        tmp_path / "a",
        "--run",
        tmp_path / "b",
        "--published",
        "--out",
        tmp_path / "o",
    ]
    done = CliRunner().invoke(cli, [str(arg) for arg in args], catch_exceptions=False)
    assert done.exit_code == 0 and "beaten by no other model on both sides" in done.stdout
    page = (tmp_path / "o" / "analysis.html").read_text()
    assert "Refuses only the harmless" in page and "What errors cost" in page and "Claude 3 sonnet" in page
    parts = json.loads((tmp_path / "o" / "analysis.json").read_text())["parts"]
    assert [bool(part["model"]) for part in parts] == [True, True, False]
    idle = CliRunner().invoke(cli, ["analyse", "tradeoff", "--run", str(tmp_path / "a"), "--temperature", "1"])
    assert idle.exit_code == 2 and "omit --temperature" in idle.stderr
    both = CliRunner().invoke(cli, ["analyse", "tradeoff", "--run", "a", "--model", "control/candid"])
    assert both.exit_code == 2 and "--run" in both.stderr


def test_twins_are_spoken_of_only_where_there_are_pairs():
    def said(rows):
        section = section_of(Part("tradeoff", "", measure(results(rows), Options())))
        return " ".join((*section.text, *section.cautions)), [table.title for table in section.tables]

    text, titles = said(sides([0, 1], [1, 1]))
    assert "A harmful twin is the same scene" in text and "Pairs" in titles
    unpaired = [row("benign", f"calm {i}", i == 1) for i in range(3)] + sides([], [1, 1])
    text, titles = said(unpaired)
    assert "twin" not in text and "Pairs" not in titles and "no table of pairs" in text
