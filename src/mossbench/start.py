"""Where the command `mossbench` begins: nothing slow is imported here.

The command line takes a tenth of a second or more to import. Until then Ctrl-C has nothing to interrupt, so it prints
one line and no traceback.
"""

from mossbench.plumbing.interrupts import stop_at_once_on_ctrl_c


def main() -> None:
    """The console script, and `python -m mossbench`."""
    stop_at_once_on_ctrl_c()
    from mossbench.cli import main as command_line

    command_line()
