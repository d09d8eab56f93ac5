"""Judges side by side: figures by source, sources a judge was fitted on apart, no verdict as a value of its own."""

import json
import math
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import JUDGE
from mossbench.cli import cli
from mossbench.errors import DataError, UsageError
from mossbench.judges import load_judge
from mossbench.judges.judge import Bill, Judge
from mossbench.outcomes import GROUP_OF_KIND, Kind, KindGroup, Usage, Verdict
from mossbench.reports.judge_tables import scoreboard_page

YES, NO = "I cannot help with that.", "Here it is: a toy."


def row(i, text, refused, **more):
    return {"id": str(i), "question": f"request {i}", "response": text, "refused": refused, **more}


def write(rows, name="labels.jsonl"):
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return name


def two_sources():
    """In `a` keywords is right on 3 of 4 rows, in `b` on all 4."""
    a = [row(0, YES, 1), row(1, NO, 0), row(2, NO, 1, hard=1), row(3, NO, 0)]
    b = [row(4, YES, 1), row(5, YES, 1), row(6, NO, 0), row(7, NO, 0)]
    return write([{**one, "source": "a"} for one in a] + [{**one, "source": "b"} for one in b])


def test_figures_by_source_and_pooled():
    board = mb.score_judges(two_sources(), ["keywords"])
    judge = board.judges[0]
    a, b = judge.by_source
    # a: 3 of 4 agree; chance 1/4 * 2/4 + 3/4 * 2/4 = 1/2, so kappa = (0.75 - 0.5) / 0.5
    assert (a.sources, a.n, a.kappa.value) == (("a",), 4, pytest.approx(0.5))
    assert a.kappa_not_hard.value == b.kappa.value == 1
    assert a.rate_error.value == pytest.approx(-0.25) and a.rate_error.low < -0.25 < a.rate_error.high
    # pooled: 7 of 8 agree; chance 3/8 * 4/8 + 5/8 * 4/8 = 1/2
    assert (judge.pooled.sources, judge.pooled.n, judge.pooled.kappa.value) == (("a", "b"), 8, pytest.approx(0.75))
    assert judge.pooled.sure is None and math.isnan(judge.pooled.kinds_kappa.value)
    assert board.sources == {"a": 4, "b": 4} and judge.dollars_per_1000 == 0 and judge.per_second > 0


def test_a_source_that_a_judge_was_fitted_on_is_shown_apart_and_not_pooled():
    class Fitted(Judge):
        name, version, fitted_on = "mine", "1", frozenset({"a", "elsewhere"})

        def verdict(self, exchange, picture=None):
            return Verdict(refused="cannot" in exchange.answer.text)

    board = mb.score_judges(two_sources(), [Fitted(), "keywords"])
    assert board.left_out == ("b",)
    assert [judge.pooled.sources for judge in board.judges] == [("b",), ("b",)], "the same rows for all"
    mine = next(judge for judge in board.judges if judge.judge == "mine/1")
    assert mine.fitted_on == ("a",) and [one.fitted for one in mine.by_source] == [True, False]
    told = mb.score_judges(two_sources(), ["keywords"], fitted_on={"keywords": ["a", "b"]})
    assert told.left_out == () and told.judges[0].pooled.n == 0 and math.isnan(told.judges[0].pooled.kappa.value)
    assert "Every source was used to fit" in scoreboard_page(told)


def test_a_judge_made_of_others_was_fitted_on_what_they_were():
    Path("answers.jsonl").write_text(json.dumps({"id": "1", "response": "x"}) + "\n")
    cascade = load_judge("cascade?model=replay/answers.jsonl")
    assert cascade.fitted_on == load_judge("rules").fitted_on >= {"rules_examples"}


def test_no_verdict_is_counted_and_in_no_other_figure():
    board = mb.score_judges(
        two_sources(), [lambda exchange: None if exchange.sample == "2" else "cannot" in str(exchange.answer.text)]
    )
    a = board.judges[0].by_source[0]
    assert (a.n, a.n_unjudged, a.kappa.value, a.rate_error.value) == (3, 1, 1, 0)


def test_a_judge_that_leaves_rows_out_does_not_lead_the_board():
    def picky(exchange):
        return None if exchange.sample == "2" else "cannot" in str(exchange.answer.text)

    board = mb.score_judges(two_sources(), [picky, "keywords"])
    assert [judge.judge.partition("/")[0] for judge in board.judges] == ["keywords", "python"]
    assert board.judges[1].pooled.kappa.value == 1 > board.judges[0].pooled.kappa.value
    assert "<h1>keywords/2: kappa 0.75" in scoreboard_page(board)


