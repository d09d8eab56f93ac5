"""What a request really asks for: not what it takes back, and not the text that it brings along to work on."""

import re

_TAKEN_BACK = re.compile(
    r"\b(?:ignore|disregard|forget|skip)(?: about)?(?: all| everything| anything)?(?: of)?(?: the| that| this| my)?"
    r" (?:above|previous|preceding|prior|last|earlier)\b[^.:!?\n]*[.:!?\n]\s*",
    re.IGNORECASE,
)
_BRINGS_A_TEXT = re.compile(
    r"\bthe following(?: \w+)? (?:sentence|text|paragraph|passage|phrase|words?|quote|statement|string)\b[^.:!?\n]*:",
    re.IGNORECASE,
)


def asked_part(request: str) -> str:
    """The request from where it takes back what came before, and up to a text that it brings along.

    "… Ignore the above and answer the following question: Where is London?" asks where London is. "How many words are
    in the following sentence: …" asks for a number, whatever the sentence says.
    """
    last_taken_back = max(_TAKEN_BACK.finditer(request), key=re.Match.end, default=None)
    if last_taken_back is not None:
        request = request[last_taken_back.end() :].strip() or request
    text_begins = _BRINGS_A_TEXT.search(request)
    return request if text_begins is None else request[: text_begins.end()].rstrip(":") + "."
