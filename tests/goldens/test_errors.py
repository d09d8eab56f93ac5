"""What is said where something is wrong: about ten messages of each frequent kind, a file for each kind."""

import pytest

from goldens.golden import HERE, check_stray_files
from goldens.typed import Command, as_text, run_command

ERRORS = {
    "unknown-names": [
        "rum",
        "judge aply runs/calm",
        "run --modle x",
        "run --model contrl/candid --data small",
        "run --model control/candit --data small",
        "run --data sketchs",
        "run --data small --arm plane",
        "run --model control/candid --data small --judge keyword",
        "analyse cause --model control/candid",
        "results show runs/calm --by stimulis",
        "runs show clam",
        "build decide build er-00000000 accept --reason old --by Eve",
    ],
    "bad-values": [
        "run --limit 0",
        "run --limit many",
        "run --temperature warm",
        "run --model",
        "run --model control/candid --data small --max-failed nan",
        "run --model control/candid --data small --timeout inf",
        "run --model control/candid --data small --ids ,",
        "run --model control/candid --data small --ids 7,99",
        "run --model control/candid --data small --shard 3/2",
        "run --model openai/m --data small --base-url notaurl",
        "gate runs/calm --max-refusal 7",
        "gate runs/calm",
        "submit runs/calm --availability open --out x.json --model ''",
        "build release build --version one",
        "runs rename calm ../elsewhere",
        "serve --port 70000",
    ],
    "no-such-file": [
        "run --resume nowhere",
        "run --model replay/none.jsonl --data small",
        "run --model control/candid --data none",
        "run --model control/candid --data small --system @none.txt",
        "run none.toml",
        "run --model none.py:model --data small",
        "results show nowhere",
        "results import none.json --out x",
        "judge validate none.jsonl",
        "leaderboard add none.json --board board",
        "bundle verify none.zip",
        "build status nowhere",
        "report runs/careful --labels none.jsonl",
    ],
    "damaged-files": [
        "run --model replay/bad/torn.jsonl --data data --quiet",
        "run --model replay/bad/list.jsonl --data data --quiet",
        "run --model replay/bad/other.jsonl --data data --quiet --no-report --out new",
        "run --model control/candid --data bad/columns.csv",
        "run --model control/candid --data bad/twice.jsonl",
        "run --model control/candid --data bad/empty.jsonl",
        "run --model control/candid --data bad/broken.py",
        "run --model bad/broken.py:model --data small",
        "run --model own_code.py:nothing --data small",
        "run --model openai/x --data small --prices bad/prices.json --dry-run",
        "judge validate bad/unlabelled.jsonl",
        "leaderboard add bad/submission.json --board board --data data",
        "bundle verify bad/bundle.zip",
        "results import bad/submission.json --out x",
    ],
    "suites": [
        "run bad/not-toml.toml",
        "run bad/no-models.toml",
        "run bad/odd-key.toml",
        "run bad/odd-gate.toml",
        "run suite.toml --model control/candid --resume runs/calm",
        "run suite.toml --name one",
        "run --junit junit.xml --model control/candid --data small --limit 1",
    ],
    "contradictions": [
        "run --model control/candid --data small --judge keywords --no-judge",
        "run --resume runs/wall --limit 3",
        "run --resume runs/wall --model control/candid",
        "run --model control/candid --data small --out a --name b",
        "report runs/calm runs/careful --labels labels.jsonl",
        "report runs/calm runs/calm",
        "report runs/calm --json --out report.json",
        "results export runs/calm --out x.doc",
        "results export runs/calm --format published --out x.json",
        "compare runs/calm",
        "compare runs/calm runs/wall",
        "compare runs/calm runs/unjudged",
        "gate runs/calm --max-increase 0.1",
        "gate runs/calm --baseline runs/wall --max-increase 0.1",
        "build image build",
    ],
    "in-the-way": [
        "run --model control/candid --data small --out runs/wall",
        "run --model control/candid --data small --out data",
        "results export runs/calm --out labels.jsonl --format json",
        "submit runs/calm --availability open --out submission.json",
        "judge apply labelled.jsonl --out labels.jsonl",
        "data export small own",
        "bundle make runs/calm --out audit.zip",
        "runs rename calm wall",
        "runs merge shards/1 shards/2 --out runs/wall",
        "leaderboard add calm.json --board board --data data",
        "build propose data",
        "paper runs/calm --out data",
    ],
    "not-ready": [
        "submit runs/stopped --availability open --out x.json",
        "submit runs/failing --availability open --out x.json",
        "submit runs/unjudged --availability open --out x.json",
        "submit runs/twice --availability open --out x.json",
        "submit runs/calm --out x.json",
        "bundle make runs/stopped --out x.zip",
        "results sets runs/unjudged",
        "results show runs/calm --judge keywords",
        "gate runs/stopped --max-refusal 0.5",
        "gate runs/unjudged --max-refusal 0.5",
        "runs merge shards/1 --out new",
        "runs merge shards/1 runs/wall --out new",
        "leaderboard show runs/unjudged",
        "analyse tradeoff --run runs/unjudged",
    ],
    "keys-and-extras": [
        "run --model openai/gpt-4o --data small",
        "run --model openai/m --data small --base-url http://me:pw@127.0.0.1/v1",
        "try --model openai/gpt-4o --data small",
        "run --model control/candid --data small --judge rubric/kinds",
        "run --model control/candid --data small --judge cascade",
        "judge apply runs/calm --judge rubric/kinds --judge-model openai/x",
        "run --model control/candid --data small --engine batch",
        "build image build --model openai/x",
    ],
    "keys-of-other-providers": [
        "run --model anthropic/claude-x --data small",
        "run --model google/gemini-x --data small",
    ],
}


SLOW = {"keys-of-other-providers"}
"""Their packages take a second to import."""


def marked(kind):
    return pytest.param(kind, marks=pytest.mark.slow) if kind in SLOW else kind


@pytest.mark.parametrize("kind", [marked(kind) for kind in ERRORS])
def test_messages_are_what_they_were(kind, folder, goldens):
    parts = []
    for line in ERRORS[kind]:
        command = Command(line)
        parts.append(as_text(command, run_command(command), folder))
    goldens("errors").check_text(kind, "\n".join(parts))


def test_every_golden_file_is_of_a_kind_of_errors(renew):
    check_stray_files(HERE / "errors", ERRORS, renew=renew)
