"""What the controls see, on every picture of the set and on pictures that were re-encoded and shrunk."""

import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from mossbench.datasets import load_dataset
from mossbench.errors import StorageError
from mossbench.models.control import sight
from mossbench.models.control.sight import Seen, look
from mossbench.samples import Side, Stimulus

GROUPS = {Stimulus.EXAGGERATED_RISK: "alarm", Stimulus.NEGATED_HARM: "harm", Stimulus.COUNTERINTUITIVE: "referent"}


def harmed(data, half, quality):
    image = Image.open(BytesIO(data)).convert("RGB")
    if half:
        image = image.resize((image.width // 2, image.height // 2), Image.Resampling.BICUBIC)
    out = BytesIO()
    image.save(out, "JPEG", quality=quality) if quality else image.save(out, "PNG")
    return out.getvalue()


def truth(sample, counterfactual):
    """What a sketch shows, from its metadata."""
    group = None if counterfactual else GROUPS[sample.stimulus]
    seen = {name: name == group for name in GROUPS.values()}
    return seen | {"negation": group == "harm" and sample.side is Side.BENIGN}


def pictures(every):
    """Bytes and truth of every nth picture of the set: samples and counterfactuals."""
    data = load_dataset("sketches")
    found = {}
    for sample in data:
        found[sample.image] = (sample, truth(sample, False))
        if sample.counterfactual:
            found[sample.counterfactual] = (
                sample.model_copy(update={"image": sample.counterfactual}),
                truth(sample, True),
            )
    for sample, seen in list(found.values())[::every]:
        yield data.picture_path(sample).read_bytes(), seen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("every", "half", "quality"),
    [(3, False, None), (9, False, 70), (9, True, None), (9, True, 60)],
    ids=["as drawn", "JPEG", "half", "half and JPEG"],
)
def test_what_matters_in_a_sketch_is_seen_in_98_percent(every, half, quality):
    right = wrong = 0
    for data, expected in pictures(every):
        seen = look(harmed(data, half, quality) if half or quality else data)
        assert seen.sketch
        for name, value in expected.items():
            right += getattr(seen, name) is value
            wrong += getattr(seen, name) is not value
    assert right > 100 and right / (right + wrong) >= 0.98


def test_a_thing_is_named_as_in_the_sample():
    data = load_dataset("sketches")
    sample = next(s for s in data if s.id == "er-camp-axe")
    assert [thing.name for thing in look(data.picture_path(sample).read_bytes()).things] == ["axe in a block"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sketch", "there"),
    [
        ("er-fireplace", True),
        ("nh-ivory", True),
        ("er-station-suitcase", True),
        ("nh-racing", False),
        ("ci-copier", False),
    ],
    ids=["a sleeping dog", "an elephant", "two pigeons", "a billboard", "an office"],
)
def test_an_animal_is_seen_where_there_is_one(sketch, there):
    data = load_dataset("sketches")
    sample = next(s for s in data if s.id == sketch)
    assert look(data.picture_path(sample).read_bytes()).animal is there


def test_what_is_no_sketch_is_not_made_out():
    rng = np.random.default_rng(1)
    grain = rng.integers(0, 255, (342, 512, 3), dtype=np.uint8)
    slope = np.broadcast_to(np.linspace(0, 255, 512).astype(np.uint8)[None, :, None], (342, 512, 3))
    narrow = np.zeros((400, 200, 3), np.uint8)
    narrow[100:200] = 255
    for pixels in (grain, (grain // 4 + slope // 2).astype(np.uint8), narrow):
        out = BytesIO()
        Image.fromarray(pixels).save(out, "PNG")
        assert look(out.getvalue()) == Seen(sketch=False)


def test_an_empty_picture_is_plainly_empty():
    out = BytesIO()
    Image.new("RGB", (300, 200), "#888").save(out, "PNG")
    assert look(out.getvalue()) == Seen(sketch=True)


def test_nobody_waits_for_eyes_on_the_bundled_sketches():
    data = load_dataset("sketches")
    names = {name for sample in data for name in (*sample.images, sample.counterfactual) if name}
    files = {name: data.root / name for name in names - data.patches.keys()}
    digests = {hashlib.sha256(file.read_bytes()).hexdigest() for file in files.values()}
    digests |= {data.patches[name].sha256 for name in names & data.patches.keys()}
    assert digests < sight._bundled().keys(), "make it again: python -m studio.training.seen"
    assert len(sight._bundled()) == 2 * len(digests), "each also as analyses send it"


@pytest.mark.parametrize("every", [120, pytest.param(4, marks=pytest.mark.slow)])
def test_what_is_bundled_is_what_the_eyes_see(every):
    for data, _ in pictures(every):
        bundled, seen = sight.remembered(hashlib.sha256(data).hexdigest()), sight._seen(data)
        assert replace(bundled, evidence=()) == replace(seen, evidence=())
        assert bundled.evidence == pytest.approx(seen.evidence, abs=1e-3)


@pytest.fixture
def another_process(monkeypatch, tmp_path):
    """Call it to forget what was seen, but for the notes on the disk; gives the folder of the cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sight, "_bundled", dict)

    def forget():
        monkeypatch.setattr(sight, "_remembered_pictures", {})
        return tmp_path / "mossbench"

    return forget


def test_a_sketch_is_looked_at_once_also_by_the_next_process(another_process, monkeypatch):
    data = next(pictures(1))[0]
    another_process()
    seen = look(data)
    another_process()
    monkeypatch.setattr(sight, "_seen", lambda _: pytest.fail("looked again"))
    assert look(data) == seen and seen.evidence and seen.things


@pytest.mark.slow
@pytest.mark.parametrize("note", ["", "{", "[]", '{"sketch": true}', '{"sketch": true, "things": [1], "evidence": []}'])
def test_a_spoilt_note_is_not_believed(another_process, note):
    data = next(pictures(1))[0]
    another_process()
    seen = look(data)
    (file,) = another_process().glob("seen-*/*")
    file.write_text(note)
    assert look(data) == seen


def test_where_nothing_can_be_kept_it_is_looked_at_again(another_process, monkeypatch):
    def closed(name):
        raise StorageError("closed")

    data = next(pictures(1))[0]
    another_process()
    seen = look(data)
    another_process()
    monkeypatch.setattr(sight, "cache_folder", closed)
    assert look(data) == seen


def test_a_sketch_that_several_threads_ask_about_is_looked_at_once(another_process, monkeypatch):
    looked, begun = [], threading.Barrier(6)
    another_process()
    monkeypatch.setattr(sight, "_seen", lambda picture: (looked.append(picture), Seen(sketch=True))[1])

    def ask(_):
        begun.wait()
        return look(b"one picture")

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(ask, range(6))) == [Seen(sketch=True)] * 6
    assert looked == [b"one picture"]
