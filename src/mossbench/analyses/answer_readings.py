"""What a model says of the answers of a run, such as which distortions a refusal shows.

It lies in a file of the run's folder, each line with the digest of what was read, so that nothing is asked twice.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mossbench.errors import UsageError
from mossbench.models import Model, Prompt, Settings
from mossbench.outcomes import Exchange
from mossbench.plumbing.coroutines import closing, finish, together
from mossbench.plumbing.line_writer import LineWriter
from mossbench.plumbing.until_lost import until_lost
from mossbench.protocols import OWN_ADDRESS
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.runs.row_asking import connections_of
from mossbench.samples import Record
from mossbench.store.config import RunConfig
from mossbench.store.run_folder import RunFolder

MIN_REPLY_TOKENS = 600  # even where the run allows its answers fewer


class Reading(Record):
    """One answer that was read."""

    sample: str
    digest: str
    """`Exchange.digest` of what was read, so that it is never taken for another answer."""
    reply: str | None = None
    """Kept where nothing was found in it."""
    endpoint: str | None = None
    """Where the model was asked; None: the provider's own address."""


@dataclass(frozen=True)
class AnswerReader:
    """A model that reads answers, what it is asked about each, and the file that keeps what it said."""

    model: Model
    endpoint: str | None
    path: Path
    request: Callable[[ResultRow, Exchange], str | None]
    """The words that the model is sent; None: it is not asked about this answer."""
    reading: Callable[[ResultRow, Exchange, str], Reading]
    """The line that is kept of its reply."""


@dataclass(frozen=True)
class _Question:
    """One answer that the model is asked about."""

    row: ResultRow
    exchange: Exchange
    request: str


def read_answers(reader: AnswerReader, results: Results, rows: Iterable[ResultRow], earlier: Sequence[Reading]) -> None:
    """Asks about each row with words that is not among the `earlier` readings, and appends what comes of it.

    A row without a request is not asked about; a call that failed is made again the next time.
    """
    _check_same_endpoint(reader, earlier)
    digests_read = {reading.digest for reading in earlier}
    questions = _questions(reader, rows, digests_read)
    if not questions:
        finish(reader.model.close())
        return
    work = _ask_all(reader, questions, results.info.config, RunFolder(results.folder))
    finish(closing(work, reader.model))


def _check_same_endpoint(reader: AnswerReader, earlier: Sequence[Reading]) -> None:
    """A UsageError where the file has what the model said elsewhere: one file is by one reader."""
    other_endpoints = {reading.endpoint for reading in earlier if reading.endpoint != reader.endpoint}
    if other_endpoints:
        where = " and ".join(sorted(endpoint or OWN_ADDRESS for endpoint in other_endpoints))
        endpoint = reader.endpoint or OWN_ADDRESS
        raise UsageError(
            f"{reader.path} has replies of {reader.model.name} from {where}, not from {endpoint}: "
            "set that endpoint in the environment (…_BASE_URL), or delete the file to read all answers again"
        )


def _questions(reader: AnswerReader, rows: Iterable[ResultRow], digests_read: set[str]) -> list[_Question]:
    """What the model is asked: the same words under the same request once."""
    questions: dict[str, _Question] = {}
    for row in rows:
        exchange = row.exchange
        if exchange is None or not exchange.answer.text:
            continue
        digest = exchange.digest()
        if digest in digests_read:
            continue
        request = reader.request(row, exchange)
        if request:
            questions[digest] = _Question(row, exchange, request)
    return list(questions.values())


async def _ask_all(reader: AnswerReader, questions: Sequence[_Question], config: RunConfig, folder: RunFolder) -> None:
    """Asks with the connections that the run had, and writes each reading when it comes."""
    connections = connections_of(config, reader.model)
    timeout = config.timeout if reader.model.batch_size is None else None
    settings = Settings(temperature=0.0, max_tokens=max(config.max_tokens, MIN_REPLY_TOKENS))
    with folder.held(), LineWriter(reader.path) as file:

        async def ask(question: _Question) -> None:
            prompt = Prompt(question.request, settings=settings, key=question.row.key)
            response = await connections.ask(lambda: reader.model.answer(prompt), timeout)
            if response.answer.error is None:
                reply = response.answer.text or ""
                file.append(reader.reading(question.row, question.exchange, reply))

        async def ask_about_all() -> None:
            await together((ask(question) for question in questions), iter(()))  # replies under way are paid for

        def stop() -> bool:
            connections.stop()
            return True

        await until_lost(ask_about_all(), [file], stop)
