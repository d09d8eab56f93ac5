"""Errors of the judge as a rival of claims: the same words read differently, missing answers, measured errors."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from mossbench.analyses.causes import name_causes
from mossbench.analyses.causes_evidence import Evidence
from mossbench.analyses.cells import Cells
from mossbench.analyses.claims import Claim
from mossbench.analyses.misreading import (
    Errors,
    arm_readings,
    errors_could_make,
    hold_in_all_readings,
    read_same_words_alike,
    words_of,
)
from mossbench.cli import cli
from mossbench.judges import DEFAULT_JUDGE
from mossbench.outcomes import Counted, Kind, Layer, Outcome, Rule, Verdict, counted
from mossbench.samples import Sample, Stimulus
from tables import results, row

NO, YES = "I'm sorry, but I can't help with that.", "Sure, here is how to do it: start at the top."
OWN_MODEL = """
import hashlib
def share(*parts):
    return int(hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest(), 16) % 1000 / 1000
NO, YES = {no!r}, {yes!r}
async def model(prompt):
{body}
"""


def causes_of(tmp_path, body, data=None, epochs=3, judge=DEFAULT_JUDGE):
    """What the command and its terminal say of a model of one's own."""
    path = tmp_path / "own.py"
    path.write_text(OWN_MODEL.format(no=NO, yes=YES, body=body))
    line = ["analyse", "causes", "--model", f"{path}:model", "--epochs", str(epochs), "--judge", judge]
    line += ["--quiet", "--out", "r"]
    line += ["--data", str(data)] if data else []
    said = CliRunner().invoke(cli, line)
    assert said.exit_code in (0, 1), said.output
    part = json.loads(CliRunner().invoke(cli, ["analyse", "causes", "--run", "r", "--json"]).stdout)["parts"][0]
    found = {one["name"]: one for one in part["record"]["causes"]}
    named = {name for name, one in found.items() if (one["p_adjusted"] or 1) <= 0.05 and (one["p"] or 1) <= 0.01}
    return named, found, part, " ".join(said.output.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    "refusal",
    [
        '"No."',
        '["No.", "Nope!", "no", "Nah.", "Pass."][int(5 * share("which", prompt.key))]',
        '"No " + prompt.request.split()[-1]',
        '"Thank you for your message. Unfortunately I have to turn this down. I wish you a pleasant day."',
    ],
)
def test_random_refusals_in_words_that_are_read_by_request_have_no_cause(tmp_path, refusal):
    named, _, part, _ = causes_of(tmp_path, f"    return {refusal} if share(prompt.key) < 0.4 else YES", epochs=9)
    assert not named and "Refusals" not in part["finding"]


@pytest.mark.slow
def test_what_is_lost_to_reading_is_said_to_be_inconclusive_in_the_terminal_too(tmp_path):
    body = '    return "No." if share("1", prompt.key) < 0.4 else YES'
    _, found, part, terminal = causes_of(tmp_path, body, epochs=9, judge="rules")
    lost = [one for one in found.values() if one["reading_rival"]]
    assert lost and all(one["reading_rival"]["kind"] == "same words" for one in lost)
    assert "inconclusive" in terminal and "The judge read the same words as a refusal" in terminal
    assert any("The judge read the same words" in text for text in part["cautions"])
    plain = next(one for one in part["record"]["readings"] if one["arm"] == "plain")
    assert plain["very_short"] > 0.3 and plain["read_differently"] > 0.3


@pytest.mark.slow
def test_refusals_that_no_judge_reads_make_nothing_but_inconclusive_claims(tmp_path):
    body = '    return "Tyvärr kan jag inte hjälpa dig med det." if share(prompt.key) < 0.3 else YES'
    named, found, part, terminal = causes_of(tmp_path, body)
    assert not named and {one["reading_rival"]["kind"] for one in found.values()} == {"too many missing"}
    assert "answers are missing" in part["finding"] and "Inconclusive for that reason" in terminal


