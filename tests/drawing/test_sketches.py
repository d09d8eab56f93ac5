"""The shipped set: its records, its pictures, and that both still follow from the scenes."""

import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import mossbench
from mossbench.drawing.scenes import SKETCHES
from mossbench.drawing.sketch import write_set
from mossbench.samples import Harm, Sample, Side, Stimulus

ROOT = Path(mossbench.__file__).parent / "datasets" / "sketches_data"
PUBLISHED = Path(__file__).parents[3] / "shared" / "mossbench-data"
SAMPLES = [Sample.model_validate_json(line) for line in (ROOT / "metadata.jsonl").read_text("utf-8").splitlines()]
BENIGN = [s for s in SAMPLES if s.side is Side.BENIGN]
CONTRAST = {s.id: s for s in SAMPLES if s.side is Side.CONTRAST}
SHOWN = {  # human, child, ocr: what a viewer of the pictures says, written down by eye
    "er-playroom-vase": (True, True, False),
    "er-beach-flag": (True, True, False),
    "er-museum-armour": (True, True, False),
    "er-desk-code": (True, False, False),
    "nh-no-smoking": (True, True, True),
    "nh-no-bullying": (True, True, True),
    "nh-drink-drive": (True, False, True),
    "nh-bleach-myth": (True, False, True),
    "ci-parrot": (True, True, False),
    "ci-gingerbread": (True, True, False),
    "ci-concert-shot": (True, False, False),
    "ci-puppet-arm": (True, True, False),
}

each_benign = pytest.mark.parametrize("sample", BENIGN, ids=lambda s: s.id)


def pixels(name):
    with Image.open(ROOT / name) as picture:
        assert (picture.format, picture.size, picture.mode) == ("WEBP", (1024, 683), "RGB")
        return np.asarray(picture).astype(int)


def plain(text):
    return " ".join(re.findall(r"[a-z0-9']+", text.lower()))


def differs_only_inside(sample, one, other):
    """Where two pictures differ, as (some pixel does, no pixel outside the sample's triggers does)."""
    different = np.abs(pixels(one) - pixels(other)).sum(axis=2) > 0
    outside = different.copy()
    for region in sample.triggers:
        outside[region.top : region.bottom, region.left : region.right] = False
    return bool(different.any()), not outside.any()


def test_the_set_holds_four_samples_of_each_stimulus_and_several_harms():
    assert Counter(s.stimulus for s in BENIGN) == dict.fromkeys(Stimulus, 4)
    assert len({s.harm for s in BENIGN}) >= 6
    assert Harm.COPYRIGHT not in {s.harm for s in BENIGN}  # say so in docs/sketches.md when this changes


def test_ids_are_unique_on_each_side_and_name_their_stimulus():
    assert len({s.key for s in SAMPLES}) == len(SAMPLES)
    prefix = {Stimulus.EXAGGERATED_RISK: "er-", Stimulus.NEGATED_HARM: "nh-", Stimulus.COUNTERINTUITIVE: "ci-"}
    assert all(s.id.startswith(prefix[s.stimulus]) for s in SAMPLES)
    assert [s.id for s in BENIGN] == list(SKETCHES)


@each_benign
def test_every_sample_is_complete_and_has_its_twin(sample):
    twin = CONTRAST[sample.id]
    assert sample.twin == twin.id and twin.twin == sample.id
    assert (sample.stimulus, sample.harm, sample.cluster) == (twin.stimulus, twin.harm, twin.cluster)
    empty = [name for name, value in sample if value in (None, "", ())]
    assert empty == []
    assert twin.counterfactual is None and twin.oracle_intent is None


@each_benign
def test_the_twin_keeps_the_picture_or_the_question(sample):
    twin = CONTRAST[sample.id]
    if sample.stimulus is Stimulus.NEGATED_HARM:
        assert sample.question == twin.question and sample.image != twin.image
    else:
        assert sample.question != twin.question and sample.image == twin.image


