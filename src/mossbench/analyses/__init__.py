"""Analyses: why a model turns requests down, and what that costs.

One run folder serves all analyses of a model: the union of the arms that they need is asked, each row once. A further
analysis with the same folder asks only what is missing, and its page shows all of them.
"""

import dataclasses
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Unpack

from mossbench.analyses.analysis import (
    ANALYSES,
    DOES,
    Analysed,
    Analysis,
    NotPossible,
    Options,
    Part,
    Skipped,
    read_options,
)
from mossbench.analyses.claims import jointly
from mossbench.analyses.folders import (
    PAGE,
    AnyModel,
    as_there,
    check_there,
    earlier_parts,
    folders_of,
    material_in,
    model_in,
    saved_config,
    widen,
)
from mossbench.analyses.material import prepared
from mossbench.analyses.sending import missing, n_missing, unlike
from mossbench.datasets import Dataset, load_dataset
from mossbench.datasets.arms import Arm, joined
from mossbench.errors import MossbenchError, RunError, UsageError, unknown_name
from mossbench.judges import DEFAULT_JUDGE, Judge
from mossbench.judges.judge import Reader
from mossbench.models import load_model
from mossbench.plumbing.lines import parsed_once
from mossbench.plumbing.storage import slug
from mossbench.results.table import Results, load_results
from mossbench.runs.asking import answered
from mossbench.runs.forecast import Forecast, forecast_run
from mossbench.runs.image_cache import ImageCache
from mossbench.runs.progress import OnProgress
from mossbench.runs.running import run
from mossbench.store.config import RunConfig, RunOptions
from mossbench.store.prices import Prices
from mossbench.store.run_folder import RunFolder

DEFAULT_DATA = RunConfig.model_fields["data"].default
NOT_TAKEN = {"model", "data", "columns", "judge", "side"}
"""What of a run's config is not simply as it was when it is gone on with."""


def load_analysis(name: str) -> Analysis:
    if name not in ANALYSES:
        raise unknown_name("analysis", name, ANALYSES, f"known: {', '.join(ANALYSES)}, or all")
    module = import_module(f"mossbench.analyses.{name}")
    does = {one: getattr(module, one) for one in DOES if hasattr(module, one)}
    return Analysis(**ANALYSES[name], **does)


