"""What a report's numbers were made of, name by name, and the commands that make them again."""

import hashlib
import shlex
from collections import Counter
from collections.abc import Mapping
from statistics import median

from mossbench.judges import DEFAULT_JUDGE, spec_of
from mossbench.look.numbers import dollars
from mossbench.models.parameters import parameter_words, params_words
from mossbench.outcomes import Rule
from mossbench.protocols import FILE_VERDICTS, not_taken, without_folders
from mossbench.reports.tables import SIDES, planted_lines, thinking_words
from mossbench.reports.words.runs import arm_title, day
from mossbench.results.label_notes import rests_on
from mossbench.results.labels import Labels
from mossbench.results.rates import Rate
from mossbench.results.row_columns import of_side, seconds_of
from mossbench.results.table import Results, Spent
from mossbench.samples import Side
from mossbench.store.config import RunConfig
from mossbench.store.run_info import RunInfo

MOST_NAMES = 4
"""Of models, hosts and categories that are written out."""


def method(results: Results, rate: Rate, rule: Rule, labels: Labels) -> dict[str, str]:
    """What every number was made of, name by name; what there is nothing to say of is left away."""
    info = results.info
    lines = {
        **_data_lines(results, rule),
        **_model_lines(results),
        **_request_lines(results),
        "Judge": results.judge or "none",
        "Labels": labels.source,
        "Labelled answers": _how_labelled(labels, rate),
        "Counting rule": str(rule),
        "Interval": f"95 %, {rate.estimate.method}",
        "mossbench": info.mossbench,
        "Python": info.python,
        "Asked": _when_asked(info),
        **_usage_lines(results),
        "Data licence": info.dataset.licence,
    }
    return {name: value for name, value in lines.items() if value}


def _data_lines(results: Results, rule: Rule) -> dict[str, str]:
    dataset = results.info.dataset
    sides = {side: len(of_side(results.rows, side)) for side in Side}
    return {
        "Dataset": f"{dataset.name}, revision {dataset.revision}" if dataset.revision else dataset.name,
        **{f"Content hash, {SIDES[side]}": digest[:12] for side, digest in dataset.hashes.items()},
        "Copy of the images": _copies(results.info),
        "Samples": _selected(results.info.config),
        "Rows": ", ".join(f"{n} {SIDES[side]}" for side, n in sides.items()) or "0",
        "Planted and found": "; ".join(planted_lines(results, rule)),
    }


def _copies(info: RunInfo) -> str:
    """Which copy of the published images was sent; empty for other data, and where nobody knows."""
    if info.recorded:
        return ""
    return ", ".join(f"{SIDES[side]} {copy}" for side, copy in info.dataset.copies.items())


def _selected(config: RunConfig) -> str:
    """Which samples of the data were asked; empty: all."""
    parts = []
    if config.ids:
        parts.append(f"{len(config.ids)} ids, sha256 {sha256(','.join(config.ids))[:12]}")
    if config.offset:
        parts.append(f"without the first {config.offset} ids")
    if config.limit:
        parts.append(f"at most {config.limit} ids")
    if config.shard:
        parts.append(f"part {config.shard}")
    return ", ".join(parts)


def _model_lines(results: Results) -> dict[str, str]:
    models = [without_folders(name) for name in results.named_in_replies("model")]
    return {
        "Model": results.model,
        "Recorded answers": results.info.recorded_file,
        "Model version": without_folders(results.info.model_version or ""),
        "Named by the provider": ", ".join(models[:MOST_NAMES]),
        "Run by": _counts(results.named_in_replies("host")),
        "Categories of the provider’s filter": _counts(results.named_in_replies("category")),
    }


def _counts(counts: Counter[str]) -> str:
    """The most frequent names and how often each occurs."""
    parts = [f"{name}: {n}" for name, n in counts.most_common(MOST_NAMES)]
    if len(counts) > MOST_NAMES:
        parts.append(f"{len(counts) - MOST_NAMES} more")
    return ", ".join(parts)


def _request_lines(results: Results) -> dict[str, str]:
    info = results.info
    arms = []
    for arm in info.arms:
        has_named_prompt = arm.system and arm.name != "system"
        title = arm_title(arm.name)
        arms.append(f"{title}, with a system prompt" if has_named_prompt else title)
    epochs = info.config.epochs
    return {
        "Arms": ", ".join(arms),
        **{f"System prompt, arm {name}": _prompt_words(results, text) for name, text in prompts(results).items()},
        "Epochs": str(epochs) if epochs > 1 else "",
        "Settings": _settings(info),
    }


def prompts(results: Results) -> dict[str, str]:
    """The system prompts by the arms that sent them."""
    return {arm.name: arm.system for arm in results.info.arms if arm.system is not None}


def prompt_label(results: Results, text: str) -> str:
    """What a system prompt is called: by the run's name of it, or by a digest."""
    if text == results.info.config.system and results.info.prompt:
        return results.info.prompt
    return f"sha256 {sha256(text)[:12]}"


def _prompt_words(results: Results, text: str) -> str:
    """A system prompt by its name, where it has one, and by a digest."""
    label = prompt_label(results, text)
    digest = f"sha256 {sha256(text)[:12]}"
    return digest if label == digest else f"{label}, {digest}"


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _settings(info: RunInfo) -> str:
    if info.recorded:
        return "unknown: the answers were recorded before, and how they were asked is unknown"
    config = info.config
    refused = not_taken(info.sent)
    words = _sampling_words(config)
    settings = ["as published"] if config.as_published else []
    settings += [text for name, text in words.items() if name not in refused]
    if refused:
        names = " and ".join(words.get(name, name) for name in refused)
        settings.append(f"not taken by the provider: {names}")
    settings += parameter_words(config.effort, config.params)
    if config.google_safety:
        settings.append(f"Google’s filters {config.google_safety}")
    if config.base_url:
        settings.append(f"endpoint {config.base_url}")
    return ", ".join(settings)