def test_no_two_questions_are_alike():
    contrast = [s for s in CONTRAST.values() if s.stimulus is not Stimulus.NEGATED_HARM]
    asked = Counter(plain(s.question) for s in [*BENIGN, *contrast])
    assert [text for text, n in asked.items() if n > 1] == []


@each_benign
def test_questions_are_short_and_end_like_sentences(sample):
    assert sample.question[-1] in ".?!"
    assert 5 <= len(sample.question.split()) <= 20


def test_no_wording_of_the_published_set_is_used():
    files = sorted(PUBLISHED.glob("*/images_information/information.json"))
    if not files:
        pytest.skip(f"the published set is not at {PUBLISHED}: its wording cannot be compared")
    published = {plain(r["question"]) for f in files for r in json.loads(f.read_text("utf-8")).values()}
    assert [s.question for s in SAMPLES if plain(s.question) in published] == []


@each_benign
def test_the_counterfactual_differs_only_inside_the_trigger(sample):
    assert differs_only_inside(sample, sample.image, sample.counterfactual) == (True, True)


@pytest.mark.parametrize("sample", [s for s in BENIGN if s.stimulus is Stimulus.NEGATED_HARM], ids=lambda s: s.id)
def test_the_picture_without_negation_differs_only_inside_the_trigger(sample):
    assert differs_only_inside(sample, sample.image, CONTRAST[sample.id].image) == (True, True)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: f"{s.side}-{s.id}")
def test_triggers_lie_on_the_page(sample):
    for r in sample.triggers:
        assert 0 <= r.left < r.right <= 1024 and 0 <= r.top < r.bottom <= 683
        assert r.label


@each_benign
def test_flags_agree_with_the_picture(sample):
    assert (sample.human, sample.child, sample.ocr) == SHOWN[sample.id]
    assert sample.syn is True


@pytest.mark.parametrize("sample", [s for s in BENIGN if s.ocr], ids=lambda s: s.id)
def test_a_description_says_what_is_written(sample):
    assert re.search(r"\b[A-Z]{4,}\b", sample.description)
    assert re.search(r"\b[A-Z]{4,}\b", sample.oracle_description)


def test_no_picture_is_missing_or_left_over():
    named = {name for s in SAMPLES for name in (s.image, s.counterfactual) if name}
    assert {p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*.webp")} == named


def test_the_set_is_small_enough_to_ship():
    assert sum(p.stat().st_size for p in ROOT.rglob("*") if p.is_file()) < 4_000_000


def test_shipped_records_follow_from_the_scenes():
    pytest.importorskip("fontTools", reason="drawing needs the extra [draw]")
    pairs = [make().samples() for make in SKETCHES.values()]
    assert SAMPLES == [sample for side in zip(*pairs, strict=True) for sample in side]


@pytest.mark.parametrize("name", ["er-playroom-vase", "nh-bleach-myth"])
def test_a_scene_drawn_again_gives_the_shipped_pixels(name, tmp_path):
    pytest.importorskip("resvg_py", reason="drawing needs the extra [draw]")
    write_set([SKETCHES[name]()], tmp_path)
    drawn = sorted((tmp_path / "images").iterdir())
    assert len(drawn) == 2 + name.startswith("nh-")
    for picture in drawn:
        with Image.open(picture) as again:
            assert (np.asarray(again) == pixels(f"images/{picture.name}")).all(), picture.name


def test_drawing_twice_gives_the_same_bytes(tmp_path):
    pytest.importorskip("resvg_py", reason="drawing needs the extra [draw]")
    for folder in ("one", "two"):
        write_set([SKETCHES["er-desk-code"]()], tmp_path / folder)
    one, two = (
        {p.relative_to(tmp_path / f): p.read_bytes() for p in (tmp_path / f).rglob("*.*")} for f in ("one", "two")
    )
    assert one == two and len(one) == 3
