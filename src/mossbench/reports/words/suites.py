"""A suite in words: what CI shows for each gate and run, what was planted and found, and notices on the data."""

from dataclasses import dataclass, replace

from mossbench.messages import on_command_line
from mossbench.outcomes import Rule
from mossbench.reports.tables import layers_words, planted_lines
from mossbench.reports.words.gates import gate_line
from mossbench.reports.words.nightly import comparison_text
from mossbench.results.gate_checks import State
from mossbench.results.gates import Gate
from mossbench.results.missing import missing_of
from mossbench.results.table import Results
from mossbench.runs.suites import CellRun, SuiteRun


@dataclass(frozen=True)
class Case:
    """One thing that CI shows as passed or not: a gate on a run, or a run that has none."""

    where: str
    name: str
    state: State
    text: str
    seconds: float = 0.0
    """That the cell took; only on the first case of a cell, so that they add up."""
    missing: str = ""
    """Why rows of the run have no answer or no verdict; empty where all have."""

    @property
    def full_text(self) -> str:
        """The text, and why rows are missing."""
        return "; ".join(part for part in (self.text, self.missing) if part)

    @property
    def text_to_act_on(self) -> str:
        """The text; where it did not pass, also why rows are missing."""
        return self.text if self.state == "pass" else self.full_text


def suite_cases(suite_run: SuiteRun) -> list[Case]:
    cases = []
    comparison = suite_run.comparison
    compared = {cell.names.label: cell for cell in comparison.cells} if comparison else {}
    for cell_run in suite_run.cells:
        label = cell_run.cell.names.label
        missing = missing_words(cell_run.results[0]) if cell_run.results else ""
        of_cell = [Case(label, gate.name, gate.state, gate_line(gate, label)) for gate in cell_run.gates]
        if not cell_run.gates:
            of_cell.append(_case_without_gate(cell_run, suite_run.suite.max_failed))
        if comparison is not None:
            cell = compared[label]
            of_cell.append(Case(label, "change", cell.gate_state, comparison_text(cell, comparison)))
        of_cell = [replace(case, missing=missing) for case in of_cell]
        cases += [replace(of_cell[0], seconds=cell_run.seconds), *of_cell[1:]]
    return cases


def missing_words(results: Results) -> str:
    """How many rows of a run have no answer or no verdict, and why most of them; empty where all have."""
    missing = missing_of(results.rows, Rule.SYSTEM)
    if not missing.n:
        return ""
    counts = [
        f"{missing.n_failed} failed" if missing.n_failed else "",
        f"{missing.n_unjudged} have no verdict" if missing.n_unjudged else "",
        f"{missing.n_not_asked} were not asked" if missing.n_not_asked else "",
    ]
    reason = f"; most often: {missing.reason}" if missing.reason else ""
    return f"{missing.n} of {len(results)} rows are missing: {', '.join(filter(None, counts))}{reason}"


def _case_without_gate(cell_run: CellRun, max_failed: float) -> Case:
    label = cell_run.cell.names.label
    problem = on_command_line(cell_run.trouble(max_failed))
    if problem:
        return Case(label, "run", "undecided", f"{label}: {problem}")
    return Case(label, "run", "pass", f"{label}: {layers_words(cell_run.results[0])}")


def suite_planted(suite_run: SuiteRun) -> list[str]:
    """What was planted and found in each cell that is a rehearsal, with each judge."""
    lines = []
    for cell_run in suite_run.cells:
        for results in cell_run.results:
            name = f"{cell_run.cell.names.label}, {results.judge}"
            lines += [f"{name}: {words}" for words in planted_lines(results, suite_run.suite.rule)]
    return lines


def suite_notices(suite_run: SuiteRun) -> list[str]:
    """The notices of all runs of a suite, each once for a dataset, and which cells were judged again."""
    has_several_datasets = len({cell_run.cell.names.data for cell_run in suite_run.cells}) > 1
    lines = []
    for cell_run in suite_run.cells:
        if cell_run.judged_before and cell_run.results:
            lines.append(_judged_again_words(cell_run))
        for results in cell_run.results:
            name = f"{cell_run.cell.names.data}: " if has_several_datasets else ""
            lines += [f"{name}{text}" for text in results.info.notices]
    return list(dict.fromkeys(lines))


def _judged_again_words(cell_run: CellRun) -> str:
    judges = ", ".join(cell_run.judged_before)
    return (
        f"{cell_run.cell.names.label}: the recorded answers were judged again by {cell_run.results[0].judge} "
        f"(before: {judges}) and not requested again"
    )


def gate_cases(decision: Gate, results: Results) -> list[Case]:
    """The decision on a run as one case."""
    missing = missing_words(results)
    return [Case(decision.run, decision.name or "gate", decision.state, gate_line(decision), missing=missing)]
