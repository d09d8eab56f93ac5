import copy
import pickle

import pytest
from pydantic import ValidationError

from mossbench.samples import Harm, Region, Sample, Stimulus


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("type 1", Stimulus.EXAGGERATED_RISK),
        ("Type 2", Stimulus.NEGATED_HARM),
        (3, Stimulus.COUNTERINTUITIVE),
        ("Exaggerated Risk", Stimulus.EXAGGERATED_RISK),
        ("counterintuitive interpretation", Stimulus.COUNTERINTUITIVE),
        ("negated_harm", Stimulus.NEGATED_HARM),
        (Stimulus.NEGATED_HARM, Stimulus.NEGATED_HARM),
    ],
)
def test_a_stimulus_is_understood_in_every_spelling_in_use(spelling, expected):
    assert Sample(id="1", question="?", stimulus=spelling).stimulus is expected


@pytest.mark.parametrize("spelling", ["type 4", "risk", 0])
def test_an_unknown_stimulus_is_an_error_that_lists_the_known(spelling):
    with pytest.raises(ValidationError, match="exaggerated_risk, negated_harm, counterintuitive"):
        Sample(id="1", question="?", stimulus=spelling)


@pytest.mark.parametrize(
    ("spelling", "expected"), [(7, Harm.GENERAL_HARM), ("6", Harm.ILLEGAL_ACT), ("Misinformation", Harm.MISINFORMATION)]
)
def test_a_harm_class_is_understood_by_code_and_by_name(spelling, expected):
    assert Sample(id="1", question="?", harm=spelling).harm is expected


@pytest.mark.parametrize("code", [0, 8, "violence"])
def test_an_unknown_harm_class_is_an_error(code):
    with pytest.raises(ValidationError, match="codes 1 to 7"):
        Sample(id="1", question="?", harm=code)


def test_harm_codes_have_the_published_order():
    assert [harm.title for harm in Harm] == [
        "Cybercrime",
        "Chemical & biological weapons / drugs",
        "Copyright violation",
        "Misinformation",
        "Harassment",
        "Illegal act",
        "General harm",
    ]


def test_text_that_cannot_be_written_back_is_refused():
    with pytest.raises(ValidationError):
        Sample(id="1", question="lone \ud800 surrogate")


def test_a_sample_survives_json():
    sample = Sample(id="07", question='say "hi"\n', stimulus=2, harm=5, human=True, child=False, cluster="a")
    assert Sample.model_validate_json(sample.model_dump_json()) == sample


def test_a_field_nobody_knows_is_an_error():
    with pytest.raises(ValidationError, match="stimulas"):
        Sample(id="1", question="?", stimulas="type 1")


def test_records_forget_which_fields_they_were_given_and_are_otherwise_the_same():
    one = Sample.model_validate_json('{"id": "1", "question": "?", "image": "1.png", "metadata": {"shelf": 3}}')
    assert not one.model_fields_set
    other = Sample(id="2", question="?")
    with pytest.raises(TypeError, match="cannot be changed"):
        one.model_fields_set.add("question")
    with pytest.raises(TypeError, match="cannot be changed"):
        one.model_fields_set.update({"question"})
    copied = one.model_copy(update={"question": "!"})
    copied.model_fields_set.add("id")  # its own
    assert not one.model_fields_set and not other.model_fields_set and not Region.model_construct().model_fields_set
    assert pickle.loads(pickle.dumps(one)) == one == copy.deepcopy(one) == copy.copy(one)
    assert one.model_copy(deep=True) == one and not one.model_fields_set
    same = one.model_copy(update={"question": "!"}).model_copy(update={"question": "?"})
    assert same == one == Sample.model_validate_json(one.model_dump_json()) and hash(same) == hash(one)
