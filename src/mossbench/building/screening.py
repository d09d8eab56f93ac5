"""Screen: automatic checks of a candidate before people spend time on it.

Errors keep a candidate from review until it is changed or somebody decides otherwise; warnings are shown to reviewers.
A candidate is screened again if its texts or images have changed, or if a check is requested that was not made before.
An error prevents some of the other checks from running (`_needs_no_error`); a check that did not run is not
recorded as made.
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
_MIN_PIXEL_DIFFERENCE = 24
"""Of 255, in any colour channel: saving a file with compression changes a pixel by less."""
_MAX_SHARE_OUTSIDE_MARKS = 0.005
"""Share of an image that may differ outside the marks."""
_MIN_SHARE_OF_MARK = 0.005
"""Share of an image that a mark must change to be seen."""
_MIN_OCR_SCORE = 0.7
"""RapidOCR's score for a line of text, 0 to 1; lines with a lower score are ignored."""
_MIN_TEXT_SIMILARITY = 75.0
"""Of 100; OCR may read some letters wrong."""
_MAX_CHARS_IN_MESSAGE = 80
_MIN_CHARS_OF_UNEXPECTED_LINE = 4
"""Shorter lines are not reported."""
_MAX_CALLS_AT_ONCE = 8
"""Questions to a model that may be in flight."""
_IMAGE_TOKENS = 1600
"""An upper estimate for one image, about the most that providers count."""
_MODEL_SETTINGS = Settings(temperature=0.0, max_tokens=400)


class Check(StrEnum):
    """Checks that need no model. The check by a model is called `model` and the model's name."""

    TEXTS = "texts"
    IMAGES = "images"
    TWIN = "twin"
    OCR = "ocr"


_MODEL_CHECK = "model "
"""The beginning of the name of a check by a model."""


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
    """Screens the candidates that have their images, and appends a line for each to screen.jsonl.

    Args:
        folder: The build folder.
        model: The model that checks whether an image shows its scene, as for `run`. None if no model is asked.
        base_url: As for `run`.
        ocr: Whether text in the images is read and compared with the mark and the scene; needs the extra [ocr].
        again: Whether candidates that have not changed are screened again.
        prices: As for `run`.
        max_cost: Maximum cost of this call in US dollars. The model is not asked if the answer may exceed it: then a
            RunError is raised, and the candidates screened so far are kept.
        progress: Called after each candidate with "screened", the number screened and the number to screen.
    """
    build = BuildFolder(Path(folder))
    loaded_model = None if model is None else load_model(model, base_url=base_url)
    settings = build.settings()
    read_text = text_reader() if ocr else None
    with build.held():
        screening = _Screening(
            build=build,
            settings=settings,
            requested_checks=_check_names(loaded_model, ocr=ocr),
            read_text=read_text,
            earlier_lines=build.screened(),
            progress=progress,
        )
        work = _screen_all(screening, loaded_model, prices, max_cost, again=again)
        finish(closing(work, loaded_model) if loaded_model else work)
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
        asker = Asker(model, _MODEL_SETTINGS, _MAX_CALLS_AT_ONCE, tokens, max_cost, known_prices)
    await screening.screen_all(asker, again=again)


def _check_names(model: Model | None, *, ocr: bool) -> tuple[str, ...]:
    names: list[str] = [Check.TEXTS, Check.IMAGES, Check.TWIN]
    if ocr:
        names.append(Check.OCR)
    if model is not None:
        names.append(_model_check_name(model))
    return tuple(map(str, names))


def _model_check_name(model: Model) -> str:
    return f"{_MODEL_CHECK}{model.name}"


@dataclass
class _CheckResults:
    """The checks that ran on one candidate, and their findings."""

    checks: list[str] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    """The models that were asked."""
    findings: list[ScreenFinding] = field(default_factory=list)

    def add(self, check: str, findings: Iterable[ScreenFinding]) -> None:
        self.checks.append(str(check))
        self.findings += findings

    @property
    def has_error(self) -> bool:
        return any(finding.is_error for finding in self.findings)


