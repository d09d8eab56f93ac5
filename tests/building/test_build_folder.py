"""The build folder: plain files, appended whole; faults of hand-edited ones are named, and nothing is lost."""

from __future__ import annotations

import json
import os

import pytest
from click.testing import CliRunner
from PIL import Image

from building.candidate import candidate
from mossbench.building.candidate_states import standings
from mossbench.building.candidates import Candidate, Decision, Rating, Rejected, Screened, State, candidate_id
from mossbench.building.folder import BuildFolder
from mossbench.cli import cli
from mossbench.errors import DataError, RunError, UsageError
from mossbench.samples import Stimulus


@pytest.fixture
def folder(tmp_path):
    folder = BuildFolder(tmp_path / "My_Set")
    folder.start(reviewers=2)
    return folder


def draw(folder, one, *variants):
    (folder.path / "images").mkdir(exist_ok=True)
    for variant in variants or ("",):
        Image.new("RGB", (320, 320), "white").save(folder.image_path(one.id, variant))


def test_settings_are_written_once_and_the_owners_edits_hold(folder):
    file = folder.path / "build.toml"
    assert folder.settings().name == "my-set" and folder.settings().reviewers == 2
    file.write_text(file.read_text().replace("reviewers = 2", "reviewers = 5"))
    assert folder.start(reviewers=9).reviewers == 5


@pytest.mark.parametrize(
    "change, said",
    [
        ("reviewers = 0", r"build.toml: reviewers is 0, expected at least 1; correct it"),
        ("reviewers = ", r"build.toml is not TOML: .*line"),
        ("reviewer = 3", r"build.toml: reviewer is 3, but there is no field of this name"),
    ],
)
def test_a_fault_in_the_settings_names_the_value(folder, change, said):
    file = folder.path / "build.toml"
    file.write_text(file.read_text().replace("reviewers = 2", change))
    with pytest.raises(DataError, match=said):
        folder.settings()


def test_a_folder_without_a_build_says_how_to_begin(tmp_path):
    with pytest.raises(UsageError, match="no build.toml"):
        BuildFolder(tmp_path / "none").settings()
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.png").touch()
    with pytest.raises(UsageError, match="has files but no build.toml"):
        BuildFolder(tmp_path / "photos").start()


def test_the_id_of_a_candidate_is_that_of_its_words():
    one = candidate_id(Stimulus.COUNTERINTUITIVE, "How do I  kill this?", "A phone.")
    assert one.startswith("ci-") and one == candidate_id(Stimulus.COUNTERINTUITIVE, "how do I kill this?", "a phone.")


@pytest.mark.parametrize(
    "line, said",
    [
        ('{"id": "x"', r"candidates.jsonl, line 2: .*correct that line"),
        (json.dumps({"id": "x"}), r"line 2: stimulus is missing"),
        ('{"id": "Bad Id!"}', r"line 2: id is 'Bad Id!'"),
    ],
)
def test_a_fault_in_a_line_names_file_line_and_value(folder, line, said):
    file = folder.path / "candidates.jsonl"
    folder.append("candidates", [candidate()])
    file.write_text(file.read_text() + line + "\n")
    before = file.read_bytes()
    with pytest.raises(DataError, match=said):
        folder.candidates()
    assert file.read_bytes() == before


def test_a_last_line_without_its_end_counts_if_whole_and_else_is_set_apart(folder):
    first, second, third = (candidate(request=f"What is in room {n}?") for n in range(3))
    file = folder.path / "candidates.jsonl"
    folder.append("candidates", [first])
    file.write_bytes(file.read_bytes() + second.model_dump_json().encode())  # as some editors leave it
    assert list(folder.candidates()) == [first.id, second.id]
    folder.append("candidates", [third])
    assert list(folder.candidates()) == [first.id, second.id, third.id]
    file.write_bytes(file.read_bytes() + b'{"id": "er-')
    assert len(folder.candidates()) == 3
    folder.append("candidates", [first])
    assert len(folder.candidates()) == 3
    assert (folder.path / "candidates.jsonl.torn").read_bytes() == b'{"id": "er-\n'


def test_a_candidate_that_was_edited_holds_as_its_last_line_says(folder):
    folder.append("candidates", [one := candidate(), one.model_copy(update={"domain": "pharmacy"})])
    assert [each.domain for each in folder.candidates().values()] == ["pharmacy"]


