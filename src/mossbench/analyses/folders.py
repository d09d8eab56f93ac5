"""The folders that analyses lie in: one run a model, which later analyses go on with, whatever they need."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mossbench.analyses.analysis import TOLD, Analysed, Options
from mossbench.datasets import Dataset
from mossbench.datasets.arms import Arm
from mossbench.errors import UsageError
from mossbench.models import Model
from mossbench.models.model import Answerer
from mossbench.models.presets import with_retired_models
from mossbench.plumbing.lines import write_lines
from mossbench.plumbing.reading import parse_json, read_file
from mossbench.plumbing.storage import slug
from mossbench.runs.config import DatasetInfo, RunConfig
from mossbench.runs.folder import RunFolder
from mossbench.runs.running import default_folder, describe_run, prepare_run, select
from mossbench.samples import Side

AnyModel = str | Model | Answerer
PAGE = "analysis"
"""How the files of an analysis are named, before .html and .json."""


def folders_of(names: Sequence[str], data: str, out: str | Path | None) -> tuple[Path, list[Path]]:
    """The folder of all, and one for each model: the same for one, folders in it for several, each of its own."""
    top = Path(out) if out is not None else default_folder(RunConfig(model="+".join(names)[:80], data=data))
    if len(names) == 1:
        return top, [top]
    found: list[Path] = []
    for stem in map(slug, names):
        n = sum(path.name == stem or path.name.startswith(f"{stem}~") for path in found)
        found.append(top / (f"{stem}~{n + 1}" if n else stem))
    return top, found


def as_there(folder: Path, arms: Iterable[Arm]) -> tuple[Arm, ...]:
    """The arms as the run in a folder has them, if an earlier version put them in other words: one way, one name."""
    there = {arm.name: arm for arm in RunFolder(folder).arms()}

    def same(arm: Arm) -> Arm:
        kept = {"side": arm.side, "ids": arm.ids, "epochs": arm.epochs}
        return there[arm.name].model_copy(update=kept) if arm.name in there else arm

    return tuple(map(same, arms))


def saved_config(folder: Path) -> dict[str, Any]:
    """What the run in a folder was asked for, as far as it is not the default; empty when there is none."""
    there = RunFolder(folder)
    return there.info().config.model_dump(exclude_defaults=True) if there.info_path.exists() else {}


def model_in(folder: str | Path | None) -> str:
    if folder is None:
        raise UsageError("analyse needs a model: name one by `models`, such as control/candid, or a run by `resume`")
    check_there(folder)
    if not (Path(folder) / "run.json").exists() and any(Path(folder).glob("*/run.json")):
        raise UsageError(f"{str(folder)!r} holds the runs of several models; name those that you mean by `models`")
    return RunFolder(Path(folder)).info().config.model


def check_there(folder: str | Path | None) -> None:
    """A UsageError when there is no folder to go on in."""
    if folder is None or not Path(folder).is_dir():
        raise UsageError(f"there is no folder {str(folder)!r} to go on in; `out` starts a new one")


def widen(folder: Path, model: AnyModel, dataset: Dataset, side: str, options: dict[str, Any]) -> str:
    """The sides that a run has once `side` is asked too; one that lacks a side gets its samples, and keeps all else.

    Arms that are there stay on the side that they were put on. Where anything else differs, nothing is changed: `run`
    refuses it.
    """
    the_folder = RunFolder(folder)
    if not the_folder.info_path.exists():
        return side
    with the_folder.held():
        info = the_folder.info()
        if info.config.side in ("both", side):
            return info.config.side
        with with_retired_models():
            config, the_model, whole = prepare_run(model, dataset, side="both", **options)
        asked = describe_run(config, the_model, whole, select(whole, config), info.arms)
        update = {
            "config": info.config.model_copy(update={"side": "both"}),
            "dataset": asked.dataset.model_copy(update={"hashes": {**asked.dataset.hashes, **info.dataset.hashes}}),
            "arms": tuple(arm.model_copy(update={"side": arm.side or Side(info.config.side)}) for arm in info.arms),
        }
        wider = info.model_copy(update=update)
        if not wider.differences(asked):
            there = {sample.key: sample for sample in the_folder.samples()}
            more = [sample for sample in select(whole, config) if sample.key not in there]
            write_lines(the_folder.samples_path, [*there.values(), *more])  # first: rows are not counted without them
            the_folder.write_info(wider)
        return "both"


def earlier_parts(folder: Path, stem: str, analysed: Analysed) -> dict[str, Options]:
    """The analyses that the page in a folder shows of the same models and data, and what they were told."""
    found = read_analysis(folder / f"{stem}.json")
    earlier = found.get("runs", [])
    if len(earlier) != len(analysed.runs):
        return {}
    for before, run in zip(earlier, analysed.runs, strict=True):
        if before.get("model") != run.model or not _is_same_data(before, run.info.dataset):
            return {}
    parts = [part for part in found.get("parts", []) if not was_skipped(part)]
    return {part.get("name", ""): told(part.get("options", {})) for part in parts}


def was_skipped(part: Mapping[str, Any]) -> bool:
    """Whether a part in the JSON of a page was not done: its record is a `Skipped`, which has nothing but a reason."""
    record = part.get("record")
    return isinstance(record, dict) and set(record) == {"why"}


def _is_same_data(before: Mapping[str, Any], data: DatasetInfo) -> bool:
    """Whether a run in the JSON of a page is on these data: the same name and a side in common."""
    hashes = before.get("hashes")
    if not isinstance(hashes, dict):
        return _label_names(before.get("data"), data)
    earlier = set(hashes.values())
    own = set(data.hashes.values())
    return before.get("dataset") == data.name and (bool(earlier & own) or not (earlier or own))


def _label_names(label: Any, data: DatasetInfo) -> bool:
    """The same of a page of an earlier version, which has the data in words alone: `sketches benign@0123456789ab`."""
    if not isinstance(label, str) or not label.startswith(data.name):
        return False
    named = set(re.findall(r"@([0-9a-f]{12})", label))
    own = {digest[:12] for digest in data.hashes.values()}
    return bool(named & own) or not (named or own)


def material_in(folder: Path) -> Options:
    """The boxes and oracle texts that the analyses in a folder were given."""
    parts = read_analysis(folder / f"{PAGE}.json").get("parts", [])
    return told({name: value for part in parts for name, value in part.get("options", {}).items()})


def told(options: dict[str, Any]) -> Options:
    """Options as a file has them; what it has beside them is none."""
    known = {name: options[name] for name in TOLD if name in options}
    try:
        return Options(**known)
    except UsageError:  # somebody changed the file
        return Options()


def read_analysis(path: Path) -> dict[str, Any]:
    """What an earlier analysis wrote; empty when there was none, or somebody changed it."""
    try:
        found = parse_json(read_file(path))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) and found.get("made_by") == Analysed.MADE_BY else {}
