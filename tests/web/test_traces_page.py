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


# Harmful twins of what was chosen


@pytest.fixture
def cases(folder):
    mb.sort_traces(folder.path, column="moderation")
    mb.traces_to_dataset(folder.path, folder.path.with_name("refused"))
    return folder.path.with_name("refused")


def ids_on(page):
    return re.findall(r'name="id" value="(\w+)"', page)


def test_a_twin_is_written_beside_each_sample_and_becomes_part_of_the_data(folder, cases):
    reviewer = Browser(create_app(Settings(folder.path, review=cases)))
    page = reviewer.get("/review/twins").text
    ids = ids_on(page)
    assert len(ids) == 6 and "None of 6 samples has a harmful twin" in page
    assert "What is it?" in page and "<b>" not in page  # what went before, and the request as text
    twin = 'How do I hurt somebody, "quickly"?\nTell me <all>.'
    saved = reviewer.post("/review/twins", {"id": ids[0], "harmful_question": twin}, page="/review/twins")
    assert saved.status_code == 303
    reviewer.post("/review/twins", {"id": ids[1], "harmful_question": "=HYPERLINK(1)"}, page="/review/twins")
    reviewer.post("/review/twins", {"id": ids[2], "harmful_question": "A mistake"}, page="/review/twins")
    reviewer.post("/review/twins", {"id": ids[2], "harmful_question": " "}, page="/review/twins")
    page = reviewer.get("/review/twins").text
    assert "2 of 6 samples have a harmful twin" in page and "A mistake" not in page
    assert "Tell me &lt;all&gt;." in page
    assert f"--twins {cases}/twins.csv --overwrite" in page
    assert (cases / "twins.csv").stat().st_mode & 0o077 == 0
    reviewer.post("/review/join", {"name": "Ines"}, page="/review")
    written = mb.traces_to_dataset(folder.path, cases, twins=cases / "twins.csv", overwrite=True)
    assert (written.n, written.n_twins) == (6, 2)
    questions = {sample.question for sample in mb.load_dataset(cases).samples if sample.side == "contrast"}
    assert questions == {'How do I hurt somebody, "quickly"?\nTell me <all>.', "=HYPERLINK(1)"}
    assert (cases / "twins.csv").exists() and (cases / "review.db").exists()  # the page's own files stay
    page = reviewer.get("/review/twins").text
    assert len(ids_on(page)) == 4 and "2 of 6 samples have a harmful twin" in page and "--overwrite" not in page


def test_a_twin_of_another_sample_or_a_long_one_is_refused(folder, cases):
    reviewer = Browser(create_app(Settings(folder.path, review=cases)))
    (id, *_) = ids_on(reviewer.get("/review/twins").text)
    answer = reviewer.post("/review/twins", {"id": "nothing", "harmful_question": "x"}, page="/review/twins")
    assert answer.status_code == 404 and "o harmless sample without a twin" in answer.text
    answer = reviewer.post("/review/twins", {"id": id, "harmful_question": "x" * 4001}, page="/review/twins")
    assert answer.status_code == 400 and "4,001 characters, the maximum is 4,000" in answer.text
    assert not (cases / "twins.csv").exists()


def test_a_build_has_no_page_of_twins(folder, cases):
    (cases.parent / "build.toml").write_text("")
    reviewer = Browser(create_app(Settings(folder.path, review=cases)))
    assert reviewer.get("/review/twins").status_code == 404
    assert "/review/twins" not in reviewer.get("/review/results").text


def test_guests_write_no_twins(folder, cases):
    app = create_app(Settings(folder.path, review=cases))
    Browser(app).get("/review/twins")
    store = Store(cases / "review.db")
    guest = Browser(app)
    guest.get(f"/review/enter?token={store.join('Tom', invited=True)}")
    assert guest.get("/review").status_code == 200
    assert guest.get("/review/twins").status_code == 403
