"""What a user tells the analyses is heard: each option by its field, as a record or as a dict."""

import dataclasses
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.analyses import forecast_analysis, load_analysis
from mossbench.analyses.analysis import ANALYSES, Options
from mossbench.errors import UsageError
from mossbench.outcomes import Rule


def plain_epochs(results):
    return max(row.key.epoch for row in results.rows if row.key.arm == "plain")


@pytest.mark.parametrize("given", [{"options": Options(epochs=3)}, {"options": {"epochs": 3}}, {"epochs": 3}])
def test_epochs_are_asked_as_often_as_said(given, small):
    found = mb.analyse("tradeoff", "control/candid", small, **given)
    assert plain_epochs(found.runs[0]) == 3
    (forecast,) = forecast_analysis("tradeoff", "control/candid", small, **given)
    assert forecast.n_requests == 3 * 12


def test_once_is_once_also_where_an_analysis_would_ask_more_often(small):
    assert plain_epochs(mb.analyse("consistency", "control/candid", small, limit=2).runs[0]) == 5
    once = mb.analyse("consistency", "control/candid", small, limit=2, options=Options(epochs=1))
    assert plain_epochs(once.runs[0]) == 1


@pytest.mark.parametrize("name", sorted(set(ANALYSES) - {"access", "stages"}))
def test_every_analysis_hears_how_often_it_asks(name, sketches):
    wanted = load_analysis(name).arms(sketches, Options(epochs=3))
    assert max(arm.epochs for arm in wanted) > max(arm.epochs for arm in load_analysis(name).arms(sketches, Options()))


@pytest.fixture
def sketches():
    return mb.load_dataset("sketches")


def test_the_two_ways_to_say_how_often_may_not_disagree(small):
    with pytest.raises(UsageError, match="epochs is 2, but 3 in options; omit one of them"):
        mb.analyse("tradeoff", "control/candid", small, epochs=2, options=Options(epochs=3))
    assert plain_epochs(mb.analyse("tradeoff", "control/candid", small, epochs=2, options={"epochs": 2}).runs[0]) == 2


def test_runs_that_are_there_are_not_asked_more_often(small):
    run = mb.run("control/candid", small)
    with pytest.raises(UsageError, match="epochs is 3, but existing runs are not asked again"):
        mb.analyse_runs("tradeoff", [run.folder], options=Options(epochs=3))
    assert mb.analyse_runs("tradeoff", [run.folder], options={"rule": "strict"}).rule is Rule.STRICT


def test_texts_are_taken_as_rules_and_paths():
    told = Options(rule="strict", prompts="a", paraphrases="b", boxes="c", oracle="d")
    assert told.rule is Rule.STRICT
    assert (told.prompts, told.paraphrases, told.boxes, told.oracle) == (Path("a"), Path("b"), Path("c"), Path("d"))


WRONG = {
    "epochs": [0, -1, 1.5, True, "3"],
    "sample": [0, 2.5, "3"],
    "seed": [None, 1.5, "x"],
    "rule": ["strct", None],
    "prompts": [3, {}],
    "baseline_prompt": [3],
    "own_prompts_only": ["yes", None],
    "paraphrases": [3],
    "boxes": [[]],
    "oracle": [b"x"],
    "tagger_model": [3],
    "caption_model": [[]],
    "published": [1],
}


@pytest.mark.parametrize(("field", "value"), [(field, value) for field, values in WRONG.items() for value in values])
def test_a_value_that_an_option_cannot_have_is_refused_by_its_name(field, value):
    with pytest.raises(UsageError, match="counting rule" if field == "rule" else field):
        Options(**{field: value})


def test_every_option_is_in_the_test_above():
    assert set(WRONG) == {field.name for field in dataclasses.fields(Options)}


def test_a_key_of_a_dict_that_is_no_option_is_refused_with_the_nearest(small):
    with pytest.raises(UsageError, match="no option of the analyses named 'epoch'; did you mean 'epochs'"):
        mb.analyse("tradeoff", "control/candid", small, options={"epoch": 3})


def test_the_other_options_reach_the_analyses_from_a_dict(small, tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "brief.txt").write_text("Be brief.")
    told = {"prompts": str(tmp_path / "own"), "own_prompts_only": True, "baseline_prompt": "brief"}
    found = mb.analyse("prompts", "control/candid", small, options=told)
    assert {arm.system for arm in found.runs[0].info.arms} == {None, "Be brief."}
    assert found.record("prompts").baseline == "brief"
    shown = mb.analyse("tradeoff", "control/candid", small, options={"published": True, "rule": "strict"})
    assert shown.rule is Rule.STRICT and shown.parts[0].options.published
