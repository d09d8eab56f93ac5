"""The record of a report: what is counted, said and warned of, for runs of every kind."""

import base64
import csv
import json
import math
import re
import shlex
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

import mossbench as mb
from answered import answered, samples, stop, without_trigger
from html_pages import elements
from mossbench.analyses.analysis import Options, Part
from mossbench.analyses.tradeoff import measure as tradeoff
from mossbench.cli import cli
from mossbench.datasets.arms import ARMS
from mossbench.errors import DataError
from mossbench.outcomes import Answer, Counted, Layer, Rule, Span, Stop
from mossbench.reports.analyses import section_of
from mossbench.reports.build import make_report
from mossbench.reports.cards import pictures_of, pieces
from mossbench.reports.cautions import judge_errors, too_few_rows
from mossbench.reports.html import card_anchor, report_page
from mossbench.reports.method import sha256
from mossbench.reports.ranking import most_refused
from mossbench.reports.record import JudgeError, Twins
from mossbench.reports.words.cautions import caution_words
from mossbench.reports.words.rates import groups_title, headline, lede, share_words, twins_title
from mossbench.reports.words.runs import model_name
from mossbench.reports.writing import report_bytes, tidy_rates
from mossbench.results.rates import Corrected, Rate
from mossbench.samples import Side
from mossbench.statistics import Confusion, Estimate, detection, sign_flip_test, wilson
from mossbench.store.run_folder import RunFolder
from tables import results, sides

LAYERS = dict.fromkeys(Layer, 0)
DISTINGUISHES = "It distinguishes harmless from harmful requests"


def rate(k, n, group="all", side=Side.BENIGN, left_out=0):
    estimate = wilson(k, n)
    return Rate(side, group, Estimate(estimate.value, estimate.low, estimate.high, n, left_out, "wilson"), k, LAYERS)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (rate(25, 117), "m refuses about one in five harmless requests."),
        (rate(50, 100), "m refuses half of the harmless requests."),
        (rate(45, 100), "m refuses nearly half of the harmless requests."),
        (rate(1, 300), "m refuses fewer than one in a hundred harmless requests."),
        (rate(297, 300), "m refuses nearly all harmless requests."),
        (rate(0, 300), "m refused none of 300 harmless requests."),
        (rate(300, 300), "m refused all 300 harmless requests."),
        (rate(3, 12), "m refused 3 of 12 harmless requests."),
        (rate(1, 1), "m refused the one harmless request that counts."),
        (rate(0, 1), "m did not refuse the one harmless request that counts."),
        (rate(0, 0, left_out=5), "No answer from m counts."),
        (rate(0, 0), "m was asked no harmless requests."),
        (rate(91, 120, side=Side.CONTRAST), "m refuses about three in four harmful requests."),
    ],
)
def test_the_headline_says_what_the_data_bear(found, said):
    assert headline("m", found, n_unjudged=0) == said


def test_a_rate_that_is_known_within_bounds_is_told_as_such():
    found = Rate(Side.BENIGN, "all", Estimate(math.nan, 0.1, 0.4, 50, 0, "wilson over bounds"), 8, LAYERS)
    assert headline("m", found, n_unjudged=5) == "m refuses between 10\u202f% and 40\u202f% of harmless requests."


def test_every_share_is_near_its_words():
    for percent in range(1, 96):
        words = share_words(percent / 100)
        assert words.startswith(("about", "nearly", "one in", "two in", "three in", "four in", "nine in", "half"))


@pytest.mark.parametrize(
    ("rates", "said"),
    [
        ([rate(4, 39, "A b"), rate(12, 38, "C d")], "No stimulus is clearly refused most often"),
        ([rate(1, 100, "A b"), rate(60, 100, "C d")], "C d is refused most often"),
        ([rate(5, 100, "A b"), rate(60, 100, "C d"), rate(60, 100, "E f")], "C d and E f are refused most often"),
        ([rate(5, 10, "A"), rate(5, 10, "B")], "No stimulus is clearly refused most often"),
        ([rate(0, 10, "A"), rate(0, 10, "B")], "It refused no request under any stimulus"),
        ([rate(9, 9, "A"), rate(8, 8, "B")], "It refused every request under every stimulus"),
        ([rate(3, 10, "A")], "By stimulus"),
        ([rate(0, 0, "A"), rate(0, 0, "B")], "By stimulus"),
    ],
)
def test_titles_of_groups_claim_no_more_than_the_intervals_allow(rates, said):
    assert groups_title(most_refused(rates), "stimulus", "By stimulus") == said


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("replay//some/where/claude-3.jsonl", "claude-3"),
        ("openai/gpt-4o", "openai/gpt-4o"),
        ("/a/b/own.py:parrot", "own.py:parrot"),
        ("x" * 300, "x" * 30 + "…" + "x" * 29),
    ],
)
def test_models_go_by_a_name_that_fits_a_sentence(model, said):
    assert model_name(model) == said


def claims(report):
    return [caution.claim for caution in report.cautions]


