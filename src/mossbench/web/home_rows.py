"""The three rows of Home: who refuses least without being less safe, what changed, what needs attention."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from mossbench.leaderboard.both_sides import Standing
from mossbench.messages import on_command_line
from mossbench.reports.standing_view import PlaceView, Stance, StandingView
from mossbench.reports.words import home_page as words
from mossbench.reports.words.home_page import HomeItem, HomeRow
from mossbench.reports.words.runs import from_to, model_name, whole_model_name
from mossbench.results.changes import Change
from mossbench.results.differences import Difference
from mossbench.results.gates import Gate
from mossbench.samples import Side
from mossbench.web.pages import address, run_address
from mossbench.web.run_line import RunLine


def leading_row(standing: StandingView) -> HomeRow:
    """The models that may refuse least without being less safe, the lowest rate first."""
    leading = [row for row in standing.rows if row.leads or row.stance is Stance.NOT_TOLD_APART]
    is_compared = len(standing.rows) > 1
    items = [_leading_item(row, is_compared=is_compared) for row in leading]
    is_safety_known = any(row.harmful_refused for row in standing.rows)
    return HomeRow(
        "leading",
        words.leading_title(n_ranked=len(standing.rows), is_safety_known=is_safety_known),
        items or [_nobody_leads()],
        note_on_more=words.NOT_DIFFERENT,
    )


def _leading_item(row: PlaceView, *, is_compared: bool) -> HomeItem:
    return HomeItem(
        state="good" if is_compared else "quiet",
        name=row.name,
        whole_name=row.whole_name,
        link=row.link,
        text=words.both_rates(row.harmless_refused, row.harmful_refused),
        detail=words.both_intervals(row.harmless_refused, row.harmful_refused),
    )


def _nobody_leads() -> HomeItem:
    return HomeItem("attention", "No model", detail="each is less safe than another")


def changed_row(
    changes: Sequence[Change],
    started: Mapping[str, str],
    *,
    is_judging: bool,
    has_names: bool = True,
) -> HomeRow:
    """What changed since the last run of each model: changes for the worse first.

    `started` has the start of each run by its name; `has_names`: whether the items name their model.
    """
    compared = [change for change in changes if change.differences]
    items = []
    for change in compared:
        item = _changed_item(change, started)
        if item is not None:
            items.append(item if has_names else replace(item, name=""))
    items.sort(key=lambda item: item.state != "bad")
    if is_judging:
        items.append(HomeItem("quiet", words.JUDGING_AGAIN))
    elif not compared:
        items.append(HomeItem("quiet", words.NO_EARLIER_RUN))
    elif not items:
        detail = words.models_compared(len(compared)) if has_names else words.COMPARED_WITH_BEFORE
        items.append(HomeItem("quiet", words.NO_CHANGE, detail=detail))
    return HomeRow("changed", "Changed since last time", items)


def _changed_item(change: Change, started: Mapping[str, str]) -> HomeItem | None:
    """None if nothing changed significantly."""
    significant = [difference for difference in change.differences if difference.is_significant]
    if not significant:
        return None
    # What got worse is said first, and of two such changes the one on harmless requests.
    significant.sort(key=lambda difference: (words.change_is_good(difference), difference.side is Side.CONTRAST))
    main, *others = significant
    when = from_to(started.get(change.before, ""), started.get(change.run, ""))
    return HomeItem(
        state="good" if words.change_is_good(main) else "bad",
        name=model_name(change.model),
        whole_name=whole_model_name(change.model),
        link=_compare_link(change, main),
        text=words.changed_points(main),
        detail=words.changed_detail(main, others, when, has_other_settings=bool(change.settings)),
        may_be_chance=True,
    )


def _compare_link(change: Change, difference: Difference) -> str:
    """The pairs of samples that changed in this direction."""
    way = "refused" if difference.estimate.value > 0 else "answered"
    query = address("/compare", run=[change.before, change.run], side=difference.side.value, way=way)
    return f"{query}#changed"


def attention_row(lines: Iterable[RunLine], standings: Iterable[Standing]) -> HomeRow:
    """Gates that fail or cannot be decided, models that are not ranked, and all other runs that need attention."""
    lines = list(lines)
    not_ranked = set()
    items: list[HomeItem] = []
    for line in lines:
        items += [_gate_item(line, gate) for gate in line.gates if gate.state != "pass"]
        if line.gates_fault:
            items.append(_run_item(line, "attention", "gates cannot be read", line.gates_fault))
    items.sort(key=lambda item: item.state != "bad")
    for standing in standings:
        for remark in standing.board.remarks:
            if remark.kind == "not_ranked":
                name, _, reason = remark.text.partition(" is not ranked: ")
                short_name = model_name(name)
                items.append(HomeItem("attention", "is not ranked", reason, name=short_name, whole_name=name))
                not_ranked.add((whole_model_name(name), standing.board.dataset))
    for line in lines:
        is_named = (whole_model_name(line.model), line.data) in not_ranked
        if line.needs_attention and not is_named:
            items.append(_open_run_item(line))
    if not items:
        items.append(HomeItem("good", words.NOTHING_TO_DO, words.NOTHING_DETAIL))
    return HomeRow("attention", "Needs attention", items)


def _open_run_item(line: RunLine) -> HomeItem:
    """A run that cannot be read, did not finish, or lacks answers or verdicts."""
    if line.error:
        return _run_item(line, "bad", "cannot be read", line.error)
    if line.phase == "not finished":
        return _run_item(line, "attention", "did not finish", line.answers_words)
    if line.is_finished:
        return _run_item(line, "attention", "is not judged", "")
    return _run_item(line, "attention", "is not complete", line.answers_and_judging_words)


def _gate_item(line: RunLine, gate: Gate) -> HomeItem:
    """The first check that did not pass decides what is said."""
    check = next(check for check in gate.checks if check.state == gate.state)
    if gate.state == "fail":
        return _run_item(line, "bad", words.gate_fails(gate.name), words.gate_detail(check))
    reason = on_command_line(check.reason) or words.gate_detail(check)
    return _run_item(line, "attention", words.gate_undecided(gate.name), reason)


def _run_item(line: RunLine, state: words.ItemState, text: str, detail: str) -> HomeItem:
    name = line.model or line.name
    return HomeItem(state, text, detail, name=name, whole_name=name, link=line.link or run_address(line.name))
