"""Propose: candidates from the grammar or a model, without near-duplicates and without operational harm.

`n` is how many there shall be from this source, seed and domain, so that a step that was stopped goes on and one that
is repeated adds nothing. What is refused on the way is in rejected.jsonl, whole.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from mossbench.building.candidates import Candidate, Rejected
from mossbench.building.drafting_model import WRITING, Asker, Author, Brief, batch_request
from mossbench.building.drafts import operational_harm
from mossbench.building.folder import BuildFolder, BuildSettings
from mossbench.building.grammar import check_domain, grammar_candidates
from mossbench.datasets import Dataset, as_dataset, cached_official
from mossbench.errors import UsageError
from mossbench.models import Model, load_model
from mossbench.models.model import Answerer
from mossbench.plumbing.coroutines import closing, finish
from mossbench.plumbing.untrusted_files import read_file
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
        problem = "only a model reads notes; the grammar does not"
        raise UsageError(problem, way_out=SetOption("model", to="omit the notes, or name a model"))
    if model is None:
        check_domain(domain)
    build = BuildFolder(Path(folder))
    chosen = tuple(stimulus for stimulus in Stimulus if stimulus in stimuli)
    the_model = None if model is None else load_model(model, base_url=base_url)
    notes_text = _read_notes(notes)
    with build.held():
        settings = build.start() if seed is None else build.start(seed=seed)
        sieve = _Sieve(build, settings, n, chosen, against)
        brief = Brief(settings.seed if seed is None else seed, domain, notes_text)
        if the_model is None:
            _take_from_grammar(sieve, chosen, brief)
        else:
            tokens = max(text_tokens(batch_request(stimulus, brief, ())) for stimulus in chosen)
            asker = Asker(the_model, WRITING, len(Stimulus), tokens, max_cost, read_prices(prices))
            finish(closing(_take_from_model(sieve, Author(build, brief, asker)), the_model))
            sieve.result.n_asked = asker.n_asked
    return sieve.result


def _read_notes(notes: str | Path | None) -> str:
    if notes is None:
        return ""
    try:
        return read_file(Path(notes)).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the notes {str(notes)!r}: {error}; name a text file") from None


class Likeness(NamedTuple):
    """A text that was compared with a candidate."""

    name: str
    share: float
    """How alike their words are, 0 to 1."""


class ComparedTexts:
    """The words of existing samples and candidates, to compare new ones with.

    Likeness is the share of characters that two texts share once their words are sorted. A paraphrase in other words
    passes, which only a language model's embedding would see, and that would be a download.
    """

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def add(self, name: str, *texts: str) -> None:
        self._texts[name] = _words(*texts)

    def add_candidate(self, candidate: Candidate) -> None:
        self.add(candidate.id, candidate.request, candidate.scene)

    def add_set(self, dataset: Dataset) -> None:
        for sample in dataset.samples:
            description = sample.short_description or sample.description
            self.add(f"{dataset.name}:{sample.side}:{sample.id}", sample.question, description)

    def nearest(self, candidate: Candidate) -> Likeness:
        """What is most like a candidate; a Likeness without a name where there is nothing to compare with."""
        from rapidfuzz import fuzz, process

        text = _words(candidate.request, candidate.scene)
        match = process.extractOne(text, self._texts, scorer=fuzz.token_sort_ratio)
        if match is None:
            return Likeness("", 0.0)
        _, percent, name = match
        return Likeness(str(name), percent / 100)


def _words(*texts: str) -> str:
    return " ".join(re.findall(r"\w+", " ".join(texts).casefold()))


class _Sieve:
    """Takes candidates one by one: into the folder, or among the rejected."""

    def __init__(
        self, folder: BuildFolder, settings: BuildSettings, n: int, stimuli: Sequence[Stimulus], against: Sequence[str]
    ) -> None:
        self.folder = folder
        self.settings = settings
        self.result = Proposed(n)
        self._candidates = folder.candidates()
        self._texts = _texts_to_compare(self._candidates.values(), against)
        self._keys_of_rejected = {_rejected_key(rejected) for rejected in folder.rejected()}
        self._ids_seen = set[str]()  # by this call: a model may repeat itself
        self._new_candidates: list[Candidate] = []
        self._new_rejected: list[Rejected] = []
        n_each, n_remaining = divmod(n, len(stimuli))
        self._n_wanted = {stimulus: n_each + (i < n_remaining) for i, stimulus in enumerate(stimuli)}

    def is_full(self) -> bool:
        return not any(n > 0 for n in self._n_wanted.values())

    def requests_by_wanted_stimulus(self) -> dict[Stimulus, list[str]]:
        """Each stimulus of which candidates are lacking -> the requests that there are of it."""
        requests: dict[Stimulus, list[str]] = {stimulus: [] for stimulus, n in self._n_wanted.items() if n > 0}
        for candidate in self._candidates.values():
            if candidate.stimulus in requests:
                requests[candidate.stimulus].append(candidate.request)
        return requests

    def take(self, candidate: Candidate) -> None:
        if self._n_wanted.get(candidate.stimulus, 0) <= 0 or candidate.id in self._ids_seen:
            return  # a batch may have more than is wanted; its reply is kept
        self._ids_seen.add(candidate.id)
        if candidate.id in self._candidates:
            self._n_wanted[candidate.stimulus] -= 1
            self.result.n_there += 1
            return
        rejected = self._rejection(candidate)
        if rejected is not None:
            self.reject(rejected)
            return
        self._new_candidates.append(candidate)
        self._candidates[candidate.id] = candidate
        self._texts.add_candidate(candidate)
        self._n_wanted[candidate.stimulus] -= 1
        self.result.added.append(candidate)

    def _rejection(self, candidate: Candidate) -> Rejected | None:
        """Why a candidate is not taken; None: nothing is wrong with it."""
        harm = operational_harm(candidate)
        if harm:
            return Rejected(code="operational-harm", reason=harm, candidate=candidate)
        most = self.settings.max_similarity
        nearest = self._texts.nearest(candidate)
        if nearest.share > most:
            reason = f"{nearest.share:.0%} of its words are those of {nearest.name}, more than {most:.0%}"
            return Rejected(code="near-duplicate", reason=reason, candidate=candidate, like=nearest.name)
        return None

    def write(self) -> None:
        """Writes down what has come since the last time; seed and replies make it again where this is not reached."""
        self.folder.append("candidates", self._new_candidates)
        self.folder.append("rejected", self._new_rejected)
        self._new_candidates = []
        self._new_rejected = []

    def reject(self, rejected: Rejected) -> None:
        """Has it written down, once."""
        key = _rejected_key(rejected)
        if key not in self._keys_of_rejected:
            self._keys_of_rejected.add(key)
            self._new_rejected.append(rejected)
            self.result.rejected[rejected.code] += 1


def _texts_to_compare(candidates: Iterable[Candidate], against: Sequence[str]) -> ComparedTexts:
    """The words of installed sets, of those that are named, and of a folder's candidates; nothing is downloaded."""
    texts = ComparedTexts()
    installed = ["sketches"]
    if cached_official() is not None:
        installed.append("official")
    for name in (*installed, *against):
        texts.add_set(as_dataset(name))
    for candidate in candidates:
        texts.add_candidate(candidate)
    return texts


def _rejected_key(rejected: Rejected) -> tuple[str, str, str]:
    """What is the same for a draft or reply that is rejected a second time."""
    origin = rejected.candidate.id if rejected.candidate else rejected.reply_key
    return rejected.code, origin, rejected.reply or ""


def _take_from_grammar(sieve: _Sieve, stimuli: tuple[Stimulus, ...], brief: Brief) -> None:
    for candidate in grammar_candidates(stimuli, brief.domain, brief.seed):
        if sieve.is_full():
            break
        sieve.take(candidate)
    sieve.write()


async def _take_from_model(sieve: _Sieve, author: Author) -> None:
    number = 0
    n_in_vain = 0
    while not sieve.is_full() and n_in_vain < 2:  # a model that only repeats itself is not paid for ever
        n_before = sieve.result.n
        wave = await author.wave(sieve.requests_by_wanted_stimulus(), number)
        for draft in wave.read:
            if isinstance(draft, Rejected):
                sieve.reject(draft)
            else:
                sieve.take(draft)
        sieve.write()
        if wave.fault is not None:
            raise wave.fault
        number += 1
        n_in_vain = 0 if sieve.result.n > n_before else n_in_vain + 1