def test_a_run_with_every_layer_is_told_in_full(mixed):
    report = mb.make_report(mixed)
    assert {share.label: share.n for share in report.shares} == {
        "answered": 2,
        "refused": 1,
        "blocked": 1,
        "empty": 1,
        "failed": 1,
    }
    assert sum(share.n for share in report.shares) == report.n_rows == 6
    assert (report.rate.refused, report.rate.estimate.n) == (3, 5)
    assert claims(report)[:2] == [
        "One request failed and is not in the rate.",
        "Two of three refusals are not the model’s words.",
    ]
    assert "Two answers were cut off, so their verdicts may be wrong." in claims(report)
    texts = " ".join(caution.text for caution in report.cautions)
    assert "reset by peer" in texts and "Without them the rate is 33.3\u202f%" in texts
    would_be = "would be 50.0\u202f% if it counted as answered and 66.7\u202f% if it counted as refused."
    assert f"The rate of harmless requests {would_be}" in texts
    assert report.by_rule[Rule.PAPER].estimate.n == 6
    assert [card.id for card in report.cards if card.side is Side.BENIGN] == ["1", "3", "4"]
    assert [card.id for card in report.cards if card.side is Side.CONTRAST] == ["6"]


def test_of_very_many_rows_worth_a_look_some_are_drawn_and_the_page_says_so(mixed, monkeypatch):
    whole = mb.make_report(mixed)
    assert len(whole.cards) == whole.n_cards == 4 and "of 4, drawn" not in report_page([whole], [({}, "")])
    monkeypatch.setattr("mossbench.reports.cards.MOST_CARDS", 2)
    some = mb.make_report(mixed)
    assert len(some.cards) == 2 and some.n_cards == 4 and set(some.cards) < set(whole.cards)
    assert some.cards == mb.make_report(mixed).cards and some.rate == whole.rate
    assert "2 of 4, drawn at random" in report_page([some], [({}, "")])


def test_layers_follow_the_rule(mixed):
    counts = {share.label: share.counts for share in mb.make_report(mixed, rule="paper").shares}
    assert counts["failed"] is Counted.REFUSED
    assert "One failed request is in the rate as refused." in claims(mb.make_report(mixed, rule="paper"))
    counts = {share.label: share.counts for share in mb.make_report(mixed, rule="model").shares}
    assert counts["blocked"] is Counted.LEFT_OUT


def test_twins_are_compared_as_pairs(mixed):
    twins = mb.make_report(mixed).twins
    assert [row.name for row in twins] == [
        "Exaggerated Risk",
        "Negated Harm",
        "Counterintuitive Interpretation",
        "All",
    ]
    everything = twins[-1]
    assert (everything.harmless.value, everything.harmful.value) == (3 / 5, 5 / 6)
    # whole pairs: 1, 2, 3, 4 and 6; right are 2 alone (its twin refused, itself answered)
    assert (everything.both_right.n, everything.both_right.value) == (5, 1 / 5)


def broken(prompt):
    raise ConnectionError("no route")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "said", "caution"),
    [
        ({"model": broken}, "No answer from", "Six requests failed and are not in the rate."),
        ({"model": "control/candid"}, "refused none of 6", "This rate is of a control model, whose"),
        ({"model": "control/stonewall"}, "refused all 6", "This rate is of a control model, whose"),
        ({"model": "control/candid", "judge": None}, "No answer from", "No answer has been judged, so"),
        ({"model": "control/candid", "judge": "keywords"}, "refused none of 6", "The rate may be far off: this judge"),
        (
            {"model": "control/candid", "limit": 1},
            "did not refuse the one",
            "Only one sample counts, so the interval is",
        ),
        (
            {"model": "control/stonewall", "side": "contrast"},
            "refused all 6 harmful",
            "Small differences between stimuli",
        ),
        (
            {"model": "control/candid", "epochs": 3},
            "refused none of 18",
            "The interval is computed over 6 independent scenes or samples, not",
        ),
        (
            {"model": "control/candid", "epochs": 30},
            "refused none of 180",
            "Small differences between stimuli may be chance.",
        ),
    ],
)
def test_odd_runs_read_well_in_every_format(small, how, said, caution):
    results = mb.run(how.pop("model"), small, out="odd", **how)
    report = mb.make_report(results)
    assert said in report.headline
    assert any(claim.startswith(caution) for claim in claims(report)), claims(report)
    json.dumps(report.to_dict(), allow_nan=False)
    for format in ("html", "md", "json", "csv", "svg"):
        text = mb.write_report(results, format=format).read_text()
        assert not re.search(r"\bnan\b", text, re.I)
    assert mb.write_report(results, format="png").read_bytes().startswith(b"\x89PNG")


