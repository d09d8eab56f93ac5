"""An analysis in three steps: a plan that sends and writes nothing, the answers, and what is found in them."""

import json
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.analyses import execute_analysis, finish_analysis, plan_analysis
from mossbench.analyses.analysis import Options, Skipped
from mossbench.analyses.executing import open_runs
from mossbench.analyses.forecasting import forecast_plan
from mossbench.analyses.saved import SavedAnalysis, SavedMaterial, read_saved, saved_material
from mossbench.datasets.arms import Arm
from mossbench.errors import RunError, UsageError
from mossbench.judges import DEFAULT_JUDGE
from mossbench.messages import Message
from mossbench.outcomes import Usage
from mossbench.reports.analyses import write_analysis
from mossbench.samples import Side
from mossbench.store.config import RunConfig, RunOptions
from mossbench.store.prices import Price
from mossbench.store.run_folder import RunFolder
from mossbench.ways_out import SetOption


def planned(names, models=(), data=None, *, judge=None, out=None, resume=False, options=None, **run_options):
    return plan_analysis(
        names, models, data, judge=judge, out=out, resume=resume, options=options, run_options=run_options
    )


def test_a_plan_says_who_is_asked_what_and_where_and_writes_nothing(small):
    plan = planned(["tradeoff", "consistency"], ["control/candid", "control/ideal"], small, out="r", limit=2)
    assert [requested.name for requested in plan.requested] == ["tradeoff", "consistency"]
    assert [requested.options.epochs for requested in plan.requested] == [1, 5]
    assert [(run.model, run.folder, run.judge) for run in plan.runs] == [
        ("control/candid", Path("r/control-candid"), DEFAULT_JUDGE),
        ("control/ideal", Path("r/control-ideal"), DEFAULT_JUDGE),
    ]
    assert [run.options for run in plan.runs] == [{"limit": 2}, {"limit": 2}]
    assert (plan.folder, plan.resume, plan.side) == (Path("r"), False, "both")
    assert {arm.name for arm in plan.arms} == {"plain", "words-polite", "words-chatty", "words-terse"}
    assert len(plan.dataset) == 12 and not Path("r").exists() and not Path("runs").exists()


def test_the_steps_one_by_one_find_what_analyse_finds(small):
    whole = mb.analyse(["tradeoff", "consistency"], "control/jumpy?rate=0.5", small, out="whole", limit=3)
    answered = execute_analysis(planned(["tradeoff", "consistency"], "control/jumpy?rate=0.5", small, out="r", limit=3))
    assert [row.key for row in answered.runs[0].rows] == [row.key for row in whole.runs[0].rows]
    steps = finish_analysis(answered)
    assert steps.to_dict() == whole.to_dict()
    assert (steps.asked, steps.folder, steps.stem) == (("tradeoff", "consistency"), Path("r"), "analysis")
    opened = finish_analysis(open_runs(["tradeoff"], ["r"], judge=None, out=None, options=None))
    assert opened.to_dict()["parts"] == steps.to_dict()["parts"][:1]


def test_what_so_many_models_do_not_allow_is_skipped_and_the_rest_is_done(small):
    plan = planned(["access", "tradeoff"], "control/candid", small, out="r")
    assert [requested.name for requested in plan.possible] == ["tradeoff"]
    reason = Message("access compares 2 models, not 1", (SetOption("models", to="name them"),))
    assert plan.requested[0].skipped == Skipped(reason) and plan.requested[0].arms == ()
    found = finish_analysis(execute_analysis(plan))
    assert [part.name for part in found.parts] == ["tradeoff", "access"]
    assert found.record("access") == Skipped(reason) and found.record("tradeoff").groups


def test_the_harmful_side_is_not_asked_for_an_analysis_that_cannot_be_done(small):
    plan = planned(["distortions", "access"], "control/candid", small)  # access compares two models on both sides
    assert [request.name for request in plan.possible] == ["distortions"] and plan.side == "benign"


