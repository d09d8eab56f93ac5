"""Captions read by a model that compares them with the oracle description: `captions.jsonl` in the run's folder."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mossbench.analyses.captions import Caption, parse_sorting, sorting_request
from mossbench.analyses.tagging_model import check_reader
from mossbench.models import Prompt, Settings, load_model
from mossbench.models.presets import told_by_variable
from mossbench.plumbing.coroutines import closing, finish
from mossbench.plumbing.lines import LineWriter, read_lines
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.runs.asking import connections_of
from mossbench.runs.folder import RunFolder
from mossbench.samples import Record


class Sorting(Record):
    """One caption and what the model made of it; the reply is kept where nothing was found in it."""

    sample: str
    digest: str
    """`Exchange.digest` of what was read, so that it is never taken for another caption."""
    model: str
    caption: Caption
    reply: str | None = None
    endpoint: str | None = None
    """Where the model was asked; None: the provider's own address."""


def sorted_captions(folder: Path, model: str) -> dict[str, Caption]:
    """What the model said, by digest of the caption."""
    return {one.digest: one.caption for one in read_lines(folder / "captions.jsonl", Sorting) if one.model == model}


def read_captions(results: Results, rows: Sequence[ResultRow], model: str) -> None:
    """Asks the model about every caption that it has not sorted yet; those without an oracle text stay unsorted."""
    reader, there = load_model(model), sorted_captions(results.folder, model)
    path, endpoint = results.folder / "captions.jsonl", told_by_variable(model, reader.base_url)
    check_reader(path, model, (one.endpoint for one in read_lines(path, Sorting) if one.model == model), endpoint)
    config = results.info.config
    connections, timeout = connections_of(config, reader), config.timeout if reader.batch_size is None else None

    async def work() -> None:
        with RunFolder(results.folder).held(), LineWriter(path) as file:

            async def sort(row: ResultRow) -> None:
                exchange = row.exchange
                if exchange is None or exchange.answer.text is None or exchange.digest() in there:
                    return
                request = sorting_request(row.sample, exchange.answer.text)
                if request is None:
                    return
                prompt = Prompt(request, settings=Settings(temperature=0.0, max_tokens=config.max_tokens))
                answer = (await connections.ask(lambda: reader.answer(prompt), timeout)).answer
                if answer.error is not None:
                    return  # asked again on resume
                found = parse_sorting(answer.text)
                reply = answer.text if found is Caption.UNSORTED else None
                about: dict[str, Any] = {"sample": row.key.sample, "digest": exchange.digest(), "model": model}
                file.append(Sorting(**about, endpoint=endpoint, caption=found, reply=reply))

            await asyncio.gather(*map(sort, rows))

    finish(closing(work(), reader))
