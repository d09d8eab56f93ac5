"""Gates in words: the decision, its reason, the measured rate, the interval used, and what would help."""

import math

from mossbench.look.numbers import difference as points_between
from mossbench.messages import on_command_line, text_on_command_line
from mossbench.reports.tables import short_name
from mossbench.results.comparison_words import read_by_another_message
from mossbench.results.gate_checks import GateCheck, Mode, State
from mossbench.results.gates import Gate

STATE_WORDS: dict[State, str] = {"pass": "PASS", "fail": "FAIL", "undecided": "UNDECIDED"}


def gate_line(decision: Gate, who: str = "") -> str:
    """One line: the decision, for each limit the reason and the figures, and the settings."""
    clauses = [check_words(check, decision.mode) for check in decision.checks] or [NO_LIMIT]
    checks = "; ".join([*clauses, *reread_clauses(decision)])
    settings = f"{decision.mode}, rule {decision.rule}, data {decision.data}, judge {decision.judge}"
    if decision.looks > 1:
        settings += f", intervals of {100 * decision.confidence:.4g} % for {decision.looks} nights"
    name = f"{decision.name}: " if decision.name else ""
    return f"{STATE_WORDS[decision.state]} {name}{who or short_name(decision.model)}: {checks} ({settings})"


def reread_clauses(decision: Gate) -> list[str]:
    """For the run and the baseline, that another judge than their own has read them."""
    return [text_on_command_line(read_by_another_message(note)) for note in decision.reread]


NO_LIMIT = "no limit, so nothing is decided"
"""Of a gate without a check, such as one in a record of a run that somebody has edited."""
CHECK_NAMES = {"refusal": "harmless refused", "safety": "harmful refused", "increase": "increase over the baseline"}


def check_words(check: GateCheck, mode: Mode) -> str:
    """Whether the limit is met, the measured rate, the interval that was compared with it, and what would help."""
    return "; ".join(check_clauses(check, mode))


def check_clauses(check: GateCheck, mode: Mode, *, brackets: str = "[]", shows_none_left_out: bool = True) -> list[str]:
    """The clauses of `check_words`, with intervals in these brackets."""
    unused = f"labels not used: {check.labels_unused.removesuffix('.')}" if check.labels_unused else ""
    name = CHECK_NAMES[check.name]
    if check.reason:
        clauses = [f"{name} (limit: {_limit_words(check)}): {on_command_line(check.reason)}", unused]
        return [clause for clause in clauses if clause]
    n_left_out = check.estimate.n_left_out
    left_out = f", {n_left_out} left out" if n_left_out or shows_none_left_out else ""
    measured = f"{_measured_words(check, brackets)}, n = {check.estimate.n}{left_out}{_interval_used(check, brackets)}"
    result = f"{name} {_finding(check, mode)}: {measured}"
    return [clause for clause in (result, _needed_words(check), unused) if clause]


def _limit_words(check: GateCheck) -> str:
    bound = "least" if check.name == "safety" else "most"
    return f"at {bound} {_limit_value(check)}"


def _limit_value(check: GateCheck) -> str:
    unit = "points" if check.name == "increase" else "%"
    return f"{100 * check.limit:g} {unit}"


def _finding(check: GateCheck, mode: Mode) -> str:
    """Where the rate lies to the limit, as far as that is shown."""
    beyond = f"{'below' if check.name == 'safety' else 'above'} the limit of {_limit_value(check)}"
    is_beyond = check.high < check.limit if check.name == "safety" else check.low > check.limit
    if is_beyond:
        return beyond
    if check.state == "fail":
        return f"not shown to be {_limit_words(check)}"
    return _limit_words(check) if mode == "strict" else f"not shown to be {beyond}"


def _measured_words(check: GateCheck, brackets: str) -> str:
    estimate = check.estimate
    if check.name == "increase":
        return f"{points_between(estimate, brackets=brackets)} points"
    value = "" if math.isnan(estimate.value) else f"{100 * estimate.value:.1f} % "
    return f"{value}{_interval(estimate.low, estimate.high, brackets)}"


def _interval(low: float, high: float, brackets: str) -> str:
    return f"{brackets[0]}{100 * low:z.1f} to {100 * high:z.1f}{brackets[1]}"


def _interval_used(check: GateCheck, brackets: str) -> str:
    """The interval that was compared with the limit, if it is not the measured one of labels by people."""
    interval = _interval(check.low, check.high, brackets)
    if check.judge_range is not None:
        misses = f"{100 * check.judge_range.misses:.0f} %"
        invents = f"{100 * check.judge_range.invents:.0f} %"
        return (
            f", interval used {interval} for a judge that misses up to {misses} of refusals and reads up to {invents} "
            "of other answers as refusals"
        )
    if check.decided_on == "labels":
        return f", interval used {interval}, corrected by labels of this run"
    if check.decided_on == "controls":
        return f", interval used {interval}, corrected by the judge's errors on control models"
    if check.decided_on == "people" or check.name == "increase":
        return ""
    return ", the judge's errors not considered"


def _needed_words(check: GateCheck) -> str:
    """How many samples or labels would show that it is within the limit; empty if that is not known."""
    if check.state == "pass":
        return ""
    if check.n_needed is not None:
        return f"about {check.n_needed:,} samples at this rate would show it"
    if check.n_labels is not None:
        return f"about {check.n_labels:,} labelled answers of this run, drawn at random, would show it at this rate"
    return ""
