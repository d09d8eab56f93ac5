"""The worker of a Ray cluster, an actor: loads the model of a run once and asks it many blocks of rows.

Imports nothing of Ray. It finds the model and the data where the process does that writes the run, and asks only where
their version and hashes are the same.
"""

import asyncio
import os
import platform
from collections.abc import AsyncIterator, Sequence

import mossbench
from mossbench.datasets import Dataset, as_dataset
from mossbench.datasets.arms import Row
from mossbench.errors import MossbenchError, RunError, message_of
from mossbench.models import Model, load_model
from mossbench.models.connections import Connections
from mossbench.outcomes import Exchange
from mossbench.runs.engines import Learnt
from mossbench.runs.engines.ray_storage import store_exchanges
from mossbench.runs.image_cache import PictureShelf
from mossbench.runs.inputs import model_options
from mossbench.runs.row_asking import ask, connections_of, settings_of
from mossbench.runs.selection import select_samples
from mossbench.store.run_info import RunInfo


class Worker:
    """Asks the run in `info`; with `storage` it keeps the exchanges of each block there too."""

    def __init__(self, info: RunInfo, systems: tuple[str, ...], working_folder: str, storage: str | None) -> None:
        self._info = info
        self._config = info.config
        self._systems = systems
        self._working_folder = working_folder
        self._storage = storage
        # These three are there once it has loaded.
        self._model: Model
        self._pictures: PictureShelf
        self._connections: Connections

    async def load(self) -> RunError | None:
        """Makes ready to ask; returns why it cannot."""
        if os.path.isdir(self._working_folder):  # paths are relative to the folder of the process that writes the run
            os.chdir(self._working_folder)
        try:
            self._check_version()
            data = self._load_model_and_data()
            self._make_ready(data)
            await self._model.open()
        except (MossbenchError, OSError) as error:
            return RunError(message_of(error).after(f"a worker on {platform.node()} cannot ask: "))
        return None

    def _check_version(self) -> None:
        if mossbench.__version__ != self._info.mossbench:
            raise RunError(f"it has mossbench {mossbench.__version__}, not {self._info.mossbench}; install the same")

    def _load_model_and_data(self) -> Dataset:
        """Loads both; a RunError where they are not those of the run."""
        config = self._config
        self._model = load_model(config.model, **model_options(config.model_dump()))
        data = as_dataset(config.data, columns=config.columns)
        is_same_model = self._model.version == self._info.model_version
        if not is_same_model or data.select(config.side).hashes != self._info.dataset.hashes:
            raise RunError(
                f"its copy of {config.model} or of {config.data} is a different one: version or hashes differ"
            )
        return data

    def _make_ready(self, data: Dataset) -> None:
        self._model.read_data(data.samples, data.columns)
        self._model.check(select_samples(data, self._config).samples)
        self._model.load(self._systems)
        self._pictures = PictureShelf(data, self._model.limits, one_format=self._info.one_format)
        self._connections = connections_of(self._config, self._model)

    async def ask(self, rows: Sequence[Row]) -> AsyncIterator[Exchange | Learnt | RunError]:
        """The exchanges of a block as they come; at the end what was learnt."""
        exchanges: list[Exchange] = []
        for task in asyncio.as_completed([self._ask_row(row) for row in rows]):
            outcome = await task
            if outcome is not None:
                yield outcome
            if isinstance(outcome, Exchange):
                exchanges.append(outcome)
        try:
            if self._storage is not None and exchanges:
                store_exchanges(self._storage, exchanges)
        except Exception as error:  # whatever a file system raises
            yield RunError(f"{self._storage} cannot be written: {error!r}")
        sent = self._model.settings_sent(settings_of(self._config))
        yield Learnt(self._connections.traffic, sent, self._model.remarks())

    async def _ask_row(self, row: Row) -> Exchange | RunError | None:
        """Its exchange, or why no row can be asked; None where another row has found that out already."""
        try:
            return await ask(row, self._model, self._pictures, self._config, self._connections)
        except MossbenchError as error:
            return RunError(error.message)
        except asyncio.CancelledError:
            return None
