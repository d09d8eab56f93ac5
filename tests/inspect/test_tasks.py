"""The benchmark in Inspect, and its logs both ways. Runs on whichever Inspect is installed: the newest in .venv, the
oldest that is promised in .venv-inspect (`make test-inspect`)."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner

pytest.importorskip("inspect_ai", reason="needs the extra [inspect]")

from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import ModelOutput

import mossbench as mb
from mossbench.cli import cli
from mossbench.datasets.arms import Arm
from mossbench.errors import DataError, UsageError
from mossbench.inspect.logs import OURS, exchange_of
from mossbench.outcomes import Layer, layer_without_verdict
from mossbench.samples import Side
from servers.loopback import serve
from servers.wire import completion
from small_set import small_set
from waiting import LONG

pytestmark = [
    pytest.mark.slow,
    # Older versions leave files and streams open for the collector to find.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
REFUSAL = "I'm sorry, but I can't help with that."


def reply(body, headers):
    """Answers by what was asked, so that every way of asking gets the same answers."""
    text = json.dumps(body["messages"])
    if "number 2" in text:
        return 200, completion(REFUSAL)
    if "number 3" in text:
        return 200, completion("", finish_reason="content_filter")
    if "number 4" in text:
        return 400, {"error": {"message": "the picture is too large", "code": "invalid_image"}}
    if "number 5" in text:
        return 200, completion("")
    return 200, completion("Sure: start with the roof, then paint the walls.")


SCRIPT = """
import json, sys
from inspect_ai import eval
from inspect_ai.model import get_model

url, evals = json.loads(sys.argv[1])
for name, (task, args, options) in evals.items():
    model = get_model("openai-api/loop/tiny", base_url=url, api_key="none", memoize=False, max_retries=0)
    log, = eval(task, model=model, task_args=args, log_dir="logs", display="none", max_retries=0, **options)
    print(json.dumps([name, log.status, log.location]), flush=True)
"""


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    """Inspect's evaluations, all in one process of its own, beside the requests that they and their judge made."""
    folder = tmp_path_factory.mktemp("inspect")
    data, broken = small_set(folder / "small"), small_set(folder / "broken")
    (broken / "images" / "1.png").write_bytes(b"no picture")
    with (
        serve(reply) as (url, requests),
        serve(lambda body, headers: (200, completion('{"kind": "answered"}'))) as (judge_url, judged),
    ):
        judge = f"rubric/kinds?model=openai/judge&base_url={judge_url}"
        evals = {
            "plain": ("mossbench/oversensitivity", {"data": str(data)}, {}),
            "twins": (
                "mossbench/contrast",
                {"data": str(data), "system": "Be brief.", "judge": "keywords"},
                {"epochs": 2},
            ),
            "rubric": ("mossbench/oversensitivity", {"data": str(data), "judge": judge}, {"limit": 1}),
            "broken": ("mossbench/oversensitivity", {"data": str(broken)}, {}),
        }
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, json.dumps([url, evals])],
            capture_output=True,
            text=True,
            timeout=LONG,
            cwd=folder,
            env={"PATH": os.environ["PATH"], "HOME": str(folder), "OPENAI_API_KEY": "none"},
        )
        assert done.returncode == 0, done.stderr[-3000:]
        ours = mb.run("openai/tiny", data, base_url=url, side="benign", out=folder / "ours", retries=0)
    found = {}
    for line in done.stdout.splitlines():
        name, status, location = json.loads(line)
        assert status == "success", (name, status)
        found[name] = location.removeprefix("file://")
    assert found.keys() == evals.keys()
    return SimpleNamespace(logs=found, requests=requests, judged=judged, ours=ours)


def rates(results, side="benign"):
    return {rate.group: rate.estimate.value for rate in results.rates() if rate.side == side}


