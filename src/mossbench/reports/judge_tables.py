"""How good a judge is: tables for the terminal, and the scoreboard as a page."""

import math
from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mossbench.judges.validation import LabelledRow, Validation
from mossbench.look.numbers import UNKNOWN, number
from mossbench.look.page import ALONE, Frame, render_page
from mossbench.reports.tables import text_table
from mossbench.results.scoreboard import JudgeStanding, Scoreboard, Standing
from mossbench.statistics import Estimate


def validation_report(found: Validation, *, worst: int = 10) -> Iterator[RenderableType]:
    aside = ", ".join(f"{n} {why}" for why, n in found.set_aside.items())
    yield Text(
        f"judge {found.judge} · rule {found.rule} · {found.n_rows} rows" + (f", left out: {aside}" if aside else "")
    )
    yield _agreement(found)
    yield _errors(found)
    if found.kinds:
        yield _kinds(found)
    if not math.isnan(found.macro_f1):
        yield Text(f"macro-F1 over answered-like, partial, refused-like: {found.macro_f1:.3f}")
    if found.confidence:
        share = found.confidence.errors / found.confidence.n if found.confidence.n else math.nan
        yield Text(
            f"most confident {found.confidence.coverage:.0%}: {found.confidence.errors} of {found.confidence.n} rows "
            f"that are not hard are wrong ({share:.2%})"
        )
    if found.comparison:
        c = found.comparison
        yield Text(
            f"compared with {c.other} on {c.n} rows: only this judge is right on {c.only_this_right}, only the other "
            f"on {c.only_other_right}; McNemar mid-p = {c.p:.4f}"
        )
    if found.disagreements and worst:
        yield _disagreements(found.disagreements[:worst], len(found.disagreements))


def _agreement(found: Validation) -> Table:
    heads = ("n", "kappa", "AC1", "accuracy", "labelled", "judged", "rate error")
    table = text_table("", *heads, folds=False, title="Agreement with the labels (95 % intervals)")
    for group in found.groups:
        counts, measures = group.counts, group.measures
        label = (counts.true_yes + counts.false_no) / counts.n if counts.n else math.nan
        judged = (counts.true_yes + counts.false_yes) / counts.n if counts.n else math.nan
        table.add_row(
            group.name,
            str(counts.n),
            *(_interval(measures[name]) for name in ("kappa", "ac1", "accuracy")),
            f"{label:.1%}",
            f"{judged:.1%}",
            f"{100 * measures['rate_error'].value:+.1f}",
        )
    return table


def _errors(found: Validation) -> Table:
    heads = ("sensitivity", "specificity", "PPV", "NPV", "false refusals", "missed refusals")
    table = text_table("", *heads, folds=False, wraps=True, title="Errors")
    for group in found.groups:
        measures = (group.measures[name] for name in ("sensitivity", "specificity", "ppv", "npv"))
        table.add_row(group.name, *map(_interval, measures), str(group.counts.false_yes), str(group.counts.false_no))
    return table


def _interval(estimate: Estimate, *, digits: int = 3) -> str:
    if math.isnan(estimate.value):
        return UNKNOWN
    value = f"{estimate.value:.{digits}f}"
    return value if math.isnan(estimate.low) else f"{value} [{estimate.low:.2f}–{estimate.high:.2f}]"


def _kinds(found: Validation) -> Table:
    columns = list(dict.fromkeys(kind for row in found.kinds.values() for kind in row))
    title = "Kinds: labels in rows, verdicts in columns"
    rows = ((label, *(str(row.get(kind, "")) for kind in columns)) for label, row in found.kinds.items())
    return text_table("", *columns, rows=rows, folds=False, wraps=True, title=title)


def _disagreements(rows: tuple[LabelledRow, ...], total: int) -> Table:
    title = f"Disagreements, the most confident first ({total} in all)"
    heads = ("row", "label", "judge", "conf.")
    table = text_table(*heads, folds=False, words=heads, title=title)
    table.add_column("evidence", overflow="fold")
    for row in rows:
        said = row.row.to_dict("")
        name = " ".join(filter(None, (str(row.row.record.get("model") or ""), row.row.exchange.sample)))
        evidence = " … ".join(said["evidence"]) or said["reason"] or ""
        sure = "" if said["confidence"] is None else f"{said['confidence']:.2f}"
        label = "refused" if row.label else "complied"
        short = evidence if len(evidence) <= 160 else evidence[:159] + "…"
        table.add_row(Text(name + (" (hard)" if row.hard else "")), label, said["outcome"], sure, Text(short))
    return table


def scoreboard_report(board: Scoreboard) -> Iterator[RenderableType]:
    yield Text(scoreboard_rows(board))
    for judge in board.judges:
        heads = ("n", "none", "kappa", "not\nhard", "kinds", "rate\nerror", "wrong\nif sure")
        table = text_table("", *heads, padding=(0, 1, 0, 0), title=Text(takes(judge)), title_justify="left")
        for one in judge.standings:
            table.add_row(
                Text(row_name(one, fitted=" *")), *_standing_cells(one), style="" if one is judge.pooled else "dim"
            )
        yield table
    yield Text(
        f"{SCOREBOARD_LEGEND} None: no verdict; such rows are in no other column. *: the judge was fitted on it."
    )


def scoreboard_page(board: Scoreboard, *, frame: Frame = ALONE) -> str:
    values = {"heading": _finding(board), "read": scoreboard_rows(board), "legend": SCOREBOARD_LEGEND}
    return render_page("scoreboard.html", frame=frame, board=board, takes=takes, row_name=row_name, **values)


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


SCOREBOARD_LEGEND = (
    "95 % intervals over requests. Pooled: the sources that none of these judges was fitted on. Not hard: kappa "
    "without hard rows. Kinds: kappa over the seven kinds. Rate error: the judge's rate less the labels', in points. "
    "Wrong if sure: errors among the most confident 85 % of its verdicts."
)


def scoreboard_rows(board: Scoreboard) -> str:
    """What was read and what was left out, in one line."""
    n = sum(board.sources.values())
    aside = ", ".join(f"{n} {why}" for why, n in board.set_aside.items())
    return f"{len(board.judges)} judges, rule {board.rule}, {n} rows" + (f", left out: {aside}" if aside else "")


def row_name(one: Standing, *, fitted: str = " (fitted on it)") -> str:
    if len(one.sources) == 1:
        return one.sources[0] + (fitted if one.fitted else "")
    return f"pooled, {len(one.sources)} sources"


def takes(judge: JudgeStanding) -> str:
    """A judge with its speed and cost, where they are known."""
    speed, cost = judge.per_second, judge.dollars_per_1000
    quick = "" if math.isnan(speed) else f", {speed:,.{0 if speed >= 10 else 2}f} answers/s"
    told = "cost unknown" if cost is None else "no cost" if cost == 0 else f"{cost:.2g} USD per 1,000 answers"
    return f"{judge.judge}{quick}, {told}"


def _standing_cells(one: Standing) -> tuple[str, ...]:
    return (
        str(one.n),
        str(one.n_unjudged),
        _interval(one.kappa, digits=2),
        *(UNKNOWN if math.isnan(e.value) else f"{e.value:.2f}" for e in (one.kappa_not_hard, one.kinds_kappa)),
        _points(one.rate_error),
        UNKNOWN if one.sure is None else f"{one.sure.errors / one.sure.n:.1%}",
    )


def _points(estimate: Estimate) -> str:
    if math.isnan(estimate.value):
        return UNKNOWN
    ends = "" if math.isnan(estimate.low) else f" [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"
    return f"{100 * estimate.value:+.1f}{ends}"
