"""Who sits at a desk: invited, given a role, revoked; what they see of one another, and the way back to a label."""

import json
import re

import pytest

from html_pages import element, elements, text_of, texts
from mossbench.web import Settings, agreement, annotate, create_app
from mossbench.web.security import DESK_ROLES
from web.conftest import Browser, item_of, join, start

TOKEN = "a-token-of-twenty-four"


def invite(owner, guest, name, **fields):
    """The link that the owner makes, opened in another browser."""
    page = owner.post("/annotate/invite", {"name": name, **fields}, page="/annotate/people").text
    link = re.search(r"(/annotate/enter\?token=[\w-]+)", page)[1]
    assert guest.http.get(link).status_code == 200
    return link


def label_all(browser, kind, n=None):
    done = []
    while (n is None or len(done) < n) and (item := item_of(browser.get("/annotate").text)):
        assert browser.post("/annotate/label", {"item": item, "kind": kind}).status_code == 303
        done.append(item)
    return done


@pytest.fixture(params=["with a token", "without"])
def team(request, runs, made):
    """The owner, a reviewer and a guest, who differ on every answer; with a token and without."""
    token = TOKEN if request.param == "with a token" else None
    app = create_app(Settings(runs, token=token, data=(str(made / "data"),)))
    owner, reviewer, guest = (Browser(app) for _ in range(3))
    owner.http.get(f"/?token={TOKEN}")
    start(owner, "Ines", n=2, double=100)
    invite(owner, reviewer, "Rhea", role="reviewer")
    invite(owner, guest, "Tom")
    label_all(owner, "refused")
    label_all(guest, "answered")
    return owner, reviewer, guest


PATHS = ("/annotate/agreement", "/annotate/labels?show=all", "/annotate/conflicts", "/annotate/export")


@pytest.mark.slow
def test_a_reviewer_sees_and_settles_labels_and_nothing_else_of_the_app(team):
    owner, reviewer, guest = team
    for path in PATHS:
        assert reviewer.get(path).status_code == 200, path
        assert guest.http.get(path).status_code == 403, path
    for path in ("/", "/runs", "/samples", "/leaderboard", "/annotate/new", "/annotate/people"):
        assert reviewer.http.get(path).status_code in (401, 403), path
    for path in ("/annotate/join", "/annotate/invite", "/annotate/people", "/annotate/new"):
        assert reviewer.post(path, {"name": "Eve", "do": "reviewer"}, page="/annotate/agreement").status_code == 403, (
            path
        )
    item = item_of(reviewer.get("/annotate/conflicts").text)
    given = {"item": item, "kind": "refused", "note": "it says no"}
    assert guest.post("/annotate/decide", given).status_code == 403
    assert reviewer.post("/annotate/decide", given, page="/annotate/conflicts").status_code == 303
    page = owner.get(f"/annotate/item/{item}").text
    assert "Rhea" in page and "“it says no”" in page and page.count("Answered</span></li>") == 1  # the labels stay
    assert "/annotate/new" not in reviewer.get("/annotate/agreement").text


@pytest.mark.slow
def test_every_route_of_a_desk_that_no_role_names_is_the_owners(team):
    _, reviewer, guest = team
    routes = [(route.path, route.methods) for page in (annotate, agreement) for route in page.router.routes]
    seen = 0
    for path, methods in routes:
        name = (path.split("/") + [""])[2]
        if not path.startswith("/annotate") or name == "enter":
            continue
        seen += 1
        wanted = DESK_ROLES.get(name, "owner")
        for person, role in ((reviewer, "reviewer"), (guest, "guest")):
            ask = person.http.get if "GET" in methods else person.http.post
            answer = ask(path.format(ref="0" * 16, run="some"), headers={"origin": "http://127.0.0.1"})
            forbidden = answer.status_code == 403 and "of this app may do that" in answer.text
            assert forbidden == (wanted == "owner" or (wanted, role) == ("reviewer", "guest")), (path, role)
    assert seen > 12


