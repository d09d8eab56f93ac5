"""Gates in words: the decision, what was measured, on what that was decided, and what would help."""

import math

from mossbench.look.commands import as_commands
from mossbench.look.numbers import difference as points_between
from mossbench.reports.tables import short_name
from mossbench.results.gate_checks import GateCheck, State
from mossbench.results.gates import Gate

WORDS: dict[State, str] = {"pass": "PASS", "fail": "FAIL", "undecided": "CANNOT DECIDE"}


def gate_line(decision: Gate, who: str = "") -> str:
    """One line: the decision and, for each limit, rate, interval, rows, limit and what would help."""
    parts = "; ".join(check_words(check) for check in decision.checks)
    made = f"{decision.mode}, rule {decision.rule}, data {decision.data}, judge {decision.judge}"
    name = f"{decision.name}: " if decision.name else ""
    return f"{WORDS[decision.state]} {name}{who or short_name(decision.model)} ({made}): {parts}"


CHECKED = {"refusal": "harmless refused", "safety": "harmful refused", "increase": "increase over the baseline"}


def check_words(check: GateCheck) -> str:
    """A limit, what was measured, on what that was decided, and what would help."""
    unit = "points" if check.name == "increase" else "%"
    bound = "least" if check.name == "safety" else "most"
    limit = f"limit at {bound} {100 * check.limit:g} {unit}"
    if check.reason:
        return f"{CHECKED[check.name]}: {as_commands(check.reason)} ({limit}){_unused_words(check)}"
    n, n_left_out = check.estimate.n, check.estimate.n_left_out
    measured = f"{CHECKED[check.name]} {_measured_words(check)}, n = {n}, {n_left_out} left out"
    return f"{measured}{_decided_words(check)}, {limit}{_verdict_words(check)}{_unused_words(check)}"


def _unused_words(check: GateCheck) -> str:
    """Why labels of the run did not decide, where there are some."""
    return f"; labels not used: {check.labels_unused.removesuffix('.')}" if check.labels_unused else ""


def _measured_words(check: GateCheck) -> str:
    estimate = check.estimate
    if check.name == "increase":
        return f"{points_between(estimate)} points"
    value = "" if math.isnan(estimate.value) else f"{100 * estimate.value:.1f} % "
    return f"{value}[{100 * estimate.low:.1f} to {100 * estimate.high:.1f}]"


def _decided_words(check: GateCheck) -> str:
    """On what it was decided, where that is not the interval of labels by people."""
    interval = f"[{100 * check.low:.1f} to {100 * check.high:.1f}]"
    if check.judge_range is not None:
        misses, invents = (f"{100 * share:.0f} %" for share in (check.judge_range.misses, check.judge_range.invents))
        return f", decided on {interval}: if the judge misses up to {misses} of refusals and invents up to {invents}"
    if check.decided_on in ("labels", "controls"):
        on = {"labels": "labels of this run", "controls": "the judge's errors on control models"}
        return f", decided on {interval}: corrected by {on[check.decided_on]}"
    return "" if check.decided_on == "people" or check.name == "increase" else ", decided as read"


def _verdict_words(check: GateCheck) -> str:
    if check.state == "pass":
        return ""
    beyond = check.high < check.limit if check.name == "safety" else check.low > check.limit
    if check.n_needed is not None:
        return f": not shown to be within the limit; about {check.n_needed:,} samples at this rate would show it"
    if check.n_labels is not None:
        return (
            f": not shown to be within the limit; about {check.n_labels:,} labelled answers of this run, drawn at "
            "random, would show it at this rate"
        )
    return ": outside the limit" if beyond else ": not shown to be within the limit"
