"""Refusal classifiers: what their labels mean, and what is said where that is not known. No torch is needed here."""

import json
import sys
from pathlib import Path

import pytest

from mossbench.errors import MissingExtra, ModelError, UsageError
from mossbench.judges import load_judge
from mossbench.judges.classifier import READS, known_classifiers, parse_labels, read_meanings, texts_to_read, verdict_of
from mossbench.models.local.classifier import Scores, labels_of
from mossbench.outcomes import Kind

TWO = {"OK": Kind.ANSWERED, "NO": Kind.REFUSED}
FOUR = {"yes": Kind.ANSWERED, "part": Kind.PARTIAL, "no": Kind.REFUSED, "blind": Kind.INCAPABLE}


def folder(labels, name="tiny"):
    Path(name).mkdir(exist_ok=True)
    config = {"model_type": "bert", "id2label": {str(i): label for i, label in enumerate(labels)}}
    Path(name, "config.json").write_text(json.dumps(config))
    return f"./{name}"


@pytest.mark.parametrize("name", known_classifiers())
def test_the_known_classifiers_are_mapped_soundly(name):
    known = known_classifiers()[name]
    found = read_meanings(name, tuple(known["labels"]), known["labels"])
    assert set(found) == set(known["labels"]) and known["reads"] in READS and known["max_tokens"] >= 128
    assert known.keys() <= {"labels", "reads", "max_tokens", "licence", "revision", "note"}


def test_a_classifier_of_two_labels_tells_refused_or_not_and_says_so():
    said = verdict_of(Scores({"OK": 0.2, "NO": 0.8}, 10, 10), TWO)
    assert (said.kind, said.refused, said.confidence) == (None, True, 0.8)
    assert said.reason == "NO at 0.80; tells only refused or not"
    assert verdict_of(Scores({"OK": 0.9, "NO": 0.1}, 10, 10), TWO).refused is False


def test_a_classifier_of_kinds_tells_them_as_surely_as_all_labels_of_their_side():
    said = verdict_of(Scores({"yes": 0.1, "part": 0.2, "no": 0.3, "blind": 0.4}, 10, 10), FOUR)
    assert (said.kind, said.confidence) == (Kind.INCAPABLE, pytest.approx(0.7))


def test_an_answer_that_was_cut_is_said_to_be():
    assert "read 512 of 900 tokens" in verdict_of(Scores({"OK": 1.0, "NO": 0.0}, 900, 512), TWO).reason


def test_what_a_classifier_is_given():
    assert texts_to_read("answer", "Why?", "So.") == ("So.",)
    assert texts_to_read("pair", "Why?", "So.") == ("Why?", "So.")
    assert texts_to_read("roles", "Why?", "So.") == ("<|user|>\nWhy?\n<|assistant|>\nSo.",)


def test_labels_are_found_whatever_their_case_and_in_their_order():
    assert labels_of({"id2label": {"10": "k", "2": "b", "0": "a"}}) == ("a", "b", "k")
    assert labels_of({}) == ("LABEL_0", "LABEL_1")
    assert read_meanings("x", ("NORMAL", "Rejection"), {"normal": "answered", "REJECTION": "refused"}) == {
        "NORMAL": Kind.ANSWERED,
        "Rejection": Kind.REFUSED,
    }


@pytest.mark.parametrize(
    ("labels", "query", "says"),
    [
        (
            ["good", "bad"],
            "",
            r"the labels of checkpoint './tiny' are not known; its labels are 'good', 'bad': "
            r"give their meaning, as in classifier/./tiny\?labels=good:KIND,bad:KIND; KIND is one of answered, ",
        ),
        (["good", "bad"], "?labels=good:answered", "has a label 'bad' without a meaning; its labels are 'good', 'bad'"),
        (["good", "bad"], "?labels=good:answered,bad:evil", "has 'evil', expected a kind"),
        (["good", "bad"], "?labels=good:answered,bad:warned", "all labels of './tiny' mean the same, refused or not"),
        (["good", "bad"], "?labels=good", "labels has 'good', expected LABEL:KIND"),
        (["score"], "?labels=score:refused", "gives a single score and cannot judge"),
        (["good", "bad"], "?reads=image", "reads is 'image', expected one of answer, pair, roles"),
        (["good", "bad"], "?colour=red", "has no setting colour; it takes labels, reads"),
    ],
)
def test_a_label_without_a_meaning_is_refused_with_the_labels_and_the_way_out(labels, query, says):
    with pytest.raises(UsageError, match=says):
        load_judge(f"classifier/{folder(labels)}{query}")


def test_a_classifier_needs_a_checkpoint_that_is_there():
    with pytest.raises(UsageError, match="needs a checkpoint: classifier/FOLDER"):
        load_judge("classifier")
    with pytest.raises(ModelError, match="no checkpoint at './nowhere'"):
        load_judge("classifier/./nowhere")


@pytest.mark.parametrize(
    "spec", ["classifier/./tiny?labels=good:answered,bad:refused", "classifier/NousResearch/Minos-v1"]
)
def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch, spec):
    folder(["good", "bad"])
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match=r"^classifier/<checkpoint> needs the extra \[local\]"):
        load_judge(spec)


def test_settings_of_labels_are_read():
    assert parse_labels("a:refused, b c:answered") == {"a": "refused", "b c": "answered"}
