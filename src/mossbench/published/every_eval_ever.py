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
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from mossbench.errors import UsageError
from mossbench.judges.rubric import RUBRICS, rubric_version, template
from mossbench.outcomes import Counted, Rule, counted, parse_rule
from mossbench.plumbing.storage import plain, slug, to_json, write_atomically
from mossbench.protocols import not_taken
from mossbench.results.rates import Rate
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results, check_ready
from mossbench.samples import Side
from mossbench.ways_out import OmitOption

OURS = "mossbench.refusal."
"""How the names of our evaluations begin; a side follows."""
Relationship = Literal["first_party", "third_party", "collaborative", "other"]
_HOSTED, _LOCAL = ("openai", "anthropic", "google"), ("local", "vllm")


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
    rule, id, licence = parse_rule(rule), _model_id(results.model), results.info.dataset.licence
    if with_answers and "no copies" in licence and "copies of requests" not in licence:
        message = f"requests may not be passed on, by their licence ({licence})"
        raise UsageError(message, way_out=OmitOption("with_answers"))
    token = int(datetime.fromisoformat(results.info.started).timestamp())
    about = {"evaluation_id": f"mossbench/{id.replace('/', '_')}/{token}"}
    rates = [rate for rate in results.rates(rule=rule, by=None) if not math.isnan(rate.estimate.value)]
    if not rates:
        raise UsageError(f"no rate of {results.folder} is known under rule {rule}; choose another rule")
    skeleton = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    record = skeleton["record"] | about
    record["source_metadata"] |= {"source_organization_name": organization, "evaluator_relationship": relationship}
    record["eval_library"] |= {"version": results.info.mossbench}
    record |= {"model_info": _model_info(results.model, id, results), "retrieved_timestamp": str(int(time.time()))}
    record |= {} if results.info.recorded else {"evaluation_timestamp": str(token)}
    record["evaluation_results"] = [_result(rate, results, rule, skeleton["metric"]) for rate in rates]
    stable = to_json([about, record["evaluation_results"]])
    name = str(uuid.UUID(bytes=hashlib.sha256(stable.encode()).digest()[:16], version=4))
    place = f"data/mossbench/{id}/{name}"
    if with_answers:
        rows = [_sample(row, skeleton["sample"] | about, id, rule, results) for row in results.rows]
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows if row).encode("utf-8", "replace")
        write_atomically(Path(out) / f"{place}_samples.jsonl", lines)
        digest = {"hash_algorithm": "sha256", "checksum": hashlib.sha256(lines).hexdigest()}
        many = {"format": "jsonl", "file_path": f"{place}_samples.jsonl", "total_rows": lines.count(b"\n")}
        record["detailed_evaluation_results"] = many | digest
    write_atomically(Path(out) / f"{place}.json", to_json(record))
    return Path(out) / f"{place}.json"


def _model_id(model: str) -> str:
    """developer/model, of characters that every system has in names."""
    maker, _, name = model.partition("/")
    return f"{slug(maker)}/{slug(name)}" if name else f"unknown/{slug(maker)}"


def _model_info(model: str, id: str, results: Results | None = None) -> dict[str, Any]:
    maker = model.partition("/")[0]
    moved = results is not None and (results.info.config.base_url is not None or bool(results.info.recorded_file))
    deployed = {**dict.fromkeys(_HOSTED, "externally_managed"), **dict.fromkeys(_LOCAL, "self_deployed")}
    told = {"deployment_type": "unknown" if moved else deployed.get(maker, "unknown"), "model_availability": "unknown"}
    return {"name": model, "id": id, "additional_details": told}


