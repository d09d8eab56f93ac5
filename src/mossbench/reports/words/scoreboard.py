"""What is said of the scoreboard of judges: who agrees best with the labels, what was read, what the columns are."""

import math
from collections.abc import Sequence

from mossbench.errors import n_of, some
from mossbench.look.numbers import number
from mossbench.results.judge_measures import CalibrationBin, Contradiction, JudgeFailure, PairStanding
from mossbench.results.scoreboard import JudgeStanding, Scoreboard, Standing

LEGEND = (
    "95 % intervals over requests. Pooled: the sources that none of these judges was fitted on. Not hard: kappa "
    "without hard rows. Sensitivity: share of the refusals read as refusals; specificity: share of the other "
    "answers read as answers. Rate error: the judge's rate minus the labels', in points. Kinds: kappa over the seven "
    "kinds; groups: over openly refused, evaded, helped with warnings, helped. Confident: share of all answers with "
    "a confidence of 0.9 or more, and how many of these are wrong. Wrong if sure: errors among the most confident 85 % "
    "of its verdicts."
)


def scoreboard_heading(board: Scoreboard) -> str:
    """Who agrees best with the labels, if that is clear."""
    pooled = board.judges[0].pooled
    if not pooled.kappa.n:
        return "Every source was used to fit one of these judges"
    judges_of_all_rows = [judge for judge in board.judges if judge.pooled.is_whole]
    if len(judges_of_all_rows) < 2:
        name = f"{board.judges[0].judge}: kappa" if len(board.judges) > 1 else "Kappa"
        return f"{name} {number(pooled.kappa)} on {pooled.n} answers"
    best = judges_of_all_rows[0]
    for judge in judges_of_all_rows[1:]:
        is_close = pooled.kappa.low <= judge.pooled.kappa.high
        if is_close:
            return f"{best.judge} and {judge.judge} are not clearly different"
    return f"{best.judge} agrees best with labels: kappa {number(pooled.kappa)}"


def scoreboard_rows(board: Scoreboard) -> str:
    """What was read and what was left out, in one line."""
    n_rows = sum(board.sources.values())
    line = f"{n_of(len(board.judges), 'judge')}, rule {board.rule}, {n_of(n_rows, 'row')}"
    n_pooled = board.judges[0].pooled.n
    if n_pooled:
        line += f", pooled over {n_pooled} that no judge was fitted on"
    if board.set_aside:
        line += ", left out: " + ", ".join(f"{n} {why}" for why, n in board.set_aside.items())
    return line


def row_name(standing: Standing, *, fitted: str = " (fitted on it)") -> str:
    if len(standing.sources) != 1:
        return f"pooled, {len(standing.sources)} sources"
    return standing.sources[0] + fitted if standing.fitted else standing.sources[0]


def judge_with_cost(judge: JudgeStanding) -> str:
    """A judge with its speed and cost, where they are known."""
    parts = [judge.judge]
    if not math.isnan(judge.per_second):
        digits = 0 if judge.per_second >= 10 else 2
        parts.append(f"{judge.per_second:,.{digits}f} answers/s")
    parts.append(_cost(judge.dollars_per_1000))
    return ", ".join(parts)


def _cost(dollars_per_1000: float | None) -> str:
    if dollars_per_1000 is None:
        return "cost unknown"
    if dollars_per_1000 == 0:
        return "no cost"
    return f"{dollars_per_1000:.2g} USD per 1,000 answers"


MOST_NAMED = 5
"""Rows that are named in a sentence; JSON has all."""


def pairs_words(pairs: PairStanding) -> str:
    """What became of minimal pairs: two answers that differ little, of which one is a refusal."""
    if not pairs.n_pairs:
        return f"no whole minimal pair; {n_of(pairs.n_incomplete, 'pair')} without a verdict or a label on each side."
    both = _share(pairs.n_both_right, pairs.n_pairs)
    refused = _share(pairs.n_refused_right, pairs.n_refused)
    answered = _share(pairs.n_answered_right, pairs.n_answered)
    incomplete = f" {n_of(pairs.n_incomplete, 'pair')} incomplete." if pairs.n_incomplete else ""
    return (
        f"{n_of(pairs.n_pairs, 'minimal pair')}: read rightly as a whole {both}; the refusals as refusals {refused}, "
        f"the answers as answers {answered}.{incomplete}"
    )


def calibration_words(bins: Sequence[CalibrationBin]) -> str:
    """The calibration curve in one line."""
    parts = []
    for calibration_bin in bins:
        share = _share(calibration_bin.n_right, calibration_bin.n)
        parts.append(f"{calibration_bin.low:g} to {calibration_bin.high:g}: {share} of {calibration_bin.n}")
    return f"right by confidence: {'; '.join(parts)}."


def failures_words(failures: Sequence[JudgeFailure]) -> str:
    """On which rows a judge broke down, and why."""
    named = [f"{failure.id} ({failure.where}: {failure.reason})" for failure in failures]
    return f"The judge failed on {n_of(len(failures), 'row')}, left without a verdict: {some(named, MOST_NAMED)}."


def contradictions_words(contradictions: Sequence[Contradiction]) -> str:
    """Which labels contradict each other."""
    named = []
    for contradiction in contradictions:
        named.append(" and ".join(f"{id} ({label})" for id, label in contradiction.labels))
    return (
        f"Contradictory labels of {n_of(len(contradictions), 'answer')}, which no judge can read rightly: "
        f"{some(named, MOST_NAMED)}."
    )


def _share(n: int, n_all: int) -> str:
    return f"{n / n_all:.1%}"
