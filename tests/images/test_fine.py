"""Images that are fine as they are: decoded once, also for later processes, and never taken for fine by mistake."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from mossbench.errors import ImageError, StorageError
from mossbench.images import fine
from mossbench.images.fine import prepared
from mossbench.images.limits import DEFAULT_LIMITS, Limits
from mossbench.images.preparing import prepare


def image(kind="PNG", size=(60, 40), **how):
    out = BytesIO()
    Image.linear_gradient("L").resize(size).convert("RGB").save(out, kind, **how)
    return out.getvalue()


@pytest.fixture
def decoded(monkeypatch, tmp_path):
    """How many images were decoded; call it to begin another process, with the cache of this one."""
    found = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))  # no other test's images are known
    monkeypatch.setattr(fine, "prepare", lambda *args: (found.append(args), prepare(*args))[1])

    def another_process():
        fine._read_cache.cache_clear()
        n, found[:] = len(found), []
        return n

    another_process()
    return another_process


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_an_image_that_can_be_sent_as_it_is_is_decoded_once_for_all_processes(decoded, kind):
    data = image(kind)
    assert prepared(data, DEFAULT_LIMITS) == prepared(data, DEFAULT_LIMITS) == prepare(data, DEFAULT_LIMITS)
    assert decoded() == 1
    assert prepared(data, DEFAULT_LIMITS) == prepare(data, DEFAULT_LIMITS)
    assert decoded() == 0


@pytest.mark.parametrize(
    "limits",
    [
        Limits(max_side=30),
        replace(DEFAULT_LIMITS, max_bytes=10**6),
        Limits(formats=frozenset({"image/jpeg"})),
        DEFAULT_LIMITS.with_one_format(),
    ],
)
def test_what_is_fine_for_one_model_is_not_taken_to_be_so_for_another(decoded, limits):
    data = image()
    prepared(data, DEFAULT_LIMITS)
    decoded()
    assert prepared(data, limits) == prepare(data, limits)
    assert decoded() == 1


def test_an_image_that_is_changed_before_it_is_sent_is_changed_each_time(decoded):
    data = image("JPEG", comment=b"taken at home")
    for _ in range(2):
        assert (
            prepared(data, DEFAULT_LIMITS) == prepare(data, DEFAULT_LIMITS)
            and b"home" not in prepared(data, DEFAULT_LIMITS).data
        )
        assert decoded() == 2


def test_a_damaged_image_is_refused_each_time(decoded):
    for _ in range(2):
        with pytest.raises(ImageError):
            prepared(image()[:-40], DEFAULT_LIMITS)
        assert decoded() == 1


@pytest.mark.parametrize("cut", [b" 4", b"\n", b"0\n"])
def test_a_line_that_was_cut_off_is_not_believed(decoded, cut, monkeypatch, tmp_path):
    monkeypatch.setattr(fine, "cache_folder", lambda _: tmp_path)
    data = image()
    prepared(data, DEFAULT_LIMITS)
    (file,) = tmp_path.glob("fine-*")
    file.write_bytes(file.read_bytes().partition(cut)[0])
    decoded()
    assert prepared(data, DEFAULT_LIMITS).height == 40
    assert decoded() == 1


@pytest.mark.parametrize("rubbish", [b"\xff\xfe\x00", b"a b image/png x y\n", b"a b c d e"])
def test_rubbish_among_the_notes_costs_no_other_note(decoded, rubbish, monkeypatch, tmp_path):
    monkeypatch.setattr(fine, "cache_folder", lambda _: tmp_path)
    prepared(image(), DEFAULT_LIMITS)
    (file,) = tmp_path.glob("fine-*")
    file.write_bytes(file.read_bytes() + rubbish)
    decoded()
    assert prepared(image(), DEFAULT_LIMITS) == prepare(image(), DEFAULT_LIMITS)
    assert decoded() == 0


def test_where_nothing_can_be_kept_images_are_made_ready_all_the_same(decoded, monkeypatch, tmp_path):
    def closed(name):
        raise StorageError("closed")

    monkeypatch.setattr(fine, "cache_folder", closed)
    assert prepared(image(), DEFAULT_LIMITS) == prepare(image(), DEFAULT_LIMITS)
    monkeypatch.setattr(fine, "cache_folder", lambda _: tmp_path / "nowhere")
    assert prepared(image(), DEFAULT_LIMITS) == prepare(image(), DEFAULT_LIMITS)


def test_notes_of_very_many_images_begin_again(decoded, monkeypatch, tmp_path):
    monkeypatch.setattr(fine, "cache_folder", lambda _: tmp_path)
    prepared(image(), DEFAULT_LIMITS)
    monkeypatch.setattr(fine, "_MOST_BYTES", 10)
    decoded()
    prepared(image(), DEFAULT_LIMITS)
    assert decoded() == 1