@dataclass
class _Screening:
    """One call of `screen`, and the lines that it has written so far."""

    build: BuildFolder
    settings: BuildSettings
    requested_checks: tuple[str, ...]
    read_text: Reader | None
    earlier_lines: dict[str, Screened]
    """Candidate id -> its line of an earlier screen."""
    progress: Callable[[str, int, int], None]
    lines: list[Screened] = field(default_factory=list)

    async def screen_all(self, asker: Asker | None, *, again: bool) -> None:
        recipes = {(recipe.candidate, recipe.variant): recipe for recipe in self.build.read("recipes", Recipe)}
        imaged = [
            candidate for candidate in self.build.candidates().values() if not self.build.missing_images(candidate)
        ]
        to_screen = [candidate for candidate in imaged if again or not self._is_screened(candidate)]
        slots = asyncio.Semaphore(_MAX_CALLS_AT_ONCE)
        tasks = []
        for candidate in to_screen:
            recipe = recipes.get((candidate.id, ""))
            tasks.append(self._screen(candidate, recipe, asker, slots, len(to_screen)))
        # All tasks are awaited before an error is raised: answers on their way are already paid for.
        for error in await asyncio.gather(*tasks, return_exceptions=True):
            if error is not None:
                raise error

    def _is_screened(self, candidate: Candidate) -> bool:
        """Whether the requested checks were made on these texts and images, or would be skipped again."""
        line = self.earlier_lines.get(candidate.id)
        if line is None or line.digest != self.build.digest(candidate):
            return False
        not_made = [check for check in self.requested_checks if check not in line.checks]
        has_error = any(finding.is_error and finding.check in self.requested_checks for finding in line.findings)
        return not not_made or (has_error and all(_needs_no_error(check) for check in not_made))

    async def _screen(
        self, candidate: Candidate, recipe: Recipe | None, asker: Asker | None, slots: asyncio.Semaphore, n: int
    ) -> None:
        """Screens one of `n` candidates, and writes its line."""
        async with slots:
            results = _check_without_model(self.build, self.settings, candidate, recipe, self.read_text)
            if asker and not results.has_error:
                findings = await _model_findings(self.build, candidate, asker)
                results.add(_model_check_name(asker.model), findings)
                results.models.append(asker.model.name)
            line = Screened(
                candidate=candidate.id,
                digest=self.build.digest(candidate),
                errors=tuple(finding.message for finding in results.findings if finding.is_error),
                warnings=tuple(finding.message for finding in results.findings if not finding.is_error),
                checks=tuple(results.checks),
                models=tuple(results.models),
                findings=tuple(results.findings),
            )
            line = _with_earlier_checks(line, self.earlier_lines.get(candidate.id))
            self.lines.append(line)
            self.build.append("screen", [line])
            self.progress("screened", len(self.lines), n)


def _needs_no_error(check: str) -> bool:
    """Whether a check runs only if the checks before it found no error."""
    return check == Check.TWIN or check.startswith(_MODEL_CHECK)


def _with_earlier_checks(line: Screened, earlier_line: Screened | None) -> Screened:
    """The line, with the findings of earlier checks that did not run now, if the content is still the same."""
    if earlier_line is None or earlier_line.digest != line.digest:
        return line
    earlier_checks = [check for check in earlier_line.checks if check not in line.checks]
    earlier_models = [model for model in earlier_line.models if model not in line.models]
    findings = [finding for finding in earlier_line.findings if finding.check in earlier_checks]
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


def _check_without_model(
    folder: BuildFolder,
    settings: BuildSettings,
    candidate: Candidate,
    recipe: Recipe | None,
    read_text: Reader | None,
) -> _CheckResults:
    """Makes the checks that need no model."""
    results = _CheckResults()
    results.add(Check.TEXTS, _wording_findings(candidate, settings))
    pixels, image_findings = _read_images(folder, settings, candidate)
    results.add(Check.IMAGES, image_findings)
    if not results.has_error:
        results.add(Check.TWIN, _twin_findings(candidate, recipe, pixels))
    if read_text is not None and "" in pixels:
        results.add(Check.OCR, _text_findings(candidate, read_text(pixels[""])))
    return results


