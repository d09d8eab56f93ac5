"""The shipped set: its records and pictures, for any number of samples. studio/tests has that scenes give them."""

import json
import re
from collections import Counter
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import mossbench
from every import every
from mossbench.datasets.sketches import load_sketches
from mossbench.samples import Harm, Side, Stimulus

ROOT = Path(mossbench.__file__).parent / "datasets" / "sketches_data"
PUBLISHED = Path(__file__).parents[3] / "shared" / "mossbench-data"
FULL = 120
"""Benign samples of the finished set; what is asked of the whole set is tested from this number on."""
LARGEST = 20_000_000
DATASET = load_sketches()
BENIGN = [s for s in DATASET if s.side is Side.BENIGN]
CONTRAST = {s.id: s for s in DATASET if s.side is Side.CONTRAST}
SEEN = {  # what a viewer of the pictures says, written down by eye
    row["id"]: (row["human"], row["child"], row["ocr"])
    for file in sorted((Path(__file__).parent / "seen").glob("*.jsonl"))
    for row in map(json.loads, file.read_text("utf-8").splitlines())
}

id_of = attrgetter("id")
each_benign = every(BENIGN, name=id_of)
whole_set = pytest.mark.skipif(len(BENIGN) < FULL, reason=f"the set holds {len(BENIGN)} of {FULL} samples")


def pixels(path):
    with Image.open(path) as picture:
        assert (picture.size, picture.mode) == ((1024, 683), "RGB")
        return np.asarray(picture)


def plain(text):
    return " ".join(re.findall(r"[a-z0-9']+", text.lower()))


def differs_only_inside(sample, one, other):
    """Where two pictures differ, as (some pixel does, no pixel outside the sample's triggers does)."""
    different = (pixels(one) != pixels(other)).any(axis=2)
    outside = different.copy()
    for region in sample.triggers:
        outside[region.top : region.bottom, region.left : region.right] = False
    return bool(different.any()), not outside.any()


def reading_ease(text):
    """Flesch's score; syllables are groups of vowels, a final silent e not counted."""
    words = re.findall(r"[A-Za-z']+", text)
    syllables = sum(max(len(re.findall(r"[aeiouy]+", re.sub(r"e$", "", w.lower()))), 1) for w in words)
    sentences = max(len(re.findall(r"[.?!]+", text)), 1)
    return 206.835 - 1.015 * len(words) / sentences - 84.6 * syllables / len(words)


@whole_set
def test_the_whole_set_holds_forty_samples_of_each_stimulus_and_all_harms():
    counts = Counter(s.stimulus for s in BENIGN)
    assert all(counts[stimulus] >= FULL / 3 for stimulus in Stimulus), counts
    assert {s.harm for s in BENIGN} == set(Harm)


def test_stimuli_are_about_equally_frequent():
    counts = Counter(s.stimulus for s in BENIGN)
    assert min(counts[s] for s in Stimulus) >= 0.7 * max(counts.values())
    assert len({s.harm for s in BENIGN}) >= 6


def test_ids_are_unique_on_each_side_and_name_their_stimulus():
    assert len({s.key for s in DATASET}) == len(DATASET)
    prefix = {Stimulus.EXAGGERATED_RISK: "er-", Stimulus.NEGATED_HARM: "nh-", Stimulus.COUNTERINTUITIVE: "ci-"}
    assert all(s.id.startswith(prefix[s.stimulus]) for s in DATASET)
    assert all(re.fullmatch(r"[a-z]{2}(-[a-z0-9]+)+", s.id) for s in DATASET)


@each_benign
def test_every_sample_is_complete_and_has_its_twin(sample):
    twin = CONTRAST[sample.id]
    assert sample.twin == twin.id and twin.twin == sample.id
    assert (sample.stimulus, sample.harm, sample.cluster) == (twin.stimulus, twin.harm, twin.cluster)
    may_be_empty = ("more_images", "history", "metadata")
    empty = [name for name, value in sample if value in (None, "", (), {}) and name not in may_be_empty]
    assert empty == []
    assert twin.counterfactual is None and twin.oracle_intent is None


@each_benign
def test_the_twin_keeps_the_picture_or_the_question(sample):
    twin = CONTRAST[sample.id]
    if sample.stimulus is Stimulus.NEGATED_HARM:
        assert sample.question == twin.question and sample.image != twin.image
        assert sample.description != twin.description
    else:
        assert sample.question != twin.question and sample.image == twin.image


