"""Records of Every Eval Ever with samples beside them, as run folders.

Records of other evaluations bring requests and answers, to be judged here; what a score of theirs says of refusals
nobody can tell. What comes out of a file is plain JSON (`content`) until it is read into records of ours.
"""

import hashlib
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mossbench
from mossbench.datasets.arms import PLAIN, Arm
from mossbench.datasets.planned_rows import plan
from mossbench.errors import DataError, UsageError
from mossbench.outcomes import Answer, Exchange, Judgement, Key, Kind, Layer, Stop, Verdict
from mossbench.plumbing.untrusted_files import parse_json, read_file
from mossbench.published.every_eval_ever import OURS
from mossbench.results.table import Results, load_results
from mossbench.runs.describing import now
from mossbench.samples import Sample, Side
from mossbench.store.config import RunConfig
from mossbench.store.older_notices import REST_IS_NOT_HERE
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import DatasetInfo, RunInfo
from mossbench.ways_out import EITHER_SIDE

Content = dict[str, Any]
"""An object as its file has it: what is in it is not known before it is read into a record."""


def is_record(path: Path) -> bool:
    """Whether a file is a record of Every Eval Ever; one that cannot be read is none."""
    try:
        content = parse_json(read_file(path))
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and is_content_of_record(content)


def is_content_of_record(content: Mapping[str, object]) -> bool:
    return {"schema_version", "evaluation_results", "model_info"} <= content.keys()


@dataclass(frozen=True)
class _ReadRow:
    sample: Sample
    exchange: Exchange
    content: Content
    """The row as its file has it."""


@dataclass(frozen=True)
class _ReadRecord:
    """What a run folder takes from a record and the samples beside it."""

    model: str
    dataset: str
    rows: list[_ReadRow]
    judgements: list[Judgement]
    n_left_out: int
    """Rows that did not count, and so are not among its samples."""
    epochs: int

    @property
    def arms(self) -> tuple[Arm, ...]:
        arms = {row.exchange.arm: Arm(name=row.exchange.arm, system=row.exchange.system) for row in self.rows}
        return tuple(arms.values())


def import_every_eval_ever(
    path: Path, folder: RunFolder, *, side: Side | str | None = None, model: str = ""
) -> Results:
    """A run folder made from a record and the samples beside it; `side` where the samples do not name theirs."""
    try:
        record = _read_record(path, side, model)
    except (KeyError, TypeError, ValueError, AttributeError, StopIteration) as error:
        raise DataError(f"{path} is not a record of Every Eval Ever with single-turn samples: {error!r}") from error
    samples = {row.sample.key: row.sample for row in record.rows}
    by_judge: dict[str, list[Judgement]] = {}
    for judgement in record.judgements:
        by_judge.setdefault(judgement.judge, []).append(judgement)
    info = imported(
        path,
        model or record.model,
        {sample.side for sample in samples.values()},
        len(plan(samples.values(), record.arms, record.epochs)),
        {judge: len(judgements) for judge, judgements in by_judge.items()},
        epochs=record.epochs,
        system=record.arms[0].system,
    )
    notices: tuple[str, ...] = ()
    if record.n_left_out:
        notices = (f"the record has {record.n_left_out} more rows that did not count; {REST_IS_NOT_HERE}",)
    dataset = info.dataset.model_copy(update={"name": record.dataset})
    facts = {
        "arms": record.arms,
        "dataset": dataset,
        "is_partial_import": record.n_left_out > 0,
        "notices": notices,
    }
    info = info.model_copy(update=facts)
    folder.write(info, samples.values(), [row.exchange for row in record.rows], by_judge)
    return load_results(folder.path)


def imported(
    path: Path,
    model: str,
    sides: set[Side],
    n_rows: int,
    verdicts: Mapping[str, int],
    *,
    epochs: int = 1,
    system: str | None = None,
) -> RunInfo:
    """What is on record of a run that was made elsewhere and read from a file.

    Args:
        path: The file.
        model: Who gave the answers.
        sides: The sides that rows are of.
        n_rows: Rows that the run should have.
        verdicts: How many there are of each judge, by its label.
        epochs: How often each sample was asked.
        system: The system prompt that was sent.
    """
    first_judge = next(iter(verdicts), "")
    judge = first_judge.rpartition("/")[0]  # without its version
    return RunInfo(
        config=RunConfig(
            model=model,
            data=str(path),
            side=next(iter(sides)).value if len(sides) == 1 else "both",
            judge=judge or None,
            epochs=epochs,
            system=system,
        ),
        arms=(PLAIN,),
        dataset=DatasetInfo(name=path.name, hashes={}, source=str(path)),
        n_rows=n_rows,
        verdicts=dict(verdicts),
        mossbench=mossbench.__version__,
        python=platform.python_version(),
        started=now(),
        ended=now(),
    )


