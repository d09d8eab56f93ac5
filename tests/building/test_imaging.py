"""Images of candidates: own photos, an images endpoint, diffusers, stand-ins; recipes, marks and what goes wrong."""

from __future__ import annotations

import base64
import csv
import io
import sys
from types import SimpleNamespace

import pytest
from PIL import Image

from building.candidate import candidate
from mossbench.building.candidate_states import standings
from mossbench.building.candidates import Screened
from mossbench.building.folder import BuildFolder
from mossbench.building.imaging import MAX_SIDE, make_images, pixel_hash, recipes
from mossbench.building.overlays import overlaid, parse_overlay
from mossbench.building.sources import model_source, photo_source, stand_in_source, write_photo_sheet
from mossbench.datasets import load_dataset
from mossbench.errors import DataError, MissingExtra, UsageError
from mossbench.models.drawing import load_image_model
from pictures import png
from servers.loopback import serve

ER, NH, CI = (candidate(name) for name in ("exaggerated_risk", "negated_harm", "counterintuitive"))


@pytest.fixture
def folder(tmp_path):
    folder = BuildFolder(tmp_path / "set")
    folder.start()
    folder.append("candidates", [ER, NH, CI])
    return folder


def opened(path):
    with Image.open(path) as image:
        image.load()
    return image


def photo(path, size=(640, 480), colour="#789"):
    """A JPEG that says where it was taken and is to be turned."""
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "my garden"  # turned by a quarter; a description
    Image.new("RGB", size, colour).save(path, "JPEG", exif=exif)


def filled(folder, photos, **changes):
    """photos.csv as somebody filled it in, and the photos."""
    photos.mkdir()
    path = write_photo_sheet(photos, folder.candidates().values())
    rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"))))
    for number, row in enumerate(rows):
        photo(photos / f"{number}.jpg", colour=f"#7{number}9")
        row |= {"file": f"{number}.jpg", "licence": "CC0-1.0", "source": "taken by me", "people": "no"} | changes
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_photos_lose_their_metadata_and_keep_licence_and_source(folder, tmp_path):
    filled(folder, tmp_path / "photos", people="yes")
    found = make_images(folder, photo_source(tmp_path / "photos"))
    assert found.made == (ER.id, NH.id, CI.id) and not found.failed
    image = opened(folder.image_path(ER.id))
    assert image.size == (480, 640) and not image.getexif() and not image.info  # upright, and nothing but pixels
    recipe = recipes(folder)[ER.id, ""]
    assert (recipe.licence, recipe.people, recipe.removed) == ("CC0-1.0", True, ("EXIF",))
    assert recipe.origin == "0.jpg: taken by me" and recipe.pixels == pixel_hash(image)
    assert {one.state for one in standings(folder)} == {"imaged"}


@pytest.mark.slow
def test_the_twin_shows_the_photo_and_the_candidate_the_marked_one(folder, tmp_path):
    filled(folder, tmp_path / "photos")
    make_images(folder, photo_source(tmp_path / "photos"))
    twin, marked = opened(folder.image_path(NH.id, "contrast")), opened(folder.image_path(NH.id))
    assert twin.size == marked.size and pixel_hash(twin) != pixel_hash(marked)
    recipe = recipes(folder)[NH.id, ""]
    assert [mark.kind for mark in recipe.marks] == ["ring"] and recipe.marks[0].box
    drawn_again, _ = overlaid(twin, recipe.marks)
    assert pixel_hash(drawn_again) == pixel_hash(marked) == recipe.pixels


