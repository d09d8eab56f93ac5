"""One judge for runs that are compared: a difference of rates must not be one of judges, or of their versions.

Runs that different judges or versions have read are read by one of them. An offline judge costs nothing: its verdicts
are taken from the run's folder, and answers without one are judged in memory. No file is changed; `mossbench judge
apply` adds the verdicts to a run for good. A judge that asks a model, and people, are never asked here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock

from mossbench.errors import UsageError
from mossbench.judges import SUCCESSION, Judge, load_judge, newest_offline_judge, offline_judge
from mossbench.judges.judge import judge_exchange
from mossbench.outcomes import Exchange, Judgement, Key, Verdict
from mossbench.plumbing.coroutines import closing, finish
from mossbench.results.row_reading import drift_of
from mossbench.results.rows import ResultRow
from mossbench.results.table import Reread, Results, load_results
from mossbench.store.damage import check_verdicts
from mossbench.store.run_folder import RunFolder

MAX_KEPT = 20_000
"""Maximum number of verdicts kept in memory, so that a run which is compared again is not judged again."""


def load_read_by(folder: str | Path, judge: str | None) -> Results:
    """The results of a run as `judge` has read them; an offline judge that has not reads them now.

    Raises:
        UsageError: The run has no verdicts of the judge, which is not an offline one.
    """
    if judge is None:
        return load_results(folder)
    try:
        return load_results(folder, judge=judge)
    except UsageError:
        if judge.partition("/")[0] not in SUCCESSION:
            raise
    return read_by(load_results(folder), load_judge(judge).label)


def with_one_judge(runs: Sequence[Results]) -> list[Results]:
    """The runs as one judge has read them; unchanged where no judge can read them all without being paid.

    A run that nobody has judged stays as it is.
    """
    label = _common_judge(runs)
    if label is None:
        return list(runs)
    return [run if run.judge in (label, None) else read_by(run, label) for run in runs]


def with_one_judge_each(runs: Sequence[Results]) -> list[Results]:
    """The runs as one judge has read them; where none can read all, those of offline judges as one of these has."""
    read_by_one = with_one_judge(runs)
    judges = {run.judge for run in read_by_one if run.judge}
    if len(judges) == 1:
        return read_by_one
    offline_places = [i for i, run in enumerate(runs) if run.judge and newest_offline_judge([run.judge])]
    offline_runs = with_one_judge([runs[i] for i in offline_places])
    all_runs = list(runs)
    for i, run in zip(offline_places, offline_runs, strict=True):
        all_runs[i] = run
    return all_runs


def _common_judge(runs: Sequence[Results]) -> str | None:
    """The judge by which the runs are compared; None where they have one already, or where there is none."""
    own_judges = list(dict.fromkeys(run.judge for run in runs if run.judge is not None))
    if len(own_judges) < 2:
        return None
    newest = newest_offline_judge(own_judges)
    if newest is not None:
        return newest.label
    # One of them asks a model, or is people: the runs need verdicts of the same judge on record.
    judges_of_runs = [RunFolder(run.folder).judges() for run in runs if run.judge is not None]
    shared_judges = [label for label in own_judges if all(label in judges for judges in judges_of_runs)]
    paid_or_human = [label for label in shared_judges if offline_judge(label) is None]
    preferred = paid_or_human or shared_judges
    return preferred[0] if preferred else None


def read_by(run: Results, label: str) -> Results:
    """The run as the judge of this label has read it, or reads it now where it is an offline one.

    Raises:
        RunError: The judge is no offline one, and the run's folder has lost some of its verdicts.
    """
    folder = RunFolder(run.folder)
    judgements = folder.judgements(label) if label in folder.judges() else {}
    verdicts = _verdicts_on_answers_of(run, judgements)
    judge = offline_judge(label)
    n_judged_now = 0
    if judge is None:
        check_verdicts(folder, run.info, label, len(judgements))
    else:
        to_judge = [row for row in run.rows if row.key not in verdicts and _is_to_be_judged(row)]
        verdicts.update(_judge_rows(judge, to_judge))
        n_judged_now = len(to_judge)
    rows = tuple(row.read_as(verdicts.get(row.key)) for row in run.rows)
    own_judge = run.reread.own_judge if run.reread else run.judge
    reread = Reread(own_judge, n_judged_now) if own_judge != label else None
    return replace(run, judge=label, rows=rows, drift=drift_of(folder, label), reread=reread)


def _verdicts_on_answers_of(run: Results, judgements: Mapping[Key, Judgement]) -> dict[Key, Verdict]:
    """The verdicts that are about the answers of the run's rows, and not about earlier ones."""
    verdicts = {}
    for row in run.rows:
        judgement = judgements.get(row.key)
        if judgement is None:
            continue
        exchange = row.exchange
        if exchange is not None and judgement.digest == exchange.digest():
            verdicts[row.key] = judgement.verdict
    return verdicts


def _is_to_be_judged(row: ResultRow) -> bool:
    exchange = row.exchange
    return exchange is not None and exchange.to_judge


class _KeptVerdicts:
    """Verdicts of offline judges, by judge and digest of the answer, for as long as the process lives.

    If there are more than `MAX_KEPT`, the one that was kept first is dropped.
    """

    def __init__(self) -> None:
        self._verdicts: dict[tuple[str, str], Verdict] = {}
        self._lock = Lock()

    def find(self, label: str, digest: str) -> Verdict | None:
        return self._verdicts.get((label, digest))

    def keep(self, label: str, digest: str, verdict: Verdict) -> None:
        with self._lock:
            if len(self._verdicts) >= MAX_KEPT:
                oldest = next(iter(self._verdicts))
                del self._verdicts[oldest]
            self._verdicts[label, digest] = verdict


_kept_verdicts = _KeptVerdicts()


def _judge_rows(judge: Judge, rows: Iterable[ResultRow]) -> dict[Key, Verdict]:
    return finish(closing(_judge_exchanges(judge, _exchanges_of(rows)), judge))


def _exchanges_of(rows: Iterable[ResultRow]) -> Iterator[Exchange]:
    """One after the other: of a large run, each is read from its file when it is asked for."""
    for row in rows:
        exchange = row.exchange
        if exchange is not None:
            yield exchange


async def _judge_exchanges(judge: Judge, exchanges: Iterator[Exchange]) -> dict[Key, Verdict]:
    verdicts = {}
    for exchange in exchanges:
        digest = exchange.digest()
        verdict = _kept_verdicts.find(judge.label, digest)
        if verdict is None:
            verdict = (await judge_exchange(judge, exchange)).verdict
            _kept_verdicts.keep(judge.label, digest, verdict)
        verdicts[exchange.key] = verdict
    return verdicts
