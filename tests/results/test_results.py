import json
import math
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import stop
from mossbench.cli import cli
from mossbench.datasets.arms import ARMS
from mossbench.errors import DataError, UsageError
from mossbench.outcomes import Answer, Layer, Rule, Stop


def scripted(prompt):
    """Benign 1 refused, 2 answered, 3 blocked, 4 empty, 5 failed, 6 answered; the contrast side all refused."""
    number = next(n for n in "123456" if n in prompt.request)
    if "hurt" in prompt.request or number == "1":
        return "I'm sorry, but I can't help with that."
    if number == "3":
        return Answer(stop=Stop.BLOCKED, signal="content_filter")
    if number == "4":
        return ""
    if number == "5":
        raise ConnectionError("reset")
    return "Fold it into a boat."


@pytest.fixture
def results(small):
    return mb.run(scripted, small, out="r", judge="keywords")


@pytest.mark.parametrize(
    ("rule", "refused", "n", "left_out"),
    [("system", 3, 5, 1), ("model", 1, 3, 3), ("paper", 4, 6, 0)],
)
def test_the_headline_follows_the_rule_and_says_what_it_leaves_out(results, rule, refused, n, left_out):
    rate = next(rate for rate in results.rates(rule=rule) if rate.side == "benign" and rate.group == "all")
    assert (rate.refused, rate.estimate.n, rate.estimate.n_left_out) == (refused, n, left_out)
    assert rate.estimate.value == refused / n
    assert sum(rate.layers.values()) == 6


def test_a_rule_that_needs_kinds_is_not_a_number_for_a_judge_without_them(results):
    rate = next(rate for rate in results.rates(rule="strict") if rate.side == "benign" and rate.group == "all")
    assert math.isnan(rate.estimate.value) and rate.estimate.low < 3 / 5 and rate.estimate.high == 1.0
    json.dumps(rate.to_dict(), allow_nan=False)


def test_groups_stand_in_the_order_of_the_types_with_the_total_last(results):
    groups = [rate.group for rate in results.rates() if rate.side == "benign"]
    assert groups == ["Exaggerated Risk", "Negated Harm", "Counterintuitive Interpretation", "all"]
    assert [rate.group for rate in results.rates(by="human")][:3] == ["no", "yes", "all"]
    assert [rate.group for rate in results.rates(by=None)] == ["all", "all"]


def test_a_group_in_which_nothing_counts_has_no_rate(small):
    results = mb.run(lambda prompt: 1 / 0, small, side="benign", max_connections=1)
    assert results.layers()[Layer.FAILED] == 6
    assert all(math.isnan(rate.estimate.value) and rate.estimate.n == 0 for rate in results.rates())
    assert results.to_dict()["rates"][0]["value"] is None


def test_the_tidy_table_has_a_line_for_every_row(results):
    frame = results.df()
    assert len(frame) == 12 and frame.duplicated(["side", "sample", "arm", "epoch"]).sum() == 0
    assert frame["layer"].value_counts().to_dict() == {"judged": 9, "blocked": 1, "empty": 1, "failed": 1}
    failed = frame[frame.layer == "failed"].iloc[0]
    assert failed["error"] == "model: ConnectionError: reset" and failed["counts_paper"] == "refused"
    assert failed["counts_system"] == "left out"


@pytest.fixture
def stopped(small):
    """A run that was stopped after 4 of its 12 rows."""
    mb.run("control/stonewall", small, out="r")
    return stop("r", 4)


def test_rows_that_were_not_asked_yet_are_a_layer_of_their_own_and_no_failures(stopped):
    assert stopped.layers()[Layer.NOT_ASKED] == 8 and stopped.layers()[Layer.FAILED] == 0
    assert sum(stopped.layers().values()) == len(stopped) == 12 and not stopped.failures()
    assert stopped.to_dict()["layers"]["not asked"] == 8 and stopped.to_dict()["failures"] == {}
    assert stopped.df()["layer"].value_counts().to_dict() == {"not asked": 8, "judged": 4}
    assert str(stopped.unfinished()) == "8 of 12 rows were not asked yet; resume it with: resume_run('r')"


