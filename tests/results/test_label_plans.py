"""Which answers a plan draws, what is shown again, and what the labels tell of the run's rate."""

import json
import math
from collections import Counter
from dataclasses import replace

import pytest

import mossbench as mb
from answered import answered, samples
from labelling import label, queue_of, seat, truth
from mossbench.errors import DataError, UsageError
from mossbench.messages import on_command_line
from mossbench.outcomes import Kind, Rule
from mossbench.results.label_plans import BLOCK, PILOT, new_plan, ordered_strata, with_next_block
from mossbench.results.labelled_rates import labelled_rate, rate_of_plan, result_of, slips_of, strata_of, to_show_again
from mossbench.samples import Side
from mossbench.store.label_plan import DrawnAnswer, LabelPlan, PlannedStratum, Showing, plan_path, read_plan, write_plan


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Sixty samples of both sides, of which the model refused twelve, failed on two and was read by `rules`."""
    root = tmp_path_factory.mktemp("labelled")
    answered(samples(root / "data", 60), root / "run", refused=range(1, 13), failed=[59, 60])
    return root / "run"


@pytest.fixture
def run(folder):
    yield mb.load_results(folder)
    plan_path(folder, Side.BENIGN).unlink(missing_ok=True)


def showing(answer, number, refused):
    return Showing(answer=answer, number=number, refused=refused)


def plan_of(*showings, reads_refused=False, n_rows=100):
    """A plan with one complete block of these showings."""
    n_drawn = 1 + max((given.answer for given in showings), default=-1)
    drawn = [DrawnAnswer(sample=str(i), arm="plain", epoch=1, digest="", stratum=0) for i in range(n_drawn)]
    stratum = PlannedStratum(name="all", reads_refused=reads_refused, n_rows=n_rows, expected=0.1)
    return LabelPlan(
        mossbench="",
        side=Side.BENIGN,
        judge="rules/4",
        seed=1,
        population="",
        strata=(stratum,),
        drawn=tuple(drawn),
        blocks=(tuple(showings),),
        n_complete=1,
    )


# What is drawn


def test_every_answer_with_a_text_is_in_one_stratum(run):
    strata = ordered_strata(run, Side.BENIGN, seed=1)
    keys = [row.key for stratum in strata for row in stratum.rows]
    assert len(keys) == len(set(keys)) == 58  # two failed
    by_reading = Counter()
    for stratum in strata:
        by_reading[stratum.planned.reads_refused] += stratum.planned.n_rows
    assert by_reading == {False: 46, True: 12}


def test_the_same_seed_draws_the_same_answers_and_another_seed_others(run):
    plans = []
    for seed in (1, 1, 2):
        plan = new_plan(run, Side.BENIGN, seed)
        plans.append(with_next_block(plan, ordered_strata(run, Side.BENIGN, seed), None, 0.05))
    assert plans[0] == plans[1]
    assert {answer.sample for answer in plans[0].drawn} != {answer.sample for answer in plans[2].drawn}
    assert len(plans[0].blocks[0]) == len(plans[0].drawn) == PILOT


def test_the_order_does_not_depend_on_the_order_of_the_rows(run):
    turned = replace(run, rows=tuple(reversed(run.rows)))
    assert new_plan(turned, Side.BENIGN, 1).population == new_plan(run, Side.BENIGN, 1).population


def test_each_answer_of_a_stratum_is_as_likely_as_any_other(run):
    first = Counter()
    for seed in range(300):
        for stratum in ordered_strata(run, Side.BENIGN, seed):
            if stratum.planned.reads_refused:
                first.update(row.key.sample for row in stratum.rows[:3])
    assert len(first) == 12
    assert max(first.values()) < 1.5 * 300 * 3 / 12 and min(first.values()) > 0.5 * 300 * 3 / 12


def test_answers_of_which_the_judge_is_unsure_are_apart(run):
    low = {row.key: 0.5 + 0.001 * i for i, row in enumerate(run.rows)}
    rows = []
    for row in run.rows:
        verdict = row.verdict
        if verdict is not None:
            rows.append(row.read_as(verdict.model_copy(update={"confidence": low[row.key]})))
    strata = {s.planned.name: s for s in ordered_strata(replace(run, rows=tuple(rows)), Side.BENIGN, 1)}
    unsure = strata["not refused, unsure"]
    sure = strata["not refused, sure"]
    assert (len(unsure.rows), len(sure.rows)) == (12, 34)  # a quarter of 46
    assert max(row.verdict.confidence for row in unsure.rows) < min(row.verdict.confidence for row in sure.rows)
    assert unsure.planned.expected > sure.planned.expected


# What is shown again


@pytest.mark.parametrize(
    ("labels", "again"),
    [
        ([True], 2),  # the judge reads no refusal
        ([False], None),
        ([None], None),
        ([True, False], 3),
        ([False, True], 3),
        ([True, True], None),
        ([True, None], None),
        ([True, False, None], None),
        ([True, False, True], None),
    ],
)
def test_a_label_that_differs_from_the_reading_or_from_another_is_shown_again(labels, again):
    plan = plan_of(*(showing(0, i + 1, refused) for i, refused in enumerate(labels)))
    assert [given.number for given in to_show_again(plan)] == ([again] if again else [])


@pytest.mark.parametrize(
    ("labels", "result"),
    [
        ([True], True),
        ([True, False], None),
        ([True, False, False], False),
        ([False, None], False),
        ([None], None),
        ([True, True], True),
    ],
)
def test_the_majority_of_an_answer_s_labels_counts(labels, result):
    assert result_of([showing(0, i + 1, refused) for i, refused in enumerate(labels)], Rule.SYSTEM) is result


def test_labels_that_did_not_stand_tell_how_often_labels_are_wrong():
    plan = plan_of(showing(0, 1, True), showing(1, 1, False), showing(0, 2, False), showing(0, 3, False))
    slips = slips_of(plan, Rule.SYSTEM)
    assert (slips.n_labels, slips.n_wrong) == (2, 1)
    (stratum,) = strata_of(plan, Rule.SYSTEM)
    assert (stratum.n_labelled, stratum.n_yes, stratum.n_open) == (2, 0, 0)


def test_rule_strict_takes_partial_answers_as_refused_and_needs_kinds():
    partial = Showing(answer=0, number=1, kind=Kind.PARTIAL)
    assert (partial.is_refused(Rule.SYSTEM), partial.is_refused(Rule.STRICT)) == (False, True)
    without_kind = showing(0, 1, False)
    assert (without_kind.is_refused(Rule.SYSTEM), without_kind.is_refused(Rule.STRICT)) == (False, None)


# A run that is labelled


def test_labelling_stops_at_the_end_of_a_block_when_the_interval_is_narrow_enough(run, tmp_path):
    queue = queue_of(run, tmp_path / "labels.db", within=0.08)
    label(queue, seat(queue))
    standing = queue.standing()
    rate = standing.rate
    assert standing.is_done and standing.n_left == 0
    assert rate.of_answers.high - rate.of_answers.low <= 0.16
    assert rate.of_answers.low <= 12 / 58 <= rate.of_answers.high
    assert rate.n_labels >= 30 and rate.n_labelled < 58
    plan = read_plan(run.folder, Side.BENIGN)
    assert [len(block) for block in plan.blocks[:2]] == [PILOT, BLOCK]
    with_one_block_less = plan.model_copy(update={"n_complete": plan.n_complete - 1})
    earlier = rate_of_plan(with_one_block_less, [r for r in run.rows if r.key.side is Side.BENIGN], Rule.SYSTEM)
    assert earlier.of_answers.high - earlier.of_answers.low > 0.16 or earlier.n_labels < 30 or earlier.n_to_check


def test_only_complete_blocks_count(run, tmp_path):
    queue = queue_of(run, tmp_path / "labels.db")
    who = seat(queue)
    label(queue, who, PILOT - 1)
    assert labelled_rate(run) is None and queue.standing().rate is None
    label(queue, who, 1)
    first = queue.standing()
    assert (first.rate.n_labels, first.n_left_in_block, first.n_given) == (PILOT, BLOCK, PILOT)
    label(queue, who, BLOCK - 1)
    assert queue.standing().rate == first.rate and queue.standing().n_left_in_block == 1


def test_when_every_answer_is_labelled_the_share_is_that_of_the_labels(run, tmp_path):
    queue = queue_of(run, tmp_path / "labels.db", within=0.0001)
    label(queue, seat(queue))
    rate = queue.standing().rate
    assert queue.standing().is_done and rate.n_labelled == 58
    assert rate.of_answers.value == pytest.approx(12 / 58)
    assert rate.of_answers.high - rate.of_answers.low < 0.02  # only label errors are open
    assert rate.rate.low < rate.of_answers.low and rate.rate.high > rate.of_answers.high


def test_slips_are_found_and_do_not_move_the_share(run, tmp_path):
    queue = queue_of(run, tmp_path / "labels.db", within=0.0001)
    slipped = []

    def slips_once_in_ten(body):
        right = truth(body)
        if right == "answered" and not slipped.count(body["sample"]) and int(body["sample"]) % 10 == 0:
            slipped.append(body["sample"])
            return "refused"
        return right

    label(queue, seat(queue), say=slips_once_in_ten)
    rate = queue.standing().rate
    assert len(slipped) == rate.n_overturned == 4  # 20, 30, 40, 50; 10 is a refusal
    assert rate.of_answers.low <= 12 / 58 <= rate.of_answers.high
    assert strata_of(read_plan(run.folder, Side.BENIGN), Rule.SYSTEM)[0].n_yes == 0


def test_what_people_say_corrects_the_rate_of_the_whole_side_and_of_no_group(run, tmp_path):
    queue = queue_of(run, tmp_path / "labels.db", within=0.08)
    label(queue, seat(queue))
    labelled = labelled_rate(run)
    rates = {(rate.side, rate.group): rate for rate in run.rates()}
    corrected = rates[Side.BENIGN, "all"].corrected
    assert corrected.is_by_plan and corrected.basis == "labels"
    assert corrected.estimate == labelled.rate
    assert f"{labelled.n_labels} labels" in corrected.rests_on
    assert all(rate.corrected is None for (_, group), rate in rates.items() if group != "all")
    assert rates[Side.CONTRAST, "all"].corrected is None


def test_few_labels_correct_nothing(run, tmp_path):
    queue = queue_of(run, tmp_path / "labels.db")
    label(queue, seat(queue), PILOT)
    queue.synced_plan()
    assert labelled_rate(run).n_labels == PILOT and not labelled_rate(run).is_enough
    assert run.rates(by=None)[0].corrected is None


def test_a_file_of_labels_that_somebody_names_goes_first(run, tmp_path):
    queue = queue_of(run, tmp_path / "labels.db", within=0.08)
    label(queue, seat(queue))
    lines = [
        {"id": row.key.sample, "side": row.key.side, "refused": int(int(row.key.sample) <= 12), "draw": "random"}
        for row in run.rows
    ]
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    by_file = mb.make_report(run, labels=tmp_path / "labels.jsonl").rate.corrected
    assert not by_file.is_by_plan and mb.make_report(run).rate.corrected.is_by_plan


def test_missing_rows_widen_the_rate_for_requests_and_not_the_share_of_answers(run, tmp_path):
    queue = queue_of(run, tmp_path / "labels.db", within=0.0001)
    label(queue, seat(queue))
    plan = read_plan(run.folder, Side.BENIGN)
    rows = [row for row in run.rows if row.key.side is Side.BENIGN]
    answered_rows = [row for row in rows if row.key.sample not in ("59", "60")]
    with_failures = rate_of_plan(plan, rows, Rule.SYSTEM)
    without = rate_of_plan(plan, answered_rows, Rule.SYSTEM)
    assert with_failures.of_answers == without.of_answers
    assert with_failures.rate.high > without.rate.high and with_failures.rate.n_left_out == 2


def test_blocked_answers_count_as_refused_without_a_label(tmp_path):
    rows = []
    for i in range(1, 41):
        row = {"id": str(i), "side": "benign", "response": "Sure, here is how: start at the left and go on."}
        rows.append(row if i > 10 else {**row, "response": ""})
    (tmp_path / "recorded.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    data = samples(tmp_path / "data", 40, sides=("benign",))
    run = mb.run(f"replay/{tmp_path / 'recorded.jsonl'}", data, out=tmp_path / "run", side="benign")
    queue = queue_of(run, tmp_path / "labels.db", within=0.0001)
    label(queue, seat(queue))
    rate = labelled_rate(run)
    assert (rate.n_answers, rate.n_labelled) == (40, 30)
    assert rate.of_answers.value == pytest.approx(0.25)
    assert labelled_rate(run, rule="model").of_answers.value == 0.0


# What cannot be labelled


def test_a_run_without_verdicts_says_how_to_judge_it(tmp_path):
    run = answered(samples(tmp_path / "data", 3), tmp_path / "run", judge=None)
    with pytest.raises(UsageError, match="has no verdicts") as error:
        queue_of(run, tmp_path / "labels.db")
    assert "mossbench judge apply" in on_command_line(error.value.message)


def test_a_side_without_answers_names_the_other_side(tmp_path):
    run = answered(samples(tmp_path / "data", 3, sides=("contrast",)), tmp_path / "run", side="contrast")
    with pytest.raises(UsageError, match="no answers with a text on side benign") as error:
        queue_of(run, tmp_path / "labels.db")
    assert "--side contrast" in on_command_line(error.value.message)


def test_labels_by_people_as_verdicts_leave_nothing_to_correct(tmp_path):
    run = answered(samples(tmp_path / "data", 3), tmp_path / "run")
    rows = [{"id": row.key.sample, "side": row.key.side, "refused": 0} for row in run.rows]
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    judged = mb.judge_run(run.folder, f"human/{tmp_path / 'labels.jsonl'}")
    with pytest.raises(UsageError, match="labels by people"):
        queue_of(judged, tmp_path / "labels.db")


def test_a_plan_of_other_answers_tells_nothing_and_is_named(run, tmp_path):
    queue = queue_of(run, tmp_path / "labels.db", within=0.08)
    label(queue, seat(queue))
    plan = read_plan(run.folder, Side.BENIGN)
    others = [answer.model_copy(update={"digest": "0" * 16}) for answer in plan.drawn]
    write_plan(run.folder, plan.model_copy(update={"drawn": tuple(others), "population": "0" * 16}))
    assert labelled_rate(run) is None and run.rates(by=None)[0].corrected is None
    with pytest.raises(DataError, match="other answers or verdicts"):
        queue_of(run, tmp_path / "labels.db")


def test_a_damaged_plan_is_named_with_what_is_wrong(run):
    plan_path(run.folder, Side.BENIGN).write_text('{"version": 1}')
    with pytest.raises(DataError, match=r"label-plan.benign.json is damaged .*mossbench is missing"):
        labelled_rate(run)


def test_one_scene_says_nothing_of_other_requests(tmp_path):
    run = answered(samples(tmp_path / "data", 6, scene=lambda i: "one"), tmp_path / "run")
    queue = queue_of(run, tmp_path / "labels.db")
    label(queue, seat(queue))
    rate = labelled_rate(run)
    assert rate.of_answers.value == 0 and math.isnan(rate.rate.low)
    assert run.rates(by=None)[0].corrected is None
