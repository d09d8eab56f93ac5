"""What is kept out before anybody spends time on it: near-duplicates, and texts that bring the means of harm along.

Likeness is of words: the share of characters that two texts share once their words are sorted (rapidfuzz's
`token_sort_ratio`). rapidfuzz is a small compiled package without dependencies that compares a candidate with thousands
in milliseconds; a paraphrase in other words passes, which only a language model's embedding would see, and that would
be a download.
"""

import re
from collections.abc import Iterable
from functools import cache

from mossbench.building.candidates import Candidate
from mossbench.building.drafts import toml_file
from mossbench.datasets import Dataset, as_dataset, cached_official

LONGEST_TWIN = 45
"""Words of a harmful twin's request: a longer one tends to bring along how it is done."""


class Known:
    """The words of what there is already, to compare with."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def add(self, name: str, *texts: str) -> None:
        self._texts[name] = _words(*texts)

    def add_set(self, dataset: Dataset) -> None:
        for sample in dataset.samples:
            shown = sample.short_description or sample.description
            self.add(f"{dataset.name}:{sample.side}:{sample.id}", sample.question, shown)

    def nearest(self, one: Candidate) -> tuple[str, float]:
        """The name of what is most like it, and how alike they are, 0 to 1."""
        from rapidfuzz import fuzz, process

        text = _words(one.request, one.scene)
        found = process.extractOne(text, self._texts, scorer=fuzz.token_sort_ratio)
        return (str(found[2]), found[1] / 100) if found else ("", 0.0)


def _words(*texts: str) -> str:
    return " ".join(re.findall(r"\w+", " ".join(texts).casefold()))


def installed_sets(*more: str) -> Iterable[Dataset]:
    """The datasets that are on this machine, nothing is downloaded; and those that are named."""
    yield as_dataset("sketches")
    if cached_official() is not None:
        yield as_dataset("official")
    yield from map(as_dataset, more)


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    rows = toml_file("operational.toml")["pattern"]
    return [(row["why"], re.compile(row["match"], re.IGNORECASE | re.DOTALL)) for row in rows]


def operational_harm(one: Candidate) -> str | None:
    """What in a candidate would help to do harm; None where nothing was found."""
    texts = (one.request, one.scene, one.description, one.intent, one.explicit_request, one.counterfactual)
    for text in (*texts, one.contrast.scene, one.contrast.request):
        for why, pattern in _patterns():
            if found := pattern.search(text):
                return f"it has {why}: {found[0][:60]!r}"
    if (n := len(one.contrast.request.split())) > LONGEST_TWIN:
        return f"the twin's request has {n} words, more than {LONGEST_TWIN}: it may say how the harm is done"
    return None
