"""The findings about the published figures in words, and what came of judging the released answers again."""

from collections.abc import Sequence

from mossbench.look.numbers import bare_percent, brackets, difference, whole
from mossbench.published.printed_findings import PlacedRate, PublishedFindings, UnknownPairs
from mossbench.published.reproduction import Reproduced, Reproduction
from mossbench.published.tables import INFERRED, SOURCE
from mossbench.results.rates import JudgeRange
from mossbench.statistics import Estimate

NAMES = {"er": "Exaggerated Risk", "nh": "Negated Harm", "ci": "Counterintuitive"}
SHOWN = {"different": "clear", "undecided": "not clear", "depends": "depends on the pairs"}
TUNED_ON_RELEASED = ("rules/", "tandem/")
"""How the names of judges begin that were tuned on released answers."""


def short_findings(findings: PublishedFindings) -> list[str]:
    """At most eight lines for somebody who sees the benchmark for the first time."""
    board = findings.boards["gpt"]
    best = board[0]
    worst = board[-1]
    people = findings.boards["human"][-1]
    apart = findings.told_apart["gpt"]
    product = max(findings.products, key=lambda pair: pair.estimate.value)
    pooled = findings.pooled
    safety = dict(findings.prompts)["+safety"][0]
    return [
        f"What the published figures of {len(board)} models say once they have intervals:",
        f"· {best.row.name} refused {_whole(best.rate.value)} of 300 requests, {worst.row.name} "
        f"{_whole(worst.rate.value)} (people: {_whole(people.rate.value)}).",
        f"· {apart.unrelated} of {n_pairs(board)} pairs differ clearly if answers are unrelated; {apart.worst} at "
        "worst.",
        f"· Web and API, {product.model}: {_whole(product.first)} and {_whole(product.second)}, "
        f"{difference(product.estimate)} points.",
        f"· Safer and more oversensitive? {'Clear' if pooled.clear else 'Not clear'}: rho "
        f"{pooled.plotted.value:.2f} as drawn, {pooled.corrected.value:.2f} corrected.",
        f"· Gemini-Pro 1.5, safety prompt: {difference(safety.estimate)}; {SHOWN[safety.verdict]}.",
        f"· The GPT judge and people read at least {100 * findings.judges.mean_cell_gap:.1f} % of the answers "
        "differently.",
        f"More: mossbench published. {len(findings.misprints)} misprints corrected: mossbench leaderboard check",
    ]


def _whole(share: float) -> str:
    return f"{100 * share:.0f} %"


def n_pairs(board: Sequence[PlacedRate]) -> int:
    return len(board) * (len(board) - 1) // 2


def ranks_heading(board: Sequence[PlacedRate]) -> str:
    n_sure = sum(placed.place.low_rank == placed.place.high_rank for placed in board)
    are = "is" if n_sure < 2 else "are"
    return f"{n_sure or 'None'} of the {len(board)} ranks {are} certain"


JUDGES_HEADING = "The GPT judge orders models much as people do, but reads answers differently"


def tradeoff_heading(findings: PublishedFindings) -> str:
    pooled = "Clear" if findings.pooled.clear else "Not clear"
    n_clear = sum(tradeoff.clear for tradeoff in findings.tradeoffs)
    return (
        f"Are safer models more oversensitive? {pooled} over all three stimuli together, clear for {n_clear} of "
        f"{len(findings.tradeoffs)} alone"
    )


def products_heading(products: Sequence[UnknownPairs]) -> str:
    verdicts = [pair.verdict for pair in products]
    n_different = verdicts.count("different")
    n_depends = verdicts.count("depends")
    depends = f", {n_depends} depends on the pairs" if n_depends else ""
    return f"Web compared with API: {n_different} of {len(verdicts)} products differ from their model{depends}"


PROMPTS_HEADING = "System prompts (Gemini-Pro 1.5, compared with none)"
STAGES_HEADING = "The published stages of 30 refused requests per model, chance not taken out"
WITHOUT_HEADING = "Rows counted as refused that are not answers to the request"
METHOD_HEADING = "How these numbers were made"


def ranks_paragraph(findings: PublishedFindings) -> str:
    board = findings.boards["gpt"]
    gpt = findings.told_apart["gpt"]
    people = findings.told_apart["human"]
    top = findings.boards["human"][-1]
    by_gpt = next(placed.rate for placed in board if placed.row.name == top.row.name)
    return (
        f"Refusal rates by the GPT judge, 95 % intervals. {gpt.unrelated} of {n_pairs(board)} pairs of models differ "
        "clearly if two models' answers are unrelated and the 100 Negated Harm items are worth their 44 scenes "
        f"({people.unrelated} as people read them); {gpt.worst} however the answers were paired; {gpt.items} if all "
        "300 items are independent. Ranks and ranges rest on the first. Models with the same letter do not differ "
        "clearly from the first of their group. Ranges hold together at 95 %. The abstract's “up to 76 %” is "
        f"{top.row.name} as people read it, {100 * top.rate.value:.1f} % {brackets(top.rate)}; the GPT judge has "
        f"{100 * by_gpt.value:.1f} %."
    )


