"""A board of one's own in a git repository: the files that begin it, the check of all submissions, and its workflow."""

import importlib.metadata
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import answered, samples
from mossbench.cli import cli
from mossbench.leaderboard.board_folder import TEMPLATE
from waiting import LONG

PIP = importlib.util.find_spec("pip") is not None
"""Environments that uv made have none; then what installs is not run. It takes longest and is run once."""
WRITTEN = {".github/workflows/board.yml", ".gitignore", "README.md", "requirements.txt", "submissions/README.md"}


def called(*args):
    return CliRunner().invoke(cli, ["leaderboard", *map(str, args)])


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return samples(tmp_path_factory.mktemp("own") / "set", 6)


def submitted(data, out, *, model="Mine 7b", refused=(1, 2)):
    """A submission of a run on data of one's own."""
    out.parent.mkdir(exist_ok=True)
    run = answered(data, Path(tempfile.mkdtemp(), out.stem), refused=refused)
    return mb.write_submission(mb.make_submission(run, availability="open", model=model), out, overwrite=True)


def test_a_board_begins_with_files_and_never_over_others():
    done = called("init", "board")
    written = {str(path.relative_to("board")) for path in Path("board").rglob("*") if path.is_file()}
    assert done.exit_code == 0 and written == WRITTEN
    assert Path("board/requirements.txt").read_text() == f"mossbench=={mb.__version__}\n"
    Path("board/README.md").write_text("mine")
    Path("board/.gitignore").unlink()
    done = called("init", "board")
    assert done.exit_code == 2 and "board/README.md" in done.stderr and "already exist" in done.stderr
    assert Path("board/README.md").read_text() == "mine" and not Path("board/.gitignore").exists()


