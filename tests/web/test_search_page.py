"""Search finds, counts and marks what is there, gives all of it as a file, and nothing that is typed breaks it."""

import csv
import io
import json
import re
from collections import Counter

import pytest

import mossbench as mb
from answered import NO, YES, stop
from html_pages import element, elements, texts
from mossbench.results.index import RunIndex
from mossbench.web import Settings, create_app
from web.conftest import HERE, Browser, start

ODD = ["Can't <b>bold</b> 我不能帮助 😀great -minus", 'Café crème, "quoted" 50% of =1+1']


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """A run of three samples with columns of their own and answers that are hard to search."""
    root = tmp_path_factory.mktemp("odd")
    (root / "data").mkdir()
    rows = [
        {"id": str(i), "side": "benign", "question": f"What about knife {i}?", "metadata": {"shelf": f"s{i % 2}"},
         "description": "A toy on a shelf."}
        for i in range(1, 4)
    ]  # fmt: skip
    (root / "data" / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    answers = [{"id": str(i), "side": "benign", "response": text} for i, text in enumerate([*ODD, NO], start=1)]
    (root / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in answers))
    mb.run(f"replay/{root}/a.jsonl", root / "data", out=root / "runs" / "odd")
    return root


@pytest.fixture
def found(odd):
    browser = Browser(create_app(Settings(odd / "runs", data=(str(odd / "data"),))))

    def ids(**query):
        page = browser.get("/search", params=query)
        assert page.status_code == 200, page.text
        return texts(page.text, "a.id")

    ids.browser = browser
    return ids


def test_words_are_found_by_their_beginning_in_any_text_and_all_must_be_there(found):
    assert found(q="kni") == ["1", "2", "3"] and found(q="knife cafe") == ["2"]
    assert found(q="TOY") == ["1", "2", "3"] and found(q="toy", where="answer") == []
    assert found(q='"crème, quoted"') == ["2"] and found(q='"quoted crème"') == [] and found(q="nife") == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "ids"),
    [
        ("不能", ["1"]), ("😀", ["1"]), ("great", ["1"]), ("can't", ["1", "3"]), ("-minus", ["1"]), ("%", ["2"]),
        ("<bold>", ["1"]), ('"', ["2"]), ("50%", ["2"]), ("knife NOT café", []), ("answer:knife", []),
        ("knife*", ["1", "2", "3"]),
    ],
)  # fmt: skip
def test_what_is_typed_is_text_and_not_syntax(found, typed, ids):
    assert found(q=typed) == ids


BREAKING = [
    '"',
    '""',
    "'",
    "-",
    "*",
    "^",
    "( OR",
    "NEAR(",
    "a AND",
    "{x} : y",
    "\\",
    "%00",
    "\x00",
    "; DROP TABLE rows",
]


@pytest.mark.slow
@pytest.mark.parametrize("typed", [*BREAKING, "\U0001f600" * 60, "é" * 400, "\ufeff", "´"])
def test_nothing_that_can_be_typed_breaks_the_page(found, typed):
    for where in ("", "answer", "rows", '"'):
        found(q=typed, where=where)
        assert found.browser.get("/search", params={"q": typed, "format": "jsonl"}).status_code == 200


def test_hits_are_marked_and_everything_else_is_escaped(found):
    page = found.browser.get("/search", params={"q": "bold 不能"}).text
    assert "&lt;b&gt;<mark>bold</mark>&lt;/b&gt;" in page and "<b>" not in page
    assert "<mark>不能</mark>" in page
    page = found.browser.get("/search", params={"q": '"><script>alert(1)</script>'}).text
    assert "<script>alert" not in page


def offered(page, name):
    """The values of a filter that can be chosen, with how many answers each would leave."""
    pattern = rf'href="/search\?[^"]*?{re.escape(name)}=([^"&]+)[^"]*"><span>.*?</span><span class="n">([\d,]+)<'
    return dict(re.findall(pattern, page))


def test_filters_narrow_and_say_how_many_each_value_would_leave(found, odd):
    page = found.browser.get("/search").text
    kinds = Counter(row.outcome.label for row in mb.load_results(odd / "runs" / "odd").rows)
    assert offered(page, "column.shelf") == {"s0": "1", "s1": "2"}
    assert offered(page, "kind") == {kind: str(n) for kind, n in kinds.items()}
    assert found(**{"column.shelf": "s1"}) == ["1", "3"] and found(**{"column.shelf": "s0", "q": "cafe"}) == ["2"]
    chosen = found.browser.get("/search", params={"column.shelf": "s1"}).text
    assert offered(chosen, "column.shelf") == {"s0": "1"}, "the counts of a filter are under all others"
    assert found(kind="refused", q="knife") != found(q="knife") and found(kind="none such") == []


