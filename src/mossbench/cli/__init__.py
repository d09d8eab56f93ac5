"""The command line: one file per noun; a command is parse, call, print.

Modules here import nothing heavy at the top: `mossbench --help` must answer at once.
"""

import errno
import io
import os
import shlex
import signal
import sys
import warnings
from importlib import import_module
from typing import Any

import click

from mossbench import __version__
from mossbench.cli.commands import Group
from mossbench.cli.printing import note
from mossbench.errors import MossbenchError, RunWarning, short_message
from mossbench.messages import on_command_line
from mossbench.plumbing.interrupts import heed_ctrl_c, nothing_left_to_stop
from mossbench.plumbing.untrusted_files import path_fault

COMMANDS = {
    "run": "mossbench.cli.run:run",
    "try": "mossbench.cli.trying:try_",
    "transcript": "mossbench.cli.trying:transcript",
    "data": "mossbench.cli.data:data",
    "models": "mossbench.cli.models:models",
    "judge": "mossbench.cli.judge:judge",
    "label": "mossbench.cli.label:label",
    "traces": "mossbench.cli.traces:traces",
    "runs": "mossbench.cli.runs:runs",
    "results": "mossbench.cli.results:results",
    "compare": "mossbench.cli.results:compare",
    "gate": "mossbench.cli.gate:gate",
    "submit": "mossbench.cli.sharing:submit",
    "leaderboard": "mossbench.cli.leaderboard:leaderboard",
    "published": "mossbench.cli.published:published",
    "report": "mossbench.cli.results:report",
    "card": "mossbench.cli.cards:card",
    "plan": "mossbench.cli.cards:plan",
    "bundle": "mossbench.cli.sharing:bundle",
    "paper": "mossbench.cli.sharing:paper",
    "push": "mossbench.cli.sharing:push",
    "analyse": "mossbench.cli.analyse:analyse",
    "build": "mossbench.cli.build:build",
    "serve": "mossbench.cli.serve:serve",
    "site": "mossbench.cli.serve:site",
    "cite": "mossbench.cli.sharing:cite",
}
"""Where each command is defined, in the order in which help lists them."""


class Commands(Group):
    """A group that imports a command when it is asked for, and turns our errors into one message."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, _, function = COMMANDS[name].partition(":")
        command: click.Command = getattr(import_module(module), function)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with warnings.catch_warnings():  # commands say themselves what failed
                warnings.simplefilter("ignore", RunWarning)
                return super().invoke(ctx)
        except click.UsageError as error:
            say_usage(error)
            ctx.exit(error.exit_code)
        except MossbenchError as error:
            note(f"mossbench: {on_command_line(error.message)}")
            for further_message in error.notes:
                note(on_command_line(further_message))
            ctx.exit(error.exit_code)
        except (OSError, RuntimeError) as error:  # a path that the system does not take; all else keeps its traceback
            message = path_fault(error)
            if isinstance(error, BrokenPipeError) or message is None:
                raise
            note(f"mossbench: {message}; choose another path")
            ctx.exit(1)


def say_usage(error: click.UsageError) -> None:
    """What is wrong with a command line, said as every other fault is."""
    command = error.ctx.command_path if error.ctx else "mossbench"
    message = short_message(error.format_message().rstrip("."))
    note(f"mossbench: {message}; see: {command} --help")


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="mossbench")
def cli() -> None:
    """Measure how often a multimodal model refuses harmless image+text requests.

    Start with `mossbench run`: it needs no key and no network.
    """


LONGEST_COMMAND = 400
"""Characters of a command that is repeated in a message; a longer one is somewhere above in the terminal."""


def stopped_message() -> str:
    """What is said where Ctrl-C stopped a command that has nothing of its own to say about what is kept."""
    command = shlex.join(["mossbench", *sys.argv[1:]])
    if len(command) > LONGEST_COMMAND or "token" in command.lower():
        return "stopped; run the same command again to resume"
    return f"stopped; run the same command again to resume: {command}"


def main() -> None:
    """The command line, once it is imported."""
    # Our matrices are small and rows run side by side: numpy's own threads would only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows no dash gets a question mark, not a traceback
    stop_signals = _stop_on_sigterm_as_on_ctrl_c()
    exit_code = _run_command_line()
    nothing_left_to_stop()
    if exit_code == STOPPED and stop_signals:
        exit_code = 128 + stop_signals[0]
    sys.exit(exit_code)


STOPPED = 130
"""The exit code after Ctrl-C."""


def _stop_on_sigterm_as_on_ctrl_c() -> list[int]:
    """Has SIGTERM told what is safe, as Ctrl-C is; the list is of the signals that came."""
    stop_signals: list[int] = []

    def stop(number: int, _frame: Any) -> None:
        stop_signals.append(number)
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a script's background jobs
            signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.raise_signal(signal.SIGINT)

    signal.signal(signal.SIGTERM, stop)
    return stop_signals


def _run_command_line() -> int | None:
    """Runs the command that was typed; its exit code."""
    try:
        heed_ctrl_c()
        exit_code: int | None = cli.main(prog_name="mossbench", standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        say_usage(error)
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):  # click makes an Abort of Ctrl-C
        nothing_left_to_stop()
        note(stopped_message())
        return STOPPED
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        _drop_stdout()
        return 0
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        click.echo("mossbench: cannot write the output: no space left on the device of stdout", err=True)
        _drop_stdout()
        return 1
    return exit_code


def _drop_stdout() -> None:
    """Nothing more can be printed: what is left in the buffer must not fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