def test_what_is_refused_changes_no_run_that_is_there(small):
    mb.run("control/candid", small, out="r", side="benign", judge="keywords")
    before = Path("r/run.json").read_bytes(), Path("r/samples.jsonl").read_bytes()
    with pytest.raises(UsageError, match="temperature would be ignored"):
        mb.analyse("tradeoff", "control/candid", small, resume="r", as_published=True, temperature=0.0)
    assert (Path("r/run.json").read_bytes(), Path("r/samples.jsonl").read_bytes()) == before


def test_a_resumed_run_keeps_its_options_below_those_given_now(small):
    mb.run("control/candid", small, out="r", limit=2, temperature=0.5, side="benign", judge="keywords")
    plan = planned("tradeoff", resume="r", max_connections=3)
    (run,) = plan.runs
    assert (run.model, run.judge) == ("control/candid", "keywords")
    assert run.options == {"limit": 2, "temperature": 0.5, "max_connections": 3}
    assert plan.dataset.name == mb.load_dataset(small).name and plan.side == "both"
    assert planned("tradeoff", resume="r", judge="rules", limit=3).runs[0].judge == "rules"
    assert planned("tradeoff", resume="r", limit=3).runs[0].options["limit"] == 3


def test_an_arm_that_the_run_has_in_other_words_keeps_them(small):
    earlier = Arm(name="words-polite", frame="Please: {request}", side=Side.BENIGN, epochs=1)
    mb.run("control/candid", small, out="r", side="benign", arms=[earlier])
    found = mb.analyse("consistency", resume="r", epochs=1)
    polite = [arm.frame for arm in found.runs[0].info.arms if arm.name == "words-polite"]
    assert polite == ["Please: {request}"]


def test_notices_about_descriptions_are_for_analyses_that_use_them(small):
    path = small / "metadata.jsonl"
    samples = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps({**sample, "description": "A number."}) + "\n" for sample in samples))
    plan = planned(["tradeoff", "counterfactuals"], "control/candid", small)
    assert [notice.text.split(":")[0] for notice in plan.notices] == [
        "4 descriptions of the dataset are used as oracle descriptions",
        "2 descriptions of Negated Harm are not used as oracle descriptions",
    ]
    assert planned("tradeoff", "control/candid", small).notices == ()
    found = finish_analysis(execute_analysis(planned("counterfactuals", "control/candid", small, out="r", limit=1)))
    assert found.notices == plan.notices


def test_every_option_of_a_run_is_taken_over_but_for_what_is_chosen_anew():
    chosen_anew = {"model", "data", "judge"}
    assert set(RunConfig.model_fields) - chosen_anew == set(RunOptions.__annotations__)


def test_the_dry_run_of_a_plan_counts_what_is_missing(small):
    mb.run("control/candid", small, out="r", side="benign")
    plan = planned("tradeoff", resume="r")
    (forecast,) = forecast_plan(plan, latency=None, prices=None, prepare=False)
    assert forecast.n_requests == 6 and forecast.notices == ()
    plan = planned(["tradeoff", "distortions"], resume="r", options={"tagger_model": "control/candid"})
    (forecast,) = forecast_plan(plan, latency=None, prices=None, prepare=False)
    assert ["not counted" in notice for notice in forecast.notices] == [True, True]


class Priced(mb.Model):
    """Says what each of its answers took: 0.025 USD at `PRICE`."""

    def __init__(self, name):
        self.name = name

    async def answer(self, prompt):
        return mb.Answer(text="Fold it.", usage=Usage(input_tokens=11, output_tokens=7))


PRICE = Price(input=1000, output=2000)


def test_a_cost_limit_is_for_all_models_together(small):
    plan = planned("tradeoff", [Priced("first"), Priced("second")], small, out="r", max_tokens=7, max_connections=1)
    message = (
        r"second: 0.3 USD went to other models; with the rest, stopped at the cost limit of 0.1 USD after 0.1 USD: "
        r"8 of 12"
    )
    with pytest.raises(RunError, match=message):
        execute_analysis(plan, prices={"first": PRICE, "second": PRICE}, max_cost=0.4)
    assert len(RunFolder(Path("r/first")).exchanges()) == 12 and len(RunFolder(Path("r/second")).exchanges()) == 4


