"""studio/ and judge-training/: projects of their own, whose tests are left out only while nothing of theirs changed."""

import ast
import importlib.util
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECTS = ("studio", "judge-training")
PASSES = '#!/bin/sh\necho "$*" >> ../calls\n'
FAILS = PASSES + "exit 1\n"
needs_make = pytest.mark.skipif(
    shutil.which("make") is None or sys.platform == "win32", reason="needs make and a POSIX shell"
)


class Checkout:
    """A small checkout with one project, whose environment has a Python that only notes what it is called with."""

    def __init__(self, root: Path, name: str) -> None:
        self.root = root
        self.project = root / name
        shutil.copytree(ROOT / ".ci", root / ".ci")
        (root / "pyproject.toml").touch()
        (root / "src/mossbench/datasets/sketches_data").mkdir(parents=True)
        (root / "src/mossbench/datasets/sketches_data/metadata.jsonl").write_text("{}")
        (root / "src/mossbench/building").mkdir()
        (root / "src/mossbench/building/studio.py").write_text("x = 1")
        for part in ("models/control", "judges/reader", "judges/languages"):
            (root / "src/mossbench" / part).mkdir(parents=True)
            (root / "src/mossbench" / part / "__init__.py").touch()
        (root / "src/mossbench/judges/measured_languages.json").write_text("[]")
        (self.project / "tests").mkdir(parents=True)
        (self.project / "pyproject.toml").touch()
        (self.project / "tests/test_it.py").write_text("def test_it(): pass")
        shutil.copy(ROOT / name / "Makefile", self.project)
        (self.project / ".venv/bin").mkdir(parents=True)
        self.python_is(PASSES)
        (self.project / ".venv/installed").write_text(f"{self.project}\n")

    def python_is(self, script: str) -> None:
        python = self.project / ".venv/bin/python"
        python.write_text(script)
        python.chmod(0o755)

    def make(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        # What an outer make has set, as when make test runs this, is not handed on.
        outside = ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "MAKELEVEL", "ARGS")
        environment = {name: value for name, value in os.environ.items() if name not in outside}
        command = ["make", "-C", str(self.project), *arguments, f"PYTHON={sys.executable}"]
        return subprocess.run(command, capture_output=True, text=True, env=environment)

    def calls(self) -> list[str]:
        """What the Python of the project was called with since this was last asked."""
        path = self.root / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return lines


@pytest.fixture(params=PROJECTS)
def checkout(request, tmp_path):
    return Checkout(tmp_path / "checkout", request.param)


@needs_make
def test_tests_that_passed_are_left_out_until_a_file_changes(checkout):
    first = checkout.make("test-if-changed")
    assert first.returncode == 0, first.stderr
    assert checkout.calls() == ["-m mypy", "-m pytest"]
    again = checkout.make("test-if-changed")
    assert again.returncode == 0 and "left out" in again.stdout
    assert checkout.calls() == []


def change_a_file(checkout):
    (checkout.project / "tests/test_it.py").write_text("def test_it(): assert 1")


def add_a_file(checkout):
    (checkout.project / "tests/data.jsonl").touch()


def remove_a_file(checkout):
    (checkout.project / "tests/test_it.py").unlink()


def rename_a_file(checkout):
    (checkout.project / "tests/test_it.py").rename(checkout.project / "tests/test_that.py")


def move_a_file_up(checkout):
    (checkout.project / "tests/test_it.py").rename(checkout.project / "test_it.py")


def lose_the_record(checkout):
    (checkout.project / "tested.sha256").unlink()


def empty_the_record(checkout):
    (checkout.project / "tested.sha256").write_text("")


def leave_a_conflict_in_the_record(checkout):
    record = checkout.project / "tested.sha256"
    record.write_text(f"<<<<<<< ours\n{record.read_text()}=======\n{'0' * 64}\n>>>>>>> theirs\n")


CHANGES = (
    change_a_file,
    add_a_file,
    remove_a_file,
    rename_a_file,
    move_a_file_up,
    lose_the_record,
    empty_the_record,
    leave_a_conflict_in_the_record,
)


@needs_make
@pytest.mark.parametrize("change", CHANGES)
def test_no_change_is_left_out(tmp_path, change):
    checkout = Checkout(tmp_path / "checkout", "studio")
    checkout.make("test")
    checkout.calls()
    change(checkout)
    checkout.make("test-if-changed")
    assert checkout.calls() == ["-m mypy", "-m pytest"]


