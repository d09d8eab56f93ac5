"""What the runs of a model found, those of each dataset and protocol together, the newest first."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mossbench.outcomes import MAX_FAILED, Counted, Layer, Rule, counted
from mossbench.protocols import Topic, digest
from mossbench.reports.words.rates import headline, lede
from mossbench.reports.words.runs import model_name
from mossbench.results.changes import by_model, settings_that_differ
from mossbench.results.current import Current, RunCandidate, current_runs, n_samples, protocol_key, who
from mossbench.results.rates import Rate
from mossbench.results.table import Results
from mossbench.samples import Side
from mossbench.web.filters import filters_of
from mossbench.web.loaded_run import LoadedRun
from mossbench.web.pages import model_address

MOST_RUNS = 6
"""Runs whose groups are shown side by side."""
Groups = dict[str, dict[str, dict[Side, Rate]]]
"""Each group of samples with its rates, by run and side."""


@dataclass(frozen=True)
class Headline:
    """What a run found, as its report says it."""

    heading: str
    lede: str = ""


@dataclass(frozen=True)
class PassedOver:
    """A newer run that does not stand for the model."""

    run: str
    reason: str


@dataclass(frozen=True)
class HistoryRow:
    """A run among those of its dataset and protocol."""

    run: str
    settings: Sequence[str] | None
    """What differs from the run before it, in words; None where there is none before."""
    superseded_by: str = ""
    passed_over: bool = False
    is_submission: bool = False


@dataclass(frozen=True)
class ProtocolRows:
    """The runs of one dataset and protocol, the newest first."""

    title: str
    rows: Sequence[HistoryRow]
    asked: Sequence[str] = ()
    """How they were asked, where that tells them from others on the page."""
    why_apart: str = ""
    """In what they differ from those of the headline."""
    link: str = ""
    """The page with these at its head; empty where they are."""


@dataclass(frozen=True)
class GroupTable:
    """Rates by a column of the samples."""

    columns: Sequence[tuple[str, str]] = ()
    """By which samples can be grouped."""
    by: str | None = ""
    by_title: str | None = ""
    groups: Groups = field(default_factory=dict)


@dataclass(frozen=True)
class History:
    """What is known of runs that are finished and judged; without `shown` where there is none."""

    headline: Headline
    table: GroupTable = GroupTable()
    shown: str = ""
    """The run of the headline."""
    key: str = ""
    """Its protocol."""
    recorded: bool = False
    newer: Sequence[PassedOver] = ()
    not_ranked: str = ""
    n_protocols: int = 1
    most_samples: bool = True
    n_samples: int = 0
    protocols: Sequence[ProtocolRows] = ()


def make_history(
    model: str, loaded: Sequence[LoadedRun], by: str | None, protocol: str | None, data: str | None
) -> History:
    """What the page says of runs that are finished and judged: those of the chosen protocol first, the newest first."""
    runs: list[Results] = []
    for runs_of_model in by_model(run.results for run in loaded if run.results).values():
        runs += runs_of_model
    if not runs:
        return History(Headline(f"No run of {model_name(model)} is finished and judged with an answer."))
    every = current_runs(runs)
    chosen = _chosen(every, protocol, data)
    in_order = [chosen, *(current for current in every if current is not chosen)]
    topics = _topics_that_differ(in_order)
    head = chosen.stands.results
    most = max(n_samples(current.stands.results) for current in every)
    shown_beside = [head, *(older.results for older in chosen.superseded)][:MOST_RUNS]
    return History(
        headline=headline_of(head, Rule.SYSTEM),
        table=group_table(shown_beside, head, by),
        shown=head.name,
        key=protocol_key(head.protocol()),
        recorded=head.info.recorded,
        newer=[PassedOver(run.candidate.results.name, run.reason) for run in chosen.passed_over],
        not_ranked=chosen.stands.not_ranked(MAX_FAILED),
        n_protocols=len(every),
        most_samples=n_samples(head) >= most,
        n_samples=n_samples(head),
        protocols=[_protocol_rows(model, current, topics, head) for current in in_order],
    )


def _chosen(every: Sequence[Current[RunCandidate]], protocol: str | None, data: str | None) -> Current[RunCandidate]:
    """What was asked for by its protocol or its dataset; else the first, on the most samples."""
    for current in every:
        if protocol is not None and protocol_key(current.stands.results.protocol()) == protocol:
            return current
    for current in every:
        dataset = current.stands.results.info.dataset
        if data is not None and data in (dataset.name, dataset.label):
            return current
    return every[0]


def _topics_that_differ(every: Sequence[Current[RunCandidate]]) -> list[str]:
    """In what the protocols on the page differ, except the judge, which is in the title of each."""
    words_of_each = [_who_and_how(current.stands.results) for current in every]
    topics = []
    for topic in words_of_each[0]:
        n_different = len({words.get(topic) for words in words_of_each})
        if n_different > 1 and topic != Topic.JUDGE:
            topics.append(topic)
    return topics


def _who_and_how(run: Results) -> dict[str, str]:
    """How a run was asked, at which address, and from which folder its model came, in words that name neither."""
    subject, asked_model = who(run)
    words = {str(topic): text for topic, text in run.protocol().words().items()}
    words["endpoint"] = subject.address or "none"
    words["folder"] = digest(asked_model)
    return words


def _why_apart(run: Results, head: Results) -> str:
    """In what runs further down differ from those of the headline."""
    if run is head:
        return ""
    if protocol_key(run.protocol()) == protocol_key(head.protocol()):
        return "Another model of this name"
    what = "Other data" if run.info.dataset.label != head.info.dataset.label else "Asked otherwise"
    return f"{what}, not ranked with the runs above"


def _protocol_rows(model: str, current: Current[RunCandidate], topics: Sequence[str], shown: Results) -> ProtocolRows:
    """The runs of one dataset and protocol, the newest first, each with what differs from the one before it."""
    head = current.stands.results
    words = _who_and_how(head)
    newer = [run.candidate.results for run in current.passed_over]
    older = [run.results for run in current.superseded]
    runs = [*newer, head, *older]
    rows = []
    for run, before in zip(runs, [*runs[1:], None], strict=True):
        row = HistoryRow(
            run=run.name,
            settings=[setting.words() for setting in settings_that_differ(before, run)] if before else None,
            superseded_by=head.name if run in older else "",
            passed_over=run in newer,
        )
        rows.append(row)
    key = protocol_key(head.protocol())
    return ProtocolRows(
        title=f"{head.info.dataset.label}, judge {head.judge}",
        rows=rows,
        asked=[f"{topic} {words[topic]}" for topic in topics if topic in words],
        why_apart=_why_apart(head, shown),
        link="" if key == protocol_key(shown.protocol()) else model_address(model, protocol=key),
    )


def headline_of(run: Results, rule: Rule) -> Headline:
    rates = {rate.side: rate for rate in run.rates(by=None, rule=rule)}
    rate = rates.get(Side.BENIGN) or rates[Side.CONTRAST]
    samples = set[str]()
    for row in run.rows:
        if row.key.side is rate.side and counted(row.outcome, rule) is not Counted.LEFT_OUT:
            samples.add(row.key.sample)
    n = len(samples)
    harmful = rates.get(Side.CONTRAST) if rate.side is Side.BENIGN else None
    heading = headline(run.model, rate, n_unjudged=rate.layers[Layer.UNJUDGED], n_samples=n)
    return Headline(heading, lede(rate, harmful, n, harmful_name="harmful requests"))


def group_table(runs: Sequence[Results], shown: Results, by: str | None) -> GroupTable:
    samples = {row.sample.key: row.sample for row in shown.rows}
    columns = [(each.group, each.title) for each in filters_of(samples.values())]
    by = by or (columns[0][0] if columns else None)
    if by is None:
        return GroupTable(columns, by, by)
    return GroupTable(columns, by, dict(columns).get(by, by), _groups(runs, by))


def _groups(runs: Sequence[Results], by: str) -> Groups:
    groups: Groups = {}
    for run in runs:
        for rate in run.rates(by=by):
            if rate.group != "all":
                groups.setdefault(rate.group, {}).setdefault(run.name, {})[rate.side] = rate
    return groups
