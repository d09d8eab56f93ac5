"""Addresses of earlier sites: a host that shows 404.html leads on from the old name of a report to its new one."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

pytestmark = pytest.mark.browser

NOT_FOUND = "Failed to load resource"


class Host(SimpleHTTPRequestHandler):
    """Shows 404.html where there is no file, as hosts of pages do."""

    def send_error(self, code, message=None, explain=None):
        page = (self.server.site / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_args):
        """Nothing."""


@pytest.fixture
def host(site):
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, directory=str(site.parents[1])))
    server.site = site
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/team/results"
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_old_address_of_a_report_leads_to_the_report_of_that_run(host, open_page):
    page = open_page(f"{host}/index.html", expected=(NOT_FOUND,))
    page.goto(f"{host}/run-3-some.html#method")
    page.wait_for_url("**/run-some.html#method")
    assert "some" in page.locator("h1").first.inner_text()


def test_what_has_no_new_address_says_so_and_lists_the_reports(host, open_page):
    page = open_page(f"{host}/index.html", expected=(NOT_FOUND,))
    page.goto(f"{host}/samples-benign-12.html")
    assert page.locator("h1").inner_text() == "This page is not on this site"
    assert page.get_by_role("link", name="some").first.get_attribute("href").startswith("run-")
    page.get_by_role("link", name="Home", exact=True).last.click()
    page.wait_for_url("**/index.html")
