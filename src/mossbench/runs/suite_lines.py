"""On which line of a suite file a key stands, for messages."""

import re
import tomllib

KeyPath = tuple[str, ...]
"""A key with the tables that it is in: ("models", "mini", "temperature")."""

_TABLE_HEADER = re.compile(r"\s*\[+(.+?)\]+\s*(?:#.*)?")


def line_of_key(text: str, path: KeyPath) -> int | None:
    """The line on which the deepest of these keys stands that has one of its own; None where none has."""
    table: KeyPath = ()
    deepest = 0
    found_line = None
    for number, line in enumerate(text.splitlines(), 1):
        header = _TABLE_HEADER.fullmatch(line)
        if header is not None:
            table = _parse_key(header[1]) or ()
            here = table
        else:
            here = _path_of_assignment(table, line)
        is_on_the_way = bool(here) and here == path[: len(here)]
        if is_on_the_way and len(here) > deepest:
            deepest = len(here)
            found_line = number
    return found_line


def _path_of_assignment(table: KeyPath, line: str) -> KeyPath:
    """The key that a line `key = value` of a table sets; empty where it sets none."""
    for place, letter in enumerate(line):
        if letter != "=":  # one may also be part of a key in quotes
            continue
        key = _parse_key(line[:place])
        if key:
            return (*table, *key)
    return ()


def _parse_key(text: str) -> KeyPath | None:
    """`a."b.c"` as a and b.c; None where it is no key."""
    try:
        content: object = tomllib.loads(f"{text.strip()} = 0")
    except tomllib.TOMLDecodeError:
        return None
    names = []
    while isinstance(content, dict) and len(content) == 1:
        name, content = next(iter(content.items()))
        names.append(name)
    return tuple(names)
