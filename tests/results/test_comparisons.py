"""Runs compared pair by pair."""

import csv
import io
import json
import math
import re
from dataclasses import replace

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import mossbench as mb
from answered import JUDGE, NO, YES, answered, samples
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.outcomes import Key, Kind, Layer, Outcome, Rule
from mossbench.results.comparability import pair_rows
from mossbench.results.differences import difference
from mossbench.results.rows import ResultRow
from mossbench.samples import Sample, Side


def mossbench(*args):
    return CliRunner().invoke(cli, [str(arg) for arg in args], catch_exceptions=False)


def whole(found, side="benign", second=None):
    (one,) = [
        d for d in found.differences if (d.group, d.side) == ("all", side) and second in (None, d.second.split("/")[-1])
    ]
    return one


def test_only_pairs_count_and_the_rest_is_counted_as_left_out(tmp_path):
    data = samples(tmp_path / "data", 30)
    first = answered(data, tmp_path / "a", refused=[1], failed=[2, 3])
    second = answered(data, tmp_path / "b", refused=[1, 4, 5], failed=[3, 6])
    one = whole(mb.compare(first, second))
    assert (one.estimate.n, one.estimate.n_left_out) == (27, 3)  # 2, 3 and 6
    assert (one.only_first, one.only_second) == (0, 2)
    assert one.rates == (1 / 27, 3 / 27) and one.estimate.value == pytest.approx(2 / 27)


def test_p_is_that_of_the_exact_test_and_the_sentence_says_more(tmp_path):
    data = samples(tmp_path / "data", 40, sides=("benign",))
    answered(data, tmp_path / "a", refused=[1])
    answered(data, tmp_path / "b", refused=range(2, 10))
    one = whole(mb.compare(tmp_path / "a", tmp_path / "b"))
    assert one.p == pytest.approx(2 * (1 + 9) / 2**9)  # 1 against 8 of 9 that differ
    assert one.is_significant and one.n_needed is None
    shown = " ".join(mossbench("compare", tmp_path / "a", tmp_path / "b").stdout.split())
    assert "b.jsonl refuses more (2.5 % and 20.0 % of 40 pairs)" in shown


def test_samples_of_one_scene_are_not_independent(tmp_path):
    alone = samples(tmp_path / "alone", 20, sides=("benign",))
    together = samples(tmp_path / "together", 20, sides=("benign",), scene=lambda i: f"scene {(i - 1) // 5}")
    found = []
    for data in (alone, together):
        runs = [answered(data, tmp_path / f"{data.name}-{n}", refused=range(1, n)) for n in (1, 11)]
        found.append(whole(mb.compare(*runs)))
    assert found[0].p == pytest.approx(2 / 2**10) and found[1].p == pytest.approx(2 / 2**2)
    assert found[1].estimate.low < found[0].estimate.low
    assert "4 clusters" in found[1].estimate.method


def test_epochs_are_no_further_samples(tmp_path):
    data = samples(tmp_path / "data", 12, sides=("benign",))
    once = [answered(data, tmp_path / f"one{n}", refused=range(n)) for n in (0, 6)]
    thrice = [answered(data, tmp_path / f"three{n}", refused=range(n), epochs=3) for n in (0, 6)]
    one, three = whole(mb.compare(*once)), whole(mb.compare(*thrice))
    assert three.estimate.n == 36 and three.p == pytest.approx(one.p)
    assert three.estimate.high - three.estimate.low == pytest.approx(one.estimate.high - one.estimate.low, rel=0.1)
    assert three.n_needed == pytest.approx(one.n_needed, rel=0.2)


def test_what_cannot_be_told_apart_is_said_with_the_samples_it_would_take(tmp_path):
    data = samples(tmp_path / "data", 30, sides=("benign",))
    answered(data, tmp_path / "a", refused=[1, 2])
    answered(data, tmp_path / "b", refused=[2, 3, 4])
    one = whole(mb.compare(tmp_path / "a", tmp_path / "b"))
    assert not one.is_significant and one.n_needed > 30
    shown = " ".join(mossbench("compare", tmp_path / "a", tmp_path / "b").stdout.split())
    assert (
        "no significant difference between" in shown
        and f"About {one.n_needed:,} samples give 80 % power at the observed difference." in shown
    )


