"""Columns of a file of answers that are named behind its path."""

import json
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.errors import DataError, UsageError
from mossbench.transcripts import read_transcript, stream_records
from mossbench.transcripts.columns import split_columns, with_columns

ROWS = [{"key": "a", "ask": "How?", "Output": "Like this."}, {"key": "b", "ask": "Why?", "Output": "I cannot help."}]


@pytest.fixture
def jsonl(tmp_path):
    file = tmp_path / "mine.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return file


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("key,ask,Output\na,How?,Like this.\nb,Why?,I cannot help.\n")
    return file


def test_a_path_may_name_the_columns_of_its_file(jsonl, table):
    for file in (jsonl, table):
        rows = read_transcript(Path(f"{file}?id=key&response=Output&question=ask"))
        assert [(row.id, row.question, row.response) for row in rows] == [
            ("a", "How?", "Like this."),
            ("b", "Why?", "I cannot help."),
        ]


def test_a_path_with_columns_is_made_and_taken_apart_again(jsonl):
    columns = {"id": "key", "response": "a/b & c=d"}
    assert split_columns(with_columns(jsonl, columns)) == (jsonl, columns)
    assert with_columns(jsonl, {}) == jsonl
    both = with_columns(with_columns(jsonl, {"id": "key"}), {"response": "Output"})
    assert split_columns(both)[1] == {"id": "key", "response": "Output"}


def test_an_existing_file_with_a_question_mark_is_itself(tmp_path):
    file = tmp_path / "what?id=1.jsonl"
    file.write_text("{}")
    assert split_columns(file) == (file, {})


def test_an_unknown_field_or_column_is_refused_with_what_there_is(jsonl):
    with pytest.raises(UsageError, match="fields of answers are id, response"):
        list(stream_records(Path(f"{jsonl}?reponse=Output")))
    with pytest.raises(UsageError, match="mine.jsonl has 'key', 'ask', 'Output'"):
        list(stream_records(Path(f"{jsonl}?response=Outputs")))
    with pytest.raises(UsageError, match=r"does not name columns, as in mine.jsonl\?response=output&id=key"):
        list(stream_records(Path(f"{jsonl}?Output")))


def test_a_column_that_only_some_rows_have_is_found(tmp_path):
    file = tmp_path / "mine.jsonl"
    file.write_text('{"response": "Yes."}\n{"response": "No.", "flag": 1}\n')
    records = [record for _, record in stream_records(Path(f"{file}?refused=flag"))]
    assert records == [{"response": "Yes."}, {"response": "No.", "flag": 1, "refused": 1}]


def test_a_missing_response_says_how_its_column_is_named(jsonl):
    with pytest.raises(
        DataError, match=r"found key, ask, Output, id; name the column behind the path, as in FILE\?response=Output"
    ):
        read_transcript(Path(f"{jsonl}?id=key"))


def test_a_run_on_recorded_answers_keeps_the_columns(jsonl, tmp_path):
    data = tmp_path / "data.jsonl"
    data.write_text('{"id": "a", "question": "How?"}\n{"id": "b", "question": "Why?"}\n')
    model = f"replay/{jsonl}?id=key&response=Output"
    first = mb.run(model, data, judge="keywords", model_name="mine", out=tmp_path / "run")
    assert [row.exchange.answer.text for row in first.rows] == ["Like this.", "I cannot help."]
    assert len(mb.resume_run(tmp_path / "run")) == 2
    other = mb.load_model(f"replay/{jsonl}?id=key&response=ask")
    assert other.version != first.info.model_version


LABELLED = """\
model,ask,Output,gold
a,How do I fold it?,I am sorry but I cannot help.,yes
a,Why is it red?,Because it was painted red.,no
"""


@pytest.fixture
def labelled(tmp_path):
    file = tmp_path / "labelled.csv"
    file.write_text(LABELLED)
    return file


@pytest.mark.parametrize("read", [mb.validate_judge, mb.tune_cascade, mb.score_judges])
def test_whoever_reads_labelled_answers_proposes_the_columns_and_takes_them(read, labelled):
    with pytest.raises(DataError, match=r"name the column of the answers") as fault:
        read(labelled)
    assert "columns={'response': 'output', 'question': 'ask'}" in str(fault.value)
    with pytest.raises(DataError, match=r"name the column of the labels") as fault:
        read(labelled, columns={"answer": "Output", "prompt": "ask"})
    assert "gold" in str(fault.value)
    read(labelled, columns={"answer": "Output", "prompt": "ask", "refused": "gold"})


def test_a_field_may_be_called_by_another_of_its_names_but_only_once(labelled):
    renamed = with_columns(labelled, {"answer": "Output", "request": "ask"})
    assert split_columns(renamed)[1] == {"response": "Output", "question": "ask"}
    with pytest.raises(UsageError, match="'answer' and 'response' are the same field"):
        with_columns(labelled, {"answer": "Output", "response": "ask"})


@pytest.mark.parametrize("suffix", ["parquet", "tsv"])
def test_answers_and_labels_are_read_from_parquet_and_tsv(suffix, labelled, tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.read_csv(labelled)
    file = tmp_path / f"labelled.{suffix}"
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
        frame.to_parquet(file)
    else:
        frame.to_csv(file, sep="\t", index=False)
    columns = {"response": "Output", "question": "ask", "refused": "gold"}
    assert len(mb.judge_answers(file, columns=columns, out=tmp_path / "judged.jsonl")) == 2
    assert mb.validate_judge(file, columns=columns).n_rows == 2
    unit = "row 1" if suffix == "parquet" else "line 2"
    with pytest.raises(DataError, match=rf"labelled.{suffix}, {unit}: refused is 'a', expected 0 or 1"):
        mb.validate_judge(file, columns={**columns, "refused": "model"})
