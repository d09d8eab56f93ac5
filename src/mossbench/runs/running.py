"""Run: one model on one dataset, in a folder.

`run` asks, `judge_run` reads, `results.load_results` counts; each can be done alone and again. A row is
done when it has an answer; rows that failed are asked again on resume. Killing the process at any
moment loses only the answers that were in flight.
"""

import asyncio
import dataclasses
import platform
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Unpack, overload

from pydantic import ValidationError

import mossbench
from mossbench.datasets import DATASETS, Dataset, as_dataset
from mossbench.datasets.arms import Arm, Row, arm_of, joined, plan
from mossbench.datasets.recognition import name_on_record, why_not_published
from mossbench.errors import Interrupted, MossbenchError, StorageError, UsageError, unknown_name
from mossbench.images.preparing import DEFAULT_LIMITS
from mossbench.judges import DEFAULT_JUDGE, Judge, load_judge
from mossbench.judges.judge import Reader
from mossbench.models import Model, load_model
from mossbench.models.model import Answerer
from mossbench.models.presets import check_has_api, expand, preset_endpoint, with_retired_models
from mossbench.models.replay import SAY_WHO_ANSWERED
from mossbench.plumbing.coroutines import closing, finish
from mossbench.plumbing.lines import parsed_once, write_lines
from mossbench.plumbing.places import PlaceLost
from mossbench.plumbing.reading import fault_words
from mossbench.plumbing.storage import slug
from mossbench.protocols import IMPORTED_VERDICTS, RECORDED
from mossbench.results.failing import warn_of_failures
from mossbench.results.rows import LARGE
from mossbench.results.table import Results, load_results
from mossbench.runs.asking import answered, ask_all, connections_of, seed_of, settings_of
from mossbench.runs.budget import budget_of, judge_prices
from mossbench.runs.engines import Engine, EngineOptions, Job, engine_for, engine_options, make_engine
from mossbench.runs.image_cache import ImageCache, PictureShelf
from mossbench.runs.judging import judge_all, with_verdicts
from mossbench.runs.judging_plan import batched_judge, poll_for
from mossbench.runs.progress import OnProgress
from mossbench.runs.several import folders_of
from mossbench.samples import Side
from mossbench.store.batches import said_out
from mossbench.store.config import (
    DatasetInfo,
    InSuite,
    PlantedCount,
    ResumeOptions,
    RunConfig,
    RunInfo,
    RunOptions,
    subject_of,
)
from mossbench.store.prices import Prices, load_prices, price_of
from mossbench.store.run_folder import RunFolder

Asked = str | Model | Answerer
"""Name (`control/candid`, `openai/…`, `replay/FILE`, `file.py:function`), Model, or function of a Prompt."""


class RunKeywords(RunOptions, total=False):
    """The keywords of `run`, for type checkers and editors."""

    judge: str | Judge | Reader | None
    out: str | Path | None
    resume: bool
    arms: Iterable[Arm]
    progress: OnProgress | None
    prices: str | Path | Prices | None
    again: str | None
    images: ImageCache | None
    max_cost: float | None
    engine: str | EngineOptions


