"""Submissions: a run as one JSON file that a board can check and count again.

Each side is in the published template's layout (`responses`, `reject Rate`), with the layer and kind of every row
beside `rejected`, so that all rates can be made again; around them stands what the numbers were made with. Images are
never in it, and texts only when asked for.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from mossbench.datasets.arms import Arm
from mossbench.datasets.recognition import NAME as OFFICIAL
from mossbench.datasets.recognition import Copy
from mossbench.errors import UsageError, bad_option, n_of, some
from mossbench.judges import DEFAULT_JUDGE
from mossbench.leaderboard.display_texts import clean_or_none, clean_text
from mossbench.leaderboard.names import name_wrong, provider_of, public_judge, public_name, same_name
from mossbench.leaderboard.rejudging import why_judge_is_private
from mossbench.leaderboard.settings import StatedSettings, read_settings, settings_of_run
from mossbench.leaderboard.submitted_answers import answers_wrong
from mossbench.outcomes import MAX_FAILED, Counted, Key, Kind, Layer, Outcome, Rule, counted, parse_rule, tally
from mossbench.plumbing.json_values import to_json
from mossbench.plumbing.storage import check_may_write, write_atomically
from mossbench.plumbing.untrusted_files import record_fault
from mossbench.protocols import FILE_VERDICTS, Protocol, Subject, make_protocol
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results, check_ready, load_results, too_many_failed
from mossbench.samples import Record, Sample, Side, Stimulus
from mossbench.store.config import RunConfig
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import DatasetInfo, RunInfo
from mossbench.ways_out import ImportResults, JudgeRun, Resume, SetOption

Availability = Literal["web", "API", "open"]
HOSTED = ("openai", "anthropic", "google")
"""Vendors whose own endpoint makes a model available as `API`."""


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


def make_submission(
    results: Results | str | Path,
    *,
    availability: Availability | None = None,
    model: str | None = None,
    rule: Rule | str = Rule.SYSTEM,
    max_failed: float = MAX_FAILED,
    with_answers: bool = False,
) -> Submission:
    """A complete, judged run as a submission; a UsageError when it is incomplete, or has several answers per sample.

    Also a UsageError where no board could take it: its judge is private, or reads the answers differently from the
    run's verdicts. `max_failed` is the share of a side's rows that may be without answer or verdict.
    """
    results = results if isinstance(results, Results) else results_to_submit(results)
    rule = parse_rule(rule)
    info = results.info
    _check_whole(results, max_failed)
    judge = _judge_on_board(results)
    name = _name_on_board(results, model)
    stated_availability = availability or _availability_of(results)
    subject = info.public_subject
    sides = _submitted_sides(results, rule, with_answers)
    try:
        submission = Submission(
            format="mossbench submission 1",
            model=name,
            provider=provider_of(info.config.model),
            model_version=subject.version,
            availability=stated_availability,
            date=(info.ended or info.started)[:10],
            mossbench=info.mossbench,
            dataset=OFFICIAL if set(info.dataset.copies) == set(info.dataset.hashes) else info.dataset.name,
            hashes=info.dataset.hashes,
            copies=info.dataset.copies,
            judge=judge,
            rule=rule,
            arm="plain" if info.arms[0].system is None else "system",
            settings=settings_of_run(info, subject),
            sides=sides,
        )
    except ValidationError as error:
        raise UsageError(f"cannot be submitted: {record_fault(error)}") from error
    _check_answers(submission, results)
    return submission


def _judge_on_board(results: Results) -> str:
    """The public name of the run's judge; a UsageError where no board ranks by it."""
    judge = public_judge(str(results.judge))
    reason = why_judge_is_private(judge)
    if reason:
        judge_it = JudgeRun(results.folder, DEFAULT_JUDGE, to="judge the run with such a judge first")
        raise UsageError(reason, way_out=judge_it)
    return judge


def _name_on_board(results: Results, model: str | None) -> str:
    """The name that the user gives the model, or else its own."""
    name = public_name(results.model) if model is None else model
    fault = name_wrong(name)
    if fault:
        raise bad_option("model", f"(the name on the board) {fault}")
    return name


def _availability_of(results: Results) -> Availability:
    """`API` for a vendor's own endpoint; a UsageError for other models, of which a person has to say it."""
    availability = guess_availability(results)
    if availability is None:
        say_it = SetOption("availability", to="set it (web, API or open)")
        raise UsageError(f"the availability of {results.model} is unknown", way_out=say_it)
    return availability


def _submitted_sides(results: Results, rule: Rule, with_answers: bool) -> dict[Side, SubmittedSide]:
    """The rows of each side that was asked, with their counts and rates."""
    sides = {}
    for side in Side:
        rows = [row for row in results.rows if row.key.side is side]
        if not rows:
            continue
        responses = {row.key.sample: _submitted_row(row, rule, with_answers) for row in rows}
        content = {"layers": layer_counts(responses), "responses": responses, "reject Rate": rates_of(responses, rule)}
        sides[side] = SubmittedSide.model_validate(content)
    return sides


def results_to_submit(folder: str | Path, judge: str | None = None) -> Results:
    """The results of a run as a board can take them: by `judge`, else by the run's own judge, else by another one.

    Where no board ranks by the run's own judge, the verdicts of the last judge in its folder count that boards rank by.
    What was imported with the verdicts of its file is read by an embedded judge first, where none has read it.
    """
    results = load_results(folder, judge=judge)
    if judge is not None or results.judge is None or not why_judge_is_private(public_judge(results.judge)):
        return results
    all_judges = RunFolder(Path(folder)).judges()
    judges_of_boards = [label for label in all_judges if not why_judge_is_private(public_judge(label))]
    if judges_of_boards:
        return load_results(folder, judge=judges_of_boards[-1])
    if results.judge != FILE_VERDICTS:
        return results
    from mossbench.runs.judging import judge_run  # pages need nothing of it

    return judge_run(folder, DEFAULT_JUDGE)


