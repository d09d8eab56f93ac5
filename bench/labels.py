"""What labels of `mossbench label` are worth: simulated judges that miss refusals and people who err.

    python bench/labels.py [--runs 200] [--workers 2] [--each]
    python bench/labels.py --judged judged.jsonl       answers with labels, as `mossbench judge apply` writes them

Each simulated run has answers whose truth is known, a judge that misses some refusals and raises false alarms, and
somebody who labels what the plan shows, by the program's own code, until 60 labels are given or until the interval
reaches 5 points to either side. Beside it, as many labels of a simple random choice with Wilson's interval, drawn in as
for a finite number of answers, taken as right. The table has, for each kind of judge and of labeller, how often the
interval holds the true share of refusals in the answers of the run, over all true rates and numbers of answers; the
least of these shares in a cell; its width; and its width over that of the random labels. `--each` prints every cell.

A judge "that knows" has a chance of its own of misreading each answer (Beta, 0.8 answers' worth, with the mean that it
is named by) and says about how sure it is; one "that does not" errs everywhere alike and says anything. With `--judged`
the answers, verdicts and confidences are those of the file, 300 drawn at random for each run.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mossbench.outcomes import Key, Layer, Outcome, Rule
from mossbench.results.label_plans import ordered_strata, with_next_block
from mossbench.results.labelled_rates import LabelledRate, slips_of, strata_of, to_show_again
from mossbench.samples import Side
from mossbench.statistics import Estimate, wilson
from mossbench.statistics.stratified import over_requests, stratified_share
from mossbench.store.label_plan import LabelPlan, Showing

MISSES = (0.05, 0.2, 0.5)
FALSE_ALARMS = (0.0, 0.1)
LABEL_ERRORS = (0.0, 0.01, 0.03)
RATES = (0.02, 0.1, 0.2, 0.4)
N_ANSWERS = (300, 1000)
BUDGET = 60
WITHIN = 0.05
ANY_WIDTH = 1.0
NO_WIDTH = 1e-9
SPREAD = 0.8
"""Answers that a judge's chances of misreading are worth: small, so that most are near 0 and some near 1."""


class Judge(NamedTuple):
    misses: float
    false_alarms: float
    knows: bool
    """Whether its confidence says where it errs."""


class Reading(NamedTuple):
    """What the plan reads of a verdict."""

    confidence: float
    is_none: bool = False


@dataclass(frozen=True)
class Answer:
    """What the plan reads of an answer of a run."""

    key: Key
    outcome: Outcome
    verdict: Reading
    is_refusal: bool

    @property
    def exchange(self) -> Answer:
        return self

    def digest(self) -> str:
        return self.key.sample


@dataclass(frozen=True)
class Answers:
    rows: Sequence[Answer]


@dataclass(frozen=True)
class Trial:
    """One run that was labelled, and as many labels of a simple random choice."""

    holds: bool
    holds_for_requests: bool
    width: float
    error: float
    n_labels: int
    random_holds: bool
    random_width: float


def simulated_answers(rng: np.random.Generator, n: int, rate: float, judge: Judge) -> Answers:
    is_refusal = rng.random(n) < rate
    mean = np.where(is_refusal, judge.misses, judge.false_alarms)
    if judge.knows:
        chance = np.where(mean > 0, rng.beta(np.maximum(mean * SPREAD, 1e-9), (1 - mean) * SPREAD), 0.0)
        within = np.clip(chance, 0.005, 0.95)
        said = 0.6 * np.log(within / (1 - within)) + rng.normal(-1.0, 0.8, n)
        doubt = np.minimum(1 / (1 + np.exp(-said)), 0.5)
    else:
        chance = mean
        doubt = np.minimum(rng.beta(1, 9, n), 0.5)
    reads_refused = is_refusal ^ (rng.random(n) < chance)
    return Answers(
        [
            _answer(str(i), bool(refusal), bool(reading), float(1 - answer_doubt))
            for i, (refusal, reading, answer_doubt) in enumerate(zip(is_refusal, reads_refused, doubt, strict=True))
        ]
    )


def _answer(sample: str, is_refusal: bool, reads_refused: bool, confidence: float) -> Answer:
    outcome = Outcome(Layer.JUDGED, refused=reads_refused)
    return Answer(Key(Side.BENIGN, sample, "plain", 1), outcome, Reading(confidence), is_refusal)


def judged_answers(rng: np.random.Generator, n: int, lines: Sequence[dict[str, Any]]) -> Answers:
    """A random choice of labelled answers, with the verdicts of the judge that read them."""
    chosen = rng.choice(len(lines), n, replace=False)
    answers = []
    for i in chosen:
        line = lines[i]
        answers.append(_answer(str(i), bool(line["label_refused"]), bool(line["refused"]), line["confidence"]))
    return Answers(answers)


