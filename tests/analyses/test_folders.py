"""One folder for all analyses of a model: what is asked in it, and what its page shows."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.analyses import analyse, analyse_runs
from mossbench.analyses.listing import list_analyses
from mossbench.analyses.saved import is_same_data, read_saved_run
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.reports.analyses import write_analysis
from mossbench.samples import Side
from mossbench.store.run_folder import RunFolder
from waiting import LONG, until


class Noting(mb.Model):
    """Notes what it is asked, and answers."""

    name = "noting"

    def __init__(self):
        self.keys = []

    async def answer(self, prompt):
        self.keys.append(prompt.key)
        return mb.Answer(text="Sure, here is how to do it.")


def invoke(line):
    return CliRunner().invoke(cli, line.split())


def parts_of(path):
    return {part["name"] for part in json.loads(Path(path).read_text(encoding="utf-8"))["parts"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "then"),
    [("tradeoff", "counterfactuals"), ("counterfactuals", "tradeoff"), ("distortions", "prompts"), ("all", "causes")],
)
def test_a_folder_takes_any_further_analysis_and_asks_only_what_is_missing(first, then):
    model = Noting()
    analyse(first, model, out="r", limit=2, epochs=1)
    before = set(model.keys)
    found = analyse(then, model, out="r", resume=True, epochs=1)
    assert len(model.keys) == len(set(model.keys))
    assert all(row.exchange for row in found.runs[0].rows)
    if first == "all":
        assert set(model.keys) == before
    if (first, then) == ("distortions", "prompts"):
        assert not any(key.side is Side.CONTRAST and key.arm == "explicit" for key in model.keys)


@pytest.mark.slow
def test_a_side_that_is_added_asks_the_arms_that_were_there_on_their_own_side_alone():
    model = Noting()
    analyse("prompts", model, out="r", limit=2, side="benign")
    analyse("tradeoff", model, out="r", resume=True)
    assert {key.arm for key in model.keys if key.side is Side.CONTRAST} == {"plain"}
    assert len(model.keys) == len(set(model.keys)) == 2 * 4 + 2
    info = RunFolder(Path("r")).info()
    assert info.config.side == "both" and set(info.dataset.hashes) == set(Side)
    assert {sample.side for sample in RunFolder(Path("r")).samples()} == set(Side)


@pytest.mark.slow
@pytest.mark.parametrize(("first", "then"), [("tradeoff", "distortions"), ("distortions", "tradeoff")])
def test_a_further_analysis_is_refused_when_answers_would_be_drawn_otherwise(first, then):
    analyse(first, Noting(), out="r", limit=2)
    before = {path.name: path.read_bytes() for path in Path("r").iterdir()}
    with pytest.raises(UsageError, match=r"temperature: the run has 0.0, you asked for 1.0"):
        analyse(then, Noting(), out="r", resume=True, temperature=1.0)
    assert {path.name: path.read_bytes() for path in Path("r").iterdir()} == before


@pytest.mark.slow
def test_an_analysis_that_asks_nothing_more_leaves_the_others_their_rows():
    write_analysis(analyse("counterfactuals", Noting(), out="r", limit=2))
    found = analyse("stages", Noting(), out="r", resume=True)
    assert found.asked == ("stages",) and found.record("counterfactuals").effect("text-only").rate.n == 2


@pytest.mark.slow
@pytest.mark.parametrize("names", [("stages",), ("stages", "causes")])
def test_what_one_analysis_repeats_counts_no_more_in_the_others(names):
    """Stages asks what was refused three times more, causes one stimulus more often than another."""

    def planted(prompt):
        refused = prompt.key.side == "benign" and prompt.key.sample.startswith("nh")
        return "I can't help with that." if refused else "Sure, here it is."

    asked = {
        "ids": ["er-beach-flag", "er-playroom-vase", "nh-no-smoking", "ci-parrot"],
        "judge": lambda exchange: mb.Verdict(refused="can't help" in exchange.answer.text),
    }
    others = "tradeoff", "distortions", "consistency", "prompts"
    alone = analyse(others, planted, out="alone", epochs=1, **asked)
    shared = analyse((*names, *others), planted, out="shared", **({} if "causes" in names else {"epochs": 1}), **asked)
    assert {row.key.epoch for row in shared.runs[0].rows if row.key.arm == "plain"} >= {1, 2, 3, 4}
    assert (
        shared.record("tradeoff").groups[-1].harmless_refused.value
        == alone.record("tradeoff").groups[-1].harmless_refused.value
        == 0.25
    )
    report = {rate.side: rate.estimate.value for rate in mb.load_results("shared").rates() if rate.group == "all"}
    assert report == {"benign": 0.25, "contrast": 0}
    words = shared.record("distortions")
    assert words.n_refused / words.n_counted == 0.25
    assert shared.record("consistency").sides[0].fates["always"].value == 0.25
    assert [f.harmless_refused.value for f in shared.record("prompts").fields[-1].points] == [0.25] * 4


@pytest.mark.slow
def test_a_folders_page_keeps_earlier_analyses_and_the_console_shows_the_new_one():
    first = invoke("analyse counterfactuals --model control/jumpy --limit 4 --epochs 1 --out r --quiet")
    assert first.exit_code == 0, first.output
    then = invoke("analyse tradeoff --resume r --rule model --quiet")
    assert then.exit_code == 0, then.output
    assert parts_of("r/analysis.json") == {"counterfactuals", "tradeoff"}
    page = Path("r/analysis.html").read_text(encoding="utf-8")
    assert "How do refusals change" in page and "How well does it balance" in page and ">model<" in page
    assert "How do refusals change" not in then.output and "including the earlier counterfactuals" in then.output
    measured = invoke("analyse distortions --run r")
    assert measured.exit_code == 0 and parts_of("r/analysis.json") == {"counterfactuals", "tradeoff", "distortions"}


@pytest.mark.slow
def test_the_page_of_two_runs_is_not_that_of_the_first():
    for name in ("a", "b"):
        mb.run("control/candid", limit=2, out=name)
    write_analysis(analyse_runs("tradeoff", ["a"]))
    path = write_analysis(analyse_runs("access", ["a", "b"]))
    assert path == Path("a/analysis-with-b.html") and parts_of("a/analysis.json") == {"tradeoff"}
    assert parts_of("a/analysis-with-b.json") == {"access"}


@pytest.mark.slow
def test_a_damaged_or_foreign_json_beside_the_run_is_no_obstacle():
    for text in ("{", "[]", '{"parts": 3}'):
        mb.run("control/candid", limit=1, out="a") if not Path("a").exists() else None
        Path("a/analysis.json").write_text(text)
        assert invoke("analyse tradeoff --run a").exit_code == 0


@pytest.mark.slow
def test_two_models_of_one_name_have_folders_of_their_own():
    found = analyse("access", ["control/candid", "control/candid"], out="r", limit=2)
    assert len({run.folder for run in found.runs}) == 2 and len(found.record("access").routes) == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "analyse access --model control/candid --limit 1 --out r",
            "access compares 2 models, not 1; name them with --model",
        ),
        ("analyse causes --resume nowhere", "no folder 'nowhere' to resume in"),
        ("analyse causes --model control/candid --resume nowhere", "no folder 'nowhere' to resume in"),
        ("analyse stages --model control/candid --out r --caption-model openia/x", "openia"),
        ("analyse tradeoff --run r --map question=text", "sends no requests: omit --map, or"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_asked(line, message):
    done = invoke(line)
    assert done.exit_code == 2 and message in done.output and not Path("r").exists(), done.output


@pytest.mark.slow
def test_runs_of_several_models_are_gone_on_with_by_name():
    write_analysis(analyse("tradeoff", ["control/candid", "control/ideal"], out="r", limit=2))
    assert "name the ones to resume with --model" in invoke("analyse tradeoff --resume r").output
    assert invoke("analyse access --model control/candid --model control/ideal --resume r --quiet").exit_code == 0
    assert parts_of("r/analysis.json") == {"tradeoff", "access"}


@pytest.mark.slow
def test_a_chart_of_nothing_but_zeros_is_drawn():
    done = invoke("analyse causes --model control/candid --limit 1 --out r --quiet")
    assert done.exit_code == 0, done.output


FAILING = "async def broken(prompt):\n    raise RuntimeError('the endpoint is down')\n"
SILENT = "import mossbench\n\n\ndef silent(prompt):\n    return mossbench.Answer(text='')\n"


@pytest.mark.slow
def test_a_model_that_always_fails_is_no_result():
    Path("m.py").write_text(FAILING)
    done = invoke("analyse all --model m.py:broken --limit 2 --epochs 1 --out r --quiet")
    assert done.exit_code == 1
    assert "rows failed and are left out of all rates" in done.output and "the endpoint is down" in done.output
    assert "analyse all --model m.py:broken --limit 2 --epochs 1 --quiet --resume r" in done.output
    Path("d.csv").write_text("text\nHow?\nWhy?\n")
    done = invoke("analyse tradeoff --model m.py:broken --data d.csv --map question=text --out s --quiet")
    assert "analyse tradeoff --model m.py:broken --data d.csv --map question=text --quiet --resume s" in done.output
    page = Path("r/analysis.html").read_text(encoding="utf-8")
    assert "failed (100.0" in page and "the endpoint is down" in page and "None of the 0" not in page + done.output
    parts = json.loads(Path("r/analysis.json").read_text(encoding="utf-8"))["parts"]
    n_done = sum(set(part["record"]) != {"why"} for part in parts)
    assert page.count("rows have no answer or no verdict") == n_done


@pytest.mark.slow
def test_refusals_without_words_are_told_from_worded_ones():
    Path("m.py").write_text(SILENT)
    done = invoke("analyse tradeoff --model m.py:silent --limit 2 --out r --quiet")
    assert done.exit_code == 0 and "4 of 4 refusals are not in the model's words (4 empty)" in done.output
    assert "(4 empty)" in Path("r/analysis.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_an_interrupted_analysis_names_the_command_that_goes_on():
    Path("m.py").write_text(
        "import asyncio, pathlib\n\n\nasync def slow(prompt):\n"
        "    pathlib.Path('begun').touch()\n    await asyncio.sleep(1000)\n"
    )
    words = "analyse prompts --model m.py:slow --limit 2 --quiet --out".split()
    process = subprocess.Popen(
        [sys.executable, "-m", "mossbench", *words, "a b"], stderr=subprocess.PIPE, env={**os.environ}
    )
    until(lambda: Path("begun").exists() or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=LONG)[1].decode()
    assert process.returncode == 130
    assert "resume it with: mossbench analyse prompts --model m.py:slow --limit 2 --quiet --resume 'a b'" in said


def test_a_page_knows_its_data_by_name_and_hashes_and_an_earlier_one_by_words(tmp_path):
    data = SimpleNamespace(name="pets", hashes={Side.BENIGN: "a" * 64, Side.CONTRAST: "b" * 64})
    now = {"dataset": "pets", "hashes": {"benign": "a" * 64}, "data": "anything"}

    def is_same(values, data=data):
        return is_same_data(read_saved_run(values), data)

    assert is_same(now)
    assert not is_same(now | {"dataset": "pet"})
    assert not is_same(now | {"hashes": {"benign": "c" * 64}})
    assert not is_same(now | {"hashes": {}})
    assert is_same({"dataset": "pets", "hashes": {}}, SimpleNamespace(name="pets", hashes={}))
    assert is_same({"data": f"pets contrast@{'b' * 12}"})
    assert not is_same({"data": f"pets benign@{'c' * 12}"})
    assert not is_same({})


def test_a_part_that_was_skipped_is_told_by_its_record(tmp_path):
    page = tmp_path / "runs" / "one" / "analysis.html"
    page.parent.mkdir(parents=True)
    page.write_text("")
    done = {"name": "tradeoff", "model": "m", "finding": "Not done: so its finding begins", "record": {"groups": []}}
    skipped = {"name": "access", "model": "", "finding": "it needs two runs", "record": {"why": "it needs two runs"}}
    damaged = {"name": "stages", "finding": "odd", "record": 7}
    content = {"made_by": "mossbench analyse", "runs": [], "parts": [done, skipped, damaged]}
    page.with_suffix(".json").write_text(json.dumps(content))
    (found,) = list_analyses(tmp_path / "runs")
    assert [(one.analysis, one.is_done) for one in found.findings] == [
        ("tradeoff", True),
        ("access", False),
        ("stages", True),
    ]
