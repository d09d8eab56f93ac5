"""What fits into a terminal, and what goes where there is none."""

import json
import re

import pytest
from click.testing import CliRunner
from rich import box
from rich.cells import cell_len
from rich.table import Table
from test_options import COMMANDS

from mossbench.cli import cli, progress_bar
from mossbench.cli.printing import console, fitting
from mossbench.outcomes import Key, Kind, Verdict, outcome
from mossbench.runs.progress import Progress
from mossbench.runs.progress_line import bar_line, clock
from mossbench.samples import Side

LONG_NAME = "openrouter/some-vendor/claude-3-opus-with-a-very-long-name-20240229"


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_the_progress_line_keeps_the_time_left_and_fits(width):
    more = ("row 3 waits until 12:00:00 (rate limit)", "harmless refused 12%, harmful refused 99%", "3.1/s")
    for name in ("control/candid", LONG_NAME):
        line = bar_line(name, 17, 544, 3725.0, more, width)
        assert "17/544" in line and "1:02:05 left" in line and len(line) <= width, line
    assert "control/candid" in bar_line("control/candid", 17, 544, 3725.0, more, width)
    assert clock(59.6) == "1:00" and clock(3600) == "1:00:00"


def test_a_wide_terminal_has_the_whole_line():
    line = bar_line("control/candid", 272, 544, 9, ("", "harmless refused 12%", "3.1/s"), 120)
    assert line == "control/candid  272/544  0:09 left  harmless refused 12%  3.1/s  ━━━━━━━━┄┄┄┄┄┄┄┄"
    assert "left" not in bar_line("x", 544, 544, 0, (), 80)


def table(*rows):
    found = Table(box=box.SIMPLE_HEAD, pad_edge=False, title="Rates")
    found.add_column("", overflow="fold")
    for head in ("harmless: refused", "counted", "harmful: refused", "counted"):
        found.add_column(head, justify="right", no_wrap=True)
    for row in rows:
        found.add_row(*row)
    return found


def printed(renderable, width):
    here = console()
    here.width = width
    with here.capture() as capture:
        here.print(fitting(renderable, width))
    return capture.get()


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_a_table_fits_and_loses_no_cell(width):
    rows = [(LONG_NAME, "", "", "", ""), ("  all", "12.5 % [4–31]", "286/300", "99.0 % [96–100]", "244/244")]
    text = printed(table(*rows), width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "…" not in text
    for cell in (cell for row in rows for cell in row):
        assert "".join(cell.split()) in "".join(text.split()), cell
    for head in ("harmless: refused", "counted", "harmful: refused"):
        assert head in text


def test_a_table_that_fits_is_left_as_it_is():
    small = table(("all", "1", "2", "3", "4"))
    assert fitting(small, 80) is small and small.columns[1].width is None


@pytest.mark.parametrize("width", range(40, 130, 5))
def test_no_word_of_a_table_is_cut_where_it_is_tight(width):
    tight = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("Requests", "Asking again", "Description, beyond filler", "Goal, beyond description", "Refusals"):
        tight.add_column(head, justify="right")
    tight.add_row("Counterintuitive Interpretation", "+77.8 (51.6 to 92.0)", "−11.1 (−51.9 to 39.9)", "+5.6", "6")
    text = printed(tight, width)
    assert "…" not in text and max(map(cell_len, text.splitlines())) <= width
    for word in ("Counterintuitive", "Interpretation", "(−51.9", "Refusals", "description"):
        assert word in text


@pytest.mark.parametrize("env", [{"NO_COLOR": "1", "FORCE_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colour_leaves_no_codes(small, env):
    done = CliRunner(env={**env, "COLUMNS": "60"}).invoke(
        cli, ["run", "--model", "control/candid", "--data", str(small), "--no-report"], prog_name="mossbench"
    )
    assert done.exit_code == 0 and "\x1b" not in done.stdout + done.stderr


def test_without_a_terminal_there_is_a_line_every_ten_seconds(capsys, monkeypatch):
    now = 100.0
    monkeypatch.setattr(progress_bar.time, "monotonic", lambda: now)
    with progress_bar.progress_of("m") as update:
        for i in range(1, 41):
            now += 1
            update(Progress(i, 40, Key(Side.BENIGN, str(i)), outcome(None, Verdict(kind=Kind.REFUSED))))
    lines = capsys.readouterr().err.splitlines()
    assert [re.search(r"(\d+)/40 rows", line)[1] for line in lines] == ["10", "20", "30", "40"]
    assert "about 30 s left" in lines[0] and "left" not in lines[-1]


def test_a_resumed_run_says_that_its_rate_so_far_is_of_the_new_rows(capsys):
    with progress_bar.progress_of("m") as update:
        update(Progress(39, 40, Key(Side.BENIGN, "39"), outcome(None, Verdict(kind=Kind.REFUSED))))
        update(Progress(40, 40, Key(Side.BENIGN, "40"), outcome(None, Verdict(kind=Kind.REFUSED))))
    assert "40/40 rows" in (line := capsys.readouterr().err) and "of 2 new rows: harmless refused" in line


def test_every_command_that_prints_a_table_prints_json_too():
    without = {path for path, command in COMMANDS.items() if "as_json" not in {one.name for one in command.params}}
    one_line = {
        ("transcript", "template"), ("results", "export"), ("submit",), ("leaderboard", "add"), ("serve",), ("site",),
        ("runs", "rename"), ("runs", "archive"), ("runs", "restore"), ("runs", "delete"), ("cite",),
        ("build", "decide"), ("paper",), ("bundle", "make"), ("leaderboard", "init"), ("label",),
        ("traces", "draw"), ("traces", "serve"),
    }  # fmt: skip
    assert without <= one_line, f"a table and no --json: {sorted(without - one_line)}"


def test_json_is_one_document_and_notes_go_to_stderr(small):
    done = CliRunner().invoke(
        cli, ["run", "--model", "control/candid", "--data", str(small), "--json"], prog_name="mossbench"
    )
    assert done.exit_code == 0 and json.loads(done.stdout)[0]["model"] == "control/candid"
    assert "wrote" in done.stderr


def test_errors_have_one_style():
    for args in (["run", "--model", "nope"], ["results", "show", "nope"], ["runs", "show", "nope"], ["gate", "nope"]):
        done = CliRunner().invoke(cli, args, prog_name="mossbench")
        assert done.exit_code == 2 and re.match(r"mossbench: \S", done.stderr), done.stderr
        assert done.stdout == ""
    done = CliRunner().invoke(cli, ["run", "--nope"], prog_name="mossbench")
    assert done.exit_code == 2 and re.fullmatch(
        r"mossbench: No such option:? '?--nope'?.*; see: mossbench run --help\n", done.stderr
    )
    done = CliRunner().invoke(cli, ["runs", "show"], prog_name="mossbench")
    assert (done.exit_code, done.stderr) == (2, "mossbench: Missing argument 'RUN'; see: mossbench runs show --help\n")
