"""run.json and the files beside it, of a run that was merged from shards: those of the undivided run."""

import json
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.datasets.arms import arm_of
from mossbench.errors import RunError, UsageError
from mossbench.models.connections import Traffic
from mossbench.store.run_folder import RunFolder


def run_shards(data, n=2, model="control/jumpy?rate=0.4", **options):
    folders = [f"part-{number}" for number in range(1, n + 1)]
    for number, folder in enumerate(folders, 1):
        mb.run(model, data, shard=f"{number}/{n}", out=folder, **options)
    return folders


def change_record(folder, **fields):
    run_folder = RunFolder(Path(folder))
    run_folder.write_info(run_folder.info().model_copy(update=fields))


def merged_info(folders):
    mb.merge_runs(folders, "merged")
    return RunFolder(Path("merged")).info()


def test_times_and_traffic_are_those_of_all_shards(small):
    folders = run_shards(small)
    change_record("part-1", started="2026-01-02T00:00:00+00:00", ended="2026-01-05T00:00:00+00:00")
    change_record("part-2", started="2026-01-01T00:00:00+00:00", ended="2026-01-04T00:00:00+00:00")
    change_record("part-1", traffic=Traffic(retries=2))
    change_record("part-2", traffic=Traffic(retries=3))
    info = merged_info(folders)
    assert (info.started, info.ended) == ("2026-01-01T00:00:00+00:00", "2026-01-05T00:00:00+00:00")
    assert info.traffic.retries == 5


def test_what_a_control_model_was_made_to_refuse_is_counted_over_all_shards(small):
    model = "control/jumpy?rate=0.4&on=stimulus"
    folders = run_shards(small, model=model)
    mb.run(model, small, out="whole")
    planted = RunFolder(Path("whole")).info().planted
    assert planted and merged_info(folders).planted == planted


def test_samples_that_are_not_asked_are_counted_of_the_whole_only(small):
    lines = [json.loads(line) for line in (small / "metadata.jsonl").read_text().splitlines()]
    arm = "counterfactual"
    for line in lines[:6]:
        line["counterfactual"] = line["image"]
    (small / "metadata.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    mb.run("control/candid", small, out="whole", arm=arm)
    folders = run_shards(small, model="control/candid", arm=arm)
    notices = RunFolder(Path("whole")).info().notices
    assert any("samples are not asked" in notice for notice in notices)
    assert merged_info(folders).notices == notices


def test_the_tracebacks_of_all_shards_are_kept(small):
    Path("own.py").write_text("def answer(prompt):\n    raise ValueError(f'no {prompt.key.sample}')\n")
    merged_info(run_shards(small, model="own.py:answer", retries=0))
    log = Path("merged/errors.log").read_text()
    assert "no 1" in log and "no 2" in log


def test_drift_in_one_shard_holds_for_the_whole_where_others_were_not_checked(small):
    folders = run_shards(small)
    first = RunFolder(Path(folders[0]))
    first.drift_path(first.judges()[0]).write_text("2 of 9 probes\n")
    assert mb.merge_runs(folders, "merged").drift == "2 of 9 probes"


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"one_format": True}, "one_format: False and True"),
        ({"sent": {"not_taken": ["seed"]}}, "settings not taken"),
        ({"arms": (arm_of("plain", None), arm_of("text-only", None))}, "arms: "),
    ],
)
def test_shards_that_were_sent_in_another_way_are_not_merged(small, change, difference):
    folders = run_shards(small)
    change_record("part-2", **change)
    with pytest.raises(UsageError, match=rf"not shards of one run; they differ in\n  {difference}"):
        mb.merge_runs(folders, "merged")


def test_verdicts_are_counted_by_judge_and_shards_may_be_named_in_any_order(small):
    Path("own.py").write_text(
        "def answer(prompt):\n    if prompt.key.sample in '12':\n        raise ValueError('down')\n    return 'Sure.'\n"
    )
    folders = run_shards(small, model="own.py:answer", retries=0)
    mb.merge_runs(folders, "merged")
    mb.merge_runs(folders[::-1], "reversed")
    merged = RunFolder(Path("merged")).info()
    assert set(merged.verdicts.values()) == {8} and merged.failed == 4
    assert RunFolder(Path("reversed")).info() == merged
    assert Path("reversed/errors.log").read_text() == Path("merged/errors.log").read_text()


def test_a_row_of_no_plan_is_named(small):
    folders = run_shards(small)
    path = Path("part-1/answers.jsonl")
    line = json.loads(path.read_text().splitlines()[0])
    path.write_text(path.read_text() + json.dumps({**line, "epoch": 9}) + "\n")
    with pytest.raises(RunError, match="epoch 9"):
        mb.merge_runs(folders, "merged")
