"""Screen: what a machine can say of a candidate before people spend time on it.

Errors keep a candidate from review until it is changed or somebody decides otherwise; warnings are shown to people.
What was screened is screened again when its texts or images have changed, or a check is asked for that it has not had.
"""

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mossbench.building.asking import Asker
from mossbench.building.candidates import Candidate, Screened
from mossbench.building.drafts import data_file, object_schema, operational_harm, shape_faults
from mossbench.building.folder import VARIANTS, BuildFolder, BuildSettings
from mossbench.building.imaging import Recipe
from mossbench.errors import ImageError, needing
from mossbench.images.preparing import decoded, prepare
from mossbench.judges.rubric import objects_in
from mossbench.models import Model, Prompt, Settings, load_model
from mossbench.models.model import Answerer
from mossbench.plumbing.coroutines import closing, finish
from mossbench.plumbing.reading import read_file
from mossbench.runs.inputs import read_prices
from mossbench.samples import Stimulus
from mossbench.store.prices import Prices, text_tokens

Pixels = NDArray[np.uint8]
Reader = Callable[[Pixels], list[str]]
Fault = tuple[str, bool]
"""What is wrong, and whether that keeps the candidate from review."""
_CHANGED = 24
"""Of 255, in any colour: a pixel that differs by less differs by a file's compression."""
_STRAY, _SEEN = 0.005, 0.005  # shares of an image: change outside a mark; what a mark must change to be seen
_SURE = 0.7  # of RapidOCR's scores
_ALIKE = 75.0  # of 100: letters that a reader gets wrong
_AT_ONCE = 8  # questions to a model
_IMAGE_TOKENS = 1600  # of one image, about as many as providers count at most
_CHECK = Settings(temperature=0.0, max_tokens=400)