@parsed_once()
def analyse(
    names: str | Iterable[str],
    models: AnyModel | Sequence[AnyModel] = (),
    data: str | Path | Dataset | None = None,
    *,
    judge: str | Judge | Reader | None = None,
    out: str | Path | None = None,
    resume: bool | str | Path = False,
    progress: OnProgress | None = None,
    options: Options | Mapping[str, Any] | None = None,
    again: str = "",
    prices: str | Path | Prices | None = None,
    max_cost: float | None = None,
    **run_options: Unpack[RunOptions],
) -> Analysed:
    """Asks the models under every arm that the named analyses need, and measures.

    Args:
        names: Names of analyses, or `all`.
        models: One model or several, as for `run`; on resume the run's own, when none is named.
        data: Name or path of a dataset, or a Dataset; by default the sketches, on resume the run's own.
        judge: As for `run`; by default `rules`, on resume the run's own.
        out: Folder of the run, or of the runs of several models; by default a new one under `runs/`.
        resume: Go on in `out`, or in the folder given here: rows that are there are not asked again; arms, and a
            side, that are not there are added. What is not said is as it was.
        progress: Called after each row.
        options: What the analyses are told: `Options`, or a dict of its fields.
        again: The command that a user is told to go on with, without the folder.
        prices: As for `run`.
        max_cost: As for `run`, for all models together; a RunError when it is reached, since a part of the rows says
            nothing. Models that only read answers (`Options`) are not in it.
        run_options: As for `run`: side, limit, epochs, temperature, …

    Raises:
        UsageError: An unknown name, or nothing that was named can be done with these data or so many models.
    """
    plan = _planned(names, models, data, judge, out, resume, options, run_options)
    for reading in filter(None, (plan.options.tagger_model, plan.options.caption_model)):
        load_model(reading)  # a typo in it must not cost a run
    of, doing, top = plan.of, plan.doing, plan.top
    hint = f"{again} --resume {shlex.quote(str(top))}" if again else f"`analyse({list(of)}, resume={str(top)!r})`"
    runs, images = list[Results](), ImageCache()
    for model, folder, reader, asking in zip(plan.models, plan.folders, plan.judges, plan.asking, strict=True):
        asking["side"] = widen(folder, model, plan.dataset, plan.side, asking) if plan.resume else plan.side
        asking |= {"judge": reader, "progress": progress, "again": hint}
        asking |= {"images": images, "prices": prices, "one_format": True}
        arms = as_there(folder, plan.arms) if plan.resume else plan.arms
        others = sum(one.spent().total or 0.0 for one in runs)
        asking["max_cost"] = None if max_cost is None else max(max_cost - others, 1e-9)
        results = _whole(run(model, plan.dataset, arms=arms, out=folder, resume=plan.resume, **asking), hint, others)
        here = {name: one for name, one in doing.items() if one.follow_up}
        more, _ = _arms(here, lambda name, one: one.follow_up(results, of[name]))  # type: ignore[misc]  # noqa: B023
        if more:
            more = as_there(folder, more)
            results = _whole(run(model, plan.dataset, arms=more, out=folder, resume=True, **asking), hint, others)
        runs.append(results if arms or more else load_results(folder, judge=results.judge, arms="all"))
        for name, one in doing.items():
            if one.read:
                one.read(runs[-1], of[name])
    notices = plan.notices if any(one.material for one in doing.values()) else ()
    return _measured(Analysed(tuple(runs), (), top, notices, tuple(of)), of, plan.skipped)


def forecast_analysis(
    names: str | Iterable[str],
    models: AnyModel | Sequence[AnyModel] = (),
    data: str | Path | Dataset | None = None,
    *,
    judge: str | Judge | Reader | None = None,
    out: str | Path | None = None,
    resume: bool | str | Path = False,
    options: Options | Mapping[str, Any] | None = None,
    latency: float | None = None,
    prices: str | Path | Prices | None = None,
    prepare: bool = True,
    **run_options: Unpack[RunOptions],
) -> tuple[Forecast, ...]:
    """What `analyse` with the same arguments would ask of each model, without what only the answers decide."""
    plan = _planned(names, models, data, judge, out, resume, options, run_options)
    found, later = [], []
    if any(one.follow_up for one in plan.doing.values()):
        later.append("further requests about refused samples, which the answers decide, are not counted")
    if plan.options.tagger_model or plan.options.caption_model:
        later.append("the calls of a model that reads refusals or captions are not counted")
    for model, folder, reader, asking in zip(plan.models, plan.folders, plan.judges, plan.asking, strict=True):
        asking |= {"side": plan.side, "latency": latency, "prices": prices, "prepare": prepare}
        asking |= {"judge": reader, "done": answered(RunFolder(folder))}
        one = forecast_run(model, plan.dataset, arms=plan.arms, **asking)
        found.append(dataclasses.replace(one, notices=(*one.notices, *later)))
    return tuple(found)


@dataclasses.dataclass(frozen=True)
class _Plan:
    """What is to be asked of whom, for which analyses."""

    of: dict[str, Options]
    """What each of the named analyses is told."""
    doing: dict[str, Analysis]
    """Those of them that can be done."""
    skipped: dict[str, Skipped]
    options: Options
    models: list[AnyModel]
    top: Path
    folders: list[Path]
    judges: list[str | Judge | Reader]
    asking: list[dict[str, Any]]
    resume: bool
    dataset: Dataset
    notices: tuple[str, ...]
    side: Any
    arms: tuple[Arm, ...]


