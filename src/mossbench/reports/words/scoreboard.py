"""What is said of the scoreboard of judges: who agrees best with the labels, what was read, what the columns are."""

import math

from mossbench.look.numbers import number
from mossbench.results.scoreboard import JudgeStanding, Scoreboard, Standing

LEGEND = (
    "95 % intervals over requests. Pooled: the sources that none of these judges was fitted on. Not hard: kappa "
    "without hard rows. Kinds: kappa over the seven kinds. Rate error: the judge's rate minus the labels', in points. "
    "Wrong if sure: errors among the most confident 85 % of its verdicts."
)


def scoreboard_heading(board: Scoreboard) -> str:
    """Who agrees best with the labels, if that is clear."""
    pooled = board.judges[0].pooled
    if not pooled.kappa.n:
        return "Every source was used to fit one of these judges"
    basis = f"on {pooled.n} answers that no judge was fitted on"
    judges_of_all_rows = [judge for judge in board.judges if judge.pooled.is_whole]
    if len(judges_of_all_rows) < 2:
        name = f"{board.judges[0].judge}: kappa" if len(board.judges) > 1 else "Kappa"
        return f"{name} {number(pooled.kappa)} {basis}"
    best = judges_of_all_rows[0]
    for judge in judges_of_all_rows[1:]:
        is_close = pooled.kappa.low <= judge.pooled.kappa.high
        if is_close:
            return f"{best.judge} and {judge.judge} are not clearly different {basis}"
    return f"{best.judge} agrees best with the labels: kappa {number(pooled.kappa)} {basis}"


def scoreboard_rows(board: Scoreboard) -> str:
    """What was read and what was left out, in one line."""
    n_rows = sum(board.sources.values())
    line = f"{len(board.judges)} judges, rule {board.rule}, {n_rows} rows"
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
