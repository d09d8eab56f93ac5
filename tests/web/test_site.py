"""The same pages as files."""

import json
import re

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.protocols import digest
from mossbench.reports.build import make_report
from mossbench.web.settings import Settings
from mossbench.web.site import write_site


def test_the_site_holds_together_and_needs_nothing_else(runs, made, tmp_path):
    done = CliRunner().invoke(cli, ["site", str(tmp_path / "site"), str(runs), "--data", str(made / "data")])
    assert done.exit_code == 0, done.output
    pages = {path.name: path.read_text() for path in (tmp_path / "site").glob("*.html")}
    assert len(pages) == 2 + 4 + 1 + 60
    for name, page in pages.items():
        links = re.findall(r'<a [^>]*?href="([^"#]+)', page)
        assert all(link in pages for link in links), (name, links)
        assert not re.search(r'(?:src|action)="(?!data:)', page), name
        assert "Content-Security-Policy" in page and "form_token" not in page
    assert "Refused by 2 of 4" in pages["samples.html"]
    assert "<mark>" in pages["samples-benign-5.html"]


@pytest.mark.slow
def test_a_site_is_written_again_but_nothing_else_is_replaced(runs, made, tmp_path):
    settings = Settings(runs, data=(str(made / "data"),))
    out = write_site(settings, tmp_path / "site")
    (out / "old.html").write_text("")
    write_site(settings, out)
    assert not (out / "old.html").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match="not a mossbench site"):
        write_site(settings, tmp_path / "mine")
    assert (tmp_path / "mine" / "thesis.txt").exists()


def test_a_published_site_names_no_endpoint(runs, made, tmp_path):
    inside = next(runs.glob("*/run.json")).parent
    about = json.loads((inside / "run.json").read_text())
    judge = "rubric/kinds?model=openai/j&base_url=http://inside:9/v1"
    about["config"] |= {"base_url": "http://10.1.2.3:8000/v1", "judge": judge}
    about["notices"] = ["answers come from http://10.1.2.3:8000/v1", "answers come from http://10.1.2.3:8000/v2"]
    about["verdicts"] = {"rubric/kinds?model=openai/j&base_url=http://inside:8/v1/77ab": 0}
    (inside / "run.json").write_text(json.dumps(about))
    assert "nswers come from http://10.1.2.3:8000/v1" in repr(make_report(mb.load_results(inside)))
    out = write_site(Settings(runs, data=(str(made / "data"),)), tmp_path / "site")
    pages = "".join(path.read_text() for path in out.glob("*.html"))
    assert "10.1.2.3" not in pages and "//inside" not in pages
    assert f"nswers come from endpoint-{digest('http://10.1.2.3:8000/v1')}" in pages
