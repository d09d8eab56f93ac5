"""The Python API, used as from a notebook."""

import re
import subprocess
import sys
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


def test_an_option_that_there_is_not_is_said_with_the_one_that_was_meant(small):
    with pytest.raises(mb.UsageError, match="no option named 'limt'; did you mean 'limit'"):
        mb.run("control/candid", small, limt=3)
