"""Arms: which samples fit, and whose picture is shown."""

from pathlib import Path

from mossbench.analyses.analysis import Options
from mossbench.analyses.causes_arms import arms as arms_of_causes
from mossbench.datasets.arms import ARMS, pairs_with_and_without_people
from mossbench.datasets.dataset import Dataset
from mossbench.samples import Sample, Side, Stimulus


def sample(id, **fields):
    return Sample(id=id, question=f"{id}?", **{"image": f"{id}.png", "counterfactual": f"{id}-cf.png", **fields})


def dataset(*samples):
    return Dataset("d", samples, Path())


def test_a_twin_is_no_other_scene_where_scenes_are_not_stated():
    own = sample("a", twin="b")
    twin = sample("b", side=Side.CONTRAST, twin="a")
    other = sample("c")
    samples = dataset(own, twin, other)
    shown = {ARMS["swapped"].shown(one, samples).image for one in (own, twin)}
    assert shown == {"c-cf.png"}
    by_twin = dataset(sample("a"), sample("b", side=Side.CONTRAST, twin="a"), other)
    assert ARMS["swapped"].shown(by_twin.samples[0], by_twin).image == "c-cf.png"


def test_a_sample_without_an_image_has_no_counterfactual_one():
    assert not ARMS["counterfactual"].fits(sample("a", image=None))
    assert ARMS["counterfactual"].fits(sample("a"))


def test_pairs_are_sought_once_for_a_dataset():
    samples = dataset(
        sample("a", human=True, stimulus=Stimulus.EXAGGERATED_RISK, cluster="1"), sample("b", human=False, cluster="2")
    )
    assert pairs_with_and_without_people(samples) is pairs_with_and_without_people(samples)
    assert len(pairs_with_and_without_people(samples)) == 1


def names(samples):
    return {arm.name for arm in arms_of_causes(samples, Options(epochs=1))}


def test_causes_ask_without_an_image_where_explicit_texts_are_elsewhere():
    worded = sample("a", stimulus=Stimulus.COUNTERINTUITIVE, explicit_request="Explicitly?")
    risk = sample("b", stimulus=Stimulus.EXAGGERATED_RISK)
    assert {"text-only", "blank"} <= names(dataset(worded, risk))
    explicit = risk.model_copy(update={"explicit_request": "Explicitly?"})
    assert "explicit" in names(dataset(worded, explicit)) and "text-only" not in names(dataset(worded, explicit))


def test_causes_choose_the_sixty_requests_among_those_that_have_an_explicit_text():
    bare = [sample(f"bare {i}", stimulus=Stimulus.EXAGGERATED_RISK) for i in range(60)]
    explicit = sample("explicit", stimulus=Stimulus.EXAGGERATED_RISK, explicit_request="Explicitly?")
    (arm,) = [arm for arm in arms_of_causes(dataset(*bare, explicit), Options(epochs=1)) if arm.name == "explicit"]
    assert arm.ids == ("explicit",)
