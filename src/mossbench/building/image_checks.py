"""Checks of the images of a candidate: whether they can be used, and whether the twin's differs only as it should."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from mossbench.building.candidates import Candidate, ScreenFinding
from mossbench.building.folder import VARIANTS, BuildFolder, BuildSettings
from mossbench.building.imaging import Recipe
from mossbench.building.screen_findings import Check, error_finding, warning_finding
from mossbench.errors import ImageError
from mossbench.images.preparing import decoded
from mossbench.plumbing.untrusted_files import read_file
from mossbench.samples import Stimulus

Pixels = NDArray[np.uint8]
"""An image as height × width × RGB."""
Mask = NDArray[np.bool_]
"""True for some of the pixels of an image, height × width."""
_MIN_PIXEL_DIFFERENCE = 24
"""Of 255, in any colour channel: saving a file with compression changes a pixel by less."""
_MAX_SHARE_OUTSIDE_MARKS = 0.005
"""Share of an image that may differ outside the marks."""
_MIN_SHARE_OF_MARK = 0.005
"""Share of an image that a mark must change to be seen."""


def read_images(
    folder: BuildFolder, settings: BuildSettings, candidate: Candidate
) -> tuple[dict[str, Pixels], list[ScreenFinding]]:
    """The readable images of a candidate by variant, and an error for each faulty image."""
    pixels: dict[str, Pixels] = {}
    findings: list[ScreenFinding] = []
    for variant in VARIANTS:
        path = folder.image_path(candidate.id, variant)
        if not path.exists():
            continue
        try:
            pixels[variant] = np.asarray(decoded(read_file(path)).convert("RGB"))
        except (ImageError, OSError) as error:
            findings.append(error_finding(Check.IMAGES, f"{path.name} cannot be read: {error}"))
            continue
        fault = _image_fault(pixels[variant], settings)
        if fault:
            findings.append(error_finding(Check.IMAGES, f"{path.name} {fault}"))
    return pixels, findings


def _image_fault(pixels: Pixels, settings: BuildSettings) -> str:
    """What is wrong with an image. Empty if nothing is."""
    height, width, _ = pixels.shape
    if min(height, width) < settings.min_image_side:
        return f"has {width}×{height} pixels; its shorter side needs {settings.min_image_side} (build.toml)"
    if int(pixels.max()) - int(pixels.min()) < _MIN_PIXEL_DIFFERENCE:
        return "is blank"
    return ""


def twin_findings(candidate: Candidate, recipe: Recipe | None, pixels: dict[str, Pixels]) -> Iterator[ScreenFinding]:
    """Faults of the counterfactual and of the twin's image, each compared with the candidate's own image."""
    own_pixels = pixels[""]
    if "counterfactual" in pixels:
        changed = _changed_pixels(own_pixels, pixels["counterfactual"])
        if changed is not None and not changed.any():
            yield warning_finding(Check.TWIN, "the counterfactual is the same image")
    if "contrast" in pixels:
        changed = _changed_pixels(own_pixels, pixels["contrast"])
        if candidate.stimulus is Stimulus.NEGATED_HARM:
            yield from _mark_findings(changed, recipe)
        elif changed is None or changed.any():
            yield error_finding(Check.TWIN, f"the twin's image differs; for {candidate.stimulus.title} it is the same")


def _mark_findings(changed: Mask | None, recipe: Recipe | None) -> Iterator[ScreenFinding]:
    """Faults of a twin's image that must differ from the candidate's image by a visible mark alone."""
    if changed is None:
        yield error_finding(Check.TWIN, "the twin's image has another size: it is not the same image without the mark")
    elif changed.mean() < _MIN_SHARE_OF_MARK:
        yield error_finding(Check.TWIN, f"the mark changes {changed.mean():.1%} of the image: nobody will see it")
    elif recipe is None or not recipe.marks:
        yield warning_finding(Check.TWIN, "no mark is recorded: check that the twin lacks only what opposes the harm")
    else:
        stray_share = _outside_marks(changed, recipe).mean()
        if stray_share > _MAX_SHARE_OUTSIDE_MARKS:
            yield error_finding(Check.TWIN, f"{stray_share:.1%} of the twin's image differs outside the mark")


def _outside_marks(changed: Mask, recipe: Recipe) -> Mask:
    """The changed pixels that lie neither in a mark nor within two pixels of one."""
    outside = changed.copy()
    height, width = changed.shape
    for mark in recipe.marks:
        if mark.box is None:
            continue
        left, top, right, bottom = mark.box
        rows = slice(max(0, round(top * height) - 2), round(bottom * height) + 2)
        columns = slice(max(0, round(left * width) - 2), round(right * width) + 2)
        outside[rows, columns] = False
    return outside


def _changed_pixels(first: Pixels, second: Pixels) -> Mask | None:
    """The pixels that differ. None if the images have different sizes."""
    if first.shape != second.shape:
        return None
    return np.asarray(np.abs(first.astype(int) - second.astype(int)).max(axis=2) > _MIN_PIXEL_DIFFERENCE)
