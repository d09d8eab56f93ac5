"""RunConfig, the settings of a run with their defaults, and the keywords of the functions that take them."""

import re
from functools import cache
from typing import Any, Literal, NamedTuple, TypedDict

from pydantic import Field, field_validator

from mossbench.datasets.arms import ArmName
from mossbench.models import PROVIDERS
from mossbench.models.connections import RETRIES
from mossbench.models.parameters import BUDGET, fault_of_names, name_with_parameters
from mossbench.plumbing.look_alikes import appearance
from mossbench.plumbing.own_code import is_own_code
from mossbench.plumbing.readable_names import RECORDED_MARK, model_name_wrong, without_mark
from mossbench.protocols import Subject, without_folders
from mossbench.samples import Record

RunSide = Literal["benign", "contrast", "both"]
DEFAULT_DATA = "sketches"
TRIAL_RETRIES = 1
"""Of `try_sample`: whoever tries one sample waits for it, and a wrong address should be said in seconds."""
LATENCY = 5.0
"""Seconds that a forecast assumes for an answer: between small hosted models (2) and those that reason first (20)."""


class Part(NamedTuple):
    """One part of a run that is asked in several, as in 2/8; a run that is asked as a whole is part 1 of 1."""

    number: int
    n_parts: int


class RunConfig(Record):
    """What was asked for. The defaults of a run, and what each option does, stand here and nowhere else."""

    model: str
    data: str = DEFAULT_DATA
    columns: dict[str, str] = Field(
        default={}, description="Map fields to columns of your own data, such as question=text,image=photo"
    )
    side: RunSide = Field(default="both", description="Use only this side")
    ids: tuple[str, ...] = Field(default=(), description="Use only the samples with these ids, separated by commas")
    offset: int = Field(default=0, ge=0, description="Skip the first N ids")
    limit: int | None = Field(
        default=None, ge=1, description="Ask at most N ids; a sample and its harmful twin share an id"
    )
    shard: str | None = Field(
        default=None,
        exclude_if=lambda shard: shard is None,
        description="Ask only part I of N of the ids, such as 2/8; join the parts with `mossbench runs merge`",
    )
    epochs: int = Field(default=1, ge=1, le=1000, description="Ask each sample N times")
    # A run may have further arms, which stand in run.json.
    arm: ArmName = Field(default="plain", description="Ask the samples under this arm, such as plain or text-only")
    system: str | None = Field(default=None, description="Send this system prompt; @FILE reads it from a file")
    seed: int = Field(default=42, description="Use this seed for the first epoch, seed + 1 for the second, and so on")
    temperature: float | None = Field(default=0.0, ge=0, allow_inf_nan=False, description="Sample at this temperature")
    max_tokens: int = Field(default=1024, ge=1, description="Maximum tokens per response")
    effort: str | None = Field(
        default=None,
        exclude_if=lambda effort: effort is None,
        description="Ask the model to think this much before it answers, such as none, low or high",
    )
    params: dict[str, Any] = Field(
        default={},
        exclude_if=lambda params: not params,
        description="Send this parameter too, in the provider's own name; the value is JSON, repeat for more",
    )
    base_url: str | None = Field(
        default=None, description="Send requests to this endpoint, such as http://127.0.0.1:8000/v1"
    )
    as_published: bool = Field(default=False, description="Use the settings of the published table for this model")
    google_safety: str | None = Field(
        default=None, description="Set the threshold of Google's filters, such as BLOCK_ONLY_HIGH"
    )
    trust_remote_code: bool = Field(default=False, description="local/…: run Python code that comes with a checkpoint")
    model_name: str | None = Field(
        default=None,
        exclude_if=lambda name: name is None,
        description="Name the model that gave recorded answers (replay/FILE), such as 'GPT-4o (web)'",
    )

    # How the work is done, which moves no answer: may differ on resume (OPERATIONAL).
    judge: str | None = None
    """The judge to show results of; verdicts of any judge can be added later."""
    max_connections: int = Field(default=16, ge=1, description="Send at most N requests at once")
    start_connections: int = Field(default=4, ge=1, description="Start with N requests at once")
    timeout: float = Field(default=120.0, gt=0, allow_inf_nan=False, description="Stop a request after N seconds")
    retries: int = Field(default=RETRIES, ge=0, description="Retry failed requests up to N times")
    # It replaces the connections.
    batch_size: int | None = Field(default=None, ge=1, description="local/…: answer N requests together")

    @property
    def part(self) -> Part:
        """The shard as numbers."""
        if self.shard is None:
            return Part(1, 1)
        return _read_part(self.shard)

    @field_validator("params")
    @classmethod
    def _check_params(cls, params: dict[str, Any]) -> dict[str, Any]:
        fault = fault_of_names(params)
        if fault:
            raise ValueError(fault)
        return params

    @field_validator("model_name")
    @classmethod
    def _check_model_name(cls, name: str | None) -> str | None:
        if name is None:
            return None
        fault = model_name_wrong(name)
        if fault:
            raise ValueError(fault)
        return without_mark(name)

    @field_validator("shard")
    @classmethod
    def _check_shard(cls, shard: str | None) -> str | None:
        if shard is None:
            return None
        if not re.fullmatch(r"[1-9][0-9]*/[1-9][0-9]*", shard):
            raise ValueError("expected I/N, as in 2/8")
        number, n_parts = _read_part(shard)
        if number > n_parts:
            raise ValueError(f"there are {n_parts} parts, so the last one is {n_parts}/{n_parts}")
        return shard


