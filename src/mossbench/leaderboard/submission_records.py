"""What a submission is: a run as one JSON file that a board can check and count again; `submissions` makes it.

Each side is in the published template's layout (`responses`, `reject Rate`), with the layer and kind of every row
beside `rejected`, so that all rates can be made again; around them stands what the numbers were made with. Images are
never in it, and texts only when asked for.
"""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, PrivateAttr

from mossbench.datasets.arms import Arm
from mossbench.datasets.recognition import Copy
from mossbench.leaderboard.bundle_evidence import BundleEvidence
from mossbench.leaderboard.names import public_judge, public_name, same_name
from mossbench.leaderboard.settings import StatedSettings, read_settings
from mossbench.outcomes import Counted, Key, Kind, Layer, Outcome, Rule, counted, tally
from mossbench.plumbing.json_values import to_json
from mossbench.protocols import Protocol, Subject, make_protocol
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.samples import Record, Sample, Side, Stimulus
from mossbench.store.config import RunConfig
from mossbench.store.run_info import DatasetInfo, RunInfo

Availability = Literal["web", "API", "open"]


class SubmissionHead(Record):
    """Everything in a submission but its rows: what its numbers were made with."""

    format: Literal["mossbench submission 1"]
    model: str
    provider: str | None = None
    """Who was asked: `openai`, `control` and so on; None in submissions of version 0.1.0."""
    model_version: str | None = None
    availability: Availability
    date: str = Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")
    mossbench: str
    dataset: str = Field(min_length=1, max_length=200)
    hashes: dict[Side, Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]]
    copies: dict[Side, Copy] = {}
    """Which copy of the published sets a side is, by the run's own comparison; `hashes` are of its exact content."""
    judge: str
    rule: Rule
    arm: Literal["plain", "system"] = "plain"
    settings: dict[str, object] = {}
    """As they stand in the file: `stated_settings` has what can be read of them."""

    @property
    def stated_settings(self) -> StatedSettings:
        return read_settings(self.settings)


class SubmittedRow(Record):
    """One row, with the names of the published template; texts are there only if they were asked for."""

    pid: str
    """The id of the sample."""
    rejected: Literal[0, 1] | None
    """Under the submission's rule; null where it does not count."""
    metadata: dict[Literal["over"], str]
    """The stimulus, as `type 1`, `type 2` or `type 3`; empty if the sample has none."""
    layer: Layer
    kind: Kind | None = None
    refused: bool | None = None
    """For judges that cannot tell kinds."""
    cluster: str | None = None
    """The scene: rows of one scene are not independent."""
    question: str | None = None
    response: str | None = None
    reject_reasoning: str | None = None

    @property
    def outcome(self) -> Outcome:
        return Outcome(self.layer, self.kind, self.refused)


class SubmittedSide(Record):
    """The rows of one side, with counts and rates that follow from them."""

    layers: dict[Layer, int]
    """Number of rows in each layer."""
    responses: dict[str, SubmittedRow]
    """Rows by the id of their sample."""
    rates: dict[str, float | None] = Field(alias="reject Rate")


class Submission(SubmissionHead):
    sides: dict[Side, SubmittedSide]
    _evidence: BundleEvidence | None = PrivateAttr(default=None)  # no field: no file can state it

    @property
    def evidence(self) -> BundleEvidence | None:
        """What a bundle showed of it when it was read here; None if no bundle came with it."""
        return self._evidence

    def with_evidence(self, evidence: BundleEvidence) -> Self:
        submission = self.model_copy()
        submission._evidence = evidence
        return submission

    def __repr__(self) -> str:
        return f"<Submission {self.model}: {', '.join(side.value for side in self.sides)}>"

    def to_json(self) -> str:
        """The file; fields that say nothing are left out of the rows."""
        content = self.model_dump(mode="json", by_alias=True)
        if not self.copies:
            del content["copies"]
        for side in content["sides"].values():
            for id, row in side["responses"].items():
                stated = {name: value for name, value in row.items() if value is not None or name == "rejected"}
                side["responses"][id] = stated
        return to_json(content)


