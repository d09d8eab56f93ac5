"""Whether hosted presets are still offered: asks each provider's own list of models, where there is a key for it.

Only `check_presets` asks, and only when it is called. A key is sent to its own provider, and to no address that a reply
redirects to.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from mossbench.errors import UsageError
from mossbench.models.anthropic import VERSION_HEADER
from mossbench.models.hosted import checked_url
from mossbench.models.keys import find_key, key_names, secret
from mossbench.models.presets import PRESETS, Preset, State
from mossbench.plumbing.tls import find_tls_fault
from mossbench.plumbing.untrusted_files import parse_json

_TIMEOUT = 20.0  # seconds
_MOST_BYTES = 20_000_000
# Variable of another address, the provider's own, path of the list.
_LISTS = {
    "openai": ("OPENAI_BASE_URL", "https://api.openai.com/v1", "/models"),
    "anthropic": ("ANTHROPIC_BASE_URL", "https://api.anthropic.com", "/v1/models?limit=1000"),
    "google": ("GOOGLE_GEMINI_BASE_URL", "https://generativelanguage.googleapis.com", "/v1beta/models?pageSize=1000"),
}
_SNAPSHOT = r"(-20\d\d-?\d\d-?\d\d|-latest|-0\d\d)?"


@dataclass(frozen=True)
class Listing:
    """What one provider's list of models says about the presets that it should have."""

    address: str
    presets: tuple[str, ...]
    listed: tuple[str, ...] = ()
    """Those of the presets that are on the list, as they are named or as a snapshot."""
    n_models: int = 0
    why_not: str = ""
    """Why there is no list; empty when there is."""

    @property
    def surprises(self) -> tuple[str, ...]:
        """Presets whose state differs from what the list says."""
        if self.why_not:
            return ()
        available = {name for name in self.presets if PRESETS[name].state is State.AVAILABLE}
        return tuple(name for name in self.presets if (name in self.listed) is not (name in available))


def check_presets() -> tuple[Listing, ...]:
    """A listing for each address that hosted presets are asked at."""
    places: dict[tuple[str, str], list[Preset]] = {}
    for preset in PRESETS.values():
        provider = (preset.model or "").partition("/")[0]
        if provider in _LISTS:
            variable, own, _ = _LISTS[provider]
            address = preset.base_url or checked_url(secret(variable)) or own
            places.setdefault((provider, address), []).append(preset)
    return tuple(_listing(provider, address, presets) for (provider, address), presets in places.items())


def _listing(provider: str, address: str, presets: list[Preset]) -> Listing:
    names = tuple(preset.name for preset in presets)
    try:
        offered = _ask(address + _LISTS[provider][2], _headers(provider, address))
    except HTTPError as error:
        return Listing(address, names, why_not=f"the list was not given: HTTP {error.code}")
    except UsageError as error:  # no key, or one that cannot be sent
        return Listing(address, names, why_not=f"not asked: {error}")
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        tls = find_tls_fault(error)
        if tls is not None:
            return Listing(address, names, why_not=f"not asked: {tls.message}; {tls.way_out}")
        return Listing(address, names, why_not=f"the list could not be read: {type(error).__name__}")
    pattern_of_preset = {
        preset.name: re.escape((preset.model or "").partition("/")[2]) + _SNAPSHOT for preset in presets
    }
    listed = tuple(name for name in names if any(re.fullmatch(pattern_of_preset[name], model) for model in offered))
    return Listing(address, names, listed, len(offered))


def _headers(provider: str, address: str) -> dict[str, str]:
    names = key_names(provider, address)
    if provider == "anthropic":
        return {"x-api-key": _key(*names), **VERSION_HEADER}
    if provider == "google":
        return {"x-goog-api-key": _key(*names)}
    return {"Authorization": f"Bearer {_key(names[0])}"}  # never another service's


def _key(*names: str) -> str:
    return find_key("its list", *names) or ""


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *arguments: Any) -> None:
        return None


def _ask(url: str, headers: Mapping[str, str]) -> list[str]:
    request = Request(url, headers={"User-Agent": "mossbench", **headers})
    with build_opener(_NoRedirects).open(request, timeout=_TIMEOUT) as reply:
        body = parse_json(reply.read(_MOST_BYTES))
    rows = body["models"] if "models" in body else body["data"]
    return [str(row.get("id") or row["name"]).removeprefix("models/") for row in rows]
