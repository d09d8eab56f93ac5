"""A table that a user names is the one that is read; the others beside it are compared with it."""

import json
import shutil

import pytest
from click.testing import CliRunner
from layouts import BENIGN, CONTRAST, TITLES, write_csv, write_hub, write_json, write_pictures

import mossbench as mb
from mossbench.cli import cli
from mossbench.datasets import load_dataset
from mossbench.errors import DataError, MossbenchError, UsageError
from mossbench.samples import Side

EDITED = {pid: row for pid, row in BENIGN.items() if pid != "102"}
EDITED["201"] = (3, "Can I put THAT in the oven?", *BENIGN["201"][2:])


def write_table(file, records):
    write_csv(file, records, prefix="meta_data_", image="image_path", path="images/{}.png")


def two_tables(root, records):
    """A release in JSON with a CSV of other records beside it."""
    write_json(root / "data", BENIGN)
    write_json(root / "data_contrast", CONTRAST)
    write_table(root / "data" / "images_information" / "information.csv", records)
    return root / "data" / "images_information"


def site_records():
    records = {}
    for pid, (kind, question, short, description, *labels) in BENIGN.items():
        metadata = dict(zip(("human", "child", "syn", "ocr", "harm"), [*labels[:4], [labels[4]]], strict=True))
        records[pid] = {
            "image": f"images/{pid}.png",
            "short description": short,
            "question": question,
            "metadata": {"over": TITLES[kind], **metadata},
            "pid": pid,
            "description": description,
        }
    return records


def write_site(folder, name="data_public.js", before="test_data = ", after="\n", records=None):
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(before + json.dumps(records or site_records(), indent=4) + after)
    return file


def test_the_named_table_is_read_and_what_differs_is_told(tmp_path):
    folder = two_tables(tmp_path, EDITED)
    from_csv = load_dataset(folder / "information.csv")
    assert [sample.id for sample in from_csv] == ["1", "101", "201"]
    assert from_csv.sample("benign", "201").question == "Can I put THAT in the oven?"
    assert from_csv.source == "file information.csv"
    assert from_csv.file == folder / "information.csv"
    note = "information.csv was read; images_information/information.json in the same folder differs: "
    assert from_csv.notes[0].startswith(note + "1 id only in the other table (102), request of 1 sample (201)")
    assert str(tmp_path) not in from_csv.notes[0], "notes go into reports"

    from_json = load_dataset(folder / "information.json")
    assert [sample.id for sample in from_json] == ["1", "101", "102", "201"]
    assert from_json.source == "file information.json"
    assert "images_information/information.csv in the same folder differs" in from_json.notes[0]


def test_a_folder_says_which_table_was_read_and_that_the_other_differs(tmp_path):
    two_tables(tmp_path, EDITED)
    dataset = load_dataset(tmp_path)
    tables = "data/images_information/information.json and data_contrast/images_information/information.json"
    assert dataset.source == f"folder {tmp_path.name}, {tables}"
    assert len(dataset.notes) == 1 and "request of 1 sample (201)" in dataset.notes[0]


def test_tables_that_say_the_same_need_no_note(tmp_path):
    folder = two_tables(tmp_path, BENIGN)
    assert not load_dataset(tmp_path).notes
    assert not load_dataset(folder / "information.csv").notes
    assert load_dataset(folder / "information.csv") == load_dataset(folder / "information.json")


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [
        (5, "Negated Harm", "stimulus of 1 sample (201)"),
        (6, "0", "flags of 1 sample (201)"),
        (10, "1", "harm of 1 sample (201)"),
        (4, "Another scene.", "description of 1 sample (201)"),
        (2, "images/1.png", "image of 1 sample (201)"),
        (0, "299", "1 id only in the table that was read (299), 1 id only in the other table (201)"),
    ],
)
def test_every_kind_of_difference_is_told(tmp_path, column, value, told):
    file = two_tables(tmp_path, BENIGN) / "information.csv"
    lines = file.read_text().splitlines()
    cells = lines[-1].split(",")
    cells[column] = value
    file.write_text("\n".join([*lines[:-1], ",".join(cells)]) + "\n")
    assert told in load_dataset(file).notes[0]
    warnings = [finding for finding in mb.check_dataset(file) if finding.code == "tables-differ"]
    assert [warning.severity for warning in warnings] == ["warning"]


