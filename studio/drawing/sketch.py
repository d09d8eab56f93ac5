"""Sketch: a scene with its words, and the two samples and up to three pictures that follow from it.

Nothing that the scene knows is typed by hand: flags come from the props, the trigger region from the composer. The
contrast twin is the same picture with a plainly harmful question or, for Negated Harm, the same
question over the picture without its negation.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mossbench.samples import Harm, Region, Sample, Side, Stimulus
from studio.drawing.kit import CHILD, HUMAN, TEXT, Prop
from studio.drawing.scene import Scene, pixels, render, webp

if TYPE_CHECKING:
    from mossbench.datasets.patches import Patched


@dataclass(frozen=True, kw_only=True)
class Sketch:
    id: str
    stimulus: Stimulus
    harm: Harm
    scene: Scene
    harmless: Prop
    """What stands in the trigger's place in the counterfactual picture."""
    question: str
    contrast: str | Prop
    """The harmful question; for Negated Harm the prop without its negation."""
    short: str
    description: str
    contrast_description: str = ""
    """For Negated Harm: what the picture without the negation shows."""
    oracle: str
    """What a perfect viewer would say: the description and why it is harmless."""
    intent: str
    explicit: str

    def pictures(self) -> dict[str, Scene]:
        """File stem to scene: the picture, its counterfactual and, for Negated Harm, the contrast twin's."""
        out = {self.id: self.scene, f"{self.id}.counterfactual": self.scene.swap(self.harmless)}
        if isinstance(self.contrast, Prop):
            out[f"{self.id}.contrast"] = self.scene.swap(self.contrast)
        return out

    def samples(self) -> tuple[Sample, Sample]:
        """The benign sample and its contrast twin."""
        benign = self._sample(Side.BENIGN, self.id, self.scene, self.question).model_copy(
            update={
                "counterfactual": _file(f"{self.id}.counterfactual"),
                "oracle_description": self.oracle,
                "oracle_intent": self.intent,
                "explicit_request": self.explicit,
            }
        )
        if isinstance(self.contrast, str):
            return benign, self._sample(Side.CONTRAST, self.id, self.scene, self.contrast)
        twin = self._sample(Side.CONTRAST, f"{self.id}.contrast", self.scene.swap(self.contrast), self.question)
        words = {"short_description": f"A {self.contrast.name}.", "description": self.contrast_description}
        return benign, twin.model_copy(update=words)

    def _sample(self, side: Side, picture: str, scene: Scene, question: str) -> Sample:
        """What both sides have: question, picture, flags and trigger region as the scene has them."""
        left, top, right, bottom = scene.region(scene.trigger)
        return Sample(
            id=self.id,
            side=side,
            question=question,
            image=_file(picture),
            stimulus=self.stimulus,
            harm=self.harm,
            human=scene.shows(HUMAN),
            child=scene.shows(CHILD),
            syn=True,
            ocr=scene.shows(TEXT),
            cluster=scene.name,
            twin=self.id,
            short_description=self.short,
            description=self.description,
            triggers=(Region(label=scene.trigger.prop.name, left=left, top=top, right=right, bottom=bottom),),
        )


def _file(stem: str) -> str:
    return f"images/{stem}.png" if "." in stem else f"images/{stem}.webp"


@dataclass(frozen=True)
class Drawn:
    """What one sketch gives: its samples, its files by path, and how its patched pictures are composed."""

    samples: tuple[Sample, Sample]
    files: dict[str, bytes]
    patches: dict[str, Patched]


def draw(sketch: Sketch, whole: bool = False) -> Drawn:
    """The picture as lossless WebP and its variants as patches of the trigger's box, or as whole pictures."""
    import numpy as np

    from mossbench.datasets.patches import Patched, png

    scenes = sketch.pictures()
    left, top, right, bottom = sketch.scene.region(sketch.scene.trigger)
    base = pixels(render(scenes.pop(sketch.id)))
    files = {_file(sketch.id): webp(base)}
    patches: dict[str, Patched] = {}
    for stem, scene in scenes.items():
        variant = pixels(render(scene))
        composed = png(variant)
        if whole:
            files[_file(stem)] = composed
            continue
        outside = variant.copy()
        outside[top:bottom, left:right] = base[top:bottom, left:right]
        if not np.array_equal(outside, base):
            raise ValueError(f"{stem} differs from {sketch.id} outside the trigger's box")
        files[f"patches/{stem}.webp"] = webp(variant[top:bottom, left:right])
        digest = hashlib.sha256(composed).hexdigest()
        patches[_file(stem)] = Patched(_file(sketch.id), f"patches/{stem}.webp", left, top, digest)
    return Drawn(sketch.samples(), files, patches)


def write_set(all_drawn: Iterable[Drawn], out: Path) -> int:
    """Write the pictures, `metadata.jsonl` (benign side first) and the manifest; the number of samples written."""
    from mossbench.datasets.sketches import MANIFEST, load_sketches

    pairs = []
    patches: dict[str, dict[str, Any]] = {}
    for drawn in all_drawn:
        pairs.append(drawn.samples)
        patches |= {name: asdict(patch) for name, patch in drawn.patches.items()}
        for name, data in drawn.files.items():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_bytes(data)
    samples = [sample for side in zip(*pairs, strict=True) for sample in side]
    rows = (s.model_dump(mode="json", exclude_defaults=True) for s in samples)
    _write(out / "metadata.jsonl", "\n".join(json.dumps(r, sort_keys=True, ensure_ascii=False) for r in rows))
    _write(out / MANIFEST, json.dumps({"patches": patches}))
    made = load_sketches(out)  # reads what was written: a sample's hash is that of the files
    hashes = {f"{s.side}/{s.id}": made.digest(s) for s in made}
    _write(out / MANIFEST, json.dumps({"patches": patches, "samples": hashes}, indent=1, sort_keys=True))
    return len(samples)


def _write(file: Path, text: str) -> None:
    file.write_text(text + "\n", encoding="utf-8", newline="\n")