def test_runs_that_answer_alike_show_no_difference(tmp_path):
    data = samples(tmp_path / "data", 6, sides=("benign",))
    one = whole(mb.compare(*(answered(data, tmp_path / name, refused=[1]) for name in "ab")))
    assert (one.p, one.n_needed, one.estimate.value) == (1.0, None, 0.0)
    assert one.estimate.low < 0 < one.estimate.high
    assert "no difference was observed" in " ".join(mossbench("compare", tmp_path / "a", tmp_path / "b").stdout.split())


def test_nothing_counted_is_nan_and_said(tmp_path):
    data = samples(tmp_path / "data", 3, sides=("benign",))
    answered(data, tmp_path / "a", failed=[1, 2])
    answered(data, tmp_path / "b", failed=[3])
    one = whole(mb.compare(tmp_path / "a", tmp_path / "b"))
    assert one.estimate.n == 0 and math.isnan(one.estimate.value) and math.isnan(one.p)
    done = mossbench("compare", tmp_path / "a", tmp_path / "b")
    assert "no pair counts (3 left out)" in done.stdout and " –" in done.stdout
    assert (
        json.loads(mossbench("compare", tmp_path / "a", tmp_path / "b", "--json").stdout)["differences"][0]["p"] is None
    )


@pytest.mark.parametrize("scene", [lambda i: None, lambda i: f"scene {i % 2}"])
def test_the_samples_it_would_take_are_never_fewer_than_the_exact_test_needs(tmp_path, scene):
    data = samples(tmp_path / "data", 4, sides=("benign",), scene=scene)
    one = whole(mb.compare(answered(data, tmp_path / "a"), answered(data, tmp_path / "b", refused=range(1, 5))))
    n_scenes = len({scene(i) or i for i in range(1, 5)})
    assert one.p == pytest.approx(2 / 2**n_scenes) and not one.is_significant
    assert one.n_needed * n_scenes / 4 >= 6


def test_an_interval_that_says_otherwise_than_p_is_explained(tmp_path):
    data = samples(tmp_path / "data", 30, sides=("benign",))
    answered(data, tmp_path / "a")
    answered(data, tmp_path / "b", refused=range(1, 6))
    one = whole(mb.compare(tmp_path / "a", tmp_path / "b"))
    assert one.estimate.low > 0 and one.p > 0.05 and one.interval_differs
    assert "Interval and p disagree (all). p decides" in mossbench("compare", tmp_path / "a", tmp_path / "b").stdout
    answered(data, tmp_path / "c", refused=[1])
    assert "disagree" not in mossbench("compare", tmp_path / "a", tmp_path / "c").stdout


def test_flips_can_be_left_out_and_one_pair_is_one_pair(tmp_path):
    data = samples(tmp_path / "data", 1, sides=("benign",))
    digest = mb.load_dataset(data).hashes["benign"][:12]
    answered(data, tmp_path / "a")
    answered(data, tmp_path / "b", refused=[1])
    shown = mossbench("compare", tmp_path / "a", tmp_path / "b", "--flips", 0).stdout
    assert "What about" not in shown and "more:" not in shown and "of 1 pair;" in " ".join(shown.split())
    assert f"data data benign@{digest} · judge {JUDGE}" in shown
    text = mossbench("compare", tmp_path / "a", tmp_path / "b", "--format", "md").stdout
    assert "  - answered: Sure." in text and "  - refused: I'm sorry" in text


