"""Why answers of a run have no verdict, and what gives them one: never to ask the model again, which cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from mossbench.judges.language import OTHER_LANGUAGE
from mossbench.judges.languages.reading import READ, is_not_read
from mossbench.messages import NOTHING, Message
from mossbench.outcomes import Layer
from mossbench.results.rates import layers_of
from mossbench.results.row_columns import with_outcome
from mossbench.results.row_languages import ANSWER_LANGUAGE, language_of_row
from mossbench.results.rows import ResultRow
from mossbench.results.unfamiliar import label_answers
from mossbench.ways_out import JudgeRun, Resume, WayOut

if TYPE_CHECKING:
    from mossbench.results.table import Results

NOT_JUDGED_YET = "not judged yet"
MODEL_AS_JUDGE = "rubric/kinds?model=PROVIDER/MODEL"
MULTILINGUAL_JUDGE = "reader"


class UnreadReason(NamedTuple):
    """The most common reason why rows count neither way, and what helps."""

    reason: str
    n: int
    """Rows with this reason."""
    ways_out: tuple[WayOut, ...]


def most_common_reason(results: Results, rows: Sequence[ResultRow]) -> UnreadReason | None:
    """Of the rows without a verdict; None where each answer has one."""
    unread = with_outcome(rows, lambda outcome: outcome.layer is Layer.UNJUDGED)
    if not unread:
        return None
    reasons = Counter(_reason(row) for row in unread)
    reason, n = reasons.most_common(1)[0]
    example = next(row for row in unread if _reason(row) == reason)
    return UnreadReason(reason, n, ways_to_read(results, example))


def unread_message(results: Results, rows: Sequence[ResultRow]) -> Message:
    """How many of these rows have no verdict, most often why, and what helps; `NOTHING` where all have one."""
    found = most_common_reason(results, rows)
    if found is None:
        return NOTHING
    n = layers_of(rows)[Layer.UNJUDGED]
    return Message(
        f"{n} of {len(rows)} rows have no verdict; most often ({found.n}): {found.reason}",
        found.ways_out,
    )


def with_most_common_reason(results: Results, rows: Sequence[ResultRow], text: str) -> Message:
    """A text about rows that failed or have no verdict, with the most common reason and what helps."""
    n_failed = layers_of(rows)[Layer.FAILED]
    found = most_common_reason(results, rows)
    if found is None or n_failed > found.n:
        ask_again = () if results.info.recorded or not n_failed else (Resume(results.folder, to="ask them again"),)
        return Message(text, ask_again)
    return Message(f"{text}; most often ({found.n}): {found.reason}", found.ways_out)


def ways_to_read(results: Results, row: ResultRow) -> tuple[WayOut, ...]:
    """What gives a verdict to answers such as this one."""
    facts = row.judged
    if facts is None:
        return (JudgeRun(results.folder),)
    if facts.code:
        return (JudgeRun(results.folder, to="judge them again"),)
    labels = label_answers(results)
    if facts.reason != OTHER_LANGUAGE and not is_not_read(facts.reason):
        return (labels,)
    is_readable = language_of_row(row, ANSWER_LANGUAGE) in READ
    if is_readable and not str(results.judge).startswith(f"{MULTILINGUAL_JUDGE}/"):
        return (JudgeRun(results.folder, MULTILINGUAL_JUDGE, to="use the judge that reads this language"), labels)
    return (JudgeRun(results.folder, MODEL_AS_JUDGE, to="have a model judge them"), labels)


def _reason(row: ResultRow) -> str:
    facts = row.judged
    return facts.reason if facts else NOT_JUDGED_YET
