"""The scoreboard of judges as an HTML page."""

from __future__ import annotations

from typing import Any

from mossbench.look.numbers import UNKNOWN, number, percent, points
from mossbench.look.page import ALONE, Frame, render_page
from mossbench.reports.judge_tables import SCOREBOARD_LEGEND, row_name, scoreboard_rows, takes
from mossbench.results.scoreboard import JudgeStanding, Scoreboard, Standing


def scoreboard_page(board: Scoreboard, *, frame: Frame = ALONE) -> str:
    """The page: a table for each judge, its kappa drawn, source by source."""
    return render_page(
        "scoreboard.html",
        frame=frame,
        heading=_finding(board),
        read=scoreboard_rows(board),
        judges=[_judge(judge) for judge in board.judges],
        legend=SCOREBOARD_LEGEND,
    )


def _finding(board: Scoreboard) -> str:
    """Who agrees best with the labels, if that is clear."""
    best = board.judges[0].pooled
    if not best.kappa.n:
        return "Every source was used to fit one of these judges"
    n = f"on {best.n} answers that no judge was fitted on"
    whole = [judge for judge in board.judges if judge.pooled.is_whole]
    if len(whole) < 2:
        name = f"{board.judges[0].judge}: kappa" if len(board.judges) > 1 else "Kappa"
        return f"{name} {number(best.kappa)} {n}"
    near = [judge.judge for judge in whole[1:] if best.kappa.low <= judge.pooled.kappa.high]
    if not near:
        return f"{whole[0].judge} agrees best with the labels: kappa {number(best.kappa)} {n}"
    return f"{whole[0].judge} and {near[0]} are not clearly different {n}"


def _judge(judge: JudgeStanding) -> dict[str, Any]:
    rows = [_row(one) for one in judge.standings]
    return {"name": judge.judge, "takes": takes(judge).removeprefix(f"{judge.judge}, "), "rows": rows}


def _row(one: Standing) -> dict[str, Any]:
    return {
        "name": row_name(one),
        "fitted": one.fitted,
        "n": one.n,
        "unjudged": one.n_unjudged,
        "kappa": one.kappa,
        "not_hard": one.kappa_not_hard.value,
        "kinds": one.kinds_kappa.value,
        "rate_error": points(one.rate_error) if one.n else UNKNOWN,
        "sure": f"{one.sure.errors} of {one.sure.n} ({percent(one.sure.errors / one.sure.n)})" if one.sure else UNKNOWN,
    }
