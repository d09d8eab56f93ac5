"""Shards: runs of the parts of one run (`shard` of `RunConfig`), joined to the run that asks all of it at once.

Nothing is joined that differs in what moves a number, that lacks a row, or that has one twice: rows, verdicts and
run.json are those of the undivided run.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from mossbench.datasets import as_dataset
from mossbench.datasets.arms import plan
from mossbench.errors import RunError, UsageError
from mossbench.models.connections import Traffic
from mossbench.outcomes import Judgement, Key
from mossbench.protocols import not_taken
from mossbench.results.table import Results, load_results
from mossbench.runs.asking import in_turn
from mossbench.runs.describing import dataset_info
from mossbench.runs.selection import notice_of_samples_left_out, select_samples
from mossbench.samples import Side
from mossbench.store.config import PlantedCount, RunInfo
from mossbench.store.run_folder import RunFolder

Shards = Mapping[RunFolder, RunInfo]


def merge_runs(folders: Iterable[str | Path], out: str | Path) -> Results:
    """Joins the runs of all shards into one run in `out`; their data have to be where they were.

    It can be stopped at any moment and repeated: an `out` that holds exactly this merge, or a part of it, is taken for
    what it is.

    Raises:
        UsageError: They are not shards of one run.
        RunError: One is not finished or not judged as the others are, or rows are missing or there twice.
    """
    shards = {folder: folder.info() for folder in map(RunFolder, map(Path, folders))}
    target = RunFolder(Path(out))
    _check_alike(shards)
    shards = dict(sorted(shards.items(), key=lambda shard: shard[1].config.part))  # in whichever order they are named
    if not target.info_path.exists():
        target.check_free(or_begun=True)
    for folder, info in shards.items():
        if not info.ended:
            has = f"it has {len(folder.exchanges()):,} of {info.n_rows:,} rows"
            raise RunError(f"shard {info.config.shard} is not finished, {has}; go on with it: {folder.again}")
    infos = list(shards.values())
    config = infos[0].config.model_copy(update={"shard": None})
    data = as_dataset(config.data, columns=config.columns)
    if dataset_info(data.select(config.side)).hashes != infos[0].dataset.hashes:
        raise UsageError(f"the data in {config.data!r} are not those that were asked: their hashes differ")
    samples = select_samples(data, config)
    rows = in_turn(plan(samples, infos[0].arms, config.epochs), config.seed)
    found = {folder: folder.whole(info)[1] for folder, info in shards.items()}
    _check_rows([row.key for row in rows], found, shards)
    exchanges = {key: one for some in found.values() for key, one in some.items()}
    judged = {label: _judgements(shards, label) for label in dict.fromkeys(n for info in infos for n in info.verdicts)}
    of_parts = {
        text
        for info in infos
        for text in notice_of_samples_left_out(data, info.config, len(select_samples(data, info.config)))
    }
    said = [text for info in infos for text in info.notices if text not in of_parts]
    if len(versions := sorted({info.mossbench for info in infos})) > 1:
        said.append(f"the shards were asked by different versions of mossbench: {' and '.join(versions)}")
    update = {
        "config": config,
        "n_rows": len(rows),
        "planted": _planted(infos),
        "notices": tuple(dict.fromkeys([*said, *notice_of_samples_left_out(data, config, len(samples))])),
        "price": infos[0].price if all(info.price == infos[0].price for info in infos) else None,
        "traffic": sum((info.traffic for info in infos), Traffic()),
        "engines": tuple(dict.fromkeys(name for info in infos for name in info.engines)),
        "started": min(info.started for info in infos),
        "ended": max(str(info.ended) for info in infos),
        "verdicts": {label: len(some) for label, some in judged.items()},
        "failed": sum(one.answer.error is not None for one in exchanges.values()),
    }
    texts = _drift_texts(shards, judged, target)
    if logs := [path.read_text("utf-8", "replace") for one in shards if (path := one.errors_path).exists()]:
        texts[target.errors_path] = "".join(logs)
    in_order = {label: [some[row.key] for row in rows if row.key in some] for label, some in judged.items()}
    info = infos[0].model_copy(update=update)
    with target.held():
        target.write(info, samples, [exchanges[row.key] for row in rows], in_order, texts)
    return load_results(target.path)


def _planted(infos: Iterable[RunInfo]) -> dict[Side, PlantedCount]:
    """What was planted in all shards together."""
    counts: dict[Side, PlantedCount] = {}
    for info in infos:
        for side, count in info.planted.items():
            counts[side] = counts.get(side, PlantedCount()) + count
    return dict(sorted(counts.items()))


def _drift_texts(shards: Shards, labels: Iterable[str], target: RunFolder) -> dict[Path, str]:
    """What is to be said of judges that have drifted.

    What was found of a part holds for the whole; that nothing was, only if all were checked.
    """
    texts = {}
    for label in labels:
        told = [path.read_text("utf-8").strip() for one in shards if (path := one.drift_path(label)).exists()]
        if any(told) or len(told) == len(shards):
            texts[target.drift_path(label)] = "; ".join(dict.fromkeys(filter(None, told)))
    return texts


def _check_alike(shards: Shards) -> None:
    """A UsageError where they differ in subject, data or protocol."""
    if not shards:
        raise UsageError("no shards to merge; name their folders")
    for folder, info in shards.items():
        if info.config.shard is None:
            raise UsageError(f"the run in {str(folder.path)!r} is no shard: it was asked without `shard`")
    first, one = next(iter(shards.items()))
    for folder, other in shards.items():
        differing = one.differing(other) | {
            "number of shards": (one.config.part[1], other.config.part[1]),
            "arms": (one.arms, other.arms),
            "one_format": (one.one_format, other.one_format),
            "settings not taken": (not_taken(one.sent), not_taken(other.sent)),
        }
        differing.pop("shard", None)
        if listed := [f"{name}: {a!r} and {b!r}" for name, (a, b) in differing.items() if a != b]:
            named = f"the runs in {str(first.path)!r} and {str(folder.path)!r}"
            raise UsageError(f"{named} are not shards of one run; they differ in\n  " + "\n  ".join(listed))


def _check_rows(planned: Collection[Key], found: Mapping[RunFolder, Collection[Key]], shards: Shards) -> None:
    """A RunError where rows are missing, there twice, or of no plan."""
    counts = Counter(key for keys in found.values() for key in keys)
    if twice := [key for key in planned if counts[key] > 1]:
        where = [str(folder.path) for folder, keys in found.items() if twice[0] in keys]
        raise RunError(f"{_named(twice)} in more than one shard, the first in {' and '.join(where)}; leave one out")
    if missing := [key for key in planned if not counts[key]]:
        n = next(iter(shards.values())).config.part[1]
        absent = sorted(set(range(1, n + 1)) - {info.config.part[0] for info in shards.values()})
        shard = f"; no folder is of shard {', '.join(f'{i}/{n}' for i in absent)}" if absent else ""
        raise RunError(f"{_named(missing)} in no shard{shard}")
    if others := sorted(counts.keys() - set(planned)):
        raise RunError(f"{_named(others)} in a shard, but not in the run that it is a part of")


def _judgements(shards: Shards, label: str) -> dict[Key, Judgement]:
    judged = {folder: folder.judgements(label) for folder in shards}
    for folder, info in shards.items():
        folder.check_verdicts(info, label, len(judged[folder]))
        if label not in info.verdicts:
            judge = f"`judge_run({str(folder.path)!r}, {label.rpartition('/')[0]!r})`"
            raise RunError(f"shard {info.config.shard} has no verdicts of {label}, as others have; judge it: {judge}")
    return {key: one for some in judged.values() for key, one in some.items()}


def _named(keys: list[Key]) -> str:
    few = ", ".join(f"{key.side} {key.sample} ({key.arm}, epoch {key.epoch})" for key in keys[:5])
    return f"1 row ({few}) is" if len(keys) == 1 else f"{len(keys):,} rows ({few}{', …' if len(keys) > 5 else ''}) are"
