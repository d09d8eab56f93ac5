"""What a section says, from records: its finding, the notes of its tables and its cautions."""

from math import nan

from mossbench.analyses.claims import make_claim
from mossbench.analyses.counterfactuals import Counterfactuals
from mossbench.analyses.counterfactuals import Effect as ArmEffect
from mossbench.analyses.fields import Field, Placed
from mossbench.analyses.stages import Stages
from mossbench.analyses.tradeoff import Several
from mossbench.reports.analyses import counterfactuals, stages, tradeoff
from mossbench.statistics import Effect, Estimate, Significance

UNKNOWN = Estimate(nan, nan, nan, 0, 0, "nothing")


def estimate(value, low=0.1, high=0.9):
    return Estimate(value, low, high, 40, 1, "wilson")


def changes(*effects, overall=None):
    return Counterfactuals(effects, overall or {}, ("plain", "text-only"), ())


def test_changes_that_lower_refusals_are_named_with_their_points():
    plain = ArmEffect("plain", "all", estimate(0.5), UNKNOWN, nan)
    without = ArmEffect("text-only", "all", estimate(0.2), estimate(-0.3, -0.4, -0.2), 0.01)
    start = "50.0\u202f% of the plain requests are refused; "
    title = counterfactuals.TITLES["text-only"]
    assert counterfactuals.section(changes(plain, without)).finding == (
        f"{start}significantly lowered, in points, by: “{title}” (−30.0)."
    )
    assert counterfactuals.section(changes(plain)).finding == (
        f"{start}no single change lowers that significantly over all requests."
    )
    nothing = ArmEffect("plain", "all", UNKNOWN, UNKNOWN, nan)
    assert counterfactuals.section(changes(nothing)).finding == "No answer counts, so nothing can be compared."


def test_a_table_of_changes_says_whether_the_arms_differ():
    plain = ArmEffect("plain", "all", estimate(0.5), UNKNOWN, nan)
    test = {"all": Significance(0.02, 5.5, 30, 4, "cochran")}
    assert counterfactuals.section(changes(plain, overall=test)).tables[0].note == (
        "Do the arms differ? Cochran’s Q = 5.5, p = 0.020, on the first answers of 30 requests under 2 arms (4 left "
        "out)."
    )
    assert counterfactuals.section(changes(plain)).tables[0].note == (
        "Cochran’s Q: too few arms have answers that count."
    )


def models(*points, rho=UNKNOWN, corrected=UNKNOWN, p=nan):
    return Several((Field("All", points, rho, corrected, p),))


def test_the_front_names_models_and_those_that_cannot_stand_on_it():
    best = Placed("a", estimate(0.1), estimate(0.9), True, 0.8)
    unknown = Placed("b", UNKNOWN, estimate(0.9), False, nan)
    section = tradeoff.section(models(best, unknown))
    assert section.finding == (
        "Pareto front as measured, beaten by no other model on both sides: a (of 1); one rate or both of b are not "
        "known."
    )
    assert section.text[1].endswith("the corrected one allows for that, where there is enough to allow for it.")


def test_a_rank_correlation_is_said_only_as_far_as_it_is_shown():
    best = Placed("a", estimate(0.1), estimate(0.9), True, 0.8)
    shown = tradeoff.section(models(best, rho=estimate(0.8, 0.5, 0.95), corrected=estimate(0.85), p=0.01))
    assert shown.finding.endswith(
        "; safer models refuse more harmless requests (rank correlation 0.80 (0.50 to 0.95), p 0.010)."
    )
    assert shown.text[1].endswith("the corrected one allows for that (0.85 (0.10 to 0.90)).")
    not_shown = tradeoff.section(models(best, rho=estimate(0.1, -0.5, 0.6), p=0.7))
    assert "; safer models do not refuse significantly more or fewer harmless requests (" in not_shown.finding


def test_a_help_that_cannot_be_told_says_how_many_requests_would_show_it():
    vague = make_claim("goal", None, {"asked again": Effect(0.1, 0.1, 39, 40, 0, 400)}, 2)
    (caution,) = stages.section(Stages((), 0, 9, (), (), (vague,))).cautions
    assert caution.startswith("Whether the goal in plain words fixes refusals is undecided: up to ")
    assert caution.endswith("there are 40. Add samples, not epochs.")


def test_stages_without_refusals_have_nothing_to_explain():
    assert stages.section(Stages((), 0, 0, ())).finding == "No answer counts, so there is nothing to explain."
    assert stages.section(Stages((), 0, 9, ())).finding == (
        "None of the 9 harmless requests was refused, so there is nothing to explain."
    )
    assert stages.section(Stages((), 2, 9, ())).finding == "2 refusals of harmless requests; none was asked again."
