"""Every command, its help, its options and their defaults; completion."""

import os
import re
import subprocess
import sys
from typing import get_type_hints

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from mossbench.cli import cli
from mossbench.cli.options import OPTIONS, RUN, Option, option_type
from mossbench.datasets.arms import ARMS
from mossbench.judges import JUDGES
from mossbench.store.config import ResumeOptions, RunConfig, RunOptions, TrialOptions


def tree(group=cli, path=()):
    yield path, group
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from tree(command, (*path, name))
        else:
            yield (*path, name), command


ALL = dict(tree())
COMMANDS = {path: c for path, c in ALL.items() if not isinstance(c, click.Group) or c.invoke_without_command}
GROUPS = {path: command for path, command in ALL.items() if isinstance(command, click.Group)}


def help_of(path, columns=80):
    done = CliRunner(env={"COLUMNS": str(columns)}).invoke(cli, [*path, "--help"], prog_name="mossbench")
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("path", GROUPS, ids=" ".join)
def test_a_list_of_commands_says_each_in_one_uncut_sentence_of_80_columns(path):
    _, _, listed = help_of(path).partition("Commands:\n")
    lines = listed.splitlines()
    assert len(lines) == len(GROUPS[path].list_commands(click.Context(GROUPS[path])))
    for line in lines:
        assert line.endswith(".") and not line.endswith("...") and len(line) <= 80, line


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_the_example_of_a_command_is_a_call_that_it_takes(path):
    (example,) = re.findall(r"Example: mossbench (.*)", COMMANDS[path].help)
    words = example.split()
    assert words[: len(path)] == list(path)
    COMMANDS[path].make_context(path[-1], words[len(path) :])
    assert " ".join(f"Example: mossbench {example}".split()) in " ".join(help_of(path).split())


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_option_is_in_the_table_and_shows_its_help_and_its_default(path):
    command = COMMANDS[path]
    for option in command.params:
        if isinstance(option, click.Argument):
            continue
        assert isinstance(option, Option), option.name
        name = option.opts[0][2:].replace("-", "_")
        row = next(
            row
            for key, row in OPTIONS.items()
            if key.rpartition(".")[2] == name and row.get("help", "") == option.words
        )
        _, shown = option.get_help_record(click.Context(command))
        assert shown[0].isupper() or shown.split(":")[0].islower(), shown
        assert "UNSET" not in shown and "None" not in shown
        default = re.search(r"\[default: (.*?)\]", shown)
        assert (default[1] if default else "") == option.default_shown()
        if row.get("source") == RUN and not row.get("shown"):
            field = RunConfig.model_fields[row.get("dest", name)]
            assert row.get("help") or shown.startswith(field.description)
            expected = field.default
            expected = (
                ""
                if expected in (None, (), {}) or expected is False
                else f"{expected:g}"
                if isinstance(expected, float)
                else str(expected)
            )
            assert option.default_shown() == expected


def test_no_row_of_the_table_is_left_over():
    used = {
        (option.opts[0], option.words)
        for command in COMMANDS.values()
        for option in command.params
        if isinstance(option, Option)
    }
    assert used == {
        (f"--{key.rpartition('.')[2].replace('_', '-')}", row.get("help", "")) for key, row in OPTIONS.items()
    }


@pytest.mark.parametrize("name", [key for key, row in OPTIONS.items() if row.get("source") == RUN])
def test_the_command_line_takes_the_numbers_that_a_run_takes(name):
    schema = RunConfig.model_json_schema()["properties"][OPTIONS[name].get("dest", name)]
    schema = schema.get("anyOf", [schema])[0]
    kind = option_type(*(OPTIONS[name].get(part, "") for part in ("type", "names", "too")))
    least = schema.get("minimum", schema.get("exclusiveMinimum"))
    assert getattr(kind, "min", None) == least
    assert getattr(kind, "min_open", False) is ("exclusiveMinimum" in schema)


def test_typed_keywords_are_the_fields_of_a_run():
    fields = get_type_hints(RunConfig)
    for keywords in (TrialOptions, RunOptions, ResumeOptions):
        assert {name: fields[name] for name in get_type_hints(keywords)} == get_type_hints(keywords)
    assert set(fields) - set(get_type_hints(ResumeOptions)) == {"judge"}


def test_run_and_try_take_every_arm_and_analyse_names_the_analyses():
    for command in ("run", "try"):
        assert "|".join(ARMS) in help_of((command,), 120)
    assert "counterfactuals, stages, distortions" in " ".join(help_of(("analyse",)).split())
    assert f"{', '.join(JUDGES)} or file.py:function" in " ".join(help_of(("judge", "apply")).split())


@pytest.mark.parametrize(
    ("args", "incomplete", "expected"),
    [
        ([], "le", {"leaderboard"}),
        (["judge"], "va", {"validate"}),
        (["run"], "--max-t", {"--max-tokens"}),
        (["run", "--model"], "control/cand", {"control/candid"}),
        (["run", "--model"], "opena", {"openai/"}),
        (["run", "--model"], "llava-1.5-7", {"llava-1.5-7b"}),
        (["run", "--data"], "sk", {"sketches"}),
        (["run", "--judge"], "r", {"rules", "rubric"}),
        (["try", "--arm"], "c", {"counterfactual", "caption"}),
        (["analyse"], "c", {"causes", "counterfactuals", "consistency"}),
        (["data", "describe"], "off", {"official"}),
        (["run", "--data"], "my/fol", {"my/fol"}),
    ],
)
def test_the_shell_completes_commands_options_and_names(args, incomplete, expected):
    found = ShellComplete(cli, {}, "mossbench", "_MOSSBENCH_COMPLETE").get_completions(args, incomplete)
    assert {item.value for item in found} == expected


@pytest.mark.slow
def test_help_of_a_command_does_not_import_what_only_a_run_needs():
    code = (
        "import sys; from click.testing import CliRunner; from mossbench.cli import cli; "
        "print(CliRunner().invoke(cli, ['run', '--help']).exit_code); "
        "heavy = {'pandas', 'numpy', 'rich', 'vl_convert', 'huggingface_hub', 'openai', 'httpx'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert done.stdout.split("\n")[:2] == ["0", "[]"]
