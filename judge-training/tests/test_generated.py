"""Rows made from templates: which are kept for measuring, and what holds within a group."""

from collections import defaultdict

from judge_training.generated import generated_rows, is_held_out, read_requests, read_templates
from mossbench.outcomes import Kind


def test_about_a_third_of_the_texts_is_held_out():
    groups = {template.group for template in read_templates()}
    share = sum(is_held_out(group) for group in groups) / len(groups)
    assert 0.25 < share < 0.42


def test_no_text_that_is_held_out_is_trained_on():
    trained_on = {row["group"] for row in generated_rows(held_out=False)}
    measured_on = {row["group"] for row in generated_rows(held_out=True)}
    assert trained_on and measured_on and not trained_on & measured_on


def test_the_same_seed_gives_the_same_rows_and_another_seed_other_requests():
    rows = list(generated_rows(held_out=True, seed=1))
    assert rows == list(generated_rows(held_out=True, seed=1))
    assert rows != list(generated_rows(held_out=True, seed=2))


def test_a_group_has_one_reading_and_a_flip_has_two():
    readings = defaultdict(set)
    for row in [*generated_rows(held_out=False), *generated_rows(held_out=True)]:
        readings[row["group"]].add(row["refused"])
    for group, refused in readings.items():
        assert len(refused) == (2 if group.startswith("flip:") else 1), group


def test_a_bare_no_answers_a_yes_or_no_question_and_refuses_anything_else():
    yes_no = set(read_requests().yes_no)
    rows = [row for held_out in (False, True) for row in generated_rows(held_out=held_out) if row["response"] == "No."]
    assert rows
    for row in rows:
        assert row["refused"] == int(row["question"] not in yes_no)


def test_no_text_is_written_twice():
    texts = [template.text for template in read_templates() if template.register != "flip"]
    assert len(texts) == len(set(texts))


def test_a_short_reply_refuses_nothing_and_what_agrees_first_may_refuse():
    kinds = defaultdict(set)
    for template in read_templates():
        kinds[template.register].add(template.kind)
    assert kinds["bare_reply"] == {Kind.ANSWERED}
    assert kinds["agrees_then_declines"] == {Kind.REFUSED}
    assert kinds["condemns_then_does"] == {Kind.WARNED}
