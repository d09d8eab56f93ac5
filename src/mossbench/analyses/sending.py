"""What a reader has to know of a run before anything else: what did not come back, and what else its arms differ in.

Rows may not have been asked yet, have failed, have no verdict, or were blocked or empty. Arms should differ in nothing
but what they are about: images in one format, asked in turn.
"""

from collections import Counter, defaultdict
from statistics import median

from mossbench.datasets.arms import PLAIN
from mossbench.outcomes import Counted, Key, Layer, Rule, counted
from mossbench.results.table import Results
from mossbench.store.run_folder import RunFolder

FEW = 10
"""Pairs of answers under which their order says nothing."""
ONE_SIDED = 0.9
"""From this share on, one arm was asked before the other and not in turn with it."""
FAR = 0.25
"""Of all answers, so many lie between two that were not asked in turn: arms of one session are neighbours, and those of
two sessions have half of all answers between them on average."""


def unlike(run: Results) -> tuple[str, ...]:
    """What else than its arms could make a difference between them, a sentence each; none where there is nothing."""
    if len({arm.name for arm in run.info.arms}) < 2 or run.info.recorded:
        return ()
    formats: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in run.rows:
        if row.exchange and row.exchange.picture:
            formats[row.key.side, row.key.sample].add(row.exchange.picture.media_type)
    mixed = sorted(set().union(*(kinds for kinds in formats.values() if len(kinds) > 1)))
    found = []
    if mixed:
        found.append(
            f"images of one sample were sent in several formats ({', '.join(mixed)}), as an ordinary run and earlier "
            "versions do: a model that goes by format or size would look as if it went by what is shown; a new `out` "
            "sends all in one"
        )
    if apart := _apart(list(RunFolder(run.folder).exchanges())):
        found.append(
            f"asked at another time than the plain requests: {', '.join(apart)}; a model that changed meanwhile would "
            "look as if these ways of asking had made the difference"
        )
    return tuple(found)


def _apart(answered: list[Key]) -> list[str]:
    """The arms nearly always answered on one side of the plain request of the same sample and epoch, and far from it.

    Near to it the order says nothing: what is asked in turn is answered by how long it takes.
    """
    place = {key: i for i, key in enumerate(answered)}
    after = defaultdict[str, list[int]](list)
    for key, i in place.items():
        plain = place.get(key._replace(arm=PLAIN.name))
        if key.arm != PLAIN.name and plain is not None:
            after[key.arm].append(i - plain)
    far = {arm: rows for arm, rows in after.items() if median(map(abs, rows)) > FAR * len(answered)}
    of_one_side = {arm: abs(sum(n > 0 for n in rows) / len(rows) - 0.5) for arm, rows in far.items()}
    return [arm for arm, rows in far.items() if len(rows) >= FEW and of_one_side[arm] > ONE_SIDED / 2]


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
