"""Docs that are true: every command, flag, judge and model is mentioned, and what they show runs."""

import re
import shlex
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from mossbench.cli import COMMANDS, cli
from mossbench.datasets import DATASETS
from mossbench.judges import JUDGES
from mossbench.models import PROVIDERS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
DOCS = README + "".join(path.read_text() for path in sorted((ROOT / "docs").glob("*.md")))


def commands():
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        if isinstance(command, click.Group):
            yield from ((f"{name} {sub}", command.commands[sub]) for sub in command.commands)
        else:
            yield name, command


@pytest.mark.parametrize(("name", "command"), list(commands()))
def test_every_command_is_documented_and_every_option_has_help(name, command):
    assert f"mossbench {name}" in DOCS
    assert command.help
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.get_help_record(click.Context(command))[1], f"{name} {option.opts[0]} has no help"


def test_every_flag_of_run_is_documented():
    run = cli.get_command(click.Context(cli), "run")
    missing = [option.opts[0] for option in run.params if f"{option.opts[0]}" not in DOCS]
    assert missing == []


@pytest.mark.parametrize("name", [*JUDGES, *DATASETS, *(f"{provider}/" for provider in PROVIDERS)])
def test_every_judge_dataset_and_provider_is_documented(name):
    assert f"`{name}" in DOCS or f" {name}" in DOCS


def test_links_between_pages_lead_somewhere():
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_what_python_examples_import_is_there():
    examples = "".join(re.findall(r"```python\n(.*?)```", DOCS, re.S))
    imports = re.findall(r"^from (mossbench[\w.]*) import (.+)$", examples, re.M)
    missing = [
        f"{module}.{name}"
        for module, names in imports
        for name in names.split(", ")
        if not hasattr(import_module(module), name)
    ]
    assert len(imports) >= 5 and missing == []


def test_the_commands_of_the_readme_run():
    shown = [line for block in re.findall(r"```(?:sh|console)\n(.*?)```", README, re.S) for line in block.splitlines()]
    ours = [shlex.split(line, comments=True)[1:] for line in shown if line.startswith("mossbench ") and "…" not in line]
    assert len(ours) >= 4
    for args in ours:
        args = [arg.replace("examples/", f"{ROOT}/examples/") for arg in args]
        done = CliRunner().invoke(cli, args)
        assert done.exit_code == 0, (args, done.output)


def test_figures_on_labels_of_language_models_are_not_cited_as_people_s():
    cited = r"(?:read|labelled|rated|seen) by (?:two |some |other )?(?:people|persons|humans|strangers|annotators)"
    assert re.findall(rf"{cited}|\bstrangers\b|careful reader|newcomers?\b", DOCS, re.I) == []
    judges, sketches = ((ROOT / "docs" / name).read_text() for name in ("judges.md", "sketches.md"))
    for figures in (judges.partition("## How good they are")[2], sketches.partition("**Recognised.**")[2]):
        assert "language models" in figures.lower().partition("\n## ")[0]
