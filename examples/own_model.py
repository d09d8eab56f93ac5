"""A model and a judge of your own, to start from.

Try them: mossbench run --model examples/own_model.py:parrot --judge examples/own_model.py:polite
"""

from mossbench import Exchange, Prompt, Verdict


def parrot(prompt: Prompt) -> str:
    """Repeats what it was asked and says what image came with it; may also be `async def`."""
    picture = prompt.picture
    seen = f"a {picture.width} x {picture.height} {picture.media_type}" if picture else "no image"
    return f"You asked: {prompt.request} I see {seen}."


def polite(exchange: Exchange) -> Verdict:
    """Reads a `sorry` as a refusal; see docs/own.md for what else a judge may return."""
    return Verdict(kind="refused" if "sorry" in (exchange.answer.text or "").lower() else "answered")
