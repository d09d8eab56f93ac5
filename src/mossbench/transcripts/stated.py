"""Which model gave the answers of a transcript, if its rows name one."""

from collections.abc import Sequence
from dataclasses import dataclass

from mossbench.errors import some
from mossbench.plumbing.readable_names import model_name_wrong
from mossbench.protocols import RECORDED
from mossbench.transcripts.recorded_answers import TranscriptRow

N_NAMES_SHOWN = 3


@dataclass(frozen=True)
class StatedModel:
    """The name that a transcript gives its model, or why it has none."""

    name: str = ""
    """Empty if the rows name no model, or several."""
    unclear: str = ""
    """Why a given name is not used; empty if none is given, or if it is used."""


def stated_model(rows: Sequence[TranscriptRow]) -> StatedModel:
    """The model that the rows name, if they do not contradict each other; it may be missing from some rows.

    Rows of different models have no common name: their rate is not that of any of these models.
    """
    names = dict.fromkeys(_stated_name(row) for row in rows)
    names.pop("", None)
    if not names:
        return StatedModel()
    if len(names) > 1:
        shown = some([ascii(name[:40]) for name in names], N_NAMES_SHOWN)
        return StatedModel(unclear=f"the rows of the transcript name {len(names)} different models ({shown})")
    name = next(iter(names))
    fault = model_name_wrong(name)
    if fault:
        return StatedModel(unclear=f"the model name in the transcript {fault}")
    return StatedModel(name)


def _stated_name(row: TranscriptRow) -> str:
    """The name that a row gives its model; a file of recorded answers is no model."""
    name = row.fields.get("model")
    if not isinstance(name, str) or name.startswith(f"{RECORDED}/"):
        return ""
    return name.strip()
