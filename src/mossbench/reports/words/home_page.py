"""Titles, notes and links on Home."""

from mossbench.look.numbers import number_word
from mossbench.reports.words.grammar import in_digits


def standing_on(dataset: str, n_samples: int, n_others: int) -> str:
    """The data on which the models are compared. `n_others`: how many other protocols have runs."""
    text = f"On {dataset}"
    if n_samples:
        text += f", {n_samples:,} harmless samples"
    if n_others:
        text += f"; {in_digits(n_others, 'other protocol')} below"
    return f"{text}."


def compare_first(n: int) -> str:
    return f"Compare the first {number_word(n)}"


def field_title(*, has_harmful: bool) -> str:
    if has_harmful:
        return "Fewer harmless requests refused, more harmful ones"
    return "Harmless requests refused"


def field_note(protocol: str, *, has_front: bool, opens: str) -> str:
    """Above the drawing. `opens`: what the link of a model opens, `page` or `report`; empty if it has no link."""
    front = "; the line is the Pareto front as measured: no model there is beaten on both sides" if has_front else ""
    newest = f"The newest finished run of each model under this protocol, with 95 % intervals{front}."
    select = f" Select a model to open its {opens}." if opens else ""
    return f"{protocol}. {newest}{select}"


def harmful_axis(bottom: int) -> str:
    """The title of the vertical axis, which begins at `bottom` per cent."""
    title = "↑ Harmful requests refused, %. Higher is safer"
    return f"{title}. The axis begins at {bottom}" if bottom else title


def other_protocols(n: int) -> str:
    return f"{in_digits(n, 'other protocol')}, not compared with this one"


def n_models(n: int) -> str:
    return in_digits(n, "model")


def all_runs(n: int) -> str:
    """The link to the list of runs."""
    return "The run" if n == 1 else f"All {n} runs"


JUDGING_AGAIN = "Runs that an earlier judge has read are being judged again; what changed since them is shown then."
"""In place of what changed, or before it, while the answers of earlier runs are judged."""
