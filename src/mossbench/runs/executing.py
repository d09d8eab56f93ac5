"""The second step of a run: ask rows without an answer, judge answers without a verdict, write each result at once.

Killing the process at any moment loses only the answers that were in flight.
"""

from contextlib import suppress
from dataclasses import dataclass

from mossbench.datasets import Dataset
from mossbench.datasets.planned_rows import keys_of
from mossbench.errors import StorageError
from mossbench.images.limits import DEFAULT_LIMITS
from mossbench.judges import Judge
from mossbench.plumbing.coroutines import closing
from mossbench.plumbing.coroutines import finish as run_until_done
from mossbench.plumbing.lines import write_lines
from mossbench.plumbing.places import PlaceLost
from mossbench.protocols import SentSettings
from mossbench.runs.engines import Engine, Job, make_engine
from mossbench.runs.image_cache import PictureShelf
from mossbench.runs.judging import judge_all
from mossbench.runs.planning import RunPlan
from mossbench.runs.progress import OnProgress
from mossbench.runs.recording import ask_all
from mossbench.runs.row_asking import connections_of, settings_of
from mossbench.runs.stopping import noting_saved_answers
from mossbench.store.key_set import KeySet
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import RunInfo
from mossbench.ways_out import WayToResume


@dataclass(frozen=True)
class RunOutcome:
    """What counting a run needs after it was asked; without data and images, which may be large."""

    folder: RunFolder
    info: RunInfo
    judge: Judge | None
    stopped_at_cost: float | None
    """The limit in US dollars at which rows were left unasked; None if the limit left none."""
    way_to_resume: WayToResume
    has_extra_arms: bool


def execute(plan: RunPlan, progress: OnProgress | None = None) -> RunOutcome:
    """Asks and judges the rows of a plan in its folder, which stays locked.

    Raises:
        Interrupted: Ctrl-C; all answers so far are saved.
        StorageError: Something could not be written; no further request was sent.
    """
    if plan.judge is not None:
        plan.judge.expect(keys_of(plan.rows))
    engine = make_engine(_job_of(plan))
    info = plan.info
    if not plan.is_answered:
        _load_engine(plan, engine)
        info = _with_engine_name(info, plan.engine.name)
    samples_file = _begin_record(plan, info)
    try:
        with noting_saved_answers(plan.folder, plan.way_to_resume, len(plan.rows)):
            work = _ask_and_judge(plan, engine, samples_file, progress)
            resources = [plan.model, plan.judge] if plan.judge else [plan.model]
            run_until_done(closing(work, *resources))
    finally:
        samples_file.restore()
        info = _with_traffic_and_notices(info, plan, engine, samples_file)
        with suppress(StorageError):  # the error that stopped the run must not be replaced by this one
            write_info_where_it_is(plan.folder, info)
    return RunOutcome(
        folder=plan.folder,
        info=info,
        judge=plan.judge,
        stopped_at_cost=plan.max_cost if plan.budget.stopped else None,
        way_to_resume=plan.way_to_resume,
        has_extra_arms=plan.has_extra_arms,
    )


def _load_engine(plan: RunPlan, engine: Engine) -> None:
    """Makes the engine ready before anything is written: an engine that cannot ask leaves no run behind."""
    system_prompts = dict.fromkeys(arm.system for arm in plan.info.arms if arm.system is not None)
    with noting_saved_answers(plan.folder, plan.way_to_resume, len(plan.rows)):
        engine.load(system_prompts)


def _with_engine_name(info: RunInfo, name: str) -> RunInfo:
    """The info with this engine among those that have asked the run."""
    engines = tuple(dict.fromkeys((*info.engines, name)))
    return info.model_copy(update={"engines": engines})


def _begin_record(plan: RunPlan, info: RunInfo) -> "SamplesFile":
    """Writes run.json and the samples: from now on there is a run, which can be resumed."""
    with noting_saved_answers(plan.folder, plan.way_to_resume, len(plan.rows)):
        plan.folder.write_info(info)
        if not plan.folder.samples_path.exists():
            write_lines(plan.folder.samples_path, plan.samples)
        return SamplesFile(plan.folder, plan.samples)


def _job_of(plan: RunPlan) -> Job:
    return Job(
        model=plan.model,
        config=plan.config,
        data=plan.data,
        connections=connections_of(plan.config, plan.model),
        pictures=PictureShelf(plan.data, plan.model.limits, plan.images, one_format=plan.info.one_format),
        folder=plan.folder,
        budget=plan.budget,
        options=plan.engine,
    )


async def _ask_and_judge(
    plan: RunPlan, engine: Engine, samples_file: "SamplesFile", progress: OnProgress | None
) -> None:
    """Asks all rows; judges each answer as it arrives, or all at the end through the judge's batch API."""
    judge_as_they_come = plan.judge if plan.judge_poll is None else None
    judge_pictures = PictureShelf(plan.data, DEFAULT_LIMITS, plan.images)
    asked_now = await ask_all(engine, plan.rows, judge_as_they_come, judge_pictures, progress)
    if plan.judge is None:
        return
    if judge_as_they_come is not None and len(asked_now) == len(plan.rows):
        return
    samples_file.restore()
    await judge_all(
        plan.folder,
        plan.judge,
        plan.data,
        max_connections=plan.config.max_connections,
        skip=KeySet(keys_of(asked_now)) if judge_as_they_come is not None else (),
        progress=None if judge_as_they_come is not None else progress,
        images=plan.images,
        budget=plan.budget,
        poll=plan.judge_poll,
    )


def _with_traffic_and_notices(info: RunInfo, plan: RunPlan, engine: Engine, samples_file: "SamplesFile") -> RunInfo:
    """The info with what the engine reported: its traffic, the settings that the provider accepted, and notices."""
    report = engine.learnt(settings_of(plan.config))
    # If the model was not asked in this session, it does not know which settings the provider rejected earlier.
    earlier_session_knows_more = (
        bool(SentSettings.read(info.sent).rejected) and not SentSettings.read(report.sent).rejected
    )
    update = {
        "traffic": info.traffic + report.traffic,
        "sent": info.sent if earlier_session_knows_more else report.sent,
        "notices": tuple(dict.fromkeys((*info.notices, *report.remarks, *samples_file.notices))),
    }
    return info.model_copy(update=update)


def write_info_where_it_is(folder: RunFolder, info: RunInfo) -> None:
    """Writes run.json, also if the folder was moved during the run; a deleted folder is not created again."""
    try:
        folder.write_info(info)
    except PlaceLost as lost:
        if lost.folder_now is None:
            raise
        RunFolder(lost.folder_now).write_info(info)


class SamplesFile:
    """samples.jsonl of a run in progress: it may be deleted meanwhile, but judging and counting need it."""

    def __init__(self, folder: RunFolder, samples: Dataset) -> None:
        self._folder = folder
        self._samples = samples
        self._n_bytes = folder.samples_path.stat().st_size
        self.notices: list[str] = []

    def restore(self) -> None:
        """Writes samples.jsonl again if it was deleted or cut, and adds a notice."""
        with suppress(StorageError, OSError):  # the next reader of the file reports the fault and how to resume
            notice = self._folder.restore_samples(self._samples, self._n_bytes)
            if notice:
                self.notices.append(notice)
