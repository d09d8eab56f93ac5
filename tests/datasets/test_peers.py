"""Peers' sets by name: each is fetched from a loopback home through the real client, and read as it has to be."""

import json
import re
import shutil
from collections import Counter
from contextlib import contextmanager

import pytest
from click.testing import CliRunner
from github_server import GitHub, serve_github
from hub_server import Hub, serve
from huggingface_hub import close_session, constants
from huggingface_hub.utils import disable_progress_bars
from peer_rows import MADE

from mossbench.cli import cli
from mossbench.datasets import DATASETS, check_dataset, fetching, list_datasets, load_dataset, peers
from mossbench.datasets.copying import Copying, copying_of
from mossbench.datasets.hub import missing_pictures
from mossbench.datasets.official import LICENCE as OFFICIAL_LICENCE
from mossbench.datasets.peers import NAMES, peer_folder, read_peer
from mossbench.errors import DataError, n_of
from mossbench.reports.bundles import COPYABLE_LICENCES
from mossbench.samples import Side

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@contextmanager
def home_of(name, files, **how):
    """The home of a set, on loopback, with these files."""
    peer = read_peer(name)
    host, _, repository = peer.home.partition(":")
    commit = peer.revision or COMMIT
    with pytest.MonkeyPatch.context() as patch:
        if host == "github":
            with serve_github(GitHub(repository, commit, files, **how)) as github:
                patch.setattr(fetching, "API", github.url)
                patch.setattr(fetching, "RAW", github.url)
                yield github
        else:
            with serve(Hub(files, revisions=("main", commit), repository=repository, commit=commit, **how)) as hub:
                patch.setattr(constants, "ENDPOINT", hub.endpoint)
                patch.setattr(constants, "HF_HUB_DISABLE_XET", True)
                patch.setattr(constants, "HF_HUB_DISABLE_TELEMETRY", True)
                url = f"{hub.endpoint}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
                patch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", url)
                disable_progress_bars()
                try:
                    yield hub
                finally:
                    close_session()  # else its connections are found open by a later test


def place(name, images):
    for path, data in images.items():
        target = peer_folder(name) / "images" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def fetch(name):
    made = MADE[name]()
    place(name, made.by_hand)
    with home_of(name, made.files):
        return made, fetching.fetch_peer(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(MADE))
def test_a_set_is_fetched_and_its_rows_become_samples(name):
    made, dataset = fetch(name)
    asked = {side: [s.question for s in dataset if s.side is side] for side in Side}
    assert sorted(asked[Side.BENIGN]) == sorted(made.harmless)
    assert sorted(asked[Side.CONTRAST]) == sorted(made.harmful)
    # An id is what the set gives, or file, row and a hash of the request.
    bare = {s.key: re.sub(r"-[0-9a-f]{8}$", "", s.id) for s in dataset}
    twins = [(bare[s.key], bare[dataset.twin_of(s).key]) for s in dataset.select("benign") if dataset.twin_of(s)]
    assert sorted(twins) == sorted(made.twins)
    assert all(dataset.twin_of(dataset.twin_of(s)) == s for s in dataset if s.twin)
    sizes = Counter(s.cluster for s in dataset if s.cluster is not None)
    assert sorted(n for n in sizes.values() if n > 1) == sorted(made.clusters)
    columns = next(iter(dataset)).metadata
    assert {column: str(columns[column]) for column in made.columns} == made.columns
    for reason, n in made.left_out.items():
        assert f"{name}: {n_of(n, 'record')} left out: {reason}" in dataset.notes
    assert sum("left out" in note for note in dataset.notes) == len(made.left_out)
    it_loads_by_name_without_a_network_and_holds_no_error(name, dataset)


