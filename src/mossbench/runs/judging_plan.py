"""What is to be judged in a run folder, by whom and how: all that is decided before the first verdict."""

from collections.abc import Container, Mapping
from dataclasses import dataclass

from mossbench.datasets import Dataset
from mossbench.datasets.arms import Arm
from mossbench.datasets.planned_rows import PlannedRows, keys_of
from mossbench.datasets.stored_samples import StoredSamples
from mossbench.images.limits import DEFAULT_LIMITS
from mossbench.judges import Judge, models_asked
from mossbench.judges.rubric import RubricJudge
from mossbench.models.batch_api import BatchApi
from mossbench.models.batching import batch_api_of
from mossbench.outcomes import Exchange, Key, Usage
from mossbench.plumbing.lines import read_places
from mossbench.results.rows import StoredLines
from mossbench.runs.budget import Budget
from mossbench.runs.image_cache import ImageCache, PictureShelf
from mossbench.samples import Sample, Side
from mossbench.store.batch_log import pending_rows
from mossbench.store.damage import check_answers, planned_rows
from mossbench.store.key_set import KeySet
from mossbench.store.run_folder import RunFolder


@dataclass(frozen=True)
class BatchedJudge:
    """A judge that asks one model, whose provider has a batch API."""

    rubric: RubricJudge
    """The judge itself, or the one within it that asks the model."""
    api: BatchApi


@dataclass(frozen=True)
class BatchPlan:
    """The part of a judging that goes through a batch API."""

    judge: BatchedJudge
    rows: tuple[Key, ...]
    poll: float
    """Seconds between two looks at a batch."""


@dataclass(frozen=True)
class JudgingPlan:
    """Everything that is decided before the first verdict. Texts stay in the run's file until it is their turn."""

    folder: RunFolder
    judge: Judge
    answer_offsets: Mapping[Key, int]
    """The rows to judge, in their order, with where the line of each begins in answers.jsonl."""
    rows_asked_directly: tuple[Key, ...]
    batch: BatchPlan | None
    """The other rows; None if nothing goes through a batch API."""
    earlier_usage: Mapping[Key, Mapping[str, Usage | None]]
    """Of rows whose verdict is replaced: the tokens that it took, by model."""
    answers: StoredLines[Exchange]
    samples: StoredSamples | Mapping[tuple[Side, str], Sample]
    arms: Mapping[str, Arm]
    pictures: PictureShelf | None
    """None: the judge looks at none."""
    max_connections: int
    budget: Budget

    @property
    def n_rows(self) -> int:
        return len(self.answer_offsets)

    def exchange(self, key: Key) -> Exchange:
        """The answer of a row to judge, with what it answers, read from the file now."""
        return self.answers.at(self.answer_offsets[key], key)

    def sample(self, key: Key) -> Sample:
        """The sample of a row."""
        if isinstance(self.samples, StoredSamples):
            return self.samples.find(key.side, key.sample)
        return self.samples[key.side, key.sample]

    def arm(self, key: Key) -> Arm:
        """The arm of a row."""
        return self.arms[key.arm]


def plan_judging(
    folder: RunFolder,
    judge: Judge,
    dataset: Dataset | None,
    *,
    max_connections: int,
    skip: Container[Key] = (),
    images: ImageCache | None = None,
    budget: Budget | None = None,
    poll: float | None = None,
) -> JudgingPlan:
    """Plans to judge every answer that this judge has no verdict on yet.

    Args:
        folder: The run.
        judge: Who judges it.
        dataset: Where the pictures of the run are; only a judge that looks at them needs it.
        max_connections: How many answers are judged side by side.
        skip: Rows that are not judged, whatever they have.
        images: Where pictures that were made ready are kept.
        budget: What may be spent; by default as much as it takes.
        poll: Seconds between two looks at a batch; None: nothing goes through a batch API.

    Raises:
        RunError: The files of the run have lost rows.
        UsageError: The judge cannot read this run.
    """
    folder.check_place()
    info = folder.info()
    earlier = _read_earlier_verdicts(folder, judge)
    answers_on_file = _read_answers(folder, earlier, skip)
    rows = planned_rows(folder, info)
    lost = [key for key in keys_of(rows) if key not in answers_on_file.is_failed] if info.ended else []
    check_answers(folder, info, len(rows), lost, sum(answers_on_file.is_failed.values()))
    judge.expect(answers_on_file.is_failed)
    offsets = answers_on_file.offsets_to_judge
    answers = StoredLines(folder.answers_path, Exchange, keep_open=True)
    batch = None if poll is None else _plan_batch(judge, offsets, answers, poll)
    rows_in_batches = frozenset(batch.rows) if batch else frozenset[Key]()
    return JudgingPlan(
        folder=folder,
        judge=judge,
        answer_offsets=offsets,
        rows_asked_directly=tuple(key for key in offsets if key not in rows_in_batches),
        batch=batch,
        earlier_usage={key: earlier[key].usage for key in offsets if key in earlier},
        answers=answers,
        samples=rows.samples if isinstance(rows, PlannedRows) else {row.sample.key: row.sample for row in rows},
        arms={arm.name: arm for arm in info.arms},
        pictures=PictureShelf(dataset, DEFAULT_LIMITS, images) if dataset else None,
        max_connections=max_connections,
        budget=budget or Budget(None, None, info.judge_prices),
    )


