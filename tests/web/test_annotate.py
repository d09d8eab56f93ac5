"""Labelling through the app: blind, resumable, compared, settled, exported; and the same for candidates."""

import json
import re
import threading

import pytest

import mossbench as mb
from answered import answered
from html_pages import element, elements, parse
from mossbench.annotation.reviews import Thresholds
from mossbench.web import Settings, create_app
from web.conftest import Browser, item_of, join, start


def label(browser, kind, **fields):
    item = item_of(browser.get("/annotate").text)
    assert browser.post("/annotate/label", {"item": item, "kind": kind, **fields}).status_code == 303
    return item


@pytest.mark.slow
def test_from_nothing_to_the_agreement_page(browser, new_browser, app):
    start(browser, "Ines", n=5, double=100)
    while (item := item_of(browser.get("/annotate").text)) is not None:
        assert browser.post("/annotate/label", {"item": item, "kind": "refused"}).status_code == 303
    assert "You have labelled 10" in browser.get("/annotate").text
    page = browser.get("/annotate/agreement").text
    assert "none by two people yet" in page and "Agreement of the judge with people" in page
    tom = new_browser()
    join(tom, "Tom")
    first = label(tom, "answered")
    while item_of(tom.get("/annotate").text):
        label(tom, "refused")
    page = tom.get("/annotate/agreement").text
    assert "People agree on 9 of 10 answers" in page and "Resolve 1 conflict" in page
    assert "The files also have 1 open conflict: 1 as disputed." in page
    conflict = tom.get("/annotate/conflicts").text
    assert item_of(conflict) == first and "Ines" in conflict and "Tom" in conflict
    decided = tom.post(
        "/annotate/decide", {"item": first, "kind": "refused", "note": "Why not?"}, page="/annotate/conflicts"
    )
    assert app.state.desks.annotate.store.decisions()[first].annotator == "Tom"
    assert decided.status_code == 303 and "No open conflicts" in tom.get("/annotate/conflicts").text
    assert tom.post("/annotate/decide", {"do": "undo"}, page="/annotate/conflicts").status_code == 303
    again = tom.get("/annotate/conflicts").text
    assert item_of(again) == first and 'value="Why not?"' in again
    run = next(name for name in ("some", "none") if f"/annotate/export/{name}" in page)
    lines = [json.loads(line) for line in browser.get(f"/annotate/export/{run}").text.splitlines()]
    assert len(lines) == 5 and {row["kind"] for row in lines} <= {"refused", None}


@pytest.mark.slow
def test_less_agreement_than_by_chance_is_drawn_as_an_arrow(browser, new_browser):
    start(browser, n=4, double=100)
    tom = new_browser()
    join(tom, "Tom")
    kinds = ["refused", "answered"] * 4
    for person, said in ((browser, kinds), (tom, kinds[::-1])):
        for kind in said:
            label(person, kind)
    page = browser.get("/annotate/agreement").text
    assert "People agree on 0 of 8 answers" in page and "−1.00" in page
    assert page.count('class="dot" d="M-9') >= 3  # kappa, alpha, AC1
    assert 'class="drawn-beside"' in page and "The charts show alpha" in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"n": "0"}, "Answers per run is 0"),
        ({"n": "many"}, "must be whole numbers"),
        ({"run": []}, "No run is chosen"),
        ({"double": "101"}, "0 to 100"),
        ({"n": "5", "seed": "1"}, "Nothing was added"),
    ],
)
def test_a_choice_that_brings_nothing_is_said_on_the_form_with_what_was_chosen(browser, app, fields, says):
    start(browser, n=5)
    given = {"n": "7", "double": "50", "seed": "9", "run": ["none", "some"], **fields}
    done = browser.post("/annotate/new", given, page="/annotate/new")
    assert done.status_code == 400 and says in done.text
    assert element(done.text, "input[name=seed]")["value"] == given["seed"]
    assert 'action="/annotate/new"' in done.text
    assert len(elements(done.text, "input[name=run][checked]")) == len(given["run"])
    assert len(app.state.desks.annotate.store.items()) == 10


