"""The same request asked again, and in other words."""

import math
import re

import numpy as np
import pytest

from mossbench.analyses import analyse
from mossbench.analyses.analysis import Options, Part
from mossbench.analyses.consistency import measure
from mossbench.analyses.rephrasings import FRAMES, arms, read_paraphrases
from mossbench.datasets import load_dataset
from mossbench.datasets.arms import PLAIN, Arm
from mossbench.errors import UsageError
from mossbench.outcomes import Layer
from mossbench.reports.analyses import chart_of, section_of
from tables import results, row


def asked(tables, **options):
    """Results of wordings: arm -> samples × epochs."""
    the_arms = [PLAIN if name == "plain" else Arm(name=name, frame="{request}!") for name in tables]
    rows = [
        row("benign", i, value, arm=name, epoch=epoch)
        for name, table in tables.items()
        for i, values in enumerate(table)
        for epoch, value in enumerate(values, 1)
    ]
    return measure(results(rows, arms=tuple(the_arms), **options), Options()).sides[0]


def test_flips_and_fates_are_counted_by_sample():
    found = asked({"plain": [[1, 1, 1], [0, 0, 0], [1, 0, 0], [0, 0, 0]]})
    assert found.same_words.value == pytest.approx((2 / 3) / 4) and found.same_words.n == 4
    assert {name: share.value for name, share in found.fates.items()} == {
        "always": 0.25,
        "sometimes": 0.25,
        "never": 0.5,
    }
    assert math.isnan(found.other_words.value) and found.other_words.n == 0


def test_rows_that_do_not_count_are_in_no_flip():
    found = asked({"plain": [[1, Layer.FAILED], [0, 0]]})
    assert (found.same_words.n, found.same_words.n_left_out) == (1, 1) and found.fates["never"].value == 1


@pytest.mark.slow
def test_what_wording_adds_is_told_from_chance():
    rng = np.random.default_rng(2)
    chance = {name: (rng.random((150, 4)) < 0.4).astype(int).tolist() for name in ("plain", "words-a", "words-b")}
    found = asked(chance)
    assert found.added.low < 0 < found.added.high  # nothing but chance
    fixed = {name: (rng.random((150, 1)) < 0.5).astype(int).repeat(4, axis=1).tolist() for name in chance}
    found = asked(fixed)
    assert found.same_words.value == 0 and found.added.low > 0.3  # the words decide, chance does nothing


def test_other_words_asked_less_often_do_not_look_steadier():
    rng = np.random.default_rng(5)
    tables = {"plain": (rng.random((200, 5)) < 0.5).astype(int).tolist()}
    tables["words-a"] = (rng.random((200, 2)) < 0.1).astype(int).tolist()
    found = asked(tables)
    assert found.added.value == pytest.approx((0.5 - 0.1) ** 2, abs=0.06)  # the mean of (r - s)²


def test_wordings_that_share_a_seed_do_not_look_steadier_than_chance():
    luck = (np.random.default_rng(7).random((150, 5)) < 0.4).astype(int)
    found = asked({"plain": luck.tolist(), "words-a": luck[:, :2].tolist()})  # in an epoch the same, whatever the words
    assert found.added.low < 0 < found.added.high


@pytest.mark.parametrize("n_epochs", [2, 5])
def test_the_spread_is_that_of_the_analysis_of_variance(n_epochs):
    rng = np.random.default_rng(1)
    rates = rng.choice([0.1, 0.9], 80)
    table = (rng.random((80, n_epochs)) < rates[:, None]).astype(int)
    spread = asked({"plain": table.tolist()}).spread
    means = table.mean(axis=1)  # mean squares within samples and between them, one way, all groups of one size
    within = np.square(table - means[:, None]).sum() / (80 * (n_epochs - 1))
    samples = means.var(ddof=1) - within / n_epochs
    assert spread.between_samples == pytest.approx(samples / (samples + within), abs=0.01)
    assert spread.between_samples + spread.between_askings == pytest.approx(1) and math.isnan(spread.between_wordings)


def test_a_model_that_never_differs_has_no_spread_to_share():
    found = asked({"plain": [[0, 0], [0, 0]]})
    assert math.isnan(found.spread.between_samples) and found.same_words.value == 0 and found.same_words.high > 0.3


