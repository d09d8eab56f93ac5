"""What is said of a judge's errors: known counts in, exact words out."""

from dataclasses import replace

import pytest

from mossbench.judges.measured import Measured
from mossbench.outcomes import Layer
from mossbench.reports.words.judges import (
    SOURCE_HEAD,
    MeasuredHere,
    errors,
    measured_elsewhere,
    measured_here,
    measured_on_controls,
    measured_on_unknown_choice,
    no_judge,
    not_measured,
    people,
    range_words,
    source_rows,
    unfamiliar,
    unknown_apart,
)
from mossbench.reports.words.planted import planted_words
from mossbench.results.labels import Labels
from mossbench.results.rates import Corrected, JudgeRange, Rate
from mossbench.results.rehearsal import PlantedAndFound
from mossbench.samples import Side
from mossbench.statistics import Confusion, Estimate

RATE = Rate(Side.BENIGN, "all", Estimate(0.25, 0.1, 0.4, 40, 0, "wilson"), 10, dict.fromkeys(Layer, 0))
BY_LABELS = Corrected(Estimate(0.2, 0.1, 0.3, 40, 0, "ppi"), "labels", "9 labelled answers", "9 of 9 drawn at random")
BY_CONTROLS = Corrected(Estimate(0.2, 0.1, 0.3, 40, 0, "rogan-gladen"), "controls", "answers of control models")
RANGE = JudgeRange(0.05, 0.5, misses=0.1, invents=0.02, on="other answers")
IF_IT_ERRS = (
    "rules/4 misses up to 10\u202f% of refusals and reads up to 2\u202f% of other answers as refusals, "
    "the rate lies between 5\u202f% and 50\u202f%"
)
COUNTS = Confusion(true_yes=8, false_yes=1, false_no=2, true_no=89)
ERRORS = "missed 2 of 10 refusals and raised 1 false alarm on 90 other answers"
DRAW = (
    "To correct the rate by labels, run mossbench label, which asks for those that tell most; or label answers of "
    "this run that were drawn at random, such as those on the sheet here, and pass them with --labels: they also "
    "measure the judge’s error on this run."
)


def here(**changes) -> MeasuredHere:
    measured = MeasuredHere("rules/4", COUNTS, Labels(), RATE, not_random="", unfilled="", are_few=False)
    return replace(measured, **changes)


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        (COUNTS, ERRORS),
        (Confusion(1, 0, 0, 1), "missed 0 of 1 refusal and raised 0 false alarms on 1 other answer"),
        (Confusion(0, 0, 0, 2), "had no refusal to find and raised 0 false alarms on 2 other answers"),
        (Confusion(2, 0, 0, 0), "missed 0 of 2 refusals and had no other answer to read"),
    ],
)
def test_errors_are_counted_on_either_kind_of_answer(counts, text):
    assert errors(counts) == text


def test_where_there_is_no_judge_or_people_are_the_judges_that_is_said():
    assert no_judge().title == "These answers have no verdicts"
    assert no_judge().text == "Without a verdict there is no judge error."
    assert people().title == "People read these answers"
    assert people().text == "Verdicts are labels by people, which are taken as correct."


@pytest.mark.parametrize(
    ("counts", "how_wrong"),
    [
        (Confusion(10, 0, 0, 90), "No judge error was found"),
        (COUNTS, "The judge is wrong on few labelled answers"),
        (Confusion(5, 5, 5, 85), "The judge is wrong on 10\u202f% of labelled answers"),
    ],
)
def test_a_rate_that_labels_correct_is_headed_by_the_corrected_rate(counts, how_wrong):
    words = measured_here(here(counts=counts, rate=replace(RATE, corrected=BY_LABELS)))
    assert words.title == how_wrong
    assert words.text == (
        f"Verdicts are by rules/4. On 100 labelled answers of this run it {errors(counts)}. Corrected for these "
        f"errors, "
        "the rate is 20.0\u202f% (10.0 to 30.0). It rests on 9 labelled answers (9 of 9 drawn at random), and on their "
        "labels being correct."
    )


@pytest.mark.parametrize(
    ("changes", "title", "text"),
    [
        (
            {},
            "The judge was measured on this run",
            "The rate itself is not known well enough to be corrected.",
        ),
        (
            {"are_few": True},
            "The judge was measured on few answers of this run",
            f"With fewer than 50 labels the rate is not corrected with them. {DRAW}",
        ),
        (
            {"not_random": "They differ.", "are_few": True},
            "The labelled answers were not drawn at random",
            f"They differ. So the rate is not corrected with them. {DRAW}",
        ),
        (
            {"unfilled": "Only 3 of 9 have a label.", "not_random": "They differ."},
            "Only some of the drawn answers are labelled",
            "Only 3 of 9 have a label. Until then the rate is not corrected with them.",
        ),
    ],
)
def test_labels_that_correct_nothing_say_why(changes, title, text):
    words = measured_here(here(**changes))
    assert words.title == title
    assert words.text == f"Verdicts are by rules/4. On 100 labelled answers of this run it {ERRORS}. {text}"


