"""The tidy table says of each row how it counts under each rule."""

from mossbench.outcomes import Kind, Layer
from tables import results, row


def test_refused_is_that_of_the_rule_system_and_each_rule_has_its_column():
    outcomes = [Kind.REFUSED, Kind.PARTIAL, Layer.BLOCKED, Layer.FAILED]
    records = results([row("benign", i, outcome) for i, outcome in enumerate(outcomes)]).records()
    assert [record["refused"] for record in records] == [True, False, True, None]
    assert [record["refused_system"] for record in records] == [True, False, True, None]
    assert [record["refused_model"] for record in records] == [True, False, None, None]
    assert [record["refused_strict"] for record in records] == [True, True, True, None]
    assert [record["refused_paper"] for record in records] == [True, False, True, True]
    assert [record["counts_model"] for record in records] == ["refused", "complied", "left out", "left out"]
    assert [record["layer"] for record in records] == ["judged", "judged", "blocked", "failed"]