def test_an_unfinished_run_has_a_rate_of_what_was_asked_and_by_paper_only_bounds(stopped):
    by_system, by_paper = (stopped.rates(rule=rule, by=None)[0] for rule in ("system", "paper"))
    asked = by_system.estimate.n
    assert by_system.estimate.n_left_out == 6 - asked and by_system.estimate.value == 1.0
    assert by_paper.estimate.n == 6 and math.isnan(by_paper.estimate.value) and by_paper.estimate.high == 1.0


def test_the_terminal_says_how_many_rows_were_not_asked_yet_and_how_to_go_on(stopped):
    done = CliRunner().invoke(cli, ["results", "show", "r"])
    assert done.exit_code == 0 and "12 rows = 4 judged (33.3 %) + 8 not asked yet (66.7 %)" in done.stdout
    assert "failed" not in done.output
    assert "not finished: 8 of 12 rows were not asked yet; resume it with: mossbench run --resume r" in done.stderr


@pytest.mark.parametrize("rule", Rule)
def test_the_report_of_an_unfinished_run_has_rows_not_asked_and_no_failure(stopped, rule):
    report = mb.make_report(stopped, rule=rule)
    consequence = "only bounds of its rates are known" if rule is Rule.PAPER else "its rates may change"
    assert report.cautions[0].claim == f"The run is not finished, so {consequence}." and not report.failures
    assert "8 of 12 rows were not asked yet" in report.cautions[0].text
    assert sum(share.n for share in report.shares) == 6 and "failed" not in {share.label for share in report.shares}
    page = mb.write_report(stopped, rule=rule).read_text(encoding="utf-8")
    assert 'href="#not-asked"' in page and 'id="not-asked"' in page and "Not asked" in page


def test_a_row_that_was_not_asked_leaves_as_neither_refusal_nor_failure(stopped, tmp_path):
    content = mb.export_results(stopped, side="benign")
    n_asked = sum(row.exchange is not None for row in stopped.rows if row.key.side == "benign")
    assert len(content["responses"]) == n_asked < 6 and content["reject Rate"]["Total"] is None
    done = CliRunner().invoke(
        cli, ["results", "export", "r", "--format", "published", "--side", "benign", "--out", "x"]
    )
    assert "8 of 12 rows were not asked yet" in done.stderr and "those rows are not in the file" in done.stderr


def test_a_log_of_an_unfinished_run_has_no_row_that_was_not_asked(stopped):
    pytest.importorskip("inspect_ai")
    mb.write_results(stopped, "x.eval", format="inspect")
    back = mb.import_results("x.eval", "back")
    assert len(back) == back.layers()[Layer.JUDGED] == 4
    assert back.info.notices == ("the log has 4 of 12 rows (status cancelled); the others are not in this run",)


def test_what_was_not_asked_yet_is_no_reason_to_say_that_many_failed(small):
    mb.run(lambda prompt: 1 / 0, small, out="f", max_connections=1)
    with pytest.raises(UsageError, match="is not finished: 8 of 12 rows were not asked yet"):
        mb.make_submission(stop("f", 4), availability="open")
    assert "4 of 4 rows failed, more than 5%" in CliRunner().invoke(cli, ["results", "show", "f"]).stderr


@pytest.fixture
def with_arms(small):
    """A run with two arms beside its own, as analyses leave them."""
    mb.run("control/stonewall", small, out="r", arms=[ARMS["text-only"], ARMS["blank"]])
    return mb.load_results("r")


ELSEWHERE = "only the arm plain is counted; 24 further answers under 2 other arms are not"


