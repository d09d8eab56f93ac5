"""Runs as a folder for a paper: tables, vector figures with the CSV behind each, a methods section and references.

The text is in look/templates/paper. Each sentence depends on what is on record of a run; one that is true of all runs
is there once.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import mossbench
from mossbench.errors import UsageError, n_of
from mossbench.look.charts import chart_bytes, themed
from mossbench.look.numbers import UNKNOWN, p_in_table
from mossbench.look.numbers import difference as points_between
from mossbench.look.text_templates import Raw, render_text, tex
from mossbench.outcomes import Layer, Rule, parse_rule
from mossbench.plumbing.spreadsheets import cell, csv_text, number_cell
from mossbench.plumbing.storage import replacing_folder
from mossbench.protocols import HOW_ASKED, NOT_COMPARED, Topic
from mossbench.reports.build import make_report
from mossbench.reports.comparison_tables import differences_csv
from mossbench.reports.dots import dots, rate_dot
from mossbench.reports.record import Group, Report
from mossbench.reports.tables import SIDES
from mossbench.reports.words.grammar import listing
from mossbench.reports.words.judges import AS_READ, judge_words
from mossbench.reports.words.paper import counting_rule, who_has_the_protocol
from mossbench.reports.words.runs import run_names
from mossbench.results.comparisons import Comparison, compare
from mossbench.results.rates import Rate
from mossbench.results.table import Results, check_ready
from mossbench.samples import Side
from mossbench.statistics import Estimate
from mossbench.store.run_info import DatasetInfo

TEXTS = ("main", "methods", "table-rates", "table-stimuli", "table-counts", "table-pairs")
"""The .tex files, by the names of their templates."""
_DATASET = "dataset"
_NOT_ASKED = "none asked"
_AS_CITED = {"wilson": "Wilson", "cluster-robust wilson": "cluster-robust Wilson"}
"""Tests that rest on a paper in the references, as a paper writes their names."""
_COLUMNS = ("run", "side", "group", "value", "low", "high", "n", "n_left_out", "refused", "method")
_TASK_PAPER = "2406.17806"
"""The arXiv number of the paper that set the task; it is among the references of every paper."""
RateOfRun = tuple[str, Rate]
"""The name of a run and one of its rates."""


@dataclass(frozen=True)
class Figure:
    """A figure as PDF with its rates as CSV."""

    caption: str
    rates: tuple[RateOfRun, ...]


@dataclass(frozen=True)
class Methods:
    """What methods.tex says of the runs; `counts` and the fields after it are sentences, ready for TeX."""

    who_has_the_protocol: str
    """The beginning of a sentence."""
    counting_rule: str
    asked: tuple[str, ...]
    """Names of the runs that asked a model."""
    recorded: tuple[str, ...]
    """Names of the runs whose answers were recorded before."""
    versions: tuple[str, ...]
    """The versions of mossbench that made the runs."""
    shared: dict[str, str]
    """Topic of the protocol -> its setting in all runs."""
    differ: dict[str, dict[str, str]]
    """Topic of the protocol -> name of a run -> its setting, for topics in which runs differ."""
    not_compared: tuple[str, ...]
    """Topics in which they differ so that their rates cannot be compared."""
    counts: tuple[Raw, ...]
    judges: tuple[Raw, ...]
    intervals: tuple[Raw, ...]
    weakened: tuple[Raw, ...]
    """The cautions of the reports."""
    comparison: str
    """How runs were compared with each other, or why not; empty with one run."""


def write_paper(runs: Results | Sequence[Results], out: str | Path, *, rule: Rule | str = Rule.SYSTEM) -> Path:
    """Writes a folder for a paper and returns its path; main.tex in it compiles with any TeX.

    The folder appears whole or not at all. Without the extra [charts] it has no figures, only the CSV behind each.

    Args:
        runs: Finished and judged.
        out: A new or empty folder.
        rule: The counting rule of every number.
    """
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
    """The files of the folder: name -> content."""
    reports = [make_report(run, rule=rule) for run in runs]
    names = run_names(reports)
    rates_by_side: list[RateOfRun] = []
    rates_by_stimulus: list[RateOfRun] = []
    for name, report in zip(names, reports, strict=True):
        rates_by_side += _rates_by_side(name, report)
        rates_by_stimulus += _rates_by_stimulus(name, report)
    figures = _figures(rates_by_side, rates_by_stimulus)
    are_figures_drawn = can_draw()
    compared = _compared(runs, rule)
    pairs = _run_pairs(compared, runs, names)
    values = {
        "version": mossbench.__version__,
        "rule": rule,
        "drawn_figures": {name: figure.caption for name, figure in figures.items() if are_figures_drawn},
        "pairs": pairs,
        "stimuli": rates_by_stimulus,
        "rows": rates_by_side,
        "sides": {side: SIDES[side] for side in Side if any(rate.side is side for _, rate in rates_by_side)},
        "layers": [layer for layer in Layer if any(rate.layers[layer] for _, rate in rates_by_side)],
        "methods": _methods(names, runs, reports, rule, _comparison_words(compared)),
        "listed": listing,
    }
    files = {}
    for name in TEXTS:
        if name == "table-pairs" and not pairs:
            continue
        files[f"{name}.tex"] = render_text(f"paper/{name}.tex", tex, **values).encode()
    for name, figure in figures.items():
        if are_figures_drawn:
            files[f"{name}.pdf"] = _figure_pdf(figure)
        files[f"{name}.csv"] = _figure_csv(figure).encode()
    if isinstance(compared, Comparison):
        files["pairs.csv"] = differences_csv(compared).encode()
    files["references.bib"] = f"{references()}{_data_references(runs)}".encode()
    return files


def can_draw() -> bool:
    """Whether the extra that draws figures is installed."""
    return find_spec("vl_convert") is not None


@dataclass(frozen=True)
class RunPair:
    """Two runs on one side, as the table of pairs has them."""

    first: str
    second: str
    side: Side
    rates_text: str
    difference_text: str
    n: int
    p_text: str


def _compared(runs: Sequence[Results], rule: Rule) -> Comparison | UsageError | None:
    """Every run compared with each other, or why they cannot be; None with one run."""
    if len(runs) < 2:
        return None
    try:
        return compare(*runs, rule=rule, every_pair=True)
    except UsageError as error:
        return error


def _run_pairs(
    compared: Comparison | UsageError | None, runs: Sequence[Results], names: Sequence[str]
) -> list[RunPair]:
    """The lines of the table of pairs, over all samples of each side; `names` are those of the other tables."""
    if not isinstance(compared, Comparison):
        return []
    name_here = dict(zip(compared.runs, names, strict=True))
    pairs = []
    for row in compared.differences:
        if row.group != "all":
            continue
        has_pairs = row.estimate.n > 0
        p_text = "inconclusive" if row.is_inconclusive else p_in_table(row.p_adjusted)
        pairs.append(
            RunPair(
                first=name_here[row.first],
                second=name_here[row.second],
                side=row.side,
                rates_text="; ".join(f"{100 * rate:.1f}" for rate in row.rates) if has_pairs else UNKNOWN,
                difference_text=points_between(row.estimate) if has_pairs else UNKNOWN,
                n=row.estimate.n,
                p_text=p_text if has_pairs else UNKNOWN,
            )
        )
    return pairs


def _comparison_words(compared: Comparison | UsageError | None) -> str:
    """How the runs were compared, or why not."""
    if compared is None:
        return ""
    if isinstance(compared, UsageError):
        return f"The runs are not compared with each other: {compared.message.text}."
    remarks = "".join(f" {message.text.removesuffix('.')}." for message in compared.messages)
    return (
        "Each two runs are compared on the rows that count in both. Intervals of differences are Tango’s at the design "
        "effect of the differences; p is exact, from swapping the runs in whole scenes (in samples, where no scene is "
        "shared), the larger of the p of these rows and of the p with every missing row counted against a difference. "
        f"It is adjusted by Holm over all pairs of runs, on each side apart.{remarks}"
    )


def _rates_by_side(name: str, report: Report) -> list[RateOfRun]:
    return [(name, rate) for rate in (report.rate, report.harmful) if rate]


def _rates_by_stimulus(name: str, report: Report) -> list[RateOfRun]:
    rates: list[RateOfRun] = []
    for group in _stimuli(report):
        rates += [(name, rate) for rate in group.rates]
    return rates


def _figures(rates_by_side: Sequence[RateOfRun], rates_by_stimulus: Sequence[RateOfRun]) -> dict[str, Figure]:
    """The figures that have something to draw, by the names of their files."""
    has_harmful = any(rate.side is Side.CONTRAST for _, rate in rates_by_side)
    marks = "; diamonds: harmful requests" if has_harmful else ""
    figures = {
        "figure-rates": Figure(f"Refused requests with 95 % intervals{marks}.", tuple(rates_by_side)),
        "figure-stimuli": Figure("Refused requests by stimulus, with 95 % intervals.", tuple(rates_by_stimulus)),
    }
    return {name: figure for name, figure in figures.items() if figure.rates}


def _data_references(runs: Sequence[Results]) -> str:
    """The entries of datasets that have a citation of their own, each once."""
    cited: dict[str, DatasetInfo] = {}
    for run in runs:
        citation_key = _citation_key(run.info.dataset)
        if citation_key:
            cited[citation_key] = run.info.dataset
    entries = []
    for key, info in cited.items():
        entries.append(f"\n@misc{{{key},\n  key  = {{{tex(info.name)}}},\n  note = {{{tex(info.citation)}}},\n}}\n")
    return "".join(entries)


def references(*, methods: bool = True) -> str:
    """The software and the paper that set the task, as BibTeX; with `methods` also what the intervals rest on."""
    files = ["citation.bib", "methods.bib"] if methods else ["citation.bib"]
    texts = [Path(__file__).with_name(name).read_text("utf-8") for name in files]
    return "".join(texts).replace("VERSION", mossbench.__version__)


def _figure_pdf(figure: Figure) -> bytes:
    has_several_runs = len({name for name, _ in figure.rates}) > 1
    rate_dots = []
    for name, rate in figure.rates:
        label = rate.group if rate.group != "all" else f"{SIDES[rate.side]} requests"
        if has_several_runs:
            label = f"{name}, {label}"
        rate_dots.append(rate_dot(label, rate, harmful=rate.side is Side.CONTRAST))
    return chart_bytes(themed(dots(rate_dots, "", ""), limit=420), "pdf")


def _figure_csv(figure: Figure) -> str:
    lines: list[list[str | int | float]] = [[*_COLUMNS]]
    for name, rate in figure.rates:
        estimate = rate.estimate
        numbers = [number_cell(number) for number in (estimate.value, estimate.low, estimate.high)]
        counts = (estimate.n, estimate.n_left_out, rate.refused)
        lines.append([cell(name), rate.side, cell(rate.group), *numbers, *counts, estimate.method])
    return csv_text(lines)


def _methods(
    names: Sequence[str], runs: Sequence[Results], reports: Sequence[Report], rule: Rule, comparison: str
) -> Methods:
    runs_by_name = dict(zip(names, runs, strict=True))
    reports_by_name = dict(zip(names, reports, strict=True))
    protocols = {name: protocol_by_topic(run, rule) for name, run in runs_by_name.items()}
    shared, differ = _shared_and_differing(protocols)
    return Methods(
        who_has_the_protocol=who_has_the_protocol(len(runs)),
        counting_rule=counting_rule(rule),
        asked=tuple(name for name, run in runs_by_name.items() if not run.info.recorded),
        recorded=tuple(name for name, run in runs_by_name.items() if run.info.recorded),
        versions=tuple(sorted({run.info.mossbench for run in runs})),
        shared=shared,
        differ=differ,
        not_compared=tuple(topic for topic, by_run in differ.items() if _forbids_comparing(topic, by_run)),
        counts=tuple(Raw(tex(f"{name}: {_counts_sentence(report)}")) for name, report in reports_by_name.items()),
        judges=_once_each({name: [_judge_sentence(report)] for name, report in reports_by_name.items()}),
        intervals=_once_each({name: [interval_sentence(report)] for name, report in reports_by_name.items()}),
        weakened=_once_each({name: _cautions(report) for name, report in reports_by_name.items()}),
        comparison=comparison,
    )


def _shared_and_differing(
    protocols: Mapping[str, Mapping[str, str]],
) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """The topics that are the same in all runs, and those that differ, with the words of each run.

    `protocols`: name of a run -> topic -> words.
    """
    topics: dict[str, None] = {}  # a set in order
    for words_by_topic in protocols.values():
        topics |= dict.fromkeys(words_by_topic)
    shared = {}
    differ = {}
    for topic in topics:
        by_run = {name: words_by_topic.get(topic, _NOT_ASKED) for name, words_by_topic in protocols.items()}
        if len(set(by_run.values())) == 1:
            shared[topic] = next(iter(by_run.values()))
        else:
            differ[topic] = by_run
    return shared, differ


def _forbids_comparing(topic: str, by_run: Mapping[str, str]) -> bool:
    """Whether runs that differ in this topic cannot be compared; a side that a run was not asked is no difference."""
    distinct_words = set(by_run.values()) - {_NOT_ASKED}
    return topic in (*NOT_COMPARED, _DATASET) and len(distinct_words) > 1


def _cautions(report: Report) -> list[Raw]:
    return [Raw(tex(f"{caution.claim} {caution.text}")) for caution in report.cautions]


def protocol_by_topic(results: Results, rule: Rule) -> dict[str, str]:
    """How a run was asked: topic -> words. How recorded answers were asked is not known."""
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
    citation_key = _citation_key(info)
    return Raw(rf"{tex(words)}~\cite{{{citation_key}}}") if citation_key else words


def _once_each(sentences: Mapping[str, Iterable[Raw]]) -> tuple[Raw, ...]:
    """Each sentence once, with the names of its runs if it is not true of all. `sentences`: run -> its sentences."""
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
        if report.rate.corrected.is_by_plan:
            citation = ""
        elif report.rate.corrected.basis == "labels":
            citation = r"~\cite{angelopoulos2023}"
    return Raw(tex(judge_words(report)).removesuffix(".") + f"{citation}.")


def interval_sentence(report: Report) -> Raw:
    """The methods of the intervals; if there are several, with the rates that each of them was used for."""
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
    return Raw(tex(f"Intervals of rates as read, {AS_READ}, are at 95\u202f%: {'; '.join(parts)}") + f"{citation}.")


def _method_words(estimate: Estimate) -> str:
    """The method, with its test written as the paper that it rests on writes it."""
    return estimate.method.replace(estimate.test, _AS_CITED.get(estimate.test, estimate.test))


def _stimuli(report: Report) -> list[Group]:
    return [group for group in report.groups if group.by == "stimulus"]


def _citation_key(info: DatasetInfo) -> str:
    """The key of the dataset's own entry in the references; empty if its citation is missing or is the task's paper."""
    if not info.citation or _TASK_PAPER in info.citation:
        return ""
    return f"data{hashlib.sha256(info.citation.encode()).hexdigest()[:8]}"
