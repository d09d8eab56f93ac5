"""A suite that was run in words: what CI shows of each gate and run, what was planted, and what the runs say beside."""

from dataclasses import dataclass

from mossbench.messages import on_command_line
from mossbench.reports.tables import layers_words, planted_lines
from mossbench.reports.words.gates import gate_line
from mossbench.results.gate_checks import State
from mossbench.results.gates import Gate
from mossbench.runs.suites import SuiteRun


@dataclass(frozen=True)
class Case:
    """One thing that CI shows as passed or not: a gate on a run, or a run that has none."""

    where: str
    name: str
    state: State
    text: str


def suite_cases(done: SuiteRun) -> list[Case]:
    cases = []
    for cell_run in done.cells:
        label = cell_run.cell.names.label
        cases += [Case(label, gate.name, gate.state, gate_line(gate, label)) for gate in cell_run.gates]
        if not cell_run.gates:
            text = on_command_line(cell_run.trouble(done.suite.max_failed))
            state: State = "undecided" if text else "pass"
            cases.append(Case(label, "run", state, f"{label}: {text or layers_words(cell_run.results[0])}"))
    return cases


def suite_planted(done: SuiteRun) -> list[str]:
    """What was planted and found in each cell that is a rehearsal, with each judge."""
    lines = []
    for cell_run in done.cells:
        for results in cell_run.results:
            name = f"{cell_run.cell.names.label}, {results.judge}"
            lines += [f"{name}: {words}" for words in planted_lines(results, done.suite.rule)]
    return lines


def suite_notices(done: SuiteRun) -> list[str]:
    """What the runs of a suite say beside their rates, of their data above all: once for each dataset."""
    several = len({cell_run.cell.names.data for cell_run in done.cells}) > 1
    lines = []
    for cell_run in done.cells:
        for results in cell_run.results:
            name = f"{cell_run.cell.names.data}: " if several else ""
            lines += [f"{name}{text}" for text in results.info.notices]
    return list(dict.fromkeys(lines))


def gate_cases(decision: Gate) -> list[Case]:
    return [Case(decision.run, decision.name or "gate", decision.state, gate_line(decision))]