def it_loads_by_name_without_a_network_and_holds_no_error(name, dataset):
    again = load_dataset(name)
    peer = read_peer(name)
    assert again == dataset and again.version.startswith(f"{name} ")
    assert missing_pictures(again) == []
    assert again.revision == (peer.revision or COMMIT) and again.source == peer.home
    assert any("not pinned" in note for note in again.notes) == (not peer.revision)
    assert all((s.image is None) == (peer.modality == "text") for s in again)
    assert [one.message for one in check_dataset(again) if one.severity == "error"] == []
    record = json.loads((peer_folder(name) / "fetched.json").read_text())
    assert record["files"] and all(re.fullmatch("[0-9a-f]{64}", digest) for digest in record["files"].values())
    assert next(row for row in list_datasets() if row["name"] == name)["state"] == "fetched"


def test_every_set_that_can_be_fetched_has_rows_here_and_the_others_say_so():
    assert {name for name in NAMES if read_peer(name).layout != "not verified"} == set(MADE)
    for name in set(NAMES) - set(MADE):
        with pytest.raises(DataError, match="the layout of its files at https://huggingface.co/"):
            fetching.fetch_peer(name)
        assert next(row for row in list_datasets() if row["name"] == name)["state"] == "layout not verified"
    assert {"sketches", "official", *NAMES} == set(DATASETS)


ONLY_REQUESTS = {"lvlm-safer", "msts", "vlsbench"}
NO_COPIES = {
    "holisafe",
    "mmsafeaware",
    "mssbench",
    "oktest",
    "orfuzz",
    "sorry-bench",
    "visual-refusal-gap",
    "vlguard",
}


def test_what_may_be_passed_on_of_every_set_that_ships():
    for name in NAMES:
        expected = Copying.REQUESTS if name in ONLY_REQUESTS else Copying.ALL
        assert read_peer(name).copying is (Copying.NOTHING if name in NO_COPIES else expected), name
    sketches = load_dataset("sketches")
    assert copying_of(sketches.copying, sketches.licence) is Copying.ALL
    assert copying_of(None, OFFICIAL_LICENCE) is Copying.ALL


def test_what_is_stated_counts_and_not_the_words_of_the_licence():
    assert copying_of(Copying.NOTHING, "MIT") is Copying.NOTHING
    assert copying_of("all", "no copies without credit") is Copying.ALL


@pytest.mark.parametrize("name", NAMES)
def test_every_file_about_a_set_is_whole(name):
    peer = read_peer(name)
    assert peer.revision or peer.layout != "opened", "what was opened was opened at a revision"
    assert peer.copying is copying_of(None, f"{peer.licence}: {peer.permits}"), "the licence says what it permits"
    assert all(text.strip() == text and text for text in (peer.title, peer.what, peer.citation, *peer.faults))
    passed_on = COPYABLE_LICENCES.match(f"{peer.licence}: {peer.permits}")  # what a bundle would copy: texts, no images
    assert bool(passed_on) == (peer.copying is not Copying.NOTHING), "a bundle reads it so"
    used = {part.file.removesuffix(".jsonl") if ".parquet" in part.file else part.file for part in peer.parts}
    assert all(any(file == one or "*" in one for one in peer.files) for file in used)
    for part in peer.parts:
        re.compile(part.pattern)
        assert part.sides or part.side in set(Side)


def test_a_set_that_is_not_fetched_says_how():
    with pytest.raises(DataError) as raised:
        load_dataset("xstest")
    assert "XSTest, licence CC-BY-4.0" in str(raised.value) and "fetch_dataset('xstest')" in str(raised.value)
    assert "write './xstest'" in str(raised.value)


def test_a_folder_of_that_name_still_loads(small):
    small.rename("xstest")
    assert len(load_dataset("./xstest")) == 12


def test_images_that_no_program_can_fetch_are_asked_for():
    made = MADE["siuo"]()
    with home_of("siuo", made.files), pytest.raises(DataError, match="but not its images: 1 file missing") as raised:
        fetching.fetch_peer("siuo")
    assert str(peer_folder("siuo") / "images" / "S-01.png") in str(raised.value)
    assert "https://github.com/sinwang20/SIUO" in str(raised.value)
    assert next(row for row in list_datasets() if row["name"] == "siuo")["state"] == "images missing"
    place("siuo", made.by_hand)
    assert len(load_dataset("siuo")) == 1