def _read_record(path: Path, side: Side | str | None, model: str) -> _ReadRecord:
    """A KeyError, TypeError and the like where the content is not as the schema says."""
    content = parse_json(read_file(path))
    contents_of_rows = _contents_of_rows(path, content)
    results = {result["evaluation_name"]: result for result in content["evaluation_results"]}
    rows: dict[Key, _ReadRow] = {}
    for content_of_row in contents_of_rows:
        row = _read_row(content_of_row, side)
        rows[row.exchange.key] = row
    judgements = []
    for row in rows.values():
        judgement = _read_judgement(row, results.get(row.content["evaluation_name"]))
        if judgement is not None:
            judgements.append(judgement)
    first_result = next(iter(results.values()))
    return _ReadRecord(
        epochs=max(row.exchange.epoch for row in rows.values()),
        dataset=str(first_result["source_data"]["dataset_name"]),
        model=model or str(content["model_info"]["name"]),
        rows=list(rows.values()),
        judgements=judgements,
        n_left_out=sum(_n_left_out(result) for result in results.values()),
    )


def _n_left_out(result: Content) -> int:
    return int(result["score_details"].get("details", {}).get("left_out", 0))


def _contents_of_rows(path: Path, record: Content) -> list[Content]:
    """The lines of the file of samples that the record names, which lies beside it."""
    samples = record.get("detailed_evaluation_results")
    if not samples:
        raise DataError(f"{path} holds only rates, and a run needs rows; expected a record with samples beside it")
    samples_path = path.with_name(Path(samples["file_path"]).name)
    if not samples_path.is_file():
        raise DataError(f"the samples of {path} are missing; expected them in {samples_path}")
    content = read_file(samples_path)
    if samples.get("hash_algorithm") == "sha256" and hashlib.sha256(content).hexdigest() != samples["checksum"]:
        raise DataError(f"{samples_path} is not the file that {path} names: its sha256 differs; download both again")
    return [parse_json(line) for line in content.splitlines() if line.strip()]


def _read_row(content: Content, side: Side | str | None) -> _ReadRow:
    if content["interaction_type"] != "single_turn":
        raise ValueError(f"sample {content['sample_id']} has interaction_type {content['interaction_type']}")
    metadata = _own_metadata(content)
    side_of_row = side or metadata.get("side")
    if side_of_row is None:
        raise UsageError("these samples do not name their side", way_out=EITHER_SIDE)
    own_fields = {name: metadata[name] for name in ("stimulus", "cluster", "twin") if name in metadata}
    sample = Sample(
        id=str(content["sample_id"]), side=Side(side_of_row), question=content["input"]["raw"], **own_fields
    )
    exchange = Exchange(
        side=sample.side,
        sample=sample.id,
        request=sample.question,
        answer=_read_answer(content, metadata.get("layer")),
        arm=metadata.get("arm", PLAIN.name),
        epoch=int(metadata.get("epoch", 1)),
        system=metadata.get("system"),
    )
    return _ReadRow(sample, exchange, content)


def _read_answer(content: Content, layer: str | None) -> Answer:
    text = next(iter(content["output"]["raw"]), None)
    is_missing = text is None and layer != Layer.BLOCKED
    if content.get("error") or layer == Layer.FAILED or is_missing:
        return Answer.failed("record", str(content.get("error") or "no answer is on record"))
    if layer == Layer.BLOCKED:
        return Answer(stop=Stop.BLOCKED)
    return Answer(text=text, stop=Stop.END)


def _own_metadata(content: Content) -> Content:
    """What a sample of ours says of itself; nothing of others', who mean something else by the same words."""
    if not content["evaluation_name"].startswith(OURS):
        return {}
    return content.get("metadata") or {}


def _read_judgement(row: _ReadRow, result: Content | None) -> Judgement | None:
    """The verdict on a row of ours; None for a row of others', and where nobody judged it."""
    metadata = _own_metadata(row.content)
    judge = ((result or {}).get("metric_config", {}).get("additional_details") or {}).get("judge")
    if not metadata or judge is None or not row.exchange.to_judge:
        return None
    kind = Kind(metadata["kind"]) if "kind" in metadata else None
    refused = None if kind else bool(row.content["evaluation"]["score"])
    return Judgement(
        **row.exchange.key._asdict(),
        judge=judge,
        digest=row.exchange.digest(),
        verdict=Verdict(kind=kind, refused=refused, reason=metadata.get("reason", "")),
    )
