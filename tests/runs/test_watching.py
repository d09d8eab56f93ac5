"""The bar that a call from Python shows by itself."""

import io
import sys

import pytest

import mossbench as mb
from mossbench.outcomes import Key, Kind, Layer, Outcome
from mossbench.runs import watching
from mossbench.runs.progress import Progress
from mossbench.samples import Side


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(watching, "find_screen", lambda: screen)
    return screen


def test_a_run_in_a_terminal_shows_how_far_it_is_and_leaves_nothing(terminal, tmp_path):
    mb.run("control/candid", limit=3, side="benign", out=tmp_path / "run")
    lines = terminal.getvalue().split("\r")
    assert lines[1].startswith("control/candid  1/3")
    assert not lines[-1] and not lines[-2].strip()


def test_a_run_with_its_own_progress_or_none_shows_no_bar(terminal, tmp_path):
    events = []
    mb.run("control/candid", limit=1, out=tmp_path / "a", progress=events.append)
    mb.run("control/candid", limit=1, out=tmp_path / "b", progress=None)
    assert terminal.getvalue() == "" and len(events) == 2


def test_other_calls_that_take_long_show_it_too(terminal, tmp_path):
    mb.run("control/candid", limit=2, judge=None, out=tmp_path / "run", progress=None)
    mb.judge_run(tmp_path / "run", "keywords")
    assert "run  " in terminal.getvalue()
    terminal.truncate(0)
    mb.resume_run(str(tmp_path / "run"))
    mb.analyse("prompts", ["control/candid"], limit=1, out=tmp_path / "analysis")
    assert "1 models" in terminal.getvalue()


def test_a_script_whose_output_goes_to_a_file_shows_nothing(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert watching.find_screen() is None
    monkeypatch.setattr(sys, "stderr", None)
    assert watching.find_screen() is None
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert watching.find_screen() is terminal


def test_a_notebook_shows_it_where_its_output_goes(monkeypatch):
    class Shell:
        kernel = object()

    class IPython:
        get_ipython = staticmethod(Shell)

    monkeypatch.setitem(sys.modules, "IPython", IPython)
    assert watching.find_screen() is sys.stdout


def test_the_bar_is_drawn_now_and_then_with_the_time_that_is_left():
    screen = Terminal()
    seconds = iter([0.0, 0.1, 10.0, 20.0])
    bar = watching._Bar(screen, "control/candid", lambda: next(seconds))
    for done in range(1, 5):
        key = Key(Side.BENIGN, str(done))
        bar(Progress(done, 8, key, Outcome(Layer.JUDGED, Kind.ANSWERED)))
    lines = [line.strip() for line in screen.getvalue().split("\r")]
    assert [line.split("  ")[1] for line in lines[1:]] == ["1/8", "3/8", "4/8"]
    assert "0:25 left" in lines[2] and "0:27 left" in lines[3]


def test_arguments_that_do_not_fit_are_refused_as_without_a_bar(terminal):
    with pytest.raises(TypeError):
        mb.run()
    with pytest.raises(mb.UsageError):
        mb.run("control/candid", out=5)
