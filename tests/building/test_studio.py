"""Images from the studio, which is called as a program: here a small one that writes what the real one would.

The real one is tested in studio/tests/test_compose.py, with `mossbench build image` calling it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from building.candidate import candidate
from mossbench.building import studio
from mossbench.building.folder import BuildFolder
from mossbench.building.imaging import make_images, recipes
from mossbench.cli import cli
from mossbench.errors import UsageError
from pictures import png

ER, NH, CI = (candidate(name) for name in ("exaggerated_risk", "negated_harm", "counterintuitive"))

PROGRAM = """
import json, os, sys
from pathlib import Path

command, scenes, out, *rest = sys.argv[1:]
assert command == "compose" and Path(scenes).is_absolute()
candidates = rest[:1]
here = Path(__file__).parent
with (here / "calls").open("a") as calls:
    calls.write(" ".join(rest) + "\\n")
print("a scene may print")
answer = json.loads((here / "answer.json").read_text())
images = [image for image in answer["images"] if image["candidate"] in candidates]
failed = [one for one in answer["failed"] if one["candidate"] in candidates]
for image in images:
    drawn = "other.png" if image["variant"] else "image.png"
    Path(out, image["file"]).write_bytes((here / drawn).read_bytes())
Path(out, "composed.json").write_text(json.dumps({"names": answer["names"], "images": images, "failed": failed}))
"""


class FakeStudio:
    """A checkout whose studio answers what a test says."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "studio"
        self.folder.mkdir(parents=True)
        (self.folder / "image.png").write_bytes(png(size=(60, 40)))
        (self.folder / "other.png").write_bytes(png(size=(30, 20)))
        self.is_program(PROGRAM)
        self.answers(names=[], images=[], failed=[])

    def is_program(self, code: str) -> None:
        (self.folder / "__main__.py").write_text(code)

    def answers(self, **answer) -> None:
        (self.folder / "answer.json").write_text(json.dumps(answer))

    def calls(self) -> list[str]:
        """What each call asks for; nothing in the first, which asks what the scenes define."""
        return (self.folder / "calls").read_text().splitlines()


def image(id, variant=""):
    return {"candidate": id, "variant": variant, "file": f"{id}{variant}.png", "scene": "playroom", "people": True}


@pytest.fixture
def program(tmp_path, monkeypatch):
    """The studio of a checkout, in an environment that has none."""
    monkeypatch.setattr(studio.shutil, "which", lambda name, path=None: None)
    monkeypatch.setattr(studio, "CHECKOUT", tmp_path / "checkout")
    return FakeStudio(tmp_path / "checkout")


@pytest.fixture
def folder(tmp_path):
    folder = BuildFolder(tmp_path / "set")
    folder.start()
    folder.append("candidates", [ER, NH, CI])
    (folder.path / "scenes.py").write_text("raise AssertionError('only the studio runs this')")
    return folder


def names(*candidates):
    return [one.id.replace("-", "_") for one in candidates]


def test_images_and_what_is_known_of_them_come_from_the_program(program, folder):
    program.answers(names=names(ER, CI), images=[image(ER.id), image(ER.id, "counterfactual")], failed=[])
    done = make_images(folder, studio.studio_source(folder.path))
    assert done.made == (ER.id,) and done.without == (NH.id, CI.id) and not done.failed
    recipe = recipes(folder)[ER.id, ""]
    assert (recipe.source, recipe.origin, recipe.licence, recipe.people) == (
        "studio",
        "playroom",
        "as the dataset",
        True,
    )
    with Image.open(folder.image_path(ER.id)) as own, Image.open(folder.image_path(ER.id, "counterfactual")) as other:
        assert own.size == (60, 40) and other.size == (30, 20)


def test_a_candidate_is_drawn_in_one_call_and_one_without_a_function_in_none(program, folder):
    program.answers(names=names(ER), images=[image(ER.id), image(ER.id, "counterfactual")], failed=[])
    make_images(folder, studio.studio_source(folder.path), at_once=3)
    call = f"{ER.id} --variant= --variant=counterfactual"
    assert program.calls() == ["", call]
    assert make_images(folder, studio.studio_source(folder.path)).made == ()
    assert program.calls() == ["", call, ""]  # what has its images is not drawn again


def test_a_marked_candidate_is_asked_for_its_twin(program, folder):
    program.answers(names=names(NH), images=[image(NH.id, "contrast")], failed=[])
    assert make_images(folder, studio.studio_source(folder.path)).made == (NH.id,)
    assert program.calls() == ["", f"{NH.id} --variant=contrast --variant=counterfactual"]


