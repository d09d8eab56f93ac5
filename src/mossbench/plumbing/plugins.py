"""Plug-ins: what installed packages offer under an entry point: models, judges and datasets.

    [project.entry-points."mossbench.judges"]
    polite = "my_package.judges:judge"

Packages are looked through only when somebody uses a name that mossbench does not have itself, or asks for a list, and
a package is imported only then. What cannot be loaded is named, with its package and the reason, and left out; other
names work as before.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Container
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mossbench.errors import UsageError
from mossbench.plumbing.own_code import error_line

if TYPE_CHECKING:
    from importlib.metadata import Distribution

Group = Literal["models", "judges", "datasets"]


@dataclass(frozen=True)
class Plugin:
    """An entry point of an installed package; nothing of the package was imported for it."""

    group: Group
    name: str
    target: str
    """`module:name`, as the package states it."""
    package: str
    package_version: str
    is_editable: bool = False
    """Whether the package was installed from a folder whose files change without a new version."""

    @property
    def words(self) -> str:
        """How messages call it: `judge 'polite' of the package my-package 1.0`."""
        return f"{self.group.removesuffix('s')} {self.name!r} of the package {self.package} {self.package_version}"


@dataclass(frozen=True)
class LoadedPlugin:
    """What an entry point names, and the version that is recorded with every result of it."""

    plugin: Plugin
    value: Any
    version: str
    folder: Path
    """The folder of the package, or of a module that is in none."""

    @property
    def description(self) -> str:
        """The first line of its docstring, and the package."""
        package = f"package {self.plugin.package} {self.version}"
        is_described = callable(self.value) and self.value.__doc__
        first_line = str(self.value.__doc__).strip().partition("\n")[0] if is_described else ""
        return f"{first_line} ({package})" if first_line else package


def find_plugins(group: Group) -> list[Plugin]:
    """The plug-ins of a group, by name and package; a package that is found twice counts where Python imports it."""
    from importlib.metadata import distributions

    installed = list(distributions())
    if not any(_offers(distribution, group) for distribution in installed):
        return []  # most often; without the names of packages, which take ten times as long to read
    plugins: list[Plugin] = []
    packages: set[str] = set()
    for distribution in installed:
        package = _package_name(distribution)
        if package not in packages:
            packages.add(package)
            plugins += _plugins_of(distribution, package, group)
    return sorted(plugins, key=lambda plugin: (plugin.name, plugin.package))


def find_plugin(group: Group, name: str) -> Plugin | None:
    """The plug-in of this name; None if no package has one, a UsageError if several have."""
    plugins = [plugin for plugin in find_plugins(group) if plugin.name == name]
    if len(plugins) > 1:
        packages = " and ".join(plugin.package for plugin in plugins)
        kind = group.removesuffix("s")
        raise UsageError(f"the packages {packages} all have a {kind} named {name!r}; uninstall all but one of them")
    return plugins[0] if plugins else None


def load_plugin(plugin: Plugin) -> LoadedPlugin:
    """Imports what the entry point names; a UsageError that names plug-in and package if that fails."""
    module_name, _, path = plugin.target.partition(":")
    try:
        with redirect_stdout(sys.stderr):  # what a package prints must not stand in a command's results
            module = import_module(module_name)
            value: Any = module
            for part in filter(None, path.split(".")):
                value = getattr(value, part)
    except (Exception, SystemExit) as error:  # the package's authors have to fix whatever it raises
        raise UsageError(
            f"the {plugin.words} cannot be loaded: {error_line(error, _folder_of(module_name))}; "
            "correct or uninstall the package"
        ) from error
    version = plugin.package_version
    if plugin.is_editable:
        version += f"-{_hash_of_sources(module_name)}"
    return LoadedPlugin(plugin, value, version, _folder_of(module_name))


def load_plugins(group: Group, names_taken: Container[str]) -> list[tuple[Plugin, LoadedPlugin | UsageError]]:
    """Each plug-in of a group as it was loaded, or why it cannot be used: it is broken, or its name is taken."""
    plugins: list[tuple[Plugin, LoadedPlugin | UsageError]] = []
    for plugin in find_plugins(group):
        try:
            if plugin.name in names_taken:
                raise UsageError(f"the {plugin.words} cannot be used: mossbench has one of this name itself")
            find_plugin(group, plugin.name)
            plugins.append((plugin, load_plugin(plugin)))
        except UsageError as error:
            plugins.append((plugin, error))
    return plugins


def names_of(group: Group) -> list[str]:
    """The names of a group's plug-ins, for messages about a name that does not exist."""
    return [plugin.name for plugin in find_plugins(group)]


def _package_name(distribution: Distribution) -> str:
    try:
        return distribution.metadata["Name"] or "unknown"
    except Exception:  # metadata that cannot be read is the package's fault, and may have any
        return "unknown"


def _offers(distribution: Distribution, group: Group) -> bool:
    """Whether a package has entry points of the group; no if its metadata is damaged."""
    try:
        return bool(distribution.entry_points.select(group=f"mossbench.{group}"))
    except Exception:  # as above
        return False


def _plugins_of(distribution: Distribution, package: str, group: Group) -> list[Plugin]:
    """The plug-ins of one package; none if its metadata is damaged: no command may fail because of a package."""
    try:
        entry_points = distribution.entry_points.select(group=f"mossbench.{group}")
        if not entry_points:
            return []
        version = str(distribution.metadata["Version"] or "unknown")
        is_editable = _is_editable(distribution)
        return [Plugin(group, point.name, point.value, package, version, is_editable) for point in entry_points]
    except Exception:  # as above
        return []


def _is_editable(distribution: Distribution) -> bool:
    record = json.loads(distribution.read_text("direct_url.json") or "{}")
    return bool(record.get("dir_info", {}).get("editable"))


def _folder_of(module_name: str) -> Path:
    """The folder of the package that a module is in, also where it cannot be imported; the module's, if in none."""
    top_level = module_name.partition(".")[0]
    try:
        spec = find_spec(top_level)
    except (ImportError, ValueError):  # what was left half imported has no spec
        spec = None
    return Path(spec.origin).parent if spec is not None and spec.origin else Path(top_level)


def _hash_of_sources(module_name: str) -> str:
    """A hash of the package's Python files; of the module's own file where it is in no package."""
    top = sys.modules[module_name.partition(".")[0]]
    file = Path(str(top.__file__))
    files = sorted(file.parent.rglob("*.py")) if hasattr(top, "__path__") else [file]
    digests = [hashlib.sha256(path.read_bytes()).digest() for path in files]
    return hashlib.sha256(b"".join(digests)).hexdigest()[:12]