def _planned(
    names: str | Iterable[str],
    models: AnyModel | Sequence[AnyModel],
    data: str | Path | Dataset | None,
    judge: str | Judge | Reader | None,
    out: str | Path | None,
    resume: bool | str | Path,
    options: Options | Mapping[str, Any] | None,
    run_options: RunOptions,
) -> _Plan:
    """The plan; takes `epochs`, `side` and `columns` out of the run's options."""
    wanted = {name: load_analysis(name) for name in _listed(names)}
    if not isinstance(resume, bool):
        out, resume = resume, True
    all_models = list(models) if isinstance(models, Sequence) and not isinstance(models, str) else [models]
    all_models = all_models or [model_in(out)]
    if resume:
        check_there(out)
    named = [
        one if isinstance(one, str) else getattr(one, "name", getattr(one, "__name__", "model")) for one in all_models
    ]
    top, folders = folders_of(named, getattr(data, "name", str(data or DEFAULT_DATA)), out)
    saved = [saved_config(folder) if resume else {} for folder in folders]
    there = material_in(top) if resume else Options()
    options = read_options(options)
    options = dataclasses.replace(options, boxes=options.boxes or there.boxes, oracle=options.oracle or there.oracle)
    epochs = _epochs(run_options.pop("epochs", None), options)
    of = {name: dataclasses.replace(options, epochs=epochs or one.epochs) for name, one in wanted.items()}
    side = run_options.pop("side", None) or ("both" if any(one.side == "both" for one in wanted.values()) else "benign")
    source = data if data is not None else next((one["data"] for one in saved if "data" in one), DEFAULT_DATA)
    columns = run_options.pop("columns", None) or next((one["columns"] for one in saved if one.get("columns")), {})
    loaded = source if isinstance(source, Dataset) else load_dataset(source, columns=columns)
    dataset, notices = prepared(loaded, options)

    def arms_of(name: str, one: Analysis) -> Sequence[Arm]:
        if one.n_models not in (None, len(all_models)):  # said before anything is asked
            raise NotPossible(f"{name} compares {one.n_models} models, not {len(all_models)}; name them by `models`")
        return one.arms(dataset, of[name])

    arms, skipped = _arms(wanted, arms_of)
    doing = {name: one for name, one in wanted.items() if name not in skipped}
    if not doing:
        raise NotPossible("; ".join(dict.fromkeys(part.why for part in skipped.values())))
    judges = [judge or config.get("judge") or DEFAULT_JUDGE for config in saved]
    asking = [{**{k: v for k, v in config.items() if k not in NOT_TAKEN}, **run_options} for config in saved]
    whom = (all_models, top, folders, judges, asking)
    return _Plan(of, doing, skipped, options, *whom, resume, dataset, notices, side, arms)


def _epochs(of_the_run: int | None, options: Options) -> int | None:
    """How often the plain request is asked, as the options or the keyword say; a UsageError where they disagree."""
    if of_the_run is None:
        return options.epochs
    if options.epochs is not None and options.epochs != of_the_run:
        raise UsageError(f"`epochs` is {of_the_run}, but {options.epochs} in `options`; leave one of them out")
    return Options(epochs=of_the_run).epochs  # which refuses what is no number of epochs


def _whole(results: Results, again: str, others: float) -> Results:
    """The results; a RunError where the cost limit left rows out, with what other models took of it."""
    open_rows = results.open_rows()
    if open_rows is not None and results.info.max_cost is not None:
        before = f"{others:.4g} USD went to other models, and with the rest " if others else ""
        raise RunError(f"{results.model}: {before}{open_rows.message(again)}")
    return results


