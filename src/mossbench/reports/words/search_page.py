"""Headings and empty states of the pages Search and Samples."""

from mossbench.reports.words.grammar import in_digits

_NO_ANSWER = {
    "failed": "No answer: the call failed.",
    "blocked": "No answer: the provider’s filter blocked it.",
    "empty": "The answer is an empty text.",
}


def no_answer(outcome: str) -> str:
    """The text shown instead of an answer that has none."""
    return _NO_ANSWER.get(outcome, "No answer text.")


def heading(query: str, n: int, *, has_filters: bool) -> str:
    """How many results there are; an invitation if nothing was searched for."""
    if not query and not has_filters:
        return "Search requests and answers"
    quoted = f" for “{query}”" if query else ""
    if n == 0:
        return f"Nothing found{quoted}"
    return f"{results(n)}{quoted}"


def results(n: int) -> str:
    return in_digits(n, "result")


def nothing_found(query: str, place: str, *, has_filters: bool) -> str:
    """If no row was found. `place`: the kind of text that was searched; empty if all kinds were."""
    if not query:
        return "No results for these filters."
    nothing = f"Nothing in {place.lower()} texts has" if place else "No text has"
    filters = " under these filters" if has_filters else ""
    return f"{nothing} all of these words{filters}."


def searched(n_runs: int) -> str:
    """What is searched."""
    runs = "One run" if n_runs == 1 else f"{n_runs:,} runs"
    return f"{runs}: requests, answers, judges’ notes, image descriptions."


def samples_heading(n: int, dataset: str) -> str:
    return f"{in_digits(n, 'sample')} of {dataset}"
