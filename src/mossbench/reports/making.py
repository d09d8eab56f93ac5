"""What a report's numbers were made of, and the commands that make them again."""

from __future__ import annotations

import hashlib
import shlex
from collections import Counter
from statistics import median

from mossbench.judges import DEFAULT_JUDGE
from mossbench.look.numbers import dollars
from mossbench.outcomes import Rule
from mossbench.protocols import not_taken, without_folders
from mossbench.reports.tables import SIDES
from mossbench.reports.wording import arm_title, day
from mossbench.results.labels import Labels
from mossbench.results.rates import Rate
from mossbench.results.table import Results
from mossbench.runs.config import RunConfig, RunInfo


def method(results: Results, rate: Rate, rule: Rule, labels: Labels) -> dict[str, str]:
    """What every number was made of, name by name; what there is nothing to say of is left away."""
    info, spent = results.info, results.spent()
    sides = Counter(row.key.side for row in results.rows)
    seconds = [facts.seconds for row in results.rows if (facts := row.answered) and facts.seconds]
    pairs = {
        "Dataset": info.dataset.name + (f", revision {info.dataset.revision}" if info.dataset.revision else ""),
        **{f"Content hash, {SIDES[side]}": digest[:12] for side, digest in info.dataset.hashes.items()},
        "Samples": _selected(info.config),
        "Rows": ", ".join(f"{n} {SIDES[side]}" for side, n in sides.items()) or "0",
        "Model": results.model,
        "Model version": without_folders(info.model_version or ""),
        "Named by the provider": ", ".join(map(without_folders, list(results.told("model"))[:4])),
        "Run by": _counts(results.told("host")),
        "Categories of the provider’s filter": _counts(results.told("category")),
        "Arms": ", ".join(
            arm_title(a.name) + (", with a system prompt" if a.system and a.name != "system" else "") for a in info.arms
        ),
        **{f"System prompt, arm {name}": _prompt_named(info, text) for name, text in prompts(results).items()},
        "Epochs": str(info.config.epochs) if info.config.epochs > 1 else "",
        "Settings": _settings(info),
        "Judge": results.judge or "none",
        "Labels": labels.source,
        "Counting rule": str(rule),
        "Interval": f"95 %, {rate.estimate.method}",
        "mossbench": info.mossbench,
        "Python": info.python,
        "Asked": ("unknown; answers read " if info.recorded else "")
        + f"{day(info.started)}{'' if info.ended else ', not finished'}",
        "Tokens": f"{spent.input_tokens:,} in, {spent.output_tokens:,} out" if spent.n_counted else "not counted",
        "Answers without a count of tokens": str(spent.n_uncounted) if spent.n_counted and spent.n_uncounted else "",
        "Cost": "unknown"
        if info.recorded or spent.cost is None
        else dollars(spent.cost) + (f", {info.price.said(info.started)}" if info.price and info.price.as_of else ""),
        "Cost of judging": dollars(spent.judge_cost) if spent.judge_cost != 0 else "",
        "Retries": str(spent.n_retries) if spent.n_retries else "",
        "Latency, median": f"{median(seconds):.2g} s" if seconds else "",
        "Data licence": info.dataset.licence,
    }
    return {name: value for name, value in pairs.items() if value}


def _prompt_named(info: RunInfo, text: str) -> str:
    own = f"{info.prompt}, " if text == info.config.system else ""
    return f"{own}sha256 {sha256(text)[:12]}"


def _counts(said: Counter[str]) -> str:
    more = f", {len(said) - 4} more" if len(said) > 4 else ""
    return ", ".join(f"{name}: {n}" for name, n in said.most_common(4)) + more


def prompts(results: Results) -> dict[str, str]:
    return {arm.name: arm.system for arm in results.info.arms if arm.system is not None}


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _selected(config: RunConfig) -> str:
    """Which samples of the data were asked; empty: all."""
    parts = [f"{len(config.ids)} ids, sha256 {sha256(','.join(config.ids))[:12]}"] if config.ids else []
    parts += [f"without the first {config.offset} ids"] if config.offset else []
    parts += [f"at most {config.limit} ids"] if config.limit else []
    parts += [f"part {config.shard}"] if config.shard else []
    return ", ".join(parts)


def _settings(info: RunInfo) -> str:
    if info.recorded:
        return "unknown: the answers were recorded before, and how they were asked is not on record"
    config, refused = info.config, not_taken(info.sent)
    numbers = {} if config.as_published else {"temperature": config.temperature, "max_tokens": config.max_tokens}
    words = {name: f"{name} {value:g}".replace("_", " ") for name, value in numbers.items() if value is not None}
    words["seed"] = f"seed {config.seed}"
    found = ["as published"] if config.as_published else []
    found += [text for name, text in words.items() if name not in refused]
    if refused:
        found.append(f"not taken by the provider: {' and '.join(words.get(name, name) for name in refused)}")
    found += [f"Google’s filters {config.google_safety}"] if config.google_safety else []
    return ", ".join([*found, *([f"endpoint {config.base_url}"] if config.base_url else [])])


def commands(results: Results, rule: Rule, labels: Labels) -> tuple[str, ...]:
    """How to make the run and the report again, ready for a shell: every setting that is not the default."""
    config = results.info.config
    run = ["mossbench", "run"]
    for name, field in RunConfig.model_fields.items():
        value = getattr(config, name)
        if name == "judge" or value is None or (value == field.default and name not in ("model", "data")):
            continue
        run.append(f"--{name.replace('_', '-')}" if name != "columns" else "--map")
        if name == "ids":
            run.append(",".join(config.ids))
        elif name == "columns":
            run.append(",".join(f"{field}={column}" for field, column in config.columns.items()))
        elif value is not True:
            run.append(without_folders(value) if name in ("model", "data") else str(value))
    if config.judge != DEFAULT_JUDGE:
        run += ["--judge", config.judge] if config.judge else ["--no-judge"]
    own = [name for name in (config.model, config.judge) if name and name.startswith("python/")]
    told = f"# {' and '.join(own)} came from Python, so no command can repeat the run" if own else shlex.join(run)
    lines, folder = [], without_folders(str(results.folder))
    reader = results.judge.rpartition("/")[0] if results.judge else None
    if reader and reader != config.judge:
        lines.append(["mossbench", "judge", "apply", folder, "--judge", reader])
    report = ["mossbench", "report", folder, "--rule", str(rule)]
    report += ["--judge", results.judge] if results.judge else []
    report += ["--labels", without_folders(str(labels.file))] if labels.file else []
    return told, *(shlex.join(line) for line in [*lines, report])
