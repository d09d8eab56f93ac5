"""Judges by name: the table of judges and `load_judge`.

A judge's name may carry settings, as an address does: `rubric/kinds?model=openai/gpt-4o`,
`cascade?model=openai/gpt-4o&threshold=0.95`. The name with its settings is what a run records. The offline judges keep
their earlier versions: `rules` is the newest one, `rules/3` the one before. Other packages may have judges too
(docs/extending.md).
"""

from __future__ import annotations

import hashlib
import inspect
import tomllib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl, urlencode

from mossbench.errors import Code, UsageError, unknown_name
from mossbench.judges.judge import AnyJudge, FunctionJudge, Judge, Reader, judge_exchange, own_judge
from mossbench.plumbing.own_code import OwnCode, file_of, is_own_code, load_own_value, usable
from mossbench.plumbing.plugins import find_plugin, load_plugin, names_of

if TYPE_CHECKING:
    from mossbench.judges.rubric import RubricJudge

__all__ = ["DEFAULT_JUDGE", "JUDGES", "FunctionJudge", "Judge", "judge_exchange", "judge_spec", "load_judge"]


class JudgeKind(NamedTuple):
    """What a judge is, its class in this room, the settings that it takes, and whether its name goes on after a /."""

    what: str
    made_by: str
    takes: Collection[str] = ()
    named: bool = False


JUDGES = {
    name: JudgeKind(**row)
    for name, row in tomllib.loads(Path(__file__).with_name("judges.toml").read_text("utf-8")).items()
}
DEFAULT_JUDGE = "reader"
SUCCESSION = ("keywords", "rules", "tandem", "reader")
"""The offline judges, the least proven on answers of real models first. Where two have read what is compared, the later
one reads all of it."""
DEFAULT_THRESHOLD = 0.9
"""Confidence from which a cascade takes the verdict of `rules`; `tune_cascade` finds the one for your answers."""


def panel_members(spec: str) -> list[str]:
    """The judges in a panel's name, each with its settings; empty for other judges."""
    return spec.removeprefix("panel/").split("+") if spec.startswith("panel/") else []


def judge_spec(judge: str, **settings: str | float | None) -> str:
    """A judge's name with settings in it, None left out; in a panel they go to the members that take them."""
    members = panel_members(judge)
    if members:
        return "panel/" + "+".join(with_settings(member, **settings) for member in members)
    texts = {name: str(value) for name, value in settings.items() if value is not None}
    if "base_url" in texts:
        texts["base_url"] = texts["base_url"].rstrip("/")
    if not texts:
        return judge
    separator = "&" if "?" in judge else "?"
    return f"{judge}{separator}{urlencode(texts, safe='/:.')}"


def with_settings(judge: str, **settings: str | float | None) -> str:
    """The judge's name with those of the settings that it takes and does not have yet."""
    if panel_members(judge):
        return judge_spec(judge, **settings)
    name, _, query = judge.partition("?")
    kind = name.partition("/")[0]
    takes = JUDGES[kind].takes if kind in JUDGES else ()
    present = dict(parse_qsl(query))
    new = {key: value for key, value in settings.items() if key in takes and key not in present}
    return judge_spec(judge, **new)


def without_endpoint(spec: str) -> tuple[str, str | None]:
    """A judge's name without the endpoint of its model, and the endpoint; None: the provider's own address."""
    members = panel_members(spec)
    if members:
        parts = [without_endpoint(member) for member in members]
        urls = " ".join(url for _, url in parts if url)
        return "panel/" + "+".join(name for name, _ in parts), urls or None
    name, _, query = spec.partition("?")
    settings = dict(parse_qsl(query))
    url = settings.pop("base_url", "").rstrip("/")
    return judge_spec(name, **settings), url or None


def load_judge(spec: AnyJudge) -> Judge:
    """The judge that `spec` names; a Judge or a function of one Exchange is taken as it is."""
    if isinstance(spec, Judge):
        return spec
    if callable(spec):
        return _function_judge(spec)
    if "?" not in spec and not panel_members(spec) and is_own_code(spec):
        return _load_from_file(spec)
    # The members of a panel may be own code, and have settings of their own.
    name, _, query = (spec, "", "") if panel_members(spec) else spec.partition("?")
    packaged = _load_from_package(spec)
    if packaged is not None:
        return packaged
    kind = _check_name(name, spec)
    settings = dict(parse_qsl(query))
    _check_settings(name, JUDGES[kind].takes, settings)
    return _judge_class(kind).from_spec(spec, settings)


