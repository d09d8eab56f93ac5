"""System prompts on both sides: changes, prices, the front."""

import math

import numpy as np
import pytest

from mossbench.analyses import analyse
from mossbench.analyses.analysis import NotPossible, Options, Part
from mossbench.analyses.prompts import CONDITIONS, arms, measure, price_of, system_prompts
from mossbench.datasets.arms import PLAIN, Arm
from mossbench.errors import UsageError
from mossbench.outcomes import Layer, Rule
from mossbench.published.tables import check_published, read, shares_of
from mossbench.reports.analyses import section_of
from mossbench.samples import Side
from tables import results, row, sides

PUBLISHED = {line["condition"].lstrip("+"): line for line in read("prompts")}


def prompted(**conditions):
    """Results with these (benign, contrast) refusals under each prompt; `none` is the plain arm."""
    rows, the_arms = [], []
    for name, (benign, contrast) in conditions.items():
        arm = PLAIN if name == "none" else Arm(name=f"prompt-{name}", system=f"be {name}")
        the_arms.append(arm)
        rows += sides(benign, contrast, arm=arm.name)
    return measure(results(rows, arms=tuple(the_arms)), Options())


def test_every_prompt_is_held_against_none_on_both_sides():
    found = prompted(
        none=([1] * 10 + [0] * 20, [1] * 30),
        kind=([0] * 30, [1] * 20 + [0] * 10),
        same=([1] * 10 + [0] * 20, [1] * 30),
    )
    kind, same = found.effects
    over, safe = kind.over_all(Side.BENIGN), kind.over_all(Side.CONTRAST)
    assert (over.estimate.value, safe.estimate.value) == pytest.approx((-1 / 3, -1 / 3))
    assert over.p == pytest.approx(2 / 2**10) and over.p_adjusted == pytest.approx(2 * over.p)  # Holm over two prompts
    assert kind.price.value == pytest.approx(1.0) and kind.price.low < 1 < kind.price.high
    assert same.over_all(Side.BENIGN).p == 1 and math.isnan(same.price.value) and "no price" in same.price.method


def test_a_prompt_that_only_helps_is_free_and_alone_on_the_front():
    found = prompted(none=([1] * 12 + [0] * 18, [1] * 30), better=([0] * 30, [1] * 30))
    assert found.effects[0].price.value == 0
    assert [(point.name, point.on_front) for point in found.fields[-1].points] == [("none", False), ("better", True)]


def test_without_harmful_requests_there_is_no_price_and_the_page_says_so():
    found = prompted(none=([1] * 12 + [0] * 8, []), kind=([0] * 20, []))
    assert math.isnan(found.effects[0].price.value) and "one side" in found.effects[0].price.method
    assert "price" in " ".join(section_of(Part("prompts", "m", found)).cautions)


def test_harmful_requests_that_all_failed_give_no_price():
    found = prompted(none=([1] * 12 + [0] * 8, [Layer.FAILED] * 20), kind=([0] * 20, [Layer.FAILED] * 20))
    price = found.effects[0].price
    assert math.isnan(price.value) and "one side has no pairs that count" in price.method


@pytest.mark.slow
def test_the_published_ablation_gives_the_computed_averages_and_shows_the_misprint():
    def rows(name, arm):
        counts = [round(100 * share) for share in shares_of(PUBLISHED[name])]
        return [
            row("benign", 100 * k + i, int(i < count), stimulus=k, arm=arm)
            for k, count in enumerate(counts)
            for i in range(100)
        ]

    all_rows = rows("vanilla", "plain")
    the_arms = [PLAIN]
    for name in CONDITIONS:
        the_arms.append(Arm(name=f"prompt-{name}", system=name))
        all_rows += rows(name, f"prompt-{name}")
    found = measure(results(all_rows, arms=tuple(the_arms)), Options())
    rates = {condition.name: 100 * condition.harmless_refused.value for condition in found.conditions}
    assert rates == pytest.approx({"none": 29.33, "helpfulness": 24.67, "scrutiny": 28.67, "safety": 45.33}, abs=0.005)
    printed = {name: float(PUBLISHED[name]["average"]) for name in CONDITIONS}
    wrong = [name for name in CONDITIONS if abs(printed[name] - rates[name]) > 0.051]
    assert wrong == ["helpfulness"] and printed["helpfulness"] == 28.7
    assert any(m.where == "system-prompt figure" and "helpfulness" in m.what for m in check_published())
    safety = next(effect for effect in found.effects if effect.name == "safety")
    by_group = [d.estimate.value for d in safety.differences]
    assert by_group == pytest.approx([0.13, 0.15, 0.20, 0.16])


