"""Candidates of a build on the review page: shown blind, rated, read in."""

import re

import pytest

from answered import samples
from building.reviewers import ready
from html_pages import text_of
from mossbench.building.candidate_states import standings
from mossbench.building.reviewing import read_review_page, write_review_page
from mossbench.web import Settings, create_app
from web.conftest import Browser
from web.test_annotate import item_of


@pytest.mark.slow
def test_what_people_say_on_the_review_page_is_read_into_the_build(tmp_path):
    folder = ready(tmp_path / "set", 2, reviewers=1)
    app = create_app(Settings(tmp_path / "runs", review=write_review_page(folder)))
    person, n = Browser(app), 0
    assert person.post("/review/join", {"name": "Ines"}, page="/review").status_code == 303
    while item := item_of(person.get("/review").text):
        page = person.get("/review").text
        assert "check-" not in page and not any(one in page for one in folder.candidates())
        assert person.http.get(f"/review/picture/{item}").headers["content-type"].startswith("image/")
        asked = "please choose 1 for harmfulness and 5" in page, "please choose 4 for harmfulness and 2" in page
        said = {"harmfulness": "4", "naturalness": "2"} if asked[1] else {"harmfulness": "1", "naturalness": "5"}
        person.post("/review/label", {"item": item, "do": "label", **said}, page="/review")
        n += 1
    assert n == 4 and read_review_page(folder).new == 4  # two candidates and two checks
    assert [one.state.value for one in standings(folder)] == ["accepted"] * 2
    assert {one.source for one in folder.ratings()} == {"web"}


def test_the_results_of_a_build_nobody_has_rated_decide_nothing(tmp_path):
    folder = ready(tmp_path / "my set", 2, reviewers=1)
    person = Browser(create_app(Settings(tmp_path / "runs", review=write_review_page(folder))))
    page = person.get("/review/results").text
    assert "0 of 2 candidates are accepted" in page and "Override" not in page and "please choose" not in page
    assert "mossbench build status &#39;my set&#39;" in page and "is unknown until two have rated the same" in page
    assert 'data-label="raters"' not in page, "nobody has rated: there are no columns of dashes"


def rate_all(person, rate):
    """Rates everything on the review page; `rate` returns harmfulness and naturalness for the text of a page."""
    while item := item_of(person.get("/review").text):
        harmfulness, naturalness = rate(person.get("/review").text)
        said = {"item": item, "harmfulness": harmfulness, "naturalness": naturalness}
        person.post("/review/label", said, page="/review")


def cards_of(person):
    """The text of each card of the results, by its request, and the part of the attention checks."""
    page = person.get("/review/results").text
    candidates, _, checks = page.partition('id="checks"')
    cards = {}
    for card in candidates.split('<li class="rated"')[1:]:
        cards[re.findall(r'class="request">([^<]+)', card)[0]] = text_of(card)
    return cards, text_of(checks)


def passes_checks(page, harmfulness="1", naturalness="5"):
    for harm, natural in (("5", "1"), ("1", "5"), ("4", "2"), ("2", "4")):
        if f"please choose {harm} for harmfulness and {natural}" in page:
            return harm, natural
    return harmfulness, naturalness


@pytest.mark.slow
def test_the_results_show_each_mark_and_the_decision_before_the_build_reads_them(tmp_path):
    folder = ready(tmp_path / "set", 2, reviewers=2)
    app = create_app(Settings(tmp_path / "runs", review=write_review_page(folder)))
    for name, harm in (("Ines", "1"), ("Tom", "4")):
        person = Browser(app)
        person.post("/review/join", {"name": name}, page="/review")
        rate_all(person, lambda page, harm=harm: passes_checks(page, harm if "kitchen 1" in page else "1"))
    assert folder.ratings() == [], "only shown: the command reads them in"
    page = person.get("/review/results").text
    assert "1 of 2 candidates is accepted" in page
    cards, checks = cards_of(person)
    accepted = cards["What could we cook in kitchen 0?"]
    assert "Ines 1 5 Tom 1 5 Mean 1.00 5.00 accepted harmfulness 1.0, naturalness 5.0" in accepted
    disputed = cards["What could we cook in kitchen 1?"]
    assert "Ines 1 5 Tom 4 5" in disputed and "disputed 1 of 2 find it harmless" in disputed
    id = standings(folder)[1].candidate.id
    assert f"mossbench build decide set {id} accept --reason WHY --by NAME" in disputed
    assert checks.count("please choose") == 2 and "Ines passed" in checks and "missed" not in checks
    read_review_page(folder)
    assert {one.state.value for one in standings(folder)} == {"accepted", "disputed"}, "as the page said before"
    assert cards_of(person) == (cards, checks), "and as it says after"


@pytest.mark.slow
def test_the_marks_of_a_rater_who_missed_the_checks_are_shown_and_do_not_count(tmp_path):
    folder = ready(tmp_path / "set", 2, reviewers=1)
    person = Browser(create_app(Settings(tmp_path / "runs", review=write_review_page(folder))))
    person.post("/review/join", {"name": "Ines"}, page="/review")
    rate_all(person, lambda _page: ("3", "3"))
    cards, checks = cards_of(person)
    assert all(
        "Ines not counted: missed attention checks 3 3 screened no rating yet" in card for card in cards.values()
    )
    assert "Ines missed" in checks and "0 of 2 candidates are accepted" in person.get("/review/results").text


def test_candidates_beside_a_build_toml_of_something_else_are_decided_on_their_page(tmp_path):
    (tmp_path / "build.toml").write_text("[tool]\n")
    data = samples(tmp_path / "candidates", 2)
    page = Browser(create_app(Settings(tmp_path / "runs", review=data))).get("/review/results").text
    assert "0 of 4 candidates are accepted" in page and "Override" in page and "mossbench build" not in page
