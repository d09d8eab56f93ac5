"""The schema of Every Eval Ever 0.3.0 and the checks of its validator, written down from what is known of them.

The package is not on every index, and needs Python 3.12: where it can be had, its own command is the better test.
"""

import hashlib
import json
import math
import re

import jsonschema


def closed(required, **optional):
    """An object of these properties and no other."""
    return {
        "type": "object",
        "properties": required | optional,
        "required": list(required),
        "additionalProperties": False,
    }


def opened(required, **optional):
    return closed(required, **optional) | {"additionalProperties": True}


def one_of(*names):
    return {"enum": list(names)}


TEXT, NUMBER, INT, FLAG = ({"type": name} for name in ("string", "number", "integer", "boolean"))
TEXTS = {"type": "object", "additionalProperties": TEXT}
OR_NONE = {"type": ["number", "null"]}
DEPLOYED = one_of("self_deployed", "externally_managed", "unknown")
MODEL = opened(
    {
        "name": TEXT,
        "id": TEXT,
        "additional_details": opened(
            {"deployment_type": DEPLOYED, "model_availability": one_of("open_weights", "closed_weights", "unknown")}
        )
        | {"additionalProperties": TEXT},
    }
)
NAMED = {"dataset_name": TEXT}
SOURCE = {
    "oneOf": [
        closed(
            NAMED | {"source_type": one_of("hf_dataset")},
            hf_repo=TEXT,
            hf_split=TEXT,
            samples_number=INT,
            sample_ids={"type": "array"},
            additional_details=TEXTS,
        ),
        closed(NAMED | {"source_type": one_of("other")}, additional_details=TEXTS),
    ]
}
METRIC = opened(
    {"lower_is_better": FLAG, "score_type": one_of("continuous"), "min_score": NUMBER, "max_score": NUMBER},
    metric_parameters={"type": "object"},
    additional_details=TEXTS,
    llm_scoring=opened(
        {"judges": {"type": "array", "minItems": 1, "items": opened({"model_info": MODEL})}, "input_prompt": TEXT}
    ),
)
INTERVAL = closed({"lower": NUMBER, "upper": NUMBER}, confidence_level=NUMBER, method=TEXT)
SCORE = opened(
    {"score": NUMBER},
    details=TEXTS,
    uncertainty=opened({}, confidence_interval=INTERVAL, num_samples=INT, num_bootstrap_samples=INT),
)
ARGS = closed(
    {},
    temperature=OR_NONE,
    top_p=OR_NONE,
    top_k=OR_NONE,
    max_tokens=INT | {"minimum": 1},
    execution_command=TEXT,
    prompt_template=TEXT,
    reasoning=FLAG,
)
RECORD = closed(
    {
        "schema_version": one_of("0.3.0"),
        "evaluation_id": TEXT,
        "retrieved_timestamp": TEXT | {"pattern": r"^\d+$"},
        "source_metadata": opened(
            {
                "source_type": one_of("documentation", "evaluation_run"),
                "source_organization_name": TEXT,
                "evaluator_relationship": one_of("first_party", "third_party", "collaborative", "other"),
            }
        ),
        "eval_library": opened({"name": TEXT, "version": TEXT}),
        "model_info": MODEL,
        "evaluation_results": {
            "type": "array",
            "items": opened(
                {"evaluation_name": TEXT, "source_data": SOURCE, "metric_config": METRIC, "score_details": SCORE},
                evaluation_result_id=TEXT,
                generation_config=opened({}, generation_args=ARGS, additional_details=TEXTS),
            ),
        },
    },
    evaluation_timestamp=TEXT,
    detailed_evaluation_results=opened(
        {"format": one_of("jsonl"), "file_path": TEXT},
        hash_algorithm=one_of("sha256", "md5"),
        checksum=TEXT,
        total_rows=INT,
    ),
)
ATTRIBUTED = {"turn_idx": INT, "source": TEXT, "extracted_value": TEXT, "extraction_method": TEXT, "is_terminal": FLAG}
TOKENS = ("input_tokens", "output_tokens", "total_tokens")
SAMPLE = closed(
    {
        "schema_version": one_of("0.3.0"),
        "evaluation_id": TEXT,
        "model_id": TEXT,
        "evaluation_name": TEXT,
        "sample_id": TEXT,
        "interaction_type": one_of("single_turn"),
        "input": opened({"raw": TEXT, "reference": {"type": "array", "items": TEXT}}),
        "answer_attribution": {"type": "array", "items": opened(ATTRIBUTED)},
        "evaluation": opened({"score": NUMBER, "is_correct": FLAG}),
        "output": opened({"raw": {"type": "array", "items": TEXT}}),
    },
    evaluation_result_id=TEXT,
    sample_hash=TEXT,
    metadata=TEXTS,
    error=TEXT,
    token_usage=opened(dict.fromkeys(TOKENS, INT)),
)
UUID4 = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


def check(folder, path):
    """The record and its samples, after all that the validator looks at."""
    record = json.loads(path.read_text())
    jsonschema.validate(record, RECORD)
    place = path.relative_to(folder).as_posix()
    found = re.fullmatch(rf"data/([\w.-]+)/([\w.-]+)/([\w.-]+)/({UUID4})\.json", place)
    assert found, place
    assert record["model_info"]["id"] == f"{found[2]}/{found[3]}"
    for result in record["evaluation_results"]:
        metric, score = result["metric_config"], result["score_details"]
        assert metric["min_score"] <= score["score"] <= metric["max_score"]
        interval = score["uncertainty"].get("confidence_interval")
        assert interval is None or all(math.isfinite(interval[end]) for end in ("lower", "upper"))
    told = record.get("detailed_evaluation_results")
    if told is None:
        return record, []
    assert told["file_path"] == place.removesuffix(".json") + "_samples.jsonl"
    content = (folder / told["file_path"]).read_bytes()
    rows = [json.loads(line) for line in content.splitlines()]
    assert hashlib.sha256(content).hexdigest() == told["checksum"] and told["total_rows"] == len(rows)
    ids = {result["evaluation_result_id"] for result in record["evaluation_results"]}
    for row in rows:
        jsonschema.validate(row, SAMPLE)
        assert row["evaluation_id"] == record["evaluation_id"] and row["model_id"] == record["model_info"]["id"]
        assert row["evaluation_result_id"] in ids
    return record, rows