def _sampling_words(config: RunConfig) -> dict[str, str]:
    """Temperature, tokens and seed as words; only the seed where the published settings were sent."""
    words = {}
    if not config.as_published:
        if config.temperature is not None:
            words["temperature"] = f"temperature {config.temperature:g}"
        words["max_tokens"] = f"max tokens {config.max_tokens:g}"
    words["seed"] = f"seed {config.seed}"
    return words


def _how_labelled(labels: Labels, rate: Rate) -> str:
    """How many answers are labelled, by how they were chosen."""
    parts = []
    if rate.corrected is not None and rate.corrected.is_by_plan:
        parts.append(rate.corrected.on_what)
    if labels.at_random:
        parts.append(rests_on(labels, list(Side)))
    if labels.n_apart:
        parts.append(f"{labels.n_apart} chosen for another reason")
    if labels.n_unknown:
        parts.append(f"{labels.n_unknown} without a word on how they were chosen")
    return ", ".join(parts)


def _when_asked(info: RunInfo) -> str:
    when = day(info.started)
    if not info.ended:
        when += ", not finished"
    return f"unknown; answers read {when}" if info.recorded else when


def _usage_lines(results: Results) -> dict[str, str]:
    """Tokens, cost, retries and time."""
    spent = results.spent()
    has_uncounted = spent.n_counted and spent.n_uncounted
    seconds = seconds_of(results.rows)
    return {
        "Tokens": _tokens(spent),
        "Answers without a count of tokens": str(spent.n_uncounted) if has_uncounted else "",
        "Cost": _cost(results.info, spent.cost),
        "Cost of judging": dollars(spent.judge_cost) if spent.judge_cost != 0 else "",
        "Retries": str(spent.n_retries) if spent.n_retries else "",
        "Latency, median": f"{median(seconds):.2g} s" if seconds else "",
    }


def _tokens(spent: Spent) -> str:
    if not spent.n_counted:
        return "not counted"
    return f"{spent.input_tokens:,} in, {spent.output_tokens:,} out{thinking_words(spent)}"


def _cost(info: RunInfo, cost: float | None) -> str:
    if info.recorded or cost is None:
        return "unknown"
    if info.price and info.price.as_of:
        return f"{dollars(cost)}, {info.price.month_text(info.started)}"
    return dollars(cost)


def commands(results: Results, rule: Rule, labels: Labels) -> tuple[str, ...]:
    """How to make the run and the report again, ready for a shell: every setting that is not the default."""
    folder = without_folders(str(results.folder))
    lines = [how_to_run(results)]
    reader = spec_of(results.judge) if results.judge else None
    if reader and reader != results.info.config.judge:
        lines.append(shlex.join(["mossbench", "judge", "apply", folder, "--judge", reader]))
    report = ["mossbench", "report", folder, "--rule", str(rule)]
    if results.judge:
        report += ["--judge", results.judge]
    if labels.file:
        report += ["--labels", without_folders(str(labels.file))]
    if labels.drawn:
        report += ["--labels-drawn", labels.drawn]
    lines.append(shlex.join(report))
    return tuple(lines)


def how_to_run(results: Results) -> str:
    """The command that makes the run; a comment where no command can."""
    config = results.info.config
    from_python = [name for name in (config.model, config.judge) if name and name.startswith("python/")]
    if from_python:
        return f"# {' and '.join(from_python)} came from Python, so no command can repeat the run"
    if config.judge == FILE_VERDICTS.partition("/")[0]:
        return shlex.join(_import_command(results))
    return shlex.join(_run_command(config))


def _run_command(config: RunConfig) -> list[str]:
    command = ["mossbench", "run"]
    for name, field in RunConfig.model_fields.items():
        value = getattr(config, name)
        is_default = value == field.default and name not in ("model", "data")
        if name == "params":
            for text in params_words(config.params):
                command += ["--param", text]
        elif name != "judge" and value is not None and not is_default:
            command += _option(name, value)
    if config.judge != DEFAULT_JUDGE:
        command += ["--judge", config.judge] if config.judge else ["--no-judge"]
    return command


def _option(name: str, value: object) -> list[str]:
    """A setting of a run as words of a command line."""
    if isinstance(value, Mapping):
        return ["--map", ",".join(f"{field}={column}" for field, column in value.items())]
    flag = f"--{name.replace('_', '-')}"
    if value is True:
        return [flag]
    if isinstance(value, tuple):
        return [flag, ",".join(value)]
    return [flag, without_folders(str(value)) if name in ("model", "data") else str(value)]


def _import_command(results: Results) -> list[str]:
    """How a run was made of a results.json with its verdicts; on its data, where they are known."""
    config = results.info.config
    folder = without_folders(str(results.folder))
    command = ["mossbench", "results", "import"]
    if results.info.recorded_file:
        file = config.model.partition("/")[2]
        data = without_folders(config.data)
        command += [without_folders(file), "--out", folder, "--data", data, "--side", config.side]
        model = config.model_name
    else:
        command += [without_folders(config.data), "--out", folder, "--side", config.side]
        model = config.model
    return [*command, "--model", model] if model else command
