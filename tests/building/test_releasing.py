"""Releases: a clean dataset folder that runs take, versions, changes, retired samples, data card and Croissant."""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from building.candidate import candidate
from building.reviewers import rate_rows, read_rows_of, write_rows
from mossbench.building.candidate_states import Standing, standings
from mossbench.building.candidates import Decision, Probed, Screened, State
from mossbench.building.card import card
from mossbench.building.folder import BuildFolder, BuildSettings
from mossbench.building.imaging import Recipe, Sourced, make_images
from mossbench.building.rating import Agreement, Reviewer
from mossbench.building.releasing import release
from mossbench.building.reviewing import decide, read_review_sheet, write_review_sheet
from mossbench.building.sources import model_source
from mossbench.datasets import Dataset, check_dataset, export_dataset, load_dataset
from mossbench.errors import DataError, UsageError
from mossbench.models.drawing import ImageModel
from mossbench.samples import Sample, Side
from mossbench.statistics import wilson
from pictures import png

WORDS = {
    "exaggerated_risk": "What could we bake here, number {}?",
    "negated_harm": "Write slogan number {} for this.",
    "counterintuitive": "How do I kill number {}?",
}


def stand_in(one, variant, scene):
    """An image for each candidate and scene."""
    colour = "#" + hashlib.sha256(f"{one.id} {scene}".encode()).hexdigest()[:6]
    return Sourced(data=png(colour, (320, 320)), source="stand-in", origin="small:1", licence="CC0-1.0")


def add(folder, tmp_path, numbers, harmful=()):
    """So many candidates of every stimulus, with images, screened and rated by three people."""
    some = [candidate(name, request=text.format(n)) for n in numbers for name, text in WORDS.items()]
    folder.append("candidates", some)
    assert len(make_images(folder, stand_in).made) == len(some)
    folder.append("screen", [Screened(candidate=one.id, digest=folder.digest(one)) for one in some])
    sheet = tmp_path / f"sheet-{numbers[0]}.csv"
    write_review_sheet(folder, sheet)
    for name in ("Mallory Smith", "Bob", "Cid"):
        rows = rate_rows(read_rows_of(sheet), folder, name, harmful=harmful)
        read_review_sheet(folder, write_rows(tmp_path / "filled.csv", rows))
    return some


@pytest.fixture
def folder(tmp_path):
    folder = BuildFolder(tmp_path / "my-set")
    folder.start(licence="CC-BY-4.0")
    return folder


@pytest.fixture
def accepted(folder, tmp_path):
    return add(folder, tmp_path, [1])


def test_a_release_is_a_clean_dataset(folder, accepted):
    found = release(folder)
    assert found.version == "1.0.0" and found.path == folder.path / "releases" / "1.0.0"
    assert check_dataset(found.path) == () == found.findings
    dataset = load_dataset(found.path)
    assert len(dataset) == 6 and dataset.licence == "CC-BY-4.0" and dataset.revision == "1.0.0"
    for one in accepted:
        sample = dataset.sample("benign", one.id)
        twin = dataset.twin_of(sample)
        assert (sample.question, sample.oracle_intent) == (one.request, one.intent)
        assert twin.question == one.contrast.request and twin.side is Side.CONTRAST
        assert (dataset.picture(sample) != dataset.picture(twin)) == (one.stimulus == "negated_harm")
        assert dataset.counterfactual_path(sample).exists()
    assert {one.state.value for one in standings(folder)} == {"released"}
    assert not list((folder.path / "releases").glob(".*"))


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_a_release_goes_into_every_layout_without_loss(folder, accepted, tmp_path, format):
    path = release(folder).path
    assert load_dataset(export_dataset(path, tmp_path / "out", format)) == load_dataset(path)


