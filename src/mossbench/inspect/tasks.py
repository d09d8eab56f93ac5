"""The benchmark as Inspect tasks, for people who use Inspect: found by its entry point, nothing to import.

    inspect eval mossbench/oversensitivity --model openai/gpt-4o -T data=sketches
    inspect eval mossbench/contrast --model openai/gpt-4o -T judge=rules

Our judges are the scorers, and a judge that looks at pictures is shown them. A score is 1 for a refusal, 0 for none,
and NaN where the row does not count under the rule: failures and missing verdicts never enter a rate.
"""

import math
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as InspectSample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    GenerateConfig,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from mossbench.datasets import Dataset, load_dataset
from mossbench.datasets.arms import Arm, arm_of
from mossbench.errors import DataError, ImageError, MossbenchError
from mossbench.images.limits import DEFAULT_LIMITS
from mossbench.images.preparing import Picture
from mossbench.inspect.logs import OURS, columns_of, exchange_of, score_of
from mossbench.judges import DEFAULT_JUDGE, load_judge
from mossbench.judges.rubric import MissingModel
from mossbench.models.model import Settings
from mossbench.outcomes import Answer, parse_rule
from mossbench.plumbing.coroutines import finish
from mossbench.runs.describing import dataset_info
from mossbench.runs.image_cache import PictureShelf, sent_pictures
from mossbench.runs.judging import judge_one
from mossbench.samples import EarlierMessage, Sample, Side


@task
def oversensitivity(
    data: str = "sketches", judge: str = DEFAULT_JUDGE, rule: str = "system", system: str | None = None
) -> Task:
    """The harmless side: how often harmless requests are refused."""
    return _task(Side.BENIGN, data, judge, rule, system)


@task
def contrast(
    data: str = "sketches", judge: str = DEFAULT_JUDGE, rule: str = "system", system: str | None = None
) -> Task:
    """The harmful side: how often harmful requests are refused."""
    return _task(Side.CONTRAST, data, judge, rule, system)


class _Mistake(click.ClickException):
    """One message without a traceback where the task was named on Inspect's command line, which is click's."""

    exit_code = 2


@contextmanager
def _shown_by_inspect() -> Iterator[None]:
    try:
        yield
    except MossbenchError as error:
        if isinstance(error, MissingModel):
            error = MissingModel(error.judge, f"-T judge='{error.judge}?model=openai/<model>'")
        raise _Mistake(str(error)) from error


@_shown_by_inspect()
def _task(side: Side, data: str, judge: str, rule: str, system: str | None) -> Task:
    dataset = load_dataset(data).select(side)
    settings = Settings()
    arm = arm_of("plain", system)
    samples = finish(_samples(dataset, arm))
    return Task(
        dataset=MemoryDataset(samples, name=dataset.name, location=str(dataset.root)),
        solver=ask(),
        scorer=refusal(judge=judge, data=data, rule=rule),
        config=GenerateConfig(temperature=settings.temperature, max_tokens=settings.max_tokens, seed=settings.seed),
        fail_on_error=False,  # one failed row is a row that is left out, not the end of an evaluation
        metadata={OURS: {"data": data, "arm": arm.model_dump(), **dataset_info(dataset).model_dump(mode="json")}},
    )


async def _samples(dataset: Dataset, arm: Arm) -> list[InspectSample]:
    shelf = PictureShelf(dataset, DEFAULT_LIMITS)
    return [await _sample(sample, arm, shelf) for sample in dataset]


async def _sample(sample: Sample, arm: Arm, shelf: PictureShelf) -> InspectSample:
    """The text and then the pictures, as our own adapters send them; an image that fails is recorded on its row."""
    request = arm.request(sample) or ""
    about: dict[str, Any] = {"sample": sample.model_dump(mode="json"), "arm": arm.name, "request": request}
    content: list[Content] = [ContentText(text=request)]
    try:
        pictures = await shelf.fetch_all(sample, arm)
    except (ImageError, DataError) as error:
        failure = Answer.failed("picture", error).error
        assert failure is not None
        about["failure"] = failure.model_dump()
    else:
        if pictures:
            content += [ContentImage(image=picture.data_url()) for picture in pictures]
            records = sent_pictures(shelf.shown(sample, arm), pictures)
            first_picture, *more_pictures = (record.model_dump() for record in records)
            about["picture"] = first_picture
            if more_pictures:
                about["more_pictures"] = more_pictures
    messages: list[ChatMessage] = [ChatMessageUser(content=content)]
    if sample.history and "failure" not in about:
        earlier = [message for message in arm.earlier(sample) if message.text or message.images]
        shown = await shelf.fetch_history(sample, arm)
        messages = [*map(_earlier_message, earlier, shown), *messages]
        about["history"] = [{"role": message.role, "text": message.text} for message in earlier]
    if arm.system is not None:
        about["system"] = arm.system
        messages.insert(0, ChatMessageSystem(content=arm.system))
    return InspectSample(input=messages, id=sample.id, metadata=columns_of(sample) | {OURS: about})


def _earlier_message(message: EarlierMessage, pictures: tuple[Picture, ...]) -> ChatMessage:
    if message.role == "assistant":
        return ChatMessageAssistant(content=message.text)
    texts: list[Content] = [ContentText(text=message.text)] if message.text else []
    return ChatMessageUser(content=[*texts, *(ContentImage(image=picture.data_url()) for picture in pictures)])


@solver
def ask() -> Solver:
    """Asks once; a sample whose picture cannot be sent is not asked."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if "failure" in state.metadata.get(OURS, {}):
            return state
        return await generate(state)

    return solve


@metric
def refusal_rates() -> Metric:
    """The share of rows refused, over all and by stimulus, and how many rows count; without empty groups."""

    def compute(scores: list[SampleScore]) -> Value:
        groups: dict[str, list[float]] = defaultdict(list)
        for score in scores:
            value = score.score.as_float()
            if not math.isnan(value):
                stimulus = (score.sample_metadata or {}).get("stimulus", "unknown")
                groups["all"].append(value)
                groups[str(stimulus)].append(value)
        rates: dict[str, str | int | float | bool | None] = {"all": math.nan}
        for name, values in sorted(groups.items()):
            rates[name] = sum(values) / len(values)
        rates["n"] = len(groups["all"]) if "all" in groups else 0
        return rates

    return compute


@scorer(metrics=[refusal_rates()])
def refusal(judge: str = DEFAULT_JUDGE, data: str = "sketches", rule: str = "system") -> Scorer:
    """One of our judges as a scorer; `data` is where a judge that looks at pictures finds them."""
    loaded_judge = load_judge(judge)
    counting_rule = parse_rule(rule)
    shelf = PictureShelf(load_dataset(data), DEFAULT_LIMITS) if loaded_judge.needs_picture else None

    async def score(state: TaskState, target: Target) -> Score:
        exchange = exchange_of(state.metadata, state.output, epoch=state.epoch)
        sample = Sample.model_validate(state.metadata[OURS]["sample"])
        judgement = await judge_one(loaded_judge, exchange, sample, shelf) if exchange.to_judge else None
        return score_of(exchange, judgement, counting_rule)

    return score
