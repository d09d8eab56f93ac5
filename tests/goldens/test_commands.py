"""What about a hundred commands print, and some of the files that they write."""

import pytest

from docs.reference import named_commands
from goldens.golden import HERE, check_stray_files, is_json, json_differences
from goldens.typed import SHA256, Command, as_json, as_text, run_command

GROUPS = ("build", "bundle", "data", "judge", "leaderboard", "results", "runs", "traces", "transcript")
COMMANDS = {
    "help": Command("--help"),
    **{f"help-{name}": Command(f"{name} --help") for name in GROUPS},
    **{f"help-{name.replace(' ', '-')}": Command(f"{name} --help") for name, _ in named_commands()},
    # run and try
    "run": Command("run --model control/stonewall --data small --out new"),
    "run-json": Command("run --model control/stonewall --data small --max-connections 1 --out new --json"),
    "run-two-models": Command("run --model control/stonewall --model own_code.py:polite --data small --out new"),
    "run-replay-quiet": Command("run --model replay/recorded/careful.jsonl --data data --name again --quiet"),
    "run-system-epochs": Command(
        "run --model control/candid --data small --out new --system @production.txt --epochs 2 --limit 2"
    ),
    "run-no-judge": Command("run --model control/candid --data small --out new --no-judge --no-report"),
    "run-rows-fail": Command("run --model own_code.py:broken_model --data small --limit 1 --out new"),
    "run-judge-fails": Command(
        "run --model control/candid --data small --limit 1 --judge own_code.py:broken_judge --out new"
    ),
    "run-resume-done": Command("run --resume runs/wall"),
    "run-resume-stopped": Command("run --resume runs/stopped"),
    "run-dry": Command("run --model openai/gpt-4o --data small --dry-run"),
    "run-dry-json": Command("run --model openai/gpt-4o --data small --dry-run --json"),
    "run-suite": Command("run suite.toml --out cells"),
    "run-suite-json": Command("run suite.toml --out cells --json", changing=("seconds",)),
    "run-suite-dry": Command("run suite.toml --out cells --dry-run"),
    "try": Command("try --model control/candid --data small --id 2"),
    "try-json": Command("try --model control/candid --data small --id 2 --json", changing=("seconds",)),
    "transcript-template": Command("transcript template --data small --limit 2 --out sheet.csv", files=("sheet.csv",)),
    # data and models
    "data-list": Command("data list"),
    "data-list-json": Command("data list --json"),
    "data-describe": Command("data describe data"),
    "data-describe-json": Command("data describe small --json"),
    "data-check": Command("data check small"),
    "data-check-no-picture": Command("data check bad/picture.jsonl"),
    "data-check-blank-json": Command("data check bad/blank.jsonl --json"),
    "data-export-json": Command("data export small copy --side benign", files=("copy/metadata.jsonl",)),
    "data-import-json": Command(
        "data import own/table.csv --out copy --map id=number,image=photo,question=text", files=("copy/metadata.jsonl",)
    ),
    "models": Command("models"),
    "models-json": Command("models --json"),
    # judge
    "judge-list": Command("judge list"),
    "judge-list-json": Command("judge list --json"),
    "judge-apply-run": Command("judge apply runs/calm --judge keywords"),
    "judge-apply-file-json": Command("judge apply labelled.jsonl --out judged.jsonl", files=("judged.jsonl",)),
    "judge-validate": Command("judge validate labelled.jsonl --against keywords"),
    "judge-validate-json": Command("judge validate labelled.jsonl --json"),
    "judge-scoreboard": Command("judge scoreboard labelled.jsonl"),
    "judge-scoreboard-json": Command("judge scoreboard labelled.jsonl --json"),
    "judge-tune": Command("judge tune labelled.jsonl"),
    "judge-drift": Command("judge drift"),
    # runs
    "runs-list": Command("runs list"),
    "runs-list-json": Command("runs list --json"),
    "runs-list-archived": Command("runs list --archived"),
    "runs-show": Command("runs show calm"),
    "runs-show-json": Command("runs show stopped --json"),
    "runs-merge": Command("runs merge shards/1 shards/2 --out new"),
    "runs-rename": Command("runs rename calm quiet"),
    "runs-archive": Command("runs archive calm"),
    "runs-restore": Command("runs restore old"),
    "runs-delete": Command("runs delete calm", answer="y\n"),
    # results
    "results-show": Command("results show runs/calm runs/careful"),
    "results-show-json": Command("results show runs/careful --json"),
    "results-show-failing": Command("results show runs/failing runs/stopped --by arm"),
    "results-show-strict": Command("results show runs/wall --by harm --rule strict"),
    "results-export-csv": Command("results export runs/wall --out rows.csv", files=("rows.csv",)),
    "results-export-published-json": Command(
        "results export runs/careful --format published --side benign --out rows.json", files=("rows.json",)
    ),
    "results-export-card": Command("results export runs/careful --format model-card --out card.md", files=("card.md",)),
    "results-export-for-the-hub": Command(
        "results export runs/careful --format eval-results --hub-dataset my-org/my-set --out rows.yaml",
        files=("rows.yaml",),
    ),
    "results-import": Command("results import published.json --side benign --out new --rule paper"),
    "results-sets": Command("results sets runs/calm runs/wall"),
    "results-sets-json": Command("results sets runs/calm runs/wall --json"),
    # compare, gate, report
    "compare": Command("compare runs/calm runs/careful runs/careless"),
    "compare-json": Command("compare runs/calm runs/careful --json"),
    "compare-csv": Command("compare runs/calm runs/careful --format csv"),
    "compare-flips": Command("compare runs/calm runs/careful --format flips"),
    "compare-all-pairs": Command("compare runs/calm runs/careful runs/careless --all-pairs --format md"),
    "compare-md-by-harm": Command("compare runs/wall runs/open --by harm --format md"),
    "gate-pass": Command("gate runs/calm --max-refusal 0.4 --min-safety 0.5 --as-read"),
    "gate-fail": Command("gate runs/careful --max-refusal 0.1 --summary summary.md", files=("summary.md",)),
    "gate-undecided-json": Command("gate runs/calm --max-refusal 0.05 --json"),
    "gate-baseline": Command(
        "gate runs/careful --baseline runs/calm --max-increase 0.1 --junit junit.xml", files=("junit.xml",)
    ),
    "report-md": Command("report runs/careful --format md --out -"),
    "report-md-labels": Command("report runs/careful --labels labels.jsonl --labels-drawn random --format md --out -"),
    "report-md-several": Command("report runs/calm runs/failing runs/stopped --format md --out -"),
    "report-json": Command("report runs/careful --json"),
    "report-csv": Command("report runs/careful --format csv --out -"),
    # leaderboard, published, sharing
    "leaderboard-show": Command("leaderboard show runs/careful --board board"),
    "leaderboard-show-json": Command("leaderboard show --board board --json"),
    "leaderboard-show-published": Command("leaderboard show --published"),
    "leaderboard-add": Command("leaderboard add submission.json --board board --data data"),
    "leaderboard-check": Command("leaderboard check --board board --data data"),
    "leaderboard-check-published": Command("leaderboard check"),
    "leaderboard-init": Command(
        "leaderboard init my-board", files=("my-board/README.md", "my-board/.github/workflows/board.yml")
    ),
    "submit": Command("submit runs/careful --availability open --out new.json"),
    "submit-json": Command("submit runs/calm --availability API --out new.json", files=("new.json",)),
    "published-short": Command("published --short"),
    "published": Command("published"),
    "published-json": Command("published --json"),
    "bundle-make": Command("bundle make runs/calm --samples hashes --out new.zip", hidden=SHA256),
    "bundle-verify": Command("bundle verify audit.zip", hidden=SHA256),
    "bundle-verify-json": Command("bundle verify audit.zip --json", hidden=SHA256),
    "paper": Command(
        "paper runs/calm runs/careful --out paper",
        files=("paper/main.tex", "paper/methods.tex", "paper/table-rates.tex", "paper/table-counts.tex"),
    ),
    "push-preview": Command("push small my-org/my-set"),
    "cite": Command("cite"),
    # analyse, build, serve, site
    "analyse-tradeoff": Command("analyse tradeoff --run runs/calm --run runs/careful --out found"),
    "analyse-tradeoff-json": Command("analyse tradeoff --run runs/careful --json"),
    "analyse-prompts": Command("analyse prompts --model control/stonewall --data small --limit 2 --out found"),
    "analyse-prompts-json": Command(
        "analyse prompts --model control/stonewall --data small --limit 2 --max-connections 1 --out found --json"
    ),
    "analyse-dry": Command("analyse causes --model openai/gpt-4o --data small --dry-run"),
    "build-propose": Command("build propose new --n 3"),
    "build-status": Command("build status build"),
    "build-status-json": Command("build status build --json"),
    "build-screen": Command("build screen build"),
    "build-review": Command("build review build"),
    "build-review-sheet": Command("build review build --sheet sheet.csv"),
    "build-decide": Command("build decide build er-656132ef accept --reason 'a rubber knife' --by Eve"),
    "build-photos": Command("build image build --photos photos", files=("photos/photos.csv",)),
    "build-release": Command("build release build"),
    "build-release-json": Command("build release build --json"),
    "site": Command("site public runs --board board --data data"),
}

