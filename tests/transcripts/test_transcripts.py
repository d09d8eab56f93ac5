import json
import math

import pytest

from mossbench.errors import DataError, UsageError
from mossbench.samples import Side
from mossbench.transcripts import read_transcript


def write(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_the_four_formats_say_the_same(tmp_path):
    jsonl = write(tmp_path, "a.jsonl", '{"pid": "1", "response": "Sure."}\n\n{"pid": "2", "response": null}\n')
    table = write(tmp_path, "a.csv", "id,response\r\n1,Sure.\r\n2,\r\n")
    published = write(
        tmp_path, "a.json", json.dumps({"responses": {"1": {"response": "Sure."}, "2": {"pid": "2", "response": None}}})
    )
    released = write(
        tmp_path,
        "a.js",
        """cache['A 1 (web)'] = {
      "1": {"response": "Sure."},
      "2": {"response": null}
    };
    """,
    )
    assert read_transcript(released)[0].fields["model"] == "A 1 (web)"
    for path in (jsonl, table, published, released):
        assert [(row.id, row.response) for row in read_transcript(path)] == [("1", "Sure."), ("2", None)]


def test_sides_epochs_and_odd_separators_inside_strings_are_kept(tmp_path):
    rows = [
        {"id": "a", "side": "contrast", "epoch": 2, "answer": "one\u2028two\u0085three"},
        {"id": "a", "side": "contrast", "epoch": 1, "answer": ""},
    ]
    path = write(tmp_path, "a.jsonl", "\ufeff" + "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    first, second = read_transcript(path)
    assert (first.side, first.epoch, first.response) == (Side.CONTRAST, 2, "one\u2028two\u0085three")
    assert second.response == ""


def test_numbers_that_json_does_not_know_cost_no_answer(tmp_path):
    text = '{"id": 1, "response": "x", "logprob": -Infinity}\n{"id": 2, "response": NaN}\n'
    first, second = read_transcript(write(tmp_path, "a.jsonl", text))
    assert first.fields["logprob"] == -math.inf and (first.response, second.response) == ("x", None)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", '{"id": "1", "response": "x"}\n{"id": ', r"a\.jsonl, line 2: not a JSON object"),
        ("a.js", "var rows = [1]", r"a\.js: expected the released layout, cache\['model'\] = "),
        ("a.js", "cache['m'] = {\n\n  1: 2}", r"a\.js, line 3: not JSON"),
        ("a.js", 'cache[\'m\'] = {"1": "Sure."}', "pid 1: expected an object with a response, found str"),
        ("a.js", " \n", r"a\.js: no rows"),
        ("a.jsonl", '["1", "x"]\n', "line 1: not a JSON object: expected an object .* found list"),
        ("a.jsonl", '{"response": "x"}\n', "no id; expected one of id, pid, sample, found response"),
        ("a.jsonl", '{"id": 1, "reply": "x"}\n', "no response; expected one of response, answer, text"),
        ("a.jsonl", '{"id": 1, "response": 3}\n', "response is int, expected text or null"),
        ("a.jsonl", '{"id": 1, "response": "x", "side": "left"}\n', "side is benign or contrast"),
        (
            "a.jsonl",
            '{"id": 1, "response": "x"}\n{"id": "1", "response": "y"}\n',
            "line 2: id '1' appears a second time .*line 1",
        ),
        ("a.jsonl", "\n", "no rows"),
        ("a.csv", "id,response\n1,x,y\n", "line 2: 3 cells, but the header has 2 columns"),
        ("a.csv", "id,response\n1\n", "line 2: 1 cell, but the header has 2 columns"),
        ("a.csv", "sep=;\nid;response\n1;x;y\n", "line 3: 3 cells, but the header has 2 columns"),
        ("a.csv", 'sep=;\nid;response\n1;"x', "line 3: not valid CSV"),
        ("a.csv", b"id,response\n" + b"1,x\n" * 9_000 + b"2,\xe9\n", "not UTF-8 text .* at byte 36014"),
        ("a.json", "[1, 2]", 'an object with "responses"'),
        ("a.json", '{"responses": {"1": {"pid": "2", "response": "x"}}}', "has pid '2'"),
        ("a.txt", "hello", "cannot tell the format from '.txt'"),
    ],
)
def test_a_malformed_transcript_is_one_message_with_the_place(tmp_path, name, content, message):
    with pytest.raises(DataError, match=message):
        read_transcript(write(tmp_path, name, content))


@pytest.mark.parametrize(
    "content",
    [
        "ID;Response;Note\r\n1;Sure, yes.;\r\n 2 ;;\r\n".encode("utf-8-sig"),
        "id\tresponse\n1\tSure, yes.\n2\t\n".encode("utf-16"),
        b'sep=;\nid;response\n1;"Sure, yes."\n2;\n',
        b'id,response\n1,"Sure, yes.",,,\n,,,,\n2,\n\n',
    ],
    ids=["semicolons", "unicode text", "sep line", "stray cells"],
)
def test_a_table_is_read_as_spreadsheets_save_it(tmp_path, content):
    (tmp_path / "a.csv").write_bytes(content)
    assert [(row.id, row.response) for row in read_transcript(tmp_path / "a.csv")] == [("1", "Sure, yes."), ("2", None)]


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(UsageError, match="no file"):
        read_transcript(tmp_path / "none.jsonl")
    with pytest.raises(DataError, match="is a folder"):
        read_transcript(tmp_path)
