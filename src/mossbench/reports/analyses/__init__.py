"""The page of analyses: a section, a chart and JSON for each, in the look of the reports.

`section(record)` and `chart(record)` are in a module for each analysis; a chart is None where there is nothing to draw.
"""

import base64
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from mossbench.analyses.analysis import Analysed, Part, Skipped
from mossbench.analyses.claims import HasClaims
from mossbench.errors import MissingExtra, needing
from mossbench.look.charts import Chart, chart_bytes
from mossbench.look.page import render_page
from mossbench.messages import on_command_line
from mossbench.plumbing.json_values import as_json_value, to_json
from mossbench.plumbing.storage import write_atomically
from mossbench.reports.analyses.section import Section
from mossbench.reports.tables import layers_line
from mossbench.reports.words.grammar import capital
from mossbench.reports.words.runs import arm_title


@dataclass(frozen=True)
class DrawnChart:
    address: str
    """The image as a data address, which the page's policy allows; empty: it could not be drawn."""
    says: str
    """What the chart says, or why there is none."""


@dataclass(frozen=True)
class PartView:
    """One part of the page."""

    id: str
    part: Part
    section: Section
    chart: DrawnChart | None


def section_of(part: Part) -> Section:
    if isinstance(part.record, Skipped):
        why = on_command_line(part.record.why)
        return Section(part.name.capitalize(), f"Not done: {why}", why_not_done=why)
    section: Section = import_module(f"mossbench.reports.analyses.{part.name}").section(part.record)
    cautions = section.cautions
    if part.n_missing:
        lost = f"{part.n_missing:,} of {part.n_rows:,} rows have no answer or no verdict and are left out."
        cautions = (lost, *cautions)
    return replace(section, cautions=tuple(cautions))


def chart_of(part: Part) -> Chart | None:
    """The chart of one part; None where there is nothing to draw."""
    if isinstance(part.record, Skipped):
        return None
    drawn: Chart | None = import_module(f"mossbench.reports.analyses.{part.name}").chart(part.record)
    return drawn


def analysis_page(analysed: Analysed) -> str:
    views = []
    for number, part in enumerate(analysed.parts, start=1):
        views.append(PartView(f"part-{number}", part, section_of(part), _drawn(part)))
    return render_page(
        "analysis.html",
        views=views,
        heading=_heading(analysed),
        models=[run.model for run in analysed.runs],
        about=_about(analysed),
        notices=[_full_sentence(on_command_line(notice)) for notice in analysed.notices],
    )


def _heading(analysed: Analysed) -> str:
    """What a page is called that has several findings, or none."""
    n_models = len(analysed.runs)
    models = analysed.runs[0].model if n_models == 1 else f"{n_models} models"
    is_nothing_done = all(isinstance(part.record, Skipped) for part in analysed.parts)
    return f"{'Nothing' if is_nothing_done else 'What'} was found about {models}"


def _full_sentence(text: str) -> str:
    return capital(text) if text.endswith(".") else f"{capital(text)}."


def _about(analysed: Analysed) -> dict[str, str]:
    """What the analysis was made of, name by name; each thing once."""
    arms: dict[str, None] = {}
    for run in analysed.runs:
        arms |= dict.fromkeys(arm_title(arm.name) for arm in run.info.arms)
    return {
        "Models": ", ".join(run.model for run in analysed.runs),
        "Dataset": ", ".join(dict.fromkeys(run.info.dataset.label for run in analysed.runs)),
        "Judge": ", ".join(dict.fromkeys(str(run.judge) for run in analysed.runs)),
        "Arms": ", ".join(arms),
        "Rows": "; ".join(map(layers_line, analysed.runs)),
        "Counting rule": str(analysed.rule),
    }


def analysis_json(analysed: Analysed) -> dict[str, Any]:
    """Everything that was found as plain values, with what the page says of each part and warns of."""
    values = analysed.to_dict()
    for part, part_values in zip(analysed.parts, values["parts"], strict=True):
        section = section_of(part)
        part_values["finding"] = section.finding
        part_values["cautions"] = list(section.cautions)
        if isinstance(part.record, HasClaims):
            part_values["conclusions"] = [as_json_value(claim.conclusion) for claim in part.record.claims]
    return values


def write_analysis(analysed: Analysed, out: str | Path | None = None) -> Path:
    """The page that was written, by default `analysis.html` in the folder; its JSON stands beside it."""
    path = Path(out) if out is not None else analysed.folder / f"{analysed.stem}.html"
    in_a_run = out is None and analysed.folder in [run.folder for run in analysed.runs]
    make_folder = not in_a_run  # a run's folder that was deleted meanwhile is not made again
    write_atomically(path.with_suffix(".json"), to_json(analysis_json(analysed)), make_folder=make_folder)
    # After it: lists of pages read both again when this one changes.
    write_atomically(path, analysis_page(analysed), make_folder=make_folder)
    return path


def _drawn(part: Part) -> DrawnChart | None:
    chart = chart_of(part)
    if chart is None:
        return None
    try:
        with needing("its chart", "charts"):
            import vl_convert  # noqa: F401
    except MissingExtra as error:  # a page without its chart still has its tables
        return DrawnChart("", str(error))
    address = "data:image/svg+xml;base64," + base64.b64encode(chart_bytes(chart, "svg")).decode()
    return DrawnChart(address, chart["description"])