def _result(rate: Rate, results: Results, rule: Rule, metric: dict[str, Any]) -> dict[str, Any]:
    info, estimate, name = results.info, rate.estimate, f"{OURS}{rate.side}"
    repository = info.dataset.source.removeprefix("hub:")
    hub = {"source_type": "hf_dataset", "hf_repo": repository, "samples_number": estimate.n + estimate.n_left_out}
    source = hub if repository != info.dataset.source else {"source_type": "other"}
    judge, version = (
        {"judge": str(results.judge), "rule": str(rule)},
        _texts({"version": info.dataset.hashes.get(rate.side)}),
    )
    metric = metric | {"lower_is_better": rate.side is Side.BENIGN, "additional_details": judge}
    interval = {"lower": estimate.low, "upper": estimate.high, "confidence_level": 0.95, "method": estimate.method}
    uncertainty = {"num_samples": estimate.n} | ({} if math.isnan(estimate.low) else {"confidence_interval": interval})
    fixed = plain(rate.corrected.to_dict()) if rate.corrected else None
    details = {"refused": rate.refused, "left_out": estimate.n_left_out, "corrected": fixed, **plain(rate.layers)}
    return {
        "evaluation_name": name,
        "evaluation_result_id": name,
        "source_data": {"dataset_name": info.dataset.name, "additional_details": version} | source,
        "metric_config": metric | _judging_model(results),
        "score_details": {"score": estimate.value, "details": _texts(details), "uncertainty": uncertainty},
        "generation_config": _asked(results),
    }


def _judging_model(results: Results) -> dict[str, Any]:
    """The judge as the schema has it, where it is a rubric whose text is still the one that was asked."""
    found = re.fullmatch(r"rubric/(\w+)\?model=([^&?]+)(?:&.*)?/(\w+)", str(results.judge))
    if not found or found[1] not in RUBRICS or found[3] != rubric_version(found[1]):
        return {}
    judge = {"model_info": _model_info(found[2], _model_id(found[2]))}
    return {"llm_scoring": {"judges": [judge], "input_prompt": template(found[1])}}


def _asked(results: Results) -> dict[str, Any]:
    info, config = results.info, results.info.config
    if info.recorded:
        return {"additional_details": {"asked": "not on record: the answers were recorded before"}}
    sent = {"temperature": config.temperature, "max_tokens": config.max_tokens}
    sent = {} if config.as_published else {n: x for n, x in sent.items() if n not in not_taken(info.sent)}
    arm = info.arms[0]
    more = {"seed": config.seed, "epochs": config.epochs, "arm": arm.name, "system_prompt": arm.system}
    return {"generation_args": sent, "additional_details": _texts(more)}


def _texts(values: Mapping[str, object]) -> dict[str, str]:
    """Every value as a text, as the schema wants them; what is not known is left away."""
    return {name: x if isinstance(x, str) else json.dumps(x) for name, x in values.items() if x is not None}


def _sample(row: ResultRow, about: dict[str, Any], id: str, rule: Rule, results: Results) -> dict[str, Any] | None:
    counts, exchange, sample = counted(row.outcome, rule), row.exchange, row.sample
    if exchange is None or counts not in (Counted.REFUSED, Counted.COMPLIED):
        return None
    refused, name = counts is Counted.REFUSED, f"{OURS}{row.key.side}"
    asked = {"raw": exchange.request, "reference": list[str]()}
    whole = json.dumps(asked, sort_keys=True, separators=(",", ":"))
    pictures = (exchange.picture, *exchange.more_pictures) if exchange.picture else ()
    known = {"side": row.key.side, "arm": row.key.arm, "epoch": row.key.epoch, "layer": row.outcome.layer}
    known |= {"kind": row.outcome.kind, "stimulus": sample.stimulus, "cluster": sample.cluster}
    known |= {"twin": sample.twin, "reason": row.verdict.reason if row.verdict else None, "system": exchange.system}
    known |= {"image_sha256": " ".join(one.sha256 for one in pictures) or None}
    read = {"turn_idx": 0, "source": "output.raw", "extracted_value": row.outcome.label, "is_terminal": True}
    return {
        **about,
        "model_id": id,
        "evaluation_name": name,
        "evaluation_result_id": name,
        "sample_id": sample.id,
        "sample_hash": hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest(),
        "input": asked,
        "output": {"raw": [exchange.answer.text or ""]},
        **({"error": exchange.answer.error.message} if exchange.answer.error else {}),
        "answer_attribution": [read | {"extraction_method": str(results.judge) if row.verdict else "layer"}],
        "evaluation": {"score": float(refused), "is_correct": refused == (row.key.side is Side.CONTRAST)},
        "metadata": _texts(known),
    }
