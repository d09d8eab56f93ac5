"""Which rows of a run an analysis reads, and how rows under two arms are paired."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from mossbench.analyses.analysis import Options
from mossbench.datasets import Dataset
from mossbench.datasets.arms import PLAIN, Arm
from mossbench.judges import Judge, load_judge
from mossbench.outcomes import Layer, Verdict, outcome
from mossbench.results.pairs import Pair
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results, in_whole_epochs
from mossbench.samples import Side


def rows_of(results: Results, arm: str = PLAIN.name) -> list[ResultRow]:
    """The rows under an arm. A run with one arm only, whatever its name, has that as its plain one.

    Only in epochs in which all of a side was asked: another analysis may have repeated some of it.
    """
    arm_names = {run_arm.name for run_arm in results.info.arms}
    takes_all = arm == PLAIN.name and len(arm_names) == 1
    return list(in_whole_epochs([row for row in results.rows if takes_all or row.key.arm == arm]))


def plain_arm(dataset: Dataset, options: Options) -> Sequence[Arm]:
    return [PLAIN.model_copy(update={"epochs": options.times})]


def put(arm: Arm, epochs: int, ids: tuple[str, ...] | None = None) -> Arm:
    """The arm for harmless samples alone, so many times; all of them, or those with these ids."""
    return arm.model_copy(update={"side": Side.BENIGN, "epochs": epochs, "ids": ids})


def partners(first: Sequence[ResultRow], second: Sequence[ResultRow]) -> list[Pair]:
    """Rows of the same sample and epoch under two arms."""
    second_by_key = {row.key._replace(arm=""): row for row in second}
    pairs = []
    for row in first:
        partner = second_by_key.get(row.key._replace(arm=""))
        if partner is not None:
            pairs.append((row, partner))
    return pairs


READ_THE_REQUEST = frozenset({"rules", "tandem", "reader"})
"""The offline judges whose verdict depends on the request too."""


def read_alike(results: Results, arms: Collection[str]) -> Results:
    """With the answers under these arms read as answers to the plain request, where the judge is an offline one.

    Such a judge reads the request too, and takes more plain refusals for answers where a description or a goal speaks
    of a harm: the help would look as if it had fixed them. Other judges cannot be asked again here.
    """
    name = (results.judge or "").partition("/")[0]
    if name not in READ_THE_REQUEST:
        return results
    judge = load_judge(name)
    rows = [_read_as_plain(row, judge, results.judge) if row.key.arm in arms else row for row in results.rows]
    return replace(results, rows=tuple(rows))


def _read_as_plain(row: ResultRow, judge: Judge, judge_before: str | None) -> ResultRow:
    """The row, read by that judge; it has read what was an answer to the plain request already."""
    exchange = row.exchange
    if row.outcome.layer is not Layer.JUDGED or exchange is None or not exchange.answer.text:
        return row
    if judge.label == judge_before and exchange.request == row.sample.question:
        return row
    verdict = judge.verdict(exchange.model_copy(update={"request": row.sample.question}))
    if not isinstance(verdict, Verdict):
        raise TypeError(f"{judge.label} is no offline judge")
    return row.counted_as(outcome(exchange.answer, verdict))
