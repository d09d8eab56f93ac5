"""Headings and empty states on the page of a comparison."""

from collections.abc import Mapping, Sequence

from mossbench.reports.words.grammar import in_digits


def with_short_names(headline: str, names: Mapping[str, str]) -> str:
    """The headline with the names that the page has for runs in place of their own, the longest first."""
    for name in sorted(names, key=len, reverse=True):
        headline = headline.replace(name, names[name])
    return headline


def asked_result(settings: Mapping[str, Sequence[str]]) -> str:
    """In how many settings the runs differ, in a line."""
    topics = [str(topic) for topic, words in settings.items() if len(set(words)) > 1]
    if not topics:
        return "no difference"
    return f"{in_digits(len(topics), 'difference')}: {', '.join(topics)}"


def changed_heading(n: int) -> str:
    if n == 0:
        return "No changed samples"
    return in_digits(n, "changed sample")


def no_changed_sample(*, is_filtered: bool) -> str:
    if is_filtered:
        return "No changed sample matches these choices."
    return "The runs agree on every pair that counts."


def groups_shown_to_differ(n_shown: int, n: int) -> str:
    return f"{n_shown or 'None'} of {n} groups differ significantly"
