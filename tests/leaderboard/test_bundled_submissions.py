"""Submissions that come with the bundle of their run: counted and judged again, and shown as verified."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import answered, samples
from mossbench.cli import cli
from mossbench.errors import SubmissionError
from mossbench.leaderboard import board_folder
from mossbench.reports import board_bundles
from mossbench.samples import Side


def called(*args):
    done = CliRunner().invoke(cli, ["leaderboard", *map(str, args)])
    return done.exit_code, done.stdout, " ".join(done.stderr.split())


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return samples(tmp_path_factory.mktemp("own") / "set", 6)


@pytest.fixture(scope="module")
def made(data, tmp_path_factory):
    """A folder with a submission of a run, the bundle of the run, and that of another run."""
    folder = tmp_path_factory.mktemp("made")
    for name, refused in (("mine", (1, 2)), ("other", (3,))):
        run = answered(data, folder / f"run-{name}", refused=refused)
        mb.write_bundle([run.folder], folder / f"{name}.zip", samples="copies" if name == "mine" else None)
        submission = mb.make_submission(run, availability="open", model=f"{name.title()} 7b")
        mb.write_submission(submission, folder / f"{name}.json")
    mb.write_bundle([folder / "run-mine"], folder / "hashes.zip", samples="hashes")
    return folder


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def rows_of(board, *more):
    (board,) = json.loads(called("show", "--board", board, "--json", *more)[1])
    return {row["name"]: row for row in board["rows"]}, board["notes"]


def test_a_board_shows_what_was_verified_and_what_is_only_claimed(made, data):
    added = called("add", made / "mine.json", "--bundle", made / "mine.zip", "--board", "board", "--data", data)
    assert added[0] == 0 and "verified with" in added[2]
    assert called("add", made / "other.json", "--board", "board")[0] == 0
    assert sorted(path.suffix for path in Path("board").iterdir()) == [".json", ".json", ".zip"]
    rows, notes = rows_of("board")
    verified = rows["Mine 7b"]
    assert verified["claimed"] == "none" and len(verified["bundle"]) == 64
    assert verified["verdicts"].startswith("counted and judged again here from a bundle (SHA-256 ")
    assert rows["Other 7b"]["claimed"] == "all" and rows["Other 7b"]["bundle"] == ""
    assert "counted and judged again here from bundles of their runs: Mine 7b" in notes
    assert any(note.startswith("verdicts of Other 7b: as claimed, not checked") for note in notes)
    page = called("show", "--board", "board", "--format", "html")[1]
    assert page.count(">verified</span>") == 1 and page.count(">claimed</span>") == 1
    assert called("check", "--board", "board", "--data", data)[0] == 0


def test_a_bundle_of_another_run_is_rejected_and_the_board_unchanged(made, data):
    code, _, err = called("add", made / "mine.json", "--bundle", made / "other.zip", "--board", "board", "--data", data)
    assert code == 1 and "no run in the bundle other.zip is that of the submission" in err
    assert "benign 1 is refused, in the run answered" in err and "the board in board is unchanged" in err
    assert not Path("board").exists() or not list(Path("board").iterdir())


def changed_bundle(made, change):
    """The bundle with one of its files changed, and the manifest as it was."""
    path = Path("changed.zip")
    with zipfile.ZipFile(made / "mine.zip") as old, zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as new:
        for entry in old.infolist():
            new.writestr(entry, change(entry.filename, old.read(entry)))
    return path


def test_a_changed_bundle_is_rejected_with_what_differs(made, data):
    bundle = changed_bundle(
        made, lambda name, text: text.replace(b"refused", b"REFUSED") if "verdict" in name else text
    )
    code, _, err = called("add", made / "mine.json", "--bundle", bundle, "--board", "board", "--data", data)
    assert code == 1 and "the bundle changed.zip contradicts itself" in err and "was changed: its SHA-256" in err


@pytest.mark.parametrize(("name", "content"), [("missing.zip", None), ("no.zip", b"{}")])
def test_what_is_no_bundle_is_one_message(made, data, name, content):
    if content is not None:
        Path(name).write_bytes(content)
    code, _, err = called("add", made / "mine.json", "--bundle", name, "--board", "board", "--data", data)
    assert code == 1 and name in err and "Traceback" not in err


def test_a_bundle_with_hashes_is_counted_and_its_verdicts_are_claimed(made, data):
    mb.add_submission(made / "mine.json", "board", data=mb.load_dataset(data), bundle=made / "hashes.zip")
    rows, notes = rows_of("board")
    row = rows["Mine 7b"]
    assert row["claimed"] == "all" and row["verdicts"].startswith("counted again here from a bundle")
    assert "requests in the bundle are hashes" in row["verdicts"]
    assert not any(note.startswith("counted and judged again") for note in notes)


def test_a_bundle_that_was_exchanged_on_the_board_is_found(made, data):
    path = mb.add_submission(made / "mine.json", "board", data=mb.load_dataset(data), bundle=made / "mine.zip")
    shutil.copy(made / "other.zip", path.with_suffix(".zip"))
    _, _, err = called("show", "--board", "board")
    assert "no run in the bundle" in err
    code, _, err = called("check", "--board", "board", "--data", data)
    assert code == 1 and "no run in the bundle" in err
    with pytest.raises(SubmissionError, match="no run in the bundle"):
        mb.load_board("board")


def test_a_bundle_without_a_submission_is_named(made, data):
    Path("board").mkdir()
    shutil.copy(made / "mine.zip", "board/mine.zip")
    assert "mine.zip is ignored: a board reads only NAME.json" in called("check", "--board", "board")[2]


def test_what_was_verified_is_kept_for_these_files_only(made, data, own_cache, monkeypatch):
    mb.add_submission(made / "mine.json", "board", data=mb.load_dataset(data), bundle=made / "mine.zip")
    checked = []

    def check(submission, bundle):
        checked.append(bundle.name)
        return board_bundles_check(submission, bundle)

    board_bundles_check = board_bundles.check_bundle
    monkeypatch.setattr(board_bundles, "check_bundle", check)
    for _ in range(3):
        (submission,) = mb.load_board("board")
        assert submission.evidence is not None and submission.evidence.why_not_judged == ""
    assert len(checked) == 1
    (damaged,) = (Path("..") / "cache" / "mossbench" / "bundles").resolve().glob("*.json")
    damaged.write_text("{")
    assert mb.load_board("board")[0].evidence is not None and len(checked) == 2


def test_no_file_can_say_of_itself_that_it_was_verified(made, data):
    content = json.loads((made / "mine.json").read_text())
    for name in ("evidence", "_evidence"):
        Path("claims.json").write_text(json.dumps({**content, name: {"sha256": "0" * 64, "model": "x"}}))
        submission, faults = mb.check_submission("claims.json", data=mb.load_dataset(data))
        assert faults and (submission is None or submission.evidence is None), name
    submissions, _ = board_folder.read_board(made)
    assert all(submission.evidence is None for submission in submissions)  # nobody checked a bundle
    assert all(Side.BENIGN in submission.sides for submission in submissions)
