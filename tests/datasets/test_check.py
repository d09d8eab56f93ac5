import json
import shutil
import time
from pathlib import Path

import pytest
from layouts import BENIGN, PUBLISHED, picture, write_json

from mossbench.datasets import Dataset, Severity, check_dataset, export_dataset, load_dataset
from mossbench.errors import DataError
from mossbench.samples import Sample

GOOD = {"id": "1", "question": "What grows here?", "image": "images/1.png"}


def by_code(findings):
    found = {}
    for finding in findings:
        found.setdefault(finding.code, []).append(finding)
    return found


def test_a_faultless_set_has_no_finding(own_folder):
    folder = own_folder(GOOD, pictures={"images/1.png": picture()})
    assert check_dataset(folder) == ()
    assert check_dataset(load_dataset(folder)) == ()


FAULTS = [  # code, is an error, rows beside GOOD, pictures beside its own, what is named
    ("missing-image", True, [{"id": "2", "question": "Why?", "image": "images/2.png"}], {}, ["benign/2"]),
    (
        "missing-image",
        True,
        [{"id": "2", "question": "Why?", "image": "images/1.png", "counterfactual": "images/x.png"}],
        {},
        ["benign/2"],
    ),
    ("no-image", False, [{"id": "2", "question": "Why?"}], {}, ["benign/2"]),
    ("stray-image", False, [], {"images/317.png": picture()}, ["images/317.png"]),
    (
        "wrong-suffix",
        False,
        [{"id": "2", "question": "Why?", "image": "images/2.png"}],
        {"images/2.png": picture("red", "WEBP")},
        ["benign/2"],
    ),
    (
        "unreadable-image",
        True,
        [{"id": "2", "question": "Why?", "image": "images/2.png"}],
        {"images/2.png": picture(size=(64, 64))[:-40]},
        ["benign/2"],
    ),
    (
        "unreadable-image",
        True,
        [{"id": "2", "question": "Why?", "image": "images/2.png"}],
        {"images/2.png": b""},
        ["benign/2"],
    ),
    ("duplicate-id", True, [{"id": "1", "question": "Why?", "image": "images/1.png"}], {}, ["benign/1"]),
    ("empty-question", True, [{"id": "2", "question": " ", "image": "images/1.png"}], {}, ["benign/2"]),
    ("missing-twin", False, [{"id": "2", "question": "Why?", "image": "images/1.png", "twin": "9"}], {}, ["benign/2"]),
    (
        "missing-twin",
        True,
        [{"id": "2", "side": "contrast", "question": "Why?", "image": "images/1.png", "twin": "9"}],
        {},
        ["contrast/2"],
    ),
    ("identical-samples", False, [GOOD | {"id": "2"}], {}, ["benign/1", "benign/2"]),
    ("malformed-row", True, [{"id": "2", "question": 12}], {}, ["line 2"]),
    ("unknown-column", False, [GOOD | {"id": "2", "question": "Why?", "descripton": "x"}], {}, []),
    (
        "own-labels",
        False,
        [{"id": "2", "question": "Why?", "harm": "medical"}, {"id": "3", "question": "So?", "harm": 2}],
        {},
        [],
    ),
    ("path-outside", True, [{"id": "2", "question": "Why?", "image": "../1.png"}], {}, ["benign/2"]),
    (
        "child-without-human",
        False,
        [{"id": "2", "question": "Why?", "image": "images/1.png", "child": True, "human": False}],
        {},
        ["benign/2"],
    ),
    (
        "human-not-set",
        False,
        [{"id": "2", "question": "Why?", "image": "images/1.png", "human": 0, "short_description": "A woman rows."}],
        {},
        ["benign/2"],
    ),
    (
        "child-not-set",
        False,
        [{"id": "2", "question": "Why?", "image": "images/1.png", "child": 0, "description": "Two girls row."}],
        {},
        ["benign/2"],
    ),
    (
        "empty-description",
        False,
        [{"id": "2", "question": "Why?", "image": "images/1.png", "description": "A boat."}],
        {},
        ["benign/1"],
    ),
    (
        "empty-short-description",
        False,
        [{"id": "2", "question": "Why?", "image": "images/1.png", "short_description": "A boat."}],
        {},
        ["benign/1"],
    ),
    (
        "description-is-file-name",
        False,
        [{"id": "2", "question": "Why?", "image": "images/1.png", "short_description": "Boat-On-Lake-800x600"}],
        {},
        ["benign/2"],
    ),
    (
        "same-descriptions",
        False,
        [
            {
                "id": "2",
                "question": "Why?",
                "image": "images/1.png",
                "short_description": "A boat",
                "description": "A boat",
            }
        ],
        {},
        ["benign/2"],
    ),
    (
        "short-description-differs",
        False,
        [
            {
                "id": "2",
                "question": "Why?",
                "image": "images/1.png",
                "short_description": "A bo",
                "description": "A boat",
            }
        ],
        {},
        ["benign/2"],
    ),
    (
        "negation-not-described",
        False,
        [{"id": "2", "question": "Why?", "image": "images/1.png", "stimulus": "type 2", "description": "Litter."}],
        {},
        ["benign/2"],
    ),
    ("no-end-mark", False, [{"id": "2", "question": "Say why", "image": "images/1.png"}], {}, ["benign/2"]),
]