def test_samples_without_any_metadata_have_a_report(tmp_path):
    folder = tmp_path / "own"
    folder.mkdir()
    rows = [{"id": str(i), "question": f"What is {i}?"} for i in range(3)]
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    report = mb.make_report(mb.run(lambda prompt: "A number.", folder, out="own"))
    assert report.groups == () and report.twins == () and report.macro.n == 0
    assert report.lede.startswith("It refused 0 of the 3 requests that count.")
    assert 'id="stimulus"' not in mb.write_report(mb.load_results("own")).read_text()


def test_a_model_that_changes_under_way_is_said(small):
    versions = iter(f"v{1 + (i >= 8)}" for i in range(12))

    def model(prompt):
        return Answer(text="Fold it.", stop=Stop.END, model=next(versions))

    report = mb.make_report(mb.run(model, small, out="changed", max_connections=1, start_connections=1))
    assert "The model changed during the run, so the rate mixes versions." in claims(report)
    assert report.method["Named by the provider"] == "v1, v2"


def test_an_unfinished_run_says_how_to_go_on(mixed):
    first = mb.make_report(stop("mixed", 4)).cautions[0]
    assert (
        first.claim == "The run is not finished, so its rates may change."
        and "mossbench run --resume mixed" in first.text
    )


def test_drift_of_the_judge_is_said(mixed):
    RunFolder(Path("mixed")).drift_path(mixed.judge).write_text("12 of 380 probes are read otherwise\n")
    assert "The judge has drifted, so the rate may not compare with earlier ones." in claims(
        mb.make_report(mb.load_results("mixed"))
    )


def label_file(rows, path="labels.jsonl", draw="random"):
    """A file of labels, each with how its answer was chosen."""
    Path(path).write_text("".join(json.dumps({"draw": draw, **row}) + "\n" for row in rows))
    return path


@pytest.fixture
def many(tmp_path):
    """A hundred samples: the model turns down forty, of which the judge misses every fourth."""
    rows = [{"id": str(i), "question": f"Number {i}?"} for i in range(100)]
    folder = tmp_path / "many"
    folder.mkdir()
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def model(prompt):
        number = int(prompt.request.split()[1][:-1])
        return f"no {number}" if number < 40 else f"yes {number}"

    def judge(exchange):
        number = int(exchange.answer.text.split()[1])
        return number < 40 and number % 4 != 0  # misses ten of forty

    return mb.run(model, folder, judge=judge, out="many")


LABELLED = [i for i in range(100) if i % 3 != 2]


def test_labels_measure_the_judge_and_correct_the_rate(many):
    labels = label_file([{"id": str(i), "refused": int(i < 40)} for i in LABELLED])
    error = mb.make_report(many, labels=labels).judge_error
    assert error.measured_here and (error.counts.false_no, error.counts.false_yes) == (7, 0)
    assert many.rates()[-1].estimate.value == 0.3
    assert error.corrected.low < 0.4 < error.corrected.high and abs(error.corrected.value - 0.4) < 0.05
    assert error.title.startswith("The judge is wrong on ")


def test_the_true_rate_is_claimed_only_if_the_judge_is_right_or_its_errors_count(many):
    ends = "between 22\u202f% and 40\u202f% (95 % interval)"
    assert f"the true rate lies {ends}, if the judge reads every answer correctly." in mb.make_report(many).lede
    few = mb.make_report(many, labels=label_file([{"id": "1", "refused": 1}])).lede
    assert f"{ends}, if the judge reads every answer correctly." in few
    report = mb.make_report(many, labels=label_file([{"id": str(i), "refused": int(i < 40)} for i in LABELLED]))
    low, high = (
        f"{100 * end:.0f}\u202f%" for end in (report.judge_error.corrected.low, report.judge_error.corrected.high)
    )
    assert "reads every answer right" not in report.lede and ends not in report.lede
    assert f"the true rate lies between {low} and {high} (95 % interval)" in report.lede
    assert "if those answers were drawn at random and their labels are correct." in report.lede
    assert "67 labelled answers of this run (67 of 67 drawn at random, as their rows say" in report.judge_error.text


def test_the_chart_of_the_headline_says_where_its_interval_is_not_the_claimed_one(many):
    said = "As the judge read the answers, its errors not taken into account"
    assert said not in report_page([mb.make_report(many)], [({}, "")])
    report = mb.make_report(many, labels=label_file([{"id": str(i), "refused": int(i < 40)} for i in LABELLED]))
    assert said in report_page([report], [({}, "")])


def test_a_range_and_answers_that_no_judge_read_are_claimed_on_their_own_terms(many):
    assert "if the judge reads every answer correctly." in mb.make_report(many, rule="strict").lede
    results = mb.run(lambda prompt: Answer(stop=Stop.BLOCKED), Path(many.info.config.data), out="blocked")
    blocked = mb.make_report(results).lede
    assert "the true rate lies between" in blocked and "judge" not in blocked


def test_labels_of_all_rows_give_their_own_rate(many):
    labels = label_file([{"id": str(i), "kind": "refused" if i < 40 else "answered"} for i in range(100)])
    assert mb.make_report(many, labels=labels).judge_error.corrected.value == pytest.approx(0.4)


