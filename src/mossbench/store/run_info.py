"""RunInfo: the fields of a run's `run.json`, and which of them differ when it is resumed (`differences`).

`run_folder` reads and writes the file.
"""

from pathlib import PureWindowsPath
from typing import Any, NamedTuple, Self

from pydantic import Field, model_validator

from mossbench.datasets.arms import Arm
from mossbench.datasets.copying import Copying
from mossbench.datasets.published_facts import identity
from mossbench.datasets.recognition import REDUCED_HASHES, Copy
from mossbench.judges import without_endpoint
from mossbench.models.connections import Traffic
from mossbench.models.notices import NoticeFact, NoticeTopic
from mossbench.models.presets import preset_endpoint
from mossbench.plumbing.json_values import value_words
from mossbench.plumbing.readable_names import same_name
from mossbench.protocols import OWN_ADDRESS, RECORDED, Subject, digest
from mossbench.samples import Record, Side, data_label
from mossbench.store.config import OPERATIONAL, RunConfig, shown_model, subject_of
from mossbench.store.older_notices import with_facts_of_notices
from mossbench.store.prices import Price
from mossbench.store.suite_record import InSuite


class DatasetInfo(Record):
    """Which samples were asked: name, content hash by side, where they came from and on what terms."""

    name: str
    hashes: dict[Side, str]
    revision: str | None = None
    source: str = ""
    licence: str = ""
    copying: Copying | None = Field(default=None, exclude_if=lambda copying: copying is None)
    """What of the samples may be passed on; only written where the data state it beside the licence."""
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
        identities = {}
        for side, content_hash in self.hashes.items():
            identities[side] = identity(side) if side in self.copies else content_hash
        return identities


class PlantedCount(Record):
    """How many rows of a side a control model was made to refuse."""

    rows: int = 0
    refused: int = 0

    def __add__(self, other: "PlantedCount") -> "PlantedCount":
        return PlantedCount(rows=self.rows + other.rows, refused=self.refused + other.refused)


class Difference(NamedTuple):
    """A setting in which a run differs from another one."""

    saved: object
    wanted: object
    """What the other one has: what a user who resumes this one asks for."""


class RunInfo(Record):
    """What is on record about a run. It is written when the run starts, and again when it ends or is judged."""

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
    is_partial_import: bool = Field(default=False, exclude_if=lambda is_partial: not is_partial)
    """Whether it was imported from a file that has fewer rows than were planned; only then written.

    So answers that are missing are no damage.
    """
    has_several_endpoints: bool = Field(default=False, exclude_if=lambda has_several: not has_several)
    """Whether version 0.1.0 named several endpoints, so that nobody knows which of them to ask; only then written."""
    planted: dict[Side, PlantedCount] = Field(default_factory=dict, exclude_if=lambda planted: not planted)
    """How many of these rows a control model with `on` was made to refuse, by side; only then written."""
    notices: tuple[str, ...] = ()
    notice_facts: tuple[NoticeFact, ...] = Field(default=(), exclude_if=lambda facts: not facts)
    """Those of the notices with which something is done later, and what each is about; only written where there is one.

    Older runs have only the words.
    """
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
    def _read_older_notices(cls, content: Any) -> Any:
        """Gives runs of older versions the fields that they have only in the words of their notices."""
        if not isinstance(content, dict):
            return content
        return with_facts_of_notices(content)

    @property
    def prompt(self) -> str | None:
        """Its system prompt as `production@1a2b3c4d`: the suite's name and a digest of the text; None: no prompt."""
        system = self.config.system
        if system is None:
            return None
        is_named = self.suite is not None and self.suite.prompt != "none"  # a sweep may set one beside the names
        name = self.suite.prompt if self.suite is not None and is_named else "prompt"
        return f"{name}@{digest(system)[:8]}"

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
        if self.recorded:
            return subject.model_copy(update={"provider": RECORDED})
        return subject

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
        if self.subject is not None or self.config.base_url is not None:
            return False
        return self.has_several_endpoints or preset_endpoint(self.config.model) is not None

    @property
    def endpoints_in_notices(self) -> tuple[str, ...]:
        """The addresses that its notices name."""
        return tuple(fact.endpoint for fact in self.notice_facts if fact.topic is NoticeTopic.ENDPOINT)

    def differences(self, other: Self) -> dict[str, str]:
        """What makes `other` another run than this one: a line for each setting that differs, by its name."""
        lines = {}
        for name, difference in self.differing(other).items():
            saved = _value_text(difference.saved)
            wanted = _value_text(difference.wanted)
            lines[name] = f"{name}: the run has {saved}, you asked for {wanted}"
        return lines

    def differing(self, other: Self) -> dict[str, Difference]:
        """The settings that make `other` another run than this one, by name."""
        settings = self._settings()
        other_settings = other._settings()
        if self.endpoint_unknown:  # whoever resumes it has said which
            del settings["base_url"]
        judge, judge_endpoint = without_endpoint(self.config.judge or "")
        other_judge, other_endpoint = without_endpoint(other.config.judge or "")
        if judge == other_judge:  # another judge may read a run too, but not one that goes by the same name
            settings["base_url of the judging model"] = judge_endpoint or OWN_ADDRESS
            other_settings["base_url of the judging model"] = other_endpoint or OWN_ADDRESS
        return {
            name: Difference(value, other_settings[name])
            for name, value in settings.items()
            if _differ(name, value, other_settings[name])
        }

    def _settings(self) -> dict[str, object]:
        """What makes it this run and not another one, by the names that messages use."""
        settings: dict[str, object] = {}
        for name in RunConfig.model_fields:
            if name not in OPERATIONAL and name != "base_url":
                settings[name] = getattr(self.config, name)
        settings["base_url"] = (self.config.base_url or OWN_ADDRESS).rstrip("/")
        settings["model version"] = self.model_version
        for side in Side:
            settings[f"dataset hash ({side})"] = self.dataset.hashes.get(side)
        return settings


def _differ(name: str, first: object, second: object) -> bool:
    """Of parameters, 1 and true are two values, which Python takes for the same."""
    if name == "params":
        return value_words(first) != value_words(second)
    return first != second


def _value_text(value: object) -> str:
    return "none" if value in (None, (), {}) else repr(value)
