"""Models that refuse without looking at anything: no sentence may name a mechanism for them."""

import hashlib
import json
import re

import pytest
from click.testing import CliRunner

import mossbench as mb
from datasets.layouts import BENIGN, COLOURS, TITLES, write_json
from mossbench.analyses import analyse
from mossbench.analyses.analysis import Options
from mossbench.cli import cli
from mossbench.reports.analyses import analysis_page, section_of

NO, YES = "I'm sorry, but I can't help with that.", "Sure, here is how to do it: start at the top."
NO_HELP = "No help fixes significantly more than asking again and its control (filler, or the description alone)."
MECHANISM = re.compile(r"\bIt is\b|go wrong|seeing|overlook|judging")


async def image_shy(prompt):
    """Refuses 30 % of what has an image, by its id."""
    return NO if prompt.picture is not None and _percent(prompt.key.sample) < 30 else YES


async def very_image_shy(prompt):
    """Refuses 60 % of what has an image: enough to be seen on few sketches."""
    return NO if prompt.picture is not None and _percent(prompt.key.sample) < 60 else YES


async def coin(prompt):
    """Refuses 10 % of everything."""
    return NO if _percent(str(prompt.key)) < 10 else YES


def _percent(text):
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % 100


async def plainly(exchange):
    return mb.Verdict(refused=exchange.answer.text == NO)


def found(model, data, **options):
    analysed = analyse(["causes", "counterfactuals", "stages"], model, data, judge=plainly, out="r", **options)
    return analysed, {part.name: section_of(part) for part in analysed.parts}


