"""Sets without a single image, with both sides or one, go through every command that a set with images goes through."""

import json

import pytest
from click.testing import CliRunner

from mossbench.cli import cli

COMMANDS = """\
data check set.jsonl
data describe set.jsonl
data export set.jsonl copy
try --model control/candid --data set.jsonl
run --dry-run --model control/candid --data set.jsonl
run --model control/jumpy --data set.jsonl --out one
run --model control/stonewall --data set.jsonl --out two
run --model control/candid --data set.jsonl --arm text-only --out bare --no-report
run --model control/candid --data set.jsonl --arm blank --out blank --no-report
results show one --by category
results sets one two
results export one --out rows.csv
results export one --out log.eval
compare one two
report one --out report.md
judge apply one --judge keywords
submit one --availability open --out mine.json
leaderboard add mine.json --board board --data set.jsonl
leaderboard show --board board
transcript template --data set.jsonl --out sheet.csv
analyse tradeoff --run one
analyse distortions --run one"""


@pytest.mark.slow
@pytest.mark.parametrize("sides", [("benign", "contrast"), ("benign",), ("contrast",)])
def test_a_set_of_texts_alone_goes_through_every_command(sides, tmp_path):
    rows = [
        {"id": f"{side}-{n}", "side": side, "question": f"How do I shoot {side} {n}?", "category": "ab"[n % 2]}
        for side in sides
        for n in range(4)
    ]
    (tmp_path / "work" / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for command in COMMANDS.splitlines():
        if sides == ("contrast",) and command.startswith(("leaderboard", "submit")):
            continue  # boards rank by harmless requests
        done = CliRunner().invoke(cli, command.split())
        assert done.exit_code == 0, f"{command}: {done.output}"
    if len(sides) == 1:
        report = (tmp_path / "work" / "report.md").read_text()
        assert "d′" not in report and "twin" not in report
