"""The languages of a row: of its request and of its answer, told when they are asked for (`judges/languages`).

A user's own column of the same name comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mossbench.judges.languages.detect import ENGLISH, MIXED, NOT_SURE, language_of
from mossbench.judges.languages.reading import READ, answer_language
from mossbench.results.row_columns import StoredRows, verdicts_in_counts

if TYPE_CHECKING:
    from mossbench.results.rows import ResultRow, VerdictFacts

ANSWER_LANGUAGE = "answer_language"
REQUEST_LANGUAGE = "request_language"
LANGUAGE_COLUMNS = (ANSWER_LANGUAGE, REQUEST_LANGUAGE)
LEAST_SHARE = 0.05
"""Share of the judged answers from which a language has a say in what the judge may get wrong."""


def language_of_row(row: ResultRow, column: str) -> str | None:
    """The value of one of `LANGUAGE_COLUMNS`: a language, `mixed` or `not sure`; None where there is no text."""
    exchange = row.exchange
    if exchange is None:
        return language_of(row.sample.question) or None if column == REQUEST_LANGUAGE else None
    if column == REQUEST_LANGUAGE:
        return language_of(exchange.request) or None
    return answer_language(exchange.request, exchange.answer.text or "") or None


def are_english(languages: Iterable[str]) -> bool:
    """Whether none of these groups of rows is of another language: such a grouping tells nothing."""
    return {*languages} <= {ENGLISH, NOT_SURE, "unknown"}


def languages_read(judged: Sequence[ResultRow]) -> list[str]:
    """The languages of the answers that a judge has read, as it has noted them; those of few answers are left out."""
    counts: Counter[str] = Counter()
    for facts, n in verdicts_in_counts(judged):
        via = facts.via if facts else None
        counts[via if via in READ else ENGLISH] += n
    return [language for language, n in counts.items() if n >= LEAST_SHARE * counts.total()]


def read_in_another_language(rows: Sequence[ResultRow]) -> Sequence[ResultRow]:
    """The rows whose answers the judge has read as ones in another language than English."""

    def is_in_another(facts: VerdictFacts | None) -> bool:
        return facts is not None and facts.via in READ

    if isinstance(rows, StoredRows):
        return rows.at(rows.verdicts.where(is_in_another))
    return [row for row in rows if is_in_another(row.judged)]


def count_in_another_language(rows: Iterable[ResultRow]) -> tuple[int, int]:
    """How many answers are in another language than their request, and how many rows tell both languages."""
    n_other = 0
    n_told = 0
    for row in rows:
        asked = language_of_row(row, REQUEST_LANGUAGE)
        answered = language_of_row(row, ANSWER_LANGUAGE)
        untold = (None, NOT_SURE, MIXED)
        if asked in untold or answered in untold:
            continue
        n_told += 1
        n_other += asked != answered
    return n_other, n_told
