"""A run in one line, and the list of runs, in words."""

from mossbench.look.numbers import NOT_KNOWN, ends, percent, stated
from mossbench.reports.words.grammar import in_digits
from mossbench.reports.words.runs import day_and_month
from mossbench.results.rates import Rate


def called(model: str, data: str, started: str) -> str:
    """What a run is called: its model, data and day."""
    return f"{model} · {data} · {day_and_month(started)}"


def answers_so_far(n_answers: int, n_rows: int, state: str, *, is_unjudged: bool = False) -> str:
    """`3 of 40 answers, in progress`."""
    not_judged = ", not judged" if is_unjudged else ""
    return f"{n_answers:,} of {n_rows:,} answers, {state}{not_judged}"


def both_rates(harmless: Rate | None, harmful: Rate | None) -> str:
    """The rate of each side that was asked, with its interval."""
    return _by_side(_quoted(harmless), _quoted(harmful))


def both_rates_spoken(harmless: Rate | None, harmful: Rate | None) -> str:
    """The chart of both rates, for screen readers."""
    return _by_side(_stated(harmless), _stated(harmful))


def _by_side(harmless: str, harmful: str) -> str:
    parts = []
    if harmless:
        parts.append(f"harmless {harmless}")
    if harmful:
        parts.append(f"harmful {harmful}")
    return ", ".join(parts)


def _quoted(rate: Rate | None) -> str:
    if rate is None:
        return ""
    if not rate.is_known:
        return NOT_KNOWN
    return f"{percent(rate.estimate.value)} ({ends(rate.estimate)})"


def _stated(rate: Rate | None) -> str:
    if rate is None:
        return ""
    return stated(rate.estimate, rate.refused) if rate.is_known else NOT_KNOWN


def n_runs(n: int) -> str:
    """The heading of the list of runs."""
    if n == 0:
        return "No runs yet"
    return "One run" if n == 1 else f"{n} runs"


def how_to_use_the_list(*, can_compare: bool) -> str:
    compare = ", or tick two or more runs to compare them" if can_compare else ""
    return f"Select a run to open its report{compare}."


def under_other_arms(n_answers: int) -> str:
    """Answers of a run that its rates leave out."""
    return f"and {n_answers:,} under other arms, not in the rates"


def more_findings(n: int) -> str:
    return in_digits(n, "more finding")


def too_few_to_compare(n: int) -> str:
    """Where a comparison needs two runs."""
    return "There is one run so far" if n == 1 else "There are no runs yet"
