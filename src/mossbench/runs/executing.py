"""The second step of a run: ask what has no answer yet, judge what has no verdict yet, write each down at once.

Killing the process at any moment loses only the answers that were in flight.
"""

from contextlib import suppress
from dataclasses import dataclass

from mossbench.datasets import Dataset
from mossbench.errors import StorageError
from mossbench.images.preparing import DEFAULT_LIMITS
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
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import RunInfo
from mossbench.ways_out import WayToResume


@dataclass(frozen=True)
class RunOutcome:
    """What is left to count once a run was asked: no data and no images, which may be large."""

    folder: RunFolder
    info: RunInfo
    judge: Judge | None
    stopped_at_cost: float | None
    """The limit in US dollars that left rows unasked; None: nothing was left because of money."""
    again: WayToResume
    has_extra_arms: bool


def execute(plan: RunPlan, progress: OnProgress | None = None) -> RunOutcome:
    """Asks and judges the rows of a plan in its folder, which stays locked.

    Raises:
        Interrupted: Ctrl-C; what was answered is kept.
        StorageError: Something could not be written; no further request was sent.
    """
    if plan.judge is not None:
        plan.judge.expect(row.key for row in plan.rows)
    engine = make_engine(_job_of(plan))
    info = _load_engine(plan, engine)
    samples_file = _begin_record(plan, info)
    try:
        with noting_saved_answers(plan.folder, plan.again, len(plan.rows)):
            work = _ask_and_judge(plan, engine, samples_file, progress)
            to_close = [plan.model, plan.judge] if plan.judge else [plan.model]
            run_until_done(closing(work, *to_close))
    finally:
        samples_file.restore()
        info = _with_traffic_and_notices(info, plan, engine, samples_file)
        with suppress(StorageError):  # what stopped the run is the one thing to say
            write_info_where_it_is(plan.folder, info)
    return RunOutcome(
        folder=plan.folder,
        info=info,
        judge=plan.judge,
        stopped_at_cost=plan.max_cost if plan.budget.stopped else None,
        again=plan.again,
        has_extra_arms=plan.has_extra_arms,
    )


def _load_engine(plan: RunPlan, engine: Engine) -> RunInfo:
    """Makes the engine ready, before anything is written: one that cannot ask leaves no run behind.

    run.json as it will be, with the engine where it is needed.
    """
    if plan.is_answered:
        return plan.info
    engines = tuple(dict.fromkeys((*plan.info.engines, plan.engine.name)))
    system_prompts = dict.fromkeys(arm.system for arm in plan.info.arms if arm.system is not None)
    with noting_saved_answers(plan.folder, plan.again, len(plan.rows)):
        engine.load(system_prompts)
    return plan.info.model_copy(update={"engines": engines})


def _begin_record(plan: RunPlan, info: RunInfo) -> "SamplesFile":
    """Writes run.json and the samples: from now on there is a run, which can be resumed."""
    with noting_saved_answers(plan.folder, plan.again, len(plan.rows)):
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
    """Asks all rows; judges each answer as it comes, or all of them at the end through the judge's batch API."""
    judge_as_they_come = plan.judge if plan.judge_poll is None else None
    judge_pictures = PictureShelf(plan.data, DEFAULT_LIMITS, plan.images)
    asked_now = await ask_all(engine, list(plan.rows), judge_as_they_come, judge_pictures, progress)
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
        skip=asked_now if judge_as_they_come is not None else (),
        progress=None if judge_as_they_come is not None else progress,
        images=plan.images,
        budget=plan.budget,
        poll=plan.judge_poll,
    )


def _with_traffic_and_notices(info: RunInfo, plan: RunPlan, engine: Engine, samples_file: "SamplesFile") -> RunInfo:
    """The info with what came to light on the way: traffic, and what the provider really takes."""
    learnt = engine.learnt(settings_of(plan.config))
    # A model that was not asked now has forgotten what an earlier session learnt about it.
    knew_rejected_settings = bool(SentSettings.read(info.sent).rejected) and not SentSettings.read(learnt.sent).rejected
    update = {
        "traffic": info.traffic + learnt.traffic,
        "sent": info.sent if knew_rejected_settings else learnt.sent,
        "notices": tuple(dict.fromkeys((*info.notices, *learnt.remarks, *samples_file.notices))),
    }
    return info.model_copy(update=update)


def write_info_where_it_is(folder: RunFolder, info: RunInfo) -> None:
    """Writes run.json, also where the folder was moved in the middle of the run; one that is gone is not made again."""
    try:
        folder.write_info(info)
    except PlaceLost as lost:
        if lost.folder_now is None:
            raise
        RunFolder(lost.folder_now).write_info(info)


class SamplesFile:
    """samples.jsonl of a run that goes on: judging and counting read it, and somebody may delete it meanwhile."""

    def __init__(self, folder: RunFolder, samples: Dataset) -> None:
        self._folder = folder
        self._samples = samples
        self._n_bytes = folder.samples_path.stat().st_size
        self.notices: list[str] = []

    def restore(self) -> None:
        """Writes it again where it was deleted or cut, with a notice."""
        with suppress(StorageError, OSError):  # whoever reads it then says what is wrong, and how to resume
            notice = self._folder.restore_samples(self._samples, self._n_bytes)
            if notice:
                self.notices.append(notice)
