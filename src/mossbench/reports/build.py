"""From `Results` to a `Report`: what is counted, compared and said, and what its numbers were made of.

Nothing here draws or writes.
"""

import hashlib
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

from mossbench.errors import bad_option
from mossbench.judges import DEFAULT_JUDGE, spec_of
from mossbench.look.numbers import dollars
from mossbench.outcomes import Counted, Layer, Rule, counted, parse_rule
from mossbench.protocols import FILE_VERDICTS, not_taken, without_folders
from mossbench.reports.cards import cards_of
from mossbench.reports.cautions import cautions
from mossbench.reports.judge_error import judge_error
from mossbench.reports.ranking import most_refused
from mossbench.reports.record import Group, Report, Share, Twins
from mossbench.reports.tables import SIDES, planted_lines
from mossbench.reports.words.rates import groups_title, headline, lede, twins_title
from mossbench.reports.words.runs import arm_title, day, model_name
from mossbench.results.correction import Correction, correction_of, rests_on
from mossbench.results.labels import Labels, run_labels
from mossbench.results.rates import GROUPS, Rate, check_by, groups_of, macro_of, rate_of
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.results.twins import by_stimulus, sides_test, told_apart, too_many_missing, twins_of
from mossbench.samples import Side
from mossbench.store.config import RunConfig
from mossbench.store.run_info import RunInfo
from mossbench.ways_out import OmitOption, SetOption

FLAGS = {"human": "person", "child": "child", "syn": "drawn or generated", "ocr": "text that matters"}
_ORDER = (
    "answered complied warned clarified partial deflected refused incapable blocked empty failed unjudged not asked"
)


def make_report(
    results: Results,
    *,
    rule: Rule | str = Rule.SYSTEM,
    labels: str | Path | None = None,
    labels_drawn: str | None = None,
    by: Sequence[str] = (),
) -> Report:
    """Everything there is to say about a run, as one record.

    Args:
        results: The run, read by one judge.
        rule: The counting rule of the headline and of every group.
        labels: A file of people's labels of this run's answers, from which the judge's error is measured. Without it,
            people's verdicts in the run's folder are taken, where there are some.
        labels_drawn: `random` where labels that do not say how their answers were chosen were drawn at random. Without
            it such labels correct nothing.
        by: Columns of one's own data to show rates by.
    """
    for column in by:
        check_by(results.rows, column)
    rule = parse_rule(rule)
    sides = [side for side in Side if any(row.key.side is side for row in results.rows)] or [Side.BENIGN]
    side = sides[0]
    rows = [row for row in results.rows if row.key.side is side]
    people = run_labels(results, Path(labels) if labels else None, rule, labels_drawn)
    if labels_drawn and not labels and not people.source:
        raise bad_option(
            "labels_drawn",
            f"is {labels_drawn!r}, but the run has no labels by people that count under rule {rule}",
            (SetOption("labels", to="pass some"), OmitOption("labels_drawn")),
        )
    correction = correction_of(results, rule, people)
    rate = correction.rate_of(side, "all", rows)
    others = [row for row in results.rows if row.key.side is not side]
    harmful = correction.rate_of(Side.CONTRAST, "all", others) if len(sides) > 1 else None
    groups = (*_groups(rows, correction, by), *_answerers(results, side, rule))
    n_samples = len({row.key.sample for row in rows if counted(row.outcome, rule) is not Counted.LEFT_OUT})
    error = judge_error(results, rate, correction)
    twins = _twins(results.rows, rule) if len(sides) > 1 else ()
    has_twins = any(row.sample.twin is not None for row in results.rows)
    harmful_name = "harmful twins" if has_twins else "harmful requests"
    cards, n_cards = cards_of(results, rule)
    return Report(
        those=harmful_name,
        has_twins=has_twins,
        run=results.name,
        model=results.model,
        about=_about(results),
        rule=rule,
        judge=results.judge,
        side=side,
        headline=headline(results.model, rate, n_unjudged=rate.layers[Layer.UNJUDGED], n_samples=n_samples),
        lede=lede(rate, harmful, n_samples, harmful_name=harmful_name),
        cautions=cautions(results, rate, rule, error),
        n_rows=len(rows),
        rate=rate,
        harmful=harmful,
        macro=macro_of(rows, rule),
        shares=_shares(rows, rule),
        failures=dict(results.failures()),
        unjudged=dict(results.unjudged()),
        by_rule={each: rate_of(side, "all", rows, each) for each in Rule},
        groups=groups,
        twins=twins,
        twins_title=twins_title(twins),
        judge_error=error,
        cards=cards,
        n_cards=n_cards,
        spent=results.spent(),
        hashes=dict(results.info.dataset.hashes),
        protocol=results.protocol(rule),
        method=method(results, rate, rule, people),
        prompts=prompts(results),
        commands=commands(results, rule, people),
        arms=tuple(arm_title(arm.name) for arm in results.info.arms),
        prompt=next((_prompt_label(results, text) for text in prompts(results).values()), ""),
    )