@pytest.mark.parametrize(("code", "is_error", "rows", "pictures", "named"), FAULTS)
def test_each_kind_of_fault_is_found_and_named(own_folder, code, is_error, rows, pictures, named):
    folder = own_folder(GOOD, *rows, pictures={"images/1.png": picture()} | pictures)
    findings = check_dataset(folder)
    (finding,) = by_code(findings)[code]
    assert list(finding.samples) == named
    assert (finding.severity is Severity.ERROR) == is_error
    assert finding.message and finding.way_out
    json.dumps(finding.as_dict(), allow_nan=False)
    errors_first = [f.severity for f in findings]
    assert errors_first == sorted(errors_first, key=[Severity.ERROR, Severity.WARNING].index)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"short_description": "A skull of a human on a shelf", "human": False}, "human-not-set"),
        ({"description": "A student reads.", "child": False}, "child-not-set"),
        ({"stimulus": "type 2", "description": "Litter under a prohibition sign."}, "negation-not-described"),
        (
            {"stimulus": "type 2", "description": "Litter.", "oracle_description": "Crossed out."},
            "negation-not-described",
        ),
        ({"question": 'Who said "why?"'}, "no-end-mark"),
        ({"short_description": "A boat", "description": "Someone rows."}, "short-description-differs"),
    ],
)
def test_what_only_looks_like_a_fault_is_let_pass(own_folder, changes, code):
    folder = own_folder(GOOD | changes, pictures={"images/1.png": picture()})
    assert code not in by_code(check_dataset(folder))


def test_all_faulty_rows_of_a_broken_file_are_reported_at_once(tmp_path):
    file = tmp_path / "mine.jsonl"
    file.write_text(
        '{"question": "a?"}\n{\n{"question": 1}\n{"question": 2}\n{"question": "d?", "image": "1.png", "x": 1}\n{'
    )
    found = by_code(check_dataset(file))
    broken, typed = found["malformed-row"]  # each kind of fault once, with all rows that have it
    assert "line 2: not a JSON object" in broken.message and broken.samples == ("line 2", "line 6")
    assert "line 3: column 'question' has 1" in typed.message and "(the first of 2)" in typed.message
    assert typed.samples == ("line 3", "line 4")
    assert found["no-image"][0].samples == ("benign/1",)


def test_one_missing_column_is_one_finding(tmp_path):
    (tmp_path / "mine.csv").write_text("id,text\n" + "".join(f"{n},Why {n}?\n" for n in range(30)))
    (finding,) = check_dataset(tmp_path / "mine.csv")
    assert finding.code == "missing-column" and "'id', 'text'" in finding.message
    assert check_dataset(tmp_path / "mine.csv", columns={"question": "text"}) == ()


def test_a_dataset_made_by_hand_is_checked_for_duplicates_too(tmp_path):
    twice = Sample(id="1", question="Why?")
    assert "duplicate-id" in by_code(check_dataset(Dataset("hand", (twice, twice), tmp_path)))


