"""Which samples of the data a run asks: by side, ids, offset, limit and shard, and as far as its arm fits them."""

import dataclasses

from mossbench.datasets import Dataset
from mossbench.datasets.arms import Arm, arm_of
from mossbench.errors import UsageError
from mossbench.store.config import RunConfig


def select_samples(dataset: Dataset, config: RunConfig) -> Dataset:
    """The samples that a run asks; a UsageError where none is left."""
    chosen = _chosen_samples(dataset, config)
    if not len(chosen):
        shard = f", shard {config.shard}" if config.shard else ""
        choice = f"side {config.side}, offset {config.offset}{shard}"
        raise UsageError(f"no samples of {dataset.name} are left with {choice}; change these options")
    return fitting_samples(chosen, arm_of(config.arm, config.system))


def _chosen_samples(dataset: Dataset, config: RunConfig) -> Dataset:
    """The samples that a config names.

    A shard takes every n-th id, so that twins stay together and shards are alike.
    """
    chosen = dataset.select(config.side)
    chosen = chosen.select(ids=config.ids or None, limit=config.limit, offset=config.offset)
    if config.shard is None:
        return chosen
    shard_number, n_shards = config.part
    ids = list(dict.fromkeys(sample.id for sample in chosen))
    return chosen.select(ids=ids[shard_number - 1 :: n_shards])


def fitting_samples(dataset: Dataset, arm: Arm) -> Dataset:
    """The samples that can be put under an arm; the others are not asked."""
    if arm.fits_all:
        return dataset
    samples = tuple(sample for sample in dataset.samples if arm.fits(sample))
    if len(samples) == len(dataset):
        return dataset
    if not samples:
        raise UsageError(
            f"no sample of {dataset.name} has what the arm {arm.name!r} needs; samples of 'sketches' have it"
        )
    return dataclasses.replace(dataset, samples=samples)


def notice_of_samples_left_out(dataset: Dataset, config: RunConfig, n_asked: int) -> tuple[str, ...]:
    """A notice where some of the chosen samples cannot be put under the run's arm."""
    n_chosen = len(_chosen_samples(dataset, config))
    n_left_out = n_chosen - n_asked
    if not n_left_out:
        return ()
    return (f"{n_left_out} of {n_chosen} samples are not asked: they do not have what the arm {config.arm!r} needs",)
