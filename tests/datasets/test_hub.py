"""The real hub client, in a process of its own, against a hub on loopback."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from hub_server import COMMIT, Hub, read_files, serve
from layouts import write_hub

from mossbench.datasets import load_dataset
from small_release import write_facts, write_release
from waiting import LONG

CLI = "from mossbench.cli import main; main()"
WITH_FACTS = (
    "import sys; from pathlib import Path; from small_release import use_facts; use_facts(Path(sys.argv.pop()))"
)
"""Before the command: the published sets are those of a small release, whose facts the last argument names."""
TABLES = {"images/metadata.csv", "contrast_images/metadata.csv"}
PICTURES = {f"images/{id}.png" for id in (1, 101, 102, 201)} | {f"contrast_images/{id}.png" for id in (1, 101)}


@pytest.fixture
def hub(tmp_path):
    write_hub(tmp_path / "repository")
    files = read_files(tmp_path / "repository") | {"README.md": b"# card", "images.zip": b"zip" * 100}
    # Equal bytes are stored once and fetched once: each file gets its own, so that requests can be counted.
    files |= {name: data + name.encode() for name, data in files.items() if name.endswith(".png")}
    with serve(Hub(files)) as hub:
        yield hub


@pytest.fixture
def mossbench(tmp_path):
    def run(endpoint, *arguments, facts=None, **variables):
        home = tmp_path / "hub-home"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
        environment |= {"HF_HOME": str(home), "HF_ENDPOINT": endpoint, "HF_HUB_DISABLE_TELEMETRY": "1"}
        environment |= {"HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1", "NO_PROXY": "127.0.0.1"}
        command = [sys.executable, "-c", CLI, "data", *arguments]
        if facts is not None:
            command = [sys.executable, "-c", f"{WITH_FACTS}; {CLI}", "data", *arguments, str(facts)]
            environment["PYTHONPATH"] = str(Path(__file__).parents[1])
        return subprocess.run(command, env=environment | variables, capture_output=True, text=True, timeout=LONG)

    return run


def message(done):
    """The one line that the command ended with; no traceback and no result."""
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("mossbench: ")]
    return line


@pytest.mark.slow
def test_the_first_load_downloads_and_later_ones_need_no_network(hub, mossbench, tmp_path):
    first = mossbench(hub.endpoint, "describe", "official", "--json")
    assert first.returncode == 0, first.stderr
    described = json.loads(first.stdout)
    assert described["revision"] == COMMIT
    assert described["source"] == "hub:AIcell/MOSSBench"
    assert [side["n"] for side in described["sides"]] == [4, 2]
    assert set(hub.fetched()) == TABLES | PICTURES  # neither the archive nor the card
    snapshot = tmp_path / "hub-home" / "hub" / "datasets--AIcell--MOSSBench" / "snapshots" / COMMIT
    assert described["version"].partition(" ")[2] == load_dataset(snapshot).version.partition(" ")[2]
    assert described["name"] == f"MOSSBench-{COMMIT[:7]}"  # not the published samples, so not `official`

    hub.requests.clear()
    assert mossbench(hub.endpoint, "describe", "official", "--json").stdout == first.stdout
    assert mossbench("http://127.0.0.1:9", "describe", "official", "--json").stdout == first.stdout
    assert mossbench(hub.endpoint, "describe", "official", "--json", HF_HUB_OFFLINE="1").stdout == first.stdout
    assert hub.requests == []


@pytest.mark.slow
def test_fetch_asks_the_hub_and_takes_only_what_is_not_here(hub, mossbench):
    assert mossbench(hub.endpoint, "fetch", "--json").returncode == 0
    hub.requests.clear()
    again = json.loads(mossbench(hub.endpoint, "fetch", "official", "--revision", "main", "--json").stdout)
    assert (again["revision"], again["n"]) == (COMMIT, 6)
    assert "not for training" in again["licence"]
    assert hub.requests != [] and hub.fetched() == []


@pytest.mark.slow
def test_a_download_that_breaks_off_is_said_and_goes_on_later(hub, mossbench):
    hub.cut = {"images/201.png"}
    said = message(mossbench(hub.endpoint, "describe", "official"))
    assert (
        "cannot fetch AIcell/MOSSBench" in said and "try again (it resumes) with: mossbench data fetch official" in said
    )
    assert "no complete copy is cached" in message(mossbench("http://127.0.0.1:9", "describe", "official"))

    hub.cut = set()
    done = set(hub.fetched()) - {"images/201.png"}
    hub.requests.clear()
    assert mossbench(hub.endpoint, "describe", "official").returncode == 0
    assert "images/201.png" in hub.fetched()
    assert set(hub.fetched()).isdisjoint(done)


@pytest.mark.slow
def test_a_file_that_the_hub_lists_and_lacks_is_named(hub, mossbench):
    hub.gone = {"images/201.png"}
    assert "lists the file images/201.png but does not have it" in message(mossbench(hub.endpoint, "fetch"))


@pytest.mark.slow
def test_a_picture_that_the_table_names_and_the_hub_does_not_list_is_named(hub, mossbench):
    del hub.files["images/201.png"]
    said = message(mossbench(hub.endpoint, "describe", "official"))
    assert "has 1 missing image; the first is images/201.png" in said


@pytest.mark.slow
def test_a_hub_dataset_without_a_table_is_said(hub, mossbench):
    for table in TABLES:
        del hub.files[table]
    assert "has no table of samples" in message(mossbench(hub.endpoint, "fetch"))


@pytest.mark.slow
def test_an_unknown_revision_is_named(hub, mossbench):
    said = message(mossbench(hub.endpoint, "fetch", "--revision", "v9"))
    assert "has no revision 'v9'" in said


@pytest.mark.slow
def test_no_network_and_no_copy_is_one_message_with_the_ways_out(mossbench):
    said = message(mossbench("http://127.0.0.1:9", "describe", "official"))
    assert "cannot fetch AIcell/MOSSBench from http://127.0.0.1:9, and no complete copy is cached" in said
    assert "HF_ENDPOINT" in said and "--data PATH/TO/FOLDER" in said


@pytest.mark.slow
def test_offline_nothing_is_to_be_tried_again_and_the_variable_is_named(mossbench):
    said = message(mossbench("http://127.0.0.1:9", "describe", "official", HF_HUB_OFFLINE="1"))
    assert "HF_HUB_OFFLINE is set. Unset HF_HUB_OFFLINE" in said and "--data PATH/TO/FOLDER" in said
    assert "again" not in said and "mirror" not in said
    said = message(mossbench("http://127.0.0.1:9", "fetch", "--revision", "zzz", HF_HUB_OFFLINE="1"))
    assert "AIcell/MOSSBench at revision 'zzz'" in said and "Unset HF_HUB_OFFLINE" in said
    said = message(mossbench("http://127.0.0.1:9", "fetch", "holisafe", HF_HUB_OFFLINE="1"))
    assert "HF_HUB_OFFLINE is set. Unset HF_HUB_OFFLINE" in said


@pytest.mark.slow
def test_a_revision_that_cannot_be_fetched_is_named(mossbench):
    said = message(mossbench("http://127.0.0.1:9", "fetch", "--revision", "zzz"))
    assert "cannot fetch AIcell/MOSSBench at revision 'zzz' from http://127.0.0.1:9" in said
    assert "with: mossbench data fetch official --revision zzz" in said


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"private": True}, "does not exist, or needs a token"),
        pytest.param({"status": 500}, "500", marks=pytest.mark.slow),
        pytest.param({"status": 403}, "403", marks=pytest.mark.slow),
    ],
)
def test_a_hub_that_refuses_is_one_message(hub, mossbench, fault, said):
    for name, value in fault.items():
        setattr(hub, name, value)
    assert said in message(mossbench(hub.endpoint, "fetch"))


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_is_one_message(hub, mossbench, tmp_path):
    (tmp_path / "file").write_text("")
    said = message(mossbench(hub.endpoint, "fetch", HF_HUB_CACHE=str(tmp_path / "file" / "cache")))
    assert "cannot store" in said and "set HF_HOME to another folder" in said


@pytest.mark.slow
def test_a_hub_that_never_answers_is_said_in_time(tmp_path):
    code = (
        "import mossbench.datasets.hub as hub; hub._PATIENCE = 0.5\n"
        "from mossbench.cli import main; import sys; sys.argv[1:] = ['data', 'fetch']; main()"
    )
    with socket.create_server(("127.0.0.1", 0)) as silent:  # accepts, and says nothing
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}"
        environment = os.environ | {"HF_HOME": str(tmp_path), "HF_ENDPOINT": endpoint, "HF_HUB_DISABLE_TELEMETRY": "1"}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=LONG
        )
    assert "no answer within 0.5 s" in message(done)


@pytest.fixture
def published_hub(tmp_path):
    """A hub whose dataset is what is known as the published set."""
    root = write_release(tmp_path / "release")
    facts = write_facts(root, tmp_path / "facts.csv")
    (root / "data").rename(root / "oversensitivity")
    (root / "data_contrast").rename(root / "contrast")
    with serve(Hub(read_files(root))) as hub:
        yield hub, facts


OTHER = "fedcba9876543210fedcba9876543210fedcba98"


def moved(hub, changes):
    """The hub has another commit now, in which some files have changed."""
    hub.commit = OTHER
    hub.revisions = ("main", OTHER, COMMIT)
    hub.files |= {name: change(hub.files[name]) for name, change in changes.items()}


@pytest.mark.slow
def test_what_was_fetched_is_recognised_as_the_published_set(published_hub, mossbench):
    hub, facts = published_hub
    fetched = json.loads(mossbench(hub.endpoint, "describe", "official", "--json", facts=facts).stdout)
    assert (fetched["name"], fetched["revision"]) == ("official", COMMIT)
    assert fetched["copies"] == {"benign": "release", "contrast": "release"}


@pytest.mark.slow
def test_another_commit_with_the_same_samples_replaces_the_one_in_use(published_hub, mossbench):
    hub, facts = published_hub
    assert mossbench(hub.endpoint, "fetch", facts=facts).returncode == 0
    table = "oversensitivity/images_information/information.json"
    moved(hub, {table: lambda data: data + b"\n"})
    # What is in use stays in use until somebody asks the hub.
    described = json.loads(mossbench(hub.endpoint, "describe", "official", "--json", facts=facts).stdout)
    assert described["revision"] == COMMIT
    again = json.loads(mossbench(hub.endpoint, "fetch", "--json", facts=facts).stdout)
    assert again["revision"] == OTHER
    assert "a new commit" in again["notes"][-1] and "the same samples" in again["notes"][-1]


@pytest.mark.slow
def test_another_commit_with_other_samples_is_said_and_not_used(published_hub, mossbench):
    hub, facts = published_hub
    assert mossbench(hub.endpoint, "fetch", facts=facts).returncode == 0
    table = "oversensitivity/images_information/information.json"
    moved(hub, {table: lambda data: data.replace(b"look after number 1?", b"look after number one?")})
    again = json.loads(mossbench(hub.endpoint, "fetch", "--json", facts=facts).stdout)
    assert again["revision"] == COMMIT
    assert f"the hub has a new commit, {OTHER}" in again["notes"][-1]
    assert "benign/1: the request differs" in again["notes"][-1]
    described = json.loads(mossbench(hub.endpoint, "describe", "official", "--json", facts=facts).stdout)
    assert (described["name"], described["revision"]) == ("official", COMMIT)
    # Whoever names the other commit gets it, under a name of its own.
    named = json.loads(mossbench(hub.endpoint, "fetch", "--revision", OTHER, "--json", facts=facts).stdout)
    assert named["revision"] == OTHER and named["dataset"].startswith("MOSSBench-fedcba9 ")


@pytest.mark.slow
def test_what_was_deleted_from_the_cache_is_fetched_at_the_commit_in_use(published_hub, mossbench, tmp_path):
    hub, facts = published_hub
    assert mossbench(hub.endpoint, "fetch", facts=facts).returncode == 0
    cached = tmp_path / "hub-home" / "hub" / "datasets--AIcell--MOSSBench"
    (cached / "snapshots" / COMMIT / "oversensitivity/images/1.png").unlink()
    hub.revisions = ("main", COMMIT)
    described = json.loads(mossbench(hub.endpoint, "describe", "official", "--json", facts=facts).stdout)
    assert described["revision"] == COMMIT and described["copies"]["benign"] == "release"


@pytest.mark.slow
def test_a_damaged_table_in_the_cache_is_fetched_again(published_hub, mossbench, tmp_path):
    hub, facts = published_hub
    assert mossbench(hub.endpoint, "fetch", facts=facts).returncode == 0
    snapshot = tmp_path / "hub-home/hub/datasets--AIcell--MOSSBench/snapshots" / COMMIT
    table = (snapshot / "contrast/images_information/information.json").resolve()
    table.write_bytes(table.read_bytes()[:40])
    again = mossbench(hub.endpoint, "fetch", "--json", facts=facts)
    assert again.returncode == 0, again.stderr
    described = json.loads(mossbench(hub.endpoint, "describe", "official", "--json", facts=facts).stdout)
    assert described["copies"] == {"benign": "release", "contrast": "release"}


@pytest.mark.slow
@pytest.mark.parametrize("lost", ["the table of one side", "an image in the cache"])
def test_what_is_in_use_is_not_replaced_by_less(published_hub, mossbench, tmp_path, lost):
    hub, facts = published_hub
    assert mossbench(hub.endpoint, "fetch", facts=facts).returncode == 0
    before = dict(hub.files)
    if lost == "the table of one side":
        moved(hub, {})
        hub.files = {name: data for name, data in hub.files.items() if not name.startswith("contrast/")}
    else:
        moved(hub, {"oversensitivity/images_information/information.json": lambda data: data.replace(b"1?", b"one?")})
        cached = tmp_path / "hub-home/hub/datasets--AIcell--MOSSBench/snapshots" / COMMIT
        (cached / "oversensitivity/images/2.png").unlink()
    hub.older[COMMIT] = before
    again = mossbench(hub.endpoint, "fetch", "--json", facts=facts)
    assert again.returncode == 0, again.stderr
    content = json.loads(again.stdout)
    assert content["revision"] == COMMIT and "stays in use" in content["notes"][-1]
