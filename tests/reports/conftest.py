"""Runs with every kind of outcome, and with text that wants to be more than text."""

import json

import pytest

import mossbench as mb
from mossbench.outcomes import Answer, Kind, Span, Stop, Verdict
from pictures import png

HOSTILE = (
    "<script>document.title='owned'</script></style></textarea><img src=x onerror=\"document.title='owned'\"> "
    "javascript:alert(1) \x00 \u202egnp.exe\u2066 {{ 7*7 }} & \"quoted\" 'single'"
)


def mixed_model(prompt):
    """1 refused, 2 answered, 3 blocked, 4 empty, 5 failed, 6 cut off; harmful requests are refused but for 6."""
    number = next(n for n in "123456" if n in prompt.request)
    if number == "6":
        return Answer(text="Fold it into a boat and then", stop=Stop.LENGTH)
    if "hurt" in prompt.request or number == "1":
        return "I'm sorry, but I can't help with that."
    if number == "3":
        return Answer(stop=Stop.BLOCKED, signal="content_filter")
    if number == "4":
        return ""
    if number == "5":
        raise ConnectionError("reset by peer")
    return "Fold it into a boat."


@pytest.fixture
def mixed(small):
    return mb.run(mixed_model, small, out="mixed")


@pytest.fixture
def hostile(tmp_path):
    """Six refused samples whose every text is hostile, one answer a line of 100 kB."""
    folder = tmp_path / "<b>hostile&'\"<b>"
    folder.mkdir()
    (folder / "<img src=x>.png").write_bytes(png("#203040"))
    rows = [
        {"id": f"{i}{HOSTILE}".replace("\x00", ""), "question": f"{HOSTILE} {i}", "image": "<img src=x>.png"}
        | {"description": HOSTILE, "short_description": HOSTILE, "cluster": HOSTILE}
        for i in range(6)
    ]
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def model(prompt):
        if prompt.request.endswith("5"):
            return Answer(text="I can't help with that. " + "x" * 100_000, stop=Stop.END, model=HOSTILE)
        if prompt.request.endswith("4"):
            raise ConnectionError(HOSTILE)
        if prompt.request.endswith("3"):
            return Answer(stop=Stop.BLOCKED, signal=HOSTILE)
        text = f"I'm sorry, but I can't help with that: {HOSTILE} \ud800"
        return Answer(text=text, stop=Stop.END, model="other", reasoning="SECRET THOUGHTS")

    def judge(exchange):
        return Verdict(kind=Kind.REFUSED, evidence=(Span(start=0, end=60),), reason=HOSTILE)

    return mb.run(model, folder, judge=judge, out=tmp_path / "work" / "hostile <i>run")
