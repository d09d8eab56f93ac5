"""Which model gave the answers of a transcript, as far as its rows say so."""

from collections.abc import Sequence
from dataclasses import dataclass

from mossbench.errors import some
from mossbench.plumbing.readable_names import model_name_wrong
from mossbench.protocols import RECORDED
from mossbench.transcripts.recorded_answers import TranscriptRow

MOST_SHOWN = 3


@dataclass(frozen=True)
class StatedModel:
    """The name that a transcript gives its model, or why it has none."""

    name: str = ""
    """Empty: the rows name no model, or not one alone."""
    unclear: str = ""
    """Why a name that is stated is not used; empty: none is stated, or it is used."""


def stated_model(rows: Sequence[TranscriptRow]) -> StatedModel:
    """The model that all rows name that name one: a sheet need not repeat it in every row.

    Rows that name different models have no name: what they come to is the rate of none of them.
    """
    names = dict.fromkeys(_stated_name(row) for row in rows)
    names.pop("", None)
    if not names:
        return StatedModel()
    if len(names) > 1:
        shown = some([ascii(name[:40]) for name in names], MOST_SHOWN)
        return StatedModel(unclear=f"the rows of the transcript name {len(names)} different models ({shown})")
    name = next(iter(names))
    fault = model_name_wrong(name)
    if fault:
        return StatedModel(unclear=f"the name that the transcript gives its model {fault}")
    return StatedModel(name)


def _stated_name(row: TranscriptRow) -> str:
    """What a row calls its model; a file of recorded answers is no model."""
    name = row.fields.get("model")
    if not isinstance(name, str) or name.startswith(f"{RECORDED}/"):
        return ""
    return name.strip()
