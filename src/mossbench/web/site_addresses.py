"""Where the pages of a site lie: files that keep their names when a run is added, in place of the app's addresses.

Pages are made as the app makes them, and then each link to an address of the app becomes one to a file of the site.
What a site does not have, such as a form or a search, is no link there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape, unescape
from urllib.parse import parse_qs, unquote, urlsplit

from mossbench.plumbing.file_names import slug
from mossbench.protocols import digest
from mossbench.web.loaded_run import SampleKey

_LINK = re.compile(r'<a\b(?P<before>[^>]*?) href="(?P<address>/[^"]*)"(?P<after>[^>]*)>(?P<content>.*?)</a>', re.DOTALL)
_PICTURE = re.compile(r'src="(/picture\?[^"]*)"')
_NO_PICTURE = "data:,"
_LONGEST_STEM = 60
PictureOf = Callable[[Mapping[str, str]], str]
"""The file of a picture, by the query of its address in the app; empty where there is none."""


def file_stem(name: str) -> str:
    """A name as part of a file's name: two names never have the same, also where capitals do not count."""
    plain = slug(name)
    if plain == name.lower() and len(plain) <= _LONGEST_STEM:
        return plain
    return f"{plain[:_LONGEST_STEM].lower()}-{digest(name)[:6]}"


@dataclass(frozen=True)
class SiteAddresses:
    """The files of a site by what they show."""

    picture_of: PictureOf
    runs: dict[str, str] = field(default_factory=dict)
    """The reports, by the names of runs."""
    models: dict[str, str] = field(default_factory=dict)
    comparisons: dict[tuple[str, ...], str] = field(default_factory=dict)
    """By the names of both runs."""
    analyses: dict[str, str] = field(default_factory=dict)
    """By their addresses in the app."""
    samples: dict[str, Mapping[SampleKey, str]] = field(default_factory=dict)
    """The pages of the samples that a run asked, by its code in addresses of the explorer."""
    columns: dict[str, int] = field(default_factory=dict)
    """The number of a run on the pages of the samples that it asked, by its code."""

    def file_of(self, address: str) -> str:
        """The file in place of an address of the app, with its fragment; empty where the site has none."""
        parts = urlsplit(address)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/compare":
            file = self.comparisons.get(tuple(parse_qs(parts.query).get("run", ()))) if "format" not in query else ""
        elif parts.path == "/samples":
            report = self.runs.get(query.get("refused", ""))
            return f"{report}#samples" if report else ""
        elif parts.path == "/explorer":
            return self._sample_page(query)
        elif parts.path == "/picture":
            file = self.picture_of(query)
        else:
            file = self._page(unquote(parts.path), query, address)
        return f"{file}#{parts.fragment}" if file and parts.fragment else file or ""

    def _page(self, path: str, query: Mapping[str, str], address: str) -> str:
        if path == "/":
            return "leaderboard.html" if "protocol" in query else "index.html"
        if path in ("/leaderboard", "/runs"):
            return f"{path[1:]}.html" if "format" not in query else ""
        if path.startswith("/models"):
            return self.models.get(query.get("model") or path.removeprefix("/models/"), "")
        return self.analyses.get(address) or self.runs.get(path.removeprefix("/runs/"), "")

    def _sample_page(self, query: Mapping[str, str]) -> str:
        code = query.get("m", "").partition("-")[0]
        pages = self.samples.get(code, {})
        side = query.get("side", "benign")
        page = next((page for key, page in pages.items() if (key[0].value, key[1]) == (side, query.get("id"))), "")
        return f"{page}#m{self.columns[code]}" if page else ""

    def within(self, page: str) -> str:
        """The page with links to files of the site; what would lead elsewhere is left out or is no link."""
        page = _LINK.sub(self._link, page)
        return _PICTURE.sub(lambda match: f'src="{escape(self.file_of(unescape(match[1])) or _NO_PICTURE)}"', page)

    def _link(self, match: re.Match[str]) -> str:
        file = self.file_of(unescape(match["address"]))
        if file:
            return f'<a{match["before"]} href="{escape(file)}"{match["after"]}>{match["content"]}</a>'
        if 'class="button' in match["before"] + match["after"]:
            return ""
        return match["content"]