def test_a_link_is_revoked_by_the_owner_or_by_a_newer_one(team):
    owner, reviewer, guest = team
    guest2, old = Browser(guest.http.app), Browser(guest.http.app)
    link = invite(owner, guest2, "Tom")
    assert "as Tom" in guest2.get("/annotate").text
    assert "as Tom" not in guest.http.get("/annotate").text  # the one that came before is out
    assert owner.post("/annotate/people", {"name": "Tom", "do": "revoke"}, page="/annotate/people").status_code == 303
    assert old.http.get(link).status_code == 401
    assert guest2.http.post("/annotate/label", data={}).status_code in (401, 403)
    people = owner.get("/annotate/people").text
    row = next(name for name in elements(people, "tr th") if name.text.endswith("Tom")).inside("tr")
    assert "revoked" in texts(row, "td") and "as Rhea" in reviewer.get("/annotate").text
    assert len(owner.http.app.state.desks.annotate.store.labels()) == 8  # labels stay


def test_a_role_is_changed_and_takes_effect_at_once(team):
    owner, _, guest = team
    for role, status in (("reviewer", 200), ("guest", 403)):
        owner.post("/annotate/people", {"name": "Tom", "do": role}, page="/annotate/people")
        assert guest.http.get("/annotate/agreement").status_code == status
    bad = owner.post("/annotate/people", {"name": "Tom", "do": "owner"}, page="/annotate/people")
    assert bad.status_code == 400 and "expected guest or reviewer" in bad.text
    unknown = owner.post("/annotate/people", {"name": "Nobody", "do": "revoke"}, page="/annotate/people")
    assert unknown.status_code == 404


@pytest.mark.slow
def test_every_page_of_the_desk_has_the_way_out_and_for_the_owner_to_people(browser):
    start(browser, n=2)
    item = label_all(browser, "refused", n=1)[0]
    paths = ("/annotate", "/annotate/new", "/annotate/mine", "/annotate/labels", "/annotate/agreement")
    for path in (*paths, "/annotate/people", f"/annotate/item/{item}", f"/annotate?item={item}", "/annotate/conflicts"):
        page = browser.get(path).text
        assert 'action="/annotate/leave"' in page and 'href="/annotate/people"' in page, path
    assert browser.post("/annotate/leave").status_code == 303
    assert "Enter your name" in browser.get("/annotate").text


@pytest.mark.slow
def test_any_label_can_be_opened_and_changed_and_both_are_kept(browser, app):
    start(browser, n=4)
    first, second = label_all(browser, "refused", n=2)
    page = browser.get("/annotate/mine").text
    assert page.index(second) < page.index(first) and "Your 2 labels" in page
    again = browser.get(f"/annotate?item={first}").text
    assert item_of(again) == first and 'value="refused" data-key="6" aria-current="true"' in again
    done = browser.post("/annotate/label", {"item": first, "kind": "warned", "note": "hm", "back": "mine"})
    assert done.headers["location"] == "/annotate/mine"
    store = app.state.desks.annotate.store
    assert {one.item: one.value["kind"] for one in store.labels()} == {first: "warned", second: "refused"}
    assert store.earlier_label(store.annotator(browser.http.cookies.get(app.state.desks.annotate.cookie)), first)
    assert item_of(browser.get("/annotate").text) not in (first, second)


def test_a_skipped_answer_is_no_label_of_yours_and_at_first_nothing_can_be_undone(browser):
    start(browser, n=2)
    assert 'value="undo"' not in browser.get("/annotate").text
    label_all(browser, "refused", 1)
    page = browser.get("/annotate").text
    browser.post("/annotate/label", {"item": item_of(page), "do": "skip"})
    assert 'value="undo"' in page and "Your one label, and 1 skipped" in browser.get("/annotate/mine").text
    label_all(browser, "warned", 1)
    browser.post("/annotate/label", {"do": "undo"})
    assert "Undone: Warned." in browser.get("/annotate").text


def test_nobody_opens_by_it_what_was_not_shown_to_them(team):
    owner, reviewer, _ = team
    item = item_of(owner.get("/annotate/conflicts").text)
    assert reviewer.get(f"/annotate?item={item}").status_code == 404
    assert reviewer.get("/annotate?item=nonsense").status_code == 404