def test_a_download_that_breaks_off_leaves_nothing_in_place_and_goes_on_later():
    made = MADE["mmsafeaware"]()
    with home_of("mmsafeaware", made.files, cut={"1153.png"}) as github:
        with pytest.raises(DataError, match=r"cannot fetch .*1153\.png: IncompleteRead.*resume it with: fetch_dataset"):
            fetching.fetch_peer("mmsafeaware")
        with pytest.raises(DataError, match="is not fetched"):
            load_dataset("mmsafeaware")
        here = {path.name for path in peer_folder("mmsafeaware").rglob("*") if path.is_file()}
        github.cut.clear()
        github.requests.clear()
        assert len(fetching.fetch_peer("mmsafeaware")) == 8
        assert "data/images2/1153.png" in github.fetched()
        assert not {name.rpartition("/")[2] for name in github.fetched()} & here


@pytest.mark.slow
def test_a_hub_download_that_breaks_off_leaves_nothing_in_place_and_goes_on_later():
    made = MADE["or-bench"]()
    with home_of("or-bench", made.files, cut={"or-bench-toxic.csv"}) as hub:
        with pytest.raises(DataError, match="cannot fetch bench-llm/or-bench.*resume it with: fetch_dataset"):
            fetching.fetch_peer("or-bench")
        with pytest.raises(DataError, match="is not fetched"):
            load_dataset("or-bench")
        hub.cut.clear()
        assert len(fetching.fetch_peer("or-bench")) == 3


def test_a_gated_set_says_where_to_accept_its_terms():
    with home_of("holisafe", MADE["holisafe"]().files, gated=True) as hub, pytest.raises(DataError) as raised:
        fetching.fetch_peer("holisafe")
    assert f"is gated: log in at {hub.endpoint}/datasets/etri-vilab/holisafe-bench, accept its terms" in str(
        raised.value
    )
    assert "HF_TOKEN" in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"status": 404}, "cannot fetch .*HTTP Error 404"),
        ({"status": 403}, "cannot fetch .*HTTP Error 403"),
        ({"truncated": True}, "cannot use GitHub.s list"),
        ({"listing": b"<html>"}, "cannot use GitHub.s list"),
        ({"listing": b"{}"}, "cannot use GitHub.s list"),
        ({"changed": {"xstest_prompts.csv": b"other"}}, "was damaged during the download"),
        (
            {"files": {"README.md": b"moved"}},
            "has no file 'xstest_prompts.csv'; fetch the revision with the expected layout with: fetch_dataset.*d7bb",
        ),
        ({"files": {"xstest_prompts.csv": b"id,text\n1,x\n"}}, "does not have the expected layout .*KeyError"),
        ({"files": {"xstest_prompts.csv": b"id,prompt,type,label,focus\n"}}, "has no record that can be read"),
        (
            {"files": {"xstest_prompts.csv": b"id,prompt,type,label,focus\n1,a,x,safe,\n1,b,x,safe,\n"}},
            "two benign samples",
        ),
    ],
)
def test_a_home_that_is_not_as_it_was_is_one_message_and_puts_nothing_in_place(how, said):
    files = how.pop("files", None) or MADE["xstest"]().files
    with home_of("xstest", files, **how), pytest.raises(DataError, match=said) as raised:
        fetching.fetch_peer("xstest")
    assert "\n" not in str(raised.value)
    assert next(row for row in list_datasets() if row["name"] == "xstest")["state"] == "not fetched"


def test_a_file_that_would_lie_outside_is_not_fetched():
    outside = b'{"tree": [{"path": "data/../../../x.json", "type": "blob", "sha": "0"}], "truncated": false}'
    with (
        home_of("lvlm-safer", {}, listing=outside) as github,
        pytest.raises(DataError, match="a path outside the repository"),
    ):
        fetching.fetch_peer("lvlm-safer")
    assert github.fetched() == []


