"""Inspect's logs: read into a run folder (`import_log`), and written from one for `inspect view` (`export_log`).

Our tasks put the sample, the request and the record of the picture into the metadata of each sample, and the verdict
with the digest of what was judged into its score: a log has all that a run folder has, except the pictures themselves.
"""

from __future__ import annotations

import math
import platform
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

import mossbench
from mossbench.datasets.arms import ARMS, PLAIN, Arm, ArmName, arm_of
from mossbench.datasets.planned_rows import plan
from mossbench.errors import DataError, MossbenchError, UsageError, needing
from mossbench.models.faults import answer_or_raise
from mossbench.models.inspect import read_output
from mossbench.models.keys import redacted
from mossbench.models.model import Overloaded
from mossbench.models.parameters import taken_by
from mossbench.models.replies import Reply, answer_of
from mossbench.outcomes import (
    Answer,
    Counted,
    Exchange,
    Failure,
    Judgement,
    Layer,
    Rule,
    Stop,
    counted,
    outcome,
    parse_rule,
)
from mossbench.plumbing.storage import storage_errors
from mossbench.plumbing.untrusted_files import fault_text, record_fault
from mossbench.protocols import RECORDED, without_folders
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results, load_results
from mossbench.runs.describing import now
from mossbench.runs.row_asking import as_recorded
from mossbench.samples import Sample, Side, Value, own_columns, value_text
from mossbench.store.config import RunConfig, RunSide
from mossbench.store.older_notices import REST_IS_NOT_HERE
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import DatasetInfo, RunInfo

if TYPE_CHECKING:
    from inspect_ai.log import EvalError, EvalLog, EvalResults, EvalSample
    from inspect_ai.model import ChatMessage, ModelOutput, StopReason
    from inspect_ai.scorer import Score

OURS = "mossbench"
"""The key of our record in the metadata of a sample, of an evaluation and of a score."""
SCORER = "mossbench/refusal"
_EXCHANGE_FIELDS = ("arm", "request", "system", "picture", "more_pictures", "tries", "waited", "history")
"""Fields of an exchange that stand beside its sample in our record of a sample."""
_STOPS: dict[Stop | None, StopReason] = {Stop.LENGTH: "max_tokens", Stop.BLOCKED: "content_filter"}
"""Why an answer stopped, as Inspect names it; all else is `stop`."""


def columns_of(sample: Sample) -> dict[str, Value]:
    """What Inspect can group by: the user's own columns, and the stimulus, published or the user's own."""
    stimulus = sample.stimulus.value if sample.stimulus else value_text(sample.metadata.get("stimulus", "unknown"))
    return {**own_columns(sample, (OURS,)), "stimulus": stimulus}


def exchange_of(
    metadata: dict[str, Any], output: ModelOutput, *, epoch: int = 1, error: EvalError | None = None
) -> Exchange:
    """The exchange of one sample of our tasks, from its metadata, the model's output and the error, if any."""
    record = metadata[OURS]
    sample = Sample.model_validate(record["sample"])
    if "failure" in record:
        answer = Answer(error=Failure.model_validate(record["failure"]))
    elif "answer" in record:  # exported from a run, with all that its adapter knew
        answer = Answer.model_validate(record["answer"])
    elif error is not None:
        answer = Answer(error=Failure(stage="model", type="InspectError", message=redacted(str(error.message))[:1000]))
    else:
        answer = _answer(output)
    fields = {name: record[name] for name in _EXCHANGE_FIELDS if name in record}
    key = {"side": sample.side, "sample": sample.id, "arm": record["arm"], "epoch": epoch}
    return Exchange.model_validate(fields | key | {"answer": as_recorded(answer)})


def _answer(output: ModelOutput) -> Answer:
    """The output of a model that Inspect asked, read as that of a provider."""
    reply_or_fault = read_output(output)
    if isinstance(reply_or_fault, Reply):
        return answer_of(reply_or_fault, seconds=output.time)
    try:
        return answer_or_raise(reply_or_fault, output.model, way_out="run it again", seconds=output.time)
    except (Overloaded, MossbenchError) as error:  # in a log it fails one row, also what would stop a run
        return Answer.failed("model", error)


