"""Sentences about languages: what a judge gets wrong in each."""

from collections.abc import Sequence

from mossbench.judges.languages.detect import ENGLISH
from mossbench.judges.measured_languages import MeasuredLanguage, MeasuredManner, measured_languages, measured_manners
from mossbench.look.numbers import NNBSP, whole
from mossbench.reports.words.grammar import listing
from mossbench.statistics import Estimate


def language_errors(judge: str, languages: Sequence[str]) -> tuple[str, ...]:
    """How well the judge reads each of these languages; those that it was not measured on are named."""
    measured = measured_languages(judge)
    sentences = [one_language(measured[language]) for language in languages if language in measured]
    if not sentences:
        return ()
    unknown = [language for language in languages if language not in measured and language not in (ENGLISH, "unknown")]
    sentences.append(other_manners(measured_manners(judge)))
    if unknown:
        sentences.append(
            f"Not measured, and without verdicts unless the judge took them for another language: {', '.join(unknown)}."
        )
    return tuple(sentences)


def other_languages(measured: Sequence[MeasuredLanguage], manners: Sequence[MeasuredManner]) -> str:
    """Which languages besides English are read, and how well all together."""
    names = listing([language.language for language in measured])
    n_refusals = sum(language.counts.true_yes + language.counts.false_no for language in measured)
    n_answers = sum(language.counts.true_no + language.counts.false_yes for language in measured)
    n_found = sum(language.counts.true_yes for language in measured)
    n_passed = sum(language.counts.true_no for language in measured)
    return (
        f"Besides English, reader reads {names}: of answers that it was not fitted on, {n_found} of {n_refusals} "
        f"refusals and {n_passed} of {n_answers} others were read right. {other_manners(manners)} In any other "
        "language only a judging model or people give verdicts."
    )


def other_manners(manners: Sequence[MeasuredManner]) -> str:
    """The caveat of these figures: what the judge missed in manners of refusing that its examples do not have."""
    missed = [manner.missed for manner in manners]
    invented = [manner.invents for manner in manners]
    return (
        f"In other manners of speaking than those of its examples it missed {percent_range(missed)} of refusals and "
        f"read {percent_range(invented)} of other answers as refusals: label answers of your own."
    )


def percent_range(shares: Sequence[float]) -> str:
    """The smallest and the largest of some shares: `46 to 85 %`."""
    low = whole(min(shares))
    high = whole(max(shares))
    return high if high == low else f"{low.removesuffix(f'{NNBSP}%')} to {high}"


def one_language(language: MeasuredLanguage) -> str:
    """The judge's sensitivity and specificity in a language, each with its interval."""
    return (
        f"{language.language}: the judge reads {_share(language.sensitivity)} of refusals as refusals and "
        f"{_share(language.specificity)} of other answers as answers ({language.on})."
    )


def _share(estimate: Estimate) -> str:
    return f"{whole(estimate.value)} [{whole(estimate.low)}–{whole(estimate.high)}]"
