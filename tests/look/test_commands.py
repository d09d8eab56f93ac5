import inspect

import click
import pytest

import mossbench
from mossbench.cli import cli
from mossbench.look.commands import CALLS, OPTIONS, as_commands


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("raise `max_tokens`", "raise --max-tokens"),
        ("`base_url` 'x' is not a URL", "--base-url 'x' is not a URL"),
        ("add `side='benign'` or `side='contrast'`", "add --side benign or --side contrast"),
        ("add `overwrite=True` to replace it", "add --overwrite to replace it"),
        ("give `models` twice", "give --model twice"),
        ("try `resume_run('runs/x')`", "try mossbench run --resume runs/x"),
        ("`resume_run('my runs/x')`", "mossbench run --resume 'my runs/x'"),
        ("`judge_run('r', 'rules')`", "mossbench judge apply r --judge rules"),
        ("`judge_run('r')`", "mossbench judge apply r"),
        ("`add_submission(FILE, BOARD)`", "mossbench leaderboard add FILE --board BOARD"),
        ("`analyse(…, resume='runs/x')`", "mossbench analyse … --resume runs/x"),
        ("`analyse(['causes', 'stages'], 'control/x')`", "mossbench analyse causes stages --model control/x"),
        ("`compare('a', 'b', rule='model')`", "mossbench compare a b --rule model"),
        ("`load_results('r', arms='all')`", "mossbench results show r --by arm"),
        ("`load_dataset('path/to/copy')`", "--data path/to/copy"),
        ("`fetch_dataset('official')` goes on", "mossbench data fetch official goes on"),
        ("`run(…, epochs=5)`", "mossbench run … --epochs 5"),
        ("`DATASETS` has all names", "mossbench data list has all names"),
        ("no `response` in row 2", "no `response` in row 2"),
        ("a `side` column", "a `side` column"),
        ("`os.remove('x')` and `1 +` and `unknown(3)`", "`os.remove('x')` and `1 +` and `unknown(3)`"),
        ("nothing to say", "nothing to say"),
        ("an open ` backtick", "an open ` backtick"),
    ],
)
def test_options_and_calls_become_flags_and_commands(message, shown):
    assert as_commands(message) == shown


def commands(group=cli, path=()):
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        if not isinstance(command, click.Group) or command.invoke_without_command:
            yield (*path, name), command


def test_every_flag_of_the_command_line_has_a_python_name():
    flags = {
        option
        for _, command in commands()
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for option in parameter.opts
    }
    assert {f"--{name.replace('_', '-')}" for name in OPTIONS} == flags - {"--json"}


def test_every_call_is_a_public_function_and_a_command_that_takes_its_flags():
    known = {" ".join(("mossbench", *path)): command for path, command in commands()}
    for name, (command, *flags) in CALLS.items():
        assert inspect.isfunction(getattr(mossbench, name)), name
        if command:
            opts = {opt for parameter in known[command.removesuffix(" --dry-run")].params for opt in parameter.opts}
            assert set(flags) - {""} <= opts, name
