"""Screen: what a machine can say of a candidate before people spend time on it.

Errors keep a candidate from review until it is changed or somebody decides otherwise; warnings are shown to people.
What was screened is screened again when its texts or images have changed, or a check is asked for that it has not had.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from mossbench.building.candidates import Candidate, Screened
from mossbench.building.drafts import data_file, shape_faults
from mossbench.building.folder import VARIANTS, BuildFolder, BuildSettings
from mossbench.building.imaging import Recipe
from mossbench.building.sieve import operational_harm
from mossbench.errors import ImageError, RunError, needing
from mossbench.images import decoded, prepare
from mossbench.judges.rubric import objects_in
from mossbench.models import Model, Prompt, Settings, load_model
from mossbench.models.connections import Connections
from mossbench.models.model import Answerer
from mossbench.plumbing.coroutines import closing, finish
from mossbench.plumbing.reading import read_file
from mossbench.samples import Stimulus

Pixels = np.ndarray[Any, np.dtype[np.uint8]]
_CHANGED = 24
"""Of 255, in any colour: a pixel that differs by less differs by a file's compression."""
_STRAY, _SEEN = 0.005, 0.005  # shares of an image: change outside a mark; what a mark must change to be seen
_SURE = 0.7  # of RapidOCR's scores
_ALIKE = 75.0  # of 100: letters that a reader gets wrong
_AT_ONCE = 8  # questions to a model
_CHECK = Settings(temperature=0.0, max_tokens=400)