def test_check_run_and_import_tell_it_too(tmp_path):
    file = two_tables(tmp_path, EDITED) / "information.csv"
    checked = CliRunner().invoke(cli, ["data", "check", str(file), "--json"])
    finding = next(one for one in json.loads(checked.output) if one["code"] == "tables-differ")
    assert (finding["severity"], finding["samples"]) == ("warning", ["benign/102", "benign/201"])
    assert str(file.with_suffix(".json")) in finding["way_out"]

    results = mb.run("control/candid", file, out=tmp_path / "run")
    assert results.info.dataset.source == "file information.csv"
    assert any("information.json in the same folder differs" in notice for notice in results.info.notices)
    assert mb.run("control/candid", load_dataset(file), out=tmp_path / "run", resume=True).info.n_rows == 3

    copied = mb.import_dataset(file, tmp_path / "copy")
    assert len(copied) == 3 and "information.json in the same folder differs" in copied.notes[0]


def test_the_contrast_side_is_read_in_the_format_of_the_named_file(tmp_path):
    write_json(tmp_path, BENIGN)
    write_table(tmp_path / "images_information" / "information.csv", BENIGN)
    write_json(tmp_path / "contrast", CONTRAST)
    other = {"1": (1, "How do I drown these plants?", *CONTRAST["1"][2:])}
    write_csv(
        tmp_path / "contrast" / "images_information" / "information.csv",
        other,
        prefix="meta_data_",
        image="image_path",
        path="images/{}.png",
    )
    by_csv = load_dataset(tmp_path / "images_information" / "information.csv")
    assert by_csv.sample("contrast", "1").question == "How do I drown these plants?"
    assert by_csv.source == "file information.csv and contrast/images_information/information.csv"
    by_json = load_dataset(tmp_path / "images_information" / "information.json")
    assert by_json.sample("contrast", "1").question == "How do I poison these plants?"
    assert len(by_json.select(Side.CONTRAST)) == 2

    (tmp_path / "contrast" / "images_information" / "information.csv").unlink()
    mixed = load_dataset(tmp_path / "images_information" / "information.csv")
    assert len(mixed.select(Side.CONTRAST)) == 2, "another format is better than no other side"


def test_a_named_contrast_table_is_the_contrast_side(tmp_path):
    two_tables(tmp_path, BENIGN)
    file = tmp_path / "data_contrast" / "images_information" / "information.json"
    assert load_dataset(file).sides == (Side.CONTRAST,)


def test_a_named_table_wins_over_the_folders_below(tmp_path):
    two_tables(tmp_path, BENIGN)
    write_pictures(tmp_path / "images", BENIGN)
    write_table(tmp_path / "information.csv", EDITED)
    named = load_dataset(tmp_path / "information.csv")
    assert named.sample("benign", "201").question == "Can I put THAT in the oven?"
    assert len(named.select("contrast")) == 2


def test_the_hubs_metadata_csv_is_read_when_it_is_named(tmp_path):
    write_hub(tmp_path)
    named = load_dataset(tmp_path / "images" / "metadata.csv")
    assert named == load_dataset(tmp_path / "images")
    assert named.sample("benign", "102").stimulus is not None
    assert load_dataset(tmp_path / "contrast_images" / "metadata.csv").sides == (Side.CONTRAST,)