@overload
def run(model: Asked, data: str | Path | Dataset = ..., **keywords: Unpack[RunKeywords]) -> Results: ...
@overload
def run(
    model: list[Asked] | list[str], data: str | Path | Dataset = ..., **keywords: Unpack[RunKeywords]
) -> list[Results]: ...
def run(
    model: Asked | list[Asked] | list[str],
    data: str | Path | Dataset = RunConfig.model_fields["data"].default,
    *,
    judge: str | Judge | Reader | None = DEFAULT_JUDGE,
    out: str | Path | None = None,
    resume: bool = False,
    arms: Iterable[Arm] = (),
    progress: OnProgress | None = None,
    prices: str | Path | Prices | None = None,
    again: str | None = None,
    images: ImageCache | None = None,
    suite: InSuite | None = None,
    max_cost: float | None = None,
    one_format: bool = False,
    engine: str | EngineOptions = "",
    **options: Unpack[RunOptions],
) -> Results | list[Results]:
    """Asks `model` every sample of `data`, judges the answers and gives the results.

    Args:
        model: Name (`control/candid`, `openai/…`, `replay/FILE`, `file.py:function`), Model, or function of a Prompt;
            or a list of them, which are asked one after another and give a list of results.
        data: Name or path of a dataset, or a Dataset.
        judge: Name of a judge, Judge, or function of an Exchange; None only asks.
        out: Folder of the run; by default a new one under `runs/`. A list of models has a folder each in it.
        resume: Go on with the run in `out`; other options than it has are refused.
        arms: Further ways of putting the samples, beside the run's own and those that it has already.
        progress: Called after each row.
        prices: One's own prices by model name, or a file of them; they come before the built-in table.
        again: The call or command that goes on with the run, for the message when it is stopped.
        images: Where images made ready are kept; runs that are given the same one share them.
        suite: The cell of a suite that it is, for the record.
        max_cost: US dollars for the run, its judge and what it has spent before: no row is begun that may exceed them.
            The others are NOT ASKED, and `resume_run` goes on. Each of several models has as much.
        one_format: Write every image anew in one format; a run that is gone on with keeps to what it did.
        engine: How rows are asked, by name or with options; moves no answer, so a run may go on with another one. By
            default `local`, or `batch` as long as rows of the run are out in batches.
        options: The other fields of `RunConfig`: side, ids, limit, offset, epochs, system, seed, temperature, …

    Raises:
        UsageError: An unknown name, a bad option, or a folder that holds another run.
        Interrupted: Ctrl-C; what was answered is kept.
    """
    if isinstance(model, list) and len(model) > 1 and options.get("model_name") is not None:
        raise UsageError(f"`model_name` names one model, and {len(model)} are given; run each recorded file by itself")
    if isinstance(model, list):  # all are loaded first: a typo in the last must not cost a run
        for one in model:
            if isinstance(one, str):
                check_has_api(one, _name_of_data(data))
        models = [load_model(one, **model_options(options)) if isinstance(one, str) else one for one in model]
        data = as_dataset(data, columns=options.get("columns"))
        show_data([one for one in models if isinstance(one, Model)], data)
        shared: dict[str, Any] = {"judge": judge, "resume": resume, "arms": arms, "progress": progress}
        shared |= {"prices": prices, "max_cost": max_cost, "engine": engine, "images": images or ImageCache()}
        folders = folders_of([getattr(one, "name", getattr(one, "__name__", "model")) for one in models], out)
        return [run(one, data, out=folder, **shared, **options) for one, folder in zip(models, folders, strict=True)]
    how = engine_options(engine)
    has_begun = resume and out is not None and RunFolder(Path(out)).info_path.exists()
    with with_retired_models() if has_begun else nullcontext():
        reader = None if judge is None else load_judge(judge)
        if resume and out is not None:
            check_endpoint(RunFolder(Path(out)), model, options)
        config, the_model, whole = prepare_run(model, data, judge=reader.spec if reader else None, **options)
    selected = select(whole, config)
    folder = RunFolder(Path(out) if out is not None else default_folder(config))
    again = again or folder.again
    with folder.held():
        how = engine_for(how, folder)
        all_arms = joined([arm_of(config.arm, config.system), *folder.arms(), *arms])
        described = describe_run(config, the_model, whole.select(config.side), selected, all_arms, prices)
        described = described.model_copy(update={"suite": suite, "one_format": one_format})
        info = joined_info(folder, described, resume=resume, again=again)
        images = images or ImageCache()
        rows, connections = plan(selected, info.arms, config.epochs), connections_of(config, the_model)
        known = judge_prices(reader, read_prices(prices))
        info = info.model_copy(update={"judge_prices": {**info.judge_prices, **known}})
        longest = the_model.longest_answer(settings_of(config))
        batch = how.name == "batch"
        poll = poll_for(folder, reader, how.poll, batch=batch) if reader and batched_judge(reader) else None
        budget = budget_of(max_cost, info, reader, rows, longest, batch=batch, judge_batch=poll is not None)
        if max_cost is not None:
            for exchange in folder.exchanges().values():
                budget.pay(exchange, None)
            for judgement in folder.judgements(reader.label).values() if reader else ():
                budget.pay(None, judgement.verdict)
        if reader is not None:
            reader.expect(row.key for row in rows)
        shelf = PictureShelf(whole, the_model.limits, images, alike=info.one_format)
        asker = make_engine(Job(the_model, config, whole, connections, shelf, folder, budget, how))
        if not {row.key for row in rows} <= answered(folder):  # a run that is done needs no model
            info = info.model_copy(update={"engines": tuple(dict.fromkeys((*info.engines, how.name)))})
            with saying_what_is_safe(folder, again, len(rows)):
                asker.load(dict.fromkeys(arm.system for arm in info.arms if arm.system is not None))
        with saying_what_is_safe(folder, again, len(rows)):
            folder.write_info(info)
            if not folder.samples_path.exists():
                write_lines(folder.samples_path, selected)
            samples_file = _SamplesFile(folder, selected)
        try:
            with saying_what_is_safe(folder, again, len(rows)):
                work = _ask_and_judge(asker, rows, reader, images, samples_file, poll=poll, progress=progress)
                finish(closing(work, the_model, *([reader] if reader else [])))
        finally:  # a model may have learnt on the way what its provider takes; one that was not asked has forgotten it
            samples_file.restore()
            learnt = asker.learnt(settings_of(config))
            update = {
                "traffic": info.traffic + learnt.traffic,
                "sent": info.sent if "not_taken" in info.sent.keys() - learnt.sent.keys() else learnt.sent,
                "notices": tuple(dict.fromkeys((*info.notices, *learnt.remarks, *samples_file.notices))),
            }
            info = info.model_copy(update=update)
            with suppress(StorageError):  # what stopped the run is the one thing to say
                write_where_it_is(folder, info)
        del whole, selected, rows, shelf, asker, images, work  # counting reads what it needs, and not beside all this
        del samples_file
        once = parsed_once() if info.n_rows <= LARGE else nullcontext()  # for the counts and for the table
        with once, saying_what_is_safe(folder, again, info.n_rows):
            if budget.stopped:
                info = info.model_copy(update={"max_cost": max_cost})
            else:
                info = info.model_copy(update={"ended": now(), "failed": sum(map(bool, folder.failures().values()))})
            folder.write_info(with_verdicts(folder, info, reader) if reader else info)
            results = load_results(folder.path, judge=reader.label if reader else None, arms="all" if arms else "own")
    warn_of_failures(results)
    return results