def _read_part(shard: str) -> Part:
    number, _, n_parts = shard.partition("/")
    return Part(int(number), int(n_parts))


class TrialOptions(TypedDict, total=False):
    """The keywords of `try_sample` that are fields of RunConfig, for type checkers and editors."""

    columns: dict[str, str]
    arm: ArmName
    system: str | None
    seed: int
    temperature: float | None
    max_tokens: int
    effort: str | None
    params: dict[str, Any]
    base_url: str | None
    as_published: bool
    google_safety: str | None
    trust_remote_code: bool
    timeout: float
    retries: int


class RunOptions(TrialOptions, total=False):
    """The keywords of `run`, `forecast_run` and `analyse` that are fields of RunConfig."""

    side: RunSide
    ids: tuple[str, ...]
    offset: int
    limit: int | None
    shard: str | None
    epochs: int
    max_connections: int
    start_connections: int
    batch_size: int | None
    model_name: str | None


class ResumeOptions(RunOptions, total=False):
    """The keywords of `resume_run`: a run that lies elsewhere by now may name its model and data again."""

    model: str
    data: str


OPERATIONAL = {"judge", "max_connections", "start_connections", "timeout", "retries", "batch_size"}
"""Fields of RunConfig that say how the work is done and move no answer; the others make a run another one."""


def shown_model(config: RunConfig) -> str:
    """The model's name as people see it: who answered, also in a recorded file; without folders of this machine.

    With its effort and parameters, if some were asked for: another effort is as good as another model.
    """
    return name_with_parameters(asked_model(config), config.effort, config.params)


ROOM_FOR_THINKING = 4096
"""Tokens of an answer below which a model that thinks first may not get to its answer."""


def notices_of_thinking(config: RunConfig) -> tuple[str, ...]:
    """A notice where a model is asked to think, and its thoughts may use up the tokens of its answer."""
    is_asked_to_think = config.effort not in (None, "none") or BUDGET in config.params
    if not is_asked_to_think or config.max_tokens >= ROOM_FOR_THINKING or provider_of(config.model) == "control":
        return ()
    return (
        f"thinking counts towards --max-tokens ({config.max_tokens:,}): answers that it leaves no room for fail; "
        f"--max-tokens {4 * ROOM_FOR_THINKING} leaves more",
    )


def asked_model(config: RunConfig) -> str:
    """Who answered, without how it was asked."""
    if config.model_name is None:
        return without_folders(config.model)
    if _passes_for_asked(config.model_name):
        return f"{config.model_name} {RECORDED_MARK}"
    return config.model_name


@cache
def _passes_for_asked(name: str) -> bool:
    """Whether a name reads, or looks, like one that a run asks a model by: `openai/gpt-4o`, `model.py:answer`."""
    if is_own_code(name):
        return True
    name_appearance = appearance(name)
    return any(name_appearance.startswith(appearance(f"{provider}/")) for provider in PROVIDERS)


def provider_of(model: str) -> str | None:
    """The provider that a model's name begins with; None: the user's own code, whose folders are nobody's business."""
    provider = model.partition("/")[0]
    if provider not in PROVIDERS or is_own_code(model):
        return None
    return provider


def subject_of(config: RunConfig, version: str | None) -> Subject:
    """Who is asked, by a config whose model has been resolved."""
    return Subject(
        model=config.model if config.model_name is None else asked_model(config),
        version=version,
        endpoint=config.base_url.rstrip("/") if config.base_url else None,
        provider=provider_of(config.model),
        as_published=config.as_published,
        google_safety=config.google_safety,
        trust_remote_code=config.trust_remote_code,
    )
