"""Asking: which rows are left, one row as it is asked, and what becomes of its answer, written down at once."""

import asyncio
import hashlib
from collections.abc import Callable, Iterable
from contextlib import ExitStack

from mossbench.datasets.arms import Row
from mossbench.errors import DataError, ImageError, StorageError, n_of
from mossbench.judges import Judge
from mossbench.models import Model, Prompt, Settings
from mossbench.models.connections import Connections
from mossbench.models.keys import redacted
from mossbench.outcomes import Answer, Exchange, Key, Kind, SentPicture, Stop, outcome
from mossbench.plumbing.coroutines import my_turn
from mossbench.plumbing.lines import LineWriter, until_lost
from mossbench.plumbing.places import PlaceLost
from mossbench.plumbing.reading import path_fault
from mossbench.runs.engines import Engine
from mossbench.runs.image_cache import PictureShelf, sent_pictures
from mossbench.runs.judging import judge_one
from mossbench.runs.progress import OnProgress, Progress
from mossbench.store.config import RunConfig
from mossbench.store.error_log import ErrorLog
from mossbench.store.run_folder import RunFolder

STOPPED = "no further request was sent"


async def ask_all(
    engine: Engine, rows: list[Row], judge: Judge | None, judge_pictures: PictureShelf, progress: OnProgress | None
) -> set[Key]:
    """Has the engine ask every row that has no answer yet; with a judge, judges each answer as it comes.

    The rows that it was to ask.
    """
    folder, budget = engine.job.folder, engine.job.budget
    folder.check_place()
    with ExitStack() as stack:
        answers = stack.enter_context(LineWriter(folder.answers_path))
        verdicts = stack.enter_context(LineWriter(folder.verdicts_path(judge.label))) if judge else None
        there = folder.failures()
        todo = [row for row in in_turn(rows, engine.job.config.seed) if there.get(row.key, row)]
        recorded = {key for key, failed in there.items() if failed is None}  # answers
        n_done, errors, turn = len(rows) - len(todo), ErrorLog(folder.errors_path), asyncio.Lock()

        async def done(row: Row, exchange: Exchange) -> None:
            try:
                await take(row, exchange)
            except StorageError:
                engine.stop()  # what cannot be kept is not asked for, and paid
                raise

        async def take(row: Row, exchange: Exchange) -> None:
            nonlocal n_done
            exchange = _with_planted(exchange, row, engine.job.model, engine.job.config)
            budget.pay(exchange, None)
            if failed := there.get(row.key):
                exchange = exchange.model_copy(update={"before": failed.used})
            answers.append(exchange)
            if exchange.answer.error is None:
                recorded.add(row.key)
            errors.add(row.key, exchange.answer.error.trace if exchange.answer.error else None)
            verdict = None
            if judge is None and exchange.to_judge:
                budget.owe()
            if judge is not None and verdicts is not None and exchange.to_judge:
                if engine.job.model.sends:
                    async with turn:  # one after the other: requests that are due go out in between
                        await my_turn()
                judgement = await judge_one(judge, exchange, row.sample, judge_pictures, row.arm)
                verdicts.append(judgement)
                verdict = judgement.verdict
                budget.pay(None, verdict)
                errors.add(row.key, verdict.trace)
            n_done += 1
            if progress is not None:
                progress(Progress(n_done, len(rows), row.key, outcome(exchange.answer, verdict)))

        engine.job.connections.on_wait = getattr(progress, "waits", None)
        files = [answers, verdicts] if verdicts else [answers]
        under_way = ""

        def stop() -> bool:
            nonlocal under_way
            under_way = engine.under_way()
            return engine.stop()

        try:
            await until_lost(engine.ask(todo, done), files, stop)
        except PlaceLost as lost:
            if lost.file.cut is not None:
                note = _what_is_cut_off(lost, folder, recorded)
            else:
                n_recorded = len(recorded) + answers.n_waiting
                note = what_is_lost(lost, folder, n_recorded, under_way or engine.under_way())
            lost.add_note(note)
            raise
        return {row.key for row in todo}


def _with_planted(exchange: Exchange, row: Row, model: Model, config: RunConfig) -> Exchange:
    """The exchange with what a rehearsal was to answer, also where its image could not be read and it was not asked."""
    if exchange.answer.planted is not None:
        return exchange
    refuses = model.is_planted_refusal(row.key, seed_of(config, row.key.epoch))
    if refuses is None:
        return exchange
    planted = Kind.REFUSED if refuses else Kind.ANSWERED
    return exchange.model_copy(update={"answer": exchange.answer.model_copy(update={"planted": planted})})


def _what_is_cut_off(lost: PlaceLost, folder: RunFolder, recorded: set[Key]) -> str:
    """What a run has lost with the end of a file that somebody has cut; these answers had been recorded."""
    if lost.path != folder.answers_path:
        return _what_is_kept_without(lost, folder)
    n_lost = len(recorded - answered(folder))
    return f"{STOPPED}; lost: {n_of(n_lost, 'answer')} that had been recorded, which a resume asks again"


