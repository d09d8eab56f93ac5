"""What weakens a report's headline, worst first. Each is a function of the results; all is well, it is silent."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from shlex import quote

from mossbench.judges.measured import measured
from mossbench.look.commands import as_commands
from mossbench.look.numbers import ends, percent, whole
from mossbench.outcomes import MAX_FAILED, Counted, Layer, Rule, Stop, counted
from mossbench.protocols import without_folders
from mossbench.reports.record import Caution, JudgeError
from mossbench.reports.wording import REQUESTS, arm_title, counted_noun, number_word
from mossbench.results.answerers import StoodIn, by_another
from mossbench.results.rates import Rate, group_of, rate_of
from mossbench.results.table import ResultRow, Results
from mossbench.samples import Side
from mossbench.statistics import shown_between

FEW_PER_GROUP = 50
UNFINISHED = "The run is not finished."
MAX_UNFAMILIAR = 0.1
"""Share of answers on which a judge's readers may disagree without a word at the top."""
MAX_WRONG = 0.1
"""Share of labelled answers that a judge may get wrong without a word at the top."""


def cautions(results: Results, rate: Rate, rule: Rule, error: JudgeError) -> tuple[Caution, ...]:
    """All cautions about `rate`, the headline's, and about the other side where it was asked; worst first."""
    sides = {side: [row for row in results.rows if row.key.side is side] for side in Side}
    rows = sides[rate.side]
    left_out = {
        many: [
            caution
            for side in Side
            if _many_failed(sides[side]) is many
            for caution in _left_out(results, sides[side], side, rule)
        ]
        for many in (True, False)
    }
    found = [
        *_unfinished(results, rule),
        *_not_judged(results),
        *left_out[True],
        *_judge_wrong(rate, error),
        *_stood_in(results, rule),
        *_model_changed(results),
        *_drift(results),
        *_judge_broke(results),
        *left_out[False],
        *_not_its_words(rows, rate, rule),
        *_instrument_check(results),
        *(() if error.measured_here else _judge_unmeasured(results)),
        *_unfamiliar(rows),
        *_cut_off(results.rows),
        *_several_arms(results),
        *_few(rows, rate, rule),
        *_scenes(rate),
        *(Caution("Note from the run.", _sentence(notice)) for notice in results.info.notices),
    ]
    return tuple(Caution(one.claim, as_commands(one.text)) for one in found)


def _many_failed(rows: Sequence[ResultRow]) -> bool:
    asked = [row.outcome.layer for row in rows if row.outcome.layer is not Layer.NOT_ASKED]
    return asked.count(Layer.FAILED) > MAX_FAILED * len(asked)


def while_going(found: Sequence[Caution]) -> tuple[Caution, ...]:
    """The cautions while a run goes on: what is missing comes by itself, and nobody has to go on with it."""
    return tuple(
        Caution("The run is in progress.", one.text.partition("; go on")[0] + ".") if one.claim == UNFINISHED else one
        for one in found
    )


def _unfinished(results: Results, rule: Rule) -> Iterator[Caution]:
    if text := results.unfinished():
        counts = "Under this rule each missing row may count either way, so only bounds of the rate are known. "
        yield Caution(UNFINISHED, f"{counts if rule is Rule.PAPER else ''}{_capital(text)}")


def _not_judged(results: Results) -> Iterator[Caution]:
    unjudged = results.unjudged().total()
    if results.judge is None and unjudged:
        waits = f"{counted_noun(unjudged, 'answer')} {'has' if unjudged == 1 else 'have'} no verdict"
        yield Caution(
            "No answer has been judged.",
            f"{_sentence(waits)} Judge {_it(unjudged)} with: mossbench judge apply {quote(str(results.folder))}",
        )


