"""The sources of pages can be read and edited by a person, and are joined without a change of meaning.

`make check` has oxfmt for the shape of styles and scripts. It leaves comments and long texts as they are, and knows no
Jinja: the lengths of lines are checked here. Formatters of templates (djlint, for one) break lines within inline
text, where a blank is seen on the page, so templates are formatted by hand.
"""

import re
from pathlib import Path

from every import every
from mossbench.look import assets

LOOK = Path(assets.__file__).parent
SHEETS = sorted((LOOK / "styles").iterdir())
SCRIPTS = sorted((LOOK / "scripts").iterdir())
TEMPLATES = [*sorted((LOOK / "templates").glob("*.html")), *sorted((LOOK / "templates").glob("charts/*.json"))]
DECLARED = re.compile(r"^(?:async )?(?:function|const|let) (\w+)", re.M)


def file_name(path):
    return path.name


def too_long(path, limit):
    lines = path.read_text("utf-8").splitlines()
    return [line for line in lines if len(line) > limit and 'url("data:' not in line]


def test_every_style_is_listed_once():
    assert sorted(f"{name}.css" for name in assets.STYLES) == [path.name for path in SHEETS]


def test_every_script_is_listed_once():
    listed = [f"{name}.js" for name in (*assets.PAGE_SCRIPTS, *assets.APP_SCRIPTS)]
    assert sorted(listed) == [path.name for path in SCRIPTS]


@every([*SHEETS, *SCRIPTS], name=file_name)
def test_a_source_says_what_is_in_it_and_has_short_lines(path):
    source = path.read_text("utf-8")
    assert source.startswith(("/* ", "// "))
    assert "\t" not in source
    assert too_long(path, limit=120) == []


@every(TEMPLATES, name=file_name)
def test_a_template_has_short_lines(path):
    assert "\t" not in path.read_text("utf-8")
    assert too_long(path, limit=160) == []


@every(SHEETS, name=file_name)
def test_a_comment_in_a_sheet_has_its_lines_to_itself(path):
    """Comments are cut out when sheets are joined, and what looks like one within a value would be too."""
    for line in path.read_text("utf-8").splitlines():
        assert "/*" not in line.strip()[1:], line
        assert "*/" not in line or line.endswith("*/"), line
        assert not line.strip().startswith("//"), line


@every(SCRIPTS, name=file_name)
def test_no_text_in_a_script_goes_on_over_a_line(path):
    """Indentation and comments are cut out when scripts are joined, and would be cut out of such a text too."""
    for line in path.read_text("utf-8").splitlines():
        assert line.count("`") % 2 == 0, line
        assert not line.endswith("\\"), line


def test_no_two_scripts_declare_the_same_name():
    names = [name for path in SCRIPTS for name in DECLARED.findall(path.read_text("utf-8"))]
    assert len(names) > 40
    assert sorted(set(names)) == sorted(names)


def test_the_sheet_has_every_rule_in_the_listed_order():
    sheet = assets.style_sheet()
    assert sheet.count("{") == sheet.count("}") == sum(path.read_text("utf-8").count("{") for path in SHEETS)
    assert "/*" not in sheet and "\n\n" not in sheet
    begin = [sheet.index(text) for text in ("--paper: #fbfcfa;", ".bar {", ".report {", ".tiles {", "@media print {")]
    assert begin == sorted(begin)


def test_what_is_joined_can_stand_in_a_page():
    assert "</style" not in assets.style_sheet()
    assert "</script" not in assets.page_script()
    assert assets.page_script().startswith('"use strict";\n')


def test_a_report_does_not_pay_for_indentation_and_comments():
    lines = (assets.style_sheet() + assets.page_script()).splitlines()
    assert [line for line in lines if not line or line.startswith((" ", "//", "/*"))] == []


def test_a_script_that_ends_in_a_comment_hides_nothing_of_the_next(monkeypatch):
    sources = {"first.js": "one(); // said at the end", "second.js": "two();"}
    monkeypatch.setattr(assets, "_read", lambda folder, name: sources[name])
    assert "two();" in assets._joined_scripts(("first", "second")).splitlines()
