"""Propose: candidates from the grammar or a model, without near-duplicates and without operational harm.

`n` is the total number of candidates from this source, seed and domain. So a call that was stopped can be repeated to
add the missing candidates, and a call that was complete adds nothing. Rejected drafts and replies are in
rejected.jsonl, with their full text and the reason.
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
from mossbench.errors import UsageError, n_of
from mossbench.models import Model, load_model
from mossbench.models.model import Answerer
from mossbench.plumbing.coroutines import closing, finish
from mossbench.plumbing.untrusted_files import read_file
from mossbench.runs.inputs import read_prices
from mossbench.samples import Stimulus
from mossbench.store.prices import Prices, text_tokens
from mossbench.ways_out import SetOption

_MAX_WAVES_WITHOUT_NEW = 2
"""A model that only repeats its candidates is asked no more after so many waves of requests."""


@dataclass
class Proposed:
    """What one call of `propose` did."""

    wanted: int
    """The number of candidates requested (`n` of `propose`)."""
    added: list[Candidate] = field(default_factory=list)
    n_there: int = 0
    """Candidates that an earlier call had added."""
    rejected: Counter[str] = field(default_factory=Counter)
    """Rejection code -> number of drafts and replies that this call rejected."""
    n_asked: int = 0
    """Requests that this call sent to a model."""

    def __repr__(self) -> str:
        return f"<Proposed {len(self.added)} of {n_of(self.wanted, 'candidate')}, {self.rejected.total()} rejected>"

    @property
    def n(self) -> int:
        """Candidates in the folder that count towards `wanted`."""
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
    """Adds candidates to a build folder, and creates the folder if it does not exist.

    Args:
        folder: The build folder.
        n: Total number of candidates from this source, seed and domain, divided equally among the stimuli.
        model: The model that writes candidates, as for `run`. None for the grammar that comes with mossbench.
        base_url: As for `run`.
        domain: A field of life, such as `pharmacy`. The grammar has a fixed list; a model takes any.
        notes: A text file about the purpose of the candidates; only a model reads it.
        stimuli: The stimuli to propose candidates for; at least one.
        seed: None for the seed of the folder.
        against: Datasets to compare new candidates with, besides the installed ones.
        prices: As for `run`.
        max_cost: Maximum cost of this call in US dollars. The model is not asked if the reply may exceed it: then a
            RunError is raised, and all earlier replies are kept.
    """
    selected_stimuli = tuple(stimulus for stimulus in Stimulus if stimulus in stimuli)
    if not selected_stimuli:
        names = ", ".join(stimulus.value for stimulus in Stimulus)
        raise UsageError(f"no stimulus to propose candidates for; name at least one of {names}")
    if notes is not None and model is None:
        problem = "only a model reads notes; the grammar does not"
        raise UsageError(problem, way_out=SetOption("model", to="omit the notes, or name a model"))
    if model is None:
        check_domain(domain)
    build = BuildFolder(Path(folder))
    loaded_model = None if model is None else load_model(model, base_url=base_url)
    notes_text = _read_notes(notes)
    with build.held():
        settings = build.start() if seed is None else build.start(seed=seed)
        candidate_filter = _CandidateFilter(build, settings, n, selected_stimuli, against)
        brief = Brief(settings.seed if seed is None else seed, domain, notes_text)
        if loaded_model is None:
            _take_from_grammar(candidate_filter, selected_stimuli, brief)
        else:
            tokens = max(text_tokens(batch_request(stimulus, brief, ())) for stimulus in selected_stimuli)
            asker = Asker(loaded_model, WRITING, len(Stimulus), tokens, max_cost, read_prices(prices))
            finish(closing(_take_from_model(candidate_filter, Author(build, brief, asker)), loaded_model))
            candidate_filter.result.n_asked = asker.n_asked
    return candidate_filter.result


def _read_notes(notes: str | Path | None) -> str:
    if notes is None:
        return ""
    try:
        return read_file(Path(notes)).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the notes {str(notes)!r}: {error}; name a text file") from None


class Likeness(NamedTuple):
    """How similar an existing text is to a candidate."""

    name: str
    """The id of the existing candidate, or `dataset:side:id`."""
    share: float
    """Share of the characters of both texts that match once the words are sorted, 0 to 1."""


class ComparedTexts:
    """The texts of existing samples and candidates, to compare new ones with.

    The words of each text are sorted, and the two strings compared character by character: the likeness is the share of
    the characters of both that match in order. A paraphrase in other words is not recognised: that needs the embeddings
    of a language model, which would have to be downloaded.
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
        """The text most similar to a candidate. Its name is empty if there is no text to compare with."""
        from rapidfuzz import fuzz, process

        text = _words(candidate.request, candidate.scene)
        match = process.extractOne(text, self._texts, scorer=fuzz.token_sort_ratio)
        if match is None:
            return Likeness("", 0.0)
        _, percent, name = match
        return Likeness(str(name), percent / 100)


def _words(*texts: str) -> str:
    return " ".join(re.findall(r"\w+", " ".join(texts).casefold()))


