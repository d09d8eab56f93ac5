"""Runs as a folder for a paper: tables, vector figures with the CSV behind each, a methods section and references.

Its text is in look/templates/paper. What is said of each run is said under what is on record of it, and once where it
is true of all.
"""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import mossbench
from mossbench.errors import UsageError, n_of, needing
from mossbench.look.charts import chart_bytes, themed
from mossbench.look.text_templates import Raw, render_text, tex
from mossbench.outcomes import Layer, Rule, parse_rule
from mossbench.plumbing.spreadsheets import cell, csv_text
from mossbench.plumbing.storage import replacing_folder
from mossbench.protocols import HOW_ASKED, NOT_COMPARED, Topic
from mossbench.reports.build import make_report
from mossbench.reports.dots import dots, rate_dot
from mossbench.reports.record import Group, Report
from mossbench.reports.tables import SIDES
from mossbench.reports.words.grammar import listing
from mossbench.reports.words.judges import judge_words
from mossbench.reports.words.paper import counting_rule, who_has_the_protocol
from mossbench.reports.words.runs import run_names
from mossbench.results.rates import Rate
from mossbench.results.table import Results, check_ready
from mossbench.samples import Side
from mossbench.statistics import Estimate
from mossbench.store.run_info import DatasetInfo

TEXTS = ("main", "methods", "table-rates", "table-stimuli", "table-counts")
_DATASET = "dataset"
_NONE = "none asked"
_AS_CITED = {"wilson": "Wilson", "cluster-robust wilson": "cluster-robust Wilson"}
"""Tests that rest on a paper in the references, as a paper writes their names."""
_COLUMNS = "run side group value low high n n_left_out refused method".split()
Row = tuple[str, Rate]
"""The name of a run and one of its rates."""


@dataclass(frozen=True)
class Figure:
    caption: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Methods:
    """What methods.tex says of the runs, by their names."""

    who_has_the_protocol: str
    """The beginning of a sentence."""
    counting_rule: str
    asked: tuple[str, ...]
    recorded: tuple[str, ...]
    """Runs whose answers were recorded before."""
    versions: tuple[str, ...]
    """Of mossbench."""
    shared: dict[str, str]
    """Topic of the protocol -> what is the same of all runs."""
    differ: dict[str, dict[str, str]]
    """Topic -> run -> what is so of it, where they differ."""
    not_compared: tuple[str, ...]
    """Topics in which they differ so that their rates cannot be compared."""
    counts: tuple[Raw, ...]
    judges: tuple[Raw, ...]
    intervals: tuple[Raw, ...]
    weakened: tuple[Raw, ...]


def write_paper(runs: Results | Sequence[Results], out: str | Path, *, rule: Rule | str = Rule.SYSTEM) -> Path:
    """The folder that was written; main.tex in it compiles with any TeX. It appears whole or not at all.

    Args:
        runs: Finished and judged.
        out: A new or empty folder.
        rule: The counting rule of every number.
    """
    with needing("a figure", "charts"):
        import vl_convert  # noqa: F401
    runs = [runs] if isinstance(runs, Results) else list(runs)
    out = Path(out)
    if not runs:
        raise UsageError("no run to write about: give at least one run folder")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{str(out)!r} already exists and is not an empty folder; name a new one")
    for results in runs:
        check_ready(results)
    files = paper_files(runs, parse_rule(rule))
    with replacing_folder(out) as folder:
        for name, content in files.items():
            (folder / name).write_bytes(content)
    return out


def paper_files(runs: Sequence[Results], rule: Rule) -> dict[str, bytes]:
    """File name -> content."""
    reports = [make_report(run, rule=rule) for run in runs]
    names = run_names(reports)
    rows: list[Row] = []
    stimuli: list[Row] = []
    for name, report in zip(names, reports, strict=True):
        rows += _side_rows(name, report)
        stimuli += _stimulus_rows(name, report)
    figures = _figures(rows, stimuli)
    values = {
        "version": mossbench.__version__,
        "rule": rule,
        "figures": {name: figure.caption for name, figure in figures.items()},
        "stimuli": stimuli,
        "rows": rows,
        "sides": {side: SIDES[side] for side in Side if any(rate.side is side for _, rate in rows)},
        "layers": [layer for layer in Layer if any(rate.layers[layer] for _, rate in rows)],
        "methods": _methods(names, runs, reports, rule),
        "listed": listing,
    }
    files = {}
    for name in TEXTS:
        files[f"{name}.tex"] = render_text(f"paper/{name}.tex", tex, **values).encode()
    for name, figure in figures.items():
        files[f"{name}.pdf"] = _drawn(figure.rows)
        files[f"{name}.csv"] = _csv(figure.rows).encode()
    files["references.bib"] = f"{references()}{_data_references(runs)}".encode()
    return files


