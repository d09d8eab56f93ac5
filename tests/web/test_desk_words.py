from dataclasses import replace
from math import nan
from pathlib import Path

import pytest

from mossbench.annotation.agreement import Agreement, Measures
from mossbench.annotation.people import Person
from mossbench.annotation.reviews import Thresholds
from mossbench.annotation.store import Label, Progress
from mossbench.statistics import Estimate
from mossbench.web.build import build_heading, build_text
from mossbench.web.desk_words import (
    accepted_heading,
    accepted_text,
    agreement_heading,
    conflicts_open,
    done_heading,
    done_text,
    judge_agreement,
    label_all,
    label_the_rest,
    labels_heading,
    labels_so_far,
    labels_text,
    link_text,
    mine_heading,
    no_labels_fit,
    people_heading,
    queue_heading,
    resolve_conflicts,
    reviewers_agreement,
    scale_note,
    settled_by_decisions,
    skipped_text,
)
from mossbench.web.desks import Desk
from mossbench.web.site import samples_heading

LABELS = Desk("/annotate", "Annotate", Path("x.db"), "", verb="label", noun="label", past="labelled")
RATINGS = Desk("/review", "Review", Path("x.db"), "", verb="rate", noun="rating", past="rated")
UNKNOWN = Estimate(nan, nan, nan, 0, 0, "nothing")
ALPHA = Estimate(0.81, 0.7, 0.92, 12, 0, "bootstrap")


def agreement(n_items, n_labelled, n_double, *, of_judge=0, alpha=UNKNOWN):
    people = Measures("refused or not", "Cohen", UNKNOWN, UNKNOWN, UNKNOWN, same=n_double, n=n_double)
    judge = Measures("refused or not", "Cohen", alpha, alpha, alpha, same=of_judge, n=of_judge)
    return Agreement(n_items, n_labelled, n_double, 1, (True, 0), (people,), (), {}, "rules/4", (judge,), {})


def label(value):
    return Label("ref", "ann", value, "", "2026-01-31")


def test_a_queue_that_is_empty_is_chosen_and_one_that_is_not_is_added_to():
    assert [queue_heading(0), queue_heading(7)] == ["Choose answers to label", "Add answers to the queue of 7"]


def test_who_is_done_reads_what_waits_for_others():
    assert done_heading(Progress(3, 0, 0, 0), "Ann") == "All done for now, Ann"
    assert done_heading(Progress(3, 2, 0, 0), "Ann") == "Done, except 2 that you skipped"
    assert done_text(Progress(3, 0, 0, 0), RATINGS) == "You have rated 3. Everything is saved."
    assert done_text(Progress(3, 0, 0, 1), LABELS).endswith(
        "You have labelled 3. Everything is saved. 1 needs another person, so that labels can be compared."
    )
    assert done_text(Progress(3, 0, 0, 2), RATINGS).endswith("2 need another person, so that ratings can be compared.")


def test_what_is_mine_counts_what_was_skipped_apart():
    said = label({"kind": "refused"})
    assert mine_heading([], LABELS) == "You have labelled nothing yet"
    assert mine_heading([label({})], RATINGS) == "You skipped 1"
    assert mine_heading([said], LABELS) == "Your one label"
    assert mine_heading([said, said, label({})], RATINGS) == "Your 2 ratings, and 1 skipped"


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([], "Nobody has joined yet"),
        ([0], "One person, no labels yet"),
        ([1], "One person, 1 label"),
        ([1000, 2], "2 people, 1,002 labels"),
    ],
)
def test_people_are_counted_with_what_they_said(numbers, text):
    people = [Person("Ann", "guest", n, "", "open") for n in numbers]
    assert people_heading(people, LABELS) == text


def test_a_link_says_what_its_holder_may_do():
    assert link_text("Ann", LABELS, is_reviewer=False).startswith(
        "Anyone who opens it labels under this name and sees nothing else of the app. Earlier links for Ann no longer"
    )
    assert link_text("Ann", RATINGS, is_reviewer=True).startswith(
        "Anyone who opens it rates under this name, sees and overrides the ratings of others, and sees"
    )


@pytest.mark.parametrize(
    ("n_labelled", "n_double", "n_differ", "text"),
    [
        (0, 0, 0, "No answer is labelled yet"),
        (1, 0, 0, "1 answer is labelled, none by two people yet"),
        (2, 0, 0, "2 answers are labelled, none by two people yet"),
        (2, 1, 0, "No answer has two different labels"),
        (2, 1, 1, "1 of 1 answer has different labels"),
        (9, 4, 2, "2 of 4 answers have different labels"),
    ],
)
def test_a_list_of_labels_is_headed_by_how_many_differ(n_labelled, n_double, n_differ, text):
    assert labels_heading(n_labelled=n_labelled, n_double=n_double, n_differ=n_differ) == text


def test_labels_that_differ_are_open_or_decided():
    open_answer = "Open an answer to decide, or to override what people said, with a reason."
    assert labels_text(n_labelled=1, n_double=0, n_differ=0, n_open=0) == open_answer
    assert labels_text(n_labelled=3, n_double=2, n_differ=2, n_open=1) == (
        f"1 is open, 1 is decided. 1 more has one label. {open_answer}"
    )
    assert labels_text(n_labelled=2, n_double=2, n_differ=2, n_open=0) == (
        f"None is open, 2 are decided. {open_answer}"
    )


