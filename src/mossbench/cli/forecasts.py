"""What a run would take, on the terminal; `mossbench run --dry-run`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mossbench.cli.printing import note, say, show_json

if TYPE_CHECKING:
    from mossbench.runs.forecast import Forecast


def show_forecasts(forecasts: list[Forecast], *, as_json: bool) -> None:
    """Each forecast as a few lines; what was assumed stands beside what follows from it."""
    from mossbench.look.texts import sentences
    from mossbench.runs.prices import ANSWER_TOKENS

    for text in sorted({notice for forecast in forecasts for notice in forecast.notices}):
        note(f"note: {text}")
    if as_json:
        return show_json([forecast.to_dict() for forecast in forecasts])
    said = sentences(__file__)
    for forecast in forecasts:
        say(said("forecast", f=forecast, answer_tokens=ANSWER_TOKENS))
    say("Nothing was sent. Retries, and a judge's second question where its reply has no verdict, are not counted.")