def _side_rows(name: str, report: Report) -> list[Row]:
    return [(name, rate) for rate in (report.rate, report.harmful) if rate]


def _stimulus_rows(name: str, report: Report) -> list[Row]:
    rows: list[Row] = []
    for group in _stimuli(report):
        rows += [(name, rate) for rate in group.rates]
    return rows


def _figures(rows: Sequence[Row], stimuli: Sequence[Row]) -> dict[str, Figure]:
    """Those that have something to draw, by the names of their files."""
    figures = {
        "figure-rates": Figure("Refused requests with 95 % intervals; diamonds: harmful requests.", tuple(rows)),
        "figure-stimuli": Figure("Refused requests by stimulus, with 95 % intervals.", tuple(stimuli)),
    }
    return {name: figure for name, figure in figures.items() if figure.rows}


def _data_references(runs: Sequence[Results]) -> str:
    """The entries of the data that have one of their own, each once."""
    cited: dict[str, DatasetInfo] = {}
    for run in runs:
        key = _key(run.info.dataset)
        if key:
            cited[key] = run.info.dataset
    entries = []
    for key, info in cited.items():
        entries.append(f"\n@misc{{{key},\n  key  = {{{tex(info.name)}}},\n  note = {{{tex(info.citation)}}},\n}}\n")
    return "".join(entries)


def references(*, methods: bool = True) -> str:
    """The software and the paper that set the task, as BibTeX; with `methods` what the intervals rest on."""
    files = ["citation.bib", "methods.bib"] if methods else ["citation.bib"]
    texts = [Path(__file__).with_name(name).read_text("utf-8") for name in files]
    return "".join(texts).replace("VERSION", mossbench.__version__)


def _drawn(rows: Sequence[Row]) -> bytes:
    has_several_runs = len({name for name, _ in rows}) > 1
    drawn = []
    for name, rate in rows:
        label = rate.group if rate.group != "all" else f"{SIDES[rate.side]} requests"
        if has_several_runs:
            label = f"{name}, {label}"
        drawn.append(rate_dot(label, rate, harmful=rate.side is Side.CONTRAST))
    return chart_bytes(themed(dots(drawn, "", ""), limit=420), "pdf")


def _csv(rows: Sequence[Row]) -> str:
    lines: list[list[str | int | float]] = [[*_COLUMNS]]
    for name, rate in rows:
        estimate = rate.estimate
        numbers = [_number_cell(value) for value in (estimate.value, estimate.low, estimate.high)]
        counts = (estimate.n, estimate.n_left_out, rate.refused)
        lines.append([cell(name), rate.side, cell(rate.group), *numbers, *counts, estimate.method])
    return csv_text(lines)


def _number_cell(value: float) -> float | str:
    return "" if math.isnan(value) else value


def _methods(names: Sequence[str], runs: Sequence[Results], reports: Sequence[Report], rule: Rule) -> Methods:
    runs_by_name = dict(zip(names, runs, strict=True))
    reports_by_name = dict(zip(names, reports, strict=True))
    shared, differ = _shared_and_differing({name: protocol_by_topic(run, rule) for name, run in runs_by_name.items()})
    return Methods(
        who_has_the_protocol=who_has_the_protocol(len(runs)),
        counting_rule=counting_rule(rule),
        asked=tuple(name for name, run in runs_by_name.items() if not run.info.recorded),
        recorded=tuple(name for name, run in runs_by_name.items() if run.info.recorded),
        versions=tuple(sorted({run.info.mossbench for run in runs})),
        shared=shared,
        differ=differ,
        not_compared=tuple(topic for topic, words in differ.items() if _forbids_comparing(topic, words)),
        counts=tuple(Raw(tex(f"{name}: {_counts_sentence(report)}")) for name, report in reports_by_name.items()),
        judges=_once_each({name: [_judge_sentence(report)] for name, report in reports_by_name.items()}),
        intervals=_once_each({name: [interval_sentence(report)] for name, report in reports_by_name.items()}),
        weakened=_once_each({name: _cautions(report) for name, report in reports_by_name.items()}),
    )


def _shared_and_differing(
    protocols: Mapping[str, Mapping[str, str]],
) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """What is the same of all runs, by topic; and where they differ, what is said of each by its name."""
    topics: dict[str, None] = {}
    for words in protocols.values():
        topics |= dict.fromkeys(words)
    shared = {}
    differ = {}
    for topic in topics:
        by_run = {name: words.get(topic, _NONE) for name, words in protocols.items()}
        if len(set(by_run.values())) == 1:
            shared[topic] = next(iter(by_run.values()))
        else:
            differ[topic] = by_run
    return shared, differ


