"""What versions 0.1.0 and 0.2 wrote still opens, and says what it said then."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import JUDGE
from mossbench import load_results
from mossbench.annotation.store import Store
from mossbench.building.candidate_states import standings
from mossbench.building.folder import BuildFolder
from mossbench.cli import cli
from mossbench.leaderboard.board_folder import load_board
from mossbench.leaderboard.boards import make_boards
from mossbench.leaderboard.checking import check_submission
from mossbench.outcomes import Answer, Layer
from mossbench.store.batch_log import chunks_out
from openai_server import completion, serve
from servers.batches import batch_server
from servers.fates import right_text
from small_set import small_set

BEFORE = Path(__file__).parent / "written_before"


@pytest.fixture
def before(tmp_path):
    """A copy, since commands write reports beside what they read."""
    return Path(shutil.copytree(BEFORE, tmp_path / "before", ignore=shutil.ignore_patterns("0.2")))


def run_cli(*args):
    return CliRunner().invoke(cli, [str(arg) for arg in args], catch_exceptions=False)


def rates(results):
    return {rate.side: (rate.refused, rate.estimate.n) for rate in results.rates(by=None)}


def test_a_run_counts_as_it_did(before):
    results = load_results(before / "run")
    assert results.judge == "rules/2"
    assert rates(results) == {"benign": (6, 6), "contrast": (6, 6)}


def test_a_run_that_is_done_resumes_without_asking(before, tmp_path, monkeypatch):
    small_set(tmp_path / "small")
    monkeypatch.chdir(tmp_path)  # the run names its data as `small`
    answers = (before / "run" / "answers.jsonl").read_bytes()
    done = run_cli("run", "--resume", before / "run", "--quiet")
    assert done.exit_code == 0, done.output
    assert (before / "run" / "answers.jsonl").read_bytes() == answers


def test_a_hosted_run_counts_as_it_did(before):
    results = load_results(before / "hosted")
    assert results.layers()[Layer.FAILED] == 2
    assert rates(results) == {"benign": (0, 5), "contrast": (5, 5)}


def rewritten(folder, **changes):
    """run.json of a folder with some of its values changed."""
    content = json.loads((folder / "run.json").read_text())
    config = content["config"] | changes.pop("config", {})
    (folder / "run.json").write_text(json.dumps(content | changes | {"config": config}))


@pytest.fixture
def hosted(before, tmp_path, monkeypatch):
    small_set(tmp_path / "small")
    monkeypatch.chdir(tmp_path)  # the run names its data as `small`
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    return before / "hosted"


def test_a_hosted_run_goes_on_at_the_endpoint_that_its_notice_names(hosted, monkeypatch):
    with serve(lambda body, headers: (200, completion("Fine."))) as (url, requests):
        rewritten(hosted, notices=[f"answers come from {url}"])
        done = run_cli("run", "--resume", hosted, "--quiet")
        assert done.exit_code == 0, done.output
        assert len(requests) == 2
    assert load_results(hosted).layers()[Layer.FAILED] == 0


def test_a_preset_run_whose_endpoint_is_lost_asks_for_it(hosted):
    with serve(lambda body, headers: (200, completion("Fine."))) as (url, requests):
        rewritten(hosted, notices=[], config={"model": "openai/reka-core"})
        refused = run_cli("run", "--resume", hosted, "--quiet")
        assert refused.exit_code == 2
        assert "does not record the endpoint of openai/reka-core" in refused.output
        assert "resume it with --base-url" in refused.output
        done = run_cli("run", "--resume", hosted, "--base-url", url, "--quiet")
        assert done.exit_code == 0, done.output
        assert len(requests) == 2


def test_a_run_at_the_providers_own_address_goes_on_there(hosted, monkeypatch):
    rewritten(hosted, notices=[], config={"model": "openai/gpt-4o"})

    async def answer(self, prompt):
        assert self.base_url is None
        return Answer(text="Fine.")

    monkeypatch.setattr("mossbench.models.openai.OpenAIModel.answer", answer)
    done = run_cli("run", "--resume", hosted, "--quiet")
    assert done.exit_code == 0, done.output
    assert load_results(hosted).layers()[Layer.FAILED] == 0


def test_an_analysis_folder_opens(before):
    results = load_results(before / "analysis", arms="all")
    assert len(results) == 30
    assert {row.key.arm for row in results.rows} >= {"plain", "counterfactual", "text-only"}


def test_a_submission_is_sound_and_joins_a_board(before, tmp_path):
    submission, faults = check_submission(before / "submission.json")
    assert not faults
    assert submission.model == "control/jumpy?rate=0.4"
    added = run_cli("leaderboard", "add", before / "submission.json", "--board", tmp_path / "new")
    assert added.exit_code == 0, added.output


def test_a_board_ranks_what_is_on_it(before):
    (board,) = make_boards(load_board(before / "board"))
    assert [(row.name, row.rate.n) for row in board.rows] == [("control/jumpy?rate=0.4", 120)]


def test_annotations_keep_their_labels_and_decisions(before):
    store = Store(before / "annotations.db")
    assert store.annotators() == {"Ada": 4, "Bea": 4}
    assert len(store.items()) == 12 and len(store.labels()) == 8
    assert [label.value for label in store.decisions().values()] == [{"kind": "incapable"}]


@pytest.mark.parametrize("command", [("results", "show"), ("report",), ("results", "export", "--out", "rows.csv")])
def test_commands_take_a_run(before, command):
    name, *rest = command
    args = [name, rest[0], before / "run", *rest[1:]] if rest else [name, before / "run"]
    done = run_cli(*args)
    assert done.exit_code == 0, done.output


# What 0.2 wrote: tests/written_before/write.py


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A copy, as the current folder: paths on record are relative to it."""
    folder = Path(shutil.copytree(BEFORE / "0.2", tmp_path / "kept"))
    monkeypatch.chdir(folder)
    return folder


