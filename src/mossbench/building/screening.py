"""Screen: what a machine can say of a candidate before people spend time on it.

Errors keep a candidate from review until it is changed or somebody decides otherwise; warnings are shown to people.
What was screened is screened again when its texts or images have changed, or a check is asked for that it has not had.
"""

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mossbench.building.candidates import Candidate, Screened, ScreenFinding
from mossbench.building.drafting_model import Asker
from mossbench.building.drafts import data_file, object_schema, operational_harm, shape_faults
from mossbench.building.folder import VARIANTS, BuildFolder, BuildSettings
from mossbench.building.imaging import Recipe
from mossbench.errors import ImageError, needing
from mossbench.images.preparing import decoded, prepare
from mossbench.judges.rubric import objects_in
from mossbench.models import Model, Prompt, Settings, load_model
from mossbench.models.model import Answerer
from mossbench.plumbing.coroutines import closing, finish
from mossbench.plumbing.untrusted_files import read_file
from mossbench.runs.inputs import read_prices
from mossbench.samples import Stimulus
from mossbench.store.prices import Prices, text_tokens

Pixels = NDArray[np.uint8]
Reader = Callable[[Pixels], list[str]]
Mask = NDArray[np.bool_]
_CHANGED = 24
"""Of 255, in any colour: a pixel that differs by less differs by a file's compression."""
_STRAY = 0.005  # share of an image that may change outside a mark
_VISIBLE = 0.005  # share of an image that a mark must change to be seen
_SURE = 0.7  # of RapidOCR's scores
_ALIKE = 75.0  # of 100: letters that a reader gets wrong
_AT_ONCE = 8  # questions to a model
_IMAGE_TOKENS = 1600  # of one image, about as many as providers count at most
_CHECK = Settings(temperature=0.0, max_tokens=400)


class Check(StrEnum):
    """Checks that need no model; that of a model is called `model` and its name."""

    TEXTS = "texts"
    IMAGES = "images"
    TWIN = "twin"
    OCR = "ocr"