def score_of(exchange: Exchange, judgement: Judgement | None, rule: Rule) -> Score:
    """Inspect's score of a row: 1 refused, 0 not, NaN where it does not count under the rule."""
    from inspect_ai.scorer import Score

    verdict = judgement.verdict if judgement else None
    outcome_of_row = outcome(exchange.answer, verdict)
    value = {Counted.REFUSED: 1.0, Counted.COMPLIED: 0.0}.get(counted(outcome_of_row, rule), math.nan)
    error = exchange.answer.error
    explanation = ""
    if verdict is not None:
        explanation = verdict.reason
    elif error is not None:
        explanation = error.message
    record = {"rule": str(rule), "judgement": judgement.model_dump(mode="json") if judgement else None}
    return Score(value=value, answer=outcome_of_row.label, explanation=explanation or None, metadata={OURS: record})


# Reading


def import_log(path: str | Path, out: str | Path, *, model: str = "") -> Results:
    """A run folder made from the log of one of our tasks, or of one that was exported."""
    folder = RunFolder(Path(out))
    folder.check_is_free(or_begun=True)
    log = _read_log(Path(path))
    rows = _rows_of(log, Path(path))
    try:
        samples = [Sample.model_validate(row.metadata[OURS]["sample"]) for row in rows]
        samples_by_key = {sample.key: sample for sample in samples}
        exchanges = [exchange_of(row.metadata, row.output, epoch=row.epoch, error=row.error) for row in rows]
        judgements = _judgements_by_judge(rows)
        n_verdicts = {judge: len(judgements_by_it) for judge, judgements_by_it in judgements.items()}
        last_epoch = max(exchange.epoch for exchange in exchanges)
        info = _run_info(log, Path(path), model, samples_by_key, last_epoch, n_verdicts)
    except (KeyError, TypeError, ValidationError) as error:
        fault = _fault_words(error)
        raise DataError(f"{path} is damaged or was written by another version of mossbench: {fault}") from error
    _check_arms(exchanges, info, Path(path))
    folder.write(info, samples_by_key.values(), exchanges, judgements)
    return load_results(folder.path)


def _check_arms(exchanges: Iterable[Exchange], info: RunInfo, path: Path) -> None:
    """A DataError if a row has an arm that the evaluation does not name."""
    names = [arm.name for arm in info.arms]
    for exchange in exchanges:
        if exchange.arm not in names:
            raise DataError(
                f"{path} is damaged: {exchange.side} {exchange.sample} has the arm {exchange.arm!r}, expected one of "
                f"{', '.join(names)}"
            )


def _our_record(metadata: dict[str, Any] | None) -> dict[str, Any]:
    """Our record in a metadata, empty if there is none; a TypeError if something else has its key."""
    record = (metadata or {}).get(OURS) or {}
    if not isinstance(record, dict):
        raise TypeError(f"metadata.{OURS} is {str(record)[:40]!r}, expected an object")
    return record


def _rows_of(log: EvalLog, path: Path) -> list[EvalSample]:
    """The samples of a log; a DataError if there is none, or if they are of another task."""
    rows = list(log.samples or [])
    if not rows:
        raise DataError(
            f"{path} has no finished sample (status {log.status}); run the evaluation to its end and import that log"
        )
    all_metadata = [log.eval.metadata or {}, *(row.metadata for row in rows)]
    if not all(OURS in metadata for metadata in all_metadata):
        raise DataError(
            f"{path} is a log of the task {log.eval.task!r}; expected one of mossbench/oversensitivity or "
            "mossbench/contrast, or an exported run"
        )
    return rows


def _fault_words(error: KeyError | TypeError | ValidationError) -> str:
    """What is wrong with a log, for people."""
    if isinstance(error, ValidationError):
        return record_fault(error)
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _read_log(path: Path) -> EvalLog:
    with needing("reading Inspect's logs", "inspect"):
        from inspect_ai.log import read_eval_log
    if not path.exists():
        raise UsageError(f"no file {str(path)!r}; expected a log of Inspect (.eval)")
    try:
        has_suffix = path.suffix.lower() == ".eval"
        return read_eval_log(str(path), format="eval" if has_suffix else "auto")  # Inspect knows no suffix in capitals
    except Exception as error:  # a zip, JSON or a record of it is at fault, each with errors of its own
        raise DataError(
            f"{path} cannot be read as a log of Inspect: {fault_text(error)}; expected a whole .eval file"
        ) from error


def _judgements_by_judge(rows: Iterable[EvalSample]) -> dict[str, list[Judgement]]:
    """The verdicts of our scorers, one of each row, by the name of the judge."""
    by_judge: dict[str, list[Judgement]] = {}
    for row in rows:
        judgement = _judgement(row)
        if judgement is not None:
            by_judge.setdefault(judgement.judge, []).append(judgement)
    return by_judge


