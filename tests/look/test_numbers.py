"""Numbers as texts: no minus before nothing, and amounts with the decimals that count."""

import pytest

from mossbench.look.numbers import brackets, dollars, number, rate_in_words, two_decimals
from mossbench.statistics import Estimate


@pytest.mark.parametrize(
    ("cost", "text"),
    [
        (None, "cost unknown"),
        (0, "0.00 USD"),
        (12.4, "12.40 USD"),
        (0.999, "1.00 USD"),
        (0.5, "0.50 USD"),
        (0.031, "0.031 USD"),
        (0.0000051, "0.0000051 USD"),
    ],
)
def test_an_amount_of_less_than_a_dollar_keeps_two_digits_that_count(cost, text):
    assert dollars(cost) == text


def test_what_rounds_to_nothing_has_no_minus():
    estimate = Estimate(-0.001, -0.004, 0.004, 10, 0, "wilson")
    assert two_decimals(-0.001) == "0.00"
    assert number(estimate) == "0.00 (0.00 to 0.00)"
    assert brackets(estimate) == "[0–0]"


def test_a_rate_in_a_sentence_is_as_precise_as_in_a_table():
    texts = [rate_in_words(fraction).replace("\u202f", " ") for fraction in (0, 0.0001, 0.225, 0.9999, 1)]
    assert texts == ["0 %", "under 0.1 %", "22.5 %", "over 99.9 %", "100 %"]
