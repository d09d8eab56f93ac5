"""The first step of a run: everything decided before the first request, from the folder name to the budget.

The folder is locked before its settings are compared, and stays so until the run has ended: two processes never
write one run.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from mossbench.datasets import Dataset
from mossbench.datasets.arms import Row, arm_of, joined
from mossbench.datasets.planned_rows import keys_of, plan
from mossbench.judges import Judge, load_judge
from mossbench.models import Model
from mossbench.models.presets import with_retired_models
from mossbench.outcomes import Exchange, Judgement, Usage
from mossbench.plumbing.file_names import slug
from mossbench.protocols import RECORDED
from mossbench.runs.budget import Budget, budget_of, judge_prices
from mossbench.runs.describing import describe_run
from mossbench.runs.engines import EngineOptions, engine_for
from mossbench.runs.image_cache import ImageCache
from mossbench.runs.inputs import RunInputs, load_inputs, read_prices
from mossbench.runs.judging_plan import batched_judge, poll_for
from mossbench.runs.request import RunRequest
from mossbench.runs.resuming import check_endpoint_is_known, info_to_write
from mossbench.runs.row_asking import answered_keys, settings_of
from mossbench.runs.selection import select_samples
from mossbench.store.config import RunConfig
from mossbench.store.prices import cost_of, price_to_keep, text_tokens
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import RunInfo
from mossbench.ways_out import WayToResume


@dataclass(frozen=True)
class RunPlan:
    """One run, ready to be asked in its folder, which is locked."""

    folder: RunFolder
    config: RunConfig
    model: Model
    data: Dataset
    """Both sides, all samples: arms may show images of others."""
    samples: Dataset
    """Those that are asked."""
    rows: Sequence[Row]
    """Samples by arms and epochs; those that have an answer are among them."""
    info: RunInfo
    """What run.json will say, with what it said of earlier sessions."""
    judge: Judge | None
    judge_poll: float | None
    """Seconds between two looks at the judge's batches; None: the judge is asked as answers come."""
    engine: EngineOptions
    budget: Budget
    max_cost: float | None
    images: ImageCache
    way_to_resume: WayToResume
    """The call or command that resumes it, for messages."""
    has_extra_arms: bool
    """Whether arms were asked for beside the run's own."""

    @property
    def is_answered(self) -> bool:
        """Whether every row has an answer already: then no model is needed."""
        answered = answered_keys(self.folder)
        return all(key in answered for key in keys_of(self.rows))


def plan_run(request: RunRequest, lock: ExitStack) -> RunPlan:
    """Loads what the request names, locks the folder and compares it with the run that is in it.

    The folder stays locked until the caller closes `lock`: when the run is counted.

    Raises:
        UsageError: An unknown name, a bad option, or a folder that holds another run.
    """
    judge, inputs = _load(request)
    samples = select_samples(inputs.data, inputs.config)
    folder = RunFolder(request.out if request.out is not None else new_folder(inputs.config))
    way_to_resume = request.again or folder.way_to_resume
    lock.enter_context(folder.held())
    engine = engine_for(request.engine, folder)
    info = info_to_write(
        folder, _describe(request, inputs, samples, folder), resume=request.resume, again=way_to_resume
    )
    info = _with_judge_prices(info, request, judge)
    rows = plan(samples.samples, info.arms, inputs.config.epochs)
    judge_poll = _judge_poll(folder, judge, engine)
    budget = _budget(request, inputs, info, judge, rows, engine, judge_poll)
    if request.max_cost is not None:
        _pay_for_earlier_sessions(budget, folder, judge)
    return RunPlan(
        folder=folder,
        config=inputs.config,
        model=inputs.model,
        data=inputs.data,
        samples=samples,
        rows=rows,
        info=info,
        judge=judge,
        judge_poll=judge_poll,
        engine=engine,
        budget=budget,
        max_cost=request.max_cost,
        images=request.images or ImageCache(),
        way_to_resume=way_to_resume,
        has_extra_arms=bool(request.arms),
    )


def _load(request: RunRequest) -> tuple[Judge | None, RunInputs]:
    """The judge, and the config, model and data."""
    with _models_that_may_be_asked(request):
        judge = None if request.judge is None else load_judge(request.judge)
        if request.resume and request.out is not None:
            check_endpoint_is_known(RunFolder(request.out), request.model, request.options)
        judge_name = judge.spec if judge else None
        return judge, load_inputs(request.model, request.data, request.options, judge_name)


