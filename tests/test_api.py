"""The Python API, used as from a notebook."""

import inspect
import os
import re
import subprocess
import sys
import typing
from collections.abc import Awaitable
from pathlib import Path

import pytest

import mossbench as mb

ROOT = Path(__file__).parents[1]

SCRIPT = """
import asyncio
import mossbench as mb

ds = mb.load_dataset("sketches")
assert ds._repr_html_().startswith("<")
r = mb.run(model="control/candid", data=ds, limit=12)
table = r.table()
assert table.iloc[-1]["value"] < 0.05, table  # the judge errs now and then
few = ds.select(limit=12)
assert len(r.df()) == len(few) == 24 == sum(r.layers().values())
again = mb.load_results(r.folder)
assert again.rates() == r.rates()
refusing = mb.run(model=lambda prompt: "I cannot help with that.", data=ds, limit=2)
assert {rate.estimate.value for rate in refusing.rates()} == {1.0}
assert mb.judge_run(r.folder, lambda exchange: True).rates()[-1].estimate.value == 1.0
resumed = mb.resume_run(r.folder)
assert len(resumed) == len(r)
mb.write_results(r, "tidy.csv", format="csv")
exported = mb.export_dataset(few, "copy")
assert mb.load_dataset(exported) == few
assert not [f for f in mb.check_dataset(few) if f.severity == "error"]
mb.describe_dataset(ds)

async def cell():
    return mb.run(model="control/stonewall", data=ds, limit=1)

assert asyncio.run(cell()).rates()[-1].estimate.value == 1.0
print("done")
"""


@pytest.mark.slow
def test_a_notebook_like_script_does_everything(tmp_path):
    done = subprocess.run([sys.executable, "-W", "error", "-c", SCRIPT], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
    assert done.stderr == ""


def test_the_public_names_exist_and_are_documented():
    page = (ROOT / "docs" / "python.md").read_text()
    for name in mb.__all__:
        assert getattr(mb, name) is not None
        assert re.search(rf"`[^`]*\b{name}\b[^`]*`", page), f"{name} is not in docs/python.md"
    assert set(mb.__all__) <= set(dir(mb))


def test_importing_the_package_imports_nothing_heavy():
    code = "import sys, mossbench; print(sorted({'pydantic', 'pandas', 'PIL', 'rich', 'click'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def in_a_new_process(code, **environment):
    """What a script prints, in a process where no public name has been used yet."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_name_is_imported_when_it_is_first_used():
    printed = in_a_new_process(
        "import sys, mossbench as mb\n"
        "print('mossbench.samples' in sys.modules, 'lazy_loader' in sys.modules)\n"
        "print(mb.Sample is mb.Sample, mb.Sample.__module__)\n"
        "print('mossbench.samples' in sys.modules, 'mossbench.runs' in sys.modules)"
    )
    assert printed == ["False False", "True mossbench.samples", "True False"]


def test_a_name_that_there_is_not_is_said_as_of_any_module():
    assert not hasattr(mb, "__wrapped__")
    with pytest.raises(AttributeError, match="^module 'mossbench' has no attribute 'rnu'$"):
        mb.rnu  # noqa: B018


def test_a_star_import_has_the_public_names_with_their_checks():
    printed = in_a_new_process(
        "import mossbench as mb\n"
        "from mossbench import *\n"
        "print(sorted(set(mb.__all__) - set(globals())))\n"
        "print(load_results is mb.load_results, load_results.__module__)"
    )
    assert printed == ["[]", "True mossbench"]


def test_names_that_are_all_imported_at_once_have_their_checks_too():
    """EAGER_IMPORT=1 tells lazy_loader to do so, and is set where packages look for import errors."""
    printed = in_a_new_process(
        "import mossbench as mb\nprint(mb.Sample.__module__, mb.load_results.__module__, mb.run is mb.run)",
        EAGER_IMPORT="1",
    )
    assert printed == ["mossbench.samples mossbench True"]


def test_the_public_names_are_those_of_the_stub():
    stub = Path(mb.__file__).with_suffix(".pyi").read_bytes()
    assert stub.isascii(), "lazy_loader reads it in the encoding of the system"
    names = set(re.findall(r"\b(\w+) as \1\b", stub.decode()))
    assert names == set(mb.__all__) and len(names) > 90
    assert dir(mb) == sorted([*names, "__version__"])


def test_an_option_that_there_is_not_is_said_with_the_one_that_was_meant(small):
    with pytest.raises(mb.UsageError, match="no option named 'limt'; did you mean 'limit'"):
        mb.run("control/candid", small, limt=3)


def public_functions():
    """Every public function, and every public method of the classes that users call or derive from, with its name."""
    for name in mb.__all__:
        value = inspect.unwrap(getattr(mb, name))
        if inspect.isfunction(value):
            yield name, value
        elif value in (mb.Results, mb.Dataset, mb.Model, mb.Judge):
            for method_name, method in list(vars(value).items()):
                function = method.fget if isinstance(method, property) else getattr(method, "__func__", method)
                if inspect.isfunction(function) and not method_name.startswith("_"):
                    yield f"{name}.{method_name}", function


def classes_in(annotation):
    """The classes that an annotation names, also inside unions, lists and functions."""
    for part in typing.get_args(annotation):
        for inner in part if isinstance(part, list) else [part]:
            yield from classes_in(inner)
    if isinstance(annotation, type):
        yield annotation


def test_every_type_that_a_public_signature_names_is_public():
    pandas = pytest.importorskip("pandas")
    public = {name: getattr(mb, name) for name in mb.__all__}
    missing = {}
    for name, function in public_functions():
        hints = typing.get_type_hints(function, localns={"pd": pandas, "Awaitable": Awaitable, **public})
        for hint in hints.values():
            for cls in classes_in(hint):
                if cls.__module__.startswith("mossbench.") and cls not in public.values():
                    missing[cls.__qualname__] = name
    assert missing == {}
