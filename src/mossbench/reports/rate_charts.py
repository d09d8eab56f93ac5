"""The charts of a report for slides and papers: outcomes, and rates with intervals. Drawn by Altair."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mossbench.errors import needing
from mossbench.look.charts import SOFT
from mossbench.look.numbers import percent, stated
from mossbench.reports.dots import Dot, dots, themed
from mossbench.reports.record import Report
from mossbench.reports.wording import REQUESTS, compared, run_names
from mossbench.results.rates import Rate

KINDS: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
"""The colour of each outcome."""
_WIDTH = 560


def report_chart(reports: Sequence[Report]) -> Any:
    """One run: its outcomes and its rates by stimulus. Several: their headline rates on one axis."""
    with needing("a chart", "charts"):
        import altair as alt
    if len(reports) == 1:
        blocks: list[Any] = [*([_layers(reports[0])] if reports[0].n_rows else []), _run_rates(reports[0])]
        spoken = f"{reports[0].headline} {reports[0].lede}"
    else:
        named = list(zip(run_names(reports), reports, strict=True))
        blocks = [_rates([rate_dot(name, r.rate) for name, r in named], compared(reports)["title"])]
        spoken = ". ".join(f"{name}: {stated(r.rate.estimate, r.rate.refused)}" for name, r in named)
    return themed(alt.vconcat(*blocks, spacing=36).resolve_legend(color="independent"), spoken, labels=240)


def _run_rates(report: Report) -> Any:
    stimuli = next((group.rates for group in report.groups if group.by == "stimulus"), ())
    rows = [rate_dot(rate.group, rate) for rate in stimuli]
    rows.append(rate_dot(f"All {REQUESTS[report.side]}", report.rate))
    if report.harmful:
        rows.append(rate_dot(f"All {report.those}", report.harmful, harmful=True))
    return _rates(rows, report.headline)


def rate_dot(name: str, rate: Rate, *, harmful: bool = False) -> Dot:
    """A rate with its counts beside it."""
    text = f"{percent(rate.estimate.value)} · {rate.refused} of {rate.estimate.n}"
    return Dot(name, rate.estimate, text=text, harmful=harmful)


def _rates(drawn: list[Dot], title: str) -> Any:
    return dots(drawn, title.rstrip("."), "refused, with 95 % intervals", width=_WIDTH)


def _layers(report: Report) -> Any:
    import altair as alt

    row = f"All {REQUESTS[report.side]}"  # stands on the axis of the rates below, so that both blocks align
    shares = enumerate(report.shares)
    cells = [{"row": row, "kind": share.label.capitalize(), "n": share.n, "at": i} for i, share in shares]
    counts = ", ".join(f"{share.n} {share.label}" for share in report.shares)
    kinds = [share.label for share in report.shares]
    scale = alt.Scale(domain=[kind.capitalize() for kind in kinds], range=[KINDS[kind] for kind in kinds])
    legend = alt.Legend(orient="bottom", title=None, labelFontSize=13, labelColor=SOFT, symbolType="square", columns=6)
    return (
        alt.Chart(alt.InlineData(cells))
        .mark_bar(height=34, stroke="white", strokeWidth=1)
        .encode(
            x=alt.X("n:Q", axis=None, stack=True, scale=alt.Scale(nice=False)),
            y=alt.Y("row:N", title=None),
            color=alt.Color("kind:N", scale=scale, legend=legend),
            order="at:Q",
        )
        .properties(
            width=_WIDTH,
            height=36,
            title=alt.Title(f"Outcomes of the {report.n_rows} rows", subtitle=counts),
        )
    )
