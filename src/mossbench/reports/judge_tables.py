"""How good a judge is: tables for the terminal, and the scoreboard as a page."""

import math
from collections.abc import Callable, Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mossbench.judges.validation import LabelledRow, Validation
from mossbench.look.numbers import UNKNOWN
from mossbench.look.page import ALONE, Frame, render_page
from mossbench.reports.tables import text_table
from mossbench.reports.words import scoreboard as scoreboard_words
from mossbench.reports.words import validation as validation_words
from mossbench.results.scoreboard import JudgeStanding, Scoreboard, Standing
from mossbench.statistics import Confusion, Estimate

_LONGEST_EVIDENCE = 160
"""Characters."""


def validation_report(validation: Validation, *, worst: int = 10) -> Iterator[RenderableType]:
    yield Text(validation_words.what_was_read(validation))
    yield _agreement(validation)
    yield _errors(validation)
    if validation.kinds:
        yield _kinds(validation)
    if not math.isnan(validation.macro_f1):
        yield Text(validation_words.macro_f1(validation.macro_f1))
    if validation.confidence:
        yield Text(validation_words.errors_if_confident(validation.confidence))
    if validation.comparison:
        yield Text(validation_words.comparison_with_another(validation.comparison))
    if validation.disagreements and worst:
        yield _disagreements(validation.disagreements[:worst], len(validation.disagreements))


def _agreement(validation: Validation) -> Table:
    heads = ("n", "kappa", "Gwet's AC1", "accuracy", "refused by labels", "refused by judge", "rate error, points")
    table = text_table("", *heads, folds=False, title="Agreement with the labels (95 % intervals)")
    for group in validation.groups:
        measures = group.measures
        table.add_row(
            group.name,
            str(group.counts.n),
            *(_interval(measures[name]) for name in ("kappa", "ac1", "accuracy")),
            f"{_share_labelled_refused(group.counts):.1%}",
            f"{_share_judged_refused(group.counts):.1%}",
            f"{100 * measures['rate_error'].value:+.1f}",
        )
    return table


def _share_labelled_refused(counts: Confusion) -> float:
    return (counts.true_yes + counts.false_no) / counts.n if counts.n else math.nan


def _share_judged_refused(counts: Confusion) -> float:
    return (counts.true_yes + counts.false_yes) / counts.n if counts.n else math.nan


def _errors(validation: Validation) -> Table:
    heads = ("sensitivity", "specificity", "PPV", "NPV", "false refusals", "missed refusals")
    table = text_table("", *heads, folds=False, wraps=True, title="Errors")
    for group in validation.groups:
        measures = [group.measures[name] for name in ("sensitivity", "specificity", "ppv", "npv")]
        table.add_row(group.name, *map(_interval, measures), str(group.counts.false_yes), str(group.counts.false_no))
    return table


def _interval(estimate: Estimate, *, digits: int = 3) -> str:
    if math.isnan(estimate.value):
        return UNKNOWN
    value = f"{estimate.value:.{digits}f}"
    return value if math.isnan(estimate.low) else f"{value} [{estimate.low:.2f}–{estimate.high:.2f}]"


def _kinds(validation: Validation) -> Table:
    kinds: dict[str, None] = {}
    for verdicts in validation.kinds.values():
        kinds |= dict.fromkeys(verdicts)
    rows = []
    for label, verdicts in validation.kinds.items():
        rows.append((label, *(str(verdicts.get(kind, "")) for kind in kinds)))
    title = "Kinds: labels in rows, verdicts in columns"
    return text_table("", *kinds, rows=rows, folds=False, wraps=True, title=title)


def _disagreements(rows: Sequence[LabelledRow], total: int) -> Table:
    title = f"Disagreements, the most confident first ({total} in all)"
    heads = ("row", "label", "judge", "conf.")
    table = text_table(*heads, folds=False, words=heads, title=title)
    table.add_column("evidence", overflow="fold")
    for row in rows:
        verdict = row.row.to_dict("")
        confidence = "" if verdict["confidence"] is None else f"{verdict['confidence']:.2f}"
        label = "refused" if row.label else "complied"
        evidence = " … ".join(verdict["evidence"]) or verdict["reason"] or ""
        table.add_row(Text(_row_name(row)), label, verdict["outcome"], confidence, Text(_shortened(evidence)))
    return table


