"""Arguments of public functions, looked at before anything is done: None or a dict for a path is one clear message.

Only kinds are looked at, by the annotations: what a value says is checked by the function that takes it.
"""

import collections.abc
import functools
import inspect
import numbers
import os
import types
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from mossbench.errors import UsageError, shortened

WORDS: dict[Any, str] = {str: "a text", Path: "a Path", int: "a whole number", float: "a number", bool: "True or False"}


def checked(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The function as `mossbench.NAME`; a UsageError where an argument is of a kind that it does not take."""

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        check_arguments(function, name, args, keywords)
        return function(*args, **keywords)

    call.__module__ = "mossbench"  # so that another process finds it again by its name
    call.__qualname__ = name
    return call


def check_arguments(function: Callable[..., Any], name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    signature = inspect.signature(function)
    hints = _hints(function)
    try:
        given = signature.bind(*args, **keywords).arguments
    except TypeError:  # too few or too many of them: Python's own message names them
        return
    for parameter in signature.parameters.values():
        if parameter.name not in given or parameter.name not in hints:
            continue
        if parameter.kind is parameter.VAR_KEYWORD:
            continue  # options of a run, which RunConfig checks
        values = given[parameter.name] if parameter.kind is parameter.VAR_POSITIONAL else [given[parameter.name]]
        for value in values:
            if value is not parameter.default and not fits(value, hints[parameter.name]):
                shown = f"{shortened(repr(value), 80)} ({type(value).__name__})"
                expected = " or ".join(dict.fromkeys(_words(hints[parameter.name])))
                raise UsageError(f"{parameter.name} of mossbench.{name} is {shown}, expected {expected}")


@functools.cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The kinds of the parameters; without those that only type checkers can read."""
    bare = inspect.unwrap(function)
    found = {}
    for name, hint in inspect.get_annotations(bare).items():
        if not isinstance(hint, str):
            found[name] = hint
            continue
        with suppress(NameError):
            found[name] = eval(hint, bare.__globals__)  # noqa: S307  # our own annotation, not a user's text
    return found


def fits(value: Any, hint: Any) -> bool:
    """Whether a value may be of this kind; True for kinds that nobody can tell by looking."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return any(fits(value, one) for one in get_args(hint))
    if hint is None or hint is type(None):
        return value is None
    if origin is Literal:
        return isinstance(value, str)
    kind: Any = origin or hint
    if not isinstance(kind, type):
        return True
    if kind is collections.abc.Callable or getattr(kind, "_is_protocol", False):
        return callable(value)
    if kind in (list, collections.abc.Sequence, collections.abc.Iterable, tuple):
        return _fits_several(value, kind, get_args(hint))
    if kind is Path:
        return isinstance(value, os.PathLike)
    if kind is int:
        return isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if kind is float:
        return isinstance(value, (numbers.Real, Decimal)) and not isinstance(value, bool)
    return isinstance(value, kind)


def _fits_several(value: Any, kind: type, of: tuple[Any, ...]) -> bool:
    """A text is no list of its letters, nor a dict one of its keys."""
    if isinstance(value, (str, bytes, collections.abc.Mapping)) or not isinstance(value, kind):
        return False
    if not of or not isinstance(value, (list, tuple)):
        return True
    return all(fits(one, of[0]) for one in value)


def _words(hint: Any) -> list[str]:
    """What a kind is called in a message, one word for each that would do."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return [word for one in get_args(hint) for word in _words(one)]
    if hint is None or hint is type(None):
        return ["None"]
    if origin is Literal:
        return [" or ".join(map(repr, get_args(hint)))]
    kind: Any = origin or hint
    if kind in (list, collections.abc.Sequence, collections.abc.Iterable, tuple):
        of = [word for one in get_args(hint)[:1] for word in _words(one)]
        return [f"a list of them ({' or '.join(of)})" if of else "a list"]
    if kind is collections.abc.Callable or getattr(kind, "_is_protocol", False):
        return ["a function"]
    if kind in (dict, collections.abc.Mapping):
        return ["a dict"]
    return [WORDS.get(kind, getattr(kind, "__name__", str(kind)))]
