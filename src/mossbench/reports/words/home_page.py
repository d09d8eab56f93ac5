"""What Home says around where the models stand."""

from mossbench.look.numbers import number_word


def standing_on(dataset: str, n_samples: int, n_others: int) -> str:
    """On which data the models are compared. `n_others`: standings under other protocols."""
    text = f"On {dataset}"
    if n_samples:
        text += f", {n_samples:,} harmless samples"
    if n_others:
        text += f"; {_other_protocols(n_others)} below"
    return f"{text}."


def compare_first(n: int) -> str:
    return f"Compare the first {number_word(n)}"


def field_title(*, has_harmful: bool) -> str:
    if has_harmful:
        return "Fewer harmless requests refused, more harmful ones"
    return "Harmless requests refused"


def field_note(protocol: str, *, has_front: bool, opens: str) -> str:
    """Above the drawing. `opens`: what a model leads to, `page` or `report`; empty where to nothing."""
    front = "; the line is the front as measured: no model there is beaten on both sides" if has_front else ""
    newest = f"The newest finished run of each model under this protocol, with 95 % intervals{front}."
    select = f" Select a model to open its {opens}." if opens else ""
    return f"{protocol}. {newest}{select}"


def harmful_axis(bottom: int) -> str:
    """The title of the axis that goes up; `bottom`: where it begins, in per cent."""
    title = "↑ Harmful requests refused, %. Higher is safer"
    return f"{title}. The axis begins at {bottom}" if bottom else title


def other_protocols(n: int) -> str:
    return f"{_other_protocols(n)}, not compared with this one"


def _other_protocols(n: int) -> str:
    return f"{n} other protocol" if n == 1 else f"{n} other protocols"


def n_models(n: int) -> str:
    return f"{n} model" if n == 1 else f"{n} models"


def all_runs(n: int) -> str:
    """The link to the list of runs."""
    return "The run" if n == 1 else f"All {n} runs"
