"""Options that belong together, as one record: a command takes `judge: JudgeChoice` and not its four options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from mossbench.cli.options import Option, default_of, poll_option
from mossbench.cli.types import FROM_1, JUDGE, MODEL, NOT_NEGATIVE, SHARE, Names, from_library
from mossbench.errors import UsageError

if TYPE_CHECKING:
    from mossbench.runs.engines import EngineOptions

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def gather(argument: str, record: Callable[..., Any]) -> Callable[[Decorated], Decorated]:
    """Gives a command one `argument` in place of the options that the record, or the function that makes it, takes."""

    def decorate(command: Decorated) -> Decorated:
        @wraps(command)
        def with_record(**values: Any) -> Any:
            options = {name: values.pop(name) for name in signature(record).parameters}
            values[argument] = record(**options)
            return command(**values)

        return cast(Decorated, with_record)

    return decorate


def only_given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given; the library chooses the others."""
    return {name: value for name, value in options.items() if value is not None}


def gather_run_options(command: Decorated) -> Decorated:
    """Gives a command `run_options: RunOptions`: the fields of `RunConfig` that were given, but model, data, judge."""
    return _gather_keywords(command, "run_options", "store.config:RunOptions")


def gather_trial_options(command: Decorated) -> Decorated:
    """Gives a command `trial_options: TrialOptions`: the options of a single sample that were given."""
    return _gather_keywords(command, "trial_options", "store.config:TrialOptions")


def _gather_keywords(command: Decorated, argument: str, typed_dict: str) -> Decorated:
    @wraps(command)
    def with_keywords(**values: Any) -> Any:
        fields = from_library(typed_dict).__optional_keys__
        names = [name for name in values if name in fields]
        keywords = {name: values.pop(name) for name in names}
        return command(**{argument: only_given(keywords)}, **values)

    return cast(Decorated, with_keywords)


@dataclass(frozen=True)
class JudgeSettings:
    """Settings of a judge that asks a model. None if not given: the judge's default holds."""

    judge_model: str | None
    judge_base_url: str | None
    threshold: float | None

    def as_keywords(self) -> dict[str, str | float | None]:
        return {"model": self.judge_model, "base_url": self.judge_base_url, "threshold": self.threshold}

    @property
    def are_given(self) -> bool:
        return any(value is not None for value in self.as_keywords().values())


@dataclass(frozen=True)
class JudgeChoice:
    """The judge that was chosen, with its settings."""

    judge: str | None
    settings: JudgeSettings

    def full_name(self) -> str | None:
        """The judge's name, including its settings; None if no judge was named."""
        from mossbench.judges import judge_spec

        if self.judge is not None:
            return judge_spec(self.judge, **self.settings.as_keywords())
        if self.settings.are_given:
            raise UsageError("--judge-model, --judge-base-url and --threshold need --judge rubric/… or cascade")
        return None

    def check(self) -> None:
        """Raises UsageError if the settings do not fit the judge."""
        self.full_name()

    def name_or_default(self) -> str:
        from mossbench.judges import DEFAULT_JUDGE

        return self.full_name() or DEFAULT_JUDGE


_judge_option = click.option(
    "--judge",
    cls=Option,
    type=JUDGE,
    shown_default=default_of("judges:DEFAULT_JUDGE"),
    help="Judge answers with {names}.",
)
_judge_model_option = click.option(
    "--judge-model", type=MODEL, help="Use this model as the judge in rubric/… and cascade, such as openai/<model>."
)
_judge_base_url_option = click.option("--judge-base-url", help="Send the judging model's requests to this endpoint.")
_threshold_option = click.option(
    "--threshold",
    cls=Option,
    type=SHARE,
    shown_default=default_of("judges:DEFAULT_THRESHOLD"),
    help="cascade: keep verdicts of rules with at least this confidence (0 to 1); ask the model about the rest.",
)


def judge_settings_options(command: Decorated) -> Decorated:
    """--judge-model, --judge-base-url and --threshold, as `judge_settings: JudgeSettings`."""
    gathered = gather("judge_settings", JudgeSettings)(command)
    return _judge_model_option(_judge_base_url_option(_threshold_option(gathered)))


def judge_options(command: Decorated) -> Decorated:
    """--judge and the settings of a judge, as `judge: JudgeChoice`."""

    def judge_choice(judge: str | None, judge_settings: JudgeSettings) -> JudgeChoice:
        return JudgeChoice(judge, judge_settings)

    return _judge_option(judge_settings_options(gather("judge", judge_choice)(command)))


def _engine_options(
    engine: str | None,
    poll: float | None,
    address: str | None,
    workers: int | None,
    num_cpus: float | None,
    num_gpus: float | None,
    storage: str | None,
) -> EngineOptions:
    from mossbench.runs.engines import EngineOptions

    options = {
        "name": engine,
        "poll": poll,
        "address": address,
        "workers": workers,
        "num_cpus": num_cpus,
        "num_gpus": num_gpus,
        "storage": storage,
    }
    return EngineOptions(**only_given(options))


_engine_option = click.option(
    "--engine",
    cls=Option,
    type=Names("engine", "runs.engines:ENGINES"),
    shown_default="local, or batch while the run has rows pending in batches",
    help="Send requests with this engine: {names}; a run may be resumed with another one.",
)
_address_option = click.option(
    "--address",
    cls=Option,
    shown_default="$RAY_ADDRESS, else a new one on this machine",
    help="ray: connect to the cluster at this address.",
)
_workers_option = click.option(
    "--workers",
    cls=Option,
    type=FROM_1,
    shown_default="as many as the cluster has room for",
    help="ray: start N workers.",
)
_num_cpus_option = click.option(
    "--num-cpus",
    cls=Option,
    type=NOT_NEGATIVE,
    shown_default=default_of("runs.engines:EngineOptions", "num_cpus"),
    help="ray: reserve N CPUs for each worker.",
)
_num_gpus_option = click.option(
    "--num-gpus",
    cls=Option,
    type=NOT_NEGATIVE,
    shown_default="1 for local/… where the cluster has GPUs, else 0",
    help="ray: reserve N GPUs, or a part of one, for each worker.",
)
_storage_option = click.option(
    "--storage", metavar="URL", help="ray: also keep the answers in this folder or at this fsspec address."
)


def engine_options(command: Decorated) -> Decorated:
    """--engine and its settings, as `engine: EngineOptions`."""
    options = (
        _engine_option,
        poll_option,
        _address_option,
        _workers_option,
        _num_cpus_option,
        _num_gpus_option,
        _storage_option,
    )
    with_options = gather("engine", _engine_options)(command)
    for option in reversed(options):  # help lists them in this order
        with_options = option(with_options)
    return with_options
