"""What version 0.1.0 wrote still opens, and says what it said then."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from mossbench import load_results
from mossbench.annotation.store import Store
from mossbench.cli import cli
from mossbench.leaderboard.boards import load_board, make_boards
from mossbench.leaderboard.checking import check_submission
from mossbench.outcomes import Answer, Layer
from openai_server import completion, serve
from small_set import small_set

BEFORE = Path(__file__).parent / "written_before"


@pytest.fixture
def before(tmp_path):
    """A copy, since commands write reports beside what they read."""
    return Path(shutil.copytree(BEFORE, tmp_path / "before"))


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
        assert "does not say which endpoint openai/reka-core was asked at; give --base-url" in refused.output
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
