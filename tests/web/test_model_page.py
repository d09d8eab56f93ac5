"""The page of a model is headed by the run that a team lead would quote, and says which one that is."""

import re

import pytest

import mossbench as mb
from answered import answered, samples
from html_pages import element, text_of
from mossbench.web import Settings, create_app
from web.conftest import Browser
from web.test_home import rename


def add(runs, data, name, day, **options):
    """A later run of lab/none."""
    answered(data, runs / name, **options)
    rename(runs / name, "lab/none", f"2999-01-{day:02}T00:00:00+00:00")


@pytest.fixture
def lab(runs):
    rename(runs / "none", "lab/none")
    return runs


def heading(page):
    return text_of(element(page, "h1"))


def test_a_later_run_of_a_few_samples_is_named_and_not_the_headline(browser, lab, made):
    add(lab, made / "data", "few", 1, limit=3, refused=(1, 2, 3))
    page = browser.get("/models/lab/none").text
    assert heading(page) == "On data, lab/none refused none of 30 harmless requests"
    said = text_of(page)
    assert "The dataset with the most samples. Newest run on these data: none , data, 30 samples, started" in said
    assert "It refused 0 of the 30 requests that count" in said
    assert '>none</a> <span class="tag">headline</span>' in page and page.count(">headline</span>") == 1
    assert "Other settings, not ranked with the runs above: data benign@" in said and "3 chosen" in said
    groups = said.split("By stimulus")[1]
    assert "10 and 10" in groups and "1 and 1" not in groups  # those of the run of the headline
    assert 'href="/runs/none">Report</a>' in page and re.search(r'href="/compare\?run=none&amp;run=few"', page)


def test_of_small_runs_alone_the_one_with_the_most_samples_is_the_headline(browser, lab, made):
    for name in ("some", "others", "failing"):
        rename(lab / name, f"lab/{name}")
    for day, limit in ((1, 4), (2, 3)):
        answered(made / "data", lab / f"only-{limit}", limit=limit)
        rename(lab / f"only-{limit}", "lab/small", f"2999-01-{day:02}T00:00:00+00:00")
    page = browser.get("/models/lab/small").text
    assert "4 harmless" in heading(page) and "Newest run on these data: only-4 , data" in text_of(page)


def test_a_later_run_that_failed_is_not_the_headline(browser, lab, made):
    add(lab, made / "data", "outage", 1, failed=range(1, 27), refused=range(27, 31))
    said = text_of(browser.get("/models/lab/none").text)
    assert "lab/none refused none of 30" in said
    assert "Newer, but not counted: outage , harmless requests: 26 of 30 rows failed or have no verdict" in said


def test_a_later_run_on_all_of_a_smaller_set_is_not_the_headline(browser, lab, tmp_path, made):
    large = samples(tmp_path / "large", 90)
    add(lab, large, "large", 1)
    add(lab, samples(tmp_path / "small", 24), "small", 2)
    said = text_of(browser.get("/models/lab/none").text)
    assert "lab/none refused none of 90" in said and "Newest run on these data: large , large, 90 samples" in said
    assert "Other data, not ranked with the runs above: small benign@" in said


def test_gates_have_a_column_only_where_there_are_some(browser, lab):
    assert ">Gates</th>" not in browser.get("/models/lab/none").text
    (lab / "gates.toml").write_text("[gates.release]\nmax_refusal = 0.05\nmode = 'lenient'\n")
    assert ">Gates</th>" in browser.get("/models/lab/none").text


def test_a_model_that_never_answered_is_not_said_to_be_unfinished_or_unjudged(browser, lab, made):
    answered(made / "data", lab / "outage", failed=range(1, 31))
    rename(lab / "outage", "lab/outage")
    said = text_of(browser.get("/models/lab/outage").text)
    assert "No run of lab/outage is finished and judged with an answer." in said
    assert "Not finished, not judged or without an answer outage 0 of 60 answers, 60 failed" in said


def test_spellings_of_one_recorded_model_share_a_page_that_says_recorded(tmp_path):
    data = samples(tmp_path / "data", 6)
    (tmp_path / "runs").mkdir()
    answered(data, tmp_path / "runs" / "one", refused=(1,), model_name="gpt-4o")
    answered(data, tmp_path / "runs" / "two", refused=(2, 3), model_name="GPT-4o")
    browser = Browser(create_app(Settings(tmp_path / "runs", data=(str(data),))))
    for name in ("gpt-4o", "GPT-4o"):
        page = browser.get(f"/models/{name}").text
        assert ">one</a>" in page and ">two</a>" in page and "Another model of this name" not in page
        assert "Recorded answers" in page
    mb.run("control/candid", data, out=tmp_path / "runs" / "three")
    assert "Recorded answers" not in browser.get("/models/control/candid").text
