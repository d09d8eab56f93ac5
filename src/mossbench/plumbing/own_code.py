"""Loads a user's own model, judge or dataset from a file: `path/to/file.py:name`, a function, a class or an instance.

A model's name may go on after a slash (`path/to/file.py:Acme/small`): what is named gets the rest.

The file can import the files beside it, as a script can. Each such file gets a package for itself and its neighbours,
so that two files may have neighbours of the same name and the search path stays unchanged for other code.
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
from pathlib import Path, PureWindowsPath
from types import CodeType, ModuleType
from typing import Any

from mossbench.errors import MossbenchError, UsageError, unknown_name

_SPEC = re.compile(r"(?P<path>.+?\.py):(?P<name>[A-Za-z_]\w*)(/(?P<argument>.+))?")
_PREFIX = "mossbench_own_"
_OURS = str(Path(__file__).parents[1])
_files: dict[str, tuple[Path, ...]] = {}
"""Package -> the files that were loaded with it: the user's, and the neighbours that it imported directly."""


@dataclass(frozen=True)
class OwnCode:
    """A function or an instance from a user's file. The version is a hash of the files that were loaded for it."""

    name: str
    value: Any
    version: str


def is_own_code(spec: str) -> bool:
    return _SPEC.fullmatch(spec) is not None


def load_own_code(spec: str, base: type, takes: str) -> OwnCode:
    """The function or instance `path/to/file.py:name`; it takes one argument (`takes`, in words) or is a `base`.

    A class is created without arguments, or with what follows a slash. Every mistake in the file is a UsageError that
    says where.
    """
    own = load_own_value(spec)
    path, _, argument = file_of(spec)
    value = usable(spec, own.value, base, takes, argument=argument, folder=path.resolve().parent)
    return OwnCode(own.name, value, own.version)


def load_own_value(spec: str) -> OwnCode:
    """What `path/to/file.py:name` is in the file, whatever that is."""
    path, name, _ = file_of(spec)
    if not path.is_file():
        raise UsageError(f"no file {str(path)!r} for {spec!r}; give the path of an existing .py file")
    members, version = _load_file(path.resolve(), str(path))
    if name not in members:
        functions = [key for key, value in members.items() if callable(value) and not key.startswith("_")]
        raise unknown_name(f"function in {path}", name, functions, f"it defines: {', '.join(functions) or 'none'}")
    return OwnCode(spec, members[name], version)


def is_loaded(spec: str) -> bool:
    """Whether this process has loaded the file as it is now."""
    path = file_of(spec)[0]
    return path.is_file() and _package_name(path.resolve()) in _files


def file_of(spec: str) -> tuple[Path, str, str]:
    """The file of `path/to/file.py:name/argument`, the name in it, and the argument; the last is empty if none is."""
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise UsageError(f"{spec!r} is not of the form path/to/file.py:name")
    return Path(match["path"]), match["name"], match["argument"] or ""


def without_its_folders(spec: str) -> str:
    """`/home/me/mine.py:Acme/small` as `mine.py:Acme/small`; what names no code unchanged."""
    if not is_own_code(spec):
        return spec
    path, _, rest = spec.partition(".py:")
    return f"{PureWindowsPath(path).name}.py:{rest}"  # knows both slashes


def usable(spec: str, value: Any, base: type, takes: str, *, argument: str | None, folder: Path) -> Any:
    """A function of one argument, or an instance of `base`, made from what a user or a package gives under a name.

    `argument` is what follows a slash in the name, such as which of a provider's models: a class is created with it,
    a function gets it as its second argument. None: such a name never goes on. `folder` has the user's files.
    """
    if isinstance(value, type):
        value = _create_instance(spec, value, folder, argument)
    elif argument:
        value = _with_argument(spec, value, argument)
    if not isinstance(value, base):
        _check_call(spec, value, base, takes, may_go_on=argument == "")
    return value


def _with_argument(spec: str, function: Any, argument: str) -> Any:
    """The function with its second argument given; a UsageError where it takes none."""
    if not callable(function):
        raise UsageError(f"{spec!r} goes on after a slash, but what it names takes no {argument!r}; omit the slash")
    try:
        inspect.signature(function).bind(None, argument)
    except TypeError as error:
        raise UsageError(
            f"{spec!r} goes on after a slash, but the function takes one argument; omit /{argument}, or let the "
            f"function take a second argument, which will be {argument!r}"
        ) from error
    except ValueError:  # its signature is not known
        pass
    return lambda prompt: function(prompt, argument)