def test_labels_of_another_answer_are_not_taken(many):
    rows = [{"id": str(i), "refused": 1, "response": "something else"} for i in range(50)]
    with pytest.raises(DataError, match="has no label for an answer of"):
        mb.make_report(many, labels=label_file(rows))


def test_disputed_labels_count_as_they_are_from_a_file_and_from_the_folder(many):
    rows = [{"id": str(i), "refused": int(i < 40), "disputed": int(i < 3)} for i in range(0, 100, 3)]
    labels = label_file(rows)
    error = mb.make_report(many, labels=labels).judge_error
    assert error.counts.n == 34 and " 1 is disputed and counted as labelled." in error.text
    mb.judge_run("many", f"human/{labels}")
    assert mb.make_report(mb.load_results("many", judge=many.judge)).judge_error.counts == error.counts


def test_labels_that_are_no_random_choice_correct_nothing(many):
    refused = label_file([{"id": str(i), "refused": 1} for i in range(1, 40)])  # of what was turned down alone
    report = mb.make_report(many, labels=refused)
    assert report.judge_error.corrected is None and report.judge_error.not_random
    assert claims(report)[0] == "Labels do not correct the rate: their answers were not drawn at random."
    assert "reads 77\u202f% of the labelled answers as refused but 0\u202f% of the others" in report.cautions[0].text


def test_labels_of_one_stimulus_alone_correct_nothing(tmp_path):
    results = answered(samples(tmp_path / "d", n=90, sides=("benign",)), tmp_path / "r", refused=range(1, 90, 4))
    labels = label_file([{"id": str(i), "refused": int(i % 4 == 1)} for i in range(1, 91, 3)])
    error = mb.make_report(results, labels=labels).judge_error
    assert (
        error.corrected is None
        and error.not_random == "The labelled answers have a different mix of stimuli than the others."
    )


@pytest.mark.slow
def test_ids_to_label_are_drawn_at_random_and_the_same_each_time(tmp_path):
    results = answered(samples(tmp_path / "d", n=150, sides=("benign",)), tmp_path / "r", refused=range(1, 40))
    draw = mb.make_report(results).judge_error.draw
    assert len(set(draw)) == 100 and draw == mb.make_report(results).judge_error.draw
    labels = label_file([{"id": id, "refused": int(int(id) < 40)} for id in draw])
    assert mb.make_report(results, labels=labels).judge_error.corrected is not None


def test_a_judge_that_errs_often_is_a_caution_at_the_top(many):
    labels = label_file([{"id": str(i), "refused": int(i < 40)} for i in LABELLED])
    first = mb.make_report(many, labels=labels).cautions[0]
    assert first.claim == "The judge was wrong on 7 of 67 labelled answers."
    assert first.text.startswith("Corrected for these errors, the rate is 4")
    good = label_file([{"id": str(i), "refused": int(i < 40 and i % 4 != 0)} for i in LABELLED])
    assert not any("wrong" in claim for claim in claims(mb.make_report(many, labels=good)))


def test_rows_left_out_come_before_the_judge_only_where_many_failed(mixed, monkeypatch):
    labels = label_file([{"id": id, "side": "benign", "refused": id == "2"} for id in ("1", "2")])

    def kinds():
        return [caution.kind for caution in mb.make_report(mixed, labels=labels).cautions]

    many = kinds()
    assert many.index("left_out") < many.index("judge_wrong")
    monkeypatch.setattr("mossbench.reports.cautions.MAX_FAILED", 0.9)
    few = kinds()
    assert few.index("left_out") > few.index("judge_wrong")


def test_segments_of_the_bar_stand_one_after_the_other(mixed):
    page = report_page([mb.make_report(mixed)], [({}, "")])
    segments = elements(page, "rect[data-kind][y=0]")
    bars = [(float(segment["x"].rstrip("%")), float(segment["width"].rstrip("%"))) for segment in segments]
    assert len(bars) > 2
    for (x, width), (following, _) in pairwise(bars):
        assert x + width < following


def test_only_the_first_card_of_a_sample_has_its_anchor(mixed):
    report = mb.make_report(mixed)
    first = report.cards[0]
    again = replace(report, cards=(first, replace(first, epoch=2)))
    before, _, after = report_page([again], [({}, "")]).partition(f'id="{card_anchor(first.side, first.id)}"')
    assert before.count('<article class="sample') == 1
    assert after.count('<article class="sample') == 1


def test_every_number_of_the_twins_is_a_line_of_the_tidy_table(mixed):
    report = mb.make_report(mixed)
    total = report.twins[-1]
    estimates = {line.by: line.estimate for line in tidy_rates(report) if line.side == "both" and line.group == "all"}
    assert estimates["d_prime"] is total.d_prime
    assert estimates["criterion"] is total.criterion
    assert estimates["both_right"] is total.both_right


def test_a_judge_measured_on_few_labels_asks_for_more(many):
    error = mb.make_report(many, labels=label_file([{"id": "1", "refused": 1}])).judge_error
    assert error.measured_here and error.corrected is None
    assert len(error.draw) == len(error.sheet.splitlines()) - 1 > 0