class _SamplesFile:
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


def write_where_it_is(folder: RunFolder, info: RunInfo) -> None:
    """Writes run.json, also where the folder was moved in the middle of the run; one that is gone is not made again."""
    try:
        folder.write_info(info)
    except PlaceLost as lost:
        if lost.folder_now is None:
            raise
        RunFolder(lost.folder_now).write_info(info)


async def _ask_and_judge(
    asker: Engine,
    rows: list[Row],
    judge: Judge | None,
    images: ImageCache,
    samples_file: "_SamplesFile",
    **told: Any,
) -> None:
    job, at_once = asker.job, judge if told["poll"] is None else None
    asked = await ask_all(asker, rows, at_once, PictureShelf(job.data, DEFAULT_LIMITS, images), told["progress"])
    if judge is not None and (at_once is None or len(asked) < len(rows)):  # answered in an earlier session
        samples_file.restore()
        told |= {"skip": asked, "progress": None} if at_once else {}
        told |= {"max_connections": job.config.max_connections, "images": images, "budget": job.budget}
        await judge_all(job.folder, judge, job.data, **told)


def resume_run(
    folder: str | Path,
    *,
    judge: str | Judge | Reader | None = None,
    no_judge: bool = False,
    progress: OnProgress | None = None,
    prices: str | Path | Prices | None = None,
    max_cost: float | None = None,
    engine: str | EngineOptions = "",
    **options: Unpack[ResumeOptions],
) -> Results:
    """Goes on with the run in `folder` as it was asked for; options that differ from it are refused."""
    info = RunFolder(Path(folder)).info()
    _check_not_imported(info, folder, has_own_judge=judge is not None or no_judge)
    saved = info.config.model_dump()
    how: dict[str, Any] = {"out": folder, "resume": True, "progress": progress, "prices": prices, "max_cost": max_cost}
    reader = None if no_judge else judge or saved["judge"] or DEFAULT_JUDGE
    found: Results = run(**{**saved, **options, **how, "judge": reader, "engine": engine})
    return found


def _name_of_data(data: str | Path | Dataset) -> str:
    """What would load the data again, on resume or by a user."""
    if not isinstance(data, Dataset):
        return str(data)
    if data.name in DATASETS and data.file is None:
        return data.name
    is_folder = data.file is None or data.file.stem == "metadata"
    return str(data.root if is_folder else data.file)


