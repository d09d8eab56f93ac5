"""Checks the kinds of arguments of public functions first: None or a dict in place of a path gives one clear message.

Only kinds are checked, by the annotations; the function itself checks the values.
"""

import collections.abc
import functools
import inspect
import numbers
import os
import types
from collections.abc import Callable, Iterable
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from mossbench.errors import UsageError, shortened

WORDS: dict[Any, str] = {str: "a text", Path: "a Path", int: "a whole number", float: "a number", bool: "True or False"}
_LISTS = (list, collections.abc.Sequence, collections.abc.Iterable, tuple)


def checked(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The function as `mossbench.NAME`, which raises a UsageError for an argument of the wrong kind."""

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        check_arguments(function, name, args, keywords)
        return function(*args, **keywords)

    call.__module__ = "mossbench"  # so that another process can import it by its name
    call.__qualname__ = name
    return call


def check_arguments(function: Callable[..., Any], name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    signature = inspect.signature(function)
    hints = _hints(function)
    try:
        arguments = signature.bind(*args, **keywords).arguments
    except TypeError:  # too few or too many arguments: Python's own message names them
        return
    for parameter in signature.parameters.values():
        if parameter.name not in arguments or parameter.name not in hints:
            continue
        if parameter.kind is parameter.VAR_KEYWORD:
            continue  # options of a run, which RunConfig checks
        argument = arguments[parameter.name]
        values = argument if parameter.kind is parameter.VAR_POSITIONAL else [argument]
        for value in values:
            if value is not parameter.default and not fits(value, hints[parameter.name]):
                raise _wrong_kind(name, parameter.name, value, hints[parameter.name])


def _wrong_kind(function: str, parameter: str, value: Any, hint: Any) -> UsageError:
    shown = f"{shortened(repr(value), 80)} ({type(value).__name__})"
    expected = " or ".join(dict.fromkeys(_words(hint)))
    return UsageError(f"{parameter} of mossbench.{function} is {shown}, expected {expected}")


@functools.cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The annotations of the parameters, without those that only type checkers can evaluate."""
    unwrapped = inspect.unwrap(function)
    hints = {}
    for name, hint in inspect.get_annotations(unwrapped).items():
        if not isinstance(hint, str):
            hints[name] = hint
            continue
        with suppress(NameError):
            hints[name] = eval(hint, unwrapped.__globals__)  # noqa: S307  # our own annotation, not a user's text
    return hints


def fits(value: Any, hint: Any) -> bool:
    """Whether a value may be of this kind; True for kinds that cannot be checked."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return any(fits(value, member) for member in get_args(hint))
    if hint is None or hint is type(None):
        return value is None
    if origin is Literal:
        return isinstance(value, str)
    kind: Any = origin or hint
    if kind is Any or not isinstance(kind, type):
        return True
    if _is_callable_kind(kind):
        return callable(value)
    if kind in _LISTS:
        return _fits_list(value, kind, get_args(hint))
    return _fits_class(value, kind)


def _is_callable_kind(kind: Any) -> bool:
    return kind is collections.abc.Callable or (_is_protocol(kind) and "__call__" in vars(kind))


def _is_protocol(kind: Any) -> bool:
    return bool(getattr(kind, "_is_protocol", False))


def _fits_list(value: Any, kind: type, item_hints: tuple[Any, ...]) -> bool:
    """A text is not accepted as a list of its letters, nor a dict as a list of its keys."""
    if isinstance(value, (str, bytes, collections.abc.Mapping)) or not isinstance(value, kind):
        return False
    if not item_hints or not isinstance(value, (list, tuple)):
        return True
    return all(fits(element, item_hints[0]) for element in value)


def _fits_class(value: Any, kind: type) -> bool:
    if kind is Path:
        return isinstance(value, os.PathLike)
    if kind is int:
        return isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if kind is float:
        return isinstance(value, (numbers.Real, Decimal)) and not isinstance(value, bool)
    return isinstance(value, kind)


def _words(hint: Any) -> list[str]:
    """What a kind is called in a message, with an entry for each alternative."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _words_of_all(get_args(hint))
    if hint is None or hint is type(None):
        return ["None"]
    if origin is Literal:
        return [" or ".join(map(repr, get_args(hint)))]
    kind: Any = origin or hint
    if kind in _LISTS:
        items = [] if Any in get_args(hint) else _words_of_all(get_args(hint)[:1])
        return [f"a list (each {' or '.join(items)})" if items else "a list"]
    if _is_callable_kind(kind):
        return ["a function"]
    if kind in (dict, collections.abc.Mapping):
        return ["a dict"]
    if hasattr(kind, "__dataframe__"):
        return ["a DataFrame"]
    return [WORDS.get(kind, getattr(kind, "__name__", str(kind)))]


def _words_of_all(hints: Iterable[Any]) -> list[str]:
    words: list[str] = []
    for hint in hints:
        words += _words(hint)
    return words