def test_faults_of_a_published_layout_are_reported_at_once(tmp_path):
    folder = tmp_path / "copy"
    write_json(folder, BENIGN)
    file = folder / "images_information" / "information.json"
    content = json.loads(file.read_text())
    content["1"]["metadata"]["harm"] = [12]
    content["201"]["pid"] = "102"
    file.write_text(json.dumps(content))
    (folder / "images" / "317.png").write_bytes(picture())
    found = by_code(check_dataset(folder))
    assert set(found) >= {"malformed-row", "duplicate-id", "harm-as-list"}
    assert found["stray-image"][0].samples == ("images/1.png", "images/317.png")  # record 1 could not be read
    with pytest.raises(DataError):
        load_dataset(folder)


def test_an_edit_after_export_is_noticed(own_folder, tmp_path):
    out = export_dataset(load_dataset(own_folder(GOOD, pictures={"images/1.png": picture()})), tmp_path / "out")
    assert check_dataset(out) == ()
    (out / "images" / "benign" / "1.png").write_bytes(picture("blue"))
    assert [f.code for f in check_dataset(out)] == ["changed-since-export"]
    for text in ("{", "[]", '{"hashes": 3}', '{"name": "x"}'):  # a file of that name that is not of ours
        (out / "dataset.json").write_text(text)
        assert check_dataset(Dataset("x", (Sample(id="1", question="Why?", image="images/benign/1.png"),), out)) == ()


def test_what_is_no_dataset_at_all_is_an_error(tmp_path):
    with pytest.raises(DataError, match="holds no dataset"):
        check_dataset(tmp_path)


def ids(text):
    return tuple(f"benign/{id}" for id in text.split())


@pytest.fixture(scope="module")
def published_findings(published):
    start = time.process_time()
    findings = check_dataset(PUBLISHED)
    assert time.process_time() - start < 30
    return findings


def test_the_inconsistencies_of_the_published_set_are_counted(published_findings):
    benign = {f.code: f for f in published_findings if f.samples and f.samples[0].startswith("benign/")}
    assert {code: f.n for code, f in benign.items()} == {
        "harm-as-list": 300,
        "child-without-human": 26,
        "human-not-set": 42,
        "child-not-set": 5,
        "empty-description": 49,
        "empty-short-description": 4,
        "short-description-differs": 45,
        "same-descriptions": 206,
        "negation-not-described": 100,
        "description-is-file-name": 1,
        "no-end-mark": 5,
    }
    assert benign["child-without-human"].samples == ids(
        "1 2 3 4 6 7 8 15 17 24 35 37 43 47 59 74 80 81 82 83 84 85 88 95 98 100"
    )
    assert "22 of the requests mention a child" in benign["child-without-human"].message
    assert benign["child-not-set"].samples == ids("5 11 92 280 286")
    assert benign["empty-short-description"].samples == ids("255 263 265 269")
    assert benign["description-is-file-name"].samples == ids("52")
    assert benign["no-end-mark"].samples == ids("113 114 160 161 273")
    split = [
        sum(low < int(s.split("/")[1]) <= low + 100 for s in benign["human-not-set"].samples) for low in (0, 100, 200)
    ]
    assert split == [11, 24, 7]
    assert all(int(s.split("/")[1]) <= 100 for s in benign["short-description-differs"].samples)


def test_the_missing_picture_of_the_published_copy_is_its_only_error(published_findings):
    errors = [f for f in published_findings if f.severity is Severity.ERROR]
    assert [(f.code, f.samples) for f in errors] == [("missing-image", ("contrast/191",))]


def test_original_bytes_with_a_wrong_name_are_found(published, tmp_path):
    quirks: Path = PUBLISHED / "quirks"
    for file in quirks.iterdir():
        shutil.copy(file, tmp_path)
    rows = [{"id": file.stem, "question": "What is this?", "image": file.name} for file in sorted(quirks.iterdir())]
    (tmp_path / "metadata.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = by_code(check_dataset(tmp_path))
    assert [f.samples for f in found.pop("wrong-suffix")] == [("benign/webp-RGB-131",)]
    assert found.keys() <= {"identical-samples"}
