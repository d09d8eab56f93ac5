"""What a run was asked for (`RunConfig`) and what is on record about it (`RunInfo`, run.json)."""

import re
from functools import cache
from pathlib import PureWindowsPath
from typing import Any, Literal, Self, TypedDict

from pydantic import Field, field_validator, model_validator

from mossbench.datasets.arms import Arm, ArmName
from mossbench.datasets.recognition import REDUCED_HASHES, Copy, identity
from mossbench.judges import without_endpoint
from mossbench.models import PROVIDERS
from mossbench.models.connections import RETRIES, Traffic
from mossbench.models.presets import preset_endpoint
from mossbench.outcomes import MAX_FAILED, Rule
from mossbench.plumbing.look_alikes import appearance
from mossbench.plumbing.own_code import is_own_code
from mossbench.plumbing.readable_names import RECORDED_MARK, model_name_wrong, same_name, without_mark
from mossbench.protocols import OWN_ADDRESS, RECORDED, Subject, digest, without_folders
from mossbench.samples import Record, Side, data_label
from mossbench.store.prices import Price

RunSide = Literal["benign", "contrast", "both"]
TRIAL_RETRIES = 1
"""Of `try_sample`: whoever tries one sample waits for it, and a wrong address should be said in seconds."""
LATENCY = 5.0
"""Seconds that a forecast assumes for an answer: between small hosted models (2) and those that reason first (20)."""


class RunConfig(Record):
    """What was asked for. The defaults of a run, and what each option does, stand here and nowhere else."""

    model: str
    data: str = "sketches"
    columns: dict[str, str] = Field(
        default={}, description="Say which column of your own data holds what, as in question=text,image=photo"
    )
    side: RunSide = Field(default="both", description="Take the samples of this side")
    ids: tuple[str, ...] = Field(default=(), description="Take only these samples: their ids, separated by commas")
    offset: int = Field(default=0, ge=0, description="Skip the first N ids")
    limit: int | None = Field(default=None, ge=1, description="Stop after N ids; a sample and its twin share one")
    shard: str | None = Field(
        default=None,
        exclude_if=lambda shard: shard is None,
        description="Ask only part I of N of these ids, as in 2/8; `mossbench runs merge` joins the parts",
    )
    epochs: int = Field(default=1, ge=1, le=1000, description="Ask each sample N times")
    # A run may have further arms, which stand in run.json.
    arm: ArmName = Field(default="plain", description="Show the samples this way")
    system: str | None = Field(default=None, description="Send this system prompt; @FILE reads it from a file")
    seed: int = Field(default=42, description="Use this seed for the first epoch; the next one has the next number")
    temperature: float | None = Field(default=0.0, ge=0, allow_inf_nan=False, description="Sample at this temperature")
    max_tokens: int = Field(default=1024, ge=1, description="Maximum tokens per response")
    base_url: str | None = Field(
        default=None, description="Send requests to this endpoint, such as http://127.0.0.1:8000/v1"
    )
    as_published: bool = Field(default=False, description="Use the settings of the published table for this model")
    google_safety: str | None = Field(
        default=None, description="Set the threshold of Google's filters, such as BLOCK_ONLY_HIGH"
    )
    trust_remote_code: bool = Field(default=False, description="local/…: run the Python code that a checkpoint brings")
    model_name: str | None = Field(
        default=None,
        exclude_if=lambda name: name is None,
        description="Name the model that gave recorded answers (replay/FILE), such as 'GPT-4o (web)'",
    )

    # How the work is done, which moves no answer: may differ on resume.
    judge: str | None = None
    """The judge to show results of; verdicts of any judge can be added later."""
    max_connections: int = Field(default=16, ge=1, description="Send at most N requests at once")
    start_connections: int = Field(default=4, ge=1, description="Start with N requests at once")
    timeout: float = Field(default=120.0, gt=0, allow_inf_nan=False, description="Stop a request after N seconds")
    retries: int = Field(default=RETRIES, ge=0, description="Retry failed requests up to N times")
    # It replaces the connections.
    batch_size: int | None = Field(default=None, ge=1, description="local/…: answer N requests together")

    @property
    def part(self) -> tuple[int, int]:
        i, n = map(int, (self.shard or "1/1").split("/"))
        return i, n

    @field_validator("model_name")
    @classmethod
    def _is_a_name(cls, name: str | None) -> str | None:
        fault = model_name_wrong(name) if name is not None else ""
        if fault:
            raise ValueError(fault)
        return name if name is None else without_mark(name)

    @field_validator("shard")
    @classmethod
    def _is_a_part(cls, shard: str | None) -> str | None:
        if shard is None:
            return None
        if not re.fullmatch(r"[1-9][0-9]*/[1-9][0-9]*", shard):
            raise ValueError("expected I/N, as in 2/8")
        i, n = map(int, shard.split("/"))
        if i > n:
            raise ValueError(f"there are {n} parts, so the last one is {n}/{n}")
        return shard


