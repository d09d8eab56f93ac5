"""Runs on any copy of the published sets: one board, on which each row says which copy it was asked with."""

import json
import shutil

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.datasets import recognition
from mossbench.leaderboard.board_folder import read_board
from mossbench.leaderboard.boards import make_boards
from mossbench.reports.board_tables import boards_csv
from mossbench.samples import Side
from mossbench.web import Settings, create_app
from mossbench.web.shelf import Shelf, wait_until_read
from small_release import change_record, forget_facts, rewrite_images, use_facts, write_facts, write_release
from web.conftest import Browser


def mossbench(*args):
    return CliRunner().invoke(cli, [str(arg) for arg in args], catch_exceptions=False)


def answer(request):
    return "Of course. Water it twice a week and keep it in the light."


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Runs on the release, on a copy with smaller images, and on one with a changed image; with their submissions."""
    folder = tmp_path_factory.mktemp("copies")
    release = write_release(folder / "release")
    with pytest.MonkeyPatch.context() as patch:
        use_facts(write_facts(release, folder / "facts.csv"), patch.setattr)
        for name in ("reduced", "changed"):
            shutil.copytree(release, folder / name)
        rewrite_images(folder / "reduced", lambda image: image.resize((160, 120)), "JPEG", quality=70)
        (folder / "changed/data/images/1.png").write_bytes((release / "data/images/202.png").read_bytes())
        for name in ("release", "reduced", "changed"):
            mb.run(answer, folder / name, out=folder / f"run-{name}", judge="rules")
            submission = mb.make_submission(folder / f"run-{name}", availability="open", model=f"Model {name}")
            mb.write_submission(submission, folder / f"{name}.json")
        yield folder
    forget_facts()


def test_runs_record_the_copy_beside_the_exact_hash(made):
    infos = {name: mb.load_results(made / f"run-{name}").info.dataset for name in ("release", "reduced", "changed")}
    assert set(infos["release"].copies.values()) == {"release"}
    assert set(infos["reduced"].copies.values()) == {"reduced"}
    assert infos["release"].hashes != infos["reduced"].hashes
    assert infos["release"].identities == infos["reduced"].identities
    assert infos["changed"].copies == {Side.CONTRAST: "release"}
    assert (infos["release"].name, infos["changed"].name) == ("official", "official-changed")


def test_a_board_takes_any_copy_without_the_data_and_says_which_it_was(made, tmp_path):
    for name in ("release", "reduced"):
        done = mossbench("leaderboard", "add", made / f"{name}.json", "--board", tmp_path / "board")
        assert done.exit_code == 0, done.stderr
    submissions, damaged = read_board(tmp_path / "board")
    assert not damaged
    (board,) = make_boards(submissions)
    assert board.data == "official (reduced copy, as claimed and release copy, as claimed)"
    assert {row.name: row.copy for row in board.rows} == {"Model release": "release", "Model reduced": "reduced"}
    (note,) = [note for note in board.notes if "copies" in note]
    assert "release copy, as claimed: Model release" in note and "reduced copy, as claimed: Model reduced" in note
    shown = mossbench("leaderboard", "show", "--board", tmp_path / "board")
    assert "data official (reduced copy, as claimed" in shown.stdout and "different copies" in shown.stdout
    assert boards_csv([board]).splitlines()[0].endswith(",copy,bundle")


def test_runs_and_submissions_of_one_copy_name_it_without_a_note(made):
    (board,) = make_boards([mb.load_results(made / "run-release")])
    assert board.data == "official (release copy)"
    assert not [note for note in board.notes if "cop" in note]


def test_data_with_a_changed_image_are_not_taken_for_the_published_set(made, tmp_path):
    content = json.loads((made / "changed.json").read_text())
    assert content["dataset"] == "official-changed"
    done = mossbench("leaderboard", "add", made / "changed.json", "--board", tmp_path / "board")
    assert done.exit_code == 1 and "official-changed" in done.stderr and "are unknown here" in done.stderr
    # Under the name of the published set it is refused too, whether the data are at hand or not.
    (tmp_path / "renamed.json").write_text(json.dumps(content | {"dataset": "official"}))
    for data in ((), ("--data", made / "changed")):
        done = mossbench("leaderboard", "add", tmp_path / "renamed.json", "--board", tmp_path / "board", *data)
        assert done.exit_code == 1
    # A board of its own takes it, under its own name.
    done = mossbench(
        "leaderboard", "add", made / "changed.json", "--board", tmp_path / "own", "--data", made / "changed"
    )
    assert done.exit_code == 0, done.stderr


def test_the_run_and_the_report_say_why_changed_data_are_not_the_published_set(made):
    (notice,) = [text for text in mb.load_results(made / "run-changed").info.notices if "published" in text]
    assert notice.startswith("the harmless samples are not those of the published set: benign/1: a different image")


def test_a_comparison_of_two_copies_names_the_difference(made):
    compared = mb.compare(made / "run-release", made / "run-reduced")
    assert any("copy of the images: release and reduced" in text for text in compared.asked_differently)
    with pytest.raises(mb.MossbenchError, match="were asked different harmless samples"):
        mb.compare(made / "run-release", made / "run-changed")


def test_a_recorded_submission_cannot_pass_for_an_asked_one(made, tmp_path):
    content = json.loads((made / "release.json").read_text())
    content["settings"]["recorded"] = True
    (tmp_path / "x.json").write_text(json.dumps(content))
    _, faults = mb.check_submission(tmp_path / "x.json", others=())
    assert any(fault.startswith("settings.recorded is true, but provider is") for fault in faults)


def test_changed_data_are_called_so_wherever_they_are_described(made, tmp_path):
    described = json.loads(mossbench("data", "describe", made / "changed", "--json").stdout)
    assert described["name"] == "official-changed" and described["version"].startswith("official-changed ")
    assert any("benign/1: a different image" in note for note in described["notes"])
    mossbench("data", "export", made / "changed", tmp_path / "exported")
    assert json.loads((tmp_path / "exported/dataset.json").read_text())["name"] == "official-changed"
    shutil.copytree(made / "release", tmp_path / "official")
    change_record(tmp_path / "official", "data", "1", question="How do I look after it?")
    assert mb.load_dataset(tmp_path / "official").name == "official-changed"


def test_pages_name_the_copy_of_the_samples(made, tmp_path):
    for name in ("release", "reduced", "changed"):
        shutil.copytree(made / f"run-{name}", tmp_path / "runs" / name)
    shelf = Shelf(Settings(tmp_path / "runs", data=tuple(str(made / name) for name in ("release", "reduced"))))
    titles = {data.title for data in wait_until_read(shelf.data)}
    shelf.close()
    assert titles >= {"official (release copy)", "official (reduced copy)", "official-changed"}
    page = Browser(create_app(shelf.settings)).get("/samples").text
    assert all(f"{title}, " in page for title in titles)  # the list of datasets tells them apart


def test_a_submission_cannot_claim_a_copy_that_the_data_are_not(made, tmp_path):
    content = json.loads((made / "reduced.json").read_text())
    (tmp_path / "x.json").write_text(json.dumps(content | {"copies": {"benign": "release", "contrast": "reduced"}}))
    _, faults = mb.check_submission(tmp_path / "x.json", others=(), data=mb.load_dataset(made / "reduced"))
    assert len(faults) == 1 and faults[0].startswith("copies.benign is release, but the content with hash")
    (tmp_path / "y.json").write_text(json.dumps(content | {"copies": {"benign": "pristine"}}))
    _, faults = mb.check_submission(tmp_path / "y.json", others=())
    assert any("copies.benign" in fault for fault in faults)


def test_a_submission_from_before_is_taken_where_the_data_are_at_hand(made, tmp_path):
    content = json.loads((made / "release.json").read_text())
    del content["copies"]
    (tmp_path / "old.json").write_text(json.dumps(content))
    done = mossbench("leaderboard", "add", tmp_path / "old.json", "--board", tmp_path / "board")
    assert done.exit_code == 1 and "to check another copy, give it as --data" in done.stderr
    done = mossbench(
        "leaderboard", "add", tmp_path / "old.json", "--board", tmp_path / "board", "--data", made / "release"
    )
    assert done.exit_code == 0, done.stderr
    ((submission,), _) = read_board(tmp_path / "board")
    assert set(submission.copies.values()) == {"release"}


def test_runs_from_before_are_known_by_the_hash_of_the_reduced_copy(made, monkeypatch):
    results = mb.load_results(made / "run-reduced")
    monkeypatch.setattr("mossbench.store.run_info.REDUCED_HASHES", dict(results.info.dataset.hashes))
    old = results.info.dataset.model_dump(mode="json") | {"copies": {}}
    assert set(type(results.info.dataset).model_validate(old).copies.values()) == {"reduced"}


def test_a_changed_request_is_no_copy(made, tmp_path):
    shutil.copytree(made / "release", tmp_path / "copy")
    change_record(tmp_path / "copy", "data", "1", question="How do I look after it?")
    mb.run(answer, tmp_path / "copy", out=tmp_path / "run", judge="rules")
    submission = mb.make_submission(tmp_path / "run", availability="open", model="Mine")
    assert submission.dataset == "copy" and Side.BENIGN not in submission.copies


def test_published_samples_that_lack_a_side_are_recognised_by_the_side_they_have(made, tmp_path):
    shutil.copytree(made / "release/data", tmp_path / "data")
    dataset = mb.load_dataset(tmp_path / "data")
    assert (dataset.name, dataset.copies) == ("official", {Side.BENIGN: recognition.Copy.RELEASE})
