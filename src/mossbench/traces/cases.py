"""Chosen cases as samples: refused requests of a log or of a run, as a dataset that gates and pytest run.

Identical requests are one sample, with how often they were asked. A harmful twin can stand beside each, so that a fix
that only opens the gates is seen: a sheet has a row for each sample, and whoever knows the product fills it in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from mossbench.datasets import Dataset, export_dataset, load_recorded_dataset
from mossbench.datasets.copying import Copying
from mossbench.datasets.hub import cached_official
from mossbench.errors import MossbenchError, UsageError, n_of, some
from mossbench.judges import DEFAULT_JUDGE, load_judge
from mossbench.judges.judge import AnyJudge
from mossbench.outcomes import Counted, Rule, counted, parse_rule
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results, load_results
from mossbench.samples import EarlierMessage, Sample, Side, Value
from mossbench.traces.folder import FOLDER_MODE, TracesFolder
from mossbench.traces.judging import asks_model
from mossbench.traces.population import PopulationRow, population_of
from mossbench.traces.rates import read_labels, second_reading
from mossbench.traces.records import Trace
from mossbench.traces.sorting import readings_of
from mossbench.traces.sorting_records import Harmfulness
from mossbench.traces.twins import with_twins, without_twin, write_twin_sheet
from mossbench.ways_out import Command

WARNING = "Requests of real users, redacted. Names and what only its meaning makes personal were not looked for."
Choice = Literal["refused", "all"]


@dataclass(frozen=True)
class CasesWritten:
    """A dataset that was made of chosen cases."""

    folder: Path
    n: int
    """Harmless samples."""
    n_twins: int
    n_asked: int
    """How often these requests were asked in all."""
    n_without_image: int
    """Samples that had images which are not stored: they are asked without them."""
    n_with_history: int
    version: str
    """The name of the dataset with the hash of its content."""
    notes: tuple[str, ...] = ()


@dataclass
class _Case:
    """A request with what is known of the times it was asked."""

    trace: Trace
    n_asked: int = 0
    n_refused: int = 0
    users: set[str] = field(default_factory=set)
    shows_refusal: bool = False
    """Whether `trace` is one that was refused."""


def traces_to_dataset(
    folder: str | Path,
    out: str | Path,
    *,
    choice: Choice = "refused",
    ids: Collection[str] = (),
    n: int | None = None,
    name: str = "",
    twins: str | Path | None = None,
    labels: str | Path | Iterable[str | Path] = (),
    judge: AnyJudge = DEFAULT_JUDGE,
    overwrite: bool = False,
) -> CasesWritten:
    """Writes harmless requests of a log as a dataset, those that were refused most often first.

    Args:
        folder: The traces; a UsageError where no request is sorted, since a test of over-refusal needs harmless ones.
        out: A new folder for the dataset.
        choice: `refused`: requests that were refused at least once; `all`: all harmless requests.
        ids: Only these requests, by their ids in the dataset or by the ids of their traces.
        n: At most so many.
        name: The name of the dataset; by default that of `out`.
        twins: A sheet with harmful twins; if it does not exist, it is written with a row for each sample to fill in.
        labels: As for `rate_traces`: what people say goes before what the judge reads.
        judge: Who reads the answers; an offline judge.
        overwrite: Whether an earlier export in `out` may be replaced.
    """
    traces = TracesFolder.open(folder)
    paths = [labels] if isinstance(labels, (str, Path)) else list(labels)
    reader = load_judge(judge)
    if asks_model(reader):
        raise UsageError(f"judge {reader.name!r} asks a model; choose cases with an offline judge, or give labels")
    harmless = _harmless_requests(traces)
    rows = [row for row in population_of(traces, reader).rows if row.asked in harmless]
    labelled = read_labels(map(Path, paths))
    refused = {row.id: row.is_refused for row in rows} | labelled
    cases = _most_refused_first(
        case for case in _cases_of(traces, harmless, refused) if choice == "all" or case.n_refused
    )
    notes = _notes_on_readings([row for row in rows if row.id not in labelled], reader.label)
    if ids:
        wanted = set(ids)
        cases = [case for case in cases if wanted & {case.trace.asked, case.trace.id}]
    if not cases:
        what = "that was refused" if choice == "refused" else "at all"
        among = " among these ids" if ids else ""
        raise UsageError("; ".join([f"{traces.path} has no harmless request {what}{among}", *notes]))
    cases = cases[:n]
    samples = [_sample(case) for case in cases]
    dataset = Dataset(
        name=name or Path(out).resolve().name,
        samples=tuple(samples),
        root=traces.path,
        source=f"traces of {some(sorted({case.trace.source for case in cases}), 5)}",
        warning=WARNING,
        copying=Copying.NOTHING,
    )
    written = _written(dataset, Path(out), twins, overwrite=overwrite)
    written.folder.chmod(FOLDER_MODE)  # requests of real users
    traces.note_written("dataset", written.folder)
    if twins is not None:
        traces.note_written("twins", Path(twins))
    return replace(
        written,
        n_asked=sum(case.n_asked for case in cases),
        n_without_image=sum(_lacks_image(case.trace) for case in cases),
        notes=(*written.notes, *notes),
    )


def _notes_on_readings(rows: Sequence[PopulationRow], judge: str) -> list[str]:
    """What is said of harmless traces that the judge could not read, or in a manner that is unfamiliar to it."""
    notes = []
    reasons = Counter(row.reading.reason for row in rows if row.is_refused is None)
    if reasons:
        most_common = reasons.most_common(1)[0][0]
        why = f" ({most_common})" if most_common else ""
        notes.append(
            f"{n_of(reasons.total(), 'harmless trace')} without a verdict of {judge}{why}: whether they were refused "
            "is not known; name another --judge, or give --labels"
        )
    n_unfamiliar = sum(row.reading.is_unfamiliar for row in rows)
    if n_unfamiliar:
        notes.append(f"{n_of(n_unfamiliar, 'answer')} in a manner unfamiliar to {judge}: read them")
    return notes


def _cases_of(traces: TracesFolder, harmless: set[str] | None, refused: Mapping[str, bool | None]) -> list[_Case]:
    """Each request with how often it was asked and refused; None: all requests, not only harmless ones."""
    cases: dict[str, _Case] = {}
    for trace in traces.traces():
        is_wanted = harmless is None or trace.asked in harmless
        if not is_wanted or trace.id not in refused:
            continue
        case = cases.setdefault(trace.asked, _Case(trace))
        case.n_asked += 1
        case.n_refused += refused[trace.id] is True
        case.users.add(trace.user or trace.conversation or trace.id)
        if refused[trace.id] and not case.shows_refusal:
            case.trace = trace
            case.shows_refusal = True
    return list(cases.values())


def _most_refused_first(cases: Iterable[_Case]) -> list[_Case]:
    return sorted(cases, key=lambda case: (-case.n_refused, case.trace.asked))


@dataclass(frozen=True)
class RefusedRequest:
    """A request that was refused, to choose for a dataset."""

    id: str
    """As a sample has it."""
    request: str
    answer: str
    n_asked: int
    n_refused: int


def refused_requests(traces: TracesFolder, *, is_sorted: bool) -> tuple[RefusedRequest, ...]:
    """Harmless requests that were refused, the most often first; where nothing is sorted, every refused one."""
    reader = load_judge(DEFAULT_JUDGE)
    refused = {row.id: row.is_refused for row in population_of(traces, reader).rows}
    harmless = _harmless_requests(traces) if is_sorted else None
    cases = _cases_of(traces, harmless, refused)
    return tuple(
        RefusedRequest(case.trace.asked, case.trace.request, case.trace.answer.text or "", case.n_asked, case.n_refused)
        for case in _most_refused_first(case for case in cases if case.n_refused)
    )


def _harmless_requests(traces: TracesFolder) -> set[str]:
    readings = readings_of(traces)
    if not readings:
        raise UsageError(
            f"the requests in {traces.path} are not sorted: a test of over-refusal needs harmless ones",
            way_out=Command(f"mossbench traces sort {traces.path} --column COLUMN", to="sort them"),
        )
    return {
        asked
        for asked, said in readings.items()
        if (second_reading(said) or next(iter(said.values()))) is Harmfulness.HARMLESS
    }


def _sample(case: _Case) -> Sample:
    trace = case.trace
    images = [image.file for image in trace.images if image.file]
    history = _history(trace)
    columns: dict[str, Value] = {**trace.columns}
    columns |= {"n_asked": case.n_asked, "n_refused": case.n_refused, "n_users": len(case.users)}
    if trace.model:
        columns["model_in_log"] = trace.model
    if trace.day:
        columns["day"] = trace.day
    n_left_out = len(trace.history) - len(history)
    if n_left_out:
        columns["earlier_messages_left_out"] = n_left_out
    if _lacks_image(trace):
        columns["images_not_stored"] = sum(not image.file for image in trace.images)
    return Sample(
        id=trace.asked,
        side=Side.BENIGN,
        question=trace.request,
        image=images[0] if images else None,
        more_images=tuple(images[1:]),
        history=history,
        cluster=trace.user or trace.conversation or None,
        metadata=columns,
    )


def _history(trace: Trace) -> tuple[EarlierMessage, ...]:
    """The messages before the request that a sample can have: of the user and of the model, with something in them."""
    messages: list[EarlierMessage] = []
    for turn in trace.history:
        if turn.role not in ("user", "assistant"):
            continue
        images = tuple(image.file for image in turn.images if image.file) if turn.role == "user" else ()
        if turn.text.strip() or images:
            messages.append(EarlierMessage(role=turn.role, text=turn.text, images=images))
    return tuple(messages)


def _lacks_image(trace: Trace) -> bool:
    return any(not image.file for image in trace.images)


# Of a run


def run_to_dataset(
    run: str | Path,
    out: str | Path,
    *,
    choice: Choice = "refused",
    judge: str | None = None,
    rule: Rule | str = Rule.SYSTEM,
    n: int | None = None,
    name: str = "",
    twins: str | Path | None = None,
    overwrite: bool = False,
) -> CasesWritten:
    """Writes the harmless samples that a run refused as a dataset, with their harmful twins where the data have them.

    Args:
        run: The folder of the run. Images come from the data that it names, if these are there and unchanged.
        out: A new folder for the dataset.
        choice: `refused`: samples that were refused at least once; `all`: all harmless samples that were asked.
        judge: Whose verdicts count; by default the run's own.
        rule: What counts as refused.
        n: At most so many, in the order of the data.
        name: The name of the dataset; by default that of `out`.
        twins: As for `traces_to_dataset`, for samples without a twin.
        overwrite: Whether an earlier export in `out` may be replaced.
    """
    results = load_results(run, judge=judge)
    refused = _chosen_samples(results.rows, choice, parse_rule(rule))[:n]
    if not refused:
        what = "refused no harmless request" if choice == "refused" else "asked no harmless request"
        raise UsageError(f"the run in {results.folder} {what}")
    data = _data_of(results)
    twins_in_data = _twins_in_data(data, refused)
    kept = [_with_found_images(sample, data) for sample in (*refused, *twins_in_data)]
    dataset = Dataset(
        name=name or Path(out).resolve().name,
        samples=tuple(kept),
        root=data.root if data is not None else results.folder,
        source=f"refused by {results.model} in {results.folder.name}, of {results.info.dataset.name}",
        revision=results.info.dataset.revision,
        licence=results.info.dataset.licence,
        warning=results.info.dataset.warning,
        citation=results.info.dataset.citation,
        patches=data.patches if data is not None else {},
        copying=results.info.dataset.copying,
    )
    written = _written(dataset, Path(out), twins, overwrite=overwrite)
    n_without_image = sum(bool(sample.images) for sample in refused) if data is None else 0
    return replace(written, n_asked=len(refused), n_without_image=n_without_image)


def _chosen_samples(rows: Iterable[ResultRow], choice: Choice, rule: Rule) -> list[Sample]:
    """Each harmless sample, or each that was refused in at least one row, in the order of the rows."""
    chosen: dict[str, Sample] = {}
    for row in rows:
        is_wanted = choice == "all" or counted(row.outcome, rule) is Counted.REFUSED
        if row.key.side is Side.BENIGN and is_wanted:
            chosen.setdefault(row.key.sample, row.sample)
    return list(chosen.values())


def _data_of(results: Results) -> Dataset | None:
    """The data of the run, if they are there and as they were asked; None otherwise."""
    config = results.info.config
    try:
        is_published = config.data == "official"  # never fetched for this
        data = cached_official() if is_published else load_recorded_dataset(config.data, columns=config.columns or None)
    except (MossbenchError, OSError):
        return None
    if data is None:
        return None
    is_same = all(data.hashes.get(side) == digest for side, digest in results.info.dataset.hashes.items())
    return data if is_same else None


def _twins_in_data(data: Dataset | None, refused: Sequence[Sample]) -> list[Sample]:
    """The harmful twins of these samples."""
    if data is None:
        return []
    by_key = {sample.key: sample for sample in data.samples}
    twins = [by_key.get((Side.CONTRAST, sample.twin or sample.id)) for sample in refused]
    return [twin for twin in twins if twin is not None]


def _with_found_images(sample: Sample, data: Dataset | None) -> Sample:
    """The sample as it is; without its images where the data are not there."""
    if data is not None:
        return sample
    history = tuple(message.model_copy(update={"images": ()}) for message in sample.history if message.text)
    without = {"image": None, "more_images": (), "counterfactual": None, "triggers": (), "history": history}
    return sample.model_copy(update=without)


# Harmful twins, and the dataset


def _written(dataset: Dataset, out: Path, twins: str | Path | None, *, overwrite: bool) -> CasesWritten:
    """Writes the dataset, with the twins that a sheet has; or the sheet, where there is none yet."""
    notes: list[str] = []
    if twins is not None:
        sheet = Path(twins)
        if sheet.exists():
            dataset, left_out = with_twins(dataset, sheet)
            notes += left_out
        elif not without_twin(dataset):
            notes.append(f"every sample has a harmful twin: {sheet} was not written")
        else:
            write_twin_sheet(dataset, sheet)
            notes.append(f"wrote {sheet}: fill in harmful_question, and repeat the command with --overwrite")
    folder = export_dataset(dataset, out, overwrite=overwrite)
    n_harmful = sum(sample.side is Side.CONTRAST for sample in dataset.samples)
    harmless = [sample for sample in dataset.samples if sample.side is Side.BENIGN]
    return CasesWritten(
        folder=folder,
        n=len(harmless),
        n_twins=n_harmful,
        n_asked=len(harmless),
        n_without_image=0,
        n_with_history=sum(bool(sample.history) for sample in harmless),
        version=dataset.version,
        notes=tuple(notes),
    )
