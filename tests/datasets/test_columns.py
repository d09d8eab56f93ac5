"""Tables as people have them: their own names, columns, encodings, paths and taxonomies."""

import json
import pickle

import pytest
from layouts import picture

from mossbench.datasets import check_dataset, describe_dataset, export_dataset, import_dataset, load_dataset
from mossbench.datasets.columns import parse_columns
from mossbench.errors import DataError, UsageError
from mossbench.samples import Harm, Sample, Side, Stimulus


def write(tmp_path, name, text):
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_every_column_is_carried_as_it_stands(tmp_path):
    rows = [
        {"question": "a?", "team": "red", "score": 0.5, "n": 3, "live": True, "tags": ["x", {"y": 1}], "none": None},
        {"question": "b?", "team": "", "score": float("nan")},
    ]
    file = write(tmp_path, "m.jsonl", "\n".join(json.dumps(row) for row in rows))
    first, second = load_dataset(file)
    assert first.metadata == {"team": "red", "score": 0.5, "n": 3, "live": True, "tags": '["x", {"y": 1}]'}
    assert second.metadata == {}
    with pytest.raises(TypeError, match="cannot be changed"):
        first.metadata["team"] = "blue"
    assert pickle.loads(pickle.dumps(first)) == first and hash(first) == hash(first.model_copy())


def test_a_set_without_columns_of_its_own_keeps_its_hash(tmp_path):
    old = load_dataset(write(tmp_path, "m.jsonl", '{"id": "1", "question": "Why?"}'))
    assert old.key == "m@ed0ee9cf6113"  # as version 0.1.0 has it
    new = load_dataset(write(tmp_path, "m.jsonl", '{"id": "1", "question": "Why?", "team": "red"}'))
    assert new.version != old.version


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize(("encoding", "newline"), [("utf-8", "\n"), ("utf-8-sig", "\r\n"), ("utf-16", "\r\n")])
def test_spreadsheets_are_read_however_they_were_saved(tmp_path, separator, encoding, newline):
    lines = [
        separator.join(["Prompt", " Category ", "note"]),
        separator.join(['"Wie, geht; das?"', "Küche", "x"]),
        separator * 2,
    ]
    (sample,) = load_dataset(write(tmp_path, "m.csv", newline.join(lines).encode(encoding)))
    assert sample == Sample(id="1", question="Wie, geht; das?", metadata={"Category": "Küche", "note": "x"})


def test_tsv_and_the_separator_line_of_excel_are_read(tmp_path):
    assert load_dataset(write(tmp_path, "m.tsv", "question\tteam\na, b;c\tred\n")).samples[0].question == "a, b;c"
    (sample,) = load_dataset(write(tmp_path, "m.csv", "sep=;\r\nquestion;team\r\na, b;red\r\n"))
    assert (sample.question, sample.metadata) == ("a, b", {"team": "red"})


def test_an_index_without_a_name_and_empty_columns_are_left_out(tmp_path):
    (one, _) = load_dataset(write(tmp_path, "m.csv", ",question,team,\n0,a,red,\n1,b,blue,\n"))
    assert one.metadata == {"team": "red"}


def test_fields_are_told_by_name_before_any_is_recognised(tmp_path):
    file = write(tmp_path, "m.csv", "id,text,question,photo,side\n7,a?,x,p.png,left\n7,b?,y,,right\n")
    columns = parse_columns("question=text, image=photo,id=,side=")
    one, two = load_dataset(file, columns=columns)
    assert (one.id, one.side, one.question, one.image) == ("1", Side.BENIGN, "a?", "p.png")
    assert one.metadata == {"id": "7", "question": "x", "side": "left"} and two.image is None


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"quesiton": "text"}, "no field named 'quesiton'; did you mean 'question'"),
        ({"question": "txt"}, "no column named 'txt'; did you mean 'text'"),
        ({"question": "text", "description": "text"}, "column 'text' is given for both 'question' and 'description'"),
    ],
)
def test_a_wrong_name_is_said_with_what_there_is(tmp_path, columns, message):
    with pytest.raises(UsageError, match=message):
        load_dataset(write(tmp_path, "m.csv", "id,text\n1,a\n"), columns=columns)
    with pytest.raises(UsageError, match="is not FIELD=COLUMN"):
        parse_columns("question")
    with pytest.raises(UsageError, match="names two columns for 'question'; name one"):
        parse_columns("question=prompt,question=text")
    with pytest.raises(UsageError, match="'sketches' has fixed columns"):
        load_dataset("sketches", columns={"question": "text"})


@pytest.mark.parametrize(
    ("name", "values", "published"),
    [
        ("stimulus", ["negated_harm", "type 1"], True),
        ("stimulus", ["sarcasm", "idiom"], False),
        ("harm", ["3", "7.0"], True),
        ("harm", ["Harassment", "Medical advice"], False),
        ("harm", ["1", "9"], False),
        ("human", ["1", "no"], True),
        ("human", ["rater A", "rater B"], False),
    ],
)
def test_labels_are_the_published_ones_only_where_all_of_them_are(tmp_path, name, values, published):
    text = f"question,{name}\n" + "".join(f"a?,{value}\n" for value in values)
    dataset = load_dataset(write(tmp_path, "m.csv", text))
    assert [getattr(s, name) is not None for s in dataset] == [published, published]
    assert [s.metadata.get(name) for s in dataset] == ([None, None] if published else values)
    if name in ("stimulus", "harm"):
        assert dataset.samples[0].label(name) == (
            values[0] if not published else Stimulus.NEGATED_HARM.title if name == "stimulus" else Harm(3).title
        )


