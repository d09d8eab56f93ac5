"""Why calls failed in a run, in a sentence each: the command line prints them, the library warns with them."""

import sys
import traceback
import warnings
from collections import Counter
from pathlib import Path

from mossbench.errors import RunWarning, short_message
from mossbench.results.table import Results

_PACKAGE = Path(__file__).parents[1]


def failure_texts(results: Results) -> list[str]:
    """How many rows failed or broke the judge, the most frequent reason, and where tracebacks are."""
    texts = []
    failures = results.failures()
    if failures:
        texts.append(failure_text("rows failed", failures, len(results)))
    judge_failures = results.judge_failures()
    if judge_failures:
        texts.append(failure_text("answers broke the judge", judge_failures, len(results)))
    log = results.folder / "errors.log"
    if texts and log.exists():
        texts.append(f"tracebacks of your own code are in {log}")
    return texts


def failure_text(what: str, reasons: Counter[str], n_rows: int) -> str:
    reason, n = reasons.most_common(1)[0]
    return f"{reasons.total()} of {n_rows} {what} and count in no rate; most often ({n}): {reason}"


def warn_of_failures(results: Results) -> None:
    """A RunWarning where something failed, on the user's own line: whoever calls the library sees no terminal."""
    texts = failure_texts(results)
    if not texts:
        return
    way_out = f"try again with: {results.again}"
    if results.info.recorded_file:
        way_out = "fix the transcript and run it again"
    message = f"{results.model}: {'; '.join(texts)}; {way_out}"
    warnings.warn(short_message(message), RunWarning, stacklevel=_levels_to_the_user())


def _levels_to_the_user() -> int:
    """How far up the stack, from who asks this, the line stands that called this package.

    Above the outermost line of the package: decorators of the standard library may lie between its own.
    """
    level_of_user = 1
    frames = traceback.walk_stack(sys._getframe(1))
    for level, (frame, _) in enumerate(frames, start=1):
        if Path(frame.f_code.co_filename).is_relative_to(_PACKAGE):
            level_of_user = level + 1
    return level_of_user
