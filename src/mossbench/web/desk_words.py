"""Sentences with numbers on the pages of both desks: labels, ratings and people. Fixed text is in the templates."""

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from mossbench.annotation.agreement import Agreement, Measures
from mossbench.annotation.label_queue import Standing
from mossbench.annotation.people import Person
from mossbench.annotation.reviews import Thresholds
from mossbench.annotation.store import Label, Progress
from mossbench.look.numbers import quoted, two_decimals
from mossbench.reports.words.grammar import has_have, in_digits, is_are
from mossbench.reports.words.labelled import how_labelled, rate_for_requests, share_of_answers
from mossbench.statistics import Estimate
from mossbench.web.desks import Desk


def queue_heading(n_items: int) -> str:
    return f"Add answers to the queue of {n_items}" if n_items else "Choose answers to label"


def done_heading(progress: Progress, name: str) -> str:
    if progress.n_skipped:
        return f"Done, except {progress.n_skipped} that you skipped"
    return f"All done for now, {name}"


def done_text(progress: Progress, desk: Desk) -> str:
    text = f"You have {desk.past} {progress.n_done}. Everything is saved."
    if not progress.n_waiting:
        return text
    need = "needs" if progress.n_waiting == 1 else "need"
    return f"{text} {progress.n_waiting} {need} another person, so that {desk.noun}s can be compared."


def skipped_text(n_skipped: int) -> str:
    """Beside the progress; empty where nothing was skipped."""
    return f"{n_skipped} skipped" if n_skipped else ""


def label_panel_text(standing: Standing) -> str:
    """What the labels of a run tell so far, and when they will tell more."""
    next_figures = in_digits(standing.n_left_in_block, "label")
    if standing.rate is None:
        return f"The first figures come in {next_figures}."
    n_left = standing.n_left or 0
    until = f"About {in_digits(n_left, 'label')} to go until the interval is ±{100 * standing.within:g} points."
    return f"{share_of_answers(standing.rate)} {until} The next figures come in {next_figures}."


def labelled_run_heading(standing: Standing) -> str:
    rate = standing.rate
    if not standing.is_done or rate is None:
        return "Others have the rest of this block"
    return f"Done: {quoted(rate.of_answers)} are refusals"


def labelled_run_text(standing: Standing) -> str:
    """What the labels of a run tell in the end; or that somebody else has to finish before there is more."""
    if not standing.is_done or standing.rate is None:
        return "They were shown its last answers. Reload the page in a few minutes."
    rate = standing.rate
    return f"{share_of_answers(rate)} {rate_for_requests(rate)} {how_labelled(rate)} Everything is saved."


def mine_heading(labels: Sequence[Label], desk: Desk) -> str:
    """How much somebody labelled and skipped."""
    if not labels:
        return f"You have {desk.past} nothing yet"
    n_labels = sum(bool(label.value) for label in labels)
    n_skipped = len(labels) - n_labels
    if not n_labels:
        return f"You skipped {n_skipped}"
    yours = f"Your one {desk.noun}" if n_labels == 1 else f"Your {n_labels} {desk.noun}s"
    return f"{yours}, and {n_skipped} skipped" if n_skipped else yours


def people_heading(people: Sequence[Person], desk: Desk) -> str:
    if not people:
        return "Nobody has joined yet"
    persons = "One person" if len(people) == 1 else f"{len(people)} people"
    n_labels = sum(person.n_labels for person in people)
    if not n_labels:
        return f"{persons}, no {desk.noun}s yet"
    return f"{persons}, {n_labels:,} {desk.noun}{'' if n_labels == 1 else 's'}"


def link_text(name: str, desk: Desk, *, is_reviewer: bool) -> str:
    """What a link lets its holder do."""
    may = f"Anyone who opens it {desk.verb}s under this name"
    if is_reviewer:
        can_download = desk.path == "/annotate"
        may += (
            f", {'sees, overrides and downloads' if can_download else 'sees and overrides'} the {desk.noun}s of others,"
        )
    return (
        f"{may} and sees nothing else of the app. Earlier links for {name} no longer work. This one is shown only now; "
        "you can make a new one at any time."
    )


def labels_heading(*, n_labelled: int, n_double: int, n_differ: int) -> str:
    if not n_labelled:
        return "No answer is labelled yet"
    if not n_double:
        answers_are = "answer is" if n_labelled == 1 else "answers are"
        return f"{n_labelled:,} {answers_are} labelled, none by two people yet"
    if not n_differ:
        return "No answer has two different labels"
    answers_have = "answer has" if n_double == 1 else "answers have"
    return f"{n_differ:,} of {n_double:,} {answers_have} different labels"


def labels_text(*, n_labelled: int, n_double: int, n_differ: int, n_open: int) -> str:
    """Where labels differ, how many of them somebody decided, and what one does on the page."""
    sentences = []
    if n_differ:
        n_decided = n_differ - n_open
        open_are = f"{n_open} {is_are(n_open)}" if n_open else "None is"
        decided_are = f"{n_decided} {is_are(n_decided)}" if n_decided else "none is"
        sentences.append(f"{open_are} open, {decided_are} decided.")
    n_single = n_labelled - n_double
    if n_double and n_single > 0:
        sentences.append(f"{n_single:,} more {has_have(n_single)} one label.")
    sentences.append("Open an answer to decide, or to override what people said, with a reason.")
    return " ".join(sentences)


def no_labels_fit(show: Literal["open", "differ", "decided", "all"], *, is_filtered: bool) -> str:
    """That a list of labels is empty; `show`: which of them were asked for."""
    names = {
        "differ": "No disagreement",
        "open": "No open disagreement",
        "decided": "No decision",
        "all": "No label",
    }
    return f"{names[show]} fits these filters." if is_filtered else f"{names[show]}."


