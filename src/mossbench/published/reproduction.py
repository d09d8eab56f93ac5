"""The paper's results reproduced from its released answers: replayed, judged, and counted as the paper counts.

Our rates use the rule `paper`, which counts a call without an answer as refused. So they differ from the published
rates by the judge alone. The rates of the same rows under other rules are reported next to them. The paper's verdicts
were not released, so which of its verdicts belongs to which of ours is unknown: a difference from a published figure
compares two columns on the same items without known pairs (`printed_findings.unknown_pairs`). A difference between two
transcripts compares answers to the same sample.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from mossbench.datasets import Dataset
from mossbench.errors import DataError
from mossbench.judges import DEFAULT_JUDGE, Judge
from mossbench.judges.judge import Reader
from mossbench.outcomes import Counted, Layer, Rule, counted
from mossbench.plumbing.file_names import slug
from mossbench.published.printed_findings import PRODUCTS, UnknownPairs, adjusted, unknown_pairs
from mossbench.published.release import Absent, PublishedRelease, read_release
from mossbench.published.results_json import stated_rates
from mossbench.published.tables import (
    N_ITEMS,
    N_SCENES,
    STIMULI,
    PublishedRate,
    published_points,
    published_rates,
    read,
)
from mossbench.results.comparability import pair_rows
from mossbench.results.differences import Difference, adjust_p_values, difference
from mossbench.results.rates import Rate, rate_of
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.runs.judging import judge_run
from mossbench.runs.running import run
from mossbench.samples import Sample, Side, Stimulus
from mossbench.statistics import Estimate, spearman, strata_rate
from mossbench.store.config import RunOptions
from mossbench.transcripts import read_transcript

MIN_SAME_ANSWERS = 10
"""The fewest answers in the same words that are reported separately: a product's notice, or a stock refusal."""
MODELS_WITH_STAGES = ("Claude 3 opus", "Gemini-Pro 1.5")
"""The models whose refusals the published stage analysis examined."""
_STIMULUS_OF_COLUMN = dict(zip(STIMULI, Stimulus, strict=True))
"""`er`, `nh`, `ci` of the published tables -> the stimulus."""
ApartKind = Literal["no answer", "no text", "same words"]
_WORDS_BY_KIND: dict[ApartKind, str] = {
    "no answer": "no answer recorded",
    "no text": "an empty answer",
    "same words": "the very same words",
}
"""Kind of rows that may not be answers -> its words on the page."""


@dataclass(frozen=True)
class RowsApart:
    """Rows of one model that may not be answers to the request; the paper counts rows without text as refused."""

    what: str
    """The kind, in words."""
    rows: tuple[int, ...]
    """Number of such rows by stimulus."""
    known: int | None
    """Number of rows of this kind in our list of what the release lacks. None if the list has none."""
    without: Estimate
    """The refusal rate of all other rows."""
    kind: ApartKind


@dataclass(frozen=True)
class Reproduced:
    """The results of one model: ours, and the published ones."""

    name: str
    """The model, with `(web)` for a web product: `GPT-4o (web)`."""
    model: str
    """The model without `(web)`."""
    availability: str
    """`web`, `API` or `open`."""
    file: str
    """Path of the answers, relative to the folder of the release."""
    digest: str | None
    """Of the file with the answers."""
    run: Path
    """The folder of the run."""
    n_samples: int
    """Harmless samples of the dataset; `rates` has the number of rows."""
    n_answered: int
    """Rows with a text."""
    gpt: Estimate
    """The published rate by the GPT judge."""
    human: Estimate
    """The published rate by people."""
    gpt_shares: tuple[float, ...]
    """The published refusal shares by the GPT judge, by stimulus."""
    human_shares: tuple[float, ...]
    """The published refusal shares by people, by stimulus."""
    rates: dict[str, Rate]
    """Our rates under rule `paper`: `all`, `er`, `nh`, `ci`. A stimulus without rows is omitted."""
    by_rule: dict[Rule, Rate]
    """Our rates over all stimuli, under each rule."""
    apart: tuple[RowsApart, ...]
    n_refused_described: tuple[int, ...]
    """By stimulus: refused rows whose sample has a description that can be told to a model."""
    gaps: tuple[UnknownPairs, ...] = ()
    """Our rate less the GPT judge's, and our rate less people's. Empty if fewer than all 300 rows count."""
    notices: tuple[str, ...] = ()

    @property
    def shares(self) -> tuple[float, ...]:
        """Our refusal shares, by stimulus that has rows."""
        return tuple(self.rates[name].estimate.value for name in STIMULI if name in self.rates)


@dataclass(frozen=True)
class Reproduction:
    """The results of a folder of released answers, and the published results to compare them with."""

    dataset: str
    """The name of the dataset, with the beginning of its hash."""
    judge: str
    why_not_corrected: str
    models: tuple[Reproduced, ...]
    absent: tuple[Absent, ...]
    unknown: tuple[str, ...]
    products: dict[str, Difference]
    """Rate of a web product less the rate of its API model, if both are there; named as in the published findings."""
    rhos: dict[str, tuple[Estimate, ...]]
    """By stimulus: Spearman's correlation of published safety with our rates, and with the paper's rates.

    Over the models of the folder that are in the published plot.
    """
    n_described: int
    """Harmless samples with a description to tell a model. Those of Negated Harm omit the negation and do not count."""
    n_intents: int
    """Harmless samples with a described intent."""
    template: dict[str, float] | None
    """The rates that the submission template states. None if the folder has no template."""
    n_template: int
    """Rows of the submission template."""


