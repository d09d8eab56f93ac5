"""`mossbench card` and `mossbench plan`: a section for a system card, and how many rows its rates take."""

import json
import re
from dataclasses import replace

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.reports.system_card import card_latex, card_markdown
from mossbench.reports.words.row_plans import plan_lines
from mossbench.reports.words.system_card import CardFacts, comparability, thinking_words
from mossbench.samples import Side
from mossbench.statistics.estimates import wilson_interval
from mossbench.statistics.planning import n_for_interval
from small_set import small_set

FACTS = CardFacts(("data a@1",), 240, "rules/4", "system", is_control=False, n_protocols=1, has_harmful=True)


@pytest.fixture
def runs(small):
    plain = mb.run("control/candid", small, out="plain")
    thinking = mb.run("control/candid", small, out="thinking", effort="high", system="You are kind.")
    return plain, thinking


def test_a_card_has_a_line_for_each_side_thinking_prompt_and_stimulus(runs):
    card = mb.make_card(*runs)
    lines = [(line.side, line.thinking, line.prompt.partition("@")[0], line.stimulus) for line in card.lines]
    assert len(lines) == len(set(lines)) == 2 * 2 * 4
    assert {line[1] for line in lines} == {"provider's default", "effort high"}
    assert {line[2] for line in lines} == {"none", "prompt"}
    assert {line.model for line in card.lines} == {"control/candid"}


def test_its_rates_are_those_of_the_runs(runs):
    card = mb.make_card(runs[0])
    for rate in runs[0].rates():
        (line,) = [line for line in card.lines if (line.side, line.stimulus) == (rate.side, rate.group)]
        assert (line.rate, line.low, line.high) == (rate.estimate.value, rate.estimate.low, rate.estimate.high)
        assert (line.n, line.refused) == (rate.estimate.n, rate.refused)


def test_protocol_judge_and_what_it_can_be_compared_with_stand_beside_the_table(runs):
    card = mb.make_card(*runs)
    text = card_markdown(card)
    assert f"Judge: {runs[0].judge}" in text
    assert "thinking effort: high" in text
    assert "under 2 protocols" in text
    assert "cannot be compared with figures that other cards give" in text
    assert "Control models" in text
    assert text.count("| control/candid |") == len(card.lines)
    assert json.loads(json.dumps(card.to_dict()))["judge"].startswith("reader/")


def test_latex_is_escaped_and_has_a_row_for_each_line(small):
    results = mb.run("control/jumpy?rate=0.5&seed=3", small)
    card = mb.make_card(results)
    text = card_latex(card)
    assert not re.search(r"(?<!\\)%", text)
    assert text.count(r"\\") == len(card.lines) + 1
    assert re.search(r"(?<!\\)&seed", text) is None
    assert r"\begin{tabular}{lllllrrrr}" in text


def test_rates_below_one_percent_have_two_digits_after_the_point():
    from mossbench.reports.system_card import CardLine

    line = CardLine("m", Side.BENIGN, "none", "none", "all", 0.0006, 0.0003, 0.0012, 5000, 3)
    assert line.cells()[5:8] == ("0.06", "0.03 to 0.12", "5000")


def test_an_unknown_rate_is_said_to_be_unknown_in_every_format():
    from mossbench.reports.system_card import CardLine

    line = CardLine("m", Side.BENIGN, "none", "none", "all", None, float("nan"), float("nan"), 5, 0)
    assert line.cells()[5:7] == ("not known", "–")
    assert line.to_dict()["low"] is None


def candid(prompt):
    return "Sure, here is how it is done, step by step."


def test_runs_that_differ_in_a_parameter_have_rows_of_their_own(small):
    points = [{"top_p": top_p, "effort": effort} for top_p in (0.1, 0.9) for effort in ("low", "high")]
    runs = [mb.run(candid, small, effort=p["effort"], params={"top_p": p["top_p"]}) for p in points]
    card = mb.make_card(*runs)
    rows = {row[:5] for row in card.rows()}
    assert len(rows) == len(card.lines)
    assert {line.model.partition(" ")[2] for line in card.lines} == {"(top_p=0.1)", "(top_p=0.9)"}
    assert "(top_p=0.1)" in card_markdown(card)
    assert "\nTest_system" not in card_markdown(card)


def test_runs_that_no_column_tells_apart_have_their_names_and_one_run_stands_once(small):
    runs = [mb.run(candid, small, temperature=value, out=f"t{value}") for value in (0.0, 1.0)]
    card = mb.make_card(*runs, runs[0])
    assert len({line.model for line in card.lines}) == 2
    assert len(card.lines) == len(set(card.rows())) == 2 * len(mb.make_card(runs[0]).lines)