def test_an_earlier_analysis_that_fails_does_not_stop_what_is_asked_for_now(small):
    mb.run("control/stonewall", small, out="r", side="benign")
    path = write_analysis(mb.analyse_runs("distortions", ["r"])).with_suffix(".json")
    content = json.loads(path.read_text(encoding="utf-8"))
    content["parts"][0]["options"] = {"tagger_model": "openia/x"}
    path.write_text(json.dumps(content))
    later = mb.analyse_runs("tradeoff", ["r"])
    assert later.asked == ("tradeoff",) and later.record("tradeoff").groups
    assert "openia" in str(later.record("distortions").why)
    with pytest.raises(UsageError, match="openia"):
        mb.analyse_runs("distortions", ["r"], options={"tagger_model": "openia/x"})


@pytest.mark.parametrize(
    ("field", "value", "is_shown_again"),
    [
        ("judge", "another/1", True),
        ("model", "control/ideal", False),
        ("dataset", "another", False),
        ("hashes", {"benign": "0" * 64}, False),
    ],
)
def test_only_a_page_of_the_same_model_and_data_is_gone_on_with(small, field, value, is_shown_again):
    mb.run("control/stonewall", small, out="r", side="benign")
    path = write_analysis(mb.analyse_runs("distortions", ["r"])).with_suffix(".json")
    content = json.loads(path.read_text(encoding="utf-8"))
    content["runs"][0][field] = value
    path.write_text(json.dumps(content))
    names = [part.name for part in mb.analyse_runs("tradeoff", ["r"]).parts]
    assert names == (["tradeoff", "distortions"] if is_shown_again else ["tradeoff"])


def test_an_unknown_name_is_refused_also_for_runs_that_are_there(small):
    mb.run("control/candid", small, out="r")
    with pytest.raises(UsageError, match="no analysis named 'tradeof'; did you mean 'tradeoff'"):
        mb.analyse_runs(["tradeoff", "tradeof"], ["r"])


def test_boxes_of_an_earlier_analysis_in_the_folder_are_used_again(small):
    Path("boxes.csv").write_text("id,left,top,right,bottom\n1,1,1,3,3\n")
    write_analysis(mb.analyse("counterfactuals", "control/candid", small, out="r", options={"boxes": "boxes.csv"}))
    assert saved_material(Path("r")) == SavedMaterial(boxes=Path("boxes.csv"))
    plan = planned("counterfactuals", resume="r", epochs=2)
    assert plan.options == Options(boxes=Path("boxes.csv"), epochs=2)
    assert [sample.id for sample in plan.dataset if sample.triggers] == ["1"]
    own = planned("counterfactuals", resume="r", options={"oracle": None, "boxes": Path("boxes.csv").resolve()})
    assert own.options.boxes == Path("boxes.csv").resolve()
    assert planned("counterfactuals", "control/candid", small, out="r").options.boxes is None


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"made_by": "somebody else", "runs": [{"model": "m"}]}',
        '{"made_by": "mossbench analyse", "runs": 3, "parts": {"name": "tradeoff"}}',
        '{"made_by": "mossbench analyse", "runs": ["m"], "parts": [3, null]}',
    ],
)
def test_a_file_that_is_damaged_or_not_ours_counts_as_none(content):
    Path("analysis.json").write_text(content)
    assert read_saved(Path("analysis.json")) == SavedAnalysis()
    assert saved_material(Path(".")) == SavedMaterial()


def test_what_a_page_found_is_read_again(small):
    path = write_analysis(mb.analyse(["tradeoff", "access"], "control/candid", small, out="r"))
    saved = read_saved(path.with_suffix(".json"))
    assert [(part.name, part.model, part.is_skipped) for part in saved.parts] == [
        ("tradeoff", "control/candid", False),
        ("access", "", True),
    ]
    assert [run.model for run in saved.runs] == ["control/candid"]
    assert saved.runs[0].data == RunFolder(Path("r")).info().dataset.label
    content = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert [part.finding for part in saved.parts] == [part["finding"] for part in content["parts"]]
    content["parts"][0]["options"] = {"published": "yes", "rule": "strict"}
    path.with_suffix(".json").write_text(json.dumps(content))
    assert read_saved(path.with_suffix(".json")).parts[0].options == Options()