def _judge_wrong(rate: Rate, error: JudgeError) -> Iterator[Caution]:
    """A judge that errs often on this run, or whose errors move the rate out of its interval."""
    if error.not_random:
        yield Caution(
            "Labelled answers were not drawn at random.", f"{error.not_random} The rate is not corrected by them."
        )
    counts, fixed = error.counts, error.corrected
    if not error.measured_here or counts is None:
        return
    moved = fixed is not None and (fixed.high < rate.estimate.low or fixed.low > rate.estimate.high)
    if moved or counts.wrong > MAX_WRONG * counts.n:
        claim = f"The judge was wrong on {counts.wrong} of {counts.n} labelled answer{'' if counts.n == 1 else 's'}."
        text = f"Corrected for these errors, the rate is {percent(fixed.value)} ({ends(fixed)})." if fixed else ""
        yield Caution(claim, text or "The rate is not corrected for these errors.")


def _left_out(results: Results, rows: Sequence[ResultRow], side: Side, rule: Rule) -> Iterator[Caution]:
    rate = rate_of(side, "all", rows, rule)
    failed = rate.layers[Layer.FAILED]
    unjudged = rate.layers[Layer.UNJUDGED] if results.judge else 0
    n = failed + unjudged
    which = "harmful " if side is Side.CONTRAST else ""
    no_verdict = f"{counted_noun(unjudged, f'{which}answer')} {'has' if unjudged == 1 else 'have'} no verdict"
    if rule is Rule.PAPER and failed:
        without = rate_of(side, "all", rows, Rule.SYSTEM)
        yield Caution(
            f"{counted_noun(failed, f'failed {which}request').capitalize()} {_are(failed)} counted as refused.",
            f"The published table counts this way. {_why_failed(rows)}Without {_it(failed)}: {_value(without)}.",
        )
    if rule is Rule.PAPER and unjudged:
        either = f"{_why_unjudged(rows)}Each may count either way, so this rule gives only bounds of the rate."
        yield Caution(_sentence(no_verdict), either)
    if rule is not Rule.PAPER and n:
        parts = [f"{counted_noun(failed, f'{which}request')} failed"] if failed else []
        parts += [no_verdict] if unjudged else []
        total = rate.estimate.n + n
        would = (
            f"With {_it(n)} counted as helped the rate would be {percent(rate.refused / total)}, with {_it(n)} counted "
            f"as refused {percent((rate.refused + n) / total)}."
        )
        claim = f"{counted_noun(n, f'{which}row').capitalize()} {_are(n)} left out."
        yield Caution(claim, f"{_sentence(' and '.join(parts))} {_why_failed(rows)}{_why_unjudged(rows)}{would}")


def _why_failed(rows: Sequence[ResultRow]) -> str:
    errors = (row.exchange.answer.error for row in rows if row.exchange)
    return _most_often(
        Counter(
            f"{error.type}: {error.message}" if error.type != "error" else error.message for error in errors if error
        )
    )


def _why_unjudged(rows: Sequence[ResultRow]) -> str:
    """Why answers have no verdict, except a judge that failed, which has a caution of its own."""
    said = (row.verdict for row in rows if row.verdict and row.outcome.layer is Layer.UNJUDGED)
    return _most_often(Counter(verdict.reason for verdict in said if verdict.reason and not verdict.code))


def _most_often(reasons: Counter[str]) -> str:
    if not reasons:
        return ""
    reason, n = reasons.most_common(1)[0]
    often = "" if len(reasons) == 1 else f"Most often ({n}): "
    return f"{often}{_sentence(reason[:200])} "


def _stood_in(results: Results, rule: Rule) -> Iterator[Caution]:
    found = results.stood_in(rule)
    if found and found[0].may_be_alias:
        names = Counter[str]()
        for one in found:
            names.update(one.names)
        yield Caution(
            "No reply names the model that was asked for.",
            f"{results.model} was asked; the replies name {_names(names)}. The endpoint may call it so. If it does "
            "not, the rates are of another model.",
        )
        return
    for one in found:
        which = "harmful" if one.side is Side.CONTRAST else "harmless"
        yield Caution(
            f"Another model answered {one.n} of {one.n_answered} {which} requests.",
            f"{results.model} was asked; the replies name {_names(one.names)}. {_with_and_without(one)}",
        )