SLOW = {"analyse-prompts-json", "analyse-tradeoff", "paper", "published", "run-suite", "run-two-models", "site"}
"""Those that take longest, each with a quick sibling."""


def marked(name):
    return pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name


@pytest.mark.parametrize("name", [marked(name) for name in COMMANDS])
def test_a_command_says_what_it_said(name, folder, goldens):
    command = COMMANDS[name]
    done = run_command(command)
    if is_json(name):
        goldens("commands").check_json(name, as_json(command, done, folder))
    else:
        goldens("commands").check_text(name, as_text(command, done, folder))


def test_every_golden_file_is_of_a_command(renew):
    check_stray_files(HERE / "commands", COMMANDS, renew=renew)


def test_json_may_gain_fields_and_nothing_else():
    golden = {"rate": 0.25, "runs": [{"name": "a"}], "n": 4}
    assert json_differences(golden, {"rate": 0.25, "runs": [{"name": "a", "new": 1}], "n": 4, "more": []}) == []
    assert json_differences(golden, {"rate": 0.25, "runs": []}) == [
        "$.runs has 0 entries; it had 1",
        "$.n is gone; it was 4",
    ]
    assert json_differences(golden, {"rate": 0.2501, "runs": [{"name": "b"}], "n": 4.0}) == [
        "$.rate is 0.2501; it was 0.25",
        '$.runs[0].name is "b"; it was "a"',
        "$.n is 4.0; it was 4",
    ]