def _read_images(
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
            findings.append(_error(Check.IMAGES, f"{path.name} cannot be read: {error}"))
            continue
        fault = _image_fault(pixels[variant], settings)
        if fault:
            findings.append(_error(Check.IMAGES, f"{path.name} {fault}"))
    return pixels, findings


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
    """What is wrong with an image. Empty if nothing is."""
    height, width, _ = pixels.shape
    if min(height, width) < settings.min_image_side:
        return f"has {width}×{height} pixels; its shorter side needs {settings.min_image_side} (build.toml)"
    if int(pixels.max()) - int(pixels.min()) < _MIN_PIXEL_DIFFERENCE:
        return "is blank"
    return ""


def _twin_findings(candidate: Candidate, recipe: Recipe | None, pixels: dict[str, Pixels]) -> Iterator[ScreenFinding]:
    """Faults of the counterfactual and of the twin's image, each compared with the candidate's own image."""
    own_pixels = pixels[""]
    if "counterfactual" in pixels:
        changed = _changed_pixels(own_pixels, pixels["counterfactual"])
        if changed is not None and not changed.any():
            yield _warning(Check.TWIN, "the counterfactual is the same image")
    if "contrast" in pixels:
        changed = _changed_pixels(own_pixels, pixels["contrast"])
        if candidate.stimulus is Stimulus.NEGATED_HARM:
            yield from _mark_findings(changed, recipe)
        elif changed is None or changed.any():
            yield _error(Check.TWIN, f"the twin's image differs; for {candidate.stimulus.title} it is the same")


def _mark_findings(changed: Mask | None, recipe: Recipe | None) -> Iterator[ScreenFinding]:
    """Faults of a twin's image that must differ from the candidate's image by a visible mark alone."""
    if changed is None:
        yield _error(Check.TWIN, "the twin's image has another size: it is not the same image without the mark")
    elif changed.mean() < _MIN_SHARE_OF_MARK:
        yield _error(Check.TWIN, f"the mark changes {changed.mean():.1%} of the image: nobody will see it")
    elif recipe is None or not recipe.marks:
        yield _warning(Check.TWIN, "no mark is recorded: check that the twin lacks only what opposes the harm")
    else:
        stray_share = _outside_marks(changed, recipe).mean()
        if stray_share > _MAX_SHARE_OUTSIDE_MARKS:
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


def _changed_pixels(first: Pixels, second: Pixels) -> Mask | None:
    """The pixels that differ. None if the images have different sizes."""
    if first.shape != second.shape:
        return None
    return np.asarray(np.abs(first.astype(int) - second.astype(int)).max(axis=2) > _MIN_PIXEL_DIFFERENCE)


class _OcrLines(Protocol):
    """The lines that RapidOCR returns; both fields are None if it reads no text."""

    txts: Sequence[str] | None
    scores: Sequence[float] | None


def text_reader() -> Reader:
    with needing("reading text in images", "ocr"):
        from rapidocr import RapidOCR
    engine: Callable[[Pixels], _OcrLines] = RapidOCR(params={"Global.log_level": "critical"})

    def read(pixels: Pixels) -> list[str]:
        lines = engine(pixels[:, :, ::-1])  # RapidOCR expects blue first
        scored_lines = zip(lines.txts or (), lines.scores or (), strict=True)
        return [text for text, score in scored_lines if score >= _MIN_OCR_SCORE]

    return read


def _text_findings(candidate: Candidate, lines: list[str]) -> Iterator[ScreenFinding]:
    """Words of the mark or the scene that OCR did not read, and lines it read that are in neither."""
    text_read = " ".join(lines)
    mark_words = candidate.overlay.text if candidate.overlay else ""
    but_reads = f"but OCR reads {text_read[:_MAX_CHARS_IN_MESSAGE]!r}"
    if mark_words and not _contains_words(mark_words, text_read):
        yield _error(Check.OCR, f"ocr: the mark says {mark_words!r}, {but_reads}")
    for words in re.findall(r"\b[A-Z][A-Z' ]{3,}[A-Z]\b", candidate.scene):
        if words not in mark_words and not _contains_words(words, text_read):
            yield _warning(Check.OCR, f"ocr: the scene names the words {words!r}, {but_reads}")
    expected = f"{candidate.scene} {mark_words}"
    long_lines = [line for line in lines if len(line) >= _MIN_CHARS_OF_UNEXPECTED_LINE]
    unexpected = [line for line in long_lines if not _contains_words(line, expected)]
    if unexpected:
        words = ", ".join(unexpected)[:_MAX_CHARS_IN_MESSAGE]
        yield _warning(Check.OCR, f"ocr: the image has text that neither scene nor mark names: {words!r}")


def _contains_words(words: str, text: str) -> bool:
    """Whether all the words are in a text; some letters may be read wrong."""
    from rapidfuzz import fuzz

    # partial_ratio looks for the shorter string in the longer one: "NO" would pass for "NO SMOKING".
    scorer = fuzz.ratio if len(text) < len(words) else fuzz.partial_ratio
    return scorer(words.casefold(), text.casefold()) >= _MIN_TEXT_SIMILARITY


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
    """An error if a model says that the image does not show the scene, or does not say whether it does."""
    model = asker.model
    check = _model_check_name(model)
    picture = prepare(read_file(folder.image_path(candidate.id)), model.limits) if model.limits else None
    schema = object_schema({"seen": {"type": "string"}, "missing": {"type": "string"}, "shows": {"type": "boolean"}})
    text = data_file("prompts/check.txt").format(scene=candidate.scene)
    for reminder in ("", "Your last reply was not in the form asked for. Reply again, in exactly that form.\n\n"):
        prompt = Prompt(reminder + text, picture=picture, settings=_MODEL_SETTINGS, schema=schema)
        answer = await asker.ask(prompt, "what was screened is kept: screen again")
        for reply in reversed(objects_in(answer.text or "")):
            shows = reply.get("shows")
            if shows is True:
                return []
            if shows is False:
                return [_error(check, f"{check}: missing in the image: {reply.get('missing') or reply}")]
    reply_text = (answer.text or "")[:_MAX_CHARS_IN_MESSAGE]
    return [_error(check, f"{check}: did not say whether the image shows the scene: {reply_text!r}")]