def _check_not_imported(info: RunInfo, folder: str | Path, *, has_own_judge: bool) -> None:
    """A UsageError where a run was imported: nobody can be asked again, and its verdicts are those of the file."""
    is_on_data = bool(info.dataset.hashes)
    if is_on_data and (has_own_judge or info.config.judge != IMPORTED_VERDICTS):
        return
    file = info.recorded_file or info.dataset.name
    raise UsageError(
        f"the run in {str(folder)!r} was imported from {file}, so nothing of it can be asked again; complete the file "
        f"and import it into another folder, or have a judge read its answers: `judge_run({str(folder)!r}, 'rules')`"
    )


def prepare_run(
    model: str | Model | Answerer, data: str | Path | Dataset, **options: Any
) -> tuple[RunConfig, Model, Dataset]:
    """The config, model and data (both sides, all samples) of a run that has not started."""
    if options.get("as_published") and (own := {"temperature", "max_tokens"} & options.keys()):
        ignored = " and ".join(f"`{name}`" for name in sorted(own))
        raise UsageError(f"`as_published` sets how answers are drawn, so {ignored} would be ignored; leave one out")
    if isinstance(model, str):  # what a preset stands for is what a run records
        check_has_api(model, _name_of_data(data))
        model, options = expand(model, options)
    the_model = load_model(model, **model_options(options))
    if options.get("model_name") is not None and not the_model.name.startswith(f"{RECORDED}/"):
        raise UsageError(
            f"`model_name` is for recorded answers (replay/FILE), not for {the_model.name!r}; leave it out: other "
            "models go by their own name"
        )
    options |= resolved_options(the_model, options)
    source = _name_of_data(data)
    if isinstance(data, Dataset):
        options = {**options, "columns": dict(data.columns)}
        vars(data).pop("_hashes", None)  # made again: images may have changed since it was loaded
    try:
        config = RunConfig(model=the_model.name, data=source, **options)
    except ValidationError as error:
        unknown = [str(e["loc"][0]) for e in error.errors() if e["type"] == "extra_forbidden"]
        if unknown:
            raise unknown_name(
                "option", unknown[0], RunConfig.model_fields, "options are the flags of mossbench run, with _ for -"
            ) from error
        faults = [f"`{'.'.join(map(str, fault['loc']))}` {fault_words(fault)}" for fault in error.errors()]
        raise UsageError(f"the run cannot start: {'; '.join(faults)}") from error
    whole = as_dataset(data, columns=config.columns)
    the_model.read_data(whole.samples, whole.columns)
    return config, the_model, whole


def show_data(models: Iterable[Model], data: str | Path | Dataset, columns: Mapping[str, str] | None = None) -> None:
    """Shows all models the data before the first is asked: a column that the last one lacks must not cost a run."""
    curious = [model for model in models if type(model).read_data is not Model.read_data]
    if not curious:
        return
    whole = as_dataset(data, columns=columns)
    for model in curious:
        model.read_data(whole.samples, whole.columns)


def model_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Those options of a run that make another model of the same name, as `load_model` calls them."""
    names = ("base_url", "as_published", "google_safety", "batch_size", "trust_remote_code", "model_name")
    given = {name: options[name] for name in names if options.get(name) not in (None, False)}
    return {{"google_safety": "safety"}.get(name, name): value for name, value in given.items()}


def resolved_options(model: Model, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the model was really made with: from a preset, an environment variable, or by whoever loaded it."""
    made = {{"safety": "google_safety"}.get(name, name): value for name, value in model.options.items()}
    made["base_url"] = model.base_url
    given = {**given, "base_url": (given.get("base_url") or "").rstrip("/") or None}
    for name, value in made.items():
        if name != "batch_size" and given.get(name) not in (None, False, value):
            raise UsageError(
                f"{model.name} was loaded with `{name}` {value!r}, but you asked for {given[name]!r}; load it with that"
            )
    return {name: value for name, value in made.items() if name != "batch_size"}


def check_endpoint(folder: RunFolder, model: str | Model | Answerer, options: Mapping[str, Any]) -> None:
    """A UsageError when a run is to go on whose folder does not say which endpoint it asked, and nobody else does."""
    if not folder.info_path.exists() or not (there := folder.info()).endpoint_unknown:
        return
    named = expand(model, options)[1].get("base_url") if isinstance(model, str) else getattr(model, "base_url", None)
    if named is None:
        url = preset_endpoint(there.config.model)
        raise UsageError(
            f"{folder.info_path} does not say which endpoint {there.config.model} was asked at; "
            f"give `base_url`{f' (the preset asks {url})' if url else ''} to resume it"
        )


