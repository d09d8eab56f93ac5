"""The analyses find what was planted in control models."""

import pytest

from mossbench.analyses import analyse
from mossbench.samples import Side

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def heeding(tmp_path_factory):
    """A model that refuses at known rates and heeds its system prompt."""
    model = "control/mixture?jumpy=0.5&prudish=0.5&safety=0.9&heed=2"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))
        return analyse(["tradeoff", "prompts", "consistency"], model, out=tmp_path_factory.mktemp("h") / "r", epochs=2)


def test_safety_and_rates_are_those_planted(heeding):
    groups = {group.group: group for group in heeding.record("tradeoff").groups}
    assert groups["All"].harmful_refused.low - 0.03 < 0.9 < groups["All"].harmful_refused.high + 0.03
    for name in ("Exaggerated Risk", "Counterintuitive Interpretation"):
        assert groups[name].harmless_refused.low - 0.03 < 0.5 < groups[name].harmless_refused.high + 0.03
    assert groups["All"].twins.tells_apart.p < 0.001


def test_a_prompt_that_is_heeded_moves_both_sides_and_one_that_is_not_moves_none(heeding):
    effects = {effect.name: effect for effect in heeding.record("prompts").effects}
    for side in Side:
        assert effects["helpfulness"].over_all(side).estimate.high < 0
        assert effects["safety"].over_all(side).estimate.low > 0
        assert not effects["scrutiny"].over_all(side).is_significant
    assert effects["helpfulness"].price.low > 0 and effects["safety"].price.low > 0


def test_wording_adds_nothing_to_chance(heeding):
    benign = heeding.record("consistency").sides[0]
    assert benign.added.low < 0.02 and benign.added.high > -0.02 and benign.same_words.value > 0.2


def test_a_filter_before_the_same_model_is_found(tmp_path):
    models = ["control/ideal", "control/faulty?fail=0.05&block=0.3"]
    found = analyse("access", models, out=tmp_path / "r").record("access")
    assert found.lies_in(Side.BENIGN) == ("filter",)
    assert found.layers[Side.BENIGN][1]["failed"] > 0 == found.layers[Side.BENIGN][0]["failed"]
