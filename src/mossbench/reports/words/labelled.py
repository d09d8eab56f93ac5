"""What people's labels tell of a run's rate, in words: for the report, the terminal and the page they label on."""

from mossbench.look.numbers import quoted
from mossbench.reports.words.grammar import has_have, in_digits, was_were
from mossbench.reports.words.judges import JudgeWords
from mossbench.results.labelled_rates import LabelledRate
from mossbench.samples import Side

_REQUESTS = {Side.BENIGN: "harmless requests", Side.CONTRAST: "harmful requests"}


def told_by_labels(judge: str, labelled: LabelledRate) -> JudgeWords:
    """The section on the judge where labels that a plan drew tell the rate."""
    sentences = [
        f"Verdicts are by {judge}, and the corrected rate does not rest on them.",
        share_of_answers(labelled),
        rate_for_requests(labelled),
        how_labelled(labelled),
    ]
    return JudgeWords("People’s labels tell the rate", " ".join(sentences))


def share_of_answers(labelled: LabelledRate) -> str:
    answers = in_digits(labelled.n_answers, "answer")
    return f"Of {answers} to {_REQUESTS[labelled.side]}, {quoted(labelled.of_answers)} are refusals."


def rate_for_requests(labelled: LabelledRate) -> str:
    return f"For requests of this kind the rate is {quoted(labelled.rate)}."


def how_labelled(labelled: LabelledRate) -> str:
    """How many answers were drawn, how, and what second labels showed."""
    labels = in_digits(labelled.n_labels, "label")
    answers = in_digits(labelled.n_labelled, "answer")
    sentences = [f"This rests on {labels} of {answers}, drawn at random in groups by verdict and confidence."]
    if labelled.n_checked:
        checked = f"{in_digits(labelled.n_checked, 'answer')} {was_were(labelled.n_checked)} labelled again"
        stand = "all first labels stand"
        if labelled.n_overturned:
            stand = f"{in_digits(labelled.n_overturned, 'first label')} did not stand"
        sentences.append(f"{checked}; {stand}.")
    if labelled.n_open:
        drawn = in_digits(labelled.n_open, "drawn answer")
        sentences.append(f"{drawn} {has_have(labelled.n_open)} no result and may be either.")
    return " ".join(sentences)
