"""Probe: which candidates models refuse. It tells people where to look; choosing by it moves every later rate.

Each model has an ordinary run in `probes/`, which can be stopped and goes on. What came of it is in probe.jsonl, and
the data card of a release says how far those that were kept differ from all that were tried.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mossbench.building.candidates import Candidate, Probed, State
from mossbench.building.folder import BuildFolder
from mossbench.building.standing import standings
from mossbench.datasets import Dataset
from mossbench.judges import DEFAULT_JUDGE, load_judge
from mossbench.models import Model, load_model
from mossbench.outcomes import Counted, Rule, counted
from mossbench.plumbing.storage import slug
from mossbench.results.table import Results
from mossbench.runs.running import run
from mossbench.samples import Sample, Side
from mossbench.store.run_folder import RunFolder

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


def probe(
    folder: str | Path, models: Sequence[str | Model], *, judge: str = DEFAULT_JUDGE, **options: Any
) -> list[Refused]:
    """Asks models the candidates that passed the screen, and their harmful twins; what they did is in probe.jsonl.

    All but the build folder is as for `run`.
    """
    build = BuildFolder(Path(folder))
    build.settings()
    with build.held():
        there = [one.candidate for one in standings(build) if one.state in PROBED]
        digests = {one.id: build.digest(one) for one in there}
        label = load_judge(judge).label
        for model in [load_model(one, base_url=options.get("base_url")) for one in models]:
            said = [one for one in build.probes() if (one.model, one.judge) == (model.name, label)]
            done = {(one.candidate, one.digest) for one in said if one.refused is not None}
            todo = [one for one in there if (one.id, digests[one.id]) not in done]
            if todo:
                key = hashlib.sha256(" ".join(digests[one.id] for one in todo).encode()).hexdigest()[:8]
                out = build.path / "probes" / f"{slug(model.name)}-{key}"
                samples = tuple(sample for one in todo for sample in _samples(build, one))
                dataset = Dataset(f"{build.settings().name}-probe", samples, build.path)
                found = run(model, dataset, out=out, resume=not RunFolder(out).is_free(), judge=judge, **options)
                build.append("probe", _probed(found, digests, model.name, label))
    return refusals(build, digests)


def _samples(build: BuildFolder, one: Candidate) -> tuple[Sample, Sample]:
    paths = [build.image_path(one.id), build.image_path(one.id, "contrast")]
    own, other = (path.relative_to(build.path).as_posix() for path in (paths[0], paths[paths[1].exists()]))
    return (
        Sample(id=one.id, question=one.request, image=own, stimulus=one.stimulus, twin=one.id),
        Sample(id=one.id, side=Side.CONTRAST, question=one.contrast.request, image=other, twin=one.id),
    )


def _probed(found: Results, digests: dict[str, str], model: str, judge: str) -> list[Probed]:
    said = {(row.key.side, row.key.sample): _REFUSED.get(counted(row.outcome, Rule.SYSTEM)) for row in found.rows}
    return [
        Probed(candidate=id, digest=digests[id], model=model, judge=judge, refused=refused,
               twin_refused=said[Side.CONTRAST, id])
        for (side, id), refused in said.items()
        if side is Side.BENIGN
    ]  # fmt: skip


def refusals(folder: BuildFolder, digests: dict[str, str]) -> list[Refused]:
    """By how many models each candidate is refused, as it is now."""
    last = {(p.candidate, p.model): p.refused for p in folder.probes() if digests.get(p.candidate) == p.digest}
    said = {id: [refused for (one, _), refused in last.items() if one == id and refused is not None] for id in digests}
    return [Refused(id, len(those), sum(those)) for id, those in said.items()]
