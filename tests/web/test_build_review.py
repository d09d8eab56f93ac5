"""Candidates of a build on the review page: shown blind, rated, read in."""

import pytest

from answered import samples
from building.reviewers import ready
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


def test_the_review_page_of_a_build_claims_no_decision(tmp_path):
    """Sheets count too, checks are among what is rated, and the build decides."""
    folder = ready(tmp_path / "my set", 2, reviewers=1)
    person = Browser(create_app(Settings(tmp_path / "runs", review=write_review_page(folder))))
    page = person.get("/review/results").text
    assert "0 of 2 candidates have 2 ratings or more here" in page and "accepted" not in page and "Override" not in page
    assert "mossbench build status &#39;my set&#39;" in page and "is unknown until two have rated the same" in page
    assert 'data-label="raters"' not in page, "nobody has rated: there are no columns of dashes"


def test_candidates_beside_a_build_toml_of_something_else_are_decided_on_their_page(tmp_path):
    (tmp_path / "build.toml").write_text("[tool]\n")
    data = samples(tmp_path / "candidates", 2)
    page = Browser(create_app(Settings(tmp_path / "runs", review=data))).get("/review/results").text
    assert "0 of 4 candidates are accepted" in page and "Override" in page and "mossbench build" not in page
