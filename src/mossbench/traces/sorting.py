"""Sorting: which requests are harmless. By a column of the log, by a judging model that the user names, or by people.

Our own judge reads whether an answer refuses; whether a request is harmful it never decides. Identical requests are
sorted once. What each reader says is kept, one line each; where two have read the same requests, the error of the
sorting is known.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from mossbench.annotation.store import Store
from mossbench.errors import RunError, UsageError, some, unknown_name
from mossbench.images.preparing import Picture
from mossbench.judges import DEFAULT_JUDGE, load_judge
from mossbench.judges.rubric import objects_in
from mossbench.models import Model, Prompt, Settings, load_model
from mossbench.models.connections import Connections
from mossbench.models.model import Answerer
from mossbench.plumbing.coroutines import closing, finish, together
from mossbench.plumbing.lines import read_lines
from mossbench.plumbing.locks import locked
from mossbench.samples import value_text
from mossbench.traces.folder import ANNOTATIONS, SORTING, PrivateLines, TracesFolder
from mossbench.traces.judging import picture_of
from mossbench.traces.population import Population, drawn_rows, in_turns, population_of
from mossbench.traces.records import Trace
from mossbench.traces.sorting_records import Harmfulness, Sorted
from mossbench.ways_out import SetOption, SetOptions

DEFAULT_DRAW = 400
"""Traces that a model or people sort where nothing else is said."""
_WORDS = {
    **dict.fromkeys(("harmless", "benign", "safe"), Harmfulness.HARMLESS),
    **dict.fromkeys(("harmful", "unsafe", "malicious"), Harmfulness.HARMFUL),
    **dict.fromkeys(("unsure", "unknown", "unclear", ""), Harmfulness.UNSURE),
}
"""Values of a column that need no explanation."""
TO_SORT = 200
"""Requests that people sort where nothing else is said."""
BLOCK = 8
"""Requests that are put into the queue together: of two blocks the first is sorted first."""
_AT_ONCE = 8
_LONGEST = 6000
"""Characters of a text that a judging model is shown."""
_SETTINGS = Settings(temperature=0.0, max_tokens=400)
_SCHEMA = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "harmfulness": {"type": "string", "enum": list(Harmfulness)}},
    "required": ["reason", "harmfulness"],
    "additionalProperties": False,
}
OnRequest = Callable[[object], None]


@dataclass(frozen=True)
class SortedRequests:
    """What a sorting gave."""

    by: str
    n: dict[str, int]
    """Requests by what they are."""
    n_before: int
    """Requests that this reader had sorted before."""
    n_failed: int
    """Requests on which the model failed: the same call asks for them again."""


def sort_traces(
    folder: str | Path,
    *,
    column: str | None = None,
    harmless: Iterable[str] = (),
    harmful: Iterable[str] = (),
    model: str | Model | Answerer | None = None,
    base_url: str | None = None,
    n: int | None = None,
    on_request: OnRequest | None = None,
) -> SortedRequests:
    """Sorts requests into harmless, harmful and unsure, by a column or by a model.

    Args:
        folder: The traces.
        column: The column that says it; every trace is sorted.
        harmless: Values of the column for harmless requests, where they are not `harmless`, `benign` or `safe`.
        harmful: The same for harmful ones, where they are not `harmful` or `unsafe`. All others are unsure.
        model: The model that reads requests, as for `run`. **The requests that are drawn are sent to it.**
        base_url: As for `run`.
        n: How many traces a model sorts, drawn at random in strata of what the judge suspects; None: `DEFAULT_DRAW`.
        on_request: Called with each request that was sorted.
    """
    traces = TracesFolder.open(folder)
    if (column is None) == (model is None):
        raise UsageError("give either a column or a model that sorts; people sort with: mossbench traces serve")
    busy = f"another process writes into {str(folder)!r}; wait for it or stop it first"
    with locked(traces.path / ".lock", busy):
        if column is not None:
            return _sort_by_column(traces, column, _words_of(harmless, harmful), on_request)
        assert model is not None
        loaded = load_model(model, base_url=base_url)
        return _sort_by_model(traces, loaded, DEFAULT_DRAW if n is None else n, on_request)


def readings_of(folder: TracesFolder) -> dict[str, dict[str, Harmfulness]]:
    """What each reader says of each request: digest -> reader -> harmfulness, columns and models before people."""
    readings: dict[str, dict[str, Harmfulness]] = defaultdict(dict)
    for line in read_lines(folder.path / SORTING, Sorted):
        readings[line.asked][line.by] = line.harmfulness
    if (folder.path / ANNOTATIONS).exists():
        store = Store(folder.path / ANNOTATIONS)
        items = store.items()
        for label in store.labels():
            if "harmfulness" in label.value:
                asked = str(items[label.item].body["asked"])
                readings[asked][f"person {label.annotator}"] = Harmfulness(label.value["harmfulness"])
    return dict(readings)


def _words_of(harmless: Iterable[str], harmful: Iterable[str]) -> dict[str, Harmfulness]:
    own = {value.strip().lower(): Harmfulness.HARMLESS for value in harmless}
    own |= {value.strip().lower(): Harmfulness.HARMFUL for value in harmful}
    return {**_WORDS, **own}


# By a column


def _sort_by_column(
    traces: TracesFolder, column: str, words: Mapping[str, Harmfulness], on_request: OnRequest | None
) -> SortedRequests:
    values = _values_of(traces, column)
    by = f"column {column}"
    requests = {
        asked: _settled(words.get(value, Harmfulness.UNSURE) for value in said) for asked, said in values.items()
    }
    if set(requests.values()) <= {Harmfulness.UNSURE} and not _has_known_word(values, words):
        seen = some(sorted(map(repr, set().union(*values.values()))), 8)
        raise UsageError(
            f"no value of column {column!r} says harmless or harmful; it has {seen}",
            way_out=SetOptions(
                (SetOption("harmless", "VALUE"), SetOption("harmful", "VALUE")), to="say what its values mean"
            ),
        )
    before = {asked for asked, readings in readings_of(traces).items() if by in readings}
    counts: Counter[str] = Counter()
    with PrivateLines(traces.path / SORTING) as lines:
        for asked, harmfulness in requests.items():
            counts[harmfulness] += 1
            lines.append(Sorted(asked=asked, harmfulness=harmfulness, by=by, at=_now()))
            if on_request is not None:
                on_request(asked)
    return SortedRequests(by, dict(counts), len(before), 0)


def _has_known_word(values: Mapping[str, set[str]], words: Mapping[str, Harmfulness]) -> bool:
    said = set().union(*values.values())
    return any(words.get(value, Harmfulness.UNSURE) is not Harmfulness.UNSURE for value in said)


def _settled(said: Iterable[Harmfulness]) -> Harmfulness:
    """What a column says of identical requests: what is clear, unless it differs."""
    clear = set(said) - {Harmfulness.UNSURE}
    return clear.pop() if len(clear) == 1 else Harmfulness.UNSURE


def _values_of(traces: TracesFolder, column: str) -> dict[str, set[str]]:
    """The values of the column for each request."""
    values: dict[str, set[str]] = defaultdict(set)
    columns: dict[str, None] = {}  # a set in order
    for trace in traces.traces():
        columns |= dict.fromkeys(trace.columns)
        value = value_text(trace.columns.get(column, "")).strip().lower()
        values[trace.asked].add(value)
    if column not in columns:
        raise unknown_name("column of these traces", column, columns, f"they have {some(columns, 20)}")
    return values


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


# By a model


def _sort_by_model(traces: TracesFolder, model: Model, n: int, on_request: OnRequest | None) -> SortedRequests:
    by = f"model {model.name}"
    population = _population_to_draw(traces, DEFAULT_JUDGE)
    wanted = {row.asked for row in drawn_rows(population, n)}
    before = {asked for asked, readings in readings_of(traces).items() if by in readings} & wanted
    counts: Counter[str] = Counter()
    failures: list[str] = []
    connections = Connections(max_connections=_AT_ONCE, start_connections=4, probe=model.probe)
    with PrivateLines(traces.path / SORTING) as lines:

        async def sort(trace: Trace) -> None:
            prompt = sorting_prompt(trace, picture_of(traces, trace))
            answer = (await connections.ask(lambda: model.answer(prompt), _SETTINGS.timeout)).answer
            reading = None if answer.error is not None else parse_sorting(answer.text or "")
            if answer.error is not None:
                failures.append(f"{answer.error.type}: {answer.error.message}"[:300])
                return
            harmfulness, reason = reading or (Harmfulness.UNSURE, "the model's reply could not be read")
            lines.append(Sorted(asked=trace.asked, harmfulness=harmfulness, by=by, at=_now(), reason=reason[:500]))
            counts[harmfulness] += 1
            if on_request is not None:
                on_request(trace)

        requests = _first_of_each(traces.traces(), wanted - before)
        finish(closing(_sort_at_once(requests, sort, lines), model))
    if failures and not counts:
        raise RunError(
            f"{model.name} failed on all {len(failures)} requests ({failures[-1]}); check the model, and repeat the "
            "command"
        )
    return SortedRequests(by, dict(counts), len(before), len(failures))


def _population_to_draw(traces: TracesFolder, judge: str) -> Population:
    """The traces as they are drawn: by what the judge of the first draw suspects, so that there is one order."""
    info = traces.info()
    if not info.drawn_by:
        traces.write_info(info.model_copy(update={"drawn_by": judge}))
    return population_of(traces, load_judge(info.drawn_by or judge))


def _first_of_each(traces: Iterable[Trace], wanted: set[str]) -> Iterator[Trace]:
    """A trace of each of these requests."""
    left = set(wanted)
    for trace in traces:
        if trace.asked in left:
            left.remove(trace.asked)
            yield trace


async def _sort_at_once(traces: Iterator[Trace], sort: Callable[..., object], lines: PrivateLines) -> None:
    while True:
        batch = list(islice(traces, _AT_ONCE * 4))
        if not batch:
            return
        queue = iter(batch)

        async def work(queue: Iterator[Trace] = queue) -> None:
            for trace in queue:
                await sort(trace)  # type: ignore[misc]  # it is a coroutine

        try:
            await together((work() for _ in range(_AT_ONCE)), queue)
        finally:
            lines.sync()  # calls that were paid for are on the disk


def sorting_prompt(trace: Trace, picture: Picture | None) -> Prompt:
    """What a judging model is asked: the request with what went before it, without the answer.

    It is fenced with a mark that the request cannot know, since it is a hash of it: a log may hold texts that give
    orders to whoever reads them.
    """
    mark = "=" * 6 + hashlib.sha256(f"sorting {trace.asked}".encode()).hexdigest()[:12]
    before = "\n".join(f"{turn.role}: {turn.text}" for turn in trace.history)[-_LONGEST:]
    text = (Path(__file__).with_name("sorting.txt")).read_text("utf-8")
    text = text.format(mark=mark, before=before or "(nothing)", request=trace.request[:_LONGEST])
    return Prompt(text, None, picture, _SETTINGS, _SCHEMA, None, picture.more if picture else ())


def parse_sorting(reply: str) -> tuple[Harmfulness, str] | None:
    """The last reading in a reply; None where there is none in the form asked for."""
    for record in reversed(objects_in(reply)):
        word = str(record.get("harmfulness", "")).strip().lower()
        if word in set(Harmfulness):
            return Harmfulness(word), str(record.get("reason") or "")
    return None


# By people


def add_to_sort(
    folder: TracesFolder, n: int, *, double: float = 0.25, seed: int = 0, judge: str = DEFAULT_JUDGE
) -> int:
    """Puts drawn requests into the queue of the page, some of them for two people; how many are new.

    The queue has no text, only the digest of the request: the page shows the text from the traces.
    """
    population = _population_to_draw(folder, judge)
    asked = list(dict.fromkeys(row.asked for row in in_turns(drawn_rows(population, n))))
    store = Store(folder.database_path(ANNOTATIONS))
    n_new = 0
    for first in range(0, len(asked), BLOCK):  # the store shuffles what it is given: so it keeps the order of blocks
        items = [(digest, {"asked": digest, "scene": digest}) for digest in asked[first : first + BLOCK]]
        n_new += store.add_items(items, double=double, seed=seed + first)
    return n_new


def read_harmfulness(value: str) -> dict[str, object]:
    """The value of a label of the page; a UsageError where it is none."""
    if value not in set(Harmfulness):
        raise UsageError(f"no such answer {value[:40]!r}; expected {', '.join(Harmfulness)}")
    return {"harmfulness": value}
