"""Where the command `mossbench` begins: nothing is imported here that takes time.

The command line takes a tenth of a second and more to import. Whoever presses Ctrl-C by then has stopped nothing that
was begun, so one line says it and no traceback does.
"""

from mossbench.plumbing.interrupts import stop_at_once_on_ctrl_c


def main() -> None:
    """The console script, and `python -m mossbench`."""
    stop_at_once_on_ctrl_c()
    from mossbench.cli import main as command_line

    command_line()
