"""What a run keeps in memory: not what lies in its files. Objects are counted, whatever they take."""

import gc
from pathlib import Path

import pytest

import mossbench as mb
from answered import answered, samples
from mossbench.datasets.dataset import Dataset
from mossbench.models.model import Model
from mossbench.outcomes import Answer, Exchange, Judgement, Layer
from mossbench.results import index
from mossbench.results.listing import signature_of
from mossbench.results.rows import StoredRow
from mossbench.runs import finishing, image_cache
from mossbench.store import shared_samples
from mossbench.store.run_folder import RunFolder

N = 12
FEW = 8
"""With two connections: fewer than the 24 rows, and more than are in flight."""


@pytest.fixture(autouse=True)
def nothing_of_before():
    """What other tests have left, or hold for a session, is not counted: frozen objects are not listed."""
    gc.collect()
    gc.freeze()


def alive(*kinds):
    gc.collect()
    return sum(isinstance(one, kinds) for one in gc.get_objects())


class Looking(Model):
    """Looks how many exchanges there are whenever it is asked; fails for the ids it is told to."""

    name = "looking"

    def __init__(self, failing=()):
        self.most, self.n_asked, self.failing = 0, 0, failing

    async def answer(self, prompt):
        self.n_asked += 1
        self.most = max(self.most, alive(Exchange, Judgement))
        return Answer.failed("model", "down") if prompt.key.sample in self.failing else Answer(text="Sure, with joy.")


def test_asking_keeps_no_exchange_that_is_written_down(tmp_path):
    model = Looking()
    mb.run(model, samples(tmp_path / "data", N), out="r", max_connections=2, start_connections=2)
    assert model.n_asked == 2 * N
    assert model.most <= FEW


def test_a_run_that_goes_on_keeps_none_of_the_answers_that_it_has(tmp_path):
    data = samples(tmp_path / "data", N)
    mb.run(Looking(failing=("3", "4")), data, out="r", max_connections=2, judge=None)
    again = Looking()
    mb.run(again, data, out="r", max_connections=2, start_connections=2, resume=True)
    assert again.n_asked == 4
    assert again.most <= 4 + FEW  # those that failed are kept, for their tokens
    assert mb.load_results("r").layers()[Layer.JUDGED] == 2 * N


def test_judging_reads_an_answer_when_it_is_its_turn(tmp_path):
    run, seen = answered(samples(tmp_path / "data", N), Path("r"), refused=range(1, 9), judge=None), []
    del run

    def judge(exchange):
        seen.append((exchange.key, alive(Exchange, Judgement)))
        return "refused" if "sorry" in exchange.answer.text else "answered"

    results = mb.judge_run("r", judge, max_connections=2)
    assert len({key for key, _ in seen}) == len(seen) == 2 * N
    assert max(n for _, n in seen) <= FEW
    assert [rate.refused for rate in results.rates(by=None)] == [8, 8]


def test_the_last_of_repeated_answers_is_judged_where_the_first_stood(tmp_path):
    data = samples(tmp_path / "data", 4)
    mb.run(Looking(failing=("2",)), data, out="r", judge=None, max_connections=1)
    mb.run(Looking(), data, out="r", judge=None, resume=True, max_connections=1)
    mb.judge_run("r", "keywords", max_connections=1)
    asked = list(RunFolder(Path("r")).exchanges())
    (label,) = RunFolder(Path("r")).judges()
    assert list(RunFolder(Path("r")).judgements(label)) == asked
    assert len(asked) == 8


def test_data_and_images_are_gone_when_a_run_is_counted(tmp_path, monkeypatch):
    seen, count = [], finishing.load_results

    def look(*args, **how):
        seen.append(alive(Dataset, image_cache.ImageCache, image_cache.PictureShelf))
        return count(*args, **how)

    monkeypatch.setattr(finishing, "load_results", look)
    data, before = samples(tmp_path / "data", 3), alive(Dataset, image_cache.ImageCache, image_cache.PictureShelf)
    mb.run(Looking(), str(data), out="r")
    assert seen == [before]


def test_runs_on_the_same_data_share_their_samples_as_long_as_one_is_held(tmp_path):
    data, before = samples(tmp_path / "data", 5), set(shared_samples._in_use)  # of other tests
    for name in ("one", "two"):
        answered(data, Path(name))
    answered(samples(tmp_path / "other", 5, word="letter"), Path("three"))
    one, two, three = (mb.load_results(name) for name in ("one", "two", "three"))
    assert all(a.sample is b.sample for a, b in zip(one.rows, two.rows, strict=True))
    assert one.rows[0].sample.question != three.rows[0].sample.question
    del one, two, three
    gc.collect()
    assert set(shared_samples._in_use) <= before


def test_samples_that_were_changed_are_read_again(tmp_path):
    answered(samples(tmp_path / "data", 5), Path("r"))
    held, path = mb.load_results("r"), Path("r/samples.jsonl")
    path.write_text(path.read_text().replace("What about", "And what of"))
    assert all(row.sample.question.startswith("What about") for row in held.rows)
    assert all(row.sample.question.startswith("And what of") for row in mb.load_results("r").rows)


def test_a_run_is_put_into_the_index_row_by_row(tmp_path, monkeypatch):
    Path("runs").mkdir()
    answered(samples(tmp_path / "data", N), Path("runs/r"), epochs=2)
    seen, lines, entries = [], [], index._entries

    class Words(tuple):
        pass

    def watched(results):
        for counts, words, places, digest, line, labels in entries(results):
            lines.append(line)
            yield counts, Words(words), places, digest, line, labels
            seen.append(alive(Words))

    monkeypatch.setattr(index, "_entries", watched)
    runs, signature = index.RunIndex(Path("runs")), signature_of(Path("runs/r"))
    counted = runs.add("r", signature, "replay")
    assert len(seen) == 4 * N
    assert max(seen) <= 2
    assert sum(map(bool, lines)) == 2 * N  # each sample once, with its first row
    found = runs.results("r", signature, RunFolder(Path("runs/r")).info(), counted)
    assert all(isinstance(row, StoredRow) for row in found.rows)
    assert [(row.key, row.sample, row.outcome) for row in found.rows] == [
        (row.key, row.sample, row.outcome) for row in mb.load_results("runs/r").rows
    ]


def test_places_of_images_are_remembered_up_to_a_number(tmp_path):
    data = mb.load_dataset(samples(tmp_path / "data", 3))
    data.paths.update({f"{i}.png": Path(f"{i}.png") for i in range(10_000)})
    mb.run(Looking(), data, out="r")
    assert [*data.paths] == ["images/1.png"]