def test_what_failed_is_named_if_it_is_needed(program, folder):
    failed = [{"candidate": ER.id, "variant": "", "error": "scenes.py, line 3: KeyError: 'x'"}]
    failed += [{"candidate": CI.id, "variant": "contrast", "error": "nobody asks for this"}]
    program.answers(names=names(ER, CI), images=[image(CI.id)], failed=failed)
    done = make_images(folder, studio.studio_source(folder.path))
    assert done.made == (CI.id,) and done.failed == {ER.id: "scenes.py, line 3: KeyError: 'x'"}


def test_the_command_prints_its_json_alone_and_fails_with_what_failed(program, folder):
    failed = [{"candidate": ER.id, "variant": "", "error": "no vase"}]
    program.answers(names=names(ER, CI), images=[image(CI.id)], failed=failed)
    done = CliRunner().invoke(cli, ["build", "image", str(folder.path), "--from", "studio", "--json"])
    assert done.exit_code == 1
    assert json.loads(done.stdout) == {"made": [CI.id], "without": [NH.id], "failed": {ER.id: "no vase"}}


def test_without_scenes_the_error_says_what_to_write(program, folder):
    (folder.path / "scenes.py").unlink()
    with pytest.raises(UsageError, match=r"no .*scenes\.py: write a function there for each candidate"):
        studio.studio_source(folder.path)


def test_without_a_studio_the_error_says_where_it_is(program, folder):
    (program.folder / "__main__.py").unlink()
    done = CliRunner().invoke(cli, ["build", "image", str(folder.path), "--from", "studio"])
    assert done.exit_code == 2 and "Traceback" not in done.output
    assert "mossbench-studio not found" in done.output and "pip install -e studio" in done.output


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import sys; sys.exit('error: x is not defined')", "the studio could not draw: x is not defined"),
        ("raise SystemExit(3)", "it ended with status 3 and no message"),
        ("import none_such", "No module named 'none_such'"),
        ("", "wrote no composed.json; install the studio again"),
        (PROGRAM.replace('"names"', '"other"', 1).replace('answer["names"]', "1"), "other version"),
    ],
)
def test_a_program_that_fails_is_an_error_in_one_line(program, folder, code, said):
    program.is_program(code)
    done = CliRunner().invoke(cli, ["build", "image", str(folder.path), "--from", "studio"])
    assert done.exit_code in (1, 2) and "Traceback" not in done.output
    assert said in " ".join(done.output.split())


def test_a_wrong_call_of_the_program_is_a_wrong_call_here(program, folder):
    program.is_program("import sys; print('error: scenes.py, line 1: NameError', file=sys.stderr); sys.exit(2)")
    with pytest.raises(UsageError, match="the studio could not draw: scenes.py, line 1: NameError$"):
        studio.studio_source(folder.path)


def test_a_studio_in_the_current_folder_is_not_the_studio(program, folder):
    Path("studio").mkdir()
    Path("studio/__init__.py").write_text("raise AssertionError('this is not the studio')")
    studio.studio_source(folder.path)
    assert program.calls() == [""]


def test_the_program_beside_this_python_precedes_the_checkout_and_that_the_path(program, monkeypatch):
    own = str(Path(sys.executable).parent)
    monkeypatch.setattr(studio.shutil, "which", lambda name, path=None: f"{path}/{name}" if path == own else None)
    assert studio.find_studio().command == (f"{own}/mossbench-studio",)
    monkeypatch.setattr(studio.shutil, "which", lambda name, path=None: None if path else f"/usr/bin/{name}")
    assert studio.find_studio().command == (sys.executable, "-m", "studio")
    (program.folder / "__main__.py").unlink()
    assert studio.find_studio().command == ("/usr/bin/mossbench-studio",)


def test_the_environment_that_the_studio_made_is_used_once_it_is_whole(program, monkeypatch):
    own = program.folder / ".venv" / "bin"
    own.mkdir(parents=True)
    monkeypatch.setattr(studio.os, "name", "posix")
    monkeypatch.setattr(studio.shutil, "which", lambda name, path=None: f"{path}/{name}" if path == str(own) else None)
    assert studio.find_studio().command[0] == sys.executable
    (own.parent / "installed").touch()
    assert studio.find_studio().command[0] == str(own / "python")
