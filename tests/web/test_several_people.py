"""Three people label the same answers: the form, whose turn it is, and how far each is."""

import pytest

from html_pages import elements
from web.conftest import item_of, start


def labels_all(browser):
    n = 0
    while (item := item_of(browser.get("/annotate").text)) is not None:
        assert browser.post("/annotate/label", {"item": item, "kind": "refused"}).status_code == 303
        n += 1
    return n


@pytest.mark.slow
def test_named_people_each_get_every_answer_and_others_none(browser, new_browser):
    start(browser, "Ines", n=2, double=100, raters=3, people="Ana, Ben,Cho")
    assert labels_all(browser) == 0, "the owner is not named"
    shares = []
    for name in ("Ana", "Ben"):
        person = new_browser()
        link = browser.post("/annotate/invite", {"name": name}, page="/annotate/people")
        assert link.status_code in (200, 303)
        address = next(field["value"] for field in elements(link.text, "input") if "/join/" in field.get("value", ""))
        person.get(address[address.index("/annotate") :])
        shares.append(labels_all(person))
    assert shares == [4, 4]
    page = browser.get("/annotate/people").text
    assert "0 of 4" in page, "Cho has labelled nothing yet"
