"""Recorded answers go by the name of the model that gave them, and never pass for answers that were asked for here."""

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import NO, YES, samples
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.leaderboard.boards import make_boards
from mossbench.reports.board_page import board_page
from mossbench.reports.board_tables import boards_csv, boards_markdown
from mossbench.results.changes import changes
from mossbench.results.current import current_runs
from mossbench.store.run_info import RunInfo

ADDRESS = "provider's own address"


def mossbench(*args, code=0):
    done = CliRunner(env={"COLUMNS": "110"}).invoke(cli, list(map(str, args)), prog_name="mossbench")
    assert done.exit_code == code, done.output
    return done


@pytest.fixture
def data(tmp_path):
    return samples(tmp_path / "data", 12)


def transcript(path, refused=(), n=12, **more):
    """Recorded answers to the samples of `data`, with further fields in every row."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        {"id": str(i), "side": side, "response": NO if i in refused else YES, **more}
        for i in range(1, n + 1)
        for side in ("benign", "contrast")
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return f"replay/{path}"


def test_the_given_name_stands_everywhere_and_the_file_where_provenance_does(data):
    model = transcript("some/where/answers.jsonl", refused=(1, 2))
    args = ("run", "--model", model, "--data", data, "--model-name", "GPT-4o (web)", "--name", "web", "--quiet")
    shown = mossbench(*args).stdout
    assert "GPT-4o (web)" in shown and "replay" not in shown
    results = mb.load_results("runs/web")
    assert results.model == "GPT-4o (web)" and results.info.config.model == model
    assert results.to_dict()["recorded_in"] == "answers.jsonl"
    report = Path("runs/web/report.html").read_text()
    assert "GPT-4o (web) refuse" in report and "answers.jsonl" in report and str(results.info.model_version) in report
    assert "unknown: the answers were recorded before" in report and ADDRESS not in report
    for command in (("results", "show", "runs/web"), ("runs",), ("leaderboard", "show", "runs/web")):
        output = mossbench(*command).output
        assert "GPT-4o (web)" in output and "replay/" not in output and ADDRESS not in output
    assert json.loads(mossbench("results", "show", "runs/web", "--json").stdout)[0]["model"] == "GPT-4o (web)"
    mossbench("results", "export", "runs/web", "--out", "t.csv")
    with open("t.csv", newline="") as file:
        assert {row["model"] for row in csv.DictReader(file)} == {"GPT-4o (web)"}
    submission = mb.make_submission("runs/web", availability="web")
    assert (submission.model, submission.provider) == ("GPT-4o (web)", "replay")
    assert submission.settings["recorded"] is True and submission.settings["endpoint"] is None


def test_a_presets_name_is_not_marked_and_commands_say_that_answers_were_recorded(data):
    for name in ("GPT-4o", "llava-1.5-7b"):
        args = ("run", "--model", transcript("a.jsonl"), "--data", data, "--model-name", name, "--name", name)
        done = mossbench(*args, "--quiet", "--no-report")
        assert "recorded answers" in done.stdout and mb.load_results(f"runs/{name}").model == name
        assert "recorded answers" in mossbench("results", "show", f"runs/{name}").stdout
    assert mossbench("runs", "list").stdout.count("recorded answers") == 2
    assert {line["recorded"] for line in json.loads(mossbench("runs", "list", "--json").stdout)} == {True}
    mb.run("control/candid", data, out="asked/one")
    assert "recorded answers" not in mossbench("results", "show", "asked/one").output
    assert "recorded answers" not in mossbench("runs", "list", "--runs", "asked").output


def test_a_run_without_a_name_of_its_folder_is_called_by_the_model(data):
    results = mb.run(transcript("a.jsonl"), data, model_name="GPT-4o (web)")
    assert "GPT-4o-web" in results.folder.name


def test_two_recorded_models_are_two_rows_and_two_recordings_of_one_are_one(data):
    one = mb.run(transcript("one/data.jsonl", refused=(1,)), data, model_name="GPT-4o", out="one-run")
    two = mb.run(transcript("two/data.jsonl", refused=(2, 3)), data, model_name="Claude 3 haiku", out="two-run")
    again = mb.run(transcript("three/data.jsonl", refused=(1, 2, 3, 4)), data, model_name="GPT-4o", out="three-run")
    (board,) = make_boards([one, two])
    assert {row.name for row in board.rows} == {"GPT-4o", "Claude 3 haiku"}
    (board,) = make_boards([one, two, again])
    assert sum(row.superseded_by != "" for row in board.rows) == 1  # as for every other model
    assert len([row for row in board.rows if not row.not_ranked]) == 2
    assert {row.provider for row in board.rows} == {"replay"}
    notes = " ".join(board.notes)
    assert "recorded answers" in notes and "how they were asked is unknown" in notes
    for text in (board_page([board]), boards_csv([board]), boards_markdown([board]), notes):
        assert ADDRESS not in text and "replay/" not in text
    found = mb.compare(one, two)
    assert found.runs == ("GPT-4o", "Claude 3 haiku")


@pytest.mark.parametrize("other", ["gpt-4o", "GPT-4o", "ＧＰＴ-4o", "GPT-4o (recorded)", "GPT-4O (Recorded)"])
def test_spellings_of_one_recorded_model_are_one_model(data, other):
    one = mb.run(transcript("one.jsonl", refused=(1,), model=other), data, out="runs/one")
    two = mb.run(transcript("two.jsonl", refused=(2, 3)), data, model_name="GPT-4o", out="runs/two")
    (board,) = make_boards([one, two])
    assert len([row for row in board.rows if not row.not_ranked]) == 1
    assert sum(row.superseded_by != "" for row in board.rows) == 1
    assert len(current_runs([one, two])) == 1
    assert len(changes([one, two])) == 1


@pytest.mark.parametrize("mark", [" (recorded)", " (Recorded)", "(RECORDED)", "  (recorded) (recorded)"])
def test_the_mark_is_no_part_of_a_name(data, mark):
    marked = mb.run(transcript("a.jsonl"), data, model_name=f"openai/gpt-4o{mark}", out="marked")
    plain = mb.run(transcript("b.jsonl"), data, model_name="openai/gpt-4o", out="plain")
    assert marked.model == plain.model == "openai/gpt-4o (recorded)"
    assert marked.info.config.model_name == "openai/gpt-4o"
    assert len(current_runs([marked, plain])) == 1
    assert mb.resume_run("plain", model_name=f"openai/gpt-4o{mark}").model == plain.model
    assert mb.run(transcript("c.jsonl"), data, model_name=f"GPT-4o{mark}", out="other").model == "GPT-4o"


def test_files_of_the_same_name_without_a_model_are_told_apart_without_an_address(data):
    runs = []
    for n, name in enumerate("ab", 1):
        model = transcript(Path(f"{name}/data.jsonl").resolve(), refused=(n,))
        runs.append(mb.run(model, data, out=f"{name}-run"))
    assert all("recorded answers, version" in row.name for row in make_boards(runs)[0].rows)
    for text in (board_page(make_boards(runs)), boards_csv(make_boards(runs))):
        assert ADDRESS not in text
    assert len(make_boards(runs)[0].rows) == 2


def test_models_that_have_no_address_are_given_none(tmp_path):
    Path("own.py").write_text("def answer(prompt):\n    return 'Sure.'\n")
    first = mb.run("own.py:answer", samples(tmp_path / "d", 4), out="first")
    other = Path("other/own.py")
    other.parent.mkdir()
    other.write_text("def answer(prompt):\n    return 'Of course.'\n")
    second = mb.run(f"{other.resolve()}:answer", tmp_path / "d", out="second")
    third = mb.run(f"{Path('own.py').resolve()}:answer", tmp_path / "d", out="third")
    assert second.info.public_subject.provider is None  # no folder of this machine
    assert ADDRESS not in boards_csv(make_boards([first, second, third]))


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"model": "LLaVA 1.5"}, "LLaVA 1.5"),
        ({"model": " LLaVA 1.5 "}, "LLaVA 1.5"),
        ({"model": "meta-llama/Llama-3.2-11B"}, "meta-llama/Llama-3.2-11B"),
        ({"model": "openai/gpt-4o"}, "openai/gpt-4o (recorded)"),
        ({"model": "OpenAI/gpt-4o"}, "OpenAI/gpt-4o (recorded)"),
        ({"model": "openai/gpt-4o (recorded)"}, "openai/gpt-4o (recorded)"),
        ({"model": "0penai/gpt-4o"}, "0penai/gpt-4o (recorded)"),
        ({"model": "mine.py:answer"}, "mine.py:answer (recorded)"),
        ({"model": "control/candid"}, "control/candid (recorded)"),
        ({"model": "replay/before.jsonl"}, "replay/a.jsonl"),
        ({"model": ""}, "replay/a.jsonl"),
        ({"model": None}, "replay/a.jsonl"),
        ({"model": 4}, "replay/a.jsonl"),
        ({"model": ["GPT-4o"]}, "replay/a.jsonl"),
        ({}, "replay/a.jsonl"),
    ],
)
def test_a_transcript_may_say_who_answered_and_is_never_taken_for_a_run_that_asked(data, fields, name):
    results = mb.run(transcript("a.jsonl", **fields), data, out="run")
    assert results.model == name and results.info.recorded and results.info.config.base_url is None
    submission = mb.make_submission("run", availability="API")
    assert submission.provider == "replay"
    (board,) = make_boards([results])
    assert board.rows[0].provider == "replay" and board.rows[0].name == name
    assert board.ranked_with == ("controls" if name.startswith("control/") else "models")
    if name.startswith("control/"):
        assert mb.make_report(results)  # nothing is known of what was planted in it


def test_a_measured_and_a_recorded_model_of_one_name_are_two_rows(data):
    asked = mb.run("control/candid", data, out="asked")
    recorded = mb.run(transcript("a.jsonl", model="control/candid"), data, out="recorded")
    names = sorted(row.name for board in make_boards([asked, recorded]) for row in board.rows)
    assert names == ["control/candid", "control/candid (recorded)"]


def test_rows_that_disagree_have_no_name_and_the_run_says_so(data):
    rows = [json.loads(line) for line in Path(transcript("a.jsonl")[7:]).read_text().splitlines()]
    for number, row in enumerate(rows):
        row["model"] = "GPT-4o" if number % 2 else "Claude 3 opus"
    Path("a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = mossbench("run", "--model", "replay/a.jsonl", "--data", data, "--name", "mixed", "--quiet")
    assert "name 2 different models ('Claude 3 opus', 'GPT-4o'); say which model answered (--model-name" in done.stderr
    assert mb.load_results("runs/mixed").model == "replay/a.jsonl"
    mossbench("run", "--resume", "runs/mixed", "--model-name", "Both", "--quiet")
    named = mb.load_results("runs/mixed")
    assert named.model == "Both" and not any("different models" in text for text in named.info.notices)
    named = mb.run("replay/a.jsonl", data, model_name="A mix", out="named")
    assert named.model == "A mix" and not any("different models" in text for text in named.info.notices)


def test_rows_that_say_nothing_do_not_disagree(data):
    rows = [json.loads(line) for line in Path(transcript("a.jsonl")[7:]).read_text().splitlines()]
    rows[3]["model"] = "GPT-4o"  # one cell of a sheet
    Path("a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert mb.run("replay/a.jsonl", data, out="run").model == "GPT-4o"


def test_a_name_with_hidden_characters_in_a_file_is_not_used(data):
    results = mb.run(transcript("a.jsonl", model="GPT\u202e-4o"), data, out="run")
    assert results.model == "replay/a.jsonl"
    assert any("hidden or control characters" in text for text in results.info.notices)


def test_a_results_json_may_say_who_answered(data):
    rows = {str(i): {"response": YES, "question": f"What about number {i}, benign?"} for i in range(1, 13)}
    Path("results.json").write_text(json.dumps({"model": "GPT-4o", "responses": rows}))
    assert mb.run("replay/results.json", data, side="benign", out="run").model == "GPT-4o"


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("GPT\u200b-4o", "hidden or control characters"),
        ("GPT-4o\n", "hidden or control characters"),
        (" GPT-4o", "begins or ends with a space"),
        ("Cl\u0430ude", "mixes Latin and"),
        ("x" * 201, "longer than 200"),
        ("/home/me/gpt", "is a path"),
    ],
)
def test_a_name_that_no_board_takes_is_refused_before_anything_is_written(data, name, fault):
    model = transcript("a.jsonl")
    done = mossbench("run", "--model", model, "--data", data, "--model-name", name, "--out", "run", "--quiet", code=2)
    assert fault in done.stderr and "--model-name" in done.stderr and not Path("run").exists()
    with pytest.raises(UsageError, match="model_name"):
        mb.run(model, data, model_name=name, out="run")
    with pytest.raises(UsageError, match="model_name"):
        mb.write_template(data, "sheet.csv", model_name=name)


def test_only_recorded_models_can_be_given_a_name(data):
    Path("own.py").write_text("def answer(prompt):\n    return 'Sure.'\n")
    for model in ("control/candid", "own.py:answer"):
        done = mossbench("run", "--model", model, "--data", data, "--model-name", "GPT-4o", "--quiet", code=2)
        assert (
            "--model-name is for recorded answers (replay/FILE)" in done.stderr and "omit --model-name" in done.stderr
        )
    for model in (mb.load_model("control/candid"), lambda prompt: "Sure."):
        with pytest.raises(UsageError, match="model_name is for recorded answers"):
            mb.run(model, data, model_name="GPT-4o")
    two = (transcript("a.jsonl"), transcript("b.jsonl"))
    for models in ((), ("--model", two[0], "--model", two[1])):
        done = mossbench("run", *models, "--data", data, "--model-name", "GPT-4o", "--quiet", code=2)
        assert "--model-name names one recorded model" in done.stderr
    with pytest.raises(UsageError, match="model_name names one model, but 2 are given"):
        mb.run(list(two), data, model_name="GPT-4o")
    assert not Path("runs").exists()


def test_resume_keeps_the_name_and_another_one_is_another_run(data):
    model = transcript("a.jsonl")
    mb.run(model, data, model_name="GPT-4o", out="run")
    assert mb.resume_run("run").model == "GPT-4o"
    done = mossbench("run", "--resume", "run", "--quiet")
    assert "GPT-4o" in done.stdout
    done = mossbench("run", "--resume", "run", "--model-name", "Claude 3 opus", "--quiet", code=2)
    assert "model_name: the run has 'GPT-4o', you asked for 'Claude 3 opus'" in done.output


def as_written_before(folder):
    """A run folder as versions wrote it that knew no names of recorded models."""
    path = Path(folder, "run.json")
    info = json.loads(path.read_text())
    info["config"].pop("model_name", None)
    info["subject"].pop("provider", None)
    info["subject"]["model"] = info["config"]["model"]
    path.write_text(json.dumps(info))
    return mb.load_results(folder)


def test_runs_that_were_written_before_open_without_an_address_and_can_be_named(data):
    for name in ("gpt-4o", "opus"):
        mb.run(transcript(f"{name}/data.jsonl", refused=(len(name),)), data, out=f"{name}-run")
    runs = [as_written_before(f"{name}-run") for name in ("gpt-4o", "opus")]
    shown = boards_csv(make_boards(runs))
    assert ADDRESS not in shown and len(make_boards(runs)[0].rows) == 2
    mossbench("run", "--resume", "gpt-4o-run", "--model-name", "GPT-4o", "--quiet")
    assert mb.load_results("gpt-4o-run").model == "GPT-4o"
    assert RunInfo.model_validate_json(Path("gpt-4o-run/run.json").read_text()).public_subject.model == "GPT-4o"


def test_cells_of_a_suite_have_names(data):
    transcript("a.jsonl")
    Path("suite.toml").write_text(
        f'data = "{data}"\n[models.web]\nmodel = "replay/a.jsonl"\nmodel_name = "GPT-4o (web)"\n'
    )
    mossbench("run", "suite.toml", "--quiet", "--no-report")
    (folder,) = (path.parent for path in Path("runs").glob("**/run.json"))
    assert mb.load_results(folder).model == "GPT-4o (web)"
    done = mossbench("run", "suite.toml", "--model-name", "x", code=2)
    assert "in a suite write model_name = … in the table of that model" in done.stderr
    Path("suite.toml").write_text(
        f'data = "{data}"\n[models.web]\nmodel = "replay/a.jsonl"\nmodel_name = "a\\u200bb"\n'
    )
    assert "suite.toml, line 4: key models.web.model_name" in mossbench("run", "suite.toml", code=2).stderr


def test_a_sheet_carries_the_name(data):
    mossbench("transcript", "template", "--data", data, "--out", "s.csv", "--model-name", "Gemini Advanced")
    with open("s.csv", newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert {row["model"] for row in rows} == {"Gemini Advanced"}
    with open("s.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "response": YES} for row in rows)
    assert mb.run("replay/s.csv", data, out="run").model == "Gemini Advanced"


def test_a_sheet_called_as_its_preset_has_the_published_name_of_that_product(data):
    from mossbench.models.presets import PRESETS, State
    from mossbench.models.replay import PUBLISHED_NAMES

    assert set(PUBLISHED_NAMES) == {name for name, preset in PRESETS.items() if preset.state is State.BY_HAND}
    published = {rate.name for rate in mb.published_rates() if rate.availability == "web"}
    assert set(PUBLISHED_NAMES.values()) == published
    assert mb.run(transcript("nm/GPT-4o-web.jsonl"), data, out="run").model == "GPT-4o (web)"
    stated = mb.run(transcript("claude-3-opus-web.jsonl", model="Opus"), data, out="stated")
    assert stated.model == "Opus"


def test_the_way_out_for_a_web_product_names_the_data_that_were_given(data):
    ways_out = (
        f"mossbench transcript template --data {data} --out gpt-4o-web.csv",
        f"--model replay/gpt-4o-web.csv --data {data}",
    )
    Path("suite.toml").write_text(f'models = ["gpt-4o-web"]\ndata = "{data}"\n')
    for args in (
        ("run", "--model", "GPT-4o (web)", "--data", data),
        ("run", "--model", "control/candid", "--model", "gpt-4o-web", "--data", data),
        ("run", "--model", "GPT-4o (web)", "--data", data, "--dry-run"),
        ("run", "suite.toml"),
        ("analyse", "consistency", "--model", "GPT-4o (web)", "--data", data),
    ):
        done = mossbench(*args, code=2)
        for way_out in ways_out:
            assert way_out in done.stderr.replace("'", ""), args
    assert "--data sketches" in mossbench("run", "--model", "gpt-4o-web", code=2).stderr
    for models in ("gpt-4o-web", ["control/candid", "gpt-4o-web"]):
        with pytest.raises(UsageError, match=f"write_template\\('{data}'"):
            mb.run(models, mb.load_dataset(data))


@pytest.mark.slow
def test_an_exported_log_stays_recorded(data):
    pytest.importorskip("inspect_ai")
    mb.run(transcript("a.jsonl"), data, model_name="GPT-4o", out="run")
    mossbench("results", "export", "run", "--out", "log.eval")
    back = mb.import_results("log.eval", "back")
    assert back.model == "GPT-4o" and back.info.recorded and back.info.public_subject.provider == "replay"


def test_names_of_any_script_make_folders_and_pages(data):
    for number, name in enumerate(("模型 7B", "..", "100 %", "a/../b", "x#y?z=1", "<b>bold</b>")):
        results = mb.run(transcript(f"{number}.jsonl"), data, model_name=name)
        assert results.model == name and results.folder.parent == Path("runs")
        assert "<b>bold" not in board_page(make_boards([results]))


def test_a_dry_run_and_a_bundle_know_the_name(data):
    model = transcript("a.jsonl")
    mossbench("run", "--model", model, "--data", data, "--model-name", "GPT-4o", "--dry-run")
    mb.run(model, data, model_name="GPT-4o", out="run")
    mossbench("bundle", "run", "--out", "b.zip")
    assert mossbench("bundle", "verify", "b.zip").exit_code == 0
