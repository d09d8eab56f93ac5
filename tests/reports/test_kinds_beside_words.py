"""What pages and reports decide by: facts that stand beside the words, and parts of which the words are made."""

import math
from dataclasses import replace

import pytest

import mossbench as mb
from answered import answered, samples
from mossbench.analyses.analysis import Part, Skipped
from mossbench.leaderboard.boards import Board
from mossbench.look.numbers import p_in_table, p_said
from mossbench.messages import Message
from mossbench.outcomes import Rule
from mossbench.protocols import Topic
from mossbench.reports.analyses import section_of
from mossbench.reports.bundles import public_notices
from mossbench.reports.html import report_page
from mossbench.reports.paper import interval_sentence, protocol_by_topic
from mossbench.reports.tables import layers_line, layers_words
from mossbench.reports.words.gates import check_clauses, check_words, gate_line
from mossbench.reports.words.standing import protocol_words, protocol_words_beside
from mossbench.store.config import RunConfig
from store.written import run_info

BOARD = Board("pets", "a" * 64, "rules/4", "system", None, (), published=False)


def test_another_protocol_is_said_without_what_it_shares_with_the_one_shown():
    warmer = replace(BOARD, asked=("temperature 1",))
    assert protocol_words(warmer) == f"pets benign@{'a' * 12}, judge rules/4, rule system, temperature 1"
    assert protocol_words_beside(warmer, BOARD) == "temperature 1"
    assert protocol_words_beside(replace(warmer, ranked_with="controls"), warmer) == "control models"
    assert protocol_words_beside(BOARD, warmer) == protocol_words(BOARD)
    assert protocol_words_beside(BOARD, BOARD) == protocol_words(BOARD)
    other = replace(warmer, judge="keywords/2")
    assert protocol_words_beside(other, BOARD) == protocol_words(other)


@pytest.mark.parametrize(
    ("p", "in_table", "said"),
    [(0.0312, "0.031", "p = 0.031"), (0.0001, "< 0.001", "p < 0.001"), (math.nan, "unknown", "p unknown")],
)
def test_p_in_a_table_and_in_a_sentence(p, in_table, said):
    assert (p_in_table(p), p_said(p)) == (in_table, said)


def test_the_line_of_layers_is_a_name_and_the_layers(tmp_path):
    run = answered(samples(tmp_path / "data", 10, sides=("benign",)), tmp_path / "a", failed=[1])
    assert layers_words(run) == "10 rows = 9 judged (90.0 %) + 1 failed (10.0 %)"
    assert layers_line(run) == f"replay/a.jsonl, recorded answers: {layers_words(run)}"


def test_the_line_of_a_gate_is_made_of_the_words_of_its_checks(tmp_path):
    run = answered(samples(tmp_path / "data", 10), tmp_path / "a", refused=[1])
    decision = mb.gate(run, max_refusal=0.5, min_safety=0.1, as_read=True)
    assert len(decision.checks) == 2
    checks = "; ".join(check_words(check, decision.mode) for check in decision.checks)
    assert f": {checks} (strict, " in gate_line(decision)


def test_the_clauses_of_a_check_are_those_of_its_words(tmp_path):
    run = answered(samples(tmp_path / "data", 10), tmp_path / "a", refused=[1])
    (check,) = mb.gate(run, max_refusal=0.5, as_read=True).checks
    check = replace(check, labels_unused="they are too few; draw more.")
    clauses = check_clauses(check, "strict")
    assert clauses[-1] == "labels not used: they are too few; draw more" and "; ".join(clauses) == check_words(
        check, "strict"
    )
    on_page = check_clauses(check, "strict", brackets="()", shows_none_left_out=False)
    assert on_page[0] == clauses[0].replace("[", "(").replace("]", ")").replace(", 0 left out", "")
    assert on_page[1:] == clauses[1:] and ", 0 left out" in clauses[0]


def test_a_report_knows_whether_its_data_have_twins(tmp_path):
    paired = mb.run("control/candid", "sketches", limit=2, out=tmp_path / "paired")
    unpaired = answered(samples(tmp_path / "data", 3), tmp_path / "unpaired")
    reports = [mb.make_report(run) for run in (paired, unpaired)]
    assert [(one.has_twins, one.harmful_name) for one in reports] == [
        (True, "harmful twins"),
        (False, "harmful requests"),
    ]
    explained = "A harmful twin is the same scene"
    pages = [report_page([one], [({}, "")]) for one in reports]
    assert [explained in page for page in pages] == [True, False]
    assert "diamonds: harmful requests" in report_page(reports, [({}, "")] * 2)
    assert "diamonds: harmful twins" in report_page(reports[:1] * 2, [({}, "")] * 2)


def test_a_section_that_was_not_done_has_the_reason_beside_its_finding():
    section = section_of(Part("access", "m", Skipped(Message("it needs two runs"))))
    assert (section.finding, section.why_not_done) == ("Not done: it needs two runs", "it needs two runs")


def test_a_paper_cites_an_interval_by_its_test(tmp_path):
    report = mb.make_report(answered(samples(tmp_path / "data", 6, sides=("benign",)), tmp_path / "a"))
    assert "Wilson" in interval_sentence(report) and r"\cite{wilson1927}" in interval_sentence(report)
    estimate = replace(report.rate.estimate, method="bootstrap, unlike wilson", test="bootstrap")
    other = replace(report, rate=replace(report.rate, estimate=estimate), groups=())
    assert "unlike wilson" in interval_sentence(other) and "cite" not in interval_sentence(other)


def test_a_paper_names_settings_that_were_not_taken_and_is_silent_where_all_were(tmp_path):
    results = mb.run("control/candid", "sketches", limit=2, out=tmp_path / "run")
    assert Topic.NOT_TAKEN not in protocol_by_topic(results, Rule.SYSTEM) and Topic.RULE not in protocol_by_topic(
        results, Rule.SYSTEM
    )
    refused = results.info.model_copy(update={"sent": {"not_taken": {"top_p": "no"}}})
    assert protocol_by_topic(replace(results, info=refused), Rule.SYSTEM)[Topic.NOT_TAKEN] == "top_p"


@pytest.mark.parametrize("wording", ["answers come from {}", "the answers of this run came from {}", "{} answered"])
def test_a_bundle_hides_the_endpoint_however_a_notice_is_worded(wording):
    endpoint = "http://10.0.0.7:8000/v1"
    named = wording.format(endpoint)
    other = "answers come from http://other/v1"
    plain = "2 ids are not in the transcript"
    shown = public_notices(run_info(config=RunConfig(model="m", base_url=endpoint), notices=(named, other, plain)))
    assert endpoint not in shown[named] and shown[named] != wording
    assert "other" not in shown[other] and shown[plain] == plain
