"""The page of the docs that shows every part is made from the templates of the pages, and opens without a network."""

import runpy
from pathlib import Path

from html_pages import element, elements, text_of

PARTS = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "parts.py"))


def test_every_part_is_on_the_page_once():
    page = PARTS["parts_page"]()
    headings = [text_of(heading) for heading in elements(page, "section.subhead h2")]
    for part in ("Verdict line", "Rate with interval", "Chart", "Table", "Sample card", "Caution"):
        assert sum(part in heading for heading in headings) == 1, part
    assert element(page, ".state") and element(page, ".command") and element(page, ".cautions")
    assert element(page, "svg.field.wide a[aria-label^=atlas-2:]")
    assert {sign["data-state"] for sign in elements(page, ".finding .sign")} == {"good", "bad", "attention", "quiet"}


def test_a_long_name_is_cut_in_the_middle_and_whole_for_those_who_ask():
    cut = element(PARTS["parts_page"](), ".cut")
    whole = "heron-vl-instruct-2026-11-of-34-billion-parameters"
    assert cut["data-whole"] == cut["title"] == whole
    assert cut.text.startswith("heron-vl-ins") and cut.text.endswith("parameters") and "…" in cut.text


def test_the_page_fetches_nothing():
    page = PARTS["parts_page"]()
    assert not [one for one in elements(page, "img[src]") if not one["src"].startswith("data:")]
    assert not elements(page, "link[rel=stylesheet]")
