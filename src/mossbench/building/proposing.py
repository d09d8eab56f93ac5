"""Propose: candidates from the grammar or a model, without near-duplicates and without operational harm.

`n` is how many there shall be from this source, seed and domain, so that a step that was stopped goes on and one that
is repeated adds nothing. What is refused on the way is in rejected.jsonl, whole.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mossbench.building.asking import WRITING, Asker, Author, Brief, message
from mossbench.building.candidates import Candidate, Rejected
from mossbench.building.drafts import operational_harm
from mossbench.building.folder import BuildFolder, BuildSettings
from mossbench.building.grammar import check_domain, grammar_candidates
from mossbench.datasets import Dataset, as_dataset, cached_official
from mossbench.errors import UsageError
from mossbench.models import Model, load_model
from mossbench.models.model import Answerer
from mossbench.plumbing.coroutines import closing, finish
from mossbench.plumbing.reading import read_file
from mossbench.runs.inputs import read_prices
from mossbench.samples import Stimulus
from mossbench.store.prices import Prices, text_tokens
from mossbench.ways_out import SetOption


@dataclass
class Proposed:
    wanted: int
    added: list[Candidate] = field(default_factory=list)
    n_there: int = 0
    """Those that an earlier call had added."""
    rejected: Counter[str] = field(default_factory=Counter)
    """Code -> how many were refused now."""
    n_asked: int = 0
    """Replies that were asked of a model now."""

    @property
    def n(self) -> int:
        return len(self.added) + self.n_there


def propose(
    folder: str | Path,
    *,
    n: int = 30,
    model: str | Model | Answerer | None = None,
    base_url: str | None = None,
    domain: str | None = None,
    notes: str | Path | None = None,
    stimuli: Sequence[Stimulus] = tuple(Stimulus),
    seed: int | None = None,
    against: Sequence[str] = (),
    prices: str | Path | Prices | None = None,
    max_cost: float | None = None,
) -> Proposed:
    """Adds candidates to a build folder, which is made where there is none.

    Args:
        folder: The build folder.
        n: How many there shall be of this source, seed and domain, the stimuli in equal parts.
        model: Who proposes, as for `run`; None: the grammar that comes with mossbench.
        base_url: As for `run`.
        domain: A field of life; the grammar knows some, a model takes any.
        notes: A text file about what the candidates are for; only a model reads it.
        stimuli: Which stimuli.
        seed: None: the folder's.
        against: Datasets to compare with, beside those that are installed.
        prices: As for `run`.
        max_cost: US dollars for this call: no reply is asked for that may exceed them. A RunError when it is reached;
            what came before is kept.
    """
    if notes is not None and model is None:
        problem = "notes are read by a model, and the grammar is none"
        raise UsageError(problem, way_out=SetOption("model", to="omit the notes, or name a model"))
    if model is None:
        check_domain(domain)
    build = BuildFolder(Path(folder))
    chosen = tuple(one for one in Stimulus if one in stimuli)
    the_model = None if model is None else load_model(model, base_url=base_url)
    try:
        text = "" if notes is None else read_file(Path(notes)).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the notes {str(notes)!r}: {error}; name a text file") from None
    with build.held():
        settings = build.start() if seed is None else build.start(seed=seed)
        sieve = _Sieve(build, settings, n, chosen, against)
        seed = settings.seed if seed is None else seed
        if the_model is None:
            for one in grammar_candidates(chosen, domain, seed):
                if sieve.full():
                    break
                sieve.take(one)
            sieve.write()
            return sieve.result
        brief = Brief(seed, domain, text)
        tokens = max(text_tokens(message(stimulus, brief, ())) for stimulus in chosen)
        asker = Asker(the_model, WRITING, len(Stimulus), tokens, max_cost, read_prices(prices))
        finish(closing(_from_model(Author(build, brief, asker), sieve), the_model))
        sieve.result.n_asked = asker.n_asked
    return sieve.result


class Known:
    """The words of what there is already, to compare with.

    Likeness is the share of characters that two texts share once their words are sorted. A paraphrase in other words
    passes, which only a language model's embedding would see, and that would be a download.
    """

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


class _Sieve:
    """Takes candidates one by one: into the folder, or among the rejected."""

    def __init__(
        self, folder: BuildFolder, settings: BuildSettings, n: int, stimuli: Sequence[Stimulus], against: Sequence[str]
    ) -> None:
        self.folder, self.settings, self.result = folder, settings, Proposed(n)
        self._there, self._known = folder.candidates(), Known()
        installed = ["sketches", *(["official"] if cached_official() is not None else [])]  # nothing is downloaded
        for dataset in map(as_dataset, (*installed, *against)):
            self._known.add_set(dataset)
        for one in self._there.values():
            self._known.add(one.id, one.request, one.scene)
        self._rejected = {_what(one) for one in folder.rejected()}
        self._new, self._refused = list[Candidate](), list[Rejected]()
        self._seen = set[str]()  # by this call: a model may repeat itself
        part, rest = divmod(n, len(stimuli))
        self._left = {stimulus: part + (i < rest) for i, stimulus in enumerate(stimuli)}

    def full(self) -> bool:
        return not any(left > 0 for left in self._left.values())

    def wanted(self) -> dict[Stimulus, list[str]]:
        lacking, there = [stimulus for stimulus, left in self._left.items() if left > 0], self._there.values()
        return {stimulus: [one.request for one in there if one.stimulus is stimulus] for stimulus in lacking}

    def take(self, one: Candidate) -> None:
        if self._left.get(one.stimulus, 0) <= 0 or one.id in self._seen:
            return  # a batch may have more than is wanted; its reply is kept
        self._seen.add(one.id)
        if one.id in self._there:
            self._left[one.stimulus] -= 1
            self.result.n_there += 1
        elif why := operational_harm(one):
            self.reject(Rejected(code="operational-harm", reason=why, candidate=one))
        elif (near := self._known.nearest(one))[1] > self.settings.max_similarity:
            reason = f"{near[1]:.0%} of its words are those of {near[0]}, more than {self.settings.max_similarity:.0%}"
            self.reject(Rejected(code="near-duplicate", reason=reason, candidate=one, like=near[0]))
        else:
            self._new.append(one)
            self._there[one.id] = one
            self._known.add(one.id, one.request, one.scene)
            self._left[one.stimulus] -= 1
            self.result.added.append(one)

    def write(self) -> None:
        """Writes down what has come since the last time; seed and replies make it again where this is not reached."""
        self.folder.append("candidates", self._new)
        self.folder.append("rejected", self._refused)
        self._new, self._refused = [], []

    def reject(self, one: Rejected) -> None:
        """Has it written down, once."""
        if _what(one) not in self._rejected:
            self._rejected.add(_what(one))
            self._refused.append(one)
            self.result.rejected[one.code] += 1


def _what(one: Rejected) -> tuple[str, str, str]:
    return one.code, one.candidate.id if one.candidate else one.reply_key, one.reply or ""


async def _from_model(author: Author, sieve: _Sieve) -> None:
    number = 0
    n_in_vain = 0
    while not sieve.full() and n_in_vain < 2:  # a model that only repeats itself is not paid for ever
        n_before = sieve.result.n
        wave = await author.wave(sieve.wanted(), number)
        for candidate in wave.read:
            if isinstance(candidate, Rejected):
                sieve.reject(candidate)
            else:
                sieve.take(candidate)
        sieve.write()
        if wave.fault is not None:
            raise wave.fault
        number += 1
        n_in_vain = 0 if sieve.result.n > n_before else n_in_vain + 1
