"""Files of lines: read again without being parsed again, where somebody says so."""

from pathlib import Path

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