def trial(
    seed: int, make: Callable[[np.random.Generator], Answers], rate: float | None, label_error: float, *, stops: bool
) -> Trial:
    rng = np.random.default_rng(seed)
    answers = make(rng)
    truth = float(np.mean([row.is_refusal for row in answers.rows]))
    told = label(answers, rng, label_error, stops=stops)
    n = min(told.n_labels, len(answers.rows))
    estimate = told.of_answers
    of_random = random_labels(answers, rng, label_error, n)
    true_rate = truth if rate is None else rate
    return Trial(
        holds=_holds(estimate, truth),
        holds_for_requests=_holds(told.rate, true_rate),
        width=estimate.high - estimate.low,
        error=estimate.value - truth,
        n_labels=told.n_labels,
        random_holds=_holds(of_random, truth),
        random_width=of_random.high - of_random.low,
    )


def _holds(estimate: Estimate, truth: float) -> bool:
    return estimate.low - 1e-9 <= truth <= estimate.high + 1e-9


def label(answers: Answers, rng: np.random.Generator, label_error: float, *, stops: bool) -> LabelledRate:
    """What labels tell, until the interval is narrow enough (`stops`) or the budget is spent."""
    results: Any = answers
    strata = ordered_strata(results, Side.BENIGN, int(rng.integers(2**32)))
    refusals = {row.key.sample: row.is_refusal for row in answers.rows}
    plan = LabelPlan(
        mossbench="",
        side=Side.BENIGN,
        judge="",
        seed=int(rng.integers(2**32)),
        population="",
        strata=tuple(stratum.planned for stratum in strata),
    )
    rate: LabelledRate | None = None
    while True:
        next_plan = with_next_block(plan, strata, rate, _within(rate, stops=stops))
        if next_plan is plan:
            assert rate is not None
            return rate
        plan = _labelled(next_plan, refusals, rng, label_error)
        rate = rate_told(plan)


def _within(rate: LabelledRate | None, *, stops: bool) -> float:
    if stops:
        return WITHIN
    is_spent = rate is not None and rate.n_labels >= BUDGET
    return ANY_WIDTH if is_spent else NO_WIDTH


def _labelled(plan: LabelPlan, refusals: dict[str, bool], rng: np.random.Generator, label_error: float) -> LabelPlan:
    """The plan with labels in its last block."""
    block = []
    for showing in plan.blocks[-1]:
        is_refusal = refusals[plan.drawn[showing.answer].sample]
        said = is_refusal ^ bool(rng.random() < label_error)
        block.append(Showing(answer=showing.answer, number=showing.number, refused=said))
    blocks = (*plan.blocks[:-1], tuple(block))
    return plan.model_copy(update={"blocks": blocks, "n_complete": len(blocks)})


def rate_told(plan: LabelPlan) -> LabelledRate:
    strata = strata_of(plan, Rule.SYSTEM)
    slips = slips_of(plan, Rule.SYSTEM)
    share = stratified_share(strata, slips)
    return LabelledRate(
        side=plan.side,
        rule=Rule.SYSTEM,
        of_answers=share,
        rate=over_requests(share, plan.n_rows),
        n_answers=plan.n_rows,
        n_labels=len(plan.complete_showings),
        n_labelled=share.n,
        n_checked=0,
        n_overturned=slips.n_wrong,
        n_open=0,
        n_to_check=len(to_show_again(plan)),
    )


def random_labels(answers: Answers, rng: np.random.Generator, label_error: float, n: int) -> Estimate:
    """The share by `n` labels of a simple random choice."""
    chosen = rng.choice(len(answers.rows), n, replace=False)
    wrong = rng.random(n) < label_error
    n_yes = int(sum(answers.rows[i].is_refusal ^ bool(is_wrong) for i, is_wrong in zip(chosen, wrong, strict=True)))
    estimate = wilson(n_yes, n)
    drawn_in = math.sqrt(1 - n / len(answers.rows))
    return replace(
        estimate,
        low=estimate.value - drawn_in * (estimate.value - estimate.low),
        high=estimate.value + drawn_in * (estimate.high - estimate.value),
    )


@dataclass(frozen=True)
class Cell:
    judge: Judge
    label_error: float
    stops: bool
    rate: float
    n_answers: int


def trials_of(n_runs: int, cell: Cell) -> list[Trial]:
    make = partial(simulated_answers, n=cell.n_answers, rate=cell.rate, judge=cell.judge)
    return [trial(seed, make, cell.rate, cell.label_error, stops=cell.stops) for seed in range(n_runs)]


