"""The line number of a key in a suite file, for messages."""

import re
import tomllib

KeyPath = tuple[str, ...]
"""A key with the tables that it is in: ("models", "mini", "temperature")."""

_TABLE_HEADER = re.compile(r"\s*\[+(.+?)\]+\s*(?:#.*)?")


def line_of_key(text: str, path: KeyPath) -> int | None:
    """The number of the line that has this key, or else the table nearest to it; None where there is neither."""
    table: KeyPath = ()
    deepest = 0
    found_line = None
    for number, line in enumerate(text.splitlines(), 1):
        header = _TABLE_HEADER.fullmatch(line)
        if header is not None:
            table = _parse_key(header[1]) or ()
            key_of_line = table
        else:
            key_of_line = _path_of_assignment(table, line)
        leads_to_path = bool(key_of_line) and key_of_line == path[: len(key_of_line)]
        if leads_to_path and len(key_of_line) > deepest:
            deepest = len(key_of_line)
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
