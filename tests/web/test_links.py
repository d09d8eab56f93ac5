"""Every page leads to the next and back: report, sample, explorer, list of samples, analyses."""

import html
import json
import re
import shutil

import pytest

import mossbench as mb
from html_pages import elements
from mossbench.analyses.listing import list_analyses
from mossbench.reports import analyses as written
from mossbench.reports.analyses import write_analysis
from mossbench.reports.writing import write_report
from mossbench.samples import Side
from mossbench.web.pages import explorer_address, run_code
from mossbench.web.settings import Settings
from mossbench.web.site import write_site


def href(page, pattern):
    return html.unescape(re.search(pattern, page)[1])


def test_a_sample_of_a_report_leads_to_the_explorer_and_back(browser):
    report = browser.get("/runs/some").text
    link = href(report, r'<a class="id" href="([^"]+)">4</a>')
    explorer = browser.get(link).text
    assert "<h1>4<small>" in explorer and explorer.count('class="column"') == 1
    back = href(explorer, r'<a href="(/runs/[^"]+)" title="Report')
    assert back == "/runs/some#benign-4"
    assert report.count('id="benign-4"') == 1
    assert link == explorer_address(["some"], (Side.BENIGN, "4")) == f"/explorer?m={run_code('some')}&id=4"


@pytest.mark.slow
def test_a_report_leads_to_the_explorer_and_to_comparisons(browser):
    report = browser.get("/runs/some").text
    assert 'href="/compare?run=some"' in report
    assert browser.get(href(report, r'<a class="button" href="([^"]+)">Explorer</a>')).status_code == 200


def test_a_report_that_is_a_file_has_no_links_to_pages_of_the_app(made, tmp_path):
    page = write_report(mb.load_results(made / "runs" / "some"), tmp_path / "report.html").read_text()
    assert 'class="id" href' not in page and "data-zoom" not in page and 'id="benign-4"' in page


@pytest.mark.slow
def test_a_sample_leads_from_the_explorer_to_its_place_in_the_list_and_to_reports(browser):
    explorer = browser.get("/explorer?id=25").text
    listed = href(explorer, r'<a href="([^"]+)">Among all samples')
    path, anchor = listed.split("#")
    page = browser.get(path).text
    assert "start=24" in path and f'id="{anchor}"' in page
    assert f'href="/runs/some#{anchor}"' in page


@pytest.mark.slow
def test_addresses_with_names_of_runs_still_lead_where_they_did(browser):
    old = browser.get("/explorer?models=some&models=others&show=only&a=others&b=some&id=8").text
    own = href(old, r'data-address="([^"]+)"')
    assert f"m={run_code('some')}-{run_code('others')}" in own and f"a={run_code('others')}" in own
    assert "<h1>8<small>2 of 3" in browser.get(own).text


def test_a_short_name_that_no_run_has_is_said(browser):
    lost = browser.get("/explorer?m=zzzzzz")
    assert lost.status_code == 404 and "zzzzzz" in lost.text


def test_a_stripe_opens_its_sample_also_with_filters(browser):
    page = browser.get("/explorer?stimulus=negated_harm&at=2").text
    ids = re.search(r'data-ids="([^"]+)"', page)[1].split()
    assert f"<h1>{ids[1]}<small>2 of {len(ids)}" in page
    assert f"id={ids[1]}" in re.search(r'data-address="([^"]+)"', page)[1]
    for at in ("0", "99999", "-5"):
        assert browser.get(f"/explorer?at={at}").status_code == 200
    stripes = href(page, r'data-stripes="([^"]+)"')
    assert "stimulus=negated_harm" in stripes and stripes.endswith("&at=")


def outcomes_in_legend(page):
    """The first word beside each mark that stands for an outcome."""
    marks = elements(page, "ul.key li svg[data-kind]")
    return [mark.inside("li").own_text.split()[0].rstrip(",") for mark in marks]


def test_the_legend_names_the_outcomes_that_stripes_have_and_no_others(browser):
    page = browser.get("/explorer?models=some").text
    assert outcomes_in_legend(page) == ["Answered", "Refused"]
    assert outcomes_in_legend(browser.get("/explorer?models=failing").text) == ["Answered", "Failed"]


@pytest.mark.slow
def test_images_open_large_by_a_link_that_works_without_a_script(browser):
    for path in ("/samples", "/explorer", "/runs/some", "/compare?run=none&run=some"):
        link = href(browser.get(path).text, r'<a (?:class="zoom" )?href="([^"]+)" data-zoom')
        found = browser.get(link)
        assert (found.status_code, found.headers["content-type"]) == (200, "image/webp")


@pytest.fixture(scope="module")
def analysed_once(made, tmp_path_factory):
    folder = tmp_path_factory.mktemp("analysed") / "runs"
    runs = shutil.copytree(made / "runs", folder, ignore=shutil.ignore_patterns(".index*"))
    write_analysis(mb.analyse_runs("tradeoff", [runs / "some"]))
    write_analysis(mb.analyse_runs("tradeoff", [runs / "some", runs / "others"]))
    return runs