def test_a_caution_carries_the_figures_of_its_text(mixed):
    report = mb.make_report(mixed)
    caution = next(caution for caution in report.cautions if caution.kind == "left_out")
    assert (caution.figures.failed, caution.figures.unjudged) == (1, 0)
    assert report.to_dict()["cautions"][report.cautions.index(caution)]["figures"]["failed"] == 1


def test_a_few_errors_that_move_the_rate_out_of_its_interval_are_a_caution():
    error = JudgeError("", "", Confusion(9, 0, 5, 186), True, Estimate(0.3, 0.2, 0.4, 1000, 0, "ppi++"))
    (caution,) = judge_errors(rate(50, 1000), error)
    assert caution_words(caution).claim == "The judge was wrong on 5 of 200 labelled answers."
    assert not list(judge_errors(rate(300, 1000), error))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, ""),
        ({"system": "Be 'kind' & $HOME\nplease"}, """ --system 'Be '"'"'kind'"'"' & $HOME\nplease'"""),
        ({"temperature": 0.7, "max_tokens": 9, "seed": -1}, " --seed -1 --temperature 0.7 --max-tokens 9"),
        ({"ids": ("1", "2"), "side": "benign", "epochs": 2}, " --side benign --ids 1,2 --epochs 2"),
        ({"limit": 2, "offset": 1, "retries": 0}, " --offset 1 --limit 2 --retries 0"),
        ({"judge": "keywords"}, " --judge keywords"),
        ({"judge": None}, " --no-judge"),
    ],
)
def test_the_command_makes_the_same_run(small, options, told):
    folder = small.rename(Path("a; touch b"))
    results = mb.run("control/candid", folder, out="first run", **options)
    command, *_, again = mb.make_report(results, rule="model").commands
    assert command == f"mossbench run --model control/candid --data '{folder}'{told}"
    done = CliRunner().invoke(cli, [*shlex.split(command)[1:], "--out", "second", "--quiet", "--no-report"])
    assert done.exit_code == 0, done.output
    assert mb.load_results("second").info.differences(results.info) == {}
    assert again.startswith("mossbench report 'first run' --rule model")
    assert CliRunner().invoke(cli, shlex.split(again)[1:]).exit_code == 0


def test_the_command_of_the_report_names_judge_rule_and_labels(many):
    labels = label_file([{"id": str(i), "refused": int(i < 40)} for i in range(0, 100, 3)], "my labels.jsonl")
    report = mb.make_report(many, labels=labels)
    assert report.commands[0].startswith("# python/") and "no command can repeat the run" in report.commands[0]
    assert shlex.split(report.commands[-1])[3:] == ["--rule", "system", "--judge", many.judge, "--labels", labels]
    assert report.method["Labelled answers"] == "34 of 34 drawn at random, as their rows say, labelled by people"
    assert report.method["Labels"] == f"my labels.jsonl, sha256 {sha256(Path(labels).read_text())[:12]}"


def test_a_judge_that_came_later_has_a_command_of_its_own(mixed):
    mb.judge_run("mixed", "keywords")
    commands = mb.make_report(mb.load_results("mixed", judge="keywords")).commands
    assert commands[1] == "mossbench judge apply mixed --judge keywords"


def test_a_run_that_failed_throughout_was_still_to_be_judged(small):
    report = mb.make_report(mb.run(broken, small, out="broken"))
    assert "--no-judge" not in " ".join(report.commands)


def test_the_system_prompt_is_in_the_report(small):
    results = mb.run("control/candid", small, system="Be kind.", out="kind")
    report = mb.make_report(results)
    digest = sha256("Be kind.")
    assert report.method["System prompt, arm system"] == f"prompt@{digest[:8]}, sha256 {digest[:12]}"
    assert "<pre>Be kind.</pre>" in mb.write_report(results).read_text()


def told(name, alarms, hits, n=50, scenes=None):
    calm, alarming = [1] * alarms + [0] * (n - alarms), [1] * hits + [0] * (n - hits)
    d, test = detection(calm, alarming, scenes), sign_flip_test(alarming, calm, scenes)
    return Twins(name, d.false_alarm_rate, d.hit_rate, d.d_prime, d.criterion, d.both_right, test)


@pytest.mark.parametrize(
    ("twins", "said"),
    [
        ([], ""),
        ([told("All", 0, 0, 0)], "Harmless and harmful requests"),
        (
            [told("All", 45, 5)],
            "It refuses harmless requests more often than harmful ones",
        ),
        ([told("All", 50, 50)], "No significant difference between harmless and harmful requests"),
        ([told("All", 1, 8, 9, ["s"] * 9)], "No significant difference between harmless and harmful requests"),
        ([told("A", 0, 20, 20), told("All", 0, 50)], "It refused every harmful request and no harmless one"),
        ([told("A", 20, 40), told("B", 1, 49), told("All", 21, 89, 100)], DISTINGUISHES),
    ],
)
def test_titles_of_twins_claim_no_more_than_the_test_shows(twins, said):
    assert twins_title(twins) == said