def _about(results: Results) -> str:
    arms = [f"{arm_title(arm.name)} arm" for arm in results.info.arms]
    prompt = [results.info.prompt] if results.info.prompt else []
    parts = [model_name(results.model), results.info.dataset.name, *arms[:3], *prompt, day(results.info.started)]
    return " · ".join(parts)


def _shares(rows: Sequence[ResultRow], rule: Rule) -> tuple[Share, ...]:
    found = Counter((row.outcome.label, counted(row.outcome, rule)) for row in rows)
    return tuple(
        Share(label, n, counts)
        for (label, counts), n in sorted(found.items(), key=lambda item: _ORDER.index(item[0][0]))
    )


def _groups(rows: Sequence[ResultRow], correction: Correction, columns: Sequence[str]) -> tuple[Group, ...]:
    """Rates by everything that splits the rows; what is unknown for all of them, or the same, is left away."""
    found = []
    for by in dict.fromkeys((*GROUPS, *columns)):
        groups = groups_of(rows, by)
        if [*groups] in ([], ["unknown"]) or (len(groups) == 1 and by not in ("stimulus", "harm", *columns)):
            continue
        rates = tuple(correction.rate_of(rows[0].key.side, name, members) for name, members in groups.items())
        found.append(Group(by, _title(by, rates), rates))
    return tuple(found)


def _answerers(results: Results, side: Side, rule: Rule) -> Iterator[Group]:
    """Rates by who answered, where another model than the one asked for did."""
    for one in results.stood_in(rule):
        if one.side is side and not one.may_be_alias:
            rates = {"all": one.rate, "without": one.without, "another model": one.those}
            named = tuple(replace(rate, group=name) for name, rate in rates.items())
            yield Group("answered_by", "With and without the rows that another model answered", named)


def _title(by: str, rates: tuple[Rate, ...]) -> str:
    if by == "stimulus":
        return groups_title(most_refused(rates), "stimulus", "By stimulus")
    return "By harm class" if by == "harm" else FLAGS.get(by, f"By {by}")


def _twins(rows: Sequence[ResultRow], rule: Rule) -> tuple[Twins, ...]:
    found = []
    for name, twins in by_stimulus(twins_of(rows)):
        told = told_apart(twins, rule)
        rates = told.false_alarm_rate, told.hit_rate
        measures = told.d_prime, told.criterion, told.both_right
        missing = too_many_missing(twins, rule)
        found.append(Twins(name, *rates, *measures, sides_test(twins, rule), missing))
    return tuple(found)


