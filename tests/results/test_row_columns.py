"""Large runs are counted by columns: the same numbers as a plain loop over their rows gives."""

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mossbench as mb
from answered import answered, samples
from mossbench.outcomes import Counted, Layer, Rule, counted
from mossbench.plumbing.columns import coded
from mossbench.plumbing.key_places import KeyPlaces, digest_array, first_codes, key_digest
from mossbench.results import kept_columns, stored_row_reading
from mossbench.results.comparability import pair_rows
from mossbench.results.differences import differences_of
from mossbench.results.missing import missing_of
from mossbench.results.pairs import as_pairs
from mossbench.results.rates import clusters_of, groups_of, layers_of, rate_of, yes
from mossbench.results.row_columns import StoredRows, count_samples, of_side, tokens_of, units_of
from mossbench.results.twins import by_stimulus, clusters_of_twins, detection_of, refusals, sides_test, twins_of
from mossbench.samples import Side


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two runs with random outcomes, stored, and the rows of each in memory."""
    root = tmp_path_factory.mktemp("columns")
    rng = random.Random(0)
    data = samples(root / "data", 30, scene=lambda i: f"scene {i // 4}")
    for name in ("one", "two"):
        refused = rng.sample(range(1, 31), 11)
        failed = [i for i in rng.sample(range(1, 31), 3) if i not in refused]
        answered(data, root / name, refused=refused, failed=failed, epochs=2)
    stored = [mb.load_results(root / name, stored=True) for name in ("one", "two")]
    return [(results.rows, list(results.rows)) for results in stored], stored


def random_rows(rows, rng):
    places = np.array(sorted(rng.sample(range(len(rows)), rng.randint(0, len(rows)))), dtype=np.int64)
    return rows.at(places), [rows[int(place)] for place in places]


@pytest.mark.parametrize("seed", range(20))
def test_columns_count_what_a_loop_over_rows_counts(runs, seed):
    rng = random.Random(seed)
    stored, plain = random_rows(runs[0][0][0], rng)
    assert isinstance(stored, StoredRows) and [row.key for row in stored] == [row.key for row in plain]
    number = {Counted.REFUSED: 1.0, Counted.COMPLIED: 0.0}
    for rule in Rule:
        refused = [number.get(counted(row.outcome, rule)) for row in plain]
        assert [None if value != value else value for value in yes(stored, rule)] == refused
        assert repr(rate_of(Side.BENIGN, "x", stored, rule)) == repr(rate_of(Side.BENIGN, "x", plain, rule))
        assert missing_of(stored, rule) == missing_of(plain, rule)
        clusters = [clusters_of(rows, rule) for rows in (stored, plain)]
        assert (clusters[0] is None) == (clusters[1] is None)
        assert clusters[0] is None or clusters[0].tolist() == clusters[1].tolist()
    assert layers_of(stored) == {layer: sum(row.outcome.layer is layer for row in plain) for layer in Layer}
    assert count_samples(of_side(stored, Side.BENIGN)) == len(
        {row.key.sample for row in plain if row.key.side is Side.BENIGN}
    )
    units = [row.sample.unit for row in plain]
    assert Counter(Counter(units).values()) == Counter(Counter(units_of(stored).tolist()).values())
    for by in ("stimulus", "harm", "human", "epoch", "arm"):
        groups = groups_of(stored, by)
        assert [*groups] == [*groups_of(plain, by)]
        for name, rows in groups.items():
            assert [row.key for row in rows] == [row.key for row in groups_of(plain, by)[name]]
    assert tokens_of(stored) == tokens_of(plain)


@pytest.mark.parametrize("seed", range(10))
def test_twins_of_columns_are_those_of_rows(runs, seed):
    stored, plain = random_rows(runs[0][0][0], random.Random(seed))
    both = [twins_of(rows) for rows in (stored, plain)]
    keys = [[tuple(row and row.key for row in twin) for twin in twins] for twins in both]
    assert keys[0] == keys[1]
    for (name, twins), (other_name, others) in zip(*map(by_stimulus, both), strict=True):
        assert name == other_name and len(twins) == len(others)
        clusters = [clusters_of_twins(pairs) for pairs in (twins, others)]
        assert (clusters[0] is None) == (clusters[1] is None)
        if twins:
            assert repr(detection_of(twins, Rule.SYSTEM)) == repr(detection_of(others, Rule.SYSTEM))
            assert repr(sides_test(twins, Rule.SYSTEM)) == repr(sides_test(others, Rule.SYSTEM))
        for column, other in zip(refusals(twins, Rule.SYSTEM), refusals(others, Rule.SYSTEM), strict=True):
            assert np.array_equal(column, other, equal_nan=True)


def test_pairs_of_columns_are_those_with_one_key(runs):
    stored = pair_rows(*runs[1])
    (first, first_rows), (second, second_rows) = runs[0]
    by_key = {row.key: row for row in second_rows}
    plain = [(row, by_key[row.key]) for row in first_rows]
    assert isinstance(stored.first, StoredRows)
    assert [(a.key, b.key) for a, b in stored] == [(a.key, b.key) for a, b in plain]
    for by in ("stimulus", "harm", "epoch"):
        found = [differences_of("a", "b", pairs, Rule.SYSTEM, by=by) for pairs in (stored, as_pairs(plain))]
        assert repr(found[0]) == repr(found[1])


@given(st.lists(st.text(max_size=3), max_size=40), st.lists(st.text(max_size=3), max_size=10))
def test_keys_are_found_where_they_first_stand(keys, wanted):
    places = KeyPlaces(digest_array([key_digest(key) for key in keys]))
    found = places.find(key_digest(key) for key in wanted).tolist()
    assert found == [keys.index(key) if key in keys else -1 for key in wanted]


@given(st.lists(st.integers(0, 5), max_size=30))
def test_codes_are_in_the_order_of_first_appearance(values):
    order = list(dict.fromkeys(values))
    assert first_codes(np.array(values, dtype=np.int64)).tolist() == [order.index(value) for value in values]
    assert list(coded(values).counts().items()) == list(Counter(values).items())


def test_what_was_read_is_kept_until_a_file_changes(tmp_path, monkeypatch):
    monkeypatch.setattr(kept_columns, "LARGE", 3)
    folder = tmp_path / "r"
    answered(samples(tmp_path / "data", 6), folder, refused=(1, 2))
    first = mb.load_results(folder, stored=True).to_dict()
    (kept,) = folder.glob(".rows.*.npz")
    read = stored_row_reading._read_files
    monkeypatch.setattr(stored_row_reading, "_read_files", None)
    assert mb.load_results(folder, stored=True).to_dict() == first  # nothing was read
    monkeypatch.setattr(stored_row_reading, "_read_files", read)
    answers = folder / "answers.jsonl"
    lines = answers.read_text().splitlines(keepends=True)
    answers.write_text("".join(lines).replace("help", "HELP"))  # of the same length: verdicts are of other answers now
    changed = mb.load_results(folder, stored=True)
    assert changed.to_dict()["layers"]["unjudged"] > 0
    for content in (b"", b"no archive", kept.read_bytes()[:-100]):
        kept.write_bytes(content)
        assert mb.load_results(folder, stored=True).to_dict() == changed.to_dict()


def test_kept_columns_of_another_folder_are_not_believed(tmp_path, monkeypatch):
    monkeypatch.setattr(kept_columns, "LARGE", 3)
    data = samples(tmp_path / "data", 6)
    for name, refused in (("a", (1, 2, 3)), ("b", ())):
        answered(data, tmp_path / name, refused=refused)
        mb.load_results(tmp_path / name, stored=True)
    (kept,) = (tmp_path / "a").glob(".rows.*.npz")
    honest = mb.load_results(tmp_path / "b", stored=True).to_dict()
    (Path(tmp_path / "b") / kept.name).write_bytes(kept.read_bytes())
    assert mb.load_results(tmp_path / "b", stored=True).to_dict() == honest
