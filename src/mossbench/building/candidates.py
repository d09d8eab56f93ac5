"""Candidate: a sample that is being built. Frozen records of what a build folder holds, no I/O.

An id is made of what is asked (stimulus, request, scene): a step that is repeated makes no second candidate. Who edits
a candidate by hand keeps its id.
"""

import hashlib
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StringConstraints, field_validator, model_validator

from mossbench.errors import shortened
from mossbench.samples import Harm, Record, Stimulus

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
PREFIXES = {Stimulus.EXAGGERATED_RISK: "er", Stimulus.NEGATED_HARM: "nh", Stimulus.COUNTERINTUITIVE: "ci"}


class State(StrEnum):
    """Where a candidate stands; derived from the files (`building.candidate_states`), never stored."""

    PROPOSED = "proposed"
    IMAGED = "imaged"
    SCREENED = "screened"
    REVIEWED = "reviewed"
    """Some reviewers have rated it, not yet as many as wanted."""
    DISPUTED = "disputed"
    ACCEPTED = "accepted"
    RELEASED = "released"
    RETIRED = "retired"
    REJECTED = "rejected"


class Twin(Record):
    """The harmful twin: what its image shows, and what is asked."""

    scene: Text
    request: Text


MARKS = ("ring", "cross", "stamp", "caption", "struck")


class Overlay(Record):
    """A mark that negates the harm in an image; it is drawn on the twin's image."""

    kind: Literal["ring", "cross", "stamp", "caption", "struck"]
    """A prohibition sign, two strokes of a pen, words in a slanting frame, words on a strip, or those struck out."""
    text: str = ""
    box: tuple[float, float, float, float] | None = None
    """Left, top, right, bottom in shares of the image, 0 to 1; None: found in the image."""
    font: str | None = None
    """A font file, for letters that the built-in one lacks."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.kind in ("stamp", "caption", "struck") and not self.text.strip():
            raise ValueError(f"a {self.kind} needs a text")
        box = self.box
        if box is not None and not (0 <= box[0] < box[2] <= 1 and 0 <= box[1] < box[3] <= 1):
            raise ValueError(f"the box {box} is none: expected left < right and top < bottom, all from 0 to 1")
        return self


class Origin(Record):
    """Who proposed it, under which prompt or grammar, from which seed."""

    by: Text
    """`grammar`, or the name of a model."""
    version: str = ""
    seed: int = 0
    notes: str = ""
    """Hash of the notes that the model was given, where there were any."""


class Candidate(Record):
    """A request with the scene that its image is to show, its harmful twin, and what is known about them."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$")]
    stimulus: Stimulus
    request: Text
    scene: Text
    """What the image shows, with the overlay where there is one."""
    description: Text
    """The oracle description: what a perfect viewer would say of the image."""
    intent: Text
    """The request with its harmless goal made explicit."""
    explicit_request: str = ""
    """The request with its pronoun resolved, for asking without the image."""
    contrast: Twin
    """Its scene is the same, but for Negated Harm: there it lacks the overlay."""
    counterfactual: Text
    """The scene without what looks alarming."""
    overlay: Overlay | None = None
    harm: Harm
    domain: Text
    cluster: str = ""
    """Candidates made from one scene share it; empty: it shares its scene with no other."""
    origin: Origin

    def __repr__(self) -> str:
        return f"<Candidate {self.id}: {shortened(self.request, 60)!r}>"

    @field_validator("stimulus", mode="before")
    @classmethod
    def _any_spelling(cls, value: str | int) -> Stimulus:
        return Stimulus.parse(value)

    @field_validator("harm", mode="before")
    @classmethod
    def _code_or_name(cls, value: str | int) -> Harm:
        return Harm.parse(value)


def candidate_id(stimulus: Stimulus, request: str, scene: str) -> str:
    """`er-3f9a1c2b`: the same for the same words, whatever their case and spacing."""
    words = "\x00".join((stimulus.value, *(" ".join(text.casefold().split()) for text in (request, scene))))
    return f"{PREFIXES[stimulus]}-{hashlib.sha256(words.encode()).hexdigest()[:8]}"


