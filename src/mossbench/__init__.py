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

TYPE_CHECKING = False
if TYPE_CHECKING:  # what takes time to import is imported when it is needed: until then Ctrl-C is a traceback
    from typing import Any

__version__ = "0.2.0"
_modules: dict[str, str] = {}  # of each name, once somebody has asked for one
_checked_functions: dict[Any, Any] = {}


def _module_of() -> dict[str, str]:
    """The module of each public name, as `__init__.pyi` has them."""
    if not _modules:
        import ast
        from pathlib import Path

        for statement in ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8")).body:
            if isinstance(statement, ast.ImportFrom):
                _modules.update({name.name: str(statement.module) for name in statement.names})
    return _modules


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(_module_of())
    if name.startswith("__") or name not in _module_of():
        raise AttributeError(f"module 'mossbench' has no attribute {name!r}")
    from importlib import import_module
    from inspect import iscoroutinefunction, isfunction

    value = getattr(import_module(_module_of()[name]), name)
    return _checked(value, name) if isfunction(value) and not iscoroutinefunction(value) else value


def _checked(function: Any, name: str) -> Any:
    """The public function, which looks at the kinds of its arguments first; always the same one."""
    if function not in _checked_functions:
        from mossbench.plumbing.arguments import checked

        _checked_functions[function] = checked(function, name)
    return _checked_functions[function]


def __dir__() -> list[str]:
    return [*sorted(_module_of()), "__version__"]