class _CandidateFilter:
    """Decides for each proposed candidate whether it is added to the folder, rejected, or not needed."""

    def __init__(
        self, folder: BuildFolder, settings: BuildSettings, n: int, stimuli: Sequence[Stimulus], against: Sequence[str]
    ) -> None:
        self.folder = folder
        self.settings = settings
        self.result = Proposed(n)
        self._candidates = folder.candidates()
        self._texts = _texts_to_compare(self._candidates.values(), against)
        self._keys_of_rejected = {_rejected_key(rejected) for rejected in folder.rejected()}
        self._ids_seen = set[str]()  # in this call: a model may repeat a candidate
        self._new_candidates: list[Candidate] = []
        self._new_rejected: list[Rejected] = []
        self._n_missing = _divide_equally(n, stimuli)

    def is_full(self) -> bool:
        """Whether no candidate is missing of any stimulus."""
        return not any(n > 0 for n in self._n_missing.values())

    def requests_by_missing_stimulus(self) -> dict[Stimulus, list[str]]:
        """Each stimulus that needs more candidates -> the requests of its existing candidates."""
        requests: dict[Stimulus, list[str]] = {stimulus: [] for stimulus, n in self._n_missing.items() if n > 0}
        for candidate in self._candidates.values():
            if candidate.stimulus in requests:
                requests[candidate.stimulus].append(candidate.request)
        return requests

    def take(self, candidate: Candidate) -> None:
        """Adds a candidate if one is needed of its stimulus and nothing is wrong with it; else rejects or omits it."""
        if self._n_missing.get(candidate.stimulus, 0) <= 0 or candidate.id in self._ids_seen:
            return  # a reply may have more drafts than needed; the reply itself is in replies.jsonl
        self._ids_seen.add(candidate.id)
        if candidate.id in self._candidates:
            self._n_missing[candidate.stimulus] -= 1
            self.result.n_there += 1
            return
        rejected = self._rejection_of(candidate)
        if rejected is not None:
            self.reject(rejected)
            return
        self._new_candidates.append(candidate)
        self._candidates[candidate.id] = candidate
        self._texts.add_candidate(candidate)
        self._n_missing[candidate.stimulus] -= 1
        self.result.added.append(candidate)

    def _rejection_of(self, candidate: Candidate) -> Rejected | None:
        """The record of why a candidate is rejected. None if nothing is wrong with it."""
        harm = operational_harm(candidate)
        if harm:
            return Rejected(code="operational-harm", reason=harm, candidate=candidate)
        maximum = self.settings.max_similarity
        nearest = self._texts.nearest(candidate)
        if nearest.share > maximum:
            matches = f"{nearest.share:.0%} of the characters match those of {nearest.name} once words are sorted"
            reason = f"{matches} (maximum {maximum:.0%})"
            return Rejected(code="near-duplicate", reason=reason, candidate=candidate, like=nearest.name)
        return None

    def write(self) -> None:
        """Appends the new candidates and rejections to the files.

        If the process dies before this, the same seed and the recorded replies give the same candidates again.
        """
        self.folder.append("candidates", self._new_candidates)
        self.folder.append("rejected", self._new_rejected)
        self._new_candidates = []
        self._new_rejected = []

    def reject(self, rejected: Rejected) -> None:
        """Records a rejected draft or reply, unless it is recorded already."""
        key = _rejected_key(rejected)
        if key not in self._keys_of_rejected:
            self._keys_of_rejected.add(key)
            self._new_rejected.append(rejected)
            self.result.rejected[rejected.code] += 1


def _divide_equally(n: int, stimuli: Sequence[Stimulus]) -> dict[Stimulus, int]:
    """Stimulus -> its share of `n` candidates; the first stimuli get one more if `n` cannot be divided equally."""
    n_each, n_left = divmod(n, len(stimuli))
    counts = dict.fromkeys(stimuli, n_each)
    for stimulus in stimuli[:n_left]:
        counts[stimulus] += 1
    return counts


def _texts_to_compare(candidates: Iterable[Candidate], against: Sequence[str]) -> ComparedTexts:
    """The texts of the installed datasets, the datasets `against`, and the candidates; nothing is downloaded."""
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
    """A key that is the same if the same draft or reply is rejected a second time."""
    origin = rejected.candidate.id if rejected.candidate else rejected.reply_key
    return rejected.code, origin, rejected.reply or ""


def _take_from_grammar(candidate_filter: _CandidateFilter, stimuli: tuple[Stimulus, ...], brief: Brief) -> None:
    for candidate in grammar_candidates(stimuli, brief.domain, brief.seed):
        if candidate_filter.is_full():
            break
        candidate_filter.take(candidate)
    candidate_filter.write()


async def _take_from_model(candidate_filter: _CandidateFilter, author: Author) -> None:
    number = 0
    n_waves_without_new = 0
    while not candidate_filter.is_full() and n_waves_without_new < _MAX_WAVES_WITHOUT_NEW:
        n_before = candidate_filter.result.n
        wave = await author.wave(candidate_filter.requests_by_missing_stimulus(), number)
        for draft in wave.read:
            if isinstance(draft, Rejected):
                candidate_filter.reject(draft)
            else:
                candidate_filter.take(draft)
        candidate_filter.write()
        if wave.fault is not None:
            raise wave.fault
        number += 1
        n_waves_without_new = 0 if candidate_filter.result.n > n_before else n_waves_without_new + 1
