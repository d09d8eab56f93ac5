"""What was typed after `mossbench run`, and which of it contradicts the rest."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mossbench.cli.option_groups import JudgeChoice
from mossbench.errors import UsageError

if TYPE_CHECKING:
    from mossbench.reports.own_files import SummaryFormat
    from mossbench.runs.engines import EngineOptions
    from mossbench.store.config import RunOptions


@dataclass(frozen=True)
class RunChoices:
    """The options of `mossbench run`. None: not given, so the suite or the library decides."""

    suite: Path | None
    models: tuple[str, ...]
    data: str | None
    run_options: RunOptions
    judge: JudgeChoice
    no_judge: bool
    rule: str
    out: Path | None
    name: str | None
    resume: Path | None
    engine: EngineOptions
    max_failed: float
    prices: Path | None
    max_cost: float | None
    compare_with: str | None
    sweep: dict[str, list[Any]] | None
    dry_run: bool
    latency: float | None
    no_report: bool
    junit: Path | None
    summary: Path | None
    summary_format: SummaryFormat
    quiet: bool
    as_json: bool

    @property
    def data_or_default(self) -> str:
        from mossbench.store.config import DEFAULT_DATA

        return DEFAULT_DATA if self.data is None else self.data

    def judge_or_default(self) -> str | None:
        """Who judges a new run; None: nobody."""
        return None if self.no_judge else self.judge.name_or_default()


def check_suite_choices(choices: RunChoices) -> None:
    """A UsageError for options that a suite does not take."""
    names_a_run = choices.resume is not None or choices.name is not None
    limits_a_run = choices.no_judge or choices.latency is not None
    if names_a_run or limits_a_run:
        raise UsageError(
            "a suite chooses its run folders and judges its runs itself: omit --resume, --name, --no-judge and "
            "--latency"
        )
    if "model_name" in choices.run_options:
        raise UsageError(
            "--model-name names one recorded model; in a suite write model_name = … in the table of that model"
        )


def check_choices(choices: RunChoices) -> None:
    """A UsageError for options that do not go together where no suite is named."""
    _check_common_choices(choices)
    if choices.resume is not None:
        _check_resume_choices(choices)
    elif "model_name" in choices.run_options and len(choices.models) != 1:
        raise UsageError("--model-name names one recorded model: use it with a single --model replay/FILE")
    repeated = [model for model, n in Counter(choices.models).items() if n > 1]
    if repeated:
        raise UsageError(
            f"--model {repeated[0]} is given twice; to ask a model several times use --epochs, or run the command again"
        )


def _check_common_choices(choices: RunChoices) -> None:
    if choices.junit is not None or choices.summary is not None:
        raise UsageError(
            "--junit and --summary only apply to suites and mossbench gate; omit them, or name a suite file"
        )
    if choices.compare_with is not None:
        raise UsageError(
            "--compare-with only applies to suites; omit it, or name a suite file. Compare two runs with: "
            "mossbench compare RUN0 RUN"
        )
    if choices.sweep is not None:
        _check_sweep_choices(choices)
    if choices.judge.full_name() and choices.no_judge:
        raise UsageError("--judge and --no-judge cannot be used together: omit one of them")
    if choices.latency is not None and not choices.dry_run:
        raise UsageError("--latency only applies to --dry-run; omit --latency, or add --dry-run")


def _check_sweep_choices(choices: RunChoices) -> None:
    if not choices.models:
        raise UsageError("--sweep needs a model: add --model, or name a suite file")
    names_a_run = choices.resume is not None or choices.name is not None
    if names_a_run or choices.no_judge or choices.latency is not None:
        raise UsageError(
            "--sweep chooses its run folders and judges its runs: omit --resume, --name, --no-judge and --latency"
        )


def _check_resume_choices(choices: RunChoices) -> None:
    if choices.dry_run:
        raise UsageError("--dry-run only applies to new runs; omit --resume")
    is_for_a_new_run = choices.out is not None or choices.name is not None or len(choices.models) > 1
    if is_for_a_new_run:
        raise UsageError("--resume uses the folder and the model of the run: omit --out, --name and further --model")
