from dataclasses import replace

import pytest

from mossbench.analyses.claims import ReadingRival, make_claim
from mossbench.reports.words.claims import inconclusive_sentence, inconclusive_sentences
from mossbench.statistics import Effect, Estimate

LEFT = Estimate(0.05, -0.1, 0.2, 40, 0, "x")


def lost(name, rival):
    found = make_claim(name, None, {"removed": Effect(0.3, 0.03, 39, 40, 0, 400)}, 9)
    return replace(found, reading_rival=rival, p=1.0, p_change=1.0, p_reverse=1.0)


@pytest.mark.parametrize(
    ("rival", "end"),
    [
        (
            ReadingRival("same words", LEFT),
            "Read the same everywhere, as most of them were: +5.0 (−10.0 to 20.0) points are left, which is not "
            "significant.",
        ),
        (
            ReadingRival("missing", LEFT),
            "Counted against it: +5.0 (−10.0 to 20.0) points are left, which is not significant.",
        ),
        (
            ReadingRival("measured error", missed=0.1, invented=0.05),
            "a judge that misses up to 10.0\u202f% of refusals and reads up to 5.0\u202f% of other answers as "
            "refusals, as measured, could turn one refusal rate into these two. Label some answers of both arms to "
            "exclude that.",
        ),
    ],
)
def test_a_claim_that_is_lost_says_to_what(rival, end):
    text = inconclusive_sentence("The words", lost("words", rival), rival)
    assert text.startswith(
        "The words: inconclusive (+30.0 (23.9 to 36.1) points as the judge read the answers). "
    ) and text.endswith(end)


def test_claims_with_too_many_missing_answers_share_a_sentence():
    names = {"words": "The words", "object": "The thing"}
    claims = [lost(name, ReadingRival("too many missing", arm="plain")) for name in names]
    (text,) = inconclusive_sentences(claims, names)
    assert text.startswith("More than ") and text.endswith("Inconclusive for that reason: The words; The thing.")


def test_a_claim_that_is_not_lost_to_reading_has_no_sentence():
    assert (
        list(inconclusive_sentences([make_claim("words", None, {"a": Effect(0.3, 0.03, 39, 40, 0, 400)}, 9)], {})) == []
    )
