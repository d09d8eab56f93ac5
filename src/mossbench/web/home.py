"""Home: which model refuses least without becoming unsafe, whether that is real, what changed, and the latest runs."""

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from mossbench.errors import MossbenchError
from mossbench.leaderboard.standing import Place, Standing, standings
from mossbench.look.commands import as_commands
from mossbench.reports.standing_text import protocol_words, standing_values, whether_changed
from mossbench.results.changes import Change, changes
from mossbench.results.comparisons import Difference
from mossbench.results.gates import Gate, decide, read_gates
from mossbench.results.listing import signature_of
from mossbench.samples import Side
from mossbench.web.leaderboard import Rankable, rankable
from mossbench.web.pages import ChosenText, address, model_address, page, shelf_of
from mossbench.web.runs import run_line
from mossbench.web.shelf import LoadedRun, Shelf

router = APIRouter()
N_RUNS = 6
GATES_FILE = "gates.toml"
"""In the folder of runs: gates of runs that are of no suite."""


@router.get("/")
def home_page(request: Request, protocol: ChosenText = None) -> Response:
    shelf, coming = shelf_of(request), request.app.state.coming()
    values = home_values(shelf, place_link, protocol)
    again = coming or shelf.reading or any(line["going"] for line in values["runs"])
    return page(request, "home.html", "Home", **values, coming=coming, again=again)


def home_values(shelf: Shelf, link: Callable[[Place], str], protocol: str | None = None) -> dict[str, Any]:
    """What the page shows of runs; `link` leads to a model."""
    runs = shelf.runs()
    ranked = rankable(shelf, runs)
    found = standings_of(shelf, ranked)
    chosen = next((one for one in found if one.key == protocol), found[0] if found else None)
    changed = changes_of(shelf, ranked)
    return {
        "standing": standing_values(chosen, link) if chosen else None,
        "others": [
            (address("/", protocol=one.key), protocol_words(one.board), len(one.places))
            for one in found
            if one is not chosen
        ],
        "changed": tuple(whether_changed(changed.values())),
        "changes": [change_values(one) for one in sorted(changed.values(), key=lambda one: not one.differences)],
        "runs": [{**run_line(run), **gate_values(shelf, run)} for run in runs[:N_RUNS]],
        "n_runs": len(runs),
        "folder": shelf.settings.folder,
    }


def place_link(place: Place) -> str:
    return model_address(place.model) if place.model else "/leaderboard"


def standings_of(shelf: Shelf, ranked: Rankable) -> tuple[Standing, ...]:
    key, kind = ("standings by provider", ranked.made_of), tuple[Standing, ...]
    return shelf.slow(key, lambda: shelf.index.kept(*key, kind, lambda: standings(ranked.found)), "Comparing models")


def changes_of(shelf: Shelf, ranked: Rankable) -> dict[str, Change]:
    found = (run.results for run in ranked.runs if run.results is not None)
    return shelf.slow(("changes", ranked.made_of), lambda: changes(found), "Comparing runs")


def change_values(change: Change) -> dict[str, Any]:
    sides: dict[Side, Difference] = {one.side: one for one in change.differences}
    return {
        **vars(change),
        "link": model_address(change.model),
        "compare": address("/compare", run=[change.before, change.run]),
        "harmless": sides.get(Side.BENIGN),
        "harmful": sides.get(Side.CONTRAST),
        "why_not": as_commands(change.why_not),
    }


def gate_values(shelf: Shelf, run: LoadedRun) -> dict[str, Any]:
    """The gates of a run: those of its suite, or those of the file in the folder of runs."""
    try:
        return {"gates": gates_of(shelf, run), "gates_fault": ""}
    except MossbenchError as error:
        return {"gates": (), "gates_fault": as_commands(str(error))}


def gates_of(shelf: Shelf, run: LoadedRun) -> tuple[Gate, ...]:
    folder = shelf.settings.runs
    if run.info is None or run.info.ended is None or run.counted.judge is None:
        return ()
    suite = run.info.suite
    limits = suite.gates if suite and suite.gates else read_gates(folder / GATES_FILE)
    # Baselines are runs too: a gate is decided again when one changes.
    against = tuple(signature_of(folder / one.baseline) for one in limits if one.baseline)

    def made() -> tuple[Gate, ...]:
        return tuple(decide(run.results, one) for one in limits) if run.results else ()

    return shelf.slow(("gates", run.name, run.signature, limits, against), made, "Deciding gates") if limits else ()
