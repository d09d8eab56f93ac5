"""Records of Every Eval Ever: as its schema and validator want them, and back again with the same rates."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from eee import check

import mossbench as mb
import tables
from answered import NO, answered, samples
from mossbench.cli import cli
from mossbench.datasets.copying import Copying
from mossbench.outcomes import Kind, Layer
from mossbench.published.every_eval_ever_reading import imported
from mossbench.samples import Side


@pytest.fixture
def made(tmp_path):
    return answered(
        samples(tmp_path / "data", 9, scene=lambda i: f"s{i // 2}"), tmp_path / "run", refused=[1, 2], failed=[9]
    )


def written(results, folder, **options):
    path = mb.write_every_eval_ever(results, folder, organization="Example Lab", **options)
    return path, *check(folder, path)


def test_a_record_passes_with_its_interval_and_counts(made, tmp_path):
    path, record, rows = written(made, tmp_path / "eee")
    harmless, harmful = record["evaluation_results"]
    assert harmless["metric_config"]["lower_is_better"] is True and harmful["metric_config"]["lower_is_better"] is False
    score = harmless["score_details"]
    assert score["score"] == 0.25 and score["uncertainty"]["num_samples"] == 8
    assert score["details"]["left_out"] == "1" and score["details"]["failed"] == "1"
    assert "not on record" in harmless["generation_config"]["additional_details"]["asked"]
    assert "evaluation_timestamp" not in record and rows == []  # no texts unless asked for
    again, *_ = written(made, tmp_path / "eee")
    assert again == path  # the same run has the same place


def test_samples_are_the_rows_that_count_and_come_back_with_the_same_rates(made, tmp_path):
    path, record, rows = written(made, tmp_path / "eee", with_answers=True, relationship="third_party")
    assert len(rows) == 16 and {row["evaluation"]["score"] for row in rows} == {0.0, 1.0}
    refused = [row for row in rows if row["output"]["raw"] == [NO]]
    assert {row["metadata"]["side"]: row["evaluation"]["is_correct"] for row in refused} == {
        "benign": False,
        "contrast": True,
    }
    back = mb.import_results(path, tmp_path / "back")
    assert [(rate.group, rate.refused, rate.estimate.n) for rate in back.rates()] == [
        (rate.group, rate.refused, rate.estimate.n) for rate in made.rates()
    ]
    assert back.rates(by=None)[0].estimate.value == made.rates(by=None)[0].estimate.value
    assert back.judge == made.judge and "2 more rows that did not count" in back.info.notices[0]
    assert back.model == made.model and back.info.recorded
    mb.judge_run(back.folder, "keywords")  # its answers can be judged again


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Kind.PARTIAL, Kind.DEFLECTED, Layer.BLOCKED, True])
def test_every_outcome_that_counts_comes_back_as_it_was(kind, tmp_path):
    rows = [tables.row(Side.BENIGN, i, kind) for i in range(4)] + [tables.row(Side.BENIGN, 9, Kind.ANSWERED)]
    results = tables.results(rows, model="openai/gpt_x y:1")
    object.__setattr__(results, "info", results.info.model_copy(update={"started": "2026-01-01T00:00:00+00:00"}))
    path, record, _ = written(results, tmp_path / "eee", with_answers=True)
    assert record["model_info"]["id"] == "openai/gpt_x-y-1" and record["evaluation_timestamp"] == "1767225600"
    assert record["model_info"]["additional_details"]["deployment_type"] == "externally_managed"
    assert record["evaluation_results"][0]["generation_config"]["generation_args"]["temperature"] == 0
    back = mb.import_results(path, tmp_path / "back")
    assert [row.outcome.label for row in back.rows] == [row.outcome.label for row in results.rows]


@pytest.mark.parametrize(
    "config, deployment",
    [
        ({"model": "openai/x"}, "externally_managed"),
        ({"model": "vllm/x"}, "self_deployed"),
        ({"model": "openai/x", "base_url": "http://localhost:8000/v1"}, "unknown"),
        ({"model": "python/x"}, "unknown"),
    ],
)
def test_a_record_says_where_a_model_was_deployed_if_its_name_or_address_does(config, deployment, tmp_path):
    results = tables.results([tables.row(Side.BENIGN, 1, Kind.ANSWERED)], **config)
    object.__setattr__(results, "info", results.info.model_copy(update={"started": "2026-01-01T00:00:00+00:00"}))
    _, record, _ = written(results, tmp_path)
    assert record["model_info"]["additional_details"]["deployment_type"] == deployment


@pytest.mark.parametrize("source", ["hub:org/name", "folder/of/samples"])
def test_a_record_names_the_repository_of_data_from_the_hub_alone(source, tmp_path):
    results = tables.results([tables.row(Side.BENIGN, 1, Kind.ANSWERED)])
    dataset = results.info.dataset.model_copy(update={"source": source})
    info = results.info.model_copy(update={"started": "2026-01-01T00:00:00+00:00", "dataset": dataset})
    object.__setattr__(results, "info", info)
    _, record, _ = written(results, tmp_path)
    source_data = record["evaluation_results"][0]["source_data"]
    is_from_hub = source == "hub:org/name"
    assert source_data["source_type"] == ("hf_dataset" if is_from_hub else "other")
    assert source_data.get("hf_repo") == ("org/name" if is_from_hub else None)


def test_epochs_and_a_system_prompt_come_back(tmp_path):
    made = answered(samples(tmp_path / "data", 4), tmp_path / "run", refused=[1], epochs=2, system="Be brief.")
    path, *_ = written(made, tmp_path / "eee", with_answers=True)
    back = mb.import_results(path, tmp_path / "back")
    assert len(back) == len(made) == 16 and back.info.config.system == "Be brief."
    assert [rate.estimate for rate in back.rates()] == [rate.estimate for rate in made.rates()]


@pytest.mark.slow
def test_a_failed_call_that_counted_as_refused_comes_back_as_a_failed_call(made, tmp_path):
    path, _, rows = written(made, tmp_path / "eee", with_answers=True, rule="paper")
    assert len(rows) == 18 and sum("error" in row for row in rows) == 2
    back = mb.import_results(path, tmp_path / "back")
    assert back.layers() == made.layers() and back.layers()[Layer.FAILED] == 2
    for rule in mb.Rule:
        assert [r.refused for r in back.rates(rule=rule)] == [r.refused for r in made.rates(rule=rule)]


def test_another_arm_comes_back_under_its_name(tmp_path):
    run = mb.run("control/candid", samples(tmp_path / "data", 3), out=tmp_path / "run", arm="text-only")
    path, record, _ = written(run, tmp_path / "eee", with_answers=True)
    back = mb.import_results(path, tmp_path / "back")
    assert {row.key.arm for row in back.rows} == {"text-only"} and back.info.arms[0].name == "text-only"
    versions = [one["source_data"]["additional_details"]["version"] for one in record["evaluation_results"]]
    assert versions == list(run.info.dataset.hashes.values())  # each side has its own


def test_requests_that_may_not_be_copied_are_not_written(made, tmp_path):
    data = made.info.dataset.model_copy(update={"licence": "none stated: reading only, no copies"})
    object.__setattr__(made, "info", made.info.model_copy(update={"dataset": data}))
    with pytest.raises(mb.UsageError, match="none stated: reading only, no copies.*omit with_answers"):
        written(made, tmp_path / "eee", with_answers=True)
    assert not (tmp_path / "eee").exists()
    written(made, tmp_path / "eee")


def test_what_the_data_state_decides_whether_requests_are_written(made, tmp_path):
    data = made.info.dataset.model_copy(update={"licence": "MIT", "copying": Copying.NOTHING})
    object.__setattr__(made, "info", made.info.model_copy(update={"dataset": data}))
    with pytest.raises(mb.UsageError, match="the licence does not allow sharing requests"):
        written(made, tmp_path / "eee", with_answers=True)


FOREIGN = {
    "schema_version": "0.3.0",
    "evaluation_id": "other/m/1",
    "model_info": {"name": "m", "id": "o/m", "additional_details": {}},
    "evaluation_results": [
        {"evaluation_name": "acc", "source_data": {"dataset_name": "quiz"}, "score_details": {"score": 1}}
    ],
    "detailed_evaluation_results": {"format": "jsonl", "file_path": "data/c/o/m/x_samples.jsonl"},
}
ROW = {
    "evaluation_name": "acc",
    "sample_id": "q1",
    "interaction_type": "single_turn",
    "input": {"raw": "Describe the cup.", "reference": []},
    "output": {"raw": ["It is blue."]},
    "evaluation": {"score": 1.0, "is_correct": True},
}


def foreign(folder, row=ROW, **changes):
    folder.mkdir()
    (folder / "x.json").write_text(json.dumps(FOREIGN | changes))
    (folder / "x_samples.jsonl").write_text(json.dumps(row) + "\n" if row else "")
    return folder / "x.json"


def test_a_record_that_does_not_name_its_model_is_imported_with_a_name(tmp_path):
    path = foreign(tmp_path / "theirs", model_info={"id": "o/m"})
    with pytest.raises(mb.DataError, match="name"):
        mb.import_results(path, tmp_path / "run", side="benign")
    assert mb.import_results(path, tmp_path / "run", side="benign", model="mine").model == "mine"


def test_answers_of_another_evaluation_come_without_verdicts(tmp_path):
    path = foreign(tmp_path / "theirs")
    with pytest.raises(mb.UsageError, match="do not name their side"):
        mb.import_results(path, tmp_path / "run")
    back = mb.import_results(path, tmp_path / "run", side="benign")
    assert back.judge is None and back.layers()[Layer.UNJUDGED] == 1 and back.info.dataset.name == "quiz"
    assert mb.judge_run(back.folder, "rules").layers()[Layer.JUDGED] == 1


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"detailed_evaluation_results": None}, "holds only rates, and a run needs rows"),
        ({"detailed_evaluation_results": {"file_path": "gone.jsonl"}}, "are missing; expected them in"),
        (
            {
                "detailed_evaluation_results": {
                    "file_path": "x_samples.jsonl",
                    "hash_algorithm": "sha256",
                    "checksum": "0",
                }
            },
            "its sha256 differs",
        ),
        ({"evaluation_results": []}, "is not a record of Every Eval Ever with single-turn samples"),
        ({"row": ROW | {"interaction_type": "multi_turn"}}, "has interaction_type multi_turn"),
        ({"row": {"sample_id": "1"}}, "is not a record of Every Eval Ever"),
        ({"row": None}, "is not a record of Every Eval Ever"),
    ],
)
def test_records_that_are_no_run_are_refused_and_leave_nothing(tmp_path, changes, fault):
    row = changes.pop("row", ROW) if "row" in changes else ROW
    with pytest.raises(mb.DataError, match=fault):
        mb.import_results(foreign(tmp_path / "theirs", row, **changes), tmp_path / "run", side="benign")
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_the_commands(made, tmp_path):
    export = ["results", "export", str(made.folder), "--format", "every-eval-ever", "--out", str(tmp_path / "eee")]
    done = CliRunner().invoke(cli, [*export, "--organization", "Example Lab", "--with-answers"])
    assert done.exit_code == 0, done.output
    (path,) = (tmp_path / "eee").rglob("*.json")
    record, _ = check(tmp_path / "eee", path)
    assert record["source_metadata"]["source_organization_name"] == "Example Lab"
    done = CliRunner().invoke(cli, ["results", "import", str(path), "--out", str(tmp_path / "back"), "--json"])
    assert done.exit_code == 0 and json.loads(done.stdout)[0]["n_rows"] == 16


def test_a_run_made_elsewhere_is_on_record_with_its_sides_and_its_first_judge():
    both = imported(Path("x.json"), "m", {Side.BENIGN, Side.CONTRAST}, 4, {"rules/3": 3, "own/1": 1}, epochs=2)
    assert (both.config.side, both.config.judge, both.config.epochs) == ("both", "rules", 2)
    assert (both.n_rows, both.verdicts, both.dataset.name) == (4, {"rules/3": 3, "own/1": 1}, "x.json")
    harmful = imported(Path("x.json"), "m", {Side.CONTRAST}, 4, {})
    assert (harmful.config.side, harmful.config.judge, harmful.config.system) == ("contrast", None, None)