def test_a_new_revision_that_cannot_be_read_leaves_the_old_one_in_place():
    _, dataset = fetch("xstest")
    with home_of("xstest", {"xstest_prompts.csv": b"id,text\n1,x\n"}) as github:
        github.commit = COMMIT
        with pytest.raises(DataError, match="the expected layout"):
            fetching.fetch_peer("xstest", revision="v2")
    assert load_dataset("xstest") == dataset


def test_another_revision_is_recorded_and_said():
    made = MADE["xstest"]()
    with home_of("xstest", made.files) as github:
        github.commit = COMMIT
        dataset = fetching.fetch_peer("xstest", revision="v2")
    assert dataset.revision == COMMIT
    assert f"xstest: not pinned to a revision; fetched at {COMMIT}" in dataset.notes


def test_a_file_that_was_changed_is_not_read():
    fetch("oktest")
    (path,) = peer_folder("oktest").rglob("OKTest.csv")
    path.write_bytes(path.read_bytes() + b'"one more?"\r\n')
    with pytest.raises(DataError, match="has changed since it was fetched"):
        load_dataset("oktest")


def test_two_who_fetch_at_once_do_not_meet():
    from mossbench.errors import RunError
    from mossbench.plumbing.locks import locked

    with locked(peer_folder("oktest") / ".lock", ""), pytest.raises(RunError, match="being fetched by another process"):
        fetching.fetch_peer("oktest")


def test_a_damaged_record_is_said():
    fetch("oktest")
    (peer_folder("oktest") / "fetched.json").write_text("{")
    with pytest.raises(DataError, match=r"fetched\.json is damaged; delete it"):
        load_dataset("oktest")


def test_counts_that_differ_from_those_known_are_said():
    _, dataset = fetch("oktest")
    assert "oktest: 2 harmless samples; 300 were counted when its layout was read" in dataset.notes


@pytest.mark.slow
def test_the_way_from_the_command_to_a_table_over_sets(tmp_path, small):
    def mossbench(*arguments):
        done = CliRunner().invoke(cli, list(map(str, arguments)))
        assert done.exit_code == 0, done.output
        return done

    with home_of("xstest", MADE["xstest"]().files):
        said = mossbench("data", "fetch", "xstest").stdout
    assert "16 samples at revision d7bb5bd738c1fcbc36edd83d5e7d1b71a3e2d84d" in said
    assert "Licence: CC-BY-4.0: use, copies and changes with credit" in said and "Note: xstest: twins are by" in said
    run = mossbench("run", "--model", "control/jumpy", "--data", "xstest", "--out", "on-xstest", "--no-report")
    assert "note: xstest: twins are by place" in run.stderr
    info = json.loads((tmp_path / "work/on-xstest/run.json").read_text())
    assert info["config"]["data"] == "xstest" and info["dataset"]["revision"].startswith("d7bb5bd")
    assert "real_group_nons_discr" in mossbench("results", "show", "on-xstest", "--by", "type").stdout
    mossbench("run", "--model", "control/jumpy", "--data", small, "--out", "on-small", "--no-report")
    table = mossbench("results", "sets", "on-xstest", "on-small").stdout
    assert "xstest" in table and "small" in table and "read each line by itself" in table
    assert mossbench("run", "--resume", "on-xstest", "--no-report").exit_code == 0
    sent = mossbench("submit", "on-xstest", "--availability", "open", "--out", "mine.json").stderr
    assert "leaderboard add mine.json --board DIR --data xstest" in sent
    mossbench("leaderboard", "add", "mine.json", "--board", "board", "--data", "xstest")
    assert mossbench("data", "describe", "xstest").stdout.startswith("xstest benign@")


def test_a_table_of_one_s_own_with_a_peer_s_name_is_not_taken_for_it(tmp_path):
    import mossbench as mb

    path = tmp_path / "xstest.jsonl"
    path.write_text('{"question": "Where is it?"}\n')
    run = mb.run("control/candid", load_dataset(path), out="own")
    assert run.info.config.data == str(path)
    assert len(mb.resume_run("own")) == 1