class TrialOptions(TypedDict, total=False):
    """The keywords of `try_sample` that are fields of RunConfig, for type checkers and editors."""

    columns: dict[str, str]
    arm: ArmName
    system: str | None
    seed: int
    temperature: float | None
    max_tokens: int
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


ANSWERS_COME_FROM = "answers come from "
"""How a run's notices name an endpoint that is not the provider's own."""
OPERATIONAL = {"judge", "max_connections", "start_connections", "timeout", "retries", "batch_size"}


def shown_model(config: RunConfig) -> str:
    """The model's name as people see it: who answered, also in a recorded file; without folders of this machine."""
    if config.model_name is None:
        return without_folders(config.model)
    if _passes_for_asked(config.model_name):
        return f"{config.model_name} {RECORDED_MARK}"
    return config.model_name


@cache
def _passes_for_asked(name: str) -> bool:
    """Whether a name reads, or looks, like one that a run asks a model by: `openai/gpt-4o`, `model.py:answer`."""
    looks = appearance(name)
    return is_own_code(name) or any(looks.startswith(appearance(f"{provider}/")) for provider in PROVIDERS)


def _provider(model: str) -> str | None:
    """The provider that a model's name begins with; None: the user's own code, whose folders are nobody's business."""
    provider = model.partition("/")[0]
    return provider if provider in PROVIDERS and not is_own_code(model) else None


def subject_of(config: RunConfig, version: str | None) -> Subject:
    """Who is asked, by a config whose model has been resolved."""
    return Subject(
        model=config.model if config.model_name is None else shown_model(config),
        version=version,
        endpoint=config.base_url.rstrip("/") if config.base_url else None,
        provider=_provider(config.model),
        as_published=config.as_published,
        google_safety=config.google_safety,
        trust_remote_code=config.trust_remote_code,
    )


class DatasetInfo(Record):
    """Which samples were asked: name, content hash by side, where they came from and on what terms."""

    name: str
    hashes: dict[Side, str]
    revision: str | None = None
    source: str = ""
    licence: str = ""
    warning: str = ""
    citation: str = ""
    copies: dict[Side, Copy] = Field(default_factory=dict, exclude_if=lambda copies: not copies)
    """Which copy of the published sets a side is; a side that is not published is not in it."""

    @model_validator(mode="after")
    def _copies_of_older_runs(self) -> Self:
        """Runs that were made before copies were recognised have only the hashes of the reduced copy."""
        for side, reduced in REDUCED_HASHES.items():
            if side not in self.copies and self.hashes.get(side) == reduced:
                self.copies[side] = Copy.REDUCED
        return self

    @property
    def label(self) -> str:
        """Its name and the hash of each side that was loaded."""
        return data_label(self.name, self.hashes)

    @property
    def identities(self) -> dict[Side, str]:
        """What tells its sides from those of other data: the hash of the content, or that it is the published side."""
        return {side: identity(side) if side in self.copies else content for side, content in self.hashes.items()}


