"""Shards: runs of the parts of one run (`shard` of `RunConfig`), joined to the run that asks all of it at once.

Nothing is joined that differs in what moves a number, that lacks a row, or that has one twice: rows, verdicts and
run.json are those of the undivided run.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TypeVar

from mossbench.datasets import Dataset, as_dataset
from mossbench.datasets.planned_rows import plan
from mossbench.errors import RunError, UsageError
from mossbench.models.connections import Traffic
from mossbench.outcomes import Exchange, Judgement, Key
from mossbench.protocols import not_taken
from mossbench.results.table import Results, load_results
from mossbench.runs.describing import dataset_info
from mossbench.runs.row_asking import in_asking_order
from mossbench.runs.selection import notice_of_samples_left_out, select_samples
from mossbench.samples import Side
from mossbench.store.config import RunConfig
from mossbench.store.damage import check_verdicts, checked_exchanges, planned_rows
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import PlantedCount, RunInfo
from mossbench.ways_out import JudgeRun

Line = TypeVar("Line", Exchange, Judgement)


@dataclass(frozen=True)
class Shard:
    """One part of a run, in its folder."""

    folder: RunFolder
    info: RunInfo


def merge_runs(folders: Iterable[str | Path], out: str | Path) -> Results:
    """Joins the runs of all shards into one run in `out`; their data have to be where they were.

    It can be stopped at any moment and repeated: `out` may hold this merge already, or the part of it that was written.

    Raises:
        UsageError: They are not shards of one run.
        RunError: One is not finished or not judged as the others are, or rows are missing or there twice.
    """
    shards = _read_shards(folders)
    target = RunFolder(Path(out))
    if not target.info_path.exists():
        target.check_is_free(or_begun=True)
    _check_finished(shards)
    config = shards[0].info.config.model_copy(update={"shard": None})
    data = _load_same_data(config, shards)
    samples = select_samples(data, config)
    rows = in_asking_order(plan(samples, shards[0].info.arms, config.epochs), config.seed)
    keys = [row.key for row in rows]
    exchanges = _join_exchanges(keys, shards)
    judgements = {label: _join_judgements(shards, label) for label in _judge_labels(shards)}
    info = _joined_info(shards, config, data, keys, exchanges, judgements)
    verdicts_in_order = {
        label: _in_order(keys, judgements_of_judge) for label, judgements_of_judge in judgements.items()
    }
    texts = _drift_texts(shards, judgements, target) | _error_logs(shards, target)
    with target.held():
        target.write(info, samples, _in_order(keys, exchanges), verdicts_in_order, texts)
    return load_results(target.path)


def _read_shards(folders: Iterable[str | Path]) -> list[Shard]:
    """The shards by their number, in whichever order they are named; a UsageError where they are not of one run."""
    run_folders = dict.fromkeys(RunFolder(Path(folder)) for folder in folders)
    shards = [Shard(folder, folder.info()) for folder in run_folders]
    _check_same_run(shards)
    return sorted(shards, key=lambda shard: shard.info.config.part)


def _check_finished(shards: Sequence[Shard]) -> None:
    for shard in shards:
        if not shard.info.ended:
            n_rows = len(shard.folder.exchanges())
            raise RunError(
                f"shard {shard.info.config.shard} is not finished: {n_rows:,} of {shard.info.n_rows:,} rows are done",
                way_out=shard.folder.way_to_resume,
            )


def _load_same_data(config: RunConfig, shards: Sequence[Shard]) -> Dataset:
    """The data that the shards were asked; a UsageError where they are others by now."""
    data = as_dataset(config.data, columns=config.columns)
    if dataset_info(data.select(config.side)).hashes != shards[0].info.dataset.hashes:
        raise UsageError(
            f"the data in {config.data!r} have changed since the shards were asked (their hashes differ); restore them"
        )
    return data


def _joined_info(
    shards: Sequence[Shard],
    config: RunConfig,
    data: Dataset,
    keys: Sequence[Key],
    exchanges: Mapping[Key, Exchange],
    judgements: Mapping[str, Mapping[Key, Judgement]],
) -> RunInfo:
    """run.json of the undivided run."""
    infos = [shard.info for shard in shards]
    engines = chain.from_iterable(info.engines for info in infos)
    notice_facts = chain.from_iterable(info.notice_facts for info in infos)
    has_one_price = all(info.price == infos[0].price for info in infos)
    update = {
        "config": config,
        "n_rows": len(keys),
        "planted": _joined_planted(infos),
        "notices": _joined_notices(infos, config, data),
        "notice_facts": tuple(dict.fromkeys(notice_facts)),
        "is_partial_import": any(info.is_partial_import for info in infos),
        "price": infos[0].price if has_one_price else None,
        "traffic": sum((info.traffic for info in infos), Traffic()),
        "engines": tuple(dict.fromkeys(engines)),
        "started": min(info.started for info in infos),
        "ended": max(str(info.ended) for info in infos),
        "verdicts": {label: len(judgements_of_judge) for label, judgements_of_judge in judgements.items()},
        "failed": sum(exchange.answer.error is not None for exchange in exchanges.values()),
    }
    return infos[0].model_copy(update=update)


def _joined_notices(infos: Sequence[RunInfo], config: RunConfig, data: Dataset) -> tuple[str, ...]:
    """The notices of all shards, each once; the number of samples not asked is that of the whole run."""
    notices_about_parts: set[str] = set()
    for info in infos:
        n_asked = len(select_samples(data, info.config))
        notices_about_parts.update(notice_of_samples_left_out(data, info.config, n_asked))
    all_notices = chain.from_iterable(info.notices for info in infos)
    notices = [notice for notice in all_notices if notice not in notices_about_parts]
    versions = sorted({info.mossbench for info in infos})
    if len(versions) > 1:
        notices.append(f"the shards were asked by different versions of mossbench: {' and '.join(versions)}")
    n_asked = len(select_samples(data, config))
    notices.extend(notice_of_samples_left_out(data, config, n_asked))
    return tuple(dict.fromkeys(notices))


def _joined_planted(infos: Iterable[RunInfo]) -> dict[Side, PlantedCount]:
    """What was planted in all shards together."""
    counts: dict[Side, PlantedCount] = {}
    for info in infos:
        for side, count in info.planted.items():
            counts[side] = counts.get(side, PlantedCount()) + count
    return dict(sorted(counts.items()))


def _error_logs(shards: Sequence[Shard], target: RunFolder) -> dict[Path, str]:
    paths = [shard.folder.errors_path for shard in shards]
    logs = [path.read_text("utf-8", "replace") for path in paths if path.exists()]
    if not logs:
        return {}
    return {target.errors_path: "".join(logs)}


def _drift_texts(shards: Sequence[Shard], labels: Iterable[str], target: RunFolder) -> dict[Path, str]:
    """What is to be said of judges that have drifted.

    What was found of a part holds for the whole; that nothing was, only if all were checked.
    """
    texts = {}
    for label in labels:
        paths = [shard.folder.drift_path(label) for shard in shards]
        findings = [path.read_text("utf-8").strip() for path in paths if path.exists()]
        were_all_checked = len(findings) == len(shards)
        if any(findings) or were_all_checked:
            texts[target.drift_path(label)] = "; ".join(dict.fromkeys(filter(None, findings)))
    return texts


def _check_same_run(shards: Sequence[Shard]) -> None:
    """A UsageError where they differ in subject, data or protocol."""
    if not shards:
        raise UsageError("no shards to merge; name their folders")
    for shard in shards:
        if shard.info.config.shard is None:
            raise UsageError(f"the run in {str(shard.folder.path)!r} is not a shard; name the folders of shards")
    first = shards[0]
    for shard in shards:
        differences = _differences(first.info, shard.info)
        if differences:
            both_runs = f"the runs in {str(first.folder.path)!r} and {str(shard.folder.path)!r}"
            raise UsageError(f"{both_runs} are not shards of one run; they differ in\n  " + "\n  ".join(differences))


def _differences(first: RunInfo, second: RunInfo) -> list[str]:
    """In what two shards differ, a line each; that they ask different parts of the run is no difference."""
    differing = first.differing(second) | {
        "number of shards": (first.config.part[1], second.config.part[1]),
        "arms": (first.arms, second.arms),
        "one_format": (first.one_format, second.one_format),
        "settings not taken": (not_taken(first.sent), not_taken(second.sent)),
    }
    differing.pop("shard", None)
    return [f"{name}: {mine!r} and {theirs!r}" for name, (mine, theirs) in differing.items() if mine != theirs]


def _join_exchanges(planned: Sequence[Key], shards: Sequence[Shard]) -> dict[Key, Exchange]:
    """The exchanges of all shards; a RunError where rows are missing, there twice, or of no plan."""
    exchanges_by_shard = [_checked_exchanges(shard) for shard in shards]
    _check_each_row_is_there_once(planned, shards, exchanges_by_shard)
    joined: dict[Key, Exchange] = {}
    for exchanges in exchanges_by_shard:
        joined.update(exchanges)
    return joined


def _check_each_row_is_there_once(
    planned: Sequence[Key], shards: Sequence[Shard], exchanges_by_shard: Sequence[Mapping[Key, Exchange]]
) -> None:
    counts = Counter(chain.from_iterable(exchanges_by_shard))
    duplicates = [key for key in planned if counts[key] > 1]
    if duplicates:
        pairs = zip(shards, exchanges_by_shard, strict=True)
        folders = [str(shard.folder.path) for shard, exchanges in pairs if duplicates[0] in exchanges]
        raise RunError(
            f"{_subject_and_verb(duplicates)} in more than one shard, the first in {' and '.join(folders)}; omit one"
        )
    missing = [key for key in planned if not counts[key]]
    if missing:
        raise RunError(f"{_subject_and_verb(missing)} in no shard{_shards_not_named(shards)}")
    unplanned = sorted(counts.keys() - set(planned))
    if unplanned:
        raise RunError(f"{_subject_and_verb(unplanned)} in a shard, but not planned in the whole run")


def _checked_exchanges(shard: Shard) -> dict[Key, Exchange]:
    rows = planned_rows(shard.folder, shard.info)
    return checked_exchanges(shard.folder, shard.info, rows)


def _shards_not_named(shards: Sequence[Shard]) -> str:
    """Which shards nobody named, to be added to a message; empty where all are there."""
    numbers = {shard.info.config.part[0] for shard in shards}
    n_shards = shards[0].info.config.part[1]
    absent = [f"{number}/{n_shards}" for number in range(1, n_shards + 1) if number not in numbers]
    if not absent:
        return ""
    if len(absent) == 1:
        return f"; shard {absent[0]} is missing, name its folder too"
    return f"; shards {', '.join(absent)} are missing, name their folders too"


def _judge_labels(shards: Sequence[Shard]) -> list[str]:
    """Each judge that has read a shard, once."""
    return list(dict.fromkeys(chain.from_iterable(shard.info.verdicts for shard in shards)))


def _join_judgements(shards: Sequence[Shard], label: str) -> dict[Key, Judgement]:
    """The verdicts of a judge on all shards; a RunError where it has not read one of them."""
    joined: dict[Key, Judgement] = {}
    for shard in shards:
        judgements = shard.folder.judgements(label)
        check_verdicts(shard.folder, shard.info, label, len(judgements))
        if label not in shard.info.verdicts:
            raise RunError(
                f"shard {shard.info.config.shard} has no verdicts of {label}, unlike other shards",
                way_out=JudgeRun(shard.folder.path, label.rpartition("/")[0]),
            )
        joined.update(judgements)
    return joined


def _in_order(keys: Iterable[Key], by_key: Mapping[Key, Line]) -> list[Line]:
    return [by_key[key] for key in keys if key in by_key]


def _subject_and_verb(keys: list[Key]) -> str:
    """`2 rows (…) are`, the beginning of a sentence about these rows, with the first of them by name."""
    first_rows = ", ".join(f"{key.side} {key.sample} ({key.arm}, epoch {key.epoch})" for key in keys[:5])
    if len(keys) == 1:
        return f"1 row ({first_rows}) is"
    ellipsis = ", …" if len(keys) > 5 else ""
    return f"{len(keys):,} rows ({first_rows}{ellipsis}) are"
