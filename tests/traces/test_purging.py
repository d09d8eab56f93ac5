"""A purge deletes every text of old traces, says what it deleted, and can be repeated after a kill."""

import csv
import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner
from logs import HELP, REFUSAL, assistant, data_uri, import_log, lines, user

import mossbench as mb
from mossbench.annotation.store import Store
from mossbench.cli import cli
from mossbench.errors import DataError
from mossbench.traces import purging
from mossbench.traces.folder import ANNOTATIONS, TracesFolder
from mossbench.traces.sorting import add_to_sort

OLD = "zanzibar"
"""A word of every text of the old traces."""


def run(*args):
    return CliRunner().invoke(cli, ["traces", *args])


def records():
    picture = {"type": "image_url", "image_url": {"url": data_uri()}}
    return [
        {
            "id": f"r{i}",
            "timestamp": "2026-01-01T10:00:00Z" if i < 10 else "2099-01-01T10:00:00Z",
            "metadata": {"moderation": "safe"},
            "messages": [
                user(f"How is thing {i}{f' in {OLD}' if i < 10 else ''}?", *([picture] if i == 3 else [])),
                assistant((REFUSAL if i % 2 else HELP) + (f" {OLD}" if i < 10 else "")),
            ],
        }
        for i in range(40)
    ]


@pytest.fixture
def used():
    """A folder with everything that commands and people leave: verdicts, notes, a labelled sheet, twins, a dataset."""
    folder = import_log([*records(), {OLD: "no known format", "x": OLD}])
    os.remove("log.jsonl")
    mb.sort_traces("traces", model=sorting_model, n=20)
    mb.sort_traces("traces", column="moderation")
    add_to_sort(folder, 40)
    store = Store(folder.path / ANNOTATIONS)
    ada = store.annotator(store.join("ada"))
    texts = {trace.asked: trace.request for trace in folder.traces()}
    while (item := store.next_item(ada)) is not None:
        note = f"It says: {texts[item.body['asked']]}"
        store.record(ada, item.ref, "label", {"harmfulness": "harmless"}, note)
    run("draw", "traces", "--n", "40", "--out", "rows.csv")
    fill_in("rows.csv")
    run("to-dataset", "traces", "--out", "cases", "--twins", "twins.csv")
    return folder


def sorting_model(prompt):
    return f'{{"reason": "it is on {OLD if OLD in prompt.request else "things"}", "harmfulness": "harmless"}}'


def fill_in(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["refused"] = "1"
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def files_with(word):
    return {str(path) for path in Path().rglob("*") if path.is_file() and word.encode() in path.read_bytes()}


def test_no_file_but_named_datasets_has_a_text_of_a_deleted_trace(used):
    with_old = {path.partition("/")[0] for path in files_with(OLD)}
    assert with_old == {"traces", "rows.csv", "twins.csv", "cases"}
    sorting = str(used.path / ANNOTATIONS)
    assert sorting in files_with(OLD)
    unread = TracesFolder.open("traces").path / "unread.jsonl"
    unread.write_text(unread.read_text().replace('"imported":"20', '"imported":"19'))  # as if imported long ago
    done = run("purge", "traces", "--older", "30d")
    assert done.exit_code == 0, done.output
    assert "deleted 10 traces" in done.output and "30 traces left" in done.output
    assert "1 unread line, 1 image, 10 verdicts" in done.output
    assert "10 notes" in done.output
    assert "deleted the texts of 15 rows in" in done.output
    assert "these datasets hold deleted requests" in done.output and str(Path("cases").resolve()) in done.output
    assert {path.partition("/")[0] for path in files_with(OLD)} == {"cases"}


def test_labels_of_deleted_traces_stay_as_counts(used):
    run("purge", "traces", "--older", "30d")
    with open("rows.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 40 and all(row["refused"] == "1" for row in rows)
    assert sum(row["response"] == "" for row in rows) == 10
    store = Store(used.path / ANNOTATIONS)
    labels = store.labels()
    assert len(labels) == 40 and sum(bool(label.note) for label in labels) == 30
    assert mb.rate_traces("traces", labels="rows.csv").n_labels == 30
    with pytest.raises(DataError, match="append-only"):
        with store._write() as db:
            db.execute("UPDATE events SET note = 'changed'")


@pytest.mark.parametrize("step", ["_delete_images", "_delete_notes", "purge_sheets", "_filtered"])
def test_a_purge_that_was_killed_is_finished_by_the_next_one(used, monkeypatch, step):
    def killed(*_args, **_options):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(purging, step, killed)
        with pytest.raises(KeyboardInterrupt):
            mb.purge_traces("traces", "30d")
    (used.path / ".traces.jsonl.new").write_text(OLD)
    mb.purge_traces("traces", "30d")
    left = {path for path in files_with(OLD) if not path.startswith("cases")}
    assert left == {str(used.path / "unread.jsonl")}  # read today
    with open("log.jsonl", "w") as file:
        file.write(lines(records()))
    assert mb.import_traces("log.jsonl", "traces").n_traces == 0
    again = mb.purge_traces("traces", "30d")
    assert (again.n_traces, again.n_left, again.n_notes, again.sheets.n_rows) == (0, 30, 0, 0)


def test_a_sheet_that_was_moved_is_named_once(used):
    os.rename("rows.csv", "elsewhere.csv")
    with open("twins.csv", "w") as file:
        file.write("torn")
    done = run("purge", "traces", "--older", "30d")
    assert "not found or not read, may still hold texts" in done.output
    assert str(Path("rows.csv").resolve()) in done.output and str(Path("twins.csv").resolve()) in done.output
    assert "rows.csv" not in run("purge", "traces", "--older", "30d").output


def test_what_holds_requests_of_users_is_for_their_owner_alone(used):
    assert stat.S_IMODE(os.stat("cases").st_mode) == 0o700
    for name in ("rows.csv", "twins.csv", used.path / "traces.json", used.path / ANNOTATIONS):
        assert stat.S_IMODE(os.stat(name).st_mode) == 0o600, name
