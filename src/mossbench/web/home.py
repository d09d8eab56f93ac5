"""Home: which model refuses least without becoming unsafe, if the difference is real, what changed, latest runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from mossbench.errors import MossbenchError
from mossbench.leaderboard.both_sides import Place, Standing, all_standings
from mossbench.messages import on_command_line
from mossbench.reports.standing_view import StandingView, standing_values
from mossbench.reports.words import home_page as words
from mossbench.reports.words.standing import FALSE_ALARMS, protocol_words_beside, whether_changed
from mossbench.results.changes import Change, changes
from mossbench.results.differences import Difference
from mossbench.results.gates import Gate, decide, read_gates
from mossbench.results.listing import signature_of
from mossbench.samples import Side
from mossbench.web.leaderboard import Rankable, rankable, superseded_of
from mossbench.web.loaded_run import LoadedRun
from mossbench.web.pages import ChosenText, address, model_address, page, shelf_of
from mossbench.web.run_line import RunLine
from mossbench.web.runs import run_line
from mossbench.web.shelf import Shelf

router = APIRouter()
N_RUNS = 6
NO_FINISHED_RUN = "No finished run yet"
GATES_FILE = "gates.toml"
"""In the folder of runs: gates of runs that are of no suite."""


class OtherProtocol(NamedTuple):
    """A standing under another protocol than the one that is shown."""

    link: str
    words: str
    n_models: str
    """How many models are ranked there, in words."""


@dataclass(frozen=True)
class HomeWords:
    """Texts around the standing of the models; empty where no model is ranked."""

    all_runs: str
    standing_on: str = ""
    compare_first: str = ""
    field_title: str = ""
    field_note: str = ""
    harmful_axis: str = ""
    other_protocols: str = ""


@dataclass(frozen=True)
class ChangeLine:
    """What changed from one run of a model to the next."""

    model: str
    run: str
    before: str
    data: str
    settings: Sequence[str]
    """Settings in which the two runs differ, in words."""
    link: str
    """The page of the model."""
    compare: str
    """The page that compares both runs; empty on a site, which has none."""
    harmless: Difference | None
    harmful: Difference | None
    is_shown: bool
    """Whether a test shows a difference on either side."""


@dataclass(frozen=True)
class HomePage:
    """What home.html shows."""

    standing: StandingView | None
    """The chosen standing in words and drawings; None where no model can be ranked."""
    other_protocols: Sequence[OtherProtocol]
    not_ranked: Sequence[str]
    """Why no run is ranked."""
    no_standing: str
    """The heading where there is no standing."""
    changed: Sequence[str]
    """Whether anything got worse, in sentences."""
    changes: Sequence[ChangeLine]
    false_alarms: str
    runs: Sequence[RunLine]
    """The latest, with their gates."""
    nearest: Sequence[str]
    """The first two or three runs that are worth comparing; empty where there is only one."""
    words: HomeWords
    folder: str
    is_demo_running: bool = False
    """Whether runs of control models are being made."""
    is_changing: bool = False
    """Whether the page changes by itself, so that a script has to load it every few seconds."""


@router.get("/")
def home_page(request: Request, protocol: ChosenText = None, data: ChosenText = None) -> Response:
    shelf = shelf_of(request)
    home = make_home(shelf, place_link, protocol, data)
    is_demo_running: bool = request.app.state.is_demo_running()
    home = replace(
        home,
        is_demo_running=is_demo_running,
        is_changing=is_demo_running or shelf.is_reading or any(line.is_going for line in home.runs),
        no_standing=NO_FINISHED_RUN if is_demo_running and not home.runs else home.no_standing,
    )
    return page(request, "home.html", "Home", home)


def make_home(
    shelf: Shelf,
    link: Callable[[Place], str],
    protocol: str | None = None,
    data: str | None = None,
    *,
    is_live: bool = True,
) -> HomePage:
    """What the page shows of runs; `link` leads to a model: on a page that is not live, to its report."""
    runs = shelf.runs()
    ranked = rankable(shelf, runs)
    standings = standings_of(shelf, ranked)
    with_places = [standing for standing in standings if standing.places]
    chosen = chosen_standing(with_places, protocol, data)
    changed = changes_of(shelf, ranked)
    superseded = superseded_of(shelf, ranked)
    needs_reasons = chosen is None and not _is_none_finished(runs)
    standing = standing_values(chosen, link) if chosen else None
    other_protocols = _other_protocols(with_places, chosen) if chosen else []
    nearest = _nearest(standing) if standing else []
    return HomePage(
        standing=standing,
        other_protocols=other_protocols,
        not_ranked=why_nothing_is_ranked(ranked, standings) if needs_reasons else (),
        no_standing=no_standing_heading(runs),
        changed=tuple(whether_changed(changed)),
        changes=[change_line(change) for change in changed],
        false_alarms=FALSE_ALARMS if changed else "",
        runs=[with_gates(run_line(run, superseded), shelf, run) for run in runs[:N_RUNS]],
        nearest=nearest,
        words=_home_words(
            standing, n_runs=len(runs), n_others=len(other_protocols), n_nearest=len(nearest), is_live=is_live
        ),
        folder=shelf.settings.folder,
    )


def _nearest(standing: StandingView) -> list[str]:
    """Runs of the first three models that are not less safe and of known safety; none where there is only one."""
    runs = [row.run for row in standing.rows if row.run and row.is_as_safe]
    return runs[:3] if len(runs) > 1 else []


def _home_words(
    standing: StandingView | None, *, n_runs: int, n_others: int, n_nearest: int, is_live: bool
) -> HomeWords:
    all_runs = words.all_runs(n_runs)
    if standing is None:
        return HomeWords(all_runs)
    opens = ""
    if is_live:
        opens = "page"
    elif n_runs:
        opens = "report"
    drawing = standing.drawings[0] if standing.drawings else None
    return HomeWords(
        all_runs=all_runs,
        standing_on=words.standing_on(standing.dataset, standing.n_samples, n_others),
        compare_first=words.compare_first(n_nearest),
        field_title=words.field_title(has_harmful=drawing is not None),
        field_note=words.field_note(standing.protocol, has_front=bool(drawing and drawing.steps), opens=opens),
        harmful_axis=words.harmful_axis(drawing.bottom if drawing else 0),
        other_protocols=words.other_protocols(n_others),
    )


def _other_protocols(standings: Sequence[Standing], chosen: Standing) -> list[OtherProtocol]:
    other_protocols = []
    for standing in standings:
        if standing is not chosen:
            link = address("/", protocol=standing.key)
            protocol_words = protocol_words_beside(standing.board, chosen.board)
            other_protocols.append(OtherProtocol(link, protocol_words, words.n_models(len(standing.places))))
    return other_protocols


def chosen_standing(
    standings: Sequence[Standing], protocol: str | None = None, data: str | None = None
) -> Standing | None:
    """The standing of this protocol or dataset; otherwise the first, on the most samples."""
    for standing in standings:
        if protocol is not None and standing.key == protocol:
            return standing
    for standing in standings:
        if data is not None and data in (standing.board.dataset, standing.board.data_hash):
            return standing
    return standings[0] if standings else None


def no_standing_heading(runs: Sequence[LoadedRun]) -> str:
    """The heading where no model can be ranked; it must be true of every run."""
    judged = [run for run in _finished(runs) if run.counted.judge is not None]
    if judged:
        return "No run can be ranked yet"
    if _is_none_finished(runs):
        return NO_FINISHED_RUN
    return "No judged run yet" if runs else "No runs yet"


def _finished(runs: Sequence[LoadedRun]) -> list[LoadedRun]:
    return [run for run in runs if run.info is not None and run.info.ended is not None]


def _is_none_finished(runs: Sequence[LoadedRun]) -> bool:
    """Whether there are runs, and each is in progress or was stopped: then nothing else has to be explained."""
    return bool(runs) and not _finished(runs)


def why_nothing_is_ranked(ranked: Rankable, standings: Sequence[Standing]) -> tuple[str, ...]:
    """Why each run and submission is not ranked."""
    reasons = list(ranked.left_out)
    for standing in standings:
        reasons += standing.board.notes
    return tuple(reasons)


def place_link(place: Place) -> str:
    return model_address(place.model) if place.model else "/leaderboard"


def standings_of(shelf: Shelf, ranked: Rankable) -> tuple[Standing, ...]:
    """All standings, also those in which no model can be ranked."""
    name = "standings of current runs"

    def make() -> tuple[Standing, ...]:
        return all_standings(ranked.entries)

    def make_or_load() -> tuple[Standing, ...]:
        return shelf.index.kept(name, ranked.made_of, tuple[Standing, ...], make)

    return shelf.compute_once((name, ranked.made_of), make_or_load, "Comparing models")


def changes_of(shelf: Shelf, ranked: Rankable) -> tuple[Change, ...]:
    def make() -> tuple[Change, ...]:
        return changes(run.results for run in ranked.runs if run.results is not None)

    return shelf.compute_once(("changes", ranked.made_of), make, "Comparing runs")


def change_line(change: Change) -> ChangeLine:
    by_side: dict[Side, Difference] = {difference.side: difference for difference in change.differences}
    return ChangeLine(
        model=change.model,
        run=change.run,
        before=change.before,
        data=change.data,
        settings=[setting.words() for setting in change.settings],
        link=model_address(change.model),
        compare=address("/compare", run=[change.before, change.run]),
        harmless=by_side.get(Side.BENIGN),
        harmful=by_side.get(Side.CONTRAST),
        is_shown=any(difference.told_apart for difference in change.differences),
    )


def with_gates(line: RunLine, shelf: Shelf, run: LoadedRun) -> RunLine:
    """The line of a run with its gates."""
    try:
        return replace(line, gates=gates_of(shelf, run))
    except MossbenchError as error:
        return replace(line, gates_fault=on_command_line(error.message))


def gates_of(shelf: Shelf, run: LoadedRun) -> tuple[Gate, ...]:
    """The gates of the run's suite, or those of the file in the folder of runs; none for a run that is not judged."""
    folder = shelf.settings.runs
    if run.info is None or run.info.ended is None or run.counted.judge is None:
        return ()
    suite = run.info.suite
    limits = suite.gates if suite and suite.gates else read_gates(folder / GATES_FILE)
    if not limits:
        return ()
    # Baselines are runs too: a gate is decided again when one changes.
    baselines = tuple(signature_of(folder / limit.baseline) for limit in limits if limit.baseline)

    def make() -> tuple[Gate, ...]:
        return tuple(decide(run.results, limit) for limit in limits) if run.results else ()

    return shelf.compute_once(("gates", run.name, run.signature, limits, baselines), make, "Deciding gates")
