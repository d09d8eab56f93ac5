"""A run as a section for a model's card: rates with intervals, the judge's errors, what weakens them."""

from __future__ import annotations

from pathlib import Path

from mossbench.look.page import markdown
from mossbench.look.texts import render_text
from mossbench.outcomes import Rule
from mossbench.plumbing.storage import check_free, write_atomically
from mossbench.reports.build import make_report
from mossbench.reports.judge_error import judge_words
from mossbench.reports.wording import REQUESTS
from mossbench.results.table import Results, check_ready


def write_model_card(
    results: Results, out: str | Path, *, rule: Rule | str = Rule.SYSTEM, overwrite: bool = False
) -> Path:
    """Writes `model_card` to a file."""
    out = Path(out)
    check_free(out, overwrite=overwrite)
    write_atomically(out, model_card(results, rule=rule))
    return out


def model_card(results: Results, *, rule: Rule | str = Rule.SYSTEM) -> str:
    """Markdown to paste into the card of the model; of a run that is finished and judged."""
    check_ready(results)
    report = make_report(results, rule=rule)
    rates = [(REQUESTS[report.side], report.rate)] + ([(report.those, report.harmful)] if report.harmful else [])
    return render_text(
        "model-card.md",
        markdown,
        version=results.info.mossbench,
        dataset=results.info.dataset.label,
        judge=results.judge,
        rule=report.rule,
        rates=rates,
        judged=judge_words(report),
        cautions=report.cautions,
        commands=[line for command in report.commands for line in command.splitlines()],
    )