BROKEN = {
    "a key missing": (lambda text: re.sub(r"(?m)^title = .*$", "", text), "title is missing"),
    "a key too many": (lambda text: f"tittle = 3\n{text}", "tittle is 3, but there is no field of this name"),
    "another kind": (lambda text: re.sub(r"(?m)^copies = .*$", 'copies = "perhaps"', text), "copies is 'perhaps'"),
    "no TOML": (lambda text: "title = ", "Invalid value"),
    "deep": (lambda text: "a = " + "[" * 100_000, "nested too deeply"),
    "not UTF-8": (lambda text: "\udcff", "utf-8"),
    "nothing": (lambda text: "", "is missing"),
    "its name": (lambda text: f'name = "other"\n{text}', "name"),
}


@pytest.fixture
def files_about_sets(tmp_path, monkeypatch):
    """A copy of the files about sets that a test may break."""
    shutil.copytree(peers.FOLDER, tmp_path / "peers")
    monkeypatch.setattr(peers, "FOLDER", tmp_path / "peers")
    read_peer.cache_clear()
    yield tmp_path / "peers"
    read_peer.cache_clear()


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_file_about_a_set_hides_no_other_set(how, files_about_sets):
    change, reason = BROKEN[how]
    whole = {row["name"]: row for row in list_datasets()}
    read_peer.cache_clear()
    path = files_about_sets / f"{NAMES[0]}.toml"
    path.write_bytes(change(path.read_text("utf-8")).encode("utf-8", "surrogateescape"))
    found = {row["name"]: row for row in list_datasets()}
    broken = found.pop(NAMES[0])
    assert broken["state"] == "cannot be read" and reason in str(broken["fault"]) and path.name in str(broken["fault"])
    assert found == {name: row for name, row in whole.items() if name != NAMES[0]}
    done = CliRunner().invoke(cli, ["data", "list"])
    assert done.exit_code == 0 and all(name in done.stdout for name in whole)
    told = " ".join(done.stderr.split())
    assert f"{NAMES[0]} cannot be read: " in told and "pydantic" not in told
    assert json.loads(CliRunner().invoke(cli, ["data", "list", "--json"]).stdout)[0]["name"] == "sketches"
    for args in (["data", "fetch", NAMES[0]], ["data", "describe", NAMES[0]], ["run", "--data", NAMES[0]]):
        done = CliRunner().invoke(cli, args)
        assert done.exit_code == 1 and path.name in " ".join(done.output.split()), done.output


def test_a_damaged_record_of_what_was_fetched_hides_no_other_set():
    peer_folder(NAMES[0]).mkdir(parents=True)
    for damaged in ("{", "[" * 100_000, '{"home": 3}', ""):
        (peer_folder(NAMES[0]) / "fetched.json").write_text(damaged)
        found = {row["name"]: row for row in list_datasets()}
        assert len(found) == len(DATASETS) and found[NAMES[0]]["state"] == "cannot be read"
        assert found[NAMES[0]]["title"] and "is damaged; delete it" in str(found[NAMES[0]]["fault"])
        assert CliRunner().invoke(cli, ["data", "list"]).exit_code == 0


@pytest.mark.parametrize("name", ["oktest", "or-bench"])
def test_a_description_of_ones_own_is_fetched_as_ours_are(name):
    shutil.copy(peers.FOLDER / f"{name}.toml", "own.toml")
    with pytest.raises(DataError, match=r"'own.toml' \(.*\) is not fetched.*fetch_dataset\('own.toml'\)"):
        load_dataset("own.toml")
    with home_of(name, MADE[name]().files):
        done = CliRunner().invoke(cli, ["data", "fetch", "own.toml"])
    assert done.exit_code == 0, done.output
    own = load_dataset("own.toml")
    assert [sample.question for sample in own] and own.revision == (read_peer(name).revision or COMMIT)
    assert own.source == read_peer(name).home and not (peer_folder(name) / "fetched.json").exists()
