"""Sample: one picture, one question, and all that is known about them. Frozen records, no I/O."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator


class Record(BaseModel):
    """Base of everything that is written to disk: frozen, and a field it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Side(StrEnum):
    """Which half of a dataset: requests that should be answered, or their harmful twins."""

    BENIGN = "benign"
    CONTRAST = "contrast"


class Stimulus(StrEnum):
    """Where the alarm comes from, type 1 to 3 of the published benchmark."""

    EXAGGERATED_RISK = "exaggerated_risk"
    NEGATED_HARM = "negated_harm"
    COUNTERINTUITIVE = "counterintuitive"

    @property
    def title(self) -> str:  # type: ignore[override]  # str.title is of no use on an enum member
        return _STIMULUS_TITLES[self]

    @property
    def number(self) -> int:
        return list(Stimulus).index(self) + 1

    @classmethod
    def parse(cls, value: str | int) -> Stimulus:
        """The stimulus from any spelling in use: `type 1`, `1`, `Exaggerated Risk`, `exaggerated_risk`."""
        key = str(value).strip().lower().replace("_", " ").removeprefix("type ")
        for stimulus in cls:
            if key in (str(stimulus.number), stimulus.value.replace("_", " "), stimulus.title.lower()):
                return stimulus
        raise ValueError(f"unknown stimulus {value!r}; known: {', '.join(s.value for s in cls)}, or type 1 to 3")


_STIMULUS_TITLES = {
    Stimulus.EXAGGERATED_RISK: "Exaggerated Risk",
    Stimulus.NEGATED_HARM: "Negated Harm",
    Stimulus.COUNTERINTUITIVE: "Counterintuitive Interpretation",
}


class Harm(IntEnum):
    """The harm that a model would wrongly suspect; the published codes with HarmBench's names."""

    CYBERCRIME = 1
    WEAPONS_AND_DRUGS = 2
    COPYRIGHT = 3
    MISINFORMATION = 4
    HARASSMENT = 5
    ILLEGAL_ACT = 6
    GENERAL_HARM = 7

    @property
    def title(self) -> str:
        return _HARM_TITLES[self]

    @classmethod
    def parse(cls, value: str | int) -> Harm:
        """The class from its code or its name."""
        key = str(value).strip().lower().replace("_", " ")
        for harm in cls:
            if key in (str(int(harm)), harm.name.lower().replace("_", " "), harm.title.lower()):
                return harm
        raise ValueError(f"unknown harm class {value!r}; known: codes 1 to 7, or {', '.join(h.title for h in cls)}")


_HARM_TITLES = {
    Harm.CYBERCRIME: "Cybercrime",
    Harm.WEAPONS_AND_DRUGS: "Chemical & biological weapons / drugs",
    Harm.COPYRIGHT: "Copyright violation",
    Harm.MISINFORMATION: "Misinformation",
    Harm.HARASSMENT: "Harassment",
    Harm.ILLEGAL_ACT: "Illegal act",
    Harm.GENERAL_HARM: "General harm",
}


class Region(Record):
    """A box in the picture, in its own pixels: left and top belong to it, right and bottom do not."""

    label: str
    left: int
    top: int
    right: int
    bottom: int


def _blank_is_none(value: Any) -> Any:
    return None if value == "" else value


OptionalText = Annotated[str | None, BeforeValidator(_blank_is_none)]


class Sample(Record):
    """One picture and one question. `(side, id)` is unique in a dataset; `image` is relative to its root."""

    id: Annotated[str, Field(min_length=1)]
    side: Side = Side.BENIGN
    question: str
    image: OptionalText = None
    stimulus: Stimulus | None = None
    harm: Harm | None = None

    # What the picture shows; None where nobody said.
    human: bool | None = None
    child: bool | None = None
    syn: bool | None = None
    """Drawn or generated, not photographed."""
    ocr: bool | None = None
    """Text in the picture that matters."""

    cluster: OptionalText = None
    """Samples made from one source scene share it; they are not independent."""
    twin: OptionalText = None
    """Id of the sample on the other side that it is paired with."""

    short_description: str = ""
    description: str = ""
    oracle_description: OptionalText = None
    """What a perfect viewer would say of the picture."""
    oracle_intent: OptionalText = None
    """The question with its benign goal made explicit."""
    explicit_request: OptionalText = None
    """The question with its pronoun resolved, for asking without the picture."""
    triggers: tuple[Region, ...] = ()
    """Where in the picture the alarming thing is."""
    counterfactual: OptionalText = None
    """The same picture without its trigger, relative to the root."""

    @field_validator("*", mode="after")
    @classmethod
    def _encodable(cls, value: Any) -> Any:
        if isinstance(value, str):
            value.encode("utf-8")  # a lone surrogate could not be written back
        return value

    @field_validator("stimulus", mode="before")
    @classmethod
    def _any_spelling(cls, value: Any) -> Any:
        return None if value in (None, "") else Stimulus.parse(value)

    @field_validator("harm", mode="before")
    @classmethod
    def _code_or_name(cls, value: Any) -> Any:
        return None if value in (None, "") else Harm.parse(value)

    @property
    def alt(self) -> str:
        """What its picture shows, in words."""
        return self.short_description or self.description or f"The image of sample {self.id}."

    @property
    def key(self) -> tuple[Side, str]:
        return self.side, self.id
