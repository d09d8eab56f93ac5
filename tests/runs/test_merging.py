"""Shards, and the merge that makes the undivided run of them."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.errors import RunError, UsageError
from mossbench.store import run_folder as folder_module
from mossbench.store.prices import Price
from mossbench.store.run_folder import RunFolder

MODEL = "control/jumpy?rate=0.4"


def made(data, n=3, **options):
    options = {"model": MODEL, "epochs": 2, **options}
    folders = [f"part-{i}" for i in range(1, n + 1)]
    for i, folder in enumerate(folders, start=1):
        mb.run(data=data, shard=f"{i}/{n}", out=folder, **options)
    return folders


def rows_of(folder, judge=None):
    """All that is on record of each row, but how long it took."""

    def timeless(exchange):
        record = json.loads(exchange.model_dump_json())
        return {**record, "answer": {**record["answer"], "seconds": None}, "waited": 0}

    found = mb.load_results(folder, judge=judge)
    return [(row.key, timeless(row.exchange), row.verdict, row.outcome, row.sample) for row in found.rows]


def test_merged_shards_equal_the_undivided_run_row_by_row(small):
    whole = mb.run(MODEL, small, out="whole", epochs=2)
    merged = mb.merge_runs(made(small), "merged")
    assert len(merged) == len(whole) == 24
    assert rows_of("merged") == rows_of("whole")
    assert merged.rates() == whole.rates() and merged.protocol() == whole.protocol()
    one, other = (RunFolder(Path(name)).info() for name in ("merged", "whole"))
    same = {"config", "subject", "arms", "dataset", "n_rows", "notices", "verdicts", "failed", "engines", "sent"}
    assert one.model_dump(include=same) == other.model_dump(include=same)
    assert Path("merged/samples.jsonl").read_text() == Path("whole/samples.jsonl").read_text()
    assert len(Path("merged/answers.jsonl").read_text().splitlines()) == 24


def test_a_merged_run_can_be_resumed_and_asks_nothing(small):
    merged = mb.merge_runs(made(small), "merged")
    before = Path("merged/answers.jsonl").read_bytes()
    assert mb.resume_run("merged").rates() == merged.rates()
    assert Path("merged/answers.jsonl").read_bytes() == before


def test_a_shard_keeps_twins_together_and_all_shards_are_all_ids(small):
    found = [{(str(s.side), s.id) for s in RunFolder(Path(one)).samples()} for one in made(small, 4, epochs=1)]
    assert [sorted({id for _, id in one}) for one in found] == [["1", "5"], ["2", "6"], ["3"], ["4"]]
    assert all({id for side, id in one if side == "benign"} == {id for _, id in one} for one in found)


def test_a_shard_is_another_protocol_than_the_whole_and_is_no_submission(small):
    mb.run(MODEL, small, out="whole")
    mb.run(MODEL, small, out="part", shard="1/2")
    assert "harmless samples" in mb.load_results("part").protocol().differences(mb.load_results("whole").protocol())
    with pytest.raises(UsageError, match="used only part of the data"):
        mb.make_submission("part")


@pytest.mark.parametrize(
    ("shard", "said"),
    [("4/3", "the last one is 3/3"), ("0/3", "expected I/N"), ("2", "expected I/N"), ("7/7", "shard 7/7")],
)
def test_a_shard_that_cannot_be_is_refused_before_anything_is_asked(small, shard, said):
    with pytest.raises(UsageError, match=said):
        mb.run(MODEL, small, out="r", shard=shard)
    assert not Path("r").exists()


def test_a_missing_shard_is_named_with_its_rows_and_nothing_is_written(small):
    made(small, epochs=1)
    with pytest.raises(RunError, match=r"4 rows \(benign 2 \(plain, epoch 1\), .*shard 2/3 is missing"):
        mb.merge_runs(["part-1", "part-3"], "merged")
    assert not Path("merged").exists()
    with pytest.raises(RunError, match=r"in no shard; shards 1/3, 3/3 are missing, name their folders too"):
        mb.merge_runs(["part-2"], "merged")


def test_rows_that_are_there_twice_are_named_with_their_folders(small):
    folders = made(small, epochs=1)
    shutil.copytree("part-2", "copy")
    with pytest.raises(RunError, match=r"4 rows \(benign 2 .*more than one shard, the first in part-2 and copy"):
        mb.merge_runs([*folders, "copy"], "merged")
    assert not Path("merged").exists()


def test_a_lost_row_of_a_finished_shard_is_named(small):
    folders = made(small, epochs=1)
    path = Path("part-2/answers.jsonl")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if '"side":"benign","sample":"2"' not in line))
    with pytest.raises(RunError, match=r"part-2/answers.jsonl is damaged.*1 of its 4 answers are missing \(benign 2\)"):
        mb.merge_runs(folders, "merged")


def test_a_shard_that_has_lost_verdicts_is_named_and_nothing_is_written(small):
    folders = made(small, epochs=1)
    path = next(Path("part-2").glob("verdicts.*"))
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:1]))
    with pytest.raises(RunError, match=r"part-2/verdicts\..* is damaged: 1 of 4 verdicts are there"):
        mb.merge_runs(folders, "merged")
    assert not Path("merged").exists()


def test_a_shard_that_is_not_finished_is_named_with_the_way_to_finish_it(small):
    folders = made(small, epochs=1)
    folder = RunFolder(Path("part-3"))
    folder.write_info(folder.info().model_copy(update={"ended": None}))
    with pytest.raises(RunError, match=r"shard 3/3 is not finished: 4 of 4 rows are done; .*resume_run\('part-3'\)"):
        mb.merge_runs(folders, "merged")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"seed": 7}, r"seed: 42 and 7"),
        ({"model": "control/candid"}, "model: 'control/jumpy"),
        ({"system": "Be kind."}, "system: None and 'Be kind.'"),
        ({"shard": "3/4"}, "number of shards: 3 and 4"),
        ({"shard": None}, "is not a shard"),
    ],
)
def test_runs_that_differ_are_not_merged_and_the_difference_is_named(small, other, said):
    mb.run(MODEL, small, out="a", shard="1/3")
    mb.run(**{"model": MODEL, "data": small, "out": "b", "shard": "2/3", **other})
    with pytest.raises(UsageError, match=said):
        mb.merge_runs(["a", "b"], "merged")
    assert not Path("merged").exists()


def test_shards_of_different_versions_or_prices_merge_and_it_is_said(small):
    made(small, epochs=1)
    folder = RunFolder(Path("part-2"))
    other = {"mossbench": "0.1.9", "price": Price(input=1, output=2)}
    folder.write_info(folder.info().model_copy(update=other))
    info = mb.merge_runs(["part-2", "part-1", "part-3"], "merged").info
    said = f"the shards were asked by different versions of mossbench: 0.1.9 and {mb.__version__}"
    assert said in info.notices and info.price is None


def test_data_that_changed_are_not_merged(small):
    folders = made(small)
    shutil.copy(small / "images/1.png", small / "images/2.png")
    with pytest.raises(UsageError, match="have changed since the shards were asked"):
        mb.merge_runs(folders, "merged")


def test_a_shard_that_another_judge_read_is_named_and_once_read_merges(small):
    folders = made(small, 2)
    mb.judge_run("part-1", "keywords")
    with pytest.raises(RunError, match=r"shard 2/2 has no verdicts of keywords/.*judge_run\('part-2', 'keywords'\)"):
        mb.merge_runs(folders, "merged")
    mb.judge_run("part-2", "keywords")
    mb.merge_runs(folders, "merged")
    mb.run(MODEL, small, out="whole", epochs=2)
    label = mb.judge_run("whole", "keywords").judge
    assert rows_of("merged", label) == rows_of("whole", label)


def test_drift_that_was_found_in_shards_is_told_of_the_merged_run(small):
    folders = [RunFolder(Path(one)) for one in made(small, 3, epochs=1)]
    label = folders[0].judges()[0]
    folders[0].drift_path(label).write_text("")
    assert mb.merge_runs([one.path for one in folders], "unknown").drift == ""
    assert not RunFolder(Path("unknown")).drift_path(label).exists()  # two shards were not checked
    for one in folders[1:]:
        one.drift_path(label).write_text("")
    mb.merge_runs([one.path for one in folders], "checked")
    assert RunFolder(Path("checked")).drift_path(label).read_text() == ""
    for one, said in zip(folders, ("2 of 9 probes\n", "", "2 of 9 probes\n"), strict=True):
        one.drift_path(label).write_text(said)
    assert mb.merge_runs([one.path for one in folders], "drifted").drift == "2 of 9 probes"


def test_the_commands_shard_and_merge(small):
    def done(*args):
        return CliRunner().invoke(cli, [*args])

    for i in ("1", "2"):
        made = done("run", "--model", MODEL, "--data", str(small), "--shard", f"{i}/2", "--out", i, "--no-report")
        assert made.exit_code == 0, made.output
    again = done("runs", "merge", "1", "--out", "m")
    assert again.exit_code == 1 and "shard 2/2" in again.output
    merged = done("runs", "merge", "1", "2", "--out", "m")
    assert merged.exit_code == 0 and "12 rows" in merged.output, merged.output


@pytest.mark.parametrize("n_written", range(5))
def test_a_merge_that_was_stopped_at_any_write_is_repeated_with_the_same_result(small, monkeypatch, n_written):
    """Four files are written; after the last one only counting is left."""
    folders = made(small, 2, epochs=1)
    mb.merge_runs(folders, "undisturbed")
    write, written = folder_module.write_atomically, []

    def stops(path, *content, **how):
        if len(written) == n_written:
            raise KeyboardInterrupt
        written.append(path)
        write(path, *content, **how)

    def stops_counting(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(folder_module, "write_atomically", stops)
        patch.setattr("mossbench.runs.merging.load_results", stops_counting)
        mb.merge_runs(folders, "merged")
    assert len(written) == min(n_written, 4)
    mb.merge_runs(reversed(folders), "merged")
    for path in Path("undisturbed").iterdir():
        assert (Path("merged") / path.name).read_bytes() == path.read_bytes()
    assert rows_of("merged") == rows_of("undisturbed") and len(rows_of("merged")) == 12


def test_a_target_with_another_run_or_other_files_is_refused_and_left_as_it_is(small):
    folders = made(small, 2, epochs=1)
    mb.run("control/candid", small, out="other")
    before = {path.name: path.read_bytes() for path in Path("other").iterdir()}
    with pytest.raises(
        UsageError, match="'other' is not empty: it contains another run; choose another folder with out="
    ):
        mb.merge_runs(folders, "other")
    assert {path.name: path.read_bytes() for path in Path("other").iterdir()} == before
    mb.merge_runs(folders, "merged")
    Path("merged/run.json").unlink()
    with Path("merged/answers.jsonl").open("a") as file:
        file.write("\n")
    with pytest.raises(UsageError, match="it contains another 'answers.jsonl'"):
        mb.merge_runs(folders, "merged")
    Path("notes").mkdir()
    Path("notes/diary.txt").write_text("mine")
    with pytest.raises(UsageError, match="'notes' is not empty"):
        mb.merge_runs(folders, "notes")
    assert [path.name for path in Path("notes").iterdir()] == ["diary.txt"]


def test_the_command_says_that_a_merge_is_there_already(small):
    folders = made(small, 2, epochs=1)
    first, second = (CliRunner().invoke(cli, ["runs", "merge", *folders, "--out", "m"]) for _ in range(2))
    assert (first.exit_code, second.exit_code) == (0, 0), second.output
    assert "wrote m" in first.stderr and "m already holds this merge; nothing was changed" in second.stderr
    assert first.stdout == second.stdout


def test_an_import_that_was_stopped_can_be_repeated(small, monkeypatch):
    mb.run(MODEL, small, out="r", side="benign")
    Path("results.json").write_text(json.dumps(mb.export_results(mb.load_results("r"), side="benign")))
    whole = mb.import_results("results.json", "whole", side="benign")
    write = folder_module.write_atomically

    def stops(path, *content, **how):
        if path.name == "run.json":
            raise KeyboardInterrupt
        write(path, *content, **how)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(folder_module, "write_atomically", stops)
        mb.import_results("results.json", "again", side="benign")
    assert mb.import_results("results.json", "again", side="benign").rates() == whole.rates()