def test_inspect_and_we_get_the_same_rates_from_the_same_answers(evaluated):
    log, ours = read_eval_log(evaluated.logs["plain"]), evaluated.ours
    score = log.results.scores[0]
    found = {name: metric.value for name, metric in score.metrics.items()}
    expected = rates(ours)
    assert found["all"] == expected["all"] == pytest.approx(3 / 5)
    assert found["n"] == 5
    assert found["exaggerated_risk"] == expected["Exaggerated Risk"] == 0.5
    assert found["negated_harm"] == expected["Negated Harm"] == 1.0
    assert found["counterintuitive"] == expected["Counterintuitive Interpretation"] == 0.5


def test_a_log_becomes_a_run_with_the_same_rows(evaluated):
    ours = evaluated.ours
    done = CliRunner().invoke(cli, ["results", "import", evaluated.logs["plain"], "--out", "theirs"])
    assert done.exit_code == 0, done.output
    theirs = mb.load_results("theirs")
    assert rates(theirs) == pytest.approx(rates(ours), nan_ok=True)
    assert theirs.layers() == ours.layers()
    assert theirs.layers()[Layer.FAILED] == theirs.layers()[Layer.BLOCKED] == theirs.layers()[Layer.EMPTY] == 1
    assert theirs.judge == ours.judge and theirs.model == "inspect/openai-api/loop/tiny"
    columns = ["side", "sample", "stimulus", "question", "response", "outcome", "counts_system", "counts_paper"]
    order = ["side", "sample"]
    mine, other = (run.df()[columns].sort_values(order, ignore_index=True) for run in (ours, theirs))
    assert mine.equals(other)
    assert theirs.info.dataset == ours.info.dataset
    by_digest = {row.key: row.exchange.digest() for row in ours.rows}
    assert all(by_digest[row.key] == row.exchange.digest() for row in theirs.rows if row.exchange.answer.text)
    assert mb.judge_run("theirs", "keywords").judge.startswith("keywords/")


@pytest.mark.parametrize(
    ("content", "stop", "layer"),
    [
        ("", "stop", Layer.EMPTY),
        ("", "unknown", Layer.FAILED),
        ("", "tool_calls", Layer.FAILED),
        ("", "content_filter", Layer.BLOCKED),
        ("Sure.", "unknown", None),
        ("Sure.", "tool_calls", None),
    ],
)
def test_an_output_in_a_log_is_what_it_is(small, content, stop, layer):
    about = {"sample": mb.load_dataset(small).samples[0].model_dump(mode="json"), "arm": "plain", "request": "?"}
    output = ModelOutput.from_content("some-model", content, stop_reason=stop)
    answer = exchange_of({OURS: about}, output).answer
    assert layer_without_verdict(answer) is layer
    assert layer is not Layer.FAILED or f"finish reason '{stop}'" in answer.error.message


def test_a_run_becomes_a_log_and_comes_back_whole(small):
    with serve(reply) as (url, _):
        ours = mb.run(
            "openai/tiny", small, base_url=url, out="ours", retries=0, epochs=2, system="Be brief.", max_tokens=99
        )
    done = CliRunner().invoke(cli, ["results", "export", "ours", "--out", "ours.eval"])
    assert done.exit_code == 0, done.output
    log = read_eval_log("ours.eval")
    failed = [score for one in log.samples if (score := one.scores["refusal"]).answer == "failed"]
    assert len(failed) == 4 and all(math.isnan(score.value) for score in failed)
    assert log.results.scores[0].params["rule"] == "system"
    assert log.results.scores[0].metrics["benign: all"].value == rates(ours)["all"]
    assert len(log.samples) == len(ours) == 24
    back = mb.import_results("ours.eval", "back")
    rows = [{row.key: (row.exchange.answer, row.verdict, row.outcome) for row in run.rows} for run in (back, ours)]
    assert rows[0] == rows[1]
    assert (back.model, back.info.arms, back.info.dataset) == (ours.model, ours.info.arms, ours.info.dataset)
    kept = ("side", "epochs", "system", "temperature", "max_tokens", "seed", "judge")
    found = [{name: getattr(run.info.config, name) for name in kept} for run in (back, ours)]
    assert found[0] == found[1]
    assert back.info.config.data == "…/small"  # a log may go to others, and folders are nobody's business
    with pytest.raises(UsageError, match="already exists"):
        mb.write_results(ours, "ours.eval", format="inspect")


