"""Whoever names a column may call a field by another of its names."""

import pytest

import mossbench as mb
from mossbench.errors import UsageError

ROWS = [{"text": "What is this?", "photo": ""}, {"text": "Why is it red?", "photo": ""}]


@pytest.mark.parametrize("name", ["question", "prompt", "request"])
def test_a_request_has_three_names(name, tmp_path):
    (tmp_path / "mine.csv").write_text("text,photo\nWhat is this?,\nWhy is it red?,\n")
    of_file = mb.load_dataset(tmp_path / "mine.csv", columns={name: "text", "images": ""})
    in_memory = mb.load_dataset(ROWS, columns={name: "text", "images": ""})
    assert [sample.question for sample in of_file.samples] == [sample.question for sample in in_memory.samples]


def test_two_names_of_one_field_are_refused():
    with pytest.raises(UsageError, match="'prompt' and 'question' are the same field"):
        mb.load_dataset(ROWS, columns={"prompt": "text", "question": "photo"})


def test_a_suite_takes_the_names_too(tmp_path):
    (tmp_path / "mine.csv").write_text("text\nWhat is this?\n")
    (tmp_path / "suite.toml").write_text(
        f'models = ["control/candid"]\n[data.mine]\ndata = "{tmp_path}/mine.csv"\nmap = "prompt=text"\n'
    )
    suite = mb.load_suite(tmp_path / "suite.toml")
    assert suite.data[0].settings["columns"] == {"question": "text"}
