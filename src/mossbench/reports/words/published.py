"""The findings about the published figures in words: a short list, and the headings and paragraphs of all of them."""

from collections.abc import Sequence

from mossbench.look.numbers import brackets, difference
from mossbench.published.printed_findings import PlacedRate, PublishedFindings, UnknownPairs
from mossbench.published.tables import INFERRED, SOURCE
from mossbench.reports.words.grammar import is_are
from mossbench.statistics import Estimate

NAMES = {"er": "Exaggerated Risk", "nh": "Negated Harm", "ci": "Counterintuitive"}
VERDICT_WORDS = {"different": "clear", "undecided": "not clear", "depends": "depends on the pairs"}


def short_findings(findings: PublishedFindings) -> list[str]:
    """Eight lines for somebody who sees the benchmark for the first time."""
    board = findings.boards["gpt"]
    best = board[0]
    worst = board[-1]
    highest_by_people = findings.boards["human"][-1]
    n_differ = findings.significant_pairs["gpt"]
    product = max(findings.products, key=lambda pair: pair.estimate.value)
    pooled = findings.pooled
    clear = "Clear" if pooled.clear else "Not clear"
    safety = dict(findings.prompts)["+safety"][0]
    return [
        f"What the published figures of {len(board)} models say once they have intervals:",
        f"· {best.row.name} refused {_whole(best.rate.value)} of 300 requests, {worst.row.name} "
        f"{_whole(worst.rate.value)} (people: {_whole(highest_by_people.rate.value)}).",
        f"· {n_differ.unrelated} of {n_pairs(board)} pairs differ significantly if answers are unrelated; "
        f"{n_differ.worst} at worst.",
        f"· Web and API, {product.model}: {_whole(product.first)} and {_whole(product.second)}, "
        f"{difference(product.estimate)} points.",
        f"· Safer and more oversensitive? {clear}: rho {pooled.plotted.value:.2f} as drawn, "
        f"{pooled.corrected.value:.2f} corrected.",
        f"· Gemini-Pro 1.5, safety prompt: {difference(safety.estimate)}; {VERDICT_WORDS[safety.verdict]}.",
        f"· The GPT judge and people read at least {100 * findings.judges.mean_cell_gap:.1f} % of the answers "
        "differently.",
        f"More: mossbench published. {len(findings.misprints)} misprints corrected: mossbench leaderboard check",
    ]


def _whole(share: float) -> str:
    return f"{100 * share:.0f} %"


def n_pairs(board: Sequence[PlacedRate]) -> int:
    return len(board) * (len(board) - 1) // 2


def ranks_heading(board: Sequence[PlacedRate]) -> str:
    n_certain = sum(placed.place.low_rank == placed.place.high_rank for placed in board)
    if n_certain == 0:
        return f"None of the {len(board)} ranks is certain"
    return f"{n_certain} of the {len(board)} ranks {is_are(n_certain)} certain"


JUDGES_HEADING = "The GPT judge ranks models like people, but reads differently"


def tradeoff_heading(findings: PublishedFindings) -> str:
    pooled = "Clear" if findings.pooled.clear else "Not clear"
    return f"Are safer models more oversensitive? {pooled} over all stimuli"


def products_heading(products: Sequence[UnknownPairs]) -> str:
    verdicts = [pair.verdict for pair in products]
    n_different = verdicts.count("different")
    return f"Web and API: {n_different} of {len(verdicts)} products differ significantly"


PROMPTS_HEADING = "System prompts (Gemini-Pro 1.5, compared with none)"
STAGES_HEADING = "Stages of 30 refused requests per model, not chance-corrected"
WITHOUT_HEADING = "Refused rows that are not answers to the request"
METHOD_HEADING = "How these numbers were made"


def ranks_paragraph(findings: PublishedFindings) -> str:
    board = findings.boards["gpt"]
    gpt = findings.significant_pairs["gpt"]
    people = findings.significant_pairs["human"]
    highest_by_people = findings.boards["human"][-1]
    rate_by_gpt = next(placed.rate for placed in board if placed.row.name == highest_by_people.row.name)
    return (
        f"Refusal rates by the GPT judge, 95 % intervals. {gpt.unrelated} of {n_pairs(board)} pairs of models differ "
        "significantly if two models' answers are unrelated and the 100 Negated Harm items are worth their 44 scenes "
        f"({people.unrelated} as people read them); {gpt.worst} however the answers were paired; {gpt.items} if all "
        "300 items are independent. Ranks and ranges rest on the first. Models with the same letter do not differ "
        "significantly from the first of their group. Ranges are simultaneous 95 % ranges. The abstract's “up to "
        f"76 %” is {highest_by_people.row.name} as people read it, {100 * highest_by_people.rate.value:.1f} % "
        f"{brackets(highest_by_people.rate)}; the GPT judge has {100 * rate_by_gpt.value:.1f} %."
    )


def judges_paragraph(findings: PublishedFindings) -> str:
    judges = findings.judges
    model, stimulus, gpt, people = judges.worst
    different = [f"{gap.name} ({difference(gap.estimate)})" for gap in judges.gaps if gap.verdict == "different"]
    return (
        f"Spearman {rho(judges.models)} over {judges.models.n} averages, Pearson {judges.pearson:.2f}. Averages differ "
        f"by {100 * judges.mean_gap:.1f} points on average, cells by {100 * judges.mean_cell_gap:.1f}; at least that "
        f"share of answers was read differently. Worst cell: {model}, {NAMES[stimulus]}, GPT {_whole(gpt)}, people "
        f"{_whole(people)}. Different for every possible pairing of the readings: "
        f"{', '.join(different) or 'none'}."
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
        "Only shares were published, not which answers were refused. Ranks (1) come from tests that treat the "
        "answers of two models as independent: conservative where models tend to refuse the same items, not where they "
        "tend to refuse different ones. Your own runs are compared pair by pair. "
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
