"""The runs of a model by dataset and protocol, the newest first, and what the current one found."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mossbench.outcomes import MAX_FAILED, Counted, Layer, Rule, counted
from mossbench.protocols import Topic, digest
from mossbench.reports.words import model_page as words
from mossbench.reports.words.rates import headline, lede
from mossbench.reports.words.runs import model_name
from mossbench.results.changes import by_model, settings_that_differ
from mossbench.results.current import Current, RunCandidate, current_runs, model_identity, n_samples, protocol_key
from mossbench.results.rates import Rate
from mossbench.results.table import Results
from mossbench.samples import Side
from mossbench.web.filters import filters_of
from mossbench.web.loaded_run import LoadedRun
from mossbench.web.pages import model_address

MAX_RUNS = 6
"""Runs whose groups are shown side by side."""
Groups = dict[str, dict[str, dict[Side, Rate]]]
"""Each group of samples with its rates, by run and side."""


@dataclass(frozen=True)
class Headline:
    """What a run found, in the words of its report."""

    heading: str
    lede: str = ""
    figures: str = ""
    """The interval, the counts and the other side in one line."""


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
    """Settings that differ from the run before it, in words; None for the first run."""
    superseded_by: str = ""
    passed_over: bool = False
    is_submission: bool = False


@dataclass(frozen=True)
class ProtocolRows:
    """The runs of one dataset and protocol, the newest first."""

    title: str
    rows: Sequence[HistoryRow]
    settings: Sequence[str] = ()
    """Settings in which they differ from others on the page."""
    why_apart: str = ""
    """How they differ from the runs of the headline; empty for those."""
    link: str = ""
    """The page with these at the top; empty where they are there already."""
    dataset: str = ""
    n_samples: int = 0
    called: str = ""
    """What the link to these is called: their data, or what else is their own."""


@dataclass(frozen=True)
class GroupTable:
    """Rates by a column of the samples."""

    columns: Sequence[tuple[str, str]] = ()
    """Columns by which samples can be grouped: names and titles."""
    by: str | None = ""
    by_title: str | None = ""
    groups: Groups = field(default_factory=dict)


@dataclass(frozen=True)
class History:
    """The runs of a model that are finished and judged; `shown` is empty where there is none."""

    headline: Headline
    table: GroupTable = GroupTable()
    shown: str = ""
    """The run of the headline."""
    key: str = ""
    """The key of its protocol."""
    is_recorded: bool = False
    """Whether it replays recorded answers."""
    newer: Sequence[PassedOver] = ()
    not_ranked: str = ""
    n_protocols: int = 1
    has_most_samples: bool = True
    n_samples: int = 0
    protocols: Sequence[ProtocolRows] = ()


def make_history(
    model: str, loaded: Sequence[LoadedRun], by: str | None, protocol: str | None, data: str | None
) -> History:
    """The runs that are finished and judged: those of the chosen protocol first, the newest first."""
    runs: list[Results] = []
    for runs_of_model in by_model(run.results for run in loaded if run.results).values():
        runs += runs_of_model
    if not runs:
        return History(Headline(f"No run of {model_name(model)} is finished and judged with an answer."))
    by_protocol = current_runs(runs)
    chosen = _chosen(by_protocol, protocol, data)
    in_order = [chosen, *(current for current in by_protocol if current is not chosen)]
    topics = _topics_that_differ(in_order)
    head = chosen.representative.results
    most = max(n_samples(current.representative.results) for current in by_protocol)
    side_by_side = [head, *(older.results for older in chosen.superseded)][:MAX_RUNS]
    return History(
        headline=headline_of(head, Rule.SYSTEM),
        table=group_table(side_by_side, head, by),
        shown=head.name,
        key=protocol_key(head.protocol()),
        is_recorded=head.info.recorded,
        newer=[PassedOver(run.candidate.results.name, run.reason) for run in chosen.passed_over],
        not_ranked=chosen.representative.not_ranked(MAX_FAILED),
        n_protocols=len(by_protocol),
        has_most_samples=n_samples(head) >= most,
        n_samples=n_samples(head),
        protocols=[_protocol_rows(model, current, topics, head) for current in in_order],
    )


def _chosen(
    by_protocol: Sequence[Current[RunCandidate]], protocol: str | None, data: str | None
) -> Current[RunCandidate]:
    """The runs of this protocol or dataset; otherwise the first, on the most samples."""
    for current in by_protocol:
        if protocol is not None and protocol_key(current.representative.results.protocol()) == protocol:
            return current
    for current in by_protocol:
        dataset = current.representative.results.info.dataset
        if data is not None and data in (dataset.name, dataset.label):
            return current
    return by_protocol[0]


def _topics_that_differ(by_protocol: Sequence[Current[RunCandidate]]) -> list[str]:
    """The topics in which the protocols on the page differ, except the judge, which is in the title of each."""
    all_settings = [_settings_in_words(current.representative.results) for current in by_protocol]
    topics = []
    for topic in all_settings[0]:
        n_different = len({settings.get(topic) for settings in all_settings})
        if n_different > 1 and topic != Topic.JUDGE:
            topics.append(topic)
    return topics


def _settings_in_words(run: Results) -> dict[str, str]:
    """How a run was asked, by topic; the endpoint and the folder of its model as digests."""
    subject, asked_model = model_identity(run)
    settings = {str(topic): text for topic, text in run.protocol().words().items()}
    settings["endpoint"] = subject.address or "none"
    settings["folder"] = digest(asked_model)
    return settings


def _why_apart(run: Results, head: Results) -> str:
    """How runs further down differ from those of the headline; empty for those."""
    if run is head:
        return ""
    if protocol_key(run.protocol()) == protocol_key(head.protocol()):
        return "Another model of this name"
    has_other_data = run.info.dataset.label != head.info.dataset.label
    difference = "Other settings"
    if has_other_data:
        difference = "Other data"
    elif run.judge != head.judge:
        difference = "Another judge or version"
    return f"{difference}, not ranked with the runs above"


def _protocol_rows(
    model: str, current: Current[RunCandidate], topics: Sequence[str], headline_run: Results
) -> ProtocolRows:
    """The runs of one dataset and protocol, the newest first, each with what differs from the one before it."""
    head = current.representative.results
    settings = _settings_in_words(head)
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
        settings=[f"{topic} {settings[topic]}" for topic in topics if topic in settings],
        why_apart=_why_apart(head, headline_run),
        dataset=head.info.dataset.name,
        n_samples=n_samples(head),
        called=_called(head, [f"{topic} {settings[topic]}" for topic in topics if topic in settings], headline_run),
        link="" if key == protocol_key(headline_run.protocol()) else model_address(model, protocol=key),
    )


def _called(head: Results, settings: Sequence[str], headline_run: Results) -> str:
    """What a link to the runs of `head` is called on the page of `headline_run`."""
    dataset = head.info.dataset
    if dataset.label != headline_run.info.dataset.label:
        return words.other_data(dataset.name, n_samples(head))
    if head.judge != headline_run.judge:
        return f"judge {head.judge}"
    return ", ".join(settings) or words.other_data(dataset.name, n_samples(head))


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
    return Headline(
        heading=words.on_dataset(run.info.dataset.name, heading),
        lede=lede(rate, harmful, n, harmful_name="harmful requests"),
        figures=words.figures(rate, harmful, run.judge or ""),
    )


def group_table(runs: Sequence[Results], headline_run: Results, by: str | None) -> GroupTable:
    """Rates of the runs by a column of the samples in the run of the headline: by default the first column."""
    samples = {row.sample.key: row.sample for row in headline_run.rows}
    columns = [(filter.group, filter.title) for filter in filters_of(samples.values())]
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