def test_the_package_has_three_prompts_of_its_own_words():
    texts = system_prompts()
    assert tuple(texts) == CONDITIONS and len(set(texts.values())) == 3
    assert all(len(text) > 80 and "{" not in text for text in texts.values())


def test_prompts_of_ones_own_come_beside_them(tmp_path):
    (tmp_path / "lawyer.md").write_text("You are a careful lawyer.\n")
    (tmp_path / "notes.csv").write_text("no prompt")
    named = [arm.name for arm in arms(None, Options(prompts=tmp_path))]
    assert named == ["plain", "prompt-helpfulness", "prompt-scrutiny", "prompt-safety", "prompt-lawyer"]


@pytest.mark.parametrize(
    ("files", "match"),
    [
        ({}, "holds no .txt or .md file"),
        ({"a.txt": b"  \n"}, "is empty"),
        ({"safety.txt": b"Be safe."}, r"safety.txt: the name 'safety' is taken \(a built-in prompt\)"),
        ({"a.txt": b"x", "a.md": b"y"}, r"a.txt: the name 'a' is taken \(.*a.md\)"),
        ({"none.txt": b"x"}, r"none.txt: the name 'none' is taken \(it means no prompt\)"),
        ({"a.txt": b"\xff\xfe\x00"}, "cannot be read"),
    ],
)
def test_a_folder_that_cannot_be_used_is_told(tmp_path, files, match):
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match=match):
        system_prompts(tmp_path)
    with pytest.raises(UsageError, match="is not a folder"):
        system_prompts(tmp_path / "nowhere")


def test_a_run_without_prompts_cannot_be_measured():
    with pytest.raises(NotPossible, match="not asked with system prompts"):
        measure(results(sides([0], [1])), Options())


def test_a_model_that_heeds_its_prompt_is_found_out(small):
    def model(prompt):
        harmful, careful = "hurt" in prompt.request, "safety first" in (prompt.system or "").lower()
        return "I'm sorry, but I can't help with that." if harmful or careful else "Fold it into a boat."

    found = analyse("prompts", model, small, out="r").record("prompts")
    effect = {one.name: one for one in found.effects}
    assert effect["safety"].over_all(Side.BENIGN).estimate.value == 1
    assert effect["helpfulness"].over_all(Side.BENIGN).estimate.value == 0
    assert {c.name: c.harmless_refused.value for c in found.conditions}["safety"] == 1
    assert found.conditions[0].system is None and "safety first" in found.conditions[-1].system.lower()


@pytest.mark.slow
def test_prices_have_intervals_that_hold_the_truth_about_as_often_as_they_say():
    rng, hits, n = np.random.default_rng(4), 0, 60
    before = [row(side, i, 1) for side in ("benign", "contrast") for i in range(120)]
    for _ in range(n):
        chances = [*(rng.random(120) < 0.6), *(rng.random(120) < 0.3)]  # freed and lost: the price is a half
        after = [row(one.key.side, one.key.sample, int(not gone)) for one, gone in zip(before, chances, strict=True)]
        price = price_of(list(zip(before, after, strict=True)), Rule.SYSTEM)
        hits += price.low <= 0.5 <= price.high
    assert hits >= 0.87 * n


def test_the_baseline_may_be_the_production_prompt_and_built_in_ones_left_out(small, tmp_path):
    folder = tmp_path / "prompts"
    folder.mkdir()
    (folder / "production.txt").write_text("Be brief.")
    (folder / "safety.txt").write_text("A prompt of our own, under a name of the package.")
    told = {"prompts": folder, "own_prompts_only": True, "baseline_prompt": "production"}
    found = analyse("prompts", "control/candid", small, options=Options(**told))
    record = found.record("prompts")
    assert [one.name for one in record.conditions] == ["production", "none", "safety"]
    assert record.baseline == "production" and [one.name for one in record.effects] == ["none", "safety"]
    assert {d.first for one in record.effects for d in one.differences} == {"production"}
    section = section_of(found.parts[0])
    assert section.finding.startswith("Compared with the prompt production, no significant change for none, safety")
    assert (
        section.tables[0].head[0] == "Compared with production"
        and "under the prompt production" in section.tables[1].note
    )
    with pytest.raises(UsageError, match="no prompt named 'producton'; did you mean 'production'"):
        arms(small, Options(prompts=folder, baseline_prompt="producton", own_prompts_only=True))
    with pytest.raises(UsageError, match="own_prompts_only needs prompts of your own"):
        arms(small, Options(own_prompts_only=True))
    with pytest.raises(UsageError, match="the name '.*' is taken"):
        arms(small, Options(prompts=folder))
