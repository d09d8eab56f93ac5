"""The notebook in examples/ runs from its first cell to its last; a notebook is JSON, so no Jupyter is needed."""

import ast
import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples").glob("*.ipynb"))


def shown_by(cell, names):
    """Runs a cell as a notebook does; what its last line gives, if that is an expression."""
    tree = ast.parse("".join(cell["source"]))
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        exec(compile(tree, cell["id"], "exec"), names)
        return None
    tree.body.pop()
    exec(compile(tree, cell["id"], "exec"), names)
    return eval(compile(ast.Expression(last.value), cell["id"], "eval"), names)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs_and_its_records_show_themselves(notebook, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    content = json.loads(notebook.read_text("utf-8"))
    names = {"__name__": "__main__"}
    n_tables = 0
    for cell in content["cells"]:
        if cell["cell_type"] != "code":
            continue
        shown = shown_by(cell, names)
        if hasattr(shown, "_repr_html_"):
            assert shown._repr_html_().startswith("<")
            n_tables += 1
    assert n_tables >= 4


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_kept_without_outputs(notebook):
    content = json.loads(notebook.read_text("utf-8"))
    assert content["nbformat"] == 4
    for cell in content["cells"]:
        assert cell["cell_type"] == "markdown" or (cell["outputs"] == [] and cell["execution_count"] is None)
    assert len({cell["id"] for cell in content["cells"]}) == len(content["cells"])