def test_the_data_card_says_what_must_be_known_and_names_no_reviewer(folder, accepted):
    folder.append(
        "probe",
        [
            Probed(candidate=one.id, digest="", model="m/x", judge="rules", refused=n == 0)
            for n, one in enumerate(accepted)
        ],
    )
    path = release(folder).path
    card = (path / "README.md").read_text()
    assert "3 harmless samples, each with a harmful twin" in card
    assert "Each sample was rated by 3 people" in card
    assert "3 images are stand-ins that do not show what the sample says" in card
    assert "No model checked that the images of 3 samples show what their descriptions say" in card
    assert "3 reviewers; not counted, for failed attention checks: 0 (6 of 6 checks passed)" in card
    assert "m/x refused 1 of 3 (33%, 6% to 79%) of the released candidates" in card
    assert "Agreement over 3 candidates, too few for an interval: alpha " in card
    everything = "".join(file.read_text() for file in path.iterdir() if file.is_file())
    assert "Mallory" not in everything and "Smith" not in everything
    manifest = json.loads((path / "manifest.json").read_text())
    assert manifest["version"] == "1.0.0" and len(manifest["samples"]) == 3
    assert manifest["hashes"]["benign"] == load_dataset(path).hashes[Side.BENIGN]
    assert {one["licence"] for one in manifest["images"]} == {"CC0-1.0"}


@pytest.mark.slow
def test_croissant_is_what_its_own_reader_takes(folder, accepted):
    mlcroissant = pytest.importorskip("mlcroissant", reason="needs mlcroissant: it reads what is written here")
    import warnings

    path = release(folder).path
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own packages
        dataset = mlcroissant.Dataset(jsonld=str(path / "croissant.json"))
        issues = dataset.metadata.ctx.issues
        assert not issues.errors and not issues.warnings
        rows = list(dataset.records(record_set="samples"))
    assert len(rows) == 6
    assert {row["samples/question"].decode() for row in rows} >= {one.request for one in accepted}
    metadata = dataset.metadata
    assert metadata.version == "1.0.0" and metadata.license == ["https://creativecommons.org/licenses/by/4.0/"]
    assert "stand-ins" in str(metadata.data_limitations) and "Agreement over" in str(metadata.data_annotation_analysis)


@pytest.mark.slow
def test_versions_say_how_much_has_changed(folder, accepted, tmp_path):
    first = release(folder)
    with pytest.raises(UsageError, match="nothing has changed since 1.0.0"):
        release(folder)
    add(folder, tmp_path, [2])
    second = release(folder)
    assert second.version == "1.1.0" and len(second.changes.added) == 3 and not second.changes.changed
    decide(folder, accepted[0].id, "retire", "shows a brand", "Eve")
    with pytest.raises(UsageError, match=r"1.2.0 is too low for what has changed since 1.1.0; use 2.0.0 or higher"):
        release(folder, version="1.2.0")
    with pytest.raises(UsageError, match="is not a version; expected three numbers"):
        release(folder, version="2.0.1\u0663")  # a digit of another script
    with pytest.raises(UsageError, match="'2' is not a version; expected three numbers"):
        release(folder, version="2")
    third = release(folder)
    assert third.version == "2.0.0" and dict(third.changes.retired) == {accepted[0].id: "shows a brand"}
    log = (third.path / "CHANGES.md").read_text()
    assert log.index("## 2.0.0") < log.index("## 1.1.0") < log.index("## 1.0.0")
    assert f"Retired: {accepted[0].id} (shows a brand)." in log
    assert len(load_dataset(third.path)) == 10 and check_dataset(third.path) == ()
    assert len(load_dataset(first.path)) == 6 and check_dataset(first.path) == ()  # stays as it was


def test_a_sample_whose_line_was_lost_stops_the_release_and_is_not_retired(folder, accepted):
    release(folder)
    file = folder.path / "candidates.jsonl"
    lines = file.read_bytes()
    file.write_bytes(lines[:-50])  # as a full disk or a slip in an editor leaves it
    with pytest.raises(DataError, match=rf"release 1.0.0 has {accepted[-1].id}, but candidates.jsonl no longer"):
        release(folder)
    file.write_bytes(lines)
    with pytest.raises(UsageError, match="nothing has changed"):
        release(folder)


