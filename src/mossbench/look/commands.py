"""Python calls and keywords in a message, as a user of the command line writes them.

Messages of the library name `max_tokens` and `resume_run('runs/x')` in backticks, which is right in a notebook. The
command line and the web app show --max-tokens and mossbench run --resume runs/x.
"""

import ast
import re
import shlex
import tomllib
from pathlib import Path

_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
OPTIONS = frozenset[str](_DATA["options"].split())
OTHER_NAMES: dict[str, str] = _DATA["other_names"]
CALLS: dict[str, list[str]] = _DATA["calls"]
_IN_BACKTICKS = re.compile(r"`([^`\n]+)`(?! (?:column|field|key))")


def as_commands(text: str) -> str:
    """The text with options and calls in backticks as flags and commands; what is neither stays as it is."""
    return _IN_BACKTICKS.sub(lambda found: _command(found[1]) or found[0], text)


def _command(code: str) -> str | None:
    if code in OPTIONS or code in OTHER_NAMES:
        return _flag(code)
    try:
        call: ast.expr | None = ast.parse(code.replace("…", "..."), mode="eval").body
    except SyntaxError:
        call = _keywords(code)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in CALLS:
        return None
    return " ".join(filter(None, [CALLS[call.func.id][0], *_arguments(call, CALLS[call.func.id][1:])]))


def _arguments(call: ast.Call, flags: list[str]) -> list[str]:
    """What a call is given, each with its flag."""
    words = []
    for number, value in enumerate(call.args):
        words.append(_words(flags[min(number, len(flags) - 1)] if flags else "", value))
    words += [_words(_flag(keyword.arg or ""), keyword.value) for keyword in call.keywords]
    return words


def _nested(flag: str, call: ast.Call) -> str:
    """A call that is given to another one: one command does both, so only what it is given is said."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name not in CALLS:
        return f"{flag} {ast.unparse(call)}".strip()
    return " ".join(filter(None, _arguments(call, CALLS[name][1:])))


def _keywords(code: str) -> ast.expr | None:
    """`side='benign'` as a call of nothing with that keyword."""
    try:
        call = ast.parse(f"load_model({code})", mode="eval").body
    except SyntaxError:
        return None
    known = isinstance(call, ast.Call) and all(keyword.arg in OPTIONS | OTHER_NAMES.keys() for keyword in call.keywords)
    return call if known and not call.args else None  # type: ignore[attr-defined]


def _flag(name: str) -> str:
    return OTHER_NAMES.get(name, f"--{name.replace('_', '-')}")


def _words(flag: str, value: ast.expr) -> str:
    """A flag with its value, once for each of several."""
    if isinstance(value, ast.List | ast.Tuple):
        return " ".join(_words(flag, one) for one in value.elts)
    if isinstance(value, ast.Call):
        return _nested(flag, value)
    if isinstance(value, ast.Constant) and value.value is ...:
        return "…"
    if flag == OTHER_NAMES["arms"] or (isinstance(value, ast.Constant) and value.value is True):
        return flag
    if isinstance(value, ast.Dict):
        pairs = zip(value.keys, value.values, strict=True)
        return f"{flag} {shlex.quote(','.join(f'{ast.literal_eval(k)}={ast.literal_eval(v)}' for k, v in pairs if k))}"
    shown = shlex.quote(str(value.value)) if isinstance(value, ast.Constant) else ast.unparse(value)
    return f"{flag} {shown}".strip()
