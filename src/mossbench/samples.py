"""Sample: a question, its pictures, and everything known about them. Frozen records, no I/O."""

from __future__ import annotations

from collections.abc import Container, Mapping
from enum import Enum, IntEnum, StrEnum
from typing import Annotated, Any, Literal, NoReturn, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import InitErrorDetails

from mossbench.errors import shortened


class _NoFields(set[str]):
    """The empty set that all records share, so it can never hold anything; a copy of it is an ordinary set."""

    def _fixed(self, *_: Any) -> NoReturn:
        raise TypeError("which fields a record was given is not kept, and cannot be changed")

    add = clear = discard = pop = remove = update = _fixed
    difference_update = intersection_update = symmetric_difference_update = _fixed
    __iand__ = __ior__ = __isub__ = __ixor__ = _fixed

    def copy(self) -> set[str]:
        return set()

    def __copy__(self) -> set[str]:
        return set()

    def __deepcopy__(self, _: Any) -> set[str]:
        return set()

    def __reduce__(self) -> str:
        return "_FIELDS_GIVEN"  # pickle looks the one up by its name


class Record(BaseModel):
    """Base of everything that is written to disk: frozen, and a field it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def model_post_init(self, _: Any) -> None:
        # Pydantic keeps the names of the given fields with each record: half of a run's memory, and never used.
        object.__setattr__(self, "__pydantic_fields_set__", _FIELDS_GIVEN)


_FIELDS_GIVEN = _NoFields()


_Members = TypeVar("_Members", bound=Enum)


def at_hand(enum: type[_Members]) -> type[_Members]:
    """The enum with its members as plain attributes, as in Python 3.12: 3.11 calls a function for each access."""
    for name, member in enum.__members__.items():
        type.__setattr__(enum, name, member)
    return enum


@at_hand
class Side(StrEnum):
    """Which half of a dataset: requests that should be answered, or their harmful twins."""

    BENIGN = "benign"
    CONTRAST = "contrast"

    @property
    def adjective(self) -> str:
        """What readers call its requests: `harmless` or `harmful`."""
        return "harmless" if self is Side.BENIGN else "harmful"


def data_label(name: str, hashes: Mapping[Side, str]) -> str:
    """The name of data wherever they are shown: `sketches benign@e58ce05fe54a contrast@389529d4e74c`.

    Each hash is of the content of one side, so that a run on one side and a run on both give it the same name.
    """
    digests = [f"{side}@{digest[:12]}" for side, digest in sorted(hashes.items()) if digest]
    return " ".join([name, *digests]) if digests else f"{name} (no hash)"


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
        if key in _STIMULI:
            return _STIMULI[key]
        raise ValueError(f"unknown stimulus {value!r}; known: {', '.join(s.value for s in cls)}, or type 1 to 3")


_STIMULUS_TITLES = {
    Stimulus.EXAGGERATED_RISK: "Exaggerated Risk",
    Stimulus.NEGATED_HARM: "Negated Harm",
    Stimulus.COUNTERINTUITIVE: "Counterintuitive Interpretation",
}


def _stimuli() -> dict[str, Stimulus]:
    """The stimuli by every spelling of them, in small letters."""
    by_spelling: dict[str, Stimulus] = {}
    for stimulus in Stimulus:
        spellings = (str(stimulus.number), stimulus.value.replace("_", " "), stimulus.title.lower())
        by_spelling |= dict.fromkeys(spellings, stimulus)
    return by_spelling


_STIMULI = _stimuli()


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
        if key in _HARMS:
            return _HARMS[key]
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


def _harms() -> dict[str, Harm]:
    """The harm classes by every spelling of them, in small letters."""
    by_spelling: dict[str, Harm] = {}
    for harm in Harm:
        spellings = (str(int(harm)), harm.name.lower().replace("_", " "), harm.title.lower())
        by_spelling |= dict.fromkeys(spellings, harm)
    return by_spelling


_HARMS = _harms()


class Region(Record):
    """A box in the picture, in its own pixels: left and top belong to it, right and bottom do not."""

    label: str
    left: int
    top: int
    right: int
    bottom: int


OptionalText = Annotated[str | None, BeforeValidator(lambda value: None if value == "" else value)]
Value = str | bool | int | float
"""What a user's own column may hold; nested values are kept as JSON text."""