def n_in_layers(results):
    return {layer.value: n for layer, n in results.layers().items() if n}


def test_a_run_of_0_2_counts_as_it_did_by_both_judges(kept):
    for judge in ("rules/4", "keywords/2"):
        results = load_results("run", judge=judge)
        assert n_in_layers(results) == {"failed": 1, "empty": 1, "judged": 10}
        assert rates(results) == {"benign": (3, 5), "contrast": (6, 6)}
    assert results.info.config.system == "Answer briefly."
    kinds = {row.sample.id: row.outcome.label for row in load_results("run").rows if row.key.side == "benign"}
    assert kinds == {
        "1": "refused",
        "2": "refused",
        "3": "answered",
        "4": "answered",
        "5": "failed",
        "6": "empty",
    }


def test_a_run_of_0_2_resumes_and_asks_only_what_failed(kept):
    answers = Path("run/answers.jsonl").read_text()
    done = run_cli("run", "--resume", "run", "--quiet", "--no-report", "--max-failed", "0.5")
    assert done.exit_code == 0, done.output
    added = Path("run/answers.jsonl").read_text().removeprefix(answers).splitlines()
    assert [json.loads(line)["sample"] for line in added] == ["5"]


def test_a_suite_of_0_2_is_not_asked_again_and_its_gates_hold(kept):
    answers = {path: path.read_bytes() for path in Path("suite").rglob("answers.jsonl")}
    done = run_cli("run", "suite.toml", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    # It names no judge, so the default judge of now reads it too.
    assert (found["state"], [cell["state"] for cell in found["cells"]]) == ("pass", ["continued", "continued"])
    for name in ("calm", "careful"):
        said = f"note: {name} · none · data · plain: the recorded answers were judged again by {JUDGE}"
        assert f"{said} (before: rules/4) and not requested again" in done.stderr
    assert {path: path.read_bytes() for path in Path("suite").rglob("answers.jsonl")} == answers
    second = run_cli("run", "suite.toml", "--json")
    assert [cell["state"] for cell in json.loads(second.stdout)["cells"]] == ["skipped", "skipped"]
    assert "judged again" not in second.stderr
    names = {Path(cell["run"]).name.split("-")[1]: rates(load_results(cell["run"])) for cell in found["cells"]}
    assert names == {
        "calm": {"benign": (0, 6), "contrast": (6, 6)},
        "careful": {"benign": (3, 6), "contrast": (6, 6)},
    }


def test_a_finished_batch_run_of_0_2_counts_as_it_did(kept):
    results = load_results("batch")
    assert n_in_layers(results) == {"judged": 12} and rates(results) == {"benign": (0, 6), "contrast": (0, 6)}
    assert results.info.engines == ("batch",) and chunks_out(Path("batch/batches.jsonl"))[0] == {}


def test_rows_that_are_out_in_a_batch_of_0_2_are_collected_and_not_paid_again(kept, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "a-key-of-ours")
    (chunk,) = chunks_out(Path("batch-out/batches.jsonl"))[0].values()
    assert (chunk.batch, len(chunk.rows)) == ("batch_1", 4)
    assert n_in_layers(load_results("batch-out")) == {"not asked": 4}
    with batch_server("openai") as (url, server):
        items = []
        for id, key in chunk.ids().items():
            message = {"role": "user", "content": f"What is number {key.sample}?"}
            items.append({"custom_id": id, "body": {"model": "served", "messages": [message]}})
        assert server.make(items, chunk.name) == chunk.batch  # the provider has kept it meanwhile
        moved_to(Path("batch-out"), url)
        done = run_cli("run", "--resume", "batch-out", "--poll", "0.001", "--quiet", "--no-report")
        assert done.exit_code == 0, done.output
        assert server.sizes == [4] and server.live == 0
    results = load_results("batch-out")
    assert {row.exchange.answer.text for row in results.rows} == {right_text(1), right_text(2)}
    assert rates(results) == {"benign": (0, 2), "contrast": (0, 2)}


def moved_to(folder, url):
    """A run whose endpoint has another address now: that of a server of this test."""
    info = folder / "run.json"
    content = json.loads(info.read_text())
    info.write_text(info.read_text().replace(content["config"]["base_url"], url))


def test_a_bundle_of_0_2_gives_the_same_numbers_to_a_later_version(kept, monkeypatch):
    monkeypatch.setattr(mb, "__version__", "0.3.0")  # so that its pages, whose words may change, are not compared
    found = mb.verify_bundle("audit.zip", data=mb.load_dataset("data"))
    assert found.differences == () and found.runs == {"run": "copies"}
    assert "written by mossbench 0.2.0, checked by 0.3.0" in found.notes[0]


def test_a_build_of_0_2_stands_where_it_stood_and_its_release_opens(kept):
    folder = BuildFolder(Path("my-set"))
    states = {one.candidate.request: one.state.value for one in standings(folder)}
    assert states == {
        "What could we cook in kitchen 1?": "released",
        "What could we cook in kitchen 2?": "disputed",
        "What could we cook in kitchen 3?": "proposed",
    }
    assert [(one.reviewer, one.harmfulness <= 2) for one in folder.ratings()].count(("Bob", True)) >= 1
    release = mb.load_dataset("my-set/releases/0.1.0")
    assert len(release) == 2 and mb.check_dataset(release) == ()
    done = run_cli("build", "status", "my-set")
    assert done.exit_code == 0, done.output


def test_annotations_of_0_2_keep_labels_people_and_the_decision(kept):
    store = Store("annotations.db")
    assert store.annotators() == {"Ada": 4, "Bea": 4, "Guest": 0}
    assert {person.name: person.link for person in store.people()} == {"Ada": "none", "Bea": "none", "Guest": "open"}
    assert len(store.items()) == 8 and len(store.labels()) == 8
    kinds = sorted(label.value["kind"] for label in store.labels())
    assert kinds == ["answered"] * 4 + ["partial"] + ["refused"] * 3
    ((item, decision),) = store.decisions().items()
    assert (decision.value, decision.note) == ({"kind": "partial"}, "It helps with one half.")
    assert {label.value["kind"] for label in store.labels() if label.item == item} == {"refused", "partial"}
