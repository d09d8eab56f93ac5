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