def _with_and_without(one: StoodIn) -> str:
    with_, without = _value(one.rate), _value(one.without)
    text = f"With {_it(one.n)} the rate is {with_}, without {_it(one.n)}: {without}."
    if one.differs:
        more = "more" if one.those.estimate.value > one.without.estimate.value else "less"
        return (
            f"{text} Such rows are refused {more} often than the others ({_value(one.those)} and {without}), by more "
            "than chance explains; they were not drawn at random, so this does not compare the models."
        )
    known = not math.isnan(one.those.estimate.value) and not math.isnan(one.without.estimate.value)
    return f"{text} The difference may be chance." if known and with_ != without else text


def _names(names: Mapping[str, int]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(f"{without_folders(name)} ({n})" for name, n in list(names.items())[:3]) + more


def _model_changed(results: Results) -> Iterator[Caution]:
    told = [
        (i, row.exchange.answer.model)
        for i, row in enumerate(results.rows, 1)
        if row.exchange and row.exchange.answer.model and not by_another(results.model, row.exchange.answer)
    ]
    names = list(dict.fromkeys(name for _, name in told))
    if len(names) > 1:
        first = next(i for i, name in told if name != told[0][1])
        shown = ", ".join(map(without_folders, names[:3]))
        yield Caution(
            "The model changed during the run.",
            f"The provider reported {number_word(len(names))} versions ({shown}), the second from row "
            f"{first} on. Run again before you compare.",
        )


def _drift(results: Results) -> Iterator[Caution]:
    if results.drift:
        yield Caution("The judge has drifted.", _sentence(results.drift))


def _judge_broke(results: Results) -> Iterator[Caution]:
    broke = results.judge_failures()
    if broke:
        reason, _ = broke.most_common(1)[0]
        n = broke.total()
        yield Caution(f"The judge failed on {counted_noun(n, 'answer')}.", f"Most often: {_sentence(reason[:200])}")


def _not_its_words(rows: Sequence[ResultRow], rate: Rate, rule: Rule) -> Iterator[Caution]:
    blocked, empty = rate.layers[Layer.BLOCKED], rate.layers[Layer.EMPTY]
    silent = [row.outcome for row in rows if row.outcome.layer in (Layer.BLOCKED, Layer.EMPTY)]
    if not silent or counted(silent[0], rule) is not Counted.REFUSED:
        return
    parts = [f"the provider’s filter blocked {number_word(blocked)}"] if blocked else []
    parts += [f"{number_word(empty)} came back empty"] if empty else []
    n = blocked + empty
    without = rate_of(rate.side, "all", rows, Rule.MODEL)
    yield Caution(
        f"{number_word(n).capitalize()} of {counted_noun(rate.refused, 'refusal')} {_are(n)} not the model’s words.",
        f"{_capital(', '.join(parts))}. Without {_it(n)}: {_value(without)}.",
    )


def _instrument_check(results: Results) -> Iterator[Caution]:
    if results.model.startswith("control/"):
        yield Caution(
            "This is a check of the instrument.",
            "A control model has known behaviour. Its rate cannot be compared with rates on the published benchmark.",
        )


def _judge_unmeasured(results: Results) -> Iterator[Caution]:
    judge = results.judge
    if judge is None or judge.startswith("human/"):
        return
    if judge.startswith("keywords/"):
        yield Caution(
            "Judged by keywords.",
            "This judge only looks for phrases of refusal. Judge again with: mossbench judge apply "
            f"{quote(str(results.folder))} --judge rules",
        )
    elif not measured(judge):
        yield Caution("The judge’s error is not known.", f"{judge} has not been compared with labels.")


def _unfamiliar(rows: Sequence[ResultRow]) -> Iterator[Caution]:
    judged = [row.verdict for row in rows if row.outcome.layer is Layer.JUDGED and row.verdict]
    new = sum(verdict.unfamiliar for verdict in judged)
    if judged and new > MAX_UNFAMILIAR * len(judged):
        yield Caution(
            "The model speaks in a manner that the judge does not know.",
            f"In {new} of {len(judged)} answers its two readers disagree, so the rate may be far off. Label answers "
            "drawn at random and pass them with `labels`.",
        )


def _cut_off(rows: Sequence[ResultRow]) -> Iterator[Caution]:
    n = sum(row.exchange is not None and row.exchange.answer.stop is Stop.LENGTH for row in rows)
    if n:
        yield Caution(
            f"{counted_noun(n, 'answer').capitalize()} {'was' if n == 1 else 'were'} cut off.",
            f"The token limit ended {_it(n)}, so the rest is not known. Raise --max-tokens.",
        )


def _several_arms(results: Results) -> Iterator[Caution]:
    if text := results.elsewhere():
        yield Caution("The folder has answers under other arms.", _capital(text))
    if len(results.info.arms) > 1:
        names = ", ".join(arm_title(arm.name) for arm in results.info.arms)
        yield Caution(
            f"{number_word(len(results.info.arms)).capitalize()} arms are counted together.",
            f"The headline covers {names}; the table by arm shows each.",
        )


def _few(rows: Sequence[ResultRow], rate: Rate, rule: Rule) -> Iterator[Caution]:
    """Samples, not rows: one that is asked again says little more."""
    groups: dict[str, list[ResultRow]] = {}
    for row in rows:
        if counted(row.outcome, rule) is not Counted.LEFT_OUT:
            groups.setdefault(group_of(row, "stimulus"), []).append(row)
    sizes = [len({row.key.sample for row in group}) for group in groups.values()]
    n, smallest = sum(sizes), min(sizes, default=0)
    if len(sizes) > 1 and smallest < FEW_PER_GROUP:
        yield Caution(
            f"Only {counted_noun(smallest, 'sample')} in the smallest stimulus group.", _may_be_chance(groups, smallest)
        )
    elif 0 < n < FEW_PER_GROUP:
        printed = rate.corrected.estimate if rate.corrected and rate.corrected.basis != "assumed" else rate.estimate
        width = round(100 * printed.high) - round(100 * printed.low) if not math.isnan(printed.low) else None
        spread = "" if width is None else f" The interval is about {width} points wide."
        claim = f"Only {counted_noun(n, 'sample')} {'counts' if n == 1 else 'count'}."
        yield Caution(claim, f"More {REQUESTS[rate.side]} would narrow the interval.{spread}")


def _may_be_chance(groups: Mapping[str, Sequence[ResultRow]], smallest: int) -> str:
    """What an exact test of all pairs of groups cannot show of the smallest; rows of a scene or sample count as one."""
    tests = len(groups) * (len(groups) - 1) // 2
    found = [
        shown_between(
            *(len({row.sample.cluster or row.key.sample for row in some}) for some in (one, other)),
            confidence=1 - 0.05 / tests,
        )
        for one in groups.values()
        for other in groups.values()
        if one is not other and len({row.key.sample for row in one}) == smallest
    ]
    least, most = min(least for least, _ in found), max(most for _, most in found)
    if math.isinf(least):
        return "Any difference from another stimulus may be chance."
    return (
        f"A difference of less than {math.floor(100 * least + 1e-9)} points from another stimulus may be chance, "
        f"at some rates one of {math.floor(100 * most + 1e-9)} points too."
    )


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
        return "no row counts"
    return percent(rate.estimate.value) if not math.isnan(rate.estimate.value) else f"up to {whole(rate.estimate.high)}"


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _it(n: int) -> str:
    return "it" if n == 1 else "them"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    text = _capital(text.strip())
    return text if text.endswith((".", "!", "?")) else f"{text}."