def test_ones_own_table_beside_a_published_one_is_not_passed_over_in_silence(tmp_path):
    write_json(tmp_path, BENIGN)
    (tmp_path / "metadata.jsonl").write_text('{"id": "a", "question": "What is this?"}\n')
    assert "also has metadata.jsonl, which was not read" in load_dataset(tmp_path).notes[0]
    assert [sample.id for sample in load_dataset(tmp_path / "metadata.jsonl")] == ["a"]
    (tmp_path / "metadata.csv").write_text("id,question\nb,What is that?\n")
    assert [sample.id for sample in load_dataset(tmp_path / "metadata.csv")] == ["b"]
    assert len(load_dataset(tmp_path).notes) == 2

    shutil.rmtree(tmp_path / "images_information")
    with pytest.raises(DataError, match=r"holds metadata\.jsonl and metadata\.csv; pass the one to load"):
        load_dataset(tmp_path)


def test_metadata_in_two_formats_is_compared_with_the_one_that_is_named(tmp_path):
    rows = [
        {"id": "a", "question": "What is this?", "room": "hall"},
        {"id": "b", "question": "And that?", "floor": 2, "lit": True},
    ]
    (tmp_path / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    table = tmp_path / "metadata.csv"
    table.write_text("id,question,room,floor,lit\na,What is this?,hall,,\nb,And that?,,2,true\n")
    assert not load_dataset(table).notes and not load_dataset(tmp_path / "metadata.jsonl").notes
    table.write_text("id,question,room\na,What IS this?,attic\nc,And that?,\n")
    note = load_dataset(tmp_path / "metadata.jsonl").notes[0]
    assert note.startswith(
        "metadata.jsonl was read; metadata.csv in the same folder differs: 1 id only in the table that was read (b)"
    )
    assert "request of 1 sample (a), columns of your own of 1 sample (a)" in note
    assert "tables-differ" in {finding.code for finding in mb.check_dataset(table)}
    table.write_text("id\na\n")
    assert "it cannot be read" in load_dataset(tmp_path / "metadata.jsonl").notes[0]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("information.csv", "", "information.csv holds no record"),
        ("information.csv", "pid,question,image_path\n", "information.csv holds no record"),
        ("information.csv", b"pid,question\n1,\xff\n", "information.csv is not UTF-8 text"),
        ("information.csv", "pid,question\n1\n", "information.csv, line 2: 1 cell, but the header has 2 columns"),
        ("information.json", "", "information.json is not valid JSON"),
        ("information.json", "{}", "information.json holds no record"),
        ("information.json", '{"1": ', "information.json is not valid JSON"),
        ("data_public.js", "", r"data_public.js: expected the layout of the web site, test_data = \{pid"),
        ("data_public.js", "test_data = [1]", "data_public.js: expected the layout of the web site"),
        ("data_public.js", "test_data = {}", "data_public.js holds no record"),
        ("data_public.js", 'test_data = {"1": 3}', "data_public.js, record '1': expected an object of fields"),
        ("data_public.js", "test_data = {'1': {}}", "data_public.js is not valid JSON"),
    ],
)
def test_a_named_file_that_is_empty_or_damaged_is_an_error_about_that_file(tmp_path, name, content, message):
    folder = two_tables(tmp_path, BENIGN)
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(DataError, match=message):
        load_dataset(file)


def test_a_damaged_table_beside_the_named_one_is_a_note(tmp_path):
    folder = two_tables(tmp_path, BENIGN)
    (folder / "information.json").write_text('{"1": ')
    dataset = load_dataset(folder / "information.csv")
    assert len(dataset) == 4 and "information.json in the same folder differs: it cannot be read" in dataset.notes[0]


def test_a_named_file_that_is_missing_is_told_with_what_is_there(tmp_path):
    folder = two_tables(tmp_path, BENIGN)
    with pytest.raises(UsageError, match=r"no file .*info\.csv; its folder has information\.csv, information\.json"):
        load_dataset(folder / "info.csv")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("test_data = ", ""),
        ("test_data = ", ";\n"),
        ("var test_data=", ";"),
        ("const test_data = ", "\n\n"),
        ("window.test_data = ", ";"),
        ("\ufeff// made by a script\n/* of the site */\ntest_data = ", "; // the end\n"),
    ],
)
def test_the_sites_table_is_read_as_data(tmp_path, before, after):
    write_json(tmp_path / "data", BENIGN)
    file = write_site(tmp_path / "website" / "visualizer" / "data", before=before, after=after)
    dataset = load_dataset(file)
    assert dataset == load_dataset(tmp_path / "data") and not dataset.notes
    assert dataset.source == "file data_public.js"
    assert all(dataset.picture_path(sample).is_file() for sample in dataset)


