"""What the training reads: our examples, labelled answers of one source, pairs, and the vocabulary that is kept."""

import json

import pytest

from judge_training.base import kept_pieces
from judge_training.rows import EXAMPLES, Row, fingerprint, labelled_rows, own_examples, pair_rows, training_rows
from judge_training.weights import MADE_WEIGHT, REAL_WEIGHT, UNSIGNED_DEFLECTION, UNSIGNED_REFUSAL, weight_of
from mossbench.judges.reader.encoder import KINDS
from mossbench.outcomes import Kind


def test_every_example_has_a_request_an_answer_and_kinds_that_the_judge_knows():
    rows = list(own_examples())
    assert {path.stem for path in EXAMPLES.glob("*.jsonl")} < {row.source for row in rows}
    assert len(rows) > 8000
    for row in rows:
        assert row.request and row.answer and row.kinds, row
        assert set(KINDS).issuperset(row.kinds), row


def test_of_labelled_answers_only_the_undisputed_ones_of_the_source_are_read(tmp_path):
    record = {"id": "1", "source": "ours", "question": "Why?", "response": "So.", "kind": "answered"}
    record |= {"hard": False, "disputed": False}
    others = [record | {"source": "theirs"}, record | {"response": ""}, record | {"disputed": True}]
    path = tmp_path / "labelled.jsonl"
    path.write_text("\n".join(json.dumps(each) for each in [record, *others]), "utf-8")
    assert list(labelled_rows(path, "ours")) == [Row("ours", "Why?", "So.", (Kind.ANSWERED,))]


def test_all_rows_of_a_text_are_trained_on_or_none(tmp_path):
    path = tmp_path / "pairs.jsonl"
    records = [
        {"question": f"Question {number}?", "response": "No.", "refused": number % 2, "group": f"flip:{text}:{number}"}
        for text in range(30)
        for number in range(4)
    ]
    path.write_text("\n".join(map(json.dumps, records)), "utf-8")
    trained_on = list(pair_rows(path))
    measured_on = list(pair_rows(path, held_out=True))
    assert len(trained_on) + len(measured_on) == len(records)
    assert len(trained_on) % 4 == 0 and 0 < len(measured_on) < len(records) / 2


def test_without_the_files_that_are_elsewhere_our_own_rows_are_trained_on():
    sources = {row.source for row in training_rows()}
    assert "generated" in sources and not {"chatgpt", "pairs"} & sources


def test_the_fingerprint_tells_other_rows_and_another_order():
    first = Row("ours", "Why?", "So.", (Kind.ANSWERED,))
    second = Row("ours", "Why?", "No.", (Kind.REFUSED,))
    assert fingerprint([first, second]) == fingerprint([first, second])
    assert len({fingerprint(rows) for rows in ([first], [first, second], [second, first])}) == 3


@pytest.mark.parametrize(
    ("row", "weight"),
    [
        (Row("registers", "Name it.", "A heron.", (Kind.ANSWERED,)), 1.0),
        (Row("registers", "Name it.", "I can't help with that.", (Kind.REFUSED,)), 1.0),
        (Row("registers", "Name it.", "Some doors stay shut.", (Kind.REFUSED,)), UNSIGNED_REFUSAL),
        (Row("registers", "Name it.", "Gardens are lovely in June.", (Kind.DEFLECTED,)), UNSIGNED_DEFLECTION),
        (Row("chatgpt", "Name it.", "A heron.", (Kind.ANSWERED,)), REAL_WEIGHT),
        (Row("generated", "Name it.", "I can't help with that.", (Kind.REFUSED,)), MADE_WEIGHT),
    ],
    ids=lambda value: value.answer if isinstance(value, Row) else "",
)
def test_a_refusal_without_a_sign_counts_less(row, weight):
    assert weight_of(row) == weight


def test_frequent_english_pieces_and_those_of_the_examples_are_kept():
    vocabulary = ["[PAD]", "[unused0]", "[UNK]", "[CLS]", "[SEP]", "the", "é"]
    vocabulary += [f"w{number}" for number in range(12_000)]
    vocabulary += ["rare"]
    rows = [Row("ours", "the rare", "the", (Kind.ANSWERED,))]
    pieces = [vocabulary[index] for index in kept_pieces(vocabulary, rows)]
    assert {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "w0", "rare"} <= set(pieces)
    assert not {"[unused0]", "é", "w11999"} & set(pieces)