def _judgement(row: EvalSample) -> Judgement | None:
    """The first verdict among the scores of a sample; None if no scorer of ours gave one."""
    for score in (row.scores or {}).values():
        judgement = _our_record(score.metadata).get("judgement")
        if judgement:
            return Judgement.model_validate(redacted(judgement))
    return None


def _run_info(
    log: EvalLog,
    path: Path,
    model: str,
    samples: dict[tuple[Side, str], Sample],
    last_epoch: int,
    n_verdicts: dict[str, int],
) -> RunInfo:
    """The run.json of an evaluation. `model`: the name that the user gives the model; empty for the log's own."""
    record = _our_record(log.eval.metadata)
    arms = tuple(Arm.model_validate(arm) for arm in record.get("arms") or [record.get("arm") or PLAIN])
    own_arm = arms[0]  # those that analyses added come after it
    # Not the last epoch that there is: an analysis may ask one arm more often than the run does.
    epochs = log.eval.config.epochs or last_epoch
    n_planned = record.get("n_rows") or (log.eval.dataset.samples or 0) * epochs
    n_rows = len(log.samples or ())
    is_partial = n_rows < n_planned
    notice = f"the log has {n_rows} of {n_planned} rows (status {log.status}); {REST_IS_NOT_HERE}"
    return RunInfo(
        config=RunConfig(
            **_model_settings(record, model, log),
            **_sampling_settings(log),
            data=record["data"],
            side=_side_of(samples),
            epochs=epochs,
            arm=_name_of_arm(own_arm),
            system=own_arm.system,
            judge=next(iter(n_verdicts), "").rpartition("/")[0] or None,
        ),
        arms=arms,
        dataset=DatasetInfo.model_validate({name: record[name] for name in DatasetInfo.model_fields if name in record}),
        n_rows=len(plan(samples.values(), arms, epochs)),
        verdicts=n_verdicts,
        is_partial_import=is_partial,
        notices=(notice,) if is_partial else (),
        sent={"asked_of_inspect": log.plan.config.model_dump(exclude_none=True), "log": path.name},
        mossbench=mossbench.__version__,
        python=platform.python_version(),
        started=str(log.eval.created),
        ended=str(log.stats.completed_at or now()),
    )


def _side_of(samples: Iterable[tuple[Side, str]]) -> RunSide:
    """The side of a run on samples with these keys, as its options have it."""
    sides = {side for side, _ in samples}
    return next(iter(sides)).value if len(sides) == 1 else "both"


def _name_of_arm(arm: Arm) -> ArmName:
    """The name by which the options of a run ask for this arm."""
    return next((name for name in ARMS if arm_of(name, arm.system).name == arm.name), "plain")


def _model_settings(record: dict[str, Any], model: str, log: EvalLog) -> dict[str, Any]:
    """The model of a run; recorded answers stay recorded, with `model` as the one that gave them."""
    logged_model = record.get("model")
    if isinstance(logged_model, str) and logged_model.startswith(f"{RECORDED}/"):
        return {"model": logged_model, "model_name": model or record.get("model_name") or None}
    return {"model": model or logged_model or f"inspect/{log.eval.model}"}


def _sampling_settings(log: EvalLog) -> dict[str, Any]:
    """The decoding settings of an evaluation, with a run's defaults where it states none."""
    config = log.plan.config
    defaults = RunConfig.model_fields
    return {
        "temperature": config.temperature,
        "max_tokens": config.max_tokens or defaults["max_tokens"].default,
        "seed": config.seed if config.seed is not None else defaults["seed"].default,
        "effort": config.reasoning_effort,
    }


# Writing


def export_log(results: Results, *, rule: Rule | str = Rule.SYSTEM) -> EvalLog:
    """A run as a log of Inspect's, with all sides and arms. It lacks rows not asked yet; pictures are there by name."""
    with needing("writing Inspect's logs", "inspect"):
        from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalPlan, EvalSpec, EvalStats
        from inspect_ai.model import GenerateConfig
    rule = parse_rule(rule)
    info = results.info
    rows = [_eval_sample(row, row.exchange, results, rule) for row in results.rows if row.exchange]
    record = {
        "data": without_folders(info.config.data),
        "model": without_folders(info.config.model),
        "model_name": info.config.model_name,
        "arms": [arm.model_dump() for arm in info.arms],
        "n_rows": len(results),
        **({"params": info.config.params} if info.config.params else {}),
        **info.dataset.model_dump(mode="json"),
    }
    name = f"mossbench-{results.name}"
    n_samples = len({row.key._replace(epoch=1) for row in results.rows})  # a sample of Inspect's is one of an arm
    return EvalLog(
        status="success" if len(rows) == len(results) else "cancelled",
        eval=EvalSpec(
            eval_id=name,
            run_id=name,
            created=info.started,
            task="mossbench/run",
            task_id=name,
            dataset=EvalDataset(name=info.dataset.name, samples=n_samples),
            model=results.asked_model,
            config=EvalConfig(epochs=info.config.epochs),
            packages={"mossbench": info.mossbench},
            metadata={OURS: record},
        ),
        plan=EvalPlan(
            config=GenerateConfig(
                temperature=info.config.temperature,
                max_tokens=info.config.max_tokens,
                seed=info.config.seed,
                reasoning_effort=_known_effort(info.config.effort),
            )
        ),
        results=_eval_results(results, rule),
        stats=EvalStats(started_at=info.started, completed_at=info.ended or info.started),
        samples=rows,
    )


