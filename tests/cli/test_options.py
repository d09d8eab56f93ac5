"""Every command, its help, its options and their defaults; completion."""

import math
import os
import re
import shlex
import subprocess
import sys
from typing import get_type_hints

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from every import every
from mossbench.annotation.reviews import DEFAULT_THRESHOLDS
from mossbench.cli import cli, types
from mossbench.cli import options as shared_options
from mossbench.cli.option_groups import engine_options, gather_trial_options, judge_options
from mossbench.cli.options import ConfigOption, Option, default_of, field_of_config
from mossbench.datasets.arms import ARMS
from mossbench.errors import UsageError
from mossbench.judges import JUDGES
from mossbench.outcomes import MAX_FAILED
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


@every(COMMANDS, name=" ".join)
def test_the_example_of_a_command_is_a_call_that_it_takes(path):
    (example,) = re.findall(r"Example: mossbench (.*)", COMMANDS[path].help)
    words = shlex.split(example)
    assert words[: len(path)] == list(path)
    parent = click.Context(cli, info_name="mossbench", **cli.context_settings)
    COMMANDS[path].make_context(path[-1], words[len(path) :], parent=parent)
    assert " ".join(f"Example: mossbench {example}".split()) in " ".join(help_of(path).split())


def options_of(command):
    return [param for param in command.params if isinstance(param, click.Option)]


def shown_default(option, command):
    """What the help of an option says after its words."""
    _, shown = option.get_help_record(click.Context(command))
    default = re.search(r"\[default: (.*?)\]", shown)
    return default[1] if default else ""


@every(COMMANDS, name=" ".join)
def test_every_option_shows_its_help_and_its_default(path):
    command = COMMANDS[path]
    for option in options_of(command):
        _, shown = option.get_help_record(click.Context(command))
        assert shown[0].isupper() or shown.split(":")[0].islower(), shown
        assert "UNSET" not in shown and "None" not in shown and "{" not in shown
        assert re.sub(r"  \[.*", "", shown).endswith("."), shown
        assert shown_default(option, command) == (option.default_text() if isinstance(option, Option) else "")


CONFIG_OPTIONS = {
    (option.name, " ".join(path)): option
    for path, command in COMMANDS.items()
    for option in options_of(command)
    if isinstance(option, ConfigOption)
}


@every(CONFIG_OPTIONS, name=" ".join)
def test_an_option_of_a_run_shows_the_words_and_the_default_of_its_field(key):
    option = CONFIG_OPTIONS[key]
    field = RunConfig.model_fields[option.name]
    _, shown = option.get_help_record(click.Context(COMMANDS[("run",)]))
    assert option.name == "data" or shown.startswith(f"{field.description}.")
    assert option.get_default(click.Context(COMMANDS[("run",)])) in (None, click.Option(["--x"]).default)
    if option.name == "batch_size":  # what the model decides
        return
    expected = field.default
    if expected in (None, (), {}) or expected is False:
        expected = ""
    assert option.default_text() == (f"{expected:g}" if isinstance(expected, float) else str(expected))


def test_no_shared_option_is_left_over():
    shared = [value for name, value in vars(shared_options).items() if name.endswith("_option")]
    declared = [make(lambda: None).__click_params__[0] for make in shared]
    used = {
        (option.opts[0], option.name, option.help_text() if isinstance(option, Option) else option.help)
        for command in COMMANDS.values()
        for option in options_of(command)
    }
    assert len(declared) > 30
    for option in declared:
        words = option.help_text() if isinstance(option, Option) else option.help
        assert (option.opts[0], option.name, words) in used


@every(CONFIG_OPTIONS, name=" ".join)
def test_the_command_line_takes_the_numbers_that_a_run_takes(key):
    option = CONFIG_OPTIONS[key]
    schema = RunConfig.model_json_schema()["properties"][option.name]
    schema = schema.get("anyOf", [schema])[0]
    least = schema.get("minimum", schema.get("exclusiveMinimum"))
    is_above = "exclusiveMinimum" in schema
    assert getattr(option.type, "above" if is_above else "minimum", -math.inf) == (
        -math.inf if least is None else least
    )


NUMBERS = {value: name for name, value in vars(types).items() if isinstance(value, types.Number)}


@every(COMMANDS, name=" ".join)
def test_every_number_on_the_command_line_says_in_words_what_it_takes(path):
    for option in options_of(COMMANDS[path]):
        assert not isinstance(option.type, (click.types.IntParamType, click.types.FloatParamType)), option.opts
        assert not isinstance(option.type, types.Number) or option.type in NUMBERS, option.opts


