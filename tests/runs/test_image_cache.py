"""Images on their way to a model: made ready once, kept within bounds, and by nobody but the run."""

import hashlib
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import mossbench as mb
from mossbench.datasets import load_dataset
from mossbench.datasets.arms import ARMS, Arm
from mossbench.images.preparing import Picture
from mossbench.runs import executing, image_cache
from mossbench.runs.image_cache import ImageCache
from pictures import png
from small_set import small_set


def picture(n_bytes):
    return Picture(data=b"x" * n_bytes, media_type="image/png", width=1, height=1)


def test_what_was_used_longest_ago_makes_room():
    cache = ImageCache(room=10)
    for name in "abc":
        cache.keep(name, picture(3))
    cache.keep("a", cache.get("a"))
    cache.keep("d", picture(4))
    assert [name for name in "abcd" if cache.get(name)] == ["a", "c", "d"]


def test_an_image_that_is_kept_twice_takes_room_once():
    cache = ImageCache(room=10)
    for _ in range(5):
        cache.keep("a", picture(6))
    cache.keep("b", picture(4))
    assert cache.get("a") and cache.get("b")


def test_an_image_larger_than_all_the_room_is_not_kept():
    cache = ImageCache(room=10)
    cache.keep("a", picture(11))
    assert cache.get("a") is None
    cache.keep("b", picture(10))
    assert cache.get("b")


def test_runs_in_several_threads_can_share_a_cache():
    cache, every = ImageCache(room=100), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(6) as threads:
            list(threads.map(lambda i: [cache.keep(n * i % 41, picture(1 + n % 19)) for n in range(4000)], range(1, 7)))
    finally:
        sys.setswitchinterval(every)
    kept = [one for n in range(41) if (one := cache.get(n))]
    assert 0 < sum(len(one.data) for one in kept) == cache._n_bytes <= 100


@pytest.fixture
def prepared(monkeypatch):
    """How many images were made ready."""
    found, make = [], image_cache.prepared
    monkeypatch.setattr(image_cache, "prepared", lambda *args: (found.append(args), make(*args))[1])
    return found


def test_a_run_keeps_no_image_for_the_next(prepared, tmp_path):
    small = small_set(tmp_path / "small")
    for n, name in enumerate(("a", "b"), 1):
        mb.run(lambda prompt: "Here you are.", small, out=tmp_path / name)
        assert len(prepared) == 6 * n  # also of twins that are asked at the same moment


def test_runs_that_are_given_one_cache_share_their_images(prepared, tmp_path):
    small, images = small_set(tmp_path / "small"), ImageCache()
    mb.run(lambda prompt: "Here you are.", small, out=tmp_path / "a", images=images)
    n = len(prepared)
    mb.run(lambda prompt: "There you are.", small, out=tmp_path / "b", images=images)
    assert len(prepared) == n


def test_arms_that_show_one_image_at_the_same_moment_have_it_made_once(prepared, tmp_path):
    small = small_set(tmp_path / "small")
    arms = [ARMS["plain"], *(Arm(name=f"framed-{n}", frame=f"{n}: {{request}}") for n in range(8))]
    found = mb.run(lambda prompt: "Here you are.", small, out=tmp_path / "a", arms=arms)
    assert len({row.key.arm for row in found.rows}) == 9
    assert len(prepared) == 6


def test_an_image_that_cannot_be_read_fails_every_row_that_waits_for_it(tmp_path):
    small = small_set(tmp_path / "small")
    (small / "images" / "1.png").write_bytes(b"no image")
    arms = [ARMS["plain"], Arm(name="framed", frame="Please: {request}")]
    found = mb.run(lambda prompt: "Here you are.", small, out=tmp_path / "a", arms=arms)
    lost = {row.key.arm for row in found.rows if row.exchange.answer.error}
    assert lost == {"plain", "framed"}


def test_a_second_model_decodes_nothing_and_needs_no_thread(prepared, tmp_path, monkeypatch):
    small, images = load_dataset(small_set(tmp_path / "small")), ImageCache()
    mb.run("control/candid", small, out=tmp_path / "a", images=images)
    n = len(prepared)
    monkeypatch.setattr(image_cache.asyncio, "to_thread", lambda *_: pytest.fail("a thread for what is there"))
    results = mb.run("control/stonewall", small, out=tmp_path / "b", images=images)
    assert len(prepared) == n and not results.failures()


def test_an_image_that_was_written_again_is_made_ready_again(prepared, tmp_path):
    small, images = load_dataset(small_set(tmp_path / "small")), ImageCache()
    mb.run("control/candid", small, out=tmp_path / "a", images=images)
    n = len(prepared)
    file = small.picture_path(next(iter(small)))
    os.utime(file, ns=(1, 1))
    mb.run("control/stonewall", small, out=tmp_path / "b", images=images)
    assert n < len(prepared) <= n + 2


def test_a_run_whose_rows_were_judged_as_they_came_reads_no_answer_again(tmp_path, monkeypatch):
    small = small_set(tmp_path / "small")
    monkeypatch.setattr(executing, "judge_all", lambda *_, **__: pytest.fail("judged again"))
    assert len(mb.run("control/candid", small, out=tmp_path / "a")) == 12


def replaced(file, colour):
    """Another image of the same size, written at the same time."""
    before = file.stat()
    file.write_bytes(png(colour))
    assert file.stat().st_size == before.st_size
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_an_image_replaced_by_one_of_the_same_size_and_time_is_sent_as_it_is_now(tmp_path):
    small, images, file = small_set(tmp_path / "small"), ImageCache(), tmp_path / "small" / "images" / "1.png"
    found = []
    for out, colour in (("a", "#101010"), ("b", "#909090")):
        replaced(file, colour)
        rows = mb.run("control/candid", small, ids=["1"], out=tmp_path / out, images=images).rows
        found.append({row.exchange.picture.sha256 for row in rows} == {hashlib.sha256(file.read_bytes()).hexdigest()})
    assert found == [True, True]


def test_a_dataset_whose_images_changed_between_runs_has_another_hash(tmp_path):
    small = load_dataset(small_set(tmp_path / "small"))
    first = mb.run("control/candid", small, out=tmp_path / "a").info.dataset.hashes
    assert mb.run("control/candid", small, out=tmp_path / "b").info.dataset.hashes == first
    replaced(tmp_path / "small" / "images" / "1.png", "#909090")
    now = mb.run("control/candid", small, out=tmp_path / "c").info.dataset.hashes
    assert now == load_dataset(tmp_path / "small").hashes != first
