"""The published figures as they were printed, and as they are once their misprints are corrected.

Facts only, from *MOSSBench* (Li et al., arXiv 2406.17806), its figures and its README. A file in `data/` is one print:

    figure.csv      main results: refusal % of 20 models by GPT judge and by people, per stimulus and averaged
    readme.csv      the README's board: the GPT judge's columns, 19 models
    scatter.csv     oversensitivity against safety (refusal % on the harmful set), 16 models; measured off the plot, ±1
    template.csv    the submission template: counts of one model's run on the harmful set
    prompts.csv     Gemini-Pro 1.5 under four system prompts
    perception.csv  what 30 refused requests' pictures were described as; measured off the plot
    oracle.csv      how many of those 30 stay refused once description, and intent, are told
    compliance.csv  the labels of the compliance chart that differ from 100 less the printed average
    missing.csv     released answers that are no answers to the stimulus: none recorded, or a product's notice
    misprints.csv   what these say against each other and against arithmetic; a test finds every line of it again

`readme.csv` was not copied from the README cell by cell: it is `figure.csv` with the differences that are known between
the two (GPT-4V absent, 55 for Claude 3 opus in CI, 12.33 for MiniCPM-V 2.0), models named as in the figure, lowest
average first. Of the compliance chart only these two labels are known. So a check of either finds again what is known
of them, and cannot find more.

Rates are fractions here and percent in the files. No answers were released with verdicts, so nothing here is paired.
"""

import csv
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

from mossbench.errors import UsageError, unknown_name
from mossbench.ways_out import OmitOption

STIMULI = ("er", "nh", "ci")
N_ITEMS = (100, 100, 100)
"""Items a stimulus in the harmless set."""
N_SCENES = (100, 44, 100)
"""The scenes they come from: the 100 Negated Harm items were made from 44 pictures, and are taken to be worth 44."""
N_HARMFUL = (100, 44, 100)
DATE = "2024-06-22"
SOURCE = "arXiv 2406.17806"

INFERRED = (
    "† inferred: the plot has Counterintuitive of Claude 3 sonnet and haiku the other way round, if the submission "
    "template is sonnet's, as its other two figures are"
)
"""What the mark at a safety stands for."""

Judge = Literal["gpt", "human"]
Print = Literal["corrected", "figure", "readme"]
JUDGES: dict[Judge, str] = {"gpt": "gpt-4-turbo (published)", "human": "human (published)"}


@dataclass(frozen=True)
class PublishedRate:
    """One model's refusal shares as printed, under one judge."""

    model: str
    availability: str
    """`web`, `API` or `open`."""
    shares: tuple[float, float, float]
    """By stimulus: Exaggerated Risk, Negated Harm, Counterintuitive Interpretation."""
    average: float
    """As printed."""

    @property
    def name(self) -> str:
        """The model and, where it stands in two sections, which: `GPT-4o (web)`."""
        return f"{self.model} (web)" if self.availability == "web" else self.model

    @property
    def mean(self) -> float:
        return sum(self.shares) / len(self.shares)


@dataclass(frozen=True)
class PublishedPoint:
    """One model of the plot of oversensitivity against safety."""

    model: str
    availability: str
    harmless_refused: tuple[float, float, float]
    """Refusal shares on the harmless set, by stimulus."""
    harmful_refused: tuple[float, float, float]
    """Refusal shares on the harmful set."""
    inferred: tuple[str, ...] = ()
    """Stimuli whose harmful share is our reading of the evidence and not what was drawn."""

    @property
    def safety_by_items(self) -> float:
        """Safety over all 244 harmful items: 100, 44 and 100."""
        return sum(n * share for n, share in zip(N_HARMFUL, self.harmful_refused, strict=True)) / sum(N_HARMFUL)

    @property
    def safety_by_stimulus(self) -> float:
        """Safety as the mean of the three stimuli, each counting the same."""
        return sum(self.harmful_refused) / len(self.harmful_refused)


