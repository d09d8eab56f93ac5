"""Three people label the same answers: the form, whose turn it is, and how far each is."""

import pytest

from web.conftest import item_of, join
from web.test_people import invite

FORM = {"n": "2", "seed": "1", "run": ["none", "some"]}


def labels_all(browser):
    n = 0
    while (item := item_of(browser.get("/annotate").text)) is not None:
        assert browser.post("/annotate/label", {"item": item, "kind": "refused"}).status_code == 303
        n += 1
    return n


@pytest.mark.slow
def test_named_people_each_get_every_answer_and_others_none(browser, new_browser):
    fields = {**FORM, "double": "100", "raters": "3", "people": "Ana, Ben,Cho"}
    assert browser.post("/annotate/new", fields, page="/annotate/new").status_code == 303
    join(browser, "Ines")
    assert labels_all(browser) == 0, "the owner is not named"
    for name in ("Ana", "Ben"):
        guest = new_browser()
        invite(browser, guest, name)
        assert labels_all(guest) == 4
    assert "0 of 4" in browser.get("/annotate/people").text, "Cho has labelled nothing yet"


@pytest.mark.slow
def test_more_labels_than_named_people_are_refused_on_the_form(browser):
    fields = {**FORM, "double": "100", "raters": "3", "people": "Ana, Ben"}
    page = browser.post("/annotate/new", fields, page="/annotate/new")
    assert page.status_code == 400 and "3 labels, but 2 people are named" in page.text and "Ana, Ben" in page.text