def test_answers_without_a_text_are_neither_promised_nor_said_to_be_in_the_queue(browser, runs, made, tmp_path):
    rows = [{"id": str(i), "side": "benign", "response": "" if i > 3 else "Here it is."} for i in range(1, 31)]
    (tmp_path / "few.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    mb.run(f"replay/{tmp_path / 'few.jsonl'}", made / "data", out=runs / "few", side="benign")
    assert re.search(r"data, 3 answers ?· few", parse(browser.get("/annotate/new").text).text)
    given = {"n": "7", "double": "50", "seed": "9", "run": ["few"], "side": "contrast"}
    done = browser.post("/annotate/new", given, page="/annotate/new").text
    assert "no answer with a text on this side" in done and "in the queue already" not in done


@pytest.mark.slow
def test_a_page_tells_nothing_of_model_run_or_judge(browser):
    start(browser, n=5, runs=["some", "others"])
    for _ in range(10):
        page = browser.get("/annotate")
        text = re.sub(r"<h2>The answer.*?</blockquote>", "", page.text, flags=re.S) + str(page.headers)
        for secret in ("some", "others", "replay", "rules", "jsonl", "confidence"):
            assert secret not in text, secret
        item = item_of(page.text)
        assert re.fullmatch(r"[0-9a-f]{16}", item)
        picture = browser.get(f"/annotate/picture/{item}")
        assert picture.headers["content-type"] == "image/webp"
        assert not any(secret in str(picture.headers) for secret in ("some", "others"))
        label(browser, "answered")


@pytest.mark.slow
def test_there_is_one_key_for_each_kind_of_answer(browser):
    start(browser)
    keys = re.findall(r'name="kind" value="(\w+)" data-key="(\d)"', browser.get("/annotate").text)
    assert keys == [(kind.value, str(n)) for n, kind in enumerate(mb.Kind, start=1)]


@pytest.mark.slow
def test_a_reload_shows_the_same_item_and_undo_brings_back_the_last(browser):
    start(browser)
    first = item_of(browser.get("/annotate").text)
    assert item_of(browser.get("/annotate").text) == first
    label(browser, "warned", note="hm")
    page = browser.get("/annotate").text
    assert item_of(page) != first and "Saved: Warned" in page
    browser.post("/annotate/label", {"do": "undo"})
    page = browser.get("/annotate").text
    assert item_of(page) == first and 'value="hm"' in page and "Saved" not in page


@pytest.mark.slow
def test_a_label_from_a_tab_that_is_out_of_date_says_what_it_replaces(browser, app):
    start(browser)
    item = label(browser, "refused")
    for _ in range(2):  # the second press of the same key changes nothing
        browser.post("/annotate/label", {"item": item, "kind": "warned"})
        assert "Saved: Warned. It replaces: Refused." in browser.get("/annotate").text
    browser.post("/annotate/label", {"do": "undo"})
    assert item_of(browser.get("/annotate").text) == item and app.state.desks.annotate.store.labels() == ()


@pytest.mark.slow
def test_the_first_button_of_a_form_with_a_note_does_nothing(browser, reviewing):
    start(browser)
    person = Browser(reviewing)
    person.post("/review/join", {"name": "Ines"}, page="/review")
    for page in (browser.get("/annotate").text, person.get("/review").text):
        form = page[page.index('class="desk"') :]
        assert element(form, "button").attributes.keys() == {"disabled", "hidden"}


@pytest.mark.slow
def test_skipped_answers_come_again_at_the_end(browser):
    start(browser, n=1, runs=["some"])
    item = item_of(browser.get("/annotate").text)
    browser.post("/annotate/label", {"item": item, "do": "skip"})
    assert "Done, except 1 that you skipped" in browser.get("/annotate").text
    browser.post("/annotate/label", {"do": "again"})
    assert item_of(browser.get("/annotate").text) == item


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"kind": "refused", "item": "0" * 16}, 404),
        ({"kind": "rejected"}, 400),
        ({}, 400),
        ({"kind": "refused", "note": "x" * 3000}, 400),
    ],
)
def test_a_label_that_cannot_be_is_refused_and_nothing_saved(browser, app, fields, status):
    start(browser)
    item = item_of(browser.get("/annotate").text)
    assert browser.post("/annotate/label", {"item": item, **fields}).status_code == status
    assert app.state.desks.annotate.store.labels() == ()


