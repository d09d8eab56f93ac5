"""What the training reads: our examples, labelled answers of one source, and the vocabulary that is kept."""

import json

from judge_training.pieces import EXAMPLES, examples, kept, labelled
from mossbench.judges.earlier.tandem.encoder import KINDS


def test_every_example_has_a_request_an_answer_and_kinds_that_the_judge_knows():
    known = {kind.value for kind in KINDS}
    rows = examples()
    assert {path.stem for path in EXAMPLES.glob("*.jsonl")} < {row["source"] for row in rows}
    assert len(rows) > 5000
    for row in rows:
        assert row["request"] and row["answer"] and row["kinds"], row["id"]
        assert known.issuperset(row["kinds"]), row["id"]


def test_of_labelled_answers_only_the_undisputed_ones_of_the_source_are_read(tmp_path):
    row = {"id": "1", "source": "ours", "question": "Why?", "response": "So.", "kind": "complied"}
    row |= {"hard": False, "disputed": False}
    others = [row | {"source": "theirs"}, row | {"response": ""}, row | {"disputed": True}]
    path = tmp_path / "labelled.jsonl"
    path.write_text("\n".join(json.dumps(each) for each in [row, *others]), "utf-8")
    (read,) = labelled(path, "ours")
    assert read["request"] == "Why?" and read["answer"] == "So." and read["kinds"] == ["complied"]


def test_frequent_english_pieces_and_those_of_the_examples_are_kept():
    vocabulary = ["[PAD]", "[unused0]", "[UNK]", "[CLS]", "[SEP]", "the", "é"]
    vocabulary += [f"w{number}" for number in range(12_000)]
    vocabulary += ["rare"]
    rows = [{"request": "the rare", "answer": "the"}]
    pieces = [vocabulary[index] for index in kept(vocabulary, rows)]
    assert {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "w0", "rare"} <= set(pieces)
    assert not {"[unused0]", "é", "w11999"} & set(pieces)
