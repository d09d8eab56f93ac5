"""What a notebook shows for what functions return: a small table, without pandas and without scripts."""

import builtins

import pytest

import mossbench as mb
from mossbench.plumbing.frames import html_table, text_table


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    names = {"a": "control/candid", "b": "control/stonewall"}
    return [mb.run(model, limit=4, out=folder / name) for name, model in names.items()]


@pytest.fixture
def without_pandas(monkeypatch):
    def refuse(name, *arguments, **keywords):
        if name.partition(".")[0] == "pandas":
            raise ImportError(name)
        return real_import(name, *arguments, **keywords)

    real_import = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", refuse)


def test_rates_show_themselves_as_a_small_table(runs):
    first, second = runs
    lines = repr(second.rates(by=None)).splitlines()
    assert lines[0].split() == ["requests", "group", "refused", "counted", "corrected"]
    assert lines[1].startswith("harmless  all    100.0 % [") and "4 of 4" in lines[1]
    shown = second.rates()._repr_html_()
    assert shown.startswith("<p>Share refused, with 95 % intervals</p><table>") and "100.0 % [" in shown
    assert first.rates() == tuple(first.rates())


def test_rates_are_a_data_frame_with_all_that_is_known(runs):
    frame = runs[0].rates().df()
    assert list(frame["side"].unique()) == ["benign", "contrast"] and {"low", "high", "judge_range"} <= {*frame}


def test_what_functions_return_shows_a_table_without_pandas(runs, without_pandas):
    first, second = runs
    shown = [
        first,
        first.rates(),
        mb.make_report(first),
        mb.compare(first, second),
        mb.gate(first, max_refusal=0.5, as_read=True),
        mb.make_boards([first, second])[0],
        mb.describe_dataset("sketches"),
        mb.forecast_run("control/candid", limit=2),
        mb.list_runs(first.folder.parent),
        mb.over_sets(first, second),
        mb.judge_answers([{"response": "Sure, take the knife."}], "keywords"),
    ]
    for record in shown:
        html = record._repr_html_()
        assert "<table>" in html and "<script" not in html, record


def test_lists_of_runs_and_sets_go_on_into_pandas(runs):
    pytest.importorskip("pandas")
    first, second = runs
    frame = mb.list_runs(first.folder.parent).df()
    assert sorted(frame["name"]) == ["a", "b"] and "contrast_value" in frame
    sets = mb.over_sets(first, second).df()
    assert list(sets["harmless"]) == [0, 1] and list(sets["harmless_high"])[1] == 1


def test_texts_of_users_are_escaped_and_missing_values_are_dashes():
    html = html_table("<b>", [{"<i>": "a & b", "n": None}, {"n": float("nan"), "x": 0.12345}])
    assert html == (
        "<p>&lt;b&gt;</p><table><thead><tr><th>&lt;i&gt;</th><th>n</th><th>x</th></tr></thead><tbody>"
        "<tr><td>a &amp; b</td><td>–</td><td>–</td></tr><tr><td>–</td><td>–</td><td>0.123</td></tr></tbody></table>"
    )
    assert text_table([{"a": 1, "bb": "x"}]) == "a  bb\n1  x"
    assert (html_table("", []), text_table([])) == ("", "")