@pytest.fixture
def official_layout(tmp_path):
    """Sixty scenes of our own in the published layout."""
    of_type = {kind: next(one for one in BENIGN.values() if one[0] == kind) for kind in TITLES}
    records = {str(i): of_type[1 + i // 20] for i in range(60)}
    with pytest.MonkeyPatch.context() as patch:
        for id in records:
            patch.setitem(COLOURS, id, "red")
        write_json(tmp_path / "official", records)
    return tmp_path / "official"


HALF = [sample.id for sample in mb.load_dataset("sketches") if sample.side == "benign"][::2]
QUARTER = HALF[::2]
"""Of the sketches, about as many of each stimulus. What takes long is to draw neutral images for them."""


@pytest.mark.slow
@pytest.mark.parametrize("epochs", [1, 9])
def test_a_model_that_is_wary_of_any_image_is_named_so_on_the_sketches(epochs):
    analysed, sections = found(very_image_shy, "sketches", epochs=epochs, ids=HALF)
    record = analysed.record("causes")
    assert record.shown_names == ("image",) and record.can_show_causes
    assert {cause.share.value for cause in record.causes if cause.name != "image"} == {0}
    assert re.search(r"Refusals rise by [\d.]+ .* points when a neutral image is added", sections["causes"].finding)
    assert {table.interaction.value for table in analysed.record("counterfactuals").tables} == {0}
    assert sections["stages"].finding.endswith(NO_HELP)
    assert not [one for one in sections.values() if MECHANISM.search(one.finding)]


@pytest.mark.slow
@pytest.mark.parametrize("model", [image_shy, coin])
def test_data_in_the_official_layout_tell_no_cause_and_no_stage(model, official_layout):
    says_nothing_of_mechanisms(model, official_layout)


@pytest.mark.slow
@pytest.mark.parametrize("model", [image_shy, coin])
def test_the_official_data_tell_no_cause_and_no_stage(model, shared):
    data = shared / "mossbench-data"
    ids = [sample.id for sample in mb.load_dataset(data) if sample.side == "benign"]
    says_nothing_of_mechanisms(model, data, ids=ids[::4])


def says_nothing_of_mechanisms(model, data, ids=()):
    analysed, sections = found(model, data, epochs=1, ids=ids)
    assert not [one for one in sections.values() if MECHANISM.search(one.finding)]
    assert sections["causes"].finding.startswith("These answers do not show what in the image or the words it refuses")
    rows = {(row[0], row[1]): row for row in sections["causes"].tables[-1].rows}
    assert ("no image", "All") in rows and ("no image", "Negated Harm") in rows
    assert set(analysed.record("causes").shown_names) == ({"image", "left-out"} if model is image_shy else set())
    assert ("when the image is left out" in sections["causes"].finding) is (model is image_shy)
    assert "is undecided: that needs the same with their goals in plain words" in sections["stages"].finding
    record = analysed.record("stages")
    net = record.nets[-1]
    assert net.left["plain"].n and net.left["described"].n and not net.steps and not record.claims
    assert all(low <= high for low, high in net.bounds.values()) and net.bounds["goal"][0] == 0
    assert sections["stages"].tables[0].title == "What can take refusals away, points"


@pytest.mark.slow
def test_boxes_painted_over_tell_no_cause(official_layout, tmp_path):
    boxes = tmp_path / "boxes.csv"
    boxes.write_text("id,left,top,right,bottom\n" + "".join(f"{i},1,1,5,5\n" for i in range(60)))

    async def wary_of_whole_images(prompt):
        return NO if prompt.key.arm == "plain" else YES

    analysed, sections = found(wary_of_whole_images, official_layout, epochs=1, options=Options(boxes=boxes))
    assert analysed.record("counterfactuals").effect("filled").difference.value == -1
    assert sections["causes"].finding.startswith("These answers do not show what in the image or the words it refuses")


@pytest.mark.slow
def test_a_coin_is_not_fixed_by_help():
    _, sections = found(coin, "sketches", epochs=1, ids=QUARTER)
    assert "refused again in new epochs: " in sections["stages"].finding
    assert sections["stages"].finding.endswith(NO_HELP)


@pytest.mark.slow
def test_help_that_fixes_more_than_asking_again_is_found():
    async def needs_words(prompt):
        return YES if prompt.key.arm in ("described", "described-intent") else NO

    _, sections = found(needs_words, "sketches", epochs=1, limit=20)
    assert "Shown: a correct description fixes +100.0" in sections["stages"].finding
    assert "the goal" not in sections["stages"].finding.partition("Shown")[2]


@pytest.mark.slow
def test_filler_that_fixes_as_much_as_a_description_leaves_it_unshown():
    async def calmed_by_any_words(prompt):
        return YES if prompt.request.startswith("What the picture shows") else NO

    _, sections = found(calmed_by_any_words, "sketches", epochs=1, limit=20)
    assert sections["stages"].finding.endswith(NO_HELP)


def test_without_asking_again_no_help_is_credited():
    from mossbench.analyses.stages import Refusal, Stages, groups_of
    from mossbench.reports.analyses import stages
    from mossbench.samples import Stimulus

    refusals = tuple(Refusal(str(i), Stimulus.NEGATED_HARM, None, False, False, None) for i in range(20))
    finding = stages.section(Stages(refusals, 20, 90, groups_of(refusals, None))).finding
    assert "is undecided: that needs the refused requests asked again as they are" in finding


@pytest.mark.slow
def test_the_terminal_and_its_json_say_what_the_page_warns_of():
    line = "analyse causes counterfactuals --model control/jumpy --limit 3 --epochs 1 --quiet --out r"
    printed = " ".join(CliRunner().invoke(cli, line.split()).output.split())
    again = CliRunner().invoke(cli, "analyse causes counterfactuals --run r --json".split())
    parts = json.loads(again.stdout)["parts"]
    analysed = mb.analyse(["causes", "counterfactuals"], "control/jumpy", limit=3, epochs=1, out="other")
    page = " ".join(analysis_page(analysed).split())
    assert [part["finding"] for part in parts] == [section_of(part).finding for part in analysed.parts]
    cautions = [text for part in parts for text in part["cautions"]]
    assert len(cautions) >= 2 and cautions == [text for part in analysed.parts for text in section_of(part).cautions]
    assert all(text in printed and text[:40] in page for text in cautions)
