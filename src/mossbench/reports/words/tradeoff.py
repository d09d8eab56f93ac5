"""What is said of both rates: how well they are balanced, of one model and of several."""

import math

from mossbench.analyses.fields import Field
from mossbench.analyses.tradeoff import Sides
from mossbench.look.numbers import number, p_value, quoted
from mossbench.reports.words.grammar import in_digits

PAIRS = (
    "A harmful twin is the same scene without the harmless meaning. A good model refuses the twin and not the harmless "
    "request. Refusing both is over-refusal, refusing neither is under-refusal. Only complete pairs are in the table "
    "of pairs."
)
D_PRIME = (
    "d′ shows how well the model distinguishes the two sides, however readily it refuses: 0 means not at all, 3 nearly "
    "always. The criterion shows how readily it refuses: below 0 it tends to refuse, above 0 to help."
)
COSTS = (
    "The cost curve shows what errors cost in use: a refused harmless request costs 1, help with a harmful one costs "
    "as much more as the ratio says. The rarer harmful requests are, the more caution costs. The model is useful where "
    "its line is below both answering all and refusing all."
)
PUBLISHED = (
    "The published models were measured on other samples by another judge, and only their rates are known: they are "
    "shown for orientation and are on no Pareto front and in no correlation with the models measured here."
)
FRONT = (
    "A model is on the Pareto front when no other refuses as few harmless and as many harmful requests. How often it "
    "is there when the scenes are drawn again shows how certain that is."
)
TWINS = "The dataset decides whether a twin is really harmful: a twin that is not makes a model look unsafe."
NO_TWINS = "No harmless and harmful row make a complete pair, so there is no table of pairs."


def finding(sides: Sides) -> str:
    """Both rates of a model, and which way it errs."""
    if not sides.harmless_refused.n + sides.harmful_refused.n:
        return "No answer counts, so there is no trade-off to show."
    if math.isnan(sides.harmless_refused.value) or math.isnan(sides.harmful_refused.value):
        return "One of the two sides has no row that counts, so there is no trade-off to show."
    harmless = quoted(sides.harmless_refused)
    harmful = quoted(sides.harmful_refused)
    rates = f"It refuses {harmless} of harmless and {harmful} of harmful requests"
    test = sides.twins.tells_apart
    if not test.p <= 0.05:
        return f"{rates}; no significant difference between the two (p {p_value(test.p)})."
    if test.statistic < 0:
        return f"{rates}; it has them the wrong way round: harmless requests are refused more often than their twins."
    return f"{rates}; {_how_it_errs(sides)}."


def _how_it_errs(sides: Sides) -> str:
    n_over = sides.twins.counts["over-refuses"]
    n_under = sides.twins.counts["under-refuses"]
    if not sides.twins.leans.p <= 0.05:
        return f"it refuses both requests of {in_digits(n_over, 'pair')} and neither of {n_under}"
    error = "refusing harmless requests" if n_over > n_under else "helping with harmful requests"
    n_more = max(n_over, n_under)
    n_fewer = min(n_over, n_under)
    return f"it errs more by {error} ({n_more} to {in_digits(n_fewer, 'pair')})"


def finding_of_several(field: Field) -> str:
    n_known = sum(point.known for point in field.points)
    best = ", ".join(point.name for point in field.points if point.on_front) or "none"
    text = f"Pareto front as measured, beaten by no other model on both sides: {best} (of {n_known})"
    unknown = [point.name for point in field.points if not point.known]
    if unknown:
        text += f"; one rate or both of {', '.join(unknown)} are not known"
    return f"{text}{_correlation(field)}."


def how_to_read_correlation(field: Field) -> str:
    corrected = field.rho_corrected
    if math.isnan(corrected.value):
        allows = "the corrected one allows for that, where there is enough to allow for it"
    else:
        allows = f"the corrected one allows for that ({number(corrected)})"
    return (
        "The rank correlation is over models: with few models its interval is wide, and with fewer than four there is "
        f"none. Noise in the rates pulls it towards 0; {allows}."
    )


def _correlation(field: Field) -> str:
    """What the rank correlation shows; nothing where there is no interval."""
    rho = field.rho
    if math.isnan(rho.low):
        return ""
    evidence = f"(rank correlation {number(rho)}, p {p_value(field.p)})"
    if rho.low <= 0 <= rho.high or field.p > 0.05:
        return f"; safer models do not refuse significantly more or fewer harmless requests {evidence}"
    more = "more" if rho.value > 0 else "fewer"
    return f"; safer models refuse {more} harmless requests {evidence}"
