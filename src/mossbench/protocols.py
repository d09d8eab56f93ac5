"""Subject and Protocol: who was asked, and how. Numbers compare where the protocol is the same.

A subject is a model as it was resolved: the same name at another address is another subject. It is written into
run.json and compared on resume, so that no run goes on with another model.
"""

from __future__ import annotations

from mossbench.models.presets import PRESETS
from mossbench.samples import Record

OWN_ADDRESS = "the provider's own address"


class Subject(Record):
    """The model that was asked: its name, its address, and the options that make another model of it."""

    model: str
    version: str | None = None
    endpoint: str | None = None
    """None: the provider's own address, or no address at all."""
    as_published: bool = False
    google_safety: str | None = None
    trust_remote_code: bool = False


def preset_endpoint(model: str) -> str | None:
    """The address that a preset of this model asks; None when no preset has one of its own."""
    return next((one.base_url for one in PRESETS.values() if one.model == model and one.base_url), None)