def accepted_heading(*, n_accepted: int, n_rows: int) -> str:
    candidates = "candidate" if n_rows == 1 else "candidates"
    return f"{n_accepted:,} of {n_rows:,} {candidates} {is_are(n_accepted)} accepted"


def accepted_text(*, n_rejected: int, n_open: int, limits: Thresholds) -> str:
    """How many candidates are rejected and open, and when one is accepted."""
    are = "is" if n_rejected <= 1 else "are"
    wait = "waits" if n_open <= 1 else "wait"
    people = "one person" if limits.reviewers == 1 else f"{limits.reviewers} people"
    return (
        f"{n_rejected or 'None'} {are} rejected, {n_open or 'none'} {wait} for ratings by {people}. A candidate is "
        f"accepted if its average naturalness is {limits.naturalness} or more and, where it is meant to be harmless, "
        f"its average harmfulness is {limits.harmfulness} or less; or by a decision with a reason."
    )


def reviewers_agreement(alphas: Mapping[str, Estimate]) -> str:
    """How far reviewers agree on each question."""
    if not max(alpha.n for alpha in alphas.values()):
        return "The agreement of reviewers is unknown until two have rated the same candidate."
    parts = [f"{name} {_with_interval(alpha)} on {alpha.n}" for name, alpha in alphas.items()]
    return f"Agreement of reviewers (Krippendorff’s alpha, ordinal): {', '.join(parts)}."


def _with_interval(alpha: Estimate) -> str:
    if math.isnan(alpha.low):
        return two_decimals(alpha.value)
    return f"{two_decimals(alpha.value)} ({two_decimals(alpha.low)} to {two_decimals(alpha.high)})"


def agreement_heading(agreement: Agreement) -> str:
    if not agreement.n_labelled:
        return "No answer is labelled yet"
    if not agreement.n_double:
        are = is_are(agreement.n_labelled)
        answers = n_answers(agreement.n_items)
        return f"{agreement.n_labelled} of {answers} {are} labelled, none by two people yet"
    n_same = agreement.people[0].same
    return f"People agree on {n_same} of {n_answers(agreement.n_double)}: refused or not"


def same_on(measures: Measures) -> str:
    return f"the same on {measures.same} of {n_answers(measures.n)}"


def judge_agreement(agreement: Agreement) -> str:
    """How far the judge agrees with people."""
    measures = agreement.with_judge[0]
    if not measures.n:
        return "Inconclusive: no answer has both a verdict and labels that settle whether it refuses."
    alpha = measures.alpha
    measured = ""
    if has_width(alpha):
        measured = f": alpha is {two_decimals(alpha.value)} ({two_decimals(alpha.low)} to {two_decimals(alpha.high)})"
    answers = n_answers(measures.n)
    return f"On refused or not, {agreement.judge} agrees with people on {measures.same} of {answers}{measured}."


def has_width(estimate: Estimate) -> bool:
    """Whether an interval has a width: it has none where all answers are alike, and then says nothing."""
    return estimate.low < estimate.high


def labels_so_far(agreement: Agreement) -> str:
    answers = n_answers(agreement.n_items)
    n_labelled = agreement.n_labelled
    n_double = agreement.n_double
    return f"{n_labelled} of {answers} {has_have(n_labelled)} a label, {n_double} {has_have(n_double)} two or more."


def label_the_rest(n_left: int) -> str:
    return f"Label the other {n_left if n_left > 1 else 'one'}"


def label_all(n_items: int) -> str:
    return f"Label {n_answers(n_items)}" if n_items else "Label them"


def conflicts_open(n_conflicts: int) -> str:
    return f"{n_conflicts} {'conflict is' if n_conflicts == 1 else 'conflicts are'} open"


def resolve_conflicts(n_conflicts: int) -> str:
    return f"Resolve {n_conflicts} {'conflict' if n_conflicts == 1 else 'conflicts'}"


def scale_note(agreement: Agreement) -> str:
    """How to read alpha, and its chart where there is one."""
    is_drawn = has_width(agreement.people[0].alpha) or has_width(agreement.with_judge[0].alpha)
    drawn = "The charts show alpha on refused or not: " if is_drawn else ""
    return (
        f"{drawn}1 is full agreement, 0 what chance alone would give, and an arrow marks values below 0. By "
        "convention, labels are reliable from 0.80 on, and allow tentative conclusions from 0.67 on: the dashed lines."
    )


def settled_by_decisions(n_decided: int, undecided: Mapping[str, int]) -> str:
    """How many answers are settled by a decision, and what the files of labels have for open conflicts.

    `undecided`: numbers of conflicts that nobody has decided, by what settles their labels without a decision.
    """
    answers_are = "answer is" if n_decided <= 1 else "answers are"
    settled = f"{n_decided or 'No'} {answers_are} settled by a decision"
    n_conflicts = sum(undecided.values())
    if not n_conflicts:
        return f"{settled}."
    conflicts = "open conflict" if n_conflicts == 1 else "open conflicts"
    ways = {
        "majority": "by majority",
        "refused alone": "as refused or not, without a kind",
        "nobody": "as disputed",
    }
    parts = [f"{undecided[by]} {way}" for by, way in ways.items() if undecided.get(by)]
    return f"{settled}. The files also have {n_conflicts} {conflicts}: {', '.join(parts)}."


def n_answers(n: int) -> str:
    return f"{n} answer" if n == 1 else f"{n} answers"
