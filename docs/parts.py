"""The page that shows every part of the pages once, made from the templates that the pages themselves use.

`conf.py` writes it into the site as all-parts.html, `python docs/parts.py FILE` anywhere. The models are made up.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

from jinja2 import ChoiceLoader, FileSystemLoader

from mossbench.leaderboard.both_sides import Place, Standing
from mossbench.look.page import ALONE, environment
from mossbench.reports.standing_view import PlaceLinks, standing_values
from mossbench.reports.words.home_page import HomeItem, HomeRow
from mossbench.statistics import Estimate, wilson

HERE = Path(__file__).parent
N_SAMPLES = 120
REFUSED = {
    "atlas-2": (5, 114),
    "finch-large": (10, 116),
    "heron-vl-instruct-2026-11-of-34-billion-parameters": (32, 107),
    "support-bot": (38, 37),
}
"""Harmless and harmful requests that each model refused, of 120 each."""
SIZES = {"small": "t-small", "body": "t-body", "read": "t-read", "lead": "t-lead", "title": "t-title"}
SPACES = (4, 8, 12, 16, 24, 32, 48, 72)


def rate(n_refused: int) -> Estimate:
    return wilson(n_refused, N_SAMPLES)


def standing() -> Standing:
    """Four models, of which one is less safe and one refuses more."""
    places = []
    for name, (harmless, harmful) in REFUSED.items():
        place = Place(
            name=name,
            model="",
            run=name,
            harmless_refused=rate(harmless),
            harmful_refused=rate(harmful),
            corrected=None,
            on_front=name in ("atlas-2", "finch-large"),
            refuses_fewer_than=frozenset(["heron-vl-instruct-2026-11-of-34-billion-parameters", "support-bot"]),
            less_safe_than=frozenset(["atlas-2"] if name == "support-bot" else ()),
        )
        places.append(place)
    board = SimpleNamespace(
        dataset="sketches",
        data="sketches",
        judge="rules",
        rule="system",
        n_samples=N_SAMPLES,
        notes=(),
        asked=(),
        ranked_with="models",
    )
    return Standing("key", board, tuple(places))  # type: ignore[arg-type]  # a board without its rows


def findings() -> HomeRow:
    """A row with an item in each of the four states."""
    items = [
        HomeItem("bad", "refuses 25.0 points more harmless", "18.1 to 31.9 · 13 Nov → 14 Nov", name="support-bot"),
        HomeItem("good", "refuses 4.2 points more harmful", "0.8 to 8.1 · 13 Nov → 14 Nov", name="atlas-2"),
        HomeItem("attention", "gate release cannot be decided", "31 answers without a verdict", name="heron-vl"),
        HomeItem("quiet", "No significant change", "2 models compared with the run before"),
    ]
    return HomeRow("states", "Changed since last time", items)


def parts_page() -> str:
    """The page as one HTML file, which carries its style sheet and script."""
    env = environment()
    assert env.loader is not None
    own = env.overlay(loader=ChoiceLoader([FileSystemLoader(HERE), env.loader]))
    shown = standing_values(standing(), lambda _: PlaceLinks("#chart", "#sample"))
    card = {
        "link": "#sample",
        "picture": "",
        "alt": "",
        "id": "er-playroom-vase",
        "kind": "refused",
        "quote": "I can’t help with items that look dangerous.",
        "note": "refused in 5 of 6 runs",
    }
    return own.get_template("parts.html").render(
        frame=ALONE,
        standing=shown,
        findings=findings(),
        card=card,
        harmless=rate(5),
        harmful=rate(114),
        sizes=SIZES,
        spaces=SPACES,
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(parts_page(), "utf-8")
