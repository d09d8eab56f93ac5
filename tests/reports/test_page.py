"""Pages: self-contained, escaped, with the product's number formats."""

import base64
import hashlib
import math
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment, UndefinedError

from html_pages import element
from mossbench.look import page
from mossbench.look.numbers import bare_percent, ends, percent, stated, whole
from mossbench.look.page import LOOK, breakable, environment, render_page, visible
from mossbench.statistics import Estimate

NAN = math.nan


def render(source, **values):
    env = environment().overlay(loader=DictLoader({"page.html": source} | templates()))
    return env.get_template("page.html").render(values)


def templates():
    return {path.name: path.read_text() for path in (LOOK / "templates").glob("*.html")}


def test_a_page_carries_its_sheet_and_script_and_a_policy_that_allows_only_them():
    page = render_page("base.html")
    policy = element(page, "meta[http-equiv=Content-Security-Policy]")["content"]
    assert "default-src 'none'; img-src data:;" in policy
    for tag in ("style", "script"):
        inside = "".join(element(page, tag).strings())
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_a_page_fetches_nothing():
    addresses = re.findall(r'(?:src|href|action|url)\s*[=(]\s*["\']?([^"\'\s>)]+)', render_page("base.html"))
    assert all(address.startswith(("data:", "#")) for address in addresses), addresses


def test_an_unknown_name_in_a_template_is_an_error():
    with pytest.raises(UndefinedError, match="nowhere"):
        render("{{ nowhere }}")


@given(st.text(alphabet=st.characters(codec=None)))
def test_any_text_becomes_text_that_can_be_written_and_opens_no_tag(text):
    page = render("<p>{{ text }}</p>", text=text)
    page.encode()
    assert page.count("<") == 2
    assert not re.search("[\x00\u2028\u202e\u2066\U000e0000-\U000e007f]", page)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x00b", "a␀b"),
        ("\ud83d", "\ufffd"),
        ("x\u202ey", "x⟨U+202E⟩y"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("é", "é"),
        ("a\u2028b\u2029", "a⟨U+2028⟩b⟨U+2029⟩"),
        ("a\U000e0041\u200b\u00ad\u2063\u200f", "a⟨U+E0041⟩⟨U+200B⟩⟨U+00AD⟩⟨U+2063⟩⟨U+200F⟩"),
        ("👩\u200d🔬 می\u200cخواهم ❤\ufe0f", "👩\u200d🔬 می\u200cخواهم ❤\ufe0f"),
        ("a\u200c\u200db \u200d", "a⟨U+200C⟩\u200db ⟨U+200D⟩"),
    ],
)
def test_characters_that_cannot_be_shown_become_marks(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("fraction", "in_tables", "in_text", "in_sentences"),
    [
        (0.2137, "21.4", "21.4\u202f%", "21\u202f%"),
        (0.0, "0.0", "0.0\u202f%", "0\u202f%"),
        (0.001, "0.1", "0.1\u202f%", "under 1\u202f%"),
        (0.999, "99.9", "99.9\u202f%", "over 99\u202f%"),
        (1.0, "100.0", "100.0\u202f%", "100\u202f%"),
        (NAN, "–", "–", "–"),
    ],
)
def test_rates_read_as_the_look_has_them(fraction, in_tables, in_text, in_sentences):
    assert (bare_percent(fraction), percent(fraction), whole(fraction)) == (in_tables, in_text, in_sentences)


def test_a_rate_is_quoted_with_its_interval_and_counts():
    estimate = Estimate(25 / 117, 0.149, 0.296, 117, 3, "wilson")
    assert stated(estimate, 25) == "21.4\u202f% (14.9 to 29.6), 25 of 117"
    assert ends(estimate) == "14.9 to 29.6"
    assert stated(Estimate(NAN, NAN, NAN, 0, 3, "wilson"), 0) == "–, nothing counts"


def test_what_is_not_known_is_not_drawn():
    macros = "{% from '_macros.html' import interval %}{{ interval(e) }}"
    drawn = render(macros, e=Estimate(0.25, 0.1, 0.5, 20, 0, "wilson"))
    assert 'cx="25%"' in drawn and 'x2="50%"' in drawn
    empty = render(macros, e=Estimate(NAN, NAN, NAN, 0, 0, "wilson"))
    assert "circle" not in empty and "nan" not in empty


@pytest.mark.parametrize(
    ("quoted", "lines"),
    [
        ("35.5 (28.1 to 43.6)", ["35.5", "(28.1 to 43.6)"]),
        ("+16.0 [4.4 to 27.1] *", ["+16.0", "[4.4 to 27.1] *"]),
        ("< 0.001", ["< 0.001"]),
        ("–", ["–"]),
    ],
)
def test_a_quoted_number_breaks_only_before_its_interval(quoted, lines):
    assert [line.replace("\u00a0", " ") for line in breakable(quoted).split(" ")] == lines


def test_a_template_is_compiled_once_for_all_processes(tmp_path, monkeypatch):
    monkeypatch.setattr(page, "cache_from_source", lambda _: str(tmp_path / "page.pyc"))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    first = environment.__wrapped__().get_template("base.html")
    assert list(tmp_path.glob("*.jinja"))
    monkeypatch.setattr(Environment, "_generate", lambda *_, **__: pytest.fail("compiled again"))
    again = environment.__wrapped__().get_template("base.html")
    assert again is not first and again.blocks.keys() == first.blocks.keys()


@pytest.mark.parametrize("folder", ["nowhere", "file"])
def test_where_no_compiled_template_can_be_kept_pages_are_written_all_the_same(tmp_path, monkeypatch, folder):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(page, "cache_from_source", lambda _: str(tmp_path / folder / "page.pyc"))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert environment.__wrapped__().get_template("base.html").blocks
