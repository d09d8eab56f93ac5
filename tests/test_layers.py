"""Which part of the package may import which. Change the tables on purpose, never by accident."""

import ast
from functools import cache
from pathlib import Path

import pytest

PACKAGE = "mossbench"
BY_NAME = {"import_module", "resolve_name", "__import__"}
ROOT = Path(__file__).parents[1] / "src" / PACKAGE

LAYERS = [  # a part may import from its own row and the rows above it (docs/design.md, Rooms)
    {
        "errors",
        "messages",
        "ways_out",
        "samples",
        "outcomes",
        "protocols",
        "plumbing",
        "images",
        "transcripts",
        "statistics",
    },
    {"datasets", "models", "judges"},
    {"store"},
    {"results"},
    {"runs"},
    {"inspect", "analyses", "published", "leaderboard", "annotation", "traces"},
    {"building"},
    {"look"},
    {"reports"},
    {"web", "cli", "pytest_plugin", "start"},
]
ROW = {part: row for row, parts in enumerate(LAYERS) for part in parts}

CONFINED = {  # third-party packages that only some parts may import
    "inspect_ai": {"models", "inspect"},
    "vl_convert": {"look", "reports"},
    "jinja2": {"look", "plumbing"},
    "fastapi": {"web"},
    "click": {"cli", "inspect"},  # its tasks are called by Inspect's command line, which is click's
    "openai": {"models"},
    "torch": {"models"},
    "transformers": {"models"},
    "diffusers": {"models"},
    "huggingface_hub": {"datasets"},
    "filelock": {"plumbing"},
    "pytest": {"pytest_plugin"},
}


@cache
def modules():
    parts = {path: path.relative_to(ROOT).parts[0].removesuffix(".py") for path in sorted(ROOT.rglob("*.py"))}
    # __init__ and __main__ may name everything
    return [(p.relative_to(ROOT), part, set(imports(p))) for p, part in parts.items() if not part.startswith("__")]


def imports(path):
    """Dotted names a module imports, wherever the import stands, relative ones resolved.

    Also those that it takes from the package (`mossbench.run`) or names in a text (`import_module("mossbench.runs")`).
    """
    here = [PACKAGE, *path.relative_to(ROOT).with_suffix("").parts]
    yield from imports_in(ast.parse(path.read_text()), here)


def imports_in(tree, here):
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == PACKAGE:
            yield f"{PACKAGE}.{node.attr}"
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in BY_NAME:
            yield from (arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: -node.level] if node.level else []
            yield from (".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names)


@cache
def public_names():
    """The part of the package that each name of `mossbench` comes from, by its stub."""
    stub = ast.parse((ROOT / "__init__.pyi").read_text())
    return {
        alias.name: node.module.split(".")[0]
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def part_of(name):
    """The part that a dotted name belongs to; None: none of ours."""
    package, _, rest = name.partition(".")
    first = rest.split(".")[0]
    return public_names().get(first, first) if package == PACKAGE else None


@pytest.mark.parametrize(
    "text",
    [
        "from mossbench import run",
        "from .. import run",
        "from ..runs import running",
        "from mossbench.runs.running import run",
        "import mossbench\nmossbench.run()",
        "import mossbench.runs.running",
        "import_module('mossbench.runs.running')",
    ],
)
def test_no_way_of_importing_a_lower_row_is_overlooked(text):
    names = imports_in(ast.parse(text), [PACKAGE, "results", "table"])
    assert "runs" in {part_of(name) for name in names}


def test_every_part_has_a_place():
    assert {part for _, part, _ in modules()} <= set(ROW)


def test_imports_point_to_the_same_row_or_above():
    wrong = [
        f"{path} imports {name}"
        for path, part, names in modules()
        for name in sorted(names)
        if ROW.get(part_of(name), 0) > ROW[part]
    ]
    assert wrong == []


def imported_parts():
    """Each part with the other parts that it imports."""
    parts = {part: set() for part in ROW}
    for _, part, names in modules():
        parts[part] |= {part_of(name) for name in names} & set(ROW) - {part}
    return parts


def circles_in(imported):
    """The parts that import each other, by whatever detour; each circle as a sorted list."""

    def reach(part):
        reached, to_visit = set(), [part]
        while to_visit:
            new = imported[to_visit.pop()] - reached
            reached |= new
            to_visit += new
        return reached

    reached = {part: reach(part) for part in imported}
    circles = {
        tuple(sorted(other for other in reached[part] if part in reached[other]))
        for part in imported
        if part in reached[part]
    }
    return sorted(circles)


def test_a_circle_of_parts_is_found():
    imported = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}, "e": {"f"}, "f": {"e"}, "g": set()}
    assert circles_in(imported) == [("a", "b", "c"), ("e", "f")]


def test_no_parts_import_each_other_also_within_a_row():
    assert circles_in(imported_parts()) == []


def test_third_party_packages_stay_where_they_belong():
    wrong = [
        f"{path} imports {name}"
        for path, part, names in modules()
        for name in sorted(names)
        if part not in CONFINED.get(name.split(".")[0], {part})
    ]
    assert wrong == []
