"""One word for one idea: nothing that users can see has a word that docs/glossary.md says we do not use.

User-facing are: the prose and the quoted outputs of the docs, the help of commands, templates, the text of scripts, and
every string in src with a space in it, except docstrings, patterns, keys of dicts, and texts that models are sent or
control models say: those are data, and changing them would move numbers.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from mossbench.cli import COMMANDS, cli

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src" / "mossbench"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
DATA = ("models/control/", "judges/reader/")
"""Folders in src of what control models say, and of answers that patterns match; their words are data."""
SENT_TO_MODELS = {"PROBE", "FILLER", "KIND_MEANINGS", "MEANINGS", "texts", "_UNREAD_IN_0_1"}
"""Names of what models are sent (`texts` is what an arm makes of a request), and of what old files have."""


def unused_words() -> list[str]:
    rows = re.findall(r"^\| (.+?) \|", (ROOT / "docs/glossary.md").read_text().partition("## Words we do not")[2], re.M)
    return [word for row in rows[1:] for word in row.split(", ") if word.strip("-")]


def pattern(word: str) -> str:
    """The word as it is found in a text: "turned down" is also in "turned the request down"."""
    return re.sub(r" down$", r"(?: [\\w{}]+){0,3} down", word)


UNUSED = re.compile(rf"\b(?:{'|'.join(map(pattern, unused_words()))})\b", re.I)


def without_own_table(page: Path) -> str:
    text = page.read_text()
    return text.partition("## Words we do not use")[0] if page.name == "glossary.md" else text


def prose(text: str) -> str:
    """The text of a page without its blocks, inline code and addresses."""
    text = re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`|\]\([^)]*\)", "", text)


def quoted(text: str) -> str:
    """The blocks of a page; of Python only the comments."""
    blocks = re.findall(r"^ *```(\w*)\n(.*?)^ *```", text, re.M | re.S)
    return "\n".join("\n".join(re.findall(r"#.*", code)) if kind == "python" else code for kind, code in blocks)


def names(node: ast.AST) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


def spoken(value: object) -> Iterator[str]:
    """A string that is no name and no pattern: it has a space inside, or begins with a capital as labels do."""
    if isinstance(value, str) and (" " in value.strip() or re.fullmatch("[A-Z][a-z]+", value)) and "(?:" not in value:
        yield value


def strings(node: ast.AST) -> Iterator[str]:
    """The strings in a piece of code that users may see."""
    if names(node) & (SENT_TO_MODELS | {"__all__"}):
        return
    if isinstance(node, ast.JoinedStr):
        yield from spoken("".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values))
        children = [part for part in node.values if isinstance(part, ast.FormattedValue)]
    elif isinstance(node, ast.Constant):
        yield from spoken(node.value)
        return
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    else:
        children = node.values if isinstance(node, ast.Dict) else list(ast.iter_child_nodes(node))
    for child in children:
        yield from strings(child)


def markup(text: str) -> str:
    """What a reader sees of a template: text, spoken labels, and strings that expressions put in."""
    said = re.findall(r"\b(?:alt|title|aria-label|placeholder)=\"([^\"]*)\"", text)
    code = re.findall(r"\{[{%].*?[%}]\}", text, re.S)
    put_in = [string for part in code for string in re.findall(r'"([^"]*)"', part) if " " in string]
    return "\n".join([*said, *put_in, re.sub(r"\{[{%#].*?[%}#]\}|<[^>]*>", " ", text, flags=re.S)])


def script(text: str) -> str:
    """The strings of a script that have a space in them."""
    text = re.sub(r"^\s*//.*|/\*.*?\*/", "", text, flags=re.M | re.S)
    return "\n".join(s for s in re.findall(r'"([^"\n]*)"|`([^`]*)`', text) for s in s if " " in s)


def found(text: str) -> list[str]:
    return [f"…{text[max(0, hit.start() - 40) : hit.end() + 30]}…".replace("\n", " ") for hit in UNUSED.finditer(text)]


def test_the_glossary_lists_words_that_are_not_used():
    assert {"turned down", "picture", "anew"} <= set(unused_words())


def test_a_word_is_found_in_what_users_see_and_not_in_names_and_notes():
    code = '"""Mend it."""\nx = {"picture": f"no picture {n}"}\ndef f():\n    "picture of it"\n    return "picture"'
    assert [hit for text in strings(ast.parse(code)) for hit in found(text)] == ["…no picture {}…"]
    assert found(prose("a `picture` and\n```\na picture\n```\n")) == []
    assert found(markup('<img alt="picture" class="picture">{{ picture }}')) == ["…picture   …"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_docs_are_in_plain_words(page):
    assert found(prose(without_own_table(page))) == []


def test_outputs_quoted_in_docs_are_in_plain_words():
    assert {page.name: hits for page in PAGES if (hits := found(quoted(page.read_text())))} == {}


SHOWN_TOML = (
    "analyses/counterfactuals.toml",
    "datasets/arms.toml",
    "judges/judges.toml",
    "models/providers.toml",
)
"""Data files whose texts users see."""


def command_help() -> Iterator[str]:
    yield cli.help
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        yield command.help
        yield from (subcommand.help for subcommand in getattr(command, "commands", {}).values())


def seen_in_src() -> Iterator[tuple[Path, str]]:
    for path in sorted(SRC.rglob("*.py")):
        if not path.relative_to(SRC).as_posix().startswith(DATA):
            yield from ((path, text) for text in strings(ast.parse(path.read_text())))
    yield from ((SRC / name, script((SRC / name).read_text())) for name in SHOWN_TOML)
    yield from ((SRC / "cli", text) for text in command_help())
    sentences = [path for path in SRC.rglob("reports/*.toml") if "{{" in path.read_text()]
    yield from ((path, markup(path.read_text())) for path in sorted([*SRC.rglob("*.html"), *sentences]))
    yield from ((path, script(path.read_text())) for path in sorted(SRC.rglob("*.js")))


def test_src_is_in_plain_words():
    hits = [(path.relative_to(SRC), hit) for path, text in seen_in_src() for hit in found(text)]
    assert [f"{path}: {hit}" for path, hit in hits] == []