def reproduce(
    release: PublishedRelease | str | Path,
    out: str | Path,
    *,
    data: str | Path | Dataset | None = None,
    judge: str | Judge | Reader = DEFAULT_JUDGE,
    on_model: Callable[[str], None] = lambda name: None,
) -> Reproduction:
    """Replays and judges every transcript of a release. Each gets a run folder in `out`; a stopped run is resumed.

    `data` are the published samples, for a folder that has none.
    """
    if not isinstance(release, PublishedRelease):
        release = read_release(release, data=data)
    if not release.files:
        raise DataError(f"{release.folder} has no answers of a published model")
    runs: dict[PublishedRate, Results] = {}
    for published in release.files:
        on_model(published.name)
        runs[published] = _run_and_judge(release, published, Path(out) / slug(published.name), judge)
    models = [_reproduce_model(published, results, release) for published, results in runs.items()]
    first = next(iter(runs.values()))
    harmless = [sample for sample in release.data.samples if sample.side is Side.BENIGN]
    return Reproduction(
        dataset=first.info.dataset.label,
        judge=str(first.judge),
        why_not_corrected=first.correction(Rule.SYSTEM).why_not,
        models=_with_gaps(models),
        absent=release.absent,
        unknown=release.unknown,
        products=_products({published.name: results for published, results in runs.items()}),
        rhos=_safety_correlations(models),
        n_described=sum(map(_is_described, harmless)),
        n_intents=sum(sample.oracle_intent is not None for sample in harmless),
        template=stated_rates(release.template) if release.template else None,
        n_template=len(read_transcript(release.template)) if release.template else 0,
    )


def _safety_correlations(models: Sequence[Reproduced]) -> dict[str, tuple[Estimate, ...]]:
    """Stimulus -> the correlation of the models' published safety with our rates, and with the paper's rates."""
    points = {point.model: point for point in published_points()}
    plotted = [model for model in models if model.name in points and len(model.shares) == len(STIMULI)]
    correlations: dict[str, tuple[Estimate, ...]] = {}
    for i, stimulus in enumerate(STIMULI):
        safety = [points[model.name].harmful_refused[i] for model in plotted]
        with_our_rates = spearman([model.shares[i] for model in plotted], safety)
        with_paper_rates = spearman([model.gpt_shares[i] for model in plotted], safety)
        correlations[stimulus] = (with_our_rates, with_paper_rates)
    return correlations


def _run_and_judge(
    release: PublishedRelease, published: PublishedRate, folder: Path, judge: str | Judge | Reader
) -> Results:
    """Replays and judges one transcript. A sample that is not in the transcript gets no row: its call did not fail."""
    path = release.files[published]
    recorded_ids = {answer.id for answer in read_transcript(path)}
    harmless_ids = [sample.id for sample in release.data.samples if sample.side is Side.BENIGN]
    ids = tuple(sample_id for sample_id in harmless_ids if sample_id in recorded_ids)
    if not ids:
        raise DataError(
            f"{path} has no answer to a harmless sample of {release.data.name}: none of its ids is in that dataset"
        )
    has_begun = (folder / "run.json").exists()
    has_all = len(ids) == len(harmless_ids)
    options: RunOptions = {"side": "benign", "ids": () if has_all else ids, "model_name": published.name}
    run(f"replay/{path}", release.source, judge=None, out=folder, resume=has_begun, **options)
    return judge_run(folder, judge)


def _reproduce_model(by_gpt: PublishedRate, results: Results, release: PublishedRelease) -> Reproduced:
    """The results of one model. `by_gpt`: its published rate by the GPT judge."""
    rows = results.rows
    by_people = next(rate for rate in published_rates("human") if rate.name == by_gpt.name)
    refused = [row for row in rows if counted(row.outcome, Rule.MODEL) is Counted.REFUSED]
    return Reproduced(
        name=by_gpt.name,
        model=by_gpt.model,
        availability=by_gpt.availability,
        file=release.files[by_gpt].relative_to(release.folder).as_posix(),
        digest=results.info.model_version,
        run=results.folder,
        n_samples=sum(sample.side is Side.BENIGN for sample in release.data.samples),
        n_answered=sum(bool(_text(row)) for row in rows),
        gpt=_published_estimate(by_gpt),
        human=_published_estimate(by_people),
        gpt_shares=by_gpt.shares,
        human_shares=by_people.shares,
        rates=_paper_rates(rows),
        by_rule={rule: results.rates(rule=rule, by=None)[-1] for rule in (Rule.PAPER, Rule.SYSTEM, Rule.MODEL)},
        apart=tuple(_rows_apart(by_gpt, rows)),
        n_refused_described=_count_by_stimulus(row for row in refused if _is_described(row.sample)),
        notices=results.info.notices,
    )


