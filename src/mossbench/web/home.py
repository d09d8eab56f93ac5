"""Home: which model refuses least without becoming unsafe, whether that is real, what changed, and the latest runs."""

from collections.abc import Callable, Sequence
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from mossbench.errors import MossbenchError
from mossbench.leaderboard.standing import Place, Standing, all_standings
from mossbench.look.commands import as_commands
from mossbench.reports.standing_text import FALSE_ALARMS, protocol_words_beside, standing_values, whether_changed
from mossbench.results.changes import Change, changes
from mossbench.results.comparisons import Difference
from mossbench.results.gates import Gate, decide, read_gates
from mossbench.results.listing import signature_of
from mossbench.samples import Side
from mossbench.web.leaderboard import Rankable, rankable, superseded_of
from mossbench.web.loaded_run import LoadedRun
from mossbench.web.pages import ChosenText, address, model_address, page, shelf_of
from mossbench.web.runs import run_line
from mossbench.web.shelf import Shelf

router = APIRouter()
N_RUNS = 6
GATES_FILE = "gates.toml"
"""In the folder of runs: gates of runs that are of no suite."""


@router.get("/")
def home_page(request: Request, protocol: ChosenText = None, data: ChosenText = None) -> Response:
    shelf, coming = shelf_of(request), request.app.state.coming()
    values = home_values(shelf, place_link, protocol, data)
    again = coming or shelf.reading or any(line["going"] for line in values["runs"])
    return page(request, "home.html", "Home", **values, coming=coming, again=again)


def home_values(
    shelf: Shelf, link: Callable[[Place], str], protocol: str | None = None, data: str | None = None
) -> dict[str, Any]:
    """What the page shows of runs; `link` leads to a model."""
    runs = shelf.runs()
    ranked = rankable(shelf, runs)
    every = standings_of(shelf, ranked)
    found = [one for one in every if one.places]
    chosen = chosen_standing(found, protocol, data)
    changed = changes_of(shelf, ranked)
    lines = [run_line(run, superseded_of(shelf, ranked)) for run in runs[:N_RUNS]]
    return {
        "standing": standing_values(chosen, link) if chosen else None,
        "others": [
            (address("/", protocol=one.key), protocol_words_beside(one.board, chosen.board), len(one.places))
            for one in found
            if chosen is not None and one is not chosen
        ],
        "not_ranked": () if chosen or _is_none_finished(runs) else why_nothing_is_ranked(ranked, every),
        "no_standing": no_standing_heading(runs),
        "changed": tuple(whether_changed(changed)),
        "changes": [change_values(one) for one in changed],
        "false_alarms": FALSE_ALARMS if changed else "",
        "runs": [{**line, **gate_values(shelf, run)} for line, run in zip(lines, runs, strict=False)],
        "n_runs": len(runs),
        "folder": shelf.settings.folder,
    }


def chosen_standing(found: Sequence[Standing], protocol: str | None = None, data: str | None = None) -> Standing | None:
    """The standing that was asked for by its protocol or its dataset; else the first, on the most samples."""
    for one in found:
        if protocol is not None and one.key == protocol:
            return one
    for one in found:
        if data is not None and data in (one.board.dataset, one.board.data_hash):
            return one
    return found[0] if found else None


def no_standing_heading(runs: Sequence[LoadedRun]) -> str:
    """What is said where no model can be ranked: no run is called unfinished or unjudged that is not."""
    judged = [run for run in _finished(runs) if run.counted.judge is not None]
    if judged:
        return "No run can be ranked yet"
    if _is_none_finished(runs):
        return "No finished run yet"
    return "No judged run yet" if runs else "No runs yet"


def _finished(runs: Sequence[LoadedRun]) -> list[LoadedRun]:
    return [run for run in runs if run.info is not None and run.info.ended is not None]


def _is_none_finished(runs: Sequence[LoadedRun]) -> bool:
    """Whether there are runs, and each still goes on or was stopped: then nothing else has to be explained."""
    return bool(runs) and not _finished(runs)


def why_nothing_is_ranked(ranked: Rankable, every: Sequence[Standing]) -> tuple[str, ...]:
    """Of each run and submission why it is not ranked."""
    notes = [note for one in every for note in one.board.notes]
    return tuple(as_commands(text) for text in (*ranked.left_out, *notes))


def place_link(place: Place) -> str:
    return model_address(place.model) if place.model else "/leaderboard"


def standings_of(shelf: Shelf, ranked: Rankable) -> tuple[Standing, ...]:
    """All standings, also those in which no model can be ranked."""
    key, kind = ("standings of current runs", ranked.made_of), tuple[Standing, ...]
    return shelf.slow(
        key, lambda: shelf.index.kept(*key, kind, lambda: all_standings(ranked.found)), "Comparing models"
    )


def changes_of(shelf: Shelf, ranked: Rankable) -> tuple[Change, ...]:
    found = (run.results for run in ranked.runs if run.results is not None)
    return shelf.slow(("changes", ranked.made_of), lambda: changes(found), "Comparing runs")


def change_values(change: Change) -> dict[str, Any]:
    sides: dict[Side, Difference] = {one.side: one for one in change.differences}
    return {
        **vars(change),
        "settings": [setting.words() for setting in change.settings],
        "link": model_address(change.model),
        "compare": address("/compare", run=[change.before, change.run]),
        "harmless": sides.get(Side.BENIGN),
        "harmful": sides.get(Side.CONTRAST),
        "is_shown": any(one.told_apart for one in change.differences),
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
