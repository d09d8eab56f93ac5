"""A run in a list says what the run's own results say."""

import json

import pytest

import mossbench as mb
from answered import answered, samples
from mossbench.results.index import RunIndex
from mossbench.results.listing import line_of, signature_of
from mossbench.store.run_folder import RunFolder
from mossbench.web.loaded_run import LoadedRun
from mossbench.web.runs import run_progress


def test_a_line_counts_answers_failures_and_refusals_as_the_results_do(tmp_path):
    data = samples(tmp_path / "data", 6)
    answered(data, tmp_path / "run", refused=(1, 2), failed=(3,))
    results = mb.load_results(tmp_path / "run")
    for _ in range(2):  # counted, then read from the file that was kept
        line = line_of(tmp_path / "run")
        assert line.state == "finished" and line.n_rows == len(results)
        assert line.summary.n_answers == len(results)
        assert line.summary.n_failed == sum(results.failures().values()) > 0
        for rate in results.rates(by=None):
            side = line.summary.rates[rate.side]
            assert (side.value, side.low, side.high) == (rate.estimate.value, rate.estimate.low, rate.estimate.high)
            assert (side.n, side.refused) == (rate.estimate.n, rate.refused)


@pytest.fixture
def analysed(tmp_path):
    """A run of six samples, each asked once on both sides; an analysis asked the sample 1 a second time."""
    folder = tmp_path / "runs" / "analysed"
    folder.parent.mkdir()
    answered(samples(tmp_path / "data", 6), folder, epochs=2)
    info = json.loads((folder / "run.json").read_text())
    (plain,) = info["arms"]
    info["config"]["epochs"] = 1
    info["arms"] = [plain, plain | {"ids": ["1"], "epochs": 2}]
    info["n_rows"] = 14
    (folder / "run.json").write_text(json.dumps(info))
    lines = (folder / "answers.jsonl").read_text().splitlines(keepends=True)
    asked = [line for line in lines if json.loads(line)["epoch"] == 1 or json.loads(line)["sample"] == "1"]
    assert len(asked) == 14
    (folder / "answers.jsonl").write_text("".join(asked))
    return folder


def test_a_run_of_which_an_analysis_asked_some_samples_again_is_finished(analysed):
    assert len(mb.load_results(analysed)) == 12
    line = line_of(analysed)
    assert (line.state, line.n_rows, line.summary.n_answers) == ("finished", 14, 14)


def test_a_run_that_lacks_an_answer_that_an_analysis_asks_is_not_finished(analysed):
    lines = (analysed / "answers.jsonl").read_text().splitlines(keepends=True)
    info = json.loads((analysed / "run.json").read_text())
    (analysed / "run.json").write_text(json.dumps(info | {"ended": None}))
    is_again = [json.loads(line)["epoch"] == 2 for line in lines]
    del lines[is_again.index(True)]
    (analysed / "answers.jsonl").write_text("".join(lines))
    line = line_of(analysed)
    assert (line.state, line.summary.n_answers) == ("not finished", 13)


def test_a_page_counts_what_an_analysis_asks_of_some_samples_in_its_progress(analysed):
    info = json.loads((analysed / "run.json").read_text())
    (analysed / "run.json").write_text(json.dumps(info | {"ended": None}))
    index = RunIndex(analysed.parent)
    signature = signature_of(analysed)
    run = LoadedRun("analysed", signature, RunFolder(analysed).info(), index.add("analysed", signature, "m"), index)
    progress = run_progress(run)
    assert (progress.n_answers, progress.n_rows) == (14, 14)
    assert run.results.n_in_part_epochs == 2
