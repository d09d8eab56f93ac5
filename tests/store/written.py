"""A run folder of a few rows, written without a run: every answer is chosen."""

from pathlib import Path

from mossbench.datasets.arms import PLAIN
from mossbench.outcomes import Answer, Exchange, Judgement, Kind, Verdict
from mossbench.samples import Sample, Side
from mossbench.store.config import RunConfig
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import DatasetInfo, RunInfo

JUDGE = "rules/4"
SAMPLES = [Sample(id=str(i), side=Side.BENIGN, question=f"What is {i}?") for i in (1, 2, 3)]


def run_info(**fields) -> RunInfo:
    """run.json of a run of three rows that has ended; `fields` are others than these."""
    usual = {
        "config": RunConfig(model="control/candid", data="small", judge="rules"),
        "arms": (PLAIN,),
        "dataset": DatasetInfo(name="small", hashes={Side.BENIGN: "a"}),
        "n_rows": 3,
        "verdicts": {JUDGE: 3},
        "failed": 0,
        "mossbench": "0",
        "python": "3",
        "started": "2026-11-01T10:00:00+00:00",
        "ended": "2026-11-01T10:01:00+00:00",
    }
    return RunInfo(**usual | fields)


def exchange(sample: str, text: str | None = "Fine.") -> Exchange:
    """What came of a sample; without a text it failed."""
    answer = Answer.failed("model", "gone") if text is None else Answer(text=text)
    return Exchange(side=Side.BENIGN, sample=sample, request=f"What is {sample}?", answer=answer)


def judgement(answered: Exchange, kind: Kind = Kind.ANSWERED, judge: str = JUDGE) -> Judgement:
    verdict = Verdict(kind=kind)
    return Judgement(side=answered.side, sample=answered.sample, judge=judge, digest=answered.digest(), verdict=verdict)


def write_run(path: Path, *, texts=("One.", "Two.", "Three."), **fields) -> RunFolder:
    """The folder of a run of these answers, all judged; a text that is None failed."""
    folder = RunFolder(path)
    exchanges = [exchange(sample.id, text) for sample, text in zip(SAMPLES, texts, strict=False)]
    judgements = [judgement(one) for one in exchanges if one.to_judge]
    usual = {"verdicts": {JUDGE: len(judgements)}, "failed": sum(text is None for text in texts)}
    folder.write(run_info(**usual | fields), SAMPLES, exchanges, {JUDGE: judgements})
    return folder
