"""Known cautions in, exact words out."""

import math
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from mossbench.outcomes import Layer
from mossbench.reports import caution_figures as figures
from mossbench.reports.words.cautions import CautionWords, caution_words, rate_words
from mossbench.results.answerers import StoodIn
from mossbench.results.rates import Rate
from mossbench.results.rehearsal import PlantedAndFound
from mossbench.results.uncounted_arms import UncountedArms
from mossbench.results.unfinished import Unfinished
from mossbench.samples import Side
from mossbench.statistics import Confusion, Estimate

LAYERS = dict.fromkeys(Layer, 0)
FOLDER = Path("runs/my run")
OPEN_ROWS = Unfinished(n_open=3, n_planned=40, pending=None, n_unjudged=0, max_cost=None, spent=None)
BOUNDS = "Under this rule each missing row may count either way. "


def rate_of(value: float, n: int = 40, high: float = 0.5, side: Side = Side.BENIGN) -> Rate:
    return Rate(side, "all", Estimate(value, 0.1, high, n, 0, "wilson"), 0, LAYERS)


def stood_in(n: int, p: float, rate: float = 0.25, without: float = 0.2, those: float = 0.5) -> StoodIn:
    return StoodIn(
        side=Side.CONTRAST,
        names={"b": n},
        n_said_by_provider=0,
        n=n,
        n_answered=40,
        n_own=40 - n,
        rate=rate_of(rate),
        without=rate_of(without),
        by_others=rate_of(those),
        p=p,
    )


def left_out(failed: int, unjudged: int, side: Side = Side.BENIGN) -> figures.LeftOut:
    return figures.LeftOut(side, failed, unjudged, why_failed=None, why_unjudged=None, low=0.125, high=0.25)


def planted(side: Side) -> PlantedAndFound:
    counts = {name: 0 for name in PlantedAndFound.__dataclass_fields__ if name != "side"}
    return PlantedAndFound(
        side=side, **{**counts, "n_rows": 9, "n_asked": 9, "n_planted": 2, "n_counted": 9, "n_found": 2}
    )