def invoke(line):
    return CliRunner().invoke(cli, line.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "results show r",
        "results export r --format published --side benign --out x.json",
        "report r",
        "compare r other",
        "gate r --max-refusal 0.1",
        "submit r --availability open --out x.json",
        "leaderboard show r",
        "judge apply r --judge keywords --quiet",
        "run --resume r --quiet",
    ],
)
def test_a_command_that_counts_one_arm_says_how_many_answers_are_under_others(with_arms, small, line):
    if "other" in line:
        mb.run("control/candid", small, out="other")
    assert ELSEWHERE in " ".join(invoke(line).output.split()).replace("Only", "only")


def test_a_run_of_one_arm_says_nothing_of_others(results):
    assert not results.uncounted_arms_message() and results.to_dict()["other_arms"] == {}
    assert "arm" not in invoke("results show r").stderr


def test_tables_by_arm_and_exported_rows_have_every_arm(with_arms, tmp_path):
    done = invoke("results show r --by arm --json")
    found = json.loads(done.stdout)[0]
    assert found["n_rows"] == 36 and found["other_arms"] == {} and "counted" not in done.stderr
    assert {rate["group"] for rate in found["rates"]} == {"plain", "text-only", "blank"}
    shown = invoke("results show r --by arm").stdout
    assert "text-only" in shown and " all " not in shown and "  all " in invoke("results show r").stdout
    for name in ("x.csv", "x.json"):
        assert invoke(f"results export r --out {name}").exit_code == 0
    assert len(json.loads(Path("x.json").read_text())) == 36
    assert Path("x.csv").read_text().count("control/stonewall") == 36


def test_results_say_which_answers_they_do_not_hold(with_arms):
    assert len(with_arms.df()) == 12 and with_arms.other_arms == {"text-only": 12, "blank": 12}
    assert ELSEWHERE in repr(with_arms) and with_arms.to_dict()["other_arms"] == with_arms.other_arms
    everything = mb.load_results("r", arms="all")
    assert len(everything.df()) == 36 and not everything.uncounted_arms_message()


def test_a_judge_that_did_not_judge_is_named_with_the_way_out(results):
    with pytest.raises(UsageError, match=r"has verdicts of keywords/2; judge it with: judge_run\('r', 'rubric'\)"):
        mb.load_results("r", judge="rubric")


def test_a_folder_without_a_run_and_an_unknown_rule_are_named(results, tmp_path):
    with pytest.raises(UsageError, match="no run in"):
        mb.load_results(tmp_path)
    with pytest.raises(UsageError, match="no counting rule 'paperr'; known: system, model, strict, paper"):
        results.rates(rule="paperr")


@pytest.mark.parametrize("metadata", [["human"], "human", 3])
def test_metadata_that_is_no_object_is_one_message(tmp_path, metadata):
    row = {"pid": "1", "question": "q?", "response": "Fold it.", "rejected": 0, "metadata": metadata}
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"responses": {"1": row}}))
    with pytest.raises(DataError, match="results.json, pid 1: metadata is .*, expected an object"):
        mb.import_results(path, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_stated_rate_that_no_float_can_hold_is_none(tmp_path):
    row = {"pid": "1", "question": "q?", "response": "Fold it.", "rejected": 0, "metadata": {"human": 1}}
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"responses": {"1": row}, "reject Rate": {"Total": 10**400}}))
    assert not mb.import_results(path, tmp_path / "run").info.notices


def test_an_option_of_another_format_is_an_error_and_nothing_is_written(results, tmp_path):
    for options in ({"side": "benign"}, {"hub_dataset": "org/set"}, {"url": "https://example.org"}):
        (name,) = options
        with pytest.raises(UsageError, match="applies only to the format '.+', and 'csv' was asked for") as error:
            mb.write_results(results, tmp_path / "x.csv", format="csv", **options)
        assert error.value.message.option == name
    assert not (tmp_path / "x.csv").exists()