def test_flips_are_listed_both_ways_with_both_answers(tmp_path):
    data = samples(tmp_path / "data", 6, sides=("benign",))
    answered(data, tmp_path / "a", refused=[1, 2])
    answered(data, tmp_path / "b", refused=[2, 3, 4])
    found = mb.compare(tmp_path / "a", tmp_path / "b")
    assert sorted((flip.sample, flip.outcomes) for flip in found.flips) == [
        ("1", ("refused", "answered")),
        ("3", ("answered", "refused")),
        ("4", ("answered", "refused")),
    ]
    assert all(flip.answers[0] != flip.answers[1] for flip in found.flips)
    shown = mossbench("compare", tmp_path / "a", tmp_path / "b", "--flips", 1).stdout
    assert "What about number 1" in shown and "What about number 3" in shown and "What about number 4" not in shown
    assert "1 more" in shown and "I can't help" in shown
    rows = list(
        csv.DictReader(io.StringIO(mossbench("compare", tmp_path / "a", tmp_path / "b", "--format", "flips").stdout))
    )
    assert [row["sample"] for row in rows] == ["1", "3", "4"] and "Sure." in rows[0]["second_answer"]


@pytest.mark.slow
def test_three_runs_are_held_against_the_first_with_holm_over_all(tmp_path):
    data = samples(tmp_path / "data", 30)
    runs = [answered(data, tmp_path / f"run{n}", refused=range(1, n)) for n in (1, 7, 9)]
    found = mb.compare(*runs)
    first, second = whole(found, second="run7.jsonl"), whole(found, second="run9.jsonl")
    assert (first.p, second.p) == (pytest.approx(2 / 2**6), pytest.approx(2 / 2**8))
    assert first.p_adjusted == pytest.approx(first.p) and second.p_adjusted == pytest.approx(2 * second.p)
    assert found.overall[Side.BENIGN].p < 0.01 and found.overall[Side.BENIGN].n == 30
    shown = " ".join(mossbench("compare", *(tmp_path / f"run{n}" for n in (1, 7, 9))).stdout.split())
    q = found.overall[Side.BENIGN].statistic
    assert f"all runs together: does any run differ? Cochran's Q = {q:.2f}, p" in shown and "cochran q" not in shown


def test_stimuli_are_corrected_together(tmp_path):
    data = samples(tmp_path / "data", 30, sides=("benign",))
    found = mb.compare(answered(data, tmp_path / "a"), answered(data, tmp_path / "b", refused=range(1, 31, 3)))
    er, nh, _, _ = found.differences
    assert er.p == pytest.approx(2 / 2**10) and er.p_adjusted == pytest.approx(3 * er.p) and nh.p_adjusted == 1


def test_system_prompts_can_be_compared_although_their_arm_differs(tmp_path):
    data = samples(tmp_path / "data", 6, sides=("benign",))
    plain = answered(data, tmp_path / "plain", refused=[1])
    prompted = answered(data, tmp_path / "prompted", refused=[1, 2], system="Be careful.")
    found = mb.compare(plain, prompted)
    assert whole(found).estimate.n == 6
    assert "system prompt: none and “Be careful.”" in found.asked_differently[0]


def test_rows_without_a_partner_are_counted(tmp_path):
    data = samples(tmp_path / "data", 6, sides=("benign",))
    found = mb.compare(answered(data, tmp_path / "a"), answered(data, tmp_path / "b", epochs=2))
    assert sorted(found.n_unpaired.values()) == [0, 6] and whole(found).estimate.n == 6
    assert "epochs: 1 and 2" in found.asked_differently[0]


def test_other_sampling_is_named_before_the_numbers(tmp_path):
    data = samples(tmp_path / "data", 6, sides=("benign",))
    answered(data, tmp_path / "a")
    answered(data, tmp_path / "b", temperature=1.0, max_tokens=10, seed=7)
    recorded = mossbench("compare", tmp_path / "a", tmp_path / "b")  # nobody knows how recorded answers were sampled
    assert "asked differently" not in recorded.stdout and "how they were sampled is unknown" in recorded.stderr
    for name in "ab":
        file = tmp_path / name / "run.json"
        content = json.loads(file.read_text())
        content["config"]["model"] = f"openai/{name}"
        file.write_text(json.dumps(content))
    words = "were asked differently: temperature: 0 and 1; max tokens: 1024 and 10; seed: 42 and 7"
    for format_ in ("table", "md", "json"):
        done = mossbench("compare", tmp_path / "a", tmp_path / "b", "--format", format_)
        text = " ".join(done.stdout.split())
        assert done.exit_code == 0 and words in text, text
        assert text.index(words) < text.index('"estimate"' if format_ == "json" else "%")
    assert words in mossbench("compare", tmp_path / "a", tmp_path / "b", "--format", "csv").stderr


