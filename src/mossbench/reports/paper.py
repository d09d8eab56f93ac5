"""Runs as a folder for a paper: tables, vector figures with the CSV behind each, a methods section and references.

Its text is in look/templates/paper. What is said of each run is said under what is on record of it, and once where it
is true of all.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import mossbench
from mossbench.errors import UsageError, n_of, needing
from mossbench.look.charts import chart_bytes, themed
from mossbench.look.texts import Raw, render_text, tex
from mossbench.outcomes import Layer, Rule, parse_rule
from mossbench.plumbing.sheets import cell, csv_text
from mossbench.plumbing.storage import whole_folder
from mossbench.protocols import NOT_COMPARED
from mossbench.reports.build import make_report
from mossbench.reports.dots import dots, rate_dot
from mossbench.reports.judge_error import judge_words
from mossbench.reports.record import Group, Report
from mossbench.reports.tables import SIDES
from mossbench.reports.wording import listed, run_names
from mossbench.results.rates import Rate
from mossbench.results.table import Results, check_ready
from mossbench.samples import Side
from mossbench.store.run_info import DatasetInfo

TEXTS = ("main", "methods", "table-rates", "table-stimuli", "table-counts")
_HOW_ASKED = ("system prompt", "temperature", "max tokens", "seed", "settings not taken")
_NONE = "none asked"
_COLUMNS = "run side group value low high n n_left_out refused method".split()
Row = tuple[str, Rate]
"""The name of a run and one of its rates."""


def write_paper(runs: Results | Sequence[Results], out: str | Path, *, rule: Rule | str = Rule.SYSTEM) -> Path:
    """The folder that was written; main.tex in it compiles with any TeX. It appears whole or not at all.

    Args:
        runs: Finished and judged.
        out: A new or empty folder.
        rule: The counting rule of every number.
    """
    with needing("a figure", "charts"):
        import vl_convert  # noqa: F401
    runs, out = [runs] if isinstance(runs, Results) else list(runs), Path(out)
    if not runs:
        raise UsageError("no run to write about: give at least one run folder")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{str(out)!r} already exists and is not an empty folder; name a new one")
    for results in runs:
        check_ready(results)
    files = paper_files(runs, parse_rule(rule))
    with whole_folder(out) as folder:
        for name, content in files.items():
            (folder / name).write_bytes(content)
    return out


def paper_files(runs: Sequence[Results], rule: Rule) -> dict[str, bytes]:
    reports = [make_report(run, rule=rule) for run in runs]
    names = run_names(reports)
    rows = [(name, rate) for name, one in zip(names, reports, strict=True) for rate in (one.rate, one.harmful) if rate]
    by_name = zip(names, reports, strict=True)
    stimuli = [(name, rate) for name, one in by_name for group in _stimuli(one) for rate in group.rates]
    figures = {
        "figure-rates": ("Refused requests with 95 % intervals; diamonds: harmful requests.", rows),
        "figure-stimuli": ("Refused requests by stimulus, with 95 % intervals.", stimuli),
    }
    figures = {name: figure for name, figure in figures.items() if figure[1]}
    values = {
        "version": mossbench.__version__,
        "rule": rule,
        "figures": {name: caption for name, (caption, _) in figures.items()},
        "stimuli": stimuli,
        "rows": rows,
        "sides": {side: SIDES[side] for side in Side if any(rate.side is side for _, rate in rows)},
        "layers": [layer for layer in Layer if any(rate.layers[layer] for _, rate in rows)],
        **_methods(names, runs, reports, rule),
    }
    found = {f"{name}.tex": render_text(f"paper/{name}.tex", tex, **values).encode() for name in TEXTS}
    for name, (_, shown) in figures.items():
        found |= {f"{name}.pdf": _figure(shown), f"{name}.csv": _csv(shown).encode()}
    cited = {_key(run.info.dataset): run.info.dataset for run in runs if _key(run.info.dataset)}
    entry = "\n@misc{{{},\n  key  = {{{}}},\n  note = {{{}}},\n}}\n".format
    data = "".join(entry(key, tex(info.name), tex(info.citation)) for key, info in cited.items())
    return found | {"references.bib": f"{references()}{data}".encode()}


def references(*, methods: bool = True) -> str:
    """The software and the paper that set the task, as BibTeX; with `methods` what the intervals rest on."""
    files = ["citation.bib", *(["methods.bib"] if methods else [])]
    texts = [Path(__file__).with_name(name).read_text("utf-8") for name in files]
    return "".join(texts).replace("VERSION", mossbench.__version__)


def _figure(rows: Sequence[Row]) -> bytes:
    several = len({name for name, _ in rows}) > 1
    lines = []
    for name, rate in rows:
        what = rate.group if rate.group != "all" else f"{SIDES[rate.side]} requests"
        lines.append(rate_dot(f"{name}, {what}" if several else what, rate, harmful=rate.side is Side.CONTRAST))
    return chart_bytes(themed(dots(lines, "", ""), limit=420), "pdf")


def _csv(rows: Sequence[Row]) -> str:
    lines = [_COLUMNS]
    for name, rate in rows:
        known = {"run": cell(name), **vars(rate), **vars(rate.estimate), "group": cell(rate.group)}
        lines.append([known[x] if known[x] == known[x] else "" for x in _COLUMNS])  # NaN is an empty cell
    return csv_text(lines)


def _methods(names: Sequence[str], runs: Sequence[Results], reports: Sequence[Report], rule: Rule) -> dict[str, Any]:
    how = {name: _protocol(run, rule) for name, run in zip(names, runs, strict=True)}
    topics = dict.fromkeys(topic for words in how.values() for topic in words)
    values = {topic: {name: words.get(topic, _NONE) for name, words in how.items()} for topic in topics}
    differ = {topic: said for topic, said in values.items() if len(set(said.values())) > 1}
    known = {topic: {*said.values()} - {_NONE} for topic, said in differ.items() if topic in NOT_COMPARED | {"dataset"}}
    by_name = list(zip(names, runs, reports, strict=True))
    return {
        "n_runs": len(runs),
        "asked": [name for name, run, _ in by_name if not run.info.recorded],
        "recorded": [name for name, run, _ in by_name if run.info.recorded],
        "versions": sorted({run.info.mossbench for run in runs}),
        "listed": listed,
        "shared": {topic: said[names[0]] for topic, said in values.items() if topic not in differ},
        "differ": differ,
        "not_compared": [topic for topic, said in known.items() if len(said) > 1],
        "counts": [Raw(tex(f"{name}: {_counts(report)}")) for name, _, report in by_name],
        "judges": _told({name: [_judge(report)] for name, _, report in by_name}),
        "intervals": _told({name: [_interval(report)] for name, _, report in by_name}),
        "weakened": _told({n: [Raw(tex(f"{c.claim} {c.text}")) for c in one.cautions] for n, _, one in by_name}),
    }


def _protocol(results: Results, rule: Rule) -> dict[str, str]:
    info = results.info
    words = {"dataset": info.dataset.label} | results.protocol(rule).words()
    if info.dataset.revision:
        words["dataset"] += f", revision {info.dataset.revision}"
    if key := _key(info.dataset):
        words["dataset"] = Raw(rf"{tex(words['dataset'])}~\cite{{{key}}}")
    if words["settings not taken"] == "none":
        del words["settings not taken"]
    del words["rule"]  # it is said with what it counts
    return {topic: "not on record" if info.recorded and topic in _HOW_ASKED else said for topic, said in words.items()}


def _told(sentences: Mapping[str, Iterable[Raw]]) -> list[Raw]:
    """Each sentence once, with the runs it is true of where it is not true of all."""
    of: dict[Raw, list[str]] = {}
    for name, several in sentences.items():
        for said in several:
            of.setdefault(said, []).append(name)
    return [said if len(on) == len(sentences) else Raw(f"{tex(listed(on))}: {said}") for said, on in of.items()]


def _counts(report: Report) -> str:
    found = []
    for rate in filter(None, (report.rate, report.harmful)):
        parts = [f"{n} {layer}" for layer, n in rate.layers.items() if n]
        left_out = f"{rate.estimate.n_left_out} left out of the rate" if rate.estimate.n_left_out else "all counted"
        found.append(f"{n_of(sum(rate.layers.values()), f'{SIDES[rate.side]} row')} ({', '.join(parts)}; {left_out})")
    return f"{' and '.join(found)}."


def _judge(report: Report) -> Raw:
    basis = report.rate.corrected.basis if report.rate.corrected else ""
    cited = {"": "", "labels": r"~\cite{angelopoulos2023}"}.get(basis, r"~\cite{rogan1978}")
    return Raw(tex(judge_words(report)).removesuffix(".") + f"{cited}.")


def _interval(report: Report) -> Raw:
    of: dict[str, dict[str, None]] = {}  # method -> what it is of, in order
    for rate in (report.rate, report.harmful, *(one for group in _stimuli(report) for one in group.rates)):
        if rate:
            what = SIDES[rate.side] if rate.group == "all" else "by stimulus"
            of.setdefault(rate.estimate.method.replace("wilson", "Wilson"), {})[what] = None
    said = "; ".join(method if len(of) == 1 else f"{method} ({', '.join(what)})" for method, what in of.items())
    cited = r"~\cite{wilson1927}" if "Wilson" in said else ""
    return Raw(tex(f"Intervals of rates as read are at 95\u202f%: {said}") + f"{cited}.")


def _stimuli(report: Report) -> list[Group]:
    return [group for group in report.groups if group.by == "stimulus"]


def _key(info: DatasetInfo) -> str:
    """Of the data's own entry among the references; empty where it has none, or is the paper that set the task."""
    known = not info.citation or "2406.17806" in info.citation
    return "" if known else f"data{hashlib.sha256(info.citation.encode()).hexdigest()[:8]}"