@pytest.mark.parametrize(
    ("number", "value", "expected"),
    [
        ("WHOLE_NUMBER", "4.5", "expected a whole number, got '4.5'"),
        ("FROM_0", "-1", "expected a whole number of at least 0, got '-1'"),
        ("FROM_1", "abc", "expected a whole number of at least 1, got 'abc'"),
        ("PORT", "65536", "expected a port from 0 to 65535, got '65536'"),
        ("NOT_NEGATIVE", "nan", "expected a number of at least 0, got 'nan'"),
        ("POSITIVE", "0", "expected a number above 0, got '0'"),
        ("POSITIVE", "inf", "expected a number above 0, got 'inf'"),
        ("SCORE", "5.1", "expected a number from 1 to 5, got '5.1'"),
        ("SHARE", "1.01", "expected a share from 0 to 1, such as 0.05, got '1.01'"),
        ("SHARE_ABOVE_0", "0", "expected a share above 0 and up to 1, such as 0.95, got '0'"),
    ],
)
def test_a_number_outside_its_limits_is_refused_with_what_was_expected(number, value, expected):
    with pytest.raises(click.BadParameter) as refused:
        getattr(types, number).convert(value, None, None)
    assert refused.value.message == expected


@pytest.mark.parametrize(
    ("number", "value", "expected"),
    [
        ("WHOLE_NUMBER", "-7", -7),
        ("FROM_1", "1", 1),
        ("FROM_1", "9" * 400, int("9" * 400)),
        ("PORT", "65535", 65535),
        ("NOT_NEGATIVE", "0", 0.0),
        ("POSITIVE", "0.001", 0.001),
        ("SHARE", "1", 1.0),
    ],
)
def test_a_number_at_its_limit_is_taken(number, value, expected):
    taken = getattr(types, number).convert(value, None, None)
    assert taken == expected
    assert isinstance(taken, type(expected))


@every(COMMANDS, name=" ".join)
def test_an_option_without_its_value_points_to_the_help_of_its_own_command(path):
    with_value = [option for option in options_of(COMMANDS[path]) if not option.is_flag]
    if not with_value:
        return
    flag = max(with_value[0].opts, key=len)
    done = CliRunner().invoke(cli, [*path, flag], prog_name="mossbench")
    assert done.exit_code == 2
    assert done.stderr == f"mossbench: Option '{flag}' requires an argument; see: mossbench {' '.join(path)} --help\n"


@pytest.mark.parametrize("path", [(), ("judge",), ("leaderboard",)], ids=" ".join)
def test_a_group_alone_prints_its_help_and_nothing_else(path):
    done = CliRunner().invoke(cli, list(path), prog_name="mossbench")
    assert done.exit_code == 2
    assert done.stderr == help_of(path)


def test_a_default_is_a_constant_of_the_library_or_that_of_a_keyword():
    assert default_of("outcomes:MAX_FAILED")() == MAX_FAILED
    assert default_of("outcomes:Rule.SYSTEM")() == "system"
    assert default_of("annotation.reviews:DEFAULT_THRESHOLDS.reviewers")() == DEFAULT_THRESHOLDS.reviewers
    assert default_of("judges.files:tune_cascade", "target")() == 0.99
    assert field_of_config("epochs").default == 1
    assert field_of_config("epochs").description == "Ask each sample N times"


def test_the_default_of_a_record_is_known_before_the_record_was_ever_made():
    code = "from mossbench.cli.options import default_of; print(default_of('runs.engines:EngineOptions', 'poll')())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "60.0\n"


def test_a_default_is_looked_up_only_when_help_is_shown_or_a_command_runs():
    looked_up = []

    def look_up():
        looked_up.append("now")
        return 0.5

    @click.command()
    @click.option("--share", cls=Option, default=look_up, type=float, help="Take this share.")
    @click.option("--pace", cls=Option, shown_default=look_up, type=float, help="Wait so long.")
    @click.option("--size", cls=Option, shown_default="as large as it is", help="Make it so large.")
    def command(share, pace, size):
        click.echo(f"{share} {pace} {size}")

    assert looked_up == []
    assert CliRunner().invoke(command, []).output == "0.5 None None\n"
    assert CliRunner().invoke(command, ["--share", "0.2", "--pace", "3"]).output == "0.2 3.0 None\n"
    shown = CliRunner().invoke(command, ["--help"]).output
    assert "Take this share.  [default: 0.5]" in shown and "Wait so long.  [default: 0.5]" in shown
    assert "Make it so large.  [default: as large as it is]" in shown


def test_options_that_belong_together_reach_a_command_as_one_record():
    @click.command()
    @judge_options
    @engine_options
    def command(judge, engine):
        click.echo(f"{judge.full_name()} {engine.name} {engine.poll:g}")

    done = CliRunner().invoke(command, ["--judge", "cascade", "--threshold", "0.7", "--engine", "batch", "--poll", "9"])
    assert done.output == "cascade?threshold=0.7 batch 9\n"
    done = CliRunner().invoke(command, ["--threshold", "0.7"])
    assert isinstance(done.exception, UsageError) and "--threshold need --judge rubric/… or cascade" in str(
        done.exception
    )


def test_a_command_is_told_only_the_options_of_a_run_that_were_given():
    @click.command()
    @shared_options.seed_option
    @shared_options.temperature_option
    @shared_options.side_option
    @gather_trial_options
    def command(trial_options, side):
        click.echo(f"{trial_options} {side}")

    assert CliRunner().invoke(command, []).output == "{} None\n"
    assert CliRunner().invoke(command, ["--seed", "0", "--side", "both"]).output == "{'seed': 0} both\n"


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
        (["run", "--judge"], "r", {"reader", "rules", "rubric"}),
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