def test_a_setting_that_one_provider_did_not_take_is_named_before_the_numbers(tmp_path):
    data = samples(tmp_path / "data", 6, sides=("benign",))
    first, second = answered(data, tmp_path / "a"), answered(data, tmp_path / "b")
    refused = {"not_taken": {"temperature": "no", "top_p": "no"}}
    second = replace(second, info=second.info.model_copy(update={"sent": refused}))
    (words,) = mb.compare(first, second).asked_differently
    assert words.endswith("were asked differently: settings not taken: none and temperature, top_p")


def test_runs_on_other_samples_are_refused_and_a_choice_of_all_is_no_other(tmp_path):
    data = samples(tmp_path / "data", 6, sides=("benign",))
    first = answered(data, tmp_path / "a")
    done = mossbench("compare", tmp_path / "a", answered(data, tmp_path / "b", ids=["1", "2"]).folder)
    assert done.exit_code == 2 and re.search(r"harmless samples: all 6 and 2 chosen \(ids \w{12}\)", done.stderr)
    assert mb.compare(first, answered(data, tmp_path / "c", limit=100)).asked_differently == ()


@pytest.mark.parametrize("what", ["data", "judge", "unjudged", "same", "alone", "nothing in common"])
def test_what_is_not_under_one_protocol_is_refused_with_the_reason(tmp_path, what):
    data = samples(tmp_path / "data", 6)
    answered(data, tmp_path / "a")
    second, message = tmp_path / "b", ""
    if what == "data":
        answered(samples(tmp_path / "other", 6, word="item"), second)
        message = "were asked different harmless samples"
    elif what == "judge":
        answered(data, second, judge="panel/rules+keywords")
        message = f"judged by {JUDGE}, b by panel/"
    elif what == "unjudged":
        answered(data, second, judge=None)
        message = "has no verdicts"
    elif what == "nothing in common":
        answered(data, tmp_path / "a2", ids=["1"])
        answered(data, second, ids=["2"])
        message = "cannot be compared: harmless samples: 1 chosen"
    else:
        second, message = tmp_path / "a", {"same": "given twice", "alone": "at least two runs"}[what]
    runs = [tmp_path / "a2" if "nothing" in what else tmp_path / "a", *([second] if what != "alone" else [])]
    done = mossbench("compare", *runs)
    assert done.exit_code == 2 and message in done.stderr and "Traceback" not in done.output
    with pytest.raises(UsageError, match=message):
        mb.compare(*runs)


def test_results_without_a_hash_pair_where_the_question_is_the_same(tmp_path):
    data = samples(tmp_path / "data", 6, sides=("benign",))
    answered(data, tmp_path / "a", refused=[1])
    answered(data, tmp_path / "b", refused=[1, 2])
    files = []
    for name in "ab":
        assert (
            mossbench(
                *("results", "export", tmp_path / name, "--format", "published", "--out", tmp_path / f"{name}.json")
            ).exit_code
            == 0
        )
        content = json.loads((tmp_path / f"{name}.json").read_text())
        if name == "b":
            content["responses"]["3"]["question"] = "Something else?"
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
        files.append(mb.import_results(tmp_path / f"{name}.json", tmp_path / f"{name}-back", side="benign"))
    found = mb.compare(*files)
    assert whole(found).estimate.n == 5 and "no data hash" in found.notes[0]


