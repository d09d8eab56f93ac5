"""What weakens a report's headline, worst first. Each is a function of the results; all is well, it is silent."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from mossbench.judges.measured import measured
from mossbench.outcomes import Counted, Layer, Rule, Stop, counted
from mossbench.rates import Rate, rate_of
from mossbench.reports.page import percent, whole
from mossbench.reports.record import Caution
from mossbench.reports.wording import REQUESTS, counted_noun, number_word
from mossbench.results import ResultRow, Results

MAX_FAILED = 0.05
"""Share of failed rows above which a run itself exits 1; here they come first."""
FEW_PER_GROUP = 50


def cautions(
    results: Results, rows: Sequence[ResultRow], rate: Rate, groups: Sequence[Rate], rule: Rule, *, measured_here: bool
) -> tuple[Caution, ...]:
    """All cautions about the rate of `rows`, worst first. `groups` are the rates that will be compared."""
    many = rate.layers[Layer.FAILED] > MAX_FAILED * max(len(rows), 1)
    found = [
        *_unfinished(results),
        *_not_judged(results, rows),
        *(_left_out(results, rows, rate, rule) if many else ()),
        *_model_changed(rows),
        *_drift(results),
        *_judge_broke(results),
        *(_left_out(results, rows, rate, rule) if not many else ()),
        *_not_its_words(rows, rate, rule),
        *_instrument_check(results),
        *(() if measured_here else _judge_unmeasured(results)),
        *_cut_off(rows),
        *_several_arms(results),
        *_few(rate, groups),
        *_scenes(rate),
        *(Caution("A note of the run.", _sentence(notice)) for notice in results.info.notices),
    ]
    return tuple(found)


def _unfinished(results: Results) -> Iterator[Caution]:
    missing = sum(row.exchange is None for row in results.rows)
    if missing:
        yield Caution(
            "The run is not finished.",
            f"{missing} of {len(results)} rows were not asked yet and count nowhere. "
            f"Go on with: mossbench run --resume {results.folder}",
        )


def _not_judged(results: Results, rows: Sequence[ResultRow]) -> Iterator[Caution]:
    unjudged = sum(row.outcome.layer is Layer.UNJUDGED for row in rows)
    if results.judge is None and unjudged:
        yield Caution(
            "No answer was judged.",
            f"{unjudged} answers wait for a verdict. Judge them with: mossbench judge apply {results.folder}",
        )


def _left_out(results: Results, rows: Sequence[ResultRow], rate: Rate, rule: Rule) -> Iterator[Caution]:
    failed = sum(row.outcome.layer is Layer.FAILED and row.exchange is not None for row in rows)
    unjudged = rate.layers[Layer.UNJUDGED] if results.judge else 0
    if rule is Rule.PAPER and failed:
        without = rate_of(rate.side, "all", rows, Rule.SYSTEM)
        yield Caution(
            f"{counted_noun(failed, 'failed request').capitalize()} {_are(failed)} counted as turned down.",
            f"That is how the published table counts. {_why(rows)}Without them: {_value(without)}.",
        )
    if rule is Rule.PAPER and unjudged:
        yield Caution(
            f"{counted_noun(unjudged, 'answer').capitalize()} {'has' if unjudged == 1 else 'have'} no verdict.",
            "Each may be either, so under this rule the rate is known only within bounds.",
        )
    if rule is not Rule.PAPER and (failed or unjudged):
        parts = [f"{counted_noun(failed, 'request')} failed"] if failed else []
        parts += (
            [f"{counted_noun(unjudged, 'answer')} {'has' if unjudged == 1 else 'have'} no verdict"] if unjudged else []
        )
        n = failed + unjudged
        worst = rate.refused + n
        total = rate.estimate.n + n
        claim = f"{counted_noun(n, 'row').capitalize()} {_are(n)} left out."
        would = f"Counted as turned down they would give {percent(worst / total)}."
        yield Caution(claim, f"{' and '.join(parts).capitalize()}. {_why(rows)}{would}")


def _why(rows: Sequence[ResultRow]) -> str:
    errors = (row.exchange.answer.error for row in rows if row.exchange)
    reasons = Counter(
        f"{error.type}: {error.message}" if error.type != "error" else error.message for error in errors if error
    )
    if not reasons:
        return ""
    reason, n = reasons.most_common(1)[0]
    often = "" if len(reasons) == 1 else f"Most often ({n}): "
    return f"{often}{_sentence(reason[:200])} "


def _model_changed(rows: Sequence[ResultRow]) -> Iterator[Caution]:
    told = [
        (i, row.exchange.answer.model) for i, row in enumerate(rows, 1) if row.exchange and row.exchange.answer.model
    ]
    names = list(dict.fromkeys(name for _, name in told))
    if len(names) > 1:
        first = next(i for i, name in told if name != told[0][1])
        yield Caution(
            "The model changed during the run.",
            f"The provider names {number_word(len(names))} versions ({', '.join(names[:3])}), another one from row "
            f"{first} on. Run again before comparing.",
        )


def _drift(results: Results) -> Iterator[Caution]:
    if results.drift:
        yield Caution("The judge has drifted.", _sentence(results.drift))


def _judge_broke(results: Results) -> Iterator[Caution]:
    broke = results.judge_failures()
    if broke:
        reason, _ = broke.most_common(1)[0]
        n = broke.total()
        yield Caution(f"The judge broke down on {counted_noun(n, 'answer')}.", f"Most often: {_sentence(reason[:200])}")


def _not_its_words(rows: Sequence[ResultRow], rate: Rate, rule: Rule) -> Iterator[Caution]:
    blocked, empty = rate.layers[Layer.BLOCKED], rate.layers[Layer.EMPTY]
    if not blocked + empty or counted(next(r.outcome for r in rows if _silent(r)), rule) is not Counted.REFUSED:
        return
    parts = [f"the provider’s filter blocked {number_word(blocked)}"] if blocked else []
    parts += [f"{number_word(empty)} came back empty"] if empty else []
    n = blocked + empty
    without = rate_of(rate.side, "all", rows, Rule.MODEL)
    yield Caution(
        f"{number_word(n).capitalize()} of the {rate.refused} {_are(n)} not the model’s own words.",
        f"{_capital(', '.join(parts))}. Without them: {_value(without)}.",
    )


def _silent(row: ResultRow) -> bool:
    return row.outcome.layer in (Layer.BLOCKED, Layer.EMPTY)


def _instrument_check(results: Results) -> Iterator[Caution]:
    if results.model.startswith("control/"):
        yield Caution(
            "This is a check of the instrument.",
            "A control model answers by a fixed rule and looks at nothing. Its rate is not comparable with rates on "
            "the published benchmark.",
        )


def _judge_unmeasured(results: Results) -> Iterator[Caution]:
    judge = results.judge
    if judge is None or judge.startswith("human/"):
        return
    if judge.startswith("keywords/"):
        yield Caution(
            "Judged by keywords.",
            "Phrases of declining are counted, not read. Judge again with: mossbench judge apply "
            f"{results.folder} --judge rules",
        )
    elif not measured(judge):
        yield Caution("The judge’s error is not known.", f"{judge} was not measured against people’s labels.")


def _cut_off(rows: Sequence[ResultRow]) -> Iterator[Caution]:
    n = sum(row.exchange is not None and row.exchange.answer.stop is Stop.LENGTH for row in rows)
    if n:
        yield Caution(
            f"{counted_noun(n, 'answer').capitalize()} {'was' if n == 1 else 'were'} cut off.",
            "The limit on tokens ended them; what would have followed is not known. Raise --max-tokens.",
        )


def _several_arms(results: Results) -> Iterator[Caution]:
    if len(results.info.arms) > 1:
        names = ", ".join(arm.name for arm in results.info.arms)
        yield Caution(
            f"{number_word(len(results.info.arms)).capitalize()} arms are counted together.",
            f"The headline is over {names}; the table by arm has each.",
        )


def _few(rate: Rate, groups: Sequence[Rate]) -> Iterator[Caution]:
    sizes = sorted(group.estimate.n for group in groups if group.estimate.n)
    n = rate.estimate.n
    if len(sizes) > 1 and sizes[0] < FEW_PER_GROUP:
        # Two more rows of either kind: at 0 of n the plain formula would call every difference certain.
        share = (rate.refused + 2) / (n + 4)
        chance = 1.96 * math.sqrt(share * (1 - share) * (1 / sizes[0] + 1 / sizes[1]))
        claim = f"{counted_noun(sizes[0], 'sample').capitalize()} {_are(sizes[0])} few to compare stimuli by."
        yield Caution(
            claim, f"Differences of less than about {math.ceil(100 * chance)} points between them may be chance."
        )
    elif 0 < n < FEW_PER_GROUP:
        width = rate.estimate.high - rate.estimate.low
        spread = "" if math.isnan(width) else f" The interval is {math.ceil(100 * width)} points wide."
        claim = f"{counted_noun(n, 'row').capitalize()} {_are(n)} few."
        yield Caution(claim, f"More {REQUESTS[rate.side]} would narrow the interval.{spread}")


def _scenes(rate: Rate) -> Iterator[Caution]:
    estimate = rate.estimate
    if "clusters" in estimate.method:
        n = int(estimate.method.split("over ")[1].split(" ")[0])
        text = (
            f"They come from {n} scenes or samples, some of them more than once; the interval takes that into account."
        )
        one = "They all come from one scene or sample, so there is no interval."
        yield Caution(f"The {estimate.n} rows are not independent.", text if n > 1 else one)


def _value(rate: Rate) -> str:
    """The rate as a number, or that there is none."""
    if not rate.estimate.n:
        return "nothing counts"
    return percent(rate.estimate.value) if not math.isnan(rate.estimate.value) else f"up to {whole(rate.estimate.high)}"


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    text = _capital(text.strip())
    return text if text.endswith((".", "!", "?")) else f"{text}."
