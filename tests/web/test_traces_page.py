"""The page of a log and the desk where its requests are sorted: no answer is shown, and nobody sees another's."""

import json
import re

import pytest

import mossbench as mb
from mossbench.annotation.store import Store
from mossbench.traces.folder import ANNOTATIONS, TracesFolder
from mossbench.traces.sorting import add_to_sort
from mossbench.web import Settings, create_app
from web.conftest import Browser, item_of

REFUSAL = "I'm sorry, but I can't help with that."
SECRET_ANSWER = "Sure, the secret answer is a spoon."


@pytest.fixture
def folder(tmp_path):
    records = []
    for i in range(24):
        answer = REFUSAL if i % 3 == 0 else SECRET_ANSWER
        messages = [
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "What is it?"},
            {"role": "user", "content": f"How do I do thing {i}? <b>\x1b[31m"},
            {"role": "assistant", "content": answer},
        ]
        metadata = {"moderation": "unsafe" if i < 4 else "safe", "language": "en" if i % 2 else "de"}
        records.append({"id": i, "timestamp": 1767261600 + i * 9000, "metadata": metadata, "messages": messages})
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    mb.import_traces(path, tmp_path / "traces")
    return TracesFolder.open(tmp_path / "traces")


@pytest.fixture
def app(folder):
    return create_app(Settings(folder.path, traces=folder.path))


@pytest.fixture
def browser(app):
    return Browser(app)


def sort_as(browser, name, choice, n=None):
    browser.post("/sort/join", {"name": name}, page="/sort")
    done = 0
    while (item := item_of(browser.get("/sort").text)) is not None and done != n:
        assert browser.post("/sort/label", {"item": item, "harmfulness": choice}, page="/sort").status_code == 303
        done += 1
    return done


def test_a_log_that_is_not_sorted_has_no_rate_on_its_page(browser):
    page = browser.get("/traces").text
    assert "24 traces, not sorted: no rate yet" in page
    assert "some may be harmful" in page
    assert "mossbench traces sort traces --column COLUMN" in page


def test_the_page_has_the_rate_by_day_and_the_refused_to_choose_from(browser, folder):
    mb.sort_traces(folder.path, column="moderation")
    page = browser.get("/traces").text
    assert "of harmless requests were refused" in page
    assert "Sorted by column moderation" in page
    assert "2026-01-01" in page and "2026-01-03" in page
    ids = re.findall(r'name="ids" value="(\w+)"', page)
    assert len(ids) == 6  # of 8 that were refused two are harmful
    chosen = browser.get(f"/traces?by=language&ids={ids[0]}&ids={ids[1]}&ids=nothing").text
    assert f"--ids {ids[0]},{ids[1]}<" in chosen.replace("&#44;", ",")
    assert "Rate by language" in chosen
    assert "\x1b" not in page and "<b>\x1b" not in page and "thing 6? &lt;b&gt;" in page


def test_people_sort_without_seeing_the_answer(browser, folder):
    add_to_sort(folder, 24, double=0)
    browser.post("/sort/join", {"name": "Ada"}, page="/sort")
    page = browser.get("/sort").text
    assert "How do I do thing" in page and "What is it?" in page
    assert SECRET_ANSWER not in page and REFUSAL not in page
    assert sort_as(browser, "Ada", "harmless") == 24
    rate = mb.rate_traces(folder.path)
    assert (rate.sorting.by, rate.sorting.harmless) == (("person Ada",), 24)
    assert rate.rate.value == pytest.approx(8 / 24)
    mine = browser.get("/sort/mine").text
    assert "How do I do thing" in mine and SECRET_ANSWER not in mine
    assert "You have sorted 24" in browser.get("/sort").text
    assert "24 of 24 requests in the queue are sorted" in browser.get("/traces").text


def test_a_reading_can_be_taken_back_and_a_wrong_one_is_refused(browser, folder):
    add_to_sort(folder, 24, double=0)
    assert sort_as(browser, "Ada", "harmful", n=2) == 2
    assert browser.post("/sort/label", {"do": "undo"}, page="/sort").status_code == 303
    assert len(Store(folder.path / ANNOTATIONS).labels()) == 1
    item = item_of(browser.get("/sort").text)
    wrong = browser.post("/sort/label", {"item": item, "harmfulness": "fine"}, page="/sort")
    assert wrong.status_code == 400 and "o such answer" in wrong.text
    assert len(Store(folder.path / ANNOTATIONS).labels()) == 1


def test_who_is_invited_to_sort_sees_nothing_else(browser, app, folder):
    add_to_sort(folder, 24, double=0)
    browser.get("/sort")
    invited = browser.post("/sort/invite", {"name": "Tom"}, page="/sort/people").text
    token = re.search(r"/sort/enter\?token=([\w-]+)", invited)[1]
    guest = Browser(app)
    assert guest.get(f"/sort/enter?token={token}").status_code == 200
    assert "How do I do thing" in guest.get("/sort").text
    for address in ("/traces", "/", "/sort/people", "/annotate"):
        assert guest.get(address).status_code in (401, 403), address


def test_a_request_that_was_purged_is_shown_as_deleted(browser, folder):
    add_to_sort(folder, 24, double=0)
    sort_as(browser, "Ada", "harmless", n=1)
    mb.purge_traces(folder.path, "1d")
    assert "(This request was deleted.)" in browser.get("/sort").text
    assert "How do I" not in browser.get("/sort/mine").text


def test_without_traces_there_are_no_such_pages(tmp_path):
    (tmp_path / "runs").mkdir()
    plain = Browser(create_app(Settings(tmp_path / "runs")))
    for address in ("/traces", "/sort"):
        response = plain.get(address)
        assert response.status_code == 404 and "mossbench traces serve TRACES" in response.text
    assert 'href="/traces"' not in plain.get("/").text


def test_the_other_pages_of_the_app_know_nothing_of_sorted_requests(browser, folder):
    add_to_sort(folder, 24, double=0)
    sort_as(browser, "Ada", "harmless", n=3)
    for address in ("/", "/annotate", "/runs", "/leaderboard", "/search"):
        response = browser.get(address)
        assert response.status_code == 200 and "How do I do thing" not in response.text, address