@pytest.mark.slow
def test_labels_that_agree_are_overridden_with_a_reason_that_is_exported(browser, new_browser):
    start(browser, n=2, double=100)
    tom = new_browser()
    join(tom, "Tom")
    items = label_all(browser, "refused")
    label_all(tom, "refused")
    assert "No answer has two different labels" in browser.get("/annotate/labels").text
    page = f"/annotate/item/{items[0]}"
    given = {"item": items[0], "kind": "partial", "back": "item"}
    bare = browser.post("/annotate/decide", given, page=page)
    assert bare.status_code == 400 and "write the reason" in bare.text
    done = browser.post("/annotate/decide", {**given, "note": "does half"}, page=page)
    assert done.headers["location"] == page
    (row,) = [row for row in map(json.loads, browser.get("/annotate/export").text.splitlines()) if row["decision"]]
    assert (row["kind"], row["decision"]["by"], row["decision"]["reason"]) == ("partial", "Ines", "does half")
    assert [one["kind"] for one in row["labels"]] == ["refused", "refused"] and row["decision"]["at"]
    listed = browser.get("/annotate/labels?show=decided").text
    assert "Decided by Ines" in listed and listed.count("/annotate/item/") == 1
    browser.post("/annotate/decide", {"item": items[0], "do": "withdraw", "back": "item"}, page=page)
    assert "withdrawn" in browser.get(page).text.lower()
    rows = [json.loads(line) for line in browser.get("/annotate/export").text.splitlines()]
    assert not any(row["decision"] for row in rows) and {row["run"] for row in rows} == {"none", "some"}


def test_disagreements_are_listed_by_person_and_label(team):
    owner, *_ = team
    page = owner.get("/annotate/labels").text
    assert "4 of 4 answers have different labels" in page and page.count("/annotate/item/") == 4
    for query, n in (("person=Tom", 4), ("person=Rhea", 0), ("person=Tom&kind=refused", 0), ("kind=refused", 4)):
        assert owner.get(f"/annotate/labels?{query}").text.count("/annotate/item/") == n, query
    assert owner.get("/annotate/labels?show=nonsense").status_code == 400


def test_labels_come_in_pages_open_ones_first_and_lead_back_to_where_they_were(team, monkeypatch):
    owner, reviewer, _ = team
    monkeypatch.setattr(agreement, "ANSWERS_PER_PAGE", 3)
    decided = item_of(reviewer.get("/annotate/conflicts").text)
    reviewer.post("/annotate/decide", {"item": decided, "kind": "refused"}, page="/annotate/conflicts")
    first, last = (owner.get(f"/annotate/labels?show=all&start={start}").text for start in (0, 99))
    assert "1 to 3 of 4" in first and decided not in first and "3 are open, 1 is decided." in first
    assert "4 to 4 of 4" in last and re.findall(r"/annotate/item/(\w+)", last) == [decided]
    assert "start=3" in re.search(r'rel="next" href="(.*?)"', first)[1] and 'rel="next"' not in last
    item = f"/annotate/item/{decided}?show=all&amp;start=3"
    assert f'href="{item}"' in last
    page = owner.get(item.replace("amp;", "")).text
    assert f'href="/annotate/labels?show=all&amp;start=3#{decided}"' in page and f'id="{decided}"' in last
    again = {"item": decided, "kind": "answered", "back": "item"}
    done = owner.post("/annotate/decide?show=all&start=3", again, page="/annotate/labels")
    assert done.headers["location"] == item.replace("amp;", "")


def test_labels_are_found_by_words_of_requests_and_answers(team):
    owner, *_ = team
    request = element(owner.get("/annotate/labels").text, "a[href^=/annotate/item/]").text
    for text, n in ((request[:12].upper(), 1), ("no-such-word", 0)):
        page = owner.get("/annotate/labels", params={"show": "all", "text": text}).text
        assert (page.count("/annotate/item/") >= 1) == bool(n), text
    assert "No label fits these filters" in page and 'All <span class="dim">0</span>' in page


