"""The options of `options.toml`, the one table of them. Commands name those they have.

A default stands where the library has it (`source`) and is looked up when a command runs or shows its help, so that
`mossbench --help` need not import the library. An option of `RunConfig` is None where it is not given, and its help
is the field's description.
"""

import tomllib
from collections.abc import Callable
from enum import Enum
from functools import partial
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar, get_args

import click
from click.shell_completion import CompletionItem

from mossbench.cli.printing import note
from mossbench.errors import unknown_name

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

RUN = "store.config:RunConfig"


def found(source: str) -> Any:
    """What `module:name` of the package is."""
    module, _, path = source.partition(":")
    value = import_module(f"mossbench.{module}")
    for part in path.split("."):
        value = getattr(value, part)
    return value


def default_of(source: str, name: str) -> Any:
    """The default of a field or a keyword of that name, or the constant itself."""
    value = found(source)
    if fields := getattr(value, "model_fields", None):
        return fields[name].default
    value = signature(value).parameters[name].default if callable(value) else value
    return value.value if isinstance(value, Enum) else value


MOST_SAID = 15
"""Names that a help text lists; of more it has the first two."""


class Names(click.ParamType):  # type: ignore[type-arg]  # generic only in newer versions
    """Names that a table of the package has (`module:name`) or that stand here; with a hint for typos, and completed.

    Where something else is taken `too`, names are only completed: the library says what is wrong with others.
    """

    def __init__(self, name: str, listed: str, *more: str, too: str = "") -> None:
        self.name, self._listed, self._more, self._too = name, listed, more, too

    def known(self) -> list[str]:
        values = found(self._listed) if ":" in self._listed else self._listed.split()
        return [str(getattr(one, "value", one)) for one in [*(get_args(values) or values), *self._more]]

    def said(self) -> str:
        known = self.known()
        *names, last = [*(known if len(known) <= MOST_SAID else known[:2]), *filter(None, [self._too])]
        return f"{', '.join(names)} or {last}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        value = str(getattr(value, "value", value))
        if not self._too and value not in (known := self.known()):
            self.fail(str(unknown_name(self.name, value, known, f"expected {', '.join(known)}")), param, ctx)
        return str(value)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str | None:
        return f"[{'|'.join(self.known())}]" if not self._too else None

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        items = [CompletionItem(name) for name in self.known() if name.startswith(incomplete)]
        return items if items or not self._too else [CompletionItem(incomplete, type="file")]


class RunPath(click.Path):
    """The folder of a run; where there is nothing at that path, the name of a run in `runs`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path, named = Path(value), Path("runs") / value
        return named if not path.exists() and (named / "run.json").is_file() else path


class Models(Names):
    """Presets, control models and the providers' prefixes."""

    def known(self) -> list[str]:
        controls = [f"control/{name}" for name in found("models.control:CONTROLS")]
        return [*super().known(), *controls, *(f"{name}/" for name in found("models:PROVIDERS") if name != "control")]


class Option(click.Option):
    """An option that shows its default as the library has it."""

    def __init__(self, *args: Any, source: str = "", shown: str = "", own: Any = None, **more: Any) -> None:
        super().__init__(*args, **more)
        self.source, self.shown, self.own, self.words = source, shown, own, self.help or ""

    @property
    def key(self) -> str:
        return str(self.name).rstrip("_")

    def default_shown(self) -> str:
        value = default_of(self.source, self.key) if self.source else self.own
        if self.shown or value is None or value is False or value in ((), {}):
            return self.shown
        return f"{value:g}" if isinstance(value, float) else str(value)

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        words = self.words or str(found(self.source).model_fields[self.key].description)
        if isinstance(self.type, Names) and "{names}" in words:
            words = words.replace("{names}", self.type.said())
        shown = self.default_shown()
        self.help = f"{words}.  [default: {shown}]" if shown else f"{words}."
        return super().get_help_record(ctx)


def _ids(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...] | None:
    ids = tuple(part.strip() for value in values for part in value.split(",") if part.strip())
    if values and not ids:
        raise click.BadParameter("names no id; leave it out to ask all samples")
    return ids or None


def _columns(_ctx: click.Context, _param: click.Parameter, value: str | None) -> dict[str, str] | None:
    return found("datasets.columns:parse_columns")(value) if value is not None else None


def _share(_ctx: click.Context, _param: click.Parameter, value: float) -> float:
    if not 0 <= value <= 1:  # also refuses nan
        raise click.BadParameter(f"{value} is not a share from 0 to 1")
    return value


