"""Measures how often multimodal models turn down harmless image+text requests.

Everything the command line does, from Python:

    import mossbench as mb

    data = mb.load_dataset("sketches")
    results = mb.run(model="control/candid", data=data)
    results.rates()

The names are those of `__init__.pyi`. lazy_loader imports each of them when it is first used, so that
`import mossbench` and `mossbench --help` are quick.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    ImportName = Callable[[str], object]
    ListNames = Callable[[], list[str]]

__version__ = "0.2.0"

_SHOW_A_BAR = ("run", "resume_run", "judge_run", "analyse")
"""Functions that show how far they are where somebody watches."""
_attached: tuple[ImportName, ListNames, list[str]] | None = None
_checked_functions: dict[str, object] = {}


def __getattr__(name: str) -> object:
    """A public name, which is kept in the package: Python asks here only for names that it does not find there."""
    import_name, list_names = _attach_stub()
    if name == "__all__":
        return list_names()
    if name not in list_names():
        raise AttributeError(f"module 'mossbench' has no attribute {name!r}")
    value = _with_checks(import_name(name), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    _, list_names = _attach_stub()
    return [*list_names(), "__version__"]


def _attach_stub() -> tuple[ImportName, ListNames]:
    """How lazy_loader imports and lists the names of `__init__.pyi`.

    It reads the stub when a name is first asked for, not when the package is imported: this takes milliseconds, in
    which `mossbench.start` does not yet answer Ctrl-C and Python would show a traceback.
    """
    global _attached
    if _attached is None:
        import lazy_loader

        _attached = lazy_loader.attach_stub(__name__, __file__)
        for name in _attached[2]:
            globals().pop(name, None)  # with EAGER_IMPORT=1 it has put all names here, functions without their checks
    import_name, list_names, _ = _attached
    return import_name, list_names


def _with_checks(value: object, name: str) -> object:
    """A public function that looks at the kinds of its arguments first; anything else as it is.

    Functions get their checks here, where users come in, and not where they are defined: calls within the package are
    checked by mypy, and no new public function can go without. Threads that ask at the same time get the same one.
    """
    from inspect import iscoroutinefunction, isfunction

    if not isfunction(value) or iscoroutinefunction(value):
        return value
    from mossbench.plumbing.argument_checks import checked

    function = checked(value, name)
    if name in _SHOW_A_BAR:
        from mossbench.runs.watching import with_own_bar

        function = with_own_bar(function)
    return _checked_functions.setdefault(name, function)