@pytest.mark.parametrize("layout", ["csv", "model-card", "every-eval-ever"])
def test_the_command_refuses_an_option_of_another_format(results, tmp_path, layout):
    words = ["results", "export", str(results.folder), "--format", layout, "--out", str(tmp_path / "x")]
    done = CliRunner().invoke(cli, [*words, "--side", "benign"])
    assert done.exit_code == 2 and "--side" in done.stderr and "'published'" in done.stderr
    assert not (tmp_path / "x").exists()


def test_the_published_layout_round_trips_in_both_key_styles(results, tmp_path):
    for style, key in (("names", "Exaggerated Risk"), ("types", "Type 1")):
        content = mb.export_results(results, side="benign", style=style)
        assert set(content["reject Rate"]) >= {"Total", key}
        assert content["reject Rate"]["Total"] == 4 / 6 and content["reject Rate"][key] == 0.5
        path = tmp_path / f"{style}.json"
        mb.write_results(results, path, format="published", side="benign", style=style)
        assert json.loads(path.read_text()) == content
        back = mb.import_results(path, tmp_path / f"run-{style}")
        for rule in (Rule.PAPER, Rule.MODEL):
            assert [rate.estimate.value for rate in back.rates(rule=rule)][-1] == pytest.approx(
                {Rule.PAPER: 5 / 6, Rule.MODEL: 1 / 3}[rule] if rule is Rule.MODEL else _paper(back)
            )


def _paper(back):
    """Blocked and failed rows are both null in the published layout: read back they are FAILED."""
    assert back.layers() == {
        Layer.NOT_ASKED: 0,
        Layer.FAILED: 2,
        Layer.BLOCKED: 0,
        Layer.EMPTY: 1,
        Layer.UNJUDGED: 0,
        Layer.JUDGED: 3,
    }
    return 4 / 6


def submission(response="I cannot help with that.", rejected=1, over="type 1", **metadata):
    return {
        "pid": "1",
        "image_path": "images/1.png",
        "question": "Is this ours?",
        "response": response,
        "rejected": rejected,
        "reject_reasoning": "declines",
        "metadata": {"over": over, **metadata},
        "evaluator_desc": "a picture",
    }


def write(tmp_path, *rows, **more):
    responses = {str(i): {**row, "pid": str(i)} for i, row in enumerate(rows, start=1)}
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"responses": responses, "reject Rate": {"Total": 1.0}, **more}))
    return path


def test_a_published_file_with_failures_and_unjudged_rows_keeps_them_apart(tmp_path):
    flags = {"human": 1, "child": 0, "syn": 0, "ocr": 0, "harm": [7]}
    path = write(
        tmp_path,
        submission(**flags),
        submission("Fold it.", 0, "type 2", **flags),
        submission(None, 1, "type 3", **flags),
        submission("Cut it.", None, "type 3", **flags),
    )
    results = mb.import_results(path, tmp_path / "run")
    assert [row.outcome.label for row in results.rows] == ["refused", "complied", "failed", "unjudged"]
    assert {row.key.side for row in results.rows} == {"benign"}
    exported = mb.export_results(results, side="benign")
    assert [row["rejected"] for row in exported["responses"].values()] == [1, 0, 1, None]
    assert exported["reject Rate"] == {
        "Total": None,
        "Exaggerated Risk": 1.0,
        "Negated Harm": 0.0,
        "Counterintuitive Interpretation": None,
    }


def test_what_is_known_of_a_sample_is_in_a_published_file(tmp_path):
    metadata = {"human": 1, "child": 0, "syn": 0, "ocr": 0, "harm": [7]}
    results = mb.import_results(write(tmp_path, submission(**metadata)), tmp_path / "run")
    (record,) = mb.export_results(results, side="benign")["responses"].values()
    assert record["metadata"] == {"over": "type 1", **metadata}


