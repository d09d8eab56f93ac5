"""The paper's results from its released answers, judged again: what came of it, and the notes on its page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mossbench.look.numbers import bare_percent, percent, whole
from mossbench.published.release import Absent
from mossbench.published.reproduction import Reproduced, Reproduction
from mossbench.published.tables import SOURCE
from mossbench.results.rates import JudgeRange

TUNED_ON_RELEASED = ("reader/", "rules/", "tandem/")
"""How the names of judges begin that were tuned on released answers."""
N_HARMFUL = 244
"""Requests of the published contrast set."""


@dataclass(frozen=True)
class ReproductionTexts:
    """The texts of the page that depend on what was found."""

    title: str
    findings: Sequence[str]
    if_judge_errs: str
    models_on_plot: str
    descriptions: str
    described_refusals: Sequence[str]
    """For each model of the published stage analysis that is here."""
    template: str
    """About submission_template.json."""
    template_rates: str
    unknown: str
    """Files of no published model; empty if there are none."""
    notices: Sequence[str]
    sources: str


def reproduction_texts(
    reproduction: Reproduction,
    *,
    judge_range: JudgeRange | None,
    staged: Sequence[Reproduced],
    n_misprints: int,
    version: str,
) -> ReproductionTexts:
    """`staged`: the models whose refusals the published stage analysis took apart; `version`: that of mossbench."""
    notices = []
    for model in reproduction.models:
        notices += [f"{model.name}: {notice}." for notice in model.notices]
    return ReproductionTexts(
        title=reproduction_title(reproduction),
        findings=reproduction_findings(reproduction),
        if_judge_errs=if_judge_errs(judge_range, reproduction.why_not_corrected),
        models_on_plot=models_on_plot(reproduction),
        descriptions=descriptions(reproduction),
        described_refusals=[described_refusals(model) for model in staged],
        template=template(reproduction),
        template_rates=template_rates(reproduction.template or {}),
        unknown=unknown_files(reproduction.unknown),
        notices=notices,
        sources=sources(reproduction, n_misprints=n_misprints, version=version),
    )


# Above the tables


def reproduction_title(reproduction: Reproduction) -> str:
    n = len(reproduction.models)
    return f"{n} of {n + len(reproduction.absent)} published models judged again from released answers"


def reproduction_findings(reproduction: Reproduction) -> list[str]:
    """What came of judging the released answers again, a sentence each."""
    n_answered = sum(model.n_answered for model in reproduction.models)
    sentences = [f"Judge {reproduction.judge} read {n_answered:,} answers."]
    models_with_gaps = [model for model in reproduction.models if model.gaps]
    if models_with_gaps:
        sentences += [_gaps_to_the_paper(models_with_gaps), _certain_differences(models_with_gaps)]
    if reproduction.judge.startswith(TUNED_ON_RELEASED):
        sentences.append(
            "This judge was tuned on released answers of three models, so how near it comes to people on them is no "
            "test of it."
        )
    n_without_answer = sum(_n_without_answer(model) for model in reproduction.models)
    if n_without_answer:
        sentences.append(f"{n_without_answer:,} rows have no answer at all; the paper counts them as refused.")
    return sentences


def _gaps_to_the_paper(models: Sequence[Reproduced]) -> str:
    """How far our averages are from those of the paper's judge and of its people."""
    n = len(models)
    to_gpt = sum(abs(model.gaps[0].estimate.value) for model in models) / n
    to_people = sum(abs(model.gaps[1].estimate.value) for model in models) / n
    between = sum(abs(model.gpt.value - model.human.value) for model in models) / n
    return (
        f"Counted as the paper counts, its averages are {bare_percent(to_gpt)} points from the paper's GPT judge and "
        f"{bare_percent(to_people)} from its people on average; those two are {bare_percent(between)} points apart on "
        "these models."
    )


def _certain_differences(models: Sequence[Reproduced]) -> str:
    n_from_gpt = sum(model.gaps[0].verdict == "different" for model in models)
    n_from_people = sum(model.gaps[1].verdict == "different" for model in models)
    return (
        f"Different however the unpublished verdicts were paired with ours: {n_from_gpt} of {len(models)} models from "
        f"the GPT judge, {n_from_people} from people."
    )


def _n_without_answer(model: Reproduced) -> int:
    n = 0
    for rows_apart in model.apart:
        if rows_apart.kind == "no answer":
            n += sum(rows_apart.rows)
    return n


# Below the tables


def if_judge_errs(judge_range: JudgeRange | None, why_not_corrected: str) -> str:
    """What the last column of the counting rules supposes of the judge."""
    if judge_range is None:
        return f"If the judge errs: not known, {why_not_corrected}."
    return (
        f"If the judge errs: rule system, if it misses up to {whole(judge_range.misses)} of refusals and reads up to "
        f"{whole(judge_range.invents)} of other answers as refusals, its largest measured errors."
    )


def models_on_plot(reproduction: Reproduction) -> str:
    n = reproduction.rhos["er"][0].n
    return f"Here: the {n} models of this page that the plot has; fewer than four have no interval."


def descriptions(reproduction: Reproduction) -> str:
    n_samples = reproduction.models[0].n_samples
    return (
        f"Its samples have {reproduction.n_described} descriptions of {n_samples} that can be told to a model, and "
        f"{reproduction.n_intents} intents."
    )


def described_refusals(model: Reproduced) -> str:
    by_stimulus = " / ".join(str(n) for n in model.n_refused_described)
    return (
        f"{model.name}: of its refusals by our judge, {by_stimulus} (ER / NH / CI) have a description that could be "
        "told; the paper took 10 of each."
    )


def template(reproduction: Reproduction) -> str:
    """What submission_template.json holds."""
    if reproduction.template is None:
        return "submission_template.json is not in this folder."
    share = "no share"
    if "Total" in reproduction.template:
        share = percent(reproduction.template["Total"])
    text = f"It holds {reproduction.n_template} rows and states that {share} of harmful requests were refused."
    if reproduction.n_template >= N_HARMFUL:
        return text
    return f"{text} So few rows are not a run: the contrast set has {N_HARMFUL} requests."


def template_rates(rates: Mapping[str, float]) -> str:
    """The rates that submission_template.json states."""
    stated = ", ".join(f"{name} {rate:.4f}" for name, rate in rates.items())
    return f"Stated: {stated or 'nothing here'}."


def unknown_files(files: Sequence[str]) -> str:
    if not files:
        return ""
    return f"Left out, of no published model: {', '.join(files)}."


def sources(reproduction: Reproduction, *, n_misprints: int, version: str) -> str:
    return (
        f"Samples: {reproduction.dataset}. Judge: {reproduction.judge}. mossbench {version}. Published figures: "
        f"{SOURCE}, its figures and its README; {n_misprints} misprints corrected."
    )


# In the terminal


def absent_line(model: Absent) -> str:
    return f"Not here: {model.name} ({model.why})"