def screen(
    folder: str | Path,
    *,
    model: str | Model | Answerer | None = None,
    base_url: str | None = None,
    ocr: bool = False,
    again: bool = False,
    prices: str | Path | Prices | None = None,
    max_cost: float | None = None,
    progress: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> list[Screened]:
    """Screens the candidates that have their images; what it says of each is in screen.jsonl when this returns.

    Args:
        folder: The build folder.
        model: Who looks whether an image shows what its text says, as for `run`; None: nobody does.
        base_url: As for `run`.
        ocr: Whether text in the images is read and compared with the recipe; needs the extra [ocr].
        again: Whether those are screened, too, that have not changed.
        prices: As for `run`.
        max_cost: US dollars for this call: nothing is asked that may exceed them. A RunError when it is reached; what
            was screened is kept.
        progress: Called after each, with how many of how many are done.
    """
    build, the_model = BuildFolder(Path(folder)), None if model is None else load_model(model, base_url=base_url)
    settings, read = build.settings(), text_reader() if ocr else None
    checks = ("texts", "images", "twin", *(["ocr"] if ocr else []), *([f"model {the_model.name}"] if the_model else []))
    found, few = list[Screened](), asyncio.Semaphore(_AT_ONCE)

    async def look(one: Candidate, recipe: Recipe | None, asker: Asker | None, of: int) -> None:
        async with few:
            faults = _faults(build, settings, one, recipe, read)
            if asker and not any(is_error for _, is_error in faults):
                faults += [(fault, True) for fault in await _model_check(build, one, asker)]
            models = [] if the_model is None else [the_model.name]
            found.append(_screened(one, build.digest(one), before.get(one.id), checks, models, faults))
            build.append("screen", found[-1:])
            progress("screened", len(found), of)

    async def work() -> None:
        tokens = text_tokens(data_file("prompts/check.txt")) + _IMAGE_TOKENS
        how = _CHECK, _AT_ONCE, tokens, max_cost, read_prices(prices)
        asker = Asker(the_model, *how) if the_model else None
        recipes = {(one.candidate, one.variant): one for one in build.read("recipes", Recipe)}
        there = [one for one in build.candidates().values() if not build.missing_images(one)]
        seen = {id for id, one in before.items() if set(checks) <= set(one.checks)}
        todo = [one for one in there if again or one.id not in seen or before[one.id].digest != build.digest(one)]
        tasks = (look(one, recipes.get((one.id, "")), asker, len(todo)) for one in todo)
        for fault in await asyncio.gather(*tasks, return_exceptions=True):  # those on their way are paid for
            if fault is not None:
                raise fault

    with build.held():
        before = build.screened()
        finish(closing(work(), the_model) if the_model else work())
    return found


def _screened(
    one: Candidate,
    digest: str,
    before: Screened | None,
    checks: Sequence[str],
    models: Sequence[str],
    faults: list[Fault],
) -> Screened:
    """The line about a candidate; what a check has found that was not made now still holds for the same content."""
    if before and before.digest == digest:
        kept = tuple(f"{check}: " for check in before.checks if check not in checks)
        faults += [(text, True) for text in before.errors if text.startswith(kept)]
        faults += [(text, False) for text in before.warnings if text.startswith(kept)]
        checks = [*checks, *(check for check in before.checks if check not in checks)]
        models = [*models, *(model for model in before.models if model not in models)]
    errors, warnings = (tuple(text for text, is_error in faults if is_error is kind) for kind in (True, False))
    return Screened(
        candidate=one.id,
        digest=digest,
        errors=errors,
        warnings=warnings,
        checks=tuple(checks),
        models=tuple(models),
    )


def _faults(
    folder: BuildFolder, settings: BuildSettings, one: Candidate, recipe: Recipe | None, read: Reader | None
) -> list[Fault]:
    found: list[Fault] = [(fault, True) for fault in (*shape_faults(one), operational_harm(one)) if fault]
    if (ease := reading_ease(one.request)) < settings.min_reading_ease:
        least = f"{settings.min_reading_ease:g}"
        found.append((f"the request is hard to read: Flesch reading ease {ease:.0f}, below {least}", False))
    pixels = dict[str, Pixels]()
    for variant in VARIANTS:
        path = folder.image_path(one.id, variant)
        if path.exists():
            try:
                pixels[variant] = np.asarray(decoded(read_file(path)).convert("RGB"))
            except (ImageError, OSError) as error:
                found.append((f"{path.name} cannot be read: {error}", True))
            else:
                found += [(f"{path.name} {fault}", True) for fault in _image_faults(pixels[variant], settings)]
    if not any(is_error for _, is_error in found):
        found += _twin_faults(one, recipe, pixels)
    if read is not None and "" in pixels:
        found += [(f"ocr: {fault}", is_error) for fault, is_error in _text_faults(one, read(pixels[""]))]
    return found


def _image_faults(pixels: Pixels, settings: BuildSettings) -> list[str]:
    height, width, _ = pixels.shape
    if min(height, width) < settings.min_image_side:
        return [f"has {width}×{height} pixels; its shorter side needs {settings.min_image_side} (build.toml)"]
    return ["is blank"] if int(pixels.max()) - int(pixels.min()) < _CHANGED else []


def _twin_faults(one: Candidate, recipe: Recipe | None, pixels: dict[str, Pixels]) -> Iterator[Fault]:
    """Where the twin's image differs though it should not, or is the same though it should not be."""
    if (without := _changed(pixels[""], pixels.get("counterfactual"))) is not None and not without.any():
        yield "the counterfactual is the same image", False
    if "contrast" not in pixels:
        return
    changed = _changed(pixels[""], pixels["contrast"])
    if one.stimulus is not Stimulus.NEGATED_HARM:
        if changed is None or changed.any():
            yield f"the twin's image differs; for {one.stimulus.title} it is the same", True
    elif changed is None:
        yield "the twin's image has another size: it is not the same image without the mark", True
    elif changed.mean() < _SEEN:
        yield f"the mark changes {changed.mean():.1%} of the image: nobody will see it", True
    elif recipe is None or not recipe.marks:
        yield "no mark is on record: look whether the twin lacks only what opposes the harm", False
    else:
        height, width = changed.shape
        for left, top, right, bottom in (mark.box for mark in recipe.marks if mark.box is not None):
            rows = slice(max(0, round(top * height) - 2), round(bottom * height) + 2)
            changed[rows, max(0, round(left * width) - 2) : round(right * width) + 2] = False
        if changed.mean() > _STRAY:
            yield f"{changed.mean():.1%} of the twin's image differs outside the mark", True


def _changed(one: Pixels, other: Pixels | None) -> NDArray[np.bool_] | None:
    """Which pixels differ; None where the sizes do, or there is no other."""
    if other is None or one.shape != other.shape:
        return None
    return np.asarray(np.abs(one.astype(int) - other.astype(int)).max(axis=2) > _CHANGED)


class _ReadText(Protocol):
    """What RapidOCR gives back."""

    txts: Sequence[str] | None
    scores: Sequence[float] | None


def text_reader() -> Reader:
    with needing("reading text in images", "ocr"):
        from rapidocr import RapidOCR
    engine: Callable[[Pixels], _ReadText] = RapidOCR(params={"Global.log_level": "critical"})

    def read(pixels: Pixels) -> list[str]:
        lines = engine(pixels[:, :, ::-1])  # it takes blue first
        return [text for text, score in zip(lines.txts or (), lines.scores or (), strict=True) if score >= _SURE]

    return read


def _text_faults(one: Candidate, lines: list[str]) -> Iterator[Fault]:
    """What was read compared with what should stand there: the words of the mark, and those that the scene names."""
    from rapidfuzz import fuzz

    def is_in(words: str, text: str) -> bool:
        return fuzz.partial_ratio(words.casefold(), text.casefold()) >= _ALIKE

    read, wanted = " ".join(lines), one.overlay.text if one.overlay else ""
    shown = f"but what can be read is {read[:80]!r}"
    if wanted and not is_in(wanted, read):
        yield f"the mark says {wanted!r}, {shown}", True
    for words in re.findall(r"\b[A-Z][A-Z' ]{3,}[A-Z]\b", one.scene):
        if words not in wanted and not is_in(words, read):
            yield f"the scene names the words {words!r}, {shown}", False
    if others := [line for line in lines if len(line) > 3 and not is_in(line, f"{one.scene} {wanted}")]:
        yield f"the image has text that neither scene nor mark names: {', '.join(others)[:80]!r}", False


def reading_ease(text: str) -> float:
    """Flesch's reading ease: 100 very easy, 60 plain English, 0 hard; syllables are counted as groups of vowels."""
    words = re.findall(r"[a-z']+", text.casefold())
    if not words:
        return 100.0
    silent = r"(?:(?<=[aeiouy][^aeiouy\Wl])e|(?<=[^td])ed|(?<=[^sxzc])es)$"
    syllables = sum(max(1, len(re.findall("[aeiouy]+", re.sub(silent, "", word)))) for word in words)
    sentences = max(1, len(re.findall(r"[.!?]+(?:\s|$)", text)))
    return 206.835 - 1.015 * len(words) / sentences - 84.6 * syllables / len(words)


async def _model_check(folder: BuildFolder, candidate: Candidate, asker: Asker) -> list[str]:
    """What a model misses in the image; nothing where it shows what the text says."""
    model = asker.model
    picture = prepare(read_file(folder.image_path(candidate.id)), model.limits) if model.limits else None
    schema = object_schema({"seen": {"type": "string"}, "missing": {"type": "string"}, "shows": {"type": "boolean"}})
    text = data_file("prompts/check.txt").format(scene=candidate.scene)
    for reminder in ("", "Your last reply was not in the form asked for. Reply again, in exactly that form.\n\n"):
        prompt = Prompt(reminder + text, picture=picture, settings=_CHECK, schema=schema)
        answer = await asker.ask(prompt, "what was screened is kept: screen again")
        for reply in reversed(objects_in(answer.text or "")):
            shows = reply.get("shows")
            if shows is True:
                return []
            if shows is False:
                return [f"model {model.name}: misses in the image: {reply.get('missing') or reply}"]
    return [f"model {model.name}: did not say whether the image shows the scene: {(answer.text or '')[:80]!r}"]
