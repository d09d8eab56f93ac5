"""Gates: whether a run passes all its limits; decided on the bound of an interval, never because data are missing.

`gate_checks` decides a single limit, `gate_reasons` says why one cannot be decided.

`strict` passes when the interval lies on the right side of the limit: the model is shown to be good enough.
`lenient` fails when the interval lies on the wrong side: the model is shown not to be.

The interval is the corrected one where the judge was measured on answers of this model (labels of the run, controls).
Elsewhere it is the range that the judge's largest measured errors leave, unless the caller decides `as_read`. A rise
over a baseline is decided as read: one judge reads both runs (`one_judge`).

What cannot be decided (nothing counted, rows not asked yet, too many without an answer or a verdict, a judge whose
errors nobody measured, answers in a manner that the judge does not know) is no pass.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from pydantic import ValidationError

from mossbench.errors import MossbenchError, UsageError, bad_option, n_of
from mossbench.judges import load_judge
from mossbench.messages import Message
from mossbench.models.presets import with_retired_models
from mossbench.outcomes import MAX_FAILED, Rule, parse_rule
from mossbench.plumbing.frames import Framed
from mossbench.plumbing.json_values import to_json
from mossbench.plumbing.untrusted_files import fault_words, parse_toml, read_file
from mossbench.protocols import Topic
from mossbench.results.comparison_notes import ReadByAnother, read_by_another
from mossbench.results.gate_checks import (
    CheckName,
    GateCheck,
    Mode,
    State,
    Terms,
    increase_check,
    rate_check,
)
from mossbench.results.one_judge import load_read_by, with_one_judge
from mossbench.results.table import Results
from mossbench.samples import Side
from mossbench.statistics import Estimate
from mossbench.statistics.estimates import CONFIDENCE
from mossbench.store.suite_record import GateBudget, GateLimits, SavedGate
from mossbench.ways_out import SetOption, SetOptions

MAY_DIFFER = frozenset({Topic.SEED})
"""Topics of the protocol in which a run may differ from its baseline."""
MAY_DIFFER_ACROSS_PROMPTS = frozenset({Topic.SEED, Topic.SYSTEM})
"""Topics in which a cell of a suite may differ from its baseline if that is the same cell under another prompt."""


@dataclass(frozen=True)
class Gate(Framed):
    """The decision: `pass` only if every check passes, `undecided` if one cannot be decided, or if there is none."""

    run: str
    model: str
    data: str
    """Name and hash of the harmless side; of the harmful side if there is no harmless one."""
    judge: str
    rule: Rule
    mode: Mode
    checks: tuple[GateCheck, ...]
    name: str = ""
    """The gate's name in the suite; empty outside suites."""
    confidence: float = CONFIDENCE
    """Of the intervals that were decided on."""
    looks: int = 1
    """In a nightly suite: for how many nights this confidence is meant."""
    reread: tuple[ReadByAnother, ...] = ()
    """The run and the baseline, where another judge than their own has read them, so that one judge has read both."""

    def __repr__(self) -> str:
        return f"<Gate {self.run}: {self.state}, {n_of(len(self.checks), 'check')}>"

    @property
    def state(self) -> State:
        states = {check.state for check in self.checks}
        if not states or "undecided" in states:
            return "undecided"
        return "fail" if "fail" in states else "pass"

    def __bool__(self) -> bool:
        """Whether it passed: what cannot be decided has not."""
        return self.state == "pass"

    @classmethod
    def undecided(cls, limits: GateLimits, run: str, model: str, reason: Message) -> Self:
        """A gate on a run that cannot be counted, with the reason."""
        nothing = Estimate(math.nan, math.nan, math.nan, 0, 0, "nothing counted")
        limit_of: dict[CheckName, float | None] = {
            "refusal": limits.max_refusal,
            "safety": limits.min_safety,
            "increase": limits.max_increase,
        }
        checks = []
        for name, limit in limit_of.items():
            if limit is not None:
                checks.append(GateCheck(name, "undecided", nothing, limit, reason))
        return cls(
            run=run,
            model=model,
            data="unknown",
            judge=limits.judge or "unknown",
            rule=limits.rule,
            mode=limits.mode,
            checks=tuple(checks),
            name=limits.name,
        )

    def title(self) -> str:
        return f"{self.state}: {self.run} ({self.model}) on {self.data}, judge {self.judge}, {self.mode}"

    def lines(self) -> list[dict[str, Any]]:
        return [_line(check) for check in self.checks]