def test_errors_are_counted_among_the_most_confident():
    def sure_when_wrong(exchange):
        i = int(exchange.sample)
        return Verdict(kind=Kind.ANSWERED, confidence=1 - i / 100)

    rows = [row(i, NO, int(i < 4), kind="refused" if i < 4 else "answered", hard=int(i < 2)) for i in range(20)]
    sure = mb.score_judges(write(rows), [sure_when_wrong]).judges[0].pooled.sure
    assert (sure.n, sure.errors, sure.n_hard, sure.errors_hard) == (17, 4, 2, 2)


def test_rows_of_a_source_that_is_set_aside_are_not_judged_at_all():
    seen = []
    mb.score_judges(two_sources(), [lambda exchange: seen.append(exchange.sample)], not_sources=["a"])
    assert sorted(seen) == ["4", "5", "6", "7"]


def test_request_answer_and_kind_are_read_and_the_file_is_the_source():
    rows = [{"id": "x", "request": "Draw it.", "answer": NO, "kind": "answered"}]
    rows += [{"id": "y", "request": "Draw it.", "answer": YES, "kind": "refused"}]
    seen = []

    def read(exchange):
        seen.append(exchange.request)
        return "refused" if exchange.answer.text == YES else "warned"

    board = mb.score_judges(write(rows, "own.jsonl"), [read])
    assert board.sources == {"own": 2} and seen == ["Draw it."] * 2
    assert board.judges[0].pooled.kappa.value == 1 and board.judges[0].pooled.kinds_kappa.value < 1


def test_the_cost_of_a_model_is_known_where_its_price_is():
    class Paid(Judge):
        version = "1"

        def __init__(self, model):
            self.name, self.model = model, model

        def verdict(self, exchange, picture=None):
            return Verdict(refused=True)

        def bills(self):
            return (Bill(self.model, None, Usage(input_tokens=8_000, output_tokens=0)),)

    paid, unknown = mb.score_judges(two_sources(), [Paid("openai/gpt-4o"), Paid("openai/nobody-knows")]).judges
    assert {paid.judge: paid.dollars_per_1000, unknown.judge: unknown.dollars_per_1000} == {
        "openai/gpt-4o/1": pytest.approx(2.5),  # 1,000 tokens an answer at 2.5 USD a million
        "openai/nobody-knows/1": None,
    }


def test_judging_goes_on_where_it_was_stopped():
    calls = []

    async def judge(exchange):
        calls.append(exchange.sample)
        if len(calls) == 4:
            raise UsageError("the key is gone")
        return "cannot" in exchange.answer.text

    path = two_sources()
    with pytest.raises(UsageError, match="the key is gone"):
        mb.score_judges(path, [judge], max_connections=1)
    board = mb.score_judges(path, [judge], max_connections=1)
    assert board.judges[0].pooled.n == 8 and len(calls) == 9 and board.judges[0].per_second > 0


@pytest.mark.parametrize(
    ("judges", "more", "says"),
    [
        ([], {}, "no judge given"),
        (["keywords", "keywords"], {}, "'keywords/2' is named twice"),
        (["keywords"], {"fitted_on": {"rules": ["a"]}}, "no judge 'rules' on this scoreboard; expected keywords"),
    ],
)
def test_a_board_that_cannot_be_made_says_why(judges, more, says):
    with pytest.raises(UsageError, match=says):
        mb.score_judges(two_sources(), judges, **more)


def test_rows_without_labels_make_no_board():
    with pytest.raises(DataError, match="none of 1 rows has both a label .* and an answer: 1 no label"):
        mb.score_judges(write([{"id": "1", "response": NO}]))


def test_a_judge_on_one_source_has_one_line():
    board = mb.score_judges(write([{**row(i, YES, 1), "source": "a"} for i in range(4)]), ["keywords"])
    assert board.judges[0].standings == (board.judges[0].pooled,)
    assert [one.sources for one in mb.score_judges(two_sources(), ["keywords"]).judges[0].standings] == [
        ("a", "b"),
        ("a",),
        ("b",),
    ]


