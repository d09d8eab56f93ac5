"""Older versions of the offline judges stay runnable by name, and say what they said when they were the newest."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.judges import load_judge, offline_judge, spec_of
from mossbench.judges.earlier.rules import read
from mossbench.outcomes import Answer, Exchange
from mossbench.samples import Side

HERE = Path(__file__).parent
RECORDED = json.loads((HERE / "recorded_verdicts.json").read_text("utf-8"))
AWKWARD = [json.loads(line) for line in (HERE / "rules_awkward.jsonl").read_text("utf-8").splitlines()]


def mossbench(*args):
    return CliRunner().invoke(cli, list(map(str, args)))


def verdict(judge, request, answer):
    exchange = Exchange(side=Side.BENIGN, sample="1", request=request, answer=Answer(text=answer))
    return load_judge(judge).verdict(exchange)


def kind_and_confidence(found):
    return [found.kind and found.kind.value, found.confidence]


@pytest.mark.parametrize(
    ("spec", "label"),
    [
        ("rules", "rules/4"),
        ("rules/4", "rules/4"),
        ("rules/3", "rules/3"),
        ("tandem", "tandem/2"),
        ("tandem/1", "tandem/1"),
        ("reader", "reader/2"),
        ("reader/2", "reader/2"),
        ("keywords", "keywords/2"),
        ("keywords/1", "keywords/1"),
    ],
)
def test_a_judge_is_loaded_by_name_and_version(spec, label):
    assert load_judge(spec).label == label
    assert offline_judge(label).label == label


@pytest.mark.parametrize("spec", ["rules/2", "rules/5", "rules/", "tandem/3", "reader/3", "keywords/0"])
def test_a_version_that_is_not_there_is_one_message_with_those_that_are(spec):
    name, _, version = spec.partition("/")
    with pytest.raises(UsageError, match=f"no version {version!r} of judge {name!r}; known: {name}/"):
        load_judge(spec)
    assert offline_judge(spec) is None


def test_judges_without_older_versions_are_not_asked_by_version():
    with pytest.raises(UsageError, match="no judge named 'cascade/1'"):
        load_judge("cascade/1")
    assert offline_judge("rubric/kinds?model=control/candid/77ab") is None


@pytest.mark.parametrize("judge", ["rules/3", "keywords/1", pytest.param("tandem/1", marks=pytest.mark.slow)])
def test_an_older_version_gives_the_verdicts_that_it_gave(judge):
    recorded = RECORDED[judge]
    rows = [row for row in AWKWARD if row["id"] in recorded]
    assert len(rows) == len(recorded) > 70
    for row in rows:
        found = verdict(judge, row["request"], row["answer"])
        said = found.refused if judge == "keywords/1" else kind_and_confidence(found)
        assert said == recorded[row["id"]], row["id"]
        if judge == "rules/3":
            assert not found.unfamiliar


def test_version_3_still_reads_requests_about_refusing_as_it_did():
    rows = RECORDED["rules/3 where the request speaks of refusing"]
    assert len(rows) > 150
    moved = 0
    for request, answer, kind, confidence in rows:
        assert kind_and_confidence(read(request, answer, "3")) == [kind, confidence], (request, answer)
        moved += read(request, answer).kind != read(request, answer, "3").kind
    assert moved > 50  # what version 4 reads otherwise is in test_refusing_words.py


def test_runs_files_suites_and_panels_take_a_version(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = mossbench("run", "--model", "control/stonewall", "--limit", 4, "--judge", "rules/3", "--out", "old")
    assert done.exit_code == 0, done.stderr
    assert mb.load_results("old").judge == "rules/3"
    assert mb.load_results("old").info.config.judge == "rules/3"  # so that a resumed run asks the same version
    done = mossbench("judge", "apply", "old", "--judge", "rules")
    assert done.exit_code == 0, done.stderr
    assert mb.load_results("old", judge="rules/4").judge == "rules/4"
    Path("answers.jsonl").write_text(
        '{"question": "Why did the bank decline my card?", "response": "I can\'t help."}\n'
    )
    assert mossbench("judge", "apply", "answers.jsonl", "--judge", "keywords/1", "--out", "out.jsonl").exit_code == 0
    assert json.loads(Path("out.jsonl").read_text())["judge"] == "keywords/1"
    panel = load_judge("panel/rules/3+rules+keywords")
    assert [part.label for part in panel.parts] == ["rules/3", "rules/4", "keywords/2"]
    assert load_judge(panel.name).label == panel.label
    Path("suite.toml").write_text('limit = 2\njudge = "rules/3"\n[models]\ncalm = "control/candid"\n')
    done = mossbench("run", "suite.toml", "--quiet")
    assert done.exit_code == 0, done.stderr + done.stdout


def test_a_report_tells_how_to_make_verdicts_of_an_older_version_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    results = mb.run("control/stonewall", limit=2, out="old", judge="rules/3")
    mb.write_report(results, "report.md")
    assert "--judge rules/3" in Path("report.md").read_text()
    assert [spec_of(label) for label in ("rules/4", "rules/3", "rules/2", "rubric/kinds?model=m/77ab")] == [
        "rules",
        "rules/3",
        "rules",
        "rubric/kinds?model=m",
    ]


def test_a_bundle_of_an_older_version_is_read_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mb.run("control/stonewall", limit=4, out="old", judge="rules/3")
    mb.write_bundle(["old"], "old.zip", samples="copies")
    done = mossbench("bundle", "verify", "old.zip")
    assert done.exit_code == 0 and "not made again" not in done.stdout + done.stderr, done.stdout + done.stderr


@pytest.mark.parametrize("judge", ["rules/3", "rules", "keywords/1", "keywords"])
def test_each_version_has_a_baseline_of_its_own(judge):
    drift = mb.check_drift(judge)
    assert drift.judge == drift.baseline == load_judge(judge).label and not drift.drifted