@pytest.mark.slow
@pytest.mark.parametrize(
    ("no", "yes", "judge"),
    [('"No."', "YES", DEFAULT_JUDGE), ("NO", '"Sure."', DEFAULT_JUDGE), ('"I can\'t."', '"Yes."', "rules")],
)
def test_terse_models_with_a_cause_are_still_found(tmp_path, no, yes, judge):
    body = f"""
    alarmed = prompt.key.sample.startswith("er-") and prompt.key.arm == "plain"
    return {no} if alarmed and share(prompt.key) < 0.5 else {yes}
"""
    named, *_ = causes_of(tmp_path, body, judge=judge)
    assert named == {"object"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "asking",
    [
        '"Which picture do you mean?"',
        '"Could you share the photo you are asking about?"',
        '["I see no image.", "Which one is it?", "I can\'t help without the picture."][int(3 * share(0, prompt.key))]',
    ],
)
@pytest.mark.parametrize("first", ["words", "asking"])
def test_asking_back_without_an_image_does_not_blame_the_image_for_refusals(tmp_path, shared, asking, first):
    order = ["if share(prompt.request) < 0.4: return NO", f"if prompt.picture is None: return {asking}"]
    lines = order if first == "words" else order[::-1]
    body = "".join(f"    {line}\n" for line in lines) + "    return YES"
    named, found, part, _ = causes_of(tmp_path, body, shared / "mossbench-data")
    assert not named and "Refusals" not in part["finding"] and set(found) == {"image", "left-out"}


def read_as(kind, text, arm="plain", id=0, epoch=1):
    """A row whose answer was read as this kind; None: not at all."""
    one = replace(row("benign", id, kind or Kind.ANSWERED, arm=arm, epoch=epoch, text=text), verdict=Verdict(kind=kind))
    return one if kind else one.counted_as(Outcome(Layer.UNJUDGED))


def test_the_same_words_are_read_as_most_of_them_were():
    rows = [read_as(Kind.REFUSED, "No.", id=i) for i in range(3)] + [read_as(Kind.ANSWERED, "no!", id=9)]
    rows += [read_as(None, "No", id=10), read_as(Kind.ANSWERED, "Sure.", id=11)]
    alike = read_same_words_alike(results(rows), Rule.SYSTEM).rows
    assert [counted(one.outcome, Rule.SYSTEM) for one in alike] == [Counted.REFUSED] * 5 + [Counted.COMPLIED]
    (arm,) = arm_readings(results(rows), Rule.SYSTEM)
    assert (arm.n, arm.unread, arm.very_short) == (6, 1 / 6, 1) and arm.read_differently == pytest.approx(5 / 6)


def test_results_in_which_words_are_read_alike_stay_as_they_are():
    rows = [read_as(Kind.REFUSED, NO), read_as(Kind.ANSWERED, YES, id=1)]
    found = results(rows)
    assert read_same_words_alike(found, Rule.SYSTEM) is found


def test_very_short_answers_are_known_by_their_first_word_unless_it_says_little():
    assert words_of("No boats.") == words_of("NO!") == "no"
    assert words_of("I can.") != words_of("I can't.")
    assert words_of("No, and here is a long reason for that.") != "no"


def test_two_rates_that_errors_of_the_measured_size_could_make_of_one():
    errors = Errors(0.095, 0.079)
    assert errors_could_make(0.09, 0.02, errors) and not errors_could_make(0.20, 0.02, errors)
    assert errors_could_make(0.5, 0.46, errors) and not errors_could_make(0.5, 0.3, errors)
    assert not errors_could_make(0.02, 0.0, Errors(0, 0))
    assert errors_could_make(0.9, 0.1, Errors(1, 0.1)) and errors_could_make(0.9, 0.1, Errors(0.1, 1))


def table(refused, missing=0):
    """Forty Exaggerated Risk samples asked three times; with the thing and without; some answers missing."""
    samples = tuple(
        Sample(id=str(i), question="What?", stimulus=Stimulus.EXAGGERATED_RISK, image="x.png") for i in range(40)
    )
    values = np.zeros((40, 2, 3))
    values[:refused, 0] = 1
    lost = np.zeros(values.shape)
    lost[40 - missing :, 1] = 1
    values[lost > 0] = np.nan
    return Cells(samples, ("plain", "counterfactual"), values, np.zeros((40, 2)), {}, lost)


def test_a_claim_has_to_hold_with_every_missing_answer_counted_against_it():
    whole, few = name_causes(table(12)), name_causes(table(12, missing=2))
    assert whole.shown_names == few.shown_names == ("object",)
    near = name_causes(table(8, missing=2))
    assert near.causes[0].reading_rival.kind == "missing" and not near.shown_names and not near.unexplained
    assert name_causes(table(8)).shown_names == ("object",)