def judges_paragraph(findings: PublishedFindings) -> str:
    judges = findings.judges
    model, stimulus, gpt, people = judges.worst
    surely_different = [f"{gap.name} ({difference(gap.estimate)})" for gap in judges.gaps if gap.verdict == "different"]
    return (
        f"Spearman {rho(judges.models)} over {judges.models.n} averages, Pearson {judges.pearson:.2f}. Averages differ "
        f"by {100 * judges.mean_gap:.1f} points on average, cells by {100 * judges.mean_cell_gap:.1f}; at least that "
        f"share of answers was read differently. Worst cell: {model}, {NAMES[stimulus]}, GPT {_whole(gpt)}, people "
        f"{_whole(people)}. Different for every possible pairing of the readings: "
        f"{', '.join(surely_different) or 'none'}."
    )


def rho(estimate: Estimate) -> str:
    """A correlation with its interval: `0.61 [0.16 to 0.85]`."""
    return f"{estimate.value:.2f} [{estimate.low:.2f} to {estimate.high:.2f}]"


SAFETY_NOTE = (
    "Share of harmful requests refused. By items: over all 244 (100, 44 and 100), as on boards. By stimulus: the mean "
    f"of the three, as in the correlation over all. {INFERRED}."
)


def how_findings_were_made(findings: PublishedFindings) -> str:
    """How the numbers of the published findings were made."""
    return (
        f"Source: {SOURCE}, its figures and README; {len(findings.misprints)} misprints corrected, listed by "
        "`mossbench leaderboard check`. "
        "Only shares were published, not which answers were refused. Ranks (1) come from tests that take the answers "
        "of two models as unrelated: cautious where models tend to refuse the same items, not where they tend to "
        "refuse different ones. Your own runs are compared pair by pair. "
        "Differences (2, 4, 5) have the interval of the least favourable pairing of answers. `yes`: different even "
        "then, by Holm over the rows of the table (in 2 over 20 models). `not decided`: not shown even with the most "
        "favourable pairs and scenes. `depends on the pairs`: in between. "
        "The 100 Negated Harm items come from 44 scenes and count as 44 (in 7 as 100). Correlations (3) take the rates "
        "as known; intervals are for models drawn like these and for one correlation alone, p is from shuffled models "
        "and by Holm over all four, and clear needs p of at most 0.05 both as drawn and corrected, where what the plot "
        "has other than the table is taken from the table and two values of Claude are swapped, as we infer. Safety "
        "was read off a plot, to about 1 point. "
        "Stages (6) use ten requests per stimulus. Intervals in 2 to 7 hold at 95 % each, not together."
    )


def range_basis(judge_range: JudgeRange) -> str:
    return (
        f"rule system, if it misses up to {whole(judge_range.misses)} of refusals and invents up to "
        f"{whole(judge_range.invents)}, as where it was measured to err most"
    )


def reproduced_title(reproduction: Reproduction) -> str:
    n = len(reproduction.models)
    return f"{n} of {n + len(reproduction.absent)} published models judged again from released answers"


def reproduced(reproduction: Reproduction) -> list[str]:
    """What came of judging the released answers again, a sentence each."""
    n_answered = sum(model.n_answered for model in reproduction.models)
    sentences = [f"Judge {reproduction.judge} read {n_answered:,} answers."]
    with_gaps = [model for model in reproduction.models if model.gaps]
    if with_gaps:
        sentences += [_gaps_to_the_paper(with_gaps), _surely_different(with_gaps)]
    if reproduction.judge.startswith(TUNED_ON_RELEASED):
        sentences.append(
            "This judge was tuned on released answers of three models, so how near it comes to people on them is no "
            "test of it."
        )
    n_failed = 0
    for model in reproduction.models:
        n_failed += sum(sum(rows_apart.rows) for rows_apart in model.apart if rows_apart.kind == "no answer")
    if n_failed:
        sentences.append(f"{n_failed:,} rows have no answer at all; the paper counts them as refused.")
    return sentences


def _gaps_to_the_paper(models: Sequence[Reproduced]) -> str:
    """How far our averages are from those of the paper's judge and of its people; models have both gaps."""
    n = len(models)
    to_gpt = sum(abs(model.gaps[0].estimate.value) for model in models) / n
    to_people = sum(abs(model.gaps[1].estimate.value) for model in models) / n
    between = sum(abs(model.gpt.value - model.human.value) for model in models) / n
    return (
        f"Counted as the paper counts, its averages are {bare_percent(to_gpt)} points from the paper's GPT judge and "
        f"{bare_percent(to_people)} from its people on average; those two are {bare_percent(between)} points apart on "
        "these models."
    )


def _surely_different(models: Sequence[Reproduced]) -> str:
    n_from_gpt = sum(model.gaps[0].verdict == "different" for model in models)
    n_from_people = sum(model.gaps[1].verdict == "different" for model in models)
    return (
        f"Different however the unpublished verdicts were paired with ours: {n_from_gpt} of {len(models)} models from "
        f"the GPT judge, {n_from_people} from people."
    )
