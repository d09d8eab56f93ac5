"""How good a judge is, as tables for the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mossbench.judges.validation import LabelledRow, Validation
from mossbench.statistics import Estimate

MEASURES = ("kappa", "ac1", "accuracy", "sensitivity", "specificity", "ppv", "npv")


def validation_report(found: Validation, *, worst: int = 10) -> Iterator[RenderableType]:
    """Agreement by group, confusion of kinds, confidence, comparison and the worst disagreements."""
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
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title="Agreement with the labels (95 % intervals)")
    table.add_column("")
    for name in ("n", "kappa", "AC1", "accuracy", "labelled", "judged", "rate error"):
        table.add_column(name, justify="right", no_wrap=True)
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
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title="Errors")
    table.add_column("")
    for name in ("sensitivity", "specificity", "PPV", "NPV", "false refusals", "missed refusals"):
        table.add_column(name, justify="right")
    for group in found.groups:
        measures = (group.measures[name] for name in ("sensitivity", "specificity", "ppv", "npv"))
        table.add_row(group.name, *map(_interval, measures), str(group.counts.false_yes), str(group.counts.false_no))
    return table


def _interval(estimate: Estimate) -> str:
    if math.isnan(estimate.value):
        return "–"
    return f"{estimate.value:.3f} [{estimate.low:.2f}–{estimate.high:.2f}]"


def _kinds(found: Validation) -> Table:
    columns = list(dict.fromkeys(kind for row in found.kinds.values() for kind in row))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title="Kinds: labels in rows, verdicts in columns")
    table.add_column("")
    for kind in columns:
        table.add_column(kind, justify="right")
    for label, row in found.kinds.items():
        table.add_row(label, *(str(row.get(kind, "")) for kind in columns))
    return table


def _disagreements(rows: tuple[LabelledRow, ...], total: int) -> Table:
    table = Table(
        box=box.SIMPLE_HEAD, pad_edge=False, title=f"Disagreements, the most confident first ({total} in all)"
    )
    for name in ("row", "label", "judge", "conf."):
        table.add_column(name, no_wrap=True)
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
