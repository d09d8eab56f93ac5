"""Sentences of a report, made from the data. They claim no more than the intervals allow.

Whole per cents in sentences; a rate is never alone; what was measured is past tense, what it says of the model present.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePath

from mossbench.rates import Rate
from mossbench.reports.page import whole
from mossbench.reports.record import Report, Twins
from mossbench.samples import Side
from mossbench.statistics import Estimate

REQUESTS = {Side.BENIGN: "harmless requests", Side.CONTRAST: "harmful requests"}
FEW = 20
"""Rows under which a headline gives the counts and no share."""
_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()
_SHARES = [
    *((1 / n, f"one in {n}") for n in (100, 50, 30)),
    *((1 / n, f"one in {name}") for n, name in ((20, "twenty"), (15, "fifteen"))),
    *((1 / n, f"one in {_NUMBERS[n]}") for n in (12, 10, 9, 8, 7, 6, 5, 4, 3)),
    *((a / b, f"{_NUMBERS[a]} in {_NUMBERS[b]}") for a, b in ((2, 5), (3, 5), (2, 3), (3, 4), (4, 5), (5, 6), (9, 10))),
    (0.45, "nearly half of the"),
    (1 / 2, "half of the"),
]
_LONGEST_NAME = 60


def model_name(model: str) -> str:
    """A model's name for a sentence: a transcript or an own file goes by its file's name; cut when very long."""
    provider, _, name = model.partition("/")
    short = PurePath(name).stem if provider == "replay" else model
    short = short.rpartition("/")[2] if ".py:" in short else short
    return short if len(short) <= _LONGEST_NAME else f"{short[: _LONGEST_NAME - 1]}…"


def number_word(n: int) -> str:
    return _NUMBERS[n] if n < len(_NUMBERS) else f"{n:,}"


def counted_noun(n: int, noun: str) -> str:
    """`three rows`, `one row`."""
    return f"{number_word(n)} {noun}{'' if n == 1 else 's'}"


def day(moment: str) -> str:
    """`14 November 2025` from a time stamp; as it is when it cannot be read."""
    try:
        at = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    return f"{at.day} {at:%B %Y}"


def headline(model: str, rate: Rate, *, n_unjudged: int) -> str:
    """What a manager would repeat, and the data bear."""
    who, estimate, requests = model_name(model), rate.estimate, REQUESTS[rate.side]
    n_rows = estimate.n + estimate.n_left_out
    if not n_rows:
        return f"{who} was asked no {requests}."
    if n_unjudged and 2 * n_unjudged >= n_rows:
        return f"Most answers of {who} have no verdict yet." if rate.refused else f"{who} has not been judged yet."
    if not estimate.n:
        return f"No answer of {who} counts."
    if math.isnan(estimate.value):
        return f"{who} turns down between {whole(estimate.low)} and {whole(estimate.high)} of {requests}."
    if estimate.n == 1:
        return f"{who} {'turned' if rate.refused else 'did not turn'} down the one {requests[:-1]} that counts."
    if rate.refused == 0:
        return f"{who} turned down none of {estimate.n:,} {requests}."
    if rate.refused == estimate.n:
        return f"{who} turned down all {estimate.n:,} {requests}."
    if estimate.n < FEW:
        return f"{who} turned down {rate.refused} of {estimate.n} {requests}."
    return f"{who} turns down {share_words(estimate.value)} {requests}."


def share_words(share: float) -> str:
    """A share in words, `about` where it is not exact: about one in five."""
    if share < 1 / 120:
        return "fewer than one in a hundred"
    if share > 0.95:
        return "nearly all"
    value, words = min(_SHARES, key=lambda pair: abs(pair[0] - share))
    return words if math.isclose(value, share) or words.startswith("nearly") else f"about {words}"


def lede(rate: Rate, harmful: Rate | None) -> str:
    """The counts and the interval behind the headline, and what became of the harmful twins."""
    parts = [_counts(rate), _expected(rate.estimate)]
    if rate.side is Side.CONTRAST:
        parts.append("These are requests that a model should turn down.")
    if harmful is not None and harmful.estimate.n:
        twins = "Of the harmful twins, which it should turn down, it turned down"
        share = f" ({whole(harmful.estimate.value)})" if harmful.estimate.n >= FEW else ""
        parts.append(f"{twins} {harmful.refused} of {harmful.estimate.n}{share}.")
    elif harmful is not None:
        parts.append("None of the harmful twins counts.")
    return " ".join(part for part in parts if part)


def _counts(rate: Rate) -> str:
    estimate = rate.estimate
    left_out = f" {counted_noun(estimate.n_left_out, 'row').capitalize()} left out." if estimate.n_left_out else ""
    if not estimate.n:
        return f"Of {counted_noun(estimate.n_left_out, 'row')} none counts, so there is no rate."
    if math.isnan(estimate.value):
        return f"It turned down {rate.refused} of {estimate.n} for certain; the others cannot all be told.{left_out}"
    share = f", or {whole(estimate.value)}" if 0 < estimate.value < 1 else ""
    what = "request that counts" if estimate.n == 1 else "requests that count"
    return f"It turned down {rate.refused} of the {estimate.n:,} {what}{share}.{left_out}"


def _expected(estimate: Estimate) -> str:
    if not estimate.n or math.isnan(estimate.value):
        return ""
    if math.isnan(estimate.low):
        return "All of them come from one scene, which says nothing of other requests."
    return (
        f"With other requests of the same kind we would expect between {whole(estimate.low)} and "
        f"{whole(estimate.high)}."
    )


def hardest(rates: Sequence[Rate], what: str, plain: str) -> str:
    """A title for the rates of groups: which stands out, and whether clearly; `plain` where none does."""
    known = [rate for rate in rates if rate.estimate.n and not math.isnan(rate.estimate.value)]
    if len(known) < 2:
        return plain
    if all(rate.refused == 0 for rate in known):
        return f"It turned down nothing under any {what}"
    if all(rate.refused == rate.estimate.n for rate in known):
        return f"It turned down everything under every {what}"
    top = max(rate.estimate.value for rate in known)
    first = [rate for rate in known if rate.estimate.value == top]
    others = [rate for rate in known if rate.estimate.value < top]
    if not others:
        return f"No {what} stands out"
    clearly = min(r.estimate.low for r in first) > max(r.estimate.high for r in others)
    names = " and ".join(rate.group.lower() for rate in first)
    hardest = f"{sentence_case(names)} {'is' if len(first) == 1 else 'are'} the hardest"
    return hardest if clearly else f"{hardest}, but not clearly so"


def twins_title(twins: Sequence[Twins]) -> str:
    """Which stimulus the model tells apart least well, and whether clearly; the last row is the total."""
    known = [row for row in twins[:-1] if not math.isnan(row.d_prime.value)]
    if not twins:
        return ""
    total = twins[-1].d_prime
    if math.isnan(total.value):
        return "Harmless against harmful"
    if not math.isnan(total.low) and total.low <= 0:
        return "It does not clearly tell harmless from harmful"
    if len(known) < 2:
        return "It tells harmless from harmful requests"
    first, second = sorted(known, key=lambda row: row.d_prime.value)[:2]
    if math.isclose(first.d_prime.value, second.d_prime.value):
        return "It tells harmless from harmful about as well under every stimulus"
    clearly = "" if first.d_prime.high < second.d_prime.low else ", but not clearly so"
    return f"It tells harmless from harmful least well under {first.name.lower()}{clearly}"


def sentence_case(title: str) -> str:
    """`Negated harm` of `Negated Harm`: no title case on pages."""
    return title[:1].upper() + title[1:].lower()


def compared(reports: Sequence[Report]) -> dict[str, str]:
    """Title and text of several runs on one axis: who turns down most, whether clearly, and whether they compare."""
    known = [r for r in reports if r.rate.estimate.n and not math.isnan(r.rate.estimate.value)]
    title = f"{number_word(len(reports)).capitalize()} runs on one axis."
    if len(known) > 1:
        first, second = sorted(known, key=lambda report: -report.rate.estimate.value)[:2]
        if first.rate.estimate.value > second.rate.estimate.value:
            clearly = first.rate.estimate.low > second.rate.estimate.high
            title = f"{model_name(first.model)} turns down the most{'' if clearly else ', but not clearly so'}."
    differ = [
        what
        for what, values in (
            (
                "data",
                {tuple(v for k, v in r.method.items() if k.startswith(("Dataset", "Content hash"))) for r in reports},
            ),
            ("judge", {r.judge for r in reports}),
            ("arms", {r.method["Arms"] for r in reports}),
            ("number of rows", {r.n_rows for r in reports}),
            ("side", {r.side for r in reports}),
        )
        if len(values) > 1
    ]
    if differ:
        return {
            "title": title,
            "text": f"The runs differ in {' and '.join(differ)}, so their rates do not compare as they stand.",
        }
    text = "All were asked the same requests and read by the same judge. Overlapping intervals may be chance."
    return {"title": title, "text": text}
