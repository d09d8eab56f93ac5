"""Which rows of a run an analysis reads, and how rows under two arms are paired."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from mossbench.analyses.analysis import Options
from mossbench.datasets import Dataset
from mossbench.datasets.arms import PLAIN, Arm
from mossbench.judges.rules import RulesJudge, read
from mossbench.outcomes import Layer, outcome
from mossbench.results.comparability import Pair
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results, in_whole_epochs
from mossbench.samples import Side


def rows_of(results: Results, arm: str = PLAIN.name) -> list[ResultRow]:
    """The rows under an arm. A run with one arm only, whatever its name, has that as its plain one.

    Only in epochs in which all of a side was asked: another analysis may have repeated some of it.
    """
    only = arm == PLAIN.name and len({one.name for one in results.info.arms}) == 1
    return in_whole_epochs([row for row in results.rows if only or row.key.arm == arm])


def plain_arm(dataset: Dataset, options: Options) -> Sequence[Arm]:
    return [PLAIN.model_copy(update={"epochs": options.times})]


def put(arm: Arm, epochs: int, ids: tuple[str, ...] | None = None) -> Arm:
    """The arm for harmless samples alone, so many times; all of them, or those with these ids."""
    return arm.model_copy(update={"side": Side.BENIGN, "epochs": epochs, "ids": ids})


def partners(first: Sequence[ResultRow], second: Sequence[ResultRow]) -> list[Pair]:
    """Rows of the same sample and epoch under two arms."""
    there = {row.key._replace(arm=""): row for row in second}
    return [(row, there[key]) for row in first if (key := row.key._replace(arm="")) in there]


def read_alike(results: Results, arms: Collection[str]) -> Results:
    """With the answers under these arms read as answers to the plain request, where the judge is `rules`.

    It reads the request too, and takes a quarter of the plain refusals for answers where a description or a goal speaks
    of a harm: the help would look as if it had fixed them. Other judges cannot be asked again here.
    """
    if not (results.judge or "").startswith("rules/"):
        return results
    now = results.judge == f"{RulesJudge.name}/{RulesJudge.version}"
    return replace(results, rows=tuple(_alike(row, now) if row.key.arm in arms else row for row in results.rows))


def _alike(row: ResultRow, now: bool) -> ResultRow:
    """`now`: by the rules that we have, which need not read again what they read as an answer to the plain request."""
    if row.outcome.layer is not Layer.JUDGED or row.exchange is None or not row.exchange.answer.text:
        return row
    if now and row.exchange.request == row.sample.question:
        return row
    return row.counted_as(outcome(row.exchange.answer, read(row.sample.question, row.exchange.answer.text)))