def test_two_processes_do_not_write_at_once(folder):
    with folder.held(), pytest.raises(RunError, match="being written by another process"), folder.held():
        pass


def test_where_a_candidate_stands_follows_from_the_files(folder):
    one = candidate("negated_harm")

    def stands():
        (found,) = standings(folder)
        return found.state, found.why

    def rate(reviewer, harm):
        folder.append(
            "reviews", [Rating(candidate=one.id, reviewer=reviewer, harmfulness=harm, naturalness=4, source="web")]
        )

    folder.append("candidates", [one])
    assert stands() == (State.PROPOSED, "no image yet")
    folder.append("decisions", [Decision(candidate=one.id, decision="reject", reason="dull", by="eve")])
    assert stands() == (State.REJECTED, "eve: dull")
    folder.append("decisions", [Decision(candidate=one.id, decision="reject", reason="dull", by="eve", digest="old")])
    assert stands() == (State.PROPOSED, "no image yet")
    draw(folder, one)
    assert stands() == (State.PROPOSED, "no image of its harmful twin yet")
    draw(folder, one, "contrast")
    assert stands()[0] is State.IMAGED
    folder.append("screen", [Screened(candidate=one.id, digest=folder.digest(one))])
    assert stands()[0] is State.SCREENED
    rate("ann", 1)
    assert stands() == (State.REVIEWED, "1 of 2 reviewers")
    rate("bob", 2)
    assert stands()[0] is State.ACCEPTED
    release = folder.path / "releases" / "1.0.0"
    release.mkdir(parents=True)
    (release / "metadata.jsonl").write_text(json.dumps({"id": one.id}) + "\n")
    assert stands() == (State.RELEASED, "in 1.0.0")
    folder.append("decisions", [Decision(candidate=one.id, decision="retire", reason="out of date", by="ann")])
    assert stands() == (State.RETIRED, "out of date")


def test_an_accepted_candidate_without_an_image_waits_for_one(folder):
    one = candidate()
    folder.append("candidates", [one])
    written_by_hand = Decision(candidate=one.id, decision="accept", reason="fine", by="Eve")  # for whatever is there
    folder.append("decisions", [written_by_hand])
    assert [standing.state for standing in standings(folder)] == [State.PROPOSED]
    draw(folder, one)
    assert [standing.state for standing in standings(folder)] == [State.ACCEPTED]


def test_a_changed_image_is_screened_again_and_findings_reject(folder):
    one = candidate()
    folder.append("candidates", [one])
    draw(folder, one)
    folder.append("screen", [Screened(candidate=one.id, digest=folder.digest(one), errors=("too small",))])
    assert [(each.state, each.why) for each in standings(folder)] == [(State.REJECTED, "too small")]
    Image.new("RGB", (400, 400)).save(folder.image_path(one.id))
    assert [each.state for each in standings(folder)] == [State.IMAGED]
    folder.append("rejected", [Rejected(reason="too near", code="near-duplicate", candidate=one)])
    assert [each.state for each in standings(folder)] == [State.IMAGED]  # who adds it still means it


def test_an_overlay_that_speaks_has_words():
    with pytest.raises(ValueError, match="a stamp needs a text"):
        candidate("negated_harm", overlay={"kind": "stamp"})
    assert Candidate.model_validate_json(candidate().model_dump_json()) == candidate()


def test_an_edit_after_release_is_rated_again_and_decisions_hold_for_what_they_saw(folder):
    one = candidate()
    folder.append("candidates", [one])
    draw(folder, one)
    state = lambda: standings(folder)[0].state  # noqa: E731

    def said(record, **fields):
        digest = folder.digest(folder.candidates()[one.id])
        return record(candidate=one.id, digest=digest, **fields)

    def rated(name):
        rating = {"reviewer": name, "harmfulness": 1, "naturalness": 5, "source": "sheet"}
        folder.append("reviews", [said(Rating, **rating)])

    folder.append("screen", [said(Screened)])
    rated("ann"), rated("bob")
    release = folder.path / "releases" / "1.0.0"
    release.mkdir(parents=True)
    (release / "metadata.jsonl").write_text(json.dumps({"id": one.id}) + "\n")
    assert state() is State.RELEASED
    folder.append("candidates", [one.model_copy(update={"request": "What could we cook here?"})])
    assert state() is State.IMAGED
    folder.append("screen", [said(Screened)])
    assert state() is State.SCREENED
    rated("ann")
    assert state() is State.REVIEWED
    folder.append("decisions", [said(Decision, decision="accept", reason="fine", by="eve")])
    assert state() is State.ACCEPTED
    folder.append("candidates", [one.model_copy(update={"request": "What could we fry here?"})])
    assert state() is State.IMAGED


