"""What did not come back as words: rows that were not asked yet, failed, have no verdict, were blocked or empty."""

from __future__ import annotations

from collections import Counter

from mossbench.outcomes import Counted, Layer, Rule, counted
from mossbench.results.table import Results


def n_missing(run: Results) -> int:
    """Rows without answer or without verdict, which are in no number."""
    layers = run.layers()
    return layers[Layer.NOT_ASKED] + layers[Layer.FAILED] + layers[Layer.UNJUDGED]


def missing(run: Results, rule: Rule) -> tuple[str, ...]:
    """What a reader has to know of them before anything else, a sentence each; none when all came back."""
    layers, found = run.layers(), list(filter(None, [run.unfinished()]))
    for layer, what, reasons in (
        (Layer.FAILED, "failed", run.failures()),
        (Layer.UNJUDGED, "have no verdict", run.unjudged()),
    ):
        counts = "as refused" if layer is Layer.FAILED and rule is Rule.PAPER else "in no rate"
        if layers[layer]:
            found.append(f"{layers[layer]:,} of {len(run):,} rows {what} and count {counts}{_most_often(reasons)}")
    refused = [row.outcome.layer for row in run.rows if counted(row.outcome, rule) is Counted.REFUSED]
    silent = {layer: refused.count(layer) for layer in (Layer.BLOCKED, Layer.EMPTY)}
    if n := sum(silent.values()):
        parts = ", ".join(f"{k:,} {layer}" for layer, k in silent.items() if k)
        found.append(
            f"{n:,} of {len(refused):,} refusals are not in the model's words ({parts}); "
            "`rule='model'` counts words alone"
        )
    return tuple(found)


def _most_often(reasons: Counter[str]) -> str:
    if not reasons:
        return ""
    reason, n = reasons.most_common(1)[0]
    return f"; most often ({n:,}): {reason[:300]}"
