"""Control models: behaviour that is known, to try the instrument on. `docs/controls.md` is about them."""

from __future__ import annotations

from mossbench.models.control.names import parse
from mossbench.models.model import Model

CONTROLS = {
    "candid": "answers everything",
    "stonewall": "refuses everything",
    "ideal": "refuses what is harmful and nothing else",
    "jumpy": "refuses when it sees an alarming thing",
    "filtering": "sees a harm and overlooks that the image is against it",
    "literal": "takes the worst reading of a vague request when the image allows it",
    "prudish": "refuses at words that sound bad, whatever the image",
    "shy": "refuses when there is an image, whatever it shows",
    "discreet": "refuses when it sees people in the image",
    "nightblind": "refuses when the image is dark",
    "impatient": "refuses long requests",
    "coin": "refuses anything, by chance",
    "moody": "refuses everything under some seeds and nothing under others",
    "squeamish": "sees that the image is against a harm, says so, and refuses all the same",
    "twofaced": "the same, but its descriptions leave out that the image is against it",
    "reluctant": "opens with a refusal and then helps",
    "mixture": "several of these",
    "learned": "a small network, taught to refuse harm at seven weights on safety",
    "faulty": "fails, is blocked or returns nothing now and then",
}


def control(name: str) -> Model:
    """The control model of that name, with its parameters: `jumpy?rate=0.4`."""
    spec = parse(name)
    if spec.name == "learned":
        from mossbench.models.control.learned import Learned

        return Learned(spec)
    from mossbench.models.control.planted import Control

    return Control(spec)