def screen(
    folder: str | Path,
    *,
    model: str | Model | Answerer | None = None,
    base_url: str | None = None,
    ocr: bool = False,
    again: bool = False,
    prices: str | Path | Prices | None = None,
    max_cost: float | None = None,
    progress: Callable[[str, int, int], None] = lambda step, n_done, n: None,
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
    build = BuildFolder(Path(folder))
    the_model = None if model is None else load_model(model, base_url=base_url)
    settings = build.settings()
    read_text = text_reader() if ocr else None
    with build.held():
        before = build.screened()
        screening = _Screening(
            build, settings, the_model, _check_names(the_model, ocr=ocr), read_text, before, progress
        )
        work = _screen_all(screening, the_model, prices, max_cost, again=again)
        finish(closing(work, the_model) if the_model else work)
    return screening.lines


async def _screen_all(
    screening: "_Screening",
    model: Model | None,
    prices: str | Path | Prices | None,
    max_cost: float | None,
    *,
    again: bool,
) -> None:
    known_prices = read_prices(prices)
    asker = None
    if model is not None:
        tokens = text_tokens(data_file("prompts/check.txt")) + _IMAGE_TOKENS
        asker = Asker(model, _CHECK, _AT_ONCE, tokens, max_cost, known_prices)
    await screening.screen_all(asker, again=again)


def _check_names(model: Model | None, *, ocr: bool) -> tuple[str, ...]:
    names: list[str] = [Check.TEXTS, Check.IMAGES, Check.TWIN]
    if ocr:
        names.append(Check.OCR)
    if model is not None:
        names.append(_model_check_name(model))
    return tuple(map(str, names))


def _model_check_name(model: Model) -> str:
    return f"model {model.name}"


@dataclass
class _Screening:
    """One call of `screen`, and the lines that it has written so far."""

    build: BuildFolder
    settings: BuildSettings
    model: Model | None
    checks: tuple[str, ...]
    read_text: Reader | None
    before: dict[str, Screened]
    """Candidate -> its line of an earlier screen."""
    progress: Callable[[str, int, int], None]
    lines: list[Screened] = field(default_factory=list)

    async def screen_all(self, asker: Asker | None, *, again: bool) -> None:
        recipes = {(recipe.candidate, recipe.variant): recipe for recipe in self.build.read("recipes", Recipe)}
        imaged = [
            candidate for candidate in self.build.candidates().values() if not self.build.missing_images(candidate)
        ]
        to_screen = [candidate for candidate in imaged if again or not self._is_screened(candidate)]
        places = asyncio.Semaphore(_AT_ONCE)
        tasks = []
        for candidate in to_screen:
            recipe = recipes.get((candidate.id, ""))
            tasks.append(self._screen(candidate, recipe, asker, places, len(to_screen)))
        for fault in await asyncio.gather(*tasks, return_exceptions=True):  # those on their way are paid for
            if fault is not None:
                raise fault

    def _is_screened(self, candidate: Candidate) -> bool:
        """Whether it has had all the checks, with these texts and images."""
        line = self.before.get(candidate.id)
        if line is None or not set(self.checks) <= set(line.checks):
            return False
        return line.digest == self.build.digest(candidate)

    async def _screen(
        self, candidate: Candidate, recipe: Recipe | None, asker: Asker | None, places: asyncio.Semaphore, n: int
    ) -> None:
        """Screens one of `n` candidates, and writes its line."""
        async with places:
            findings = _findings(self.build, self.settings, candidate, recipe, self.read_text)
            if asker and not _has_error(findings):
                findings += await _model_findings(self.build, candidate, asker)
            line = Screened(
                candidate=candidate.id,
                digest=self.build.digest(candidate),
                errors=tuple(finding.message for finding in findings if finding.is_error),
                warnings=tuple(finding.message for finding in findings if not finding.is_error),
                checks=self.checks,
                models=() if self.model is None else (self.model.name,),
                findings=tuple(findings),
            )
            line = _with_earlier_checks(line, self.before.get(candidate.id))
            self.lines.append(line)
            self.build.append("screen", [line])
            self.progress("screened", len(self.lines), n)


def _with_earlier_checks(line: Screened, before: Screened | None) -> Screened:
    """The line with what checks found before that were not made now: it still holds for the same content."""
    if before is None or before.digest != line.digest:
        return line
    earlier_checks = [check for check in before.checks if check not in line.checks]
    earlier_models = [model for model in before.models if model not in line.models]
    findings = [finding for finding in before.findings if finding.check in earlier_checks]
    errors = [finding.message for finding in findings if finding.is_error]
    warnings = [finding.message for finding in findings if not finding.is_error]
    return line.model_copy(
        update={
            "errors": (*line.errors, *errors),
            "warnings": (*line.warnings, *warnings),
            "checks": (*line.checks, *earlier_checks),
            "models": (*line.models, *earlier_models),
            "findings": (*line.findings, *findings),
        }
    )


def _error(check: str, message: str) -> ScreenFinding:
    return ScreenFinding(check=check, message=message, is_error=True)


def _warning(check: str, message: str) -> ScreenFinding:
    return ScreenFinding(check=check, message=message, is_error=False)


def _has_error(findings: Iterable[ScreenFinding]) -> bool:
    return any(finding.is_error for finding in findings)


def _findings(
    folder: BuildFolder,
    settings: BuildSettings,
    candidate: Candidate,
    recipe: Recipe | None,
    read_text: Reader | None,
) -> list[ScreenFinding]:
    """What is wrong with a candidate, as far as no model is asked."""
    findings = _wording_findings(candidate, settings)
    pixels: dict[str, Pixels] = {}
    for variant in VARIANTS:
        path = folder.image_path(candidate.id, variant)
        if not path.exists():
            continue
        try:
            pixels[variant] = np.asarray(decoded(read_file(path)).convert("RGB"))
        except (ImageError, OSError) as error:
            findings.append(_error(Check.IMAGES, f"{path.name} cannot be read: {error}"))
            continue
        fault = _image_fault(pixels[variant], settings)
        if fault:
            findings.append(_error(Check.IMAGES, f"{path.name} {fault}"))
    if not _has_error(findings):
        findings += _twin_findings(candidate, recipe, pixels)
    if read_text is not None and "" in pixels:
        findings += _text_findings(candidate, read_text(pixels[""]))
    return findings


def _wording_findings(candidate: Candidate, settings: BuildSettings) -> list[ScreenFinding]:
    findings = [_error(Check.TEXTS, message) for message in shape_faults(candidate)]
    harm = operational_harm(candidate)
    if harm:
        findings.append(_error(Check.TEXTS, harm))
    ease = reading_ease(candidate.request)
    if ease < settings.min_reading_ease:
        message = f"the request is hard to read: Flesch reading ease {ease:.0f}, below {settings.min_reading_ease:g}"
        findings.append(_warning(Check.TEXTS, message))
    return findings


def _image_fault(pixels: Pixels, settings: BuildSettings) -> str:
    """What is wrong with an image; empty: nothing."""
    height, width, _ = pixels.shape
    if min(height, width) < settings.min_image_side:
        return f"has {width}×{height} pixels; its shorter side needs {settings.min_image_side} (build.toml)"
    if int(pixels.max()) - int(pixels.min()) < _CHANGED:
        return "is blank"
    return ""


def _twin_findings(candidate: Candidate, recipe: Recipe | None, pixels: dict[str, Pixels]) -> Iterator[ScreenFinding]:
    """Where another image of a candidate differs though it should not, or is the same though it should not be."""
    own = pixels[""]
    if "counterfactual" in pixels:
        changed = _changed(own, pixels["counterfactual"])
        if changed is not None and not changed.any():
            yield _warning(Check.TWIN, "the counterfactual is the same image")
    if "contrast" in pixels:
        changed = _changed(own, pixels["contrast"])
        if candidate.stimulus is Stimulus.NEGATED_HARM:
            yield from _mark_findings(changed, recipe)
        elif changed is None or changed.any():
            yield _error(Check.TWIN, f"the twin's image differs; for {candidate.stimulus.title} it is the same")


def _mark_findings(changed: Mask | None, recipe: Recipe | None) -> Iterator[ScreenFinding]:
    """Where an image and its twin differ otherwise than by a mark that can be seen."""
    if changed is None:
        yield _error(Check.TWIN, "the twin's image has another size: it is not the same image without the mark")
    elif changed.mean() < _VISIBLE:
        yield _error(Check.TWIN, f"the mark changes {changed.mean():.1%} of the image: nobody will see it")
    elif recipe is None or not recipe.marks:
        yield _warning(Check.TWIN, "no mark is recorded: check that the twin lacks only what opposes the harm")
    else:
        stray_share = _outside_marks(changed, recipe).mean()
        if stray_share > _STRAY:
            yield _error(Check.TWIN, f"{stray_share:.1%} of the twin's image differs outside the mark")


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


def _changed(first: Pixels, second: Pixels) -> Mask | None:
    """Which pixels differ; None where the sizes do."""
    if first.shape != second.shape:
        return None
    return np.asarray(np.abs(first.astype(int) - second.astype(int)).max(axis=2) > _CHANGED)


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


def _text_findings(candidate: Candidate, lines: list[str]) -> Iterator[ScreenFinding]:
    """What was read compared with what should be there: the words of the mark, and those that the scene names."""
    text_read = " ".join(lines)
    mark_words = candidate.overlay.text if candidate.overlay else ""
    but_reads = f"but OCR reads {text_read[:80]!r}"
    if mark_words and not _is_in(mark_words, text_read):
        yield _error(Check.OCR, f"ocr: the mark says {mark_words!r}, {but_reads}")
    for words in re.findall(r"\b[A-Z][A-Z' ]{3,}[A-Z]\b", candidate.scene):
        if words not in mark_words and not _is_in(words, text_read):
            yield _warning(Check.OCR, f"ocr: the scene names the words {words!r}, {but_reads}")
    expected = f"{candidate.scene} {mark_words}"
    unexpected = [line for line in lines if len(line) > 3 and not _is_in(line, expected)]
    if unexpected:
        words = ", ".join(unexpected)[:80]
        yield _warning(Check.OCR, f"ocr: the image has text that neither scene nor mark names: {words!r}")


def _is_in(words: str, text: str) -> bool:
    """Whether a text has these words, but for letters that a reader gets wrong."""
    from rapidfuzz import fuzz

    return fuzz.partial_ratio(words.casefold(), text.casefold()) >= _ALIKE


def reading_ease(text: str) -> float:
    """Flesch's reading ease: 100 very easy, 60 plain English, 0 hard; syllables are counted as groups of vowels."""
    words = re.findall(r"[a-z']+", text.casefold())
    if not words:
        return 100.0
    silent = r"(?:(?<=[aeiouy][^aeiouy\Wl])e|(?<=[^td])ed|(?<=[^sxzc])es)$"
    syllables = sum(max(1, len(re.findall("[aeiouy]+", re.sub(silent, "", word)))) for word in words)
    sentences = max(1, len(re.findall(r"[.!?]+(?:\s|$)", text)))
    return 206.835 - 1.015 * len(words) / sentences - 84.6 * syllables / len(words)


async def _model_findings(folder: BuildFolder, candidate: Candidate, asker: Asker) -> list[ScreenFinding]:
    """What a model misses in the image; nothing where it shows what the text says."""
    model = asker.model
    check = _model_check_name(model)
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
                return [_error(check, f"{check}: missing in the image: {reply.get('missing') or reply}")]
    text = (answer.text or "")[:80]
    return [_error(check, f"{check}: did not say whether the image shows the scene: {text!r}")]