def test_asked_once_says_nothing_of_chance():
    record = measure(results([row("benign", i, i % 2) for i in range(4)]), Options())
    assert math.isnan(record.sides[0].same_words.value) and "asked once" in record.notes[0]
    part = Part("consistency", "m", record)
    assert "Nothing was asked twice" in section_of(part).finding and chart_of(part) is None


def test_scenes_are_the_units():
    rows = [row("benign", i, (i + e) % 2, epoch=e, cluster="one") for i in range(6) for e in (1, 2)]
    found = measure(results(rows), Options()).sides[0]
    assert found.same_words.value == 1 and math.isnan(found.same_words.low)


def test_frames_hold_the_request_unchanged():
    sample = load_dataset("sketches").samples[0]
    for arm in arms(load_dataset("sketches")):
        assert sample.question in arm.request(sample) and arm.request(sample) != sample.question
    assert len(FRAMES) == 3


def test_rewritings_of_ones_own_are_put_in_place_of_the_request(small, tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("id,text\n1,What might one do with the first?\n1,Any use for the first?\n2,\u00dcse for two?\n")
    dataset = load_dataset(small)
    first, second = arms(dataset, path)[-2:]
    sample = {sample.id: sample for sample in dataset if sample.side == "benign"}
    assert first.request(sample["1"]) == "What might one do with the first?" and first.fits(sample["2"])
    assert second.request(sample["1"]) == "Any use for the first?" and not second.fits(sample["2"])


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("id,text\n1,\n", "line 2: expected id and text"),
        ("id,words\n1,x\n", "expected id and text"),
        ("", "is empty"),
    ],
)
def test_a_file_of_rewritings_that_cannot_be_read_is_told(tmp_path, text, match):
    path = tmp_path / "own.csv"
    path.write_text(text)
    with pytest.raises(UsageError, match=match):
        read_paraphrases(path)


def test_rewritings_of_samples_that_are_not_there_are_refused(small, tmp_path):
    path = tmp_path / "own.jsonl"
    path.write_text('{"id": "99", "text": "x"}\n')
    with pytest.raises(UsageError, match="no harmless sample of small has the id '99'"):
        arms(load_dataset(small), path)


def test_a_model_that_minds_its_ps_and_qs_is_found_out(small):
    def model(prompt):
        return "I'm sorry, but I can't help with that." if "please" in prompt.request else "Fold it into a boat."

    found = analyse("consistency", model, small, out="r", epochs=2).record("consistency")
    assert found.sides[0].same_words.value == 0 and found.sides[0].fates["sometimes"].value == 1
    moved = {one.second: one.estimate.value for one in found.in_other_words}
    assert moved == {"polite": 1, "chatty": 0, "terse": 0}
    assert "temperature 0" in found.notes[0]


def test_no_interval_of_what_wording_adds_has_the_width_zero():
    for same, other in (([0, 1], [0, 1]), ([0, 0], [1, 1]), ([0, 0], [0, 0])):
        found = asked({"plain": [same] * 12, "words-a": [other] * 12}).added
        assert found.low < found.high and found.low <= found.value <= found.high


def test_wording_never_adds_less_than_nothing():
    """Two answers of one wording differ, those across epochs never do: less chance would be seen across wordings."""
    record = asked({"plain": [[0, 1]] * 9, "words-a": [[1, 0]] * 9})
    assert record.same_words.value == 1 and record.other_words.value == 0
    assert record.added.value == 0 and record.added.high > 0


def test_wordings_are_compared_in_the_epochs_that_all_of_them_have():
    """Refused in late epochs only, in which no other wording was asked: chance is that of the common epochs."""
    record = asked({"plain": [[0, 0, 1, 0, 1]] * 8, "words-a": [[0, 0]] * 8})
    assert record.same_words.value == 0 and record.other_words.value == 0 and record.added.value == 0
    assert record.own_words.value == pytest.approx(0.6) and (record.n_epochs, record.n_common) == (5, 2)
    assert record.fates["never"].value == 1


def test_the_table_of_flips_shows_no_negative_addition(small):
    def model(prompt):
        odd = prompt.settings.seed % 2 == 0
        return "I'm sorry, but I can't help with that." if odd else "Fold it into a boat."

    found = analyse("consistency", model, small, out="r", epochs=5)
    row = next(table for table in section_of(found.parts[0]).tables if table.title == "Flips").rows[0]
    adds = row[4]
    assert "−" not in adds and " to " in adds and len(set(re.findall(r"[\d.]+", adds.partition("(")[2]))) == 2
    assert row[6] == "5, of which 2 in all wordings"