@pytest.mark.parametrize("epochs", [1, 2])
def test_a_run_with_unequal_arms_becomes_a_log_and_comes_back_row_by_row(small, epochs):
    arms = [
        Arm(name="often", frame="{request} Now.", epochs=3, side="benign"),
        Arm(name="once", system="Be brief.", epochs=1, ids=("2", "3")),
        Arm(name="worded", texts=(("1", "Number one?"),)),
    ]
    mb.run("control/candid", small, out="ours", epochs=epochs, arms=arms)
    done = CliRunner().invoke(cli, ["results", "export", "ours", "--out", "ours.eval"])
    assert done.exit_code == 0, done.output
    done = CliRunner().invoke(cli, ["results", "import", "ours.eval", "--out", "back"])
    assert done.exit_code == 0 and "of its" not in done.output, done.output
    ours, back = (mb.load_results(folder, arms="all") for folder in ("ours", "back"))
    assert len(ours) == 12 * epochs + 18 + 4 + 2 * epochs
    assert {row.key: row for row in back.rows} == {row.key: row for row in ours.rows}
    assert (back.info.n_rows, back.info.arms, back.info.config.epochs) == (len(ours), ours.info.arms, epochs)
    assert not back.info.notices
    metrics = read_eval_log("ours.eval").results.scores[0].metrics  # none over several arms
    assert set(metrics) == {
        "benign: often",
        *(f"{side}: {arm}" for side in Side for arm in ("plain", "once", "worded")),
    }


def test_the_other_side_a_system_prompt_and_epochs_are_asked_as_such(evaluated):
    asked = [body["messages"] for _, _, body in evaluated.requests if "hurt someone" in json.dumps(body)]
    assert len(asked) == 12 and all("Be brief." in json.dumps(messages[0]) for messages in asked)
    results = mb.import_results(evaluated.logs["twins"], "run")
    assert len(results) == 12 and {row.key.arm for row in results.rows} == {"system"}
    assert results.judge.startswith("keywords/") and results.info.config.epochs == 2


def test_the_judging_model_is_shown_the_picture(evaluated):
    ((_, _, body),) = evaluated.judged
    assert "data:image/" in json.dumps(body["messages"])
    assert mb.import_results(evaluated.logs["rubric"], "run").rows[0].outcome.label == "answered"


def test_a_picture_that_cannot_be_sent_is_a_row_that_failed(evaluated):
    log = read_eval_log(evaluated.logs["broken"])
    row = next(sample for sample in log.samples if sample.id == "1")
    assert math.isnan(row.scores["refusal"].value) and row.scores["refusal"].answer == "failed"
    assert not row.output.choices or not row.output.completion
    results = mb.import_results(evaluated.logs["broken"], "run")
    assert any(reason.startswith("picture: ") for reason in results.failures())


def test_a_log_that_is_cut_short_says_so(evaluated):
    whole = read_eval_log(evaluated.logs["plain"])
    whole.samples = whole.samples[:4]
    write_eval_log(whole, "short.eval")
    results = mb.import_results("short.eval", "run")
    assert len(results) == 4
    assert "the log has 4 of 6 rows" in results.info.notices[0]


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (None, UsageError, "no file 'x.eval'"),
        (b"PK nothing", DataError, "x.eval cannot be read as a log of Inspect:"),
    ],
)
def test_what_is_no_log_is_one_message(content, error, message):
    if content is not None:
        Path("x.eval").write_bytes(content)
    with pytest.raises(error, match=message):
        mb.import_results("x.eval", "run")


