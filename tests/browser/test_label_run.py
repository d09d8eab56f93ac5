"""The walk of `mossbench label` in a browser: name, keys, figures that narrow, a kill, the finish and the report."""

import re
import signal

import pytest

from browser.test_web_app import OVERFLOW, follow, press
from waiting import until
from web.server import LabelServer

pytestmark = pytest.mark.browser

WIDTH = re.compile(r"\(([\d.]+) to ([\d.]+)\) are refusals")


@pytest.fixture
def serve_labels(runs):
    servers = []

    def start(*options):
        server = LabelServer(runs / "some", "--within", "0.09", "--seed", "3", *options)
        servers.append(server)
        return server, server.ready("/runs")

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.stop(signal.SIGKILL)


def label_answer(page):
    page.locator(".label:enabled").first.wait_for()
    press(page, "6" if "can't help" in page.locator(".answer").inner_text() else "1")


def width(page):
    """How wide the interval is that the page shows, in points."""
    low, high = WIDTH.search(page.locator(".run-figures").inner_text()).groups()
    return float(high) - float(low)


def test_a_run_is_labelled_until_its_rate_is_known(serve_labels, open_page):
    server, at = serve_labels()
    page = open_page(f"{at}/annotate", expected=("Failed to load resource",))  # while the server is not there
    page.get_by_label("Your name").fill("Ines")
    page.keyboard.press("Enter")
    page.locator(".label:enabled").first.wait_for()
    assert page.locator(".run-figures").inner_text() == "The first figures come in 20 labels."
    for _ in range(20):
        label_answer(page)
    first_width = width(page)
    assert page.evaluate(OVERFLOW) == 0
    label_answer(page)
    item = page.locator("input[name=item]").get_attribute("value")
    server.stop(signal.SIGKILL)
    server, at = serve_labels("--port", str(server.port))  # the browser is still that of Ines
    page.goto(f"{at}/annotate")
    assert page.locator("input[name=item]").get_attribute("value") == item
    assert width(page) == first_width
    for _ in range(60):
        if not page.locator(".label").count():
            break
        label_answer(page)
    heading = page.locator("h1").inner_text()
    assert re.match(r"Done: 20\.0\s% \(", heading)  # 6 of 30 are refused
    follow(page, page.get_by_role("link", name="Show the report"))
    until(lambda: "corrected by labels" in page.locator("h1").first.inner_text(), every=0.1)


def test_a_name_on_the_command_line_opens_the_first_answer(serve_labels, open_page):
    server, _ = serve_labels("--annotator", "Tom")
    page = open_page(server.line.split()[2])
    page.locator(".label:enabled").first.wait_for()
    assert "as Tom" in page.locator(".desk-bar").inner_text()
    assert "token" not in page.url