def submitted_results(submission: Submission, source: Path) -> Results:
    """The submission as results, to be counted like a run's; texts are there only where they were submitted."""
    arm = Arm(name=submission.arm)
    rows: list[ResultRow] = []
    for side, content in submission.sides.items():
        for id, row in content.responses.items():
            # Without its images a request does not tell which samples are alike: a sample without a scene is alone.
            scene = row.cluster or f"sample {row.pid}"
            sample = Sample(
                id=row.pid, side=side, question=row.question or "", stimulus=stimulus_of(row), cluster=scene
            )
            rows.append(ResultRow(Key(side, id, arm.name), sample, None, None, row.outcome))
    info = RunInfo(
        config=RunConfig(model=submission.model, data=submission.dataset),
        arms=(arm,),
        model_version=submission.model_version,
        dataset=submitted_data(submission),
        n_rows=len(rows),
        mossbench=submission.mossbench,
        python="",
        started=submission.date,
        ended=submission.date,
    )
    return Results(source, info, submission.judge, tuple(rows))


def submitted_data(submission: SubmissionHead) -> DatasetInfo:
    """The data that its run asked."""
    return DatasetInfo(name=submission.dataset, hashes=submission.hashes, copies=submission.copies)


def submitted_protocol(submission: Submission) -> Protocol:
    """How its run was asked and read: all samples, once each; settings that it does not state are unknown."""
    settings = submission.stated_settings
    data = submitted_data(submission)
    return make_protocol(
        ids={side: sorted(content.responses) for side, content in submission.sides.items()},
        hashes=data.identities,
        copies={} if settings.is_recorded else data.copies,
        whole=True,
        arms=[submission.arm],
        system=settings.system,
        sampling=settings.sampling,
        epochs=1,
        judge=submission.judge,
        rule=str(submission.rule),
    )


def submitted_subject(submission: Submission) -> Subject:
    """Who was asked; the endpoint by its digest, and unknown in submissions of version 0.1.0."""
    settings = submission.stated_settings
    return Subject(
        model=submission.model,
        version=submission.model_version,
        endpoint=settings.endpoint,
        provider=submission.provider,
        as_published=settings.as_published,
        google_safety=settings.google_safety,
    )


def same_run(submission: Submission, results: Results) -> bool:
    """Whether the submission is of this run: the same model and protocol, and the same outcome of every sample."""
    if not results.judge or same_name(submission.model) != same_name(public_name(results.model)):
        return False
    protocol = replace(results.protocol(submission.rule), judge=public_judge(str(results.judge)))
    submitted_outcomes: dict[tuple[Side, str], Outcome] = {}
    for side, content in submission.sides.items():
        submitted_outcomes |= {(side, id): row.outcome for id, row in content.responses.items()}
    outcomes = {(row.key.side, row.key.sample): row.outcome for row in results.rows}
    return submitted_protocol(submission).ranked() == protocol.ranked() and submitted_outcomes == outcomes


def rates_of(responses: dict[str, SubmittedRow], rule: Rule) -> dict[str, float | None]:
    """The published template's rates, made from the rows; null where nothing counts or a row's part is unknown."""
    groups = {"Total": list(responses.values())}
    for stimulus in Stimulus:
        groups[stimulus.title] = [row for row in responses.values() if stimulus_of(row) is stimulus]
    counts = {name: tally((row.outcome for row in rows), rule) for name, rows in groups.items()}
    return {name: None if not count.n or count.unknown else count.rate for name, count in counts.items()}


def layer_counts(responses: dict[str, SubmittedRow]) -> dict[Layer, int]:
    """How many rows are in each layer. Rows not asked, which no submission may have, are named only where they are."""
    n_rows = Counter(row.layer for row in responses.values())
    return {layer: n_rows[layer] for layer in Layer if layer is not Layer.NOT_ASKED or n_rows[layer]}


def stimulus_of(row: SubmittedRow) -> Stimulus | None:
    """The stimulus that a row names; None when it names none, or none that is known."""
    try:
        return Stimulus.parse(row.metadata["over"]) if "over" in row.metadata else None
    except ValueError:
        return None


def rejected(outcome: Outcome, rule: Rule) -> Literal[0, 1] | None:
    """What `rejected` of a row is under a rule: 1 refused, 0 not, None if the row does not count."""
    match counted(outcome, rule):
        case Counted.REFUSED:
            return 1
        case Counted.COMPLIED:
            return 0
        case _:
            return None