@pytest.mark.parametrize("where", [0.0, 0.2, 0.4, 0.6, 0.8, 0.99])
@pytest.mark.parametrize("cut", [True, False])
def test_a_damaged_log_is_one_message_and_leaves_no_run(evaluated, where, cut):
    whole = Path(evaluated.logs["plain"]).read_bytes()
    at = int(where * len(whole))
    Path("x.eval").write_bytes(whole[:at] if cut else whole[:at] + bytes(200) + whole[at + 200 :])
    try:
        results = mb.import_results("x.eval", "run")
    except DataError as error:
        assert "x.eval" in str(error) and not Path("run").exists()
    else:  # the damage is where Inspect does not look, or has cost rows, which is said
        short = any("of 6 rows" in notice for notice in results.info.notices)
        assert not cut and (short or results.layers() == evaluated.ours.layers())


def without_ours(log):
    log.eval.task = "hello"
    for sample in log.samples:
        sample.metadata = {}


def without_samples(log):
    log.samples, log.status = [], "cancelled"


def without_an_id(log):
    del log.samples[0].metadata["mossbench"]["sample"]["id"]


def with_a_text_as_our_record(log):
    log.eval.metadata["mossbench"] = "x"


def with_a_text_as_the_record_of_a_score(log):
    (score,) = log.samples[0].scores.values()
    score.metadata["mossbench"] = "x"


def with_another_arm(log):
    log.samples[0].metadata["mossbench"]["arm"] = "other"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (with_another_arm, "x.eval is damaged: .* has the arm 'other', expected one of plain"),
        (with_a_text_as_our_record, "metadata.mossbench is 'x', expected an object"),
        (with_a_text_as_the_record_of_a_score, "metadata.mossbench is 'x', expected an object"),
        (without_ours, "x.eval is a log of the task 'hello'; expected one of mossbench/oversensitivity"),
        (without_samples, r"x.eval has no finished sample \(status cancelled\)"),
        (without_an_id, "x.eval is damaged or was written by another version of mossbench: id is missing"),
    ],
)
def test_a_log_that_makes_no_run_is_one_message_and_leaves_none(evaluated, spoil, message):
    log = read_eval_log(evaluated.logs["plain"])
    spoil(log)
    write_eval_log(log, "x.eval")
    with pytest.raises(DataError, match=message):
        mb.import_results("x.eval", "run")
    assert not Path("run").exists()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"judge": "rubric/kinds"}, "needs a judging model: -T judge='rubric/kinds?model=openai/<model>'"),
        ({"judge": "keyword"}, "no judge named 'keyword'; did you mean 'keywords'?"),
        ({"data": "nowhere"}, "no dataset, folder or file named 'nowhere'"),
        ({"rule": "papre"}, "no counting rule 'papre'"),
    ],
)
def test_a_wrong_argument_of_a_task_is_one_message_on_inspects_command_line(small, given, message):
    @click.command()
    def command():
        from mossbench.inspect.tasks import oversensitivity

        oversensitivity(**{"data": str(small), **given})

    done = CliRunner().invoke(command)
    assert done.exit_code == 2 and message in done.stderr and len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_inspect_finds_the_tasks_by_name_from_its_command_line(small):
    code = "from inspect_ai._cli.main import main; main()"
    with serve(reply) as (url, _):
        args = ["eval", "mossbench/oversensitivity", "--model", "openai-api/loop/tiny", "-T", f"data={small}"]
        args += ["--model-base-url", url, "--display", "none", "--limit", "2", "--log-dir", "logs"]
        done = subprocess.run(
            [sys.executable, "-c", code, *args],
            capture_output=True,
            text=True,
            timeout=LONG,
            env={"PATH": "/usr/bin:/bin", "HOME": str(Path.cwd()), "LOOP_API_KEY": "none"},
        )
    assert done.returncode == 0, done.stderr[-2000:] + done.stdout[-2000:]
    (log,) = Path("logs").glob("*.eval")
    assert len(mb.import_results(log, "run")) == 2
