"""The table of patterns of `reader`: every row matches its examples and passes over what only looks like them."""

import re

from every import every
from mossbench.judges.reader.parts import PARTS, filled
from mossbench.judges.reader.patterns import Pattern, Sign, find
from mossbench.judges.reader.sentences import n_list_items, sentences
from mossbench.judges.reader.signs import FEATURES, TABLE, features, read_signs

MATCHES = [(pattern, text) for pattern in TABLE for text in pattern.matches]
PASSES = [(pattern, text) for pattern in TABLE for text in pattern.passes]


def is_found(pattern, text):
    return bool(list(find((pattern,), sentences(text))))


def name_of(case):
    pattern, text = case
    return f"{pattern.shows.value} {pattern.regex}: {text}"


@every(MATCHES, name=name_of)
def test_a_pattern_matches_its_examples(case):
    assert is_found(*case)


@every(PASSES, name=name_of)
def test_a_pattern_passes_over_what_only_looks_like_it(case):
    assert not is_found(*case)


def test_every_row_has_two_examples_of_each_kind():
    few = [pattern.regex for pattern in TABLE if min(len(pattern.matches), len(pattern.passes)) < 2]
    assert not few


def test_no_two_rows_have_the_same_pattern():
    assert len({pattern.regex for pattern in TABLE}) == len(TABLE)


def test_every_sign_has_a_pattern():
    assert {pattern.shows for pattern in TABLE} == set(Sign)


def test_parts_stand_for_their_words():
    pattern = re.compile(filled(r"\b{i}{cannot} {see}{end}"))
    assert pattern.search("so we aren't") is None
    assert pattern.search("i can't see.")
    assert pattern.search("we are unable to open.")
    assert all(name in PARTS for name in ("i", "cannot", "softly", "help", "this", "end"))


def test_apostrophes_and_markdown_do_not_matter():
    pattern = Pattern(Sign.DECLINES, r"\bi can't help\b", matches=(), passes=())
    assert is_found(pattern, "I can’t help.")
    assert is_found(pattern, "**I can't** _help_.")


def test_quoted_words_and_code_are_not_the_speakers_own():
    pattern = Pattern(Sign.DECLINES, r"\bi can't help\b", matches=(), passes=())
    assert not is_found(pattern, 'You could write: "I can\'t help you on Sunday." It is polite.')
    assert not is_found(pattern, "Use this:\n```\nprint('I can't help')\n```\nand run it.")
    assert is_found(pattern, '"I can\'t help with that."'), "nothing else is said"


def test_a_match_says_where_it_stands_in_the_answer():
    answer = "Hello there.\n\nSorry, I can't help with that."
    match = next(match for match in read_signs("", answer).matches if match.pattern.shows is Sign.DECLINES)
    assert answer[match.start : match.end] == "I can't help with that"
    assert match.n_sentence == 1


def test_content_is_counted_before_and_after_a_decline():
    signs = read_signs("", "The left cup is blue. I can't help with that. The right cup is green and quite old.")
    assert signs.words_before == 5
    assert signs.words_after == 8
    assert signs.n_content_words == 13


def test_marks_of_lists_are_counted():
    assert n_list_items("1. Eggs\n2. Milk\n- Bread\nand no more") == 3


def test_every_feature_has_a_number_of_moderate_size():
    for answer in ("", "No.", "I can't help with that.", "Eggs. " * 5000):
        values = features(read_signs("Is it safe?", answer))
        assert len(values) == len(FEATURES)
        assert all(-3 <= value <= 3 for value in values)