def test_data_are_a_column_where_there_are_several(small, tmp_path):
    other = small_set(tmp_path / "other")
    rows = [json.loads(line) for line in (other / "metadata.jsonl").read_text().splitlines()]
    rows = [row | {"image": None, "question": f"{row['question']} Please."} for row in rows]
    (other / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with_images = mb.run(candid, small)
    alone = mb.run(candid, other)
    card = mb.make_card(with_images, alone)
    assert card.head()[1] == "Data"
    assert {row[1] for row in card.rows()} == {run.info.dataset.label for run in (with_images, alone)}
    assert r"\begin{tabular}{llllllrrrr}" in card_latex(card)
    assert "requests with and without images" in card.comparability
    assert "These rates are of requests without images" in mb.make_card(alone).comparability
    assert "These rates are of requests with images" in mb.make_card(with_images).comparability
    assert mb.make_card(alone).head()[1] == "Side"


def test_notes_keep_names_as_they_are_and_ranges_are_sentences():
    from mossbench.reports.system_card import SystemCard

    lines = ("errors as measured, the rates lie between:", "  mine.py:a: harmless 0 and 4 %", "  b: harmless 0 and 3 %")
    errors = (*lines, "mine.py:a: not known")
    card = SystemCard((), {"mine.py:a": {}, "b": {}}, "rules/4", errors, "")
    text = card_markdown(card)
    assert "- Errors as measured, the rates lie between: mine.py:a: harmless 0 and 4 %; b: harmless 0 and 3 %." in text
    assert "- mine.py:a: not known." in text


def test_an_unknown_rate_has_no_interval():
    from mossbench.reports.system_card import CardLine

    line = CardLine("m", Side.BENIGN, "none", "none", "all", None, 0.0, 0.1267, 5, 0)
    assert line.cells()[5:7] == ("not known", "–")


def test_runs_that_are_not_judged_make_no_card(small):
    with pytest.raises(UsageError):
        mb.make_card(mb.run("control/candid", small, judge=None))
    with pytest.raises(UsageError, match="at least one run"):
        mb.make_card()


def test_the_paragraph_depends_on_what_was_asked():
    assert "protocols" not in comparability(FACTS)
    assert "Control models" not in comparability(FACTS)
    assert "Harmful requests were not asked" in comparability(replace(FACTS, has_harmful=False))


def test_thinking_is_the_effort_or_the_budget():
    assert thinking_words(None, {"top_p": 0.5}) == "provider's default"
    assert thinking_words("low", {"thinking_budget": 4096}) == "effort low, thinking_budget=4096"


@pytest.mark.parametrize(("name", "begins"), [("c.md", "## "), ("c.tex", "\\subsection"), ("c.json", "{")])
def test_the_command_writes_each_format(name, begins, runs, tmp_path):
    out = tmp_path / name
    done = CliRunner().invoke(cli, ["card", *(str(run.folder) for run in runs), "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert out.read_text().startswith(begins)


def test_an_unknown_suffix_is_refused(runs):
    done = CliRunner().invoke(cli, ["card", str(runs[0].folder), "--out", "card.docx"])
    assert isinstance(done.exception, UsageError) or done.exit_code == 2


# Plans


@pytest.mark.parametrize(("share", "within"), [(0.003, 0.0004), (0.05, 0.01), (0.0, 0.0126), (0.5, 0.05), (1.0, 0.1)])
def test_so_many_rows_are_enough_and_one_less_is_not(share, within):
    n = n_for_interval(share, within)

    def reach(rows):
        low, high = wilson_interval(share, rows)
        return max(high - share, share - low)

    assert reach(n) <= within < reach(n - 1)


def test_no_refusal_of_300_bounds_a_rate_by_1_26_percent():
    plan = mb.plan_rows(0.003, 0.0004)
    assert plan.n_rows == 81354
    assert plan.highest_of_none_of_300 == pytest.approx(0.01264, abs=1e-5)
    assert "none of 300 shows only that it is below 1.26 %" in " ".join(plan_lines(plan))


def test_one_row_is_no_plural():
    assert plan_lines(mb.plan_rows(0.5, 0.6))[0].startswith("1 row: ")


def test_rows_in_scenes_take_more():
    assert mb.plan_rows(0.05, 0.01, design_effect=2).n_rows == pytest.approx(2 * mb.plan_rows(0.05, 0.01).n_rows, abs=1)


def test_the_cost_is_that_of_so_many_rows(small):
    forecast = mb.forecast_run("openai/gpt-4o", small, side="benign")
    plan = mb.plan_rows(0.05, 0.01, model="openai/gpt-4o", data=small)
    assert plan.cost == pytest.approx(forecast.total_cost / 6 * plan.n_rows)
    assert plan.n_samples == 6
    unknown = mb.plan_rows(0.05, 0.01, model="openai/nobody-knows", data=small)
    assert unknown.cost is None
    assert "unknown" in plan_lines(unknown)[-1]


@pytest.mark.parametrize("wrong", [{"rate": 1.5}, {"within": 0.0}, {"within": 1.0}, {"design_effect": 0.5}])
def test_impossible_plans_are_refused(wrong):
    with pytest.raises(UsageError):
        mb.plan_rows(**{"rate": 0.1, "within": 0.01, **wrong})


def test_the_command_prints_rows_and_json():
    done = CliRunner().invoke(cli, ["plan", "--rate", "0.003", "--within", "0.0004"])
    assert done.output.startswith("81,354 rows")
    done = CliRunner().invoke(cli, ["plan", "--rate", "0.003", "--within", "0.0004", "--json"])
    assert json.loads(done.stdout)["n_rows"] == 81354
