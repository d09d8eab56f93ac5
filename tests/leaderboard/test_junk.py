"""Files of megabytes that are no submission are refused before they cost seconds and gigabytes."""

import json

import pytest

import mossbench as mb
from mossbench.leaderboard import submission_reading as reading

ROWS = b'{"sides": {"benign": {"responses": {%s}}}}'


@pytest.mark.slow
@pytest.mark.parametrize(
    "raw",
    [
        b"[" + b"1," * 400_000 + b"1]",
        b'{"hashes": {' + b'"a":1,' * 400_000 + b'"b":1}}',
        ROWS % (b'"1":{},' * 400_000),
        b'""' * 1_300_000,
        b"[" * 2_000_000 + b"]" * 2_000_000,
        b'{"a":' * 2_000_000,
        '{"model": "{}"}'.replace("{}", "\N{GRINNING FACE}" * 300_000).encode(),
    ],
    ids=["numbers", "hashes", "rows", "texts", "lists", "objects", "emoji"],
)
def test_what_has_too_many_values_or_levels_is_not_even_read(tmp_path, monkeypatch, raw):
    monkeypatch.setattr(json, "loads", lambda *_, **__: pytest.fail("it was read"))
    (tmp_path / "junk.json").write_bytes(raw)
    found, (fault,) = mb.check_submission(tmp_path / "junk.json")
    said = ("more than 300,000 values", "nested deeper than 8 levels", "a text of more than 1,000,000 bytes")
    assert found is None and any(one in fault for one in said)


def test_commas_and_braces_in_texts_are_no_values(tmp_path):
    text = '{"a", [1, 2]} \\" ' * 40_000
    (tmp_path / "long.json").write_text(json.dumps({"model": text, "sides": {"benign": {"responses": {}}}}))
    _, faults = mb.check_submission(tmp_path / "long.json")
    assert "format" in faults[0] and "are missing" in faults[0] and not any("values" in fault for fault in faults)


def test_an_object_with_more_entries_than_any_has_is_one_fault(tmp_path):
    names = {str(i): 1 for i in range(reading.MOST_ENTRIES + 1)}
    content = {"hashes": names, "settings": {"a": list(names)}, "sides": {"benign": {"responses": {}, "layers": names}}}
    (tmp_path / "wide.json").write_text(json.dumps(content))
    _, faults = mb.check_submission(tmp_path / "wide.json")
    for place in ("hashes", "settings.a", "sides.benign.layers"):
        assert f"{place}: 1,001 entries, at most 1,000 are read" in faults
    (tmp_path / "wide.json").write_text(json.dumps(names))
    assert "the submission: 1,001 entries, at most 1,000 are read" in mb.check_submission(tmp_path / "wide.json")[1]


def test_after_a_thousand_faults_the_other_rows_are_not_looked_at(tmp_path, monkeypatch):
    looked, check = [], reading._validated
    monkeypatch.setattr(reading, "_validated", lambda *args: (looked.append(args[2]), check(*args))[1])
    rows = b",".join(b'"%d":{}' % i for i in range(5000))
    (tmp_path / "rows.json").write_bytes(ROWS % rows)
    _, faults = mb.check_submission(tmp_path / "rows.json")
    assert "sides.benign: the rows after the first 248 were not checked" in faults and len(looked) < 300


def test_after_a_thousand_faults_of_form_nothing_else_is_looked_at(tmp_path):
    content = {"settings": {str(i): ["\x01"] * 50 for i in range(100)}, "sides": {"benign": {"responses": {}}}}
    (tmp_path / "controls.json").write_text(json.dumps(content))
    found, faults = mb.check_submission(tmp_path / "controls.json")
    assert found is None and faults[-1] == "and 951 more" and "control characters" in faults[0]
