"""Files of lines: read again without being parsed again, where somebody says so."""

import errno
import io
from pathlib import Path

import pytest

from mossbench.errors import RunError
from mossbench.plumbing.line_writer import LineWriter
from mossbench.plumbing.lines import parsed_once, read_lines, write_lines
from mossbench.samples import Sample, Side


def sample(id):
    return Sample(id=id, side=Side.BENIGN, question="What is this?")


def ids(path: Path) -> list[str]:
    return [one.id for one in read_lines(path, Sample)]


def test_what_is_read_again_is_parsed_once_and_what_was_added_is_there(tmp_path, monkeypatch):
    path, parsed, parse = tmp_path / "samples.jsonl", [], Sample.model_validate_json
    monkeypatch.setattr(Sample, "model_validate_json", lambda line: (parsed.append(line), parse(line))[1])
    write_lines(path, map(sample, "ab"))
    with parsed_once(), parsed_once():
        assert ids(path) == ids(path) == ["a", "b"]
        with LineWriter(path) as file:
            file.append(sample("c"))
        assert ids(path) == ["a", "b", "c"]
        write_lines(path, map(sample, "cd"))
        assert ids(path) == ["c", "d"]
        assert len(parsed) == 4
    assert ids(path) == ["c", "d"]
    assert len(parsed) == 6


def test_a_whole_last_line_without_its_end_counts_and_is_kept(tmp_path):
    path = tmp_path / "samples.jsonl"
    write_lines(path, map(sample, "ab"))
    path.write_bytes(path.read_bytes()[:-1])  # as some editors save it
    assert ids(path) == ["a", "b"]
    with LineWriter(path) as file:
        file.append(sample("c"))
    assert ids(path) == ["a", "b", "c"]
    assert path.read_bytes().count(b"\n") == 3


@pytest.mark.parametrize("n_lost", [2, 10, 40])
def test_a_torn_last_line_costs_only_itself(tmp_path, n_lost):
    path = tmp_path / "samples.jsonl"
    write_lines(path, map(sample, "ab"))
    path.write_bytes(path.read_bytes()[:-n_lost])
    assert ids(path) == ["a"]
    with LineWriter(path) as file:
        file.append(sample("c"))
    assert ids(path) == ["a", "c"]


def test_a_last_line_that_is_another_record_is_an_error_as_in_the_middle(tmp_path):
    path = tmp_path / "samples.jsonl"
    write_lines(path, map(sample, "a"))
    path.write_bytes(path.read_bytes() + b'{"id": "b"}')
    with pytest.raises(RunError, match="line 2"):
        ids(path)


def test_a_disk_that_fails_while_reading_is_told(tmp_path, monkeypatch):
    class Failing(io.BytesIO):
        def __next__(self):
            raise OSError(errno.EIO, "Input/output error")

    path = tmp_path / "samples.jsonl"
    write_lines(path, map(sample, "a"))
    monkeypatch.setattr("mossbench.plumbing.lines.open_file", lambda path: Failing())
    with pytest.raises(RunError, match="cannot be read to its end: Input/output error"):
        ids(path)