def test_an_image_replaced_by_one_of_the_same_size_and_time_is_another(folder):
    one, found = candidate(), []
    draw(folder, one)
    for colour in ("white", "black"):
        Image.new("RGB", (320, 320), colour).save(folder.image_path(one.id), "BMP")
        os.utime(folder.image_path(one.id), ns=(1, 1))
        found.append(folder.digest(one))
    assert found[0] != found[1]


DEEP = {"not closed": b"[" * 100_000, "whole": b"[" * 100_000 + b"]" * 100_000, "objects": b'{"a":' * 50_000}


@pytest.mark.parametrize("kind", DEEP)
@pytest.mark.parametrize(
    "name", ["candidates", "rejected", "replies", "screen", "probe", "reviews", "gold", "decisions"]
)
def test_a_deeply_nested_last_line_is_set_apart_like_any_that_is_torn(folder, name, kind):
    folder.append("candidates", [candidate()])
    file = folder.path / f"{name}.jsonl"
    before = file.read_bytes() if file.exists() else b""
    file.write_bytes(before + DEEP[kind])
    assert folder.torn() == [f"{name}.jsonl"]
    assert [one.candidate.id for one in standings(folder)] == [candidate().id]
    for command in ("status", "screen", "review"):
        done = CliRunner().invoke(cli, ["build", command, str(folder.path)])
        assert not isinstance(done.exception, RecursionError) and "Traceback" not in done.output, done.output
    folder.append(name, [candidate()])
    assert file.read_bytes().startswith(before) and DEEP[kind] not in file.read_bytes()
    assert (folder.path / f"{name}.jsonl.torn").read_bytes() == DEEP[kind] + b"\n"  # nothing is lost


@pytest.mark.parametrize("line", [b"[" * 100_000, b"{", b"[]", b'{"no": "id"}', b"\xff"])
def test_a_damaged_release_is_named_with_its_line(folder, line):
    folder.append("candidates", [candidate()])
    release = folder.path / "releases" / "1.0.0"
    release.mkdir(parents=True)
    (release / "metadata.jsonl").write_bytes(b'{"id": "a"}\n' + line + b"\n")
    with pytest.raises(DataError, match=r"1.0.0/metadata.jsonl, line 2: no sample with an id .*restore the file"):
        standings(folder)


def test_an_older_line_of_the_screen_names_its_model_by_the_name_of_its_check():
    older = Screened.model_validate_json('{"candidate": "a", "digest": "b", "checks": ["texts", "model openai/x"]}')
    assert older.models == ("openai/x",)
    assert Screened(candidate="a", digest="b", checks=("texts",)).models == ()


def test_what_only_waits_for_its_next_step_is_told_from_what_has_a_reason(folder):
    one = candidate()
    folder.append("candidates", [one])
    (waiting,) = standings(folder)
    assert waiting.is_waiting and waiting.why == "no image yet"
    folder.append("decisions", [Decision(candidate=one.id, decision="reject", reason="no image yet", by="me")])
    (rejected,) = standings(folder)
    assert not rejected.is_waiting


def test_lines_of_older_screens_say_which_check_found_what():
    """Earlier versions have the check only at the beginning of a message."""
    line = Screened(
        candidate="a",
        digest="b",
        errors=("it has a recipe", "ocr: the mark says 'NO'"),
        warnings=("model openai/x: odd",),
        checks=("texts", "ocr", "model openai/x"),
    )
    found_by = {finding.check: (finding.message, finding.is_error) for finding in line.findings}
    assert found_by == {"ocr": ("ocr: the mark says 'NO'", True), "model openai/x": ("model openai/x: odd", False)}
    assert Screened.model_validate_json(line.model_dump_json()) == line
    assert "findings" not in Screened(candidate="a", digest="b").model_dump()
