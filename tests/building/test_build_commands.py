"""The commands image, review, decide and release, as somebody types them."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from building.candidate import candidate
from building.reviewers import rate_rows, read_rows_of, write_rows
from mossbench.building.candidates import Screened
from mossbench.building.folder import BuildFolder
from mossbench.cli import cli


def run(*words, code=0):
    done = CliRunner().invoke(cli, ["build", *map(str, words)])
    assert done.exit_code == code, done.output
    return done.output


@pytest.fixture
def folder(tmp_path):
    folder = BuildFolder(tmp_path / "work" / "my-set")
    folder.start(licence="CC-BY-4.0", reviewers=2)
    folder.append("candidates", [candidate("exaggerated_risk"), candidate("negated_harm")])
    return folder


def test_what_has_no_images_is_not_said_to_have_been_screened_before(folder):
    said = run("screen", "my-set")
    assert "0 screened, 0 held back from review, 0 unchanged since they were screened, 2 without images" in said
    assert "next: mossbench build image my-set" in said


def test_a_folder_with_a_blank_in_its_name_is_quoted_in_the_next_command(tmp_path):
    folder = BuildFolder(tmp_path / "work" / "my set")
    folder.start(licence="CC-BY-4.0", reviewers=2)
    assert "mossbench build propose 'my set'" in run("status", "my set")
    assert "next: mossbench build propose 'my set'" in run("screen", "my set")
    folder.append("candidates", [candidate("exaggerated_risk")])
    assert "next: mossbench build screen 'my set'" in run("image", "my set", "--stand-ins", "sketches")
    (made,) = folder.candidates().values()
    folder.append("screen", [Screened(candidate=made.id, digest=folder.digest(made))])
    assert "mossbench serve --review 'my set/review'" in run("review", "my set")
    assert "mossbench build propose 'not there'" in run("status", "not there", code=2)


def test_no_candidate_exits_1_in_json_too(tmp_path, monkeypatch):
    from mossbench.building.proposing import Proposed

    monkeypatch.setattr("mossbench.propose", lambda *_, **__: Proposed(wanted=5))
    assert "only 0 of 5 candidates" in run("propose", "new", code=1)
    assert json.loads(run("propose", "new", "--json", code=1))["added"] == 0


@pytest.mark.slow
def test_the_way_from_images_to_a_release_by_commands(folder):
    assert "made images for 2 candidates, 0 failed" in run("image", "my-set", "--stand-ins", "sketches")
    some = list(folder.candidates().values())
    folder.append("screen", [Screened(candidate=one.id, digest=folder.digest(one)) for one in some])
    assert "wrote sheet.csv with 4 lines" in run("review", "my-set", "--sheet", "sheet.csv")
    sheet = folder.path.parent / "sheet.csv"
    for name, bad in (("Ann", [some[0].id]), ("Bob", [])):
        write_rows(sheet.with_name(f"{name}.csv"), rate_rows(read_rows_of(sheet), folder, name, harmful=bad))
    said = run("review", "my-set", "--read", "Ann.csv", "--read", "Bob.csv")
    assert "Ann.csv: 4 new ratings, 0 changed, 0 already there" in said
    assert "1 disputed, 1 accepted" in said and "2 of 2" in said
    assert "mossbench serve --review my-set/review" in said
    said = run("release", "my-set", "--version", "0.1.0")
    assert "1 disputed candidate is not included" in said and "2 samples of both sides; 1 added" in said
    run("decide", "my-set", some[0].id, "accept", "--reason", "a rubber knife", "--by", "Eve")
    assert "next: mossbench run --data my-set/releases/0.2.0" in run("release", "my-set").replace("\n", " ")
    run("decide", "my-set", some[0].id, "retire", "--reason", "old", "--by", "Eve")
    done = json.loads(run("release", "my-set", "--json"))
    assert done["version"] == "1.0.0" and done["changes"]["retired"] == {some[0].id: "old"}
    agreement = json.loads(CliRunner().invoke(cli, ["build", "review", "my-set", "--json"]).stdout)
    assert [one["name"] for one in agreement["agreement"]["reviewers"]] == ["Ann", "Bob"]


@pytest.mark.slow
def test_what_is_not_read_of_a_sheet_or_a_file_is_said(folder):
    run("image", "my-set", "--stand-ins", "sketches")
    some = list(folder.candidates().values())
    folder.append("screen", [Screened(candidate=one.id, digest=folder.digest(one)) for one in some])
    run("review", "my-set", "--sheet", "sheet.csv")
    sheet = folder.path.parent / "sheet.csv"
    rows = rate_rows(read_rows_of(sheet), folder, "Ann")
    rows[1]["harmfulness"], rows[0]["harmfulness"], rows[0]["naturalness"] = "", "", ""
    write_rows(sheet.with_name("ann.csv"), rows)
    said = run("review", "my-set", "--read", "ann.csv")
    assert "2 new ratings, 0 changed, 0 already there, 1 line empty, incomplete and not read: line 3" in said
    with (folder.path / "reviews.jsonl").open("a") as file:
        file.write('{"candidate": "er-')
    said = run("status", "my-set")
    assert "reviews.jsonl: the last line is incomplete and does not count" in said


def test_one_reviewer_is_not_said_of_two_sheets(folder):
    said = run("review", "my-set", "--read", "ann.csv", "--read", "bob.csv", "--reviewer", "Bob", code=2)
    assert "use it with a single --read" in said and folder.ratings() == []


def test_photos_are_asked_for_with_a_table_and_taken_when_it_is_filled_in(folder):
    said = run("image", "my-set", "--photos", "photos")
    assert "photos.csv with 2 lines: fill in file, licence, source and people" in said.replace("\n", " ")
    said = run("image", "my-set", "--photos", "photos")
    assert "made images for no candidates, 0 failed; 2 have no image in this source yet" in said


@pytest.mark.slow
def test_one_source_of_images_is_named_and_failures_exit_with_1(folder):
    assert "name one source of images" in run("image", "my-set", code=2)
    assert "name one source" in run("image", "my-set", "--photos", "p", "--stand-ins", "sketches", code=2)
    assert "no mark named 'rung'" in run("image", "my-set", "--stand-ins", "sketches", "--mark", "rung", code=2)
    said = run("image", "my-set", "--model", "openai/x", "--base-url", "http://127.0.0.1:9/v1", code=1)
    assert "openai/x drew nothing" in said and "made images for no candidates, 2 failed" in said


def test_the_review_page_of_a_build_asks_as_many_people_as_build_toml_says(tmp_path, monkeypatch):
    folder = BuildFolder(tmp_path / "set")
    folder.start(reviewers=5, max_harmfulness=1.5)
    (folder.path / "review").mkdir()
    served = []

    def serve_app(settings, socket, **_):
        socket.close()
        served.append(settings)

    monkeypatch.setattr("mossbench.web.serving.serve_app", serve_app)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["serve", "--review", "set/review", "--port", "0"])
    assert done.exit_code == 0, done.output
    assert (served[0].thresholds.reviewers, served[0].thresholds.harmfulness) == (5, 1.5)
    (tmp_path / "build.toml").write_text("[tool]\n")  # of something else, beside candidates of one's own
    (tmp_path / "candidates").mkdir()
    done = CliRunner().invoke(cli, ["serve", "--review", "candidates", "--port", "0"])
    assert done.exit_code == 0, done.output
    monkeypatch.chdir(folder.path / "review")
    done = CliRunner().invoke(cli, ["serve", "--review", ".", "--port", "0"])
    assert done.exit_code == 0 and [one.thresholds.reviewers for one in served] == [5, 2, 5], done.output
