"""Tonight's suite beside its baseline, in words: each cell, each side, and what to know of the nights."""

from collections.abc import Sequence

from mossbench.look.numbers import difference as points_between
from mossbench.look.numbers import p_said
from mossbench.messages import on_command_line, text_on_command_line
from mossbench.reports.words.grammar import in_digits
from mossbench.results.comparison_words import read_by_another_message
from mossbench.results.nightly import NightComparison, SideChange
from mossbench.results.suite_comparisons import CellComparison, SuiteComparison
from mossbench.samples import Side

SIDE_WORDS = {Side.BENIGN: "harmless refused", Side.CONTRAST: "harmful refused"}
CELL_WORDS = {"pass": "PASS", "fail": "FAIL", "undecided": "UNDECIDED"}


def comparison_text(cell: CellComparison, comparison: SuiteComparison) -> str:
    """One line on a cell: its state, what is known of each side, and what was compared."""
    if cell.state == "new":
        return f"NEW {cell.names.label}: not compared: {on_command_line(cell.reason)}"
    state = CELL_WORDS[cell.gate_state]
    if cell.night is None:
        return f"{state} change, {cell.names.label}: {on_command_line(cell.reason)}"
    night = cell.night
    sides = "; ".join(side_text(side, night, comparison) for side in night.sides)
    settings = [f"baseline {night.baseline}", f"judge {night.judge}", f"rule {night.rule}"]
    settings += [setting.words() for setting in night.settings]
    settings += [f"model's {change.words()}" for change in night.model_changes]
    notes = [text_on_command_line(read_by_another_message(note)) for note in night.reread]
    return "; ".join([f"{state} change, {cell.names.label}: {sides} ({', '.join(settings)})", *notes])


def side_text(side: SideChange, night: NightComparison, comparison: SuiteComparison) -> str:
    """The rates, their difference with its interval, and whether a change is shown."""
    if not side.n_samples:
        return f"{SIDE_WORDS[side.side]}: no sample counts on both nights"
    before, after = side.rates
    confidence = f"{100 * side.confidence:.4g} %"
    measured = (
        f"{SIDE_WORDS[side.side]} {100 * after:.1f} %, baseline {100 * before:.1f} %: "
        f"{points_between(side.estimate)} points, n = {side.n_samples} (interval of {confidence})"
    )
    return f"{measured}, {change_words(side, night, comparison)}"


def change_words(side: SideChange, night: NightComparison, comparison: SuiteComparison) -> str:
    if side.unfamiliar:
        return f"inconclusive: {side.unfamiliar[0].message().text}"
    too_many = [missing for missing in side.missing if missing.is_too_many]
    if too_many:
        reason = f", most often: {too_many[0].reason}" if too_many[0].reason else ""
        return f"inconclusive: {too_many[0].n} of {too_many[0].n_rows} rows failed or have no verdict{reason}"
    p = f"{p_said(side.p_adjusted)}, {_adjusted_for(comparison)}"
    if not side.is_change:
        return f"no change shown ({p})"
    points = f"{100 * side.window_difference:+z.1f}"
    which = "tonight" if side.window == 1 else f"the last {side.window} nights together"
    direction = "a change for the worse" if side.is_worse else "a change"
    return f"{direction} is shown: {which} {points} points from the baseline ({p})"


def _adjusted_for(comparison: SuiteComparison) -> str:
    nights = f"{in_digits(comparison.looks, 'night')} and " if comparison.looks > 1 else ""
    return f"adjusted for {nights}{in_digits(comparison.n_tests, 'comparison')}"


def comparison_notes(comparison: SuiteComparison | None) -> list[str]:
    """What to know of the whole comparison: the budget of nights, cells that are gone, nights that do not count."""
    if comparison is None:
        return []
    nights = [cell.night for cell in comparison.cells if cell.night is not None]
    notes = [*_budget_notes(comparison, nights)]
    if not nights:
        notes.append(f"No cell of tonight could be compared with {comparison.folder}.")
    if comparison.gone:
        notes.append(f"In {comparison.folder} and not in tonight's suite: {'; '.join(comparison.gone)}.")
    for night in nights:
        notes += [f"{earlier.run} is not taken together with tonight: {earlier.reason}." for earlier in night.left_out]
    return notes


def _budget_notes(comparison: SuiteComparison, nights: Sequence[NightComparison]) -> list[str]:
    if comparison.looks == 1:
        return [
            f"These comparisons are adjusted for one night. If you compare with {comparison.folder} every night, false "
            "alarms add up: write looks = 30 at the top of the suite, for as many nights as you will use this baseline."
        ]
    last_look = max((night.look for night in nights), default=0)
    if last_look > comparison.looks:
        return [
            f"This is night {last_look} with this baseline, and looks = {comparison.looks} were planned: the budget of "
            "false alarms is spent. Choose a newer baseline, or raise looks before you see more nights."
        ]
    if not last_look:
        return []
    return [f"Night {last_look} of {comparison.looks} with this baseline, as far as earlier nights are on disk."]