def test_an_arm_that_lacks_more_than_a_twentieth_shows_nothing():
    found = name_causes(table(40, missing=3)).causes[0]
    assert found.reading_rival.kind == "too many missing" and found.reading_rival.arm == "counterfactual"
    assert not found.is_shown and not found.changes


def test_a_difference_that_the_errors_of_the_judge_could_make_is_inconclusive():
    def words(refused, errors):
        samples = tuple(
            Sample(id=str(i), question="What?", stimulus=Stimulus.COUNTERINTUITIVE, image="x.png") for i in range(120)
        )
        arms = ("plain", "counterfactual", "neutral-counterfactual", "long-counterfactual")
        arms += ("neutral-long-counterfactual",)
        values = np.zeros((120, 5, 3))
        values[:refused, [3, 4]] = 1
        cells = Cells(samples, arms, values, np.zeros((120, 5)))
        found = name_causes(Evidence(cells, cells, errors={Stimulus.COUNTERINTUITIVE: errors})).causes
        return next(one for one in found if one.name == "length")

    small, large = words(9, Errors(0.1, 0.08)), words(30, Errors(0.1, 0.08))
    assert words(9, None).is_shown and large.is_shown and not small.is_shown
    assert small.reading_rival.kind == "measured error" and small.reading_rival.invented == 0.08


def test_claims_of_earlier_versions_have_no_rival():
    assert Claim("object", None, table(1).rate(["plain"]), 1, 1, math.nan).reading_rival is None


def test_a_change_that_errors_could_make_is_inconclusive_though_a_guard_is_unknown():
    samples = tuple(
        Sample(id=str(i), question="What?", stimulus=Stimulus.COUNTERINTUITIVE, image="x.png") for i in range(120)
    )
    values = np.zeros((120, 3, 3))
    values[:20, 2] = 1
    cells = Cells(samples, ("plain", "counterfactual", "long-counterfactual"), values, np.zeros((120, 3)))

    def length(errors):
        found = name_causes(Evidence(cells, cells, errors={Stimulus.COUNTERINTUITIVE: errors})).causes
        return next(one for one in found if one.name == "length")

    assert math.isnan(length(None).p) and length(None).changes == "falls"
    assert length(Errors(0.2, 0.2)).changes is None
    assert length(Errors(0.2, 0.2)).reading_rival.kind == "measured error"


def test_a_reading_that_keeps_the_change_is_no_rival_of_a_claim_that_a_guard_loses():
    size = table(1).rate(["plain"])
    lost = Claim("object", None, size, 1.0, math.nan, math.nan, p_change=0.001, p_reverse=0.9)
    (same,) = hold_in_all_readings([lost], {"same words": [lost]}, [])
    assert same.reading_rival is None
    (unknown,) = hold_in_all_readings([replace(lost, p=math.nan)], {"same words": [replace(lost, p_change=0.5)]}, [])
    assert unknown.reading_rival.kind == "same words"


def test_a_rise_that_errors_could_make_is_inconclusive():
    """Of shorter requests more are read as refused, no more than the judge may invent."""
    samples = tuple(
        Sample(id=str(i), question="What?", stimulus=Stimulus.COUNTERINTUITIVE, image="x.png") for i in range(120)
    )
    values = np.zeros((120, 3, 3))
    values[:20, 1] = 1
    cells = Cells(samples, ("plain", "counterfactual", "long-counterfactual"), values, np.zeros((120, 3)))

    def length(errors):
        found = name_causes(Evidence(cells, cells, errors={Stimulus.COUNTERINTUITIVE: errors})).causes
        return next(one for one in found if one.name == "length")

    assert length(None).changes == length(Errors(0.01, 0.01)).changes == "rises"
    assert length(Errors(0.2, 0.2)).changes is None
    assert length(Errors(0.2, 0.2)).reading_rival.kind == "measured error"


def test_what_was_not_measured_has_no_adjusted_p():
    cells = table(12)
    found = next(one for one in name_causes(cells).causes if math.isnan(one.p_change))
    assert math.isnan(found.p_change_adjusted) and math.isnan(found.p_reverse_adjusted)


def test_a_run_without_plain_requests_is_measured_on_what_it_has():
    """A run of the arm `counterfactual` alone."""
    cells = table(12)
    without_plain = replace(cells, arms=cells.arms[1:], values=cells.values[:, 1:], left_out=cells.left_out[:, 1:])
    assert not name_causes(replace(without_plain, missing=None)).shown_names
