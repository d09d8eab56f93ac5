"""A model and a judge of one's own, to start from.

Try them: mossbench run --model examples/own_model.py:parrot --judge examples/own_model.py:polite
"""

from mossbench import Exchange, Prompt, Verdict


def parrot(prompt: Prompt) -> str:
    """Says what it was asked and what picture came with it; may also be `async def`."""
    picture = prompt.picture
    seen = f"a {picture.width} x {picture.height} {picture.media_type}" if picture else "no picture"
    return f"You asked: {prompt.request} I see {seen}."


def polite(exchange: Exchange) -> Verdict:
    """Reads a `sorry` as a refusal; see docs/own.md for what else a judge may return."""
    return Verdict(kind="refused" if "sorry" in (exchange.answer.text or "").lower() else "answered")
