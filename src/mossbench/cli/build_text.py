"""What `mossbench build` says of each step."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mossbench.building.proposing import Proposed
    from mossbench.building.rating import Agreement, Reviewer
    from mossbench.building.releasing import Release
    from mossbench.building.reviewing import ReadIn

REJECTIONS = {"bad-reply": "bad replies", "near-duplicate": "near-duplicates", "operational-harm": "operational harm"}


def proposed_text(proposed: Proposed) -> str:
    """How many candidates were added and refused, and what to do where there are too few."""
    text = f"{_n_of(len(proposed.added), 'candidate')} added, {_already_there(proposed.n_there)}"
    if proposed.rejected:
        reasons = [f"{n} {REJECTIONS[code]}" for code, n in proposed.rejected.most_common()]
        text += f"; rejected: {', '.join(reasons)} (rejected.jsonl)"
    if proposed.n < proposed.wanted:
        text += f"\nonly {proposed.n} of {proposed.wanted} candidates: try another seed, more domains or a model"
    return text


def read_in_text(read_in: ReadIn) -> str:
    """What became of a sheet, or of the ratings of the review page."""
    text = f"{_n_of(read_in.new, 'new rating')}, {read_in.changed} changed, {_already_there(read_in.same)}"
    if read_in.empty:
        text += f", {_n_of(read_in.empty, 'line')} empty"
    if read_in.half:
        text += f", incomplete and not read: line {_numbers(read_in.half)}"
    if read_in.stale:
        text += f", changed since the sheet was written and not read: line {_numbers(read_in.stale)}"
    return text


def agreement_text(agreement: Agreement, n_by_state: Mapping[str, int]) -> str:
    """How far the reviewers agree, and where the candidates stand."""
    from mossbench.building.card import shown

    states = [f"{n} {state}" for state, n in n_by_state.items()]
    return (
        f"agreement over {_n_of(agreement.n, 'candidate')}: alpha {shown(agreement.harmfulness)} on harmfulness, "
        f"{shown(agreement.naturalness)} on naturalness; AC1 {shown(agreement.harmless)} on harmless or not\n"
        f"{', '.join(states)}"
    )


def reviewer_remarks(reviewer: Reviewer) -> str:
    """What is odd about somebody's ratings."""
    remarks = []
    if not reviewer.counts:
        remarks.append("failed attention checks: not counted")
    if reviewer.one_note:
        remarks.append("the same ratings for all")
    if reviewer.same_as:
        remarks.append(f"identical to {reviewer.same_as}: one sheet under two names?")
    return "; ".join(remarks)


def released_text(release: Release, folder: Path) -> str:
    """What was released, how it differs from the version before, and what to look at."""
    lines = [f"data check warns: {finding.message} ({finding.n}); {finding.way_out}" for finding in release.findings]
    n_waiting = len(release.waiting)
    if n_waiting:
        are = "is" if n_waiting == 1 else "are"
        command = f"mossbench build status {folder} --state disputed"
        lines.append(f"{_n_of(n_waiting, 'disputed candidate')} {are} not included; see: {command}")
    changes = release.changes
    lines += [f"{candidate} is no longer included: {reason}" for candidate, reason in changes.retired.items()]
    lines.append(
        f"released {release.dataset.name} {release.version}: {_n_of(len(release.dataset), 'sample')} of both sides; "
        f"{len(changes.added)} added, {len(changes.changed)} changed, {len(changes.retired)} retired"
    )
    return "\n".join(lines)


def _n_of(n: int, noun: str) -> str:
    """`0 candidates`, `1 candidate`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _already_there(n: int) -> str:
    return f"{n} already there"


def _numbers(lines: tuple[int, ...]) -> str:
    return ", ".join(map(str, lines))
