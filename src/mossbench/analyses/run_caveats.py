"""What a reader has to know first about a run: which rows have no answer, and in what else its arms differ.

Rows may not have been asked yet, have failed, have no verdict, or were blocked or empty. Arms should differ in nothing
but what they are about: images in one format, asked in turn.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import median

from mossbench.datasets.arms import PLAIN
from mossbench.messages import NOTHING, Message
from mossbench.outcomes import Counted, Key, Layer, Rule, counted
from mossbench.results.table import Results
from mossbench.store.run_folder import RunFolder
from mossbench.ways_out import SetOption

FEW = 10
"""Pairs of answers under which their order says nothing."""
ONE_SIDED = 0.9
"""From this share on, one arm was asked before the other and not in turn with it."""
FAR = 0.25
"""Of all answers, so many lie between two that were not asked in turn: arms of one session are neighbours, and those of
two sessions have half of all answers between them on average."""


def confounders(run: Results) -> tuple[Message, ...]:
    """What else than its arms could make a difference between them, a sentence each; none where there is nothing."""
    arm_names = {arm.name for arm in run.info.arms}
    if len(arm_names) < 2 or run.info.recorded:
        return ()
    notices = []
    formats = _mixed_formats(run)
    if formats:
        notices.append(
            f"images of one sample were sent in several formats ({', '.join(formats)}), as in ordinary runs and "
            "earlier versions: an effect of format or size would look like an effect of what the image shows; a new "
            "folder uses one format"
        )
    arms_apart = arms_asked_apart(list(RunFolder(run.folder).exchanges()))
    if arms_apart:
        notices.append(
            f"not asked at the same time as the plain requests: {', '.join(arms_apart)}; a change of the model in the "
            "meantime would look like an effect of these arms"
        )
    return tuple(map(Message, notices))


def _mixed_formats(run: Results) -> list[str]:
    """The formats in which images were sent, where those of one sample had several."""
    formats_by_sample: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in run.rows:
        exchange = row.exchange
        if exchange and exchange.picture:
            formats_by_sample[row.key.side, row.key.sample].add(exchange.picture.media_type)
    mixed: set[str] = set()
    for formats in formats_by_sample.values():
        if len(formats) > 1:
            mixed |= formats
    return sorted(mixed)


def arms_asked_apart(answered: Sequence[Key]) -> list[str]:
    """The arms nearly always answered on one side of the plain request of the same sample and epoch, and far from it.

    Near to it the order says nothing: what is asked in turn is answered by how long it takes.
    """
    place_of = {key: place for place, key in enumerate(answered)}
    distances_by_arm = defaultdict[str, list[int]](list)
    for key, place in place_of.items():
        plain_place = place_of.get(key._replace(arm=PLAIN.name))
        if key.arm != PLAIN.name and plain_place is not None:
            distances_by_arm[key.arm].append(place - plain_place)
    n_answers = len(answered)
    return [arm for arm, distances in distances_by_arm.items() if _is_apart(distances, n_answers)]


def _is_apart(distances: Sequence[int], n_answers: int) -> bool:
    """Whether answers with these distances to their plain ones, in answers, were not asked in turn with them."""
    if len(distances) < FEW:
        return False
    if median(abs(distance) for distance in distances) <= FAR * n_answers:
        return False
    share_after = sum(distance > 0 for distance in distances) / len(distances)
    return abs(share_after - 0.5) > ONE_SIDED / 2


def n_missing(run: Results) -> int:
    """Rows without answer or without verdict, which are in no number."""
    layers = run.layers()
    return layers[Layer.NOT_ASKED] + layers[Layer.FAILED] + layers[Layer.UNJUDGED]


def missing_rows(run: Results, rule: Rule) -> tuple[Message, ...]:
    """What a reader has to know of rows that did not come back, a sentence each; none when all did."""
    layers = run.layers()
    n_failed = layers[Layer.FAILED]
    n_unjudged = layers[Layer.UNJUDGED]
    notices = [
        run.unfinished(),
        Message(_failed_rows(n_failed, run, rule) if n_failed else ""),
        Message(_unjudged_rows(n_unjudged, run) if n_unjudged else ""),
        _wordless_refusals(run, rule),
    ]
    return tuple(notice for notice in notices if notice)


def _failed_rows(n_failed: int, run: Results, rule: Rule) -> str:
    treatment = "count as refused" if rule is Rule.PAPER else "are left out of all rates"
    return f"{n_failed:,} of {len(run):,} rows failed and {treatment}{_most_often(run.failures())}"


def _unjudged_rows(n_unjudged: int, run: Results) -> str:
    reasons = _most_often(run.unjudged())
    return f"{n_unjudged:,} of {len(run):,} rows have no verdict and are left out of all rates{reasons}"


def _wordless_refusals(run: Results, rule: Rule) -> Message:
    """How many refusals are not in the model's words; `NOTHING` where all are."""
    refused_layers = Counter(row.outcome.layer for row in run.rows if counted(row.outcome, rule) is Counted.REFUSED)
    n_refused = refused_layers.total()
    wordless = [layer for layer in (Layer.BLOCKED, Layer.EMPTY) if refused_layers[layer]]
    n_wordless = sum(refused_layers[layer] for layer in wordless)
    if not n_wordless:
        return NOTHING
    listed = ", ".join(f"{refused_layers[layer]:,} {layer}" for layer in wordless)
    text = f"{n_wordless:,} of {n_refused:,} refusals are not in the model's words ({listed})"
    return Message(text, (SetOption("rule", "model", to="count only the model's words"),))


def _most_often(reasons: Counter[str]) -> str:
    if not reasons:
        return ""
    reason, n_rows = reasons.most_common(1)[0]
    return f"; most often ({n_rows:,}): {reason[:300]}"