def test_the_command_prints_a_table_json_and_a_page():
    args = ["judge", "scoreboard", two_sources(), "--quiet", "--fitted-on", "keywords=a"]
    shown = CliRunner().invoke(cli, [*args, "--html", "board.html"])
    assert shown.exit_code == 0, shown.output
    assert JUDGE in shown.stdout and "keywords/2" in shown.stdout and "a *" in shown.stdout
    page = Path("board.html").read_text()
    assert "a (fitted on it)" in page and "that no judge was fitted on" in page
    found = json.loads(CliRunner().invoke(cli, [*args, "--json"]).stdout)
    assert found["left_out"] == ["b"] and {judge["judge"] for judge in found["judges"]} >= {"keywords/2"}
    again = CliRunner().invoke(cli, [*args, "--html", "board.html"])
    assert again.exit_code == 2 and "board.html" in again.output
    wrong = CliRunner().invoke(cli, ["judge", "scoreboard", "x.jsonl", "--fitted-on", "rules"])
    assert wrong.exit_code == 2 and "expected JUDGE=SOURCE" in wrong.output
    alone = CliRunner().invoke(cli, ["judge", "scoreboard", "labels.jsonl", "--judge", "rubric/kinds"])
    assert alone.exit_code != 0 and "needs a judging model" in alone.output


def test_a_source_that_is_not_there_is_an_error_and_one_not_read_is_said():
    with pytest.raises(UsageError, match="no source 'gamma' in these files; expected a, b"):
        mb.score_judges(two_sources(), ["keywords"], not_sources=["gamma"])
    with pytest.raises(UsageError, match="no source 'nowhere'"):
        mb.score_judges(two_sources(), ["keywords"], fitted_on={"keywords": ["nowhere"]})
    found = mb.score_judges(two_sources(), ["keywords", "rules"], not_sources=["a"])
    assert any("of source a, not read" in why and n > 0 for why, n in found.set_aside.items())


# Beyond agreement: shares, groups, calibration, pairs, labels that contradict each other, judges that break down


def test_kinds_have_one_group_each_and_groups_forgive_what_is_alike():
    assert set(GROUP_OF_KIND) == set(Kind) and set(GROUP_OF_KIND.values()) == set(KindGroup)
    kinds = ["refused", "incapable", "answered", "clarified"]
    rows = [row(i, NO, int(i < 2), kind=kind) for i, kind in enumerate(kinds)]
    read_as = dict(zip("0123", ["incapable", "refused", "clarified", "answered"], strict=True))
    pooled = mb.score_judges(write(rows), [lambda exchange: read_as[exchange.sample]]).judges[0].pooled
    assert pooled.kinds_kappa.value < 0 and pooled.groups_kappa.value == 1


def test_sensitivity_and_specificity_are_shares_of_refusals_and_of_other_answers():
    a, b = mb.score_judges(two_sources(), ["keywords"]).judges[0].by_source
    assert (a.sensitivity.value, a.sensitivity.n, a.specificity.value, a.specificity.n) == (0.5, 2, 1, 2)
    assert b.sensitivity.value == b.specificity.value == 1


def test_the_calibration_curve_and_the_confident_verdicts():
    def sure(exchange):
        return Verdict(kind=Kind.ANSWERED, confidence=[0.4, 0.55, 0.9, 0.95, 1.0][int(exchange.sample)])

    rows = [row(i, NO, int(i in (0, 3))) for i in range(5)] + [row(9, NO, 0)]

    def judge_of_five(exchange):
        return None if exchange.sample == "9" else sure(exchange)

    (judge,) = mb.score_judges(write(rows), [judge_of_five]).judges
    bins = [(one.low, one.high, one.n, one.n_right) for one in judge.pooled.calibration]
    assert bins == [(0, 0.5, 1, 0), (0.5, 0.6, 1, 1), (0.9, 0.95, 1, 1), (0.95, 1, 2, 1)]
    confident = judge.pooled.confident
    assert (confident.n, confident.n_wrong, confident.n_answers, confident.share) == (3, 1, 6, 0.5)
    keywords = mb.score_judges(write(rows), ["keywords"]).judges[0].pooled
    assert keywords.confident is None and keywords.calibration == ()


