"""What the checks of the screen have in common: their names, and the errors and warnings that they find."""

from enum import StrEnum

from mossbench.building.candidates import ScreenFinding
from mossbench.models import Model

MAX_CHARS_IN_MESSAGE = 80
"""Characters of a text that a message quotes."""
MODEL_CHECK = "model "
"""The beginning of the name of a check by a model."""


class Check(StrEnum):
    """Checks that need no model. The check by a model is called `model` and the model's name."""

    TEXTS = "texts"
    IMAGES = "images"
    TWIN = "twin"
    OCR = "ocr"


def model_check_name(model: Model) -> str:
    return f"{MODEL_CHECK}{model.name}"


def error_finding(check: str, message: str) -> ScreenFinding:
    return ScreenFinding(check=check, message=message, is_error=True)


def warning_finding(check: str, message: str) -> ScreenFinding:
    return ScreenFinding(check=check, message=message, is_error=False)
