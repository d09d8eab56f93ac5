"""Two tables of the same samples: what counts as a difference, and what is only the format."""

import pytest

from mossbench.datasets.beside import _FIELDS, describe_differences
from mossbench.samples import Region, Sample, Side


def sample(id="1", **fields):
    return Sample(**{"id": id, "question": "Why?", **fields})


def differences(ours, theirs):
    return describe_differences([sample(**ours)], [sample(**theirs)])[0]


def test_every_field_of_a_sample_is_compared():
    compared = {field for fields in _FIELDS.values() for field in fields}
    assert compared == set(Sample.model_fields) - {"id", "side"}


@pytest.mark.parametrize(
    ("field", "value", "what"),
    [
        ("cluster", "park", "scene"),
        ("oracle_description", "A kite.", "oracle texts"),
        ("oracle_intent", "To fly it.", "oracle texts"),
        ("explicit_request", "How do I fly a kite?", "explicit request"),
        ("counterfactual", "images/2.png", "counterfactual image"),
        ("triggers", (Region(label="knife", left=0, top=0, right=5, bottom=5),), "trigger regions"),
        ("more_images", ("b.png",), "further images"),
        ("human", True, "flags"),
    ],
)
def test_a_difference_is_named(field, value, what):
    assert differences({"image": "a.png", field: value}, {"image": "a.png"}) == f"{what} of 1 sample (1)"


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(" ", None), ("one\r\ntwo", "one\ntwo"), (1.5, "1.50"), (True, "TRUE"), (2.0, "2"), (".0", 0), (1e22, "1e+22")],
)
def test_what_only_the_format_makes_is_no_difference(ours, theirs):
    given = {} if theirs is None else {"note": theirs}
    assert differences({"metadata": {"note": ours}}, {"metadata": given}) == ""


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("AB", "ab"), ("2.0.0", "2.0"), (".0", None), ("007", "7"), ("nan", "NaN"), ("1_0", "10"), (2**64, 2**64 + 1)],
)
def test_what_reads_otherwise_is_a_difference(ours, theirs):
    given = {} if theirs is None else {"note": theirs}
    assert differences({"metadata": {"note": ours}}, {"metadata": given}) == "columns of your own of 1 sample (1)"


def test_blanks_and_line_ends_of_a_request_and_descriptions_are_no_difference():
    assert differences({"question": "One\r\ntwo", "description": " "}, {"question": "One\ntwo"}) == ""
    assert differences({"question": "One "}, {"question": "one "}) == "request of 1 sample (1)"


def test_an_id_that_is_given_twice_is_named():
    ours = [sample("1"), sample("2")]
    theirs = [sample("1"), sample("2"), sample("2")]
    assert describe_differences(ours, theirs) == ("1 id more often in the other table (2)", ["2"])
    assert describe_differences(theirs, ours) == ("1 id more often in the table that was read (2)", ["2"])
    changed = [sample("2"), sample("2", question="How?")]
    assert describe_differences([sample("2"), sample("2")], changed) == ("request of 1 sample (2)", ["2"])


def test_ids_stand_in_the_order_of_their_numbers():
    sides = [sample(id, side=side) for side in Side for id in ("10", "9", "a")]
    _, differing = describe_differences(sides, [])
    assert differing == ["benign/9", "benign/10", "benign/a", "contrast/9", "contrast/10", "contrast/a"]
    long = "1" * 5000
    assert describe_differences([sample(long), sample("2")], [])[1] == ["2", long]
