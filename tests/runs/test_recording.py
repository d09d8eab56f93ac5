"""What is written down while a run is asked and when it ends, and what is said when it is stopped."""

import json
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.datasets.arms import Arm
from mossbench.errors import Interrupted, StorageError
from mossbench.models.model import Model
from mossbench.outcomes import Answer, Usage
from mossbench.runs.executing import write_info_where_it_is
from mossbench.runs.stopping import noting_saved_answers
from mossbench.store.prices import Price
from mossbench.store.run_folder import RunFolder
from mossbench.ways_out import Command

USAGE = Usage(input_tokens=1_000_000, output_tokens=0)


class Local(Model):
    """Costs as many dollars a row as its price says; fails where it is told to."""

    name = "local"

    def __init__(self, failing=()):
        self.failing = set(failing)
        self.systems = []

    def load(self, systems):
        self.systems = list(systems)

    async def answer(self, prompt):
        if prompt.key.sample in self.failing:
            failed = Answer.failed("model", "down")
            return failed.model_copy(update={"usage": USAGE})
        return Answer(text="Sure.", usage=USAGE)


def lines_of(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def info():
    return RunFolder(Path("r")).info()


def drop_last_answer():
    path = Path("r/answers.jsonl")
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))


def test_a_model_is_loaded_with_the_system_prompts_of_all_arms(small):
    model = Local()
    arms = [Arm(name="brief", system="Be brief."), Arm(name="long", system="Be long.")]
    mb.run(model, small, out="r", arms=arms, system="Be kind.")
    assert model.systems == ["Be kind.", "Be brief.", "Be long."]


def test_a_run_without_verdicts_that_is_resumed_with_a_judge_has_one_of_each_answer(small):
    mb.run(Local(), small, out="r", judge=None)
    drop_last_answer()
    events = []
    mb.run(Local(), small, out="r", resume=True, judge="rules", progress=events.append)
    (verdicts,) = Path("r").glob("verdicts.*")
    rows = [(line["side"], line["sample"]) for line in lines_of(verdicts)]
    assert len(rows) == len(set(rows)) == 12
    assert list(info().verdicts.values()) == [12]
    assert [event.done for event in events] == [12]  # the eleven that were there count


def test_a_judge_that_fails_on_an_answer_is_not_asked_again_in_the_same_session(small):
    mb.run(Local(), small, out="r", judge=None)
    drop_last_answer()
    Path("own.py").write_text(
        "def read(exchange):\n    with open('read.log', 'a') as log:\n        log.write('x')\n    raise ValueError\n"
    )
    mb.run(Local(), small, out="r", resume=True, judge="own.py:read")
    assert Path("read.log").read_text() == 12 * "x"


def test_a_record_goes_to_where_its_folder_was_moved(small):
    mb.run(Local(), small, out="r")
    folder = RunFolder(Path("r").absolute())
    with folder.held():
        changed = folder.info().model_copy(update={"notices": ("learnt at the end",)})
        Path("r").rename("moved")
        write_info_where_it_is(folder, changed)
    assert RunFolder(Path("moved")).info().notices == ("learnt at the end",)
    assert not Path("r").exists()


def test_samples_that_somebody_deletes_meanwhile_are_written_again_and_it_is_said(small):
    def delete_samples(event):
        Path("r/samples.jsonl").unlink(missing_ok=True)

    results = mb.run(Local(), small, out="r", progress=delete_samples)
    assert len(results) == len(lines_of("r/samples.jsonl")) == 12
    assert any("samples.jsonl" in notice for notice in info().notices)


def test_with_one_format_images_are_written_anew(small):
    plain = mb.run("control/candid", small, out="plain", limit=1)
    anew = mb.run("control/candid", small, out="anew", limit=1, one_format=True)
    hashes = [{row.exchange.picture.sha256 for row in results.rows} for results in (plain, anew)]
    assert hashes[0].isdisjoint(hashes[1])


def test_a_limit_is_on_record_only_where_it_has_stopped_the_run(small):
    prices = {"local": Price(input=1, output=1)}
    options = {"prices": prices, "max_tokens": 1, "max_connections": 1}
    mb.run(Local(), small, out="r", max_cost=3.5, **options)
    assert info().max_cost == 3.5 and info().ended is None
    mb.run(Local(), small, out="r", resume=True, max_cost=100.0, **options)
    assert info().max_cost is None and info().ended is not None


def test_what_a_failed_try_has_used_stays_with_the_row_that_is_asked_again(small):
    mb.run(Local(failing={"2"}), small, out="r", retries=0)
    assert info().failed == 2
    mb.run(Local(), small, out="r", resume=True, retries=0)
    assert info().failed == 0
    again = [line for line in lines_of("r/answers.jsonl") if line["sample"] == "2"][-2:]
    assert [line["before"]["input_tokens"] for line in again] == [1_000_000, 1_000_000]


def test_tracebacks_of_ones_own_model_and_judge_are_in_the_log(small):
    Path("own.py").write_text(
        "def answer(prompt):\n    raise ValueError('the model is broken')\n"
        "def read(exchange):\n    raise ValueError('the judge is broken')\n"
    )
    mb.run("own.py:answer", small, out="r", retries=0)
    assert "the model is broken" in Path("r/errors.log").read_text()
    mb.run("control/candid", small, out="s", judge="own.py:read")
    assert "the judge is broken" in Path("s/errors.log").read_text()


def test_a_rehearsals_planned_answer_is_on_record_even_if_its_image_is_unreadable(small):
    (small / "images" / "1.png").write_bytes(b"no image")
    mb.run("control/candid?rate=0.4&on=stimulus", small, out="r", epochs=4)
    answers = lines_of("r/answers.jsonl")
    unread = [line["answer"] for line in answers if line["sample"] == "1"]
    assert all(answer["error"] and answer["planted"] for answer in unread) and len(unread) == 8
    n_refused = sum(line["answer"]["planted"] == "refused" for line in answers)
    assert n_refused == sum(count.refused for count in info().planted.values())


def test_a_run_stopped_before_its_first_answer_says_how_to_resume_if_it_has_begun(small):
    def stop(error, folder):
        with noting_saved_answers(RunFolder(Path(folder)), Command("AGAIN", to="resume it"), 12):
            raise error

    mb.run(Local(), small, out="r")
    Path("r/answers.jsonl").write_text("")
    with pytest.raises(Interrupted, match=r"^stopped before the first answer$"):
        stop(KeyboardInterrupt(), "new")
    with pytest.raises(Interrupted, match=r"^stopped before the first answer; resume it with: AGAIN$"):
        stop(KeyboardInterrupt(), "r")
    with pytest.raises(StorageError) as new:
        stop(StorageError("full"), "new")
    assert new.value.__notes__ == ["no request was sent; fix this and run the same again"]
    with pytest.raises(StorageError) as begun:
        stop(StorageError("full"), "r")
    assert begun.value.__notes__ == ["no answer is on record yet; then resume the run with: AGAIN"]


def test_the_record_of_an_image_says_what_was_sent(small):
    results = mb.run("control/candid", small, out="r", limit=1)
    sent = results.rows[0].exchange.picture
    image = mb.load_dataset(small).samples[0].image
    assert (sent.ref, sent.media_type) == (image, "image/png")
    assert sent.width > 0 and sent.height > 0 and sent.n_bytes > 0 and len(sent.sha256) == 64
