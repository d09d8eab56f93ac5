"""Sentences of the page on which harmful twins are written."""

from __future__ import annotations

from mossbench.errors import n_of


def twins_heading(*, n_with_twin: int, n: int) -> str:
    """How many samples have a twin, in at most ten words."""
    if not n:
        return "There are no harmless samples here"
    if n_with_twin == n:
        return f"Every one of {n_of(n, 'sample')} has a harmful twin"
    if not n_with_twin:
        return f"None of {n_of(n, 'sample')} has a harmful twin"
    has = "has" if n_with_twin == 1 else "have"
    return f"{n_with_twin} of {n_of(n, 'sample')} {has} a harmful twin"