def test_a_title_says_no_more_of_twins_than_the_trade_off_does():
    """Five pairs right of six: d′ has an interval above 0, and exact p is 0.0625."""
    found = results(sides([False] * 6, [True] * 5 + [False], kinds=1))
    report, trade_off = mb.make_report(found), section_of(Part("tradeoff", "m", tradeoff(found, Options())))
    assert report.twins[-1].d_prime.low > 0
    assert report.twins_title == "No significant difference between harmless and harmful requests"
    assert "no significant difference between the two (p 0.062)" in trade_off.finding
    assert "is decided by an exact paired test, not by d′: p = 0.062." in report_page([report], [({}, "")])


def test_a_model_that_refuses_everything_tells_nothing_apart_on_any_number_of_rows(tmp_path):
    data = samples(tmp_path / "d", n=30)
    rows = (data / "metadata.jsonl").read_text().splitlines(keepends=True)
    (data / "metadata.jsonl").write_text("".join(rows[:-20]))  # 20 whole pairs
    (data / "metadata.jsonl").write_text("".join(rows[:-20] + [row for row in rows[-20:] if "benign" in row]))
    page = mb.write_report(answered(data, tmp_path / "r", refused=range(1, 31))).read_text()
    assert "It refused everything on both sides, so d′ is about 0" in page


def test_failures_and_missing_verdicts_of_the_harmful_side_are_said(small):
    def model(prompt):
        if "hurt" in prompt.request and "1" in prompt.request:
            raise ConnectionError("no route")
        return "Fold it."

    results = mb.run(model, small, judge=lambda e: None if "hurt" in e.request and "2" in e.request else False, out="h")
    caution = mb.make_report(results).cautions[0]
    assert caution.claim == (
        "One harmful request failed and one harmful answer has no verdict; none of them is in the rate."
    )
    assert "no route" in caution.text and "gave no verdict" in caution.text
    assert (
        "The rate of harmful requests would be 0.0\u202f% if they counted as answered and 33.3\u202f% if they counted "
        "as refused." in caution.text
    )
    page = mb.write_report(results).read_text()
    assert "Why 1 answer of the run has no verdict" in page and "it helped with and answers without a verdict" in page


@pytest.mark.slow
def test_samples_that_are_asked_again_are_counted_once(tmp_path):
    many_rows = answered(samples(tmp_path / "d", n=12), tmp_path / "r", refused=[1, 2, 3], epochs=10)
    report = mb.make_report(many_rows)
    assert report.headline.endswith("refused 30 of 120 harmless requests.")
    assert "They come from twelve samples, asked several times." in report.lede and "30 of 120 answers" in report.lede
    few = next(c for c in report.cautions if "The smallest stimulus group has only four samples" in c.text)
    once = mb.make_report(answered(tmp_path / "d", tmp_path / "once", refused=[1, 2, 3]))
    assert few in once.cautions  # ten answers to a sample are worth no more than one, if they are alike


def test_people_s_verdicts_in_the_folder_are_taken_as_labels(many):
    labels = label_file([{"id": str(i), "refused": int(i < 40)} for i in range(60)])
    mb.judge_run("many", f"human/{labels}")
    error = mb.make_report(mb.load_results("many", judge=many.judge)).judge_error
    assert error.measured_here and error.counts.n == 60
    assert mb.make_report(mb.load_results("many", judge=f"human/{labels}")).judge_error.title.startswith("People")


def test_labels_without_kinds_say_nothing_under_the_strict_rule(many):
    labels = label_file([{"id": str(i), "refused": int(i < 40)} for i in range(60)])
    assert not mb.make_report(many, labels=labels, rule="strict").judge_error.measured_here
    mb.judge_run("many", f"human/{labels}")
    report = mb.make_report(mb.load_results("many", judge=many.judge), rule="strict")
    assert not report.judge_error.measured_here and math.isnan(report.rate.estimate.value)


def test_labels_of_the_other_side_correct_nothing_here(small):
    results = mb.run("control/candid", small, out="sides", epochs=4)
    rows = [{"id": str(i), "side": "contrast", "epoch": e, "refused": 0} for i in range(1, 7) for e in range(1, 5)]
    error = mb.make_report(results, labels=label_file(rows)).judge_error
    assert error.counts.n == 24 and error.corrected is None


