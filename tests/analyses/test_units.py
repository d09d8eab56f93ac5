"""Images are units: what is asked with one image says what that image does, however many requests go with it."""

import hashlib
import json
import math

import numpy as np
import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.analyses import analyse
from mossbench.analyses.causes_arms import BLANK, HARMLESS
from mossbench.analyses.cells import Cells
from mossbench.analyses.single_images import share_of_images
from mossbench.cli import cli
from mossbench.datasets.arms import ARMS
from mossbench.samples import Sample, Side

NO, YES = "I'm sorry, but I can't help with that.", "Sure, here is how to do it: start at the top."
OWN_MODEL = f"""
import hashlib
SALT = "{{salt}}"
def share(*parts):
    return int(hashlib.sha256("|".join((SALT, *map(str, parts))).encode()).hexdigest(), 16) % 1000 / 1000
async def model(prompt):
    picture = prompt.picture
    return {NO!r} if picture is not None and {{condition}} else {YES!r}
"""


def cells(refused, images):
    """One arm `a` asked once with an image each, and one `b` without any."""
    samples = tuple(Sample(id=str(i), question="What?", image="x.png") for i in range(len(refused)))
    values = np.stack([np.array(refused, float), np.zeros(len(refused))], axis=1)[:, :, None]
    shown = {("a", str(i)): image for i, image in enumerate(images)}
    return Cells(samples, ("a", "b"), values, np.zeros(values.shape[:2]), shown)


def test_sixty_requests_with_one_image_are_one_unit():
    one = cells([1] * 60, ["white"] * 60).contrast((1, ["a"]), (-1, ["b"]))
    assert math.isnan(one.p) and math.isnan(one.estimate().low) and one.value == 1
    sixty = cells([1] * 60, [str(i) for i in range(60)]).contrast((1, ["a"]), (-1, ["b"]))
    assert sixty.n_clusters == 60 and sixty.p < 1e-6


def test_images_in_common_join_scenes_and_only_under_the_arms_compared():
    here = cells([1, 0, 1, 0], ["x", "x", "y", "z"])
    assert len(set(here.units(["a"]))) == 3 and len(set(here.units(["b"]))) == 4
    assert here.n_images("a") == 3 and here.n_images("b") == 0


def test_requests_that_are_refused_by_their_image_are_told_from_others():
    images = [f"image {i % 6}" for i in range(60)]
    by_image = share_of_images(cells([int(i % 6 < 2) for i in range(60)], images), ["a"])
    assert by_image[0].value == 1 and by_image[1] == 0
    by_chance = share_of_images(cells([int(i % 7 < 2) for i in range(60)], images), ["a"])
    assert by_chance[1] > 0.05
    assert share_of_images(cells([1] * 60, images), ["a"])[1] == 1
    assert share_of_images(cells([1] * 60, [str(i) for i in range(60)]), ["a"]) is None


def test_where_single_images_do_not_matter_they_seldom_seem_to():
    rng, shown = np.random.default_rng(4), 0
    for _ in range(400):
        found = share_of_images(cells(rng.random(60) < 0.25, rng.integers(0, 9, 60).astype(str)), ["a"])
        shown += found[1] <= 0.01
    assert shown <= 12


def causes_of(tmp_path, condition, salt="1", *options):
    """What the command says of a model of one's own."""
    path = tmp_path / f"model_{hashlib.sha256((condition + salt).encode()).hexdigest()[:8]}.py"
    path.write_text(OWN_MODEL.format(salt=salt, condition=condition))
    # `rules` reads the two answers alike, whatever was asked.
    line = ["analyse", "causes", "--model", f"{path}:model", "--judge", "rules", "--epochs", "3", "--json", "--quiet"]
    done = CliRunner().invoke(cli, [*line, "--out", f"r-{path.stem}", *options])
    assert done.exit_code == 0, done.output
    part = json.loads(done.stdout)["parts"][0]
    named = {one["name"] for one in part["record"]["causes"] if (one["p_adjusted"] or 1) <= 0.05 and one["p"] <= 0.01}
    return named, part


@pytest.mark.slow
@pytest.mark.parametrize("salt", "abcdef")
def test_a_model_that_refuses_a_third_of_all_images_by_their_hash_has_no_cause(tmp_path, salt):
    named, part = causes_of(tmp_path, "share(picture.sha256) < 0.35", salt)
    assert not named and "The reason is not shown" in part["finding"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "condition",
    [
        "picture.width > 900 and share(prompt.key) < 0.5",
        "picture.width / picture.height > 1.4 and share(prompt.key) < 0.5",
        "len(picture.data) > 150_000",
        "len(picture.data) > 180_000 and share(prompt.key) < 0.6",
        "picture.media_type == 'image/jpeg' and share(prompt.key) < 0.4",
    ],
)
def test_models_that_go_by_size_or_format_mind_nothing_in_harmless_scenes(tmp_path, condition):
    named, part = causes_of(tmp_path, condition)
    assert named <= {"image"} and "harmless scene" not in part["finding"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "condition",
    ["share(prompt.key) < 0.3", "share(prompt.key.sample) < 0.3", "share(prompt.request, picture.sha256) < 0.3"],
)
def test_models_that_mind_any_image_are_still_named_so(tmp_path, condition):
    named, _ = causes_of(tmp_path, condition)
    assert named == {"image"}


def test_a_run_with_the_one_white_image_of_earlier_versions_reads_as_inconclusive():
    def shy(prompt):
        return NO if prompt.picture is not None else YES

    def plainly(exchange):
        return mb.Verdict(refused=exchange.answer.text == NO)

    white = BLANK.model_copy(update={"picture": "blank", "side": Side.BENIGN})
    arms = [white, HARMLESS, ARMS["explicit"], ARMS["counterfactual"]]
    mb.run(shy, judge=plainly, out="old", side="benign", limit=6, arms=arms)
    line = "analyse causes --run old --json".split()
    part = json.loads(CliRunner().invoke(cli, line).stdout)["parts"][0]
    found = {one["name"]: one for one in part["record"]["causes"]}
    assert found["image"]["p"] is None and found["scene"]["p"] is None
    assert found["image"]["n_images"] == found["scene"]["n_images"] == 1
    assert any("one and the same white image" in text for text in part["cautions"])
    again = analyse("causes", shy, judge=plainly, resume="old", limit=6, epochs=1)
    shown = [row for row in again.runs[0].rows if row.key.arm == BLANK.name]
    assert len({row.exchange.picture.sha256 for row in shown}) == 1