CAUTIONS = [
    (
        figures.Unfinished(OPEN_ROWS, Path("runs/x"), bounds=False),
        "The run is not finished, so its rates may change.",
        "3 of 40 rows were not asked yet; resume it with: mossbench run --resume runs/x",
    ),
    (
        figures.Unfinished(OPEN_ROWS, Path("runs/x"), bounds=True),
        "The run is not finished, so only bounds of its rates are known.",
        f"{BOUNDS}3 of 40 rows were not asked yet; resume it with: mossbench run --resume runs/x",
    ),
    (
        figures.InProgress(OPEN_ROWS, bounds=False),
        "The run is in progress, so its rates may change.",
        "3 of 40 rows were not asked yet.",
    ),
    (
        figures.InProgress(OPEN_ROWS, bounds=True),
        "The run is in progress, so only bounds of its rates are known.",
        f"{BOUNDS}3 of 40 rows were not asked yet.",
    ),
    (
        figures.NotJudged(1, FOLDER),
        "No answer has been judged, so none is in the rate.",
        "Judge the answer with: mossbench judge apply 'runs/my run'",
    ),
    (
        figures.NotJudged(13, FOLDER),
        "No answer has been judged, so none is in the rate.",
        "Judge the 13 answers with: mossbench judge apply 'runs/my run'",
    ),
    (
        figures.PartlyLabelled("Only 3 of 9 have a label."),
        "Labels do not correct the rate: only some of the drawn answers have one.",
        "Only 3 of 9 have a label.",
    ),
    (
        figures.NotRandom("They differ."),
        "Labels do not correct the rate: their answers were not drawn at random.",
        "They differ.",
    ),
    (
        figures.UnknownChoice("Say how."),
        "Labels do not correct the rate: how their answers were chosen is not known.",
        "Say how.",
    ),
    (
        figures.JudgeWrong(Confusion(true_yes=0, false_yes=1, false_no=0, true_no=0), None),
        "The judge was wrong on 1 of 1 labelled answer.",
        "The rate is not corrected for these errors.",
    ),
    (
        figures.JudgeWrong(Confusion(10, 2, 3, 85), Estimate(0.2, 0.1, 0.3, 100, 0, "ppi")),
        "The judge was wrong on 5 of 100 labelled answers.",
        "Corrected for these errors, the rate is 20.0\u202f% (10.0 to 30.0).",
    ),
    (
        figures.FailedCounted(1, Side.BENIGN, None, rate_of(0.25)),
        "One failed request is in the rate as refused.",
        "The published table counts this way. Without it the rate is 25.0\u202f%.",
    ),
    (
        figures.FailedCounted(2, Side.CONTRAST, figures.Reason("too slow", 2, is_only=True), rate_of(0.25)),
        "Two failed harmful requests are in the rate as refused.",
        "The published table counts this way. Reason: Too slow. Without them the rate is 25.0\u202f%.",
    ),
    (
        figures.UnjudgedCounted(1, Side.BENIGN, None),
        "One answer has no verdict, so only bounds of the rate are known.",
        "Under this rule each may count either way.",
    ),
    (
        figures.UnjudgedCounted(3, Side.CONTRAST, figures.Reason("a reply without a verdict", 2, is_only=False)),
        "Three harmful answers have no verdict, so only bounds of the rate are known.",
        "Most common reason (2): A reply without a verdict. Under this rule each may count either way.",
    ),
    (
        left_out(failed=1, unjudged=0),
        "One request failed and is not in the rate.",
        "The rate of harmless requests would be 12.5\u202f% if it counted as answered and 25.0\u202f% if it counted as "
        "refused.",
    ),
    (
        left_out(failed=0, unjudged=1),
        "One answer has no verdict and is not in the rate.",
        "The rate of harmless requests would be 12.5\u202f% if it counted as answered and 25.0\u202f% if it counted as "
        "refused.",
    ),
    (
        replace(
            left_out(failed=2, unjudged=3, side=Side.CONTRAST), why_failed=figures.Reason("timeout", 1, is_only=False)
        ),
        "Two harmful requests failed and three harmful answers have no verdict; none of them is in the rate.",
        "Most common reason (1): Timeout. The rate of harmful requests would be 12.5\u202f% if they counted as "
        "answered and 25.0\u202f% if they counted as refused.",
    ),
    (
        figures.MayBeAlias("a", (figures.NamedModel("b", 3),)),
        "No reply names the model that was asked for, so the rate may be of another.",
        "a was asked; the replies name b (3). The endpoint may use another name for it.",
    ),
    (
        figures.MayBeAlias("a", tuple(figures.NamedModel(name, 1) for name in "bcdef")),
        "No reply names the model that was asked for, so the rate may be of another.",
        "a was asked; the replies name b (1), c (1), d (1) and 2 more. The endpoint may use another name for it.",
    ),
    (
        figures.AnotherAnswered("a", (figures.NamedModel("b", 1),), stood_in(1, p=0.5)),
        "Another model answered 1 of 40 harmful requests.",
        "a was asked; the replies name b (1). With it the rate is 25.0\u202f%, without it: 20.0\u202f%. The "
        "difference may "
        "be chance.",
    ),
    (
        figures.AnotherAnswered("a", (figures.NamedModel("b", 2),), stood_in(2, p=0.5, rate=0.2)),
        "Another model answered 2 of 40 harmful requests.",
        "a was asked; the replies name b (2). With them the rate is 20.0\u202f%, without them: 20.0\u202f%.",
    ),
    (
        figures.AnotherAnswered("a", (figures.NamedModel("b", 9),), stood_in(9, p=0.01)),
        "Another model answered 9 of 40 harmful requests.",
        "a was asked; the replies name b (9). With them the rate is 25.0\u202f%, without them: 20.0\u202f%. These "
        "rows are refused significantly more often than the others (50.0\u202f% and 20.0\u202f%); they were not drawn "
        "at random, so this does not compare the models.",
    ),
    (
        figures.ModelChanged(("v1", "v2", "v3", "v4"), first=7),
        "The model changed during the run, so the rate mixes versions.",
        "The provider reported four versions (v1, v2, v3 and 1 more), the second since row 7. Run again before you "
        "compare.",
    ),
    (
        figures.Drift("it reads 3 of 9 otherwise"),
        "The judge has drifted, so the rate may not compare with earlier ones.",
        "It reads 3 of 9 otherwise.",
    ),
    (
        figures.JudgeBroke(1, "no reply"),
        "The judge failed on one answer, which has no verdict.",
        "Most common reason: No reply.",
    ),
    (
        figures.NotItsWords(rate_of(0.25), blocked=1, empty=0, refused=1),
        "One of one refusal is not the model’s words.",
        "The provider’s filter blocked one. Without it the rate is 25.0\u202f%.",
    ),
    (
        figures.NotItsWords(rate_of(0.25), blocked=2, empty=1, refused=9),
        "Three of nine refusals are not the model’s words.",
        "The provider’s filter blocked two, one came back empty. Without them the rate is 25.0\u202f%.",
    ),
    (
        figures.NotItsWords(rate_of(math.nan, n=0), blocked=0, empty=2, refused=2),
        "Two of two refusals are not the model’s words.",
        "Two came back empty. Without them no row counts.",
    ),
    (
        figures.PlantedRefusals((planted(Side.BENIGN), planted(Side.CONTRAST))),
        "This is a rehearsal: its rate says nothing about any other model.",
        "A control model refused what was planted. Harmless: planted 2 of 9, found 2 of 9. Harmful: planted 2 of 9, "
        "found 2 of 9.",
    ),
    (
        figures.InstrumentCheck(),
        "This rate is of a control model, whose behaviour is known.",
        "It checks mossbench itself and cannot be compared with rates on the published benchmark.",
    ),
    (
        figures.KeywordJudge(FOLDER),
        "The rate may be far off: this judge only looks for refusal phrases.",
        "Judge again with: mossbench judge apply 'runs/my run' --judge reader",
    ),
    (
        figures.JudgeUnmeasured("own/1"),
        "How far the judge’s errors move the rate is not known.",
        "own/1 has not been compared with labels.",
    ),
    (
        figures.Unfamiliar(3, of=10),
        "The rate is not known: 3 of 10 answers are unfamiliar to the judge.",
        "Label answers drawn at random and pass them with --labels.",
    ),
    (
        figures.CutOff(1),
        "One answer was cut off, so its verdict may be wrong.",
        "The token limit ended it: raise --max-tokens.",
    ),
    (
        figures.CutOff(20),
        "20 answers were cut off, so their verdicts may be wrong.",
        "The token limit ended them: raise --max-tokens.",
    ),
    (
        figures.SeveralArms(("plain", "system")),
        "The rate counts two arms together.",
        "The arms are plain and system prompt; the table by arm shows each.",
    ),
    (
        figures.FewInGroup(1, None),
        "Small differences between stimuli may be chance.",
        "The smallest stimulus group has only one sample, too few to show any difference from another stimulus.",
    ),
    (
        figures.FewInGroup(8, (62, 75)),
        "Small differences between stimuli may be chance.",
        "The smallest stimulus group has only eight samples, too few to show a difference of less than 62 points from "
        "another stimulus (at some rates even one of 75 points).",
    ),
    (
        figures.FewInGroup(8, (75, 62)),
        "Small differences between stimuli may be chance.",
        "The smallest stimulus group has only eight samples, too few to show a difference of less than 75 points from "
        "another stimulus.",
    ),
    (
        figures.Few(1, Side.BENIGN, None),
        "Only one sample counts.",
        "More harmless requests are needed for an interval.",
    ),
    (
        figures.Few(9, Side.CONTRAST, 40),
        "Only nine samples count, so the interval is about 40 points wide.",
        "More harmful requests would narrow it.",
    ),
    (
        figures.SharedScenes(24, 13),
        "The interval is computed over 13 independent scenes or samples, not 24 rows.",
        "Some rows share a scene or repeat a request, so they are not independent.",
    ),
    (
        figures.SharedScenes(24, 1),
        "There is no interval.",
        "The 24 rows all come from one scene or sample.",
    ),
    (figures.Note("a setting was not taken"), "Note from the run.", "A setting was not taken."),
]


@pytest.mark.parametrize(("caution", "claim", "text"), CAUTIONS, ids=lambda value: getattr(value, "kind", ""))
def test_a_caution_is_said_in_these_words(caution, claim, text):
    assert caution_words(caution) == CautionWords(claim, text)


def test_answers_under_other_arms_name_the_command_that_counts_them():
    words = caution_words(figures.Elsewhere(UncountedArms(FOLDER, "plain", n_answers=2000, n_arms=1)))
    assert words.claim == "Answers under other arms are not in the rate."
    assert words.text.startswith("Only the arm plain is counted; 2,000 further answers under 1 other arm are not; ")
    assert "load_results" not in words.text


def test_every_caution_has_its_words_in_the_table_of_this_file():
    said = {type(caution) for caution, _, _ in CAUTIONS} | {figures.Elsewhere}
    assert said == set(get_args(figures.CautionFigures))


def test_kinds_are_different():
    kinds = [record.kind for record in get_args(figures.CautionFigures)]
    assert len(set(kinds)) == len(kinds)


def test_a_rate_of_which_only_bounds_are_known_is_given_as_its_upper_bound():
    assert rate_words(rate_of(math.nan, high=0.5)) == "up to 50\u202f%"
