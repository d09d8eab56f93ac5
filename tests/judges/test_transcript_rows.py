"""Rows of a transcript, before and after they are judged, and what a cascade may take of their verdicts."""

import json
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.judges.application import AnswerRow, JudgedRow, picture_of, read_rows
from mossbench.judges.earlier.rules import RulesJudge
from mossbench.judges.validation import LabelledRow, SetAside, labelled_rows
from mossbench.outcomes import Answer, Exchange, Kind, Rule, Span, Verdict
from mossbench.samples import Side
from pictures import png


def write(rows):
    path = Path("answers.jsonl")
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def judged_row(verdict, text="No. Never.", **record):
    exchange = Exchange(side=Side.BENIGN, sample="a", request="Why?", answer=Answer(text=text))
    return JudgedRow("answers.jsonl, line 1", record, exchange, verdict, Path("answers.jsonl"))


def test_a_row_is_read_with_its_place_its_columns_and_its_exchange():
    record = {"id": "a", "side": "contrast", "epoch": 2, "request": "Why?", "response": "No.", "colour": "red"}
    (row,) = read_rows([write([record])])
    assert isinstance(row, AnswerRow)
    assert "answers.jsonl" in row.where and row.record == record
    exchange = row.exchange
    assert (exchange.side, exchange.sample, exchange.epoch) == (Side.CONTRAST, "a", 2)
    assert (exchange.request, exchange.answer.text) == ("Why?", "No.")


def test_a_row_without_an_id_goes_by_its_place_and_is_of_the_first_epoch():
    rows = list(read_rows([write([{"response": "No."}, {"response": None}])]))
    assert [row.exchange.sample for row in rows] == ["1", "2"]
    assert [row.exchange.epoch for row in rows] == [1, 1]
    assert rows[1].exchange.answer.error is not None


def test_rows_that_are_not_kept_still_count_for_the_places_of_the_others():
    path = write([{"response": "No."}, {"response": "Yes."}])
    rows = list(read_rows([path], lambda where, record: record["response"] == "Yes."))
    assert [row.exchange.sample for row in rows] == ["2"]


@pytest.mark.parametrize(
    ("verdict", "refused"),
    [(Verdict(kind=Kind.REFUSED), 1), (Verdict(kind=Kind.ANSWERED), 0), (Verdict(refused=True), 1), (Verdict(), None)],
)
def test_a_judged_row_is_refused_or_not_or_does_not_count(verdict, refused):
    row = judged_row(verdict)
    assert row.refused == refused
    assert row.to_dict("own/1")["refused"] == refused


def test_the_evidence_of_a_row_is_in_the_words_of_its_answer():
    assert judged_row(Verdict(kind=Kind.REFUSED, evidence=(Span(start=4, end=9),))).evidence == ["Never"]
    assert judged_row(None).evidence == []


def test_a_row_has_only_the_fields_that_its_verdict_fills():
    content = judged_row(Verdict(kind=Kind.REFUSED, confidence=0.5), kind="answered").to_dict("own/1")
    assert content == {
        "label_kind": "answered",
        "outcome": "refused",
        "kind": "refused",
        "refused": 1,
        "confidence": 0.5,
        "evidence": [],
        "reason": None,
        "judge": "own/1",
    }
    full = judged_row(Verdict(kind=Kind.REFUSED, via="rules", unfamiliar=True, reply="{}")).to_dict("own/1")
    assert (full["via"], full["unfamiliar"], full["reply"]) == ("rules", True, "{}")


def tuned(monkeypatch, verdicts, target):
    """What `tune_cascade` finds where every answer is a refusal and the rules say this, in this order."""

    def verdict(self, exchange, picture=None):
        return verdicts[int(exchange.sample)]

    monkeypatch.setattr(RulesJudge, "verdict", verdict)
    rows = [{"id": str(number), "response": "x", "refused": 1} for number in range(len(verdicts))]
    return mb.tune_cascade([write(rows)], target=target)


@pytest.mark.parametrize("is_right_one_first", [True, False])
def test_a_threshold_does_not_part_equal_confidences(monkeypatch, is_right_one_first):
    right = Verdict(kind=Kind.REFUSED, confidence=0.7)
    wrong = Verdict(kind=Kind.ANSWERED, confidence=0.7)
    tie = [right, wrong] if is_right_one_first else [wrong, right]
    tuning = tuned(monkeypatch, [Verdict(kind=Kind.REFUSED, confidence=0.9), *tie], target=0.9)
    assert (tuning.threshold, tuning.saved) == (0.9, 1 / 3)


def test_an_unfamiliar_answer_goes_to_the_model_however_sure_the_rules_are(monkeypatch):
    sure = Verdict(kind=Kind.REFUSED, confidence=0.9)
    unfamiliar = Verdict(kind=Kind.REFUSED, confidence=0.99, unfamiliar=True)
    tuning = tuned(monkeypatch, [sure, unfamiliar], target=0.9)
    assert (tuning.threshold, tuning.saved, tuning.n) == (0.9, 1 / 2, 2)
    assert tuning.agreement.n == 1


def test_a_disagreement_shows_the_label_beside_what_the_judge_said():
    verdict = Verdict(kind=Kind.ANSWERED, confidence=0.8, evidence=(Span(start=0, end=2),))
    row = judged_row(verdict, model="m", stimulus="s", hard=1, colour="red")
    assert LabelledRow(row, label=True, label_kind=None, reading=False).to_dict() == {
        "model": "m",
        "stimulus": "s",
        "hard": 1,
        "id": "a",
        "label": 1,
        "kind": "answered",
        "refused": 0,
        "confidence": 0.8,
        "evidence": ["No"],
    }


def test_the_image_of_a_row_is_looked_for_beside_its_file_whatever_its_id():
    Path("d").mkdir()
    Path("d", "a.png").write_bytes(png())
    Path("d", "results.json").write_text(json.dumps({"responses": {"1, 2": {"response": "No.", "image": "a.png"}}}))
    (row,) = read_rows([Path("d/results.json")])
    assert row.path == Path("d/results.json") and row.where.endswith("1, 2")
    assert picture_of(row) is not None


def test_rows_are_set_aside_for_a_reason_that_is_no_text():
    rows = [judged_row(Verdict(kind=Kind.ANSWERED)), judged_row(Verdict(), refused=1), judged_row(None, refused="")]
    _, set_aside = labelled_rows(rows, Rule.MODEL)
    assert set_aside == {SetAside.NO_LABEL: 2, SetAside.NO_VERDICT: 1}
    assert [str(why) for why in set_aside] == ["no label", "no verdict"]
