"""Golden files: what was said once, to be said again.

A text must be the same byte for byte. In JSON, fields may be added; none may change or go. What cannot be the same in
two runs (where the folder lies, when it was, how long it took, which Python) is replaced by a word in capitals first.
"""

import difflib
import json
import math
import platform
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mossbench

HERE = Path(__file__).parent

CHANGING_FIELDS = {"per_second": float, "python": str, "mossbench": str}
"""Fields of JSON that are speeds or versions -> the type that their values have."""
PREPARED_DAY = "2026-01-02"
"""Times of this day were set by `prepared.py`: they are facts, and are compared."""

_CHANGING = [
    (re.compile(rf"(?!{PREPARED_DAY})\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)?"), "TIME"),
    (re.compile(rf"(?!{PREPARED_DAY})\b20\d\d-\d\d-\d\d \d\d:\d\d\b"), "TIME"),
    (re.compile(r"\b20\d\d-\d\d-\d\d-\d{6}\b"), "TIME"),
    (re.compile(r"^(Ines|Tom) 20\d\d-\d\d-\d\d$", re.MULTILINE), r"\1 TIME"),  # who label answers in test_pages.py
    (re.compile(rf"(?<=[Pp]ython ){re.escape(platform.python_version())}\b"), "VERSION"),
    (re.compile(rf"(?<=mossbench ){re.escape(mossbench.__version__)}\b"), "VERSION"),
    (re.compile(rf"(?<=[Vv]ersion ){re.escape(mossbench.__version__)}\b"), "VERSION"),
    (re.compile(rf"(?<=version = {{){re.escape(mossbench.__version__)}\b"), "VERSION"),
    (re.compile(r"(?<=rows, )[\d.]+(?=/s)"), "SPEED"),
    (re.compile(r"(?<=, )[\d,.]+ answers/s, no cost *$", re.MULTILINE), "SPEED answers/s, no cost"),
    (re.compile(r"(?<=^took {6})[\d.]+(?= s)", re.MULTILINE), "SECONDS"),
]
_BETWEEN = [
    re.compile(r"^.*: \d+/\d+ rows, [\d.]+/s, about \d+ s left; .*\n", re.MULTILINE),
    re.compile(r"^(images|pages|screened): (?P<done>\d+) of (?!(?P=done)$)\d+\n", re.MULTILINE),
]
"""Lines on progress that only come where a command takes more than ten seconds."""


def without_changing(text: str, folders: dict[str, Path]) -> str:
    """The text with words in place of folders (word -> folder), times, speeds and versions."""
    for line in _BETWEEN:
        text = line.sub("", text)
    for word, folder in folders.items():
        text = text.replace(str(folder), word)
    for pattern, word in _CHANGING:
        text = pattern.sub(word, text)
    return text


def json_without_changing(value: Any, folders: dict[str, Path]) -> Any:
    """A JSON value with words in place of what cannot be the same again."""
    if isinstance(value, dict):
        fields = {}
        for name, field in value.items():
            is_changing = name in CHANGING_FIELDS and isinstance(field, CHANGING_FIELDS[name])
            fields[name] = name.upper() if is_changing else json_without_changing(field, folders)
        return fields
    if isinstance(value, list):
        return [json_without_changing(entry, folders) for entry in value]
    return without_changing(value, folders) if isinstance(value, str) else value


@dataclass(frozen=True)
class Goldens:
    """The golden files of a folder beside this file."""

    folder: Path
    renew: bool
    """Write what is said now instead of comparing (`make goldens`)."""

    def check_text(self, name: str, said: str) -> None:
        file = self.folder / f"{name}.txt"
        if self.renew:
            _write(file, said)
        expected = _read(file)
        if said != expected:
            lines = difflib.unified_diff(
                expected.splitlines(), said.splitlines(), f"{file.name} as it was", "as it is", lineterm="", n=2
            )
            raise AssertionError(_with_way_out("\n".join(lines) or "only line ends differ", file))

    def check_json(self, name: str, said: Any) -> None:
        file = self.folder / f"{name}.json"
        if self.renew:
            _write(file, json.dumps(said, indent=1, ensure_ascii=False) + "\n")
        differences = json_differences(json.loads(_read(file)), said)
        if differences:
            raise AssertionError(_with_way_out("\n".join(differences), file))


def json_differences(golden: Any, said: Any, place: str = "$") -> list[str]:
    """What of the golden value changed or is gone, one line each; fields that were added are none."""
    if isinstance(golden, dict) and isinstance(said, dict):
        differences = []
        for name, value in golden.items():
            if name in said:
                differences += json_differences(value, said[name], f"{place}.{name}")
            else:
                differences.append(f"{place}.{name} is gone; it was {_short(value)}")
        return differences
    if isinstance(golden, list) and isinstance(said, list):
        if len(golden) != len(said):
            return [f"{place} has {len(said)} entries; it had {len(golden)}"]
        differences = []
        for number, (value, now) in enumerate(zip(golden, said, strict=True)):
            differences += json_differences(value, now, f"{place}[{number}]")
        return differences
    if type(golden) is type(said) and _is_same(golden, said):
        return []
    return [f"{place} is {_short(said)}; it was {_short(golden)}"]


def _is_same(golden: Any, said: Any) -> bool:
    """Whether two plain values are; the last digits of a float differ between processors."""
    if isinstance(golden, float):
        return math.isclose(golden, said, rel_tol=1e-9, abs_tol=1e-12)
    return bool(golden == said)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]}…"


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8", newline="\n")


def _read(file: Path) -> str:
    if not file.exists():
        raise AssertionError(_with_way_out(f"there is no {file.name}", file))
    return file.read_bytes().decode("utf-8")


def _with_way_out(text: str, file: Path) -> str:
    place = file.relative_to(HERE.parents[1])
    return f"{text}\n\n{place} says otherwise. If the change is meant: make goldens, and look at git diff."


def is_json(name: str) -> bool:
    """Whether the golden file of this name holds JSON, in which fields may be added."""
    return name.endswith(("-json", "-jsonl"))


def check_stray_files(folder: Path, names: Iterable[str], *, renew: bool) -> None:
    """Golden files that belong to no command or page any more: removed with `renew`, else a fault."""
    expected = {f"{name}.json" if is_json(name) else f"{name}.txt" for name in names}
    stray = [file for file in sorted(folder.iterdir()) if file.name not in expected]
    if renew:
        for file in stray:
            file.unlink()
    elif stray:
        raise AssertionError(f"no test is about {', '.join(file.name for file in stray)}; make goldens removes them")
