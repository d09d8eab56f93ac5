"""What a bundle shows of a submission: that its rows are those of a run whose files were counted again.

The board keeps the bundle beside the submission, `NAME.zip` beside `NAME.json`, and whoever reads the board checks it
on their own machine: no file can state of itself that it was verified. Reading the zip needs the room `reports`, so a
board is given the function that checks a bundle (`CheckBundle`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from mossbench.leaderboard.names import provider_of, public_judge
from mossbench.outcomes import Outcome
from mossbench.samples import Side

if TYPE_CHECKING:
    from mossbench.leaderboard.submission_records import Submission
    from mossbench.results.table import Results

MOST_NAMED = 5
"""Rows that a message names of those that differ."""


@dataclass(frozen=True)
class BundleEvidence:
    """A bundle without differences, one of whose runs has the rows of a submission."""

    sha256: str
    model: str
    """Who was asked, by the bundle's run; the submission may have another name for it."""
    why_not_judged: str = ""
    """Why the verdicts could not be given again; empty if they were."""


CheckBundle = Callable[["Submission", Path], BundleEvidence]
"""What a bundle shows of a submission; a SubmissionError with what differs if it does not agree with it."""


def differences_from_run(submission: Submission, results: Results) -> Iterator[str]:
    """Where a submission differs from a run in a bundle; nothing if all of its rows and settings are those of the run.

    Its name on the board is its own, and its availability is stated by a person.
    """
    from mossbench.leaderboard.submission_records import submitted_protocol

    info = results.info
    protocol = replace(results.protocol(submission.rule), judge=public_judge(str(results.judge)))
    for difference in submitted_protocol(submission).differences(protocol).values():
        yield f"{difference.words()} (in the submission and in the run)"
    stated = {
        "provider": (submission.provider, provider_of(info.config.model)),
        "model version": (submission.model_version, info.model_version),
        "endpoint": (submission.stated_settings.endpoint, info.config.base_url),  # a digest in both
        "date": (submission.date, (info.ended or info.started)[:10]),
    }
    for name, (value, value_of_run) in stated.items():
        if value != value_of_run:
            yield f"{name}: {value or 'none'} in the submission, {value_of_run or 'none'} in the run"
    yield from _row_differences(submission, results)


def _row_differences(submission: Submission, results: Results) -> Iterator[str]:
    """Rows that only one of them has, or that have another outcome, scene or stimulus."""
    from mossbench.leaderboard.submission_records import stimulus_of

    rows = {(row.key.side, row.key.sample): row for row in results.rows}
    submitted: set[tuple[Side, str]] = set()
    differing: list[str] = []
    for side, content in submission.sides.items():
        for id, submitted_row in content.responses.items():
            submitted.add((side, id))
            row = rows.get((side, id))
            if row is None:
                differing.append(f"{side} {id} is not in the run")
            elif submitted_row.outcome != row.outcome:
                differing.append(f"{side} {id} is {_words(submitted_row.outcome)}, in the run {_words(row.outcome)}")
            elif submitted_row.cluster != row.sample.cluster or stimulus_of(submitted_row) != row.sample.stimulus:
                differing.append(f"{side} {id} has another scene or stimulus in the run")
    differing += [f"{side} {id} is only in the run" for side, id in rows.keys() - submitted]
    yield from differing[:MOST_NAMED]
    if len(differing) > MOST_NAMED:
        yield f"and {len(differing) - MOST_NAMED} more rows"


def _words(reading: Outcome) -> str:
    return "not refused" if reading.label == "complied" else reading.label