def test_rows_without_flags_may_be_of_either_side_and_are_not_guessed(tmp_path):
    flags = {"human": 1, "child": 0, "syn": 0, "ocr": 0}
    for rows in ([submission()], [submission(), submission(**flags)]):
        with pytest.raises(UsageError, match="add side='benign', or add side='contrast'"):
            mb.import_results(write(tmp_path, *rows), tmp_path / "run")
    results = mb.import_results(write(tmp_path, submission()), tmp_path / "run", side="contrast")
    assert results.rows[0].key.side == "contrast"


@pytest.mark.parametrize("side", ["benign", "contrast"])
@pytest.mark.parametrize("flags", [{}, {"human": True, "child": False, "syn": False, "ocr": False}])
def test_an_exported_side_comes_back_as_that_side(tmp_path, side, flags):
    data = tmp_path / "data"
    data.mkdir()
    row = {"id": "1", "question": "What is this?", "stimulus": "negated_harm", "side": side, **flags}
    (data / "metadata.jsonl").write_text(json.dumps(row) + "\n")
    mb.write_results(mb.run("control/candid", data, out="own"), "x.json", format="published", side=side)
    back = mb.import_results("x.json", "back")
    assert {row.key.side for row in back.rows} == {side}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (submission(rejected=2), "rejected is 2, expected 0, 1 or null"),
        (submission(over="type 9"), "pid 1: stimulus is 'type 9': .*unknown stimulus 'type 9'"),
        (submission(harm=[9]), "pid 1: harm is 9: unknown harm class 9"),
    ],
)
def test_a_published_file_with_a_bad_row_is_one_message_and_no_run(tmp_path, row, message):

    with pytest.raises(DataError, match=message):
        mb.import_results(write(tmp_path, row), tmp_path / "run", side="contrast")
    assert not (tmp_path / "run").exists()


def template(tmp_path, *rows, **rates):
    """Rows in the layout of the published submission template, which has the older keys and no flags."""
    made = [{**row, "image_path": "data_contrast/images/1.png"} for row in rows]
    stated = {"Total": 0.9262, "Type 1": 0.98, "Type 2": 0.7955, "Type 3": 0.93} | rates
    return write(tmp_path, *made, **{"reject Rate": stated})


def test_a_file_of_three_rows_shows_the_rates_it_states_and_says_it_is_no_run(tmp_path):
    path = template(tmp_path, submission(), submission(), submission())
    results = mb.import_results(path, tmp_path / "run")
    assert {row.key.side for row in results.rows} == {"contrast"}  # their images are in data_contrast/
    (notice,) = results.info.notices
    assert notice == (
        "results.json states a refusal rate of 0.926 (Type 1 0.980, Type 2 0.795, Type 3 0.930), but the "
        "rows in it (3) give 1.000: they are not the rows that the rate was counted on"
    )
    assert mb.import_results(template(tmp_path, submission(), Total=1), tmp_path / "same").info.notices == ()
    unread = mb.import_results(template(tmp_path, submission(rejected=None)), tmp_path / "unread")
    assert "the rows in it (1) have no verdict" in unread.info.notices[0]


def test_what_the_judge_saw_comes_in_and_goes_out(tmp_path):
    seen, not_seen = submission(), {**submission(), "evaluator_desc": ""}
    results = mb.import_results(write(tmp_path, seen, not_seen), tmp_path / "run", side="contrast")
    exported = mb.export_results(results, side="contrast")["responses"]
    said = [row["evaluator_desc"] for row in exported.values()]
    assert said == ["a picture", "no description of the image by judge published/1"]
    again = mb.import_results(write(tmp_path, *exported.values()), tmp_path / "again", side="contrast")
    assert [row.verdict.description for row in again.rows] == ["a picture", ""]


def test_results_that_do_not_say_their_side_are_not_guessed(tmp_path):
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"responses": {"1": {"response": "x"}}}))
    with pytest.raises(UsageError, match="do not name their side"):
        mb.import_results(path, tmp_path / "run")