@pytest.fixture
def analysed(runs, analysed_once):
    """An analysis of one run, and one of it with another."""
    for made in analysed_once.glob("*/analysis*"):
        shutil.copy2(made, runs / made.relative_to(analysed_once))
    return runs


def test_analyses_are_listed_with_what_they_found(analysed, browser):
    found = {one.stem: one for one in list_analyses(analysed)}
    assert set(found) == {"analysis", "analysis-with-others"} and len(found["analysis-with-others"].models) == 2
    page = html.unescape(browser.get("/runs").text)
    assert found["analysis"].findings[0].text in page
    assert 'href="/runs/some/analyses/analysis"' in page
    assert "<dt>Tradeoff" in page and "more finding" not in page
    assert "Analysis: tradeoff" in browser.get("/runs/some").text


def test_an_analysis_is_shown_in_the_app_as_it_was_written(analysed, browser):
    page = browser.get("/runs/some/analyses/analysis").text
    (found,) = (one for one in list_analyses(analysed) if one.stem == "analysis")
    for one in found.findings:
        assert one.text in html.unescape(page)
    assert page.count("<table") and 'aria-current="page"' in page and "<style" not in page
    assert [link["href"] for link in elements(page, "p.actions.onward [href]")] == [
        *("/runs/some", "/models/replay/some.jsonl", "/runs#analyses", "/runs/some/analyses/analysis.json")
    ]
    for place in ("/models/replay/some.jsonl", "/runs"):
        assert browser.get(place).status_code == 200
    made = browser.get("/runs/some/analyses/analysis.json")
    assert json.loads(made.text)["made_by"] == "mossbench analyse"


def test_an_analysis_opens_with_what_was_found_and_about_whom(runs, browser):
    write_analysis(mb.analyse_runs(["access", "tradeoff"], [runs / "some"]))
    page = browser.get("/runs/some/analyses/analysis").text
    (found,) = (one.text for one in list_analyses(runs)[0].findings if one.analysis == "tradeoff")
    assert f"<h1>{found}</h1>" in page and f"<b>{found}</b>" not in page
    assert "replay/some.jsonl · data benign@" in page and re.search(
        r"Access was not done: .*?<code>--model</code>", page
    )
    assert ">Access<" not in page  # nothing leads to a section that says nothing
    write_analysis(mb.analyse_runs("tradeoff", [runs / "some", runs / "others"]))
    page = browser.get("/runs/some/analyses/analysis-with-others").text
    assert "<h1>What was found about 2 models</h1>" in page
    assert "Not done" not in browser.get("/runs").text
    for link in elements(page, "dt a[href^=#]"):
        assert elements(page, f"section{link['href']}")


def test_no_other_file_of_a_run_is_served(analysed, browser):
    files = ("run.json", "report", "analysis-none", "..%2Fothers%2Fanalysis", "answers.jsonl")
    assert {file: browser.get(f"/runs/some/analyses/{file}").status_code for file in files} == dict.fromkeys(files, 404)


def test_an_analysis_of_a_stranger_runs_nothing(runs, browser):
    (runs / "some" / "analysis.html").write_text(
        '<main><h1 onclick="alert(1)">Found</h1><script>alert(2)</script><img src="http://evil.example/x"><a href='
        '"javascript:alert(3)">go</a><form action="/annotate/leave"><button>x</button></form>'
        '<p style="color:red">so</p>'
    )
    page = browser.get("/runs/some/analyses/analysis").text
    assert "<h1>Found</h1>" in page and "<p>so</p>" in page and "<a>go</a>" in page
    for part in ("alert", "evil.example", "onclick", "style=", "/annotate/leave"):
        assert part not in page.partition("<main")[2]


def test_an_analysis_that_leads_out_of_the_runs_is_none(runs, tmp_path, browser):
    (tmp_path / "secret.html").write_text("<main>secret</main>")
    (runs / "some" / "analysis-x.html").symlink_to(tmp_path / "secret.html")
    assert list_analyses(runs) == []
    assert browser.get("/runs/some/analyses/analysis-x").status_code == 404


def test_a_link_can_be_copied_from_every_page_but_those_of_guests(browser):
    assert "data-copy" in browser.get("/leaderboard").text
    assert "data-copy" not in browser.get("/annotate").text


@pytest.mark.slow
def test_pages_of_a_site_have_none_of_the_links_that_only_a_server_answers(made, tmp_path):
    out = write_site(Settings(made / "runs", data=(str(made / "data"),)), tmp_path / "site")
    for path in out.glob("*.html"):
        assert 'href="/' not in path.read_text(), path.name


def test_who_lists_analyses_while_one_is_written_finds_its_findings_then(runs, monkeypatch):
    write = written.write_atomically

    def looked_at(*args, **options):
        write(*args, **options)
        list_analyses(runs)

    monkeypatch.setattr(written, "write_atomically", looked_at)
    write_analysis(mb.analyse_runs("tradeoff", [runs / "some"]))
    (found,) = list_analyses(runs)
    assert found.findings