def _load_from_file(spec: str) -> Judge:
    """The judge `path/to/file.py:name`, or `path/to/file.py:name/version` as labels have it."""
    path, _, version = file_of(spec)
    own = load_own_value(spec)
    name = spec.removesuffix(f"/{version}") if version else spec
    return _own_judge(name, own.value, own.version, version, path.resolve().parent)


def _load_from_package(spec: str) -> Judge | None:
    """The judge of this name, or name and version, that an installed package has; None if none has it."""
    name, _, version = spec.partition("/")
    plugin = None if name.partition("?")[0] in JUDGES else find_plugin("judges", name)
    if plugin is None:
        return None
    loaded = load_plugin(plugin)
    return _own_judge(name, loaded.value, loaded.version, version, loaded.folder)


def _own_judge(name: str, value: object, version: str, wanted_version: str, folder: Path) -> Judge:
    """The judge that a user or a package gives; a UsageError where its version is not the wanted one."""
    if wanted_version and wanted_version != version:
        raise UsageError(f"no version {wanted_version!r} of judge {name!r}; this is version {version!r}")
    return own_judge(OwnCode(name, usable(name, value, Judge, "an Exchange", argument=None, folder=folder), version))


def _check_name(name: str, spec: str) -> str:
    """The kind of judge in a name without settings; raises unless there is such a judge, in that version."""
    kind, slash, version = name.partition("/")
    if kind not in JUDGES or (slash and not JUDGES[kind].named and not _judge_class(kind).versions()):
        see = f"known: {', '.join(JUDGES)}, or path/to/file.py:function"
        raise unknown_name("judge", spec, [*JUDGES, *names_of("judges")], see)
    if slash and not JUDGES[kind].named:
        _check_version(kind, version)
    return kind


def _check_settings(name: str, takes: Collection[str], settings: Collection[str]) -> None:
    unknown = sorted(set(settings) - set(takes))
    if not unknown:
        return
    if not takes:
        raise UsageError(f"judge {name!r} takes no settings, got {', '.join(unknown)}")
    raise UsageError(f"judge {name!r} has no setting {', '.join(unknown)}; it takes {', '.join(sorted(takes))}")


def _judge_class(kind: str) -> type[Judge]:
    judge_class: type[Judge] = resolve_name(f"mossbench.judges.{JUDGES[kind].made_by}")
    return judge_class


def _check_version(kind: str, version: str) -> None:
    """Raises unless that version of the judge can be asked."""
    versions = _judge_class(kind).versions()
    if version not in versions:
        listed = ", ".join(f"{kind}/{known_version}" for known_version in versions)
        message = f"no version {version!r} of judge {kind!r}; known: {listed} ({kind!r} is the first of them)"
        raise UsageError(message, code=Code.NOT_FOUND)


def offline_judge(label: str) -> Judge | None:
    """The offline judge of a label such as `rules/3`, to read answers again; None for another judge or version."""
    kind, _, version = label.partition("/")
    if kind in JUDGES and version in _judge_class(kind).versions():
        return load_judge(label)
    return None


def newest_offline_judge(labels: Iterable[str]) -> Judge | None:
    """The newest of the offline judges of these labels, by SUCCESSION and version; None if one is of another judge.

    A label whose version is not installed stands for the newest version of its judge.
    """
    judges = [_installed_judge(label) for label in labels]
    offline_judges = [judge for judge in judges if judge is not None]
    if not judges or len(offline_judges) < len(judges):
        return None

    def age(judge: Judge) -> tuple[int, int]:
        return -SUCCESSION.index(judge.name), type(judge).versions().index(judge.version)

    return min(offline_judges, key=age)


def _installed_judge(label: str) -> Judge | None:
    kind = label.rpartition("/")[0]
    if kind not in SUCCESSION:
        return None
    return offline_judge(label) or load_judge(kind)


def spec_of(label: str) -> str:
    """The name by which the judge of a label is asked again: `rules` for the newest version, else `rules/3`."""
    judge = offline_judge(label)
    return label.rpartition("/")[0] if judge is None else judge.spec


def models_asked(judge: Judge, *, always: bool = True) -> Iterator[tuple[RubricJudge, bool]]:
    """The judges within a judge that ask a model, each with whether it does so for every answer."""
    from mossbench.judges.cascade import CascadeJudge
    from mossbench.judges.rubric import RubricJudge

    if isinstance(judge, RubricJudge):
        yield judge, always
    for part in judge.parts:
        yield from models_asked(part, always=always and not isinstance(judge, CascadeJudge))


def _function_judge(function: Reader) -> FunctionJudge:
    name = getattr(function, "__qualname__", type(function).__name__)
    try:
        source = inspect.getsource(function)
    except (OSError, TypeError):
        source = name
    return FunctionJudge(function, f"python/{name}", hashlib.sha256(source.encode()).hexdigest()[:12])
