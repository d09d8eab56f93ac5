"""run.json of a run before its first answer: who is asked what, how, and at which price."""

import platform
from collections.abc import Iterable
from datetime import UTC, datetime

import mossbench
from mossbench.datasets import Dataset
from mossbench.datasets.arms import Arm, Row
from mossbench.datasets.planned_rows import plan
from mossbench.datasets.recognition import name_on_record, why_not_published
from mossbench.models import Model
from mossbench.runs.inputs import RunInputs
from mossbench.runs.row_asking import seed_of, settings_of
from mossbench.runs.selection import notice_of_samples_left_out
from mossbench.samples import Side
from mossbench.store.config import RunConfig, notices_of_thinking, subject_of
from mossbench.store.prices import Prices, price_of
from mossbench.store.run_info import DatasetInfo, PlantedCount, RunInfo


def describe_run(inputs: RunInputs, samples: Dataset, arms: tuple[Arm, ...], prices: Prices | None = None) -> RunInfo:
    """What is on record about a run that asks these samples under these arms, as it begins.

    Hashes are of the whole side, so that a limit does not make it another dataset.
    """
    config = inputs.config
    model = inputs.model
    whole_side = inputs.data.select(config.side)
    notices = (
        *model.check(samples.samples),
        *notices_of_thinking(config),
        *notice_of_samples_left_out(whole_side, config, len(samples)),
        *whole_side.notes,
        *why_not_published(whole_side),
    )
    rows = plan(samples.samples, arms, config.epochs)
    return RunInfo(
        config=config,
        subject=subject_of(config, model.version),
        arms=arms,
        model_version=model.version,
        dataset=dataset_info(whole_side),
        n_rows=len(rows),
        planted=count_planted_refusals(model, rows, config),
        notices=notices,
        notice_facts=model.notice_facts(),
        sent=model.settings_sent(settings_of(config)),
        price=price_of(config.model, base_url=config.base_url, prices=prices, params=config.params),
        mossbench=mossbench.__version__,
        python=platform.python_version(),
        started=now(),
    )


def count_planted_refusals(model: Model, rows: Iterable[Row], config: RunConfig) -> dict[Side, PlantedCount]:
    """How many rows of each side the model is made to refuse; none where nothing was planted."""
    counts: dict[Side, PlantedCount] = {}
    for row in rows:
        refuses = model.is_planted_refusal(row.key, seed_of(config, row.key.epoch))
        if refuses is None:
            continue
        count_so_far = counts.get(row.key.side, PlantedCount())
        counts[row.key.side] = count_so_far + PlantedCount(rows=1, refused=int(refuses))
    return counts


def dataset_info(dataset: Dataset) -> DatasetInfo:
    """What run.json has on the data. Only what was found to be the published set, images too, is called `official`."""
    return DatasetInfo(
        name=name_on_record(dataset),
        hashes=dataset.hashes,
        revision=dataset.revision,
        source=dataset.source,
        licence=dataset.licence,
        copying=dataset.copying,
        warning=dataset.warning,
        citation=dataset.citation,
        copies=dataset.copies,
    )


def now() -> str:
    """The time, as records of a run have it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