def read_prices(prices: str | Path | Prices | None) -> Prices | None:
    return load_prices(prices) if isinstance(prices, (str, Path)) else prices


def select(dataset: Dataset, config: RunConfig) -> Dataset:
    if not len(selected := _named(dataset, config)):
        shard = f", `shard={config.shard!r}`" if config.shard else ""
        left = f"`side={config.side!r}`, `offset={config.offset}`{shard}"
        raise UsageError(f"no sample of {dataset.name} is left with {left}")
    return fitting(selected, arm_of(config.arm, config.system))


def _named(dataset: Dataset, config: RunConfig) -> Dataset:
    """The samples that a config names; a part takes every n-th id, so that twins stay together and parts are alike."""
    found = dataset.select(config.side).select(ids=config.ids or None, limit=config.limit, offset=config.offset)
    if config.shard is None:
        return found
    (i, n), ids = config.part, dict.fromkeys(sample.id for sample in found)
    return found.select(ids=list(ids)[i - 1 :: n])


def fitting(dataset: Dataset, arm: Arm) -> Dataset:
    """The samples that can be put under an arm; the others are not asked."""
    samples = tuple(filter(arm.fits, dataset.samples))
    if len(dataset) and not samples:
        raise UsageError(f"no sample of {dataset.name} has what the arm {arm.name!r} needs; 'sketches' has some")
    return dataset if len(samples) == len(dataset) else dataclasses.replace(dataset, samples=samples)


def left_out(dataset: Dataset, config: RunConfig, n_asked: int) -> tuple[str, ...]:
    """A notice where some of the chosen samples cannot be put under the run's arm."""
    if (n := len(_named(dataset, config))) == n_asked:
        return ()
    return (f"{n - n_asked} of {n} samples are not asked: they do not have what the arm {config.arm!r} needs",)


def default_folder(config: RunConfig) -> Path:
    """A new folder under `runs/`, named by the time, the model and the data."""
    name = config.model.split("/")[-1] if config.model.startswith(f"{RECORDED}/") else config.model
    name = config.model_name or name
    stem = f"{datetime.now():%Y-%m-%d-%H%M%S}-{slug(name)}-{slug(Path(config.data).name)}"
    tries = (Path("runs") / (stem + (f"-{i}" if i else "")) for i in range(1000))
    return next(path for path in tries if not path.exists())


def joined_info(folder: RunFolder, info: RunInfo, *, resume: bool, again: str) -> RunInfo:
    """The info with what the run in the folder has already; a UsageError when that one is in the way or differs."""
    if not folder.info_path.exists():
        if not folder.is_free():
            raise UsageError(f"folder {str(folder.path)!r} is not empty and holds no run; choose another `out`")
        return info
    there = folder.info()
    if not resume:
        raise UsageError(
            f"folder {str(folder.path)!r} already holds a run of {there.model}; "
            f"go on with it: {again}, or choose another `out`"
        )
    differences = there.differences(info)
    if there.config.model_name is None:  # written before recorded models had names: it gets its name now
        differences.pop("model_name", None)
    if differences:
        listed = "\n  ".join(differences.values())
        unset = ", unset the variable that names another endpoint (…_BASE_URL)" if "base_url" in listed else ""
        raise UsageError(
            f"the run in {str(folder.path)!r} was started with other options:\n  {listed}\n"
            f"resume it with the options that it has{unset}, or start a new run in another `out`"
        )
    if folder.samples_path.exists():  # one that is gone is written again: the data are the same, by hash
        folder.rows(there)
    same = ("one_format", "started", "traffic", "judge_prices", "verdicts", "engines")
    kept: dict[str, Any] = {name: getattr(there, name) for name in same}
    kept |= {"price": info.price or there.price, "suite": info.suite or there.suite}
    kept["sent"] = there.sent if "not_taken" in there.sent else info.sent
    kept["notices"] = tuple(dict.fromkeys(_still_true(there, info) + info.notices))
    return info.model_copy(update=kept)


