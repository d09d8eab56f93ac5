"""Models, judges and datasets of other packages: found by name, recorded with a version, left out where broken."""

import json
import sys

import pytest
from click.testing import CliRunner

import mossbench
from mossbench.cli import cli
from mossbench.datasets.own_data import find_data_code
from mossbench.errors import DataError, MossbenchError, UsageError
from mossbench.judges import load_judge
from mossbench.models import load_model
from mossbench.plumbing.plugins import find_plugins
from mossbench.store.run_folder import RunFolder

CODE = '''
from mossbench import Judge, Model

def answer(prompt):
    """Says yes."""
    return "Yes: " + prompt.request

class Acme:
    """Models of Acme."""
    def __init__(self, model):
        self.model = model
    async def __call__(self, prompt):
        return self.model

async def two(prompt, model):
    return model + prompt.request

def judge(exchange):
    return "refused" if "no" in exchange.answer.text else "answered"

def rows():
    return [{"id": "1", "prompt": "How?", "room": 3}, {"id": "1", "prompt": "How to harm?", "side": "harmful"}]
'''
POINTS = """
[mossbench.models]
acme = acme_code:answer
acmes = acme_code:Acme
two = acme_code:two
[mossbench.judges]
plain = acme_code:judge
[mossbench.datasets]
kettles = acme_code:rows
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder with installed packages, which is on the search path."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    before = set(sys.modules)
    yield folder
    for name in set(sys.modules) - before:
        if name.endswith("_code"):
            del sys.modules[name]


def install(site, package, points, code=None, version="1.2", **files):
    metadata = site / f"{package}-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
    (metadata / "entry_points.txt").write_text(points)
    for name, text in files.items():
        (metadata / f"{name}.json").write_text(text)
    if code is not None:
        (site / f"{package}_code.py").write_text(code)


def command(*args):
    done = CliRunner().invoke(cli, [str(arg) for arg in args])
    return done.exit_code, done.stdout, " ".join(done.stderr.split())


def test_a_run_of_a_package_has_its_versions_on_record(site, tmp_path):
    install(site, "acme", POINTS, CODE)
    results = mossbench.run("acme", data="kettles", judge="plain", out=tmp_path / "run")
    info = RunFolder(tmp_path / "run").info()
    assert (info.config.model, info.model_version) == ("acme", "acme 1.2")
    assert (info.config.data, info.dataset.revision, info.dataset.source) == ("kettles", "1.2", "package acme")
    assert results.judge == "plain/1.2"
    assert mossbench.judge_run(tmp_path / "run", "plain/1.2").judge == "plain/1.2"
    with pytest.raises(UsageError, match="no version '1.1' of judge 'plain'; this is version '1.2'"):
        load_judge("plain/1.1")


def test_a_run_is_not_resumed_with_another_version_of_the_package(site, tmp_path):
    install(site, "acme", POINTS, CODE)
    mossbench.run("acme", data="kettles", out=tmp_path / "run")
    (site / "acme-1.2.dist-info").rename(site / "acme-1.3.dist-info")
    metadata = site / "acme-1.3.dist-info" / "METADATA"
    metadata.write_text(metadata.read_text().replace("1.2", "1.3"))
    with pytest.raises(MossbenchError, match=r"acme 1\.2.*acme 1\.3|model_version|version"):
        mossbench.resume_run(tmp_path / "run")


@pytest.mark.parametrize(("name", "text"), [("acmes/small", "small"), ("two/tiny", "tinyHow?"), ("acme", "Yes: How?")])
def test_what_follows_the_slash_reaches_the_model(site, name, text, tmp_path):
    install(site, "acme", POINTS, CODE)
    results = mossbench.run(name, data="kettles", side="benign", out=tmp_path / "run")
    assert [row.exchange.answer.text for row in results.rows] == [text]
    assert results.model == name


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("acme/small", "goes on after a slash, but the function takes one argument; omit /small"),
        ("acmes", "one argument can also be given after a slash: acmes/NAME"),
        ("two", "a second one is given after a slash: two/NAME"),
        ("acmy", "did you mean 'acme'"),
    ],
)
def test_a_wrong_name_is_one_message_with_the_way_out(site, name, message):
    install(site, "acme", POINTS, CODE)
    with pytest.raises(UsageError, match=message):
        load_model(name)


BROKEN = "import sys\nprint('noise')\nimport no_such_package\n"
BROKEN_POINTS = "".join(
    f"[mossbench.{group}]\nbroken = broken_code:it\n{own} = broken_code:it\n"
    for group, own in (("models", "control"), ("judges", "rules"), ("datasets", "sketches"))
)


@pytest.mark.parametrize("args", [("models",), ("judge", "list"), ("data", "list")])
def test_a_broken_package_is_named_by_lists_and_left_out(site, args):
    install(site, "acme", POINTS, CODE)
    install(site, "broken", BROKEN_POINTS, BROKEN)
    code, out, err = command(*args)
    assert code == 0
    assert "'broken' of the package broken 1.2 cannot be loaded: ModuleNotFoundError" in err
    assert "(broken_code.py, line 3)" in err and "mossbench has one of this name itself" in err
    assert any(name in out for name in ("acme", "plain", "kettles"))
    code, out, _ = command(*args, "--json")
    assert code == 0 and json.loads(out)  # what a package prints stands in no result


@pytest.mark.parametrize(
    "code", ["raise SystemExit(3)", "1 / 0", "def it(", "x = 1", "class it:\n def __init__(self, a, b): pass"]
)
def test_a_broken_package_is_one_message_for_whoever_names_it(site, code):
    install(site, "broken", BROKEN_POINTS, code)
    for args in (
        ("try", "--model", "broken", "--data", "sketches"),
        ("run", "--model", "control/candid", "--data", "broken", "--out", "run"),
        ("judge", "drift", "--judge", "broken"),
    ):
        status, _, err = command(*args)
        assert status in (1, 2) and "broken" in err and "Traceback" not in err, (args, err)


def test_no_package_is_imported_unless_its_name_is_used(site, tmp_path):
    install(site, "broken", BROKEN_POINTS, f"open({str(tmp_path / 'imported')!r}, 'w').close()\n")
    for args in (["--help"], ["data", "describe", "sketches"], ["run", "--limit", "2", "--out", "run"]):
        assert command(*args)[0] == 0
    assert command("run", "--model", "nobody/x")[0] == 2
    assert not (tmp_path / "imported").exists() and "importlib.metadata" in sys.modules


def test_damaged_metadata_of_a_package_hides_no_other_package(site):
    install(site, "acme", POINTS, CODE)
    install(site, "damaged", "this is no file of entry points\n[mossbench.models]\n====\n", "")
    (site / "empty-1.0.dist-info").mkdir()
    assert "acme" in [plugin.name for plugin in find_plugins("models")]
    assert load_model("acme").name == "acme"


def test_two_packages_with_one_name_are_named(site):
    install(site, "acme", POINTS, CODE)
    install(site, "other", "[mossbench.models]\nacme = acme_code:answer\n")
    with pytest.raises(UsageError, match="the packages acme and other all have a model named 'acme'"):
        load_model("acme")
    assert "acme and other" in command("models")[2]


def test_an_editable_package_has_a_hash_of_its_files_in_its_version(site):
    record = json.dumps({"url": "file:///x", "dir_info": {"editable": True}})
    install(site, "acme", POINTS, CODE, direct_url=record)
    version = load_judge("plain").version
    assert version.startswith("1.2-") and len(version) == len("1.2-") + 12


def test_a_folder_of_the_name_goes_before_a_package(site, small):
    install(site, "acme", POINTS, CODE)
    small.rename("kettles")
    assert find_data_code("kettles") is None
    assert len(mossbench.load_dataset("kettles")) == 12


def own_rows(text):
    with open("mine.py", "w") as file:
        file.write(text)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("def it(): return 3", "'mine.py:it' gives int, expected a Dataset, a list of dicts"),
        ("def it(): return []", "gives no rows"),
        ("def it(): return [3]", "row 1: int, expected a dict"),
        ("def it(): return [{'id': 1}]", "have no 'question'.*they have 'id'"),
        ("def it(): return [{'id': 1, 'question': 'a'}, {'id': 1, 'question': 'b'}]", "row 2: another row has the id"),
        ("def it(): return [{'question': 'a', 'side': 'left'}]", "row 1: .*'side'"),
        ("def it(): return [{'question': 'a', 'image': '../a.png'}]", "outside"),
        ("def it(): return 1 / 0", r"'mine.py:it' failed: ZeroDivisionError: division by zero \(mine.py, line 1\)"),
        ("def it(a): return []", "takes arguments"),
        ("def it(): return 'nothing.csv'", "nothing.csv"),
    ],
)
def test_a_fault_of_code_for_data_is_one_message(code, message):
    own_rows(code)
    with pytest.raises((UsageError, DataError), match=message):
        mossbench.load_dataset("mine.py:it")


def test_code_may_give_a_path_or_a_dataset(small):
    own_rows(f"import mossbench\nPATH = {str(small)!r}\ndef it(): return mossbench.load_dataset(PATH)\n")
    for name in ("mine.py:PATH", "mine.py:it"):
        dataset = mossbench.load_dataset(name)
        assert dataset == mossbench.load_dataset(small) and dataset.code == name and dataset.revision


def test_a_run_on_data_of_code_resumes_and_shows_without_running_it(tmp_path):
    own_rows("def it(): return [{'question': 'How?'}]\n")
    mossbench.run("control/candid", data="mine.py:it", out="run")
    assert RunFolder(tmp_path / "work" / "run").info().config.data == "mine.py:it"
    assert mossbench.resume_run("run").folder.name == "run"
    own_rows(f"open({str(tmp_path / 'ran')!r}, 'w').close()\ndef it(): return []\n")
    assert command("report", "run", "--out", "report.html")[0] == 0
    assert not (tmp_path / "ran").exists()


SET = """
title = "Teapots"
what = "requests about teapots"
home = "folder:files"
layout = "opened"
licence = "CC0"
permits = "everything"
copies = true
citation = "ours"
modality = "text"
files = ["*.csv"]

