"""Names on a board: of models, which no two rows share, and of judges, which name no place on anybody's machine."""

import hashlib
import itertools
import re
from functools import cache
from urllib.parse import parse_qsl, urlencode

from mossbench.judges import SUCCESSION, load_judge, panel_members
from mossbench.judges.panel import SETTLING
from mossbench.models import PROVIDERS
from mossbench.plumbing.look_alikes import appearance
from mossbench.plumbing.own_code import is_own_code, without_its_folders
from mossbench.plumbing.readable_names import hides_characters as hides_characters
from mossbench.plumbing.readable_names import name_wrong as name_wrong
from mossbench.plumbing.readable_names import same_name as same_name
from mossbench.protocols import digest, without_folders

LABEL = re.compile(r"(?P<name>[\w.:<>-]+)(/[\w.:<>() -]+)?(\?[\w.:/&=%+-]+)?/(?P<version>[\w.-]+)", re.ASCII)
"""`rules/3`, `human/labels.csv/1f0c…`, `rubric/kinds?model=openai/gpt-4o/77ab…`."""
OFFLINE = SUCCESSION
"""Judges that come with us and need nothing else: their versions are counted, and they can be run again."""
CONTROL_PROVIDER = "control"
OWN_CODE = "own code"
"""The provider of models that are a user's file, function or object."""
VERSION = re.compile(r"\d{1,6}(\.\d{1,6}){1,3}((a|b|rc|\.dev|\.post)\d{1,6}){0,4}(\+[a-z0-9.]{1,40})?", re.ASCII)
"""A version of mossbench; its length is bounded, as a submission may come from anyone."""


def imitates(name: str, imitated: str) -> bool:
    """Whether a reader would take a name for another one, though they are written with different characters."""
    return same_name(name) != same_name(imitated) and appearance(name) == appearance(imitated)


def provider_of(model: str) -> str:
    """Who answers for a model of this name, as a run has it: `openai`, `control`, `replay` and so on."""
    provider, slash, _ = model.partition("/")
    is_provider = slash != "" and provider in PROVIDERS
    return provider if is_provider and not is_own_code(model) else OWN_CODE


def provider_wrong(provider: str) -> str:
    """Why a submission cannot have this provider; empty when it can."""
    if provider in PROVIDERS or provider == OWN_CODE:
        return ""
    return f"is {provider[:40]!r}, expected one of {', '.join(PROVIDERS)}, {OWN_CODE}"


def named_as_control(model: str) -> bool:
    """Whether a name on a board says, or looks as if it said, that this is a control model."""
    return appearance(model).startswith(appearance(f"{CONTROL_PROVIDER}/"))


def public_name(model: str) -> str:
    """The model's name without folders of this machine: of a file only its own name is left."""
    provider, _, name = model.partition("/")
    if provider == "replay":
        return f"replay/{_last_part(name)}"
    return without_folders(without_its_folders(model))


def public_judge(label: str) -> str:
    """A judge's name and version without folders, and with a digest of the server's address in its place."""
    name, _, version = label.rpartition("/")
    members = panel_members(name)
    if members:
        names = [public_judge(f"{member}/{version}").rpartition("/")[0] for member in members]
        return f"panel/{'+'.join(names)}/{version}"
    base, _, query = name.partition("?")
    kind, _, detail = base.partition("/")
    if kind in ("human", "classifier"):
        base = f"{kind}/{_last_part(detail)}"
    elif ".py:" in base:
        base = _last_part(base)
    settings = {key: public_name(value) for key, value in parse_qsl(query)}
    url = settings.pop("base_url", "")
    if url:
        settings["endpoint"] = digest(url.rstrip("/"))
    if not settings:
        return f"{base}/{version}"
    return f"{base}?{urlencode(settings, safe='/:.')}/{version}"


def judge_wrong(label: str) -> str:
    """Why a judge's name and version cannot be; empty when they can."""
    name, _, version = label.rpartition("/")
    members = panel_members(name)
    if members:
        return _panel_wrong(label, members, version)
    match = LABEL.fullmatch(label)
    if match is None or ".." in label or "//" in label or "=/" in label:
        return f"is {ascii(label[:60])}, expected name/version without folders, such as rules/4"
    kind = match["name"]
    if kind in OFFLINE and label not in _versions_of(kind):
        return f"is {ascii(label[:60])}, but {kind} has versions 1 to {load_judge(kind).version}"
    return ""


def _panel_wrong(label: str, members: list[str], version: str) -> str:
    if len(set(members)) < max(2, len(members)):
        return f"is {ascii(label[:60])}, expected a panel of two judges or more, each named once"
    for member in members:
        if member not in OFFLINE:
            fault = judge_wrong(f"{member}/{version}")
            if fault:
                return fault
    if set(members) <= set(OFFLINE) and label not in _panel_labels(tuple(members)):
        return f"is {ascii(label[:60])}, but no versions of {', '.join(members)} make a panel of this version"
    return ""


def _versions_of(name: str) -> list[str]:
    """All labels that an embedded judge has had."""
    return [f"{name}/{version}" for version in range(1, int(load_judge(name).version) + 1)]


@cache
def _panel_labels(members: tuple[str, ...]) -> frozenset[str]:
    """All labels that a panel of embedded judges can have had: its version is a hash of theirs."""
    labels = set()
    for versions in itertools.product(*map(_versions_of, members)):
        version = hashlib.sha256("\n".join([SETTLING, *versions]).encode()).hexdigest()[:8]
        labels.add(f"panel/{'+'.join(members)}/{version}")
    return frozenset(labels)


def version_wrong(version: str, newest: str) -> str:
    """Why a version of mossbench cannot be, or cannot be checked by this one; empty when it can."""
    if not VERSION.fullmatch(version):
        return f"is {version[:40]!r}, expected a version such as {newest}"
    too_new = _release(version) > _release(newest)
    return f"is {version}, newer than the mossbench that checks it ({newest}); update it first" if too_new else ""


def _release(version: str) -> tuple[int, ...]:
    """`0.2.1rc1` as 0, 2, 1."""
    return tuple(int(part) for part in re.split(r"[^\d.]", version)[0].split(".") if part)


def _last_part(path: str) -> str:
    return re.split(r"[\\/]", path)[-1]
