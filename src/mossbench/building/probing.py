"""Probe: which candidates models refuse. It tells people where to look; choosing by it moves every later rate.

Each model has an ordinary run in `probes/`, which can be stopped and goes on. What came of it is in probe.jsonl, and
the data card of a release says how far those that were kept differ from all that were tried.
"""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Unpack

from mossbench.building.candidate_states import standings
from mossbench.building.candidates import Candidate, Probed, State
from mossbench.building.folder import BuildFolder
from mossbench.datasets import Dataset
from mossbench.datasets.arms import Arm
from mossbench.judges import DEFAULT_JUDGE, load_judge
from mossbench.models import Model, load_model
from mossbench.outcomes import Counted, Rule, counted
from mossbench.plumbing.file_names import slug
from mossbench.results.table import Results
from mossbench.runs.engines import EngineOptions
from mossbench.runs.image_cache import ImageCache
from mossbench.runs.progress import OnProgress
from mossbench.runs.running import run
from mossbench.samples import Sample, Side
from mossbench.store.config import RunOptions
from mossbench.store.prices import Prices
from mossbench.store.run_folder import RunFolder
from mossbench.ways_out import WayToResume

_REFUSED = {Counted.REFUSED: True, Counted.COMPLIED: False}
"""What counts; a row without answer or verdict is neither."""
PROBED = (State.SCREENED, State.REVIEWED, State.DISPUTED, State.ACCEPTED, State.RELEASED)


class Refused(NamedTuple):
    """How many of the models that answered refuse a candidate."""

    candidate: str
    n: int
    n_refused: int

    @property
    def by(self) -> str:
        if not self.n:
            return "unknown"
        return {0: "nobody", self.n: "all"}.get(self.n_refused, "some")


class ProbeOptions(RunOptions, total=False):
    """The keywords of `run` that `probe` hands on."""

    arms: Iterable[Arm]
    progress: OnProgress | None
    prices: str | Path | Prices | None
    again: WayToResume | None
    images: ImageCache | None
    max_cost: float | None
    engine: str | EngineOptions


def probe(
    folder: str | Path,
    models: Sequence[str | Model],
    *,
    judge: str = DEFAULT_JUDGE,
    **options: Unpack[ProbeOptions],
) -> list[Refused]:
    """Asks models the candidates that passed the screen, and their harmful twins; what they did is in probe.jsonl.

    All but the build folder is as for `run`.
    """
    build = BuildFolder(Path(folder))
    build.settings()
    with build.held():
        candidates = [standing.candidate for standing in standings(build) if standing.state in PROBED]
        digests = {candidate.id: build.digest(candidate) for candidate in candidates}
        label = load_judge(judge).label
        loaded = [load_model(model, base_url=options.get("base_url")) for model in models]
        for model in loaded:
            answered = _answered(build, model.name, label)
            to_ask = [candidate for candidate in candidates if (candidate.id, digests[candidate.id]) not in answered]
            if to_ask:
                results = _ask(build, model, to_ask, digests, judge, options)
                build.append("probe", _probed(results, digests, model.name, label))
    return refusals(build, digests)


def _answered(build: BuildFolder, model: str, judge: str) -> set[tuple[str, str]]:
    """Ids and digests of the candidates that this model has answered before, as this judge reads it."""
    answered = set()
    for probed in build.probes():
        if probed.model == model and probed.judge == judge and probed.refused is not None:
            answered.add((probed.candidate, probed.digest))
    return answered


def _ask(
    build: BuildFolder,
    model: Model,
    candidates: Sequence[Candidate],
    digests: dict[str, str],
    judge: str,
    options: ProbeOptions,
) -> Results:
    """The run of one model on these candidates, begun or gone on with."""
    key = hashlib.sha256(" ".join(digests[candidate.id] for candidate in candidates).encode()).hexdigest()[:8]
    out = build.path / "probes" / f"{slug(model.name)}-{key}"
    samples: list[Sample] = []
    for candidate in candidates:
        samples += _samples(build, candidate)
    dataset = Dataset(f"{build.settings().name}-probe", tuple(samples), build.path)
    return run(model, dataset, out=out, resume=not RunFolder(out).is_free(), judge=judge, **options)


def _samples(build: BuildFolder, candidate: Candidate) -> tuple[Sample, Sample]:
    """The candidate and its harmful twin, which may have the same image."""
    own = build.image_path(candidate.id)
    image_of_twin = build.image_path(candidate.id, "contrast")
    if not image_of_twin.exists():
        image_of_twin = own
    benign = Sample(
        id=candidate.id,
        question=candidate.request,
        image=own.relative_to(build.path).as_posix(),
        stimulus=candidate.stimulus,
        twin=candidate.id,
    )
    contrast = Sample(
        id=candidate.id,
        side=Side.CONTRAST,
        question=candidate.contrast.request,
        image=image_of_twin.relative_to(build.path).as_posix(),
        twin=candidate.id,
    )
    return benign, contrast


def _probed(results: Results, digests: dict[str, str], model: str, judge: str) -> list[Probed]:
    refused: dict[tuple[Side, str], bool | None] = {}
    for row in results.rows:
        refused[row.key.side, row.key.sample] = _REFUSED.get(counted(row.outcome, Rule.SYSTEM))
    probed = []
    for (side, id), is_refused in refused.items():
        if side is Side.BENIGN:
            line = Probed(
                candidate=id,
                digest=digests[id],
                model=model,
                judge=judge,
                refused=is_refused,
                twin_refused=refused[Side.CONTRAST, id],
            )
            probed.append(line)
    return probed


def refusals(folder: BuildFolder, digests: dict[str, str]) -> list[Refused]:
    """By how many models each candidate is refused, as it is now."""
    last_of_model: dict[tuple[str, str], bool | None] = {}
    for probed in folder.probes():
        if digests.get(probed.candidate) == probed.digest:
            last_of_model[probed.candidate, probed.model] = probed.refused
    answers: dict[str, list[bool]] = {id: [] for id in digests}
    for (id, _), is_refused in last_of_model.items():
        if is_refused is not None:
            answers[id].append(is_refused)
    return [Refused(id, len(refused), sum(refused)) for id, refused in answers.items()]
