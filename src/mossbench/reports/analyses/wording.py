"""What is said of each cause: after what was changed, with the rivals that are excluded and those that are not."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple


class Words(NamedTuple):
    """How a cause is spoken of."""

    name: str
    sentence: str
    """With its size in points."""
    excluded: str
    not_told: str


_PAIR = "that there is an image, people, text and darkness, the words and their number, which both sides have alike"
SAYS = {
    "object": Words(
        "The alarming thing in the image",
        "Refusals fall by {size} points when the alarming thing is taken out of the image.",
        _PAIR,
        "what it is about the thing",
    ),
    "negation": Words(
        "Depicted harm, negation seen or not",
        "Refusals fall by {size} points when the harm that the image opposes is replaced by something harmless.",
        _PAIR,
        "the harm, the sign over it and the words beside it; whether the negation is seen",
    ),
    "overlooked": Words(
        "Overlooked negation",
        "The negation is overlooked: where its own description of the image leaves it out, it refuses {{missed}} "
        "points more often, and telling it what the image shows lowers refusals by {{told}} points more than filler "
        "does.",
        "seeing the negation and refusing all the same, a longer request",
        "a model that leaves the negation out of descriptions and of its decision for different reasons",
    ),
    "words": Words(
        "The words",
        "Refusals fall by {size} points when the request is put in harmless words, with an image without anything "
        "alarming.",
        "the image, the number of words, a question against a statement",
        "single words and tone",
    ),
    "together": Words(
        "Words and image together",
        "Refusals fall by {size} points when the thing that the words could be about is taken out of the image, and "
        "they fall as well when the words are harmless: the two together add more than each alone.",
        "the words alone, the thing alone, that there is an image",
        "how the two are read together",
    ),
    "image": Words(
        "An image added, white or of a harmless scene",
        "Refusals rise by {size} points when a white image is added to the request, and they also rise with one that "
        "shows something.",
        "that only a white image or only a scene does that, a missing image",
        "why an image matters; kinds of images that were not shown",
    ),
    "scene": Words(
        "Something in harmless scenes",
        "Refusals rise by {size} points when a harmless scene takes the place of a white image.",
        "the alarming thing, that there is an image",
        "people, text, darkness, size, style and all else that scenes have",
    ),
    "people": Words(
        "People in the image",
        "Refusals rise by {size} points when a harmless image of another scene shows people.",
        "the alarming thing, that there is an image, an image that does not fit the request",
        "what else these images with people have in common",
    ),
    "length": Words(
        "Filler after the request",
        "Refusals rise by {size} points when filler is added after the request, in its own and in harmless words.",
        "the words, the image",
        "length and what the filler says",
    ),
    "left-out": Words(
        "The image left out",
        "Refusals fall by {size} points when the image is left out.",
        "the words",
        "that there is an image, and everything that it shows",
    ),
}
_PHRASES = tomllib.loads(Path(__file__).with_name("wording.toml").read_text("utf-8"))
CHANGES: dict[str, tuple[str, str]] = _PHRASES["changes"]
"""What the first comparison of a claim changes, and what refusals do then if there is something in the claim."""
COMPARISONS: dict[str, str] = _PHRASES["comparisons"]
TOLD_BY: dict[str, str] = _PHRASES["told_by"]
