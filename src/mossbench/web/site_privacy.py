"""What a site does not publish: the endpoints that were asked, and private columns of the rows of runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from mossbench.leaderboard.names import public_name
from mossbench.protocols import digest
from mossbench.results.table import Results
from mossbench.web.loaded_run import LoadedRun


def without_addresses(page: str, runs: Sequence[LoadedRun]) -> str:
    """The page with digests in place of endpoints, which may be private."""
    urls = set[str]()
    for run in runs:
        if run.results:
            urls |= _endpoints_of(run.results)
    for url in sorted(urls, key=len, reverse=True):
        page = page.replace(escape(url), f"endpoint-{digest(url)}").replace(url, f"endpoint-{digest(url)}")
    return page


def _endpoints_of(results: Results) -> set[str]:
    """The endpoints of its model and of its judges, and those in its notices."""
    info = results.info
    texts = [info.config.base_url or "", info.config.judge or "", *info.endpoints_in_notices]
    for label in (str(results.judge), *info.verdicts):
        texts.append(label.rpartition("/")[0])
    urls = set[str]()
    for text in texts:
        urls.update(url.rstrip("/") for url in re.findall(r"https?://[^\s&]+", text))
    return urls


def public_rows(results: Results) -> list[dict[str, Any]]:
    """The rows of a run without the columns that say how it was run."""
    private = ("answered_by", "served_by", "seconds", "tries", "waited")
    rows = []
    for record in results.records():
        row = {name: value for name, value in record.items() if name not in private}
        rows.append(row | {"model": public_name(results.model)})
    return rows
