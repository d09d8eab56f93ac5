"""`mossbench card` and `mossbench plan`: a section for a system card, and how many rows its rates take."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import mossbench
from mossbench.cli.arguments import runs_argument
from mossbench.cli.commands import Command
from mossbench.cli.option_groups import JudgeChoice, judge_options
from mossbench.cli.options import Option, data_option, json_option, prices_option, rule_option, verdicts_of_option
from mossbench.cli.printing import note, say, show_json
from mossbench.cli.types import MODEL, PATH, POSITIVE, SHARE, Names
from mossbench.errors import UsageError

if TYPE_CHECKING:
    from mossbench.reports.system_card import CardFormat

_FORMAT_OF_SUFFIX: dict[str, CardFormat] = {".md": "markdown", ".tex": "latex", ".json": "json"}


@click.command(cls=Command)
@runs_argument()
@click.option(
    "--format",
    cls=Option,
    type=Names("format", "reports.system_card:CardFormat"),
    shown_default="by the suffix of --out, else markdown",
    help="Write the section as {names}.",
)
@click.option("--out", type=PATH, help="Write the section to this file (.md, .tex or .json), not to the terminal.")
@verdicts_of_option
@rule_option
@json_option
def card(
    runs: tuple[Path, ...],
    format: CardFormat | None,
    out: Path | None,
    judge: str | None,
    rule: str,
    as_json: bool,
) -> None:
    """Write a section for a model or system card.

    It has the rates of both sides by thinking, system prompt and stimulus, with intervals and n, the protocol, the
    judge and its error, and what the numbers can be compared with.

    Example: mossbench card runs/thinking runs/plain --out card.md
    """
    from mossbench.plumbing.json_values import to_json
    from mossbench.plumbing.storage import write_atomically
    from mossbench.reports.system_card import card_latex, card_markdown

    chosen = "json" if as_json else format or _FORMAT_OF_SUFFIX.get(out.suffix if out else ".md")
    if chosen is None:
        raise UsageError(f"cannot tell the format of {out}: its name must end in .md, .tex or .json, or add --format")
    section = mossbench.make_card(*(mossbench.load_results(run, judge=judge) for run in runs), rule=rule)
    if chosen == "json" and out is None:
        show_json(section.to_dict())
        return
    texts = {"markdown": card_markdown, "latex": card_latex}
    text = to_json(section.to_dict()) if chosen == "json" else texts[chosen](section)
    if out is None:
        say(text)
        return
    write_atomically(out, text)
    note(f"wrote {out}")


@click.command(cls=Command)
@click.option("--rate", type=SHARE, required=True, help="Plan for this rate, such as 0.003.")
@click.option(
    "--within",
    type=SHARE,
    required=True,
    help="Both ends of the 95 % interval may be this far from it, such as 0.0004.",
)
@click.option("--model", type=MODEL, help="Also show what asking this model would cost.")
@data_option
@judge_options
@prices_option
@click.option(
    "--design-effect",
    cls=Option,
    type=POSITIVE,
    default=1.0,
    help="Plan for rows that come in scenes, so that this many times more are needed.",
)
@json_option
def plan(
    rate: float,
    within: float,
    model: str | None,
    data: str | None,
    judge: JudgeChoice,
    prices: Path | None,
    design_effect: float,
    as_json: bool,
) -> None:
    """Show how many rows a rate takes, and what they cost.

    Nothing is sent. The cost of a row is that of a harmless request of the data.

    Example: mossbench plan --rate 0.003 --within 0.0004 --model openai/gpt-4o
    """
    from mossbench.reports.words.row_plans import plan_lines
    from mossbench.store.config import DEFAULT_DATA

    row_plan = mossbench.plan_rows(
        rate,
        within,
        model=model,
        data=data or DEFAULT_DATA,
        judge=judge.name_or_default(),
        prices=prices,
        design_effect=design_effect,
    )
    if as_json:
        show_json(row_plan.to_dict())
        return
    for line in plan_lines(row_plan):
        say(line)
