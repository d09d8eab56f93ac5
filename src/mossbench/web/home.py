"""Home: a verdict, the drawing of both sides, three rows; below, all models, what changed and the latest runs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from mossbench.errors import MossbenchError
from mossbench.leaderboard.both_sides import Place, Standing, all_standings
from mossbench.messages import on_command_line
from mossbench.reports.standing_view import PlaceLinks, StandingView, standing_values
from mossbench.reports.words import home_page as words
from mossbench.reports.words.home_page import HomeRow
from mossbench.reports.words.standing import FALSE_ALARMS, protocol_words_beside, read_by_others, whether_changed
from mossbench.results.changes import Change, changes, needs_judging
from mossbench.results.differences import Difference
from mossbench.results.gates import Gate, decide, read_gates
from mossbench.results.listing import signature_of
from mossbench.samples import Side
from mossbench.web.home_rows import attention_row, changed_row, leading_row
from mossbench.web.leaderboard import Rankable, rankable, superseded_of
from mossbench.web.loaded_run import LoadedRun
from mossbench.web.pages import ChosenText, address, model_address, page, refused_address, shelf_of
from mossbench.web.run_line import RunLine
from mossbench.web.runs import run_line
from mossbench.web.shelf import Shelf, StillReading

router = APIRouter()
N_LATEST_RUNS = 6
N_COMPARED_RUNS = 3
"""The most runs that the link to a comparison names: more columns are hard to read."""
NO_FINISHED_RUN = "No finished run yet"
GATES_FILE = "gates.toml"
"""A file in the folder of runs, with the gates of runs that belong to no suite."""


class OtherProtocol(NamedTuple):
    """The link to a standing under another protocol than the one that is shown."""

    link: str
    words: str
    """The settings of the protocol that differ."""
    number_of_models: str
    """How many models the standing ranks, in words."""


@dataclass(frozen=True)
class HomeWords:
    """Texts around the standing of the models; all but `all_runs` are empty if no model is ranked."""

    all_runs: str
    standing_on: str = ""
    compare_first: str = ""
    changes_line: str = ""
    field_note: str = ""
    axis_begins: str = ""
    other_protocols: str = ""


@dataclass(frozen=True)
class ChangeLine:
    """What changed from one run of a model to the next."""

    model: str
    run: str
    before: str
    data: str
    settings: Sequence[str]
    """Settings in which the two runs differ, in words; and who has judged one of them again."""
    link: str
    """The page of the model."""
    compare_link: str
    """The page that compares both runs; empty on a site, which has none."""
    harmless: Difference | None
    harmful: Difference | None
    is_significant: bool
    """Whether the difference is significant on either side."""


@dataclass(frozen=True)
class HomePage:
    """What home.html shows."""

    standing: StandingView | None
    """The chosen standing in words and drawings; None if no model can be ranked."""
    rows: Sequence[HomeRow]
    """Who leads, what changed, what needs attention."""
    other_protocols: Sequence[OtherProtocol]
    why_not_ranked: Sequence[str]
    """The reasons why no run is ranked."""
    no_standing_title: str
    """The heading of the page if there is no standing."""
    change_summary: Sequence[str]
    """Sentences on whether anything got worse."""
    changes: Sequence[ChangeLine]
    false_alarms: str
    runs: Sequence[RunLine]
    """The latest runs, with their gates."""
    runs_to_compare: Sequence[str]
    """Names of the runs that the link to a comparison has: see `_runs_to_compare`."""
    words: HomeWords
    folder: str
    is_demo_running: bool = False
    """Whether runs of control models are being made."""
    is_changing: bool = False
    """Whether something on the page is in progress: a script then reloads the page every few seconds."""


@router.get("/")
def home_page(request: Request, protocol: ChosenText = None, data: ChosenText = None) -> Response:
    shelf = shelf_of(request)
    home = make_home(shelf, protocol, data)
    is_demo_running: bool = request.app.state.is_demo_running()
    home = replace(
        home,
        is_demo_running=is_demo_running,
        is_changing=home.is_changing or is_demo_running or any(line.is_going for line in home.runs),
        no_standing_title=NO_FINISHED_RUN if is_demo_running and not home.runs else home.no_standing_title,
    )
    return page(request, "home.html", "Home", home)


def make_home(
    shelf: Shelf,
    protocol: str | None = None,
    data: str | None = None,
    *,
    is_live: bool = True,
) -> HomePage:
    """Home of the runs on the shelf.

    `protocol` and `data` choose the standing that is shown. For a site (not `is_live`) what takes long is waited for.
    """
    runs = shelf.runs()
    candidates = rankable(shelf, runs)
    standings = standings_of(shelf, candidates)
    standings_with_models = [standing for standing in standings if standing.places]
    chosen = choose_standing(standings_with_models, protocol, data)
    changes_so_far = changes_of(shelf, candidates, waits=not is_live)
    model_changes = changes_so_far.changes
    superseded = superseded_of(shelf, candidates)
    needs_reasons = chosen is None and not _is_none_finished(runs)
    standing = standing_values(chosen, lambda place: place_links(shelf, place)) if chosen else None
    other_protocols = _other_protocols(standings_with_models, chosen) if chosen else []
    runs_to_compare = _runs_to_compare(standing) if standing else []
    lines = []
    for number, run in enumerate(runs):
        line = run_line(run, superseded)
        has_gates = number < N_LATEST_RUNS or not line.superseded_by
        lines.append(with_gates(line, shelf, run) if has_gates else line)
    rows = _rows(standing, changes_so_far, standings, lines, runs) if standing else []
    return HomePage(
        standing=standing,
        rows=rows,
        other_protocols=other_protocols,
        why_not_ranked=why_nothing_is_ranked(candidates, standings) if needs_reasons else (),
        no_standing_title=no_standing_heading(runs),
        change_summary=_change_summary(changes_so_far),
        changes=[change_line(change) for change in model_changes],
        false_alarms=FALSE_ALARMS if model_changes else "",
        runs=lines[:N_LATEST_RUNS],
        runs_to_compare=runs_to_compare,
        words=_home_words(
            standing,
            n_runs=len(runs),
            changes=model_changes,
            n_other_protocols=len(other_protocols),
            n_to_compare=len(runs_to_compare),
        ),
        folder=shelf.settings.folder,
        is_changing=changes_so_far.is_judging or shelf.has_newer(runs),
    )


def _runs_to_compare(standing: StandingView) -> list[str]:
    """The runs of the first two or three models that are known to be not less safe; empty if there is only one."""
    runs = [row.run for row in standing.rows if row.run and row.is_as_safe]
    return runs[:N_COMPARED_RUNS] if len(runs) > 1 else []


def _rows(
    standing: StandingView,
    changes_so_far: "ChangesSoFar",
    standings: Sequence[Standing],
    lines: Sequence[RunLine],
    runs: Sequence[LoadedRun],
) -> list[HomeRow]:
    started = {run.name: run.info.started for run in runs if run.info}
    newest = [line for line in lines if not line.superseded_by]
    is_judging = changes_so_far.is_judging
    return [
        leading_row(standing),
        changed_row(changes_so_far.changes, started, is_judging=is_judging),
        attention_row(newest, standings),
    ]


def _home_words(
    standing: StandingView | None, *, n_runs: int, changes: Sequence[Change], n_other_protocols: int, n_to_compare: int
) -> HomeWords:
    all_runs = words.all_runs(n_runs)
    if standing is None:
        return HomeWords(all_runs)
    drawing = standing.drawings[0] if standing.drawings else None
    n_significant = sum(any(difference.is_significant for difference in change.differences) for change in changes)
    return HomeWords(
        all_runs=all_runs,
        standing_on=words.standing_on(standing.dataset, standing.n_samples, standing.n_harmful, standing.judge),
        compare_first=words.compare_first(n_to_compare),
        changes_line=words.changes_line(n_significant, len(changes)),
        field_note=words.field_note(standing.protocol, has_front=bool(drawing and drawing.front)),
        axis_begins=words.axis_begins(drawing.bottom if drawing else 0),
        other_protocols=words.other_protocols(n_other_protocols),
    )


def _other_protocols(standings: Sequence[Standing], chosen: Standing) -> list[OtherProtocol]:
    other_protocols = []
    for standing in standings:
        if standing is not chosen:
            link = address("/", protocol=standing.key)
            protocol_words = protocol_words_beside(standing.board, chosen.board)
            other_protocols.append(OtherProtocol(link, protocol_words, words.n_models(len(standing.places))))
    return other_protocols


def choose_standing(
    standings: Sequence[Standing], protocol: str | None = None, data: str | None = None
) -> Standing | None:
    """The standing of this protocol, or else of this dataset, or else the first one, which has the most samples."""
    for standing in standings:
        if protocol is not None and standing.key == protocol:
            return standing
    for standing in standings:
        if data is not None and data in (standing.board.dataset, standing.board.data_hash):
            return standing
    return standings[0] if standings else None


def no_standing_heading(runs: Sequence[LoadedRun]) -> str:
    """The heading if no model can be ranked; it must be true of every run."""
    if not runs:
        return "No runs yet"
    finished = _finished(runs)
    if not finished:
        return NO_FINISHED_RUN
    if all(run.counted.judge is None for run in finished):
        return "No judged run yet"
    return "No run can be ranked yet"


def _finished(runs: Sequence[LoadedRun]) -> list[LoadedRun]:
    return [run for run in runs if run.info is not None and run.info.ended is not None]


def _is_none_finished(runs: Sequence[LoadedRun]) -> bool:
    """Whether there are runs and none has finished: this alone explains why no model is ranked."""
    return bool(runs) and not _finished(runs)


def why_nothing_is_ranked(candidates: Rankable, standings: Sequence[Standing]) -> tuple[str, ...]:
    """The reasons why runs and submissions are not ranked."""
    reasons = list(candidates.left_out)
    for standing in standings:
        reasons += standing.board.notes
    return tuple(reasons)


def place_links(shelf: Shelf, place: Place) -> PlaceLinks:
    """The page of a model and what it refused; of a submission the leaderboard, as no answer of it is here."""
    if not place.model:
        return PlaceLinks("/leaderboard", "/leaderboard")
    data = shelf.data_of(place.run)
    return PlaceLinks(model_address(place.model), refused_address(place.run, data.key if data else None))


def standings_of(shelf: Shelf, candidates: Rankable) -> tuple[Standing, ...]:
    """All standings, also standings in which no model can be ranked."""
    name_in_index = "standings of current runs"

    def make() -> tuple[Standing, ...]:
        return all_standings(candidates.entries)

    def make_or_load() -> tuple[Standing, ...]:
        return shelf.index.kept(name_in_index, candidates.made_of, tuple[Standing, ...], make)

    return shelf.compute_once((name_in_index, candidates.made_of), make_or_load, "Comparing models")


@dataclass(frozen=True)
class ChangesSoFar:
    """What changed, as far as it is known yet."""

    changes: tuple[Change, ...]
    is_judging: bool = False
    """Whether runs of an earlier judge are being judged again, so that they can be compared."""


def changes_of(shelf: Shelf, candidates: Rankable, *, waits: bool = False) -> ChangesSoFar:
    """What changed since the last run of each model.

    Runs that were read by different judges are judged again in the background, and the changes known before are
    returned meanwhile. With `waits`, StillReading is raised instead, until everything is known.
    """
    runs = [run.results for run in candidates.runs if run.results is not None]

    def compare_as_judged() -> tuple[tuple[Change, ...], bool]:
        return changes(runs, judges_again=False), needs_judging(runs)

    first_changes, needs_more = shelf.compute_once(("changes", candidates.made_of), compare_as_judged, "Comparing runs")
    if not needs_more:
        return ChangesSoFar(first_changes)
    name_in_index = "changes, with answers judged again"

    def judge_and_compare() -> tuple[Change, ...]:
        return shelf.index.kept(name_in_index, candidates.made_of, tuple[Change, ...], lambda: changes(runs))

    try:
        all_changes = shelf.compute_once(
            (name_in_index, candidates.made_of), judge_and_compare, "Judging earlier runs again"
        )
        return ChangesSoFar(all_changes)
    except StillReading:
        if waits:
            raise
        return ChangesSoFar(first_changes, is_judging=True)


def _change_summary(so_far: ChangesSoFar) -> tuple[str, ...]:
    """Sentences on whether anything got worse."""
    if not so_far.is_judging:
        return tuple(whether_changed(so_far.changes))
    if not so_far.changes:
        return (words.JUDGING_AGAIN,)
    return (words.JUDGING_AGAIN, *whether_changed(so_far.changes))


def change_line(change: Change) -> ChangeLine:
    by_side: dict[Side, Difference] = {difference.side: difference for difference in change.differences}
    return ChangeLine(
        model=change.model,
        run=change.run,
        before=change.before,
        data=change.data,
        settings=[*(setting.words() for setting in change.settings), *read_by_others(change)],
        link=model_address(change.model),
        compare_link=address("/compare", run=[change.before, change.run]),
        harmless=by_side.get(Side.BENIGN),
        harmful=by_side.get(Side.CONTRAST),
        is_significant=any(difference.is_significant for difference in change.differences),
    )


def with_gates(line: RunLine, shelf: Shelf, run: LoadedRun) -> RunLine:
    """The line of the run with its gates, or with the reason why the gates cannot be read."""
    try:
        return replace(line, gates=gates_of(shelf, run))
    except MossbenchError as error:
        return replace(line, gates_fault=on_command_line(error.message))


def gates_of(shelf: Shelf, run: LoadedRun) -> tuple[Gate, ...]:
    """The gates of the suite of the run, or of the file in the folder of runs; empty if the run is not judged."""
    folder = shelf.settings.runs
    if run.info is None or run.info.ended is None or run.counted.judge is None:
        return ()
    suite = run.info.suite
    limits = suite.gates if suite else read_gates(folder / GATES_FILE)
    if not limits:
        return ()
    # Baselines are runs too: a gate is decided again when one changes.
    baselines = tuple(signature_of(folder / limit.baseline) for limit in limits if limit.baseline)

    def make() -> tuple[Gate, ...]:
        return tuple(decide(run.results, limit) for limit in limits) if run.results else ()

    return shelf.compute_once(("gates", run.name, run.signature, limits, baselines), make, "Deciding gates")
