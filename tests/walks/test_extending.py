"""docs/extending.md, done as it says: its files, its commands as processes of their own, the lines that it quotes.

`pip install` would ask the network for setuptools: what it would put beside other packages is put on PYTHONPATH.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "extending.md").read_text()
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S))
WALKS = ["A provider", "A judge", "A dataset", "A peer's set"]
BLOCK = re.compile(r"(?:^`([\w./-]+)`:\n\n)?^```(\w*)\n(.*?)^```", re.M | re.S)


def words(text):
    return " ".join(text.split())


class Reader:
    """Somebody who does what a section says, in an empty folder."""

    def __init__(self, folder):
        self.folder = folder
        self.site = folder / "site"
        self.site.mkdir()
        self.printed = ""

    def run(self, line):
        program, *args = shlex.split(line)
        if program == "pip":
            assert args[0] == "install"
            self.install(self.folder / args[1])
            return
        if program == "mossbench":
            program = f"{shlex.quote(sys.executable)} -m mossbench"
            line = f"{program} {shlex.join(args)}"
        paths = os.pathsep.join([str(ROOT / "src"), str(self.site)])
        environment = {**os.environ, "PYTHONPATH": paths, "COLUMNS": "200"}
        done = subprocess.run(
            shlex.split(line), cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        self.printed += f"{done.stdout}\n{done.stderr}\n"

    def install(self, package):
        """What pip makes of a package: its modules and, beside them, its metadata."""
        content = tomllib.loads((package / "pyproject.toml").read_text())
        project = content["project"]
        for module in content["tool"]["setuptools"].get("py-modules", ()):
            shutil.copy(package / f"{module}.py", self.site)
        for name in content["tool"]["setuptools"].get("packages", ()):
            shutil.copytree(package / name, self.site / name)
        metadata = self.site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        metadata.mkdir()
        lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}"]
        (metadata / "METADATA").write_text("\n".join(lines) + "\n")
        text = ""
        for group, points in project["entry-points"].items():
            text += f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in points.items())
        (metadata / "entry_points.txt").write_text(text)


@pytest.mark.slow
@pytest.mark.parametrize("walk", WALKS)
def test_each_walk_of_extending_reaches_its_end(walk, tmp_path):
    reader = Reader(tmp_path)
    n_commands = 0
    for file, kind, text in BLOCK.findall(SECTIONS[walk]):
        if file:
            path = tmp_path / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        elif kind == "sh":
            for line in text.splitlines():
                reader.run(line)
                n_commands += 1
        else:
            printed = words(reader.printed)
            assert [line for line in text.splitlines() if words(line) not in printed] == [], reader.printed
    assert n_commands >= 5


def test_the_page_has_the_four_walks_and_their_packages():
    assert [title for title in SECTIONS if title in WALKS] == WALKS
    for walk in WALKS:
        files = [file for file, _, _ in BLOCK.findall(SECTIONS[walk]) if file.endswith("pyproject.toml")]
        assert len(files) == 1 and f"pip install ./{Path(files[0]).parent}" in SECTIONS[walk], walk