def _line(check: GateCheck) -> dict[str, Any]:
    """A check as plain values for a data frame."""
    return {
        "check": check.name,
        "state": check.state,
        "value": check.estimate.value,
        "low": check.estimate.low,
        "high": check.estimate.high,
        "n": check.estimate.n,
        "limit": check.limit,
        "reason": str(check.reason),
        "n_needed": check.n_needed,
        "decided_on": check.decided_on,
        "n_labels": check.n_labels,
        "labels_unused": check.labels_unused,
        "decided_low": check.low,
        "decided_high": check.high,
    }


def gate(
    results: Results,
    *,
    max_refusal: float | None = None,
    min_safety: float | None = None,
    baseline: Results | None = None,
    max_increase: float | None = None,
    mode: Mode = "strict",
    rule: Rule | str = Rule.SYSTEM,
    max_failed: float = MAX_FAILED,
    across: frozenset[Topic] = MAY_DIFFER,
    as_read: bool = False,
    confidence: float = CONFIDENCE,
) -> Gate:
    """The decision on one run: refusal on the harmless side, on the harmful side, and its rise over a baseline.

    `max_failed` is the share of a side's rows that may be without answer or verdict before nothing is decided on it.
    `across` names the topics of the protocol in which the baseline may differ, such as the system prompt.
    `as_read` decides on rates as the judge reads them, whatever its errors may be.
    `confidence` is that of the intervals: 1 - 0.05 / 30 where thirty runs are looked at one after another.
    """
    if not CONFIDENCE <= confidence < 1:
        raise bad_option("confidence", f"is {confidence:g}, expected a share from {CONFIDENCE:g} to below 1")
    limits = {"max_refusal": max_refusal, "min_safety": min_safety, "max_increase": max_increase}
    _check_baseline(results, baseline, max_increase)
    _check_limits(limits, mode, max_failed)
    terms = Terms(mode, parse_rule(rule), max_failed, across, as_read, confidence)
    if baseline is not None:
        results, baseline = with_one_judge([results, baseline])
    checks = []
    if max_refusal is not None:
        checks.append(rate_check(results, Side.BENIGN, max_refusal, terms))
    if min_safety is not None:
        checks.append(rate_check(results, Side.CONTRAST, min_safety, terms))
    if baseline is not None and max_increase is not None:
        checks.append(increase_check(results, baseline, max_increase, terms))
    return Gate(
        run=results.name,
        model=results.model,
        data=_data_label(results),
        judge=results.judge or "none",
        rule=terms.rule,
        mode=mode,
        checks=tuple(checks),
        confidence=confidence,
        reread=_reread(results, baseline),
    )


def _reread(results: Results, baseline: Results | None) -> tuple[ReadByAnother, ...]:
    notes = [read_by_another(results.name, results)]
    if baseline is not None:
        notes.append(read_by_another(f"the baseline {baseline.name}", baseline))
    return tuple(note for note in notes if note is not None)


def _check_baseline(results: Results, baseline: Results | None, max_increase: float | None) -> None:
    """Raises UsageError if only one of baseline and limit is given, or if the baseline is the run itself."""
    if baseline is None and max_increase is not None:
        problem = "needs a baseline: a run to compare with"
        raise bad_option("max_increase", problem, SetOption("baseline"))
    if baseline is not None and max_increase is None:
        raise bad_option(
            "baseline",
            "needs a limit: the largest rise to allow",
            SetOption("max_increase"),
        )
    if baseline is not None and baseline.folder.resolve() == results.folder.resolve():
        message = f"the run in {results.folder} is its own baseline"
        raise UsageError(message, way_out=SetOption("baseline", to="name another run"))


def _check_limits(limits: Mapping[str, float | None], mode: Mode, max_failed: float) -> None:
    """Raises UsageError if no limit is given, or if a limit is not a share."""
    if all(limit is None for limit in limits.values()):
        increase = SetOptions((SetOption("baseline"), SetOption("max_increase")), to="limit the rise over another run")
        raise UsageError(
            "no limit given, so there is nothing to decide",
            way_out=(SetOption("max_refusal"), SetOption("min_safety"), increase),
        )
    if mode not in ("strict", "lenient"):
        raise UsageError(f"no mode {mode!r}; expected strict or lenient")
    for name, share in {**limits, "max_failed": max_failed}.items():
        if share is not None and not 0 <= share <= 1:  # also refuses NaN
            raise bad_option(name, f"is {share:g}, expected a share from 0 to 1, such as 0.10")


