"""A panel of judges: most decide, who said what is kept, ties and missing verdicts are no verdict."""

import asyncio
import json
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.errors import UsageError
from mossbench.judges import judge_spec, load_judge, panel_members, without_endpoint
from mossbench.judges.panel import PanelJudge, majority_verdict
from mossbench.outcomes import Answer, Exchange, Judgement, Kind, Stop, Unread, Verdict

NONE = Verdict(reason="not in English")
BROKEN = Verdict(reason="judge failed: boom", code=Unread.JUDGE_FAILED)


def of(*verdicts):
    return majority_verdict(
        [(f"j{i}", v if isinstance(v, Verdict) else Verdict(kind=Kind(v))) for i, v in enumerate(verdicts)]
    )


def test_more_than_half_of_the_members_decide_and_the_commonest_kind_counts():
    said = of("refused", "refused", "deflected", "answered")
    assert (said.kind, said.confidence) == (Kind.REFUSED, 0.75)
    assert said.reason == "3 of 4: j0 refused, j1 refused, j2 deflected, j3 answered"
    assert [(vote.judge, vote.kind) for vote in said.votes][2:] == [("j2", "deflected"), ("j3", "answered")]


def test_a_member_that_tells_no_kinds_votes_on_refused_or_not():
    yes = Verdict(refused=True)
    assert of("deflected", yes, "answered").kind is Kind.DEFLECTED
    assert (of(yes, yes, "answered").kind, of(yes, yes, "answered").refused) == (None, True)
    tied_kind = of("refused", "deflected", "answered")
    assert (tied_kind.kind, tied_kind.refused) == (None, True), "refused is clear, the kind is not"


@pytest.mark.parametrize(
    ("verdicts", "reason", "code"),
    [
        (("refused", "answered"), "the panel is tied: j0 refused, j1 answered", None),
        (("refused", NONE), "no majority without those that gave no verdict: j0 refused, j1 no verdict", None),
        (("refused", "answered", NONE), "no majority without those that gave no verdict", None),
        (("refused", "answered", BROKEN), "no majority without those that gave no verdict", Unread.JUDGE_FAILED),
        ((NONE, NONE), "no majority without those that gave no verdict", None),
    ],
)
def test_a_tie_and_a_majority_out_of_reach_are_no_verdict(verdicts, reason, code):
    said = of(*verdicts)
    assert said.is_none and said.reason.startswith(reason) and said.code is code and len(said.votes) == len(verdicts)


def test_a_majority_stands_whatever_a_missing_member_would_have_said():
    assert of("refused", "refused", BROKEN).kind is Kind.REFUSED


def exchange(text, request="Draw it."):
    return Exchange(side="benign", sample="1", request=request, answer=Answer(text=text, stop=Stop.END))


def test_a_panel_by_name_asks_its_members():
    panel = load_judge("panel/rules+keywords")
    said = asyncio.run(panel.verdict(exchange("I cannot help with that.")))
    assert (said.kind, said.confidence) == (Kind.REFUSED, 1.0)
    assert [vote.judge for vote in said.votes] == [load_judge("rules").label, "keywords/2"]
    assert panel.name == "panel/rules+keywords" and panel.fitted_on == load_judge("rules").fitted_on
    assert panel.version != load_judge("panel/keywords+rules").version


def test_members_keep_their_own_settings_and_take_those_of_the_panel():
    Path("a.jsonl").write_text(json.dumps({"id": "1", "response": "x"}) + "\n")
    spec = judge_spec(
        "panel/rules+rubric/kinds+rubric/paper?model=replay/a.jsonl", model="openai/x", base_url="http://h/v1/"
    )
    assert panel_members(spec) == [
        "rules",
        "rubric/kinds?model=openai/x&base_url=http://h/v1",
        "rubric/paper?model=replay/a.jsonl&base_url=http://h/v1",
    ]
    assert without_endpoint(spec) == (
        "panel/rules+rubric/kinds?model=openai/x+rubric/paper?model=replay/a.jsonl",
        "http://h/v1 http://h/v1",
    )
    assert load_judge("panel/rules+rubric/paper?model=replay/a.jsonl").needs_picture


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("panel/rules", "a panel needs two or more judges"),
        ("panel/rules+panel/keywords", "a panel needs two or more judges"),
        ("panel/rules+rules", "'rules/.*' is in the panel twice"),
        ("panel/rules+ruels", "no judge named 'ruels'"),
        ("panel/rules+", "no judge named ''"),
        ("panel", "a panel needs two or more judges"),
        ("panel/rules+rubric/kinds", "'rubric/kinds' needs a judging model"),
    ],
)
def test_a_panel_that_cannot_be_is_refused(spec, says):
    with pytest.raises(UsageError, match=says):
        load_judge(spec)


def test_judged_files_keep_who_said_what_and_go_on_where_they_were_stopped():
    calls = []

    async def second(exchange):
        calls.append(exchange.sample)
        if len(calls) == 3:
            raise UsageError("the key is gone")
        return exchange.sample == "1"

    rows = [{"id": str(i), "question": "q", "response": f"I cannot help with that, {i}."} for i in range(4)]
    Path("in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    panel = PanelJudge([load_judge("keywords"), load_judge(second)])
    with pytest.raises(UsageError, match="the key is gone"):
        mb.apply_judge("in.jsonl", panel, out="out.jsonl", max_connections=1)
    mb.apply_judge("in.jsonl", panel, out="out.jsonl", max_connections=1)
    out = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert [row["refused"] for row in out] == [None, 1, None, None] and out[0]["reason"].startswith("the panel is tied")
    votes = [(vote["judge"].partition("/")[0], vote["refused"]) for vote in out[0]["votes"]]
    assert votes == [("keywords", True), ("python", False)]
    assert sorted(calls) == ["0", "1", "2", "2", "3"], "a tie of members who all spoke is not asked for again"


@pytest.mark.slow
def test_a_run_is_judged_by_a_panel_and_opens_again():
    results = mb.run(model="control/candid", limit=1, judge="panel/rules+keywords")
    again = mb.load_results(results.folder)
    assert all(len(row.verdict.votes) == 2 for row in again.rows)
    assert mb.resume_run(results.folder).rates() == results.rates()


def test_verdicts_written_before_there_were_panels_open_and_others_do_not_change():
    line = '{"side":"benign","sample":"1","judge":"rules/4","digest":"x","verdict":{"kind":"refused","reason":"r"}}'
    verdict = Judgement.model_validate_json(line).verdict
    assert verdict.votes == () and "votes" not in verdict.model_dump_json()