def own_traceback(error: BaseException) -> str:
    """The traceback of an exception in a user's code, from the first line on that is not ours, if there is one."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_OURS):
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace or error.__traceback__))


def _create_instance(spec: str, cls: type, folder: Path, argument: str | None) -> Any:
    """An instance of the class, created with the argument where there is one."""
    arguments = (argument,) if argument else ()
    try:
        inspect.signature(cls).bind(*arguments)
    except TypeError as error:
        raise UsageError(_why_not_created(spec, cls, argument, error)) from error
    except ValueError:  # a class without a known signature
        pass
    try:
        return cls(*arguments)
    except MossbenchError:
        raise
    except Exception as error:
        raise UsageError(f"{spec!r} cannot be created: {error_line(error, folder)}") from error


def _why_not_created(spec: str, cls: type, argument: str | None, error: TypeError) -> str:
    if argument:
        return f"{spec!r} is a class that cannot be created with {argument!r}: {error}; let it take one argument"
    way_out = "give them defaults, or name an instance"
    if argument == "":
        way_out += f"; one argument can also be given after a slash: {spec}/NAME"
    return f"{spec!r} is a class that cannot be created without arguments: {error}; {way_out}"


def _check_call(spec: str, value: Any, base: type, takes: str, *, may_go_on: bool) -> None:
    """A UsageError unless the value can be called with one argument; `may_go_on`: a name may give a second one."""
    if not callable(value):
        raise UsageError(
            f"{spec!r} is a {type(value).__name__}, expected a function of {takes}, or a class or an instance that has "
            f"__call__ or derives from mossbench.{base.__name__}"
        )
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):  # its signature is not known
        return
    try:
        signature.bind(None)
    except TypeError as error:
        way_out = ""
        if may_go_on and _takes_a_second(signature):
            way_out = f"; a second one is given after a slash: {spec}/NAME"
        raise UsageError(f"{spec!r} takes {signature}, expected one argument: {takes}{way_out}") from error


def _takes_a_second(signature: inspect.Signature) -> bool:
    try:
        signature.bind(None, "name")
    except TypeError:
        return False
    return True


def _load_file(path: Path, shown_path: str) -> tuple[dict[str, Any], str]:
    """What the file defines, and its version; loaded again only if it or a neighbour has changed."""
    package_name = _package_name(path)
    name = f"{package_name}.{path.stem if path.stem.isidentifier() else 'own'}"
    version = _version(_files[package_name]) if package_name in _files else ""
    is_loaded = bool(version) and getattr(sys.modules[package_name], "version", "") == version
    if is_loaded:
        return vars(sys.modules[name]), version
    _forget(package_name)
    package = ModuleType(package_name)
    package.__path__ = [str(path.parent)]
    sys.modules[package_name] = package
    try:
        module = _execute(name, path)
    except (Exception, SystemExit) as error:  # the user has to fix whatever their file raises
        _forget(package_name)
        raise UsageError(f"{shown_path} cannot be loaded: {error_line(error, path.parent)}") from error
    _files[package_name] = (path, *_neighbour_files(package_name, module))
    version = _version(_files[package_name])
    vars(package)["version"] = version
    return vars(sys.modules[name]), version


def _package_name(path: Path) -> str:
    """The name of the package of a file: another one for another place or content."""
    return _PREFIX + hashlib.sha256(f"{path}\x00".encode() + path.read_bytes()).hexdigest()[:12]


def _neighbour_files(package_name: str, module: ModuleType) -> list[Path]:
    """The files of the modules that the module of the user's file has imported from its folder."""
    files: list[Path] = []
    for name, neighbour in list(sys.modules.items()):
        file = getattr(neighbour, "__file__", None)
        if name.startswith(f"{package_name}.") and neighbour is not module and file:
            files.append(Path(file))
    return sorted(files)


def _execute(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path, loader=_Loader(name, str(path)))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickles in the file look up their module there
    if _Neighbours not in sys.meta_path:
        sys.meta_path.insert(0, _Neighbours)
    spec.loader.exec_module(module)
    return module


def _version(files: Sequence[Path]) -> str:
    """A hash of the files; for a file without neighbours, of its bytes alone."""
    try:
        contents = [path.read_bytes() for path in files]
    except OSError:  # a file was deleted: importing it will fail
        return ""
    parts = contents if len(files) == 1 else [hashlib.sha256(content).digest() for content in contents]
    return hashlib.sha256(b"".join(parts)).hexdigest()[:12]


def _forget(package: str) -> None:
    _files.pop(package, None)
    for key in [key for key in sys.modules if key == package or key.startswith(f"{package}.")]:
        del sys.modules[key]


def error_line(error: BaseException, folder: Path) -> str:
    """An exception in one line, with the last line of the user's folder in its traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    own_frames = [frame for frame in frames if Path(frame.filename).is_relative_to(folder)]
    place = ""
    if own_frames:
        place = f" ({Path(own_frames[-1].filename).name}, line {own_frames[-1].lineno})"
    return f"{type(error).__name__}: {error}{place}"


class _Loader(SourceFileLoader):
    """Runs a user's file such that its imports look in its folder first, also imports inside functions."""

    def get_code(self, fullname: str) -> CodeType | None:
        # From the source, not from cached bytecode: that is checked by second and size, which an edit may not change.
        code: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return code

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__builtins__"] = {**vars(builtins), "__import__": _importer(module.__name__.partition(".")[0])}
        super().exec_module(module)


class _Neighbours:
    """Finds the modules of users' packages, and no others."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if not name.startswith(_PREFIX) or path is None:
            return None
        loaders = ((_Loader, [".py"]), (ExtensionFileLoader, EXTENSION_SUFFIXES))
        for folder in path:
            spec = FileFinder(folder, *loaders).find_spec(name)
            if spec is not None:
                return spec
        return None


def _importer(package: str) -> Callable[..., Any]:
    """`__import__` for the files of a package: a neighbour if there is one, else the usual module."""

    def is_neighbour(name: str) -> bool:
        if name in sys.stdlib_module_names or name == __name__.partition(".")[0]:
            return False
        spec = _Neighbours.find_spec(f"{package}.{name}", sys.modules[package].__path__)
        if spec is None or spec.loader is not None:
            return spec is not None
        return name not in sys.modules and importlib.util.find_spec(name) is None  # a folder: packages come first

    def imported(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        top_level = name.partition(".")[0]
        importing_module = (globals or {}).get("__name__", "")
        is_importing_itself = importing_module == f"{package}.{top_level}"  # openai.py may import openai
        if level or is_importing_itself or not is_neighbour(top_level):
            return builtins.__import__(name, globals, locals, fromlist, level)
        module = builtins.__import__(f"{package}.{name}", globals, locals, fromlist, 0)
        return module if fromlist else sys.modules[f"{package}.{top_level}"]

    return imported
