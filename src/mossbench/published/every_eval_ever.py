"""Runs as records of Every Eval Ever (schema 0.3.0); `every_eval_ever_reading` reads its records.

Rows that do not count under the rule (failed, not judged) have no place in its samples: they are counted in the details
of the score.
"""

import hashlib
import json
import math
import re
import time
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from mossbench.datasets.copying import Copying, copying_of
from mossbench.errors import UsageError
from mossbench.judges.rubric import RUBRICS, rubric_version, template
from mossbench.outcomes import Counted, Exchange, Rule, counted, parse_rule
from mossbench.plumbing.file_names import slug
from mossbench.plumbing.json_values import as_json_value, to_json
from mossbench.plumbing.storage import write_atomically
from mossbench.protocols import not_taken
from mossbench.results.rates import Rate
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results, check_ready
from mossbench.results.unfamiliar import check_rates_known
from mossbench.samples import Side
from mossbench.ways_out import OmitOption

OURS = "mossbench.refusal."
"""How the names of our evaluations begin; a side follows."""
Relationship = Literal["first_party", "third_party", "collaborative", "other"]
_DEPLOYMENTS = {
    "openai": "externally_managed",
    "anthropic": "externally_managed",
    "google": "externally_managed",
    "local": "self_deployed",
    "vllm": "self_deployed",
}
"""First part of a model's name -> how the schema calls the way in which it is deployed."""
Content = dict[str, object]
"""An object of the schema, as it is written."""


def write_every_eval_ever(
    results: Results,
    out: str | Path,
    *,
    organization: str,
    relationship: Relationship = "other",
    rule: Rule | str = Rule.SYSTEM,
    with_answers: bool = False,
) -> Path:
    """The record that was written, below data/ in `out`, in the place that the datastore wants.

    Args:
        results: A run that is finished and judged.
        out: A folder; other records in it stay.
        organization: Who made the evaluation.
        relationship: Of the evaluator to the model's maker.
        rule: The counting rule.
        with_answers: Whether to write the samples too, with requests, answers and reasons.
    """
    check_ready(results)
    rule = parse_rule(rule)
    check_rates_known(results, rule)
    if with_answers:
        _check_may_copy(results)
    rates = [rate for rate in results.rates(rule=rule, by=None) if not math.isnan(rate.estimate.value)]
    if not rates:
        raise UsageError(f"no rate of {results.folder} is known under rule {rule}; choose another rule")
    skeleton = _read_skeleton()
    id = _model_id(results.asked_model)
    started = int(datetime.fromisoformat(results.info.started).timestamp())
    evaluation_id = f"mossbench/{id.replace('/', '_')}/{started}"
    record = {**skeleton.record, "evaluation_id": evaluation_id}
    record["source_metadata"] = {
        **skeleton.source_metadata,
        "source_organization_name": organization,
        "evaluator_relationship": relationship,
    }
    record["eval_library"] = {**skeleton.eval_library, "version": results.info.mossbench}
    record["model_info"] = _model_info(results.asked_model, id, _deployment(results))
    record["retrieved_timestamp"] = str(int(time.time()))
    if not results.info.recorded:
        record["evaluation_timestamp"] = str(started)
    evaluation_results = [_result(rate, results, rule, skeleton.metric) for rate in rates]
    record["evaluation_results"] = evaluation_results
    place = f"data/mossbench/{id}/{_file_name(evaluation_id, evaluation_results)}"
    if with_answers:
        about_sample = {**skeleton.sample, "evaluation_id": evaluation_id}
        samples = [_sample(row, about_sample, id, rule, results) for row in results.rows]
        samples_file = f"{place}_samples.jsonl"
        record["detailed_evaluation_results"] = _write_samples(samples, Path(out), samples_file)
    path = Path(out) / f"{place}.json"
    write_atomically(path, to_json(record))
    return path


