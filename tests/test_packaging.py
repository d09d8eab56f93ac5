"""What an installation has, and what it says of the parts that it does not have."""

import importlib.metadata
import json
import re
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.errors import MissingExtra, install_command
from mossbench.look.charts import dataset_chart, save_chart

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ABSENT = ("vl_convert", "pandas", "huggingface_hub", "pyarrow", "openai", "anthropic", "inspect_ai", "torch")


@pytest.fixture
def core(monkeypatch):
    """An installation without extras."""
    for module in [name for name in sys.modules if name.partition(".")[0] in ABSENT] + list(ABSENT):
        monkeypatch.setitem(sys.modules, module, None)


def installed_from(monkeypatch, record):
    class Distribution:
        def read_text(self, name):
            return None if record is None else json.dumps(record)

    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: Distribution())


def test_the_core_runs_reports_exports_and_analyses(core, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["run", "--model", "control/jumpy?rate=0.4", "--limit", "3", "--out", "r"])
    assert done.exit_code == 0, done.output
    assert "no report was written" not in done.output and "<figure" in Path("r/report.html").read_text(encoding="utf-8")
    for command in ("results export r --out rows.csv", "results export r --out rows.json", "report r --out r.md"):
        assert CliRunner().invoke(cli, command.split()).exit_code == 0, command
    results = mb.load_results("r")
    assert [row["sample"] for row in json.loads(Path("rows.json").read_text(encoding="utf-8"))] == [
        row.key.sample for row in results.rows
    ]
    assert f"<td>{100 * results.rates()[-1].estimate.value:.1f} % [" in results._repr_html_()
    # A page of analyses has its tables, and says what its chart needs.
    page = mb.write_analysis(mb.analyse_runs(["tradeoff"], ["r"])).read_text(encoding="utf-8")
    assert "its chart needs the extra [charts], which is not installed; install it with: " in page
    assert "<table" in page and "<img" not in page


@pytest.mark.parametrize(
    ("extra", "call"),
    [
        ("pandas", lambda: mb.load_dataset("sketches").df()),
        ("pandas", lambda: mb.run("control/candid", limit=1, out="r").table()),
        ("charts", lambda: save_chart(dataset_chart(mb.describe_dataset(mb.load_dataset("sketches"))), "d.svg")),
        ("charts", lambda: mb.write_report(mb.run("control/candid", limit=1, out="r"), "r.svg")),
        ("hub", lambda: mb.load_dataset("official")),
        ("parquet", lambda: mb.export_dataset(mb.load_dataset("sketches"), "o", "parquet")),
        ("parquet", lambda: mb.write_results(mb.run("control/candid", limit=1, out="r"), "r.pq", format="parquet")),
        ("openai", lambda: mb.load_model("openai/m")),
        ("anthropic", lambda: mb.load_model("anthropic/m")),
        ("inspect", lambda: mb.load_model("inspect/x/m")),
    ],
)
def test_a_missing_extra_is_one_sentence_with_the_command(core, tmp_path, monkeypatch, extra, call):
    monkeypatch.chdir(tmp_path)
    assert extra in PROJECT["project"]["optional-dependencies"]
    with pytest.raises(MissingExtra) as raised:
        call()
    message = f" needs the extra [{extra}], which is not installed; install it with: {install_command(extra)}"
    assert str(raised.value).endswith(message)


def test_the_command_installs_from_where_mossbench_came(tmp_path, monkeypatch):
    checkout = tmp_path / "my copy"
    checkout.mkdir()
    editable = {"url": checkout.as_uri(), "dir_info": {"editable": True}}
    cases = [
        (None, "pip install 'mossbench[hub]'"),
        (
            {"url": "https://host.test/m.git", "vcs_info": {"vcs": "git", "commit_id": "1f"}},
            "pip install 'mossbench[hub] @ git+https://host.test/m.git'",
        ),
        ({"url": "file:///m.whl", "archive_info": {}}, "pip install 'mossbench[hub] @ file:///m.whl'"),
        (editable, f"pip install -e '{checkout}[hub]'"),
        ({"url": checkout.as_uri(), "dir_info": {}}, f"pip install '{checkout}[hub]'"),
    ]
    for record, command in cases:
        installed_from(monkeypatch, record)
        assert install_command("hub") == command
    installed_from(monkeypatch, editable)
    monkeypatch.setattr(sys, "prefix", str(checkout / ".venv"))
    assert install_command("hub") == f"make -C '{checkout}' install EXTRAS=hub"
    monkeypatch.chdir(checkout)
    assert install_command("hub") == "make install EXTRAS=hub"


def test_no_page_names_an_index_that_does_not_have_the_package():
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        assert not re.search(r"pip install ['\"]?mossbench(?!\[\w+\] @ )", page.read_text("utf-8")), page


def test_the_version_stands_in_one_place_and_the_citation_has_it():
    assert "version" not in PROJECT["project"] and PROJECT["tool"]["hatch"]["version"]["path"] == (
        "src/mossbench/__init__.py"
    )
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.+)$", citation, re.M)[1] == mb.__version__
    assert re.search(r"^license: (.+)$", citation, re.M)[1] == PROJECT["project"]["license"]


def test_archives_have_licence_and_notice():
    assert PROJECT["project"]["license-files"] == ["LICENSE", "NOTICE"]
    assert all((ROOT / name).is_file() for name in PROJECT["project"]["license-files"])


def test_every_step_of_the_workflows_can_be_run_here():
    yaml = pytest.importorskip("yaml")
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    files = [*ROOT.glob(".github/**/*.yml"), ROOT / ".pre-commit-config.yaml"]
    workflows = [path for path in files if path.parent.name == "workflows"]
    assert {path.name for path in workflows} == {"ci.yml", "release.yml"}
    read = {path: yaml.safe_load(path.read_text(encoding="utf-8")) for path in files}
    for path in workflows:
        assert read[path][True]  # `on`, which YAML reads as true
        for job in read[path]["jobs"].values():
            for step in job["steps"]:
                assert ("uses" in step) != ("run" in step), step
                for target in re.findall(r"\bmake ([\w-]+)", step.get("run", "")):
                    assert target in targets, f"{path.name} calls make {target}"
    for step in re.findall(r"^\s*make ([\w-]+)", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.M):
        assert step in targets
    matrix = read[ROOT / ".github" / "workflows" / "ci.yml"]["jobs"]["tests"]["strategy"]["matrix"]
    classified = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["project"]["classifiers"]))
    assert matrix["python"] == classified and len(matrix["os"]) == 3


def test_the_readme_of_the_index_has_no_link_into_the_repository():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for rule in PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        text = re.sub(rule["pattern"], rule["replacement"], text)
    assert re.findall(r"\]\((?!https?:)[^)]*\)", text) == [] and "docs/models.md" in text