class PlantedCount(Record):
    """How many rows of a side a control model was made to refuse."""

    rows: int = 0
    refused: int = 0

    def __add__(self, other: "PlantedCount") -> "PlantedCount":
        return PlantedCount(rows=self.rows + other.rows, refused=self.refused + other.refused)


class GateLimits(Record):
    """A gate of a suite, as it is saved with a run; `results.gates.saved_gates` decides it."""

    name: str
    max_refusal: float | None = Field(default=None, ge=0, le=1)
    min_safety: float | None = Field(default=None, ge=0, le=1)
    max_increase: float | None = Field(default=None, ge=0, le=1)
    baseline: str | None = None
    """In a suite the name of a prompt or a model, or a run folder; with a run the folder beside it, or a path."""
    mode: Literal["strict", "lenient"] = "strict"
    rule: Rule = Rule.SYSTEM
    judge: str | None = None
    max_failed: float = Field(default=MAX_FAILED, ge=0, le=1)
    as_read: bool = False
    """Decide on rates as the judge reads them, whatever its errors may be."""

    @property
    def is_limit(self) -> bool:
        return (self.max_refusal, self.min_safety, self.max_increase) != (None, None, None)


class SavedGate(GateLimits):
    """A gate as a suite wrote it into the record of a run, with the folder of its baseline."""

    across_prompts: bool | None = None
    """Whether the suite names the baseline by its prompt, so that the two prompts differ on purpose; None: written
    before this was recorded."""


class InSuite(Record):
    """Which cell of which suite a run is, by the suite's names, and what is asked of it."""

    suite: str
    model: str
    prompt: str
    data: str
    arm: str
    gates: tuple[SavedGate, ...] = ()

    @property
    def label(self) -> str:
        return " · ".join((self.model, self.prompt, self.data, self.arm))


