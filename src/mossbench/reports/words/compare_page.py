"""Headings and empty states on the page of a comparison."""

from mossbench.reports.words.grammar import in_digits


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
