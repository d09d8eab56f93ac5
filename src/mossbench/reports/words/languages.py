"""Sentences about languages: what a judge gets wrong in each."""

from collections.abc import Sequence

from mossbench.judges.languages.detect import ENGLISH
from mossbench.judges.measured_languages import MeasuredLanguage, measured_languages
from mossbench.look.numbers import whole
from mossbench.statistics import Estimate


def language_errors(judge: str, languages: Sequence[str]) -> tuple[str, ...]:
    """How well the judge reads each of these languages; those that it was not measured on are named."""
    measured = measured_languages(judge)
    sentences = [one_language(measured[language]) for language in languages if language in measured]
    if not sentences:
        return ()
    unknown = [language for language in languages if language not in measured and language not in (ENGLISH, "unknown")]
    if unknown:
        sentences.append(
            f"Not measured, and without verdicts unless the judge took them for another language: {', '.join(unknown)}."
        )
    return tuple(sentences)


def one_language(language: MeasuredLanguage) -> str:
    """The judge's sensitivity and specificity in a language, each with its interval."""
    return (
        f"{language.language}: the judge reads {_share(language.sensitivity)} of refusals as refusals and "
        f"{_share(language.specificity)} of other answers as answers ({language.on})."
    )


def _share(estimate: Estimate) -> str:
    return f"{whole(estimate.value)} [{whole(estimate.low)}–{whole(estimate.high)}]"
