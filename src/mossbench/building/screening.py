"""Screen: automatic checks of a candidate before people spend time on it.

Errors keep a candidate from review until it is changed or somebody decides otherwise; warnings are shown to reviewers.
A candidate is screened again if its texts or images have changed, or if a check is requested that was not made before.
An error prevents some of the other checks from running (`_needs_no_error`); a check that did not run is not
recorded as made.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from mossbench.building.candidates import Candidate, Screened, ScreenFinding
from mossbench.building.drafting_model import Asker
from mossbench.building.drafts import data_file
from mossbench.building.folder import BuildFolder, BuildSettings
from mossbench.building.image_checks import read_images, twin_findings
from mossbench.building.imaging import Recipe
from mossbench.building.model_check import IMAGE_TOKENS, MODEL_SETTINGS, model_findings
from mossbench.building.screen_findings import MODEL_CHECK, Check, model_check_name
from mossbench.building.text_checks import Reader, text_findings, text_reader, wording_findings
from mossbench.models import Model, load_model
from mossbench.models.model import Answerer
from mossbench.plumbing.coroutines import closing, finish
from mossbench.runs.inputs import read_prices
from mossbench.store.prices import Prices, text_tokens

_MAX_CALLS_AT_ONCE = 8
"""Questions to a model that may be in flight."""


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
    settings = build.settings()
    read_text = text_reader() if ocr else None
    with build.held():
        earlier_lines = build.screened()
        loaded_model = (
            None if model is None else load_model(model, base_url=base_url)
        )  # last: from here on it is closed
        screening = _Screening(
            build=build,
            settings=settings,
            requested_checks=_check_names(loaded_model, ocr=ocr),
            read_text=read_text,
            earlier_lines=earlier_lines,
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
        tokens = text_tokens(data_file("prompts/check.txt")) + IMAGE_TOKENS
        asker = Asker(model, MODEL_SETTINGS, _MAX_CALLS_AT_ONCE, tokens, max_cost, known_prices)
    await screening.screen_all(asker, again=again)


def _check_names(model: Model | None, *, ocr: bool) -> tuple[str, ...]:
    names: list[str] = [Check.TEXTS, Check.IMAGES, Check.TWIN]
    if ocr:
        names.append(Check.OCR)
    if model is not None:
        names.append(model_check_name(model))
    return tuple(map(str, names))


@dataclass
class _CheckResults:
    """The checks that ran on one candidate, and their findings."""

    checks: list[str] = field(default_factory=list)
    """The names of the checks."""
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
    """One call of `screen`: what was asked for, and the lines that it has written so far."""

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
        return not any(self._can_be_made(check, candidate, has_error=has_error) for check in not_made)

    def _can_be_made(self, check: str, candidate: Candidate, *, has_error: bool) -> bool:
        """Whether a check would run now on a candidate in which the requested checks found errors, or none."""
        if _needs_no_error(check):
            return not has_error
        if check == Check.OCR and has_error:  # text is read only in an image that can be
            pixels, _ = read_images(self.build, self.settings, candidate)
            return "" in pixels
        return True

    async def _screen(
        self, candidate: Candidate, recipe: Recipe | None, asker: Asker | None, slots: asyncio.Semaphore, n: int
    ) -> None:
        """Screens one of `n` candidates, and writes its line."""
        async with slots:
            results = _check_without_model(self.build, self.settings, candidate, recipe, self.read_text)
            if asker and not results.has_error:
                findings = await model_findings(self.build, candidate, asker)
                results.add(model_check_name(asker.model), findings)
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
    return check == Check.TWIN or check.startswith(MODEL_CHECK)


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


def _check_without_model(
    folder: BuildFolder,
    settings: BuildSettings,
    candidate: Candidate,
    recipe: Recipe | None,
    read_text: Reader | None,
) -> _CheckResults:
    """Makes the checks that need no model."""
    results = _CheckResults()
    results.add(Check.TEXTS, wording_findings(candidate, settings))
    pixels, image_findings = read_images(folder, settings, candidate)
    results.add(Check.IMAGES, image_findings)
    if not results.has_error:
        results.add(Check.TWIN, twin_findings(candidate, recipe, pixels))
    if read_text is not None and "" in pixels:
        results.add(Check.OCR, text_findings(candidate, read_text(pixels[""])))
    return results
