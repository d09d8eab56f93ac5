"""Docs that are true: every command, flag, judge and model is mentioned, and what they show runs."""

import re
import shlex
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import mossbench as mb
from docs import reference
from docs.reference import named_commands
from mossbench.cli import cli
from mossbench.datasets import DATASETS
from mossbench.judges import JUDGES
from mossbench.models import PROVIDERS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
DOCS = README + "".join(path.read_text() for path in sorted((ROOT / "docs").glob("*.md")))


def in_docs(words):
    """Whether the docs have these words whole: `mossbench run` is not found in `mossbench runs`."""
    return re.search(rf"(?<![\w-]){re.escape(words)}(?![\w-])", DOCS) is not None


@pytest.mark.parametrize(("name", "command"), list(named_commands()))
def test_every_command_is_documented_and_every_option_has_help(name, command):
    assert in_docs(f"mossbench {name}")
    assert command.help
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.get_help_record(click.Context(command))[1], f"{name} {option.opts[0]} has no help"


def test_the_reference_has_every_command_with_its_options_and_every_public_name():
    page = reference.commands()
    assert re.findall("^## mossbench (.+)$", page, re.M) == [name for name, _ in named_commands()]
    assert "| `--limit N` | Ask at most N ids; a sample and its harmful twin share an id. |  |" in page
    assert "| Use this seed for the bootstrap. | 42 |" in page  # the default as the library has it
    assert sorted(re.findall("^### (.+)$", reference.api(), re.M)) == sorted(mb.__all__)
    assert all(
        marker in (ROOT / "docs" / name).read_text()
        for name, marker in (("commands.md", "<!-- commands -->"), ("api.md", "<!-- api -->"))
    )


@pytest.mark.parametrize("table", ["judge", "data", "model"])
def test_every_judge_dataset_and_provider_is_documented(table):
    """As code or after its flag: words such as "human" and "local" stand in any text."""
    names = {"judge": JUDGES, "data": DATASETS, "model": [f"{provider}/" for provider in PROVIDERS]}[table]
    missing = [name for name in names if not re.search(rf"(?:`|--{table} ){re.escape(name)}(?:\b|(?<=/))", DOCS)]
    assert names and missing == []


def anchors(page: Path) -> set[str]:
    """What can stand after # in a link to the page: its headings, as GitHub and the site spell them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    titles = [re.sub(r"[^\w\- ]", "", title.lower()) for title in re.findall(r"^#+ (.+)$", text, re.M)]
    return {title.replace(" ", "-") for title in titles}


def test_links_between_pages_lead_to_a_page_and_a_heading():
    dead = []
    for page in PAGES:
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", page.read_text()):
            linked = page.parent / target if target else page
            if not linked.exists() or (anchor and anchor not in anchors(linked)):
                dead.append(f"{page.name} links to {target}#{anchor}")
    assert dead == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent == ROOT / "docs"], ids=lambda page: page.name)
def test_every_page_says_first_who_it_is_for_and_is_on_the_site(page):
    if "{include}" in page.read_text():  # the site's copy of a page at the root
        return
    title, empty, first = page.read_text().split("\n")[:3]
    assert title.startswith("# ") and not empty and first.startswith("For ") and first.endswith((".", "?"))
    assert page.stem == "index" or re.search(rf"^{page.stem}$", (ROOT / "docs/index.md").read_text(), re.M)


def test_every_image_of_a_page_is_made_by_a_command():
    """Those of the program by `make screenshots`, to be as new as the program; three by commands of their own."""
    script = (ROOT / "docs/screenshots.py").read_text()
    for name in re.findall(r"\]\((?:docs/)?images/([\w-]+)\.png\)", DOCS):
        size = (ROOT / "docs/images" / f"{name}.png").stat().st_size
        assert size > 30_000, f"{name}.png has {size} bytes: a page that was still being read?"
        part = name.removeprefix("web-")
        assert f'"{part}"' in script or f'"{name}"' in script or name in ("sketches", "people", "controls"), (
            f"nothing makes {name}.png"
        )


def test_what_python_examples_import_is_there():
    examples = "".join(re.findall(r"```python\n(.*?)```", DOCS, re.S))
    imports = re.findall(r"^from (mossbench[\w.]*) import (.+)$", examples, re.M)
    missing = [
        f"{module}.{name}"
        for module, names in imports
        for name in names.split(", ")
        if not hasattr(import_module(module), name)
    ]
    assert len(imports) >= 5 and missing == []


@pytest.mark.slow
def test_the_commands_of_the_readme_run():
    shown = [line for block in re.findall(r"```(?:sh|console)\n(.*?)```", README, re.S) for line in block.splitlines()]
    ours = [shlex.split(line, comments=True)[1:] for line in shown if line.startswith("mossbench ") and "…" not in line]
    assert len(ours) >= 4
    for args in ours:
        args = [arg.replace("examples/", f"{ROOT}/examples/") for arg in args]
        args += ["--limit", "4"] if args[0] == "run" and "--limit" not in args else []
        done = CliRunner().invoke(cli, args)
        assert done.exit_code == 0, (args, done.output)


def test_figures_on_labels_of_language_models_are_not_cited_as_people_s():
    cited = r"(?:read|labelled|rated|seen) by (?:two |some |other )?(?:people|persons|humans|strangers|annotators)"
    assert re.findall(rf"{cited}|\bstrangers\b|careful reader|newcomers?\b", DOCS, re.I) == []
    judges, sketches = ((ROOT / "docs" / name).read_text() for name in ("judges.md", "sketches.md"))
    for figures in (judges.partition("## How good they are")[2], sketches.partition("**Recognised.**")[2]):
        assert "language models" in figures.lower().partition("\n## ")[0]