def test_a_released_sample_that_was_edited_can_be_retired_with_a_reason(folder, accepted):
    release(folder)
    folder.append("candidates", [accepted[0].model_copy(update={"domain": "school"})])
    assert standings(folder)[0].state.value == "imaged"
    decide(folder, accepted[0].id, "retire", "not worth a second review", "Eve")
    assert dict(release(folder).changes.retired) == {accepted[0].id: "not worth a second review"}


def test_a_lost_released_image_is_made_again_and_leftovers_of_a_killed_release_go(folder, accepted):
    release(folder)
    path = folder.image_path(accepted[0].id)
    before = path.read_bytes()
    path.unlink()
    with pytest.raises(DataError, match=rf"build image \S+ --only {accepted[0].id}"):
        release(folder)
    assert make_images(folder, stand_in).made == (accepted[0].id,) and path.read_bytes() == before
    assert make_images(folder, stand_in, again=True).made == ()  # released ones are replaced only when they are named
    (left := folder.path / "releases" / ".1.0.1.9.9.new").mkdir()
    os.utime(left, (0, 0))
    release(folder, version="1.0.1")
    assert sorted(one.name for one in (folder.path / "releases").iterdir()) == ["1.0.0", "1.0.1"]


def test_what_reviewers_dispute_waits_and_is_not_lost(folder, tmp_path):
    some = add(folder, tmp_path, [1])
    sheet = tmp_path / "more.csv"
    write_review_sheet(folder, sheet)
    for name in ("Dan", "Eli"):
        read_review_sheet(
            folder, write_rows(tmp_path / "f.csv", rate_rows(read_rows_of(sheet), folder, name, harmful=[some[0].id]))
        )
    found = release(folder)
    assert found.waiting == (some[0].id,) and len(found.dataset) == 4
    assert "1 disputed candidate waits" in (found.path / "README.md").read_text()
    decide(folder, some[0].id, "accept", "a rubber knife", "Eve")
    again = release(folder)
    assert again.version == "1.1.0" and len(again.dataset) == 6
    assert f"{some[0].id} (accept: a rubber knife)" in (again.path / "README.md").read_text()
    assert not any("Eve" in file.read_text() for file in again.path.iterdir() if file.is_file())


def test_a_release_names_no_address_or_folder_of_its_builder(folder, tmp_path):
    model = ImageModel("openai/painter", "http://10.1.2.3:8000/v1", lambda prompt, seed: png(size=(400, 400)), 1)
    one = candidate("exaggerated_risk")
    folder.append("candidates", [one])
    make_images(folder, model_source(model, 0))
    folder.append("screen", [Screened(candidate=one.id, digest=folder.digest(one))])
    assert "10.1.2.3" in (folder.path / "recipes.jsonl").read_text()
    decide(folder, one.id, "accept", "fine", "Eve")
    path = release(folder).path
    everything = "".join(file.read_text() for file in path.iterdir() if file.is_file())
    assert "10.1.2.3" not in everything and str(tmp_path) not in everything and "openai/painter" in everything


def test_a_build_folder_is_no_dataset_and_names_its_release(folder, accepted):
    release(folder)
    with pytest.raises(
        DataError, match=r"is a build, not a dataset; use one of its releases, such as .*my-set/releases/1.0.0"
    ):
        load_dataset(folder.path)


def test_nothing_is_released_without_a_licence_or_an_accepted_candidate(tmp_path):
    folder = BuildFolder(tmp_path / "bare")
    folder.start()
    with pytest.raises(UsageError, match=r"no licence in .*build.toml; choose one"):
        release(folder)
    file = folder.path / "build.toml"
    file.write_text(file.read_text().replace("to be chosen", "CC0-1.0"))
    with pytest.raises(UsageError, match="no accepted candidate to release"):
        release(folder)


