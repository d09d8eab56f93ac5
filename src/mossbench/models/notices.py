"""What a notice of a model is about, where something is done with it later: hidden from others, or taken back."""

from enum import StrEnum

from mossbench.protocols import ANSWERS_COME_FROM
from mossbench.samples import Record

SAY_WHO_ANSWERED = "say which model answered (--model-name, in Python model_name)"
"""How a notice about an unknown model ends."""


class NoticeTopic(StrEnum):
    """Its values are written into run.json."""

    ENDPOINT = "endpoint"
    """It names the address where the model is asked, which is not the provider's own."""
    UNKNOWN_MODEL = "unknown model"
    """It asks which model gave recorded answers, and holds only until somebody has said it."""


class NoticeFact(Record):
    """A notice by its text, and what it is about."""

    text: str
    topic: NoticeTopic
    endpoint: str = ""
    """The address that the text names; empty for the other topics."""


def endpoint_notice(endpoint: str) -> NoticeFact:
    """The notice that answers come from an endpoint, or from what is shown to others in its place."""
    return NoticeFact(text=f"{ANSWERS_COME_FROM}{endpoint}", topic=NoticeTopic.ENDPOINT, endpoint=endpoint)
