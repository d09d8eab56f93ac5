"""Names on a board: of models, which no two rows share, and of judges, which name no place on anybody's machine."""

import re
import unicodedata
from urllib.parse import parse_qsl, urlencode

from mossbench.judges import load_judge, panel_members
from mossbench.protocols import digest, without_folders

JUDGE = re.compile(r"(?P<name>[\w.:<>-]+)(/[\w.:<>() -]+)?(\?[\w.:/&=%+-]+)?/(?P<version>[\w.-]+)")
"""`rules/3`, `human/labels.csv/1f0c…`, `rubric/kinds?model=openai/gpt-4o/77ab…`."""
OFFLINE = ("rules", "tandem", "keywords")
"""Judges that come with us, whose versions are counted."""
VERSION = re.compile(r"\d+(\.\d+){1,3}((a|b|rc|\.dev|\.post)\d+)*(\+[a-z0-9.]+)?")
BLANK = "\u034f\u115f\u1160\u2800\u3164\uffa0"
"""Characters that count as letters or marks and show nothing."""


def name_wrong(name: str) -> str:
    """Why a board cannot take this name of a model; empty when it can."""
    if not name.strip():
        return "is empty, expected a name"
    # Cc, Cf, Cs, Co, Cn: controls, zero-width and bidi marks, surrogates, unassigned; Zl, Zp: line ends.
    hidden = [c for c in name if c in BLANK or unicodedata.category(c)[0] == "C" or unicodedata.category(c) in "Zl Zp"]
    if hidden:
        return f"is {ascii(name[:60])}, which has hidden or control characters; leave them out"
    return f"is longer than 200 characters ({len(name)})" if len(name) > 200 else ""


def same_name(name: str) -> str:
    """The name as boards compare it: two that look alike in width, case or spaces are the same."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def public_name(model: str) -> str:
    """The model's name without folders of this machine: of a file only its own name is left."""
    provider, _, name = model.partition("/")
    if provider == "replay":
        return f"replay/{_last(name)}"
    return _last(model) if ".py:" in model else without_folders(model)


def public_judge(label: str) -> str:
    """A judge's name and version without folders, and with a digest of the server's address in its place."""
    name, _, version = label.rpartition("/")
    if members := panel_members(name):
        shown = [public_judge(f"{member}/{version}").rpartition("/")[0] for member in members]
        return f"panel/{'+'.join(shown)}/{version}"
    base, _, query = name.partition("?")
    kind, _, rest = base.partition("/")
    base = f"{kind}/{_last(rest)}" if kind in ("human", "classifier") else _last(base) if ".py:" in base else base
    settings = {key: public_name(value) for key, value in parse_qsl(query)}
    if url := settings.pop("base_url", ""):
        settings["endpoint"] = digest(url.rstrip("/"))
    return f"{base}{'?' + urlencode(settings, safe='/:.') if settings else ''}/{version}"


def judge_wrong(label: str) -> str:
    """Why a judge's name and version cannot be; empty when they can."""
    name, _, version = label.rpartition("/")
    if members := panel_members(name):
        unversioned = [member for member in members if member not in OFFLINE]
        return next(filter(None, (judge_wrong(f"{member}/{version}") for member in unversioned)), "")
    match = JUDGE.fullmatch(label)
    if match is None or ".." in label or "//" in label or "=/" in label:
        return f"is {label[:60]!r}, expected name/version without folders, such as rules/4"
    name, version = match["name"], match["version"]
    if name in OFFLINE:
        newest = load_judge(name).version
        if label != f"{name}/{version}" or not version.isdecimal() or not 1 <= int(version) <= int(newest):
            return f"is {label[:60]!r}, but {name} has versions 1 to {newest}"
    return ""


def version_wrong(version: str, newest: str) -> str:
    """Why a version of mossbench cannot be, or cannot be checked by this one; empty when it can."""
    if not VERSION.fullmatch(version):
        return f"is {version[:40]!r}, expected a version such as {newest}"
    too_new = _release(version) > _release(newest)
    return f"is {version}, newer than the mossbench that checks it ({newest}); update it first" if too_new else ""


def _release(version: str) -> tuple[int, ...]:
    """`0.2.1rc1` as 0, 2, 1."""
    return tuple(int(part) for part in re.split(r"[^\d.]", version)[0].split(".") if part)


def _last(path: str) -> str:
    return re.split(r"[\\/]", path)[-1]
