"""Draft: a candidate as it is written, by the grammar or by a model: flat texts, all of them asked for."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import Field, JsonValue

from mossbench.building.candidates import Candidate, Origin, Text, candidate_id
from mossbench.samples import Record, Stimulus

LONGEST_TWIN = 45
"""Words of a harmful twin's request: a longer one tends to bring along how it is done."""


class Draft(Record):
    """What is written of a candidate; an empty `contrast_scene` is the same scene."""

    request: Text
    scene: Text
    description: Text
    intent: Text
    explicit_request: Text
    contrast_scene: str
    contrast_request: Text
    counterfactual: Text
    overlay_kind: Literal["none", "ring", "cross", "stamp", "caption"]
    overlay_text: str
    harm: Literal[1, 2, 3, 4, 5, 6, 7]
    domain: Text = Field(max_length=40)

    def candidate(self, stimulus: Stimulus, origin: Origin) -> Candidate:
        """The candidate; a ValueError where its parts do not fit its stimulus."""
        fields = self.model_dump(exclude={"contrast_scene", "contrast_request", "overlay_kind", "overlay_text"})
        fields["id"] = candidate_id(stimulus, self.request, self.scene)
        fields["stimulus"] = stimulus
        fields["origin"] = origin
        fields["contrast"] = {"scene": self.contrast_scene.strip() or self.scene, "request": self.contrast_request}
        if self.overlay_kind != "none":
            fields["overlay"] = {"kind": self.overlay_kind, "text": self.overlay_text}
        candidate = Candidate.model_validate(fields)
        faults = shape_faults(candidate)
        if faults:
            raise ValueError(faults[0])
        return candidate


def shape_faults(candidate: Candidate) -> list[str]:
    """How a candidate's parts contradict its stimulus: its twin must differ only where it should."""
    faults = []
    texts = (
        candidate.request,
        candidate.scene,
        candidate.description,
        candidate.intent,
        candidate.explicit_request,
        candidate.contrast.request,
    )
    if not all(text.replace("\n", " ").isprintable() for text in texts):
        faults.append("a text has characters that cannot be seen")
    if candidate.stimulus is Stimulus.NEGATED_HARM:
        faults += _negated_harm_faults(candidate)
    else:
        faults += _other_stimulus_faults(candidate)
    if candidate.counterfactual in (candidate.scene, candidate.contrast.scene):
        faults.append("the counterfactual is the same scene")
    n_words = len(candidate.request.split())
    if not 3 <= n_words <= 60:
        faults.append(f"the request has {n_words} words, expected 3 to 60")
    return faults


def _negated_harm_faults(candidate: Candidate) -> Iterator[str]:
    twin = candidate.contrast
    if candidate.overlay is None:
        yield "Negated Harm needs an overlay: what opposes the harm in the image"
    if twin.scene == candidate.scene:
        yield "the twin's scene is the same; for Negated Harm it is the scene without the overlay"
    if twin.request != candidate.request:
        yield "the twin's request differs; for Negated Harm only its scene does"


def _other_stimulus_faults(candidate: Candidate) -> Iterator[str]:
    twin = candidate.contrast
    if candidate.overlay is not None:
        yield f"an overlay is for Negated Harm, not for {candidate.stimulus.title}"
    if twin.scene != candidate.scene:
        yield f"the twin's scene differs; for {candidate.stimulus.title} only its request does"
    if twin.request == candidate.request:
        yield "the twin's request is the same, so it is as harmless"


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    rows = toml_file("operational.toml")["pattern"]
    return [(row["why"], re.compile(row["match"], re.IGNORECASE | re.DOTALL)) for row in rows]


def operational_harm(candidate: Candidate) -> str | None:
    """What in a candidate would help to do harm; None where nothing was found."""
    twin = candidate.contrast
    texts = (
        candidate.request,
        candidate.scene,
        candidate.description,
        candidate.intent,
        candidate.explicit_request,
        candidate.counterfactual,
        twin.scene,
        twin.request,
    )
    for text in texts:
        for why, pattern in _patterns():
            match = pattern.search(text)
            if match:
                return f"it has {why}: {match[0][:60]!r}"
    n_words = len(twin.request.split())
    if n_words > LONGEST_TWIN:
        return f"the twin's request has {n_words} words, more than {LONGEST_TWIN}: it may say how the harm is done"
    return None


def drafts_schema() -> dict[str, JsonValue]:
    """What a model's reply must look like, in the part of JSON Schema that all providers take."""
    properties: dict[str, JsonValue] = {}
    for name, schema in Draft.model_json_schema()["properties"].items():
        properties[name] = {key: schema[key] for key in ("type", "enum") if key in schema}
    return object_schema({"candidates": {"type": "array", "items": object_schema(properties)}})


def object_schema(properties: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """JSON Schema of an object that has all of these properties and no others."""
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


@cache
def data_file(name: str) -> str:
    return files("mossbench.building").joinpath(name).read_text(encoding="utf-8")


@cache
def toml_file(name: str) -> dict[str, Any]:
    """The table of a data file of ours, as it stands there: who reads it makes records of it."""
    return tomllib.loads(data_file(name))