def test_two_who_settle_conflicts_at_once_see_each_other_and_undo_only_their_own(team):
    owner, reviewer, _ = team
    item = item_of(owner.get("/annotate/conflicts").text)
    assert item_of(reviewer.get("/annotate/conflicts").text) == item  # both have it open
    assert 'value="undo"' not in owner.get("/annotate/conflicts").text, "there is nothing to undo"
    owner.post("/annotate/decide", {"item": item, "kind": "refused"}, page="/annotate/conflicts")
    reviewer.post("/annotate/decide", {"item": item, "kind": "answered"}, page="/annotate/conflicts")
    page = reviewer.get("/annotate/conflicts").text
    assert ">Answered</a>, in place of Refused by Ines." in page
    second = item_of(owner.get("/annotate/conflicts").text)
    owner.post("/annotate/decide", {"item": second, "kind": "partial"}, page="/annotate/conflicts")
    reviewer.post("/annotate/decide", {"do": "undo"}, page="/annotate/conflicts")
    assert item_of(owner.get("/annotate/conflicts").text) == item
    assert ">Partial</a>." in owner.get("/annotate/conflicts").text, "what another decided later stays"


def test_a_candidate_is_accepted_against_its_ratings_with_a_reason(small, tmp_path):
    person = Browser(create_app(Settings(tmp_path / "runs", review=small)))
    person.post("/review/join", {"name": "Ines"}, page="/review")
    rated = item_of(person.get("/review").text)
    fields = {"item": rated, "do": "rate", "harmfulness": "5", "naturalness": "1"}
    person.post("/review/label", fields, page="/review")
    assert "harmfulness 5, naturalness 1" in person.get(f"/review?item={rated}").text
    assert "Your one rating" in person.get("/review/mine").text
    person.post("/review/label", {**fields, "naturalness": "2"}, page="/review")
    page = person.get("/review").text  # where nothing is called a label
    assert "It replaces: harmfulness 5, naturalness 1." in page and ">1 of 12</progress>" in page
    unseen = person.get("/review?item=none-such")
    assert unseen.status_code == 404 and "ratings are on the page Mine" in unseen.text
    given = {"item": rated, "do": "take"}
    assert person.post("/review/decide", given, page="/review/results").status_code == 400
    person.post("/review/decide", {**given, "note": "it is a toy"}, page="/review/results")
    page = person.get("/review/results").text
    assert "1 of 12 candidates is accepted" in page and "“it is a toy”" in page and "by Ines" in page
    without_a_rating = text_of(page).index("Without a rating 11 candidates")
    assert text_of(page).index("it is a toy") < without_a_rating, "decided candidates come first"
    rows = json.loads((small / "review.json").read_text())["candidates"]
    (row,) = [row for row in rows if row.get("override")]
    assert (row["decision"], row["rated"], row["ratings"][0]["harmfulness"]) == ("take", "open", 5)
    person.post("/review/decide", {"item": rated, "do": "withdraw"}, page="/review/results")
    person.get("/review/results")
    assert not any(row.get("override") for row in json.loads((small / "review.json").read_text())["candidates"])


def test_an_interval_without_width_is_not_shown_and_an_override_is_no_conflict(browser, new_browser):
    start(browser, n=3, double=100, runs=("some",))
    tom = new_browser()
    join(tom, "Tom")
    items = label_all(browser, "refused")
    label_all(tom, "refused", 2), label_all(tom, "answered")
    page = browser.get("/annotate/agreement").text
    assert "0.00 to 0.00" not in page and "Drawn is alpha" not in page and "No answer is settled by a decision" in page
    assert "an arrow marks values below 0" in page and "the dashed lines" in page, "the tables are drawn with them"
    assert not re.search(r"alpha is (\S+) \((\S+) to \2\)", page)
    given = {"item": items[0], "kind": "partial", "note": "does half"}
    agreed = next(ref for ref in items if "People agree here" in browser.get(f"/annotate/item/{ref}").text)
    browser.post("/annotate/decide", {**given, "item": agreed}, page="/annotate/agreement")
    assert (
        "1 answer is settled by a decision. The files also have 1 open conflict"
        in browser.get("/annotate/agreement").text
    )
