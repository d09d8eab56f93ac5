"""What is on record about a run: `run.json` in its folder."""

from pathlib import PureWindowsPath
from typing import Any, Self

from pydantic import Field, model_validator

from mossbench.datasets.arms import Arm
from mossbench.datasets.recognition import REDUCED_HASHES, Copy, identity
from mossbench.judges import without_endpoint
from mossbench.models.connections import Traffic
from mossbench.models.presets import preset_endpoint
from mossbench.plumbing.readable_names import same_name
from mossbench.protocols import OWN_ADDRESS, RECORDED, Subject, digest
from mossbench.samples import Record, Side, data_label
from mossbench.store.config import OPERATIONAL, RunConfig, shown_model, subject_of
from mossbench.store.prices import Price
from mossbench.store.suite_record import InSuite

ANSWERS_COME_FROM = "answers come from "
"""How a run's notices name an endpoint that is not the provider's own."""
NOT_HERE = "the others are not in this run"
"""How the notice ends of a run that was imported with fewer rows than were planned."""


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
