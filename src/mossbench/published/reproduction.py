"""The paper's results made again from its released answers: replayed, judged, counted as the paper counts.

Our rates are of rule `paper`, in which a call that brought no answer counts as refused, so that they differ from the
published ones by the judge alone; what the same rows give under other rules stands beside them. The paper's verdicts
were not released. So differences from its figures are of columns on the same items with unknown pairs
(`printed_findings.unknown_pairs`); differences between two transcripts are of known pairs.
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
from mossbench.plumbing.storage import slug
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

REPEATED = 10
"""Answers in the very same words from which they are shown apart: a product's notice, or a stock refusal."""
STAGED = ("Claude 3 opus", "Gemini-Pro 1.5")
"""Whose refusals the published stage analysis took apart."""
_STIMULI = dict(zip(STIMULI, Stimulus, strict=True))
ApartKind = Literal["no answer", "no text", "same words"]
APART: dict[ApartKind, str] = {
    "no answer": "no answer recorded",
    "no text": "an empty answer",
    "same words": "the very same words",
}
"""Rows that may not be answers, and how people read that."""


@dataclass(frozen=True)
class Apart:
    """Rows of one model that may not be answers to the request; the paper counts those without text as refused."""

    what: str
    """The kind, in words."""
    rows: tuple[int, ...]
    """By stimulus."""
    known: int | None
    """How many such rows were known of the release before; None: none were."""
    without: Estimate
    """The rate of all other rows."""
    kind: ApartKind


@dataclass(frozen=True)
class Reproduced:
    name: str
    model: str
    """The same without `(web)`: it tells apart what `availability` does."""
    availability: str
    file: str
    """From the folder on."""
    digest: str | None
    run: Path
    n_samples: int
    """Harmless samples of the dataset; `rates` say how many of them have a row."""
    n_answered: int
    """Rows with a text."""
    gpt: Estimate
    human: Estimate
    gpt_shares: tuple[float, ...]
    human_shares: tuple[float, ...]
    rates: dict[str, Rate]
    """Rule `paper`: `all`, `er`, `nh`, `ci`; a stimulus without rows is not there."""
    by_rule: dict[Rule, Rate]
    apart: tuple[Apart, ...]
    n_refused_described: tuple[int, ...]
    """By stimulus: refused rows whose sample has a description that can be told to a model."""
    gaps: tuple[UnknownPairs, ...] = ()
    """Ours less the GPT judge's, ours less people's; empty unless every one of the 300 rows counts."""
    notices: tuple[str, ...] = ()

    @property
    def shares(self) -> tuple[float, ...]:
        return tuple(self.rates[name].estimate.value for name in STIMULI if name in self.rates)


@dataclass(frozen=True)
class Reproduction:
    """Everything that a folder of released answers gives, beside what was published."""

    dataset: str
    """With the beginning of its hash."""
    judge: str
    why_not_corrected: str
    models: tuple[Reproduced, ...]
    absent: tuple[Absent, ...]
    unknown: tuple[str, ...]
    products: dict[str, Difference]
    """Web product less API of which both are here, on known pairs; named as in the published findings."""
    rhos: dict[str, tuple[Estimate, ...]]
    """By stimulus, over the models here that the plot has: their safety with our rates, and with the paper's."""
    n_described: int
    """Harmless samples with a description to tell a model: not those of Negated Harm, which leave out the negation."""
    n_intents: int
    template: dict[str, float] | None
    """The rates that the submission template states; None where it is not here."""
    n_template: int


