import json

import pytest
from layouts import picture

from mossbench.datasets import load_dataset
from mossbench.errors import DataError, MissingExtra
from mossbench.samples import Harm, Region, Sample, Side, Stimulus


def write(tmp_path, name, text):
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_only_a_question_is_needed_and_the_row_number_is_the_id(tmp_path):
    dataset = load_dataset(write(tmp_path, "mine.jsonl", '{"question": "Why?"}\n\n{"question": "How?"}\n'))
    assert dataset.samples == (Sample(id="1", question="Why?"), Sample(id="2", question="How?"))
    assert (dataset.name, dataset.root) == ("mine", tmp_path)


def test_all_fields_and_their_aliases_are_read_from_jsonl(tmp_path):
    trigger = {"label": "toy", "left": 1, "top": 2, "right": 3, "bottom": 4}
    row = {
        "pid": 7,
        "side": "contrast",
        "question": "How?",
        "file_name": "a.png",
        "counterfactual_file_name": "b.png",
        "stimulus": "type 2",
        "harm": "Illegal act",
        "human": True,
        "child": 0,
        "twin": 8,
        "triggers": [trigger],
    }
    (sample,) = load_dataset(write(tmp_path, "mine.jsonl", json.dumps(row)))
    assert sample == Sample(
        id="7",
        side=Side.CONTRAST,
        question="How?",
        image="a.png",
        counterfactual="b.png",
        stimulus=Stimulus.NEGATED_HARM,
        harm=Harm.ILLEGAL_ACT,
        human=True,
        child=False,
        twin="8",
        triggers=(Region(**trigger),),
    )


@pytest.mark.parametrize(("bom", "newline"), [("", "\n"), ("\ufeff", "\r\n")])
def test_csv_with_byte_order_mark_windows_line_ends_and_blank_lines_is_read(tmp_path, bom, newline):
    lines = ["id,question,human,harm,stimulus", "", '007,"Why, ""this""?",1,7.0,1', "  ", "None,nan,,,", ""]
    dataset = load_dataset(write(tmp_path, "mine.csv", bom + newline.join(lines)))
    assert dataset.samples == (
        Sample(id="007", question='Why, "this"?', human=True, harm=7, stimulus="type 1"),
        Sample(id="None", question="nan"),
    )


