"""Run folders that are deleted, moved or replaced while a real process writes in them: requests are counted."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import mossbench as mb
from answered import VERDICTS
from mossbench.plumbing.line_writer import LineWriter
from mossbench.plumbing.lines import read_lines
from mossbench.plumbing.places import PlaceLost
from mossbench.samples import Sample, Side
from pictures import png
from servers.loopback import serve
from servers.wire import completion
from waiting import LONG, until

N = 200
AT_ONCE = 8
FINE = (200, completion("Fold it into a boat and float it down the stream."))


@pytest.fixture
def many(tmp_path):
    folder = tmp_path / "many"
    folder.mkdir()
    (folder / "a.png").write_bytes(png())
    rows = [{"id": f"s{i}", "question": f"Question number {i}?", "image": "a.png"} for i in range(N)]
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def answers_in(folder):
    path = Path(folder) / "answers.jsonl"
    return path.read_text().splitlines() if path.exists() else []


def run_and_harm(many, harm, *args):
    """Requests that were sent, and the process, of a run to which something happens when it has 40 answers.

    The server keeps back what is asked from then on until the harm is done.
    """
    harmed = threading.Event()

    def reply(body, headers):
        if len(answers_in("r")) >= 40 or harmed.is_set():
            harmed.wait(LONG)
        return FINE

    command = [sys.executable, "-m", "mossbench", "run", "--quiet", "--model", "openai/anything", "--data", str(many)]
    command += ["--out", "r", "--max-connections", str(AT_ONCE), *args]
    with serve(reply) as (url, requests):
        process = subprocess.Popen([*command, "--base-url", url], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        until(lambda: process.poll() is not None or len(answers_in("r")) >= 40)
        assert process.poll() is None, process.stderr.read()
        try:
            harm()
        finally:
            harmed.set()
        _, err = process.communicate(timeout=LONG)
    process.said = " ".join(err.decode().split())
    assert "Traceback" not in process.said and "damaged" not in process.said
    return requests, process


def replace_by_a_copy():
    os.rename("r", "r2")
    shutil.copytree("r2", "r")


def save_in_an_editor():
    Path("r/.new").write_text(Path("r/answers.jsonl").read_text())
    os.replace("r/.new", "r/answers.jsonl")


@pytest.mark.slow
def test_a_run_whose_folder_is_deleted_stops_asking_and_says_what_is_lost(many):
    requests, process = run_and_harm(many, lambda: subprocess.run(["rm", "-rf", "r"], check=True))
    assert process.returncode == 1 and len(requests) <= 40 + 3 * AT_ONCE < N
    assert "folder 'r' was deleted, or moved to another disk" in process.said
    assert "no further request was sent; lost with it: 4" in process.said and "--resume" not in process.said
    assert not Path("r").exists(), "no ghost folder"


@pytest.mark.slow
@pytest.mark.parametrize("harm", [lambda: os.rename("r", "r2"), replace_by_a_copy], ids=["moved", "replaced"])
def test_a_run_whose_folder_is_moved_loses_nothing_and_says_where_it_is(many, harm):
    requests, process = run_and_harm(many, harm)
    assert process.returncode == 1 and len(requests) <= 40 + 3 * AT_ONCE < N
    n = len(answers_in("r2"))
    assert n == len(requests), "all that was asked is in the folder where it is now"
    there = Path("r2").resolve()
    assert f"was moved to '{there}'" in process.said
    assert f"{n} answers are saved in '{there}'; resume it with: mossbench run --resume {there}" in process.said
    assert not Path("r").exists() or len(answers_in("r")) <= n  # the copy is left as it was


@pytest.mark.slow
@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda: os.unlink("r/answers.jsonl"), "'r/answers.jsonl' was deleted while it was being written"),
        (save_in_an_editor, "'r/answers.jsonl' was replaced by another file while"),
        (lambda: os.rename("r/answers.jsonl", "r/old.jsonl"), "r/old.jsonl' while it was being written"),
        (
            lambda: os.unlink(f"r/{VERDICTS}"),
            "no answer is lost; answers without a verdict are judged again",
        ),
    ],
    ids=["deleted", "saved in an editor", "renamed", "verdicts deleted"],
)
def test_a_file_that_is_deleted_or_replaced_alone_stops_the_run_too(many, harm, said):
    requests, process = run_and_harm(many, harm)
    assert process.returncode == 1 and len(requests) <= 40 + 3 * AT_ONCE < N
    assert said in process.said and "with: mossbench run --resume r" in process.said
    old = Path("r/old.jsonl")
    kept = len(answers_in("r")) + (len(old.read_text().splitlines()) if old.exists() else 0)
    n_lost = len(requests) - kept
    assert n_lost == 0 or 40 <= n_lost < 40 + AT_ONCE, "what was in flight is kept"


def cut_in_the_middle_of_a_line():
    os.truncate("r/answers.jsonl", os.path.getsize("r/answers.jsonl") // 2)


@pytest.mark.slow
@pytest.mark.parametrize("harm", [lambda: os.truncate("r/answers.jsonl", 0), cut_in_the_middle_of_a_line])
def test_answers_that_are_cut_off_stop_the_run_and_are_counted(many, harm):
    requests, process = run_and_harm(many, harm)
    assert process.returncode == 1 and len(requests) <= 40 + 3 * AT_ONCE < N
    n_lost = len(requests) - len({json.loads(line)["sample"] for line in answers_in("r")})
    assert "'r/answers.jsonl' was cut from " in process.said and 20 <= n_lost < 40 + AT_ONCE
    assert f"no further request was sent; lost: {n_lost} recorded answers, requested again on resume" in process.said
    assert "with: mossbench run --resume r" in process.said
    assert not Path("r/answers.jsonl").read_text().startswith("\0")


@pytest.mark.slow
def test_verdicts_that_are_cut_off_stop_the_run_and_no_answer_is_lost(many):
    requests, process = run_and_harm(many, lambda: os.truncate(f"r/{VERDICTS}", 0))
    assert process.returncode == 1 and len(requests) <= 40 + 3 * AT_ONCE < N
    assert f"'r/{VERDICTS}' was cut from " in process.said and len(answers_in("r")) == len(requests)
    assert "no answer is lost; answers without a verdict are judged again" in process.said


@pytest.mark.parametrize("lost", ["deleted", "emptied", "cut"])
@pytest.mark.parametrize("judge", ["rules", None])
def test_samples_that_are_gone_in_mid_run_are_written_again(small, lost, judge):
    path = Path("r/samples.jsonl")
    there = []

    def harm(event):
        if event.done == 3:
            there.append(path.read_bytes())
            path.unlink() if lost == "deleted" else os.truncate(path, 0 if lost == "emptied" else 100)

    results = mb.run("control/candid", small, out="r", judge=judge, progress=harm)
    assert [path.read_bytes()] == there and not results.unfinished()
    told = f"the file samples.jsonl was {'deleted' if lost == 'deleted' else 'cut'} while the run was being written"
    assert any(notice.startswith(told) for notice in results.info.notices)
    assert len(mb.load_results("r").rows) == len(results.rows)


def test_samples_that_somebody_has_changed_are_left_as_they_are(small):
    path = Path("r/samples.jsonl")
    with pytest.raises(mb.RunError, match="samples.jsonl, line 1"):
        mb.run("control/candid", small, out="r", progress=lambda event: path.write_text("mine\n"))
    assert path.read_text() == "mine\n"


def test_judging_stops_where_its_verdicts_are_cut_off(small):
    mb.run("control/candid", small, out="r")
    judged = []

    def judge(exchange):
        judged.append(exchange.key)
        if len(judged) == 4:
            os.truncate(next(p for p in Path("r").glob("verdicts.*") if p.name != VERDICTS), 0)
        return False

    with pytest.raises(PlaceLost, match="was cut from .* to 0 bytes while it was being written") as caught:
        mb.judge_run("r", judge, max_connections=1)
    assert len(judged) == 4 and "resume it with" in " ".join(caught.value.__notes__)
    mb.judge_run("r", judge, max_connections=1)


def test_what_waits_for_no_answer_is_stopped_at_the_next_sync(small):
    """No answer ever comes by which the run could notice."""

    async def never(prompt):
        shutil.rmtree("r", ignore_errors=True)
        await asyncio.sleep(LONG)

    with pytest.raises(PlaceLost, match="folder 'r' was deleted"):
        mb.run(never, small, out="r", timeout=LONG)
    assert not Path("r").exists()


def test_a_folder_that_is_gone_after_the_last_answer_is_not_made_again(small, monkeypatch):
    from mossbench.runs import finishing

    monkeypatch.setattr(finishing, "with_verdicts", lambda folder, info, reader: (shutil.rmtree("r"), info)[1])
    with pytest.raises(PlaceLost, match="folder 'r' was deleted"):
        mb.run("control/candid", small, out="r")
    assert not Path("r").exists()


def test_a_report_makes_no_folder_again(small):
    results = mb.run("control/candid", small, out="r")
    shutil.rmtree("r")
    with pytest.raises(mb.StorageError, match="cannot write"):
        mb.write_report(results)
    assert not Path("r").exists()


@pytest.mark.parametrize("harm", [lambda: shutil.rmtree("r"), lambda: os.rename("r", "r2")], ids=["deleted", "moved"])
def test_judging_a_run_whose_folder_goes_stops_and_says_where_the_rest_is(small, harm):
    mb.run("control/candid", small, out="r")
    judged = []

    def judge(exchange):
        judged.append(exchange.key)
        if len(judged) == 4:
            harm()
        return False

    with pytest.raises(PlaceLost) as caught:
        mb.judge_run("r", judge, max_connections=1)
    assert len(judged) == 4 and not Path("r").exists()
    notes = " ".join(caught.value.__notes__)
    assert ("4 verdicts saved in" in notes) if Path("r2").exists() else ("lost with the folder" in notes)


def sample(id):
    return Sample(id=id, side=Side.BENIGN, question="What is this?")


def ids(path):
    return [one.id for one in read_lines(Path(path), Sample)]


def test_a_writer_keeps_what_it_can_and_says_so_each_time(tmp_path):
    folder = tmp_path / "f"
    folder.mkdir()
    with pytest.raises(PlaceLost), LineWriter(folder / "a.jsonl") as writer:
        writer.append(sample("a"))
        (folder / "a.jsonl").unlink()
        for one in "bc":
            with pytest.raises(PlaceLost, match="a.jsonl' was deleted while"):
                writer.append(sample(one))
    assert ids(folder / "a.jsonl") == ["b", "c"]


@pytest.mark.parametrize("left", [0, 30])
def test_a_writer_notices_that_its_file_was_cut_and_writes_on_after_whole_lines(tmp_path, left):
    path = tmp_path / "a.jsonl"
    with LineWriter(path) as writer:
        writer.append(sample("before"))
    size = path.stat().st_size
    left = left and size + left
    with pytest.raises(PlaceLost), LineWriter(path) as writer:
        writer.append(sample("a"))
        os.truncate(path, left)
        for one in "bc":
            with pytest.raises(PlaceLost, match=f"was cut from .* to {left:,} bytes while"):
                writer.append(sample(one))
    assert ids(path) == (["before", "b", "c"] if left else ["b", "c"])


def test_a_file_that_was_cut_is_noticed_without_a_further_line(tmp_path):
    path = tmp_path / "a.jsonl"
    heard = threading.Event()
    with pytest.raises(PlaceLost, match="was cut"), LineWriter(path) as writer:
        writer.append(sample("a"))
        writer.on_lost = lambda lost: heard.set()
        os.truncate(path, 0)
        assert heard.wait(LONG)


def test_a_line_that_was_torn_by_a_full_disk_is_no_file_that_was_cut(tmp_path):
    path = tmp_path / "a.jsonl"
    with LineWriter(path) as writer:
        writer.append(sample("a"))
        with path.open("ab") as other:
            other.write(b"half a line")
        writer._may_be_torn = True  # as after a write that was not whole
        writer.append(sample("b"))
        writer.append(sample("c"))
    assert ids(path) == ["a", "b", "c"]


def test_a_file_that_was_put_in_the_place_of_another_is_not_cut(tmp_path):
    path = tmp_path / "a.jsonl"
    with pytest.raises(PlaceLost), LineWriter(path) as writer:
        writer.append(sample("a"))
        os.rename(path, tmp_path / "b.jsonl")
        path.write_text("a line of somebody else, without its end")
        with pytest.raises(PlaceLost, match="b.jsonl'"):
            writer.append(sample("b"))
    assert path.read_text() == "a line of somebody else, without its end" and ids(tmp_path / "b.jsonl") == ["a", "b"]


def test_the_lock_of_another_run_in_the_same_place_is_left_alone(tmp_path):
    from mossbench.store.run_folder import RunFolder

    with RunFolder(tmp_path / "r").held():
        os.rename(tmp_path / "r", tmp_path / "r2")
        (tmp_path / "r").mkdir()
        (tmp_path / "r/.lock").write_text("")
    assert (tmp_path / "r/.lock").exists()


def test_where_a_file_system_has_no_numbers_nothing_is_checked(tmp_path, monkeypatch):
    monkeypatch.setattr("mossbench.plumbing.places._identity", lambda found: None)
    with LineWriter(tmp_path / "a.jsonl") as writer:
        writer.append(sample("a"))
        (tmp_path / "a.jsonl").unlink()
        writer.append(sample("b"))
    assert not (tmp_path / "a.jsonl").exists()