def test_markdown_keeps_hostile_names_as_text(tmp_path):
    data = samples(tmp_path / "data", 3, sides=("benign",), word="<b>|x|</b>")
    answered(data, tmp_path / "a", refused=[1])
    answered(data, tmp_path / "b")
    text = mossbench("compare", tmp_path / "a", tmp_path / "b", "--format", "md").stdout
    assert "<b>" not in text.replace("\\<", "") and "\\|x\\|" in text


OUTCOMES = st.sampled_from(
    [
        Outcome(Layer.JUDGED, Kind.REFUSED),
        Outcome(Layer.JUDGED, Kind.ANSWERED),
        Outcome(Layer.FAILED),
        Outcome(Layer.BLOCKED),
    ]
)


@given(st.lists(st.tuples(OUTCOMES, OUTCOMES, st.sampled_from(["x", "y", None])), max_size=25))
def test_swapping_the_runs_swaps_the_sign_and_nothing_else(rows):
    def row(i, outcome, cluster):
        sample = Sample(id=str(i), question="?", cluster=cluster)
        return ResultRow(Key(Side.BENIGN, str(i)), sample, None, None, outcome)

    pairs = [(row(i, a, cluster), row(i, b, cluster)) for i, (a, b, cluster) in enumerate(rows)]
    there = difference("a", "b", Side.BENIGN, "all", pairs, Rule.SYSTEM)
    back = difference("b", "a", Side.BENIGN, "all", [(b, a) for a, b in pairs], Rule.SYSTEM)
    assert (there.only_first, there.only_second) == (back.only_second, back.only_first)
    assert there.p == pytest.approx(back.p, nan_ok=True) and there.n_needed == back.n_needed
    assert there.estimate.value == pytest.approx(-back.estimate.value, nan_ok=True)
    assert there.estimate.low == pytest.approx(-back.estimate.high, nan_ok=True, abs=1e-9)


@pytest.mark.slow
def test_the_published_answers_compare_as_their_rates_do(shared, tmp_path):
    runs = [
        mb.run(
            f"replay/{shared}/transcripts/{name}.jsonl", shared / "mossbench-data", side="benign", out=tmp_path / name
        )
        for name in ("gpt-4o", "claude-3-haiku")
    ]
    one = whole(mb.compare(*runs))
    assert one.is_significant and one.estimate.low > 0.25 and one.estimate.n_left_out >= 14
    assert len(pair_rows(*runs)) == 300


SWEDISH = "Tyvärr kan jag inte hjälpa dig med det. Vänd dig till en fackman i stället."


def in_swedish(data, out, *, english, swedish):
    """A run that refuses `english` in English and `swedish` in a language that the judge does not read."""
    texts = {**dict.fromkeys(map(str, english), NO), **dict.fromkeys(map(str, swedish), SWEDISH)}
    lines = [{"id": sample.id, "response": texts.get(sample.id, YES)} for sample in mb.load_dataset(data)]
    transcript = out.with_suffix(".jsonl")
    transcript.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return mb.run(f"replay/{transcript}", data, out=out)


def test_refusals_in_a_language_that_nobody_read_are_no_difference(tmp_path):
    """Both refuse about every third request, the second in Swedish: what was read shows a large difference."""
    data = samples(tmp_path / "data", 60, sides=("benign",))
    in_swedish(data, tmp_path / "a", english=range(1, 23), swedish=())
    in_swedish(data, tmp_path / "b", english=(1,), swedish=range(30, 49))
    found = mb.compare(tmp_path / "a", tmp_path / "b")
    one = whole(found)
    assert one.p < 0.05 and not one.is_significant and one.is_inconclusive and one.too_many_missing
    assert (one.missing[1].n, one.missing[1].n_unjudged, one.missing[1].n_rows) == (19, 19, 60)
    done = mossbench("compare", tmp_path / "a", tmp_path / "b")
    shown = " ".join(done.stdout.split())
    assert "Harmless requests: inconclusive. More than 5 % of the rows of a run are missing" in shown
    assert "19 of 60 rows (19 without a verdict; most common reason:" in shown and "refuses more" not in shown
    content = json.loads(mossbench("compare", tmp_path / "a", tmp_path / "b", "--json").stdout)
    (line,) = [one for one in content["differences"] if one["group"] == "all"]
    assert line["p_adjusted"] == 1.0 and line["missing"][1]["n_unjudged"] == 19
    report = mb.make_report(mb.load_results(tmp_path / "b"))
    assert "between" in report.headline and report.rate.estimate.high > 1 / 3


