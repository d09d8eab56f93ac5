"""Judges by name: the table of judges and `load_judge`.

A judge's name may carry settings, as an address does: `rubric/kinds?model=openai/gpt-4o`,
`cascade?model=openai/gpt-4o&threshold=0.95`. The name with its settings is what a run records. The offline judges keep
their last versions: `rules` is the newest one, `rules/3` the one before.
"""

from __future__ import annotations

import hashlib
import inspect
import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl, urlencode

from mossbench.errors import Code, UsageError, unknown_name
from mossbench.judges.judge import AnyJudge, FunctionJudge, Judge, Reader, judge_exchange, own_judge
from mossbench.plumbing.own_code import is_own_code, load_own_code

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
DEFAULT_JUDGE = "rules"
DEFAULT_THRESHOLD = 0.9
"""Confidence from which a cascade takes the verdict of rules; `tune_cascade` finds the one for your answers."""


def panel_members(spec: str) -> list[str]:
    """The judges in a panel's name, each with its settings; empty for other judges."""
    return spec.removeprefix("panel/").split("+") if spec.startswith("panel/") else []


def judge_spec(judge: str, **settings: str | float | None) -> str:
    """A judge's name with settings in it, None left out; in a panel they go to the members that take them."""
    if members := panel_members(judge):
        return "panel/" + "+".join(with_settings(member, **settings) for member in members)
    given = {name: str(value) for name, value in settings.items() if value is not None}
    given |= {name: url.rstrip("/") for name, url in given.items() if name == "base_url"}
    if not given:
        return judge
    return f"{judge}{'&' if '?' in judge else '?'}{urlencode(given, safe='/:.')}"


def with_settings(judge: str, **settings: str | float | None) -> str:
    """The judge's name with those of the settings that it takes and does not have yet."""
    if panel_members(judge):
        return judge_spec(judge, **settings)
    name, _, query = judge.partition("?")
    takes = JUDGES[kind].takes if (kind := name.partition("/")[0]) in JUDGES else ()
    there = dict(parse_qsl(query))
    return judge_spec(judge, **{key: value for key, value in settings.items() if key in takes and key not in there})


def without_endpoint(spec: str) -> tuple[str, str | None]:
    """A judge's name without the endpoint of its model, and the endpoint; None: the provider's own address."""
    if members := panel_members(spec):
        parts = [without_endpoint(member) for member in members]
        return "panel/" + "+".join(name for name, _ in parts), " ".join(url for _, url in parts if url) or None
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
        return own_judge(load_own_code(spec, Judge, "an Exchange"))
    # The members of a panel may be own code, and have settings of their own.
    name, _, query = (spec, "", "") if panel_members(spec) else spec.partition("?")
    kind, _, rest = name.partition("/")
    if kind not in JUDGES or ("/" in name and not (JUDGES[kind].named or _judge_class(kind).versions())):
        see = f"known: {', '.join(JUDGES)}, or path/to/file.py:function"
        raise unknown_name("judge", spec, JUDGES, see)
    if "/" in name and not JUDGES[kind].named:
        _check_version(kind, rest)
    takes, settings = JUDGES[kind].takes, dict(parse_qsl(query))
    if unknown := sorted(settings.keys() - set(takes)):
        raise UsageError(
            f"judge {name!r} takes no {', '.join(unknown)}; it takes {', '.join(sorted(takes)) or 'nothing'}"
        )
    return _judge_class(kind).from_spec(spec, settings)


def _judge_class(kind: str) -> type[Judge]:
    judge_class: type[Judge] = resolve_name(f"mossbench.judges.{JUDGES[kind].made_by}")
    return judge_class


def _check_version(kind: str, version: str) -> None:
    """Raises unless that version of the judge can be asked."""
    versions = _judge_class(kind).versions()
    if version not in versions:
        known = ", ".join(f"{kind}/{known_version}" for known_version in versions)
        message = f"no version {version!r} of judge {kind!r}; known: {known} ({kind!r} is the first of them)"
        raise UsageError(message, code=Code.NOT_FOUND)


def offline_judge(label: str) -> Judge | None:
    """The offline judge of a label such as `rules/3`, to read answers again; None for another judge or version."""
    kind, _, version = label.partition("/")
    if kind in JUDGES and version in _judge_class(kind).versions():
        return load_judge(label)
    return None


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
