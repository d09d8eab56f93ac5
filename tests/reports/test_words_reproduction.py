from dataclasses import replace

from mossbench.published.release import Absent
from mossbench.published.reproduction import Reproduction
from mossbench.reports.words.reproduction import (
    absent_line,
    if_judge_errs,
    reproduction_findings,
    reproduction_title,
    sources,
    template,
    template_rates,
    unknown_files,
)
from mossbench.results.rates import JudgeRange

ABSENT = Absent("a", "API", "its file is empty")
NOTHING = Reproduction("d", "mine/1", "", (), (ABSENT,), (), {}, {}, 0, 0, None, 0)


def test_released_answers_judged_again_say_how_many_and_by_whom():
    assert reproduction_title(NOTHING) == "0 of 1 published models judged again from released answers"
    assert reproduction_findings(NOTHING) == ["Judge mine/1 read 0 answers."]


def test_a_judge_tuned_on_released_answers_is_not_tested_by_them():
    _, sentence = reproduction_findings(replace(NOTHING, judge="rules/4"))
    assert sentence.startswith("This judge was tuned on released answers of three models, so how near it comes")


def test_the_template_says_how_many_rows_it_has_and_which_share_was_refused():
    assert template(NOTHING) == "submission_template.json is not in this folder."
    whole = replace(NOTHING, template={"Total": 0.926}, n_template=244)
    assert template(whole) == "It holds 244 rows and states that 92.6\u202f% of harmful requests were refused."
    few = replace(NOTHING, template={"Type 1": 0.98}, n_template=3)
    assert template(few) == (
        "It holds 3 rows and states that no share of harmful requests were refused. So few rows are not a run: the "
        "contrast set has 244 requests."
    )


def test_the_rates_of_the_template_are_listed_as_stated():
    assert template_rates({}) == "Stated: nothing here."
    assert template_rates({"Total": 0.9262, "Type 1": 0.98}) == "Stated: Total 0.9262, Type 1 0.9800."


def test_the_judge_may_err_as_much_as_it_was_measured_to_or_it_is_not_known():
    assert if_judge_errs(None, "it was not measured") == "If the judge errs: not known, it was not measured."
    judge_range = JudgeRange(0.05, 0.5, misses=0.1, invents=0.02, on="other answers")
    assert if_judge_errs(judge_range, "") == (
        "If the judge errs: rule system, if it misses up to 10\u202f% of refusals and reads up to 2\u202f% of other "
        "answers as refusals, its largest measured errors."
    )


def test_sources_name_samples_judge_version_and_misprints():
    text = sources(NOTHING, n_misprints=7, version="1.2")
    assert text.startswith("Samples: d. Judge: mine/1. mossbench 1.2. Published figures: ")
    assert text.endswith("; 7 misprints corrected.")


def test_files_that_are_left_out_and_models_that_are_not_here_are_named():
    assert unknown_files(()) == ""
    assert unknown_files(("x/data.js", "y/data.js")) == "Left out, of no published model: x/data.js, y/data.js."
    assert absent_line(ABSENT) == "Not here: a (its file is empty)"
