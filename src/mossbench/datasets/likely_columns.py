"""Which columns look like requests, answers or images by their values, to propose where their names say nothing."""

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import Any

from mossbench.datasets.dataset import SUFFIXES

N_LOOKED_AT = 200
"""Rows whose values are looked at."""
_MIN_WORDS = 3
"""Words that a text has at least; a shorter one may be a name or a label."""
_MIN_SHARE = 0.8
"""Share of the values in a column that look right, at least."""
IMAGE_SUFFIXES = tuple(chain.from_iterable(SUFFIXES.values()))
Cells = Mapping[str, Any]
"""A row: column -> value."""


def request_column(rows: Sequence[Cells], columns: Iterable[str]) -> str | None:
    """The column that most looks like requests: texts, rather questions than not, rather different than the same."""
    texts_by_column = _columns_of_texts(rows, columns)
    return max(texts_by_column, key=lambda column: _likeness_to_requests(texts_by_column[column]), default=None)


def answer_column(rows: Sequence[Cells], columns: Iterable[str]) -> str | None:
    """The column that most looks like answers: the one with the longest texts."""
    texts_by_column = _columns_of_texts(rows, columns)
    return max(texts_by_column, key=lambda column: fmean(map(len, texts_by_column[column])), default=None)


def image_column(rows: Sequence[Cells], columns: Iterable[str], root: Path) -> str | None:
    """The first column whose values are paths of images of which the first is in the root."""
    for column in columns:
        values = _values(rows, column)
        paths = [value for value in values if isinstance(value, str) and value.lower().endswith(IMAGE_SUFFIXES)]
        if paths and len(paths) >= _MIN_SHARE * len(values) and os.path.isfile(root / paths[0]):
            return column
    return None


def _columns_of_texts(rows: Sequence[Cells], columns: Iterable[str]) -> dict[str, list[str]]:
    """The texts of each column in which most values are texts of several words."""
    texts_by_column: dict[str, list[str]] = {}
    for column in columns:
        values = _values(rows, column)
        texts = [value for value in values if isinstance(value, str) and len(value.split()) >= _MIN_WORDS]
        if texts and len(texts) >= _MIN_SHARE * len(values):
            texts_by_column[column] = texts
    return texts_by_column


def _values(rows: Sequence[Cells], column: str) -> list[Any]:
    """What the first rows hold in a column, without empty cells."""
    values = [row.get(column) for row in rows[:N_LOOKED_AT]]
    return [value for value in values if value is not None and not (isinstance(value, str) and not value.strip())]


def _likeness_to_requests(texts: Sequence[str]) -> tuple[float, float]:
    """The share of questions, and then the share of different texts."""
    n_questions = sum(text.rstrip().endswith("?") for text in texts)
    return n_questions / len(texts), len(set(texts)) / len(texts)