def test_parquet_as_pandas_writes_it_with_gaps_is_read(tmp_path):
    import pandas as pd

    rows = [{"id": 1, "question": "Why?", "human": 1.0, "harm": 7.0}, {"id": 2, "question": "How?"}]
    pd.DataFrame(rows).to_parquet(tmp_path / "metadata.parquet")
    assert load_dataset(tmp_path).samples == (
        Sample(id="1", question="Why?", human=True, harm=7),
        Sample(id="2", question="How?"),
    )


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("m.jsonl", '{"question": "a"}\n{"question": \n', r"m\.jsonl, line 2: not a JSON object"),
        ("m.jsonl", '["a"]', r"line 1: not a JSON object: expected an object in braces, found list"),
        ("m.jsonl", '{"question": NaN}', "line 1: column 'question' is missing or empty"),
        ("m.jsonl", '{"question": "a", "n": Infinity}', "line 1: .*Infinity is not JSON"),
        ("m.jsonl", b'{"question": "\xff"}', "line 1: not a JSON object: 'utf-8'"),
        ("m.jsonl", '{"question": "\\ud800"}', "line 1: column 'question' has"),
        ("m.jsonl", "[" * 100_000, "line 1: not a JSON object"),
        ("m.jsonl", "1" * 5000, "line 1: not a JSON object"),
        (
            "m.jsonl",
            '{"question": "a"}\n{"questoin": "b"}',
            r"line 2: column 'question' is missing or empty",
        ),
        (
            "m.jsonl",
            '{"id": "a"}',
            r"m.jsonl has no column 'question' \(or 'prompt', or 'request'\); its columns are 'id'",
        ),
        (
            "m.csv",
            "id,questoin\n1,a\n",
            r"columns are 'id', 'questoin'; name the column of the requests with columns={'question': 'questoin'}",
        ),
        ("m.jsonl", '{"question": null}', "line 1: column 'question' is missing or empty"),
        ("m.jsonl", '{"question": 5}', "line 1: column 'question' has 5, expected a text"),
        ("m.csv", "question,human\na,1\nb,perhaps\n", "line 3: column 'human' has 'perhaps'"),
        (
            "m.csv",
            "question,harm\na,Harassment\nb,Harasment\n",
            "line 3: column 'harm' has 'Harasment': unknown harm class",
        ),
        ("m.jsonl", '{"question": "a", "image": "x", "file_name": "y"}', "'image' and 'file_name' both name images"),
        ("m.csv", "question,side\na,left\n", r"line 2: column 'side' has 'left': a side is .*map side to no column"),
        ("m.jsonl", '{"question": "a", "image": "http://x.example/y.png"}', "is a URL; download the image"),
        ("m.jsonl", '{"question": "a", "a": 1, "a ": 2}', "columns 'a', 'a ' have no name or the same name"),
        ("m.jsonl", '{"question": "a", "file_name": 3}', "column 'file_name' has 3"),
        ("m.jsonl", '{"question": "a", "triggers": "[{"}', "line 1: "),
        ("m.jsonl", '{"question": "a", "image": "../x.png"}', "line 1: .*is outside the dataset's folder"),
        (
            "m.jsonl",
            '{"question": "a", "id": "x"}\n{"question": "b", "id": "x"}',
            r"lines 1 and 2 both hold sample 'x'",
        ),
        ("m.jsonl", "", "holds no sample"),
        (
            "m.csv",
            "question,stimulus\na,negated_harm\nb,negeted_harm\n",
            "m.csv, line 3: column 'stimulus' has 'negeted_harm': unknown stimulus",
        ),
        ("m.csv", 'question,id\n"a\nb",1\nc,1\n', r"lines 2 and 4 both hold sample '1'"),
        ("m.csv", "question,id\na\n", "m.csv, line 2: 1 cell, but the header has 2 columns; quote cells"),
        (
            "m.csv",
            "question,question\na,b\n",
            "line 1: the header has 'question' more than once .columns 1 and 2.; rename",
        ),
        ("m.csv", "question,,note\na,x,y\n", r"line 1: column 2 of the header \(after 'question'\) has no name"),
        ("m.csv", 'question\n"a', "not valid CSV"),
        ("m.csv", b"question\n\xe9\n", "not UTF-8 text .* save it as UTF-8"),
        ("m.csv", "question\n", "holds no sample"),
        ("m.parquet", "nothing", "cannot be read as Parquet"),
        ("m.txt", "Why?", r"ends in \.jsonl, \.csv, \.tsv or \.parquet"),
    ],
)
def test_a_faulty_file_is_named_with_line_and_column(tmp_path, name, text, message):
    with pytest.raises(DataError, match=message):
        load_dataset(write(tmp_path, name, text))


def test_a_huge_value_is_not_repeated_in_the_message(tmp_path):
    with pytest.raises(DataError) as caught:
        load_dataset(write(tmp_path, "m.jsonl", json.dumps({"question": "a", "side": "x" * 10_000})))
    assert len(str(caught.value)) < 600


def test_two_metadata_files_are_not_guessed_between(tmp_path):
    write(tmp_path, "metadata.csv", "question\na\n")
    write(tmp_path, "metadata.jsonl", '{"question": "b"}')
    with pytest.raises(DataError, match=r"holds metadata\.jsonl and metadata\.csv; pass the one to load"):
        load_dataset(tmp_path)
    assert load_dataset(tmp_path / "metadata.csv").samples[0].question == "a"


def test_a_file_without_read_permission_or_a_folder_named_like_one_is_a_data_error(tmp_path):
    (tmp_path / "m.csv").mkdir()
    with pytest.raises(DataError, match="holds no dataset"):
        load_dataset(tmp_path / "m.csv")


def test_parquet_without_pyarrow_names_the_extra(tmp_path, monkeypatch):
    write(tmp_path, "m.parquet", "x")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"needs the extra \[parquet\]"):
        load_dataset(tmp_path / "m.parquet")


def test_the_bundled_set_is_loaded_by_the_same_reader(own_folder):
    from mossbench.datasets.sketches import load_sketches

    folder = own_folder({"question": "What?", "image": "a.png"}, pictures={"a.png": picture()})
    (folder / "manifest.json").write_text('{"patches": {}}')
    dataset = load_sketches(folder)
    assert (dataset.name, len(dataset)) == ("sketches", 1)
    assert dataset.picture(dataset.samples[0]) == picture()
    with pytest.raises(DataError, match="install mossbench again"):
        load_sketches(folder / "nowhere")