def _row_name(row: LabelledRow) -> str:
    parts = [row.row.exchange.sample]
    model = row.row.record.get("model")
    if model:
        parts.insert(0, str(model))
    if row.hard:
        parts.append("(hard)")
    return " ".join(parts)


def _shortened(evidence: str) -> str:
    if len(evidence) <= _LONGEST_EVIDENCE:
        return evidence
    return evidence[: _LONGEST_EVIDENCE - 1] + "…"


AGREEMENT = ("n", "none", "kappa", "not\nhard", "sensi-\ntivity", "speci-\nficity", "rate\nerror")
KINDS_AND_CONFIDENCE = ("kinds", "groups", "confi-\ndent", "of these\nwrong", "wrong\nif sure")


def scoreboard_report(board: Scoreboard) -> Iterator[RenderableType]:
    yield Text(scoreboard_words.scoreboard_rows(board))
    if board.contradictions:
        yield Text(scoreboard_words.contradictions_words(board.contradictions))
    for judge in board.judges:
        title = Text(scoreboard_words.judge_with_cost(judge))
        yield _standings_table(judge, AGREEMENT, _agreement_cells, title)
        yield _standings_table(judge, KINDS_AND_CONFIDENCE, _kinds_and_confidence_cells, None)
        yield from map(Text, judge_sentences(judge))
    yield Text(
        f"{scoreboard_words.LEGEND} None: no verdict; such rows are in no other column. *: the judge was fitted on it."
    )


def _standings_table(
    judge: JudgeStanding, heads: Sequence[str], cells_of: Callable[[Standing], tuple[str, ...]], title: Text | None
) -> Table:
    table = text_table("", *heads, padding=(0, 1, 0, 0), title=title, title_justify="left")
    for standing in judge.standings:
        name = Text(scoreboard_words.row_name(standing, fitted=" *"))
        table.add_row(name, *cells_of(standing), style="" if standing is judge.pooled else "dim")
    return table


def judge_sentences(judge: JudgeStanding) -> list[str]:
    """What else is said of a judge: minimal pairs, calibration, and where it failed."""
    sentences = []
    for standing in judge.by_source:
        if standing.pairs is not None:
            words = scoreboard_words.pairs_words(standing.pairs)
            sentences.append(f"{scoreboard_words.row_name(standing)}: {words}")
    for standing in [judge.pooled] if judge.pooled.n else judge.by_source:
        if standing.calibration:
            words = scoreboard_words.calibration_words(standing.calibration)
            sentences.append(f"{scoreboard_words.row_name(standing)}: {words}")
    if judge.failures:
        sentences.append(scoreboard_words.failures_words(judge.failures))
    return sentences


def scoreboard_page(board: Scoreboard, *, frame: Frame = ALONE) -> str:
    return render_page(
        "scoreboard.html",
        frame=frame,
        board=board,
        takes=scoreboard_words.judge_with_cost,
        row_name=scoreboard_words.row_name,
        heading=scoreboard_words.scoreboard_heading(board),
        read=scoreboard_words.scoreboard_rows(board),
        legend=scoreboard_words.LEGEND,
        sentences=judge_sentences,
        contradictions=scoreboard_words.contradictions_words(board.contradictions) if board.contradictions else "",
    )


def _agreement_cells(standing: Standing) -> tuple[str, ...]:
    return (
        str(standing.n),
        str(standing.n_unjudged),
        _interval(standing.kappa, digits=2),
        _value(standing.kappa_not_hard),
        _value(standing.sensitivity),
        _value(standing.specificity),
        _points(standing.rate_error),
    )


def _kinds_and_confidence_cells(standing: Standing) -> tuple[str, ...]:
    confident = standing.confident
    sure = standing.sure
    return (
        _value(standing.kinds_kappa),
        _value(standing.groups_kappa),
        UNKNOWN if confident is None else f"{confident.share:.1%}",
        f"{confident.n_wrong / confident.n:.1%}" if confident and confident.n else UNKNOWN,
        UNKNOWN if sure is None else f"{sure.errors / sure.n:.1%}",
    )


def _value(estimate: Estimate) -> str:
    return UNKNOWN if math.isnan(estimate.value) else f"{estimate.value:.2f}"


def _points(estimate: Estimate) -> str:
    if math.isnan(estimate.value):
        return UNKNOWN
    ends = "" if math.isnan(estimate.low) else f" [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"
    return f"{100 * estimate.value:+.1f}{ends}"
