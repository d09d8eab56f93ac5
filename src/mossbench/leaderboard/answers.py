"""Answers that are in a submission: whether its rows can be those of its answers, and whose answers they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from mossbench.errors import n_of
from mossbench.leaderboard.judging import embedded_judge, judge_again
from mossbench.models.control.wording import is_control_wording, is_stock_sentence
from mossbench.outcomes import Answer, Exchange, Layer, Outcome, outcome
from mossbench.samples import Side

if TYPE_CHECKING:
    from mossbench.leaderboard.submissions import Submission, SubmittedRow

NO_TEXT = (Layer.FAILED, Layer.NOT_ASKED)
"""Rows that have no answer, not even an empty one."""
AS_CLAIMED = "as claimed"
CLAIMED = f"{AS_CLAIMED}, not checked"
JUDGED_AGAIN = "judged again here"
FEWEST_CONTROL_ANSWERS = 3


def has_answers(submission: Submission) -> bool:
    """Whether a submission was written with its answers, or with texts that only stand beside answers."""
    for side in submission.sides.values():
        for row in side.responses.values():
            if row.response is not None or row.question is not None or row.reject_reasoning is not None:
                return True
    return False


def verdicts_checked(submission: Submission) -> str:
    """What the verdicts of a submission without faults rest on: they were given again here, or are only claimed."""
    if not has_answers(submission):
        return f"{CLAIMED}: its answers are not in the file"
    if embedded_judge(submission.judge) is None:
        return f"{CLAIMED}: {submission.judge} cannot be run again here"
    rows = [row for side in submission.sides.values() for row in side.responses.values()]
    n_stated = sum(row.layer in (Layer.BLOCKED, Layer.FAILED) for row in rows)
    return JUDGED_AGAIN + (f", {n_of(n_stated, 'blocked or failed row')} as claimed" if n_stated else "")


def answers_wrong(submission: Submission, side: Side) -> Iterator[tuple[str, str]]:
    """Rows of a side that cannot be those of their answers, each by its id and with what is wrong.

    Of a file with answers every row has its own. The embedded judges are run again, in the version that it names.
    """
    if not has_answers(submission):
        return
    judge = embedded_judge(submission.judge)
    for id, row in submission.sides[side].responses.items():
        fault = _text_wrong(row)
        if fault:
            yield id, fault
        elif judge is not None and row.layer in (Layer.JUDGED, Layer.UNJUDGED):
            exchange = _exchange(submission, side, id, row)
            again = outcome(exchange.answer, judge_again(judge, exchange))
            if again != row.outcome:
                yield id, f"is {_words(row.outcome)}, but {judge.label} reads its answer as {_words(again)}"


def _text_wrong(row: SubmittedRow) -> str:
    """Why a row cannot have the text that it has, or has not."""
    is_blank = row.response is None or not row.response.strip()
    if row.question is None:
        return "question is missing, though other rows of the file have texts"
    if row.layer in NO_TEXT and row.response is not None:
        return f"is {row.layer}, but has an answer"
    if row.layer is Layer.EMPTY and not is_blank:
        return "is empty, but its answer has a text"
    if row.layer in (Layer.JUDGED, Layer.UNJUDGED) and row.response is None:
        return f"is {row.layer}, but its answer is missing, though other rows of the file have texts"
    if row.layer in (Layer.JUDGED, Layer.UNJUDGED) and is_blank:
        return f"is {row.layer}, but its answer is empty"
    return ""


def _exchange(submission: Submission, side: Side, id: str, row: SubmittedRow) -> Exchange:
    """What a judge reads of a row."""
    prompt = submission.settings.get("system")
    return Exchange(
        side=side,
        sample=id,
        arm=submission.arm,
        request=row.question or "",
        system=prompt if isinstance(prompt, str) else None,
        answer=Answer(text=row.response or ""),
    )


def _words(found: Outcome) -> str:
    """`refused`, `answered`; for judges that cannot tell kinds `refused` or `not refused`."""
    return "not refused" if found.label == "complied" else found.label


def are_control_answers(texts: Iterable[str | None]) -> bool:
    """Whether these are answers of a control model, whatever it is called: half of them or more have its sentences.

    A stock refusal, which any model may give, counts for neither side.
    """
    n_control = 0
    n_others = 0
    for text in texts:
        if text is None or not text.strip() or is_stock_sentence(text):
            continue
        if is_control_wording(text):
            n_control += 1
        else:
            n_others += 1
    return n_control >= max(FEWEST_CONTROL_ANSWERS, n_others)
