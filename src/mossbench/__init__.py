"""Measures how often multimodal models turn down harmless image+text requests.

Everything the command line does, from Python:

    import mossbench as mb

    data = mb.load_dataset("sketches")
    results = mb.run(model="control/candid", data=data)
    results.rates()

The names are those of `__init__.pyi`. They are imported when they are first used, so that `import mossbench` and
`mossbench --help` are quick.
"""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from inspect import iscoroutinefunction, isfunction
from pathlib import Path
from typing import Any

__version__ = "0.2.0"

_IMPORTS = ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8")).body
_MODULE_OF = {name.name: one.module for one in _IMPORTS if isinstance(one, ast.ImportFrom) for name in one.names}
__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'mossbench' has no attribute {name!r}")
    value = getattr(import_module(str(_MODULE_OF[name])), name)
    return _checked(value, name) if isfunction(value) and not iscoroutinefunction(value) else value


@cache
def _checked(function: Any, name: str) -> Any:
    """The public function, which looks at the kinds of its arguments first; always the same one."""
    from mossbench.plumbing.arguments import checked

    return checked(function, name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
