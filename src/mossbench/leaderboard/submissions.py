"""Making a submission of a run: which runs can be submitted, and what is written of them."""

from pathlib import Path

from pydantic import ValidationError

from mossbench.datasets.recognition import NAME as OFFICIAL
from mossbench.errors import UsageError, bad_option, n_of, some
from mossbench.judges import DEFAULT_JUDGE
from mossbench.leaderboard.display_texts import clean_or_none, clean_text
from mossbench.leaderboard.names import name_wrong, provider_of, public_judge, public_name
from mossbench.leaderboard.rankable_runs import check_rankable
from mossbench.leaderboard.rejudging import why_judge_is_private
from mossbench.leaderboard.settings import settings_of_run
from mossbench.leaderboard.submission_records import (
    Availability,
    SubmittedRow,
    SubmittedSide,
    layer_counts,
    rates_of,
    rejected,
)
from mossbench.leaderboard.submission_records import (
    Submission as Submission,  # a public name, beside `make_submission`
)
from mossbench.leaderboard.submitted_answers import answers_wrong
from mossbench.outcomes import MAX_FAILED, Layer, Rule, parse_rule
from mossbench.plumbing.storage import check_may_write, write_atomically
from mossbench.plumbing.untrusted_files import record_fault
from mossbench.protocols import FILE_VERDICTS
from mossbench.results.rates import layers_of
from mossbench.results.row_columns import of_side, outcomes_of
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results, load_results, too_many_failed
from mossbench.results.unread import with_most_common_reason
from mossbench.samples import Side
from mossbench.store.run_folder import RunFolder
from mossbench.ways_out import ImportResults, JudgeRun, SetOption

HOSTED = ("openai", "anthropic", "google")
"""Vendors whose own endpoint makes a model available as `API`."""


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


def write_submission(submission: Submission, out: str | Path, *, overwrite: bool = False) -> Path:
    """Writes the submission; the old file stays until the new one is whole."""
    out = Path(out)
    check_may_write(out, overwrite=overwrite)
    write_atomically(out, submission.to_json())
    return out


def guess_availability(results: Results) -> Availability | None:
    """`API` for a vendor's own endpoint; None where a person has to say."""
    provider = results.info.public_subject.provider
    return "API" if provider in HOSTED and results.info.config.base_url is None else None


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
    rows = of_side(results.rows, side)
    reason = too_many_failed(outcomes_of(rows).counts(), max_failed)
    if not reason:
        return
    problem = f"the run in {results.folder}, {side.adjective} requests: {reason}"
    has_no_answers = layers_of(rows)[Layer.FAILED] > 0
    if results.info.recorded and has_no_answers:
        file = results.info.recorded_file or results.info.dataset.name
        raise UsageError(f"{problem}; {file} has no answers there, add them to the file")
    message = with_most_common_reason(results, rows, problem)
    raise UsageError(message.text, way_out=message.ways_out)
