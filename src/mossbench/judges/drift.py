"""Drift: whether a judge still gives the same verdicts on a fixed set of probes.

The probes are answers that we wrote, of all kinds. For the offline judges the verdicts to compare with ship with the
package; for a judging model you save them once (`check_drift(save=…)`) and compare later, since a provider may change a
model without changing its name.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from mossbench.errors import DataError, RunError, UsageError
from mossbench.judges.judge import Judge, judge_exchange
from mossbench.outcomes import Answer, Counted, Exchange, Kind, Rule, Unread, Verdict, counted, outcome
from mossbench.plumbing.untrusted_files import fault_text, read_file
from mossbench.samples import Record, Side
from mossbench.statistics import mcnemar_mid_p, wilson
from mossbench.ways_out import SaveDriftBaseline

TOLERANCE = 0.02
"""The share of verdicts that may change from one call of a judging model to the next without counting as drift."""


class Probe(Record):
    """One probe: a request, an answer to it, and the kind it was written to be."""

    id: str
    request: str
    answer: str
    kind: Kind


class ProbeVerdict(Record):
    """A judge's verdict on a probe, without its reason."""

    kind: Kind | None = None
    refused: bool | None = None

    @property
    def counts(self) -> Counted:
        return counted(outcome(Answer(text="x"), Verdict(kind=self.kind, refused=self.refused)), Rule.MODEL)

    def __str__(self) -> str:
        if self.kind:
            return self.kind.value
        return {True: "refused", False: "complied", None: "no verdict"}[self.refused]


class Baseline(Record):
    """The verdicts of a judge on all probes, by the probe's id."""

    judge: str
    said: dict[str, ProbeVerdict]


@dataclass(frozen=True)
class Change:
    probe: str
    before: ProbeVerdict
    now: ProbeVerdict


@dataclass(frozen=True)
class Drift:
    """The comparison. A deterministic judge has drifted when anything changed."""

    judge: str
    baseline: str
    n: int
    changes: tuple[Change, ...]
    p: float
    """McNemar's mid-p that refusals became more or fewer."""
    drifted: bool

    def summary(self) -> str:
        if not self.changes:
            return f"judge {self.judge} has not drifted: all {self.n} verdicts are as in the baseline ({self.baseline})"
        verdict = "has drifted" if self.drifted else "has not drifted beyond the usual variation between calls"
        changed = f"{len(self.changes)} of {self.n} verdicts on probes differ from the baseline ({self.baseline})"
        return f"judge {self.judge} {verdict}: {changed} (p = {self.p:.3f})"

    def to_dict(self) -> dict[str, Any]:
        changes = [{"probe": c.probe, "before": str(c.before), "now": str(c.now)} for c in self.changes]
        named = {"judge": self.judge, "baseline": self.baseline, "n": self.n, "p": self.p, "drifted": self.drifted}
        return {**named, "changes": changes}


@cache
def probes() -> tuple[Probe, ...]:
    lines = (files("mossbench.judges") / "probes.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(Probe.model_validate_json(line) for line in lines)


async def ask_probes(judge: Judge) -> Baseline:
    verdicts = {}
    for probe in probes():
        answer = Answer(text=probe.answer)
        exchange = Exchange(side=Side.BENIGN, sample=probe.id, request=probe.request, answer=answer)
        verdict = (await judge_exchange(judge, exchange)).verdict
        if verdict.code is Unread.JUDGE_FAILED:
            raise RunError(
                f"judge {judge.name!r} gave no verdict on probe {probe.id}: {verdict.reason}; nothing was compared"
            )
        verdicts[probe.id] = ProbeVerdict(kind=verdict.kind, refused=verdict.refused)
    return Baseline(judge=judge.label, said=verdicts)


def shipped_baseline(judge_name: str, version: str) -> Baseline | None:
    """The verdicts that came with the package, for an older version its own; None for a judge without."""
    folder = files("mossbench.judges") / "baselines"
    for name in (f"{judge_name}-{version}.json", f"{judge_name}.json"):
        path = folder / name
        if path.is_file():
            return Baseline.model_validate_json(path.read_text(encoding="utf-8"))
    return None


def read_baseline(path: Path) -> Baseline:
    try:
        return Baseline.model_validate_json(read_file(path))
    except FileNotFoundError as error:
        raise UsageError(f"no baseline {str(path)!r}", way_out=SaveDriftBaseline(path)) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or fault_text(error)
        raise DataError(
            f"{path} is not a baseline of judge verdicts: {reason}",
            way_out=SaveDriftBaseline(path, to="write a new one"),
        ) from error


def compare(now: Baseline, before: Baseline, *, deterministic: bool) -> Drift:
    """What changed between two readings of the probes; probes that are not in both are left out."""
    if now.judge.rpartition("/")[0] != before.judge.rpartition("/")[0]:
        raise UsageError(
            f"the baseline is of judge {before.judge!r}, not of {now.judge!r}; compare a judge with itself"
        )
    shared_ids = [id for id in now.said if id in before.said]
    if not shared_ids:
        raise DataError("the baseline has none of the probes of this version; save a new baseline")
    changes = tuple(Change(id, before.said[id], now.said[id]) for id in shared_ids if before.said[id] != now.said[id])
    n_more_refused = sum(change.now.counts is Counted.REFUSED != change.before.counts for change in changes)
    n_fewer_refused = sum(change.before.counts is Counted.REFUSED != change.now.counts for change in changes)
    p = mcnemar_mid_p(n_more_refused, n_fewer_refused)
    beyond_noise = p < 0.05 or wilson(len(changes), len(shared_ids)).low > TOLERANCE
    drifted = bool(changes) and (deterministic or beyond_noise)
    return Drift(now.judge, before.judge, len(shared_ids), changes, p, drifted)


def to_json(baseline: Baseline) -> str:
    return baseline.model_dump_json(indent=1, exclude_none=True) + "\n"
