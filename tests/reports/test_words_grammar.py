import pytest

from mossbench.reports.words.grammar import capital, has_have, is_are, it_them, listing, plural, sentence, was_were


@pytest.mark.parametrize(
    ("count", "text"), [(0, "no rows"), (1, "one row"), (3, "three rows"), (13, "13 rows"), (2000, "2,000 rows")]
)
def test_small_counts_are_words_and_large_ones_have_commas(count, text):
    assert plural(count, "row") == text


@pytest.mark.parametrize(
    ("words", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_the_last_of_a_list_follows_an_and(words, text):
    assert listing(words) == text


def test_verbs_and_pronouns_follow_the_count():
    assert [is_are(1), has_have(1), was_were(1), it_them(1)] == ["is", "has", "was", "it"]
    assert [is_are(0), has_have(2), was_were(3), it_them(4)] == ["are", "have", "were", "them"]


def test_a_capital_leaves_the_rest_of_a_name_alone():
    assert capital("gPT-4 refused") == "GPT-4 refused"


@pytest.mark.parametrize(("text", "full"), [("it failed ", "It failed."), ("why?", "Why?"), ("Done.", "Done.")])
def test_a_sentence_has_one_full_stop(text, full):
    assert sentence(text) == full