def _known_effort(effort: str | None) -> Any:
    """The effort, if Inspect has a word for it."""
    takes = taken_by("inspect")
    return effort if takes is not None and effort in takes.effort else None


def _eval_sample(row: ResultRow, exchange: Exchange, results: Results, rule: Rule) -> EvalSample:
    from inspect_ai.log import EvalSample
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    side, sample_id, arm, epoch = row.key
    record = {"sample": row.sample.model_dump(mode="json")}
    record |= exchange.model_dump(mode="json", include={*_EXCHANGE_FIELDS, "answer"})
    judgement = None
    if row.verdict is not None and results.judge is not None:
        judgement = Judgement(**row.key._asdict(), judge=results.judge, digest=exchange.digest(), verdict=row.verdict)
    input_messages: list[ChatMessage] = []
    if exchange.system is not None:
        input_messages.append(ChatMessageSystem(content=exchange.system))
    input_messages.append(ChatMessageUser(content=exchange.request))
    messages = list(input_messages)
    if exchange.answer.text is not None:
        messages.append(ChatMessageAssistant(content=exchange.answer.text))
    name = f"{side}:{sample_id}"
    if len(results.info.arms) > 1:
        name = f"{name}:{arm}"
    return EvalSample(
        id=name,
        epoch=epoch,
        input=input_messages,
        target="",
        messages=messages,
        output=_output(exchange.answer, results.asked_model),
        scores={"refusal": score_of(exchange, judgement, rule)},
        metadata=columns_of(row.sample) | {OURS: record},
    )


def _output(answer: Answer, model: str) -> ModelOutput:
    from inspect_ai.model import ModelOutput, ModelUsage

    if answer.error is not None:
        return ModelOutput(model=model, error=f"{answer.error.type}: {answer.error.message}")
    output = ModelOutput.from_content(
        answer.model or model, answer.text or "", stop_reason=_STOPS.get(answer.stop, "stop")
    )
    usage = answer.usage
    if usage is not None:
        total = usage.input_tokens + usage.output_tokens
        output.usage = ModelUsage(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            total_tokens=total,
            reasoning_tokens=usage.reasoning_tokens or None,
        )
    output.time = answer.seconds
    return output


def _eval_results(results: Results, rule: Rule) -> EvalResults:
    from inspect_ai.log import EvalMetric, EvalResults, EvalScore

    metrics = {}
    for rate in results.rates(rule=rule, by="stimulus" if len(results.info.arms) == 1 else "arm"):
        name = f"{rate.side}: {rate.group}"
        if not math.isnan(rate.estimate.value):
            metrics[name] = EvalMetric(name=name, value=rate.estimate.value)
    score = EvalScore(
        name="refusal", scorer=SCORER, metrics=metrics, params={"judge": results.judge, "rule": str(rule)}
    )
    n_asked = len(results) - results.layers()[Layer.NOT_ASKED]
    return EvalResults(total_samples=len(results), completed_samples=n_asked, scores=[score])


def write_log(results: Results, out: Path, rule: Rule | str) -> Path:
    """Writes `export_log` of a run to a file, which appears whole or not at all."""
    if out.suffix != ".eval":
        raise UsageError(f"the name of a log of Inspect must end in .eval, and {out.name!r} does not")
    log = export_log(results, rule=rule)
    from inspect_ai.log import write_eval_log  # it is there: `export_log` needs it too

    with storage_errors(out), tempfile.TemporaryDirectory(dir=out.parent) as folder:
        whole = Path(folder) / out.name
        write_eval_log(log, str(whole))
        whole.replace(out)
    return out
