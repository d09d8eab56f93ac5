"""Results in the published layout: a wrong side, format, suffix or style is an error, and nothing is written."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import mossbench as mb
import tables
from answered import answered, samples
from mossbench.cli import cli
from mossbench.errors import MossbenchError


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A run `r`, and its file `published.json`."""
    folder = tmp_path_factory.mktemp("made")
    answered(samples(folder / "data", 6), folder / "r")
    mb.write_results(mb.load_results(folder / "r"), folder / "published.json", format="published", side="benign")
    return folder


@pytest.mark.parametrize(
    ("out", "options", "message"),
    [
        ("o.json", {"format": "xml"}, "no format named 'xml'; .*expected published, csv"),
        ("o.json", {"format": "published", "side": "harmless"}, "no side named 'harmless'"),
        (
            "o.json",
            {"format": "published", "side": "benign", "style": "short"},
            "no style named 'short'; expected names",
        ),
        ("o.csv", {"format": "csv", "rule": "paper"}, "rule applies only to the format 'published' or 'inspect' or"),
        ("o.csv", {"format": "csv", "style": "types"}, "style applies only to the format 'published'"),
        ("o.json", {"format": "csv"}, "format is 'csv', but 'o.json' ends in .json; expected .csv"),
        ("o.json", {"format": "parquet"}, "format is 'parquet', but 'o.json' ends in .json; expected .parquet"),
        ("o.csv", {"format": "published", "side": "benign"}, "format is 'published', but 'o.csv' ends in .csv"),
    ],
)
def test_what_would_write_another_file_than_asked_for_is_an_error(made, out, options, message):
    with pytest.raises(MossbenchError, match=message):
        mb.write_results(mb.load_results(made / "r"), out, **options)
    assert not Path(out).exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--organization", "We"), "--organization applies only to the format 'every-eval-ever', and 'csv' was asked"),
        (("--relationship", "other"), None),  # the default says nothing
        (("--relationship", "first_party"), "--relationship applies only to the format 'every-eval-ever'"),
        (("--with-answers",), "--with-answers applies only to the format 'every-eval-ever'"),
        (("--style", "types"), "--style applies only to the format 'published'"),
        (("--rule", "paper"), "--rule applies only to the format 'published'"),
    ],
)
def test_export_drops_no_option_silently(made, options, message):
    done = CliRunner().invoke(cli, ["results", "export", str(made / "r"), "--out", "o.csv", *options])
    assert done.exit_code == (2 if message else 0), done.output
    assert message is None or message in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"side": "harmless"}, "no side named 'harmless'"),
        ({"side": "contrast"}, r"side is 'contrast', but \d+ rows of published.json name the other side"),
        ({"columns": {"question": "prompt"}}, "columns names columns of the data, and no data are given"),
    ],
)
def test_a_file_is_not_imported_as_something_else(made, options, message):
    with pytest.raises(MossbenchError, match=message):
        mb.import_results(made / "published.json", "imported", **options)
    assert not Path("imported").exists()


def test_the_suffix_of_an_imported_file_may_have_capitals(made):
    mb.write_results(mb.load_results(made / "r"), "log.eval", format="inspect")
    shutil.copy("log.eval", "log.EVAL")
    shutil.copy(made / "published.json", "published.JSON")
    assert len(mb.import_results("log.EVAL", "a")) == len(mb.import_results("log.eval", "b"))
    assert len(mb.import_results("published.JSON", "c")) == len(
        json.loads(Path("published.JSON").read_text())["responses"]
    )


@pytest.mark.parametrize("format", ["csv", "json", "parquet", "published"])
def test_no_runs_are_an_error_and_no_file(tmp_path, format):
    out = tmp_path / {"published": "o.json"}.get(format, f"o.{format}")
    with pytest.raises(MossbenchError, match="no runs"):
        mb.write_results([], out, format=format)
    assert not out.exists()


def run_with_columns(*columns_of_samples):
    """A run on one sample for each of these own columns."""
    rows = []
    for id, columns in enumerate(columns_of_samples):
        row = tables.row("benign", id, False)
        rows.append(replace(row, sample=row.sample.model_copy(update={"metadata": columns})))
    return tables.results(rows)


def test_a_parquet_table_has_the_columns_of_all_runs(tmp_path):
    runs = [run_with_columns({"city": "Oslo"}), run_with_columns({"year": 2001})]
    table = pq.read_table(mb.write_results(runs, tmp_path / "o.parquet", format="parquet"))
    assert table["city"].to_pylist() == ["Oslo", None] and table["year"].to_pylist() == [None, 2001]


@pytest.mark.parametrize(
    ("values", "written"),
    [
        ((1, "late", None), ["1", "late", None]),
        ((1, True, None), ["1", "true", None]),
        ((2**70, 1, None), [str(2**70), "1", None]),
        ((2**60 + 1, 0.5, None), [str(2**60 + 1), "0.5", None]),
        ((1, 0.5, None), [1.0, 0.5, None]),
        ((2**60 + 1, 2, None), [2**60 + 1, 2, None]),
        ((True, False, None), [True, False, None]),
    ],
)
def test_an_own_column_of_several_types_is_text_in_parquet(tmp_path, values, written):
    run = run_with_columns(*({} if value is None else {"mark": value} for value in values))
    table = pq.read_table(mb.write_results(run, tmp_path / "o.parquet", format="parquet"))
    assert table["mark"].to_pylist() == written
