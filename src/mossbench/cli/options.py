"""Options: how they show their defaults, and those that several commands share.

Defaults live in the library only. They are looked up when a command runs or shows its help, so that
`mossbench --help` need not import the library.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from inspect import signature
from typing import TYPE_CHECKING, Any

import click

from mossbench.cli.callbacks import read_columns, read_ids, read_params, read_text_or_file
from mossbench.cli.types import (
    ARM,
    DATASET,
    FROM_0,
    FROM_1,
    JUDGE,
    NOT_NEGATIVE,
    PATH,
    POSITIVE,
    RULE,
    RUN_PATH,
    SHARE,
    SIDE,
    WHOLE_NUMBER,
    Names,
    from_library,
)

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo


def default_of(location: str, keyword: str = "") -> Callable[[], Any]:
    """Looks up a constant of the library, `default_of("outcomes:MAX_FAILED")`, or the default of a keyword of one of
    its functions or records, `default_of("judges.files:tune_cascade", "target")`.
    """

    def look_up() -> Any:
        value = from_library(location)
        if keyword:
            value = _default_of_keyword(value, keyword)
        return value.value if isinstance(value, Enum) else value

    return look_up


def _default_of_keyword(function_or_record: Any, keyword: str) -> Any:
    fields = getattr(function_or_record, "model_fields", {})  # of a pydantic model, whose signature may not be made yet
    if keyword in fields:
        return fields[keyword].default
    return signature(function_or_record).parameters[keyword].default


def field_of_config(name: str) -> FieldInfo:
    """A field of `RunConfig`, with its `default` and its `description`."""
    from mossbench.store.config import RunConfig

    return RunConfig.model_fields[name]


class Option(click.Option):
    """An option that shows its default after its help.

    `default` may be a function that looks the value up (`default_of`). `shown_default` is for an option that is None
    where it is not given, because the library then decides: what it will be, in words or looked up. In `help`,
    `{names}` stands for the names that the option takes.
    """

    def __init__(
        self,
        param_decls: Sequence[str] | None = None,
        *,
        default: Any = None,
        shown_default: str | Callable[[], Any] = "",
        **attributes: Any,
    ) -> None:
        if default is not None or attributes.get("is_flag"):  # click takes None for a default only where it is passed
            attributes["default"] = default
        super().__init__(param_decls, show_default=False, **attributes)
        self._default_to_show = shown_default or default
        self._help_to_show = self.help or ""

    def default_text(self) -> str:
        """The default as help shows it; empty where there is none to show."""
        default = self._default_to_show
        return _default_as_text(default() if callable(default) else default)

    def help_text(self) -> str:
        """What the option does, as help says it before the default."""
        return self._help_to_show

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        text = self.help_text()
        if isinstance(self.type, Names) and "{names}" in text:
            text = text.replace("{names}", self.type.as_text())
        default = self.default_text()
        self.help = f"{text}  [default: {default}]" if default else text
        return super().get_help_record(ctx)


class ConfigOption(Option):
    """An option that is a field of `RunConfig`, whose default it shows, and whose description where it has no help.

    It is None where it is not given: the library sets the default.
    """

    def default_text(self) -> str:
        return super().default_text() or _default_as_text(field_of_config(str(self.name)).default)

    def help_text(self) -> str:
        return super().help_text() or f"{field_of_config(str(self.name)).description}."


def _default_as_text(value: Any) -> str:
    is_nothing_to_show = value is None or value is False or value in ("", (), {})
    if is_nothing_to_show:
        return ""
    return f"{value:g}" if isinstance(value, float) else str(value)


def was_given(name: str) -> bool:
    """Whether an option of the running command stands on its line, and is not there by default."""
    return click.get_current_context().get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


# What is asked: the data, and the fields of RunConfig.

data_option = click.option("--data", cls=ConfigOption, type=DATASET, help="Use the samples of this dataset: {names}.")
columns_option = click.option("--map", "columns", cls=ConfigOption, metavar="FIELD=COLUMN,…", callback=read_columns)
side_option = click.option("--side", cls=ConfigOption, type=SIDE)
ids_option = click.option("--ids", cls=ConfigOption, multiple=True, callback=read_ids)
offset_option = click.option("--offset", cls=ConfigOption, type=FROM_0)
limit_option = click.option("--limit", cls=ConfigOption, type=FROM_1)
arm_option = click.option("--arm", cls=ConfigOption, type=ARM)
system_option = click.option("--system", cls=ConfigOption, callback=read_text_or_file)
seed_option = click.option("--seed", cls=ConfigOption, type=WHOLE_NUMBER)
temperature_option = click.option("--temperature", cls=ConfigOption, type=NOT_NEGATIVE)
max_tokens_option = click.option("--max-tokens", cls=ConfigOption, type=FROM_1)
effort_option = click.option("--effort", cls=ConfigOption, metavar="LEVEL")
params_option = click.option(
    "--param", "params", cls=ConfigOption, metavar="NAME=VALUE", multiple=True, callback=read_params
)
base_url_option = click.option("--base-url", cls=ConfigOption)
as_published_option = click.option("--as-published", cls=ConfigOption, is_flag=True, default=None)
google_safety_option = click.option("--google-safety", cls=ConfigOption, metavar="LEVEL")
trust_remote_code_option = click.option("--trust-remote-code", cls=ConfigOption, is_flag=True, default=None)
model_name_option = click.option("--model-name", cls=ConfigOption, metavar="NAME")
max_connections_option = click.option("--max-connections", cls=ConfigOption, type=FROM_1)
timeout_option = click.option("--timeout", cls=ConfigOption, type=POSITIVE)
retries_option = click.option("--retries", cls=ConfigOption, type=FROM_0)

# How a run or an analysis is done.

run_folder_option = click.option(
    "--out",
    cls=Option,
    type=PATH,
    shown_default="a new one in runs/",
    help="Write the run into this folder; with several models, into a subfolder for each.",
)
resume_option = click.option("--resume", type=RUN_PATH, metavar="RUN", help="Resume the run in this folder.")
poll_option = click.option(
    "--poll",
    cls=Option,
    type=NOT_NEGATIVE,
    shown_default=default_of("runs.engines:EngineOptions", "poll"),
    help="batch: check every N seconds whether a batch is done; 0 checks once and exits: repeat the command to "
    "collect the rest.",
)
prices_option = click.option(
    "--prices", type=PATH, metavar="FILE.json", help="Use the prices in this file before the built-in ones."
)
max_cost_option = click.option(
    "--max-cost",
    type=POSITIVE,
    help="Stop before a run, judge included, or an analysis costs more than this many US dollars.",
)
dry_run_option = click.option(
    "--dry-run",
    is_flag=True,
    help="Send nothing; show how many requests, tokens, dollars and seconds the run would take.",
)
latency_option = click.option(
    "--latency",
    cls=Option,
    type=POSITIVE,
    shown_default=default_of("store.config:LATENCY"),
    help="Assume this many seconds for each answer in --dry-run.",
)
exit_on_failed_option = click.option(
    "--max-failed",
    cls=Option,
    type=SHARE,
    default=default_of("outcomes:MAX_FAILED"),
    help="Exit with code 1 if more than this share of rows failed, or could not be judged.",
)
quiet_option = click.option("--quiet", is_flag=True, help="Show no progress.")

# Who judges, and how verdicts count. The options of a judge that is asked are in `choices`.

verdicts_of_option = click.option(
    "--judge", cls=Option, type=JUDGE, shown_default="the run's own", help="Count the verdicts of this judge."
)
rule_option = click.option(
    "--rule",
    cls=Option,
    type=RULE,
    default=default_of("outcomes:Rule.SYSTEM"),
    help="Count refusals by this rule: system (what a user sees), model (the model's own words), "
    "strict (partial answers too) or paper (failed calls too).",
)
max_failed_option = click.option(
    "--max-failed",
    cls=Option,
    type=SHARE,
    default=default_of("outcomes:MAX_FAILED"),
    help="Accept up to this share (0 to 1) of a side's rows without an answer or a verdict.",
)

# Where runs are found, and what is written.

runs_folder_option = click.option(
    "--runs", cls=Option, type=PATH, metavar="DIR", default="runs", help="Look for runs in this folder."
)
new_run_option = click.option("--out", type=PATH, required=True, help="Write the new run into this folder.")
out_option = click.option("--out", type=PATH, required=True, help="Write this file.")
overwrite_option = click.option("--overwrite", is_flag=True, help="Replace the file if it exists.")
with_answers_option = click.option(
    "--with-answers", is_flag=True, help="Include requests, answers and reasons, in the file or next to it."
)
group_by_option = click.option(
    "--by",
    cls=Option,
    type=Names("group", "results.rates:GROUPS", or_else="a column of your data"),
    default=default_of("results.table:Results.rates", "by"),
    help="Group the rows by {names}.",
)
junit_option = click.option("--junit", type=PATH, metavar="FILE", help="Write the gates as JUnit XML to this file.")
summary_option = click.option(
    "--summary",
    cls=Option,
    type=PATH,
    metavar="FILE",
    shown_default="$GITHUB_STEP_SUMMARY, where it is set",
    help="Write a summary to this file.",
)
summary_format_option = click.option(
    "--summary-format",
    cls=Option,
    type=Names("format", "reports.own_files:SummaryFormat"),
    default="markdown",
    help="Write the summary as Markdown, as Slack blocks in JSON (nothing is sent) or as plain text.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