def test_images_may_be_none_one_or_several_in_order(tmp_path):
    for name, colour in (("a.png", "red"), ("b.png", "blue"), ("with;mark.png", "green")):
        write(tmp_path, name, picture(colour))
    rows = [
        {"question": "1"},
        {"question": "2", "image": "a.png"},
        {"question": "3", "image": ["b.png", "a.png"]},
        {"question": "4", "image": '["b.png", "a.png"]'},
        {"question": "5", "image": "b.png; a.png"},
        {"question": "6", "image": "with;mark.png"},
        {"question": "7", "image": {"path": "a.png", "bytes": None}},
    ]
    dataset = load_dataset(write(tmp_path, "m.jsonl", "\n".join(map(json.dumps, rows))))
    assert [s.images for s in dataset] == [
        (),
        ("a.png",),
        ("b.png", "a.png"),
        ("b.png", "a.png"),
        ("b.png", "a.png"),
        ("with;mark.png",),
        ("a.png",),
    ]
    third, swapped = (
        dataset.samples[2],
        dataset.samples[2].model_copy(update={"image": "a.png", "more_images": ("b.png",)}),
    )
    assert dataset.digest(third) != dataset.digest(swapped)  # their order is part of what is asked
    write(tmp_path, "[1] a.png", picture("red"))
    bracket = load_dataset(write(tmp_path, "m.jsonl", '{"question": "a", "image": "[1] a.png"}'))
    assert bracket.samples[0].images == ("[1] a.png",)
    with pytest.raises(UsageError, match="is a name, not a path; export it with: export_dataset\\(.sketches., "):
        import_dataset("sketches", tmp_path / "out")
    with pytest.raises(DataError, match="column 'image' has bytes: expected the path"):
        load_dataset(write(tmp_path, "m.jsonl", '{"question": "a", "image": [1]}'))


def test_paths_of_this_machine_and_of_windows_are_placed_in_the_folder(tmp_path):
    (tmp_path / "images").mkdir()
    write(tmp_path, "images/a.png", picture("red"))
    rows = [
        {"question": "1", "image": str(tmp_path / "images/a.png")},
        {"question": "2", "image": "images\\a.png"},
        {"question": "3", "image": "./images/a.png"},
    ]
    dataset = load_dataset(write(tmp_path, "m.jsonl", "\n".join(map(json.dumps, rows))))
    assert {dataset.picture(sample) for sample in dataset} == {picture("red")}
    for path in ("C:\\photos\\a.png", "/etc/a.png", "../a.png"):
        with pytest.raises(DataError, match=r"is outside the dataset's folder.*import_dataset\("):
            load_dataset(write(tmp_path, "m.jsonl", json.dumps({"question": "1", "image": path})))


def test_import_writes_a_set_that_loads_alike_in_every_format(tmp_path):
    elsewhere = tmp_path / "photos"
    elsewhere.mkdir()
    write(elsewhere, "a.png", picture("red"))
    write(elsewhere, "b.png", picture("blue"))
    (tmp_path / "tables").mkdir()
    text = "prompt;photo;harm;id note;Model;score;side\n"
    text += f"Why?;{elsewhere / 'a.png'};medical;x;m1;1;harmless\nHow?;../photos/b.png;legal;y;m2;2.5;harmful\n"
    source = write(tmp_path / "tables", "mine.csv", text)
    made = import_dataset(source, tmp_path / "out", columns={"image": "photo"})
    assert [s.metadata for s in made][0] == {"harm": "medical", "id note": "x", "Model": "m1", "score": "1"}
    assert made.picture(made.samples[1]) == picture("blue") and not check_errors(tmp_path / "out")
    for format in ("csv", "parquet"):
        folder = export_dataset(made, tmp_path / format, format)
        assert load_dataset(folder) == made
    assert describe_dataset(made).sides[0].harm == {}


def check_errors(path):
    return [finding for finding in check_dataset(path) if finding.severity == "error"]


def test_import_of_a_faulty_table_writes_nothing_and_names_each_kind_of_fault_once(tmp_path):
    rows = "".join(f"Why {n}?,gone-{n}.png,left\n" for n in range(20)) + "Why?,,\n"
    source = write(tmp_path, "mine.csv", "question,image,side\n" + rows)
    with pytest.raises(DataError) as caught:
        import_dataset(source, tmp_path / "out")
    assert str(caught.value).count("\n") == 1 and "(the first of 20)" in str(caught.value)
    with pytest.raises(DataError, match=r"the image is missing: gone-0.png, gone-1.png, gone-2.png and 17 more"):
        import_dataset(source, tmp_path / "out", columns={"side": ""})
    assert not (tmp_path / "out").exists()


def test_typed_columns_survive_every_format(tmp_path):
    values = [
        {
            "flag": True,
            "n": 1,
            "x": 1,
            "big": 2**70,
            "mixed": "a",
            "data_harm": "1",
            "metadata": "a note",
            "stimulus": "mine",
            "long": "é" * 10_000,
        },
        {"flag": False, "n": 2, "x": 0.25, "big": 1, "mixed": 3, "data_harm": "2", "metadata": "", "stimulus": "yours"},
    ]
    values = [row | {f"column {n}": f"{n}\r\n,;\"'" for n in range(100)} for row in values]
    text = "\n".join(json.dumps({"question": f"{n}?"} | row) for n, row in enumerate(values))
    dataset = load_dataset(write(tmp_path, "m.jsonl", text))
    assert dataset.samples[0].metadata["harm"] == "1" and dataset.samples[0].metadata["metadata"] == "a note"
    assert len(dataset.samples[0].metadata) == 109
    for format in ("jsonl", "csv", "parquet"):
        again = load_dataset(export_dataset(dataset, tmp_path / format, format))
        assert again == dataset and again.samples[0].harm is None
    frame = dataset.df()
    assert frame["flag"].tolist() == [True, False] and frame["data_stimulus"].tolist() == ["mine", "yours"]
