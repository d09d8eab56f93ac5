"""Sketch: a scene with its words, and the two samples and up to three pictures that follow from it.

Nothing that the scene knows is typed by hand: flags come from the props, the trigger region from the composer. The
contrast twin is the same picture with a plainly harmful question or, for Negated Harm, the same
question over the picture without its negation.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mossbench.drawing.kit import CHILD, HUMAN, TEXT, Prop
from mossbench.drawing.scene import Scene, render, webp
from mossbench.samples import Harm, Region, Sample, Side, Stimulus


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
    return f"images/{stem}.webp"


def write_set(sketches: Iterable[Sketch], out: Path) -> int:
    """Draw every picture and write `metadata.jsonl`, benign side first; the number of samples written."""
    (out / "images").mkdir(parents=True, exist_ok=True)
    pairs = []
    for sketch in sketches:
        pairs.append(sketch.samples())
        for stem, scene in sketch.pictures().items():
            (out / _file(stem)).write_bytes(webp(render(scene)))
    samples = [sample for side in zip(*pairs, strict=True) for sample in side]
    lines = [
        json.dumps(s.model_dump(mode="json", exclude_defaults=True), sort_keys=True, ensure_ascii=False)
        for s in samples
    ]
    (out / "metadata.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    return len(samples)
