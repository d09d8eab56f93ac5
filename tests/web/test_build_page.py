"""The board of a build: candidates with their images, by where they stand."""

import pytest
from PIL import Image

from building.candidate import candidate
from html_pages import element, elements
from mossbench.building.candidates import Decision, Gold, Rating, Screened
from mossbench.building.folder import BuildFolder
from mossbench.building.proposing import propose
from mossbench.web import Settings, create_app
from web.conftest import Browser


@pytest.fixture
def folder(tmp_path):
    folder = BuildFolder(tmp_path / "set")
    folder.start()
    return folder


@pytest.fixture
def person(folder, tmp_path):
    return Browser(create_app(Settings(tmp_path / "runs", build=folder.path)))


def drawn(folder, one, *variants):
    (folder.path / "images").mkdir(exist_ok=True)
    for variant in variants:
        Image.new("RGB", (320, 320), "red" if variant else "blue").save(folder.image_path(one.id, variant))


def test_candidates_stand_by_state_with_image_twin_and_findings(folder, person):
    er, nh, ci = (candidate(one) for one in ("exaggerated_risk", "negated_harm", "counterintuitive"))
    folder.append("candidates", [er, nh, ci])
    drawn(folder, nh, "", "contrast", "counterfactual")
    drawn(folder, ci, "")
    folder.append("screen", [Screened(candidate=ci.id, digest=folder.digest(ci), errors=("ocr: <b>odd</b>",))])
    text = person.get("/build").text
    assert "3 candidates of set" in text and "Retired" in text
    counts = {number.next("span").text: number.text for number in elements(text, "b") if number.text.isdecimal()}
    assert {state: n for state, n in counts.items() if n != "0"} == {
        "All": "3",
        "Proposed": "1",
        "Imaged": "1",
        "Rejected": "1",
    }
    assert "mossbench build image set --photos photos" in text and "mossbench build screen set" in text
    sections = [section["id"] for section in elements(text, "[id^=state-]")]
    assert sections == ["state-imaged", "state-proposed", "state-rejected"], "what is nearest to a release comes first"
    assert text.index(nh.id) < text.index(er.id) < text.index(ci.id)
    assert er.scene in text and "ocr: &lt;b&gt;odd" in text
    for variant in ("", "contrast", "counterfactual"):
        shown = person.get(f"/build/image?id={nh.id}&variant={variant}&size=240")
        assert shown.status_code == 200 and shown.headers["content-type"] == "image/webp"
    only = person.get("/build?state=imaged").text
    assert nh.id in only and er.id not in only and nh.contrast.request in only
    assert ci.id not in person.get("/build?stimulus=negated_harm").text
    assert '<a href="/build"' in text  # among the pages


def test_the_page_opens_with_what_waits_for_which_step(folder, person):
    empty = person.get("/build").text
    assert "set has no candidates yet" in empty and "mossbench build propose set --n 30" in empty
    one, two = candidate("exaggerated_risk"), candidate("negated_harm")
    folder.append("candidates", [one, two])
    drawn(folder, two, "", "contrast", "counterfactual")
    text = person.get("/build").text
    assert "2 candidates of set, none released</h1>" in text and "2 wait for a step." in text
    todo = element(text, "table.stack.todo")
    links = [(link["href"], link.text.split()[0]) for link in elements(todo, "a[href^=/build?state=]")]
    assert links == [("/build?state=imaged", "1"), ("/build?state=proposed", "1")]
    assert 'data-copy="mossbench build screen set"' in todo.markup
    assert all(f'id="state-{state}"' in text for state in ("imaged", "proposed"))
    assert "1 of 2 candidates of set</h1>" in person.get("/build?stimulus=negated_harm").text
    folder.append("decisions", [Decision(candidate=two.id, decision="retire", reason="old", by="Eve")])
    text = person.get("/build").text
    assert "1 waits for a step." in text and "retired" in text
    assert "None waits for a step." in person.get("/build?stimulus=negated_harm").text


