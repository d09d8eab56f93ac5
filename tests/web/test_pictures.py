"""Pictures of samples are those that a model was shown, and come quickly."""

from io import BytesIO

import pytest
from PIL import Image

import mossbench as mb
from html_pages import element, elements
from mossbench.images.preparing import thumbnail
from mossbench.web import Settings, create_app
from mossbench.web import pictures as served
from pictures import png
from small_set import small_set
from web.conftest import Browser, item_of, start


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """A run that showed two sketches without their triggers, and one that showed them as they are."""
    root = tmp_path_factory.mktemp("bare")
    mb.run("control/stonewall", "sketches", arm="counterfactual", limit=2, out=root / "without")
    mb.run("control/stonewall", "sketches", limit=2, out=root / "with")
    return Browser(create_app(Settings(root)))


def picture_of(browser, address):
    picture = browser.get(address)
    assert picture.headers["content-type"] == "image/webp"
    return Image.open(BytesIO(picture.content)).convert("RGB")


@pytest.mark.slow
def test_an_answer_stands_beside_the_picture_that_was_shown(bare):
    page = bare.get("/explorer").text
    shown = [image["src"] for image in elements(page, "img[src^=/picture]")]
    own, without = (next(a for a in shown if ("shown=counterfactual" in a) is cf) for cf in (False, True))
    assert "control/stonewall (counterfactual)" in page and "without its trigger" in page
    dataset = mb.load_dataset("sketches")
    sample = dataset.samples[0]
    width, height = Image.open(BytesIO(dataset.picture(sample))).size
    region, scale = sample.triggers[0], 480 / max(width, height)
    box = [round(scale * edge) for edge in (region.left, region.top, region.right, region.bottom)]
    both = [picture_of(bare, a.replace("size=1024", "size=480")) for a in (own, without)]
    inside = [picture.crop(box).tobytes() for picture in both]
    assert inside[0] != inside[1]
    report = bare.get("/runs/without").text
    assert "shown=counterfactual" in report and sample.short_description not in report
    assert "shown=counterfactual" not in bare.get("/runs/with").text


@pytest.mark.slow
def test_who_labels_an_answer_sees_the_picture_that_was_shown(bare):
    start(bare, n=1, double=0, runs=["without"])
    item = item_of(bare.get("/annotate").text)
    body = bare.http.app.state.desks.annotate.store.item(item).body
    shown = picture_of(bare, f"/annotate/picture/{item}")
    dataset = mb.load_dataset("sketches")
    sample = dataset.sample(body["side"], body["sample"])
    wanted = Image.open(BytesIO(thumbnail(dataset.counterfactual_path(sample).read_bytes(), 1024)))
    assert shown.tobytes() == wanted.convert("RGB").tobytes()
    assert sample.short_description not in bare.get("/annotate").text


def test_pictures_that_ship_as_patches_are_made_small_once(bare):
    dataset = mb.load_dataset("sketches")
    patched = next(s for s in dataset.samples if s.image in dataset.patches)
    query = f"/picture?data={dataset.key}&side={patched.side}&id={patched.id}&size=240"
    assert picture_of(bare, query).size == (240, 160)
    made = served.cached_thumbnail.cache_info().misses
    for _ in range(3):
        bare.get(query)
    assert served.cached_thumbnail.cache_info().misses == made


def test_an_image_edited_while_the_app_serves_is_not_shown_under_its_old_hash(tmp_path):
    folder = small_set(tmp_path / "own")
    browser = Browser(create_app(Settings(tmp_path / "runs", data=(str(folder),))))
    (tmp_path / "runs").mkdir()
    key = mb.load_dataset(folder).key
    here, other = (f"/explorer?data={key}&id={id}" for id in "12")
    address = element(browser.get(here).text, "img[src^=/picture]")["src"]
    samples = f"/samples?data={key}&side=benign"
    assert browser.get(address).status_code == 200 and "not shown" not in browser.get(samples).text
    whole = (folder / "images" / "1.png").read_bytes()
    (folder / "images" / "1.png").write_bytes(png("#ffffff"))
    found = browser.get(address, headers={"accept": "application/json"})
    assert found.status_code == 404 and "has changed since it was hashed" in found.text
    for page, n in ((here, 1), (other, 0), (samples, 1)):
        said = browser.get(page).text
        assert (
            said.count("its file is missing or has changed since") == n and said.count(f"<code>{key}</code> was") == n
        )
    (folder / "images" / "1.png").unlink()
    assert "its file is missing" in browser.get(here).text
    (folder / "images" / "1.png").write_bytes(whole)
    assert browser.get(address).status_code == 200 and "its file is missing" not in browser.get(here).text
