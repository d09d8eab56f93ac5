"""Pages on data of one's own: filters by its columns and its own taxonomy, several images, none."""

import json
import re
from html import escape, unescape
from urllib.parse import urlencode

import pytest

import mossbench as mb
from answered import answered, samples
from html_pages import element, elements, parse, texts
from mossbench.reports.writing import write_report
from mossbench.web import Settings, create_app
from mossbench.web.site import write_site
from pictures import png
from web.conftest import Browser, start

ODD = 'a"b<i>&c'
"""A column's name that would break a page that does not escape it."""


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    root = tmp_path_factory.mktemp("own")
    (root / "set").mkdir()
    for name, colour in (("one", "#ff0000"), ("two", "#0000ff"), ("three", "#00ff00")):
        (root / "set" / f"{name}.png").write_bytes(png(colour))
    images = [None, "one.png", ["one.png", "two.png", "three.png"]]
    rows = [
        {
            "id": str(n),
            "question": f"What about thing {n}?",
            "image": images[n % 3],
            "harm": ["Fraud & theft", "Self-harm"][n % 2],
            "n": ["north", "south"][n % 2] if n != 58 else None,
            "size": [10, 9, 100][n % 3],
            "urgent": n < 5,
            ODD: ODD if n < 3 else "plain",
            "notes": f"long text {n} " + "x" * 200,
            "same": "all alike",
            "serial": f"serial {n}",
        }
        for n in range(60)
    ]
    (root / "set" / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (root / "runs").mkdir()
    answered(root / "set", root / "runs" / "some", refused=range(6))
    return root


@pytest.fixture
def app(own):
    return create_app(Settings(own / "runs", data=(str(own / "set"),)))


def selects(page):
    """Name of a field -> its choices, as a person reads them."""
    form = element(page, "form.filters")
    return {select["name"]: texts(select, "option") for select in elements(form, "select[name]")}


@pytest.mark.parametrize("path", ["/samples", "/explorer"])
def test_data_are_filtered_by_their_own_columns_and_labels(browser, path):
    found = selects(browser.get(f"{path}?data=set").text)
    assert found["harm"] == ["Any", "Fraud & theft", "Self-harm"]  # none of the published seven
    assert found["column.n"] == ["Any", "north", "south"]
    assert found["column.size"] == ["Any", "9", "10", "100"]
    assert found["column.urgent"] == ["Any", "false", "true"]
    assert found[f"column.{ODD}"] == ["Any", ODD, "plain"]
    # No stimuli and flags that nobody gave, no texts, nothing of too many values or of one.
    assert not found.keys() & {"stimulus", "human", "child", "syn", "ocr", "column.notes", "column.serial"}
    assert "column.same" not in found


def test_data_with_published_labels_offer_only_those_that_they_have(browser):
    page = browser.get("/samples?data=sketches").text
    has = {sample.harm.title for sample in mb.load_dataset("sketches") if sample.harm}
    assert set(selects(page)["harm"]) == {"Any", *has}
    assert selects(page)["stimulus"][1:] == [
        "Exaggerated Risk",
        "Negated Harm",
        "Counterintuitive Interpretation",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chosen", "n"),
    [
        ({"column.n": "south"}, 30),
        ({"column.n": "north"}, 29),  # one has no value
        ({"column.n": "south", "column.size": "100"}, 10),
        ({"column.urgent": "true", "n": "50"}, 5),
        ({"harm": "Fraud & theft"}, 30),
        ({f"column.{ODD}": ODD}, 3),
        ({"column.n": "east"}, 0),
        ({"column.none": "such"}, 0),
        ({"stimulus": "negated_harm"}, 0),
        ({"column.n": ""}, 60),
    ],
)
def test_what_an_address_chose_counts_is_shown_and_is_kept(browser, chosen, n):
    query = urlencode(chosen)
    page = browser.get(f"/samples?data=set&{query}").text
    assert f"<h1>{n} sample" in page
    explorer = browser.get(f"/explorer?data=set&{query}").text
    assert f'All <span class="dim">{n}</span>' in explorer
    for shown in (page, explorer):
        assert ODD not in shown and "<i>" not in shown
        for name, value in chosen.items():
            if value and name != "n":
                assert f'name="{escape(name)}"' in shown.replace("&#34;", "&quot;")
                assert f'<option value="{escape(value)}" selected>' in shown.replace("&#34;", "&quot;")


def test_filters_are_kept_from_page_to_page(browser):
    page = browser.get("/samples?data=set&column.n=south&side=benign").text
    after = unescape(re.search(r'rel="next" href="([^"]*)"', page)[1])
    assert "column.n=south" in after
    page = browser.get(after).text
    assert "<h1>30 samples" in page and "25 to 30 of 30" in page
    explorer = browser.get("/explorer?data=set&column.n=south&id=3").text
    assert "2 of 30" in explorer
    following = unescape(re.search(r'rel="next" href="([^"]*)"', explorer)[1])
    assert "column.n=south" in following and "id=5" in following
    assert '<input type="hidden" name="column.n" value="south">' in explorer


def test_the_explorer_says_that_a_filter_leaves_nothing(browser):
    page = browser.get("/explorer?data=set&column.n=east").text
    assert "No harmless sample matches all filters." in page and "has no harmless samples" not in page
    assert "This dataset has no harmful samples." in browser.get("/explorer?data=set&side=contrast").text


@pytest.mark.slow
def test_a_site_filters_by_the_same(own, tmp_path):
    write_site(Settings(own / "runs", data=(str(own / "set"),)), tmp_path / "site")
    page = (tmp_path / "site" / "samples-set.html").read_text()
    found = selects(page)
    assert found["f1"] == ["Any", "Fraud & theft", "Self-harm"] and found["f2"] == ["Any", "north", "south"]
    assert "Negated Harm" not in page and ODD not in page
    assert page.count('data-f2="south"') == 30 and page.count('data-f2="north"') == 29


@pytest.mark.slow
def test_who_labels_sees_all_images_in_order(browser, own):
    start(browser, n=60, runs=["some"])
    store = browser.http.app.state.desks.annotate.store
    several, alone = set(), set()
    for ref, item in store.items().items():
        sample = int(item.body["sample"])
        paths = [f"/annotate/picture/{ref}{at}" for at in ("", "?at=1", "?at=2", "?at=3")]
        codes = [browser.get(path).status_code for path in paths[: 4 if sample < 6 else 0]]
        if sample < 6:
            assert codes == [[404] * 4, [200, 404, 404, 404], [200, 200, 200, 404]][sample % 3]
        (several if sample % 3 == 2 else alone if sample % 3 == 0 else set()).add(ref)
    seen = set()
    for _ in range(60):
        page = browser.get("/annotate").text
        ref = re.search(r'name="item" value="(\w+)"', page)[1]
        seen.add(ref)
        assert page.count(f'src="/annotate/picture/{ref}') == (3 if ref in several else 0 if ref in alone else 1)
        assert ("the request was sent alone" in page) == (ref in alone)
        if seen & several and seen & alone:
            break
        browser.post("/annotate/label", {"item": ref, "kind": "refused"})
    colours = [browser.get(f"/annotate/picture/{min(several)}?at={at}").content for at in range(3)]
    assert len(set(colours)) == 3


def test_a_report_says_which_of_several_images_it_shows(own, tmp_path):
    write_report(mb.load_results(own / "runs" / "some"), out=tmp_path / "report.html")
    cards = elements((tmp_path / "report.html").read_text(), "article.sample")
    assert len(cards) == 6
    assert [("The first of 3 images." in card.text, bool(elements(card, "img"))) for card in cards] == [
        (False, False),
        (False, True),
        (True, True),
    ] * 2


def test_runs_are_compared_by_a_column_that_is_called_as_something_of_ours(tmp_path):
    data = samples(tmp_path / "data", 8)
    lines = [json.loads(line) for line in (data / "metadata.jsonl").read_text().splitlines()]
    told = [{**line, "arm": ("red", "blue")[int(line["id"]) % 2]} for line in lines]
    (data / "metadata.jsonl").write_text("".join(json.dumps(line) + "\n" for line in told))
    (tmp_path / "runs").mkdir()
    for name, refused in {"a": [1], "b": [2, 3]}.items():
        answered(data, tmp_path / "runs" / name, refused=refused)
    browser = Browser(create_app(Settings(tmp_path / "runs", data=(str(data),))))
    page = browser.get("/compare?run=a&run=b").text
    (by,) = (option["value"] for option in elements(page, "option") if option.text == "arm")
    compared = [each.text for each in parse(browser.get(f"/compare?run=a&run=b&by={by}").text).descendants()]
    assert by == "data_arm" and "red" in compared and "blue" in compared
