"""Asking one row: what is sent for it, the exchange that comes of it, and the order in which rows are asked."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from mossbench.datasets.arms import Row, Shown
from mossbench.datasets.planned_rows import PlannedRows
from mossbench.errors import DataError, ImageError
from mossbench.models import Model, Prompt, Settings
from mossbench.models.connections import Connections
from mossbench.models.keys import redacted
from mossbench.models.model import Turn
from mossbench.outcomes import Answer, Exchange, Key, SentMessage, SentPicture, Stop
from mossbench.plumbing.untrusted_files import path_fault
from mossbench.runs.image_cache import PictureShelf, sent_pictures
from mossbench.store.config import RunConfig
from mossbench.store.run_folder import RunFolder


def in_asking_order(rows: Iterable[Row], seed: int) -> Sequence[Row]:
    """The rows epoch by epoch, in an epoch sample by sample, and the arms of a sample in an order drawn by a hash.

    So a model that changes while it is asked changes under all arms alike. With one arm the order is that of the plan.
    """
    if isinstance(rows, PlannedRows) and len(rows.arms) == 1:
        return rows  # planned epoch by epoch, and sample by sample
    rows = list(rows)
    sample_keys = dict.fromkeys(row.sample.key for row in rows)
    place_of_sample = {key: place for place, key in enumerate(sample_keys)}

    def sort_key(row: Row) -> tuple[int, int, bytes]:
        return row.key.epoch, place_of_sample[row.sample.key], _hash_with_seed(row.key, seed)

    return sorted(rows, key=sort_key)


def _hash_with_seed(key: Key, seed: int) -> bytes:
    """A hash by which the arms of a sample are put in an order that differs by sample, epoch and seed."""
    text = "\x00".join(map(str, (seed, *key)))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def answered_keys(folder: RunFolder) -> set[Key]:
    """The keys of the rows that need not be asked again; none where there is no run yet."""
    return {key for key, failed in folder.failure_by_key().items() if failed is None}


async def ask(
    row: Row,
    model: Model,
    pictures: PictureShelf,
    config: RunConfig,
    connections: Connections,
    before_retry: Callable[[], None] = lambda: None,
) -> Exchange:
    """One row's exchange, with any failure on it. `before_retry` is called when the row begins to wait for a retry."""
    prompt, sent = await prompt_of(row, pictures, config)
    if isinstance(prompt, Answer):
        return exchange_of(row, sent, prompt)
    timeout = config.timeout if model.batch_size is None else None
    name = f"{row.key.side} {row.key.sample}"
    final_answer = await connections.ask(lambda: model.answer(prompt), timeout, name=name, before_retry=before_retry)
    return exchange_of(row, sent, final_answer.answer, final_answer.tries, final_answer.waited)


async def prompt_of(
    row: Row, pictures: PictureShelf, config: RunConfig
) -> tuple[Prompt | Answer, tuple[SentPicture, ...]]:
    """What a row asks, with the pictures that go along; an Answer that failed if its pictures cannot be shown."""
    try:
        fetched = await pictures.fetch_all(row.sample, row.arm)
        of_history = await pictures.fetch_history(row.sample, row.arm)
    except (ImageError, DataError, OSError, RuntimeError) as error:  # RuntimeError: links that lead to each other
        return Answer.failed("picture", path_fault(error) or error), ()
    sent = sent_pictures(pictures.shown(row.sample, row.arm), fetched) if fetched else ()
    for message, shown in zip(row.arm.earlier(row.sample), of_history, strict=True):
        sent += sent_pictures(tuple(map(Shown, message.images)), shown)
    prompt = Prompt(
        row.arm.request(row.sample) or "",
        row.arm.system,
        fetched[0] if fetched else None,
        settings_of(config, row.key.epoch),
        key=row.key,
        more_pictures=fetched[1:],
        history=tuple(
            Turn(message.role, message.text, shown)
            for message, shown in zip(row.arm.earlier(row.sample), of_history, strict=True)
        ),
    )
    return prompt, sent


def exchange_of(
    row: Row, sent: tuple[SentPicture, ...], answer: Answer, tries: int = 1, waited: float = 0.0
) -> Exchange:
    """The line of a row, once its answer has come; `sent` are its pictures, and then those of earlier messages."""
    earlier = row.arm.earlier(row.sample)
    n_of_history = sum(len(message.images) for message in earlier) if sent else 0
    own_pictures = sent[: len(sent) - n_of_history]
    of_history = iter(sent[len(own_pictures) :])
    sent_history = tuple(
        SentMessage(role=message.role, text=message.text, pictures=tuple(islice(of_history, len(message.images))))
        for message in earlier
    )
    return Exchange(
        **row.key._asdict(),
        request=row.arm.request(row.sample) or "",
        system=row.arm.system,
        picture=own_pictures[0] if own_pictures else None,
        more_pictures=own_pictures[1:],
        answer=as_recorded(answer),
        history=sent_history,
        tries=tries,
        waited=waited,
    )


def as_recorded(answer: Answer) -> Answer:
    """The answer as it is written down.

    Keys that a provider echoed are redacted. An answer that the token limit cut off before its first word is a failure.
    """
    if answer.stop is not Stop.LENGTH or (answer.text or "").strip():
        return redacted(answer)
    message = "cut off by the token limit before any text; raise max_tokens"
    failed = Answer.failed("model", message, seconds=answer.seconds)
    return failed.model_copy(update={"usage": answer.usage})


def settings_of(config: RunConfig, epoch: int = 1) -> Settings:
    """With which settings a model is asked in an epoch."""
    return Settings(
        seed=seed_of(config, epoch),
        temperature=config.temperature,
        max_tokens=config.max_tokens,
        timeout=config.timeout,
        effort=config.effort,
        params=config.params,
    )


def seed_of(config: RunConfig, epoch: int) -> int:
    """Each epoch has a seed of its own, so that its answers may differ from those of the others."""
    return config.seed + epoch - 1


def connections_of(config: RunConfig, model: Model) -> Connections:
    """The run's connections; for a model that answers in batches enough for two batches, from the start."""
    if model.batch_size is not None:
        n_connections = 2 * model.batch_size
        return Connections(n_connections, n_connections, retries=config.retries, probe=model.probe)
    return Connections(config.max_connections, config.start_connections, retries=config.retries, probe=model.probe)
