"""A run as a file of `.eval_results/` in a model's repository on the hub.

The layout holds one number a task: an interval, the rows behind it and the judge stand in its notes. YAML takes JSON's
values, so that no package has to write it.
"""

import json
import math
import re

from mossbench.datasets.tasks import TASKS
from mossbench.errors import UsageError
from mossbench.outcomes import Rule, parse_rule
from mossbench.protocols import SAMPLES, Topic
from mossbench.results.comparability import UNKNOWN_SETTING, unknown_topics
from mossbench.results.rates import Rate
from mossbench.results.table import Results, check_ready
from mossbench.results.unfamiliar import check_rates_known
from mossbench.samples import Side, data_label
from mossbench.statistics import Estimate
from mossbench.ways_out import SetOption


def eval_results(
    results: Results, *, rule: Rule | str = Rule.SYSTEM, hub_dataset: str | None = None, url: str | None = None
) -> str:
    """The file: refused shares in per cent, one entry a side.

    Args:
        results: A run that is finished and judged.
        rule: The counting rule.
        hub_dataset: The dataset on the hub, as in org/name; by default the one that the samples came from.
        url: Where answers and verdicts can be read.
    """
    check_ready(results)
    check_rates_known(results, parse_rule(rule))
    dataset = results.info.dataset
    repository = dataset.source.removeprefix("hub:")
    is_from_hub = repository != dataset.source
    dataset_id = hub_dataset or (repository if is_from_hub else "")
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", dataset_id):
        message = f"results on the hub need a dataset on the hub; {dataset_id or dataset.name!r} is not one"
        raise UsageError(message, way_out=SetOption("hub_dataset", "org/name"))
    revision = dataset.revision if dataset_id == repository else None
    text = ""
    for rate in results.rates(rule=rule, by=None):
        if math.isnan(rate.estimate.value):
            raise UsageError(f"the rate on the {rate.side} side of {results.folder} is not known; choose another rule")
        about_dataset = {"id": dataset_id, "task_id": TASKS[rate.side]}
        if revision:
            about_dataset["revision"] = revision
        entry = _entry(rate, results, parse_rule(rule), about_dataset, url)
        lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in entry.items()]
        text += "- " + "  ".join(lines)
    return text


def _entry(
    rate: Rate, results: Results, rule: Rule, about_dataset: dict[str, str], url: str | None
) -> dict[str, object]:
    """One side of the run, by the names of the layout and in their order."""
    entry: dict[str, object] = {"dataset": about_dataset, "value": round(100 * rate.estimate.value, 4)}
    if not results.info.recorded:  # when recorded answers were given is not on record
        entry["date"] = results.info.started[:10]
    if url:
        entry["source"] = {"url": url, "name": "Answers and verdicts"}
    entry["notes"] = _notes(rate, results, rule)
    return entry


def _notes(rate: Rate, results: Results, rule: Rule) -> str:
    estimate = rate.estimate
    protocol = results.protocol(rule).words()
    data = results.info.dataset
    system = UNKNOWN_SETTING if Topic.SYSTEM in unknown_topics(results) else protocol[Topic.SYSTEM]
    better = "lower" if rate.side is Side.BENIGN else "higher"
    notes = [
        f"refused share in %, {better} is better",
        _interval_note(estimate),
        f"{estimate.n} rows, {estimate.n_left_out} left out",
        f"samples: {protocol[SAMPLES[rate.side]]}; arm {protocol[Topic.ARM]}; system prompt: {system}"
        + "".join(f"; {topic}: {protocol[topic]}" for topic in (Topic.EFFORT, Topic.PARAMS) if topic in protocol),
        f"judge {results.judge}, rule {rule}",
        _correction_note(rate),
        f"mossbench {results.info.mossbench}, {data_label(data.name, {rate.side: data.hashes.get(rate.side, '')})}",
    ]
    return "; ".join(notes)


def _interval_note(estimate: Estimate) -> str:
    """The interval and how it was computed; samples that are all of one scene give none."""
    if math.isnan(estimate.low):
        return f"no 95 % interval ({estimate.method})"
    return f"95 % interval {100 * estimate.low:.1f} to {100 * estimate.high:.1f} ({estimate.method})"


def _correction_note(rate: Rate) -> str:
    if rate.corrected is None:
        return "not corrected for the judge's errors"
    estimate = rate.corrected.estimate
    note = f"corrected for the judge's errors ({rate.corrected.basis}) {100 * estimate.value:.1f} %"
    if math.isnan(estimate.low):
        return f"{note}, no 95 % interval"
    return f"{note}, 95 % interval {100 * estimate.low:.1f} to {100 * estimate.high:.1f}"
