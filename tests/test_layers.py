"""Which part of the package may import which. Change the tables on purpose, never by accident."""

import ast
from functools import cache
from pathlib import Path

PACKAGE = "mossbench"
ROOT = Path(__file__).parents[1] / "src" / PACKAGE

LAYERS = [  # a part may import from its own row and the rows above it (docs/design.md, Rooms)
    {"errors", "samples", "outcomes", "protocols", "plumbing", "images", "transcripts", "statistics"},
    {"datasets", "models", "judges"},
    {"store"},
    {"results"},
    {"runs"},
    {"inspect", "analyses", "published", "leaderboard", "annotation"},
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
    """Dotted names a module imports, wherever the import stands, relative ones resolved."""
    here = [PACKAGE, *path.relative_to(ROOT).with_suffix("").parts]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: -node.level] if node.level else []
            yield from (".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names)


def test_every_part_has_a_place():
    assert {part for _, part, _ in modules()} <= set(ROW)


def test_imports_point_to_the_same_row_or_above():
    wrong = [
        f"{path} imports {name}"
        for path, part, names in modules()
        for name in sorted(names)
        if name.startswith(f"{PACKAGE}.") and ROW.get(name.split(".")[1], 0) > ROW[part]
    ]
    assert wrong == []


def test_third_party_packages_stay_where_they_belong():
    wrong = [
        f"{path} imports {name}"
        for path, part, names in modules()
        for name in sorted(names)
        if part not in CONFINED.get(name.split(".")[0], {part})
    ]
    assert wrong == []
