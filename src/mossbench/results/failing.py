"""Why calls failed in a run, in a sentence each: the command line prints them, the library warns with them."""

import sys
import sysconfig
import traceback
import warnings
from collections import Counter
from pathlib import Path

from mossbench.errors import RunWarning, short_message
from mossbench.messages import Message
from mossbench.results.table import Results
from mossbench.ways_out import Resume

_PACKAGE = Path(__file__).parents[1]
_STANDARD_LIBRARY = Path(sysconfig.get_paths()["stdlib"])


def failure_texts(results: Results) -> list[str]:
    """How many rows failed, on how many the judge failed, the most frequent reason, and where tracebacks are."""
    texts = []
    failures = results.failures()
    if failures:
        texts.append(
            f"{failures.total()} of {len(results)} rows failed and are left out of all rates; {_most_often(failures)}"
        )
    judge_failures = results.judge_failures()
    if judge_failures:
        texts.append(
            f"the judge failed on {judge_failures.total()} of {len(results)} answers, which are left out of all rates; "
            f"{_most_often(judge_failures)}"
        )
    log = results.folder / "errors.log"
    if texts and log.exists():
        texts.append(f"tracebacks of your own code are in {log}")
    return texts


def _most_often(reasons: Counter[str]) -> str:
    reason, n = reasons.most_common(1)[0]
    return f"most often ({n}): {reason}"


def warn_of_failures(results: Results) -> None:
    """A RunWarning where something failed, on the user's own line: whoever calls the library sees no terminal."""
    texts = failure_texts(results)
    if not texts:
        return
    text = f"{results.model}: {'; '.join(texts)}"
    if results.info.recorded_file:
        message = Message(f"{text}; fix the transcript and run it again")
    else:
        message = Message(text, (Resume(results.folder, to="try again"),))
    warnings.warn(short_message(str(message)), RunWarning, stacklevel=_levels_to_the_user())


def _levels_to_the_user() -> int:
    """How far up the stack, from who asks this, the first line stands that is a user's own.

    Neither this package's nor the standard library's, whose decorators lie between ours. 1 where there is none, as in
    the thread of `arun`.
    """
    for level, (frame, _) in enumerate(traceback.walk_stack(sys._getframe(1)), start=1):
        path = Path(frame.f_code.co_filename)
        is_installed = "site-packages" in path.parts
        is_of_python = path.is_relative_to(_STANDARD_LIBRARY) and not is_installed
        if not is_of_python and not path.is_relative_to(_PACKAGE):
            return level
    return 1