def analyse_runs(
    names: str | Iterable[str],
    folders: Sequence[str | Path],
    *,
    judge: str | None = None,
    out: str | Path | None = None,
    options: Options | Mapping[str, Any] | None = None,
) -> Analysed:
    """Measures on runs that are there, without asking anything; what their arms do not allow is skipped.

    Args:
        names: Names of analyses, or `all`.
        folders: Folders of runs, in the order in which they are compared.
        judge: Name of the judge whose verdicts are read; by default each run's own.
        out: Folder of the page; by default that of the first run.
        options: What the analyses are told.

    Raises:
        UsageError: An unknown name, no run in a folder, or nothing that was named can be done with these runs.
    """
    told = read_options(options)
    if told.epochs is not None:
        raise UsageError(f"`epochs` is {told.epochs}, but runs that are there are asked nothing more; leave it out")
    runs = tuple(load_results(folder, judge=judge, arms="all") for folder in folders)
    wanted = _listed(names)
    if not runs:
        raise UsageError("no run is named; give the folders of one or more runs")
    # The page of several runs is not that of the first one, which may have its own.
    stem = "-with-".join([PAGE, *(slug(run.name) for run in runs[1:])]) if out is None else PAGE
    folder = Path(out) if out is not None else runs[0].folder
    return _measured(Analysed(runs, (), folder, (), tuple(wanted), stem), dict.fromkeys(wanted, told), {})


def _measured(bare: Analysed, of: dict[str, Options], skipped: dict[str, Skipped]) -> Analysed:
    """With the parts that were asked for, and those that the folder's page shows already, in the order of `ANALYSES`.

    Rows of a later analysis may count in an earlier one, so all are measured again.
    """
    rule = next(iter(of.values())).rule
    earlier = earlier_parts(bare.folder, bare.stem, bare)
    told = {name: dataclasses.replace(options, rule=rule) for name, options in earlier.items() if name in ANALYSES} | of
    parts = [
        part
        for name in ANALYSES
        if name in told
        for part in (
            [Part(name, "", skipped[name])]
            if name in skipped
            else _parts(name, bare.runs, told[name], NotPossible if name in of else MossbenchError)
        )
    ]
    parts = jointly(parts)
    found = [part.record for part in parts if part.name in of]
    if all(isinstance(record, Skipped) for record in found):
        raise NotPossible("; ".join(dict.fromkeys(record.why for record in found)))
    several = len(bare.runs) > 1
    lost = [
        f"{run.model}: {text}" if several else text for run in bare.runs for text in (*missing(run, rule), *unlike(run))
    ]
    return dataclasses.replace(bare, parts=tuple(parts), notices=(*lost, *bare.notices), rule=rule)


def _listed(names: str | Iterable[str]) -> list[str]:
    listed = [names] if isinstance(names, str) else list(names)
    if not listed:
        raise UsageError(f"no analysis is named; known: {', '.join(ANALYSES)}, or all")
    return list(ANALYSES) if "all" in listed else list(dict.fromkeys(listed))


def _arms(
    wanted: dict[str, Analysis], arms_of: Callable[[str, Analysis], Sequence[Arm]]
) -> tuple[tuple[Arm, ...], dict[str, Skipped]]:
    """All arms that are needed, and why some analyses cannot have theirs."""
    found, skipped = list[Arm](), dict[str, Skipped]()
    for name, one in wanted.items():
        try:
            found += arms_of(name, one)
        except NotPossible as error:
            skipped[name] = Skipped(str(error))
    return joined(found), skipped


def _parts(name: str, runs: Sequence[Results], options: Options, why: type[MossbenchError]) -> list[Part]:
    """The analysis of each run and across them; what fails for a reason `why` is skipped."""
    one = load_analysis(name)
    found = [(run.model, _record(one.measure, run, options, why), [run]) for run in runs if one.measure]
    if one.across and (len(runs) > 1 or not one.measure):
        found.append(("", _record(one.across, runs, options, why), list(runs)))
    return [
        Part(name, model, record, options, sum(map(len, those)), sum(map(n_missing, those)))
        for model, record, those in found
    ]


def _record(measure: Callable[[Any, Options], Any], measured: Any, options: Options, why: type[MossbenchError]) -> Any:
    try:
        return measure(measured, options)
    except why as error:
        return Skipped(str(error))