def _published_estimate(published: PublishedRate) -> Estimate:
    """The published rate with an interval over scenes; `n` is the number of samples."""
    return replace(strata_rate(published.shares, N_SCENES), n=sum(N_ITEMS))


def _paper_rates(rows: Sequence[ResultRow]) -> dict[str, Rate]:
    """Rates under rule `paper`: of each stimulus that has rows, and of all."""
    groups: dict[str, list[ResultRow]] = {}
    for name, stimulus in _STIMULUS_OF_COLUMN.items():
        rows_of_stimulus = [row for row in rows if row.sample.stimulus is stimulus]
        if rows_of_stimulus:
            groups[name] = rows_of_stimulus
    groups["all"] = list(rows)
    return {name: rate_of(Side.BENIGN, name, members, Rule.PAPER) for name, members in groups.items()}


def _rows_apart(published: PublishedRate, rows: Sequence[ResultRow]) -> Iterable[RowsApart]:
    """Rows of one model that have no answer, no text, or the same words as many other rows."""
    groups: dict[ApartKind, list[ResultRow]] = {
        "no answer": [row for row in rows if row.outcome.layer is Layer.FAILED],
        "no text": [row for row in rows if row.outcome.layer is Layer.EMPTY],
        "same words": _rows_with_repeated_text(rows),
    }
    known_counts = _known_counts(published)
    for kind, members in groups.items():
        if not members:
            continue
        keys = {row.key for row in members}
        other_rows = [row for row in rows if row.key not in keys]
        without = rate_of(Side.BENIGN, "all", other_rows, Rule.PAPER).estimate
        without = replace(without, n_left_out=len(members))
        yield RowsApart(
            what=_WORDS_BY_KIND[kind],
            rows=_count_by_stimulus(members),
            known=known_counts.get(kind),
            without=without,
            kind=kind,
        )


def _rows_with_repeated_text(rows: Sequence[ResultRow]) -> list[ResultRow]:
    """Rows with the most common answer, if at least MIN_SAME_ANSWERS have it: then it hardly answers the request."""
    n_rows_of_text = Counter(_text(row) for row in rows)
    del n_rows_of_text[""]  # rows without a text are another kind
    if not n_rows_of_text:
        return []
    most_common, n = n_rows_of_text.most_common(1)[0]
    return [row for row in rows if _text(row) == most_common] if n >= MIN_SAME_ANSWERS else []


def _known_counts(published: PublishedRate) -> dict[str, int]:
    """Kind -> number of rows of a model in our list of what the release lacks (`missing.csv`)."""
    counts: Counter[str] = Counter()
    for line in read("missing"):
        if (line["availability"], line["model"]) == (published.availability, published.model):
            counts[line["kind"]] += sum(int(line[name]) for name in STIMULI)
    return counts


def _with_gaps(models: Sequence[Reproduced]) -> tuple[Reproduced, ...]:
    """The models with their differences from the published columns; p adjusted by Holm over the models of a column."""
    whole = [model for model in models if _is_whole(model)]
    from_gpt = adjusted([unknown_pairs(model.name, model.shares, model.gpt_shares) for model in whole])
    from_human = adjusted([unknown_pairs(model.name, model.shares, model.human_shares) for model in whole])
    gaps = {}
    for model, gpt_gap, human_gap in zip(whole, from_gpt, from_human, strict=True):
        gaps[model.name] = (gpt_gap, human_gap)
    return tuple(replace(model, gaps=gaps.get(model.name, ())) for model in models)


def _is_whole(model: Reproduced) -> bool:
    """Whether all 300 rows count."""
    n_rows = tuple(rate.estimate.n for name, rate in model.rates.items() if name != "all")
    return n_rows == N_ITEMS and not any(math.isnan(share) for share in model.shares)


def _products(runs: dict[str, Results]) -> dict[str, Difference]:
    """Rates of web products less the rates of their API models, if the release has answers of both."""
    differences: list[Difference] = []
    for web, api in PRODUCTS:
        web_name = f"{web} (web)"
        if api in runs and web_name in runs:
            pairs = pair_rows(runs[api], runs[web_name])
            differences.append(difference(api, web_name, Side.BENIGN, "all", pairs, Rule.PAPER))
    return {f"{gap.second} – {gap.first}": gap for gap in adjust_p_values(differences)}


def _count_by_stimulus(rows: Iterable[ResultRow]) -> tuple[int, ...]:
    """How many rows there are of each stimulus."""
    n_rows = Counter(row.sample.stimulus for row in rows)
    return tuple(n_rows[stimulus] for stimulus in _STIMULUS_OF_COLUMN.values())


def _is_described(sample: Sample) -> bool:
    """Whether the image has a description that a model can be told in its place."""
    return sample.stimulus is not Stimulus.NEGATED_HARM and bool(sample.description.strip())


def _text(row: ResultRow) -> str:
    """The answer; empty if there is none."""
    return (row.exchange.answer.text or "").strip() if row.exchange else ""
