"""`mossbench label` end to end: real processes, killed, continued and stopped; and the rate elsewhere."""

import json
import re
import signal

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import NO, answered, samples, stop
from html_pages import element
from labelling import label, queue_of, seat
from mossbench.cli import cli
from mossbench.results.labelled_rates import labelled_rate
from mossbench.samples import Side
from mossbench.store.label_plan import plan_path, read_plan
from waiting import until
from web.conftest import item_of
from web.server import LabelServer


@pytest.fixture
def run(tmp_path):
    return answered(samples(tmp_path / "data", 60), tmp_path / "runs" / "mine", refused=range(1, 13))


@pytest.fixture
def runs_folder(tmp_path):
    (tmp_path / "runs").mkdir()
    return tmp_path / "runs"


class Person:
    """Somebody at a browser: opens the address that was printed and labels what the page shows."""

    def __init__(self, server):
        self.server = server
        address = server.line.split()[2]
        answer, _ = server.ask("GET", address[address.index("/", 8) :])
        self.cookie = "; ".join(value.split(";")[0] for value in answer.headers.get_all("set-cookie"))

    def page(self):
        def read():
            answer, text = self.server.ask("GET", "/annotate", cookie=self.cookie)
            return None if "refresh" in answer.headers else text

        return until(read)

    def label(self, n=None):
        """Labels `n` answers, or all that are asked for; how many that was."""
        n_given = 0
        while n is None or n_given < n:
            page = self.page()
            item = item_of(page)
            if item is None:
                break
            kind = "refused" if "can't help" in element(page, "blockquote").text else "answered"
            fields = {"item": item, "kind": kind, "form_token": element(page, "input[name=form_token]")["value"]}
            answer, text = self.server.ask("POST", "/annotate/label", fields, self.cookie)
            assert answer.status == 303, text
            n_given += 1
        return n_given


def invoke(*args):
    return CliRunner().invoke(cli, [*map(str, args)])


@pytest.mark.slow
def test_labels_survive_a_kill_and_the_rate_reaches_report_and_results(runs_folder, run):
    options = ("--within", "0.08", "--annotator", "Ines", "--seed", "5")
    server = LabelServer(run.folder, *options)
    assert Person(server).label(27) == 27
    server.stop(signal.SIGKILL)
    drawn = read_plan(run.folder, Side.BENIGN).drawn
    again = LabelServer(run.folder, *options[:4])  # without the seed: the plan has it
    person = Person(again)
    assert "28</b> of about" in person.page()
    person.label()
    assert "Done: " in element(person.page(), "h1").text
    printed, noted = again.stop(signal.SIGINT)
    assert again.process.returncode == 0
    plan = read_plan(run.folder, Side.BENIGN)
    assert plan.seed == 5 and plan.drawn[: len(drawn)] == drawn
    rate = labelled_rate(mb.load_results(run.folder))
    assert rate.of_answers.low <= 0.2 <= rate.of_answers.high
    assert rate.of_answers.high - rate.of_answers.low <= 0.16
    assert printed.startswith("Of 60 answers to harmless requests, ") and f"{rate.n_labels} labels of" in printed
    assert f"resume with: mossbench label {run.folder}" in noted
    status = invoke("label", run.folder, "--status")
    assert status.exit_code == 0 and status.output == printed
    shown = json.loads(invoke("results", "show", run.folder, "--json").stdout)
    rates = {(line["side"], line["group"]): line for line in shown[0]["rates"]}
    assert rates["benign", "all"]["corrected"]["value"] == pytest.approx(rate.rate.value)
    report = invoke("report", run.folder, "--format", "md", "--out", "-").stdout
    assert "corrected by labels" in report and f"{rate.n_labels} labels" in report


@pytest.mark.slow
def test_a_second_annotator_continues_where_the_first_stopped(runs_folder, run):
    first = LabelServer(run.folder, "--annotator", "Ines")
    Person(first).label(15)
    first.stop()
    second = LabelServer(run.folder, "--annotator", "Tom")
    Person(second).label(10)
    second.stop()
    queue = queue_of(mb.load_results(run.folder), runs_folder / "annotations.db")
    assert queue.store.annotators() == {"Ines": 15, "Tom": 10}
    assert queue.standing().n_given == 25  # nothing was asked of both


def test_the_harmful_side_has_a_plan_of_its_own(runs_folder, run):
    queue = queue_of(run, runs_folder / "annotations.db", side=Side.CONTRAST, within=0.1)
    label(queue, seat(queue), say=lambda body: "refused" if body["response"] == NO else "answered")
    assert plan_path(run.folder, Side.CONTRAST).exists() and not plan_path(run.folder, Side.BENIGN).exists()
    status = invoke("label", run.folder, "--side", "contrast", "--status")
    assert "Of 60 answers to harmful requests" in status.output
    shown = invoke("results", "show", run.folder).output
    assert re.search(r"harmful: corrected is what people’s labels tell", " ".join(shown.split()))


@pytest.mark.parametrize(
    ("make", "options", "says", "way_out"),
    [
        (lambda tmp_path: tmp_path / "none", (), "no run in", ""),
        (lambda tmp_path: stop(judged(tmp_path).folder, 4).folder, (), "is not finished", "mossbench run --resume"),
        (lambda tmp_path: judged(tmp_path, judge=None).folder, (), "has no verdicts", "mossbench judge apply"),
        (lambda tmp_path: judged(tmp_path, side="contrast").folder, (), "side benign", "--side contrast"),
        (lambda tmp_path: judged(tmp_path).folder, ("--status",), "no complete block of labels", "mossbench label"),
        (lambda tmp_path: judged(tmp_path).folder, ("--within", "0"), "expected a share above 0", ""),
        (lambda tmp_path: judged(tmp_path).folder, ("--annotator", "\n"), "the name is", ""),
    ],
)
def test_what_cannot_be_labelled_is_said_with_a_way_out(tmp_path, make, options, says, way_out):
    done = invoke("label", make(tmp_path), "--port", "0", *options)
    assert done.exit_code == 2 and says in done.output and way_out in done.output


def judged(tmp_path, **options):
    return answered(samples(tmp_path / "data", 3), tmp_path / "run", **options)
