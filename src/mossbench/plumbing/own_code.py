"""One's own model or judge from a file: `path/to/file.py:name`, a function, a class or an instance.

The file imports the files beside it as a script would. They live in a package of their own, one for each such file, so
that two files may have neighbours of the same name, and no search path is changed for anybody else.
"""

import builtins
import hashlib
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from mossbench.errors import MossbenchError, UsageError, unknown_name

_SPEC = re.compile(r"(?P<path>.+\.py):(?P<name>[A-Za-z_]\w*)")
_PREFIX = "mossbench_own_"
_OURS = str(Path(__file__).parents[1])
_files: dict[str, tuple[Path, ...]] = {}
"""Package -> the files that were loaded with it: the user's, and the neighbours that it imported at once."""


@dataclass(frozen=True)
class OwnCode:
    """What a user's file has under a name: a function or an instance. The version is a hash of the files it is from."""

    name: str
    value: Any
    version: str


def is_own_code(spec: str) -> bool:
    return _SPEC.fullmatch(spec) is not None


def load_own_code(spec: str, base: type, takes: str) -> OwnCode:
    """What `path/to/file.py:name` names: a function of `takes`, or an instance that is called with it or is a `base`.

    A class is made without arguments. Every mistake in it is a UsageError that says where.
    """
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise UsageError(f"{spec!r} is not of the form path/to/file.py:name")
    path, name = Path(match["path"]), match["name"]
    if not path.is_file():
        raise UsageError(f"no file {str(path)!r} for {spec!r}; give the path of an existing .py file")
    members, version = _loaded(path.resolve(), str(path))
    if name not in members:
        known = [key for key, value in members.items() if callable(value) and not key.startswith("_")]
        raise unknown_name(f"function in {path}", name, known, f"it defines: {', '.join(known) or 'none'}")
    value = members[name]
    if isinstance(value, type):
        value = _made(spec, value, path.resolve().parent)
    if not isinstance(value, base):
        _check_call(spec, value, base, takes)
    return OwnCode(spec, value, version)


def own_traceback(error: BaseException) -> str:
    """The traceback of an exception in a user's code, from the first line on that is not ours; whole if all are."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_OURS):
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace or error.__traceback__))


def _made(spec: str, kind: type, folder: Path) -> Any:
    try:
        inspect.signature(kind).bind()
    except TypeError as error:
        raise UsageError(
            f"{spec!r} is a class that cannot be made without arguments: {error}; "
            "give them defaults, or name an instance of it"
        ) from error
    except ValueError:  # one whose signature nobody knows
        pass
    try:
        return kind()
    except MossbenchError:
        raise
    except Exception as error:
        raise UsageError(f"{spec!r} cannot be made: {_told(error, folder)}") from error


def _check_call(spec: str, value: Any, base: type, takes: str) -> None:
    if not callable(value):
        what = type(value).__name__
        raise UsageError(
            f"{spec!r} is a {what}, expected a function of {takes}, or a class or an instance that has "
            f"__call__ or derives from mossbench.{base.__name__}"
        )
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):  # nobody knows what it takes
        return
    try:
        signature.bind(None)
    except TypeError as error:
        raise UsageError(f"{spec!r} takes {signature}, expected one argument: {takes}") from error


def _loaded(path: Path, shown: str) -> tuple[dict[str, Any], str]:
    """What the file defines, and its version; loaded again only if it or a neighbour has changed."""
    package = _PREFIX + hashlib.sha256(f"{path}\x00".encode() + path.read_bytes()).hexdigest()[:12]
    name = f"{package}.{path.stem if path.stem.isidentifier() else 'own'}"
    version = _version(_files[package]) if package in _files else ""
    if not version or getattr(sys.modules[package], "version", "") != version:
        _forget(package)
        home = ModuleType(package)
        home.__path__ = [str(path.parent)]
        sys.modules[package] = home
        try:
            module = _execute(name, path)
        except (Exception, SystemExit) as error:  # whatever the user's file raises is theirs to fix
            _forget(package)
            raise UsageError(f"{shown} cannot be loaded: {_told(error, path.parent)}") from error
        there = [one for key, one in list(sys.modules.items()) if key.startswith(f"{package}.") and one is not module]
        _files[package] = (path, *sorted(Path(file) for one in there if (file := getattr(one, "__file__", None))))
        version = _version(_files[package])
        vars(home)["version"] = version
    return vars(sys.modules[name]), version


def _execute(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path, loader=_Loader(name, str(path)))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickles in the file look themselves up there
    if _Neighbours not in sys.meta_path:
        sys.meta_path.insert(0, _Neighbours)
    spec.loader.exec_module(module)
    return module


def _version(files: Sequence[Path]) -> str:
    """A hash of the files; of a file without neighbours, of its bytes alone."""
    try:
        contents = [path.read_bytes() for path in files]
    except OSError:  # one is gone: whoever imports it will say so
        return ""
    parts = contents if len(files) == 1 else [hashlib.sha256(content).digest() for content in contents]
    return hashlib.sha256(b"".join(parts)).hexdigest()[:12]


def _forget(package: str) -> None:
    _files.pop(package, None)
    for key in [key for key in sys.modules if key == package or key.startswith(f"{package}.")]:
        del sys.modules[key]


def _told(error: BaseException, folder: Path) -> str:
    """An exception in a line, with the last place in the user's folder that it went through."""
    frames = traceback.extract_tb(error.__traceback__)
    place = [frame for frame in frames if Path(frame.filename).is_relative_to(folder)]
    where = f" ({Path(place[-1].filename).name}, line {place[-1].lineno})" if place else ""
    return f"{type(error).__name__}: {error}{where}"


class _Loader(SourceFileLoader):
    """Runs a file of the user's so that its imports look beside it first, also those inside its functions."""

    def get_code(self, fullname: str) -> CodeType | None:
        # From the source alone: bytecode is told by its second and size, and an edit may keep both.
        code: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return code

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__builtins__"] = {**vars(builtins), "__import__": _importer(module.__name__.partition(".")[0])}
        super().exec_module(module)


class _Neighbours:
    """Finds the modules of users' packages; all others are none of its business."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if not name.startswith(_PREFIX) or path is None:
            return None
        kinds = (_Loader, [".py"]), (ExtensionFileLoader, EXTENSION_SUFFIXES)
        return next((spec for one in path if (spec := FileFinder(one, *kinds).find_spec(name))), None)


def _importer(package: str) -> Callable[..., Any]:
    """`__import__` for the files of a package: a neighbour where there is one, else what anybody would get."""

    def is_neighbour(name: str) -> bool:
        if name in sys.stdlib_module_names or name == __name__.partition(".")[0]:
            return False
        spec = _Neighbours.find_spec(f"{package}.{name}", sys.modules[package].__path__)
        if spec is None or spec.loader is not None:
            return spec is not None
        return name not in sys.modules and importlib.util.find_spec(name) is None  # a folder: packages come first

    def imported(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        first, own = name.partition(".")[0], (globals or {}).get("__name__", "")
        if level or own == f"{package}.{first}" or not is_neighbour(first):  # openai.py may be about openai
            return builtins.__import__(name, globals, locals, fromlist, level)
        found = builtins.__import__(f"{package}.{name}", globals, locals, fromlist, 0)
        return found if fromlist else sys.modules[f"{package}.{first}"]

    return imported