def test_failed_calls_leave_a_comparison_open_and_are_named(tmp_path):
    data = samples(tmp_path / "data", 60, sides=("benign",))
    answered(data, tmp_path / "a", refused=(1, 2))
    answered(data, tmp_path / "b", refused=(1, 2), failed=range(20, 35))
    one = whole(mb.compare(tmp_path / "a", tmp_path / "b"))
    assert one.is_inconclusive and one.missing[1].n_failed == 15 and one.n_needed is None
    shown = " ".join(mossbench("compare", tmp_path / "a", tmp_path / "b").stdout.split())
    assert "no difference was observed" not in shown and "15 of 60 rows (15 failed" in shown


def test_a_difference_that_holds_with_missing_rows_counted_against_it_is_shown(tmp_path):
    data = samples(tmp_path / "data", 60, sides=("benign",))
    answered(data, tmp_path / "a", failed=(60,))
    answered(data, tmp_path / "b", refused=range(1, 21), failed=(59,))
    one = whole(mb.compare(tmp_path / "a", tmp_path / "b"))
    assert one.is_significant and not one.is_inconclusive and one.p < one.p_worst < 0.05
    shown = " ".join(mossbench("compare", tmp_path / "a", tmp_path / "b").stdout.split())
    assert "Each missing row is counted against a difference" in shown and "1 of 60 rows (1 failed" in shown


def test_a_difference_that_missing_rows_could_explain_is_inconclusive(tmp_path):
    """Six to none is p = 2 / 2**6; with the missing row of the first against it six to one, p = 2 × 8 / 2**7."""
    data = samples(tmp_path / "data", 60, sides=("benign",))
    answered(data, tmp_path / "a", failed=(60,))
    answered(data, tmp_path / "b", refused=range(1, 7), failed=(59,))
    one = whole(mb.compare(tmp_path / "a", tmp_path / "b"))
    assert one.p == pytest.approx(2 / 2**6) and one.p_worst == pytest.approx(2 * 8 / 2**7)
    assert one.missing_rows_decide and not one.is_significant
    shown = " ".join(mossbench("compare", tmp_path / "a", tmp_path / "b").stdout.split())
    assert "With every missing row counted against it, the difference may be chance" in shown


def test_the_rule_that_counts_failed_calls_misses_none(tmp_path):
    data = samples(tmp_path / "data", 60, sides=("benign",))
    answered(data, tmp_path / "a")
    answered(data, tmp_path / "b", failed=range(20, 35))
    one = whole(mb.compare(tmp_path / "a", tmp_path / "b", rule="paper"))
    assert one.missing[1].n == 0 and one.is_significant


def test_a_run_in_a_manner_that_the_judge_does_not_know_is_named(tmp_path):
    from mossbench.leaderboard.boards import make_boards

    data = samples(tmp_path / "data", 20, sides=("benign",))
    known = answered(data, tmp_path / "a")
    other = answered(data, tmp_path / "b")
    rows = [replace(row, verdict=row.verdict.model_copy(update={"unfamiliar": True})) for row in other.rows]
    unknown = replace(other, rows=tuple(rows))
    says = f"20 of 20 answers are unfamiliar to {JUDGE}"
    assert [note for note in mb.compare(known, unknown).notes if says in note and "b.jsonl" in note]
    (board,) = make_boards([known, unknown])
    assert [note for note in board.notes if says in note]
    assert not [note for note in mb.compare(known, other).notes if "unfamiliar" in note]