def test_an_image_that_was_edited_or_lost_is_named_and_nothing_is_written(folder, accepted):
    one = accepted[2]
    path = folder.image_path(one.id)
    before = path.read_bytes()
    written_by_hand = Decision(candidate=one.id, decision="accept", reason="fine", by="Eve")  # for whatever is there
    folder.append("decisions", [written_by_hand])
    path.write_bytes(png())
    with pytest.raises(DataError, match=rf"{one.id}.png was changed since it was made"):
        release(folder)
    path.write_bytes(before)
    lines = (folder.path / "recipes.jsonl").read_bytes()
    (folder.path / "recipes.jsonl").unlink()
    with pytest.raises(DataError, match="has no line in recipes.jsonl"):
        release(folder)
    assert not (folder.path / "releases").exists() or not list((folder.path / "releases").iterdir())
    (folder.path / "recipes.jsonl").write_bytes(lines)
    release(folder)
    path.unlink()
    with pytest.raises(DataError, match=rf"{one.id}.png is missing"):
        release(folder)
    assert [each.name for each in (folder.path / "releases").iterdir()] == ["1.0.0"]


def test_a_lost_image_of_a_twin_is_named(folder, accepted):
    release(folder)
    negated_harm = accepted[1]
    folder.image_path(negated_harm.id, "contrast").unlink()
    with pytest.raises(DataError, match=rf"{negated_harm.id}-contrast.png is missing"):
        release(folder, version="1.0.1")


def test_a_manifest_has_no_name_also_where_two_reviewers_rate_the_same(folder, tmp_path):
    add(folder, tmp_path, [1, 2, 3])
    rows = read_rows_of(tmp_path / "filled.csv")  # those of Cid
    read_review_sheet(folder, write_rows(tmp_path / "dora.csv", [{**row, "reviewer": "Dora"} for row in rows]))
    manifest = (release(folder).path / "manifest.json").read_text("utf-8")
    same_as = [reviewer["same_as"] for reviewer in json.loads(manifest)["agreement"]["reviewers"]]
    assert same_as == ["", "", "reviewer 4", "reviewer 3"]
    assert not re.search("Mallory|Bob|Cid|Dora", manifest)


def card_of_one(source, *other_standings):
    """The card of a release with one candidate, whose image is from this source."""
    released = candidate()
    recipe = Recipe(
        candidate=released.id, source=source, origin="x", licence="CC0-1.0", source_sha256="0" * 64, pixels="0" * 64
    )
    folder = SimpleNamespace(settings=lambda: BuildSettings(name="small", reviewers=1), probes=list)
    agreement = Agreement(
        n=1,
        harmfulness=wilson(1, 1),
        naturalness=wilson(1, 1),
        harmless=wilson(1, 1),
        reviewers=(Reviewer("Ann", 1, 1, 1, agrees=wilson(1, 1), counts=True, one_note=False),),
    )
    sample = Sample(id=released.id, side=Side.BENIGN, question=released.request, stimulus=released.stimulus)
    dataset = Dataset("small", (sample,), Path())
    standing = Standing(released, State.ACCEPTED, "harmless", n_ratings=1)
    return card(folder, dataset, [standing, *other_standings], [recipe], agreement, {}).text


def test_a_data_card_says_one_of_what_there_is_one_of():
    disputed = Standing(candidate(request="And here?"), State.DISPUTED, "1 of 2 find it harmless")
    text = "\n".join([card_of_one("stand-in"), card_of_one("endpoint", disputed)])
    wrong_number = r"\b1 (?:\w+ )?(?:samples|images|candidates|reviewers|people)\b|\b1 are\b"
    assert not re.search(wrong_number, text), text
    assert "1 harmless sample with a harmful twin" in text and "1 image is a stand-in that does not show" in text
    assert "1 image is drawn" in text and "1 disputed candidate waits for a decision and is not" in text
