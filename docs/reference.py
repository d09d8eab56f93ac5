"""The reference as Markdown, from the code alone: commands with their options, and the public names of the package."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from enum import Enum

import click

import mossbench as mb
from mossbench.cli import COMMANDS, cli


def named_commands() -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, by its full name: `run`, `data check` …"""
    root = click.Context(cli, info_name="mossbench")
    for name in COMMANDS:
        command = cli.get_command(root, name)
        assert command is not None
        if not isinstance(command, click.Group) or command.invoke_without_command:
            yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {sub}", command.commands[sub]) for sub in command.commands)


def _words(text: str) -> str:
    """A help text as Markdown: a `<model>` in it is no tag."""
    return re.sub(r"<(?=\w)", r"\\<", text)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _usage(name: str, command: click.Command) -> str:
    context = click.Context(command, info_name=f"mossbench {name}", max_content_width=10_000)
    return command.get_usage(context).removeprefix("Usage: ")


def _options(command: click.Command) -> Iterator[str]:
    context = click.Context(command)
    for option in command.params:
        if isinstance(option, click.Option) and (record := option.get_help_record(context)):
            words, *more = record[1].split("  [")  # what click appends: [default: 16]  [required]
            notes = [note.strip().removesuffix("]") for note in more]
            default = next((note.removeprefix("default: ") for note in notes if note.startswith("default: ")), "")
            others = "".join(f" ({note})" for note in notes if not note.startswith("default: "))
            flag, _, names = record[0].partition(" [")  # --side [benign|contrast]
            choice = f" One of {', '.join(f'`{name}`' for name in names.rstrip(']').split('|'))}." if names else ""
            yield f"| `{_cell(flag)}` | {_cell(_words(words) + choice + others)} | {_cell(_words(default))} |"


def commands() -> str:
    """A section for each command: what it does, how it is called, its options with their defaults."""
    parts = []
    for name, command in named_commands():
        rows = list(_options(command))
        table = ["| option | what it does | default |", "|---|---|---|", *rows] if rows else []
        words = _words(inspect.cleandoc(command.help or "").replace("\b\n", ""))
        parts.append(
            "\n".join([f"## mossbench {name}", "", words, "", f"```\n{_usage(name, command)}\n```", "", *table])
        )
    return "\n\n".join(parts)


def api() -> str:
    """A section for each kind of public name, in the order of `mossbench.__all__`."""
    functions = [name for name in mb.__all__ if inspect.isfunction(getattr(mb, name))]
    classes = [name for name in mb.__all__ if inspect.isclass(getattr(mb, name))]
    choices = [name for name in classes if issubclass(getattr(mb, name), Enum)]
    records = [name for name in classes if name not in choices]
    sections = (("Functions", "autofunction", functions), ("Records and base classes", "autoclass", records),
                ("Choices", "autoclass", choices))  # fmt: skip
    return "\n\n".join(
        f"## {title}\n\n" + "\n\n".join(_entry(kind, name) for name in names) for title, kind, names in sections
    )


def _entry(kind: str, name: str) -> str:
    members = (
        "\n   :members:\n   :undoc-members:\n   :exclude-members: model_config, model_post_init"
        if kind == "autoclass"
        else ""
    )
    return f"### {name}\n\n```{{eval-rst}}\n.. {kind}:: mossbench.{name}{members}\n```"