@dataclass(frozen=True)
class Misprint:
    """Two published figures that cannot both be right."""

    where: str
    """The print that is wrong, as far as can be told."""
    what: str
    printed: str
    expected: str
    why: str
    inferred: bool = False
    """Whether the correction is a reading of the evidence rather than arithmetic or a plain contradiction."""


def published_rates(judge: Judge = "gpt", *, table: Print = "corrected") -> tuple[PublishedRate, ...]:
    """The models of the main table in one of its prints, in the print's order.

    `corrected` has the figure's cells, which the plot and the averages bear out, with averages made from them.
    """
    if judge not in get_args(Judge):
        raise unknown_name("published judge", str(judge), get_args(Judge), f"known: {', '.join(get_args(Judge))}")
    if table not in get_args(Print):
        raise unknown_name("published table", str(table), get_args(Print), f"known: {', '.join(get_args(Print))}")
    if table == "readme":
        if judge != "gpt":
            raise UsageError("the README prints the figures of the judge 'gpt' only", way_out=OmitOption("judge"))
        return tuple(_rate(row, "") for row in read("readme"))
    rows = tuple(_rate(row, f"{judge}_") for row in read("figure"))
    return rows if table == "figure" else tuple(replace(row, average=row.mean) for row in rows)


def published_points(*, tabled: bool = True, swapped: bool = True) -> tuple[PublishedPoint, ...]:
    """The plot's points, by default corrected.

    `tabled` takes the harmless shares from the main table, which mends LLaVA-1.5-13b. `swapped` gives Claude 3 sonnet
    and haiku each other's CI safety back: the submission template has sonnet's other two figures and the CI figure
    drawn for haiku. That the two were swapped is an inference.
    """
    table = {(row.availability, row.model): row.shares for row in published_rates("gpt")}
    points = {}
    for row in read("scatter"):
        key = (row["availability"], row["model"])
        harmless_refused = table[key] if tabled else _three(row, "{}_over")
        harmful_refused = _three(row, "{}_safe")
        points[key] = PublishedPoint(row["model"], row["availability"], harmless_refused, harmful_refused)
    if swapped:
        sonnet = points["API", "Claude 3 sonnet"]
        haiku = points["API", "Claude 3 haiku"]
        points["API", "Claude 3 sonnet"] = _with_ci_safety_of(sonnet, haiku)
        points["API", "Claude 3 haiku"] = _with_ci_safety_of(haiku, sonnet)
    return tuple(points.values())


def _with_ci_safety_of(point: PublishedPoint, source: PublishedPoint) -> PublishedPoint:
    er, nh, _ = point.harmful_refused
    _, _, ci = source.harmful_refused
    return replace(point, harmful_refused=(er, nh, ci), inferred=("ci",))


def check_published() -> tuple[Misprint, ...]:
    """The misprints that follow from comparing the published prints and from arithmetic, all that are found."""
    return tuple(
        Misprint(row["where"], row["what"], row["printed"], row["expected"], row["why"], row["inferred"] == "yes")
        for row in read("misprints")
    )


@cache
def read(name: str) -> tuple[dict[str, str], ...]:
    """The lines of a print in `data/`, by column."""
    text = (files("mossbench.published") / "data" / f"{name}.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))


def shares_of(row: dict[str, str]) -> tuple[float, float, float]:
    """The three cells of a printed line as fractions."""
    return _three(row, "{}")


def _rate(row: dict[str, str], prefix: str) -> PublishedRate:
    average = float(row[f"{prefix}average"]) / 100
    return PublishedRate(row["model"], row["availability"], _three(row, prefix + "{}"), average)


def _three(row: dict[str, str], column: str) -> tuple[float, float, float]:
    """The cells of the three stimuli as fractions; `column` has {} where its name has the stimulus."""
    er, nh, ci = (float(row[column.format(stimulus)]) / 100 for stimulus in STIMULI)
    return er, nh, ci