def reproduce(
    release: PublishedRelease | str | Path,
    out: str | Path,
    *,
    data: str | Path | Dataset | None = None,
    judge: str | Judge | Reader = DEFAULT_JUDGE,
    on_model: Callable[[str], None] = lambda name: None,
) -> Reproduction:
    """Replays and judges every transcript of a release; each is a run folder in `out`, and goes on where it stopped.

    Of a folder, `data` are the published samples where it has none.
    """
    release = release if isinstance(release, PublishedRelease) else read_release(release, data=data)
    runs = {}
    for row in release.files:
        on_model(row.name)
        runs[row] = _judged(release, row, Path(out) / slug(row.name), judge)
    models = [_reproduced(row, results, release) for row, results in runs.items()]
    first = next(iter(runs.values()))
    harmless = [sample for sample in release.data.samples if sample.side is Side.BENIGN]
    return Reproduction(
        dataset=first.info.dataset.label,
        judge=str(first.judge),
        why_not_corrected=first.correction(Rule.SYSTEM).why_not,
        models=_with_gaps(models),
        absent=release.absent,
        unknown=release.unknown,
        products=_products({row.name: results for row, results in runs.items()}),
        rhos=_rhos(models),
        n_described=sum(map(_is_described, harmless)),
        n_intents=sum(sample.oracle_intent is not None for sample in harmless),
        template=stated_rates(release.template) if release.template else None,
        n_template=len(read_transcript(release.template)) if release.template else 0,
    )


def _rhos(models: Sequence[Reproduced]) -> dict[str, tuple[Estimate, ...]]:
    """Stimulus -> the correlation of the models' safety with our rates, and with the paper's."""
    points = {point.model: point for point in published_points()}
    plotted = [model for model in models if model.name in points and len(model.shares) == len(STIMULI)]
    rhos: dict[str, tuple[Estimate, ...]] = {}
    for k, stimulus in enumerate(STIMULI):
        safety = [points[model.name].safe[k] for model in plotted]
        ours = spearman([model.shares[k] for model in plotted], safety)
        papers = spearman([model.gpt_shares[k] for model in plotted], safety)
        rhos[stimulus] = (ours, papers)
    return rhos


def _judged(release: PublishedRelease, row: PublishedRate, folder: Path, judge: str | Judge | Reader) -> Results:
    """The rows of one transcript, and of no other sample: what was not recorded there is no failed call."""
    path = release.files[row]
    recorded = {answer.id for answer in read_transcript(path)}
    harmless = [sample.id for sample in release.data.samples if sample.side is Side.BENIGN]
    ids = tuple(id for id in harmless if id in recorded)
    if not ids:
        raise DataError(f"{path} has no answer to a harmless sample of {release.data.name}; its ids are other ones")
    has_begun = (folder / "run.json").exists()
    has_all = len(ids) == len(harmless)
    options: RunOptions = {"side": "benign", "ids": () if has_all else ids, "model_name": row.name}
    run(f"replay/{path}", release.source, judge=None, out=folder, resume=has_begun, **options)
    return judge_run(folder, judge)


def _reproduced(row: PublishedRate, results: Results, release: PublishedRelease) -> Reproduced:
    rows = results.rows
    by_people = next(rate for rate in published_rates("human") if rate.name == row.name)
    refused = [result for result in rows if counted(result.outcome, Rule.MODEL) is Counted.REFUSED]
    return Reproduced(
        name=row.name,
        model=row.model,
        availability=row.availability,
        file=release.files[row].relative_to(release.folder).as_posix(),
        digest=results.info.model_version,
        run=results.folder,
        n_samples=sum(sample.side is Side.BENIGN for sample in release.data.samples),
        n_answered=sum(bool(_text(result)) for result in rows),
        gpt=_published_rate(row),
        human=_published_rate(by_people),
        gpt_shares=row.shares,
        human_shares=by_people.shares,
        rates=_paper_rates(rows),
        by_rule={rule: results.rates(rule=rule, by=None)[-1] for rule in (Rule.PAPER, Rule.SYSTEM, Rule.MODEL)},
        apart=tuple(_apart(row, rows)),
        n_refused_described=_by_stimulus(result for result in refused if _is_described(result.sample)),
        notices=results.info.notices,
    )


def _published_rate(row: PublishedRate) -> Estimate:
    return replace(strata_rate(row.shares, N_SCENES), n=sum(N_ITEMS))