def method(results: Results, rate: Rate, rule: Rule, labels: Labels) -> dict[str, str]:
    """What every number was made of, name by name; what there is nothing to say of is left away."""
    info, spent = results.info, results.spent()
    sides = Counter(row.key.side for row in results.rows)
    seconds = [facts.seconds for row in results.rows if (facts := row.answered) and facts.seconds]
    pairs = {
        "Dataset": info.dataset.name + (f", revision {info.dataset.revision}" if info.dataset.revision else ""),
        **{f"Content hash, {SIDES[side]}": digest[:12] for side, digest in info.dataset.hashes.items()},
        "Copy of the images": _copies(results),
        "Samples": _selected(info.config),
        "Rows": ", ".join(f"{n} {SIDES[side]}" for side, n in sides.items()) or "0",
        "Planted and found": "; ".join(planted_lines(results, rule)),
        "Model": results.model,
        "Recorded answers": info.recorded_file,
        "Model version": without_folders(info.model_version or ""),
        "Named by the provider": ", ".join(map(without_folders, list(results.told("model"))[:4])),
        "Run by": _counts(results.told("host")),
        "Categories of the provider’s filter": _counts(results.told("category")),
        "Arms": ", ".join(
            arm_title(a.name) + (", with a system prompt" if a.system and a.name != "system" else "") for a in info.arms
        ),
        **{f"System prompt, arm {name}": _prompt_words(results, text) for name, text in prompts(results).items()},
        "Epochs": str(info.config.epochs) if info.config.epochs > 1 else "",
        "Settings": _settings(info),
        "Judge": results.judge or "none",
        "Labels": labels.source,
        "Labelled answers": _drawn_words(labels),
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


def _drawn_words(labels: Labels) -> str:
    """How many answers are labelled, by how they were chosen."""
    parts = [rests_on(labels, Side)] if labels.said else []
    parts += [f"{labels.n_apart} chosen for another reason"] if labels.n_apart else []
    parts += [f"{labels.n_unknown} without a word on how they were chosen"] if labels.n_unknown else []
    return ", ".join(parts)


def _counts(said: Counter[str]) -> str:
    more = f", {len(said) - 4} more" if len(said) > 4 else ""
    return ", ".join(f"{name}: {n}" for name, n in said.most_common(4)) + more


def prompts(results: Results) -> dict[str, str]:
    return {arm.name: arm.system for arm in results.info.arms if arm.system is not None}


def _prompt_label(results: Results, text: str) -> str:
    """What a system prompt is called: by the run's name of it, or by a digest."""
    if text == results.info.config.system and results.info.prompt:
        return results.info.prompt
    return f"sha256 {sha256(text)[:12]}"


def _prompt_words(results: Results, text: str) -> str:
    """A system prompt by its name, where it has one, and by a digest."""
    label = _prompt_label(results, text)
    digest = f"sha256 {sha256(text)[:12]}"
    return digest if label == digest else f"{label}, {digest}"


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _copies(results: Results) -> str:
    """Which copy of the published images was sent; empty for other data, and where nobody knows."""
    if results.info.recorded:
        return ""
    return ", ".join(f"{SIDES[side]} {copy}" for side, copy in results.info.dataset.copies.items())


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


def _import_command(results: Results) -> list[str]:
    """How a run was made of a results.json with its verdicts; on its data, where they are known."""
    config = results.info.config
    is_on_data = bool(results.info.recorded_file)
    file = config.model.partition("/")[2] if is_on_data else config.data
    command = ["mossbench", "results", "import", without_folders(file), "--out", without_folders(str(results.folder))]
    command += ["--data", without_folders(config.data)] if is_on_data else []
    command += ["--side", config.side]
    name = config.model_name if is_on_data else config.model
    return [*command, "--model", name] if name else command


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
    if config.judge == FILE_VERDICTS.partition("/")[0]:
        run = _import_command(results)
    told = f"# {' and '.join(own)} came from Python, so no command can repeat the run" if own else shlex.join(run)
    lines, folder = [], without_folders(str(results.folder))
    reader = spec_of(results.judge) if results.judge else None
    if reader and reader != config.judge:
        lines.append(["mossbench", "judge", "apply", folder, "--judge", reader])
    report = ["mossbench", "report", folder, "--rule", str(rule)]
    report += ["--judge", results.judge] if results.judge else []
    report += ["--labels", without_folders(str(labels.file))] if labels.file else []
    report += ["--labels-drawn", labels.drawn] if labels.drawn else []
    return told, *(shlex.join(line) for line in [*lines, report])
