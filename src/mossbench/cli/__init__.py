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
from mossbench.cli.commands import HELP, Group
from mossbench.cli.printing import note
from mossbench.errors import MossbenchError, RunWarning, short_message
from mossbench.messages import on_command_line
from mossbench.plumbing.reading import path_fault
from mossbench.start import heed_ctrl_c, nothing_left_to_stop

_LISTED = (
    "run try:asking transcript:asking data models judge runs results compare:results gate:results submit:sharing "
    "leaderboard published report:results bundle:sharing paper:sharing push:sharing analyse build serve site:serve "
    "cite:sharing"
)
COMMANDS = {
    name: f"mossbench.cli.{module or name}" for name, _, module in (one.partition(":") for one in _LISTED.split())
}
"""Command -> the module that defines it, which has its name or that of its noun."""


class Commands(Group):
    """A group that imports a command when it is asked for, and turns our errors into one message."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(COMMANDS[name]), "try_" if name == "try" else name)
        command.help = HELP[name]
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
            for message in error.notes:
                note(on_command_line(message))
            ctx.exit(error.exit_code)
        except (OSError, RuntimeError) as error:  # a path that the system does not take; all else keeps its traceback
            if isinstance(error, BrokenPipeError) or (text := path_fault(error)) is None:
                raise
            note(f"mossbench: {text}; name another")
            ctx.exit(1)


def say_usage(error: click.UsageError) -> None:
    """What is wrong with a command line, said as every other fault is."""
    where = error.ctx.command_path if error.ctx else "mossbench"
    message = short_message(error.format_message().rstrip("."))
    note(f"mossbench: {message}; see: {where} --help")


@click.group(
    cls=Commands,
    help=HELP["cli"],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="mossbench")
def cli() -> None: ...


LONGEST_COMMAND = 400
"""Characters of a command that is repeated in a message; a longer one is somewhere above in the terminal."""


def stopped_message() -> str:
    """What is said where Ctrl-C stopped a command that has nothing of its own to say about what is kept."""
    command = shlex.join(["mossbench", *sys.argv[1:]])
    if len(command) > LONGEST_COMMAND or "token" in command.lower():
        return "stopped; run the same command again to go on"
    return f"stopped; run the same command again to go on: {command}"


def main() -> None:
    """The command line, once it is imported."""
    # Our matrices are small and rows run side by side: numpy's own threads would only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows no dash gets a question mark, not a traceback
    stopped_by: list[int] = []

    def stop(number: int, _frame: Any) -> None:
        """SIGTERM is told what is safe, as Ctrl-C is, also where a script has had Ctrl-C ignored."""
        stopped_by.append(number)
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.raise_signal(signal.SIGINT)

    signal.signal(signal.SIGTERM, stop)
    try:
        heed_ctrl_c()
        code = cli.main(prog_name="mossbench", standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        say_usage(error)
        code = error.exit_code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):  # click makes an Abort of Ctrl-C
        nothing_left_to_stop()
        note(stopped_message())
        code = 130
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        click.echo("mossbench: cannot print the result: no space left where stdout goes", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    nothing_left_to_stop()
    sys.exit(128 + stopped_by[0] if code == 130 and stopped_by else code)