class RunInfo(Record):
    config: RunConfig
    subject: Subject | None = None
    """Who was asked; None in a run folder of version 0.1.0, whose config may not have the endpoint."""
    arms: tuple[Arm, ...]
    model_version: str | None = None
    dataset: DatasetInfo
    one_format: bool = False
    """Whether every image was written anew in one format, as analyses do: so arms differ only in what they show."""
    n_rows: int
    """Samples by arms and epochs, as far as the arms fit them."""
    not_in_file: tuple[str, ...] = Field(default=(), exclude_if=lambda ids: not ids)
    """Of imported results, the ids of the data that the file has no row for; only then written."""
    planted: dict[Side, PlantedCount] = Field(default_factory=dict, exclude_if=lambda planted: not planted)
    """How many of these rows a control model with `on` was made to refuse, by side; only then written."""
    notices: tuple[str, ...] = ()
    sent: dict[str, Any] = Field(default_factory=dict)
    """The settings that really went over the wire, as the model's adapter tells them; never a key."""
    price: Price | None = None
    """What the model cost when it was asked; None: not known."""
    suite: InSuite | None = None
    judge_prices: dict[str, Price] = Field(default_factory=dict, exclude_if=lambda prices: not prices)
    """What judging models cost, by their names; only written where one was asked and its price is known."""
    max_cost: float | None = Field(default=None, exclude_if=lambda limit: limit is None)
    """The limit at which it was stopped, in US dollars; only then written."""
    engines: tuple[str, ...] = ()
    """What asked its rows, as `runs.engines` calls them; none for runs of version 0.1."""
    traffic: Traffic = Traffic()
    mossbench: str
    python: str
    started: str
    ended: str | None = None
    verdicts: dict[str, int] = Field(default_factory=dict)
    """How many rows a judge had read when it was done, by its label; none for runs of version 0.1."""
    failed: int | None = None
    """How many rows were without an answer when the run ended; None: not known, as for runs of version 0.1."""

    @model_validator(mode="before")
    @classmethod
    def _endpoint_from_notices(cls, content: Any) -> Any:
        """Version 0.1.0 named some endpoints only in its notices."""
        if not isinstance(content, dict) or content.get("subject") or not isinstance(content.get("config"), dict):
            return content
        told = {text.removeprefix(ANSWERS_COME_FROM) for text in content.get("notices") or () if names_endpoint(text)}
        if content["config"].get("base_url") is not None or len(told) != 1:
            return content
        return {**content, "config": {**content["config"], "base_url": told.pop()}}

    @property
    def prompt(self) -> str | None:
        """Its system prompt as `production@1a2b3c4d`: the suite's name and a digest of the text; None: no prompt."""
        if (system := self.config.system) is None:
            return None
        return f"{self.suite.prompt if self.suite else 'prompt'}@{digest(system)[:8]}"

    @property
    def model(self) -> str:
        """The model's name as people see it; `config.model` is what a run asks it by."""
        return shown_model(self.config)

    @property
    def model_key(self) -> str:
        """The name that all runs of a model have in common: of a recorded one, whatever its case, width and spaces."""
        is_file_without_name = self.config.model_name is None and bool(self.recorded_file)
        if self.recorded and not is_file_without_name:
            return same_name(self.model)
        return self.model

    @property
    def public_subject(self) -> Subject:
        """Who answered, as others may see it. What was read from a file was asked at no address that anybody knows."""
        subject = subject_of(self.config, self.model_version).public()
        return subject.model_copy(update={"provider": RECORDED}) if self.recorded else subject

    @property
    def recorded(self) -> bool:
        """Whether the answers were made elsewhere, so that this run's settings say nothing about how."""
        return self.config.model.startswith(f"{RECORDED}/") or not self.dataset.hashes

    @property
    def recorded_file(self) -> str:
        """The name of the file whose answers were replayed; empty where a model was asked."""
        provider, _, file = self.config.model.partition("/")
        return PureWindowsPath(file).name if provider == RECORDED else ""

    @property
    def endpoint_unknown(self) -> bool:
        """Whether nobody can say where the answers came from: version 0.1.0 lost the addresses of presets."""
        several = len([text for text in self.notices if names_endpoint(text)]) > 1
        lost = several or preset_endpoint(self.config.model) is not None
        return self.subject is None and self.config.base_url is None and lost

    def differences(self, other: Self) -> dict[str, str]:
        """What makes `other` another run than this one: a line for each setting that differs."""
        return {
            name: f"{name}: the run has {_value(there)}, you asked for {_value(asked)}"
            for name, (there, asked) in self.differing(other).items()
        }

    def differing(self, other: Self) -> dict[str, tuple[Any, Any]]:
        """The settings that make `other` another run than this one, here and there."""
        asked = [name for name in RunConfig.model_fields if name not in {*OPERATIONAL, "base_url"}]
        pairs = {name: (getattr(self.config, name), getattr(other.config, name)) for name in asked}
        one, two = ((run.config.base_url or OWN_ADDRESS).rstrip("/") for run in (self, other))
        pairs |= {"base_url": (one, two), "model version": (self.model_version, other.model_version)}
        for side in Side:
            pairs[f"dataset hash ({side})"] = self.dataset.hashes.get(side), other.dataset.hashes.get(side)
        if self.endpoint_unknown:  # whoever resumes it has said which
            del pairs["base_url"]
        judges = [without_endpoint(one.config.judge or "") for one in (self, other)]
        if judges[0][0] == judges[1][0]:  # another judge may read a run too, but not one that goes by the same name
            pairs["base_url of the judging model"] = (judges[0][1] or OWN_ADDRESS, judges[1][1] or OWN_ADDRESS)
        return {name: (there, asked) for name, (there, asked) in pairs.items() if there != asked}


def _value(value: Any) -> str:
    return "none" if value in (None, (), {}) else repr(value)


def names_endpoint(notice: Any) -> bool:
    return isinstance(notice, str) and notice.startswith(ANSWERS_COME_FROM)
