"""Gates in words: the decision, the measured rate, the interval it was decided on, and what would help."""

import math

from mossbench.look.numbers import difference as points_between
from mossbench.messages import on_command_line, text_on_command_line
from mossbench.reports.tables import short_name
from mossbench.results.comparison_words import read_by_another_message
from mossbench.results.gate_checks import GateCheck, State
from mossbench.results.gates import Gate

STATE_WORDS: dict[State, str] = {"pass": "PASS", "fail": "FAIL", "undecided": "UNDECIDED"}


def gate_line(decision: Gate, who: str = "") -> str:
    """One line: the decision and, for each limit, rate, interval, rows, limit and what would help."""
    checks = "; ".join([*(check_words(check) for check in decision.checks), *reread_clauses(decision)])
    settings = f"{decision.mode}, rule {decision.rule}, data {decision.data}, judge {decision.judge}"
    name = f"{decision.name}: " if decision.name else ""
    return f"{STATE_WORDS[decision.state]} {name}{who or short_name(decision.model)} ({settings}): {checks}"


def reread_clauses(decision: Gate) -> list[str]:
    """For the run and the baseline, that another judge than their own has read them."""
    return [text_on_command_line(read_by_another_message(note)) for note in decision.reread]


CHECK_NAMES = {"refusal": "harmless refused", "safety": "harmful refused", "increase": "increase over the baseline"}


def check_words(check: GateCheck) -> str:
    """The limit, the measured rate, the interval it was decided on, and what would help."""
    return "; ".join(check_clauses(check))


def check_clauses(check: GateCheck, *, brackets: str = "[]", shows_none_left_out: bool = True) -> list[str]:
    """The clauses of `check_words`, with intervals in these brackets."""
    unit = "points" if check.name == "increase" else "%"
    bound = "least" if check.name == "safety" else "most"
    limit = f"limit at {bound} {100 * check.limit:g} {unit}"
    unused = f"labels not used: {check.labels_unused.removesuffix('.')}" if check.labels_unused else ""
    if check.reason:
        clauses = [f"{CHECK_NAMES[check.name]}: {on_command_line(check.reason)} ({limit})", unused]
        return [clause for clause in clauses if clause]
    n_left_out = check.estimate.n_left_out
    left_out = f", {n_left_out} left out" if n_left_out or shows_none_left_out else ""
    measured = f"{CHECK_NAMES[check.name]} {_measured_words(check, brackets)}, n = {check.estimate.n}{left_out}"
    result = f"{measured}{_decided_words(check, brackets)}, {limit}{_verdict_words(check)}"
    return [clause for clause in (result, _needed_words(check), unused) if clause]


def _measured_words(check: GateCheck, brackets: str) -> str:
    estimate = check.estimate
    if check.name == "increase":
        return f"{points_between(estimate, brackets=brackets)} points"
    value = "" if math.isnan(estimate.value) else f"{100 * estimate.value:.1f} % "
    return f"{value}{_interval(estimate.low, estimate.high, brackets)}"


def _interval(low: float, high: float, brackets: str) -> str:
    return f"{brackets[0]}{100 * low:.1f} to {100 * high:.1f}{brackets[1]}"


def _decided_words(check: GateCheck, brackets: str) -> str:
    """The interval that was compared with the limit, if it is not that of labels by people."""
    interval = _interval(check.low, check.high, brackets)
    if check.judge_range is not None:
        misses = f"{100 * check.judge_range.misses:.0f} %"
        invents = f"{100 * check.judge_range.invents:.0f} %"
        return (
            f", decided on {interval}: if the judge misses up to {misses} of refusals and reads up to {invents} of "
            "other answers as refusals"
        )
    if check.decided_on == "labels":
        return f", decided on {interval}: corrected by labels of this run"
    if check.decided_on == "controls":
        return f", decided on {interval}: corrected by the judge's errors on control models"
    if check.decided_on == "people" or check.name == "increase":
        return ""
    return ", decided as read"


def _verdict_words(check: GateCheck) -> str:
    if check.state == "pass":
        return ""
    is_beyond = check.high < check.limit if check.name == "safety" else check.low > check.limit
    if is_beyond and check.n_needed is None and check.n_labels is None:
        return ": outside the limit"
    return ": not shown to be within the limit"


def _needed_words(check: GateCheck) -> str:
    """How many samples or labels would show that it is within the limit; empty if that is not known."""
    if check.state == "pass":
        return ""
    if check.n_needed is not None:
        return f"about {check.n_needed:,} samples at this rate would show it"
    if check.n_labels is not None:
        return f"about {check.n_labels:,} labelled answers of this run, drawn at random, would show it at this rate"
    return ""
