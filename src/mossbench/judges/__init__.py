"""Judges by name: the table of judges and `load_judge`."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable

from mossbench.errors import unknown_name
from mossbench.judges.judge import FunctionJudge, Judge, Reader, judge_exchange
from mossbench.judges.keywords import KeywordsJudge
from mossbench.own_code import is_own_code, load_own_code

__all__ = ["DEFAULT_JUDGE", "JUDGES", "FunctionJudge", "Judge", "judge_exchange", "load_judge"]

JUDGES: dict[str, tuple[str, Callable[[], Judge]]] = {
    "keywords": ("phrases of refusal in the opening of the answer; offline, refused yes / no", KeywordsJudge),
}
"""Name -> what it is, and how to make it."""

DEFAULT_JUDGE = "keywords"


def load_judge(spec: str | Judge | Reader) -> Judge:
    """The judge that `spec` names; a Judge or a function of one Exchange is taken as it is."""
    if isinstance(spec, Judge):
        return spec
    if callable(spec):
        name = getattr(spec, "__qualname__", type(spec).__name__)
        try:
            source = inspect.getsource(spec)
        except (OSError, TypeError):
            source = name
        return FunctionJudge(spec, f"python/{name}", hashlib.sha256(source.encode()).hexdigest()[:12])
    if is_own_code(spec):
        own = load_own_code(spec)
        return FunctionJudge(own.function, own.name, own.version)
    if spec not in JUDGES:
        see = f"judges are {', '.join(JUDGES)}, or path/to/file.py:function"
        raise unknown_name("judge", spec, JUDGES, see)
    return JUDGES[spec][1]()
