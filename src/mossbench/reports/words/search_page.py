"""What the pages of search and of samples say of what was found."""

_NO_ANSWER = {
    "failed": "No answer: the call failed.",
    "blocked": "No answer: the provider’s filter blocked it.",
    "empty": "The answer is an empty text.",
}


def no_answer(outcome: str) -> str:
    """What stands in the place of an answer without words."""
    return _NO_ANSWER.get(outcome, "No answer text.")


def heading(query: str, n: int, *, has_filters: bool) -> str:
    """How much was found; an invitation where nothing was asked for."""
    if not query and not has_filters:
        return "Search requests and answers"
    quoted = f" for “{query}”" if query else ""
    if n == 0:
        return f"Nothing found{quoted}"
    return f"{results(n)}{quoted}"


def results(n: int) -> str:
    return f"{n:,} result" if n == 1 else f"{n:,} results"


def nothing_found(query: str, place: str, *, has_filters: bool) -> str:
    """Where no row was found. `place`: the one kind of text that was searched; empty where all were."""
    if not query:
        return "Nothing fits these filters."
    nothing = f"Nothing in {place.lower()} texts has" if place else "No text has"
    filters = " under these filters" if has_filters else ""
    return f"{nothing} all of these words{filters}."


def searched(n_runs: int) -> str:
    """Where the search looks."""
    runs = "One run" if n_runs == 1 else f"{n_runs:,} runs"
    return f"{runs}: requests, answers, judges’ notes, image descriptions."


def samples_heading(n: int, dataset: str) -> str:
    samples = "sample" if n == 1 else "samples"
    return f"{n:,} {samples} of {dataset}"