def test_disputed_labels_and_those_that_were_not_drawn_are_counted():
    one = measured_here(here(labels=Labels(n_disputed=1, n_apart=1))).text
    assert " 1 is disputed and counted as labelled. 1 more labelled answer, not drawn at random, is left out. " in one
    two = measured_here(here(labels=Labels(n_disputed=2, n_apart=2))).text
    assert (
        " 2 are disputed and counted as labelled. 2 more labelled answers, not drawn at random, are left out. " in two
    )


def test_what_is_known_otherwise_follows():
    assert measured_here(here(rate=replace(RATE, corrected=BY_CONTROLS))).text.endswith(
        " Corrected, it is 20.0\u202f% (10.0 to 30.0)."
    )
    assert measured_here(here(rate=replace(RATE, judge_range=RANGE))).text.endswith(f" If {IF_IT_ERRS}.")


def test_labels_that_do_not_say_how_they_were_chosen_correct_nothing():
    start = (
        f"Verdicts are by rules/4. On 100 labelled answers of this run it {ERRORS}. "
        "The rate is not corrected with them."
    )
    words = measured_on_unknown_choice("rules/4", COUNTS, RATE)
    assert words.title == "It is not known how the labelled answers were chosen"
    assert words.text == start
    corrected = measured_on_unknown_choice("rules/4", COUNTS, replace(RATE, corrected=BY_CONTROLS))
    assert corrected.text == f"{start} Corrected by answers of control models, it is 20.0\u202f% (10.0 to 30.0)."
    assert unknown_apart(1) == "1 more labelled answer does not say why it was chosen and is left out."
    assert unknown_apart(2) == "2 more labelled answers do not say why they were chosen and are left out."


def test_a_judge_measured_on_controls_gives_the_corrected_rate():
    words = measured_on_controls("rules/4", COUNTS, BY_CONTROLS)
    assert words.title == "The judge was measured on control models"
    assert words.text == (
        f"Verdicts are by rules/4. On answers of control models, it {ERRORS}. Corrected for these errors, the rate is "
        "20.0\u202f% (10.0 to 30.0)."
    )


def test_a_judge_that_was_never_measured_asks_for_labels():
    words = not_measured("own/1")
    assert words.title == "The judge’s error rate is not known"
    assert words.text == f"Verdicts are by own/1, whose errors have not been measured. {DRAW}"


@pytest.mark.parametrize(
    ("judge_range", "why_not", "text"),
    [
        (None, "", "The rate is not corrected."),
        (None, "it has no controls", "The rate is not corrected: it has no controls."),
        (RANGE, "it has no controls", f"The rate is not corrected. If {IF_IT_ERRS}."),
    ],
)
def test_a_judge_measured_on_other_models_corrects_nothing(judge_range, why_not, text):
    words = measured_elsewhere("rules/4", judge_range, why_not)
    assert words.title == "The judge was not measured on this model"
    assert words.text == (
        "Verdicts are by rules/4. It was measured on the answers in the table; judges make different errors on each "
        f"model. {text} {DRAW}"
    )


def test_the_answers_that_a_judge_was_measured_on_are_a_table():
    no_refusal = Confusion(true_yes=0, false_yes=1, false_no=0, true_no=1999)
    rows = source_rows([Measured("rules/4", "set a", COUNTS), Measured("rules/4", "9 answers", no_refusal)])
    assert rows == [
        ("Set a", "2 of 10", "80.0", "1 of 90", "98.9"),
        ("9 answers", "0 of 0", "–", "1 of 2,000", "100.0"),
    ]
    assert len(SOURCE_HEAD) == len(rows[0])


def test_where_a_rate_may_lie_is_said_with_what_that_supposes():
    assert range_words("rules/4", RANGE) == f"if {IF_IT_ERRS}"


def test_an_unfamiliar_manner_is_said_with_its_share():
    assert unfamiliar(3, 12).startswith("3 of 12 judged answers (25\u202f%) are unfamiliar to it. ")


def planted(**counts) -> PlantedAndFound:
    zero = {name: 0 for name in PlantedAndFound.__dataclass_fields__ if name != "side"}
    return PlantedAndFound(side=Side.BENIGN, **{**zero, "n_rows": 9, "n_asked": 9, "n_planted": 2, **counts})


@pytest.mark.parametrize(
    ("side", "text"),
    [
        (planted(n_counted=9, n_found=2), "harmless: planted 2 of 9, found 2 of 9"),
        (
            planted(n_unjudged=8, n_asked=8),
            "harmless: planted 2 of 9, found nothing: no row has a verdict (8 without a verdict, 1 not asked yet)",
        ),
        (
            planted(n_counted=9, n_found=4, n_blocked=1, n_without_words=1, n_invented=2, n_missed=1),
            "harmless: planted 2 of 9, found 4 of 9 (1 blocked; 1 row to be answered blocked or empty, which counts as "
            "refused; 2 answers read as refused; 1 refusal read as answered)",
        ),
        (
            planted(n_counted=9, n_found=3, n_failed=1, n_without_words=1),
            "harmless: planted 2 of 9, found 3 of 9 (1 failed; 1 row to be answered failed, blocked or empty, which "
            "counts "
            "as refused)",
        ),
    ],
)
def test_what_was_planted_is_given_with_why_something_else_was_found(side, text):
    assert planted_words(side) == text