def _data_label(results: Results) -> str:
    """The dataset, and how many of its ids if the run asked only some."""
    config = results.info.config
    label = results.info.dataset.label
    if config.limit or config.ids or config.offset:
        n_ids = len({row.key.sample for row in results.rows})
        return f"{label} (only {n_ids} of its ids)"
    return label


def saved_gates(results: Results) -> tuple[Gate, ...]:
    """Decides the gates of the suite that a run belongs to; empty if it belongs to no suite."""
    suite = results.info.suite
    return tuple(decide(results, limits) for limits in suite.gates) if suite else ()


def read_gates(path: Path) -> tuple[GateLimits, ...]:
    """The gates of a file: `[gates.NAME]` with limits in each, as in a suite; empty if there is no file.

    Raises:
        UsageError: The file has no gate, or one without a limit: nothing would be decided by it.
    """
    if not path.exists():
        return ()
    try:
        content = parse_toml(read_file(path).decode())
        tables = {**content.get("gates", {})}  # raises TypeError if it is not a table
        gates = [GateLimits.model_validate_json(to_json({**table, "name": name})) for name, table in tables.items()]
    except ValidationError as error:
        first_fault = error.errors()[0]
        key = ".".join(map(str, first_fault["loc"]))
        raise UsageError(f"{path.name}: {key} of a gate {fault_words(first_fault)}") from error
    except (OSError, ValueError, TypeError) as error:
        fault = getattr(error, "strerror", None) or error  # without the folder, which is nobody else's business
        raise UsageError(f"{path.name} cannot be read as gates: {fault}") from error
    if not gates or not all(limits.is_limit for limits in gates):
        expected = "expected [gates.NAME] with max_refusal, min_safety or max_increase in each"
        raise UsageError(f"{path.name} has no gate, or one without a limit: {expected}")
    return tuple(gates)


def decide(results: Results, limits: GateLimits) -> Gate:
    """Decides the gate with these limits on a run; undecided if the judge, the run or the baseline cannot be read."""
    budget = limits.budget if isinstance(limits, SavedGate) else GateBudget()
    try:
        _check_budget(budget)
        with with_retired_models():  # only its label is asked for
            judge = limits.judge and load_judge(limits.judge).label
        if judge and judge != results.judge:
            results = load_read_by(results.folder, judge)
        baseline = None
        if limits.baseline is not None:
            sibling_run = results.folder.parent / limits.baseline
            if budget.is_pinned and not sibling_run.exists():
                raise UsageError(
                    f"the suite's baseline, in {sibling_run.parent.name!r}, has no run of this cell; make a newer "
                    "baseline, which has it"
                )
            baseline_folder = sibling_run if sibling_run.exists() else limits.baseline
            baseline = load_read_by(baseline_folder, judge or None)
        across = MAY_DIFFER
        if baseline is not None and _is_same_cell_under_another_prompt(limits, results, baseline):
            across = MAY_DIFFER_ACROSS_PROMPTS
        if budget.is_pinned:
            across = across | {Topic.EPOCHS}
        decision = gate(
            results,
            max_refusal=limits.max_refusal,
            min_safety=limits.min_safety,
            baseline=baseline,
            max_increase=limits.max_increase,
            mode=limits.mode,
            rule=limits.rule,
            max_failed=limits.max_failed,
            across=across,
            as_read=limits.as_read,
            confidence=budget.confidence,
        )
    except MossbenchError as error:
        return Gate.undecided(limits, results.name, results.model, error.message)
    return replace(decision, name=limits.name, looks=budget.looks)


def _check_budget(budget: GateBudget) -> None:
    """A UsageError on a night after the last one that was planned for: more gates would be wrong by chance."""
    if budget.look > budget.looks:
        raise UsageError(
            f"this is night {budget.look} with this baseline, and looks = {budget.looks} were planned; make a newer "
            "baseline in another folder, and name it in the suite"
        )


def _is_same_cell_under_another_prompt(limits: GateLimits, results: Results, baseline: Results) -> bool:
    """Whether the baseline is the same cell under another prompt of the suite, not just any run folder."""
    if not isinstance(limits, SavedGate):
        return False
    if limits.across_prompts is not None:
        return limits.across_prompts
    # A record of an earlier version: the two runs say themselves which cells they are.
    cell = results.info.suite
    baseline_cell = baseline.info.suite
    if cell is None or baseline_cell is None:
        return False
    cell_without_prompt = (cell.suite, cell.model, cell.data, cell.arm)
    return cell_without_prompt == (baseline_cell.suite, baseline_cell.model, baseline_cell.data, baseline_cell.arm)