def _paper_rates(rows: Sequence[ResultRow]) -> dict[str, Rate]:
    """Rates under rule `paper`: of each stimulus that has rows, and of all."""
    groups: dict[str, list[ResultRow]] = {}
    for name, stimulus in _STIMULI.items():
        rows_of_stimulus = [row for row in rows if row.sample.stimulus is stimulus]
        if rows_of_stimulus:
            groups[name] = rows_of_stimulus
    groups["all"] = list(rows)
    return {name: rate_of(Side.BENIGN, name, members, Rule.PAPER) for name, members in groups.items()}


def _apart(published: PublishedRate, rows: Sequence[ResultRow]) -> Iterable[Apart]:
    """Rows of one model that have no answer, no text, or the words that very many others have."""
    groups: dict[ApartKind, list[ResultRow]] = {
        "no answer": [row for row in rows if row.outcome.layer is Layer.FAILED],
        "no text": [row for row in rows if row.outcome.layer is Layer.EMPTY],
        "same words": _with_the_same_words(rows),
    }
    n_known = _n_known_before(published)
    for kind, members in groups.items():
        if not members:
            continue
        keys = {row.key for row in members}
        other_rows = [row for row in rows if row.key not in keys]
        without = rate_of(Side.BENIGN, "all", other_rows, Rule.PAPER).estimate
        without = replace(without, n_left_out=len(members))
        yield Apart(APART[kind], _by_stimulus(members), n_known.get(kind), without, kind)


def _with_the_same_words(rows: Sequence[ResultRow]) -> list[ResultRow]:
    """Rows whose answer is the most common one, where it is so common that it is no answer to the request."""
    texts = Counter(_text(row) for row in rows)
    del texts[""]
    if not texts:
        return []
    most_common, n = texts.most_common(1)[0]
    return [row for row in rows if _text(row) == most_common] if n >= REPEATED else []


def _n_known_before(row: PublishedRate) -> dict[ApartKind, int]:
    """How many such rows were known of the release before, by their kind."""
    for line in read("missing"):
        if (line["availability"], line["model"]) == (row.availability, row.model):
            kind = next(kind for kind in APART if kind == line["kind"])
            return {kind: sum(int(line[name]) for name in STIMULI)}
    return {}


def _with_gaps(models: Sequence[Reproduced]) -> tuple[Reproduced, ...]:
    """With differences from the published columns, p by Holm over the models of each column."""
    whole = [model for model in models if _is_whole(model)]
    from_gpt = adjusted([unknown_pairs(model.name, model.shares, model.gpt_shares) for model in whole])
    from_human = adjusted([unknown_pairs(model.name, model.shares, model.human_shares) for model in whole])
    gaps = {}
    for model, gpt_gap, human_gap in zip(whole, from_gpt, from_human, strict=True):
        gaps[model.name] = (gpt_gap, human_gap)
    return tuple(replace(model, gaps=gaps.get(model.name, ())) for model in models)


def _is_whole(model: Reproduced) -> bool:
    """Whether every one of the 300 rows counts."""
    n_rows = tuple(rate.estimate.n for name, rate in model.rates.items() if name != "all")
    return n_rows == N_ITEMS and not any(math.isnan(share) for share in model.shares)


def _products(runs: dict[str, Results]) -> dict[str, Difference]:
    """Web products less their API models, of which both are here."""
    differences: list[Difference] = []
    for web, api in PRODUCTS:
        web_name = f"{web} (web)"
        if api in runs and web_name in runs:
            pairs = pair_rows(runs[api], runs[web_name])
            differences.append(difference(api, web_name, Side.BENIGN, "all", pairs, Rule.PAPER))
    return {f"{gap.second} – {gap.first}": gap for gap in adjust_p_values(differences)}


def _by_stimulus(rows: Iterable[ResultRow]) -> tuple[int, ...]:
    """How many rows there are of each stimulus."""
    n_rows = Counter(row.sample.stimulus for row in rows)
    return tuple(n_rows[stimulus] for stimulus in _STIMULI.values())


def _is_described(sample: Sample) -> bool:
    return sample.stimulus is not Stimulus.NEGATED_HARM and bool(sample.description.strip())


def _text(row: ResultRow) -> str:
    return (row.exchange.answer.text or "").strip() if row.exchange else ""