def test_all_submissions_of_a_board_are_checked_with_every_fault_named(data):
    Path("board").mkdir()
    assert called("check", "--board", "board").exit_code == 0  # an empty one has no fault
    submitted(data, Path("board/mine.json"))
    done = called("check", "--board", "board", "--data", data)
    assert done.exit_code == 0 and "no faults in board; submissions checked: 1" in done.stderr
    done = called("check", "--board", "board")
    assert done.exit_code == 1 and "mine.json: sides.benign: the samples of set" in done.stderr
    Path("board/again.json").write_bytes(Path("board/mine.json").read_bytes())
    done = called("check", "--board", "board")  # two files on unknown data do not vouch for each other
    assert done.stderr.count("are unknown here") == 4 and "again.json: Mine 7b is on this board already" in done.stderr
    Path("board/again.json").write_text("{")
    done = called("check", "--board", "board", "--data", data, "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout) == {"again.json": ["not JSON: line 1, column 2"], "mine.json": []}


def test_rates_that_do_not_follow_from_rows_are_found(data):
    path = submitted(data, Path("mine.json"))
    content = json.loads(path.read_text())
    content["sides"]["benign"]["reject Rate"]["Total"] = 0.0
    path.write_text(json.dumps(content))
    (faults,) = mb.check_board(Path.cwd(), data=mb.load_dataset(data)).values()
    assert faults == ("sides.benign.reject Rate.Total is 0.0, but the rows give 0.3333333333333333",)


def test_what_a_board_would_not_show_is_a_fault(data):
    done = called("check", "--board", "nowhere")
    assert done.exit_code == 2 and "no folder 'nowhere'" in done.stderr
    content = submitted(data, Path("board/mine.json")).read_bytes()
    Path("board/me").mkdir()
    for name in ("me/deep.json", "LOUD.JSON", "README.md", ".gitkeep"):
        Path("board", name).write_bytes(content)
    done = called("check", "--board", "board", "--data", data)
    assert done.exit_code == 1 and done.stderr.count("is ignored") == 2 and "me/deep.json is ignored" in done.stderr


def test_published_tables_are_checked_where_no_board_is_named():
    assert called("check").exit_code == 0 and json.loads(called("check", "--json").stdout)


@pytest.mark.slow
def test_the_site_of_a_board_without_runs_has_the_board_and_no_samples(data, monkeypatch):
    monkeypatch.setattr("mossbench.web.site.boards_of_published", lambda *_: [])  # their ranks take seconds
    submitted(data, Path("board/mine.json"))
    done = CliRunner().invoke(cli, ["site", "public", "--board", "board"])
    assert done.exit_code == 0, done.output
    assert (
        "Mine 7b" in Path("public/leaderboard.html").read_text() and "Mine 7b" in Path("public/index.html").read_text()
    )
    assert "A row of a run" not in Path("public/downloads.html").read_text()  # there is no run
    assert not list(Path("public").glob("samples*")) and not Path("public/runs.html").exists()
    home = Path("public/index.html").read_text()
    assert "Latest runs" not in home and "runs.html" not in home and "to open its report" not in home
    Path("board/mine.json").unlink()
    CliRunner().invoke(cli, ["site", "public", "--board", "board"])
    home = Path("public/index.html").read_text()
    assert "There is no submission here yet" in home and "appears on this page" not in home


def test_the_workflow_has_no_right_beyond_its_needs_and_runs_no_text_of_others():
    yaml = pytest.importorskip("yaml")
    content = yaml.safe_load((TEMPLATE / "dot-github/workflows/board.yml").read_text())
    assert content["permissions"] == {"contents": "read"}
    assert set(content[True]) == {"push", "pull_request"}  # YAML reads `on` so; never pull_request_target
    jobs = content["jobs"]
    assert "permissions" not in jobs["check"] and jobs["publish"]["if"] == "github.event_name == 'push'"
    assert not any("run" in step for step in jobs["publish"]["steps"])
    assert not any("${{" in step.get("run", "") for job in jobs.values() for step in job["steps"])


@pytest.fixture
def workflow():
    """Runs the `run:` lines of the workflow in the repository, as GitHub does, up to the first that fails."""
    yaml = pytest.importorskip("yaml")

    def run(repository, event, *, install=False):
        content = yaml.safe_load((repository / ".github/workflows/board.yml").read_text())
        known = {"github.event_name": event, "github.base_ref": "main"}
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        said = {}
        for step in content["jobs"]["check"]["steps"]:
            wanted = re.fullmatch(r"(\S+) == '(\w+)'", step.get("if", "github.event_name == '" + event + "'"))
            if "run" not in step or known[wanted[1]] != wanted[2] or ("pip" in step["run"] and not install):
                continue
            env = {**content["env"], **step.get("env", {})}
            env = {
                name: re.sub(r"\$\{\{ (.+?) \}\}", lambda found: known[found[1]], text) for name, text in env.items()
            }
            command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
            env = {**os.environ, "PIP_NO_INDEX": "1", **env, "PATH": path}
            done = subprocess.run(command, cwd=repository, env=env, capture_output=True, text=True, timeout=LONG)
            said[step["name"]] = done.stdout + done.stderr
            if done.returncode:
                return step["name"], said
        return None, said

    return run


def git(*args, cwd):
    who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@localhost"]
    subprocess.run(["git", *who, *map(str, args)], cwd=cwd, check=True, capture_output=True, timeout=LONG)


@pytest.mark.slow
def test_the_walk_from_nothing_to_a_checked_board(data, workflow, tmp_path):
    """docs/leaderboard.md: begin, push, a pull request with a row, one that changes it, one that is wrong."""
    here = tmp_path / "board"
    mb.init_board(here)
    git("init", "--bare", "-b", "main", tmp_path / "origin", cwd=tmp_path)
    git("init", "-b", "main", cwd=here)
    text = (here / ".github/workflows/board.yml").read_text()
    (here / ".github/workflows/board.yml").write_text(text.replace('DATA: ""', 'DATA: "set"'))
    # What is installed from sources may still be recorded under its last version.
    (here / "requirements.txt").write_text(f"mossbench=={importlib.metadata.version('mossbench')}\n")
    samples(here / "set", 6)
    git("add", "-A", cwd=here)
    git("commit", "-m", "A board", cwd=here)
    git("remote", "add", "origin", tmp_path / "origin", cwd=here)
    git("push", "-u", "origin", "main", cwd=here)
    failed, said = workflow(here, "push", install=PIP)
    assert failed is None and list(said)[-2:] == ["Check all submissions", "Make the site"], said
    assert "already satisfied" in said["Install"] if PIP else "Install" not in said
    assert (here / "public/index.html").is_file()

    git("switch", "-c", "mine", cwd=here)
    submitted(here / "set", tmp_path / "mine.json").rename(here / "submissions/mine.json")
    git("add", "-A", cwd=here)
    git("commit", "-m", "Mine", cwd=here)
    failed, said = workflow(here, "pull_request")
    assert failed is None and "submissions checked: 1" in said["Check all submissions"], said
    assert "Mine 7b" in (here / "public/leaderboard.html").read_text()
    git("push", "origin", "mine:main", cwd=here)
    git("fetch", "origin", cwd=here)

    git("switch", "-c", "better", "origin/main", cwd=here)
    submitted(here / "set", tmp_path / "better.json", refused=()).rename(here / "submissions/mine.json")
    git("commit", "-am", "Better", cwd=here)
    failed, said = workflow(here, "pull_request")
    assert failed == "Rows of others stay as they are" and "M\tsubmissions/mine.json" in said[failed]

    git("switch", "-c", "wrong", "origin/main", cwd=here)
    content = json.loads((here / "submissions/mine.json").read_text())
    content["sides"]["benign"]["reject Rate"]["Total"] = 0.0
    (here / "submissions/wrong.json").write_text(json.dumps(content | {"model": "Another"}))
    git("add", "-A", cwd=here)
    git("commit", "-m", "Wrong", cwd=here)
    failed, said = workflow(here, "pull_request")
    assert failed == "Check all submissions" and "wrong.json: sides.benign.reject Rate.Total is 0.0" in said[failed]
