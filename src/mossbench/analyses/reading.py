"""What a model says of the answers of a run, such as which distortions a refusal shows.

It lies in a file of the run's folder, each line with the digest of what was read, so that nothing is asked twice.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from mossbench.errors import UsageError
from mossbench.models import Model, Prompt, Settings
from mossbench.outcomes import Exchange
from mossbench.plumbing.coroutines import closing, finish
from mossbench.plumbing.lines import LineWriter, until_lost
from mossbench.protocols import OWN_ADDRESS
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.runs.asking import connections_of
from mossbench.samples import Record
from mossbench.store.run_folder import RunFolder

ENOUGH = 600  # tokens of a reply, however few an answer of the run may have


class Reading(Record):
    """One answer that was read."""

    sample: str
    digest: str
    """`Exchange.digest` of what was read, so that it is never taken for another answer."""
    reply: str | None = None
    """Kept where nothing was found in it."""
    endpoint: str | None = None
    """Where the model was asked; None: the provider's own address."""


def read_answers(
    results: Results,
    path: Path,
    there: Sequence[Reading],
    reader: Model,
    endpoint: str | None,
    rows: Iterable[ResultRow],
    request: Callable[[ResultRow, Exchange], str | None],
    line: Callable[[ResultRow, Exchange, str], Reading],
) -> None:
    """Asks the reader about each row with words that is not `there`, and appends what `line` makes of its reply.

    A row without a request is not asked about; a call that failed is made again the next time.
    """
    if others := {one.endpoint for one in there if one.endpoint != endpoint}:
        where = " and ".join(sorted(one or OWN_ADDRESS for one in others))
        raise UsageError(
            f"{path} has what {reader.name} said at {where}, not at {endpoint or OWN_ADDRESS}: name that endpoint in "
            "the environment (…_BASE_URL), or delete the file to have everything read again"
        )
    done = {one.digest for one in there}
    worded = {one.digest(): (row, one) for row in rows if (one := row.exchange) and one.answer.text}
    todo = [(*of, said) for digest, of in worded.items() if digest not in done and (said := request(*of))]
    config = results.info.config
    connections, timeout = connections_of(config, reader), config.timeout if reader.batch_size is None else None
    settings = Settings(temperature=0.0, max_tokens=max(config.max_tokens, ENOUGH))

    async def work() -> None:
        with RunFolder(results.folder).held(), LineWriter(path) as file:

            async def read(row: ResultRow, exchange: Exchange, said: str) -> None:
                prompt = Prompt(said, settings=settings, key=row.key)
                answer = (await connections.ask(lambda: reader.answer(prompt), timeout)).answer
                if answer.error is None:
                    file.append(line(row, exchange, answer.text or ""))

            def stop() -> bool:
                connections.stop()
                return True

            async def read_all() -> None:
                await asyncio.gather(*(read(*one) for one in todo))

            await until_lost(read_all(), [file], stop)

    if todo:
        finish(closing(work(), reader))
