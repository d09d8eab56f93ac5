"""Sentences of a report, made from the data; wording.toml has most of them."""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath

from mossbench.look.numbers import NUMBERS, number_word, whole
from mossbench.look.texts import sentences
from mossbench.outcomes import Layer
from mossbench.reports.record import Report, Twins
from mossbench.results.rates import Rate
from mossbench.samples import Side
from mossbench.statistics import Estimate
from mossbench.statistics.planning import fisher_p

REQUESTS = {Side.BENIGN: "harmless requests", Side.CONTRAST: "harmful requests"}
FEW = 20
"""Rows under which a headline gives the counts and no share."""
_SHARES = [
    *((1 / n, f"one in {n}") for n in (100, 50, 40, 30, 25)),
    *((1 / n, f"one in {name}") for n, name in ((20, "twenty"), (15, "fifteen"))),
    *((1 / n, f"one in {NUMBERS[n]}") for n in (12, 10, 9, 8, 7, 6, 5, 4, 3)),
    *((a / b, f"{NUMBERS[a]} in {NUMBERS[b]}") for a, b in ((2, 5), (3, 5), (2, 3), (3, 4), (4, 5), (5, 6), (9, 10))),
    (0.45, "nearly half of the"),
    (1 / 2, "half of the"),
]
_LONGEST_NAME = 60
_say = sentences(__file__)


def model_name(model: str) -> str:
    """A model's name for a sentence: a transcript or an own file goes by its file's name; cut when very long."""
    provider, _, name = model.partition("/")
    short = PurePath(name).stem if provider == "replay" else model
    short = short.rpartition("/")[2] if ".py:" in short else short
    return short if len(short) <= _LONGEST_NAME else f"{short[: _LONGEST_NAME - 1]}…"


def arm_title(name: str) -> str:
    """An arm's name where it is shown: `system` is also the name of a counting rule."""
    return "system prompt" if name == "system" else name


def day(moment: str) -> str:
    """`14 November 2025` from a time stamp; as it is when it cannot be read."""
    try:
        at = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    return f"{at.day} {at:%B %Y}"


def headline(model: str, rate: Rate, *, n_unjudged: int, n_samples: int | None = None) -> str:
    """What a manager would repeat, and the data bear. `n_samples`: of how many samples the rows are; default: all."""
    if rate.corrected is not None and rate.corrected.basis == "labels":
        value = whole(rate.corrected.estimate.value)
        return f"{model_name(model)} refuses {value} of {REQUESTS[rate.side]}, corrected by labels."
    # Of fewer rows the headline gives counts as read, and claims no rate.
    claims_a_rate = rate.estimate.n >= FEW
    if claims_a_rate and rate.corrected is None and rate.is_mostly_guessed:
        return f"How often {model_name(model)} refuses {REQUESTS[rate.side]} is not known."
    e = rate.estimate
    few = min(e.n, n_samples or e.n) < FEW
    known = {"e": e, "refused": rate.refused, "n_unjudged": n_unjudged, "few": few, "share": share_words(e.value)}
    return _say("headline", who=model_name(model), requests=REQUESTS[rate.side], **known)


def share_words(share: float) -> str:
    """A share in words, `about` where it is not exact: about one in five."""
    if share < 1 / 120:
        return "fewer than one in a hundred"
    if share > 0.95:
        return "nearly all"
    value, words = min(_SHARES, key=lambda pair: abs(pair[0] - share))
    return words if math.isclose(value, share) or words.startswith("nearly") else f"about {words}"


def lede(rate: Rate, harmful: Rate | None, n_samples: int | None = None, *, those: str = "harmful twins") -> str:
    """The counts and the interval behind the headline, and what became of the harmful requests, `those`.

    `n_samples` is how many samples the rows that count are of; fewer than rows where samples were asked several times.
    The judge's errors are in no interval but the corrected one.
    """
    again = n_samples is not None and n_samples < rate.estimate.n
    n_open = min(rate.layers[Layer.NOT_ASKED], rate.estimate.n_left_out)
    known = {"e": rate.estimate, "refused": rate.refused, "n_open": n_open}
    parts = [_say("counts", n_samples=n_samples if again else None, **known)]
    parts.append(
        _say(
            "expected",
            e=rate.estimate,
            fixed=rate.corrected,
            range=rate.judge_range,
            judged=rate.layers[Layer.JUDGED],
            n_missing=rate.n_missing,
        )
    )
    if rate.side is Side.CONTRAST:
        parts.append("These are requests that a model should refuse.")
    if harmful is not None:
        of = {"e": harmful.estimate, "refused": harmful.refused}
        parts.append(_say("harmful", those=those, again=again, few=FEW, **of))
    return " ".join(filter(None, parts))