@pytest.mark.slow
def test_large_photos_are_shrunk(folder):
    def source(one, variant, scene):
        from mossbench.building.imaging import Sourced

        return Sourced(data=png(size=(4000, 1000)), source="photo", origin="x", licence="CC0-1.0")

    make_images(folder, source, ids=[CI.id])
    assert opened(folder.image_path(CI.id)).size == (MAX_SIDE, MAX_SIDE // 4)


def test_a_photo_sheet_is_not_written_over(folder, tmp_path):
    filled(folder, tmp_path / "photos")
    with pytest.raises(UsageError, match="already exists"):
        write_photo_sheet(tmp_path / "photos", [ER])


@pytest.mark.parametrize(
    "change, said",
    [
        ({"people": ""}, "line 2: people is ''; look at the photo and enter yes or no"),
        ({"licence": ""}, "line 2: licence is empty"),
        ({"source": " "}, "line 2: source is empty"),
        ({"file": "none.jpg"}, "line 2: no file 'none.jpg'"),
        ({"variant": "other"}, "line 2: variant is 'other'"),
        ({"candidate": ER.id, "variant": ""}, "line 3: a second photo"),
    ],
)
def test_every_fault_of_a_photo_sheet_is_listed_and_nothing_is_read(folder, tmp_path, change, said):
    filled(folder, tmp_path / "photos", **change)
    with pytest.raises(DataError, match=said) as error:
        photo_source(tmp_path / "photos")
    assert "nothing was imported" in str(error.value)


def test_lines_without_a_file_wait_and_a_file_that_is_no_photo_fails_alone(folder, tmp_path):
    path = filled(folder, tmp_path / "photos")
    path.write_text(path.read_text().replace("0.jpg", "").replace("1.jpg", "photos.csv"))
    found = make_images(folder, photo_source(tmp_path / "photos"))
    assert found.made == (CI.id,) and found.without == (ER.id,)
    assert "not an image" in found.failed[NH.id] and found.failed[NH.id].startswith("photos.csv: ")
    assert not folder.image_path(NH.id).exists() and (NH.id, "") not in recipes(folder)


@pytest.mark.slow
def test_images_are_made_once_and_replaced_ones_are_kept(folder):
    source = stand_in_source(load_dataset("sketches"))
    make_images(folder, source, ids=[NH.id])
    before = folder.image_path(NH.id).read_bytes()
    assert make_images(folder, source, ids=[NH.id]).made == ()
    make_images(folder, source, ids=[NH.id], again=True, mark=parse_overlay("stamp:NEVER"))
    assert folder.image_path(NH.id).read_bytes() != before
    assert recipes(folder)[NH.id, ""].marks[0].kind == "stamp"
    assert before in [file.read_bytes() for file in (folder.path / "images" / "replaced").iterdir()]
    with pytest.raises(UsageError, match="no candidate 'er-none'"):
        make_images(folder, source, ids=["er-none"])


@pytest.mark.slow
def test_stand_ins_are_of_the_same_stimulus_and_bring_their_counterfactual(folder):
    dataset = load_dataset("sketches")
    found = make_images(folder, stand_in_source(dataset))
    assert found.made == (ER.id, NH.id, CI.id)
    for one in (ER, NH, CI):
        recipe = recipes(folder)[one.id, ""]
        assert recipe.source == "stand-in" and recipe.licence == dataset.licence
        assert recipe.origin.startswith(f"sketches:{one.id[:2]}-")
        assert folder.image_path(one.id, "counterfactual").exists()


def test_the_stand_in_is_the_least_used_image_whose_description_is_nearest():
    dataset = load_dataset("sketches")
    sample = next(one for one in reversed(dataset.samples) if one.stimulus is ER.stimulus and one.side == "benign")
    described = candidate(scene=f"{sample.description} {sample.short_description}")
    nearest = stand_in_source(dataset)(described, "", described.scene)
    assert nearest.origin == f"sketches:{sample.id}"
    other = stand_in_source(dataset, taken=[sample.id])(described, "", described.scene)
    assert other.origin != nearest.origin


def drawn(body, headers):
    if "litter" in body["prompt"]:
        return 400, {"error": {"message": "Your request was rejected by the safety system.", "code": "moderation"}}
    return 200, {"created": 1, "data": [{"b64_json": base64.b64encode(png(size=(512, 512))).decode()}]}


def test_an_endpoint_draws_and_what_it_refuses_is_named(folder):
    with serve(drawn) as (url, requests):
        model = load_image_model("openai/painter", base_url=url)
        found = make_images(folder, model_source(model, 0), at_once=model.max_at_once)
    assert found.made == (ER.id, CI.id)
    assert "rejected by the safety system" in found.failed[NH.id]
    path, _, body = requests[0]
    assert path == "/v1/images/generations" and body["model"] == "painter" and body["size"] == "1024x1024"
    recipe = recipes(folder)[CI.id, ""]
    assert recipe.source == "endpoint" and recipe.prompt.endswith(CI.scene) and url in recipe.origin


def test_an_endpoint_that_knows_no_response_format_is_asked_without_it(folder):
    def reply(body, headers):
        if "response_format" in body:
            return 400, {"error": {"message": "Unknown parameter: 'response_format'.", "code": "unknown_parameter"}}
        return drawn(body, headers)

    with serve(reply) as (url, requests):
        assert load_image_model("openai/new", base_url=url).draw("a tree", 0)
    assert len(requests) == 2


@pytest.mark.parametrize(
    "content, said",
    [
        ({"data": [{"url": "http://127.0.0.1/x.png"}]}, "an address instead of an image"),
        ({"data": []}, "no image"),
        ({"data": [{"b64_json": "%%%"}]}, "not valid base64"),
    ],
)
def test_a_reply_without_an_image_fails_its_candidate(folder, content, said):
    with serve(lambda body, headers: (200, content)) as (url, _):
        source = model_source(load_image_model("openai/odd", base_url=url), 0)
        assert said in make_images(folder, source, ids=[ER.id]).failed[ER.id]


@pytest.mark.parametrize("name", ["painter", "opnai/painter", "openai/"])
def test_an_unknown_image_model_is_named(name):
    with pytest.raises(UsageError, match="no image model named"):
        load_image_model(name)


def test_diffusers_are_asked_with_the_seed(monkeypatch, folder):
    with pytest.raises(MissingExtra, match=r"\[diffusers\]"):
        load_image_model("diffusers/tiny")
    seeds = []

    class Pipeline:
        @classmethod
        def from_pretrained(cls, name, torch_dtype):
            if name == "none":
                raise OSError("no such model")
            return cls()

        def to(self, device):
            return self

        def __call__(self, prompt, width, height, generator):
            seeds.append(generator)
            return SimpleNamespace(images=[Image.new("RGB", (width, height))])

    torch = SimpleNamespace(
        cuda=SimpleNamespace(is_available=lambda: False),
        float32=1,
        Generator=lambda device: SimpleNamespace(manual_seed=lambda seed: seed),
    )
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "diffusers", SimpleNamespace(AutoPipelineForText2Image=Pipeline))
    model = load_image_model("diffusers/tiny", size="320x240")
    make_images(folder, model_source(model, 7), ids=[CI.id])
    assert seeds == [7, 7] and opened(folder.image_path(CI.id)).size == (320, 240)
    assert recipes(folder)[CI.id, ""].source == "diffusers"
    with pytest.raises(Exception, match="diffusers/none cannot be loaded: no such model"):
        load_image_model("diffusers/none")


def test_a_candidate_that_its_image_kept_from_review_gets_another_when_it_is_named(folder, tmp_path):
    filled(folder, tmp_path / "photos")
    source = photo_source(tmp_path / "photos")
    make_images(folder, source, ids=[ER.id])
    folder.append("screen", [Screened(candidate=ER.id, digest=folder.digest(ER), errors=("too small",))])
    assert make_images(folder, source, again=True).made == (NH.id, CI.id)
    photo(tmp_path / "photos" / "0.jpg", (900, 700))
    assert make_images(folder, photo_source(tmp_path / "photos"), ids=[ER.id], again=True).made == (ER.id,)
    assert next(one.state.value for one in standings(folder)) == "imaged"


def test_who_stops_keeps_what_was_made(folder, tmp_path):
    filled(folder, tmp_path / "photos")
    photos = photo_source(tmp_path / "photos")

    def source(one, variant, scene):
        if one == CI:
            raise KeyboardInterrupt
        return photos(one, variant, scene)

    with pytest.raises(KeyboardInterrupt):
        make_images(folder, source)
    assert [one.state.value for one in standings(folder)] == ["imaged", "imaged", "proposed"]
    assert make_images(folder, photos).made == (CI.id,)
