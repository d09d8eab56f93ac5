"""What only a browser can break in a report: charts, filter, policy, layout, themes, print."""

import pytest

import mossbench as mb
from browser.test_web_app import OVERFLOW, overflows
from reports.conftest import hostile, mixed  # noqa: F401  # fixtures

pytestmark = pytest.mark.browser


def opened(page):
    """The page with every folded part open, as a reader can have it."""
    page.evaluate("document.querySelectorAll('details').forEach(part => (part.open = true))")
    return page


def shown(page):
    return page.locator("[data-row]:visible").count()


@pytest.fixture
def report(mixed):  # noqa: F811
    return mb.write_report(mixed)


def test_charts_are_drawn(open_page, report):
    page = opened(open_page(report))
    charts = page.locator("svg.chart")
    assert charts.count() == 3
    for chart in charts.all():
        box = chart.bounding_box()
        assert box["width"] > 300 and box["height"] > 50
    for mark in page.locator("circle.dot, .layers rect").all():
        assert mark.bounding_box()["width"] > 0
    red = page.locator(".layers rect[data-kind=refused]").evaluate("e => getComputedStyle(e).fill")
    assert red == "rgb(200, 69, 42)"  # so the sheet is in force
    page.locator(".sample img").first.scroll_into_view_if_needed()  # pictures are loaded when they are near
    assert page.locator(".sample img").first.evaluate("e => e.decode().then(() => e.naturalWidth)") > 0


def test_the_filter_works_by_word_side_stimulus_and_outcome(open_page, report):
    page = open_page(report)
    assert shown(page) == 0  # one screen of findings: the rest is folded
    page.get_by_role("heading", name="Refused harmless requests").click()
    assert shown(page) == 4
    page.locator("select[name=kind]").select_option("blocked")
    assert shown(page) == 1 and "1 of 4 shown" in page.locator("form output").inner_text()
    page.locator("select[name=kind]").select_option("")
    page.locator("select[name=side]").select_option("contrast")
    assert shown(page) == 1
    page.locator("input[name=text]").fill("nothing has these words")
    assert shown(page) == 0 and "No matches" in page.locator("form output").inner_text()
    page.locator("select[name=side]").select_option("")
    page.locator("input[name=text]").fill("CAN'T help")
    assert shown(page) == 1
    page.locator("input[name=text]").press("Enter")
    assert shown(page) == 1 and page.url.endswith("report.html")


def test_hostile_text_is_text_and_breaks_no_layout(open_page, hostile):  # noqa: F811
    path = mb.write_report(hostile)
    for width in (320, 1280):
        page = open_page(path, viewport={"width": width, "height": 800})
        opened(page)
        assert "owned" not in page.title()
        assert "<script>document.title='owned'</script>" in page.locator(".request").first.inner_text()
        assert page.locator("mark").first.inner_text().startswith("I'm sorry")
        assert page.evaluate(OVERFLOW) == 0


@pytest.mark.parametrize("n_runs", [1, 2])
def test_nothing_scrolls_sideways(open_page, mixed, n_runs):  # noqa: F811
    page = open_page(mb.write_report([mixed] * n_runs, "page.html"))
    assert overflows(page) == []


def test_a_page_of_analyses_can_be_read_at_any_width(open_page):
    path = mb.write_analysis(mb.analyse(["tradeoff", "counterfactuals"], "control/jumpy", out="r", limit=6, epochs=1))
    page = open_page(path)
    assert overflows(page) == []
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        question, answer = (page.locator(f".findings {name}").first.bounding_box() for name in ("dt", "dd"))
        assert (answer["y"] >= question["y"] + question["height"] - 1) is (width < 700)
        assert all(image.bounding_box()["width"] >= 500 for image in page.locator(".drawn img").all())


def luminance(color):
    channels = [int(c) / 255 for c in color[4:-1].split(",")[:3]]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(
    ("scheme", "media", "dark"), [("light", "screen", 0), ("dark", "screen", 1), ("dark", "print", 0)]
)
def test_text_stands_out_in_both_themes_and_in_print(open_page, report, scheme, media, dark):
    page = opened(open_page(report, color_scheme=scheme))
    page.emulate_media(media=media, color_scheme=scheme)
    ground = luminance(page.locator("body").evaluate("e => getComputedStyle(e).backgroundColor"))
    assert (ground < 0.2) == bool(dark)
    for selector in ("h1", ".lede", ".note", ".answer", ".why", ".cautions li", "td.n"):
        text = luminance(page.locator(selector).first.evaluate("e => getComputedStyle(e).color"))
        contrast = (max(text, ground) + 0.05) / (min(text, ground) + 0.05)
        assert contrast >= 4.5, (selector, contrast)
    assert page.locator(".filters label").first.is_visible() == (media == "screen")


def test_the_page_prints(open_page, report):
    page = open_page(report)
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_a_keyboard_reaches_the_content_and_the_filter(open_page, report):
    page = open_page(report)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    opened(page)
    page.locator("input[name=text]").focus()
    page.keyboard.type("boat")
    assert shown(page) == 1


def test_charts_speak(open_page, report):
    page = open_page(report)
    label = page.locator("#headline svg.chart").get_attribute("aria-label")
    assert "harmless requests 60.0\u202f%" in label and "3 of 5" in label


def test_refusals_come_in_pages_and_the_focus_stays_on_next(open_page, tmp_path):
    page = open_page(mb.write_report(mb.run("control/stonewall", limit=30), tmp_path / "report.html"))
    page.locator("#samples > summary").click()
    n = page.locator("[data-row]").count()
    following = page.get_by_role("button", name="Next")
    assert shown(page) == 12 and f"1 to 12 of {n} shown" in page.locator("form output").inner_text()
    following.focus()
    page.keyboard.press("Enter")
    assert f"13 to 24 of {n} shown" in page.locator("form output").inner_text() and shown(page) == 12
    assert page.evaluate("document.activeElement.textContent") == "Next"
    last = page.locator("[data-row]").last.get_attribute("id")
    page.evaluate("anchor => { location.hash = anchor }", last)
    page.locator(f"[id='{last}']").wait_for()
    assert page.locator(f"[id='{last}']").is_visible()


def test_a_report_is_one_screen_of_findings_and_folded_sections_with_their_results(open_page, report):
    page = open_page(report, viewport={"width": 1280, "height": 800})
    assert page.evaluate("document.documentElement.scrollHeight") < 1600
    sections = page.locator("details.folded > summary")
    assert sections.count() > 4 and all(one.is_visible() for one in sections.all())
