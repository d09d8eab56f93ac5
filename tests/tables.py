"""Results of which every row is chosen, without a run."""

from pathlib import Path

from mossbench.datasets.arms import PLAIN
from mossbench.outcomes import Answer, Exchange, Key, Kind, Layer, Outcome, Stop
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.samples import Sample, Side
from mossbench.store.config import RunConfig
from mossbench.store.run_info import DatasetInfo, RunInfo

STIMULI = ("exaggerated_risk", "negated_harm", "counterintuitive")


def row(side, id, kind, *, arm="plain", epoch=1, stimulus=0, cluster=None, text="Some words."):
    """A row: `kind` is a Kind, a Layer, or refused yes / no."""
    sample = Sample(id=str(id), side=side, question=f"{id}?", stimulus=STIMULI[stimulus], cluster=cluster, twin=str(id))
    if isinstance(kind, Layer):
        outcome = Outcome(kind)
        answer = Answer(stop=Stop.BLOCKED) if kind is Layer.BLOCKED else Answer.failed("model", "gone")
    else:
        outcome = Outcome(Layer.JUDGED, kind if isinstance(kind, Kind) else Kind.REFUSED if kind else Kind.ANSWERED)
        answer = Answer(text=text, stop=Stop.END)
    key = Key(Side(side), str(id), arm, epoch)
    exchange = Exchange(side=side, sample=str(id), arm=arm, epoch=epoch, request=sample.question, answer=answer)
    return ResultRow(key, sample, exchange, None, outcome)


def results(rows, *, model="m", arms=(PLAIN,), **config):
    info = RunInfo(
        config=RunConfig(model=model, **config),
        arms=arms,
        dataset=DatasetInfo(name="d", hashes={Side.BENIGN: "a", Side.CONTRAST: "b"}),
        n_rows=len(rows),
        mossbench="0",
        python="3",
        started="now",
    )
    return Results(Path(model), info, "rules/4", tuple(rows))


def sides(benign, contrast, *, kinds=3, **options):
    """Rows with these refusals on either side, ids 0.., stimuli in turn."""
    return [
        row(side, i, value, stimulus=i % kinds, **options)
        for side, values in (("benign", benign), ("contrast", contrast))
        for i, value in enumerate(values)
    ]