def hardest(rates: Sequence[Rate], what: str, plain: str) -> str:
    """A title for the rates of groups: which stands out, and whether clearly; `plain` where none does."""
    known = [rate for rate in rates if rate.estimate.n and not math.isnan(rate.estimate.value)]
    if len(known) < 2 or any(rate.n_missing for rate in known):  # what nobody read may be under any of them
        return plain
    if all(rate.refused == 0 for rate in known):
        return f"It refused nothing under any {what}"
    if all(rate.refused == rate.estimate.n for rate in known):
        return f"It refused everything under every {what}"
    top = max(rate.estimate.value for rate in known)
    first = [rate for rate in known if rate.estimate.value == top]
    others = [rate for rate in known if rate.estimate.value < top]
    n_tests = len(known) * (len(known) - 1) // 2
    if not others or not all(_clearly(one.estimate, other.estimate, n_tests) for one in first for other in others):
        return f"It is not shown which {what} is refused most often"
    return f"{' and '.join(rate.group for rate in first)} {'is' if len(first) == 1 else 'are'} refused most often"


def _clearly(higher: Estimate, lower: Estimate, n_tests: int) -> bool:
    """Intervals apart, and Fisher's exact test shows it among so many: intervals of few rows are approximate.

    Where rows share scenes, counts of scenes are rounded towards each other.
    """
    n = higher.n_independent
    m = lower.n_independent
    p = fisher_p(math.floor(higher.value * n + 1e-9), n, math.ceil(lower.value * m - 1e-9), m)
    return higher.low > lower.high and p * n_tests <= 0.05


def twins_title(twins: Sequence[Twins]) -> str:
    """Whether the model is shown to tell the sides apart; the last row is the total. No stimulus is said to be worst.

    By the test of the trade-off, over whole pairs, so that the two cannot disagree.
    """
    if not twins or math.isnan(twins[-1].told.p):
        return "Harmless and harmful requests" if twins else ""
    total = twins[-1]
    if total.too_many_missing:
        return "It is not known whether it distinguishes harmless from harmful requests"
    if total.told.p > 0.05:
        return "It is not shown to distinguish harmless from harmful requests"
    if total.told.statistic < 0:
        return "It has the two sides the wrong way round: it refuses harmless requests more often than harmful ones"
    if (total.harmless.value, total.harmful.value) == (0, 1):
        return "It refused every harmful request and no harmless one"
    return "It distinguishes harmless from harmful requests"


def sentence_case(title: str) -> str:
    """`Negated harm` of `Negated Harm`: no title case on pages."""
    return title[:1].upper() + title[1:].lower()


def run_names(reports: Sequence[Report]) -> list[str]:
    """A name for each run: its model, and for runs of one model the arms, prompt, judge or folder that differ."""
    models = [model_name(report.model) for report in reports]
    found = []
    for report, model in zip(reports, models, strict=True):
        alike = [_tells(other) for other, name in zip(reports, models, strict=True) if name == model]
        told = next(
            (said for said, *of in zip(_tells(report), *alike, strict=True) if len({*of}) == len(of)), report.run
        )
        found.append(model if len(alike) == 1 else f"{model}, {told}")
    return [f"{name} ({found[:i].count(name) + 1})" if found.count(name) > 1 else name for i, name in enumerate(found)]


def _tells(report: Report) -> tuple[str, ...]:
    """What may tell runs of one model apart; the first that does is said."""
    arms = ", ".join(report.arms)
    return f"arm {arms}", report.prompt or "no system prompt", f"judge {report.judge or 'none'}", report.run


@dataclass(frozen=True)
class Compared:
    """What is said of several runs on one axis."""

    title: str
    text: str


def compared(reports: Sequence[Report]) -> Compared:
    """Who of several runs refuses most, whether clearly, or why they do not compare."""
    plain_title = f"{number_word(len(reports)).capitalize()} runs on one axis."
    differ = [what for what, value_of in _MAKINGS.items() if len({value_of(report) for report in reports}) > 1]
    if differ:
        return Compared(plain_title, f"The runs differ in {listed(differ)}, so their rates cannot be compared.")
    text = "All runs have the same requests and the same judge. Where intervals overlap, the difference may be chance."
    named = zip(run_names(reports), (report.rate.estimate for report in reports), strict=True)
    known = [(name, estimate) for name, estimate in named if estimate.n and not math.isnan(estimate.value)]
    if len(known) < 2:
        return Compared(plain_title, text)
    (name, first), *others = sorted(known, key=lambda pair: -pair[1].value)
    n_tests = len(known) * (len(known) - 1) // 2
    is_shown = all(_clearly(first, other, n_tests) for _, other in others)
    title = f"{name} refuses the most." if is_shown else "It is not shown which run refuses the most."
    return Compared(title, text)


_MAKINGS: dict[str, Callable[[Report], Hashable]] = {
    "data": lambda report: (report.protocol.benign, report.protocol.contrast),
    "judge": lambda report: report.judge,
    "rule": lambda report: report.rule,
    "arms": lambda report: (report.protocol.arm, report.protocol.system),
    "sampling": lambda report: (report.protocol.temperature, report.protocol.max_tokens, report.protocol.epochs),
    "number of rows": lambda report: report.n_rows,
    "side": lambda report: report.side,
}
"""What has to be the same for rates to be ranked."""


def listed(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