def _forbids_comparing(topic: str, words: Mapping[str, str]) -> bool:
    """Whether runs that differ in this cannot be compared; a side that a run was not asked is no difference."""
    distinct = set(words.values()) - {_NONE}
    return topic in (*NOT_COMPARED, _DATASET) and len(distinct) > 1


def _cautions(report: Report) -> list[Raw]:
    return [Raw(tex(f"{caution.claim} {caution.text}")) for caution in report.cautions]


def protocol_by_topic(results: Results, rule: Rule) -> dict[str, str]:
    """How a run was asked, by topic, in words; of recorded answers that is not known."""
    info = results.info
    protocol = results.protocol(rule)
    words: dict[str, str] = {_DATASET: _dataset_words(info.dataset)}
    for topic, text in protocol.words().items():
        if topic == Topic.RULE:  # it is said with what it counts
            continue
        if topic == Topic.NOT_TAKEN and not protocol.not_taken:
            continue
        words[topic] = "not on record" if info.recorded and topic in HOW_ASKED else text
    return words


def _dataset_words(info: DatasetInfo) -> str:
    words = info.label
    if info.revision:
        words = f"{words}, revision {info.revision}"
    key = _key(info)
    return Raw(rf"{tex(words)}~\cite{{{key}}}") if key else words


def _once_each(sentences: Mapping[str, Iterable[Raw]]) -> tuple[Raw, ...]:
    """Each sentence once, with the runs it is true of where it is not true of all."""
    runs_of: dict[Raw, list[str]] = {}
    for name, sentences_of_run in sentences.items():
        for sentence in sentences_of_run:
            runs_of.setdefault(sentence, []).append(name)
    texts = []
    for sentence, names in runs_of.items():
        is_of_all = len(names) == len(sentences)
        texts.append(sentence if is_of_all else Raw(f"{tex(listing(names))}: {sentence}"))
    return tuple(texts)


def _counts_sentence(report: Report) -> str:
    sides = []
    for rate in (report.rate, report.harmful):
        if rate is None:
            continue
        n_rows = n_of(sum(rate.layers.values()), f"{SIDES[rate.side]} row")
        layers = ", ".join(f"{n} {layer}" for layer, n in rate.layers.items() if n)
        n_left_out = rate.estimate.n_left_out
        left_out = f"{n_left_out} left out of the rate" if n_left_out else "all counted"
        sides.append(f"{n_rows} ({layers}; {left_out})")
    return f"{' and '.join(sides)}."


def _judge_sentence(report: Report) -> Raw:
    citation = ""
    if report.rate.corrected:
        citation = r"~\cite{rogan1978}"
        if report.rate.corrected.basis == "labels":
            citation = r"~\cite{angelopoulos2023}"
    return Raw(tex(judge_words(report)).removesuffix(".") + f"{citation}.")


def interval_sentence(report: Report) -> Raw:
    """By which methods the intervals were made, and of what where there are several."""
    rates = [report.rate, report.harmful]
    for group in _stimuli(report):
        rates += group.rates
    rates_by_method: dict[str, dict[str, None]] = {}
    is_cited = False
    for rate in rates:
        if rate is None:
            continue
        rate_name = SIDES[rate.side] if rate.group == "all" else "by stimulus"
        rates_by_method.setdefault(_method_words(rate.estimate), {})[rate_name] = None
        is_cited = is_cited or rate.estimate.test in _AS_CITED
    parts = []
    for method, rate_names in rates_by_method.items():
        parts.append(method if len(rates_by_method) == 1 else f"{method} ({', '.join(rate_names)})")
    citation = r"~\cite{wilson1927}" if is_cited else ""
    return Raw(tex(f"Intervals of rates as read are at 95\u202f%: {'; '.join(parts)}") + f"{citation}.")


def _method_words(estimate: Estimate) -> str:
    """The method, with its test written as the paper that it rests on writes it."""
    return estimate.method.replace(estimate.test, _AS_CITED.get(estimate.test, estimate.test))


def _stimuli(report: Report) -> list[Group]:
    return [group for group in report.groups if group.by == "stimulus"]


def _key(info: DatasetInfo) -> str:
    """Of the data's own entry among the references; empty where it has none, or is the paper that set the task."""
    if not info.citation or "2406.17806" in info.citation:
        return ""
    return f"data{hashlib.sha256(info.citation.encode()).hexdigest()[:8]}"