class Columns(dict[str, Value]):
    """Column -> value, frozen. A column in which a sample has no value is missing."""

    def _frozen(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("the columns of a sample cannot be changed")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _frozen

    def __hash__(self) -> int:  # type: ignore[override]  # frozen, as the record that it is part of
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Columns, (dict(self),)


_NONE = Columns()  # one for all samples without columns of their own


def own_columns(sample: Sample, taken: Container[str]) -> dict[str, Value]:
    """A sample's own columns for a table that has columns already: `data_model` where `model` is taken."""
    return {f"data_{name}" if name in taken else name: value for name, value in sample.metadata.items()}


def value_text(value: Value) -> str:
    """A value as a cell shows it, the same whether it came from a text file or a typed one."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class EarlierMessage(Record):
    """A message before the request, of the user's or of the assistant's."""

    role: Literal["user", "assistant"]
    text: str = ""
    images: tuple[str, ...] = Field(default=(), exclude_if=lambda images: not images)
    """Relative to the root of the dataset; only messages of the user's have images."""

    @model_validator(mode="before")
    @classmethod
    def _read_content(cls, record: Any) -> Any:
        """`content` is what chat APIs call the text."""
        if isinstance(record, dict) and isinstance(record.get("content"), str) and "text" not in record:
            return {"text" if name == "content" else name: value for name, value in record.items()}
        return record

    @model_validator(mode="after")
    def _has_something(self) -> Self:
        self.text.encode("utf-8")  # a lone surrogate could not be written back
        if not self.text.strip() and not self.images:
            raise ValueError("an earlier message needs a text or images")
        if self.images and self.role == "assistant":
            raise ValueError("an earlier message of the assistant's cannot have images")
        return self


FLAGS = ("human", "child", "syn", "ocr")
"""Fields that say what a sample's image shows; each may be empty."""


def _check_encodable(field: str, value: Any, text: str) -> None:
    """Raises a ValidationError about the field if its text could not be written back: it has a lone surrogate."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        fault = InitErrorDetails(type="value_error", loc=(field,), input=value, ctx={"error": error})
        raise ValidationError.from_exception_data("Sample", [fault]) from error


class Sample(Record):
    """A question and its pictures. `(side, id)` is unique in a dataset; images are relative to its root."""

    id: Annotated[str, Field(min_length=1)]
    side: Side = Side.BENIGN
    question: str
    image: OptionalText = None
    stimulus: Stimulus | None = None
    harm: Harm | None = None

    # What the picture shows; None where it is not stated.
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

    more_images: tuple[str, ...] = ()
    """Images that are sent after the first, in this order."""
    history: Annotated[tuple[EarlierMessage, ...], Field(exclude_if=lambda history: not history)] = ()
    """The messages before the request, the first one first; only then written."""
    metadata: Annotated[dict[str, Value], AfterValidator(lambda own: Columns(own) if own else _NONE)] = _NONE
    """Columns of one's own. An own taxonomy stands here under `stimulus` or `harm`; those fields are then None."""

    def __repr__(self) -> str:
        return f"<Sample {self.side.value} {self.id}: {shortened(self.question, 60)!r}>"

    @model_validator(mode="after")
    def _encodable(self) -> Self:
        """One pass over all fields: a validator of each field took most of the time that reading a sample takes."""
        for field, value in self.__dict__.items():
            if isinstance(value, str):
                if not value.isascii():
                    _check_encodable(field, value, value)
            elif isinstance(value, dict):
                for text in (*value, *value.values()):
                    if isinstance(text, str):
                        _check_encodable(field, value, text)
        return self

    @field_validator("stimulus", "harm", mode="before")
    @classmethod
    def _any_spelling(cls, value: Any, field: ValidationInfo) -> Any:
        enum = Stimulus if field.field_name == "stimulus" else Harm
        return None if value in (None, "") else enum.parse(value)

    @property
    def alt(self) -> str:
        return self.short_description or self.description or f"The image of sample {self.id}."

    @property
    def images(self) -> tuple[str, ...]:
        """All of its images, in the order in which they are sent."""
        return (self.image, *self.more_images) if self.image is not None else ()

    @property
    def history_images(self) -> tuple[str, ...]:
        """The images of its earlier messages, in order."""
        images: list[str] = []
        for message in self.history:
            images += message.images
        return tuple(images)

    @property
    def unit(self) -> tuple[str, ...]:
        """What it shares with samples that are not independent of it.

        That is its scene; else its request with its images, since a log may have the same request many times; else,
        where the request is not known, its id.
        """
        if self.cluster:
            return "scene", self.cluster
        request = " ".join(self.question.split())
        if request:
            earlier: list[str] = []
            for message in self.history:
                earlier += [message.text, *message.images]
            return "request", request, *self.images, *earlier
        return "sample", self.id

    def label(self, field: str) -> str:
        """Its stimulus or harm class, published or one's own, in words; empty where it is not stated."""
        published = getattr(self, field)
        return str(published.title) if published is not None else value_text(self.metadata.get(field, ""))

    @property
    def key(self) -> tuple[Side, str]:
        return self.side, self.id
