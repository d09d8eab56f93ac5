"""What a site keeps back: whom one asked, and what else is the business of whoever ran a run."""

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
    """The page with digests in the place of endpoints: whom one asks may be nobody else's business."""
    urls = set[str]()
    for run in runs:
        if run.results:
            urls |= _endpoints_of(run.results)
    for url in sorted(urls, key=len, reverse=True):
        page = page.replace(escape(url), f"endpoint-{digest(url)}").replace(url, f"endpoint-{digest(url)}")
    return page


def _endpoints_of(results: Results) -> set[str]:
    """What the record of a run names: of its model, of its judges, and in its notices."""
    info = results.info
    texts = [info.config.base_url or "", info.config.judge or "", *info.endpoints_in_notices]
    for label in (str(results.judge), *info.verdicts):
        texts.append(label.rpartition("/")[0])
    urls = set[str]()
    for text in texts:
        urls.update(url.rstrip("/") for url in re.findall(r"https?://[^\s&]+", text))
    return urls


def public_rows(results: Results) -> list[dict[str, Any]]:
    """The rows of a run without what is the business of whoever ran it."""
    private = ("answered_by", "served_by", "seconds", "tries", "waited")
    rows = []
    for record in results.records():
        row = {name: value for name, value in record.items() if name not in private}
        rows.append(row | {"model": public_name(results.model)})
    return rows
