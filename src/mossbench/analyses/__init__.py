"""Analyses: why a model turns requests down, and what that costs.

One run folder serves all analyses of a model: the union of the arms that they need is asked, each row once. A further
analysis with the same folder asks only what is missing.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from mossbench.analyses.analysis import Analysed, Analysis, NotPossible, Options, Part, Skipped
from mossbench.analyses.material import prepared
from mossbench.arms import Arm, joined
from mossbench.datasets import Dataset, load_dataset
from mossbench.errors import UsageError, unknown_name
from mossbench.judges import DEFAULT_JUDGE, Judge
from mossbench.judges.judge import Reader
from mossbench.loop import OnProgress
from mossbench.models import Model
from mossbench.models.model import Answerer
from mossbench.results import Results, load_results
from mossbench.runfolder import RunConfig, slug
from mossbench.runs import default_folder, run

ANALYSES = {
    "tradeoff": "mossbench.analyses.tradeoff",
    "prompts": "mossbench.analyses.prompts",
    "causes": "mossbench.analyses.causes",
    "counterfactuals": "mossbench.analyses.counterfactuals",
    "stages": "mossbench.analyses.stages",
    "distortions": "mossbench.analyses.distortions",
    "access": "mossbench.analyses.access",
    "consistency": "mossbench.analyses.consistency",
}
"""Name -> the module that has it, as `ANALYSIS`."""

AnyModel = str | Model | Answerer


def load_analysis(name: str) -> Analysis:
    """The analysis of that name."""
    if name not in ANALYSES:
        raise unknown_name("analysis", name, ANALYSES, f"known: {', '.join(ANALYSES)}, or all")
    found: Analysis = import_module(ANALYSES[name]).ANALYSIS
    return found


def analyse(
    names: str | Iterable[str],
    models: AnyModel | Sequence[AnyModel],
    data: str | Path | Dataset = RunConfig.model_fields["data"].default,
    *,
    judge: str | Judge | Reader = DEFAULT_JUDGE,
    out: str | Path | None = None,
    resume: bool = False,
    progress: OnProgress | None = None,
    options: Options | None = None,
    **run_options: Any,
) -> Analysed:
    """Asks the models under every arm that the named analyses need, and measures.

    Args:
        names: Names of analyses, or `all`.
        models: One model or several, as for `run`.
        data: Name or path of a dataset, or a Dataset.
        judge: As for `run`.
        out: Folder of the run, or of the runs of several models; by default a new one under `runs/`.
        resume: Go on in `out`: rows that are there are not asked again, arms that are not there are added.
        progress: Called after each row.
        options: What the analyses are told.
        run_options: As for `run`: side, limit, epochs, temperature, …

    Raises:
        UsageError: An unknown name, or nothing that was named can be done with these data.
    """
    wanted = {name: load_analysis(name) for name in _listed(names)}
    several = isinstance(models, Sequence) and not isinstance(models, str)
    all_models: Sequence[AnyModel] = list(models) if several else [models]  # type: ignore[list-item, arg-type]
    options = options or Options()
    epochs = run_options.pop("epochs", None)
    of = {name: dataclasses.replace(options, epochs=epochs or one.epochs) for name, one in wanted.items()}
    run_options.setdefault("side", "both" if any(one.side == "both" for one in wanted.values()) else "benign")
    dataset, notices = prepared(data if isinstance(data, Dataset) else load_dataset(data), options)
    arms, skipped = _arms(wanted, lambda name, one: one.arms(dataset, of[name]))
    folders = _folders(all_models, dataset, out)
    runs = []
    for model, folder in zip(all_models, folders, strict=True):
        asking = {"judge": judge, "out": folder, "progress": progress, **run_options}
        results = run(model, dataset, arms=arms, resume=resume, **asking)
        here = {name: one for name, one in wanted.items() if one.follow_up and name not in skipped}
        more, _ = _arms(here, lambda name, one: one.follow_up(results, of[name]))  # type: ignore[misc]  # noqa: B023
        runs.append(run(model, dataset, arms=more, resume=True, **asking) if more else results)
        for name, one in wanted.items():
            if one.read and name not in skipped:
                one.read(runs[-1], of[name])
    parts = [
        part
        for name, one in wanted.items()
        for part in ([Part(name, "", skipped[name])] if name in skipped else _parts(name, one, runs, of[name]))
    ]
    return _whole(Analysed(tuple(runs), tuple(parts), Path(out) if out is not None else folders[0], notices))


def analyse_runs(
    names: str | Iterable[str],
    folders: Sequence[str | Path],
    *,
    judge: str | None = None,
    out: str | Path | None = None,
    options: Options | None = None,
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
    runs = tuple(load_results(folder, judge=judge, arms="all") for folder in folders)
    wanted = {name: load_analysis(name) for name in _listed(names)}
    parts = [part for name, one in wanted.items() for part in _parts(name, one, runs, options or Options())]
    return _whole(Analysed(runs, tuple(parts), Path(out) if out is not None else runs[0].folder))


def _whole(analysed: Analysed) -> Analysed:
    """The same, or NotPossible when there is nothing in it."""
    why = dict.fromkeys(part.record.why for part in analysed.parts if isinstance(part.record, Skipped))
    if all(isinstance(part.record, Skipped) for part in analysed.parts):
        raise NotPossible("; ".join(why))
    return analysed


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


def _parts(name: str, one: Analysis, runs: Sequence[Results], options: Options) -> list[Part]:
    found = [Part(name, run.model, _record(one.measure, run, options)) for run in runs if one.measure]
    if one.across and (len(runs) > 1 or not one.measure):
        found.append(Part(name, "", _record(one.across, runs, options)))
    return found


def _record(measure: Callable[[Any, Options], Any], measured: Any, options: Options) -> Any:
    try:
        return measure(measured, options)
    except NotPossible as error:
        return Skipped(str(error))


def _folders(models: Sequence[AnyModel], dataset: Dataset, out: str | Path | None) -> list[Path]:
    """A folder for each model: `out` itself for one, folders in it for several."""
    names = [one if isinstance(one, str) else getattr(one, "name", getattr(one, "__name__", "model")) for one in models]
    top = Path(out) if out is not None else default_folder(RunConfig(model="+".join(names)[:80], data=dataset.name))
    return [top] if len(models) == 1 else [top / slug(name) for name in names]