def what_is_lost(lost: PlaceLost, folder: RunFolder, n_recorded: int, under_way: str) -> str:
    """What a run has lost with a file or with its folder, of answers on record and of requests under way."""
    if not lost.file.is_deleted:
        return f"{STOPPED}; nothing that was recorded is lost"
    if lost.folder is not None:
        also = f" and {under_way}" if under_way else ""
        return (
            f"{STOPPED}; lost with it: {n_of(n_recorded, 'answer')}{also}. If the folder was moved to another disk, or "
            "you have a copy of it, resume that one; otherwise start the run again"
        )
    if lost.path == folder.answers_path:
        kept = "the answers in the file that is there now count" if lost.file.is_replaced else "a new file was begun"
        return f"{STOPPED}; {n_of(n_recorded, 'answer')} had been recorded in the old file; {kept}"
    return _what_is_kept_without(lost, folder)


def _what_is_kept_without(lost: PlaceLost, folder: RunFolder) -> str:
    """What becomes of a run that has lost another file than its answers."""
    if lost.path == folder.batches_path:
        return f"{STOPPED}; what is out in batches is written down again, and no answer is lost"
    return f"{STOPPED}; no answer is lost, and those whose verdicts are gone are judged again"


def in_turn(rows: Iterable[Row], seed: int) -> list[Row]:
    """Epoch by epoch, sample by sample, and the arms of a sample one after the other in an order drawn by a hash.

    So a model that changes while it is asked changes under all arms alike. With one arm the order is that of the plan.
    """
    rows = list(rows)
    place = {key: i for i, key in enumerate(dict.fromkeys(row.sample.key for row in rows))}

    def drawn(row: Row) -> bytes:
        return hashlib.sha256("\x00".join(map(str, (seed, *row.key))).encode("utf-8", "surrogatepass")).digest()

    return sorted(rows, key=lambda row: (row.key.epoch, place[row.sample.key], drawn(row)))


def answered(folder: RunFolder) -> set[Key]:
    """The rows that need not be asked again; none where there is no run yet."""
    return {key for key, failed in folder.failures().items() if failed is None}


async def ask(
    row: Row,
    model: Model,
    pictures: PictureShelf,
    config: RunConfig,
    connections: Connections,
    aside: Callable[[], None] = lambda: None,
) -> Exchange:
    """One row's exchange; whatever goes wrong is on it. `aside` is called when it waits to be asked again."""
    prompt, sent = await prompt_of(row, pictures, config)
    if isinstance(prompt, Answer):
        return exchange_of(row, sent, prompt)
    timeout = config.timeout if model.batch_size is None else None
    name = f"{row.key.side} {row.key.sample}"
    tried = await connections.ask(lambda: model.answer(prompt), timeout, name=name, aside=aside)
    return exchange_of(row, sent, tried.answer, tried.tries, tried.waited)


async def prompt_of(
    row: Row, pictures: PictureShelf, config: RunConfig
) -> tuple[Prompt | Answer, tuple[SentPicture, ...]]:
    """What a row asks, with the pictures that go along; the failure of a row whose pictures cannot be shown."""
    try:
        shown = await pictures.fetch_all(row.sample, row.arm)
    except (ImageError, DataError, OSError, RuntimeError) as error:  # the last: a loop of links
        return Answer.failed("picture", path_fault(error) or error), ()
    sent = sent_pictures(pictures.shown(row.sample, row.arm), shown) if shown else ()
    first, settings = next(iter(shown), None), settings_of(config, row.key.epoch)
    request = row.arm.request(row.sample) or ""
    return Prompt(request, row.arm.system, first, settings, key=row.key, more_pictures=shown[1:]), sent


def exchange_of(
    row: Row, sent: tuple[SentPicture, ...], answer: Answer, tries: int = 1, waited: float = 0.0
) -> Exchange:
    """The line of a row, once its answer has come."""
    return Exchange(
        **row.key._asdict(),
        request=row.arm.request(row.sample) or "",
        system=row.arm.system,
        picture=next(iter(sent), None),
        more_pictures=sent[1:],
        answer=as_recorded(answer),
        tries=tries,
        waited=waited,
    )


def as_recorded(answer: Answer) -> Answer:
    """The answer as it is written down: no key that a provider echoed, and no text cut off before it began."""
    if answer.stop is Stop.LENGTH and not (answer.text or "").strip():
        failed = Answer.failed("model", "cut off by the token limit before any text; raise `max_tokens`")
        return failed.model_copy(update={"usage": answer.usage})
    return redacted(answer)


def settings_of(config: RunConfig, epoch: int = 1) -> Settings:
    """How the answers of an epoch are drawn."""
    how = {name: getattr(config, name) for name in ("temperature", "max_tokens", "timeout")}
    return Settings(seed=seed_of(config, epoch), **how)


def seed_of(config: RunConfig, epoch: int) -> int:
    return config.seed + epoch - 1


def connections_of(config: RunConfig, model: Model) -> Connections:
    """The run's connections; a model that answers in batches gets two of them from the start."""
    most, start = config.max_connections, config.start_connections
    if model.batch_size is not None:
        most = start = 2 * model.batch_size
    return Connections(most, start, retries=config.retries, probe=model.probe)