def _models_that_may_be_asked(request: RunRequest) -> AbstractContextManager[None]:
    """A run that has begun keeps a model that its vendor has retired since; a new one may not begin with it."""
    if request.resume and request.out is not None and RunFolder(request.out).info_path.exists():
        return with_retired_models()
    return nullcontext()


def _describe(request: RunRequest, inputs: RunInputs, samples: Dataset, folder: RunFolder) -> RunInfo:
    """run.json as this request alone would write it, with the arms that the run has already."""
    own_arm = arm_of(inputs.config.arm, inputs.config.system)
    arms = joined([own_arm, *folder.arms(), *request.arms])
    info = describe_run(inputs, samples, arms, read_prices(request.prices))
    return info.model_copy(update={"suite": request.suite, "one_format": request.one_format})


def _with_judge_prices(info: RunInfo, request: RunRequest, judge: Judge | None) -> RunInfo:
    prices_now = judge_prices(judge, read_prices(request.prices))
    prices = dict(info.judge_prices)
    for model, price_now in prices_now.items():
        prices[model] = price_to_keep(prices.get(model), price_now) or price_now
    return info.model_copy(update={"judge_prices": prices})


def _judge_poll(folder: RunFolder, judge: Judge | None, engine: EngineOptions) -> float | None:
    if judge is None or batched_judge(judge) is None:
        return None
    return poll_for(folder, judge, engine.poll, batch=engine.name == "batch")


def _budget(
    request: RunRequest,
    inputs: RunInputs,
    info: RunInfo,
    judge: Judge | None,
    rows: Sequence[Row],
    engine: EngineOptions,
    judge_poll: float | None,
) -> Budget:
    longest_answer = inputs.model.longest_answer(settings_of(inputs.config))
    return budget_of(
        request.max_cost,
        info,
        judge,
        rows,
        longest_answer,
        batch=engine.name == "batch",
        judge_batch=judge_poll is not None,
    )


def _pay_for_earlier_sessions(budget: Budget, folder: RunFolder, judge: Judge | None) -> None:
    """Takes from the budget what the answers and verdicts on record have cost, and what verdicts still missing may.

    Verdicts of judges that the run no longer has were paid for too.
    """
    judgements = {} if judge is None else folder.judgements(judge.label)
    for judgement in judgements.values():
        budget.pay(None, judgement.verdict)
    for label in folder.judges():
        if judge is None or label != judge.label:
            for judgement in folder.judgements(label).values():
                budget.pay_for_former_judge(judgement.verdict)
    for key, exchange in folder.exchanges().items():
        budget.pay(exchange, None)
        if judge is not None and exchange.to_judge and not _is_judged(exchange, judgements.get(key)):
            budget.owe()


def spent_on_record(folder: RunFolder) -> float:
    """US dollars for the answers and the verdicts of all judges in a folder, as far as prices are known.

    An answer or a verdict whose tokens nobody counted is taken to be the dearest.
    """
    if not folder.info_path.exists():
        return 0.0
    info = folder.info()
    exchanges = folder.exchanges().values()
    n_read = max((text_tokens(exchange.request, exchange.system) for exchange in exchanges), default=0)
    longest = Usage(input_tokens=n_read, output_tokens=info.config.max_tokens)
    budget = Budget(None, info.price, info.judge_prices, answer=cost_of(info.price, longest) or 0.0)
    for exchange in exchanges:
        budget.pay(exchange, None)
    for label in folder.judges():
        for judgement in folder.judgements(label).values():
            budget.pay(None, judgement.verdict)
    return budget.spent


def _is_judged(exchange: Exchange, judgement: Judgement | None) -> bool:
    """Whether this verdict is on this answer, so that it is not judged again."""
    return judgement is not None and judgement.verdict.is_final and judgement.digest == exchange.digest()


def new_folder(config: RunConfig) -> Path:
    """A new folder under `runs/`, named by the time, the model and the data."""
    is_recorded = config.model.startswith(f"{RECORDED}/")
    model_name = config.model_name or (config.model.split("/")[-1] if is_recorded else config.model)
    stem = f"{datetime.now():%Y-%m-%d-%H%M%S}-{slug(model_name)}-{slug(Path(config.data).name)}"
    candidates = [Path("runs") / stem, *(Path("runs") / f"{stem}-{i}" for i in range(1, 1000))]
    return next(path for path in candidates if not path.exists())
