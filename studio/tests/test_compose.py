"""Scenes of one's own: what the program writes, what it says when they fail, and `mossbench build image` calling it."""

import json
import subprocess
import sys
from io import BytesIO

import pytest
from click.testing import CliRunner
from PIL import Image

import mossbench
from mossbench.building import studio as caller
from mossbench.building.folder import BuildFolder
from mossbench.building.imaging import make_images, recipes
from mossbench.cli import cli
from studio.__main__ import main

PLAYROOM = """
from studio.drawing.scenes.risks import playroom_vase

def er_1(variant):
    sketch = playroom_vase()
    return {"": sketch.scene, "counterfactual": sketch.scene.swap(sketch.harmless)}.get(variant)
"""


def composed(scenes, out, *candidates):
    """composed.json of these candidates."""
    if not scenes.exists():
        scenes.write_text(PLAYROOM)
    assert main(["compose", str(scenes), str(out), *candidates]) == 0
    return json.loads((out / "composed.json").read_text())


def test_images_are_drawn_with_what_is_known_of_them(tmp_path):
    content = composed(tmp_path / "scenes.py", tmp_path / "out", "er-1")
    assert [(image["candidate"], image["variant"]) for image in content["images"]] == [
        ("er-1", ""),
        ("er-1", "counterfactual"),
    ]
    assert {image["scene"] for image in content["images"]} == {"playroom"}
    assert all(image["people"] for image in content["images"]) and content["failed"] == []
    drawn = [(tmp_path / "out" / image["file"]).read_bytes() for image in content["images"]]
    assert drawn[0] != drawn[1] and Image.open(BytesIO(drawn[0])).size == (1024, 683)


def test_only_the_variants_that_are_asked_for_are_drawn(tmp_path):
    scenes = tmp_path / "scenes.py"
    scenes.write_text(PLAYROOM + "def er_2(variant):\n    raise ValueError(f'asked for {variant!r}')\n")
    content = composed(scenes, tmp_path / "out", "er-1", "er-2", "--variant=", "--variant=contrast")
    assert [image["variant"] for image in content["images"]] == [""]
    assert [one["error"][-12:] for one in content["failed"]] == ["asked for ''", "r 'contrast'"]


def test_without_a_candidate_it_only_says_what_the_scenes_define(tmp_path):
    content = composed(tmp_path / "scenes.py", tmp_path / "out")
    assert content == {"names": ["er_1", "playroom_vase"], "images": [], "failed": []}


def test_a_function_that_raises_or_gives_no_scene_costs_its_own_image(tmp_path):
    scenes = tmp_path / "scenes.py"
    scenes.write_text(PLAYROOM + "def er_2(variant):\n    return {}[variant]\n\ndef er_3(variant):\n    return 'sun'\n")
    content = composed(scenes, tmp_path / "out", "er-1", "er-2", "er-3")
    assert {image["candidate"] for image in content["images"]} == {"er-1"}
    errors = {(one["candidate"], one["variant"]): one["error"] for one in content["failed"]}
    assert len(errors) == 6
    assert errors["er-2", "contrast"] == "scenes.py, line 8: KeyError: 'contrast'"
    assert "it gives a str; expected a studio.drawing.scene.Scene" in errors["er-3", ""]


@pytest.mark.parametrize(
    ("scenes", "said"),
    [
        ("x = 1\ny = z\n", "scenes.py, line 2: NameError: name 'z' is not defined; correct "),
        ("def er_1(:\n", "SyntaxError"),
        ("exit(0)\n", "scenes.py, line 1: SystemExit: 0; correct "),
        ("x = 1\n", "has no function er_1(variant) for the candidate 'er-1'; write one"),
        (None, "no file "),
    ],
)
def test_scenes_that_cannot_be_run_are_an_error_in_one_line(tmp_path, capsys, scenes, said):
    if scenes is not None:
        (tmp_path / "scenes.py").write_text(scenes)
    assert main(["compose", str(tmp_path / "scenes.py"), str(tmp_path / "out"), "er-1"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 and lines[0].startswith("error: ") and said in lines[0]
    assert not (tmp_path / "out" / "composed.json").exists()


@pytest.mark.parametrize(("arguments", "said"), [([], "the command is nothing"), (["paint"], "the command is 'paint'")])
def test_an_unknown_command_names_those_there_are(arguments, said, capsys):
    assert main(arguments) == 2
    assert f"{said}; expected one of sketches, compose" in capsys.readouterr().err


def test_what_drawing_needs_is_asked_for_before_anything_is_run(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    (tmp_path / "scenes.py").write_text("raise SystemExit('it was run')")
    assert main(["compose", str(tmp_path / "scenes.py"), str(tmp_path / "out")]) == 2
    assert "drawing needs packages that are not installed in " in capsys.readouterr().err


@pytest.fixture
def build(tmp_path):
    """A set of one's own with three candidates, and a scene for the first."""
    folder = tmp_path / "set"
    mossbench.propose(folder, n=3)
    first = next(iter(BuildFolder(folder).candidates()))
    (folder / "scenes.py").write_text(PLAYROOM.replace("er_1", first.replace("-", "_")))
    return BuildFolder(folder), first


def test_the_program_is_installed_and_called_by_build_image(build):
    folder, first = build
    assert caller.find_studio().command[0].endswith("mossbench-studio")
    done = CliRunner().invoke(cli, ["build", "image", str(folder.path), "--from", "studio", "--json"])
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert said["made"] == [first] and len(said["without"]) == 2 and said["failed"] == {}
    recipe = recipes(folder)[first, ""]
    assert (recipe.source, recipe.origin, recipe.people) == ("studio", "playroom", True)
    assert folder.image_path(first, "counterfactual").is_file()


def test_a_checkout_needs_no_program_on_the_path(build, monkeypatch):
    folder, first = build
    monkeypatch.setattr(caller.shutil, "which", lambda name, path=None: None)
    assert caller.find_studio().command == (sys.executable, "-m", "studio")
    assert make_images(folder, caller.studio_source(folder.path)).made == (first,)


def test_a_scene_that_fails_is_named_and_the_others_are_drawn(build):
    folder, first = build
    second = [id for id in folder.candidates() if id != first][0]
    scenes = folder.path / "scenes.py"
    scenes.write_text(scenes.read_text() + f"\ndef {second.replace('-', '_')}(variant):\n    return 1 / 0\n")
    done = make_images(folder, caller.studio_source(folder.path))
    assert done.made == (first,) and set(done.failed) == {second}
    assert done.failed[second] == "scenes.py, line 9: ZeroDivisionError: division by zero"


def test_the_program_helps_whoever_calls_it():
    for arguments in (["--help"], ["compose", "--help"]):
        done = subprocess.run([sys.executable, "-m", "studio", *arguments], capture_output=True, text=True, check=True)
        assert "compose SCENES.py OUT [ID ...]" in done.stdout
