"""Columns: what one run answered to a sample, as the explorer and comparisons show it."""

from collections.abc import Sequence
from dataclasses import dataclass

from mossbench.datasets.arms import PLAIN, Arm
from mossbench.outcomes import Counted, Layer, Rule, counted
from mossbench.protocols import without_folders
from mossbench.reports.cards import pieces, silence, why
from mossbench.reports.html import card_anchor
from mossbench.reports.record import Piece
from mossbench.reports.words.runs import arm_title
from mossbench.results.rows import ResultRow
from mossbench.web.data import Data
from mossbench.web.loaded_run import LoadedRun, SampleKey
from mossbench.web.pages import picture_address, run_address


@dataclass(frozen=True)
class ShownAnswer:
    """One answer: its outcome, its text with the evidence marked, and why it was judged so.

    Its fields are called like those of a card in a report: one macro shows both.
    """

    kind: str = ""
    helped: bool = False
    answer: Sequence[Piece] = ()
    rest: Sequence[Piece] = ()
    """The end of a long answer, which the page shows when the reader opens it."""
    silence: str = ""
    """Why there is no text."""
    why: str = ""


@dataclass(frozen=True)
class Column:
    """What one run answered to the sample; without an outcome where it has no answer."""

    name: str
    report: str = ""
    arm: Arm = PLAIN
    asked_picture: str = ""
    """The address of the image that the model was shown, where that is not the sample's own."""
    asked_with: str = ""
    """The same image in words."""
    answer: ShownAnswer = ShownAnswer()
    raw: Sequence[tuple[str, str]] = ()
    """Names and values of what is on record."""
    other_answers: Sequence[tuple[str, str]] = ()
    """Which ones they are, and their outcomes."""


def column_of(data: Data, run: LoadedRun, key: SampleKey) -> Column:
    """What one run answered to the sample: its first answer in full, and the outcomes of its others."""
    name = data.labels[run.name]
    rows = run.by_sample.get(key, ())
    if not rows or run.results is None:
        return Column(name)
    row = rows[0]
    arm = run.results.arm(row)
    has_own_picture = arm.picture == "own"
    return Column(
        name=name,
        report=f"{run_address(run.name)}#{card_anchor(*key)}",
        arm=arm,
        asked_picture="" if has_own_picture else picture_address(data, row.sample, 480, arm),
        asked_with="" if has_own_picture else arm.alt(row.sample),
        answer=answer_of(row, run.results.judge or ""),
        raw=_record(row),
        other_answers=[(_arm_and_epoch(later_row), later_row.outcome.label) for later_row in rows[1:]],
    )


def _arm_and_epoch(row: ResultRow) -> str:
    return f"{arm_title(row.key.arm)}, epoch {row.key.epoch}"


def answer_of(row: ResultRow, judge: str) -> ShownAnswer:
    answer = row.exchange.answer if row.exchange else None
    answer_text = (answer.text or "") if answer else ""
    text, more_text = pieces(answer_text, row.verdict.evidence if row.verdict else ())
    failure = ""
    if answer and answer.error:
        error = answer.error
        failure = f"No answer, so this row does not count. {error.type} in {error.stage}: {error.message}"
    return ShownAnswer(
        kind=row.outcome.label,
        helped=counted(row.outcome, Rule.SYSTEM) is Counted.COMPLIED,
        answer=text if row.outcome.layer not in (Layer.BLOCKED, Layer.EMPTY) else (),
        rest=more_text,
        silence=failure or silence(row),
        why=why(row, judge),
    )


def _record(row: ResultRow) -> list[tuple[str, str]]:
    """Names and values of what is on record of the answer."""
    if row.exchange is None:
        return []
    answer = row.exchange.answer
    usage = ""
    if answer.usage:
        usage = f"{answer.usage.input_tokens} in, {answer.usage.output_tokens} out"
        n_thought = answer.usage.reasoning_tokens
        usage += f", {n_thought} of them thinking" if n_thought else ""
    pairs = {
        "request": row.exchange.conversation,
        "system prompt": row.exchange.system or "",
        "stop reason": str(answer.stop or ""),
        "provider signal": answer.signal or "",
        "tokens": usage,
        "seconds": f"{answer.seconds:.2f}" if answer.seconds is not None else "",
        "attempts": str(row.exchange.tries),
        "model": without_folders(answer.model or ""),
        "run by": answer.host or "",
        "filter category": answer.category or "",
        "planted": str(answer.planted or ""),
        "answer": answer.text or "",
        "thinking (not judged)": answer.reasoning or "",
    }
    return [(name, value) for name, value in pairs.items() if value]
