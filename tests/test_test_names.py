"""The name of a test states a rule, in a sentence that is short enough to be read in a list of failures."""

import ast
from pathlib import Path

TESTS = Path(__file__).parent
MOST_CHARACTERS = 79


def test_the_name_of_a_test_has_fewer_than_80_characters():
    too_long = []
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            is_test = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
            if is_test and len(node.name) > MOST_CHARACTERS:
                too_long.append(f"{path.relative_to(TESTS)}:{node.lineno} {node.name}")
    assert too_long == []