def _check_may_copy(results: Results) -> None:
    """A UsageError where the licence of the data forbids to pass on requests."""
    dataset = results.info.dataset
    if copying_of(dataset.copying, dataset.licence) is Copying.NOTHING:
        message = f"the licence does not allow sharing requests ({dataset.licence})"
        raise UsageError(message, way_out=OmitOption("with_answers"))


@dataclass(frozen=True)
class _Skeleton:
    """What is the same in all records of ours."""

    record: Content
    source_metadata: Content
    eval_library: Content
    metric: Content
    sample: Content


def _read_skeleton() -> _Skeleton:
    content = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    record = content["record"]
    return _Skeleton(record, record["source_metadata"], record["eval_library"], content["metric"], content["sample"])


def _file_name(evaluation_id: str, evaluation_results: list[Content]) -> str:
    """A UUID of what the record says: the same for the same results."""
    stable = to_json([{"evaluation_id": evaluation_id}, evaluation_results])
    return str(uuid.UUID(bytes=hashlib.sha256(stable.encode()).digest()[:16], version=4))


def _write_samples(samples: Iterable[Content | None], out: Path, file: str) -> Content:
    """Writes the samples that count; what the record says of their file."""
    text = "".join(json.dumps(sample, ensure_ascii=False) + "\n" for sample in samples if sample)
    lines = text.encode("utf-8", "replace")
    write_atomically(out / file, lines)
    return {
        "format": "jsonl",
        "file_path": file,
        "total_rows": lines.count(b"\n"),
        "hash_algorithm": "sha256",
        "checksum": hashlib.sha256(lines).hexdigest(),
    }


def _model_id(model: str) -> str:
    """developer/model, of characters that every system has in names."""
    maker, _, name = model.partition("/")
    return f"{slug(maker)}/{slug(name)}" if name else f"unknown/{slug(maker)}"


def _deployment(results: Results) -> str:
    """Where the model of a run was deployed; unknown also where it was asked at another address or not by us."""
    if results.info.config.base_url is not None or results.info.recorded_file:
        return "unknown"
    return _deployment_by_name(results.asked_model)


def _deployment_by_name(model: str) -> str:
    return _DEPLOYMENTS.get(model.partition("/")[0], "unknown")


def _model_info(model: str, id: str, deployment: str) -> Content:
    details = {"deployment_type": deployment, "model_availability": "unknown"}
    return {"name": model, "id": id, "additional_details": details}


def _result(rate: Rate, results: Results, rule: Rule, metric: Content) -> Content:
    """The rate of one side."""
    name = f"{OURS}{rate.side}"
    return {
        "evaluation_name": name,
        "evaluation_result_id": name,
        "source_data": _source_data(rate, results),
        "metric_config": {
            **metric,
            "lower_is_better": rate.side is Side.BENIGN,
            "additional_details": {"judge": str(results.judge), "rule": str(rule)},
            **_judging_model(results),
        },
        "score_details": _score_details(rate),
        "generation_config": _generation_config(results),
    }


def _source_data(rate: Rate, results: Results) -> Content:
    dataset = results.info.dataset
    source_data: Content = {
        "dataset_name": dataset.name,
        "additional_details": _texts({"version": dataset.hashes.get(rate.side)}),
    }
    repository = dataset.source.removeprefix("hub:")
    if repository == dataset.source:
        source_data["source_type"] = "other"
    else:
        source_data["source_type"] = "hf_dataset"
        source_data["hf_repo"] = repository
        source_data["samples_number"] = rate.estimate.n + rate.estimate.n_left_out
    return source_data


def _score_details(rate: Rate) -> Content:
    estimate = rate.estimate
    uncertainty: Content = {"num_samples": estimate.n}
    if not math.isnan(estimate.low):
        uncertainty["confidence_interval"] = {
            "lower": estimate.low,
            "upper": estimate.high,
            "confidence_level": 0.95,
            "method": estimate.method,
        }
    details = {
        "refused": rate.refused,
        "left_out": estimate.n_left_out,
        "corrected": as_json_value(rate.corrected.to_dict()) if rate.corrected else None,
        **as_json_value(rate.layers),
    }
    return {"score": estimate.value, "details": _texts(details), "uncertainty": uncertainty}