@pytest.mark.slow
def test_a_label_without_a_seat_is_refused(browser, new_browser, app):
    start(browser)
    item = item_of(browser.get("/annotate").text)
    assert new_browser().post("/annotate/label", {"item": item, "kind": "refused"}).status_code == 403
    assert app.state.desks.annotate.store.labels() == ()


@pytest.mark.slow
def test_a_name_is_taken_once(browser, new_browser):
    start(browser, "Ines")
    again = new_browser().post("/annotate/join", {"name": "Ines"})
    assert again.status_code == 409 and "taken" in again.text


@pytest.mark.slow
def test_work_goes_on_in_a_new_app_on_the_same_file(browser, runs, made):
    start(browser)
    label(browser, "refused")
    here = item_of(browser.get("/annotate").text)
    later = Browser(create_app(Settings(runs, data=(str(made / "data"),))))
    later.http.cookies = browser.http.cookies
    assert item_of(later.get("/annotate").text) == here
    label(later, "refused")


@pytest.mark.slow
def test_a_hundred_annotators_through_the_app(app, browser):
    start(browser, "owner", n=60, double=50)
    people = [Browser(app) for _ in range(100)]
    acknowledged, faults = [], []

    def work(i, person):
        try:
            join(person, f"person {i}")
            for _ in range(2):
                item = item_of(person.get("/annotate").text)
                if item is None:
                    return
                done = person.post("/annotate/label", {"item": item, "kind": "refused"})
                assert done.status_code == 303, done.text
                acknowledged.append((item, f"person {i}"))
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(i, person)) for i, person in enumerate(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    labels = app.state.desks.annotate.store.labels()
    assert sorted((one.item, one.annotator) for one in labels) == sorted(acknowledged)
    assert len(labels) > 100


@pytest.fixture
def reviewing(small, tmp_path):
    return create_app(Settings(tmp_path / "runs", review=small))


def rate(browser, harm, natural):
    item = item_of(browser.get("/review").text)
    fields = {"item": item, "do": "rate", "harmfulness": str(harm), "naturalness": str(natural)}
    assert browser.post("/review/label", fields, page="/review").status_code == 303


@pytest.mark.slow
def test_candidates_are_rated_by_two_and_the_results_lie_beside_them(reviewing, small):
    for name, natural in (("Ines", 5), ("Tom", 4)):
        person = Browser(reviewing)
        assert person.post("/review/join", {"name": name}, page="/review").status_code == 303
        while item_of(person.get("/review").text):
            rate(person, 1, natural)
    page = person.get("/review/results").text
    assert "12 of 12 candidates are accepted" in page
    content = json.loads((small / "review.json").read_text())
    assert {row["decision"] for row in content["candidates"]} == {"take"} and content["candidates"][0]["n"] == 2
    assert len(mb.load_dataset(small)) == 12  # the files beside it are no part of the dataset


def test_a_rating_that_was_undone_is_not_in_the_results_even_if_it_was_the_only_one(reviewing, small):
    person = Browser(reviewing)
    person.post("/review/join", {"name": "Ines"}, page="/review")
    rate(person, 1, 5)
    person.get("/review")
    assert [row["n"] for row in json.loads((small / "review.json").read_text())["candidates"]].count(1) == 1
    person.post("/review/label", {"do": "undo"}, page="/review")
    person.get("/review")
    assert {row["n"] for row in json.loads((small / "review.json").read_text())["candidates"]} == {0}


def test_thresholds_decide_what_is_taken(small, tmp_path):
    strict = Thresholds(reviewers=1, harmfulness=1.0, naturalness=5.0)
    person = Browser(create_app(Settings(tmp_path / "runs", review=small, thresholds=strict)))
    person.post("/review/join", {"name": "Ines"}, page="/review")
    for harm, natural in ((1, 5), (1, 4), (2, 5)):
        rate(person, harm, natural)
    person.get("/review/results")
    decisions = [row["decision"] for row in json.loads((small / "review.json").read_text())["candidates"]]
    assert decisions.count("open") == 9 and decisions.count("leave") >= 1 and decisions.count("take") >= 1


@pytest.mark.slow
def test_a_new_candidate_joins_the_queue_and_half_a_rating_does_not(reviewing, small):
    person = Browser(reviewing)
    person.post("/review/join", {"name": "Ines"}, page="/review")
    item = item_of(person.get("/review").text)
    half = person.post("/review/label", {"item": item, "do": "rate", "harmfulness": "1"}, page="/review")
    assert half.status_code == 400 and "answer both" in half.text
    with (small / "metadata.jsonl").open("a") as file:
        file.write('{"id": "new", "question": "What is this?"}\n')
    assert "of 13" in person.get("/review").text


def test_without_a_folder_there_is_nothing_to_review(browser):
    assert browser.get("/review").status_code == 404


def test_a_run_of_one_answer_is_offered_with_one(browser, runs, made):
    answered(made / "data", runs / "single", limit=1, side="benign")
    assert ", 1 answer · single<" in browser.get("/annotate").text


def test_one_answer_with_two_labels_has_them(browser, new_browser):
    start(browser, n=1, double=100, runs=("some",))
    tom = new_browser()
    join(tom, "Tom")
    for person in (browser, tom):
        label(person, "answered")
    page = browser.get("/annotate/agreement").text
    assert "People agree on 1 of 1 answer: refused or not<" in page and "1 has two or more" in page


def test_agreement_answers_its_three_questions_and_judges_by_alpha(browser, new_browser):
    empty = browser.get("/annotate/agreement").text
    steps = [link["href"] for link in elements(empty, "ol.steps [href^=/annotate]")]
    assert "Do people agree" not in empty and steps == ["/annotate/new", "/annotate", "/annotate/people"]
    start(browser, n=4, double=100, runs=("some",))
    assert "Label 4 answers" in browser.get("/annotate/agreement").text
    label(browser, "refused")
    page = browser.get("/annotate/agreement").text
    assert "The charts show alpha" not in page and 'class="drawn-beside"' not in page, (
        "one label: there is none to draw"
    )
    assert "Label the other 3<" in page and "No conflict is open." in page and "Invite a second person" in page
    label(browser, "refused")
    tom = new_browser()
    join(tom, "Tom")
    label(tom, "deflected"), label(tom, "answered")
    page = browser.get("/annotate/agreement").text
    assert "2 of 4 answers have a label, 2 have two or more." in page and ">2 conflicts are open</a>." in page
    assert re.findall(r'lead-row.*?class="name">(\w+) ', page, re.S) == ["Alpha"] * 2  # both are ties on the kind
    settled = re.search(r"reader/2 agrees with people on \d of (\d) answers?", page)
    assert settled[1] == "1", "a tie settles nothing"
    assert "#judge" not in page and 'id="judge"' not in page  # no kind to compare with


def test_labels_counts_what_two_people_labelled_and_shows_the_image(browser, new_browser):
    assert "No answer is labelled yet" in browser.get("/annotate/labels").text
    start(browser, n=4, double=50, runs=("some",))
    while item_of(browser.get("/annotate").text):
        label(browser, "refused")
    assert "4 answers are labelled, none by two people yet" in browser.get("/annotate/labels").text
    tom = new_browser()
    join(tom, "Tom")
    label(tom, "answered")
    page = browser.get("/annotate/labels").text
    assert "1 of 1 answer has different labels" in page and "A tie" in page
    small = re.search(r'src="(/annotate/picture/\w+\?size=240)"', page)[1]
    assert browser.get(small).headers["content-type"] == "image/webp" and browser.get(small + "1").status_code == 400
