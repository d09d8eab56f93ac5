"""What blocks of the docs show is what the program takes: each command parses, each piece of Python compiles."""

import ast
import re
import shlex
from pathlib import Path

import click
import pytest

from mossbench.cli import cli

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page, *kinds):
    return [
        text for kind, text in re.findall(r"^ *```(\w*)\n(.*?)^ *```", page.read_text(), re.M | re.S) if kind in kinds
    ]


def commands(page):
    """The lines of its blocks that begin with mossbench; a synopsis with [brackets] is none."""
    lines = [line.strip() for block in blocks(page, "", "sh", "console", "bash") for line in block.splitlines()]
    for line in lines:
        found = re.match(r"(?:\$ )?(?:[A-Z_]+=\S+ |[A-Z_]+=\"[^\"]*\" )*(?:\.venv/bin/)?mossbench (.*)", line)
        if found and not re.search(r" \[|\|", found[1]):
            yield shlex.split(found[1], comments=True)


def parse(args):
    """Raises what the user would be told."""
    command, context = cli, click.Context(cli)
    while isinstance(command, click.Group) and args:
        _, command, args = command.resolve_command(context, args)
        context = click.Context(command, info_name=command.name)
    if not isinstance(command, click.Group) or not command.invoke_without_command:
        command.make_context(command.name, list(args))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_blocks_are_taken_by_the_command_line(page):
    wrong = []
    for args in commands(page):
        try:
            parse(args)
        except (click.ClickException, AssertionError) as error:
            wrong.append(f"mossbench {shlex.join(args)}: {getattr(error, 'message', error)}")
    assert wrong == []


def test_a_flag_that_does_not_exist_is_noticed():
    with pytest.raises(click.NoSuchOption):
        parse(["run", "--modell", "x"])
    assert sum(len(list(commands(page))) for page in PAGES) >= 50


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_in_blocks_compiles(page):
    for code in blocks(page, "python"):
        ast.parse("\n".join(line.removeprefix("   ") for line in code.splitlines()) if code.startswith("   ") else code)


@pytest.mark.parametrize("name", ["data.md", "judging.md"])
def test_python_in_blocks_runs(name):
    names = {}
    code = blocks(ROOT / "docs" / name, "python")
    assert code
    for block in code:
        exec(compile(block, name, "exec"), names)