def _check_answers(submission: Submission, results: Results) -> None:
    """A UsageError where a board would refuse the answers in a submission."""
    for side in submission.sides:
        for id, fault in answers_wrong(submission, side):
            verdicts = RunFolder(results.folder).verdicts_path(str(results.judge)).name
            name = str(results.judge).rpartition("/")[0]
            without_answers = f"submit it without answers, or remove {verdicts} from its folder and judge it again"
            raise UsageError(
                f"the run in {results.folder}, {side} row {id}: {fault}",
                way_out=JudgeRun(results.folder, name, to=without_answers),
            )


def write_submission(submission: Submission, out: str | Path, *, overwrite: bool = False) -> Path:
    """Writes the submission; the old file stays until the new one is whole."""
    out = Path(out)
    check_may_write(out, overwrite=overwrite)
    write_atomically(out, submission.to_json())
    return out


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
        keys=_keys_of(submission),
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


def _keys_of(submission: Submission) -> Iterator[tuple[Side, str]]:
    for side, content in submission.sides.items():
        for id in content.responses:
            yield side, id


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


def guess_availability(results: Results) -> Availability | None:
    """`API` for a vendor's own endpoint; None where a person has to say."""
    provider = results.info.public_subject.provider
    return "API" if provider in HOSTED and results.info.config.base_url is None else None


def shows_other_pictures(results: Results) -> bool:
    """Whether samples were asked with pictures that are not their own: such rates are of no benchmark."""
    return any(arm.picture != "own" for arm in results.info.arms)


def sends_other_texts(results: Results) -> bool:
    """Whether samples were asked with texts that are not their own requests."""
    return any(arm.text != "question" or arm.frame is not None or arm.texts is not None for arm in results.info.arms)


def check_rankable(results: Results) -> None:
    """A UsageError if no board could rank the run, with the reason."""
    where = f"the run in {results.folder}"
    check_ready(results)
    if not any(row.key.side is Side.BENIGN for row in results.rows):
        raise UsageError(f"{where} has no harmless (benign) rows; boards rank by these")
    if len(results.info.arms) > 1:
        raise UsageError(f"{where} has several arms; a board ranks runs with one arm")
    if shows_other_pictures(results):
        arm = results.info.config.arm
        raise UsageError(f"{where} used other images (arm {arm!r}); boards rank only the benchmark's own")
    if sends_other_texts(results):
        raise UsageError(f"{where} used other requests; boards rank only the benchmark's own")


def _check_whole(results: Results, max_failed: float) -> None:
    """A UsageError unless the run asked every sample of known data once, and few rows failed."""
    config = results.info.config
    where = f"the run in {results.folder}"
    check_rankable(results)
    if not results.info.dataset.hashes:
        on_data = "submit a run of mossbench, or import the results with their data"
        raise UsageError(
            f"{where} does not name its data",
            way_out=ImportResults("FILE", "OUT", data="DATA", to=on_data),
        )
    not_in_file = results.info.not_in_file
    if not_in_file:
        raise UsageError(
            f"{where} is incomplete: {results.info.recorded_file} has no row for {n_of(len(not_in_file), 'sample')} of "
            f"{results.info.dataset.name} ({some(not_in_file, 5)}); add these rows to the file and import it again"
        )
    choices = [name for name in ("limit", "offset", "ids", "shard") if getattr(config, name)]
    if choices:
        raise UsageError(f"{where} used only part of the data ({', '.join(choices)}); submit a run on all of it")
    if config.epochs > 1:
        raise UsageError(f"{where} has several epochs; submit a run with one answer per sample")
    for side in Side:
        _check_few_failed(results, side, max_failed)


def _check_few_failed(results: Results, side: Side, max_failed: float) -> None:
    """A UsageError where too many rows of a side have no answer or no verdict."""
    outcomes = [row.outcome for row in results.rows if row.key.side is side]
    reason = too_many_failed(outcomes, max_failed)
    if not reason:
        return
    problem = f"the run in {results.folder}, {side} side: {reason}"
    has_no_answers = any(outcome.layer is Layer.FAILED for outcome in outcomes)
    if results.info.recorded and has_no_answers:
        file = results.info.recorded_file or results.info.dataset.name
        raise UsageError(f"{problem}; {file} has no answers there, add them to the file")
    raise UsageError(problem, way_out=Resume(results.folder, to="ask and judge them again"))


def _submitted_row(row: ResultRow, rule: Rule, with_answers: bool) -> SubmittedRow:
    sample = row.sample
    submitted_row = SubmittedRow(
        pid=sample.id,
        rejected=rejected(row.outcome, rule),
        metadata={"over": f"type {sample.stimulus.number}"} if sample.stimulus else {},
        layer=row.outcome.layer,
        kind=row.outcome.kind,
        refused=row.outcome.refused,
        cluster=sample.cluster,
    )
    if not with_answers:
        return submitted_row
    texts = {
        "question": clean_text(sample.question),
        "response": clean_or_none(_answer_text(row)),
        "reject_reasoning": clean_or_none(row.verdict.reason if row.verdict else None),
    }
    return submitted_row.model_copy(update=texts)


def _answer_text(row: ResultRow) -> str | None:
    """The answer; None for a blocked row: what came before the block is no answer."""
    if row.exchange is None or row.outcome.layer is Layer.BLOCKED:
        return None
    return row.exchange.answer.text
