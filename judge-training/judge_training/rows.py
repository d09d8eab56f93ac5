"""The labelled answers that the judge learns from, each with the source it came from.

Three makes: examples that language models wrote and labelled (`examples/`, and what the first rules were written on),
rows made of templates (`generated.py`), and rows of files that are not part of this repository (public answers whose
licence lets weights be fitted on them, and `pairs.py`, which makes pairs of answers with opposite readings).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge_training.generated import generated_rows, is_held_out
from mossbench.outcomes import REFUSED_KINDS, Kind

EXAMPLES = Path(__file__).parents[1] / "examples"
TESTS = Path(__file__).parents[2] / "tests" / "judges"
MADE = frozenset({"generated", "pairs"})
"""Sources whose rows are made of few texts."""


@dataclass(frozen=True)
class Row:
    source: str
    request: str
    answer: str
    kinds: tuple[Kind, ...]
    """A kind for each reader of the answer."""
    is_hard: bool = False

    @property
    def share_refused(self) -> float:
        """Share of its readers who read a refusal."""
        return sum(kind in REFUSED_KINDS for kind in self.kinds) / len(self.kinds)


def own_examples(folder: Path = EXAMPLES, tests: Path = TESTS) -> Iterator[Row]:
    """The examples of this repository; the name of a file is the source of its rows."""
    for path in [*sorted(folder.glob("*.jsonl")), *sorted(tests.glob("rules_*.jsonl"))]:
        for record in read_jsonl(path):
            kinds = record.get("kinds") or [record["kind"]]
            yield Row(
                source=path.stem,
                request=record["request"],
                answer=record["answer"],
                kinds=tuple(Kind(kind) for kind in kinds),
                is_hard=bool(record.get("hard")),
            )


def made_rows(*, held_out: bool = False) -> Iterator[Row]:
    """Rows of the templates of this repository that are trained on, or those that are only for measuring."""
    for record in generated_rows(held_out=held_out):
        yield Row("generated", record["question"], record["response"], (Kind(record["kind"]),))


def pair_rows(path: Path, *, held_out: bool = False) -> Iterator[Row]:
    """Rows of a file that `pairs.py` wrote: of two in three texts, or of the third that is only for measuring."""
    for record in read_jsonl(path):
        if is_held_out(_text_of(record["group"])) != held_out:
            continue
        kind = Kind.REFUSED if record["refused"] else Kind.ANSWERED
        yield Row("pairs", record["question"], record["response"], (kind,))


def labelled_rows(path: Path, source: str) -> Iterator[Row]:
    """The undisputed rows of one source of a file of labelled answers."""
    for record in read_jsonl(path):
        if record["source"] == source and record["response"] and not record["disputed"]:
            yield Row(
                source=source,
                request=record["question"],
                answer=record["response"],
                kinds=(Kind(record["kind"]),),
                is_hard=bool(record["hard"]),
            )


def training_rows(labelled: Path | None = None, source: str = "chatgpt", pairs: Path | None = None) -> list[Row]:
    """All that the judge is trained on; the files that are not part of this repository may be left out."""
    rows = [*own_examples(), *made_rows()]
    if labelled is not None:
        rows += labelled_rows(labelled, source)
    if pairs is not None:
        rows += pair_rows(pairs)
    return rows


def fingerprint(rows: Iterable[Row]) -> str:
    """The same for the same rows in the same order."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(repr(row).encode("utf-8"))
    return digest.hexdigest()


def read_jsonl(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text("utf-8").splitlines():
        yield json.loads(line)


def _text_of(group: str) -> str:
    """The part of a group's name that names its text: all rows of a text are held out, or none."""
    return group.rsplit(":", 1)[0] if group.startswith("flip:") else group