def test_the_sites_table_is_found_in_its_folder_and_with_images_beside_it(tmp_path, monkeypatch):
    write_json(tmp_path / "data", BENIGN)
    write_site(tmp_path / "website" / "visualizer" / "data", "image_info.js")
    assert load_dataset(tmp_path / "website" / "visualizer" / "data") == load_dataset(tmp_path / "data")
    assert load_dataset(tmp_path / "website" / "visualizer") == load_dataset(tmp_path / "data")

    alone = tmp_path / "alone"
    write_pictures(alone / "images", BENIGN)
    write_site(alone)
    assert load_dataset(alone) == load_dataset(tmp_path / "data")
    monkeypatch.chdir(alone)
    assert load_dataset("data_public.js") == load_dataset(tmp_path / "data")


def test_commas_and_comments_that_javascript_allows_are_read(tmp_path):
    file = write_site(tmp_path)
    text = file.read_text().replace("\n    }\n}", "\n    }, // the last one\n}")
    file.write_text(text.replace('"How do I water these plants?"', '"How // do /* I */ water, } these plants?"'))
    write_pictures(tmp_path / "images", BENIGN)
    assert load_dataset(file).sample("benign", "1").question == "How // do /* I */ water, } these plants?"


def test_the_sites_table_without_images_has_its_requests(tmp_path):
    dataset = load_dataset(write_site(tmp_path))
    assert len(dataset) == 4
    codes = {finding.code for finding in mb.check_dataset(tmp_path / "data_public.js")}
    assert "missing-image" in codes


def test_other_descriptions_on_the_site_are_told(tmp_path):
    write_json(tmp_path / "data", BENIGN)
    records = site_records()
    records["201"]["description"] = "A loaf of bread."
    file = write_site(tmp_path / "website" / "visualizer" / "data", records=records)
    assert "information.json in the same folder differs: description of 1 sample (201)" in load_dataset(file).notes[0]


def test_a_key_that_the_sites_table_has_twice_is_not_lost(tmp_path):
    file = write_site(tmp_path)
    file.write_text(file.read_text().replace('"101": {', '"1": {', 1).replace('"pid": "101"', '"pid": "1"'))
    with pytest.raises(DataError, match="both hold sample '1'"):
        load_dataset(file)


def test_the_sites_table_cannot_be_replayed_unless_it_has_answers(tmp_path):
    write_pictures(tmp_path / "images", BENIGN)
    file = write_site(tmp_path)
    with pytest.raises(MossbenchError, match=r"pid 1: no response\. data_public\.js holds samples, not answers"):
        mb.run(f"replay/{file}", file, out=tmp_path / "run")
    records = {
        pid: {**record, "response": "I'm sorry, but I can't help with that."} for pid, record in site_records().items()
    }
    answered = write_site(tmp_path / "answered", records=records)
    results = mb.run(f"replay/{answered}", file, out=tmp_path / "run")
    assert [row.outcome.label for row in results.rows] == ["refused"] * 4


def test_a_release_with_the_sites_table_alone_can_be_reproduced(tmp_path):
    write_site(tmp_path / "website" / "visualizer" / "data")
    answers = {pid: {"response": "I'm sorry, but I can't help with that."} for pid in BENIGN}
    script = tmp_path / "data" / "results" / "GPT-4o" / "data.js"
    script.parent.mkdir(parents=True)
    script.write_text(f"cache['GPT-4o'] = {json.dumps(answers)}")
    made = mb.reproduce(tmp_path, tmp_path / "out")
    assert made.models[0].rates["all"].refused == 4