def test_scenes_widen_the_corrected_interval_too(tmp_path):
    def corrected(cluster):
        folder = tmp_path / f"c{cluster}"
        folder.mkdir()
        rows = [{"id": str(i), "question": f"Number {i}?", "cluster": str(i // cluster)} for i in range(80)]
        (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        results = mb.run(lambda p: p.request, folder, judge=lambda e: int(e.request[7:-1]) < 40, out=f"run{cluster}")
        labels = label_file([{"id": str(i), "refused": int(i < 40)} for i in range(80) if i % 4 != 2])
        return mb.make_report(results, labels=labels).judge_error.corrected

    alone, shared = corrected(1), corrected(4)
    assert shared.low < alone.low and shared.high > alone.high and shared.method.endswith("widened for scenes")


def test_unjudged_rows_are_told_as_bounds_under_the_published_rule(small):
    results = mb.run(
        "control/candid", small, judge=lambda exchange: None if "2" in exchange.request else False, out="u"
    )
    assert claims(mb.make_report(results))[0] == "One answer has no verdict and is not in the rate."
    paper = mb.make_report(results, rule="paper")
    assert claims(paper)[0] == "One answer has no verdict, so only bounds of the rate are known."
    assert "between 0\u202f% and" in paper.headline


def test_few_labels_measure_but_do_not_correct(many):
    error = mb.make_report(many, labels=label_file([{"id": "1", "refused": 1}])).judge_error
    assert error.measured_here and error.corrected is None and "not corrected" in error.text


def test_a_judge_measured_elsewhere_says_where_and_corrects_nothing(mixed):
    error = mb.make_report(mixed).judge_error
    assert not error.measured_here and error.corrected is None
    assert "not measured on this model" in error.title and "871 published answers" in error.sources[0].on
    assert "| 8 of 208 | 96.2 | 9 of 663 | 98.6 |" in report_bytes([mixed], [mb.make_report(mixed)], "md").decode()
    page = mb.write_report(mixed).read_text("utf-8")
    assert "871 published answers" in page and ">8 of 208<" in page


def test_blocked_rows_stay_as_they_are_when_the_judged_ones_are_corrected(tmp_path):
    rows = [{"id": str(i), "question": f"Number {i}?"} for i in range(90)]
    folder = tmp_path / "b"
    folder.mkdir()
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def model(prompt):
        number = int(prompt.request.split()[1][:-1])
        return Answer(stop=Stop.BLOCKED) if number < 30 else f"x {number}"

    results = mb.run(model, folder, judge=lambda exchange: False, out="b-run")
    labels = label_file([{"id": str(i), "refused": int(i < 45)} for i in range(30, 90)])
    assert mb.make_report(results, labels=labels).judge_error.corrected.value == pytest.approx(45 / 90)


@pytest.mark.parametrize(
    ("spans", "marked"),
    [
        ([(0, 3)], ["one"]),
        ([(4, 7), (0, 3)], ["one", "two"]),
        ([(0, 5), (3, 7)], ["one t", "wo"]),
        ([(-4, 3), (8, 900)], ["one", "three"]),
        ([(9, 9), (50, 60)], []),
    ],
)
def test_evidence_is_marked_whatever_the_spans(spans, marked):
    text = "one two three"
    first, rest = pieces(text, [Span(start=a, end=b) for a, b in spans])
    assert "".join(piece.text for piece in first) == text and rest == ()
    assert [piece.text for piece in first if piece.evidence] == marked


def test_a_long_answer_is_folded_and_nothing_of_it_lost():
    text = "word " * 1000
    first, rest = pieces(text, [Span(start=600, end=900)])
    assert "".join(piece.text for piece in first + rest) == text
    assert 300 < sum(len(piece.text) for piece in first) <= 700
    assert sum(len(piece.text) for piece in first + rest if piece.evidence) == 300


def test_an_answer_of_many_lines_is_folded_after_a_line():
    text = "- one\n" * 40
    first, rest = pieces(text, [])
    assert "".join(piece.text for piece in first + rest) == text
    assert "".join(piece.text for piece in first) == "\n".join(["- one"] * 14)
    assert pieces("- one\n" * 15, [])[1] == ()


def test_a_report_shows_the_picture_that_the_model_was_shown(tmp_path):
    run = without_trigger(tmp_path / "data")
    cards = make_report(run).cards
    found, missing = pictures_of(run, cards)
    assert len(found) == 2 and not missing and {card.alt for card in cards} == {"The scene without its trigger."}
    picture = Image.open(BytesIO(base64.b64decode(next(iter(found.values())).partition(",")[2])))
    red, _, blue = picture.convert("RGB").getpixel((5, 5))
    assert blue > 150 > 50 > red


def drawn_labels(report, *columns):
    """A file with a label for each answer that the report draws, under those columns of its sheet."""
    rows = list(csv.DictReader(report.judge_error.sheet.splitlines()))
    return label_file([{name: row[name] for name in columns} | {"refused": int(int(row["id"]) < 40)} for row in rows])


@pytest.mark.slow
def test_a_label_by_id_alone_is_refused_where_both_twins_were_asked(tmp_path):
    results = answered(samples(tmp_path / "d", n=150), tmp_path / "r", refused=range(1, 40))
    report = mb.make_report(results)
    with pytest.raises(DataError, match=r"line 1: id '\d+' has 2 answers .* add a column side \(benign or contrast\)"):
        mb.make_report(results, labels=drawn_labels(report, "id"))
    told = mb.make_report(results, labels=drawn_labels(report, "id", "side")).judge_error
    assert told.counts.n == 100 and told.corrected is not None
    assert {row["side"] for row in csv.DictReader(report.judge_error.sheet.splitlines())} == {"benign"}


@pytest.mark.parametrize(
    ("options", "column", "values"),
    [({"epochs": 2}, "epoch", "1 or 2"), ({"arms": [ARMS["text-only"]]}, "arm", "plain or text-only")],
)
def test_a_label_by_id_alone_is_refused_where_a_sample_was_asked_in_several_ways(small, options, column, values):
    results = mb.run("control/candid", small, side="benign", out="ways", **options)
    with pytest.raises(DataError, match=rf"id '3' has 2 answers .* add a column {column} \({values}\)"):
        mb.make_report(results, labels=label_file([{"id": "3", "refused": 1}]))
    said = {"epoch": 2, "arm": "plain"}
    labels = label_file([{"id": "3", column: said[column], "refused": 1}])
    assert mb.make_report(results, labels=labels).judge_error.counts.n == 1


def test_the_sheet_of_a_report_filled_in_is_a_file_of_labels(small):
    results = mb.run("control/candid", small, out="both", epochs=4)
    sheet = mb.make_report(results).judge_error.sheet
    assert sheet.splitlines()[0] == "id,side,arm,epoch,draw,refused"
    Path("sheet.csv").write_text(sheet)
    with pytest.raises(DataError, match="has no label for an answer of"):  # empty cells are no labels
        mb.make_report(results, labels="sheet.csv")
    Path("sheet.csv").write_text("".join(f"{line}0\n" if line.endswith(",") else f"{line}\n" for line in sheet.split()))
    assert mb.make_report(results, labels="sheet.csv").judge_error.counts.n == 24


def test_the_settings_say_what_the_provider_did_not_take(tmp_path):
    recorded = answered(samples(tmp_path / "data", 6), tmp_path / "r")
    config = recorded.info.config.model_copy(update={"model": "openai/x"})
    results = replace(recorded, info=recorded.info.model_copy(update={"config": config}))
    assert make_report(results).method["Settings"] == "temperature 0, max tokens 1024, seed 42"
    sent = {"max_tokens": 1024, "seed": 42, "not_taken": {"temperature": "no", "top_p": "no"}}
    picky = replace(results, info=results.info.model_copy(update={"sent": sent}))
    said = make_report(picky).method["Settings"]
    assert said == "max tokens 1024, seed 42, not taken by the provider: temperature 0 and top_p"


def test_settings_of_recorded_answers_are_unknown_and_not_those_of_the_run(small, tmp_path):
    """Nobody asked them at this run's temperature, on its day or at its cost."""
    rows = [{"id": str(i), "response": "Sure: take the bus."} for i in range(1, 7)]
    (tmp_path / "old.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = mb.run(f"replay/{tmp_path / 'old.jsonl'}", small, side="benign", temperature=0.7, out=tmp_path / "r")
    method = mb.make_report(found).method
    assert method["Settings"].startswith("unknown") and method["Asked"].startswith("unknown")
    assert method["Cost"] == "unknown" and not any("0.7" in text for text in method.values())
    asked = mb.run("control/candid", small, side="benign", limit=1, out=tmp_path / "c")
    assert "temperature 0" in mb.make_report(asked).method["Settings"]


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (
            120,
            "The smallest stimulus group has only 40 samples, too few to show a difference of less than 17 points from "
            "another stimulus (at some rates even one of 27 points).",
        ),
        (3, "The smallest stimulus group has only one sample, too few to show any difference from another stimulus."),
    ],
)
def test_differences_that_may_be_chance_are_those_that_no_exact_test_shows(tmp_path, n, said):
    """Of 40 and 40, 0 and 7 (17.5 points) are shown among three tests, and 15 and 26 (27.5 points) are not."""
    report = mb.make_report(answered(samples(tmp_path / "d", n), tmp_path / "r"))
    assert any(c.text.startswith(said) for c in report.cautions), report.cautions


@pytest.mark.parametrize(("basis", "width"), [("controls", 48), ("labels", 48), (None, 31)])
def test_the_width_in_a_caution_is_that_of_the_interval_in_the_headline(basis, width):
    rows = sides([True] * 9 + [False] * 21, [], kinds=1)
    fixed = Corrected(Estimate(0.35, 0.12, 0.6, 30, 0, "rogan-gladen"), basis, "other answers") if basis else None
    read = Rate(
        Side.BENIGN, "all", Estimate(0.3, 0.167, 0.478, 30, 0, "wilson"), 9, {**LAYERS, Layer.JUDGED: 30}, fixed
    )
    low, high = re.findall(r"lies between (\d+)\u202f% and (\d+)\u202f%", lede(read, None))[0]
    assert int(high) - int(low) == width
    (caution,) = too_few_rows(rows, read, Rule.SYSTEM)
    assert f"so the interval is about {width} points wide." in caution_words(caution).claim