@dataclass(frozen=True, slots=True)
class _EarlierVerdict:
    """What is kept of a verdict on file."""

    digest: str | None
    """Of the answer that was judged; None: there was no verdict in the end, and the answer is to be judged again."""
    usage: Mapping[str, Usage | None]
    """The tokens that it took, by model."""


def _read_earlier_verdicts(folder: RunFolder, judge: Judge) -> dict[Key, _EarlierVerdict]:
    earlier: dict[Key, _EarlierVerdict] = {}
    for judgement in folder.read_judgements(judge.label):
        digest = judgement.digest if judgement.verdict.is_final else None
        earlier[judgement.key] = _EarlierVerdict(digest, judgement.verdict.used)
    return earlier


@dataclass(frozen=True)
class _AnswersOnFile:
    """What is kept of answers.jsonl: not the texts, which may be many."""

    is_failed: dict[Key, bool]
    """Of every row in answers.jsonl."""
    offsets_to_judge: dict[Key, int]
    """Where in the file the lines begin that are to be judged."""


def _read_answers(folder: RunFolder, earlier: Mapping[Key, _EarlierVerdict], skip: Container[Key]) -> _AnswersOnFile:
    """Which rows are in answers.jsonl, and where those begin that are to be judged; the last line of a row counts."""
    is_failed: dict[Key, bool] = {}
    offset_if_to_judge: dict[Key, int | None] = {}
    for offset, exchange in read_places(folder.answers_path, Exchange):
        key = exchange.key
        is_failed[key] = exchange.answer.error is not None
        offset_if_to_judge[key] = offset if _is_to_be_judged(exchange, earlier.get(key), skip) else None
    offsets_to_judge = {key: offset for key, offset in offset_if_to_judge.items() if offset is not None}
    return _AnswersOnFile(is_failed, offsets_to_judge)


def _is_to_be_judged(exchange: Exchange, earlier: _EarlierVerdict | None, skip: Container[Key]) -> bool:
    if not exchange.to_judge or exchange.key in skip:
        return False
    return earlier is None or earlier.digest != exchange.digest()


def _plan_batch(
    judge: Judge, offsets: Mapping[Key, int], answers: StoredLines[Exchange], poll: float
) -> BatchPlan | None:
    """What goes through a batch API: the rows on which the judge has no verdict without asking its model."""
    batched = batched_judge(judge)
    if batched is None:
        return None
    rows = tuple(key for key, offset in offsets.items() if judge.early(answers.at(offset, key)) is None)
    return BatchPlan(batched, rows, poll)


def batched_judge(judge: Judge) -> BatchedJudge | None:
    """The judge as one that can be asked through a batch API; None where it asks no model, several, or has no API."""
    rubrics = [rubric for rubric, _ in models_asked(judge)]
    if len(rubrics) != 1:
        return None
    api = batch_api_of(rubrics[0].model)
    return None if api is None else BatchedJudge(rubrics[0], api)


def poll_for(folder: RunFolder, judge: Judge, poll: float, *, batch: bool) -> float | None:
    """The `poll` for `plan_judging`: None unless `batch` is asked for, or batches are pending, which are paid for."""
    has_pending_batches = pending_rows(folder.batches_path, judge=judge.label) is not None
    return poll if batch or has_pending_batches else None


def count_judged_rows(folder: RunFolder, judge: Judge) -> int:
    """How many rows of a run have a line of this judge."""
    return len(KeySet(judgement.key for judgement in folder.read_judgements(judge.label)))