def _still_true(there: RunInfo, info: RunInfo) -> tuple[str, ...]:
    """The notices of a run that goes on, without the question who answered where it is answered now."""
    if info.config.model_name is None:
        return there.notices
    return tuple(text for text in there.notices if not text.endswith(SAY_WHO_ANSWERED))


def describe_run(
    config: RunConfig,
    model: Model,
    dataset: Dataset,
    selected: Dataset,
    arms: tuple[Arm, ...],
    prices: str | Path | Prices | None = None,
) -> RunInfo:
    """run.json of a run; hashes are of the whole side, so that a limit does not make it another dataset."""
    notices = (
        *model.check(selected.samples),
        *left_out(dataset, config, len(selected)),
        *dataset.notes,
        *why_not_published(dataset),
    )
    rows = plan(selected, arms, config.epochs)
    return RunInfo(
        config=config,
        subject=subject_of(config, model.version),
        arms=arms,
        model_version=model.version,
        dataset=dataset_info(dataset),
        n_rows=len(rows),
        planted=planted_counts(model, rows, config),
        notices=notices,
        sent=model.settings_sent(settings_of(config)),
        price=price_of(config.model, base_url=config.base_url, prices=read_prices(prices)),
        mossbench=mossbench.__version__,
        python=platform.python_version(),
        started=now(),
    )


def planted_counts(model: Model, rows: Iterable[Row], config: RunConfig) -> dict[Side, PlantedCount]:
    """How many rows of each side the model is made to refuse; none where nothing was planted."""
    counts: dict[Side, PlantedCount] = {}
    for row in rows:
        refuses = model.is_planted_refusal(row.key, seed_of(config, row.key.epoch))
        if refuses is not None:
            counted = PlantedCount(rows=1, refused=int(refuses))
            counts[row.key.side] = counts.get(row.key.side, PlantedCount()) + counted
    return counts


def dataset_info(dataset: Dataset) -> DatasetInfo:
    """What run.json has on the data. Only what was found to be the published set, images too, is called `official`."""
    facts = {name: getattr(dataset, name) for name in DatasetInfo.model_fields}
    return DatasetInfo(**facts | {"name": name_on_record(dataset)})


@contextmanager
def saying_what_is_safe(folder: RunFolder, again: str, total: int) -> Iterator[None]:
    """Adds to what stops a run how much of it is safe and how to go on. The run is to have `total` answers."""
    try:
        yield
    except PlaceLost as lost:
        hint = _where_the_rest_is(lost, folder, again)
        if hint:
            lost.add_note(hint)
        raise
    except (MossbenchError, KeyboardInterrupt, asyncio.CancelledError) as error:
        hint = _what_is_safe(folder, again, total)
        if not isinstance(error, MossbenchError):
            early = "before the first answer" + (f"; go on with: {again}" if folder.info_path.exists() else "")
            raise Interrupted(f"stopped. {hint}" if hint else f"stopped {early}") from None
        if not hint and isinstance(error, StorageError):
            hint = _how_to_begin(folder, again)
        if hint:
            error.add_note(hint)
        raise


def _what_is_safe(folder: RunFolder, again: str, total: int) -> str:
    """How many answers are on record and how to go on; empty where there are none."""
    n_safe = len(answered(folder))
    out = said_out(folder.batches_path)
    if not n_safe and not out:
        return ""
    return f"{n_safe} of {total} answers are saved{out and f', {out}'}; go on with: {again}"


def _how_to_begin(folder: RunFolder, again: str) -> str:
    """How to go on with a run that could not be written before its first answer."""
    if folder.info_path.exists():
        return f"no answer is on record yet; then go on with: {again}"
    return "no request was sent; then run the same again"


def _where_the_rest_is(lost: PlaceLost, folder: RunFolder, again: str) -> str:
    """Where a run is of which a file or the folder was moved, and how to go on; empty where nothing is left."""
    if lost.folder_now is None:
        return ""
    if lost.folder is None:
        first = f"move it back to {str(lost.path)!r}, then " if lost.file.now else ""
        return f"{first}go on with: {again}"
    there = RunFolder(lost.folder_now)
    if again != folder.again:  # a command that names the old place, perhaps among others
        return f"move it back to {str(folder.path)!r}, then go on with: {again}"
    return f"{len(answered(there))} answers are saved in {str(there.path)!r}; go on with: {there.again}"


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