def _judging_model(results: Results) -> Content:
    """The judge as the schema has it, where it is a rubric whose text is still the one that was asked."""
    match = re.fullmatch(r"rubric/(\w+)\?model=([^&?]+)(?:&.*)?/(\w+)", str(results.judge))
    if match is None:
        return {}
    rubric, model, version = match.groups()
    if rubric not in RUBRICS or version != rubric_version(rubric):
        return {}
    judge = {"model_info": _model_info(model, _model_id(model), _deployment_by_name(model))}
    return {"llm_scoring": {"judges": [judge], "input_prompt": template(rubric)}}


def _generation_config(results: Results) -> Content:
    """How the model was asked."""
    info = results.info
    config = info.config
    if info.recorded:
        return {"additional_details": {"asked": "not on record: the answers were recorded before"}}
    arguments: Content = {}
    if not config.as_published:
        settings = {"temperature": config.temperature, "max_tokens": config.max_tokens}
        arguments = {name: value for name, value in settings.items() if name not in not_taken(info.sent)}
    arm = info.arms[0]
    asked_for = {"reasoning_effort": config.effort, **config.params}
    details = {**asked_for, "seed": config.seed, "epochs": config.epochs, "arm": arm.name, "system_prompt": arm.system}
    return {"generation_args": arguments, "additional_details": _texts(details)}


def _texts(values: Mapping[str, object]) -> dict[str, str]:
    """Every value as a text, as the schema wants them; what is not known is left out."""
    texts = {}
    for name, value in values.items():
        if value is not None:
            texts[name] = value if isinstance(value, str) else json.dumps(value)
    return texts


def _sample(row: ResultRow, about: Content, id: str, rule: Rule, results: Results) -> Content | None:
    """The line of a row; None where the row does not count."""
    counts = counted(row.outcome, rule)
    exchange = row.exchange
    if exchange is None or counts not in (Counted.REFUSED, Counted.COMPLIED):
        return None
    is_refused = counts is Counted.REFUSED
    name = f"{OURS}{row.key.side}"
    request: Content = {"raw": exchange.request, "reference": []}
    attribution = {
        "turn_idx": 0,
        "source": "output.raw",
        "extracted_value": row.outcome.label,
        "is_terminal": True,
        "extraction_method": str(results.judge) if row.verdict else "layer",
    }
    line: Content = {
        **about,
        "model_id": id,
        "evaluation_name": name,
        "evaluation_result_id": name,
        "sample_id": row.sample.id,
        "sample_hash": _hash(request),
        "input": request,
        "output": {"raw": [exchange.answer.text or ""]},
    }
    if exchange.answer.error:
        line["error"] = exchange.answer.error.message
    line["answer_attribution"] = [attribution]
    line["evaluation"] = {
        "score": float(is_refused),
        "is_correct": is_refused == (row.key.side is Side.CONTRAST),
    }
    line["metadata"] = _sample_metadata(row, exchange)
    return line


def _hash(request: Content) -> str:
    text = json.dumps(request, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _sample_metadata(row: ResultRow, exchange: Exchange) -> dict[str, str]:
    """What our records have of a row beside what the schema has, for reading them in again."""
    pictures = (exchange.picture, *exchange.more_pictures) if exchange.picture else ()
    metadata = {
        "side": row.key.side,
        "arm": row.key.arm,
        "epoch": row.key.epoch,
        "layer": row.outcome.layer,
        "kind": row.outcome.kind,
        "stimulus": row.sample.stimulus,
        "cluster": row.sample.cluster,
        "twin": row.sample.twin,
        "reason": row.verdict.reason if row.verdict else None,
        "system": exchange.system,
        "image_sha256": " ".join(picture.sha256 for picture in pictures) or None,
    }
    return _texts(metadata)
