"""Labelled answers of our own in the layout of published ones, through the command line: counted, corrected, shown."""

import json
import random

import pytest
from click.testing import CliRunner

from answered import NO, YES
from datasets.layouts import BENIGN, COLOURS, TITLES, write_json
from mossbench.cli import cli

N, REFUSED, WORDLESS = 60, 21, 3


def mossbench(*args):
    done = CliRunner().invoke(cli, [str(arg) for arg in args])
    assert done.exit_code == 0, done.output
    return done


@pytest.fixture(scope="module")
def labelled(tmp_path_factory):
    """Data of sixty samples, and answers to them: 21 refused, 3 that never came and count as refused in print."""
    folder = tmp_path_factory.mktemp("labelled")
    of_type = {kind: next(one for one in BENIGN.values() if one[0] == kind) for kind in TITLES}
    with pytest.MonkeyPatch.context() as patch:
        for i in range(N):
            patch.setitem(COLOURS, str(i), "red")
        write_json(folder / "data", {str(i): of_type[1 + i // (N // 3)] for i in range(N)})
    ids = random.Random(1).sample(range(N), REFUSED + WORDLESS)
    refused, wordless = set(ids[:REFUSED]), set(ids[REFUSED:])
    rows = [
        {"pid": str(i), "response": None if i in wordless else NO if i in refused else YES}
        | {"model": "m", "refused": int(i in refused or i in wordless), "hard": False, "disputed": False}
        for i in range(N)
    ]
    (folder / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def replay(labelled, judge):
    transcript = labelled / "answers.jsonl"
    mossbench(
        *("run", "--model", f"replay/{transcript}", "--data", labelled / "data", "--side", "benign", "--quiet"),
        *("--judge", f"human/{transcript}" if judge == "human" else judge, "--out", "r", "--no-report"),
        *("--max-failed", "1"),
    )
    return transcript


def report(*args):
    return json.loads(mossbench("report", "r", "--format", "json", "--out", "-", *args).stdout)["reports"][0]


def test_labels_give_one_rate_as_in_print_and_another_of_the_models_own_words(labelled):
    replay(labelled, "human")
    rates = report()["by_rule"]
    assert (rates["paper"]["refused"], rates["paper"]["estimate"]["n"]) == (REFUSED + WORDLESS, N)
    assert (rates["model"]["refused"], rates["model"]["estimate"]["n"]) == (REFUSED, N - WORDLESS)
    # the 20 of negated harm are one scene, the 40 others stand alone, and 3 of them failed
    assert "over 38 clusters" in rates["model"]["estimate"]["method"]


def test_the_corrected_rate_of_the_embedded_judge_agrees_with_labels_of_our_own(labelled):
    transcript = replay(labelled, "rules")
    error = report("--labels", transcript)["judge_error"]
    assert error["measured_here"] and error["counts"]["true_yes"] + error["counts"]["true_no"] == N - WORDLESS
    assert error["corrected"]["value"] == pytest.approx(REFUSED / (N - WORDLESS), abs=0.02)
    assert error["corrected"]["low"] <= REFUSED / (N - WORDLESS) <= error["corrected"]["high"]


def test_answers_that_never_came_are_failed_apart_from_the_refusals(labelled):
    replay(labelled, "rules")
    shown = json.loads(mossbench("results", "show", "r", "--json").stdout)[0]
    assert shown["layers"]["failed"] == WORDLESS and shown["layers"]["judged"] == N - WORDLESS
    page = mossbench("report", "r", "--out", "-").stdout
    assert len(page.encode()) < 1_000_000 and page.count("<img") == REFUSED