[[parts]]
file = "*.csv"
side = "{label}"
sides = { fine = "benign", bad = "contrast" }
id = "{number}"
request = "{text}"
"""


@pytest.fixture
def teapots(tmp_path):
    folder = tmp_path / "work"
    (folder / "files").mkdir()
    (folder / "files" / "a.csv").write_text("number,text,label\n1,How?,fine\n2,How to harm?,bad\n")
    (folder / "teapots.toml").write_text(SET)
    return folder


def test_a_description_of_ones_own_is_a_dataset(teapots):
    dataset = mossbench.load_dataset("teapots.toml")
    assert [(sample.side, sample.id) for sample in dataset] == [("benign", "1"), ("contrast", "2")]
    mossbench.run("control/candid", data=dataset, out="run")
    assert RunFolder(teapots / "run").info().config.data == "teapots.toml"
    with pytest.raises(UsageError, match="there is nothing to fetch"):
        mossbench.fetch_dataset("teapots.toml")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("folder:files", "folder:../files", "expected a folder inside the folder of this file"),
        ("folder:files", "folder:/etc", "expected a folder inside the folder of this file"),
        ("*.csv", "*.json", "has no such file"),
        ("{text}", "{question}", "does not have the expected layout.*correct teapots.toml, or the file"),
        ('title = "Teapots"', "", "title is missing"),
    ],
)
def test_a_wrong_description_of_ones_own_says_what_is_wrong(teapots, old, new, message):
    (teapots / "teapots.toml").write_text(SET.replace(old, new))
    with pytest.raises(DataError, match=message):
        mossbench.load_dataset("teapots.toml")


def test_suites_find_data_of_packages_and_code(site):
    install(site, "acme", POINTS, CODE)
    own_rows("def it(): return [{'question': 'How?'}]\n")
    with open("suite.toml", "w") as file:
        file.write('name = "own"\nmodels = ["acme"]\ndata = ["kettles", "mine.py:it"]\n')
    code, _, err = command("run", "suite.toml", "--out", "suite")
    assert code == 0, err


def test_data_of_packages_can_be_imported_and_exported(site):
    install(site, "acme", POINTS, CODE)
    assert command("data", "import", "kettles", "--out", "imported")[0] == 0
    assert command("data", "export", "kettles", "exported")[0] == 0
    assert mossbench.load_dataset("imported") == mossbench.load_dataset("exported") == mossbench.load_dataset("kettles")


def test_a_set_of_a_package_keeps_where_it_is_published(site, teapots):
    points = "[mossbench.datasets]\nteapots = acme_code:SET\n"
    install(site, "acme", points, f"SET = {str(teapots / 'teapots.toml')!r}\n")
    (row,) = [row for row in mossbench.list_datasets() if row["name"] == "teapots"]
    assert (row["title"], row["state"]) == ("Teapots", "in a folder")
    dataset = mossbench.load_dataset("teapots")
    assert (dataset.source, dataset.revision, dataset.code) == ("folder:files", "1.2", "teapots")
