"""Paths that are no files: a FIFO never answers, links go in circles, names are too long, JSON too deep."""

import json
import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.outcomes import Layer
from mossbench.plumbing.untrusted_files import open_file, parse_json, read_file
from mossbench.web.app import create_app
from mossbench.web.settings import Settings

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
LONG = "x" * 5000
DEEP = "[" * 200_000


def make(kind, path):
    path = Path(path)
    path.unlink(missing_ok=True)
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "loop":
        path.symlink_to(path.name)
    elif kind == "folder":
        path.mkdir()
    else:
        path.write_text(DEEP)


@pytest.mark.parametrize("kind", ["fifo", "loop", "folder", "long"])
def test_an_image_that_is_no_file_fails_its_row_alone(small, kind):
    rows = [json.loads(line) for line in (small / "metadata.jsonl").read_text().splitlines()]
    key = "image" if "image" in rows[0] else "file_name"
    if kind == "long":
        rows[0][key] = f"{LONG}.png"
        (small / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        make(kind, small / rows[0][key])
    results = mb.run(lambda prompt: "It is a barn.", small, out="r")
    failed = [row for row in results.rows if row.outcome.layer is Layer.FAILED]
    assert 1 <= len(failed) < len(results)
    assert all(row.exchange.answer.error.stage == "picture" for row in failed)
    for command in ("data check", "data describe"):
        done = CliRunner().invoke(cli, [*command.split(), str(small)])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception


@pytest.mark.slow
@pytest.mark.parametrize("name", ["answers.jsonl", "run.json", "samples.jsonl"])
@pytest.mark.parametrize("kind", ["fifo", "loop", "folder", "deep"])
def test_a_run_folder_with_what_is_no_file_is_named_and_hangs_nobody(small, name, kind):
    mb.run(lambda prompt: "It is a barn.", small, out="runs/r")
    make(kind, Path("runs/r") / name)
    for command in ("results show runs/r", "gate runs/r --max-refusal 0.5", "report runs/r"):
        done = CliRunner().invoke(cli, command.split())
        assert done.exit_code in (1, 2) and isinstance(done.exception, SystemExit), (command, done.exception)
        assert "mossbench: " in done.output and "runs/r" in done.output
    from starlette.testclient import TestClient

    with TestClient(create_app(Settings(runs=Path("runs"))), base_url="http://127.0.0.1") as client:
        assert client.get("/").status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "results import {} --out out",
        "run --model replay/{} --data {}",
        "data check {}",
        "data describe {}",
        "run --model control/candid --data {}",
        "run --model control/candid --prices {}",
        "run --resume {}",
        "results show {}",
        "judge apply {}",
        "compare {} {}",
        "leaderboard add {} --board b",
        "run --model control/candid --limit 1 --out {}",
    ],
)
@pytest.mark.parametrize("kind", ["fifo", "loop", "long", "deep"])
def test_no_command_hangs_or_breaks_on_what_is_no_file(command, kind):
    path = f"{LONG}.json" if kind == "long" else f"{kind}.json"
    if kind != "long":
        make(kind, path)
    done = CliRunner().invoke(cli, command.replace("{}", path).split())
    assert isinstance(done.exception, SystemExit) and done.exit_code in (1, 2), done.exception
    assert len(done.output) < 8000 and "Traceback" not in done.output


def test_only_files_are_opened(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(OSError, match="not a regular file"):
        open_file(tmp_path / "fifo")
    with pytest.raises(IsADirectoryError):
        read_file(tmp_path)
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_json(DEEP)
    shutil.copy(__file__, tmp_path / "file")
    assert read_file(tmp_path / "file") == Path(__file__).read_bytes()