def _pairs(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for value in values:
        name, equals, source = value.rpartition("=")
        if not equals or not name or not source:
            raise click.BadParameter(f"{value!r} is not JUDGE=SOURCE")
        found.setdefault(name, set()).add(source)
    return found


def _text_or_file(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is None or not value.startswith("@"):
        return value
    try:
        return Path(value[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"cannot read {value[1:]!r}: {error}") from error


def _without_own_files(_ctx: click.Context, _param: click.Parameter, paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """The runs among what a shell makes of `reproduction/*`, where pages, tables and other files lie beside them."""
    from mossbench.reports.own_files import is_beside_runs

    folders_of_runs = {path.parent.resolve() for path in paths if (path / "run.json").is_file()}
    ours = [path for path in paths if is_beside_runs(path)]
    others = [path for path in paths if path.is_file() and path.parent.resolve() in folders_of_runs]
    if not set(paths) - {*ours, *others}:
        return paths  # somebody means them: the command says what it expects
    for path in paths:
        if path in ours:
            note(f"note: {path} is no run: mossbench wrote it beside runs; skipped")
        elif path in others:
            note(f"note: {path} is no run but a file beside runs; skipped")
    return tuple(path for path in paths if path not in ours and path not in others)


def runs_argument(name: str = "runs", *, required: bool = True) -> Callable[[Decorated], Decorated]:
    """The argument RUN… of a command: folders of runs; files that lie beside them are skipped."""
    return click.argument(name, nargs=-1, required=required, type=RUN_PATH, callback=_without_own_files)


def _one_run(ctx: click.Context, param: click.Parameter, paths: tuple[Path, ...]) -> Path:
    """The one run among what was given: a shell may give our own pages beside it."""
    runs = _without_own_files(ctx, param, paths)
    if len(runs) > 1:
        message = f"this command takes one run, and {len(runs)} are given; repeat it for each of them"
        raise click.UsageError(message, ctx)
    return runs[0]


def run_argument() -> Callable[[Decorated], Decorated]:
    """The argument RUN of a command that takes one run."""
    return click.argument("run", nargs=-1, required=True, metavar="RUN", type=RUN_PATH, callback=_one_run)


PATH, RUN_PATH = click.Path(path_type=Path), RunPath(path_type=Path)
DATASET = Names("dataset", "datasets:DATASETS", too="another name that `mossbench data list` shows, a folder or file")
ANALYSIS = Names("analysis", "analyses:ANALYSES", "all")
TYPES = {
    "int": int,
    "float": float,
    "from 0": click.IntRange(min=0),
    "from 1": click.IntRange(min=1),
    "from 2": click.IntRange(min=2),
    "port": click.IntRange(0, 65535),
    "0 or more": click.FloatRange(min=0),
    "above 0": click.FloatRange(min=0, min_open=True),
    "share": click.FloatRange(0, 1),
    "share above 0": click.FloatRange(0, 1, min_open=True),
    "rating": click.FloatRange(1, 5),
    "path": PATH,
    "run": RUN_PATH,
    "arm": Names("arm", "datasets.arms:ARMS"),
    "dataset": DATASET,
    "model": Models("model", "models:PRESETS", too="provider/name or file.py:function"),
    "judge": Names("judge", "judges:JUDGES", too="file.py:function"),
    "one side": Names("side", "samples:Side"),
    "side": Names("side", "samples:Side", "both"),
    "rule": Names("rule", "outcomes:Rule"),
    "availability": Names("availability", "web API open"),
}
CALLBACKS = {"ids": _ids, "columns": _columns, "share": _share, "pairs": _pairs, "text or file": _text_or_file}


OPTIONS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("options.toml").read_text("utf-8"))

JUDGE_OPTIONS = ("judge", "judge_model", "judge_base_url", "threshold")
ENGINE_OPTIONS = ("engine", "poll", "address", "workers", "num_cpus", "num_gpus", "storage")


def option_type(kind: str = "", names: str = "", too: str = "") -> Any:
    return Names(kind, names, too=too) if names else TYPES[kind] if kind else None


def _option(key: str) -> Callable[[Any], Any]:
    """A row of the table as a decorator; keys that are not ours are click's."""
    name, row = key.rpartition(".")[2], dict(OPTIONS[key])
    row["type"] = option_type(*(row.pop(part, "") for part in ("type", "names", "too")))
    dest, own, source = row.pop("dest", name), row.pop("default", None), row.get("source", "")
    default = own if source in ("", RUN) else partial(default_of, source, dest.rstrip("_"))
    if row.pop("if_given", False):
        row["default"] = None
    elif default is not None:
        row["default"] = default
    if "callback" in row:
        row["callback"] = CALLBACKS[row["callback"]]
    return click.option(f"--{name.replace('_', '-')}", dest, cls=Option, show_default=False, own=own, **row)


def options(*names: str) -> Callable[[Decorated], Decorated]:
    """Gives a command these options of the table, in this order."""

    def decorate(command: Decorated) -> Decorated:
        for name in reversed(names):
            command = _option(name)(command)
        return command

    return decorate


def was_given(name: str) -> bool:
    """Whether an option of the running command stands on its line, and is not there by default."""
    return click.get_current_context().get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def given(options: dict[str, Any]) -> dict[str, Any]:
    """Those options that were given: all others are the library's to choose."""
    return {name: value for name, value in options.items() if value is not None}
