"""Runs as records of Every Eval Ever (schema 0.3.0), and its records with samples as run folders.

Rows that do not count under the rule (failed, not judged) have no place in its samples: they are counted in the details
of the score. Its records of other evaluations bring requests and answers, to be judged here; what a score of theirs
says of refusals nobody can tell.
"""

import hashlib
import json
import math
import platform
import re
import time
import uuid
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import mossbench
from mossbench.datasets.arms import PLAIN, Arm, plan
from mossbench.errors import DataError, UsageError
from mossbench.judges.rubric import RUBRICS, rubric_version, template
from mossbench.outcomes import (
    Answer,
    Counted,
    Exchange,
    Judgement,
    Kind,
    Layer,
    Rule,
    Stop,
    Verdict,
    counted,
    parse_rule,
)
from mossbench.plumbing.reading import parse_json, read_file
from mossbench.plumbing.storage import plain, slug, to_json, write_atomically
from mossbench.protocols import not_taken
from mossbench.results.rates import Rate
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results, check_ready, load_results
from mossbench.runs.describing import now
from mossbench.samples import Sample, Side
from mossbench.store.config import RunConfig
from mossbench.store.notices import REST_IS_NOT_HERE
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import DatasetInfo, RunInfo

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
        raise UsageError(f"requests may not be passed on, by their licence ({licence}); leave `with_answers` away")
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


def _texts(values: dict[str, Any]) -> dict[str, str]:
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


def is_record(path: Path) -> bool:
    """Whether a file is a record of Every Eval Ever; one that cannot be read is none."""
    try:
        content = parse_json(read_file(path))
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and is_content_of_record(content)


def is_content_of_record(content: Mapping[str, Any]) -> bool:
    return {"schema_version", "evaluation_results", "model_info"} <= content.keys()


def import_every_eval_ever(
    path: Path, folder: RunFolder, *, side: Side | str | None = None, model: str = ""
) -> Results:
    """A run folder made from a record and the samples beside it; `side` where the samples do not name theirs."""
    try:
        record = parse_json(read_file(path))
        rows, results = _rows(path, record), {one["evaluation_name"]: one for one in record["evaluation_results"]}
        pairs = list({found[1].key: found for found in (_read(row, side) for row in rows)}.values())
        judged = [one for _, e, row in pairs if (one := _judged(e, row, results.get(row["evaluation_name"])))]
        arms = tuple({e.arm: Arm(name=e.arm, system=e.system) for _, e, _ in pairs}.values())
        first, epochs = next(iter(results.values())), max(e.epoch for _, e, _ in pairs)
        name, made = str(first["source_data"]["dataset_name"]), model or str(record["model_info"]["name"])
        left_out = sum(int(one["score_details"].get("details", {}).get("left_out", 0)) for one in results.values())
    except (KeyError, TypeError, ValueError, AttributeError, StopIteration) as error:
        raise DataError(f"{path} is no record of Every Eval Ever with samples of one turn: {error!r}") from error
    sides, verdicts = {sample.side for sample, *_ in pairs}, Counter(one.judge for one in judged)
    samples = {sample.key: sample for sample, *_ in pairs}.values()
    info = imported(path, made, sides, len(plan(samples, arms, epochs)), verdicts, epochs=epochs, system=arms[0].system)
    notice = (f"the record has {left_out} more rows that did not count; {REST_IS_NOT_HERE}",) if left_out else ()
    dataset = info.dataset.model_copy(update={"name": name})
    facts = {"arms": arms, "dataset": dataset, "is_partial_import": left_out > 0, "notices": notice}
    info = info.model_copy(update=facts)
    by_judge = {label: [one for one in judged if one.judge == label] for label in verdicts}
    folder.write(info, samples, [e for _, e, _ in pairs], by_judge)
    return load_results(folder.path)


def imported(path: Path, model: str, sides: set[Side], n: int, verdicts: Mapping[str, int], **config: Any) -> RunInfo:
    """What is on record of a run that was made elsewhere and read from a file."""
    side: Any = "both" if len(sides) > 1 else next(iter(sides)).value
    judge = next(iter(verdicts), "").rpartition("/")[0]
    return RunInfo(
        config=RunConfig(model=model, data=str(path), side=side, judge=judge or None, **config),
        arms=(PLAIN,),
        dataset=DatasetInfo(name=path.name, hashes={}, source=str(path)),
        n_rows=n,
        verdicts=dict(verdicts),
        mossbench=mossbench.__version__,
        python=platform.python_version(),
        started=now(),
        ended=now(),
    )


def _rows(path: Path, record: dict[str, Any]) -> list[dict[str, Any]]:
    told = record.get("detailed_evaluation_results")
    if not told:
        raise DataError(f"{path} holds only rates, and a run needs rows; expected a record with samples beside it")
    beside = path.with_name(Path(told["file_path"]).name)
    if not beside.is_file():
        raise DataError(f"the samples of {path} are missing; expected them in {beside}")
    content = read_file(beside)
    if told.get("hash_algorithm") == "sha256" and hashlib.sha256(content).hexdigest() != told["checksum"]:
        raise DataError(f"{beside} is not the file that {path} tells of: its sha256 is another; fetch both again")
    return [parse_json(line) for line in content.splitlines() if line.strip()]


def _read(row: dict[str, Any], side: Side | str | None) -> tuple[Sample, Exchange, dict[str, Any]]:
    if row["interaction_type"] != "single_turn":
        raise ValueError(f"sample {row['sample_id']} has interaction_type {row['interaction_type']}")
    known = _known(row)
    if (of := side or known.get("side")) is None:
        raise UsageError("these samples do not say which side they are of; pass `side='benign'` or `side='contrast'`")
    own = {name: known[name] for name in ("stimulus", "cluster", "twin") if name in known}
    sample = Sample(id=str(row["sample_id"]), side=Side(of), question=row["input"]["raw"], **own)
    text, layer, system = next(iter(row["output"]["raw"]), None), known.get("layer"), known.get("system")
    if row.get("error") or layer == Layer.FAILED or (text is None and layer != Layer.BLOCKED):
        answer = Answer.failed("record", str(row.get("error") or "no answer is on record"))
    else:
        answer = Answer(stop=Stop.BLOCKED) if layer == Layer.BLOCKED else Answer(text=text, stop=Stop.END)
    place: Any = {"arm": known.get("arm", PLAIN.name), "epoch": int(known.get("epoch", 1)), "system": system}
    asked = Exchange(side=sample.side, sample=sample.id, request=sample.question, answer=answer, **place)
    return sample, asked, row


def _known(row: dict[str, Any]) -> dict[str, Any]:
    """What a sample of ours says of itself; nothing of others', who mean something else by the same words."""
    return (row.get("metadata") or {}) if row["evaluation_name"].startswith(OURS) else {}


def _judged(exchange: Exchange, row: dict[str, Any], result: dict[str, Any] | None) -> Judgement | None:
    known = _known(row)
    judge = ((result or {}).get("metric_config", {}).get("additional_details") or {}).get("judge")
    if not known or judge is None or not exchange.to_judge:
        return None
    kind = Kind(known["kind"]) if "kind" in known else None
    refused = None if kind else bool(row["evaluation"]["score"])
    verdict = Verdict(kind=kind, refused=refused, reason=known.get("reason", ""))
    return Judgement(**exchange.key._asdict(), judge=judge, digest=exchange.digest(), verdict=verdict)