class Rejected(Record):
    """A reply or a draft that became no candidate, whole, with the reason. Who wants it still adds it by hand."""

    reason: Text
    code: Literal["bad-reply", "near-duplicate", "operational-harm"]
    candidate: Candidate | None = None
    reply: str | None = None
    like: str = ""
    """What it is too near to: an id of this folder, or `set:id`."""
    reply_key: str = ""
    """Which reply of replies.jsonl it came in."""
    at: str = Field(default_factory=lambda: now())


class ScreenFinding(Record):
    """Something wrong with a candidate, and the check that found it."""

    check: str
    """As in `Screened.checks`."""
    message: str
    is_error: bool
    """Whether it keeps the candidate from review; else it is a warning."""


class Screened(Record):
    """What the screen says of one candidate; of several lines the last holds."""

    candidate: str
    digest: str
    """Of the candidate and its images as they were screened: other ones are screened again."""
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    """What was looked at, such as `schema`, `images`, `ocr`, `model openai/x`."""
    models: tuple[str, ...] = Field(default=(), exclude_if=lambda models: not models)
    """The models that looked at the images; only written where one did."""
    findings: tuple[ScreenFinding, ...] = Field(default=(), exclude_if=lambda findings: not findings)
    """The errors and warnings again, each with its check; only written where there are any."""
    at: str = Field(default_factory=lambda: now())

    @model_validator(mode="before")
    @classmethod
    def _read_models_of_older_lines(cls, content: Any) -> Any:
        """Lines of older versions have the models only in the names of their checks."""
        if not isinstance(content, dict) or "models" in content:
            return content
        checks = content.get("checks", ())
        names = [check for check in checks if isinstance(check, str) and check.startswith("model ")]
        return {**content, "models": tuple(name.removeprefix("model ") for name in names)}

    @model_validator(mode="before")
    @classmethod
    def _read_findings_of_older_lines(cls, content: Any) -> Any:
        """Lines of older versions have the check only as the beginning of a message."""
        if not isinstance(content, dict) or "findings" in content:
            return content
        findings = []
        for check in content.get("checks", ()):
            for field in ("errors", "warnings"):
                for message in content.get(field, ()):
                    if isinstance(message, str) and message.startswith(f"{check}: "):
                        findings.append({"check": check, "message": message, "is_error": field == "errors"})
        return {**content, "findings": tuple(findings)}


class Probed(Record):
    """What one model did with a candidate and with its harmful twin."""

    candidate: str
    digest: str
    model: str
    judge: str
    refused: bool | None
    """None where there was no answer or no verdict."""
    twin_refused: bool | None = None
    at: str = Field(default_factory=lambda: now())


class Rating(Record):
    candidate: str
    reviewer: Text
    harmfulness: Annotated[int, Field(ge=1, le=5)]
    naturalness: Annotated[int, Field(ge=1, le=5)]
    note: str = ""
    source: Literal["web", "sheet"]
    digest: str = ""
    """Of the candidate and its images as they were rated; other ones are rated again."""
    withdrawn: bool = False
    at: str = Field(default_factory=lambda: now())


class Gold(Record):
    """An attention check: what a reviewer who reads says of it. Its own words, or a candidate that is beyond doubt."""

    candidate: str
    request: str = ""
    harmfulness: tuple[int, int]
    """The lowest and highest rating that passes."""
    naturalness: tuple[int, int] = (1, 5)


class Decision(Record):
    """What somebody decided about a candidate, over the reviewers or after the release, with the reason."""

    candidate: str
    decision: Literal["accept", "reject", "retire"]
    reason: Text
    by: Text
    digest: str = ""
    """Of the candidate and its images as they were decided on; an edit opens the question again. Empty: not known."""
    at: str = Field(default_factory=lambda: now())


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
