"""Commands as somebody types them, and everything that they say as one readable text or one JSON value."""

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from goldens.golden import json_without_changing, without_changing
from mossbench.cli import cli

SHA256 = r"\b[0-9a-f]{64}\b"


@dataclass(frozen=True)
class Command:
    line: str
    """As it is typed after `mossbench`."""
    files: tuple[str, ...] = ()
    """What it writes that is compared too."""
    answer: str = ""
    """What is typed when it asks."""
    hidden: str = ""
    """A pattern of what cannot be the same again in what this command says."""
    changing: tuple[str, ...] = ()
    """Fields of its JSON that cannot be the same again, at any depth."""


def run_command(command: Command) -> Result:
    done = CliRunner().invoke(cli, shlex.split(command.line), input=command.answer, prog_name="mossbench")
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    return done


def as_text(command: Command, done: Result, folder: Path) -> str:
    parts = [f"$ mossbench {command.line}\n", f"--- exit code {done.exit_code}\n"]
    for title, text in (("stdout", done.stdout), ("stderr", done.stderr)):
        if text:
            parts.append(f"--- {title}\n{text}")
    for name in command.files:
        content = Path(name).read_bytes().decode("utf-8")
        parts.append(f"--- {name}\n{content}")
    return _without_hidden(without_changing("".join(parts), folders_of(folder)), command)


def as_json(command: Command, done: Result, folder: Path) -> Any:
    """What it printed, as JSON where that was asked for, and the JSON files that it wrote."""
    folders = folders_of(folder)
    printed: Any = without_changing(done.stdout, folders).splitlines()
    if "--json" in command.line:
        printed = json.loads(_without_hidden(done.stdout, command))
    said = {
        "command": f"mossbench {command.line}",
        "exit_code": done.exit_code,
        "stderr": without_changing(done.stderr, folders).splitlines(),
        "stdout": printed,
    }
    for name in command.files:
        said[name] = parse_json_or_lines(Path(name).read_text("utf-8"), name)
    return json_without_changing(_without_fields(said, command.changing), folders)


def parse_json_or_lines(text: str, name: str) -> Any:
    """The value of a JSON file, or the values of the lines of a JSONL file."""
    if name.endswith("jsonl"):
        return [json.loads(line) for line in text.splitlines()]
    return json.loads(text)


def folders_of(folder: Path) -> dict[str, Path]:
    return {"FOLDER": folder, "HOME": Path.home()}


def _without_hidden(text: str, command: Command) -> str:
    return re.sub(command.hidden, "HIDDEN", text) if command.hidden else text


def _without_fields(value: Any, names: tuple[str, ...]) -> Any:
    if isinstance(value, dict):
        return {name: "CHANGING" if name in names else _without_fields(field, names) for name, field in value.items()}
    if isinstance(value, list):
        return [_without_fields(entry, names) for entry in value]
    return value