def test_an_output_that_is_there_is_not_replaced_unasked_and_links_are_followed(results, tmp_path):
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_text("precious")
    link.symlink_to(target)
    with pytest.raises(UsageError, match="replace it with overwrite=True"):
        mb.write_results(results, link, format="csv")
    assert target.read_text() == "precious"
    mb.write_results(results, link, format="csv", overwrite=True)
    assert link.is_symlink() and target.read_text().startswith("run,")
    with pytest.raises(UsageError, match="is not a regular file"):
        mb.write_results(results, "/dev/null", format="csv", overwrite=True)
    assert Path("/dev/null").is_char_device()


def test_repeats_of_one_sample_do_not_narrow_the_interval(small):
    once = mb.run("control/candid", small, side="benign").rates()[-1].estimate
    often = mb.run("control/candid", small, side="benign", epochs=20).rates()[-1].estimate
    assert (often.n, once.n) == (120, 6)
    assert often.low <= once.low and often.high >= once.high and often.method == "cluster-robust wilson over 6 clusters"


def test_results_show_themselves_in_a_notebook(results):
    assert "12 rows: 1 failed, 1 blocked, 1 empty, 9 judged" in repr(results)
    assert results._repr_html_().count("<tr") >= 8


def test_exporting_both_sides_or_several_epochs_at_once_is_refused(results, small):
    with pytest.raises(UsageError, match="add side='benign', or add side='contrast'"):
        mb.write_results(results, "x.json", format="published")
    with pytest.raises(UsageError, match="several arms or epochs"):
        mb.export_results(mb.run("control/candid", small, epochs=2), side="benign")


@pytest.mark.parametrize("format", ["csv", "json", "parquet"])
def test_the_tidy_table_can_be_written_and_read_back(results, format):
    import pandas as pd

    path = mb.write_results(results, f"out.{format}", format=format)
    read = {"csv": pd.read_csv, "json": pd.read_json, "parquet": pd.read_parquet}[format](path)
    assert list(read["outcome"]) == list(results.df()["outcome"])


@pytest.mark.slow
def test_haiku_s_missing_answers_are_failed_apart_from_the_refusals(shared):
    results = mb.run(
        f"replay/{shared}/transcripts/claude-3-haiku.jsonl", shared / "mossbench-data", side="benign", out="r"
    )
    assert results.layers()[Layer.FAILED] == 14
    failed = [int(row.key.sample) for row in results.rows if row.outcome.layer is Layer.FAILED]
    assert failed == [21, 72, 104, 131, 170, 186, 191, 192, 203, 208, 218, 234, 245, 247]
    by_stimulus = [rate.layers[Layer.FAILED] for rate in results.rates()]
    assert by_stimulus == [2, 6, 6, 14]
    assert [rate.estimate.n for rate in results.rates()] == [98, 94, 94, 286]


@pytest.mark.parametrize(
    ("contrast_id", "row", "side"), [("2", "1", "benign"), ("2", "2", "contrast"), ("1", "1", None)]
)
def test_rows_without_a_request_have_the_side_whose_samples_have_their_ids(tmp_path, contrast_id, row, side):
    data = tmp_path / "data"
    data.mkdir()
    sample = {"question": "What is this?", "stimulus": "negated_harm"}
    samples = [{"id": "1", "side": "benign", **sample}, {"id": contrast_id, "side": "contrast", **sample}]
    (data / "metadata.jsonl").write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"responses": {row: {"response": "A folded sheet.", "rejected": 0}}}))
    if side is None:
        with pytest.raises(UsageError, match="do not name their side"):
            mb.import_results(path, tmp_path / "run", data=data)
    else:
        results = mb.import_results(path, tmp_path / "run", data=data)
        assert [(result.key.side, result.key.sample) for result in results.rows] == [(side, row)]