def test_a_list_without_rows_says_whether_filters_made_it_so():
    assert no_labels_fit("open", is_filtered=False) == "No open disagreement."
    assert no_labels_fit("all", is_filtered=True) == "No label fits these filters."


def test_agreement_is_headed_by_how_far_labels_go():
    assert agreement_heading(agreement(5, 0, 0)) == "No answer is labelled yet"
    assert agreement_heading(agreement(1, 1, 0)) == "1 of 1 answer is labelled, none by two people yet"
    assert agreement_heading(agreement(5, 4, 1)) == "People agree on 1 of 1 answer: refused or not"
    assert agreement_heading(agreement(5, 4, 3)) == "People agree on 3 of 3 answers: refused or not"


def test_the_judge_is_compared_with_people_where_both_spoke():
    assert judge_agreement(agreement(5, 4, 3)) == (
        "Inconclusive: no answer has both a verdict and labels that settle whether it refuses."
    )
    assert judge_agreement(agreement(5, 4, 3, of_judge=1)) == (
        "On refused or not, rules/4 agrees with people on 1 of 1 answer."
    )
    assert judge_agreement(agreement(5, 4, 3, of_judge=4, alpha=ALPHA)) == (
        "On refused or not, rules/4 agrees with people on 4 of 4 answers: alpha is 0.81 (0.70 to 0.92)."
    )


def test_what_is_drawn_is_named_only_where_something_is():
    assert scale_note(agreement(5, 4, 3)).startswith("1 is full agreement, 0 what chance")
    assert scale_note(agreement(5, 4, 3, of_judge=4, alpha=ALPHA)).startswith(
        "The charts show alpha on refused or not: 1 is"
    )


def test_what_is_left_to_do_is_counted():
    assert labels_so_far(agreement(1, 1, 1)) == "1 of 1 answer has a label, 1 has two or more."
    assert labels_so_far(agreement(5, 4, 0)) == "4 of 5 answers have a label, 0 have two or more."
    assert [label_the_rest(1), label_the_rest(3)] == ["Label the other one", "Label the other 3"]
    assert [label_all(0), label_all(1), label_all(2)] == ["Label them", "Label 1 answer", "Label 2 answers"]
    assert [conflicts_open(1), conflicts_open(2)] == ["1 conflict is open", "2 conflicts are open"]
    assert [resolve_conflicts(1), resolve_conflicts(2)] == ["Resolve 1 conflict", "Resolve 2 conflicts"]


def test_files_of_labels_say_how_open_conflicts_are_in_them():
    assert settled_by_decisions(0, {}) == "No answer is settled by a decision."
    assert settled_by_decisions(1, {"nobody": 1}) == (
        "1 answer is settled by a decision. The files also have 1 open conflict: 1 as disputed."
    )
    assert settled_by_decisions(2, {"nobody": 1, "majority": 3}) == (
        "2 answers are settled by a decision. The files also have 4 open conflicts: 3 by majority, 1 as disputed."
    )


def test_candidates_are_counted_by_what_was_decided():
    limits = Thresholds()
    assert accepted_heading(n_accepted=1, n_rows=1) == "1 of 1 candidate is accepted"
    assert accepted_heading(n_accepted=0, n_rows=2000) == "0 of 2,000 candidates are accepted"
    assert accepted_text(n_rejected=0, n_open=2, limits=limits).startswith(
        "None is rejected, 2 wait for ratings by 2 people. A candidate is accepted if its average"
    )
    assert accepted_text(n_rejected=2, n_open=0, limits=replace(limits, reviewers=1)).startswith(
        "2 are rejected, none waits for ratings by one person. "
    )
    assert skipped_text(0) == ""
    assert skipped_text(2) == "2 skipped"


def test_reviewers_agree_as_far_as_it_was_measured():
    assert reviewers_agreement({"harmfulness": UNKNOWN}) == (
        "The agreement of reviewers is unknown until two have rated the same candidate."
    )
    no_interval = replace(ALPHA, low=nan, high=nan)
    assert reviewers_agreement({"harmfulness": ALPHA, "naturalness": no_interval}) == (
        "Agreement of reviewers (Krippendorff’s alpha, ordinal): harmfulness 0.81 (0.70 to 0.92) on 12, naturalness "
        "0.81 on 12."
    )


def test_a_build_says_what_waits_and_what_became_of_drafts():
    assert build_heading("mine", []) == "mine has no candidates yet"
    assert build_text(n=0, n_waiting=0, n_rejected=0, shows_twins=False) == ""
    assert build_text(n=2, n_waiting=0, n_rejected=1, shows_twins=False) == (
        "None waits for a step. 1 draft was rejected; rejected.jsonl says why."
    )
    assert build_text(n=2, n_waiting=2, n_rejected=0, shows_twins=True) == (
        "2 wait for a step. Harmful twins ask for things that should be refused."
    )


def test_samples_of_a_site_are_counted():
    assert [samples_heading(1, "d"), samples_heading(2000, "d")] == ["1 sample of d", "2,000 samples of d"]
