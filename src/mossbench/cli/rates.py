"""Rates of runs as commands print them, with what somebody should know who reads them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mossbench.cli.printing import note, show, show_json
from mossbench.messages import on_command_line

if TYPE_CHECKING:
    from mossbench.reports.record import Report
    from mossbench.results.table import Results


def show_results(runs: list[Results], rule: str, *, by: str = "stimulus", as_json: bool = False) -> None:
    """Rates of runs with what they were made of; notices, licence and paths go to stderr."""
    from mossbench.reports import tables

    show_notices(runs)
    if as_json:
        show_json([results.to_dict(rule=rule, by=by) for results in runs])
        return
    by_judge: dict[str | None, list[Results]] = {}
    for results in runs:
        by_judge.setdefault(results.judge, []).append(results)
    for judge, runs_of_judge in by_judge.items():  # rates by different judges never share a table
        if len(by_judge) > 1:
            show(f"Judge {judge}" if judge else "Not judged")
        show(tables.rates_table(runs_of_judge, rule=rule, by=by))
    for results in runs:
        _show_what_rates_are_of(results, rule)
    if by == "answer_language":
        for text in dict.fromkeys(line for results in runs for line in tables.language_lines(results)):
            show(text)
    for text in tables.correction_lines(runs, rule):
        show(text)
    for text in dict.fromkeys(tables.provenance(results, rule) for results in runs):
        show(f"{text}\n95 % intervals in brackets, over scenes where samples share one")


def _show_what_rates_are_of(results: Results, rule: str) -> None:
    """What became of the rows of one run: layers, what was planted, cost, who answered and who judged."""
    from mossbench.judges.languages.reading import READ
    from mossbench.reports import tables

    show(tables.layers_line(results))
    for text in tables.planted_lines(results, rule):
        show(f"  {text}")
    spent = tables.spent_line(results)
    if spent:
        show(spent)
    for text in tables.answerer_lines(results, rule):
        if text:
            show(text)
    n_via = results.n_by_judge_part()
    n_decided = sum(n_via.values())
    for judge, n in n_via.items():
        decided_by = f"the patterns of {judge}" if judge in READ else judge
        show(f"  {decided_by} decided {n} of {n_decided} ({n / n_decided:.1%})")


def show_cautions(reports: Iterable[Report]) -> None:
    """What weakens each headline, as its page says it."""
    from mossbench.look.page import visible

    for report in reports:
        show(visible(report.headline))
        for number, caution in enumerate(report.cautions, 1):
            show(visible(f"  {number} {caution.claim} {caution.text}"))


def note_arms(runs: Iterable[Results]) -> None:
    """Which arm a command counts, where the folder has others, on stderr."""
    for results in runs:
        text = results.uncounted_arms_message()
        if text:
            note(f"note: {on_command_line(text)}")


def show_notices(runs: list[Results]) -> None:
    """What somebody should know who reads the rates, on stderr."""
    note_arms(runs)
    notices: set[str] = set()
    for results in runs:
        notices.update(_notices(results))
    for text in sorted(notices):
        note(text)


def _notices(results: Results) -> Iterable[str]:
    from mossbench.outcomes import MAX_FAILED, Layer
    from mossbench.protocols import not_taken
    from mossbench.results.row_languages import count_in_another_language
    from mossbench.results.unread import unread_message

    layers = results.layers()
    n_failed = layers[Layer.FAILED]
    n_asked = len(results) - layers[Layer.NOT_ASKED]
    unfinished = results.unfinished()
    if unfinished:
        yield f"warning: not finished: {on_command_line(unfinished)}"
    if n_failed > MAX_FAILED * n_asked:
        consequence = "rates are of the other rows" if n_failed < n_asked else "there is no rate"
        yield f"warning: {n_failed} of {n_asked} rows failed, more than {MAX_FAILED:.0%}: {consequence}"
    settings_not_taken = not_taken(results.info.sent)
    if settings_not_taken:
        settings = ", ".join(settings_not_taken)
        yield f"note: {results.model}: not sent, because the provider does not accept it: {settings}"
    n_other, n_told = count_in_another_language(results.rows)
    if n_other:
        yield f"note: {n_other} of {n_told} answers are in another language than the request"
    unread = unread_message(results, results.rows)
    if unread:
        yield f"note: {on_command_line(unread)}"
    for notice in results.info.notices:
        yield f"note: {notice}"
    if results.drift:
        yield f"warning: {results.drift}"
    if results.info.dataset.warning:
        yield results.info.dataset.warning
    if results.info.dataset.licence:
        yield f"data licence: {results.info.dataset.licence}"