def all_cells() -> Iterator[Cell]:
    judges = [Judge(*parts) for parts in product(MISSES, FALSE_ALARMS, (True, False))]
    for stops, label_error, judge in product((False, True), LABEL_ERRORS, judges):
        for rate, n_answers in product(RATES, N_ANSWERS):
            yield Cell(judge, label_error, stops, rate, n_answers)


HEAD = (
    "| judge misses | false alarms | knows where it errs | labels wrong | labels | holds | least | for requests | "
    "width, points | random holds | random width | ratio | bias |"
)


def line(name: str, cells: Sequence[Sequence[Trial]]) -> str:
    trials = [one for cell in cells for one in cell]
    least = min(np.mean([one.holds for one in cell]) for cell in cells)
    ratio = np.mean([np.mean([t.width for t in cell]) / np.mean([t.random_width for t in cell]) for cell in cells])
    figures = (
        f"{np.mean([t.n_labels for t in trials]):.0f}",
        f"{100 * np.mean([t.holds for t in trials]):.1f} %",
        f"{100 * least:.1f} %",
        f"{100 * np.mean([t.holds_for_requests for t in trials]):.1f} %",
        f"{100 * np.mean([t.width for t in trials]):.1f}",
        f"{100 * np.mean([t.random_holds for t in trials]):.1f} %",
        f"{100 * np.mean([t.random_width for t in trials]):.1f}",
        f"{ratio:.2f}",
        f"{100 * np.mean([t.error for t in trials]):+.2f}",
    )
    return f"| {name} | {' | '.join(figures)} |"


def simulate(n_runs: int, workers: int | None, *, each: bool) -> None:
    cells = list(all_cells())
    with ProcessPoolExecutor(workers) as pool:
        trials = dict(zip(cells, pool.map(partial(trials_of, n_runs), cells, chunksize=4), strict=True))
    for stops in (False, True):
        until = f"until ±{100 * WITHIN:g} points" if stops else f"until {BUDGET} labels"
        print(f"\n{until}, {n_runs} runs a cell, {len(RATES) * len(N_ANSWERS)} cells a line\n\n{HEAD}")
        print("|" + "---|" * (HEAD.count("|") - 1))
        groups: dict[tuple[Judge, float], list[list[Trial]]] = defaultdict(list)
        for cell, trials_of_cell in trials.items():
            if cell.stops is stops:
                groups[cell.judge, cell.label_error].append(trials_of_cell)
        for (judge, label_error), cells_of_line in groups.items():
            print(line(_name(judge, label_error), cells_of_line))
        for label_error in LABEL_ERRORS:
            of_error = [cell for (_, error), group in groups.items() if error == label_error for cell in group]
            print(line(f"all | | | {100 * label_error:g} %", of_error))
        if each:
            for cell, trials_of_cell in trials.items():
                if cell.stops is stops:
                    name = _name(cell.judge, cell.label_error)
                    print(line(f"{cell.rate:g} of {cell.n_answers}: {name}", [trials_of_cell]))


def _name(judge: Judge, label_error: float) -> str:
    knows = "yes" if judge.knows else "no"
    return f"{100 * judge.misses:g} % | {100 * judge.false_alarms:g} % | {knows} | {100 * label_error:g} %"


def replay(file: Path, n_runs: int) -> None:
    """The same with answers, labels, verdicts and confidences of a file."""
    lines = [json.loads(text) for text in file.read_text("utf-8").splitlines()]
    usable = [row for row in lines if row.get("label_refused") in (0, 1) and row.get("refused") in (0, 1)]
    share = np.mean([row["label_refused"] for row in usable])
    print(f"{len(usable)} answers, {100 * share:.1f} % refused; runs of 300\n\n{HEAD}")
    for stops, label_error in product((False, True), LABEL_ERRORS):
        make = partial(judged_answers, n=300, lines=usable)
        trials = [trial(seed, make, float(share), label_error, stops=stops) for seed in range(n_runs)]
        name = f"until ±{100 * WITHIN:g} points" if stops else f"until {BUDGET} labels"
        print(line(f"{name} | | | {100 * label_error:g} %", [trials]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200, help="Simulated runs of each cell.")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--each", action="store_true", help="Print every cell too.")
    parser.add_argument("--judged", type=Path, help="Use these labelled answers and verdicts.")
    options = parser.parse_args()
    if options.judged:
        replay(options.judged, options.runs)
    else:
        simulate(options.runs, options.workers, each=options.each)


if __name__ == "__main__":
    main()
