"""A large run keeps samples in a file, keys as digests and rows as columns, and says what a small one says."""

import json
import shutil
from pathlib import Path

import pytest

import mossbench as mb
from answered import answered, samples, stop
from mossbench.datasets import files
from mossbench.datasets.stored_samples import StoredSamples
from mossbench.errors import DataError, RunError, UsageError
from mossbench.results import kept_columns, table
from mossbench.results.row_columns import StoredRows
from mossbench.store import shared_samples

N = 8


@pytest.fixture
def all_are_large(monkeypatch):
    for module in (files, kept_columns, table, shared_samples):
        monkeypatch.setattr(module, "LARGE", 3)


def asked(data, out):
    answered(data, out, refused=(1, 2), failed=(3,), epochs=2)
    return mb.load_results(out).to_dict() | {"run": ""}


@pytest.fixture
def small(tmp_path):
    """A dataset, and what a run on it says in memory; recorded answers have one place for all."""
    data = samples(tmp_path / "data", N, scene=lambda i: f"scene {i // 3}")
    return data, asked(data, tmp_path / "run")


def test_a_large_run_says_what_a_small_one_says_also_when_it_was_stopped(small, tmp_path, all_are_large):
    data, expected = small
    shutil.rmtree(tmp_path / "run")
    assert asked(data, tmp_path / "run") == expected
    assert isinstance(mb.load_results(tmp_path / "run").rows, StoredRows)
    stop(tmp_path / "run", 7)
    mb.resume_run(tmp_path / "run")
    assert mb.load_results(tmp_path / "run").to_dict() | {"run": ""} == expected
    lines = [json.loads(line) for line in (tmp_path / "run" / "answers.jsonl").read_text().splitlines()]
    answered_rows = [(line["side"], line["sample"], line["epoch"]) for line in lines if line["answer"]["error"] is None]
    assert len(answered_rows) == len(set(answered_rows)) == 2 * 2 * (N - 1)  # none was asked again after an answer


def test_lost_answers_of_a_large_run_are_an_error(small, tmp_path, all_are_large):
    run = tmp_path / "run"
    answers = run / "answers.jsonl"
    mb.load_results(run)  # what it kept must not hide the loss
    lines = answers.read_text().splitlines(keepends=True)
    answers.write_text("".join(lines[:-2]))
    with pytest.raises(RunError, match="2 of its 32 answers are missing"):
        mb.load_results(run)
    answers.write_text("".join(lines))
    (verdicts,) = run.glob("verdicts.*.jsonl")
    verdicts.write_text("".join(verdicts.read_text().splitlines(keepends=True)[:-1]))
    with pytest.raises(RunError, match="verdicts are there"):
        mb.load_results(run)


@pytest.mark.parametrize(
    "choice",
    [
        {},
        {"side": "benign"},
        {"limit": 3},
        {"limit": 2, "offset": 3},
        {"ids": ["2", 5]},
        {"side": "contrast", "limit": 1},
    ],
)
def test_a_large_file_has_the_samples_and_hashes_of_a_small_one(small, all_are_large, monkeypatch, choice):
    stored = mb.load_dataset(small[0])
    assert isinstance(stored.samples, StoredSamples)
    monkeypatch.setattr(files, "LARGE", 10_000)
    whole = mb.load_dataset(small[0])
    for data, other in ((stored, whole), (stored.select(**choice), whole.select(**choice))):
        assert list(data) == list(other) and data.hashes == other.hashes and data == other
        assert repr(data) == repr(other) and data.sides == other.sides and data.copies == other.copies
    with pytest.raises(UsageError, match="no sample with id 'none'"):
        stored.select(ids=["none"])


@pytest.mark.parametrize("line", ['{"id": "1", "question": "Again?"}', "{", '{"id": "99", "question": ""}'])
def test_faults_of_a_large_file_are_those_of_a_small_one(small, monkeypatch, line):
    path = Path(small[0]) / "metadata.jsonl"
    path.write_text(path.read_text() + line + "\n" + path.read_text().splitlines()[3] + "\n")
    messages = []
    for large in (3, 10_000):
        monkeypatch.setattr(files, "LARGE", large)
        with pytest.raises(DataError) as caught:
            mb.load_dataset(small[0])
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