def test_nothing_false_is_said_of_a_state(folder, person):
    one = candidate("negated_harm")
    folder.append("candidates", [one])
    drawn(folder, one, "")
    text = person.get("/build").text
    assert "no image of its harmful twin yet" in text and "No image yet" not in text
    drawn(folder, one, "contrast", "counterfactual")
    folder.append("screen", [Screened(candidate=one.id, digest=folder.digest(one))])
    rating = {"candidate": one.id, "digest": folder.digest(one), "harmfulness": 1, "naturalness": 5}
    check = {"candidate": "check-1", "harmfulness": 5, "naturalness": 1}
    gold = [Gold(candidate="check-1", request="x", harmfulness=(1, 1), naturalness=(5, 5))]
    folder.append("gold", gold)
    folder.append("reviews", [Rating(reviewer="Ann", source="sheet", **said) for said in (rating, check)])
    text = person.get("/build").text
    assert "No rating counts yet" in text and "Nobody has rated" not in text, "Ann did, but passed no check"


def test_a_disputed_candidate_has_the_command_that_settles_it(folder, person):
    one = candidate()
    folder.append("candidates", [one])
    drawn(folder, one, "", "contrast", "counterfactual")
    folder.append("screen", [Screened(candidate=one.id, digest=folder.digest(one))])
    said = {"candidate": one.id, "digest": folder.digest(one), "naturalness": 5, "source": "sheet"}
    folder.append("reviews", [Rating(reviewer=f"R{i}", harmfulness=n, **said) for i, n in enumerate((1, 5, 5))])
    text = person.get("/build?state=disputed").text
    assert f'data-copy="mossbench build decide set {one.id} accept --reason WHY --by NAME"' in text


def test_candidates_are_rated_here_only_where_the_review_page_has_them(folder, tmp_path):
    one = candidate()
    folder.append("candidates", [one])
    drawn(folder, one, "", "contrast", "counterfactual")
    folder.append("screen", [Screened(candidate=one.id, digest=folder.digest(one))])
    (folder.path / "review").mkdir()
    (tmp_path / "other").mkdir()
    for review, here in ((None, False), (tmp_path / "other", False), (folder.path / "review", True)):
        app = create_app(Settings(tmp_path / "runs", build=folder.path, review=review))
        assert ("Rate them here" in Browser(app).get("/build").text) == here


def test_a_line_that_was_cut_off_is_said(folder, person):
    folder.append("candidates", [candidate()])
    with (folder.path / "reviews.jsonl").open("a") as file:
        file.write('{"candidate": "er-')
    assert "The last line of reviews.jsonl is cut off and does not count." in person.get("/build").text


def test_a_state_with_many_shows_some_and_leads_to_all(folder, person):
    propose(folder.path, n=15, stimuli=["counterintuitive"])
    text = person.get("/build").text
    assert text.count("<article") == 4 and "All 15 that are proposed" in text
    assert person.get("/build?state=proposed").text.count("<article") == 15


@pytest.mark.parametrize(
    "path, status",
    [
        ("/build/image?id=../../secret", 404),
        ("/build/image?id=none", 404),
        ("/build/image?id=x&variant=other", 400),
        ("/build?state=nowhere", 400),
    ],
)
def test_nothing_else_is_served(person, path, status):
    assert person.get(path).status_code == status


def test_a_fault_in_a_file_is_a_page_and_without_a_build_it_says_how_to_begin(folder, person, tmp_path):
    (folder.path / "candidates.jsonl").write_text('{"id": "x"}\n')
    broken = person.get("/build")
    assert broken.status_code == 400 and "line 1: stimulus is missing" in broken.text
    without = Browser(create_app(Settings(tmp_path / "runs"))).get("/build")
    assert without.status_code == 404 and "serve --build" in without.text and 'href="/build"' not in without.text