@pytest.mark.parametrize("field", ["question", "short_description", "description", "oracle_intent", "explicit_request"])
def test_no_two_texts_are_alike(field):
    contrast = [s for s in CONTRAST.values() if s.stimulus is not Stimulus.NEGATED_HARM]
    asked = Counter(plain(getattr(s, field)) for s in [*BENIGN, *(contrast if field == "question" else [])])
    assert [text for text, n in asked.items() if n > 1] == []


def test_questions_do_not_share_one_template():
    """No opening of three words begins more than a twelfth of the questions."""
    openings = Counter(" ".join(plain(s.question).split()[:3]) for s in BENIGN)
    assert [text for text, n in openings.items() if n > max(len(BENIGN) / 12, 1)] == []


@each_benign
def test_questions_are_short_and_end_like_sentences(sample):
    assert sample.question[-1] in ".?!"
    assert 4 <= len(sample.question.split()) <= 32


def test_questions_are_easy_to_read():
    scores = sorted(reading_ease(s.question) for s in BENIGN)
    assert scores[len(scores) // 2] >= 65, "half of the questions should read like talk"
    assert scores[0] >= 20, [s.question for s in BENIGN if reading_ease(s.question) < 20]


def test_no_wording_of_the_published_set_is_used():
    files = sorted(PUBLISHED.glob("*/images_information/information.json"))
    if not files:
        pytest.skip(f"the published set is not at {PUBLISHED}: only its wording can be compared with ours")
    published = {plain(r["question"]) for f in files for r in json.loads(f.read_text("utf-8")).values()}
    assert [s.question for s in DATASET if plain(s.question) in published] == []


def differs_as_it_should(sample):
    own, twin = DATASET.picture_path(sample), CONTRAST[sample.id]
    assert differs_only_inside(sample, own, DATASET.counterfactual_path(sample)) == (True, True)
    if sample.stimulus is Stimulus.NEGATED_HARM:
        assert differs_only_inside(sample, own, DATASET.picture_path(twin)) == (True, True)
        assert sample.triggers[0].model_dump(exclude={"label"}) == twin.triggers[0].model_dump(exclude={"label"})


test_the_pictures_of_some_samples_differ_only_inside_the_trigger = every(BENIGN[::15], name=id_of)(differs_as_it_should)
test_the_pictures_of_all_samples_differ_only_inside_the_trigger = pytest.mark.slow(each_benign(differs_as_it_should))


@every(DATASET, name=lambda s: f"{s.side}-{s.id}")
def test_triggers_lie_on_the_page_and_can_be_seen(sample):
    for r in sample.triggers:
        assert 0 <= r.left < r.right <= 1024 and 0 <= r.top < r.bottom <= 683
        assert (r.right - r.left) * (r.bottom - r.top) >= 24 * 24
        assert r.label


@each_benign
def test_flags_agree_with_the_picture(sample):
    assert (sample.human, sample.child, sample.ocr) == SEEN[sample.id]
    assert sample.syn is True


def test_every_line_of_what_was_seen_is_about_a_sample():
    assert set(SEEN) == {s.id for s in BENIGN}


@every([s for s in BENIGN if s.ocr], name=id_of)
def test_a_description_says_what_is_written(sample):
    assert re.search(r"\b[A-Z]{3,}\b", sample.description)
    assert re.search(r"\b[A-Z]{3,}\b", sample.oracle_description)


def test_no_file_is_missing_or_left_over():
    patches = DATASET.patches
    named = {n for s in DATASET for n in (s.image, s.counterfactual) if n}
    assert set(patches) <= named
    files = (
        {n for n in named if n not in patches}
        | {p.patch for p in patches.values()}
        | {"manifest.json", "metadata.jsonl"}
    )
    assert {p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*") if p.is_file()} == files


def test_the_set_is_small_enough_to_ship():
    assert sum(p.stat().st_size for p in ROOT.rglob("*") if p.is_file()) < LARGEST


def test_the_manifest_holds_the_content_hash_of_every_sample():
    listed = json.loads((ROOT / "manifest.json").read_text("utf-8"))["samples"]
    assert listed == {f"{s.side}/{s.id}": DATASET.digest(s) for s in DATASET}


def test_the_version_moves_with_any_picture_and_any_word():
    name, patch = next(iter(DATASET.patches.items()))
    other_picture = replace(DATASET, patches={**DATASET.patches, name: replace(patch, sha256="0" * 64)})
    first, *others = DATASET.samples
    other_word = replace(DATASET, samples=(first.model_copy(update={"question": "Why?"}), *others))
    assert len({DATASET.version, other_picture.version, other_word.version}) == 3


def test_who_changes_the_hashes_that_were_given_changes_nobody_elses():
    first = mossbench.load_dataset("sketches").hashes
    before = dict(first)
    first.clear()
    assert mossbench.load_dataset("sketches").hashes == before != {}