def screen(
    folder: str | Path,
    *,
    model: str | Model | Answerer | None = None,
    base_url: str | None = None,
    ocr: bool = False,
    again: bool = False,
    progress: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> list[Screened]:
    """Screens the candidates that have their images; what it says of each is in screen.jsonl when this returns.

    Args:
        folder: The build folder.
        model: Who looks whether an image shows what its text says, as for `run`; None: nobody does.
        base_url: As for `run`.
        ocr: Whether text in the images is read and compared with the recipe; needs the extra [ocr].
        again: Whether those are screened, too, that have not changed.
        progress: Called after each, with how many of how many are done.
    """
    build, the_model = BuildFolder(Path(folder)), None if model is None else load_model(model, base_url=base_url)
    settings, read = build.settings(), text_reader() if ocr else None
    checks = ("texts", "images", "twin", *(["ocr"] if ocr else []), *([f"model {the_model.name}"] if the_model else []))
    found, few = list[Screened](), asyncio.Semaphore(_AT_ONCE)

    async def look(one: Candidate, recipe: Recipe | None, connections: Connections | None, of: int) -> None:
        async with few:
            errors, warnings = _findings(build, settings, one, recipe, read)
            if the_model and connections and not errors:
                errors += await _model_check(build, one, the_model, connections)
            found.append(_screened(one, build.digest(one), before.get(one.id), checks, (errors, warnings)))
            build.append("screen", found[-1:])
            progress("screened", len(found), of)

    async def work() -> None:
        connections = Connections(most=_AT_ONCE, start=_AT_ONCE, probe=the_model.probe) if the_model else None
        recipes = {(one.candidate, one.variant): one for one in build.read("recipes", Recipe)}
        there = [one for one in build.candidates().values() if not build.missing_images(one)]
        todo = [one for one in there if again or _is_new(before.get(one.id), build.digest(one), checks)]
        tasks = (look(one, recipes.get((one.id, "")), connections, len(todo)) for one in todo)
        for fault in await asyncio.gather(*tasks, return_exceptions=True):  # those on their way are paid for
            if fault is not None:
                raise fault

    with build.held():
        before = build.screened()
        finish(closing(work(), the_model) if the_model else work())
    return found


def _is_new(before: Screened | None, digest: str, wanted: Sequence[str]) -> bool:
    return before is None or before.digest != digest or not set(wanted) <= set(before.checks)


def _screened(
    one: Candidate, digest: str, before: Screened | None, checks: Sequence[str], found: tuple[list[str], list[str]]
) -> Screened:
    """The line about a candidate; what a check has found that was not made now still holds for the same content."""
    kept = [check for check in before.checks if check not in checks] if before and before.digest == digest else []
    errors, warnings = (
        (*now, *(fault for fault in then if fault.startswith(tuple(f"{check}: " for check in kept))))
        for now, then in zip(found, (before.errors, before.warnings) if before else ((), ()), strict=True)
    )
    return Screened(candidate=one.id, digest=digest, errors=errors, warnings=warnings, checks=(*checks, *kept))


def _findings(
    folder: BuildFolder,
    settings: BuildSettings,
    one: Candidate,
    recipe: Recipe | None,
    read: Callable[[Pixels], list[str]] | None,
) -> tuple[list[str], list[str]]:
    """Errors and warnings of all that needs no model."""
    errors, warnings = shape_faults(one), list[str]()
    if harm := operational_harm(one):
        errors.append(harm)
    if (ease := reading_ease(one.request)) < settings.min_reading_ease:
        warnings.append(
            f"the request is hard to read: Flesch reading ease {ease:.0f}, below {settings.min_reading_ease:g}"
        )
    pixels = dict[str, Pixels]()
    for variant in VARIANTS:
        path = folder.image_path(one.id, variant)
        if path.exists():
            try:
                pixels[variant] = np.asarray(decoded(read_file(path)).convert("RGB"))
            except (ImageError, OSError) as error:
                errors.append(f"{path.name} cannot be read: {error}")
                continue
            errors += _image_faults(path.name, pixels[variant], settings)
    if not errors:
        for fault, is_error in _twin_faults(one, recipe, pixels):
            (errors if is_error else warnings).append(fault)
    if read is not None and "" in pixels:
        for fault, is_error in _text_faults(one, read(pixels[""])):
            (errors if is_error else warnings).append(f"ocr: {fault}")
    return errors, warnings


def _image_faults(name: str, pixels: Pixels, settings: BuildSettings) -> list[str]:
    height, width, _ = pixels.shape
    if min(height, width) < settings.min_image_side:
        return [f"{name} has {width}×{height} pixels; its shorter side needs {settings.min_image_side} (build.toml)"]
    return [f"{name} is blank"] if int(pixels.max()) - int(pixels.min()) < _CHANGED else []


def _twin_faults(one: Candidate, recipe: Recipe | None, pixels: dict[str, Pixels]) -> list[tuple[str, bool]]:
    """Where the twin's image differs though it should not, or is the same though it should not be."""
    found, own = list[tuple[str, bool]](), pixels[""]
    if (without := pixels.get("counterfactual")) is not None and _same(own, without):
        found.append(("the counterfactual is the same image", False))
    if (twin := pixels.get("contrast")) is None:
        return found
    if one.stimulus is not Stimulus.NEGATED_HARM:
        fault = f"the twin's image differs; for {one.stimulus.title} it is the same"
        return found if _same(own, twin) else [*found, (fault, True)]
    changed = _changed(own, twin)
    if changed is None:
        return [*found, ("the twin's image has another size: it is not the same image without the mark", True)]
    if changed.mean() < _SEEN:
        return [*found, (f"the mark changes {changed.mean():.1%} of the image: nobody will see it", True)]
    if recipe is None or not recipe.marks:
        return [*found, ("no mark is on record: look whether the twin lacks only what opposes the harm", False)]
    outside = changed.copy()
    for mark in recipe.marks:
        if mark.box is not None:
            left, top, right, bottom = (
                round(share * size) for share, size in zip(mark.box, (*changed.shape[::-1],) * 2, strict=True)
            )
            outside[max(0, top - 2) : bottom + 2, max(0, left - 2) : right + 2] = False
    stray = outside.mean()
    return [*found, (f"{stray:.1%} of the twin's image differs outside the mark", True)] if stray > _STRAY else found


def _changed(one: Pixels, other: Pixels) -> np.ndarray[Any, np.dtype[np.bool_]] | None:
    """Which pixels differ; None where the sizes do."""
    if one.shape != other.shape:
        return None
    return np.asarray(np.abs(one.astype(int) - other.astype(int)).max(axis=2) > _CHANGED)


def _same(one: Pixels, other: Pixels) -> bool:
    changed = _changed(one, other)
    return changed is not None and not changed.any()


def text_reader() -> Callable[[Pixels], list[str]]:
    """Reads the lines of text in an image."""
    with needing("reading text in images", "ocr"):
        from rapidocr import RapidOCR
    engine: Any = RapidOCR(params={"Global.log_level": "critical"})

    def read(pixels: Pixels) -> list[str]:
        found = engine(pixels[:, :, ::-1])  # it takes blue first
        return [text for text, score in zip(found.txts or (), found.scores or (), strict=True) if score >= _SURE]

    return read


def _text_faults(one: Candidate, lines: list[str]) -> list[tuple[str, bool]]:
    """What was read compared with what should stand there: the words of the mark, and those that the scene names."""
    from rapidfuzz import fuzz

    read, wanted = " ".join(lines), one.overlay.text if one.overlay else ""
    found = list[tuple[str, bool]]()
    if wanted and fuzz.partial_ratio(wanted.casefold(), read.casefold()) < _ALIKE:
        found.append((f"the mark says {wanted!r}, but what can be read is {read[:80]!r}", True))
    for words in re.findall(r"\b[A-Z][A-Z' ]{3,}[A-Z]\b", one.scene):
        if words not in wanted and fuzz.partial_ratio(words.casefold(), read.casefold()) < _ALIKE:
            found.append((f"the scene names the words {words!r}, but what can be read is {read[:80]!r}", False))
    told = f"{one.scene} {wanted}".casefold()
    others = [line for line in lines if len(line) > 3 and fuzz.partial_ratio(line.casefold(), told) < _ALIKE]
    if others:
        found.append((f"the image has text that neither scene nor mark names: {', '.join(others)[:80]!r}", False))
    return found


def reading_ease(text: str) -> float:
    """Flesch's reading ease: 100 very easy, 60 plain English, 0 hard; syllables are counted as groups of vowels."""
    words = re.findall(r"[a-z']+", text.casefold())
    if not words:
        return 100.0
    silent = r"(?:(?<=[aeiouy][^aeiouy\Wl])e|(?<=[^td])ed|(?<=[^sxzc])es)$"
    syllables = sum(max(1, len(re.findall("[aeiouy]+", re.sub(silent, "", word)))) for word in words)
    sentences = max(1, len(re.findall(r"[.!?]+(?:\s|$)", text)))
    return 206.835 - 1.015 * len(words) / sentences - 84.6 * syllables / len(words)


async def _model_check(folder: BuildFolder, one: Candidate, model: Model, connections: Connections) -> list[str]:
    """What a model misses in the image; nothing where it shows what the text says."""
    picture = prepare(read_file(folder.image_path(one.id)), model.limits) if model.limits else None
    schema = {"seen": {"type": "string"}, "missing": {"type": "string"}, "shows": {"type": "boolean"}}
    whole = {"type": "object", "properties": schema, "required": [*schema], "additionalProperties": False}
    text = data_file("prompts/check.txt").format(scene=one.scene)
    for reminder in ("", "Your last reply was not in the form asked for. Reply again, in exactly that form.\n\n"):
        prompt = Prompt(reminder + text, picture=picture, settings=_CHECK, schema=whole)
        answer = (await connections.ask(partial(model.answer, prompt), _CHECK.timeout)).answer
        if answer.error is not None:
            raise RunError(
                f"{model.name} did not reply: {answer.error.message}; what was screened is kept: screen again"
            )
        for said in reversed(objects_in(answer.text or "")):
            if isinstance(said.get("shows"), bool):
                missing = f"model {model.name}: misses in the image: {said.get('missing') or said}"
                return [] if said["shows"] else [missing]
    return [f"model {model.name}: did not say whether the image shows the scene: {(answer.text or '')[:80]!r}"]