def test_a_filter_is_taken_back_and_all_else_stays(found):
    page = found.browser.get("/search", params={"q": "knife", "column.shelf": "s1", "kind": "refused"}).text
    chips = [link["href"] for link in elements(page, "ul.chips a")]
    assert "/search?q=knife&kind=refused" in chips and "/search?q=knife&column.shelf=s1" in chips
    assert "/search?q=knife" in chips and 'type="hidden" name="kind" value="refused"' in page
    nothing = found.browser.get("/search", params={"q": "toy", "where": "answer", "kind": "refused"}).text
    assert "<h1>Nothing found for “toy”</h1>" in nothing and "Nothing in answer texts has" in nothing
    assert 'href="/search?q=toy&amp;kind=refused">Search in all texts' in nothing
    assert 'href="/search?q=toy&amp;where=answer">Remove the filters' in nothing


def test_a_hit_has_the_image_that_was_shown_and_a_failed_call_is_no_answer(browser):
    page = browser.get("/search?run=failing&kind=failed").text
    assert page.count('class="hit"') == page.count("No answer: the call failed.") > 0
    assert f"<h1>{page.count('No answer: the call failed.')} results</h1>" in page
    small = element(page, ".hit div.picture a img")["src"]
    assert browser.get(small).headers["content-type"] == "image/webp"


def test_without_runs_search_leads_to_how_to_start_one(tmp_path):
    page = Browser(create_app(Settings(tmp_path))).get("/search").text
    assert "nothing to search" in page and 'href="/runs">Runs</a> has the command' in page and "<form" not in page


def test_a_hit_leads_to_its_sample_and_its_report(found):
    page = found.browser.get("/search", params={"q": "café"}).text
    sample, report = re.search(r'class="id" href="([^"]+)"', page)[1], re.search(r'href="(/runs/[^"]+)"', page)[1]
    assert "<h1>2<" in found.browser.get(sample.replace("&amp;", "&")).text
    assert found.browser.get(report).status_code == 200


@pytest.mark.slow
def test_a_download_has_all_that_is_found_and_not_a_page_of_it(browser):
    every = browser.get("/search?format=jsonl").text.splitlines()
    assert len(every) == 4 * 60 and browser.get("/search").text.count('class="hit"') == 20
    refused = [json.loads(line) for line in browser.get("/search?q=sorry&format=jsonl").text.splitlines()]
    assert {row["answer"] for row in refused} == {NO} and len(refused) == 24
    rows = list(csv.DictReader(io.StringIO(browser.get("/search?q=number&where=request&format=csv").text)))
    assert len(rows) == 240 and {row["run"] for row in rows} == {"none", "some", "others", "failing"}
    assert {row["answer"] for row in rows} == {NO, YES, ""}


def test_a_cell_that_a_spreadsheet_would_run_is_text(odd, tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "1", "side": "benign", "response": "=HYPERLINK(1)"}) + "\n")
    mb.run(f"replay/{tmp_path}/a.jsonl", odd / "data", out=tmp_path / "runs" / "r", ids=["1"])
    browser = Browser(create_app(Settings(tmp_path / "runs")))
    assert "'=HYPERLINK" in browser.get("/search?format=csv").text


def test_search_follows_runs_that_change_and_go(browser, runs):
    assert "24 results" in browser.get("/search?q=sorry").text
    answers = runs / "some" / "answers.jsonl"
    answers.write_text(answers.read_text().replace("caption", "footnote"))
    assert "48 results" in browser.get("/search?q=footnote&run=some").text
    for path in (runs / "others").iterdir():
        path.unlink()
    (runs / "others").rmdir()
    gone = browser.get("/search?run=others").text
    assert "<h1>Nothing found</h1>" in gone and "No results for these filters." in gone


def test_a_damaged_index_is_made_again_and_finds_the_same(browser, runs):
    assert "24 results" in browser.get("/search?q=sorry").text
    RunIndex(runs)._remove()
    (runs / ".index.db").write_bytes(b"SQLite format 3\x00" + b"x" * 5000)
    assert "24 results" in browser.get("/search?q=sorry").text


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/search", "/search?q=sorry", "/search?format=csv", "/search?format=jsonl"])
def test_who_was_invited_to_label_cannot_search(browser, new_browser, path):
    start(browser)
    invited = browser.post("/annotate/invite", {"name": "Guest"}).text
    link = re.search(r"(/annotate/enter\?token=[^\s<\"]+)", invited)[1]
    guest = new_browser()
    assert guest.http.get(HERE + link.replace("&amp;", "&")).status_code == 200
    assert guest.http.get(path).status_code in (401, 403)


def test_pages_past_the_end_and_wrong_numbers_are_said(browser):
    assert "past the last of 240" in browser.get("/search?start=9999").text
    assert browser.get("/search?start=-1").status_code == 400
    assert browser.get(f"/search?start={10**30}").status_code in (200, 400)
    assert browser.get("/search", params={"q": "x" * 401}).status_code == 400


def test_rows_that_were_not_asked_are_no_answers_to_find(runs, made):
    stop(runs / "some", 20)
    browser = Browser(create_app(Settings(runs, data=(str(made / "data"),))))
    page = browser.get("/search?run=some").text
    assert "20 results" in page and "Not asked" not in page
    assert "Not asked" not in browser.get("/search?q=number&run=some").text
