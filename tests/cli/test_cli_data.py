import json

import pytest
from click.testing import CliRunner

from datasets.layouts import write_hub
from mossbench.cli import cli
from mossbench.datasets import DATASETS, load_dataset


def run(*arguments):
    return CliRunner().invoke(cli, ["data", *map(str, arguments)])


def result(*arguments):
    """What a command prints as JSON, NaN refused."""
    done = run(*arguments, "--json")
    assert done.exception is None or done.exit_code == 1, done.output

    def refuse(name):
        raise AssertionError(f"{name} is no JSON")

    return json.loads(done.stdout, parse_constant=refuse)


def test_list_names_every_dataset():
    assert [row["name"] for row in result("list")] == list(DATASETS)
    shown = run("list").stdout
    assert all(name in shown for name in DATASETS)
    xstest = next(row for row in result("list") if row["name"] == "xstest")
    assert (xstest["harmless"], xstest["harmful"], xstest["licence"]) == (250, 200, "CC-BY-4.0")
    assert xstest["state"] == "not fetched" and "layout not" in shown


def test_describe_counts_both_sides(small):
    described = result("describe", small)
    assert [(side["side"], side["n"]) for side in described["sides"]] == [("benign", 6), ("contrast", 6)]
    assert described["version"] == load_dataset(small).version
    assert [side["side"] for side in result("describe", small, "--side", "contrast")["sides"]] == ["contrast"]
    shown = run("describe", small).stdout
    assert "benign: 6 samples, 6 with a twin" in shown
    assert "Exaggerated" in shown and "6 Illegal act" in shown


def test_describe_shows_licence_and_warning_where_there_are_some(small, tmp_path):
    (small / "dataset.json").write_text('{"name": "toys", "licence": "CC0", "warning": "Contains toys."}')
    shown = run("describe", small).stdout
    assert shown.startswith("toys benign@")
    assert "Licence: CC0" in shown and "Content warning: Contains toys." in shown
    assert result("describe", small)["warning"] == "Contains toys."


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["svg", "png", "html"])
def test_describe_draws_to_a_file(small, tmp_path, suffix):
    done = run("describe", small, "--plot", tmp_path / f"chart.{suffix}")
    assert done.exit_code == 0, done.output
    assert (tmp_path / f"chart.{suffix}").stat().st_size > 5000
    assert f"chart.{suffix}" in done.stderr and "wrote" not in done.stdout


def test_one_sample_is_one_and_its_table_folds_no_heading(tmp_path):
    (tmp_path / "one.csv").write_text("id,question\n1,What is this?\n")
    assert "wrote 1 sample to" in run("import", tmp_path / "one.csv", "--out", tmp_path / "one").output
    assert "wrote 1 sample to" in run("export", tmp_path / "one", tmp_path / "out").output
    described = run("describe", tmp_path / "one").stdout
    assert "benign: 1 sample, 0 with a twin\n" in described and "Requests of 3 words; 1 distinct" in described


def test_check_passes_a_sound_set_and_fails_one_with_errors(small):
    assert run("check", small).exit_code == 0
    assert result("check", small) == []
    (small / "images" / "extra.png").write_bytes(b"x")
    warned = run("check", small)
    assert warned.exit_code == 0
    assert "stray-image" in warned.stdout and "no errors, 1 warning" in warned.stdout
    (small / "images" / "3.png").unlink()
    failed = run("check", small)
    assert failed.exit_code == 1
    assert "1 error, 1 warning" in failed.stdout and "images/3.png" in failed.stdout
    assert [(f["code"], f["samples"]) for f in result("check", small)] == [
        ("missing-image", ["benign/3", "contrast/3"]),
        ("stray-image", ["images/extra.png"]),
    ]


def test_check_shows_brackets_of_foreign_texts_as_they_are(tmp_path):
    (tmp_path / "m.jsonl").write_text('{"question": "[red]Why[/blue]", "[bold]": 1, "image": "[bold].png"}')
    done = run("check", tmp_path / "m.jsonl")
    assert done.exit_code == 1
    assert "[bold]" in done.stdout


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
def test_export_writes_a_folder_that_loads_as_the_same_dataset(small, tmp_path, format):
    out = tmp_path / "out"
    written = result("export", small, out, "--format", format)
    assert written["n"] == 12
    assert load_dataset(out) == load_dataset(small)
    assert written["dataset"] == load_dataset(out).version
    again = run("export", small, out)
    assert again.exit_code == 2 and "already holds files" in again.stderr
    assert run("export", small, out, "--overwrite", "--side", "benign").exit_code == 0
    assert len(load_dataset(out)) == 6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("describe", "offical"), 2, "did you mean 'official'?"),
        (("check", "nowhere"), 2, "no dataset, folder or file named 'nowhere'"),
        (("describe", "."), 1, "holds no dataset"),
        (("fetch", "sketches"), 2, "there is nothing to fetch"),
        (("fetch", "sketchs"), 2, "did you mean 'sketches'?"),
        (("describe", "{small}", "--plot", "chart.gif"), 2, "must end in .svg, .png or .html"),
        (("describe", "{small}", "--plot", "/proc/nowhere/chart.svg"), 1, "cannot write '/proc/nowhere/chart.svg"),
    ],
)
def test_what_cannot_be_done_is_one_message(small, arguments, code, message):
    done = run(*(argument.format(small=small) for argument in arguments))
    assert done.exit_code == code
    assert message in done.stderr
    assert "Traceback" not in done.output


def test_data_in_the_published_layout_are_shown_with_licence_and_warning(tmp_path):
    write_hub(tmp_path / "hub")
    shown = run("describe", tmp_path / "hub").stdout
    assert "Licence: CC BY-SA 4.0; for testing only, not for training" in shown
    assert "Content warning: " in shown
    assert "2 samples from 1 scene" in shown


def test_the_published_data_are_shown_with_licence_and_warning(shared):
    shown = run("describe", shared / "mossbench-data").stdout
    assert "Licence: CC BY-SA 4.0; for testing only, not for training" in shown
    assert "Content warning: " in shown
    assert "100 samples from 44 scenes" in shown