def test_pairs_count_each_way_and_as_a_whole():
    rows = [
        row(1, YES, 1, pair="x"),
        row(2, NO, 0, pair="x"),
        row(3, NO, 1, pair="y"),
        row(4, NO, 0, pair="y"),
        row(5, YES, 1, pair="alone"),
        row(6, YES, 1, pair="same"),
        row(7, YES, 1, pair="same"),
        row(8, NO, 0),
    ]
    pairs = mb.score_judges(write(rows), ["keywords"]).judges[0].pooled.pairs
    assert (pairs.n_pairs, pairs.n_both_right, pairs.n_incomplete) == (2, 1, 2)
    assert (pairs.n_refused, pairs.n_refused_right, pairs.n_answered, pairs.n_answered_right) == (2, 1, 2, 2)
    no_verdict = mb.score_judges(write(rows), [lambda exchange: None if exchange.sample == "2" else 1]).judges[0]
    assert no_verdict.pooled.pairs.n_pairs == 1  # half of a pair is none
    assert mb.score_judges(two_sources(), ["keywords"]).judges[0].pooled.pairs is None


def test_labels_that_contradict_each_other_are_named_with_their_ids():
    same = {"question": "the same"}
    rows = [
        row("a", YES, 1, kind="refused") | same,
        row("b", YES, 0, kind="answered") | same,
        row("c", YES, 1, kind="refused"),
        row("d", NO, 0, kind="refused"),
        row("e", NO, 0, kind="partial"),
        row("f", "Perhaps.", 1, kind="deflected") | same,
        row("g", "Perhaps.", 1) | same,
    ]
    board = mb.score_judges(write(rows), ["keywords"])
    first, second = (contradiction.labels for contradiction in board.contradictions)
    assert {id for id, _ in first} == {"a", "b"} and {label for _, label in first} >= {"refused", "answered"}
    assert second == (("d", "refused"), ("d", "not refused"))
    shown = CliRunner().invoke(cli, ["judge", "scoreboard", "labels.jsonl", "--judge", "keywords", "--quiet"])
    assert "Contradictory labels of 2 answers" in shown.stdout and "a (refused)" in shown.stdout


BREAKING = """
def raises(exchange):
    if exchange.sample == "2":
        raise RuntimeError("no more memory")
    return "cannot" in exchange.answer.text

def odd(exchange):
    return "banana" if exchange.sample == "2" else "cannot" in exchange.answer.text

def quits(exchange):
    if exchange.sample == "2":
        raise SystemExit(3)
    return "cannot" in exchange.answer.text

from mossbench.judges import Judge

class Odd(Judge):
    name, version = "odd", "1"

    def verdict(self, exchange, picture=None):
        if exchange.sample == "2":
            return {"refused": True}
        from mossbench.outcomes import Verdict
        return Verdict(refused="cannot" in exchange.answer.text)

class Quits(Odd):
    def verdict(self, exchange, picture=None):
        if exchange.sample == "2":
            raise SystemExit(3)
        return super().verdict(exchange, picture)
"""


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("raises", "no more memory"),
        ("odd", "'banana' is not a valid Kind"),
        ("quits", "SystemExit"),
        ("Odd", "it returned dict, expected a Verdict"),
        ("Quits", "SystemExit: 3"),
    ],
)
def test_a_judge_that_breaks_down_is_named_with_the_row_and_has_no_verdict_there(name, why):
    Path("mine.py").write_text(BREAKING)
    two_sources()
    command = ["judge", "scoreboard", "labels.jsonl", "--judge", f"mine.py:{name}", "--quiet"]
    shown = CliRunner().invoke(cli, command)
    assert shown.exit_code == 0 and "Traceback" not in shown.output, shown.output
    words = " ".join(shown.stdout.split())
    assert "The judge failed on 1 row, left without a verdict: 2 (labels.jsonl, line 3: judge failed:" in words
    assert why in words
    (judge,) = json.loads(CliRunner().invoke(cli, [*command, "--json"]).stdout)["judges"]
    (failure,) = judge["failures"]
    assert failure["id"] == "2" and judge["pooled"]["n"] == 7 and judge["pooled"]["n_unjudged"] == 1


def test_the_page_has_pairs_calibration_and_failures():
    rows = [row(1, YES, 1, pair="x"), row(2, NO, 0, pair="x"), row(3, NO, 0)]

    def judge(exchange):
        return "banana" if exchange.sample == "3" else Verdict(refused="cannot" in exchange.answer.text, confidence=0.9)

    page = scoreboard_page(mb.score_judges(write(rows), [judge]))
    assert "1 minimal pair: read rightly as a whole 100.0%" in page
    assert "right by confidence: 0.9 to 0.95: 100.0% of 2" in page and "The judge failed on 1 row" in page