@needs_make
@pytest.mark.parametrize(
    ("project", "path"),
    [
        ("studio", "datasets/sketches_data/metadata.jsonl"),
        ("studio", "building/studio.py"),
        ("studio", "models/control/__init__.py"),
        ("judge-training", "judges/reader/__init__.py"),
        ("judge-training", "judges/languages/__init__.py"),
        ("judge-training", "judges/measured_languages.json"),
    ],
)
def test_what_a_project_makes_calls_and_trains_belongs_to_it(tmp_path, project, path):
    checkout = Checkout(tmp_path / "checkout", project)
    checkout.make("test")
    checkout.calls()
    (checkout.root / "src/mossbench" / path).write_text("changed")
    checkout.make("test-if-changed")
    assert checkout.calls() == ["-m mypy", "-m pytest"]


@needs_make
def test_failing_tests_are_an_error_and_not_recorded(checkout):
    checkout.python_is(FAILS)
    for _ in range(2):
        assert checkout.make("test-if-changed").returncode != 0
        assert checkout.calls() == ["-m mypy"]
    assert not (checkout.project / "tested.sha256").exists()
    checkout.python_is(PASSES + 'test "$2" != pytest\n')
    assert checkout.make("test-if-changed").returncode != 0
    assert not (checkout.project / "tested.sha256").exists()


@needs_make
def test_a_part_of_the_tests_is_not_recorded(checkout):
    assert checkout.make("test", "ARGS=-k parrot").returncode == 0
    assert checkout.calls() == ["-m mypy", "-m pytest -k parrot"]
    assert not (checkout.project / "tested.sha256").exists()


@needs_make
def test_an_edit_while_the_tests_run_was_not_tested(checkout):
    checkout.python_is(PASSES + "echo '# edited' >> tests/test_it.py\n")
    assert checkout.make("test").returncode == 0
    checkout.calls()
    checkout.python_is(PASSES)
    checkout.make("test-if-changed")
    assert checkout.calls() == ["-m mypy", "-m pytest"]


@needs_make
def test_what_tools_leave_behind_and_where_it_lies_does_not_count(checkout, tmp_path):
    checkout.make("test")
    checkout.calls()
    for folder in (".pytest_cache", "__pycache__", "build", "tests/__pycache__", ".hypothesis"):
        (checkout.project / folder).mkdir()
        (checkout.project / folder / "left").write_text("behind")
    assert "left out" in checkout.make("test-if-changed").stdout
    checkout.root.rename(tmp_path / "elsewhere")
    checkout.project = tmp_path / "elsewhere" / checkout.project.name
    assert "left out" in checkout.make("test-if-changed").stdout


@needs_make
def test_a_hash_that_cannot_be_taken_is_an_error(checkout):
    checkout.make("test")
    (checkout.root / ".ci/digest.py").unlink()
    assert checkout.make("test-if-changed").returncode != 0
    assert checkout.make("test").returncode != 0
    lose_the_record(checkout)  # no hash and no record are not the same hash
    assert checkout.make("test-if-changed").returncode != 0


def test_what_is_not_there_has_no_hash(tmp_path):
    command = [sys.executable, str(ROOT / ".ci/digest.py"), str(tmp_path / "none")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0 and "no file or folder" in done.stderr and not done.stdout


def imported(path: Path) -> list[tuple[str, str]]:
    """Module and name of all that a file imports."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [(node.module or "", alias.name) for alias in node.names]
    return found


def sources(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*.py")) if ".venv" not in path.parts]


def test_what_the_projects_import_of_mossbench_is_there():
    """Their tests are mostly left out: a name that moves here is missed there only when somebody draws or trains."""
    wanted = set()
    for project in PROJECTS:
        for path in sources(ROOT / project):
            wanted |= {(module, name) for module, name in imported(path) if module.split(".")[0] == "mossbench"}
    assert len(wanted) > 20

    missing = [f"{module}.{name}" for module, name in sorted(wanted) if not provided(module, name)]
    assert missing == []


def provided(module: str, name: str) -> bool:
    """Whether a module is there and has that name, as its own or as a module within it."""
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError:
        return False
    return not name or hasattr(found, name) or importlib.util.find_spec(f"{module}.{name}") is not None


def test_nothing_imports_the_projects():
    """They are called as programs: whoever has mossbench need not have what they need."""
    wrong = []
    for folder in ("src", "tests", "bench", "docs", "examples"):
        for path in sources(ROOT / folder):
            if not any(name in path.read_text("utf-8") for name in ("studio", "judge_training")):
                continue
            modules = {module.split(".")[0] for module, _ in imported(path)}
            wrong += [f"{path.relative_to(ROOT)} imports {name}" for name in modules & {"studio", "judge_training"}]
    assert wrong == []


def test_both_are_projects_with_their_own_readme_tests_and_targets():
    sdist = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["sdist"]
    for name in PROJECTS:
        folder = ROOT / name
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
        assert project["name"] == f"mossbench-{name}" and "mossbench" in project["dependencies"]
        assert all((folder / part).is_file() for part in ("README.md", "Makefile"))
        assert list((folder / "tests").glob("test_*.py"))
        assert f"/{name}" in sdist["include"]
