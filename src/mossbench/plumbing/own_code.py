"""One's own model or judge from a file: `path/to/file.py:function`."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mossbench.errors import UsageError, unknown_name

_SPEC = re.compile(r"(?P<path>.+\.py):(?P<name>[A-Za-z_]\w*)")


@dataclass(frozen=True)
class OwnCode:
    """A function of the user's and a hash of the file it stands in, which is its version."""

    name: str
    function: Callable[..., Any]
    version: str


def is_own_code(spec: str) -> bool:
    return _SPEC.fullmatch(spec) is not None


def load_own_code(spec: str) -> OwnCode:
    """The function that `path/to/file.py:function` names; every mistake in it is a UsageError that says where."""
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise UsageError(f"{spec!r} is not of the form path/to/file.py:function")
    path, name = Path(match["path"]), match["name"]
    if not path.is_file():
        raise UsageError(f"no file {str(path)!r} for {spec!r}; give the path of an existing .py file")
    source = path.read_bytes()
    function = _members(path, source).get(name)
    if function is None:
        known = [key for key, value in _members(path, source).items() if callable(value) and not key.startswith("_")]
        raise unknown_name(f"function in {path}", name, known, f"it defines: {', '.join(known) or 'none'}")
    if not callable(function):
        raise UsageError(f"{spec!r} is a {type(function).__name__}, expected a function")
    return OwnCode(spec, function, hashlib.sha256(source).hexdigest()[:12])


def _members(path: Path, source: bytes) -> dict[str, Any]:
    module_name = f"mossbench_own_{hashlib.sha256(str(path.resolve()).encode() + source).hexdigest()[:12]}"
    if module_name not in sys.modules:
        spec = importlib.util.spec_from_file_location(module_name, path)
        assert spec is not None and spec.loader is not None  # the suffix is .py
        module = importlib.util.module_from_spec(spec)
        sys.modules[module_name] = module  # dataclasses and pickles in the file look themselves up there
        try:
            spec.loader.exec_module(module)
        except (Exception, SystemExit) as error:  # whatever the user's file raises is theirs to mend
            del sys.modules[module_name]
            raise UsageError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    return vars(sys.modules[module_name])
